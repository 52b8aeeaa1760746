"""The rest of `Tensor`: operators as methods, Python's operators, and what makes it a citizen among arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from adjoint._core.signature import attach_doc, attach_method_docs
from adjoint._core.tensor import Tensor, wrap
from adjoint._dispatch import lanes
from adjoint._dispatch import table as late
from adjoint._dispatch.dispatch import dispatch
from adjoint._dispatch.errors import NotAnOperand
from adjoint._dispatch.override import default_handler, find_interceptors, intercept
from adjoint._dispatch.table import methods, table
from adjoint._ops.creation import tensors
from adjoint._tensor import copy as copying
from adjoint._tensor import interop

_BINARY = {
    "add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "floordiv": "floor_divide", "mod": "remainder",
    "pow": "pow", "matmul": "matmul", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
    "lshift": "bitwise_left_shift", "rshift": "bitwise_right_shift",
}  # fmt: skip
_COMMUTATIVE = ("add", "mul")
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_UNARY = {"neg": "neg", "abs": "abs", "invert": "bitwise_not"}


def _or_not_implemented(operator: Any, args: tuple[Any, Any], kwargs: dict[str, Any]) -> Any:
    """The general path of Python's operators: of what it does not know, it leaves the other side to decide."""
    if args[1] is None:
        return NotImplemented
    try:
        return dispatch(operator, args, kwargs)
    except NotAnOperand as error:
        if any(error.value is one for one in args):
            return NotImplemented
        raise


def _guarded(function: Any, swapped: bool) -> Any:
    """The same for an operator without a short path of its own for two operands, or with `self` on the right."""

    def method(self: Any, other: Any) -> Any:
        if other is None:
            return NotImplemented
        try:
            return function(other, self) if swapped else function(self, other)
        except NotAnOperand as error:
            if error.value is other:
                return NotImplemented
            raise

    return method


def _python_operator(function: Any) -> Any:
    operator = function.operator
    if lanes.arity(operator) == 2:
        return lanes.make_binary(operator, _or_not_implemented)
    return _guarded(function, swapped=False)


def _comparison(function: Any) -> Any:
    def method(self: Any, other: Any) -> Any:
        if isinstance(other, (Tensor, int, float, complex)) or interop.is_operand(other):
            return function(self, other)
        return NotImplemented  # then Python decides: a tensor does not equal None or a string

    return method


def _positive(self: Any) -> Any:
    if self._spec.dtype.category == 0:
        raise RuntimeError("booleans have no sign; convert them with to() first")
    return self


class _Late:
    """A method that is not there yet.

    Args:
        name: what it is called.
        load: imports what is missing and puts the methods themselves in the place of their kind.
    """

    def __init__(self, name: str, load: Callable[[], Any]):
        self.name, self.load = name, load

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        self.load()
        return vars(Tensor)[self.name].__get__(instance, owner)


def _install(members: Mapping[str, Any]) -> None:
    for name, member in members.items():
        if name[-1] == "_" and (member.__doc__ or "").startswith("In-place version"):
            attach_doc(member, member.__name__)
        setattr(Tensor, name, member)


def _install_operators() -> None:
    """Give Tensor its methods and Python's operators, from the operator table."""
    _install({name: _Late(name, late.load_late) for name in late.METHODS} | methods)
    for dunder, name in _BINARY.items():
        if name not in table:
            continue
        function = table[name].function
        method = _python_operator(function)
        setattr(Tensor, f"__{dunder}__", method)
        setattr(Tensor, f"__r{dunder}__", method if name in _COMMUTATIVE else _guarded(function, swapped=True))
        if f"{name}_" in methods:
            setattr(Tensor, f"__i{dunder}__", methods[f"{name}_"])
    Tensor.__rsub__ = _python_operator(table["rsub"].function)  # type: ignore[attr-defined]
    Tensor.__rtruediv__ = _python_operator(table["_rdiv"].function)  # type: ignore[attr-defined]
    for name in _COMPARISONS:
        if name in table:
            setattr(Tensor, f"__{name}__", _comparison(table[name].function))
    for dunder, name in _UNARY.items():
        if name in table:
            setattr(Tensor, f"__{dunder}__", table[name].function)
    Tensor.__pos__ = _positive  # type: ignore[attr-defined]
    Tensor.__hash__ = object.__hash__  # type: ignore[method-assign]


