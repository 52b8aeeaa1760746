"""Levels of function transforms (`grad`, `jvp`, `vmap`): how nested derivatives and batches are kept apart.

A transform opens a level and works on tensors of that level. A tensor's level is the number of tensors nested inside
it: one of level 2 holds one of level 1, which holds one of level 0, which holds an array. Where operands of different
levels meet, the lower ones are wrapped and become constants of the higher level, while their own history goes on
inside. So transforms nest in any order without confusing each other's derivatives (perturbation confusion).

Note [Grad mode and levels]
A transform's result must not depend on the grad mode that it is called in, so a level that differentiates records
in any mode. The mode outside still applies to lower levels: where recording was off, nothing below the new level is
recorded (`record_from`). `no_grad` inside the function switches all levels off, as in PyTorch.

Note [What leaves a tensor]
An array or a number read from a tensor is a constant to all that is computed from it. `detach()`, `.data`, `item()`,
`tolist()` and ``numpy(force=True)`` say that this is meant. All else that reads values (`numpy()`, DLPack, functions of
NumPy, arguments that are numbers, pickling) refuses a tensor whose derivative is being computed: one that requires grad
where recording is on, or that has a tangent where forward mode is on. In transforms that holds for each of the tensors
inside it as well, which are those of the outer transforms.

Glossary:
    constant    a tensor that a level does not differentiate or map: it wraps a tensor of a lower level
    map         a running `vmap`; its tensors hold a `BatchedArray`
    closed      a level is closed when its transform has returned
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from typing import Any

import numpy as np

from adjoint._core import modes
from adjoint._core.forward.tangents import copy_tangents, has_tangents, has_visible_tangents, set_tangent, tangents_of
from adjoint._core.modes import SPECIAL
from adjoint._core.tensor import Tensor, ensure_tensor, versions_of, wrap, wrap_as
from adjoint.arrays.batched import BatchedArray, running

# ---- opening a level -------------------------------------------------------------------------------------------------


def current_level() -> int:
    """Return the innermost level of this thread; 0 outside all transforms."""
    return modes.thread.transform_level


@contextlib.contextmanager
def open_level(*operands: Any) -> Generator[int]:
    """Open a level above the current one and above those of the operands; yields its number."""
    thread = modes.thread
    before = thread.transform_level
    others = [x._spec.level for x in operands if isinstance(x, Tensor)]
    level = thread.transform_level = max([before, *others, *[one.level for one in running()]]) + 1
    try:
        yield level
    finally:
        thread.transform_level = before


@contextlib.contextmanager
def hidden_level() -> Generator[Any]:
    """Open a level for tangents that is invisible to the differentiated function.

    It is above the current one, but below those of transforms inside the function, so that everything computed by the
    function stays at its usual level.
    """
    thread = modes.thread
    thread.hidden_levels += 1
    try:
        yield thread.transform_level + 1 - 0.5**thread.hidden_levels
    finally:
        thread.hidden_levels -= 1


@contextlib.contextmanager
def open_recording_level(*operands: Any) -> Generator[int]:
    """Open a level in which operations are recorded; see Note [Grad mode and levels]."""
    state = modes.state()
    before = (state.grad_enabled, state.inference, state.record_from)
    with open_level(*operands) as level, create_tensors_at(level):
        if not state.grad_enabled:
            state.grad_enabled, state.inference, state.record_from = True, False, level
            state.update()
        try:
            yield level
        finally:
            modes.reinstate(state)
            state.grad_enabled, state.inference, state.record_from = before
            if not before[0]:
                state.update()


@contextlib.contextmanager
def forward_mode_at(level: int) -> Generator[None]:
    """Run forward mode at a level: new tensors are of that level, and inference mode, which has no tangents, is off.

    What is recorded does not change.
    """
    state = modes.state()
    before, state.inference = state.inference, False
    if before:
        state.update()
    try:
        with create_tensors_at(level):
            yield
    finally:
        modes.reinstate(state)
        state.inference = before
        if before:
            state.update()


@contextlib.contextmanager
def create_tensors_at(level: int) -> Generator[None]:
    """Create new tensors at this level, and not at that of the running transform."""
    thread = modes.thread
    before, thread.factory_level = thread.factory_level, level
    try:
        yield
    finally:
        thread.factory_level = before


# ---- raising tensors to a level --------------------------------------------------------------------------------------


def raise_level(tensor: Tensor, level: float) -> Tensor:
    """Wrap a tensor as a constant of a higher level, with its own history inside; itself if it is of that level.

    They share a version counter, so that a write to the tensor inside is detected where the constant was saved.
    """
    while tensor._spec.level < level:
        versions = versions_of(tensor)
        tensor = wrap(tensor)
        tensor._versions = versions
        if tensor._spec.level < level:
            tensor._ensure_meta().captured = True  # see Note [Writes inside transforms]
    return tensor


def raise_into_map(tensor: Tensor, level: Any) -> Tensor:
    """Wrap a tensor that is the same for all samples of a map as a constant of the map's level."""
    versions = versions_of(tensor)
    if tensor._spec.level == level:
        raised = wrap(BatchedArray(tensor._array, level, False))
        raised._edge = None if tensor._edge is None else tensor._gradient_edge()
        if SPECIAL:
            copy_tangents(tensor, raised)
    else:
        inside = _tangents_from_inside(tensor, level) if SPECIAL else {}
        if inside:
            tensor = _without_tangents(tensor, inside)
        raised = wrap(BatchedArray(unwrap_constant(tensor), level, False))
        for stamp, tangent in inside.items():
            set_tangent(raised, stamp, raise_into_map(tangent, level))
    raised._versions = versions  # so that a write is detected by a graph that saved it
    return raised


