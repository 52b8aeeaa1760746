"""Operators: signature, forward, derivative rules, the values these save, and the node class.

Signatures are read from code objects: `inspect.signature` would take half of the time of `import adjoint`.

Rules are plain functions whose parameter names say what they want:

    xp                the array namespace: the array library's own, or ours when gradients are recorded
    g                 the gradient of the output (a list if several outputs are differentiable); in vjp rules
    t                 the tangent of the input the rule is for; in jvp rules
    out               the output (a list if there are several)
    <input>           a tensor argument; naming it is what saves it
    <input>_spec      its shape, dtype and device only, which saves nothing
    <parameter>       any other argument of the forward
"""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from adjoint._core.graph import ELEMENTWISE, EXACT, HOLDS_TENSORS, PAIR, TRUSTED, Node, PairNode, saved_attributes
from adjoint._dispatch.errors import public_name
from adjoint._dispatch.out import with_out
from adjoint._dispatch.table import load_part
from adjoint.arrays import namespace_of

EMPTY: Any = inspect.Parameter.empty

_POSITIONAL, _KEYWORD = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY

_TENSORS = ("Array", "Arrays", "Mask")

_NUMBERS = frozenset(
    "alpha atol beta correction delta eps lambd max max_val maxnorm min min_val nan negative_slope neginf ord p posinf "
    "rtol threshold value".split()
)
"""Parameters that are one number each, which takes no part in type promotion."""


class Signature:
    """The parameters of a function without ``*args``; the first `positional` of them may be given by position."""

    __slots__ = ("annotations", "defaults", "names", "positional")

    def __init__(self, function: Callable[..., Any], skip: int = 0) -> None:
        code: Any = function.__code__
        count = code.co_argcount
        names = code.co_varnames[skip : count + code.co_kwonlyargcount]
        given = function.__defaults__ or ()  # type: ignore[attr-defined]
        defaults = (EMPTY,) * (count - skip - len(given)) + given
        if code.co_kwonlyargcount:
            keywords = function.__kwdefaults__ or {}  # type: ignore[attr-defined]
            defaults += tuple([keywords.get(name, EMPTY) for name in names[count - skip :]])
        notes = function.__annotations__
        self.names: tuple[str, ...] = names
        self.defaults: tuple[Any, ...] = defaults
        self.annotations: tuple[str, ...] = tuple([str(notes.get(name, "")) for name in names] if notes else ())
        self.positional: int = count - skip


class Roles:
    """Which parameters of an operator's forward are tensors, a list of them, or collect trailing integers."""

    def __init__(self, names: tuple[str, ...], annotations: tuple[str, ...]) -> None:
        notes = dict(zip(names, annotations or ("",) * len(names)))
        self.index = {name: place for place, name in enumerate(names)}
        self.tensors = tuple(
            [n for n, note in notes.items() if n in ("input", "other") or note.split(" |")[0] in _TENSORS]
        )
        self.tensor_positions = tuple([self.index[n] for n in self.tensors])
        self.promoted_positions = tuple([self.index[n] for n in self.tensors if notes[n] != "Mask"])
        self.number_positions = tuple([self.index[n] for n in names if n in _NUMBERS and n not in self.tensors])
        self.listed: str | None = next((n for n, note in notes.items() if note == "Arrays"), None)
        self.keys = tuple([n for n, note in notes.items() if note == "Key"])
        self.collects: str | None = next((n for n, note in notes.items() if note == "Ints"), None)


roles_of = functools.cache(Roles)
"""The roles of parameters with these names and annotations; most operators share them with many others."""

ALIASES = {
    "axis": "dim", "keepdims": "keepdim", "axes": "dims", "correction": "correction", "x": "input", "self": "input",
    "exponent": "other", "split_size": "split_size_or_sections", "tensor": "input",
}  # fmt: skip
"""Other spellings of parameter names: NumPy's and the array API's."""

IGNORED = frozenset(["_stacklevel"])
"""Keywords of PyTorch's that have no meaning here: where a warning of `softmax` points to."""

MANY = 1000
"""The number of outputs of an operator that returns as many as it likes, like `split`."""


def copy_list(value: list[Any]) -> list[Any]:
    """Copy a list of dimensions or sizes for a graph: the caller may change the list later."""
    return [copy_list(item) if type(item) is list else item for item in value]


