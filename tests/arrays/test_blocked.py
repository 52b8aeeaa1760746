"""Elementwise work in blocks: the same bits as in one call, for every operator and any number of threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint._core import metadata
from adjoint.arrays import blocked
from tests.support.cases import Given, Run, runs
from tests.support.checks import read_only
from tests.support.grouping import on_each
from tests.support.running import observe

operators = {run: run.case.operator for run in runs()}
elementwise = [run for run, it in operators.items() if it and it.kind == "elementwise" and it.name == run.case.name]
calls: list[int] = []


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that makes arrays of some hundred elements large, for any number of threads; 0: large no more."""
    spread, is_large, count = blocked.spread, blocked.is_large, ad.get_num_threads()

    def note(work: Any, size: int, block: int) -> None:
        calls.append(size)
        spread(work, size, block)

    def switch(threads: int) -> None:
        metadata._table.clear()
        calls.clear()
        monkeypatch.setattr(blocked, "is_large", (lambda size, _: size >= 64) if threads else is_large)
        ad.set_num_threads(threads or 1)

    monkeypatch.setattr(blocked, "spread", note)
    monkeypatch.setattr(blocked, "_BLOCK", 64)
    monkeypatch.setattr(blocked, "_LONG", 128)
    monkeypatch.setattr(blocked, "_SAMPLE", 32)
    yield switch
    metadata._table.clear()
    ad.set_num_threads(count)


def tile(run: Run) -> Any:
    """Repeat the samples of most dimensions along a new one; the others are broadcast."""
    rank = max([given.array.ndim for given in run.sample.givens], default=0)

    def change(given: Given) -> Given:
        if given.array.ndim < rank:
            return given
        return given.replace(np.tile(given.array, (40,) + (1,) * rank))

    return change


def in_single_precision(array: np.ndarray) -> np.ndarray:
    return read_only(array.astype({"d": "f", "D": "F"}.get(array.dtype.char, array.dtype.char)))


@on_each(elementwise)
def test_every_operator(run: Run, small_blocks: Any) -> None:
    convert = read_only if run.number % 2 else in_single_precision
    with np.errstate(all="ignore"):
        small_blocks(0)
        expected = observe(run, convert, change=tile(run))
        small_blocks(2 + run.number % 2)
        found = observe(run, convert, change=tile(run))
    for one, other in zip(found.values + found.gradients, expected.values + expected.gradients):
        if other is not None:
            assert one.dtype == other.dtype and one.strides == other.strides
            if run.case.name == "exp" and one.dtype.kind == "c":  # another kernel: see exp_complex
                np.testing.assert_allclose(one, other, rtol=8 * np.finfo(one.dtype).eps)
            else:
                np.testing.assert_array_equal(one, other)


# ---- layouts and broadcasting ----------------------------------------------------------------------------------------

