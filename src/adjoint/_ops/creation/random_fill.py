"""Random sampling with tensors as parameters (bernoulli, normal, poisson), and in place (uniform_, normal_, ...)."""

from __future__ import annotations

from typing import Any

import numpy as np

from adjoint import _dtypes
from adjoint._core.generator import (
    DIGITS,
    Generator,
    draw,
    draw_integers,
    draw_normal,
    draw_uniform,
    numpy_source,
    refuse_batched_parameters,
    require_floating,
)
from adjoint._core.tensor import Tensor
from adjoint._dispatch.declare import random
from adjoint._dispatch.factory import as_native, default_to, new_leaf, public_function, shape_of
from adjoint._dispatch.out import overwrite
from adjoint._dispatch.table import ops
from adjoint.arrays import namespace_of
from adjoint.arrays.batched import BatchedArray, batched_namespace


def _native(xp: Any, values: Any, x: Any) -> Any:
    """NumPy numbers in the library, dtype and device of `x`, an array."""
    kind = xp.dtype_of(x).numpy
    if type(values) is BatchedArray:
        return as_native(batched_namespace.astype(values, kind), _sample(x))
    return as_native(values.astype(kind, copy=False), _sample(x))


def _sample(x: Any) -> Tensor:
    """A tensor of the library and on the device of an array, or of those that a batch is made of."""
    while type(x) is BatchedArray:
        x = x.value
    return Tensor(x)


def _shape(x: Any) -> tuple[int, ...]:
    return tuple(x.shape)


@random(name="bernoulli")
def _bernoulli(xp: Any, input: Any, generator: Any = None) -> Any:
    if not xp.lazy and not bool(xp.all((input >= 0) & (input <= 1))):
        raise RuntimeError("bernoulli: probabilities have to be between 0 and 1")
    kind = xp.dtype_of(input)
    require_floating(kind, "bernoulli")
    refuse_batched_parameters("bernoulli", input)
    drawn = draw(generator, _shape(input), lambda source, size: draw_uniform(source, size, kind))
    below = _native(xp, drawn, input) < input
    space = namespace_of(below)
    return space.astype(below, space.native_dtype(kind))


@public_function(method=True)
def bernoulli(input: Tensor, p: float | None = None, *, generator: Generator | None = None, out: Any = None) -> Tensor:
    """Random zeros and ones (Bernoulli distribution); the elements are the probabilities of one.

    Args:
        input: the probabilities; only its shape and dtype count if `p` is given.
        p: one probability for all elements.
        generator: the random number generator; the default one if left out.
        out: the tensor to write the result to.

    Example:
        >>> ad.bernoulli(ad.tensor([0.0, 1.0]))
        tensor([0., 1.])
    """
    if p is None:
        return _bernoulli.function(input, generator, out=out)
    return _fill_bernoulli.function(input, p, generator, out=out)


@random(name="poisson")
def _poisson(xp: Any, input: Any, generator: Any = None) -> Any:
    refuse_batched_parameters("poisson", input)
    # The sum with zeros that are drawn has an axis for each sample that is to have its own numbers.
    rates = draw(generator, _shape(input), lambda source, size: np.zeros(size)) + input
    return _native(xp, _poisson_numbers(rates, generator), input)


def _poisson_numbers(rates: Any, generator: Any) -> Any:
    if type(rates) is BatchedArray:
        return BatchedArray(_poisson_numbers(rates.value, generator), rates.level)
    rates = np.asarray(namespace_of(rates).to_numpy(rates), dtype=np.float64)
    if (rates < 0).any():
        raise RuntimeError("poisson: rates must not be negative")
    return np.asarray(numpy_source(generator).poisson(rates))


@public_function
def poisson(input: Tensor, generator: Generator | None = None) -> Tensor:
    """Random numbers from Poisson distributions whose rates are the elements.

    Args:
        input: the rates.
        generator: the random number generator; the default one if left out.

    Example:
        >>> ad.poisson(ad.zeros(2))
        tensor([0., 0.])
    """
    return _poisson.function(input, generator)


