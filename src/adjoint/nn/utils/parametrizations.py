"""Parametrisations of weights: orthogonal matrices, norms and directions, largest singular value one."""

from __future__ import annotations

from enum import Enum, auto
from typing import Any

from adjoint._core.modes import no_grad
from adjoint._dispatch.table import ops
from adjoint._dtypes import finfo
from adjoint._tensor.methods import Tensor
from adjoint.nn import functional as F
from adjoint.nn.modules.conv import _ConvTransposeNd
from adjoint.nn.modules.module import Module
from adjoint.nn.utils import parametrize
from adjoint.nn.utils.weight_norm import norm_except_dim, scale_to_norm


class _OrthMaps(Enum):
    matrix_exp = auto()
    cayley = auto()
    householder = auto()


def _make_orthogonal(matrix: Any) -> Any:
    """Return the orthogonal factor of a matrix whose triangular one has a positive diagonal."""
    q, r = ops.linalg_qr(matrix)
    return q * r.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)


def _is_orthogonal(matrix: Any) -> bool:
    rows, columns = matrix.shape[-2:]
    identity = ops.eye(columns, dtype=matrix.dtype, device=matrix.device)
    return bool(ops.allclose(matrix.mH @ matrix, identity, atol=10.0 * rows * finfo(matrix.dtype).eps))


class _Orthogonal(Module):
    """Makes a matrix with orthogonal columns (or rows, if there are fewer) of any matrix of the same shape."""

    def __init__(self, weight: Any, orthogonal_map: _OrthMaps, *, use_trivialization: bool = True) -> None:
        super().__init__()
        if weight.is_complex() and orthogonal_map is _OrthMaps.householder:
            raise ValueError("the map 'householder' is for real matrices; use 'matrix_exp' or 'cayley'")
        self.shape, self.orthogonal_map = weight.shape, orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X: Any) -> Any:
        wide = X.shape[-2] < X.shape[-1]
        X = X.mT if wide else X
        rows, columns = X.shape[-2:]
        if self.orthogonal_map is _OrthMaps.householder:
            below = X.tril(-1)
            q = ops.linalg_householder_product(below, 2.0 / (1.0 + (below * below).sum(-2)))
            q = q * X.diagonal(dim1=-2, dim2=-1).detach().trunc().unsqueeze(-2)
        else:
            q = self._map_skew(X, rows, columns)
        if hasattr(self, "base"):
            q = self.base @ q
        return q.mT if wide else q

    def _map_skew(self, X: Any, rows: int, columns: int) -> Any:
        """Map a lower triangular matrix to an orthogonal one by way of a skew-symmetric one."""
        lower = X.tril()
        if rows != columns:
            zeros = X.new_zeros(*X.shape[:-2], rows, rows - columns)
            lower = ops.cat([lower, zeros], -1)
        skew = lower - lower.mH
        if self.orthogonal_map is _OrthMaps.matrix_exp:
            q = ops.matrix_exp(skew)
        else:
            identity = ops.eye(rows, dtype=skew.dtype, device=skew.device)
            q = ops.linalg_solve(identity - skew / 2, identity + skew / 2)
        return q[..., :columns]

    def right_inverse(self, Q: Any) -> Any:
        """Return what maps to a matrix; if that is not orthogonal, to one near to it.

        Args:
            Q: the matrix.
        """
        if Q.shape != self.shape:
            raise ValueError(f"the matrix has shape {tuple(Q.shape)}, and should have {tuple(self.shape)}")
        if not hasattr(self, "base"):
            raise NotImplementedError("without use_trivialization no value can be assigned to an orthogonal matrix")
        wide = Q.shape[-2] < Q.shape[-1]
        with no_grad():
            matrix = Q.mT if wide else Q
            rows, columns = matrix.shape[-2:]
            if rows != columns:
                noise = ops.randn(*matrix.shape[:-2], rows, rows - columns, dtype=Q.dtype, device=Q.device)
                matrix = _make_orthogonal(ops.cat([matrix, noise], -1))
            else:
                matrix = matrix.clone() if _is_orthogonal(matrix) else _make_orthogonal(matrix)
            self.base = matrix
            result = ops.zeros_like(Q)
            result.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
        return result


def _find_tensor(module: Any, name: str) -> Any:
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"{type(module).__name__} has no parameter or buffer {name!r}")
    return weight


