"""`vmap` of custom Functions and other rules of their context, as in PyTorch."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle._core.function.functions import function
from tests.support.compare import Scenarios, leaf

pytestmark = pytest.mark.oracle
scenario, refused = Scenarios(), Scenarios()


def matrix(lib: Any) -> Any:
    return lib.arange(6.0, dtype=lib.float64).reshape(2, 3)


def with_vmap(lib: Any, forward: Any, vmap: Any, **others: Any) -> Any:
    return function(lib, forward, setup_context=lambda ctx, inputs, output: None, vmap=vmap, **others)


@scenario
def in_dims_as_they_are(lib: Any) -> Any:
    seen: list[Any] = []

    def vmap(info: Any, in_dims: Any, x: Any, y: Any, n: Any) -> Any:
        seen.append([list(in_dims), list(x.shape), list(y.shape), info.batch_size, info.randomness])
        return x.movedim(in_dims[0], 0) * y.movedim(in_dims[1], 0) * n, 0

    made = with_vmap(lib, lambda x, y, n: x * y * n, vmap)
    x, y = matrix(lib), matrix(lib).T
    results = [
        lib.func.vmap(made.apply, in_dims=(dim, other, None))(x, y, 3) for dim, other in ((0, 1), (1, 0), (-1, -2))
    ]
    return [results, seen]


@scenario
def arguments_that_are_shared_or_nested(lib: Any) -> Any:
    seen: list[Any] = []

    def vmap(info: Any, in_dims: Any, xs: Any, y: Any) -> Any:
        seen.append([list(in_dims[0]), in_dims[1]])
        return xs[0] * y, 0

    made = with_vmap(lib, lambda xs, y: xs[0] * y, vmap)
    y = lib.ones(3, dtype=lib.float64)
    return [lib.func.vmap(lambda x: made.apply([x, 3], y))(matrix(lib)), seen]


@scenario
def keyword_only_numbers(lib: Any) -> Any:
    made = with_vmap(lib, lambda x, *, k: x * k, lambda info, in_dims, x, *, k: (x * k, in_dims[0]))
    return lib.func.vmap(lambda x: made.apply(x, k=3))(matrix(lib))


@refused
def keyword_only_tensors(lib: Any) -> Any:
    made = with_vmap(lib, lambda x, *, k: x * k, lambda info, in_dims, x, *, k: (x * k, 0))
    lib.func.vmap(lambda x, k: made.apply(x, k=k))(matrix(lib), matrix(lib))


def returning(result: Any, several: bool) -> Any:
    """A program with a Function whose `vmap` returns this."""

    def run(lib: Any) -> Any:
        made = with_vmap(lib, lambda x: (x, x) if several else x, lambda info, in_dims, x: result(x * 2))
        return lib.func.vmap(made.apply)(matrix(lib))

    return run


ONE = {
    "int": lambda x: (x, 0),
    "none": lambda x: (x[0] * 0, None),
    "other_dimension": lambda x: (x.movedim(0, 1), 1),
}
TWO = {
    "int_for_all": lambda x: ((x, x * 3), 0),
    "one_for_each": lambda x: ((x, x[0] * 0), (0, None)),
}
ONE_REFUSED = {
    "tuple_for_one": lambda x: (x, (0,)),
    "list_for_one": lambda x: (x, [0]),
    "no_such_dimension": lambda x: (x, 5),
    "no_out_dims": lambda x: x,
    "three_values": lambda x: (x, 0, 0),
    "nothing": lambda x: None,
}
TWO_REFUSED = {
    "too_few": lambda x: ((x, x), (0,)),
    "too_many": lambda x: ((x, x), (0, 0, 0)),
    "list_for_tuple": lambda x: ((x, x), [0, 0]),
    "nested": lambda x: ((x, x), (0, (0,))),
}
for collection, results, several in (
    (scenario, ONE, False), (scenario, TWO, True), (refused, ONE_REFUSED, False), (refused, TWO_REFUSED, True),
):  # fmt: skip
    for name, result in results.items():
        program = returning(result, several)
        program.__name__ = f"returned_{name}"
        collection(program)


@refused
def vmap_and_generated(lib: Any) -> Any:
    made = with_vmap(lib, lambda x: x * 2, lambda info, in_dims, x: (x * 2, 0), generate_vmap_rule=True)
    lib.func.vmap(made.apply)(matrix(lib))


# ---- gradients -------------------------------------------------------------------------------------------------------


@scenario
def gradients_of_what_is_not_differentiable(lib: Any) -> Any:
    seen: list[Any] = []

    def forward(ctx: Any, x: Any, flags: Any) -> Any:
        for name, value in flags.items():
            setattr(ctx, name, value)
        if "materialize" in flags:
            ctx.set_materialize_grads(flags["materialize"])
        other, integers = x * 3, x.long()
        ctx.mark_non_differentiable(other)
        return x * 2, other, integers

    def backward(ctx: Any, *grads: Any) -> Any:
        seen.append([None if g is None else [g, g.dtype] for g in grads])
        return grads[0] * 2, None

    made = function(lib, forward, backward)
    flags: Any = [{}, {"_materialize_non_diff_grads": False}, {"materialize": False}]
    for one in [*flags, flags[1] | flags[2]]:
        made.apply(leaf(lib, 1.0, 2.0), one)[0].sum().backward()
    return seen


@scenario
def gradients_of_what_is_not_differentiable_in_transforms(lib: Any) -> Any:
    seen: list[Any] = []

    def setup(ctx: Any, inputs: Any, output: Any) -> None:
        ctx._materialize_non_diff_grads = False
        ctx.mark_non_differentiable(output[1])

    def backward(ctx: Any, *grads: Any) -> Any:
        seen.append([g is None for g in grads])
        return grads[0] * 2

    made = function(lib, lambda x: (x * 2, x * 3), backward, setup_context=setup, generate_vmap_rule=True)
    gradient = lib.func.grad(lambda x: made.apply(x)[0].sum())
    return [gradient(matrix(lib)), lib.func.vmap(gradient)(matrix(lib)), seen]


@refused
def materialize_what(lib: Any) -> Any:
    function(lib, lambda ctx, x: (ctx.set_materialize_grads(1), x * 2)[1]).apply(leaf(lib, 1.0))


test_as_in_pytorch = scenario.test()
test_refused_as_in_pytorch = refused.test(fails=True)
