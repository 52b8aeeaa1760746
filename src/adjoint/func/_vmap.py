"""`vmap`: vectorizing map of a function over a batch.

Inside, a mapped argument is a tensor around a `BatchedArray`, which looks like one sample and computes for all of them
(Note [Batching] in `arrays/batched`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import optree

from adjoint._core.forward.dual_levels import open_levels
from adjoint._core.forward.tangents import Cut
from adjoint._core.generator import get_rng_state, set_rng_state
from adjoint._core.levels import open_level, refuse_lost_derivative, unwrap_constant
from adjoint._core.tensor import Tensor, ensure_tensor, versions_of, wrap
from adjoint._core.views.layout import layout_array, offset_of
from adjoint._core.views.memory import memory_of, replay_raw, route_of
from adjoint._dispatch import trees
from adjoint._dispatch.table import ops
from adjoint.arrays import namespace_of
from adjoint.arrays.batched import BatchedArray, mapping
from adjoint.arrays.batched.loop import Fallback

_RANDOMNESS = ("error", "different", "same")


def vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[..., Any]:
    """Vectorize a function: apply it to every sample of a batch at once, without a Python loop.

    Inside `func`, tensors have the shape of one sample. Python control flow cannot depend on their values: use `where`
    in place of `if`.

    Args:
        func: a function of tensors (or trees of them: nested tuples, lists, dictionaries) that returns tensors.
        in_dims: the batch dimension of each argument; None for an argument that all samples share. One number for all,
            or a tree that matches the arguments. Keyword arguments are shared.
        out_dims: the batch dimension of each result; None for one that is the same for all samples.
        randomness: what random functions do inside: "error", "different" numbers for each sample, or the "same".
        chunk_size: how many samples to compute at a time (default: all), to use less memory.

    Returns:
        The function of batches.

    Example:
        >>> ad.func.vmap(ad.dot)(ad.ones(2, 3), ad.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
        tensor([ 6., 15.])
    """
    if randomness not in _RANDOMNESS:
        raise RuntimeError(f"vmap: randomness has to be 'error', 'different' or 'same', got {randomness!r}")
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"vmap: chunk_size has to be positive or None, got {chunk_size}")

    @functools.wraps(func)
    def mapped(*args: Any, **kwargs: Any) -> Any:
        inputs = _read_inputs(func, in_dims, args)

        def run(part: _Inputs) -> tuple[list[Any], list[Any], Any]:
            return _run(func, part, kwargs, out_dims, randomness)

        if chunk_size is None or inputs.size <= chunk_size:
            results, _, structure = run(inputs)
        else:
            results, structure = _run_chunks(run, inputs, chunk_size, randomness)
        return trees.unflatten(structure, results)

    return mapped


def set_vmap_fallback_warning_enabled(enabled: bool) -> None:
    """Set whether `vmap` warns where it falls back to a loop over samples.

    The operators of adjoint work on a whole batch, except those whose result's shape depends on values, like
    `bincount`; custom operators, custom Functions and NumPy functions may need values, or have no batching rule.

    Args:
        enabled: for the whole process; initially True.

    Example:
        >>> ad.func.set_vmap_fallback_warning_enabled(False)
        >>> ad.func.set_vmap_fallback_warning_enabled(True)
    """
    Fallback.warns = bool(enabled)


# ---- arguments -------------------------------------------------------------------------------------------------------


class _Inputs(NamedTuple):
    """The leaves of the arguments, their batch dimensions, and the batch size."""

    leaves: list[Any]
    dims: list[int | None]
    structure: Any
    size: int


def _read_inputs(func: Any, in_dims: Any, args: tuple[Any, ...]) -> _Inputs:
    leaves, structure = trees.flatten(trees.with_tensors(args))
    if not leaves:
        raise ValueError(
            f"vmap: {_name(func)} was called without positional arguments, so there is nothing to map over"
        )
    if isinstance(in_dims, bool) or not isinstance(in_dims, (int, tuple, list)):
        raise ValueError(
            f"vmap: in_dims has to be an int or a tuple that matches the arguments, got {type(in_dims).__name__}"
        )
    dims = _match_dims(in_dims, args, "in_dims", "arguments")
    dims = [_check_dim(func, leaf, dim) for leaf, dim in zip(leaves, dims)]
    sizes = {leaf.shape[dim] for leaf, dim in zip(leaves, dims) if dim is not None}
    if not sizes:
        raise ValueError(f"vmap: in_dims={in_dims!r} maps over no argument; at least one needs a dimension")
    if len(sizes) > 1:
        shown = [leaf.shape[dim] for leaf, dim in zip(leaves, dims) if dim is not None]
        raise ValueError(f"vmap: the mapped dimensions of the arguments have different lengths: {shown}")
    return _Inputs(leaves, dims, structure, sizes.pop())


def _match_dims(dims: Any, tree: Any, name: str, of: str) -> list[Any]:
    """Broadcast in_dims or out_dims to the leaves of a tree; one number applies to all leaves of a branch."""
    try:
        return optree.broadcast_prefix(dims, tree, none_is_leaf=True, namespace=trees.NAMESPACE)
    except ValueError as error:
        raise ValueError(f"vmap: {name}={dims!r} is not built like the {of}: {error}") from None


def _check_dim(func: Any, leaf: Any, dim: Any) -> int | None:
    if dim is None:
        return None
    if isinstance(dim, bool) or not isinstance(dim, int):
        raise ValueError(f"vmap: in_dims has to consist of ints and None, got {dim!r}")
    if not isinstance(leaf, Tensor):
        raise ValueError(
            f"vmap: in_dims has {dim} for an argument of {_name(func)} that is a {type(leaf).__name__}; only tensors "
            "can be mapped over. Use None there."
        )
    ndim = leaf.ndim
    if not -ndim <= dim < ndim:
        raise ValueError(f"vmap: in_dims has {dim} for a tensor of {ndim} dimensions, of shape {tuple(leaf.shape)}")
    return dim % ndim


def _name(func: Any) -> str:
    return getattr(func, "__name__", repr(func))


# ---- one run ---------------------------------------------------------------------------------------------------------


def _run(func: Any, inputs: _Inputs, kwargs: Any, out_dims: Any, randomness: str) -> tuple[list[Any], list[Any], Any]:
    """Run the function on a batch; returns the results, their batch dimensions and their structure."""
    with open_level(*inputs.leaves) as level:
        batches = _make_batches(inputs, level)
        arrays = [batch._array if dim is not None else None for batch, dim in zip(batches, inputs.dims)]
        values = [array.value for array in arrays if array is not None]
        with mapping(level, inputs.size, randomness, values, open_levels):
            output = func(*trees.unflatten(inputs.structure, batches), **kwargs)
        leaves, structure = trees.flatten(output)
        dims = _read_out_dims(func, out_dims, output)
        shown = [_find_source(leaf, dim, batches, inputs) for leaf, dim in zip(leaves, dims)]
        results = [
            None if source else unwrap_result(func, leaf, dim, level, inputs.size, values)
            for leaf, dim, source in zip(leaves, dims, shown)
        ]
    for place, source in enumerate(shown):
        if source:
            results[place] = _show(leaves[place], dims[place], *source, level)
    return results, dims, structure


def _make_batches(inputs: _Inputs, level: int) -> list[Any]:
    """Wrap the arguments as batched tensors; one that is passed twice stays one, so that writes are seen by both."""
    made: dict[tuple[int, int], Tensor] = {}
    for leaf, dim in zip(inputs.leaves, inputs.dims):
        if dim is not None and (id(leaf), dim) not in made:
            made[id(leaf), dim] = _make_batch(leaf, dim, level)
    return [leaf if dim is None else made[id(leaf), dim] for leaf, dim in zip(inputs.leaves, inputs.dims)]


def _make_batch(leaf: Tensor, dim: int, level: int) -> Tensor:
    """Wrap a tensor as a batched tensor of the level."""
    batch = wrap(_batch_argument(leaf, dim, level))
    batch._versions = versions_of(leaf)
    return batch


def _batch_argument(leaf: Tensor, dim: int, level: int) -> BatchedArray:
    """Make the batch of an argument; what is written to it is written to the argument."""
    value = unwrap_constant(leaf)
    if dim:
        value = namespace_of(value).moveaxis(value, dim, 0)

    def write(batch: BatchedArray, detached: bool) -> BatchedArray:
        target, source = leaf, _move_batch_dim(ensure_tensor(batch.value), dim)
        if detached:
            refuse_lost_derivative(source, "vmap: a write through detach()")
            target = ops.detach(leaf)
        target.copy_(source)  # type: ignore[attr-defined]
        return _batch_argument(leaf, dim, level)

    array = BatchedArray(value, level)
    array.write = write
    if dim:
        array.given_dim = dim
    return array


def _read_out_dims(func: Any, out_dims: Any, output: Any) -> list[Any]:
    if type(out_dims) is int:
        count = 1 if isinstance(output, Tensor) else len(trees.flatten(output)[0])
        return [out_dims] * count
    if isinstance(output, Tensor) and isinstance(out_dims, tuple) and len(out_dims) == 1:  # pyright: ignore
        out_dims = out_dims[0]  # pyright: ignore
    dims = _match_dims(out_dims, output, "out_dims", "results")
    given: Any = out_dims
    for dim in optree.tree_leaves(given, none_is_leaf=True, namespace=trees.NAMESPACE):
        if dim is not None and (isinstance(dim, bool) or not isinstance(dim, int)):
            raise ValueError(f"vmap: out_dims has to be an int, None or a tree of these, got {dim!r}")
    return dims


def unwrap_result(func: Any, leaf: Any, dim: Any, level: int, size: int, inputs: list[Any]) -> Any:
    """Unwrap a result of a mapped function: a tensor with its batch dimension at `dim`."""
    if not isinstance(leaf, Tensor):
        if dim is None:
            return leaf
        raise ValueError(
            f"vmap: {_name(func)} has to return tensors, and returned a {type(leaf).__name__}. What is no tensor can "
            "be returned with None as its out_dims."
        )
    while leaf._spec.level > level:
        leaf = leaf._array  # of a transform inside that is closed
    array = leaf._array
    batched = type(array) is BatchedArray and array.level == level
    if batched and array.batched:
        if array.value.shape[0] != size:
            raise RuntimeError(
                f"vmap: {_name(func)} returned a tensor with {array.value.shape[0]} samples where there are {size}: it "
                "has been kept from another vmap that is over. Return it from that one instead."
            )
        if dim is None:
            raise ValueError(
                f"vmap: {_name(func)} returned a tensor that differs from sample to sample, of shape "
                f"{tuple(leaf.shape)}, where out_dims has None; give it a dimension"
            )
        return _move_batch_dim(ensure_tensor(_copy_if_shared(array.value, inputs)), dim)
    constant = leaf
    while constant._spec.level >= level and constant._edge is None:  # made by a transform inside, which is closed
        inside = constant._array
        constant = ensure_tensor(inside.value if type(inside) is BatchedArray else inside)
    if dim is None:
        return constant
    whole = ops.expand(ops.unsqueeze(constant, 0), (size, *constant.shape))
    return _move_batch_dim(whole, dim)


def _find_source(result: Any, dim: Any, batches: list[Any], inputs: _Inputs) -> tuple[Tensor, int] | None:
    """Find the argument that a result is, or is a view of, and its batch dimension; None if it has to be a copy."""
    if dim is None or not isinstance(result, Tensor):
        return None
    memory, route = memory_of(result), route_of(result)
    for batch, leaf, place in zip(batches, inputs.leaves, inputs.dims):
        if place is None or not (result is batch or (memory is not None and memory is memory_of(batch))):
            continue
        # A part of a tensor with derivatives may have been detached, or unpacked, on the way.
        plain = not isinstance(batch._array.value, Tensor) or not any(type(step) is Cut for step in route)
        return (leaf, place) if not route or (leaf._spec.level == 0 and plain) else None
    return None


def _show(result: Tensor, dim: int, leaf: Tensor, place: int, level: int) -> Tensor:
    """Make the result of `vmap` that shows the memory of an argument: a view of it, or the argument itself."""
    route = route_of(result)
    if not route:
        return leaf if place == dim % leaf.ndim else ops.movedim(leaf, place, dim)
    layout: Any = layout_array(leaf)
    part: Any = replay_raw(route, BatchedArray(np.moveaxis(layout, place, 0), level)).value
    size = part.itemsize
    if part.dtype != layout.dtype or min(part.strides, default=0) < 0 or not np.may_share_memory(part, layout):
        return _move_batch_dim(ops.clone(ensure_tensor(result._array.value)), dim)
    offset = offset_of(leaf) + (part.ctypes.data - layout.ctypes.data) // size
    view = ops.as_strided(leaf, part.shape, [step // size for step in part.strides], offset)
    return _move_batch_dim(view, dim)


def _copy_if_shared(value: Any, inputs: list[Any]) -> Any:
    """Copy a value that shares memory: a function may have returned (a view of) its argument."""
    if isinstance(value, Tensor):
        versions = value._versions
        shared = versions is not None and any(isinstance(one, Tensor) and one._versions is versions for one in inputs)
        return ops.clone(value) if shared else value
    space = namespace_of(value)
    if not space.mutable or (space.owns_memory(value) and not any(value is one for one in inputs)):
        return value
    return space.copy(value)


def _move_batch_dim(tensor: Tensor, dim: int) -> Tensor:
    """Move the batch dimension from 0 to `dim`."""
    return ops.movedim(tensor, 0, dim) if dim else tensor


# ---- chunks ----------------------------------------------------------------------------------------------------------


def _run_chunks(run: Any, inputs: _Inputs, chunk_size: int, randomness: str) -> tuple[list[Any], Any]:
    """Run the function on chunks of the batch, and concatenate the results."""
    drawn = get_rng_state() if randomness == "same" else None
    columns: list[list[Any]] = []
    dims: list[Any] = []
    structure: Any = None
    for chunk in _chunks(inputs, chunk_size):
        if drawn is not None:
            set_rng_state(drawn)
        results, dims, structure = run(chunk)
        columns.append(results)
    joined = [rows[0] if dim is None else ops.cat(list(rows), dim) for rows, dim in zip(zip(*columns), dims)]
    return joined, structure


def _chunks(inputs: _Inputs, chunk_size: int) -> Iterator[_Inputs]:
    for start in range(0, inputs.size, chunk_size):
        size = min(chunk_size, inputs.size - start)
        leaves = [
            leaf if dim is None else ops.narrow(leaf, dim, start, size) for leaf, dim in zip(inputs.leaves, inputs.dims)
        ]
        yield inputs._replace(leaves=leaves, size=size)
