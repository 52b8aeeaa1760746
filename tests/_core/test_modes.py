"""Modes: as context managers and as decorators of functions, generators and coroutines; per thread."""

from __future__ import annotations

import asyncio
import inspect
import threading
from typing import Any

import pytest

import adjoint as ad
from adjoint._core import modes
from tests.support.leaves import const, leaf

OFF = ["no_grad", "inference_mode"]


def recording(lib: Any) -> bool:
    """Whether an operation is recorded here and now, by its result and by the flag."""
    recorded = (leaf(lib, 1.0) * 2).requires_grad
    assert recorded is lib.is_grad_enabled()
    return recorded


def test_recording_is_on(lib: Any) -> None:
    assert recording(lib) and not lib.is_inference_mode_enabled()


# ---- context managers ------------------------------------------------------------------------------------------------


def test_modes_nest(lib: Any) -> None:
    with lib.no_grad():
        assert not recording(lib)
        with lib.enable_grad():
            assert recording(lib)
            with lib.set_grad_enabled(False):
                assert not recording(lib)
            assert recording(lib)
        assert not recording(lib)
    assert recording(lib)


def test_modes_end_with_an_exception(lib: Any) -> None:
    for mode in (lib.no_grad, lib.inference_mode, lambda: lib.set_grad_enabled(False)):
        with pytest.raises(ValueError), mode():
            raise ValueError
        assert recording(lib) and not lib.is_inference_mode_enabled()


def test_a_context_manager_can_be_entered_again(lib: Any) -> None:
    mode = lib.no_grad()
    for _ in range(2):
        with mode:
            assert not recording(lib)
        assert recording(lib)


def test_a_context_manager_of_ours_can_be_nested_in_itself() -> None:
    mode = ad.no_grad()
    with mode, mode:
        assert not recording(ad)
    assert recording(ad)


def test_set_grad_enabled_acts_at_once(lib: Any) -> None:
    try:
        lib.set_grad_enabled(False)
        assert not recording(lib)
    finally:
        lib.set_grad_enabled(True)
    assert recording(lib)


def test_inference_mode_and_grad_mode(lib: Any) -> None:
    normal = leaf(lib, 1.0)
    with lib.inference_mode():
        assert lib.is_inference_mode_enabled() and not lib.is_grad_enabled()
        with lib.enable_grad():
            assert lib.is_inference_mode_enabled()
            assert not (leaf(lib, 1.0) * 2).requires_grad
            assert not (normal * 2).requires_grad
        with lib.inference_mode(False):
            assert recording(lib) and not lib.is_inference_mode_enabled()
    with lib.inference_mode(False):
        assert recording(lib)
    with lib.no_grad(), lib.inference_mode(False):
        assert recording(lib)


def test_creation_in_no_grad_mode(lib: Any) -> None:
    with lib.no_grad():
        x = leaf(lib, 1.0)
        assert x.requires_grad and x.is_leaf
    (x * 2).backward()
    assert x.grad.item() == 2.0


# ---- decorators ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OFF)
@pytest.mark.parametrize("parentheses", [True, False])
def test_decorated_functions(lib: Any, name: str, parentheses: bool) -> None:
    mode = getattr(lib, name)

    @(mode() if parentheses else mode)
    def function(a: int, *, b: int = 2) -> Any:
        """What it does."""
        assert not lib.is_grad_enabled()
        return a + b

    assert function(1, b=3) == 4 and recording(lib)
    assert function.__name__ == "function" and function.__doc__ == "What it does."
    assert list(inspect.signature(function).parameters) == ["a", "b"]


def test_enable_grad_and_set_grad_enabled_decorate_too(lib: Any) -> None:
    @lib.enable_grad()
    def on() -> bool:
        return recording(lib)

    @lib.set_grad_enabled(False)
    def off() -> bool:
        return recording(lib)

    assert recording(lib), "decorating must not switch anything"
    with lib.no_grad():
        assert on()
    assert not off() and recording(lib)


def test_decorated_functions_may_recurse_and_raise(lib: Any) -> None:
    @lib.no_grad()
    def count(n: int) -> int:
        assert not lib.is_grad_enabled()
        if n == 3:
            raise ValueError
        return count(n + 1)

    with pytest.raises(ValueError):
        count(0)
    assert recording(lib)


def test_decorated_methods(lib: Any) -> None:
    class Thing:
        @lib.no_grad()
        def method(self, x: Any) -> Any:
            return x * 2

    assert not Thing().method(leaf(lib, 1.0)).requires_grad


def test_our_modes_refuse_classes() -> None:
    for mode in (ad.no_grad(), ad.inference_mode(), ad.enable_grad(), ad.no_grad):
        with pytest.raises(TypeError, match=r"cannot decorate the class 'Thing'.*Thing.__init__"):

            @mode
            class Thing:
                pass


# ---- generators ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OFF)
def test_generators_hold_the_mode_only_while_they_run(lib: Any, name: str) -> None:
    @getattr(lib, name)()
    def generator() -> Any:
        for i in range(3):
            assert not lib.is_grad_enabled()
            yield i
            assert not lib.is_grad_enabled()

    assert inspect.isgeneratorfunction(generator)
    seen = []
    for i in generator():
        assert recording(lib)
        seen.append(i)
    assert seen == [0, 1, 2] and recording(lib)