class Operator:
    """One row of the operator table.

    Attributes:
        name: the public name.
        outputs: how many results the forward returns; MANY if that depends on the arguments.
        forward: computes on arrays: ``forward(xp, *arguments)``.
        parameters: the names of the arguments; `tensors` are those that are tensors, `listed` one that is a list.
        promotes: "same", "float" or "none": what happens to dtypes before the forward.
        constants: those of the tensors by which it is not differentiated, though it is by others.
        saves: the names that rules use, in the order in which a node keeps them.
        reads: the numbers of the outputs that rules read, ``out[1]`` for instance; None if all of several.
        vjps, jvps: a rule for each differentiable argument; `raw_vjps` for some of them, which the engine prefers
            in a pass over arrays, and `graph_vjps` in a pass that is recorded.
        function: the public function.
        node_class: the class of its nodes.
        kernel: the NumPy function that does the same as the forward, if one was named.
        chooses: from the operands to the operator that does a call, where that is not always this one.
        overloads: the operators that take over when a keyword, by which they are found, is given.
        takes_complex: whether operands may be complex; fast_complex: and whether its fast path may see them.
        wraps_numbers: whether Python numbers among the operands become 0-dim arrays before the forward.
        takes_inplace: whether ``inplace=True`` is another way to call the in-place variant.
        serves_last_first: whether nodes show, and the engine serves, the last operand first: of several new leaves,
            the one that is resolved last is the newest.
        hides: the arguments for which nodes, under the declared name, show no edge where they are left out.
        where: the file and line of the declaration.
    """

    def __init__(
        self,
        name: str,
        forward: Callable[..., Any],
        *,
        vjp: dict[str, Any],
        jvp: dict[str, Any] | None = None,
        promotes: str = "none",
        outputs: int = 1,
        differentiable: int | None = None,
        kind: str = "general",
        node_name: str | None = None,
        doc: str = "",
    ) -> None:
        self.name = name
        self.forward = forward
        self.kind = kind
        self.promotes = promotes
        self.outputs = outputs
        self.differentiable = (outputs if vjp else 0) if differentiable is None else differentiable
        self.parts: Callable[..., Any] | None = (
            None  # of a view operator with several outputs: a chain of one step for each
        )
        self.doc: str = forward.__doc__ or doc
        self._read_signature(forward)
        self.vjps = vjp
        self.jvps = jvp
        unknown = [key for key in vjp if key not in self.tensors]
        if unknown:
            raise TypeError(
                f"operator {name!r} has rules for {unknown}, which are not among its tensors {self.tensors}"
            )
        self.saves: tuple[str, ...] = self._names_used(vjp.values())
        self.edge_names = tuple([key for key in self.tensors if key in vjp])
        self.edge_positions = tuple([self.index[key] for key in self.edge_names])
        self.constants = tuple([key for key in self.tensors if key not in vjp]) if self.differentiable else ()
        self.differentiates_list = self.listed is not None and self.listed in vjp
        self.function: Callable[..., Any] = forward  # replaced by the declaration
        self.node_name = node_name
        self.choose_node: Callable[[list[Any]], Any] | None = None  # for nodes named after the form of the call
        self.number_node: Any = None  # the same for the fast path with a number as the second operand
        self.is_view = False
        self.always_shares = False
        self.shows: Callable[[Any, Any], bool] | None = None  # whether a view's result shows its parent's memory
        self.selects = False  # a view that shows elements as they are, each at most once unless it `overlaps`
        self.overlaps = False
        self.scatter: Callable[..., Any] | None = None
        self.returns: Any = tuple
        self.reads: tuple[int, ...] | None = None
        self.in_place: Callable[..., Any] | None = None
        self.kernel: Callable[..., Any] | None = None
        self.chooses: Callable[..., Operator] | None = None
        self.overloads: dict[str, Operator] = {}
        self.takes_complex = True
        self.booleans = "yes"  # whether operands may be: "yes", "no", or "beside numbers" but not all of them
        self.fast_complex = True
        self.wraps_numbers = False
        self.takes_inplace = False
        self.raw_vjps: dict[str, Any] = {}
        self.graph_vjps: dict[str, Any] = {}
        self.serves_last_first = False
        self.hides: tuple[str, ...] | dict[str, str] = ()
        self.declared_at: tuple[str, int] | None = None  # file and line, if it is not that of the forward

    def _read_signature(self, forward: Callable[..., Any]) -> None:
        self.signature = Signature(forward, skip=1)
        self.parameters = self.signature.names
        self.defaults = self.signature.defaults
        self.positional = self.signature.positional
        roles = roles_of(self.parameters, self.signature.annotations)
        self.index = roles.index
        self.listed = roles.listed
        self.tensors = roles.tensors
        self.tensor_positions = roles.tensor_positions
        self.promoted_positions = roles.promoted_positions
        self.number_positions = roles.number_positions
        self.collects = roles.collects
        self.keys = roles.keys
        self.keyword_only = self.parameters[self.positional :]
        lacking = [place for place, default in enumerate(self.defaults) if default is EMPTY]
        self.required = lacking[-1] + 1 if lacking else 0  # how many arguments a call without keywords has at least

    def _names_used(self, rules: Any) -> tuple[str, ...]:
        used: list[str] = []
        for rule in rules:
            for name in rule_parameters(rule):
                if name not in ("xp", "g", "t") and name not in used:
                    used.append(name)
        wrong = [name for name in used if not self._is_known(name)]
        if wrong:
            known = [*self.parameters, "out", *(f"{name}_spec" for name in self.tensors)]
            raise TypeError(f"rules of operator {self.name!r} use {wrong}; they may use xp, g, t and {known}")
        return tuple(used)

    @functools.cached_property
    def node_class(self) -> type[OperatorNode]:
        """Node class, made on first use because creating classes is slow."""
        return _make_node_class(self, self.node_name)

    @property
    def has_pairs(self) -> bool:
        """Whether nodes are `PairNode`s."""
        return not self.differentiates_list and len(self.edge_names) <= 2 and len(self.saves) <= 2

    @property
    def title(self) -> str:
        """The name that messages use."""
        return public_name(self.name)

    @property
    def takes_out(self) -> bool:
        """Whether the function takes ``out=``: not if it returns views, or as many results as it likes."""
        return not self.is_view and self.outputs < MANY

    def show_signature(self, in_place: bool = False) -> inspect.Signature:
        """The signature of the function, or of the in-place variant, as `help` shows it."""
        own = self.signature
        kinds = [_POSITIONAL if place < own.positional else _KEYWORD for place in range(len(own.names))]
        parts = [inspect.Parameter(*part[:2], default=part[2]) for part in zip(own.names, kinds, own.defaults)]
        if self.takes_inplace and not in_place:
            parts.append(inspect.Parameter("inplace", _POSITIONAL, default=False))
        parts += [inspect.Parameter(keyword, _KEYWORD, default=None) for keyword in self.overloads]
        signature = inspect.Signature(sorted(parts, key=lambda part: part.kind))
        return with_out(signature) if self.takes_out and not in_place else signature

    @property
    def where(self) -> str:
        """The file and line of the declaration."""
        code: Any = inspect.unwrap(self.forward).__code__
        file, line = self.declared_at or (code.co_filename, code.co_firstlineno)
        return f"{file}:{line}"

    @property
    def __wrapped__(self) -> Any:
        """Object whose source `inspect.getsource` shows for the public function."""
        return self.forward if self.declared_at is None else _statement_at(*self.declared_at)

    def may_lack(self, position: int) -> bool:
        """Whether an operand may be None. General operators check that themselves."""
        return self.kind == "general" or self.defaults[position] is not inspect.Parameter.empty

    def _is_known(self, name: str) -> bool:
        return name in self.index or name == "out" or (name.endswith("_spec") and name[:-5] in self.tensors)

    @functools.cached_property
    def _masks(self) -> dict[str, frozenset[int]]:
        return {key: self._mask(rule) for key, rule in self.vjps.items()}

    def _mask(self, rule: Any) -> frozenset[int]:
        return frozenset(self.saves.index(name) for name in rule_parameters(rule) if name in self.saves)

    def needed_entries(self, edges: Sequence[Any]) -> frozenset[int]:
        """Entries of `saves` that the rules for these edges need."""
        if self.differentiates_list:
            return frozenset(range(len(self.saves)))
        masks = [self._masks[name] for name, edge in zip(self.edge_names, edges) if edge is not None]
        return masks[0] if len(masks) == 1 else frozenset().union(*masks)

    @functools.cached_property
    def keeps(self) -> Any:
        """Of an operator of two operands, which a node saves: by whether there is an edge to the first, the second."""
        found = [[(False, False), (False, False)], [(False, False), (False, False)]]
        for left, right in ((0, 1), (1, 0), (1, 1)):
            names = [self.saves[place] for place in self.needed_entries((left or None, right or None))]
            found[left][right] = ("input" in names, "other" in names)
        return found

    def raw(self, array: Any, params: dict[str, Any]) -> Any:
        """Run the forward of a view operator on its base's array."""
        return self.forward(namespace_of(array), array, **params)

    def replay(self, tensor: Any, params: dict[str, Any]) -> Any:
        """Apply a view operator to another tensor."""
        return self.function(tensor, **params)

    def scatter_raw(self, base: Any, value: Any, params: dict[str, Any]) -> Any:
        """Replace the viewed part of a view operator's base."""
        assert self.scatter is not None
        return self.scatter(namespace_of(base), base, value, **params)

    def pack_outputs(self, outputs: list[Any]) -> Any:
        """Pack several outputs into the tuple returned to the caller."""
        return tuple(outputs) if self.returns is tuple else self.returns(*outputs)

    def shares(self, parent: Any, result: Any) -> bool:
        """Whether a view operator's result does show its parent's memory (a reshape may have had to copy)."""
        if self.always_shares:
            return True
        if self.shows is not None:
            return self.shows(parent, result)
        namespace = parent._spec.namespace
        return not namespace.has_views or namespace.shares_memory(parent._array, result._array)

    def __repr__(self) -> str:
        return f"<operator {self.name}>"


