"""Fast paths: how little they do, and that the general path, which has to be asked for, does the same."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint._dispatch import fast
from adjoint._dispatch.fast import forward, inplace
from adjoint._dispatch.table import table

OURS = (str(Path(ad.__file__).parent), "<fast path of ")


def calls_of(action: Callable[..., Any], *makers: Callable[[], Any]) -> int:
    """How many Python functions of ours a call of `action` runs, on fresh arguments, once it has been called before."""
    for _ in range(3):
        action(*[make() for make in makers])
    arguments = [make() for make in makers]
    counted: list[str] = []

    def note(frame: Any, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(OURS):
            counted.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        action(*arguments)
    finally:
        sys.setprofile(None)
    return len(counted)


W = ad.tensor([0.5, 1.0, 1.5, 2.0]).requires_grad_()


def fresh() -> Any:
    return W * 2.0


def write(x: Any, v: Any) -> None:
    x[0] = v


@pytest.mark.parametrize(
    ("action", "makers", "limit"),
    [
        (lambda x: x.mul_(2), (fresh,), 2),
        (lambda x, y: x.add_(y), (fresh, lambda: W + 1.0), 2),
        (lambda x, y: x.mul_(y), (fresh, lambda: W + 1.0), 4),
        (lambda x: x.exp_(), (fresh,), 4),
        (lambda x: x.clamp_(0.5, 1.5), (fresh,), 8),
        (lambda x: x[1:3].mul_(2), (fresh,), 44),
        (write, (fresh, lambda: W[0] * 1.0), 12),
        (lambda x: x * 2.0, (fresh,), 1),
        (lambda x: x.exp(), (fresh,), 2),
        (lambda x: x @ x, (fresh,), 2),
        (lambda x: x.sum(), (fresh,), 8),
        (lambda x: x[0], (fresh,), 10),
        (lambda x, i: x[i], (fresh, lambda: ad.tensor([0, 2])), 4),
    ],
)
def test_how_many_python_calls_a_recorded_operation_takes(action: Any, makers: Any, limit: int) -> None:
    assert calls_of(action, *makers) <= limit


# ---- in-place variants do what the general path does -----------------------------------------------------------------


def twice_through_a_view(x: Any) -> Any:
    part = x[1:3]
    part.mul_(2.0)
    part.mul_(x[0].detach())
    part.exp_()
    return [x, part, part.grad_fn.name()]


def through_views_of_views(x: Any) -> Any:
    table = x.reshape(2, 2)
    column, row = table[:, 1], table[0]
    column.add_(row)
    row.tanh_()
    return [x, table, column, row]


def through_a_transposed_view(x: Any) -> Any:
    table = x.reshape(2, 2).t()
    table.mul_(ad.tensor([2.0, 3.0]))
    table.mul_(W.detach().reshape(2, 2))
    return [x, table]


def with_retained_gradients(x: Any) -> Any:
    x.retain_grad()
    y = x.mul_(3.0)
    y.mul_(y.detach().clone())
    y.sum().backward(retain_graph=True)
    return [y, x.grad]


def beside_detached(x: Any) -> Any:
    other = x.detach()
    y = W * other
    x.mul_(2.0)
    other.add_(1.0)
    return [x, other, y]  # the product has saved what was changed


def of_an_output_that_was_saved(x: Any) -> Any:
    y = x.exp()
    y.mul_(2.0)
    return [y]


def of_its_own_output(x: Any) -> Any:
    return [x.exp_().sqrt_().tanh_(), x.sigmoid_().mul_(x.detach().clone())]


def of_constants(x: Any) -> Any:
    table = ad.zeros(4)
    table.add_(x)
    table[:2].mul_(x[2:])
    table.div_(2).sub_(W).mul_(W)
    return [table]


def of_a_stale_view_that_is_read(x: Any) -> Any:
    left, right = x[:2], x[2:]
    left.mul_(right)
    right.mul_(left)
    return [x, left, right]


def without_recording(x: Any) -> Any:
    with ad.no_grad():
        x.mul_(2.0)
        x[0].exp_()
    return [x]


def of_external_memory(x: Any) -> Any:
    array = np.array([1.0, 2.0, 3.0, 4.0], np.float32)
    other = ad.from_numpy(array)
    x.mul_(other)
    other.mul_(x)
    array[0] = 7.0
    return [x, other]


def of_a_tensor_and_itself(x: Any) -> Any:
    return [x.mul_(x), x.add_(x[0]) if x.ndim == 0 else x]


PROGRAMS: list[Callable[[Any], Any]] = [
    lambda x: [x.mul_(2)],
    lambda x: [x.mul_(2.5).add_(1).div_(W)],
    lambda x: [x.pow_(2), x.pow_(W)],
    lambda x: [x.add_(W, alpha=2), x.sub_(1)],
    lambda x: [x.mul_(x.detach().clone()), x],
    lambda x: [x.clamp_(0.5, 1.5), x.clamp_(min=W), x.lerp_(W, 0.5)],
    lambda x: [x.masked_fill_(ad.tensor([True, False, True, False]), 3.0)],
    lambda x: [x.floor_(), x.gt_(1.0)],
    lambda x: [x.reshape(2, 2).addmm_(W.reshape(2, 2), W.reshape(2, 2))],
    lambda x: [x.cumsum_(0), x.reshape(2, 2).tril_()],
    lambda x: [x.mul_(np.ones(4, np.float32)), x.add_(ad.tensor(2.0)), x.add_(ad.tensor(1, dtype=ad.int64))],
    lambda x: [x.mul_(W[:1]), x.sum().mul_(W.sum())],
    lambda x: [x.mul_(ad.ones(2, 4))],
    lambda x: [x.mul_(2j)],
    lambda x: [x.mul_(ad.ones(4, dtype=ad.float64)), x],
    lambda x: [x.long().mul_(2.5)],
    lambda x: [W.mul_(2)],
    lambda x: [W[1:].mul_(2)],
    lambda x: [W.detach().requires_grad_()[0].exp_()],
    lambda x: [x.unbind()[0].mul_(2)],
    lambda x: [x[:1].expand(4).mul_(2)],
    lambda x: [x[1:].mul_(x[:-1])],
    lambda x: [x.mul_("2")],
    lambda x: [x.mul_()],
    lambda x: [x.mul_(2, other=3)],
    lambda x: [x.data.mul_(2.0), x],
    twice_through_a_view,
    through_views_of_views,
    through_a_transposed_view,
    with_retained_gradients,
    beside_detached,
    of_an_output_that_was_saved,
    of_its_own_output,
    of_constants,
    of_a_stale_view_that_is_read,
    without_recording,
    of_external_memory,
    of_a_tensor_and_itself,
]


def outcome(program: Callable[[Any], Any]) -> Any:
    """All that can be seen of a program: values, versions, nodes, gradients of first and second order, or its error."""
    seen: list[Any] = []
    try:
        x = fresh()
        results = program(x)
        for one in results:
            if not isinstance(one, ad.Tensor):
                seen.append(one)
                continue
            seen += [one.tolist(), str(one.dtype), one._version, one.requires_grad, one.is_leaf]
            if one.requires_grad and not one.is_leaf:
                seen += [one.grad_fn.name(), [node and node.name() for node, _ in one.grad_fn.next_functions]]
                (first,) = ad.autograd.grad((one * one).sum(), W, create_graph=True, allow_unused=True)
                seen.append(None if first is None else first.tolist())
                if first is not None and first.requires_grad:
                    (second,) = ad.autograd.grad(first.sum(), W, retain_graph=True, allow_unused=True)
                    seen.append(None if second is None else second.tolist())
    except Exception as error:
        seen += [type(error), str(error).replace("its own output", "an input")]  # which hooks do not tell apart
    return seen


@pytest.mark.parametrize("program", PROGRAMS)
def test_in_place_variants_agree_with_the_general_path(program: Callable[[Any], Any]) -> None:
    """With hooks of saved tensors, even if they do nothing, every operation takes the general path."""
    before = W.tolist()
    fast = outcome(program)
    with ad.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, lambda tensor: tensor):
        slow = outcome(program)
    assert fast == slow
    assert W.tolist() == before


def test_other_spellings_of_keywords_reach_the_general_path() -> None:
    """A default that a fast path has filled in does not count as given."""
    x = ad.ones(4, 3)
    assert ad.sum(x, axis=0).tolist() == [4.0] * 3
    assert x.sum(axis=(0, 1), keepdims=True).shape == (1, 1)
    assert ad.mul(x=x, other=2.0).tolist() == [[2.0] * 3] * 4
    with pytest.raises(TypeError, match="twice"):
        ad.sum(x, 0, axis=1)
    with pytest.raises(TypeError, match="needs the argument 'other'"):
        ad.mul(x)


# ---- the text --------------------------------------------------------------------------------------------------------


def test_no_parameter_is_called_like_a_variable_of_the_text() -> None:
    """A parameter of that name would be overwritten before the forward, or a rule, gets it."""
    replaced = {"input", "other"}  # by copies, on purpose
    for operator in all_operators():
        for write in (forward._write, inplace._write):
            if not fast.has_fast_path(operator) or (write is inplace._write and operator.in_place is None):
                continue
            text = write(operator, {"general": None, "parts": {}})
            assigned = re.findall(r"^ +(?:for )?([a-z]\w*(?:(?:, | = )[a-z]\w*)*)(?: = | in )", text, re.MULTILINE)
            names = {name for one in assigned for name in re.split(", | = ", one)} - {operator.collects}
            if operator.outputs > 1:
                assert not names & {*operator.saves}
                continue
            assert not names & {*operator.parameters} - replaced, operator


def all_operators() -> list[Any]:
    ad.einsum
    return list(table.values())


@pytest.mark.parametrize("name", ["expand", "permute", "repeat", "reshape", "view"])
def test_collected_arguments_must_not_be_missing(name):
    for tensor in (ad.tensor(1.0), ad.ones(2)):
        with pytest.raises(TypeError, match="needs the argument"):
            getattr(tensor, name)()
