"""Storage of tangents, and how tensors that share memory share tangents.

Note [Tangents of shared memory]
A tensor with memory of its own stores its tangents itself. For tensors that share memory, the `Memory` stores one
tangent of the whole array; the tangent of each tensor is the view of it along the tensor's route (the view operators
from the whole array to the tensor). So an in-place write through one of them changes the tangents of all, and the
tangent of a view is a view of the tangent of its base.

`make_dual` and `unpack_dual` return tensors that share values with the original but not the tangent of that level. They
put a `Cut` for the level into the route: the tensor and its views are then a family with a whole tangent of its own in
that level. `.data` is cut in all levels, `detach()` in those opened with ``through_detach=False``.
"""

from __future__ import annotations

import weakref
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from adjoint._core import modes
from adjoint._core.forward.dual_levels import StoppedAtDetach, is_active, levels_from, open_levels
from adjoint._core.locks import make_counter
from adjoint._core.modes import SPECIAL
from adjoint._core.tensor import AutogradMeta, Tensor, without_history, wrap
from adjoint._core.views import history
from adjoint._core.views.chain import LinkedChain, drop_last, extend, find_cut
from adjoint.arrays import namespace_of


class Cut(tuple[Any, ...]):
    """A step of a route beyond which tangents of some levels are not shared.

    Attributes:
        stamps: the stamps of those levels.
        family: the tensors beyond; it lives as long as one of them.
    """

    stamps: Any
    family: Family | None = None


class Family:
    """Tensors behind a `Cut`: the memory stores their tangents under the number of the family."""

    __slots__ = ("_memory", "number")

    def __init__(self, memory: Any) -> None:
        self.number = _next_number()
        self._memory = weakref.ref(memory)

    def __del__(self) -> None:
        memory = self._memory()
        kept: dict[Any, Any] = (None if memory is None else memory.tangents) or {}
        for key in [key for key in tuple(kept) if key[0] == self.number]:
            kept.pop(key, None)


_next_number = make_counter()


class Everything:
    """A container of every stamp."""

    def __contains__(self, stamp: int) -> bool:
        return True


EVERYWHERE = Everything()
_AT_DETACH = StoppedAtDetach()


def cut(step: Any, stamps: Any = _AT_DETACH) -> Cut:
    """Make a step of a route that stops the tangents of levels with these stamps (default: those of `detach`)."""
    result = Cut(step)
    result.stamps = stamps
    return result


def stop_sharing(tensor: Tensor, stamp: int) -> None:
    """Let a view, and the views made of it, have a tangent of their own in the level with this stamp."""
    meta = tensor._ensure_meta()
    step: Any = meta.route[-1]
    is_cut = type(step) is Cut
    if is_cut and stamp in step.stamps:
        return
    before = [other for other in open_levels if is_cut and other in step.stamps]
    made = cut(step, frozenset((*before, stamp)))
    made.family = step.family if is_cut else None
    meta.route = extend(drop_last(meta.route), made)


def separate(tensor: Tensor, stamp: int) -> None:
    """Give a view a tangent of its own that is not a view of its base's: the memory cannot be written to any more."""
    stop_sharing(tensor, stamp)
    level = open_levels.get(stamp)
    if level is not None:
        if level.separated is None:
            level.separated = weakref.WeakSet()
        level.separated.add(tensor._ensure_meta().memory)


def check_not_separated(tensor: Tensor, stamp: int) -> None:
    """Raise if a write to a tensor would leave a tangent that does not fit the values."""
    separated = open_levels[stamp].separated
    if separated and tensor._meta is not None and tensor._meta.memory in separated:
        raise RuntimeError(
            f"a write to a tensor of {tensor._spec.describe()} in forward mode: a custom Function has returned a view "
            "of this memory with a tangent that is not a view, which would not follow the write. Return a clone() from "
            "forward, or let jvp return the same view of the tangent."
        )


def shares_tangents(tensor: Any) -> bool:
    """Test whether a tensor is a view that shares the tangents of its base."""
    meta = tensor._meta
    return meta is not None and meta.memory is not None and bool(meta.route)


