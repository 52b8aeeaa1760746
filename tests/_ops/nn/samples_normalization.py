"""Samples of `_ops/nn/normalization.py`."""

from __future__ import annotations

from tests.support.cases import call, register_functional

register_functional(
    "layer_norm",
    lambda t: [
        call(t(3, 4), (4,), t(4), t(4)),
        call(t(3, 4), (4,)),
        call(t(2, 3, 4), (3, 4), t(3, 4), t(3, 4), 1e-3),
        call(t(2, 3, 4), [4], weight=t(4)),
        call(t.const(3, 4), (4,), t(4), t(4)),
    ],
)
register_functional(
    "rms_norm",
    lambda t: [
        call(t(3, 4), (4,), t(4)),
        call(t(3, 4), (4,)),
        call(t(2, 3, 4), (3, 4), t(3, 4), 1e-3),
    ],
)
register_functional(
    "group_norm",
    lambda t: [
        call(t(3, 8), 2, t(8), t(8)),  # of two elements in a group nothing but rounding errors would be left
        call(t(2, 6, 3), 3),
        call(t(2, 4, 2, 3), 2, t(4), t(4), 1e-3),
        call(t(2, 4, 3), 1, weight=t(4)),
    ],
)
register_functional(
    "batch_norm",
    lambda t: [
        call(t(5, 3), None, None, t(3), t(3), True),
        call(t(2, 3, 4), None, None, training=True),
        call(t(2, 3, 2, 2), None, None, t(3), t(3), True, 0.1, 1e-3),
        call(t(4, 3), t.of([0.1, 0.2, 0.3], False), t.of([1.1, 0.7, 1.5], False), t(3), t(3)),
        call(t(2, 3, 4), t.of([0.1, 0.2, 0.3], False), t.of([1.1, 0.7, 1.5], False)),
        call(t(2, 3, 4), None, None, t(3), training=True),
    ],
)
register_functional(
    "instance_norm",
    lambda t: [
        call(t(2, 3, 4)),
        call(t(2, 3, 2, 2), weight=t(3), bias=t(3), eps=1e-3),
        call(
            t(2, 3, 4),
            t.of([0.1, 0.2, 0.3], False),
            t.of([1.1, 0.7, 1.5], False),
            t(3),
            t(3),
            use_input_stats=False,
        ),
    ],
)
# Without a weight but with a bias: PyTorch fails to differentiate these twice.
register_functional("layer_norm", lambda t: [call(t(2, 3, 4), [4], bias=t(4))], oracle=None)
register_functional("group_norm", lambda t: [call(t(2, 4, 3), 4, bias=t(4))], oracle=None)
register_functional("batch_norm", lambda t: [call(t(2, 3, 4), None, None, bias=t(3), training=True)], oracle=None)
# PyTorch has complex numbers for this one only.
register_functional("rms_norm", lambda t: [call(t(3, 4), (4,), t(4)), call(t(3, 4), (4,))], complex="only")
register_functional("layer_norm", lambda t: [call(t(3, 4), (4,), t(4), t(4))], complex="only", oracle=None)
register_functional("group_norm", lambda t: [call(t(2, 6, 3), 2, t(6), t(6))], complex="only", oracle=None)
register_functional("batch_norm", lambda t: [call(t(5, 3), None, None, t(3), t(3), True)], complex="only", oracle=None)
