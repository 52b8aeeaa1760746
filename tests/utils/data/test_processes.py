"""Workers of `DataLoader`: the same batches in the same order; errors, interrupts, deaths; nothing is left behind."""

from __future__ import annotations

import gc
import itertools
import multiprocessing
import multiprocessing.resource_tracker
import os
import random
import signal
import subprocess
import sys
import threading
import time
import traceback

import numpy as np
import pytest

import adjoint as ad
from adjoint.utils import data

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked, and counted in /proc")


class Rows(data.Dataset):
    """Samples of a few kinds and sizes; `act` is called with the index in the worker."""

    def __init__(self, length=8, act=lambda index: None, size=3):
        self.length, self.act, self.size = length, act, size

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        if index >= self.length:
            raise IndexError(index)
        self.act(index)
        return {"x": ad.full((self.size,), float(index)), "a": np.full((2,), index), "n": index, "s": str(index)}


class Shared(data.IterableDataset):
    """Divided among the workers."""

    def __iter__(self):
        worker = data.get_worker_info()
        return iter(range(worker.id, 11, worker.num_workers) if worker else range(11))


def folders_of(pid):
    return [name for name in os.listdir("/dev/shm") if name.startswith(f"adjoint-{pid}-")]


def remains():
    """What could be left behind: children, open files, files in memory."""
    gc.collect()
    return (
        sorted(child.pid for child in multiprocessing.active_children()),
        len(os.listdir("/proc/self/fd")),
        folders_of(os.getpid()),
    )


@pytest.fixture(autouse=True)
def _nothing_is_left_behind():
    multiprocessing.resource_tracker.ensure_running()  # Python's own, to which it keeps a pipe
    before = remains()
    yield
    assert remains() == before


def same(a, b):
    return a["s"] == b["s"] and all(ad.equal(a[key], b[key]) and a[key].dtype is b[key].dtype for key in "xan")


@pytest.mark.parametrize("size", [3, 20_000], ids=["through the pipe", "through files"])
def test_batches_are_the_same_with_and_without_workers(size):
    dataset = Rows(9, size=size)
    expected = list(data.DataLoader(dataset, batch_size=2))
    found = list(data.DataLoader(dataset, batch_size=2, num_workers=2))
    assert len(found) == 5 and all(map(same, found, expected))
    found[0]["x"] += 1  # ordinary memory
    found[0]["a"] += 1


def test_files_are_written_over():
    batches = iter(data.DataLoader(Rows(40, size=20_000), num_workers=2))
    kept = list(itertools.islice(batches, 30))
    (folder,) = folders_of(os.getpid())
    assert len(os.listdir(f"/dev/shm/{folder}")) <= 8  # two workers that prepare two batches each, and what was read
    kept += batches
    assert [batch["n"].item() for batch in kept] == list(range(40))
    assert all((batch["x"] == number).all() for number, batch in enumerate(kept))  # each has memory of its own


def test_the_order_does_not_depend_on_speed():
    dataset = Rows(6, act=lambda index: time.sleep(0.02 * (index % 2 == 0)))
    loader = data.DataLoader(dataset, num_workers=2)
    assert [batch["n"].item() for batch in loader] == list(range(6))
    free = data.DataLoader(dataset, num_workers=2, in_order=False)
    assert sorted(batch["n"].item() for batch in free) == list(range(6))


def test_iterable_data_sets_are_divided():
    loader = data.DataLoader(Shared(), batch_size=2, num_workers=2)
    # Worker 0 has 0, 2, ..., 10 and worker 1 has 1, 3, ..., 9; they take turns.
    assert [b.tolist() for b in loader] == [[0, 2], [1, 3], [4, 6], [5, 7], [8, 10], [9]]
    free = data.DataLoader(Shared(), batch_size=None, num_workers=2, in_order=False)
    assert sorted(free) == list(range(11))


