"""HIPS autograd's transforms: over NumPy arrays and trees, nested in each other and in `adjoint.func`."""

import warnings

import numpy as np
import pytest
import scipy.optimize

import adjoint as ad
import adjoint.numpy as anp
from adjoint import hips
from adjoint.hips import deriv, elementwise_grad, grad, hessian, jacobian, make_jvp, make_vjp, value_and_grad

X = np.array([0.3, 1.2, 2.5])
M = np.arange(9.0).reshape(3, 3) / 7 + np.eye(3)


def smooth(x):
    return anp.sum(anp.sin(anp.dot(M, x)) * x[::-1])


def differences(fun, x, step=1e-6):
    rows = [(fun(x + step * one) - fun(x - step * one)) / (2 * step) for one in np.eye(x.size)]
    return np.moveaxis(np.array(rows), 0, -1)


def test_results_are_numpy_arrays_of_ones_own():
    gradient = grad(lambda a, b: anp.sum(a + b), (0, 1))(X, X)
    assert [type(one) for one in gradient] == [np.ndarray] * 2
    gradient[0][:] = 7.0  # neither the argument nor the other gradient
    np.testing.assert_array_equal(gradient[1], 1.0)
    np.testing.assert_array_equal(X, [0.3, 1.2, 2.5])
    assert type(grad(lambda x: x**2)(3.0)) is np.float64
    assert grad(lambda x: anp.sum(x))(X.astype(np.float32)).dtype == np.float32


def test_gradients_and_values():
    np.testing.assert_allclose(grad(smooth)(X), differences(smooth, X), rtol=1e-8)
    value, gradient = value_and_grad(smooth)(X)
    assert value == smooth(X)
    np.testing.assert_array_equal(gradient, grad(smooth)(X))
    gradient, aux = hips.grad_and_aux(lambda x: (smooth(x), {"doubled": 2 * x, "name": "x"}))(X)
    np.testing.assert_array_equal(aux["doubled"], 2 * X)
    assert aux["name"] == "x"
    assert hips.grad_named(lambda x, y: x**2 * y, "y")(3.0, 5.0) == 9.0
    np.testing.assert_allclose(elementwise_grad(anp.sin)(X), np.cos(X))
    np.testing.assert_array_equal(grad(lambda x: anp.sum(x**2, keepdims=True))(X), 2 * X)


def test_argnum():
    def fun(x, y, scale=1.0):
        return scale * x**2 * y

    assert grad(fun, 1)(3.0, 5.0) == 9.0
    assert grad(fun, argnum=-1)(3.0, 5.0) == 9.0
    assert grad(fun, [1, 0])(3.0, 5.0, scale=2.0) == (18.0, 60.0)
    assert grad(fun, (1,))(3.0, 5.0) == (9.0,)
    assert grad(lambda x, n: x**n)(2.0, 3) == 12.0  # the others may be anything
    with pytest.raises(TypeError, match="argnum"):
        grad(fun, "x")
    assert grad(fun, 1).__name__ == "grad_of_fun_wrt_argnum_1"


def test_trees():
    def fun(tree):
        assert isinstance(tree, dict) and isinstance(tree["b"], list)
        return anp.sum(tree["a"] ** 2) + tree["b"][0] * tree["b"][1][0]

    tree = {"b": [2.0, (3.0,)], "a": X, "unused": np.ones(2)}
    gradient = grad(fun)(tree)
    assert list(gradient) == list(tree) and gradient["b"] == [3.0, (2.0,)]
    np.testing.assert_array_equal(gradient["a"], 2 * X)
    np.testing.assert_array_equal(gradient["unused"], 0.0)
    assert hips.multigrad_dict(lambda x, *y, z=2.0, **w: x * z + y[0] + w["v"])(3.0, 4.0, v=5.0) == {
        "x": 2.0, "y": (1.0,), "z": 3.0, "w": {"v": 1.0},
    }  # fmt: skip
    vjp, value = make_vjp(lambda x: {"s": anp.sin(x), "n": [x * 2, 7]})(X)
    assert value["n"][1] == 7
    np.testing.assert_allclose(vjp({"s": X, "n": [X, 0]}), X * np.cos(X) + 2 * X)


