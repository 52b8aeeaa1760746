"""The worker processes of a `DataLoader`, as the main process sees them: started, asked, answered, stopped."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import time
import weakref
from multiprocessing.connection import wait
from typing import Any

from adjoint.utils.data.worker import PIPE_SIZE, Assignment, receive, run_worker

__all__: list[str] = []


def __dir__() -> list[str]:
    return __all__


PATIENCE = 5.0
"""Seconds that a worker has to stop by itself."""


def choose_context(given: Any) -> Any:
    """Return a context of `multiprocessing`: the given one, the user's default, or fork on Linux."""
    if given is not None and not isinstance(given, str):
        return given
    if given is None and sys.platform == "linux" and multiprocessing.get_start_method(allow_none=True) is None:
        given = "fork"
    return multiprocessing.get_context(given)


class Workers:
    """Processes that answer requests, each in the order in which it gets them.

    Args:
        context: of `multiprocessing`.
        count: how many.
        options: of `Assignment`, but for the folder and the limit.
        pending: requests that one worker may have at a time.
    """

    def __init__(self, context: Any, count: int, options: dict[str, Any], pending: int) -> None:
        self._folder = tempfile.mkdtemp(prefix=f"adjoint-{os.getpid()}-", dir=_find_memory())
        self._connections: list[Any] = []
        self._processes: list[Any] = []
        self._files: list[list[str]] = [[] for _ in range(count)]  # of each worker: what has been read
        self.stop = weakref.finalize(self, _stop, os.getpid(), self._processes, self._connections, self._folder)
        job = Assignment(**options, num_workers=count, folder=self._folder, limit=PIPE_SIZE // max(pending, 1))
        forks = context.get_start_method() == "fork"
        try:
            for number in range(count):
                ours, theirs = context.Pipe()
                foreign = [*self._connections, ours] if forks else []
                self._connections.append(ours)
                args = (number, job, theirs, os.getpid(), foreign)
                process = context.Process(target=run_worker, args=args, daemon=True)
                try:
                    process.start()
                finally:
                    theirs.close()  # so that the pipe ends with the worker
                self._processes.append(process)
        except BaseException:
            self.stop()
            raise

    def ask(self, worker: int, request: tuple[Any, ...]) -> None:
        """Send a request to a worker; that it is dead is noticed when its answer is awaited."""
        with contextlib.suppress(ConnectionError):
            self._connections[worker].send((*request, self._files[worker]))
            self._files[worker] = []

    def await_answer(self, workers: set[int], timeout: float) -> tuple[int, Any]:
        """Return the next answer of any of some workers, and whose it is.

        Args:
            workers: their numbers.
            timeout: in seconds; 0 waits for as long as they live.
        """
        deadline = time.monotonic() + timeout if timeout else None
        places = {id(self._connections[worker]): worker for worker in workers}
        while True:
            rest = PATIENCE if deadline is None else min(max(deadline - time.monotonic(), 0), PATIENCE)
            ready = wait([self._connections[worker] for worker in workers], rest)
            if not ready:  # the pipe of a dead worker stays open if another process has inherited its end
                for worker in workers:
                    if not self._processes[worker].is_alive() and not self._connections[worker].poll():
                        raise RuntimeError(self._describe_end(worker))
                if deadline is None or time.monotonic() < deadline:
                    continue
                raise RuntimeError(
                    f"DataLoader timed out: no batch has come from its workers for {timeout} seconds. Raise timeout=, "
                    "or find out what the data set waits for."
                )
            worker = places[id(ready[0])]
            try:
                message, path = receive(ready[0])
            except (EOFError, ConnectionResetError):
                raise RuntimeError(self._describe_end(worker)) from None
            if path is not None:
                self._files[worker].append(path)
            return worker, message

    def _describe_end(self, worker: int) -> str:
        process = self._processes[worker]
        process.join(PATIENCE)
        code = process.exitcode
        if code is not None and code < 0:
            how = f"was killed by {signal.Signals(-code).name}"
            how += ", as the system does when memory runs out" if code == -signal.SIGKILL else ""
        else:
            how = f"ended without an answer, with exit code {code}"
        return f"DataLoader worker process {worker} (pid {process.pid}) {how}"

    def is_running(self) -> bool:
        """Test whether the workers have not been stopped."""
        return self.stop.alive


def _find_memory() -> str | None:
    """A folder whose files are in memory; None for the usual one of temporary files."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _stop(owner: int, processes: list[Any], connections: list[Any], folder: str) -> None:
    """End workers and remove what they have left. A forked child leaves the workers of its parent alone."""
    if os.getpid() != owner:
        return
    for connection in connections:
        with contextlib.suppress(OSError):
            connection.send(None)
    deadline = time.monotonic() + PATIENCE
    for process in processes:
        process.join(max(deadline - time.monotonic(), 0))
    for process in processes:
        if process.is_alive():
            process.terminate()
            process.join(1)
        if process.is_alive():
            process.kill()
            process.join()
        process.close()
    for connection in connections:
        connection.close()
    shutil.rmtree(folder, ignore_errors=True)
