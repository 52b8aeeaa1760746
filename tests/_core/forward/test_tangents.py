"""Tangents of tensors that share memory: views, in-place writes, `detach`, other array libraries."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import adjoint as ad
from tests.support import forward_programs
from tests.support.leaves import const, leaf, raises

pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # PyTorch's own rules are scripted

fwd = ad.autograd.forward_ad


def dual(lib: Any, value: Any, tangent: Any, dtype: str = "float64") -> Any:
    return lib.autograd.forward_ad.make_dual(const(lib, value, dtype), const(lib, tangent, dtype))


def tangent(lib: Any, tensor: Any) -> Any:
    """A tensor's tangent as nested lists, or None."""
    found = lib.autograd.forward_ad.unpack_dual(tensor).tangent
    return None if found is None else found.tolist()


def test_writing_a_dual_into_a_slice_makes_the_base_dual(lib: Any) -> None:
    with lib.autograd.forward_ad.dual_level():
        base = const(lib, [[1.0, 2.0], [3.0, 4.0]])
        before = base.t()
        base[1] = dual(lib, [5.0, 6.0], [7.0, 8.0])
        assert tangent(lib, base) == [[0.0, 0.0], [7.0, 8.0]]
        assert tangent(lib, before) == [[0.0, 7.0], [0.0, 8.0]]
        assert tangent(lib, base[0]) == [0.0, 0.0]


def test_changing_a_base_changes_its_views_tangents(lib: Any) -> None:
    with lib.autograd.forward_ad.dual_level():
        base = dual(lib, [1.0, 2.0, 3.0, 4.0], [1.0, 1.0, 1.0, 1.0]).clone()
        square, pair = base.view(2, 2), base[1:3]
        base.mul_(dual(lib, [1.0, 2.0, 3.0, 4.0], [1.0, 0.0, 0.0, 0.0]))
        assert tangent(lib, base) == [2.0, 2.0, 3.0, 4.0]
        assert tangent(lib, square) == [[2.0, 2.0], [3.0, 4.0]]
        assert tangent(lib, pair) == [2.0, 3.0]
        pair.zero_()
        assert tangent(lib, base) == [2.0, 0.0, 0.0, 4.0] and tangent(lib, square) == [[2.0, 0.0], [0.0, 4.0]]


