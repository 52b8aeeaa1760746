"""Samples of `_ops/nn/loss/ctc_loss.py`."""

from __future__ import annotations

from typing import Any

from tests.support.cases import call, register_functional


def logs(t: Any, *shape: int) -> Any:
    return t.real(*shape, low=-3, high=-0.2)


# PyTorch's gradient is another one, which counts on what went into log_softmax: see oracle/_ops/test_nn_losses.py.
register_functional(
    "ctc_loss",
    lambda t: [
        call(logs(t, 3, 2, 3), t.of([[1, 2], [2, 2]]), t.of([3, 3]), t.of([2, 2])),
        call(logs(t, 3, 1, 3), t.of([[1, 0]]), (2,), (1,), 2, "none"),
        call(logs(t, 2, 2, 3), t.of([[1, 1], [1, 2]]), (2, 2), (2, 2), zero_infinity=True),
        call(logs(t, 3, 3), t.of([1, 2]), 3, 2),
    ],
    oracle=None,
)
register_functional(
    "ctc_loss", lambda t: [call(logs(t, 1, 1, 2), t.of([1]), t.of([1]), t.of([1]))], oracle=None, jit=False
)
