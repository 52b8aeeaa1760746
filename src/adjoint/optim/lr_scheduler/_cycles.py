"""Schedules that go up and down: cosines, cycles, one cycle."""

from __future__ import annotations

import math
import types
from collections.abc import Callable
from typing import Any, Literal

from adjoint.optim.lr_scheduler._base import LRScheduler, check_optimizer, per_group, set_value
from adjoint.optim.optimizer import Optimizer


class CosineAnnealingLR(LRScheduler):
    """Let the learning rate follow a cosine from its initial value to `eta_min`, and back.

    Args:
        optimizer: whose learning rates are set.
        T_max: the number of epochs to the minimum.
        eta_min: the minimum.
        last_epoch: the last epoch of a run that is resumed.

    Example:
        >>> optimizer = ad.optim.SGD([ad.ones(2, requires_grad=True)], lr=1.0)
        >>> scheduler = ad.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=10)
    """

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        current = [group["lr"] for group in self.optimizer.param_groups]
        if self._is_initial:
            return current
        if self._step_count == 1 and self.last_epoch > 0:
            return self._get_closed_form_lr()
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:  # the last one was the minimum: no ratio to it
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            return [lr + (base - self.eta_min) * rise for base, lr in zip(self.base_lrs, current)]
        ratio = self._height(self.last_epoch) / self._height(self.last_epoch - 1)
        return [ratio * (lr - self.eta_min) + self.eta_min for lr in current]

    def _height(self, epoch: int) -> float:
        return 1 + math.cos(math.pi * epoch / self.T_max)

    def _get_closed_form_lr(self) -> list[Any]:
        height = self._height(self.last_epoch)
        return [self.eta_min + (lr - self.eta_min) * height / 2 for lr in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Let the learning rate follow half a cosine to `eta_min` and start again, in ever longer periods.

    Args:
        optimizer: whose learning rates are set.
        T_0: the number of epochs of the first period.
        T_mult: by which each period is longer than the last.
        eta_min: the minimum.
        last_epoch: the last epoch of a run that is resumed.

    Example:
        >>> optimizer = ad.optim.SGD([ad.ones(2, requires_grad=True)], lr=1.0)
        >>> scheduler = ad.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=10)
    """

    def __init__(
        self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        if not isinstance(T_0, int) or T_0 <= 0:
            raise ValueError(f"T_0: expected a positive integer, got {T_0!r}")
        if not isinstance(T_mult, int) or T_mult < 1:
            raise ValueError(f"T_mult: expected a positive integer, got {T_mult!r}")
        if not isinstance(eta_min, (float, int)):
            raise ValueError(f"eta_min: expected a number, got {eta_min!r} of type {type(eta_min).__name__}")
        self.T_0 = self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        height = 1 + math.cos(math.pi * self.T_cur / self.T_i)
        return [self.eta_min + (lr - self.eta_min) * height / 2 for lr in self.base_lrs]

    def step(self, epoch: float | None = None) -> None:  # type: ignore[override]
        """Go to the next epoch.

        Args:
            epoch: go to this one instead; it may be a fraction, to change the learning rate within an epoch.
        """
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        elif epoch < 0:
            raise ValueError(f"epoch: expected at least 0, got {epoch}")
        else:
            self._find_period(epoch)
        self.last_epoch = math.floor(epoch)
        self._set_lr(self.get_lr)

    def _find_period(self, epoch: float) -> None:
        if epoch < self.T_0:
            self.T_i, self.T_cur = self.T_0, epoch
        elif self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        else:
            periods = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            self.T_cur = epoch - self.T_0 * (self.T_mult**periods - 1) / (self.T_mult - 1)
            self.T_i = self.T_0 * self.T_mult**periods


class _MomentumLR(LRScheduler):
    """A schedule that also sets the momentum, or the first of Adam's `betas`, against the learning rate."""

    cycle_momentum: bool

    def _start_momentum(self, base_momentum: Any, max_momentum: Any, last_epoch: int) -> None:
        defaults = self.optimizer.defaults
        if "momentum" not in defaults and "betas" not in defaults:
            raise ValueError("cycle_momentum: the optimizer has neither momentum nor betas; use cycle_momentum=False")
        self.use_beta1 = "betas" in defaults
        self.base_momentums = per_group("base_momentum", self.optimizer, base_momentum)
        self.max_momentums = per_group("max_momentum", self.optimizer, max_momentum)
        if last_epoch == -1:
            for group, low, high in zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums):
                self._set_momentum(group, high)
                group["max_momentum"], group["base_momentum"] = high, low

    def _set_momentum(self, group: dict[str, Any], value: Any) -> None:
        if self.use_beta1:
            group["betas"] = (value, *group["betas"][1:])
        else:
            group["momentum"] = value


