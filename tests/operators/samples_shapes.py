"""Samples of views, of joining and splitting, and of copies with elements in other places."""

from __future__ import annotations

from tests.support.cases import call, register

# ---- other shapes ----------------------------------------------------------------------------------------------------

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
register("squeeze_", lambda t: [call(t(1, 3, 1)), call(t(1, 3, 1), 0)], complex=True)
register(
    "unsqueeze",
    lambda t: [call(t(3), 0), call(t(2, 3), -1), call(t(), -1), call(t(0), 1)],
    complex=True,
    in_place=False,
)
register("unsqueeze_", lambda t: [call(t(3), 0), call(t(2, 3), -1)], complex=True)
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

# ---- other orders ----------------------------------------------------------------------------------------------------

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
register("transpose_", lambda t: [call(t(2, 3, 4), 0, 2), call(t(2, 3), -1, 0)], complex=True)
register("swapdims", lambda t: [call(t(2, 3, 4), 0, 2)], complex=True, in_place=False)
register("swapdims_", lambda t: [call(t(2, 3, 4), 0, 2)], complex=True)
register("swapaxes", lambda t: [call(t(2, 3, 4), 0, -1)], complex=True, in_place=False)
register("swapaxes_", lambda t: [call(t(2, 3, 4), 0, -1)], complex=True)
register("t", lambda t: [call(t(2, 3)), call(t(3)), call(t())], complex=True, in_place=False)
register("t_", lambda t: [call(t(2, 3))], complex=True)
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

# ---- parts -----------------------------------------------------------------------------------------------------------

register("select", lambda t: [call(t(3, 4), 0, 1), call(t(3, 4), -1, -2), call(t(3), 0, 0)], complex=True)
register("narrow", lambda t: [call(t(3, 4), 1, 1, 2), call(t(3), 0, -2, 2), call(t(3), 0, 1, 0)], complex=True)
register(
    "diagonal",
    lambda t: [
        call(t(3, 4)),
        call(t(4, 3), 1),
        call(t(3, 4), -1),
        call(t(2, 3, 4), 1, -1, 0),
        call(t(3, 3), offset=5),
        call(t(0, 3)),
    ],
    complex=True,
)
register(
    "unfold",
    lambda t: [call(t(5), 0, 3, 1), call(t(2, 6), 1, 2, 2), call(t(5, 2), 0, 2, 3), call(t(4, 3), -2, 4, 1)],
    complex=True,
    oracle=lambda x, *args: x.unfold(*args),
)
register(  # only what every memory layout shows alike; the rest is in tests/_ops/index/test_index.py
    "as_strided",
    lambda t: [call(t(1), (2, 3), (0, 0)), call(t(), (), ()), call(t(1, 1), (1,), (1,), 0)],
    complex=True,
)

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

# ---- put together ----------------------------------------------------------------------------------------------------

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

# ---- other places ----------------------------------------------------------------------------------------------------

register("clone", lambda t: [call(t(2, 3)), call(t()), call(t(0))], complex=True)
register("contiguous", lambda t: [call(t(2, 3)), call(t())], complex=True)
register(
    "flip", lambda t: [call(t(2, 3), (0,)), call(t(2, 3), (0, -1)), call(t(3), (0,)), call(t(2, 2), ())], complex=True
)
register("fliplr", lambda t: [call(t(2, 3))], complex=True)
register("flipud", lambda t: [call(t(2, 3)), call(t(3))], complex=True)
register(
    "rot90",
    lambda t: [call(t(2, 3)), call(t(2, 3), 2), call(t(2, 3), 3), call(t(2, 3), -4), call(t(2, 3, 4), 1, (2, 0))],
    complex=True,
)
register(
    "roll",
    lambda t: [call(t(2, 3), 1), call(t(2, 3), -1, 1), call(t(2, 3), (1, 2), (0, 1)), call(t(2, 3), 4, -1)],
    complex=True,
)
register("repeat", lambda t: [call(t(2), (3,)), call(t(2, 3), (2, 1, 2)), call(t(), (2,))], complex=True)
register("repeat", lambda t: [call(t(2), (0, 2))], oracle=None)  # which has no second derivative of nothing
register("tile", lambda t: [call(t(2), (3,)), call(t(2, 3), (2,)), call(t(2), (2, 2))], complex=True)
register(
    "repeat_interleave",
    lambda t: [call(t(2, 3), 2), call(t(2, 3), 2, dim=1), call(t(3), 0)],
    complex=True,
)
register(
    "repeat_interleave",
    lambda t: [call(t(2, 3), t.of([1, 2], dtype="int64"), dim=0), call(t(3), t.of([0, 2, 1], dtype="int64"))],
    complex=True,
    jit=False,  # how many elements there will be is known from the values only
)
register("tril", lambda t: [call(t(3, 4)), call(t(2, 3, 3), 1), call(t(3, 3), diagonal=-1)], complex=True)
register("triu", lambda t: [call(t(3, 4)), call(t(2, 3, 3), 1), call(t(3, 3), diagonal=-1)], complex=True)
register("tril_indices", lambda t: [call(3, 4), call(3, 3, -1)], differentiable=False)
register("triu_indices", lambda t: [call(3, 4), call(3, 3, 1)], differentiable=False)
register("diag", lambda t: [call(t(3)), call(t(3), 1), call(t(3, 4)), call(t(3, 3), -1)], complex=True)
register("diagflat", lambda t: [call(t(3)), call(t(2, 2), 1)], complex=True)
register(
    "diag_embed",
    lambda t: [call(t(3)), call(t(2, 3), 1), call(t(2, 3), -1, 0, 2), call(t(2, 3), 0, -1, 0)],
    complex=True,
)
register("trace", lambda t: [call(t(3, 3)), call(t(2, 4))], complex=True)
register("kron", lambda t: [call(t(2, 3), t(3, 2)), call(t(2), t(2, 2)), call(t(), t(2))], complex=True)
register(
    "pad",
    lambda t: [
        call(t(3), (1, 2)),
        call(t(2, 3), (1, 0, 2, 1), value=1.5),
        call(t(2, 4), (-1, 1)),
        call(t(2, 3), (0, 0)),
        call(t(1, 2, 4), (2, 1), mode="reflect"),
        call(t(1, 2, 4), (2, 5), mode="replicate"),
        call(t(1, 1, 3, 4), (2, 1, 1, 2), mode="reflect"),
    ],
    complex=True,
    oracle="nn.functional.pad",
)
register(
    "pad",
    lambda t: [call(t(1, 2, 4), (3, 1), mode="circular"), call(t(1, 1, 3, 4), (2, 1, 1, 2), mode="circular")],
    complex=True,
    oracle="nn.functional.pad",
)
register("constant_pad_nd", lambda t: [call(t(3), (1, 2)), call(t(2, 3), (1, -1), 2.0)], complex=True)
register("one_hot", lambda t: [call(t.index((2, 3), 4), 5)], oracle="nn.functional.one_hot", differentiable=False)
register("detach", lambda t: [call(t.const(3))], differentiable=False)
