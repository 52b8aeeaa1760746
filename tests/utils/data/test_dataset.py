"""Data sets, samplers and collation, without workers."""

from __future__ import annotations

import collections
import pickle

import numpy as np
import pytest

import adjoint as ad
from adjoint.utils import data

Point = collections.namedtuple("Point", "x y")


class Count(data.IterableDataset):
    def __init__(self, stop):
        self.stop = stop

    def __iter__(self):
        return iter(range(self.stop))

    def __len__(self):
        return self.stop


class Many(data.Dataset):
    """Fetches a batch at once, and remembers it."""

    def __init__(self):
        self.asked = []

    def __len__(self):
        return 6

    def __getitem__(self, index):
        return index * 10

    def __getitems__(self, indices):
        self.asked.append(list(indices))
        return [self[index] for index in indices]


def lists(batches):
    return [batch.tolist() for batch in batches]


# ---- data sets -------------------------------------------------------------------------------------------------------


def test_tensor_dataset():
    rows = data.TensorDataset(ad.arange(4), ad.arange(8).reshape(4, 2))
    assert len(rows) == 4
    x, y = rows[2]
    assert (x.item(), y.tolist()) == (2, [4, 5])
    with pytest.raises(ValueError, match="different lengths: 4, 3"):
        data.TensorDataset(ad.arange(4), ad.arange(3))


def test_stack_dataset():
    pairs = data.StackDataset([1, 2, 3], "abc")
    assert pairs[1] == (2, "b") and len(pairs) == 3
    named = data.StackDataset(x=[1, 2], y="ab")
    assert named[0] == {"x": 1, "y": "a"}
    inner = Many()
    assert data.StackDataset(inner, range(6)).__getitems__([1, 3]) == [(10, 1), (30, 3)]
    assert inner.asked == [[1, 3]]
    for args, kwargs in [((), {}), (([1],), {"x": [1]}), (([1], [1, 2]), {})]:
        with pytest.raises(ValueError):
            data.StackDataset(*args, **kwargs)


def test_concat_dataset():
    joined = Many() + data.TensorDataset(ad.arange(2))
    assert isinstance(joined, data.ConcatDataset)
    assert (len(joined), joined.cumulative_sizes) == (8, [6, 8])
    assert joined[5] == 50 and joined[7][0].item() == 1 and joined[-1][0].item() == 1
    for index, error in [(8, IndexError), (-9, ValueError)]:
        with pytest.raises(error, match="out of range for a data set of length 8"):
            joined[index]
    for wrong in ([], [Count(2)]):
        with pytest.raises(ValueError):
            data.ConcatDataset(wrong)


def test_chain_dataset():
    chain = Count(2) + Count(3)
    assert list(chain) == [0, 1, 0, 1, 2] and len(chain) == 5
    with pytest.raises(TypeError, match="got list"):
        list(data.ChainDataset([[1]]))


def test_subset_asks_for_a_batch_at_once():
    inner = Many()
    subset = data.Subset(inner, [5, 3, 1])
    assert (len(subset), subset[1]) == (3, 30)
    assert lists(data.DataLoader(subset, batch_size=2)) == [[50, 30], [10]]
    assert inner.asked == [[5, 3], [1]]


def test_random_split():
    first = data.random_split(range(10), [3, 7], ad.Generator().manual_seed(1))
    again = data.random_split(range(10), [3, 7], ad.Generator().manual_seed(1))
    assert [list(part) for part in first] == [list(part) for part in again]
    assert sorted([*first[0], *first[1]]) == list(range(10))
    assert [len(part) for part in data.random_split(range(10), [1 / 3] * 3)] == [4, 3, 3]
    with pytest.raises(ValueError, match="sum to 9, and the data set has 10"):
        data.random_split(range(10), [4, 5])
    with pytest.raises(ValueError, match=r"fraction 0 is 1\.5"):
        data.random_split(range(10), [1.5, -0.5])
    with pytest.warns(UserWarning, match="part 1 is empty"):
        data.random_split(range(1), [0.5, 0.5])