_MODES = ("triangular", "triangular2", "exp_range")


class CyclicLR(_MomentumLR):
    """Let the learning rate go up and down between two values.

    Args:
        optimizer: whose learning rates are set.
        base_lr, max_lr: the two values; lists have one for each group.
        step_size_up, step_size_down: steps up, and down (as many if not given).
        mode: ``"triangular"``; ``"triangular2"``, half as high each time; ``"exp_range"``, by `gamma` to the step.
        gamma: of ``"exp_range"``.
        scale_fn: another factor of the height instead of `mode`.
        scale_mode: whether `scale_fn` is of the ``"cycle"`` or of ``"iterations"``.
        cycle_momentum: let the momentum go the other way.
        base_momentum, max_momentum: between which.
        last_epoch: the last step of a run that is resumed.

    Example:
        >>> optimizer = ad.optim.SGD([ad.ones(2, requires_grad=True)], lr=1.0, momentum=0.9)
        >>> scheduler = ad.optim.lr_scheduler.CyclicLR(optimizer, base_lr=0.01, max_lr=0.1)
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | list[float],
        max_lr: float | list[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: Literal["triangular", "triangular2", "exp_range"] = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: Literal["cycle", "iterations"] = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float = 0.8,
        max_momentum: float = 0.9,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer)
        if mode not in _MODES and scale_fn is None:
            raise ValueError(f"mode: expected one of {', '.join(_MODES)}, or a scale_fn; got {mode!r}")
        self.optimizer = optimizer
        base_lrs = per_group("base_lr", optimizer, base_lr)
        if last_epoch == -1:
            for group, lr in zip(optimizer.param_groups, base_lrs):
                set_value(group, "lr", lr)
        self.max_lrs = per_group("max_lr", optimizer, max_lr)
        self.total_size = float(step_size_up + (step_size_up if step_size_down is None else step_size_down))
        self.step_ratio = step_size_up / self.total_size
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = scale_mode if scale_fn is not None else "iterations" if mode == "exp_range" else "cycle"
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._start_momentum(base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def scale_fn(self, x: float) -> float:
        """The factor of the height, at a cycle or a step."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        return {"triangular": 1.0, "triangular2": 1 / 2.0 ** (x - 1), "exp_range": self.gamma**x}[self.mode]

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1 + self.last_epoch / self.total_size - cycle
        height = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        height *= self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            for group, low, high in zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums):
                self._set_momentum(group, high - (high - low) * height)
        return [low + (high - low) * height for low, high in zip(self.base_lrs, self.max_lrs)]

    def state_dict(self) -> dict[str, Any]:
        function = self._scale_fn_custom
        is_plain = function is None or isinstance(function, types.FunctionType)
        return super().state_dict() | {"_scale_fn_custom": None if is_plain else function.__dict__.copy()}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.__dict__.update({key: value for key, value in state_dict.items() if key != "_scale_fn_custom"})
        if state_dict["_scale_fn_custom"] is not None and self._scale_fn_custom is not None:
            self._scale_fn_custom.__dict__.update(state_dict["_scale_fn_custom"])


