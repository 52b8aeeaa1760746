"""Recording of one call of a function, for vector-Jacobian products (reverse mode).

Note [Two ways to record]
In general a function is recorded at its own level. Its arguments are raised to it; the backward pass works on the
arrays of that level, which are tensors of the level below, so that it is itself recorded there if an outer transform
differentiates too. This is correct for any nesting and any gradients (`Recording`).

Outermost, where the arguments are plain tensors without history or tangents, no level is needed (`FlatRecording`): the
function is recorded at level 0, where operators have fast paths. Its own leaves separate its derivatives from others.
Only if the function closes over tensors that require grad is the backward pass recorded too.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from adjoint._core import backward, modes
from adjoint._core.forward.dual_levels import is_active
from adjoint._core.graph import ACCUMULATES, target_of
from adjoint._core.levels import (
    current_level,
    leave_closed_levels,
    lower_level,
    open_recording_level,
    raise_level,
)
from adjoint._core.modes import record_all_levels
from adjoint._core.tensor import LAZY, Tensor, versions_of, without_history
from adjoint._core.views.memory import note_recorded_writes
from adjoint._dispatch import trees
from adjoint._ops.creation.tensors import ones_like, zeros_like
from adjoint.func._vmap import vmap

Function = Callable[..., Any]


def record(func: Function, args: Any, kwargs: Any, argnums: Any, has_aux: bool, api: str) -> Recording | FlatRecording:
    """Record a call of a function whose gradients are computed at once. See Note [Two ways to record]."""
    args, kwargs = trees.with_tensors(args), trees.with_tensors(kwargs) if kwargs else kwargs
    kind = FlatRecording if needs_no_level(args, argnums) else Recording
    return kind(func, args, kwargs, argnums, has_aux, api)


def needs_no_level(args: Any, argnums: Any) -> bool:
    """Test whether a function of these arguments can be recorded at level 0."""
    state = modes.state()
    if current_level() or is_active() or state.inference or state.dispatch_modes or modes.WRAPPERS:
        return False
    others = trees.tensors_in(args)
    if any(leaf._spec.inference for leaf in others):
        return False  # an inference tensor can be saved only as a constant of a higher level
    if not modes.state().grad_enabled and any(leaf._edge is not None for leaf in others):
        return False  # what is written to it inside must not be recorded at level 0
    wanted = trees.select_arguments(args, trees.check_argnums(argnums, len(args)))
    return all(leaf._edge is None and leaf._spec.level == 0 for leaf in trees.tensors_in(wanted))


class Recording:
    """A call of a function, recorded at its own level.

    Attributes:
        level: the number of the level.
        inputs: the tensors of that level with respect to which to differentiate; input_structure: their tree.
        outputs: the leaves of the function's result; output_structure: their tree.
        aux: the auxiliary output of the function.
    """

    def __init__(self, func: Function, args: Any, kwargs: Any, argnums: Any, has_aux: bool, api: str) -> None:
        given, structure = trees.flatten(trees.with_tensors((args, kwargs)))
        with open_recording_level(*given) as level:
            self.level = level
            lifted = [raise_level(leaf, level) if isinstance(leaf, Tensor) else leaf for leaf in given]
            args, kwargs = trees.unflatten(structure, lifted)
            wanted = args if argnums is None else trees.select_arguments(args, trees.check_argnums(argnums, len(args)))
            self.inputs, self.input_structure = trees.flatten(wanted)
            for index, leaf in enumerate(self.inputs):
                _make_leaf(leaf, index, api)
            result = func(*args, **kwargs)
            _check_no_backward(self.inputs, api)
            result, self.aux = trees.split_aux(result, has_aux, api)
        outputs, self.output_structure = trees.flatten(result)
        self.outputs = [leave_closed_levels(one, level) if isinstance(one, Tensor) else one for one in outputs]

    def _lower(self, leaf: Any) -> Any:
        return lower_level(leaf, self.level) if isinstance(leaf, Tensor) else leaf

    def outside(self, tree: Any) -> Any:
        """Lower results of the function for the caller."""
        return trees.tree_map(self._lower, tree)

    def tracked_outputs(self) -> Any:
        """Return the function's result for the caller; a later `pull` detects in-place writes to it."""
        return trees.unflatten(self.output_structure, [self._share_version(output) for output in self.outputs])

    def _share_version(self, output: Tensor) -> Tensor:
        inner: Any = lower_level(output, self.level)
        if inner is output or output._edge is None:
            return inner
        if inner._versions is not None:
            return inner.clone() if inner._versions is not output._versions else inner
        inner._versions = versions_of(output)
        return inner

    def pull(self, cotangents: list[Tensor], keep: bool) -> list[Tensor]:
        """Compute the gradients of the inputs from those of the outputs (VJP).

        Args:
            keep: whether there will be another pass.
        """
        return pull_back(self.outputs, self.inputs, cotangents, self.level, keep)

    def pull_batch(self, cotangents: list[Tensor]) -> list[Tensor]:
        """Compute the gradients of the inputs for a batch of gradients of the outputs, along axis 0."""
        return list(vmap(lambda *sample: tuple(self.pull(list(sample), keep=True)))(*cotangents))

    def as_arguments(self, leaves: list[Any]) -> Any:
        """Leaves in the tree of the arguments that were asked for."""
        return trees.unflatten(self.input_structure, leaves)

    def close(self) -> None:
        """Say that no further gradients will be asked for."""

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()


