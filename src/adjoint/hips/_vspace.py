"""`vspace`: the vector space that a value lies in, as in HIPS autograd."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

import adjoint.numpy as anp
from adjoint._dispatch import trees
from adjoint.numpy import ArrayBox

_generator = np.random.default_rng(0)  # not NumPy's global one, whose numbers are the program's


class VSpace:
    """The vector space of trees built like a value, with arrays of the same shapes and dtypes.

    Attributes:
        size: its dimension; a complex number counts as two.
        iscomplex: whether there are complex arrays.
        shape, dtype: those of the array, if the value is one.
    """

    def __init__(self, value: Any) -> None:
        leaves, self.structure = trees.flatten(value)
        self.leaves = [_describe(leaf) for leaf in leaves]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VSpace) and (self.structure, self.leaves) == (other.structure, other.leaves)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        described = [f"{dtype.name}{list(shape)}" for shape, dtype in self.leaves]
        return f"VSpace({trees.unflatten(self.structure, described)})"

    @property
    def size(self) -> int:
        return sum(math.prod(shape) * (2 if dtype.kind == "c" else 1) for shape, dtype in self.leaves)

    @property
    def iscomplex(self) -> bool:
        return any(dtype.kind == "c" for _, dtype in self.leaves)

    @property
    def shape(self) -> Any:
        return self._get_only_leaf()[0]

    @property
    def dtype(self) -> Any:
        return self._get_only_leaf()[1]

    def _get_only_leaf(self) -> Any:
        if self.structure.num_nodes != 1:
            raise AttributeError(f"{self!r} is a space of trees, which have no shape and dtype of their own")
        return self.leaves[0]

    def zeros(self) -> Any:
        """The vector of zeros."""
        return self._build(lambda shape, dtype: np.zeros(shape, dtype))

    def ones(self) -> Any:
        """The sum of the standard basis; for complex numbers 1 + 1j."""
        return self._build(lambda shape, dtype: np.full(shape, 1 + 1j if dtype.kind == "c" else 1, dtype))

    def randn(self) -> Any:
        """A vector of normally distributed numbers, from a generator of this module."""

        def make(shape: Any, dtype: Any) -> Any:
            draw = _generator.standard_normal
            return np.asarray(draw(shape) + 1j * draw(shape) if dtype.kind == "c" else draw(shape), dtype)

        return self._build(make)

    def standard_basis(self) -> Iterator[Any]:
        """The vectors that have one number 1 (or 1j), and zeros else."""
        for place, (shape, dtype) in enumerate(self.leaves):
            for index in np.ndindex(*shape):
                for unit in (1, 1j) if dtype.kind == "c" else (1,):
                    leaves = [np.zeros(*leaf) for leaf in self.leaves]
                    leaves[place][index] = unit
                    yield trees.unflatten(self.structure, leaves)

    def add(self, x: Any, y: Any) -> Any:
        """The sum of two vectors."""
        return self._combine(lambda a, b: a + b, x, y)

    mut_add = add

    def scalar_mul(self, x: Any, a: Any) -> Any:
        """The product of a vector with a number."""
        return self._combine(lambda leaf: leaf * a, x)

    def inner_prod(self, x: Any, y: Any) -> Any:
        """The inner product of two vectors, a real number."""
        products = [anp.real(anp.sum(anp.conj(a) * b)) for a, b in zip(trees.flatten(x)[0], trees.flatten(y)[0])]
        return sum(products, 0.0)

    def covector(self, x: Any) -> Any:
        """The complex conjugate, which turns HIPS autograd's gradients into directions of steepest ascent."""
        return self._combine(anp.conj, x)

    def _build(self, make: Any) -> Any:
        return trees.unflatten(self.structure, [make(shape, dtype)[()] for shape, dtype in self.leaves])

    def _combine(self, function: Any, *vectors: Any) -> Any:
        return trees.unflatten(self.structure, [function(*one) for one in zip(*[trees.flatten(v)[0] for v in vectors])])


def _describe(leaf: Any) -> tuple[tuple[int, ...], Any]:
    if isinstance(leaf, (ArrayBox, np.ndarray, np.generic)):
        shape, dtype = leaf.shape, leaf.dtype
    elif isinstance(leaf, (float, complex)):
        shape, dtype = (), np.dtype(type(leaf))
    else:
        raise TypeError(f"a vector consists of floating point numbers and arrays; got a {type(leaf).__name__}")
    if dtype.kind not in "fc":
        raise TypeError(f"a vector consists of floating point (or complex) numbers; got an array of {dtype}")
    return tuple(shape), dtype


def vspace(value: Any) -> VSpace:
    """The vector space that a value lies in.

    Args:
        value: a floating point (or complex) number or array, or a tree (lists, tuples, dictionaries) of them.

    Example:
        >>> from adjoint.hips.extend import vspace
        >>> vspace({"a": 1.0, "b": [2.0, 3.0]}).zeros()
        {'a': np.float64(0.0), 'b': [np.float64(0.0), np.float64(0.0)]}
    """
    return VSpace(value)
