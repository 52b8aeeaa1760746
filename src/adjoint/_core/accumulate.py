"""`AccumulateGrad`: accumulation of gradients into the `.grad` of leaves."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import chain, repeat
from operator import iadd  # pyright: ignore[reportUnknownVariableType]
from sys import getrefcount
from typing import Any

from numpy import ndarray

from adjoint._core import modes
from adjoint._core.gradient_fit import as_array_of
from adjoint._core.graph import ACCUMULATES, Node, commit_lock, next_order
from adjoint._core.tensor import Tensor, bump_version, wrap, wrap_as
from adjoint.arrays import namespace_of

ALONE, TOGETHER = 4, 3
"""Reference count of a gradient inside `_take_over` if only the engine holds it: when a node runs by itself, and when
several leaves are committed together. `_core/ownership.py` measures both at import and corrects them."""


class AccumulateGrad(Node):
    """Node that adds incoming gradients to its leaf's `.grad`. A leaf has at most one, and holds it weakly."""

    __slots__ = ("variable",)
    kind = ACCUMULATES

    def __init__(self, variable: Tensor) -> None:
        meta = variable._ensure_meta()
        self.variable = variable
        self.edges = ()
        self.spec = variable._spec if meta.grad_spec is None else meta.grad_spec
        self.saved = ()
        self.extras = None
        if meta.hooks:
            self.ensure_extras().tensor_hooks[0] = meta.hooks
        self.order = next_order()

    def backward_raw(self, grad: Any, needed: Any = None) -> Sequence[Any]:
        variable = self.variable
        if variable._edge is None:  # a leaf that no longer requires grad
            return ()
        meta: Any = variable._meta
        if grad is not None:
            with commit_lock:
                old = meta.grad
                if self.spec is not variable._spec or (old is not None and old._spec is not self.spec):
                    _check_shapes(self, old)
                meta.grad = _take_over(variable, grad, ALONE) if old is None else _add(variable, old, grad)
        if meta.post_accumulate_hooks:
            with modes.callback_modes(recording=False):
                _run_post_accumulate_hooks(variable)
        return ()

    def backward_graph(self, grad: Any, needed: Any = None) -> Sequence[Any]:
        variable = self.variable
        if variable._edge is None:
            return ()
        meta = variable._ensure_meta()
        if grad is not None:
            with commit_lock:
                _check_shapes(self, meta.grad)
                meta.grad = _clone_gradient(variable, grad) if meta.grad is None else meta.grad + grad
        if meta.post_accumulate_hooks:
            _run_post_accumulate_hooks(variable)
        return ()


def commit(sinks: list[tuple[AccumulateGrad, Any]], create_graph: bool = False) -> None:
    """Accumulate the gradients of several leaves atomically: all of them or, on an error, none.

    Everything that can fail is computed first. The results are then assigned by one call that runs no Python code, so
    that no interrupt can be served in the middle of it.
    """
    metas: list[Any] = []
    fresh: list[Tensor] = []
    grown: list[Any] = []
    parts: list[Any] = []
    with commit_lock:
        for _ in range(len(sinks)):  # (a while loop here: CPython 3.13 would not give the lock back if interrupted)
            node, grad = sinks.pop()
            variable = node.variable
            if grad is None or variable._edge is None:
                continue
            meta: Any = variable._meta
            old = meta.grad
            if node.spec is not variable._spec or (old is not None and old._spec is not node.spec):
                _check_shapes(node, old)
            if create_graph:
                metas.append(meta)
                fresh.append(_clone_gradient(variable, grad) if old is None else old + grad)
                continue
            if old is not None and type(grad) is not type(old._array):
                grad = as_array_of(variable._spec, grad)
            if old is not None and _can_add_in_place(old, grad):
                bump_version(old)
                grown.append(old._array)
                parts.append(grad)
            else:
                metas.append(meta)
                fresh.append(_take_over(variable, grad, TOGETHER) if old is None else _add(variable, old, grad))
        if grown:
            _copy_overlapping(grown, parts)
        assigned, added = map(setattr, metas, repeat("grad"), fresh), map(iadd, grown, parts)  # pyright: ignore
        deque(chain(assigned, added), maxlen=0)  # pyright: ignore[reportUnknownArgumentType]


