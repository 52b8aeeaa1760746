"""Samples of `_ops/nn/dropout.py`."""

from __future__ import annotations

from tests.support.cases import call, register, register_functional

for _name in ("dropout_", "feature_dropout", "feature_dropout_"):
    register(_name, lambda t: [call(t(5, 4, 2), 0.3, True), call(t(5, 4), 1.0, True)], oracle=None, in_place=False)
    register(_name, lambda t: [call(t(5, 4, 2), 0.3, False), call(t(5, 4), 0.0, True)], in_place=False)
for _name in ("alpha_dropout", "alpha_dropout_", "feature_alpha_dropout", "feature_alpha_dropout_"):
    register(_name, lambda t: [call(t(5, 4, 2), 0.3, True)], oracle=None, in_place=False)
    register(_name, lambda t: [call(t(5, 4, 2), 0.3, False)], in_place=False)
register("dropout1d", lambda t: [call(t(5, 4, 2), 0.3), call(t(4, 3), 0.5)], oracle=None, in_place=False)
register("dropout2d", lambda t: [call(t(5, 4, 2, 1), 0.3)], oracle=None, in_place=False)
register("dropout3d", lambda t: [call(t(5, 4, 2, 1, 1), 0.3), call(t(4, 3, 1, 1), 0.5)], oracle=None, in_place=False)
for _name in ("dropout1d", "dropout3d"):
    register(_name, lambda t, n=int(_name[7]): [call(t(4, *(2,) * n), 0.5, False)], in_place=False)
register("gumbel_softmax", lambda t: [call(t(3, 4)), call(t(3, 4), 0.5, dim=0)], oracle=None, in_place=False)
# PyTorch draws other numbers.
register_functional(
    "dropout", lambda t: [call(t(5, 4), 0.3), call(t(5, 4), p=1.0)], complex=True, oracle=None, in_place=False
)
register_functional(
    "dropout", lambda t: [call(t(3, 4), 0.0), call(t(3, 4), 0.4, False), call(t(3, 4), 1.0)], in_place=False
)
