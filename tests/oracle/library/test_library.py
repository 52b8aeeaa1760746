"""Custom operators as in PyTorch: the same programs with `torch.library` and with `adjoint.library`."""

# No `from __future__ import annotations` here: schemas are inferred from annotations that name either library, in the
# older spellings too.
# ruff: noqa: UP006, UP007, UP035, UP045

import itertools
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjoint as ad
from tests.support.compare import Scenarios, leaf, torch

pytestmark = pytest.mark.oracle
scenario = Scenarios()
refused = Scenarios()

_number = itertools.count()


def fresh(name: str = "op") -> str:
    """A name that no operator has yet."""
    return f"oracle::{name}_{next(_number)}"


def sine(lib: Any, name: str) -> Any:
    """The sine by NumPy, with its formula."""

    @lib.library.custom_op(name, mutates_args=())
    def numpy_sin(x: lib.Tensor) -> lib.Tensor:
        return lib.from_numpy(np.sin(x.detach().numpy()))

    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(inputs[0])

    numpy_sin.register_autograd(lambda ctx, grad: grad * ctx.saved_tensors[0].cos(), setup_context=setup_context)
    numpy_sin.register_fake(lambda x: x.new_empty(x.shape))
    return numpy_sin


@scenario
def values_and_gradients(lib: Any) -> Any:
    op = sine(lib, fresh())
    x = leaf(lib, 0.5, -1.0, 2.0)
    y = op(x)
    y.sum().backward()
    return [y, x.grad, y.requires_grad, y.is_leaf]


@scenario
def node_and_its_name(lib: Any) -> Any:
    op = sine(lib, "oracle::named")
    x = leaf(lib, 0.5)
    y = op(x * 2)
    return [y.grad_fn.name(), [None if n is None else n.name() for n, _ in y.grad_fn.next_functions][:1]]


@scenario
def double_backward(lib: Any) -> Any:
    op = sine(lib, fresh())
    x = leaf(lib, 0.5, -1.0, 2.0)
    (first,) = lib.autograd.grad(op(x).sum(), x, create_graph=True)
    (second,) = lib.autograd.grad((first * first).sum(), x)
    return [first, second]


@scenario
def no_grad_and_detached(lib: Any) -> Any:
    op = sine(lib, fresh())
    x = leaf(lib, 0.5)
    with lib.no_grad():
        inside = op(x).requires_grad
    return [inside, op(x.detach()).requires_grad, op(x).requires_grad]


@scenario
def found_in_ops(lib: Any) -> Any:
    sine(lib, "oracle::found")
    packet = lib.ops.oracle.found
    x = leaf(lib, 0.5)
    return [packet(x), packet.default(x), packet.overloads(), str(packet.default._schema), packet.default.name()]


@scenario
def lists_defaults_and_keyword_only(lib: Any) -> Any:
    log: list[Any] = []

    @lib.library.custom_op(fresh(), mutates_args=())
    def combine(xs: List[lib.Tensor], ws: List[float], bias: Optional[lib.Tensor], *, k: int = 2) -> lib.Tensor:
        log.append([type(xs).__name__, ws, k])
        return sum(x * w for x, w in zip(xs, ws)) * k

    def setup_context(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Any) -> None:
        ctx.ws, ctx.k = inputs[1], keyword_only_inputs["k"]
        log.append([len(inputs), inputs[2] is None])

    def backward(ctx: Any, grad: Any) -> Any:
        log.append(list(map(str, ctx.needs_input_grad)))
        return [grad * w * ctx.k for w in ctx.ws], None, None

    combine.register_autograd(backward, setup_context=setup_context)
    a, b, c = leaf(lib, 1.0, 2.0), leaf(lib, 3.0, 4.0, requires_grad=False), leaf(lib, 5.0, 6.0)
    y = combine([a, b, c], [0.5, 2, 3.0], None, k=4)
    y.sum().backward()
    return [log, y, a.grad, b.grad, c.grad]


