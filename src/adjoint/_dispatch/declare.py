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
with the others'); `Ints` collects trailing integers, as in ``x.permute(1, 0)``; a `Key` is a tuple. Rules have to be
written in the vocabulary of `xp`, because they run on plain arrays and, when gradients are themselves differentiated,
on tensors.
"""

from __future__ import annotations

import functools
import math
import sys
from collections.abc import Callable
from typing import Any, TypedDict, Unpack

import numpy

from adjoint._core import modes
from adjoint._core.modes import SPECIAL
from adjoint._core.signature import Shown, attach_doc, signature_of
from adjoint._dispatch import operator as signatures
from adjoint._dispatch.dispatch import dispatch
from adjoint._dispatch.fast.forward import make_function
from adjoint._dispatch.inplace import make_in_place
from adjoint._dispatch.operator import ALIASES, MANY, Elementwise, Operator, Over
from adjoint._dispatch.out import with_out, write_out
from adjoint._dispatch.override import find_interceptors, intercept
from adjoint._dispatch.table import alias as alias
from adjoint._dispatch.table import composites, in_place_functions, load_part, methods, table
from adjoint._dispatch.table import tensor_method as tensor_method

np: Any = numpy

Array = Any
Arrays = Any
Mask = Any
Ints = Any
Key = Any
Function = Callable[..., Any]

over = Over


class Options(TypedDict, total=False):
    """What the declarations of all kinds may say.

    promotes: "float" (integers become the default dtype), "same" (only brought to a common dtype) or "none".
    in_place: whether there is a variant ``name_``, as a function and as a method; elementwise operators have one.
    method: whether it is a method of Tensor; or the function or property that is the method instead.
    node_name: the node's class name if it does not follow from the name.
    node_names: ``(arguments) -> name`` for nodes named after the form of the call, None where it is `node_name`; or the
        name that nodes have where `dim` is given.
    hides: the arguments for which nodes show no edge where they are left out, or a number. A dict, by another name of
        the node, if only nodes of that name do so.
    takes_inplace: whether ``inplace=True``, the last argument, is another way to call the in-place variant.
    raw_vjp: rules in place of those in `vjp` for passes over arrays that record nothing, with the same parameters. Only
        the engine calls them, and they may return a `Selection`.
    last_first: whether nodes show, and the engine serves, the last operand first.
    """

    promotes: str
    in_place: bool
    method: Any
    node_name: str | None
    node_names: str | Callable[[list[Any]], str | None]
    hides: tuple[str, ...] | dict[str, str]
    takes_inplace: bool
    raw_vjp: dict[str, Function]
    last_first: bool


class NamedOptions(Options, total=False):
    """The same with `name`: the public name, if it is not that of the forward."""

    name: str | None


def elementwise(
    name: str | None = None,
    forward: str | Function | None = None,
    *,
    d: Any,
    vjp: dict[str, Function] | None = None,
    jvp: dict[str, Function] | None = None,
    complex: str = "yes",
    booleans: str = "yes",
    numbers: str = "weak",
    kernel: str | None = None,
    doc: str = "",
    number_nodes: dict[str, str] | None = None,
    overloads: tuple[Function, str] | None = None,
    **options: Unpack[Options],
) -> Any:
    """Declare an operator that works on each element by itself.

    Args:
        name: the public name; left out when used as a decorator, which takes the function's name.
        forward: the function ``(xp, ...)``, or the name of the namespace's function (default: `name`).
        d: the local derivative, or a dict of one for each tensor argument; a number if it is constant; ``over(f)`` if
            gradients are to be divided by f. One that names `g` gives g times the derivative itself, which suits real
            operators that pass a gradient on or block it.
        vjp, jvp: rules in place of those that follow from `d`.
        complex: "yes"; "slow" if complex operands need the general path, because the result is real; or "no".
        booleans: "yes"; "beside numbers", if operands must not all be booleans; or "no".
        numbers: "weak" if Python numbers reach the forward and the rules as they are, "arrays" if as 0-dim arrays.
        kernel: the NumPy function that does the same as the forward for floating point operands.
        doc: one line, for functions without a docstring.
        number_nodes: by which names nodes go where the argument of that name is a Python number.
        overloads: the public function that becomes this operator when the given keyword is used.
        options: see `Options`; here `promotes` is "float" and `in_place` True unless given.
    """

    def declare(function: Function) -> Function:
        slopes: dict[str, Any] = d if isinstance(d, dict) else {"input": d}  # pyright: ignore[reportUnknownVariableType]
        rules: dict[str, Any] = {key: Elementwise(slope) for key, slope in slopes.items()}
        own: NamedOptions = {"promotes": "float", "in_place": True, "name": name, **options}
        if overloads is not None:
            own["name"] = overloads[0].operator.name  # type: ignore[attr-defined]
        if kernel is not None:
            function.namespace_name = kernel  # type: ignore[attr-defined]
        operator = _make_operator(
            function,
            own,
            vjp=rules | vjp if vjp else rules,
            jvp=rules | jvp if jvp else dict(rules),
            kind="elementwise",
            doc=doc,
        )
        operator.takes_complex = complex != "no"
        operator.fast_complex = complex == "yes"
        operator.booleans = booleans
        operator.wraps_numbers = numbers == "arrays"
        if number_nodes is not None:
            signatures.name_by_numbers(operator, number_nodes)
        if overloads is not None:
            return _publish_overload(operator, *overloads)
        if name is not None:
            operator.declared_at = _find_statement(sys._getframe(2))  # pyright: ignore[reportPrivateUsage]
        return _publish(operator, own)

    if name is None:
        return declare
    if callable(forward):
        return declare(forward)
    return declare(_namespace_function(forward or name, 2 if isinstance(d, dict) else 1))


def _find_statement(frame: Any) -> tuple[str, int]:
    """The file and line of the declaration, which may be in a function that makes several of a kind."""
    while frame.f_code.co_name != "<module>" and frame.f_back.f_globals is frame.f_globals:
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def _make_operator(forward: Function, options: NamedOptions, **rules: Any) -> Operator:
    """The row of the table, as far as all kinds of operators have it in common."""
    operator = Operator(
        options.get("name") or forward.__name__,
        forward,
        promotes=options.get("promotes", "none"),
        node_name=options.get("node_name"),
        **rules,
    )
    operator.serves_last_first = options.get("last_first", False)
    operator.takes_inplace = options.get("takes_inplace", False)
    operator.raw_vjps = options.get("raw_vjp", {})
    operator.hides = hides = options.get("hides", ())
    choose = options.get("node_names")
    if choose is not None:
        signatures.name_by_form(operator, choose, hides if isinstance(hides, dict) else {})
    return operator


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


def linear(transpose: Function, **options: Unpack[NamedOptions]) -> Callable[[Function], Function]:
    """Declare an operator that is linear in its tensor argument (or list of them).

    Args:
        transpose: the vjp rule; it may use `g`, parameters and `<input>_spec`.
        options: see `NamedOptions`.
    """

    def declare(forward: Function) -> Function:
        argument = signatures.Signature(forward).names[1]
        return _publish(_make_operator(forward, options, vjp={argument: transpose}, kind="linear"), options)

    return declare


def multilinear(
    *,
    name: str | None = None,
    promotes: str = "same",
    in_place: bool = False,
    method: bool = True,
    node_name: str | None = None,
    kernel: Any = None,
    chooses: Function | None = None,
    **transposes: Function,
) -> Callable[[Function], Function]:
    """Declare an operator that is linear in each of several arguments: a transpose for each, by its name.

    Args:
        kernel: the NumPy function that does the same as the forward for operands of the ranks it is meant for.
        chooses: from the operands of a call to the operator that does it, this one or another.
    """

    def declare(forward: Function) -> Function:
        options: NamedOptions = {"promotes": promotes, "in_place": in_place, "method": method}
        if name is not None:
            options["name"] = name
        if node_name is not None:
            options["node_name"] = node_name
        operator = _make_operator(forward, options, vjp=dict(transposes), kind="linear")
        operator.kernel, operator.chooses = kernel, chooses
        return _publish(operator, options)

    return declare


def view(
    transpose: Function,
    *,
    scatter: Function | None = None,
    selects: bool | None = None,
    overlaps: bool = False,
    shows: Function | None = None,
    always_shares: bool = False,
    jvp: Function | None = None,
    differentiable: bool = True,
    raw: Function | None = None,
    replay: Function | None = None,
    **options: Unpack[NamedOptions],
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
        jvp: the rule for tangents, if it is not the operator itself.
        differentiable: False if it is a step between memory and a view of it, and never recorded.
        raw: ``(array, parameters)``, a faster way to run the forward on the base's array.
        replay: ``(tensor, parameters)``, how to take the view of another tensor, if that is not the operator itself.
        options: see `NamedOptions`.
    """

    def declare(forward: Function) -> Function:
        kind = "linear" if jvp is None else "general"
        rules: dict[str, Any] = {"vjp": {"input": transpose}, "jvp": None if jvp is None else {"input": jvp}}
        operator = _make_operator(forward, options, kind=kind, differentiable=int(differentiable), **rules)
        operator.is_view = True
        operator.shows = shows
        operator.selects = scatter is None if selects is None else selects
        operator.overlaps = overlaps
        operator.always_shares = always_shares
        operator.scatter = scatter or functools.partial(_scatter_by_positions, operator)
        if raw is not None:
            operator.raw = raw  # type: ignore[method-assign]
        if replay is not None:
            operator.replay = replay  # type: ignore[method-assign]
        return _publish(operator, options)

    return declare


