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
    refuse_batched_parameters,
    require_floating,
    source_of,
)
from adjoint._core.tensor import Tensor
from adjoint._dispatch.dispatch import dispatch
from adjoint._dispatch.factory import as_native, default_to, new_leaf, shape_of
from adjoint._dispatch.inplace import make_in_place
from adjoint._dispatch.operator import Operator
from adjoint._dispatch.out import overwrite
from adjoint.arrays import namespace_of
from adjoint.arrays.batched import BatchedArray, batched_namespace

# As in PyTorch, drawing counts as recorded, with zero gradients: chance does not tell how to change its parameters.


def _zero(xp: Any, g: Any) -> Any:
    return xp.zeros_like(g)


def _no_tangent(xp: Any, t: Any) -> Any:
    return xp.zeros_like(t)


def _drawing(name: str, forward: Any, node_name: str | None = None, of: tuple[str, ...] = ("input",)) -> Operator:
    """An operator whose results do not depend smoothly on its operands. It is in no table: see the note above."""
    rules: dict[str, Any] = dict.fromkeys(of, _zero)
    tangents: dict[str, Any] = dict.fromkeys(of, _no_tangent)
    promotes = "same" if len(of) > 1 else "none"
    operator = Operator(name, forward, vjp=rules, jvp=tangents, node_name=node_name, promotes=promotes)

    def function(*args: Any, **kwargs: Any) -> Any:
        return dispatch(operator, args, kwargs)

    function.__name__ = name
    operator.function = function
    return operator


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


_bernoulli_operator = _drawing("bernoulli", _bernoulli)


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
        return _bernoulli_operator.function(input, generator, out=out)
    return _FILLERS["bernoulli"].function(input, p, generator, out=out)


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
    return np.asarray(source_of(generator).poisson(rates))


_poisson_operator = _drawing("poisson", _poisson)


def poisson(input: Tensor, generator: Generator | None = None) -> Tensor:
    """Random numbers from Poisson distributions whose rates are the elements.

    Args:
        input: the rates.
        generator: the random number generator; the default one if left out.

    Example:
        >>> ad.poisson(ad.zeros(2))
        tensor([0., 0.])
    """
    return _poisson_operator.function(input, generator)


def _spread(xp: Any, input: Any, other: Any, generator: Any = None) -> Any:
    if not xp.lazy and not bool(xp.all(other >= 0)):
        raise RuntimeError("normal: standard deviations must not be negative")
    refuse_batched_parameters("normal", input, other)
    shape, kind = np.broadcast_shapes(_shape(input), _shape(other)), xp.dtype_of(input)
    return input + other * _native(xp, draw(generator, shape, lambda s, size: draw_normal(s, size, kind)), input)


_normal_operator = _drawing("normal", _spread, "NormalBackward3", ("input", "other"))


