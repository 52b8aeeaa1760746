"""Basic indexing with integers, slices, None and Ellipsis: x[key] is a view, x[key] = value writes through it.

Keys are normalised first; see Note [Keys] in `_ops/index/keys.py`.
"""

from __future__ import annotations

from inspect import Parameter, Signature
from operator import index
from typing import Any

import numpy as np
from numpy import ndarray

from adjoint._core import modes
from adjoint._core.modes import PLAIN, RECORD, SPECIAL
from adjoint._core.tensor import Tensor, wrap
from adjoint._core.views.selection import WORTHWHILE, WORTHWHILE_RECORDED, Selection
from adjoint._core.views.versions import DataCounter
from adjoint._dispatch.declare import Key, composite, linear, tensor_method, view
from adjoint._dispatch.fast.forward import make_function
from adjoint._dispatch.formulas import axis_of, zeros
from adjoint._dispatch.override import find_interceptors, intercept
from adjoint._dispatch.table import table
from adjoint._dtypes import int64, uint8
from adjoint._ops.index.advanced import getitem_by_arrays, setitem_by_arrays
from adjoint._ops.index.keys import basic_key, check_key, slice_key
from adjoint._ops.memory.fill import assign, try_copy
from adjoint.arrays import namespace_of

_FULL = slice(None)


# ---- the operator ----------------------------------------------------------------------------------------------------


@linear(lambda xp, g, key: xp.getitem(g, key), name="_embed", method=False, node_name="SelectBackwardBackward0")
def _embed(xp, input, shape, key):
    """Zeros with the input at the elements a key selects: the transpose of basic indexing."""
    return xp.assign(zeros(xp, input, shape), key, input)


def embed(xp: Any, g: Any, shape: tuple[int, ...], key: Any) -> Any:
    """`_embed` on arrays, recorded on tensors."""
    if type(g) is ndarray:
        out = np.zeros(shape, g.dtype)
        out[key] = g
        return out
    return _embed(g, shape, key) if isinstance(g, Tensor) else xp.assign(zeros(xp, g, shape), key, g)


def _embed_raw(xp: Any, g: Any, input_spec: Any, key: Any) -> Any:
    """The same for the engine, which adds a selection to a sum without the zeros."""
    if type(g) is ndarray and input_spec.size > WORTHWHILE:
        return Selection(input_spec.shape, key, g)
    return embed(xp, g, input_spec.shape, key)


def _node_name(values: list[Any]) -> str:
    """PyTorch's node name for the last step of a key.

    A slice that takes all does nothing, unless it is alone; that of an operator such as `narrow` has a step.
    """
    shape, key = values[0]._spec.shape, values[1]
    alone = len(key) == 2 and key[1] is Ellipsis
    for part, length in reversed(list(zip(key, _lengths(shape, key)))):
        if part is None:
            return "UnsqueezeBackward0"
        if isinstance(part, slice):
            if alone or part.step is not None or not _takes_all(part, length):
                return "SliceBackward0"
        elif part is not Ellipsis:
            return "SelectBackward0"
    return "AliasBackward0"


@view(
    lambda xp, g, input_spec, key: embed(xp, g, input_spec.shape, key),
    raw_vjp={"input": _embed_raw},
    scatter=lambda xp, base, value, key: xp.index_put(base, key, value),
    selects=True,
    always_shares=True,
    name="_getitem",
    method=False,
    node_name="SliceBackward0",
    node_names=_node_name,
)
def _getitem(xp, input, key: Key):
    """Basic indexing with a normalised key (see Note [Keys])."""
    return xp.getitem(input, key)


_operator: Any = table["_getitem"]


def _embed_recorded(xp: Any, g: Any, input_spec: Any, key: Any) -> Any:
    """The gradient for the engine in a pass that is recorded, in time that does not depend on the zeros either."""
    if input_spec.size > WORTHWHILE_RECORDED and type(g) is Tensor and g._spec.fast and not SPECIAL:
        return Selection(input_spec.shape, key, g)
    return embed(xp, g, input_spec.shape, key)


_operator.graph_vjps = {"input": _embed_recorded}


def _raw(array: Any, params: dict[str, Any]) -> Any:
    return array[params["key"]] if type(array) is ndarray else namespace_of(array).getitem(array, params["key"])