def views(transpose: Function, parts: Function, **options: Unpack[NamedOptions]) -> Callable[[Function], Function]:
    """Declare an operator that returns several views of its first argument, like `split`.

    Args:
        transpose: the vjp rule; its `g` is a list with None where an output was not used.
        parts: ``(input, **parameters)`` gives for each output the step that makes it alone: a view operator, and a
            tuple of its parameters.
        options: see `NamedOptions`.
    """

    def declare(forward: Function) -> Function:
        operator = _make_operator(forward, options, vjp={"input": transpose}, outputs=MANY, kind="linear")
        operator.is_view = operator.always_shares = True
        operator.parts = parts
        return _publish(operator, options)

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
    outputs: int = 1,
    differentiable: int | None = None,
    reads: tuple[int, ...] | None = None,
    returns: Any = tuple,
    **options: Unpack[NamedOptions],
) -> Callable[[Function], Function]:
    """Declare an operator by its rules.

    Args:
        vjp: a rule for each differentiable argument.
        jvp: the same for tangents `t`; the contributions of the arguments are added. Left out, it is derived from
            the vjp, which then has to be written in differentiable operators.
        outputs: how many results the forward returns; the first `differentiable` of them have gradients.
        reads: which of several outputs the rules read (``out[1]``), if not all; the others are not saved.
        returns: the named tuple type of several results.
        options: see `NamedOptions`.
    """

    def declare(forward: Function) -> Function:
        rules: dict[str, Any] = {"vjp": dict(vjp), "jvp": None if jvp is None else dict(jvp)}
        operator = _make_operator(forward, options, outputs=outputs, differentiable=differentiable, **rules)
        operator.reads = reads
        operator.returns = returns
        return _publish(operator, options)

    return declare


