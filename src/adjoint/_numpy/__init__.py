"""NumPy's functions on tensors, with NumPy's meaning: ``np.concatenate``, ``np.std``, ``np.linalg.norm``.

`Tensor.__array_function__` imports this package when the first of them is called. Importing a module of it adds the
functions in it to the table.
"""

from adjoint._numpy import (
    calculus,
    creation,
    elementwise,
    indexing,
    inplace,
    inspection,
    join_split,
    manipulation,
    pad,
    products,
    quantiles,
    reductions,
    search,
)  # fmt: skip
from adjoint._numpy.table import call, implements, refuse, table
from adjoint._numpy.ufuncs import call_ufunc

__all__ = [
    "calculus", "call", "call_ufunc", "creation", "elementwise", "implements", "indexing", "inplace", "inspection",
    "join_split", "manipulation", "pad", "products", "quantiles", "reductions", "refuse", "search", "table",
]  # fmt: skip
