"""`check_grads` and its like, `vspace`, `flatten`, optimizers, Python's containers."""

import itertools

import numpy as np
import pytest

import adjoint.numpy as anp
from adjoint import hips
from adjoint.hips import grad
from adjoint.hips.core import make_jvp, make_vjp
from adjoint.hips.extend import defjvp, defvjp, primitive, vspace
from adjoint.hips.misc import const_graph, flatten, flatten_func
from adjoint.hips.misc.fixed_points import fixed_point
from adjoint.hips.misc.optimizers import adam, rmsprop, sgd
from adjoint.hips.test_util import check_equivalent, check_grads, combo_check, scalar_close

X = np.array([0.3, 1.2, 2.5])
VALUES = [
    0.5, X, np.ones((2, 3)) * 1j, [1.0, X], (2.0, [X, 1j]), {"a": {"b": X}, "c": (1.0,)}, np.float32(1.5),
    np.zeros((0, 2)),
]  # fmt: skip


def plant(factor, first_order=True, mode="vjp"):
    """Cube with a rule that is wrong by a factor, or whose derivative is."""

    @primitive
    def cube(x):
        return np.power(x, 3)

    @primitive
    def passed_on(x):
        return x * 1.0

    defvjp(passed_on, lambda ans, x: lambda g: g * factor)
    rule = (lambda x: 3 * x**2 * factor) if first_order else (lambda x: 3 * passed_on(x) ** 2)
    defvjp(cube, lambda ans, x: lambda g: g * rule(x))
    if mode == "jvp":
        defvjp(cube, lambda ans, x: lambda g: g * 3 * x**2)
        defjvp(cube, lambda g, ans, x: g * rule(x))
    return cube


@pytest.mark.parametrize("mode", ["vjp", "jvp"])
def test_wrong_rules_are_found(mode):
    check_grads(plant(1.0, mode=mode))(X)
    with pytest.raises(AssertionError):
        check_grads(plant(1 + 1e-4, mode=mode))(X)
    check_grads(plant(1 + 1e-4, first_order=False, mode=mode), order=1)(X)
    with pytest.raises(AssertionError):
        check_grads(plant(1 + 1e-4, first_order=False, mode=mode))(X)
    with pytest.raises(AssertionError, match=r"\(VJP\) check of cube failed"):
        check_grads(plant(1 + 1e-4), modes=["rev"])(X)
    with pytest.raises(ValueError, match="modes"):
        check_grads(np.sin, modes=["forward"])(X)


def test_comparisons_and_combinations():
    assert scalar_close(1e9, 1e9 + 1) and not scalar_close(1.0, 1.001)
    check_equivalent([X, 1.0], [X + 1e-12, 1.0])
    with pytest.raises(AssertionError, match="differ"):
        check_equivalent(X, X + 1)
    with pytest.raises(AssertionError, match="spaces"):
        check_equivalent(X, [X])
    combo_check(anp.sum, (0,))([X, np.ones((2, 3))], axis=[None, 0], keepdims=[True, False])
    with pytest.raises(AssertionError):
        combo_check(plant(1.1), 0)([X])


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_vector_spaces(value):
    space = vspace(value)
    x, y = space.randn(), space.randn()
    basis = list(space.standard_basis())
    assert len(basis) == space.size
    assert all(vspace(one) == space for one in (x, space.zeros(), space.ones(), space.add(x, y), *basis))
    for (i, one), (j, other) in itertools.product(enumerate(basis), enumerate(basis)):
        assert space.inner_prod(one, other) == (i == j)
    total = space.zeros()
    for one in basis:
        total = space.add(total, one)
    check_equivalent(total, space.ones())
    check_equivalent(space.add(x, space.scalar_mul(x, -1.0)), space.zeros())
    assert np.isclose(space.inner_prod(x, y), space.inner_prod(y, x))
    assert space != vspace([value])
    if np.result_type(*[1.0, *map(np.result_type, space_leaves(space))]) != np.float32 and space.size:
        check_grads(space.inner_prod, (0, 1))(x, y)


