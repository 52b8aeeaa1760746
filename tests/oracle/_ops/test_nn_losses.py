"""Losses over sequences against PyTorch's, whose gradient is one of what went into `log_softmax`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle


def seen(library: Any, function: Any, scores: np.ndarray, targets: Any, *rest: Any, **options: Any) -> list[np.ndarray]:
    """The loss, and the gradient of its sum by scores that are not normalized."""
    leaf = library.tensor(scores, requires_grad=True)
    loss = function(leaf.log_softmax(-1), library.tensor(targets), *rest, **options)
    loss.sum().backward()
    return [loss.detach().numpy(), leaf.grad.numpy()]


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("seed", range(20))
def test_ctc_loss(seed: int, reduction: str) -> None:
    rng = np.random.default_rng(seed)
    steps, batch, classes, longest = (int(n) for n in rng.integers([1, 1, 2, 0], [7, 4, 5, 4]))
    blank = int(rng.integers(classes))
    targets = rng.choice([c for c in range(classes) if c != blank], (batch, longest))
    lengths = [rng.integers(low, high + 1, batch).tolist() for low, high in ((seed % 4 > 0, steps), (0, longest))]
    if seed % 2:
        targets = np.concatenate([row[:n] for row, n in zip(targets, lengths[1])])
    arguments = (rng.normal(size=(steps, batch, classes)), targets, *lengths, blank, reduction, True)
    found = seen(ad, ad.ctc_loss, *arguments)
    wanted = seen(torch, torch.nn.functional.ctc_loss, *arguments)
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


def test_ctc_loss_of_labels_that_do_not_fit() -> None:
    arguments = (np.zeros((2, 2, 3)), [[1, 1], [1, 2]], (2, 2), (2, 2), 0, "none")
    found, wanted = seen(ad, ad.ctc_loss, *arguments), seen(torch, torch.nn.functional.ctc_loss, *arguments)
    np.testing.assert_allclose(found[0], wanted[0])
    assert not np.isfinite(found[1][:, 0]).any() and not np.isfinite(wanted[1][:, 0]).any()
    np.testing.assert_allclose(found[1][:, 1], wanted[1][:, 1], rtol=1e-12)


@pytest.mark.parametrize(
    ("targets", "lengths"),
    [
        ([[1, 2]] * 2, ((3, 4), (2, 2))),
        ([[1, 2]] * 2, ((3, -1), (2, 2))),
        ([[1, 2]] * 2, ((3, 3), (2, 3))),
        ([[1, 2]] * 2, ((3,), (2, 2))),
    ],
)
def test_ctc_loss_refuses(targets: Any, lengths: Any) -> None:
    for library, function in ((ad, ad.ctc_loss), (torch, torch.nn.functional.ctc_loss)):
        with pytest.raises(RuntimeError):
            function(library.zeros(3, 2, 3), library.tensor(targets), *lengths)


@pytest.mark.parametrize(
    ("name", "arguments", "error"),
    [
        ("multi_margin_loss", ([[1.0, 2.0]], [2]), RuntimeError),
        ("multi_margin_loss", ([[1.0, 2.0]], [0, 1]), RuntimeError),
        ("multi_margin_loss", ([[1.0, 2.0]], [0], 3), ValueError),
        ("multilabel_margin_loss", ([[1.0, 2.0]], [[0, 2]]), RuntimeError),
        ("multilabel_margin_loss", ([[1.0, 2.0]], [0, 1]), RuntimeError),
        ("embedding_bag", ([0, 1], [[1.0], [2.0]]), ValueError),
        ("embedding_bag", ([[0, 1]], [[1.0], [2.0]], [0]), ValueError),
        ("embedding_bag", ([0, 1], [[1.0], [2.0]], [1]), RuntimeError),
    ],
)
def test_refused(name: str, arguments: Any, error: type[Exception]) -> None:
    for library, home in ((ad, ad), (torch, torch.nn.functional)):
        with pytest.raises(error):
            getattr(home, name)(*(library.tensor(x) if isinstance(x, list) else x for x in arguments))