class OperatorNode(Node):
    """A node made from an operator's declaration. Its methods are written out when the first one runs."""

    __slots__ = ()
    operator: Operator

    def backward_raw(self, grad: Any, needed: Any = None) -> Sequence[Any]:
        self._compile()
        return self.backward_raw(grad, needed)

    def backward_graph(self, grad: Any, needed: Any = None) -> Sequence[Any]:
        self._compile()
        return self.backward_graph(grad, needed)

    def _compile(self) -> None:
        load_part("fast.backward").compile_backward(self.operator)


def _statement_at(file: str, line: int) -> Any:
    """The statement at a line of a file, as something whose source `inspect` shows as it is.

    In the file itself it would look for a `def`. So it is given a module of which the statement is all, and which is
    called ``file:line``.
    """
    lines = linecache.getlines(file)
    body = ast.parse("".join(lines)).body
    first, last = next((one.lineno, one.end_lineno) for one in body if one.lineno <= line <= (one.end_lineno or 0))
    name, source = f"{file}:{first}", lines[first - 1 : last]
    linecache.cache[name] = (0, None, source, name)
    module = ModuleType(name)
    module.__file__ = name
    return module


def _make_node_class(operator: Operator, node_name: str | None) -> type[OperatorNode]:
    name = node_name or "".join(part.capitalize() for part in operator.name.split("_")) + "Backward0"
    outputs: dict[str, int] = {}
    if "out" in operator.saves:
        fields: Any = getattr(operator.returns, "_fields", ())
        outputs = {field: i for i, field in enumerate(fields) if operator.reads is None or i in operator.reads}
    return type(
        name,
        (OperatorNode, PairNode) if operator.has_pairs else (OperatorNode,),
        {
            "__slots__": (),
            "__module__": "adjoint.autograd.graph",
            "operator": operator,
            "saved_names": operator.saves,
            "edge_count": len(operator.edge_names),
            "hidden": () if isinstance(operator.hides, dict) else tuple(map(operator.edge_names.index, operator.hides)),
            "shows_last_first": operator.serves_last_first,
            "kind": _kind(operator),
            "output_names": outputs,
            **saved_attributes(operator.saves, [*outputs]),
        },
    )


