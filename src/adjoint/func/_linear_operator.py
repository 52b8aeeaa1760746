"""`linear_operator`: Jacobian, Hessian or Gauss-Newton matrix as a matrix-free `scipy.sparse.linalg.LinearOperator`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy

from adjoint._core import modes
from adjoint._dispatch import trees
from adjoint._ops.creation.tensors import as_tensor
from adjoint.func._grad import check_outputs, grad
from adjoint.func._linearize import Transpose
from adjoint.func._recording import Recording
from adjoint.func._vmap import vmap

np: Any = numpy
Leaves = list[Any]


def linear_operator(
    func: Callable[..., Any], *primals: Any, kind: str = "jacobian", loss: Callable[..., Any] | None = None
) -> Any:
    """Derivative of a function at a point as a `scipy.sparse.linalg.LinearOperator`.

    The function runs once; every product costs about as much as a backward pass. Arguments and results that are trees
    of tensors become vectors: their leaves, flattened and concatenated.

    Args:
        func: returns a tree of real tensors; for "hessian" one tensor of one element.
        primals: the arguments: trees of real tensors.
        kind: "jacobian" for J; "hessian" for the second derivatives H; "gauss_newton" for ``J^T L J``, where L is the
            Hessian of `loss` (the identity without one): it is never indefinite if the loss is convex.
        loss: for "gauss_newton", a function of what `func` returns, with one element as its result.

    Returns:
        The operator, with products with vectors and matrices from both sides.

    Example:
        >>> from scipy.sparse.linalg import cg
        >>> hessian = ad.func.linear_operator(lambda x: (x**4).sum(), ad.tensor([1.0, 2.0]), kind="hessian")
        >>> hessian @ np.array([1.0, 1.0])
        array([12., 48.], dtype=float32)
        >>> cg(hessian, np.array([12.0, 96.0]))[0].round(3)
        array([1., 2.])
    """
    makers = {"jacobian": _jacobian, "hessian": _hessian, "gauss_newton": _gauss_newton}
    if kind not in makers:
        raise ValueError(f"linear_operator: kind has to be one of {list(makers)}, got {kind!r}")
    if loss is not None and kind != "gauss_newton":
        raise ValueError(f"linear_operator: a loss is for kind='gauss_newton' only, not for {kind!r}")
    primals = trees.with_tensors(primals)
    trees.check_real("linear_operator", trees.flatten(primals)[0], "arguments")
    return makers[kind](func, primals, loss)


def _jacobian(func: Callable[..., Any], primals: Any, loss: Any) -> Any:
    linearized = _LinearizedFunction(func, primals)
    return _make_operator(linearized.outputs, linearized.inputs, linearized.push, linearized.pull)


def _hessian(func: Callable[..., Any], primals: Any, loss: Any) -> Any:
    linearized = _gradient_at(func, primals)
    return _make_operator(linearized.inputs, linearized.inputs, linearized.pull, linearized.pull)  # it is symmetric


def _gauss_newton(func: Callable[..., Any], primals: Any, loss: Callable[..., Any] | None) -> Any:
    linearized = _LinearizedFunction(func, primals)
    if loss is None:
        product = lambda tangents: linearized.pull(linearized.push(tangents))
    else:
        curvature = _gradient_at(loss, (trees.unflatten(linearized.output_structure, linearized.outputs),))
        product = lambda tangents: linearized.pull(curvature.pull(linearized.push(tangents)))
    return _make_operator(linearized.inputs, linearized.inputs, product, product)


def _gradient_at(func: Callable[..., Any], primals: Any) -> _LinearizedFunction:
    """Linearize the gradient of a function at a point."""

    def scalar(*args: Any) -> Any:
        result = func(*args)
        single = getattr(result, "shape", None)
        return result.reshape(()) if single and math.prod(single) == 1 else result

    return _LinearizedFunction(grad(scalar, argnums=tuple(range(len(primals)))), primals)


class _LinearizedFunction:
    """A function linearized at a point: `push` (JVP) and `pull` (VJP) of lists of leaves."""

    def __init__(self, func: Callable[..., Any], primals: Any) -> None:
        with modes.no_grad():
            recording = Recording(func, primals, {}, None, False, "linear_operator")
            check_outputs(recording.outputs, "linear_operator")
            trees.check_real("linear_operator", recording.outputs, "function's outputs")
            self.output_structure = recording.output_structure
            self.inputs: Leaves = trees.flatten(primals)[0]
            self.outputs: Leaves = trees.flatten(recording.tracked_outputs())[0]
            self.push = Transpose(recording)
        self.pull = lambda cotangents: recording.pull(cotangents, keep=True)


def _make_operator(rows: Leaves, columns: Leaves, product: Any, transposed: Any) -> Any:
    """Make the operator from its products with lists of leaves."""
    from scipy.sparse import linalg

    make: Any = linalg.LinearOperator
    forth, back = _FlatVector(columns), _FlatVector(rows)
    return make(
        (back.size, forth.size),
        matvec=lambda v: back.join(_apply(product, forth.split(v))),
        rmatvec=lambda v: forth.join(_apply(transposed, back.split(v))),
        matmat=lambda matrix: back.join_columns(_apply_to_each(product, forth.split_columns(matrix))),
        rmatmat=lambda matrix: forth.join_columns(_apply_to_each(transposed, back.split_columns(matrix))),
        dtype=np.result_type(forth.dtype, back.dtype),
    )


def _apply(product: Any, leaves: Leaves) -> Leaves:
    with modes.no_grad():
        return product(leaves)


def _apply_to_each(product: Any, leaves: Leaves) -> Leaves:
    with modes.no_grad():
        return list(vmap(lambda *sample: tuple(product(list(sample))))(*leaves))


class _FlatVector:
    """Conversion between lists of leaves and flat vectors."""

    def __init__(self, leaves: Leaves) -> None:
        self.leaves = leaves
        self.sizes = [leaf._spec.size for leaf in leaves]
        self.size = sum(self.sizes)
        self.dtype: Any = np.result_type(*[leaf.dtype.numpy for leaf in leaves])

    def split(self, vector: Any) -> Leaves:
        return self._split(np.asarray(vector).reshape(-1), ())

    def split_columns(self, matrix: Any) -> Leaves:
        return self._split(np.asarray(matrix).T, (matrix.shape[1],))

    def _split(self, values: Any, batch: tuple[int, ...]) -> Leaves:
        if np.iscomplexobj(values):
            raise TypeError(
                "linear_operator: derivatives of real functions multiply real vectors only, got complex ones"
            )
        parts = np.split(values, np.cumsum(self.sizes)[:-1], axis=-1)
        return [
            as_tensor(np.ascontiguousarray(part, dtype=leaf.dtype.numpy).reshape((*batch, *leaf._spec.shape)))
            for part, leaf in zip(parts, self.leaves)
        ]

    def join(self, leaves: Leaves) -> Any:
        return np.concatenate([np.asarray(leaf.detach()).reshape(-1).astype(self.dtype) for leaf in leaves])

    def join_columns(self, leaves: Leaves) -> Any:
        flat = [np.asarray(leaf.detach()) for leaf in leaves]
        return np.concatenate([part.reshape(len(part), -1).astype(self.dtype) for part in flat], axis=1).T