def orthogonal(
    module: Any, name: str = "weight", orthogonal_map: str | None = None, *, use_trivialization: bool = True
) -> Any:
    """Make a weight orthogonal: its columns, or its rows if there are fewer, are orthonormal.

    Args:
        module: what has the weight.
        name: what it is called.
        orthogonal_map: ``'matrix_exp'``, ``'cayley'`` or ``'householder'``. Default: ``'matrix_exp'`` for square and
            complex matrices, otherwise ``'householder'``.
        use_trivialization: whether the map begins at the present value.

    Example:
        >>> layer = nn.utils.parametrizations.orthogonal(nn.Linear(2, 2))
        >>> bool(ad.allclose(layer.weight @ layer.weight.mT, ad.eye(2), atol=1e-5))
        True
    """
    weight = _find_tensor(module, name)
    if weight.ndim < 2:
        raise ValueError(f"an orthogonal weight has at least two dimensions; the shape is {tuple(weight.shape)}")
    if orthogonal_map is None:
        square = weight.shape[-2] == weight.shape[-1]
        orthogonal_map = "matrix_exp" if square or weight.is_complex() else "householder"
    if orthogonal_map not in _OrthMaps.__members__:
        raise ValueError(f"orthogonal_map is one of {', '.join(_OrthMaps.__members__)}, not {orthogonal_map!r:.80}")
    if orthogonal_map == "householder" and not use_trivialization:
        raise NotImplementedError("the map 'householder' needs use_trivialization=True")
    made = _Orthogonal(weight, _OrthMaps[orthogonal_map], use_trivialization=use_trivialization)
    return parametrize.register_parametrization(module, name, made, unsafe=True)


class _WeightNorm(Module):
    """Makes a weight of its norms and directions."""

    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Any, weight_v: Any) -> Any:
        return scale_to_norm(weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Any) -> tuple[Any, Any]:
        """Return the norms and directions of a weight."""
        return norm_except_dim(weight, self.dim), weight


class _LoadOldWeightNorm:
    """Hook that renames the tensors of the older `weight_norm` in state dicts."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, state_dict: Any, prefix: str, *rest: Any) -> None:
        """Call `forward`, with the hooks around it."""
        keys = [f"{prefix}{self.name}_{letter}" for letter in "gv"]
        if all(key in state_dict for key in keys):
            for number, key in enumerate(keys):
                state_dict[f"{prefix}parametrizations.{self.name}.original{number}"] = state_dict.pop(key)


def weight_norm(module: Any, name: str = "weight", dim: int | None = 0) -> Any:
    """Compute a weight from its norms and directions, which are learned separately.

    Args:
        module: what has the weight.
        name: what it is called.
        dim: the dimension along which norms differ; None for one norm.

    Example:
        >>> layer = nn.utils.parametrizations.weight_norm(nn.Linear(2, 3))
        >>> [tuple(parameter.shape) for parameter in layer.parameters()]
        [(3,), (3, 1), (3, 2)]
    """
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)
    module._register_load_state_dict_pre_hook(_LoadOldWeightNorm(name))
    return module


class _SpectralNorm(Module):
    """Divides a weight by its largest singular value, which power iterations estimate."""

    def __init__(self, weight: Any, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        super().__init__()
        if not -weight.ndim <= dim < weight.ndim:
            raise IndexError(f"dim {dim} is out of range: the weight has {weight.ndim} dimensions")
        if n_power_iterations <= 0:
            raise ValueError(f"n_power_iterations has to be positive, got {n_power_iterations}")
        self.dim, self.eps = dim % weight.ndim, eps
        if weight.ndim > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._reshape_weight_to_matrix(weight.detach())
            for name, count in zip(("_u", "_v"), matrix.shape):
                self.register_buffer(name, F.normalize(matrix.new_empty(count).normal_(0, 1), dim=0, eps=eps))
            self._power_method(matrix, 15)

    def _reshape_weight_to_matrix(self, weight: Any) -> Any:
        return weight.movedim(self.dim, 0).flatten(1)

    def _power_method(self, matrix: Any, n_power_iterations: int) -> None:
        with no_grad():
            for _ in range(n_power_iterations):
                self._u.copy_(F.normalize(matrix @ self._v, dim=0, eps=self.eps))
                self._v.copy_(F.normalize(matrix.mH @ self._u, dim=0, eps=self.eps))

    def forward(self, weight: Any) -> Any:
        if weight.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._reshape_weight_to_matrix(weight)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        u, v = self._u.clone(), self._v.clone()
        return weight / ops.vdot(u, matrix @ v)

    def right_inverse(self, value: Any) -> Any:
        """Return the value: it is taken to be the weight before the division."""
        return value


def spectral_norm(
    module: Any, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Any:
    """Divide a weight by its largest singular value.

    Args:
        module: what has the weight.
        name: what it is called.
        n_power_iterations: how many steps improve the singular vectors at each call in training.
        eps: added to norms, so that nothing is divided by zero.
        dim: the dimension of outputs. Default: 0, and 1 for transposed convolutions.

    Example:
        >>> layer = nn.utils.parametrizations.spectral_norm(nn.Linear(2, 3))
        >>> ad.linalg.matrix_norm(layer.weight.detach(), 2).round().item()
        1.0
    """
    weight = _find_tensor(module, name)
    dim = int(isinstance(module, _ConvTransposeNd)) if dim is None else dim
    made = _SpectralNorm(weight, n_power_iterations, dim, eps)
    return parametrize.register_parametrization(module, name, made)
