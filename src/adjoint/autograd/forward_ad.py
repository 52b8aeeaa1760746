# pyright: reportPrivateUsage=false
# A tensor's slots are private to the package, not to its class.
"""Forward-mode differentiation: dual levels, and how tangents pass through operators.

A tensor's tangents are kept by level. The rules of level n run as ordinary operations that see only the levels below
n; so the tangent of level 2 has itself a tangent of level 1, the mixed second derivative, and levels nest to any depth.
Open levels are known to all threads, so that several can work in one; but each thread opens and leaves its own, so that
two can differentiate forward at the same time without knowing of each other.
"""

from __future__ import annotations

import itertools
import threading
from typing import Any, NamedTuple

from adjoint.autograd import modes
from adjoint.autograd.variable import Tensor, views, wrap, wrap_as

_new_stamp = itertools.count().__next__
_open: tuple[int, ...] = ()  # the stamps of all open levels, oldest first
_lock = threading.Lock()
_TOKEN = object()


class UnpackedDualTensor(NamedTuple):
    """A dual tensor's parts."""

    primal: Tensor
    tangent: Tensor | None


def enter_dual_level() -> int:
    """Open a level; tangents made in it live until it is left. Returns its number."""
    global _open
    stamp = _new_stamp()
    with _lock:
        _open = (*_open, stamp)
        modes.set_process_wide(_TOKEN, True)
    modes.state.dual_levels = (*modes.state.dual_levels, stamp)
    return len(modes.state.dual_levels) - 1


def exit_dual_level(*, level: int | None = None) -> None:
    """Leave this thread's innermost level (or the one given, which has to be the innermost)."""
    global _open
    own = modes.state.dual_levels
    if not own:
        raise RuntimeError("this thread has opened no dual level that it could leave")
    if level is not None and level != len(own) - 1:
        raise RuntimeError(f"dual level {level} cannot be left: the innermost one is {len(own) - 1}")
    modes.state.dual_levels = own[:-1]
    with _lock:
        _open = tuple(stamp for stamp in _open if stamp != own[-1])
        modes.set_process_wide(_TOKEN, bool(_open))


def _visible() -> tuple[int, ...]:
    """The levels that numbers refer to: the thread's own if it has opened any, else all."""
    return modes.state.dual_levels or _open


class dual_level:
    """A context in which tensors can carry tangents.

    Example:
        >>> with ad.autograd.forward_ad.dual_level():
        ...     x = ad.autograd.forward_ad.make_dual(ad.tensor([2.0]), ad.tensor([1.0]))
        ...     ad.autograd.forward_ad.unpack_dual(x * x).tangent
        tensor([4.])
    """

    def __enter__(self) -> int:
        self._level = enter_dual_level()
        return self._level

    def __exit__(self, *exc_info: object) -> None:
        exit_dual_level(level=self._level)


def is_active() -> bool:
    """Whether operators have to look for tangents."""
    return bool(_open) and modes.state.forward_grad_enabled


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """A tensor that carries a tangent in the given (default: innermost) level.

    Args:
        tensor: the value.
        tangent: its derivative in some direction; same shape, dtype and device.
        level: which level the tangent belongs to.
    """
    stamp = _stamp_of(level)
    if tensor._spec.dtype.category < 2:
        raise ValueError(f"only floating point and complex tensors can be dual, not {tensor._spec.dtype!r}")
    own, other = tensor._spec, tangent._spec
    if own.shape != other.shape or own.dtype is not other.dtype or own.device != other.device:
        raise RuntimeError(
            f"a tangent has to be like its primal: the primal has {own.describe()}, the tangent {other.describe()}"
        )
    operations: Any = tensor
    dual = operations.view_as(tensor)
    set_tangent(dual, stamp, tangent)
    return dual


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """The value and the tangent (or None) of a tensor in the given (default: innermost) level."""
    if not _open:
        return UnpackedDualTensor(tensor, None)
    stamp = _stamp_of(level)
    tangent = tangent_of(tensor, stamp)
    if tangent is None:
        return UnpackedDualTensor(tensor, None)
    primal = wrap_as(tensor._array, tensor._spec, tensor.gradient_edge() if tensor._edge is not None else None)
    for other, value in tangents_of(tensor).items():
        if other < stamp:
            set_tangent(primal, other, value)
    return UnpackedDualTensor(primal, tangent)


