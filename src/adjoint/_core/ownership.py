"""Ownership of arrays by reference count: whether an array can be taken over without a copy.

Note [Who holds a gradient]
The first gradient of a leaf, and the result of `grad`, is the array that a node made, not a copy, if nothing else holds
it. That is read from its reference count; how many of the references are the engine's own depends on the interpreter
(fewer from 3.14 on). A number that is too large would let two tensors share memory silently. So the numbers, which are
globals of the modules that compare with them, are measured when the package is imported: the right one is the smallest
that lets a new array pass.

Note [Made for the call]
A temporary array, as in ``from_numpy(np.ones(3))``, is recognized by its reference count. A function's own parameter
may or may not be one of the references: from CPython 3.14 on, it borrows that of the caller's variable, so that a
variable's array and a temporary have the same count. Therefore the function moves its argument into a list and deletes
its parameter, which leaves the references of others.

Without the interpreter lock (Note [Without the interpreter lock]), another thread may take a reference right after the
count was read, and counts need not be exact: then every array counts as held by others, and is copied.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from adjoint._core import accumulate, backward
from adjoint._core.graph import Node
from adjoint._core.locks import has_interpreter_lock
from adjoint._core.tensor import Tensor, wrap, wrap_as
from adjoint._core.views import history

np: Any = numpy

_MOST = 12  # more references than any interpreter holds


class _Source(Node):
    """A node that sends a new array along each edge, and keeps weak references to them."""

    __slots__ = ("made",)

    def backward_raw(self, grad: Any, needed: Any = None) -> Sequence[Any]:
        arrays = [np.ones(1) for _ in self.edges]
        self.made: list[Any] = [weakref.ref(array) for array in arrays]
        return tuple(arrays)


def _takes_over(run: Callable[[Tensor, list[Tensor]], Any], leaves: int) -> bool:
    """Test whether a pass gives a leaf the array that the node made, without a copy."""
    inputs = [wrap(np.ones(1)).requires_grad_() for _ in range(leaves)]
    node = _Source(tuple(leaf._gradient_edge() for leaf in inputs), inputs[0]._spec)
    found = run(wrap_as(np.ones(1), inputs[0]._spec, (node, 0)), inputs)
    result = inputs[0].grad if found is None else found[0]
    return result is not None and result._array is node.made[0]()


def _calibrate(module: Any, name: str, run: Callable[[Tensor, list[Tensor]], Any], leaves: int) -> None:
    def passes(count: int) -> bool:
        setattr(module, name, count)
        return _takes_over(run, leaves)

    usual: int = getattr(module, name)  # right for most interpreters: two trials instead of many
    if not passes(usual - 1) and passes(usual):
        return
    if not any(map(passes, range(1, _MOST))):
        setattr(module, name, 0)  # then gradients are always copied, which is slower but correct


def _backward(root: Tensor, inputs: list[Tensor]) -> None:
    backward.backward(root)


def _grad(root: Tensor, inputs: list[Tensor]) -> Any:
    return backward.grad(root, inputs)


class _Probe:
    """Calls `backward_raw` as the engine does, with a gradient that nothing else holds."""

    def backward_raw(self, grad: Any, needed: Any = None) -> int:
        return sys.getrefcount(grad)

    def execute(self) -> int:
        grad = object()
        return self.backward_raw(grad, None)


def calibrate() -> None:
    """Measure the reference counts of Note [Who holds a gradient]."""
    if not has_interpreter_lock():
        accumulate.ALONE = accumulate.TOGETHER = backward.HOLDERS = history.HOLDERS = 0
        return
    history.HOLDERS = _Probe().execute()
    _calibrate(accumulate, "ALONE", _backward, 1)
    _calibrate(accumulate, "TOGETHER", _backward, 2)
    _calibrate(backward, "HOLDERS", _grad, 2)


def is_held(box: list[Any]) -> bool:
    """Test whether the object in a list is referenced from elsewhere; see Note [Made for the call]."""
    alone = [object()]  # a new object in the same place, to compare with
    return not has_interpreter_lock() or sys.getrefcount(box[0]) > sys.getrefcount(alone[0])
