"""Functions of NumPy with a derivative that is given or found by trying."""

from __future__ import annotations

import copy
import doctest
import inspect
import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.library import wrap_numpy

A = np.array([[0.5, 1.5, -0.75], [-1.25, 2.0, 0.25]])
B = np.array([0.75, -0.5, 1.25])


def tensor(data: Any = A, dtype: Any = ad.float64, requires_grad: bool = True) -> Any:
    return ad.tensor(data, dtype=dtype, requires_grad=requires_grad)


def close(ours: Any, wanted: Any, rtol: float = 1e-9) -> None:
    wanted = wanted.detach().numpy() if isinstance(wanted, ad.Tensor) else wanted
    np.testing.assert_allclose(ours.detach().numpy(), wanted, rtol=rtol, atol=rtol)


def product(a: Any, b: Any) -> Any:
    return np.sin(a) * b


def product_vjp(g: Any, a: Any, b: Any) -> Any:
    return g * np.cos(a) * b, (g * np.sin(a)).sum(0)


def product_jvp(t: Any, a: Any, b: Any) -> Any:
    return t[0] * np.cos(a) * b + t[1] * np.sin(a)


def product_jacobian(a: Any, b: Any) -> Any:
    by_a, by_b = np.zeros(a.shape * 2), np.zeros(a.shape + b.shape)
    for i, j in np.ndindex(a.shape):
        by_a[i, j, i, j] = np.cos(a[i, j]) * b[j]
        by_b[i, j, j] = np.sin(a[i, j])
    return by_a, by_b


def by_a(a: Any, b: Any) -> Any:
    return np.cos(a) * b


def by_b(a: Any, b: Any) -> Any:
    return np.sin(a) * np.ones_like(b)


RULES: dict[str, dict[str, Any]] = {
    "finite differences": {},
    "finite differences by name": {"derivative": "finite-difference"},
    "complex step": {"derivative": "complex-step"},
    "elementwise": {"derivative": (by_a, by_b)},
    "vjp": {"vjp": product_vjp},
    "jvp": {"jvp": product_jvp},
    "both": {"vjp": product_vjp, "jvp": product_jvp},
    "jacobian": {"jacobian": product_jacobian},
}


@pytest.fixture(params=RULES)
def wrapped(request: pytest.FixtureRequest) -> Any:
    return wrap_numpy(product, **RULES[request.param])


def reference(a: Any, b: Any) -> Any:
    return a.sin() * b


def test_examples_in_the_docstring() -> None:
    report: list[str] = []
    (test,) = doctest.DocTestFinder().find(wrap_numpy, "wrap_numpy", globs={"ad": ad, "np": np})
    doctest.DocTestRunner().run(test, out=report.append)
    assert not report, "".join(report)


# ---- first derivatives -----------------------------------------------------------------------------------------------


def test_reverse_mode(wrapped: Any) -> None:
    for weights in (np.ones_like(A), A):
        a, b, c, d = tensor(), tensor(B), tensor(), tensor(B)
        out = wrapped(a, b)
        close(out, product(A, B))
        out.backward(ad.tensor(weights))
        reference(c, d).backward(ad.tensor(weights))
        close(a.grad, c.grad)
        close(b.grad, d.grad)


def test_one_argument_is_enough(wrapped: Any) -> None:
    a, b = tensor(), tensor(B, requires_grad=False)
    wrapped(a, b).sum().backward()
    close(a.grad, np.cos(A) * B)


def test_forward_mode(wrapped: Any) -> None:
    a, b = tensor(requires_grad=False), tensor(B, requires_grad=False)
    for tangents in ((a * 2, b + 1), (a * 0, b)):
        close(ad.func.jvp(wrapped, (a, b), tangents)[1], ad.func.jvp(reference, (a, b), tangents)[1])
    close(ad.func.jacfwd(lambda a: wrapped(a, b).sum())(a), np.cos(A) * B)


def test_transforms(wrapped: Any) -> None:
    a, b = tensor(requires_grad=False), tensor(B, requires_grad=False)
    close(ad.func.grad(lambda a: wrapped(a, b).square().sum())(a), 2 * np.sin(A) * np.cos(A) * B**2)


