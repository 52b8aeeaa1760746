"""Views and in-place writes: what is seen, what is differentiated and what is refused, on NumPy and on JAX arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint._core.views.history import Creation, make_view
from tests._core.views.helpers import MATRIX, Library, equal, gradient, refused, values
from tests._core.views.lockstep import library, read_only

# ---- what is seen ---------------------------------------------------------------------------------------------------


def test_everyone_sees_a_write(lib: Library) -> None:
    base = lib(MATRIX)
    row, column, turned, flat, detached = base[0], base[:, 1], base.t(), base.view(-1), base.detach()
    row.mul_(10)
    equal(base, [[10, 20, 30], [4, 5, 6]])
    column.add_(1)
    turned[2].zero_()
    detached[1, 0] = 7.0
    flat[4] = -1.0
    equal(base, [[10, 21, 0], [7, -1, 0]])
    equal(row, [10, 21, 0])
    equal(column, [21, -1])
    equal(turned, [[10, 7], [21, -1], [0, 0]])
    equal(detached, [[10, 21, 0], [7, -1, 0]])
    assert {t._version for t in (base, row, column, turned, flat, detached)} == {5}


def test_copies_do_not(lib: Library) -> None:
    base = lib(MATRIX)
    others = [base.clone(), base[[0, 1]], base.t().reshape(-1), base + 0, base.repeat(1, 1), base.flip(0)]
    before = [values(other) for other in others]
    base.zero_()
    for other, kept in zip(others, before):
        equal(other, kept)
        assert not other._is_view() or other._base is not base


def test_reshape_is_a_view_where_memory_allows_it(lib: Library) -> None:
    base = lib(np.arange(12.0).reshape(3, 4))
    assert base.reshape(2, 6)._base is base
    assert base[:, :2].reshape(6)._base is not base
    assert base[:2].reshape(8)._base is base
    assert base.t().reshape(4, 3, 1)._base is base
    assert base.t().reshape(12)._base is not base
    assert base[:, ::2].reshape(3, 2, 1)._base is base
    with pytest.raises(RuntimeError, match=r"reshape\(\) makes one"):
        base.t().view(12)


def test_where_views_lie(lib: Library) -> None:
    base = lib(np.arange(24.0).reshape(2, 3, 4))
    view = base[1, :, 1:3].t()
    assert (view.stride(), view.storage_offset()) == ((1, 4), 13)
    assert view.stride(-1) == 4
    assert not view.is_contiguous()
    assert base[1].is_contiguous()
    assert view.contiguous().is_contiguous()
    assert view.untyped_storage() == base.untyped_storage() != base.clone().untyped_storage()
    assert base.untyped_storage().nbytes() == 24 * 8
    assert view.data_ptr() == base.data_ptr() + 13 * 8
    assert base.expand(2, 2, 3, 4).stride() == (0, 12, 4, 1)
    equal(base.as_strided((2, 2), (5, 1), 3), [[3, 4], [8, 9]])


def test_writes_through_any_view(lib: Library) -> None:
    whole = np.arange(24.0).reshape(2, 3, 4)
    ways: list[Callable[[Any], Any]] = [
        lambda x: x.transpose(0, 2)[1],
        lambda x: x.permute(2, 0, 1)[1:3, 0],
        lambda x: x.unflatten(2, (2, 2))[..., 1],
        lambda x: x.diagonal(0, 1, 2),
        lambda x: x.diagonal(-1, 0, 1)[1:],
        lambda x: x.unfold(2, 2, 2),
        lambda x: x.expand(3, 2, 3, 4)[1, 0],
        lambda x: x.expand(2, 2, 3, 4)[0].permute(1, 2, 0)[0],
        lambda x: x.as_strided((2, 3), (12, 1), 4),
        lambda x: x.movedim(0, -1).squeeze().unsqueeze(0),
        lambda x: x.swapaxes(0, 1)[::2],
        lambda x: x.narrow(1, 1, 2).select(0, -1),
        lambda x: x.mT,
        lambda x: x.tensor_split(2)[1],
        lambda x: x[..., None, 1:],
        lambda x: x[:, 0:3:2],
    ]
    for number, way in enumerate(ways):
        base = lib(whole)
        other = base[1]
        expected = whole.copy()
        numbers = values(way(ad.Tensor(np.arange(24).reshape(2, 3, 4))))
        shape = way(base).shape
        new = np.arange(100.0, 100 + np.prod(shape)).reshape(shape)
        way(base).copy_(lib(new))
        expected.reshape(-1)[numbers.reshape(-1)] = new.reshape(-1)
        np.testing.assert_array_equal(values(base), expected, err_msg=f"way {number}")
        np.testing.assert_array_equal(values(other), expected[1], err_msg=f"way {number}")


# ---- what is differentiated -----------------------------------------------------------------------------------------


def test_assigning_a_variable_to_a_part_of_a_constant(lib: Library) -> None:
    x = lib.leaf([1.0, 2.0, 3.0])
    base = lib(MATRIX)
    view = base[1]
    base[1] = x * 2
    assert base.requires_grad and view.requires_grad and not base[0].is_leaf
    equal(gradient(base * base, x)[0], [8, 16, 24])
    equal(gradient(view * 3, x)[0], [6, 6, 6])


def test_a_view_follows_its_base(lib: Library) -> None:
    x, y = lib.leaf(MATRIX), lib.leaf([1.0, 2.0, 3.0])
    base = x * 1
    view = base[1]
    before = view * view
    base.copy_(y)
    after = view * view
    equal(gradient(after, x, y)[0], np.zeros((2, 3)))
    equal(gradient(after, x, y)[1], [2, 4, 6])
    with pytest.raises(RuntimeError, match="modified by an in-place operation"):
        before.sum().backward()


def test_chains_of_views(lib: Library) -> None:
    x, y = lib.leaf(MATRIX), lib.leaf([5.0, 7.0])
    base = x * 1
    inner = base.t()[1:]
    inner[0].mul_(y)
    inner.add_(1)
    equal(base, [[1, 11, 4], [4, 36, 7]])
    got = gradient(base * base, x, y)
    equal(got[0], [[2, 2 * 11 * 5, 8], [8, 2 * 36 * 7, 14]])
    equal(got[1], [2 * 11 * 2, 2 * 36 * 5])


def test_several_views_of_one_base_in_any_order(lib: Library) -> None:
    x = lib.leaf([1.0, 2.0, 3.0, 4.0])
    base = x * 1
    left, right, every = base[:3], base[1:], base[::2]
    left.mul_(2)
    every.mul_(3)
    right.mul_(5)
    equal(base, [6, 20, 90, 20])
    equal(gradient(left, x)[0], [6, 10, 30, 0])
    equal(gradient(every, x)[0], [6, 0, 30, 0])
    equal(gradient(right, x)[0], [0, 10, 30, 5])


def test_parts_of_complex_numbers(lib: Library) -> None:
    real = lib.leaf([1.0, 2.0])
    z = ad.complex(real, real * 0 + 3)
    ad.view_as_real(z)[..., 0].mul_(2)
    z.imag.add_(real)
    equal(z, [2 + 4j, 4 + 5j])
    equal(gradient((z * z.conj()).real, real)[0], [2 * 2 * 2 + 2 * 4, 2 * 4 * 2 + 2 * 5])


def test_an_operand_that_is_a_view_of_what_is_changed(lib: Library) -> None:
    x = lib.leaf([[1.0, 2.0], [3.0, 4.0]])
    y = x * 1
    y.add_(y.view(2, 2))
    y[0].mul_(y[1].clone())
    y.mul_(y)
    expected = lambda v: (np.stack([4 * v[0] * v[1], 2 * v[1]])) ** 2
    equal(y, expected(np.array([[1.0, 2.0], [3.0, 4.0]])))
    v = np.array([[1.0, 2.0], [3.0, 4.0]])
    equal(gradient(y, x)[0], [32 * v[0] * v[1] ** 2, 32 * v[0] ** 2 * v[1] + 8 * v[1]])


def test_hooks_see_the_gradient_of_the_value_at_their_time(lib: Library) -> None:
    x = lib.leaf([1.0, 2.0])
    y = x * 1
    view = y[0]
    seen: dict[str, Any] = {}
    y.register_hook(lambda g: seen.__setitem__("before", values(g)))
    y.retain_grad()
    view.mul_(10)
    y.register_hook(lambda g: seen.__setitem__("after", values(g)))
    view.register_hook(lambda g: seen.__setitem__("view", values(g)))
    (view * 3 + y.sum()).backward()
    equal(seen["before"], [40, 1])
    equal(seen["after"], [4, 1])
    equal(seen["view"], 3)
    equal(y.grad, [4, 1])
    equal(x.grad, [40, 1])


def test_second_derivatives_through_writes(lib: Library) -> None:
    x = lib.leaf([1.0, 2.0, 3.0])
    base = lib(np.zeros((2, 3)))
    base[0] = x**3
    base.t()[1].mul_(x[1])
    (first,) = ad.autograd.grad((base**2).sum(), x, create_graph=True)
    equal(first, [6, 8 * 2**7, 6 * 3**5])
    equal(gradient(first, x)[0], [30, 56 * 2**6, 30 * 3**4])


def test_retained_graph(lib: Library) -> None:
    x = lib.leaf([1.0, 2.0])
    y = x * 1
    y[0] = 5.0
    loss = (y * y).sum()
    loss.backward(retain_graph=True)
    loss.backward()
    equal(x.grad, [0, 8])
    with pytest.raises(RuntimeError, match="cannot run again"):
        loss.backward()


def test_writes_without_recording(lib: Library) -> None:
    x = lib.leaf([1.0, 2.0])
    view = x[1]
    with ad.no_grad():
        x[0] = 7.0
        view.add_(1)
        x.mul_(2)
    equal(x, [14, 6])
    equal(view, 6)
    assert x.is_leaf and x._version == 3
    equal(gradient(view * view, x)[0], [0, 12])


def test_a_tensor_that_turns_itself(lib: Library) -> None:
    x = lib.leaf(MATRIX)
    base = x * 1
    row, version = base[0], base._version
    base.t_()
    assert base.shape == (3, 2) and base._version == version + 1
    base.unsqueeze_(0)
    base[0, 2].mul_(4)
    base.squeeze_()
    equal(row, [1, 2, 12])
    equal(gradient(row * row, x)[0], [[2, 4, 2 * 12 * 4], [0, 0, 0]])
    equal(gradient(base * base, x)[0], [[2, 4, 96], [8, 10, 2 * 24 * 4]])
    row.unsqueeze_(0).transpose_(0, 1)
    row.zero_()
    equal(base, [[0, 4], [0, 5], [0, 24]])


# ---- what is refused ------------------------------------------------------------------------------------------------


def test_leaves(lib: Library) -> None:
    x = lib.leaf(MATRIX)
    for write in (lambda: x.mul_(2), lambda: x.__setitem__(0, 1.0), lambda: x.zero_(), lambda: x.t_()):
        with refused("a leaf that requires grad"):
            write()
    for write in (lambda: x[0].mul_(2), lambda: x.t()[0].fill_(1), lambda: x[0].__setitem__(0, 1.0)):
        with refused("view of a leaf"):
            write()
    equal(x, MATRIX)
    assert x._version == 0


def test_views_from_operators_that_return_several(lib: Library) -> None:
    x = lib.leaf(MATRIX)
    base = x * 1
    parts = [base.unbind()[0], base.split(1)[1], base.chunk(3, 1)[0], next(iter(base))]
    for part in (*parts, parts[0][1:], parts[1].t()):
        with refused("one of several views"):
            part.mul_(2)
    before = parts[0] * 1
    base.mul_(3)
    for part in parts:
        with refused("one of several views .* changed in place since"):
            part * 2
    with ad.no_grad():
        equal(parts[0] * 2, [6, 12, 18])
    equal(gradient(before, x)[0], [[1, 1, 1], [0, 0, 0]])
    constant = lib(MATRIX).unbind()
    constant[0].mul_(2)  # nothing is recorded here
    base.tensor_split(2)[0].mul_(2)  # these are views of their own


def test_they_have_no_history_after_an_unrecorded_write_either(lib: Library) -> None:
    x = lib.leaf(MATRIX)
    for write in (
        lambda base, rows: rows[0].mul_(3),
        lambda base, rows: rows[0][1:].zero_(),
        lambda base, rows: base.zero_(),
        lambda base, rows: base[1].zero_(),
        lambda base, rows: rows[0].__setitem__(0, 1.0),
    ):
        base = x * 1
        rows = base.unbind()
        with ad.no_grad():
            write(base, rows)
        assert rows[1].requires_grad and "grad_fn=<Invalid>" in repr(rows[1])
        for row in rows:
            for use in (
                lambda row: row.grad_fn,
                lambda row: row * 2,
                lambda row: row[1:],
                lambda row: row.retain_grad(),
            ):
                with refused("one of several views"):
                    use(row)
            with ad.no_grad():
                row * 2
        equal(gradient(base, x)[0], np.ones((2, 3)))  # the base itself goes on
    rows = lib.leaf(MATRIX).unbind()
    with ad.no_grad():
        for row in rows:
            row.zero_()  # a leaf may be filled so


def test_views_made_without_recording(lib: Library) -> None:
    x = lib.leaf(MATRIX)
    base = x * 1
    with ad.no_grad():
        view = base[0]
    for one in (view, view[1:]):
        with refused("made in no_grad mode"):
            one.mul_(2)
    base.mul_(2)
    with refused("made in no_grad mode, and its base"):
        view * 2
    constant = lib(MATRIX)
    with ad.no_grad():
        view = constant[0]
    view.mul_(2)
    with refused("made in no_grad mode"):
        view.mul_(x[0])
    with ad.inference_mode():
        view = base[0]
    with refused("made in inference mode"):
        view.mul_(2)


def test_views_returned_by_a_custom_function(lib: Library) -> None:
    base = lib.leaf(MATRIX) * 1
    view = ad.Tensor(base._array[0, ...])
    step = base[0]._meta.view.chain[0]
    make_view(base, view, step, Creation.IN_CUSTOM_FUNCTION)
    view._edge = base[0]._edge
    with refused("custom Function"):
        view[1:].mul_(2)


def test_memory_that_overlaps(lib: Library) -> None:
    x = lib([1.0, 2.0, 3.0, 4.0])
    for view in (x.expand(2, 4), x.unfold(0, 2, 1), x.as_strided((2, 3), (1, 1))):
        with refused("share one place in memory"):
            view.add_(1)
        with refused("share one place in memory"):
            view[...] = x.sum()
    for write in (lambda: x[1:].copy_(x[:-1]), lambda: x[1:].add_(x[:-1]), lambda: x.__setitem__(slice(1, 4), x[:3])):
        with refused("clone"):
            write()
    matrix = lib(MATRIX)
    with refused("clone"):
        matrix[:, :2].add_(matrix[:, 1:])
    x[:2].copy_(x[2:])
    x.copy_(x)
    x.expand(1, 4).add_(1)
    equal(x, [4, 5, 4, 5])


def test_detaching_and_requiring(lib: Library) -> None:
    x = lib.leaf(MATRIX)
    base = x * 1
    view = base[0]
    with refused("detach_"):
        view.detach_()
    with refused("leaves only"):
        base.requires_grad_(False)
    view.mul_(2)
    base.detach_()
    assert base.is_leaf and not base.requires_grad
    equal(gradient(view, x)[0], [[2, 2, 2], [0, 0, 0]])


def test_results_that_do_not_fit(lib: Library) -> None:
    x = lib([1.0, 2.0])
    with refused("broadcast in place"):
        x.add_(lib(np.ones((3, 2))))
    with refused("shape"):
        x.copy_(lib(np.ones((1, 2))))
    x[...] = lib(np.ones((1, 2)))
    with refused("cannot be stored"):
        x.fill_(1j)
    whole = ad.tensor([1, 2])
    with refused("cannot be stored"):
        whole.add_(0.5)
    with pytest.raises(TypeError):
        x[0] = "1"  # type: ignore[assignment]


def test_saved_values_that_were_written_to(lib: Library) -> None:
    for write in (
        lambda y: y.mul_(2),
        lambda y: y[0].mul_(2),
        lambda y: y.detach().zero_(),
        lambda y: y.__setitem__(0, 1.0),
        lambda y: y.t_(),
        lambda y: ad.autograd.graph.increment_version(y),
    ):
        x = lib.leaf(MATRIX)
        y = x * 1
        z = y * y
        with ad.no_grad():
            write(y)
        with refused("MulBackward0 has saved an input"):
            z.sum().backward()


def test_a_view_of_what_cannot_be_changed_is_left_alone() -> None:
    array = read_only(np.arange(3.0))
    x = ad.Tensor(array)
    view = x[1:]
    view.mul_(10)
    equal(x, [0, 10, 20])
    np.testing.assert_array_equal(array, [0, 1, 2])


# ---- writing into a constant while tracing --------------------------------------------------------------------------


def test_tracers_written_into_constants() -> None:
    jax = pytest.importorskip("jax")
    with library("jax"):

        def run(array: Any) -> Any:
            x = ad.Tensor(array, requires_grad=True)
            table = ad.zeros(3, 2, dtype=ad.float64)  # a NumPy array until a tracer is written into it
            last, turned = table[2], table.t()
            for i in range(3):
                table[i] = x * (i + 1)
            last.mul_(x)
            (gradient,) = ad.autograd.grad((turned * turned).sum(), x)
            return table._array, last._array, gradient._array

        x = np.array([1.0, 2.0])
        found = [np.asarray(one) for one in jax.jit(run)(x)]
    equal(found[0], np.stack([x, 2 * x, 3 * x * x]))
    equal(found[1], 3 * x * x)
    equal(found[2], 2 * x + 8 * x + 36 * x**3)


# ---- formulas that use the result ------------------------------------------------------------------------------------

WRITES: list[tuple[str, tuple[Any, ...]]] = [
    ("exp", ()), ("tanh", ()), ("sigmoid", ()), ("sqrt", ()), ("rsqrt", ()), ("reciprocal", ()), ("expm1", ()),
    ("cumprod", (0,)), ("pow", (2.5,)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "args"), WRITES)
@pytest.mark.parametrize("whole", [True, False])
def test_higher_derivatives_of_a_write_to_a_view(lib: Library, name: str, args: tuple[Any, ...], whole: bool) -> None:
    """What a node has saved of its own output has the view's history, and not that of the base."""
    x = lib.leaf([[1.0, 2.0], [3.0, 4.0]])
    weight = lib([[1.0, 2.0], [3.0, 5.0]])

    def derivatives(written: bool) -> list[Any]:
        base = x * 0.5
        if written:
            getattr(base.t() if whole else base[0], name + "_")(*args)
        elif whole:
            base = getattr(base.t(), name)(*args).t()
        else:
            base = ad.stack([getattr(base[0], name)(*args), base[1] * 1])
        found, output = [], (base * weight).sum()
        for _ in range(3):
            (slope,) = ad.autograd.grad(output, x, create_graph=True)
            found.append(values(slope))
            output = (slope * slope * weight).sum()
        return found

    for found, wanted in zip(derivatives(True), derivatives(False), strict=True):
        equal(found, wanted)


def test_a_write_to_read_only_memory_does_not_share_the_operand() -> None:
    """The values are replaced by new ones, and not by the array of the tensor that was assigned."""
    for write in (lambda x, y: x.copy_(y), lambda x, y: x.__setitem__(..., y), lambda x, y: ad.exp(y, out=x)):
        target, source = ad.Tensor(read_only(np.zeros(3))), ad.tensor([1.0, 2.0, 3.0], dtype=ad.float64)
        write(target, source)
        expected = target.tolist()
        source.add_(10)
        assert target.tolist() == expected
