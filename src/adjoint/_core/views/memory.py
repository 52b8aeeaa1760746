"""Shared memory of views and aliases: members, in-place writes, strides and overlap.

Note [Memory and history]
A view is linked to others in two ways. By memory: all tensors that share values, also by `detach()`, belong to one
`Memory` and share one version counter. By history (`_core/views/history.py`): a differentiable view knows its base and
the chain of view operators from there, and its gradient goes through them.

Where arrays are mutable (NumPy), the members' arrays share memory themselves and a write is done in place. Where they
are not (JAX, read-only arrays), a write makes a new array for the whole memory, and every live member gets its view of
it by replaying its route: the view operators from the whole array to the member.
"""

from __future__ import annotations

import math
import weakref
from typing import Any

import numpy

from adjoint._core import modes
from adjoint._core.anomaly import is_anomaly_enabled, remember_write
from adjoint._core.graph import creation_lock, unpack_edge
from adjoint._core.metadata import metadata_of
from adjoint._core.tensor import LAZY, AutogradMeta, Tensor, bump_version, wrap
from adjoint._core.views.chain import Chain, Step, extend
from adjoint._core.views.versions import DataCounter, new_counter
from adjoint.arrays import namespace_of, numpy_namespace
from adjoint.arrays.namespace import row_major

np: Any = numpy


def remove_dead(references: list[weakref.ref[Tensor]]) -> int:
    """Remove dead weak references from a list. Returns the length at which to do so again."""
    with creation_lock:
        count = len(references)
        references[:count] = [one for one in references[:count] if one() is not None]  # more may be appended
        return 2 * len(references) + 32


class Memory:
    """Memory that several tensors share.

    Attributes:
        array: the whole array: that of the first tensor.
        members: the tensors; when there are more than `limit`, dead references are removed.
        bases: those of them that have views with an up-to-date history (`AutogradMeta.fresh`): None, one or a list.
        tangents: tangents of the whole array.
    """

    __slots__ = ("__weakref__", "array", "bases", "layout_array", "limit", "members", "tangents")

    array: Any
    members: list[weakref.ref[Tensor]]
    limit: int
    bases: weakref.ref[Tensor] | list[weakref.ref[Tensor]] | None
    layout_array: Any
    tangents: Any

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
        """Return the live members that have not been given other memory."""
        found = [tensor for reference in tuple(self.members) if (tensor := reference()) is not None]
        return [tensor for tensor in found if memory_of(tensor) is self]


def share_memory(parent: Tensor, sharer: Tensor, step: Step) -> None:
    """Register a new tensor that shares the memory of `parent` through one view operator."""
    meta, memory = shared_memory(parent)
    sharer._versions = parent._versions
    own = sharer._ensure_meta()
    own.memory = memory
    own.route = extend(meta.route, step)
    memory.members.append(weakref.ref(sharer))
    if len(memory.members) > memory.limit:
        memory.limit = remove_dead(memory.members)


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
            reference = weakref.ref(parent)
            memory = meta.memory = object.__new__(Memory)
            memory.array = parent._array
            memory.members = [reference]
            memory.limit = 32
            memory.bases = None
            memory.layout_array = None
            memory.tangents = meta.tangents  # Note [Tangents of shared memory]
            if meta.fresh is None and meta.view is None:  # most likely views are being made
                meta.fresh = []
                memory.bases = reference
    return meta, memory


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
    reference = weakref.ref(tensor)
    meta.memory.members.append(reference)
    if meta.view is not None:
        fresh_views(meta.view.base).append(reference)


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
    replace_values(tensor, library.copy(value) if library.mutable else value)
    return note_write(tensor)


def replace_values(tensor: Tensor, value: Any) -> None:
    """Write to immutable arrays: make a new array for the whole memory and give every member its view of it.

    A value of another array library (a tracer, written into a constant) converts the whole memory to its library.
    """
    memory = memory_of(tensor)
    if memory is None:
        return _set_array(tensor, value)
    whole, library = memory.array, namespace_of(value)
    if namespace_of(whole) is not library:
        whole = library.lift(whole)
    memory.array = scatter_raw(route_of(tensor), whole, value)
    for member in memory.alive():
        # if the new array is mutable, all members have to be views of it
        own = member is tensor and not library.mutable
        _set_array(member, value if own else replay_raw(route_of(member), memory.array))
    return None


def _set_array(tensor: Tensor, array: Any) -> None:
    spec = tensor._spec
    tensor._array = array
    if type(array) is not spec.array_type:
        tensor._spec = metadata_of(array, spec.subclass, spec.inference)


def note_write(tensor: Tensor) -> None:
    """Count a write and mark views stale; in anomaly mode, store the traceback."""
    if tensor._spec.inference:
        return
    bump_version(tensor)
    memory = memory_of(tensor)
    if memory is not None and memory.bases is not None:
        bases, memory.bases = memory.bases, None
        for reference in bases if isinstance(bases, list) else (bases,):
            base = reference()
            if base is not None and base._edge is not None:
                mark_stale(base)
            elif base is not None:
                memory.add_base(reference)
                if base._ensure_meta().severed:
                    _sever_views(base)
    if modes.SPECIAL and is_anomaly_enabled():
        assert tensor._versions is not None
        remember_write(tensor._versions[-1])


def fresh_views(base: Tensor) -> list[weakref.ref[Tensor]]:
    """Return the list of a base's views whose history is up to date."""
    meta = base._ensure_meta()
    fresh = meta.fresh
    if fresh is None:
        with creation_lock:  # several threads may make the first view
            fresh = meta.fresh
            if fresh is None:
                fresh = meta.fresh = []
                if meta.memory is not None:
                    meta.memory.add_base(weakref.ref(base))
    elif len(fresh) > meta.fresh_limit:
        meta.fresh_limit = remove_dead(fresh)
    return fresh