@scenario
def several_outputs(lib: Any) -> Any:
    seen: list[Any] = []

    @lib.library.custom_op(fresh(), mutates_args=())
    def both(x: lib.Tensor) -> Tuple[lib.Tensor, lib.Tensor]:
        return x * 2, x * 3

    def backward(ctx: Any, first: Any, second: Any) -> Any:
        seen.append([first, second])
        return 2 * first + 3 * second

    both.register_autograd(backward)
    x = leaf(lib, 1.0, 2.0)
    a, b = both(x)
    b.sum().backward()
    return [a, b, x.grad, seen, type(both(x)).__name__]


@scenario
def list_of_outputs(lib: Any) -> Any:
    @lib.library.custom_op(fresh(), mutates_args=())
    def halves(x: lib.Tensor, n: int) -> List[lib.Tensor]:
        return [x / (i + 2) for i in range(n)]

    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.n = len(output)

    def backward(ctx: Any, grads: Any) -> Any:
        return sum(g / (i + 2) for i, g in enumerate(grads)), None

    halves.register_autograd(backward, setup_context=setup_context)
    x = leaf(lib, 1.0, 2.0)
    parts = halves(x, 3)
    (parts[0].sum() + 3 * parts[2].sum()).backward()
    return [type(parts).__name__, parts, x.grad]


@scenario
def integer_outputs_need_no_formula(lib: Any) -> Any:
    @lib.library.custom_op(fresh(), mutates_args=())
    def order(x: lib.Tensor) -> lib.Tensor:
        return lib.from_numpy(np.argsort(x.detach().numpy()))

    y = order(leaf(lib, 3.0, 1.0, 2.0))
    return [y, y.requires_grad]


@scenario
def numbers_as_results(lib: Any) -> Any:
    @lib.library.custom_op(fresh(), mutates_args=())
    def describe(x: lib.Tensor) -> Tuple[lib.Tensor, int, float, bool]:
        return x.clone(), x.ndim, 2.5, True

    return [*describe(leaf(lib, 1.0, requires_grad=False))]


@scenario
def writing_to_an_argument(lib: Any) -> Any:
    @lib.library.custom_op(fresh(), mutates_args={"x"})
    def double_(x: lib.Tensor) -> None:
        array = x.numpy()
        array *= 2

    x = leaf(lib, 1.0, 2.0, requires_grad=False)
    before = x._version
    result = double_(x)
    return [x, x._version - before, result is None]


@scenario
def a_write_spoils_what_was_saved(lib: Any) -> Any:
    @lib.library.custom_op(fresh(), mutates_args={"x"})
    def double_(x: lib.Tensor) -> None:
        array = x.numpy()
        array *= 2

    x, w = leaf(lib, 1.0, 2.0, requires_grad=False), leaf(lib, 3.0, 4.0)
    y = (x * w).sum()
    double_(x)
    try:
        y.backward()
    except RuntimeError:
        return "refused"
    return w.grad


@scenario
def arguments_are_converted(lib: Any) -> Any:
    log: list[Any] = []

    @lib.library.custom_op(fresh(), mutates_args=())
    def show(x: lib.Tensor, n: int, a: float = 1.5, b: bool = False, s: str = "q") -> lib.Tensor:
        log.append([n, type(n).__name__, a, type(a).__name__, b, type(b).__name__, s])
        return x.clone()

    x = leaf(lib, 1.0, requires_grad=False)
    for args in (
        (True,), (np.int64(3),), (lib.tensor(3),), (2, 1), (2, True), (2, np.float32(2)), (2, lib.tensor(2.0)),
        (2, 1.0, 1), (2, 1.0, np.bool_(True)),
    ):  # fmt: skip
        show(x, *args)
    show(x, n=2, s="other")
    show(x=x, n=2)
    return log


