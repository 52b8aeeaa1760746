"""Backward formulas and vmap rules of custom operators: what they may leave out, as in PyTorch."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.support.compare import Scenarios, leaf

pytestmark = pytest.mark.oracle
scenario, refused = Scenarios(), Scenarios()
_numbers = itertools.count()


def define(lib: Any, schema: str, kernel: Any, backward: Any = None, namespace: str = "formulas") -> Any:
    name = f"{namespace}{next(_numbers)}::f"
    made = lib.library.custom_op(name, kernel, mutates_args=(), schema=schema)
    if backward is not None:
        made.register_autograd(backward)
    return made


def gradient_of(schema: str, kernel: Any, backward: Any, *args: Any, **kwargs: Any) -> Any:
    """A program that differentiates an operator, called with a leaf and these arguments."""

    def run(lib: Any) -> Any:
        x = leaf(lib, 1.0, 2.0)
        define(lib, schema, kernel, backward)(x, *args, **kwargs).sum().backward()
        return x.grad

    return run


SCALED = ("(Tensor x, float k=2.0, int m=3) -> Tensor", lambda x, k=2.0, m=3: x * k * m)
WEIGHTED = ("(Tensor x, Tensor? w=None) -> Tensor", lambda x, w=None: x * 2)
ALLOWED = {
    "all_gradients": gradient_of(*SCALED, lambda ctx, g: (g * 6, None, None)),
    "defaults_left_out": gradient_of(*SCALED, lambda ctx, g: g * 6),
    "last_default_left_out": gradient_of(*SCALED, lambda ctx, g: (g * 12, None), 4.0),
    "given_but_equal_to_the_default": gradient_of(*SCALED, lambda ctx, g: g * 6, 2.0, 3),
    "named_and_equal_to_the_default": gradient_of(*SCALED, lambda ctx, g: (g * 6,), m=3),
    "optional_tensor_left_out": gradient_of(*WEIGHTED, lambda ctx, g: g * 2),
}
TOO_FEW = {
    "other_value": gradient_of(*SCALED, lambda ctx, g: g * 6, 4.0),
    "other_value_at_the_end": gradient_of(*SCALED, lambda ctx, g: (g * 6, None), 4.0, 5),
    "no_default": gradient_of("(Tensor x, int m) -> Tensor", lambda x, m: x * m, lambda ctx, g: g, 3),
}
for collection, programs in ((scenario, ALLOWED), (refused, TOO_FEW)):
    for name, program in programs.items():
        program.__name__ = name
        collection(program)


@scenario
def without_formula_nothing_happens_until_a_gradient_arrives(lib: Any) -> Any:
    made = define(lib, "(Tensor x) -> Tensor", lambda x: x * 2)
    y = made(leaf(lib, 1.0))
    return [y, y.requires_grad, y.is_leaf, (y.detach() * 2).requires_grad]


@refused
def without_formula(lib: Any) -> Any:
    define(lib, "(Tensor x) -> Tensor", lambda x: x * 2)(leaf(lib, 1.0)).backward()


@scenario
def namespaces_with_an_underscore(lib: Any) -> Any:
    made = define(lib, "(Tensor x) -> Tensor", lambda x: x * 2, namespace="_formulas")
    namespace = made._opoverload._schema.name.partition("::")[0] if lib.__name__ == "torch" else made.qualname
    return getattr(lib.ops, namespace.partition("::")[0]).f(leaf(lib, 1.0).detach())


@refused
def no_such_operator(lib: Any) -> Any:
    return lib.ops._no_such_namespace.f


@refused
def no_kernel(lib: Any) -> Any:
    name = f"formulas{next(_numbers)}::f"
    lib.library.define(name, "(Tensor x) -> Tensor")
    getattr(lib.ops, name.partition("::")[0]).f(leaf(lib, 1.0).detach())


@refused
def kernel_of_another_device(lib: Any) -> Any:
    name = f"formulas{next(_numbers)}::f"
    made = lib.library.custom_op(name, lambda x: x, mutates_args=(), device_types="cuda", schema="(Tensor x) -> Tensor")
    made(leaf(lib, 1.0).detach())


def mapped(result: Any, in_dims: int = 0) -> Any:
    """A program with an operator whose vmap rule returns this."""

    def run(lib: Any) -> Any:
        made = define(lib, "(Tensor x) -> Tensor", lambda x: x * 2)
        seen: list[Any] = []

        def rule(info: Any, dims: Any, x: Any) -> Any:
            seen.append([list(dims), list(x.shape), info.batch_size])
            return result(x * 2, dims[0])

        made.register_vmap(rule)
        return [lib.func.vmap(made, in_dims=in_dims)(lib.arange(6.0).reshape(2, 3)), seen]

    return run


for name, program in {
    "vmap_rule": mapped(lambda x, dim: (x, dim)),
    "vmap_by_column": mapped(lambda x, dim: (x, dim), 1),
}.items():
    program.__name__ = name
    scenario(program)
for name, program in {
    "out_dims_of_a_tuple": mapped(lambda x, dim: (x, (0,))),
    "out_dims_of_a_list": mapped(lambda x, dim: (x, [0])),
    "no_out_dims": mapped(lambda x, dim: x),
}.items():
    program.__name__ = name
    refused(program)

test_as_in_pytorch = scenario.test()
test_refused_as_in_pytorch = refused.test(fails=True)
