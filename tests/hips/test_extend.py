"""Primitives: NumPy values inside, derivative rules of the user, in every mode and order."""

import numpy as np
import pytest

import adjoint as ad
import adjoint.numpy as anp
from adjoint.hips import checkpoint, deriv, grad, hessian, holomorphic_grad, jacobian
from adjoint.hips.extend import (
    def_linear,
    defjvp,
    defjvp_argnum,
    defjvp_argnums,
    defvjp,
    defvjp_argnum,
    defvjp_argnums,
    getval,
    isbox,
    notrace_primitive,
    primitive,
)
from adjoint.hips.test_util import check_grads

X = np.array([0.3, 1.2, 2.5])


def make_product():
    @primitive
    def product(x, y, power=1):
        assert type(x) in (np.ndarray, np.float64, float), "a primitive gets plain values"
        return np.multiply(np.power(x, power), y)

    return product


def rules_for_x_and_y():
    return (
        lambda ans, x, y, power=1: lambda g: g * y * power * x ** (power - 1),
        lambda ans, x, y, power=1: lambda g: g * x**power,
    )


def declare_by_argument(product):
    defvjp(product, *rules_for_x_and_y())


def declare_by_argnums(product):
    defvjp(product, *rules_for_x_and_y()[::-1], argnums=(1, 0))


def declare_by_one_rule(product):
    defvjp_argnum(product, lambda argnum, ans, args, kwargs: rules_for_x_and_y()[argnum](ans, *args, **kwargs))


def declare_by_one_rule_for_all(product):
    def rule(argnums, ans, args, kwargs):
        return lambda g: [rules_for_x_and_y()[n](ans, *args, **kwargs)(g) for n in argnums]

    defvjp_argnums(product, rule)


@pytest.mark.parametrize(
    "declare", [declare_by_argument, declare_by_argnums, declare_by_one_rule, declare_by_one_rule_for_all]
)
def test_ways_to_declare_a_rule(declare):
    product = make_product()
    declare(product)
    check_grads(lambda x, y: product(x, y, power=3), (0, 1))(X, X + 1)  # forward mode follows
    check_grads(lambda x: product(x, X))(X)
    np.testing.assert_allclose(hessian(lambda x: anp.sum(product(x, X, power=3)))(X), np.diag(6 * X * X))
    np.testing.assert_allclose(jacobian(product)(X, X), np.diag(X))


@pytest.mark.parametrize("way", ["argument", "argnum", "argnums"])
def test_rules_for_forward_mode(way):
    product = make_product()
    rule = lambda n, g, args: g * args[1 - n]
    if way == "argument":
        defjvp(product, lambda g, ans, x, y: g * y, lambda g, ans, x, y: g * x)
    elif way == "argnum":
        defjvp_argnum(product, lambda n, g, ans, args, kwargs: rule(n, g, args))
    else:
        defjvp_argnums(product, lambda ns, gs, ans, args, kwargs: sum(rule(n, g, args) for n, g in zip(ns, gs)))
    check_grads(product, (0, 1), modes=["fwd"], order=1)(X, X + 1)
    with pytest.raises(NotImplementedError, match="reverse mode"):
        grad(lambda x: anp.sum(product(x, X)))(X)
    declare_by_argument(product)
    check_grads(product, (0, 1))(X, X + 1)


def test_linear_primitives():
    linear = make_product()
    def_linear(linear)
    np.testing.assert_array_equal(deriv(lambda x: linear(x, X))(X), X)
    same = make_product()
    defjvp(same, "same", None)
    np.testing.assert_array_equal(deriv(lambda x: same(x, x))(X), X)


def test_missing_rules():
    product = make_product()
    for transform in (grad, deriv):
        with pytest.raises(NotImplementedError, match="product"):
            transform(lambda x: product(x, 1.0))(2.0)
    defvjp(product, None)
    assert grad(product)(2.0, 3.0) == 0.0
    with pytest.raises(NotImplementedError, match="argument 1"):
        grad(product, 1)(2.0, 3.0)
    assert product(2.0, 3.0) == 6.0
    text = primitive(str)
    defvjp(text, None)
    with pytest.raises(TypeError, match="numbers and NumPy arrays, got str"):
        grad(text)(1.0)