# ---- samplers --------------------------------------------------------------------------------------------------------


def test_random_samplers_follow_their_generator():
    def make(seed):
        source = ad.Generator().manual_seed(seed)
        return [
            data.RandomSampler(range(9), generator=source),
            data.RandomSampler(range(9), replacement=True, num_samples=40, generator=source),
            data.RandomSampler(range(4), num_samples=9, generator=source),
            data.SubsetRandomSampler([3, 5, 7, 9, 11], source),
            data.WeightedRandomSampler([1.0, 2.0, 3.0], 20, generator=source),
        ]

    drawn, again, other = ([list(sampler) for sampler in make(seed)] for seed in (0, 0, 1))
    assert drawn == again
    assert all(a != b for a, b in zip(drawn, other))
    assert [len(sampler) for sampler in make(0)] == [len(one) for one in drawn] == [9, 40, 9, 5, 20]
    assert sorted(drawn[0]) == list(range(9)) and sorted(drawn[2][:8]) == sorted([*range(4)] * 2)
    assert sorted(drawn[3]) == [3, 5, 7, 9, 11] and set(drawn[4]) <= {0, 1, 2}


def test_random_samplers_follow_the_default_generator():
    orders = []
    for _ in range(2):
        ad.manual_seed(3)
        sampler = data.RandomSampler(range(20))
        orders.append((list(sampler), list(sampler)))
    assert orders[0] == orders[1] and orders[0][0] != orders[0][1]


def test_weights_are_probabilities():
    ad.manual_seed(0)
    drawn = list(data.WeightedRandomSampler([1.0, 0.0, 3.0], 4000))
    assert 1 not in drawn and abs(drawn.count(2) / 4000 - 0.75) < 0.03
    assert sorted(data.WeightedRandomSampler([1.0, 2.0, 3.0], 3, replacement=False)) == [0, 1, 2]


@pytest.mark.parametrize(
    "make",
    [
        lambda: data.RandomSampler(range(3), num_samples=-1),
        lambda: data.WeightedRandomSampler([1.0], 0),
        lambda: data.WeightedRandomSampler([[1.0]], 1),
        lambda: data.BatchSampler(range(3), 0, False),
        lambda: data.BatchSampler(range(3), 2, 1),
        lambda: data.DistributedSampler(range(3), 2, 2),
    ],
)
def test_samplers_refuse_wrong_arguments(make):
    with pytest.raises(ValueError):
        make()


def test_processes_share_a_data_set():
    def parts(epoch, **options):
        samplers = [data.DistributedSampler(range(10), 3, rank, **options) for rank in range(3)]
        for sampler in samplers:
            sampler.set_epoch(epoch)
            assert len(list(sampler)) == len(sampler)
        return [list(sampler) for sampler in samplers]

    assert parts(0, shuffle=False) == [[0, 3, 6, 9], [1, 4, 7, 0], [2, 5, 8, 1]]
    assert parts(0, shuffle=False, drop_last=True) == [[0, 3, 6], [1, 4, 7], [2, 5, 8]]
    assert {index for part in parts(0) for index in part} == set(range(10)) and parts(0) == parts(0) != parts(1)


# ---- collation -------------------------------------------------------------------------------------------------------


def test_nested_samples_keep_their_structure():
    sample = {"p": Point(1, 2.0), "s": ("a", np.float32(3)), "l": [ad.ones(2), np.arange(3)], "b": b"x", "t": True}
    batch = data.default_collate([sample, sample])
    assert type(batch["p"]) is Point and batch["p"].x.dtype is ad.int64 and batch["p"].y.dtype is ad.float64
    assert batch["s"][0] == ("a", "a") and batch["s"][1].dtype is ad.float32
    assert batch["l"][0].shape == (2, 2) and batch["l"][1].tolist() == [[0, 1, 2]] * 2
    assert batch["b"] == [b"x", b"x"] and batch["t"].dtype is ad.bool


