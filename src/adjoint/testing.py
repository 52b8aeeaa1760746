"""Comparing and making tensors in tests: the public names of `torch.testing`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from adjoint import _dtypes
from adjoint._core.tensor import Tensor
from adjoint._dispatch.factory import shape_of
from adjoint._ops.creation.random import rand, randint
from adjoint._ops.creation.tensors import asarray
from adjoint.arrays import is_array

__all__ = ["assert_close", "make_tensor"]


def __dir__() -> list[str]:
    return __all__


# ---- comparing -------------------------------------------------------------------------------------------------------

_TOLERANCES = {
    _dtypes.float16: (1e-3, 1e-5), _dtypes.bfloat16: (1.6e-2, 1e-5), _dtypes.float32: (1.3e-6, 1e-5),
    _dtypes.float64: (1e-7, 1e-7), _dtypes.complex64: (1.3e-6, 1e-5), _dtypes.complex128: (1e-7, 1e-7),
}  # fmt: skip
"""PyTorch's relative and absolute tolerances; other dtypes have to be equal."""


class _Options(NamedTuple):
    rtol: float | None
    atol: float | None
    equal_nan: bool
    check_device: bool
    check_dtype: bool
    check_stride: bool


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: str | Callable[[str], str] | None = None,
) -> None:
    """Raise an AssertionError unless two tensors are close.

    They are if ``|actual - expected| <= atol + rtol * |expected|`` holds for each element; infinities of the same sign
    are equal. Python numbers are compared too, and so are sequences and dictionaries, item by item.

    Args:
        actual, expected: tensors, arrays or numbers, or equally nested sequences and dictionaries of them.
        allow_subclasses: whether classes may differ if one is a subclass of the other.
        rtol, atol: relative and absolute tolerance, both or none; by default they follow from the dtype.
        equal_nan: whether NaN equals NaN.
        check_device, check_dtype, check_stride: whether devices, dtypes and strides have to be the same.
        check_layout: accepted for compatibility; all tensors are dense.
        msg: the message of the error, or a function of the message that returns it.

    Example:
        >>> ad.testing.assert_close(ad.tensor([1.0, 2.0]), ad.tensor([1.0, 2.0000001]))
    """
    if (rtol is None) != (atol is None):
        raise ValueError(f"assert_close needs both rtol and atol or none of them, got rtol={rtol} and atol={atol}")
    if min(rtol or 0, atol or 0) < 0:
        raise RuntimeError(f"tolerances cannot be negative, got rtol={rtol} and atol={atol}")
    options = _Options(rtol, atol, equal_nan, check_device, check_dtype, check_stride)
    difference = _compare(actual, expected, options, allow_subclasses, "")
    if difference is not None:
        text = msg(difference) if callable(msg) else difference if msg is None else msg
        raise AssertionError(text)


def _compare(actual: Any, expected: Any, options: _Options, allow_subclasses: bool, where: str) -> str | None:
    """Return what is different, or None."""
    if _is_tensor_like(actual) and _is_tensor_like(expected):
        related = isinstance(actual, type(expected)) or isinstance(expected, type(actual))
        if not (type(actual) is type(expected) or (allow_subclasses and related) or not _are_tensors(actual, expected)):
            raise TypeError(f"tensors of {type(actual)} and {type(expected)} cannot be compared{where}")
        return _compare_tensors(asarray(actual), asarray(expected), options, where)
    if _is_number(actual) and _is_number(expected):
        if options.check_dtype and type(actual) is not type(expected):
            return f"types differ{where}: {type(actual).__name__} and {type(expected).__name__}"
        return _compare_numbers(actual, expected, options, where)
    if _is_sequence(actual) and _is_sequence(expected):
        if len(actual) != len(expected):
            return f"lengths differ{where}: {len(actual)} and {len(expected)}"
        pairs = [(actual[i], expected[i], i) for i in range(len(actual))]
    elif isinstance(actual, Mapping) and isinstance(expected, Mapping):
        if actual.keys() != expected.keys():
            return f"keys differ{where}: {list(actual)} and {list(expected)}"  # pyright: ignore
        pairs = [(actual[key], expected[key], key) for key in actual]  # pyright: ignore
    elif actual is None or expected is None:
        return None if actual is expected else f"one of the two is None{where}: {actual!r:.60} and {expected!r:.60}"
    else:
        raise TypeError(
            f"assert_close compares tensors, arrays, numbers and containers of them, not {type(actual).__name__} with "
            f"{type(expected).__name__}{where}"
        )
    path = where or " at item "
    found = (_compare(a, b, options, allow_subclasses, f"{path}[{key!r}]") for a, b, key in pairs)
    return next((one for one in found if one is not None), None)