class OneCycleLR(_MomentumLR):
    """Let the learning rate go up to a maximum once and then down far below where it started.

    Args:
        optimizer: whose learning rates are set.
        max_lr: the maximum; a list has one for each group.
        total_steps: the number of steps in all; or give `epochs` and `steps_per_epoch`.
        epochs, steps_per_epoch: whose product is the number of steps.
        pct_start: the part of the steps on which it goes up.
        anneal_strategy: ``"cos"`` or ``"linear"``.
        cycle_momentum: let the momentum go the other way.
        base_momentum, max_momentum: between which.
        div_factor: the maximum divided by the first learning rate.
        final_div_factor: the first divided by the last one.
        three_phase: go down to the first learning rate as fast as it went up, and then to the last one.
        last_epoch: the last step of a run that is resumed.

    Example:
        >>> optimizer = ad.optim.SGD([ad.ones(2, requires_grad=True)], lr=1.0, momentum=0.9)
        >>> scheduler = ad.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, total_steps=100)
    """

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: float | list[float],
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: Literal["cos", "linear"] = "cos",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.85,
        max_momentum: float | list[float] = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        self.total_steps = _count_steps(total_steps, epochs, steps_per_epoch)
        if not isinstance(pct_start, float) or not 0 <= pct_start <= 1:
            raise ValueError(f"pct_start: expected a float between 0 and 1, got {pct_start!r}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy: expected 'cos' or 'linear', got {anneal_strategy!r}")
        self._anneal_func_type = anneal_strategy
        up = float(pct_start * self.total_steps) - 1
        down = [(2 * pct_start * self.total_steps - 2, "max_lr", "initial_lr", "base_momentum", "max_momentum"),
                (self.total_steps - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum")]  # fmt: skip
        if not three_phase:
            down = [(self.total_steps - 1, "max_lr", "min_lr", "base_momentum", "max_momentum")]
        names = ("end_step", "start_lr", "end_lr", "start_momentum", "end_momentum")
        phases = [(up, "initial_lr", "max_lr", "max_momentum", "base_momentum"), *down]
        self._schedule_phases: list[dict[str, Any]] = [dict(zip(names, phase)) for phase in phases]
        max_lrs = per_group("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for group, lr in zip(optimizer.param_groups, max_lrs):
                group["initial_lr"] = lr / div_factor
                group["max_lr"] = lr
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._start_momentum(base_momentum, max_momentum, last_epoch)
            del self.base_momentums, self.max_momentums  # the groups have them
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(f"step {step} is beyond the {self.total_steps} steps that the schedule was made for")
        start = 0.0
        for phase in self._schedule_phases[:-1]:
            if step <= phase["end_step"]:
                break
            start = phase["end_step"]
        else:
            phase = self._schedule_phases[-1]
        part = (step - start) / (phase["end_step"] - start)
        if self.cycle_momentum:
            for group in self.optimizer.param_groups:
                ends = group[phase["start_momentum"]], group[phase["end_momentum"]]
                self._set_momentum(group, self._anneal(*ends, part))
        groups = self.optimizer.param_groups
        return [self._anneal(group[phase["start_lr"]], group[phase["end_lr"]], part) for group in groups]

    def _anneal(self, start: Any, end: Any, part: float) -> Any:
        if self._anneal_func_type == "linear":
            return (end - start) * part + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * part) + 1)


def _count_steps(total_steps: Any, epochs: Any, steps_per_epoch: Any) -> int:
    if total_steps is None and (epochs is None or steps_per_epoch is None):
        raise ValueError("OneCycleLR: give total_steps, or epochs and steps_per_epoch")
    counts: dict[str, Any] = {"total_steps": total_steps}
    if total_steps is None:
        counts = {"epochs": epochs, "steps_per_epoch": steps_per_epoch}
    for name, count in counts.items():
        if not isinstance(count, int) or count <= 0:
            raise ValueError(f"{name}: expected a positive integer, got {count!r}")
    return math.prod(counts.values())
