"""`backward` and `grad`: check arguments, make the initial gradients, run the engine."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from typing import Any

from adjoint._core import modes
from adjoint._core.engine import Pass, Targets, execute
from adjoint._core.forward.dual_levels import is_active, open_levels
from adjoint._core.gradient_fit import as_array_of
from adjoint._core.graph import GradientEdge, Node, unpack_edge
from adjoint._core.tensor import LAZY, Tensor, ensure_tensor, wrap, wrap_as
from adjoint.arrays import namespace_of, numpy_namespace
from adjoint.arrays.batched import BatchedArray, as_constant, mapping, running, set_running
from adjoint.arrays.batched.operands import repeat_constant
from adjoint.arrays.numpy import error_settings, quiet_settings

Seed = tuple[Node, int, Any]

HOLDERS = 4
"""Reference count of a gradient inside `_wrap_result` if nobody else holds it; measured by `_core/ownership.py`."""

_DEEPEST = 5000  # limit of nested backward passes; more is a runaway recursion
_FRAMES_PER_THREAD = 2  # a nested pass moves to a new thread when 1/2 of the interpreter's stack is in use


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Accumulate the gradients of the given tensors into the `.grad` of the graph's leaves.

    Args:
        tensors: a tensor (or gradient edge) or several, from which the pass starts.
        grad_tensors: their gradients; None where a real tensor of one element stands.
        retain_graph: keep what was saved, so that the graph can be used again (default: as `create_graph`).
        create_graph: record the pass itself, for higher derivatives.
        inputs: accumulate into these only.
        grad_variables: older name of `grad_tensors`.

    Example:
        >>> x = ad.tensor([3.0], requires_grad=True)
        >>> ad.autograd.backward([x * x, 2 * x])
        >>> x.grad
        tensor([8.])
    """
    if grad_variables is not None:
        warnings.warn("grad_variables is the old name of grad_tensors; pass grad_tensors", FutureWarning, stacklevel=2)
        if grad_tensors is not None:
            raise RuntimeError("grad_tensors and its old name grad_variables were both given; pass grad_tensors only")
        grad_tensors = grad_variables
    roots = _as_list(tensors, "tensors")
    grads = _as_grad_list(grad_tensors, len(roots), "grad_tensors")
    wanted: list[Any] = []
    edges = None
    if inputs is not None:
        wanted = _as_list(inputs, "inputs")
        if not wanted:
            raise RuntimeError("inputs is empty: there is nothing to accumulate into. Leave it out for all leaves.")
        edges = [_edge_of(tensor, "inputs", index) for index, tensor in enumerate(wanted)]
    if create_graph:
        warnings.warn(
            "backward(create_graph=True) makes every leaf hold a gradient whose graph holds the leaf, a cycle that is "
            "freed late. Use autograd.grad, or set .grad to None afterwards.",
            UserWarning,
            stacklevel=3 if isinstance(tensors, Tensor) else 2,
        )
    on_tensors = create_graph or _needs_tensors()
    seeds = _make_seeds(roots, grads, on_tensors)
    for tensor in wanted:
        if isinstance(tensor, Tensor) and not tensor.is_leaf:
            tensor.retain_grad()
    _run(seeds, edges, retain_graph, create_graph, True, on_tensors)


def backward_from(tensor: Tensor, retain_graph: bool | None) -> None:
    """Run ``loss.backward()``, the most common call: one root, implicit gradient, all leaves."""
    spec, edge = tensor._spec, tensor._edge
    if edge is None or edge is LAZY:
        edge = _edge_of(tensor, "outputs", 0)
    one = spec.plans.get("one")
    if one is None:
        one = _make_implicit_gradient(tensor, spec, 0)
    if modes.SPECIAL and _needs_tensors():
        _run([(*unpack_edge(edge), wrap_as(one, spec))], None, retain_graph, False, True, True)
    else:
        _run([(*edge, one) if isinstance(edge, tuple) else (edge, 0, one)], None, retain_graph, False, True)


