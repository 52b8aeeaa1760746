"""The checkers' arguments: what they refuse, what they leave as it was, and other array libraries."""

from __future__ import annotations

import contextlib
import sys
import threading
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.autograd import dotcheck, gradcheck, gradgradcheck
from adjoint.autograd.gradcheck import GradcheckError
from tests.autograd.gradcheck.test_gradcheck import SLIGHTLY, scaled, x
from tests.support.leaves import const, leaf, raises


def test_what_is_refused(lib: Any) -> None:
    double = lambda a: a * 2
    with raises(lib, ValueError, "requires grad"):
        lib.autograd.gradcheck(double, const(lib, [1.0]))
    with raises(lib, ValueError, "requires grad"):
        lib.autograd.gradcheck(double, (1.0,))
    with raises(lib, AssertionError, "at least one"):
        lib.autograd.gradcheck(double, x(lib), check_backward_ad=False)
    with raises(lib, AssertionError, "check_batched_grad"):
        lib.autograd.gradcheck(double, x(lib), check_backward_ad=False, check_forward_ad=True, check_batched_grad=True)
    with raises(lib, AssertionError, "check_batched_forward_grad"):
        lib.autograd.gradcheck(double, x(lib), check_batched_forward_grad=True)
    with raises(lib, RuntimeError, "share one place"):
        lib.autograd.gradcheck(double, leaf(lib, [[1.0]]).expand(3, 1))
    with pytest.raises(ValueError, match="requires grad"):
        dotcheck(double, const(ad, [1.0]))


def test_errors_of_the_function_are_not_swallowed(lib: Any) -> None:
    def fails(a: Any) -> Any:
        raise LookupError

    with pytest.raises(LookupError):
        lib.autograd.gradcheck(fails, x(lib), raise_exception=False)


def test_single_precision_is_warned_of(lib: Any) -> None:
    with pytest.warns(UserWarning, match="precision"):
        lib.autograd.gradcheck(lambda a: a * 2, leaf(lib, [1.0], "float32"), eps=1e-2, atol=1e-2, rtol=1e-2)


def test_single_precision_works_all_the_same() -> None:
    with pytest.warns(UserWarning, match="float32"):
        assert gradcheck(lambda a: a.sin() * a, leaf(ad, [1.0, 2.0], "float32"))
    with pytest.warns(UserWarning, match="float32"), pytest.raises(GradcheckError):
        gradcheck(scaled(ad, 1.001), leaf(ad, [1.0, 2.0], "float32"))


def test_grad_outputs_can_be_given(lib: Any) -> None:
    seeds = leaf(lib, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert lib.autograd.gradgradcheck(lambda a: a.sin(), x(lib), seeds)
    assert lib.autograd.gradgradcheck(lambda a: a.sin(), (x(lib),), (seeds,))


def test_inputs_are_as_before() -> None:
    a = x()
    before, version, array = a.tolist(), a._version, a._array
    y = a * a
    assert gradcheck(lambda a: a * a, a) and gradgradcheck(lambda a: a * a, a)
    assert a.tolist() == before and a._version == version and a._array is array and a.grad is None
    y.sum().backward()  # a graph from before is still good
    assert a.grad.tolist() == (2 * np.array(before)).tolist()

    def fails(b: Any) -> Any:
        if b.tolist() != before:
            raise LookupError
        return b * 2

    with pytest.raises(LookupError):
        gradcheck(fails, a)
    assert a.tolist() == before


def test_functions_may_use_their_inputs_otherwise(lib: Any) -> None:
    """As a module does with its parameters."""
    weight = leaf(lib, [[1.0, 2.0], [3.0, 4.0]])
    rows = weight[0].detach() if lib is ad else weight.detach()[0]
    assert lib.autograd.gradcheck(lambda a, *_: (weight @ a, weight[0] * rows * 0), (leaf(lib, [1.0, 2.0]), weight))


def test_read_only_memory() -> None:
    array = np.array([1.0, 2.0])
    array.flags.writeable = False
    a = ad.Tensor(array, requires_grad=True)
    assert gradcheck(lambda a: a.exp() * a[0], a, check_forward_ad=True)
    assert a._array is array and array.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("library", ["jax", "array_api_strict"])
def test_other_libraries(library: str) -> None:
    xp = pytest.importorskip("jax.numpy" if library == "jax" else library)
    jax = sys.modules.get("jax")
    with jax.enable_x64(True) if library == "jax" and jax is not None else contextlib.nullcontext():
        a = ad.Tensor(xp.asarray([1.0, 2.0]), requires_grad=True)
        assert gradcheck(lambda a: a.exp() * a[0], a, check_forward_ad=True)
        assert gradgradcheck(lambda a: a.exp() * a[0], a, check_fwd_over_rev=True)
        assert dotcheck(lambda a: a.exp() * a[0], a)
        with pytest.raises(GradcheckError):
            gradcheck(scaled(ad, SLIGHTLY), a)
        assert np.asarray(a._array).tolist() == [1.0, 2.0]


def test_threads_may_check_at_once() -> None:
    results: list[bool] = []

    def work() -> None:
        results.append(gradcheck(lambda a: a.sin() * a, x(), check_forward_ad=True))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4


def test_random_numbers_are_left_alone() -> None:
    state = ad.get_rng_state()
    assert gradcheck(lambda a: a * 2, x(), fast_mode=True) and gradgradcheck(lambda a: a * a, x())
    assert bool((ad.get_rng_state() == state).all()) if isinstance(state, ad.Tensor) else ad.get_rng_state() == state


def test_a_function_that_returns_no_tensor_does_not_pass() -> None:
    for check in (gradcheck, gradgradcheck):
        with pytest.raises(TypeError, match="output 0 is a NoneType"):
            check(lambda a: None, x())
        with pytest.raises(TypeError, match="output 1 is a float"):
            check(lambda a: (a.sin(), 3.0), x(), raise_exception=False)
