"""Matrix products: `matmul` and the products it chooses from by rank; contractions are in `einsum.py`."""

from __future__ import annotations

from typing import Any

import numpy

from adjoint._core.metadata import InputMetadata
from adjoint._dispatch.declare import Array, general, multilinear
from adjoint._dispatch.errors import NotAnOperand, OperatorError
from adjoint._dispatch.formulas import conj
from adjoint._dispatch.operands import SCALARS
from adjoint._dispatch.operator import Operator
from adjoint._dispatch.table import table
from adjoint._ops.linalg._matrices import adjoint, check_dims
from adjoint.arrays import numpy_namespace

_dot: Any = numpy.ndarray.dot


def product(xp: Any, a: Array, b: Array) -> Array:
    """Matrix product of two arrays of at most two dimensions."""
    # NumPy's matmul takes twice as long as its dot for small matrices.
    return _dot(a, b) if xp is numpy_namespace else xp.matmul(a, b)


# ---- by rank ---------------------------------------------------------------------------------------------------------


@multilinear(
    kernel=_dot,
    input=lambda xp, g, mat2: product(xp, g, adjoint(xp, mat2)),
    mat2=lambda xp, g, input: product(xp, adjoint(xp, input), g),
)
def mm(xp, input, mat2: Array):
    """Matrix product of two matrices.

    Example:
        >>> ad.mm(ad.tensor([[1.0, 2.0]]), ad.tensor([[3.0], [4.0]]))
        tensor([[11.]])
    """
    if input.ndim != 2 or mat2.ndim != 2:
        check_dims("mm", input=(input, 2), mat2=(mat2, 2))
    return product(xp, input, mat2)


@multilinear(
    kernel=_dot,
    input=lambda xp, g, vec: xp.expand_dims(g, axis=-1) * conj(xp, vec),
    vec=lambda xp, g, input: product(xp, adjoint(xp, input), g),
)
def mv(xp, input, vec: Array):
    """Matrix-vector product.

    Example:
        >>> ad.mv(ad.tensor([[1.0, 2.0], [3.0, 4.0]]), ad.tensor([1.0, 1.0]))
        tensor([3., 7.])
    """
    if input.ndim != 2 or vec.ndim != 1:
        check_dims("mv", input=(input, 2), vec=(vec, 1))
    return product(xp, input, vec)


@multilinear(
    kernel=_dot,
    input=lambda xp, g, tensor: g * conj(xp, tensor),
    tensor=lambda xp, g, input: g * conj(xp, input),
)
def dot(xp, input, tensor: Array):
    """Dot product of two vectors, without conjugation.

    Example:
        >>> ad.dot(ad.tensor([1.0, 2.0]), ad.tensor([3.0, 4.0]))
        tensor(11.)
    """
    if input.ndim != 1 or tensor.ndim != 1:
        check_dims("dot", input=(input, 1), tensor=(tensor, 1))
    return product(xp, input, tensor)


@multilinear(
    input=lambda xp, g, other: conj(xp, g) * other,
    other=lambda xp, g, input: g * input,
)
def vdot(xp, input, other):
    """Dot product of two vectors; the first one is conjugated.

    Example:
        >>> ad.vdot(ad.tensor([1.0, 2.0]), ad.tensor([3.0, 4.0]))
        tensor(11.)
    """
    check_dims("vdot", input=(input, 1), other=(other, 1))
    return product(xp, conj(xp, input), other)


@multilinear(
    input=lambda xp, g, mat2: xp.matmul(g, adjoint(xp, mat2)),
    mat2=lambda xp, g, input: xp.matmul(adjoint(xp, input), g),
)
def bmm(xp, input, mat2: Array):
    """Batched matrix product.

    Example:
        >>> ad.bmm(ad.ones(2, 1, 3), ad.ones(2, 3, 1))
        tensor([[[3.]],
        <BLANKLINE>
                [[3.]]])
    """
    check_dims("bmm", input=(input, 3), mat2=(mat2, 3))
    if input.shape[0] != mat2.shape[0]:
        raise OperatorError(f"bmm needs as many matrices in each stack; got {input.shape[0]} and {mat2.shape[0]}")
    return xp.matmul(input, mat2)


# ---- any ranks -------------------------------------------------------------------------------------------------------


def _count_rows(shape: Any) -> int:
    """Total number of rows of a batch of matrices."""
    count = 1
    for length in shape[:-1]:
        count *= length
    return count


def _as_rows(xp: Any, x: Array) -> Array:
    return xp.reshape(x, (_count_rows(x.shape), x.shape[-1]))


