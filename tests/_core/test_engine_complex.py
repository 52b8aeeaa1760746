"""Complex gradients: conjugate Wirtinger derivatives, so that minus the gradient points downhill."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from tests.support.leaves import const, leaf, raises

Z = [1.5 - 0.5j, -0.25 + 2j]

LOSSES: dict[str, Callable[[Any, Any], Any]] = {
    "abs": lambda lib, z: z.abs().sum(),
    "abs squared": lambda lib, z: (z * z.conj()).real.sum(),
    "real": lambda lib, z: z.real.sum(),
    "imag": lambda lib, z: (z * z).imag.sum(),
    "angle": lambda lib, z: z.angle().sum(),
    "exp": lambda lib, z: z.exp().abs().sum(),
    "sin of square": lambda lib, z: (z * z).sin().real.sum(),
    "quotient": lambda lib, z: (1 / z).abs().sum() + (z / (z + 1j)).real.sum(),
    "log": lambda lib, z: z.log().real.sum(),
    "power": lambda lib, z: (z**3).real.sum(),
    "matrix": lambda lib, z: (z.reshape(2, 1) @ z.reshape(1, 2).conj()).abs().sum(),
    "parts": lambda lib, z: lib.view_as_real(z).square().sum(),
    "mixed": lambda lib, z: (z * const(lib, [2.0, 3.0])).abs().sum(),
    "sqrt": lambda lib, z: z.sqrt().imag.sum(),
    "sgn": lambda lib, z: (z.sgn() * (1 + 2j)).real.sum(),
}


@pytest.mark.parametrize("name", LOSSES)
def test_the_gradient_is_the_direction_of_steepest_ascent(lib: Any, name: str) -> None:
    """Its parts are the derivatives by the real and by the imaginary part."""
    z = leaf(lib, Z, "complex128")
    LOSSES[name](lib, z).backward()
    step = 1e-6
    for i, direction in np.ndindex(2, 2):
        delta = np.zeros(2, complex)
        delta[i] = step * (1, 1j)[direction]
        up, down = (LOSSES[name](lib, const(lib, np.array(Z) + s * delta, "complex128")).item() for s in (1, -1))
        found = z.grad.tolist()[i]
        assert (found.real, found.imag)[direction] == pytest.approx((up - down) / (2 * step), rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("name", LOSSES)
def test_it_is_what_pytorch_says(name: str) -> None:
    torch = pytest.importorskip("torch")
    found, wanted = leaf(ad, Z, "complex128"), leaf(torch, Z, "complex128")
    for lib, z in ((ad, found), (torch, wanted)):
        LOSSES[name](lib, z).backward()
    np.testing.assert_allclose(found.grad.tolist(), wanted.grad.tolist(), rtol=1e-12, atol=1e-14)


test_it_is_what_pytorch_says = pytest.mark.oracle(test_it_is_what_pytorch_says)


def test_descent_descends(lib: Any) -> None:
    z = leaf(lib, Z, "complex128")
    target = const(lib, [1 + 1j, 2 - 1j], "complex128")
    losses = []
    for _ in range(30):
        loss = (z - target).abs().square().sum()
        (grad,) = lib.autograd.grad(loss, z)
        with lib.no_grad():
            z -= 0.25 * grad
        losses.append(loss.item())
    assert losses == sorted(losses, reverse=True) and losses[-1] < 1e-6


def test_a_complex_root_needs_a_gradient(lib: Any) -> None:
    z = leaf(lib, 1 + 1j, "complex128")
    with raises(lib, RuntimeError, "complex"):
        (z * z).backward()
    with raises(lib, RuntimeError, "complex"):
        lib.autograd.grad(z * z, z)
    (z * z).backward(const(lib, 1 + 0j, "complex128"))
    assert z.grad.item() == 2 - 2j  # the conjugate of the derivative


def test_a_gradient_given_is_conjugated_nowhere(lib: Any) -> None:
    z = leaf(lib, 1 + 1j, "complex128")
    (grad,) = lib.autograd.grad(z * (2 + 3j), z, const(lib, 1j, "complex128"))
    assert grad.item() == 1j * (2 - 3j)


def test_real_inputs_get_real_gradients(lib: Any) -> None:
    a, b = leaf(lib, [1.0, 2.0]), leaf(lib, [3.0, 4.0], "float32")
    z = const(lib, [1j, 2 - 1j], "complex128")
    (a * z * b).abs().sum().backward()
    assert a.grad.dtype is lib.float64 and b.grad.dtype is lib.float32
    w = leaf(lib, [1.0, 2.0])
    (w * 1j).imag.sum().backward()
    assert w.grad.tolist() == [1.0, 1.0]
    w.grad = None
    ((w * 1j) * 1j).real.sum().backward()
    assert w.grad.tolist() == [-1.0, -1.0]


def test_complex_numbers_as_python_scalars(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    for function in (lambda x: x * 2j, lambda x: x + 2j, lambda x: 2j / x, lambda x: x - 1j):
        (grad,) = lib.autograd.grad(function(x).abs().sum(), x)
        assert grad.dtype is lib.float64


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_precision_is_kept(lib: Any, dtype: str) -> None:
    z = leaf(lib, Z, dtype)
    y = z.abs()
    assert y.dtype is (lib.float32 if dtype == "complex64" else lib.float64)
    y.sum().backward()
    assert z.grad.dtype is getattr(lib, dtype)


def test_kinks_have_the_gradient_zero(lib: Any) -> None:
    z = leaf(lib, [0j], "complex128")
    z.abs().sum().backward()
    assert z.grad.tolist() == [0j]
    z.grad = None
    z.sgn().real.sum().backward()
    assert z.grad.tolist() == [0j]


def test_second_derivatives(lib: Any) -> None:
    z = leaf(lib, [1 + 2j], "complex128")
    (first,) = lib.autograd.grad((z * z * z).real.sum(), z, create_graph=True)
    assert first.tolist() == [complex(np.conj(3 * (1 + 2j) ** 2))]
    (second,) = lib.autograd.grad(first.real.sum(), z)
    assert second.tolist() == [complex(np.conj(6 * (1 + 2j)))]
    (second,) = lib.autograd.grad(lib.autograd.grad((z * z * z).real.sum(), z, create_graph=True)[0].imag.sum(), z)
    assert second.tolist() == [complex(-1j * 0 + np.conj(6j * (1 + 2j)))]


def test_a_real_gradient_flows_back_into_a_complex_tensor(lib: Any) -> None:
    z = leaf(lib, Z, "complex128")
    y = z * 1
    y.retain_grad()
    y.real.sum().backward()
    assert y.grad.dtype is lib.complex128 and z.grad.tolist() == [1 + 0j, 1 + 0j]
