"""Selective checkpointing: a policy says which operators' results are kept, and which are computed again.

Note [Selective checkpointing]
Two dispatch modes, one around each run of a checkpointed function. The first asks the policy after each operator and
notes, by operator and in order, its result or that there is none. The second returns the results that were kept, each
once, and computes the others. An operator that writes to its argument is always run again: a result that is kept could
not be written there.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from adjoint._core.tensor import Tensor
from adjoint._dispatch.interception.mode import TorchDispatchMode
from adjoint._dispatch.interception.overloads import OpOverload
from adjoint._dispatch.trees import flatten, unflatten
from adjoint.arrays import CPU

Policy = Callable[..., Any]


class CheckpointPolicy(enum.Enum):
    """What a policy answers for an operator: keep its result, compute it again, or keep it in the CPU's memory.

    ``MUST`` and ``PREFER`` mean the same here; PyTorch's compiler may overrule the latter.
    """

    MUST_SAVE = 0
    PREFER_SAVE = 1
    MUST_RECOMPUTE = 2
    PREFER_RECOMPUTE = 3
    MUST_CPU_OFFLOAD = 4
    PREFER_CPU_OFFLOAD = 5


_SAVE = (CheckpointPolicy.MUST_SAVE, CheckpointPolicy.PREFER_SAVE)
_OFFLOAD = (CheckpointPolicy.MUST_CPU_OFFLOAD, CheckpointPolicy.PREFER_CPU_OFFLOAD)


class SelectiveCheckpointContext:
    """First argument of a policy: whether the function runs again, and what the operator has returned.

    Args:
        is_recompute: False in the first run, in which policies are asked.
        op_output: the operator's result.
    """

    def __init__(self, *, is_recompute: bool, op_output: Any = None) -> None:
        self.is_recompute = is_recompute
        self.op_output = op_output


class _Kept:
    """A result that was kept; `take` gives it back once, if nobody has written to it."""

    def __init__(self, result: Any, offload: bool, allow_mutation: bool) -> None:
        leaves, self.structure = flatten(result)
        self.devices = [one.device for one in leaves]
        self.tensors: list[Tensor] | None = [one.to(CPU) if offload else one.detach() for one in leaves]
        self.versions = None if allow_mutation else _find_versions(self.tensors)

    def take(self, func: Any) -> Any:
        tensors, self.tensors = self.tensors, None
        if tensors is None:
            raise RuntimeError(
                f"{func}: the results that a selective checkpoint kept have been used by an earlier backward pass; "
                "only one is possible"
            )
        if self.versions is not None and _find_versions(tensors) != self.versions:
            raise RuntimeError(
                f"{func}: a result that a selective checkpoint kept has been modified in place since; clone() it "
                "before the write, have it computed again, or pass allow_cache_entry_mutation=True to use it"
            )
        return unflatten(self.structure, [one.to(device) for one, device in zip(tensors, self.devices)])


def _find_versions(tensors: list[Tensor]) -> list[int]:
    return [0 if one.is_inference() else one._version for one in tensors]


class _Notes(TorchDispatchMode):
    """The mode of the first run: keeps what the policy chooses."""

    def __init__(self, policy: Policy, allow_mutation: bool) -> None:
        self.policy = policy
        self.allow_mutation = allow_mutation
        self.calls: dict[Any, list[_Kept | None]] = {}

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        if not func._schema.is_mutable:
            context = SelectiveCheckpointContext(is_recompute=False, op_output=result)
            self.calls.setdefault(func, []).append(self._keep(self.policy(context, func, *args, **kwargs), result))
        return result

    def _keep(self, answer: Any, result: Any) -> _Kept | None:
        if isinstance(answer, bool):
            answer = CheckpointPolicy.MUST_SAVE if answer else CheckpointPolicy.PREFER_RECOMPUTE
        if not isinstance(answer, CheckpointPolicy):
            raise TypeError(f"a checkpoint policy returns a CheckpointPolicy or a bool, not {answer!r:.80}")
        if answer in _SAVE or answer in _OFFLOAD:
            return _Kept(result, answer in _OFFLOAD, self.allow_mutation)
        return None


class _Replay(TorchDispatchMode):
    """The mode of the second run: returns what was kept, and computes the rest."""

    def __init__(self, notes: _Notes) -> None:
        self.notes = notes
        self.counts: dict[Any, int] = {}

    def __enter__(self) -> Any:
        self.counts.clear()
        return super().__enter__()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kept = None
        if not func._schema.is_mutable:
            number = self.counts[func] = self.counts.get(func, 0) + 1
            calls = self.notes.calls.get(func, ())
            if number > len(calls):
                raise RuntimeError(
                    f"{func} was called {len(calls)} times when the checkpointed function ran first, and now once "
                    "more: it has to do the same each time"
                )
            kept = calls[number - 1]
        return func(*args, **(kwargs or {})) if kept is None else kept.take(func)


def create_selective_checkpoint_contexts(
    policy_fn_or_list: Any, allow_cache_entry_mutation: bool = False
) -> tuple[AbstractContextManager[Any], AbstractContextManager[Any]]:
    """Make the two contexts of a selective checkpoint, which keeps the results of some operators.

    Args:
        policy_fn_or_list: the operators whose results are kept, such as ``[adjoint.ops.aten.mm.default]``; or a
            function ``policy(ctx, op, *args, **kwargs)`` that returns a `CheckpointPolicy`, or whether to keep it.
        allow_cache_entry_mutation: whether what is kept may be modified in place meanwhile.

    Example:
        >>> def contexts():
        ...     keep = [ad.ops.aten.mm.default]
        ...     return ad.utils.checkpoint.create_selective_checkpoint_contexts(keep)
        >>> x = ad.eye(2).requires_grad_()
        >>> f = lambda x: (x @ x).sin().cos()
        >>> y = ad.utils.checkpoint.checkpoint(f, x, use_reentrant=False, context_fn=contexts)
        >>> y.sum().backward()
    """
    if isinstance(policy_fn_or_list, list):
        chosen: set[Any] = set()
        for one in policy_fn_or_list:
            if not isinstance(one, OpOverload):
                raise ValueError(
                    f"an operator to keep is an overload such as adjoint.ops.aten.mm.default, not {one!r:.80} of type "
                    f"{type(one).__name__}"
                )
            chosen.add(one)
        policy: Policy = lambda ctx, op, *args, **kwargs: op in chosen
    elif callable(policy_fn_or_list):
        policy = policy_fn_or_list
    else:
        raise TypeError(
            "policy_fn_or_list is a function or a list of operators, not an object of type "
            f"{type(policy_fn_or_list).__name__}"
        )
    notes = _Notes(policy, allow_cache_entry_mutation)
    return notes, _Replay(notes)
