"""Checks of derivatives against finite differences, as in `autograd.test_util`."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from adjoint.hips._transforms import get_name as _get_name
from adjoint.hips._transforms import make_jvp, make_vjp, unary_to_nary
from adjoint.hips._vspace import vspace

__all__ = ["check_equivalent", "check_grads", "check_jvp", "check_vjp", "combo_check", "scalar_close"]


def __dir__() -> list[str]:
    return __all__


_STEP = 1e-6
_TOLERANCE = 1e-6  # central differences of float64 are good to about the square root of their rounding error


def scalar_close(a: Any, b: Any) -> bool:
    """Test whether two numbers are close, absolutely or relatively.

    Args:
        a, b: the numbers.

    Example:
        >>> from adjoint.hips.test_util import scalar_close
        >>> scalar_close(1.0, 1.0 + 1e-9)
        True
    """
    return bool(abs(a - b) < _TOLERANCE * max(1.0, abs(a + b)))


def check_equivalent(x: Any, y: Any) -> None:
    """Raise unless two values lie in the same vector space and are close.

    Args:
        x, y: arrays, numbers, or trees of them.

    Example:
        >>> from adjoint.hips.test_util import check_equivalent
        >>> check_equivalent([1.0, 2.0], [1.0, 2.0])
    """
    space = vspace(x)
    if space != vspace(y):
        raise AssertionError(f"values of different spaces: {space} and {vspace(y)}")
    direction = space.randn()
    if not scalar_close(space.inner_prod(x, direction), space.inner_prod(y, direction)):
        raise AssertionError(f"values differ:\n{x}\n{y}")


def check_vjp(fun: Callable[..., Any], x: Any) -> None:
    """Raise unless a function's vector-Jacobian product agrees with finite differences.

    Args:
        fun: a function of one argument.
        x: where to check it.

    Example:
        >>> from adjoint.hips.test_util import check_vjp
        >>> import adjoint.numpy as np
        >>> check_vjp(np.tanh, np.array([0.5, 1.0]))
    """
    vjp, y = make_vjp(fun)(x)
    inputs, outputs = vspace(x), vspace(y)
    v, w = inputs.randn(), outputs.randn()
    gradient = inputs.covector(vjp(outputs.covector(w)))
    if vspace(gradient) != inputs:
        raise AssertionError(f"the gradient of {_get_name(fun)} is in {vspace(gradient)}, its argument in {inputs}")
    exact = inputs.inner_prod(v, gradient)
    numeric = outputs.inner_prod(w, _difference(fun, x, v))
    if not scalar_close(exact, numeric):
        raise AssertionError(
            f"(VJP) check of {_get_name(fun)} failed at {x}: {exact} from its rule, {numeric} from differences"
        )


def check_jvp(fun: Callable[..., Any], x: Any) -> None:
    """Raise unless a function's Jacobian-vector product agrees with finite differences.

    Args:
        fun, x: as for `check_vjp`.

    Example:
        >>> from adjoint.hips.test_util import check_jvp
        >>> import adjoint.numpy as np
        >>> check_jvp(np.tanh, np.array([0.5, 1.0]))
    """
    v = vspace(x).randn()
    check_equivalent(make_jvp(fun)(x)(v)[1], _difference(fun, x, v))


def _difference(fun: Callable[..., Any], x: Any, v: Any) -> Any:
    """The derivative in the direction of v, by a central difference."""
    inputs = vspace(x)
    above = fun(inputs.add(x, inputs.scalar_mul(v, _STEP / 2)))
    below = fun(inputs.add(x, inputs.scalar_mul(v, -_STEP / 2)))
    outputs = vspace(above)
    return outputs.scalar_mul(outputs.add(above, outputs.scalar_mul(below, -1.0)), 1 / _STEP)


@unary_to_nary
def check_grads(fun: Callable[..., Any], x: Any, modes: Any = ("fwd", "rev"), order: int = 2) -> None:
    """Make a function that raises unless derivatives agree with finite differences.

    Args:
        fun: the function.
        argnum: by which arguments; see `grad`.
        modes: which of forward mode ("fwd") and reverse mode ("rev").
        order: up to which derivative.

    Example:
        >>> from adjoint.hips.test_util import check_grads
        >>> import adjoint.numpy as np
        >>> check_grads(np.tanh)(np.array([0.5, 1.0]))
    """
    if not set(modes) <= {"fwd", "rev"}:
        raise ValueError(f"check_grads knows the modes 'fwd' and 'rev', not {modes!r}")

    def push(x: Any, v: Any) -> Any:
        return make_jvp(fun)(x)(v)[1]

    def pull(x: Any, v: Any) -> Any:
        return make_vjp(fun)(x)[0](v)

    push.__name__, pull.__name__ = f"jvp_{_get_name(fun)}", f"vjp_{_get_name(fun)}"
    for mode, check, product, where in (("fwd", check_jvp, push, lambda: x), ("rev", check_vjp, pull, lambda: fun(x))):
        if mode in modes:
            check(fun, x)
            if order > 1:
                check_grads(product, (0, 1), modes, order - 1)(x, vspace(where()).randn())


def combo_check(fun: Callable[..., Any], *options: Any, **named: Any) -> Callable[..., None]:
    """Make `check_grads` for every combination of arguments, each given as a list of values.

    Args:
        fun, options, named: the arguments of `check_grads`.

    Example:
        >>> from adjoint.hips.test_util import combo_check
        >>> import adjoint.numpy as np
        >>> combo_check(np.sum, 0)([np.array([1.0, 2.0])], axis=[None, 0])
    """

    def check(*args: Any, **kwargs: Any) -> None:
        for chosen in itertools.product(*args):
            for values in itertools.product(*kwargs.values()):
                check_grads(fun, *options, **named)(*chosen, **dict(zip(kwargs, values)))

    return check
