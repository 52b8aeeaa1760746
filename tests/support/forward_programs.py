"""Random programs of dual tensors: views, in-place writes, arithmetic; for either library and any array type.

A program is a list of steps ``(name, a, b)``. It works on a pool of tensors, of which `a` and `b` choose one (or a
number of something); a step may add to the pool or change one of it. What a step cannot do it leaves undone, or it
stops with an error; both libraries have to do the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

SHAPES = [(2, 3), (4,), (2, 2), (3, 1, 2), ()]

VIEWS: dict[str, Callable[[Any], Any]] = {
    "transpose": lambda x: x.transpose(0, -1),
    "flatten": lambda x: x.reshape(-1),
    "first": lambda x: x[0],
    "rest": lambda x: x[1:],
    "unsqueeze": lambda x: x.unsqueeze(0),
    "permute": lambda x: x.permute(*reversed(range(x.ndim))),
    "chunk": lambda x: x.chunk(2)[0],
    "split": lambda x: x.split(1, -1)[-1],
    "diagonal": lambda x: x.diagonal(),
    "narrow": lambda x: x.narrow(-1, 0, 1),
    "stride": lambda x: x[..., ::2],
    "last": lambda x: x[..., -1:],
    "view_as": lambda x: x.view_as(x),
    "squeeze": lambda x: x.squeeze(),
}

FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "sin": lambda x, y: x.sin(),
    "mul": lambda x, y: x * y,
    "sum": lambda x, y: x.sum(0),
    "add": lambda x, y: x + 1.5,
    "clone": lambda x, y: x.clone(),
    "root": lambda x, y: (x * x + 1).sqrt(),
}

WRITES: dict[str, Callable[[Any, Any], Any]] = {
    "mul_": lambda x, y: x.mul_(y),
    "add_": lambda x, y: x.add_(y, alpha=2),
    "copy_": lambda x, y: x.copy_(y),
    "zero_": lambda x, y: x.zero_(),
    "sin_": lambda x, y: x.sin_(),
    "div_": lambda x, y: x.div_(2.5),
    "neg_": lambda x, y: x.neg_(),
    "fill_": lambda x, y: x.fill_(y.reshape(-1)[0] if y.ndim else y),
    "set a number": lambda x, y: x.__setitem__(0, 1.5),
    "set a row": lambda x, y: x.__setitem__((..., -1), y[..., -1] * 2),
}

OTHERS = ("constant", "dual", "detach", "dual again")


def programs(without: tuple[str, ...] = ()) -> Any:
    """A strategy for programs of up to 14 steps."""
    names = [name for name in (*VIEWS, *FUNCTIONS, *WRITES, *WRITES, *OTHERS) if name not in without]
    return st.lists(st.tuples(st.sampled_from(names), st.integers(0, 11), st.integers(0, 11)), max_size=14)


class Machine:
    """Runs programs.

    Args:
        lib: adjoint or torch.
        make: makes a tensor from a NumPy array.
        detach: what a step of that name does.
        leaf: start from a dual tensor that was computed from a leaf.
    """

    def __init__(self, lib: Any, make: Any, detach: Any, leaf: bool) -> None:
        self.forward = lib.autograd.forward_ad
        self.make = make
        self.detach = detach
        self.numbers = itertools.count(1)
        self.pool: list[Any] = []
        self.errors: list[str | None] = []
        self.leaf: Any = None
        if leaf:
            self.leaf = make(self.fresh((2, 3))).requires_grad_()
            self.pool.append(self.forward.make_dual(self.leaf * 1.0, self.make(self.fresh((2, 3)))))
        else:
            self.pool.append(self.dual((2, 3)))
        self.pool.append(make(self.fresh((4,))))

    def fresh(self, shape: tuple[int, ...]) -> Any:
        """Numbers between 0.5 and 1.5, others each time."""
        return np.random.default_rng(next(self.numbers)).uniform(0.5, 1.5, shape)

    def dual(self, shape: tuple[int, ...]) -> Any:
        return self.forward.make_dual(self.make(self.fresh(shape)), self.make(self.fresh(shape)))

    def partner(self, x: Any, choice: int) -> Any:
        """An operand of the same shape: a copy of another tensor of the pool, a new dual, or a new constant."""
        shape = tuple(x.shape)
        alike = [one for one in self.pool if tuple(one.shape) == shape and one is not x]
        if alike and choice % 2:
            return alike[choice % len(alike)].clone()
        return self.dual(shape) if choice % 3 else self.make(self.fresh(shape))

    def step(self, name: str, a: int, b: int) -> None:
        x = self.pool[a % len(self.pool)]
        if name in VIEWS:
            self.pool.append(VIEWS[name](x))
        elif name in FUNCTIONS:
            self.pool.append(FUNCTIONS[name](x, self.partner(x, b)))
        elif name in WRITES:
            WRITES[name](x, self.partner(x, b))
        elif name == "detach":
            self.pool.append(self.detach(x))
        elif name == "dual again":
            primal = self.forward.unpack_dual(x).primal
            self.pool.append(self.forward.make_dual(primal, self.make(self.fresh(tuple(x.shape)))))
        else:
            shape = SHAPES[b % len(SHAPES)]
            self.pool.append(self.dual(shape) if name == "dual" else self.make(self.fresh(shape)))

    def run(self, steps: Any) -> None:
        for step in steps:
            try:
                self.step(*step)
                self.errors.append(None)
            except Exception:
                self.errors.append("refused")

    def results(self) -> list[Any]:
        """The values and tangents of everything in the pool."""
        return [(to_numpy(x), to_numpy(self.forward.unpack_dual(x).tangent)) for x in self.pool]

    def gradient(self, lib: Any) -> Any:
        """The gradient of a sum of everything by the leaf, and its tangent; or that it is refused."""
        try:
            total = sum((x * (i + 1)).sum() for i, x in enumerate(self.pool))
            (gradient,) = lib.autograd.grad(total, self.leaf)
        except Exception:
            return "refused"
        tangent = self.forward.unpack_dual(gradient).tangent  # whether a zero is there or not is no matter
        return to_numpy(gradient), to_numpy(gradient * 0 if tangent is None else tangent)


def to_numpy(tensor: Any) -> Any:
    if tensor is None:
        return None
    array = tensor._array if hasattr(tensor, "_array") else tensor.detach().numpy()
    return np.array(array)


def run(
    lib: Any,
    steps: Any,
    *,
    make: Any = None,
    detach: Any = None,
    level: dict[str, Any] | None = None,
    leaf: bool = False,
) -> tuple[list[Any], list[Any]]:
    """Run a program in a level of its own; returns what was refused and what there is at its end."""
    with lib.autograd.forward_ad.dual_level(**(level or {})):
        machine = Machine(lib, make or lib.from_numpy, detach or (lambda x: x.detach()), leaf)
        machine.run(steps)
        results = machine.results()
        if leaf:
            results.append(machine.gradient(lib))
    return machine.errors, results


def assert_same(found: tuple[list[Any], list[Any]], wanted: tuple[list[Any], list[Any]]) -> None:
    """Two runs went the same way and ended with the same values and tangents."""
    assert found[0] == wanted[0]
    assert len(found[1]) == len(wanted[1])
    for number, (ours, theirs) in enumerate(zip(found[1], wanted[1])):
        if isinstance(theirs, str) or isinstance(ours, str):
            assert ours == theirs, number
            continue
        for what, one, other in zip(("value", "tangent"), ours, theirs):
            if one is None or other is None:
                assert one is other, f"{what} of tensor {number}: {one} instead of {other}"
            else:
                np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12, err_msg=f"{what} of tensor {number}")
