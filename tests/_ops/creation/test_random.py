"""Random tensors: seeds decide them, their distributions are right, and arguments are checked."""

from __future__ import annotations

import pickle
import threading
from typing import Any

import array_api_strict
import jax.numpy as jnp
import numpy as np
import pytest

import adjoint as ad
from adjoint._core.generator import fork_rng
from adjoint._ops.creation.random import bernoulli_array, uniform_array

MANY = 20_000


def same(a: Any, b: Any) -> bool:
    return a.tolist() == b.tolist()


# ---- seeds and states ------------------------------------------------------------------------------------------------

DRAWS: list[Any] = [
    lambda: ad.rand(3),
    lambda: ad.randn(3, dtype=ad.float64),
    lambda: ad.randn(3, dtype=ad.complex64),
    lambda: ad.rand(3, dtype=ad.float16),
    lambda: ad.randint(100, (5,)),
    lambda: ad.randperm(10),
    lambda: ad.normal(ad.zeros(3), ad.ones(3)),
    lambda: ad.normal(0.0, 1.0, (3,)),
    lambda: ad.bernoulli(ad.full((20,), 0.5)),
    lambda: ad.multinomial(ad.ones(10), 3),
    lambda: ad.poisson(ad.full((5,), 3.0)),
    lambda: ad.zeros(3).uniform_(),
    lambda: ad.zeros(3).normal_(),
    lambda: ad.zeros(3).exponential_(),
    lambda: ad.zeros(3).cauchy_(),
    lambda: ad.zeros(3).log_normal_(),
    lambda: ad.zeros(5).geometric_(0.1),
    lambda: ad.zeros(5).random_(),
    lambda: ad.zeros(20).bernoulli_(),
]


@pytest.mark.parametrize("draw", DRAWS)
def test_the_seed_decides_what_is_drawn(draw: Any) -> None:
    ad.manual_seed(3)
    first, second = draw(), draw()
    ad.manual_seed(3)
    assert same(draw(), first)
    assert same(draw(), second)
    assert not same(first, second)


def test_generators_are_independent() -> None:
    a, b = ad.Generator().manual_seed(1), ad.Generator().manual_seed(1)
    expected = ad.rand(3, generator=a)
    ad.rand(3)
    assert same(ad.rand(3, generator=b), expected)
    assert not same(ad.rand(3, generator=b), expected)


def test_seed_and_initial_seed() -> None:
    generator = ad.Generator()
    assert generator.manual_seed(5) is generator
    assert generator.initial_seed() == 5
    chosen = generator.seed()
    assert generator.initial_seed() == chosen != 5
    assert generator.device == "cpu"
    assert generator.manual_seed(-1).initial_seed() == 2**64 - 1
    assert ad.manual_seed(7) is ad.default_generator
    assert ad.initial_seed() == 7
    assert ad.Generator().initial_seed() != ad.Generator().initial_seed()
    with pytest.raises(RuntimeError, match="CPU"):
        ad.Generator("cuda")


def test_states_can_be_kept_and_brought_back() -> None:
    ad.randint(10, (1,))  # leaves half a word behind, which is part of the state
    state = ad.get_rng_state()
    assert state.dtype is ad.uint8
    first = ad.randint(1000, (4,), dtype=ad.int32)
    ad.set_rng_state(state)
    assert same(ad.randint(1000, (4,), dtype=ad.int32), first)
    with pytest.raises(RuntimeError, match="bytes"):
        ad.set_rng_state(ad.zeros(3, dtype=ad.uint8))


def test_generators_are_pickled_with_their_state() -> None:
    generator = ad.Generator().manual_seed(11)
    ad.rand(3, generator=generator)
    twin, clone = pickle.loads(pickle.dumps(generator)), generator.clone_state()
    expected = ad.rand(3, generator=generator)
    assert same(ad.rand(3, generator=twin), expected)
    assert same(ad.rand(3, generator=clone), expected)
    assert twin.initial_seed() == 11


