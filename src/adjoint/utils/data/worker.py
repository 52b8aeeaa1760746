"""What runs in a worker process of `DataLoader`: it is told indices, and sends back batches.

Note [Large batches go through files]
A pipe holds 64 kB. A worker that sent its batches through it would wait for the main process to read them instead of
preparing the next one, and each byte would be copied several times. So only short messages go through the pipe. Long
ones are written to a file in memory (``/dev/shm`` where there is one), arrays without being pickled first, and the main
process reads each array from there into new memory. With its next request it names the files that it has read, and the
worker writes over them, because new ones take six times as long: the system has to find memory for them and to clear
it. All files of a loader are in one folder, which is removed at its end, so nothing is left behind by a worker that is
killed.
"""

from __future__ import annotations

import os
import pickle
import random
import shutil
import tempfile
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from adjoint._core.generator import manual_seed
from adjoint.arrays.threads import set_num_threads
from adjoint.utils.data.dataset import get_items

__all__: list[str] = ["WorkerInfo", "get_worker_info"]


def __dir__() -> list[str]:
    return __all__


PIPE_SIZE = 32768
"""Bytes that all unread messages of a worker may have together, so that it never waits for a reader."""


@dataclass(frozen=True)
class WorkerInfo:
    """What a worker process knows of itself: its number, their number, its seed, its copy of the data set."""

    id: int
    num_workers: int
    seed: int
    dataset: Any


_current: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """Return what the running worker process of a `DataLoader` knows of itself; None in the main process.

    Example:
        >>> class Count(ad.utils.data.IterableDataset):
        ...     def __iter__(self):
        ...         worker = ad.utils.data.get_worker_info()
        ...         return iter(range(worker.id, 6, worker.num_workers) if worker else range(6))
    """
    return _current


# ---- from indices to batches -----------------------------------------------------------------------------------------


class Fetcher:
    """Turns what a sampler yields into a batch.

    Args:
        dataset: where samples are from.
        batched: whether samples are put into batches; else they are returned one by one.
        collate_fn: makes a batch of a list of samples, or converts a single sample.
        drop_last: leave out a batch that is too short; of an iterable data set, where no sampler does.
        iterable: whether the data set is iterated over, in which case indices are only counted.
    """

    def __init__(
        self, dataset: Any, batched: bool, collate_fn: Callable[[Any], Any], drop_last: bool, iterable: bool
    ) -> None:
        self._dataset, self._batched, self._collate_fn, self._drop_last = dataset, batched, collate_fn, drop_last
        self._samples: Iterator[Any] | None = iter(dataset) if iterable else None

    def fetch(self, indices: Any) -> Any:
        """Return a batch.

        Raises:
            StopIteration: at the end of an iterable data set.
        """
        if self._samples is None:
            samples = get_items(self._dataset, indices) if self._batched else self._dataset[indices]
        elif self._batched:
            samples = list(islice(self._samples, len(indices)))
            if not samples or (self._drop_last and len(samples) < len(indices)):
                raise StopIteration
        else:
            samples = next(self._samples)
        return self._collate_fn(samples)


# ---- messages --------------------------------------------------------------------------------------------------------


def send(connection: Any, message: Any, folder: str, limit: int, free: list[str]) -> None:
    """Send a message; see Note [Large batches go through files].

    Args:
        connection: end of a pipe.
        message: anything that can be pickled.
        folder: where files are put.
        limit: number of bytes up to which a message goes through the pipe.
        free: files there that may be written over; one that is used is taken out.
    """
    buffers: list[pickle.PickleBuffer] = []
    head = pickle.dumps(message, protocol=5, buffer_callback=buffers.append)
    parts = [memoryview(head), *(buffer.raw() for buffer in buffers)]
    sizes = [part.nbytes for part in parts]
    if sum(sizes) <= limit:
        connection.send((None, [bytes(part) for part in parts]))
        return
    if free:
        path = handle = free.pop()
    else:
        handle, path = tempfile.mkstemp(dir=folder)
    with open(handle, "r+b", buffering=0) as file:
        for part in parts:
            while part.nbytes:  # the system may write less than it is given
                part = part[file.write(part) :]
    connection.send((path, sizes))


