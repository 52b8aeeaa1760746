"""`DataLoader`: batches of a data set, made in this process or by workers."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from adjoint._core.generator import Generator
from adjoint.utils.data.collate import default_collate as default_collate
from adjoint.utils.data.collate import default_convert as default_convert
from adjoint.utils.data.dataset import IterableDataset
from adjoint.utils.data.processes import Workers, choose_context
from adjoint.utils.data.sampler import BatchSampler, RandomSampler, SequentialSampler, draw_seed
from adjoint.utils.data.worker import Fetcher
from adjoint.utils.data.worker import get_worker_info as get_worker_info

__all__: list[str] = ["DataLoader", "default_collate", "default_convert", "get_worker_info"]


def __dir__() -> list[str]:
    return __all__


_FIXED = frozenset("batch_size batch_sampler sampler drop_last dataset persistent_workers".split())


class DataLoader:
    """Iterate over a data set in batches.

    Args:
        dataset: a `Dataset`, anything with ``len()`` and indices, or an `IterableDataset`.
        batch_size: samples in a batch; None yields the samples one by one.
        shuffle: whether their order is random, another one each time.
        sampler: yields the indices, instead of `shuffle`.
        batch_sampler: yields lists of indices, instead of `batch_size`, `shuffle`, `sampler` and `drop_last`.
        num_workers: processes that make the batches; 0 makes them in this process.
        collate_fn: makes a batch of a list of samples; by default `default_collate`.
        pin_memory: understood and ignored.
        drop_last: whether to leave out the last batch if it is short.
        timeout: seconds to wait for a worker; 0 waits for as long as it lives.
        worker_init_fn: called with the worker's number in each worker when it starts.
        multiprocessing_context: how workers start: a name such as "spawn", or a context of `multiprocessing`.
        generator: of the random order and the workers' seeds; None for the default one.
        prefetch_factor: batches that each worker prepares ahead; 2 by default.
        persistent_workers: whether workers live on after an epoch.
        pin_memory_device: understood and ignored.
        in_order: False yields batches of workers as they become ready.

    Example:
        >>> data = ad.utils.data.TensorDataset(ad.arange(5), ad.arange(5) ** 2)
        >>> for x, y in ad.utils.data.DataLoader(data, batch_size=3):
        ...     print(x.tolist(), y.tolist())
        [0, 1, 2] [0, 1, 4]
        [3, 4] [9, 16]
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable[Any] | None = None,
        batch_sampler: Iterable[Any] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: Any = None,
        generator: Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        iterable = isinstance(dataset, IterableDataset)
        _check_workers(num_workers, timeout, prefetch_factor, persistent_workers, multiprocessing_context)
        _check_order(iterable, batch_size, shuffle, sampler, batch_sampler, drop_last)
        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = 2 if prefetch_factor is None and num_workers > 0 else prefetch_factor
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.generator = generator
        self.in_order = in_order
        self.persistent_workers = persistent_workers
        if batch_sampler is not None:
            batch_size, drop_last = None, False
        if sampler is None:
            if iterable:
                sampler = _Endless()
            else:
                sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        if batch_sampler is None and batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.collate_fn = collate_fn or (default_convert if batch_sampler is None else default_collate)
        self._iterable = iterable
        self._workers: Workers | None = None  # those that live on
        self._epoch = 0  # the last one that workers have begun
        self._complete = True

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _FIXED and self.__dict__.get("_complete"):
            raise ValueError(f"{name} of a DataLoader cannot be changed after its samplers are made; make another one")
        super().__setattr__(name, value)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_workers": None}  # processes are not copied

    def __len__(self) -> int:
        """Number of batches."""
        if not self._iterable:
            return len(self._index_sampler)  # type: ignore[arg-type]
        length = len(self.dataset)
        if self.batch_size is None:
            return length
        return length // self.batch_size if self.drop_last else -(-length // self.batch_size)

    @property
    def _index_sampler(self) -> Iterable[Any]:
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    @property
    def _fetcher_options(self) -> tuple[Any, ...]:
        return self.batch_sampler is not None, self.collate_fn, self.drop_last, self._iterable

    def __iter__(self) -> Iterator[Any]:
        """Begin an epoch: return an iterator of batches."""
        seed = draw_seed(self.generator)
        if self.num_workers == 0:
            return _Batches(self)
        return _BatchesOfWorkers(self, self._find_workers(seed))

    def _find_workers(self, seed: int) -> Workers:
        """Those that live on, or new ones."""
        if self._workers is not None and self._workers.is_running():
            return self._workers
        options = {
            "dataset": self.dataset,
            "fetcher_options": self._fetcher_options,
            "init_fn": self.worker_init_fn,
            "base_seed": seed,
        }
        context = choose_context(self.multiprocessing_context)
        assert self.prefetch_factor is not None
        workers = Workers(context, self.num_workers, options, self.prefetch_factor)
        if self.persistent_workers:
            self._workers = workers
        return workers