@random(name="binomial", of=("input", "other"), refuses_derivative=True)
def _binomial(xp: Any, input: Any, other: Any, generator: Any = None) -> Any:
    require_floating(xp.dtype_of(input), "binomial")
    refuse_batched_parameters("binomial", input, other)
    shape = np.broadcast_shapes(_shape(input), _shape(other))
    # The sum with zeros that are drawn has an axis for each sample that is to have its own numbers.
    counts = draw(generator, shape, lambda source, size: np.zeros(size)) + input
    return _native(xp, _binomial_numbers(counts, other, generator), input)


def _binomial_numbers(counts: Any, chances: Any, generator: Any) -> Any:
    if type(counts) is BatchedArray:
        return BatchedArray(_binomial_numbers(counts.value, chances, generator), counts.level)
    counts, chances = (np.asarray(namespace_of(one).to_numpy(one), dtype=np.float64) for one in (counts, chances))
    if not (counts >= 0).all() or (counts % 1).any():
        raise RuntimeError("binomial: counts have to be whole numbers and not negative")
    if not ((chances >= 0) & (chances <= 1)).all():
        raise RuntimeError("binomial: probabilities have to be between 0 and 1")
    return np.asarray(numpy_source(generator).binomial(counts.astype(np.int64), chances))


@public_function
def binomial(count: Tensor, prob: Tensor, generator: Generator | None = None) -> Tensor:
    """Random numbers of successes (binomial distribution).

    Args:
        count: how many trials.
        prob: the probability that one succeeds.
        generator: the random number generator; the default one if left out.

    Example:
        >>> ad.binomial(ad.tensor([4.0, 4.0]), ad.tensor([0.0, 1.0]))
        tensor([0., 4.])
    """
    return _binomial.function(count, prob, generator)


@random(name="normal", of=("input", "other"), node_name="NormalBackward3")
def _spread(xp: Any, input: Any, other: Any, generator: Any = None) -> Any:
    if not xp.lazy and not bool(xp.all(other >= 0)):
        raise RuntimeError("normal: standard deviations must not be negative")
    refuse_batched_parameters("normal", input, other)
    shape, kind = np.broadcast_shapes(_shape(input), _shape(other)), xp.dtype_of(input)
    return input + other * _native(xp, draw(generator, shape, lambda s, size: draw_normal(s, size, kind)), input)


@public_function
def normal(
    mean: Any,
    std: Any = 1.0,
    size: Any = None,
    *,
    generator: Generator | None = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    out: Any = None,
) -> Tensor:
    """Random numbers from normal (Gaussian) distributions.

    Args:
        mean, std: tensors, one distribution for each element, or numbers.
        size: the shape, if both are numbers.
        generator: the random number generator; the default one if left out.
        dtype, device, requires_grad: as of `zeros`, if both are numbers.
        out: the tensor to write the result to.

    Example:
        >>> ad.normal(ad.tensor([1.0, 2.0]), 0.0)
        tensor([1., 2.])
    """
    if not isinstance(mean, Tensor) and not isinstance(std, Tensor):
        if size is None:
            raise TypeError("normal() of two numbers needs a size")
        if std < 0:
            raise RuntimeError(f"normal: the standard deviation must not be negative, as {std} is")
        kind, shape = default_to(dtype), shape_of((size,))
        drawn = draw(generator, shape, lambda s, size: (draw_normal(s, size, kind) * std + mean).astype(kind.numpy))
        result = new_leaf(as_native(drawn, None, device), requires_grad)
        return result if out is None else overwrite(out, result, "out=")
    operands = [_as_floating(part, mean if isinstance(mean, Tensor) else std) for part in (mean, std)]
    return _spread.function(*operands, generator, out=out)


def _as_floating(value: Any, like: Tensor) -> Tensor:
    return value if isinstance(value, Tensor) else ops.full((), value, dtype=like._spec.dtype, like=like)


# ---- in place --------------------------------------------------------------------------------------------------------


def _require(condition: bool, name: str, rule: str) -> None:
    if not condition:
        raise RuntimeError(f"{name}: {rule}")


def _draw_like(xp: Any, input: Any, generator: Any, how: Any) -> Any:
    """Numbers drawn in the shape of an array, of its kind."""
    return _native(xp, draw(generator, _shape(input), lambda source, size: np.asarray(how(source, size))), input)