def test_generators_receive_what_is_sent(lib: Any) -> None:
    @lib.no_grad()
    def generator() -> Any:
        got = []
        while len(got) < 2:
            got.append((yield len(got)))
            assert not lib.is_grad_enabled()
        return got

    running = generator()
    assert next(running) == 0
    assert running.send("a") == 1
    with pytest.raises(StopIteration) as stop:
        running.send("b")
    assert stop.value.value == ["a", "b"] and recording(lib)


def test_generators_receive_what_is_thrown(lib: Any) -> None:
    @lib.no_grad()
    def generator() -> Any:
        try:
            yield 1
        except ValueError as error:
            assert not lib.is_grad_enabled()
            yield str(error)
        yield "last"

    running = generator()
    next(running)
    assert running.throw(ValueError("mine")) == "mine"
    assert recording(lib)
    assert next(running) == "last"
    with pytest.raises(KeyError):
        running.throw(KeyError("theirs"))
    assert recording(lib)


def test_generators_are_closed_in_their_mode(lib: Any) -> None:
    closed = []

    @lib.no_grad()
    def generator() -> Any:
        try:
            yield 1
        finally:
            closed.append(lib.is_grad_enabled())

    running = generator()
    next(running)
    running.close()
    assert closed == [False] and recording(lib)


def test_a_generators_own_error_comes_through(lib: Any) -> None:
    @lib.no_grad()
    def generator() -> Any:
        yield 1
        raise ValueError("mine")

    running = generator()
    next(running)
    with pytest.raises(ValueError, match="mine"):
        next(running)
    with pytest.raises(StopIteration):
        next(running)
    assert recording(lib)


def test_two_generators_with_different_modes_take_turns(lib: Any) -> None:
    def body() -> Any:
        while True:
            yield lib.is_grad_enabled()

    off, on = lib.no_grad()(body)(), lib.enable_grad()(body)()
    assert [next(g) for g in (off, on, off, on)] == [False, True, False, True]
    off.close()
    on.close()


# ---- coroutines ------------------------------------------------------------------------------------------------------


def test_coroutines_hold_the_mode_only_while_they_run() -> None:
    log: list[tuple[str, bool]] = []

    @ad.no_grad()
    async def quiet(name: str) -> str:
        for _ in range(2):
            log.append((name, ad.is_grad_enabled()))
            await asyncio.sleep(0)
        return name

    async def loud() -> None:
        for _ in range(3):
            log.append(("loud", ad.is_grad_enabled()))
            await asyncio.sleep(0)

    async def main() -> list[Any]:
        return await asyncio.gather(quiet("a"), loud(), quiet("b"))

    assert inspect.iscoroutinefunction(quiet)
    assert asyncio.run(main()) == ["a", None, "b"]
    assert all(enabled is (name == "loud") for name, enabled in log) and len(log) == 7
    assert ad.is_grad_enabled()


def test_coroutines_can_fail_and_be_cancelled() -> None:
    log: list[Any] = []

    @ad.inference_mode()
    async def fails() -> None:
        await asyncio.sleep(0)
        raise ValueError("mine")

    @ad.no_grad()
    async def waits() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            log.append(ad.is_grad_enabled())

    async def main() -> None:
        with pytest.raises(ValueError, match="mine"):
            await fails()
        assert ad.is_grad_enabled() and not ad.is_inference_mode_enabled()
        task = asyncio.ensure_future(waits())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert log == [False] and ad.is_grad_enabled()


def test_asynchronous_generators_are_refused() -> None:
    """Rather than left as they are, without a word."""
    with pytest.raises(TypeError, match="asynchronous generator 'generator'"):

        @ad.no_grad()
        async def generator() -> Any:
            yield 1


# ---- threads ---------------------------------------------------------------------------------------------------------


def in_thread(function: Any) -> Any:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(function()))
    thread.start()
    thread.join()
    return found[0]


@pytest.mark.parametrize("name", OFF)
def test_modes_are_per_thread(lib: Any, name: str) -> None:
    with getattr(lib, name)():
        assert in_thread(lambda: recording(lib))
        assert not in_thread(lib.is_inference_mode_enabled)
        assert not lib.is_grad_enabled()

    def switch_off() -> bool:
        lib.set_grad_enabled(False)
        return recording(lib)

    assert not in_thread(switch_off)
    assert recording(lib)


def test_a_thread_may_end_in_any_mode() -> None:
    in_thread(lambda: ad.set_grad_enabled(False))
    in_thread(lambda: ad.inference_mode().__enter__())
    assert not modes.SPECIAL


def test_short_paths_come_back_after_a_thread_in_another_mode_ended() -> None:
    entered, leave = threading.Event(), threading.Event()

    def work() -> None:
        with ad.no_grad():
            entered.set()
            leave.wait(10)

    thread = threading.Thread(target=work)
    thread.start()
    entered.wait(10)
    assert modes.SPECIAL and recording(ad)
    leave.set()
    thread.join()
    assert not modes.SPECIAL and recording(ad)


