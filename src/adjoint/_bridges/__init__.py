"""Functions across systems: a function written for JAX or PyTorch, differentiable here, and the other way round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjoint._bridges.jax import FromJax, ToJax
from adjoint._bridges.torch_in import FromTorch


def from_jax(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of JAX as a function of tensors, with its derivatives.

    Arguments and results may be trees. Tensors among the arguments arrive as JAX arrays, everything else as it is;
    arrays among the results become tensors of the library that the arguments were of. Values cross by DLPack, without
    a copy where that is possible. Gradients come from `jax.vjp`, tangents from `jax.jvp`, batches from `jax.vmap`; all
    of them can be differentiated again. Inside `jax.jit` the function is traced like any other.

    A tensor of float64 or complex128 switches 64 bits on in JAX for the call. What the function closes over is
    constant. It can be used as a decorator.

    Args:
        f: a function of JAX arrays; for gradients, one that `jax.vjp` takes.

    Example:
        >>> import jax.numpy as jnp
        >>> norm = ad.library.from_jax(jnp.linalg.norm)
        >>> x = ad.tensor([3.0, 4.0], requires_grad=True)
        >>> norm(x).backward()
        >>> x.grad
        tensor([0.6000, 0.8000])
    """
    return FromJax(f)


def to_jax(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of tensors as a function of JAX, which all of JAX's transforms take.

    The arrays of JAX among its arguments (tracers too) arrive inside tensors, and JAX sees what is computed with them:
    `jax.jit` compiles it, `jax.grad`, `jax.jvp` and `jax.vmap` go through it. Tensors that the function closes over
    are constants to JAX.

    Args:
        f: a function of tensors.

    Example:
        >>> import jax
        >>> square = ad.library.to_jax(lambda x: (x * x).sum())
        >>> jax.grad(square)(jax.numpy.asarray([1.0, 2.0])).tolist()
        [2.0, 4.0]
    """
    return ToJax(f)


def from_torch(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of PyTorch as a function of tensors, with its derivatives.

    Arguments and results may be trees. Tensors among the arguments arrive as tensors of PyTorch, everything else as it
    is; tensors among the results become ours. Values cross by DLPack, without a copy where that is possible.
    Gradients of any order come from PyTorch's autograd, batches from `torch.func.vmap`.

    Tensors of PyTorch that the function uses and that require grad, such as the parameters of a module, take part: a
    backward pass here adds to their `.grad`, like one of PyTorch's own. It can be used as a decorator.

    Args:
        f: a function of PyTorch's tensors, or a module. It must not write to its arguments.

    Example:
        >>> import torch
        >>> softplus = ad.library.from_torch(torch.nn.functional.softplus)
        >>> x = ad.tensor([0.0], requires_grad=True)
        >>> softplus(x).backward()
        >>> x.grad
        tensor([0.5000])
    """
    return FromTorch(f)


def to_torch(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of tensors as a function of PyTorch, differentiable there.

    Tensors of PyTorch among its arguments arrive as ours, and the other way round for its results; both may be trees.
    PyTorch's autograd sees one operation, with gradients of any order, forward mode, and `torch.func`'s transforms.
    Leaves of ours that the function uses and that require grad take part: a backward pass of PyTorch adds to their
    `.grad`.

    Args:
        f: a function of tensors.

    Example:
        >>> import torch
        >>> square = ad.library.to_torch(lambda x: (x * x).sum())
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> square(x).backward()
        >>> x.grad
        tensor([2., 4.])
    """
    from adjoint._bridges.torch_out import ToTorch  # it imports PyTorch

    return ToTorch(f)