@scenario
def dtypes_and_devices(lib: Any) -> Any:
    @lib.library.custom_op(fresh(), mutates_args=())
    def like(x: lib.Tensor, dtype: Optional[lib.dtype] = None, device: Optional[lib.device] = None) -> lib.Tensor:
        return lib.zeros(x.shape, dtype=dtype, device=device)

    x = leaf(lib, 1.0, requires_grad=False)
    return [like(x), like(x, lib.float64), like(x, None, lib.device("cpu")), like(x, device="cpu").device.type]


@scenario
def kernels_for_devices(lib: Any) -> Any:
    @lib.library.custom_op(fresh(), mutates_args=())
    def which(x: lib.Tensor) -> lib.Tensor:
        return lib.zeros(1)

    x = leaf(lib, 1.0, requires_grad=False)
    default = which(x)
    which.register_kernel("cpu")(lambda x: lib.ones(1))
    own = which(x)
    with which.set_kernel_enabled("cpu", enabled=False):
        switched_off = which(x)
    return [default, own, switched_off, which(x)]


@scenario
def defined_by_schema(lib: Any) -> Any:
    name = fresh("defined")
    lib.library.define(name, "(Tensor x, float a=2.0) -> Tensor")

    @lib.library.impl(name, "cpu")
    def scale(x: Any, a: float = 2.0) -> Any:
        return x * a

    lib.library.register_fake(name, lambda x, a=2.0: x.new_empty(x.shape))

    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.a = inputs[1]

    lib.library.register_autograd(name, lambda ctx, grad: (grad * ctx.a, None), setup_context=setup_context)
    op = getattr(lib.ops.oracle, name.partition("::")[2])
    x = leaf(lib, 1.0, 2.0)
    op(x).sum().backward()
    first = x.grad.clone()
    op(x, 5.0).sum().backward()
    return [op(x), first, x.grad]


@scenario
def a_composite_of_a_library(lib: Any) -> Any:
    name = fresh("composite").partition("::")[2]
    library = lib.library.Library("oracle", "FRAGMENT")
    library.define(f"{name}(Tensor x) -> Tensor")
    library.impl(name, lambda x: x.sin() * 2)
    x = leaf(lib, 1.0, 2.0)
    y = getattr(lib.ops.oracle, name)(x)
    y.sum().backward()
    return [y, x.grad, y.grad_fn.name()]


@scenario
def overloads_of_a_library(lib: Any) -> Any:
    name = fresh("overloaded").partition("::")[2]
    library = lib.library.Library("oracle", "FRAGMENT")
    library.define(f"{name}.Tensor(Tensor x, Tensor y) -> Tensor")
    library.define(f"{name}.Scalar(Tensor x, Scalar y) -> Tensor")
    library.impl(f"{name}.Tensor", lambda x, y: x + y, "CPU")
    library.impl(f"{name}.Scalar", lambda x, y: x * y, "CPU")
    packet = getattr(lib.ops.oracle, name)
    x = leaf(lib, 1.0, 2.0, requires_grad=False)
    return [packet(x, x), packet(x, 3.0), packet.Tensor(x, x), sorted(packet.overloads())]


@scenario
def a_library_takes_its_operators_along(lib: Any) -> Any:
    name = fresh("gone").partition("::")[2]
    library = lib.library.Library("oracle", "FRAGMENT")
    library.define(f"{name}(Tensor x) -> Tensor")
    there = hasattr(lib.ops.oracle, name)
    library._destroy()
    return [there, hasattr(lib.ops.oracle, name)]


@scenario
def vmap_by_a_rule(lib: Any) -> Any:
    log: list[Any] = []

    @lib.library.custom_op(fresh(), mutates_args=())
    def times(x: lib.Tensor, y: lib.Tensor) -> lib.Tensor:
        return lib.from_numpy(x.numpy() * y.numpy())

    @lib.library.register_vmap(times)
    def rule(info: Any, in_dims: Any, x: Any, y: Any) -> Any:
        log.append([info.batch_size, info.randomness, [dim is None for dim in in_dims]])
        x = x.movedim(in_dims[0], -1) if in_dims[0] is not None else x.unsqueeze(-1)
        y = y.movedim(in_dims[1], -1) if in_dims[1] is not None else y.unsqueeze(-1)
        return (x * y).movedim(-1, 0), 0

    x = lib.arange(6.0).reshape(3, 2)
    y = lib.arange(2.0) + 1
    return [lib.func.vmap(times, in_dims=(0, None))(x, y), lib.func.vmap(times, in_dims=(1, 0))(x, y), log]


