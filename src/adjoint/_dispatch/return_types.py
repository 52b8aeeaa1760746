"""Named tuples for operators with several results, as in `torch.return_types`."""

from __future__ import annotations

from operator import itemgetter
from typing import Any


class Result(tuple[Any, ...]):
    """Several results, by place and by name. A lean `namedtuple`: those take a while to make, and there are many."""

    __slots__ = ()
    _fields: tuple[str, ...] = ()

    def __new__(cls, *results: Any) -> Any:
        return tuple.__new__(cls, results)

    def __getnewargs__(self) -> tuple[Any, ...]:
        """The results one by one, which is how the class is called when it is unpickled."""
        return tuple(self)

    def __repr__(self) -> str:
        fields = ",\n".join(f"{name}={value!r}" for name, value in zip(self._fields, self))
        return f"adjoint.return_types.{type(self).__name__}(\n{fields})"

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self))


FIELDS = {
    "max": "values indices",
    "min": "values indices",
    "aminmax": "min max",
    "median": "values indices",
    "nanmedian": "values indices",
    "mode": "values indices",
    "kthvalue": "values indices",
    "sort": "values indices",
    "topk": "values indices",
    "cummax": "values indices",
    "cummin": "values indices",
    "frexp": "mantissa exponent",
    "histogram": "hist bin_edges",
    "histogramdd": "hist bin_edges",
    "slogdet": "sign logabsdet",
    "qr": "Q R",
    "svd": "U S V",
    "linalg_inv_ex": "inverse info",
    "linalg_slogdet": "sign logabsdet",
    "linalg_lu": "P L U",
    "linalg_cholesky_ex": "L info",
    "linalg_lu_factor": "LU pivots",
    "linalg_lu_factor_ex": "LU pivots info",
    "linalg_solve_ex": "result info",
    "lu_unpack": "P L U",
    "triangular_solve": "solution cloned_coefficient",
    "linalg_qr": "Q R",
    "linalg_eigh": "eigenvalues eigenvectors",
    "linalg_eig": "eigenvalues eigenvectors",
    "linalg_svd": "U S Vh",
    "linalg_lstsq": "solution residuals rank singular_values",
}


def __getattr__(name: str) -> Any:
    """One of the classes, made when it is first asked for."""
    if name not in FIELDS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    fields = FIELDS[name].split()
    members: dict[str, Any] = {field: property(itemgetter(place)) for place, field in enumerate(fields)}
    members |= {"__slots__": (), "__module__": __name__, "_fields": tuple(fields)}
    members["__doc__"] = f"The results of `adjoint.{name}`: {' and '.join(fields)}."
    made = globals()[name] = type(name, (Result,), members)
    return made


def __dir__() -> list[str]:
    return sorted(FIELDS)
