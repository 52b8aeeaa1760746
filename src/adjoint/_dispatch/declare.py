"""The kinds of operator declarations. An operator is declared once; everything else follows from the declaration.

    tanh = elementwise("tanh", d=lambda out: 1 - out * out, doc="Hyperbolic tangent of each element.")

    @linear(lambda xp, g, input_spec, dim, keepdim: ...)
    def sum(xp, input, dim=None, keepdim=False): ...

elementwise   the forward and the local derivative `d`: vjp = g * conj(d), jvp = t * d
linear        the forward and its transpose; the jvp is the operator itself
multilinear   the same with a transpose for each argument
view          linear, and shares memory; `scatter` writes a value back through it (`views`: several of them)
general       a vjp (and a jvp: without one it is derived from the vjp by differentiating that)
composite     a function of other operators
constant      not differentiable

How rules name what they need is said in `_dispatch/operator.py`. Parameters of a forward that are tensors are called
`input` and `other` or are annotated `Array` (`Arrays` for a list of them, `Mask` for one whose dtype is not promoted
with the others'); `Ints` collects trailing integers, as in ``x.permute(1, 0)``. Rules have to be written in the
vocabulary of `xp`, because they run on plain arrays and, when gradients are themselves differentiated, on tensors.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy

from adjoint._core.signature import attach_doc
from adjoint._dispatch import lanes
from adjoint._dispatch import operator as signatures
from adjoint._dispatch.fast_forward import make_function
from adjoint._dispatch.inplace import make_in_place
from adjoint._dispatch.operator import ALIASES, MANY, Elementwise, Operator, Over
from adjoint._dispatch.out import COMPOSITES, write_out
from adjoint._dispatch.override import find_interceptors, intercept
from adjoint._dispatch.table import composites, methods, table

np: Any = numpy

Array = Any
Arrays = Any
Mask = Any
Ints = Any
Function = Callable[..., Any]

over = Over


def elementwise(
    name: str | None = None,
    forward: str | Function | None = None,
    *,
    d: Any,
    vjp: dict[str, Function] | None = None,
    jvp: dict[str, Function] | None = None,
    promotes: str = "float",
    complex: str = "yes",
    booleans: str = "yes",
    numbers: str = "weak",
    kernel: str | None = None,
    doc: str = "",
    in_place: bool = True,
    method: bool = True,
    node_name: str | None = None,
    number_nodes: dict[str, str] | None = None,
    overloads: tuple[Function, str] | None = None,
) -> Any:
    """Declare an operator that works on each element by itself.

    Args:
        name: the public name; left out when used as a decorator, which takes the function's name.
        forward: the function ``(xp, ...)``, or the name of the namespace's function (default: `name`).
        d: the local derivative, or a dict of one for each tensor argument; a number if it is constant; ``over(f)`` if
            gradients are to be divided by f. One that names `g` gives g times the derivative itself, which suits real
            operators that pass a gradient on or block it.
        vjp, jvp: rules in place of those that follow from `d`.
        promotes: "float" (integers become the default dtype), "same" (only brought to a common dtype) or "none".
        complex: "yes"; "slow" if complex operands need the general path, because the result is real; or "no".
        booleans: "yes"; "beside numbers", if operands must not all be booleans; or "no".
        numbers: "weak" if Python numbers reach the forward and the rules as they are, "arrays" if as 0-dim arrays.
        kernel: the NumPy function that does the same as the forward for floating point operands.
        doc: one line, for functions without a docstring.
        in_place: whether there is a variant ``name_``.
        method: whether it is a method of Tensor.
        node_name: the node's class name if it does not follow from the name.
        number_nodes: by which names nodes go where the argument of that name is a Python number.
        overloads: the public function that becomes this operator when the given keyword is used.
    """

    def declare(function: Function, own_name: str) -> Function:
        slopes: dict[str, Any] = d if isinstance(d, dict) else {"input": d}  # pyright: ignore[reportUnknownVariableType]
        rules: dict[str, Any] = {key: Elementwise(slope) for key, slope in slopes.items()} | (vjp or {})
        tangents: dict[str, Any] = {key: Elementwise(slope) for key, slope in slopes.items()} | (jvp or {})
        if overloads is not None:
            own_name = overloads[0].operator.name  # type: ignore[attr-defined]
        if kernel is not None:
            function.namespace_name = kernel  # type: ignore[attr-defined]
        operator = Operator(
            own_name,
            function,
            vjp=rules,
            jvp=tangents,
            promotes=promotes,
            kind="elementwise",
            node_name=node_name,
            doc=doc,
        )
        operator.takes_complex = complex != "no"
        operator.lane_complex = complex == "yes"
        operator.booleans = booleans
        operator.wraps_numbers = numbers == "arrays"
        if number_nodes is not None:
            _name_nodes_by_numbers(operator, number_nodes)
        if overloads is not None:
            return _publish_overload(operator, *overloads)
        return _publish(operator, in_place=in_place, method=method)

    def decorate(function: Function) -> Function:
        return declare(function, function.__name__)

    if name is None:
        return decorate
    if callable(forward):
        return declare(forward, name)
    return declare(_namespace_function(forward or name, 2 if isinstance(d, dict) else 1), name)


def _name_nodes_by_numbers(operator: Operator, names: dict[str, str]) -> None:
    """Let the nodes of an operator have other names where an operand is a number."""
    declared = operator.node_class
    kinds: dict[int, Any] = {}
    for key, name in names.items():
        hidden = tuple([operator.edge_names.index(other) for other in names if names[other] == name])
        attributes = {"__slots__": (), "__module__": declared.__module__, "hidden": hidden}
        kinds[operator.index[key]] = type(name, (declared,), attributes)
    operator.number_node = kinds.get(1)
    operator.choose_node = lambda values: next(
        (kind for place, kind in kinds.items() if isinstance(values[place], (bool, int, float, builtins.complex))),
        declared,
    )


def _namespace_function(name: str, arity: int) -> Function:
    """The namespace's function of that name as a forward."""
    if arity == 1:

        def unary(xp: Any, input: Any) -> Any:
            return getattr(xp, name)(input)

        unary.namespace_name = name  # type: ignore[attr-defined]
        return unary

    def binary(xp: Any, input: Any, other: Any) -> Any:
        return getattr(xp, name)(input, other)

    binary.namespace_name = name  # type: ignore[attr-defined]
    return binary


