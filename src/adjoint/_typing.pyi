# Written by `make generate` from the operator table; do not edit.
"""Types for type checkers only: the methods of Tensor, and the aliases that annotations use."""

import builtins
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import EllipsisType
from typing import Any, Literal, ParamSpec, Protocol, Self, TypeAlias, TypeVar, TypeVarTuple, overload

import numpy
from numpy.typing import NDArray
from typing_extensions import Buffer

from adjoint import Generator as Generator
from adjoint import Size as Size
from adjoint import Tensor as Tensor
from adjoint import device, dtype, layout, memory_format
from adjoint._dispatch import return_types
from adjoint._ops.memory.detach import UntypedStorage
from adjoint.autograd.function import FunctionCtx as FunctionCtx
from adjoint.autograd.graph import GradientEdge as GradientEdge
from adjoint.autograd.graph import Node as Node

Params = ParamSpec("Params")
Returned = TypeVar("Returned")
Returned_co = TypeVar("Returned_co", covariant=True)
Primals = TypeVarTuple("Primals")
X = TypeVar("X")
Y = TypeVar("Y")
Aux = TypeVar("Aux")
Key = TypeVar("Key")
Function = TypeVar("Function", bound=Callable[..., Any])
TensorType = TypeVar("TensorType", bound=Tensor)

class Array(Protocol):
    """An array of a library that follows the array API standard."""

    def __array_namespace__(self) -> Any: ...

class TakesOver(Protocol):
    """An object that handles operations on itself; see `adjoint.overrides`."""

    @property
    def __adjoint_function__(self) -> Any: ...

class SupportsDLPack(Protocol):
    """An object whose memory other libraries can share."""

    def __dlpack__(self) -> Any: ...

class ForwardWithContext(Protocol[Params, Returned_co]):
    """A Function whose forward takes a context first."""

    @staticmethod
    def forward(ctx: FunctionCtx, /, *args: Params.args, **kwargs: Params.kwargs) -> Returned_co: ...

class ForwardAlone(Protocol[Params, Returned_co]):
    """A Function whose forward takes the arguments only."""

    @staticmethod
    def forward(*args: Params.args, **kwargs: Params.kwargs) -> Returned_co: ...

class Apply:
    """`Function.apply`: takes and returns what the subclass's forward does."""

    @overload
    def __get__(
        self, instance: object, owner: type[ForwardWithContext[Params, Returned]], /
    ) -> Callable[Params, Returned]: ...
    @overload
    def __get__(
        self, instance: object, owner: type[ForwardAlone[Params, Returned]], /
    ) -> Callable[Params, Returned]: ...

Device: TypeAlias = device
Dtype: TypeAlias = dtype
Layout: TypeAlias = layout
MemoryFormat: TypeAlias = memory_format
Number: TypeAlias = complex | numpy.generic
Operand: TypeAlias = Tensor | Array | TakesOver | Number
TensorData: TypeAlias = Operand | Sequence["TensorData"] | SupportsDLPack | Buffer
DtypeLike: TypeAlias = Dtype | str | type[complex] | type[numpy.generic] | numpy.dtype[Any]
DeviceLike: TypeAlias = Device | str
IndexItem: TypeAlias = Tensor | Array | int | slice | EllipsisType | Sequence[int] | Sequence[Sequence[int]] | None
Index: TypeAlias = IndexItem | tuple[IndexItem, ...]
Tensors: TypeAlias = Tensor | Sequence[Tensor]
Ends: TypeAlias = Tensor | GradientEdge | Sequence[Tensor | GradientEdge]

