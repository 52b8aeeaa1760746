"""Batched products, linear algebra and Fourier transforms. See Note [Batching] in `arrays/batched`."""

from __future__ import annotations

import string
from typing import Any

from adjoint.arrays import _einsum
from adjoint.arrays.batched import BatchedArray, batched_namespace
from adjoint.arrays.batched.operands import (
    align_ranks,
    batch_size,
    insert_axes,
    level_of,
    over_last_axes,
    repeat_constants,
    same_library,
    shift_axes,
)
from adjoint.arrays.namespace import Array


def split_operands(args: Any) -> tuple[int, list[bool], Any, list[Any]]:
    """Return the level, which operands are batched, the inner namespace, and the values."""
    level = level_of(args)
    batched = [type(x) is BatchedArray and x.level == level and x.batched for x in args]
    values = [x.value if type(x) is BatchedArray and x.level == level else x for x in args]
    return level, batched, same_library(values), values


# ---- products --------------------------------------------------------------------------------------------------------


def matmul(x1: Any, x2: Any, /) -> Array:
    """As in the standard. A batch of vectors becomes a matrix where that makes many products one."""
    level, (left, right), space, (a, b) = split_operands((x1, x2))
    if not level:
        return space.matmul(a, b)
    n, m = len(x1.shape), len(x2.shape)
    if not (left or right) or (left and not right and m == 1):
        out = space.matmul(a, b)
    elif not right and n <= 2 and m == 2:
        out = _matmul_as_one(space, a, b)
    elif not left and n <= 2 and m == 1:
        out = space.matmul(b, space.matrix_transpose(a) if n == 2 else a)
    else:
        out = _matmul_aligned(space, (a, n, left), (b, m, right))
    return BatchedArray(space.ensure_array(out), level, left or right)


def _matmul_as_one(space: Any, a: Array, b: Array) -> Array:
    """Multiply the rows of all samples by one matrix, in one product."""
    if len(a.shape) == 2:
        return space.matmul(a, b)
    rows = space.reshape(a, (a.shape[0] * a.shape[1], a.shape[2]))
    return space.reshape(space.matmul(rows, b), (a.shape[0], a.shape[1], b.shape[1]))


def _matmul_aligned(space: Any, one: tuple[Array, int, bool], two: tuple[Array, int, bool]) -> Array:
    """General case: vectors become matrices of one row or column, and ranks are aligned after the batch axis."""
    (a, n, left), (b, m, right) = one, two
    if n == 1:
        a = space.expand_dims(a, axis=-2)
    if m == 1:
        b = space.expand_dims(b, axis=-1)
    rank = max(n, m, 2)
    if left and max(n, 2) < rank:
        a = insert_axes(space, a, rank - max(n, 2))
    if right and max(m, 2) < rank:
        b = insert_axes(space, b, rank - max(m, 2))
    out = space.matmul(a, b)
    if n == 1:
        out = space.squeeze(out, axis=-2)
    return space.squeeze(out, axis=-1) if m == 1 else out


def affine(x: Any, weight: Any, bias: Any) -> Array:
    """See `Namespace.affine`."""
    level, batched, space, values = split_operands((x, weight, bias))
    if batched[0] and not batched[1] and not batched[2] and len(weight.shape) == 2:
        return BatchedArray(space.affine(*values), level)
    out = matmul(x, batched_namespace.matrix_transpose(weight) if len(weight.shape) == 2 else weight)
    return out if bias is None else out + bias


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
    """As in the standard."""
    level = level_of((x1, x2))
    rank = max(len(x1.shape), len(x2.shape))
    space, values, batched = align_ranks((x1, x2), level)
    out = space.vecdot(*values, axis=axis if axis < 0 else axis - rank)
    return BatchedArray(space.ensure_array(out), level, batched) if level else out


def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Array:
    """As in the standard."""
    n, m = len(x1.shape), len(x2.shape)
    if isinstance(axes, int):
        axes = (range(n - axes, n), range(axes))
    left, right = ([int(a) % rank for a in one] for one, rank in zip(axes, (n, m)))
    letters = iter(string.ascii_letters)
    first = [next(letters) for _ in range(n)]
    second: list[str] = [first[left[right.index(i)]] if i in right else next(letters) for i in range(m)]
    kept = [c for i, c in enumerate(first) if i not in left] + [c for i, c in enumerate(second) if i not in right]
    return einsum(f"{''.join(first)},{''.join(second)}->{''.join(kept)}", x1, x2)


def outer(x1: Any, x2: Any, /) -> Array:
    """Outer product of two vectors."""
    return einsum("i,j->ij", x1, x2)


def einsum(subscripts: str, *operands: Array) -> Array:
    """See `Namespace.einsum`; the batch axis is an additional letter."""
    level, batched, space, values = split_operands(operands)
    if not any(batched):
        out = space.einsum(subscripts, *values)
        return BatchedArray(out, level, False) if level else out
    parsed = _einsum.parse_einsum(subscripts, *[tuple(x.shape) for x in operands])
    batch = next(c for c in string.ascii_letters if c not in parsed.subscripts)
    terms = [batch + letters if own else letters for letters, own in zip(parsed.inputs, batched)]
    return BatchedArray(space.einsum(f"{','.join(terms)}->{batch}{parsed.output}", *values), level)


# ---- linear algebra --------------------------------------------------------------------------------------------------


