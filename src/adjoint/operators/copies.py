"""Views as copies: what a view shows, in memory of its own. ``transpose_copy`` is `transpose` and so on."""

from __future__ import annotations

import functools
from typing import Any

from adjoint.operators import windows  # noqa: F401  (the views beside those of `core_operators`)
from adjoint.operators.axes import along, axis_of
from adjoint.operators.declare import composite
from adjoint.operators.standard_names import ops

_VIEWS = """
as_strided diagonal expand narrow permute select split split_with_sizes squeeze t transpose unbind unfold unsqueeze view
view_as_complex view_as_real
"""


def _in_memory_of_its_own(shown: Any) -> Any:
    if isinstance(shown, (tuple, list)):
        return tuple([_in_memory_of_its_own(one) for one in shown])
    return ops._contiguous(shown)


def _copying(name: str) -> Any:
    view = getattr(ops, name)

    @functools.wraps(view)
    def copied(*args: Any, **kwargs: Any) -> Any:
        return _in_memory_of_its_own(view(*args, **kwargs))

    copied.__name__ = copied.__qualname__ = f"{name}_copy"
    copied.__doc__ = f"What `{name}` shows, as a copy. The arguments are those of `{name}`."
    return composite(copied, method=name == "narrow")


for _name in _VIEWS.split():
    _copying(_name)


@composite(method=False)
def alias_copy(input: Any) -> Any:
    """A copy, laid out row by row."""
    return ops._contiguous(input)


@composite(method=False)
def slice_copy(input: Any, dim: int = 0, start: Any = None, end: Any = None, step: int = 1) -> Any:
    """A copy of the part of a tensor from `start` up to `end` along a dimension.

    Args:
        input: the tensor.
        dim: the dimension.
        start, end, step: as in a slice of Python.

    Example:
        >>> ad.slice_copy(ad.arange(6), 0, 1, 6, 2)
        tensor([1, 3, 5])
    """
    return ops._contiguous(input[along(axis_of(dim, input.ndim), slice(start, end, step))])