@scenario
def opcheck_of_a_right_operator(lib: Any) -> Any:
    op = sine(lib, fresh())
    tests = ("test_schema", "test_autograd_registration", "test_faketensor")
    return lib.library.opcheck(op, (leaf(lib, 0.5, 1.0),), test_utils=tests)


@scenario
def opcheck_finds_undeclared_writes(lib: Any) -> Any:
    @lib.library.custom_op(fresh(), mutates_args=())
    def sneaky(x: lib.Tensor) -> lib.Tensor:
        array = x.numpy()
        array += 1
        return lib.from_numpy(array.copy())

    sneaky.register_fake(lambda x: x.new_empty(x.shape))
    tests = ("test_schema", "test_faketensor")
    found = lib.library.opcheck(sneaky, (leaf(lib, 0.5, requires_grad=False),), test_utils=tests, raise_exception=False)
    return {name: result == "SUCCESS" for name, result in found.items()}


@scenario
def opcheck_finds_a_wrong_fake(lib: Any) -> Any:
    @lib.library.custom_op(fresh(), mutates_args=())
    def plain(x: lib.Tensor) -> lib.Tensor:
        return x.clone()

    plain.register_fake(lambda x: x.new_empty(x.shape, dtype=lib.float32))
    found = lib.library.opcheck(
        plain, (leaf(lib, 0.5, requires_grad=False),), test_utils="test_faketensor", raise_exception=False
    )
    return {name: result == "SUCCESS" for name, result in found.items()}


@scenario
def a_tag_for_in_place(lib: Any) -> Any:
    tag = lib.Tag

    @lib.library.custom_op(fresh(), mutates_args={"x"}, tags=tag.inplace)
    def double_(x: lib.Tensor) -> lib.Tensor:
        array = x.numpy()
        array *= 2
        return x

    x = leaf(lib, 1.0, 2.0, requires_grad=False)
    return [double_(x) is x, x]


@scenario
def a_tag_for_out(lib: Any) -> Any:
    tag = lib.Tag

    @lib.library.custom_op(fresh(), mutates_args={"out"}, tags=tag.out)
    def double(x: lib.Tensor, *, out: lib.Tensor) -> lib.Tensor:
        np.multiply(x.numpy(), 2, out=out.numpy())
        return out

    x, out = leaf(lib, 1.0, requires_grad=False), leaf(lib, 0.0, requires_grad=False)
    return [double(x, out=out) is out, out]


@scenario
def gradients_that_are_not_there(lib: Any) -> Any:
    seen: list[Any] = []
    op = with_schema(lib, "(Tensor x) -> (Tensor, Tensor[])", lambda x: (x * 2, [x * 3, x * 4]))

    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.set_materialize_grads(False)

    def backward(ctx: Any, first: Any, rest: Any) -> Any:
        seen.append([first is None, [one is None for one in rest]])
        return rest[1] * 4

    op.register_autograd(backward, setup_context=setup_context)
    x = leaf(lib, 1.0)
    op(x)[1][1].backward()
    return [seen, x.grad]


@scenario
def an_empty_list_of_results(lib: Any) -> Any:
    op = with_schema(lib, "(Tensor x) -> (Tensor, Tensor[])", lambda x: (x * 2, []))
    op.register_autograd(lambda ctx, first, rest: first * 2)
    x = leaf(lib, 1.0)
    y, nothing = op(x)
    y.backward()
    return [nothing, x.grad]


