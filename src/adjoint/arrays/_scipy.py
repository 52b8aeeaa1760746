"""Special functions and triangular solves on NumPy arrays, by SciPy, which is imported lazily."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

import numpy

from adjoint import _dtypes
from adjoint.arrays.namespace import Array
from adjoint.arrays.standard import SPECIAL_FUNCTIONS

np: Any = numpy


def from_scipy(name: str) -> Callable[..., Array]:
    """Return SciPy's function for our `name`, which keeps the dtype of its last argument.

    SciPy computes in float32 and float64; half precision is computed in float32.
    """
    function: Any = getattr(import_module("scipy.special"), SPECIAL_FUNCTIONS[name])

    @wraps(function)
    def call(*args: Any) -> Array:
        dtype = np.asarray(args[-1]).dtype
        if dtype.itemsize == 2 and _dtypes.FROM_NUMPY[dtype].is_floating_point:
            args = tuple(np.asarray(arg, dtype=np.float32) if hasattr(arg, "dtype") else arg for arg in args)
        out = function(*args)
        kept = _dtypes.FROM_NUMPY[dtype].category >= 2 and out.dtype != dtype
        return out.astype(dtype) if kept else out

    return call


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