def _needs_tensors() -> bool:
    """Test whether a pass works on tensors though it is not recorded: they may have tangents, or modes see them."""
    return bool(modes.SPECIAL) and (is_active() or bool(modes.state().dispatch_modes or modes.WRAPPERS))


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> Any:
    """The gradients of the outputs with respect to the inputs, as a tuple; no `.grad` is touched.

    Args:
        outputs: a tensor (or gradient edge) or several.
        inputs: the tensors (or gradient edges) with respect to which to differentiate; for a dictionary of them the
            gradients are a dictionary with the same keys.
        grad_outputs: the gradients with respect to the outputs; None where a real tensor of one element stands.
        retain_graph: keep what was saved, so that the graph can be used again (default: as `create_graph`).
        create_graph: record the pass itself, for higher derivatives.
        allow_unused: return None for an input that the outputs do not depend on instead of raising.
        is_grads_batched: the first dimension of every `grad_outputs` is a batch; so is that of the results.
        materialize_grads: return zeros instead of None.
        only_inputs: accepted for compatibility; has to be True.

    Example:
        >>> x = ad.tensor([3.0], requires_grad=True)
        >>> ad.autograd.grad(x**3, x)
        (tensor([27.]),)
    """
    if not only_inputs:
        warnings.warn(
            "only_inputs=False has no effect: grad never accumulates into other leaves; backward does",
            FutureWarning,
            stacklevel=2,
        )
    if isinstance(inputs, dict):
        named: dict[Any, Any] = inputs  # pyright: ignore[reportUnknownVariableType]
        found = grad(
            outputs,
            list(named.values()),
            grad_outputs,
            retain_graph,
            create_graph,
            allow_unused=allow_unused,
            is_grads_batched=is_grads_batched,
            materialize_grads=materialize_grads,
        )
        return dict(zip(named, found))
    if materialize_grads and allow_unused is False:
        raise ValueError("materialize_grads=True needs allow_unused to be True or left out: it replaces the None's")
    roots = _as_list(outputs, "outputs")
    wanted = _as_list(inputs, "inputs")
    if not wanted:
        raise RuntimeError("inputs is empty: there is nothing to differentiate with respect to")
    if is_grads_batched:
        return _batched_grad(roots, wanted, grad_outputs, retain_graph, create_graph, allow_unused, materialize_grads)
    grads = _as_grad_list(grad_outputs, len(roots), "grad_outputs")
    edges = [_edge_of(tensor, "inputs", index) for index, tensor in enumerate(wanted)]
    on_tensors = create_graph or _needs_tensors()
    seeds = _make_seeds(roots, grads, on_tensors)
    caught = _run(seeds, edges, retain_graph, create_graph, False, on_tensors)
    unused_ok = allow_unused or materialize_grads
    results: list[Any] = []
    for index, tensor in enumerate(wanted):
        found, caught[index] = caught[index], None  # `_wrap_result` reads the reference count
        if found is None:
            results.append(_replace_missing(tensor, index, bool(unused_ok), materialize_grads, create_graph))
        else:
            results.append(_wrap_result(found, tensor, on_tensors))
    return tuple(results)


def _replace_missing(tensor: Any, index: int, unused_ok: bool, materialize: bool, create_graph: bool) -> Tensor | None:
    """Return None or zeros for an input without a gradient, or raise."""
    if not unused_ok:
        raise RuntimeError(
            f"input {index} was not used in computing the outputs, so it has no gradient. Pass allow_unused=True to "
            "get None for it, or materialize_grads=True to get zeros."
        )
    if not materialize:
        return None
    if not isinstance(tensor, Tensor):
        raise RuntimeError("materialize_grads=True cannot make zeros for a gradient edge: its values are unknown")
    zeros = wrap(tensor._spec.namespace.zeros_like(tensor._array))
    return zeros.requires_grad_(create_graph)  # as if it had been computed, so that it can be differentiated again


