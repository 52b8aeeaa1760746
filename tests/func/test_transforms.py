"""Each transform by itself: arguments, results, trees, errors, modes, in-place operations."""

from __future__ import annotations

import collections
import gc
import threading
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint._core.levels import current_level, open_level
from adjoint.func import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, vjp, vmap


def vector(*values: float) -> Any:
    return ad.tensor(values, dtype=ad.float64)


X = vector(0.3, 0.7, 1.1)
V = vector(1.0, -2.0, 0.5)
COS = np.cos([0.3, 0.7, 1.1])

Point = collections.namedtuple("Point", "a b")


def close(got: Any, expected: Any, tolerance: float = 1e-12) -> None:
    np.testing.assert_allclose(np.asarray(got), np.asarray(expected), rtol=tolerance, atol=tolerance)


# ---- grad and grad_and_value -----------------------------------------------------------------------------------------


def test_grad() -> None:
    result = grad(lambda x: x.sin().sum())(X)
    close(result, COS)
    assert isinstance(result, ad.Tensor) and not result.requires_grad and result._spec.level == 0
    assert X.grad is None and not X.requires_grad


def test_grad_and_value() -> None:
    gradient, value = grad_and_value(lambda x: (x * x).sum())(X)
    close(gradient, 2 * X)
    close(value, (X * X).sum())
    gradient, (value, aux) = grad_and_value(lambda x: ((x * x).sum(), {"twice": 2 * x}), has_aux=True)(X)
    close(gradient, aux["twice"])
    assert aux["twice"]._spec.level == value._spec.level == 0


def test_argnums() -> None:
    f = lambda x, y, z: (x * y * z).sum()
    one, two = vector(1.0, 2.0, 3.0), vector(4.0, 5.0, 6.0)
    close(grad(f)(X, one, two), one * two)
    close(grad(f, argnums=1)(X, one, two), X * two)
    close(grad(f, argnums=-1)(X, one, two), X * one)
    both = grad(f, argnums=(2, 0))(X, one, two)
    assert isinstance(both, tuple)
    close(both[0], X * one)
    close(both[1], one * two)


def test_keyword_arguments_and_defaults() -> None:
    f = lambda x, power=2, *, scale: (scale * x**power).sum()
    close(grad(f)(X, scale=vector(1.0, 1.0, 2.0)), 2 * X * vector(1.0, 1.0, 2.0))
    close(grad(f)(X, 3, scale=2.0), 6 * X**2)


def test_trees() -> None:
    f = lambda tree: (tree["a"] * tree["b"][0]).sum() + tree["b"][1].sum() * 3
    tree = {"b": [X, V], "a": X + 1}
    result = grad(f)(tree)
    assert list(result) == ["b", "a"] and isinstance(result["b"], list)
    close(result["a"], X)
    close(result["b"][0], X + 1)
    close(result["b"][1], [3.0, 3.0, 3.0])
    result = grad(lambda p: (p.a * p.b).sum())(Point(X, V))
    assert isinstance(result, Point)
    close(result.a, V)


def test_arguments_that_are_no_tensors_are_passed_on() -> None:
    seen: list[Any] = []

    def f(x: Any, *rest: Any) -> Any:
        seen.extend(rest)
        return x.sum()

    grad(f)(X, None, "text", 3, {"k": None})
    assert seen == [None, "text", 3, {"k": None}]


def test_unused_arguments_have_zero_gradients() -> None:
    unused = grad(lambda x, y: (x * 1).sum(), argnums=(0, 1))(X, V)[1]
    close(unused, [0.0, 0.0, 0.0])
    close(grad(lambda x: ad.tensor(2.0))(X), [0.0, 0.0, 0.0])
    close(grad(lambda x: ad.tensor(2))(X), [0.0, 0.0, 0.0])


def test_the_same_tensor_as_two_arguments() -> None:
    left, right = grad(lambda x, y: (x * y * y).sum(), argnums=(0, 1))(X, X)
    close(left, X * X)
    close(right, 2 * X * X)


