"""Locks that interrupts leave free; see Note [Locks and interrupts] in _core/locks.py."""

from __future__ import annotations

import random
import signal
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from adjoint._core.locks import Lock

pytestmark = pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"),
    reason="signals are served in the main thread, and not on every system",
)


class Interrupt(BaseException):
    pass


@pytest.fixture(autouse=True)
def interrupts() -> Iterator[None]:
    """Alarms raise `Interrupt`."""

    def interrupt(*_: Any) -> None:
        raise Interrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def is_free(lock: Any) -> bool:
    """Whether another thread gets the lock at once."""
    got: list[bool] = []

    def attempt() -> None:
        got.append(lock.acquire(blocking=False))
        if got[0]:
            lock.release()

    thread = threading.Thread(target=attempt)
    thread.start()
    thread.join()
    return got[0]


def use(lock: Any, depth: int) -> None:
    """Take the lock, again and again, until an interrupt comes."""
    while True:
        with lock:
            if depth:
                with lock:
                    pass


@pytest.mark.parametrize("depth", [0, 1])
def test_interrupt_at_any_moment(depth: int) -> None:
    chance = random.Random(7)
    for trial in range(200):
        lock = Lock()
        with pytest.raises(Interrupt):
            signal.setitimer(signal.ITIMER_REAL, chance.uniform(5e-5, 3e-4))
            use(lock, depth)
        assert is_free(lock), f"trial {trial}"


def test_interrupt_while_waiting() -> None:
    lock, held, over = Lock(), threading.Event(), threading.Event()

    def hold() -> None:
        with lock:
            held.set()
            over.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(60)
    with pytest.raises(Interrupt):
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with lock:
            pass
    assert not is_free(lock), "it is not this thread's to give back"
    over.set()
    thread.join()
    assert is_free(lock)


def test_exception_inside() -> None:
    lock = Lock()
    with pytest.raises(ZeroDivisionError), lock, lock:
        1 / 0
    assert is_free(lock)
    with lock:
        assert not is_free(lock)
    assert is_free(lock)
