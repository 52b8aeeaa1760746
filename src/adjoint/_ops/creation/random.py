"""Random tensors.

Numbers are drawn by NumPy, on the CPU, and moved into the array library where they are wanted. For operators that need
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
    default_generator,
    draw,
    draw_integers,
    draw_normal,
    draw_uniform,
    fork_rng,
    get_rng_state,
    initial_seed,
    manual_seed,
    refuse_batched_parameters,
    seed,
    set_rng_state,
)
from adjoint._core.tensor import Tensor
from adjoint._dispatch.factory import as_native, default_to, finish, given_shape, interceptable, shape_of
from adjoint._ops.creation.random_fill import METHODS, bernoulli, normal, poisson
from adjoint.arrays import namespace_of, numpy_namespace
from adjoint.arrays.batched import BatchedArray, batched_namespace, running


def uniform_array(shape: Any, like: Tensor, generator: Generator | None = None) -> Any:
    """An array with numbers in [0, 1); see the top of this module."""
    return as_native(draw(generator, shape, lambda source, size: draw_uniform(source, size, like._spec.dtype)), like)


def bernoulli_array(p: float, shape: Any, like: Tensor, generator: Generator | None = None) -> Any:
    """An array with ones where chance decides so; see the top of this module."""
    kind = like._spec.dtype.numpy
    drawn = draw(generator, shape, lambda source, size: (source.random(size, dtype=np.float32) < p).astype(kind))
    return as_native(drawn, like)


# ---- filled with random numbers --------------------------------------------------------------------------------------


@interceptable
def rand(
    *size: Any,
    generator: Generator | None = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    out: Any = None,
    like: Any = None,
    **defaults: Any,
) -> Tensor:
    """Numbers drawn uniformly from [0, 1).

    Args:
        size: the shape, as several integers or as one tuple.
        generator: the random number generator; by default the one of `manual_seed`.

    Example:
        >>> ad.rand(2, 3).shape
        adjoint.Size([2, 3])
    """
    shape = given_shape(size, defaults)
    kind = default_to(dtype)
    drawn = draw(generator, shape, lambda source, size: draw_uniform(source, size, kind))
    return finish(as_native(drawn, like, device), requires_grad, out, defaults)


@interceptable
def randn(
    *size: Any,
    generator: Generator | None = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    out: Any = None,
    like: Any = None,
    **defaults: Any,
) -> Tensor:
    """Numbers drawn from the normal distribution with mean 0 and variance 1; arguments as of `rand`.

    Example:
        >>> ad.randn(2, dtype=ad.complex64).dtype
        adjoint.complex64
    """
    shape = given_shape(size, defaults)
    kind = default_to(dtype)
    drawn = draw(generator, shape, lambda source, size: draw_normal(source, size, kind))
    return finish(as_native(drawn, like, device), requires_grad, out, defaults)


@interceptable
def randint(
    *arguments: Any,
    low: int | None = None,
    high: int | None = None,
    size: Any = None,
    generator: Generator | None = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    out: Any = None,
    like: Any = None,
    **defaults: Any,
) -> Tensor:
    """Integers drawn uniformly: ``randint(high, size)`` or ``randint(low, high, size)``.

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
    kind = default_to(dtype, _dtypes.int64).numpy
    bounds = (low, high)
    _refuse_overflow("randint", low, high - 1, kind)
    array = draw(generator, shape_of((size,)), lambda source, size: draw_integers(source, *bounds, size).astype(kind))
    return finish(as_native(array, like, device), requires_grad, out, defaults)


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


@interceptable
def randperm(
    n: int,
    *,
    generator: Generator | None = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    out: Any = None,
    like: Any = None,
    **defaults: Any,
) -> Tensor:
    """The integers from 0 to ``n - 1`` in random order.

    Example:
        >>> ad.randperm(5).sum()
        tensor(10)
    """
    (count,) = shape_of((n,))
    kind = default_to(dtype, _dtypes.int64).numpy
    _refuse_overflow("randperm", 0, count - 1, kind)
    array = draw(generator, (), lambda source, size: _permutations(source, size, count).astype(kind))
    return finish(as_native(array, like, device), requires_grad, out, defaults)


def _permutations(source: Any, size: tuple[int, ...], count: int) -> Any:
    """One permutation, or many of the given shape."""
    if not size:
        return source.permutation(count)
    return source.permuted(np.broadcast_to(np.arange(count), (*size, count)), axis=-1)


def _like_arguments(input: Tensor, kwargs: dict[str, Any]) -> dict[str, Any]:
    if kwargs.get("dtype") is None:
        kwargs["dtype"] = input._spec.dtype
    return kwargs | {"like": input}


@interceptable
def rand_like(input: Tensor, **kwargs: Any) -> Tensor:
    """`rand` in the shape of a tensor, of its dtype, device and array library."""
    return rand(tuple(input._spec.shape), **_like_arguments(input, kwargs))


@interceptable
def randn_like(input: Tensor, **kwargs: Any) -> Tensor:
    """`randn` in the shape of a tensor, of its dtype, device and array library."""
    return randn(tuple(input._spec.shape), **_like_arguments(input, kwargs))


@interceptable
def randint_like(input: Tensor, *bounds: Any, low: Any = None, high: Any = None, **kwargs: Any) -> Tensor:
    """`randint` in the shape of a tensor, of its dtype, device and array library."""
    return randint(*bounds, low=low, high=high, size=tuple(input._spec.shape), **_like_arguments(input, kwargs))


# ---- drawn from weights ----------------------------------------------------------------------------------------------


def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: Generator | None = None, out: Any = None
) -> Tensor:
    """Indices drawn with probabilities in proportion to the elements of each row.

    Args:
        input: weights, one row or several.
        num_samples: how many indices for each row.
        replacement: whether an index may be drawn again.

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
    return finish(as_native(array, input), False, out, {})


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


METHODS["multinomial"] = multinomial

__all__ = [
    "METHODS",
    "Generator",
    "bernoulli",
    "bernoulli_array",
    "default_generator",
    "fork_rng",
    "get_rng_state",
    "initial_seed",
    "manual_seed",
    "multinomial",
    "normal",
    "poisson",
    "rand",
    "rand_like",
    "randint",
    "randint_like",
    "randn",
    "randn_like",
    "randperm",
    "seed",
    "set_rng_state",
    "uniform_array",
]
