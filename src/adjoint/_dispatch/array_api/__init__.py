"""The array API over tensors: the `xp` of rules when gradients are recorded, and of tensors inside tensors.

`Tensor.__array_namespace__` returns it, so code written for the standard runs on tensors and is differentiable. There
is one namespace for each array library, since functions like `zeros` have to know what to put into their tensor.
"""

from __future__ import annotations

import functools
import math
from types import FunctionType
from typing import Any

import numpy

from adjoint import _dtypes
from adjoint._core.tensor import Tensor
from adjoint._core.views.memory import wrap_given
from adjoint._dispatch import factory
from adjoint._dispatch.array_api import functions, sets
from adjoint._dispatch.array_api.extensions import FourierSection, LinalgSection, SpecialSection, tensordot, vecdot
from adjoint._dispatch.array_api.functions import promote
from adjoint._dispatch.table import ops
from adjoint.arrays import CPU, Namespace, numpy_namespace, register
from adjoint.arrays.standard import EXTRAS, SCIPYS_ONLY, STANDARD

RENAMED = {
    "bitwise_invert": "bitwise_not", "equal": "eq", "expit": "sigmoid", "betainc": "special_betainc",
    "betaln": "special_betaln", "entr": "special_entr", "erfcx": "special_erfcx", "gammainc": "igamma",
    "gammaincc": "igammac", "i0e": "special_i0e", "i1": "special_i1", "i1e": "special_i1e",
    "log_ndtr": "special_log_ndtr", "ndtr": "special_ndtr", "ndtri": "special_ndtri", "xlog1py": "special_xlog1py",
    "zeta": "special_zeta", "j0": "special_bessel_j0", "j1": "special_bessel_j1", "y0": "special_bessel_y0",
    "y1": "special_bessel_y1", "k0": "special_modified_bessel_k0", "k1": "special_modified_bessel_k1",
    "k0e": "special_scaled_modified_bessel_k0", "k1e": "special_scaled_modified_bessel_k1",
}  # fmt: skip
"""The standard's names (and our extras') where ours, which are PyTorch's, are different."""

_CONSTANTS = {"e": math.e, "inf": math.inf, "nan": math.nan, "newaxis": None, "pi": math.pi}

# The functions of the module are the namespace's own; they go into its instances' dictionaries, so that a use of one
# costs no more than an attribute.
_FUNCTIONS = (
    {
        name: function
        for name, function in vars(functions).items()
        if isinstance(function, FunctionType) and function.__module__ == functions.__name__ and name[0] != "_"
    }
    | {"tensordot": tensordot, "vecdot": vecdot}
    | {name: getattr(sets, name) for name in sets.__all__}
)

_CREATES_LIKE = ("empty_like", "full_like", "ones_like", "zeros_like")

# Beyond the standard: operators that mean the same in NumPy, so that code which asks for them gets what it expects.
_AS_IN_NUMPY = frozenset("deg2rad diag fmax fmin heaviside kron logaddexp2 nan_to_num rad2deg sinc".split())

_BINARY = frozenset(
    """
    add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign divide equal
    floor_divide greater greater_equal hypot less less_equal logaddexp maximum minimum multiply nextafter not_equal pow
    remainder subtract
    """.split()
)


