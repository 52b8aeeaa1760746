"""A program as a user writes it: pyright in strict mode accepts it, knows every type in it, and it runs."""

from __future__ import annotations

import math
from typing import assert_type

import numpy as np

import adjoint as ad
from adjoint import Tensor
from adjoint.autograd import forward_ad
from adjoint.autograd.function import FunctionCtx, once_differentiable


class Cube(ad.autograd.Function):
    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, scale: float = 1.0) -> Tensor:
        ctx.save_for_backward(x)
        ctx.set_materialize_grads(False)
        return x**3 * scale

    @staticmethod
    @once_differentiable
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple[Tensor, None]:
        (x,) = ctx.saved_tensors
        return grad * 3 * x**2, None


@ad.library.custom_op("client::double", mutates_args=())
def double(x: Tensor) -> Tensor:
    return ad.from_numpy(2 * x.numpy())


def loss(weight: Tensor, x: Tensor) -> Tensor:
    return (x @ weight).tanh().square().mean()


def scores(parameters: dict[str, Tensor], x: Tensor) -> Tensor:
    return ad.nn_like(parameters["weight"], x) if False else (x * parameters["weight"]).sum()


@ad.no_grad()
def step(weight: Tensor, gradient: Tensor, rate: float = 0.1) -> float:
    weight.sub_(gradient, alpha=rate)
    return weight.abs().max().item()
