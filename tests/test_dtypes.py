"""Element types: PyTorch's table of promotion, the ways to name a type, and what NumPy makes of them."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

from adjoint import _dtypes

CODES = {
    "b1": _dtypes.bool,
    "u1": _dtypes.uint8,
    "i1": _dtypes.int8,
    "i2": _dtypes.int16,
    "i4": _dtypes.int32,
    "i8": _dtypes.int64,
    "u2": _dtypes.uint16,
    "u4": _dtypes.uint32,
    "u8": _dtypes.uint64,
    "f2": _dtypes.float16,
    "bf": _dtypes.bfloat16,
    "f4": _dtypes.float32,
    "f8": _dtypes.float64,
    "c8": _dtypes.complex64,
    "cc": _dtypes.complex128,
}

# What torch.promote_types of PyTorch 2.13 gives; rows and columns in the order of CODES, -- for an error.
PROMOTION = """
b1 u1 i1 i2 i4 i8 -- -- -- f2 bf f4 f8 c8 cc
u1 u1 i2 i2 i4 i8 -- -- -- f2 bf f4 f8 c8 cc
i1 i2 i1 i2 i4 i8 -- -- -- f2 bf f4 f8 c8 cc
i2 i2 i2 i2 i4 i8 -- -- -- f2 bf f4 f8 c8 cc
i4 i4 i4 i4 i4 i8 -- -- -- f2 bf f4 f8 c8 cc
i8 i8 i8 i8 i8 i8 -- -- -- f2 bf f4 f8 c8 cc
-- -- -- -- -- -- u2 -- -- f2 bf f4 f8 -- --
-- -- -- -- -- -- -- u4 -- f2 bf f4 f8 -- --
-- -- -- -- -- -- -- -- u8 f2 bf f4 f8 -- --
f2 f2 f2 f2 f2 f2 f2 f2 f2 f2 f4 f4 f8 c8 cc
bf bf bf bf bf bf bf bf bf f4 bf f4 f8 c8 cc
f4 f4 f4 f4 f4 f4 f4 f4 f4 f4 f4 f4 f8 c8 cc
f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 cc cc
c8 c8 c8 c8 c8 c8 -- -- -- c8 c8 c8 cc c8 cc
cc cc cc cc cc cc -- -- -- cc cc cc cc cc cc
"""

TABLE = {
    (a, b): result
    for a, row in zip(CODES, PROMOTION.strip().splitlines(), strict=True)
    for b, result in zip(CODES, row.split(), strict=True)
}

every_dtype = pytest.mark.parametrize("dtype", CODES.values(), ids=lambda d: d.name)


@pytest.mark.parametrize(("pair", "result"), TABLE.items(), ids=lambda v: v if isinstance(v, str) else "-".join(v))
def test_promotion_follows_the_table(pair, result):
    a, b = (CODES[code] for code in pair)
    if result == "--":
        with pytest.raises(RuntimeError, match=rf"{a.name}.*{b.name}.*no common type"):
            _dtypes.promote_types(a, b)
    else:
        assert _dtypes.promote_types(a, b) is CODES[result]


@pytest.mark.oracle
def test_the_table_is_that_of_pytorch():
    torch = pytest.importorskip("torch")
    for (a, b), expected in TABLE.items():
        first, second = (getattr(torch, CODES[code].name) for code in (a, b))
        try:
            found = str(torch.promote_types(first, second)).removeprefix("torch.")
        except RuntimeError:
            found = None
        assert found == (None if expected == "--" else CODES[expected].name), (a, b)
        assert _dtypes.can_cast(CODES[a], CODES[b]) == torch.can_cast(first, second)


def test_casting_never_goes_to_a_lower_category():
    order = [_dtypes.bool, _dtypes.int8, _dtypes.float16, _dtypes.complex64]
    for i, low in enumerate(order):
        for high in order[i:]:
            assert _dtypes.can_cast(low, high)
        for lower in order[:i]:
            assert not _dtypes.can_cast(low, lower)
    assert _dtypes.can_cast(_dtypes.float64, _dtypes.float16)
    assert _dtypes.can_cast(_dtypes.int8, _dtypes.uint64)


@every_dtype
def test_there_is_one_object_per_type(dtype):
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    assert copy.deepcopy(dtype) is dtype
    assert copy.copy(dtype) is dtype
    assert _dtypes.as_dtype(dtype) is dtype
    assert _dtypes.as_dtype(dtype.name) is dtype
    assert _dtypes.as_dtype(dtype.numpy) is dtype
    assert _dtypes.as_dtype(dtype.numpy.type) is dtype
    assert repr(dtype) == f"adjoint.{dtype.name}"


@every_dtype
def test_equality_reaches_numpy(dtype):
    assert dtype == dtype.numpy
    assert dtype.numpy == dtype
    assert dtype == dtype.name
    assert dtype != object()
    assert dtype != None  # noqa: E711  (NumPy would read None as float64)
    assert all((dtype == other) == (dtype is other) for other in CODES.values())
    assert {dtype: 1}[dtype] == 1


@every_dtype
def test_attributes_agree_with_numpy(dtype):
    assert dtype.itemsize == dtype.numpy.itemsize
    kind = {0: "b", 1: "iu", 2: "fV", 3: "c"}[dtype.category]
    assert dtype.numpy.kind in kind
    assert dtype.is_floating_point == (dtype.category == 2)
    assert dtype.is_complex == (dtype.category == 3)
    assert dtype.is_signed == (dtype.numpy.kind in "ifcV")
    assert np.zeros(2, dtype=dtype).dtype == dtype.numpy
    assert np.ones(2).astype(dtype).dtype == dtype.numpy


def test_real_and_complex_counterparts():
    assert _dtypes.complex128.to_real() is _dtypes.float64
    assert _dtypes.complex64.to_real() is _dtypes.float32
    assert _dtypes.int8.to_real() is _dtypes.int8
    assert _dtypes.float64.to_complex() is _dtypes.complex128
    assert _dtypes.bfloat16.to_complex() is _dtypes.complex64
    assert _dtypes.complex64.to_complex() is _dtypes.complex64
    with pytest.raises(TypeError, match=r"int8.*complex"):
        _dtypes.int8.to_complex()


@pytest.mark.parametrize(
    ("description", "name"),
    [
        (float, "float64"),
        (int, "int64"),
        (bool, "bool"),
        (complex, "complex128"),
        (np.float32, "float32"),
        ("<f4", "float32"),
        (">f8", "float64"),
        ("half", "float16"),
        ("adjoint.int8", "int8"),
        (np.dtype("longlong"), "int64"),
    ],
)
def test_descriptions_of_types(description, name):
    assert _dtypes.as_dtype(description).name == name
    assert _dtypes.as_dtype(name) == description


@pytest.mark.parametrize(
    "nonsense", [None, "float", "int", "quad", 3, object(), [1], np.zeros(3), _dtypes.dtype, "f4,f4", np.longdouble]
)
def test_what_is_no_type_is_a_clear_error(nonsense):
    with pytest.raises(TypeError, match=r"is not a dtype that adjoint has.*float32.*string"):
        _dtypes.as_dtype(nonsense)


@pytest.mark.parametrize("library", ["array_api_strict", "jax.numpy"])
def test_types_of_other_libraries(library):
    module = pytest.importorskip(library)
    for dtype in CODES.values():
        if hasattr(module, dtype.name):
            assert _dtypes.as_dtype(getattr(module, dtype.name)) is dtype


def test_aliases_are_those_of_pytorch():
    assert {alias: dtype.name for alias, dtype in _dtypes.ALIASES.items()} == {
        "half": "float16",
        "float": "float32",
        "double": "float64",
        "short": "int16",
        "int": "int32",
        "long": "int64",
        "cfloat": "complex64",
        "cdouble": "complex128",
    }
    assert _dtypes.bool_ is _dtypes.bool


def test_limits_of_floating_types():
    info = _dtypes.finfo(_dtypes.float32)
    assert (info.bits, info.dtype, info.resolution) == (32, "float32", 1e-6)
    assert info.eps == 2.0**-23
    assert info.tiny == info.smallest_normal == 2.0**-126
    assert info.max == -info.min == float(np.finfo(np.float32).max)
    assert _dtypes.finfo(_dtypes.bfloat16).eps == 2.0**-7
    assert _dtypes.finfo(_dtypes.complex128).dtype == "float64"
    assert "eps=1.19209e-07" in repr(info)
    with pytest.raises(TypeError, match="iinfo"):
        _dtypes.finfo(_dtypes.int8)


def test_limits_of_integer_types():
    info = _dtypes.iinfo(_dtypes.int16)
    assert (info.bits, info.min, info.max, info.dtype) == (16, -32768, 32767, "int16")
    assert repr(info) == "iinfo(min=-32768, max=32767, dtype=int16)"
    for dtype in (_dtypes.bool, _dtypes.float32):
        with pytest.raises(TypeError, match=dtype.name):
            _dtypes.iinfo(dtype)


def test_the_default_type_is_a_floating_one():
    before = _dtypes.get_default_dtype()
    try:
        _dtypes.set_default_dtype(np.float64)
        assert _dtypes.get_default_dtype() is _dtypes.float64
        assert _dtypes.finfo().dtype == "float64"
        for wrong in (_dtypes.int32, _dtypes.complex64):
            with pytest.raises(TypeError, match="floating"):
                _dtypes.set_default_dtype(wrong)
        assert _dtypes.get_default_dtype() is _dtypes.float64
    finally:
        _dtypes.set_default_dtype(before)


def test_nothing_heavy_is_imported_before_it_is_needed():
    code = """
import sys
import adjoint.arrays
from adjoint import _dtypes as dtypes
heavy = {"ml_dtypes", "scipy", "opt_einsum", "array_api_compat", "jax", "torch"} & set(sys.modules)
assert not heavy, heavy
import numpy as np
assert adjoint.arrays.numpy_namespace.zeros(1, dtype=dtypes.bfloat16).dtype.name == "bfloat16"
assert "ml_dtypes" in sys.modules and "scipy" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
