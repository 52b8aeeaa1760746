"""Values and lists of calls that the samples of several families of operators share."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.support.cases import call, register

SCIPY: dict[str, Any] = {"oracle": None, "jax": False, "jit": False}
"""Options for SciPy's functions: PyTorch does not have them, and JAX calls SciPy (`tests/arrays` tests how)."""


def unary(names: str, make: Any = lambda t, *shape: t(*shape), **options: Any) -> None:
    """Operators of one operand: a matrix, a number, nothing."""
    for name in names.split():
        register(name, lambda t: [call(make(t, 3, 4)), call(make(t)), call(make(t, 0, 3))], **options)


def binary(names: str, make: Any = lambda t, *shape: t(*shape), **options: Any) -> None:
    """Operators of two operands: alike, broadcast, one of them constant, numbers, nothing."""
    for name in names.split():
        register(name, lambda t: binary_samples(t, make), **options)


def binary_samples(t: Any, make: Any) -> list[Any]:
    return [
        call(make(t, 3, 4), make(t, 3, 4)),
        call(make(t, 3, 1), make(t, 4)),
        call(make(t, 2, 3), make(t)),
        call(make(t), make(t)),
        call(make(t, 3), constant(make(t, 2, 3))),
        call(constant(make(t, 3)), make(t, 1)),
        call(make(t, 0, 3), make(t, 3)),
    ]


def constant(given: Any) -> Any:
    return type(given)(given.array, requires_grad=False)


def positive(t: Any, *shape: int) -> Any:
    return t.positive(*shape)


def rows(*values: Any) -> Any:
    """An index that names no row twice (in that case PyTorch's gradient is not the derivative)."""
    return lambda t: t.of(list(values), dtype="int64")


factor = lambda t, *shape: shifted(t(*shape, shape[-1], low=-0.5, high=0.5))


def shifted(given: Any) -> Any:
    """A matrix whose triangles are well conditioned."""
    return given.replace(given.array + 2 * np.eye(given.shape[-1]))


# The square part of a wide matrix is what is factorised, so that has to be well conditioned.
factorable = lambda t: [call(t.matrix(3, 3)), call(t.matrix(4, 2)), call(wide(t, 2, 4)), call(t.matrix(2, 3, 2))]


def wide(t: Any, rows: int, columns: int) -> Any:
    given = t(rows, columns, low=-0.5, high=0.5)
    return given.replace(given.array + 2 * np.eye(rows, columns))


along_dim = lambda t: [
    call(t.distinct(3, 4)),
    call(t.distinct(3, 4), 1),
    call(t.distinct(2, 3, 4), -2, True),
    call(t.distinct(2, 3, 4), dim=0),
    call(t.distinct()),
    call(t.distinct(), 0),
    call(t(2, 0), 0),
]


def invertible(t: Any) -> list[Any]:
    """Calls with invertible matrices."""
    return [
        call(t.invertible(3)),
        call(t.invertible(2, 3)),
        call(t.invertible(1)),
        call(t.invertible(2, 1, 2)),
    ]


def invertible_tensor(t: Any, *shape: int) -> Any:
    """An invertible 6 by 6 matrix, reshaped."""
    given = t.invertible(6)
    return given.replace(given.array.reshape(shape))


def projectors(vectors: Any, count: int | None = None) -> Any:
    """A sum of multiples of the projectors onto each of the first columns, and onto all others together."""
    count = vectors.shape[-1] if count is None else count
    total = 0
    for i in range(count):
        column = vectors[..., :, i : i + 1]
        total = total + (i + 1) * (column @ column.mH)
    rest = vectors[..., :, count:]
    return total - rest @ rest.mH if rest.shape[-1] else total
