"""The corners of shapes and functions: empty, 0-dim, 64 dimensions, odd strides; and derivatives at kinks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint as ad

pytestmark = pytest.mark.stress

DEEPEST = 64  # dimensions: NumPy's limit


def gradient(module: Any, function: Callable[..., Any], *values: Any) -> Any:
    """The gradients of the sum of what a function of ``(module, *tensors)`` returns, as lists."""
    leaves = [module.tensor(value, dtype=module.float64, requires_grad=True) for value in values]
    grads = module.autograd.grad(function(module, *leaves).sum(), leaves)
    return [grad.tolist() for grad in grads]


# ---- case 8: kinks ---------------------------------------------------------------------------------------------------

INF, NAN = float("inf"), float("nan")

KINKS: dict[str, tuple[Callable[..., Any], list[Any], list[Any]]] = {
    "amax, tie": (lambda m, x: x.amax(), [[2.0, 1.0, 2.0]], [[0.5, 0.0, 0.5]]),
    "amin, tie": (lambda m, x: x.amin(0), [[1.0, 1.0, 2.0]], [[0.5, 0.5, 0.0]]),
    "max, tie": (lambda m, x: x.max(), [[2.0, 1.0, 2.0]], [[0.5, 0.0, 0.5]]),
    "min, tie": (lambda m, x: x.min(), [[1.0, 1.0, 2.0]], [[0.5, 0.5, 0.0]]),
    "max along a dimension, tie": (lambda m, x: x.max(0).values, [[2.0, 2.0]], [[1.0, 0.0]]),
    "maximum, tie": (lambda m, x, y: m.maximum(x, y), [[1.0], [1.0]], [[0.5], [0.5]]),
    "minimum, tie": (lambda m, x, y: m.minimum(x, y), [[1.0], [1.0]], [[0.5], [0.5]]),
    "abs at 0": (lambda m, x: m.abs(x), [[0.0]], [[0.0]]),
    "sign at 0": (lambda m, x: m.sign(x), [[0.0]], [[0.0]]),
    "relu at 0": (lambda m, x: m.relu(x), [[0.0]], [[0.0]]),
    "norm at 0": (lambda m, x: x.norm(), [[0.0, 0.0]], [[0.0, 0.0]]),
    "norm 1 at 0": (lambda m, x: x.norm(1), [[0.0, 2.0]], [[0.0, 1.0]]),
    "norm inf, tie": (lambda m, x: x.norm(float("inf")), [[2.0, -2.0]], [[0.5, -0.5]]),
    "norm along a dimension at 0": (lambda m, x: x.norm(dim=1), [[[0.0, 0.0], [3.0, 4.0]]], [[[0.0, 0.0], [0.6, 0.8]]]),
    "x ** 0. at 0": (lambda m, x: x**0.0, [[0.0]], [[0.0]]),
    "x ** 1. at 0": (lambda m, x: x**1.0, [[0.0]], [[1.0]]),
    "x ** 2. at 0": (lambda m, x: x**2.0, [[0.0]], [[0.0]]),
    "0. ** x at 0 and 1": (lambda m, x: m.zeros((), dtype=m.float64) ** x, [[0.0, 1.0]], [[0.0, 0.0]]),
    "x ** y at (0, 0)": (lambda m, x, y: x**y, [[0.0], [0.0]], [[0.0], [0.0]]),
    "clamp at its bounds": (lambda m, x: x.clamp(-1.0, 1.0), [[-1.0, 1.0, -2.0, 2.0]], [[1.0, 1.0, 0.0, 0.0]]),
    "prod with one 0": (lambda m, x: x.prod(), [[0.0, 2.0, 3.0]], [[6.0, 0.0, 0.0]]),
    "prod with two 0s": (lambda m, x: x.prod(), [[0.0, 0.0, 3.0]], [[0.0, 0.0, 0.0]]),
    "median, even": (lambda m, x: x.median(), [[1.0, 3.0, 2.0, 4.0]], [[0.0, 0.0, 1.0, 0.0]]),
    "floor": (lambda m, x: m.floor(x), [[1.0]], [[0.0]]),
    "logsumexp with -inf": (lambda m, x: m.logsumexp(x, 0), [[-INF, 0.0]], [[0.0, 1.0]]),
    "std of equal values": (lambda m, x: x.std(), [[1.0, 1.0]], [[0.0, 0.0]]),
    "sqrt at 0": (lambda m, x: m.sqrt(x), [[0.0]], [[INF]]),
    "hypot at 0": (lambda m, x, y: m.hypot(x, y), [[0.0], [0.0]], [[NAN], [NAN]]),
    "atan2 at 0": (lambda m, x, y: m.atan2(x, y), [[0.0], [0.0]], [[0.0], [0.0]]),
}


@pytest.mark.parametrize("name", KINKS)
def test_kinks(name: str) -> None:
    """Case 8: at a kink the gradient is PyTorch's choice, the subgradient of minimum norm where there is one."""
    function, values, expected = KINKS[name]
    np.testing.assert_array_equal(gradient(ad, function, *values), expected)