def _stamp_of(level: int | None) -> int:
    levels = _visible()
    if not levels:
        raise RuntimeError("there is no dual level: use `with dual_level():` around make_dual")
    if level is None:
        return levels[-1]
    if not 0 <= level < len(levels):
        raise RuntimeError(f"there is no dual level {level}; {len(levels)} are open, numbered from 0")
    return levels[level]


def tangents_of(tensor: Any) -> dict[int, Tensor]:
    """A tensor's tangents in the levels that are open."""
    meta = tensor._meta if isinstance(tensor, Tensor) else None
    kept = None if meta is None else meta.tangents
    if not kept:
        return {}
    levels = _open
    return {stamp: tangent for stamp, tangent in kept.items() if stamp in levels}


def tangent_of(tensor: Any, stamp: int) -> Tensor | None:
    """A tensor's tangent in the level with this stamp."""
    meta = tensor._meta if isinstance(tensor, Tensor) else None
    if meta is None or meta.tangents is None or stamp not in _open:
        return None
    return meta.tangents.get(stamp)


def set_tangent(tensor: Tensor, stamp: int, tangent: Tensor) -> None:
    """Attach a tangent to a tensor, and drop those of levels that have been left."""
    tensor.ensure_meta().tangents = {**tangents_of(tensor), stamp: tangent}


def propagate(operator: Any, values: list[Any], outputs: list[Tensor]) -> None:
    """Give an operator's outputs the tangents that follow from those of its inputs, level by level."""
    from adjoint.autograd.saved import saved_aliases

    state = modes.state
    for stamp in _open:
        if stamp >= state.forward_below:
            break
        incoming = _incoming(operator, values, stamp)
        if not incoming:
            continue
        before, state.forward_below = state.forward_below, stamp
        try:
            results = operator.tangents(values, outputs, incoming)
        finally:
            state.forward_below = before
        for output, tangent in zip(outputs, results):
            if tangent is not None and output._spec.dtype.category >= 2:
                tangent = _fit(tangent, output)
                set_tangent(output, stamp, tangent)
                for alias in saved_aliases(output):  # so that a gradient computed from it has a tangent too
                    set_tangent(alias, stamp, tangent)


def propagate_in_place(operator: Any, values: list[Any], tensor: Tensor) -> None:
    """The same after a tensor was changed in place; the tangents of all who share its memory change with it."""
    propagate(operator, values, [tensor])
    if tensor._meta is None or tensor._meta.memory is None:
        return
    state = modes.state
    for stamp, tangent in tangents_of(tensor).items():
        if stamp >= state.forward_below:
            break
        before, state.forward_below = state.forward_below, stamp
        try:
            _share(tensor, tangent, stamp)
        finally:
            state.forward_below = before


def _share(tensor: Tensor, tangent: Tensor, stamp: int) -> None:
    """Put a tangent where it belongs in that of the base, and show every view its part."""
    view, base, whole = views.view_of(tensor), tensor, tangent
    if view is not None:
        base = view.base
        start: Any = tangent_of(base, stamp)
        if start is None:
            start = wrap(base._spec.namespace.zeros_like(base._array))
        whole = views.scatter_raw(view.chain, start, tangent)  # not by a view of it, which may have to be a copy
        set_tangent(base, stamp, whole)
    memory: Any = tensor.ensure_meta().memory
    for member in memory.alive():
        other = views.view_of(member)
        if member is not tensor and other is not None and other.base is base:
            set_tangent(member, stamp, views.replay(other.chain, whole))


def _incoming(operator: Any, values: list[Any], stamp: int) -> dict[str, Any]:
    """The inputs' tangents in a level, by name; for a list argument a list with None where there is no tangent."""
    found: dict[str, Any] = {}
    for name, position in zip(operator.tensors, operator.tensor_positions):
        value = values[position]
        if isinstance(value, list):
            tangents = [tangent_of(item, stamp) for item in value]  # pyright: ignore[reportUnknownVariableType]
            if any(tangent is not None for tangent in tangents):
                found[name] = tangents
        else:
            tangent = tangent_of(value, stamp)
            if tangent is not None:
                found[name] = tangent
    return found


def _fit(tangent: Any, output: Tensor) -> Tensor:
    """A tangent in the shape and dtype of its primal."""
    spec = output._spec
    if tangent._spec.shape != spec.shape:
        tangent = tangent.expand(spec.shape)
    if tangent._spec.dtype is not spec.dtype:
        tangent = tangent.real if tangent._spec.is_complex and not spec.is_complex else tangent
        tangent = tangent.to(spec.dtype)
    return tangent
