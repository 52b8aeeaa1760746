"""Random programs of custom operators, in every mode and transform, against the same programs of built-in ones."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint import Tensor, func, library
from tests.library.helpers import fresh, numpy_sine


def keep(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.save_for_backward(*inputs, output)


def custom_operators() -> dict[str, Callable[..., Any]]:
    """One operator of each style."""

    def times(x: Tensor, y: Tensor) -> Tensor:
        return ad.from_numpy(np.asarray(x.numpy() * y.numpy()))

    def exponential(x: Tensor) -> Tensor:
        return ad.from_numpy(np.asarray(np.exp(x.numpy())))

    def combined(xs: list[Tensor], ws: list[float]) -> tuple[Tensor, Tensor]:
        arrays = [x.numpy() for x in xs]
        return ad.from_numpy(np.asarray(sum(a * w for a, w in zip(arrays, ws)))), ad.from_numpy(np.asarray(sum(arrays)))

    mul = library.custom_op(fresh("mul"), times, mutates_args=())
    mul.register_autograd(
        lambda ctx, grad: (mul(grad, ctx.saved_tensors[1]), mul(grad, ctx.saved_tensors[0])), setup_context=keep
    )
    exp = library.custom_op(fresh("exp"), exponential, mutates_args=())
    exp.register_autograd(lambda ctx, grad: grad * ctx.saved_tensors[1], setup_context=keep)

    def keep_weights(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.ws = inputs[1]

    mix = library.custom_op(fresh("mix"), combined, mutates_args=())
    mix.register_autograd(lambda ctx, g, h: ([g * w + h for w in ctx.ws], None), setup_context=keep_weights)

    name = fresh("square")
    library.define(name, "(Tensor x) -> (Tensor, Tensor)")
    library.impl(name, "default", lambda x: (x * x, x * 3))
    library.impl_save_for_backward(name, lambda inputs, output: {"x": inputs.x})
    library.impl_backward(name, None, lambda ctx, saved, g, h: {"x": 2 * g * saved["x"] + 3 * h})
    square = getattr(ad.ops.tests, name.partition("::")[2])

    sine = numpy_sine()
    sine.register_vmap(lambda info, in_dims, x: (sine(x), in_dims[0]))

    def weighted(x: Any, y: Any) -> Any:
        first, second = mix([x, y], [0.3, -0.7])
        return first + 0.5 * second

    def both(x: Any, _: Any) -> Any:
        first, second = square(x)
        return 0.1 * first + second

    return {
        "mul": mul, "exp": lambda x, _: exp(x), "mix": weighted, "square": both, "sin": lambda x, _: sine(x),
    }  # fmt: skip


BUILT_IN: dict[str, Callable[..., Any]] = {
    "mul": lambda x, y: x * y,
    "exp": lambda x, _: x.exp(),
    "mix": lambda x, y: 0.3 * x - 0.7 * y + 0.5 * (x + y),
    "square": lambda x, _: 0.1 * x * x + x * 3,
    "sin": lambda x, _: x.sin(),
}


def program(seed: int, table: dict[str, Callable[..., Any]]) -> Callable[..., Any]:
    """A function of two tensors, the same for each table."""
    draw = random.Random(seed)
    steps = [(draw.choice(list(BUILT_IN)), draw.randrange(n), draw.randrange(n)) for n in range(2, draw.randint(4, 8))]

    def run(x: Any, y: Any) -> Any:
        values = [x, y]
        for name, first, second in steps:
            values.append(table[name](values[first], values[second]).tanh())
        return values[-1]

    return run


def twice(f: Callable[..., Any], x: Any, y: Any) -> Any:
    """Backward through a backward pass."""
    a, b = x.clone().requires_grad_(), y.clone().requires_grad_()
    first = ad.autograd.grad((f(a, b) ** 2).sum(), (a, b), create_graph=True, allow_unused=True)
    sum((one * one).sum() for one in first if one is not None).backward()
    return [a.grad, b.grad]


MODES: dict[str, Callable[..., Any]] = {
    "values": lambda f, x, y: f(x, y),
    "backward twice": twice,
    "grad": lambda f, x, y: func.grad(lambda x, y: f(x, y).sum(), argnums=(0, 1))(x, y),
    "grad of grad": lambda f, x, y: func.grad(lambda x: func.grad(lambda x: f(x, y).sum())(x).sin().sum())(x),
    "jvp": lambda f, x, y: func.jvp(f, (x, y), (y, x)),
    "jvp of grad": lambda f, x, y: func.jvp(func.grad(lambda x: f(x, y).sum()), (x,), (y,)),
    "grad of jvp": lambda f, x, y: func.grad(lambda x: func.jvp(f, (x, y), (y, x))[1].sum())(x),
    "vmap": lambda f, x, y: func.vmap(f, in_dims=(0, None))(x, y[0]),
    "vmap of grad": lambda f, x, y: func.vmap(func.grad(lambda x, y: f(x, y).sum()))(x, y),
    "jacrev": lambda f, x, y: func.jacrev(f)(x, y),
    "jacfwd": lambda f, x, y: func.jacfwd(f)(x, y),
}


def arrays(result: Any) -> list[Any]:
    if result is None:
        return []
    return [result.detach().numpy()] if isinstance(result, Tensor) else [a for one in result for a in arrays(one)]


@pytest.mark.parametrize("mode", list(MODES))
def test_custom_operators_are_like_built_in_ones(mode: str) -> None:
    table = custom_operators()
    for seed in range(15):
        numbers = np.random.default_rng(seed)
        x, y = (ad.from_numpy(numbers.normal(size=(2, 3))) for _ in range(2))
        found = arrays(MODES[mode](program(seed, table), x, y))
        wanted = arrays(MODES[mode](program(seed, BUILT_IN), x, y))
        assert len(found) == len(wanted) > 0
        for a, b in zip(found, wanted):
            np.testing.assert_allclose(a, b, rtol=1e-8, atol=1e-10, err_msg=f"program {seed}")
