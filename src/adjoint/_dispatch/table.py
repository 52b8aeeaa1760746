"""The operator table, and the lazy import of the families of operators that fill it.

Importing every family takes half as long as importing NumPy. So `import adjoint` loads the families of `CORE` only. The
others follow with the first use of a name that is not there yet: an attribute of `adjoint`, a method of `Tensor`, a
function of the array API namespace.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from adjoint._dispatch.operator import Operator

CORE = (
    "creation.ranges", "creation.tensors", "elementwise.arithmetic", "elementwise.comparison", "elementwise.complex",
    "elementwise.select",
    "elementwise.transcendental", "index.advanced", "index.basic", "index.gather_scatter", "linalg.products",
    "memory.convert", "memory.detach", "memory.fill", "reduction.reductions", "shape.join_split", "shape.views",
)  # fmt: skip
"""The families that `import adjoint` loads, as modules of `adjoint._ops`."""

METHODS = (
    "apply_", "argmax", "argmin", "argsort", "as_strided", "as_strided_", "as_strided_scatter", "bincount", "ceil",
    "ceil_", "cholesky", "cholesky_inverse", "cholesky_solve", "corrcoef", "cov", "cross", "cummax", "cummin",
    "cumprod", "cumprod_", "cumsum", "cumsum_", "det", "diag", "diag_embed", "diagflat", "diagonal",
    "diagonal_scatter", "diff", "dist", "fill_diagonal_", "fix", "fix_", "flip", "fliplr", "flipud", "floor",
    "floor_", "frac", "frac_", "frexp", "ger", "hardshrink", "histc", "histogram", "i0", "i0_", "igamma", "igamma_",
    "igammac", "igammac_", "index_add", "index_add_", "index_copy", "index_copy_", "index_fill", "index_fill_",
    "index_reduce", "index_reduce_", "index_select", "inner", "inverse", "is_set_to", "istft", "kron", "kthvalue",
    "ldexp", "ldexp_", "log_softmax", "logcumsumexp", "logdet", "lu", "lu_solve", "map2_", "map_", "matrix_exp",
    "matrix_power", "max", "median", "min", "mode", "msort", "mvlgamma", "mvlgamma_", "nanmedian", "nanquantile",
    "narrow_copy", "nonzero_static", "norm", "orgqr", "ormqr", "outer", "pad", "pinverse", "prelu", "put", "put_",
    "qr", "quantile", "relu", "relu_", "renorm", "renorm_", "repeat", "repeat_interleave", "resize_", "resize_as_",
    "roll", "rot90", "round", "round_", "scatter_reduce", "scatter_reduce_", "select_scatter", "set_",
    "slice_scatter", "slogdet", "softmax", "sort", "std", "stft", "svd", "take", "tile", "topk", "trace",
    "triangular_solve", "tril", "tril_", "triu", "triu_", "trunc", "trunc_", "unfold", "unique", "unique_consecutive",
    "var",
)  # fmt: skip
"""The methods of Tensor among the operators that are loaded later."""

composites: dict[str, Callable[..., Any]] = {}
"""Functions of other operators, by name."""

creations: dict[str, Callable[..., Any]] = {}
"""Functions that create tensors, by name."""

methods: dict[str, Any] = {}
"""What becomes a method (or a property) of Tensor: operators, their in-place variants, composites."""

after: list[Callable[[], None]] = []
"""What is to be done when the table has become complete."""

_loaded = False


class _Table(dict[str, "Operator"]):
    def __missing__(self, name: str) -> Operator:
        if load_late():
            return self[name]
        raise KeyError(name)


table: dict[str, Operator] = _Table()
"""All operators by name. One that is asked for and not there yet is loaded."""


class Operators:
    """The public functions of the table as attributes: what operators and rules call each other by."""

    def __getattr__(self, name: str) -> Any:
        found = table[name].function if name in table else composites.get(name) or creations.get(name)
        if found is None:
            if load_late():
                return getattr(self, name)
            raise AttributeError(f"there is no operator {name!r}")
        self.__dict__[name] = found
        return found


ops: Any = Operators()


def load(families: tuple[str, ...]) -> None:
    """Import families of operators, which puts them into the table."""
    for family in families:
        import_module(f"adjoint._ops.{family}")


def load_late() -> bool:
    """Import the families that are not loaded yet. False if that has been done before."""
    global _loaded
    if _loaded:
        return False
    package = import_module("adjoint._ops")
    load(tuple(m.name.removeprefix("adjoint._ops.") for m in pkgutil.walk_packages(package.__path__, "adjoint._ops.")))
    for notify in after:
        notify()
    _loaded = True
    return True
