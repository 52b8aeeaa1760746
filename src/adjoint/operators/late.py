"""Families of operators that are imported when one of their names is first asked for.

Importing everything takes half as long as importing NumPy. So `import adjoint` loads `core_operators` only, and the
rest of `all_operators` (linear algebra, Fourier transforms, losses, layers) follows with the first use of a name that
is not there yet: an attribute of `adjoint`, a method listed here, a function of the array API namespace.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from adjoint.operators.declare import methods

METHODS = (
    "cholesky", "cholesky_inverse", "cholesky_solve", "det", "inverse", "logdet", "lu_solve", "matrix_exp", "pinverse",
    "qr", "slogdet", "svd",
)  # fmt: skip
"""The methods of Tensor among the late operators."""

after: list[Callable[[], None]] = []
"""What is to be done when the table has become complete."""

_loaded = False


def load_late() -> bool:
    """Fill the table with all that is missing. False if that has been done before."""
    global _loaded
    if _loaded:
        return False
    import_module("adjoint.operators.all_operators")
    for notify in after:
        notify()
    _loaded = True
    return True


def late_methods() -> dict[str, Callable[..., Any]]:
    """Stand-ins for methods that are not there yet: each loads what is missing and then does its work."""
    return {name: _stand_in(name) for name in METHODS if name not in methods}


def _stand_in(name: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        load_late()
        return methods[name](self, *args, **kwargs)

    method.__name__ = method.__qualname__ = name
    return method
