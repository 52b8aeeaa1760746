"""Operators without data, and `opcheck`, which has to find every kind of lie."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint import Tensor, library
from adjoint.library._fake_arrays import FakeArray, NoDataError
from tests.library.helpers import fresh, from_schema, leaf, numpy_sine


def fake_tensor(*shape: int, dtype: Any = ad.float32, device: str = "cpu") -> Any:
    return Tensor(FakeArray(shape, dtype.numpy, ad.device(device)))


# ---- arrays without data ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("compute", "shape", "dtype"),
    [
        (lambda x: x + 1, (3, 4), ad.float32),
        (lambda x: x @ x.mT, (3, 3), ad.float32),
        (lambda x: 2 / x - x**2, (3, 4), ad.float32),
        (lambda x: x > 0, (3, 4), ad.bool),
        (lambda x: x.sum(0), (4,), ad.float32),
        (lambda x: x.mean(dim=1, keepdim=True), (3, 1), ad.float32),
        (lambda x: x.to(ad.float64), (3, 4), ad.float64),
        (lambda x: x[1:, None, ::2], (2, 1, 2), ad.float32),
        (lambda x: x[ad.tensor([0, 2])], (2, 4), ad.float32),
        (lambda x: x.reshape(-1), (12,), ad.float32),
        (lambda x: ad.cat([x, x], dim=1), (3, 8), ad.float32),
        (lambda x: ad.stack([x, x]), (2, 3, 4), ad.float32),
        (lambda x: x + ad.ones(4), (3, 4), ad.float32),
        (lambda x: x * np.ones(4), (3, 4), ad.float64),
        (lambda x: x.new_empty(5, 6), (5, 6), ad.float32),
        (lambda x: x.new_zeros((5,), dtype=ad.int64), (5,), ad.int64),
        (lambda x: ad.empty_like(x), (3, 4), ad.float32),
        (lambda x: ad.softmax(x, -1), (3, 4), ad.float32),
        (lambda x: ad.linalg.inv(x @ x.mT), (3, 3), ad.float32),
        (lambda x: ad.linalg.cholesky(x @ x.mT), (3, 3), ad.float32),
        (lambda x: ad.fft.rfft(x), (3, 3), ad.complex64),
        (lambda x: ad.einsum("ij,kj->ik", x, x), (3, 3), ad.float32),
        (lambda x: x.argmax(1), (3,), ad.int64),
        (lambda x: x.sort(0)[1], (3, 4), ad.int64),
        (lambda x: ad.erf(x), (3, 4), ad.float32),
        (lambda x: ad.special.jv(1.5, x), (3, 4), ad.float32),
        (lambda x: ad.special.hankel1(1.5, x), (3, 4), ad.complex64),
        (lambda x: ad.special.wofz(x), (3, 4), ad.complex64),
        (lambda x: ad.special.lambertw(x.to(ad.float64)), (3, 4), ad.complex128),
        (lambda x: ad.special.modfresnelp(x)[1], (3, 4), ad.complex64),
        (lambda x: ad.where(x > 0, x, 0.0), (3, 4), ad.float32),
        (lambda x: x.clone().add_(1), (3, 4), ad.float32),
        (lambda x: x.T.expand(2, 4, 3), (2, 4, 3), ad.float32),
        (lambda x: ad.log(x).abs().sqrt().neg(), (3, 4), ad.float32),
    ],
)
def test_shapes_follow_without_data(compute: Any, shape: Any, dtype: Any) -> None:
    result = compute(fake_tensor(3, 4))
    assert isinstance(result._array, FakeArray) and result.shape == shape and result.dtype is dtype


@pytest.mark.parametrize(
    "ask",
    [
        lambda x: x.sum().item(),
        lambda x: float(x.sum()),
        lambda x: bool(x.sum() > 0),
        lambda x: x.numpy(),
        lambda x: x.tolist(),
        lambda x: np.asarray(x),
        lambda x: int(x.sum()),
        lambda x: x.nonzero(),
        lambda x: x[x > 0],
        lambda x: x.unique(),
        lambda x: [1, 2][x.sum().to(ad.int64)],
    ],
)
def test_there_are_no_values(ask: Any) -> None:
    with pytest.raises((NoDataError, TypeError), match=r"no data|has none|cannot be interpreted"):
        ask(fake_tensor(2))


def test_shapes_that_do_not_fit_are_refused() -> None:
    with pytest.raises((ValueError, RuntimeError)):
        fake_tensor(3) + fake_tensor(4)


def test_devices_are_kept() -> None:
    x = fake_tensor(3, device="cuda:0")
    assert (x * 2).device == "cuda:0" and x.new_empty(2).device == "cuda:0"
    assert x.to("cpu").device == "cpu"
    with pytest.raises((ValueError, RuntimeError), match="device"):
        x + fake_tensor(3)


def test_nothing_is_allocated() -> None:
    huge = fake_tensor(1_000_000, 1_000_000)
    assert huge.new_empty(huge.shape).shape == huge.T.shape == (1_000_000, 1_000_000)
    assert repr(huge) and (ad.erf(huge * 2 + 1) > huge).shape == huge.shape


# ---- fake functions --------------------------------------------------------------------------------------------------


def test_running_an_operator_without_data() -> None:
    seen: list[Any] = []
    op = from_schema("(Tensor x, Tensor[] ys, int n=2, *, bool b=False) -> (Tensor, int)", lambda *a, **k: None)

    @op.register_fake
    def fake(x: Any, ys: Any, n: Any, *, b: Any) -> Any:
        seen.append((type(x._array), type(ys[0]._array), x.requires_grad, n, b, ad.is_grad_enabled()))
        return x.new_empty(n, *ys[0].shape), 7

    result, number = library.fake(op, leaf(1.0), [leaf(1.0, 2.0)], b=True)
    assert result.shape == (2, 2) and result.dtype is ad.float64 and number == 7
    assert seen == [(FakeArray, FakeArray, False, 2, True, False)]
    assert library.fake(op.qualname, ad.ones(1), [ad.ones(1)])[0].shape == (2, 1)


def test_a_missing_fake_function() -> None:
    op = from_schema("(Tensor x) -> Tensor", lambda x: x * 1)
    with pytest.raises(RuntimeError, match=r"no fake function was registered for .*register_fake"):
        library.fake(op, ad.ones(1))


def test_where_none_is_needed() -> None:
    silent = from_schema("(Tensor(a!) x) -> ()", lambda x: None, mutates_args=("x",))
    assert library.fake(silent, ad.ones(2)) is None
    returning = from_schema("(Tensor(a!) x) -> Tensor(a!)", lambda x: x, mutates_args=("x",))
    assert library.fake(returning, ad.ones(2)).shape == (2,)
    lib = library.Library("tests", "FRAGMENT")
    name = fresh("composite").partition("::")[2]
    lib.define(f"{name}(Tensor x) -> Tensor")
    lib.impl(name, lambda x: x[None] * 2)
    assert library.fake(f"tests::{name}", ad.ones(2)).shape == (1, 2)


def test_a_fake_function_that_returns_the_wrong_thing() -> None:
    op = from_schema("(Tensor x) -> (Tensor, Tensor)", lambda x: (x * 1, x * 2))
    op.register_fake(lambda x: x.new_empty(1))
    with pytest.raises(RuntimeError, match=r"the fake function of .*test_fake.py:.*tuple of 2"):
        library.fake(op, ad.ones(1))


def test_earlier_fake_functions_can_be_protected() -> None:
    op = numpy_sine()
    with pytest.raises(RuntimeError, match=r"fake function already, registered at .*helpers.py"):
        library.register_fake(op, lambda x: x, allow_override=False)
    library.register_fake(op)(lambda x: x.new_empty(9))
    assert library.fake(op, ad.ones(1)).shape == (9,)


def test_sizes_that_depend_on_values() -> None:
    op = from_schema("(Tensor x) -> Tensor", lambda x: ad.from_numpy(np.flatnonzero(x.numpy())))

    @op.register_fake
    def fake(x: Any) -> Any:
        ctx = library.get_ctx()
        return x.new_empty(ctx.new_dynamic_size(max=x.shape[0]), dtype=ad.int64)

    assert library.opcheck(op, (ad.tensor([0.0, 1.0, 2.0]),), test_utils="test_faketensor")
    op.register_fake(lambda x: x.new_empty(library.get_ctx().new_dynamic_size(min=3), dtype=ad.int64))
    with pytest.raises(library.OpCheckError, match="shape"):
        library.opcheck(op, (ad.tensor([0.0, 1.0, 2.0]),), test_utils="test_faketensor")
    with pytest.raises(RuntimeError, match="only inside a function"):
        library.get_ctx()


# ---- opcheck ---------------------------------------------------------------------------------------------------------


def found(op: Any, *args: Any, **options: Any) -> Any:
    return library.opcheck(op, args, raise_exception=False, **options)


def test_opcheck_of_a_right_operator() -> None:
    names = ["test_schema", "test_autograd_registration", "test_faketensor", "test_gradient"]
    assert library.opcheck(numpy_sine(), (leaf(0.5, 1.0),)) == dict.fromkeys(names, "SUCCESS")
    assert library.opcheck(numpy_sine(), (ad.ones(2, requires_grad=True),)) == dict.fromkeys(names, "SUCCESS")
    assert library.opcheck(numpy_sine(), (ad.ones(2),), test_utils="test_aot_dispatch_dynamic")


def failing(problem: Any, name: str, match: str) -> None:
    assert isinstance(problem[name], Exception), f"{name} has found nothing"
    assert match in str(problem[name])


def test_opcheck_finds_an_undeclared_write_behind_our_back() -> None:
    def sneaky(x: Any) -> Any:
        array = x.numpy()
        array += 1
        return ad.from_numpy(array * 2)

    op = from_schema("(Tensor x) -> Tensor", sneaky)
    op.register_fake(lambda x: x.new_empty(x.shape))
    x = ad.ones(2)
    result = found(op, x)
    failing(result, "test_schema", "'x' was written to")
    assert result["test_faketensor"] == "SUCCESS" and x.tolist() == [1.0, 1.0]
    with pytest.raises(library.OpCheckError, match="test_schema failed with OpCheckError"):
        library.opcheck(op, (x,))


def test_opcheck_finds_an_undeclared_alias() -> None:
    op = from_schema("(Tensor x) -> Tensor", lambda x: x[:1])
    failing(found(op, ad.ones(2)), "test_schema", "alias")
    wrong_letter = from_schema("(Tensor(a) x, Tensor(b) y) -> Tensor(a)", lambda x, y: y[:1])
    failing(found(wrong_letter, ad.ones(2), ad.ones(2)), "test_schema", "alias of the argument 'y'")
    right = from_schema("(Tensor(a) x, Tensor y) -> Tensor(a)", lambda x, y: x[:1])
    assert found(right, ad.ones(2), ad.ones(2))["test_schema"] == "SUCCESS"


def test_opcheck_knows_declared_writes() -> None:
    op = from_schema("(Tensor(a!) x, Tensor[] ys) -> ()", lambda x, ys: None, mutates_args=("x",))
    assert found(op, ad.ones(2), [ad.ones(1)])["test_schema"] == "SUCCESS"

    def to_the_wrong_one(x: Any, ys: Any) -> None:
        array = ys[0].numpy()
        array += 1

    wrong = from_schema("(Tensor(a!) x, Tensor[] ys) -> ()", to_the_wrong_one, mutates_args=("x",))
    failing(found(wrong, ad.ones(2), [ad.ones(1)]), "test_schema", "'ys' was written to")


def test_opcheck_finds_a_missing_formula() -> None:
    op = from_schema("(Tensor x) -> Tensor", lambda x: x * 2)
    op.register_fake(lambda x: x.new_empty(x.shape))
    failing(found(op, leaf(1.0)), "test_autograd_registration", "autograd not implemented")
    failing(found(op, leaf(1.0)), "test_gradient", "autograd not implemented")
    assert set(found(op, ad.ones(1)).values()) == {"SUCCESS"}
    indices = from_schema("(Tensor x) -> Tensor", lambda x: ad.from_numpy(np.argsort(x.numpy())))
    indices.register_fake(lambda x: x.new_empty(x.shape, dtype=ad.int64))
    assert set(found(indices, leaf(1.0)).values()) == {"SUCCESS"}


@pytest.mark.parametrize(
    ("fake", "match"),
    [
        (lambda x: x.new_empty(3), "has shape (2,), but the fake function says (3,)"),
        (lambda x: x.new_empty(2, 1), "has shape (2,)"),
        (
            lambda x: x.new_empty(2, dtype=ad.float32),
            "has dtype adjoint.float64, but the fake function says adjoint.float32",
        ),
        (lambda x: x.to("cuda:0"), "is on device 'cpu'"),
        (lambda x: x if x.sum() > 0 else x.new_empty(1), "has no data"),
    ],
)
def test_opcheck_finds_a_wrong_fake_function(fake: Any, match: str) -> None:
    op = from_schema("(Tensor x) -> Tensor", lambda x: x * 2)
    op.register_fake(fake)
    failing(found(op, leaf(1.0, 2.0, requires_grad=False)), "test_faketensor", match)


def test_opcheck_compares_lists() -> None:
    op = from_schema("(Tensor x) -> Tensor[]", lambda x: [x * 2, x * 3])
    op.register_fake(lambda x: [x.new_empty(x.shape)])
    failing(found(op, ad.ones(2)), "test_faketensor", "has 2 tensors, but the fake function says 1")


@pytest.mark.parametrize("factor", [1 + 1e-4, -1.0, 0.0])
def test_opcheck_finds_a_wrong_gradient(factor: float) -> None:
    op = from_schema("(Tensor x) -> Tensor", lambda x: x * 2)
    op.register_fake(lambda x: x.new_empty(x.shape))
    op.register_autograd(lambda ctx, grad: grad * 2 * factor)
    result = found(op, leaf(1.0, 2.0))
    assert isinstance(result["test_gradient"], Exception) and result["test_autograd_registration"] == "SUCCESS"


def test_opcheck_finds_results_that_depend_on_recording() -> None:
    calls: list[int] = []

    def fickle(x: Any) -> Any:
        calls.append(1)
        return x * len(calls)

    op = from_schema("(Tensor x) -> Tensor", fickle)
    op.register_autograd(lambda ctx, grad: grad)
    result = found(op, leaf(1.0), test_utils="test_gradient")
    failing(result, "test_gradient", "another one when it is recorded")


def test_opcheck_with_lists_and_tolerances() -> None:
    op = from_schema("(Tensor[] xs, float a) -> Tensor", lambda xs, a: xs[0] * a + xs[1])
    op.register_fake(lambda xs, a: xs[0].new_empty(xs[0].shape))

    def keep(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.a = inputs[1]

    op.register_autograd(lambda ctx, grad: ([grad * ctx.a, grad], None), setup_context=keep)
    args = ([leaf(1.0, 2.0), leaf(3.0, 4.0)], 2.0)
    assert set(library.opcheck(op, args, atol=1e-6, rtol=1e-4).values()) == {"SUCCESS"}
    with pytest.raises(ValueError, match="both atol and rtol"):
        library.opcheck(op, args, atol=1e-6)
    with pytest.raises(ValueError, match="not 'test_everything'"):
        library.opcheck(op, args, test_utils="test_everything")


def test_opcheck_by_packet_and_keywords() -> None:
    op = from_schema("(Tensor x, *, int k=2) -> Tensor", lambda x, k: x * k)
    op.register_fake(lambda x, k: x.new_empty(x.shape))
    packet = getattr(ad.ops.tests, op.__name__)
    assert set(library.opcheck(packet, (ad.ones(1),), {"k": 3}).values()) == {"SUCCESS"}


def test_operators_called_with_fake_tensors_are_faked_backward_too() -> None:
    op = from_schema("(Tensor x, int n) -> Tensor", lambda x, n: ad.from_numpy(np.tile(x.numpy(), (n, 1))))
    op.register_fake(lambda x, n: x.new_empty(n, *x.shape))
    op.register_autograd(lambda ctx, grad: (grad.sum(0), None))
    x = fake_tensor(4).requires_grad_()
    y = op(x * 2, 3)
    y.sin().sum().backward()
    assert y.shape == (3, 4) and x.grad.shape == (4,) and isinstance(x.grad._array, FakeArray)
    outer = from_schema("(Tensor x) -> Tensor", lambda x: op(x, 2))
    outer.register_fake(lambda x: op(x, 2) * 1)
    assert library.fake(outer, ad.ones(5)).shape == (2, 5)
