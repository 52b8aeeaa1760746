"""Samples of products, contractions, Fourier transforms and convolutions."""

from __future__ import annotations

from tests.support.cases import call, register

# ---- products by rank ------------------------------------------------------------------------------------------------

register(
    "mm",
    lambda t: [
        call(t(2, 3), t(3, 4)),
        call(t(2, 3), t.const(3, 2)),
        call(t.const(2, 3), t(3, 2)),
        call(t(2, 0), t(0, 3)),
    ],
    complex=True,
)
register("mv", lambda t: [call(t(2, 3), t(3)), call(t(0, 3), t(3)), call(t.const(2, 3), t(3))], complex=True)
register("dot", lambda t: [call(t(3), t(3)), call(t(0), t(0)), call(t(3), t.const(3))], complex=True)
register("vdot", lambda t: [call(t(3), t(3)), call(t.const(3), t(3))], complex=True)
register("bmm", lambda t: [call(t(2, 3, 2), t(2, 2, 4)), call(t(0, 3, 2), t(0, 2, 4))], complex=True)
register(
    "matmul",
    lambda t: [call(t(2, 3), t(3, 2)), call(t(3), t(3)), call(t(2, 3), t(3))],
    complex=True,
)
# The ranks for which PyTorch's result is a view of another product's.
register(
    "matmul",
    lambda t: [
        call(t(2, 3, 4), t(4, 2)),
        call(t(3), t(3, 2)),
        call(t(3), t(2, 3, 2)),
        call(t(2, 2, 3), t(3)),
        call(t(2, 1, 2, 3), t(3, 3, 2)),
        call(t(2, 3), t(2, 3, 2)),
        call(t(2, 2, 3), t(2, 3, 2)),
        call(t(3, 2, 2), t(1, 2, 2)),
        call(t(0, 2, 3), t(3, 2)),
        call(t(2, 3, 2, 2), t(3, 2, 2)),
        call(t(2, 2, 3), t.const(3, 2)),
    ],
    complex=True,
)

_scaled = {"beta": 0.7, "alpha": -1.3}

register(
    "addmm",
    lambda t: [
        call(t(2, 4), t(2, 3), t(3, 4)),
        call(t(4), t(2, 3), t(3, 4), **_scaled),
        call(t(2, 1), t.const(2, 3), t(3, 4), beta=2),
        call(t(2, 4), t(2, 3), t(3, 4), beta=0),
    ],
    complex=True,
)
register("addmv", lambda t: [call(t(2), t(2, 3), t(3)), call(t(1), t(2, 3), t(3), **_scaled)], complex=True)
register("addr", lambda t: [call(t(2, 3), t(2), t(3)), call(t(3), t(2), t(3), **_scaled)], complex=True)
register(
    "addbmm",
    lambda t: [call(t(2, 2), t(3, 2, 4), t(3, 4, 2)), call(t(2), t(3, 2, 4), t(3, 4, 2), **_scaled)],
    complex=True,
)
register(
    "baddbmm",
    lambda t: [call(t(3, 2, 2), t(3, 2, 4), t(3, 4, 2)), call(t(1, 2), t(3, 2, 4), t(3, 4, 2), **_scaled)],
    complex=True,
)
register("outer", lambda t: [call(t(3), t(2)), call(t(0), t(2)), call(t.const(3), t(2))], complex=True)
register("ger", lambda t: [call(t(3), t(2))], complex=True)
register(
    "inner", lambda t: [call(t(2, 3), t(4, 3)), call(t(3), t(3)), call(t(), t(3)), call(t(3), t(2, 3))], complex=True
)

# ---- contractions ----------------------------------------------------------------------------------------------------

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
_powers = lambda t: [
    call(t.invertible(3), 2),
    call(t.invertible(2, 3), 3),
    call(t.invertible(3), 1),
    call(t.invertible(3), -2),
    call(t.invertible(3), 7),
]
register("matrix_power", _powers, complex=True)
register("linalg_matrix_power", _powers, complex=True)
register("matrix_power", lambda t: [call(t.const(2, 3, 3), 0)], differentiable=False)
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

# ---- Fourier transforms ----------------------------------------------------------------------------------------------

_lines = lambda t: [
    call(t(4)),
    call(t(5)),
    call(t(3, 4), dim=0),
    call(t(3, 4), n=6),
    call(t(3, 4), n=3, dim=-2, norm="ortho"),
    call(t(2, 5), n=2, norm="forward"),
]
_half_lines = lambda t: [*_lines(t), call(t(3, 4), n=5), call(t(3, 1), n=1)]
_planes = lambda t: [
    call(t(3, 4)),
    call(t(2, 3, 4), norm="ortho"),
    call(t(3, 4), s=(2, 5)),
    call(t(2, 3, 4), s=(4, 3), dim=(0, 2), norm="forward"),
]
_spaces = lambda t: [
    *_planes(t),
    call(t(2, 3, 4), dim=(1,)),
    call(t(2, 3, 4), s=(3,)),
    call(t(2, 3, 2), s=(-1, 3), dim=(2, 1)),
]
_real = lambda samples: lambda t: [call(*(t.real(*x.shape) for x in s.args), **s.kwargs) for s in samples(t)]

for _name in ("fft", "ifft"):
    register(f"fft_{_name}", _lines, complex=True)
    register(f"fft_{_name}2", _planes, complex=True)
    register(f"fft_{_name}n", _spaces, complex=True)
for _name in ("rfft", "ihfft"):
    register(f"fft_{_name}", _half_lines)
    register(f"fft_{_name}2", _planes)
    register(f"fft_{_name}n", _spaces)
for _name in ("irfft", "hfft"):
    register(f"fft_{_name}", _half_lines, complex=True)
    register(f"fft_{_name}2", _planes, complex=True)
    register(f"fft_{_name}n", _spaces, complex=True)
for _name in ("fftshift", "ifftshift"):
    register(
        f"fft_{_name}",
        lambda t: [call(t(5)), call(t(2, 3)), call(t(4, 3), dim=0), call(t(4, 3), dim=(0, 1))],
        complex=True,
    )
# They make a tensor and are given none.
for _name in ("fftfreq", "rfftfreq"):
    register(
        f"fft_{_name}",
        lambda t: [call(4), call(5, 0.5), call(1)],
        differentiable=False,
        strict=False,
        jax=False,
        jit=False,
    )

# ---- convolutions ----------------------------------------------------------------------------------------------------

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
_images = lambda t: [
    call(t(2, 2, 4, 3), 2),
    call(t(1, 2, 5, 5), (2, 3), dilation=(2, 1), padding=(1, 0), stride=(1, 2)),
    call(t(2, 3, 3), 2),
]
_columns = lambda t: [
    call(t(2, 8, 6), (4, 3), 2),
    call(t(1, 12, 10), (5, 5), (2, 3), dilation=(2, 1), padding=(1, 0), stride=(1, 2)),
    call(t(8, 4), (3, 3), 2),
]
register("im2col", _images, complex=True, oracle="nn.functional.unfold")
register("col2im", _columns, complex=True, oracle="nn.functional.fold")
register("fold", _columns, complex=True)
