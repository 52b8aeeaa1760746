"""`once_differentiable`: a backward that need not be differentiable; differentiating it is an error.

Whatever level the gradients are of, the rule gets plain tensors, under `vmap` those of one sample at a time. Its
results are raised to the level again, with a history at each level that ends in an error.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Sequence
from typing import Any, cast

from adjoint._core import modes
from adjoint._core.function.context import attributes_of, cut_history
from adjoint._core.function.rules import level_of, map_tensors, tensors_in
from adjoint._core.graph import Edge, Node, unpack_edge
from adjoint._core.levels import raise_level
from adjoint._core.tensor import Tensor, ensure_tensor, wrap, wrap_as
from adjoint.arrays import namespace_of
from adjoint.arrays.batched import BatchedArray
from adjoint.arrays.batched.loop import run_per_sample, stack_results


def once_differentiable(fn: modes.F) -> modes.F:
    """Mark a backward as not differentiable, because it uses NumPy for instance; a second derivative is an error.

    It runs with recording off in any case.

    Args:
        fn: the static method ``backward(ctx, *grad_outputs)``.

    Example:
        >>> import numpy as np
        >>> class Sine(ad.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.x = x.detach().numpy()
        ...         return ad.from_numpy(np.sin(ctx.x))
        ...
        ...     @staticmethod
        ...     @ad.autograd.function.once_differentiable
        ...     def backward(ctx, grad):
        ...         return ad.from_numpy(np.cos(ctx.x) * grad.numpy())
        >>> x = ad.tensor([0.0, 3.0], requires_grad=True)
        >>> Sine.apply(x).sum().backward()
        >>> x.grad
        tensor([ 1.0000, -0.9900])
    """

    @functools.wraps(fn)
    def wrapper(ctx: Any, *args: Any) -> Any:
        history = _ErrorHistory(ctx)
        level = max([level_of(args), *history.edges])
        saved = ctx.saved_tensors if level else ()  # else the rule reads them, and they may be cleared on access
        sources = tensors_in((args, saved))
        with modes.no_grad():
            given = map_tensors(cut_history, args)
            outputs = (
                _run_on_plain(fn, ctx, given, (saved, _tensor_attributes(ctx)), level) if level else fn(ctx, *given)
            )
        if not modes.state().grad_enabled:
            return outputs
        if isinstance(outputs, tuple):
            return tuple([history.attach_to(output, sources, level) for output in outputs])  # pyright: ignore
        return history.attach_to(outputs, sources, level)

    wrapper.is_once_only = True  # type: ignore[attr-defined]
    return cast(modes.F, wrapper)


# ---- down to plain tensors -------------------------------------------------------------------------------------------


def _tensor_attributes(ctx: Any) -> dict[str, Any]:
    return {name: value for name, value in attributes_of(ctx).items() if tensors_in(value)}


def _run_on_plain(fn: Callable[..., Any], ctx: Any, args: Sequence[Any], known: tuple[Any, Any], level: Any) -> Any:
    """Run the rule on the plain tensors inside tensors of a level.

    Args:
        known: the saved tensors, and the attributes of the ctx that hold tensors.
    """
    tensors = tensors_in((args, known))
    if not level:
        own = copy.copy(ctx)
        own._live = tuple(known[0])
        own.__dict__.update(known[1])
        return fn(own, *args)
    batch = next((t._array for t in tensors if _is_batched(t, level)), None)
    if batch is None:
        own, kept = map_tensors(_lower, (args, known), _Sample(level, 0))
        return map_tensors(raise_level, _run_on_plain(fn, ctx, own, kept, level_of((own, kept))), level)
    samples = ctx.__dict__.get("_samples")

    def run_one(number: int) -> Any:
        own, kept = map_tensors(_lower, (args, known), _Sample(level, number))
        sample = ctx
        if samples is not None:
            sample = samples[number]
            kept = (kept[0], _tensor_attributes(sample))
        return _run_on_plain(fn, sample, own, kept, level_of((own, kept)))

    name = type(ctx).__name__
    found = stack_results(name, run_per_sample(name, batch.value.shape[0], run_one))
    return map_tensors(_wrap_batch, tuple(found) if isinstance(found, list) else found, level)  # pyright: ignore


def _wrap_batch(tensor: Tensor, level: Any) -> Tensor:
    return wrap(BatchedArray(tensor, level))


def _is_batched(tensor: Tensor, level: float) -> bool:
    return tensor._spec.level == level and type(tensor._array) is BatchedArray and tensor._array.batched


class _Sample:
    """A level, and the index of a sample if it is the level of a map."""

    def __init__(self, level: Any, number: int) -> None:
        self.level = level
        self.number = number


def _lower(tensor: Tensor, sample: _Sample) -> Any:
    """Unwrap a tensor of the level; of a batch, take one sample."""
    if tensor._spec.level < sample.level:
        return tensor
    array = tensor._array
    if type(array) is BatchedArray:
        array = array.value[sample.number] if array.batched else array.value
    return array if isinstance(array, Tensor) else wrap(namespace_of(array).ensure_array(array))


# ---- history that ends in an error -----------------------------------------------------------------------------------


class _ErrorHistory:
    """A history for a rule's outputs that ends in an error, with respect to everything that the rule has used.

    Attributes:
        edges: the edges of the Function's arguments, by level.
    """

    def __init__(self, ctx: Any) -> None:
        self.name = type(ctx).__name__
        self.edges: dict[float, tuple[Edge, ...]] = dict(ctx.__dict__.get("_lower_edges", {}))
        node = None if ctx._node is None else ctx._node()
        if node is not None:
            level = node._input_metadata[0].level
            self.edges[level] = tuple([unpack_edge(edge) for edge in node.edges if edge is not None])

    def attach_to(self, output: Any, sources: Sequence[Tensor], level: float) -> Any:
        """Attach the history to an output at all levels up to this one."""
        if not isinstance(output, Tensor):
            return output
        output = raise_level(output, level)
        array, spec = output._array, output._spec
        inner = array.value if type(array) is BatchedArray else array
        if type(array) is BatchedArray and any(lower < spec.level for lower in self.edges):
            inner = ensure_tensor(inner)
        if isinstance(inner, Tensor):
            lower = [_unwrap_batch(source) if source._spec.level == spec.level else source for source in sources]
            inner = self.attach_to(inner, [source for source in lower if isinstance(source, Tensor)], inner._spec.level)
        own = [s._gradient_edge() for s in sources if s._edge is not None and s._spec.level == spec.level]
        edges = tuple(dict.fromkeys((*own, *self.edges.get(spec.level, ()))))
        if type(array) is BatchedArray:
            inner = BatchedArray(inner, array.level, array.batched)
        result = wrap_as(inner, spec)
        if edges and spec.inexact:
            result._edge = DelayedError(edges, spec, self.name)
        return result


def _unwrap_batch(tensor: Tensor) -> Any:
    array = tensor._array
    return array.value if type(array) is BatchedArray else array


class DelayedError(Node):
    """Node of a result that cannot be differentiated: running it is an error."""

    __slots__ = ()

    def backward_raw(self, grad: Any, needed: Any = None) -> Sequence[Any]:
        raise RuntimeError(
            f"{self.saved} is marked by once_differentiable, so its backward cannot be differentiated; for second "
            "derivatives, write it with differentiable operators and take the mark away"
        )

    backward_graph = backward_raw
