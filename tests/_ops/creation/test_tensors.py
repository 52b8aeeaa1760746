"""Making tensors: what dtype, shape, device and array library they have, and whose memory."""

from __future__ import annotations

from typing import Any

import array_api_strict
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import adjoint as ad
from adjoint._dispatch.override import FunctionMode

ONE = ad.tensor(1.0)


@pytest.mark.parametrize(
    ("data", "dtype", "shape"),
    [
        (1.5, ad.float32, ()),
        (3, ad.int64, ()),
        (True, ad.bool, ()),
        (1j, ad.complex64, ()),
        ([], ad.float32, (0,)),
        ([[]], ad.float32, (1, 0)),
        ([1, 2.5], ad.float32, (2,)),
        ([True, 1], ad.int64, (2,)),
        ([True, 2.0], ad.float32, (2,)),
        ([[1, 2], [3, 4]], ad.int64, (2, 2)),
        ((1, 2), ad.int64, (2,)),
        (range(3), ad.int64, (3,)),
        (np.float64(1), ad.float64, ()),
        (np.int32(3), ad.int32, ()),
        ([np.float64(1), 1.5], ad.float64, (2,)),
        ([np.float16(1)], ad.float16, (1,)),
        ([np.int32(3)], ad.int32, (1,)),
        (np.bool_(True), ad.bool, ()),
        ([ad.tensor(1.0), ad.tensor(2.0, dtype=ad.float64)], ad.float64, (2,)),
        ([ad.tensor(1), 2.5], ad.float32, (2,)),
        ([[ad.tensor(1.0)], [2.0]], ad.float32, (2, 1)),
        ([ad.ones(1)], ad.float32, (1,)),
        ([np.array([1, 2], dtype=np.int32), np.array([3, 4], dtype=np.int32)], ad.int32, (2, 2)),
        (np.zeros((2, 3), dtype=np.float16), ad.float16, (2, 3)),
        (2**40, ad.int64, ()),
    ],
)
def test_dtype_and_shape_follow_from_the_data(data: Any, dtype: Any, shape: tuple[int, ...]) -> None:
    made = ad.tensor(data)
    assert made.dtype is dtype
    assert made.shape == shape
    assert made.is_leaf and not made.requires_grad


