# Written by `make stubs` from the operator table; do not edit.
"""Types for type checkers only: the methods of Tensor, and the aliases that annotations use."""

import builtins
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import EllipsisType
from typing import Any, Literal, ParamSpec, Protocol, Self, TypeAlias, TypeVar, overload

import numpy
from numpy.typing import NDArray
from typing_extensions import Buffer

from adjoint import Generator as Generator
from adjoint import Size as Size
from adjoint import Tensor as Tensor
from adjoint import device as Device
from adjoint import dtype as Dtype
from adjoint import layout as Layout
from adjoint import memory_format as MemoryFormat
from adjoint._dispatch import return_types
from adjoint._ops.memory.detach import UntypedStorage
from adjoint.autograd.function import FunctionCtx as FunctionCtx
from adjoint.autograd.graph import GradientEdge as GradientEdge
from adjoint.autograd.graph import Node as Node

Params = ParamSpec("Params")
Returned = TypeVar("Returned")
Returned_co = TypeVar("Returned_co", covariant=True)
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
        """A matrix transposed and conjugated."""
    @property
    def T(self) -> Tensor:
        """The dimensions in reverse order."""
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
    def __array_namespace__(self, *, api_version: str | None = None) -> Any: ...
    __array_priority__: builtins.int
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any: ...
    def __bool__(self) -> builtins.bool: ...
    def __complex__(self) -> complex: ...
    def __contains__(self, element: Operand, /) -> builtins.bool: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: dict[builtins.int, Any], /) -> Self: ...
    def __delitem__(self, key: Index, /) -> None: ...
    def __dlpack__(self, **kwargs: Any) -> Any: ...
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
    def __reversed__(self) -> Tensor: ...
    def __rfloordiv__(self, other: Operand, /) -> Tensor: ...
    def __rlshift__(self, other: Operand, /) -> Tensor: ...
    def __rmatmul__(self, other: Operand, /) -> Tensor: ...
    def __rmod__(self, other: Operand, /) -> Tensor: ...
    def __rmul__(self, other: Operand, /) -> Tensor: ...
    def __ror__(self, other: Operand, /) -> Tensor: ...
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
        """Whether the tensor is a differentiable view of another."""
    @staticmethod
    def _make_subclass(cls: builtins.type[TensorType], data: Tensor, require_grad: builtins.bool = False) -> TensorType:  # pyright: ignore[reportSelfClsParameterName]
        """A leaf of a subclass that shares the memory of `data`; for use in a subclass's ``__new__``."""
    def abs(self) -> Tensor:
        """Absolute value of each element; of a complex one its distance from zero. The derivative at zero is zero."""
    def abs_(self) -> Self:
        """In-place version of `abs`."""
    def absolute(self) -> Tensor:
        """Absolute value of each element; of a complex one its distance from zero. The derivative at zero is zero."""
    def absolute_(self) -> Self:
        """In-place version of `abs`."""
    def acos(self) -> Tensor:
        """Inverse of the cosine."""
    def acos_(self) -> Self:
        """In-place version of `acos`."""
    def acosh(self) -> Tensor:
        """Inverse of the hyperbolic cosine."""
    def acosh_(self) -> Self:
        """In-place version of `acosh`."""
    def add(self, other: Operand, *, alpha: Number | None = None) -> Tensor:
        """Sum, element by element."""
    def add_(self, other: Operand, *, alpha: Number | None = None) -> Self:
        """In-place version of `add`."""
    def addbmm(self, batch1: Operand, batch2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """``beta * input + alpha * bmm(batch1, batch2).sum(0)``."""
    def addbmm_(self, batch1: Operand, batch2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Self:
        """In-place version of `addbmm`."""
    def addcdiv(self, tensor1: Operand, tensor2: Operand, *, value: Number = 1) -> Tensor:
        """The sum of `input` and the quotient of two tensors."""
    def addcdiv_(self, tensor1: Operand, tensor2: Operand, *, value: Number = 1) -> Self:
        """In-place version of `addcdiv`."""
    def addcmul(self, tensor1: Operand, tensor2: Operand, *, value: Number = 1) -> Tensor:
        """The sum of `input` and the product of two tensors."""
    def addcmul_(self, tensor1: Operand, tensor2: Operand, *, value: Number = 1) -> Self:
        """In-place version of `addcmul`."""
    def addmm(self, mat1: Operand, mat2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """``beta * input + alpha * (mat1 @ mat2)``."""
    def addmm_(self, mat1: Operand, mat2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Self:
        """In-place version of `addmm`."""
    def addmv(self, mat: Operand, vec: Operand, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """``beta * input + alpha * (mat @ vec)``."""
    def addmv_(self, mat: Operand, vec: Operand, *, beta: Number = 1, alpha: Number = 1) -> Self:
        """In-place version of `addmv`."""
    def addr(self, vec1: Operand, vec2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """``beta * input + alpha * outer(vec1, vec2)``."""
    def addr_(self, vec1: Operand, vec2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Self:
        """In-place version of `addr`."""
    def adjoint(self) -> Tensor:
        """The last two dimensions exchanged, and the elements conjugated."""
    def all(
        self,
        dim: builtins.int | Sequence[builtins.int] | None = None,
        keepdim: builtins.bool = False,
        *,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Whether all elements are nonzero, of all or over dimensions."""
    def allclose(
        self,
        other: Tensor,
        rtol: builtins.float = 1e-05,
        atol: builtins.float = 1e-08,
        equal_nan: builtins.bool = False,
    ) -> builtins.bool:
        """Whether all elements of two tensors are close, as a Python bool; see `isclose`."""
    def amax(
        self,
        dim: builtins.int | Sequence[builtins.int] = (),
        keepdim: builtins.bool = False,
        *,
        axis: builtins.int | Sequence[builtins.int] = (),
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """The largest element, of all or over dimensions. Elements that are equally large share the gradient."""
    def amin(
        self,
        dim: builtins.int | Sequence[builtins.int] = (),
        keepdim: builtins.bool = False,
        *,
        axis: builtins.int | Sequence[builtins.int] = (),
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """The smallest element, of all or over dimensions. Elements that are equally small share the gradient."""
    def aminmax(
        self,
        *,
        dim: builtins.int | Sequence[builtins.int] | None = None,
        keepdim: builtins.bool = False,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
    ) -> return_types.aminmax:
        """The smallest and the largest element, of all or over one dimension."""
    def angle(self) -> Tensor:
        """The angle of each element in the complex plane, between -pi and pi."""
    def any(
        self,
        dim: builtins.int | Sequence[builtins.int] | None = None,
        keepdim: builtins.bool = False,
        *,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Whether any element is nonzero, of all or over dimensions."""
    def apply_(self, callable: Callable[[Any], Number]) -> Self:
        """Replace each element by what a Python function makes of it. Slow, and not recorded."""
    def arccos(self) -> Tensor:
        """Inverse of the cosine."""
    def arccos_(self) -> Self:
        """In-place version of `acos`."""
    def arccosh(self) -> Tensor:
        """Inverse of the hyperbolic cosine."""
    def arccosh_(self) -> Self:
        """In-place version of `acosh`."""
    def arcsin(self) -> Tensor:
        """Inverse of the sine."""
    def arcsin_(self) -> Self:
        """In-place version of `asin`."""
    def arcsinh(self) -> Tensor:
        """Inverse of the hyperbolic sine."""
    def arcsinh_(self) -> Self:
        """In-place version of `asinh`."""
    def arctan(self) -> Tensor:
        """Inverse of the tangent."""
    def arctan2(self, other: Operand) -> Tensor:
        """The angle of the point with the coordinates `other` (to the right) and `input` (upwards)."""
    def arctan2_(self, other: Operand) -> Self:
        """In-place version of `atan2`."""
    def arctan_(self) -> Self:
        """In-place version of `atan`."""
    def arctanh(self) -> Tensor:
        """Inverse of the hyperbolic tangent."""
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
        """The place of the largest element, the first of several: along a dimension, or in the flattened tensor."""
    def argmin(
        self,
        dim: builtins.int | None = None,
        keepdim: builtins.bool = False,
        *,
        axis: builtins.int | None = None,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """The place of the smallest element, the first of several: along a dimension, or in the flattened tensor."""
    def argsort(
        self,
        dim: builtins.int = -1,
        descending: builtins.bool = False,
        stable: builtins.bool = False,
        *,
        axis: builtins.int = -1,
    ) -> Tensor:
        """The places of the elements in ascending order along a dimension."""
    def argwhere(self) -> Tensor:
        """The indices of the elements that are not zero, one row for each."""
    @property
    def array(self) -> Any:
        """The array inside: NumPy's, JAX's, another tensor, as it was given or computed."""
    def as_strided(
        self,
        size: Sequence[builtins.int],
        stride: builtins.int | Sequence[builtins.int],
        storage_offset: builtins.int | None = None,
    ) -> Tensor:
        """The memory behind a tensor shown with any shape and strides (in elements)."""
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
        """A copy in which the elements that `as_strided` would show are those of `src`."""
    def as_subclass(self, cls: builtins.type[TensorType]) -> TensorType:
        """The same values with the same history as an object of a subclass of Tensor."""
    def asin(self) -> Tensor:
        """Inverse of the sine."""
    def asin_(self) -> Self:
        """In-place version of `asin`."""
    def asinh(self) -> Tensor:
        """Inverse of the hyperbolic sine."""
    def asinh_(self) -> Self:
        """In-place version of `asinh`."""
    def atan(self) -> Tensor:
        """Inverse of the tangent."""
    def atan2(self, other: Operand) -> Tensor:
        """The angle of the point with the coordinates `other` (to the right) and `input` (upwards)."""
    def atan2_(self, other: Operand) -> Self:
        """In-place version of `atan2`."""
    def atan_(self) -> Self:
        """In-place version of `atan`."""
    def atanh(self) -> Tensor:
        """Inverse of the hyperbolic tangent."""
    def atanh_(self) -> Self:
        """In-place version of `atanh`."""
    def baddbmm(self, batch1: Operand, batch2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """``beta * input + alpha * bmm(batch1, batch2)``."""
    def baddbmm_(self, batch1: Operand, batch2: Operand, *, beta: Number = 1, alpha: Number = 1) -> Self:
        """In-place version of `baddbmm`."""
    def bernoulli(
        self, p: builtins.float | None = None, *, generator: Generator | None = None, out: Tensor | None = None
    ) -> Tensor:
        """Ones with the probabilities that the elements are, zeros otherwise."""
    def bernoulli_(self, p: builtins.float = 0.5, generator: Generator | None = None) -> Self:
        """Overwrite every element with one, with probability `p`, or zero."""
    def bfloat16(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """The tensor with dtype bfloat16."""
    def bincount(self, weights: Operand | None = None, minlength: builtins.int = 0) -> Tensor:
        """How often each of the numbers 0, 1, 2, ... occurs."""
    def bitwise_and(self, other: Operand) -> Tensor:
        """The bits that are set in both of two integers; of booleans the logical and."""
    def bitwise_and_(self, other: Operand) -> Self:
        """In-place version of `bitwise_and`."""
    def bitwise_left_shift(self, other: Operand) -> Tensor:
        """The bits of `input` moved to the left by `other` places."""
    def bitwise_left_shift_(self, other: Operand) -> Self:
        """In-place version of `bitwise_left_shift`."""
    def bitwise_not(self) -> Tensor:
        """The bits that are not set; of booleans the logical not."""
    def bitwise_not_(self) -> Self:
        """In-place version of `bitwise_not`."""
    def bitwise_or(self, other: Operand) -> Tensor:
        """The bits that are set in at least one of two integers."""
    def bitwise_or_(self, other: Operand) -> Self:
        """In-place version of `bitwise_or`."""
    def bitwise_right_shift(self, other: Operand) -> Tensor:
        """The bits of `input` moved to the right by `other` places."""
    def bitwise_right_shift_(self, other: Operand) -> Self:
        """In-place version of `bitwise_right_shift`."""
    def bitwise_xor(self, other: Operand) -> Tensor:
        """The bits that are set in one of two integers and not in the other."""
    def bitwise_xor_(self, other: Operand) -> Self:
        """In-place version of `bitwise_xor`."""
    def bmm(self, mat2: Operand) -> Tensor:
        """The products of two stacks of equally many matrices."""
    def bool(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """The tensor with dtype bool."""
    @overload
    def broadcast_to(self, size: Sequence[builtins.int]) -> Tensor:
        """Expanded to a shape by the rules of broadcasting."""
    @overload
    def broadcast_to(self, *size: builtins.int) -> Tensor:
        """Expanded to a shape by the rules of broadcasting."""
    def byte(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """The tensor with dtype uint8."""
    def cauchy_(
        self, median: builtins.float = 0.0, sigma: builtins.float = 1.0, *, generator: Generator | None = None
    ) -> Self:
        """Overwrite every element with a number drawn from a Cauchy distribution."""
    def cdouble(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """The tensor with dtype complex128."""
    def ceil(self) -> Tensor:
        """The smallest integer that is not below each element."""
    def ceil_(self) -> Self:
        """In-place version of `ceil`."""
    def cfloat(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """The tensor with dtype complex64."""
    def char(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """The tensor with dtype int8."""
    def cholesky(self, upper: builtins.bool = False) -> Tensor:
        """The triangular factor of Hermitian positive definite matrices; see `linalg.cholesky`."""
    def cholesky_inverse(self, upper: builtins.bool = False) -> Tensor:
        """The inverse of A from its Cholesky factor."""
    def cholesky_solve(self, input2: Operand, upper: builtins.bool = False) -> Tensor:
        """The solution X of ``A @ X = input`` from the Cholesky factor of A."""
    def chunk(self, chunks: builtins.int, dim: builtins.int = 0, *, axis: builtins.int = 0) -> tuple[Tensor, ...]:
        """The tensor in at most so many parts of equal length (the last may be shorter) along a dimension."""
    def clamp(self, min: Operand | None = None, max: Operand | None = None) -> Tensor:
        """Each element brought to between two bounds. The gradient passes where it is, including on the bounds."""
    def clamp_(self, min: Operand | None = None, max: Operand | None = None) -> Self:
        """In-place version of `clamp`."""
    def clamp_max(self, max: Operand) -> Tensor:
        """Each element, or the bound where that is smaller."""
    def clamp_max_(self, max: Operand) -> Self:
        """In-place version of `clamp_max`."""
    def clamp_min(self, min: Operand) -> Tensor:
        """Each element, or the bound where that is larger."""
    def clamp_min_(self, min: Operand) -> Self:
        """In-place version of `clamp_min`."""
    def clip(self, min: Operand | None = None, max: Operand | None = None) -> Tensor:
        """Each element brought to between two bounds. The gradient passes where it is, including on the bounds."""
    def clip_(self, min: Operand | None = None, max: Operand | None = None) -> Self:
        """In-place version of `clamp`."""
    def clone(self, *, memory_format: MemoryFormat | None = None) -> Tensor:
        """A copy, which gradients pass through."""
    def combinations(self, r: builtins.int = 2, with_replacement: builtins.bool = False) -> Tensor:
        """All combinations of `r` elements of a vector, one in each row, in the order of `itertools`."""
    def conj(self) -> Tensor:
        """The complex conjugate of each element; a tensor that is not complex is returned as it is."""
    def conj_physical(self) -> Tensor:
        """The complex conjugate of each element; a tensor that is not complex is returned as it is."""
    def conj_physical_(self) -> Self:
        """In-place version of `conj_physical`."""
    def contiguous(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """The tensor itself if its elements lie one after another in memory, else a copy in which they do."""
    def copy_(self, src: Tensor | Array | Number, non_blocking: builtins.bool = False) -> Self:
        """Overwrite the tensor with the values of another, which is broadcast and converted; recorded."""
    def copysign(self, other: Operand) -> Tensor:
        """The size of `input` with the sign of `other`, element by element. The derivative at zero is zero."""
    def copysign_(self, other: Operand) -> Self:
        """In-place version of `copysign`."""
    def corrcoef(self) -> Tensor:
        """The matrix of correlation coefficients of variables (rows) from observations (columns)."""
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
        """How many elements are nonzero, of all or over dimensions."""
    def cov(
        self, *, correction: builtins.float = 1, fweights: Tensor | None = None, aweights: Tensor | None = None
    ) -> Tensor:
        """The covariance matrix of variables (rows) from observations (columns)."""
    def cpu(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """The tensor in the CPU's memory."""
    def cross(
        self, other: Tensor | Number, dim: builtins.int | None = None, *, axis: builtins.int | None = None
    ) -> Tensor:
        """The vector product in three dimensions."""
    def cuda(
        self,
        device: DeviceLike | None = None,
        non_blocking: builtins.bool = False,
        memory_format: MemoryFormat | None = None,
    ) -> Tensor:
        """The tensor on a GPU (the current one unless a device or a number is given): with CuPy, or in JAX's hands."""
    @overload
    def cummax(self, dim: builtins.int) -> return_types.cummax:
        """The largest of the first elements along a dimension, and where they are."""
    @overload
    def cummax(self, *, axis: builtins.int) -> return_types.cummax:
        """The largest of the first elements along a dimension, and where they are."""
    @overload
    def cummin(self, dim: builtins.int) -> return_types.cummin:
        """The smallest of the first elements along a dimension, and where they are."""
    @overload
    def cummin(self, *, axis: builtins.int) -> return_types.cummin:
        """The smallest of the first elements along a dimension, and where they are."""
    @overload
    def cumprod(self, dim: builtins.int, *, dtype: DtypeLike | None = None) -> Tensor:
        """Products of the first elements along a dimension. Derivatives are right where elements are zero, too."""
    @overload
    def cumprod(self, *, axis: builtins.int, dtype: DtypeLike | None = None) -> Tensor:
        """Products of the first elements along a dimension. Derivatives are right where elements are zero, too."""
    @overload
    def cumprod_(self, dim: builtins.int, *, dtype: DtypeLike | None = None) -> Self:
        """In-place version of `cumprod`."""
    @overload
    def cumprod_(self, *, axis: builtins.int, dtype: DtypeLike | None = None) -> Self:
        """In-place version of `cumprod`."""
    @overload
    def cumsum(self, dim: builtins.int, *, dtype: DtypeLike | None = None) -> Tensor:
        """Sums of the first elements along a dimension: of one, of two, and so on."""
    @overload
    def cumsum(self, *, axis: builtins.int, dtype: DtypeLike | None = None) -> Tensor:
        """Sums of the first elements along a dimension: of one, of two, and so on."""
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
        """The address of the first element. Where arrays have none, a number with the same meaning among tensors."""
    def deg2rad(self) -> Tensor:
        """Degrees turned into radians."""
    def deg2rad_(self) -> Self:
        """In-place version of `deg2rad`."""
    def det(self) -> Tensor:
        """The determinant of square matrices; see `linalg.det`."""
    def detach(self) -> Tensor:
        """The same values without history: shares memory and version counter, does not require grad."""
    def detach_(self) -> Self:
        """Take the tensor out of the graph: it becomes a leaf that does not require grad."""
    def diag(self, diagonal: builtins.int = 0) -> Tensor:
        """The diagonal of a matrix as a vector, or a matrix with a vector on its diagonal."""
    def diag_embed(self, offset: builtins.int = 0, dim1: builtins.int = -2, dim2: builtins.int = -1) -> Tensor:
        """Matrices that have the last dimension of the input on a diagonal, and zeros elsewhere."""
    def diagflat(self, offset: builtins.int = 0) -> Tensor:
        """A matrix with all elements of a tensor on its diagonal."""
    def diagonal(self, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1) -> Tensor:
        """The diagonals of the matrices in two dimensions; they become the last dimension."""
    def diagonal_scatter(
        self, src: Tensor, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1
    ) -> Tensor:
        """A copy in which a diagonal is `src`."""
    def diff(
        self,
        n: builtins.int = 1,
        dim: builtins.int = -1,
        prepend: Tensor | None = None,
        append: Tensor | None = None,
        *,
        axis: builtins.int = -1,
    ) -> Tensor:
        """Differences of neighbours along a dimension."""
    def digamma(self) -> Tensor:
        """The derivative of the logarithm of the gamma function, of each element."""
    def digamma_(self) -> Self:
        """In-place version of `digamma`."""
    def dim(self) -> builtins.int:
        """The number of dimensions."""
    def dim_order(self) -> tuple[builtins.int, ...]:
        """The dimensions in the order in which they lie in memory, the one with the longest steps first."""
    def dist(self, other: Operand, p: builtins.float = 2) -> Tensor:
        """The p-norm of the difference of two tensors."""
    def div(self, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
        """Quotient, element by element. Integers give the default floating dtype, unless the result is rounded."""
    def div_(self, other: Operand, *, rounding_mode: str | None = None) -> Self:
        """In-place version of `div`."""
    def divide(self, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
        """Quotient, element by element. Integers give the default floating dtype, unless the result is rounded."""
    def divide_(self, other: Operand, *, rounding_mode: str | None = None) -> Self:
        """In-place version of `div`."""
    def dot(self, tensor: Operand) -> Tensor:
        """The sum of the products of two vectors' elements, without conjugation."""
    def double(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """The tensor with dtype float64."""
    def dsplit(self, indices_or_sections: builtins.int | Sequence[builtins.int] | Tensor) -> tuple[Tensor, ...]:
        """The tensor in parts one behind another, along the third dimension."""
    def element_size(self) -> builtins.int:
        """Bytes per element."""
    def eq(self, other: Operand) -> Tensor:
        """Where two tensors are equal, element by element."""
    def eq_(self, other: Operand) -> Self:
        """In-place version of `eq`."""
    def equal(self, other: Tensor) -> builtins.bool:
        """Whether two tensors have the same shape and elements, as a Python bool."""
    def erf(self) -> Tensor:
        """Error function of each element."""
    def erf_(self) -> Self:
        """In-place version of `erf`."""
    def erfc(self) -> Tensor:
        """One minus the error function of each element, exact also where that is small."""
    def erfc_(self) -> Self:
        """In-place version of `erfc`."""
    def erfinv(self) -> Tensor:
        """Inverse of the error function."""
    def erfinv_(self) -> Self:
        """In-place version of `erfinv`."""
    def exp(self) -> Tensor:
        """Exponential function of each element."""
    def exp2(self) -> Tensor:
        """Two to the power of each element."""
    def exp2_(self) -> Self:
        """In-place version of `exp2`."""
    def exp_(self) -> Self:
        """In-place version of `exp`."""
    @overload
    def expand(self, size: Sequence[builtins.int]) -> Tensor:
        """Dimensions of length 1 shown as longer ones, and new ones in front, without a copy."""
    @overload
    def expand(self, *size: builtins.int) -> Tensor:
        """Dimensions of length 1 shown as longer ones, and new ones in front, without a copy."""
    def expand_as(self, other: Tensor | Number) -> Tensor:
        """Expanded to the shape of another tensor."""
    def expm1(self) -> Tensor:
        """The exponential function minus one, exact also for elements close to zero."""
    def expm1_(self) -> Self:
        """In-place version of `expm1`."""
    def exponential_(self, lambd: builtins.float = 1.0, *, generator: Generator | None = None) -> Self:
        """Overwrite every element with a number drawn from the exponential distribution of rate `lambd`."""
    def fill_(self, value: Tensor | Number) -> Self:
        """Overwrite every element with one value, a number or a 0-dim tensor; differentiable with respect to the value."""
    def fill_diagonal_(self, fill_value: Number, wrap: builtins.bool = False) -> Self:
        """Overwrite the main diagonal with a number."""
    def fix(self) -> Tensor:
        """The integer part of each element."""
    def fix_(self) -> Self:
        """In-place version of `trunc`."""
    def flatten(self, start_dim: builtins.int = 0, end_dim: builtins.int = -1) -> Tensor:
        """The dimensions from one to another (both included) made one; a view where memory allows it."""
    @overload
    def flip(self, dims: Sequence[builtins.int]) -> Tensor:
        """The order of the elements reversed along some dimensions."""
    @overload
    def flip(self, *dims: builtins.int) -> Tensor:
        """The order of the elements reversed along some dimensions."""
    @overload
    def flip(self, *, axes: Sequence[builtins.int]) -> Tensor:
        """The order of the elements reversed along some dimensions."""
    def fliplr(self) -> Tensor:
        """Left and right exchanged: the second dimension reversed."""
    def flipud(self) -> Tensor:
        """Up and down exchanged: the first dimension reversed."""
    def float(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """The tensor with dtype float32."""
    def float_power(self, exponent: Tensor | Number) -> Tensor:
        """`pow` in double precision, whatever the dtypes of its arguments are."""
    def float_power_(self, exponent: Tensor | Number) -> Self:
        """In-place version of `float_power`, for tensors of double precision."""
    def floor(self) -> Tensor:
        """The largest integer that is not above each element."""
    def floor_(self) -> Self:
        """In-place version of `floor`."""
    def floor_divide(self, other: Operand) -> Tensor:
        """The quotient rounded downwards."""
    def floor_divide_(self, other: Operand) -> Self:
        """In-place version of `floor_divide`."""
    def fmax(self, other: Operand) -> Tensor:
        """The larger of two elements; the other one if one of them is NaN."""
    def fmin(self, other: Operand) -> Tensor:
        """The smaller of two elements; the other one if one of them is NaN."""
    def fmod(self, other: Operand) -> Tensor:
        """What is left of a division rounded towards zero; it has the sign of `input`."""
    def fmod_(self, other: Operand) -> Self:
        """In-place version of `fmod`."""
    def frac(self) -> Tensor:
        """The fractional part of each element, with its sign."""
    def frac_(self) -> Self:
        """In-place version of `frac`."""
    def frexp(self) -> return_types.frexp:
        """Each element as a mantissa, whose absolute value is from 1/2 up to 1, times two to an exponent."""
    @overload
    def gather(self, dim: builtins.int, index: Operand, *, sparse_grad: builtins.bool = False) -> Tensor:
        """For each place of an index, the element that it names along a dimension: ``out[i, j] = input[index[i, j], j]``."""
    @overload
    def gather(self, *, axis: builtins.int, index: Operand, sparse_grad: builtins.bool = False) -> Tensor:
        """For each place of an index, the element that it names along a dimension: ``out[i, j] = input[index[i, j], j]``."""
    def gcd(self, other: Operand) -> Tensor:
        """Greatest common divisor of integers, element by element."""
    def gcd_(self, other: Operand) -> Self:
        """In-place version of `gcd`."""
    def ge(self, other: Operand) -> Tensor:
        """Where `input` is greater than or equal to `other`, element by element."""
    def ge_(self, other: Operand) -> Self:
        """In-place version of `ge`."""
    def geometric_(self, p: builtins.float, *, generator: Generator | None = None) -> Self:
        """Overwrite every element with a number drawn from the geometric distribution of probability `p`."""
    def ger(self, vec2: Tensor) -> Tensor:
        """The same as `outer`."""
    def get_device(self) -> builtins.int:
        """The number of the GPU that the array is on; -1 for the CPU."""
    def greater(self, other: Operand) -> Tensor:
        """Where `input` is greater than `other`, element by element."""
    def greater_(self, other: Operand) -> Self:
        """In-place version of `gt`."""
    def greater_equal(self, other: Operand) -> Tensor:
        """Where `input` is greater than or equal to `other`, element by element."""
    def greater_equal_(self, other: Operand) -> Self:
        """In-place version of `ge`."""
    def gt(self, other: Operand) -> Tensor:
        """Where `input` is greater than `other`, element by element."""
    def gt_(self, other: Operand) -> Self:
        """In-place version of `gt`."""
    def half(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """The tensor with dtype float16."""
    def hardshrink(self, lambd: builtins.float = 0.5) -> Tensor:
        """Each element, or zero where it is small."""
    def heaviside(self, values: Operand) -> Tensor:
        """The step function: 0 for negative elements, 1 for positive ones, and `values` for zero."""
    def heaviside_(self, values: Operand) -> Self:
        """In-place version of `heaviside`."""
    def histc(self, bins: builtins.int = 100, min: Tensor | Number = 0, max: Tensor | Number = 0) -> Tensor:
        """How many elements fall into each of equally wide bins; elements outside the range are not counted."""
    def histogram(
        self,
        bins: builtins.int | Sequence[builtins.int] | Tensor,
        *,
        range: Sequence[builtins.float] | None = None,
        weight: Tensor | None = None,
        density: builtins.bool = False,
    ) -> return_types.histogram:
        """How many elements fall into each bin, and the edges of the bins."""
    def hsplit(self, indices_or_sections: builtins.int | Sequence[builtins.int] | Tensor) -> tuple[Tensor, ...]:
        """The tensor in parts side by side (along the second dimension, a vector along its only one)."""
    def hypot(self, other: Operand) -> Tensor:
        """The hypotenuse of right triangles with these legs: the root of the sum of squares, without overflow."""
    def hypot_(self, other: Operand) -> Self:
        """In-place version of `hypot`."""
    def i0(self) -> Tensor:
        """Modified Bessel function of the first kind and order zero, of each element."""
    def i0_(self) -> Self:
        """In-place version of `i0`."""
    def igamma(self, other: Operand) -> Tensor:
        """The regularized lower incomplete gamma function of `input`, up to `other`. The gradient is by `other` only."""
    def igamma_(self, other: Operand) -> Self:
        """In-place version of `igamma`."""
    def igammac(self, other: Operand) -> Tensor:
        """The regularized upper incomplete gamma function of `input`, from `other`. The gradient is by `other` only."""
    def igammac_(self, other: Operand) -> Self:
        """In-place version of `igammac`."""
    @property
    def imag(self) -> Tensor:
        """The imaginary part of a complex tensor, as a view."""
    @imag.setter
    def imag(self, value: Tensor) -> None: ...
    @overload
    def index_add(self, dim: builtins.int, index: Operand, source: Operand, *, alpha: Number = 1) -> Tensor:
        """A copy with the rows of a source added to the rows that an index names."""
    @overload
    def index_add(self, *, axis: builtins.int, index: Operand, source: Operand, alpha: Number = 1) -> Tensor:
        """A copy with the rows of a source added to the rows that an index names."""
    @overload
    def index_add_(self, dim: builtins.int, index: Operand, source: Operand, *, alpha: Number = 1) -> Self:
        """In-place version of `index_add`."""
    @overload
    def index_add_(self, *, axis: builtins.int, index: Operand, source: Operand, alpha: Number = 1) -> Self:
        """In-place version of `index_add`."""
    @overload
    def index_copy(self, dim: builtins.int, index: Operand, source: Operand) -> Tensor:
        """A copy in which the rows that an index names are those of a source; the last one wins."""
    @overload
    def index_copy(self, *, axis: builtins.int, index: Operand, source: Operand) -> Tensor:
        """A copy in which the rows that an index names are those of a source; the last one wins."""
    @overload
    def index_copy_(self, dim: builtins.int, index: Operand, source: Operand) -> Self:
        """In-place version of `index_copy`."""
    @overload
    def index_copy_(self, *, axis: builtins.int, index: Operand, source: Operand) -> Self:
        """In-place version of `index_copy`."""
    @overload
    def index_fill(self, dim: builtins.int, index: Operand, value: Operand) -> Tensor:
        """A copy in which the rows that an index names have one value, a number or a 0-dim tensor."""
    @overload
    def index_fill(self, *, axis: builtins.int, index: Operand, value: Operand) -> Tensor:
        """A copy in which the rows that an index names have one value, a number or a 0-dim tensor."""
    @overload
    def index_fill_(self, dim: builtins.int, index: Operand, value: Operand) -> Self:
        """In-place version of `index_fill`."""
    @overload
    def index_fill_(self, *, axis: builtins.int, index: Operand, value: Operand) -> Self:
        """In-place version of `index_fill`."""
    def index_put(self, indices: Sequence[Tensor | None], values: Tensor, accumulate: builtins.bool = False) -> Tensor:
        """A copy with values written to the places that index tensors name."""
    def index_put_(self, indices: Sequence[Tensor | None], values: Tensor, accumulate: builtins.bool = False) -> Self:
        """In-place version of `index_put`."""
    @overload
    def index_reduce(
        self, dim: builtins.int, index: Operand, source: Operand, reduce: str, *, include_self: builtins.bool = True
    ) -> Tensor:
        """A copy in which each slice is what becomes of the slices of a source that an index sends there, and of its own."""
    @overload
    def index_reduce(
        self, *, axis: builtins.int, index: Operand, source: Operand, reduce: str, include_self: builtins.bool = True
    ) -> Tensor:
        """A copy in which each slice is what becomes of the slices of a source that an index sends there, and of its own."""
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
        """The rows along a dimension that an index names, as often as it names them."""
    @overload
    def index_select(self, *, axis: builtins.int, index: Operand) -> Tensor:
        """The rows along a dimension that an index names, as often as it names them."""
    def inner(self, other: Tensor | Number) -> Tensor:
        """The sum of products over the last dimension of both tensors; of numbers, the product."""
    def int(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """The tensor with dtype int32."""
    def inverse(self) -> Tensor:
        """The inverse of square matrices; see `linalg.inv`."""
    def is_complex(self) -> builtins.bool:
        """Whether the elements are complex numbers."""
    def is_conj(self) -> builtins.bool:
        """False: conjugates are computed at once here."""
    def is_contiguous(self, memory_format: MemoryFormat | None = None) -> builtins.bool:
        """Whether the elements lie one after another in memory, the last dimension fastest."""
    @property
    def is_cpu(self) -> builtins.bool:
        """Whether the array is in the CPU's memory."""
    @property
    def is_cuda(self) -> builtins.bool:
        """Whether the array is in the memory of a GPU."""
    def is_distributed(self) -> builtins.bool:
        """Always False: there are dense arrays of numbers only, which belong to this process."""
    def is_floating_point(self) -> builtins.bool:
        """Whether the elements are real floating point numbers."""
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
        """Whether the one element is not zero."""
    def is_pinned(self) -> builtins.bool:
        """Always False: there are dense arrays of numbers only, which belong to this process."""
    @property
    def is_quantized(self) -> builtins.bool:
        """Always False: there are dense arrays of numbers only, which belong to this process."""
    def is_same_size(self, other: Tensor) -> builtins.bool:
        """Whether two tensors have the same shape."""
    def is_set_to(self, tensor: Tensor) -> builtins.bool:
        """Whether two tensors show the same memory in the same way."""
    def is_shared(self) -> builtins.bool:
        """Always False: there are dense arrays of numbers only, which belong to this process."""
    def is_signed(self) -> builtins.bool:
        """Whether the elements can be negative."""
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
        """Where two tensors are close: ``abs(input - other) <= atol + rtol * abs(other)``."""
    def isfinite(self) -> Tensor:
        """Where an element is neither infinite nor NaN."""
    def isinf(self) -> Tensor:
        """Where an element is infinite."""
    def isnan(self) -> Tensor:
        """Where an element is NaN."""
    def isneginf(self) -> Tensor:
        """Where an element is minus infinity."""
    def isposinf(self) -> Tensor:
        """Where an element is plus infinity."""
    def isreal(self) -> Tensor:
        """Where an element has no imaginary part."""
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
        """The signal whose short-time Fourier transform, see `stft`, is closest to what is given."""
    def item(self) -> builtins.float:
        """The one element as a Python number."""
    @property
    def itemsize(self) -> builtins.int:
        """Bytes per element."""
    def kron(self, other: Tensor | Number) -> Tensor:
        """The Kronecker product: a copy of `other` for each element of `input`, times that element."""
    def kthvalue(
        self,
        k: builtins.int,
        dim: builtins.int = -1,
        keepdim: builtins.bool = False,
        *,
        axis: builtins.int = -1,
        keepdims: builtins.bool = False,
    ) -> return_types.kthvalue:
        """The k-th smallest element (counted from one) along a dimension, and where it is."""
    @property
    def layout(self) -> Layout:
        """The memory layout, which is always `strided`."""
    def lcm(self, other: Operand) -> Tensor:
        """Least common multiple of integers, element by element."""
    def lcm_(self, other: Operand) -> Self:
        """In-place version of `lcm`."""
    def ldexp(self, other: Operand) -> Tensor:
        """``input * 2**other``."""
    def ldexp_(self, other: Operand) -> Self:
        """In-place version of `ldexp`."""
    def le(self, other: Operand) -> Tensor:
        """Where `input` is less than or equal to `other`, element by element."""
    def le_(self, other: Operand) -> Self:
        """In-place version of `le`."""
    def lerp(self, end: Operand, weight: Operand) -> Tensor:
        """The point between two tensors: ``input + weight * (end - input)``."""
    def lerp_(self, end: Operand, weight: Operand) -> Self:
        """In-place version of `lerp`."""
    def less(self, other: Operand) -> Tensor:
        """Where `input` is less than `other`, element by element."""
    def less_(self, other: Operand) -> Self:
        """In-place version of `lt`."""
    def less_equal(self, other: Operand) -> Tensor:
        """Where `input` is less than or equal to `other`, element by element."""
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
        """Logarithm of one plus each element, exact also for elements close to zero."""
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
        """Overwrite every element with a number whose logarithm is drawn from a normal distribution."""
    def log_softmax(
        self, dim: builtins.int | None = None, dtype: DtypeLike | None = None, *, axis: builtins.int | None = None
    ) -> Tensor:
        """The logarithm of `softmax`, exact where that would round to zero."""
    def logaddexp(self, other: Operand) -> Tensor:
        """The logarithm of the sum of two exponentials, without overflow."""
    def logaddexp2(self, other: Operand) -> Tensor:
        """The logarithm to base 2 of the sum of two powers of 2, without overflow."""
    @overload
    def logcumsumexp(self, dim: builtins.int) -> Tensor:
        """The logarithms of sums of the first exponentials along a dimension, without overflow."""
    @overload
    def logcumsumexp(self, *, axis: builtins.int) -> Tensor:
        """The logarithms of sums of the first exponentials along a dimension, without overflow."""
    def logdet(self) -> Tensor:
        """The logarithm of the determinant: NaN where that is negative, minus infinity where it is zero."""
    def logical_and(self, other: Operand) -> Tensor:
        """Where both elements are true, which all but zero are."""
    def logical_and_(self, other: Operand) -> Self:
        """In-place version of `logical_and`."""
    def logical_not(self) -> Tensor:
        """Where an element is zero."""
    def logical_not_(self) -> Self:
        """In-place version of `logical_not`."""
    def logical_or(self, other: Operand) -> Tensor:
        """Where at least one of two elements is true."""
    def logical_or_(self, other: Operand) -> Self:
        """In-place version of `logical_or`."""
    def logical_xor(self, other: Operand) -> Tensor:
        """Where one of two elements is true and the other is not."""
    def logical_xor_(self, other: Operand) -> Self:
        """In-place version of `logical_xor`."""
    def logit(self, eps: builtins.float | None = None) -> Tensor:
        """The inverse of the logistic function, ``log(x / (1 - x))``, of each element."""
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
        """The logarithm of the sum of exponentials over dimensions, without overflow."""
    @overload
    def logsumexp(
        self,
        *,
        axis: builtins.int | Sequence[builtins.int],
        keepdim: builtins.bool = False,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """The logarithm of the sum of exponentials over dimensions, without overflow."""
    def long(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """The tensor with dtype int64."""
    def lt(self, other: Operand) -> Tensor:
        """Where `input` is less than `other`, element by element."""
    def lt_(self, other: Operand) -> Self:
        """In-place version of `lt`."""
    @overload
    def lu(self, pivot: builtins.bool = True, get_infos: Literal[False] = False) -> tuple[Tensor, Tensor]:
        """The factors of matrices in one matrix, and the pivots: `linalg.lu_factor_ex` by an older name."""
    @overload
    def lu(self, pivot: builtins.bool = True, *, get_infos: Literal[True]) -> tuple[Tensor, Tensor, Tensor]:
        """The factors of matrices in one matrix, and the pivots: `linalg.lu_factor_ex` by an older name."""
    @overload
    def lu(self, pivot: builtins.bool, get_infos: Literal[True]) -> tuple[Tensor, Tensor, Tensor]:
        """The factors of matrices in one matrix, and the pivots: `linalg.lu_factor_ex` by an older name."""
    def lu_solve(self, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
        """The solution X of ``A @ X = b`` from the result of `linalg.lu_factor`."""
    @property
    def mH(self) -> Tensor:
        """The last two dimensions exchanged, and the elements conjugated."""
    @property
    def mT(self) -> Tensor:
        """The last two dimensions exchanged."""
    def map2_(self, x: Tensor, y: Tensor, callable: Callable[[Any, Any, Any], Number]) -> Self:
        """The same with the elements of two other tensors."""
    def map_(self, tensor: Tensor, callable: Callable[[Any, Any], Number]) -> Self:
        """Replace each element by what a Python function makes of it and of another tensor's element; not recorded."""
    def masked_fill(self, mask: Operand, value: Operand) -> Tensor:
        """A copy with one value, a number or a 0-dim tensor, where a mask is true."""
    def masked_fill_(self, mask: Operand, value: Operand) -> Self:
        """In-place version of `masked_fill`."""
    def masked_scatter(self, mask: Operand, source: Operand) -> Tensor:
        """A copy in which the places where a mask is true hold the elements of a source, one after another."""
    def masked_scatter_(self, mask: Operand, source: Operand) -> Self:
        """In-place version of `masked_scatter`."""
    def masked_select(self, mask: Tensor) -> Tensor:
        """The elements for which a mask is true, in one dimension; input and mask are broadcast."""
    def matmul(self, other: Operand) -> Tensor:
        """The matrix product of two tensors of any rank."""
    def matrix_exp(self) -> Tensor:
        """The exponential of square matrices; see `linalg.matrix_exp`."""
    def matrix_power(self, n: builtins.int) -> Tensor:
        """A square matrix multiplied by itself `n` times; its inverse for negative `n`."""
    @overload
    def max(self) -> Tensor:
        """The largest element of all; the largest along a dimension and where they are; or the larger of two tensors."""
    @overload
    def max(
        self, dim: builtins.int, keepdim: builtins.bool = False, *, out: tuple[Tensor, Tensor] | None = None
    ) -> return_types.max:
        """The largest element of all; the largest along a dimension and where they are; or the larger of two tensors."""
    @overload
    def max(
        self,
        *,
        axis: builtins.int,
        keepdims: builtins.bool = False,
        keepdim: builtins.bool = False,
        out: tuple[Tensor, Tensor] | None = None,
    ) -> return_types.max:
        """The largest element of all; the largest along a dimension and where they are; or the larger of two tensors."""
    @overload
    def max(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """The largest element of all; the largest along a dimension and where they are; or the larger of two tensors."""
    def maximum(self, other: Operand) -> Tensor:
        """The larger of two elements; NaN if one of them is. Equal ones share the gradient."""
    def mean(
        self,
        dim: builtins.int | Sequence[builtins.int] | None = None,
        keepdim: builtins.bool = False,
        *,
        dtype: DtypeLike | None = None,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Mean of all elements, or over dimensions."""
    @overload
    def median(self) -> Tensor:
        """The median, the lower one of two: of all elements, or along a dimension with its place."""
    @overload
    def median(
        self, dim: builtins.int, keepdim: builtins.bool = False, *, out: tuple[Tensor, Tensor] | None = None
    ) -> return_types.median:
        """The median, the lower one of two: of all elements, or along a dimension with its place."""
    @overload
    def median(
        self,
        *,
        axis: builtins.int,
        keepdims: builtins.bool = False,
        keepdim: builtins.bool = False,
        out: tuple[Tensor, Tensor] | None = None,
    ) -> return_types.median:
        """The median, the lower one of two: of all elements, or along a dimension with its place."""
    @overload
    def min(self) -> Tensor:
        """The smallest element of all; the smallest along a dimension and where they are; or the smaller of two tensors."""
    @overload
    def min(
        self, dim: builtins.int, keepdim: builtins.bool = False, *, out: tuple[Tensor, Tensor] | None = None
    ) -> return_types.min:
        """The smallest element of all; the smallest along a dimension and where they are; or the smaller of two tensors."""
    @overload
    def min(
        self,
        *,
        axis: builtins.int,
        keepdims: builtins.bool = False,
        keepdim: builtins.bool = False,
        out: tuple[Tensor, Tensor] | None = None,
    ) -> return_types.min:
        """The smallest element of all; the smallest along a dimension and where they are; or the smaller of two tensors."""
    @overload
    def min(self, other: Tensor, *, out: Tensor | None = None) -> Tensor:
        """The smallest element of all; the smallest along a dimension and where they are; or the smaller of two tensors."""
    def minimum(self, other: Operand) -> Tensor:
        """The smaller of two elements; NaN if one of them is. Equal ones share the gradient."""
    def mm(self, mat2: Operand) -> Tensor:
        """The product of two matrices."""
    def mode(
        self,
        dim: builtins.int = -1,
        keepdim: builtins.bool = False,
        *,
        axis: builtins.int = -1,
        keepdims: builtins.bool = False,
    ) -> return_types.mode:
        """The most frequent element along a dimension, the smallest of several; and the last place where it is."""
    def moveaxis(
        self, source: builtins.int | Sequence[builtins.int], destination: builtins.int | Sequence[builtins.int]
    ) -> Tensor:
        """Some dimensions moved to other places; the others keep their order."""
    def movedim(
        self, source: builtins.int | Sequence[builtins.int], destination: builtins.int | Sequence[builtins.int]
    ) -> Tensor:
        """Some dimensions moved to other places; the others keep their order."""
    def msort(self) -> Tensor:
        """The elements in ascending order along the first dimension."""
    def mul(self, other: Operand) -> Tensor:
        """Product, element by element."""
    def mul_(self, other: Operand) -> Self:
        """In-place version of `mul`."""
    def multinomial(
        self,
        num_samples: builtins.int,
        replacement: builtins.bool = False,
        *,
        generator: Generator | None = None,
        out: Tensor | None = None,
    ) -> Tensor:
        """Indices drawn with probabilities in proportion to the elements of each row."""
    def multiply(self, other: Operand) -> Tensor:
        """Product, element by element."""
    def multiply_(self, other: Operand) -> Self:
        """In-place version of `mul`."""
    def mv(self, vec: Operand) -> Tensor:
        """The product of a matrix and a vector."""
    def mvlgamma(self, p: builtins.int) -> Tensor:
        """The logarithm of the multivariate gamma function of dimension `p`, of each element."""
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
        """Each element, with finite numbers in place of NaN and infinities."""
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
        """The median of the elements that are not NaN, in the two forms of `median`."""
    @overload
    def nanmedian(
        self, dim: builtins.int, keepdim: builtins.bool = False, *, out: tuple[Tensor, Tensor] | None = None
    ) -> return_types.nanmedian:
        """The median of the elements that are not NaN, in the two forms of `median`."""
    @overload
    def nanmedian(
        self,
        *,
        axis: builtins.int,
        keepdims: builtins.bool = False,
        keepdim: builtins.bool = False,
        out: tuple[Tensor, Tensor] | None = None,
    ) -> return_types.nanmedian:
        """The median of the elements that are not NaN, in the two forms of `median`."""
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
        """Quantiles of the elements that are not NaN; the arguments are those of `quantile`."""
    def nansum(
        self,
        dim: builtins.int | Sequence[builtins.int] | None = None,
        keepdim: builtins.bool = False,
        *,
        dtype: DtypeLike | None = None,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Sum in which NaN counts as zero."""
    @overload
    def narrow(self, dim: builtins.int, start: builtins.int | Tensor, length: builtins.int) -> Tensor:
        """Some of the elements along a dimension."""
    @overload
    def narrow(self, *, axis: builtins.int, start: builtins.int | Tensor, length: builtins.int) -> Tensor:
        """Some of the elements along a dimension."""
    @overload
    def narrow_copy(self, dim: builtins.int, start: builtins.int | Tensor, length: builtins.int) -> Tensor:
        """What `narrow` shows, as a copy. The arguments are those of `narrow`."""
    @overload
    def narrow_copy(self, *, axis: builtins.int, start: builtins.int | Tensor, length: builtins.int) -> Tensor:
        """What `narrow` shows, as a copy. The arguments are those of `narrow`."""
    @property
    def nbytes(self) -> builtins.int:
        """Bytes of all elements."""
    def ndimension(self) -> builtins.int:
        """The number of dimensions."""
    def ne(self, other: Operand) -> Tensor:
        """Where two tensors are not equal, element by element."""
    def ne_(self, other: Operand) -> Self:
        """In-place version of `ne`."""
    def neg(self) -> Tensor:
        """Minus each element."""
    def neg_(self) -> Self:
        """In-place version of `neg`."""
    def negative(self) -> Tensor:
        """Minus each element."""
    def negative_(self) -> Self:
        """In-place version of `neg`."""
    def nelement(self) -> builtins.int:
        """The number of elements."""
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
        """An uninitialised tensor, of this tensor's dtype, device and array library unless said otherwise."""
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
        """An uninitialised tensor, of this tensor's dtype, device and array library unless said otherwise."""
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
        """An uninitialised tensor with given strides, of this tensor's dtype and device unless said otherwise."""
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
        """A tensor with one number everywhere, of this tensor's dtype, device and array library unless said otherwise."""
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
        """A tensor of ones, of this tensor's dtype, device and array library unless said otherwise."""
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
        """A tensor of ones, of this tensor's dtype, device and array library unless said otherwise."""
    def new_tensor(
        self,
        data: TensorData,
        *,
        dtype: DtypeLike | None = None,
        device: DeviceLike | None = None,
        requires_grad: builtins.bool = False,
    ) -> Tensor:
        """A new leaf with a copy of the data, of this tensor's dtype, device and array library unless said otherwise."""
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
        """A tensor of zeros, of this tensor's dtype, device and array library unless said otherwise."""
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
        """A tensor of zeros, of this tensor's dtype, device and array library unless said otherwise."""
    def nextafter(self, other: Operand) -> Tensor:
        """The floating point number next to `input` on the way to `other`, element by element."""
    def nextafter_(self, other: Operand) -> Self:
        """In-place version of `nextafter`."""
    @overload
    def nonzero(self, *, as_tuple: Literal[False] = False, out: Tensor | None = None) -> Tensor:
        """The indices of the elements that are not zero: one row for each, or one tensor for each dimension."""
    @overload
    def nonzero(self, *, as_tuple: Literal[True]) -> tuple[Tensor, ...]:
        """The indices of the elements that are not zero: one row for each, or one tensor for each dimension."""
    def nonzero_static(self, *, size: builtins.int, fill_value: Number = -1) -> Tensor:
        """The places of the first elements that are not zero, one in each row: always the same number of rows."""
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
        """The norm of all elements, or over dimensions."""
    def normal_(
        self, mean: builtins.float = 0.0, std: builtins.float = 1.0, *, generator: Generator | None = None
    ) -> Self:
        """Overwrite every element with a number drawn from a normal distribution."""
    def not_equal(self, other: Operand) -> Tensor:
        """Where two tensors are not equal, element by element."""
    def not_equal_(self, other: Operand) -> Self:
        """In-place version of `ne`."""
    def numel(self) -> builtins.int:
        """The number of elements."""
    def numpy(self, *, force: builtins.bool = False) -> NDArray[Any]:
        """The values as a NumPy array, which shares memory with the tensor where that is possible."""
    def orgqr(self, tau: Tensor) -> Tensor:
        """The first columns of a product of reflections: `linalg.householder_product` by an older name."""
    def ormqr(
        self, tau: Tensor, other: Tensor | Number, left: builtins.bool = True, transpose: builtins.bool = False
    ) -> Tensor:
        """The product of a matrix with the orthogonal one that reflections make, see `linalg.householder_product`."""
    def outer(self, vec2: Tensor) -> Tensor:
        """All products of an element of one vector and an element of another, as a matrix."""
    def pad(self, pad: Sequence[builtins.int], mode: str = "constant", value: builtins.float | None = None) -> Tensor:
        """With a border."""
    @overload
    def permute(self, dims: Sequence[builtins.int]) -> Tensor:
        """The dimensions in another order."""
    @overload
    def permute(self, *dims: builtins.int) -> Tensor:
        """The dimensions in another order."""
    @overload
    def permute(self, *, axes: Sequence[builtins.int]) -> Tensor:
        """The dimensions in another order."""
    def pinverse(self, rcond: builtins.float = 1e-15) -> Tensor:
        """The pseudoinverse of matrices; see `linalg.pinv`."""
    def polygamma(self, n: builtins.int) -> Tensor:
        """The derivative of order `n` of `digamma`, of each element."""
    def polygamma_(self, n: builtins.int) -> Self:
        """In-place version of `polygamma`."""
    def positive(self) -> Tensor:
        """The tensor itself, as Python's unary plus."""
    @overload
    def pow(self, other: Operand, *, out: Tensor | None = None) -> Tensor:
        """Each element of `input` to a power."""
    @overload
    def pow(self, *, exponent: Operand, out: Tensor | None = None) -> Tensor:
        """Each element of `input` to a power."""
    def pow_(self, other: Operand) -> Self:
        """In-place version of `pow`."""
    def prelu(self, weight: Tensor) -> Tensor:
        """`leaky_relu` with a slope that is learnt, for all elements or for each channel."""
    def prod(
        self,
        dim: builtins.int | Sequence[builtins.int] | None = None,
        keepdim: builtins.bool = False,
        *,
        dtype: DtypeLike | None = None,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
    ) -> Tensor:
        """Product of all elements, or over a dimension. Derivatives are right where elements are zero, too."""
    def put(self, index: Operand, source: Operand, accumulate: builtins.bool = False) -> Tensor:
        """A copy with the elements of a source at the places that an index names, counted row by row."""
    def put_(self, index: Operand, source: Operand, accumulate: builtins.bool = False) -> Self:
        """In-place version of `put`."""
    def qr(self, some: builtins.bool = True) -> return_types.qr:
        """Orthonormal columns and an upper triangular matrix whose product is the input; see `linalg.qr`."""
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
        """Quantiles of all elements or along a dimension; NaN where there is a NaN."""
    def rad2deg(self) -> Tensor:
        """Radians turned into degrees."""
    def rad2deg_(self) -> Self:
        """In-place version of `rad2deg`."""
    @overload
    def random_(self, *, generator: Generator | None = None) -> Self:
        """Overwrite every element with an integer drawn uniformly."""
    @overload
    def random_(self, to: builtins.int, /, *, generator: Generator | None = None) -> Self:
        """Overwrite every element with an integer drawn uniformly."""
    @overload
    def random_(self, from_: builtins.int, to: builtins.int | None, *, generator: Generator | None = None) -> Self:
        """Overwrite every element with an integer drawn uniformly."""
    def ravel(self) -> Tensor:
        """All elements in one dimension, row by row; a view where memory allows it."""
    @property
    def real(self) -> Tensor:
        """The real part, as a view; a tensor that is not complex is returned as it is."""
    @real.setter
    def real(self, value: Tensor) -> None: ...
    def reciprocal(self) -> Tensor:
        """One over each element."""
    def reciprocal_(self) -> Self:
        """In-place version of `reciprocal`."""
    def relu(self, *, inplace: builtins.bool = False) -> Tensor:
        """Each element, or zero where it is negative. The derivative at zero is zero."""
    def relu_(self) -> Self:
        """In-place version of `relu`."""
    def remainder(self, other: Operand) -> Tensor:
        """What a quotient rounded downwards leaves."""
    def remainder_(self, other: Operand) -> Self:
        """In-place version of `remainder`."""
    @overload
    def renorm(self, p: builtins.float, dim: builtins.int, maxnorm: builtins.float) -> Tensor:
        """Slices along a dimension, those of a p-norm larger than `maxnorm` scaled down to it."""
    @overload
    def renorm(self, p: builtins.float, *, axis: builtins.int, maxnorm: builtins.float) -> Tensor:
        """Slices along a dimension, those of a p-norm larger than `maxnorm` scaled down to it."""
    @overload
    def renorm_(self, p: builtins.float, dim: builtins.int, maxnorm: builtins.float) -> Self:
        """In-place version of `renorm`."""
    @overload
    def renorm_(self, p: builtins.float, *, axis: builtins.int, maxnorm: builtins.float) -> Self:
        """In-place version of `renorm`."""
    @overload
    def repeat(self, repeats: Sequence[builtins.int]) -> Tensor:
        """Copies of the whole tensor along each dimension."""
    @overload
    def repeat(self, *repeats: builtins.int) -> Tensor:
        """Copies of the whole tensor along each dimension."""
    @overload
    def repeat_interleave(
        self,
        repeats: Tensor | builtins.int,
        dim: builtins.int | None = None,
        *,
        axis: builtins.int | None = None,
        output_size: builtins.int | None = None,
    ) -> Tensor:
        """Each element repeated, next to itself."""
    @overload
    def repeat_interleave(self, *, output_size: builtins.int | None = None) -> Tensor:
        """Each element repeated, next to itself."""
    @overload
    def reshape(self, shape: Sequence[builtins.int]) -> Tensor:
        """The same elements with another shape: a view where memory allows it, otherwise a copy."""
    @overload
    def reshape(self, *shape: builtins.int) -> Tensor:
        """The same elements with another shape: a view where memory allows it, otherwise a copy."""
    def reshape_as(self, other: Tensor | Number) -> Tensor:
        """The same elements with the shape of another tensor."""
    @overload
    def resize_(self, *sizes: builtins.int, memory_format: MemoryFormat | None = None) -> Self:
        """Give the tensor another size; the first elements of its memory stay, and new ones are zero."""
    @overload
    def resize_(self, sizes: Sequence[builtins.int], *, memory_format: MemoryFormat | None = None) -> Self:
        """Give the tensor another size; the first elements of its memory stay, and new ones are zero."""
    def resize_as_(self, the_template: Tensor, *, memory_format: MemoryFormat | None = None) -> Self:
        """Give the tensor the size of another; see `resize_`."""
    def resolve_conj(self) -> Tensor:
        """The tensor itself: conjugates are computed at once here, so that there is nothing to resolve."""
    def resolve_neg(self) -> Tensor:
        """The tensor itself: negatives are computed at once as well."""
    def roll(
        self,
        shifts: builtins.int | Sequence[builtins.int],
        dims: builtins.int | Sequence[builtins.int] | None = None,
        *,
        axes: builtins.int | Sequence[builtins.int] | None = None,
    ) -> Tensor:
        """Elements moved along dimensions; those that leave at the end come back at the start."""
    def rot90(
        self,
        k: builtins.int = 1,
        dims: builtins.int | Sequence[builtins.int] = (0, 1),
        *,
        axes: builtins.int | Sequence[builtins.int] = (0, 1),
    ) -> Tensor:
        """Rotated by k times 90 degrees, from the first given dimension towards the second."""
    def round(self, *, decimals: builtins.int | None = None) -> Tensor:
        """The nearest integer to each element; halves go to the even one."""
    def round_(self, *, decimals: builtins.int | None = None) -> Self:
        """In-place version of `round`."""
    def rsqrt(self) -> Tensor:
        """One over the square root of each element."""
    def rsqrt_(self) -> Self:
        """In-place version of `rsqrt`."""
    @overload
    def scatter(self, dim: builtins.int, index: Tensor, src: Tensor | Number, *, reduce: str | None = None) -> Tensor:
        """A copy with ``out[index[i, j], j] = src[i, j]``."""
    @overload
    def scatter(self, dim: builtins.int, index: Tensor, *, value: Number, reduce: str | None = None) -> Tensor:
        """A copy with ``out[index[i, j], j] = src[i, j]``."""
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
        """A copy with ``out[index[i, j], j] += src[i, j]``, for every element of the source."""
    @overload
    def scatter_add(self, *, axis: builtins.int, index: Operand, src: Operand) -> Tensor:
        """A copy with ``out[index[i, j], j] += src[i, j]``, for every element of the source."""
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
        """A copy in which each place holds what becomes of the numbers that an index sends there, and of its own."""
    @overload
    def scatter_reduce(
        self, *, axis: builtins.int, index: Operand, src: Operand, reduce: str, include_self: builtins.bool = True
    ) -> Tensor:
        """A copy in which each place holds what becomes of the numbers that an index sends there, and of its own."""
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
        """The elements at one index along a dimension, which goes away."""
    @overload
    def select(self, *, axis: builtins.int, index: builtins.int) -> Tensor:
        """The elements at one index along a dimension, which goes away."""
    @overload
    def select_scatter(self, src: Tensor, dim: builtins.int, index: builtins.int) -> Tensor:
        """A copy in which the elements at one index along a dimension are those of `src`."""
    @overload
    def select_scatter(self, src: Tensor, *, axis: builtins.int, index: builtins.int) -> Tensor:
        """A copy in which the elements at one index along a dimension are those of `src`."""
    @overload
    def set_(self) -> Self:
        """Let the tensor show the memory of another one from now on; without an argument, no memory at all."""
    @overload
    def set_(self, source: Tensor) -> Self:
        """Let the tensor show the memory of another one from now on; without an argument, no memory at all."""
    def sgn(self) -> Tensor:
        """The sign of each element; of a complex one the number of length one in its direction, or zero."""
    def sgn_(self) -> Self:
        """In-place version of `sgn`."""
    @property
    def shape(self) -> Size:
        """The length of each dimension."""
    def short(self, memory_format: MemoryFormat | None = None) -> Tensor:
        """The tensor with dtype int16."""
    def sigmoid(self) -> Tensor:
        """The logistic function ``1 / (1 + exp(-x))`` of each element."""
    def sigmoid_(self) -> Self:
        """In-place version of `sigmoid`."""
    def sign(self) -> Tensor:
        """-1, 0 or 1, the sign of each element; 0 for what is not a number."""
    def sign_(self) -> Self:
        """In-place version of `sign`."""
    def signbit(self) -> Tensor:
        """Where the sign of an element is minus, that of minus zero included."""
    def sin(self) -> Tensor:
        """Sine of each element."""
    def sin_(self) -> Self:
        """In-place version of `sin`."""
    def sinc(self) -> Tensor:
        """``sin(pi x) / (pi x)`` for each element x, and one for zero."""
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
        """A copy in which a slice along a dimension is `src`."""
    def slogdet(self) -> return_types.slogdet:
        """The sign of the determinant and the logarithm of its absolute value; see `linalg.slogdet`."""
    def softmax(
        self, dim: builtins.int | None = None, dtype: DtypeLike | None = None, *, axis: builtins.int | None = None
    ) -> Tensor:
        """Exponentials along a dimension, divided by their sum."""
    def sort(
        self,
        dim: builtins.int = -1,
        descending: builtins.bool = False,
        stable: builtins.bool = False,
        *,
        axis: builtins.int = -1,
    ) -> return_types.sort:
        """The elements in ascending order along a dimension, and where they came from."""
    @overload
    def split(
        self,
        split_size_or_sections: builtins.int | Sequence[builtins.int],
        dim: builtins.int = 0,
        *,
        axis: builtins.int = 0,
    ) -> tuple[Tensor, ...]:
        """The tensor in parts along a dimension."""
    @overload
    def split(
        self, *, split_size: builtins.int | Sequence[builtins.int], dim: builtins.int = 0, axis: builtins.int = 0
    ) -> tuple[Tensor, ...]:
        """The tensor in parts along a dimension."""
    def split_with_sizes(
        self, split_sizes: Sequence[builtins.int], dim: builtins.int = 0, *, axis: builtins.int = 0
    ) -> tuple[Tensor, ...]:
        """The tensor in parts of given lengths along a dimension."""
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
        """Without the dimensions of length 1."""
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
        """Standard deviation, the square root of `var`. Where it is zero, so is its gradient."""
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
        """The short-time Fourier transform: the frequencies in pieces of a signal that follow each other and overlap."""
    def storage_offset(self) -> builtins.int:
        """Which element of the memory the first element is."""
    @overload
    def stride(self) -> tuple[builtins.int, ...]:
        """How many elements apart neighbours along each dimension (or along one) are in memory."""
    @overload
    def stride(self, dim: builtins.int) -> builtins.int:
        """How many elements apart neighbours along each dimension (or along one) are in memory."""
    def sub(self, other: Operand, *, alpha: Number | None = None) -> Tensor:
        """Difference, element by element."""
    def sub_(self, other: Operand, *, alpha: Number | None = None) -> Self:
        """In-place version of `sub`."""
    def subtract(self, other: Operand, *, alpha: Number | None = None) -> Tensor:
        """Difference, element by element."""
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
        """Sum over all elements, or over dimensions."""
    @overload
    def sum_to_size(self, *size: builtins.int) -> Tensor:
        """The sum over dimensions so that a given shape remains, from which the tensor's own could come by broadcasting."""
    @overload
    def sum_to_size(self, size: Sequence[builtins.int]) -> Tensor:
        """The sum over dimensions so that a given shape remains, from which the tensor's own could come by broadcasting."""
    def svd(self, some: builtins.bool = True, compute_uv: builtins.bool = True) -> return_types.svd:
        """The singular value decomposition as U, S and V (not its conjugate transpose); see `linalg.svd`."""
    def swapaxes(self, axis0: builtins.int, axis1: builtins.int) -> Tensor:
        """Two dimensions exchanged."""
    def swapaxes_(self, dim0: builtins.int, dim1: builtins.int) -> Self:
        """In-place version of `transpose`."""
    def swapdims(self, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """Two dimensions exchanged."""
    def swapdims_(self, dim0: builtins.int, dim1: builtins.int) -> Self:
        """In-place version of `transpose`."""
    def t(self) -> Tensor:
        """A matrix transposed; a vector or a number as it is."""
    def t_(self) -> Self:
        """In-place version of `t`."""
    def take(self, index: Operand) -> Tensor:
        """The elements that an index of any shape names, counted row by row."""
    def take_along_dim(
        self, indices: Tensor, dim: builtins.int | None = None, *, axis: builtins.int | None = None
    ) -> Tensor:
        """`gather` with broadcasting of input and indices; without a dimension, of the elements counted row by row."""
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
        """The tensor in so many parts, or cut at the given indices, along a dimension."""
    @overload
    def tile(self, dims: Sequence[builtins.int]) -> Tensor:
        """Copies of the whole tensor along each dimension; where no number is given, one."""
    @overload
    def tile(self, *sizes: builtins.int) -> Tensor:
        """Copies of the whole tensor along each dimension; where no number is given, one."""
    @overload
    def to(self, dtype: DtypeLike, *, copy: builtins.bool = False, non_blocking: builtins.bool = False) -> Tensor:
        """The tensor with another dtype, on another device, or both as another tensor has them."""
    @overload
    def to(
        self,
        device: DeviceLike | None = None,
        dtype: DtypeLike | None = None,
        *,
        copy: builtins.bool = False,
        non_blocking: builtins.bool = False,
    ) -> Tensor:
        """The tensor with another dtype, on another device, or both as another tensor has them."""
    @overload
    def to(self, other: Tensor, *, copy: builtins.bool = False, non_blocking: builtins.bool = False) -> Tensor:
        """The tensor with another dtype, on another device, or both as another tensor has them."""
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
        """The k largest (or smallest) elements along a dimension, in order, and where they are."""
    def trace(self) -> Tensor:
        """The sum of the diagonal of a matrix."""
    def transpose(self, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """Two dimensions exchanged."""
    def transpose_(self, dim0: builtins.int, dim1: builtins.int) -> Self:
        """In-place version of `transpose`."""
    def triangular_solve(
        self,
        A: Tensor,
        upper: builtins.bool = True,
        transpose: builtins.bool = False,
        unitriangular: builtins.bool = False,
    ) -> return_types.triangular_solve:
        """The solution X of ``A @ X = b`` for triangular A: `linalg.solve_triangular` by an older name."""
    def tril(self, diagonal: builtins.int = 0) -> Tensor:
        """The lower triangles of matrices: zeros above a diagonal."""
    def tril_(self, diagonal: builtins.int = 0) -> Self:
        """In-place version of `tril`."""
    def triu(self, diagonal: builtins.int = 0) -> Tensor:
        """The upper triangles of matrices: zeros below a diagonal."""
    def triu_(self, diagonal: builtins.int = 0) -> Self:
        """In-place version of `triu`."""
    def true_divide(self, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
        """Quotient, element by element. Integers give the default floating dtype, unless the result is rounded."""
    def true_divide_(self, other: Operand, *, rounding_mode: str | None = None) -> Self:
        """In-place version of `div`."""
    def trunc(self) -> Tensor:
        """The integer part of each element."""
    def trunc_(self) -> Self:
        """In-place version of `trunc`."""
    @overload
    def type(self, dtype: None = None, non_blocking: builtins.bool = False) -> str:
        """The tensor with another dtype; without an argument the name of the tensor's type."""
    @overload
    def type(self, dtype: DtypeLike, non_blocking: builtins.bool = False) -> Tensor:
        """The tensor with another dtype; without an argument the name of the tensor's type."""
    def type_as(self, other: Tensor | Number) -> Tensor:
        """The tensor with the dtype of another."""
    def unbind(self, dim: builtins.int = 0, *, axis: builtins.int = 0) -> tuple[Tensor, ...]:
        """All slices along a dimension, which goes away."""
    @overload
    def unflatten(self, dim: builtins.int, sizes: Sequence[builtins.int]) -> Tensor:
        """One dimension shown as several."""
    @overload
    def unflatten(self, *, axis: builtins.int, sizes: Sequence[builtins.int]) -> Tensor:
        """One dimension shown as several."""
    def unfold(self, dimension: builtins.int, size: builtins.int, step: builtins.int) -> Tensor:
        """All windows of a size along a dimension, `step` apart; the windows' elements become the last dimension."""
    def uniform_(
        self, from_: builtins.float = 0.0, to: builtins.float = 1.0, *, generator: Generator | None = None
    ) -> Self:
        """Overwrite every element with a number drawn uniformly between two bounds."""
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
        """The different elements, in ascending order."""
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
        """The different elements, in ascending order."""
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
        """The different elements, in ascending order."""
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
        """The different elements, in ascending order."""
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
        """The different elements, in ascending order."""
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
        """The different elements, in ascending order."""
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
        """The different elements, in ascending order."""
    @overload
    def unique_consecutive(
        self,
        return_inverse: Literal[False] = False,
        return_counts: Literal[False] = False,
        dim: builtins.int | None = None,
        *,
        axis: builtins.int | None = None,
    ) -> Tensor:
        """The elements without those that are equal to the one before."""
    @overload
    def unique_consecutive(
        self,
        return_inverse: Literal[True],
        return_counts: Literal[False] = False,
        dim: builtins.int | None = None,
        *,
        axis: builtins.int | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The elements without those that are equal to the one before."""
    @overload
    def unique_consecutive(
        self,
        return_inverse: Literal[False] = False,
        *,
        return_counts: Literal[True],
        dim: builtins.int | None = None,
        axis: builtins.int | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The elements without those that are equal to the one before."""
    @overload
    def unique_consecutive(
        self,
        return_inverse: Literal[True],
        return_counts: Literal[True],
        dim: builtins.int | None = None,
        *,
        axis: builtins.int | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The elements without those that are equal to the one before."""
    @overload
    def unique_consecutive(
        self,
        return_inverse: builtins.bool = False,
        return_counts: builtins.bool = False,
        dim: builtins.int | None = None,
        *,
        axis: builtins.int | None = None,
    ) -> Tensor | tuple[Tensor, ...]:
        """The elements without those that are equal to the one before."""
    @overload
    def unsqueeze(self, dim: builtins.int) -> Tensor:
        """With a further dimension of length 1."""
    @overload
    def unsqueeze(self, *, axis: builtins.int) -> Tensor:
        """With a further dimension of length 1."""
    def unsqueeze_(self, dim: builtins.int) -> Self:
        """In-place version of `unsqueeze`."""
    def untyped_storage(self) -> UntypedStorage:
        """The memory that the tensor shares with its views."""
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
        """Variance of all elements, or over dimensions; of complex numbers, that of their distance from the mean."""
    def vdot(self, other: Operand) -> Tensor:
        """The inner product of two vectors: the first one is conjugated."""
    @overload
    def view(self, size: Sequence[builtins.int]) -> Tensor:
        """The same memory shown with another shape, or as another dtype of the same size; never a copy."""
    @overload
    def view(self, *size: builtins.int) -> Tensor:
        """The same memory shown with another shape, or as another dtype of the same size; never a copy."""
    @overload
    def view(self, dtype: Dtype | builtins.type[complex]) -> Tensor:
        """The same memory shown with another shape, or as another dtype of the same size; never a copy."""
    def view_as(self, other: Tensor | Number) -> Tensor:
        """The same memory shown with the shape of another tensor."""
    def vsplit(self, indices_or_sections: builtins.int | Sequence[builtins.int] | Tensor) -> tuple[Tensor, ...]:
        """The tensor in parts one below another."""
    def where(self, condition: Operand, other: Operand) -> Tensor:
        """Elements of this tensor where the condition holds, and of `other` where it does not."""
    def xlogy(self, other: Operand) -> Tensor:
        """``input * log(other)``, which is zero where `input` is zero."""
    def xlogy_(self, other: Operand) -> Self:
        """In-place version of `xlogy`."""
    def zero_(self) -> Self:
        """Overwrite every element with zero."""
