"""Values a graph relies on, changed behind its back: noticed where that can be known; memory that is not ours."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import SimpleNamespace
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


def through_data(y: Any) -> None:
    y.data.add_(1.0)


def through_a_view_of_data(y: Any) -> None:
    y.data[1:].mul_(2.0)


def through_the_data_of_data(y: Any) -> None:
    y.data.data[0] = 9.0


def through_the_data_of_a_view(y: Any) -> None:
    y[1:].data.zero_()


def through_numpy(y: Any) -> None:
    y.detach().numpy()[0] = 9.0


def through_numpy_of_a_view(y: Any) -> None:
    y.detach()[1:].numpy()[...] = 9.0


def through_asarray(y: Any) -> None:
    np.asarray(y.detach()).sort()


def through_dlpack(y: Any) -> None:
    np.from_dlpack(y.detach())[::-1] += 1.0


UNCOUNTED = [
    through_data,
    through_a_view_of_data,
    through_the_data_of_data,
    through_the_data_of_a_view,
    through_numpy,
    through_numpy_of_a_view,
    through_asarray,
    through_dlpack,
]


@pytest.mark.parametrize("write", UNCOUNTED)
@pytest.mark.parametrize("create_graph", [False, True])
def test_writes_that_pytorch_does_not_notice(write: Callable[[Any], None], create_graph: bool) -> None:
    """Case 6: writes through `.data` or a NumPy alias leave the version alone and are noticed all the same."""
    x = ad.tensor([3.0, 2.0, 1.0], requires_grad=True)
    y = x * 1.0
    saved_input, saved_output = y * y, ad.exp(y)
    write(saved_output)
    write(y)
    assert y._version == saved_output._version == 0
    for z in (saved_input, saved_output):
        with pytest.raises(RuntimeError, match=r"modified since, through \.data or its NumPy array"):
            ad.autograd.grad(z.sum(), x, create_graph=create_graph)
    (y * y).sum().backward()  # the new values are as good as any
    assert x.grad.tolist() == [2 * value for value in y.tolist()]


def test_graph_of_data_whose_owner_is_changed() -> None:
    """Case 6: it works in the other direction, too."""
    x = ad.tensor([1.0, 2.0], requires_grad=True)
    w = ad.ones(2).requires_grad_()
    z = w * x.data
    with ad.no_grad():
        x.mul_(3.0)
    with pytest.raises(RuntimeError, match="modified"):
        z.sum().backward()


@pytest.mark.parametrize("size", [3, 100_000])
def test_memory_that_was_given_away_and_left_alone(size: int) -> None:
    """Case 6: looking at the values by NumPy is no error, nor is a write that puts back what was there."""
    x = ad.ones(size).requires_grad_()
    y = ad.exp(x)
    array = y.detach().numpy()
    kept = array.copy()
    array[1] = 0.0
    array[...] = kept
    y.sum().backward()
    assert np.allclose(x.grad.numpy(), np.e)
    z = ad.exp(x)
    z.detach().numpy()[-1] += 1e-3
    with pytest.raises(RuntimeError, match="modified since"):
        z.sum().backward()


def test_swapped_elements_are_noticed() -> None:
    """Case 6: also in large arrays, where the checksum is made of sums."""
    x = ad.arange(100_000, dtype=ad.float64).requires_grad_()
    for change in (lambda a: a.__setitem__(slice(0, 2), a[1::-1].copy()), np.ndarray.sort, lambda a: a[::-1].sort()):
        y = x * -1.0
        z = y * y
        before = y.tolist()
        array = y.detach().numpy()
        change(array)
        if array.tolist() == before:
            continue
        with pytest.raises(RuntimeError, match="modified since"):
            z.sum().backward()


HANDED_IN: dict[str, Callable[[np.ndarray], Any]] = {
    "from_numpy": ad.from_numpy,
    "asarray": ad.asarray,
    "as_tensor": ad.as_tensor,
    "from_dlpack": ad.from_dlpack,
    "frombuffer": lambda array: ad.frombuffer(array.data, dtype=ad.float32),
}


@pytest.mark.parametrize("make", list(HANDED_IN))
@pytest.mark.parametrize("as_leaf", [True, False])
@pytest.mark.parametrize("create_graph", [False, True])
def test_array_that_was_handed_in(make: str, as_leaf: bool, create_graph: bool) -> None:
    """Case 6: an array that the user goes on writing to: the graph has a copy of what it needs."""
    array = np.array([1.0, 2.0, 3.0], np.float32)
    x = HANDED_IN[make](array)
    array[0] = 5.0
    assert x.tolist() == [5.0, 2.0, 3.0], "memory is shared"
    w = ad.full((3,), 2.0).requires_grad_()
    if as_leaf:
        x.requires_grad_()
    twin = ad.tensor([5.0, 2.0, 3.0], requires_grad=as_leaf)
    uses: list[Callable[[Any], Any]] = [
        lambda x: w * x,
        lambda x: x[1:] * w[:2],
        lambda x: x.view(3).detach() * w,
        lambda x: (w * x.data) ** 2,
        lambda x: ad.stack([x, w]).prod(0),
        lambda x: w.dot(x),
        lambda x: (x * 1.0).exp() * w,
    ]
    outputs, wanted = [use(x) for use in uses], [use(twin) for use in uses]
    array[...] = 100.0
    for output, expected in zip(outputs, wanted, strict=True):
        for of, other in ((w, w), (x, twin)) if as_leaf else ((w, w),):
            options = {"retain_graph": True, "allow_unused": True, "create_graph": create_graph}
            (found,) = ad.autograd.grad(output.sum(), of, **options)
            (right,) = ad.autograd.grad(expected.sum(), other, **options)
            assert (found is None) == (right is None)
            assert found is None or found.tolist() == right.tolist()


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "a variable": lambda make, array: make(array),
    "an attribute": lambda make, array: make(SimpleNamespace(of=array).of),
    "an item": lambda make, array: make([array][0]),
    "unpacked": lambda make, array: make(*[array]),
    "partial": lambda make, array: functools.partial(make)(array),
    "partial with the array": lambda make, array: functools.partial(make, array)(),
    "map": lambda make, array: next(map(make, [array])),
    "handed on": lambda make, array: CALLS["a variable"](make, array),
}


@pytest.mark.parametrize("make", [ad.from_numpy, ad.asarray, ad.as_tensor, ad.from_dlpack])
@pytest.mark.parametrize("how", CALLS)
def test_every_way_to_hand_in_an_array(make: Callable[[Any], Any], how: str) -> None:
    """Case 6: however the function is called, an array that somebody else has is known to be his.

    Often enough that the interpreter has found its short cuts.
    """
    w = ad.ones(2).requires_grad_()
    for _ in range(100):
        array = np.array([1.0, 2.0], np.float32)
        product = w * CALLS[how](make, array)
        array[...] = 100.0
        assert ad.autograd.grad(product.sum(), w)[0].tolist() == [1.0, 2.0]


@pytest.mark.parametrize("make", [ad.from_numpy, ad.asarray, ad.as_tensor])
def test_array_that_was_made_for_the_call(make: Callable[[Any], Any]) -> None:
    """Case 6: an array that nobody else has need not be copied, and is not."""
    for _ in range(100):
        x = make(np.ones(2))  # not inside the assert, which keeps what it looks at
        assert not x._spec.external


def test_in_place_on_an_array_that_was_handed_in() -> None:
    """Case 6: memory is shared both ways, and in-place operations through us are noticed as ever."""
    array = np.array([1.0, 2.0, 3.0])
    x = ad.from_numpy(array)
    w = ad.ones(3, dtype=ad.float64).requires_grad_()
    z = w * x
    x.add_(1.0)
    assert array.tolist() == [2.0, 3.0, 4.0]
    with pytest.raises(RuntimeError, match=r"version 1.*version 0"):
        z.sum().backward()
    y = x * w
    y.exp_()
    expected = y.tolist()
    array[...] = 0.0
    y.sum().backward()
    np.testing.assert_allclose(w.grad.tolist(), np.array(expected) * [2.0, 3.0, 4.0])


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
    """Case 11: copying a tensor onto a shifted view of itself raises, with gaps in memory as well."""
    x = ad.arange(5.0)
    square = ad.arange(16.0).reshape(4, 4)
    for write in (
        lambda: x[1:].copy_(x[:-1]),
        lambda: x.__setitem__(slice(1, None), x[:-1]),
        lambda: square[:, 1:].copy_(square[:, :-1]),
        lambda: square.copy_(square.t()),
        lambda: square.__setitem__((slice(None), slice(0, 3)), square[:, 1:]),
    ):
        with pytest.raises(RuntimeError, match="memory"):
            write()
    assert x.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert square.reshape(-1).tolist() == list(range(16))


@pytest.mark.parametrize("recorded", [False, True])
def test_shifted_operands(recorded: bool) -> None:
    """Case 11: an in-place operator whose operand overlaps the target raises."""
    x = ad.arange(5.0)
    if recorded:
        x = x.requires_grad_() * 1.0
    for write in (lambda: x[1:].add_(x[:-1]), lambda: x[1:].addcmul_(x[:-1], x[1:]), lambda: x[::2].mul_(x[:3])):
        with pytest.raises(RuntimeError, match="memory"):
            write()
    assert x.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    x[1::2].add_(x[:-1:2])  # these have nothing in common
    assert x.tolist() == [0.0, 1.0, 2.0, 5.0, 4.0]


def test_write_to_overlapping_strides() -> None:
    """Case 11: `as_strided` with overlapping elements: writing in place raises; disjoint ones may be written."""
    x = ad.zeros(6)
    overlapping = [
        x.as_strided((3, 3), (1, 1)),
        x.as_strided((2, 2), (0, 1)),
        x.unfold(0, 3, 1),
        x.as_strided((4,), (0,)),
    ]
    strided = np.lib.stride_tricks.as_strided(np.zeros(6), (3, 3), (8, 8))
    for wide in (*overlapping, x.unfold(0, 3, 1), ad.Tensor(strided), ad.from_numpy(strided)):
        with pytest.raises(RuntimeError, match="memory"):
            wide.add_(1.0)
        with pytest.raises(RuntimeError, match="memory"), ad.no_grad():
            wide.copy_(ad.ones(wide.shape))
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


@pytest.mark.filterwarnings("ignore:this array is read-only")
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
