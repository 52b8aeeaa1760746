"""Saved tensors of nodes: checked for in-place modification on use, or packed by hooks.

A node's `saved` is a tuple with one entry for each name its formulas use. An input is kept as the tensor itself, the
node's own output as an alias without history (so there is no cycle), parameters unchanged. An entry is a `SavedTensor`
only if saved-tensor hooks are active, or if `_raw_saved_<name>` has been read.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from adjoint._core import modes
from adjoint._core.anomaly import describe_write
from adjoint._core.forward.tangents import set_tangent, tangents_of
from adjoint._core.graph import ACCUMULATES, Node, released_error, target_of
from adjoint._core.metadata import metadata_of
from adjoint._core.tensor import LAZY, Tensor, resolve_edge, without_history, wrap_as
from adjoint._core.views.versions import (
    is_modified_since,
    may_be_exported,
    may_be_modified_since,
    new_counter,
    version_at,
    version_of,
)

Pack = Callable[[Tensor], Any]
Unpack = Callable[[Any], Tensor]


class SavedTensor:
    """A tensor that a node has saved, with the hooks that pack and unpack it."""

    __slots__ = ("_hooks", "_is_output", "_node", "_number", "_owner", "_packed", "_spec", "_tangents", "_tensor")

    def __init__(self, tensor: Tensor, is_output: bool = False, number: int = 0) -> None:
        self._tensor: Tensor | None = tensor
        self._spec = tensor._spec
        self._is_output = is_output
        self._number = number
        self._hooks: tuple[Pack, Unpack] | None = None
        self._packed: Any = None
        self._owner: weakref.ref[Node] | None = None  # the node, once the user has read this object from it
        self._tangents: dict[int, Tensor] = tangents_of(tensor) if modes.SPECIAL else {}  # kept through packing
        self._node: Any = None  # the edge of a tensor that is no output, kept through packing
        if not is_output and tensor._edge is not None:
            self._node = tensor._gradient_edge()

    def register_hooks(self, pack: Pack, unpack: Unpack) -> None:
        """Replace the saved tensor by ``pack(tensor)``; `unpack` gives it back each time it is used.

        Args:
            pack: called once, now, with the tensor (if it is the node's own output, without its history, to avoid a
                reference cycle); may return anything.
            unpack: called with what `pack` returned; returns a tensor with the same contents.
        """
        if self._hooks is not None:
            raise RuntimeError("this saved tensor has hooks already; it can have one pair only")
        owner = None if self._owner is None else self._owner()
        if owner is not None and owner.saved is None:
            raise RuntimeError("this saved tensor has been released; hooks have to be registered before backward")
        for role, hook in (("pack", pack), ("unpack", unpack)):
            if not callable(hook):
                raise TypeError(f"the {role} hook of a saved tensor has to be callable, got {type(hook).__name__}")
        assert self._tensor is not None  # until there are hooks
        tensor = without_history(self._tensor) if self._is_output else self._tensor
        before = version_of(tensor._versions)
        with modes.no_grad():
            packed = pack(tensor)
        if version_of(tensor._versions) != before:
            raise RuntimeError(
                "a pack hook of saved_tensors_hooks has changed its tensor in place, which changes the computation "
                "that goes on with it; work on a clone() instead"
            )
        self._hooks, self._packed, self._tensor = (pack, unpack), packed, None

    def unpack(self, node: Node) -> Tensor:
        """Return the saved tensor, with the history it had when it was saved."""
        if self._tensor is not None:
            _check(node, self._tensor)
            return self.restore_history(self._tensor, node) if self._is_output else self._tensor
        assert self._hooks is not None
        if isinstance(self._packed, Tensor):
            _check(node, self._packed)  # it may be the saved tensor itself
        tensor: Any = self._hooks[1](self._packed)
        if not isinstance(tensor, Tensor):
            raise TypeError(
                f"an unpack hook has to return a Tensor; for {node.name()} it returned {type(tensor).__name__}"
            )
        if tensor.shape != self._spec.shape or tensor.dtype.category != self._spec.dtype.category:
            raise RuntimeError(
                f"an unpack hook has to give back a tensor like the one that was packed; for {node.name()} it returned "
                f"one of {tensor._spec.describe()}; expected {self._spec.describe()}"
            )
        if tensor.dtype is not self._spec.dtype:  # packed with less precision, perhaps
            with modes.no_grad():
                tensor = tensor.to(self._spec.dtype)
        return self.restore_history(tensor, node)

    def restore_history(self, tensor: Tensor, node: Node) -> Tensor:
        """The tensor with the history that it had when it was saved, as what the node itself computes with."""
        edge = (node, self._number) if self._is_output else self._node
        spec = tensor._spec.as_external() if may_be_exported(tensor._versions) else tensor._spec
        result = wrap_as(tensor._array, spec, edge)
        if edge is not None and target_of(edge).kind & ACCUMULATES:
            _link_to_leaf(result, target_of(edge))
        result._versions = tensor._versions
        for stamp, tangent in self._tangents.items():
            set_tangent(result, stamp, tangent)
        return result

    def keep_tangent(self, stamp: int, tangent: Tensor) -> None:
        """Store a tangent of a saved output that was computed after it was saved."""
        self._tangents = {**self._tangents, stamp: tangent}

    def __repr__(self) -> str:
        return f"<SavedTensor of {self._spec.describe()}>"


def _link_to_leaf(tensor: Tensor, accumulator: Any) -> None:
    """Make a copy of a leaf a leaf whose gradients go to the original."""
    tensor._edge = LAZY
    meta = tensor._ensure_meta()
    meta.accumulator = lambda: accumulator
    meta.hooks = accumulator.variable._ensure_meta().hooks


def _check(node: Node, tensor: Tensor) -> None:
    if may_be_modified_since(tensor._versions, node.order):
        check_written(node, tensor)


def check_written(node: Node, tensor: Tensor) -> None:
    """Raise if a saved tensor, for which `may_be_modified_since` is true, was modified after it was saved."""
    if is_modified_since(tensor._versions, node.order, tensor._array):
        raise modified_error(node, tensor)


def modified_error(node: Node, tensor: Tensor) -> RuntimeError:
    """Make the error for a saved tensor that was modified after it was saved."""
    what = "its own output" if type(tensor) is SavedOutput else "an input"
    spec = tensor._spec
    now, then = version_of(tensor._versions), version_at(tensor._versions, node.order)
    how = (
        f"modified by an in-place operation since: it is at version {now}; expected version {then} instead"
        if now != then
        else f"modified since, through .data or its NumPy array (which is not counted: it is at version {now} still)"
    )
    return RuntimeError(
        f"{node.name()} has saved {what}, a tensor of dtype {spec.dtype!r} and shape {list(spec.shape)}, and it was "
        f"{how}. Write to a clone(), or use an out-of-place operation.{describe_write(node, tensor)}"
    )


def unpack_graph(node: Node) -> list[Any]:
    """Return what a node has saved, tensors with their history."""
    saved = node.saved  # read once: another thread's pass may release it now
    if saved is None:
        raise released_error(node)
    return [restore_history(node, entry) for entry in saved]


class SavedList(tuple[Any, ...]):
    """Several saved tensors under one name: a list argument, or the outputs of a node that has several."""

    __slots__ = ()


class SavedOutput(Tensor):
    """Alias of a node's own output, without history, in the node's `saved`."""

    __slots__ = ("_number",)
    _number: int


def save_output(tensor: Tensor, number: int = 0) -> Tensor:
    """Make the alias of its own output that a node saves: values and version counter, no history."""
    if tensor._versions is None:
        tensor._versions = [0]
    alias = object.__new__(SavedOutput)
    alias._array = tensor._array
    alias._spec = tensor._spec
    alias._edge = None
    alias._meta = None
    alias._versions = tensor._versions
    alias._number = number
    return alias


def saved_aliases(node: Node, number: int) -> list[Any]:
    """Return the entries in which a node has saved one of its outputs."""
    found: list[Any] = []
    for entry in node.saved or ():
        for part in entry if type(entry) is SavedList else (entry,):
            is_output = type(part) is SavedOutput or (type(part) is SavedTensor and part._is_output)
            if is_output and part._number == number:
                found.append(part)
    return found


def unpack_raw(node: Node, entry: Any) -> Any:
    """Unpack an entry of `saved`, tensors as their arrays."""
    if isinstance(entry, Tensor):
        _check(node, entry)
        return entry._array
    if type(entry) is SavedTensor:
        return entry.unpack(node)._array
    return [unpack_raw(node, item) for item in entry] if type(entry) is SavedList else entry


def restore_history(node: Node, entry: Any) -> Any:
    if type(entry) is SavedOutput:
        _check(node, entry)
        spec = entry._spec.as_external() if may_be_exported(entry._versions) else entry._spec
        result = wrap_as(entry._array, spec, (node, entry._number))
        result._versions = entry._versions
        result._meta = entry._meta  # only tangents
        return result
    if isinstance(entry, Tensor):
        _check(node, entry)
        if entry._meta is not None and entry._meta.detached < node.order and modes.is_grad_enabled():
            raise RuntimeError(
                f"{node.name()} has saved a tensor of {entry._spec.describe()}, and it was detached in place since, so "
                "that its history, which the gradient of a gradient needs, is gone; use detach() instead of detach_()"
            )
        return entry
    if type(entry) is SavedTensor:
        return entry.unpack(node)
    if type(entry) is SavedList:
        return [restore_history(node, item) for item in entry]
    return entry


def copy_external(tensor: Tensor) -> Tensor:
    """Copy a tensor with external memory for saving, with the same history and version counter.

    Args:
        tensor: one without tangents, whose `own` metadata is plain; see Note [External memory].
    """
    array, edge, versions = tensor._array, tensor._edge, tensor._versions
    if versions is None:
        versions = tensor._versions = new_counter()
    copy = object.__new__(Tensor)
    copy._array = array.copy("K")
    copy._spec = tensor._spec.own
    copy._edge = resolve_edge(tensor) if edge is LAZY else edge
    copy._meta = None
    copy._versions = versions
    if edge is None and array.nbytes <= _SMALL:
        tensor._ensure_meta().copied = (copy._array.tobytes(), versions[-1], copy)
    return copy


def reuse_copy(tensor: Any) -> Any:
    """Return the earlier copy of a constant with external memory if its values are unchanged, else the constant itself.

    Small constants are often used many times, and comparing their bytes is faster than another copy.
    """
    meta = tensor._meta
    if meta is not None and meta.copied is not None:
        values, time, copy = meta.copied
        versions = copy._versions
        # neither was written to through a tensor, and the copy was not exported
        untouched = versions is tensor._versions and versions[-1] is time and copy._spec is tensor._spec.own
        if untouched and tensor._array.tobytes() == values:
            return copy
    return tensor


_SMALL = 1024
"""Size in bytes up to which a copy is cached."""


def copy_if_external(entry: Any) -> Any:
    """Copy an entry of `saved` if it is a tensor with external memory; see Note [External memory]."""
    if not isinstance(entry, Tensor) or not entry._spec.external:
        return entry
    if entry._spec.own.plain and type(entry) is not SavedOutput and not modes.SPECIAL:
        found = reuse_copy(entry) if entry._edge is None else entry
        return found if found is not entry else copy_external(entry)
    return _copy_memory(entry)


def _copy_memory(tensor: Tensor) -> Tensor:
    if tensor._versions is None:
        tensor._versions = new_counter()
    copy = object.__new__(SavedOutput if type(tensor) is SavedOutput else Tensor)
    copy._array = tensor._spec.namespace.copy(tensor._array)
    copy._spec = metadata_of(copy._array, None, tensor._spec.inference)
    copy._edge = None if tensor._edge is None else tensor._gradient_edge()
    copy._meta = None
    copy._versions = tensor._versions
    if copy._edge is not None and target_of(copy._edge).kind & ACCUMULATES:
        _link_to_leaf(copy, target_of(copy._edge))
    if isinstance(copy, SavedOutput):
        copy._number = getattr(tensor, "_number", 0)
    elif modes.SPECIAL:
        for stamp, tangent in tangents_of(tensor).items():
            set_tangent(copy, stamp, tangent)
    return copy


def pack_entry(entry: Any) -> Any:
    """Pack an entry of `saved`: copy external memory, and apply the thread's saved-tensor hooks."""
    if type(entry) is SavedList:
        return SavedList(pack_entry(item) for item in entry)
    if not isinstance(entry, Tensor):
        return entry
    if entry._spec.inference:
        raise RuntimeError(
            f"an inference tensor of {entry._spec.describe()} cannot be saved for backward: it has no version counter "
            "to guard it. clone() it outside inference mode and use the clone."
        )
    entry = copy_if_external(entry)
    if not modes.state().saved_hooks:
        return entry
    saved = SavedTensor(entry, type(entry) is SavedOutput, getattr(entry, "_number", 0))
    saved.register_hooks(*modes.state().saved_hooks[-1])
    return saved
