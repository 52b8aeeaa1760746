"""Writing in place: copy_, fill_ (and fill), zero_."""

from __future__ import annotations

from typing import Any

import numpy

from adjoint._core import modes
from adjoint._core.modes import PLAIN, RECORD, SPECIAL
from adjoint._core.tensor import LAZY, Tensor, resolve_edge
from adjoint._core.views.chain import extend
from adjoint._core.views.history import base_of, check_in_place, rebase_copy, view_of
from adjoint._core.views.layout import overlaps_itself
from adjoint._core.views.memory import note_write
from adjoint._core.warn import warn
from adjoint._dispatch.declare import Array, composite, general, tensor_method
from adjoint._dispatch.errors import OperatorError, translate
from adjoint._dispatch.inplace import apply_in_place, refuse_overlap
from adjoint._dispatch.operands import SCALARS, as_operand
from adjoint._dispatch.override import find_interceptors, intercept
from adjoint._dispatch.table import table
from adjoint._ops.shape import views
from adjoint.arrays import is_array, numpy_namespace
from adjoint.arrays.registry import refuse_masked

# ---- overwriting -----------------------------------------------------------------------------------------------------


def _cast(xp: Any, x: Any, like: Any) -> Any:
    """Cast to the dtype of another array; from complex to real, the real part."""
    if xp.dtype_of(x) is xp.dtype_of(like):
        return x
    if xp.dtype_of(x).is_complex and xp.dtype_of(like).category in (1, 2):
        x = xp.real(x)
    return xp.astype(x, like.dtype)


@general(
    vjp={"input": lambda xp, g: xp.zeros_like(g), "src": lambda g: g},
    jvp={"input": lambda xp, t: xp.zeros_like(t), "src": lambda t: t},
    name="_copy",
    node_name="CopyBackwards",
    in_place=True,
    method=False,
)
def _copy(xp, input, src: Array):
    """The source broadcast and converted to the shape and dtype of the input."""
    own, wanted = tuple(src.shape), tuple(input.shape)
    if own != wanted and (len(own) > len(wanted) or any(n not in (1, m) for n, m in zip(own[::-1], wanted[::-1]))):
        raise RuntimeError(f"copy_: a tensor of shape {own} cannot be broadcast to the shape {wanted}")
    return xp.broadcast_to(_cast(xp, src, input), tuple(input.shape))


@general(
    vjp={"input": lambda xp, g: xp.zeros_like(g), "value": lambda g: g},
    jvp={"input": lambda xp, t: xp.zeros_like(t), "value": lambda t: t},
    name="_fill",
    node_name="FillBackward2",
    node_names=lambda values: "FillBackward3" if isinstance(values[1], Tensor) else None,
    hides=("value",),
    in_place=True,
    method=False,
)
def _fill(xp, input, value: Array):
    """The value, a number or a 0-dim array, broadcast and converted like the input."""
    if hasattr(value, "shape"):
        return xp.broadcast_to(_cast(xp, value, input), tuple(input.shape))
    kind = xp.dtype_of(input)
    return xp.full_like(input, int(value) if kind.category == 1 else bool(value) if kind.category == 0 else value)


@general(
    vjp={"input": lambda xp, g: xp.zeros_like(g)},
    jvp={"input": lambda xp, t: xp.zeros_like(t)},
    name="_zero",
    node_name="ZeroBackward0",
    in_place=True,
    method=False,
)
def _zero(xp, input):
    """Zeros like the input."""
    return xp.zeros_like(input)


def _try_plain_write(self: Any, value: Any) -> bool:
    """Fast path: write a number to plain NumPy memory if nothing has to be recorded."""
    spec = self._spec
    if not spec.own.plain or (SPECIAL and modes.current_mode() != PLAIN) or (not SPECIAL and self._edge is not None):
        return False
    flags = self._array.flags
    if not (flags.writeable and flags.c_contiguous) or (not SPECIAL and view_of(self) is not None):
        return False
    try:
        self._array[...] = value
    except OverflowError as error:
        raise translate(error, "fill_", [self]) from error
    note_write(self)
    return True


def try_copy(self: Any, part: Any, value: Any, step: Any, recording: bool) -> bool:
    """Fast path: copy a plain tensor or a number into plain NumPy memory. False if the general path is needed.

    Args:
        self: the tensor, whose memory does not overlap itself.
        part: the part of its array that is written to.
        value: what is copied.
        step: the view operator that shows the part, with its parameters; None if the part is all of it.
        recording: whether grad mode is on.
    """
    spec, own_edge, above = self._spec, self._edge, view_of(self)
    array, edge, same = value, None, False
    if type(value) is Tensor:
        own, array, edge = value._spec.own, value._array, value._edge
        if not own.plain or (own.is_complex and not spec.is_complex):
            return False
        if part.ndim < array.ndim and (edge is not None or step is None):
            return False
        same = value._versions is self._versions is not None
    elif type(value) not in (float, int, bool):
        return False
    recorded = recording and spec.inexact and (edge is not None or own_edge is not None)
    if same and not (_is_same_memory(part, array) and (not recorded or _follows(value, self))):
        return False
    if recorded and step is None and above is None:
        return False
    if (recorded and own_edge is LAZY) or (recording and above is not None):
        check_in_place(self, "copy_" if step is None else "__setitem__", recorded)
    if not same:
        try:
            part[...] = array
        except (ValueError, OverflowError) as error:
            if step is None:
                return False  # the general path says what is wrong
            raise translate(error, "__setitem__", [self]) from error
    note_write(self)
    if recorded and not same:
        source = resolve_edge(value) if edge is LAZY else edge
        if above is not None:
            rebase_copy(above.base, above.chain if step is None else extend(above.chain, step), source)
        elif step is not None:
            rebase_copy(self, (step,), source)
    return True


