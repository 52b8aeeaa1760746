"""detach, and the memory layout of tensors: storage, strides, contiguity, data pointers."""

from __future__ import annotations

from typing import Any

from adjoint import _dtypes
from adjoint._core.forward.tangents import cut, has_visible_tangents
from adjoint._core.graph import next_order
from adjoint._core.modes import SPECIAL
from adjoint._core.tensor import Tensor, wrap_as
from adjoint._core.views.chain import extend
from adjoint._core.views.history import base_of, has_history, view_of, views_of
from adjoint._core.views.layout import is_contiguous as lies_contiguous
from adjoint._core.views.layout import offset_of, strides_of
from adjoint._core.views.memory import memory_of, share_memory, shared_memory
from adjoint._dispatch.declare import composite, tensor_method, view
from adjoint._dispatch.formulas import axis_of
from adjoint._dispatch.table import load_part, table
from adjoint.arrays.batched import BatchedArray

# ---- the same memory without history ---------------------------------------------------------------------------------


@composite(out=False)
def detach(input: Any) -> Tensor:
    """Detach from the graph: a tensor that shares memory and does not require grad.

    Tangents of forward mode are dropped as well (except in `dual_level(through_detach=True)`), and inside transforms
    (`func.grad`, `vmap`) so is what outer ones record: the result is a constant.

    Example:
        >>> x = ad.ones(2, requires_grad=True)
        >>> (x * 2).detach().requires_grad
        False
    """
    spec = input._spec
    if spec.namespace.name == "wrapper":
        return load_part("interception.wrapper").detach(input)
    if spec.subclass is not None:
        spec = spec.for_same_memory(input._array)
    array = detach_inside(input._array)
    out = wrap_as(array, spec)
    step = DETACH if spec.level else (table["_getitem"], {"key": (...,)})
    share_memory(input, out, cut(step))
    return out


def detach_inside(array: Any) -> Any:
    """The content of a tensor without what outer transforms record: of nested tensors and batches, too."""
    if isinstance(array, Tensor):
        return detach(array)
    if type(array) is BatchedArray:
        value = detach_inside(array.value)
        return array if value is array.value else BatchedArray(value, array.level, array.batched)
    return array


class _Detach:
    """The step of a route from a tensor to what `detach` made of it, where it has a tensor inside."""

    selects, overlaps, always_shares = True, False, True
    only_history = True  # what it cuts off is no matter to tangents

    def raw(self, array: Any, params: Any) -> Any:
        return detach_inside(array)

    def replay(self, tensor: Any, params: Any) -> Any:
        return detach(tensor)

    def scatter_raw(self, base: Any, value: Any, params: Any) -> Any:
        return value


DETACH = (_Detach(), {})


@tensor_method(public=True)
def detach_(self: Any) -> Tensor:
    """Detach the tensor itself from the graph: it becomes a leaf without gradient and without tangent."""
    if view_of(self) is not None:
        raise RuntimeError(
            "detach_() cannot be used on a view: its history is that of its base. Use detach() for a tensor without "
            "history, or detach_() on the base."
        )
    for member in views_of(self):
        if member._edge is not None:
            # a view keeps the history that it has now, until the next write
            self._meta.severed = True
            if has_history(member._meta.view, member._meta.stale):  # type: ignore[union-attr]
                member._gradient_edge()
            else:
                member._edge, member._ensure_meta().stale = None, False
    if self._edge is not None:
        self._ensure_meta().detached = next_order()
    self._edge = None
    array = detach_inside(self._array)
    if array is not self._array or (SPECIAL and has_visible_tangents(self)):
        meta, _ = shared_memory(self)
        meta.route = extend(meta.route, cut(DETACH))
        self._array = array
    return self


@view(
    lambda xp, g, input_spec: xp.zeros(input_spec.shape, dtype=input_spec.native),
    scatter=lambda xp, base, value, dtype: xp.bitcast(value, base.dtype),
    name="_view_dtype",
    always_shares=True,
    differentiable=False,
    method=False,
)
def _view_dtype(xp, input, dtype):
    """The same memory viewed as another dtype; a step between memory and views, never recorded."""
    return xp.bitcast(input, dtype)


def view_dtype(input: Any, dtype: Any) -> Tensor:
    """View the memory as another dtype; with another item size, the last dimension changes.

    No gradient passes.
    """
    dtype = _dtypes.as_dtype(dtype)
    spec = input._spec
    if dtype.itemsize != spec.dtype.itemsize:
        _check_regrouping(input, dtype)
    if dtype is spec.dtype:
        return table["_getitem"].function(input, (...,))
    array = spec.namespace.bitcast(input._array, dtype)
    out = wrap_as(array, spec.for_same_memory(array))
    share_memory(input, out, (table["_view_dtype"], {"dtype": dtype}))
    return out