class _Endless:
    """The sampler of an iterable data set, which has no indices."""

    def __iter__(self) -> Iterator[None]:
        return itertools.repeat(None)


class _Batches:
    """An epoch, made in this process."""

    def __init__(self, loader: DataLoader) -> None:
        self._loader = loader
        self._indices = iter(loader._index_sampler)
        self._fetcher = Fetcher(loader.dataset, *loader._fetcher_options)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return self._fetcher.fetch(next(self._indices))

    def __len__(self) -> int:
        return len(self._loader)


class _BatchesOfWorkers:
    """An epoch, made by workers that take turns; each has some batches to prepare ahead.

    Args:
        loader: whose batches they are.
        workers: the processes.
    """

    def __init__(self, loader: DataLoader, workers: Workers) -> None:
        self._loader = loader
        self._workers = workers
        self._indices = enumerate(loader._index_sampler)
        loader._epoch += 1
        self._epoch = loader._epoch
        self._tasks: deque[tuple[int, int]] = deque()  # number and worker of what is being prepared, in order
        self._turn = 0
        self._active = [True] * loader.num_workers  # those that have not come to the end of an iterable data set
        self._pending = [0] * loader.num_workers
        self._finished = False
        for worker in range(loader.num_workers):
            workers.ask(worker, (self._epoch, None, None))
        assert loader.prefetch_factor is not None
        for _ in range(loader.prefetch_factor * loader.num_workers):
            self._ask_for_one()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __len__(self) -> int:
        return len(self._loader)

    def _ask_for_one(self) -> None:
        """Give the next batch to the worker whose turn it is; one that is slow may be passed over if order is free."""
        count = self._loader.num_workers
        order = [(self._turn + step) % count for step in range(count)]
        free = [worker for worker in order if self._active[worker]]
        if not self._loader.in_order:
            free.sort(key=lambda worker: self._pending[worker])
        if not free:
            return
        task = next(self._indices, None)
        if task is not None:
            worker = free[0]
            self._turn = worker + 1
            self._pending[worker] += 1
            self._tasks.append((task[0], worker))
            self._workers.ask(worker, (self._epoch, *task))

    def __next__(self) -> Any:
        if self._finished:
            raise StopIteration
        try:
            return self._next_batch()
        except BaseException:  # also an interrupt, and the end
            self._finished = True
            if self._loader._workers is not self._workers or self._tasks:
                self._workers.stop()
            raise

    def _next_batch(self) -> Any:
        while self._tasks:
            if self._loader.in_order:
                wanted = {self._tasks[0][1]}
            else:
                wanted = {worker for _, worker in self._tasks}
            worker, (epoch, task, kind, value) = self._workers.await_answer(wanted, self._loader.timeout)
            if epoch != self._epoch:
                continue  # of an epoch that was left early
            self._tasks.remove((task, worker))
            self._pending[worker] -= 1
            if kind == "end":
                self._active[worker] = False
                self._tasks = deque(one for one in self._tasks if one[1] != worker)
            self._ask_for_one()
            if kind == "error":
                raise value
            if kind == "batch":
                return value
        raise StopIteration


# ---- arguments -------------------------------------------------------------------------------------------------------


def _check_workers(num_workers: int, timeout: float, prefetch: int | None, persistent: bool, context: Any) -> None:
    if num_workers < 0:
        raise ValueError(f"DataLoader: num_workers is a number of processes, or 0 for none, not {num_workers}")
    if timeout < 0:
        raise ValueError(f"DataLoader: timeout is a number of seconds, or 0 for none, not {timeout}")
    if num_workers == 0:
        given = {"prefetch_factor": prefetch is not None, "persistent_workers": persistent}
        for name, is_given in (given | {"multiprocessing_context": context is not None}).items():
            if is_given:
                raise ValueError(f"DataLoader: {name} is for workers, and there are none; set num_workers")
    elif prefetch is not None and prefetch <= 0:
        raise ValueError(f"DataLoader: prefetch_factor is a positive number of batches, not {prefetch}")


def _check_order(
    iterable: bool, batch_size: int | None, shuffle: bool | None, sampler: Any, batch_sampler: Any, drop_last: bool
) -> None:
    if iterable:
        given = {"shuffle": bool(shuffle), "sampler": sampler is not None, "batch_sampler": batch_sampler is not None}
        for name, is_given in given.items():
            if is_given:
                raise ValueError(f"DataLoader: an IterableDataset has its own order, so {name} cannot be set")
    if sampler is not None and shuffle:
        raise ValueError("DataLoader: the sampler decides on the order, so shuffle cannot be set")
    if batch_sampler is not None:
        if batch_size != 1 or shuffle or sampler is not None or drop_last:
            raise ValueError(
                "DataLoader: the batch_sampler decides on batches and order, so batch_size, shuffle, sampler and "
                "drop_last cannot be set"
            )
    elif batch_size is None and drop_last:
        raise ValueError("DataLoader: without batches (batch_size=None) there is no last one to drop")
