"""Samples of `_ops/elementwise/special.py`."""

from __future__ import annotations

from typing import Any

from tests.support.cases import call, register
from tests.support.sampling import SCIPY, binary, binary_samples, constant, positive, unary

unary("i0 special_i0e special_i1 special_i1e", lambda t, *shape: t(*shape, low=-4, high=4))
# At zero the formulas take another branch; the scaled ones have kinks in their second derivatives there.
register("i0", lambda t: [call(t.of([0.0, 1e-3, -1e-3, 20.0]))])
register("special_i1", lambda t: [call(t.of([0.0, 1e-3, -1e-3, 0.999, 1.001]))])
register("special_i0e", lambda t: [call(t.of([40.0, -40.0, 0.01]))])
register("special_i1e", lambda t: [call(t.of([40.0, -40.0, 0.01, 0.999]))])
_BOTH_SIDES = "special_bessel_j0 special_bessel_j1"
# PyTorch's have no derivatives, and for larger arguments less than double precision; values are compared on constants.
for _name in _BOTH_SIDES.split():
    register(
        _name,
        lambda t: [call(t(3, 4, low=-6, high=6)), call(t()), call(t(0, 3)), call(t.of([0.0, 1e-3, 0.999, 1.001]))],
        oracle=None,
    )
    register(_name, lambda t: [call(t.const(3, 4, low=-4, high=4))])
_POSITIVE = """
special_bessel_y0 special_bessel_y1 special_modified_bessel_k0 special_modified_bessel_k1
special_scaled_modified_bessel_k0 special_scaled_modified_bessel_k1
"""
for _name in _POSITIVE.split():
    register(
        _name, lambda t: [call(t.positive(3, 4)), call(t.positive()), call(t(0, 3))], oracle=None, jax=False, jit=False
    )
    register(_name, lambda t: [call(t.const(3, 4, low=0.1, high=4))])
unary("special_spherical_bessel_j0", oracle=None)
register("special_spherical_bessel_j0", lambda t: [call(t.const(3, 4))])
unary("special_ndtr special_log_ndtr special_erfcx")
register("special_log_ndtr", lambda t: [call(t.of([-20.0, -3.0, 0.01, 4.0]))])
unary("special_ndtri", lambda t, *shape: t.positive(*shape, low=0.1, high=0.9))
unary("special_entr", positive)


def xlog1py_samples(t: Any) -> list[Any]:
    return binary_samples(t, lambda t, *shape: t.positive(*shape, low=-0.5, high=2.5))


register("special_xlog1py", xlog1py_samples)
register("special_xlog1py", lambda t: [call(t(3), 1.5), call(2.5, t.positive(3))])
for _name in ("igamma", "igammac"):
    register(
        _name,
        lambda t: [
            call(constant(t.positive(3, 4)), t.positive(3, 4)),
            call(constant(t.positive(3, 1)), t.positive(4)),
            call(constant(t.positive()), t.positive(0, 3)),
        ],
        in_place=False,  # of the constant, which the gradient would have to pass
    )
register(
    "special_zeta",
    lambda t: [
        call(constant(t.positive(3, 4, low=1.5, high=4)), t.positive(3, 4)),
        call(constant(t.positive(3, 1, low=1.5, high=4)), t.positive(4)),
    ],
)
register("special_zeta", lambda t: [call(2.5, t.positive(3))])
# PyTorch's have no derivatives by the first argument.
register("special_zeta", lambda t: [call(t.positive(3, low=1.5, high=5), t.positive(3))], **SCIPY)
for _name in ("igamma", "igammac"):
    register(
        _name,
        lambda t: [
            call(t.positive(3), t.positive(3)),
            call(t.positive(3, 1), t.positive(4)),
            call(t.of([20.0]), t.positive(2, low=1, high=9)),
        ],
        **SCIPY,
    )
register(
    "mvlgamma",
    lambda t: [
        call(t.positive(3, 4, low=2.1, high=5), 3),
        call(t.positive(low=2.1, high=5), p=2),
        call(t.positive(0, 3), 1),
    ],
)
unary("erf erfc")
for _name in ("erf", "erfc", "special_erfcx"):  # of complex numbers in SciPy only
    register(_name, lambda t: [call(t(3)), call(t(low=-1, high=1))], complex="only", **SCIPY)
unary("erfinv", lambda t, *shape: t.unit(*shape))
unary("lgamma digamma", positive)
unary("lgamma digamma", lambda t, *shape: t(*shape, low=-1.7, high=-1.3))
register(
    "polygamma",
    lambda t: [call(1, t.positive(3, 4)), call(2, t.positive(3)), call(0, t.positive()), call(3, t.positive(0, 2))],
    in_place=False,  # there is one, whose first argument is the tensor
)
binary("xlogy", positive)
register("xlogy", lambda t: [call(t(3), 0.5), call(0.5, t.positive(3)), call(t.positive(2, 3), t.positive())])
# PyTorch and JAX have no digamma function of complex numbers.
register("digamma", lambda t: [call(t.complex(3)), call(t.of([-2.5 + 0.3j, 4 - 30j, 0.5 + 0j]))], **SCIPY)
register("polygamma", lambda t: [call(1, t.complex(3)), call(3, t.of([-2.5 + 0.3j, 4 - 3j]))], in_place=False, **SCIPY)
