"""Shared memory of views and aliases: members, routes, in-place writes.

Note [Memory and history]
A view is linked to others in two ways. By memory: all tensors that share values, also by `detach()`, belong to one
`Memory` and share one version counter. By history (`_core/views/history.py`): a differentiable view knows its base and
the chain of view operators from there, and its gradient goes through them.

Where arrays are mutable (NumPy), the members' arrays share memory themselves and a write is done in place. Where they
are not (JAX, read-only arrays), a write makes a new array for the whole memory, and every live member gets its view of
it by replaying its route: the view operators from the whole array to the member.

Note [Writes inside transforms]
The array of a tensor inside a transform is a tensor of the level below, or a batch. Values computed inside are replaced
like immutable arrays. But the argument of a transform holds a tensor from outside, with whose version counter it counts
(`raise_level`), or a batch of its values: a write to it is a write to that one, at once and in the current grad mode.
A tensor that is wrapped for a level whose transform does not have it as an argument (`AutogradMeta.captured`) cannot be
written to: the derivatives of that level would be lost.
"""

from __future__ import annotations

import contextlib
import math
import weakref
from collections.abc import Callable, Generator
from typing import Any

import numpy

from adjoint._core import modes
from adjoint._core.anomaly import is_anomaly_enabled, remember_write
from adjoint._core.graph import creation_lock, unpack_edge
from adjoint._core.metadata import metadata_of
from adjoint._core.tensor import LAZY, AutogradMeta, Tensor, bump_version, wrap
from adjoint._core.views.chain import Chain, Step, extend
from adjoint._core.views.versions import DataCounter, new_counter, version_of
from adjoint.arrays import namespace_of
from adjoint.arrays.batched import BatchedArray

np: Any = numpy


class Memory:
    """Memory that several tensors share.

    Attributes:
        array: the whole array: that of the first tensor.
        first: the first tensor.
        members: other tensors, but not the views in `AutogradMeta.fresh` of their base; maybe several times. Dead
            references are removed when there are more than `limit`. None if there are no others. (No set: a new tensor
            often has the address, and so the hash, of many dead ones.)
        bases: those tensors that have views with an up-to-date history (`AutogradMeta.fresh`): None, one or a list.
        tangents: tangents of the whole array.
    """

    __slots__ = ("__weakref__", "array", "bases", "first", "layout_array", "limit", "members", "tangents")

    array: Any
    first: weakref.ref[Tensor]
    members: list[weakref.ref[Tensor]] | None
    limit: int
    bases: weakref.ref[Tensor] | list[weakref.ref[Tensor]] | None
    layout_array: Any
    tangents: Any

    def add(self, *tensors: Tensor) -> None:
        """Register tensors that share the memory."""
        with creation_lock:
            members = self.members
            if members is None:
                members = self.members = []
            members += map(weakref.ref, tensors)
            if len(members) > self.limit:
                members = self.members = [*{id(one): one for one in members if one() is not None}.values()]
                self.limit = 2 * len(members) + 32

    def add_base(self, base: weakref.ref[Tensor]) -> None:
        """Register a member that has views with a history."""
        others = self.bases
        if others is None:
            self.bases = base
        elif isinstance(others, list):
            others.append(base)
        else:
            self.bases = [others, base]

    def alive(self) -> list[Tensor]:
        """Return the live members that have not been given other memory, the first one first."""
        references: list[Any] = [self.first, *(self.members or ())]
        for reference in self.bases if isinstance(self.bases, list) else (self.bases,):
            base = None if reference is None else reference()
            references += () if base is None else tuple(base._ensure_meta().fresh or ())
        found = {id(tensor): tensor for reference in references if (tensor := reference()) is not None}
        return [tensor for tensor in found.values() if memory_of(tensor) is self]


def share_memory(parent: Tensor, sharer: Tensor, step: Step) -> None:
    """Register a new tensor that shares the memory of `parent` through one view operator."""
    meta, memory = shared_memory(parent)
    sharer._versions = parent._versions
    own = sharer._ensure_meta()
    own.memory = memory
    own.route = extend(meta.route, step)
    memory.add(sharer)


