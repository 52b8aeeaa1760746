"""Reading and writing through keys of every kind, in every library, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from adjoint import arrays

from .conftest import LIBRARIES

SHAPE = (3, 4, 5)

KEYS = {
    "integer": 1,
    "negative": -1,
    "integers": (1, 2),
    "all integers": (1, -2, 3),
    "slice": slice(1, None),
    "step": (slice(None), slice(None, None, 2)),
    "backwards": (slice(None, None, -1), slice(3, 0, -2)),
    "beyond the end": (slice(-10, 10), slice(2, 99)),
    "empty slice": (slice(2, 1),),
    "ellipsis": (..., 2),
    "ellipsis alone": ...,
    "empty tuple": (),
    "new axis": (None, slice(None), None, 1),
    "array": np.array([2, 0, 0]),
    "negative array": np.array([-1, 0]),
    "matrix": np.array([[2, 0], [1, 1]]),
    "list": [0, 2],
    "list in tuple": (slice(None), [1, 3]),
    "empty list": [],
    "two arrays": (np.array([0, 1]), np.array([2, 3])),
    "broadcast arrays": (np.array([[0], [2]]), np.array([2, 3])),
    "array last": (..., np.array([0, 4])),
    "array in the middle": (slice(None), np.array([0, 3, 3]), slice(1, 3)),
    "apart": (np.array([0, 1]), slice(None), np.array([2, 3])),
    "apart by an ellipsis": (np.array([0, 1]), ..., np.array([2, 3])),
    "apart by a new axis": (np.array([0, 1]), None, np.array([2, 3])),
    "integer and array": (1, np.array([0, 2])),
    "integer apart from array": (1, slice(None), np.array([0, 2])),
    "array and new axes": (None, np.array([0, 2]), None, slice(1, 2)),
    "number as array": (np.array(1), slice(None)),
    "mask": np.arange(60).reshape(SHAPE) % 7 == 0,
    "mask of rows": np.array([True, False, True]),
    "mask of two axes": np.arange(12).reshape(3, 4) % 3 == 1,
    "mask behind": (slice(None), np.array([True, False, True, True])),
    "mask and array": (np.array([True, False, True]), np.array([3, 1])),
    "mask apart from array": (np.array([True, False, True]), slice(None), np.array([3, 1])),
    "mask of nothing": np.zeros(3, dtype=bool),
}

every_key = pytest.mark.parametrize("name", KEYS)


def converted(library, key):
    """The key with its arrays in the library's own type."""
    if isinstance(key, tuple):
        return tuple(converted(library, part) for part in key)
    return library.array(key) if isinstance(key, np.ndarray) else key


@every_key
def test_getitem(library, name, rng):
    x = rng.normal(size=SHAPE)
    key = KEYS[name]

    def f(xp, x):
        return xp.getitem(x, key if library.traced else converted(library, key))

    np.testing.assert_array_equal(library.run(f, x), x[key])


