"""A small language of programs with views and in-place writes, and the machine that runs them.

A program is a list of instructions ``(name, a, b, c)``: what to do, and three small numbers that say to which registers
and how. What the numbers mean depends on the shapes at that moment, so every program has a meaning, and the same one
for every library: adjoint on any array library, PyTorch, and the model in `tests/_core/views/model.py`, which knows no
aliasing. All of them offer the same methods.

An instruction that is refused changes nothing, and the program goes on; what was refused is part of the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Instruction = tuple[str, int, int, int]
Program = list[Instruction]

LARGEST = 24
"""Tensors larger than this are not made."""

LEAVES: list[np.ndarray] = [
    np.linspace(-1, 1, 6).reshape(2, 3),
    np.linspace(0.5, 2, 4),
    np.array([[0.5 + 1j, -1.0 + 0.25j], [0.75 - 0.5j, 1.5j]]),
]


class Skip(Exception):
    """An instruction has no meaning for its operands."""


class Refused(Exception):
    """A library does not do what it was asked to."""


# ---- views -----------------------------------------------------------------------------------------------------------


def need(condition: bool) -> None:
    if not condition:
        raise Skip


def shape_of(x: Any) -> tuple[int, ...]:
    return tuple(x.shape)


def size_of(x: Any) -> int:
    return int(np.prod(shape_of(x), dtype=int))


def select(x: Any, b: int, c: int) -> Any:
    dims = len(shape_of(x))
    need(dims > 0)
    length = shape_of(x)[b % dims]
    need(length > 0)
    return x.select(b % dims, c % length)


def narrow(x: Any, b: int, c: int) -> Any:
    dims = len(shape_of(x))
    need(dims > 0)
    length = shape_of(x)[b % dims]
    start = c % (length + 1)
    return x.narrow(b % dims, start, (length - start + 1) // 2)


def index(x: Any, b: int, c: int) -> Any:
    """Basic keys of several kinds."""
    shape = shape_of(x)
    need(len(shape) > 0 and 0 not in shape)
    keys: list[Any] = [c % shape[0], slice(c % 2, None), slice(None, None, 2), None, (..., slice(1, None)), ...]
    if len(shape) > 1:
        keys += [(slice(None), c % shape[1]), (c % shape[0], slice(0, 2)), (None, c % shape[0]), (..., None, -1)]
    return x[keys[b % len(keys)]]


def transpose(x: Any, b: int, c: int) -> Any:
    dims = len(shape_of(x))
    need(dims > 0)
    return x.transpose(b % dims, c % dims)


def permute(x: Any, b: int, c: int) -> Any:
    dims = list(range(len(shape_of(x))))
    need(len(dims) > 0)
    turn = b % len(dims)
    order = dims[turn:] + dims[:turn]
    return x.permute(*(order[::-1] if c % 2 else order))


def reshape(x: Any, b: int, c: int) -> Any:
    return x.reshape(*_another_shape(x, b))


def view(x: Any, b: int, c: int) -> Any:
    return x.view(*_another_shape(x, b))


def _another_shape(x: Any, b: int) -> tuple[int, ...]:
    size = size_of(x)
    shapes = [(size,), (1, size), (size, 1)]
    if size % 2 == 0:
        shapes += [(2, size // 2), (size // 2, 2)]
    return shapes[b % len(shapes)]


def flatten(x: Any, b: int, c: int) -> Any:
    dims = len(shape_of(x))
    need(dims > 0)
    first, last = sorted((b % dims, c % dims))
    return x.flatten(first, last)


def unflatten(x: Any, b: int, c: int) -> Any:
    dims = len(shape_of(x))
    need(dims > 0)
    length = shape_of(x)[b % dims]
    return x.unflatten(b % dims, (length // 2, 2) if length and length % 2 == 0 else (1, length))


def squeeze(x: Any, b: int, c: int) -> Any:
    dims = len(shape_of(x))
    return x.squeeze() if c % 2 or not dims else x.squeeze(b % dims)


def unsqueeze(x: Any, b: int, c: int) -> Any:
    need(len(shape_of(x)) < 4)
    return x.unsqueeze(b % (len(shape_of(x)) + 1))


def expand(x: Any, b: int, c: int) -> Any:
    shape = shape_of(x)
    need(len(shape) < 4 and 2 * size_of(x) <= LARGEST)
    wide = tuple(2 if length == 1 and place == b % max(len(shape), 1) else -1 for place, length in enumerate(shape))
    return x.expand(*(wide if c % 2 and wide else (1 + b % 2, *shape)))


def diagonal(x: Any, b: int, c: int) -> Any:
    dims = len(shape_of(x))
    need(dims > 1)
    first = b % dims
    return x.diagonal(c % 3 - 1, first, (first + 1) % dims)


def unfold(x: Any, b: int, c: int) -> Any:
    dims = len(shape_of(x))
    need(0 < dims < 4 and 2 * size_of(x) <= LARGEST)
    length = shape_of(x)[b % dims]
    need(length >= 2)
    return x.unfold(b % dims, 2, 1 + c % 2)


def part_of_complex(x: Any, b: int, c: int) -> Any:
    need(is_complex(x))
    return (x.real, x.imag)[b % 2]


def as_real(x: Any, b: int, c: int) -> Any:
    need(is_complex(x) and len(shape_of(x)) < 4)
    return library_of(x).view_as_real(x)


def as_complex(x: Any, b: int, c: int) -> Any:
    need(not is_complex(x) and shape_of(x)[-1:] == (2,) and size_of(x) > 0)
    return library_of(x).view_as_complex(x)


def one_of_several(x: Any, b: int, c: int) -> Any:
    dims = len(shape_of(x))
    need(dims > 0)
    axis = b % dims
    need(shape_of(x)[axis] > 0)
    makers = [
        lambda: x.unbind(axis), lambda: x.split(2, axis), lambda: x.chunk(2, axis), lambda: x.tensor_split(2, axis)
    ]  # fmt: skip
    parts = makers[c % len(makers)]()
    return parts[b % len(parts)]


def is_complex(x: Any) -> bool:
    return x.is_complex()


def library_of(x: Any) -> Any:
    module = type(x).__module__
    if module == "torch":
        import torch

        return torch
    if module.startswith("adjoint"):
        import adjoint

        return adjoint
    return type(x)  # the model has its functions with it


VIEWS: dict[str, Callable[[Any, int, int], Any]] = {
    one.__name__: one
    for one in (
        select, narrow, index, transpose, permute, reshape, view, flatten, unflatten, squeeze, unsqueeze, expand,
        diagonal, unfold, part_of_complex, as_real, as_complex, one_of_several,
    )
}  # fmt: skip


# ---- writes ----------------------------------------------------------------------------------------------------------


def multiply_by_number(x: Any, y: Any, c: int) -> None:
    x.mul_(0.5 + c % 3)


def add_other(x: Any, y: Any, c: int) -> None:
    need(fits(x, y))
    x.add_(y)


def multiply_by_other(x: Any, y: Any, c: int) -> None:
    need(fits(x, y))
    x.mul_(y)


def add_multiple(x: Any, y: Any, c: int) -> None:
    need(fits(x, y))
    x.sub_(y, alpha=2)


def copy_other(x: Any, y: Any, c: int) -> None:
    need(fits(x, y))
    x.copy_(y)


def assign_part(x: Any, y: Any, c: int) -> None:
    shape = shape_of(x)
    need(len(shape) > 0 and 0 not in shape)
    keys: list[Any] = [c % shape[0], slice(1, None), slice(None, None, 2), (..., -1), ..., (None, ..., 0)]
    key = keys[c % len(keys)]
    target = np.empty(shape)[key]
    need(_broadcasts(shape_of(y), target.shape) and (is_complex(x) or not is_complex(y)))
    x[key] = y


def assign_number(x: Any, y: Any, c: int) -> None:
    shape = shape_of(x)
    need(len(shape) > 0 and 0 not in shape)
    x[(c % shape[0], slice(1, None), ..., (..., slice(None, None, 2)))[c % 4]] = 0.25 * c


def fill(x: Any, y: Any, c: int) -> None:
    x.fill_(1.5)


def zero(x: Any, y: Any, c: int) -> None:
    x.zero_()


def sine(x: Any, y: Any, c: int) -> None:
    need(not is_complex(x))
    x.sin_()


def square(x: Any, y: Any, c: int) -> None:
    x.mul_(x)


def multiply_by_view_of_itself(x: Any, y: Any, c: int) -> None:
    x.mul_((x[...], x.detach(), x.unsqueeze(0).squeeze(0))[c % 3])


def number_into(x: Any, y: Any, c: int) -> None:
    """Add a number that was computed from another tensor, which shares no memory with anything."""
    need(is_complex(x) or not is_complex(y))
    x.add_((y * 0.5).sum())


WRITES: dict[str, Callable[[Any, Any, int], None]] = {
    one.__name__: one
    for one in (
        multiply_by_number, add_other, multiply_by_other, add_multiple, copy_other, assign_part, assign_number, fill,
        zero, sine, square, multiply_by_view_of_itself, number_into,
    )
}  # fmt: skip


def fits(x: Any, y: Any) -> bool:
    return _broadcasts(shape_of(y), shape_of(x)) and (is_complex(x) or not is_complex(y))


def _broadcasts(own: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    return len(own) <= len(wanted) and all(n in (1, m) for n, m in zip(own[::-1], wanted[::-1]))


# ---- the tensor's own shape ------------------------------------------------------------------------------------------


def transpose_itself(x: Any, y: Any, c: int) -> None:
    dims = len(shape_of(x))
    need(dims > 0)
    x.transpose_(c % dims, (c + 1) % dims)


def unsqueeze_itself(x: Any, y: Any, c: int) -> None:
    need(len(shape_of(x)) < 4)
    x.unsqueeze_(c % (len(shape_of(x)) + 1))


def squeeze_itself(x: Any, y: Any, c: int) -> None:
    x.squeeze_()


TURNS = {one.__name__: one for one in (transpose_itself, unsqueeze_itself, squeeze_itself)}


# ---- new values ------------------------------------------------------------------------------------------------------

COMPUTED: list[Callable[[Any, Any], Any]] = [
    lambda x, y: x * 0.75,
    lambda x, y: x * x,
    lambda x, y: x + y if fits(x, y) else x + 1.0,
    lambda x, y: x * y if fits(x, y) else x - 0.5,
    lambda x, y: x.clone(),
    lambda x, y: x * 1.0 if is_complex(x) else x.exp(),
]

# ---- the machine -----------------------------------------------------------------------------------------------------


class Identities(list[Any]):
    """A list of tensors that is searched by identity."""

    def __contains__(self, tensor: Any) -> bool:
        return any(one is tensor for one in self)


class Machine:
    """Runs programs in one library.

    Args:
        make: gives the leaf for an array of `LEAVES`.
        no_grad: the library's context without recording.

    Attributes:
        registers: all tensors so far; the first ones are the leaves.
        closed: which of them were made without recording; they are only ever written to.
        seen: what hooks saw, in order: (number of the hook, gradient).
        retaining: the tensors that keep their gradient.
    """

    def __init__(self, make: Callable[[np.ndarray], Any], no_grad: Callable[[], Any]) -> None:
        self.leaves = [make(array) for array in LEAVES]
        self.registers: list[Any] = list(self.leaves) + [leaf * 1 for leaf in self.leaves]
        self.closed: set[int] = set()
        self.no_grad = no_grad
        self.seen: list[tuple[int, Any]] = []
        self.hooks = 0
        self.retaining = Identities()

    def run(self, instruction: Instruction) -> str:
        """Carry out an instruction: "done", "skipped", or "refused: ..."."""
        name, a, b, c = instruction
        try:
            getattr(self, f"do_{name.partition(':')[0]}")(name.partition(":")[2], a, b, c)
        except Skip:
            return "skipped"
        except (RuntimeError, ValueError, TypeError, IndexError) as error:
            return f"refused: {type(error).__name__}: {error}"
        return "done"

    def take(self, number: int) -> Any:
        return self.registers[number % len(self.registers)]

    def take_open(self, number: int) -> Any:
        need(number % len(self.registers) not in self.closed)
        return self.take(number)

    def keep(self, tensor: Any, closed: bool = False) -> None:
        need(size_of(tensor) <= LARGEST)
        if closed:
            self.closed.add(len(self.registers))
        self.registers.append(tensor)

    def do_view(self, kind: str, a: int, b: int, c: int) -> None:
        self.keep(VIEWS[kind](self.take(a), b, c), closed=a % len(self.registers) in self.closed)

    def do_view_unrecorded(self, kind: str, a: int, b: int, c: int) -> None:
        with self.no_grad():
            shown = VIEWS[kind](self.take(a), b, c)
        self.keep(shown, closed=True)

    def do_write(self, kind: str, a: int, b: int, c: int) -> None:
        WRITES[kind](self.take(a), self.take_open(b), c)

    def do_write_unrecorded(self, kind: str, a: int, b: int, c: int) -> None:
        with self.no_grad():
            WRITES[kind](self.take(a), self.take_open(b), c)

    def do_turn(self, kind: str, a: int, b: int, c: int) -> None:
        need(self.take(a) not in self.retaining)  # what is retained after that, PyTorch does not say
        TURNS[kind](self.take(a), None, c)

    def do_detach(self, kind: str, a: int, b: int, c: int) -> None:
        self.keep(self.take(a).detach())

    def do_compute(self, kind: str, a: int, b: int, c: int) -> None:
        self.keep(COMPUTED[c % len(COMPUTED)](self.take_open(a), self.take_open(b)).contiguous())

    def do_hook(self, kind: str, a: int, b: int, c: int) -> None:
        tensor, number = self.take_open(a), self.hooks
        tensor.register_hook(lambda gradient: self.seen.append((number, gradient.detach().clone())))
        self.hooks += 1

    def do_retain(self, kind: str, a: int, b: int, c: int) -> None:
        self.take_open(a).retain_grad()
        self.retaining.append(self.take(a))

    def do_backward(self, kind: str, a: int, b: int, c: int) -> None:
        output = self.loss(self.take_open(a), self.take_open(b) if c % 2 else None)
        output.backward(retain_graph=c % 3 != 0)

    def loss(self, x: Any, y: Any) -> Any:
        total = real_sum(x * 1.25)
        return total if y is None else total + real_sum(y * 0.5)

    def do_detach_itself(self, kind: str, a: int, b: int, c: int) -> None:
        need(a % len(self.registers) >= len(self.leaves))
        self.take_open(a).detach_()
        self.close_views_of(self.take(a))

    def do_require(self, kind: str, a: int, b: int, c: int) -> None:
        tensor = self.take_open(a)
        tensor.requires_grad_(c % 2 == 0)
        self.close_views_of(tensor)

    def close_views_of(self, tensor: Any) -> None:
        """After a base has left or entered the graph, PyTorch is not sure what its views are."""
        self.closed |= {number for number, other in enumerate(self.registers) if other._base is tensor}


def real_sum(x: Any) -> Any:
    return (x.real + x.imag * 0.5).sum() if is_complex(x) else x.sum()


def names(weights: dict[str, int]) -> list[str]:
    """The names of instructions, each as often as its weight says."""
    kinds = {"view": VIEWS, "view_unrecorded": VIEWS, "write": WRITES, "write_unrecorded": WRITES, "turn": TURNS}
    found: list[str] = []
    for name, weight in weights.items():
        choices = [f"{name}:{kind}" for kind in kinds[name]] if name in kinds else [name]
        found += (choices * weight)[: weight * 20] if name in kinds else choices * (weight * 12)
    return found


MODELLED = names(
    {"view": 3, "view_unrecorded": 1, "write": 4, "write_unrecorded": 1, "turn": 2, "detach": 1, "compute": 1,
     "hook": 1, "retain": 1, "backward": 2}
)  # fmt: skip
EVERYTHING = MODELLED + names({"detach_itself": 1, "require": 1})


def random_program(seed: int, length: int = 16, instructions: list[str] = EVERYTHING) -> Program:
    """The program of that number."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(4, length + 1))
    return [
        (instructions[int(rng.integers(len(instructions)))], *(int(n) for n in rng.integers(0, 24, 3)))
        for _ in range(count)
    ]  # type: ignore[misc]
