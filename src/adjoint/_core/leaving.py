"""Values that leave a tensor: whether a derivative would be lost.

Note [What leaves a tensor]
An array or a number read from a tensor is a constant to all that is computed from it. `detach()`, `.data`, `item()`,
`tolist()` and ``numpy(force=True)`` say that this is meant. All else that reads values (`numpy()`, DLPack, functions of
NumPy, arguments that are numbers, pickling) refuses a tensor whose derivative is being computed: one that requires grad
where recording is on, or that has a tangent where forward mode is on. In transforms that holds for each of the tensors
inside it as well, which are those of the outer transforms.
"""

from __future__ import annotations

from typing import Any

from adjoint._core import modes
from adjoint._core.forward.tangents import has_tangents
from adjoint._core.tensor import Tensor
from adjoint.arrays.batched import BatchedArray


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
            if modes.SPECIAL and has_tangents(inside):
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
