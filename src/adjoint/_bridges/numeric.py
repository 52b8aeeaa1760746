"""Numerical derivatives: finite differences, complex step, and J^T g from J t.

Everything here works on NumPy arrays. A derivative J is linear over the real numbers, with two real parts for a
complex number, and the inner product is <a, b> = Re(conj(a) b), as everywhere in this package.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

Flat = Callable[..., list[Any]]
JvpFunction = Callable[[Sequence[Any]], list[Any]]

_TINY_STEP = 1e-20  # step of the complex-step method, which has no cancellation error
_CONVERGED = 1e-6


def finite_difference(flat: Flat, inputs: Sequence[Any], tangents: Sequence[Any], step: float, name: str) -> list[Any]:
    """Compute J t by central differences with steps h, h/2 and h/4 and Richardson extrapolation.

    The two extrapolations give an error estimate; a warning is issued if they differ too much.

    Args:
        flat: the function; inputs: where; tangents: in which direction, None for zero.
        step: the first step, relative to max(1, |input|).
        name: the function's name, for the warning.
    """
    moving = [i for i, tangent in enumerate(tangents) if tangent is not None and np.any(tangent)]
    if not moving:
        return [np.zeros_like(output) for output in flat(*inputs)]
    h = step / max(np.max(np.abs(tangents[i]) / np.maximum(1.0, np.abs(inputs[i]))) for i in moving)

    def difference(h: float) -> list[Any]:
        there, back = list(inputs), list(inputs)
        for i in moving:
            there[i] = inputs[i] + h * tangents[i]
            back[i] = inputs[i] - h * tangents[i]
        return [(up - down) / (2 * h) for up, down in zip(_evaluate(flat, there), _evaluate(flat, back))]

    coarse, middle, fine = difference(h), difference(h / 2), difference(h / 4)
    results: list[Any] = []
    for a, b, c in zip(coarse, middle, fine):
        first, second = (4 * b - a) / 3, (4 * c - b) / 3
        results.append((16 * second - first) / 15)
        _check_convergence(first, second, name)
    return results


def _evaluate(flat: Flat, inputs: Sequence[Any]) -> list[Any]:
    return [output if np.issubdtype(output.dtype, np.inexact) else np.zeros(output.shape) for output in flat(*inputs)]


def _check_convergence(first: Any, second: Any, name: str) -> None:
    size = np.max(np.abs(second), initial=0.0)
    error = np.max(np.abs(second - first), initial=0.0)
    if not error <= _CONVERGED * max(size, 1e-3):
        warnings.warn(
            f"the finite differences of {name} do not settle: two estimates of a derivative of size {size:.3g} differ "
            f"by {error:.3g}. The function may be rough, noisy, computed in single precision, or vary on another scale "
            "than the step. Choose the step (step=...), or give the derivative.",
            RuntimeWarning,
            stacklevel=2,
        )


def complex_step(flat: Flat, inputs: Sequence[Any], tangents: Sequence[Any], name: str) -> list[Any]:
    """Compute J t as Im f(x + i h t) / h, exact to rounding for analytic functions."""
    there = list(inputs)
    for i, tangent in enumerate(tangents):
        if tangent is not None:
            if np.iscomplexobj(inputs[i]):
                raise TypeError(
                    f"a complex step differentiates functions of real numbers, and argument {i} of {name} is "
                    f"{inputs[i].dtype}; use derivative='finite-difference' or give the derivative"
                )
            there[i] = inputs[i].astype(np.complex128) + 1j * _TINY_STEP * tangent
    outputs = flat(*there)
    for number, output in enumerate(outputs):
        if not np.iscomplexobj(output):
            raise TypeError(
                f"output {number} of {name} stayed {output.dtype} when its arguments were made complex, so a complex "
                "step sees no derivative. The function has to be analytic in every step; use "
                "derivative='finite-difference' or give the derivative."
            )
    return [output.imag / _TINY_STEP for output in outputs]


def vjp_from_jvp(jvp: JvpFunction, likes: Sequence[Any], wanted: Sequence[int], cotangents: Sequence[Any]) -> list[Any]:
    """Compute J^T g from t -> J t, one unit vector at a time.

    Args:
        push: the linear map; takes one tangent for each of `likes`, None for zero.
        likes: arrays with the shapes and dtypes of its arguments.
        wanted: the arguments to compute results for.
        cotangents: g; None for zero.
    """
    results: list[Any] = []
    for place in wanted:
        gradient = np.zeros_like(likes[place])
        for index, direction in _unit_vectors(likes[place]):
            tangents: list[Any] = [None] * len(likes)
            tangents[place] = direction
            unit = direction[index]
            gradient[index] += unit * sum(
                _inner_product(g, part) for g, part in zip(cotangents, jvp(tangents)) if g is not None
            )
        results.append(gradient)
    return results


def _unit_vectors(like: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the unit vectors (times 1 and i for complex dtypes), each with the index of its nonzero element."""
    for index in np.ndindex(like.shape):
        for unit in (1, 1j) if np.iscomplexobj(like) else (1,):
            direction = np.zeros_like(like)
            direction[index] = unit
            yield index, direction


def _inner_product(a: Any, b: Any) -> Any:
    return np.sum(np.real(np.conj(a) * b))
