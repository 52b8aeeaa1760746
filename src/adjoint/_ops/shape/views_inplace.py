"""View operators in place: squeeze_, unsqueeze_, t_, transpose_, as_strided_."""

from __future__ import annotations

from typing import Any

from adjoint._core import modes
from adjoint._core.graph import target_of
from adjoint._core.views.history import check_in_place, set_edge, views_of
from adjoint._core.views.memory import note_write
from adjoint._dispatch.declare import tensor_method
from adjoint._dispatch.override import find_interceptors, intercept
from adjoint._dispatch.table import methods, table
from adjoint._ops.shape import views
from adjoint._ops.shape.strided import as_strided


def reshape_itself(self: Any, name: str, function: Any, arguments: tuple[Any, ...], back: Any) -> Any:
    """Turn a tensor into a view of itself, in place.

    Args:
        back: the step that leads from the new shape to the old one, for those that are views of this tensor; None if
            there is none, because elements may be lost.
    """
    interceptors = find_interceptors((self,), {})
    if interceptors:
        return intercept(methods[name], interceptors, (self, *arguments), {})
    check_in_place(self, name, self._edge is not None)
    leaf = self.is_leaf
    with modes.enable_grad() if not modes.state().inference else modes.no_grad():
        turned = function(self, *arguments)
    meta = self._ensure_meta()
    for member in views_of(self):
        if member is not turned:
            lead_back(member, back, name)
    if meta.view is not None:
        meta.view.chain = turned._meta.view.chain
    meta.route = turned._meta.route
    if leaf:
        meta.accumulator = None  # it was made for the old shape
    else:
        set_edge(self, turned._edge)
        _rename(turned._edge)
    self._array, self._spec = turned._array, turned._spec
    meta.shown = None
    note_write(self)
    return self


def lead_back(member: Any, back: Any, name: str) -> None:
    """Rebase the history of a view on its base's new shape."""
    if back is not None:
        member._meta.view.chain = (back, *member._meta.view.chain)
    elif member._edge is None:
        member._meta.view = None  # it goes on sharing the memory
    else:
        raise RuntimeError(
            f"{name}: a view of shape {member._spec.shape} that requires grad was made of this tensor, and the way to "
            "it would be lost; use the operator that returns a new tensor"
        )


_IN_PLACE_NAMES = {
    "TBackward0": "TBackward1", "TransposeBackward0": "TransposeBackward1", "UnsqueezeBackward0": "UnsqueezeBackward1",
    "SqueezeBackward0": "SqueezeBackward3", "SqueezeBackward1": "SqueezeBackward4",
    "SqueezeBackward2": "SqueezeBackward5", "AsStridedBackward0": "AsStridedBackward1",
}  # fmt: skip
_renamed: dict[type, type] = {}


def _rename(edge: Any) -> None:
    """PyTorch numbers the nodes of in-place forms apart."""
    node = None if edge is None else target_of(edge)
    name = _IN_PLACE_NAMES.get(type(node).__name__)
    if name is not None:
        cls = type(node)
        if cls not in _renamed:
            _renamed[cls] = type(name, (cls,), {"__slots__": (), "__module__": cls.__module__})
        node.__class__ = _renamed[cls]


def _shape_step(self: Any) -> Any:
    return (table["reshape"], {"shape": self.shape})


@tensor_method
def squeeze_(self: Any, dim: Any = None) -> Any:
    """In-place version of `squeeze`."""
    return reshape_itself(self, "squeeze_", views.squeeze, (dim,), _shape_step(self))


@tensor_method
def unsqueeze_(self: Any, dim: int) -> Any:
    """In-place version of `unsqueeze`."""
    return reshape_itself(self, "unsqueeze_", views.unsqueeze, (dim,), _shape_step(self))


@tensor_method
def t_(self: Any) -> Any:
    """In-place version of `t`."""
    return reshape_itself(self, "t_", views.t, (), (table["t"], {}))


@tensor_method(name="swapaxes_")
@tensor_method(name="swapdims_")
@tensor_method
def transpose_(self: Any, dim0: int, dim1: int) -> Any:
    """In-place version of `transpose`."""
    back = (table["transpose"], {"dim0": dim0, "dim1": dim1})
    return reshape_itself(self, "transpose_", views.transpose, (dim0, dim1), back)


@tensor_method(public=True)
def as_strided_(self: Any, size: Any, stride: Any, storage_offset: int | None = None) -> Any:
    """In-place version of `as_strided`."""
    return reshape_itself(self, "as_strided_", as_strided, (size, stride, storage_offset), None)
