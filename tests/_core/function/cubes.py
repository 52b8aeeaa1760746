"""Custom Functions for x^3 y, which several tests look at."""

from __future__ import annotations

from typing import Any

from adjoint.autograd import Function


class ByBackward(Function):
    """x^3 y, from a backward."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.save_for_backward(x, y)
        return x**3 * y

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        x, y = ctx.saved_tensors
        return 3 * x**2 * y * grad, x**3 * grad


class ByJvp(Function):
    """The same from a jvp."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.save_for_forward(x, y)
        return x**3 * y

    @staticmethod
    def jvp(ctx: Any, a: Any, b: Any) -> Any:
        x, y = ctx.saved_tensors
        return 3 * x**2 * y * a + x**3 * b
