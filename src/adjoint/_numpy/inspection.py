"""Facts about arrays, which have no derivative: shape, size, dtypes, shared memory, how they are printed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from adjoint._core.tensor import Tensor
from adjoint._numpy.convert import as_axes, constant, has_known_values, values_of
from adjoint._numpy.table import implements, refuse


@implements("shape")
def _shape(a):
    return a._spec.shape


@implements("ndim")
def _ndim(a):
    return len(a._spec.shape)


@implements("size")
def _size(a, axis=None):
    return math.prod(a._spec.shape[one] for one in as_axes(a, axis))


# ---- dtypes, as NumPy's ----------------------------------------------------------------------------------------------


def _as_numpy_dtype(one):
    return one._spec.dtype.numpy if isinstance(one, Tensor) else one


@implements("result_type", arrays="")
def _result_type(*arrays_and_dtypes):
    return np.result_type(*[_as_numpy_dtype(one) for one in arrays_and_dtypes])


@implements("can_cast", arrays="")
def _can_cast(from_, to, casting: Any = "safe"):
    return np.can_cast(_as_numpy_dtype(from_), _as_numpy_dtype(to), casting)


@implements("common_type", arrays="")
def _common_type(*arrays):
    return np.common_type(
        *[np.empty(0, _as_numpy_dtype(one) if isinstance(one, Tensor) else one.dtype) for one in arrays]
    )


@implements("min_scalar_type")
def _min_scalar_type(a):
    return np.min_scalar_type(values_of(a, "np.min_scalar_type")) if not a._spec.shape else a._spec.dtype.numpy


@implements("iscomplexobj")
def _iscomplexobj(x):
    return x._spec.is_complex


@implements("isrealobj")
def _isrealobj(x):
    return not x._spec.is_complex


# ---- memory and text -------------------------------------------------------------------------------------------------


def _get_memory(name, *tensors):
    return [values_of(one, name) if isinstance(one, Tensor) else one for one in tensors]


@implements("may_share_memory", arrays="")
def _may_share_memory(a, b, max_work: Any = 0):
    return np.may_share_memory(*_get_memory("np.may_share_memory", a, b), max_work=max_work)


@implements("shares_memory", arrays="")
def _shares_memory(a, b, max_work: Any = -1):
    return np.shares_memory(*_get_memory("np.shares_memory", a, b), max_work=max_work)


@implements("array2string", arrays="")
def _array2string(a, **options):
    return np.array2string(values_of(a, "np.array2string"), **options) if has_known_values(a) else repr(a)


@implements("array_repr", arrays="")
def _array_repr(arr, **options):
    return np.array_repr(values_of(arr, "np.array_repr"), **options) if has_known_values(arr) else repr(arr)


@implements("array_str", arrays="")
def _array_str(a, **options):
    return np.array_str(values_of(a, "np.array_str"), **options) if has_known_values(a) else repr(a)


# ---- integers --------------------------------------------------------------------------------------------------------


@implements("packbits")
def _packbits(a, axis=None, bitorder: Any = "big"):
    return constant(np.packbits(values_of(a, "np.packbits"), axis, bitorder), a)


@implements("unpackbits")
def _unpackbits(a, axis=None, count=None, bitorder: Any = "big"):
    return constant(np.unpackbits(values_of(a, "np.unpackbits"), axis, count, bitorder), a)


@implements("einsum_path", arrays="")
def _einsum_path(*operands, optimize: Any = "greedy", einsum_call: Any = False):
    shown = [np.broadcast_to(0.0, one._spec.shape) if isinstance(one, Tensor) else one for one in operands]
    return np.einsum_path(*shown, optimize=optimize, einsum_call=einsum_call)


refuse("save savetxt savez savez_compressed", "pickle keeps tensors; numpy(force=True) gives the values to be written")
refuse("spacing", "np.finfo(x.dtype).eps * np.abs(x) is about the same and has one")
