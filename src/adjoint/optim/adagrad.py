"""Step sizes from squared gradients: `Adagrad`, `Adadelta`, `RMSprop`."""

from __future__ import annotations

from typing import Any

from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops
from adjoint.optim._update_rule import Group, Rule, RuleOptimizer, State, decay, given, number
from adjoint.optim.optimizer import ParamsT


class Adagrad(RuleOptimizer):
    """Adagrad: divides by the root of the sum of squared gradients.

    Args:
        params: tensors or groups of them.
        lr: learning rate.
        lr_decay: by which the learning rate falls with the steps.
        weight_decay: coefficient of an L2 penalty.
        initial_accumulator_value: where the sum starts.
        eps: added to the denominator.
        foreach, maximize, differentiable, fused: as for `Adam`.

    Example:
        >>> optimizer = ad.optim.Adagrad([ad.ones(2, requires_grad=True)], lr=0.1)
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(params, given(locals()))

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        super().add_param_group(param_group)
        for param in param_group["params"]:  # the state is there before the first step
            self.start_state(self.state[param], param, param_group)

    def share_memory(self) -> None:
        """Do nothing: tensors of NumPy are not shared between processes."""

    def start(self, param: Tensor, group: Group) -> State:
        value = group["initial_accumulator_value"]
        return {"sum": ops.full_like(param.detach(), complex(value, value) if param.is_complex() else value)}

    def buffers(self, param: Tensor, group: Group) -> tuple[str, ...]:
        return ("sum",)

    def rule(self, group: Group, state: State, step: Any) -> Rule:
        eps, penalize = group["eps"], decay(group)
        size = number(group["lr"], group) / (1 + (step - 1) * group["lr_decay"])

        def update(xp: Any, p: Any, g: Any, total: Any) -> Any:
            p, g = penalize(p, g)
            total = total + g * g
            return p - size * (g / (xp.sqrt(total) + eps)), total

        return update


class Adadelta(RuleOptimizer):
    """Adadelta: step sizes by the ratio of past updates to past gradients.

    Args:
        params: tensors or groups of them.
        lr: factor of the update.
        rho: coefficient of the running averages of squares.
        eps: added to the averages.
        weight_decay: coefficient of an L2 penalty.
        foreach, capturable, maximize, differentiable: as for `Adam`.

    Example:
        >>> optimizer = ad.optim.Adadelta([ad.ones(2, requires_grad=True)])
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        super().__init__(params, given(locals()))

    def buffers(self, param: Tensor, group: Group) -> tuple[str, ...]:
        return ("square_avg", "acc_delta")

    def rule(self, group: Group, state: State, step: Any) -> Rule:
        lr, rho, eps, penalize = number(group["lr"], group), group["rho"], group["eps"], decay(group)

        def update(xp: Any, p: Any, g: Any, square: Any, updates: Any) -> Any:
            p, g = penalize(p, g)
            square = rho * square + (1 - rho) * (g * g)
            change = xp.sqrt(updates + eps) / xp.sqrt(square + eps) * g
            return p - lr * change, square, rho * updates + (1 - rho) * (change * change)

        return update


class RMSprop(RuleOptimizer):
    """RMSprop: divides by the root of a running average of squared gradients.

    Args:
        params: tensors or groups of them.
        lr: learning rate.
        alpha: coefficient of the running average.
        eps: added to the denominator.
        weight_decay: coefficient of an L2 penalty.
        momentum: how much of the last update is kept.
        centered: subtract the squared average of the gradient, to divide by an estimate of its standard deviation.
        capturable, foreach, maximize, differentiable: as for `Adam`.

    Example:
        >>> optimizer = ad.optim.RMSprop([ad.ones(2, requires_grad=True)])
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        super().__init__(params, given(locals()))

    def buffers(self, param: Tensor, group: Group) -> tuple[str, ...]:
        optional = ["momentum_buffer"] * (group["momentum"] > 0) + ["grad_avg"] * bool(group["centered"])
        return ("square_avg", *optional)

    def rule(self, group: Group, state: State, step: Any) -> Rule:
        lr, alpha, eps, penalize = number(group["lr"], group), group["alpha"], group["eps"], decay(group)
        momentum, centered = group["momentum"], group["centered"]

        def update(xp: Any, p: Any, g: Any, square: Any, *others: Any) -> Any:
            p, g = penalize(p, g)
            square = alpha * square + (1 - alpha) * (g * g)
            variance, means = square, others[bool(momentum > 0) :]
            if centered:
                mean = means[0] + (1 - alpha) * (g - means[0])
                variance, means = square - mean * mean, (mean,)
            change = g / (xp.sqrt(variance) + eps)
            if momentum <= 0:
                return p - lr * change, square, *means
            buffer = momentum * others[0] + change
            return p - lr * buffer, square, buffer, *means

        return update