def test_arrays_of_libraries_are_taken() -> None:
    result = grad(lambda x: x.sin().sum())(np.array([0.3, 0.7, 1.1]))
    assert isinstance(result, ad.Tensor)
    close(result, COS)
    output, tangent = jvp(lambda x, c: x * c, (np.ones(2), np.array([2.0, 3.0])), (np.ones(2), np.zeros(2)))
    close(output, [2.0, 3.0])
    close(tangent, [2.0, 3.0])
    _, vjp_fn = vjp(lambda x: 2 * x, np.ones(2))
    close(vjp_fn(np.array([1.0, 2.0]))[0], [2.0, 4.0])
    close(jacrev(lambda x: x**2)(np.array([1.0, 2.0])), [[2.0, 0.0], [0.0, 4.0]])
    close(jacfwd(lambda x: x**2)(np.array([1.0, 2.0])), [[2.0, 0.0], [0.0, 4.0]])
    close(grad(lambda x, c: (x * c.sin()).sum())(np.ones(2), np.zeros(2)), [0.0, 0.0])


def test_jax_arrays() -> None:
    jax = pytest.importorskip("jax")
    x = jax.numpy.asarray([0.3, 0.7, 1.1], dtype=jax.numpy.float32)
    for result in (
        grad(lambda x: x.sin().sum())(x),
        vjp(lambda x: x.sin(), x)[1](jax.numpy.ones(3))[0],
        jvp(lambda x: x.sin(), (x,), (jax.numpy.ones(3),))[1],
        ad.diagonal(jacrev(lambda x: x.sin())(x)),
        ad.diagonal(jacfwd(lambda x: x.sin())(x)),
        -ad.diagonal(hessian(lambda x: x.cos().sum())(x)),
    ):
        assert isinstance(result._array, jax.Array)
        close(result, COS, 1e-6)


def test_complex_numbers_have_conjugate_gradients() -> None:
    z = ad.tensor([1.0 + 2.0j, -1.0j])
    close(grad(lambda z: (z * z.conj()).real.sum())(z), 2 * z)
    _, vjp_fn = vjp(lambda z: z * z, z)
    close(vjp_fn(ad.ones_like(z))[0], 2 * z.conj())
    close(jvp(lambda z: z * z, (z,), (ad.ones_like(z),))[1], 2 * z)
    close(linearize(lambda z: z * z.conj(), z)[1](ad.ones_like(z) * 1j), 2 * z.imag)


def test_what_it_keeps_of_the_function() -> None:
    def named(x: Any) -> Any:
        """Documented."""
        return x.sum()

    for transform in (grad, grad_and_value, jacrev, jacfwd, hessian):
        assert transform(named).__name__ == "named" and transform(named).__doc__ == "Documented."


# ---- vjp, jvp, linearize ---------------------------------------------------------------------------------------------


def test_vjp() -> None:
    output, vjp_fn = vjp(ad.sin, X)
    close(output, np.sin([0.3, 0.7, 1.1]))
    (product,) = vjp_fn(V)
    close(product, V * COS)
    close(vjp_fn(2 * V)[0], 2 * product)  # again
    close(vjp_fn(V, retain_graph=False)[0], product)
    with pytest.raises(RuntimeError, match="released"):
        vjp_fn(V)


def test_vjp_of_trees() -> None:
    output, vjp_fn, aux = vjp(lambda x, y: ({"s": x["p"] * y, "t": [y.sum()]}, x["p"]), {"p": X}, V, has_aux=True)
    close(aux, X)
    by_x, by_y = vjp_fn({"s": V, "t": [ad.tensor(2.0, dtype=ad.float64)]})
    close(by_x["p"], V * V)
    close(by_y, V * X + 2)
    assert output["s"]._spec.level == 0


def test_vjp_casts_cotangents() -> None:
    _, vjp_fn = vjp(lambda x: 2 * x, X)
    (product,) = vjp_fn(ad.ones(3))
    assert product.dtype is ad.float64


def test_jvp() -> None:
    output, tangent = jvp(lambda x, y: (x * y, y.sum()), (X, V), (V, X))
    close(output[0], X * V)
    close(tangent[0], V * V + X * X)
    close(tangent[1], X.sum())
    output, tangent, aux = jvp(lambda x: (x * 2, x + 1), (X,), (V,), has_aux=True)
    close(tangent, 2 * V)
    close(aux, X + 1)
    with ad.autograd.forward_ad.dual_level():
        assert ad.autograd.forward_ad.unpack_dual(aux).tangent is None


