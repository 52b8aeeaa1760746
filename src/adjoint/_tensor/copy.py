"""Copies of tensors: `copy`, `deepcopy`, pickling, `.data`, and the same tensor as an object of another class.

The functions here become methods of Tensor in `_tensor/methods.py`.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from adjoint._core import modes
from adjoint._core.forward.tangents import EVERYWHERE, cut, has_tangents, set_tangent, tangents_of
from adjoint._core.metadata import metadata_of
from adjoint._core.tensor import LAZY, Tensor, grad_fn_name, wrap, wrap_as
from adjoint._core.views.memory import leave_memory, share_memory
from adjoint._core.views.versions import DataCounter, new_counter
from adjoint._dispatch.override import DisableInterception, recast
from adjoint._dispatch.table import table
from adjoint._ops.memory.detach import DETACH, detach_inside


def __copy__(self: Tensor) -> Tensor:
    """Another leaf with the same memory; it has neither the history nor the gradient of the tensor, as in PyTorch."""
    if not self.is_leaf:
        _warn_about_lost_history(self, "shallow copy of a")
    duplicate = _make_leaf(type(self), self._array, self._spec.inference)
    _share_memory(self, duplicate, _whole())
    duplicate._edge = LAZY if self.requires_grad else None
    _get_attributes(duplicate).update(_get_attributes(self))
    return duplicate


def __deepcopy__(self: Tensor, memo: dict[int, Any]) -> Tensor:
    """A leaf with the same values in memory of its own, for `copy.deepcopy`."""
    from copy import deepcopy

    if id(self) in memo:
        return memo[id(self)]
    if not self.is_leaf:
        raise RuntimeError(
            "deepcopy() copies leaves only: the copy of a computed tensor "
            f"(grad_fn={self._gradient_edge()[0].name()}) would need a copy of its graph. Use detach().clone() for its "
            "values, or clone() to stay in the graph."
        )
    _refuse_tangents(self, "deepcopy()")
    duplicate = _make_leaf(type(self), _copy_memory(self, memo), modes.state().inference)  # one made here and now
    memo[id(self)] = duplicate
    if self.requires_grad:
        duplicate.requires_grad_()
    meta = self._meta
    if meta is not None:
        if meta.grad_spec is not None:
            duplicate.grad_dtype = meta.grad_spec.grad_dtype
        if meta.grad is not None:
            duplicate._ensure_meta().grad = deepcopy(meta.grad.detach(), memo)  # type: ignore[attr-defined]
        duplicate._ensure_meta().name = meta.name
    _get_attributes(duplicate).update(deepcopy(_get_attributes(self), memo))
    return duplicate


def _copy_memory(self: Tensor, memo: dict[int, Any]) -> Any:
    """Copy the memory. Tensors that share memory share the copy, as in PyTorch."""
    array = self._array
    if type(array) is not np.ndarray:
        return self._spec.namespace.copy(array)
    owner = array if array.base is None else array.base
    if type(owner) is not np.ndarray or owner.base is not None:
        return self._spec.namespace.copy(array)
    memory = memo.get(id(owner))
    if memory is None:
        memory = memo[id(owner)] = owner.copy("K")
        memo.setdefault(id(memo), []).append(owner)  # so that nothing else gets its id, as in the copy module
    if array is owner or memory.strides != owner.strides:
        return memory if array is owner else self._spec.namespace.copy(array)
    offset = array.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
    return np.ndarray(array.shape, array.dtype, memory, offset, array.strides)


def _refuse_tangents(self: Tensor, what: str) -> None:
    if modes.SPECIAL and has_tangents(self):
        raise RuntimeError(
            f"{what} of a tensor of {self._spec.describe()} that has a tangent would lose it, because only values are "
            "copied. Use detach() first, which says that this is meant, or clone() to keep the tangent."
        )


def __reduce_ex__(self: Tensor, protocol: Any) -> Any:
    """What pickle stores: the values, and whether the tensor requires grad; of a graph, nothing."""
    _refuse_tangents(self, "a pickle")
    if not self.is_leaf:
        _warn_about_lost_history(self, "pickled")
    return _rebuild, (type(self), self._array, self.requires_grad, dict(_get_attributes(self)))


def _warn_about_lost_history(tensor: Tensor, which: str) -> None:
    warnings.warn(
        f"a {which} tensor keeps its values only: its history (grad_fn={grad_fn_name(tensor)}) is lost",
        UserWarning,
        stacklevel=3,
    )


def _rebuild(cls: type[Tensor], array: Any, requires_grad: bool, attributes: dict[str, Any]) -> Tensor:
    """Unpickle a tensor."""
    self = _make_leaf(cls, array, False)
    if requires_grad:
        self.requires_grad_()
    _get_attributes(self).update(attributes)
    return self


def _make_leaf(cls: type[Tensor], array: Any, inference: bool) -> Tensor:
    """Make a leaf of a class without calling its constructor."""
    self = wrap(array, cls)
    if inference:
        self._spec = metadata_of(array, self._spec.subclass, True)
    return self


def _whole() -> Any:
    """Return the step of a route that selects all elements; its operator is not loaded before it is needed."""
    return (table["_getitem"], {"key": (...,)})


def _share_memory(tensor: Tensor, duplicate: Tensor, step: Any) -> None:
    """Let a new tensor share the memory and version counter of the one whose array it holds."""
    share_memory(tensor, duplicate, step)
    if tensor._spec.external:
        duplicate._spec = duplicate._spec.as_external()


def _get_attributes(tensor: Tensor) -> dict[str, Any]:
    """Return the object's instance attributes."""
    return tensor.__dict__


