"""Simple optimizers of functions of trees: `sgd`, `rmsprop`, `adam`, as in `autograd.misc.optimizers`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import adjoint.numpy as anp
from adjoint.hips.misc.flatten import flatten

__all__ = ["adam", "rmsprop", "sgd"]


def __dir__() -> list[str]:
    return __all__


Gradient = Callable[[Any, int], Any]
Callback = Callable[[Any, int, Any], Any]


def sgd(
    grad: Gradient,
    x: Any,
    callback: Callback | None = None,
    num_iters: int = 200,
    step_size: float = 0.1,
    mass: float = 0.9,
) -> Any:
    """Stochastic gradient descent with momentum.

    Args:
        grad: ``grad(x, i)`` is the gradient at x in iteration i.
        x: where to start: an array, or a tree of arrays.
        callback: called as ``callback(x, i, gradient)`` before every step.
        num_iters: number of steps.
        step_size: factor of the velocity in a step.
        mass: how much of the velocity is kept; the rest is the new gradient.

    Example:
        >>> from adjoint.hips import grad
        >>> from adjoint.hips.misc.optimizers import sgd
        >>> round(float(sgd(grad(lambda x, i: (x - 3.0) ** 2), 0.0)), 3)
        3.0
    """

    def step(x: Any, gradient: Any, i: int, velocity: Any) -> Any:
        velocity = mass * velocity - (1 - mass) * gradient
        return x + step_size * velocity, velocity

    return _iterate(grad, x, callback, num_iters, step, 0.0)


def rmsprop(
    grad: Gradient,
    x: Any,
    callback: Callback | None = None,
    num_iters: int = 100,
    step_size: float = 0.1,
    gamma: float = 0.9,
    eps: float = 1e-8,
) -> Any:
    """RMSprop: gradient descent with steps scaled by a running mean of squared gradients.

    Args:
        grad, x, callback, num_iters: as for `sgd`.
        step_size: the step where the gradient is as large as usual.
        gamma: how much of the running mean is kept in each step.
        eps: added to the scale.

    Example:
        >>> from adjoint.hips import grad
        >>> from adjoint.hips.misc.optimizers import rmsprop
        >>> round(float(rmsprop(grad(lambda x, i: (x - 3.0) ** 2), 0.0)), 1)
        3.0
    """

    def step(x: Any, gradient: Any, i: int, mean_square: Any) -> Any:
        mean_square = gamma * mean_square + (1 - gamma) * gradient**2
        return x - step_size * gradient / (anp.sqrt(mean_square) + eps), mean_square

    return _iterate(grad, x, callback, num_iters, step, 1.0)


def adam(
    grad: Gradient,
    x: Any,
    callback: Callback | None = None,
    num_iters: int = 100,
    step_size: float = 0.001,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-8,
) -> Any:
    """Adam: RMSprop with momentum, both corrected for their start at zero.

    Args:
        grad, x, callback, num_iters: as for `sgd`.
        step_size: the largest step, about.
        b1, b2: how much of the running means of gradients and of their squares is kept in each step.
        eps: added to the scale.

    Example:
        >>> from adjoint.hips import grad
        >>> from adjoint.hips.misc.optimizers import adam
        >>> round(float(adam(grad(lambda x, i: (x - 3.0) ** 2), 0.0, num_iters=300, step_size=0.1)), 2)
        3.0
    """

    def step(x: Any, gradient: Any, i: int, means: Any) -> Any:
        mean = b1 * means[0] + (1 - b1) * gradient
        mean_square = b2 * means[1] + (1 - b2) * gradient**2
        scale = anp.sqrt(mean_square / (1 - b2 ** (i + 1))) + eps
        return x - step_size * mean / (1 - b1 ** (i + 1)) / scale, (mean, mean_square)

    return _iterate(grad, x, callback, num_iters, step, (0.0, 0.0))


def _iterate(grad: Gradient, x: Any, callback: Any, num_iters: int, step: Callable[..., Any], state: Any) -> Any:
    """Repeat steps: ``step(x, gradient, i, state)`` is the next x, a vector, and the next state."""
    vector, unflatten = flatten(x)
    for i in range(num_iters):
        gradient = grad(unflatten(vector), i)
        if callback:
            callback(unflatten(vector), i, gradient)
        vector, state = step(vector, flatten(gradient)[0], i, state)
    return unflatten(vector)