def test_gradients_flow_through_a_batch():
    x = ad.ones(2, requires_grad=True)
    data.default_collate([x, x * 2]).sum().backward()
    assert x.grad.tolist() == [3, 3]


@pytest.mark.parametrize(
    ("samples", "error", "message"),
    [
        ([ad.ones(2), ad.ones(3)], RuntimeError, r"different shapes: \(2,\), \(3,\)"),
        ([(1, 2), (1,)], RuntimeError, "different lengths: 1, 2"),
        ([object()], TypeError, "a sample of <class 'object'>"),
        ([np.array(["a"])], TypeError, "arrays of dtype <U1"),
    ],
)
def test_samples_that_cannot_be_stacked(samples, error, message):
    with pytest.raises(error, match=message):
        data.default_collate(samples)


# ---- loading in this process -----------------------------------------------------------------------------------------


def test_batches():
    assert lists(data.DataLoader(range(5), batch_size=2)) == [[0, 1], [2, 3], [4]]
    assert lists(data.DataLoader(range(5), 2, drop_last=True)) == [[0, 1], [2, 3]]
    assert lists(data.DataLoader(range(5), batch_sampler=[[4, 0], [1]])) == [[4, 0], [1]]
    assert lists(data.DataLoader(range(5), sampler=[3, 2])) == [[3], [2]]
    assert list(data.DataLoader(range(3), batch_size=None)) == [0, 1, 2]
    assert list(data.DataLoader(range(3), 2, collate_fn=sum)) == [1, 2]
    assert lists(data.DataLoader(Count(5), batch_size=2)) == [[0, 1], [2, 3], [4]]
    assert lists(data.DataLoader(Count(5), batch_size=2, drop_last=True)) == [[0, 1], [2, 3]]
    assert len(data.DataLoader(range(5), 2)) == len(iter(data.DataLoader(Count(5), 2))) == 3
    assert len(data.DataLoader(Count(5), 2, drop_last=True)) == 2


def test_shuffled_batches_can_be_repeated():
    def order():
        loader = data.DataLoader(range(20), batch_size=4, shuffle=True, generator=ad.Generator().manual_seed(5))
        return [lists(loader), lists(loader)]

    first, second = order()
    assert (
        order() == [first, second]
        and first != second
        and sorted(index for batch in first for index in batch) == list(range(20))
    )


@pytest.mark.parametrize(
    "arguments",
    [
        {"num_workers": -1},
        {"timeout": -1},
        {"prefetch_factor": 2},
        {"persistent_workers": True},
        {"multiprocessing_context": "fork"},
        {"num_workers": 1, "prefetch_factor": 0},
        {"shuffle": True, "sampler": [1]},
        {"batch_sampler": [[1]], "batch_size": 2},
        {"batch_size": None, "drop_last": True},
        {"dataset": Count(2), "shuffle": True},
        {"dataset": Count(2), "sampler": [1]},
        {"dataset": Count(2), "batch_sampler": [[1]]},
    ],
    ids=lambda arguments: "-".join(arguments),
)
def test_arguments_that_contradict_each_other(arguments):
    with pytest.raises(ValueError, match="DataLoader: "):
        data.DataLoader(**({"dataset": range(3)} | arguments))


def test_a_loader_can_be_copied():
    loader = pickle.loads(pickle.dumps(data.DataLoader(range(3), 2, num_workers=1, persistent_workers=True)))
    assert (loader.batch_size, len(loader), loader.prefetch_factor) == (2, 2, 2)


def test_a_loader_keeps_its_batch_size():
    loader = data.DataLoader(range(3))
    with pytest.raises(ValueError, match="batch_size of a DataLoader cannot be changed"):
        loader.batch_size = 2
