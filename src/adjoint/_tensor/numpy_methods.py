"""Methods of NumPy arrays that PyTorch's tensors do not have: `astype`, `copy`, `conjugate`.

The functions here become methods of Tensor in `_tensor/methods.py`.
"""

from __future__ import annotations

from typing import Any


def astype(self: Any, dtype: Any, copy: bool = True) -> Any:
    """The tensor with another dtype; NumPy's name of ``to(dtype)``.

    Args:
        dtype: one of ours, of NumPy's or of Python's; ``float`` is float64.
        copy: whether the result is a copy even if nothing has to be converted.

    Example:
        >>> ad.tensor([1.5, 2.5]).astype(int)
        tensor([1, 2])
    """
    return self.to(dtype, copy=copy)


def copy(self: Any) -> Any:
    """A copy of the tensor, recorded; NumPy's name of `clone`.

    Example:
        >>> ad.tensor([1.0]).copy()
        tensor([1.])
    """
    return self.clone()


def conjugate(self: Any) -> Any:
    """Complex conjugate of each element; NumPy's name of `conj`.

    Example:
        >>> ad.tensor([1 + 2j]).conjugate()
        tensor([1.-2.j])
    """
    return self.conj()


METHODS = {function.__name__: function for function in (astype, copy, conjugate)}
