"""Methods of `Tensor`: operators, Python's special methods, creation methods, array protocols."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from inspect import Parameter, Signature, signature
from typing import Any

from adjoint._core.signature import Shown, attach_method_docs
from adjoint._core.tensor import Tensor, wrap
from adjoint._dispatch.dispatch import dispatch
from adjoint._dispatch.errors import NotAnOperand
from adjoint._dispatch.fast import arity
from adjoint._dispatch.fast.forward import make_function
from adjoint._dispatch.override import default_handler, find_interceptors, handler_of, intercept
from adjoint._dispatch.table import install_methods, late_methods, load, load_changed, load_part, methods, table
from adjoint._ops.creation import tensors
from adjoint._tensor import copy as copying
from adjoint._tensor import interop, types

_BINARY = {
    "add": ("+", "add"), "sub": ("-", "sub"), "mul": ("*", "mul"), "truediv": ("/", "div"),
    "floordiv": ("//", "floor_divide"), "mod": ("%", "remainder"), "pow": ("**", "pow"), "matmul": ("@", "matmul"),
    "and": ("&", "bitwise_and"), "or": ("|", "bitwise_or"), "xor": ("^", "bitwise_xor"),
    "lshift": ("<<", "bitwise_left_shift"), "rshift": (">>", "bitwise_right_shift"),
}  # fmt: skip
_COMMUTATIVE = ("add", "mul")
_REFLECTED = {"sub": "rsub", "truediv": "_rdiv"}  # those with an operator of their own
_COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_UNARY = {"neg": "neg", "abs": "abs", "invert": "bitwise_not"}


def _call_or_not_implemented(operator: Any, args: tuple[Any, Any], kwargs: dict[str, Any]) -> Any:
    """General path of Python's operators: NotImplemented for operands of unknown types."""
    if args[1] is None:
        return NotImplemented
    try:
        return dispatch(operator, args, kwargs)
    except NotAnOperand as error:
        if any(error.value is one for one in args):
            return NotImplemented
        raise


def _make_guarded(function: Any, swapped: bool) -> Any:
    """Make such a method for an operator without a binary fast path, or with `self` on the right."""

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


def _make_python_operator(function: Any) -> Any:
    operator = function.operator
    if arity(operator) == 2 or operator.chooses is not None:
        return make_function(operator, _call_or_not_implemented)
    return _make_guarded(function, swapped=False)


def _make_comparison(function: Any) -> Any:
    def method(self: Any, other: Any) -> Any:
        if isinstance(other, (Tensor, int, float, complex)) or interop.is_operand(other):
            return function(self, other)
        return NotImplemented  # then Python decides: a tensor does not equal None or a string

    return method


def _positive(self: Any) -> Any:
    """``+self``: the tensor itself, which must not be one of booleans."""
    if self._spec.dtype.category == 0:
        raise RuntimeError("booleans have no sign; convert them with to() first")
    return self


class _Late:
    """A method that is loaded on first use.

    Args:
        name: what it is called.
        load: imports what puts the method itself in this one's place.
    """

    def __init__(self, name: str, load: Callable[[], Any]):
        self.name, self.load = name, load

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        self.load()
        found = vars(Tensor)[self.name]
        if found is self:
            raise AttributeError(f"{self.name} is not there yet: its family of operators is being imported")
        return found.__get__(instance, owner)


class _Doc:
    """The docstring of Tensor, completed when it is read."""

    def __init__(self, start: str):
        self.start = start

    def __get__(self, instance: Any, owner: Any = None) -> str:
        return _load_printing().overview(self.start)


def _install(members: Mapping[str, Any]) -> None:
    for name, member in members.items():
        setattr(Tensor, name, member)


def _install_operators() -> None:
    """Give Tensor Python's operators, from the operator table."""
    for dunder, (symbol, name) in _BINARY.items():
        function = table[name].function
        method = _make_python_operator(function)
        _set_operator(f"__{dunder}__", method, f"self {symbol} other", function)
        if name in _COMMUTATIVE:
            reflected = method
        elif dunder in _REFLECTED:
            reflected = _make_python_operator(table[_REFLECTED[dunder]].function)
        else:
            reflected = _make_guarded(function, swapped=True)
        _set_operator(f"__r{dunder}__", reflected, f"other {symbol} self", function)
        if f"{name}_" in methods:
            setattr(Tensor, f"__i{dunder}__", methods[f"{name}_"])
    for name, symbol in _COMPARISONS.items():
        function = table[name].function
        _set_operator(f"__{name}__", _make_comparison(function), f"self {symbol} other", function)
    for dunder, name in _UNARY.items():
        setattr(Tensor, f"__{dunder}__", table[name].function)
    Tensor.__pos__ = _positive  # type: ignore[attr-defined]
    Tensor.__hash__ = object.__hash__  # type: ignore[method-assign]