def _wrap_result(found: Any, tensor: Any, is_tensor: bool) -> Any:
    """Wrap a gradient for the caller; copied if something else holds the array."""
    if is_tensor:
        return found
    spec = tensor._spec if isinstance(tensor, Tensor) else tensor.node._input_metadata[tensor.output_nr]
    array = as_array_of(spec, found)
    namespace = namespace_of(array)
    if not namespace.mutable:
        return wrap(array)
    shared = sys.getrefcount(found) > HOLDERS or not namespace.owns_memory(array)
    own = tensor._array if isinstance(tensor, Tensor) and tensor._spec.namespace is namespace else array
    if shared or (spec.folded and not namespace.is_laid_out_like(array, own)):
        array = namespace.copy_laid_out_like(array, own)
    return wrap(array)


def _batched_grad(
    roots: list[Any],
    wanted: list[Any],
    grad_outputs: Any,
    retain_graph: bool | None,
    create_graph: bool,
    allow_unused: bool | None,
    materialize: bool,
) -> tuple[Any, ...]:
    """Run one pass for a batch of `grad_outputs`, each a `BatchedArray` (Note [Batching] in arrays/batched)."""
    grads = _as_grad_list(grad_outputs, len(roots), "grad_outputs")
    sizes = {int(one.shape[0]) for one in grads if one is not None and one.ndim > 0}
    if len(sizes) != 1 or any(one is not None and one.ndim == 0 for one in grads):
        raise ValueError(f"is_grads_batched=True needs grad_outputs with one common first dimension, got {sizes}")
    size = sizes.pop()
    on_tensors = create_graph or _needs_tensors()
    level = 1 + max([_level_of(one) for one in (*roots, *wanted, *grads)] + [one.level for one in running()])
    values: list[Any] = [one if one is None or on_tensors else one._array for one in grads]
    batches = [None if value is None else wrap(BatchedArray(value, level)) for value in values]
    with mapping(level, size, "error", [value for value in values if value is not None], open_levels):
        results = grad(
            roots,
            wanted,
            batches,
            retain_graph,
            create_graph,
            allow_unused=allow_unused,
            materialize_grads=materialize,
        )
    taken = {id(value) for value in values}
    return tuple([None if one is None else _unwrap_batch(one, level, size, taken) for one in results])


def _level_of(root: Any) -> int:
    if root is None:
        return 0
    return root._spec.level if isinstance(root, Tensor) else root.node._input_metadata[root.output_nr].level


def _unwrap_batch(result: Tensor, level: int, size: int, taken: set[int]) -> Tensor:
    """Unwrap a batched gradient: a tensor with the batch along axis 0, in its own memory."""
    array: Any = result._array
    if type(array) is not BatchedArray or array.level != level or not array.batched:
        constant: Any = result if type(array) is not BatchedArray or array.level != level else array.value
        return namespace_of(result).copy(repeat_constant(namespace_of(result), ensure_tensor(constant), size))
    value = array.value
    namespace = namespace_of(value)
    if namespace.mutable and (id(value) in taken or not namespace.owns_memory(value)):
        value = namespace.copy(value)
    taken.add(id(value))
    return ensure_tensor(value)


def _as_list(value: Any, name: str) -> list[Any]:
    """Convert a tensor, an edge, or an iterable or dictionary of them to a list."""
    if isinstance(value, (Tensor, GradientEdge)):
        return [value]
    if not isinstance(value, Iterable) or isinstance(value, str):
        raise TypeError(f"{name} has to be a Tensor, a GradientEdge or several of them, got {type(value).__name__}")
    items: list[Any] = list(value.values() if isinstance(value, dict) else value)  # pyright: ignore
    for index, item in enumerate(items):
        if not isinstance(item, (Tensor, GradientEdge)):
            raise TypeError(f"{name}[{index}] has to be a Tensor or a GradientEdge, got {type(item).__name__}")
    return items


