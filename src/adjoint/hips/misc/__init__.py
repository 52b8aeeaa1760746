"""Tools of HIPS autograd beside differentiation: `flatten`, `const_graph`, and `optimizers`."""

from collections.abc import Callable as _Callable
from functools import partial as _partial
from typing import Any as _Any

from adjoint.hips.misc.flatten import flatten as flatten
from adjoint.hips.misc.flatten import flatten_func as flatten_func


def const_graph(fun: _Callable[..., _Any], *args: _Any, **kwargs: _Any) -> _Callable[..., _Any]:
    """A function with some arguments given; here no graph is kept, and it runs in every call.

    Args:
        fun: the function.
        args, kwargs: its first arguments, and some by name.

    Example:
        >>> from adjoint.hips.misc import const_graph
        >>> const_graph(lambda x, y: x + y, 1.0)(2.0)
        3.0
    """
    return _partial(fun, *args, **kwargs)
