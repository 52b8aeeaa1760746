"""Short names for what most tests of the graph and the engine do."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import adjoint as ad


def leaf(lib: Any, values: Any, dtype: str = "float64") -> Any:
    """A tensor that requires grad."""
    return lib.tensor(values, dtype=getattr(lib, dtype), requires_grad=True)


def const(lib: Any, values: Any, dtype: str = "float64") -> Any:
    """A tensor that does not."""
    return lib.tensor(values, dtype=getattr(lib, dtype))


def raises(lib: Any, kind: Any, match: str | None = None) -> Any:
    """`pytest.raises`; the words are ours, so they are looked at for adjoint only."""
    return pytest.raises(kind, match=match if lib is ad else None)


def names(node: Any) -> list[str | None]:
    """The classes of the nodes that come next."""
    return [None if one is None else type(one).__name__ for one, _ in node.next_functions]


def memory(tensor: Any) -> np.ndarray:
    """A tensor's values as a NumPy array that shares their memory."""
    return tensor.detach().numpy()


def shares(a: Any, b: Any) -> bool:
    """Whether two tensors have memory in common."""
    return np.shares_memory(memory(a), memory(b))


def backward_recorded(lib: Any, tensor: Any) -> None:
    """``backward(create_graph=True)`` with its warning, which PyTorch gives once only."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        tensor.backward(create_graph=True)