def linear(
    transpose: Function,
    *,
    name: str | None = None,
    promotes: str = "none",
    in_place: bool = False,
    method: bool = True,
    node_name: str | None = None,
) -> Callable[[Function], Function]:
    """Declare an operator that is linear in its tensor argument (or list of them).

    Args:
        transpose: the vjp rule; it may use `g`, parameters and `<input>_spec`.
    """

    def declare(forward: Function) -> Function:
        operator = Operator(
            name or forward.__name__,
            forward,
            vjp={_linear_argument(forward): transpose},
            promotes=promotes,
            kind="linear",
            node_name=node_name,
        )
        return _publish(operator, in_place=in_place, method=method)

    return declare


def _linear_argument(forward: Function) -> str:
    return signatures.Signature(forward).names[1]


def multilinear(
    *,
    name: str | None = None,
    promotes: str = "same",
    in_place: bool = False,
    method: bool = True,
    node_name: str | None = None,
    **transposes: Function,
) -> Callable[[Function], Function]:
    """Declare an operator that is linear in each of several arguments: a transpose for each, by its name."""

    def declare(forward: Function) -> Function:
        operator = Operator(
            name or forward.__name__,
            forward,
            vjp=dict(transposes),
            promotes=promotes,
            kind="linear",
            node_name=node_name,
        )
        return _publish(operator, in_place=in_place, method=method)

    return declare


