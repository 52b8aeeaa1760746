"""Anomaly mode: which node produced NaN, where the failing node was made, where a saved tensor was changed."""

from __future__ import annotations

import traceback
import warnings
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from tests.support.leaves import const, leaf


def on(lib: Any, **options: Any) -> Any:
    """Anomaly mode, without its warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return lib.autograd.detect_anomaly(**options)


@pytest.fixture(autouse=True)
def without_other_warnings() -> Any:
    """PyTorch prints the traceback of the forward call as a warning; NumPy warns of NaN in the forward pass."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.filterwarnings("ignore", "Error detected in")
        yield


def test_it_warns_that_it_is_slow(lib: Any) -> None:
    with pytest.warns(UserWarning, match="[Aa]nomaly"):
        mode = lib.autograd.detect_anomaly()
    with mode:
        pass


def test_it_is_off_before_and_after(lib: Any) -> None:
    is_on = ad.autograd.is_anomaly_enabled if lib is ad else lib.is_anomaly_enabled
    assert not is_on()
    with on(lib):
        assert is_on()
        with lib.autograd.set_detect_anomaly(False):
            assert not is_on()
        assert is_on()
    assert not is_on()
    with pytest.raises(ValueError), on(lib):
        raise ValueError
    assert not is_on()


def test_set_detect_anomaly_acts_at_once(lib: Any) -> None:
    is_on = ad.autograd.is_anomaly_enabled if lib is ad else lib.is_anomaly_enabled
    try:
        lib.autograd.set_detect_anomaly(True)
        assert is_on()
    finally:
        lib.autograd.set_detect_anomaly(False)
    assert not is_on()


def test_nan_is_an_error_that_names_node_and_index(lib: Any) -> None:
    x, w = leaf(lib, [0.0]), leaf(lib, [1.0])
    with on(lib):
        y = (w * x.sqrt()).sum() * 0  # 0 * inf
        with pytest.raises(RuntimeError, match=r"SqrtBackward0.*(output 0|0th)"):
            y.backward()
    assert x.grad is None


def test_the_index_is_that_of_the_input(lib: Any) -> None:
    x, y = leaf(lib, [0.0]), leaf(lib, [0.0])
    with on(lib):
        z = x / y  # 1 / 0 is infinite, 0 / 0 is NaN
        with pytest.raises(RuntimeError, match=r"DivBackward0.*(output 1|1th)"):
            z.backward()


def test_check_nan_can_be_switched_off(lib: Any) -> None:
    x = leaf(lib, [0.0])
    with on(lib, check_nan=False):
        (x.sqrt().sum() * 0).backward()
    assert np.isnan(x.grad.item())


def test_infinities_are_no_anomaly(lib: Any) -> None:
    x = leaf(lib, [0.0])
    with on(lib):
        x.sqrt().sum().backward()
    assert np.isinf(x.grad.item())


def test_nan_in_complex_gradients(lib: Any) -> None:
    z = leaf(lib, [0j], "complex128")
    with on(lib):
        y = (z / z).sum()
        with pytest.raises(RuntimeError, match="DivBackward0"):
            y.backward(const(lib, 1.0 + 0j, "complex128"))


def test_gradients_are_the_same_in_anomaly_mode(lib: Any) -> None:
    x, w = leaf(lib, [1.0, 2.0]), leaf(lib, [3.0, 4.0])
    with on(lib):
        ((x * w).exp().sum() + x.sum()).backward()
        (first,) = lib.autograd.grad((x**3).sum(), x, create_graph=True)
        (second,) = lib.autograd.grad(first.sum(), x)
    assert w.grad.tolist() == pytest.approx([np.exp(3.0), 2 * np.exp(8.0)])
    assert second.tolist() == [6.0, 12.0]


# ---- where it happened -----------------------------------------------------------------------------------------------


def the_line_that_records(x: Any) -> Any:
    return x.sqrt()


def test_the_error_tells_where_the_node_was_made() -> None:
    x = leaf(ad, [0.0])
    with on(ad):
        y = the_line_that_records(x).sum() * 0
        with pytest.raises(RuntimeError) as caught:
            y.backward()
    assert "return x.sqrt()" in str(caught.value) and "the_line_that_records" in str(caught.value)
    assert "src/adjoint" not in str(caught.value)  # our own frames are of no interest


def test_any_error_in_a_pass_gets_the_traceback_of_the_forward_call() -> None:
    x = leaf(ad, [1.0])
    with on(ad):
        y = the_line_that_records(x)
        y.register_hook(lambda grad: 1 / 0)
        with pytest.raises(ZeroDivisionError) as caught:
            y.backward()
    shown = "".join(traceback.format_exception(caught.value))
    assert "forward call that recorded SqrtBackward0" in shown and "return x.sqrt()" in shown


def test_without_anomaly_mode_there_is_no_traceback_but_a_hint() -> None:
    x = leaf(ad, [1.0, 2.0])
    y = the_line_that_records(x)
    y.mul_(2)
    with pytest.raises(RuntimeError, match="detect_anomaly") as caught:
        y.sum().backward()
    assert "return x.sqrt()" not in str(caught.value)


def the_line_that_writes(y: Any) -> None:
    y.mul_(2)


@pytest.mark.parametrize("grad_mode", ["enable_grad", "no_grad"])
def test_a_stale_tensor_shows_where_it_was_saved_and_where_it_was_changed(grad_mode: str) -> None:
    x = leaf(ad, [1.0, 2.0])
    with on(ad):
        y = the_line_that_records(x)
        with getattr(ad, grad_mode)():
            the_line_that_writes(y)
        with pytest.raises(RuntimeError, match=r"SqrtBackward0.*version 1; expected version 0") as caught:
            y.sum().backward()
    message = str(caught.value)
    assert "return x.sqrt()" in message and "y.mul_(2)" in message
    assert message.index("return x.sqrt()") < message.index("y.mul_(2)")


def test_it_is_the_first_write_after_saving_that_is_shown() -> None:
    x = leaf(ad, [1.0, 2.0])
    with on(ad):
        y = x * 1
        y.add_(1)
        z = y * y
        the_line_that_writes(y)
        y.sub_(1)
        with pytest.raises(RuntimeError) as caught:
            z.sum().backward()
    message = str(caught.value)
    assert "y.mul_(2)" in message and "y.sub_(1)" not in message and "y.add_(1)" not in message


def test_a_nan_in_a_node_made_outside_is_found_too(lib: Any) -> None:
    x = leaf(lib, [0.0])
    y = x.sqrt().sum() * 0
    with on(lib), pytest.raises(RuntimeError, match="SqrtBackward0"):
        y.backward()


def test_nan_on_the_way_in_is_not_the_nodes_fault(lib: Any) -> None:
    """But the first node that returns it is named, as in PyTorch."""
    x = leaf(lib, [1.0])
    with on(lib):
        y = x.exp() * 2
        with pytest.raises(RuntimeError, match="MulBackward0"):
            y.backward(const(lib, [float("nan")]))


def test_nodes_of_second_order_have_a_traceback_of_their_own() -> None:
    x = leaf(ad, [0.0])
    with on(ad):
        y = x.abs().sqrt().sum()
        with pytest.raises(RuntimeError, match="NaN"):
            ad.autograd.grad(y, x, create_graph=True)