def test_products_with_jacobian_and_hessian():
    def fun(x):
        return anp.tanh(M @ x) * x[0]

    J, v, w = jacobian(fun)(X), np.array([1.0, -2.0, 0.5]), np.array([0.2, 0.1, -1.0])
    np.testing.assert_allclose(J, differences(fun, X), atol=1e-8)
    np.testing.assert_allclose(make_vjp(fun)(X)[0](w), w @ J)
    value, product = make_jvp(fun)(X)(v)
    np.testing.assert_allclose(value, fun(X))
    np.testing.assert_allclose(product, J @ v)
    np.testing.assert_allclose(deriv(fun)(X), J.sum(1))
    np.testing.assert_allclose(hips.tensor_jacobian_product(fun)(X, w), w @ J)
    H = hessian(smooth)(X)
    np.testing.assert_allclose(H, differences(grad(smooth), X), atol=1e-7)
    np.testing.assert_allclose(hips.make_hvp(smooth)(X)[0](v), H @ v)
    np.testing.assert_allclose(hips.hessian_vector_product(smooth)(X, v), H @ v)
    np.testing.assert_allclose(hips.make_ggnvp(fun)(X)(v), J.T @ (J @ v))
    quartic = lambda y: anp.sum(y**4)
    np.testing.assert_allclose(hips.make_ggnvp(fun, quartic)(X)(v), J.T @ (12 * fun(X) ** 2 * (J @ v)))


def test_shapes_of_jacobians():
    assert jacobian(lambda x: anp.outer(x, x))(X).shape == (3, 3, 3)
    assert jacobian(lambda x: anp.array([x, x**2]))(2.0).tolist() == [1.0, 4.0]
    assert jacobian(jacobian(lambda x: anp.sin(anp.outer(x, x))))(X).shape == (3, 3, 3, 3)
    first, second = jacobian(lambda x, y: x * y, (0, 1))(X, 2.0)
    np.testing.assert_array_equal(first, 2 * np.eye(3))
    np.testing.assert_array_equal(second, X)


def test_nested_in_every_order():
    cube = lambda x: x**3
    assert grad(grad(grad(cube)))(2.0) == 6.0
    assert grad(deriv(cube))(2.0) == deriv(grad(cube))(2.0) == 12.0
    assert grad(lambda x: x * grad(lambda y: x + y)(1.0))(1.0) == 1.0  # no perturbation confusion
    assert grad(lambda x: x * grad(lambda y: x * y)(2.0))(3.0) == 6.0
    np.testing.assert_allclose(grad(lambda x: anp.sum(jacobian(anp.sin)(x)))(X), -np.sin(X))
    with ad.no_grad():
        assert grad(grad(cube))(2.0) == 12.0


def test_inside_transforms_of_tensors():
    x = ad.tensor(2.0, dtype=ad.float64)
    assert ad.func.grad(lambda x: grad(lambda y: y**3)(x).tensor)(x).item() == 12.0
    assert ad.func.jvp(lambda x: grad(lambda y: y**3)(x).tensor, (x,), (x * 0 + 1,))[1].item() == 12.0
    xs = ad.tensor([1.0, 2.0], dtype=ad.float64)
    assert ad.func.vmap(lambda x: grad(lambda y: y**3)(x).tensor)(xs).tolist() == [3.0, 12.0]
    x.requires_grad_()
    grad(lambda y: y**3)(x).tensor.backward()
    assert x.grad.item() == 12.0


