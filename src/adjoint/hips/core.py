"""The names of `autograd.core`: products with the Jacobian of functions of one argument, vector spaces, rules."""

from typing import Any as _Any

from adjoint.hips._transforms import make_jvp as _make_jvp
from adjoint.hips._transforms import make_vjp as _make_vjp
from adjoint.hips.extend import def_linear as def_linear
from adjoint.hips.extend import defjvp as defjvp
from adjoint.hips.extend import defjvp_argnum as defjvp_argnum
from adjoint.hips.extend import defjvp_argnums as defjvp_argnums
from adjoint.hips.extend import defvjp as defvjp
from adjoint.hips.extend import defvjp_argnum as defvjp_argnum
from adjoint.hips.extend import defvjp_argnums as defvjp_argnums
from adjoint.hips.extend import getval as getval
from adjoint.hips.extend import isbox as isbox
from adjoint.hips.extend import notrace_primitive as notrace_primitive
from adjoint.hips.extend import primitive as primitive
from adjoint.hips.extend import primitive_jvps as primitive_jvps
from adjoint.hips.extend import primitive_vjps as primitive_vjps
from adjoint.hips.extend import vspace as vspace


def make_vjp(fun: _Any, x: _Any) -> _Any:
    """``(vjp, value)`` of a function at x; ``vjp(g)`` is the vector-Jacobian product.

    Args:
        fun: a function of one argument.
        x: the argument.

    Example:
        >>> from adjoint.hips.core import make_vjp
        >>> vjp, value = make_vjp(lambda x: x**2, 3.0)
        >>> vjp(1.0)
        np.float64(6.0)
    """
    return _make_vjp(fun)(x)


def make_jvp(fun: _Any, x: _Any) -> _Any:
    """Function `jvp` for a function at x; ``jvp(v)`` is ``(value, Jacobian-vector product)``.

    Args:
        fun: a function of one argument.
        x: the argument.

    Example:
        >>> from adjoint.hips.core import make_jvp
        >>> make_jvp(lambda x: x**2, 3.0)(1.0)
        (np.float64(9.0), np.float64(6.0))
    """
    return _make_jvp(fun)(x)
