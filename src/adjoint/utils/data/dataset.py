"""Data sets: `Dataset` with a length and indices, `IterableDataset` without, and combinations of them."""

from __future__ import annotations

import bisect
import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, Generic, TypeVar

from adjoint._core.generator import Generator
from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops

__all__ = [
    "ChainDataset",
    "ConcatDataset",
    "Dataset",
    "IterableDataset",
    "StackDataset",
    "Subset",
    "TensorDataset",
    "random_split",
]


def __dir__() -> list[str]:
    return __all__


T = TypeVar("T", covariant=True)


class Dataset(Generic[T]):
    """A data set whose samples have numbers. Subclasses define `__getitem__`, and mostly `__len__`.

    If there is a method ``__getitems__(indices)``, it returns the samples of a batch at once.

    Example:
        >>> class Squares(ad.utils.data.Dataset):
        ...     def __len__(self):
        ...         return 4
        ...
        ...     def __getitem__(self, index):
        ...         return index**2
        >>> [batch.tolist() for batch in ad.utils.data.DataLoader(Squares(), batch_size=2)]
        [[0, 1], [4, 9]]
    """

    def __getitem__(self, index: Any) -> T:
        """Return a sample; to be defined by the subclass."""
        raise NotImplementedError(f"{type(self).__name__} has to define __getitem__(index), which returns a sample")

    def __add__(self, other: Dataset[Any]) -> ConcatDataset:
        """Put another data set behind this one."""
        return ConcatDataset([self, other])


class IterableDataset(Dataset[T]):
    """A data set that is read from its beginning. Subclasses define `__iter__`.

    In a worker of `DataLoader`, `get_worker_info` says which part of the data is to be read.

    Example:
        >>> class Count(ad.utils.data.IterableDataset):
        ...     def __iter__(self):
        ...         return iter(range(3))
        >>> [batch.tolist() for batch in ad.utils.data.DataLoader(Count(), batch_size=2)]
        [[0, 1], [2]]
    """

    def __iter__(self) -> Iterator[T]:
        """Return an iterator of samples; to be defined by the subclass."""
        raise NotImplementedError(f"{type(self).__name__} has to define __iter__(), an iterator of samples")

    def __add__(self, other: Dataset[Any]) -> ChainDataset:
        """Put another data set behind this one."""
        return ChainDataset([self, other])


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """A data set of tensors' rows: sample i is a tuple of the tensors at index i.

    Args:
        tensors: of one size in the first dimension.

    Example:
        >>> data = ad.utils.data.TensorDataset(ad.arange(3), ad.ones(3, 2))
        >>> data[1]
        (tensor(1), tensor([1., 1.]))
    """

    def __init__(self, *tensors: Tensor) -> None:
        _require_equal(len(tensor) for tensor in tensors)
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        """Return the rows at an index."""
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        """Number of samples."""
        return len(self.tensors[0])


class StackDataset(Dataset[Any]):
    """Data sets side by side: a sample is a tuple, or a dictionary, of the samples of all.

    Args:
        args: data sets of one length, for samples that are tuples.
        kwargs: data sets by name, for samples that are dictionaries.

    Example:
        >>> ad.utils.data.StackDataset(x=[1, 2], y=["a", "b"])[1]
        {'x': 2, 'y': 'b'}
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if bool(args) is bool(kwargs):
            raise ValueError("StackDataset takes data sets either by position or by keyword, and at least one")
        self.datasets: Any = args or kwargs
        self._length = _require_equal(len(dataset) for dataset in args or kwargs.values())

    def _combine(self, parts: list[Any]) -> Any:
        return dict(zip(self.datasets, parts)) if isinstance(self.datasets, dict) else tuple(parts)

    def _members(self) -> Iterable[Any]:
        return self.datasets.values() if isinstance(self.datasets, dict) else self.datasets

    def __getitem__(self, index: Any) -> Any:
        """Return the samples of all data sets at an index."""
        return self._combine([dataset[index] for dataset in self._members()])

    def __getitems__(self, indices: list[Any]) -> list[Any]:
        """Return several samples."""
        columns = [get_items(dataset, indices) for dataset in self._members()]
        for column in columns:
            if len(column) != len(indices):
                raise ValueError(f"__getitems__ of a data set gave {len(column)} samples for {len(indices)} indices")
        return [self._combine(list(parts)) for parts in zip(*columns)]

    def __len__(self) -> int:
        """Number of samples."""
        return self._length


class ConcatDataset(Dataset[T]):
    """Data sets one after the other.

    Args:
        datasets: with lengths.

    Example:
        >>> ad.utils.data.ConcatDataset([[1, 2], [3]])[2]
        3
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise ValueError("ConcatDataset needs at least one data set")
        if any(isinstance(dataset, IterableDataset) for dataset in self.datasets):
            raise ValueError("ConcatDataset needs data sets with indices; for an IterableDataset use ChainDataset")
        self.cumulative_sizes = list(accumulate(len(dataset) for dataset in self.datasets))

    def __len__(self) -> int:
        """Number of samples of all data sets."""
        return self.cumulative_sizes[-1]

    def __getitem__(self, index: int) -> T:
        """Return a sample of the data set that has it."""
        position = index + len(self) if index < 0 else index
        if position < 0:
            raise ValueError(f"index {index} is out of range for a data set of length {len(self)}")
        number = bisect.bisect_right(self.cumulative_sizes, position)
        if number == len(self.datasets):
            raise IndexError(f"index {index} is out of range for a data set of length {len(self)}")
        return self.datasets[number][position - (self.cumulative_sizes[number - 1] if number else 0)]