class TensorNamespace(Namespace):
    """Tensors as arrays: every function is one of our operators, so everything computed with it is differentiable.

    Args:
        inner: the namespace of the arrays inside the tensors that `zeros` and its kind make.
    """

    __name__ = "adjoint"  # by which array-api-compat and SciPy tell libraries apart

    name = "adjoint"
    rank = 100
    mutable = False  # a tensor inside a tensor is never written to: its own history would have to follow
    has_views = False
    of_tensors = True
    __array_api_version__ = "2024.12"

    def __init__(self, inner: Namespace) -> None:
        super().__init__()
        self.inner = inner
        self.__dict__.update(_CONSTANTS)
        self.__dict__.update(_FUNCTIONS)
        self.__dict__.update({name: getattr(ops, name) for name in _CREATES_LIKE})
        self.linalg = LinalgSection(inner)
        self.fft = FourierSection(inner)
        self.special = SpecialSection(inner)

    def _find(self, name: str) -> Any:
        dtype = _dtypes.bool_ if name == "bool" else vars(_dtypes).get(name)
        if isinstance(dtype, _dtypes.dtype):
            return dtype
        # Other operators stay out of sight: code that finds a `median` here expects NumPy's, which is another number.
        if name in STANDARD or name in EXTRAS or name in _AS_IN_NUMPY:
            try:
                operator = getattr(ops, RENAMED.get(name) or (f"special_{name}" if name in SCIPYS_ONLY else name))
                return _with_standard_promotion(operator) if name in _BINARY else operator
            except AttributeError:
                pass
        where = "the array API, but no operator does it yet" if name in STANDARD else "no function of the array API"
        raise AttributeError(f"adjoint's array API namespace has no {name!r}: it is {where}")

    def __array_namespace_info__(self) -> Any:
        return sets.Info()

    # ---- making arrays ---------------------------------------------------------------------------------------------

    def asarray(self, obj: Any, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Any:
        if isinstance(obj, Tensor):
            return ops.asarray(obj, dtype=dtype, device=device, copy=copy)
        return ops.asarray(obj, dtype=dtype, device=device, copy=copy, like=self.inner)

    def arange(self, start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None) -> Any:
        bounds = (0, start) if stop is None else (start, stop)
        if (bounds[1] - bounds[0]) * step <= 0:
            return self.zeros((0,), dtype=dtype or factory.number_dtype(*bounds, step), device=device)
        return ops.arange(*bounds, step, dtype=dtype, device=device, like=self.inner)

    def empty(self, shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
        return ops.empty(shape, dtype=dtype, device=device, like=self.inner)

    def full(self, shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
        return ops.full(shape, fill_value, dtype=dtype, device=device, like=self.inner)

    def ones(self, shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
        return ops.ones(shape, dtype=dtype, device=device, like=self.inner)

    def zeros(self, shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
        return ops.zeros(shape, dtype=dtype, device=device, like=self.inner)

    def eye(
        self, n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: Any = None, device: Any = None
    ) -> Any:
        return ops.eye(n_rows, n_cols, k=k, dtype=dtype, device=device, like=self.inner)

    def from_dlpack(self, x: Any, /, *, device: Any = None, copy: bool | None = None) -> Any:
        return ops.from_dlpack(x, device=device, copy=copy)

    def linspace(
        self, start: Any, stop: Any, /, num: int, *, dtype: Any = None, device: Any = None, endpoint: bool = True
    ) -> Any:
        if endpoint:
            return ops.linspace(start, stop, num, dtype=dtype, device=device, like=self.inner)
        whole = ops.linspace(start, stop, num + 1, dtype=dtype, device=device, like=self.inner)
        return whole[:num]

    def where(self, condition: Any, x1: Any, x2: Any, /) -> Any:
        return ops.where(condition, *_promote_operands(x1, x2))

    # ---- types and devices -----------------------------------------------------------------------------------------

    def dtype_of(self, array: Any) -> _dtypes.dtype:
        return array._spec.dtype

    def native_dtype(self, dtype: Any) -> Any:
        return _dtypes.as_dtype(dtype)

    def native_device(self, device: Any) -> Any:
        return device

    def device_of(self, array: Any) -> Any:
        return array._spec.device

    def to_device(self, array: Any, device: Any) -> Any:
        return ops.to(array, device)

    def key(self, array: Any) -> Any:
        return array._spec

    def level_of(self, array: Any) -> int:
        return array._spec.level + 1

    # ---- conversion ------------------------------------------------------------------------------------------------

    def ensure_array(self, x: Any) -> Any:
        return x

    def can_lift(self, array: Any) -> bool:
        return True

    def lift(self, array: Any) -> Any:
        if isinstance(array, Tensor):
            return array
        return wrap_given(array) if isinstance(array, numpy.ndarray) else Tensor(array)

    def to_numpy(self, array: Any) -> Any:
        return array._spec.namespace.to_numpy(array._array)

    def errstate(self) -> Any:
        return numpy_namespace.errstate()

    # ---- memory ----------------------------------------------------------------------------------------------------

    def strides(self, array: Any) -> tuple[int, ...]:
        return array._spec.namespace.strides(array._array)

    def data_ptr(self, array: Any) -> int:
        return array._spec.namespace.data_ptr(array._array)


def _with_standard_promotion(operator: Any) -> Any:
    @functools.wraps(operator)
    def function(x1: Any, x2: Any, /) -> Any:
        return operator(*_promote_operands(x1, x2))

    return function


def _promote_operands(x1: Any, x2: Any) -> tuple[Any, Any]:
    """Cast two operands to their common dtype; operators would promote 0-dim ones as numbers."""
    if isinstance(x1, Tensor) and isinstance(x2, Tensor) and x1._spec.dtype is not x2._spec.dtype:
        common = promote(x1._spec.dtype, x2._spec.dtype)
        return ops.to(x1, common), ops.to(x2, common)
    return x1, x2


_over: dict[Namespace, TensorNamespace] = {}


def namespace_over(inner: Namespace) -> TensorNamespace:
    """Return the namespace of tensors that hold arrays of a library."""
    found = _over.get(inner)
    if found is None:
        found = _over[inner] = TensorNamespace(inner)
    return found


tensor_namespace: Any = namespace_over(numpy_namespace)
register(Tensor, tensor_namespace)  # tensors inside tensors

__all__ = ["CPU", "TensorNamespace", "namespace_over", "tensor_namespace"]
