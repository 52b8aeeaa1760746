"""What views and in-place writes allow and refuse, one scenario each, as in PyTorch."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.compare import Scenarios

pytestmark = pytest.mark.oracle
allowed = Scenarios()
refused = Scenarios()


def made(lib: Any) -> tuple[Any, Any]:
    """A leaf and a copy of it with history."""
    x = lib.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=lib.float64, requires_grad=True)
    return x, x * 1


# ---- custom functions ------------------------------------------------------------------------------------------------


def flattening(lib: Any) -> Any:
    class Flatten(lib.autograd.Function):
        """Returns a view."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.view(-1)

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad.reshape(2, 2) * 10

    return Flatten.apply


def tripling(lib: Any) -> Any:
    class Triple(lib.autograd.Function):
        """Changes its input in place, and says so."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            x.mul_(3)
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * 3

    return Triple.apply


def splitting(lib: Any) -> Any:
    class Split(lib.autograd.Function):
        """Returns two views."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x[0], x[1]

        @staticmethod
        def backward(ctx: Any, first: Any, second: Any) -> Any:
            return lib.stack([first, second])

    return Split.apply


@allowed
def a_function_returns_a_view(lib: Any) -> Any:
    x, y = made(lib)
    view = flattening(lib)(y)
    view.sum().backward()
    return [view._is_view(), view._base is y, x.grad]


@refused
def write_to_a_view_from_a_function(lib: Any) -> Any:
    flattening(lib)(made(lib)[1]).mul_(2)


@refused
def write_to_a_view_of_a_view_from_a_function(lib: Any) -> Any:
    flattening(lib)(made(lib)[1])[1:].mul_(2)


@refused
def write_to_one_of_two_views_from_a_function(lib: Any) -> Any:
    splitting(lib)(made(lib)[1])[0].mul_(2)


@refused
def write_to_the_base_of_a_view_from_a_function(lib: Any) -> Any:
    _, y = made(lib)
    view = flattening(lib)(y)
    y.mul_(2)
    view.sum().backward()


@allowed
def a_view_of_a_constant_from_a_function(lib: Any) -> Any:
    x = lib.ones(2, 2)
    view = flattening(lib)(x)
    view.mul_(2)
    return [x, view.requires_grad]


@allowed
def a_function_changes_its_input(lib: Any) -> Any:
    x, y = made(lib)
    result = tripling(lib)(y)
    result.mul_(5)
    y[0].mul_(2)
    y.sum().backward()
    return [result is y, y._version, x.grad]


@allowed
def a_function_changes_a_view(lib: Any) -> Any:
    x, y = made(lib)
    view = y[0]
    result = tripling(lib)(view)
    y.sum().backward()
    return [result is view, y, y._version, y.grad_fn, x.grad]


@refused
def a_function_changes_a_leaf(lib: Any) -> Any:
    tripling(lib)(made(lib)[0])


# ---- modes -----------------------------------------------------------------------------------------------------------


@refused
def write_to_a_view_made_in_inference_mode(lib: Any) -> Any:
    _, y = made(lib)
    with lib.inference_mode():
        view = y[0]
    view.mul_(2)


@allowed
def write_in_inference_mode(lib: Any) -> Any:
    _, y = made(lib)
    with lib.inference_mode():
        y[0].mul_(2)
    return [y, y._version]


@refused
def write_to_an_inference_tensor(lib: Any) -> Any:
    with lib.inference_mode():
        x = lib.ones(3)
    x.mul_(2)


@refused
def assignment_to_an_inference_tensor(lib: Any) -> Any:
    with lib.inference_mode():
        x = lib.ones(3)
    x[0] = 2.0


@refused
def the_rule_propagates_to_views_of_views(lib: Any) -> Any:
    _, y = made(lib)
    with lib.no_grad():
        view = y[0]
    view.view(2).mul_(2)


@refused
def the_stricter_rule_wins(lib: Any) -> Any:
    part = made(lib)[1].unbind()[0]
    with lib.no_grad():
        view = part[0:1]
    view.mul_(2)


@refused
def a_stale_view_made_without_grad_is_read(lib: Any) -> Any:
    _, y = made(lib)
    with lib.no_grad():
        view = y[0]
    y.mul_(2)
    return (view * 1).sum()


