"""The ctx of a custom Function: what `forward` saves for its derivative rules, and how they read it.

See also Note [Node and context] in `_core/function/node.py`.

Note [Attributes that are tensors]
Arguments and outputs are kept by ``ctx.x = x`` as often as by `save_for_backward`. Under a transform, forward sees
other tensors than those that are differentiated, so attributes have to be replaced just like saved tensors: otherwise
they would be constants, and second derivatives would be silently wrong. Tensors inside lists, tuples and dictionaries
are replaced as well; those inside other objects are not found.
"""

from __future__ import annotations

import copy
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from adjoint._core.function.rules import map_tensors, tensors_in
from adjoint._core.graph import Node, RemovableHandle, released_error
from adjoint._core.saved.saved import SavedTensor, unpack_graph
from adjoint._core.tensor import Tensor, without_history

Place = tuple[str, int]
"""Kind (``"argument"`` or ``"output"``) and index of a tensor. See `vmap.Record` for other kinds."""

CTX_LISTS = ("to_save", "saved_for_forward", "dirty_tensors", "non_differentiable")
"""The attributes in which the methods of a ctx store their arguments."""

_INTERNAL = frozenset(
    (
        *CTX_LISTS,
        "_node",
        "_live",
        "needs_input_grad",
        "_arguments",
        "_are_tensors",
        "_lower_edges",
        "_shown",
        "_places",
        "_names",
        "_differentiable",
    )
)


def attributes_of(ctx: Any) -> dict[str, Any]:
    """Return the attributes that forward and setup_context have set on a ctx."""
    return {name: value for name, value in ctx.__dict__.items() if name not in _INTERNAL}


def replace_tensors(value: Any, known: Mapping[int, Any]) -> Any:
    """Replace tensors inside an attribute by those in `known`, a mapping by identity."""
    if not any(id(tensor) in known for tensor in tensors_in(value)):
        return value

    def other(tensor: Tensor) -> Any:
        return known.get(id(tensor), tensor)

    return map_tensors(other, value)


def replace_attributes(ctx: Any, known: Mapping[int, Any]) -> None:
    """Replace tensors inside all attributes of a ctx, see `replace_tensors`."""
    for name, value in attributes_of(ctx).items():
        ctx.__dict__[name] = replace_tensors(value, known)


def places_of(args: Sequence[Any], outputs: Sequence[Any]) -> dict[int, Place]:
    """Map the identity of each argument and output to its place."""
    places: dict[int, Place] = {id(value): ("argument", i) for i, value in enumerate(args) if isinstance(value, Tensor)}
    for i, value in enumerate(outputs):
        if isinstance(value, Tensor):
            places.setdefault(id(value), ("output", i))
    return places


def note_places(ctx: Any, places: Mapping[int, Place]) -> list[Place]:
    """Remember which arguments and outputs the attributes of a ctx hold; returns each of these places once."""
    found = {id(one): places[id(one)] for one in tensors_in(attributes_of(ctx)) if id(one) in places}
    ctx._places = found
    return list(dict.fromkeys(found.values()))


def fill_places(ctx: Any, tensors: Mapping[Place, Any]) -> None:
    """Replace the arguments and outputs among the attributes of a ctx by the given tensors."""
    replace_attributes(ctx, {identity: tensors[place] for identity, place in ctx._places.items() if place in tensors})


