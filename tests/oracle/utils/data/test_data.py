"""Data loading against PyTorch: batches, lengths, errors, seeds of workers."""

from __future__ import annotations

import collections
from importlib import import_module

import numpy as np
import pytest

import adjoint as ad
from tests.utils.data.test_processes import Seeds

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

Point = collections.namedtuple("Point", "x y")


class Attributed(dict):
    note = "kept"


SAMPLES = {
    "integers": lambda lib: [1, 2],
    "booleans": lambda lib: [True, False],
    "floats": lambda lib: [1.5, 2.5],
    "strings": lambda lib: ["a", "b"],
    "bytes": lambda lib: [b"a", b"b"],
    "tensors": lambda lib: [lib.ones(2), lib.zeros(2)],
    "half": lambda lib: [lib.ones(2, dtype=lib.float16)] * 2,
    "0-dim": lambda lib: [lib.tensor(1), lib.tensor(2)],
    "arrays": lambda lib: [np.ones(2), np.zeros(2)],
    "narrow arrays": lambda lib: [np.ones((2, 1), np.float32)] * 2,
    "0-dim arrays": lambda lib: [np.array(1), np.array(2)],
    "numpy integers": lambda lib: [np.int32(1), np.int32(2)],
    "numpy floats": lambda lib: [np.float32(1), np.float32(2)],
    "numpy doubles": lambda lib: [np.float64(1), np.float64(2)],
    "numpy booleans": lambda lib: [np.bool_(True), np.bool_(False)],
    "dictionaries": lambda lib: [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}],
    "subclass": lambda lib: [Attributed(a=1), Attributed(a=2)],
    "tuples": lambda lib: [(1, "a"), (2, "b")],
    "lists": lambda lib: [[1, 2.0], [3, 4.0]],
    "namedtuples": lambda lib: [Point(1, 2.0), Point(3, 4.0)],
    "nested": lambda lib: [{"p": Point((1, [2]), {"q": lib.ones(1)})}] * 3,
    "empty tuples": lambda lib: [(), ()],
    "unequal shapes": lambda lib: [lib.ones(2), lib.ones(3)],
    "unequal lengths": lambda lib: [(1,), (1, 2)],
    "objects": lambda lib: [object(), object()],
    "none": lambda lib: [None],
    "array of strings": lambda lib: [np.array(["a"])],
    "nothing": lambda lib: [],
}