def _find_family(meta: AutogradMeta, stamp: int) -> tuple[int | None, int]:
    """Find the family of a tensor in a level, and where in its route it begins: after the last cut.

    The number is None if there is no cut: then the tangent is stored for the whole memory.
    """
    part = find_cut(meta.route)
    while part is not None:
        step: Any = part[-1]
        if stamp in step.stamps:
            if step.family is None:
                step.family = Family(meta.memory)
            return step.family.number, len(part)
        part = find_cut(drop_last(part))
    return None, 0


@contextmanager
def see_only_below(stamp: int) -> Generator[None]:
    """Hide the open levels from a stamp on: the formulas of a level are differentiated by outer levels only.

    And by levels that a formula itself opens: those are not open yet.
    """
    thread = modes.thread
    before = thread.unseen_levels
    thread.unseen_levels = before | levels_from(stamp)
    try:
        yield
    finally:
        thread.unseen_levels = before


@contextmanager
def _record_at(stamp: int) -> Generator[None]:
    """Record views of tangents in whatever grad mode they are first needed, because they are cached."""
    thread = modes.thread
    before, thread.unseen_levels = thread.unseen_levels, levels_from(stamp)  # also where the caller sees fewer levels
    try:
        if modes.state().inference:
            yield
        else:
            with modes.enable_grad():
                yield
    finally:
        thread.unseen_levels = before


def tangent_of(tensor: Any, stamp: int) -> Tensor | None:
    """Return a tensor's tangent in the level with this stamp, or None."""
    meta = tensor._meta if isinstance(tensor, Tensor) else None
    if meta is None or stamp not in open_levels or not is_active():
        return None
    memory = meta.memory
    if memory is None:
        return None if meta.tangents is None else meta.tangents.get((None, stamp))
    kept = memory.tangents
    if not kept:
        return None
    family, start = _find_family(meta, stamp)
    whole = kept.get((family, stamp))
    if whole is None or start == len(meta.route):
        return whole
    return _view_of_whole(tensor, stamp, family, start, whole)


def tangents_of(tensor: Any) -> dict[int, Tensor]:
    """Return a tensor's tangents in the open levels, by stamp."""
    found: dict[int, Tensor] = {}
    for stamp in tuple(open_levels):
        tangent = tangent_of(tensor, stamp)
        if tangent is not None:
            found[stamp] = tangent
    return found


def has_tangents(tensor: Tensor) -> bool:
    """Test whether a tensor has tangents that operators would propagate now."""
    return has_visible_tangents(tensor) and any(
        tangent_of(tensor, stamp) is not None for stamp in tuple(open_levels) if stamp not in modes.thread.unseen_levels
    )


def has_visible_tangents(tensor: Tensor) -> bool:
    """Test whether a tensor, or one that shares its memory, has tangents visible now (see `see_only_below`)."""
    meta = tensor._meta
    if meta is None:
        return False
    kept = meta.tangents if meta.memory is None else meta.memory.tangents
    return bool(kept) and any(stamp not in modes.thread.unseen_levels for _, stamp in tuple(kept))


def set_tangent(tensor: Tensor, stamp: int, tangent: Tensor) -> None:
    """Set a tensor's tangent in the level with this stamp, in its memory if that is shared."""
    level = open_levels.get(stamp)
    if level is None:
        return
    meta = tensor._ensure_meta()
    holder: Any = meta if meta.memory is None else meta.memory
    kept: dict[Any, Any] | None = holder.tangents
    if kept is None:
        kept = holder.tangents = {}
    family, start = _find_family(meta, stamp)
    chain = _differentiable_steps(meta.route[start:]) if meta.route else ()
    if chain:
        if not _are_differentiable(chain):
            return
        whole = kept.get((family, stamp))
        root = history.replay_raw(meta.route[:start], holder.array)
        with _record_at(stamp):
            if whole is None:
                whole = wrap(namespace_of(root).zeros_like(root))
            tangent = history.scatter_raw(chain, whole, tangent)
    if (family, stamp) not in kept:
        level.add(holder)
    kept[(family, stamp)] = tangent