def _copy_overlapping(grown: list[Any], parts: list[Any]) -> None:
    """Copy gradients that share memory with a `.grad` to be added to in place, as in ``y.backward(x.grad)``."""
    targets = {id(_owner_of_memory(array)) for array in grown}
    for place, part in enumerate(parts):
        if id(_owner_of_memory(part)) in targets:
            parts[place] = namespace_of(part).copy(part)


def _owner_of_memory(array: Any) -> Any:
    base = getattr(array, "base", None)
    return array if base is None else base


def _check_shapes(node: AccumulateGrad, old: Tensor | None) -> None:
    """Raise if a leaf has been given values of another shape, by `.data`, since its graph was recorded."""
    spec, computed = node.variable._spec, node._input_metadata[0]
    if computed.shape != spec.shape or (old is not None and old._spec.shape != spec.shape):
        earlier = "" if old is None else f", and its .grad has shape {old._spec.shape}"
        raise RuntimeError(
            f"a gradient of shape {computed.shape} cannot be accumulated: its leaf has shape {spec.shape}{earlier}. "
            "Set .grad to None after giving a leaf values of another shape, and compute the outputs anew."
        )


def _take_over(variable: Tensor, grad: Any, holders: int) -> Tensor:
    """Make the first gradient of a leaf: the array itself if nothing else holds it, else a copy.

    It has the leaf's memory layout, so that ``view(-1)`` works on it wherever it works on the leaf.
    """
    spec, shared, own = variable._spec.own, getrefcount(grad) > holders, variable._array
    if spec.fast and type(grad) is ndarray:  # the same with fewer calls
        if (
            shared
            or grad.base is not None
            or not grad.flags.writeable
            or (spec.folded and grad.strides != own.strides and not spec.namespace.is_laid_out_like(grad, own))
        ):
            grad = spec.namespace.copy_laid_out_like(grad, own)
        return wrap_as(grad, spec) if grad.dtype is spec.native else wrap(grad)
    array = grad if type(grad) is spec.array_type else as_array_of(spec, grad)
    namespace = spec.namespace if type(array) is spec.array_type else namespace_of(array)  # a tracer stays one
    if namespace.mutable and (shared or not namespace.owns_memory(array) or not namespace.is_laid_out_like(array, own)):
        array = namespace.copy_laid_out_like(array, own)
    return wrap_as(array, spec) if array.dtype is spec.native and not spec.inference else wrap(array)


def _clone_gradient(variable: Tensor, grad: Any) -> Tensor:
    """Make the first gradient of a leaf in a recorded pass: a copy with the leaf's memory layout."""
    clone, own = grad.clone(), variable._array
    namespace = clone._spec.namespace
    if type(clone._array) is type(own) and not namespace.is_laid_out_like(clone._array, own):
        clone._array = namespace.copy_laid_out_like(clone._array, own)
    return clone


def _add(variable: Tensor, old: Tensor, grad: Any) -> Tensor:
    """Add to an earlier gradient: in place where possible, else into a new tensor."""
    if type(grad) is not type(old._array):
        grad = as_array_of(variable._spec, grad)
    if not _can_add_in_place(old, grad):
        with modes.enable_grad():  # an earlier gradient that was recorded stays differentiable
            return old + wrap(grad)
    bump_version(old)
    old._array += grad
    return old


def _can_add_in_place(old: Tensor, grad: Any) -> bool:
    """Whether a raw gradient can be added to an earlier one in place."""
    spec, own = old._spec.own, old._array
    if spec.inference or type(grad) is not type(own):
        return False
    if spec.fast:
        return grad.dtype is spec.native and own.flags.writeable
    namespace = spec.namespace
    return namespace.mutable and grad.dtype == own.dtype and namespace.writeable(own)


def _run_post_accumulate_hooks(variable: Tensor) -> None:
    meta = variable._ensure_meta()
    for hook in tuple(meta.post_accumulate_hooks.values() if meta.post_accumulate_hooks else ()):
        if hook(variable) is not None:
            raise RuntimeError("a post-accumulate-grad hook has to return None; assign to tensor.grad instead")
