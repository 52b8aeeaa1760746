"""`linearize`: the JVP of a function at a point, as a function that can be called many times."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjoint._core.levels import lower_level, open_recording_level, raise_level
from adjoint._core.tensor import LAZY, Tensor
from adjoint._dispatch import trees
from adjoint._ops.creation.tensors import zeros_like
from adjoint.func._recording import Recording, pull_back


def linearize(func: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """Result of a function at a point, and its derivative there as a linear function (JVP).

    The function itself runs once; every call of the derivative costs about as much as a backward pass.

    Args:
        func: returns a tree of tensors.
        primals: the arguments; trees of tensors.

    Returns:
        ``(output, jvp_fn)``; ``jvp_fn(*tangents)`` takes trees built like the arguments, and returns a tree built
        like the output.

    Example:
        >>> output, jvp_fn = ad.func.linearize(ad.sin, ad.tensor([0.0, 1.0]))
        >>> jvp_fn(ad.tensor([2.0, 0.0]))
        tensor([2., 0.])
    """
    recording = Recording(func, primals, {}, None, False, "linearize")
    trees.check_outputs(recording.outputs, "linearize")
    if not recording.inputs:
        raise RuntimeError("linearize: the primals have to contain at least one tensor")
    transpose = Transpose(recording)

    def jvp_fn(*tangents: Any) -> Any:
        given, structure = trees.flatten(trees.with_tensors(tangents))
        trees.check_same_structure("jvp_fn", "tangents", structure, "primals", recording.input_structure)
        checked = [_check_tangent(one, leaf, i) for i, (one, leaf) in enumerate(zip(given, recording.inputs))]
        return trees.unflatten(recording.output_structure, transpose(checked))

    return recording.tracked_outputs(), jvp_fn


class Transpose:
    """JVP as the transpose of the VJP: J t is the gradient of v -> <J^T v, t>, which is linear in v.

    J^T v is recorded once, with a v that is a leaf of its own level.
    """

    def __init__(self, recording: Recording) -> None:
        outputs = [lower_level(output, recording.level) for output in recording.outputs]
        with open_recording_level(*outputs) as level:
            self.level = level
            self.vectors = [raise_level(zeros_like(output), level) for output in outputs]
            for vector in self.vectors:
                if vector._spec.inexact:
                    vector._edge = LAZY
            self.pulled = recording.pull(self.vectors, keep=True)

    def __call__(self, tangents: list[Tensor]) -> list[Tensor]:
        return pull_back(self.pulled, self.vectors, tangents, self.level, keep=True)


def _check_tangent(tangent: Any, leaf: Tensor, index: int) -> Any:
    """Check a tangent against its argument."""
    if not isinstance(tangent, Tensor):
        raise RuntimeError(f"jvp_fn: tangent {index} has to be a tensor, got {type(tangent).__name__}")
    own, wanted = tangent._spec, leaf._spec
    if own.shape != wanted.shape or own.dtype is not wanted.dtype or own.device != wanted.device:
        raise RuntimeError(
            f"jvp_fn: tangent {index} has {own.describe()}, but the argument it belongs to has {wanted.describe()}"
        )
    return tangent