def shared_memory(parent: Tensor) -> tuple[AutogradMeta, Memory]:
    """Return the meta and the `Memory` of a tensor that is about to get views; made once, by one thread."""
    with creation_lock:
        meta = parent._meta
        if meta is None:
            meta = parent._meta = AutogradMeta()
        if parent._versions is None:
            parent._versions = new_counter()
        memory = meta.memory
        if memory is None:
            memory = object.__new__(Memory)
            memory.array = parent._array
            memory.first = weakref.ref(parent)
            memory.members = None
            memory.limit = 32
            memory.bases = None
            memory.layout_array = None
            memory.tangents = meta.tangents  # Note [Tangents of shared memory]
            if meta.forget is None and meta.view is None:  # most likely views are being made
                meta.fresh = set()
                meta.forget = meta.fresh.discard
                memory.bases = memory.first
            meta.memory = memory  # at last, because others may look without a lock
    return meta, memory


def leave_memory(tensor: Tensor) -> None:
    """Let a tensor share its memory with no others, and be no view; those that showed the same go on showing it."""
    meta = tensor._meta
    if meta is not None:
        retire_views(tensor)
        meta.forget = meta.fresh = None
        meta.memory, meta.route, meta.view = None, (), None


def make_external(tensor: Tensor) -> Tensor:
    """Mark a tensor's memory as external, for all tensors that share it: Note [External memory]."""
    _mark_external(tensor, memory_of(tensor))
    counter: Any = tensor._versions
    while type(counter) is DataCounter:
        _mark_external(counter.tensor(), counter.memory)
        counter = counter.owner
    return tensor


def _mark_external(tensor: Tensor | None, memory: Memory | None) -> None:
    if memory is None and tensor is not None:
        memory = memory_of(tensor)
    for member in (tensor,) if memory is None else memory.alive():
        if member is not None:
            member._spec = member._spec.as_external()


def wrap_given(array: Any) -> Tensor:
    """Wrap an array of the caller, whose memory is external."""
    tensor = wrap(array)
    if isinstance(array, numpy.ndarray):
        tensor._spec = tensor._spec.as_external()
    return tensor


def add_member(tensor: Tensor) -> None:
    """Add another object with the same meta, of another class, to the members of its memory."""
    meta = tensor._meta
    if meta is None or meta.memory is None:
        return
    meta.memory.add(tensor)
    if meta.view is not None:
        fresh, forget = fresh_views(meta.view.base)
        fresh.add(weakref.ref(tensor, forget))


def memory_of(tensor: Tensor) -> Memory | None:
    """Return the `Memory` of a tensor that shares its values, else None."""
    return None if tensor._meta is None else tensor._meta.memory


def route_of(tensor: Tensor) -> Chain:
    """Return the view operators from the whole array of a tensor's memory to the tensor."""
    return () if tensor._meta is None else tensor._meta.route


# ---- chains of steps -------------------------------------------------------------------------------------------------


def replay_raw(chain: Chain, array: Any) -> Any:
    """Apply a chain of view operators to an array."""
    for operator, params in chain:
        array = operator.raw(array, params)
    return array


def replay(chain: Chain, tensor: Tensor) -> Tensor:
    """Apply a chain of view operators to a tensor, recorded."""
    for operator, params in chain:
        tensor = operator.replay(tensor, params)
    return tensor


def scatter_raw(chain: Chain, array: Any, value: Any) -> Any:
    """Return the array with its view along the chain replaced by `value`."""
    steps = tuple(chain)
    parents = [array]
    for operator, params in steps[:-1]:
        parents.append(operator.raw(parents[-1], params))
    end = len(steps)
    while end:
        start = end - 1
        while start and steps[start][0].selects and steps[start - 1][0].selects:
            start -= 1
        if any(operator.selects and operator.overlaps for operator, _ in steps[start:end]):
            # All in one: what a later step writes must not be overwritten by a repetition in an earlier one.
            value = _put_at_positions(steps[start:end], parents[start], value)
        else:
            for parent, (operator, params) in zip(parents[start:end][::-1], steps[start:end][::-1]):
                value = operator.scatter_raw(parent, value, params)
        end = start
    return value


def _put_at_positions(chain: Chain, array: Any, value: Any, accumulate: bool = False) -> Any:
    shape = tuple(array.shape)
    xp = namespace_of(array)
    shown = replay_raw(chain, np.arange(math.prod(shape)).reshape(shape))
    flat = xp.index_put(xp.reshape(array, (-1,)), (shown.reshape(-1),), xp.reshape(value, (-1,)), accumulate)
    return xp.reshape(flat, shape)


