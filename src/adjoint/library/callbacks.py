"""Foreign calls inside a program that JAX is tracing: it will call back, and can differentiate through that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from adjoint.arrays import namespace_of
from adjoint.autograd.variable import wrap
from adjoint.library.foreign import ForeignCall


def any_traced(arrays: Sequence[Any]) -> bool:
    """Whether one of these is a tracer of JAX, which has no values yet."""
    return any(namespace_of(array).name == "jax tracer" for array in arrays)


def traced(call: ForeignCall, arrays: Sequence[Any], likes: Sequence[Any]) -> list[Any]:
    """The outputs of a call as tracers.

    Args:
        call: a call that computes with NumPy arrays.
        arrays: its inputs, tracers among them.
        likes: things with the shapes and dtypes of its outputs.
    """
    import jax

    kinds = [jax.dtypes.canonicalize_dtype(like.dtype) for like in likes]
    shapes = tuple([jax.ShapeDtypeStruct(like.shape, kind) for like, kind in zip(likes, kinds)])

    def computed(*values: Any) -> Any:
        outputs = call.value([np.asarray(value) for value in values])
        return tuple([output.astype(kind, copy=False) for output, kind in zip(outputs, kinds)])

    @jax.custom_vjp
    def step(*inputs: Any) -> Any:
        return jax.pure_callback(computed, shapes, *inputs, vmap_method="sequential")

    def pulled(inputs: Any, cotangents: Any) -> Any:
        tensors = [wrap(array) for array in inputs]
        grads = [None if g.dtype == jax.dtypes.float0 else wrap(jax.numpy.conj(g)) for g in cotangents]
        found = call.pull(tensors, grads, [tensor._spec.inexact for tensor in tensors])
        return tuple([_cotangent(grad, x) for grad, x in zip(found, inputs)])

    def _cotangent(grad: Any, x: Any) -> Any:
        if not wrap(x)._spec.inexact:
            return np.zeros(x.shape, jax.dtypes.float0)
        return jax.numpy.zeros_like(x) if grad is None else jax.numpy.conj(grad._array).astype(x.dtype)

    step.defvjp(lambda *inputs: (step(*inputs), inputs), pulled)
    return list(step(*[jax.numpy.asarray(array) for array in arrays]))