def test_jvp_of_what_does_not_depend_on_the_argument() -> None:
    output, tangent = jvp(lambda x: V * 2, (X,), (V,))
    close(output, 2 * V)
    close(tangent, [0.0, 0.0, 0.0])
    output, tangent = jvp(lambda x: x > 0.5, (X,), (V,))
    assert output.dtype is ad.bool and tangent.dtype is ad.bool and not np.asarray(tangent).any()
    with pytest.raises(RuntimeError, match="strict"):
        jvp(lambda x: V * 2, (X,), (V,), strict=True)


def test_detach_stops_derivatives_in_both_modes() -> None:
    f = lambda x: (x.detach() * x).sum()
    close(grad(f)(X), X)
    close(jvp(f, (X,), (V,))[1], (X * V).sum())
    close(jacfwd(f)(X), X)


def test_linearize() -> None:
    calls: list[int] = []

    def f(x: Any, y: Any) -> Any:
        calls.append(1)
        return {"sin": (x * y["k"]).sin(), "const": ad.ones(2), "sum": x.sum()}

    output, jvp_fn = linearize(f, X, {"k": V})
    close(output["sum"], X.sum())
    for direction in (V, X, 3 * X):
        got = jvp_fn(direction, {"k": X})
        expected = jvp(f, (X, {"k": V}), (direction, {"k": X}))[1]
        for key in expected:
            close(got[key], expected[key])
    assert len(calls) == 1 + 3
    mapped = vmap(lambda v: jvp_fn(v, {"k": 0 * X})["sin"])(ad.eye(3, dtype=ad.float64))
    close(mapped.T, jacrev(lambda x: f(x, {"k": V})["sin"])(X))


def test_writing_to_an_output_is_noticed() -> None:
    output, vjp_fn = vjp(ad.exp, X)
    output.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an in-place operation"):
        vjp_fn(V)
    output, vjp_fn = vjp(lambda x: x * 2, X)  # which saves nothing
    output.mul_(2)
    close(vjp_fn(V)[0], 2 * V)
    output, vjp_fn = vjp(ad.exp, X.clone().requires_grad_())
    with ad.no_grad():
        output.mul_(2)
    close(vjp_fn(V)[0].detach(), V * X.exp())  # the caller's is a copy here


# ---- jacrev, jacfwd, hessian -----------------------------------------------------------------------------------------


def test_tangents_of_many_gathers_stay_at_their_level() -> None:
    index = ad.tensor([2, 0, 1])

    def turned(x: Any) -> Any:
        for _ in range(30):
            x = x.gather(0, index).take(index).index_select(0, index)
        return x

    x = ad.tensor([1.0, 2.0, 3.0])
    close(jacfwd(turned)(x), jacrev(turned)(x))


@pytest.mark.parametrize("transform", [jacrev, jacfwd])
def test_jacobians_of_trees(transform: Any) -> None:
    f = lambda x, y: {"prod": x["p"] * y, "sum": [y.sum() * x["q"]]}
    tree, y = {"p": X, "q": ad.ones(2, 2, dtype=ad.float64)}, V
    result = transform(f, argnums=(0, 1))(tree, y)
    close(result["prod"][0]["p"], np.diag(V))
    close(result["prod"][0]["q"], np.zeros((3, 2, 2)))
    close(result["prod"][1], np.diag(X))
    close(result["sum"][0][0]["q"], float(V.sum()) * np.eye(4).reshape(2, 2, 2, 2))
    close(result["sum"][0][1], np.ones((2, 2, 3)))
    close(transform(f)(tree, y)["prod"]["p"], np.diag(V))


@pytest.mark.parametrize("chunk_size", [None, 1, 2, 3, 5, 100])
def test_chunks_of_rows(chunk_size: int | None) -> None:
    f = lambda x: (x.outer(x), x.sum(), x[:0])
    got = jacrev(f, chunk_size=chunk_size)(X)
    expected = jacfwd(f)(X)
    for one, other, shape in zip(got, expected, [(3, 3, 3), (3,), (0, 3)]):
        close(one, other)
        assert one.shape == other.shape == shape


@pytest.mark.parametrize("transform", [jacrev, jacfwd])
def test_jacobians_of_empty_and_single_tensors(transform: Any) -> None:
    assert transform(lambda x: x * 2)(ad.ones(0)).shape == (0, 0)
    assert transform(lambda x: x * 2)(ad.tensor(3.0)).shape == ()
    assert transform(lambda x: x[:0])(ad.ones(3)).shape == (0, 3)
    assert transform(lambda x: x.expand(2, 3))(ad.ones(1, 1)).shape == (2, 3, 1, 1)
    close(transform(lambda x: ad.ones(2))(X), np.zeros((2, 3)))