def receive(connection: Any) -> tuple[Any, str | None]:
    """Return the next message of a pipe, and the file it was in if there is one."""
    path, parts = connection.recv()
    if path is not None:
        sizes, parts = parts, []
        with open(path, "rb", buffering=0) as file:
            for size in sizes:
                parts.append(memory := np.empty(size, np.uint8))
                view = memory.data
                while view.nbytes and (count := file.readinto(view)):
                    view = view[count:]
    else:
        parts = [parts[0], *map(bytearray, parts[1:])]  # memory that can be written to
    return pickle.loads(parts[0], buffers=parts[1:]), path


# ---- the process -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Assignment:
    """What all workers of a loader are told when they start."""

    dataset: Any
    fetcher_options: tuple[Any, ...]  # of `Fetcher`, after the data set
    init_fn: Callable[[int], None] | None
    num_workers: int
    base_seed: int
    folder: str
    limit: int


def run_worker(number: int, job: Assignment, connection: Any, parent: int, foreign_ends: list[Any]) -> None:
    """Work until told to stop, or until the main process is gone.

    Args:
        number: of this worker.
        job: what to do.
        connection: the worker's end of the pipe to the main process.
        parent: id of the main process.
        foreign_ends: ends of pipes that a forked process has inherited and has no use for.
    """
    global _current
    for end in foreign_ends:
        end.close()
    seed = job.base_seed + number
    _seed_everything(job.base_seed, number)
    set_num_threads(1)
    _current = WorkerInfo(number, job.num_workers, seed, job.dataset)
    try:
        _answer_requests(number, job, connection, parent)
    except KeyboardInterrupt:
        pass  # of the terminal, which interrupts all processes
    except (ConnectionError, EOFError):  # the main process is gone, and has not removed the files
        shutil.rmtree(job.folder, ignore_errors=True)


def _answer_requests(number: int, job: Assignment, connection: Any, parent: int) -> None:
    fetcher: Any = None
    free: list[str] = []  # files that the main process has read
    failure = _initialize(job.init_fn, number)
    for epoch, task, indices in _read_requests(connection, parent, free):
        if task is None:  # the beginning of an epoch
            fetcher = None
            continue
        try:
            if failure is not None:
                raise failure
            fetcher = fetcher or Fetcher(job.dataset, *job.fetcher_options)
            answer = ("batch", fetcher.fetch(indices))
        except StopIteration as stop:
            answer = ("end", None) if job.fetcher_options[-1] else ("error", _describe(stop, number))
        except Exception as error:
            answer = ("error", _describe(error, number))
        _send_answer(connection, (epoch, task, *answer), number, job, free)
        del answer


def _seed_everything(base_seed: int, number: int) -> None:
    random.seed(base_seed + number)
    manual_seed(base_seed + number)
    np.random.seed(np.random.SeedSequence([number, base_seed]).generate_state(4))  # noqa: NPY002 (the user's generator)


def _initialize(init_fn: Callable[[int], None] | None, number: int) -> Exception | None:
    """Call the user's function; its error is reported with the first batch."""
    try:
        if init_fn is not None:
            init_fn(number)
    except Exception as error:
        return error
    return None


def _read_requests(connection: Any, parent: int, free: list[str]) -> Iterator[Any]:
    """Yield requests of the main process until it says stop (None), which comes before all that was asked earlier."""
    waiting: deque[Any] = deque()
    while True:
        while connection.poll(0 if waiting else 5):
            request = connection.recv()
            if request is None:
                return
            *request, files = request
            free.extend(files)
            if request[1] is None:  # a new epoch: nobody waits for the rest of the last one
                waiting.clear()
            waiting.append(request)
        if waiting:
            yield waiting.popleft()
        elif os.getppid() != parent:
            raise EOFError


def _describe(error: Exception, number: int) -> Exception:
    """The error itself with the worker's traceback as a note; another one if it cannot be sent."""
    text = f"raised in DataLoader worker process {number}:\n{traceback.format_exc()}"
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        error = RuntimeError(f"{type(error).__name__}: {error}")
    error.add_note(text)
    return error


def _send_answer(connection: Any, answer: Any, number: int, job: Assignment, free: list[str]) -> None:
    try:
        send(connection, answer, job.folder, job.limit, free)
    except (ConnectionError, KeyboardInterrupt):
        raise
    except Exception as error:  # the batch cannot be pickled, or there is no room for it
        send(connection, (*answer[:2], "error", _describe(error, number)), job.folder, job.limit, free)