def _kind(operator: Operator) -> int:
    """Flags that tell the engine what it may assume of the operator's nodes."""
    holds = any(name == "out" or name in operator.tensors for name in operator.saves)
    kind = (ELEMENTWISE if operator.kind == "elementwise" else 0) | (HOLDS_TENSORS if holds else 0)
    if all(isinstance(rule, Elementwise) and rule.is_exact for rule in operator.vjps.values()):
        kind |= EXACT
    if not operator.differentiates_list:
        kind |= TRUSTED
    return kind | PAIR if operator.has_pairs else kind


# ---- node names that depend on the form of a call: `x.sum()` records SumBackward0, `x.sum(0)` SumBackward1 -----------


def name_by_form(operator: Operator, choose: str | Callable[[list[Any]], str | None], hides: dict[str, str]) -> None:
    """Give the nodes of an operator other names.

    Args:
        choose: from the bound arguments to the node's name, None if it is the declared one; or the name that nodes have
            where `dim` is given.
        hides: for names under which nodes show no edge for an argument that is left out, or a number: which that is.
    """
    if isinstance(choose, str):
        name, place = choose, operator.index["dim"]
        choose = lambda values: None if values[place] is None else name
    made: dict[Any, Any] = {}

    def choose_node(values: list[Any]) -> Any:
        name: Any = choose(values)
        found = made.get(name)
        if found is None:
            declared = operator.node_class
            hidden = (operator.edge_names.index(hides[name]),) if name in hides else ()
            found = declared if name in (None, declared.__name__) else _subclass(declared, str(name), hidden)
            made[name] = found
        return found

    operator.choose_node = choose_node


