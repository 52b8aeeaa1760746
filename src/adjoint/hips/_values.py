"""Values of HIPS autograd's programs: NumPy arrays and numbers outside, boxes while they are differentiated.

HIPS autograd's gradient of a complex number is the complex conjugate of PyTorch's and ours: for a holomorphic function
it is the derivative. So gradients are conjugated on the way in and out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adjoint._core.tensor import Tensor
from adjoint._dispatch import trees
from adjoint.numpy import ArrayBox, box


def to_tensors(tree: Any, what: str) -> Any:
    """Replace numbers, arrays and boxes by tensors; other values are refused.

    Args:
        what: what the values are, for the error.
    """
    return trees.with_tensors(trees.tree_map(lambda leaf: _to_array(leaf, what), tree))


def _to_array(leaf: Any, what: str) -> Any:
    if isinstance(leaf, ArrayBox):
        return leaf.tensor
    if isinstance(leaf, (float, complex)):
        return np.asarray(leaf)
    if isinstance(leaf, Tensor) and leaf._spec.inexact:
        return leaf
    if isinstance(leaf, (np.ndarray, np.generic)) and leaf.dtype.char in "efdFD":  # no long doubles
        return leaf
    dtype = f" of {leaf.dtype}" if hasattr(leaf, "dtype") else ""
    raise TypeError(
        f"{what} has to consist of floating point (or complex) numbers and arrays, got {type(leaf).__name__}{dtype}"
    )


def unbox_tree(tree: Any) -> Any:
    """Replace boxes by their tensors."""
    return trees.tree_map(lambda leaf: leaf.tensor if isinstance(leaf, ArrayBox) else leaf, tree)


def box_tree(tree: Any) -> Any:
    """Replace tensors by boxes, or by NumPy arrays if nothing is to be recorded any more."""
    return trees.tree_map(box, tree)


def to_user(tree: Any) -> Any:
    """Replace tensors that were computed for the user by boxes or NumPy arrays, which may be written to."""
    return trees.tree_map(_to_own_array, tree)


def _to_own_array(leaf: Any) -> Any:
    value = box(leaf)
    return value.copy() if isinstance(value, np.ndarray) and not value.flags.writeable else value


def conjugate(tree: Any) -> Any:
    """Convert gradients of complex numbers from one convention to the other."""
    return trees.tree_map(_conjugate, tree)


def _conjugate(leaf: Any) -> Any:
    return leaf.conj() if isinstance(leaf, Tensor) and leaf._spec.is_complex else leaf