def test_fork_rng_leaves_the_state_as_it_was() -> None:
    state = ad.get_rng_state()
    with fork_rng():
        ad.rand(5)
    assert same(ad.get_rng_state(), state)
    with fork_rng(enabled=False):
        ad.rand(5)
    assert not same(ad.get_rng_state(), state)


def test_threads_draw_every_number_once() -> None:
    drawn: list[float] = []

    def work() -> None:
        for _ in range(50):
            drawn.extend(ad.rand(4, dtype=ad.float64).tolist())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(drawn)) == len(drawn) == 800
    ad.manual_seed(20240229)
    assert set(drawn) == set(ad.rand(800, dtype=ad.float64).tolist())


# ---- distributions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("draw", "mean", "variance"),
    [
        (lambda: ad.rand(MANY), 1 / 2, 1 / 12),
        (lambda: ad.rand(MANY, dtype=ad.float16), 1 / 2, 1 / 12),
        (lambda: ad.rand(MANY, dtype=ad.bfloat16), 1 / 2, 1 / 12),
        (lambda: ad.randn(MANY), 0, 1),
        (lambda: ad.randn(MANY, dtype=ad.float16), 0, 1),
        (lambda: ad.randn(MANY, dtype=ad.complex128), 0, 1),
        (lambda: ad.randint(-3, 4, (MANY,)), 0, 4),
        (lambda: ad.normal(ad.full((MANY,), 2.0), 3.0), 2, 9),
        (lambda: ad.normal(1.0, 2.0, (MANY,)), 1, 4),
        (lambda: ad.bernoulli(ad.full((MANY,), 0.3)), 0.3, 0.21),
        (lambda: ad.bernoulli(ad.zeros(MANY), 0.3), 0.3, 0.21),
        (lambda: ad.poisson(ad.full((MANY,), 4.0)), 4, 4),
        (lambda: ad.zeros(MANY).uniform_(-1, 3), 1, 16 / 12),
        (lambda: ad.zeros(MANY).normal_(1, 2), 1, 4),
        (lambda: ad.zeros(MANY).exponential_(2.0), 1 / 2, 1 / 4),
        (lambda: ad.zeros(MANY).geometric_(0.5), 2, 2),
        (lambda: ad.zeros(MANY, dtype=ad.int32).random_(0, 7), 3, 4),
        (lambda: ad.zeros(MANY).bernoulli_(0.25), 0.25, 3 / 16),
        (lambda: ad.zeros(MANY, dtype=ad.float64).log_normal_(0, 0.5).log(), 0, 0.25),
    ],
)
def test_mean_and_variance(draw: Any, mean: float, variance: float) -> None:
    values = np.asarray(draw().to(ad.complex128).numpy())
    assert abs(values.mean() - mean) < 6 * (variance / MANY) ** 0.5 + 1e-3
    assert abs(values.var() - variance) < 0.1 * variance


def test_uniform_numbers_stay_below_one() -> None:
    for dtype in (ad.float16, ad.bfloat16, ad.float32, ad.float64):
        drawn = ad.rand(MANY, dtype=dtype).to(ad.float64).numpy()
        assert drawn.min() >= 0 and drawn.max() < 1


def test_cauchy_has_its_median_and_quartiles() -> None:
    drawn = ad.zeros(MANY, dtype=ad.float64).cauchy_(1.0, 2.0).numpy()
    assert np.allclose(np.quantile(drawn, [0.25, 0.5, 0.75]), [-1, 1, 3], atol=0.2)