def test_multithreading_can_be_switched_off(lib: Any) -> None:
    from_here = lib.autograd if lib is ad else lib._C
    is_on = ad.autograd.is_multithreading_enabled if lib is ad else from_here._is_multithreading_enabled
    assert is_on()
    with lib.autograd.set_multithreading_enabled(False):
        assert not is_on()
        x = leaf(lib, 1.0)
        (x * 2).backward()
        assert x.grad.item() == 2.0
    assert is_on()


def test_multithreading_is_per_thread_and_a_decorator() -> None:
    is_on = ad.autograd.is_multithreading_enabled

    @ad.autograd.set_multithreading_enabled(False)
    def off() -> bool:
        return is_on()

    assert is_on() and not off() and is_on()
    with ad.autograd.set_multithreading_enabled(False):
        assert in_thread(is_on)


def test_backward_does_not_inherit_what_was_off_during_forward(lib: Any) -> None:
    x = leaf(lib, 3.0)
    with lib.no_grad():
        c = x * x
    y = c * x + const(lib, 0.0)
    y.backward()
    assert x.grad.item() == 9.0


def test_modes_can_be_made_again(lib: Any) -> None:
    for mode in (lib.no_grad(), lib.enable_grad(), lib.inference_mode(), lib.inference_mode(False)):
        again = mode.clone()
        assert again is not mode and type(again) is type(mode)
        with again:
            inside = lib.is_grad_enabled(), lib.is_inference_mode_enabled()
        with mode:
            assert inside == (lib.is_grad_enabled(), lib.is_inference_mode_enabled())


def test_set_grad_enabled_takes_truth_values_only(lib: Any) -> None:
    for wrong in ("yes", 1, None):
        with pytest.raises(TypeError):
            lib.set_grad_enabled(wrong)
    assert lib.is_grad_enabled()


# ---- in backward passes ----------------------------------------------------------------------------------------------


def test_what_a_hook_leaves_switched_is_switched_back(lib: Any) -> None:
    """PyTorch restores the modes of the thread after each node."""
    seen: list[Any] = []
    packed: list[Any] = []

    def switches(grad: Any) -> None:
        lib.autograd.graph.saved_tensors_hooks(lambda t: packed.append(t) or t, lambda t: t).__enter__()
        lib.set_grad_enabled(False)

    for create_graph in (False, True):
        x = leaf(lib, [1.0])
        y = x * 2
        y.register_hook(switches)
        x.register_hook(lambda grad: seen.append(lib.is_grad_enabled()))
        lib.autograd.grad((y * 3).sum(), x, create_graph=create_graph)
        assert recording(lib) and not lib.is_inference_mode_enabled()
        assert (x * x).requires_grad and not packed
    assert seen == [False, True]


@pytest.mark.parametrize("create_graph", [False, True])
def test_what_a_custom_function_leaves_switched_is_switched_back(lib: Any, create_graph: bool) -> None:
    class Double(lib.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            result = grad * 2
            lib.set_grad_enabled(not create_graph)
            return result

    x = leaf(lib, [1.0])
    y = Double.apply(x).sum()
    (grad,) = lib.autograd.grad(y, x, create_graph=create_graph)
    assert recording(lib) and grad.tolist() == [2.0]


def test_a_mode_that_is_left_more_often_than_entered() -> None:
    modes_of_ours = [
        ad.no_grad(),
        ad.inference_mode(),
        ad.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t),
        ad.autograd.graph.disable_saved_tensors_hooks("off"),
        ad.autograd.forward_ad.dual_level(),
    ]
    for mode in modes_of_ours:
        with mode:
            pass
        with pytest.raises(RuntimeError, match="not been entered"):
            mode.__exit__(None, None, None)
        assert recording(ad)
    with pytest.raises(RuntimeError, match="FunctionMode is being left where it is not active"):
        ad.overrides.FunctionMode().__exit__(None, None, None)


def test_hooks_left_in_another_order_than_entered() -> None:
    names: list[str] = []
    first, second = (
        ad.autograd.graph.saved_tensors_hooks(lambda t, name=name: names.append(name) or t, lambda t: t)
        for name in ("first", "second")
    )
    x = leaf(ad, [1.0])
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    x.exp()
    second.__exit__(None, None, None)
    x.exp()
    assert names == ["second"]


def test_hooks_entered_in_a_pass_cannot_be_left_after_it() -> None:
    hooks = ad.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t)
    x = leaf(ad, [1.0])
    x.register_hook(lambda grad: hooks.__enter__() and None)
    (x * 2).backward()
    with pytest.raises(RuntimeError, match="another thread, task or backward pass"):
        hooks.__exit__(None, None, None)


def test_grad_mode_inside_inference_mode_is_restored(lib: Any) -> None:
    with lib.inference_mode(), lib.enable_grad():
        assert lib.is_grad_enabled()
        for mode in (False, True):
            with lib.inference_mode(mode):
                assert lib.is_grad_enabled() is not mode
            assert lib.is_grad_enabled() and lib.is_inference_mode_enabled()
