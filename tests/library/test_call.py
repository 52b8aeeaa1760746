"""Calling an operator: arguments, kernels, results, and what a kernel may not do."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint import Tensor, library
from tests.library.helpers import fresh, from_schema, leaf, numpy_sine


def test_values_reach_the_kernel_as_the_schema_says() -> None:
    seen: list[Any] = []

    def kernel(x: Any, y: Any, zs: Any, n: Any, a: Any, k: Any, *, d: Any, e: Any) -> Any:
        seen.append((y, zs, n, a, k, d, e))
        return x * 1

    arguments = "Tensor x, Tensor? y, Tensor[] zs, int n, float a, int[2] k"
    op = from_schema(f'({arguments}, *, ScalarType d=float32, Device e="cpu") -> Tensor', kernel)
    x = ad.ones(2)
    op(x, None, (x, x), np.int32(3), 2, 5, d="float64")
    op(x, x, [], n=True, a=np.float32(0.5), k=(1, 2), e=ad.device("cpu"))
    (y, zs, n, a, k, d, e), (y2, zs2, n2, a2, k2, d2, _) = seen
    assert y is None and type(zs) is list and len(zs) == 2 and type(n) is int and type(a) is float and k == [5, 5]
    assert d is ad.float64 and isinstance(e, ad.device)
    assert y2 is x and zs2 == [] and n2 == 1 and type(n2) is int and a2 == 0.5 and k2 == [1, 2] and d2 is ad.float32


def test_arrays_are_taken_for_tensors() -> None:
    op = from_schema("(Tensor x) -> Tensor", lambda x: x * 2)
    assert op(np.ones(2)).tolist() == [2.0, 2.0]


@pytest.mark.parametrize(
    ("args", "kwargs", "complaint"),
    [
        ((), {}, "needs the argument 'x'"),
        ((1.0, 2), {}, "type Tensor for the argument 'x', got 1.0"),
        (("t", 2.5), {}, "type int for the argument 'n', got 2.5"),
        (("t", "2"), {}, "type int for the argument 'n', got '2'"),
        (("t", 2, "a"), {}, "type float for the argument 'a', got 'a'"),
        (("t", 2, 1.0, 3), {}, "type Tensor\\[\\]\\? for the argument 'zs', got 3"),
        (("t", 2, 1.0, ["t", 3]), {}, "item 1 is 3"),
        (("t", 2, 1.0, [], 1), {}, "at most 4 positional arguments, got 5"),
        (("t", 2), {"x": "t"}, "'x' both by position and by name"),
        (("t", 2), {"other": 1}, "no argument 'other'"),
        (("t", 2), {"s": 3}, "type str for the argument 's'"),
        ((None, 2), {}, "type Tensor for the argument 'x', got None"),
    ],
)
def test_wrong_arguments_are_named(args: Any, kwargs: Any, complaint: str) -> None:
    op = from_schema("(Tensor x, int n, float a=1.0, Tensor[]? zs=None, *, str s='q') -> Tensor", lambda *_, **__: None)
    tensor = ad.ones(1)

    def real(value: Any) -> Any:
        return tensor if value == "t" else [real(item) for item in value] if isinstance(value, list) else value

    with pytest.raises(RuntimeError, match=complaint) as caught:
        op(*map(real, args), **{key: real(value) for key, value in kwargs.items()})
    assert op.qualname in str(caught.value) and str(op.schema) in str(caught.value)


def test_several_results_and_none() -> None:
    x = ad.ones(2)
    assert from_schema("(Tensor x) -> ()", lambda x: None)(x) is None
    both = from_schema("(Tensor x) -> (Tensor, int)", lambda x: [x * 2, 3])(x)
    assert type(both) is tuple and both[1] == 3
    single = from_schema("(Tensor x) -> ((Tensor))", lambda x: (x * 2,))(x)
    assert type(single) is tuple and len(single) == 1
    assert from_schema("(Tensor x) -> Tensor?", lambda x: None)(x) is None


def test_kernels_may_return_arrays() -> None:
    op = from_schema("(Tensor x) -> (Tensor, Tensor)", lambda x: (x.numpy() * 2, np.sum(x.numpy())))
    doubled, total = op(ad.ones(2))
    assert doubled.tolist() == [2.0, 2.0] and total.shape == () and total.item() == 2


@pytest.mark.parametrize(
    ("schema", "result", "complaint"),
    [
        ("(Tensor x) -> Tensor", lambda x: None, "the result has to be a Tensor"),
        ("(Tensor x) -> Tensor", lambda x: (x * 1, x * 1), "the result has to be a Tensor"),
        ("(Tensor x) -> (Tensor, Tensor)", lambda x: x * 1, "tuple of 2"),
        ("(Tensor x) -> (Tensor, Tensor)", lambda x: (x * 1,), "tuple of 2"),
        ("(Tensor x) -> (Tensor, int)", lambda x: (x * 1, 2.5), "result 1 has to be a int"),
        ("(Tensor x) -> Tensor[]", lambda x: x * 1, "the result has to be a Tensor\\[\\]"),
        ("(Tensor x) -> Tensor[]", lambda x: [x * 1, 3], "the result has to be a Tensor\\[\\]"),
        ("(Tensor x) -> ()", lambda x: x * 1, "has to return None"),
    ],
)
def test_wrong_results_are_named(schema: str, result: Any, complaint: str) -> None:
    op = from_schema(schema, result)
    with pytest.raises(RuntimeError, match=complaint) as caught:
        op(ad.ones(1))
    assert op.qualname in str(caught.value) and "test_call.py:" in str(caught.value)


def test_kernels_get_tensors_without_history() -> None:
    seen: list[Any] = []

    def kernel(x: Any) -> Any:
        seen.append((x.requires_grad, ad.is_grad_enabled(), type(x)))
        return ad.from_numpy(x.numpy() * 2)

    op = from_schema("(Tensor x) -> Tensor", kernel)
    op.register_autograd(lambda ctx, grad: grad * 2)
    x = leaf(1.0)
    op(x)
    op(x.detach())
    assert seen == [(False, False, Tensor)] * 2
    assert op(x * 1).requires_grad


def test_a_result_with_history_of_the_kernel_is_new() -> None:
    weight = leaf(3.0)

    def kernel(x: Any) -> Any:
        with ad.enable_grad():
            return x * weight

    assert not from_schema("(Tensor x) -> Tensor", kernel)(ad.ones(1, dtype=ad.float64)).requires_grad


@pytest.mark.parametrize(
    ("schema", "kernel", "what"),
    [
        ("(Tensor x) -> Tensor", lambda x: x, "the argument 'x'"),
        ("(Tensor x) -> Tensor", lambda x: x[:1], "the argument 'x'"),
        ("(Tensor x) -> Tensor", lambda x: ad.from_numpy(x.numpy()), "the argument 'x'"),
        ("(Tensor x, Tensor[] ys) -> Tensor", lambda x, ys: ys[1].reshape(-1), "the argument 'ys'"),
        ("(Tensor x) -> Tensor[]", lambda x: [x * 1, x.view(-1)], "the argument 'x'"),
    ],
)
def test_results_may_not_be_aliases_of_arguments(schema: str, kernel: Any, what: str) -> None:
    op = from_schema(schema, kernel)
    x = ad.ones(2)
    args = (x, [ad.ones(2), ad.ones(2)]) if "ys" in schema else (x,)
    with pytest.raises(RuntimeError, match=f"alias of {re.escape(what)}.*clone"):
        op(*args)


def test_results_may_not_be_aliases_of_each_other() -> None:
    def twice(x: Any) -> Any:
        y = x * 2
        return y, y[:1]

    def in_a_list(x: Any) -> Any:
        y = x * 2
        return [y, y]

    with pytest.raises(RuntimeError, match="alias of result 0"):
        from_schema("(Tensor x) -> (Tensor, Tensor)", twice)(ad.ones(2))
    with pytest.raises(RuntimeError, match="another tensor of the same list"):
        from_schema("(Tensor x) -> Tensor[]", in_a_list)(ad.ones(2))


def test_a_declared_view_is_allowed() -> None:
    op = from_schema("(Tensor(a) x) -> Tensor(a)", lambda x: x[:2])
    op.register_autograd(lambda ctx, grad: ad.cat([grad, ad.zeros(1, dtype=ad.float64)]))
    x = leaf(1.0, 2.0, 3.0)
    y = op(x * 1)
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0, 0.0]
    with pytest.raises(RuntimeError, match="custom Function"):
        y.mul_(2)


# ---- kernels for devices and array libraries -------------------------------------------------------------------------


def test_the_kernel_of_the_library_then_of_the_device_then_any() -> None:
    op = from_schema("(Tensor x) -> Tensor", lambda x: ad.zeros(1))
    x = ad.ones(1)
    found = [op(x).item()]
    op.register_kernel("cpu")(lambda x: ad.zeros(1) + 1)
    found.append(op(x).item())
    library.register_kernel(op, ("numpy", "cuda"), lambda x: ad.zeros(1) + 2)
    found.append(op(x).item())
    assert found == [0.0, 1.0, 2.0]
    with op.set_kernel_enabled("numpy", enabled=False):
        assert op(x).item() == 1.0
        with op.set_kernel_enabled("cpu", enabled=False), op.set_kernel_enabled("numpy", enabled=True):
            assert op(x).item() == 2.0
    assert op(x).item() == 2.0


def test_a_switched_off_only_kernel_leaves_the_function() -> None:
    @library.custom_op(fresh(), mutates_args=(), device_types="cpu")
    def op(x: Tensor) -> Tensor:
        return x * 2

    with op.set_kernel_enabled("cpu", enabled=False):
        assert op(ad.ones(1)).item() == 2


def test_a_call_without_kernel_says_what_there_is() -> None:
    @library.custom_op(fresh(), mutates_args=(), device_types="cuda")
    def op(x: Tensor) -> Tensor:
        return x * 2

    with pytest.raises(
        NotImplementedError, match="no kernel for 'numpy' on 'cpu': there are kernels for 'cuda'"
    ) as caught:
        op(ad.ones(1))
    assert "test_call.py:" in str(caught.value)


def test_a_device_argument_chooses_where_there_is_no_tensor() -> None:
    @library.custom_op(fresh(), mutates_args=(), device_types="cpu")
    def make(n: int, device: ad.device) -> Tensor:
        return ad.ones(n)

    assert make(2, "cpu").shape == (2,)
    with pytest.raises(NotImplementedError, match="'cuda'"):
        make(2, "cuda")
    with pytest.raises(ValueError, match="Device"):
        from_schema("(int n) -> Tensor", lambda n: ad.ones(n), device_types="cpu")


def test_a_factory_without_device() -> None:
    assert from_schema("(int n) -> Tensor", lambda n: ad.ones(n))(3).shape == (3,)


def test_errors_of_kernels_pass_through() -> None:
    def broken(x: Any) -> Any:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        from_schema("(Tensor x) -> Tensor", broken)(ad.ones(1))
    assert ad.is_grad_enabled()


# ---- writing to arguments --------------------------------------------------------------------------------------------


def double_in_place() -> Any:
    def kernel(x: Any) -> None:
        array = x.numpy()
        array *= 2

    return from_schema("(Tensor(a!) x) -> ()", kernel, mutates_args=("x",))


def test_a_write_is_counted_once() -> None:
    op = double_in_place()
    x = ad.ones(2)
    view = x[:1]
    op(x)
    assert x.tolist() == [2.0, 2.0] and x._version == 1 and view._version == 1


def test_a_write_by_operators_of_a_tensor_that_requires_grad_reaches_it() -> None:
    def kernel(x: Any) -> None:
        x.mul_(2)

    op = from_schema("(Tensor(a!) x) -> ()", kernel, mutates_args=("x",))
    x = leaf(1.0, 2.0)
    with ad.no_grad():
        op(x)
    assert x.tolist() == [2.0, 4.0] and x._version == 1 and x.is_leaf and x.requires_grad


def test_saved_values_that_were_written_to_are_noticed() -> None:
    x, w = leaf(1.0, 2.0, requires_grad=False), leaf(3.0, 4.0)
    y = (x * w).sum()
    double_in_place()(x[:1])
    with pytest.raises(RuntimeError, match="modified by an in-place operation"):
        y.backward()


def test_a_leaf_that_requires_grad_is_not_written_to() -> None:
    x = leaf(1.0)
    with pytest.raises(RuntimeError, match="a leaf that requires grad cannot be changed in place"):
        double_in_place()(x)
    with pytest.raises(RuntimeError, match="view of a leaf"):
        double_in_place()(x[:])
    assert x.item() == 1.0


def test_history_would_be_lost_by_a_write() -> None:
    x = leaf(1.0)
    y = x * 1
    with pytest.raises(RuntimeError, match=r"autograd not implemented.*writes to x"):
        double_in_place()(y)
    assert y.item() == 1.0
    copy = from_schema("(Tensor(a!) x, Tensor y) -> ()", lambda x, y: None, mutates_args=("x",))
    with pytest.raises(RuntimeError, match="autograd not implemented"):
        copy(ad.ones(1), y)  # what is written depends on y, which nobody would know


def test_inference_tensors_are_not_written_to_outside() -> None:
    with ad.inference_mode():
        x = ad.ones(2)
        double_in_place()(x)
    with pytest.raises(RuntimeError, match="inference tensor"):
        double_in_place()(x)
    assert x.tolist() == [2.0, 2.0]


def test_an_undeclared_write_is_refused() -> None:
    op = from_schema("(Tensor x, Tensor y) -> Tensor", lambda x, y: y.add_(1) * 2)
    with pytest.raises(RuntimeError, match="has changed 'y' in place, but") as caught:
        op(ad.ones(1), ad.ones(1))
    assert op.qualname in str(caught.value) and "mutates_args" in str(caught.value)


def test_what_is_written_to_can_be_returned() -> None:
    def double_(x: Tensor) -> Tensor:
        array = x.numpy()
        array *= 2
        return x

    op = library.custom_op(fresh(), double_, mutates_args=("x",), tags=library.Tag.inplace)
    x = ad.ones(1)
    assert op(x) is x and x.item() == 2
    wrong = library.custom_op(fresh(), lambda x: x.clone(), mutates_args=("x",), schema="(Tensor(a!) x) -> Tensor(a!)")
    with pytest.raises(RuntimeError, match="return the argument that it writes to"):
        wrong(x)


def test_keyword_only_tensors_are_for_results() -> None:
    with pytest.raises(NotImplementedError, match="by name only"):
        from_schema("(Tensor x, *, Tensor y) -> Tensor", lambda x, y: x * y)

    def double(x: Tensor, *, out: Tensor) -> Tensor:
        np.multiply(x.numpy(), 2, out=out.numpy())
        return out

    op = library.custom_op(fresh(), double, mutates_args=("out",), tags="out")
    x, out = ad.ones(2), ad.zeros(2)
    assert op(x, out=out) is out and out.tolist() == [2.0, 2.0]
    with pytest.raises(RuntimeError, match="autograd not implemented"):
        op(ad.ones(2, requires_grad=True), out=out)


def test_sine_works_at_all() -> None:
    np.testing.assert_allclose(numpy_sine()(leaf(0.5)).detach().numpy(), np.sin([0.5]))


def test_new_results_beside_a_write_would_lose_their_gradient() -> None:
    op = from_schema("(Tensor x, Tensor(a!) count) -> Tensor", lambda x, count: x * 2, mutates_args=("count",))
    count = ad.zeros(1, dtype=ad.int64)
    assert op(ad.ones(1), count).item() == 2 and count._version == 1
    with pytest.raises(RuntimeError, match="autograd not implemented"):
        op(leaf(1.0), count)


def test_a_list_of_tensors_is_written_to() -> None:
    def kernel(xs: Any) -> None:
        for x in xs:
            array = x.numpy()
            array += 1

    op = from_schema("(Tensor(a!)[] xs) -> ()", kernel, mutates_args=("xs",))
    a, b = ad.ones(1), ad.ones(1)
    op([a, b])
    assert (a.item(), b.item(), a._version, b._version) == (2, 2, 1, 1)
    with pytest.raises(RuntimeError, match="a leaf that requires grad"):
        op([a, leaf(1.0)])


def test_a_kernel_may_keep_what_it_returns() -> None:
    table = leaf(1.0, 2.0, requires_grad=False)
    op = from_schema("(Tensor x) -> Tensor", lambda x: table)
    op.register_autograd(lambda ctx, grad: grad * 0)
    y = op(leaf(0.0, 0.0))
    assert y.requires_grad and y is not table and not table.requires_grad


def test_a_factory_for_numpy() -> None:
    @library.custom_op(fresh(), mutates_args=(), device_types="numpy")
    def make(n: int, device: ad.device = "cpu") -> Tensor:
        return ad.ones(n)

    assert make(2).shape == (2,)


def test_an_out_overload_needs_no_tag() -> None:
    name = fresh().split("::")[0]
    lib = library.Library(name, "DEF")
    lib.define("double(Tensor x) -> Tensor")
    lib.define("double.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)")
    lib.impl("double", lambda x: 2 * x, "CPU")
    lib.impl("double.out", lambda x, *, out: out.copy_(2 * x), "CPU")
    double, out = getattr(ad.ops, name).double, ad.zeros(2)
    assert double(ad.ones(2), out=out) is out
    assert out.tolist() == [2.0, 2.0] and double(ad.ones(2)).tolist() == [2.0, 2.0]
