"""Kernels for rows give what the operators' formulas give in double precision, for any number of threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from scipy import special

import adjoint as ad
from adjoint.arrays import numpy as library
from adjoint.arrays._kernels import rows

INF, NAN = np.inf, np.nan


@pytest.fixture
def forced(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """A switch: kernels for arrays of any size, in blocks of three rows, or for none."""

    def switch(on: bool) -> None:
        for name in ("_LARGE_FOR_ROWS", "_LARGE_FOR_GELU", "_SHORT_ROW"):
            monkeypatch.setattr(library, name, 1 if on else 1 << 40)
        monkeypatch.setattr(rows, "_BLOCK", 32)

    return switch


@pytest.fixture
def set_threads() -> Iterator[Callable[[int], None]]:
    before = ad.get_num_threads()
    yield ad.set_num_threads
    ad.set_num_threads(before)


def make_scores(finite: bool) -> np.ndarray:
    """Rows that need no shift, and rows that do."""
    x = np.random.default_rng(0).standard_normal((16, 9))
    x[3] += 100
    x[4] -= 100
    x[5] *= 1e4
    x[6] -= 50
    x[7] += 80
    x[8] = 0
    if not finite:
        x[9, 2:] = -INF
        x[10] = -INF
        x[11, 4] = INF
        x[12, 4] = NAN
    return x


def run(function: Callable[..., Any], *arrays: np.ndarray) -> list[np.ndarray]:
    """The result, and the gradients by all operands."""
    leaves = [ad.tensor(array, requires_grad=True) for array in arrays]
    out = function(*leaves)
    grad = np.random.default_rng(1).standard_normal(tuple(out.shape))
    out.backward(ad.tensor(grad.astype(arrays[0].dtype)))
    return [out.detach().numpy(), *(leaf.grad.numpy() for leaf in leaves)]


def compare(forced: Any, function: Callable[..., Any], *arrays: np.ndarray) -> None:
    """Kernels, in both precisions, against formulas in double precision."""
    for dtype, tolerance in (("f4", {"rtol": 1e-5, "atol": 1e-6}), ("f8", {"rtol": 1e-12, "atol": 1e-14})):
        given = [array.astype(dtype) for array in arrays]
        with np.errstate(all="ignore"):
            forced(False)
            wanted = run(function, *[array.astype("f8") for array in given])
            forced(True)
            found = run(function, *given)
        for ours, theirs in zip(found, wanted, strict=True):
            assert ours.dtype == dtype
            np.testing.assert_allclose(ours, theirs.astype(dtype), **tolerance)


TARGET = np.arange(16) % 9
SOME_IGNORED = np.where(TARGET % 4 == 1, -100, TARGET)
WEIGHT = np.linspace(0.5, 1.5, 9)


def classify(target: np.ndarray = TARGET, weight: np.ndarray | None = None, **options: Any) -> Callable[..., Any]:
    def loss(x: Any) -> Any:
        own = None if weight is None else ad.tensor(weight, dtype=x.dtype)
        targets = ad.tensor(target) if target.dtype.kind == "i" else ad.tensor(target, dtype=x.dtype)
        return ad.cross_entropy(x, targets, own, **options)

    return loss


BY_ROWS: dict[str, Callable[..., Any]] = {
    "softmax": lambda x: x.softmax(-1),
    "log_softmax": lambda x: x.log_softmax(1),
    "logsumexp": lambda x: x.logsumexp(1),
    "logsumexp keepdim": lambda x: x.logsumexp(-1, True),
    "cross_entropy": classify(reduction="none"),
    "cross_entropy weight": classify(SOME_IGNORED, WEIGHT, reduction="none"),
    "gelu": ad.gelu,
}

REDUCED: dict[str, Callable[..., Any]] = {
    "mean": classify(),
    "sum": classify(reduction="sum"),
    "weight": classify(weight=WEIGHT),
    "ignored": classify(SOME_IGNORED),
    "all ignored": classify(TARGET * 0 - 100),
    "ignore_index": classify(ignore_index=2, weight=WEIGHT),
    "label_smoothing": classify(SOME_IGNORED, WEIGHT, label_smoothing=0.1),
    "probabilities": classify(np.full((16, 9), 1 / 9), WEIGHT),
}


@pytest.mark.parametrize("name", [*(name for name in BY_ROWS if name != "gelu"), "mean"])
def test_kernels_are_used_forward_and_backward(name: str, forced: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    forced(True)
    calls: list[int] = []

    def spread(work: Callable[[int, int], Any], count: int, block: int) -> None:
        calls.append(count)
        work(0, count)

    monkeypatch.setattr(rows, "spread", spread)
    run((BY_ROWS | REDUCED)[name], make_scores(finite=True))
    assert calls == [16, 16]


@pytest.mark.parametrize("name", BY_ROWS)
def test_extreme_rows(name: str, forced: Any) -> None:
    compare(forced, BY_ROWS[name], make_scores(finite=False))


@pytest.mark.parametrize("name", REDUCED)
def test_cross_entropy(name: str, forced: Any) -> None:
    compare(forced, REDUCED[name], make_scores(finite=True))


@pytest.mark.parametrize("shape", [(9,), (4, 9)])
def test_normalization(shape: tuple[int, ...], forced: Any) -> None:
    rng = np.random.default_rng(2)
    x, weight, bias = (rng.standard_normal(one) for one in ((7, 4, 9), shape, shape))
    compare(forced, lambda x, weight, bias: ad.layer_norm(x, shape, weight, bias), x, weight, bias)
    compare(forced, lambda x, weight: ad.layer_norm(x, shape, weight), x, weight)
    compare(forced, lambda x: ad.layer_norm(x, shape, eps=0.1), x)
    compare(forced, lambda x, weight: ad.rms_norm(x, shape, weight, eps=1e-3), x, weight)


@pytest.mark.parametrize("length", [500, 9000])
def test_long_rows(length: int, forced: Any) -> None:
    x, weight = np.random.default_rng(3).standard_normal((3, length)), np.linspace(0.5, 1.5, length)
    before = np.getbufsize(), np.geterr()
    for function in (
        lambda x: x.softmax(-1),
        lambda x: x.log_softmax(-1),
        lambda x: x.logsumexp(-1),
        classify(TARGET[:3]),
    ):
        compare(forced, function, x)
    compare(forced, lambda x, weight: ad.layer_norm(x, (length,), weight, weight), x, weight)
    assert (np.getbufsize(), np.geterr()) == before


def test_other_layouts(forced: Any) -> None:
    x = make_scores(finite=True)
    for view in (
        lambda x: x[::-1, ::-1],
        lambda x: x.T.copy().T,
        lambda x: x.reshape(2, 8, 9).transpose(1, 0, 2),
        lambda x: x[::3],
    ):
        forced(False)
        wanted = [ad.softmax(ad.from_numpy(view(x)), -1).numpy(), ad.logsumexp(ad.from_numpy(view(x)), -1).numpy()]
        forced(True)
        found = [ad.softmax(ad.from_numpy(view(x)), -1).numpy(), ad.logsumexp(ad.from_numpy(view(x)), -1).numpy()]
        for ours, theirs in zip(found, wanted, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    compare(forced, lambda x: x.softmax(-1).sum() + x.log_softmax(-1).sum() + x.logsumexp(-1).sum(), x)  # strides of 0


@pytest.mark.parametrize("dtype", [ad.float16, ad.bfloat16])
def test_half_precision(dtype: Any, forced: Any) -> None:
    x = ad.tensor(np.random.default_rng(0).standard_normal((16, 9))).to(dtype).requires_grad_()
    for on in (False, True):
        forced(on)
        for function in (lambda x: x.softmax(-1)[:, 0].sum(), classify(weight=WEIGHT)):
            x.grad = None
            out = function(x)
            out.backward()
            wanted = run(function, x.detach().double().numpy())
            assert out.dtype is dtype and x.grad.dtype is dtype
            np.testing.assert_allclose(out.item(), wanted[0], rtol=1e-2)
            given = np.random.default_rng(1).standard_normal()  # the gradient that `run` starts with
            np.testing.assert_allclose(x.grad.double().numpy(), wanted[1] / given, rtol=2e-2, atol=1e-3)


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "logsumexp", "cross_entropy"])
def test_graphs_are_kept_and_differentiated_again(name: str, forced: Any) -> None:
    """What is saved is not overwritten; and a recorded pass gives the same gradients, and those of gradients."""
    x = ad.tensor(make_scores(finite=True)[8:], requires_grad=True)
    function = {**BY_ROWS, "cross_entropy": classify(TARGET[8:])}[name]
    seconds = []
    for on in (False, True):
        forced(on)
        out = function(x)
        given = ad.linspace(-1.0, 1.0, out.numel(), dtype=x.dtype).reshape(tuple(out.shape)) + 1.5
        first = [ad.autograd.grad(out, x, given, retain_graph=True)[0].numpy() for _ in range(2)]
        assert (first[0] == first[1]).all()
        (recorded,) = ad.autograd.grad(out, x, given, create_graph=True)
        np.testing.assert_allclose(recorded.detach().numpy(), first[0], rtol=1e-12, atol=1e-15)
        seconds.append(ad.autograd.grad((recorded**2).sum(), x)[0].numpy())
    np.testing.assert_allclose(*seconds, rtol=1e-12, atol=1e-15)


def test_saved_tensor_hooks_get_the_probabilities(forced: Any) -> None:
    forced(True)
    x = ad.tensor(make_scores(finite=True), requires_grad=True)
    seen: list[Any] = []
    with ad.autograd.graph.saved_tensors_hooks(lambda t: seen.append(t) or t * 1, lambda t: t):
        loss = classify()(x)
    (shares,) = [one for one in seen if one.dtype is x.dtype]
    np.testing.assert_allclose(shares.detach().numpy(), x.detach().softmax(1).numpy(), rtol=1e-12)
    (found,) = ad.autograd.grad(loss, x)
    np.testing.assert_allclose(found.numpy(), ad.autograd.grad(classify()(x), x)[0].numpy(), rtol=1e-12)


def test_a_row_of_nan_leaves_its_neighbours_alone(forced: Any) -> None:
    forced(True)
    x = np.zeros((3, 9), "f4")
    x[0], x[1, 7] = NAN, 200  # the target of the second row has a probability of exp(-200), which is zero
    losses = ad.cross_entropy(ad.tensor(x), ad.zeros(3, dtype=ad.int64), reduction="none").numpy()
    np.testing.assert_allclose(losses, [NAN, 200, np.log(9)], rtol=1e-6)


def test_refusals(forced: Any) -> None:
    forced(True)
    x = ad.tensor(make_scores(finite=True))
    for place in (9, -1):
        with pytest.raises(IndexError):
            ad.cross_entropy(x, ad.tensor(np.where(TARGET == 3, place, TARGET)))
    with pytest.raises(ValueError, match="shape"):
        ad.cross_entropy(x, ad.tensor(TARGET[1:]))
    with pytest.raises(RuntimeError, match="classes"):
        ad.cross_entropy(x, ad.tensor(TARGET, dtype=ad.float64))
    for function in (lambda x: x.softmax(1), classify()):
        with pytest.raises(RuntimeError, match="floating"):
            function(ad.ones(16, 9, dtype=ad.int64))


def test_gelu_is_accurate() -> None:
    x = np.linspace(-15, 15, 300_001, dtype="f4")
    wide = x.astype("f8")
    share = 0.5 * special.erfc(-wide * np.sqrt(0.5))
    slope = share + wide * np.exp(-0.5 * wide**2) / np.sqrt(2 * np.pi)
    assert (np.abs(rows.gelu(x) - wide * share) <= 1.3e-7 * np.abs(wide)).all()
    assert np.abs(rows.gelu_slope(x) - slope).max() < 1.6e-7
    np.testing.assert_allclose(rows.gelu(x)[wide > -5], (wide * share)[wide > -5], rtol=2e-6)
    odd = np.array([INF, -INF, NAN, 0, 1e30], "f4")
    np.testing.assert_array_equal(rows.gelu(odd), [INF, NAN, NAN, 0, odd[-1]])
    np.testing.assert_array_equal(rows.gelu_slope(np.array([NAN, 0, 1e30, -1e30], "f4")), [NAN, 0.5, 1, 0])


def test_results_do_not_depend_on_threads(set_threads: Callable[[int], None]) -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2500, 130)).astype("f4")
    target, parameter = ad.tensor(rng.integers(0, 130, 2500)), rng.standard_normal(130).astype("f4")
    functions: list[tuple[Callable[..., Any], int]] = [
        (lambda x: x.softmax(-1), 0),
        (lambda x: x.log_softmax(-1), 0),
        (lambda x: x.logsumexp(-1), 0),
        (lambda x: ad.cross_entropy(x, target), 0),
        (lambda x, w, b: ad.layer_norm(x, (130,), w, b), 2),
    ]
    for function, parameters in functions:
        found = []
        for count in (1, 2, 5):
            set_threads(count)
            found.append(run(function, x, *[parameter] * parameters))
        for other in found[1:]:
            assert all((a == b).all() for a, b in zip(found[0], other, strict=True))
