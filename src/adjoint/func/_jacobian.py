"""Jacobians and Hessians (`jacrev`, `jacfwd`, `hessian`): products with all unit vectors at once, by `vmap`."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any

from adjoint._core.levels import hidden_level, innermost_array, unwrap_constant
from adjoint._core.tensor import Tensor, wrap
from adjoint._dispatch import trees
from adjoint._dispatch.table import table
from adjoint._ops.creation.ranges import eye
from adjoint.arrays import namespace_of
from adjoint.arrays.batched import BatchedArray, mapping
from adjoint.func._grad import check_outputs
from adjoint.func._jvp import jvp_of
from adjoint.func._recording import needs_no_level, record
from adjoint.func._vmap import unwrap_result, vmap


def jacrev(
    func: Callable[..., Any],
    argnums: trees.Argnums = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[..., Any]:
    """Transform a function into one that computes its Jacobian by reverse mode, row by row.

    Best for functions with fewer outputs than inputs.

    Args:
        func: returns a tree of real tensors, or ``(that, aux)`` if `has_aux`.
        argnums: with respect to which positional arguments; a tuple gives a tuple of Jacobians for each output.
        has_aux: whether `func` returns something beside what is differentiated; then so does the new function.
        chunk_size: how many rows to compute at a time (default: all); 1 means a loop without `vmap`.

    Returns:
        A function whose result is the output's tree with, at each leaf, the argument's tree of tensors of the shape
        ``output.shape + input.shape``.

    Example:
        >>> ad.func.jacrev(lambda x: x**2)(ad.tensor([1.0, 2.0]))
        tensor([[2., 0.],
                [0., 4.]])
    """
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"jacrev: chunk_size has to be positive or None, got {chunk_size}")

    @functools.wraps(func)
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        args = trees.with_tensors(args)
        trees.check_real("jacrev", trees.flatten(args)[0], "arguments")
        numbers = trees.check_argnums(argnums, len(args))
        called = functools.partial(func, **kwargs) if kwargs else func
        with record(called, args, {}, numbers, has_aux, "jacrev") as recording:
            check_outputs(recording.outputs, "jacrev")
            trees.check_real("jacrev", recording.outputs, "function's outputs")
            result = trees.unflatten(recording.output_structure, pull_rows(recording, chunk_size))
        return (result, recording.outside(recording.aux)) if has_aux else result

    return jacobian


def pull_rows(recording: Any, chunk_size: int | None) -> list[Any]:
    """Compute for each output of a recording the tree of its Jacobians with respect to the inputs."""
    pull = functools.partial(recording.pull, keep=True)
    blocks = jacobian_by_rows(recording.outputs, recording.inputs, pull, recording.pull_batch, chunk_size)
    return [recording.as_arguments(row) for row in blocks]


def jacobian_by_rows(outputs: Any, inputs: Any, pull: Any, pull_batch: Any, chunk_size: int | None) -> list[list[Any]]:
    """Compute for each output its Jacobians with respect to each input, by VJPs with unit vectors.

    Args:
        pull: computes a VJP: takes one tensor for each output, and returns one for each input.
        pull_batch: the same for several vectors, stacked along axis 0.
        chunk_size: how many vectors at a time; None for all.
    """
    sizes = [output._spec.size for output in outputs]
    if sum(sizes) == 1 or (chunk_size == 1 and sum(sizes)):
        columns = stack_parts([pull(unit) for unit in single_unit_vectors(outputs)])
    else:
        chunks = [pull_batch(basis) for basis in unit_vectors(outputs, chunk_size)]
        columns = chunks[0] if len(chunks) == 1 else [table["cat"].function(list(one), 0) for one in zip(*chunks)]
    blocks: list[list[Any]] = [
        [_reshape(part, (*one.shape, *leaf.shape)) for part, one in zip(_split(column, sizes, 0), outputs)]
        for column, leaf in zip(columns, inputs)
    ]
    return [list(row) for row in zip(*blocks)]


def blocks_of_columns(columns: Any, inputs: Any) -> list[list[Any]]:
    """Split JVPs with all unit vectors, stacked along axis 0, into the Jacobians of each output for each input."""
    sizes = [leaf._spec.size for leaf in inputs]
    rows: list[list[Any]] = []
    for column in columns:
        last = column.movedim(0, -1)
        shape = last.shape[:-1]
        rows.append([_reshape(part, (*shape, *leaf.shape)) for part, leaf in zip(_split(last, sizes, -1), inputs)])
    return rows


def stack_parts(products: list[Any]) -> list[Any]:
    """Stack products with one vector each along axis 0."""
    if len(products) == 1:
        return [part.unsqueeze(0) for part in products[0]]
    return [table["stack"].function(list(parts), 0) for parts in zip(*products)]


def jacfwd(
    func: Callable[..., Any],
    argnums: trees.Argnums | None = 0,
    has_aux: bool = False,
    *,
    randomness: str = "error",
) -> Callable[..., Any]:
    """Transform a function into one that computes its Jacobian by forward mode, column by column.

    Best for functions with fewer inputs than outputs.

    Args:
        func: returns a tree of real tensors, or ``(that, aux)`` if `has_aux`.
        argnums: with respect to which positional arguments; a tuple gives a tuple of Jacobians for each output.
        has_aux: whether `func` returns something beside what is differentiated; then so does the new function.
        randomness: what random operators inside do for each column; see `vmap`.

    Returns:
        A function with the same result as that of `jacrev`.

    Example:
        >>> ad.func.jacfwd(lambda x: x**2)(ad.tensor([1.0, 2.0]))
        tensor([[2., 0.],
                [0., 4.]])
    """

    @functools.wraps(func)
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        args = trees.with_tensors(args)
        trees.check_real("jacfwd", trees.flatten(args)[0], "arguments")
        numbers = tuple(range(len(args))) if argnums is None else trees.check_argnums(argnums, len(args))
        called = functools.partial(func, **kwargs) if kwargs else func
        inputs, input_structure = trees.flatten(trees.select_arguments(args, numbers))
        for index, leaf in enumerate(inputs):
            if not isinstance(leaf, Tensor):
                raise ValueError(
                    f"jacfwd: only tensors and arrays can be differentiated with respect to; leaf {index} of the "
                    f"arguments is a {type(leaf).__name__}"
                )

        basis = trees.unflatten(input_structure, next(unit_vectors(inputs, None)))
        if randomness == "error":
            result, aux = _batch_tangents(called, args, numbers, basis, has_aux)
        else:
            result, aux = _map_jvp(called, args, numbers, basis, has_aux, randomness)
        columns, output_structure = trees.flatten(result)
        rows = [trees.unflatten(input_structure, row) for row in blocks_of_columns(columns, inputs)]
        result = trees.unflatten(output_structure, rows)
        return (result, aux) if has_aux else result

    return jacobian


def _map_jvp(
    func: Callable[..., Any], args: Any, numbers: Any, basis: Any, has_aux: bool, randomness: str
) -> tuple[Any, Any]:
    """Compute JVPs with all unit vectors, along axis 0, by `vmap` over `jvp`; and the first aux."""

    def push(basis: Any) -> Any:
        output, tangent, aux = jvp_of(func, args, basis, numbers, has_aux, "jacfwd")
        trees.check_real("jacfwd", trees.flatten(output)[0], "function's outputs")
        return tangent, aux

    tangent, aux = vmap(push, out_dims=(0, 0 if has_aux else None), randomness=randomness)(basis)
    return tangent, trees.tree_map(lambda leaf: leaf[0], aux) if has_aux else None


def _batch_tangents(func: Callable[..., Any], args: Any, numbers: Any, basis: Any, has_aux: bool) -> tuple[Any, Any]:
    """Compute JVPs with all unit vectors in one call: values are computed once, and only tangents are batched, at a
    level that is hidden from the function."""
    leaves, structure = trees.flatten(basis)
    size = leaves[0]._spec.shape[0]
    with hidden_level() as level:
        arrays = [unwrap_constant(leaf) for leaf in leaves]
        batches = [wrap(BatchedArray(array, level)) for array in arrays]
        # Registered as a map for random functions only: dual levels opened inside do not belong to it.
        with mapping(-level, size, "error", arrays):
            output, tangent, aux = jvp_of(
                func, args, trees.unflatten(structure, batches), numbers, has_aux, "jacfwd", hidden=True
            )
        trees.check_real("jacfwd", trees.flatten(output)[0], "function's outputs")
        tangent = trees.tree_map(lambda leaf: unwrap_result(func, leaf, 0, level, size, arrays), tangent)
    return tangent, aux


def hessian(func: Callable[..., Any], argnums: trees.Argnums = 0) -> Callable[..., Any]:
    """Transform a function into one that computes its Hessian, the Jacobian of the Jacobian.

    Args:
        func: returns a tree of real tensors.
        argnums: with respect to which positional arguments; a tuple gives a tuple of tuples.

    Example:
        >>> ad.func.hessian(lambda x: (x**3).sum())(ad.tensor([1.0, 2.0]))
        tensor([[ 6.,  0.],
                [ 0., 12.]])
    """
    forward_over_reverse = jacfwd(jacrev(func, argnums), argnums)

    @functools.wraps(func)
    def second_derivative(*args: Any, **kwargs: Any) -> Any:
        args = trees.with_tensors(args)
        if not needs_no_level(args, argnums):
            return forward_over_reverse(*args, **kwargs)
        trees.check_real("hessian", trees.flatten(args)[0], "arguments")
        recording: Any
        with record(func, args, kwargs, argnums, False, "hessian") as recording:
            check_outputs(recording.outputs, "hessian")
            trees.check_real("hessian", recording.outputs, "function's outputs")
            if len(recording.outputs) == 1 and recording.outputs[0]._spec.size == 1:
                return _reverse_over_reverse(recording)
        return forward_over_reverse(*args, **kwargs)  # there are more rows than columns

    return second_derivative


def _reverse_over_reverse(recording: Any) -> Any:
    """Compute the Hessian of a function with one output of one element: VJPs of its recorded gradient."""
    shape, structure = recording.outputs[0]._spec.shape, recording.output_structure
    recording.differentiate()
    rows = recording.as_arguments(pull_rows(recording, None))
    if shape:
        rows = trees.tree_map(lambda block: block.reshape((*shape, *block.shape)), rows)
    return trees.unflatten(structure, [rows])


def unit_vectors(tensors: Any, chunk_size: int | None) -> Iterator[list[Any]]:
    """Yield the unit vectors of the space of all tensors together, `chunk_size` at a time.

    Each item is a list with, for each tensor, its parts of these vectors stacked along a new axis 0.
    """
    total = sum(tensor._spec.size for tensor in tensors)
    starts = [0, *itertools.accumulate(tensor._spec.size for tensor in tensors)]
    size = total if chunk_size is None else min(chunk_size, total)
    for begin in range(0, total, size) if total else [0]:
        count = min(size, total - begin)
        yield [_unit_rows(tensor, count, begin - start) for tensor, start in zip(tensors, starts)]


def single_unit_vectors(tensors: Any) -> Iterator[list[Any]]:
    """Yield the unit vectors one at a time: lists with one part for each tensor."""
    for basis in unit_vectors(tensors, 64):
        for row in range(basis[0]._spec.shape[0]):
            yield [part[row] for part in basis]


def _unit_rows(tensor: Tensor, count: int, diagonal: int) -> Tensor:
    """Make a tensor's part of `count` unit vectors, with ones on a diagonal."""
    spec = tensor._spec
    identity: Any = eye(
        count, spec.size, k=diagonal, dtype=spec.dtype, device=spec.device, like=namespace_of(innermost_array(tensor))
    )
    return identity if len(spec.shape) == 1 else identity.reshape((count, *spec.shape))


def _split(tensor: Any, sizes: list[int], dim: int) -> Any:
    return [tensor] if len(sizes) == 1 else tensor.split(sizes, dim)


def _reshape(tensor: Any, shape: tuple[int, ...]) -> Any:
    """Reshape; one that would change nothing is recorded, as in PyTorch, but not made without need."""
    return tensor if tensor._edge is None and tensor._spec.shape == shape else tensor.reshape(shape)