def test_multinomial_draws_in_proportion() -> None:
    weights = ad.tensor([[1.0, 3.0, 0.0], [2.0, 0.0, 2.0]])
    drawn = ad.multinomial(weights, MANY, replacement=True).numpy()
    assert drawn.shape == (2, MANY) and drawn.dtype == np.int64
    assert np.allclose((drawn == 0).mean(-1), [0.25, 0.5], atol=0.02)
    assert not (drawn[0] == 2).any() and not (drawn[1] == 1).any()
    assert ad.multinomial(ad.ones(4), 4).sort().values.tolist() == [0, 1, 2, 3]
    assert ad.multinomial(ad.tensor([0.0, 1.0, 0.0]), 2).tolist()[0] == 1
    first = [ad.multinomial(ad.tensor([1.0, 3.0]), 2).tolist()[0] for _ in range(2000)]
    assert abs(sum(first) / 2000 - 0.75) < 0.05


def test_random_fills_the_range_of_the_dtype() -> None:
    assert set(ad.zeros(100, dtype=ad.bool).random_().tolist()) == {True, False}
    assert ad.zeros(MANY, dtype=ad.uint8).random_().numpy().max() == 255
    floats = ad.zeros(MANY).random_()
    assert same(floats, floats.to(ad.int64))
    assert ad.randperm(50).sort().values.tolist() == list(range(50))


# ---- dtypes, shapes, libraries ---------------------------------------------------------------------------------------


def test_dtypes_and_shapes() -> None:
    assert ad.randint(3, (2,)).dtype is ad.int64
    assert ad.randint(1, 3, (2, 2), dtype=ad.float32).dtype is ad.float32
    assert ad.randint(low=1, high=3, size=(2,)).shape == (2,)
    assert ad.randperm(4, dtype=ad.int32).dtype is ad.int32
    assert ad.rand(()).shape == ad.randn(()).shape == ()
    assert ad.randint_like(ad.ones(2), 1, 3).dtype is ad.float32
    assert ad.rand_like(ad.ones(2, dtype=ad.float64)).dtype is ad.float64
    assert ad.rand_like(ad.ones(()), dtype=ad.float64).shape == ()
    assert ad.normal(ad.zeros(3, 1), ad.ones(4)).shape == (3, 4)
    assert ad.normal(ad.zeros(3)).shape == ad.normal(0.0, ad.ones(3)).shape == (3,)
    assert ad.rand(2, requires_grad=True).requires_grad
    assert ad.zeros(0).uniform_().shape == (0,)
    assert ad.rand(2, out=ad.ones(2)).shape == (2,)


@pytest.mark.parametrize("array", [jnp.ones(3), array_api_strict.ones(3)], ids=["jax", "strict"])
def test_numbers_go_where_they_are_wanted(array: Any) -> None:
    x = ad.Tensor(array * 0.5)
    drawn = [
        ad.rand(3, like=x),
        ad.bernoulli(x),
        ad.normal(x, x),
        ad.poisson(x),
        ad.multinomial(x, 1),
        x.clone().uniform_(),
        x.clone().bernoulli_(0.5),
    ]
    assert all(type(one.array) is type(array) for one in drawn)
    for raw in (bernoulli_array(0.5, (4,), x), uniform_array((4,), x)):
        assert type(raw) is type(array)
        assert ad.Tensor(raw).dtype is x.dtype


# ---- gradients -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fill", "node"),
    [
        (lambda x: x.uniform_(), "UniformBackward0"),
        (lambda x: x.normal_(), "NormalBackward0"),
        (lambda x: x.exponential_(), "ExponentialBackward0"),
        (lambda x: x.cauchy_(), "CauchyBackward0"),
        (lambda x: x.log_normal_(), "LogNormalBackward0"),
        (lambda x: x.geometric_(0.5), "GeometricBackward0"),
        (lambda x: x.bernoulli_(0.5), "BernoulliBackward2"),
        (lambda x: x.random_(3), "RandomBackward1"),
        (lambda x: ad.bernoulli(x), "BernoulliBackward0"),
        (lambda x: ad.poisson(x), "PoissonBackward0"),
        (lambda x: ad.normal(x, x), "NormalBackward3"),
    ],
)
def test_chance_passes_no_gradient(fill: Any, node: str) -> None:
    x = ad.full((3,), 0.5, requires_grad=True)
    y = fill(x * 1)
    assert type(y.grad_fn).__name__ == node
    y.sum().backward()
    assert x.grad is not None and x.grad.tolist() == [0.0, 0.0, 0.0]