VALUES = np.random.default_rng(0).standard_normal((12, 10, 8)).astype("f")


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize(
    ("left", "right", "cut"),
    [
        (VALUES, VALUES[::-1].copy(), 960),  # flat
        (VALUES, VALUES[0, 0], 120),  # rows of 8
        (VALUES, VALUES[:1, :, :1], 12),
        (VALUES[:1], VALUES[:1, :1, :1], 80),
        (VALUES, VALUES[::-1], 12),
        (VALUES, np.broadcast_to(VALUES[0, 0, 0], VALUES.shape), 960),
        (VALUES, VALUES[:, :1, :1], 12),
        (VALUES.T, VALUES.T, None),  # NumPy would choose another order of axes
        (VALUES[:, :1], VALUES[:1], None),
        (VALUES[:, ::2], VALUES[:, ::2], None),
        (VALUES[0, 0], np.broadcast_to(VALUES[0, 0, 0], VALUES.shape), None),
    ],
)
def test_layouts(left: Any, right: Any, cut: int | None, threads: int, small_blocks: Any) -> None:
    expected = np.hypot(left, right)
    small_blocks(threads)
    found = blocked.evaluate(np.hypot, (left, right), None, writes=True)
    np.testing.assert_array_equal(found, expected)
    assert found.strides == expected.strides and found.dtype == expected.dtype
    assert calls == ([cut - max(1, 32 // (left.size // cut))] if cut else [])


def test_subclasses_of_arrays_are_left_to_numpy(small_blocks: Any) -> None:
    small_blocks(2)
    masked = np.ma.masked_less(VALUES, 0)
    found = blocked.evaluate(np.multiply, (VALUES, masked), None, writes=True)
    assert type(found) is np.ma.MaskedArray and (found.mask == masked.mask).all() and not calls


def test_a_result_of_another_shape_is_computed_at_once(small_blocks: Any) -> None:
    small_blocks(2)
    np.testing.assert_array_equal(blocked.evaluate(lambda x: x[:1], (VALUES,)), VALUES[:1])


# ---- gradients that are reused ---------------------------------------------------------------------------------------


def leaf(count: int = 300) -> Any:
    return ad.linspace(0.1, 1.0, count).requires_grad_()


def test_a_gradient_that_nothing_holds_is_overwritten(small_blocks: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    small_blocks(2)
    x, spare = leaf(), []
    y = x.tanh().sigmoid().sin()
    y.sum().backward(retain_graph=True)  # which makes the methods of the nodes

    def note(*args: Any) -> Any:
        spare.append(args[3] is not None)
        return blocked.evaluate(*args)

    node = y.grad_fn
    for _ in range(3):
        monkeypatch.setitem(type(node).backward_raw.__globals__, "evaluate", note)
        node = node.next_functions[0][0]
    y.sum().backward()
    assert spare == [False, True, True]  # that of the sum is one number, broadcast


def holders(y: Any, kept: list[Any]) -> dict[str, Any]:
    return {
        "hook": lambda: y.register_hook(kept.append),
        "retain_grad": lambda: y.retain_grad(),
        "post hook": lambda: y.grad_fn.register_hook(lambda inputs, outputs: kept.extend(outputs)),
        "pre hook": lambda: y.grad_fn.register_prehook(lambda grads: kept.extend(grads)),
    }


@pytest.mark.parametrize("how", ["hook", "retain_grad", "post hook", "pre hook"])
def test_a_gradient_that_is_held_is_left_alone(how: str, small_blocks: Any) -> None:
    seen = []
    for threads in (0, 2):
        small_blocks(threads)
        kept: list[Any] = []
        x = leaf()
        y = (x * 3).tanh()
        holders(y, kept)[how]()
        (y.exp() * 2.0).sin().sum().backward()
        seen.append([one.tolist() for one in [*kept, *([y.grad] if how == "retain_grad" else []), x.grad]])
    assert seen[0] == seen[1] and len(seen[0]) == 2


def test_gradients_that_are_captured_or_given_are_left_alone(small_blocks: Any) -> None:
    seen = []
    for threads in (0, 2):
        small_blocks(threads)
        x, given = leaf(), ad.linspace(1.0, 2.0, 300)
        y = x.exp()
        z = y.sin() * y
        seen.append([one.tolist() for one in ad.autograd.grad(z, [z, y, x], given)] + [given.tolist()])
        assert given.tolist() == ad.linspace(1.0, 2.0, 300).tolist()
    assert seen[0] == seen[1]


@pytest.mark.parametrize(
    "function",
    [
        lambda x, w: x + x * w + x.sin() - x,
        lambda x, w: (x + x) + (x + w) * x,
        lambda x, w: x.clamp(0.3, 0.7) + ad.where(x > 0.5, x, w) + ad.maximum(x, w),
        lambda x, w: (lambda y: y * y + y)(x - w),
        lambda x, w: ad.stack([x * w, x]).exp().sum(0) + x[::2].repeat(2) * w,
        lambda x, w: (x.view(30, 10) * w[:10]).exp() + w.view(30, 10)[:, :1],
        lambda x, w: ad.add(x, w, alpha=2.0) + ad.addcmul(x, w, x, value=0.5) + ad.gelu(x, approximate="tanh"),
        lambda x, w: x.double() * w + x,
        lambda x, w: ad.complex(x, w).sin().abs() * (x + 1j).conj().real,
    ],
)
def test_sums_of_gradients(function: Any, small_blocks: Any) -> None:
    seen = []
    for threads in (0, 1, 2, 3):
        small_blocks(threads)
        x, w = leaf(), ad.linspace(1.0, -1.0, 300).requires_grad_()
        for _ in range(2):  # the second pass adds to .grad
            function(x, w).sum().backward()
        seen.append([x.grad.tolist(), w.grad.tolist()])
    assert seen[0] == seen[1] == seen[2] == seen[3]


# ---- writes, errors, sums --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("recorded", [True, False])
@pytest.mark.parametrize(
    "write",
    [
        lambda x, y: x.mul_(y),
        lambda x, y: x.mul_(x),
        lambda x, y: x.sin_().add_(y, alpha=2.0),
        lambda x, y: x.clamp_(0.4, 0.6).sigmoid_(),
        lambda x, y: x[100:].mul_(x[:200].clone()),
        lambda x, y: x[::2].mul_(y[::2]).tanh_(),
        lambda x, y: x.view(30, 10).add_(y[:10]),
    ],
)
def test_writes(write: Any, recorded: bool, small_blocks: Any) -> None:
    seen = []
    for threads in (0, 2):
        small_blocks(threads)
        w = leaf()
        with ad.set_grad_enabled(recorded):
            x = w * 1.5
            write(x, w * 2.0)
            if recorded:
                x.sum().backward()
        seen.append([x.tolist(), w.grad.tolist() if recorded else None])
    assert seen[0] == seen[1]


def test_overlapping_memory_that_came_from_outside(small_blocks: Any) -> None:
    expected = np.arange(300.0)
    expected[1:] *= expected[:-1].copy()
    small_blocks(3)
    array = np.arange(300.0)
    ad.from_numpy(array[1:]).mul_(ad.from_numpy(array[:-1]))
    assert array.tolist() == expected.tolist()


def test_errors_and_warnings_are_those_of_one_call(small_blocks: Any) -> None:
    small_blocks(3)
    x = ad.zeros(1000)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        x.log()
    with np.errstate(divide="warn"), pytest.warns(RuntimeWarning, match="divide by zero"):
        x.log()
    with pytest.raises(ad.OperatorError, match="shape"):
        x * ad.zeros(7)


@pytest.mark.parametrize("dtype", ["?", "b", "i"])
def test_a_large_sum_of_integers(dtype: str) -> None:
    x = np.ones((1 << 10, 1 << 10), dtype)
    for one in (x, x.T[::2].repeat(2, axis=0)):
        assert ad.arrays.namespace_of(one).sum(one) == 1 << 20 and ad.Tensor(one).sum().item() == 1 << 20


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D"])
def test_a_large_sum_does_not_depend_on_the_threads(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.random.default_rng(0).standard_normal(1 << 20).astype(dtype)
    sums = set()
    for count in (1, 2, 3):
        monkeypatch.setattr("adjoint.arrays.threads._pool.count", count)
        sums.add(complex(ad.Tensor(x).sum().item()))
    (found,) = sums
    np.testing.assert_allclose(found, complex(x.astype("D").sum()), rtol=1e-5 if dtype in "fF" else 1e-12)