@scenario
def a_result_marked_as_not_differentiable(lib: Any) -> Any:
    op = with_schema(lib, "(Tensor x) -> (Tensor, Tensor)", lambda x: (x * 2, x * 3))

    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.mark_non_differentiable(output[1])

    op.register_autograd(lambda ctx, first, second: first * 2, setup_context=setup_context)
    return [one.requires_grad for one in op(leaf(lib, 1.0))]


@scenario
def outputs_and_attributes_are_kept(lib: Any) -> Any:
    op = with_schema(lib, "(Tensor x, float a=3.0) -> Tensor", lambda x, a=3.0: x.exp())

    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(output)
        ctx.a = inputs[1]

    op.register_autograd(lambda ctx, grad: (grad * ctx.saved_tensors[0], None), setup_context=setup_context)
    x = leaf(lib, 0.5, 1.0)
    y = op(x)
    kept = [y.grad_fn.a, y.grad_fn.saved_tensors[0]]
    (first,) = lib.autograd.grad(y.sum(), x, create_graph=True)
    first.sum().backward()
    return [kept, first, x.grad]


@scenario
def a_saved_input_that_was_changed(lib: Any) -> Any:
    op = sine(lib, fresh())
    x = leaf(lib, 0.5)
    z = x * 1
    y = op(z)
    z.mul_(2)
    try:
        y.backward()
    except RuntimeError:
        return "refused"
    return x.grad


@scenario
def hooks_around_an_operator(lib: Any) -> Any:
    op = sine(lib, fresh())
    log: list[Any] = []
    x = leaf(lib, 0.5)
    y = op(x)
    y.register_hook(lambda grad: log.append(["tensor", grad]))
    y.grad_fn.register_prehook(lambda grads: log.append(["pre", grads[0]]))
    y.grad_fn.register_hook(lambda inputs, outputs: log.append(["post", inputs[0], outputs[0]]))
    y.backward()
    return log


@scenario
def saved_tensors_are_packed(lib: Any) -> Any:
    op = sine(lib, fresh())
    log: list[Any] = []
    x = leaf(lib, 0.5)
    with lib.autograd.graph.saved_tensors_hooks(
        lambda t: (log.append("pack"), t)[1], lambda t: (log.append("unpack"), t)[1]
    ):
        y = op(x)
    y.backward()
    return [log, x.grad]


@scenario
def an_operator_of_operators(lib: Any) -> Any:
    inner = sine(lib, fresh())
    outer = with_schema(lib, "(Tensor x) -> Tensor", lambda x: inner(x) * 2)

    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs)

    def backward(ctx: Any, grad: Any) -> Any:
        with lib.enable_grad():
            x = ctx.saved_tensors[0].detach().requires_grad_()
            (result,) = lib.autograd.grad(inner(x) * 2, x, grad)
        return result

    outer.register_autograd(backward, setup_context=setup_context)
    x = leaf(lib, 0.5, 1.0)
    outer(x).sum().backward()
    return x.grad


@scenario
def complex_numbers(lib: Any) -> Any:
    op = with_schema(lib, "(Tensor x, complex c) -> Tensor", lambda x, c: x * c)

    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.c = inputs[1]

    op.register_autograd(lambda ctx, grad: (grad * ctx.c.conjugate(), None), setup_context=setup_context)
    x = lib.tensor([1 + 2j, 3 - 1j], dtype=lib.complex128, requires_grad=True)
    y = op(x, 2 + 1j)
    y.abs().sum().backward()
    return [y, x.grad]


# ---- what both refuse ------------------------------------------------------------------------------------------------


def with_schema(lib: Any, schema: str, kernel: Any, **options: Any) -> Any:
    return lib.library.custom_op(fresh(), kernel, schema=schema, **{"mutates_args": (), **options})


def one(lib: Any) -> Any:
    return leaf(lib, 1.0, requires_grad=False)


@refused
def a_result_that_is_the_argument(lib: Any) -> Any:
    return with_schema(lib, "(Tensor x) -> Tensor", lambda x: x)(one(lib))


