"""Does a function work element by element, as was said of it?

A derivative for single elements is wrong of any other function, and so is a batch under `vmap`, and nothing would show
it. So at its first call with several different numbers a function is tried: if one element of its arguments changes, no
other element of the result may. The new value is that of another element, so it is one that the function can take.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

_RTOL = 1e-5


def check_elementwise(name: str, function: Callable[..., Sequence[Any]], arrays: Sequence[Any]) -> bool:
    """Raise if a function does not work element by element; False if these arrays do not tell.

    Args:
        function: takes the arrays and returns a list of one.
    """
    shape = np.broadcast_shapes(*[array.shape for array in arrays])
    whole = [i for i, array in enumerate(arrays) if array.shape == shape]
    changes = [_changed(arrays, whole, index) for index in (0, -1)] if whole and np.prod(shape) > 1 else [None]
    if any(change is None for change in changes):
        return False
    before = function(*arrays)
    if len(before) != 1:
        return False  # which is refused elsewhere
    _check_shape(name, shape, before[0].shape)
    for index, change in zip((0, -1), changes):
        fixed = np.ones(shape, dtype=bool)
        fixed.flat[index] = False
        fixed = np.broadcast_to(fixed, before[0].shape)
        after = function(*change)[0]  # type: ignore[misc]
        if not np.allclose(after[fixed], before[0][fixed], rtol=_RTOL, atol=0, equal_nan=True):
            raise _refused(name, "when one element of its arguments changes, other elements of its result do, too")
    return True


def _changed(arrays: Sequence[Any], whole: Sequence[int], index: int) -> list[Any] | None:
    """The arrays with another element in place of the first or the last; None if all are the same."""
    differs = np.zeros(arrays[whole[0]].shape, dtype=bool)
    for i in whole:
        differs |= arrays[i] != arrays[i].flat[index]
    if not differs.any():
        return None
    other = np.flatnonzero(differs)[0]
    changed = list(arrays)
    for i in whole:
        changed[i] = arrays[i].copy()
        changed[i].flat[index] = arrays[i].flat[other]
        changed[i].flags.writeable = False
    return changed


def _check_shape(name: str, given: tuple[int, ...], found: tuple[int, ...]) -> None:
    try:
        fits = np.broadcast_shapes(given, found) == found
    except ValueError:
        fits = False
    if not fits:
        raise _refused(name, f"its result has the shape {found}, and its arguments together the shape {given}")


def _refused(name: str, why: str) -> TypeError:
    return TypeError(
        f"{name} does not work element by element: {why}. So there is no derivative for each element; give "
        "wrap_numpy() a vjp=, jvp= or jacobian= instead of derivative=."
    )
