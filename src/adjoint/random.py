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

from adjoint import dtypes
from adjoint.autograd.variable import Tensor
from adjoint.drawing import METHODS, bernoulli, normal, poisson
from adjoint.generator import (
    Generator,
    default_generator,
    draw_integers,
    draw_normal,
    draw_uniform,
    fork_rng,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
    source_of,
)
from adjoint.leaves import as_native, default_to, finish, interceptable, shape_of


def uniform_array(shape: Any, like: Tensor, generator: Generator | None = None) -> Any:
    """An array with numbers in [0, 1); see the top of this module."""
    return as_native(draw_uniform(source_of(generator), shape, like._spec.dtype), like)


def bernoulli_array(p: float, shape: Any, like: Tensor, generator: Generator | None = None) -> Any:
    """An array with ones where chance decides so; see the top of this module."""
    drawn = source_of(generator).random(shape, dtype=np.float32)
    return as_native((drawn < p).astype(like._spec.dtype.numpy), like)


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
        generator: what draws; by default the one that `manual_seed` seeds.
        dtype, device, requires_grad, out, like: as of `zeros`.

    Example:
        >>> ad.rand(2, 3).shape
        adjoint.Size([2, 3])
    """
    shape = shape_of(size or (defaults.pop("size", ()),))
    drawn = draw_uniform(source_of(generator), shape, default_to(dtype))
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
    shape = shape_of(size or (defaults.pop("size", ()),))
    drawn = draw_normal(source_of(generator), shape, default_to(dtype))
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
        low: the smallest integer (0 if left out).
        high: one more than the largest.
        size: the shape.
        generator: what draws.
        dtype: int64 unless given.

    Example:
        >>> ad.randint(3, 4, (2,))
        tensor([3, 3])
    """
    low, high, size = _read_randint(list(arguments), low, high, size)
    drawn = draw_integers(source_of(generator), low, high, shape_of((size,)))
    array = drawn.astype(default_to(dtype, dtypes.int64).numpy)
    return finish(as_native(array, like, device), requires_grad, out, defaults)


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
    array = source_of(generator).permutation(count).astype(default_to(dtype, dtypes.int64).numpy)
    return finish(as_native(array, like, device), requires_grad, out, defaults)


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
    weights = np.asarray(input._spec.namespace.to_numpy(input._array), dtype=np.float64)
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise RuntimeError("multinomial: weights have to be finite and not negative")
    if (weights.sum(-1) <= 0).any():
        raise RuntimeError("multinomial: a row has no weight above zero")
    source = source_of(generator)
    if replacement:
        bounds = np.cumsum(weights, axis=-1)
        drawn = source.random((*weights.shape[:-1], num_samples)) * bounds[..., -1:]
        array = (drawn[..., None] >= bounds[..., None, :]).sum(-1)
    else:
        # An exponential clock with that rate for each index: they ring in the order of a draw without replacement.
        with np.errstate(divide="ignore"):
            clocks = source.standard_exponential(weights.shape) / weights
        array = np.argsort(clocks, axis=-1, kind="stable")[..., :num_samples]
    return finish(as_native(np.ascontiguousarray(array), input), False, out, {})


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