def _as_grad_list(value: Any, count: int, name: str) -> list[Any]:
    if value is None:
        return [None] * count
    if not isinstance(value, (Tensor, tuple, list)):
        raise TypeError(f"{name} has to be a Tensor, None or a sequence of them, got {type(value).__name__}")
    items: list[Any] = [value] if isinstance(value, Tensor) else list(value)  # pyright: ignore
    if len(items) != count:
        raise RuntimeError(f"{name} has {len(items)} entries for {count} outputs; there has to be one for each")
    for index, item in enumerate(items):
        if item is not None and not isinstance(item, Tensor):
            raise TypeError(f"{name}[{index}] has to be a Tensor or None, got {type(item).__name__}")
    return items


def _edge_of(tensor: Any, name: str, index: int) -> tuple[Node, int]:
    if isinstance(tensor, GradientEdge):
        return (tensor.node, tensor.output_nr)
    if not tensor.requires_grad:
        raise RuntimeError(
            f"{name}[{index}], a tensor of {tensor._spec.describe()}, does not require grad and has no grad_fn: "
            "nothing that it was computed from requires grad, or recording was off. Call requires_grad_() on the "
            "inputs before they are used. If it was computed from a gradient, compute that one with create_graph=True."
        )
    return tensor._gradient_edge()


def _make_seeds(roots: list[Any], grads: list[Any], on_tensors: bool) -> list[Seed]:
    seeds: list[Seed] = []
    for index, (root, given) in enumerate(zip(roots, grads)):
        node, number = _edge_of(root, "outputs", index)
        spec = node._input_metadata[number]
        if isinstance(root, Tensor):
            spec = root._spec
        first = _implicit_gradient(root, spec, index) if given is None else _explicit_gradient(given, spec, index)
        if not on_tensors:
            first = as_constant(first._array, spec.level) if spec.level else first._array
        seeds.append((node, number, first))
    return seeds


def _implicit_gradient(root: Any, spec: Any, index: int) -> Tensor:
    one = spec.plans.get("one")
    if one is None:
        one = _make_implicit_gradient(root, spec, index)
    return wrap_as(one, spec)


def _make_implicit_gradient(root: Any, spec: Any, index: int) -> Any:
    if spec.size != 1:
        raise RuntimeError(
            f"output {index} has shape {spec.shape}: a gradient can be left out for an output of one element only. "
            "Reduce it to one, with sum() for instance, or pass its gradient."
        )
    if spec.dtype.is_complex:
        raise RuntimeError(
            f"output {index} is complex ({spec.dtype!r}): a gradient can be left out for a real output only. Take the "
            "real or absolute value first, or pass its gradient."
        )
    if spec.namespace is not numpy_namespace:
        namespace = spec.namespace
        if isinstance(root, Tensor):
            return namespace.ones_like(root._array)
        return namespace.ones(spec.shape, dtype=spec.native, device=namespace.native_device(spec.device))
    one = spec.plans["one"] = numpy_namespace.ones(spec.shape, dtype=spec.native)
    one.flags.writeable = False  # reused by the next pass, so no hook may write to it
    return one


def _explicit_gradient(given: Tensor, spec: Any, index: int) -> Tensor:
    own = given._spec
    if own.shape != spec.shape:
        # a shape that the output's broadcasts to would be summed later; here it is most likely a mistake
        raise RuntimeError(
            f"the gradient given for output {index} has shape {own.shape}, but the output has shape {spec.shape}"
        )
    if own.device != spec.device:
        raise RuntimeError(
            f"the gradient given for output {index} is on '{own.device}', but the output is on '{spec.device}'"
        )
    if own.dtype.is_complex and not spec.dtype.is_complex:
        raise RuntimeError(
            f"the gradient given for output {index} is complex ({own.dtype!r}), but the output is real ({spec.dtype!r})"
        )
    if own.dtype is not spec.dtype:
        operations: Any = given
        given = operations.to(spec.dtype)
    if own.namespace is not spec.namespace and own.level == spec.level:
        given = wrap(spec.namespace.lift(given._array))
    return given


def run_pass(seeds: list[Seed], edges: list[tuple[Node, int]], keep_graph: bool) -> list[Any]:
    """Run a pass on arrays from gradients of outputs to gradients of inputs; None for an input without one."""
    return _run(seeds, edges, keep_graph, create_graph=False, accumulate=False)


