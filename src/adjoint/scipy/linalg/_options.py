"""What the functions of `adjoint.scipy.linalg` share."""

from __future__ import annotations

from typing import Any

from adjoint._dispatch.table import ops

# Options by which SciPy may write to its arguments or skip checks; they change nothing here.
_IGNORED = frozenset(
    "overwrite_a overwrite_b overwrite_ab check_finite lwork lapack_driver turbo disp blocksize".split()
)


def ignore(name: str, options: dict[str, Any]) -> None:
    unknown = [key for key in options if key not in _IGNORED]
    if unknown:
        raise TypeError(f"adjoint.scipy.linalg.{name} does not support {unknown[0]!r} for tensors; use detach() first")


def solve_columns(b: Any, solve: Any) -> Any:
    """Solve for a vector as for a matrix of one column."""
    return solve(ops.unsqueeze(b, -1))[..., 0] if b.ndim == 1 else solve(b)