class Seeds(data.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        worker = data.get_worker_info()
        numbers = (ad.rand(()).item(), random.random(), np.random.rand())  # noqa: NPY002
        return worker.id, worker.seed, worker.num_workers, ad.initial_seed(), ad.get_num_threads(), numbers


def test_each_worker_has_its_own_seed():
    def load():
        ad.manual_seed(1)
        loader = data.DataLoader(Seeds(), batch_size=None, num_workers=2, collate_fn=lambda sample: sample)
        return list(loader)

    first, again = load(), load()
    assert first == again
    assert [sample[0] for sample in first] == [0, 1, 0, 1]
    assert first[1][1] == first[0][1] + 1  # the base seed and the worker's number
    assert all(sample[2] == 2 and sample[3] == sample[1] and sample[4] == 1 for sample in first)
    assert len({number for sample in first for number in sample[5]}) == 12
    assert data.get_worker_info() is None


def test_workers_can_live_on():
    pids = data.DataLoader(
        Rows(4), num_workers=2, persistent_workers=True, collate_fn=lambda samples: (samples[0]["n"], os.getpid())
    )
    epochs = [list(pids), [next(iter(pids))], list(pids)]  # the second is left early
    assert [[number for number, _ in epoch] for epoch in epochs] == [[0, 1, 2, 3], [0], [0, 1, 2, 3]]
    assert len({pid for epoch in epochs for _, pid in epoch}) == 2
    del pids
    again = data.DataLoader(Shared(), batch_size=4, num_workers=2, persistent_workers=True)
    assert [b.tolist() for b in again] == [b.tolist() for b in again]
    del again


def compute(index):
    """Enough for several threads, which a forked process has to start for itself."""
    ad.set_num_threads(2)
    assert ad.ones(1_000_000).exp().sum() > 0


def test_threads_of_the_main_process_are_not_missed():
    count = ad.get_num_threads()
    try:
        compute(0)
        assert len(list(data.DataLoader(Rows(4, compute), num_workers=2))) == 4
    finally:
        ad.set_num_threads(count)


def fail(index):
    if index == 3:
        raise KeyError("no such sample")


class Unpicklable(Exception):
    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


def fail_oddly(index):
    raise Unpicklable(1, 2)


def test_an_error_arrives_with_the_workers_traceback():
    batches = iter(data.DataLoader(Rows(8, fail), num_workers=2))
    assert [next(batches)["n"].item() for _ in range(3)] == [0, 1, 2]
    with pytest.raises(KeyError, match="no such sample") as caught:
        next(batches)
    text = "".join(traceback.format_exception(caught.value))
    assert "raised in DataLoader worker process 1" in text and 'raise KeyError("no such sample")' in text
    with pytest.raises(StopIteration):
        next(batches)
    with pytest.raises(RuntimeError, match="Unpicklable: 1 and 2"):
        list(data.DataLoader(Rows(2, fail_oddly), num_workers=1))
    with pytest.raises(ZeroDivisionError):
        list(data.DataLoader(Rows(2), num_workers=1, worker_init_fn=lambda number: 1 / number))
    with pytest.raises(Exception, match=r"pickle|local object"):
        list(data.DataLoader(Rows(2), num_workers=1, collate_fn=lambda samples: lambda: 0))


def test_a_loop_that_is_left_early():
    for batch in data.DataLoader(Rows(1000, size=20_000), num_workers=2):
        assert batch["n"].item() == 0
        break


def test_a_worker_that_is_killed():
    def die(index):
        if index == 2:
            os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(RuntimeError, match=r"worker process 0 \(pid \d+\) was killed by SIGKILL"):
        list(data.DataLoader(Rows(8, die, size=20_000), num_workers=2))
    with pytest.raises(RuntimeError, match="ended without an answer, with exit code 3"):
        list(data.DataLoader(Rows(8, lambda index: os._exit(3)), num_workers=1))


def test_a_worker_that_takes_too_long(monkeypatch):
    monkeypatch.setattr("adjoint.utils.data.processes.PATIENCE", 0.1)
    with pytest.raises(RuntimeError, match=r"timed out: no batch .* for 0.2 seconds"):
        list(data.DataLoader(Rows(4, lambda index: time.sleep(60)), num_workers=1, timeout=0.2))


def test_an_interrupt_stops_the_workers(monkeypatch):
    monkeypatch.setattr("adjoint.utils.data.processes.PATIENCE", 0.1)
    timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        list(data.DataLoader(Rows(4, lambda index: time.sleep(60)), num_workers=2))
    timer.join()


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return ") Z " not in file.read()  # ended, and not yet asked for its exit code
    except FileNotFoundError:
        return False


def test_workers_end_with_the_main_process():
    program = (
        "import os, adjoint as ad\n"
        "batches = iter(ad.utils.data.DataLoader(range(100), num_workers=2))\n"
        "next(batches)\n"
        "print(os.getpid(), *[process.pid for process in batches._workers._processes], flush=True)\n"
        "os._exit(0)\n"
    )
    pids = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    deadline = time.monotonic() + 10
    while any(map(is_running, pids)) or folders_of(pids[0]):
        assert time.monotonic() < deadline, "workers are still running"
        time.sleep(0.02)


@pytest.mark.slow
def test_workers_that_are_spawned():
    loader = data.DataLoader(range(4), num_workers=1, multiprocessing_context="spawn")
    assert [batch.item() for batch in loader] == [0, 1, 2, 3]
