# Written by `make stubs` from the operator table; do not edit.
"""Random number generators and random tensors: PyTorch's `torch.random`, and what draws from it."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import overload

from adjoint._core.generator import Generator as Generator
from adjoint._typing import DeviceLike, DtypeLike, Layout, MemoryFormat, Tensor

def bernoulli(
    input: Tensor, p: float | None = None, *, generator: Generator | None = None, out: Tensor | None = None
) -> Tensor:
    """Ones with the probabilities that the elements are, zeros otherwise."""

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
    """Indices drawn with probabilities in proportion to the elements of each row."""

@overload
def normal(
    mean: Tensor, std: Tensor | float = 1.0, *, generator: Generator | None = None, out: Tensor | None = None
) -> Tensor:
    """Numbers drawn from normal distributions."""

@overload
def normal(mean: float, std: Tensor, *, generator: Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Numbers drawn from normal distributions."""

@overload
def normal(
    mean: float,
    std: float,
    size: Sequence[int],
    *,
    generator: Generator | None = None,
    out: Tensor | None = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Numbers drawn from normal distributions."""

def poisson(input: Tensor, generator: Generator | None = None) -> Tensor:
    """Numbers drawn from Poisson distributions whose rates are the elements."""

@overload
def rand(
    *size: int,
    generator: Generator | None = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    out: Tensor | None = None,
    like: object = None,
    layout: Layout | None = None,
    pin_memory: bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Numbers drawn uniformly from [0, 1)."""

@overload
def rand(
    size: Sequence[int],
    *,
    generator: Generator | None = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    out: Tensor | None = None,
    like: object = None,
    layout: Layout | None = None,
    pin_memory: bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Numbers drawn uniformly from [0, 1)."""

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
) -> Tensor:
    """`rand` in the shape of a tensor, of its dtype, device and array library."""

@overload
def randint(
    high: int,
    size: Sequence[int],
    *,
    generator: Generator | None = None,
    out: Tensor | None = None,
    like: object = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    layout: Layout | None = None,
    pin_memory: bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Integers drawn uniformly: ``randint(high, size)`` or ``randint(low, high, size)``."""

@overload
def randint(
    low: int,
    high: int,
    size: Sequence[int],
    *,
    generator: Generator | None = None,
    out: Tensor | None = None,
    like: object = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    layout: Layout | None = None,
    pin_memory: bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Integers drawn uniformly: ``randint(high, size)`` or ``randint(low, high, size)``."""

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
) -> Tensor:
    """`randint` in the shape of a tensor, of its dtype, device and array library."""

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
) -> Tensor:
    """`randint` in the shape of a tensor, of its dtype, device and array library."""

@overload
def randn(
    *size: int,
    generator: Generator | None = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    out: Tensor | None = None,
    like: object = None,
    layout: Layout | None = None,
    pin_memory: bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Numbers drawn from the normal distribution with mean 0 and variance 1; arguments as of `rand`."""

@overload
def randn(
    size: Sequence[int],
    *,
    generator: Generator | None = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    out: Tensor | None = None,
    like: object = None,
    layout: Layout | None = None,
    pin_memory: bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Numbers drawn from the normal distribution with mean 0 and variance 1; arguments as of `rand`."""

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
) -> Tensor:
    """`randn` in the shape of a tensor, of its dtype, device and array library."""

def randperm(
    n: int,
    *,
    generator: Generator | None = None,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    out: Tensor | None = None,
    like: object = None,
    layout: Layout | None = None,
    pin_memory: bool | None = None,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """The integers from 0 to ``n - 1`` in random order."""

def seed() -> int:
    """Seed the default random number generator with an unpredictable number, and return it."""

def set_rng_state(new_state: Tensor) -> None:
    """Restore the default random number generator to a state of `get_rng_state`."""
