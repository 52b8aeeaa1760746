"""Matrix functions and equations that SciPy solves, as custom Functions: Sylvester equation, roots, logarithms, bands.

Each rule is written with the same functions on tensors, so there are derivatives of every order.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy

from adjoint._dispatch.table import ops
from adjoint.autograd.function import Function

np: Any = numpy


def _call(name: str, *args: Any) -> Any:
    """Call a function of `scipy.linalg` on the arrays of tensors."""
    arrays = [arg.numpy() if hasattr(arg, "numpy") else arg for arg in args]
    return ops.as_tensor(np.ascontiguousarray(getattr(import_module("scipy.linalg"), name)(*arrays)))


def adjoint_of(matrix: Any) -> Any:
    """The conjugate transpose."""
    return ops.conj(ops.transpose(matrix, -2, -1))


class Sylvester(Function):
    """The solution x of ``a @ x + x @ b = q``."""

    @staticmethod
    def forward(a: Any, b: Any, q: Any) -> Any:
        return _call("solve_sylvester", a, b, q)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(inputs[0], inputs[1], output)
        ctx.save_for_forward(inputs[0], inputs[1], output)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        a, b, x = ctx.saved_tensors
        by_q = solve_sylvester(adjoint_of(a), adjoint_of(b), g)
        return -by_q @ adjoint_of(x), -adjoint_of(x) @ by_q, by_q

    @staticmethod
    def jvp(ctx: Any, da: Any, db: Any, dq: Any) -> Any:
        a, b, x = ctx.saved_tensors
        right = 0 * x if dq is None else dq
        right = right if da is None else right - da @ x
        right = right if db is None else right - x @ db
        return solve_sylvester(a, b, right)


class SquareRoot(Function):
    """The principal square root of a matrix."""

    @staticmethod
    def forward(a: Any) -> Any:
        return _call("sqrtm", a)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(output)
        ctx.save_for_forward(output)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (root,) = ctx.saved_tensors
        return solve_sylvester(adjoint_of(root), adjoint_of(root), g)

    @staticmethod
    def jvp(ctx: Any, t: Any) -> Any:
        (root,) = ctx.saved_tensors
        return solve_sylvester(root, root, t.to(root.dtype))


_POINTS, _LENGTHS = np.polynomial.legendre.leggauss(8)  # from -1 to 1; here from 0 to 1
_NODES, _WEIGHTS = (0.5 + 0.5 * _POINTS).tolist(), (0.5 * _LENGTHS).tolist()


def _compute_logarithm(a: Any) -> Any:
    """Logarithm of a matrix by square roots, until it is near one, and a Padé approximation.

    SciPy's own takes a hundred times as long, and draws random numbers.
    """
    scipy_linalg: Any = import_module("scipy.linalg")
    one, roots = np.eye(a.shape[-1], dtype=a.dtype), 0
    while np.linalg.norm(a - one, 1) > 0.25 and roots < 64:
        a, roots = scipy_linalg.sqrtm(a), roots + 1
    rest = a - one
    return 2.0**roots * sum(w * np.linalg.solve(one + t * rest, rest) for t, w in zip(_NODES, _WEIGHTS))


class Logarithm(Function):
    """The principal logarithm of a matrix."""

    @staticmethod
    def forward(a: Any) -> Any:
        return ops.as_tensor(_compute_logarithm(a.numpy()))

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(inputs[0])
        ctx.save_for_forward(inputs[0])

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (a,) = ctx.saved_tensors
        return _logarithm_along(adjoint_of(a), g)

    @staticmethod
    def jvp(ctx: Any, t: Any) -> Any:
        (a,) = ctx.saved_tensors
        return _logarithm_along(a, t)


def _logarithm_along(a: Any, direction: Any) -> Any:
    """Derivative in a direction: the upper right block of the logarithm of ``[[a, direction], [0, a]]``."""
    n = a.shape[-1]
    if direction.is_complex() and not a.is_complex():
        a = a.to(direction.dtype)
    top, bottom = ops.cat([a, direction.to(a.dtype)], 1), ops.cat([a * 0, a], 1)
    return take_logarithm(ops.cat([top, bottom], 0))[:n, n:]


# ---- banded systems --------------------------------------------------------------------------------------------------


def _shift(rows: Any, by: int) -> Any:
    """``out[j] = rows[j + by]`` along the first axis, zero where there is none."""
    if by == 0:
        return rows
    length = rows.shape[0]
    gap = ops.zeros_like(rows[: min(abs(by), length)])
    return ops.cat([rows[by:], gap], 0) if by > 0 else ops.cat([gap, rows[:by]], 0)


def transpose_bands(below: int, above: int, bands: Any) -> Any:
    """The diagonals of the transpose: it has `above` of them below the main one, and `below` above it."""
    return ops.stack([_shift(bands[below + above - row], row - below) for row in range(below + above + 1)], 0)


class Banded(Function):
    """The solution x of ``a @ x = b`` for a matrix given by its diagonals."""

    @staticmethod
    def forward(below: int, above: int, bands: Any, b: Any) -> Any:
        return _call("solve_banded", (below, above), bands, b)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.below, ctx.above = inputs[:2]
        ctx.save_for_backward(inputs[2], output)
        ctx.save_for_forward(inputs[2], output)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        bands, x = ctx.saved_tensors
        transposed = ops.conj(transpose_bands(ctx.below, ctx.above, bands))
        by_b = solve_banded(ctx.above, ctx.below, transposed, g)
        rows = range(ctx.below + ctx.above + 1)
        by_bands = [-_shift(by_b, row - ctx.above) * ops.conj(x) for row in rows]
        return None, None, ops.stack([_sum_columns(row) for row in by_bands], 0), by_b

    @staticmethod
    def jvp(ctx: Any, _below: Any, _above: Any, dbands: Any, db: Any) -> Any:
        bands, x = ctx.saved_tensors
        right = 0 * x if db is None else db
        if dbands is not None:
            for row in range(ctx.below + ctx.above + 1):
                diagonal = dbands[row] if x.ndim == 1 else ops.unsqueeze(dbands[row], -1)
                right = right - _shift(diagonal * x, ctx.above - row)
        return solve_banded(ctx.below, ctx.above, bands, right)


def _sum_columns(rows: Any) -> Any:
    return ops.sum(rows, -1) if rows.ndim == 2 else rows


solve_sylvester: Any = Sylvester.apply
take_root: Any = SquareRoot.apply
take_logarithm: Any = Logarithm.apply
solve_banded: Any = Banded.apply
