"""Modes, and what is refused, as in PyTorch."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.support.compare import Scenarios, leaf

pytestmark = pytest.mark.oracle
scenario = Scenarios()


@scenario
def modes_nest(lib: Any) -> Any:
    x = leaf(lib, 1.0)
    seen = [lib.is_grad_enabled()]
    with lib.no_grad():
        seen += [lib.is_grad_enabled(), (x * 2).requires_grad]
        with lib.enable_grad():
            seen += [lib.is_grad_enabled(), (x * 2).requires_grad]
        seen.append(lib.is_grad_enabled())
        with lib.set_grad_enabled(True):
            seen.append(lib.is_grad_enabled())
    lib.set_grad_enabled(False)
    seen.append(lib.is_grad_enabled())
    lib.set_grad_enabled(True)
    return [*seen, lib.is_grad_enabled()]


@scenario
def modes_decorate(lib: Any) -> Any:
    x = leaf(lib, 1.0)

    @lib.no_grad()
    def function() -> Any:
        return (x * 2).requires_grad

    @lib.no_grad()
    def generator() -> Any:
        sent = yield (x * 2).requires_grad
        yield [sent, (x * 3).requires_grad]

    @lib.inference_mode()
    def inferred() -> Any:
        return x * 2

    steps = generator()
    first = next(steps)
    outside = lib.is_grad_enabled()
    second = steps.send(7)
    return [function(), first, outside, second, inferred().is_inference(), lib.is_grad_enabled()]


@scenario
def modes_end_with_errors(lib: Any) -> Any:
    try:
        with lib.no_grad():
            raise KeyError
    except KeyError:
        pass
    return [lib.is_grad_enabled()]


@scenario
def inference_mode(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    with lib.inference_mode():
        y = x * 2
        view = x[0]
        y.add_(1)
        inside = [lib.is_inference_mode_enabled(), lib.is_grad_enabled(), y.is_inference(), y.requires_grad]
        with lib.inference_mode(False):
            inside += [lib.is_inference_mode_enabled(), lib.is_grad_enabled(), (x * 2).is_inference()]
    plain_result = y + 1  # a normal tensor, since nothing is recorded
    return [*inside, y, view.is_inference(), plain_result.is_inference(), y.clone().is_inference()]


@scenario
def creation_ignores_modes(lib: Any) -> Any:
    with lib.no_grad():
        a = leaf(lib, 1.0)
        b = lib.ones(2, requires_grad=True)
    return [a.requires_grad, b.requires_grad, a.is_leaf]


@scenario
def anomaly_mode(lib: Any) -> Any:
    x = leaf(lib, 1.0)
    with lib.autograd.detect_anomaly():
        (x * 2).sum().backward()
    with lib.autograd.detect_anomaly(check_nan=False):
        y = leaf(lib, 0.0)
        (y / y).sum().backward()
    return [x.grad, y.grad]


@scenario
def copies(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    (x * 2).sum().backward()
    deep = copy.deepcopy(x)
    deep.grad.add_(1)
    return [deep, deep.requires_grad, deep.is_leaf, deep.grad, x.grad]


@scenario
def comparisons_and_integers_are_constants(lib: Any) -> Any:
    x = leaf(lib, 1.0, 2.0)
    results = [x > 1, x.argmax(), x.floor(), x.sign(), x.to(lib.int64), x == x, x.round()]
    return [[r.requires_grad for r in results], results]


test_as_in_pytorch = scenario.test()

refused = Scenarios()


@refused
def backward_of_several_numbers(lib: Any) -> Any:
    leaf(lib, 1.0, 2.0).sin().backward()


@refused
def backward_of_a_constant(lib: Any) -> Any:
    leaf(lib, 1.0, requires_grad=False).sum().backward()


@refused
def backward_of_a_complex_number(lib: Any) -> Any:
    lib.tensor([1 + 2j], requires_grad=True).sum().backward()


@refused
def backward_twice(lib: Any) -> Any:
    y = leaf(lib, 1.0).exp().sum()
    y.backward()
    y.backward()


@refused
def gradient_of_a_wrong_shape(lib: Any) -> Any:
    leaf(lib, 1.0, 2.0).sin().backward(lib.ones(3, dtype=lib.float64))


@refused
def complex_gradient_of_a_real_tensor(lib: Any) -> Any:
    leaf(lib, 1.0, 2.0).sin().backward(lib.ones(2, dtype=lib.complex128))


@refused
def grad_of_an_unused_input(lib: Any) -> Any:
    lib.autograd.grad(leaf(lib, 1.0).sum(), leaf(lib, 1.0))


@refused
def grad_by_a_constant(lib: Any) -> Any:
    x, c = leaf(lib, 1.0), leaf(lib, 1.0, requires_grad=False)
    lib.autograd.grad((x * c).sum(), c)


@refused
def empty_inputs(lib: Any) -> Any:
    leaf(lib, 1.0).sum().backward(inputs=[])


@refused
def materialize_without_allow_unused(lib: Any) -> Any:
    x = leaf(lib, 1.0)
    lib.autograd.grad(x.sum(), x, allow_unused=False, materialize_grads=True)


@refused
def integers_that_require_grad(lib: Any) -> Any:
    lib.tensor([1, 2], requires_grad=True)


@refused
def requires_grad_of_integers_later(lib: Any) -> Any:
    lib.tensor([1, 2]).requires_grad_()


@refused
def requires_grad_off_on_a_non_leaf(lib: Any) -> Any:
    (leaf(lib, 1.0) * 2).requires_grad = False


@refused
def grad_of_a_wrong_shape_assigned(lib: Any) -> Any:
    leaf(lib, 1.0, 2.0).grad = lib.ones(3, dtype=lib.float64)


@refused
def grad_of_a_wrong_dtype_assigned(lib: Any) -> Any:
    leaf(lib, 1.0, 2.0).grad = lib.ones(2, dtype=lib.float32)


@refused
def grad_that_is_no_tensor(lib: Any) -> Any:
    leaf(lib, 1.0, 2.0).grad = [1.0, 2.0]


@refused
def numpy_of_a_recorded_tensor(lib: Any) -> Any:
    leaf(lib, 1.0).numpy()


@refused
def copy_of_a_recorded_tensor(lib: Any) -> Any:
    copy.deepcopy(leaf(lib, 1.0) * 2)


@refused
def saved_tensor_of_a_released_graph(lib: Any) -> Any:
    y = leaf(lib, 1.0).exp()
    y.sum().backward()
    y.grad_fn._saved_result


@refused
def inference_tensor_written_outside(lib: Any) -> Any:
    with lib.inference_mode():
        y = lib.ones(2)
    y.add_(1)


@refused
def inference_tensor_saved(lib: Any) -> Any:
    with lib.inference_mode():
        y = lib.ones(2)
    lib.ones(2, requires_grad=True) * y


@refused
def inference_tensor_that_shall_require_grad(lib: Any) -> Any:
    with lib.inference_mode():
        y = lib.ones(2)
    y.requires_grad_()


@refused
def version_of_an_inference_tensor(lib: Any) -> Any:
    with lib.inference_mode():
        lib.ones(2)._version


@refused
def nan_in_anomaly_mode(lib: Any) -> Any:
    x = leaf(lib, 0.0)
    with lib.autograd.detect_anomaly():
        (x / x).sum().backward()


@refused
def dual_outside_a_level(lib: Any) -> Any:
    x = leaf(lib, 1.0, requires_grad=False)
    lib.autograd.forward_ad.make_dual(x, x.clone())


@refused
def tangent_of_another_shape(lib: Any) -> Any:
    with lib.autograd.forward_ad.dual_level():
        lib.autograd.forward_ad.make_dual(lib.ones(2), lib.ones(3))


@refused
def shapes_that_do_not_fit(lib: Any) -> Any:
    lib.ones(2) + lib.ones(3)


@refused
def matrices_that_do_not_fit(lib: Any) -> Any:
    lib.ones(2, 3) @ lib.ones(2, 3)


@refused
def dimension_out_of_range(lib: Any) -> Any:
    lib.ones(2).sum(dim=1)


@refused
def index_out_of_range(lib: Any) -> Any:
    lib.ones(2)[2]


@refused
def index_tensor_out_of_range(lib: Any) -> Any:
    lib.ones(2)[lib.tensor([0, 5])]


@refused
def too_many_indices(lib: Any) -> Any:
    lib.ones(2)[0, 0]


@refused
def item_of_several_numbers(lib: Any) -> Any:
    lib.ones(2).item()


@refused
def truth_of_several_numbers(lib: Any) -> Any:
    bool(lib.ones(2))


@refused
def view_of_an_impossible_shape(lib: Any) -> Any:
    lib.ones(2, 3).reshape(4, -1)


@refused
def view_that_would_need_a_copy(lib: Any) -> Any:
    lib.ones(2, 3).t().view(6)


@refused
def unknown_argument(lib: Any) -> Any:
    lib.ones(2).sum(dimension=0)


@refused
def missing_argument(lib: Any) -> Any:
    lib.mul(lib.ones(2))


@refused
def text_as_an_operand(lib: Any) -> Any:
    lib.ones(2) * "two"


test_refused_as_in_pytorch = refused.test(fails=True)
