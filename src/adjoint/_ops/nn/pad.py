"""Padding: with a constant, by reflection, by replication, circular."""

from __future__ import annotations

from typing import Any

import numpy

from adjoint._dispatch.declare import composite, general, linear
from adjoint._dispatch.formulas import key_along, zeros
from adjoint._ops.shape.views import sizes_of

np: Any = numpy


def _widths(ndim: int, pad: Any) -> list[tuple[int, int]]:
    """Padding in PyTorch's order (the last dimension first) as pairs for each dimension."""
    flat = sizes_of(pad)
    if len(flat) % 2 or len(flat) > 2 * ndim:
        raise RuntimeError(f"pad: {list(flat)} is not a pair of widths for each of the last of {ndim} dimensions")
    pairs = [(flat[i], flat[i + 1]) for i in range(0, len(flat), 2)]
    return [(0, 0)] * (ndim - len(pairs)) + pairs[::-1]


def _pad(xp: Any, x: Any, pad: Any, sign: int, value: Any = 0) -> Any:
    return xp.pad(x, [(sign * before, sign * after) for before, after in _widths(len(x.shape), pad)], value)


@general(
    vjp={"input": lambda xp, g, pad: _pad(xp, g, pad, -1)},
    jvp={"input": lambda xp, t, pad: _pad(xp, t, pad, 1)},
    method=False,
)
def constant_pad_nd(xp, input, pad, value=0):
    """Pad with a constant; negative widths crop.

    Args:
        pad: the widths before and after, starting with the last dimension.
        value: the constant.
    """
    widths = _widths(len(input.shape), pad)
    for length, (before, after) in zip(input.shape, widths):
        if length + before + after < 0:
            raise RuntimeError(f"pad: a dimension of length {length} cannot be cut by {before} and {after}")
    return xp.copy(input) if not any(any(pair) for pair in widths) else _pad(xp, input, pad, 1, value)


@composite
def pad(input: Any, pad: Any, mode: str = "constant", value: float | None = None) -> Any:
    """Pad a tensor: with a constant, by reflection, by replication, or circularly.

    Args:
        pad: the widths before and after, starting with the last dimension; negative ones crop (mode "constant").
        mode: "constant", "reflect", "replicate" (repeats the edge) or "circular".
        value: the constant (default 0).

    Example:
        >>> ad.pad(ad.tensor([1, 2, 3]), (2, 1), mode="reflect")
        tensor([3, 2, 1, 2, 3, 2])
    """
    if mode == "constant":
        return constant_pad_nd(input, pad, 0 if value is None else value)
    if mode not in _SOURCES:
        raise NotImplementedError(f"pad: there is no mode {mode!r}; the modes are constant, {', '.join(_SOURCES)}")
    if value is not None and value != 0:
        raise RuntimeError(f"pad: mode {mode!r} takes no value")
    widths = _widths(len(input.shape), pad)
    sources = [_sources(n, *pair, mode) if any(pair) else None for n, pair in zip(input.shape, widths)]
    return _pad_from(input, sources, mode)


def _pad_back(xp, g, input_spec, sources):
    """The transpose of padding: add the gradient of the border to the elements it was copied from."""
    for axis, source in reversed(list(enumerate(sources))):
        if source is not None:
            shape = (*g.shape[:axis], input_spec.shape[axis], *g.shape[axis + 1 :])
            g = xp.index_put(zeros(xp, g, shape), key_along(axis, source), g, True)
    return g


def _pad_name(values: list[Any]) -> str:
    _, sources, mode = values
    count = sum(source is not None for source in sources)
    name = {"reflect": "Reflection", "replicate": "Replication", "circular": "Circular"}[mode]
    return f"{name}Pad{count}DBackward0"


@linear(_pad_back, name="_pad_from", method=False, node_names=_pad_name)
def _pad_from(xp, input, sources, mode):
    """Gather the elements at given indices along each dimension."""
    for axis, source in enumerate(sources):
        if source is not None:
            input = xp.getitem(input, key_along(axis, source))
    return xp.copy(input) if all(source is None for source in sources) else input


def _sources(length: int, before: int, after: int, mode: str) -> Any:
    """Source index of each element of a padded dimension."""
    places = np.arange(-before, length + after)
    limit = {"reflect": length - 1, "circular": length, "replicate": max(before, after)}[mode]
    if before > limit or after > limit or length == 0:
        raise RuntimeError(f"pad: widths {before} and {after} are too large for mode {mode!r} and length {length}")
    first = max(-before, 0) if mode == "circular" else 0  # negative widths crop, and what is left goes round
    length = length - first - max(-after, 0) if mode == "circular" else length
    return (first + _SOURCES[mode](places - first, max(length, 1))).astype(np.int64)


_SOURCES: dict[str, Any] = {
    "reflect": lambda places, n: n - 1 - np.abs(n - 1 - np.abs(places)),
    "replicate": lambda places, n: np.clip(places, 0, n - 1),
    "circular": lambda places, n: places % n,
}
