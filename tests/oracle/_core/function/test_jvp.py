"""Rules for `jvp` of custom Functions, as in PyTorch: what it sees, and what it has to return."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle._core.function.functions import function
from tests.support.compare import Scenarios, leaf

pytestmark = pytest.mark.oracle
scenario, refused = Scenarios(), Scenarios()


def constant(lib: Any, *values: float) -> Any:
    return leaf(lib, *values, requires_grad=False)


def make_dual(lib: Any, *values: float) -> Any:
    return lib.autograd.forward_ad.make_dual(constant(lib, *values), constant(lib, *[float(i + 1) for i in values]))


def unpack(lib: Any, *tensors: Any) -> Any:
    return [list(lib.autograd.forward_ad.unpack_dual(one)) for one in tensors]


def call(forward: Any, jvp: Any, make_arguments: Any = lambda lib: [make_dual(lib, 1.0, 2.0)]) -> Any:
    """The program that calls a Function with dual arguments, and shows its results."""

    def run(lib: Any) -> Any:
        made = function(lib, forward, lambda ctx, *g: g[0], jvp=jvp)
        with lib.autograd.forward_ad.dual_level():
            result = made.apply(*make_arguments(lib))
            return unpack(lib, *(result if isinstance(result, tuple) else (result,)))

    return run


def add(collection: Scenarios, **programs: Any) -> None:
    for name, program in programs.items():
        program.__name__ = name
        collection(program)


# ---- what it sees ----------------------------------------------------------------------------------------------------


@scenario
def saved_for_each_mode(lib: Any) -> Any:
    seen: list[int] = []

    def forward(ctx: Any, x: Any, forward_too: bool) -> Any:
        ctx.save_for_backward(x)
        if forward_too:
            ctx.save_for_forward(x, x * 2)
        return x * 3

    def backward(ctx: Any, g: Any) -> Any:
        seen.append(len(ctx.saved_tensors))
        return g * 3, None

    def jvp(ctx: Any, t: Any, _: Any) -> Any:
        seen.append(len(ctx.saved_tensors))
        return t * 3

    made = function(lib, forward, backward, jvp=jvp)
    for forward_too in (True, False):
        x = leaf(lib, 1.0, 2.0)
        with lib.autograd.forward_ad.dual_level():
            made.apply(lib.autograd.forward_ad.make_dual(x, constant(lib, 1.0, 1.0)), forward_too).sum().backward()
    return seen


@scenario
def saved_by_setup_context(lib: Any) -> Any:
    seen: list[int] = []

    def setup(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs)

    def jvp(ctx: Any, t: Any) -> Any:
        seen.append(len(ctx.saved_tensors))
        return t * 2

    made = function(lib, lambda x: x * 2, jvp=jvp, setup_context=setup)
    return [lib.func.jvp(made.apply, (constant(lib, 1.0),), (constant(lib, 1.0),)), seen]


# ---- tangents that it may not return ---------------------------------------------------------------------------------


def not_differentiable(ctx: Any, x: Any) -> Any:
    other = x * 3
    ctx.mark_non_differentiable(other)
    return x * 2, other


add(scenario, none_for_what_has_no_tangent=call(not_differentiable, lambda ctx, t: (t * 2, None)))
add(
    refused,
    tangent_of_marked=call(not_differentiable, lambda ctx, t: (t * 2, t * 3)),
    tangent_of_integers=call(lambda ctx, x: (x * 2, x.long()), lambda ctx, t: (t * 2, t)),
    too_many=call(lambda ctx, x: x * 2, lambda ctx, t: (t * 2, t)),
    smaller_shape=call(lambda ctx, x: x * 2, lambda ctx, t: t[:1]),
    number=call(lambda ctx, x: x * 2, lambda ctx, t: 3.0),
)

# ---- views and in-place changes --------------------------------------------------------------------------------------

CONSTANT_FIRST = lambda lib: [constant(lib, 1.0, 2.0), make_dual(lib, 1.0, 2.0)]
TWO = lambda lib: [make_dual(lib, 1.0, 2.0), make_dual(lib, 3.0, 4.0)]
PART = lambda lib: [make_dual(lib, 1.0, 2.0, 3.0)[:2]]


def change(ctx: Any, x: Any, *others: Any) -> Any:
    ctx.mark_dirty(x)
    return x.mul_(others[0] if others else 2)


def first(ctx: Any, x: Any, *others: Any) -> Any:
    return x


def head(ctx: Any, x: Any) -> Any:
    return x[:1]


add(
    scenario,
    view_for_view=call(head, lambda ctx, t: t[:1]),
    view_for_argument=call(first, lambda ctx, t: t.view_as(t)),
    view_for_new=call(lambda ctx, x: x * 1, lambda ctx, t: t.view_as(t)),
    same_for_new=call(lambda ctx, x: x * 1, lambda ctx, t: t),
    view_of_a_part=call(first, lambda ctx, t: t.view_as(t), PART),
    a_part_itself=call(first, lambda ctx, t: t, PART),
    in_place_for_in_place=call(change, lambda ctx, t: t.mul_(2)),
    argument_without_tangent=call(first, lambda ctx, a, b: a + b, CONSTANT_FIRST),
    changed_without_tangent=call(change, lambda ctx, a, b: a + b, CONSTANT_FIRST),
    new_for_detached=call(lambda ctx, x: x.detach(), lambda ctx, t: t * 1),
)
add(
    refused,
    new_for_view=call(head, lambda ctx, t: t[:1].clone()),
    new_for_argument=call(first, lambda ctx, t: t * 1),
    same_for_argument=call(first, lambda ctx, t: t),
    new_for_a_part=call(first, lambda ctx, t: t * 1, PART),
    view_of_other_tangent=call(first, lambda ctx, a, b: b.view_as(b), TWO),
    view_of_new=call(first, lambda ctx, a, b: (a * 2).view_as(a), TWO),
    new_for_in_place=call(change, lambda ctx, t: t * 2),
    view_for_in_place=call(change, lambda ctx, t: t.mul_(2).view_as(t)),
    unchanged_for_in_place=call(change, lambda ctx, t: t),
    none_for_in_place=call(change, lambda ctx, t: None),
)


def write_through(forward: Any, jvp: Any, to_output: bool) -> Any:
    """A program that writes to a view that a Function returned, or to its argument: both tangents change."""

    def run(lib: Any) -> Any:
        made = function(lib, forward, jvp=jvp)
        with lib.autograd.forward_ad.dual_level():
            x = make_dual(lib, 1.0, 2.0)
            y = made.apply(x)
            (y if to_output else x).mul_(3)
            return unpack(lib, x, y)

    return run


def write_later(forward: Any, jvp: Any) -> Any:
    """A program in which the argument gets its tangent after the call."""

    def run(lib: Any) -> Any:
        x = constant(lib, 1.0, 2.0)
        with lib.autograd.forward_ad.dual_level():
            y = function(lib, forward, jvp=jvp).apply(x)
            x.mul_(make_dual(lib, 1.0, 2.0))
            return unpack(lib, x, y)

    return run


for name, rule in {"argument": (first, lambda ctx, t: t.view_as(t)), "view": (head, lambda ctx, t: t[:1])}.items():
    add(
        scenario,
        **{
            f"{name}_then_write_to_argument": write_through(*rule, False),
            f"{name}_then_write_to_output": write_through(*rule, True),
            f"{name}_then_tangent": write_later(*rule),
        },
    )


@scenario
def transforms_take_any_tangent_of_a_view(lib: Any) -> Any:
    made = function(lib, lambda x: x.view_as(x), jvp=lambda ctx, t: t * 1, setup_context=lambda ctx, i, o: None)
    return lib.func.jvp(made.apply, (constant(lib, 1.0, 2.0),), (constant(lib, 3.0, 4.0),))


test_as_in_pytorch = scenario.test()
test_refused_as_in_pytorch = refused.test(fails=True)
