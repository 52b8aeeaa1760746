"""Samples of `_ops/linalg/einsum.py`."""

from __future__ import annotations

from tests.support.cases import call, register

register("outer", lambda t: [call(t(3), t(2)), call(t(0), t(2)), call(t.const(3), t(2))], complex=True)
register("ger", lambda t: [call(t(3), t(2))], complex=True)
register(
    "inner", lambda t: [call(t(2, 3), t(4, 3)), call(t(3), t(3)), call(t(), t(3)), call(t(3), t(2, 3))], complex=True
)
register(
    "einsum",
    lambda t: [
        call("ij,jk->ik", t(2, 3), t(3, 4)),
        call("ij,kj", t(2, 3), t(4, 3)),
        call("ii", t(3, 3)),
        call("ii->i", t(3, 3)),
        call("iji->j", t(2, 3, 2)),
        call("ij->", t(2, 3)),
        call("ij->ji", t(2, 3)),
        call("i,j->ij", t(2), t(3)),
        call("...ij,...jk->...ik", t(2, 1, 2, 3), t(4, 3, 2)),
        call("b...,b...->...", t(2, 3), t(2, 3)),
        call("ij,jk,kl->il", t(2, 3), t(3, 2), t(2, 4)),
        call("ijk,ilm,njm,nlk,abc->", t(2, 2, 3), t(2, 3, 2), t(1, 2, 2), t(1, 3, 3), t(2, 1, 2)),
        call("ii,ij,jj->i", t(2, 2), t(2, 3), t(3, 3)),
        call("ij,ij->i", t(2, 3), t.const(2, 3)),
        call("i,i->", t(3), t(3)),
        call("ij,j->i", t(2, 0), t(0)),
        call("a b , b c -> a c", t(2, 3), t(3, 2)),
        call(t(2, 3), [0, 1], t(3, 2), [1, 2], [0, 2]),
        call(t(2, 3), [0, 1], t(3, 2), [1, 0]),
        call(t(2, 3, 2), [..., 0, 1], t(2, 3), [1, 0], [...]),
        call("ij,jk->ik", [t(2, 3), t(3, 4)]),
    ],
    complex=True,
)
# A dimension of length one broadcasts, as in PyTorch; the rule has to sum it again, or to repeat it.
register("einsum", lambda t: [call("ij,jk->ik", t(2, 3), t(1, 4)), call("ij,ij->j", t(1, 3), t(2, 3))], complex=True)
register(
    "tensordot",
    lambda t: [
        call(t(2, 3), t(3, 4), dims=1),
        call(t(2, 3, 4), t(3, 4, 2)),
        call(t(2, 3, 4), t(4, 2, 3), dims=([0, 1], [1, 2])),
        call(t(2), t(3), dims=0),
        call(t(2, 3), t(2, 3), dims=([-1, -2], [-1, -2])),
    ],
    complex=True,
)
register(
    "linalg_vecdot",
    lambda t: [call(t(2, 3), t(2, 3)), call(t(3, 2), t(3, 1), dim=0), call(t(2, 3), t(3))],
    complex=True,
)
register(
    "bilinear",
    lambda t: [
        call(t(4, 2), t(4, 3), t(5, 2, 3), t(5)),
        call(t(2, 3, 2), t(2, 3, 3), t(1, 2, 3)),
        call(t(2), t(3), t(4, 2, 3)),
    ],
    oracle="nn.functional.bilinear",
)
register(
    "linalg_multi_dot",
    lambda t: [
        call([t(2, 3), t(3, 4), t(4, 2)]),
        call([t(3), t(3, 4), t(4)]),
        call([t(2, 3), t(3, 4)]),
        call([t(2, 5), t(5, 1), t(1, 4), t(4)]),
    ],
    complex=True,
)
register("chain_matmul", lambda t: [call(t(2, 3), t(3, 4), t(4, 2)), call(t(2, 3), t(3, 2))], complex=True)
register(
    "cross",
    lambda t: [call(t(3), t(3), dim=0), call(t(2, 3), t(2, 3), dim=1), call(t(3, 2), t(3, 2), dim=0)],
    complex=True,
)
register(
    "linalg_cross",
    lambda t: [call(t(2, 3), t(1, 3)), call(t(3, 2), t(3, 2), dim=0), call(t(3), t.const(3))],
    complex=True,
)
