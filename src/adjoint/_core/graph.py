"""The computation graph: nodes, edges, hooks, and the topological order of nodes.

Note [Order]
Every node draws a number from one process-wide counter after its inputs exist, an `AccumulateGrad` when its leaf is
first used. So the numbers are a topological order of every graph, across threads too, and the engine simply runs the
newest pending node next: every node that could still send it a gradient is newer and has been run. The counter counts
down, because `heapq` returns the smallest first; `Node.sequence_nr` is the number with its sign reversed.

In-place writes draw from the same counter, so "was this saved tensor written to after the node was made?" is a
comparison of two numbers and costs the forward pass nothing (see `_core/saved/saved.py`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Union

from adjoint._core.locks import Lock, make_counter
from adjoint._core.metadata import InputMetadata

if TYPE_CHECKING:
    from adjoint._core.tensor import Tensor
import weakref

next_order: Callable[[], int] = make_counter(-1, -1)

Edge = Union["Node", tuple["Node", int]]
"""Where a gradient goes: ``(node, output number)``, or a node alone for its output 0, which saves a tuple."""


def unpack_edge(edge: Edge) -> tuple[Node, int]:
    """Return the node that an edge leads to, and the output number."""
    return edge if isinstance(edge, tuple) else (edge, 0)


def target_of(edge: Edge) -> Node:
    """Return the node that an edge leads to."""
    return edge[0] if isinstance(edge, tuple) else edge


ELEMENTWISE, ACCUMULATES, HOLDS_TENSORS, EXACT, TRUSTED, PAIR = 1, 2, 4, 8, 16, 32
"""Flags of `Node.kind` for the engine. ELEMENTWISE: gradients have the shape of the incoming one; EXACT: and its dtype;
ACCUMULATES: an `AccumulateGrad`; HOLDS_TENSORS: saved tensors are released after it has run, so that it cannot run
again; TRUSTED: returns one gradient for each edge by construction; PAIR: a `PairNode`."""

RELEASED: Any = object()
"""What `PairNode.saved0` is once its saved values have been released."""


class NodeExtras:
    """Rarely used attributes of a node: hooks, retained gradients, user metadata, the traceback of anomaly mode."""

    __slots__ = ("metadata", "post_hooks", "pre_hooks", "retained", "tensor_hooks", "trace")

    def __init__(self) -> None:
        self.pre_hooks = Hooks()
        self.post_hooks = Hooks()
        self.tensor_hooks: dict[int, Hooks] = {}
        self.retained: dict[int, Any] = {}  # output number -> weak reference to the tensor that retains its gradient
        self.metadata: dict[Any, Any] = {}
        self.trace: str | None = None


class Node:
    """A node of the backward graph: computes gradients of an operation's inputs from those of its outputs.

    Attributes:
        edges: for each differentiable input, where its gradient goes, or None.
        order: see Note [Order].
        spec: the metadata of the output, or a tuple of them if there are several.
        saved: saved tensors and parameters of the formulas; None once released.
        extras: hooks and other rarely used attributes, made on demand.
    """

    __slots__ = ("__weakref__", "edges", "extras", "order", "saved", "spec")

    edges: tuple[Edge | None, ...]
    order: int
    spec: InputMetadata | tuple[InputMetadata, ...]
    saved: Any
    extras: NodeExtras | None

    saved_names: ClassVar[tuple[str, ...]] = ()
    output_names: ClassVar[dict[str, int]] = {}  # of several outputs that are saved, the numbers by name
    kind: ClassVar[int] = HOLDS_TENSORS
    hidden: ClassVar[tuple[int, ...]] = ()  # edges left out of `next_functions` if None: those of Python numbers
    shows_last_first: ClassVar[bool] = False  # whether `next_functions` starts with the last edge

    def __init__(self, edges: tuple[Edge | None, ...], spec: Any, saved: Any = ()) -> None:
        self.edges = edges
        self.spec = spec
        self.saved = saved
        self.extras = None
        self.order = next_order()

    def backward_raw(self, grad: Any, needed: Any = None) -> Sequence[Any]:
        """Compute gradients of the inputs from the gradient of the output (a list if several), on arrays.

        Args:
            grad: the gradient; None if there is none.
            needed: the orders of the nodes whose gradients are needed; None for all.
        """
        raise NotImplementedError(f"{self.name()} has no backward formula")

    def backward_graph(self, grad: Any, needed: Any = None) -> Sequence[Any]:
        """Compute gradients of the inputs on tensors, recorded, for higher derivatives."""
        raise NotImplementedError(f"{self.name()} has no backward formula that can be differentiated again")

    def __call__(self, *grads: Any) -> Any:
        """Run the node by itself, without its hooks: gradients of its inputs from those of its outputs.

        Args:
            grads: a tensor or None for each output.
        """
        return _introspection().run_alone(self, grads)

    def name(self) -> str:
        """Name of the node's class, `MulBackward0` for instance."""
        return type(self).__name__

    @property
    def sequence_nr(self) -> int:
        """Number of the node: larger for nodes made later."""
        return -self.order

    def _sequence_nr(self) -> int:
        return -self.order

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """For each differentiable input, the node its gradient goes to and the number of that node's output."""
        edges = [self.edges[place] for place in self.shown_places()]
        return tuple((None, 0) if edge is None else unpack_edge(edge) for edge in edges)

    def shown_places(self) -> list[int]:
        """Return the indices of the edges in `next_functions`, in PyTorch's order."""
        shown = [place for place, edge in enumerate(self.edges) if edge is not None or place not in self.hidden]
        return shown[-1:] + shown[:-1] if self.shows_last_first and len(shown) == len(self.edges) else shown

    @property
    def metadata(self) -> dict[Any, Any]:
        """Dictionary for user data of the node."""
        return self.ensure_extras().metadata

    @property
    def _input_metadata(self) -> tuple[InputMetadata, ...]:
        return self.spec if isinstance(self.spec, tuple) else (self.spec,)

    def ensure_extras(self) -> NodeExtras:
        """The hooks and metadata of this node, made if there are none yet."""
        extras = self.extras
        if extras is None:
            with creation_lock:  # two threads may add the first hook at the same moment
                extras = self.extras
                if extras is None:
                    extras = self.extras = NodeExtras()
        return extras

    def register_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call ``hook(grad_inputs, grad_outputs)`` after the node has run; it may return new ``grad_inputs``.

        Returns:
            A handle whose `remove()` takes the hook out.
        """
        return add_hook(self.ensure_extras().post_hooks, hook)

    def register_prehook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call ``hook(grad_outputs)`` before the node runs; it may return new ``grad_outputs``.

        Returns:
            A handle whose `remove()` takes the hook out.
        """
        return add_hook(self.ensure_extras().pre_hooks, hook)

    def __repr__(self) -> str:
        return f"<{self.name()} object at {id(self):#x}>"


