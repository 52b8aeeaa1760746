"""The array API over tensors: every function of the standard and of our extras, against the array library's own."""

from __future__ import annotations

from typing import Any

import array_api_strict
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import adjoint as ad
from adjoint._dispatch.array_api import namespace_over, tensor_namespace
from adjoint.arrays import namespace_of, numpy_namespace
from adjoint.arrays.standard import EXTRAS, FFT, LINALG, SPECIAL_FUNCTIONS, STANDARD

RNG = np.random.default_rng(0)
A = RNG.uniform(0.2, 0.9, (3, 4))
B = RNG.uniform(0.2, 0.9, (3, 4))
C = A + 1j * B
SQUARE = RNG.uniform(0.2, 0.9, (2, 3, 3)) + 2 * np.eye(3)
SYMMETRIC = SQUARE + np.swapaxes(SQUARE, -1, -2)
INTS = np.array([[3, 1, 2], [5, 0, 4]])
MASK = np.array([[True, False, True], [False, False, True]])
INDEX = np.array([2, 0, 1])
ALONG = np.array([[1, 0], [2, 2], [3, 1]])

# Each entry is what one would write for any library `xp`; arrays are arguments, so that they can be tensors.
UNARY = """
abs acos asin atan atanh ceil cos cosh exp expm1 floor log log10 log1p log2 negative positive reciprocal round sign sin
sinh sqrt square tan tanh trunc asinh isfinite isinf isnan signbit
"""
BINARY = """
add atan2 copysign divide equal floor_divide greater greater_equal hypot less less_equal logaddexp maximum minimum
multiply nextafter not_equal pow remainder subtract
"""
CALLS: dict[str, list[Any]] = {
    **{name: [(lambda xp, x, name=name: getattr(xp, name)(x), (A,))] for name in UNARY.split()},
    **{name: [(lambda xp, x, y, name=name: getattr(xp, name)(x, y), (A, B))] for name in BINARY.split()},
    "acosh": [(lambda xp, x: xp.acosh(x), (A + 1,))],
    "conj": [(lambda xp, x: xp.conj(x), (C,)), (lambda xp, x: xp.conj(x), (A,))],
    "real": [(lambda xp, x: xp.real(x), (C,))],
    "imag": [(lambda xp, x: xp.imag(x), (C,))],
    "clip": [(lambda xp, x: xp.clip(x, 0.3, 0.6), (A,)), (lambda xp, x: xp.clip(x, max=0.5), (A,))],
    "bitwise_and": [(lambda xp, x, y: xp.bitwise_and(x, y), (INTS, INTS + 1))],
    "bitwise_or": [(lambda xp, x, y: xp.bitwise_or(x, y), (INTS, INTS + 1))],
    "bitwise_xor": [(lambda xp, x, y: xp.bitwise_xor(x, y), (INTS, INTS + 1))],
    "bitwise_left_shift": [(lambda xp, x, y: xp.bitwise_left_shift(x, y), (INTS, INTS))],
    "bitwise_right_shift": [(lambda xp, x, y: xp.bitwise_right_shift(x, y), (INTS, INTS))],
    "bitwise_invert": [(lambda xp, x: xp.bitwise_invert(x), (INTS,))],
    "logical_and": [(lambda xp, x, y: xp.logical_and(x, y), (MASK, ~MASK))],
    "logical_or": [(lambda xp, x, y: xp.logical_or(x, y), (MASK, ~MASK))],
    "logical_xor": [(lambda xp, x, y: xp.logical_xor(x, y), (MASK, MASK))],
    "logical_not": [(lambda xp, x: xp.logical_not(x), (MASK,))],
    # creation
    "arange": [
        (lambda xp: xp.arange(5), ()),
        (lambda xp: xp.arange(1, 7, 2), ()),
        (lambda xp: xp.arange(5, stop=2), ()),
        (lambda xp: xp.arange(0.0, 1.0, 0.25, dtype=xp.float64), ()),
    ],
    "asarray": [(lambda xp, x: xp.asarray(x), (A,)), (lambda xp: xp.asarray([1.0, 2.0], dtype=xp.float64), ())],
    "empty": [(lambda xp: xp.empty((2, 0)), ())],
    "empty_like": [(lambda xp, x: xp.empty_like(x), (A[:0],))],
    "eye": [(lambda xp: xp.eye(3), ()), (lambda xp: xp.eye(2, 4, k=1, dtype=xp.int64), ())],
    "from_dlpack": [(lambda xp, x: xp.from_dlpack(x), (A,))],
    "full": [(lambda xp: xp.full((2,), 3), ()), (lambda xp: xp.full((2,), 1, dtype=xp.float64), ())],
    "full_like": [(lambda xp, x: xp.full_like(x, 2.0), (A,))],
    "linspace": [
        (lambda xp: xp.linspace(0.0, 1.0, 5, dtype=xp.float64), ()),
        (lambda xp: xp.linspace(0.0, 1.0, 4, endpoint=False, dtype=xp.float64), ()),
    ],
    "meshgrid": [
        (lambda xp, x, y: xp.meshgrid(x, y), (A[0], B[1])),
        (lambda xp, x, y: xp.meshgrid(x, y, indexing="ij"), (A[0], B[1, :2])),
    ],
    "ones": [(lambda xp: xp.ones((2, 2)), ()), (lambda xp: xp.ones(3, dtype=xp.int32), ())],
    "ones_like": [(lambda xp, x: xp.ones_like(x), (A,))],
    "tril": [(lambda xp, x: xp.tril(x, k=-1), (A,))],
    "triu": [(lambda xp, x: xp.triu(x, k=1), (A,))],
    "zeros": [(lambda xp: xp.zeros((2, 2), dtype=xp.float64), ())],
    "zeros_like": [(lambda xp, x: xp.zeros_like(x, dtype=xp.int64), (A,))],
    # dtypes
    "astype": [
        (lambda xp, x: xp.astype(x, xp.float32), (A,)),
        (lambda xp, x: xp.astype(x, x.dtype, copy=False), (A,)),
        (lambda xp, x: xp.astype(x, xp.complex128), (A,)),
    ],
    "broadcast_arrays": [(lambda xp, x, y: xp.broadcast_arrays(x, y), (A, B[0]))],
    "broadcast_to": [(lambda xp, x: xp.broadcast_to(x, (2, 3, 4)), (A,))],
    # manipulation
    "concat": [
        (lambda xp, x, y: xp.concat([x, y], axis=1), (A, B)),
        (lambda xp, x, y: xp.concat((x, y), axis=None), (A, B)),
    ],
    "expand_dims": [
        (lambda xp, x: xp.expand_dims(x, axis=1), (A,)),
        (lambda xp, x: xp.expand_dims(x, axis=-1), (A,)),
    ],
    "flip": [(lambda xp, x: xp.flip(x), (A,)), (lambda xp, x: xp.flip(x, axis=-1), (A,))],
    "moveaxis": [(lambda xp, x: xp.moveaxis(x, 0, -1), (SQUARE,))],
    "permute_dims": [(lambda xp, x: xp.permute_dims(x, (2, 0, 1)), (SQUARE,))],
    "repeat": [(lambda xp, x: xp.repeat(x, 2), (A,)), (lambda xp, x: xp.repeat(x, 2, axis=1), (A,))],
    "reshape": [(lambda xp, x: xp.reshape(x, (2, -1)), (A,)), (lambda xp, x: xp.reshape(x, (12,), copy=True), (A,))],
    "roll": [
        (lambda xp, x: xp.roll(x, 1), (A,)),
        (lambda xp, x: xp.roll(x, (1, -1), axis=(0, 1)), (A,)),
        (lambda xp, x: xp.roll(x, 2, axis=0), (A,)),
    ],
    "squeeze": [
        (lambda xp, x: xp.squeeze(x, axis=0), (A[:1],)),
        (lambda xp, x: xp.squeeze(x, axis=(0, 2)), (A[None, :, :1],)),
    ],
    "stack": [(lambda xp, x, y: xp.stack([x, y], axis=-1), (A, B))],
    "tile": [(lambda xp, x: xp.tile(x, (2, 1)), (A,)), (lambda xp, x: xp.tile(x, (2, 1, 2)), (A,))],
    "unstack": [(lambda xp, x: xp.unstack(x, axis=1), (A,))],
    # searching, sorting, sets
    "argmax": [(lambda xp, x: xp.argmax(x, axis=1), (A,)), (lambda xp, x: xp.argmax(x, keepdims=True), (A,))],
    "argmin": [(lambda xp, x: xp.argmin(x), (A,)), (lambda xp, x: xp.argmin(x, axis=0, keepdims=True), (A,))],
    "count_nonzero": [(lambda xp, x: xp.count_nonzero(x, axis=0), (INTS,))],
    "nonzero": [(lambda xp, x: xp.nonzero(x), (INTS,))],
    "searchsorted": [(lambda xp, x, y: xp.searchsorted(x, y, side="right"), (np.sort(A[0]), B[0]))],
    "where": [
        (lambda xp, m, x, y: xp.where(m, x, y), (A > 0.5, A, B)),
        (lambda xp, m, x: xp.where(m, x, 0.0), (A > 0.5, A)),
    ],
    "argsort": [
        (lambda xp, x: xp.argsort(x, axis=0), (A,)),
        (lambda xp, x: xp.argsort(x, descending=True), (INTS // 2,)),
    ],
    "sort": [(lambda xp, x: xp.sort(x), (A,)), (lambda xp, x: xp.sort(x, axis=0, descending=True), (A,))],
    "unique_all": [(lambda xp, x: xp.unique_all(x), (INTS // 2,))],
    "unique_counts": [(lambda xp, x: xp.unique_counts(x), (INTS // 2,))],
    "unique_inverse": [(lambda xp, x: xp.unique_inverse(x), (INTS // 2,))],
    "unique_values": [(lambda xp, x: xp.sort(xp.unique_values(x)), (INTS // 2,))],
    # statistics
    **{
        name: [
            (lambda xp, x, name=name: getattr(xp, name)(x), (A,)),
            (lambda xp, x, name=name: getattr(xp, name)(x, axis=1), (A,)),
            (lambda xp, x, name=name: getattr(xp, name)(x, axis=(0, -1), keepdims=True), (SQUARE,)),
            (lambda xp, x, name=name: getattr(xp, name)(x, keepdims=True), (A,)),
        ]
        for name in ("sum", "prod", "mean", "max", "min", "std", "var")
    },
    "all": [
        (lambda xp, x: xp.all(x), (MASK,)),
        (lambda xp, x: xp.all(x, axis=(0, 1), keepdims=True), (MASK,)),
        (lambda xp, x: xp.all(x, axis=1), (INTS,)),
    ],
    "any": [(lambda xp, x: xp.any(x), (MASK,)), (lambda xp, x: xp.any(x, axis=0), (MASK,))],
    "cumulative_sum": [
        (lambda xp, x: xp.cumulative_sum(x, axis=1), (A,)),
        (lambda xp, x: xp.cumulative_sum(x, axis=-1, include_initial=True), (A,)),
        (lambda xp, x: xp.cumulative_sum(x), (A[0],)),
    ],
    "cumulative_prod": [(lambda xp, x: xp.cumulative_prod(x, axis=0, include_initial=True), (A,))],
    "diff": [
        (lambda xp, x: xp.diff(x), (A,)),
        (lambda xp, x, y: xp.diff(x, axis=0, n=2, prepend=y), (A, B)),
    ],
    # indexing
    "take": [(lambda xp, x, i: xp.take(x, i, axis=1), (A, INDEX)), (lambda xp, x, i: xp.take(x, i), (A[0], INDEX))],
    "take_along_axis": [(lambda xp, x, i: xp.take_along_axis(x, i, axis=1), (A, ALONG))],
    # linear algebra
    "matmul": [(lambda xp, x, y: xp.matmul(x, y), (SQUARE, A)), (lambda xp, x, y: xp.matmul(x, y), (A, B[0]))],
    "matrix_transpose": [(lambda xp, x: xp.matrix_transpose(x), (SQUARE,))],
    "tensordot": [
        (lambda xp, x, y: xp.tensordot(x, y, axes=2), (A, B)),
        (lambda xp, x, y: xp.tensordot(x, y, axes=((0,), (0,))), (A, B)),
    ],
    "vecdot": [(lambda xp, x, y: xp.vecdot(x, y), (C, C)), (lambda xp, x, y: xp.vecdot(x, y, axis=0), (A, B))],
}

LINALG_CALLS: dict[str, list[Any]] = {
    "cholesky": [(lambda xp, x: xp.linalg.cholesky(x @ xp.matrix_transpose(x)), (SQUARE,))],
    "cross": [(lambda xp, x, y: xp.linalg.cross(x, y, axis=0), (A, B))],
    "det": [(lambda xp, x: xp.linalg.det(x), (SQUARE,))],
    "diagonal": [(lambda xp, x: xp.linalg.diagonal(x, offset=1), (SQUARE,))],
    "eigh": [(lambda xp, x: xp.linalg.eigh(x)[0], (SYMMETRIC,))],
    "eigvalsh": [(lambda xp, x: xp.linalg.eigvalsh(x), (SYMMETRIC,))],
    "inv": [(lambda xp, x: xp.linalg.inv(x), (SQUARE,))],
    "matmul": [(lambda xp, x, y: xp.linalg.matmul(x, y), (SQUARE, A))],
    "matrix_norm": [
        (lambda xp, x: xp.linalg.matrix_norm(x), (SQUARE,)),
        (lambda xp, x: xp.linalg.matrix_norm(x, ord=1, keepdims=True), (SQUARE,)),
    ],
    "matrix_power": [(lambda xp, x: xp.linalg.matrix_power(x, 3), (SQUARE,))],
    "matrix_rank": [(lambda xp, x: xp.linalg.matrix_rank(x), (SQUARE,))],
    "matrix_transpose": [(lambda xp, x: xp.linalg.matrix_transpose(x), (A,))],
    "outer": [(lambda xp, x, y: xp.linalg.outer(x, y), (A[0], B[:, 0]))],
    "pinv": [(lambda xp, x: xp.linalg.pinv(x), (A,))],
    "qr": [
        (lambda xp, x: abs(xp.linalg.qr(x)[1]), (A,)),
        (lambda xp, x: abs(xp.linalg.qr(x, mode="complete").Q), (A,)),
    ],
    "slogdet": [(lambda xp, x: xp.linalg.slogdet(x), (SQUARE,))],
    "solve": [
        (lambda xp, x, y: xp.linalg.solve(x, y), (SQUARE, A)),
        (lambda xp, x, y: xp.linalg.solve(x, y), (SQUARE[0], A[:, 0])),
        (lambda xp, x, y: xp.linalg.solve(x, y), (SQUARE, SQUARE[0])),
    ],
    "svd": [(lambda xp, x: xp.linalg.svd(x, full_matrices=False)[1], (A,))],
    "svdvals": [(lambda xp, x: xp.linalg.svdvals(x), (A,))],
    "tensordot": [(lambda xp, x, y: xp.linalg.tensordot(x, y, axes=1), (A, B.T))],
    "trace": [(lambda xp, x: xp.linalg.trace(x, offset=-1), (SQUARE,))],
    "vecdot": [(lambda xp, x, y: xp.linalg.vecdot(x, y), (A, B))],
    "vector_norm": [
        (lambda xp, x: xp.linalg.vector_norm(x), (A,)),
        (lambda xp, x: xp.linalg.vector_norm(x, axis=1, keepdims=True, ord=3), (A,)),
    ],
}

FFT_CALLS: dict[str, list[Any]] = {
    **{
        name: [(lambda xp, x, name=name: getattr(xp.fft, name)(x, n=5, axis=0, norm="ortho"), (C,))]
        for name in ("fft", "ifft", "irfft", "hfft")
    },
    **{
        name: [(lambda xp, x, name=name: getattr(xp.fft, name)(x, s=(2, 4), axes=(0, 1)), (C,))]
        for name in ("fftn", "ifftn", "irfftn")
    },
    "rfft": [(lambda xp, x: xp.fft.rfft(x), (A,))],
    "ihfft": [(lambda xp, x: xp.fft.ihfft(x), (A,))],
    "rfftn": [(lambda xp, x: xp.fft.rfftn(x, axes=(0, 1)), (A,))],
    "fftfreq": [(lambda xp: xp.fft.fftfreq(5, d=0.5), ()), (lambda xp: xp.fft.fftfreq(4), ())],
    "rfftfreq": [(lambda xp: xp.fft.rfftfreq(5, d=0.5), ()), (lambda xp: xp.fft.rfftfreq(4), ())],
    "fftshift": [(lambda xp, x: xp.fft.fftshift(x), (A,)), (lambda xp, x: xp.fft.fftshift(x, axes=1), (A,))],
    "ifftshift": [(lambda xp, x: xp.fft.ifftshift(x), (A,)), (lambda xp, x: xp.fft.ifftshift(x, axes=0), (A,))],
}

EXTRA_CALLS: dict[str, list[Any]] = {
    "as_strided": [(lambda xp, x: xp.as_strided(x, (2, 2), (4, 1), 1), (A,))],
    "einsum": [(lambda xp, x, y: xp.einsum("ij,ij->i", x, y), (A, B))],
    "erf": [(lambda xp, x: xp.erf(x), (A,))],
    "expit": [(lambda xp, x: xp.expit(x), (A,))],
    "fmod": [(lambda xp, x, y: xp.fmod(x, y), (A, B))],
    "gather": [(lambda xp, x, i: xp.gather(x, i, 1), (A, ALONG))],
    "getitem": [
        (lambda xp, x: xp.getitem(x, (slice(1, None), None, 0)), (A,)),
        (lambda xp, x, i: xp.getitem(x, (i, slice(None, 2))), (A, INDEX)),
        (lambda xp, x, m: xp.getitem(x, m), (A, A > 0.5)),
    ],
    "index_put": [
        (lambda xp, x, i, v: xp.index_put(x, (i,), v), (A, INDEX[:2], B[:2])),
        (lambda xp, x, i, v: xp.index_put(x, (i,), v, accumulate=True), (A, INDEX * 0, B)),
        (lambda xp, x, v: xp.index_put(x, (slice(1), 2), v), (A, B[0, 0])),
        (lambda xp, x, m: xp.index_put(x, m, 0.0), (A, A > 0.5)),
        (lambda xp, x: xp.index_put(x, (..., 1), 7.0, True), (A,)),
    ],
    "pad": [(lambda xp, x: xp.pad(x, ((1, 0), (2, 3)), 5.0), (A,)), (lambda xp, x: xp.pad(x, ((0, -1), (1, 0))), (A,))],
    "scatter": [
        (lambda xp, x, i, v: xp.scatter(x, i, v, 1), (A, np.array([[0, 3]]), B)),
        (lambda xp, x, i, v: xp.scatter(x, i, v, 0, "add"), (A, ALONG % 3, B)),
        (lambda xp, x, i, v: xp.scatter(x, i, v, 1, "amax"), (A, ALONG, B)),
        (lambda xp, x, i: xp.scatter(x, i, 2.0, 1), (A, ALONG)),
        (lambda xp, x, i, v: xp.scatter(x, i, v, 1, "multiply"), (A, ALONG, B)),
    ],
    "solve_triangular": [
        (lambda xp, x, y: xp.solve_triangular(x, y, upper=True), (SQUARE, SQUARE)),
        (lambda xp, x, y: xp.solve_triangular(x, y, unitriangular=True), (SQUARE, SQUARE)),
    ],
    "view_as_complex": [(lambda xp, x: xp.view_as_complex(x), (np.stack([A, B], -1),))],
    "view_as_real": [(lambda xp, x: xp.view_as_real(x), (C,))],
}

ALL = {**CALLS, **{f"linalg.{k}": v for k, v in LINALG_CALLS.items()}, **{f"fft.{k}": v for k, v in FFT_CALLS.items()}}
ALL |= {f"{name} (extra)": calls for name, calls in EXTRA_CALLS.items()}
CASES = [
    pytest.param(call, args, id=f"{name}-{i}") for name, calls in ALL.items() for i, (call, args) in enumerate(calls)
]

NO_CALLS = set("e inf nan newaxis pi can_cast finfo iinfo isdtype result_type linalg fft".split())


def test_every_name_is_tried() -> None:
    assert not STANDARD - CALLS.keys() - NO_CALLS
    assert not LINALG - LINALG_CALLS.keys()
    assert not FFT - FFT_CALLS.keys()
    assert not EXTRAS - EXTRA_CALLS.keys() - set(SPECIAL_FUNCTIONS)


def parts_of(result: Any) -> list[Any]:
    return list(result) if isinstance(result, (tuple, list)) else [result]


def compare(result: Any, expected: Any) -> None:
    results, wanted = parts_of(result), parts_of(expected)
    assert len(results) == len(wanted)
    for one, other in zip(results, wanted):
        values = one.numpy(force=True) if isinstance(one, ad.Tensor) else np.asarray(one)
        other = np.asarray(other)
        assert values.shape == other.shape
        assert values.dtype.kind == other.dtype.kind
        np.testing.assert_allclose(values, other, rtol=1e-10, atol=1e-12)


@pytest.fixture(autouse=True)
def double_precision() -> Any:
    """NumPy's default dtype is float64, and what is compared is what NumPy gives."""
    ad.set_default_dtype(ad.float64)
    jax.config.update("jax_enable_x64", True)
    yield
    ad.set_default_dtype(ad.float32)
    jax.config.update("jax_enable_x64", False)


@pytest.mark.parametrize(("call", "args"), CASES)
def test_against_numpy(call: Any, args: Any) -> None:
    expected = call(numpy_namespace, *args)
    result = call(tensor_namespace, *map(ad.as_tensor, args))
    assert all(isinstance(part, ad.Tensor) for part in parts_of(result))
    compare(result, expected)


@pytest.mark.parametrize(("call", "args"), CASES)
def test_on_strict_arrays(call: Any, args: Any) -> None:
    expected = call(numpy_namespace, *args)
    own = namespace_over(namespace_of(array_api_strict.ones(1)))
    result = call(own, *[ad.Tensor(array_api_strict.asarray(x)) for x in args])
    if "from_dlpack" not in str(call.__code__.co_names):
        assert all(type(part.array) is type(array_api_strict.ones(1)) for part in parts_of(result))
    compare(result, expected)


@pytest.mark.parametrize(("call", "args"), CASES)
def test_tensors_inside_tensors(call: Any, args: Any) -> None:
    expected = call(numpy_namespace, *args)
    result = call(tensor_namespace, *[ad.Tensor(ad.as_tensor(x)) for x in args])
    compare([part.array if isinstance(part.array, ad.Tensor) else part for part in parts_of(result)], expected)


NOT_IN_JIT = {"nonzero", "unique_all", "unique_counts", "unique_inverse", "unique_values", "from_dlpack", "getitem"}


@pytest.mark.parametrize(
    ("call", "args"),
    # one call of each function, because compiling takes a while
    [case for case in CASES if case.id and case.id.endswith("-0") and case.id[:-2].split(" ")[0] not in NOT_IN_JIT],
)
def test_inside_jit(call: Any, args: Any) -> None:
    expected = call(numpy_namespace, *args)
    own = namespace_over(namespace_of(jnp.ones(1)))

    def traced(*arrays: Any) -> Any:
        return [part.array for part in parts_of(call(own, *map(ad.Tensor, arrays)))]

    compare(jax.jit(traced)(*args) if args else traced(), expected)


@pytest.mark.parametrize(("call", "args"), CASES)
def test_results_are_recorded(call: Any, args: Any) -> None:
    tensors = [ad.tensor(x, requires_grad=x.dtype.kind in "fc") for x in args]
    if not any(t.requires_grad for t in tensors):
        return
    names = call.__code__.co_names + tuple(str(d) for d in call.__defaults__ or ())
    if any(name in NOT_RECORDED for name in names):
        return
    results = [part for part in parts_of(call(tensor_namespace, *tensors)) if part.dtype.category >= 2]
    assert all(part.requires_grad for part in results)


NOT_RECORDED = set(
    """
    ones_like zeros_like full_like empty_like from_dlpack signbit nextafter isfinite isinf isnan matrix_rank
    """.split()
)


# ---- the rest of the standard ----------------------------------------------------------------------------------------


def test_constants_and_dtypes() -> None:
    xp = tensor_namespace
    assert (xp.e, xp.pi, xp.inf, xp.newaxis) == (np.e, np.pi, np.inf, None)
    assert xp.nan != xp.nan
    assert xp.float32 is ad.float32 and xp.bool is ad.bool and xp.complex128 is ad.complex128
    assert xp.isdtype(xp.float32, "real floating") and not xp.isdtype(xp.int8, ("bool", "real floating"))
    assert xp.isdtype(xp.int8, "integral") and xp.isdtype(xp.uint8, "unsigned integer") and xp.isdtype(xp.int8, xp.int8)
    with pytest.raises(ValueError, match="kind"):
        xp.isdtype(xp.int8, "nonsense")
    assert xp.can_cast(xp.float32, xp.float64) and not xp.can_cast(xp.float64, xp.float32)
    assert xp.can_cast(ad.ones(1, dtype=ad.int32), xp.int64) and not xp.can_cast(xp.uint32, xp.int64)
    assert xp.finfo(xp.float32).bits == 32 and xp.iinfo(ad.tensor([1], dtype=ad.int8)).max == 127
    assert xp.finfo(ad.ones(1)).eps == np.finfo(np.float64).eps
    assert xp.result_type(xp.float32, xp.int64) is xp.float32
    assert xp.result_type(ad.ones(2, dtype=ad.float32), 1j) is ad.complex64
    assert xp.result_type(xp.int8, 2) is ad.int8


def test_array_namespace_of_a_tensor() -> None:
    x = ad.tensor([0.5], requires_grad=True)
    xp = x.__array_namespace__(api_version="2024.12")
    assert xp is tensor_namespace
    y = xp.sum(xp.exp(x) * xp.asarray(2.0))
    (grad,) = ad.autograd.grad(y, x)
    np.testing.assert_allclose(grad.numpy(), 2 * np.exp([0.5]))
    strict = ad.Tensor(array_api_strict.ones(2)).__array_namespace__()
    assert type(strict.zeros((2,)).array) is type(array_api_strict.ones(1))
    with pytest.raises(ValueError, match="version"):
        x.__array_namespace__(api_version="1999.1")


def test_inspection() -> None:
    info = tensor_namespace.__array_namespace_info__()
    assert info.default_device() == "cpu" and info.devices() == ["cpu"]
    assert info.default_dtypes()["real floating"] is ad.float64
    assert set(info.dtypes(kind="bool")) == {"bool"}
    assert set(info.dtypes(kind=("bool", "complex floating"))) == {"bool", "complex64", "complex128"}
    assert info.capabilities()["boolean indexing"]


def test_an_axis_of_nothing_reduces_nothing() -> None:
    x = ad.tensor(A)
    for name in ("sum", "mean", "max", "min", "prod"):
        assert getattr(tensor_namespace, name)(x, axis=()).tolist() == A.tolist()
    assert tensor_namespace.any(ad.tensor(INTS), axis=()).tolist() == INTS.astype(bool).tolist()


def test_errors() -> None:
    xp = tensor_namespace
    with pytest.raises(AttributeError, match="nonsense"):
        xp.nonsense
    with pytest.raises(AttributeError, match=r"linalg\.nonsense"):
        xp.linalg.nonsense
    with pytest.raises(ValueError, match="axis"):
        xp.squeeze(ad.tensor(A), axis=0)
    with pytest.raises(ValueError, match="axis"):
        xp.take(ad.tensor(A), ad.tensor(INDEX))
    with pytest.raises(ValueError, match="axis"):
        xp.cumulative_sum(ad.tensor(A))
