"""Derivative rules of operators.

Rules are plain functions whose parameter names say what they want:

    xp                the array namespace: the array library's own, or ours when gradients are recorded
    g                 the gradient of the output (a list if several outputs are differentiable); in vjp rules
    t                 the tangent of the input the rule is for; in jvp rules
    out               the output (a list if there are several)
    <input>           a tensor argument; naming it is what saves it
    <input>_spec      its shape, dtype and device only, which saves nothing
    <parameter>       any other argument of the forward
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def rule_parameters(rule: Any) -> tuple[str, ...]:
    """The names of what a rule wants."""
    uses = getattr(rule, "uses", None)
    if uses is not None:
        return uses
    code = rule.__code__
    return code.co_varnames[: code.co_argcount]


class Over:
    """A local derivative that is one over what a function says: gradients are divided by that."""

    def __init__(self, divisor: Callable[..., Any]) -> None:
        self.divisor = divisor


class Elementwise:
    """Stands for the rules that follow from a local derivative d: vjp = g * conj(d), jvp = t * d.

    Attributes:
        derivative: the function that gives d, the name of what is d itself, or a number.
        divides: the function gives 1 / d.
        applied: the function takes `g` and gives g * d itself; for operators of real numbers that pass gradients on or
            block them, where 0 * inf shall be 0.
        uses: the names of what the function wants.
        is_plain: gradients are multiplied by something saved or by a number, as it is.
        is_exact: and have the same dtype afterwards, whatever it was.
    """

    def __init__(self, derivative: Any) -> None:
        self.divides = isinstance(derivative, Over)
        self.derivative = derivative.divisor if self.divides else derivative
        self.uses: tuple[str, ...] = _names_in(self.derivative)
        self.applied = "g" in self.uses
        self.is_plain = isinstance(self.derivative, (str, int, float))
        # other numbers are not: beside bfloat16, which is not NumPy's own, it does not take them for weak
        self.is_exact = self.is_plain and (isinstance(self.derivative, str) or self.derivative in (0, 1, -1))


def _names_in(derivative: Any) -> tuple[str, ...]:
    if isinstance(derivative, str):
        return (derivative,)
    return () if isinstance(derivative, (int, float)) else rule_parameters(derivative)


def run_rule(rule: Any, xp: Any, given: Any, known: dict[str, Any]) -> Any:
    """Apply a rule to a gradient or tangent by looking up each of its parameters; for where speed does not matter."""
    names = {"xp": xp, "g": given, "t": given} | known
    if not isinstance(rule, Elementwise):
        return rule(*(names[name] for name in rule_parameters(rule)))
    d = rule.derivative
    if isinstance(d, str):
        value = names[d]
    else:
        value = d if isinstance(d, (int, float)) else d(*(names[name] for name in rule.uses))
    if rule.applied:
        return value
    return given / value if rule.divides else given * value
