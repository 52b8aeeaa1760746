"""Samples of `_ops/elementwise/exponential.py`."""

from __future__ import annotations

from tests.support.cases import call, register
from tests.support.sampling import SCIPY, binary, unary

_both = lambda t, *shape: t.positive(*shape)
unary("special_exprel special_exp10 special_cosm1 special_sindg special_cosdg special_tandg", **SCIPY)
register("special_exprel", lambda t: [call(t.of([0.0, 1e-4, -20.0, 20.0]))], **SCIPY)
unary("special_cbrt special_cotdg", lambda t, *shape: t.positive(*shape), **SCIPY)
register("special_cbrt", lambda t: [call(t.of([-8.0, 0.7]))], **SCIPY)
binary("special_powm1 special_boxcox special_rel_entr special_kl_div special_pseudo_huber", _both, **SCIPY)
binary("special_boxcox1p special_inv_boxcox special_inv_boxcox1p", _both, **SCIPY)
for _name in ("boxcox", "boxcox1p", "inv_boxcox", "inv_boxcox1p"):
    register(f"special_{_name}", lambda t: [call(t.positive(3), t.of([0.0, 1.0, -0.2]))], **SCIPY)
register("special_huber", lambda t: [call(t.positive(3), t(2, 3)), call(1.3, t(4))], **SCIPY)
unary("special_exp1 special_expi special_sici_ci special_shichi_chi special_sici special_shichi", _both, **SCIPY)
unary("special_sici_si special_shichi_shi", **SCIPY)
register("special_sici_si", lambda t: [call(t.of([0.0, 3.0]))], **SCIPY)
for _name in ("exp1", "expi", "sici_si", "sici_ci", "shichi_shi", "shichi_chi", "spence", "wrightomega"):
    register(f"special_{_name}", lambda t: [call(t.positive(3))], complex="only", **SCIPY)
register(
    "special_expn",
    lambda t: [call(2, t.positive(3)), call(0, t.positive(3)), call(t.index((3,), 4), t.positive(2, 3))],
    **SCIPY,
)
unary("special_spence", _both, **SCIPY)
register("special_spence", lambda t: [call(t.of([1.0, 0.5, 1.5, 30.0]))], **SCIPY)
register("special_lambertw", lambda t: [call(t.positive(3)), call(t.of([0.0, -0.2])), call(t.positive(2), 1)], **SCIPY)
register("special_lambertw", lambda t: [call(t(3)), call(t(3), k=-1)], complex="only", **SCIPY)
unary("special_wrightomega", **SCIPY)
register("special_radian", lambda t: [call(t(3), t(3), t(3)), call(t(3, 1), 2.0, t(2))], **SCIPY)
register(
    "special_tklmbda",
    lambda t: [
        call(t(3), t.of([-0.5, 0.0, 0.3])),
        call(t(3, 1), t.of([-1.0, 0.2])),
        call(t.of([-3.0, 3.0]), t.of(1.5)),
    ],
    **SCIPY,
)