_SELF_AND_OTHER = Signature([Parameter(name, Parameter.POSITIONAL_ONLY) for name in ("self", "other")])


def _set_operator(name: str, method: Any, expression: str, function: Any) -> None:
    """Install one of Python's operators; its source is the declaration of the operator it calls."""
    setattr(Tensor, name, method)
    if not hasattr(method, "__signature__"):  # else it is both sides of an operator
        method.__name__, method.__qualname__, method.__module__ = name, f"Tensor.{name}", "adjoint"
        method.__doc__ = f"``{expression}``; see `{function.__name__}`."
        method.__signature__, method.__wrapped__ = _SELF_AND_OTHER, function


def _load_printing() -> Any:
    from adjoint._tensor import printing  # many programs never print a tensor

    Tensor.__repr__ = printing.describe  # type: ignore[method-assign]
    return printing


# ---- making tensors of the same kind ---------------------------------------------------------------------------------


def _make_creator(function: Any, doc: str, arguments: str = "size", example: str = "2") -> Any:
    """Make a method that creates a tensor with the dtype, device and array library of this one.

    Args:
        function: the function of `adjoint` that does so.
        doc: how its docstring begins.
        arguments: the names of what it is given first.
        example: these arguments in the example.
    """

    def method(self: Any, *args: Any, dtype: Any = None, **kwargs: Any) -> Tensor:
        interceptors = find_interceptors((self,), {})
        if interceptors:
            return intercept(method, interceptors, (self, *args), {"dtype": dtype, **kwargs})
        dtype = self._spec.dtype if dtype is None else dtype
        return function(*args, dtype=dtype, like=self, **kwargs)

    def make_signature() -> Signature:
        own = signature(function)
        kept = [parameter for name, parameter in own.parameters.items() if name not in ("like", "out")]
        return own.replace(parameters=[Parameter("self", Parameter.POSITIONAL_OR_KEYWORD), *kept])

    method.__wrapped__ = Shown(function, make_signature)  # type: ignore[attr-defined]
    method.__name__ = method.__qualname__ = f"new_{function.__name__}"
    method.__doc__ = f"""{doc} with the dtype and device of this one.

        Args:
            {arguments}: as of `{function.__name__}`.
            dtype, device: those of the result, if they are not those of this tensor.
            requires_grad: whether operations on the result are recorded.
            layout, pin_memory, memory_format: accepted for compatibility, as by `{function.__name__}`.

        Example:
            >>> ad.ones(3, dtype=ad.float64).{method.__name__}({example}).dtype
            adjoint.float64
        """
    return method


_CREATORS = [
    _make_creator(tensors.tensor, "Create a tensor from data", "data", "[1, 2]"),
    _make_creator(tensors.zeros, "Create a tensor of zeros"),
    _make_creator(tensors.ones, "Create a tensor of ones"),
    _make_creator(tensors.empty, "Create an uninitialised tensor"),
    _make_creator(tensors.empty_strided, "Create a tensor with given strides", "size, stride", "(2, 3), (1, 2)"),
    _make_creator(tensors.full, "Create a tensor filled with one value", "size, fill_value", "(2,), 7"),
]


def _init_subclass(cls: Any, **kwargs: Any) -> None:
    """A subclass takes over operations unless it says ``__adjoint_function__ = None``."""
    handler = handler_of(cls)
    cls._intercepts = handler is not None
    if hasattr(cls, "__torch_dispatch__") and getattr(handler, "__func__", None) is default_handler:
        cls._intercepts = False  # it takes over below autograd, and results are of the class as it likes


def _make_wrapper_subclass(cls: Any, size: Any, *args: Any, **kwargs: Any) -> Any:
    """Make an object of a subclass with `__torch_dispatch__`: shape and dtype without values, a wrapper."""
    return load_part("interception.wrapper").make_wrapper(cls, size, *args, **kwargs)


def _install_rest() -> None:
    members: dict[str, Any] = {
        **interop.METHODS, **interop.PROPERTIES, **copying.METHODS,
        **{method.__name__: method for method in _CREATORS}, "new": types.new,
        "__doc__": _Doc(Tensor.__doc__ or ""),
        "__repr__": _Late("__repr__", _load_printing),
        "__init_subclass__": classmethod(_init_subclass),
        "_make_wrapper_subclass": staticmethod(_make_wrapper_subclass),
        "__adjoint_function__": classmethod(default_handler), "__torch_function__": classmethod(default_handler),
        "__array_priority__": 1000,
    }  # fmt: skip
    _install(members)


load_changed()
_install_operators()
install_methods(methods)
_install_rest()
attach_method_docs(Tensor)
_install({name: _Late(name, partial(load, family)) for name, family in late_methods()})

__all__ = ["Tensor", "wrap"]