def describe(library, value):
    """A value as something that can be compared between libraries."""
    if isinstance(value, library.Tensor):
        return "tensor", str(value.dtype).rpartition(".")[2], value.tolist()
    if isinstance(value, dict):
        return type(value).__name__, {key: describe(library, item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [describe(library, item) for item in value]
    return value if not isinstance(value, (np.ndarray, np.generic)) else ("numpy", value.tolist())


def outcome(library, function):
    try:
        return describe(library, function(library, import_module(f"{library.__name__}.utils.data")))
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("samples", SAMPLES.values(), ids=SAMPLES)
def test_collation(samples):
    collate = lambda library, data: data.default_collate(samples(library))
    convert = lambda library, data: [data.default_convert(sample) for sample in samples(library)]
    assert outcome(ad, collate) == outcome(torch, collate)
    if "object" not in str(outcome(torch, convert)):
        assert outcome(ad, convert) == outcome(torch, convert)




LOADS = {
    "default": lambda data: data.DataLoader(range(5)),
    "batches": lambda data: data.DataLoader(range(5), 2),
    "drop_last": lambda data: data.DataLoader(range(5), 2, drop_last=True),
    "too long": lambda data: data.DataLoader(range(2), 5, drop_last=True),
    "sampler": lambda data: data.DataLoader(range(5), 2, sampler=[3, 1, 2]),
    "batch_sampler": lambda data: data.DataLoader(range(5), batch_sampler=[[3], [1, 2]]),
    "no batches": lambda data: data.DataLoader(range(5), batch_size=None),
    "no batches, arrays": lambda data: data.DataLoader(np.eye(2), batch_size=None),
    "rows": lambda data: data.DataLoader(np.eye(3), 2),
    "empty": lambda data: data.DataLoader([], 2),
    "subset": lambda data: data.DataLoader(data.Subset(range(10), [5, 3, 1]), 2),
    "concatenated": lambda data: data.DataLoader(data.ConcatDataset([range(3), range(2)]), 2),
    "stacked": lambda data: data.DataLoader(data.StackDataset(a=range(3), b="xyz"), 2),
    "distributed": lambda data: data.DataLoader(range(7), 2, sampler=data.DistributedSampler(range(7), 3, 1, False)),
    "workers": lambda data: data.DataLoader(range(7), 2, num_workers=2),
    "workers, rows": lambda data: data.DataLoader(np.eye(3), 2, num_workers=1),
    "batch_size 0": lambda data: data.DataLoader(range(5), 0),
    "shuffle and sampler": lambda data: data.DataLoader(range(5), shuffle=True, sampler=[1]),
    "shuffle of nothing": lambda data: data.DataLoader([], shuffle=True),
    "index error": lambda data: data.DataLoader(range(5), sampler=[7]),
}


@pytest.mark.parametrize("make", LOADS.values(), ids=LOADS)
def test_loading(make):
    load = lambda library, data: [len(make(data)), *make(data)]
    assert outcome(ad, load) == outcome(torch, load)


LENGTHS = {
    "random": lambda data: data.RandomSampler(range(5)),
    "random, fewer": lambda data: data.RandomSampler(range(5), num_samples=3),
    "random, more": lambda data: data.RandomSampler(range(5), num_samples=13),
    "replacement": lambda data: data.RandomSampler(range(5), True, 40),
    "subset": lambda data: data.SubsetRandomSampler([1, 2]),
    "weighted": lambda data: data.WeightedRandomSampler([1, 2, 3], 7),
    "batches": lambda data: data.BatchSampler(data.SequentialSampler(range(5)), 2, False),
    "whole batches": lambda data: data.BatchSampler(range(5), 2, True),
    "distributed": lambda data: data.DistributedSampler(range(7), 3, 1),
    "distributed, whole": lambda data: data.DistributedSampler(range(2), 3, 1, drop_last=True),
    "negative": lambda data: data.RandomSampler(range(5), num_samples=-1),
    "no weights": lambda data: data.WeightedRandomSampler([1], 0),
}


@pytest.mark.parametrize("make", LENGTHS.values(), ids=LENGTHS)
def test_lengths_of_samplers(make):
    lengths = lambda library, data: [len(make(data)), len(list(make(data)))]
    assert outcome(ad, lengths) == outcome(torch, lengths)


@pytest.mark.parametrize("lengths", [[3, 7], [0.5, 0.5], [1 / 3] * 3, [0.95, 0.05], [3, 3], [0.5, 0.6], [1.5, -0.5]])
@pytest.mark.filterwarnings("ignore")
def test_random_split(lengths):
    split = lambda library, data: [len(part) for part in data.random_split(range(10), lengths)]
    assert outcome(ad, split) == outcome(torch, split)


class TorchSeeds(Seeds):
    def __getitem__(self, index):
        worker = torch.utils.data.get_worker_info()
        return worker.id, worker.seed, np.random.rand()  # noqa: NPY002


def test_seeds_of_workers(monkeypatch):
    """With one base seed, NumPy's random numbers are the same in both."""
    loader = torch.utils.data.DataLoader(TorchSeeds(), batch_size=None, num_workers=2, collate_fn=list)
    theirs = list(loader)
    monkeypatch.setattr("adjoint.utils.data.dataloader.draw_seed", lambda generator: theirs[0][1])
    ours = list(ad.utils.data.DataLoader(Seeds(), batch_size=None, num_workers=2, collate_fn=list))
    assert [[sample[0], sample[1], sample[5][2]] for sample in ours] == theirs