def scatter_add_raw(chain: Chain, zeros: Any, value: Any) -> Any:
    """Apply the transpose of a chain whose steps select elements: add `value` to zeros at the chain's positions."""
    if any(operator.overlaps for operator, _ in chain):
        return _put_at_positions(chain, zeros, value, accumulate=True)
    return scatter_raw(chain, zeros, value)


# ---- writing ---------------------------------------------------------------------------------------------------------


def write_values(tensor: Tensor, value: Any) -> None:
    """Write `value` (of the tensor's shape and dtype) into the tensor's memory, for all tensors that share it."""
    namespace = tensor._spec.namespace
    if modes.SPECIAL and modes.state().mutation_guard is not None:
        modes.state().mutation_guard.before_write(tensor)
    if namespace.mutable and namespace_of(value) is namespace:
        if namespace.writeable(tensor._array):
            namespace.assign_all(tensor._array, value)
            return note_write(tensor)
        memory = memory_of(tensor)
        if memory is not None and namespace.writeable(memory.array):
            # NumPy makes some views read-only (broadcasts, diagonals) although the whole array is writeable
            namespace.assign_all(memory.array, scatter_raw(route_of(tensor), memory.array, value))
            return note_write(tensor)
    library = namespace_of(value)  # an operand's own array may be written to later
    before = version_of(tensor._versions)
    replace_values(tensor, library.copy(value) if library.mutable else value)
    return note_write(tensor, counted=version_of(tensor._versions) != before)


def replace_values(tensor: Tensor, value: Any) -> None:
    """Write to immutable arrays: make a new array for the whole memory and give every member its view of it.

    A value of another array library (a tracer, written into a constant) converts the whole memory to its library. See
    also Note [Writes inside transforms].
    """
    memory = memory_of(tensor)
    whole = tensor._array if memory is None else memory.array
    library = namespace_of(value)
    inside = writes_inside(tensor)
    detached = inside and _is_detached(tensor)
    if detached and isinstance(tensor._array, Tensor):
        return _write_to_alias(tensor._array, whole, value)
    if namespace_of(whole) is not library:
        whole = library.lift(whole)
    new = value if memory is None else scatter_raw(route_of(tensor), whole, value)
    if inside:
        new = _write_inside(whole, new, detached)
    if memory is None:
        return _set_array(tensor, new)
    memory.array = new
    for member in memory.alive():
        # if the new array is mutable, all members have to be views of it
        own = member is tensor and not library.mutable and not inside
        _set_array(member, value if own else replay_raw(route_of(member), memory.array))
    return None


def writes_inside(tensor: Tensor) -> bool:
    """Test whether a write to a tensor is one to the tensor or batch inside it. See Note [Writes inside transforms]."""
    if tensor._spec.level == 0:
        return False
    memory = memory_of(tensor)
    inside = tensor._array if memory is None else memory.array
    if type(inside) is BatchedArray:
        return getattr(inside, "write", None) is not None
    return tensor._versions is not None and (tensor._versions is inside._versions or _is_detached(tensor))


def _is_detached(tensor: Tensor) -> bool:
    return any(getattr(step[0], "only_history", False) for step in route_of(tensor))


def _write_inside(array: Any, value: Any, detached: bool) -> Any:
    """Write to the tensor or the batch inside a tensor; returns the array that the tensor holds from then on."""
    if type(array) is BatchedArray:
        full = value if value.batched else namespace_of(array).zeros_like(array) + value
        return array.write(full, detached)
    array.copy_(value)
    return array


def _write_to_alias(alias: Any, whole: Tensor, value: Tensor) -> None:
    """Write through `detach()` inside a transform: the alias inside gets the history, the original only the values."""
    if memory_of(alias) is None or memory_of(alias) is not memory_of(whole):
        raise RuntimeError(
            f"a part of {tuple(alias.shape)} elements of a detached tensor cannot be changed in place inside of a "
            "transform (grad, vmap, jvp), because it has memory of its own there; use clone() first"
        )
    alias.copy_(value)


def _set_array(tensor: Tensor, array: Any) -> None:
    spec = tensor._spec
    tensor._array = array
    if type(array) is not spec.array_type:
        tensor._spec = metadata_of(array, spec.subclass, spec.inference)