class ChainDataset(IterableDataset[T]):
    """Iterable data sets one after the other.

    Args:
        datasets: instances of `IterableDataset`.
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        super().__init__()
        self.datasets = datasets

    def __iter__(self) -> Iterator[T]:
        """Iterate over one data set after the other."""
        for dataset in self.datasets:
            _require_iterable(dataset)
            yield from dataset

    def __len__(self) -> int:
        """Number of samples of all data sets."""
        return sum(len(dataset) for dataset in self.datasets if _require_iterable(dataset))


class Subset(Dataset[T]):
    """Some samples of a data set.

    Args:
        dataset: where they are from.
        indices: their numbers there.

    Example:
        >>> list(ad.utils.data.Subset("abcd", [3, 1]))
        ['d', 'b']
    """

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, index: Any) -> T:
        """Return a sample, or a list of them for a list of indices."""
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]
        return self.dataset[self.indices[index]]

    def __getitems__(self, indices: list[int]) -> list[T]:
        """Return several samples."""
        return get_items(self.dataset, [self.indices[i] for i in indices])

    def __len__(self) -> int:
        """Number of samples."""
        return len(self.indices)


def get_items(dataset: Any, indices: Iterable[Any]) -> Any:
    """Return several samples of a data set, by its `__getitems__` if it has one."""
    if getattr(dataset, "__getitems__", None):
        return dataset.__getitems__(indices)
    return [dataset[index] for index in indices]


def random_split(dataset: Any, lengths: Sequence[int | float], generator: Generator | None = None) -> list[Subset[Any]]:
    """Split a data set randomly into parts that do not overlap.

    Args:
        dataset: with a length.
        lengths: of the parts; or fractions whose sum is 1, where samples left over by rounding go to the first parts.
        generator: of the random numbers; None for the default one.

    Example:
        >>> parts = ad.utils.data.random_split(range(10), [0.7, 0.3])
        >>> [len(part) for part in parts]
        [7, 3]
    """
    total = len(dataset)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        for place, fraction in enumerate(lengths):
            if not 0 <= fraction <= 1:
                raise ValueError(f"random_split: fraction {place} is {fraction}, which is not between 0 and 1")
        sizes = [math.floor(total * fraction) for fraction in lengths]
        for place in range(total - sum(sizes)):
            sizes[place % len(sizes)] += 1
        for place, size in enumerate(sizes):
            if size == 0:
                warnings.warn(f"random_split: part {place} is empty; the data set has {total} samples", stacklevel=2)
    else:
        sizes = [int(length) for length in lengths]
    if sum(sizes) != total:
        raise ValueError(f"random_split: the lengths sum to {sum(lengths)}, and the data set has {total} samples")
    order = ops.randperm(total, generator=generator).tolist()
    return [Subset(dataset, order[end - size : end]) for size, end in zip(sizes, accumulate(sizes))]


def _require_equal(lengths: Iterable[int]) -> int:
    """Return the length that all have."""
    found = list(lengths)
    if len(set(found)) > 1:
        raise ValueError(f"the parts of a data set have different lengths: {', '.join(map(str, found))}")
    return found[0] if found else 0


def _require_iterable(dataset: Any) -> bool:
    if not isinstance(dataset, IterableDataset):
        raise TypeError(f"ChainDataset chains instances of IterableDataset, and got {type(dataset).__name__}")
    return True
