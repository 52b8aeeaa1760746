"""A tensor as a Python object: numbers, sequences, NumPy, printing, copies, pickles, `.data`, conversions."""

from __future__ import annotations

import copy
import operator
import pickle
import subprocess
import sys
from typing import Any

import array_api_strict
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import adjoint as ad

# ---- numbers and sequences -------------------------------------------------------------------------------------------


def test_item_and_tolist() -> None:
    assert ad.tensor([1.5]).item() == 1.5
    assert type(ad.tensor([[True]]).item()) is bool
    assert type(ad.tensor(3).item()) is int
    assert ad.tensor(1 + 2j).item() == 1 + 2j
    assert type(ad.ones((), dtype=ad.bfloat16).item()) is float
    assert ad.ones(2, dtype=ad.bfloat16).tolist() == [1.0, 1.0]
    assert ad.tensor([[1, 2]]).tolist() == [[1, 2]]
    assert ad.tensor(1.0).tolist() == 1.0
    assert ad.Tensor(jnp.ones(1)).item() == 1.0
    for shape in [(2,), (0,)]:
        with pytest.raises(RuntimeError, match="one element"):
            ad.ones(shape).item()


def test_python_numbers() -> None:
    assert float(ad.tensor([2.5])) == 2.5
    assert int(ad.tensor(2.7)) == 2
    assert complex(ad.tensor(2.0)) == 2 + 0j
    assert operator.index(ad.tensor([2])) == 2
    assert operator.index(ad.tensor(True)) == 1
    assert [10, 20, 30][ad.tensor(1)] == 20
    assert (ad.ones(1, requires_grad=True) * 2).item() == 2.0
    for convert in (float, int, complex):
        with pytest.raises(ValueError, match="one element"):
            convert(ad.ones(2))
    for wrong in (ad.tensor(2.0), ad.tensor([1, 2])):
        with pytest.raises(TypeError, match="index"):
            operator.index(wrong)
    with pytest.raises(RuntimeError, match="imaginary"):
        float(ad.tensor(1 + 2j))


def test_truth() -> None:
    assert ad.tensor([1.0]) and not ad.tensor(0)
    for shape in [(2,), (0,)]:
        with pytest.raises(RuntimeError, match=r"any\(\)"):
            bool(ad.ones(shape))
    assert ad.is_nonzero(ad.tensor([2.0])) and not ad.tensor(0.0).is_nonzero()


def test_as_a_sequence() -> None:
    x = ad.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    assert len(x) == 2
    first, second = x
    (first * second).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [[3.0, 4.0], [1.0, 2.0]]
    assert [row.tolist() for row in reversed(ad.tensor([1, 2]))] == [2, 1]
    for call in (len, iter):
        with pytest.raises(TypeError):
            call(ad.tensor(1.0))
    assert 1 in ad.tensor([1, 2]) and 5 not in ad.tensor([1.0]) and ad.tensor(1) in ad.tensor([1])
    with pytest.raises(RuntimeError, match="contains"):
        "a" in ad.tensor([1])


def test_format() -> None:
    assert f"{ad.tensor(1.5):.3f}" == "1.500"
    assert f"{ad.tensor(1.5)}" == "1.5"
    assert f"{ad.tensor([1.5])}" == "tensor([1.5000])"
    with pytest.raises(TypeError):
        f"{ad.tensor([1.5]):.2f}"


def test_comparison_with_other_things() -> None:
    x = ad.tensor([1])
    assert (x == "a") is False and (x == None) is False  # noqa: E711
    assert (x != None) is True  # noqa: E711
    with pytest.raises(TypeError):
        x < "a"
    with pytest.raises(TypeError):
        x + "a"
    with pytest.raises(TypeError):
        x + [1]  # noqa: RUF005
    with pytest.raises(TypeError):
        x + None
    with pytest.raises(TypeError):
        x @ None


def test_hash_is_by_identity() -> None:
    a, b = ad.tensor(1), ad.tensor(1)
    assert len({a, b}) == 2
    assert {a: "x"}[a] == "x"


