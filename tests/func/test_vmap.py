"""`vmap`: arguments and results, nesting with other transforms, derivatives at kinks, gradients of a batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.arrays.batched import BatchedArray
from adjoint.autograd import forward_ad
from adjoint.func import grad, hessian, jacfwd, jacrev, jvp, vjp, vmap


def rows() -> ad.Tensor:
    return ad.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], dtype=ad.float64)


def assert_equal(found: Any, expected: Any) -> None:
    expected = expected.detach().numpy() if isinstance(expected, ad.Tensor) else np.asarray(expected)
    assert tuple(found.shape) == expected.shape
    np.testing.assert_allclose(found.detach().numpy(), expected, rtol=1e-12, atol=1e-12)


# ---- arguments and results -------------------------------------------------------------------------------------------


def test_in_dims_and_out_dims() -> None:
    x = rows()
    y = ad.arange(12.0, dtype=ad.float64).reshape(3, 4)
    assert_equal(vmap(ad.sum)(x), [6, 15])
    assert_equal(vmap(ad.sum, in_dims=1)(x), [5, 7, 9])
    assert_equal(vmap(ad.sum, in_dims=-1)(x), [5, 7, 9])
    assert_equal(vmap(lambda a, b: a @ b, in_dims=(0, None))(x, y), x @ y)
    assert_equal(vmap(lambda a, b: a @ b, in_dims=(None, 1))(x, y), (x @ y).T)
    assert_equal(vmap(lambda a, b: a @ b, in_dims=(None, 1), out_dims=1)(x, y), x @ y)
    assert_equal(vmap(lambda a: a.outer(a), out_dims=-1)(x), ad.stack([x[0].outer(x[0]), x[1].outer(x[1])], -1))


def test_trees() -> None:
    x = rows()
    batch = {"a": x, "rest": [x[0], (x * 2, 3)]}
    dims = ({"a": 0, "rest": [None, (0, None)]},)

    def function(tree: Any) -> Any:
        a, (b, (c, n)) = tree["a"], tree["rest"]
        return {"sum": a + b + c, "pair": (a * n, [c.sum()])}

    found = vmap(function, in_dims=dims)(batch)
    assert_equal(found["sum"], x + x[0] + x * 2)
    assert_equal(found["pair"][0], x * 3)
    assert_equal(found["pair"][1][0], [12, 30])
    found = vmap(function, in_dims=dims, out_dims={"sum": 1, "pair": (1, [0])})(batch)
    assert_equal(found["sum"], (x + x[0] + x * 2).T)
    found = vmap(function, in_dims=dims, out_dims={"sum": -1, "pair": 0})(batch)
    assert_equal(found["pair"][0], x * 3)


def test_keyword_arguments_are_shared() -> None:
    x = rows()
    assert_equal(vmap(lambda a, *, b: a + b.sum(0))(x, b=x), x + x.sum(0))


def test_results_that_do_not_depend_on_the_sample() -> None:
    x = rows()
    assert_equal(vmap(lambda a: ad.ones(2, dtype=ad.float64))(x), np.ones((2, 2)))
    assert_equal(vmap(lambda a: x, out_dims=1)(x), np.stack([rows().numpy()] * 2, 1))
    constant, name = vmap(lambda a: (ad.ones(2, dtype=ad.float64), "name"), out_dims=(None, None))(x)
    assert_equal(constant, np.ones(2))
    assert name == "name"


def test_named_tuples_of_operators() -> None:
    x = rows()
    found = vmap(lambda a: (a.max(0), ad.linalg.slogdet(a.outer(a) + ad.eye(3, dtype=ad.float64))))(x)
    assert type(found[0]) is type(x.max(1)) and found[0].indices.tolist() == [2, 2]
    assert_equal(found[1].logabsdet, np.log(1 + (rows().numpy() ** 2).sum(1)))


def test_arrays_of_libraries() -> None:
    jnp = pytest.importorskip("jax.numpy")
    values = np.arange(6.0, dtype=np.float32).reshape(2, 3)
    assert_equal(vmap(ad.sum)(values), [3, 12])
    found = vmap(lambda a: a.sum())(jnp.asarray(values))
    assert found.dtype is ad.float32 and not isinstance(found._array, np.ndarray)
    np.testing.assert_array_equal(np.asarray(found._array), [3, 12])


def test_inside_jit() -> None:
    jax = pytest.importorskip("jax")
    values = np.arange(6.0, dtype=np.float32).reshape(2, 3)

    def function(a: Any) -> Any:
        out = ad.zeros_like(a)
        out[0] = a[1:].norm()
        out[1:].add_(ad.where(a[1:] > 1, a[1:], -a[1:]))
        return out

    expected = vmap(function)(ad.tensor(values)).numpy()
    np.testing.assert_allclose(jax.jit(lambda x: vmap(function)(x)._array)(values), expected, rtol=1e-6)
    gradient = vmap(grad(lambda a: function(a).sum()))
    expected = gradient(ad.tensor(values)).numpy()
    np.testing.assert_allclose(jax.jit(lambda x: gradient(x)._array)(values), expected, rtol=1e-6)


def test_empty_and_single_batches() -> None:
    assert_equal(vmap(lambda a: a.sum())(ad.zeros(0, 3, dtype=ad.float64)), np.zeros(0))
    assert_equal(vmap(lambda a: a * 2)(ad.ones(1, 3, dtype=ad.float64)), np.full((1, 3), 2.0))
    assert_equal(vmap(lambda a: a.reshape(-1))(ad.zeros(0, 2, 3, dtype=ad.float64)), np.zeros((0, 6)))


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 100])
def test_chunks(size: int) -> None:
    x = ad.arange(21.0, dtype=ad.float64).reshape(3, 7)
    function = lambda a, b: (a.sin() * b, a.sum())
    whole = vmap(function, in_dims=(1, None), out_dims=(1, 0))(x, x[:, 0])
    parts = vmap(function, in_dims=(1, None), out_dims=(1, 0), chunk_size=size)(x, x[:, 0])
    for found, expected in zip(parts, whole):
        assert_equal(found, expected)


def test_what_the_function_sees() -> None:
    seen: list[Any] = []

    def function(a: Any) -> Any:
        seen.extend([a.shape, a.dim(), len(a), a.numel(), a.dtype, a.size(0), a.stride(), repr(a), str(a.sum())])
        return a

    vmap(function)(rows())
    assert seen[:7] == [(3,), 1, 3, 3, ad.float64, 3, (1,)]
    assert "level=1" in seen[7] and "6." in seen[7]


def test_signature_and_name() -> None:
    def loss(weights: Any) -> Any:
        """How wrong it is."""
        return weights.sum()

    assert vmap(loss).__name__ == "loss" and vmap(loss).__doc__ == "How wrong it is."


# ---- nesting ---------------------------------------------------------------------------------------------------------


def test_nested_maps_do_not_mix() -> None:
    x, y = rows(), ad.tensor([10.0, 20.0, 30.0, 40.0], dtype=ad.float64)
    outer = vmap(lambda a: vmap(lambda b: a.sum() * b)(y))(x)
    assert_equal(outer, x.sum(1)[:, None] * y)
    pairs = vmap(lambda a: vmap(lambda b: a * b)(x))(x)
    assert_equal(pairs, x[:, None] * x[None])
    deep = vmap(lambda a: vmap(lambda b: vmap(lambda c: a * b - c)(x[0]))(x[0]))(x[0])
    v = x[0]
    assert_equal(deep, v[:, None, None] * v[None, :, None] - v[None, None])
    indexed = vmap(lambda i: vmap(lambda j: x[i, j])(ad.tensor([0, 2])))(ad.tensor([1, 0]))
    assert_equal(indexed, [[4, 6], [1, 3]])


def test_with_derivatives_in_any_order() -> None:
    x = rows()
    f = lambda a: (a.sin() * a.sum()).sum()
    expected = ad.stack([grad(f)(row) for row in x])
    assert_equal(vmap(grad(f))(x), expected)
    assert_equal(grad(lambda z: vmap(f)(z).sum())(x), expected)
    second = ad.stack([hessian(f)(row) for row in x])
    assert_equal(vmap(hessian(f))(x), second)
    assert_equal(vmap(jacfwd(jacrev(f)))(x), second)
    outer = lambda z: (vmap(grad(f))(z) ** 2).sum()
    loop = lambda z: sum([(grad(f)(row) ** 2).sum() for row in z])
    assert_equal(grad(outer)(x), grad(loop)(x))
    directions = ad.ones_like(x)
    found = jvp(lambda z: vmap(grad(f))(z), (x,), (directions,))[1]
    assert_equal(found, ad.stack([hessian(f)(row).sum(1) for row in x]))


def test_closing_over_tensors_that_require_grad() -> None:
    x, w = rows(), ad.tensor([0.5, -1.0, 2.0], dtype=ad.float64, requires_grad=True)
    out = vmap(lambda a: (a * w).tanh().sum())(x)
    assert out.requires_grad
    (found,) = ad.autograd.grad(out.sum(), w)
    (expected,) = ad.autograd.grad((x * w).tanh().sum(), w)
    assert_equal(found, expected)
    gradients = vmap(grad(lambda a: ((a * w) ** 3).sum()))(x)
    (found,) = ad.autograd.grad(gradients.sum(), w)
    (expected,) = ad.autograd.grad((3 * x**2 * w**3).sum(), w)
    assert_equal(found, expected)


def test_a_write_to_a_shared_tensor_that_was_saved_is_noticed() -> None:
    x, w = rows(), ad.ones(3, dtype=ad.float64)

    def function(a: Any) -> Any:
        a = a.clone().requires_grad_()
        out = (a * w).sum()
        w.add_(1)
        out.backward()
        return a.grad

    with pytest.raises(RuntimeError, match="in-place"):
        vmap(function)(x)


def test_no_grad_inside() -> None:
    x = rows().requires_grad_()

    def function(a: Any) -> Any:
        with ad.no_grad():
            fixed = a.sum()
        return a * fixed

    (found,) = ad.autograd.grad(vmap(function)(x).sum(), x)
    assert_equal(found, x.detach().sum(1, keepdim=True).expand(2, 3))


def test_backward_and_hooks_inside() -> None:
    seen: list[Any] = []

    def function(a: Any) -> Any:
        a = a.clone().requires_grad_()
        middle = a * 2
        middle.register_hook(lambda g: (seen.append(g.shape), g * 10)[1])
        (middle**2).sum().backward()
        return a.grad

    assert_equal(vmap(function)(rows()), 80 * rows())
    assert seen == [(3,)]


def test_anomaly_mode_looks_into_batches() -> None:
    def function(a: Any) -> Any:
        a = a.clone().requires_grad_()
        with pytest.warns(UserWarning, match="nomaly"), ad.autograd.detect_anomaly():
            (a.sqrt() * 0).sum().backward()
        return a.grad

    with pytest.raises(RuntimeError, match="SqrtBackward0 returned NaN"):
        vmap(function)(ad.zeros(2, 3))


KINKS: dict[str, Any] = {
    "norm at zero": (lambda a: a.norm(), [0.0, 0.0]),
    "norm in rows": (lambda a: a.reshape(1, 2).norm(dim=1).sum(), [0.0, 0.0]),
    "ties of max": (lambda a: a.max(), [1.0, 1.0]),
    "ties of amax": (lambda a: a.amax(0), [1.0, 1.0]),
    "median of ties": (lambda a: a.median(), [1.0, 1.0]),
    "abs": (lambda a: a.abs().sum(), [0.0, 1.0]),
    "zeroth power": (lambda a: (a**0.0).sum(), [0.0, 2.0]),
    "relu": (lambda a: a.relu().sum(), [0.0, 1.0]),
    "maximum": (lambda a: ad.maximum(a, a.detach()).sum(), [0.0, 1.0]),
    "clamp": (lambda a: a.clamp(0.0, 1.0).sum(), [0.0, 1.0]),
    "prod with zero": (lambda a: a.prod(), [0.0, 3.0]),
    "cumprod with zero": (lambda a: a.cumprod(0).sum(), [0.0, 3.0]),
    "sqrt": (lambda a: a.sqrt().sum(), [1.0, 4.0]),
    "distance to itself": (lambda a: ad.cdist(a.reshape(2, 1), a.reshape(2, 1)).sum(), [1.0, 1.0]),
    "std of equal numbers": (lambda a: a.std(), [2.0, 2.0]),
    "sorted ties": (lambda a: (a.sort()[0] * ad.tensor([1.0, 5.0], dtype=ad.float64)).sum(), [2.0, 2.0]),
    "sinc": (lambda a: a.sinc().sum(), [0.0, 1.0]),
    "singular matrix": (lambda a: ad.linalg.det(a.reshape(2, 1) * a), [1.0, 2.0]),
}


@pytest.mark.parametrize("name", KINKS)
def test_derivatives_at_kinks_are_those_of_a_loop(name: str) -> None:
    function, point = KINKS[name]
    x = ad.tensor([point, [p + 0.25 for p in point]], dtype=ad.float64)
    expected = ad.stack([grad(function)(row) for row in x]).numpy()
    np.testing.assert_allclose(vmap(grad(function))(x).numpy(), expected, err_msg="inside")
    np.testing.assert_allclose(grad(lambda z: vmap(function)(z).sum())(x).numpy(), expected, err_msg="outside")
    tangents = jvp(vmap(function), (x,), (ad.ones_like(x),))[1].numpy()
    rows_of = [jvp(function, (row,), (ad.ones_like(row),))[1].numpy() for row in x]
    np.testing.assert_allclose(tangents, np.stack(rows_of), err_msg="tangents")


def test_dual_levels_inside_and_outside() -> None:
    x, w = rows(), ad.tensor([1.0, 2.0, 3.0], dtype=ad.float64)

    def inside(a: Any) -> Any:
        with forward_ad.dual_level():
            dual = forward_ad.make_dual(w, ad.ones_like(w))  # of a tensor from outside of the map
            return forward_ad.unpack_dual(a * dual).tangent

    assert_equal(vmap(inside)(x), x)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(w, ad.ones_like(w))
        assert_equal(forward_ad.unpack_dual(vmap(lambda a: a * dual)(x)).tangent, x)


KEYS: dict[str, Any] = {
    "a number": lambda i, v: i,
    "a number of the last dimension": lambda i, v: (..., i),
    "indices": lambda i, v: v,
    "indices after a slice": lambda i, v: (slice(1, None), v),
    "indices apart": lambda i, v: (v, slice(None), v),
    "indices apart, one shared": lambda i, v: (v, slice(None), ad.tensor([1, 0])),
    "indices side by side": lambda i, v: (slice(None), v, v),
    "a number and indices apart": lambda i, v: (i, None, v),
    "a number, a slice and indices": lambda i, v: (i, slice(None), v),
    "indices, a slice and a number": lambda i, v: (v, slice(None), i),
    "a number beside a list": lambda i, v: (i, [0, 1], v),
    "a column of indices": lambda i, v: (v[:, None], v),
    "a shared mask": lambda i, v: (slice(None), ad.tensor([True, False, True]), i),
    "new dimensions": lambda i, v: (None, v, None, ..., i),
    "negative indices": lambda i, v: (v - 2, -1),
}


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("shared", [True, False])
def test_keys_with_mapped_indices(name: str, shared: bool) -> None:
    """``x[key]``, its gradient and ``x[key] = value``, with indices that differ from sample to sample."""
    key = KEYS[name]
    x = ad.sin(ad.arange(24.0 if shared else 72.0, dtype=ad.float64)).reshape((2, 3, 4) if shared else (3, 2, 3, 4))
    i, v = ad.tensor([1, 0, 1]), ad.tensor([[0, 1], [1, 1], [0, 0]])
    dims = (None if shared else 0, 0, 0)
    samples = [(x if shared else x[k], i[k], v[k]) for k in range(3)]

    def taken(a: Any, i: Any, v: Any) -> Any:
        return a[key(i, v)]

    def gradient(a: Any, i: Any, v: Any) -> Any:
        return grad(lambda b: (b[key(i, v)] ** 2).sum())(a)

    def put(a: Any, i: Any, v: Any) -> Any:
        a = a + 0.0 * i
        a[key(i, v)] = a[key(i, v)] * 10 + i
        return a

    for function in (taken, gradient, put):
        expected = ad.stack([function(*sample) for sample in samples])
        assert_equal(vmap(function, in_dims=dims)(x, i, v), expected)
    required = x.clone().requires_grad_()
    (found,) = ad.autograd.grad((vmap(taken, in_dims=dims)(required, i, v) ** 2).sum(), required)
    expected = ad.stack([gradient(*sample) for sample in samples])
    assert_equal(found, expected.sum(0) if shared else expected)


# ---- gradients of a batch --------------------------------------------------------------------------------------------


def test_is_grads_batched() -> None:
    x = rows().requires_grad_()
    y = (x**2).sum(1)
    basis = ad.eye(2, dtype=ad.float64)
    (found,) = ad.autograd.grad(y, x, basis, is_grads_batched=True, retain_graph=True)
    expected = np.zeros((2, 2, 3))
    expected[0, 0], expected[1, 1] = 2 * rows().numpy()
    assert_equal(found, expected)
    (found,) = ad.autograd.grad(y, x, basis, is_grads_batched=True, create_graph=True)
    (second,) = ad.autograd.grad((found**2).sum(), x)
    assert_equal(second, 8 * x)
    unused = ad.ones(2, requires_grad=True)
    assert ad.autograd.grad(x.sum(0), [x, unused], ad.ones(4, 3), is_grads_batched=True, allow_unused=True)[1] is None
    with pytest.raises(ValueError, match="first dimension"):
        ad.autograd.grad(x.sum(), x, ad.tensor(1.0), is_grads_batched=True)


def test_is_grads_batched_through_writes_and_views() -> None:
    x = rows().requires_grad_()
    base = x * 1
    base[0].mul_(2)
    view = base.T[1]
    base[:, 1] = base[:, 0] * 3
    y = ad.cat([base.sum(0), view])
    basis = ad.eye(5, dtype=ad.float64)
    (found,) = ad.autograd.grad(y, x, basis, is_grads_batched=True, retain_graph=True)
    loop = [ad.autograd.grad(y, x, row, retain_graph=True)[0] for row in basis]
    assert_equal(found, ad.stack(loop))


def test_is_grads_batched_inside_of_a_map() -> None:
    def jacobian(a: Any) -> Any:
        a = a.clone().requires_grad_()
        basis = ad.eye(3, dtype=ad.float64)
        return ad.autograd.grad(a**2, a, basis, is_grads_batched=True)[0]

    assert_equal(vmap(jacobian)(rows()), ad.stack([ad.diag(2 * row) for row in rows()]))
    pulled = vmap(lambda a: vmap(vjp(lambda z: z**2, a)[1])(ad.eye(3, dtype=ad.float64))[0])(rows())
    assert_equal(pulled, ad.stack([ad.diag(2 * row) for row in rows()]))


# ---- batched arrays --------------------------------------------------------------------------------------------------


def test_batched_arrays_by_themselves() -> None:
    a = BatchedArray(np.arange(6.0).reshape(2, 3), 1)
    b = BatchedArray(np.arange(12.0).reshape(2, 2, 3), 1)
    plain = np.ones((2, 3))
    for found, expected in (
        (a + b, a.value[:, None] + b.value),
        (plain - a, plain - a.value[:, None]),
        (2 / (b + 1), 2 / (b.value + 1)),
        (b @ a, (b.value @ a.value[..., None])[..., 0]),
        (plain @ a, a.value @ plain.T),
        (b.mT, np.swapaxes(b.value, 1, 2)),
        (b[0, 1:], b.value[:, 0, 1:]),
        (abs(-a), a.value),
        (a > 1, a.value > 1),
    ):
        assert isinstance(found, BatchedArray) and found.shape == expected.shape[1:]
        np.testing.assert_array_equal(found.value, expected)
    total: Any = np.ones(3)
    total += a
    np.testing.assert_array_equal(total.value, a.value + 1)
    np.testing.assert_array_equal((np.ones((2, 3)) ** a).value, np.ones((2, 2, 3)))
    assert len(b) == 2 and b.ndim == 2 and b.size == 6 and [row.shape for row in b] == [(3,), (3,)]
    inner = BatchedArray(BatchedArray(np.arange(24.0).reshape(2, 3, 4), 1), 2)
    assert inner.shape == (4,)
    np.testing.assert_array_equal((inner * a[:1]).value.value, inner.value.value * a.value[:, :1, None])


def test_a_tensor_kept_from_a_map_of_another_size_is_noticed() -> None:
    kept: list[Any] = []
    vmap(lambda a: kept.append(a * 2) or a)(ad.ones(3))
    with pytest.raises(RuntimeError, match="3 samples where there are 5"):
        vmap(lambda a: (a, kept[0] * 2))(ad.ones(5))


def test_an_argument_given_twice_is_one_tensor_inside() -> None:
    x = rows()
    result = vmap(lambda a, b, c: (a.mul_(2), b + c)[1], in_dims=(0, 0, None))(x, x, ad.ones(3, dtype=ad.float64))
    assert_equal(result, [[3, 5, 7], [9, 11, 13]])
    assert_equal(x, [[2, 4, 6], [8, 10, 12]])


def test_gradients_of_a_classifier_for_each_sample():
    x, y = ad.randn(5, 3, dtype=ad.float64), ad.tensor([0, 2, 1, 1, 0])
    w = ad.randn(4, 3, dtype=ad.float64)

    def loss(w, x, y):
        return ad.cross_entropy((w @ x)[None], y[None])

    found = vmap(grad(loss), in_dims=(None, 0, 0))(w, x, y)
    expected = ad.stack([grad(loss)(w, one, label) for one, label in zip(x, y)])
    np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-12)