class SavedAttribute:
    """What a node has saved, as the attribute ``_saved_<name>``, or ``_raw_saved_<name>`` as it is kept.

    There is one on the class for each name. (A method `__getattr__` would make the interpreter read every attribute of
    a node in a slower way, which costs a small operator a tenth of its time.)
    """

    __slots__ = ("_name", "_raw")

    def __init__(self, name: str, raw: bool) -> None:
        self._name = name
        self._raw = raw

    def __get__(self, node: Node | None, owner: Any = None) -> Any:
        return self if node is None else _introspection().read_saved(node, self._name, self._raw)


SAVED_ALIASES = {"self": "input", "result": "out", "exponent": "other", "inverse": "out", "L": "out"}
"""PyTorch's names of saved tensors, and the names in the formulas here."""


def saved_attributes(names: Sequence[str], outputs: Sequence[str]) -> dict[str, SavedAttribute]:
    """Return the attributes that show what the nodes of a class have saved.

    Args:
        names: those of what they save.
        outputs: if `out` is several, their names.
    """
    shown = [name for name in names if not name.endswith("_spec")]
    shown += [*outputs, *(theirs for theirs, ours in SAVED_ALIASES.items() if ours in names)]
    return {f"_{raw}saved_{name}": SavedAttribute(name, bool(raw)) for name in shown for raw in ("", "raw_")}


