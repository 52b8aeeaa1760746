"""Tensors of lower levels among those of higher ones (what levels are: see `func/_levels.py`)."""

from __future__ import annotations

from adjoint._core.tensor import Tensor, wrap
from adjoint._core.views.versions import new_counter


def raise_level(tensor: Tensor, level: int) -> Tensor:
    """The tensor as a constant of a higher level, whose own history goes on inside.

    They share a version counter: a write to what is inside is noticed by those who have saved the constant.
    """
    while tensor._spec.level < level:
        if tensor._versions is None:
            tensor._versions = new_counter()
        versions = tensor._versions
        tensor = wrap(tensor)
        tensor._versions = versions
    return tensor
