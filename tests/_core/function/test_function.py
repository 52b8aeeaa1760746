"""Custom Functions: what PyTorch has no words for, or where we promise more. The shared contract is in tests/oracle."""

from __future__ import annotations

import doctest
import gc
import importlib
import threading
import weakref
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.autograd import Function
from adjoint.autograd.function import FunctionCtx, InplaceFunction, once_differentiable


def leaf(*values: float) -> Any:
    return ad.tensor(list(values), dtype=ad.float64, requires_grad=True)


class Cube(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 3 * x**2 * grad


class Exp(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (y,) = ctx.saved_tensors
        return y * grad


# ---- what goes wrong is said -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (lambda g: (g, g), r"BadBackward returned the wrong number of gradients: forward has 1 .* returned 2"),
        (lambda g: (), r"BadBackward returned the wrong number of gradients"),
        (lambda g: ad.ones(5), r"BadBackward returned an invalid gradient at index 0: got shape \(5,\)"),
        (lambda g: g.sum(), r"BadBackward returned an invalid gradient at index 0: got shape \(\)"),
        (lambda g: 3.0, r"BadBackward returned a float as gradient of argument 0"),
        (lambda g: [g], r"BadBackward returned a list as gradient of argument 0"),
        (lambda g: g.numpy(), r"BadBackward returned a ndarray as gradient of argument 0"),
        (lambda g: g > 0, r"BadBackward returned an invalid gradient at index 0: got dtype adjoint.bool"),
    ],
)
@pytest.mark.parametrize("create_graph", [False, True])
def test_wrong_gradients_are_refused_by_name(returned: Any, message: str, create_graph: bool) -> None:
    class Bad(Function):
        forward = staticmethod(lambda ctx, x: x * 2)
        backward = staticmethod(lambda ctx, g: returned(g))

    x = leaf(1.0, 2.0)
    y = Bad.apply(x).sum()
    with pytest.raises(RuntimeError, match=message):
        ad.autograd.grad(y, x, create_graph=create_graph)
    assert x.grad is None


def test_a_gradient_for_what_is_no_tensor_is_refused() -> None:
    class Bad(Function):
        forward = staticmethod(lambda ctx, n, x: x * n)
        backward = staticmethod(lambda ctx, g: (g, g))

    with pytest.raises(RuntimeError, match="gradient for argument 0, which was no Tensor"):
        Bad.apply(2, leaf(1.0)).backward()


def test_the_old_way_of_calling_is_refused_with_advice() -> None:
    with pytest.warns(DeprecationWarning, match=r"Call Cube.apply"):
        cube = Cube()
    with pytest.raises(RuntimeError, match=r"static methods .* Cube.apply"):
        cube(leaf(1.0))
    with pytest.warns(DeprecationWarning):
        assert InplaceFunction(inplace=True).inplace


def test_missing_methods_are_named() -> None:
    class Nothing(Function):
        pass

    with pytest.raises(NotImplementedError, match="forward"):
        Nothing.apply(leaf(1.0))

    class NoRule(Function):
        forward = staticmethod(lambda ctx, x: x * 2)

    with pytest.raises(NotImplementedError, match="NoRuleBackward has no rule for reverse mode"):
        NoRule.apply(leaf(1.0)).backward()


def test_marks_take_tensors_only() -> None:
    for method in ("mark_dirty", "mark_non_differentiable"):

        class Bad(Function):
            @staticmethod
            def forward(ctx: Any, x: Any, method: str = method) -> Any:
                getattr(ctx, method)(3)
                return x * 2

        with pytest.raises(TypeError, match=f"Bad: {method}.. takes tensors"):
            Bad.apply(leaf(1.0))
    with pytest.raises(RuntimeError, match="mark_dirty"):
        FunctionCtx().mark_shared_storage()