@refused
def a_result_that_is_a_view(lib: Any) -> Any:
    return with_schema(lib, "(Tensor x) -> Tensor", lambda x: x.reshape(-1)[:1])(one(lib))


@refused
def a_result_that_is_no_tensor(lib: Any) -> Any:
    return with_schema(lib, "(Tensor x) -> Tensor", lambda x: "no")(one(lib))


@refused
def a_result_where_none_is_declared(lib: Any) -> Any:
    return with_schema(lib, "(Tensor x) -> ()", lambda x: x.clone())(one(lib))


@refused
def a_float_for_an_int(lib: Any) -> Any:
    return with_schema(lib, "(Tensor x, int n) -> Tensor", lambda x, n: x.clone())(one(lib), 2.0)


@refused
def a_number_for_a_string(lib: Any) -> Any:
    return with_schema(lib, "(Tensor x, str s) -> Tensor", lambda x, s: x.clone())(one(lib), 3)


@refused
def a_number_for_a_tensor(lib: Any) -> Any:
    return with_schema(lib, "(Tensor x) -> Tensor", lambda x: x.clone())(3.0)


@refused
def too_few_arguments(lib: Any) -> Any:
    return with_schema(lib, "(Tensor x, int n) -> Tensor", lambda x, n: x.clone())(one(lib))


@refused
def too_many_arguments(lib: Any) -> Any:
    return with_schema(lib, "(Tensor x) -> Tensor", lambda x: x.clone())(one(lib), 2)


@refused
def an_argument_twice(lib: Any) -> Any:
    return with_schema(lib, "(Tensor x) -> Tensor", lambda x: x.clone())(one(lib), x=one(lib))


@refused
def an_unknown_type_in_a_schema(lib: Any) -> Any:
    return with_schema(lib, "(Tensr x) -> Tensor", lambda x: x)


@refused
def an_unclosed_schema(lib: Any) -> Any:
    return with_schema(lib, "(Tensor x -> Tensor", lambda x: x)


@refused
def a_schema_that_contradicts_mutates_args(lib: Any) -> Any:
    return with_schema(lib, "(Tensor x) -> ()", lambda x: None, mutates_args=("x",))


@refused
def a_name_without_namespace(lib: Any) -> Any:
    return lib.library.custom_op("nameless", lambda x: x, mutates_args=(), schema="(Tensor x) -> Tensor")


@refused
def an_unknown_operator_in_ops(lib: Any) -> Any:
    return lib.ops.oracle.there_is_no_such_operator


@refused
def a_fake_for_an_unknown_operator(lib: Any) -> Any:
    lib.library.register_fake("oracle::there_is_no_such_operator", lambda x: x)


@refused
def a_definition_twice(lib: Any) -> Any:
    name = fresh("twice")
    lib.library.define(name, "(Tensor x) -> Tensor")
    lib.library.define(name, "(Tensor x) -> Tensor")


@refused
def a_call_without_kernel(lib: Any) -> Any:
    name = fresh("bare")
    lib.library.define(name, "(Tensor x) -> Tensor")
    return getattr(lib.ops.oracle, name.partition("::")[2])(one(lib))


@refused
def a_formula_for_an_operator_that_writes(lib: Any) -> Any:
    op = with_schema(lib, "(Tensor(a!) x) -> ()", lambda x: None, mutates_args=("x",))
    op.register_autograd(lambda ctx: None)


@refused
def a_gradient_without_formula(lib: Any) -> Any:
    op = with_schema(lib, "(Tensor x) -> Tensor", lambda x: x.clone())
    op(leaf(lib, 1.0)).sum().backward()


@refused
def too_few_gradients(lib: Any) -> Any:
    op = with_schema(lib, "(Tensor x, Tensor y) -> Tensor", lambda x, y: x * y)
    op.register_autograd(lambda ctx, grad: grad)
    op(leaf(lib, 1.0), leaf(lib, 2.0)).sum().backward()