# ---- leaving and entering the graph ----------------------------------------------------------------------------------


@refused
def detach_a_view_in_place(lib: Any) -> Any:
    made(lib)[1][0].detach_()


@refused
def stop_recording_what_was_computed(lib: Any) -> Any:
    made(lib)[1].requires_grad_(False)


@refused
def stop_recording_a_view(lib: Any) -> Any:
    made(lib)[1][0].requires_grad = False


@allowed
def require_what_is_required(lib: Any) -> Any:
    return [made(lib)[1].requires_grad_().requires_grad]


@allowed
def a_view_that_is_a_leaf(lib: Any) -> Any:
    x = lib.zeros(3)
    view = x[:2].requires_grad_()
    product = view * 2
    x[0] = 5.0
    product.sum().backward()
    return [product.detach(), view.detach(), view._version, view.grad, view.is_leaf]


@refused
def write_to_a_view_that_is_a_leaf(lib: Any) -> Any:
    lib.zeros(3)[:2].requires_grad_().mul_(2)


@refused
def second_derivative_through_what_was_detached_in_place(lib: Any) -> Any:
    x, y = made(lib)
    z = y * y
    y.detach_()
    lib.autograd.grad(z.sum(), x, create_graph=True)


@allowed
def versions_are_counted_by_hand(lib: Any) -> Any:
    _, y = made(lib)
    lib.autograd.graph.increment_version(y)
    lib.autograd.graph.increment_version([y, y])
    return [y._version]


# ---- hooks -----------------------------------------------------------------------------------------------------------


@allowed
def hooks_before_and_after_a_write(lib: Any) -> Any:
    seen: list[Any] = []
    _, y = made(lib)
    y.register_hook(lambda grad: seen.append(grad.tolist()))
    y.mul_(2)
    y.register_hook(lambda grad: seen.append(grad.tolist()))
    y.sum().backward()
    return seen


@allowed
def hooks_of_a_view_before_and_after_a_write(lib: Any) -> Any:
    seen: list[Any] = []
    _, y = made(lib)
    view = y[0]
    view.register_hook(lambda grad: seen.append(grad.tolist()))
    view.mul_(2)
    view.register_hook(lambda grad: seen.append(grad.tolist()))
    (view.sum() + y.sum()).backward()
    return seen


@allowed
def retained_gradients(lib: Any) -> Any:
    told: list[Any] = []
    for write in (lambda y, view: y.mul_(2), lambda y, view: view.mul_(2), lambda y, view: view.copy_(y[1] * 3)):
        x, y = made(lib)
        view = y[0]
        y.retain_grad()
        view.retain_grad()
        write(y, view)
        (view * view + y.sum()).sum().backward()
        told += [x.grad, y.grad, view.grad]
    return told


# ---- dtypes and shapes -----------------------------------------------------------------------------------------------


@refused
def complex_numbers_into_real_ones(lib: Any) -> Any:
    lib.ones(2).add_(lib.ones(2, dtype=lib.complex64))


@refused
def quotients_into_integers(lib: Any) -> Any:
    lib.ones(2, dtype=lib.int64).div_(2)


@refused
def numbers_into_booleans(lib: Any) -> Any:
    lib.ones(2, dtype=lib.bool).add_(1)


@allowed
def wider_numbers_are_narrowed(lib: Any) -> Any:
    x = lib.ones(2, dtype=lib.float32)
    i = lib.ones(2, dtype=lib.int64)
    return [x.add_(lib.ones(2, dtype=lib.float64)).dtype, i.copy_(lib.tensor([1.7, -2.7]))]


@refused
def self_is_not_broadcast(lib: Any) -> Any:
    lib.ones(2).add_(lib.ones(3, 2))


@allowed
def parts_of_complex_numbers(lib: Any) -> Any:
    z = lib.tensor([1 + 2j, 3 - 1j], dtype=lib.complex128, requires_grad=True)
    w = z * 1
    lib.view_as_real(w)[..., 0].mul_(2)
    w.imag.add_(w.real)
    w.real = lib.tensor([5.0, 6.0], dtype=lib.float64)
    (w * w.conj()).real.sum().backward()
    return [w, z.grad, w._version]


test_allowed_as_in_pytorch = allowed.test()
test_refused_as_in_pytorch = refused.test(fails=True)
