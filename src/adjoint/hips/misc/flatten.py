"""`flatten`: trees of numbers and arrays as vectors, for optimizers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import Any

import adjoint.numpy as anp
from adjoint._dispatch import trees

__all__ = ["flatten", "flatten_func"]


def __dir__() -> list[str]:
    return __all__


def flatten(value: Any) -> tuple[Any, Callable[[Any], Any]]:
    """The numbers of a tree as one vector, and a function that builds such a tree from a vector.

    Args:
        value: nested tuples, lists and dictionaries of numbers and arrays; dictionaries are taken in order of keys.

    Example:
        >>> from adjoint.hips.misc import flatten
        >>> vector, unflatten = flatten({"b": [1.0, 2.0], "a": 3.0})
        >>> vector
        array([3., 1., 2.])
        >>> unflatten(2 * vector)
        {'b': [np.float64(2.0), np.float64(4.0)], 'a': np.float64(6.0)}
    """
    leaves, structure = trees.flatten(value)
    shapes = [anp.shape(leaf) for leaf in leaves]
    sizes = [anp.size(leaf) for leaf in leaves]
    are_real = [not anp.iscomplexobj(leaf) for leaf in leaves]
    ends = list(accumulate(sizes))

    def unflatten(vector: Any) -> Any:
        parts = [vector[end - size : end] for size, end in zip(sizes, ends)]
        parts = [anp.real(part) if real else part for part, real in zip(parts, are_real)]
        parts = [anp.reshape(part, shape) if shape else part[0] for part, shape in zip(parts, shapes)]
        return trees.unflatten(structure, parts)

    return anp.concatenate([anp.ravel(leaf) for leaf in leaves]) if leaves else anp.zeros(0), unflatten


def flatten_func(func: Callable[..., Any], example: Any) -> tuple[Callable[..., Any], Callable[[Any], Any], Any]:
    """A function between trees as one between vectors; with the function that builds trees, and a vector.

    Args:
        func: takes a tree and further arguments, and returns a tree.
        example: a tree like the first argument.

    Example:
        >>> from adjoint.hips.misc import flatten_func
        >>> func, unflatten, vector = flatten_func(lambda tree: tree["a"], {"a": [1.0, 2.0]})
        >>> func(vector)
        array([1., 2.])
    """
    vector, unflatten = flatten(example)
    return lambda x, *args: flatten(func(unflatten(x), *args))[0], unflatten, vector
