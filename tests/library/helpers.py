"""Operators for the tests, each under a name of its own."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

import adjoint as ad
from adjoint import Tensor, library

_number = itertools.count()


def fresh(name: str = "op") -> str:
    """A name that no operator has yet."""
    return f"tests::{name}_{next(_number)}"


def numpy_sine(name: str | None = None) -> Any:
    """The sine by NumPy, with formula and fake function; its derivative is an operator too, so there are all orders."""

    def sin(x: Tensor) -> Tensor:
        return ad.from_numpy(np.asarray(np.sin(x.numpy())))

    def cos(x: Tensor) -> Tensor:
        return ad.from_numpy(np.asarray(np.cos(x.numpy())))

    sine = library.custom_op(name or fresh("sin"), sin, mutates_args=())
    cosine = library.custom_op(fresh("cos"), cos, mutates_args=())

    def keep_input(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(inputs[0])

    sine.register_autograd(lambda ctx, grad: grad * cosine(ctx.saved_tensors[0]), setup_context=keep_input)
    cosine.register_autograd(lambda ctx, grad: -grad * sine(ctx.saved_tensors[0]), setup_context=keep_input)
    for op in (sine, cosine):
        op.register_fake(lambda x: x.new_empty(x.shape))
    return sine


def from_schema(schema: str, kernel: Any, **options: Any) -> Any:
    """An operator from a schema without a name."""
    return library.custom_op(fresh(), kernel, schema=schema, **{"mutates_args": (), **options})


def leaf(*values: float, requires_grad: bool = True) -> Any:
    return ad.tensor(list(values), dtype=ad.float64, requires_grad=requires_grad)
