"""Type promotion with PyTorch's rules: numbers are weak, 0-dim tensors do not promote within a category."""

from __future__ import annotations

from typing import Any

import numpy

from adjoint import _dtypes
from adjoint._core.metadata import InputMetadata, metadata_of
from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import table
from adjoint._dtypes import dtype as Dtype

_SCALAR_CATEGORY = {bool: 0, int: 1, float: 2, complex: 3}


def result_type(*operands: Any) -> Dtype:
    """Result dtype of an arithmetic operation on these tensors and numbers.

    Args:
        operands: tensors, arrays' wrappers or Python numbers.

    Example:
        >>> ad.result_type(ad.ones(2, dtype=ad.int32), 1.5)
        adjoint.float32
    """
    ranked: list[Dtype | None] = [None, None, None]  # of tensors with dimensions, of 0-dim tensors, of numbers
    for operand in operands:
        if isinstance(operand, Tensor):
            rank, own = (0 if operand._spec.shape else 1), operand._spec.dtype
        else:
            rank, own = 2, _scalar_dtype(operand)
        before = ranked[rank]
        ranked[rank] = own if before is None else _dtypes.promote_types(before, own)
    result: Dtype | None = None
    for candidate in ranked:
        if candidate is None:
            continue
        if result is None:
            result = candidate
        elif candidate.category > result.category:
            result = _with_precision(candidate, result)
    assert result is not None
    return result


def _with_precision(candidate: Dtype, result: Dtype) -> Dtype:
    """A complex operand of lower rank makes a real result complex, in the precision the result has."""
    if candidate.category == 3 and result.category == 2:
        return result.to_complex()
    return candidate


def _scalar_dtype(value: Any) -> Dtype:
    category = _SCALAR_CATEGORY[type(value)]
    if category == 3:
        return _dtypes.get_default_dtype().to_complex()
    return (_dtypes.bool_, _dtypes.int64, _dtypes.get_default_dtype())[category]


def promote(operator: Any, tensors: list[Tensor], values: list[Any]) -> Any:
    """Return the cast that operands need before the forward, or None."""
    scalars = [values[p] for p in operator.promoted_positions if type(values[p]) in _SCALAR_CATEGORY]
    if len(operator.promoted_positions) < len(operator.tensor_positions):
        tensors = [t for p in operator.promoted_positions if isinstance(t := values[p], Tensor)]
        if not tensors:
            return None
    first = tensors[0]._spec.dtype
    if not scalars and all(t._spec.dtype is first for t in tensors):
        target = first
    else:
        target = result_type(*tensors, *scalars)
    if operator.promotes == "float" and target.category < 2:
        target = _dtypes.get_default_dtype()
    if bool in map(type, scalars) and target.category > 0:
        for position in operator.promoted_positions:
            if type(values[position]) is bool:
                values[position] = int(values[position])  # not every library mixes the two
    if all(t._spec.dtype is target for t in tensors):
        return None

    def cast(tensor: Any) -> Tensor:
        return tensor if tensor._spec.dtype is target else table["_to_copy"].function(tensor, target)

    return cast


_NO_PLAN = metadata_of(numpy.zeros((), bool))
"""Stands for operands that need the general path, as what is not `fast` does."""


def plan(left: InputMetadata, right: InputMetadata) -> InputMetadata:
    """The metadata of the result of two plain operands that only have to be broadcast.

    Where the memory of one of them is external, the result of this table is so, too; what is computed has `own` of it.
    """
    result = _NO_PLAN
    if left.own.fast and right.own.fast and left.dtype is right.dtype:
        try:
            shape = numpy.broadcast_shapes(left.shape, right.shape)
        except ValueError:
            return _NO_PLAN  # the general path says what is wrong
        result = metadata_of(numpy.broadcast_to(numpy.zeros((), left.native), shape))
        if left.external or right.external:
            result = result.as_external()
    if len(left.plans) > 256:
        left.plans.clear()
    left.plans[right] = result
    return result
