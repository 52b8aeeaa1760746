"""Levels: how transforms keep their derivatives and batches apart.

A transform opens a level and works on tensors of that level. A tensor's level is how many tensors are nested inside
it, so one of level 2 holds one of level 1, which holds one of level 0, which holds a plain array. Where operands of
different levels meet, the lower ones are wrapped as they are and become constants of the higher level, while their
own history goes on inside. So transforms nest in any order and cannot take each other's derivatives for their own.

Note [Grad mode and levels]
A transform's result shall not depend on the grad mode that it is called in, so a level that differentiates records
whatever the mode outside is. The mode outside still holds for what is outside: where recording was off, nothing below
the new level is recorded (`record_from`). `no_grad` inside the function switches all levels off, as in PyTorch.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from adjoint._core import modes
from adjoint._core.levels import raise_level
from adjoint._core.tensor import Tensor
from adjoint.arrays.batched import running


def current_level() -> int:
    """The innermost level that this thread works in; 0 outside all transforms."""
    return modes.state.transform_level


@contextlib.contextmanager
def open_level(*operands: Any) -> Iterator[int]:
    """Open a level above the current one and above those of the operands; gives its number."""
    state = modes.state
    before = state.transform_level
    others = [x._spec.level for x in operands if isinstance(x, Tensor)]
    level = state.transform_level = max([before, *others, *[one.level for one in running()]]) + 1
    try:
        yield level
    finally:
        state.transform_level = before


@contextlib.contextmanager
def hidden_level() -> Iterator[Any]:
    """A level for tangents that the function which is being differentiated never gets to see.

    It is above the current one, but below those that transforms inside the function open: what they compute, and what
    the function computes, stays at the levels it would have otherwise.
    """
    state = modes.state
    state.hidden_levels += 1
    try:
        yield state.transform_level + 1 - 0.5**state.hidden_levels
    finally:
        state.hidden_levels -= 1


@contextlib.contextmanager
def open_recording_level(*operands: Any) -> Iterator[int]:
    """The same for a level in which operations are recorded; see Note [Grad mode and levels]."""
    state = modes.state
    before = (state.grad_enabled, state.inference, state.record_from, state.factory_level)
    with open_level(*operands) as level:
        state.factory_level = level
        if not state.grad_enabled:
            state.grad_enabled, state.inference, state.record_from = True, False, level
            modes.refresh()
        try:
            yield level
        finally:
            state.grad_enabled, state.inference, state.record_from, state.factory_level = before
            if not before[0]:
                modes.refresh()


@contextlib.contextmanager
def working_at(level: int) -> Iterator[None]:
    """Differentiate forward at a level: new tensors are of it, and there is no inference mode, which has no tangents.

    Nothing is recorded that was not before.
    """
    state = modes.state
    before = (state.inference, state.factory_level)
    state.inference, state.factory_level = False, level
    if before[0]:
        modes.refresh()
    try:
        yield
    finally:
        state.inference, state.factory_level = before
        if before[0]:
            modes.refresh()


def lift(tensor: Tensor, level: int) -> Tensor:
    """The tensor as a constant of a higher level; itself if it is there already."""
    return raise_level(tensor, level)


def lower(tensor: Tensor, level: int) -> Tensor:
    """What a result of a level is to those outside it."""
    return tensor._array if tensor._spec.level >= level else tensor


def settle(tensor: Tensor, level: int) -> Tensor:
    """A result without the levels above the given one. They are over: a tensor of theirs has been kept by somebody."""
    while tensor._spec.level > level:
        if not isinstance(tensor._array, Tensor):
            raise RuntimeError(
                f"a result of shape {tuple(tensor.shape)} belongs to a vmap that is over: a tensor from inside a "
                "mapped function has been kept and used outside. Return it from the function instead."
            )
        tensor = tensor._array
    return tensor
