"""Special functions and triangular solves on NumPy arrays, by SciPy, which is imported lazily."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

import numpy

from adjoint import _dtypes
from adjoint.arrays.namespace import Array
from adjoint.arrays.standard import COMPONENTS, SPECIAL_FUNCTIONS

np: Any = numpy


def from_scipy(name: str) -> Callable[..., Array]:
    """Return SciPy's function for our `name`, which keeps the dtype of its last argument that is not an integer.

    SciPy computes in float32 and float64; half precision is computed in float32.
    """
    function: Any = getattr(import_module("scipy.special"), SPECIAL_FUNCTIONS[name])
    _, place = COMPONENTS.get(name, (name, None))

    @wraps(function)
    def call(*args: Any) -> Array:
        dtype = _last_inexact(args)
        if dtype.numpy.itemsize == 2 and dtype.is_floating_point:
            args = tuple(np.asarray(arg, dtype=np.float32) if hasattr(arg, "dtype") else arg for arg in args)
        args = tuple(np.asarray(arg) if type(arg) is int else arg for arg in args)  # loops for integers take these only
        out = function(*args) if place is None else function(*args)[place]
        if out.dtype.kind == "c" and dtype.category == 2:
            dtype = dtype.to_complex()
        kept = dtype.category >= 2 and out.dtype != dtype.numpy
        return out.astype(dtype.numpy) if kept else out

    return call


def _last_inexact(args: tuple[Any, ...]) -> _dtypes.dtype:
    """The dtype of the last argument that is an array of real or complex numbers; else that of the last argument."""
    dtypes = [_dtypes.FROM_NUMPY[np.asarray(arg).dtype] for arg in args if hasattr(arg, "dtype")]
    inexact = [dtype for dtype in dtypes if dtype.category >= 2]
    return inexact[-1] if inexact else _dtypes.FROM_NUMPY[np.asarray(args[-1]).dtype]


def solve_triangular(a: Array, b: Array, upper: bool, unitriangular: bool) -> Array:
    """See `Namespace.solve_triangular`. A zero on the diagonal gives infinities, as in PyTorch, not an error."""
    blas: Any = import_module("scipy.linalg.blas")
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    dtype = np.result_type(a, b)
    out = np.empty(batch + b.shape[-2:], dtype)
    if out.size == 0:
        return out
    flat_out = out.reshape(-1, *b.shape[-2:])
    a = np.broadcast_to(a, batch + a.shape[-2:]).reshape(-1, *a.shape[-2:])
    b = np.broadcast_to(b, batch + b.shape[-2:]).reshape(-1, *b.shape[-2:])
    (trsm,) = blas.get_blas_funcs(("trsm",), (a, b))
    for i in range(len(a)):
        # BLAS is column-major: the transposed system `x' a' = b'` needs no copy of a row-major matrix.
        flat_out[i] = trsm(1.0, a[i].T, b[i].T, side=1, lower=upper, diag=unitriangular).T
    return out
