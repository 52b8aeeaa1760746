"""Overloads of built-in operators by PyTorch's names: ``aten.mul.Tensor``, ``aten.sum.dim_IntList``.

They are what `__torch_dispatch__` gets as `func`, and what ``adjoint.ops.aten.mul.Tensor`` is. Here an operator is one
function that looks at its arguments; which overload of PyTorch's a call is, is said by `name_overload`.

Where ours differ: an operator that PyTorch builds from others is one operator here if it is declared as one (`linear`,
`matmul` of stacks with broadcasting, `layer_norm`), and some that PyTorch has are built from others here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from adjoint._core.tensor import Tensor
from adjoint._dispatch.dispatch import dispatch
from adjoint._dispatch.table import composites, creations, load_all, methods, table

NAMES = frozenset(
    """
    default Tensor Scalar Tensor_Tensor Tensor_Scalar Scalar_Tensor Tensor_mode Scalar_mode out self other int float
    dim dim_IntList dim_int IntList dims dim_max dim_min correction unary_out int_out Tensor_out Scalar_out self_out
    dim_self using_ints sizes split_size ScalarOpt_dim ScalarOpt_dim_dtype dtype dtype_layout device values start
    start_step Tensor_start Tensor_end names grad_out src reduce value two stable decimals int_Scalar int_Tensor
    Scalar_Self Scalar_Other ScalarOther ScalarSelf
    """.split()
)
"""What overloads may be called."""


class Schema(NamedTuple):
    """Name of an overload, and whether it writes to its first argument."""

    name: str
    overload_name: str
    is_mutable: bool


class OpOverload:
    """One overload of a built-in operator; calling it runs the operator. There is one object for each.

    Only for operators that `vmap` makes, which know of the batch, it is another one that is equal.
    """

    namespace = "aten"
    tags = ()

    def __init__(self, packet: BuiltinPacket, overload: str) -> None:
        self.overloadpacket = packet
        self._overloadname = overload
        self._opname = packet.__name__
        self._schema = Schema(f"aten::{packet.__name__}", "" if overload == "default" else overload, packet.is_mutable)
        self.__name__ = f"{packet.__name__}.{overload}"
        self.__qualname__ = f"aten.{self.__name__}"
        self.__module__ = "adjoint.ops.aten"
        self.__doc__ = packet.__doc__

    def name(self) -> str:
        """Return the name as PyTorch's schemas write it: ``aten::mul.Tensor``."""
        return f"aten::{self._opname}" + (f".{self._overloadname}" if self._overloadname != "default" else "")

    @property
    def is_view(self) -> bool:
        """Whether the result shows the memory of the first argument."""
        return self._opname in table and table[self._opname].is_view

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the operator."""
        return self.overloadpacket(*args, **kwargs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpOverload) and self.__qualname__ == other.__qualname__

    def __hash__(self) -> int:
        return hash(self.__qualname__)

    def __str__(self) -> str:
        return self.__qualname__

    def __repr__(self) -> str:
        return f"<OpOverload(op='{self.__qualname__.rpartition('.')[0]}', overload='{self._overloadname}')>"

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self.overloadpacket, self._overloadname)


class BuiltinPacket:
    """A built-in operator with all of its overloads, which are the one function."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self._namespace = "aten"
        self._qualified_op_name = f"aten::{name}"
        self.__name__ = name
        self.__qualname__ = f"aten.{name}"
        self.__module__ = "adjoint.ops"
        self.__doc__ = function.__doc__
        self.function = function
        self.is_mutable = name.endswith("_") and not name.endswith("__")

    def overloads(self) -> list[str]:
        """The names of the overloads that have been asked for, and 'default'."""
        return ["default", *(name for name in vars(self) if name in NAMES and name != "default")]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    def __getattr__(self, overload: str) -> OpOverload:
        if overload not in NAMES:
            raise AttributeError(f"{self!r} has no overload {overload!r}; 'default' is the operator itself")
        return self.__dict__.setdefault(overload, OpOverload(self, overload))

    def __str__(self) -> str:
        return self.__qualname__

    def __repr__(self) -> str:
        return f"<operator aten.{self.__name__}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return find_packet, (self.__name__,)


_packets: dict[str, BuiltinPacket] = {}


def find_packet(name: str) -> BuiltinPacket | None:
    """Return the built-in operator of a name; None if there is none."""
    found = _packets.get(name)
    if found is None:
        load_all()
        own = _OPERATORS.get(name)
        function = table[name].function if name in table else composites.get(name, methods.get(name))
        function = creations.get(name) if function is None else function
        if function is None and own is not None:
            function = table[own].function
        if callable(function):
            found = _packets.setdefault(name, BuiltinPacket(name, function))
    return found