def normal(
    mean: Any,
    std: Any = 1.0,
    size: Any = None,
    *,
    generator: Generator | None = None,
    out: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Random numbers from normal (Gaussian) distributions.

    Args:
        mean, std: tensors, one distribution for each element, or numbers.
        size: the shape, if both are numbers.
        generator: the random number generator; the default one if left out.
        out: the tensor to write the result to.
        dtype, device, requires_grad: as of `zeros`, if both are numbers.

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
    return _normal_operator.function(*operands, generator, out=out)


def _as_floating(value: Any, like: Tensor) -> Tensor:
    from adjoint._ops.creation.tensors import full

    return value if isinstance(value, Tensor) else full((), value, dtype=like._spec.dtype, like=like)


# ---- in place --------------------------------------------------------------------------------------------------------


def _require(condition: bool, name: str, rule: str) -> None:
    if not condition:
        raise RuntimeError(f"{name}: {rule}")


def _filled(xp: Any, input: Any, generator: Any, how: Any) -> Any:
    """Numbers drawn in the shape of an array, of its kind."""
    return _native(xp, draw(generator, _shape(input), lambda source, size: np.asarray(how(source, size))), input)


def _fill_uniform(xp: Any, input: Any, from_: float = 0.0, to: float = 1.0, *, generator: Any = None) -> Any:
    _require(from_ <= to, "uniform_", f"the interval from {from_} to {to} is empty")
    require_floating(xp.dtype_of(input), "uniform_")
    kind = xp.dtype_of(input)
    return _filled(xp, input, generator, lambda s, size: from_ + (to - from_) * draw_uniform(s, size, kind))


def _fill_normal(xp: Any, input: Any, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Any:
    _require(std >= 0, "normal_", f"the standard deviation must not be negative, as {std} is")
    kind = xp.dtype_of(input)
    return _filled(xp, input, generator, lambda s, size: mean + std * draw_normal(s, size, kind))


def _fill_log_normal(xp: Any, input: Any, mean: float = 1.0, std: float = 2.0, *, generator: Any = None) -> Any:
    _require(std > 0, "log_normal_", f"the standard deviation has to be positive, and {std} is not")
    require_floating(xp.dtype_of(input), "log_normal_")
    return _filled(xp, input, generator, lambda s, size: np.exp(mean + std * s.standard_normal(size)))


def _fill_exponential(xp: Any, input: Any, lambd: float = 1.0, *, generator: Any = None) -> Any:
    _require(lambd > 0, "exponential_", f"the rate has to be positive, and {lambd} is not")
    require_floating(xp.dtype_of(input), "exponential_")
    return _filled(xp, input, generator, lambda s, size: s.standard_exponential(size) / lambd)


def _fill_cauchy(xp: Any, input: Any, median: float = 0.0, sigma: float = 1.0, *, generator: Any = None) -> Any:
    _require(sigma > 0, "cauchy_", f"sigma has to be positive, and {sigma} is not")
    require_floating(xp.dtype_of(input), "cauchy_")
    return _filled(xp, input, generator, lambda s, size: median + sigma * s.standard_cauchy(size))


def _fill_geometric(xp: Any, input: Any, p: float, *, generator: Any = None) -> Any:
    _require(0 < p < 1, "geometric_", f"the probability has to be between 0 and 1, and {p} is not")
    return _filled(xp, input, generator, lambda s, size: s.geometric(p, size))


def _fill_bernoulli(xp: Any, input: Any, p: Any = 0.5, generator: Any = None) -> Any:
    p = p._array if isinstance(p, Tensor) else p
    if type(p) is BatchedArray:
        refuse_batched_parameters("bernoulli_", p)
    else:
        p = namespace_of(p).to_numpy(p) if hasattr(p, "shape") else p
        _require(bool(np.all((np.asarray(p) >= 0) & (np.asarray(p) <= 1))), "bernoulli_", "p has to be between 0 and 1")
    drawn = draw(generator, _shape(input), lambda source, size: np.asarray(source.random(size)))
    return _native(xp, drawn < p, input)


def _fill_random(xp: Any, input: Any, from_: Any = None, to: Any = None, *, generator: Any = None) -> Any:
    kind = xp.dtype_of(input)
    if from_ is not None and to is None:
        from_, to = 0, from_
    if to is None:
        to = 2 if kind is _dtypes.bool_ else 1 + _dtypes.iinfo(kind).max if kind.category == 1 else 1 << DIGITS[kind]
    low = int(from_ or 0)
    return _filled(xp, input, generator, lambda s, size: draw_integers(s, low, int(to), size))


_FILLERS = {
    "uniform": _drawing("uniform", _fill_uniform),
    "normal": _drawing("normal", _fill_normal),
    "log_normal": _drawing("log_normal", _fill_log_normal),
    "exponential": _drawing("exponential", _fill_exponential),
    "cauchy": _drawing("cauchy", _fill_cauchy),
    "geometric": _drawing("geometric", _fill_geometric),
    "bernoulli": _drawing("bernoulli", _fill_bernoulli, "BernoulliBackward2"),
    "random": _drawing("random", _fill_random, "RandomBackward1"),
}

METHODS: dict[str, Any] = {f"{name}_": make_in_place(operator) for name, operator in _FILLERS.items()}
METHODS["bernoulli"] = bernoulli
