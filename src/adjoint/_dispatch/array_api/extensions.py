"""`xp.linalg`, `xp.fft` and `xp.special` over tensors, as thin calls of operators.

The first two are the array API's extensions. The third is where SciPy looks for its special functions.
"""

from __future__ import annotations

from typing import Any

from adjoint import _dtypes
from adjoint._dispatch.array_api.ufuncs import SCIPY
from adjoint._dispatch.table import ops

Array = Any


class Section:
    """A part of the namespace. Functions it does not define are the operators named ``<prefix>_<name>``."""

    prefix = ""

    def __init__(self, inner: Any) -> None:
        self.inner = inner  # the namespace of the arrays inside the tensors

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            found = getattr(ops, f"{self.prefix}_{name}")
        except AttributeError:
            raise AttributeError(f"adjoint's array API namespace has no {self.prefix}.{name}") from None
        self.__dict__[name] = found
        return found


class LinalgSection(Section):
    """`xp.linalg`."""

    prefix = "linalg"

    def cholesky(self, x: Array, /, *, upper: bool = False) -> Array:
        return ops.linalg_cholesky(x, upper=upper)

    def cross(self, x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
        return ops.linalg_cross(*ops.broadcast_tensors(x1, x2), dim=axis)

    def diagonal(self, x: Array, /, *, offset: int = 0) -> Array:
        return ops.diagonal(x, offset, -2, -1)

    def matmul(self, x1: Array, x2: Array, /) -> Array:
        return ops.matmul(x1, x2)

    def matrix_norm(self, x: Array, /, *, keepdims: bool = False, ord: Any = "fro") -> Array:
        return ops.linalg_matrix_norm(x, ord, (-2, -1), keepdims)

    def matrix_rank(self, x: Array, /, *, rtol: Any = None) -> Array:
        return ops.linalg_matrix_rank(x, rtol=rtol)

    def matrix_transpose(self, x: Array, /) -> Array:
        return ops.transpose(x, -2, -1)

    def outer(self, x1: Array, x2: Array, /) -> Array:
        return ops.outer(x1, x2)

    def pinv(self, x: Array, /, *, rtol: Any = None) -> Array:
        return ops.linalg_pinv(x, rtol=rtol)

    def qr(self, x: Array, /, *, mode: str = "reduced") -> Any:
        return ops.linalg_qr(x, mode)

    def solve(self, x1: Array, x2: Array, /) -> Array:
        rank, other = len(x1._spec.shape), len(x2._spec.shape)
        if 1 < other < rank:  # a stack of matrices here; PyTorch might take it for a stack of vectors
            x2 = ops.reshape(x2, (1,) * (rank - other) + x2._spec.shape)
        return ops.linalg_solve(x1, x2)

    def svd(self, x: Array, /, *, full_matrices: bool = True) -> Any:
        return ops.linalg_svd(x, full_matrices=full_matrices)

    def tensordot(self, x1: Array, x2: Array, /, *, axes: Any = 2) -> Array:
        return ops.tensordot(x1, x2, axes)

    def trace(self, x: Array, /, *, offset: int = 0, dtype: Any = None) -> Array:
        diagonal = ops.diagonal(x, offset, -2, -1)
        return ops.sum(diagonal if dtype is None else ops.to(diagonal, dtype), -1)

    def vecdot(self, x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
        return vecdot(x1, x2, axis=axis)

    def vector_norm(self, x: Array, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Array:
        return ops.linalg_vector_norm(x, ord, axis, keepdims)


def tensordot(x1: Array, x2: Array, /, *, axes: Any = 2) -> Array:
    return ops.tensordot(x1, x2, axes)


def vecdot(x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    products = (ops.conj_physical(x1) if x1._spec.is_complex else x1) * x2
    return ops.to(ops.sum(products, axis), products._spec.dtype)  # small integers stay small in the standard


class FourierSection(Section):
    """`xp.fft`."""

    prefix = "fft"

    def fftfreq(self, n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Array:
        return self._frequencies("fftfreq", n, d, dtype, device)

    def rfftfreq(self, n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Array:
        return self._frequencies("rfftfreq", n, d, dtype, device)

    def _frequencies(self, name: str, n: int, d: float, dtype: Any, device: Any) -> Array:
        """Make FFT frequencies from integers, since not every library takes a dtype for them."""
        kind = _dtypes.get_default_dtype() if dtype is None else _dtypes.as_dtype(dtype)
        half = n // 2 + 1 if name == "rfftfreq" else (n - 1) // 2 + 1
        counts = [*range(half)] if name == "rfftfreq" else [*range(half), *range(half - n, 0)]
        values = [count / (n * d) for count in counts]
        return ops.tensor(values, dtype=kind, device=device, like=self.inner)

    def fftshift(self, x: Array, /, *, axes: Any = None) -> Array:
        return self._shift(x, axes, 1)

    def ifftshift(self, x: Array, /, *, axes: Any = None) -> Array:
        return self._shift(x, axes, -1)

    def _shift(self, x: Array, axes: Any, direction: int) -> Array:
        shape = x._spec.shape
        chosen = range(len(shape)) if axes is None else (axes,) if isinstance(axes, int) else axes
        chosen = tuple(chosen)
        half = [shape[axis] // 2 if direction == 1 else -(shape[axis] // 2) for axis in chosen]
        return ops.roll(x, tuple(half), chosen)


class SpecialSection(Section):
    """`xp.special`: the functions of `scipy.special` that are operators here; SciPy computes the others itself."""

    prefix = "special"

    def __getattr__(self, name: str) -> Any:
        if name not in SCIPY:
            raise AttributeError(f"adjoint's array API namespace has no special.{name}")
        found = self.__dict__[name] = getattr(ops, SCIPY[name])
        return found

    def sinc(self, x: Array, /) -> Array:
        return ops.sinc(x)

    def multigammaln(self, a: Array, d: Any, /) -> Array:
        return ops.mvlgamma(a, int(d))

    def zeta(self, x: Array, q: Any = None, /) -> Array:
        return ops.special_zeta(x, 1.0 if q is None else q)

    def polygamma(self, n: Any, x: Array, /) -> Array:
        if isinstance(n, int):
            return ops.polygamma(n, x)
        sign = 1 - 2 * ((n + 1) % 2)  # one order for each element, by Hurwitz's zeta function
        return ops.where(n == 0, ops.digamma(x), sign * ops.exp(ops.lgamma(n + 1)) * ops.special_zeta(n + 1, x))


def _one_axis(name: str) -> Any:
    def transform(self: Any, x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
        return getattr(ops, name)(x, n, axis, norm)

    return transform


def _many_axes(name: str) -> Any:
    def transform(self: Any, x: Array, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Array:
        return getattr(ops, name)(x, s, axes, norm)

    return transform


for _name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    setattr(FourierSection, _name, _one_axis(f"fft_{_name}"))
for _name in ("fftn", "ifftn", "rfftn", "irfftn"):
    setattr(FourierSection, _name, _many_axes(f"fft_{_name}"))