@every_key
@pytest.mark.parametrize(
    ("accumulate", "values"), [(False, "full"), (False, "number"), (True, "full"), (True, "broadcast")]
)
def test_index_put(library, name, accumulate, values, rng):
    x = rng.normal(size=SHAPE)
    key = KEYS[name]
    shape = x[key].shape
    v = rng.normal(size={"full": shape, "broadcast": shape[-1:], "number": ()}[values])
    if not accumulate:
        v = np.broadcast_to(v.ravel()[:1].reshape(()) if v.size else 0.0, v.shape).copy()  # no order to depend on
    expected = x.copy()
    if accumulate:
        np.add.at(expected, key, v)
    else:
        expected[key] = v

    def f(xp, x, v):
        out = xp.index_put(x, key if library.traced else converted(library, key), v, accumulate=accumulate)
        assert out is not x or not xp.mutable
        return out, x

    out, kept = library.run(f, x, v)
    np.testing.assert_allclose(out, expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(kept, x)


def test_index_put_takes_python_numbers(library):
    out = library.run(lambda xp, x: xp.index_put(x, (slice(None), 1), 7), np.zeros((2, 3)))
    np.testing.assert_array_equal(out, [[0, 7, 0], [0, 7, 0]])


@pytest.mark.parametrize("accumulate", [False, True])
def test_a_traced_mask_takes_a_number(accumulate):
    """The one write through a mask whose shape does not depend on the mask's values."""
    pytest.importorskip("jax")
    x = np.arange(6.0).reshape(3, 2)
    mask = np.array([True, False, True])

    def f(xp, x, mask):
        return xp.index_put(x, mask, 5.0, accumulate=accumulate)

    expected = np.where(mask[:, None], x + 5 if accumulate else 5, x)
    np.testing.assert_array_equal(LIBRARIES["jit"].run(f, x, mask), expected)


@pytest.mark.parametrize("count", [1, 7, 64, 1000])
@pytest.mark.parametrize("width", [(), (3,), (2, 4)])
def test_accumulation_is_exact_for_repeated_rows(library, count, width, rng):
    """Small integers add without rounding, so that every order must give the same."""
    x = np.zeros((5, *width))
    index = rng.integers(-5, 5, size=count)
    v = rng.integers(-9, 9, size=(count, *width)).astype(float)
    expected = np.zeros_like(x)
    for i, row in zip(index, v, strict=True):
        expected[i] += row
    out = library.run(lambda xp, x, index, v: xp.index_put(x, index, v, accumulate=True), x, index, v)
    np.testing.assert_array_equal(out, expected)


def test_accumulation_is_deterministic(library, rng):
    x = np.zeros((4, 16), dtype=np.float32)
    index = rng.integers(0, 4, size=500)
    v = rng.normal(size=(500, 16)).astype(np.float32)

    def f(xp, x, index, v):
        return xp.index_put(x, index, v, accumulate=True)

    first = library.run(f, x, index, v)
    assert first.dtype == np.float32
    for _ in range(3):
        np.testing.assert_array_equal(library.run(f, x, index, v), first)


def test_accumulation_into_arrays_in_other_memory_orders(rng):
    xp = arrays.numpy_namespace
    index, v = rng.integers(0, 6, size=50), rng.normal(size=(50, 40))
    base = rng.normal(size=(40, 12))
    x = base.T[::2]
    expected = x.copy()
    np.add.at(expected, index, v)
    np.testing.assert_allclose(xp.index_put(x, index, v, accumulate=True), expected)


def test_the_last_of_repeated_writes_wins():
    x, index, v = np.zeros(3), np.array([1, 1, 0, 1]), np.array([1.0, 2.0, 3.0, 4.0])
    for key in ("numpy", "strict"):
        if key == "strict":
            pytest.importorskip("array_api_strict")
        out = LIBRARIES[key].run(lambda xp, x, i, v: xp.index_put(x, i, v), x, index, v)
        np.testing.assert_array_equal(out, [3.0, 4.0, 0.0])


@pytest.mark.parametrize(
    "key",
    [
        5,
        (0, 0, 0, 0),
        np.array([0, 3]),
        np.array([-4]),
        (np.array([0, 1]), np.array([0, 1, 2])),
        np.array([True, False]),
        np.array([0.5]),
    ],
    ids=str,
)
def test_wrong_keys_are_index_errors(key):
    pytest.importorskip("array_api_strict")
    for name in ("numpy", "strict"):
        library = LIBRARIES[name]
        with pytest.raises(IndexError):
            library.run(lambda xp, x, key=key, lib=library: xp.getitem(x, converted(lib, key)), np.zeros(SHAPE))


# ---- any key at all ---------------------------------------------------------------------------------------------


@st.composite
def shapes_and_keys(draw):
    shape = tuple(draw(st.lists(st.integers(0, 4), max_size=4)))
    width = draw(st.lists(st.integers(1, 3), max_size=2))
    key = []
    axis, dots = 0, False
    while axis < len(shape):
        n = shape[axis]
        kind = draw(
            st.sampled_from(["slice", "slice", "none", "dots", "int", "array", "array", "mask", "bool", "stop"])
        )
        if kind == "stop":
            break
        if kind == "none":
            key.append(None)
        elif kind == "bool":
            key.append(draw(st.booleans()))
        elif kind == "dots":
            if not dots:
                key.append(...)
                dots = True
            axis += draw(st.integers(0, len(shape) - axis))
        elif kind == "slice":
            bound = st.none() | st.integers(-6, 6)
            step = draw(st.sampled_from([None, 1, 2, 3, -1, -2]))
            key.append(slice(draw(bound), draw(bound), step))
            axis += 1
        elif n and kind == "int":
            key.append(draw(st.integers(-n, n - 1)))
            axis += 1
        elif n and kind == "array":
            size = int(np.prod(width))
            values = draw(st.lists(st.integers(-n, n - 1), min_size=size, max_size=size))
            key.append(np.array(values, dtype=np.int64).reshape(width))
            axis += 1
        elif kind == "mask":
            key.append(np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)), dtype=bool))
            axis += 1
        if len(key) > 6:
            break
    return shape, tuple(key)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(shapes_and_keys())
def test_any_key_selects_and_writes_what_numpy_selects(case):
    library = LIBRARIES["strict"]
    pytest.importorskip("array_api_strict")
    shape, key = case
    x = np.arange(float(np.prod(shape))).reshape(shape)
    # NumPy does not look at the shape of a mask when there is nothing to select from; we do.
    assume(x.size or not any(isinstance(part, np.ndarray) and part.dtype == bool for part in key))
    own = converted(library, key)
    try:
        expected = x[key]
    except IndexError:
        with pytest.raises(IndexError):
            library.run(lambda xp, x: xp.getitem(x, own), x)
        return
    out = library.run(lambda xp, x: xp.getitem(x, own), x)
    assert out.shape == expected.shape
    np.testing.assert_array_equal(out, expected)
    v = np.arange(float(expected.size)).reshape(expected.shape) + 100
    for accumulate in (False, True):
        written = library.run(lambda xp, x, v, a=accumulate: xp.index_put(x, own, v, a), x, v)
        np.testing.assert_array_equal(written, arrays.numpy_namespace.index_put(x, key, v, accumulate))