def test_views_of_views_and_siblings(lib: Any) -> None:
    with lib.autograd.forward_ad.dual_level():
        base = const(lib, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        left, right = base[:, :2], base.t()[1:]
        left.t()[1].copy_(dual(lib, [9.0, 9.0], [5.0, 7.0]))
        assert tangent(lib, base) == [[0.0, 5.0, 0.0], [0.0, 7.0, 0.0]]
        assert tangent(lib, right) == [[5.0, 7.0], [0.0, 0.0]]
        right.mul_(2)
        assert tangent(lib, left) == [[0.0, 10.0], [0.0, 14.0]]


def test_the_tangent_of_a_view_is_a_view_of_the_tangent(lib: Any) -> None:
    forward = lib.autograd.forward_ad
    with forward.dual_level():
        base = dual(lib, [1.0, 2.0], [3.0, 4.0]).clone()
        view = base[1:]
        forward.unpack_dual(base).tangent.mul_(10)
        assert tangent(lib, view) == [40.0]
        forward.unpack_dual(view).tangent.mul_(10)
        assert tangent(lib, base) == [30.0, 400.0]
        view.mul_(2)
        forward.unpack_dual(view).tangent.neg_()
        assert tangent(lib, base) == [30.0, -800.0]


def test_the_tangent_is_taken_as_it_is(lib: Any) -> None:
    forward = lib.autograd.forward_ad
    with forward.dual_level():
        given = const(lib, [3.0])
        x = forward.make_dual(const(lib, [1.0]), given)
        assert forward.unpack_dual(x).tangent is given
        given.mul_(2)
        assert tangent(lib, x) == [6.0]


def test_tangents_of_different_tensors_do_not_share_memory(lib: Any) -> None:
    forward = lib.autograd.forward_ad
    with forward.dual_level():
        x = dual(lib, [1.0], [1.0])
        others = [x + 1, x - 1, x.clone(), const(lib, [0.0]).copy_(x), x.to(lib.float64, copy=True)]
        for y in others:
            forward.unpack_dual(y).tangent.mul_(10)
            assert tangent(lib, y) == [10.0] and tangent(lib, x) == [1.0]


def test_several_views_from_one_operator(lib: Any) -> None:
    with lib.autograd.forward_ad.dual_level():
        base = dual(lib, [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]).clone()
        parts = [*base.split(2), *base.chunk(2), *base.unbind()]
        assert [tangent(lib, p) for p in parts] == [[1.0, 2.0], [3.0, 4.0]] * 2 + [1.0, 2.0, 3.0, 4.0]
        with lib.no_grad():
            parts[0].mul_(10)
        assert tangent(lib, parts[4]) == 10.0 and tangent(lib, base) == [10.0, 20.0, 3.0, 4.0]


def test_make_dual_and_unpack_dual_are_views_for_reverse_mode_only(lib: Any) -> None:
    forward = lib.autograd.forward_ad
    with forward.dual_level():
        x = const(lib, [1.0, 2.0])
        y = forward.make_dual(x, const(lib, [3.0, 4.0]))
        assert y._is_view() and y._base is x
        y[0] = dual(lib, 5.0, 6.0)
        assert x.tolist() == [5.0, 2.0] and tangent(lib, x) is None
        assert tangent(lib, y) == [6.0, 4.0]
        primal = forward.unpack_dual(y).primal
        assert primal._is_view() and primal._base is x
        primal.mul_(2)
        assert y.tolist() == [10.0, 4.0] and tangent(lib, y) == [6.0, 4.0] and tangent(lib, primal) is None
        primal.copy_(dual(lib, [1.0, 1.0], [7.0, 7.0]))
        assert tangent(lib, primal) == [7.0, 7.0] and tangent(lib, y) == [6.0, 4.0] and tangent(lib, x) is None


def test_a_dual_of_a_view_is_apart_from_its_base(lib: Any) -> None:
    forward = lib.autograd.forward_ad
    with forward.dual_level():
        base = dual(lib, [1.0, 2.0], [1.0, 1.0]).clone()
        part = forward.make_dual(forward.unpack_dual(base[:1]).primal, const(lib, [50.0]))
        part.mul_(2)
        assert base.tolist() == [2.0, 2.0] and tangent(lib, base) == [1.0, 1.0]
        assert tangent(lib, part) == [100.0] and tangent(lib, part.view(1, 1)) == [[100.0]]


def test_the_history_of_a_primal(lib: Any) -> None:
    forward = lib.autograd.forward_ad
    x = leaf(lib, [2.0])
    with forward.dual_level():
        y = forward.make_dual(x, const(lib, [1.0]))
        assert y.grad_fn is not None and not y.is_leaf
        (grad,) = lib.autograd.grad(forward.unpack_dual(y).primal ** 2, x)
        assert grad.tolist() == [4.0] and tangent(lib, grad) is None


@pytest.mark.parametrize("shape", ["matrix", "cube"])
def test_a_tangent_in_another_memory_layout(lib: Any, shape: str) -> None:
    forward = lib.autograd.forward_ad
    sizes = (2, 3) if shape == "matrix" else (2, 3, 4)
    values = np.arange(float(np.prod(sizes))).reshape(sizes)
    with forward.dual_level():
        other = lib.from_numpy(np.array(values.T, order="C")).permute(*reversed(range(len(sizes))))
        x = forward.make_dual(lib.ones(sizes, dtype=lib.float64), other)
        flat = x.view(-1)
        assert tangent(lib, flat) == values.reshape(-1).tolist()
        assert tangent(lib, x.as_strided((2,), (3,), 1)) == values.reshape(-1)[[1, 4]].tolist()
        flat[1] = 0.0
        values.reshape(-1)[1] = 0.0
        assert tangent(lib, x) == values.tolist()


def test_strides_that_reach_beyond_a_view(lib: Any) -> None:
    forward = lib.autograd.forward_ad
    with forward.dual_level():
        base = const(lib, [0.0, 1.0, 2.0, 3.0])
        part = forward.make_dual(base[2:], const(lib, [5.0, 6.0]))
        assert tangent(lib, part.as_strided((3,), (1,), 1)) == [0.0, 5.0, 6.0]
        whole = forward.make_dual(base, const(lib, [1.0, 2.0, 3.0, 4.0]))
        assert tangent(lib, whole[2:].as_strided((3,), (1,), 1)) == [2.0, 3.0, 4.0]
        assert tangent(lib, whole.clone()[2:].as_strided((3,), (1,), 1)) == [2.0, 3.0, 4.0]


def test_parts_of_complex_numbers(lib: Any) -> None:
    with lib.autograd.forward_ad.dual_level():
        z = dual(lib, [1 + 2j, 3 + 4j], [5 + 6j, 7 + 8j], "complex128").clone()
        pairs = lib.view_as_real(z)
        assert tangent(lib, z.real) == [5.0, 7.0] and tangent(lib, z.imag) == [6.0, 8.0]
        z.imag.mul_(2)
        pairs[0, 0] = 0.0
        assert tangent(lib, z) == [12j, 7 + 16j]
        r = const(lib, [[1.0, 2.0], [3.0, 4.0]])
        c = lib.view_as_complex(r)
        c.copy_(dual(lib, [1 + 1j, 1 + 1j], [1 + 2j, 3 + 4j], "complex128"))
        assert tangent(lib, r) == [[1.0, 2.0], [3.0, 4.0]]


def test_ways_to_write(lib: Any) -> None:
    def fresh() -> Any:
        return const(lib, [1.0, 2.0, 3.0])

    with lib.autograd.forward_ad.dual_level():
        d = dual(lib, [4.0, 5.0, 6.0], [10.0, 20.0, 30.0])
        assert tangent(lib, fresh().copy_(d)) == [10.0, 20.0, 30.0]
        assert tangent(lib, fresh().mul_(d)) == [10.0, 40.0, 90.0]
        assert tangent(lib, fresh().add_(d, alpha=2)) == [20.0, 40.0, 60.0]
        assert tangent(lib, fresh().fill_(d[1])) == [20.0, 20.0, 20.0]
        assert tangent(lib, fresh().index_put_((lib.tensor([2, 0]),), d[:2])) == [20.0, 0.0, 10.0]
        assert tangent(lib, fresh().masked_fill_(lib.tensor([True, False, False]), d[2])) == [30.0, 0.0, 0.0]
        y = fresh()
        y[lib.tensor([False, True, True])] = d[:2]
        assert tangent(lib, y) == [0.0, 10.0, 20.0]
        y += d
        y /= 2
        assert tangent(lib, y) == [5.0, 15.0, 25.0]
        assert tangent(lib, y.uniform_() if hasattr(y, "uniform_") else y.zero_()) == [0.0, 0.0, 0.0]
        assert tangent(lib, fresh().addcmul_(d, d)) == [80.0, 200.0, 360.0]
        turned = dual(lib, [[1.0, 2.0]], [[3.0, 4.0]]).clone()
        turned.t_()
        assert tangent(lib, turned) == [[3.0], [4.0]] and tangent(lib, turned[1]) == [4.0]
        turned.unsqueeze_(0).mul_(2)
        assert tangent(lib, turned) == [[[6.0], [8.0]]]


def test_out() -> None:
    """PyTorch refuses it."""
    with fwd.dual_level():
        d = dual(ad, [1.0, 2.0], [3.0, 4.0])
        out = const(ad, [0.0, 0.0])
        view = out[:1]
        ad.mul(d, 2, out=out)
        assert tangent(ad, out) == [6.0, 8.0] and tangent(ad, view) == [6.0]
        ad.mul(const(ad, [1.0, 2.0]), 2, out=out)
        assert tangent(ad, out) == [0.0, 0.0] and tangent(ad, view) == [0.0]
        resized = const(ad, [])
        ad.mul(d, 3, out=resized)
        assert tangent(ad, resized) == [9.0, 12.0]


def test_leaves_are_protected_as_ever(lib: Any) -> None:
    x = leaf(lib, [1.0, 2.0])
    with lib.autograd.forward_ad.dual_level():
        d = dual(lib, [1.0, 1.0], [3.0, 4.0])
        with raises(lib, RuntimeError, "leaf"):
            x.mul_(d)
        with raises(lib, RuntimeError, "leaf"):
            x[:1].mul_(d[:1])
        with lib.no_grad():
            x.mul_(d)
        assert tangent(lib, x) == [3.0, 8.0] and x.is_leaf
        (grad,) = lib.autograd.grad((x * x).sum(), x)
        assert tangent(lib, grad) == [6.0, 16.0]


def test_bits_read_as_another_dtype_have_no_tangent(lib: Any) -> None:
    with lib.autograd.forward_ad.dual_level():
        x = dual(lib, [1.0], [1.0])
        assert tangent(lib, x.view(lib.int64)) is None
        assert tangent(lib, x.view(lib.int64).view(lib.float64)) is None


def test_data_is_cut_off(lib: Any) -> None:
    with lib.autograd.forward_ad.dual_level():
        x = dual(lib, [1.0], [1.0])
        assert tangent(lib, x.data) is None
        x.data = const(lib, [5.0])
        assert x.tolist() == [5.0] and tangent(lib, x) == [1.0]


# ---- detach --------------------------------------------------------------------------------------------------------


def test_detach_shares_tangents_both_ways() -> None:
    with fwd.dual_level(through_detach=True):
        base = const(ad, [1.0, 2.0, 3.0])
        apart = base.detach()
        base[0] = dual(ad, 1.0, 5.0)
        assert tangent(ad, apart) == [5.0, 0.0, 0.0]
        apart[1:].mul_(dual(ad, [1.0, 1.0], [7.0, 7.0]))
        assert tangent(ad, base) == [5.0, 14.0, 21.0]


def test_detached_views_outlive_their_base() -> None:
    with fwd.dual_level(through_detach=True):
        whole = (dual(ad, [1.0, 2.0], [3.0, 4.0]) * 1).detach()
        part = whole[:1].detach()
        part.mul_(10)
        assert tangent(ad, whole) == [30.0, 4.0]


def test_a_level_stops_at_detach() -> None:
    with fwd.dual_level():
        x = dual(ad, [1.0, 2.0], [3.0, 4.0]).clone()
        apart = x.detach()
        assert tangent(ad, apart) is None
        apart[:1].copy_(dual(ad, [9.0], [9.0]))
        assert tangent(ad, apart) == [9.0, 0.0]
        assert x.tolist() == [9.0, 2.0] and tangent(ad, x) == [3.0, 4.0]


# ---- nested levels, reverse mode through written tangents ------------------------------------------------------------


def test_writes_in_two_levels() -> None:
    """f(x) = x0^2 x1 after writes; its second derivatives by forward over forward."""

    def function(x: Any) -> Any:
        y = ad.zeros(2, dtype=ad.float64)
        y[:1] = x[:1] * x[:1]
        y.t()[1:].copy_(x[1:])
        y[0].mul_(y[1])
        return y[0]

    point = const(ad, [3.0, 5.0])
    units = [const(ad, [1.0, 0.0]), const(ad, [0.0, 1.0])]
    hessian = []
    for one in units:
        for other in units:
            with fwd.dual_level() as outer, fwd.dual_level() as inner:
                x = fwd.make_dual(fwd.make_dual(point, one, level=outer), other, level=inner)
                mixed = fwd.unpack_dual(fwd.unpack_dual(function(x), level=outer).tangent, level=inner)
                hessian.append(0.0 if mixed.tangent is None else mixed.tangent.item())
    assert hessian == [10.0, 6.0, 6.0, 0.0]


def test_a_dual_of_an_inner_level_shares_the_outer_tangent() -> None:
    with fwd.dual_level() as outer:
        x = dual(ad, [1.0, 2.0], [3.0, 4.0]).clone()
        with fwd.dual_level():
            y = fwd.make_dual(x, const(ad, [1.0, 1.0]))
            y.mul_(2)
            assert fwd.unpack_dual(x, level=outer).tangent.tolist() == [6.0, 8.0]
            assert fwd.unpack_dual(y, level=outer).tangent.tolist() == [6.0, 8.0]
            assert tangent(ad, y) == [2.0, 2.0] and tangent(ad, x) is None
        assert tangent(ad, x) == [6.0, 8.0]


def test_history_of_tangents_survives_writes_in_no_grad() -> None:
    v = leaf(ad, [1.0, 1.0])
    with fwd.dual_level():
        x = fwd.make_dual(const(ad, [2.0, 3.0]), v * 1).clone()
        with ad.no_grad():
            x[0] = 0.0
        t = fwd.unpack_dual(x).tangent
        (grad,) = ad.autograd.grad((t * const(ad, [5.0, 7.0])).sum(), v)
    assert grad.tolist() == [0.0, 7.0]


# ---- arrays that cannot be written to --------------------------------------------------------------------------------


def program(x: Any) -> Any:
    """Views and writes, ending in a vector of three."""
    y = x.clone()
    whole, part = y.detach(), y.view(3, 1)
    y[1:].mul_(y[:1].clone())
    part[0].copy_(part[2])
    whole[1:2].add_(x[:1])
    return y.sin()


def expected(value: np.ndarray, direction: np.ndarray) -> np.ndarray:
    (a, b, c), (da, db, dc) = value, direction
    inner = np.array([a * c, a * b + a, a * c])
    return np.cos(inner) * np.array([da * c + a * dc, da * b + a * db + da, da * c + a * dc])


@settings(max_examples=15)
@given(forward_programs.programs())
def test_random_programs_on_arrays_that_cannot_be_written_to(steps: Any) -> None:
    """JAX's arrays are values, NumPy's are memory: the same programs have to give the same."""
    jnp = pytest.importorskip("jax.numpy")
    with _double_precision("jax"):
        plain = forward_programs.run(ad, steps)
        other = forward_programs.run(ad, steps, make=lambda array: ad.Tensor(jnp.asarray(array)))
    forward_programs.assert_same(other, plain)


POINT, DIRECTION = np.array([1.0, 2.0, 3.0]), np.array([0.1, 0.2, 0.3])


@pytest.mark.parametrize("library", ["numpy", "jax", "array_api_strict"])
def test_other_libraries(library: str) -> None:
    xp = np if library == "numpy" else pytest.importorskip("jax.numpy" if library == "jax" else library)
    with _double_precision(library), fwd.dual_level(through_detach=True):
        x = fwd.make_dual(ad.Tensor(xp.asarray(POINT)), ad.Tensor(xp.asarray(DIRECTION)))
        found = fwd.unpack_dual(program(x)).tangent
        np.testing.assert_allclose(np.asarray(found.tolist()), expected(POINT, DIRECTION), rtol=1e-14)


def test_inside_jit() -> None:
    jax = pytest.importorskip("jax")

    @jax.jit
    def slope(value: Any, direction: Any) -> Any:
        with fwd.dual_level(through_detach=True):
            x = fwd.make_dual(ad.Tensor(value), ad.Tensor(direction))
            return fwd.unpack_dual(program(x)).tangent._array

    with _double_precision("jax"):
        np.testing.assert_allclose(slope(POINT, DIRECTION), expected(POINT, DIRECTION), rtol=1e-14)


def test_a_level_around_jit() -> None:
    """A tangent of a constant that is closed over is a constant too."""
    jax = pytest.importorskip("jax")
    with _double_precision("jax"), fwd.dual_level():
        x = fwd.make_dual(ad.Tensor(POINT), ad.Tensor(DIRECTION))

        @jax.jit
        def slope(factor: Any) -> Any:
            return fwd.unpack_dual(x * ad.Tensor(factor)).tangent._array

        np.testing.assert_allclose(slope(2.0), 2 * DIRECTION)


def test_a_read_only_array() -> None:
    value = POINT.copy()
    value.flags.writeable = False
    with fwd.dual_level(through_detach=True):
        x = fwd.make_dual(ad.Tensor(value), ad.Tensor(DIRECTION))
        np.testing.assert_allclose(fwd.unpack_dual(program(x)).tangent._array, expected(POINT, DIRECTION))


def _double_precision(library: str) -> Any:
    if library != "jax":
        return contextlib.nullcontext()
    import jax

    return jax.enable_x64(True)
