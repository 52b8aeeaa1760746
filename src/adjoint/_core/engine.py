"""The backward engine: one loop that runs nodes, newest first, and sends gradients along their edges.

`execute` serves `backward`, `grad` and `inputs=`. A pass works on arrays; with `create_graph`, gradients are tensors
and the same formulas are recorded. Why dependencies are not counted: Note [Order] in `_core/graph.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from operator import iadd  # pyright: ignore[reportUnknownVariableType]
from sys import getrefcount
from typing import Any

from numpy import add, ndarray

from adjoint._core import modes
from adjoint._core.accumulate import commit
from adjoint._core.anomaly import check_for_nan, explain_failure, is_anomaly_enabled, is_nan_check_enabled
from adjoint._core.gradient_fit import NOT_RUN, check_results, fit_graph, fit_raw
from adjoint._core.graph import (
    ACCUMULATES,
    ELEMENTWISE,
    EXACT,
    HOLDS_TENSORS,
    PAIR,
    RELEASED,
    TRUSTED,
    Node,
    PairNode,
    metadata_at,
    target_of,
)
from adjoint._core.locks import has_interpreter_lock, make_counter
from adjoint._core.run_hooks import run_post_hooks, run_pre_hooks, run_tensor_hooks
from adjoint._core.tensor import Tensor
from adjoint._core.views.selection import Selection
from adjoint.arrays import blocked, namespace_of

_TUPLE: Any = tuple  # typed as Any: a type checker would guess at the items of edges and metadata


class Targets:
    """The targets of `inputs=`: which nodes have to run, and which gradients to capture.

    Attributes:
        useful: the orders of the nodes that lead to a target, and of the targets.
        all_useful: whether the pass reaches no others, so that it need not ask.
        needed: the orders of the nodes that have to run.
        captures: order -> [(output number, index into `caught`)].
        caught: the captured gradients.
    """

    def __init__(self, roots: list[Node], edges: list[tuple[Node, int]], accumulate: bool) -> None:
        self.caught: list[Any] = [None] * len(edges)
        self.captures: dict[int, list[tuple[int, int]]] = {}
        if not accumulate:
            for index, (node, number) in enumerate(edges):
                self.captures.setdefault(node.order, []).append((number, index))
        # Edges never change and orders are never used again: a loop over the rows of a Jacobian searches once.
        key = accumulate, tuple([node.order for node in roots]), tuple([node.order for node, _ in edges])
        found = _latest_search.get(key)
        if found is None:
            found = _search(roots, {node.order: node for node, _ in edges}, accumulate)
            _latest_search.clear()
            _latest_search[key] = found
        self.useful, self.all_useful, self.needed = found


_latest_search: dict[Any, tuple[set[int], bool, set[int]]] = {}


def _search(roots: list[Node], goals: dict[int, Node], accumulate: bool) -> tuple[set[int], bool, set[int]]:
    """Find the nodes that lead to a goal: `useful`, `all_useful` and `needed` of `Targets`."""
    useful, all_useful = _find_ancestors(roots, set(goals))
    needed = useful if accumulate else useful - goals.keys()
    for order, node in goals.items():
        if any(edge is not None and target_of(edge).order in useful for edge in node.edges):
            needed = needed | {order}
        all_useful = all_useful and not node.edges
    return useful, all_useful, needed


def _find_ancestors(roots: list[Node], goals: set[int]) -> tuple[set[int], bool]:
    """Find the nodes from which a goal can be reached, by order, and whether all that roots reach are among them.

    They are if every node where a path ends is a goal. Nodes older than every goal cannot reach one (Note [Order]).
    """
    oldest = max(goals, default=0)
    seen: dict[int, Node] = {node.order: node for node in roots if node.order <= oldest}
    inside = all(node.order in seen for node in roots)
    stack = [*seen.values()]
    while stack:
        node = stack.pop()
        edges: Any = (node.edge0, node.edge1) if isinstance(node, PairNode) else node.edges
        ends = True
        for edge in edges:
            if edge is not None:
                target: Any = edge[0] if type(edge) is _TUPLE else edge
                order = target.order
                ends = False
                if order > oldest:
                    inside = False
                elif order not in seen:
                    seen[order] = target
                    stack.append(target)
        if ends and node.order not in goals:
            inside = False
    if inside:
        return goals | seen.keys(), True
    found = set(goals)
    for order in sorted(seen, reverse=True):  # oldest first: a node's successors are decided before it is
        if any(edge is not None and target_of(edge).order in found for edge in seen[order].edges):
            found.add(order)
    return found, False


class Pass:
    """A running backward pass.

    Attributes:
        seeds: the initial gradients: (node, output number, gradient).
        targets: the targets of `inputs=`, or None.
        depth: the number of enclosing passes.
        endings: callbacks for its end; callbacks: those for its end if it succeeds.
    """

    __slots__ = ("_number", "_reached", "callbacks", "depth", "endings", "seeds", "targets")

    def __init__(self, seeds: list[tuple[Node, int, Any]], targets: Targets | None, depth: int) -> None:
        self.seeds = seeds
        self.targets = targets
        self.depth = depth
        self.endings: list[Callable[[], Any]] | None = None
        self.callbacks: list[Callable[[], Any]] | None = None
        self._reached: dict[int, Node] | None = None

    @property
    def number(self) -> int:
        """A number that no other pass of this process has; made when it is first asked for."""
        if not hasattr(self, "_number"):
            self._number = _next_number()
        return self._number

    def reached(self) -> dict[int, Node]:
        """Return the nodes whose gradients are computed in this pass, by order."""
        found = self._reached
        if found is None:
            found = self._reached = {}
            useful = None if self.targets is None else self.targets.useful
            stack = [seed[0] for seed in self.seeds]
            while stack:
                node = stack.pop()
                if node.order not in found and (useful is None or node.order in useful):
                    found[node.order] = node
                    stack.extend(target_of(edge) for edge in node.edges if edge is not None)
        return found

    def will_reach(self, node: Node) -> bool:
        """Test whether a gradient for this node's outputs is computed in this pass."""
        return node.order in self.reached()

    def execution_order(self) -> list[Node]:
        """List the nodes of this pass in the order in which they run."""
        reached = self.reached()
        needed = reached if self.targets is None else self.targets.needed
        nodes = [reached[order] for order in sorted(reached) if order in needed]
        last = [node for node in nodes if _is_deferred(node)]  # see Note [All or nothing]
        return [node for node in nodes if not _is_deferred(node)] + last

    def run_callbacks(self, create_graph: bool) -> None:
        """Run the callbacks of a pass that has succeeded, in its grad mode; they may add others."""
        for action in self.callbacks or ():
            with modes.callback_modes(create_graph):
                action()

    def call_at_end(self, action: Callable[[], Any]) -> None:
        """Register a callback for the end of the pass, whether it succeeds or fails."""
        self.endings = [*(self.endings or ()), action]


