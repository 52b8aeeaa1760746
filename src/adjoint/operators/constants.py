"""Small helpers of rules: constants beside an array, in its library, of its dtype, on its device; casts.

Rules run on arrays of any library, and on tensors around them; what they make themselves has to fit.
"""

from __future__ import annotations

from typing import Any

from adjoint.autograd.variable import Tensor, wrap


def zeros(xp: Any, like: Any, shape: tuple[int, ...]) -> Any:
    """Zeros of a shape, of the kind of `like`."""
    if isinstance(like, Tensor):
        return wrap(zeros(like._spec.namespace, like._array, shape))
    return xp.zeros(shape, dtype=like.dtype, device=xp.device_of(like))


def numbers(xp: Any, like: Any, count: int) -> Any:
    """The integers from 0 up to `count`, where `like` is."""
    if isinstance(like, Tensor):
        return wrap(numbers(like._spec.namespace, like._array, count))
    return xp.arange(count, dtype=xp.native_dtype("int64"), device=xp.device_of(like))


def values(xp: Any, like: Any, host: Any, dtype: str | None = None) -> Any:
    """Values known on the host (a NumPy array or a list of numbers), where `like` is; of its dtype if none is named."""
    if isinstance(like, Tensor):
        return wrap(values(like._spec.namespace, like._array, host, dtype))
    kind = like.dtype if dtype is None else xp.native_dtype(dtype)
    return xp.asarray(host, dtype=kind, device=xp.device_of(like))


def known(xp: Any, like: Any, host: Any) -> Any:
    """A NumPy array of indices or a mask, known on the host, where `like` is."""
    if isinstance(like, Tensor):
        return wrap(known(like._spec.namespace, like._array, host))
    return xp.asarray(host, device=xp.device_of(like))


def cast(xp: Any, x: Any, dtype: Any) -> Any:
    """An array, or the scalar that a reduction over everything gave, in another dtype."""
    return xp.astype(xp.ensure_array(x), xp.native_dtype(dtype))


def direction(xp: Any, x: Any) -> Any:
    """The sign, which is zero for what is not a number, as PyTorch has it; of complex numbers that of the library."""
    return xp.sign(x) if xp.dtype_of(x).is_complex else xp.keep(xp.sign(x), x == x)


def conj(xp: Any, x: Any) -> Any:
    """The complex conjugate; a real array itself, without the copy that some libraries make."""
    return xp.conj(x) if xp.dtype_of(x).is_complex else x
