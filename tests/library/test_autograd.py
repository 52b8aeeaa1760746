"""Formulas: all of `Function`'s abilities for operators, lists of tensors included, and mistakes in them by name."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint import Tensor, func, library
from adjoint.autograd import forward_ad, gradcheck, gradgradcheck
from tests.library.helpers import fresh, from_schema, leaf, numpy_sine


def weighted_sum() -> Any:
    """An operator with everything: a list, an optional tensor, numbers, a keyword, several results of each kind."""

    @library.custom_op(fresh("weighted"), mutates_args=())
    def op(
        xs: list[Tensor], ws: list[float], bias: Tensor | None = None, *, k: int = 1
    ) -> tuple[Tensor, list[Tensor], int]:
        total = np.sum([x.numpy() * w for x, w in zip(xs, ws)], axis=0) * k
        if bias is not None:
            total = total + bias.numpy()
        return ad.from_numpy(total), [ad.from_numpy(x.numpy() ** 2) for x in xs], len(xs)

    def keep(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs[0])
        ctx.ws, ctx.k, ctx.has_bias = inputs[1], keyword_only_inputs["k"], inputs[2] is not None

    def backward(ctx: Any, total: Any, squares: Any, count: Any) -> Any:
        assert count is None and isinstance(squares, list)
        xs = [total * w * ctx.k + 2 * x * g for w, x, g in zip(ctx.ws, ctx.saved_tensors, squares)]
        return xs, None, total if ctx.has_bias else None

    op.register_autograd(backward, setup_context=keep)
    return op


def test_gradients_of_all_orders_in_both_modes() -> None:
    op = numpy_sine()
    x = leaf(0.3, -1.0, 2.0)
    assert gradcheck(op, (x,), check_forward_ad=True)
    assert gradgradcheck(op, (x,))


def test_lists_and_optional_tensors() -> None:
    op = weighted_sum()
    a, b, bias = leaf(1.0, 2.0), leaf(3.0, 4.0), leaf(0.5, 0.5)
    assert gradcheck(lambda a, b, c: op([a, b], [0.5, 2.0], c, k=3)[0], (a, b, bias), check_forward_ad=True)
    assert gradcheck(lambda a, b: tuple(op([a, b], [0.5, 2.0])[1]), (a, b), check_forward_ad=True)
    assert gradgradcheck(lambda a, b: op([a, b], [0.5, 2.0])[1][1], (a, b))
    total, squares, count = op([a, b.detach()], [1.0, 1.0])
    assert count == 2 and total.requires_grad and all(one.requires_grad for one in squares)


def test_one_tensor_several_times() -> None:
    op = weighted_sum()
    x = leaf(1.0, 2.0)
    total, squares, _ = op([x, x], [1.0, 2.0], x)
    (total.sum() + squares[0].sum()).backward()
    np.testing.assert_allclose(x.grad.numpy(), [4.0 + 2.0, 4.0 + 4.0])


def test_needs_input_grad_has_the_form_of_the_arguments() -> None:
    seen: list[Any] = []
    op = from_schema("(Tensor x, Tensor[] ys, int n, Tensor? z=None) -> Tensor", lambda x, ys, n, z: x * 1)

    def keep(ctx: Any, inputs: Any, output: Any) -> None:
        seen.append(ctx.needs_input_grad)

    def backward(ctx: Any, grad: Any) -> Any:
        seen.append(ctx.needs_input_grad)
        return grad, [None, None], None, None

    op.register_autograd(backward, setup_context=keep)
    op(leaf(1.0), [leaf(1.0), ad.ones(1)], 3).sum().backward()
    assert seen == [(True, [True, False], False, False)] * 2


def test_transforms() -> None:
    op = numpy_sine()
    x, m = leaf(0.3, 1.0, 2.0, requires_grad=False), ad.tensor([[0.3, 1.0], [2.0, 0.1]], dtype=ad.float64)

    def total(x: Any) -> Any:
        return op(x).sum()

    np.testing.assert_allclose(func.grad(total)(x).numpy(), np.cos(x.numpy()))
    third = func.grad(lambda x: func.grad(lambda x: func.grad(total)(x).sum())(x).sum())
    np.testing.assert_allclose(third(x).numpy(), -np.cos(x.numpy()))
    value, tangent = func.jvp(op, (x,), (x,))
    np.testing.assert_allclose(value.numpy(), np.sin(x.numpy()))
    np.testing.assert_allclose(tangent.numpy(), np.cos(x.numpy()) * x.numpy())
    np.testing.assert_allclose(func.vmap(func.grad(total))(m).numpy(), np.cos(m.numpy()))
    np.testing.assert_allclose(func.grad(lambda m: func.vmap(op)(m).sum())(m).numpy(), np.cos(m.numpy()))
    np.testing.assert_allclose(func.vmap(func.vmap(op))(m).numpy(), np.sin(m.numpy()))


@pytest.mark.parametrize("transform", ["jacrev", "jacfwd"])
def test_jacobians(transform: str) -> None:
    op = numpy_sine()
    x = leaf(0.3, 1.0, 2.0, requires_grad=False)
    np.testing.assert_allclose(getattr(func, transform)(op)(x).numpy(), np.diag(np.cos(x.numpy())))
    hessian = func.hessian(lambda x: op(x).sum())(x)
    np.testing.assert_allclose(hessian.numpy(), np.diag(-np.sin(x.numpy())))


def test_an_operator_closed_over_by_a_transform() -> None:
    op = from_schema("(Tensor x, Tensor y) -> Tensor", lambda x, y: ad.from_numpy(x.numpy() * y.numpy()))

    def keep(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs)

    def backward(ctx: Any, grad: Any) -> Any:
        x, y = ctx.saved_tensors
        return op(grad, y), op(grad, x)

    op.register_autograd(backward, setup_context=keep)
    w = leaf(2.0, 3.0)
    x = leaf(1.0, 2.0, requires_grad=False)
    func.grad(lambda x: op(op(x, x), w).sum())(x).sum().backward()  # the gradient is 2xw, whose derivative by w is 2x
    np.testing.assert_allclose(w.grad.numpy(), [2.0, 4.0])


def test_forward_mode_beside_reverse() -> None:
    op = numpy_sine()
    x = leaf(0.3, 1.0)
    with forward_ad.dual_level():
        tangent = forward_ad.unpack_dual(op(forward_ad.make_dual(x, ad.ones_like(x)))).tangent
        assert tangent.requires_grad
    tangent.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), -np.sin(x.detach().numpy()))


def test_hooks_anomaly_mode_and_saved_tensor_hooks() -> None:
    op = numpy_sine()
    x = leaf(0.3, 1.0)
    packed: list[Any] = []

    def pack(tensor: Any) -> Any:
        packed.append(tensor.shape)
        return tensor.numpy().copy()

    with ad.autograd.graph.saved_tensors_hooks(pack, ad.from_numpy):
        y = op(x)
    seen: list[Any] = []
    y.register_hook(lambda grad: seen.append("tensor"))
    y.grad_fn.register_prehook(lambda grads: seen.append("before"))
    y.grad_fn.register_hook(lambda after, before: seen.append("after"))
    y.sum().backward()
    assert packed == [(2,)] and seen == ["tensor", "before", "after"]
    np.testing.assert_allclose(x.grad.numpy(), np.cos(x.detach().numpy()))

    broken = from_schema("(Tensor x) -> Tensor", lambda x: x * 1)
    broken.register_autograd(lambda ctx, grad: grad * float("nan"))
    with (
        pytest.warns(UserWarning, match="anomaly detection is on"),
        pytest.raises(RuntimeError, match=r"GeneratedBackwardFor_tests_.* returned NaN(.|\n)*test_autograd.py"),
        ad.autograd.detect_anomaly(),
    ):
        broken(x).sum().backward()


def test_what_was_saved_goes_with_the_graph() -> None:
    op = numpy_sine()
    x = leaf(0.3)
    z = x * 1
    y = op(z)
    ref = weakref.ref(z)
    del z
    assert ref() is not None
    del y
    gc.collect()
    assert ref() is None


def test_a_saved_input_that_was_changed_is_noticed() -> None:
    op = numpy_sine()
    x = leaf(0.3)
    z = x * 1
    y = op(z)
    z.add_(1)
    with pytest.raises(RuntimeError, match="modified by an in-place operation"):
        y.backward()


def test_a_formula_without_context() -> None:
    op = from_schema("(Tensor x, float a) -> Tensor", lambda x, a: x * 2)
    op.register_autograd(lambda ctx, grad: (grad * 2, None))
    x = leaf(1.0)
    op(x, 3.0).backward()
    assert x.grad.item() == 2


def test_results_that_are_not_differentiable() -> None:
    op = from_schema("(Tensor x) -> (Tensor, Tensor)", lambda x: (x * 2, ad.zeros(1, dtype=ad.int64)))
    op.register_autograd(lambda ctx, grad, nothing: grad * 2)
    y, indices = op(leaf(1.0))
    assert y.requires_grad and not indices.requires_grad


def test_only_numbers_as_results() -> None:
    op = from_schema("(Tensor x) -> int", lambda x: 3)
    op.register_autograd(lambda ctx, grad: None)
    assert op(leaf(1.0)) == 3


@pytest.mark.parametrize(
    ("schema", "returned", "complaint"),
    [
        ("(Tensor x, Tensor y) -> Tensor", lambda g: g, "it returned 1 gradients, expected 2: one for each of x, y"),
        ("(Tensor x, int n) -> Tensor", lambda g: (g, g), "gradient for 'n', a int: expected None"),
        ("(Tensor x) -> Tensor", lambda g: (g, g), "it returned 2 gradients, expected 1"),
        ("(Tensor x) -> Tensor", lambda g: 3.0, "gradient for 'x' has to be a Tensor or None, got 3.0"),
        ("(Tensor x) -> Tensor", lambda g: [g], "gradient for 'x' has to be a Tensor or None"),
        ("(Tensor x, Tensor? y=None) -> Tensor", lambda g: (g, g), "'y', which was None in the call"),
        ("(Tensor x, Tensor[] ys) -> Tensor", lambda g: (g, g), "'ys', a list of 2 tensors, has to be a list"),
        ("(Tensor x, Tensor[] ys) -> Tensor", lambda g: (g, [g]), "gradients for 'ys' has 1 items, expected 2"),
        ("(Tensor x, Tensor[] ys) -> Tensor", lambda g: (g, [g, 3]), "item 1 of the gradients for 'ys'"),
        ("(Tensor x, Tensor?[] ys) -> Tensor", lambda g: (g, [g, g]), "item 1 of 'ys' was no Tensor"),
    ],
)
def test_mistakes_in_a_formula_are_named(schema: str, returned: Any, complaint: str) -> None:
    op = from_schema(schema, lambda x, *rest: x * 1)
    op.register_autograd(lambda ctx, grad: returned(grad))
    rest: Any = ()
    if "ys" in schema:
        rest = ([leaf(1.0), None],) if "?" in schema else ([leaf(1.0), leaf(1.0)],)
    elif "? y" not in schema and "," in schema:
        rest = (leaf(1.0),) if "Tensor y" in schema else (3,)
    with pytest.raises(RuntimeError, match=complaint) as caught:
        op(leaf(1.0), *rest).backward()
    assert op.qualname in str(caught.value) and "test_autograd.py:" in str(caught.value)


def test_a_gradient_of_the_wrong_shape_is_refused() -> None:
    op = from_schema("(Tensor x) -> Tensor", lambda x: x * 1)
    op.register_autograd(lambda ctx, grad: ad.ones(3, dtype=ad.float64))
    with pytest.raises(RuntimeError, match="shape"):
        op(leaf(1.0, 2.0)).sum().backward()


def test_operators_that_write_have_no_formula() -> None:
    op = from_schema("(Tensor(a!) x) -> ()", lambda x: None, mutates_args=("x",))
    for register in (
        lambda: op.register_autograd(lambda ctx: None),
        lambda: op.impl_save_for_backward(lambda inputs, output: None),
        lambda: op.impl_backward(lambda ctx, saved: {}),
    ):
        with pytest.raises(RuntimeError, match="writes to its arguments"):
            register()


def test_a_later_formula_replaces_the_earlier() -> None:
    op = from_schema("(Tensor x) -> Tensor", lambda x: x * 1)
    op.register_autograd(lambda ctx, grad: grad * 2)
    library.register_autograd(op, lambda ctx, grad: grad * 3)
    x = leaf(1.0)
    op(x).backward()
    assert x.grad.item() == 3


# ---- batching --------------------------------------------------------------------------------------------------------


def test_vmap_by_a_rule_and_its_gradient() -> None:
    calls: list[Any] = []
    op = numpy_sine()

    @op.register_vmap
    def rule(info: Any, in_dims: Any, x: Any) -> Any:
        calls.append((info.batch_size, in_dims[0] is not None))
        return op(x), in_dims[0]

    m = ad.tensor([[0.3, 1.0], [2.0, 0.1]], dtype=ad.float64, requires_grad=True)
    y = func.vmap(op)(m)
    y.sum().backward()
    assert calls == [(2, True)]
    np.testing.assert_allclose(y.detach().numpy(), np.sin(m.detach().numpy()))
    np.testing.assert_allclose(m.grad.numpy(), np.cos(m.detach().numpy()))


def test_vmap_rule_with_lists_and_several_results() -> None:
    op = weighted_sum()
    seen: list[Any] = []

    @library.register_vmap(op)
    def rule(info: Any, in_dims: Any, xs: Any, ws: Any, bias: Any, *, k: Any) -> Any:
        seen.append([[dim is None for dim in in_dims[0]], in_dims[1:], k])
        xs = [x if dim is not None else x.expand((info.batch_size, *x.shape)) for x, dim in zip(xs, in_dims[0])]
        total, squares, count = op(xs, ws, bias, k=k)
        return (total, squares, count), (0, [0, 0], None)

    m, b = ad.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], dtype=ad.float64), leaf(1.0, 1.0, requires_grad=False)
    total, squares = func.vmap(lambda row: op([row, b], [1.0, 2.0], k=3)[:2])(m)
    np.testing.assert_allclose(total.numpy(), (m.numpy() + 2) * 3)
    np.testing.assert_allclose(squares[0].numpy(), m.numpy() ** 2)
    np.testing.assert_allclose(squares[1].numpy(), np.ones((3, 2)))
    assert seen == [[[False, True], (None, None), 3]]


def test_vmap_without_rule_goes_through_the_batch() -> None:
    op = weighted_sum()
    m, b = ad.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], dtype=ad.float64), leaf(1.0, 1.0, requires_grad=False)
    total, squares = func.vmap(lambda row: op([row, b], [1.0, 2.0], k=3)[:2])(m)
    np.testing.assert_allclose(total.numpy(), (m.numpy() + 2) * 3)
    np.testing.assert_allclose(squares[0].numpy(), m.numpy() ** 2)
    columns = func.vmap(lambda column: op([column], [2.0])[0], in_dims=1, out_dims=1)(m)
    np.testing.assert_allclose(columns.numpy(), m.numpy() * 2)


def test_vmap_rules_are_checked() -> None:
    op = numpy_sine()
    op.register_vmap(lambda info, in_dims, x: x)
    with pytest.raises(RuntimeError, match="pair \\(output, out_dims\\)"):
        func.vmap(op)(ad.ones(2, 2))


def test_numbers_that_differ_within_a_batch_are_refused() -> None:
    op = from_schema("(Tensor x) -> (Tensor, int)", lambda x: (x * 1, int(x.sum().item())))
    with pytest.raises(RuntimeError, match="do not fit together"):
        func.vmap(lambda x: op(x)[0])(ad.tensor([[1.0], [2.0]]))


# ---- no formula ------------------------------------------------------------------------------------------------------


def no_formula() -> Any:
    return from_schema("(Tensor x) -> Tensor", lambda x: ad.from_numpy(x.numpy() * 2))


def test_without_formula_all_is_well_until_a_gradient_arrives() -> None:
    op = no_formula()
    x = leaf(1.0)
    assert op(x.detach()).item() == 2
    with ad.no_grad():
        assert op(x).item() == 2
    assert func.vmap(op)(ad.ones(2, 1)).tolist() == [[2.0], [2.0]]
    assert op(x).requires_grad
    with pytest.raises(RuntimeError, match="autograd not implemented") as caught:
        op(x).backward()
    assert op.qualname in str(caught.value) and "helpers.py:" in str(caught.value)


def test_without_formula_transforms_and_forward_mode_are_refused_too() -> None:
    op = no_formula()
    x = leaf(1.0, requires_grad=False)
    with pytest.raises(RuntimeError, match="autograd not implemented"):
        func.grad(lambda x: op(x).sum())(x)
    with pytest.raises(RuntimeError, match="autograd not implemented"):
        func.jvp(op, (x,), (x,))
    with forward_ad.dual_level(), pytest.raises(RuntimeError, match="autograd not implemented"):
        op(forward_ad.make_dual(x, x))


def test_integer_results_need_no_formula() -> None:
    op = from_schema("(Tensor x) -> (Tensor, int)", lambda x: (ad.from_numpy(np.argsort(x.numpy())), 3))
    order, _ = op(leaf(3.0, 1.0))
    assert order.tolist() == [1, 0] and not order.requires_grad


def test_the_fallback_can_be_chosen() -> None:
    op = no_formula()
    x = leaf(1.0)
    assert library.get_autograd_fallback() == "error"
    with library.autograd_fallback("nothing"):
        assert library.get_autograd_fallback() == "nothing"
        assert not op(x).requires_grad
    with library.autograd_fallback("warn"):
        y = op(x) + x
        assert y.requires_grad
        with pytest.warns(UserWarning, match="autograd not implemented"):
            y.backward()
        assert x.grad.item() == 1.0  # the gradient ended at the operator
    assert library.get_autograd_fallback() == "error"
    with pytest.raises(ValueError, match="'error', 'warn', 'nothing'"):
        library.set_autograd_fallback("panic")


def test_the_fallback_for_operators_that_write() -> None:
    op = from_schema("(Tensor(a!) x) -> ()", lambda x: None, mutates_args=("x",))
    y = leaf(1.0) * 1
    with library.autograd_fallback("warn"), pytest.warns(UserWarning, match="autograd not implemented"):
        op(y)
    with library.autograd_fallback("nothing"):
        op(y)
        with pytest.raises(RuntimeError, match="a leaf that requires grad"):
            op(leaf(1.0))
    assert y._version == 2


def test_threads_share_an_operator() -> None:
    op = numpy_sine()
    results: list[Any] = [None] * 8

    def work(number: int) -> None:
        x = leaf(float(number))
        for _ in range(20):
            x.grad = None
            op(x).backward()
        results[number] = x.grad.item()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_allclose(results, np.cos(np.arange(8.0)))


def test_functions_with_the_wrong_parameters_are_named() -> None:
    x = leaf(1.0)
    kernel = from_schema("(Tensor x, int n) -> Tensor", lambda x: x * 1)
    fake = from_schema("(Tensor x, *, int n=2) -> Tensor", lambda x, n: x * 1)
    fake.register_fake(lambda x: x)
    setup = from_schema("(Tensor x, *, int n=2) -> Tensor", lambda x, n: x * 1)
    setup.register_autograd(lambda ctx, grad: grad, setup_context=lambda ctx, inputs, output: None)
    backward = from_schema("(Tensor x) -> (Tensor, Tensor)", lambda x: (x * 1, x * 1))
    backward.register_autograd(lambda ctx, grad: grad)
    batched = numpy_sine()
    batched.register_vmap(lambda info, x: x)
    for call, op, what in (
        (lambda: kernel(ad.ones(1), 2), kernel, "the kernel of .* called with 2 arguments by position"),
        (lambda: library.fake(fake, x), fake, "the fake function of .* called with 1 arguments by position, n="),
        (lambda: setup(x), setup, "setup_context of .* keyword_only_inputs="),
        (lambda: backward(x)[0].backward(), backward, "the backward formula of .* called with 3 arguments"),
        (lambda: func.vmap(batched)(ad.ones(2, 1)), batched, "the vmap rule of .* called with 3 arguments"),
    ):
        with pytest.raises(TypeError, match=what) as caught:
            call()
        assert op.qualname in str(caught.value) and "test_autograd.py:" in str(caught.value)


def test_errors_inside_registered_functions_are_their_own() -> None:
    def broken(x: Any) -> Any:
        return x + "text"

    with pytest.raises(TypeError) as caught:
        from_schema("(Tensor x) -> Tensor", broken)(ad.ones(1))
    assert "the kernel of" not in str(caught.value)


def test_a_call_keeps_the_formula_it_was_made_with() -> None:
    op = from_schema("(Tensor x) -> Tensor", lambda x: x * 1)
    op.register_autograd(lambda ctx, grad: grad * 2)
    x = leaf(1.0)
    y = op(x)
    op.register_autograd(lambda ctx, grad: grad * 3)
    y.backward()
    assert x.grad.item() == 2


def test_a_formula_takes_precedence_over_the_parts_of_a_composite() -> None:
    name = fresh("composite")
    lib = library.Library("tests", "FRAGMENT")
    lib.define(f"{name.partition('::')[2]}(Tensor x) -> Tensor")
    lib.impl(name, lambda x: x * 2)
    op = getattr(ad.ops.tests, name.partition("::")[2]).default
    x = leaf(1.0)
    op(x).backward()
    assert x.grad.item() == 2
    assert set(library.opcheck(op, (x,)).values()) == {"SUCCESS"}
    op.register_autograd(lambda ctx, grad: grad * 5)
    x.grad = None
    op(x).backward()
    assert x.grad.item() == 5
    lib.impl(name, lambda x: x * 3, "CPU")
    assert op(ad.ones(1)).item() == 3
