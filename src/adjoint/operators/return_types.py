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
        return tuple(self)

    def __repr__(self) -> str:
        fields = ",\n".join(f"{name}={value!r}" for name, value in zip(self._fields, self))
        return f"adjoint.return_types.{type(self).__name__}(\n{fields})"

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self))


def _make(name: str, *fields: str) -> Any:
    members: dict[str, Any] = {field: property(itemgetter(place)) for place, field in enumerate(fields)}
    doc = f"The results of `adjoint.{name}`: {' and '.join(fields)}."
    return type(name, (Result,), members | {"__slots__": (), "__module__": __name__, "__doc__": doc, "_fields": fields})


max = _make("max", "values", "indices")
min = _make("min", "values", "indices")
aminmax = _make("aminmax", "min", "max")
median = _make("median", "values", "indices")
nanmedian = _make("nanmedian", "values", "indices")
mode = _make("mode", "values", "indices")
kthvalue = _make("kthvalue", "values", "indices")
sort = _make("sort", "values", "indices")
topk = _make("topk", "values", "indices")
cummax = _make("cummax", "values", "indices")
cummin = _make("cummin", "values", "indices")
frexp = _make("frexp", "mantissa", "exponent")
histogram = _make("histogram", "hist", "bin_edges")
histogramdd = _make("histogramdd", "hist", "bin_edges")
slogdet = _make("slogdet", "sign", "logabsdet")
qr = _make("qr", "Q", "R")
svd = _make("svd", "U", "S", "V")
linalg_inv_ex = _make("linalg_inv_ex", "inverse", "info")
linalg_slogdet = _make("linalg_slogdet", "sign", "logabsdet")
linalg_lu = _make("linalg_lu", "P", "L", "U")
linalg_lu_factor = _make("linalg_lu_factor", "LU", "pivots")
linalg_qr = _make("linalg_qr", "Q", "R")
linalg_eigh = _make("linalg_eigh", "eigenvalues", "eigenvectors")
linalg_eig = _make("linalg_eig", "eigenvalues", "eigenvectors")
linalg_svd = _make("linalg_svd", "U", "S", "Vh")
linalg_lstsq = _make("linalg_lstsq", "solution", "residuals", "rank", "singular_values")
