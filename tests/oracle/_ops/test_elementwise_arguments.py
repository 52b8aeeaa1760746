"""Elementwise operators with every kind of operand and argument, as in PyTorch."""

from __future__ import annotations

import pytest

from tests.oracle._ops.expressions import check, grids

pytestmark = pytest.mark.oracle


@grids("""
T.{abs|neg|sign|sgn|sqrt|rsqrt|square|reciprocal|exp|exp2|expm1|log|log2|log10|log1p|sin|cos|tan}({x|z|s|e|xf|n|u8})
T.{asin|acos|atan|sinh|cosh|tanh|asinh|acosh|atanh|sigmoid|angle|conj|real|nan_to_num|isnan|isfinite}({p|s|e|xf|n|u8})
T.{relu|floor|ceil|round|trunc|frac|isneginf|isposinf|signbit}({x|s|e|xf|holes|z})
T.{erf|erfc}({x|s|e|xf|holes})
T.{sign|sgn|isnan|isinf|nan_to_num|relu|floor}(holes)
T.{sign|sgn|logical_not|bitwise_not}(b)
T.{neg|bitwise_not|negative}({x|b})
F.{relu6|leaky_relu|gelu|softplus|silu|mish|elu|hardtanh|hardswish|softsign|hardshrink|softshrink}({x|s|xf|e|z})
F.{threshold}(x, 0.1, 2.0)
F.gelu(x, approximate={'none'|'tanh'|'foo'})
F.softplus(x, {beta=2|2,1|threshold=0.5})
F.leaky_relu(x, {0.2|negative_slope=-0.5})
T.round({x*100|holes|z}, decimals={0|1|-1|2})
T.nan_to_num(holes, {nan=1.0|1.0,2.0|posinf=3.0|neginf=4.0})
""")
def test_one_operand(template: str) -> None:
    check(template)


@grids("""
{x|n|xf|z|u8|s|2|2.5|True|w} {+|*} {x|n|b|xf|z|s|3|1.5|w}
{x|n|xf|z|s|2|2.5|w} {-|/} {x|n|xf|z|s|3|1.5|w}
{x|n|xf|s|2|2.5} % {y|n|xf|3|1.5|w}
{p|n|2|2.5} ** {p|s|3|0|2|0.5|-1.5}
{n|u8|b} {&|^} {n|b|u8|3|True}
{x|n|b|u8|3|holes} {<|==|>=} {x|n|b|3|1.5|w|holes}
{x|n} {==|!=} {None|'a'}
T.{add|sub}({x|n|z}, {y|n|2|w}, alpha={2|0.5|1j|3})
T.add(b, b, alpha={2|True|0})
T.div({x|n|u8|z}, {y|n|2|1.5}, rounding_mode={'trunc'|'floor'|'foo'})
T.{fmod|remainder|floor_divide}({n|u8}, {n|2|3})
T.{atan2|hypot|maximum|minimum|fmax|fmin|xlogy|logaddexp|copysign}({x|s|xf}, {y|p|w})
T.lerp(x, {y|w}, {0.3|p|2})
T.lerp(z, z * z, {0.3|2})
T.{addcmul|addcdiv}({x|s}, {y|w}, y, value={1|0.5})
T.clamp({x|n|ties|holes|z}, {0.5|min=0|max=1|min=0.5,max=0.1|min=None,max=2|min=s|max=w|w,y|None,None|min=nan})
T.where(b, {x|n|z|s|1|2.5}, {x|w|0|0.5|b|None})
T.where(b, {u8|300|-1}, {u8|2})
""")
def test_two_operands(template: str) -> None:
    check(template)


@grids("""
{i|u8|n} {//|%} {i|0|False|u8}
{2|True} {//|%} {i|u8}
T.{floor_divide|remainder|fmod}({n|u8}, {i|u8|0})
T.div({n|u8}, {i|0}, rounding_mode={'trunc'|'floor'})
n.clone().{floor_divide_|remainder_|fmod_}({i|0})
""")
def test_integers_are_not_divided_by_zero(template: str) -> None:
    check(template)


@grids("""
b - {b|True}
-b
T.{gcd|lcm|bitwise_and|bitwise_or|bitwise_xor}(x, y)
{x|2|2.5} @ {2|2.5}
""")
def test_what_is_not_defined_is_refused(template: str) -> None:
    check(template)
