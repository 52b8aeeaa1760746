"""Samples of `_ops/nn/grouped_mm.py`."""

from __future__ import annotations

from tests.support.cases import call, register

# PyTorch has no float64, and its gradients need dense ones; tests/oracle/nn compares values.
register(
    "grouped_mm",
    lambda t: [
        call(t(3, 2), t(2, 2, 3), offs=t.of([1, 3])),
        call(t(2, 3, 2), t(2, 5), offs=t.of([2, 4])),
        call(t(2, 5), t(5, 3), offs=t.of([2, 5])),
        call(t(2, 3, 2), t(2, 2, 4)),
    ],
    oracle=None,
    jit=False,
)
