"""Threads for large NumPy arrays: `spread` divides work among them, `set_num_threads` says how many there are.

NumPy releases the interpreter lock inside its loops, so threads that work on different parts of an array do run at the
same time. The helpers are started by the first call that has work for them. A forked child starts without any.

Note [Helpers are not waited for]
The caller takes blocks like everyone else, at first from its own share, then from those of others. It only waits for
blocks that a helper has begun. So a helper that wakes up late, or never, costs nothing: its share is done by others.
While one call is spread, all other calls, nested or from other threads, do their work alone: there are no more cores.
"""

from __future__ import annotations

import _thread  # the C part of `threading`, which takes a millisecond to import
import contextlib
import os
from _queue import SimpleQueue
from collections import deque
from collections.abc import Callable
from contextvars import copy_context
from itertools import pairwise
from typing import Any

Work = Callable[[int, int], Any]


class _Pool:
    """The helpers, and what they do."""

    def __init__(self) -> None:
        self.count: int | None = None  # of threads, the caller included; None until it is first asked for
        self.restart()

    def restart(self) -> None:
        """Begin without helpers; in a forked child those of the parent do not exist."""
        self.helpers = 0
        self.tasks: SimpleQueue[tuple[_Task, int]] = SimpleQueue()
        self.current: _Task | None = None


class _Task:
    """One call of `spread`: its blocks, and who is working on them."""

    __slots__ = ("_block", "_closed", "_context", "_count", "_error", "_inside", "_left", "_shares", "_work")

    def __init__(self, work: Work, count: int, block: int, threads: int) -> None:
        self._work: Work | None = work
        self._count, self._block = count, block
        blocks = -(-count // block)
        ends = [blocks * k // threads * block for k in range(threads + 1)]
        # adjacent blocks for each: two threads that touch one new memory page at once would both fill it with zeros
        self._shares = [deque(range(first, end, block)) for first, end in pairwise(ends)]
        self._context = copy_context()  # NumPy's errstate, and from Python 3.14 on the filters of warnings
        self._error: BaseException | None = None
        self._closed = False
        self._inside: list[int] = []  # the helpers that are working
        self._left: SimpleQueue[None] = SimpleQueue()  # gets an item whenever a helper has left

    def run(self, number: int) -> None:
        """Work on the thread's own share, from its beginning, then on those of others, from their ends."""
        shares, work, count, block = self._shares, self._work, self._count, self._block
        assert work is not None
        for k in range(len(shares)):
            share = shares[number - k]
            take = share.pop if k else share.popleft
            while share and not self._closed:
                try:
                    start = take()
                except IndexError:  # another thread was faster
                    break
                work(start, min(start + block, count))

    def help(self, number: int) -> None:
        """Join in, unless it is too late."""
        self._inside.append(number)  # first this, then the question: `close` does it the other way round
        try:
            if not self._closed:
                self._context.copy().run(self.run, number)
        except BaseException as error:
            self._error, self._closed = error, True
        self._inside.remove(number)
        self._left.put(None)

    def close(self) -> None:
        """Wait for the blocks that helpers have begun, also if that is interrupted, and raise what they raised."""
        self._closed = True
        interrupt = None
        while self._inside:
            try:
                self._left.get()
            except BaseException as error:
                interrupt = error
        self._work = None  # the task may still be in the queue, and would keep arrays alive
        error, self._error = interrupt or self._error, None
        if error is not None:
            raise error


_pool = _Pool()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.restart)


def get_num_threads() -> int:
    """Number of threads among which work on large arrays is divided.

    By default this is the environment variable ``ADJOINT_NUM_THREADS``, or ``OMP_NUM_THREADS``, or else the number of
    cores that the process may use.

    Example:
        >>> ad.get_num_threads() >= 1
        True
    """
    if _pool.count is None:
        _pool.count = _default_count()
    return _pool.count


def _default_count() -> int:
    for name in ("ADJOINT_NUM_THREADS", "OMP_NUM_THREADS"):
        text = os.environ.get(name, "").partition(",")[0].strip()  # OpenMP's may list one number for each level
        if text.isdecimal() and int(text) > 0:
            return int(text)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def set_num_threads(count: int) -> None:
    """Set the number of threads for work on large arrays; 1 keeps it in the calling thread.

    Results do not depend on it, bit for bit. Threads of BLAS are not affected; they have settings of their own.

    Args:
        count: a positive integer.

    Example:
        >>> ad.set_num_threads(ad.get_num_threads())
    """
    if type(count) is not int or count < 1:
        raise ValueError(f"set_num_threads: count has to be a positive integer, got {count!r}")
    _pool.count = count


def count_free() -> int:
    """Return how many threads a library may use for one call: one inside of `spread`."""
    return get_num_threads() if _pool.current is None else 1


def spread(work: Work, count: int, block: int) -> None:
    """Call ``work(start, stop)`` for consecutive blocks of ``range(count)``, divided among the threads.

    Blocks begin at multiples of `block` for any number of threads, so that results do not depend on it. An error that
    one of them raises is raised here, when the others have ended.

    Args:
        work: writes the results for a range of elements; different ranges do not depend on each other.
        count: how many elements there are.
        block: elements of one call; what fits into a core's cache.
    """
    threads = min(count_free(), -(-count // block))
    if threads <= 1:
        for start in range(0, count, block):
            work(start, min(start + block, count))
        return
    task = _Task(work, count, block, threads)
    try:
        _pool.current = task
        _call_helpers(task, threads - 1)
        task.run(0)
    finally:
        _pool.current = None
        task.close()


def _call_helpers(task: _Task, count: int) -> None:
    with contextlib.suppress(RuntimeError):  # no thread can be started while the interpreter shuts down
        while _pool.helpers < count:
            _thread.start_new_thread(_help_forever, (_pool.tasks,))
            _pool.helpers += 1
    for number in range(1, min(count, _pool.helpers) + 1):
        _pool.tasks.put((task, number))


def _help_forever(tasks: SimpleQueue[tuple[_Task, int]]) -> None:
    while True:
        task, number = tasks.get()
        task.help(number)
        del task  # before the next one is waited for