def view(
    transpose: Function,
    *,
    scatter: Function | None = None,
    selects: bool | None = None,
    overlaps: bool = False,
    shows: Function | None = None,
    always_shares: bool = False,
    name: str | None = None,
    method: bool = True,
    node_name: str | None = None,
) -> Callable[[Function], Function]:
    """Declare an operator whose result shows (part of) the memory of its first argument.

    Args:
        transpose: the vjp rule.
        scatter: ``(xp, base, value, **parameters)`` gives the base with the shown part replaced by the value. Left
            out, it is found by looking which elements the view shows.
        selects: whether the view shows elements as they are (default: if there is no `scatter`).
        overlaps: whether it may show an element several times.
        shows: ``(parent, result)``, tensors: whether the result does show the parent's memory. Left out, one looks.
        always_shares: True if the result never is a copy, which saves looking.
    """

    def declare(forward: Function) -> Function:
        operator = Operator(
            name or forward.__name__, forward, vjp={"input": transpose}, kind="linear", node_name=node_name
        )
        operator.is_view = True
        operator.shows = shows
        operator.selects = scatter is None if selects is None else selects
        operator.overlaps = overlaps
        operator.always_shares = always_shares
        operator.scatter = scatter or functools.partial(_scatter_by_positions, operator)
        return _publish(operator, in_place=False, method=method)

    return declare


def views(
    transpose: Function, parts: Function, *, name: str | None = None, method: bool = True, node_name: str | None = None
) -> Callable[[Function], Function]:
    """Declare an operator that returns several views of its first argument, like `split`.

    Args:
        transpose: the vjp rule; its `g` is a list with None where an output was not used.
        parts: ``(input, **parameters)`` gives for each output the chain, of one step (view operator, parameters),
            that makes it alone.
    """

    def declare(forward: Function) -> Function:
        operator = Operator(
            name or forward.__name__,
            forward,
            vjp={"input": transpose},
            outputs=MANY,
            kind="linear",
            node_name=node_name,
        )
        operator.is_view = operator.always_shares = True
        operator.parts = parts
        return _publish(operator, in_place=False, method=method)

    return declare


def _scatter_by_positions(operator: Operator, xp: Any, base: Any, value: Any, **params: Any) -> Any:
    """Write through any view that only selects elements: view the elements' numbers to learn which they are."""
    shape = tuple(base.shape)
    shown = operator.raw(np.arange(math.prod(shape)).reshape(shape), params)
    flat = xp.index_put(xp.reshape(base, (-1,)), (shown.reshape(-1),), xp.reshape(value, (-1,)))
    return xp.reshape(flat, shape)


def general(
    *,
    vjp: dict[str, Function],
    jvp: dict[str, Function] | None = None,
    name: str | None = None,
    outputs: int = 1,
    differentiable: int | None = None,
    reads: tuple[int, ...] | None = None,
    promotes: str = "none",
    in_place: bool = False,
    method: bool = True,
    node_name: str | None = None,
    returns: Any = None,
) -> Callable[[Function], Function]:
    """Declare an operator by its rules.

    Args:
        vjp: a rule for each differentiable argument.
        jvp: the same for tangents `t`; the contributions of the arguments are added. Left out, it is derived from
            the vjp, which then has to be written in differentiable operators.
        outputs: how many results the forward returns; the first `differentiable` of them have gradients.
        reads: which of several outputs the rules read (``out[1]``), if not all; the others are not saved.
        returns: the named tuple type of several results.
    """

    def declare(forward: Function) -> Function:
        operator = Operator(
            name or forward.__name__,
            forward,
            vjp=dict(vjp),
            jvp=None if jvp is None else dict(jvp),
            promotes=promotes,
            outputs=outputs,
            differentiable=differentiable,
            node_name=node_name,
        )
        operator.reads = reads
        if returns is not None:
            operator.returns = returns
        return _publish(operator, in_place=in_place, method=method)

    return declare


def constant(
    forward: Function | None = None,
    *,
    name: str | None = None,
    promotes: str = "none",
    complex: str = "yes",
    booleans: str = "yes",
    numbers: str = "weak",
    outputs: int = 1,
    in_place: bool = False,
    method: bool = True,
    returns: Any = None,
) -> Any:
    """Declare an operator that has no derivative: comparisons, indices, counts. See `elementwise` for the options."""

    def declare(function: Function) -> Function:
        operator = Operator(
            name or function.__name__,
            function,
            vjp={"input": Elementwise(0)} if in_place else {},  # the tensor that is overwritten has lost its influence
            jvp={"input": Elementwise(0)},
            differentiable=0,
            promotes=promotes,
            outputs=outputs,
            kind="constant",
        )
        operator.takes_complex = complex != "no"
        operator.booleans = booleans
        operator.wraps_numbers = numbers == "arrays"
        if returns is not None:
            operator.returns = returns
        return _publish(operator, in_place=in_place, method=method)

    return declare if forward is None else declare(forward)


