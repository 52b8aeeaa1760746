"""What older programs call a tensor that is differentiated."""

from __future__ import annotations

from typing import Any

from adjoint.autograd.variable import Tensor


class _TensorsToo(type):
    """Lets every tensor be an instance."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Tensor)


class Variable(metaclass=_TensorsToo):
    """Older programs make a tensor that requires grad by this; now any tensor can, and what is returned is one.

    Args:
        data: a tensor, whose values are shared.
        requires_grad: whether operations on the result are recorded.
    """

    def __new__(cls, data: Tensor, requires_grad: bool = False) -> Any:
        return data.detach().requires_grad_(requires_grad)