# ---- what it is ------------------------------------------------------------------------------------------------------


def test_shape() -> None:
    x = ad.ones(2, 3)
    assert repr(x.shape) == "adjoint.Size([2, 3])"
    assert x.shape == x.size() == (2, 3)
    assert isinstance(x.shape, tuple)
    assert x.shape.numel() == x.numel() == x.nelement() == ad.numel(x) == 6
    assert isinstance(x.shape[:1] + x.shape, ad.Size) and isinstance(x.shape * 2, ad.Size)
    other: tuple[int, ...] = (1,)
    assert isinstance(other + x.shape, ad.Size)
    assert x.size(-1) == x.shape[1] == 3
    assert x.dim() == x.ndim == x.ndimension() == 2
    assert pickle.loads(pickle.dumps(x.shape)) == x.shape
    with pytest.raises(IndexError, match="dimension 2"):
        x.size(2)


def test_facts() -> None:
    x = ad.ones(2, 3, dtype=ad.float64)
    assert x.element_size() == x.itemsize == 8 and x.nbytes == 48
    assert x.is_floating_point() and not x.is_complex() and x.is_signed()
    assert ad.is_complex(ad.tensor([1j])) and not ad.is_floating_point(ad.tensor(1))
    assert not ad.ones(2, dtype=ad.uint8).is_signed()
    assert x.is_same_size(ad.zeros(2, 3)) and not x.is_same_size(ad.zeros(3))
    assert ad.is_tensor(x) and not ad.is_tensor(3)
    assert isinstance(x.array, np.ndarray)
    assert x.name is None
    x.name = "weights"
    assert x.name == "weights"
    assert {"sum", "grad", "shape", "numpy"} <= set(dir(x))


# ---- NumPy and other libraries ---------------------------------------------------------------------------------------


def test_numpy_shares_memory_and_refuses_history() -> None:
    x = ad.zeros(2)
    x.numpy()[0] = 5.0
    assert x.tolist() == [5.0, 0.0]
    leaf = ad.ones(2, requires_grad=True)
    for call in (lambda: leaf.numpy(), lambda: np.asarray(leaf), lambda: np.array(leaf * 2)):
        with pytest.raises(RuntimeError, match="detach"):
            call()
    assert leaf.numpy(force=True).tolist() == [1.0, 1.0]
    with ad.no_grad():  # as in PyTorch, and in the forward of a custom Function
        assert leaf.numpy().tolist() == np.asarray(leaf).tolist() == [1.0, 1.0]
    assert leaf.detach().numpy() is leaf.array
    assert np.asarray(x, dtype=np.float64).dtype == np.float64
    assert np.asarray(ad.Tensor(jnp.ones(2))).tolist() == [1.0, 1.0]


def test_numpy_arrays_defer_to_tensors() -> None:
    x = ad.ones(2, requires_grad=True)
    array = np.full(2, 3.0, dtype=np.float32)
    for result in (array * x, x * array, array + x, array / x, np.multiply(array, x), array @ x):
        assert isinstance(result, ad.Tensor)
        assert result.requires_grad
    (array * x).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [3.0, 3.0]
    for number in (np.float64(2), np.float32(2), np.int64(2)):
        assert (number * x).dtype is (x * number).dtype is ad.float32
    assert (ad.ones(2, dtype=ad.int32) * np.int64(2)).dtype is ad.int32
    assert isinstance(array > x, ad.Tensor) and isinstance(array == x, ad.Tensor)


def test_numpy_functions_are_our_operators() -> None:
    x = ad.tensor([0.5], requires_grad=True)
    for function, node in [(np.exp, "ExpBackward0"), (np.arctan, "AtanBackward0"), (np.negative, "NegBackward0")]:
        assert type(function(x).grad_fn).__name__ == node
    assert np.heaviside(ad.tensor([1.0]), 0.5).tolist() == [1.0]
    with pytest.raises(RuntimeError, match=r"no derivative here.*np\.finfo"):
        np.spacing(x)  # no operator, so NumPy would compute
    assert np.add.reduce(ad.ones(3)) == 3.0


