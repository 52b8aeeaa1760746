"""A mode that a task enters holds in that task, whatever other tasks of the thread do meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

import adjoint as ad
from adjoint._core import modes

forward = ad.autograd.forward_ad
graph = ad.autograd.graph


class Count(ad.overrides.FunctionMode):
    """A mode that does nothing but be there."""


class Quiet(ad.autograd.set_detect_anomaly):
    """Anomaly mode without its cost at construction: it is switched on when it is entered."""

    def __init__(self) -> None:
        self._before = None

    def __enter__(self) -> None:
        super().__init__(True)


MODES: dict[str, Callable[[], Any]] = {
    "no_grad": ad.no_grad,
    "enable_grad": ad.enable_grad,
    "set_grad_enabled": lambda: ad.set_grad_enabled(False),
    "inference_mode": ad.inference_mode,
    "no inference_mode": lambda: ad.inference_mode(False),
    "dual_level": forward.dual_level,
    "set_fwd_grad_enabled": lambda: forward._set_fwd_grad_enabled(False),
    "saved_tensors_hooks": lambda: graph.saved_tensors_hooks(lambda x: x, lambda x: x),
    "disable_saved_tensors_hooks": lambda: graph.disable_saved_tensors_hooks("off"),
    "allow_mutation_on_saved_tensors": graph.allow_mutation_on_saved_tensors,
    "set_multithreading_enabled": lambda: ad.autograd.set_multithreading_enabled(False),
    "anomaly": Quiet,
    "FunctionMode": Count,
}


def observe() -> tuple[Any, ...]:
    """Everything that operations can tell about the modes they run in."""
    here = modes.state()
    x = ad.tensor([1.0], requires_grad=True) if not here.inference else ad.tensor([1.0])
    y = x.exp()
    return (
        ad.is_grad_enabled(),
        ad.is_inference_mode_enabled(),
        ad.autograd.is_multithreading_enabled(),
        ad.is_anomaly_enabled(),
        forward._is_fwd_grad_enabled(),
        y.requires_grad,
        y.is_inference(),
        y.grad_fn is not None and y.grad_fn.metadata.get("traceback_") is not None,
        here.saved_hooks,
        here.saved_hooks_refusal,
        here.interceptors,
        here.mutation_guard,
        here.dual_levels,
    )


def run(main: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run a program, after which all modes are as before."""
    before = observe()
    result = asyncio.run(main())
    assert observe() == before
    return result


@contextlib.asynccontextmanager
async def entered(mode: Any) -> Any:
    """Enter a mode with `with` or `async with`, through a helper."""
    async with mode:
        yield


@pytest.mark.parametrize("seed", range(6))
def test_random_programs(seed: int) -> None:
    """Many tasks that enter, leave, wait, fail and start others; each sees the modes of its own program only."""

    async def program(name: str, depth: int) -> int:
        choice, steps = random.Random(name), 0
        for _ in range(choice.randrange(1, 4)):
            before = observe()
            kind = choice.choice(list(MODES))
            if "saved" in kind and (before[8] or before[9]):
                continue  # these refuse to be nested
            with contextlib.suppress(KeyError):
                mode: Any = MODES[kind]()
                async with entered(mode) if choice.random() < 0.3 else contextlib.AsyncExitStack() as stack:
                    if stack is not None:
                        stack.enter_context(mode)
                    inside = observe()
                    await asyncio.sleep(0)
                    assert observe() == inside, kind
                    if depth and choice.random() < 0.5:
                        children = [program(f"{name}.{child}.{steps}", depth - 1) for child in range(2)]
                        steps += sum(await asyncio.gather(*children))
                    elif choice.random() < 0.2:
                        assert await asyncio.to_thread(lambda: observe()[:10]) == inside[:10]
                    await asyncio.sleep(choice.choice([0, 0, 0.001]))
                    assert observe() == inside, kind
                    steps += 1
                    if choice.random() < 0.2:
                        raise KeyError
            await asyncio.sleep(0)
            assert observe() == before, kind
        return steps

    async def main() -> int:
        return sum(await asyncio.gather(*[program(f"{seed}.{one}", 2) for one in range(8)]))

    assert run(main) > 10