def test_trees_as_arguments_and_results():
    @primitive
    def split(tree, number):
        return {"sum": np.add(tree["a"], tree["b"][0]), "rest": [np.sin(number), 3]}

    def rule(ans, tree, number):
        return lambda g: {"a": g["sum"], "b": [g["sum"], 0.0 * tree["b"][1]]}

    defvjp(split, rule, lambda ans, tree, number: lambda g: g["rest"][0] * anp.cos(number))
    tree = {"a": 1.0, "b": [2.0, 5.0]}

    def fun(tree, number):
        result = split(tree, number)
        assert result["rest"][1] == 3
        return result["sum"] ** 2 * result["rest"][0]

    first, second = grad(fun, (0, 1))(tree, 0.5)
    assert first == {"a": pytest.approx(6 * np.sin(0.5)), "b": [pytest.approx(6 * np.sin(0.5)), 0.0]}
    assert second == pytest.approx(9 * np.cos(0.5))
    check_grads(fun, (0, 1))(tree, 0.5)


def test_complex_rules_have_hips_autograds_convention():
    @primitive
    def square(z):
        return np.square(z)

    defvjp(square, lambda ans, z: lambda g: g * 2 * z)
    z = 1.5 - 0.5j
    assert holomorphic_grad(square)(z) == pytest.approx(2 * z)
    assert holomorphic_grad(holomorphic_grad(square))(z) == pytest.approx(2)
    check_grads(square)(z)


def test_values_from_outside_are_not_lost_silently():
    def fun(x):
        inner = primitive(lambda y: y * x)
        defvjp(inner, lambda ans, y: lambda g: g * x)
        return inner(x)

    with pytest.raises(RuntimeError, match="none of its arguments"):
        grad(fun)(2.0)
    with pytest.raises(RuntimeError, match="none of its arguments"):
        grad(lambda x: checkpoint(lambda y: y * x)(x))(2.0)

    def convert(x):
        inner = primitive(lambda y: y * np.asarray(x.tensor))
        defvjp(inner, lambda ans, y: lambda g: g)
        return inner(x)

    with pytest.raises((RuntimeError, TypeError)):
        grad(convert)(2.0)


def test_under_vmap():
    product = make_product()
    declare_by_argument(product)
    xs = ad.tensor(np.stack([X, X + 1]))
    got = ad.func.vmap(ad.func.grad(lambda x: anp.sum(product(anp.ArrayBox(x), 2.0, power=3)).tensor))(xs)
    np.testing.assert_allclose(got.numpy(), 6 * xs.numpy() ** 2)


def test_rules_that_need_plain_values_are_called_row_by_row():
    calls = []

    @primitive
    def sine(x):
        calls.append("forward")
        return np.sin(x)

    def rule(ans, x):
        return lambda g: np.asarray(g) * (2 * np.cos(x) if np.asarray(g).sum() < 0 else np.cos(x))

    defvjp(sine, rule)
    np.testing.assert_allclose(jacobian(sine)(X), np.diag(np.cos(X)))
    assert calls == ["forward"]
    weights = np.array([1.0, -1.0])
    np.testing.assert_allclose(jacobian(lambda x: weights * sine(x[:2]))(X)[:, :2], np.diag([1, -2] * np.cos(X[:2])))


def test_checkpoint_computes_again():
    calls = []

    def fun(x, y):
        calls.append(isbox(x))
        return anp.sin(anp.exp(x)) * y

    wrapped = checkpoint(fun)
    expected = grad(lambda x, y: anp.sum(fun(x, y)), (0, 1))(X, 2.0)
    calls.clear()
    got = grad(lambda x, y: anp.sum(wrapped(x, y)), (0, 1))(X, 2.0)
    assert calls[0] is False and True in calls[1:]  # plain values first, recorded only in the backward pass
    for one, other in zip(got, expected):
        np.testing.assert_allclose(one, other)
    check_grads(wrapped, (0, 1))(X, 2.0)


def test_values_without_derivative():
    assert grad(lambda x: x * getval(x))(3.0) == 3.0
    assert grad(lambda x: x * notrace_primitive(float)(x))(3.0) == 3.0
    assert getval(2.0) == 2.0 and not isbox(2.0)


def test_names_for_star_imports():
    names: dict = {}
    exec("from adjoint.hips.extend import *", names)
    assert "np" not in names and "defvjp" in names