def mark_stale(base: Tensor) -> None:
    """Mark the views of a base stale after a write: their edges have to be regenerated."""
    fresh = None if base._meta is None else base._meta.fresh
    if fresh is None:
        return
    base._ensure_meta().fresh = None
    leaf = base.is_leaf
    for reference in fresh:
        view = reference()
        if view is None or (view._edge is None and leaf) or (view._edge is LAZY and view.is_leaf):
            continue  # a view that is a leaf itself stays one; a view without history of a leaf gets none
        meta = view._ensure_meta()
        if meta.retains_grad and view._edge is not None and view._edge is not LAZY:
            assert meta.view is not None
            if not meta.view.creation:  # a view that cannot be regenerated keeps its retained gradient
                node, number = unpack_edge(view._edge)
                node.ensure_extras().retained.pop(number, None)
        meta.stale = True
        view._edge = LAZY


def _sever_views(base: Tensor) -> None:
    """Drop the history of the views of a base that was detached in place and then written to."""
    meta = base._ensure_meta()
    meta.severed = False
    for reference in meta.fresh or ():
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


# ---- memory layout: strides, contiguity, overlap ---------------------------------------------------------------------


def layout_array(tensor: Tensor) -> Any:
    """Return a NumPy array with the tensor's memory layout; only its strides and address are meaningful.

    Arrays without accessible memory (JAX) are taken as row-major, and their views as NumPy's would be.
    """
    array = tensor._array
    if type(array) is numpy.ndarray:
        return array
    memory = memory_of(tensor)
    if memory is None:
        return _empty_like(array)
    if memory.layout_array is None:
        memory.layout_array = _empty_like(memory.array)
    return replay_raw(route_of(tensor), memory.layout_array)


def _empty_like(array: Any) -> Any:
    return np.empty(tuple(array.shape), namespace_of(array).dtype_of(array).numpy)


def is_contiguous(tensor: Tensor) -> bool:
    """Test whether a tensor is contiguous in row-major order."""
    spec = tensor._spec
    if spec.namespace.has_views:
        return spec.namespace.is_contiguous(tensor._array)
    step = 1
    for length, own in zip(reversed(spec.shape), reversed(strides_of(tensor))):
        if length != 1 and own != step:
            return 0 in spec.shape
        step *= length
    return True


def strides_of(tensor: Tensor) -> tuple[int, ...]:
    """Return the strides of a tensor, in elements."""
    namespace = tensor._spec.namespace
    if namespace.has_views:
        return namespace.strides(tensor._array)
    if memory_of(tensor) is None:
        return row_major(tensor._spec.shape)
    return numpy_namespace.strides(layout_array(tensor))


def offset_of(tensor: Tensor) -> int:
    """Return the storage offset of a tensor, in elements."""
    memory = memory_of(tensor)
    if memory is None:
        return 0
    namespace = tensor._spec.namespace
    if namespace.has_views:
        start, whole = namespace.data_ptr(tensor._array), namespace.data_ptr(memory.array)
    else:
        start, whole = numpy_namespace.data_ptr(layout_array(tensor)), numpy_namespace.data_ptr(memory.layout_array)
    return (start - whole) // tensor._spec.dtype.itemsize


def overlaps_itself(tensor: Tensor) -> bool:
    """Test whether elements of a tensor overlap in memory; may be True for unusual strides that do not."""
    array = tensor._array
    if type(array) is numpy.ndarray:
        if array.flags.c_contiguous:
            return False
    elif memory_of(tensor) is None:
        return False
    steps = [(abs(step), length) for step, length in zip(strides_of(tensor), tensor._spec.shape) if length > 1]
    reach = 0
    for step, length in sorted(steps):
        if step <= reach:
            return True
        reach += step * (length - 1)
    return False


def overlaps_partially(a: Tensor, b: Tensor) -> bool:
    """Test whether two tensors overlap in memory partially: not if they are the same view."""
    if a._versions is None or a._versions is not b._versions:
        return False
    namespace = a._spec.namespace
    x, y = a._array, b._array
    if not namespace.has_views:
        namespace, x, y = numpy_namespace, layout_array(a), layout_array(b)
    if not namespace.shares_memory(x, y):
        return False
    same = namespace.data_ptr(x) == namespace.data_ptr(y) and tuple(x.shape) == tuple(y.shape)
    return not (same and namespace.strides(x) == namespace.strides(y))


def strides_for(shape: tuple[int, ...], strides: tuple[int, ...], wanted: tuple[int, ...]) -> tuple[int, ...] | None:
    """Compute the strides of a view with another shape (as `Tensor.view`); None if a copy is needed."""
    if 0 in shape:
        return row_major(wanted)
    blocks: list[tuple[int, int]] = []  # merged contiguous dimensions: (number of elements, innermost stride)
    for length, step in zip(shape, strides):
        if length == 1:
            continue
        if blocks and blocks[-1][1] == step * length:
            blocks[-1] = (blocks[-1][0] * length, step)
        else:
            blocks.append((length, step))
    result: list[int] = []
    left, step = blocks.pop() if blocks else (1, 1)
    for length in reversed(wanted):
        if left == 1 and length != 1 and blocks:
            left, step = blocks.pop()
        if left % length:
            return None
        result.append(step)
        left //= length
        step *= length
    return tuple(reversed(result)) if left == 1 and not blocks else None
