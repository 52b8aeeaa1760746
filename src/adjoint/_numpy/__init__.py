"""NumPy's functions on tensors, with NumPy's meaning: ``np.concatenate``, ``np.std``, ``np.linalg.norm``.

`Tensor.__array_function__` imports this package when the first of them is called.
"""

from adjoint._numpy import fft, linalg, polynomial, reductions
from adjoint._numpy.table import call, implements, refuse, table
from adjoint._numpy.ufuncs import call_ufunc

__all__ = ["call", "call_ufunc", "fft", "implements", "linalg", "polynomial", "reductions", "refuse", "table"]
