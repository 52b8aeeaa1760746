"""Deprecated orders of arguments that PyTorch still accepts: numbers before the tensors that they scale."""

from __future__ import annotations

import warnings
from typing import Any

from adjoint._core.tensor import Tensor

OLD_NUMBERS: dict[str, tuple[str, ...]] = {
    "add": ("alpha",), "sub": ("alpha",), "addcmul": ("value",), "addcdiv": ("value",),
    **dict.fromkeys(("addmm", "addmv", "addr", "addbmm", "baddbmm"), ("beta", "alpha")),
}  # fmt: skip
"""By operator: the keywords that may come first, as in ``x.add_(alpha, other)`` and ``addmm(beta, x, alpha, a, b)``."""


def move_old_numbers(operator: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Move numbers that come before the tensors they scale to their keywords.

    Args:
        operator: what is called, with more arguments than may be given by position.
        args, kwargs: the arguments. They are returned as they are if this is no such call.
    """
    names = operator.old_numbers
    places = [1] if len(names) == 1 else [i for i, value in enumerate(args) if not _is_operand(value)]
    moved = dict(zip(names, [args[i] for i in places]))
    if (
        len(args) != operator.positional + len(moved)
        or len(places) > len(names)
        or any(map(_is_operand, moved.values()))
    ):
        return args, kwargs
    if moved.keys() & kwargs.keys():
        return args, kwargs
    warnings.warn(
        f"{operator.title}() takes {' and '.join(moved)} by keyword, after the tensors; the old order is deprecated",
        UserWarning,
        stacklevel=4,
    )
    return tuple([value for i, value in enumerate(args) if i not in places]), {**kwargs, **moved}


def _is_operand(value: Any) -> bool:
    """Whether an argument is not a number: a tensor without dimensions may be one."""
    return isinstance(value, Tensor) and value.ndim > 0
