"""`ArrayBox`: a tensor with the methods, attributes and operators of a NumPy array.

`Tensor` has PyTorch's: ``x.std()`` divides by n - 1, ``x.max(0)`` is a pair, ``x.size`` a method. A program written for
NumPy means NumPy's. So functions that `adjoint.hips` differentiates get boxes.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import partial
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from adjoint._core.levels import innermost_array, unwrap_constant
from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops
from adjoint._numpy import call, table
from adjoint._numpy.convert import as_dtype, as_tensor

_WRITES = {np.copyto, np.fill_diagonal, np.place, np.put, np.put_along_axis, np.putmask}


class ArrayBox:
    """A tensor that looks like a NumPy array: same attributes, methods, indexing and operators, with NumPy's meaning.

    Operations on it are recorded. Results without a derivative (comparisons, `argsort`, `zeros_like`) are plain NumPy
    arrays. A box cannot be written to: ``x += 1`` makes a new one, and ``x[0] = 1`` is an error.

    Attributes:
        tensor: the tensor inside.

    Example:
        >>> import adjoint.numpy as np
        >>> x = np.ArrayBox(ad.tensor([1.0, 3.0], requires_grad=True))
        >>> x.std(), np.concatenate([x, [5.0]]).size, x > 2
        (ArrayBox(1., dtype=float32), 3, array([False,  True]))
    """

    __slots__ = ("tensor",)

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor

    # NumPy's protocols -----------------------------------------------------------------------------------------------

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """NumPy's and SciPy's ufuncs of boxes are recorded."""
        if len(inputs) == 1 and method == "__call__" and not kwargs:
            return box(self.tensor.__array_ufunc__(ufunc, method, self.tensor))  # type: ignore[attr-defined]
        _refuse_box_as_output(ufunc.__name__, kwargs.get("out"))
        if method == "at":
            raise _refuse_write(f"np.{ufunc.__name__}.at")
        inputs = unbox(inputs)
        first: Any = next(x for x in inputs if isinstance(x, Tensor))
        return box(first.__array_ufunc__(ufunc, method, *inputs, **kwargs))

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """NumPy's other functions of boxes are recorded."""
        _refuse_box_as_output(func.__name__, kwargs.get("out"))
        if func in _WRITES:
            raise _refuse_write(f"np.{func.__name__}")
        args, kwargs = unbox(args), unbox(kwargs)
        found = table.get(func)
        return box(call(func, (Tensor,), args, kwargs) if found is None else found(*args, **kwargs))

    @classmethod
    def __adjoint_function__(cls, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """Operators of adjoint take boxes."""
        return box(func(*unbox(args), **unbox(kwargs or {})))

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        """Refuse to become a NumPy array, except one of integers."""
        if dtype is not None and np.dtype(dtype).kind in "biu":  # the derivative of rounding is zero
            return box(self.tensor.to(as_dtype(dtype)))  # type: ignore[attr-defined]
        raise TypeError(
            f"an ArrayBox of shape {self.shape} stands for a value that is being differentiated, and cannot become a "
            "NumPy array, which records nothing. Use the functions of adjoint.numpy (np.array for lists of boxes)."
        )

    def _refuse_number(self) -> Any:
        """Refuse to become a Python number."""
        raise TypeError(
            f"an ArrayBox of shape {self.shape} stands for a value that is being differentiated, and cannot become a "
            "Python number, which records nothing. Compute with the box; box.tensor.item() is its value."
        )

    __float__ = __int__ = __complex__ = __index__ = _refuse_number

    # What it is ------------------------------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """Length of each axis."""
        return self.tensor._spec.shape

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.tensor._spec.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return self.tensor._spec.size

    @property
    def dtype(self) -> Any:
        """NumPy's dtype of the elements."""
        return self.tensor._spec.dtype.numpy

    @property
    def itemsize(self) -> int:
        """Bytes per element."""
        return self.tensor._spec.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.itemsize * self.size

    @property
    def T(self) -> Any:
        """The array with its axes in reverse order."""
        return box(ops.permute(self.tensor, tuple(range(self.ndim))[::-1]))

    @property
    def mT(self) -> Any:
        """The array with its last two axes swapped."""
        return box(ops.transpose(self.tensor, -1, -2))

    @property
    def real(self) -> Any:
        """Real part."""
        return np.real(self)  # pyright: ignore[reportArgumentType]

    @property
    def imag(self) -> Any:
        """Imaginary part."""
        return np.imag(self)  # pyright: ignore[reportArgumentType]

    @property
    def flat(self) -> Iterator[Any]:
        """Iterator over the elements."""
        return iter(self.ravel())  # type: ignore[attr-defined]

    def __len__(self) -> int:
        """Length of the first axis."""
        if not self.shape:
            raise TypeError("an array without axes has no len()")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the first axis."""
        return (self[index] for index in range(len(self)))

    def __bool__(self) -> bool:
        """Whether the one element is not zero."""
        if self.size != 1:
            raise ValueError(f"it is unclear whether an array of {self.size} elements is true; use .any() or .all()")
        return bool(self.tensor)

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return repr(innermost_array(self.tensor)).replace("array", "ArrayBox", 1)

    def __format__(self, spec: str) -> str:
        return format(innermost_array(self.tensor)[()], spec) if spec else repr(self)

    # Elements and copies ---------------------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        """Elements, by NumPy's rules for indices."""
        return box(self.tensor[_as_tensor_key(key)])  # type: ignore[index]

    def __setitem__(self, key: Any, value: Any) -> None:
        """Refuse to be written to."""
        raise _refuse_write("assignment to elements")

    def reshape(self, *shape: Any, order: Any = "C") -> Any:
        """The same elements in another shape: ``x.reshape(2, 3)`` or ``x.reshape((2, 3))``."""
        return np.reshape(self, shape[0] if len(shape) == 1 else shape, order=order)  # type: ignore[call-overload]

    def transpose(self, *axes: Any) -> Any:
        """The axes in another order; by default reversed."""
        order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        return np.transpose(self, order or None)  # pyright: ignore[reportArgumentType]

    def flatten(self, order: Any = "C") -> Any:
        """All elements along one axis."""
        return np.ravel(self, order)  # pyright: ignore[reportArgumentType, reportCallIssue]

    def astype(
        self, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: bool = True, copy: bool = True
    ) -> Any:
        """The elements with another dtype."""
        return box(self.tensor.to(as_dtype(dtype)))  # type: ignore[attr-defined]

    def conj(self) -> Any:
        """Complex conjugate."""
        return box(ops.conj(self.tensor))

    conjugate = conj

    def compress(self, condition: Any, axis: Any = None) -> Any:
        """The slices along an axis where the condition is true."""
        return np.compress(condition, self, axis)  # type: ignore[call-overload]

    def copy(self, order: Any = "C") -> Any:
        """The box itself, as nothing can be written to it."""
        return self


_METHODS = (
    "all any argmax argmin argpartition argsort choose clip cumprod cumsum diagonal dot max mean "
    "min nonzero prod ptp ravel repeat round searchsorted squeeze std sum swapaxes take trace var"
)  # methods of ndarray that are functions of NumPy too, with the same arguments
_BINARY = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift"
_COMPARISONS = "eq ne lt le gt ge"
_UNARY = "neg pos abs invert"


def _make_method(name: str) -> Any:
    function = table[getattr(np, name)]

    def method(self: ArrayBox, *args: Any, **kwargs: Any) -> Any:
        return box(function(self.tensor, *unbox(args), **unbox(kwargs)))

    method.__name__ = name
    method.__doc__ = f"``np.{name}`` of this array."
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    others = list(inspect.signature(function.body).parameters.values())[1:]
    method.__signature__ = inspect.Signature([own, *others])  # type: ignore[attr-defined]
    return method


def _make_operator(name: str) -> Any:
    operate = getattr(Tensor, name)

    def method(self: ArrayBox, other: Any) -> Any:
        if type(other) is ArrayBox:
            other = other.tensor
        elif type(other) in (list, tuple):
            other = as_tensor(unbox(other))
        return box(operate(self.tensor, other))

    method.__name__, method.__doc__ = name, operate.__doc__
    return method


def _make_unary(name: str) -> Any:
    operate = getattr(Tensor, name)

    def method(self: ArrayBox) -> Any:
        return box(operate(self.tensor))

    method.__name__, method.__doc__ = name, operate.__doc__
    return method


for _name in _METHODS.split():
    setattr(ArrayBox, _name, _make_method(_name))
for _name in _BINARY.split():
    setattr(ArrayBox, f"__{_name}__", _make_operator(f"__{_name}__"))
    setattr(ArrayBox, f"__r{_name}__", _make_operator(f"__r{_name}__"))
for _name in _COMPARISONS.split():
    setattr(ArrayBox, f"__{_name}__", _make_operator(f"__{_name}__"))
for _name in _UNARY.split():
    setattr(ArrayBox, f"__{_name}__", _make_unary(f"__{_name}__"))


# ---- in and out ------------------------------------------------------------------------------------------------------


def box(result: Any) -> Any:
    """Convert results for a NumPy program: tensors with a derivative to boxes, others to arrays.

    Args:
        result: a tensor; a list, tuple or dictionary of them; or anything else.

    Example:
        >>> import adjoint.numpy as np
        >>> np.box([ad.tensor([1.0]), ad.tensor([2.0], requires_grad=True)])
        [array([1.], dtype=float32), ArrayBox([2.], dtype=float32)]
    """
    if isinstance(result, Tensor):
        if result._edge is None or not result._spec.inexact:
            array = unwrap_constant(result)
            if isinstance(array, np.ndarray):
                return array[()]
            result = array if isinstance(array, Tensor) else result
        return ArrayBox(result)
    if isinstance(result, dict):
        return type(result)({name: box(one) for name, one in result.items()})
    return _map_sequence(box, result) if isinstance(result, (tuple, list)) else result


def unbox(value: Any) -> Any:
    """Replace boxes by their tensors, also inside lists, tuples and dictionaries.

    Functions become functions of tensors: ``np.apply_along_axis(function, 0, x)`` calls a function of the program,
    which is to get boxes.
    """
    kind = type(value)
    if kind is ArrayBox:
        return value.tensor
    if isinstance(value, (tuple, list)):
        return _map_sequence(unbox, value)
    if kind in _FUNCTIONS:
        return lambda *args, **kwargs: unbox(value(*box(args), **{name: box(one) for name, one in kwargs.items()}))
    return {name: unbox(one) for name, one in value.items()} if kind is dict else value


_FUNCTIONS = {FunctionType, MethodType, partial}


def _map_sequence(function: Any, values: Any) -> Any:
    items = [function(one) for one in values]
    return type(values)(*items) if hasattr(values, "_fields") else type(values)(items)


def _refuse_write(what: str) -> TypeError:
    return TypeError(
        f"{what} writes to an ArrayBox, which stands for a value that is being differentiated and cannot be changed. "
        "Build a new array, with np.where, np.concatenate or np.array([...])."
    )


def _refuse_box_as_output(name: str, out: Any) -> None:
    if any(isinstance(one, ArrayBox) for one in (out if isinstance(out, tuple) else (out,))):
        raise _refuse_write(f"np.{name}(out=...)")


# ---- indices ---------------------------------------------------------------------------------------------------------

_BASIC = {int, slice, type(None), type(...)}


def _as_tensor_key(key: Any) -> Any:
    """Convert an index to one that means for tensors what it means in NumPy.

    Where arrays and integers are mixed, NumPy takes the integers for arrays, and PyTorch for selections made before:
    this decides where the axes of the arrays come in the result.
    """
    parts = key if type(key) is tuple else (key,)
    if all(type(part) in _BASIC for part in parts):
        return key
    parts = [_as_index(part) for part in parts]
    if any(isinstance(part, np.ndarray) and part.ndim for part in parts):
        parts = [np.array([part]) if _is_integer(part) else part for part in parts]
    return tuple(parts)


def _is_integer(part: Any) -> bool:
    return isinstance(part, (int, np.integer)) and type(part) is not bool


def _as_index(part: Any) -> Any:
    if isinstance(part, (list, tuple, range)):
        part = np.asarray(part) if len(part) else np.zeros(0, np.int64)
    if isinstance(part, np.ndarray) and part.dtype.kind == "u":
        return part.astype(np.int64)  # PyTorch takes uint8 for a mask
    return part