_next_number = make_counter()


def _is_deferred(node: Any) -> bool:
    """Test whether a node is a leaf's that accumulates when all others have run."""
    return bool(node.kind & ACCUMULATES) and node.extras is None and not node.variable._meta.post_accumulate_hooks


def execute(this: Pass, keep_graph: bool, create_graph: bool) -> None:
    """Run a backward pass. See Note [Order] for why the newest pending node is always the next.

    Note [All or nothing]
    Leaves get their gradients after every node has run, so a pass that fails or is interrupted leaves every `.grad`
    unchanged. Only a leaf with post-accumulate-grad hooks gets its gradient as soon as it is complete.
    """
    pending: dict[int, list[Any]] = {}  # order -> [node, gradient or list of gradients]
    heap: list[int] = []  # the orders of the pending nodes
    owned: set[int] = set()  # orders whose pending gradient is a sum that the engine allocated
    leaves: list[tuple[Any, Any]] = []  # accumulators with their gradients, until all nodes have run
    targets = this.targets
    useful = None if targets is None or targets.all_useful else targets.useful
    needed, captures = ((), ()) if targets is None else (targets.needed, targets.captures)
    fit = fit_graph if create_graph else fit_raw
    anomaly, stop = bool(modes.SPECIAL) and is_anomaly_enabled(), modes.thread.stop
    observed = anomaly or stop is not None
    node: Any = None
    results: Any = NOT_RUN
    following, grad = _enter_seeds(this.seeds, pending, heap, owned)
    try:
        while heap or following is not None:
            if following is None:
                node, grad = pending.pop(heappop(heap))
            else:
                node, following = following, None
            if targets is not None and (node.order in captures or node.order not in needed):
                grad = _capture(targets, node, grad, create_graph)
                if node.order not in needed:
                    continue
            kind, extras = node.kind, node.extras
            result = entry = None  # `accumulate` reads the reference count of the gradient
            if kind & ACCUMULATES and extras is None and not anomaly and not node.variable._meta.post_accumulate_hooks:
                leaves.append((node, grad))
                grad = None
                continue
            if extras is not None or observed:
                results = _run_with_hooks(node, grad, create_graph, useful)
            elif create_graph:
                results = node.backward_graph(grad, useful)
            else:
                results = node.backward_raw(grad, useful)
            grad = None
            if kind & HOLDS_TENSORS and not keep_graph:
                if kind & PAIR:
                    node.saved0 = node.saved1 = RELEASED
                else:
                    node.saved = None
            edges: tuple[Any, ...] = (node.edge0, node.edge1) if kind & PAIR else node.edges
            if kind < TRUSTED and len(results) != len(edges):
                raise ValueError  # `check_results` makes the message
            own_spec, exact = node.spec if kind & ELEMENTWISE else None, kind & EXACT
            if own_spec is not None and useful is None and not heap:  # a chain: skip the heap if there is a single edge
                count = len(edges)
                if count == 1 or (count == 2 and (edges[0] is None or edges[1] is None)):
                    place = 1 if edges[0] is None else 0
                    target, result = edges[place], results[place]
                    if (
                        type(target) is not _TUPLE
                        and target.spec is own_spec
                        and (
                            exact
                            or result is None
                            or (result._spec is own_spec if create_graph else result.dtype is own_spec.grad_native)
                        )
                    ):
                        following, grad, results = target, result, NOT_RUN
                        continue
            for edge, result in zip(edges, results):
                if edge is None:
                    continue
                target = edge[0] if type(edge) is _TUPLE else edge
                order, spec = target.order, target.spec
                if useful is not None and order not in useful:
                    continue
                # Of the metadata that is wanted, or of that of the incoming gradient, which has been checked?
                if (
                    (result is None or result._spec is not spec)
                    if create_graph
                    else (spec is not own_spec or not (exact or result is None or result.dtype is spec.grad_native))
                ):
                    several = type(spec) is _TUPLE
                    wanted = spec[edge[1]] if several else spec
                    if result is not None and (result.dtype is not wanted.grad_native or result.shape != wanted.shape):
                        if type(result) is Selection and not several:
                            _add_selection(pending, heap, target, result, owned)
                            continue
                        result = fit(result, wanted, node, edge)
                    if several:
                        _add_to_output(pending, heap, target, edge[1], result)
                        continue
                entry = pending.get(order)
                if entry is None:
                    pending[order] = [target, result]
                    heappush(heap, order)
                elif result is not None:
                    if spec.large and type(result) is ndarray:
                        _add_large(entry, result, order, owned)
                    elif order in owned and not create_graph:
                        entry[1] = iadd(entry[1], result)
                    else:
                        _add_to(entry, result, order, owned)
            results = NOT_RUN
    except Exception as error:
        check_results(node, results, error)
        explain_failure(error, node)
        raise
    if stop:
        raise stop[0]
    result = entry = None
    _accumulate(leaves, create_graph)