@pytest.mark.oracle
@pytest.mark.parametrize("name", KINKS)
def test_kinks_against_torch(name: str) -> None:
    """Case 8: what the table above says of PyTorch is so."""
    function, values, expected = KINKS[name]
    np.testing.assert_array_equal(gradient(pytest.importorskip("torch"), function, *values), expected)


# ---- case 9: shapes --------------------------------------------------------------------------------------------------

SHAPES = {
    "0-dim": (),
    "one element": (1, 1, 1),
    "empty": (0,),
    "empty in the middle": (2, 0, 3),
    "64 dimensions": (1,) * 62 + (2, 3),
}

UNARY: dict[str, Callable[[Any], Any]] = {
    "tanh": ad.tanh,
    "square": lambda x: x * x,
    "sum": lambda x: x.sum() * 2.0,
    "mean times size": lambda x: x.mean() * float(x.numel()),
    "prod": lambda x: x.prod(),
    "sum of the last": lambda x: x.sum(-1) if x.ndim else x.sum(),
    "cumsum": lambda x: x.cumsum(-1) if x.ndim else x * 1.0,
    "reshape": lambda x: x.reshape(-1) * 2.0,
    "flip": lambda x: x.flip(tuple(range(x.ndim))) * 2.0,
    "transpose": lambda x: x.transpose(0, -1) * 2.0 if x.ndim else x * 2.0,
    "index": lambda x: x[..., None] * 2.0 if x.ndim < DEEPEST else x[...] * 2.0,
    "where": lambda x: ad.where(x > 0, x, -x),
    "cat": lambda x: ad.cat([x, x], -1) if x.ndim else ad.stack([x, x]),
    "softmax": lambda x: ad.softmax(x, -1) * 3.0 if x.ndim else x * 3.0,
    "norm": lambda x: x.norm() if x.numel() else x.sum(),
    "clone in place": lambda x: x.clone().mul_(3.0).add_(x),
    "detach": lambda x: x * x + (x - x.detach()) * 2.0 - x * 2.0 + x.detach() * 2.0,
    "broadcast": lambda x: x + ad.ones(2, *x.shape, dtype=x.dtype) if x.ndim < DEEPEST else x + x,
}


def finite_difference(function: Callable[[Any], Any], value: np.ndarray) -> np.ndarray:
    """Central differences of the sum of a function."""
    grad = np.zeros_like(value)
    step = 1e-6
    for place in np.ndindex(value.shape):
        for sign in (1, -1):
            moved = value.copy()
            moved[place] += sign * step
            grad[place] += sign * float(function(ad.tensor(moved)).sum().item()) / (2 * step)
    return grad


