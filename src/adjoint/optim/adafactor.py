"""`Adafactor`: squared gradients of a matrix kept as the averages of its rows and columns."""

from __future__ import annotations

from typing import Any

from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops
from adjoint._dtypes import finfo
from adjoint.optim._update_rule import RANGES, Group, Rule, RuleOptimizer, State, given, number
from adjoint.optim.optimizer import ParamsT


def _root_mean_square(xp: Any, values: Any) -> Any:
    return xp.sqrt(xp.mean(values * values))


class Adafactor(RuleOptimizer):
    """Adafactor: like Adam without the average of gradients, and with memory for rows and columns alone.

    Args:
        params: real tensors or groups of them.
        lr: learning rate, relative to the size of the parameters.
        beta2_decay: power of the step by which the averages become longer.
        eps: two numbers: the least average (the dtype's own precision if None), the least size of parameters.
        d: the largest size of an update, before the learning rate.
        weight_decay: by which the parameters shrink, times the learning rate.
        foreach, maximize: as for `Adam`.

    Example:
        >>> optimizer = ad.optim.Adafactor([ad.ones(2, 3, requires_grad=True)])
    """

    elementwise = False
    ranges = {name: limits for name, limits in RANGES.items() if name != "eps"} | {
        "eps": (lambda pair: (pair[0] is None or pair[0] >= 0) and pair[1] >= 0, "two numbers, None or at least 0"),
        "beta2_decay": (lambda value: value <= 0, "at most 0"),
        "d": (lambda value: value >= 1, "at least 1"),
    }

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, given(locals()))

    def buffers(self, param: Tensor, group: Group) -> tuple[str, ...]:
        return ("variance",) if param.ndim < 2 else ("row_var", "col_var")

    def start(self, param: Tensor, group: Group) -> State:
        if param.is_complex():
            raise RuntimeError("Adafactor does not update complex parameters")
        if param.ndim < 2:
            return {"variance": ops.zeros_like(param)}
        *leading, rows, columns = param.shape
        made = {"row_var": (*leading, rows, 1), "col_var": (*leading, 1, columns)}
        return {name: ops.zeros(shape, dtype=param.dtype, device=param.device) for name, shape in made.items()}

    def rule(self, group: Group, state: State, step: Any) -> Rule:
        lr, (least, least_size) = number(group["lr"], group), group["eps"]
        fresh = step ** group["beta2_decay"]
        relative, shrink = min(lr, step**-0.5), 1 - lr * group["weight_decay"]

        def update(xp: Any, p: Any, g: Any, *averages: Any) -> Any:
            eps = finfo(g.dtype).eps if least is None else least
            size = relative * xp.maximum(_root_mean_square(xp, p), least_size)
            if len(averages) == 1:
                squares = [g * g]
            else:
                squares = [xp.mean(g * g, axis=-1, keepdims=True), xp.mean(g * g, axis=-2, keepdims=True)]
            averages = tuple([average + fresh * (new - average) for average, new in zip(averages, squares)])
            estimate = averages[0]
            if len(averages) == 2:
                rows, columns = averages
                estimate = rows * columns / xp.maximum(xp.mean(rows, axis=-2, keepdims=True), eps)
            change = g / xp.sqrt(xp.maximum(estimate, eps * eps))
            excess = xp.maximum(_root_mean_square(xp, change) / group["d"], 1.0)
            return p * shrink - size / excess * change, *averages

        return update
