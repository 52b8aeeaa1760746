"""Samples of `_ops/shape/join_split.py`."""

from __future__ import annotations

from tests.support.cases import call, register

register(
    "split",
    lambda t: [call(t(5), 2), call(t(5, 2), [1, 4]), call(t(2, 4), 3, -1), call(t(0, 2), 2), call(t(3), [0, 3])],
    complex=True,
)
register("split_with_sizes", lambda t: [call(t(5, 2), [1, 4]), call(t(2, 3), [2, 1], 1)], complex=True)
register("chunk", lambda t: [call(t(5), 2), call(t(2, 4), 3, 1), call(t(0), 2)], complex=True)
register(
    "tensor_split",
    lambda t: [call(t(5), 2), call(t(5, 2), (1, 4)), call(t(2, 4), 3, dim=-1), call(t(3), (2, 1, 7))],
    complex=True,
)
register("hsplit", lambda t: [call(t(2, 4), 2), call(t(4), (1,))], complex=True)
register("vsplit", lambda t: [call(t(4, 2), 2)], complex=True)
register("dsplit", lambda t: [call(t(2, 2, 4), (1, 3))], complex=True)
register("unbind", lambda t: [call(t(3, 2)), call(t(3, 2), -1)], complex=True)
register(
    "cat",
    lambda t: [
        call([t(2, 3), t(1, 3)]),
        call([t(2, 3), t.const(2, 1), t(2, 2)], dim=-1),
        call([t(3)]),
        call([t(0), t(2, 2)]),
        call([t(0, 2), t(2, 2)]),
    ],
    complex=True,
)
register("concat", lambda t: [call([t(2), t(3)])], complex=True)
register("concatenate", lambda t: [call([t(2), t(3)])], complex=True)
register(
    "stack", lambda t: [call([t(2, 3), t(2, 3)]), call([t(3), t.const(3)], dim=-1), call([t(), t()])], complex=True
)
register("hstack", lambda t: [call([t(2, 3), t(2, 1)]), call([t(), t(2)])], complex=True)
register("vstack", lambda t: [call([t(2, 3), t(1, 3)]), call([t(3), t(3)]), call([t(), t()])], complex=True)
register("row_stack", lambda t: [call([t(3), t(3)])], complex=True)
register("dstack", lambda t: [call([t(2, 3), t(2, 3)]), call([t(3), t(3)])], complex=True)
register("column_stack", lambda t: [call([t(3), t(3, 2)]), call([t(), t()])], complex=True)
register("atleast_1d", lambda t: [call(t()), call(t(2)), call(t(), t(2))], complex=True)
register("atleast_2d", lambda t: [call(t()), call(t(2)), call((t(), t(2)))], complex=True)
register("atleast_3d", lambda t: [call(t()), call(t(2)), call(t(2, 3)), call(t(1, 2, 3))], complex=True)
register("block_diag", lambda t: [call(t(2, 3), t(1, 1)), call(t(3), t(), t(2, 1))], complex=True)
register(
    "meshgrid",
    lambda t: [call(t(2), t(3), indexing="ij"), call(t(2), t(3), t(4), indexing="xy"), call(t(), t(2), indexing="ij")],
    complex=True,
)
register("cartesian_prod", lambda t: [call(t(2), t(3)), call(t(2))], complex=True)
register(
    "combinations",
    lambda t: [call(t(4)), call(t(3), r=3), call(t(3), 2, True)],
    complex=True,
)
