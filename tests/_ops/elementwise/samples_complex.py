"""Samples of `_ops/elementwise/complex.py`."""

from __future__ import annotations

from tests.support.cases import call, register
from tests.support.sampling import positive, unary

unary("angle", second=False)  # zero for real numbers
unary("angle", positive, complex="only")
unary("real imag", complex="only")
unary("view_as_real", complex="only", oracle=None)
register("view_as_real", lambda t: [call(t(3, 4)), call(t())], complex="only")
unary("real conj conj_physical", complex=True)
register("view_as_complex", lambda t: [call(t.real(3, 4, 2)), call(t.real(2)), call(t.real(5, 2))])
register("view_as_complex", lambda t: [call(t.real(2, 2)), call(t.real(0, 2))], oracle=None)  # nothing is no view there
for _name in ("complex", "polar"):
    register(
        _name,
        lambda t: [
            call(t.real(3, 4, low=0.5), t.real(3, 4)),
            call(t.real(3, 1, low=0.5), t.real(4)),
            call(t.real(low=0.5), t.real()),
            call(t.real(3, low=0.5), t.const(3)),
            call(t.real(0, 2, low=0.5), t.real(2)),
        ],
    )
unary("resolve_conj", complex=True)
unary("resolve_neg", complex=True)
