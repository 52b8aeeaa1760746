"""Families of operators that are imported when one of their names is first asked for.

Importing everything takes half as long as importing NumPy. So `import adjoint` loads `core_operators` only, and the
rest of `all_operators` (activations, sorting, statistics, linear algebra, losses, layers) follows with the first use of
a name that is not there yet: an attribute of `adjoint`, a method listed here, a function of the array API namespace.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

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
