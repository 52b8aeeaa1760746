"""`Muon`: momentum whose matrices are made orthogonal by Newton-Schulz iterations."""

from __future__ import annotations

from typing import Any

from adjoint._core.tensor import Tensor
from adjoint.optim._update_rule import Group, Rule, RuleOptimizer, State, given, number
from adjoint.optim.optimizer import ParamsT

_RATIOS = {
    None: lambda rows, columns: max(1, rows / columns) ** 0.5,
    "original": lambda rows, columns: max(1, rows / columns) ** 0.5,
    "match_rms_adamw": lambda rows, columns: 0.2 * max(rows, columns) ** 0.5,
}  # of the learning rate, by the shape of the matrix


class Muon(RuleOptimizer):
    """Muon: updates matrices by their momentum, made nearly orthogonal. For the hidden layers of a network.

    PyTorch iterates in bfloat16; here it is done in float32, and results agree to the precision of bfloat16.

    Args:
        params: matrices, or groups of them.
        lr: learning rate.
        weight_decay: by which the parameters shrink, times the learning rate.
        momentum: how much of the last momentum is kept.
        nesterov: look ahead along the momentum.
        ns_coefficients: three coefficients of the Newton-Schulz iteration.
        eps: the least norm to divide by.
        ns_steps: number of iterations, below 100.
        adjust_lr_fn: how the learning rate depends on the shape: ``"original"`` or ``"match_rms_adamw"``.

    Example:
        >>> optimizer = ad.optim.Muon([ad.ones(2, 3, requires_grad=True)])
    """

    elementwise = False
    counts_steps = False

    def __init__(
        self,
        params: ParamsT,
        lr: float = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (3.4445, -4.775, 2.0315),
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        if adjust_lr_fn not in _RATIOS:
            raise ValueError(f"Muon: adjust_lr_fn is 'original' or 'match_rms_adamw', got {adjust_lr_fn!r}")
        if ns_steps >= 100:
            raise ValueError(f"Muon: ns_steps has to be below 100, got {ns_steps}")
        if len(ns_coefficients) != 3:
            raise ValueError(f"Muon: ns_coefficients are three numbers, got {ns_coefficients!r}")
        super().__init__(params, given(locals()))

    def _check_param(self, param: Any) -> None:
        super()._check_param(param)
        if param.ndim != 2 or param.is_complex():
            raise ValueError(
                f"Muon updates real matrices, got a parameter of shape {tuple(param.shape)} and dtype {param.dtype}; "
                "give the others to AdamW"
            )

    def buffers(self, param: Tensor, group: Group) -> tuple[str, ...]:
        return ("momentum_buffer",)

    def rule(self, group: Group, state: State, step: Any) -> Rule:
        lr, momentum = number(group["lr"], group), group["momentum"]
        ratio, shrink = _RATIOS[group["adjust_lr_fn"]], 1 - lr * group["weight_decay"]

        def update(xp: Any, p: Any, g: Any, buffer: Any) -> Any:
            buffer = buffer + (1 - momentum) * (g - buffer)
            direction = g + momentum * (buffer - g) if group["nesterov"] else buffer
            change = _orthogonalize(xp, direction, group["ns_coefficients"], group["ns_steps"], group["eps"])
            return p * shrink - lr * ratio(*p.shape) * change, buffer

        return update


def _orthogonalize(xp: Any, matrix: Any, coefficients: tuple[float, float, float], steps: int, eps: float) -> Any:
    """A matrix with the singular vectors of the given one, and singular values near 1."""
    a, b, c = coefficients
    is_tall = matrix.shape[0] > matrix.shape[1]
    x = xp.astype(xp.matrix_transpose(matrix) if is_tall else matrix, xp.float32)
    x = x / xp.maximum(xp.sqrt(xp.sum(x * x)), eps)
    for _ in range(steps):
        gram = xp.matmul(x, xp.matrix_transpose(x))
        x = a * x + xp.matmul(b * gram + c * xp.matmul(gram, gram), x)
    return xp.astype(xp.matrix_transpose(x) if is_tall else x, matrix.dtype)