def test_dlpack() -> None:
    x = ad.ones(2)
    assert x.__dlpack_device__() == (1, 0)
    assert np.from_dlpack(x).tolist() == [1.0, 1.0]
    with pytest.raises(BufferError, match="detach"):
        ad.ones(2, requires_grad=True).__dlpack__()


# ---- printing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: ad.tensor([1.0, 2.0]), "tensor([1., 2.])"),
        (lambda: ad.tensor([1.0, 2.5]), "tensor([1.0000, 2.5000])"),
        (lambda: ad.tensor(3), "tensor(3)"),
        (lambda: ad.tensor(0.1), "tensor(0.1000)"),
        (lambda: ad.tensor([1, 20, -3]), "tensor([ 1, 20, -3])"),
        (lambda: ad.tensor([True, False]), "tensor([ True, False])"),
        (lambda: ad.tensor([1e-5, 1.0]), "tensor([1.0000e-05, 1.0000e+00])"),
        (lambda: ad.tensor([1e9]), "tensor([1.0000e+09])"),
        (lambda: ad.tensor([float("nan"), 1.0, -float("inf")]), "tensor([nan, 1., -inf])"),
        (lambda: ad.tensor([0.0]), "tensor([0.])"),
        (lambda: ad.tensor([1 + 2j, 1.5j]), "tensor([1.+2.0000j, 0.+1.5000j])"),
        (lambda: ad.tensor([]), "tensor([])"),
        (lambda: ad.zeros(0, 3), "tensor([], size=(0, 3))"),
        (lambda: ad.zeros(0, dtype=ad.int64), "tensor([], dtype=adjoint.int64)"),
        (lambda: ad.ones(2, dtype=ad.float64), "tensor([1., 1.], dtype=adjoint.float64)"),
        (lambda: ad.ones(1, dtype=ad.bfloat16), "tensor([1.], dtype=adjoint.bfloat16)"),
        (lambda: ad.ones(1, requires_grad=True), "tensor([1.], requires_grad=True)"),
        (lambda: ad.ones(1, requires_grad=True) * 2, "tensor([2.], grad_fn=<MulBackward0>)"),
        (lambda: ad.zeros(2, 2, 1), "tensor([[[0.],\n         [0.]],\n\n        [[0.],\n         [0.]]])"),
        (lambda: ad.Tensor(jnp.ones(2)), "tensor([1., 1.])"),
        (lambda: ad.Tensor(ad.ones(1, requires_grad=True)), "tensor(tensor([1.], requires_grad=True), level=1)"),
    ],
)
def test_repr(make: Any, expected: str) -> None:
    assert repr(make()) == str(make()) == expected


def test_repr_of_large_tensors_is_a_summary() -> None:
    assert repr(ad.arange(2000)) == "tensor([   0,    1,    2,  ..., 1997, 1998, 1999])"
    text = repr(ad.zeros(50, 50))
    assert text.splitlines()[0] == "tensor([[0., 0., 0.,  ..., 0., 0., 0.],"
    assert text.splitlines()[3] == "        ...,"
    assert len(text.splitlines()) == 7
    assert len(repr(ad.arange(40)).splitlines()) == 3


def test_printoptions() -> None:
    x = ad.tensor([1.23456, 1000.0])
    ad.set_printoptions(precision=2, sci_mode=True)
    try:
        assert repr(x) == "tensor([1.23e+00, 1.00e+03])"
        ad.set_printoptions(profile="short", threshold=3, edgeitems=1)
        assert repr(ad.arange(5)) == "tensor([0,  ..., 4])"
    finally:
        ad.set_printoptions(profile="default")
    assert repr(x) == "tensor([   1.2346, 1000.0000])"