def _left(xp: Any, g: Array, other: Array, input_spec: InputMetadata) -> Array:
    """The gradient of the first factor, for all ranks; what was broadcast is summed by the engine."""
    if other.ndim == 1:
        return xp.expand_dims(g, axis=-1) * conj(xp, other)
    if len(input_spec.shape) == 1 and other.ndim == 2:
        return product(xp, conj(xp, other), g)
    if len(input_spec.shape) == 1:
        return xp.squeeze(xp.matmul(conj(xp, other), xp.expand_dims(g, axis=-1)), axis=-1)
    if other.ndim == 2:
        return xp.reshape(product(xp, _as_rows(xp, g), adjoint(xp, other)), input_spec.shape)
    return xp.matmul(g, adjoint(xp, other))


def _right(xp: Any, g: Array, input: Array, other_spec: InputMetadata) -> Array:
    """Gradient of the second factor. One matrix for a whole batch is one product, not a sum of many."""
    rank = len(other_spec.shape)
    if input.ndim == 1:
        return xp.expand_dims(conj(xp, input), axis=-1) * xp.expand_dims(g, axis=-2)
    if rank == 1:
        return product(xp, adjoint(xp, _as_rows(xp, input)), xp.reshape(g, (_count_rows(input.shape),)))
    if rank == 2:
        return product(xp, adjoint(xp, _as_rows(xp, input)), _as_rows(xp, g))
    return xp.matmul(adjoint(xp, input), g)


def _choose(input: Any, other: Any) -> Operator:
    """The operator for operands of these ranks."""
    for operand in (input, other):
        if type(operand) in SCALARS or isinstance(operand, numpy.generic):
            raise NotAnOperand(f"matmul multiplies tensors, not the number {operand}; use * for that", operand)
    ranks = getattr(input, "ndim", 0), getattr(other, "ndim", 0)
    if ranks == (3, 3) and input.shape[0] != other.shape[0]:
        return table["matmul"]
    return table[_BY_RANK.get(ranks, "matmul")]


_BY_RANK = {(2, 2): "mm", (2, 1): "mv", (1, 1): "dot", (3, 3): "bmm"}


@multilinear(chooses=_choose, input=_left, other=_right)
def matmul(xp, input, other):
    """Matrix product of two tensors of any rank.

    Two vectors give their dot product; a vector is a row on the left and a column on the right; leading dimensions
    are stacks of matrices, which broadcast.

    Example:
        >>> ad.matmul(ad.ones(5, 2, 3), ad.ones(3, 4)).shape
        adjoint.Size([5, 2, 4])
    """
    if input.ndim == 0 or other.ndim == 0:
        raise OperatorError("matmul needs at least one dimension in both operands; multiply by a number with *")
    if other.ndim == 2 and input.ndim > 2:
        rows = product(xp, _as_rows(xp, input), other)
        return xp.reshape(rows, (*input.shape[:-1], other.shape[-1]))
    if other.ndim == 2 and input.ndim == 1:
        return product(xp, input, other)
    return xp.matmul(input, other)


# ---- a product added to something ------------------------------------------------------------------------------------


def scale(x: Array, factor: Any) -> Array:
    return x if factor == 1 else x * factor


def _sum_of(input: Array, beta: Any, other: Array, alpha: Any) -> Array:
    """beta * input + alpha * other. As in PyTorch, NaN in `input` is ignored if beta is zero."""
    other = scale(other, alpha)
    if beta == 0:
        return other
    result = scale(input, beta) + other
    if tuple(result.shape) != tuple(other.shape):
        raise OperatorError(
            f"input of shape {tuple(input.shape)} cannot be broadcast to the product's {tuple(other.shape)}"
        )
    return result


def _beta_vjp(xp: Any, g: Array, beta: Any) -> Array:
    return xp.zeros_like(g) if beta == 0 else scale(g, beta.conjugate())


def _beta_jvp(t: Array, beta: Any) -> Array:
    return scale(t, beta)


@general(
    vjp={
        "input": _beta_vjp,
        "mat1": lambda xp, g, mat2, alpha: scale(product(xp, g, adjoint(xp, mat2)), alpha.conjugate()),
        "mat2": lambda xp, g, mat1, alpha: scale(product(xp, adjoint(xp, mat1), g), alpha.conjugate()),
    },
    jvp={
        "input": _beta_jvp,
        "mat1": lambda xp, t, mat2, alpha: scale(xp.matmul(t, mat2), alpha),
        "mat2": lambda xp, t, mat1, alpha: scale(xp.matmul(mat1, t), alpha),
    },
    promotes="same",
    in_place=True,
)
def addmm(xp, input, mat1: Array, mat2: Array, *, beta=1, alpha=1):
    """Matrix product with addition: ``beta * input + alpha * (mat1 @ mat2)``.

    Example:
        >>> ad.addmm(ad.ones(1), ad.ones(2, 3), ad.ones(3, 2), alpha=2)
        tensor([[7., 7.],
                [7., 7.]])
    """
    check_dims("addmm", mat1=(mat1, 2), mat2=(mat2, 2))
    return _sum_of(input, beta, product(xp, mat1, mat2), alpha)


