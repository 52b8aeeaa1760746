"""Adam and its relatives: `Adam`, `AdamW`, `Adamax`, `NAdam`, `RAdam`, `SparseAdam`."""

from __future__ import annotations

from typing import Any

from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops
from adjoint.optim._update_rule import Group, Rule, RuleOptimizer, State, decay, given, number
from adjoint.optim.optimizer import ParamsT


def _moments(group: Group) -> tuple[Any, Any]:
    """The coefficients of the running averages of the gradient and of its square."""
    first, second = group["betas"]
    return number(first, group), number(second, group)


class Adam(RuleOptimizer):
    """Adam: steps by running averages of the gradient and of its square.

    Args:
        params: tensors or groups of them.
        lr: learning rate.
        betas: coefficients of the running averages.
        eps: added to the denominator.
        weight_decay: coefficient of an L2 penalty.
        amsgrad: divide by the largest average so far.
        foreach, fused: accepted for compatibility; every step is one pass over memory.
        maximize: ascend instead.
        capturable: count steps in an array, so that a step can be traced by `jax.jit`.
        differentiable: record the step.
        decoupled_weight_decay: shrink the parameters instead of adding to the gradient, as `AdamW`.

    Example:
        >>> x = ad.tensor([1.0], requires_grad=True)
        >>> optimizer = ad.optim.Adam([x], lr=0.1)
        >>> (x * x).backward()
        >>> optimizer.step()
        >>> x
        tensor([0.9000], requires_grad=True)
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        super().__init__(params, given(locals()))

    def buffers(self, param: Tensor, group: Group) -> tuple[str, ...]:
        return ("exp_avg", "exp_avg_sq", *(["max_exp_avg_sq"] if group["amsgrad"] else []))

    def rule(self, group: Group, state: State, step: Any) -> Rule:
        lr, eps, (beta1, beta2) = number(group["lr"], group), group["eps"], _moments(group)
        penalize = decay(group, lr)
        root = (1 - beta2**step) ** 0.5
        size, least = lr / (1 - beta1**step) * root, eps * root

        def update(xp: Any, p: Any, g: Any, average: Any, square: Any, *largest: Any) -> Any:
            p, g = penalize(p, g)
            average = average + (1 - beta1) * (g - average)
            square = beta2 * square + (1 - beta2) * (g * g)
            largest = tuple([xp.maximum(one, square) for one in largest])
            p = p - size * (average / (xp.sqrt((square, *largest)[-1]) + least))
            return p, average, square, *largest

        return update


class AdamW(Adam):
    """Adam with decoupled weight decay: the parameters shrink, and the gradient's averages do not see it.

    Args:
        params, lr, betas, eps, amsgrad, maximize, foreach, capturable, differentiable, fused: as for `Adam`.
        weight_decay: by which the parameters shrink, times the learning rate.

    Example:
        >>> optimizer = ad.optim.AdamW([ad.ones(2, requires_grad=True)], lr=0.1)
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(**{name: value for name, value in locals().items() if name not in ("self", "__class__")},
                         decoupled_weight_decay=True)  # fmt: skip

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            group["decoupled_weight_decay"] = True