@pytest.mark.parametrize(
    ("data", "error"),
    [
        ([[1], [1, 2]], ValueError),
        ([[1, 2], [3]], ValueError),
        ([1, [2]], ValueError),
        ("a", TypeError),
        ([None], TypeError),
        (None, TypeError),
        ({1}, TypeError),
        (b"ab", TypeError),
        (2**70, ValueError),
        ([ad.ones(2)], ValueError),
    ],
)
def test_what_is_no_array_of_numbers_is_refused(data: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        ad.tensor(data)


def test_tensor_copies_and_as_tensor_shares() -> None:
    data = np.zeros(2)
    copied, shared = ad.tensor(data), ad.as_tensor(data)
    data[0] = 7.0
    assert copied.tolist() == [0.0, 0.0]
    assert shared.tolist() == [7.0, 0.0]
    assert ad.as_tensor(shared) is shared
    assert ad.from_numpy(data).array is data
    assert shared.detach().clone().array is not shared.array


def test_a_change_of_the_tensor_shows_in_the_array() -> None:
    data = np.zeros(2)
    ad.from_numpy(data).add_(1)
    assert data.tolist() == [1.0, 1.0]
    with pytest.raises(TypeError, match="ndarray"):
        ad.from_numpy([1, 2])


def test_as_tensor_keeps_the_history_and_converts_if_asked() -> None:
    x = ad.ones(2, requires_grad=True)
    assert ad.as_tensor(x * 2).grad_fn is not None
    y = ad.as_tensor(x, dtype=ad.float64)
    assert y.dtype is ad.float64 and y.requires_grad
    assert ad.as_tensor([1, 2], dtype=ad.float32).dtype is ad.float32


def test_asarray_copies_as_told() -> None:
    data = np.zeros(2, dtype=np.float32)
    assert ad.asarray(data, copy=False).array is data
    assert ad.asarray(data, copy=True).array is not data
    assert ad.asarray(data, dtype=ad.float32).array is data
    with pytest.raises(ValueError, match="copy=False"):
        ad.asarray(data, dtype=ad.float64, copy=False)
    with pytest.raises(ValueError, match="copy=False"):
        ad.asarray([1.0], copy=False)
    x = ad.asarray(data)
    assert ad.asarray(x, copy=True).array is not x.array
    assert ad.asarray([1.0], requires_grad=True).requires_grad


def test_requires_grad_needs_a_continuous_dtype() -> None:
    assert ad.zeros(2, requires_grad=True).requires_grad
    assert ad.tensor([1j], requires_grad=True).requires_grad
    with pytest.raises(RuntimeError, match="floating point"):
        ad.ones(2, dtype=ad.int64, requires_grad=True)


@pytest.mark.parametrize("size", [(2, 3), ((2, 3),), ([2, 3],), (ad.ones(2, 3).shape,), (np.int64(2), ad.tensor(3))])
def test_a_shape_is_one_sequence_or_several_numbers(size: Any) -> None:
    for function in (ad.zeros, ad.ones, ad.empty, ad.rand, ad.randn):
        assert function(*size).shape == (2, 3)
    assert ad.zeros(()).shape == ad.zeros([]).shape == ()
    assert ad.zeros(size=(2,)).shape == (2,)
    with pytest.raises(RuntimeError, match="negative"):
        ad.zeros(-1)
    for wrong in ((), (True,), (2.5,)):
        with pytest.raises(TypeError):
            ad.zeros(*wrong)


def test_full_takes_its_dtype_from_the_number() -> None:
    assert ad.full((2,), True).dtype is ad.bool
    assert ad.full((2,), 1).dtype is ad.int64
    assert ad.full((2,), 1.0).dtype is ad.float32
    assert ad.full((2,), 1j).dtype is ad.complex64
    assert ad.full((2,), 1, dtype=ad.float64).tolist() == [1.0, 1.0]
    assert ad.full(2, ad.tensor(3.0)).tolist() == [3.0, 3.0]
    assert ad.full_like(ad.ones(2, dtype=ad.int32), 3.7).tolist() == [3, 3]


def test_the_default_dtype_is_that_of_python_floats() -> None:
    ad.set_default_dtype(ad.float64)
    try:
        assert ad.tensor(1.0).dtype is ad.float64
        assert ad.tensor(1j).dtype is ad.complex128
        assert ad.zeros(1).dtype is ad.arange(1.0).dtype is ad.rand(1).dtype is ad.float64
        assert ad.tensor(1).dtype is ad.int64
    finally:
        ad.set_default_dtype(ad.float32)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((3,), [0, 1, 2]),
        ((1, 4), [1, 2, 3]),
        ((1, 2.5, 0.5), [1.0, 1.5, 2.0]),
        ((5, 0, -2), [5, 3, 1]),
        ((0, 0), []),
        ((1.0,), [0.0]),
        ((ad.tensor(3),), [0, 1, 2]),
        ((0, 1, 0.25), [0.0, 0.25, 0.5, 0.75]),
        ((2**53, 2**53 + 3), [2**53, 2**53 + 1, 2**53 + 2]),
    ],
)
def test_arange(arguments: Any, expected: list[Any]) -> None:
    made = ad.arange(*arguments)
    assert made.tolist() == expected
    assert made.dtype is (ad.float32 if any(isinstance(a, float) for a in arguments) else ad.int64)


def test_arange_with_a_dtype_and_without_a_way() -> None:
    assert ad.arange(3.7, dtype=ad.int32).tolist() == [0, 1, 2, 3]
    assert ad.arange(0.5, 5, dtype=ad.int64).tolist() == [0, 1, 2, 3, 4]
    assert ad.arange(0, 5, 2, dtype=ad.float64).tolist() == [0.0, 2.0, 4.0]
    assert ad.arange(end=3).tolist() == [0, 1, 2]
    for arguments in [(0, -1), (0, 3, -1), (0, 3, 0)]:
        with pytest.raises(RuntimeError, match="arange"):
            ad.arange(*arguments)


def test_linspace_logspace_and_eye() -> None:
    assert ad.linspace(0, 10, 4, dtype=ad.int64).tolist() == [0, 3, 6, 10]
    assert ad.linspace(3, 5, 1).tolist() == [3.0]
    assert ad.linspace(0, 1, 0).shape == (0,)
    assert ad.linspace(1j, 2, 3).tolist() == [1j, 1 + 0.5j, 2]
    assert ad.logspace(0, 2, 3, base=2).tolist() == [1.0, 2.0, 4.0]
    assert ad.logspace(0, 2, 3, dtype=ad.int64).tolist() == [1, 10, 100]
    assert ad.eye(2, 3).tolist() == [[1, 0, 0], [0, 1, 0]]
    assert ad.eye(2, dtype=ad.int32).dtype is ad.int32
    with pytest.raises(RuntimeError, match="negative"):
        ad.linspace(0, 1, -1)