class PairNode(Node):
    """A node of at most two edges and two saved values, which are attributes of their own.

    Tuples would be two more objects for the cyclic garbage collector to look at, half of those of a graph. `edges` and
    `saved` show them as tuples nevertheless; fast paths go past that. Who releases the values writes `saved0` first,
    and who reads them reads it last, so that it tells of both whether another thread's pass has released them.
    """

    __slots__ = ("edge1", "saved1")
    edge0: Any = Node.edges  # the same places in memory under other names
    saved0: Any = Node.saved
    edge1: Any
    saved1: Any
    edge_count: ClassVar[int]

    @property
    def edges(self) -> tuple[Edge | None, ...]:
        """For each differentiable input, where its gradient goes, or None."""
        return (self.edge0, self.edge1)[: self.edge_count]

    @edges.setter
    def edges(self, edges: tuple[Edge | None, ...]) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        self.edge0, self.edge1 = (*edges, None)[:2]

    @property
    def saved(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Saved tensors and parameters of the formulas; None once released."""
        second, first = self.saved1, self.saved0
        return None if first is RELEASED else (first, second)[: len(self.saved_names)]

    @saved.setter
    def saved(self, saved: Any) -> None:
        self.saved0, self.saved1 = (RELEASED, None) if saved is None else (*saved, None, None)[:2]


commit_lock = Lock()
"""Held while the `.grad` of leaves is read and replaced."""

creation_lock = Lock()
"""Held while a leaf's accumulator, a view's new edge, an `AutogradMeta` or `NodeExtras` is made."""


def _lock_all() -> None:
    commit_lock.acquire()
    creation_lock.acquire()


def _unlock_all() -> None:
    creation_lock.release()
    commit_lock.release()


# A forked child must not inherit a lock that is held by a thread which does not exist there.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_lock_all, after_in_parent=_unlock_all, after_in_child=_unlock_all)


def metadata_at(edge: Edge) -> InputMetadata:
    """Return the metadata that a gradient on this edge has to match."""
    node, number = unpack_edge(edge)
    return node._input_metadata[number]


def _introspection() -> Any:
    from adjoint._core.saved import introspection  # imports this module, and the engine; rarely needed

    return introspection


class GradientEdge(NamedTuple):
    """An edge of the graph, given by the node and which of its outputs; see `get_gradient_edge`."""

    node: Node
    output_nr: int


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """Gradient edge of a tensor: the node and output number that receive its gradient.

    It can replace the tensor in `autograd.grad` and `backward`, without keeping its values alive.

    Args:
        tensor: a tensor that requires grad.

    Example:
        >>> x = ad.tensor([3.0], requires_grad=True)
        >>> edge = ad.autograd.graph.get_gradient_edge(x * x)
        >>> ad.autograd.grad(edge, x, ad.ones(1))
        (tensor([6.]),)
    """
    if not tensor.requires_grad:
        raise RuntimeError(
            f"a tensor of {tensor._spec.describe()} does not require grad, so it has no gradient edge; "
            "call requires_grad_() on it first"
        )
    return GradientEdge(*tensor._gradient_edge())


_next_id = make_counter()


class Hooks(dict[int, Callable[..., Any]]):
    """Hooks in the order of registration: a dict that can be referenced weakly."""

    __slots__ = ("__weakref__",)


class RemovableHandle:
    """Handle of a registered hook; `remove()` removes it. Also a context manager."""

    __slots__ = ("_hooks", "id")

    def __init__(self, hooks: Hooks) -> None:
        self._hooks = weakref.ref(hooks)
        self.id = _next_id()

    def remove(self) -> None:
        """Remove the hook; a second call does nothing."""
        hooks = self._hooks()
        if hooks is not None:
            hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        """Return the handle; the hook is there inside the block."""
        return self

    def __exit__(self, *exc_info: object) -> None:
        """Remove the hook."""
        self.remove()


def add_hook(hooks: Hooks, hook: Callable[..., Any]) -> RemovableHandle:
    """Append a hook and return the handle that removes it."""
    if not callable(hook):
        raise TypeError(f"a hook has to be callable, got {type(hook).__name__}")
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


class JoinedHandle:
    """One handle for several hooks."""

    __slots__ = ("_handles",)

    def __init__(self, handles: list[RemovableHandle]) -> None:
        self._handles = tuple(handles)

    def remove(self) -> None:
        """Remove all of them."""
        for handle in self._handles:
            handle.remove()

    def __enter__(self) -> JoinedHandle:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.remove()


def released_error(node: Node) -> RuntimeError:
    """Make the error for a second pass through a released graph."""
    return RuntimeError(
        f"{node.name()} cannot run again: an earlier backward pass has released what it had saved. To go through the "
        "same graph several times, pass retain_graph=True to every pass but the last; otherwise compute the outputs "
        "anew before this pass."
    )
