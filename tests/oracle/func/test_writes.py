"""Writes inside transforms, as in PyTorch: random programs of arithmetic, views, in-place writes and nested calls.

A program works on a growing list of vectors; its first ones are the arguments. Compared are the result, the arguments
and views of them afterwards, which of them require grad, and a gradient through all of them.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from tests.support.compare import torch

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

LENGTH = 3
VIEWS = (
    lambda x: x[:2],
    lambda x: x[1:],
    lambda x: x[::2],
    lambda x: x.view(-1),
    lambda x: x.unsqueeze(0)[0],
    lambda x: x.detach(),
    lambda x: x.view_as(x),
    lambda x: x.expand(2, *x.shape)[0],
)
WRITES = ("mul_", "add_", "copy_", "zero_", "fill_", "[0]", "double", "pow_")
TRANSFORMS = ("grad", "vjp", "jvp", "vmap", "jacrev", "jacfwd", "dual_level", "no_grad")


def make_program(rng: random.Random, depth: int, arguments: int) -> dict[str, Any]:
    """Make a program that calls others up to a depth."""
    count, steps = arguments, []
    for _ in range(rng.randint(2, 6)):
        kind, a, b = rng.random(), rng.randrange(count), rng.randrange(count)
        if kind < 0.25 or (kind >= 0.85 and not depth):
            steps.append(("compute", rng.choice(["mul", "add", "sin", "clone"]), a, b))
        elif kind < 0.45:
            steps.append(("view", rng.randrange(len(VIEWS)), a))
        elif kind < 0.85:
            steps.append(
                ("write", rng.choice(["mul_", "add_", "copy_", "zero_", "fill_", "[0]", "double", "pow_"]), a, b)
            )
            continue
        else:
            given = [rng.randrange(count) for _ in range(rng.randint(1, 2))]
            steps.append(("call", rng.choice(TRANSFORMS), given, make_program(rng, depth - 1, len(given))))
        count += 1
    return {"steps": steps, "result": count - 1 if rng.random() < 0.5 else rng.randrange(count)}


def fit(a: Any, b: Any) -> tuple[Any, Any]:
    """Cut two vectors to the same length."""
    length = min(a.shape[0], b.shape[0]) if a.ndim and b.ndim else None
    return (a, b) if length is None else (a[:length], b[:length])


def run(lib: Any, program: Any, arguments: Any) -> Any:
    """Run a program on tensors."""
    values = list(arguments)
    for step in program["steps"]:
        if step[0] == "call":
            values.append(call(lib, step[1], step[3], [values[place] for place in step[2]]))
        elif step[0] == "view":
            x = values[step[2]]
            values.append(VIEWS[step[1]](x) if x.ndim else x.view(()))
        elif step[0] == "compute":
            a, b = fit(values[step[2]], values[step[3]])
            unary = step[1] in ("sin", "clone")
            values.append(getattr(lib, step[1])(values[step[2]]) if unary else getattr(lib, step[1])(a, b))
        else:
            write(step[1], values[step[2]], values[step[3]])
    return values[program["result"]]


def write(name: str, a: Any, b: Any) -> None:
    """Perform one in-place write."""
    if name in ("mul_", "add_", "copy_"):
        a, b = fit(a, b)
        getattr(a, name)((b.sum() if b.ndim and not a.ndim else b).clone())
    elif name == "fill_":
        a.fill_(b.sum())
    elif name == "[0]":
        if a.ndim:
            a[0] = b.sum()
    elif name == "zero_":
        a.zero_()
    elif name == "pow_":
        a.pow_(2)
    else:
        a.mul_(2.0)


def call(lib: Any, kind: str, program: Any, arguments: list[Any]) -> Any:
    """Call a program inside a transform."""

    def function(*args: Any) -> Any:
        return run(lib, program, args)

    func, forward = lib.func, lib.autograd.forward_ad
    if kind == "grad":
        return func.grad(lambda *args: function(*args).sum())(*arguments)
    if kind == "vjp":
        output, pull = func.vjp(function, *arguments)
        a, b = fit(output, pull(lib.ones_like(output))[0])
        return a + b
    if kind == "jvp":
        output, tangent = func.jvp(function, tuple(arguments), tuple(lib.ones_like(one) for one in arguments))
        return output + tangent
    if kind == "vmap":
        return func.vmap(function)(*[one if one.ndim else one.expand(LENGTH) for one in arguments])
    if kind in ("jacrev", "jacfwd"):
        return getattr(func, kind)(function)(*arguments).reshape(-1)
    if kind == "no_grad":
        with lib.no_grad():
            return function(*arguments)
    with forward.dual_level():
        output, tangent = forward.unpack_dual(
            function(*[forward.make_dual(one, lib.ones_like(one)) for one in arguments])
        )
        return output if tangent is None else output + tangent


def find_outcome(lib: Any, kind: str, program: Any, numbers: Any, recorded: bool) -> list[Any] | None:
    """Run a program and describe what is there afterwards; None if it raises an error."""
    leaf = lib.tensor(numbers[0], dtype=lib.float64, requires_grad=recorded)
    arguments = [leaf * 1 if recorded else leaf, *[lib.tensor(one, dtype=lib.float64) for one in numbers[1:]]]
    views = [one[:2] for one in arguments]
    try:
        result = call(lib, kind, program, arguments)
        tensors = [*arguments, *views]
        flags = [one.requires_grad for one in tensors]
        total = sum((one * (place + 2)).sum() for place, one in enumerate(tensors)) + (result * result).sum()
        if total.requires_grad:
            total.backward()
    except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError):
        return None
    gradient = lib.zeros_like(leaf) if leaf.grad is None else leaf.grad
    return [flags, *[np.array(one.detach()) for one in [result, *tensors, gradient]]]


@pytest.mark.parametrize("group", range(10))
def test_programs(group: int) -> None:
    compared = 0
    for seed in range(group * 30, group * 30 + 30):
        rng = random.Random(seed)
        kind, count = rng.choice(TRANSFORMS), rng.randint(1, 3)
        program = make_program(rng, rng.choice([0, 1, 1, 2]), count)
        numbers = [[rng.choice([0.5, 1.0, 1.5, 2.0]) for _ in range(LENGTH)] for _ in range(count)]
        recorded = rng.random() < 0.4
        wanted = find_outcome(torch, kind, program, numbers, recorded)
        if wanted is None:
            continue
        found = find_outcome(ad, kind, program, numbers, recorded)
        assert found is not None, (seed, program)
        assert found[0] == wanted[0], (seed, program)
        for a, b in zip(found[1:], wanted[1:], strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-9, err_msg=f"{seed}: {program}")
        compared += 1
    assert compared > 5