def test_frombuffer_and_scalar_tensor() -> None:
    buffer = bytearray(np.arange(3, dtype=np.float32).tobytes())
    x = ad.frombuffer(buffer, dtype=ad.float32, offset=4)
    assert x.tolist() == [1.0, 2.0]
    x.add_(1)
    assert np.frombuffer(buffer, dtype=np.float32).tolist() == [0.0, 2.0, 3.0]
    assert ad.scalar_tensor(3).dtype is ad.float32


def test_from_dlpack_shares_memory() -> None:
    data = np.zeros(3)
    x = ad.from_dlpack(data)
    data[1] = 5.0
    assert x.tolist() == [0.0, 5.0, 0.0]
    assert ad.from_dlpack(jnp.ones(2)).tolist() == [1.0, 1.0]
    assert np.from_dlpack(x).tolist() == [0.0, 5.0, 0.0]


@pytest.mark.parametrize(
    "array", [np.ones((2, 2)), jnp.ones((2, 2)), array_api_strict.ones((2, 2))], ids=["numpy", "jax", "strict"]
)
def test_the_array_library_is_kept(array: Any) -> None:
    x = ad.Tensor(array)
    made = [
        ad.zeros_like(x),
        ad.ones_like(x, dtype=ad.int32),
        ad.full_like(x, 2.0),
        ad.empty_like(x),
        ad.rand_like(x),
        ad.randn_like(x),
        ad.randint_like(x, 5),
        x.new_zeros(3),
        x.new_ones(2, 2),
        x.new_full((2,), 1),
        x.new_empty(1),
        x.new_tensor([1, 2]),
        ad.zeros(2, like=x),
        ad.arange(3, like=array),
        ad.tensor(array),
        ad.as_tensor(array),
    ]
    for one in made:
        assert type(one.array) is type(array)
        assert one.device == "cpu"
    assert x.new_tensor([1, 2]).dtype is x.dtype
    assert x.new_zeros(2, dtype=ad.int32).dtype is ad.int32


def test_creation_of_a_higher_level_is_of_that_level() -> None:
    x = ad.Tensor(ad.Tensor(array_api_strict.ones(2)))
    for made in (ad.zeros_like(x), x.new_zeros(3), x.new_tensor([1.0]), ad.rand_like(x)):
        assert isinstance(made.array, ad.Tensor)
        assert type(made.array.array) is type(array_api_strict.ones(2))


def test_creation_works_inside_jit() -> None:
    def double(x: Any) -> Any:
        y = ad.Tensor(x)
        return (y + ad.ones_like(y) + ad.ones(3) + y.new_zeros(3)).array

    assert jax.jit(double)(jnp.ones(3)).tolist() == [3.0, 3.0, 3.0]


def test_devices() -> None:
    assert ad.zeros(2, device="cpu").device == ad.device("cpu")
    assert ad.zeros(2, device=ad.device("cpu")).device.type == "cpu"
    with pytest.raises(RuntimeError, match="like="):
        ad.zeros(2, device="cuda")
    with pytest.raises(RuntimeError, match="like="):
        ad.tensor([1.0], device="cuda:0")


def test_arguments_that_ask_for_nothing_are_understood() -> None:
    assert ad.zeros(2, layout=None, pin_memory=False).shape == (2,)
    with pytest.raises(NotImplementedError, match="pin_memory"):
        ad.zeros(2, pin_memory=True)
    with pytest.raises(TypeError, match="foo"):
        ad.zeros(2, foo=1)


def test_out_receives_the_result() -> None:
    x = ad.ones(3)
    assert ad.zeros(3, out=x) is x
    assert x.tolist() == [0.0, 0.0, 0.0]
    with pytest.warns(UserWarning, match="is resized"):
        assert ad.arange(2, out=x) is x
    assert x.tolist() == [0.0, 1.0]


def test_inference_mode_makes_inference_tensors() -> None:
    with ad.inference_mode():
        made = [ad.zeros(2), ad.tensor([1.0]), ad.rand(2), ad.zeros_like(ONE), ad.as_tensor(np.ones(2))]
    assert all(x.is_inference() for x in made)
    assert not ad.zeros(2).is_inference()


def test_modes_see_what_is_created() -> None:
    seen: list[str] = []

    class Log(FunctionMode):
        def __adjoint_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
            seen.append(func.__name__)
            return func(*args, **kwargs)

    with Log():
        ad.zeros(2)
        ad.tensor([1.0])
        ad.rand(2)
        ad.zeros_like(ONE)
    assert seen == ["zeros", "tensor", "rand", "zeros_like"]