def note_write(tensor: Tensor, counted: bool = False) -> None:
    """Count a write (unless it has been counted) and mark views stale; in anomaly mode, store the traceback."""
    if tensor._spec.inference:
        return
    if not counted:
        bump_version(tensor)
    memory = None if tensor._meta is None else tensor._meta.memory
    bases = None if memory is None else memory.bases
    if memory is not None and bases is not None:
        several = isinstance(bases, list)
        if several:
            memory.bases = None  # of several, those that get no new views are not looked at again
        for reference in bases if isinstance(bases, list) else (bases,):
            base = reference()
            if base is None:
                continue
            meta = base._ensure_meta()
            if base._edge is not None:
                mark_stale(base)
                if several:
                    retire_views(base)
                    meta.forget = meta.fresh = None
                continue
            if several:
                memory.add_base(reference)
            if meta.severed:
                _sever_views(base)
    if modes.SPECIAL and is_anomaly_enabled():
        assert tensor._versions is not None
        remember_write(tensor._versions[-1])


@contextlib.contextmanager
def note_recorded_writes() -> Generator[list[weakref.ref[Tensor]]]:
    """Collect the tensors that get a history by an in-place write and had none before; those of an inner block, too."""
    state = modes.thread
    before = state.recorded_writes
    found: list[weakref.ref[Tensor]] = []
    state.recorded_writes = found
    try:
        yield found
    finally:
        state.recorded_writes = before
        if before is not None:
            before.extend(found)


def note_recorded_write(tensor: Tensor) -> None:
    """Note that a tensor without history gets one by a write."""
    found = modes.thread.recorded_writes
    if found is not None:
        found.append(weakref.ref(tensor))


def fresh_views(base: Tensor) -> tuple[set[Any], Callable[[Any], None]]:
    """Return the set of a base's views whose history is up to date, and what removes a view from it that dies.

    It holds weak references with that callback, most of them `View`s. A view is strongly referenced by none, but its
    `View`, which holds the base, is: so it has to go as soon as the view does, and not at the next clean-up.
    """
    meta = base._meta
    if meta is None:
        meta = base._ensure_meta()
    forget = meta.forget
    if forget is None:
        with creation_lock:  # several threads may make the first view
            forget = meta.forget
            if forget is None:
                fresh = meta.fresh = set()
                forget = meta.forget = fresh.discard
                if meta.memory is not None:
                    meta.memory.add_base(weakref.ref(base))
    return forget.__self__, forget


def retire_views(base: Tensor) -> None:
    """Take a base's views out of the set of those whose history is up to date."""
    meta = base._meta
    if meta is not None and meta.fresh:
        references = tuple(meta.fresh)
        meta.fresh.difference_update(references)
        if meta.memory is not None:
            meta.memory.add(*[view for reference in references if (view := reference()) is not None])


_FEW = 8
"""Number of views up to which they stay in that set when they become stale: most do not live until the next write."""


def mark_stale(base: Tensor) -> None:
    """Mark the views of a base stale after a write: their edges have to be regenerated."""
    fresh = None if base._meta is None else base._meta.fresh
    if not fresh:
        return
    leaf, retire = base.is_leaf, len(fresh) > _FEW
    for reference in tuple(fresh):
        view = reference()
        retire = retire or type(reference) is weakref.ref
        if view is None or view._edge is LAZY or (view._edge is None and leaf):
            continue  # stale; or a leaf itself, which stays one; a view without history of a leaf gets none
        edge, meta = view._edge, view._ensure_meta()
        if meta.retains_grad and edge is not None:
            assert meta.view is not None
            if not meta.view.creation:  # a view that cannot be regenerated keeps its retained gradient
                node, number = unpack_edge(edge)
                node.ensure_extras().retained.pop(number, None)
        if edge is None:
            note_recorded_write(view)
        meta.stale = True
        view._edge = LAZY
    if retire:
        retire_views(base)


def _sever_views(base: Tensor) -> None:
    """Drop the history of the views of a base that was detached in place and then written to."""
    meta = base._ensure_meta()
    meta.severed = False
    for reference in tuple(meta.fresh or ()):
        view = reference()
        if view is not None and view._edge is not None and not (view._edge is LAZY and view.is_leaf):
            view._edge = None
            view._ensure_meta().stale = False


def increment_version(tensor: Any) -> None:
    """Count a write that was made outside the package, so that graphs which saved the tensor detect it.

    Args:
        tensor: a tensor or several.

    Example:
        >>> x = ad.ones(2)
        >>> ad.autograd.graph.increment_version(x)
        >>> x._version
        1
    """
    for one in (tensor,) if isinstance(tensor, Tensor) else tuple(tensor):
        note_write(one)
