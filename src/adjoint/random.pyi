# Written by `make generate` from the operator table; do not edit.
"""Random number generators and random tensors: PyTorch's `torch.random`, and what draws from it."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import overload

from adjoint._core.generator import Generator as Generator
from adjoint._typing import DeviceLike, DtypeLike, Layout, MemoryFormat, Tensor

def bernoulli(
    input: Tensor, p: float | None = None, *, generator: Generator | None = None, out: Tensor | None = None
) -> Tensor:
    """Random zeros and ones (Bernoulli distribution); the elements are the probabilities of one."""

default_generator: Generator

def fork_rng(devices: object = None, enabled: bool = True) -> AbstractContextManager[None]:
    """Context that restores the default random number generator at its end."""

def get_rng_state() -> Tensor:
    """State of the default random number generator."""

def initial_seed() -> int:
    """Seed that the default random number generator was started with."""

def manual_seed(seed: int) -> Generator:
    """Seed the default random number generator, so that the same numbers follow; returns it."""

def multinomial(
    input: Tensor,
    num_samples: int,
    replacement: bool = False,
    *,
    generator: Generator | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Random indices from the multinomial distribution given by each row of weights."""

@overload
def normal(
    mean: Tensor, std: Tensor | float = 1.0, *, generator: Generator | None = None, out: Tensor | None = None
) -> Tensor:
    """Random numbers from normal (Gaussian) distributions."""

@overload
def normal(mean: float, std: Tensor, *, generator: Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Random numbers from normal (Gaussian) distributions."""

@overload
def normal(
    mean: float,
    std: float,
    size: Sequence[int],
    *,
    generator: Generator | None = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Random numbers from normal (Gaussian) distributions."""

def poisson(input: Tensor, generator: Generator | None = None) -> Tensor:
    """Random numbers from Poisson distributions whose rates are the elements."""

@overload
def rand(
    *size: int,
    generator: Generator | None = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    layout: Layout | None = None,
    pin_memory: bool | None = None,
    memory_format: MemoryFormat | None = None,
    like: object = None,
    out: Tensor | None = None,
) -> Tensor:
    """Random numbers from the uniform distribution on [0, 1)."""

@overload
def rand(
    size: Sequence[int],
    *,
    generator: Generator | None = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    layout: Layout | None = None,
    pin_memory: bool | None = None,
    memory_format: MemoryFormat | None = None,
    like: object = None,
    out: Tensor | None = None,
) -> Tensor:
    """Random numbers from the uniform distribution on [0, 1)."""

def rand_like(
    input: Tensor,
    *,
    generator: Generator | None = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    layout: Layout | None = None,
    pin_memory: bool | None = None,
    memory_format: MemoryFormat | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Uniform random numbers in [0, 1) with the shape, dtype and device of a tensor."""

@overload
def randint(
    high: int,
    size: Sequence[int],
    *,
    generator: Generator | None = None,
    like: object = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    layout: Layout | None = None,
    pin_memory: bool | None = None,
    memory_format: MemoryFormat | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Random integers, uniform between `low` (included) and `high` (excluded)."""

@overload
def randint(
    low: int,
    high: int,
    size: Sequence[int],
    *,
    generator: Generator | None = None,
    like: object = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    layout: Layout | None = None,
    pin_memory: bool | None = None,
    memory_format: MemoryFormat | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Random integers, uniform between `low` (included) and `high` (excluded)."""

@overload
def randint_like(
    input: Tensor,
    high: int,
    *,
    generator: Generator | None = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    layout: Layout | None = None,
    pin_memory: bool | None = None,
    memory_format: MemoryFormat | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Random integers with the shape, dtype and device of a tensor."""

@overload
def randint_like(
    input: Tensor,
    low: int,
    high: int,
    *,
    generator: Generator | None = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    layout: Layout | None = None,
    pin_memory: bool | None = None,
    memory_format: MemoryFormat | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Random integers with the shape, dtype and device of a tensor."""

@overload
def randn(
    *size: int,
    generator: Generator | None = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    layout: Layout | None = None,
    pin_memory: bool | None = None,
    memory_format: MemoryFormat | None = None,
    like: object = None,
    out: Tensor | None = None,
) -> Tensor:
    """Random numbers from the standard normal distribution (mean 0, variance 1)."""

@overload
def randn(
    size: Sequence[int],
    *,
    generator: Generator | None = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    layout: Layout | None = None,
    pin_memory: bool | None = None,
    memory_format: MemoryFormat | None = None,
    like: object = None,
    out: Tensor | None = None,
) -> Tensor:
    """Random numbers from the standard normal distribution (mean 0, variance 1)."""

def randn_like(
    input: Tensor,
    *,
    generator: Generator | None = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    layout: Layout | None = None,
    pin_memory: bool | None = None,
    memory_format: MemoryFormat | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Standard normal random numbers with the shape, dtype and device of a tensor."""

def randperm(
    n: int,
    *,
    generator: Generator | None = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    layout: Layout | None = None,
    pin_memory: bool | None = None,
    memory_format: MemoryFormat | None = None,
    like: object = None,
    out: Tensor | None = None,
) -> Tensor:
    """Random permutation of the integers from 0 to ``n - 1``."""

def seed() -> int:
    """Seed the default random number generator with an unpredictable number, and return it."""

def set_rng_state(new_state: Tensor) -> None:
    """Restore the default random number generator to a state of `get_rng_state`."""
