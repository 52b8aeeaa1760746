"""Samples of `_ops/nn/convolution.py`."""

from __future__ import annotations

from tests.support.cases import call, register

register(
    "conv1d",
    lambda t: [
        call(t(2, 3, 7), t(4, 3, 3), t(4)),
        call(t(1, 2, 7), t(2, 2, 3), stride=2, padding=1),
        call(t(1, 2, 9), t(2, 2, 3), dilation=2, stride=3, padding=2),
        call(t(2, 4, 5), t(6, 2, 2), t(6), groups=2),
        call(t(1, 2, 6), t(2, 2, 3), padding="same"),
        call(t(1, 2, 6), t(2, 2, 3), padding="valid"),
        call(t(1, 2, 6), t.const(2, 2, 3)),
        call(t(2, 3, 6), t(3, 1, 3), t(3), groups=3, stride=2, padding=1),
        call(t(0, 2, 6), t(1, 2, 3)),
        call(t.const(1, 2, 6), t(2, 2, 3), t.const(2)),
    ],
    complex=True,
)
# The parts that PyTorch's result is a view of, or that it pads with another operator.
register("conv1d", lambda t: [call(t(2, 6), t(3, 2, 2), t(3)), call(t(1, 2, 6), t(2, 2, 4), padding="same")])
register(
    "conv2d",
    lambda t: [
        call(t(2, 2, 4, 5), t(3, 2, 2, 3), t(3)),
        call(t(1, 2, 5, 4), t(2, 2, 3, 2), stride=(2, 1), padding=(1, 0)),
        call(t(1, 1, 6, 5), t(1, 1, 2, 2), dilation=(2, 1), stride=2, padding=1),
        call(t(1, 4, 3, 3), t(4, 1, 2, 2), groups=4),
        call(t(1, 2, 3, 3), t(2, 2, 1, 1)),
        call(t(1, 1, 3, 4), t(1, 1, 3, 3), padding="same"),
    ],
)
register(
    "conv3d",
    lambda t: [
        call(t(1, 2, 3, 3, 2), t(2, 2, 2, 2, 1), t(2)),
        call(t(1, 1, 3, 3, 3), t(1, 1, 2, 2, 2), stride=2, padding=1),
    ],
)
register(
    "conv_transpose1d",
    lambda t: [
        call(t(2, 3, 4), t(3, 2, 3), t(2)),
        call(t(1, 2, 4), t(2, 2, 3), stride=2, padding=1, output_padding=1),
        call(t(1, 4, 3), t(4, 1, 2), groups=2, dilation=2),
        call(t(1, 2, 3), t(2, 1, 2), groups=2, dilation=3, output_padding=2),
        call(t(0, 2, 3), t(2, 1, 2)),
    ],
    complex=True,
)
register("conv_transpose1d", lambda t: [call(t(3, 4), t(3, 2, 3), t(2))])
register(
    "conv_transpose2d",
    lambda t: [
        call(t(1, 2, 3, 2), t(2, 2, 2, 2), t(2)),
        call(t(1, 2, 2, 3), t(2, 1, 3, 2), stride=(2, 1), padding=(1, 0), output_padding=(1, 0)),
    ],
)
register("conv_transpose3d", lambda t: [call(t(1, 2, 2, 2, 2), t(2, 1, 2, 2, 1), stride=2)])
register(
    "convolution",
    lambda t: [
        call(t(1, 2, 5), t(2, 2, 3), t(2), (2,), (1,), (1,), False, (0,), 1),
        call(t(1, 2, 3), t(2, 2, 3), None, (2,), (1,), (1,), True, (1,), 1),
    ],
)
