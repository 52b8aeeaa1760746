"""Tensors beside NumPy's scalars, booleans, bytes and indices without dimensions; memory that is shared, or is not."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import adjoint as ad

WIDE = np.float64(0.5)
RAMP = [[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]]


def test_numpy_scalars_can_be_assigned() -> None:
    x = ad.zeros(2, 3)
    x[0] = np.float64(1.5)
    x[:, 2] = np.float32(2)
    x[ad.tensor([1]), ad.tensor([0])] = np.int64(7)
    x[x == 2] = np.float64(-1)
    assert x.tolist() == [[1.5, 1.5, -1.0], [7.0, 0.0, -1.0]]
    assert ad.zeros(2).fill_(np.float64(3)).tolist() == ad.zeros(2).copy_(np.float64(3)).tolist() == [3.0, 3.0]


@pytest.mark.parametrize(
    "call",
    [
        lambda x: ad.add(x, x, alpha=WIDE),
        lambda x: ad.addcmul(x, x, x, value=WIDE),
        lambda x: ad.addmm(x @ x.mT, x, x.mT, beta=WIDE, alpha=WIDE),
        lambda x: ad.leaky_relu(x, WIDE),
        lambda x: ad.elu(x, WIDE),
        lambda x: ad.hardtanh(x, -WIDE, WIDE),
        lambda x: ad.layer_norm(x, (3,), eps=WIDE),
        lambda x: ad.huber_loss(x, x + 1, delta=WIDE),
        lambda x: ad.renorm(x, 2, 0, WIDE),
        lambda x: ad.add(x, x, alpha=ad.tensor(2)),
        lambda x: x.clone().add_(x, alpha=WIDE),
    ],
)
def test_numbers_that_are_not_pythons_do_not_widen_the_result(call: Any) -> None:
    assert call(ad.tensor(RAMP)).dtype is ad.float32


def test_a_number_that_requires_grad_is_refused() -> None:
    x = ad.ones(2)
    with pytest.raises(TypeError, match="no derivative by 'alpha'"):
        ad.add(x, x, alpha=ad.tensor(2.0, requires_grad=True))
    with pytest.raises(TypeError, match="requires grad"):
        ad.full((2,), ad.tensor(2.0, requires_grad=True))


@pytest.mark.parametrize("convert", [lambda z: z.float(), lambda z: z.to(ad.float32), lambda z: z.type(ad.float32)])
def test_the_real_part_by_conversion_is_a_copy(convert: Any) -> None:
    z = ad.tensor([1 + 2j, 3 + 4j])
    with pytest.warns(UserWarning, match="imaginary"):
        x = convert(z)
    x.zero_()
    assert z.tolist() == [1 + 2j, 3 + 4j]
    z.real.zero_()
    assert z.tolist() == [2j, 4j]


def test_what_indices_select_lies_row_by_row() -> None:
    x = ad.arange(24.0).reshape(2, 3, 4)
    for part in (x[:, ad.tensor([2, 0])], x[..., [1, 1]], x[:, x[0] > 3]):
        assert part.is_contiguous() and part.view(-1).tolist() == part.reshape(-1).tolist()
    assert x[:, :1].expand(2, 5, 4).clone().stride() == (20, 4, 1)


def test_booleans_are_no_numbers_in_arithmetic_that_needs_them() -> None:
    t, n = ad.tensor([True, False]), ad.tensor([3, 4])
    for wrong in (lambda: t - t, lambda: t - 1, lambda: 1 - t, lambda: n - t, lambda: t.sub_(t)):
        with pytest.raises(RuntimeError, match="booleans"):
            wrong()
    for wrong in (lambda: t // t, lambda: t % True, lambda: t**t, lambda: t << t, lambda: t >> t):
        with pytest.raises(NotImplementedError, match="booleans"):
            wrong()
    assert (n**t).tolist() == [3, 1] and (t**2).dtype is ad.int64 and (n // t[:1]).tolist() == [3, 4]


def test_what_has_no_meaning_is_a_clear_error() -> None:
    with pytest.raises(RuntimeError, match="sign"):
        +ad.tensor([True])
    with pytest.raises(TypeError, match="deleted"):
        del ad.ones(2)[0]


def test_bounds_do_not_turn_integers_into_fractions() -> None:
    x = ad.tensor([-3, 0, 5])
    assert ad.hardtanh(x).tolist() == [-1, 0, 1] and ad.hardtanh(x).dtype is ad.int64
    assert ad.threshold(x, 0.5, 7.0).tolist() == [7, 7, 5] and ad.relu6(x).dtype is ad.int64


def test_negative_powers_of_integers_are_rounded_towards_zero() -> None:
    x, exponents = ad.tensor([2, 1, -1, -1, 0, 3]), ad.tensor([-1, -5, -3, -2, 2, 2])
    assert (x**exponents).tolist() == [0, 1, -1, 1, 0, 9]
    assert (2 ** ad.tensor([-1, 3])).tolist() == [0, 8]
    with pytest.raises(RuntimeError, match="negative"):
        x**-1


def test_a_byte_is_a_mask_and_not_an_index() -> None:
    x = ad.tensor(RAMP)
    with pytest.warns(UserWarning, match="mask"):
        assert x[ad.tensor(1, dtype=ad.uint8)].shape == (1, 2, 3)
    with pytest.warns(UserWarning, match="uint8"):
        assert ad.where(ad.tensor([1, 0], dtype=ad.uint8), 1, 2).tolist() == [1, 2]
    with pytest.raises(RuntimeError, match="boolean"):
        ad.where(ad.tensor([1, 0]), 1, 2)


@pytest.mark.parametrize("method", ["gather", "scatter", "scatter_add", "scatter_reduce"])
def test_an_index_without_dimensions_counts_along_the_only_one(method: str) -> None:
    x = ad.tensor([1.0, 2.0, 3.0], dtype=ad.float64, requires_grad=True)
    value = ad.tensor(5.0, dtype=ad.float64, requires_grad=True)
    place = ad.tensor(1)
    if method == "gather":
        assert ad.autograd.gradcheck(lambda x: x.gather(0, place), (x,))
        return
    further = ("sum",) if method == "scatter_reduce" else ()
    assert ad.autograd.gradcheck(lambda x, v: getattr(x, method)(0, place, v, *further), (x, value))
    assert getattr(x, method)(0, place, value, *further).tolist() == [1.0, 5.0 if method == "scatter" else 7.0, 3.0]


def test_nan_goes_behind_everything() -> None:
    row = ad.tensor([1.0, 2.0, float("nan")])
    assert ad.searchsorted(row, ad.tensor([float("nan"), 1.5])).tolist() == [3, 1]
    assert ad.searchsorted(ad.stack([row, row]), ad.tensor([[float("nan")], [1.5]])).tolist() == [[3], [1]]


def test_a_sum_in_integers_of_what_requires_grad_is_refused() -> None:
    x = ad.ones(2, requires_grad=True)
    for wrong in (lambda: x.sum(dtype=ad.int64), lambda: x.prod(dtype=ad.int64), lambda: x.cumsum(0, dtype=ad.int64)):
        with pytest.raises(RuntimeError, match="no gradient"):
            wrong()
    assert x.detach().sum(dtype=ad.int64).dtype is ad.int64
    assert x.sum(dtype=ad.float64).requires_grad
    with ad.no_grad():
        assert x.sum(dtype=ad.int64).item() == 2


def test_values_are_cut_to_integers_where_a_mask_says() -> None:
    x, mask = ad.tensor([1, 2]), ad.tensor([True, False])
    assert x.masked_fill(mask, 2.7).tolist() == [2, 2]
    for wrong in (float("nan"), 1j):
        with pytest.raises(RuntimeError, match="cannot be stored"):
            x.masked_fill(mask, wrong)


def test_flags_are_true_or_false() -> None:
    x, y = ad.ones(2), ad.ones(2, requires_grad=True) * 2
    with pytest.raises(RuntimeError, match="True or False"):
        x.requires_grad = 1  # type: ignore[assignment]
    with pytest.raises(RuntimeError, match="leaves"):
        y.requires_grad = True
    with pytest.raises(TypeError, match="True or False"):
        ad.set_grad_enabled("no")  # type: ignore[arg-type]
    assert y.requires_grad_() is y
    with pytest.raises(TypeError, match="True or False"):
        ad.Tensor([2.0], requires_grad=3)  # type: ignore[arg-type]


def test_layouts_and_formats() -> None:
    x = ad.tensor(RAMP).t()
    assert x.clone(memory_format=ad.contiguous_format).stride() == (2, 1)
    assert x.clone(memory_format=ad.preserve_format).stride() == x.stride() == (1, 3)
    assert ad.zeros_like(x, memory_format=ad.contiguous_format).is_contiguous()
    assert x.layout is ad.strided and repr(ad.contiguous_format) == "adjoint.contiguous_format"
    assert pickle.loads(pickle.dumps(ad.preserve_format)) is ad.preserve_format
    with pytest.raises(NotImplementedError, match="memory_format"):
        x.clone(memory_format="channels_last")
    strided = ad.empty_strided((2, 3), (1, 2), dtype=ad.int32)
    assert strided.stride() == (1, 2) and strided.dtype is ad.int32 and not strided._is_view()
    assert x.dim_order() == (1, 0) and x.get_device() == -1 and not x.is_sparse and not x.is_neg()


def test_older_names() -> None:
    x = ad.autograd.Variable(ad.ones(2), requires_grad=True)
    assert x.requires_grad and isinstance(ad.ones(1), ad.autograd.Variable)
    assert ad.autograd.grad_mode.no_grad is ad.no_grad
    assert isinstance(ad.tensor(RAMP).max(0), ad.return_types.max)
    ad.set_anomaly_enabled(True)
    assert ad.is_anomaly_enabled()
    ad.set_anomaly_enabled(False)
    assert not ad.is_anomaly_enabled()


def test_memory_of_what_requires_grad_is_not_handed_out() -> None:
    with pytest.raises(BufferError, match="detach"):
        ad.from_dlpack(ad.ones(2, requires_grad=True))


def test_empty_tensors_keep_their_dtype() -> None:
    for kind in (ad.int64, ad.uint8, ad.float16, ad.bfloat16):
        assert ad.zeros(0, dtype=kind).median().dtype is kind
    assert ad.zeros(0, dtype=ad.bfloat16).mean().dtype is ad.bfloat16