def _check_regrouping(input: Any, dtype: _dtypes.dtype) -> None:
    """Whether neighbours along the last dimension can be read as elements of another size."""
    own = input._spec.dtype
    what = f"view: {own!r} cannot be shown as {dtype!r}, whose elements have another size"
    shape, steps = input._spec.shape, stride(input)
    if not shape or steps[-1] != 1:
        raise RuntimeError(
            f"{what}: elements of the last dimension have to be neighbours; shape {shape}, strides {steps}"
        )
    ratio = dtype.itemsize // own.itemsize or 1
    if shape[-1] % ratio or storage_offset(input) % ratio or any(step % ratio for step in steps[:-1]):
        raise RuntimeError(
            f"{what}: the length {shape[-1]} of the last dimension, the strides of the others and the offset "
            f"{storage_offset(input)} have to be multiples of {ratio}; shape {shape}, strides {steps}"
        )


# ---- how a tensor lies in memory -------------------------------------------------------------------------------------


class UntypedStorage:
    """The memory that a tensor and its views share. Two are equal if they are the same memory."""

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor
        self._start = data_ptr(tensor) - offset_of(tensor) * tensor._spec.dtype.itemsize
        memory = memory_of(tensor)
        whole = tensor._array if memory is None else memory.array
        size = 1
        for length in whole.shape:
            size *= length
        self._nbytes = size * tensor._spec.namespace.dtype_of(whole).itemsize

    def data_ptr(self) -> int:
        """The address of the first byte (a number that identifies the memory, where arrays have no address)."""
        return self._start

    def nbytes(self) -> int:
        """The size in bytes."""
        return self._nbytes

    def size(self) -> int:
        """The size in bytes."""
        return self._nbytes

    def as_tensor(self, dtype: _dtypes.dtype) -> Tensor:
        """The elements as a one-dimensional tensor that shares the memory."""
        base: Any = base_of(self._tensor)
        flat = base.detach().as_strided((self._nbytes // base._spec.dtype.itemsize,), (1,), 0)
        return flat if dtype is base._spec.dtype else flat.view(dtype)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UntypedStorage) and self._start == other._start

    def __hash__(self) -> int:
        return hash(self._start)

    def __repr__(self) -> str:
        return f"<UntypedStorage of {self._nbytes} bytes at {self._start:#x}>"


@tensor_method
def untyped_storage(self: Any) -> UntypedStorage:
    """The memory (storage) that the tensor shares with its views.

    Example:
        >>> x = ad.zeros(4)
        >>> x[2:].untyped_storage() == x.untyped_storage()
        True
    """
    return UntypedStorage(self)


@tensor_method
def stride(self: Any, dim: int | None = None) -> Any:
    """Strides in elements: of all dimensions, or of one.

    Example:
        >>> ad.zeros(2, 3).t().stride()
        (1, 3)
    """
    strides = strides_of(self)
    return strides if dim is None else strides[axis_of(dim, len(strides))]


@tensor_method
def storage_offset(self: Any) -> int:
    """Offset of the first element in the storage, in elements.

    Example:
        >>> ad.zeros(4)[2:].storage_offset()
        2
    """
    return offset_of(self)


@tensor_method
def data_ptr(self: Any) -> int:
    """Address of the first element; where arrays have no address, a number that identifies the memory."""
    spec = self._spec
    if spec.namespace.has_views:
        return spec.namespace.data_ptr(self._array)
    return id(shared_memory(self)[1]) + offset_of(self) * spec.dtype.itemsize


@tensor_method
def is_contiguous(self: Any, memory_format: Any = None) -> bool:
    """Test whether the tensor is contiguous in memory (row-major).

    Example:
        >>> ad.zeros(2, 3).t().is_contiguous()
        False
    """
    return lies_contiguous(self)


@composite(out=False)
def contiguous(input: Any, memory_format: Any = None) -> Any:
    """Return the tensor if it is contiguous in memory, else a contiguous copy.

    Example:
        >>> ad.zeros(2, 3).t().contiguous().stride()
        (2, 1)
    """
    return input if lies_contiguous(input) else table["_contiguous"].function(input)


@tensor_method
def _is_view(self: Any) -> bool:
    """Whether the tensor is a differentiable view of another; views of inference tensors are not."""
    return view_of(self) is not None and not self._spec.inference


@tensor_method(name="_base")
@property
def _base(self: Any) -> Any:
    """The tensor that this one is a view of, or None."""
    view = view_of(self)
    return None if view is None or self._spec.inference else view.base
