"""Threads for large NumPy arrays: one pool, made when it is first needed; `set_num_threads` sizes it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

Work = Callable[[int, int], None]


class _Pool:
    """The threads that help the one that calls. A forked child starts without them."""

    def __init__(self) -> None:
        self.count: int | None = None
        self.executor: ThreadPoolExecutor | None = None
        self.lock = threading.Lock()
        self.busy = threading.local()  # `busy.now`: this thread is working for someone, and gets no helpers of its own

    def forget(self) -> None:
        """In a forked child: the parent's threads do not exist here."""
        self.executor, self.lock, self.busy = None, threading.Lock(), threading.local()


_pool = _Pool()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.forget)


def get_num_threads() -> int:
    """The number of threads that large elementwise work, rows and transforms are divided among.

    Unless `set_num_threads` was called, this is the number of cores that the process may use.

    Example:
        >>> ad.get_num_threads() >= 1
        True
    """
    if _pool.count is None:
        _pool.count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return _pool.count


def set_num_threads(count: int) -> None:
    """Divide large work among so many threads; 1 keeps all work in the calling thread.

    Results do not depend on it, bit for bit.

    Args:
        count: a positive integer.

    Example:
        >>> ad.set_num_threads(ad.get_num_threads())
    """
    if not isinstance(count, int) or count < 1:
        raise ValueError(f"set_num_threads: expected a positive integer, got {count!r}")
    with _pool.lock:
        executor, _pool.executor, _pool.count = _pool.executor, None, count
    if executor is not None:
        executor.shutdown(wait=False)


def spread(work: Work, count: int, block: int) -> None:
    """Call ``work(start, stop)`` for consecutive blocks of ``range(count)``, divided among the threads.

    Blocks begin at multiples of `block` for any number of threads, so that results do not depend on it. An error that
    one of them raises is raised here, when the others have ended.

    Args:
        work: writes the results for a range of elements; different ranges do not depend on each other.
        count: how many elements there are.
        block: elements of one call; what fits into a core's cache.
    """
    blocks = -(-count // block)
    threads = min(get_num_threads(), blocks)
    if threads <= 1 or getattr(_pool.busy, "now", False):
        _run(work, 0, count, block)
        return
    per_thread = -(-blocks // threads) * block
    executor = _helpers()
    parts = [
        executor.submit(_run, work, start, min(count, start + per_thread), block)
        for start in range(per_thread, count, per_thread)
    ]
    try:
        _run(work, 0, per_thread, block)
    finally:
        errors = [part.exception() for part in parts]
    for error in errors:
        if error is not None:
            raise error


def _helpers() -> ThreadPoolExecutor:
    with _pool.lock:
        if _pool.executor is None:
            _pool.executor = ThreadPoolExecutor(get_num_threads() - 1, thread_name_prefix="adjoint")
        return _pool.executor


def _run(work: Work, start: int, stop: int, block: int) -> None:
    _pool.busy.now = True
    try:
        for begin in range(start, stop, block):
            work(begin, min(begin + block, stop))
    finally:
        _pool.busy.now = False
