"""`DistributedSampler`: each of several processes gets its own part of a data set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjoint._core.generator import Generator
from adjoint._dispatch.table import ops
from adjoint.utils.data.sampler import Sampler

__all__ = ["DistributedSampler"]


def __dir__() -> list[str]:
    return __all__


class DistributedSampler(Sampler[int]):
    """The indices of one of several processes; together they have all, and each has as many.

    Args:
        dataset: with a length.
        num_replicas: number of processes.
        rank: number of this process, from 0.
        shuffle: whether the order is random: the same in all processes, another in each epoch.
        seed: of the random order.
        drop_last: leave out samples so that the parts are equal; False repeats some instead.

    Example:
        >>> list(ad.utils.data.DistributedSampler(range(5), num_replicas=2, rank=1, shuffle=False))
        [1, 3, 0]
    """

    def __init__(
        self,
        dataset: Any,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        if num_replicas is None or rank is None:
            raise RuntimeError("DistributedSampler: say num_replicas= and rank=; there are no process groups to ask")
        if not 0 <= rank < num_replicas:
            raise ValueError(f"DistributedSampler: rank {rank} is not between 0 and {num_replicas - 1}")
        self.dataset = dataset
        self.num_replicas = num_replicas
        self.rank = rank
        self.epoch = 0
        self.drop_last = drop_last
        self.num_samples = len(dataset) // num_replicas if drop_last else -(-len(dataset) // num_replicas)
        self.total_size = self.num_samples * num_replicas
        self.shuffle = shuffle
        self.seed = seed

    def __iter__(self) -> Iterator[int]:
        """Iterate over the indices of this process."""
        indices = list(range(len(self.dataset)))
        if self.shuffle:
            generator = Generator().manual_seed(self.seed + self.epoch)
            indices = ops.randperm(len(indices), generator=generator).tolist()
        if indices:
            indices = (indices * -(-self.total_size // len(indices)))[: self.total_size]
        return iter(indices[self.rank :: self.num_replicas])

    def __len__(self) -> int:
        """Number of indices of this process."""
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Choose the random order of an epoch.

        Args:
            epoch: its number.
        """
        self.epoch = epoch