@pytest.mark.parametrize("transform", [jacrev, jacfwd])
def test_jacobians_with_something_beside(transform: Any) -> None:
    jacobian, aux = transform(lambda x: (x**2, {"x": x, "sum": x.sum()}), has_aux=True)(X)
    close(jacobian, np.diag(2 * X))
    close(aux["x"], X)
    close(aux["sum"], X.sum())


def test_jacobians_of_different_dtypes() -> None:
    single, double = jacrev(lambda x: (2 * x, x.double() * 3))(ad.ones(2))
    assert single.dtype is ad.float32 and double.dtype is ad.float32
    single, double = jacfwd(lambda x: (2 * x, x.double() * 3))(ad.ones(2))
    assert single.dtype is ad.float32 and double.dtype is ad.float64


def test_results_do_not_share_memory() -> None:
    for transform in (jacrev, jacfwd):
        one, other = transform(lambda x: (x, x))(X)
        one.mul_(2)
        close(other, np.eye(3))


def test_hessians() -> None:
    f = lambda x, y: (x**2 * y).sum()
    (xx, xy), (yx, yy) = hessian(f, argnums=(0, 1))(X, V)
    close(xx, np.diag(2 * V))
    close(xy, np.diag(2 * X))
    close(yx, np.diag(2 * X))
    close(yy, np.zeros((3, 3)))
    tree = hessian(lambda d: (d["a"] ** 2 * d["b"]).sum())({"a": X, "b": V})
    close(tree["a"]["b"], np.diag(2 * X))


def test_random_numbers_in_jacfwd() -> None:
    f = lambda x: x * ad.rand(3, dtype=ad.float64)
    with pytest.raises(RuntimeError, match="random"):
        jacfwd(f)(X)
    same = np.asarray(jacfwd(f, randomness="same")(X))
    assert np.count_nonzero(same) == 3
    assert (np.asarray(jacfwd(f, randomness="different")(X)) != 0).sum() == 3


# ---- in place --------------------------------------------------------------------------------------------------------


def in_place(x: Any) -> Any:
    y = x.clone()
    y.sin_()
    y[0] = y[1] * 2
    y[1:] *= x[0]
    y.t_() if y.ndim == 2 else None
    z = ad.zeros(3, dtype=x.dtype)
    z.copy_(y)
    z.view(-1)[2:].mul_(x.sum())
    return z * x


def out_of_place(x: Any) -> Any:
    s = x.sin()
    return ad.stack([s[1] * 2, s[1] * x[0], s[2] * x[0] * x.sum()]) * x


def test_in_place_operations_inside() -> None:
    expected = jacrev(out_of_place)(X)
    close(jacrev(in_place)(X), expected)
    close(jacfwd(in_place)(X), expected)
    close(jacfwd(in_place, randomness="same")(X), expected)
    close(linearize(in_place, X)[1](V), expected @ V)
    second = jacrev(jacrev(out_of_place))(X)
    for outer in (jacrev, jacfwd):
        for inner in (jacrev, jacfwd):
            close(outer(inner(in_place))(X), second)
    close(X, [0.3, 0.7, 1.1])


def test_an_argument_is_not_written_to() -> None:
    with pytest.raises(RuntimeError, match="leaf"):
        grad(lambda x: x.sin_().sum())(X)
    close(X, [0.3, 0.7, 1.1])


def test_a_captured_tensor_is_not_written_to_with_values_from_inside() -> None:
    captured = ad.zeros(3, dtype=ad.float64)
    with pytest.raises((RuntimeError, TypeError), match="transform"):
        vjp(lambda x: captured.add_(x).sum(), X)
    with pytest.raises((RuntimeError, TypeError), match="transform"):
        grad(lambda x: grad(lambda y: captured.add_(y).sum())(x).sum())(X)
    close(captured, [0.0, 0.0, 0.0])


