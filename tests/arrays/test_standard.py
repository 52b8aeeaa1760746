"""Every function of the standard is there, under its name, in every namespace."""

from __future__ import annotations

import numpy as np
import pytest

from adjoint import _dtypes, arrays
from adjoint.arrays.standard import EXTRAS, FFT, LINALG, STANDARD, TAKES_DTYPE


def test_every_name_of_the_standard(library):
    def check(xp, x):
        missing = [name for name in STANDARD | EXTRAS if not hasattr(xp, name)]
        missing += [f"linalg.{name}" for name in LINALG if not hasattr(xp.linalg, name)]
        missing += [f"fft.{name}" for name in FFT if not hasattr(xp.fft, name)]
        assert not missing
        assert xp.__array_namespace_info__ is not None
        return x

    library.run(check, np.ones(1))


def test_the_list_of_names_is_complete():
    strict = pytest.importorskip("array_api_strict")
    ours = STANDARD | {dtype.name for dtype in _dtypes.ALL}
    later = {"broadcast_shapes", "isin"}  # came with the standard's next edition
    own = {name for name in strict.__all__ if "strict" in name.lower() or name.startswith("__")} | {"Device"}
    assert set(strict.__all__) - ours - later - own == set()


def test_nothing_else_is_offered(library):
    """A formula that works with one library must not lean on names that others lack."""

    def check(xp, x):
        for name in ("nan_to_num", "ndarray", "_private", "float128"):
            assert not hasattr(xp, name)
        with pytest.raises(AttributeError, match="neither in the array API standard nor among adjoint's extras"):
            xp.nan_to_num(x)
        return x

    library.run(check, np.ones(1))


def test_numpy_functions_are_numpys_own():
    xp = arrays.numpy_namespace
    own = {"asarray", "sort", "argsort", "isdtype", "finfo", "iinfo", "linalg", "fft"}
    own |= {"sum", "prod", "max", "min", "any", "all", "stack", "unstack"}  # which go around NumPy's Python layer
    own |= {"where", "broadcast_to", "sign"}  # which are faster
    for name in (STANDARD - own) & set(dir(np)):  # NumPy 2.0 lacks a few
        assert getattr(xp, name) is getattr(np, name), name
    assert xp.linalg is np.linalg
    assert vars(xp)["exp"] is np.exp


@pytest.mark.parametrize("name", sorted(TAKES_DTYPE & {"zeros", "ones", "empty"}))
@pytest.mark.parametrize("dtype", [_dtypes.float32, _dtypes.int64, _dtypes.bool, _dtypes.complex128])
def test_creation_takes_our_dtypes_and_the_librarys(library, name, dtype):
    def check(xp, x):
        for given in (dtype, xp.native_dtype(dtype)):
            out = getattr(xp, name)((2, 3), dtype=given)
            assert xp.dtype_of(out) is dtype
            out = getattr(xp, name + "_like")(x, dtype=given)
            assert xp.dtype_of(out) is dtype
            assert out.shape == x.shape
        return x

    library.run(check, np.ones(4))


def test_other_functions_take_our_dtypes(library):
    def check(xp, x):
        f4 = _dtypes.float32
        results = [
            xp.full((2,), 3, dtype=f4),
            xp.full_like(x, 3, dtype=f4),
            xp.eye(3, dtype=f4),
            xp.arange(3, dtype=f4),
            xp.linspace(0, 1, 5, dtype=f4),
            xp.astype(x, f4),
            xp.sum(x, dtype=f4),
            xp.prod(x, dtype=f4),
            xp.cumulative_sum(x, dtype=f4),
            xp.cumulative_prod(x, dtype=f4),
            xp.asarray(x, dtype=f4),
            xp.asarray([1, 2], dtype=f4, device=library.device),
        ]
        assert [xp.dtype_of(xp.ensure_array(out)) for out in results] == [f4] * len(results)
        assert xp.isdtype(f4, "real floating")
        assert not xp.isdtype(f4, ("integral", "bool"))
        assert xp.isdtype(f4, xp.native_dtype(f4))
        assert _dtypes.as_dtype(xp.result_type(f4, xp.native_dtype(_dtypes.float64))) is _dtypes.float64
        assert xp.can_cast(f4, _dtypes.float64)
        assert xp.float32 == xp.native_dtype(f4)
        return x

    library.run(check, np.ones(4))


def test_limits(library):
    def check(xp, x):
        assert xp.finfo(x).eps == xp.finfo(_dtypes.float64).eps == xp.finfo(xp.float64).eps == 2.0**-52
        assert xp.iinfo(xp.int16).max == 2**15 - 1
        return x

    library.run(check, np.ones(4))


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("axis", [0, -1])
def test_sorting_is_stable_both_ways(library, descending, axis, rng):
    x = rng.integers(0, 4, size=(6, 9))

    def f(xp, x):
        return xp.sort(x, axis=axis, descending=descending), xp.argsort(x, axis=axis, descending=descending)

    ordered, order = library.run(f, x)
    expected = np.argsort(-x if descending else x, axis=axis, stable=True)
    np.testing.assert_array_equal(order, expected)
    np.testing.assert_array_equal(ordered, np.take_along_axis(x, expected, axis=axis))


def test_nan_sorts_as_the_largest_number():
    xp = arrays.numpy_namespace
    x = np.array([1.0, np.nan, 3.0])
    np.testing.assert_array_equal(xp.sort(x, descending=True), [np.nan, 3.0, 1.0])
    np.testing.assert_array_equal(xp.argsort(x, descending=True), [1, 2, 0])


def test_jax_without_64_bits_gives_what_jax_gives():
    jax = pytest.importorskip("jax")
    if jax.config.jax_enable_x64:
        pytest.skip("64 bits are switched on in this process")
    xp = arrays.namespace_of(jax.numpy.ones(1))
    assert xp.native_dtype(_dtypes.float64) == np.float32
    assert xp.zeros(2, dtype=_dtypes.float64).dtype == np.float32
    assert xp.astype(jax.numpy.ones(2), _dtypes.complex128).dtype == np.complex64
    assert xp.lift(np.ones(3)).dtype == np.float32


def test_a_type_that_the_library_lacks_is_named():
    strict = pytest.importorskip("array_api_strict")
    with pytest.raises(TypeError, match="array_api_strict has no element type bfloat16"):
        arrays.namespace_of(strict.ones(1)).zeros(3, dtype=_dtypes.bfloat16)