def space_leaves(space):
    return [dtype for _, dtype in space.leaves]


def test_what_is_no_vector():
    for value in (1, np.arange(3), "text", [None]):
        with pytest.raises(TypeError, match="floating point"):
            vspace(value)
    assert vspace(X).shape == (3,) and vspace(X).dtype == np.float64 and vspace([X, 1j]).iscomplex
    with pytest.raises(AttributeError, match="trees"):
        vspace([X]).shape


def test_flatten():
    tree = (1.0, np.ones((2, 3)), [X, {"b": 2.0, "a": np.zeros((2, 1))}], ())
    vector, unflatten = flatten(tree)
    assert vector.shape == (1 + 6 + 3 + 2 + 1,)
    np.testing.assert_array_equal(vector[-3:], [0.0, 0.0, 2.0])  # by order of keys
    check_equivalent(unflatten(vector), tree)
    assert flatten(())[0].shape == (0,)
    vector, unflatten = flatten([1j, 2.0])
    assert unflatten(vector) == [1j, 2.0] and not np.iscomplexobj(unflatten(vector)[1])
    np.testing.assert_array_equal(grad(lambda x: anp.sum(flatten([x, x**2])[0]))(X), 1 + 2 * X)
    check_grads(lambda vector: flatten(unflatten(vector))[0])(np.array([1.0, 2.0]))
    function, unflatten, vector = flatten_func(lambda tree, k: [k * tree["a"]], {"a": X})
    np.testing.assert_array_equal(function(vector, 2.0), 2 * X)


@pytest.mark.parametrize("optimize", [sgd, rmsprop, adam])
def test_optimizers(optimize):
    seen = []
    loss = lambda tree, i: anp.sum((tree["x"] - X) ** 2) + (tree["y"][0] - 1.0) ** 2
    start = {"x": np.zeros(3), "y": [0.0]}
    found = optimize(grad(loss), start, lambda x, i, g: seen.append((loss(x, i), i)), 400, 0.05)
    assert loss(found, 0) < 1e-2 < seen[0][0] and [i for _, i in seen] == list(range(400))
    assert found["x"].shape == (3,) and isinstance(found["y"], list)


def test_names_of_the_core():
    vjp, value = make_vjp(lambda x: x**2, 3.0)
    assert (vjp(1.0), value, make_jvp(lambda x: x**2, 3.0)(1.0)) == (6.0, 9.0, (9.0, 6.0))
    assert const_graph(lambda x, y, z: x + y * z, 1.0, z=3.0)(2.0) == 7.0


def test_types_of_boxes():
    def fun(x, number, tree):
        assert hips.isinstance(x, np.ndarray) and hips.isinstance(x, (list, np.ndarray)) and hips.type(x) is np.ndarray
        assert hips.isinstance(number, float) and hips.type(number) is float and not hips.isinstance(number, list)
        assert hips.isinstance(tree, dict) and hips.isinstance(tree, hips.dict) and hips.type(tree) is dict
        return anp.sum(x) * number * tree["a"]

    fun(X, 1.0, {"a": 2.0})
    grad(fun, (0, 1, 2))(X, 1.0, {"a": 2.0})


def test_fixed_points():
    def solve(a):
        def f(a):
            return lambda x: {"y": anp.cos(a["s"] * x["y"]) * 0.5 + a["t"]}

        distance = lambda x, y: anp.sqrt(anp.sum((x["y"] - y["y"]) ** 2))
        return fixed_point(f, a, {"y": np.zeros(3)}, distance, 1e-14)["y"]

    a = {"s": 0.7, "t": X}
    y = solve(a)
    np.testing.assert_allclose(y, np.cos(0.7 * y) * 0.5 + X)
    slope = 1 / (1 + 0.35 * np.sin(0.7 * y))
    gradient = grad(lambda a: anp.sum(solve(a)))(a)
    np.testing.assert_allclose(gradient["t"], slope)
    np.testing.assert_allclose(gradient["s"], np.sum(-0.5 * y * np.sin(0.7 * y) * slope))
    check_grads(solve, modes=["rev"])(a)