def test_other_arguments_may_be_written_to() -> None:
    def f(x: Any, count: Any, total: Any = None) -> Any:
        count += 1
        count.mul_(2)
        if total is not None:
            total.add_(x)
        return (x * count).sum()

    def nested(x: Any, count: Any) -> Any:
        return grad(f)(x, count).sum() + x.sum()

    for function, expected in ((f, 4.0), (nested, 1.0)):
        count, total = ad.ones(3, dtype=ad.float64), ad.zeros(3, dtype=ad.float64)
        close(grad(function)(X, count), [expected] * 3)
        close(count, [4.0, 4.0, 4.0])
    grad(f)(X, count, total=total)
    close(total, X)
    assert not total.requires_grad


def test_a_captured_tensor_that_is_changed_is_noticed() -> None:
    captured = vector(1.0, 2.0, 3.0)

    def f(x: Any) -> Any:
        y = x * captured
        captured.mul_(2)
        return y.sum()

    with pytest.raises(RuntimeError, match="modified by an in-place operation"):
        grad(f)(X)


def test_tensors_that_were_kept_from_inside_are_constants_later() -> None:
    kept: list[Any] = []

    def keeps(x: Any) -> Any:
        kept.append(x * 2)
        return x.sum()

    for run in (
        lambda: grad(keeps)(X),
        lambda: vjp(keeps, X),
        lambda: grad(lambda x: grad(keeps)(x).sum())(X),
        lambda: jvp(keeps, (X,), (V,)),
    ):
        run()
        old = kept.pop()
        close(grad(lambda y, old=old: (y * old).sum())(V), 2 * X)
        close(vjp(lambda y, old=old: y * old, V)[1](V)[0].detach(), 2 * X * V)
        close(jvp(lambda y, old=old: y * old, (V,), (V,))[1].detach(), 2 * X * V)
        close(hessian(lambda y, old=old: (y * y * old).sum())(V), np.diag(4 * X))
    vmap(keeps)(ad.stack([X, X]))
    old = kept.pop()
    with pytest.raises(RuntimeError, match="vmap that is over"):
        grad(lambda y: (y * old).sum())(V)


# ---- modes -----------------------------------------------------------------------------------------------------------


def test_no_grad_outside_does_not_matter_but_holds_outside() -> None:
    x = X.clone().requires_grad_()
    with ad.no_grad():
        result, value = grad_and_value(lambda x: (x**3).sum())(x)
        second = grad(lambda x: grad(lambda y: (y**3).sum())(x).sum())(x)
        output, vjp_fn = vjp(lambda x: x**2, x)
        jacobian = jacrev(lambda x: x**2)(x)
        assert not ad.is_grad_enabled()
    close(result, 3 * X**2)
    close(second, 6 * X)
    close(jacobian, np.diag(2 * X))
    assert not any(t.requires_grad for t in (result, value, second, output, jacobian))
    (late,) = vjp_fn(V)
    close(late.detach(), 2 * X * V)
    assert late.requires_grad  # as in PyTorch: what is outside when the product is computed counts


def test_inference_mode_outside() -> None:
    with ad.inference_mode():
        close(grad(lambda x: (x**3).sum())(X), 3 * X**2)
        close(jvp(lambda x: x.prod(), (X,), (V,))[1], (X.prod() / X * V).sum())
        close(jvp(lambda x: x.cumsum(0).logsumexp(0), (X,), (V,))[1], grad(lambda x: x.cumsum(0).logsumexp(0))(X) @ V)
        close(hessian(lambda x: (x.prod() * x).sum())(X), jacrev(jacrev(lambda x: (x.prod() * x).sum()))(X))


def test_hessians_where_nothing_is_recorded_outside() -> None:
    f = lambda x: (x.prod() * x.cumsum(0)).logsumexp(0)
    expected = hessian(f)(X)
    with ad.no_grad():
        close(hessian(f)(X), expected)
        close(jacfwd(jacfwd(f))(X), expected)


def test_no_grad_inside_holds_at_all_levels() -> None:
    def f(x: Any) -> Any:
        with ad.no_grad():
            shift = x**2
        return (x * shift).sum()

    close(grad(f)(X), X**2)
    close(grad(lambda x: grad(f)(x).sum())(X), [0.0, 0.0, 0.0])

    def g(x: Any) -> Any:
        with ad.no_grad():
            shift = grad(lambda y: (y**4).sum())(x)
        return (x**3 - shift).sum()

    x = X.clone().requires_grad_()
    first = grad(g)(x)
    close(first.detach(), 3 * X**2)
    (second,) = ad.autograd.grad(first.sum(), x)
    close(second, 6 * X)