def test_repr_inside_jit_shows_the_tracer() -> None:
    shown: list[str] = []

    def function(x: Any) -> Any:
        shown.append(repr(ad.Tensor(x, requires_grad=True)))
        return x

    jax.jit(function)(jnp.ones(2))
    assert "float32[2]" in shown[0]
    assert shown[0].startswith("tensor(") and "requires_grad=True" in shown[0]


# ---- copies ----------------------------------------------------------------------------------------------------------


def test_copy_shares_memory() -> None:
    x = ad.ones(2, requires_grad=True)
    twin = copy.copy(x)
    assert twin is not x and twin.array is x.array
    assert twin.is_leaf and twin.requires_grad
    (twin * 2).sum().backward()
    assert x.grad is None and twin.grad is not None


def test_deepcopy() -> None:
    x = ad.ones(2, requires_grad=True)
    (x * 3).sum().backward()
    x.name = "x"
    first, second = copy.deepcopy([x, x])
    assert first is second is not x
    assert first.requires_grad and first.is_leaf and first.name == "x"
    assert first.grad is not x.grad and first.grad.tolist() == [3.0, 3.0]
    with ad.no_grad():
        first.zero_()
    assert x.tolist() == [1.0, 1.0]
    with pytest.raises(RuntimeError, match=r"MulBackward0.*detach\(\)\.clone\(\)"):
        copy.deepcopy(x * 2)
    assert type(copy.deepcopy(ad.Tensor(jnp.ones(2))).array) is type(jnp.ones(2))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(protocol: int) -> None:
    for x in (ad.ones(2, requires_grad=True), ad.tensor([1, 2]), ad.ones(2, dtype=ad.bfloat16), ad.eye(3)[1:, ::2]):
        again = pickle.loads(pickle.dumps(x, protocol))
        assert again.tolist() == x.tolist()
        assert again.dtype is x.dtype
        assert again.requires_grad == x.requires_grad
        assert again.is_leaf and again.grad is None


def test_pickle_of_other_libraries_and_of_computed_tensors() -> None:
    assert type(pickle.loads(pickle.dumps(ad.Tensor(jnp.ones(2)))).array) is type(jnp.ones(2))
    strict = pickle.loads(pickle.dumps(ad.Tensor(array_api_strict.ones(2))))
    assert type(strict.array) is type(array_api_strict.ones(2))
    x = ad.ones(2, requires_grad=True) * 2
    with pytest.warns(UserWarning, match="MulBackward0"):
        data = pickle.dumps(x)
    assert pickle.loads(data).requires_grad


# ---- .data -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("array", [np.ones(2), jnp.ones(2), array_api_strict.ones(2)], ids=["numpy", "jax", "strict"])
def test_data_shares_values_but_not_versions(array: Any) -> None:
    x = ad.Tensor(array, requires_grad=True)
    y = x * x
    data = x.data
    assert not data.requires_grad and data.is_leaf
    data.mul_(3)
    assert x.tolist() == [3.0, 3.0]
    assert x._version == 0
    with pytest.raises(RuntimeError, match=r"through \.data"):
        y.sum().backward()  # PyTorch does not notice, and takes the new values for the old ones
    (x * x).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [6.0, 6.0]


def test_data_can_be_replaced() -> None:
    x = ad.ones(2, requires_grad=True)
    (x * 2).sum().backward()
    x.grad = None
    x.data = ad.zeros(3, dtype=ad.float64)
    assert x.shape == (3,) and x.dtype is ad.float64
    assert x.is_leaf and x.requires_grad
    (x + 1).sum().backward()
    assert x.grad is not None and x.grad.shape == (3,) and x.grad.dtype is ad.float64
    with pytest.raises(RuntimeError, match="floating point"):
        x.data = ad.tensor([1])
    with pytest.raises(TypeError):
        x.data = np.zeros(2)
    with pytest.raises(RuntimeError, match="delete"):
        del x.data


