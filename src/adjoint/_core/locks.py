"""A lock that an interrupt does not leave locked.

Note [Locks and interrupts]: an interrupt (Ctrl-C, or an exception from a signal handler) is served between two
instructions of the interpreter. Up to CPython 3.13, entering a `with` block is one instruction, and what is served
after it finds the lock in the care of the block, which gives it back. From 3.14 on, `__enter__` is called by an
instruction of its own, and interrupts are served when a call into C returns: then the lock has been taken, and nobody
would ever give it back. A lock whose `__enter__` is written in Python has no such gap: nothing is served between its
return and the block. `__exit__` stays in C, because a function in Python can be interrupted before its first line.
"""

from __future__ import annotations

import _thread  # what `threading` is made of; that takes a millisecond to import
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
                # If it was waiting, this thread has not got the lock, and at no depth: who has it need not wait.
                with contextlib.suppress(RuntimeError):
                    self.release()
                raise