class TensorMethods:
    """What operators and other modules add to Tensor: the methods, properties and Python's operators."""
    @property
    def H(self) -> Tensor:
        """Conjugate transpose of a matrix."""
    @property
    def T(self) -> Tensor:
        """Transpose: the dimensions in reverse order."""
    def __abs__(self) -> Tensor: ...
    def __add__(self, other: Operand, /) -> Tensor: ...
    @classmethod
    def __adjoint_function__(
        cls,
        func: Callable[..., Any],
        types: Iterable[builtins.type],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any: ...
    def __and__(self, other: Operand, /) -> Tensor: ...
    def __array__(self, dtype: Any = None, copy: builtins.bool | None = None) -> NDArray[Any]: ...
    def __array_function__(self, other: Operand, /) -> Tensor: ...
    def __array_namespace__(self, *, api_version: str | None = None) -> Any: ...
    __array_priority__: builtins.int
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any: ...
    def __bool__(self) -> builtins.bool: ...
    def __complex__(self) -> complex: ...
    def __contains__(self, element: Operand, /) -> builtins.bool: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: dict[builtins.int, Any], /) -> Self: ...
    def __delitem__(self, key: Index, /) -> None: ...
    def __divmod__(self, other: Operand, /) -> tuple[Tensor, Tensor]: ...
    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[builtins.int, builtins.int] | None = None,
        dl_device: tuple[Any, builtins.int] | None = None,
        copy: builtins.bool | None = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> tuple[builtins.int, builtins.int]: ...
    def __eq__(self, other: object, /) -> Tensor:  # type: ignore[override]
        ...
    def __float__(self) -> builtins.float: ...
    def __floordiv__(self, other: Operand, /) -> Tensor: ...
    def __ge__(self, other: Operand, /) -> Tensor: ...
    def __getitem__(self, key: Index, /) -> Tensor: ...
    def __gt__(self, other: Operand, /) -> Tensor: ...
    def __hash__(self) -> builtins.int: ...
    def __iadd__(self, other: Operand, /) -> Self: ...
    def __iand__(self, other: Operand, /) -> Self: ...
    def __ifloordiv__(self, other: Operand, /) -> Self: ...
    def __ilshift__(self, other: Operand, /) -> Self: ...
    def __imod__(self, other: Operand, /) -> Self: ...
    def __imul__(self, other: Operand, /) -> Self: ...
    def __index__(self) -> builtins.int: ...
    def __int__(self) -> builtins.int: ...
    def __invert__(self) -> Tensor: ...
    def __ior__(self, other: Operand, /) -> Self: ...
    def __ipow__(self, other: Operand, /) -> Self: ...
    def __irshift__(self, other: Operand, /) -> Self: ...
    def __isub__(self, other: Operand, /) -> Self: ...
    def __iter__(self) -> Iterator[Tensor]: ...
    def __itruediv__(self, other: Operand, /) -> Self: ...
    def __ixor__(self, other: Operand, /) -> Self: ...
    def __le__(self, other: Operand, /) -> Tensor: ...
    def __len__(self) -> builtins.int: ...
    def __lshift__(self, other: Operand, /) -> Tensor: ...
    def __lt__(self, other: Operand, /) -> Tensor: ...
    def __matmul__(self, other: Operand, /) -> Tensor: ...
    def __mod__(self, other: Operand, /) -> Tensor: ...
    def __mul__(self, other: Operand, /) -> Tensor: ...
    def __ne__(self, other: object, /) -> Tensor:  # type: ignore[override]
        ...
    def __neg__(self) -> Tensor: ...
    def __or__(self, other: Operand, /) -> Tensor: ...
    def __pos__(self) -> Tensor: ...
    def __pow__(self, other: Operand, /) -> Tensor: ...
    def __radd__(self, other: Operand, /) -> Tensor: ...
    def __rand__(self, other: Operand, /) -> Tensor: ...
    def __rdivmod__(self, other: Operand, /) -> tuple[Tensor, Tensor]: ...
    def __reversed__(self) -> Tensor: ...
    def __rfloordiv__(self, other: Operand, /) -> Tensor: ...
    def __rlshift__(self, other: Operand, /) -> Tensor: ...
    def __rmatmul__(self, other: Operand, /) -> Tensor: ...
    def __rmod__(self, other: Operand, /) -> Tensor: ...
    def __rmul__(self, other: Operand, /) -> Tensor: ...
    def __ror__(self, other: Operand, /) -> Tensor: ...
    def __round__(self, ndigits: builtins.int | None = None, /) -> Tensor: ...
    def __rpow__(self, other: Operand, /) -> Tensor: ...
    def __rrshift__(self, other: Operand, /) -> Tensor: ...
    def __rshift__(self, other: Operand, /) -> Tensor: ...
    def __rsub__(self, other: Operand, /) -> Tensor: ...
    def __rtruediv__(self, other: Operand, /) -> Tensor: ...
    def __rxor__(self, other: Operand, /) -> Tensor: ...
    def __setitem__(self, key: Index, value: Operand, /) -> None: ...
    def __sub__(self, other: Operand, /) -> Tensor: ...
    def __truediv__(self, other: Operand, /) -> Tensor: ...
    def __xor__(self, other: Operand, /) -> Tensor: ...
    @property
    def _base(self) -> Tensor:
        """The tensor that this one is a view of, or None."""
    def _is_view(self) -> builtins.bool:
        """Whether the tensor is a differentiable view of another; views of inference tensors are not."""
    @staticmethod
    def _make_subclass(cls: builtins.type[TensorType], data: Tensor, require_grad: builtins.bool = False) -> TensorType:  # pyright: ignore[reportSelfClsParameterName]
        """A leaf of a subclass that shares the memory of `data`; for use in a subclass's ``__new__``."""
    def abs(self) -> Tensor:
        """Absolute value of each element (modulus of complex ones). The derivative at zero is zero."""
    def abs_(self) -> Self:
        """In-place version of `abs`."""
    def absolute(self) -> Tensor:
        """Absolute value of each element (modulus of complex ones). The derivative at zero is zero."""
    def absolute_(self) -> Self:
        """In-place version of `abs`."""
    def acos(self) -> Tensor:
        """Inverse cosine (arccos)."""
    def acos_(self) -> Self:
        """In-place version of `acos`."""
    def acosh(self) -> Tensor:
        """Inverse hyperbolic cosine."""
    def acosh_(self) -> Self:
        """In-place version of `acosh`."""
    def add(self, other: Operand, *, alpha: Number | None = None) -> Tensor:
        """Add two tensors elementwise: ``input + alpha * other``."""
    def add_(self, other: Operand, *, alpha: Number | None = None) -> Self:
        """In-place version of `add`."""
    def addbmm(self, batch1: Operand, batch2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """Sum of batched matrix products, with addition: ``beta * input + alpha * bmm(...).sum(0)``."""
    def addbmm_(self, batch1: Operand, batch2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Self:
        """In-place version of `addbmm`."""
    def addcdiv(self, tensor1: Operand, tensor2: Operand, *, value: Number = 1) -> Tensor:
        """Elementwise ``input + value * tensor1 / tensor2``."""
    def addcdiv_(self, tensor1: Operand, tensor2: Operand, *, value: Number = 1) -> Self:
        """In-place version of `addcdiv`."""
    def addcmul(self, tensor1: Operand, tensor2: Operand, *, value: Number = 1) -> Tensor:
        """Elementwise ``input + value * tensor1 * tensor2``."""
    def addcmul_(self, tensor1: Operand, tensor2: Operand, *, value: Number = 1) -> Self:
        """In-place version of `addcmul`."""
    def addmm(self, mat1: Operand, mat2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """Matrix product with addition: ``beta * input + alpha * (mat1 @ mat2)``."""
    def addmm_(self, mat1: Operand, mat2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Self:
        """In-place version of `addmm`."""
    def addmv(self, mat: Operand, vec: Operand, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """Matrix-vector product with addition: ``beta * input + alpha * (mat @ vec)``."""
    def addmv_(self, mat: Operand, vec: Operand, *, beta: Number = 1, alpha: Number = 1) -> Self:
        """In-place version of `addmv`."""
    def addr(self, vec1: Operand, vec2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """Outer product with addition: ``beta * input + alpha * outer(vec1, vec2)``."""
    def addr_(self, vec1: Operand, vec2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Self:
        """In-place version of `addr`."""
    def adjoint(self) -> Tensor:
        """Conjugate transpose: the last two dimensions swapped, and the elements conjugated."""
    def all(
        self,
        dim: builtins.int | Sequence[builtins.int] | None = None,
        keepdim: builtins.bool = False,
        *,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Test whether all elements are nonzero (true), of all or over dimensions."""
    def allclose(
        self,
        other: Tensor,
        rtol: builtins.float = 1e-05,
        atol: builtins.float = 1e-08,
        equal_nan: builtins.bool = False,
    ) -> builtins.bool:
        """Test whether all elements of two tensors are close (see `isclose`); returns a Python bool."""
    def amax(
        self,
        dim: builtins.int | Sequence[builtins.int] = (),
        keepdim: builtins.bool = False,
        *,
        axis: builtins.int | Sequence[builtins.int] = (),
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Maximum of elements, of all or over dimensions. Equal maxima share the gradient."""
    def amin(
        self,
        dim: builtins.int | Sequence[builtins.int] = (),
        keepdim: builtins.bool = False,
        *,
        axis: builtins.int | Sequence[builtins.int] = (),
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Minimum of elements, of all or over dimensions. Equal minima share the gradient."""
    def aminmax(
        self,
        *,
        dim: builtins.int | Sequence[builtins.int] | None = None,
        keepdim: builtins.bool = False,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
    ) -> return_types.aminmax:
        """Minimum and maximum of elements, of all or over a dimension."""
    def angle(self) -> Tensor:
        """Angle (argument, phase) of each element in the complex plane, between -pi and pi."""
    def any(
        self,
        dim: builtins.int | Sequence[builtins.int] | None = None,
        keepdim: builtins.bool = False,
        *,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Test whether any element is nonzero (true), of all or over dimensions."""
    def apply_(self, callable: Callable[[Any], Number]) -> Self:
        """Replace each element by a Python function of it. Slow, and not recorded."""
    def arccos(self) -> Tensor:
        """Inverse cosine (arccos)."""
    def arccos_(self) -> Self:
        """In-place version of `acos`."""
    def arccosh(self) -> Tensor:
        """Inverse hyperbolic cosine."""
    def arccosh_(self) -> Self:
        """In-place version of `acosh`."""
    def arcsin(self) -> Tensor:
        """Inverse sine (arcsine)."""
    def arcsin_(self) -> Self:
        """In-place version of `asin`."""
    def arcsinh(self) -> Tensor:
        """Inverse hyperbolic sine."""
    def arcsinh_(self) -> Self:
        """In-place version of `asinh`."""
    def arctan(self) -> Tensor:
        """Inverse tangent (arctangent)."""
    def arctan2(self, other: Operand) -> Tensor:
        """Inverse tangent of ``input / other`` in the correct quadrant: the angle of the point (other, input)."""
    def arctan2_(self, other: Operand) -> Self:
        """In-place version of `atan2`."""
    def arctan_(self) -> Self:
        """In-place version of `atan`."""
    def arctanh(self) -> Tensor:
        """Inverse hyperbolic tangent."""
    def arctanh_(self) -> Self:
        """In-place version of `atanh`."""
    def argmax(
        self,
        dim: builtins.int | None = None,
        keepdim: builtins.bool = False,
        *,
        axis: builtins.int | None = None,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Index of the maximum (the first of equal ones), of all elements or along a dimension."""
    def argmin(
        self,
        dim: builtins.int | None = None,
        keepdim: builtins.bool = False,
        *,
        axis: builtins.int | None = None,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Index of the minimum (the first of equal ones), of all elements or along a dimension."""
    def argsort(
        self,
        dim: builtins.int = -1,
        descending: builtins.bool = False,
        stable: builtins.bool = False,
        *,
        axis: builtins.int = -1,
    ) -> Tensor:
        """Indices that sort a tensor along a dimension."""
    def argwhere(self) -> Tensor:
        """Indices of the nonzero elements, one row per element."""
    @property
    def array(self) -> Any:
        """The array inside: NumPy's, JAX's, another tensor; what is computed from it has no history and no tangent."""
    def as_strided(
        self,
        size: Sequence[builtins.int],
        stride: builtins.int | Sequence[builtins.int],
        storage_offset: builtins.int | None = None,
    ) -> Tensor:
        """Strided view of the memory behind a tensor, with any shape, strides and offset (in elements)."""
    def as_strided_(
        self,
        size: Sequence[builtins.int],
        stride: builtins.int | Sequence[builtins.int],
        storage_offset: builtins.int | None = None,
    ) -> Self:
        """In-place version of `as_strided`."""
    def as_strided_scatter(
        self,
        src: Tensor,
        size: Sequence[builtins.int],
        stride: builtins.int | Sequence[builtins.int],
        storage_offset: builtins.int | None = None,
    ) -> Tensor:
        """Copy with `src` embedded in the elements that `as_strided` would view."""
    def as_subclass(self, cls: builtins.type[TensorType]) -> TensorType:
        """View the tensor as an object of a subclass of Tensor, with the same history."""
    def asin(self) -> Tensor:
        """Inverse sine (arcsine)."""
    def asin_(self) -> Self:
        """In-place version of `asin`."""
    def asinh(self) -> Tensor:
        """Inverse hyperbolic sine."""
    def asinh_(self) -> Self:
        """In-place version of `asinh`."""
    def astype(self, dtype: DtypeLike, copy: builtins.bool = True) -> Tensor:
        """The tensor with another dtype; NumPy's name of ``to(dtype)``."""
    def atan(self) -> Tensor:
        """Inverse tangent (arctangent)."""
    def atan2(self, other: Operand) -> Tensor:
        """Inverse tangent of ``input / other`` in the correct quadrant: the angle of the point (other, input)."""
    def atan2_(self, other: Operand) -> Self:
        """In-place version of `atan2`."""
    def atan_(self) -> Self:
        """In-place version of `atan`."""
    def atanh(self) -> Tensor:
        """Inverse hyperbolic tangent."""
    def atanh_(self) -> Self:
        """In-place version of `atanh`."""
    def baddbmm(self, batch1: Operand, batch2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """Batched matrix product with addition: ``beta * input + alpha * bmm(batch1, batch2)``."""
    def baddbmm_(self, batch1: Operand, batch2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Self:
        """In-place version of `baddbmm`."""
    def bernoulli(self, p: builtins.float | None = None, *, generator: Generator | None = None) -> Tensor:
        """Random zeros and ones (Bernoulli distribution); the elements are the probabilities of one."""
    def bernoulli_(self, p: builtins.float = 0.5, generator: Generator | None = None) -> Self:
        """Fill with random zeros and ones (Bernoulli distribution); one with probability `p`."""
    def bfloat16(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """Convert to dtype bfloat16."""
    def bincount(self, weights: Operand | None = None, minlength: builtins.int = 0) -> Tensor:
        """Count occurrences of each non-negative integer, or add their weights."""
    def bitwise_and(self, other: Operand) -> Tensor:
        """Bitwise AND of integers or booleans, elementwise."""
    def bitwise_and_(self, other: Operand) -> Self:
        """In-place version of `bitwise_and`."""
    def bitwise_left_shift(self, other: Operand) -> Tensor:
        """Left shift of the bits of `input` by `other`."""
    def bitwise_left_shift_(self, other: Operand) -> Self:
        """In-place version of `bitwise_left_shift`."""
    def bitwise_not(self) -> Tensor:
        """Bitwise NOT of each element; logical NOT for booleans."""
    def bitwise_not_(self) -> Self:
        """In-place version of `bitwise_not`."""
    def bitwise_or(self, other: Operand) -> Tensor:
        """Bitwise OR of integers or booleans, elementwise."""
    def bitwise_or_(self, other: Operand) -> Self:
        """In-place version of `bitwise_or`."""
    def bitwise_right_shift(self, other: Operand) -> Tensor:
        """Right shift of the bits of `input` by `other`."""
    def bitwise_right_shift_(self, other: Operand) -> Self:
        """In-place version of `bitwise_right_shift`."""
    def bitwise_xor(self, other: Operand) -> Tensor:
        """Bitwise XOR of integers or booleans, elementwise."""
    def bitwise_xor_(self, other: Operand) -> Self:
        """In-place version of `bitwise_xor`."""
    def bmm(self, mat2: Operand) -> Tensor:
        """Batched matrix product."""
    def bool(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """Convert to dtype bool."""
    @overload
    def broadcast_to(self, size: Sequence[builtins.int]) -> Tensor:
        """Broadcast to a shape, as a view."""
    @overload
    def broadcast_to(self, *size: builtins.int) -> Tensor:
        """Broadcast to a shape, as a view."""
    def byte(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """Convert to dtype uint8."""
    def cauchy_(
        self, median: builtins.float = 0.0, sigma: builtins.float = 1.0, *, generator: Generator | None = None
    ) -> Self:
        """Fill with random numbers from a Cauchy distribution."""
    def cdouble(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """Convert to dtype complex128."""
    def ceil(self) -> Tensor:
        """Round each element up to an integer (ceiling)."""
    def ceil_(self) -> Self:
        """In-place version of `ceil`."""
    def cfloat(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """Convert to dtype complex64."""
    def char(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """Convert to dtype int8."""
    def cholesky(self, upper: builtins.bool = False) -> Tensor:
        """Cholesky decomposition of Hermitian positive definite matrices; see `linalg.cholesky`."""
    def cholesky_inverse(self, upper: builtins.bool = False) -> Tensor:
        """Inverse of A given its Cholesky factor."""
    def cholesky_solve(self, input2: Operand, upper: builtins.bool = False) -> Tensor:
        """Solve ``A @ X = input`` given the Cholesky factor of A."""
    def chunk(self, chunks: builtins.int, dim: builtins.int = 0, *, axis: builtins.int = 0) -> tuple[Tensor, ...]:
        """Split into at most `chunks` views of equal size along a dimension."""
    def clamp(self, min: Operand | None = None, max: Operand | None = None) -> Tensor:
        """Clamp (clip) each element to [`min`, `max`]. The gradient passes at the bounds, too."""
    def clamp_(self, min: Operand | None = None, max: Operand | None = None) -> Self:
        """In-place version of `clamp`."""
    def clamp_max(self, max: Operand) -> Tensor:
        """Clamp each element from above: ``min(x, max)``."""
    def clamp_max_(self, max: Operand) -> Self:
        """In-place version of `clamp_max`."""
    def clamp_min(self, min: Operand) -> Tensor:
        """Clamp each element from below: ``max(x, min)``."""
    def clamp_min_(self, min: Operand) -> Self:
        """In-place version of `clamp_min`."""
    def clip(self, min: Operand | None = None, max: Operand | None = None) -> Tensor:
        """Clamp (clip) each element to [`min`, `max`]. The gradient passes at the bounds, too."""
    def clip_(self, min: Operand | None = None, max: Operand | None = None) -> Self:
        """In-place version of `clamp`."""
    def clone(self, *, memory_format: MemoryFormat | None = None) -> Tensor:
        """Copy a tensor; gradients pass through the copy."""
    def combinations(self, r: builtins.int = 2, with_replacement: builtins.bool = False) -> Tensor:
        """Combinations of `r` elements of a vector, one per row, in the order of `itertools`."""
    def conj(self) -> Tensor:
        """Complex conjugate of each element; a real tensor is returned unchanged."""
    def conj_physical(self) -> Tensor:
        """Complex conjugate of each element; a real tensor is returned unchanged."""
    def conj_physical_(self) -> Self:
        """In-place version of `conj_physical`."""
    def conjugate(self) -> Tensor:
        """Complex conjugate of each element; NumPy's name of `conj`."""
    def contiguous(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """Return the tensor if it is contiguous in memory, else a contiguous copy."""
    def copy(self) -> Tensor:
        """A copy of the tensor, recorded; NumPy's name of `clone`."""
    def copy_(self, src: Tensor | Array | Number, non_blocking: builtins.bool = False) -> Self:
        """Copy the values of another tensor into this one, with broadcasting and conversion."""
    def copysign(self, other: Operand) -> Tensor:
        """Magnitude of `input` with the sign of `other`, elementwise. The derivative at zero is zero."""
    def copysign_(self, other: Operand) -> Self:
        """In-place version of `copysign`."""
    def corrcoef(self) -> Tensor:
        """Correlation matrix (Pearson coefficients) of variables (rows) from observations (columns)."""
    def cos(self) -> Tensor:
        """Cosine of each element."""
    def cos_(self) -> Self:
        """In-place version of `cos`."""
    def cosh(self) -> Tensor:
        """Hyperbolic cosine of each element."""
    def cosh_(self) -> Self:
        """In-place version of `cosh`."""
    def count_nonzero(
        self,
        dim: builtins.int | Sequence[builtins.int] | None = None,
        *,
        axis: builtins.int | Sequence[builtins.int] | None = None,
    ) -> Tensor:
        """Number of nonzero elements, of all or over dimensions."""
    def cov(
        self, *, correction: builtins.float = 1, fweights: Tensor | None = None, aweights: Tensor | None = None
    ) -> Tensor:
        """Covariance matrix of variables (rows) from observations (columns)."""
    def cpu(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """Copy to host memory (the CPU), unless it is there."""
    def cross(
        self, other: Tensor | Number, dim: builtins.int | None = None, *, axis: builtins.int | None = None
    ) -> Tensor:
        """Cross product of three-dimensional vectors along a dimension."""
    def cuda(
        self,
        device: DeviceLike | None = None,
        non_blocking: builtins.bool = False,
        memory_format: MemoryFormat | None = None,
    ) -> Tensor:
        """Copy to a GPU (the current one unless a device or a number is given), as an array of CuPy or JAX."""
    @overload
    def cummax(self, dim: builtins.int) -> return_types.cummax:
        """Cumulative maximum of elements along a dimension, and its indices."""
    @overload
    def cummax(self, *, axis: builtins.int) -> return_types.cummax:
        """Cumulative maximum of elements along a dimension, and its indices."""
    @overload
    def cummin(self, dim: builtins.int) -> return_types.cummin:
        """Cumulative minimum of elements along a dimension, and its indices."""
    @overload
    def cummin(self, *, axis: builtins.int) -> return_types.cummin:
        """Cumulative minimum of elements along a dimension, and its indices."""
    @overload
    def cumprod(self, dim: builtins.int, *, dtype: DtypeLike | None = None) -> Tensor:
        """Cumulative product of elements along a dimension. Derivatives are correct at zeros, too."""
    @overload
    def cumprod(self, *, axis: builtins.int, dtype: DtypeLike | None = None) -> Tensor:
        """Cumulative product of elements along a dimension. Derivatives are correct at zeros, too."""
    @overload
    def cumprod_(self, dim: builtins.int, *, dtype: DtypeLike | None = None) -> Self:
        """In-place version of `cumprod`."""
    @overload
    def cumprod_(self, *, axis: builtins.int, dtype: DtypeLike | None = None) -> Self:
        """In-place version of `cumprod`."""
    @overload
    def cumsum(self, dim: builtins.int, *, dtype: DtypeLike | None = None) -> Tensor:
        """Cumulative sum of elements along a dimension."""
    @overload
    def cumsum(self, *, axis: builtins.int, dtype: DtypeLike | None = None) -> Tensor:
        """Cumulative sum of elements along a dimension."""
    @overload
    def cumsum_(self, dim: builtins.int, *, dtype: DtypeLike | None = None) -> Self:
        """In-place version of `cumsum`."""
    @overload
    def cumsum_(self, *, axis: builtins.int, dtype: DtypeLike | None = None) -> Self:
        """In-place version of `cumsum`."""
    @property
    def data(self) -> Tensor:
        """The values, sharing memory, outside of the graph: writes to it are neither recorded nor counted as versions."""
    @data.setter
    def data(self, value: Tensor) -> None: ...
    def data_ptr(self) -> builtins.int:
        """Address of the first element; where arrays have no address, a number that identifies the memory."""
    def deg2rad(self) -> Tensor:
        """Convert degrees to radians."""
    def deg2rad_(self) -> Self:
        """In-place version of `deg2rad`."""
    def det(self) -> Tensor:
        """Determinant of square matrices; see `linalg.det`."""
    def detach(self) -> Tensor:
        """Detach from the graph: a tensor that shares memory and does not require grad."""
    def detach_(self) -> Self:
        """Detach the tensor itself from the graph: it becomes a leaf without gradient and without tangent."""
    def diag(self, diagonal: builtins.int = 0) -> Tensor:
        """Diagonal of a matrix as a vector, or a diagonal matrix from a vector."""
    def diag_embed(self, offset: builtins.int = 0, dim1: builtins.int = -2, dim2: builtins.int = -1) -> Tensor:
        """Batch of diagonal matrices from the last dimension of the input."""
    def diagflat(self, offset: builtins.int = 0) -> Tensor:
        """Diagonal matrix from all elements of a tensor."""
    def diagonal(self, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1) -> Tensor:
        """Diagonal over two dimensions, as a strided view; it becomes the last dimension."""
    def diagonal_scatter(
        self, src: Tensor, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1
    ) -> Tensor:
        """Copy with `src` embedded in a diagonal."""
    def diff(
        self,
        n: builtins.int = 1,
        dim: builtins.int = -1,
        prepend: Tensor | None = None,
        append: Tensor | None = None,
        *,
        axis: builtins.int = -1,
    ) -> Tensor:
        """n-th discrete difference along a dimension."""
    def digamma(self) -> Tensor:
        """Digamma function: the derivative of the logarithm of the gamma function."""
    def digamma_(self) -> Self:
        """In-place version of `digamma`."""
    def dim(self) -> builtins.int:
        """Number of dimensions."""
    def dim_order(self) -> tuple[builtins.int, ...]:
        """Order of the dimensions in memory, the one with the largest stride first."""
    def dist(self, other: Operand, p: builtins.float = 2) -> Tensor:
        """Distance of two tensors: the p-norm of their difference."""
    def div(self, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
        """Divide two tensors elementwise (true division unless `rounding_mode` is given)."""
    def div_(self, other: Operand, *, rounding_mode: str | None = None) -> Self:
        """In-place version of `div`."""
    def divide(self, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
        """Divide two tensors elementwise (true division unless `rounding_mode` is given)."""
    def divide_(self, other: Operand, *, rounding_mode: str | None = None) -> Self:
        """In-place version of `div`."""
    def dot(self, tensor: Operand) -> Tensor:
        """Dot product of two vectors, without conjugation."""
    def double(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """Convert to dtype float64."""
    def dsplit(self, indices_or_sections: builtins.int | Sequence[builtins.int] | Tensor) -> tuple[Tensor, ...]:
        """Split depthwise: along the third dimension."""
    def element_size(self) -> builtins.int:
        """Size of an element in bytes."""
    def eq(self, other: Operand) -> Tensor:
        """Test elementwise for equality: ``input == other``."""
    def eq_(self, other: Operand) -> Self:
        """In-place version of `eq`."""
    def equal(self, other: Tensor) -> builtins.bool:
        """Test whether two tensors have the same shape and elements; returns a Python bool."""
    def erf(self) -> Tensor:
        """Error function of each element."""
    def erf_(self) -> Self:
        """In-place version of `erf`."""
    def erfc(self) -> Tensor:
        """Complementary error function ``1 - erf(x)`` of each element, accurate also where it is small."""
    def erfc_(self) -> Self:
        """In-place version of `erfc`."""
    def erfinv(self) -> Tensor:
        """Inverse of the error function of each element."""
    def erfinv_(self) -> Self:
        """In-place version of `erfinv`."""
    def exp(self) -> Tensor:
        """Exponential function of each element."""
    def exp2(self) -> Tensor:
        """Power of two ``2**x`` of each element."""
    def exp2_(self) -> Self:
        """In-place version of `exp2`."""
    def exp_(self) -> Self:
        """In-place version of `exp`."""
    @overload
    def expand(self, size: Sequence[builtins.int]) -> Tensor:
        """Expand (broadcast) dimensions of length 1, and add leading ones, without a copy."""
    @overload
    def expand(self, *size: builtins.int) -> Tensor:
        """Expand (broadcast) dimensions of length 1, and add leading ones, without a copy."""
    def expand_as(self, other: Tensor | Number) -> Tensor:
        """Expand (broadcast) to the shape of another tensor."""
    def expm1(self) -> Tensor:
        """Exponential minus one, ``exp(x) - 1``, accurate also near zero."""
    def expm1_(self) -> Self:
        """In-place version of `expm1`."""
    def exponential_(self, lambd: builtins.float = 1.0, *, generator: Generator | None = None) -> Self:
        """Fill with random numbers from the exponential distribution of rate `lambd`."""
    def fill_(self, value: Tensor | Number) -> Self:
        """Fill with one value, a number or a 0-dim tensor; differentiable with respect to the value."""
    def fill_diagonal_(self, fill_value: Number, wrap: builtins.bool = False) -> Self:
        """Fill the main diagonal with a number."""
    def fix(self) -> Tensor:
        """Truncate each element towards zero to its integer part."""
    def fix_(self) -> Self:
        """In-place version of `trunc`."""
    def flatten(self, start_dim: builtins.int = 0, end_dim: builtins.int = -1) -> Tensor:
        """Flatten a range of dimensions into one; a view where memory allows it."""
    @overload
    def flip(self, dims: Sequence[builtins.int]) -> Tensor:
        """Reverse the order of elements along dimensions."""
    @overload
    def flip(self, *dims: builtins.int) -> Tensor:
        """Reverse the order of elements along dimensions."""
    @overload
    def flip(self, *, axes: Sequence[builtins.int]) -> Tensor:
        """Reverse the order of elements along dimensions."""
    def fliplr(self) -> Tensor:
        """Flip left to right: reverse the second dimension."""
    def flipud(self) -> Tensor:
        """Flip upside down: reverse the first dimension."""
    def float(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """Convert to dtype float32."""
    def float_power(self, exponent: Tensor | Number) -> Tensor:
        """Raise each element to a power in double precision."""
    def float_power_(self, exponent: Tensor | Number) -> Self:
        """Raise each element to a power, in place; for tensors of double precision."""
    def floor(self) -> Tensor:
        """Round each element down to an integer (floor)."""
    def floor_(self) -> Self:
        """In-place version of `floor`."""
    def floor_divide(self, other: Operand) -> Tensor:
        """Quotient rounded down (floor division)."""
    def floor_divide_(self, other: Operand) -> Self:
        """In-place version of `floor_divide`."""
    def fmax(self, other: Operand) -> Tensor:
        """Elementwise maximum that ignores NaN."""
    def fmin(self, other: Operand) -> Tensor:
        """Elementwise minimum that ignores NaN."""
    def fmod(self, other: Operand) -> Tensor:
        """Remainder of division rounded towards zero (C's fmod); it has the sign of `input`."""
    def fmod_(self, other: Operand) -> Self:
        """In-place version of `fmod`."""
    def frac(self) -> Tensor:
        """Fractional part of each element: ``x - trunc(x)``."""
    def frac_(self) -> Self:
        """In-place version of `frac`."""
    def frexp(self) -> return_types.frexp:
        """Decompose each element into mantissa (absolute value in [1/2, 1)) and exponent of two."""
    @overload
    def gather(self, dim: builtins.int, index: Operand, *, sparse_grad: builtins.bool = False) -> Tensor:
        """Gather elements along a dimension by an index: ``out[i, j] = input[index[i, j], j]``."""
    @overload
    def gather(self, *, axis: builtins.int, index: Operand, sparse_grad: builtins.bool = False) -> Tensor:
        """Gather elements along a dimension by an index: ``out[i, j] = input[index[i, j], j]``."""
    def gcd(self, other: Operand) -> Tensor:
        """Greatest common divisor of integers, elementwise."""
    def gcd_(self, other: Operand) -> Self:
        """In-place version of `gcd`."""
    def ge(self, other: Operand) -> Tensor:
        """Elementwise ``input >= other``."""
    def ge_(self, other: Operand) -> Self:
        """In-place version of `ge`."""
    def geometric_(self, p: builtins.float, *, generator: Generator | None = None) -> Self:
        """Fill with random numbers from the geometric distribution of probability `p`."""
    def ger(self, vec2: Tensor) -> Tensor:
        """Outer product of two vectors; alias of `outer`."""
    def get_device(self) -> builtins.int:
        """Index of the GPU that the array is on; -1 for the CPU."""
    def greater(self, other: Operand) -> Tensor:
        """Elementwise ``input > other``."""
    def greater_(self, other: Operand) -> Self:
        """In-place version of `gt`."""
    def greater_equal(self, other: Operand) -> Tensor:
        """Elementwise ``input >= other``."""
    def greater_equal_(self, other: Operand) -> Self:
        """In-place version of `ge`."""
    def gt(self, other: Operand) -> Tensor:
        """Elementwise ``input > other``."""
    def gt_(self, other: Operand) -> Self:
        """In-place version of `gt`."""
    def half(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """Convert to dtype float16."""
    def hardshrink(self, lambd: builtins.float = 0.5) -> Tensor:
        """Hard shrinkage: elements with an absolute value of at most `lambd` become zero."""
    def heaviside(self, values: Operand) -> Tensor:
        """Heaviside step function: 0 for negative elements, 1 for positive ones, `values` at zero."""
    def heaviside_(self, values: Operand) -> Self:
        """In-place version of `heaviside`."""
    def histc(self, bins: builtins.int = 100, min: Tensor | Number = 0, max: Tensor | Number = 0) -> Tensor:
        """Histogram with equally wide bins; elements outside the range are ignored."""
    def histogram(
        self,
        bins: builtins.int | Sequence[builtins.int] | Tensor,
        *,
        range: Sequence[builtins.float] | None = None,
        weight: Tensor | None = None,
        density: builtins.bool = False,
    ) -> return_types.histogram:
        """Histogram: counts and bin edges."""
    def hsplit(self, indices_or_sections: builtins.int | Sequence[builtins.int] | Tensor) -> tuple[Tensor, ...]:
        """Split horizontally: along the second dimension, vectors along their only one."""
    def hypot(self, other: Operand) -> Tensor:
        """Hypotenuse ``sqrt(input**2 + other**2)``, elementwise, without overflow."""
    def hypot_(self, other: Operand) -> Self:
        """In-place version of `hypot`."""
    def i0(self) -> Tensor:
        """Modified Bessel function of the first kind and order 0 of each element."""
    def i0_(self) -> Self:
        """In-place version of `i0`."""
    def igamma(self, other: Operand) -> Tensor:
        """Regularized lower incomplete gamma function. Unlike in PyTorch, `input` has a gradient too."""
    def igamma_(self, other: Operand) -> Self:
        """In-place version of `igamma`."""
    def igammac(self, other: Operand) -> Tensor:
        """Regularized upper incomplete gamma function. Unlike in PyTorch, `input` has a gradient too."""
    def igammac_(self, other: Operand) -> Self:
        """In-place version of `igammac`."""
    @property
    def imag(self) -> Tensor:
        """Imaginary part of a complex tensor, as a view."""
    @imag.setter
    def imag(self, value: Tensor) -> None: ...
    @overload
    def index_add(self, dim: builtins.int, index: Operand, source: Operand, *, alpha: Number = 1) -> Tensor:
        """Add entries of `source` to those that an index tensor selects along a dimension."""
    @overload
    def index_add(self, *, axis: builtins.int, index: Operand, source: Operand, alpha: Number = 1) -> Tensor:
        """Add entries of `source` to those that an index tensor selects along a dimension."""
    @overload
    def index_add_(self, dim: builtins.int, index: Operand, source: Operand, *, alpha: Number = 1) -> Self:
        """In-place version of `index_add`."""
    @overload
    def index_add_(self, *, axis: builtins.int, index: Operand, source: Operand, alpha: Number = 1) -> Self:
        """In-place version of `index_add`."""
    @overload
    def index_copy(self, dim: builtins.int, index: Operand, source: Operand) -> Tensor:
        """Copy entries of `source` to those that an index tensor selects along a dimension."""
    @overload
    def index_copy(self, *, axis: builtins.int, index: Operand, source: Operand) -> Tensor:
        """Copy entries of `source` to those that an index tensor selects along a dimension."""
    @overload
    def index_copy_(self, dim: builtins.int, index: Operand, source: Operand) -> Self:
        """In-place version of `index_copy`."""
    @overload
    def index_copy_(self, *, axis: builtins.int, index: Operand, source: Operand) -> Self:
        """In-place version of `index_copy`."""
    @overload
    def index_fill(self, dim: builtins.int, index: Operand, value: Operand) -> Tensor:
        """Fill the entries that an index tensor selects along a dimension with one value."""
    @overload
    def index_fill(self, *, axis: builtins.int, index: Operand, value: Operand) -> Tensor:
        """Fill the entries that an index tensor selects along a dimension with one value."""
    @overload
    def index_fill_(self, dim: builtins.int, index: Operand, value: Operand) -> Self:
        """In-place version of `index_fill`."""
    @overload
    def index_fill_(self, *, axis: builtins.int, index: Operand, value: Operand) -> Self:
        """In-place version of `index_fill`."""
    def index_put(self, indices: Sequence[Tensor | None], values: Tensor, accumulate: builtins.bool = False) -> Tensor:
        """Out-of-place `index_put_`: a copy with values written to the elements that index tensors select."""
    def index_put_(self, indices: Sequence[Tensor | None], values: Tensor, accumulate: builtins.bool = False) -> Self:
        """In-place version of `index_put`."""
    @overload
    def index_reduce(
        self, dim: builtins.int, index: Operand, source: Operand, reduce: str, *, include_self: builtins.bool = True
    ) -> Tensor:
        """Reduce entries of `source` into those that an index tensor selects along a dimension."""
    @overload
    def index_reduce(
        self, *, axis: builtins.int, index: Operand, source: Operand, reduce: str, include_self: builtins.bool = True
    ) -> Tensor:
        """Reduce entries of `source` into those that an index tensor selects along a dimension."""
    @overload
    def index_reduce_(
        self, dim: builtins.int, index: Operand, source: Operand, reduce: str, *, include_self: builtins.bool = True
    ) -> Self:
        """In-place version of `index_reduce`."""
    @overload
    def index_reduce_(
        self, *, axis: builtins.int, index: Operand, source: Operand, reduce: str, include_self: builtins.bool = True
    ) -> Self:
        """In-place version of `index_reduce`."""
    @overload
    def index_select(self, dim: builtins.int, index: Operand) -> Tensor:
        """Select entries along a dimension by an index tensor."""
    @overload
    def index_select(self, *, axis: builtins.int, index: Operand) -> Tensor:
        """Select entries along a dimension by an index tensor."""
    def inner(self, other: Tensor | Number) -> Tensor:
        """Inner product over the last dimension of two tensors."""
    def int(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """Convert to dtype int32."""
    def inverse(self) -> Tensor:
        """Inverse of square matrices; see `linalg.inv`."""
    def is_complex(self) -> builtins.bool:
        """Test whether the dtype is complex."""
    def is_conj(self) -> builtins.bool:
        """Test whether the conjugate bit is set; always False, because conjugation is never lazy here."""
    def is_contiguous(self, memory_format: MemoryFormat | None = None) -> builtins.bool:
        """Test whether the tensor is contiguous in memory (row-major)."""
    @property
    def is_cpu(self) -> builtins.bool:
        """Whether the array is in the CPU's memory."""
    @property
    def is_cuda(self) -> builtins.bool:
        """Whether the array is in the memory of a GPU."""
    def is_distributed(self) -> builtins.bool:
        """Always False: there are dense arrays of numbers only, which belong to this process."""
    def is_floating_point(self) -> builtins.bool:
        """Test whether the dtype is a real floating point dtype."""
    @property
    def is_meta(self) -> builtins.bool:
        """Always False: there are dense arrays of numbers only, which belong to this process."""
    @property
    def is_mkldnn(self) -> builtins.bool:
        """Always False: there are dense arrays of numbers only, which belong to this process."""
    @property
    def is_mps(self) -> builtins.bool:
        """Always False: there are dense arrays of numbers only, which belong to this process."""
    def is_neg(self) -> builtins.bool:
        """Always False: there are dense arrays of numbers only, which belong to this process."""
    @property
    def is_nested(self) -> builtins.bool:
        """Always False: there are dense arrays of numbers only, which belong to this process."""
    def is_nonzero(self) -> builtins.bool:
        """Test whether a tensor with one element is nonzero."""
    def is_pinned(self) -> builtins.bool:
        """Always False: there are dense arrays of numbers only, which belong to this process."""
    @property
    def is_quantized(self) -> builtins.bool:
        """Always False: there are dense arrays of numbers only, which belong to this process."""
    def is_same_size(self, other: Tensor) -> builtins.bool:
        """Test whether two tensors have the same shape."""
    def is_set_to(self, tensor: Tensor) -> builtins.bool:
        """Test whether two tensors have the same memory, shape and strides."""
    def is_shared(self) -> builtins.bool:
        """Always False: there are dense arrays of numbers only, which belong to this process."""
    def is_signed(self) -> builtins.bool:
        """Test whether the dtype is signed."""
    @property
    def is_sparse(self) -> builtins.bool:
        """Always False: there are dense arrays of numbers only, which belong to this process."""
    @property
    def is_sparse_csr(self) -> builtins.bool:
        """Always False: there are dense arrays of numbers only, which belong to this process."""
    @property
    def is_xpu(self) -> builtins.bool:
        """Always False: there are dense arrays of numbers only, which belong to this process."""
    def isclose(
        self,
        other: Operand,
        rtol: builtins.float = 1e-05,
        atol: builtins.float = 1e-08,
        equal_nan: builtins.bool = False,
    ) -> Tensor:
        """Test elementwise whether values are close: ``abs(input - other) <= atol + rtol * abs(other)``."""
    def isfinite(self) -> Tensor:
        """Test each element for being finite (neither infinite nor NaN)."""
    def isinf(self) -> Tensor:
        """Test each element for positive or negative infinity."""
    def isnan(self) -> Tensor:
        """Test each element for NaN."""
    def isneginf(self) -> Tensor:
        """Test each element for negative infinity."""
    def isposinf(self) -> Tensor:
        """Test each element for positive infinity."""
    def isreal(self) -> Tensor:
        """Test each element for being real (imaginary part zero)."""
    def istft(
        self,
        n_fft: builtins.int,
        hop_length: builtins.int | None = None,
        win_length: builtins.int | None = None,
        window: Tensor | None = None,
        center: builtins.bool = True,
        normalized: builtins.bool = False,
        onesided: builtins.bool | None = None,
        length: builtins.int | None = None,
        return_complex: builtins.bool = False,
    ) -> Tensor:
        """Inverse short-time Fourier transform (least squares); see `stft`."""
    def item(self) -> builtins.float:
        """The one element as a Python number."""
    @property
    def itemsize(self) -> builtins.int:
        """Bytes per element."""
    def kron(self, other: Tensor | Number) -> Tensor:
        """Kronecker product of two tensors."""
    def kthvalue(
        self,
        k: builtins.int,
        dim: builtins.int = -1,
        keepdim: builtins.bool = False,
        *,
        axis: builtins.int = -1,
        keepdims: builtins.bool = False,
    ) -> return_types.kthvalue:
        """The k-th smallest element (counted from 1) along a dimension, and its index."""
    @property
    def layout(self) -> Layout:
        """The memory layout, which is always `strided`."""
    def lcm(self, other: Operand) -> Tensor:
        """Least common multiple of integers, elementwise."""
    def lcm_(self, other: Operand) -> Self:
        """In-place version of `lcm`."""
    def ldexp(self, other: Operand) -> Tensor:
        """Multiply by powers of two: ``input * 2**other``."""
    def ldexp_(self, other: Operand) -> Self:
        """In-place version of `ldexp`."""
    def le(self, other: Operand) -> Tensor:
        """Elementwise ``input <= other``."""
    def le_(self, other: Operand) -> Self:
        """In-place version of `le`."""
    def lerp(self, end: Operand, weight: Operand) -> Tensor:
        """Linear interpolation: ``input + weight * (end - input)``."""
    def lerp_(self, end: Operand, weight: Operand) -> Self:
        """In-place version of `lerp`."""
    def less(self, other: Operand) -> Tensor:
        """Elementwise ``input < other``."""
    def less_(self, other: Operand) -> Self:
        """In-place version of `lt`."""
    def less_equal(self, other: Operand) -> Tensor:
        """Elementwise ``input <= other``."""
    def less_equal_(self, other: Operand) -> Self:
        """In-place version of `le`."""
    def lgamma(self) -> Tensor:
        """Logarithm of the absolute value of the gamma function of each element."""
    def lgamma_(self) -> Self:
        """In-place version of `lgamma`."""
    def log(self) -> Tensor:
        """Natural logarithm of each element."""
    def log10(self) -> Tensor:
        """Logarithm to base 10 of each element."""
    def log10_(self) -> Self:
        """In-place version of `log10`."""
    def log1p(self) -> Tensor:
        """Natural logarithm of one plus each element, accurate also near zero."""
    def log1p_(self) -> Self:
        """In-place version of `log1p`."""
    def log2(self) -> Tensor:
        """Logarithm to base 2 of each element."""
    def log2_(self) -> Self:
        """In-place version of `log2`."""
    def log_(self) -> Self:
        """In-place version of `log`."""
    def log_normal_(
        self, mean: builtins.float = 1.0, std: builtins.float = 2.0, *, generator: Generator | None = None
    ) -> Self:
        """Fill with random numbers from a log-normal distribution."""
    def log_softmax(
        self, dim: builtins.int | None = None, dtype: DtypeLike | None = None, *, axis: builtins.int | None = None
    ) -> Tensor:
        """Logarithm of the softmax along a dimension, without underflow."""
    def logaddexp(self, other: Operand) -> Tensor:
        """Logarithm of the sum of exponentials ``log(exp(input) + exp(other))``, without overflow."""
    def logaddexp2(self, other: Operand) -> Tensor:
        """Logarithm to base 2 of the sum of powers ``log2(2**input + 2**other)``, without overflow."""
    @overload
    def logcumsumexp(self, dim: builtins.int) -> Tensor:
        """Logarithm of the cumulative sum of exponentials along a dimension, without overflow."""
    @overload
    def logcumsumexp(self, *, axis: builtins.int) -> Tensor:
        """Logarithm of the cumulative sum of exponentials along a dimension, without overflow."""
    def logdet(self) -> Tensor:
        """Logarithm of the determinant; NaN where it is negative, minus infinity where it is zero."""
    def logical_and(self, other: Operand) -> Tensor:
        """Logical AND, elementwise; nonzero elements are true."""
    def logical_and_(self, other: Operand) -> Self:
        """In-place version of `logical_and`."""
    def logical_not(self) -> Tensor:
        """Logical NOT of each element."""
    def logical_not_(self) -> Self:
        """In-place version of `logical_not`."""
    def logical_or(self, other: Operand) -> Tensor:
        """Logical OR, elementwise; nonzero elements are true."""
    def logical_or_(self, other: Operand) -> Self:
        """In-place version of `logical_or`."""
    def logical_xor(self, other: Operand) -> Tensor:
        """Logical XOR, elementwise; nonzero elements are true."""
    def logical_xor_(self, other: Operand) -> Self:
        """In-place version of `logical_xor`."""
    def logit(self, eps: builtins.float | None = None) -> Tensor:
        """Logit, the inverse of the sigmoid: ``log(x / (1 - x))`` of each element."""
    def logit_(self, eps: builtins.float | None = None) -> Self:
        """In-place version of `logit`."""
    @overload
    def logsumexp(
        self,
        dim: builtins.int | Sequence[builtins.int],
        keepdim: builtins.bool = False,
        *,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Logarithm of the sum of exponentials (log-sum-exp) over dimensions, without overflow."""
    @overload
    def logsumexp(
        self,
        *,
        axis: builtins.int | Sequence[builtins.int],
        keepdim: builtins.bool = False,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Logarithm of the sum of exponentials (log-sum-exp) over dimensions, without overflow."""
    def long(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """Convert to dtype int64."""
    def lt(self, other: Operand) -> Tensor:
        """Elementwise ``input < other``."""
    def lt_(self, other: Operand) -> Self:
        """In-place version of `lt`."""
    @overload
    def lu(self, pivot: builtins.bool = True, get_infos: Literal[False] = False) -> tuple[Tensor, Tensor]:
        """Compact LU factorization with pivots; older name of `linalg.lu_factor_ex`."""
    @overload
    def lu(self, pivot: builtins.bool = True, *, get_infos: Literal[True]) -> tuple[Tensor, Tensor, Tensor]:
        """Compact LU factorization with pivots; older name of `linalg.lu_factor_ex`."""
    @overload
    def lu(self, pivot: builtins.bool, get_infos: Literal[True]) -> tuple[Tensor, Tensor, Tensor]:
        """Compact LU factorization with pivots; older name of `linalg.lu_factor_ex`."""
    def lu_solve(self, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
        """Solve ``A @ X = b`` given the LU factorization of A from `linalg.lu_factor`."""
    @property
    def mH(self) -> Tensor:
        """Conjugate transpose over the last two dimensions."""
    @property
    def mT(self) -> Tensor:
        """Matrix transpose: the last two dimensions swapped."""
    def map2_(self, x: Tensor, y: Tensor, callable: Callable[[Any, Any, Any], Number]) -> Self:
        """Replace each element by a Python function of it and of two other tensors' elements; not recorded."""
    def map_(self, tensor: Tensor, callable: Callable[[Any, Any], Number]) -> Self:
        """Replace each element by a Python function of it and of another tensor's element; not recorded."""
    def masked_fill(self, mask: Operand, value: Operand) -> Tensor:
        """Fill a copy with one value where a mask is true."""
    def masked_fill_(self, mask: Operand, value: Operand) -> Self:
        """In-place version of `masked_fill`."""
    def masked_scatter(self, mask: Operand, source: Operand) -> Tensor:
        """Copy elements of `source`, in order, to the positions where a mask is true."""
    def masked_scatter_(self, mask: Operand, source: Operand) -> Self:
        """In-place version of `masked_scatter`."""
    def masked_select(self, mask: Tensor) -> Tensor:
        """Select the elements where a mask is true, as a one-dimensional tensor."""
    def matmul(self, other: Operand) -> Tensor:
        """Matrix product of two tensors of any rank."""
    def matrix_exp(self) -> Tensor:
        """Matrix exponential of square matrices; see `linalg.matrix_exp`."""
    def matrix_power(self, n: builtins.int) -> Tensor:
        """Matrix power ``A^n`` of square matrices; of the inverse for negative `n`."""
    @overload
    def max(self) -> Tensor:
        """Maximum of all elements, along a dimension (with indices), or of two tensors elementwise."""
    @overload
    def max(self, dim: builtins.int, keepdim: builtins.bool = False) -> return_types.max:
        """Maximum of all elements, along a dimension (with indices), or of two tensors elementwise."""
    @overload
    def max(
        self, *, axis: builtins.int, keepdims: builtins.bool = False, keepdim: builtins.bool = False
    ) -> return_types.max:
        """Maximum of all elements, along a dimension (with indices), or of two tensors elementwise."""
    @overload
    def max(self, other: Tensor) -> Tensor:
        """Maximum of all elements, along a dimension (with indices), or of two tensors elementwise."""
    def maximum(self, other: Operand) -> Tensor:
        """Elementwise maximum of two tensors; NaN propagates. Equal elements share the gradient."""
    def mean(
        self,
        dim: builtins.int | Sequence[builtins.int] | None = None,
        keepdim: builtins.bool = False,
        *,
        dtype: DtypeLike | None = None,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Mean of elements, of all or over dimensions."""
    @overload
    def median(self) -> Tensor:
        """Median (the lower of two) of all elements, or along a dimension with its index."""
    @overload
    def median(self, dim: builtins.int, keepdim: builtins.bool = False) -> return_types.median:
        """Median (the lower of two) of all elements, or along a dimension with its index."""
    @overload
    def median(
        self, *, axis: builtins.int, keepdims: builtins.bool = False, keepdim: builtins.bool = False
    ) -> return_types.median:
        """Median (the lower of two) of all elements, or along a dimension with its index."""
    @overload
    def min(self) -> Tensor:
        """Minimum of all elements, along a dimension (with indices), or of two tensors elementwise."""
    @overload
    def min(self, dim: builtins.int, keepdim: builtins.bool = False) -> return_types.min:
        """Minimum of all elements, along a dimension (with indices), or of two tensors elementwise."""
    @overload
    def min(
        self, *, axis: builtins.int, keepdims: builtins.bool = False, keepdim: builtins.bool = False
    ) -> return_types.min:
        """Minimum of all elements, along a dimension (with indices), or of two tensors elementwise."""
    @overload
    def min(self, other: Tensor) -> Tensor:
        """Minimum of all elements, along a dimension (with indices), or of two tensors elementwise."""
    def minimum(self, other: Operand) -> Tensor:
        """Elementwise minimum of two tensors; NaN propagates. Equal elements share the gradient."""
    def mm(self, mat2: Operand) -> Tensor:
        """Matrix product of two matrices."""
    def mode(
        self,
        dim: builtins.int = -1,
        keepdim: builtins.bool = False,
        *,
        axis: builtins.int = -1,
        keepdims: builtins.bool = False,
    ) -> return_types.mode:
        """Most frequent element along a dimension (the smallest of several), and its last index."""
    def moveaxis(
        self, source: builtins.int | Sequence[builtins.int], destination: builtins.int | Sequence[builtins.int]
    ) -> Tensor:
        """Move dimensions to other positions; the others keep their order."""
    def movedim(
        self, source: builtins.int | Sequence[builtins.int], destination: builtins.int | Sequence[builtins.int]
    ) -> Tensor:
        """Move dimensions to other positions; the others keep their order."""
    def msort(self) -> Tensor:
        """Sort elements along the first dimension."""
    def mul(self, other: Operand) -> Tensor:
        """Multiply two tensors elementwise."""
    def mul_(self, other: Operand) -> Self:
        """In-place version of `mul`."""
    def multinomial(
        self, num_samples: builtins.int, replacement: builtins.bool = False, *, generator: Generator | None = None
    ) -> Tensor:
        """Random indices from the multinomial distribution given by each row of weights."""
    def multiply(self, other: Operand) -> Tensor:
        """Multiply two tensors elementwise."""
    def multiply_(self, other: Operand) -> Self:
        """In-place version of `mul`."""
    def mv(self, vec: Operand) -> Tensor:
        """Matrix-vector product."""
    def mvlgamma(self, p: builtins.int) -> Tensor:
        """Logarithm of the multivariate gamma function of dimension `p`, elementwise."""
    def mvlgamma_(self, p: builtins.int) -> Self:
        """In-place version of `mvlgamma`."""
    @property
    def name(self) -> str | None:
        """A name that the user gave to the tensor, or None."""
    @name.setter
    def name(self, value: str | None) -> None: ...
    def nan_to_num(
        self,
        nan: builtins.float | None = 0.0,
        posinf: builtins.float | None = None,
        neginf: builtins.float | None = None,
    ) -> Tensor:
        """Replace NaN and infinities by finite numbers."""
    def nan_to_num_(
        self,
        nan: builtins.float | None = 0.0,
        posinf: builtins.float | None = None,
        neginf: builtins.float | None = None,
    ) -> Self:
        """In-place version of `nan_to_num`."""
    def nanmean(
        self,
        dim: builtins.int | Sequence[builtins.int] | None = None,
        keepdim: builtins.bool = False,
        *,
        dtype: DtypeLike | None = None,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Mean of the elements that are not NaN."""
    @overload
    def nanmedian(self) -> Tensor:
        """Median of the elements that are not NaN; of all, or along a dimension with its index."""
    @overload
    def nanmedian(self, dim: builtins.int, keepdim: builtins.bool = False) -> return_types.nanmedian:
        """Median of the elements that are not NaN; of all, or along a dimension with its index."""
    @overload
    def nanmedian(
        self, *, axis: builtins.int, keepdims: builtins.bool = False, keepdim: builtins.bool = False
    ) -> return_types.nanmedian:
        """Median of the elements that are not NaN; of all, or along a dimension with its index."""
    def nanquantile(
        self,
        q: builtins.float | Tensor,
        dim: builtins.int | None = None,
        keepdim: builtins.bool = False,
        *,
        interpolation: str = "linear",
        axis: builtins.int | None = None,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Quantiles of the elements that are not NaN."""
    def nansum(
        self,
        dim: builtins.int | Sequence[builtins.int] | None = None,
        keepdim: builtins.bool = False,
        *,
        dtype: DtypeLike | None = None,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Sum of elements with NaN treated as zero."""
    @overload
    def narrow(self, dim: builtins.int, start: builtins.int | Tensor, length: builtins.int) -> Tensor:
        """Narrow a dimension to `length` elements from `start` on; a view."""
    @overload
    def narrow(self, *, axis: builtins.int, start: builtins.int | Tensor, length: builtins.int) -> Tensor:
        """Narrow a dimension to `length` elements from `start` on; a view."""
    @overload
    def narrow_copy(self, dim: builtins.int, start: builtins.int | Tensor, length: builtins.int) -> Tensor:
        """Copy of what `narrow` returns as a view."""
    @overload
    def narrow_copy(self, *, axis: builtins.int, start: builtins.int | Tensor, length: builtins.int) -> Tensor:
        """Copy of what `narrow` returns as a view."""
    @property
    def nbytes(self) -> builtins.int:
        """Bytes of all elements."""
    def ndimension(self) -> builtins.int:
        """Number of dimensions."""
    def ne(self, other: Operand) -> Tensor:
        """Test elementwise for inequality: ``input != other``."""
    def ne_(self, other: Operand) -> Self:
        """In-place version of `ne`."""
    def neg(self) -> Tensor:
        """Negative of each element."""
    def neg_(self) -> Self:
        """In-place version of `neg`."""
    def negative(self) -> Tensor:
        """Negative of each element."""
    def negative_(self) -> Self:
        """In-place version of `neg`."""
    def nelement(self) -> builtins.int:
        """Number of elements."""
    def new(self, *data: TensorData | Size) -> Tensor:
        """Create a tensor with the dtype, device and array library of this one."""
    @overload
    def new_empty(
        self,
        *size: builtins.int,
        dtype: DtypeLike | None = None,
        device: DeviceLike | None = None,
        requires_grad: builtins.bool = False,
        layout: Layout | None = None,
        pin_memory: builtins.bool | None = None,
        memory_format: MemoryFormat | None = None,
    ) -> Tensor:
        """Create an uninitialised tensor with the dtype and device of this one."""
    @overload
    def new_empty(
        self,
        size: Sequence[builtins.int],
        *,
        dtype: DtypeLike | None = None,
        device: DeviceLike | None = None,
        requires_grad: builtins.bool = False,
        layout: Layout | None = None,
        pin_memory: builtins.bool | None = None,
        memory_format: MemoryFormat | None = None,
    ) -> Tensor:
        """Create an uninitialised tensor with the dtype and device of this one."""
    def new_empty_strided(
        self,
        size: Sequence[builtins.int],
        stride: Sequence[builtins.int],
        *,
        dtype: DtypeLike | None = None,
        device: DeviceLike | None = None,
        requires_grad: builtins.bool = False,
        layout: Layout | None = None,
        pin_memory: builtins.bool | None = None,
        memory_format: MemoryFormat | None = None,
    ) -> Tensor:
        """Create a tensor with given strides with the dtype and device of this one."""
    def new_full(
        self,
        size: Sequence[builtins.int],
        fill_value: Number,
        *,
        dtype: DtypeLike | None = None,
        device: DeviceLike | None = None,
        requires_grad: builtins.bool = False,
        layout: Layout | None = None,
        pin_memory: builtins.bool | None = None,
        memory_format: MemoryFormat | None = None,
    ) -> Tensor:
        """Create a tensor filled with one value with the dtype and device of this one."""
    @overload
    def new_ones(
        self,
        *size: builtins.int,
        dtype: DtypeLike | None = None,
        device: DeviceLike | None = None,
        requires_grad: builtins.bool = False,
        layout: Layout | None = None,
        pin_memory: builtins.bool | None = None,
        memory_format: MemoryFormat | None = None,
    ) -> Tensor:
        """Create a tensor of ones with the dtype and device of this one."""
    @overload
    def new_ones(
        self,
        size: Sequence[builtins.int],
        *,
        dtype: DtypeLike | None = None,
        device: DeviceLike | None = None,
        requires_grad: builtins.bool = False,
        layout: Layout | None = None,
        pin_memory: builtins.bool | None = None,
        memory_format: MemoryFormat | None = None,
    ) -> Tensor:
        """Create a tensor of ones with the dtype and device of this one."""
    def new_tensor(
        self,
        data: TensorData,
        *,
        dtype: DtypeLike | None = None,
        device: DeviceLike | None = None,
        requires_grad: builtins.bool = False,
        layout: Layout | None = None,
        pin_memory: builtins.bool | None = None,
        memory_format: MemoryFormat | None = None,
    ) -> Tensor:
        """Create a tensor from data with the dtype and device of this one."""
    @overload
    def new_zeros(
        self,
        *size: builtins.int,
        dtype: DtypeLike | None = None,
        device: DeviceLike | None = None,
        requires_grad: builtins.bool = False,
        layout: Layout | None = None,
        pin_memory: builtins.bool | None = None,
        memory_format: MemoryFormat | None = None,
    ) -> Tensor:
        """Create a tensor of zeros with the dtype and device of this one."""
    @overload
    def new_zeros(
        self,
        size: Sequence[builtins.int],
        *,
        dtype: DtypeLike | None = None,
        device: DeviceLike | None = None,
        requires_grad: builtins.bool = False,
        layout: Layout | None = None,
        pin_memory: builtins.bool | None = None,
        memory_format: MemoryFormat | None = None,
    ) -> Tensor:
        """Create a tensor of zeros with the dtype and device of this one."""
    def nextafter(self, other: Operand) -> Tensor:
        """Next floating point number after `input` towards `other`, elementwise."""
    def nextafter_(self, other: Operand) -> Self:
        """In-place version of `nextafter`."""
    @overload
    def nonzero(self, *, as_tuple: Literal[False] = False) -> Tensor:
        """Indices of the nonzero elements: one row per element, or one tensor per dimension."""
    @overload
    def nonzero(self, *, as_tuple: Literal[True]) -> tuple[Tensor, ...]:
        """Indices of the nonzero elements: one row per element, or one tensor per dimension."""
    def nonzero_static(self, *, size: builtins.int, fill_value: Number = -1) -> Tensor:
        """Indices of the first `size` nonzero elements, one row each, padded to that number of rows."""
    def norm(
        self,
        p: builtins.float | str = "fro",
        dim: builtins.int | Sequence[builtins.int] | None = None,
        keepdim: builtins.bool = False,
        dtype: DtypeLike | None = None,
        *,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Vector or matrix norm of all elements or over dimensions."""
    def normal_(
        self, mean: builtins.float = 0.0, std: builtins.float = 1.0, *, generator: Generator | None = None
    ) -> Self:
        """Fill with random numbers from a normal distribution."""
    def not_equal(self, other: Operand) -> Tensor:
        """Test elementwise for inequality: ``input != other``."""
    def not_equal_(self, other: Operand) -> Self:
        """In-place version of `ne`."""
    def numel(self) -> builtins.int:
        """Number of elements."""
    def numpy(self, *, force: builtins.bool = False) -> NDArray[Any]:
        """The values as a NumPy array, which shares memory with the tensor where that is possible."""
    def orgqr(self, tau: Tensor) -> Tensor:
        """First columns of a product of Householder reflections; alias of `linalg.householder_product`."""
    def ormqr(
        self, tau: Tensor, other: Tensor | Number, left: builtins.bool = True, transpose: builtins.bool = False
    ) -> Tensor:
        """Product of a matrix with the Q of a QR decomposition, given as Householder reflections."""
    def outer(self, vec2: Tensor) -> Tensor:
        """Outer product of two vectors."""
    def pad(self, pad: Sequence[builtins.int], mode: str = "constant", value: builtins.float | None = None) -> Tensor:
        """Pad a tensor: with a constant, by reflection, by replication, or circularly."""
    @overload
    def permute(self, dims: Sequence[builtins.int]) -> Tensor:
        """Permute the dimensions."""
    @overload
    def permute(self, *dims: builtins.int) -> Tensor:
        """Permute the dimensions."""
    @overload
    def permute(self, *, axes: Sequence[builtins.int]) -> Tensor:
        """Permute the dimensions."""
    def pinverse(self, rcond: builtins.float = 1e-15) -> Tensor:
        """Moore-Penrose pseudoinverse of matrices; see `linalg.pinv`."""
    def polygamma(self, n: builtins.int) -> Tensor:
        """Polygamma function: the derivative of order `n` of `digamma`."""
    def polygamma_(self, n: builtins.int) -> Self:
        """In-place version of `polygamma`."""
    def positive(self) -> Tensor:
        """Return the tensor itself (Python's unary plus)."""
    @overload
    def pow(self, other: Operand) -> Tensor:
        """Raise each element to a power."""
    @overload
    def pow(self, *, exponent: Operand) -> Tensor:
        """Raise each element to a power."""
    def pow_(self, other: Operand) -> Self:
        """In-place version of `pow`."""
    def prelu(self, weight: Tensor) -> Tensor:
        """Parametric ReLU (PReLU): negative elements are multiplied by a learnable weight."""
    def prod(
        self,
        dim: builtins.int | Sequence[builtins.int] | None = None,
        keepdim: builtins.bool = False,
        *,
        dtype: DtypeLike | None = None,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Product of elements, of all or over a dimension."""
    def put(self, index: Operand, source: Operand, accumulate: builtins.bool = False) -> Tensor:
        """Put elements of `source` at indices of the flattened tensor, into a copy."""
    def put_(self, index: Operand, source: Operand, accumulate: builtins.bool = False) -> Self:
        """In-place version of `put`."""
    def qr(self, some: builtins.bool = True) -> return_types.qr:
        """QR decomposition of matrices; see `linalg.qr`."""
    def quantile(
        self,
        q: builtins.float | Tensor,
        dim: builtins.int | None = None,
        keepdim: builtins.bool = False,
        *,
        interpolation: str = "linear",
        axis: builtins.int | None = None,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Quantiles of all elements or along a dimension; NaN propagates."""
    def rad2deg(self) -> Tensor:
        """Convert radians to degrees."""
    def rad2deg_(self) -> Self:
        """In-place version of `rad2deg`."""
    @overload
    def random_(self, *, generator: Generator | None = None) -> Self:
        """Fill with random integers, uniform between two bounds."""
    @overload
    def random_(self, to: builtins.int, /, *, generator: Generator | None = None) -> Self:
        """Fill with random integers, uniform between two bounds."""
    @overload
    def random_(self, from_: builtins.int, to: builtins.int | None, *, generator: Generator | None = None) -> Self:
        """Fill with random integers, uniform between two bounds."""
    def ravel(self) -> Tensor:
        """Flatten to one dimension; a view where memory allows it."""
    @property
    def real(self) -> Tensor:
        """Real part of a complex tensor, as a view; a real tensor is returned unchanged."""
    @real.setter
    def real(self, value: Tensor) -> None: ...
    def reciprocal(self) -> Tensor:
        """Reciprocal (``1 / x``) of each element."""
    def reciprocal_(self) -> Self:
        """In-place version of `reciprocal`."""
    def relu(self, inplace: builtins.bool = False) -> Tensor:
        """Rectified linear unit (ReLU): ``max(x, 0)``. The derivative at zero is zero."""
    def relu_(self) -> Self:
        """In-place version of `relu`."""
    def remainder(self, other: Operand) -> Tensor:
        """Remainder of floor division."""
    def remainder_(self, other: Operand) -> Self:
        """In-place version of `remainder`."""
    @overload
    def renorm(self, p: builtins.float, dim: builtins.int, maxnorm: builtins.float) -> Tensor:
        """Renormalize slices along a dimension so that their p-norm is at most `maxnorm`."""
    @overload
    def renorm(self, p: builtins.float, *, axis: builtins.int, maxnorm: builtins.float) -> Tensor:
        """Renormalize slices along a dimension so that their p-norm is at most `maxnorm`."""
    @overload
    def renorm_(self, p: builtins.float, dim: builtins.int, maxnorm: builtins.float) -> Self:
        """In-place version of `renorm`."""
    @overload
    def renorm_(self, p: builtins.float, *, axis: builtins.int, maxnorm: builtins.float) -> Self:
        """In-place version of `renorm`."""
    @overload
    def repeat(self, repeats: Sequence[builtins.int]) -> Tensor:
        """Repeat the whole tensor along each dimension."""
    @overload
    def repeat(self, *repeats: builtins.int) -> Tensor:
        """Repeat the whole tensor along each dimension."""
    @overload
    def repeat_interleave(
        self,
        repeats: Tensor | builtins.int,
        dim: builtins.int | None = None,
        *,
        axis: builtins.int | None = None,
        output_size: builtins.int | None = None,
    ) -> Tensor:
        """Repeat each element, along a dimension or of the flattened tensor."""
    @overload
    def repeat_interleave(self, *, output_size: builtins.int | None = None) -> Tensor:
        """Repeat each element, along a dimension or of the flattened tensor."""
    @overload
    def reshape(self, shape: Sequence[builtins.int]) -> Tensor:
        """Reshape: a view where memory allows it, otherwise a copy."""
    @overload
    def reshape(self, *shape: builtins.int) -> Tensor:
        """Reshape: a view where memory allows it, otherwise a copy."""
    def reshape_as(self, other: Tensor | Number) -> Tensor:
        """Reshape to the shape of another tensor."""
    @overload
    def resize_(self, *sizes: builtins.int, memory_format: MemoryFormat | None = None) -> Self:
        """Resize in place; elements are kept in memory order, and new ones are zero."""
    @overload
    def resize_(self, sizes: Sequence[builtins.int], *, memory_format: MemoryFormat | None = None) -> Self:
        """Resize in place; elements are kept in memory order, and new ones are zero."""
    def resize_as_(self, the_template: Tensor, *, memory_format: MemoryFormat | None = None) -> Self:
        """Resize in place to the size of another tensor; see `resize_`."""
    def resolve_conj(self) -> Tensor:
        """Return the tensor itself: conjugation is never lazy here, so there is nothing to resolve."""
    def resolve_neg(self) -> Tensor:
        """Return the tensor itself: negation is never lazy here, so there is nothing to resolve."""
    def roll(
        self,
        shifts: builtins.int | Sequence[builtins.int],
        dims: builtins.int | Sequence[builtins.int] | None = None,
        *,
        axes: builtins.int | Sequence[builtins.int] | None = None,
    ) -> Tensor:
        """Roll elements along dimensions; those beyond the end reappear at the start."""
    def rot90(
        self,
        k: builtins.int = 1,
        dims: builtins.int | Sequence[builtins.int] = (0, 1),
        *,
        axes: builtins.int | Sequence[builtins.int] = (0, 1),
    ) -> Tensor:
        """Rotate by 90 degrees, `k` times, from the first given dimension towards the second."""
    def round(self, *, decimals: builtins.int | None = None) -> Tensor:
        """Round each element to the nearest integer, halves to even."""
    def round_(self, *, decimals: builtins.int | None = None) -> Self:
        """In-place version of `round`."""
    def rsqrt(self) -> Tensor:
        """Reciprocal of the square root of each element."""
    def rsqrt_(self) -> Self:
        """In-place version of `rsqrt`."""
    @overload
    def scatter(self, dim: builtins.int, index: Tensor, src: Tensor | Number, *, reduce: str | None = None) -> Tensor:
        """Scatter elements of `src` along a dimension, into a copy: ``out[index[i, j], j] = src[i, j]``."""
    @overload
    def scatter(self, dim: builtins.int, index: Tensor, *, value: Number, reduce: str | None = None) -> Tensor:
        """Scatter elements of `src` along a dimension, into a copy: ``out[index[i, j], j] = src[i, j]``."""
    def scatter_(
        self,
        dim: builtins.int,
        index: Tensor,
        src: Tensor | Number | None = None,
        *,
        value: Number | None = None,
        reduce: str | None = None,
    ) -> Self:
        """In-place version of `scatter`."""
    @overload
    def scatter_add(self, dim: builtins.int, index: Operand, src: Operand) -> Tensor:
        """Scatter with addition, into a copy: ``out[index[i, j], j] += src[i, j]``."""
    @overload
    def scatter_add(self, *, axis: builtins.int, index: Operand, src: Operand) -> Tensor:
        """Scatter with addition, into a copy: ``out[index[i, j], j] += src[i, j]``."""
    @overload
    def scatter_add_(self, dim: builtins.int, index: Operand, src: Operand) -> Self:
        """In-place version of `scatter_add`."""
    @overload
    def scatter_add_(self, *, axis: builtins.int, index: Operand, src: Operand) -> Self:
        """In-place version of `scatter_add`."""
    @overload
    def scatter_reduce(
        self, dim: builtins.int, index: Operand, src: Operand, reduce: str, *, include_self: builtins.bool = True
    ) -> Tensor:
        """Scatter elements of `src` along a dimension and reduce those with the same index."""
    @overload
    def scatter_reduce(
        self, *, axis: builtins.int, index: Operand, src: Operand, reduce: str, include_self: builtins.bool = True
    ) -> Tensor:
        """Scatter elements of `src` along a dimension and reduce those with the same index."""
    @overload
    def scatter_reduce_(
        self, dim: builtins.int, index: Operand, src: Operand, reduce: str, *, include_self: builtins.bool = True
    ) -> Self:
        """In-place version of `scatter_reduce`."""
    @overload
    def scatter_reduce_(
        self, *, axis: builtins.int, index: Operand, src: Operand, reduce: str, include_self: builtins.bool = True
    ) -> Self:
        """In-place version of `scatter_reduce`."""
    @overload
    def select(self, dim: builtins.int, index: builtins.int) -> Tensor:
        """Select one index along a dimension, which is removed; a view."""
    @overload
    def select(self, *, axis: builtins.int, index: builtins.int) -> Tensor:
        """Select one index along a dimension, which is removed; a view."""
    @overload
    def select_scatter(self, src: Tensor, dim: builtins.int, index: builtins.int) -> Tensor:
        """Copy with `src` embedded at one index along a dimension."""
    @overload
    def select_scatter(self, src: Tensor, *, axis: builtins.int, index: builtins.int) -> Tensor:
        """Copy with `src` embedded at one index along a dimension."""
    @overload
    def set_(self) -> Self:
        """Set the memory (storage) and shape to those of another tensor; without argument, to none."""
    @overload
    def set_(self, source: Tensor) -> Self:
        """Set the memory (storage) and shape to those of another tensor; without argument, to none."""
    def sgn(self) -> Tensor:
        """Sign of each element; for complex numbers ``x / abs(x)``, or zero."""
    def sgn_(self) -> Self:
        """In-place version of `sgn`."""
    @property
    def shape(self) -> Size:
        """The length of each dimension."""
    def short(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """Convert to dtype int16."""
    def sigmoid(self) -> Tensor:
        """Sigmoid (logistic function) ``1 / (1 + exp(-x))`` of each element."""
    def sigmoid_(self) -> Self:
        """In-place version of `sigmoid`."""
    def sign(self) -> Tensor:
        """Sign of each element: -1, 0 or 1; NaN gives 0."""
    def sign_(self) -> Self:
        """In-place version of `sign`."""
    def signbit(self) -> Tensor:
        """Test each element for its sign bit; true for negative numbers and -0.0."""
    def sin(self) -> Tensor:
        """Sine of each element."""
    def sin_(self) -> Self:
        """In-place version of `sin`."""
    def sinc(self) -> Tensor:
        """Normalized sinc function ``sin(pi x) / (pi x)`` of each element; one at zero."""
    def sinc_(self) -> Self:
        """In-place version of `sinc`."""
    def sinh(self) -> Tensor:
        """Hyperbolic sine of each element."""
    def sinh_(self) -> Self:
        """In-place version of `sinh`."""
    @overload
    def size(self) -> Size:
        """The shape, or the length along one dimension."""
    @overload
    def size(self, dim: builtins.int) -> builtins.int:
        """The shape, or the length along one dimension."""
    def slice_scatter(
        self,
        src: Tensor,
        dim: builtins.int = 0,
        start: builtins.int | None = None,
        end: builtins.int | None = None,
        step: builtins.int = 1,
        *,
        axis: builtins.int = 0,
    ) -> Tensor:
        """Copy with `src` embedded in a slice along a dimension."""
    def slogdet(self) -> return_types.slogdet:
        """Sign and logarithm of the absolute value of the determinant; see `linalg.slogdet`."""
    def softmax(
        self, dim: builtins.int | None = None, dtype: DtypeLike | None = None, *, axis: builtins.int | None = None
    ) -> Tensor:
        """Softmax along a dimension: exponentials divided by their sum."""
    def sort(
        self,
        dim: builtins.int = -1,
        descending: builtins.bool = False,
        stable: builtins.bool = False,
        *,
        axis: builtins.int = -1,
    ) -> return_types.sort:
        """Sort elements along a dimension; returns values and indices."""
    @overload
    def split(
        self,
        split_size_or_sections: builtins.int | Sequence[builtins.int],
        dim: builtins.int = 0,
        *,
        axis: builtins.int = 0,
    ) -> tuple[Tensor, ...]:
        """Split into views along a dimension, by the size of the parts or a list of sizes."""
    @overload
    def split(
        self, *, split_size: builtins.int | Sequence[builtins.int], dim: builtins.int = 0, axis: builtins.int = 0
    ) -> tuple[Tensor, ...]:
        """Split into views along a dimension, by the size of the parts or a list of sizes."""
    def split_with_sizes(
        self, split_sizes: Sequence[builtins.int], dim: builtins.int = 0, *, axis: builtins.int = 0
    ) -> tuple[Tensor, ...]:
        """Split into views of given sizes along a dimension."""
    def sqrt(self) -> Tensor:
        """Square root of each element."""
    def sqrt_(self) -> Self:
        """In-place version of `sqrt`."""
    def square(self) -> Tensor:
        """Square of each element."""
    def square_(self) -> Self:
        """In-place version of `square`."""
    def squeeze(
        self,
        dim: builtins.int | Sequence[builtins.int] | None = None,
        *,
        axis: builtins.int | Sequence[builtins.int] | None = None,
    ) -> Tensor:
        """Remove dimensions of length 1."""
    def squeeze_(self, dim: builtins.int | Sequence[builtins.int] | None = None) -> Self:
        """In-place version of `squeeze`."""
    def std(
        self,
        dim: builtins.int | Sequence[builtins.int] | None = None,
        unbiased: builtins.bool | None = None,
        keepdim: builtins.bool = False,
        *,
        correction: builtins.float | None = None,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Standard deviation of elements, of all or over dimensions. Its gradient at zero is zero."""
    def stft(
        self,
        n_fft: builtins.int,
        hop_length: builtins.int | None = None,
        win_length: builtins.int | None = None,
        window: Tensor | None = None,
        center: builtins.bool = True,
        pad_mode: str = "reflect",
        normalized: builtins.bool = False,
        onesided: builtins.bool | None = None,
        return_complex: builtins.bool | None = None,
        align_to_window: builtins.bool | None = None,
    ) -> Tensor:
        """Short-time Fourier transform (STFT) of a signal."""
    def storage_offset(self) -> builtins.int:
        """Offset of the first element in the storage, in elements."""
    @overload
    def stride(self) -> tuple[builtins.int, ...]:
        """Strides in elements: of all dimensions, or of one."""
    @overload
    def stride(self, dim: builtins.int) -> builtins.int:
        """Strides in elements: of all dimensions, or of one."""
    def sub(self, other: Operand, *, alpha: Number | None = None) -> Tensor:
        """Subtract two tensors elementwise: ``input - alpha * other``."""
    def sub_(self, other: Operand, *, alpha: Number | None = None) -> Self:
        """In-place version of `sub`."""
    def subtract(self, other: Operand, *, alpha: Number | None = None) -> Tensor:
        """Subtract two tensors elementwise: ``input - alpha * other``."""
    def subtract_(self, other: Operand, *, alpha: Number | None = None) -> Self:
        """In-place version of `sub`."""
    def sum(
        self,
        dim: builtins.int | Sequence[builtins.int] | None = None,
        keepdim: builtins.bool = False,
        *,
        dtype: DtypeLike | None = None,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Sum of elements, of all or over dimensions."""
    @overload
    def sum_to_size(self, *size: builtins.int) -> Tensor:
        """Sum over dimensions to a given size; the transpose of broadcasting."""
    @overload
    def sum_to_size(self, size: Sequence[builtins.int]) -> Tensor:
        """Sum over dimensions to a given size; the transpose of broadcasting."""
    def svd(self, some: builtins.bool = True, compute_uv: builtins.bool = True) -> return_types.svd:
        """Singular value decomposition as U, S and V (not its conjugate transpose); see `linalg.svd`."""
    def swapaxes(self, axis0: builtins.int, axis1: builtins.int) -> Tensor:
        """Swap two dimensions; alias of `transpose`."""
    def swapaxes_(self, dim0: builtins.int, dim1: builtins.int) -> Self:
        """In-place version of `transpose`."""
    def swapdims(self, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """Transpose: swap two dimensions."""
    def swapdims_(self, dim0: builtins.int, dim1: builtins.int) -> Self:
        """In-place version of `transpose`."""
    def t(self) -> Tensor:
        """Transpose of a matrix; vectors and 0-dim tensors are returned unchanged."""
    def t_(self) -> Self:
        """In-place version of `t`."""
    def take(self, index: Operand) -> Tensor:
        """Take elements by their indices in the flattened tensor."""
    def take_along_dim(
        self, indices: Tensor, dim: builtins.int | None = None, *, axis: builtins.int | None = None
    ) -> Tensor:
        """Take elements along a dimension by an index, with broadcasting; see `gather`."""
    def tan(self) -> Tensor:
        """Tangent of each element."""
    def tan_(self) -> Self:
        """In-place version of `tan`."""
    def tanh(self) -> Tensor:
        """Hyperbolic tangent of each element."""
    def tanh_(self) -> Self:
        """In-place version of `tanh`."""
    def tensor_split(
        self,
        indices_or_sections: builtins.int | Sequence[builtins.int] | Tensor,
        dim: builtins.int = 0,
        *,
        axis: builtins.int = 0,
    ) -> tuple[Tensor, ...]:
        """Split into a number of views, or at given indices, along a dimension."""
    @overload
    def tile(self, dims: Sequence[builtins.int]) -> Tensor:
        """Tile: repeat the whole tensor along each dimension; missing leading numbers are 1."""
    @overload
    def tile(self, *sizes: builtins.int) -> Tensor:
        """Tile: repeat the whole tensor along each dimension; missing leading numbers are 1."""
    @overload
    def to(
        self,
        dtype: DtypeLike,
        non_blocking: builtins.bool = False,
        copy: builtins.bool = False,
        *,
        memory_format: MemoryFormat | None = None,
    ) -> Tensor:
        """Convert to another dtype or device, or to those of another tensor."""
    @overload
    def to(
        self,
        device: DeviceLike | None = None,
        dtype: DtypeLike | None = None,
        non_blocking: builtins.bool = False,
        copy: builtins.bool = False,
        *,
        memory_format: MemoryFormat | None = None,
    ) -> Tensor:
        """Convert to another dtype or device, or to those of another tensor."""
    @overload
    def to(
        self,
        other: Tensor,
        non_blocking: builtins.bool = False,
        copy: builtins.bool = False,
        *,
        memory_format: MemoryFormat | None = None,
    ) -> Tensor:
        """Convert to another dtype or device, or to those of another tensor."""
    def to_dense(self, dtype: DtypeLike | None = None, *, masked_grad: builtins.bool | None = None) -> Tensor:
        """Return the tensor itself, because all tensors are dense; with a dtype, convert to it."""
    def to_device(self, device: DeviceLike, /, *, stream: None = None) -> Tensor:
        """The array API's name of ``to(device)``."""
    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers; of a 0-dim tensor, the number."""
    def topk(
        self,
        k: builtins.int,
        dim: builtins.int = -1,
        largest: builtins.bool = True,
        sorted: builtins.bool = True,
        *,
        axis: builtins.int = -1,
    ) -> return_types.topk:
        """The k largest (or smallest) elements along a dimension, in order, and their indices."""
    def trace(self) -> Tensor:
        """Trace of a matrix: the sum of its diagonal."""
    def transpose(self, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """Transpose: swap two dimensions."""
    def transpose_(self, dim0: builtins.int, dim1: builtins.int) -> Self:
        """In-place version of `transpose`."""
    def triangular_solve(
        self,
        A: Tensor,
        upper: builtins.bool = True,
        transpose: builtins.bool = False,
        unitriangular: builtins.bool = False,
    ) -> return_types.triangular_solve:
        """Solve ``A @ X = b`` with triangular A; older name of `linalg.solve_triangular`."""
    def tril(self, diagonal: builtins.int = 0) -> Tensor:
        """Lower triangle of matrices; zeros above a diagonal."""
    def tril_(self, diagonal: builtins.int = 0) -> Self:
        """In-place version of `tril`."""
    def triu(self, diagonal: builtins.int = 0) -> Tensor:
        """Upper triangle of matrices; zeros below a diagonal."""
    def triu_(self, diagonal: builtins.int = 0) -> Self:
        """In-place version of `triu`."""
    def true_divide(self, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
        """Divide two tensors elementwise (true division unless `rounding_mode` is given)."""
    def true_divide_(self, other: Operand, *, rounding_mode: str | None = None) -> Self:
        """In-place version of `div`."""
    def trunc(self) -> Tensor:
        """Truncate each element towards zero to its integer part."""
    def trunc_(self) -> Self:
        """In-place version of `trunc`."""
    @overload
    def type(self, dtype: None = None, non_blocking: builtins.bool = False) -> str:
        """Convert to another dtype; without an argument return the name of the tensor's type."""
    @overload
    def type(self, dtype: DtypeLike | builtins.type, non_blocking: builtins.bool = False) -> Tensor:
        """Convert to another dtype; without an argument return the name of the tensor's type."""
    def type_as(self, other: Tensor | Number) -> Tensor:
        """Convert to the dtype of another tensor."""
    def unbind(self, dim: builtins.int = 0, *, axis: builtins.int = 0) -> tuple[Tensor, ...]:
        """Unbind a dimension: a tuple of views of all slices along it."""
    @overload
    def unflatten(self, dim: builtins.int, sizes: Sequence[builtins.int]) -> Tensor:
        """Unflatten one dimension into several."""
    @overload
    def unflatten(self, *, axis: builtins.int, sizes: Sequence[builtins.int]) -> Tensor:
        """Unflatten one dimension into several."""
    def unfold(self, dimension: builtins.int, size: builtins.int, step: builtins.int) -> Tensor:
        """Sliding windows along a dimension, as a strided view; window elements become the last dimension."""
    def uniform_(
        self, from_: builtins.float = 0.0, to: builtins.float = 1.0, *, generator: Generator | None = None
    ) -> Self:
        """Fill with random numbers from the uniform distribution on [`from_`, `to`)."""
    @overload
    def unique(
        self,
        sorted: builtins.bool = True,
        return_inverse: Literal[False] = False,
        return_counts: Literal[False] = False,
        dim: builtins.int | None = None,
        *,
        axis: builtins.int | None = None,
    ) -> Tensor:
        """Unique elements, in ascending order."""
    @overload
    def unique(
        self,
        sorted: builtins.bool = True,
        *,
        return_inverse: Literal[True],
        return_counts: Literal[False] = False,
        dim: builtins.int | None = None,
        axis: builtins.int | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Unique elements, in ascending order."""
    @overload
    def unique(
        self,
        sorted: builtins.bool = True,
        return_inverse: Literal[False] = False,
        *,
        return_counts: Literal[True],
        dim: builtins.int | None = None,
        axis: builtins.int | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Unique elements, in ascending order."""
    @overload
    def unique(
        self,
        sorted: builtins.bool = True,
        *,
        return_inverse: Literal[True],
        return_counts: Literal[True],
        dim: builtins.int | None = None,
        axis: builtins.int | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Unique elements, in ascending order."""
    @overload
    def unique(
        self,
        sorted: builtins.bool,
        return_inverse: Literal[True],
        return_counts: Literal[False] = False,
        dim: builtins.int | None = None,
        *,
        axis: builtins.int | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Unique elements, in ascending order."""
    @overload
    def unique(
        self,
        sorted: builtins.bool,
        return_inverse: Literal[True],
        return_counts: Literal[True],
        dim: builtins.int | None = None,
        *,
        axis: builtins.int | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Unique elements, in ascending order."""
    @overload
    def unique(
        self,
        sorted: builtins.bool = True,
        return_inverse: builtins.bool = False,
        return_counts: builtins.bool = False,
        dim: builtins.int | None = None,
        *,
        axis: builtins.int | None = None,
    ) -> Tensor | tuple[Tensor, ...]:
        """Unique elements, in ascending order."""
    @overload
    def unique_consecutive(
        self,
        return_inverse: Literal[False] = False,
        return_counts: Literal[False] = False,
        dim: builtins.int | None = None,
        *,
        axis: builtins.int | None = None,
    ) -> Tensor:
        """Unique consecutive elements: one per run of equal elements."""
    @overload
    def unique_consecutive(
        self,
        return_inverse: Literal[True],
        return_counts: Literal[False] = False,
        dim: builtins.int | None = None,
        *,
        axis: builtins.int | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Unique consecutive elements: one per run of equal elements."""
    @overload
    def unique_consecutive(
        self,
        return_inverse: Literal[False] = False,
        *,
        return_counts: Literal[True],
        dim: builtins.int | None = None,
        axis: builtins.int | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Unique consecutive elements: one per run of equal elements."""
    @overload
    def unique_consecutive(
        self,
        return_inverse: Literal[True],
        return_counts: Literal[True],
        dim: builtins.int | None = None,
        *,
        axis: builtins.int | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Unique consecutive elements: one per run of equal elements."""
    @overload
    def unique_consecutive(
        self,
        return_inverse: builtins.bool = False,
        return_counts: builtins.bool = False,
        dim: builtins.int | None = None,
        *,
        axis: builtins.int | None = None,
    ) -> Tensor | tuple[Tensor, ...]:
        """Unique consecutive elements: one per run of equal elements."""
    @overload
    def unsqueeze(self, dim: builtins.int) -> Tensor:
        """Insert a dimension of length 1."""
    @overload
    def unsqueeze(self, *, axis: builtins.int) -> Tensor:
        """Insert a dimension of length 1."""
    def unsqueeze_(self, dim: builtins.int) -> Self:
        """In-place version of `unsqueeze`."""
    def untyped_storage(self) -> UntypedStorage:
        """The memory (storage) that the tensor shares with its views."""
    def var(
        self,
        dim: builtins.int | Sequence[builtins.int] | None = None,
        unbiased: builtins.bool | None = None,
        keepdim: builtins.bool = False,
        *,
        correction: builtins.float | None = None,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Variance of elements, of all or over dimensions."""
    def vdot(self, other: Operand) -> Tensor:
        """Dot product of two vectors; the first one is conjugated."""
    @overload
    def view(self, size: Sequence[builtins.int], /) -> Tensor:
        """View of the same memory with another shape, or as another dtype; never a copy."""
    @overload
    def view(self, *size: builtins.int) -> Tensor:
        """View of the same memory with another shape, or as another dtype; never a copy."""
    @overload
    def view(self, dtype: Dtype | builtins.type[complex]) -> Tensor:
        """View of the same memory with another shape, or as another dtype; never a copy."""
    def view_as(self, other: Tensor | Number) -> Tensor:
        """View with the shape of another tensor."""
    def vsplit(self, indices_or_sections: builtins.int | Sequence[builtins.int] | Tensor) -> tuple[Tensor, ...]:
        """Split vertically: along the first dimension."""
    def where(self, condition: Operand, other: Operand) -> Tensor:
        """Select elements of this tensor where the condition is true, of `other` where it is false."""
    def xlogy(self, other: Operand) -> Tensor:
        """``input * log(other)``, which is zero where `input` is zero."""
    def xlogy_(self, other: Operand) -> Self:
        """In-place version of `xlogy`."""
    def zero_(self) -> Self:
        """Fill with zeros."""
