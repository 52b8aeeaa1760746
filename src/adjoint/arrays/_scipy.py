"""Special functions and FFTs on NumPy arrays, by SciPy, which is imported lazily."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

import numpy

from adjoint import _dtypes
from adjoint.arrays.namespace import Array
from adjoint.arrays.standard import COMPONENTS, SPECIAL_FUNCTIONS
from adjoint.arrays.threads import count_free

np: Any = numpy

_LARGE = 1 << 16  # elements from which a Fourier transform takes a third of a millisecond, and threads pay


def from_scipy(name: str) -> Callable[..., Array]:
    """Return SciPy's function for our `name`, which keeps the dtype of its last argument that is not an integer.

    SciPy computes in float32 and float64; half precision is computed in float32.
    """
    function: Any = getattr(import_module("scipy.special"), SPECIAL_FUNCTIONS[name])
    if name.startswith(("mathieu_", "obl_", "pbvv", "pro_")):
        function = _in_double(function)
    if name in COMPONENTS:
        function = _pick(function, COMPONENTS[name][1])

    @wraps(function)
    def call(*args: Any) -> Array:
        last = args[-1]
        if type(last) is not numpy.ndarray or last.dtype.char not in "fdFD" or int in map(type, args):
            return _convert_and_call(function, args)
        out = function(*args)
        return out if out.dtype is last.dtype else _restore_precision(out, _dtypes.FROM_NUMPY[last.dtype])

    return call


class Fft:
    """`scipy.fft`, with threads for large arrays. Its functions are several times as fast as NumPy's in float32."""

    def __getattr__(self, name: str) -> Any:
        function = getattr(import_module("scipy.fft"), name)
        if name in ("fftn", "ifftn", "rfftn", "irfftn"):
            function = _with_threads(function)
        setattr(self, name, function)
        return function


def _with_threads(transform: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(transform)
    def call(x: Array, *args: Any, **kwargs: Any) -> Array:
        if x.size < _LARGE:
            return transform(x, *args, **kwargs)
        return transform(x, *args, workers=count_free(), **kwargs)

    return call


def _pick(function: Callable[..., Any], place: int) -> Callable[..., Any]:
    """One of the results of a function, as a function."""

    @wraps(function)
    def call(*args: Any) -> Array:
        return function(*args)[place]

    return call


def _in_double(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compute in double precision: SciPy's loops for float32 do not end, or give NaN."""

    @wraps(function)
    def call(*args: Any) -> Any:
        return function(*[np.asarray(arg, dtype=np.float64) for arg in args])

    return call


def _convert_and_call(function: Callable[..., Any], args: tuple[Any, ...]) -> Array:
    """Call a function with arguments that may be numbers, integers or half precision."""
    dtype = _last_inexact(args)
    if dtype.itemsize == 2 and dtype.is_floating_point:
        args = tuple([np.asarray(arg, dtype=np.float32) if hasattr(arg, "dtype") else arg for arg in args])
    # The loops for integers take arrays of them, not Python's.
    return _restore_precision(function(*[np.asarray(arg) if type(arg) is int else arg for arg in args]), dtype)


def _last_inexact(args: tuple[Any, ...]) -> _dtypes.dtype:
    """The dtype of the last argument that is an array of real or complex numbers; else that of the last argument."""
    for arg in reversed(args):
        dtype = _dtypes.FROM_NUMPY[arg.dtype] if hasattr(arg, "dtype") else None
        if dtype is not None and dtype.category >= 2:
            return dtype
    return _dtypes.FROM_NUMPY[np.asarray(args[-1]).dtype]


def _restore_precision(out: Array, dtype: _dtypes.dtype) -> Array:
    """A result in the precision of the argument, complex if it is."""
    if out.dtype.kind == "c" and dtype.category == 2:
        dtype = dtype.to_complex()
    return out.astype(dtype.numpy) if dtype.category >= 2 and out.dtype != dtype.numpy else out
