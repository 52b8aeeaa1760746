"""The argument ``out=``: write a result into an existing tensor."""

from __future__ import annotations

from collections.abc import Iterable
from inspect import Parameter, Signature
from typing import Any

from adjoint import _dtypes
from adjoint._core import modes
from adjoint._core.forward import propagate
from adjoint._core.metadata import metadata_of
from adjoint._core.modes import SPECIAL
from adjoint._core.tensor import Tensor
from adjoint._core.views.history import check_in_place, views_of
from adjoint._core.views.layout import overlaps_itself, overlaps_partially
from adjoint._core.views.memory import leave_memory, note_write, write_values
from adjoint._core.warn import warn
from adjoint._dispatch.errors import OperatorError
from adjoint.arrays import namespace_of
from adjoint.arrays.batched import BatchedArray

OUT = Parameter("out", Parameter.KEYWORD_ONLY, default=None)
"""What the signatures of all functions that take ``out=`` end with."""


def with_out(signature: Signature) -> Signature:
    """The signature of a function that takes ``out=`` besides."""
    return signature.replace(parameters=[*signature.parameters.values(), OUT])


def write_out(name: str, out: Any, result: Any, operands: Iterable[Any]) -> Any:
    """Write results into the tensors given as ``out=``; returns what the caller gets.

    Args:
        name: of the operator, for messages.
        operands: its arguments, which must not share some of their memory with the output.
    """
    if isinstance(result, (tuple, list)):
        results: Any = result
        if not isinstance(out, (tuple, list)) or len(out) != len(results):
            raise TypeError(f"{name}(out=...) needs a tuple of {len(results)} tensors")
        operands = list(operands)
        written = [write_out(name, o, r, operands) for o, r in zip(out, results)]
        return type(results)(*written) if hasattr(results, "_fields") else type(results)(written)
    if not isinstance(result, Tensor):
        raise TypeError(f"{name}() returns no tensor, so it takes no out=")
    if not isinstance(out, Tensor):
        raise TypeError(f"{name}(out=...) needs a Tensor, got {type(out).__name__}")
    if modes.records(max(out._spec.level, result._spec.level)) and (out.requires_grad or result.requires_grad):
        raise RuntimeError(
            f"{name}(out=...) is not recorded, but an argument requires grad; leave out= away, or use no_grad()"
        )
    if out._versions is not None and any(overlaps_partially(out, one) for one in _collect_tensors(operands)):
        raise RuntimeError(
            f"{name}(out=...): an operand and the output have some of their memory in common but are not the same; "
            "clone() the operand first"
        )
    return overwrite(out, result, f"{name}(out=...)")


def _collect_tensors(operands: Iterable[Any]) -> list[Tensor]:
    found: list[Tensor] = []
    for one in operands:
        found += [one] if isinstance(one, Tensor) else _collect_tensors(one) if isinstance(one, (list, tuple)) else []
    return found


def overwrite(out: Tensor, result: Tensor, name: str) -> Tensor:
    """Write a result: resize if necessary, cast if safe."""
    check_in_place(out, name, recorded=False)
    if not _dtypes.can_cast(result.dtype, out.dtype):
        raise OperatorError(f"{name}: the result has dtype {result.dtype!r}, which cannot be stored as {out.dtype!r}")
    operations: Any = result
    array = operations.to(out.dtype)._array if result.dtype is not out.dtype else result._array
    if result._spec.namespace is not out._spec.namespace or result._spec.level != out._spec.level:
        array = convert_to_library(out._spec, array, name)
    if out.shape != result.shape:
        _resize(out, array, name)
    elif overlaps_itself(out):
        raise RuntimeError(f"{name}: several elements of the output share one place in memory; give a clone()")
    else:
        write_values(out, array)
    if SPECIAL and propagate.is_active():
        propagate.overwrite_tangents(out, result)
    return out


def _resize(out: Tensor, array: Any, name: str) -> None:
    """Resize the output, with new memory that is not shared."""
    if out._spec.size:
        warn(
            f"{name}: the output has shape {out._spec.shape} and is resized to {tuple(array.shape)}, which is allowed "
            "without a warning for empty outputs only; resize it to zero elements first, or give one that fits"
        )
    for member in views_of(out):
        if member._meta is not None and member._edge is None:
            member._meta.view = None
    leave_memory(out)
    if out._meta is not None:
        out._meta.tangents = None
    spec = out._spec
    out._array = spec.namespace.copy(array)
    out._spec = metadata_of(out._array, spec.subclass, spec.inference)
    note_write(out)


def convert_to_library(spec: Any, result: Any, name: str) -> Any:
    """Convert a result of another array library for writing into a tensor of this metadata."""
    other = namespace_of(result)
    if isinstance(result, Tensor):
        raise TypeError(
            f"{name}: a tensor of {spec.describe()} from outside cannot be changed in place with values of a transform "
            "that runs inside (grad, vmap, jvp): they are not known out there. Pass it as an argument, or change a "
            "tensor that is made from an argument, by zeros_like() for instance."
        )
    if type(result) is BatchedArray:
        if result.level > spec.level:
            raise RuntimeError(
                f"{name}: a tensor of {spec.describe()} that is the same for all samples of a vmap cannot be changed "
                "in place with values that differ from sample to sample. Make it so that it has one for each sample, "
                "with zeros_like(), new_zeros() or clone() of a mapped tensor, or use the variant that is not in place."
            )
        return result
    if other.lazy and other.rank > spec.namespace.rank:
        return result  # values that are not known yet: the tensor goes over to their library
    return spec.namespace.asarray(other.to_numpy(result), device=spec.device)