@pytest.mark.filterwarnings("ignore:.*degrees of freedom.*", "ignore:Mean of empty slice")
@pytest.mark.parametrize("operation", UNARY)
@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(shape: str, operation: str) -> None:
    """Case 9: empty, 0-dim and 64-dimensional tensors have gradients of their own shape, and the right ones."""
    values = np.random.default_rng(3).uniform(0.5, 1.5, SHAPES[shape])
    if operation == "mean times size" and values.size == 0:
        pytest.skip("the mean of nothing is NaN")
    x = ad.tensor(values, requires_grad=True)
    UNARY[operation](x).sum().backward()
    assert x.grad.shape == x.shape and x.grad.dtype is x.dtype
    np.testing.assert_allclose(x.grad.numpy(), finite_difference(UNARY[operation], values), atol=1e-7)


def transposed(a: np.ndarray) -> np.ndarray:
    return a.T


def reversed_rows(a: np.ndarray) -> np.ndarray:
    return a[::-1]


def every_other(a: np.ndarray) -> np.ndarray:
    return a[:, ::-2]


def fortran(a: np.ndarray) -> np.ndarray:
    return np.asfortranarray(a)


def inner_part(a: np.ndarray) -> np.ndarray:
    return a[1:-1, 1:-1]


def repeated(a: np.ndarray) -> np.ndarray:
    return np.broadcast_to(a[:1], a.shape)


def unaligned(a: np.ndarray) -> np.ndarray:
    raw = np.zeros(a.nbytes + 1, np.uint8)[1:]
    result = raw.view(a.dtype).reshape(a.shape)
    result[...] = a
    return result


def big_endian(a: np.ndarray) -> np.ndarray:
    return a.astype(a.dtype.newbyteorder(">"))


LAYOUTS = [transposed, reversed_rows, every_other, fortran, inner_part, repeated, unaligned]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("operation", UNARY)
def test_layouts(operation: str, layout: Callable[[np.ndarray], np.ndarray]) -> None:
    """Case 9: values and gradients do not depend on how an array lies in memory, nor a gradient on that of another."""
    values = layout(np.random.default_rng(4).uniform(0.5, 1.5, (4, 6)))
    odd = ad.Tensor(values).requires_grad_()
    plain = ad.tensor(np.ascontiguousarray(values), requires_grad=True)
    results = [UNARY[operation](x) for x in (odd, plain)]
    # Vector instructions, which strided arrays do not get, round functions differently by a few eps. So do sums, which
    # are added in the order in which their terms lie in memory: by eps for each term, and more beside what cancels.
    rounding = 4 * values.size * np.finfo(float).eps
    np.testing.assert_allclose(results[0].detach().numpy(), results[1].detach().numpy(), rtol=rounding)
    weights = np.random.default_rng(5).uniform(size=tuple(results[0].shape))
    for result, given in zip(results, (np.array(weights, order="F"), np.array(weights))):
        result.backward(ad.Tensor(given))
    np.testing.assert_allclose(odd.grad.numpy(), plain.grad.numpy(), rtol=rounding, atol=rounding)
    assert not np.shares_memory(odd.grad.numpy(), values)


def test_byte_order() -> None:
    """Case 9: an array of foreign byte order is refused or understood, never misread."""
    values = big_endian(np.arange(3.0))
    try:
        x = ad.Tensor(values).requires_grad_()
    except (TypeError, ValueError, RuntimeError):
        return
    (x * x).sum().backward()
    assert x.grad.tolist() == [0.0, 2.0, 4.0]


def test_gradient_is_not_shared() -> None:
    """Case 9: a gradient that was given as an expanded, read-only or foreign array is not what `.grad` holds."""
    x = ad.ones(3).requires_grad_()
    given = ad.ones(1).expand(3)
    (x * 1.0).backward(given)
    (x * 1.0).backward(given)
    assert x.grad.tolist() == [2.0] * 3
    assert given.tolist() == [1.0] * 3


def test_too_many_dimensions() -> None:
    """Case 9: one dimension more than the array library has is an error, and the tensor is as before."""
    x = ad.ones((1,) * DEEPEST).requires_grad_()
    with pytest.raises((RuntimeError, ValueError, IndexError)):
        x[None]
    (x * 2.0).sum().backward()
    assert x.grad.item() == 2.0
