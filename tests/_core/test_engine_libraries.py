"""The engine over other array libraries: array_api_strict, JAX eagerly and inside `jit`, and mixtures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import array_api_strict as strict
import numpy as np
import pytest

import adjoint as ad

jax = pytest.importorskip("jax")
jnp = jax.numpy

MAKERS: dict[str, Callable[[Any], Any]] = {"numpy": np.asarray, "strict": strict.asarray, "jax": jnp.asarray}
VALUES = np.array([[0.5, 1.5], [-1.25, 2.0]], np.float32)


def values(tensor: Any) -> np.ndarray:
    array = tensor._array if isinstance(tensor, ad.Tensor) else tensor
    return np.array(array.tolist() if hasattr(array, "tolist") else np.asarray(array))


@pytest.fixture(params=MAKERS)
def make(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Makes a tensor that holds an array of the library."""
    to_array = MAKERS[request.param]

    def maker(data: Any, requires_grad: bool = True) -> Any:
        return ad.Tensor(to_array(np.asarray(data, np.float32)), requires_grad=requires_grad)

    return maker


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "arithmetic": lambda x: (x * x + 2 * x - 1 / (x * x + 1)).sum(),
    "functions": lambda x: (x.exp().tanh() * x.sin()).sum(),
    "broadcasting": lambda x: (x * x[0] + x.sum(0, keepdim=True)).mean(),
    "matmul": lambda x: (x @ x.t() @ x).sum(),
    "views": lambda x: (x.reshape(4)[1:3] * x.t()[0]).sum(),
    "in place": lambda x: x.clone().mul_(2).add_(x).mul_(x).sum() * 3,
    "in place on a view": lambda x: _fill_row(x),
    "reductions": lambda x: x.prod(1).sum() + x.amax() + x.var(),
    "joining": lambda x: ad.cat([x, x * 2]).square().sum(),
    "where": lambda x: ad.where(x > 0, x, x * x).sum(),
}


