"""Schedules made of others, `SequentialLR` and `ChainedScheduler`, and one that follows a metric."""

from __future__ import annotations

import math
import warnings
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, Literal, SupportsFloat

from adjoint.optim.lr_scheduler._base import LRScheduler, check_optimizer, copy_values, set_value
from adjoint.optim.optimizer import Optimizer


class ReduceLROnPlateau(LRScheduler):
    """Reduce the learning rate when a metric no longer improves.

    Args:
        optimizer: whose learning rates are set.
        mode: whether the metric is to become smaller, ``"min"``, or larger, ``"max"``.
        factor: of the learning rate, below 1.
        patience: how many epochs without improvement are accepted.
        threshold: the least improvement that counts.
        threshold_mode: whether it is relative, ``"rel"``, or absolute, ``"abs"``.
        cooldown: epochs to wait after a reduction.
        min_lr: the least learning rate; a list has one for each group.
        eps: the least reduction.

    Example:
        >>> optimizer = ad.optim.SGD([ad.ones(2, requires_grad=True)], lr=1.0)
        >>> scheduler = ad.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0)
        >>> for loss in [1.0, 1.0, 1.0]:
        ...     scheduler.step(loss)
        >>> scheduler.get_last_lr()
        [0.010000000000000002]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        mode: Literal["min", "max"] = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: Literal["rel", "abs"] = "rel",
        cooldown: int = 0,
        min_lr: list[float] | float = 0,
        eps: float = 1e-8,
    ) -> None:
        check_optimizer(optimizer)
        if factor >= 1:
            raise ValueError(f"factor: expected below 1, got {factor}")
        if mode not in ("min", "max"):
            raise ValueError(f"mode: expected 'min' or 'max', got {mode!r}")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"threshold_mode: expected 'rel' or 'abs', got {threshold_mode!r}")
        count = len(optimizer.param_groups)
        is_list = isinstance(min_lr, (list, tuple))
        if is_list and len(min_lr) != count:
            raise ValueError(f"min_lr: expected one value for each of {count} groups, got {len(min_lr)}")
        self.factor = factor
        self.optimizer = optimizer
        self.default_min_lr = None if is_list else min_lr
        self.min_lrs = list(min_lr) if is_list else [min_lr] * count  # type: ignore[arg-type]
        self.patience = patience
        self.cooldown = cooldown
        self.eps = eps
        self.last_epoch = 0
        self._last_lr = copy_values(optimizer, "lr")
        self.mode = mode
        self.threshold = threshold
        self.threshold_mode = threshold_mode
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self._reset()

    def _reset(self) -> None:
        """Forget the metrics so far."""
        self.best = self.mode_worse
        self.cooldown_counter = 0
        self.num_bad_epochs = 0

    def step(self, metrics: SupportsFloat, epoch: int | None = None) -> None:  # type: ignore[override]
        """Go to the next epoch.

        Args:
            metrics: the metric of this one.
            epoch: go to this one instead; deprecated.
        """
        current = float(metrics)
        if epoch is not None:
            warnings.warn("the argument epoch of scheduler.step() is deprecated: call step() without it", stacklevel=2)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self._is_better(current, self.best):
            self.best = current
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce_lr()
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._last_lr = copy_values(self.optimizer, "lr")

    @property
    def in_cooldown(self) -> bool:
        """Whether the learning rate has just been reduced."""
        return self.cooldown_counter > 0

    def _is_better(self, value: float, best: float) -> bool:
        sign = 1 if self.mode == "max" else -1
        if self.threshold_mode == "rel":
            return sign * value > sign * best * (1 + sign * self.threshold)
        return sign * value > sign * best + self.threshold

    def _reduce_lr(self) -> None:
        groups = self.optimizer.param_groups
        if len(groups) != len(self.min_lrs):
            if self.default_min_lr is None:
                raise RuntimeError(
                    f"the optimizer has {len(groups)} groups now, and min_lr was given for {len(self.min_lrs)}: "
                    "append to scheduler.min_lrs when a group is added"
                )
            self.min_lrs = [self.default_min_lr] * len(groups)
        for group, least in zip(groups, self.min_lrs):
            old = float(group["lr"])
            new = max(old * self.factor, least)
            if old - new > self.eps:
                set_value(group, "lr", new)


class _CombinedLR(LRScheduler):
    """A schedule made of others."""

    _schedulers: Sequence[LRScheduler]

    def _check(self, optimizer: Optimizer, schedulers: Sequence[LRScheduler]) -> None:
        name = type(self).__name__
        for number, scheduler in enumerate(schedulers):
            if not hasattr(scheduler, "optimizer"):
                raise TypeError(f"{name}: entry {number} is no schedule, but {type(scheduler).__name__}")
            if isinstance(scheduler, ReduceLROnPlateau):
                raise ValueError(f"{name}: entry {number} is ReduceLROnPlateau, whose step() needs a metric")
            if scheduler.optimizer is not optimizer:
                raise ValueError(f"{name}: entry {number}, {type(scheduler).__name__}, has another optimizer")

    def state_dict(self) -> dict[str, Any]:
        return super().state_dict() | {"_schedulers": [scheduler.state_dict() for scheduler in self._schedulers]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.__dict__.update({key: value for key, value in state_dict.items() if key != "_schedulers"})
        for scheduler, state in zip(self._schedulers, state_dict["_schedulers"]):
            scheduler.load_state_dict(state)


class SequentialLR(_CombinedLR):
    """One schedule after the other.

    Args:
        optimizer: whose learning rates are set.
        schedulers: the schedules, of that optimizer.
        milestones: the epochs at which the second, third and so on begins.
        last_epoch: the last epoch of a run that is resumed.

    Example:
        >>> optimizer = ad.optim.SGD([ad.ones(2, requires_grad=True)], lr=1.0)
        >>> first = ad.optim.lr_scheduler.ConstantLR(optimizer, factor=0.1, total_iters=20)
        >>> second = ad.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
        >>> scheduler = ad.optim.lr_scheduler.SequentialLR(optimizer, [first, second], milestones=[20])
    """

    def __init__(
        self, optimizer: Optimizer, schedulers: list[LRScheduler], milestones: list[int], last_epoch: int = -1
    ) -> None:
        if not schedulers:
            raise ValueError("SequentialLR: got no schedules")
        self._check(optimizer, schedulers)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                f"SequentialLR: {len(schedulers)} schedules need one milestone less, got {len(milestones)}"
            )
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        for group in optimizer.param_groups:  # every schedule has made its first step: undo them, and make one
            set_value(group, "lr", group["initial_lr"])
        self.recursive_undo()
        first = schedulers[bisect_right(milestones, 0)]
        first._initial_step()
        self._last_lr = first.get_last_lr()

    def recursive_undo(self, sched: Any = None) -> None:
        """Take back the first step of every schedule."""
        sched = self if sched is None else sched
        if hasattr(sched, "_schedulers"):
            for one in sched._schedulers:
                self.recursive_undo(one)
        elif hasattr(sched, "last_epoch"):
            sched.last_epoch -= 1

    def step(self) -> None:  # type: ignore[override]
        """Go to the next epoch."""
        self.last_epoch += 1
        number = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[number]
        if number > 0 and self._milestones[number - 1] == self.last_epoch:
            scheduler._update_lr(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


class ChainedScheduler(_CombinedLR):
    """Several schedules at once: each step is a step of all of them.

    Args:
        schedulers: the schedules, of one optimizer.
        optimizer: that optimizer; the first schedule's if not given.

    Example:
        >>> optimizer = ad.optim.SGD([ad.ones(2, requires_grad=True)], lr=1.0)
        >>> first = ad.optim.lr_scheduler.ConstantLR(optimizer, factor=0.1, total_iters=20)
        >>> second = ad.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
        >>> scheduler = ad.optim.lr_scheduler.ChainedScheduler([first, second])
    """

    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None) -> None:
        if not schedulers:
            raise ValueError("ChainedScheduler: got no schedules")
        optimizer = optimizer or schedulers[0].optimizer
        self._check(optimizer, schedulers)
        self._schedulers = schedulers
        self.optimizer = optimizer
        self._last_lr = copy_values(optimizer, "lr")

    def step(self) -> None:  # type: ignore[override]
        """Go to the next epoch."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = copy_values(self.optimizer, "lr")