@refused
def too_few_gradients_for_a_list(lib: Any) -> Any:
    op = with_schema(lib, "(Tensor[] xs) -> Tensor", lambda xs: xs[0] + xs[1])
    op.register_autograd(lambda ctx, grad: [grad])
    op([leaf(lib, 1.0), leaf(lib, 2.0)]).sum().backward()


@refused
def a_parameter_without_annotation(lib: Any) -> Any:
    def bare(x):  # type: ignore[no-untyped-def]
        return x

    return lib.library.infer_schema(bare, mutates_args=())


@refused
def a_tuple_parameter(lib: Any) -> Any:
    def paired(x: lib.Tensor, pair: Tuple[int, int]) -> lib.Tensor:
        return x

    return lib.library.infer_schema(paired, mutates_args=())


@refused
def a_name_in_mutates_args_that_is_no_parameter(lib: Any) -> Any:
    def single(x: lib.Tensor) -> lib.Tensor:
        return x

    return lib.library.infer_schema(single, mutates_args={"y"})


@refused
def a_number_in_mutates_args(lib: Any) -> Any:
    def single(x: lib.Tensor, n: int) -> lib.Tensor:
        return x

    return lib.library.infer_schema(single, mutates_args={"n"})


test_operators = scenario.test()
test_refusals = refused.test(fails=True)


# ---- schemas ---------------------------------------------------------------------------------------------------------

SCHEMAS = """
f(Tensor x) -> Tensor
f(Tensor x, Tensor? y, Tensor[] zs, int n, *, bool flag=False, str mode="x", Device? device=None) -> (Tensor, Tensor)
f.overload(Tensor(a) x, int[2] k=1, int[]? p=None) -> Tensor(a)
f(Tensor(a!) x, Tensor(b!)[] ys) -> ()
f(Tensor(a!) self) -> Tensor(a!)
f(Tensor x, Scalar s, complex c, SymInt n=3) -> (Tensor first, Tensor second)
f(Tensor?[] xs, str? s=None, bool[3] mask) -> Tensor[]
f() -> ()
f(Tensor x) -> ((Tensor))
f(Tensor x) -> (Tensor, int, bool)
ns::f(Tensor x) -> Tensor
f(Tensor(a! -> b) x) -> Tensor(b)
f(int n=-3) -> Tensor
f(Tensor x, *, Tensor(a!) out) -> Tensor(a!)
""".strip().splitlines()


@pytest.mark.parametrize("text", SCHEMAS)
def test_schemas_are_read_alike(text: str) -> None:
    ours, theirs = ad.library.parse_schema(text), torch._C.parse_schema(text)
    assert str(ours) == str(theirs)
    assert ours.name == theirs.name and ours.overload_name == theirs.overload_name
    assert ours.is_mutable == theirs.is_mutable
    for a, b in zip(ours.arguments, theirs.arguments, strict=True):
        assert (a.name, a.kwarg_only, a.has_default_value()) == (b.name, b.kwarg_only, b.has_default_value())
        assert (a.alias_info is None) == (b.alias_info is None)
        if a.alias_info is not None:
            assert a.alias_info.is_write == b.alias_info.is_write


WRONG_SCHEMAS = """
f(Tensor x,) -> Tensor
f(Tensor x)
f(Tensr x) -> Tensor
f(int a=1, int b) -> Tensor
f(Tensor x=3) -> Tensor
f(Tensor x] -> Tensor
(Tensor x) -> Tensor
f(Tensor) -> Tensor
f(Tensor x) -> Tensor extra)
""".strip().splitlines()


@pytest.mark.parametrize("text", WRONG_SCHEMAS)
def test_schemas_are_refused_alike(text: str) -> None:
    with pytest.raises(RuntimeError):
        torch._C.parse_schema(text)
    with pytest.raises(RuntimeError):
        ad.library.parse_schema(text)


