"""Operands that share memory with what is changed, bases that leave the graph, tensors that get another size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from tests._core.views.helpers import MATRIX, Library, equal, gradient, refused, values

# ---- an operand is what is changed, under another name ---------------------------------------------------------------

SAME: dict[str, Callable[[Any], Any]] = {
    "itself": lambda y: y,
    "a view": lambda y: y.view(2, 3),
    "an index": lambda y: y[...],
    "a view of a view": lambda y: y.t().t(),
}


@pytest.mark.parametrize("name", list(SAME))
def test_the_other_operand_shows_the_same_memory(lib: Library, name: str) -> None:
    """A rule that needs the operand has to be given what it was before the write."""
    x = lib.leaf(MATRIX)
    numbers = np.array(MATRIX)
    for write, slope in (
        (lambda y, z: y.mul_(z), 2 * numbers),
        (lambda y, z: y.div_(z), 0 * numbers),
        (lambda y, z: y.add_(z), 2 + 0 * numbers),
        (lambda y, z: y.addcmul_(z, z), 1 + 2 * numbers),
        (lambda y, z: y.sub_(z, alpha=3), -2 + 0 * numbers),
        (lambda y, z: y.copy_(z), 1 + 0 * numbers),
    ):
        y = x * 1
        write(y, SAME[name](y))
        np.testing.assert_allclose(gradient(y, x)[0], slope, atol=1e-12)


def test_the_other_operand_is_detached_from_it(lib: Library) -> None:
    x = lib.leaf([2.0, 3.0])
    y = x * 1
    y.mul_(y.detach())
    equal(y, [4, 9])
    equal(gradient(y, x)[0], [2, 3])


def test_a_view_is_changed_by_its_base(lib: Library) -> None:
    x = lib.leaf([2.0, 3.0])
    y = x * 1
    y.view(2).mul_(y)
    equal(y, [4, 9])
    equal(gradient(y, x)[0], [4, 6])


def test_a_row_is_changed_by_another_row(lib: Library) -> None:
    x = lib.leaf([[2.0, 3.0], [5.0, 7.0]])
    y = x * 1
    y[0].mul_(y[1])
    equal(gradient(y[0], x)[0], [[5, 7], [2, 3]])
    y[1].zero_()  # the row is needed as it was
    equal(gradient(y[0], x)[0], [[5, 7], [2, 3]])


def test_one_value_from_the_tensor_itself(lib: Library) -> None:
    x = lib([1.0, 2.0, 3.0])
    x.fill_(x[1])
    equal(x, [2, 2, 2])
    x = lib([1.0, 2.0, 3.0])
    x.masked_fill_(x > 1.5, x[0])
    equal(x, [1, 1, 1])


# ---- a base that leaves the graph ------------------------------------------------------------------------------------


def test_a_view_of_a_detached_base_has_its_history_until_the_next_write(lib: Library) -> None:
    x = lib.leaf([1.0, 2.0])
    base = x * 3
    view = base[0]
    base.detach_()
    equal(gradient(view, x)[0], [3, 0])
    with refused("view of a leaf"):
        view.mul_(2)
    base.fill_(7.0)
    equal(view, 7)
    assert not view.requires_grad and view.grad_fn is None  # what it shows has nothing to do with x any more


def test_a_detached_base_can_begin_anew(lib: Library) -> None:
    x = lib.leaf([1.0, 2.0])
    base = x * 3
    view = base[0]
    base.detach_()
    base.copy_(x * 5)
    equal(gradient(view, x)[0], [5, 0])
    view.mul_(2)
    equal(gradient(base, x)[0], [10, 5])


def test_a_view_made_without_recording_is_a_constant_once_its_base_is(lib: Library) -> None:
    base = lib.leaf([1.0, 2.0]) * 3
    with ad.no_grad():
        view = base[0]
    base.mul_(2)
    base.detach_()
    equal(view * 1, 6)


# ---- another size ----------------------------------------------------------------------------------------------------


def test_resize(lib: Library) -> None:
    x = lib(np.arange(6.0).reshape(2, 3))
    view = x[0]
    assert x.resize_(2, 2) is x
    equal(x, [[0, 1], [2, 3]])
    assert x._version == view._version == 1
    view.add_(10)  # they still share memory
    equal(x, [[10, 11], [12, 3]])
    x.resize_(6)
    equal(x, [10, 11, 12, 3, 4, 5])
    with refused("other tensors show the same memory"):
        x.resize_(7)
    alone = lib([1.0, 2.0])
    alone.resize_as_(lib(np.zeros((2, 2))))
    equal(alone, [[1, 2], [0, 0]])
    with refused("requires grad"):
        lib.leaf([1.0, 2.0]).resize_(1)


def test_a_tensor_becomes_a_strided_view_of_itself(lib: Library) -> None:
    x = lib.leaf(MATRIX)
    y = x * 1
    assert y.as_strided_((2, 2), (3, 1), 1) is y
    equal(y, [[2, 3], [5, 6]])
    equal(gradient(y * y, x)[0], [[0, 4, 6], [0, 10, 12]])
    z = x * 1
    row = z[0]
    with refused("the way to it would be lost"):
        z.as_strided_((2, 2), (3, 1), 1)
    equal(row, [1, 2, 3])


def test_set(lib: Library) -> None:
    x, y = lib([1.0, 2.0]), lib([3.0, 4.0, 5.0])
    old = x[0]
    assert x.set_(y) is x
    y[0] = 9.0
    equal(x, [9, 4, 5])
    old.zero_()
    equal(x, [9, 4, 5])
    assert x.is_set_to(y) and not x.is_set_to(y.clone())
    assert x.set_().shape == (0,)
    with refused("set_"):
        lib.leaf([1.0]).set_(y)


def test_an_output_that_was_resized_has_left_its_memory(lib: Library) -> None:
    x = lib([1.0, 2.0, 3.0])
    view = x[1:]
    with pytest.warns(UserWarning, match="resized"):
        ad.add(lib([1.0, 1.0]), 1, out=x)
    view.zero_()
    equal(x, [2, 2])


def test_data_that_was_replaced_has_left_its_memory(lib: Library) -> None:
    x = lib([1.0, 2.0, 3.0])
    view = x[1:]
    x.data = lib([7.0, 8.0])
    view.zero_()
    equal(x, [7, 8])
    equal(view, [0, 0])


@pytest.mark.parametrize("of_data", [lambda d: d, lambda d: d[:1], lambda d: d.detach()])
def test_a_write_to_the_data_of_a_view_that_cannot_be_written_to(lib: Library, of_data: Callable[[Any], Any]) -> None:
    """NumPy's arrays for broadcasts and diagonals are read-only, though what they show is not."""
    square = [[1.0, 2.0], [3.0, 4.0]]
    for view in (lambda x: x.expand(2, 2), lambda x: x.diagonal(), lambda x: x.broadcast_to((2, 2))[1:]):
        x = lib.leaf(square)
        wanted = lib(square).clone()
        y = x.exp()
        of_data(view(x).data).mul_(3)
        of_data(view(wanted)).mul_(3)
        equal(x, values(wanted))
        equal(gradient(y, x)[0], np.exp(square))
        z = x * x
        of_data(view(x).data).mul_(3)
        with refused("through .data"):
            z.sum().backward()


