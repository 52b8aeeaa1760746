"""In-place changes of size or memory: resize_, set_; fill_diagonal_, apply_ and map_."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from adjoint._core.metadata import metadata_of
from adjoint._core.tensor import Tensor
from adjoint._core.views.history import check_in_place, view_of, views_of
from adjoint._core.views.layout import offset_of, strides_of
from adjoint._core.views.memory import leave_memory, memory_of, note_write, replay_raw, share_memory, shared_memory
from adjoint._dispatch.declare import tensor_method
from adjoint._dispatch.override import find_interceptors, intercept
from adjoint._dispatch.table import table
from adjoint._ops.memory.fill import fill_
from adjoint._ops.shape.diagonal import diagonal
from adjoint._ops.shape.strided import as_strided
from adjoint._ops.shape.views import sizes_of
from adjoint._ops.shape.views_inplace import lead_back, reshape_itself
from adjoint.arrays.namespace import row_major

# ---- another size ----------------------------------------------------------------------------------------------------


@tensor_method
def resize_(self: Any, *sizes: Any, memory_format: Any = None) -> Any:
    """Resize in place; elements are kept in memory order, and new ones are zero.

    Only for tensors that do not require grad. A tensor that shares its memory cannot outgrow it.

    Args:
        sizes: the lengths, as several integers or one tuple.

    Example:
        >>> ad.arange(6).resize_(2, 2)
        tensor([[0, 1],
                [2, 3]])
    """
    interceptors = find_interceptors((self,), {})
    if interceptors:
        return intercept(resize_, interceptors, (self, *sizes), {})
    if self._edge is not None:
        raise RuntimeError(
            "resize_: a tensor that requires grad cannot be resized, because its gradient would no longer fit; use "
            "reshape(), narrow() or pad() for a new one, or detach() first"
        )
    check_in_place(self, "resize_", recorded=False)
    wanted = sizes_of(sizes[0]) if len(sizes) == 1 else sizes_of(sizes)
    if any(length < 0 for length in wanted):
        raise RuntimeError(f"resize_: {wanted} is no shape; lengths cannot be negative")
    if wanted != self._spec.shape:
        if _elements_to_end(self) < math.prod(wanted):
            _grow_memory(self, wanted)
        if view_of(self) is None:
            _reshape_memory(self, wanted)
        else:
            reshape_itself(self, "resize_", as_strided, (wanted, row_major(wanted), offset_of(self)), None)
    return self


def _reshape_memory(self: Tensor, wanted: tuple[int, ...]) -> None:
    """Give a tensor that is not a view another shape over its memory, from its first element on."""
    offset = offset_of(self)
    meta, memory = shared_memory(self)
    namespace = self._spec.namespace
    layout = namespace.strides(memory.array) if namespace.has_views else row_major(tuple(memory.array.shape))
    params = {"size": wanted, "stride": row_major(wanted), "storage_offset": offset, "layout": layout}
    for member in views_of(self):
        lead_back(member, None, "resize_")
    meta.route = ((table["_as_strided"], params),)
    _set_array(self, replay_raw(meta.route, memory.array), self._spec.external)
    note_write(self)


def _elements_to_end(self: Tensor) -> int:
    """Number of elements from the tensor's first one to the end of its memory."""
    memory = memory_of(self)
    whole = self._array if memory is None else memory.array
    return math.prod(whole.shape) - offset_of(self)


def _grow_memory(self: Tensor, wanted: tuple[int, ...]) -> None:
    """Move a tensor without views to larger memory."""
    memory = memory_of(self)
    if memory is not None and any(member is not self for member in memory.alive()):
        raise RuntimeError(
            f"resize_: a tensor of shape {self._spec.shape} cannot grow to {wanted}: other tensors show the same "
            "memory; clone() it first"
        )
    namespace = self._spec.namespace
    old = namespace.reshape(self._array, (-1,))
    room = namespace.zeros((math.prod(wanted),), dtype=self._array.dtype)
    _take_memory(self, namespace.assign(room, (slice(0, old.shape[0]),), old))


def _take_memory(self: Tensor, array: Any, external: bool = False) -> None:
    leave_memory(self)
    _set_array(self, array, external)


def _set_array(self: Tensor, array: Any, external: bool) -> None:
    spec = metadata_of(array, self._spec.subclass, self._spec.inference)
    if self._meta is not None and spec.own is not self._spec.own:
        self._meta.accumulator = None  # it was made for the old shape
    self._array, self._spec = array, spec.as_external() if external else spec


