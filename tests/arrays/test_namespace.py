"""The functions beyond the standard, apart from indexing."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.special
from hypothesis import given, settings
from hypothesis import strategies as st

from adjoint import _dtypes, arrays
from adjoint.arrays import _einsum
from adjoint.arrays.standard import COMPONENTS, SCIPYS_ONLY, SPECIAL_FUNCTIONS

# ---- special functions ------------------------------------------------------------------------------------------

ONE = np.array([[0.1, 0.3, 0.55], [0.7, 0.9, 0.95]])
TWO = np.array([[1.5, 2.5, 0.5], [3.0, 0.25, 1.0]])

ARGUMENTS = {
    "betainc": (TWO, TWO[::-1].copy(), ONE),
    "betaln": (TWO, ONE),
    "gammainc": (TWO, ONE),
    "gammaincc": (TWO, ONE),
    "polygamma": (2, TWO),
    "xlogy": (ONE, TWO),
    "xlog1py": (ONE, TWO),
    "zeta": (TWO + 1, ONE),
    "hankel1": (1.5, ONE),
    "jv": (2, ONE),
    "eval_jacobi": (2, 1.5, TWO, ONE),
}

# Of SciPy's functions that no other library has only a few: all others are called in the same way.
NAMES = [name for name in SPECIAL_FUNCTIONS if name not in SCIPYS_ONLY] + ["jv", "airy_bi", "eval_jacobi", "hankel1"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_special_functions(library, name, dtype):
    args = [a.astype(dtype) if isinstance(a, np.ndarray) else a for a in ARGUMENTS.get(name, (ONE,))]
    out = library.run(lambda xp, *args: getattr(xp, name)(*args), *args)
    expected = getattr(scipy.special, SPECIAL_FUNCTIONS[name])(
        *[a.astype(float) if isinstance(a, np.ndarray) else a for a in args]
    )
    expected = expected[COMPONENTS[name][1]] if name in COMPONENTS else expected
    assert out.dtype == (np.result_type(dtype, np.complex64) if np.iscomplexobj(expected) else dtype)
    np.testing.assert_allclose(out, expected, rtol=1e-10 if dtype is np.float64 else 2e-4)


@pytest.mark.parametrize("dtype", [_dtypes.float16, _dtypes.bfloat16], ids=lambda d: d.name)
@pytest.mark.parametrize("name", ["erf", "expit", "lgamma", "polygamma", "xlogy"])
def test_half_precision_is_kept(name, dtype):
    args = [a.astype(dtype) if isinstance(a, np.ndarray) else a for a in ARGUMENTS.get(name, (ONE,))]
    out = getattr(arrays.numpy_namespace, name)(*args)
    assert _dtypes.as_dtype(out.dtype) is dtype
    expected = getattr(scipy.special, SPECIAL_FUNCTIONS[name])(*ARGUMENTS.get(name, (ONE,)))
    np.testing.assert_allclose(out.astype(np.float64), expected, rtol=0.05, atol=0.02)


def test_special_functions_do_not_leave_another_device_silently():
    strict = pytest.importorskip("array_api_strict")
    x = strict.asarray([0.5], device=strict.Device("device1"))
    with pytest.raises(NotImplementedError, match=r"erf.*array_api_strict.*CPU.*device1"):
        arrays.namespace_of(x).erf(x)


def test_fmod_has_the_sign_of_the_dividend(library):
    x, y = np.array([5.5, -5.5, 5.5, -5.5, 0.0]), np.array([2.0, 2.0, -2.0, -2.0, 3.0])
    np.testing.assert_allclose(library.run(lambda xp, x, y: xp.fmod(x, y), x, y), np.fmod(x, y))


# ---- einsum -----------------------------------------------------------------------------------------------------

SUMS = {
    "product": ("ij,jk->ik", [(3, 4), (4, 5)]),
    "implicit result": ("ij,jk", [(3, 4), (4, 5)]),
    "sorted result": ("ba", [(3, 4)]),
    "transposed": ("ij->ji", [(3, 4)]),
    "batched": ("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)]),
    "batch last": ("ijb,jkb->ikb", [(3, 4, 2), (4, 5, 2)]),
    "attention": ("bhid,bhjd->bhij", [(2, 3, 4, 5), (2, 3, 6, 5)]),
    "dot": ("i,i->", [(7,), (7,)]),
    "outer": ("i,j->ij", [(3,), (4,)]),
    "elementwise": ("ij,ij->ij", [(3, 4), (3, 4)]),
    "sum of one": ("ijk->j", [(3, 4, 5)]),
    "sum of all": ("ij->", [(3, 4)]),
    "summed in one operand only": ("ij,kl->il", [(3, 4), (5, 6)]),
    "trace": ("ii->", [(4, 4)]),
    "diagonal": ("ii->i", [(4, 4)]),
    "diagonal of three": ("iii->i", [(3, 3, 3)]),
    "two diagonals": ("iijj->ij", [(3, 3, 4, 4)]),
    "diagonal times": ("ii,ij->j", [(4, 4), (4, 3)]),
    "ellipsis": ("...ij,...jk->...ik", [(2, 3, 4), (2, 4, 5)]),
    "ellipsis of unequal lengths": ("...ij,...jk->...ik", [(6, 2, 3, 4), (2, 4, 5)]),
    "ellipsis implicit": ("i...,i...", [(3, 2), (3, 2)]),
    "ellipsis summed": ("...i->...", [(2, 3, 4)]),
    "ellipsis in front moved": ("i...->...i", [(2, 3, 4)]),
    "broadcast batch": ("...ij,...jk->...ik", [(1, 3, 4), (5, 4, 2)]),
    "length one": ("ij,jk->ik", [(3, 1), (4, 5)]),
    "three": ("ij,jk,kl->il", [(3, 4), (4, 5), (5, 6)]),
    "four": ("a,ab,bc,c->", [(3,), (3, 4), (4, 5), (5,)]),
    "shared by three": ("ij,ij,ij->i", [(3, 4)] * 3),
    "many outer": ("a,b,c->abc", [(2,), (3,), (4,)]),
    "empty": ("ij,jk->ik", [(3, 0), (0, 5)]),
    "scalars": (",->", [(), ()]),
    "spaces": ("i j , j k -> i k", [(3, 4), (4, 5)]),
    "large enough for matrix products": ("bij,bjk->bik", [(4, 30, 20), (4, 20, 25)]),
}


@pytest.mark.parametrize(
    ("case", "dtype"), [(case, np.float64) for case in SUMS] + [("three", np.complex128), ("trace", np.complex128)]
)
def test_einsum(library, case, dtype, rng):
    subscripts, shapes = SUMS[case]
    operands = [rng.normal(size=shape).astype(dtype) for shape in shapes]
    if dtype is np.complex128:
        operands = [np.asarray(x + 1j * rng.normal(size=x.shape)) for x in operands]
    if library.name.startswith(("jax", "torch")) and case == "length one":
        pytest.skip("a length of one does not broadcast there")
    out = library.run(lambda xp, *xs: xp.einsum(subscripts, *xs), *operands)
    expected = np.einsum(subscripts, *operands)
    assert out.shape == expected.shape
    np.testing.assert_allclose(out, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("case", SUMS)
def test_einsum_by_matrix_products(case, rng):
    """The way that small operands do not take in NumPy."""
    subscripts, shapes = SUMS[case]
    operands = tuple(rng.normal(size=shape) for shape in shapes)
    out = _einsum.contract(np, _einsum.parse_einsum(subscripts, *shapes), operands)
    np.testing.assert_allclose(out, np.einsum(subscripts, *operands), rtol=1e-10, atol=1e-12)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.data())
def test_any_einsum(data):
    letters = "abcde"
    sizes = {c: data.draw(st.integers(1, 3)) for c in letters}
    term = st.text(letters, max_size=4)
    inputs = data.draw(st.lists(term, min_size=1, max_size=4))
    present = sorted(set("".join(inputs)))
    output = "".join(data.draw(st.permutations(present))[: data.draw(st.integers(0, len(present)))])
    subscripts = f"{','.join(inputs)}->{output}"
    rng = np.random.default_rng(0)
    operands = tuple(rng.normal(size=[sizes[c] for c in t]) for t in inputs)
    out = _einsum.contract(np, _einsum.parse_einsum(subscripts, *[x.shape for x in operands]), operands)
    np.testing.assert_allclose(out, np.einsum(subscripts, *operands), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("subscripts", "shapes", "message"),
    [
        ("ij,jk->ik", [(3, 4)], "2 terms for 1 operands"),
        ("ij,jk->ik", [(3, 4), (5, 6)], "'j'.*length 4.*5"),
        ("ij->ij", [(3, 4, 5)], "does not fit"),
        ("ijk->ij", [(3, 4)], "does not fit"),
        ("ij->ijk", [(3, 4)], "must occur in an operand"),
        ("ij->ii", [(3, 4)], "once in the result"),
        ("i1->i", [(3, 4)], "not letters"),
    ],
)
def test_wrong_einsums_are_explained(subscripts, shapes, message):
    with pytest.raises(ValueError, match=message):
        arrays.numpy_namespace.einsum(subscripts, *[np.ones(shape) for shape in shapes])


def test_einsum_of_one_operand_is_not_a_view_of_it():
    x = np.ones((3, 3))
    for subscripts in ("ij->ji", "ii->i", "ij"):
        assert not np.shares_memory(arrays.numpy_namespace.einsum(subscripts, x), x)


# ---- padding, strides, complex views, triangular systems --------------------------------------------------------


@pytest.mark.parametrize(
    "widths",
    [[(1, 2), (0, 3)], [(0, 0), (0, 0)], [(-1, 1), (2, -2)], [(-2, -1), (0, 0)], [(0, -3), (0, 0)], [(-4, 1), (0, 0)]],
    ids=str,
)
@pytest.mark.parametrize("value", [0, 2.5])
def test_pad(library, widths, value, rng):
    x = rng.normal(size=(3, 4))
    out = library.run(lambda xp, x: xp.pad(x, widths, value), x)
    kept = x[tuple(slice(max(0, -a), max(0, n + min(b, 0))) for n, (a, b) in zip(x.shape, widths, strict=True))]
    expected = np.pad(kept, [(max(a, 0), max(b, 0)) for a, b in widths], constant_values=value)
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("unitriangular", [False, True])
@pytest.mark.parametrize("shapes", [((3, 3), (3, 2)), ((2, 1, 3, 3), (4, 3, 2)), ((3, 3), (5, 3, 1)), ((0, 0), (0, 2))])
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_solve_triangular(library, upper, unitriangular, shapes, dtype, rng):
    n = shapes[0][-1]
    a = rng.normal(size=shapes[0]).astype(dtype) + 3 * np.eye(n)
    b = rng.normal(size=shapes[1]).astype(dtype)
    out = library.run(lambda xp, a, b: xp.solve_triangular(a, b, upper=upper, unitriangular=unitriangular), a, b)
    t = np.triu(a) if upper else np.tril(a)
    if unitriangular:
        t = t * (1 - np.eye(n)) + np.eye(n)
    assert out.dtype == dtype
    assert out.shape == (*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), n, b.shape[-1])
    np.testing.assert_allclose(t @ out, np.broadcast_to(b, out.shape), atol=1e-10)


def test_a_singular_triangle_gives_infinities_in_numpy():
    with np.errstate(all="ignore"):
        out = arrays.numpy_namespace.solve_triangular(np.diag([1.0, 0.0]), np.ones((2, 1)))
    assert out[0, 0] == 1.0 and math.isinf(out[1, 0])


@pytest.mark.parametrize(
    ("size", "stride", "offset"),
    [((2, 3), (6, 2), 1), ((4,), (0,), 3), ((), (), 5), ((3, 3), (1, 1), 0), ((0, 2), (1, 1), 0)],
    ids=str,
)
def test_as_strided(library, size, stride, offset):
    x = np.arange(12.0).reshape(3, 4)
    out = library.run(lambda xp, x: xp.as_strided(x, size, stride, offset), x)
    expected = np.empty(size)
    for place in np.ndindex(*size):
        expected[place] = x.ravel()[offset + sum(i * s for i, s in zip(place, stride, strict=True))]
    np.testing.assert_array_equal(out, expected)


def test_as_strided_counts_from_the_start_of_the_memory():
    xp = arrays.numpy_namespace
    block = np.arange(24.0).reshape(2, 3, 4)
    for view in (block, block[1], block.T[::-1], block[:, 1, ::2]):
        out = xp.as_strided(view, (2, 3), (5, 2), 1)
        np.testing.assert_array_equal(out, [[1, 3, 5], [6, 8, 10]])
        assert np.shares_memory(out, block)
        again = xp.as_strided(view, view.shape, xp.strides(view), xp.storage_offset(view))
        np.testing.assert_array_equal(again, view)
    with pytest.raises(ValueError):
        xp.as_strided(block, (100,), (1,), 0)


def test_complex_numbers_as_pairs(library, rng):
    z = rng.normal(size=(2, 3)) + 1j * rng.normal(size=(2, 3))
    pairs = library.run(lambda xp, z: xp.view_as_real(z), z)
    np.testing.assert_array_equal(pairs, np.stack([z.real, z.imag], axis=-1))
    np.testing.assert_array_equal(library.run(lambda xp, x: xp.view_as_complex(x), pairs), z)


def test_infinite_parts_survive(library):
    pairs = np.array([[np.inf, 1.0], [1.0, np.inf], [np.nan, -0.0]])
    z = library.run(lambda xp, x: xp.view_as_complex(x), pairs)
    np.testing.assert_array_equal(np.stack([z.real, z.imag], axis=-1), pairs)


def test_complex_pairs_are_views_in_numpy(rng):
    xp = arrays.numpy_namespace
    block = rng.normal(size=(4, 6)) + 0j
    for z in (block, block.T, block[::2, ::3], block[1:2, 3]):
        pairs = xp.view_as_real(z)
        assert np.shares_memory(pairs, z)
        back = xp.view_as_complex(pairs)
        assert np.shares_memory(back, z)
        np.testing.assert_array_equal(back, z)
    apart = np.arange(12.0).reshape(2, 6).T  # the two parts are not neighbours
    np.testing.assert_array_equal(xp.view_as_complex(apart), apart[:, 0] + 1j * apart[:, 1])