def _is_tensor_like(value: Any) -> bool:
    return isinstance(value, (Tensor, np.generic)) or is_array(value)


def _are_tensors(*values: Any) -> bool:
    return all(isinstance(value, Tensor) for value in values)


def _is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float, complex))


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _compare_numbers(actual: Any, expected: Any, options: _Options, where: str) -> str | None:
    kinds = [_dtypes.as_dtype(type(one)) for one in (actual, expected)]
    rtol, atol = _tolerances(kinds, options)
    close = _are_close(np.asarray(actual), np.asarray(expected), rtol, atol, options.equal_nan)
    return None if close else f"numbers differ{where}: {actual} and {expected} (rtol={rtol:g}, atol={atol:g})"


def _compare_tensors(actual: Any, expected: Any, options: _Options, where: str) -> str | None:
    own, other = actual._spec, expected._spec
    if own.shape != other.shape:
        return f"shapes differ{where}: {own.shape} and {other.shape}"
    if options.check_device and own.device != other.device:
        return f"devices differ{where}: '{own.device}' and '{other.device}'"
    if options.check_dtype and own.dtype is not other.dtype:
        return f"dtypes differ{where}: {own.dtype!r} and {other.dtype!r}"
    if options.check_stride and actual.stride() != expected.stride():
        return f"strides differ{where}: {actual.stride()} and {expected.stride()}"
    rtol, atol = _tolerances([own.dtype, other.dtype], options)
    a, b = (_as_numpy(one) for one in (actual, expected))
    close = _are_close(a, b, rtol, atol, options.equal_nan)
    return None if close.all() else _describe_difference(a, b, close, rtol, atol, where)


def _tolerances(dtypes: list[Any], options: _Options) -> tuple[float, float]:
    if options.rtol is not None and options.atol is not None:
        return options.rtol, options.atol
    known = [_TOLERANCES.get(dtype, (0.0, 0.0)) for dtype in dtypes]
    return max(rtol for rtol, _ in known), max(atol for _, atol in known)


def _as_numpy(tensor: Any) -> Any:
    """The values as a NumPy array that differences of them can be computed in."""
    array: Any = tensor.numpy(force=True)
    kind = tensor._spec.dtype.category
    return array.astype(np.complex128 if kind == 3 else np.float64 if kind == 2 else object if kind else np.int64)


def _are_close(a: Any, b: Any, rtol: float, atol: float, equal_nan: bool) -> Any:
    with np.errstate(all="ignore"):
        close = a == b
        if rtol or atol:
            close = close | ((abs(a - b) <= atol + rtol * abs(b)) & _is_finite(b) & _is_finite(a))
        if equal_nan:
            close = close | ((a != a) & (b != b))
    return np.asarray(close, dtype=bool)


def _is_finite(array: Any) -> Any:
    return True if array.dtype == object else np.isfinite(array)


def _describe_difference(a: Any, b: Any, close: Any, rtol: float, atol: float, where: str) -> str:
    wrong = ~close
    with np.errstate(all="ignore"):
        distance = np.where(wrong, np.asarray(abs(a - b), dtype=float), 0.0)
        relative = np.where(wrong, distance / np.asarray(abs(b), dtype=float), 0.0)
    worst, far = (np.unravel_index(np.nanargmax(_finite_last(one)), one.shape) for one in (distance, relative))
    return (
        f"tensors are not close{where}: {wrong.sum()} of {close.size} elements differ (rtol={rtol:g}, atol={atol:g}). "
        f"The largest absolute difference is {distance[worst]:g} at {tuple(map(int, worst))}, the largest relative "
        f"difference {relative[far]:g} at {tuple(map(int, far))}."
    )


