"""Results that are written: ``out=`` of NumPy functions, which is an in-place copy and recorded like one."""

from __future__ import annotations

from typing import Any

import numpy as np

from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops
from adjoint._numpy.convert import carries_derivatives


def keep_operand(x: Any, out: Any) -> Any:
    """A copy of an operand that shares memory with the output, since rules may need what it was; else the operand."""
    outputs = out if isinstance(out, tuple) else (out,)
    for one in outputs:
        if x is one or (isinstance(one, Tensor) and one._versions is not None and one._versions is x._versions):
            return ops.clone(x)
    return x


def write_result(name: str, out: Any, result: Any) -> Any:
    """Write results into what was given as ``out=``: tensors, or arrays if nothing is lost; returns `out`."""
    if isinstance(out, tuple):
        results = result if isinstance(result, tuple) else (result,)
        if len(out) != len(results):
            raise ValueError(f"{name}(out=...) needs {len(results)} outputs, got {len(out)}")
        written = tuple([r if o is None else write_result(name, o, r) for o, r in zip(out, results)])
        return written if isinstance(result, tuple) else written[0]
    if not isinstance(result, Tensor) or not isinstance(out, (Tensor, np.ndarray)):
        raise TypeError(f"{name}(out=...) writes a tensor into a tensor or an array, not into {type(out).__name__}")
    if tuple(out.shape) != result._spec.shape:
        raise ValueError(f"{name}(out=...): the result has shape {result._spec.shape}, the output {tuple(out.shape)}")
    kind = out.dtype if isinstance(out, np.ndarray) else out._spec.dtype.numpy
    if not np.can_cast(result._spec.dtype.numpy, kind, "same_kind"):
        raise TypeError(f"{name}(out=...): {result._spec.dtype!r} cannot be stored as {kind.name} without loss")
    if isinstance(out, np.ndarray):
        if carries_derivatives(result):
            raise RuntimeError(
                f"{name}(out=...): the result, a tensor of {result._spec.describe()}, requires grad, has a tangent or "
                "is mapped by vmap. An array cannot record it; give a tensor as output, or none"
            )
        np.copyto(out, result.numpy(), casting="same_kind")  # type: ignore[attr-defined]
        return out
    return out.copy_(result)  # type: ignore[attr-defined]