def prototypes(lib: Any) -> list[Any]:
    Number = Union[int, float, bool]

    def plain(x: lib.Tensor) -> lib.Tensor: ...
    def several(x: lib.Tensor, y: Optional[lib.Tensor], n: int = 3) -> Tuple[lib.Tensor, lib.Tensor]: ...
    def lists(xs: List[lib.Tensor], ys: Sequence[lib.Tensor], zs: list[lib.Tensor], w: List[float]) -> lib.Tensor: ...
    def optional(xs: List[Optional[lib.Tensor]], n: Optional[List[int]] = None, m: int | None = None) -> lib.Tensor: ...
    def scalars(x: lib.Tensor, s: Number, b: bool = True, a: float = 1.5, t: str = "hi") -> lib.Tensor: ...
    def others(x: lib.Tensor, *, d: lib.dtype, e: Optional[lib.device] = None) -> lib.Tensor: ...
    def default_dtype(x: lib.Tensor, d: lib.dtype = lib.float64, e: lib.device = "cpu") -> lib.Tensor: ...
    def nothing(x: lib.Tensor) -> None: ...
    def list_result(x: lib.Tensor) -> List[lib.Tensor]: ...
    def numbers(x: lib.Tensor) -> Tuple[int, float, bool]: ...
    def single_tuple(x: lib.Tensor) -> Tuple[lib.Tensor]: ...

    return [
        plain, several, lists, optional, scalars, others, default_dtype, nothing, list_result, numbers, single_tuple,
    ]  # fmt: skip


@pytest.mark.parametrize("number", range(len(prototypes(torch))))
def test_schemas_are_inferred_alike(number: int) -> None:
    ours, theirs = prototypes(ad)[number], prototypes(torch)[number]
    assert ad.library.infer_schema(ours, mutates_args=()) == torch.library.infer_schema(theirs, mutates_args=())
    found = ad.library.infer_schema(ours, mutates_args="unknown", op_name="f")
    assert found == torch.library.infer_schema(theirs, mutates_args="unknown", op_name="f")


@pytest.mark.parametrize("number", range(3))
def test_mutated_arguments_are_inferred_alike(number: int) -> None:
    names = [("x",), ("x", "y"), ("xs", "zs")][number]
    ours, theirs = prototypes(ad)[number], prototypes(torch)[number]
    assert ad.library.infer_schema(ours, mutates_args=names) == torch.library.infer_schema(theirs, mutates_args=names)


BASES = ("Tensor", "int", "SymInt", "float", "bool", "str", "Scalar", "ScalarType", "Device", "complex")


@st.composite
def schemas(draw: Any) -> str:
    """Any schema, apart from defaults that both write differently."""

    def written(number: int, kinds: Any = BASES) -> str:
        base = draw(st.sampled_from(kinds))
        alias = draw(st.sampled_from(["", "(a{})", "(a{}!)"])).format(number) if base == "Tensor" else ""
        return base + alias + draw(st.sampled_from(["", "?", "[]", "[]?", "[2]"]))

    count = draw(st.integers(0, 5))
    star = draw(st.integers(0, count))
    parts = [f"{written(number)} x{number}" for number in range(count)]
    parts = [*parts[:star], *(["*"] if star < count else []), *parts[star:]]
    defaults = ("int n=3", "bool b=True", 'str s="q r"', "Tensor? t=None", "int[] k=[1, 2]", "Device? d=None")
    parts += draw(st.lists(st.sampled_from(defaults), unique=True))
    results = [written(9, ("Tensor", "int", "float", "bool")) for _ in range(draw(st.integers(0, 3)))]
    name = draw(st.sampled_from(["f", "ns::f", "f.o", "ns::f.out"]))
    return f"{name}({', '.join(parts)}) -> {results[0] if len(results) == 1 else '(' + ', '.join(results) + ')'}"


@given(schemas())
def test_any_schema_is_read_alike(text: str) -> None:
    ours, theirs = ad.library.parse_schema(text), torch._C.parse_schema(text)
    assert str(ours) == str(theirs) == text
    assert ad.library.parse_schema(str(ours)) == ours