def constant(
    forward: Function | None = None,
    *,
    complex: str = "yes",
    booleans: str = "yes",
    numbers: str = "weak",
    outputs: int = 1,
    returns: Any = tuple,
    **options: Unpack[NamedOptions],
) -> Any:
    """Declare an operator that has no derivative: comparisons, indices, counts. See `elementwise` for the options."""

    def declare(function: Function) -> Function:
        # written in place, the tensor that is overwritten has lost its influence
        vjp = {"input": Elementwise(0)} if options.get("in_place") else {}
        rules: dict[str, Any] = {"vjp": vjp, "jvp": {"input": Elementwise(0)}, "differentiable": 0}
        operator = _make_operator(function, options, outputs=outputs, kind="constant", **rules)
        operator.takes_complex = complex != "no"
        operator.booleans = booleans
        operator.wraps_numbers = numbers == "arrays"
        operator.returns = returns
        return _publish(operator, options)

    return declare if forward is None else declare(forward)


def random(
    *, of: tuple[str, ...] = ("input",), refuses_derivative: bool = False, **options: Unpack[NamedOptions]
) -> Callable[[Function], Operator]:
    """Declare an operator that draws random numbers, with the arguments `of` as parameters, or into the input's place.

    As in PyTorch, drawing is recorded, with zero gradients, or with an error if a gradient arrives. Such an operator is
    in no table, since nothing can be computed twice to be compared; its function is for those that check their
    arguments first.
    """

    def declare(forward: Function) -> Operator:
        gradient, tangent = _zero_gradient, _zero_tangent
        if refuses_derivative:
            gradient, tangent = _refuse_gradient, _refuse_tangent
        rules: dict[str, Any] = {"vjp": dict.fromkeys(of, gradient), "jvp": dict.fromkeys(of, tangent)}
        operator = _make_operator(forward, {"promotes": "same" if len(of) > 1 else "none", **options}, **rules)
        operator.function = lambda *args, **kwargs: dispatch(operator, args, kwargs)
        describe(operator.function, operator, operator.name)
        if options.get("in_place"):
            operator.in_place = describe(make_in_place(operator), operator, operator.name + "_")
            operator.in_place.__doc__ = operator.doc
            methods[operator.name + "_"] = attach_doc(operator.in_place, f"Tensor.{operator.name}_")
        return operator

    return declare


