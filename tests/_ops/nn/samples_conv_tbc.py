"""Samples of `_ops/nn/conv_tbc.py`."""

from __future__ import annotations

from tests.support.cases import call, register_functional

register_functional(
    "conv_tbc", lambda t: [call(t(5, 2, 3), t(2, 3, 2), t(2)), call(t(3, 2, 1), t(3, 1, 2), t(2), 1)], second=False
)
