"""Reductions with NumPy's arguments: `axis` (None, one, several), `keepdims`, `dtype`, `initial`, `where`, `ddof`."""

from __future__ import annotations

import math
from typing import Any

from adjoint import _dtypes
from adjoint._dispatch.array_api import functions as standard
from adjoint._dispatch.table import ops
from adjoint._numpy.convert import as_axes, as_floating, as_operand, as_tensor, cast
from adjoint._numpy.table import implements


def _keep(a: Any, where: Any, neutral: Any) -> Any:
    """`a` where the mask is True, and the neutral element of the reduction elsewhere."""
    return a if where is True else ops.where(as_tensor(where), a, neutral)


@implements("sum")
def _sum(
    a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False, initial: Any = None, where: Any = True
) -> Any:
    out = standard.sum(_keep(cast(a, dtype), where, 0), axis=as_axes(a, axis), dtype=dtype, keepdims=bool(keepdims))
    return out + as_operand(initial) if initial is not None else out