def test_replacing_data_leaves_views_with_the_old_memory() -> None:
    x = ad.zeros(4)
    view = x[1:]
    x.data = ad.ones(2)
    view.add_(5)
    assert view.tolist() == [5.0, 5.0, 5.0] and x.tolist() == [1.0, 1.0]
    x.add_(1)
    assert view.tolist() == [5.0, 5.0, 5.0]


# ---- conversions -----------------------------------------------------------------------------------------------------


def test_to_returns_the_tensor_itself_if_nothing_changes() -> None:
    x = ad.ones(2, requires_grad=True)
    assert x.to(ad.float32) is x.to("cpu") is x.to(x) is x.to("cpu", ad.float32) is x.cpu() is x.float() is x
    assert x.to(device="cpu", dtype=None) is x
    twin = x.to(ad.float32, copy=True)
    assert twin is not x and twin.array is not x.array
    assert type(twin.grad_fn).__name__ == "ToCopyBackward0"


@pytest.mark.parametrize(
    ("call", "dtype"),
    [
        (lambda x: x.double(), ad.float64),
        (lambda x: x.half(), ad.float16),
        (lambda x: x.bfloat16(), ad.bfloat16),
        (lambda x: x.int(), ad.int32),
        (lambda x: x.long(), ad.int64),
        (lambda x: x.short(), ad.int16),
        (lambda x: x.char(), ad.int8),
        (lambda x: x.byte(), ad.uint8),
        (lambda x: x.bool(), ad.bool),
        (lambda x: x.cfloat(), ad.complex64),
        (lambda x: x.cdouble(), ad.complex128),
        (lambda x: x.to(ad.float64), ad.float64),
        (lambda x: x.to("cpu", ad.int32), ad.int32),
        (lambda x: x.to(dtype=np.float64), ad.float64),
        (lambda x: x.to(ad.tensor(1)), ad.int64),
        (lambda x: x.type(ad.float64), ad.float64),
        (lambda x: x.type_as(ad.tensor(1)), ad.int64),
        (lambda x: x.to("float64"), ad.float64),
    ],
)
def test_casts(call: Any, dtype: Any) -> None:
    y = call(ad.ones(2, requires_grad=True))
    assert y.dtype is dtype
    assert y.requires_grad == (dtype.category >= 2)
    assert y.to(ad.complex128).tolist() == [1, 1]


def test_casts_pass_gradients_back_in_the_input_dtype() -> None:
    x = ad.tensor([1.0, 2.0], requires_grad=True)
    (x.double() * 3).sum().backward()
    assert x.grad is not None and x.grad.dtype is ad.float32 and x.grad.tolist() == [3.0, 3.0]
    x.grad = None
    (x.to(ad.complex128) * (2 + 3j)).sum().backward(ad.tensor(1 + 0j, dtype=ad.complex128))
    assert x.grad is not None and x.grad.tolist() == [2.0, 2.0]
    z = ad.tensor([1 + 1j], requires_grad=True)
    with pytest.warns(UserWarning, match="imaginary"):
        z.to(ad.float32).sum().backward()
    assert z.grad is not None and z.grad.tolist() == [1 + 0j]


def test_casts_have_second_derivatives_and_tangents() -> None:
    x = ad.tensor([2.0], requires_grad=True)
    y = x.double() ** 3
    (first,) = ad.autograd.grad(y.sum(), x, create_graph=True)
    (second,) = ad.autograd.grad(first.sum(), x)
    assert second.tolist() == [12.0]
    forward = ad.autograd.forward_ad
    with forward.dual_level():
        dual = forward.make_dual(ad.ones(1), ad.full((1,), 5.0))
        tangent = forward.unpack_dual(dual.double()).tangent
        assert tangent is not None and tangent.dtype is ad.float64 and tangent.tolist() == [5.0]


def test_to_another_array_library() -> None:
    like = ad.Tensor(jnp.ones(()))
    x = ad.ones(2, requires_grad=True)
    y = x.to(like)
    assert type(y.array) is type(like.array)
    (y * 2).sum().backward()
    assert x.grad is not None and isinstance(x.grad.array, np.ndarray) and x.grad.tolist() == [2.0, 2.0]


