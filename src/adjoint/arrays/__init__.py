"""Array namespaces: the interface to NumPy, JAX and every other array library.

`namespace_of(array)` returns the `Namespace` of an array by its type. A namespace has the functions of the Python array
API standard and a few extras (listed in `standard.py`), so an operator's formula is written once for all libraries.
Each library has a file with the same names in the same order: to see how two libraries differ, diff `numpy.py` with
`jax.py`, `cupy.py` or `array_api.py`.
"""

from adjoint.arrays.device import CPU, Device
from adjoint.arrays.namespace import Namespace
from adjoint.arrays.numpy import numpy_namespace
from adjoint.arrays.registry import common_namespace, is_array, namespace_of, register, supported, unregister

__all__ = [
    "CPU",
    "Device",
    "Namespace",
    "common_namespace",
    "is_array",
    "namespace_of",
    "numpy_namespace",
    "register",
    "supported",
    "unregister",
]


def __dir__() -> list[str]:
    return __all__