def test_complex_numbers_have_hips_autograds_gradient():
    z = 1.5 - 0.5j
    assert grad(lambda z: anp.real(z**2))(z) == pytest.approx(2 * z)  # PyTorch's is the conjugate
    assert grad(lambda z: anp.abs(z) ** 2)(z) == pytest.approx(2 * z.conjugate())
    assert hips.holomorphic_grad(anp.sin)(z) == pytest.approx(np.cos(z))
    assert hips.holomorphic_grad(hips.holomorphic_grad(anp.sin))(z) == pytest.approx(-np.sin(z))
    zs = np.array([z, 2 + 1j])
    J = jacobian(lambda z: anp.array([anp.real(z[0] * z[1]), anp.imag(z[0])]))(zs)
    np.testing.assert_allclose(J, [[zs[1], zs[0]], [-1j, 0]])
    assert make_jvp(lambda z: z**2)(z)(1j)[1] == pytest.approx(2j * z)
    assert make_vjp(lambda z: z**2)(z)[0](1j) == pytest.approx(2j * z)
    with pytest.warns(UserWarning, match="not complex"):
        hips.holomorphic_grad(lambda x: x)(1.0)


def test_constant_results():
    with pytest.warns(UserWarning, match="does not depend"):
        assert grad(lambda x: 1.0)(2.0) == 0.0
    with pytest.warns(UserWarning, match="does not depend"):
        np.testing.assert_array_equal(grad(lambda x: np.sum(x > 1) + 0.0)(X), 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert make_vjp(lambda x: x > 1)(2.0)[0](1.0) == 0.0
        assert make_jvp(lambda x: 3.0)(2.0)(1.0) == (3.0, 0.0)
        assert grad(lambda x: 1.0)([]) == []
        np.testing.assert_array_equal(jacobian(lambda x: np.ones(2))(X), np.zeros((2, 3)))


def test_errors_say_what_is_wrong():
    for fun, x, message in (
        (lambda x: x, 2, "got int"),
        (lambda x: x, np.arange(3), "int64"),
        (lambda x: x, np.ones(3, np.longdouble), "got ndarray of"),
        (lambda x: x, X, r"shape \(3,\)"),
        (lambda x: x * 1j, 1.0, "complex"),
        (lambda x: x > 1, 2.0, "not bool"),
        (lambda x: "text", 2.0, "not str"),
        (lambda x: (x, x), 2.0, "not tuple"),
    ):
        with pytest.raises(TypeError, match=message):
            grad(fun)(x)


def test_scipy_optimizers_take_the_functions():
    def rosenbrock(x):
        return anp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)

    found = scipy.optimize.minimize(value_and_grad(rosenbrock), np.zeros(4), jac=True, method="BFGS")
    np.testing.assert_allclose(found.x, 1.0, rtol=1e-4)
    found = scipy.optimize.minimize(
        rosenbrock, np.zeros(4), jac=grad(rosenbrock), hessp=hips.hessian_vector_product(rosenbrock), method="Newton-CG"
    )
    np.testing.assert_allclose(found.x, 1.0, rtol=1e-3)


def test_same_as_hips_autograd():
    theirs = pytest.importorskip("autograd")
    theirs_np = pytest.importorskip("autograd.numpy")

    def model(np, w, x):
        hidden = np.tanh(np.dot(x, w["a"]) + w["b"])
        spectrum = np.fft.fft(hidden, axis=1)
        weights = np.exp(hidden - np.max(hidden, axis=1, keepdims=True))
        return np.sum(np.abs(spectrum) ** 2 / 7) + np.log(np.sum(weights)) + np.linalg.norm(hidden) * np.std(hidden)

    rng = np.random.default_rng(0)
    w, x = {"a": rng.normal(size=(3, 5)), "b": rng.normal(size=5)}, rng.normal(size=(4, 3))
    ours = grad(lambda w: model(anp, w, x))(w)
    expected = theirs.grad(lambda w: model(theirs_np, w, x))(w)
    for name in w:
        np.testing.assert_allclose(ours[name], expected[name], rtol=1e-10)