def test_no_grad_does_not_concern_forward_mode() -> None:
    with ad.no_grad():
        close(jvp(lambda x: x.sin(), (X,), (V,))[1], COS * V)
        with ad.autograd.forward_ad.set_fwd_grad_enabled(False):
            close(jvp(lambda x: x.sin(), (X,), (V,))[1], COS * V)


def test_levels_are_left_when_a_function_fails() -> None:
    def fails(x: Any) -> Any:
        assert current_level() > 0 or len(ad.autograd.forward_ad.unpack_dual(x)) == 2
        raise KeyError("on purpose")

    for call in (
        lambda: grad(fails)(X),
        lambda: vjp(fails, X),
        lambda: jvp(fails, (X,), (V,)),
        lambda: jacrev(fails)(X),
        lambda: jacfwd(fails)(X),
        lambda: linearize(fails, X),
        lambda: vmap(grad(fails))(ad.eye(3)),
    ):
        with pytest.raises(KeyError):
            call()
        with ad.no_grad(), pytest.raises(KeyError):
            call()
        assert current_level() == 0 and ad.is_grad_enabled()
    close(grad(lambda x: x.sin().sum())(X), COS)


def test_threads_have_levels_of_their_own() -> None:
    results: list[Any] = [None] * 8
    barrier = threading.Barrier(8)

    def work(index: int) -> None:
        barrier.wait()
        for _ in range(5):
            with open_level():
                inner = jvp(grad(lambda x: (x**3).sum() * index), (X,), (V,))[1]
                assert current_level() == 1
            results[index] = inner

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for index, result in enumerate(results):
        close(result, 6 * X * V * index)


@pytest.mark.usefixtures("frees_nodes")
def test_nothing_is_left_for_the_collector() -> None:
    f = lambda x: (x.sin() * x.prod()).sum()

    def all_of_them() -> None:
        for transform in (grad, jacrev, jacfwd, hessian, lambda f: grad(lambda x: grad(f)(x).sum())):
            transform(f)(X)
        vjp(f, X)[1](ad.tensor(1.0))
        jvp(grad(f), (X,), (V,))
        linearize(f, X)[1](V)
        vmap(grad(f))(ad.stack([X, V]))
        jacfwd(jacrev(f))(X)

    all_of_them()  # what is kept from the first use
    gc.collect()
    all_of_them()
    assert gc.collect() == 0


