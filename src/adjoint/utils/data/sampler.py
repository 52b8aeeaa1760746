"""Samplers: in which order `DataLoader` asks a data set for its samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from itertools import islice
from typing import Any, Generic, TypeVar

from adjoint._core.generator import Generator, default_generator
from adjoint._dispatch.table import ops
from adjoint._dtypes import float64

__all__ = [
    "BatchSampler",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "SubsetRandomSampler",
    "WeightedRandomSampler",
]


def __dir__() -> list[str]:
    return __all__


T = TypeVar("T", covariant=True)


class Sampler(Generic[T]):
    """Base of samplers. Subclasses define `__iter__`, and `__len__` where the number of indices is known.

    Example:
        >>> class Backwards(ad.utils.data.Sampler):
        ...     def __iter__(self):
        ...         return iter([2, 1, 0])
        >>> [int(batch) for batch in ad.utils.data.DataLoader(range(3), sampler=Backwards())]
        [2, 1, 0]
    """

    def __init__(self, data_source: Any = None) -> None:
        pass

    def __iter__(self) -> Iterator[T]:
        """Return an iterator of indices; to be defined by the subclass."""
        raise NotImplementedError(f"{type(self).__name__} has to define __iter__(), an iterator of indices")


class SequentialSampler(Sampler[int]):
    """All indices in order.

    Args:
        data_source: with a length.
    """

    def __init__(self, data_source: Sized) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        """Iterate over the indices."""
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        """Number of indices."""
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """All indices in random order, or indices drawn at random.

    Args:
        data_source: with a length.
        replacement: whether to draw each index independently of the others.
        num_samples: how many indices; by default as many as there are samples.
        generator: of the random numbers; None starts one from the default generator.

    Example:
        >>> sorted(ad.utils.data.RandomSampler("abc"))
        [0, 1, 2]
    """

    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Generator | None = None,
    ) -> None:
        if not isinstance(replacement, bool):
            raise TypeError(f"RandomSampler: replacement is True or False, not {replacement!r:.80}")
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(f"RandomSampler: num_samples is a positive number, not {self.num_samples!r:.80}")

    @property
    def num_samples(self) -> int:
        """How many indices there are: the data set may grow."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        """Iterate over the indices."""
        total, count = len(self.data_source), self.num_samples
        generator = self.generator or Generator().manual_seed(draw_seed(None))
        if self.replacement:
            for start in range(0, count, 32):  # a few at a time: there may be very many
                yield from ops.randint(total, (min(32, count - start),), generator=generator).tolist()
        else:
            while count > 0 and total > 0:
                yield from ops.randperm(total, generator=generator).tolist()[:count]
                count -= total

    def __len__(self) -> int:
        """Number of indices."""
        return self.num_samples


class SubsetRandomSampler(Sampler[int]):
    """Given indices in random order.

    Args:
        indices: a sequence of them.
        generator: of the random numbers; None for the default one.
    """

    def __init__(self, indices: Sequence[int], generator: Generator | None = None) -> None:
        self.indices = indices
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        """Iterate over the indices."""
        for place in ops.randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[place]

    def __len__(self) -> int:
        """Number of indices."""
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """Indices drawn with given probabilities.

    Args:
        weights: one for each sample; they need not sum to one.
        num_samples: how many to draw.
        replacement: whether an index may be drawn again.
        generator: of the random numbers; None for the default one.

    Example:
        >>> list(ad.utils.data.WeightedRandomSampler([0.0, 2.0, 0.0], 3))
        [1, 1, 1]
    """

    def __init__(
        self, weights: Sequence[float], num_samples: int, replacement: bool = True, generator: Generator | None = None
    ) -> None:
        if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
            raise ValueError(f"WeightedRandomSampler: num_samples is a positive integer, not {num_samples!r:.80}")
        if not isinstance(replacement, bool):
            raise ValueError(f"WeightedRandomSampler: replacement is True or False, not {replacement!r:.80}")
        self.weights = ops.as_tensor(weights, dtype=float64)
        if self.weights.ndim != 1:
            raise ValueError(f"WeightedRandomSampler: weights are a list of numbers, not of shape {self.weights.shape}")
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        """Iterate over the indices."""
        drawn = ops.multinomial(self.weights, self.num_samples, self.replacement, generator=self.generator)
        yield from drawn.tolist()

    def __len__(self) -> int:
        """Number of indices."""
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """The indices of another sampler in lists.

    Args:
        sampler: yields indices.
        batch_size: length of the lists.
        drop_last: whether to leave out the last one if it is shorter.

    Example:
        >>> list(ad.utils.data.BatchSampler(range(5), 2, drop_last=False))
        [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool) -> None:
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(f"batch_size is a positive integer, not {batch_size!r:.80}")
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last is True or False, not {drop_last!r:.80}")
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[int]]:
        """Iterate over lists of indices."""
        indices = iter(self.sampler)
        while batch := list(islice(indices, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        """Number of batches."""
        whole, rest = divmod(len(self.sampler), self.batch_size)  # type: ignore[arg-type]
        return whole + (rest > 0 and not self.drop_last)


def draw_seed(generator: Generator | None) -> int:
    """Draw a seed for another generator."""
    return int((generator or default_generator).numpy.integers(1 << 63))
