"""NumPy's functions for lists of tensors, which NumPy's protocol does not look into: ``np.mean([x, y])``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from adjoint._core.tensor import Tensor
from adjoint._numpy import table
from adjoint.numpy._array_box import ArrayBox, box, unbox


def contains(kinds: Any, value: Any) -> bool:
    """Whether a value is of these types, or a list, tuple or dictionary with one of them inside."""
    if isinstance(value, (list, tuple)):
        return any(contains(kinds, one) for one in value)
    if type(value) is dict:
        return any(contains(kinds, one) for one in value.values())
    return isinstance(value, kinds)


def takes_boxes(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function of tensors one of boxes too, whose results are boxes if an argument is one.

    Args:
        function: takes tensors, also inside lists, tuples and dictionaries.

    Example:
        >>> import adjoint.numpy as np
        >>> from adjoint.hips import grad
        >>> grad(np.takes_boxes(ad.sigmoid))(0.0)
        np.float64(0.25)
    """

    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        if not contains(ArrayBox, [*args, *kwargs.values()]):
            return function(*args, **kwargs)
        return box(function(*unbox(args), **unbox(kwargs)))

    return wrapped


def takes_lists(function: Any) -> Any:
    """Make a function of NumPy one of lists with tensors inside too; what is no such function is returned unchanged."""
    if not callable(function) or isinstance(function, (np.ufunc, type)) or function not in table:
        return function
    implementation = takes_boxes(table[function])

    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        for value in (*args, *kwargs.values()) if kwargs else args:
            if type(value) is ArrayBox:
                break  # NumPy calls the box
            if isinstance(value, (list, tuple)) and contains((Tensor, ArrayBox), value):
                return implementation(*args, **kwargs)
        return function(*args, **kwargs)

    return wrapped


def fill_namespace(namespace: dict[str, Any], module: Any) -> None:
    """Fill a module with the public names of a module of NumPy; names that are there already are kept."""
    for name in dir(module):
        if not name.startswith("_"):
            namespace.setdefault(name, takes_lists(getattr(module, name)))
