"""Bridges to other autodiff systems: JAX and PyTorch functions as differentiable functions here, and vice versa."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjoint._bridges.jax import FromJax, ToJax
from adjoint._bridges.torch_in import FromTorch


def from_jax(f: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a JAX function as a differentiable function of tensors. Can be used as a decorator.

    Arguments and results may be pytrees. Tensors among the arguments are passed as JAX arrays, everything else
    unchanged; arrays among the results become tensors of the arguments' array library. Arrays are exchanged by DLPack,
    without a copy where possible. Gradients come from `jax.vjp`, tangents from `jax.jvp`, batches from `jax.vmap`; all
    of them can be differentiated again. Inside `jax.jit` the function is traced like any other.

    A float64 or complex128 tensor enables 64-bit types in JAX (x64) for the call. Values that the function closes over
    are constants.

    Args:
        f: a function of JAX arrays; for gradients, one that `jax.vjp` accepts.

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
    """Wrap a function of tensors as a JAX function, which all JAX transforms accept.

    JAX arrays among its arguments (tracers included) are wrapped in tensors, and JAX sees what is computed with them:
    `jax.jit` compiles it, `jax.grad`, `jax.jvp` and `jax.vmap` work through it. Tensors that the function closes over
    are constants for JAX.

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
    """Wrap a PyTorch function or module as a differentiable function of tensors.

    Can be used as a decorator.

    Arguments and results may be pytrees. Tensors among the arguments are passed as PyTorch tensors, everything else
    unchanged; tensors among the results become ours. Arrays are exchanged by DLPack, without a copy where possible.
    Gradients of any order come from PyTorch's autograd, batches from `torch.func.vmap`.

    PyTorch tensors that the function uses and that require grad, such as the parameters of a module, receive gradients:
    a backward pass here accumulates into their `.grad`, like one of PyTorch.

    Args:
        f: a function of PyTorch tensors, or a module. It must not write to its arguments.

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
    """Wrap a function of tensors as a differentiable PyTorch function.

    PyTorch tensors among its arguments become ours, and its results PyTorch tensors; both may be pytrees. PyTorch's
    autograd sees one operation, with gradients of any order, forward mode and `torch.func` transforms. Our leaves that
    the function uses and that require grad receive gradients: PyTorch's backward pass accumulates into their `.grad`.

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