_operator.raw = _raw  # a pass through many writes does little else


def _lengths(shape: tuple[int, ...], key: tuple[Any, ...]) -> list[int]:
    """Length of the dimension that each part of a key applies to; -1 for those that apply to none."""
    used = sum([part is not None and part is not Ellipsis for part in key])
    lengths: list[int] = []
    axis = 0
    for part in key:
        if part is None or part is Ellipsis:
            lengths.append(-1)
            axis += len(shape) - used if part is Ellipsis else 0
        else:
            lengths.append(shape[axis])
            axis += 1
    return lengths


def _takes_all(part: slice, length: int) -> bool:
    return (
        part.start in (None, 0) and (part.stop is None or part.stop >= length) and (part.step is None or part.step == 1)
    )


def _covers_all(shape: tuple[int, ...], key: tuple[Any, ...]) -> bool:
    """Whether a key selects the whole tensor, so that a write through it is one to the tensor itself."""
    if not all(part is Ellipsis or type(part) is slice for part in key) or len(key) - 1 > len(shape):
        return False
    return all(part is Ellipsis or _takes_all(part, length) for part, length in zip(key, _lengths(shape, key)))


_SELECT, _SLICE = (_operator.choose_node([wrap(np.zeros(1)), key]) for key in ((0, ...), (_FULL, ...)))


# ---- reading ---------------------------------------------------------------------------------------------------------


def _getitem_in_general(operator: Any, arguments: tuple[Any, Any], others: Any) -> Any:
    interceptors = find_interceptors(arguments, {})
    if interceptors:
        return intercept(getitem, interceptors, arguments, {})
    input, key = arguments
    basic = basic_key(key)
    if basic is not None:
        return _getitem(input, check_key(input.shape, basic))
    return getitem_by_arrays(input, key)


_getitem_by_tensor = make_function(
    table["_index"],
    _getitem_in_general,
    signature="input, index",
    unless="",
    otherwise="general(operator, (input, index), {})",
    operands="""
    spec, its = input._spec, index._spec
    category, shape = its.dtype.category, its.shape
    if (
        not spec.own.plain or not its.own.plain or not shape or category > 1 or its.dtype is uint8
        or (category == 0 and shape != spec.shape[: len(shape)])
    ):
        return general(operator, (input, index), {})
    e0 = input._edge
""",
    compute="""
    try:
        rows = its.dtype is int64 and len(spec.shape) > 1  # of which NumPy takes many in a third of the time
        array = input._array.take(index._array, 0) if rows else input._array[index._array]
    except IndexError as error:
        raise translate(error, "__getitem__", [input, index]) from error
""",
    saved="input._spec, SavedList((index if its.plain else copy_if_external(index),)), WHOLE",
    names={"WHOLE": (0,), "int64": int64, "uint8": uint8},
)
"""``x[index]`` for one index array or mask."""

getitem = make_function(
    _operator,
    _getitem_in_general,
    signature="input, key",
    prepare="""
    given = key
    if type(key) is int:
        key = (key, ...)
    elif type(key) is Tensor:
        return getitem_by_tensor(input, key)
    else:
        key = basic_key(key)
""",
    unless=" or key is None",
    otherwise="general(operator, (input, given), {})",
    operands="""
    spec = input._spec
    if not spec.own.plain:
        return general(operator, (input, given), {})
    e0 = input._edge
""",
    compute="    array = input._array[key]\n",
    node_class="SELECT if type(given) is int else SLICE if type(given) is slice else choose_node((input, key))",
    names={"SELECT": _SELECT, "SLICE": _SLICE, "basic_key": basic_key, "getitem_by_tensor": _getitem_by_tensor},
)
getitem.__doc__ = "``x[key]``: a view for integers, slices, None and Ellipsis; a copy for index arrays and masks."


# ---- writing ---------------------------------------------------------------------------------------------------------


def setitem(self: Any, key: Any, value: Any) -> None:
    """``x[key] = value``: the value, a tensor, an array or a number, is broadcast and recorded."""
    basic = basic_key(key)
    recording = True
    if SPECIAL:
        mode = modes.current_mode()
        recording = mode == RECORD
        basic = basic if recording or mode == PLAIN else None
    if basic is None or not self._spec.own.plain or not _write(self, basic, value, recording):
        _setitem_in_general(self, key, value)


