"""Gradients of selections: added to a sum without the zeros around them, and the same as with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint._core.views import history, selection
from adjoint._core.views.selection import Selection
from adjoint._ops.index import advanced, basic, gather_scatter, index_select
from adjoint._ops.nn import embedding

SHAPE = (20, 30)


def leaf(dtype: Any = ad.float64) -> Any:
    values = np.random.default_rng(0).standard_normal(SHAPE)
    return ad.tensor(values).to(dtype).requires_grad_()


def _written(b: Any) -> Any:
    """Views of a base that is written to afterwards, also one whose order of elements differs from memory."""
    c = b * 1
    rows = [c[2], c[3:7, 1], c.t()[4:6].reshape(-1)]
    c.mul_(2)
    c[5].fill_(1)
    return sum((row * row).sum() for row in rows) + c[5:8].sum()


_INDEX = ad.tensor([3, 1, 3, 19, 0, 3])
_COLUMNS = ad.tensor(np.random.default_rng(1).integers(0, 30, (17, 5)))
_FEW, _MANY = (ad.tensor(np.random.default_rng(2).integers(0, 20, n)) for n in (6, 900))

PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "rows": lambda b: sum((b[i] * i).sum() for i in range(20)),
    "the same row": lambda b: (b[3] * b[3]).sum() + b[3, 2],
    "slices that overlap": lambda b: (b[2:9, 1:] * b[5:12, :-1]).sum(),
    "backwards, columns, new dimensions": lambda b: (b[::-2, 3] * 2).sum() + (b[:, None, 4] ** 2).sum(),
    "dense before": lambda b: b.sum() + b[3].sum() + (b * b).sum() + b[4].exp().sum(),
    "dense after": lambda b: b[3].sum() + (b * b).sum() + b.sum(),
    "a sum that others share": lambda b: (lambda c: (c + c[:1]).sum() + c[2].sum() + c[3].sum())(b + 1),
    "views of views": lambda b: (b[3:9][1:4, 2:] * 3).sum() + b[3:9].t()[0].sum(),
    "several outputs": lambda b: sum((part * k).sum() for k, part in enumerate(b.unbind(0))) + b[0].sum(),
    "of an operator with several outputs": lambda b: ad.linalg.eigh(b @ b.mT).eigenvalues[3:].sum() + b[2, 5],
    "written to": _written,
    "nothing": lambda b: b[3:3].sum() + b[2].sum(),
    "rows by index": lambda b: (b[_INDEX] ** 2).sum() + (b[_INDEX - 20, 2:] * b[2:8, 2:]).sum() + b.sum(),
    "elements by index": lambda b: (b[_INDEX, _INDEX + 4] ** 2).sum() + b[:, _INDEX].exp().sum() + b[b > 0].sum(),
    "index_select": lambda b: (b.index_select(0, _INDEX) ** 2).sum() + (b.index_select(1, _INDEX + 9) ** 3).sum(),
    "gather": lambda b: (b.gather(1, _COLUMNS) ** 2).sum() + (b.t().gather(0, _COLUMNS.t()) ** 3).sum() + b[1].sum(),
    "embedding": lambda b: (ad.embedding(_FEW, b) ** 2).sum() + (ad.embedding(_MANY, b, padding_idx=2) ** 3).sum(),
}  # fmt: skip


def gradients(program: Callable[[Any], Any], dtype: Any) -> list[Any]:
    """By every way to ask for them, the last time on top of an earlier one."""
    b = leaf(dtype)
    out = program(b)
    found = [ad.autograd.grad(out, b, retain_graph=True)[0]]
    out.backward(retain_graph=True)
    found.append(b.grad.clone())
    out.backward(inputs=[b], retain_graph=True)
    found.append(b.grad - found[-1])
    if dtype is ad.float64:
        found.append(ad.autograd.grad(out, b, create_graph=True)[0].detach())
    return found


@pytest.mark.parametrize("dtype", [ad.float64, ad.float32], ids=str)
@pytest.mark.parametrize("name", PROGRAMS)
def test_they_equal_those_with_zeros(name: str, dtype: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lazily = gradients(PROGRAMS[name], dtype)
    for module in (advanced, basic, embedding, gather_scatter, history, index_select):
        monkeypatch.setattr(module, "WORTHWHILE", 10**9)
    tolerance = 64 * ad.finfo(dtype).eps  # sums in another order
    for one in lazily:
        expected = gradients(PROGRAMS[name], dtype)[0].numpy()
        np.testing.assert_allclose(one.numpy(), expected, rtol=tolerance, atol=tolerance * np.abs(expected).max())


@pytest.mark.parametrize("name", PROGRAMS)
def test_they_can_be_differentiated_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def second() -> Any:
        b = leaf()
        (first,) = ad.autograd.grad(PROGRAMS[name](b) + (b * b).sum() + (b[7] ** 3).sum(), b, create_graph=True)
        return ad.autograd.grad((first**3).sum(), b)[0].numpy()

    monkeypatch.setattr(basic, "WORTHWHILE_RECORDED", 10**9)
    expected = second()
    monkeypatch.setattr(basic, "WORTHWHILE_RECORDED", 0)
    np.testing.assert_allclose(second(), expected, rtol=1e-12, atol=1e-12 * np.abs(expected).max())


@pytest.mark.parametrize("create_graph", [False, True])
def test_the_work_does_not_depend_on_the_zeros(create_graph: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Zeros are made once for all rows, whether gradients are recorded or not."""
    made: list[Any] = []
    zeros = np.zeros
    counting: Any = lambda shape, *args, **kwargs: made.append(shape) or zeros(shape, *args, **kwargs)
    for module in (selection.np, basic.np):
        monkeypatch.setattr(module, "zeros", counting)
    b = ad.ones(100, 100, requires_grad=True)
    out = sum(b[i].sum() for i in range(100))
    ad.autograd.grad(out, b, create_graph=create_graph)
    assert made.count((100, 100)) == 1


