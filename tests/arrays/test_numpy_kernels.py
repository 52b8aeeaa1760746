"""Kernels that replace NumPy's own give what NumPy's give."""

import itertools

import numpy as np
import pytest

from adjoint.arrays import _numpy_kernels as kernels
from adjoint.arrays import numpy_namespace as xp

SIZE = kernels._LARGE
RNG = np.random.default_rng(0)
ODD = np.array([np.nan, np.inf, -np.inf, -0.0, 5e-324])


def numbers(*shape, dtype="f8"):
    out = RNG.normal(size=shape).astype(dtype)
    out.flat[: len(ODD)] = ODD
    return out


def same_bits(a, b):
    assert a.dtype == b.dtype and a.shape == b.shape
    return a.tobytes() == b.tobytes()


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c16", "i8"])
def test_where_is_exact(dtype):
    a = RNG.integers(0, 9, SIZE).astype(dtype) if dtype == "i8" else numbers(SIZE, dtype=dtype)
    b = a[::-1].copy()
    mask = RNG.random(SIZE) > 0.5
    assert same_bits(kernels.where(mask, a, b), np.where(mask, a, b))


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_where_broadcasts_and_takes_numbers(dtype):
    rows = SIZE // 64
    a, row, zero = numbers(rows, 64, dtype=dtype), numbers(64, dtype=dtype), np.zeros((), dtype)
    mask = RNG.random((rows, 64)) > 0.5
    for x1, x2 in [
        (a, row),
        (row, a),
        (a, zero),
        (zero, a),
        (row, zero),
        (zero, zero),
        (a, 0.5),
        (2, a),
        (a[:, ::-1], a),
    ]:
        assert same_bits(np.ascontiguousarray(kernels.where(mask, x1, x2)), np.where(mask, x1, x2))
    assert same_bits(np.ascontiguousarray(kernels.where(mask[:, ::-1], a, row)), np.where(mask[:, ::-1], a, row))
    for low, high in [(-2.0, 3.0), (-np.inf, np.inf), (np.nan, -1e30)]:  # differences of bits that wrap around
        x1, x2 = np.asarray(low, dtype), np.asarray(high, dtype)
        assert same_bits(kernels.where(mask, x1, x2), np.where(mask, x1, x2))
    column = np.where(np.arange(SIZE)[:, None] % 3 == 0, True, False)
    assert same_bits(kernels.where(column, row[:2], zero), np.where(column, row[:2], zero))


def test_where_leaves_other_types_to_numpy():
    mask = RNG.random(SIZE) > 0.5
    a, b = numbers(SIZE, dtype="f4"), numbers(SIZE)
    assert same_bits(kernels.where(mask, a, b), np.where(mask, a, b))
    assert same_bits(kernels.where(mask, 1.0, 2.0), np.where(mask, 1.0, 2.0))
    assert same_bits(kernels.where(mask, a, True), np.where(mask, a, True))
    assert same_bits(kernels.where(a, a, b), np.where(a, a, b))


@pytest.mark.parametrize("dtype", ["f4", "f8", "c16", "i8", "f2"])
@pytest.mark.parametrize("count", [3, 40, 3000])
@pytest.mark.parametrize("axis", [0, 1])
def test_rows_are_added_as_often_as_they_are_named(dtype, count, axis):
    shape = (50, 16) if axis == 0 else (16, 50)
    index = RNG.integers(-50, 50, count)
    values = RNG.integers(0, 5, (count, 16) if axis == 0 else (16, count)).astype(dtype)
    key = (index,) if axis == 0 else (slice(None), index)
    for tail in ((), (Ellipsis,)):
        ours, theirs = np.ones(shape, dtype), np.ones(shape, dtype)
        kernels.add_at(ours, key + tail, values)
        np.add.at(theirs, key, values)
        assert (ours == theirs).all()


@pytest.mark.parametrize("kind", ["u1", "i4", "i8"])
def test_rows_named_by_an_index_of_several_dimensions(kind):
    index = RNG.integers(0, 30, (40, 5)).astype(kind)
    values = RNG.integers(0, 5, (2, 40, 5, 300)).astype("f4")
    ours, theirs = np.zeros((2, 300, 300), "f4"), np.zeros((2, 300, 300), "f4")
    kernels.add_at(ours, (slice(None), index), values)
    np.add.at(theirs, (slice(None), index), values)
    assert (ours == theirs).all()