def pull_back(
    outputs: Sequence[Tensor], inputs: Sequence[Tensor], cotangents: Sequence[Tensor], level: int, keep: bool
) -> list[Tensor]:
    """Compute the gradients of inputs of a level from those of outputs; recorded at lower levels.

    Args:
        keep: whether there will be another pass.
    """
    below = max([level - 1, *[cotangent._spec.level for cotangent in cotangents]])
    starts: Any = [
        (*output._gradient_edge(), raise_level(cotangent, below))
        for output, cotangent in zip(outputs, cotangents)
        if output._edge is not None and output._spec.level == level
    ]
    wanted = [place for place, leaf in enumerate(inputs) if leaf._edge is not None]
    results: list[Any] = [None] * len(inputs)
    if starts and wanted:
        found = backward.run_pass(starts, [inputs[place]._gradient_edge() for place in wanted], keep)
        for place, value in zip(wanted, found):
            results[place] = value
    return [zeros_like(leaf._array) if grad is None else grad for leaf, grad in zip(inputs, results)]


def _check_no_backward(inputs: Sequence[Tensor], api: str) -> None:
    """Raise if the function has called `backward` on what depends on its arguments: `.grad` is a constant to it."""
    if any(leaf._meta is not None and leaf._meta.grad is not None for leaf in inputs):
        raise RuntimeError(
            f"{api}: the function has called backward() on a tensor that depends on its arguments. What that writes "
            "into .grad is not differentiated, so derivatives would be wrong. Inside a transform, use autograd.grad "
            "with create_graph=True, or a transform."
        )


_closed: weakref.WeakSet[Any] = weakref.WeakSet()
"""The accumulators of the leaves of closed flat recordings. Recorded results, and tensors kept by the user, may still
lead there, but their gradients cannot be asked for."""


