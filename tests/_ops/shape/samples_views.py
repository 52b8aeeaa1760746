"""Samples of `_ops/shape/views.py`."""

from __future__ import annotations

from tests.support.cases import call, register

register(
    "reshape",
    lambda t: [
        call(t(2, 6), (3, 4)),
        call(t(2, 3, 2), (-1,)),
        call(t(), (1, 1)),
        call(t(1), ()),
        call(t(0, 3), (3, 0)),
        call(t(4), [2, -1]),
    ],
    complex=True,
)
register(  # every memory layout can be shown with these shapes; what cannot is in tests/_ops/index/test_index.py
    "view",
    lambda t: [call(t(4, 3), (2, 2, 3)), call(t(6), (2, -1)), call(t(), (1, 1)), call(t(0, 3), (3, 0)), call(t(3), -1)],
    complex=True,
)
register("view_as", lambda t: [call(t(6), t.const(3, 2)), call(t(), t.const(1))], complex=True)
register("reshape_as", lambda t: [call(t(2, 6), t.const(3, 4)), call(t(), t.const(1))], complex=True)
register("ravel", lambda t: [call(t(2, 3)), call(t()), call(t(0, 2))], complex=True)
register(
    "flatten",
    lambda t: [call(t(2, 3, 2)), call(t(2, 3, 2), 1), call(t(2, 3, 2), 0, -2), call(t()), call(t(3), 0, 0)],
    complex=True,
)
register("unflatten", lambda t: [call(t(2, 6), 1, (2, -1)), call(t(6, 2), -2, (3, 2))], complex=True)
register(
    "squeeze",
    lambda t: [call(t(1, 3, 1)), call(t(1, 3, 1), 0), call(t(1, 3, 1), (0, -1)), call(t(), 0), call(t(2, 1), dim=-2)],
    complex=True,
    in_place=False,  # compared below, where the result has another shape
)
register(
    "unsqueeze",
    lambda t: [call(t(3), 0), call(t(2, 3), -1), call(t(), -1), call(t(0), 1)],
    complex=True,
    in_place=False,
)
register(
    "expand",
    lambda t: [
        call(t(3, 1), (3, 4)),
        call(t(3, 1), (2, -1, 4)),
        call(t(), (2, 2)),
        call(t(1, 2), (0, 2)),
        call(t(3), (3,)),
    ],
    complex=True,
)
register("expand_as", lambda t: [call(t(3, 1), t.const(3, 4)), call(t(), t.const(2))], complex=True)
register("broadcast_to", lambda t: [call(t(3, 1), (2, 3, 4)), call(t(), (2,))], complex=True)
register("broadcast_tensors", lambda t: [call(t(3, 1), t(2)), call(t(), t(2, 2), t(1, 2))], complex=True)
register(
    "permute",
    lambda t: [call(t(2, 3, 4), (2, 0, 1)), call(t(2, 3), (-1, 0)), call(t(), ()), call(t(0, 2), (1, 0))],
    complex=True,
)
register(
    "transpose",
    lambda t: [call(t(2, 3, 4), 0, 2), call(t(2, 3), -1, 0), call(t(), 0, -1), call(t(3), 0, 0)],
    complex=True,
    in_place=False,  # compared below
)
register("swapdims", lambda t: [call(t(2, 3, 4), 0, 2)], complex=True, in_place=False)
register("swapaxes", lambda t: [call(t(2, 3, 4), 0, -1)], complex=True, in_place=False)
register("t", lambda t: [call(t(2, 3)), call(t(3)), call(t())], complex=True, in_place=False)
register(
    "movedim",
    lambda t: [call(t(2, 3, 4), 0, -1), call(t(2, 3, 4), (0, 2), (1, 0)), call(t(2, 3), 1, 0)],
    complex=True,
)
register("moveaxis", lambda t: [call(t(2, 3, 4), 0, -1)], complex=True)
register("adjoint", lambda t: [call(t(2, 3)), call(t(2, 3, 4))], complex=True)
register("T", lambda t: [call(t(2, 3)), call(t(1, 3))], complex=True)
register("mT", lambda t: [call(t(2, 3)), call(t(2, 3, 4))], complex=True)
register("H", lambda t: [call(t(2, 3))], complex=True)
register("mH", lambda t: [call(t(2, 3)), call(t(2, 3, 4))], complex=True)