def _write(self: Any, key: tuple[Any, ...], value: Any, recording: bool) -> bool:
    """Fast path: write through a basic key on NumPy arrays. False if the general path is needed."""
    array = self._array
    part, flags = array[key], array.flags
    if not (flags.c_contiguous and flags.writeable):
        return False
    recorded = (
        recording and self._spec.inexact and (self._edge is not None or getattr(value, "_edge", None) is not None)
    )
    if recorded and type(key[0]) is not int and _covers_all(self._spec.shape, key):
        return False
    if type(self._versions) is DataCounter:  # which has to know the part that is written
        return False
    return try_copy(self, part, value, (_operator, {"key": key}), recording)


def _setitem_in_general(self: Any, key: Any, value: Any) -> None:
    interceptors = find_interceptors((self, key, value), {})
    if interceptors:
        intercept(setitem, interceptors, (self, key, value), {})
        return
    basic = basic_key(key)
    if basic is None:
        setitem_by_arrays(self, key, value)
        return
    check_key(self.shape, basic)
    assign(self if _covers_all(self.shape, basic) else _getitem(self, basic), value, "__setitem__")


def delitem(self: Any, key: Any) -> None:
    """``del x[key]`` is refused: a tensor keeps its shape."""
    raise TypeError("elements of a tensor cannot be deleted; index what is to stay")


getitem.__name__ = getitem.__qualname__ = "__getitem__"  # what those who take operations over are told
setitem.__name__ = setitem.__qualname__ = "__setitem__"
delitem.__name__ = delitem.__qualname__ = "__delitem__"
getitem.__signature__ = Signature([Parameter(name, Parameter.POSITIONAL_ONLY) for name in ("self", "key")])  # type: ignore[attr-defined]
getitem.__wrapped__ = _getitem_in_general  # type: ignore[attr-defined] # its source, for who looks for that
for _method in (getitem, setitem, delitem):
    tensor_method(_method)


# ---- the same by name ------------------------------------------------------------------------------------------------


@composite(out=False)
def select(input: Any, dim: int, index: int) -> Any:
    """Select one index along a dimension, which is removed; a view.

    Example:
        >>> ad.tensor([[1, 2], [3, 4]]).select(1, 0)
        tensor([1, 3])
    """
    if not input.shape:
        raise IndexError("select needs a tensor with at least one dimension")
    axis = axis_of(dim, len(input.shape))
    length = input.shape[axis]
    key = basic_key((_FULL,) * axis + (index,))
    if key is None:
        raise TypeError(f"select: the index has to be an integer, not {type(index).__name__}")
    if not -length <= key[axis] < length:
        raise IndexError(f"select: index {key[axis]} is out of bounds for dimension {axis}, which has length {length}")
    return _getitem(input, key)


@composite(out=False)
def narrow(input: Any, dim: int, start: Any, length: int) -> Any:
    """Narrow a dimension to `length` elements from `start` on; a view.

    Args:
        start: the first index; negative ones count from the end.
        length: the number of elements.

    Example:
        >>> ad.arange(5).narrow(0, 1, 3)
        tensor([1, 2, 3])
    """
    if not input.shape:
        raise RuntimeError("narrow needs a tensor with at least one dimension")
    axis = axis_of(dim, len(input.shape))
    have, start, length = input.shape[axis], _as_index(start), _as_index(length)
    if not -have <= start <= have or length < 0:
        raise IndexError(f"narrow: start {start} and length {length} do not fit dimension {axis} of length {have}")
    start = start + have if start < 0 else start
    if start + length > have:
        raise RuntimeError(f"narrow: start {start} plus length {length} is more than the dimension's length {have}")
    return _getitem(input, slice_key(axis, start, start + length))


_as_index = index


@tensor_method(name="__iter__")
def _iterate(self: Any) -> Any:
    """The slices along the first dimension, one by one."""
    if not self._spec.shape:
        raise TypeError("a tensor without dimensions cannot be iterated over")
    return iter(table["unbind"].function(self, 0))
