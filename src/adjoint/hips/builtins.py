"""Python's containers and type tests, which programs for HIPS autograd import.

There, containers of values that are differentiated are objects of their own. Here they are Python's, with boxes inside.
"""

import builtins
from builtins import dict as dict
from builtins import list as list
from builtins import tuple as tuple
from typing import Any

import numpy as np

from adjoint.numpy import ArrayBox

__all__ = ["dict", "isinstance", "list", "tuple", "type"]


def __dir__() -> builtins.list[str]:
    return __all__


def isinstance(value: Any, kinds: Any) -> bool:
    """Test the type of a value, where a box counts as what it stands for.

    Args:
        value: anything.
        kinds: a type or a tuple of types, as for Python's `isinstance`.

    Example:
        >>> from adjoint.hips import grad, isinstance
        >>> import adjoint.numpy as np
        >>> grad(lambda x: np.sum(x**2) if isinstance(x, np.ndarray) else x)(np.array([3.0]))
        array([6.])
    """
    if builtins.isinstance(value, kinds):
        return True
    return builtins.isinstance(value, ArrayBox) and issubclass(type(value), kinds)


def type(value: Any) -> Any:
    """The type of a value; of a box, that of a NumPy array, or of a Python number if it has no axes.

    Args:
        value: anything.

    Example:
        >>> from adjoint.hips import type
        >>> type([1.0])
        <class 'list'>
    """
    if not builtins.isinstance(value, ArrayBox):
        return builtins.type(value)
    if value.ndim:
        return np.ndarray
    return complex if value.dtype.kind == "c" else float
