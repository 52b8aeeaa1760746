"""The reduction of losses by the older arguments `size_average` and `reduce`."""

from __future__ import annotations

from adjoint._core.warn import warn


def legacy_get_string(size_average: bool | None, reduce: bool | None, emit_warning: bool = True) -> str:
    """The value of `reduction` that stands for `size_average` and `reduce`.

    Args:
        size_average: whether to average over the elements; True if None.
        reduce: whether to reduce at all; True if None.
        emit_warning: whether to warn that both are deprecated.

    Example:
        >>> legacy_get_string(False, None, emit_warning=False)
        'sum'
    """
    if isinstance(size_average, str) or isinstance(reduce, str):
        raise TypeError(
            f"size_average={size_average!r} and reduce={reduce!r} have to be booleans; give the reduction by keyword, "
            "as in reduction='sum'"
        )
    kept = "none" if reduce is False else "sum" if size_average is False else "mean"
    if emit_warning:
        warn(f"size_average and reduce are deprecated; use reduction={kept!r}")
    return kept


def get_enum(reduction: str) -> int:
    """The number that stands for a reduction: 0 for "none", 1 for "mean", 2 for "sum".

    Args:
        reduction: its name.

    Example:
        >>> get_enum("sum")
        2
    """
    numbers = {"none": 0, "mean": 1, "sum": 2}
    if reduction not in numbers:
        raise ValueError(f"the reduction of a loss has to be 'mean', 'sum' or 'none', not {reduction!r}")
    return numbers[reduction]


def legacy_get_enum(size_average: bool | None, reduce: bool | None, emit_warning: bool = True) -> int:
    """The number of the reduction that stands for `size_average` and `reduce`; see `legacy_get_string`.

    Args:
        size_average, reduce, emit_warning: as of `legacy_get_string`.

    Example:
        >>> legacy_get_enum(None, False, emit_warning=False)
        0
    """
    return get_enum(legacy_get_string(size_average, reduce, emit_warning))
