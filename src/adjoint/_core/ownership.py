"""How many references to a gradient there are when nobody but the engine has it.

The first gradient of a leaf, and what `grad` returns, is the array that a node made, not a copy of it, if nobody else
holds it. Whether that is so is told by its reference count; how many of the references are the engine's own depends on
the interpreter (from 3.14 on, fewer). A number that is too large would let two tensors share memory without a word. So
the numbers are tried when the package is imported: right is the smallest that lets a new array pass.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from adjoint._core import accumulate, backward
from adjoint._core.graph import Node
from adjoint._core.tensor import Tensor, wrap, wrap_as

np: Any = numpy

_MOST = 12  # more than any interpreter holds


class _Source(Node):
    """Sends a new array along each edge, and knows them afterwards without holding them."""

    __slots__ = ("made",)

    def backward_raw(self, grad: Any, needed: Any = None) -> Sequence[Any]:
        arrays = [np.ones(1) for _ in self.edges]
        self.made: list[Any] = [weakref.ref(array) for array in arrays]
        return tuple(arrays)


def _is_taken_over(run: Callable[[Tensor, list[Tensor]], Any], leaves: int) -> bool:
    """Whether a pass gives a leaf the very array that the node made."""
    inputs = [wrap(np.ones(1)).requires_grad_() for _ in range(leaves)]
    node = _Source(tuple(leaf.gradient_edge() for leaf in inputs), inputs[0]._spec)
    found = run(wrap_as(np.ones(1), inputs[0]._spec, (node, 0)), inputs)
    result = inputs[0].grad if found is None else found[0]
    return result is not None and result._array is node.made[0]()


def _calibrate(module: Any, name: str, run: Callable[[Tensor, list[Tensor]], Any], leaves: int) -> None:
    def passes(count: int) -> bool:
        setattr(module, name, count)
        return _is_taken_over(run, leaves)

    usual: int = getattr(module, name)  # what most interpreters need: two trials instead of many
    if not passes(usual - 1) and passes(usual):
        return
    if not any(map(passes, range(1, _MOST))):
        setattr(module, name, 0)  # then gradients are copied, which is slower and never wrong


def _backward(root: Tensor, inputs: list[Tensor]) -> None:
    backward.backward(root)


def _grad(root: Tensor, inputs: list[Tensor]) -> Any:
    return backward.grad(root, inputs)


def calibrate() -> None:
    """Set the numbers that `accumulate` and `entry` compare with."""
    _calibrate(accumulate, "ALONE", _backward, 1)
    _calibrate(accumulate, "TOGETHER", _backward, 2)
    _calibrate(backward, "HOLDERS", _grad, 2)
