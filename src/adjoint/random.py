"""Random number generators and random tensors: PyTorch's `torch.random`, and what draws from it."""

from adjoint._core.generator import (
    Generator,
    default_generator,
    fork_rng,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)
from adjoint._ops.creation.random import (
    multinomial,
    rand,
    rand_like,
    randint,
    randint_like,
    randn,
    randn_like,
    randperm,
)
from adjoint._ops.creation.random_fill import bernoulli, normal, poisson

__all__ = [
    "Generator",
    "bernoulli",
    "default_generator",
    "fork_rng",
    "get_rng_state",
    "initial_seed",
    "manual_seed",
    "multinomial",
    "normal",
    "poisson",
    "rand",
    "rand_like",
    "randint",
    "randint_like",
    "randn",
    "randn_like",
    "randperm",
    "seed",
    "set_rng_state",
]