def test_a_leaf_is_not_filled() -> None:
    x = ad.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="leaf"):
        x.uniform_()
    with ad.no_grad():
        assert x.uniform_() is x
    before = x._version
    x.data.normal_()
    assert x._version == before


# ---- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: ad.randint(3, 3, (2,)), RuntimeError),
        (lambda: ad.randint(3), TypeError),
        (lambda: ad.randperm(-1), RuntimeError),
        (lambda: ad.rand(2, dtype=ad.int32), NotImplementedError),
        (lambda: ad.rand_like(ad.ones(2, dtype=ad.int32)), NotImplementedError),
        (lambda: ad.normal(ad.zeros(3), -ad.ones(3)), RuntimeError),
        (lambda: ad.normal(0.0, -1.0, (2,)), RuntimeError),
        (lambda: ad.normal(0.0, 1.0), TypeError),
        (lambda: ad.bernoulli(ad.tensor([2.0])), RuntimeError),
        (lambda: ad.bernoulli(ad.tensor([1])), NotImplementedError),
        (lambda: ad.ones(2).bernoulli_(1.5), RuntimeError),
        (lambda: ad.multinomial(ad.ones(3), 4), RuntimeError),
        (lambda: ad.multinomial(ad.tensor([-1.0, 2.0]), 1), RuntimeError),
        (lambda: ad.multinomial(ad.tensor([float("nan"), 2.0]), 1), RuntimeError),
        (lambda: ad.multinomial(ad.zeros(3), 1), RuntimeError),
        (lambda: ad.multinomial(ad.ones(2, 2, 2), 1), RuntimeError),
        (lambda: ad.multinomial(ad.tensor([1, 2]), 1), RuntimeError),
        (lambda: ad.multinomial(ad.ones(3), 0), RuntimeError),
        (lambda: ad.ones(2).uniform_(2, 1), RuntimeError),
        (lambda: ad.ones(2, dtype=ad.int32).uniform_(), NotImplementedError),
        (lambda: ad.ones(2).normal_(0, -1), RuntimeError),
        (lambda: ad.ones(2, dtype=ad.int32).normal_(), NotImplementedError),
        (lambda: ad.ones(2).exponential_(0), RuntimeError),
        (lambda: ad.ones(2).cauchy_(0, 0), RuntimeError),
        (lambda: ad.ones(2).log_normal_(0, 0), RuntimeError),
        (lambda: ad.ones(2).geometric_(0), RuntimeError),
        (lambda: ad.poisson(-ad.ones(2)), RuntimeError),
    ],
)
def test_impossible_draws_are_refused(call: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        call()


def test_integers_that_do_not_fit_are_refused() -> None:
    for wrong in (
        lambda: ad.randint(0, 300, (3,), dtype=ad.uint8),
        lambda: ad.randint(-1, 3, (3,), dtype=ad.uint8),
        lambda: ad.randperm(300, dtype=ad.uint8),
    ):
        with pytest.raises(RuntimeError, match="do not fit"):
            wrong()
    assert ad.randint(0, 256, (3,), dtype=ad.uint8).dtype is ad.uint8
    assert ad.randperm(0, dtype=ad.uint8).shape == (0,)


def test_what_is_no_seed_state_or_generator_is_refused() -> None:
    for wrong, kind in (
        (lambda: ad.manual_seed(1.5), RuntimeError),  # type: ignore[arg-type]
        (lambda: ad.set_rng_state(3), TypeError),  # type: ignore[arg-type]
        (lambda: ad.rand(2, generator=3), TypeError),
    ):
        with pytest.raises(kind):
            wrong()
