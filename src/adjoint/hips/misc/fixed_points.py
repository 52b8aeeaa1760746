"""`fixed_point`: the limit of an iteration, differentiated by the implicit function theorem."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjoint.hips._transforms import make_vjp
from adjoint.hips._vspace import vspace
from adjoint.hips.extend import defvjp, primitive

__all__ = ["fixed_point"]


def __dir__() -> list[str]:
    return __all__


@primitive
def fixed_point(f: Callable[..., Any], a: Any, x0: Any, distance: Callable[[Any, Any], Any], tol: float) -> Any:
    """Iterate until nothing changes: the solution x of ``x = f(a)(x)``, differentiable by a.

    Nothing of the iteration is kept: the gradient is the fixed point of another iteration.

    Args:
        f: a function of the parameters that returns the function to iterate.
        a: the parameters, a tree of numbers and arrays.
        x0: where to start.
        distance: how far two iterates are apart.
        tol: the distance at which to stop.

    Example:
        >>> from adjoint.hips import grad
        >>> from adjoint.hips.misc.fixed_points import fixed_point
        >>> def square_root(a):
        ...     return fixed_point(lambda a: lambda x: 0.5 * (x + a / x), a, 1.0, lambda x, y: abs(x - y), 1e-12)
        >>> f"{square_root(2.0):.6f}, {grad(square_root)(2.0):.6f}"
        '1.414214, 0.353553'
    """
    step = f(a)
    x, before = step(x0), x0
    while distance(x, before) > tol:
        x, before = step(x), x
    return x


def _make_vjp(ans: Any, f: Any, a: Any, x0: Any, distance: Any, tol: float) -> Callable[[Any], Any]:
    def iterate(parameters: Any) -> Callable[[Any], Any]:
        """The transposed linear equation, ``u = u J + g``, as an iteration."""
        a, x, g = parameters
        pull = make_vjp(f(a))(x)[0]
        return lambda u: vspace(x0).add(pull(u), g)

    pull = make_vjp(lambda a: f(a)(ans))(a)[0]
    return lambda g: pull(fixed_point(iterate, (a, ans, g), vspace(x0).zeros(), distance, tol))


defvjp(fixed_point, None, _make_vjp, None)