def _tangents_from_inside(tensor: Tensor, level: float) -> dict[int, Tensor]:
    """Return a tensor's tangents in dual levels that were opened inside the map, where they have to be visible."""
    outside: Any = next((one.outside for one in running() if one.level == level), None)
    return {} if outside is None else {k: t for k, t in tangents_of(tensor).items() if k not in outside}


def _without_tangents(tensor: Tensor, stamps: Any) -> Tensor:
    """Copy a tensor (not its memory) without its tangents in some dual levels."""
    plain = wrap_as(tensor._array, tensor._spec, None if tensor._edge is None else tensor._gradient_edge())
    for stamp, tangent in tangents_of(tensor).items():
        if stamp not in stamps:
            set_tangent(plain, stamp, tangent)
    return plain


# ---- lowering tensors ------------------------------------------------------------------------------------------------


def unwrap_constant(value: Any) -> Any:
    """Unwrap a tensor that has neither history nor tangents; other tensors, and arrays, are returned unchanged."""
    while isinstance(value, Tensor) and value._edge is None and not has_visible_tangents(value):
        value = value._array
    return value


def lower_level(tensor: Tensor, level: int) -> Tensor:
    """Unwrap a result of a level for use outside it."""
    return tensor._array if tensor._spec.level >= level else tensor


def lower_constant(result: Any, level: float) -> Any:
    """Lower the result of a rule to the level of its arguments.

    A transform inside the rule returns results of the innermost level at the time, where they are constants: what was
    recorded is inside.
    """
    while isinstance(result, Tensor) and result._spec.level > level and result._edge is None:
        array: Any = result._array
        if type(array) is BatchedArray:
            if array.batched:
                break
            array = array.value
        result = ensure_tensor(array)
    return result


def leave_closed_levels(tensor: Tensor, level: int) -> Tensor:
    """Unwrap a result of levels above the given one, which are closed: a tensor of theirs was kept too long."""
    while tensor._spec.level > level:
        if not isinstance(tensor._array, Tensor):
            raise RuntimeError(
                f"a result of shape {tuple(tensor.shape)} belongs to a vmap that is over: a tensor from inside a "
                "mapped function has been kept and used outside. Return it from the function instead."
            )
        tensor = tensor._array
    return tensor


def innermost_array(value: Any) -> Any:
    """Return the plain array inside all tensors and batches."""
    while isinstance(value, (Tensor, BatchedArray)):
        value = value._array if isinstance(value, Tensor) else value.value
    return value


# ---- reading values --------------------------------------------------------------------------------------------------


def find_lost_derivative(tensor: Tensor, recording_only: bool = True) -> str | None:
    """Say which derivative is lost where the values of a tensor are read: "requires grad", "has a tangent", or None.

    Args:
        recording_only: whether `no_grad` excuses the loss of a history.
    """
    inside: Any = tensor
    while True:
        if isinstance(inside, Tensor):
            if inside._edge is not None and (not recording_only or modes.records(inside._spec.level)):
                return "requires grad"
            if SPECIAL and has_tangents(inside):
                return "has a tangent"
            inside = inside._array
        elif type(inside) is BatchedArray:
            inside = inside.value
        else:
            return None


def refuse_lost_derivative(
    tensor: Tensor, what: str, error: type[Exception] = RuntimeError, recording_only: bool = True
) -> None:
    """Raise if a derivative is lost where the values of a tensor are read. See Note [What leaves a tensor]."""
    reason = find_lost_derivative(tensor, recording_only)
    if reason is not None:
        lost = "tangent" if "tangent" in reason else "history"
        raise error(
            f"{what} of a tensor of {tensor._spec.describe()} that {reason} would lose its {lost}, because only values "
            "are read. Use tensor.detach() first, which says that this is meant."
        )


def is_known_number(value: Any) -> bool:
    """Test whether a tensor is a number of NumPy's, at any level: not a tracer or a batch, whose value is unknown."""
    while isinstance(value, Tensor):
        value = value._array
    return type(value) is np.ndarray and not value.shape