def test_names_of_types_and_missing_devices() -> None:
    assert ad.ones(2).type() == "adjoint.FloatTensor"
    assert ad.tensor([1j]).type() == "adjoint.ComplexFloatTensor"
    with pytest.raises(RuntimeError, match="CuPy"):
        ad.ones(2).cuda()
    with pytest.raises(RuntimeError, match="foo"):
        ad.ones(2).to("foo")
    with pytest.raises(TypeError, match="bar"):
        ad.ones(2).to(bar=3)


def test_the_public_namespace() -> None:
    assert ad.float is ad.float32 and ad.double is ad.float64 and ad.half is ad.float16
    assert ad.long is ad.int64 and ad.int is ad.int32 and ad.short is ad.int16
    assert ad.cfloat is ad.complex64 and ad.cdouble is ad.complex128
    assert ad.bool.name == "bool"
    assert ad.promote_types(ad.int32, ad.float16) is ad.float16
    assert ad.can_cast(ad.float64, ad.float32) and not ad.can_cast(ad.float32, ad.int32)
    assert callable(ad.tensor) and ad.autograd.grad and ad.random.rand and ad.overrides.FunctionMode
    assert len(set(ad.__all__)) == len(ad.__all__)
    for name in ad.__all__:
        assert getattr(ad, name, ad) is not ad, name
    assert "sum" not in ad.__all__ and "bool" not in ad.__all__  # the star import must not hide Python's own
    assert set(ad.__all__) <= set(dir(ad))
    with pytest.raises(AttributeError, match="nonsense"):
        ad.nonsense


def run_fresh(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_importing_brings_no_heavy_library() -> None:
    run_fresh("""
import sys
import adjoint
heavy = {"scipy", "array_api_compat", "optree", "opt_einsum", "ml_dtypes", "jax", "torch", "tempfile", "dataclasses"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
""")


@pytest.mark.parametrize(
    "use",
    [
        "ad.conv2d",
        "ad.eye(2).det()",
        "ad.Tensor.svd(ad.eye(2))",
        "ad.linalg.inv(ad.eye(2))",
        "ad.fft.fft(ad.ones(2))",
        "ad.eye(2).__array_namespace__().linalg.inv(ad.eye(2))",
        "ad.eye(2).matrix_power(-1)",
        "dir(ad)",
        "ad.__all__",
    ],
)
def test_late_operators_come_when_they_are_needed(use: str) -> None:
    run_fresh(f"""
import sys
import adjoint as ad
families = lambda: sum(name.startswith("adjoint._ops.") for name in sys.modules)
before = families()
{use}
assert families() > before
assert ad.mse_loss(ad.ones(2), ad.zeros(2)) == 1
assert "mse_loss" in dir(ad) and "mse_loss" in ad.__all__
assert ad.Tensor.det is ad.det
""")


# ---- Python's operators and what they do not know --------------------------------------------------------------------


class Reflects:
    """Something that knows how to be the right operand of a tensor."""

    def __radd__(self, other: Any) -> str:
        return "radd"

    __rsub__ = __rmul__ = __rtruediv__ = __rpow__ = __rmatmul__ = __rmod__ = __rfloordiv__ = __rand__ = __radd__


@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "**", "@", "%", "//", "&"])
def test_an_unknown_operand_decides(sign: str) -> None:
    tensor = ad.ones(2, dtype=ad.int64)
    assert eval(f"tensor {sign} other", {"tensor": tensor, "other": Reflects()}) == "radd"
    for expression in (f"tensor {sign} other", f"other {sign} tensor"):
        with pytest.raises(TypeError, match="unsupported operand"):
            eval(expression, {"tensor": tensor, "other": object()})