def are_alike(a: Any, b: Any, places_a: Mapping[int, Place], places_b: Mapping[int, Place]) -> bool:
    """Test whether attributes of two calls are equal: equal values, or the same argument or output of each call."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, Tensor):
        return id(a) in places_a and places_a[id(a)] == places_b.get(id(b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(are_alike(a[key], b[key], places_a, places_b) for key in a)  # pyright: ignore
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(are_alike(x, y, places_a, places_b) for x, y in zip(a, b))  # pyright: ignore
    return isinstance(a, (bool, int, float, complex, str, bytes, slice, range)) and a == b


def merge_contexts(contexts: list[Any]) -> Any:
    """Merge the contexts of per-sample calls: attributes that are the same in all of them are kept."""
    first, *others = contexts
    result = copy.copy(first)
    for name, value in first.__dict__.items():
        values = [other.__dict__.get(name) for other in others]
        if hasattr(value, "merged"):
            result.__dict__[name] = value.merged(values)
        elif name == "_places":
            continue
        elif not all(are_alike(value, one, first._places, other._places) for one, other in zip(values, others)):
            del result.__dict__[name]
    result._samples = contexts
    return result


def index_by_place(args: Sequence[Any], outputs: Sequence[Any], others: Sequence[Any] = ()) -> dict[Place, Any]:
    """Index arguments, outputs and other tensors by place."""
    kinds = (("argument", args), ("output", outputs), ("other", others))
    return {(kind, number): value for kind, values in kinds for number, value in enumerate(values)}


class FunctionCtx:
    """Methods of a ctx for `forward` and `setup_context`; any attributes can be set as well."""

    to_save: tuple[Any, ...] | None = None
    saved_for_forward: tuple[Any, ...] | None = None
    dirty_tensors: tuple[Any, ...] | None = None
    non_differentiable: tuple[Any, ...] | None = None
    materialize_grads: bool = True
    _materialize_non_diff_grads: bool = True  # False: None instead of zeros for outputs that are not differentiable

    if TYPE_CHECKING:  # read by the rules
        needs_input_grad: tuple[bool, ...]

        @property
        def saved_tensors(self) -> tuple[Tensor, ...]: ...
        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Save tensors for `backward`, which reads them from ``ctx.saved_tensors``. To be called at most once.

        Inputs, outputs and intermediate results can be saved. If one is modified in place before it is used, the
        backward pass raises an error. Second derivatives see inputs and outputs with their history; an intermediate
        result has none, so return it as a further output if second derivatives have to pass through it.

        Args:
            tensors: the tensors; None is kept as None.
        """
        self.to_save = tensors

    def save_for_forward(self, *tensors: Tensor | None) -> None:
        """Save tensors for `jvp`, which reads them from ``ctx.saved_tensors``. To be called at most once.

        Args:
            tensors: the tensors; None is kept as None.
        """
        self.saved_for_forward = tensors

    def mark_dirty(self, *args: Tensor) -> None:
        """Mark inputs that `forward` has modified in place. Each of them has to be returned, too.

        Args:
            args: the inputs.
        """
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args: Tensor) -> None:
        """Mark outputs that have no derivative. `backward` still gets a gradient for each of them: zeros.

        Args:
            args: the outputs. Those that are not floating point or complex need not be marked.
        """
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Set whether `backward` and `jvp` get zeros (the default) or None for a missing gradient or tangent.

        Args:
            value: True for zeros.
        """
        if not isinstance(value, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"set_materialize_grads() takes True or False, not {value!r:.80}")
        self.materialize_grads = value

    def mark_shared_storage(self, *pairs: Any) -> NoReturn:
        """Raise: removed, because shared memory is tracked without it."""
        raise RuntimeError(
            "mark_shared_storage() is not needed: tensors that share memory are tracked in any case. Mark inputs that "
            "forward changes in place by mark_dirty()."
        )


WITHOUT_HISTORY: tuple[Any, ...] = ("without history",)
"""Value of `BackwardCFunction._live`: saved tensors are returned without the history of their level."""


class BackwardCFunction(FunctionCtx):
    """The context of one call. Attributes of its node in the graph can be read here as well."""

    needs_input_grad: tuple[bool, ...] = ()
    _node: weakref.ref[Node] | None = None
    _shown: tuple[Any, ...] = ()  # version counters of constants that forward has returned views of
    _names: tuple[str, ...] = ()  # names of the last arguments, passed by keyword
    _differentiable: tuple[bool, ...] | None = None  # for each output; set if others get no zeros as gradients
    _places: dict[int, Any] = {}  # see `note_places` above
    _live: tuple[Any, ...] | None = None  # replaces the node's saved tensors in `saved_tensors`

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """Tensors of `save_for_backward` (in `jvp`: `save_for_forward`), checked for later in-place modification."""
        live = self._live
        if live is not None and live is not WITHOUT_HISTORY:
            return live
        if self._node is None:
            return ()
        node = self._get_node()
        found = _read_saved(node, type(self).__name__)
        return found if live is None else map_tensors(cut_history, found)

    @property
    def saved_variables(self) -> tuple[Any, ...]:
        """Old name of `saved_tensors`."""
        import warnings

        warnings.warn("ctx.saved_variables is the old name of ctx.saved_tensors", DeprecationWarning, stacklevel=2)
        return self.saved_tensors

    @property
    def _raw_saved_tensors(self) -> tuple[Any, ...]:
        node = self._get_node()
        if node.saved is None:
            raise released_error(node)
        entries: list[Any] = []
        for entry in node.saved:
            if isinstance(entry, Tensor):
                entry = SavedTensor(entry, hasattr(entry, "_number"), getattr(entry, "_number", 0))
            if type(entry) is SavedTensor:
                entry._owner = weakref.ref(node)
            entries.append(entry)
        node.saved = tuple(entries)
        return node.saved

    def __getattr__(self, name: str) -> Any:
        """An error, since the context has no such attribute, or has another one for each sample of a `vmap`."""
        if any(name in sample.__dict__ for sample in self.__dict__.get("_samples", ())):
            raise AttributeError(
                f"ctx.{name} of {type(self).__name__} is not the same for all samples that vmap maps over, so a rule "
                "for all of them cannot use it. Keep a tensor instead, by save_for_backward; or mark backward by "
                "once_differentiable, and it is called for one sample after the other."
            )
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def _get_node(self) -> Node:
        node = None if self._node is None else self._node()
        if node is None:
            raise RuntimeError(
                f"{type(self).__name__} is not part of a graph: its call was not recorded, or the graph has been freed"
            )
        return node

    def name(self) -> str:
        """Name of the node: the Function's name with ``Backward`` appended."""
        return type(self).__name__

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """For each tensor argument, the node its gradient goes to and the number of that node's output."""
        return self._get_node().next_functions

    @property
    def metadata(self) -> dict[Any, Any]:
        """Dictionary for user data of the node."""
        return self._get_node().metadata

    @property
    def _input_metadata(self) -> Any:
        return self._get_node()._input_metadata

    def _sequence_nr(self) -> int:
        return self._get_node()._sequence_nr()

    @property
    def requires_grad(self) -> bool:
        """Whether the call was recorded."""
        return self._node is not None

    def register_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call ``hook(grad_inputs, grad_outputs)`` after the node has run; see `Node.register_hook`."""
        return self._get_node().register_hook(hook)

    def register_prehook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call ``hook(grad_outputs)`` before the node runs; see `Node.register_prehook`."""
        return self._get_node().register_prehook(hook)

    def maybe_clear_saved_tensors(self) -> None:
        """Release the saved tensors if the Function sets `clear_saved_tensors_on_access`."""
        if self._forward_cls.clear_saved_tensors_on_access:
            self._get_node().saved = _READ_ALREADY

    _forward_cls: Any = None  # the Function; set by the class made for it


class _ReadAlready(tuple[Any, ...]):
    """The type of `_READ_ALREADY`."""

    __slots__ = ()


_READ_ALREADY = _ReadAlready()
"""Placeholder for saved tensors that were released when first read (`clear_saved_tensors_on_access`)."""


def cut_history(tensor: Tensor) -> Tensor:
    """Detach a tensor that has a history; others are returned unchanged."""
    return tensor if tensor._edge is None else without_history(tensor)


def _read_saved(node: Any, name: str) -> tuple[Any, ...]:
    """Read the saved tensors of a node."""
    entries = node.saved  # read once: another thread's pass may release it now
    if entries is _READ_ALREADY:
        raise RuntimeError(
            f"{name}: saved_tensors can be read only once, because clear_saved_tensors_on_access is set on the "
            "Function. Read it once and keep what you need, or do not set it."
        )
    found = tuple(unpack_graph(node))
    if node.function.clear_saved_tensors_on_access:
        node.saved = _READ_ALREADY
    return found
