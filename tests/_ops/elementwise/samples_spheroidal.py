"""Samples of `_ops/elementwise/spheroidal.py`."""

from __future__ import annotations

import scipy.special

from tests.support.cases import call, register
from tests.support.sampling import SCIPY, constant

for _part in ("", "_value", "_slope"):
    for _name in ("cem", "sem"):
        register(
            f"special_mathieu_{_name}{_part}",
            lambda t: [call(2, 1.3, t(3, low=-60, high=60)), call(constant(t.of([[1.0], [3.0]])), 0.4, t(2))],
            **SCIPY,
        )
    for _name in ("modcem1", "modcem2", "modsem1", "modsem2"):
        register(f"special_mathieu_{_name}{_part}", lambda t: [call(2, 1.3, t.positive(3, high=1))], **SCIPY)
    for _name in ("ang1", "rad1", "rad2"):
        _x = {
            f"pro_{_name}": lambda t, name=_name: t.unit(3) if name == "ang1" else t.positive(3, low=2.5, high=4),
            f"obl_{_name}": lambda t, name=_name: t.unit(3) if name == "ang1" else t.positive(3, low=2.5, high=4),
        }
        for _own, _draw in _x.items():
            _cv = float({"pro": scipy.special.pro_cv, "obl": scipy.special.obl_cv}[_own[:3]](1, 2, 1.5))
            register(f"special_{_own}{_part}", lambda t, draw=_draw: [call(1, 2, 1.5, draw(t))], **SCIPY)
            register(f"special_{_own}_cv{_part}", lambda t, draw=_draw, cv=_cv: [call(1, 2, 1.5, cv, draw(t))], **SCIPY)
    for _name in ("pbdv", "pbvv", "pbwa"):
        register(
            f"special_{_name}{_part}",
            lambda t: [call(1.3, t(3)), call(constant(t.of([[0.5], [2.0]])), t.positive(3))],
            **SCIPY,
        )
for _name in ("a", "b"):
    register(
        f"special_mathieu_{_name}",
        lambda t: [call(2, t.positive(3)), call(constant(t.of([[1.0], [3.0]])), t.positive(2))],
        second=False,
        **SCIPY,
    )
for _name in ("pro", "obl"):
    register(
        f"special_{_name}_cv", lambda t: [call(1, 2, t.positive(3)), call(0, 3, t.positive())], second=False, **SCIPY
    )