_DRAWN = (
    "bernoulli", "bernoulli_", "cauchy_", "exponential_", "geometric_", "log_normal_", "multinomial", "normal_",
    "random_", "uniform_",
)  # fmt: skip


def _load_drawing() -> None:
    from adjoint._ops.creation.random import METHODS  # loads NumPy's random numbers

    _install(METHODS)


def _load_printing() -> None:
    from adjoint._tensor.printing import describe  # many programs never print a tensor

    _install({"__repr__": describe})


# ---- making tensors of the same kind ---------------------------------------------------------------------------------


def _new(function: Any, doc: str, example: str = "2") -> Any:
    """A method that creates a tensor with the dtype, device and array library of this one."""

    def method(self: Any, *args: Any, dtype: Any = None, **kwargs: Any) -> Tensor:
        interceptors = find_interceptors((self,), {})
        if interceptors:
            return intercept(method, interceptors, (self, *args), {"dtype": dtype, **kwargs})
        dtype = self._spec.dtype if dtype is None else dtype
        return function(*args, dtype=dtype, like=self, **kwargs)

    method.__name__ = method.__qualname__ = f"new_{function.__name__}"
    method.__doc__ = f"""{doc} with the dtype and device of this one.

        Args:
            args, kwargs: the arguments of `{function.__name__}`.
            dtype: the dtype, if it is not that of this tensor.

        Example:
            >>> ad.ones(3, dtype=ad.float64).{method.__name__}({example}).dtype
            adjoint.float64
        """
    return method


def _new_empty_strided(self: Any, size: Any, stride: Any, *, dtype: Any = None, **kwargs: Any) -> Tensor:
    """Create an uninitialised tensor with given strides, with the dtype and device of this one.

    Args:
        size, stride, kwargs: the arguments of `empty_strided`.
        dtype: the dtype, if it is not that of this tensor.

    Example:
        >>> ad.ones(3).new_empty_strided((2, 3), (1, 2)).stride()
        (1, 2)
    """
    dtype = self._spec.dtype if dtype is None else dtype
    return tensors.empty_strided(size, stride, dtype=dtype, like=self, **kwargs)


_CREATORS = {
    "new_empty_strided": _new_empty_strided,
    "new_tensor": _new(tensors.tensor, "Create a tensor from data", "[1, 2]"),
    "new_zeros": _new(tensors.zeros, "Create a tensor of zeros"),
    "new_ones": _new(tensors.ones, "Create a tensor of ones"),
    "new_empty": _new(tensors.empty, "Create an uninitialised tensor"),
    "new_full": _new(tensors.full, "Create a tensor filled with one value", "(2,), 7"),
}


def _init_subclass(cls: Any, **kwargs: Any) -> None:
    """A subclass takes over operations unless it says ``__adjoint_function__ = None``."""
    cls._intercepts = getattr(cls, "__adjoint_function__", None) is not None


def _install_rest() -> None:
    members: dict[str, Any] = {
        **interop.METHODS, **interop.PROPERTIES, **copying.METHODS, **_CREATORS,
        **{name: _Late(name, _load_drawing) for name in _DRAWN},
        "__repr__": _Late("__repr__", _load_printing),
        "__init_subclass__": classmethod(_init_subclass),
        "__adjoint_function__": classmethod(default_handler),
        "__array_priority__": 1000,
    }  # fmt: skip
    _install(members)


late.load(late.CORE)
_install_operators()
_install_rest()
attach_method_docs(Tensor)
late.after.append(lambda: _install({name: methods[name] for name in late.METHODS}))
late.after.append(lambda: attach_method_docs(Tensor))

__all__ = ["Tensor", "wrap"]