@pytest.mark.parametrize("count", [40, 3000])
def test_a_row_that_does_not_exist_is_refused(count):
    for wrong in (50, -51):
        index = np.full(count, wrong)
        with pytest.raises(IndexError):
            kernels.add_at(np.zeros((50, 40)), index, np.ones((count, 40)))


def test_no_rows_are_added():
    out = np.ones((3, 2000))
    kernels.add_at(out, np.zeros(0, int), np.ones((1, 2000)))
    assert (out == 1).all()


@pytest.mark.parametrize("dtype", ["f4", "i8", "u1"])
@pytest.mark.parametrize("axis", [0, -1])
def test_a_part_of_the_order_is_that_part_of_the_whole(dtype, axis):
    x = np.argsort(RNG.random((200, 200)), axis=axis).astype(dtype)  # no two alike along the axis
    order = np.argsort(x, axis=axis, stable=True)
    for first, last in [(0, 0), (0, 5), (99, 100), (195, 200), (0, 200), (10, 20)]:
        part = kernels.partial_argsort(x, first, last, axis)
        assert (part == np.take(order, range(first, last), axis=axis)).all()


def test_nan_is_the_largest_in_a_part_of_the_order():
    x = RNG.normal(size=300)
    x[[7, 90]] = np.nan
    assert list(kernels.partial_argsort(x, 298, 300, 0)) == [7, 90]


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_the_logistic_function_is_quiet_and_exact_at_the_ends(dtype):
    x = np.array([-np.inf, -1e4, 0, 1e4, np.inf, np.nan], dtype)
    out = xp.expit(x)
    assert out.dtype == dtype
    assert list(out[:5]) == [0, 0, 0.5, 1, 1] and np.isnan(out[5])
    assert xp.expit(np.asarray(-1e4, dtype)) == 0


@pytest.mark.parametrize(
    "x",
    [
        np.float64(2.0), np.ones(()), np.arange(3.0), numbers(2, 1, 3, dtype="f4"), numbers(2, 1, 3).T, np.ones((0, 1)),
        np.ones((1, 1), "c8"), np.ones((1, 3), "f2"), np.ones((2, 1, 6))[:, :, ::2], np.array([True]),
    ],
)  # fmt: skip
def test_broadcasting_gives_the_same_views(x):
    for shape in [(), (3,), (1, 1), (2, 3), (2, 4, 3), (3, 1, 2), (0, 5), (0,), (2, 0, 3), (-1,)]:
        try:
            expected = np.broadcast_to(x, shape)
        except ValueError:
            with pytest.raises(ValueError):
                xp.broadcast_to(x, shape)
            continue
        found = xp.broadcast_to(x, shape)
        assert same_bits(found, expected) and not found.flags.writeable
        assert np.shares_memory(found, x) == np.shares_memory(expected, x)


def sets_of_axes(rank):
    for count in range(rank + 1):
        for axes in itertools.combinations(range(rank), count):
            yield axes
            yield tuple(axis - rank for axis in axes)
            if count == 1:
                yield from (axes[0], axes[0] - rank)


@pytest.mark.parametrize("shape", [(3,), (2, 3), (4, 5, 6), (1, 3), (3, 1), (2, 1, 3, 4), (0, 3), (3, 0), (9, 300), ()])
@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "i4", "?"])
def test_sums_along_axes(shape, dtype):
    values = (RNG.normal(size=shape) * 10).astype(dtype)
    for x, axes, keepdims in itertools.product([values, values.T], sets_of_axes(len(shape)), [False, True]):
        found, expected = (f(x, axis=axes, keepdims=keepdims) for f in (xp.sum, np.sum))
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-4, strict=isinstance(found, np.ndarray))


def test_sums_along_axes_of_what_is_not_finite():
    x = np.array([[np.inf, 1.0, np.nan, np.inf], [1.0, -np.inf, 1.0, -np.inf]])
    for array, axis in [(x, 0), (x.T.copy(), 1)]:
        with np.errstate(invalid="ignore"):
            found = xp.sum(array, axis=axis)
        np.testing.assert_array_equal(found, [np.inf, -np.inf, np.nan, np.nan])