def find_overload(operator: Any, values: list[Any], in_place: bool = False) -> OpOverload:
    """Return the overload that a call of an operator with these arguments is."""
    name, overload = _PYTORCH_NAMES.get(operator.name, (operator.name, ""))
    if in_place:
        packet: Any = find_packet(name.removeprefix("_") + "_")
    elif table.get(operator.name) is not operator:  # made for a `vmap`, and not in the table
        packet = BuiltinPacket(name, lambda *args, **kwargs: dispatch(operator, args, kwargs))
    else:
        packet = find_packet(name) or find_packet(operator.name)
    return getattr(packet, overload or name_overload(operator, values))


_PYTORCH_NAMES = {
    "_max_all": ("max", "default"), "_max_dim": ("max", "dim"), "_min_all": ("min", "default"),
    "_min_dim": ("min", "dim"), "_median_all": ("median", "default"), "_median_dim": ("median", "dim"),
    "_nanmedian_all": ("nanmedian", "default"), "_nanmedian_dim": ("nanmedian", "dim"),
    "softmax": ("_softmax", "default"), "log_softmax": ("_log_softmax", "default"),
    "_copy": ("copy", "default"), "_fill": ("fill", ""), "_scatter": ("scatter", ""),
}  # fmt: skip
"""Operators that PyTorch calls otherwise: its name, and the overload unless that depends on the arguments."""

_OPERATORS = {"_softmax": "softmax", "_log_softmax": "log_softmax"}


# ---- which overload a call is ----------------------------------------------------------------------------------------


def name_overload(operator: Any, values: list[Any]) -> str:
    """Say which overload of PyTorch's a call with these arguments is."""
    rule = _RULES.get(operator.name, "default")
    return rule if isinstance(rule, str) else rule(lambda name: values[operator.index[name]])


def _by_operand(number: str, name: str = "other", tensor: str = "Tensor") -> Callable[[Any], str]:
    """Choose by whether an argument is a number or a tensor."""
    return lambda get: tensor if isinstance(get(name), Tensor) else number


def _by_dim(one: str, several: str | None = None) -> Callable[[Any], str]:
    """Choose by whether `dim` is left out, one dimension, or several."""

    def choose(get: Callable[[str], Any]) -> str:
        dim = get("dim")
        if dim is None:
            return "default"
        return one if several is None or isinstance(dim, int) else several

    return choose


def _of_power(get: Callable[[str], Any]) -> str:
    if not isinstance(get("input"), Tensor):
        return "Scalar"
    return "Tensor_Tensor" if isinstance(get("other"), Tensor) else "Tensor_Scalar"


def _of_clamp(get: Callable[[str], Any]) -> str:
    return "Tensor" if isinstance(get("min"), Tensor) or isinstance(get("max"), Tensor) else "default"


_RULES: dict[str, str | Callable[[Any], str]] = {
    **dict.fromkeys("add sub mul div ldexp frexp bucketize searchsorted".split(), "Tensor"),
    **dict.fromkeys(
        "eq ne lt le gt ge remainder fmod copysign bitwise_and bitwise_or bitwise_xor rsub".split(),
        _by_operand("Scalar"),
    ),
    **dict.fromkeys("bitwise_left_shift bitwise_right_shift".split(), _by_operand("Tensor_Scalar")),
    **dict.fromkeys("std var std_mean var_mean".split(), "correction"),
    **dict.fromkeys("sum count_nonzero".split(), _by_dim("dim_IntList")),
    **dict.fromkeys("all any squeeze".split(), _by_dim("dim", "dims")),
    "mean": _by_dim("dim"),
    "prod": _by_dim("dim_int"),
    "floor_divide": _by_operand("Scalar", tensor="default"),
    "xlogy": _by_operand("Scalar_Other"),
    "pow": _of_power,
    "clamp": _of_clamp,
    "lerp": _by_operand("Scalar", "weight"),
    "masked_fill": _by_operand("Scalar", "value"),
    "_fill": _by_operand("Scalar", "value"),
    "index_fill": _by_operand("int_Scalar", "value", "int_Tensor"),
    "_scatter": _by_operand("value", "src", "src"),
    "scatter_reduce": "two",
    "where": "self",
    "split": lambda get: "Tensor" if isinstance(get("split_size_or_sections"), int) else "sizes",
    "_index": "Tensor",
    **dict.fromkeys("transpose unbind".split(), "int"),
}
