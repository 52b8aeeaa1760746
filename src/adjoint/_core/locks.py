"""Locks and threads: `Lock`, a reentrant lock that stays consistent under interrupts (Ctrl-C), and counters.

Note [Locks and interrupts]
An interrupt (Ctrl-C, or an exception from a signal handler) is served between two bytecode instructions. Up to CPython
3.13, entering a `with` block is one instruction; an interrupt after it is inside the block, which releases the lock.
From 3.14 on, `__enter__` is called by its own instruction, and interrupts are served when a call into C returns: then
the lock has been acquired, and would never be released. A lock whose `__enter__` is written in Python has no such gap:
nothing is served between its return and the block. `__exit__` stays in C, because a Python function can be interrupted
before its first line.

Note [Without the interpreter lock]
Free-threaded CPython runs threads at the same time. Three things here would rely on its lock, and look at run time
whether there is one (`has_interpreter_lock`): reference counts, which tell whether an array may be written to
(`_core/ownership.py`: without the lock nothing is taken over or reused, all is copied); counters, because two threads
must never get the same number (`make_counter`); and nothing else: caches and members of shared memory are filled by
single operations of dicts, sets and lists, which lock themselves, and whatever is checked first and made then is made
under `creation_lock`, since threads may be switched there with the interpreter lock, too.
"""

from __future__ import annotations

import _thread  # the C part of `threading`, which takes a millisecond to import
import contextlib
import itertools
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info < (3, 14):
    Lock = _thread.RLock
else:

    class Lock(type(_thread.RLock())):
        """A reentrant lock for `with` blocks; see Note [Locks and interrupts]."""

        __slots__ = ()

        def __enter__(self) -> bool:
            try:
                return self.acquire()
            except BaseException:
                # If it was still waiting, this thread does not hold the lock, and release() raises RuntimeError.
                with contextlib.suppress(RuntimeError):
                    self.release()
                raise


def has_interpreter_lock() -> bool:
    """Test whether this interpreter runs one thread at a time; see Note [Without the interpreter lock]."""
    ask: Any = getattr(sys, "_is_gil_enabled", None)
    return ask is None or ask()


def make_counter(start: int = 0, step: int = 1) -> Callable[[], int]:
    """Make a function that returns the next number at each call, and no number twice, in any thread."""
    numbers = itertools.count(start, step)
    if has_interpreter_lock():
        return numbers.__next__
    lock = _thread.allocate_lock()

    def draw() -> int:
        with lock:  # `itertools.count` is safe by itself from CPython 3.14 on
            return next(numbers)

    return draw
