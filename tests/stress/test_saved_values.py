"""Values a graph relies on, changed behind its back: noticed where that can be known; memory that is not ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint as ad

pytestmark = pytest.mark.stress


# ---- case 6: a saved value is changed --------------------------------------------------------------------------------


def by_operator(y: Any) -> None:
    y.add_(1.0)


def by_python_operator(y: Any) -> None:
    y *= 2.0


def by_assignment(y: Any) -> None:
    y[0] = 5.0


def by_view(y: Any) -> None:
    y[1:].mul_(2.0)


def by_view_of_a_view(y: Any) -> None:
    y.reshape(1, 3)[0, 1:].zero_()


def without_recording(y: Any) -> None:
    with ad.no_grad():
        y.add_(1.0)


def through_detach(y: Any) -> None:
    y.detach().add_(1.0)


def through_detach_without_recording(y: Any) -> None:
    with ad.no_grad():
        y.detach()[0] = 9.0


def as_output_argument(y: Any) -> None:
    with ad.no_grad():
        ad.add(y.detach(), 1.0, out=y)


def by_count(y: Any) -> None:
    ad.autograd.graph.increment_version(y)


WRITES = [
    by_operator,
    by_python_operator,
    by_assignment,
    by_view,
    by_view_of_a_view,
    without_recording,
    through_detach,
    through_detach_without_recording,
    as_output_argument,
    by_count,
]

SAVING: dict[str, Callable[[Any], Any]] = {
    "an input": lambda y: y * y,
    "an input, by the other": lambda y: y * ad.full((3,), 2.0).requires_grad_(),
    "an input of a reduction": lambda y: (y * y.detach()).sum(),
}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("saving", SAVING)
@pytest.mark.parametrize("create_graph", [False, True])
def test_saved_input_that_is_changed(write: Callable[[Any], None], saving: str, create_graph: bool) -> None:
    """Case 6: an input changed after it was saved: the pass raises, naming node, shape and both versions."""
    x = ad.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 1.0
    z = SAVING[saving](y)
    write(y)
    with pytest.raises(RuntimeError, match=r"MulBackward0.*\[3\].*version 1.*version 0"):
        ad.autograd.grad(z.sum(), x, create_graph=create_graph)


@pytest.mark.parametrize("write", WRITES)
def test_saved_output_that_is_changed(write: Callable[[Any], None]) -> None:
    """Case 6: the same for a node that has saved its own output."""
    x = ad.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = ad.exp(x)
    z = y.sum()
    write(y)
    with pytest.raises(RuntimeError, match=r"ExpBackward0.*\[3\].*version 1.*version 0"):
        z.backward()


@pytest.mark.parametrize("write", WRITES)
def test_saved_view_whose_base_is_changed(write: Callable[[Any], None]) -> None:
    """Case 6: a view shares the counter of its base, so a write to the base is noticed as well."""
    x = ad.tensor([1.0, 2.0, 3.0], requires_grad=True)
    base = x * 1.0
    z = base[:2] * base[1:]
    write(base)
    with pytest.raises(RuntimeError, match=r"MulBackward0.*\[2\].*version 1.*version 0"):
        z.sum().backward()


def test_changes_that_do_no_harm() -> None:
    """Case 6: a write before saving, to a clone, or to what no rule needs, is no error."""
    x = ad.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 1.0
    y.add_(1.0)
    z = y * y
    y.clone().zero_()
    w = y + 1.0
    w.zero_()
    z.sum().backward()
    assert x.grad.tolist() == [4.0, 6.0, 8.0]


def test_parameter_that_is_updated_before_backward() -> None:
    """Case 6: the classic mistake, a step of the optimiser between forward and backward."""
    w = ad.tensor([1.0, 2.0], requires_grad=True)
    loss = (w * w).sum()
    with ad.no_grad():
        w -= 0.1
    with pytest.raises(RuntimeError, match=r"modified.*version 1.*version 0"):
        loss.backward()
    assert w.grad is None


# ---- case 11: memory in which one element is several -----------------------------------------------------------------


def test_write_to_an_expanded_tensor() -> None:
    """Case 11: `expand` shows one element several times; writing there in place raises, and nothing is written."""
    base = ad.ones(1)
    wide = base.expand(4)
    for write in (lambda: wide.add_(1.0), lambda: wide.mul_(wide), lambda: wide.copy_(ad.arange(4.0))):
        with pytest.raises(RuntimeError, match="memory"):
            write()
    with pytest.raises(RuntimeError, match="memory"), ad.no_grad():
        wide.add_(1.0)
    with pytest.raises(RuntimeError, match="memory"):
        wide[1:] = 3.0
    assert base.tolist() == [1.0]


def test_shifted_copy() -> None:
    """Case 11: copying a tensor onto a shifted view of itself raises, or moves all values as if at once."""
    x = ad.arange(5.0)
    try:
        x[1:].copy_(x[:-1])
    except RuntimeError as error:
        assert "memory" in str(error)
        assert x.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    else:
        assert x.tolist() == [0.0, 0.0, 1.0, 2.0, 3.0]


@pytest.mark.parametrize("recorded", [False, True])
def test_shifted_operands(recorded: bool) -> None:
    """Case 11: an in-place operator whose operand overlaps the target raises, or works as if the operand was a copy."""
    x = ad.arange(5.0)
    if recorded:
        x = x.requires_grad_() * 1.0
    try:
        x[1:].add_(x[:-1])
    except RuntimeError as error:
        assert "memory" in str(error)
    else:
        assert x.tolist() == [0.0, 1.0, 3.0, 5.0, 7.0]


def test_write_to_overlapping_strides() -> None:
    """Case 11: `as_strided` with overlapping elements: writing in place raises; disjoint ones may be written."""
    if not hasattr(ad.Tensor, "as_strided"):
        pytest.skip("as_strided is not there yet")
    x = ad.zeros(6)
    overlapping = x.as_strided((3, 3), (1, 1))
    with pytest.raises(RuntimeError, match="memory"):
        overlapping.add_(1.0)
    assert x.tolist() == [0.0] * 6
    x.as_strided((2, 3), (3, 1)).add_(1.0)
    assert x.tolist() == [1.0] * 6


# ---- case 12: read-only memory ---------------------------------------------------------------------------------------


def frozen(*values: float) -> np.ndarray:
    array = np.array(values, np.float32)
    array.flags.writeable = False
    return array


def add_in_place(x: Any) -> None:
    x.add_(1.0)


def fill(x: Any) -> None:
    x.zero_()


def assign(x: Any) -> None:
    x[0] = 9.0


def write_view(x: Any) -> None:
    x[1:].mul_(3.0)


def write_out(x: Any) -> None:
    ad.add(ad.ones(3), 1.0, out=x)


def write_recorded(x: Any) -> None:
    x.mul_(ad.full((3,), 2.0).requires_grad_())


def write_detached(x: Any) -> None:
    x.detach().copy_(ad.zeros(3))


@pytest.mark.parametrize("write", [add_in_place, fill, assign, write_view, write_out, write_recorded, write_detached])
@pytest.mark.parametrize("make", [ad.from_numpy, ad.asarray, ad.as_tensor, ad.Tensor])
def test_read_only_array_is_never_written(make: Callable[[Any], Any], write: Callable[[Any], None]) -> None:
    """Case 12: an in-place operation on a tensor over a read-only array raises or works on other memory."""
    array = frozen(1.0, 2.0, 3.0)
    x = make(array)
    try:
        write(x)
    except (RuntimeError, ValueError) as error:
        assert "read-only" in str(error)
        assert x.tolist() == [1.0, 2.0, 3.0]
    else:
        assert x.tolist() != [1.0, 2.0, 3.0]
    assert array.tolist() == [1.0, 2.0, 3.0]


def test_read_only_gradients_are_never_written() -> None:
    """Case 12: a read-only gradient, given, assigned or made by a hook, is not what later gradients are added into."""
    x = ad.ones(3).requires_grad_()
    array = frozen(1.0, 2.0, 3.0)
    given = ad.Tensor(array)
    (x * 1.0).backward(given)
    (x * 1.0).backward(given)
    assert x.grad.tolist() == [2.0, 4.0, 6.0]
    x.grad = given
    (x * 1.0).backward(given)
    assert x.grad.tolist() == [2.0, 4.0, 6.0]
    x.grad = None
    handle = x.register_hook(lambda grad: given)
    for _ in range(3):
        (x * 1.0 + x * 2.0).sum().backward()
    handle.remove()
    assert x.grad.tolist() == [3.0, 6.0, 9.0]
    y = x * 1.0
    y[0] = 0.0  # its backward writes into a gradient
    y.backward(given)
    assert array.tolist() == [1.0, 2.0, 3.0]


def test_given_gradients_are_never_written() -> None:
    """Case 12: nor is a gradient that could be written, but is the caller's."""
    x = ad.ones(3).requires_grad_()
    given = ad.tensor([1.0, 2.0, 3.0])
    y = x * 1.0
    y[0] = 0.0
    z = y + y.reshape(3) + y[:]
    z.backward(given, retain_graph=True)
    z.backward(given)
    assert given.tolist() == [1.0, 2.0, 3.0]
    assert x.grad.tolist() == [0.0, 12.0, 18.0]
    x.grad.add_(100.0)
    assert given.tolist() == [1.0, 2.0, 3.0]


def test_arrays_of_the_caller_are_never_written() -> None:
    """Case 12: neither forward nor backward writes into operands, whoever owns them."""
    array = np.arange(3.0, dtype=np.float32)
    x = ad.from_numpy(array).requires_grad_()
    (ad.tanh(x * x) + x[0] * x.flip(0)).sum().backward()
    x.grad.add_(1.0)
    assert array.tolist() == [0.0, 1.0, 2.0]