def test_functions_say_what_they_expect() -> None:
    for name in ("add", "atan2", "fmod", "matmul", "eq", "lt"):
        with pytest.raises(TypeError, match=rf"{name}\(\) expects a Tensor, an array or a number, got NoneType"):
            getattr(ad, name)(ad.ones(2), None)
    with pytest.raises(TypeError, match=r"mul\(\) expects a Tensor, an array or a number, got str"):
        ad.mul(ad.ones(2), "two")


def test_arithmetic_of_booleans() -> None:
    flags = ad.tensor([True, False])
    assert ad.sign(flags).dtype is ad.bool and ad.sign(flags).tolist() == [True, False]
    assert ad.square(flags).dtype is ad.int64 and ad.square(flags).tolist() == [1, 0]
    with pytest.raises(NotImplementedError, match="booleans"):
        ad.abs(flags)


@pytest.mark.parametrize(
    "form", [lambda x: 1 - x, lambda x: x**2, lambda x: 2**x, lambda x: x % 2, lambda x: ad.lerp(x, x, 0.5)]
)
def test_numbers_have_no_edges_where_a_node_is_named_for_them(form: Any) -> None:
    node = form(ad.ones(2, requires_grad=True)).grad_fn
    assert node.next_functions and all(target is not None for target, _ in node.next_functions)


# ---- attributes and flags --------------------------------------------------------------------------------------------


def test_attributes_can_be_put_on_a_tensor() -> None:
    x = ad.ones(2, requires_grad=True)
    x.note = {"kept": [1]}
    assert x.note is x.note and not hasattr(x * 1, "note") and not hasattr(x.detach(), "note")
    twin, restored = copy.deepcopy(x), pickle.loads(pickle.dumps(x))
    assert twin.note == restored.note == x.note and twin.note is not x.note and copy.copy(x).note is x.note
    del x.note
    assert not hasattr(x, "note")
    for name in ("grad_fn", "is_leaf", "shape", "dtype", "_version"):
        with pytest.raises(AttributeError):
            setattr(x, name, 3)


def test_requires_grad_can_be_assigned_to_leaves() -> None:
    x = ad.ones(2)
    x.requires_grad = True
    y = x * 2
    with pytest.raises(RuntimeError, match="leaves only"):
        y.requires_grad = True
    assert y.requires_grad_() is y  # nothing to do
    for wrong in (1, "yes", None):
        with pytest.raises(RuntimeError, match="True or False"):
            x.requires_grad = wrong
    with pytest.raises(RuntimeError, match="cannot be deleted"):
        del x.requires_grad
    with pytest.raises(RuntimeError, match="property of leaves"):
        _ = y.grad_dtype


def test_the_old_name_of_tensors() -> None:
    data = ad.zeros(2)
    x = ad.autograd.Variable(data, requires_grad=True)
    assert type(x) is ad.Tensor and x.is_leaf and x.requires_grad and not data.requires_grad
    data.add_(1)
    assert x.tolist() == [1.0, 1.0] and isinstance(data, ad.autograd.Variable)
    assert not isinstance(1.0, ad.autograd.Variable) and "Variable" in dir(ad.autograd)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: float(ad.ones(1, requires_grad=True) * 2), "becomes a number"),
        (lambda: ad.tensor([ad.ones((), requires_grad=True)]), "becomes a number"),
        (lambda: ad.tensor(ad.ones(2)), "forgets its history"),
        (lambda: ad.from_numpy(np.broadcast_to(1.0, 2)), "read-only"),
        (lambda: ad.ones(2, 3, 4).T, "meant for matrices"),
        (lambda: ad.ones(1).std(), "no degrees of freedom"),
        (lambda: ad.meshgrid(ad.ones(2), ad.ones(2)), "indexing="),
        (lambda: ad.cross(ad.ones(3), ad.ones(3)), "without dim="),
        (lambda: ad.mse_loss(ad.ones(2), ad.ones(2, 1)), "rarely meant"),
    ],
)
def test_warnings_name_the_line_of_the_program(call: Any, message: str) -> None:
    with pytest.warns(UserWarning, match=message) as caught:
        call()
    assert [one.filename for one in caught] == [__file__]
