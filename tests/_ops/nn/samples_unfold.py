"""Samples of `_ops/nn/unfold.py`."""

from __future__ import annotations

from tests.support.cases import call, register

_images = lambda t: [
    call(t(2, 2, 4, 3), 2),
    call(t(1, 2, 5, 5), (2, 3), dilation=(2, 1), padding=(1, 0), stride=(1, 2)),
    call(t(2, 3, 3), 2),
]
register("im2col", _images, complex=True, oracle="nn.functional.unfold")
_columns = lambda t: [
    call(t(2, 8, 6), (4, 3), 2),
    call(t(1, 12, 10), (5, 5), (2, 3), dilation=(2, 1), padding=(1, 0), stride=(1, 2)),
    call(t(8, 4), (3, 3), 2),
]
register("col2im", _columns, complex=True, oracle="nn.functional.fold")
register("fold", _columns, complex=True)
