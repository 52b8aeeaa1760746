"""`Lock`: a reentrant lock that stays consistent under interrupts (Ctrl-C).

Note [Locks and interrupts]
An interrupt (Ctrl-C, or an exception from a signal handler) is served between two bytecode instructions. Up to CPython
3.13, entering a `with` block is one instruction; an interrupt after it is inside the block, which releases the lock.
From 3.14 on, `__enter__` is called by its own instruction, and interrupts are served when a call into C returns: then
the lock has been acquired, and would never be released. A lock whose `__enter__` is written in Python has no such gap:
nothing is served between its return and the block. `__exit__` stays in C, because a Python function can be interrupted
before its first line.
"""

from __future__ import annotations

import _thread  # the C part of `threading`, which takes a millisecond to import
import contextlib
import sys
from typing import TYPE_CHECKING

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