def tangent_of_base(view: Tensor, base: Tensor, stamp: int) -> Tensor | None:
    """Compute the tangent of a base from its view's family, with zeros for elements that the family does not show.

    None if there is none, or if the view shares the base's own.
    """
    meta, above = view._ensure_meta(), base._ensure_meta().route
    family, start = _find_family(meta, stamp)
    if meta.memory is None or start <= len(above) or tangent_of(view, stamp) is None:
        return None
    whole = meta.memory.tangents[(family, stamp)]
    chain = _differentiable_steps(meta.route[len(above) : start])
    with _record_at(stamp):
        return history.scatter_raw(chain, wrap(base._spec.namespace.zeros_like(base._array)), whole) if chain else whole


def copy_tangents(source: Tensor, target: Tensor, convert: Any = None) -> None:
    """Copy the tangents of a tensor to another one, in all levels."""
    for stamp, tangent in tangents_of(source).items():
        set_tangent(target, stamp, tangent if convert is None else convert(tangent))


def keep_tangents_only(tensor: Tensor) -> Tensor:
    """Detach a tensor but keep its tangents: `detach()` would drop those of an enclosing `func.jvp`."""
    alias = without_history(tensor)
    if SPECIAL:
        copy_tangents(tensor, alias)
    return alias


def _view_of_whole(tensor: Tensor, stamp: int, family: Any, start: int, whole: Tensor) -> Tensor | None:
    """Take the view of a whole tangent along a tensor's route; cached until the whole is replaced."""
    meta: Any = tensor._meta
    holder: Any = meta.route if isinstance(meta.route, LinkedChain) else meta  # views of this one hold that chain, too
    seen = _find_shown(holder, stamp, whole)
    if seen is not None:
        return seen
    if holder is not meta and len(meta.route) > start + 1:
        seen = _find_shown(meta.route.before, stamp, whole)
    chain = _differentiable_steps(meta.route[start:] if seen is None else (meta.route.last,))
    if not _are_differentiable(chain):
        return None
    memory = meta.memory
    with _record_at(stamp):
        if seen is None:
            arranged = _match_layout(history.replay_raw(meta.route[:start], memory.array), whole)
            if arranged is not whole:
                memory.tangents[(family, stamp)] = whole = arranged
        part = history.replay(chain, whole if seen is None else seen)
    level = open_levels.get(stamp)
    if level is not None:
        level.add(holder)
        holder.shown = {**(holder.shown or {}), stamp: (whole, part)}
    return part


def _find_shown(holder: Any, stamp: int, whole: Tensor) -> Tensor | None:
    """The view of a whole tangent that was taken before, unless the whole has been replaced since."""
    shown = getattr(holder, "shown", None)
    seen = None if shown is None else shown.get(stamp)
    return seen[1] if seen is not None and seen[0] is whole else None


def _differentiable_steps(route: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the steps of a route that apply to tangents: all except those that only drop the history (detach)."""
    return tuple([step for step in route if not getattr(step[0], "only_history", False)])


def _are_differentiable(chain: Any) -> bool:
    """Test whether all steps are differentiable; reinterpreting bits as another dtype is not."""
    return all(operator.differentiable for operator, _ in chain)


def _match_layout(root: Any, whole: Any) -> Tensor:
    """Give a tangent the memory layout of its primal, so that views of the primal are views of the tangent."""
    own, other = namespace_of(root), whole._spec.namespace
    if not (own.has_views and other.has_views):
        return whole
    if own.is_contiguous(root) and other.is_contiguous(whole._array):
        return whole
    steps = own.strides(root)
    order = sorted(range(len(steps)), key=lambda axis: -abs(steps[axis]))
    turned = whole.permute(order)
    if turned.is_contiguous():
        return whole
    back = [order.index(axis) for axis in range(len(order))]
    return turned.contiguous().permute(back)