def _finite_last(array: Any) -> Any:
    """NaN counts as the largest difference."""
    return np.where(np.isnan(array), math.inf, array)


# ---- making ----------------------------------------------------------------------------------------------------------


def make_tensor(
    *shape: Any,
    dtype: Any,
    device: Any = None,
    low: float | None = None,
    high: float | None = None,
    requires_grad: bool = False,
    noncontiguous: bool = False,
    exclude_zero: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """Create a tensor with random numbers between `low` and `high`.

    Args:
        shape: the shape, as several integers or as one tuple.
        dtype: the dtype.
        device: where to put it.
        low: the smallest number; by default -9, or 0 for bool and uint8.
        high: the largest number, for integers one more than it; by default 9 (10 for integers, 2 for bool).
        requires_grad: whether operations on it are recorded.
        noncontiguous: whether the elements lie apart in memory; if there is more than one.
        exclude_zero: replace zeros by the smallest number of the dtype.
        memory_format: accepted for compatibility; not together with `noncontiguous`.

    Example:
        >>> x = ad.testing.make_tensor(2, 3, dtype=ad.float64, low=0, high=1)
        >>> x.shape, bool(((x >= 0) & (x <= 1)).all())
        (adjoint.Size([2, 3]), True)
    """
    kind, sizes = _dtypes.as_dtype(dtype), shape_of(shape)
    if requires_grad and kind.category < 2:
        raise ValueError(f"only floating point and complex tensors can require grad, not {kind!r}")
    if noncontiguous and memory_format is not None:
        raise ValueError("noncontiguous=True and a memory_format contradict each other; give one of them")
    bottom, top = _read_range(kind, low, high)
    drawn = (*sizes[:-1], 2 * sizes[-1]) if noncontiguous and math.prod(sizes) > 1 else sizes
    result: Any = _draw(drawn, kind, bottom, top)
    if exclude_zero:
        result[result == 0] = _dtypes.finfo(kind).tiny if kind.category > 1 else 1
    if device is not None:
        result = result.to(device)
    if drawn is not sizes:
        result = result[..., ::2]
    return result.requires_grad_(requires_grad)


def _read_range(kind: _dtypes.dtype, low: Any, high: Any) -> tuple[Any, Any]:
    bottom: Any = (0 if kind.category == 0 or kind is _dtypes.uint8 else -9) if low is None else low
    top: Any = (2 if kind.category == 0 else 10 if kind.category == 1 else 9) if high is None else high
    if math.isnan(bottom) or math.isnan(top):
        raise ValueError(f"low and high have to be numbers, got low={low} and high={high}")
    if bottom > top or (bottom == top and kind.category < 2):
        raise ValueError(f"low has to be smaller than high, got low={bottom} and high={top}")
    if kind.category < 2:
        limits = _dtypes.iinfo(kind) if kind.category else None
        least, most = (0, 1) if limits is None else (limits.min, limits.max)
        return max(math.ceil(bottom), least), min(math.ceil(top), most + 1)
    limit = _dtypes.finfo(kind).max
    return max(bottom, -limit), min(top, limit)


def _draw(sizes: tuple[int, ...], kind: _dtypes.dtype, low: Any, high: Any) -> Any:
    if kind.category < 2:
        return randint(low, high, sizes).to(kind)
    if kind.is_complex:
        real = kind.to_real()
        return (_draw(sizes, real, low, high) + 1j * _draw(sizes, real, low, high)).to(kind)
    numbers = rand(sizes, dtype=_dtypes.float64)
    return (low * (1 - numbers) + high * numbers).to(kind)