def _run(
    seeds: list[Seed],
    edges: list[tuple[Node, int]] | None,
    retain_graph: bool | None,
    create_graph: bool,
    accumulate: bool,
    on_tensors: bool = False,
) -> list[Any]:
    """Run a pass on arrays or on tensors; it is recorded if `create_graph`."""
    keep = create_graph if retain_graph is None else bool(retain_graph)
    targets = None if edges is None else Targets([node for node, _, _ in seeds], edges, accumulate)
    state, thread = modes.state(), modes.thread
    outer = thread.current_pass
    this = Pass(seeds, targets, 0 if outer is None else outer.depth + 1)
    if this.depth >= _DEEPEST:
        raise RecursionError(
            f"backward has called itself {this.depth} times through hooks or custom functions: a runaway"
        )
    recording, errors = state.grad_enabled, error_settings.get()
    thread.current_pass = this
    try:
        if outer is not None and state.multithreading and _stack_is_deep():
            _run_in_new_thread(this, keep, create_graph, on_tensors)
        elif on_tensors:
            _execute(this, keep, create_graph, on_tensors)
        else:  # `_execute` inlined: the call is measurable for a small graph
            error_settings.set(quiet_settings)
            execute(this, keep, False)
        error_settings.set(errors)
        if this.callbacks is not None:
            this.run_callbacks(create_graph)
    except BaseException:
        # an interrupt may have come in the middle of a context manager's __enter__ or __exit__
        error_settings.set(errors)
        modes.reinstate(state)
        state.grad_enabled = recording
        state.update()
        raise
    finally:
        thread.current_pass = outer
        if modes.state() is not state:
            modes.reinstate(state)
        for action in this.endings or ():
            action()
    return [] if targets is None else targets.caught


def _execute(this: Pass, keep: bool, create_graph: bool, on_tensors: bool) -> None:
    """Run a pass in this thread, with NumPy's floating point warnings off (inf and NaN are ordinary values)."""
    error_settings.set(quiet_settings)
    if on_tensors:
        with modes.enable_grad() if create_graph else modes.no_grad():
            execute(this, keep, True)
    else:
        execute(this, keep, False)


def _stack_is_deep() -> bool:
    """Test whether half of the interpreter's recursion limit is in use."""
    limit = sys.getrecursionlimit() // _FRAMES_PER_THREAD
    frame, depth = sys._getframe(), 0
    while frame is not None and depth < limit:
        frame, depth = frame.f_back, depth + 1
    return depth >= limit


def _run_in_new_thread(this: Pass, keep: bool, create_graph: bool, on_tensors: bool) -> None:
    """Run a nested pass on the stack of a new thread, with this thread's modes; wait for it and re-raise its errors.

    An interrupt reaches the waiting thread, which puts it into `stop`; the nested passes check that before each node.
    """
    stop: list[BaseException] = [] if modes.thread.stop is None else modes.thread.stop
    inherited, maps = modes.snapshot(), running()
    failure: list[BaseException] = []
    import threading

    over = threading.Lock()  # held until the worker is done; unlike `join`, waiting for it survives an interrupt
    finished = launched = False

    def work() -> None:
        nonlocal finished
        try:
            modes.restore(inherited)
            modes.thread.stop = stop
            set_running(maps)
            _execute(this, keep, create_graph, on_tensors)
        except BaseException as error:
            failure.append(error)
        finally:
            modes.SPECIAL.discard(modes.state().token)
            finished = True
            over.release()

    thread = threading.Thread(target=work, name="adjoint nested backward", daemon=True)
    over.acquire()
    while not finished:
        try:
            if not launched:
                launched = True
                thread.start()
            over.acquire()
        except BaseException as error:
            if isinstance(error, RuntimeError) and "start new thread" in str(error):
                raise
            stop.append(error)
    if failure:
        raise failure[0]
    if stop:
        raise stop[0]  # it came after the worker was done
