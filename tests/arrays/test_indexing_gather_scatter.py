"""Gather and scatter against loops that spell out their definition."""

from __future__ import annotations

import numpy as np
import pytest

CASES = {
    "rows": ((4, 3), (5, 3), 0),
    "columns": ((4, 3), (4, 6), 1),
    "last axis": ((2, 3, 4), (2, 3, 7), -1),
    "smaller than x": ((4, 5, 6), (2, 3, 8), 2),
    "one row": ((4, 3), (1, 3), 0),
    "one-dimensional": ((6,), (9,), 0),
    "nothing selected": ((4, 3), (0, 3), 0),
}

every_case = pytest.mark.parametrize("case", CASES)


def index_for(case, rng):
    shape, index_shape, axis = CASES[case]
    return rng.normal(size=shape), rng.integers(0, shape[axis], size=index_shape), axis


def gathered(x, index, axis):
    out = np.empty(index.shape, x.dtype)
    for place in np.ndindex(index.shape):
        source = list(place)
        source[axis] = index[place]
        out[place] = x[tuple(source)]
    return out


def scattered(x, index, values, axis, combine):
    out = x.copy()
    for place in np.ndindex(index.shape):
        target = list(place)
        target[axis] = index[place]
        target = tuple(target)
        value = values[place] if values.ndim else values
        out[target] = value if combine is None else combine(out[target], value)
    return out


@every_case
def test_gather(library, case, rng):
    x, index, axis = index_for(case, rng)
    out = library.run(lambda xp, x, index: xp.gather(x, index, axis), x, index)
    np.testing.assert_array_equal(out, gathered(x, index, axis))


REDUCTIONS = {None: None, "add": np.add, "multiply": np.multiply, "amax": np.maximum, "amin": np.minimum}


@every_case
@pytest.mark.parametrize(
    ("reduce", "values"),
    [
        (None, "exact"),
        (None, "number"),
        ("add", "exact"),
        ("add", "larger"),
        ("multiply", "exact"),
        ("amax", "exact"),
        ("amin", "number"),
    ],
)
def test_scatter(library, case, reduce, values, rng):
    x, index, axis = index_for(case, rng)
    shape = {"exact": index.shape, "larger": tuple(n + 2 for n in index.shape), "number": ()}[values]
    v = rng.normal(size=shape)
    if reduce is None and values != "number":
        v = 10.0 * index[tuple(slice(0, n) for n in v.shape)]  # repeated writes agree, so that order does not matter
        v = np.pad(v, [(0, n - m) for n, m in zip(shape, v.shape, strict=True)])

    def f(xp, x, index, v):
        return xp.scatter(x, index, v, axis, reduce=reduce), x

    out, kept = library.run(f, x, index, v)
    np.testing.assert_allclose(out, scattered(x, index, v, axis, REDUCTIONS[reduce]), rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(kept, x)


def test_scatter_takes_python_numbers(library):
    index = np.array([[2, 0]])
    out = library.run(lambda xp, x, index: xp.scatter(x, index, 3, 0, reduce="add"), np.ones((3, 2)), index)
    np.testing.assert_array_equal(out, [[1, 4], [1, 1], [4, 1]])


def test_zero_dimensions(library):
    x, index = np.array(3.0), np.array(0)
    gather = library.run(lambda xp, x, index: xp.gather(x, index, 0), x, index)
    assert (gather.shape, gather) == ((), 3.0)
    for reduce, expected in ((None, 2.0), ("add", 5.0), ("multiply", 6.0)):
        f = lambda xp, x, index, v, how=reduce: xp.scatter(x, index, v, 0, reduce=how)
        out = library.run(f, x, index, np.array(2.0))
        assert (out.shape, out) == ((), expected)


def test_types_are_kept(library):
    x = np.arange(4, dtype=np.int32)
    out = library.run(
        lambda xp, x, index, v: xp.scatter(x, index, v, 0, reduce="add"), x, np.array([0, 0]), np.array([5, 6])
    )
    assert out.dtype == np.int32
    np.testing.assert_array_equal(out, [11, 1, 2, 3])


def test_scatter_does_not_write_outside(library):
    if library.traced or library.name in ("jax", "torch"):
        pytest.skip("JAX drops what lies outside, by design")
    for wrong in (-1, 4):
        with pytest.raises(IndexError, match="outside"):
            library.run(
                lambda xp, x, i: xp.scatter(x, i, 1.0, 1, reduce="add"), np.zeros((3, 4)), np.full((3, 1), wrong)
            )