def _enter_seeds(
    seeds: list[tuple[Node, int, Any]], pending: dict[int, list[Any]], heap: list[int], owned: set[int]
) -> tuple[Node | None, Any]:
    """Return the first node and its gradient if there is a single seed; else make all seeds pending."""
    if len(seeds) == 1 and type(seeds[0][0].spec) is not tuple:
        return seeds[0][0], seeds[0][2]
    for node, number, grad in seeds:
        entry = pending.get(node.order)
        if type(node.spec) is tuple:
            _add_to_output(pending, heap, node, number, grad)
        elif entry is None:
            pending[node.order] = [node, grad]
            heappush(heap, node.order)
        elif grad is not None:
            _add_to(entry, grad, node.order, owned)
    return None, None


def _add_to_output(pending: dict[int, list[Any]], heap: list[int], node: Any, number: int, grad: Any) -> None:
    """Add a gradient to the pending gradient of one output of a node with several."""
    entry = pending.get(node.order)
    if entry is None:
        entry = pending[node.order] = [node, [None] * len(node.spec)]
        heappush(heap, node.order)
    before = entry[1][number]
    if before is None:
        entry[1][number] = grad
    elif grad is not None:
        entry[1][number] = before + grad


def _accumulate(leaves: list[tuple[Any, Any]], create_graph: bool) -> None:
    """Add the gradients to the `.grad` of the leaves; see Note [All or nothing]."""
    if len(leaves) > 1:
        commit(leaves, create_graph)
    while leaves:
        leaf, grad = leaves.pop()
        if create_graph:
            leaf.backward_graph(grad)
        else:
            leaf.backward_raw(grad)


