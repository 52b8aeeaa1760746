"""What custom Functions return: containers, tensors from outside, arguments changed in place, nested outputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.autograd import Function
from adjoint.autograd.function import NestedIOFunction
from tests._core.function.test_function import Cube, leaf


def test_a_named_tuple_stays_one() -> None:
    from typing import NamedTuple

    class Pair(NamedTuple):
        a: Any
        b: Any

    class Two(Function):
        forward = staticmethod(lambda ctx, x: Pair(x * 2, x * 3))
        backward = staticmethod(lambda ctx, a, b: a * 2 + b * 3)

    x = leaf(1.0)
    out = Two.apply(x)
    assert type(out) is Pair
    (out.a * out.b).backward()
    assert x.grad.item() == 12


def test_a_tensor_from_outside_can_be_returned() -> None:
    outside = leaf(5.0)

    class Returns(Function):
        forward = staticmethod(lambda ctx, x: outside)
        backward = staticmethod(lambda ctx, g: g * 7)

    x = leaf(1.0)
    y = Returns.apply(x)
    y.backward()
    assert x.grad.item() == 7
    assert outside.is_leaf
    assert outside.requires_grad
    assert outside.grad is None


def test_other_array_libraries() -> None:
    jnp = pytest.importorskip("jax.numpy")
    x = ad.Tensor(jnp.asarray([1.0, 2.0]), requires_grad=True)
    y = Cube.apply(x)
    y.sum().backward()
    np.testing.assert_allclose(np.asarray(x.grad._array), [3.0, 12.0])


def test_second_argument_changed_in_place_through_a_view() -> None:
    class Scale(Function):
        @staticmethod
        def forward(ctx: Any, factor: Any, part: Any) -> Any:
            ctx.save_for_backward(factor, part.clone())
            part.mul_(factor)
            ctx.mark_dirty(part)
            return part

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            factor, part = ctx.saved_tensors
            return (grad * part).sum(), grad * factor

    factor, x = ad.tensor(3.0, dtype=ad.float64, requires_grad=True), leaf(1.0, 2.0, 4.0)
    y = x * 1
    Scale.apply(factor, y[1:])
    (y * y).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), [2.0, 36.0, 72.0])
    np.testing.assert_allclose(factor.grad.item(), 2 * 3 * (4 + 16))


def test_gradients_share_memory_with_nothing() -> None:
    kept: list[Any] = []

    class Hands(Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.save_for_backward(y)
            return x + y

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            kept.append(g)
            return g, g if len(kept) == 1 else ctx.saved_tensors[0]

    x, y, ones = leaf(1.0, 2.0), leaf(1.0, 1.0), ad.ones(2, dtype=ad.float64)
    Hands.apply(x, y).backward(ones)
    x.grad.add_(5)
    assert y.grad.tolist() == ones.tolist() == kept[0].tolist() == [1.0, 1.0]
    y.grad = None
    Hands.apply(x, y).backward(ones)
    y.grad.add_(5)
    assert y.tolist() == [1.0, 1.0]
    (g,) = ad.autograd.grad(Hands.apply(x, y), x, ones)
    g.add_(5)
    assert ones.tolist() == [1.0, 1.0]


def test_changed_in_place_without_a_derivative() -> None:
    class Round(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.mark_dirty(x)
            ctx.mark_non_differentiable(x)
            return x.round_()

    for part in (slice(None), slice(1, None)):
        x = leaf(1.2, 2.7, 4.1)
        y = x * 1
        out = Round.apply(y[part] if part.start else y)
        assert not out.requires_grad
        (y * y).sum().backward()
        if part.start:
            np.testing.assert_allclose(x.grad.numpy(), [2.4, 0.0, 0.0])
        else:
            assert x.grad is None
    with ad.no_grad():
        out = Round.apply(x)
    assert x.tolist() == out.tolist() == [1.0, 3.0, 4.0]
    assert x.requires_grad
    assert not out.requires_grad


# ---- NestedIOFunction ------------------------------------------------------------------------------------------------


class Nested(NestedIOFunction):
    @staticmethod
    def forward_extended(ctx: Any, pair: Any, scale: float) -> Any:
        a, more = pair
        ctx.scale = scale
        ctx.save_for_backward(a, {"inside": more["b"]})
        index = a.argmax()
        ctx.mark_non_differentiable([index])
        return {"product": a * more["b"] * scale, "list": [a * 2, "text", index]}

    @staticmethod
    def backward_extended(ctx: Any, grad: Any) -> Any:
        a, saved = ctx.saved_tensors
        g = grad["product"] * ctx.scale
        return (g * saved["inside"] + 2 * grad["list"][0], {"b": g * a}), None


def test_nested_arguments_and_outputs() -> None:
    a, b = leaf(1.0, 2.0), leaf(3.0, 5.0)
    out = Nested.apply((a, {"b": b}), 10.0)
    assert out["list"][1:] == ["text", out["list"][2]]
    assert not out["list"][2].requires_grad
    (out["product"] + out["list"][0]).sum().backward()
    np.testing.assert_allclose(a.grad.numpy(), [32.0, 52.0])
    np.testing.assert_allclose(b.grad.numpy(), [10.0, 20.0])


def test_nested_gradients_have_to_be_built_like_the_arguments() -> None:
    class Bad(NestedIOFunction):
        forward_extended = staticmethod(lambda ctx, pair: pair[0] * pair[1])
        backward_extended = staticmethod(lambda ctx, g: [g])

    with pytest.raises(RuntimeError, match=r"Bad.backward_extended returned gradients that are not built like"):
        Bad.apply([leaf(1.0), leaf(2.0)]).backward()
    with pytest.raises(NotImplementedError, match="forward_extended"):
        NestedIOFunction.apply([leaf(1.0)])
    with pytest.raises(TypeError, match="positional"):
        Nested.apply(pair=None)