def test_a_mark_on_what_is_no_argument_warns() -> None:
    class Odd(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            y = x * 2
            ctx.mark_dirty(y)
            return y

        backward = staticmethod(lambda ctx, g: g * 2)

    x = leaf(1.0)
    with pytest.warns(UserWarning, match="is no argument"):
        Odd.apply(x).backward()
    assert x.grad.item() == 2


def test_saved_tensors_read_once() -> None:
    class Once(Function):
        clear_saved_tensors_on_access = True
        forward = Cube.forward

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            (x,) = ctx.saved_tensors
            with pytest.raises(RuntimeError, match="read only once"):
                ctx.saved_tensors
            return 3 * x**2 * grad

    x = leaf(2.0)
    Once.apply(x).backward()
    assert x.grad.item() == 12


def test_saved_tensors_read_once_by_a_marked_backward() -> None:
    class Once(Function):
        clear_saved_tensors_on_access = True
        forward = Cube.forward
        backward = staticmethod(once_differentiable(Cube.backward))

    x = leaf(2.0)
    Once.apply(x).backward()
    assert x.grad.item() == 12
    (g,) = ad.autograd.grad(Once.apply(x), x, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        ad.autograd.grad(g, x)


def test_an_inference_tensor_cannot_be_saved() -> None:
    with ad.inference_mode():
        frozen = ad.ones(1, dtype=ad.float64)

    class Keep(Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.save_for_backward(y)
            return x * y

    with pytest.raises(RuntimeError, match="inference tensor"):
        Keep.apply(leaf(1.0), frozen)


# ---- nothing is left behind ------------------------------------------------------------------------------------------


def test_an_exception_in_forward_leaves_nothing() -> None:
    kept: list[Any] = []

    class Fails(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            kept.append(weakref.ref(ctx))
            raise KeyError("on purpose")

    x = leaf(1.0)
    with pytest.raises(KeyError, match="on purpose"):
        Fails.apply(x)
    assert ad.is_grad_enabled()
    assert (x * 2).requires_grad
    gc.collect()
    assert kept[0]() is None


def test_an_exception_in_backward_restores_the_modes() -> None:
    class Fails(Function):
        forward = staticmethod(lambda ctx, x: x * 2)

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            raise KeyError("on purpose")

    x = leaf(1.0)
    with pytest.raises(KeyError):
        Fails.apply(x).backward()
    assert ad.is_grad_enabled()
    assert x.grad is None


@pytest.mark.usefixtures("frees_nodes")
def test_contexts_go_away_with_the_graph() -> None:
    contexts: list[Any] = []

    class Keeps(Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            z = x * y
            ctx.save_for_backward(x, z, z + 1)
            ctx.mark_non_differentiable(y)
            contexts.append(weakref.ref(ctx))
            return z, y, x

        @staticmethod
        def backward(ctx: Any, a: Any, b: Any, c: Any) -> Any:
            return a + c, None

    x = leaf(1.0)
    outputs = Keeps.apply(x, leaf(2.0))
    outputs[0].backward()
    del outputs
    outputs = Keeps.apply(x, leaf(2.0))  # never used
    del outputs
    y = Exp.apply(x)
    y = Cube.apply(y)
    del y
    (g,) = ad.autograd.grad(Exp.apply(x), x, create_graph=True)
    del g
    assert all(one() is None for one in contexts)


def test_an_output_kept_on_the_context_is_collected() -> None:
    class Keeps(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.y = x * 2
            return ctx.y

    y = Keeps.apply(leaf(1.0))
    watch = weakref.ref(y.grad_fn)
    del y
    gc.collect()
    assert watch() is None


# ---- the context and the node ----------------------------------------------------------------------------------------


def test_any_name_can_be_used_on_the_context() -> None:
    engine_names = ("edges", "extras", "order", "saved", "spec", "kind", "ctx", "places", "count", "shown", "function")

    class Keeps(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            for name in engine_names:
                setattr(ctx, name, name)
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            assert [getattr(ctx, name) for name in engine_names] == list(engine_names)
            return grad * 2

    x = leaf(1.0)
    y = Keeps.apply(x)
    y.backward()
    assert x.grad.item() == 2


def test_the_node_shows_the_context() -> None:
    class Keeps(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.factor = 2
            ctx.save_for_backward(x)
            return x * 2

    x = leaf(3.0)
    node = Keeps.apply(x).grad_fn
    assert node.factor == 2
    assert node.saved_tensors[0] is x
    assert node.needs_input_grad == (True,)
    assert node.name() == type(node).__name__ == "KeepsBackward"
    assert type(node) is Keeps._backward_cls
    assert "factor" in dir(node)
    assert repr(node).startswith("<KeepsBackward object")
    with pytest.raises(AttributeError, match="nothing_like_it"):
        node.nothing_like_it
    (raw,) = node._raw_saved_tensors
    raw.register_hooks(lambda t: t.numpy().copy(), lambda a: ad.from_numpy(a * 10))
    assert node.saved_tensors[0].item() == 30


def test_a_context_outlives_its_node() -> None:
    kept: list[Any] = []

    class Keeps(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            kept.append(ctx)
            return x * 2

    y = Keeps.apply(leaf(1.0))
    assert kept[0].next_functions == y.grad_fn.next_functions
    assert kept[0].requires_grad
    del y
    for name in ("saved_tensors", "next_functions", "metadata"):
        with pytest.raises(RuntimeError, match="the graph has been freed"):
            getattr(kept[0], name)


def test_saved_variables_is_an_old_name() -> None:
    class Old(Function):
        forward = Cube.forward

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            with pytest.warns(DeprecationWarning, match="saved_tensors"):
                (x,) = ctx.saved_variables
            return 3 * x**2 * grad

    x = leaf(2.0)
    Old.apply(x).backward()
    assert x.grad.item() == 12


def test_methods_can_be_replaced_afterwards() -> None:
    class Later(Function):
        forward = staticmethod(lambda ctx, x: x * 2)

    Later.backward = staticmethod(lambda ctx, g: g * 5)
    x = leaf(1.0)
    y = Later.apply(x)
    Later.backward = staticmethod(lambda ctx, g: g * 7)
    y.backward()
    assert x.grad.item() == 7


# ---- modes -----------------------------------------------------------------------------------------------------------


def test_anomaly_mode_shows_the_forward_call() -> None:
    class Nan(Function):
        forward = staticmethod(lambda ctx, x: x * 2)
        backward = staticmethod(lambda ctx, g: g * float("nan"))

    x = leaf(1.0)
    with pytest.warns(UserWarning, match="anomaly"), ad.autograd.detect_anomaly():
        y = Nan.apply(x)  # this line is shown
        with pytest.raises(RuntimeError, match=r"(?s)NanBackward returned NaN.*this line is shown"):
            y.backward()


def test_threads() -> None:
    x = leaf(*np.linspace(0.1, 1.0, 4))
    wanted = 3 * x.detach() ** 2 * x.detach().exp()
    found: list[Any] = []

    def work() -> None:
        for _ in range(50):
            found.append(ad.autograd.grad((Cube.apply(x) * x.detach().exp()).sum(), x)[0])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 200
    for one in found:
        np.testing.assert_allclose(one.numpy(), wanted.numpy())


def test_backward_inside_of_backward() -> None:
    class Checkpoint(Function):
        @staticmethod
        def forward(ctx: Any, run: Any, x: Any) -> Any:
            ctx.run = run
            ctx.save_for_backward(x)
            return run(x)

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            (x,) = ctx.saved_tensors
            x = x.detach().requires_grad_()
            with ad.enable_grad():
                y = ctx.run(x)
            y.backward(grad)
            return None, x.grad

    x = leaf(0.5, 1.5)
    y = Checkpoint.apply(lambda x: Checkpoint.apply(ad.sin, x * x), x)
    y.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), np.cos(x.detach().numpy() ** 2) * 2 * x.detach().numpy())


def test_a_function_in_the_backward_of_another() -> None:
    class Sine(Function):
        @staticmethod
        def forward(ctx: Any, x: Any, turns: int) -> Any:
            ctx.save_for_backward(x)
            ctx.turns = turns
            return (x + turns * np.pi / 2).sin()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            (x,) = ctx.saved_tensors
            return grad * Sine.apply(x, ctx.turns + 1), None

    x = leaf(0.3)
    y = Sine.apply(x, 0)
    for order in range(1, 5):
        (y,) = ad.autograd.grad(y, x, create_graph=True)
        np.testing.assert_allclose(y.item(), np.sin(0.3 + order * np.pi / 2))


def test_subclasses_and_interceptors_see_what_is_inside() -> None:
    seen: list[str] = []

    class Log(ad.overrides.FunctionMode):
        def __adjoint_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
            seen.append(func.__name__)
            return func(*args, **kwargs)

    class Mine(ad.Tensor):
        pass

    x = leaf(2.0)
    with Log():
        y = Cube.apply(x)
    assert seen == ["pow"]
    y.backward()
    assert x.grad.item() == 12
    mine = ad.tensor([2.0], dtype=ad.float64).as_subclass(Mine).requires_grad_()
    z = Cube.apply(mine)
    assert type(z) is Mine
    (g,) = ad.autograd.grad(z.sum(), mine)
    assert g.item() == 12


def test_once_differentiable_raises_only_when_it_matters() -> None:
    class Square(Function):
        forward = Cube.forward

        @staticmethod
        @once_differentiable
        def backward(ctx: Any, grad: Any) -> Any:
            assert not ad.is_grad_enabled()
            (x,) = ctx.saved_tensors
            return ad.from_numpy(3 * x.detach().numpy() ** 2 * grad.numpy())

    x = leaf(2.0)
    (g,) = ad.autograd.grad(Square.apply(x) * x, x, create_graph=True)
    np.testing.assert_allclose(g.item(), 32.0)
    with pytest.raises(RuntimeError, match="SquareBackward is marked by once_differentiable"):
        ad.autograd.grad(g, x)
    x.grad = None
    Square.apply(x).backward()
    assert x.grad.item() == 12
    assert not x.grad.requires_grad


@pytest.mark.parametrize("name", ["_core.function", "_core.function.once", "autograd.legacy"])
def test_examples_in_docstrings(name: str) -> None:
    module = importlib.import_module(f"adjoint.{name}")
    result = doctest.testmod(module, extraglobs={"ad": ad})
    assert result.attempted
    assert not result.failed


def test_a_forward_without_ctx_needs_a_setup_context() -> None:
    class Double(Function):
        forward = staticmethod(lambda x: 2 * x)
        backward = staticmethod(lambda ctx, g: 2 * g)

    with pytest.raises(TypeError) as caught:
        Double.apply(ad.ones(2, requires_grad=True))
    assert "setup_context(ctx, inputs, output)" in caught.value.__notes__[0]
    assert ad.is_grad_enabled()


def test_a_saved_tensor_that_was_detached_in_place_still_has_its_values() -> None:
    class Square(ad.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any) -> Any:
            ctx.save_for_backward(a)
            return a * a

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2 * ctx.saved_tensors[0]

    x = ad.tensor([2.0], requires_grad=True)
    y = x * 1
    z = Square.apply(y)
    y.detach_()
    assert ad.autograd.grad(z.sum(), x, retain_graph=True)[0].item() == 4.0
    with pytest.raises(RuntimeError, match="detached in place"):  # its history is what a second derivative needs
        ad.autograd.grad(z.sum(), x, create_graph=True)