def test_a_list_of_dimensions_can_be_changed_before_a_write_to_the_view(lib: Library) -> None:
    x = lib.leaf(MATRIX)
    y = x * 1
    order = [1, 0]
    turned = y.permute(order)
    order.reverse()
    turned[0].mul_(3)
    equal(gradient(y, x)[0], [[3, 1, 1], [3, 1, 1]])


def test_the_diagonal(lib: Library) -> None:
    x = lib.leaf(np.ones((2, 3)))
    y = x * 1
    assert y.fill_diagonal_(5.0) is y
    equal(y, [[5, 1, 1], [1, 5, 1]])
    equal(gradient(y, x)[0], [[0, 1, 1], [1, 0, 1]])
    tall = lib(np.zeros((7, 3))).fill_diagonal_(1.0, wrap=True)
    assert np.flatnonzero(values(tall)).tolist() == [0, 4, 8, 12, 16, 20]
    equal(lib(np.zeros((3, 3, 3))).fill_diagonal_(1.0).sum((1, 2)), [1, 1, 1])
    with refused("two dimensions"):
        lib([1.0]).fill_diagonal_(1.0)


def test_the_diagonal_of_an_array_with_gaps_or_turned_round() -> None:
    for array in (np.zeros((6, 8))[::2, ::2], np.zeros((3, 4))[::-1, ::-1], np.asfortranarray(np.zeros((3, 4)))):
        ad.Tensor(array).fill_diagonal_(1.0)
        assert array.tolist() == np.eye(3, 4).tolist()


def test_python_functions_in_place(lib: Library) -> None:
    x = lib([[1.0, 2.0], [3.0, 4.0]])
    equal(x.apply_(lambda value: value * 2), [[2, 4], [6, 8]])
    equal(x.map_(lib([[1.0, 2.0], [3.0, 4.0]]), lambda a, b: a - b), [[1, 2], [3, 4]])
    with refused("cannot be differentiated"):
        lib.leaf([1.0]).apply_(lambda value: value)


# ---- writes to everything --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", [..., slice(None), (slice(None), ...), slice(0, 2), (slice(None), slice(0, 9))])
def test_assigning_to_everything_is_a_write_to_the_tensor_itself(lib: Library, key: Any) -> None:
    x, v = lib.leaf(MATRIX), lib.leaf([1.0, 2.0, 3.0])
    y = x * 1
    y[key] = v
    assert y.grad_fn.name() == "CopyBackwards"
    equal(gradient(y, x, v)[0], np.zeros((2, 3)))
    equal(gradient(y, x, v)[1], [2, 2, 2])
    y[key] = 4.0
    assert y.grad_fn.name().startswith("FillBackward")
    equal(y, np.full((2, 3), 4.0))


def test_expanded_memory_can_be_filled_with_one_number(lib: Library) -> None:
    """What every element is to be is clear then; PyTorch allows it for `fill_` and `zero_`."""
    x = lib([1.0])
    x.expand(3).fill_(2.0)
    equal(x, [2])
    x.expand(3).zero_()
    equal(x, [0])
    wide = lib([1.0]).expand(3)
    for write in (lambda: wide.add_(1), lambda: wide.__setitem__(slice(0, 2), 1.0), lambda: wide.copy_(lib([1.0]))):
        with refused("share one place"):
            write()
    v = lib.leaf(2.0)
    with refused("share one place"):
        wide.fill_(v)  # its gradient would be counted once for each element


def test_complex_parts_that_are_not_neighbours(lib: Library) -> None:
    x = lib(np.arange(8.0).reshape(2, 2, 2))
    with refused("beside each other"):
        ad.view_as_complex(x.transpose(0, 2))
    equal(ad.view_as_complex(x.transpose(0, 1)), [[0 + 1j, 4 + 5j], [2 + 3j, 6 + 7j]])