def composite(function: Function | None = None, *, method: bool = True, name: str | None = None) -> Any:
    """Declare an operator that is a function of other operators on tensors."""

    def declare(body: Function) -> Function:
        own = signatures.Signature(body).names

        @functools.wraps(body)
        def call(*args: Any, **kwargs: Any) -> Any:
            interceptors = find_interceptors(args, kwargs)
            if interceptors:
                return intercept(call, interceptors, args, kwargs)
            if kwargs:
                if takes_out and kwargs.get("out") is not None:
                    rest = {key: value for key, value in kwargs.items() if key != "out"}
                    return write_out(public, kwargs["out"], call(*args, **rest), (*args, *rest.values()))
                kwargs = {key if key in own else ALIASES.get(key, key): value for key, value in kwargs.items()}
                if takes_out:
                    kwargs.pop("out", None)
            return body(*args, **kwargs)

        public = name or body.__name__
        takes_out = public in COMPOSITES and "out" not in own
        call.__name__ = public
        attach_doc(call, public)
        composites[public] = call
        if method:
            methods[public] = call
        return call

    return declare if function is None else declare(function)


def alias(new: str, old: str) -> None:
    """Give a public function, its method and its in-place variant another name.

    Args:
        new: the further name.
        old: the name it has.
    """
    aliases[new] = old
    composites[new] = table[old].function if old in table else composites[old]
    for suffix in ("", "_"):
        if old + suffix in methods:
            methods[new + suffix] = methods[old + suffix]


def take_inplace(function: Any) -> None:
    """Let the public function of an operator take `inplace`, which calls the in-place variant.

    It may be given by position where there are other arguments before it; after the input alone it is a keyword.
    """
    function.operator.takes_inplace = True
    known = [*inspect.signature(function).parameters.values()]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD if len(known) > 1 else inspect.Parameter.KEYWORD_ONLY
    flag = inspect.Parameter("inplace", kind, default=False)
    function.__signature__ = inspect.Signature([*known, flag])


aliases: dict[str, str] = {}
"""Further names of operators, and the names they stand for."""


def _publish_overload(operator: Operator, function: Any, keyword: str) -> Function:
    """Let an operator take over the calls of a public function in which a keyword is given."""
    operator.function = function
    function.operator.overloads[keyword] = operator
    known = dict(inspect.signature(function).parameters)
    known[keyword] = inspect.Parameter(keyword, inspect.Parameter.KEYWORD_ONLY, default=None)
    function.__signature__ = inspect.Signature(list(known.values()))
    return function


def _publish(operator: Operator, *, in_place: bool, method: bool) -> Function:
    """Make the public function of an operator and put both into their tables."""
    arity = lanes.arity(operator)
    if arity == 1:
        function = lanes.make_unary(operator)
    elif arity == 2:
        function = lanes.make_binary(operator)
    else:
        function = make_function(operator)
    function.__name__ = function.__qualname__ = operator.name
    function.__module__ = "adjoint"
    function.__doc__ = operator.forward.__doc__ or operator.doc
    attach_doc(function, operator.name)
    function.__signature__ = signatures.public(operator.signature)  # type: ignore[attr-defined]
    function.operator = operator  # type: ignore[attr-defined]
    operator.function = function
    table[operator.name] = operator
    if method:
        methods[operator.name] = function
    if in_place:
        operator.in_place = make_in_place(operator)
        operator.in_place.__signature__ = function.__signature__  # type: ignore[attr-defined]
        attach_doc(operator.in_place, operator.name + "_")
        if method:
            methods[operator.name + "_"] = operator.in_place
    return function