def test_sums_of_many_rows_are_as_good_as_numpys():
    x = RNG.random((20_000, 8)).astype("f4")
    exact = x.astype("f8").sum(axis=0)
    assert abs(xp.sum(x, axis=0) - exact).max() <= abs(np.add.reduce(x, axis=0) - exact).max()


def test_sums_do_not_hand_out_what_is_kept():
    first = xp.sum(np.ones((1, 4)), axis=0)
    first[...] = 7
    assert xp.sum(np.ones((1, 4)), axis=0).tolist() == [1, 1, 1, 1]


def test_sums_along_axes_that_are_not_there():
    for axis in (2, -3, (0, 2), (0, 0)):
        with pytest.raises(ValueError):
            xp.sum(np.ones((2, 2)), axis=axis)


@pytest.mark.parametrize("shape", [(3,), (40, 3), (40, 32), (40, 33), (2, 20, 4), (20, 0), (0, 20), (20, 1), ()])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i4", "?"])
def test_extremes_along_axes(shape, dtype):
    values = (RNG.normal(size=shape) * 10).astype(dtype)
    if values.size > 5 and dtype[0] == "f":
        values.flat[: len(ODD)] = ODD
    for x, axes, keepdims in itertools.product([values, values.T], [None, *sets_of_axes(len(shape))], [False, True]):
        for ours, numpys in [(xp.max, np.max), (xp.min, np.min)]:
            try:
                expected = numpys(x, axis=axes, keepdims=keepdims)
            except ValueError:
                with pytest.raises(ValueError):
                    ours(x, axis=axes, keepdims=keepdims)
                continue
            found = ours(x, axis=axes, keepdims=keepdims)
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(found, expected, strict=isinstance(found, np.ndarray))


# ---- complex numbers -------------------------------------------------------------------------------------------------

SPECIAL = np.array([complex(x, y) for x in (0.0, *ODD, 1.0, 800.0, -800.0) for y in (0.0, *ODD, 1.0, 1e9)])


@pytest.mark.parametrize("dtype", ["F", "D"])
@pytest.mark.parametrize("values", [SPECIAL, SPECIAL[np.isfinite(SPECIAL)]])
def test_sign_of_complex_numbers(values, dtype):
    ordinary = RNG.normal(size=2 * SIZE).view("D")
    with np.errstate(all="ignore"):
        x = np.concatenate([values, ordinary * 10.0 ** RNG.integers(-30, 30, SIZE)]).astype(dtype)
        found, expected = kernels.sign(x.reshape(-1, 1)).ravel(), np.sign(x)
    assert found.dtype == x.dtype
    np.testing.assert_allclose(found, expected, rtol=4 * np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", ["F", "D"])
@pytest.mark.parametrize("values", [SPECIAL, SPECIAL[:1]])
def test_exponential_of_complex_numbers(values, dtype):
    with np.errstate(all="ignore"):
        x = np.concatenate([values, RNG.normal(size=2 * SIZE).view("D") * 20]).astype(dtype)
        expected = np.exp(x)
    with np.errstate(all="ignore" if len(values) > 1 else "raise"):
        found = kernels.exp_complex(x)
        kernels.exp_complex(x, out := np.empty_like(x))
    assert found.dtype == x.dtype and same_bits(found, out)
    np.testing.assert_allclose(found, expected, rtol=8 * np.finfo(dtype).eps)


def test_the_exponential_of_complex_numbers_warns_as_numpy_does():
    with pytest.warns(RuntimeWarning, match="overflow"):
        kernels.exp_complex(np.full(3, 1000 + 1j))


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn"])
@pytest.mark.parametrize("dtype", ["f", "d"])
def test_fourier_transforms_do_not_depend_on_the_threads(name, dtype, monkeypatch):
    import scipy.fft

    monkeypatch.setattr("adjoint.arrays._scipy._LARGE", 0)
    x = RNG.normal(size=(37, 41, 10)).astype(dtype)
    x = x if name == "rfftn" else x + 1j * x[::-1]
    expected = getattr(scipy.fft, name)(x, axes=(0, 1))
    for count in (1, 2, 3):
        monkeypatch.setattr("adjoint.arrays.threads._pool.count", count)
        assert same_bits(getattr(xp.fft, name)(x, axes=(0, 1)), expected)