class Adamax(RuleOptimizer):
    """Adamax: Adam with the infinity norm of past gradients in the denominator.

    Args:
        params, lr, betas, weight_decay, foreach, maximize, differentiable, capturable: as for `Adam`.
        eps: added to the gradient's magnitude.

    Example:
        >>> optimizer = ad.optim.Adamax([ad.ones(2, requires_grad=True)], lr=0.1)
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        super().__init__(params, given(locals()))

    def buffers(self, param: Tensor, group: Group) -> tuple[str, ...]:
        return ("exp_avg", "exp_inf")

    def rule(self, group: Group, state: State, step: Any) -> Rule:
        lr, eps, (beta1, beta2), penalize = number(group["lr"], group), group["eps"], _moments(group), decay(group)
        size = lr / (1 - beta1**step)

        def update(xp: Any, p: Any, g: Any, average: Any, norm: Any) -> Any:
            p, g = penalize(p, g)
            average = average + (1 - beta1) * (g - average)
            norm = xp.maximum(beta2 * norm, xp.abs(g) + eps)
            return p - size * (average / norm), average, norm

        return update


class NAdam(RuleOptimizer):
    """NAdam: Adam with Nesterov momentum.

    Args:
        params, lr, betas, eps, weight_decay, decoupled_weight_decay, foreach, maximize, capturable, differentiable: as
            for `Adam`.
        momentum_decay: how the momentum grows with the steps.

    Example:
        >>> optimizer = ad.optim.NAdam([ad.ones(2, requires_grad=True)], lr=0.1)
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        super().__init__(params, given(locals()))

    def start(self, param: Tensor, group: Group) -> State:
        product = ops.ones((), dtype=self.state[param]["step"].dtype)
        return {"mu_product": product, **super().start(param, group)}

    def buffers(self, param: Tensor, group: Group) -> tuple[str, ...]:
        return ("exp_avg", "exp_avg_sq")

    def rule(self, group: Group, state: State, step: Any) -> Rule:
        lr, eps, (beta1, beta2) = number(group["lr"], group), group["eps"], _moments(group)
        penalize, correction = decay(group, lr), 1 - beta2**step
        momentum, following = (beta1 * (1 - 0.5 * 0.96 ** (k * group["momentum_decay"])) for k in (step, step + 1))
        state["mu_product"] = ops.as_tensor(momentum * state["mu_product"].detach())
        product = number(state["mu_product"], {"capturable": group["capturable"]})
        of_gradient, of_average = lr * (1 - momentum) / (1 - product), lr * following / (1 - product * following)

        def update(xp: Any, p: Any, g: Any, average: Any, square: Any) -> Any:
            p, g = penalize(p, g)
            average = average + (1 - beta1) * (g - average)
            square = beta2 * square + (1 - beta2) * (g * g)
            return p - (of_gradient * g + of_average * average) / (xp.sqrt(square / correction) + eps), average, square

        return update


class RAdam(RuleOptimizer):
    """RAdam: Adam with its variance rectified; without adaptive steps while the variance is unknown.

    Args:
        params, lr, betas, eps, weight_decay, decoupled_weight_decay, foreach, maximize, capturable, differentiable: as
            for `Adam`.

    Example:
        >>> optimizer = ad.optim.RAdam([ad.ones(2, requires_grad=True)], lr=0.1)
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        super().__init__(params, given(locals()))

    def buffers(self, param: Tensor, group: Group) -> tuple[str, ...]:
        return ("exp_avg", "exp_avg_sq")

    def rule(self, group: Group, state: State, step: Any) -> Rule:
        lr, eps, (beta1, beta2) = number(group["lr"], group), group["eps"], _moments(group)
        penalize, correction = decay(group, lr), 1 - beta2**step
        size, limit = lr / (1 - beta1**step), 2 / (1 - beta2) - 1
        length = limit - 2 * step * beta2**step / correction  # of the average, at this step
        square_of_factor = (length - 4) * (length - 2) * limit / ((limit - 4) * (limit - 2) * length) * correction

        def update(xp: Any, p: Any, g: Any, average: Any, square: Any) -> Any:
            p, g = penalize(p, g)
            average = average + (1 - beta1) * (g - average)
            square = beta2 * square + (1 - beta2) * (g * g)
            if isinstance(length, float):
                change = average * (square_of_factor**0.5 / (xp.sqrt(square) + eps)) if length > 5 else average
            else:
                adaptive = abs(square_of_factor) ** 0.5 / (xp.sqrt(square) + eps)
                change = average * xp.where(length > 5, adaptive, 1.0)
            return p - size * change, average, square

        return update


class SparseAdam(RuleOptimizer):
    """Adam for sparse gradients: only the rows that a gradient has are updated.

    There are no sparse gradients yet, and a dense one is refused, as PyTorch does.

    Args:
        params, lr, betas, eps, maximize: as for `Adam`.
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, given(locals()))

    def rule(self, group: Group, state: State, step: Any) -> Rule:
        raise RuntimeError("SparseAdam updates by sparse gradients, and this one is dense: use Adam")