def solve(x1: Any, x2: Any, /) -> Array:
    """As in the standard: a right side of one dimension is one vector."""
    if len(x2.shape) == 1:
        column = batched_namespace.expand_dims(x2, axis=-1)
        return batched_namespace.squeeze(_solve_with("solve", x1, column), axis=-1)
    return _solve_with("solve", x1, x2)


def solve_triangular(a: Any, b: Any, upper: bool = False, unitriangular: bool = False) -> Array:
    """See `Namespace.solve_triangular`."""
    return _solve_with("solve_triangular", a, b, upper=upper, unitriangular=unitriangular)


def _solve_with(name: str, x1: Any, x2: Any, **kwargs: Any) -> Array:
    level = level_of((x1, x2))
    space, values, batched = align_ranks((x1, x2), level)
    rank = max(len(values[0].shape), len(values[1].shape))
    # With equal ranks, a stack of matrices on the right is not mistaken for a stack of vectors.
    values = [
        space.reshape(v, (1,) * (rank - len(v.shape)) + tuple(v.shape)) if len(v.shape) < rank else v for v in values
    ]
    out = getattr(space.linalg if name == "solve" else space, name)(*values, **kwargs)
    return BatchedArray(out, level, batched) if level else out


def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
    """As in the standard."""
    level = level_of((x1, x2))
    space, values, batched = align_ranks((x1, x2), level)
    rank = max(len(x1.shape), len(x2.shape))
    axis = axis if axis < 0 else axis - rank
    shape = batched_namespace.broadcast_arrays(x1, x2)[0].shape
    size = batch_size((x1, x2), level)
    whole = shape if size is None else (size, *shape)
    out = space.linalg.cross(*[space.broadcast_to(v, whole) for v in values], axis=axis)
    return BatchedArray(out, level, batched) if level else out


def matrix_rank(x: Any, /, *, rtol: Any = None) -> Array:
    """As in the standard."""
    return _with_tolerance("matrix_rank", x, rtol)


def pinv(x: Any, /, *, rtol: Any = None) -> Array:
    """As in the standard."""
    return _with_tolerance("pinv", x, rtol)


def _with_tolerance(name: str, x: Any, rtol: Any) -> Array:
    level = level_of((x, rtol))
    space, values = repeat_constants((x, rtol), level)
    batched = batch_size((x, rtol), level) is not None
    given = {} if rtol is None else {"rtol": values[1]}
    out = getattr(space.linalg, name)(values[0], **given)
    return BatchedArray(space.ensure_array(out), level, batched) if level else out


def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Array:
    """As in the standard."""
    if type(x) is not BatchedArray or not x.batched:
        return over_last_axes("vector_norm", "linalg")(x, axis=axis, keepdims=keepdims, ord=ord)
    if axis is None:  # as one vector, so that no library takes two axes for those of a matrix
        flat = batched_namespace.reshape(x, (-1,))
        out = vector_norm(flat, axis=0, ord=ord)
        return batched_namespace.reshape(out, (1,) * len(x.shape)) if keepdims else out
    return over_last_axes("vector_norm", "linalg")(x, axis=shift_axes(axis, len(x.shape)), keepdims=keepdims, ord=ord)


class Section:
    """An extension of the namespace: its own functions, and functions of the last axes."""

    own: dict[str, Any] = {}
    section = ""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        found = self.own.get(name)
        self.__dict__[name] = found = over_last_axes(name, self.section) if found is None else found
        return found


class Linalg(Section):
    """`xp.linalg`."""

    section = "linalg"
    own = {
        "cross": cross, "matmul": matmul, "matrix_rank": matrix_rank, "outer": outer, "pinv": pinv, "solve": solve,
        "tensordot": tensordot, "vecdot": vecdot, "vector_norm": vector_norm,
    }  # fmt: skip


# ---- Fourier transforms ----------------------------------------------------------------------------------------------


def _over_one_axis(name: str) -> Any:
    def call(x: Any, /, *, n: Any = None, axis: int = -1, norm: str = "backward") -> Array:
        axis = shift_axes(axis, len(x.shape)) if type(x) is BatchedArray and x.batched else axis
        return over_last_axes(name, "fft")(x, n=n, axis=axis, norm=norm)

    return call


def _over_axes(name: str) -> Any:
    def call(x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Array:
        if type(x) is BatchedArray and x.batched:
            ndim = len(x.shape)
            if axes is None and s is not None:
                axes = tuple(range(-len(s), 0))
            axes = shift_axes(axes, ndim)
        return over_last_axes(name, "fft")(x, s=s, axes=axes, norm=norm)

    return call


def _shift(name: str) -> Any:
    def call(x: Any, /, *, axes: Any = None) -> Array:
        axes = shift_axes(axes, len(x.shape)) if type(x) is BatchedArray and x.batched else axes
        return over_last_axes(name, "fft")(x, axes=axes)

    return call


class Fourier(Section):
    """`xp.fft`."""

    section = "fft"
    own = (
        {name: _over_one_axis(name) for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")}
        | {name: _over_axes(name) for name in ("fftn", "ifftn", "rfftn", "irfftn")}
        | {name: _shift(name) for name in ("fftshift", "ifftshift")}
    )

    def fftfreq(self, n: int, /, **kwargs: Any) -> Array:
        """As in the standard."""
        return batched_namespace.home.fft.fftfreq(n, **kwargs)

    def rfftfreq(self, n: int, /, **kwargs: Any) -> Array:
        """As in the standard."""
        return batched_namespace.home.fft.rfftfreq(n, **kwargs)
