"""In-place writes inside transforms: to arguments, to views of them, to tensors from outside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
import adjoint.autograd.forward_ad as fwd
from adjoint.func import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, vjp, vmap

LIBRARIES = ["numpy", "jax"]


@pytest.fixture(params=LIBRARIES)
def make(request: pytest.FixtureRequest) -> Any:
    """Make a tensor of an array library whose arrays can, or cannot, be written to."""
    xp: Any = np if request.param == "numpy" else pytest.importorskip("jax.numpy")
    return lambda *values: ad.Tensor(xp.asarray(np.asarray(values, dtype=np.float32)))


def values_of(*tensors: Any) -> list[Any]:
    return [tensor.tolist() for tensor in tensors]


def assert_untouched(*tensors: Any, version: int = 1) -> None:
    """Only values were written: there is no trace of the transform."""
    for tensor in tensors:
        assert not tensor.requires_grad and tensor.grad_fn is None and tensor.is_leaf
        assert tensor._spec.level == 0 and tensor._version == version


# ---- arguments -------------------------------------------------------------------------------------------------------

OVER = {
    "grad": lambda f, x, y: grad(lambda a, b: f(a, b).sum())(x, y),
    "grad_and_value": lambda f, x, y: grad_and_value(lambda a, b: f(a, b).sum())(x, y),
    "jacrev": lambda f, x, y: jacrev(f)(x, y),
    "jacfwd": lambda f, x, y: jacfwd(f)(x, y),
    "jvp": lambda f, x, y: jvp(f, (x, y), (x, x)),
    "hessian": lambda f, x, y: hessian(lambda a, b: f(a, b).sum())(x, y),
    "vmap": lambda f, x, y: vmap(f)(x, y),
    "vmap of jvp": lambda f, x, y: vmap(lambda a, b: jvp(f, (a, b), (a, a)))(x, y),
    "vmap of grad": lambda f, x, y: vmap(grad(f))(x, y),
    "jvp of vmap": lambda f, x, y: jvp(vmap(f), (x, y), (x, x)),
    "grad of vmap": lambda f, x, y: grad(lambda a, b: vmap(f)(a, b).sum())(x, y),
    "grad of grad": lambda f, x, y: grad(lambda a, b: grad(lambda c, d: f(c, d).sum())(a, b).sum())(x, y),
    "grad of jvp": lambda f, x, y: grad(lambda a, b: jvp(f, (a, b), (a, a))[1].sum())(x, y),
    "jvp of jvp": lambda f, x, y: jvp(lambda a, b: jvp(f, (a, b), (a, a))[1], (x, y), (x, x)),
    "vmap of grad of grad": lambda f, x, y: vmap(grad(lambda a, b: grad(f)(a, b)))(x, y),
}


@pytest.mark.parametrize("transform", OVER.values(), ids=OVER)
def test_a_write_to_an_argument_is_seen_outside(transform: Any, make: Any) -> None:
    x, y = make(1, 2), make(3, 4)
    view = y[1:]
    transform(lambda a, b: b.copy_(a * a) * a, x, y)
    assert values_of(x, y, view) == [[1, 2], [1, 4], [4]]
    assert_untouched(y, view)
    assert_untouched(x, version=0)


def test_jacobians_of_what_was_written(make: Any) -> None:
    x, y = make(1, 2), make(3, 4)
    assert values_of(jacrev(lambda a, b: b.copy_(a * a))(x, y)) == [[[2, 0], [0, 4]]]
    assert values_of(jacfwd(lambda a, b: b.copy_(a * a))(x, y)) == [[[2, 0], [0, 4]]]
    assert values_of(*grad_and_value(lambda a, b: b.copy_(a * a)[1])(x, y)) == [[0, 4], 4]
    assert values_of(vmap(lambda a, b: jvp(lambda c: b.copy_(c) * c, (a,), (a,))[1])(x, y)) == [[2, 8]]
    assert_untouched(y, version=4)


def test_the_output_may_be_the_argument(make: Any) -> None:
    x, y = make(1, 2), make(3, 4)
    _, value = grad_and_value(lambda a, b: b[:1].copy_(a[1:]).sum())(x, y)
    assert value.item() == 2
    _, aux = grad(lambda a, b: ((b.mul_(a)).sum(), b), has_aux=True)(x, y)
    assert aux is y and values_of(y) == [[2, 8]]
    assert_untouched(y, version=2)


def test_one_tensor_as_two_arguments(make: Any) -> None:
    """They share memory, but not derivatives."""
    x = make(1, 2)
    assert values_of(grad(lambda a, b: (b.mul_(3), (b * a).sum())[1])(x, x)) == [[3, 6]]
    w = make(1, 2).requires_grad_()
    y = w * 1
    result = grad(lambda a, b: (b.mul_(3), (b * a).sum())[1])(y, y)
    assert values_of(result, y) == [[3, 6], [3, 6]]
    assert values_of(*ad.autograd.grad((result * make(1, 10)).sum() + y.sum(), w)) == [[6, 33]]


def test_a_captured_argument_is_seen_at_once(make: Any) -> None:
    for transform in (lambda f, x: vjp(f, x)[0], lambda f, x: vmap(f)(x), lambda f, x: jvp(f, (x,), (x,))[0]):
        x = make(1, 2)

        def function(a: Any) -> Any:
            with ad.no_grad():
                a.add_(1)
            return x.sum() * a  # noqa: B023

        assert values_of(transform(function, x)) == [[10, 15]]


def test_writes_follow_grad_mode(make: Any) -> None:
    """What is written in `no_grad` leaves the history of the tensor outside as it was."""
    for transform in (
        lambda f, x: vjp(f, x)[0],
        lambda f, x: vmap(f)(x),
        lambda f, x: jvp(f, (x,), (x,))[0],
        lambda f, x: vmap(lambda a: vjp(f, a)[0])(x),
    ):
        w = make(1, 2).requires_grad_()
        x = w * 1

        def function(a: Any) -> Any:
            with ad.no_grad():
                a.mul_(5)
            return a * 1

        result = transform(function, x)
        assert values_of(result, x) == [[5, 10]] * 2
        assert values_of(*ad.autograd.grad(x.sum() + 2 * result.sum(), w)) == [[3, 3]]


def test_writes_through_detach(make: Any) -> None:
    """The history outside stays as it was; the detached tensor gets that of what was written to it."""
    w, c, x = make(1, 2).requires_grad_(), make(1, 1), make(3, 4)

    def function(a: Any, b: Any) -> Any:
        apart = b.detach()
        part = apart[:1]
        part.add_(w[:1])
        return (apart * a).sum() + 2 * part.sum()

    output, pull = vjp(function, x, c)
    assert values_of(output, c) == [14, [2, 1]]
    assert_untouched(c)
    assert values_of(*ad.autograd.grad(output, w, retain_graph=True)) == [[5, 0]]
    assert values_of(*pull(make(1)[0])) == [[2, 1], [0, 0]]
    with pytest.raises(RuntimeError, match="through detach"):
        vmap(lambda a, b: b.detach().copy_(a))(w, c)


def test_a_saved_value_that_is_written_to_is_detected(make: Any) -> None:
    w, x = make(1, 2).requires_grad_(), make(3, 4)
    y = w * x
    vmap(lambda a: a.add_(1))(x)
    with pytest.raises(RuntimeError, match="modified by an in-place operation"):
        y.sum().backward()


def test_gradients_through_writes_to_recorded_arguments(make: Any) -> None:
    for transform in (lambda f, x: vmap(f)(x), lambda f, x: jvp(f, (x,), (x,))[0]):
        w = make(1, 2).requires_grad_()
        y = w * 1
        transform(lambda a: a.mul_(a).mul_(a), y)  # the fourth power
        assert values_of(*ad.autograd.grad(y.sum(), w)) == [[4, 32]]


# ---- tensors from outside --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("transform", [grad, jacrev, jacfwd, hessian, lambda f: grad(lambda x: grad(f)(x).sum())])
def test_a_captured_tensor_keeps_no_trace(transform: Any, make: Any) -> None:
    x, buffer = make(1, 2), make(0, 0)
    view = buffer[:1]

    def function(a: Any) -> Any:
        buffer.copy_(a * a)
        return (buffer * a).sum()

    try:
        transform(function)(x)
    except TypeError as error:  # where levels nest
        assert "from outside" in str(error)
        return
    assert values_of(buffer, view) == [[1, 4], [1]]
    assert_untouched(buffer, view, version=buffer._version)
    buffer.requires_grad_()
    (buffer * 2).sum().backward()
    assert values_of(buffer.grad) == [[2, 2]]


def test_a_captured_tensor_with_a_history_of_its_own(make: Any) -> None:
    w, x, buffer = make(1, 2).requires_grad_(), make(3, 4), make(0, 0)
    gradient = grad(lambda a: (buffer.copy_(a * w), (buffer * a).sum())[1])(x)
    assert values_of(gradient) == [[6, 16]] and buffer.requires_grad
    assert values_of(*ad.autograd.grad(buffer.sum() + gradient.sum(), w)) == [[9, 12]]


def test_writes_that_would_lose_a_derivative_are_refused(make: Any) -> None:
    x, buffer = make(1, 2), make(0, 0)
    nested = {
        "captured": lambda: vjp(lambda a: buffer.copy_(a), x),
        "captured by the inner one": lambda: vjp(lambda a: vjp(lambda b: buffer.copy_(a * b), a), x),
        "the inner one's argument": lambda: vjp(lambda a: jvp(lambda b: b.copy_(a), (buffer,), (x,))[0], x),
        "of a vmap": lambda: vmap(lambda a: buffer[0].copy_(a))(x),
    }
    for call in nested.values():
        with pytest.raises((TypeError, RuntimeError), match=r"from outside|same for all samples"):
            call()
    assert values_of(buffer) == [[0, 0]]


def test_a_write_in_a_dual_level(make: Any) -> None:
    buffer, view = make(0, 0), None
    with fwd.dual_level():
        view = buffer[:1]
        buffer.copy_(fwd.make_dual(make(1, 2), make(1, 1)))
        assert values_of(fwd.unpack_dual(view).tangent) == [[1]]
    assert fwd.unpack_dual(buffer).tangent is None and fwd.unpack_dual(view).tangent is None
    assert_untouched(buffer, view)


def test_an_argument_written_in_jvp_has_the_history_of_what_was_written(make: Any) -> None:
    w, y = make(1, 2).requires_grad_(), make(3, 4)
    jvp(lambda a, b: b.mul_(a), (w * 1, y), (make(1, 1), make(1, 1)))
    assert values_of(y, *ad.autograd.grad(y.sum(), w)) == [[3, 8], [3, 4]]


def test_linearize_sees_writes(make: Any) -> None:
    x, buffer = make(1, 2), make(0, 0)

    def function(a: Any) -> Any:
        made = ad.zeros_like(a)
        made[:1].copy_(a[1:] * a[1:])
        return made * a

    output, push = linearize(function, x)
    assert values_of(output, push(make(1, 1)), buffer) == [[4, 0], [8, 0], [0, 0]]


def test_second_derivatives_through_written_tensors(make: Any) -> None:
    """The history of a tensor that is written to inside is there until all derivatives have been computed."""
    x, captured = make(2, 3), make(0, 0)

    def function(a: Any, buffer: Any) -> Any:
        buffer.copy_(a)
        buffer[:1].mul_(a[1:])
        return (buffer * buffer * a).sum()

    expected = [[108, 72], [72, 34]]  # of x0**3 x1**2 + x1**3
    for second in (hessian, lambda f: jacrev(grad(f)), lambda f: jacfwd(grad(f)), lambda f: jacfwd(jacfwd(f))):
        assert values_of(second(lambda a: function(a, ad.zeros_like(a)))(x)) == [expected]
        assert values_of(second(function)(x, make(0, 0))) == [expected]
    assert values_of(hessian(lambda a: function(a, captured))(x)) == [expected]
    assert_untouched(captured, version=2)


def test_second_derivatives_through_functions(make: Any) -> None:
    class Product(ad.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            ctx.save_for_backward(a, b)
            return a * b

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            a, b = ctx.saved_tensors
            return g * b, g * a

    assert values_of(hessian(lambda a: (Product.apply(a, a * 1) * a).sum())(make(2, 3))) == [[[12, 0], [0, 18]]]


def test_no_trace_is_left_after_an_error(make: Any) -> None:
    x, buffer = make(1, 2), make(0, 0)

    def fail(a: Any) -> Any:
        buffer.copy_(a)
        raise ValueError("on purpose")

    def vector(a: Any) -> Any:
        return buffer.copy_(a)

    for transform in (grad, jacrev, hessian):
        with pytest.raises(ValueError, match="on purpose"):
            transform(fail)(x)
        assert not buffer.requires_grad
    with pytest.raises(RuntimeError, match="without dimensions"):
        grad(vector)(x)
    assert not buffer.requires_grad


def test_running_statistics(make: Any) -> None:
    """As a normalisation layer keeps them: one tensor in a tree of arguments, or one for each member of an ensemble."""

    def loss(w: Any, state: Any, x: Any) -> Any:
        state["mean"].mul_(0.5).add_(x)
        return (w * w * state["mean"]).sum()

    state = {"mean": make(2, 4)}
    assert values_of(grad(loss)(make(1, 2), state, make(1, 1)), state["mean"]) == [[4, 12], [2, 3]]
    assert_untouched(state["mean"], version=2)
    states, w = {"mean": make([2, 4], [0, 0])}, make([1, 2], [3, 4])
    assert values_of(vmap(grad(loss), in_dims=(0, 0, None))(w, states, make(1, 1))) == [[[4, 12], [6, 8]]]
    assert values_of(states["mean"]) == [[[2, 3], [1, 1]]]
    assert_untouched(states["mean"], version=2)


def test_writes_along_other_dimensions(make: Any) -> None:
    x = make([0, 1, 2], [3, 4, 5])
    part = vmap(lambda column: (column.mul_(2), column[:1])[1], in_dims=1, out_dims=1)(x)
    part.add_(100)
    assert values_of(x, part) == [[[100, 102, 104], [6, 8, 10]], [[100, 102, 104]]]
    assert x._version == 2
    turned = x.t()
    assert vmap(lambda row: row.add_(1))(turned) is turned
    assert values_of(x) == [[[101, 103, 105], [7, 9, 11]]]
    vmap(lambda row: row.zero_(), chunk_size=1)(x)
    assert values_of(x) == [[[0, 0, 0], [0, 0, 0]]]