@pytest.mark.parametrize("name", MODES)
def test_other_tasks_do_not_see_a_mode(name: str) -> None:
    async def inside(started: asyncio.Event, end: asyncio.Event) -> None:
        with MODES[name]():
            here = observe()
            started.set()
            await end.wait()
            assert observe() == here

    async def main() -> None:
        started, end = asyncio.Event(), asyncio.Event()
        before = observe()
        task = asyncio.create_task(inside(started, end))
        await started.wait()
        assert observe() == before
        end.set()
        await task
        assert observe() == before

    run(main)


@pytest.mark.parametrize("name", MODES)
def test_a_task_inherits_the_modes_in_which_it_is_started(name: str) -> None:
    async def child(gate: asyncio.Event, expected: tuple[Any, ...]) -> bool:
        await gate.wait()
        return observe() == expected

    async def main() -> None:
        gate = asyncio.Event()
        with MODES[name]():
            task = asyncio.create_task(child(gate, observe()))
            await asyncio.sleep(0)
            in_thread = await asyncio.to_thread(observe)
            assert in_thread == observe()
        if name != "dual_level":  # its tangents are gone when it is closed
            gate.set()
            assert await task
        else:
            task.cancel()

    run(main)


def test_a_mode_outside_the_event_loop_holds_in_its_tasks() -> None:
    async def main() -> list[bool]:
        async def one(mode: Any) -> bool:
            with mode():
                await asyncio.sleep(0)
            await asyncio.sleep(0)
            return ad.is_grad_enabled()

        return await asyncio.gather(one(ad.enable_grad), one(ad.no_grad), one(contextlib.nullcontext))

    with ad.no_grad():
        assert asyncio.run(main()) == [False] * 3
        assert not ad.is_grad_enabled()
    assert asyncio.run(main()) == [True] * 3


def test_a_cancelled_task_takes_its_mode_along() -> None:
    async def waits() -> None:
        with ad.no_grad(), graph.saved_tensors_hooks(lambda x: x, lambda x: x):
            await asyncio.sleep(60)

    async def main() -> None:
        task = asyncio.create_task(waits())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ad.is_grad_enabled() and not modes.state().saved_hooks

    run(main)


def test_a_task_group_that_fails() -> None:
    async def fails(after: int) -> None:
        with ad.inference_mode():
            for _ in range(after):
                await asyncio.sleep(0)
            raise ValueError

    async def main() -> None:
        with ad.no_grad():
            with pytest.raises(BaseExceptionGroup):
                async with asyncio.TaskGroup() as group:
                    for count in range(3):
                        group.create_task(fails(count))
            assert not ad.is_grad_enabled() and not ad.is_inference_mode_enabled()
        assert ad.is_grad_enabled()

    run(main)


def test_a_mode_set_by_a_call_holds_in_its_task() -> None:
    async def sets() -> bool:
        ad.set_grad_enabled(False)
        await asyncio.sleep(0)
        return ad.is_grad_enabled()

    async def main() -> tuple[bool, bool]:
        return await asyncio.create_task(sets()), ad.is_grad_enabled()

    assert run(main) == (False, True)


def test_callbacks_and_eager_steps_run_in_their_own_context() -> None:
    seen: list[bool] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        with ad.no_grad():
            loop.call_soon(lambda: seen.append(ad.is_grad_enabled()))
        loop.call_soon(lambda: seen.append(ad.is_grad_enabled()))
        await asyncio.sleep(0)

    run(main)
    assert seen == [False, True]


