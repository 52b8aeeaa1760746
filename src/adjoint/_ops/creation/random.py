"""Random tensors: rand, randn, randint, randperm, multinomial and their `_like` variants.

Numbers are drawn by NumPy in host memory, and moved to the wanted array library. For operators that need
random numbers there are two functions on plain arrays:

    uniform_array(shape, like, generator=None)       numbers in [0, 1)
    bernoulli_array(p, shape, like, generator=None)  ones with probability p, zeros otherwise

where `like` is a tensor whose dtype, device and array library the array gets.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adjoint import _dtypes
from adjoint._core.generator import (
    Generator,
    draw,
    draw_integers,
    draw_normal,
    draw_uniform,
    refuse_batched_parameters,
)
from adjoint._core.tensor import Tensor
from adjoint._dispatch.factory import as_native, creation, default_to, new_leaf, public_function, shape_of
from adjoint._dispatch.out import overwrite
from adjoint.arrays import namespace_of, numpy_namespace
from adjoint.arrays.batched import BatchedArray, batched_namespace, running


def uniform_array(shape: Any, like: Tensor, generator: Generator | None = None) -> Any:
    """An array of uniform random numbers in [0, 1); see the top of this module."""
    return as_native(draw(generator, shape, lambda source, size: draw_uniform(source, size, like._spec.dtype)), like)


def bernoulli_array(p: float, shape: Any, like: Tensor, generator: Generator | None = None) -> Any:
    """An array of Bernoulli samples (0 or 1) with one probability; see the top of this module."""
    kind = like._spec.dtype.numpy
    drawn = draw(generator, shape, lambda source, size: (source.random(size, dtype=np.float32) < p).astype(kind))
    return as_native(drawn, like)


# ---- filled with random numbers --------------------------------------------------------------------------------------


@creation
def rand(*size: Any, generator: Generator | None = None, dtype: Any = None) -> Any:
    """Random numbers from the uniform distribution on [0, 1).

    Args:
        size: the shape, as several integers or as one tuple.
        generator: the random number generator; by default the one of `manual_seed`.

    Example:
        >>> ad.rand(2, 3).shape
        adjoint.Size([2, 3])
    """
    return _draw_reals(draw_uniform, shape_of(size), generator, default_to(dtype))


@creation
def randn(*size: Any, generator: Generator | None = None, dtype: Any = None) -> Any:
    """Random numbers from the standard normal distribution (mean 0, variance 1).

    Example:
        >>> ad.randn(2, dtype=ad.complex64).dtype
        adjoint.complex64
    """
    return _draw_reals(draw_normal, shape_of(size), generator, default_to(dtype))


def _draw_reals(how: Any, shape: Any, generator: Generator | None, dtype: _dtypes.dtype) -> Any:
    return draw(generator, shape, lambda source, size: how(source, size, dtype))


@creation
def randint(
    *arguments: Any,
    low: int | None = None,
    high: int | None = None,
    size: Any = None,
    generator: Generator | None = None,
    dtype: Any = None,
) -> Any:
    """Random integers, uniform between `low` (included) and `high` (excluded).

    Args:
        low: the smallest integer; 0 by default.
        high: the bound above, excluded.
        size: the shape.
        dtype: int64 unless given.

    Example:
        >>> ad.randint(3, 4, (2,))
        tensor([3, 3])
    """
    low, high, size = _read_randint(list(arguments), low, high, size)
    return _draw_integers(low, high, shape_of((size,)), generator, default_to(dtype, _dtypes.int64))


def _draw_integers(low: int, high: int, shape: Any, generator: Generator | None, dtype: _dtypes.dtype) -> Any:
    kind = dtype.numpy
    _refuse_overflow("randint", low, high - 1, kind)
    return draw(generator, shape, lambda source, size: draw_integers(source, low, high, size).astype(kind))


def _refuse_overflow(name: str, low: int, high: int, kind: Any) -> None:
    """Refuse integers that a dtype would wrap around."""
    if kind.kind in "iu" and low <= high and not np.iinfo(kind).min <= low <= high <= np.iinfo(kind).max:
        raise RuntimeError(f"{name}: integers from {low} to {high} do not fit {kind}")


def _read_randint(given: list[Any], low: Any, high: Any, size: Any) -> tuple[int, int, Any]:
    if size is None and given:
        size = given.pop()
    if high is None and given:
        high = given.pop()
    if low is None and given:
        low = given.pop()
    if given or high is None or not isinstance(size, (tuple, list)):
        raise TypeError("randint() is called as randint(high, size) or randint(low, high, size), with a tuple as size")
    return int(low or 0), int(high), size


@creation
def randperm(n: int, *, generator: Generator | None = None, dtype: Any = None) -> Any:
    """Random permutation of the integers from 0 to ``n - 1``.

    Example:
        >>> ad.randperm(5).sum()
        tensor(10)
    """
    (count,) = shape_of((n,))
    kind = default_to(dtype, _dtypes.int64).numpy
    _refuse_overflow("randperm", 0, count - 1, kind)
    return draw(generator, (), lambda source, size: _permutations(source, size, count).astype(kind))


def _permutations(source: Any, size: tuple[int, ...], count: int) -> Any:
    """One permutation, or many of the given shape."""
    if not size:
        return source.permutation(count)
    return source.permuted(np.broadcast_to(np.arange(count), (*size, count)), axis=-1)


@creation(like=False)
def rand_like(input: Tensor, *, generator: Generator | None = None, dtype: Any = None, device: Any = None) -> Any:
    """Uniform random numbers in [0, 1) with the shape, dtype and device of a tensor.

    Example:
        >>> ad.rand_like(ad.zeros(2, 3)).shape
        adjoint.Size([2, 3])
    """
    spec = input._spec
    return as_native(_draw_reals(draw_uniform, spec.shape, generator, default_to(dtype, spec.dtype)), input, device)


@creation(like=False)
def randn_like(input: Tensor, *, generator: Generator | None = None, dtype: Any = None, device: Any = None) -> Any:
    """Standard normal random numbers with the shape, dtype and device of a tensor.

    Example:
        >>> ad.randn_like(ad.zeros(2, 3)).shape
        adjoint.Size([2, 3])
    """
    spec = input._spec
    return as_native(_draw_reals(draw_normal, spec.shape, generator, default_to(dtype, spec.dtype)), input, device)


@creation(like=False)
def randint_like(
    input: Tensor,
    *bounds: Any,
    low: Any = None,
    high: Any = None,
    generator: Generator | None = None,
    dtype: Any = None,
    device: Any = None,
) -> Any:
    """Random integers with the shape, dtype and device of a tensor.

    Example:
        >>> ad.randint_like(ad.zeros(2, 3), 10).shape
        adjoint.Size([2, 3])
    """
    spec = input._spec
    low, high, size = _read_randint(list(bounds), low, high, tuple(spec.shape))
    return as_native(_draw_integers(low, high, size, generator, default_to(dtype, spec.dtype)), input, device)


# ---- drawn from weights ----------------------------------------------------------------------------------------------


@public_function(method=True)
def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: Generator | None = None, out: Any = None
) -> Tensor:
    """Random indices from the multinomial distribution given by each row of weights.

    Args:
        input: weights, one row or several.
        num_samples: how many indices for each row.
        replacement: whether an index may be drawn again.
        generator: the random number generator; the default one if left out.
        out: the tensor to write the result to.

    Example:
        >>> ad.multinomial(ad.tensor([0.0, 3.0, 0.0]), 1)
        tensor([1])
    """
    _check_multinomial(input, num_samples, replacement)
    refuse_batched_parameters("multinomial", input._array)
    xp, weights = _on_the_host(input._array)
    _check_weights(weights)
    if replacement:
        bounds = xp.cumulative_sum(weights, axis=-1)
        shape = (*weights.shape[:-1], num_samples)
        drawn = draw(generator, shape, lambda source, size: source.random(size)) * bounds[..., -1:]
        array = xp.sum(xp.astype(drawn[..., None] >= bounds[..., None, :], xp.int64), axis=-1)
    else:
        # An exponential clock with that rate for each index: they ring in the order of a draw without replacement.
        with np.errstate(divide="ignore"):
            clocks = draw(generator, weights.shape, lambda source, size: source.standard_exponential(size)) / weights
        array = namespace_of(clocks).argsort(clocks, axis=-1, stable=True)[..., :num_samples]
    array = np.ascontiguousarray(array) if isinstance(array, np.ndarray) else array
    result = new_leaf(as_native(array, input))
    return result if out is None else overwrite(out, result, "out=")


def _on_the_host(array: Any) -> tuple[Any, Any]:
    """An array's values as float64 NumPy arrays, batches of them as batches; and what computes with either."""
    if isinstance(array, Tensor):
        return _on_the_host(array._array)
    if type(array) is BatchedArray:
        return batched_namespace, BatchedArray(_on_the_host(array.value)[1], array.level, array.batched)
    values = np.asarray(namespace_of(array).to_numpy(array), dtype=np.float64)
    return (batched_namespace if running() else numpy_namespace), values


def _check_weights(weights: Any) -> None:
    while type(weights) is BatchedArray:
        weights = weights.value
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise RuntimeError("multinomial: weights have to be finite and not negative")
    if (weights.sum(-1) <= 0).any():
        raise RuntimeError("multinomial: a row has no weight above zero")


def _check_multinomial(input: Tensor, num_samples: int, replacement: bool) -> None:
    if len(input._spec.shape) not in (1, 2):
        raise RuntimeError(f"multinomial: weights are one row or several, not of shape {input._spec.shape}")
    if not input._spec.dtype.is_floating_point:
        raise RuntimeError(f"multinomial: weights have to be floating point numbers, not {input._spec.dtype!r}")
    if num_samples <= 0:
        raise RuntimeError(f"multinomial: the number of samples has to be positive, and {num_samples} is not")
    if not replacement and num_samples > input._spec.shape[-1]:
        raise RuntimeError(
            f"multinomial: {num_samples} indices out of {input._spec.shape[-1]} cannot be drawn without replacement"
        )