def test_vmap(wrapped: Any) -> None:
    a, b = tensor(np.stack([A, 2 * A, 3 * A], axis=1), requires_grad=False), tensor(B, requires_grad=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of the loop, which has a test of its own
        close(ad.func.vmap(wrapped, in_dims=(1, None))(a, b), ad.func.vmap(reference, in_dims=(1, None))(a, b))
        for function in (wrapped, reference):
            gradient = ad.func.grad(lambda a, b: function(a, b).square().sum(), argnums=(0, 1))  # noqa: B023
            results = ad.func.vmap(gradient, in_dims=(1, None))(a, b)
            x, y = a.clone().requires_grad_(), b.clone().requires_grad_()
            ad.func.vmap(function, in_dims=(1, None))(x, y).square().sum().backward()
            if function is wrapped:
                first, grads = results, (x.grad, y.grad)
        for ours, wanted in zip((*first, *grads), (*results, x.grad, y.grad)):
            close(ours, wanted)


def test_zeros_where_an_output_is_not_used() -> None:
    def two(x: Any) -> Any:
        return x * 2, {"b": x**2, "n": 3, "i": np.arange(2)}

    x = tensor()
    _, rest = wrap_numpy(two)(x)
    assert rest["n"] == 3
    assert rest["i"].tolist() == [0, 1]
    assert not rest["i"].requires_grad
    rest["b"].sum().backward()
    close(x.grad, 2 * A)


@pytest.mark.parametrize("rule", ["vjp", "jvp", "jacobian", "complex-step", None])
def test_several_outputs(rule: Any) -> None:
    given = {
        "vjp": {"vjp": lambda g, x: 2 * g[0] + 2 * x * g[1].sum(0)},
        "jvp": {"jvp": lambda t, x: (2 * t, np.stack([2 * x * t] * 2))},
        "jacobian": {"jacobian": lambda x: (2 * np.eye(3), np.stack([2 * np.diag(x)] * 2))},
        "complex-step": {"derivative": "complex-step"},
        None: {},
    }[rule]
    f = wrap_numpy(lambda x: (2 * x, np.stack([x * x, x * x])), **given)
    x = tensor(B)
    first, second = f(x)
    (first.sum() + (second * ad.tensor([[1.0], [3.0]])).sum()).backward()
    close(x.grad, 2 + 8 * B)
    f(x)[1][0].sum().backward()
    close(x.grad, 2 + 10 * B)
    close(ad.func.jvp(lambda x: f(x)[1], (x.detach(),), (x.detach(),))[1], np.stack([2 * B * B] * 2))


def test_arguments_that_are_no_tensors() -> None:
    def power(x: Any, n: int, *, scale: float = 1.0, unit: Any = None) -> Any:
        assert unit in (None, "m")
        return scale * x**n

    rule = lambda g, x, n, *, scale=1.0, unit=None: g * scale * n * x ** (n - 1)
    for f in (wrap_numpy(power), wrap_numpy(power, vjp=rule)):
        x = tensor(B)
        f(x, 3, scale=2.0, unit="m").sum().backward()
        close(x.grad, 6 * B**2)


def test_trees_and_integers_among_the_arguments() -> None:
    @wrap_numpy
    def pick(parts: Any, index: Any) -> Any:
        return parts["a"][index] * parts["b"]

    a, b, i = tensor(B), tensor([2.0]), ad.tensor([2, 0])
    pick({"a": a, "b": b}, i).sum().backward()
    close(a.grad, [2.0, 0.0, 2.0])
    close(b.grad, [2.0])


def test_python_floats_become_tensors_of_the_arguments_dtype() -> None:
    f = wrap_numpy(lambda x: float(np.sum(x)), vjp=lambda g, x: np.full_like(x, g))
    x = tensor(B, dtype=ad.float32)
    y = f(x)
    assert y.dtype is ad.float32
    y.backward()
    assert x.grad.tolist() == [1.0, 1.0, 1.0]


def test_results_that_are_no_numbers_pass_through() -> None:
    value, name, names = wrap_numpy(lambda x: (x * 2, "text", np.array(["a", "b"])))(tensor(B, requires_grad=False))
    close(value, 2 * B)
    assert name == "text"
    assert names.tolist() == ["a", "b"]


def test_bfloat16_has_derivatives() -> None:
    double = wrap_numpy(lambda x: x + x, vjp=lambda g, x: g + g)
    x = tensor([1.0, 2.0], dtype=ad.bfloat16)
    double(x).backward(ad.ones(2, dtype=ad.bfloat16))
    assert x.grad.tolist() == [2.0, 2.0]
    assert ad.func.jvp(double, (x.detach(),), (x.detach(),))[1].tolist() == [2.0, 4.0]


@pytest.mark.parametrize("shape", [(), (0,), (2, 0)])
def test_corner_shapes(shape: Any) -> None:
    x = tensor(np.full(shape, 0.5))
    f = wrap_numpy(lambda x: np.sin(x))
    f(x).sum().backward()
    close(x.grad, np.cos(np.full(shape, 0.5)))


@pytest.mark.parametrize("rule", [{}, {"vjp": lambda g, z: g * np.conj(2 * z)}, {"jvp": lambda t, z: 2 * z * t}])
def test_complex_numbers(rule: Any) -> None:
    z = tensor([1.0 + 2.0j, -0.5 + 0.25j], dtype=ad.complex128)
    w = z.detach().clone().requires_grad_()
    seed = ad.tensor([1.0 - 1.0j, 2.0 + 0.5j], dtype=ad.complex128)
    f = wrap_numpy(lambda z: z * z, **rule)
    f(z).backward(seed)
    (w * w).backward(seed)
    close(z.grad, w.grad)
    t = seed * 2
    close(ad.func.jvp(f, (z.detach(),), (t,))[1], 2 * w * t)


def test_functions_between_real_and_complex_numbers() -> None:
    z = tensor([1.0 + 2.0j, -0.5 + 0.25j], dtype=ad.complex128)
    w = z.detach().clone().requires_grad_()
    wrap_numpy(np.abs)(z).sum().backward()
    w.abs().sum().backward()
    close(z.grad, w.grad)
    x, y = tensor([0.3, 0.7]), tensor([0.3, 0.7])
    seed = ad.tensor([1.0 - 1.0j, 2.0j], dtype=ad.complex128)
    wrap_numpy(lambda x: np.exp(1j * x))(x).backward(seed)
    (1j * y).exp().backward(seed)
    close(x.grad, y.grad)


# ---- misuse ----------------------------------------------------------------------------------------------------------


def test_arguments_are_not_written_to() -> None:
    def greedy(x: Any) -> Any:
        x[0] = 7.0
        return x

    x = tensor(B, requires_grad=False)
    with pytest.raises(ValueError, match="read-only"):
        wrap_numpy(greedy)(x)
    close(x, B)


def test_results_share_no_memory_with_arguments() -> None:
    x = tensor(requires_grad=False)
    y = wrap_numpy(lambda x: x.T)(x)
    x.zero_()
    close(y, A.T)


def test_contradicting_rules() -> None:
    with pytest.raises(TypeError, match="derivative and vjp"):
        wrap_numpy(np.sin, derivative=np.cos, vjp=lambda g, x: g)
    with pytest.raises(TypeError, match=r"vjp=\.\.\.\) has to be a function"):
        wrap_numpy(np.sin, vjp=3)
    with pytest.raises(TypeError, match="one of"):
        wrap_numpy(np.sin, derivative="differences")
    with pytest.raises(TypeError, match="wraps a function"):
        wrap_numpy(3)


def test_wrong_results_of_rules() -> None:
    x, y = tensor(B), tensor(B)
    with pytest.raises(ValueError, match=r"has to return 2 results.*got 1"):
        wrap_numpy(lambda x, y: x * y, vjp=lambda g, x, y: g * y)(x, y).sum().backward()
    with pytest.raises(ValueError, match=r"shape \(3,\) of its argument.*got shape \(2,\)"):
        wrap_numpy(np.sin, vjp=lambda g, x: g[:2])(x).sum().backward()
    with pytest.raises(ValueError, match="has to return 1 results"):
        wrap_numpy(np.sin, jvp=lambda t, x: (t, t))(x).sum().backward()
    with pytest.raises(ValueError, match="output's shape followed by the argument's"):
        wrap_numpy(np.sin, jacobian=lambda x: np.cos(x))(x).sum().backward()
    with pytest.raises(TypeError, match=r"2 tensors.*1 derivatives"):
        wrap_numpy(lambda x, y: x * y, derivative=lambda x, y: y)(x, y).sum().backward()


def test_a_gradient_of_none_counts_as_zero() -> None:
    x, y = tensor(B), tensor(B)
    wrap_numpy(lambda x, y: x, vjp=lambda g, x, y: (g, None))(x, y).sum().backward()
    close(x.grad, np.ones(3))
    close(y.grad, np.zeros(3))


# ---- names -----------------------------------------------------------------------------------------------------------


@wrap_numpy(derivative=by_a)
def decorated(x: Any, n: int = 2) -> Any:
    """A power."""
    return x**n


called = wrap_numpy(product, vjp=product_vjp)


def test_names_are_kept() -> None:
    assert decorated.__name__ == "decorated"
    assert decorated.__doc__ == "A power."
    assert list(inspect.signature(decorated).parameters) == ["x", "n"]
    assert repr(called) == f"<wrap_numpy of {__name__}.product>"
    assert wrap_numpy(np.sin).__name__ == "sin"


def test_pickling() -> None:
    assert pickle.loads(pickle.dumps(decorated)) is decorated
    for again in (pickle.loads(pickle.dumps(called)), copy.deepcopy(called)):
        a, b = tensor(dtype=ad.float32), tensor(B, dtype=ad.float32)
        again(a, b).sum().backward()
        close(a.grad, np.cos(A) * B, 1e-6)
