"""The two-function style: what is saved, how gradients come back by name, and every way to get it wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint import func, library
from adjoint.autograd import gradcheck, gradgradcheck
from tests.library.helpers import fresh, leaf

Saved = Any


def defined(schema: str, kernel: Any) -> Any:
    """An operator in this style, without its formula."""
    name = fresh("two")
    library.define(name, schema)
    library.impl(name, "cpu", kernel)
    return getattr(ad.ops.tests, name.partition("::")[2]).default


def product() -> Any:
    """x times y, by NumPy, with both functions registered by decorators."""
    op = defined("(Tensor x, Tensor y, float a) -> Tensor", lambda x, y, a: ad.from_numpy(x.numpy() * y.numpy() * a))

    @op.impl_abstract
    def abstract(x: Any, y: Any, a: float) -> Any:
        return x.new_empty(x.shape)

    @op.impl_save_for_backward
    def save(inputs: Any, output: Any) -> Saved:
        return {"factors": (inputs.x, [inputs.y]), "a": inputs.a, "nothing": None}

    @op.impl_backward
    def backward(ctx: Any, saved: Saved, grad: Any) -> dict[str, Any]:
        x, (y,) = saved["factors"]
        assert saved["nothing"] is None
        return {"x": grad * y * saved["a"], "y": grad * x * saved["a"]}

    return op


def test_gradients_of_all_orders_and_modes() -> None:
    op = product()
    x, y = leaf(1.0, 2.0), leaf(3.0, -1.0)
    assert gradcheck(lambda x, y: op(x, y, 2.0), (x, y), check_forward_ad=True)
    assert gradgradcheck(lambda x, y: op(x, y, 2.0), (x, y))
    gradient = func.grad(lambda x: op(x, y.detach(), 2.0).sum())(x.detach())
    np.testing.assert_allclose(gradient.numpy(), 2 * y.detach().numpy())
    assert library.fake(op, x, y, 2.0).shape == (2,)
    assert set(library.opcheck(op, (x, y, 2.0)).values()) == {"SUCCESS"}


def test_registered_by_name() -> None:
    name = fresh("two")
    library.define(name, "(Tensor x) -> Tensor")
    kept = [
        library.impl(name, device_types=("cpu", "cuda"))(lambda x: x * 3),
        library.impl_abstract(name)(lambda x: x.new_empty(x.shape)),
        library.impl_save_for_backward(name)(lambda inputs, output: output),
        library.impl_backward(name, output_differentiability=[True])(lambda ctx, saved, grad: {"x": grad * 3}),
    ]
    assert all(callable(one) for one in kept)
    x = leaf(1.0)
    getattr(ad.ops.tests, name.partition("::")[2])(x).backward()
    assert x.grad.item() == 3


def test_on_an_operator_made_by_custom_op() -> None:
    def kernel(x: ad.Tensor) -> ad.Tensor:
        return x * 3

    op = library.custom_op(fresh(), kernel, mutates_args=())
    op.impl_save_for_backward()(lambda inputs, output: None)
    op.impl_backward(func=lambda ctx, saved, grad: {"x": grad * 3})
    x = leaf(1.0)
    op(x).backward()
    assert x.grad.item() == 3


def test_anything_can_be_saved() -> None:
    op = defined("(Tensor x) -> (Tensor, Tensor)", lambda x: (x * 2, x * 3))
    seen: list[Any] = []
    odd = object()

    @op.impl_save_for_backward
    def save(inputs: Any, output: Any) -> Saved:
        return [odd, {"deep": (inputs.x, {"out": output[1]})}, "text", 3, [], None]

    @op.impl_backward
    def backward(ctx: Any, saved: Saved, first: Any, second: Any) -> dict[str, Any]:
        seen.append(saved)
        return {"x": 2 * first + 3 * second}

    x = leaf(1.0)
    _, b = op(x)
    b.backward()
    (saved,) = seen
    assert saved[0] is odd and saved[2:] == ["text", 3, [], None] and x.grad.item() == 3
    assert saved[1]["deep"][0] is x and saved[1]["deep"][1]["out"].item() == 3
    seen.clear()  # the operator stays, and what it holds with it


def test_saved_tensors_are_guarded() -> None:
    op = product()
    x, y = leaf(1.0), leaf(2.0)
    z = y * 1
    out = op(x, z, 1.0)
    z.add_(1)
    with pytest.raises(RuntimeError, match="modified by an in-place operation"):
        out.backward()


def test_lists_of_tensors_get_lists_of_gradients() -> None:
    op = defined("(Tensor[] xs, Tensor? bias, Tensor?[] ys) -> Tensor", lambda xs, bias, ys: xs[0] * 2 + xs[1] * 3)
    op.impl_save_for_backward(lambda inputs, output: len(inputs.xs))
    op.impl_backward(lambda ctx, saved, grad: {"xs": [grad * 2, grad * 3], "bias": None, "ys": [None, None]})
    a, b = leaf(1.0), leaf(1.0)
    op([a, b], None, [leaf(1.0), None]).backward()
    assert (a.grad.item(), b.grad.item()) == (2, 3)


def test_output_differentiability() -> None:
    op = defined("(Tensor x) -> (Tensor, int, Tensor, Tensor[])", lambda x: (x * 2, 3, x * 5, [x * 7]))
    seen: list[Any] = []
    op.impl_save_for_backward(lambda inputs, output: None)

    @op.impl_backward(output_differentiability=[True, False, False, False])
    def backward(ctx: Any, saved: Saved, first: Any, number: Any, second: Any, several: Any) -> dict[str, Any]:
        seen.append((number, second.tolist(), [one.tolist() for one in several]))
        return {"x": first * 2}

    x = leaf(1.0)
    a, _, b, (c,) = op(x)
    assert a.requires_grad and not b.requires_grad and not c.requires_grad
    a.backward()
    assert x.grad.item() == 2 and seen == [(None, [0.0], [[0.0]])]


# ---- misuse ----------------------------------------------------------------------------------------------------------


def complains(call: Any, op: Any, *parts: str) -> None:
    """The call is refused, naming the operator, a line of this file, and what was expected."""
    with pytest.raises(RuntimeError) as caught:
        call()
    for part in (op.qualname, "test_two_function.py:", *parts):
        assert part in str(caught.value), f"{part!r} is not in: {caught.value}"


def test_half_a_registration() -> None:
    first = defined("(Tensor x) -> Tensor", lambda x: x * 1)
    first.impl_save_for_backward(lambda inputs, output: None)
    complains(lambda: first(leaf(1.0)), first, "'save_for_backward' function", "no 'backward'", "impl_backward")
    assert first(ad.ones(1)).item() == 1
    second = defined("(Tensor x) -> Tensor", lambda x: x * 1)
    second.impl_backward(lambda ctx, saved, grad: {"x": grad})
    complains(lambda: second(leaf(1.0)), second, "'backward' function", "no 'save_for_backward'")
    assert isinstance(
        library.opcheck(second, (leaf(1.0),), test_utils="test_autograd_registration", raise_exception=False)[
            "test_autograd_registration"
        ],
        library.RegistrationError,
    )


def with_gradients(returned: Any, schema: str = "(Tensor x, Tensor[] ys, Tensor? z, int n) -> Tensor") -> Any:
    """Run backward through an operator whose backward function returns this."""
    op = defined(schema, lambda x, *rest: x * 1)
    op.impl_save_for_backward(lambda inputs, output: None)
    op.impl_backward(lambda ctx, saved, grad: returned(grad))

    def call() -> None:
        op(leaf(1.0), [leaf(1.0), leaf(1.0)], None, 3).backward()

    return call, op


@pytest.mark.parametrize(
    ("returned", "parts"),
    [
        (lambda g: g, ("has to return a dict", "got a Tensor")),
        (lambda g: (g, None), ("has to return a dict",)),
        (lambda g: {"x": g}, ("exactly the keys ['x', 'ys', 'z']", "it has ['x']")),
        (lambda g: {"x": g, "ys": None, "z": None, "n": None}, ("exactly the keys ['x', 'ys', 'z']",)),
        (lambda g: {"x": g, "ys": None, "z": None, "w": None}, ("exactly the keys",)),
        (lambda g: {"x": 3, "ys": None, "z": None}, ("'x' has to be a Tensor or None, got 3",)),
        (lambda g: {"x": [g], "ys": None, "z": None}, ("'x' has to be a Tensor or None",)),
        (lambda g: {"x": g, "ys": g, "z": None}, ("'ys'", "has to be a list of gradients")),
        (lambda g: {"x": g, "ys": [g], "z": None}, ("'ys' has 1 items, expected 2",)),
        (lambda g: {"x": g, "ys": [g, "a"], "z": None}, ("item 1 of the gradients for 'ys'", "got 'a'")),
        (lambda g: {"x": g, "ys": None, "z": g}, ("gradient for 'z'", "expected None")),
    ],
)
def test_wrong_gradients(returned: Any, parts: tuple[str, ...]) -> None:
    call, op = with_gradients(returned)
    complains(call, op, *parts)


def test_a_gradient_for_what_was_no_tensor_in_a_list() -> None:
    op = defined("(Tensor x, Tensor?[] ys) -> Tensor", lambda x, ys: x * 1)
    op.impl_save_for_backward(lambda inputs, output: None)
    op.impl_backward(lambda ctx, saved, grad: {"x": grad, "ys": [grad, grad]})
    complains(lambda: op(leaf(1.0), [None, leaf(1.0)]).backward(), op, "item 0 of 'ys' was no Tensor")


@pytest.mark.parametrize("given", [True, "yes", [True], [True, False, True], [1, 0], [True, None]])
def test_wrong_output_differentiability(given: Any) -> None:
    op = defined("(Tensor x) -> (Tensor, Tensor)", lambda x: (x * 1, x * 2))
    complains(lambda: op.impl_backward(output_differentiability=given), op, "a list of 2 bools", repr(given))


def test_a_number_cannot_be_differentiable() -> None:
    op = defined("(Tensor x) -> (Tensor, int)", lambda x: (x * 1, 2))
    complains(lambda: op.impl_backward(output_differentiability=[True, True]), op, "result 1 is a int, not a Tensor")


def test_each_function_is_registered_once() -> None:
    op = product()
    complains(lambda: op.impl_abstract(lambda x, y, a: x), op, "abstract function already", "now again at")
    complains(lambda: op.impl_save_for_backward(lambda inputs, output: None), op, "save_for_backward already")
    complains(lambda: op.impl_backward(lambda ctx, saved, grad: {}), op, "backward already")
    op.impl("numpy")(lambda x, y, a: x * y * a)
    complains(lambda: op.impl("numpy")(lambda x, y, a: x), op, "kernel for 'numpy' already")


def test_one_style_or_the_other() -> None:
    op = defined("(Tensor x) -> Tensor", lambda x: x * 1)
    op.register_autograd(lambda ctx, grad: grad)
    complains(lambda: op.impl_backward(lambda ctx, saved, grad: {}), op, "register_autograd already")


def test_operators_that_return_nothing_have_no_formula() -> None:
    op = defined("(Tensor x) -> ()", lambda x: None)
    with pytest.raises(RuntimeError, match="returns nothing"):
        op.impl_backward(lambda ctx, saved: {})


def test_not_a_function() -> None:
    op = defined("(Tensor x) -> Tensor", lambda x: x * 1)
    with pytest.raises(TypeError, match="needs a function"):
        op.impl_save_for_backward(3)


def test_without_any_formula() -> None:
    op = defined("(Tensor x) -> Tensor", lambda x: x * 2)
    assert op(ad.ones(1)).item() == 2
    with pytest.raises(RuntimeError, match="autograd not implemented"):
        op(leaf(1.0)).backward()


def test_a_factory() -> None:
    name = fresh("factory")
    library.define(name, "(int n) -> Tensor")
    op = getattr(ad.ops.tests, name.partition("::")[2]).default
    op.impl_factory()(lambda n: ad.ones(n))
    assert op(3).shape == (3,)


def test_functions_with_the_wrong_parameters() -> None:
    op = defined("(Tensor x) -> (Tensor, Tensor)", lambda x: (x * 1, x * 2))
    complains(lambda: op.impl_save_for_backward(lambda inputs: None), op, "called with (inputs, output)")
    complains(lambda: op.impl_backward(lambda ctx, saved, grad: {}), op, "(ctx, saved, and 2 gradients)")
    op.impl_save_for_backward(lambda *both: None)
    op.impl_backward(lambda ctx, saved, *grads: {"x": None})
