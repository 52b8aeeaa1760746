"""Views and in-place writes, as in PyTorch: histories, versions, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.compare import Scenarios, leaf, names

pytestmark = pytest.mark.oracle
scenario = Scenarios()


def matrix(lib: Any, requires_grad: bool = True) -> Any:
    return (lib.arange(6, dtype=lib.float64) + 1).reshape(2, 3).requires_grad_(requires_grad)


@scenario
def a_write_to_a_view_reaches_the_base(lib: Any) -> Any:
    x = matrix(lib)
    base = x * 2
    view = base[0]
    view.mul_(3)
    base.sum().backward()
    return [base, view, x.grad, names(base.grad_fn, 3), view.grad_fn, base._version, view._version]


@scenario
def a_write_to_the_base_reaches_the_view(lib: Any) -> Any:
    x, w = matrix(lib), leaf(lib, 2.0, 3.0, 4.0)
    base = x * 1
    view = base[1]
    base.mul_(w)
    before = view.grad_fn
    (view * view).sum().backward()
    return [view, before, x.grad, w.grad]


@scenario
def views_made_together_retain_the_gradient_of_the_value_that_they_had(lib: Any) -> Any:
    x = matrix(lib)
    base = x * 1
    rows = base.unbind()
    rows[0].retain_grad()
    used = rows[0] * 2
    with lib.no_grad():
        rows[1].zero_()
    (used.sum() + base.sum()).backward()
    return [rows[0].grad, x.grad, base, rows[0].requires_grad]


@scenario
def chains_of_views(lib: Any) -> Any:
    x, v = matrix(lib), leaf(lib, 10.0, 20.0)
    base = x.clone()
    part = base.t()[1:]
    part[0].copy_(v)
    part.mul_(2)
    (base**2).sum().backward()
    return [base, part, x.grad, v.grad, base.grad_fn, part.grad_fn]


@scenario
def overlapping_views(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0, 3.0, 4.0)
    base = x * 1
    left, right = base[:3], base[1:]
    left.mul_(2)
    right.mul_(5)
    (left * 3).sum().backward()
    return [base, left, right, x.grad]


@scenario
def assignment_to_items(lib: Any) -> Any:
    x, v = matrix(lib), leaf(lib, 7.0, 8.0)
    y = x * 1
    y[:, 0] = v
    y[0, 1:] = 0
    y[lib.tensor([1]), lib.tensor([2])] = v[0]
    (y * y).sum().backward()
    return [y, x.grad, v.grad, y._version]


@scenario
def a_constant_base_starts_to_require_grad(lib: Any) -> Any:
    base = lib.zeros(2, 2, dtype=lib.float64)
    view = base[0]
    x = leaf(lib, 1.0, 2.0)
    view.copy_(x)
    flags = [base.requires_grad, view.requires_grad, base.is_leaf, base.grad_fn, view.grad_fn]
    (base * 3).sum().backward()
    return [*flags, x.grad]


@scenario
def versions_are_shared(lib: Any) -> Any:
    base = lib.zeros(4, dtype=lib.float64)
    view, detached, clone = base[1:], base.detach(), base.clone()
    view.add_(1)
    base.mul_(2)
    return [base._version, view._version, detached._version, clone._version, base.data._version]


@scenario
def what_is_a_view(lib: Any) -> Any:
    x = matrix(lib, requires_grad=False)
    made = [x[0], x.t(), x.reshape(-1), x.t().reshape(-1), x[[0, 1]], x.expand(2, 2, 3), x.detach(), x.clone()]
    return [[t._is_view(), None if t._base is None else t._base is x] for t in made]


@scenario
def writes_without_grad(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    with lib.no_grad():
        x.mul_(3)
        x[0] = 5.0
    (x * x).sum().backward()
    return [x, x.grad, x._version, x.is_leaf]


@scenario
def a_view_made_without_grad(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    base = x * 2
    with lib.no_grad():
        view = base[0]
    return [view.is_leaf, view._is_view()]  # PyTorch says that it requires grad; see docs/differences.md


@scenario
def in_place_of_many_kinds(lib: Any) -> Any:
    x = leaf(lib, 0.5, 1.5)
    y = x * 1
    y.sin_()
    y.add_(x, alpha=2)
    y.clamp_(max=5.0)
    y += x
    y /= 2
    y.masked_fill_(lib.tensor([False, True]), 3.0)
    y.sum().backward()
    return [y, x.grad, y._version, y.grad_fn]


@scenario
def zeroing_cuts_the_gradient(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    y = x * 2
    y.zero_()
    y.add_(x * x)
    y.fill_(1.0)
    y.sum().backward()
    return [y, x.grad, y.grad_fn]


@scenario
def detach_in_place(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    y = x * 2
    y.detach_()
    return [y.requires_grad, y.is_leaf, y.grad_fn is None]


@scenario
def in_place_keeps_what_nobody_saved(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    y = x + 1
    z = y * 2
    y.mul_(3)  # nobody has saved y: the factor 2 is all that z needs
    z.sum().backward()
    return [x.grad]


@scenario
def expanded_gradients(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    x.expand(3, 2).sum().backward()
    first = x.grad.clone()
    x.grad.mul_(2)  # it is memory of its own
    return [first, x.grad]


test_as_in_pytorch = scenario.test()

refused = Scenarios()


@refused
def write_to_a_leaf(lib: Any) -> Any:
    leaf(lib, 1.0).mul_(2)


@refused
def write_to_a_view_of_a_leaf(lib: Any) -> Any:
    leaf(lib, 1.0, 2.0)[0].mul_(2)


@refused
def saved_input_was_written(lib: Any) -> Any:
    x = leaf(lib, 1.0)
    y = x * 2
    z = y * y
    y.add_(1)
    z.sum().backward()


@refused
def saved_output_was_written(lib: Any) -> Any:
    x = leaf(lib, 1.0)
    y = x.exp()
    y.add_(1)
    y.sum().backward()


@refused
def saved_base_was_written_through_a_view(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    y = x * 2
    z = y.sin()
    y[0].mul_(2)
    z.sum().backward()


@refused
def saved_tensor_was_written_through_its_alias(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    y = x * 2
    z = y.sin()
    y.detach().mul_(2)
    z.sum().backward()


@refused
def write_to_one_of_several_views(lib: Any) -> Any:
    y = matrix(lib) * 2
    y.unbind()[0].mul_(2)


@refused
def write_to_a_view_made_without_grad(lib: Any) -> Any:
    y = leaf(lib, 1.0, 2.0) * 2
    with lib.no_grad():
        view = y[0]
    view.mul_(leaf(lib, 3.0)[0])


@refused
def write_to_an_expanded_tensor(lib: Any) -> Any:
    leaf(lib, 1.0, requires_grad=False).expand(3).add_(1)


@refused
def write_of_a_larger_shape(lib: Any) -> Any:
    leaf(lib, 1.0, requires_grad=False).add_(lib.ones(3, dtype=lib.float64))


@refused
def write_of_a_wider_kind(lib: Any) -> Any:
    lib.ones(3, dtype=lib.int64).mul_(0.5)


test_refused_as_in_pytorch = refused.test(fails=True)