class FlatRecording:
    """A call of a function, recorded at level 0; attributes as of `Recording`."""

    def __enter__(self) -> FlatRecording:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def __init__(self, func: Function, args: Any, kwargs: Any, argnums: Any, has_aux: bool, api: str) -> None:
        self.wants_history = modes.state().grad_enabled
        numbers = trees.check_argnums(argnums, len(args))
        given, self.input_structure = trees.flatten(trees.select_arguments(args, numbers))
        self.inputs = [_make_own_leaf(leaf, index, api) for index, leaf in enumerate(given)]
        args = trees.replace_arguments(args, numbers, trees.unflatten(self.input_structure, self.inputs))
        modes.thread.flat_recordings += 1
        with note_recorded_writes() as self._written:
            try:
                with contextlib.nullcontext() if self.wants_history else record_all_levels():
                    result = func(*args, **kwargs)
                _check_no_backward(self.inputs, api)
            except BaseException:
                self.close()
                raise
            finally:
                modes.thread.flat_recordings -= 1
        result, self.aux = trees.split_aux(result, has_aux, api)
        outputs, self.output_structure = trees.flatten(result)
        self.outputs = [leave_closed_levels(one, 0) if isinstance(one, Tensor) else one for one in outputs]
        self._recorded = [output for output in self.outputs if isinstance(output, Tensor) and output._edge is not None]
        self.has_history = self.wants_history and self._reaches_others([*self._recorded, *trees.tensors_in(self.aux)])

    def _reaches_others(self, tensors: list[Tensor]) -> bool:
        """Test whether tensors depend on tensors that require grad other than the recording's own."""
        own = {leaf._gradient_edge()[0].order for leaf in self.inputs}
        stack = [tensor._gradient_edge()[0] for tensor in tensors if tensor._edge is not None]
        seen: set[int] = set()
        while stack:
            node = stack.pop()
            if node.order in seen:
                continue
            seen.add(node.order)
            if node.kind & ACCUMULATES and node.order not in own and node not in _closed:
                return True
            stack.extend([target_of(edge) for edge in node.edges if edge is not None])
        return False

    def outside(self, tree: Any) -> Any:
        """Detach results of the function for the caller, if they have no other history."""
        return trees.tree_map(self._cut, tree)

    def _cut(self, leaf: Any) -> Any:
        if not isinstance(leaf, Tensor) or leaf._edge is None or (self.has_history and leaf._edge is not LAZY):
            return leaf
        return without_history(leaf)

    def pull(self, cotangents: list[Tensor], keep: bool) -> list[Tensor]:
        """Compute the gradients of the inputs from those of the outputs (VJP); see `Recording`."""
        return self._pull(cotangents, keep, batched=False)

    def pull_batch(self, cotangents: list[Tensor]) -> list[Tensor]:
        """Compute the gradients of the inputs for a batch of gradients of the outputs, along axis 0."""
        return self._pull(cotangents, True, batched=True)

    def differentiate(self) -> None:
        """Replace the single output, of one element, by its gradient, for second derivatives."""
        with record_all_levels():
            ones = [ones_like(output) for output in self.outputs]
            self.outputs = self._pull(ones, True, batched=False, recorded=True)
        self.output_structure = self.input_structure
        self._recorded = [output for output in self.outputs if output._edge is not None]

    def close(self) -> None:
        """Say that no further gradients will be asked for; tensors that were written to lose the recorded history."""
        written = [one for reference in self._written if (one := reference()) is not None and one._edge is not None]
        for tensor in [one for one in written if not (self.wants_history and self._reaches_others([one]))]:
            tensor._edge, tensor._ensure_meta().stale = None, False
        _closed.update([leaf._gradient_edge()[0] for leaf in self.inputs])

    def _pull(self, cotangents: list[Tensor], keep: bool, batched: bool, recorded: bool = False) -> list[Tensor]:
        given = [one for one, output in zip(cotangents, self.outputs) if output._edge is not None]
        found: Any = [None] * len(self.inputs)
        recorded = recorded or self.has_history
        if self._recorded and self.inputs:
            found = backward.grad(
                self._recorded,
                self.inputs,
                given,
                retain_graph=keep or recorded,  # what is computed now is part of it
                create_graph=recorded,
                allow_unused=True,
                is_grads_batched=batched,
            )
        shape = tuple(cotangents[0]._spec.shape[:1]) if batched else ()
        return [_zeros(leaf, shape) if grad is None else grad for leaf, grad in zip(self.inputs, found)]

    def as_arguments(self, leaves: list[Any]) -> Any:
        """Leaves in the tree of the arguments that were asked for."""
        return trees.unflatten(self.input_structure, leaves)


def _zeros(leaf: Any, batch: tuple[int, ...]) -> Any:
    return leaf.new_zeros((*batch, *leaf._spec.shape)) if batch else zeros_like(leaf)


def _make_own_leaf(leaf: Any, index: int, api: str) -> Any:
    """Make a new leaf with the same memory, which requires grad."""
    own = without_history(leaf) if isinstance(leaf, Tensor) else leaf
    _make_leaf(own, index, api)
    return own


def _make_leaf(leaf: Any, index: int, api: str) -> None:
    """Make a tensor that is private to the recording require grad, or raise."""
    if not isinstance(leaf, Tensor):
        raise ValueError(
            f"{api}: only tensors and arrays can be differentiated with respect to; leaf {index} of the arguments is a "
            f"{type(leaf).__name__}. Say with argnums which arguments are meant."
        )
    if not leaf._spec.inexact:
        raise RuntimeError(
            f"{api}: only floating point and complex tensors have gradients; leaf {index} of the arguments has dtype "
            f"{leaf.dtype!r}"
        )
    leaf._edge = LAZY
