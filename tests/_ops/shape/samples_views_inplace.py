"""Samples of `_ops/shape/views_inplace.py`."""

from __future__ import annotations

from tests.support.cases import call, register

register("squeeze_", lambda t: [call(t(1, 3, 1)), call(t(1, 3, 1), 0)], complex=True)
register("unsqueeze_", lambda t: [call(t(3), 0), call(t(2, 3), -1)], complex=True)
register("transpose_", lambda t: [call(t(2, 3, 4), 0, 2), call(t(2, 3), -1, 0)], complex=True)
register("swapdims_", lambda t: [call(t(2, 3, 4), 0, 2)], complex=True)
register("swapaxes_", lambda t: [call(t(2, 3, 4), 0, -1)], complex=True)
register("t_", lambda t: [call(t(2, 3))], complex=True)
