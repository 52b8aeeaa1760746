"""Matrix products of groups of rows or columns (mixture of experts)."""

from __future__ import annotations

from adjoint._dispatch.declare import composite
from adjoint._dispatch.table import ops


@composite(method=False, out=False)
def grouped_mm(mat_a, mat_b, *, offs=None, bias=None, out_dtype=None):
    """Matrix products of groups: of rows, of columns, or of the dimension that is summed.

    Args:
        mat_a: of shape (groups, M, K), or (M, K) if its rows, or its columns, are grouped by `offs`.
        mat_b: of shape (groups, K, N), or (K, N) if its columns, or its rows, are grouped by `offs`.
        offs: where each group ends, in increasing order; not given if both have three dimensions.
        bias: not supported, as in PyTorch.
        out_dtype: the dtype of the result.

    Example:
        >>> ad.grouped_mm(ad.ones(3, 1), ad.tensor([[[1.0]], [[2.0]]]), offs=ad.tensor([1, 3])).ravel()
        tensor([1., 2., 2.])
    """
    shapes = f"{tuple(mat_a.shape)} and {tuple(mat_b.shape)}"
    if mat_a.ndim not in (2, 3) or mat_b.ndim not in (2, 3):
        raise RuntimeError(f"grouped_mm takes matrices or batches of them, not the shapes {shapes}")
    if bias is not None:
        raise RuntimeError("grouped_mm has no bias, in PyTorch neither; add it to the result")
    if (offs is None) != (mat_a.ndim == mat_b.ndim == 3):
        raise RuntimeError(f"grouped_mm needs offs if a matrix has two dimensions, and only then; got {shapes}")
    if offs is None:
        result = mat_a @ mat_b
    else:
        ends = offs.tolist()
        groups = [slice(start, end) for start, end in zip([0, *ends], ends)]
        if mat_a.ndim == mat_b.ndim:
            result = ops.stack([mat_a[:, group] @ mat_b[group] for group in groups])
        elif mat_a.ndim == 2:
            result = _join([mat_a[group] @ one for group, one in zip(groups, mat_b)], mat_a.shape[0], 0)
        else:
            result = _join([one @ mat_b[:, group] for one, group in zip(mat_a, groups)], mat_b.shape[1], 1)
    return result if out_dtype is None else result.to(out_dtype)


def _join(parts, length, dim):
    """The groups' results together, with zeros for what follows the last group."""
    result = ops.cat(parts, dim)
    missing = length - result.shape[dim]
    return ops.pad(result, (0, missing) if dim else (0, 0, 0, missing)) if missing else result