def test_async_generators_are_in_the_task_that_asks() -> None:
    async def numbers() -> Any:
        for value in range(3):
            with ad.no_grad():
                assert not ad.is_grad_enabled()
                await asyncio.sleep(0)
            yield value

    async def main() -> None:
        async def read() -> int:
            return sum([value async for value in numbers() if ad.is_grad_enabled()])

        assert await asyncio.gather(read(), read()) == [3, 3]

    run(main)


def test_dual_levels_of_tasks_are_independent() -> None:
    async def derivative(value: float, wait: float) -> float:
        with forward.dual_level():
            x = forward.make_dual(ad.tensor(value), ad.tensor(1.0))
            await asyncio.sleep(wait)
            y = x * x
            await asyncio.sleep(wait)
            return forward.unpack_dual(y).tangent.item()

    async def main() -> list[Any]:
        return await asyncio.gather(*[derivative(float(i), 0.001 * (i % 3)) for i in range(6)])

    assert run(main) == [2.0 * i for i in range(6)]


def test_the_dual_level_of_a_task_is_not_seen_by_others() -> None:
    async def opens(opened: asyncio.Event, end: asyncio.Event) -> None:
        with forward.dual_level():
            opened.set()
            await end.wait()

    async def main() -> None:
        opened, end = asyncio.Event(), asyncio.Event()
        task = asyncio.create_task(opens(opened, end))
        await opened.wait()
        with pytest.raises(RuntimeError, match="no dual level"):
            forward.make_dual(ad.tensor(1.0), ad.tensor(1.0))
        end.set()
        await task

    run(main)


def test_backward_and_transforms_in_a_task_leave_its_modes() -> None:
    class Square(ad.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            with ad.enable_grad():
                ad.set_grad_enabled(True)
            return x * x

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            ad.set_grad_enabled(True)
            return 2 * ctx.saved_tensors[0] * grad

    def cube(x: Any) -> Any:
        with ad.no_grad():
            _ = x * 2
        with ad.enable_grad():
            return (x**3).sum()

    async def work(mode: Any) -> None:
        with mode():
            before = observe()
            await asyncio.sleep(0)
            x = ad.tensor([3.0], requires_grad=True)
            with ad.enable_grad():
                x.register_hook(lambda grad: ad.set_grad_enabled(False) and None)
                Square.apply(x).backward()
            assert x.grad is not None and x.grad.item() == 6.0
            await asyncio.sleep(0)
            assert ad.func.grad(cube)(ad.tensor([2.0])).item() == 12.0
            assert ad.func.vmap(ad.func.grad(cube))(ad.tensor([[1.0], [2.0]])).tolist() == [[3.0], [12.0]]
            assert ad.func.jvp(cube, (ad.tensor([2.0]),), (ad.tensor([1.0]),))[1].item() == 12.0
            assert observe() == before

    async def main() -> None:
        await asyncio.gather(work(ad.no_grad), work(contextlib.nullcontext), work(ad.no_grad))

    run(main)


def test_the_default_path_is_back_when_no_task_is_in_a_mode() -> None:
    async def main() -> None:
        with ad.no_grad():
            await asyncio.sleep(0)
            assert modes.SPECIAL
        await asyncio.sleep(0)
        assert not modes.SPECIAL

    run(main)
    assert not modes.SPECIAL


def test_event_loops_of_two_threads() -> None:
    wrong: list[Any] = []

    async def switch(mode: Any, expected: bool) -> None:
        for _ in range(50):
            with mode():
                await asyncio.sleep(0)
                if (
                    ad.is_grad_enabled() is not expected
                    or ad.ones(1, requires_grad=True).exp().requires_grad is not expected
                ):
                    wrong.append(mode)
            await asyncio.sleep(0)

    def loop() -> None:
        async def main() -> None:
            await asyncio.gather(switch(ad.no_grad, False), switch(ad.enable_grad, True))

        asyncio.run(main())

    threads = [threading.Thread(target=loop) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