def _refuse_gradient(xp: Any, g: Any) -> Any:
    raise NotImplementedError("random numbers have no derivative by these parameters; detach() them if that is meant")


def _refuse_tangent(xp: Any, t: Any) -> Any:
    return _refuse_gradient(xp, t)


def _zero_gradient(xp: Any, g: Any) -> Any:
    return xp.zeros_like(g)


def _zero_tangent(xp: Any, t: Any) -> Any:
    return xp.zeros_like(t)


def composite(
    function: Function | None = None, *, method: Any = True, name: str | None = None, out: bool = True
) -> Any:
    """Declare an operator that is a function of other operators on tensors.

    Args:
        function: its body.
        method: whether it is a method of Tensor; or the function or property that is the method instead.
        name: the public name, if it is not that of the body.
        out: False if it does not take ``out=``, because it returns no new tensors.
    """

    def declare(body: Function) -> Function:
        own = signatures.Signature(body).names

        @functools.wraps(body)
        def call(*args: Any, **kwargs: Any) -> Any:
            interceptors = find_interceptors(args, kwargs)
            if interceptors:
                return intercept(call, interceptors, args, kwargs)
            if SPECIAL and modes.state().autocast is not None:
                casts = load_part("autocast")
                if casts.has_policy(public, args, kwargs):
                    with casts.cast_operands(public, args, kwargs) as (args, kwargs):
                        return call(*args, **kwargs)
            if kwargs:
                if takes_out and kwargs.get("out") is not None:
                    rest = {key: value for key, value in kwargs.items() if key != "out"}
                    return write_out(public, kwargs["out"], call(*args, **rest), (*args, *rest.values()))
                kwargs = {key if key in own else ALIASES.get(key, key): value for key, value in kwargs.items()}
                if takes_out:
                    kwargs.pop("out", None)
            return body(*args, **kwargs)

        public = name or body.__name__
        takes_out = out and "out" not in own and not public.endswith("_")
        call.__name__ = public
        attach_doc(call, public)
        if takes_out:
            call.__wrapped__ = Shown(body, lambda: with_out(signature_of(body)))  # type: ignore[assignment]
        composites[public] = call
        if method is not False:
            methods[public] = call if method is True else attach_doc(method, f"Tensor.{public}")
        return call

    return declare if function is None else declare(function)


def _publish_overload(operator: Operator, function: Any, keyword: str) -> Function:
    """Let an operator take over the calls of a public function in which a keyword is given."""
    operator.function = function
    function.operator.overloads[keyword] = operator
    return function


def _publish(operator: Operator, options: NamedOptions) -> Function:
    """Make the public function of an operator and put both into their tables."""
    function = make_function(operator)
    name, method = operator.name, options.get("method", True)
    operator.function = describe(function, operator, name)
    table[name] = operator
    if method is not False:
        methods[name] = function if method is True else attach_doc(method, f"Tensor.{name}")
    if options.get("in_place"):
        operator.in_place = in_place_functions[name + "_"] = describe(make_in_place(operator), operator, name + "_")
        if method is not False:
            methods[name + "_"] = operator.in_place
    return function


def describe(function: Any, operator: Operator, name: str) -> Any:
    """Give a function the name, signature and docstring of an operator; its source is that of the declaration."""
    function.__name__ = function.__qualname__ = name
    function.__module__ = "adjoint"
    is_operator = name == operator.name
    function.__doc__ = operator.doc if is_operator else f"In-place version of `{operator.name}`."
    attach_doc(function, name)
    function.__wrapped__ = Shown(operator, lambda: operator.show_signature(in_place=not is_operator))
    function.operator = operator
    return function