def _fill_row(x: Any) -> Any:
    y = x * 1
    y[0] = x[1] * 3
    y.t()[1].mul_(2)
    return (y * y).sum()


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_are_the_same_everywhere(make: Any, name: str) -> None:
    wanted = ad.Tensor(VALUES.copy(), requires_grad=True)
    PROGRAMS[name](wanted).backward()
    x = make(VALUES)
    out = PROGRAMS[name](x)
    assert type(out._array) is type(x._array) or out._array.shape == ()
    out.backward()
    assert type(x.grad._array) is type(x._array)
    np.testing.assert_allclose(values(x.grad), values(wanted.grad), rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("name", PROGRAMS)
def test_second_derivatives_are_the_same_everywhere(make: Any, name: str) -> None:
    def curvature(x: Any) -> Any:
        (first,) = ad.autograd.grad(PROGRAMS[name](x), x, create_graph=True)
        return ad.autograd.grad((first * first).sum(), x, allow_unused=True, materialize_grads=True)[0]

    wanted = curvature(ad.Tensor(VALUES.copy(), requires_grad=True))
    np.testing.assert_allclose(values(curvature(make(VALUES))), values(wanted), rtol=2e-4, atol=1e-5)


@pytest.mark.parametrize("name", PROGRAMS)
def test_forward_and_backward_are_traced_as_one(name: str) -> None:
    wanted = ad.Tensor(VALUES.copy(), requires_grad=True)
    loss = PROGRAMS[name](wanted)
    loss.backward()

    @jax.jit
    def step(array: Any) -> Any:
        x = ad.Tensor(array, requires_grad=True)
        y = PROGRAMS[name](x)
        y.backward()
        return y._array, x.grad._array

    value, grad = step(VALUES)
    np.testing.assert_allclose(np.asarray(value), loss.item(), rtol=2e-5)
    np.testing.assert_allclose(np.asarray(grad), values(wanted.grad), rtol=2e-5, atol=1e-6)


def test_second_derivatives_inside_jit() -> None:
    @jax.jit
    def third(array: Any) -> Any:
        x = ad.Tensor(array, requires_grad=True)
        y = (x**4).sum()
        for _ in range(3):
            (y,) = ad.autograd.grad(y.sum(), x, create_graph=True)
        return y._array

    np.testing.assert_allclose(np.asarray(third(np.float32([1.0, 2.0]))), [24.0, 48.0])


def test_accumulation(make: Any) -> None:
    x = make([1.0, 2.0])
    for _ in range(3):
        (x * x).sum().backward()
    assert values(x.grad).tolist() == [6.0, 12.0]


def test_hooks_and_retained_gradients(make: Any) -> None:
    x = make([1.0, 2.0])
    y = x * 2
    y.retain_grad()
    y.register_hook(lambda grad: grad * 10)
    seen: list[Any] = []
    x.register_post_accumulate_grad_hook(lambda t: seen.append(values(t.grad).tolist()))
    y.sum().backward()
    assert values(y.grad).tolist() == [10.0, 10.0] and seen == [[20.0, 20.0]]


def test_given_gradients_are_brought_to_the_library_if_it_takes_them(make: Any) -> None:
    x = make([1.0, 2.0])
    if "strict" in type(x._array).__module__:
        with pytest.raises(TypeError, match=r"numpy.*array_api_strict"):
            (x * 2).backward(ad.tensor([1.0, 10.0]))
        return
    (x * 2).backward(ad.tensor([1.0, 10.0]))
    assert values(x.grad).tolist() == [2.0, 20.0] and type(x.grad._array) is type(x._array)


def test_saved_values_are_guarded(make: Any) -> None:
    x = make([1.0, 2.0])
    y = x * 1
    z = (y * y).sum()
    y.mul_(2)
    with pytest.raises(RuntimeError, match="version 1; expected version 0"):
        z.backward()


def test_anomaly_mode(make: Any) -> None:
    x = make([0.0, 1.0])
    with pytest.warns(UserWarning), ad.autograd.detect_anomaly():
        y = x.sqrt().sum() * 0
        with pytest.raises(RuntimeError, match="SqrtBackward0 returned NaN"):
            y.backward()


def test_forward_mode(make: Any) -> None:
    fwd = ad.autograd.forward_ad
    with fwd.dual_level():
        x = fwd.make_dual(make([2.0, 3.0], False), make([1.0, 10.0], False))
        assert values(fwd.unpack_dual((x**3).sum()).tangent) == 12.0 + 270.0


@pytest.mark.parametrize("how", ["save_on_cpu", "save_on_disk"])
def test_saved_elsewhere(make: Any, how: str) -> None:
    x = make([1.0, 2.0])
    with getattr(ad.autograd.graph, how)():
        y = (x * x).exp().sum()
    y.backward()
    assert type(x.grad._array) is type(x._array)
    np.testing.assert_allclose(values(x.grad), 2 * np.array([1, 2]) * np.exp([1, 4]), rtol=1e-5)


def test_mutation_of_saved_tensors(make: Any) -> None:
    x = make([1.0, 2.0])
    with ad.autograd.graph.allow_mutation_on_saved_tensors():
        y = x.clone()
        z = (y * y).sum()
        y.zero_()
        z.backward()
    assert values(x.grad).tolist() == [2.0, 4.0]


def test_modes(make: Any) -> None:
    x = make([1.0, 2.0])
    with ad.no_grad():
        assert not (x * 2).requires_grad
    with ad.inference_mode():
        y = x * 2
    assert y.is_inference()
    with pytest.raises(RuntimeError, match="saved for backward"):
        x * y


def test_nested_tensors(make: Any) -> None:
    x = make([1.0, 2.0])
    outer = ad.Tensor(x, requires_grad=True)
    (first,) = ad.autograd.grad((outer**3).sum(), outer)
    (second,) = ad.autograd.grad(first._array.sum(), x)
    assert values(second).tolist() == [6.0, 12.0]


# ---- mixtures --------------------------------------------------------------------------------------------------------


def test_a_constant_meets_a_tracer() -> None:
    constant = ad.Tensor(np.float32([3.0, 4.0]))

    @jax.jit
    def step(array: Any) -> Any:
        x = ad.Tensor(array, requires_grad=True)
        y = (x * constant + constant * 2 + constant).sum()
        y.backward()
        return x.grad._array

    assert np.asarray(step(np.float32([1.0, 2.0]))).tolist() == [3.0, 4.0]


def test_a_leaf_outside_meets_a_tracer() -> None:
    """Its gradient is a tracer: it can be returned from the traced function."""
    weight = ad.Tensor(np.float32([3.0, 4.0]), requires_grad=True)

    @jax.jit
    def step(array: Any) -> Any:
        x = ad.Tensor(array, requires_grad=True)
        gw, gx = ad.autograd.grad((x * weight).sum(), [weight, x])
        return gw._array, gx._array

    gw, gx = step(np.float32([1.0, 2.0]))
    assert np.asarray(gw).tolist() == [1.0, 2.0] and np.asarray(gx).tolist() == [3.0, 4.0]
    assert weight.grad is None


@pytest.mark.parametrize("first", ["numpy", "jax"])
def test_the_library_of_higher_rank_wins(first: str) -> None:
    other = "jax" if first == "numpy" else "numpy"
    a = ad.Tensor(MAKERS[first](np.float32([1.0, 2.0])), requires_grad=True)
    b = ad.Tensor(MAKERS[other](np.float32([3.0, 4.0])), requires_grad=True)
    y = (a * b).sum()
    assert isinstance(y._array, jax.Array)
    y.backward()
    assert values(a.grad).tolist() == [3.0, 4.0] and values(b.grad).tolist() == [1.0, 2.0]
    assert type(a.grad._array) is type(a._array) and type(b.grad._array) is type(b._array)


def test_gradients_of_both_kinds_meet_in_one_leaf() -> None:
    x = ad.Tensor(np.float32([1.0, 2.0]), requires_grad=True)
    c = ad.Tensor(jnp.asarray(np.float32([3.0, 4.0])))
    y = ad.Tensor(np.float32([1.0, 2.0]), requires_grad=True)
    (x * c).sum().backward()
    (x * 2).sum().backward()
    ((x * c).sum() + (x * 2).sum()).backward()
    (x * c + y * c).sum().backward()
    (x * c + y * c).sum().backward()
    assert isinstance(x.grad._array, np.ndarray) and x.grad.tolist() == [16.0, 20.0]
    assert isinstance(y.grad._array, np.ndarray) and y.grad.tolist() == [6.0, 8.0]


def test_libraries_that_do_not_mix_are_an_error_that_names_both() -> None:
    a = ad.Tensor(strict.asarray(np.float32([1.0])), requires_grad=True)
    b = ad.Tensor(jnp.asarray(np.float32([1.0])))
    for call in (lambda: a * b, lambda: b + a, lambda: ad.cat([a, b]), lambda: a.clone().add_(b)):
        with pytest.raises(TypeError, match=r"(?s)(strict.*jax|jax.*strict)"):
            call()


def test_values_of_tracers_are_not_known() -> None:
    @jax.jit
    def step(array: Any) -> Any:
        x = ad.Tensor(array, requires_grad=True)
        assert (x * 2).sum().requires_grad
        with pytest.raises(Exception, match=r"tracer.*has no values"):
            bool(x.sum() > 0)
        return x._array

    step(np.float32([1.0]))


def test_nothing_of_a_trace_is_left_behind() -> None:
    leaf = ad.Tensor(np.float32([1.0, 2.0]), requires_grad=True)

    @jax.jit
    def step(array: Any) -> Any:
        x = ad.Tensor(array)
        return (x * leaf).sum()._array

    step(np.float32([1.0, 2.0]))
    (leaf * 3).sum().backward()
    assert leaf.grad.tolist() == [3.0, 3.0]