# ---- .data -----------------------------------------------------------------------------------------------------------


def get_data(self: Tensor) -> Tensor:
    """The values, sharing memory, outside of the graph: writes to it are neither recorded nor counted as versions.

    A graph that needs the old values notices all the same. Assigning a tensor replaces the values, which may have
    another shape.
    """
    spec = metadata_of(self._array, None, self._spec.inference)
    alias = wrap_as(detach_inside(self._array), spec)
    namespace = self._spec.namespace
    if namespace.mutable and namespace.writeable(self._array):
        # The owner does not know of it, so if its memory is given away, this would not be noticed here.
        alias._spec = spec.as_external()
    else:
        # A write makes a new array, which the owner has to be told of, or goes to that of a view's base.
        share_memory(self, alias, cut(DETACH, EVERYWHERE))
    if self._versions is None:
        self._versions = new_counter()
    alias._versions = DataCounter(self._versions, self)
    return alias if self._spec.subclass is None else recast(alias, type(self))


def set_data(self: Tensor, value: Any) -> None:
    if not isinstance(value, Tensor):
        raise TypeError(f".data can be set to a Tensor, not to {type(value).__name__}")
    if value._spec.level != self._spec.level:
        raise RuntimeError(".data cannot be set to a tensor of another level of nesting")
    if self.requires_grad and value._spec.dtype.category < 2:
        raise RuntimeError(
            f".data of a tensor that requires grad has to be floating point or complex, not {value._spec.dtype!r}"
        )
    tangents = tangents_of(self) if value._spec.shape == self._spec.shape else {}
    self._array = value._array
    spec = metadata_of(value._array, self._spec.subclass, self._spec.inference)
    spec = spec.as_external() if value._spec.external else spec
    if spec.own is not self._spec.own and self._meta is not None:
        self._meta.accumulator = None  # made for gradients of the old shape, dtype and device
    self._spec = spec
    leave_memory(self)
    if self._meta is not None:
        self._meta.tangents = None
    for stamp, tangent in tangents.items():
        set_tangent(self, stamp, tangent)


def delete_data(self: Tensor) -> None:
    raise RuntimeError("the values of a tensor cannot be deleted; delete the tensor")


# ---- NumPy's names ---------------------------------------------------------------------------------------------------


def astype(self: Any, dtype: Any, copy: bool = True) -> Any:
    """The tensor with another dtype; NumPy's name of ``to(dtype)``.

    Args:
        dtype: one of ours, of NumPy's or of Python's; ``float`` is float64.
        copy: whether the result is a copy even if nothing has to be converted.

    Example:
        >>> ad.tensor([1.5, 2.5]).astype(int)
        tensor([1, 2])
    """
    return self.to(dtype, copy=copy)


def copy(self: Any) -> Any:
    """A copy of the tensor, recorded; NumPy's name of `clone`.

    Example:
        >>> ad.tensor([1.0]).copy()
        tensor([1.])
    """
    return self.clone()


def conjugate(self: Any) -> Any:
    """Complex conjugate of each element; NumPy's name of `conj`.

    Example:
        >>> ad.tensor([1 + 2j]).conjugate()
        tensor([1.-2.j])
    """
    return self.conj()


# ---- classes ---------------------------------------------------------------------------------------------------------


def as_subclass(self: Any, cls: type[Tensor]) -> Any:
    """View the tensor as an object of a subclass of Tensor, with the same history."""
    if not (isinstance(cls, type) and issubclass(cls, Tensor)):
        raise TypeError(f"as_subclass() expects a subclass of Tensor, got {cls!r}")
    with DisableInterception():
        alias = self.view_as(self)
    return recast(alias, cls)


def _make_subclass(cls: type[Tensor], data: Any, require_grad: bool = False) -> Any:
    """A leaf of a subclass that shares the memory of `data`; for use in a subclass's ``__new__``."""
    if not isinstance(data, Tensor):
        raise TypeError(f"_make_subclass() expects a Tensor, got {type(data).__name__}")
    if hasattr(cls, "__torch_dispatch__"):
        raise NotImplementedError(
            f"_make_subclass() of {cls.__name__}, which has __torch_dispatch__: only wrappers are supported, made by "
            "_make_wrapper_subclass()"
        )
    self = _make_leaf(cls, data._array, data._spec.inference)
    _share_memory(data, self, cut(_whole(), EVERYWHERE))
    if require_grad:
        self.requires_grad_()
    return self


METHODS: dict[str, Any] = {
    "__copy__": __copy__,
    "__deepcopy__": __deepcopy__,
    "__reduce_ex__": __reduce_ex__,
    "_make_subclass": staticmethod(_make_subclass),
    "as_subclass": as_subclass,
    "astype": astype,
    "conjugate": conjugate,
    "copy": copy,
    "data": property(get_data, set_data, delete_data),
}