@general(
    vjp={
        "input": _beta_vjp,
        "mat": lambda xp, g, vec, alpha: scale(xp.expand_dims(g, axis=-1) * conj(xp, vec), alpha.conjugate()),
        "vec": lambda xp, g, mat, alpha: scale(product(xp, adjoint(xp, mat), g), alpha.conjugate()),
    },
    jvp={
        "input": _beta_jvp,
        "mat": lambda xp, t, vec, alpha: scale(xp.matmul(t, vec), alpha),
        "vec": lambda xp, t, mat, alpha: scale(xp.matmul(mat, t), alpha),
    },
    promotes="same",
    in_place=True,
)
def addmv(xp, input, mat: Array, vec: Array, *, beta=1, alpha=1):
    """Matrix-vector product with addition: ``beta * input + alpha * (mat @ vec)``.

    Example:
        >>> ad.addmv(ad.ones(2), ad.ones(2, 3), ad.ones(3))
        tensor([4., 4.])
    """
    check_dims("addmv", mat=(mat, 2), vec=(vec, 1))
    return _sum_of(input, beta, product(xp, mat, vec), alpha)


@general(
    vjp={
        "input": _beta_vjp,
        "vec1": lambda xp, g, vec2, alpha: scale(product(xp, g, conj(xp, vec2)), alpha.conjugate()),
        "vec2": lambda xp, g, vec1, alpha: scale(product(xp, conj(xp, vec1), g), alpha.conjugate()),
    },
    jvp={
        "input": _beta_jvp,
        "vec1": lambda xp, t, vec2, alpha: scale(xp.expand_dims(t, axis=-1) * vec2, alpha),
        "vec2": lambda xp, t, vec1, alpha: scale(xp.expand_dims(vec1, axis=-1) * t, alpha),
    },
    promotes="same",
    in_place=True,
)
def addr(xp, input, vec1: Array, vec2: Array, *, beta=1, alpha=1):
    """Outer product with addition: ``beta * input + alpha * outer(vec1, vec2)``.

    Example:
        >>> ad.addr(ad.zeros(2, 2), ad.tensor([1.0, 2.0]), ad.tensor([3.0, 4.0]))
        tensor([[3., 4.],
                [6., 8.]])
    """
    check_dims("addr", vec1=(vec1, 1), vec2=(vec2, 1))
    return _sum_of(input, beta, xp.expand_dims(vec1, axis=-1) * vec2, alpha)


_STACK_RULES: dict[str, Any] = {
    "input": _beta_vjp,
    "batch1": lambda xp, g, batch2, alpha: scale(xp.matmul(g, adjoint(xp, batch2)), alpha.conjugate()),
    "batch2": lambda xp, g, batch1, alpha: scale(xp.matmul(adjoint(xp, batch1), g), alpha.conjugate()),
}


@general(
    vjp=_STACK_RULES,
    jvp={
        "input": _beta_jvp,
        "batch1": lambda xp, t, batch2, alpha: scale(xp.matmul(t, batch2), alpha),
        "batch2": lambda xp, t, batch1, alpha: scale(xp.matmul(batch1, t), alpha),
    },
    promotes="same",
    in_place=True,
)
def baddbmm(xp, input, batch1: Array, batch2: Array, *, beta=1, alpha=1):
    """Batched matrix product with addition: ``beta * input + alpha * bmm(batch1, batch2)``.

    Example:
        >>> ad.baddbmm(ad.ones(1), ad.ones(2, 1, 3), ad.ones(2, 3, 1)).shape
        adjoint.Size([2, 1, 1])
    """
    check_dims("baddbmm", batch1=(batch1, 3), batch2=(batch2, 3))
    return _sum_of(input, beta, xp.matmul(batch1, batch2), alpha)


@general(
    vjp=_STACK_RULES,
    jvp={
        "input": _beta_jvp,
        "batch1": lambda xp, t, batch2, alpha: scale(xp.sum(xp.matmul(t, batch2), axis=0), alpha),
        "batch2": lambda xp, t, batch1, alpha: scale(xp.sum(xp.matmul(batch1, t), axis=0), alpha),
    },
    promotes="same",
    in_place=True,
)
def addbmm(xp, input, batch1: Array, batch2: Array, *, beta=1, alpha=1):
    """Sum of batched matrix products, with addition: ``beta * input + alpha * bmm(...).sum(0)``.

    Example:
        >>> ad.addbmm(ad.zeros(1), ad.ones(2, 1, 3), ad.ones(2, 3, 1))
        tensor([[6.]])
    """
    check_dims("addbmm", batch1=(batch1, 3), batch2=(batch2, 3))
    return _sum_of(input, beta, xp.sum(xp.matmul(batch1, batch2), axis=0), alpha)
