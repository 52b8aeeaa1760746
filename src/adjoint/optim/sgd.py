"""Gradient descent: `SGD` with momentum, averaged `ASGD`, and `Rprop`, which uses signs alone."""

from __future__ import annotations

from typing import Any

from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops
from adjoint.optim._update_rule import Group, Rule, RuleOptimizer, State, decay, given, number
from adjoint.optim.optimizer import ParamsT


class SGD(RuleOptimizer):
    """Stochastic gradient descent, with momentum if asked for.

    Args:
        params: tensors or groups of them.
        lr: learning rate.
        momentum: how much of the last update is kept.
        dampening: how much of a new gradient the momentum leaves out.
        weight_decay: coefficient of an L2 penalty.
        nesterov: look ahead along the momentum.
        maximize: ascend instead.
        differentiable: record the step.
        foreach, fused: accepted for compatibility; every step is one pass over memory.

    Example:
        >>> x = ad.tensor([1.0], requires_grad=True)
        >>> optimizer = ad.optim.SGD([x], lr=0.25)
        >>> (x * x).backward()
        >>> optimizer.step()
        >>> x
        tensor([0.5000], requires_grad=True)
    """

    counts_steps = False

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float | Tensor = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError(f"SGD: nesterov needs momentum above 0 and no dampening, got {momentum} and {dampening}")
        super().__init__(params, given(locals()))

    def buffers(self, param: Tensor, group: Group) -> tuple[str, ...]:
        return ("momentum_buffer",) if group["momentum"] else ()

    def rule(self, group: Group, state: State, step: Any) -> Rule:
        lr, momentum, penalize = number(group["lr"], group), group["momentum"], decay(group)
        fraction = 1 if step == 1 else 1 - group["dampening"]

        def update(xp: Any, p: Any, g: Any, buffer: Any = None) -> Any:
            p, g = penalize(p, g)
            if buffer is None:
                return p - lr * g
            buffer = momentum * buffer + (g if fraction == 1 else fraction * g)
            return p - lr * (g + momentum * buffer if group["nesterov"] else buffer), buffer

        return update


class ASGD(RuleOptimizer):
    """Averaged stochastic gradient descent: the average of the iterates is in the state, as ``"ax"``.

    Args:
        params: tensors or groups of them.
        lr: learning rate.
        lambd: decay of the parameters.
        alpha: power by which the learning rate falls.
        t0: the step from which iterates are averaged.
        weight_decay: coefficient of an L2 penalty.
        foreach, maximize, differentiable, capturable: as for `Adam`.

    Example:
        >>> optimizer = ad.optim.ASGD([ad.ones(2, requires_grad=True)], lr=0.1)
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        super().__init__(params, given(locals()))

    def start(self, param: Tensor, group: Group) -> State:
        eta = ops.full((), number(group["lr"], {}), dtype=self.state[param]["step"].dtype)
        return {"eta": eta, "mu": ops.ones_like(eta), "ax": ops.zeros_like(param)}

    def buffers(self, param: Tensor, group: Group) -> tuple[str, ...]:
        return ("ax",)

    def rule(self, group: Group, state: State, step: Any) -> Rule:
        lr, lambd, penalize = number(group["lr"], group), group["lambd"], decay(group)
        eta, mu = (state[name]._array if group["capturable"] else state[name].item() for name in ("eta", "mu"))
        dtype, later = state["eta"].dtype, ops.as_tensor(step) - group["t0"]
        state["eta"] = ops.as_tensor(lr / (1 + lambd * lr * step) ** group["alpha"], dtype=dtype)
        state["mu"] = ops.as_tensor(1 / later.clamp(min=1), dtype=dtype)

        def update(xp: Any, p: Any, g: Any, ax: Any) -> Any:
            p, g = penalize(p, g)
            p = p * (1 - lambd * eta) - eta * g
            return p, ax + mu * (p - ax)

        return update


class Rprop(RuleOptimizer):
    """Resilient backpropagation: every element has its own step size, and only the gradient's sign counts.

    Args:
        params: tensors or groups of them.
        lr: the first step size.
        etas: factors of the step size, after a change of sign and otherwise.
        step_sizes: the smallest and the largest step size.
        capturable, foreach, maximize, differentiable: as for `Adam`.

    Example:
        >>> optimizer = ad.optim.Rprop([ad.ones(2, requires_grad=True)], lr=0.1)
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        super().__init__(params, given(locals()))

    def start(self, param: Tensor, group: Group) -> State:
        lr = number(group["lr"], {})
        size = ops.full_like(param, complex(lr, lr) if param.is_complex() else lr)
        return {"prev": ops.zeros_like(param), "step_size": size}

    def buffers(self, param: Tensor, group: Group) -> tuple[str, ...]:
        return ("prev", "step_size")

    def rule(self, group: Group, state: State, step: Any) -> Rule:
        (smaller, larger), (least, most) = group["etas"], group["step_sizes"]

        def update(xp: Any, p: Any, g: Any, prev: Any, size: Any) -> Any:
            agreement = g * prev
            turned = agreement < 0
            size = size * xp.where(turned, smaller, xp.where(agreement > 0, larger, 1.0))
            size = xp.clip(size, least, most)
            g = xp.where(turned, 0.0, g)
            return p - xp.sign(g) * size, g, size

        return update