def name_by_numbers(operator: Operator, names: dict[str, str]) -> None:
    """Give the nodes of an operator other names where an operand, the key, is a Python number."""
    declared = operator.node_class
    kinds: dict[int, Any] = {}
    for key, name in names.items():
        hidden = tuple([operator.edge_names.index(other) for other in names if names[other] == name])
        kinds[operator.index[key]] = _subclass(declared, name, hidden)
    operator.number_node = kinds.get(1)
    operator.choose_node = lambda values: next(
        (kind for place, kind in kinds.items() if isinstance(values[place], (bool, int, float, complex))), declared
    )


def _subclass(declared: Any, name: str, hidden: tuple[int, ...]) -> Any:
    """The same node under another name. What it does is compiled onto the declared class when the first one runs."""
    return type(name, (declared,), {"__slots__": (), "__module__": declared.__module__, "hidden": hidden})


# ---- rules -----------------------------------------------------------------------------------------------------------


def rule_parameters(rule: Any) -> tuple[str, ...]:
    """Parameter names of a rule."""
    uses = getattr(rule, "uses", None)
    if uses is not None:
        return uses
    code = rule.__code__
    return code.co_varnames[: code.co_argcount]


class Over:
    """Local derivative given by its reciprocal: gradients are divided by the function's value."""

    def __init__(self, divisor: Callable[..., Any]) -> None:
        self.divisor = divisor


class Elementwise:
    """Stands for the rules that follow from a local derivative d: vjp = g * conj(d), jvp = t * d.

    Attributes:
        derivative: the function that gives d, the name of what is d itself, or a number.
        divides: the function gives 1 / d.
        applied: the function takes `g` and gives g * d itself; for operators of real numbers that pass gradients on or
            block them, where 0 * inf shall be 0.
        uses: the names of what the function wants.
        is_plain: gradients are multiplied by something saved or by a number, as it is.
        is_exact: and have the same dtype afterwards, whatever it was.
    """

    def __init__(self, derivative: Any) -> None:
        self.divides = isinstance(derivative, Over)
        self.derivative = derivative.divisor if self.divides else derivative
        self.uses: tuple[str, ...] = _names_in(self.derivative)
        self.applied = "g" in self.uses
        self.is_plain = isinstance(self.derivative, (str, int, float))
        # other numbers are not: beside bfloat16, which is not NumPy's own, it does not take them for weak
        self.is_exact = self.is_plain and (isinstance(self.derivative, str) or self.derivative in (0, 1, -1))


def _names_in(derivative: Any) -> tuple[str, ...]:
    if isinstance(derivative, str):
        return (derivative,)
    return () if isinstance(derivative, (int, float)) else rule_parameters(derivative)


def run_rule(rule: Any, xp: Any, given: Any, known: dict[str, Any]) -> Any:
    """Apply a rule to a gradient or tangent by looking up each of its parameters; for where speed does not matter."""
    names = {"xp": xp, "g": given, "t": given} | known
    if not isinstance(rule, Elementwise):
        return rule(*(names[name] for name in rule_parameters(rule)))
    d = rule.derivative
    if isinstance(d, str):
        value = names[d]
    else:
        value = d if isinstance(d, (int, float)) else d(*(names[name] for name in rule.uses))
    if rule.applied:
        return value
    return given / value if rule.divides else given * value
