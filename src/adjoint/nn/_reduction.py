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