def _is_same_memory(a: Any, b: Any) -> bool:
    """Whether two NumPy arrays show the same elements, so that ``x[i] += 1`` has nothing left to write."""
    if a.shape != b.shape or a.strides != b.strides or a.dtype is not b.dtype:
        return False
    return numpy_namespace.data_ptr(a) == numpy_namespace.data_ptr(b)


def _follows(value: Any, tensor: Any) -> bool:
    """Whether the history of a tensor is part of that of another with the same memory: one is a view of the other."""
    view = view_of(value)
    if view is None or view.creation or value._edge is None or value.is_leaf:
        return False
    base = base_of(tensor)
    return view.base is base and base._edge is not None


@tensor_method
def copy_(self: Any, src: Any, non_blocking: bool = False) -> Any:
    """Copy the values of another tensor into this one, with broadcasting and conversion.

    Args:
        src: a tensor, array or number.
        non_blocking: understood and ignored: the copy is complete when this returns.

    Example:
        >>> ad.zeros(2).copy_(ad.tensor([1, 2]))
        tensor([1., 2.])
    """
    mode = modes.current_mode() if SPECIAL else RECORD
    if mode <= PLAIN and type(src) is type(self) is Tensor and self._spec.own.plain:
        own = self._array
        if own.flags.writeable and not overlaps_itself(self) and try_copy(self, own, src, None, mode == RECORD):
            return self
    interceptors = find_interceptors((self, src), {})
    if interceptors:
        return intercept(copy_, interceptors, (self, src), {})
    if type(src) in SCALARS or isinstance(src, numpy.generic):
        return fill_(self, src)
    source = as_operand(table["_copy"], src)
    if source._spec.is_complex and not self._spec.is_complex:
        warn(
            f"copy_ of {source._spec.dtype!r} into {self._spec.dtype!r} drops the imaginary part; copy .real to say so"
        )
    if source._spec.namespace is self._spec.namespace and source._spec.device is not self._spec.device:
        source = source.to(device=self._spec.device)
    return apply_in_place(table["_copy"], [self, source])


@tensor_method(public=True)
def fill_(self: Any, value: Any) -> Any:
    """Fill with one value, a number or a 0-dim tensor; differentiable with respect to the value.

    Example:
        >>> ad.zeros(2).fill_(3)
        tensor([3., 3.])
    """
    interceptors = find_interceptors((self, value), {})
    if interceptors:
        return intercept(fill_, interceptors, (self, value), {})
    if type(value) in SCALARS:
        if type(value) is complex and not self._spec.is_complex:
            raise OperatorError(f"fill_: {value} cannot be stored in a tensor of {self._spec.dtype!r}")
        if _try_plain_write(self, value):
            return self
    elif isinstance(value, numpy.generic):
        number = value.item()  # weak, as a Python number is
        if type(number) not in SCALARS:
            raise TypeError(f"fill_: {value!r} is not a number that a tensor of {self._spec.dtype!r} can hold")
        return fill_(self, number)
    else:
        value = as_operand(table["_fill"], value)
        if value.shape:
            raise RuntimeError(f"fill_ takes a number or a tensor without dimensions, not one of shape {value.shape}")
    return apply_in_place(table["_fill"], [self, value])


@composite(method=False)
def fill(input: Any, value: Any) -> Any:
    """A tensor like the input filled with one value, a number or a 0-dim tensor.

    Example:
        >>> ad.fill(ad.zeros(2), 3)
        tensor([3., 3.])
    """
    filled = table["_fill"].function(input, value)
    return filled.clone() if hasattr(value, "shape") else filled  # which shows the one value again and again


@tensor_method(public=True)
def zero_(self: Any) -> Any:
    """Fill with zeros.

    Example:
        >>> ad.ones(2).zero_()
        tensor([0., 0.])
    """
    interceptors = find_interceptors((self,), {})
    if interceptors:
        return intercept(zero_, interceptors, (self,), {})
    return self if _try_plain_write(self, 0) else apply_in_place(table["_zero"], [self])


def assign(target: Any, value: Any, name: str) -> None:
    """Write a value through a view, for ``x[key] = value``; leading dimensions of length 1 are dropped."""
    if type(value) in SCALARS or isinstance(value, numpy.generic):
        refuse_overlap(target, [target], name)
        fill_(target, value)
        return
    if not isinstance(value, Tensor) and not is_array(value):
        refuse_masked(value)
        raise TypeError(f"{name}: expected a Tensor, an array or a number, got {type(value).__name__}")
    copy_(target, without_leading_ones(as_operand(table["_copy"], value), len(target.shape)))


def without_leading_ones(value: Any, ndim: int) -> Any:
    """Drop superfluous leading dimensions of length 1."""
    extra = len(value.shape) - ndim
    if extra > 0 and all(length == 1 for length in value.shape[:extra]):
        return views.reshape(value, value.shape[extra:])
    return value