@random(name="uniform", in_place=True)
def _fill_uniform(xp: Any, input: Any, from_: float = 0.0, to: float = 1.0, *, generator: Any = None) -> Any:
    """Fill with random numbers from the uniform distribution on [`from_`, `to`)."""
    _require(from_ <= to, "uniform_", f"the interval from {from_} to {to} is empty")
    require_floating(xp.dtype_of(input), "uniform_")
    kind = xp.dtype_of(input)
    return _draw_like(xp, input, generator, lambda s, size: from_ + (to - from_) * draw_uniform(s, size, kind))


@random(name="normal", in_place=True)
def _fill_normal(xp: Any, input: Any, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Any:
    """Fill with random numbers from a normal distribution."""
    _require(std >= 0, "normal_", f"the standard deviation must not be negative, as {std} is")
    kind = xp.dtype_of(input)
    return _draw_like(xp, input, generator, lambda s, size: mean + std * draw_normal(s, size, kind))


@random(name="log_normal", in_place=True)
def _fill_log_normal(xp: Any, input: Any, mean: float = 1.0, std: float = 2.0, *, generator: Any = None) -> Any:
    """Fill with random numbers from a log-normal distribution."""
    _require(std > 0, "log_normal_", f"the standard deviation has to be positive, and {std} is not")
    require_floating(xp.dtype_of(input), "log_normal_")
    return _draw_like(xp, input, generator, lambda s, size: np.exp(mean + std * s.standard_normal(size)))


@random(name="exponential", in_place=True)
def _fill_exponential(xp: Any, input: Any, lambd: float = 1.0, *, generator: Any = None) -> Any:
    """Fill with random numbers from the exponential distribution of rate `lambd`."""
    _require(lambd > 0, "exponential_", f"the rate has to be positive, and {lambd} is not")
    require_floating(xp.dtype_of(input), "exponential_")
    return _draw_like(xp, input, generator, lambda s, size: s.standard_exponential(size) / lambd)


@random(name="cauchy", in_place=True)
def _fill_cauchy(xp: Any, input: Any, median: float = 0.0, sigma: float = 1.0, *, generator: Any = None) -> Any:
    """Fill with random numbers from a Cauchy distribution."""
    _require(sigma > 0, "cauchy_", f"sigma has to be positive, and {sigma} is not")
    require_floating(xp.dtype_of(input), "cauchy_")
    return _draw_like(xp, input, generator, lambda s, size: median + sigma * s.standard_cauchy(size))


@random(name="geometric", in_place=True)
def _fill_geometric(xp: Any, input: Any, p: float, *, generator: Any = None) -> Any:
    """Fill with random numbers from the geometric distribution of probability `p`."""
    _require(0 < p < 1, "geometric_", f"the probability has to be between 0 and 1, and {p} is not")
    return _draw_like(xp, input, generator, lambda s, size: s.geometric(p, size))


@random(name="bernoulli", node_name="BernoulliBackward2", in_place=True)
def _fill_bernoulli(xp: Any, input: Any, p: Any = 0.5, generator: Any = None) -> Any:
    """Fill with random zeros and ones (Bernoulli distribution); one with probability `p`."""
    p = p._array if isinstance(p, Tensor) else p
    if type(p) is BatchedArray:
        refuse_batched_parameters("bernoulli_", p)
    else:
        p = namespace_of(p).to_numpy(p) if hasattr(p, "shape") else p
        _require(bool(np.all((np.asarray(p) >= 0) & (np.asarray(p) <= 1))), "bernoulli_", "p has to be between 0 and 1")
    drawn = draw(generator, _shape(input), lambda source, size: np.asarray(source.random(size)))
    return _native(xp, drawn < p, input)


@random(name="random", node_name="RandomBackward1", in_place=True)
def _fill_random(xp: Any, input: Any, from_: Any = None, to: Any = None, *, generator: Any = None) -> Any:
    """Fill with random integers, uniform between two bounds."""
    kind = xp.dtype_of(input)
    if from_ is not None and to is None:
        from_, to = 0, from_
    if to is None:
        to = 2 if kind is _dtypes.bool_ else 1 + _dtypes.iinfo(kind).max if kind.category == 1 else 1 << DIGITS[kind]
    low = int(from_ or 0)
    return _draw_like(xp, input, generator, lambda s, size: draw_integers(s, low, int(to), size))