# ---- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: grad(lambda x: x * 2)(X), RuntimeError, r"without dimensions, got one of shape \(3,\)"),
        (lambda: grad(lambda x: x * 2)(ad.ones(1)), RuntimeError, "without dimensions"),
        (lambda: grad(lambda x: (x.sum(), x))(X), RuntimeError, "one tensor, got a tuple"),
        (lambda: grad(lambda x: 2.0)(X), RuntimeError, "one tensor, got a float"),
        (lambda: grad(lambda x: None)(X), RuntimeError, "one tensor, got a NoneType"),
        (lambda: grad(lambda x: x.sum() * 1j)(X), RuntimeError, "complex"),
        (lambda: grad(lambda x: x.sum())(ad.arange(3)), RuntimeError, "floating point"),
        (lambda: grad(lambda x: x * 2)(2.0), ValueError, "float"),
        (lambda: grad(lambda x: x.sum(), argnums=1)(X), RuntimeError, "argument 1, but there are 1"),
        (lambda: grad(lambda x: x.sum(), argnums=-2)(X), RuntimeError, "argument -2"),
        (lambda: grad(lambda x: x.sum(), argnums=[0])(X), RuntimeError, "tuple of ints, got list"),
        (lambda: grad(lambda x: x.sum(), argnums=())(X), RuntimeError, "empty"),
        (lambda: grad(lambda x, y: x.sum(), argnums=(0, -2))(X, V), RuntimeError, "twice"),
        (lambda: grad(lambda x: x.sum(), has_aux=True)(X), RuntimeError, "pair"),
        (lambda: grad(lambda x: (x.sum(), 1, 2), has_aux=True)(X), RuntimeError, "pair.*tuple of 3"),
        (lambda: grad(lambda: X.sum())(), RuntimeError, "argument 0"),
        (lambda: vjp(lambda x: 2.0, X), RuntimeError, "float"),
        (lambda: vjp(lambda x: (x, [3]), X), RuntimeError, "leaf 1.*int"),
        (lambda: vjp(lambda x: (), X), RuntimeError, "no tensor"),
        (lambda: vjp(lambda x: None, X), RuntimeError, "no tensor"),
        (lambda: vjp(lambda x: x > 0, X), RuntimeError, "floating point or complex"),
        (lambda: vjp(lambda x: x, X, 3), ValueError, "int"),
        (lambda: vjp(lambda x: x, X)[1]((V,)), RuntimeError, r"built like.*expected \*, got \(\*,\)"),
        (lambda: vjp(lambda x: x, X)[1](ad.ones(2)), RuntimeError, r"shape \(2,\).*\(3,\)"),
        (lambda: vjp(lambda x: x, X)[1](V * 1j), RuntimeError, "complex"),
        (lambda: vjp(lambda x: x, X)[1](None), RuntimeError, "NoneType"),
        (lambda: jvp(lambda x: x, [X], [V]), RuntimeError, "tuple"),
        (lambda: jvp(lambda x: x, X, V), RuntimeError, "tuple"),
        (lambda: jvp(lambda x: x, (X,), (V, V)), RuntimeError, "built like"),
        (lambda: jvp(lambda x: x, (X,), (ad.ones(2),)), RuntimeError, r"\(3,\).*\(2,\)"),
        (lambda: jvp(lambda x: x, (X,), (V * 1j,)), RuntimeError, "complex"),
        (lambda: jvp(lambda x: x, (X,), (2.0,)), RuntimeError, "float"),
        (lambda: jvp(lambda x: x, (), ()), RuntimeError, "at least one"),
        (lambda: jvp(lambda x: x, (ad.arange(3),), (ad.arange(3),)), ValueError, "int64"),
        (lambda: jvp(lambda x: 2.0, (X,), (V,)), RuntimeError, "float"),
        (lambda: jvp(lambda x: x, (X,), (V,), has_aux=True), RuntimeError, "pair"),
        (lambda: jacrev(lambda x: x, chunk_size=0), ValueError, "chunk_size"),
        (lambda: jacrev(lambda x: x)(X * 1j), RuntimeError, "complex"),
        (lambda: jacrev(lambda x: x * 1j)(X), RuntimeError, "complex"),
        (lambda: jacfwd(lambda x: x)(X * 1j), RuntimeError, "complex"),
        (lambda: jacfwd(lambda x: x * 1j)(X), RuntimeError, "complex"),
        (lambda: jacrev(lambda x: x, argnums=2)(X), RuntimeError, "argument 2"),
        (lambda: jacfwd(lambda x: x, argnums=2)(X), RuntimeError, "argument 2"),
        (lambda: jacfwd(lambda x: x)(2.0), ValueError, "float"),
        (lambda: jacfwd(lambda x: x, randomness="often")(X), RuntimeError, "randomness"),
        (lambda: linearize(lambda x: x, X)[1](ad.ones(2)), RuntimeError, r"\(2,\).*\(3,\)"),
        (lambda: linearize(lambda x: x, X)[1](V, V), RuntimeError, "built like"),
        (lambda: linearize(lambda x: x, X)[1](ad.ones(3)), RuntimeError, "float32"),
        (lambda: linearize(lambda x: 2.0, X), RuntimeError, "float"),
        (lambda: linearize(lambda: X), RuntimeError, "at least one"),
    ],
)  # fmt: skip
def test_errors(call: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_inference_tensors_can_be_differentiated() -> None:
    with ad.inference_mode():
        x, weight = vector(0.3, 0.7, 1.1), vector(1.0, -2.0, 0.5)
        inside = _all_kinds(x, weight)
    for results in (inside, _all_kinds(x, weight)):
        for slope in results:
            close(slope, 2 * np.asarray(x) * np.asarray(weight))


def _all_kinds(x: Any, weight: Any) -> list[Any]:
    func = lambda x: x**2 * weight
    ones = ad.ones_like(x)
    return [
        grad(lambda x: func(x).sum())(x),
        jacrev(func)(x).diagonal(),
        jacfwd(func)(x).diagonal(),
        hessian(lambda x: func(x).sum())(x).diagonal() * x,
        vjp(func, x)[1](ones)[0],
        jvp(func, (x,), (ones,))[1],
        vmap(grad(lambda x, weight: x**2 * weight))(x, weight),
    ]