def _add_to(entry: list[Any], grad: Any, order: int, owned: set[int]) -> None:
    """Add to a pending gradient. The first sum allocates a new array, to which later gradients are added in place."""
    if entry[1] is None:
        entry[1] = grad
    else:
        entry[1] = entry[1] + grad
        if not isinstance(entry[1], Tensor):  # a tensor may be of a lower level than the next one, or not batched
            owned.add(order)


def _add_large(entry: list[Any], grad: Any, order: int, owned: set[int]) -> None:
    """Add a large array to a pending gradient, in its place if nothing else holds that."""
    if type(entry[1]) is not ndarray:
        _add_to(entry, grad, order, owned)
        return
    alone = [None, object()]  # a new object in the same place, to compare with
    alone_here = has_interpreter_lock() and getrefcount(entry[1]) <= getrefcount(alone[1])
    free = alone_here and entry[1].base is None and entry[1].flags.writeable
    entry[1] = blocked.combine(add, entry[1], grad, entry[1] if free or order in owned else None)
    owned.add(order)


def _add_selection(
    pending: dict[int, list[Any]], heap: list[int], node: Any, selection: Selection, owned: set[int]
) -> None:
    """Add the gradient of a selection to a pending gradient, which becomes a sum that the engine owns."""
    order = node.order
    entry = pending.get(order)
    if entry is None:
        entry = pending[order] = [node, None]
        heappush(heap, order)
    total = entry[1]
    if total is None:
        total = selection.materialize()
    else:
        total = selection.add_to(total if order in owned else namespace_of(total).copy(total))
    spec = node.spec
    if isinstance(total, Tensor):
        entry[1] = total if total._spec is spec else fit_graph(total, spec, node, (node, 0))
    else:
        entry[1] = total if total.dtype is spec.grad_native else fit_raw(total, spec, node, (node, 0))
    owned.add(order)


def _capture(targets: Targets, node: Node, grad: Any, create_graph: bool) -> Any:
    """Capture the gradients for `inputs=`. Tensor hooks are called even if the node does not run."""
    if node.order not in targets.needed and node.extras is not None:
        grad = run_tensor_hooks(node, grad, create_graph)
    for number, index in targets.captures.get(node.order, ()):
        targets.caught[index] = grad[number] if isinstance(node.spec, tuple) else grad
    return grad


def fit_results(node: Node, results: Any, create_graph: bool) -> list[Any]:
    """Reduce and cast a node's results for their edges, so that hooks see the gradients that are sent on."""
    if len(results) != len(node.edges):
        raise ValueError  # `check_results` makes the message
    fit = fit_graph if create_graph else fit_raw
    return [
        None if edge is None or result is None else fit(result, metadata_at(edge), node, edge)
        for edge, result in zip(node.edges, results)
    ]


def _run_with_hooks(node: Node, grad: Any, create_graph: bool, useful: Any) -> Any:
    """Run a node with hooks, in anomaly mode, or in a nested pass that can be interrupted."""
    if modes.thread.stop:
        raise modes.thread.stop[0]
    extras = node.extras
    if extras is not None:
        grad = run_pre_hooks(node, grad, create_graph)
    results = node.backward_graph(grad, useful) if create_graph else node.backward_raw(grad, useful)
    if isinstance(results, tuple):
        results = tuple([one.materialize() if type(one) is Selection else one for one in results])
    if is_nan_check_enabled():
        check_for_nan(node, results)
    if extras is not None and extras.post_hooks:
        results = run_post_hooks(node, fit_results(node, results, create_graph), grad, create_graph)
    return results