def test_the_zeros_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Selection] = []
    materialize = Selection.materialize
    monkeypatch.setattr(Selection, "materialize", lambda self: made.append(self) or materialize(self))
    b = leaf()
    sum(b[i].sum() for i in range(20)).backward()
    assert len(made) == 1
    made.clear()
    b.sum().backward()
    ad.autograd.grad((b * b).sum() + b[3].sum() + b[4].sum(), b)
    assert len(made) <= 1


def test_hooks_see_tensors() -> None:
    b, seen = leaf(), []
    row = b[3]
    assert row.grad_fn is not None
    row.grad_fn.register_hook(lambda inputs, outputs: seen.extend([*inputs, *outputs]))
    b.register_hook(lambda grad: seen.append(grad))
    (row * 2).sum().backward()
    assert [tuple(one.shape) for one in seen] == [SHAPE, SHAPE[1:], SHAPE]
    assert all(isinstance(one, ad.Tensor) for one in seen)
    with pytest.warns(UserWarning, match="anomaly"), ad.autograd.detect_anomaly():
        b[4].sum().backward()


def test_a_gradient_that_is_kept_is_not_written_to() -> None:
    b = leaf()
    c = b * 1
    d = c + 0
    d.retain_grad()
    given = ad.ones(SHAPE, dtype=ad.float64)
    ad.autograd.backward([d, c[3]], [given, ad.ones(SHAPE[1], dtype=ad.float64)])
    assert (given == 1).all() and (d.grad == 1).all()
    expected = np.ones(SHAPE)
    expected[3] += 1
    np.testing.assert_array_equal(b.grad.numpy(), expected)


def test_small_ones_are_arrays() -> None:
    assert np.prod(SHAPE) > selection.WORTHWHILE
    node = ad.ones(3, requires_grad=True)[1:].grad_fn
    assert type(node.backward_raw(np.ones(2, np.float32))[0]) is np.ndarray