@tensor_method(public=True)
def resize_as_(self: Any, the_template: Any, *, memory_format: Any = None) -> Any:
    """Resize in place to the size of another tensor; see `resize_`."""
    return resize_(self, tuple(the_template.shape))


# ---- other memory ----------------------------------------------------------------------------------------------------


@tensor_method
def set_(self: Any, source: Any = None) -> Any:
    """Set the memory (storage) and shape to those of another tensor; without argument, to none.

    Nothing is recorded, so a tensor that requires grad has to be a leaf, and grad mode off. Views that were made of the
    tensor before go on showing what they showed.

    Example:
        >>> x, y = ad.zeros(2), ad.ones(3)
        >>> x.set_(y)
        tensor([1., 1., 1.])
    """
    check_in_place(self, "set_", self._edge is not None)
    if not self.is_leaf:
        raise RuntimeError("set_: a tensor with history cannot be given other memory; use detach() first")
    for member in views_of(self):
        lead_back(member, None, "set_")
    namespace = self._spec.namespace
    if source is None:
        _take_memory(self, namespace.zeros((0,), dtype=self._array.dtype))
    else:
        if source._spec.dtype is not self._spec.dtype or source._spec.namespace is not namespace:
            raise RuntimeError(
                f"set_: memory of {source._spec.describe()} cannot be shown by a tensor of {self._spec.describe()}"
            )
        _take_memory(self, source._array, source._spec.external)
        share_memory(source, self, (table["_getitem"], {"key": (...,)}))
    note_write(self)
    return self


@tensor_method
def is_set_to(self: Any, tensor: Any) -> bool:
    """Test whether two tensors have the same memory, shape and strides."""
    same = self.untyped_storage() == tensor.untyped_storage() and self._spec.shape == tensor._spec.shape
    return same and offset_of(self) == offset_of(tensor) and strides_of(self) == strides_of(tensor)


# ---- writing in ways of their own ------------------------------------------------------------------------------------


@tensor_method
def fill_diagonal_(self: Any, fill_value: Any, wrap: bool = False) -> Any:
    """Fill the main diagonal with a number.

    Args:
        fill_value: the number.
        wrap: let the diagonal of a tall matrix begin again below, after one row.

    Example:
        >>> ad.zeros(2, 3).fill_diagonal_(1)
        tensor([[1., 0., 0.],
                [0., 1., 0.]])
    """
    interceptors = find_interceptors((self,), {})
    if interceptors:
        return intercept(fill_diagonal_, interceptors, (self, fill_value, wrap), {})
    shape = self._spec.shape
    if len(shape) < 2:
        raise RuntimeError(f"fill_diagonal_ needs at least two dimensions, and the tensor has shape {tuple(shape)}")
    if len(shape) > 2 and len(set(shape)) > 1:
        raise RuntimeError(f"fill_diagonal_ needs equal lengths in more than two dimensions, got {tuple(shape)}")
    height, width = shape[0], shape[-1]
    again = range(width + 1, height, width + 1) if wrap and len(shape) == 2 else ()
    for below in (0, *again):
        line = self
        while line.ndim > 1:
            line = diagonal(line, -below, 0, -1)
        fill_(line, fill_value)
    return self


@tensor_method
def apply_(self: Any, callable: Callable[[Any], Any]) -> Any:
    """Replace each element by a Python function of it. Slow, and not recorded.

    Example:
        >>> ad.tensor([1.0, 2.0]).apply_(lambda value: value + 10)
        tensor([11., 12.])
    """
    return _map(self, (), callable, "apply_")


@tensor_method
def map_(self: Any, tensor: Any, callable: Callable[[Any, Any], Any]) -> Any:
    """Replace each element by a Python function of it and of another tensor's element; not recorded."""
    return _map(self, (tensor,), callable, "map_")


@tensor_method
def map2_(self: Any, x: Any, y: Any, callable: Callable[[Any, Any, Any], Any]) -> Any:
    """Replace each element by a Python function of it and of two other tensors' elements; not recorded."""
    return _map(self, (x, y), callable, "map2_")


def _map(self: Any, others: tuple[Any, ...], function: Callable[..., Any], name: str) -> Any:
    if any(one._edge is not None for one in (self, *others)):
        raise RuntimeError(f"{name} calls a function that cannot be differentiated; use it on a detach()ed tensor")
    columns = [one.expand(self._spec.shape).reshape(-1).tolist() for one in (self, *others)]
    values = [function(*row) for row in zip(*columns)]
    return self.copy_(self.new_tensor(values).reshape(self._spec.shape))
