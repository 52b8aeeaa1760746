"""Schedules that multiply the learning rate by a factor of the epoch.

Most of them go step by step: `_ratio` is the factor from the last epoch to this one, so that schedules of one optimizer
can be combined. `_factor` is the closed form, relative to the initial learning rate.
"""

from __future__ import annotations

import types
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from typing import Any

from adjoint.optim.lr_scheduler._base import LRScheduler
from adjoint.optim.optimizer import Optimizer


class _RatioLR(LRScheduler):
    """A schedule by the factor from one epoch to the next."""

    def _ratio(self) -> float:
        raise NotImplementedError

    def _factor(self) -> float:
        raise NotImplementedError

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        ratio = self._ratio()
        return [group["lr"] * ratio for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self) -> list[Any]:
        factor = self._factor()
        return [lr * factor for lr in self.base_lrs]


class _FunctionLR(LRScheduler):
    """A schedule by functions of the epoch, one for each group. Only callable objects are saved."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        count = len(optimizer.param_groups)
        given = list(lr_lambda) if isinstance(lr_lambda, (list, tuple)) else [lr_lambda] * count
        if len(given) != count:
            raise ValueError(f"lr_lambda: expected one function for each of {count} groups, got {len(given)}")
        for function in given:
            if not callable(function):
                raise TypeError(f"lr_lambda: expected a function of the epoch, got {type(function).__name__}")
        self.lr_lambdas = given
        super().__init__(optimizer, last_epoch)

    def state_dict(self) -> dict[str, Any]:
        kept = [None if isinstance(f, types.FunctionType) else f.__dict__.copy() for f in self.lr_lambdas]
        return super().state_dict() | {"lr_lambdas": kept}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.__dict__.update({key: value for key, value in state_dict.items() if key != "lr_lambdas"})
        for function, kept in zip(self.lr_lambdas, state_dict["lr_lambdas"]):
            if kept is not None:
                function.__dict__.update(kept)


class LambdaLR(_FunctionLR):
    """The initial learning rate times a function of the epoch.

    Args:
        optimizer: whose learning rates are set.
        lr_lambda: a function of the epoch, or a list with one for each group.
        last_epoch: the last epoch of a run that is resumed.

    Example:
        >>> optimizer = ad.optim.SGD([ad.ones(2, requires_grad=True)], lr=1.0)
        >>> scheduler = ad.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.95**epoch)
    """

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        return [lr * function(self.last_epoch) for function, lr in zip(self.lr_lambdas, self.base_lrs)]


class MultiplicativeLR(_FunctionLR):
    """The last learning rate times a function of the epoch.

    Args:
        optimizer, lr_lambda, last_epoch: as for `LambdaLR`.

    Example:
        >>> optimizer = ad.optim.SGD([ad.ones(2, requires_grad=True)], lr=1.0)
        >>> scheduler = ad.optim.lr_scheduler.MultiplicativeLR(optimizer, lambda epoch: 0.95)
    """

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        functions = [lambda epoch: 1.0] * len(self.lr_lambdas) if self._is_initial else self.lr_lambdas
        return [group["lr"] * f(self.last_epoch) for f, group in zip(functions, self.optimizer.param_groups)]


class StepLR(_RatioLR):
    """Multiply the learning rate by `gamma` every `step_size` epochs.

    Args:
        optimizer: whose learning rates are set.
        step_size: number of epochs between changes.
        gamma: the factor.
        last_epoch: the last epoch of a run that is resumed.

    Example:
        >>> optimizer = ad.optim.SGD([ad.ones(2, requires_grad=True)], lr=1.0)
        >>> scheduler = ad.optim.lr_scheduler.StepLR(optimizer, step_size=30)
    """

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _ratio(self) -> float:
        return 1.0 if self.last_epoch == 0 or self.last_epoch % self.step_size else self.gamma

    def _factor(self) -> float:
        return self.gamma ** (self.last_epoch // self.step_size)


class MultiStepLR(_RatioLR):
    """Multiply the learning rate by `gamma` at given epochs.

    Args:
        optimizer: whose learning rates are set.
        milestones: the epochs; one that is given twice counts twice.
        gamma: the factor.
        last_epoch: the last epoch of a run that is resumed.

    Example:
        >>> optimizer = ad.optim.SGD([ad.ones(2, requires_grad=True)], lr=1.0)
        >>> scheduler = ad.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[30, 80])
    """

    def __init__(
        self, optimizer: Optimizer, milestones: Iterable[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _ratio(self) -> float:
        return self.gamma ** self.milestones[self.last_epoch]

    def _factor(self) -> float:
        return self.gamma ** bisect_right(sorted(self.milestones.elements()), self.last_epoch)


class ConstantLR(_RatioLR):
    """Multiply the learning rate by a factor during the first epochs.

    Args:
        optimizer: whose learning rates are set.
        factor: between 0 and 1.
        total_iters: the number of epochs.
        last_epoch: the last epoch of a run that is resumed.

    Example:
        >>> optimizer = ad.optim.SGD([ad.ones(2, requires_grad=True)], lr=1.0)
        >>> scheduler = ad.optim.lr_scheduler.ConstantLR(optimizer, factor=0.5, total_iters=4)
    """

    def __init__(self, optimizer: Optimizer, factor: float = 1 / 3, total_iters: int = 5, last_epoch: int = -1) -> None:
        if not 0 <= factor <= 1:
            raise ValueError(f"ConstantLR: factor has to be between 0 and 1, got {factor}")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def _ratio(self) -> float:
        if self.last_epoch == 0:
            return self.factor
        return 1 / self.factor if self.last_epoch == self.total_iters else 1.0

    def _factor(self) -> float:
        return 1.0 if self.last_epoch >= self.total_iters else self.factor


class LinearLR(_RatioLR):
    """Change the factor of the learning rate linearly during the first epochs.

    Args:
        optimizer: whose learning rates are set.
        start_factor: at the first epoch; above 0, at most 1.
        end_factor: at the last one; between 0 and 1.
        total_iters: the number of epochs.
        last_epoch: the last epoch of a run that is resumed.

    Example:
        >>> optimizer = ad.optim.SGD([ad.ones(2, requires_grad=True)], lr=1.0)
        >>> scheduler = ad.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.5, total_iters=4)
    """

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if not 0 < start_factor <= 1:
            raise ValueError(f"LinearLR: start_factor has to be above 0 and at most 1, got {start_factor}")
        if not 0 <= end_factor <= 1:
            raise ValueError(f"LinearLR: end_factor has to be between 0 and 1, got {end_factor}")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def _ratio(self) -> float:
        if self.last_epoch == 0:
            return self.start_factor
        if self._is_initial or self.last_epoch > self.total_iters:
            return 1.0
        rise = self.end_factor - self.start_factor
        return 1 + rise / (self.total_iters * self.start_factor + (self.last_epoch - 1) * rise)

    def _factor(self) -> float:
        done = min(self.total_iters, self.last_epoch) / self.total_iters
        return self.start_factor + (self.end_factor - self.start_factor) * done


class ExponentialLR(_RatioLR):
    """Multiply the learning rate by `gamma` every epoch.

    Args:
        optimizer: whose learning rates are set.
        gamma: the factor.
        last_epoch: the last epoch of a run that is resumed.

    Example:
        >>> optimizer = ad.optim.SGD([ad.ones(2, requires_grad=True)], lr=1.0)
        >>> scheduler = ad.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    """

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _ratio(self) -> float:
        return 1.0 if self._is_initial else self.gamma

    def _factor(self) -> float:
        return self.gamma**self.last_epoch


class PolynomialLR(_RatioLR):
    """Let the learning rate fall to zero like a power of the epochs that are left.

    Args:
        optimizer: whose learning rates are set.
        total_iters: the number of epochs.
        power: of the polynomial.
        last_epoch: the last epoch of a run that is resumed.

    Example:
        >>> optimizer = ad.optim.SGD([ad.ones(2, requires_grad=True)], lr=1.0)
        >>> scheduler = ad.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=4)
    """

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def _ratio(self) -> float:
        if self._is_initial or self.last_epoch > self.total_iters:
            return 1.0
        left, before = self.total_iters - self.last_epoch, self.total_iters - self.last_epoch + 1
        return ((left / self.total_iters) / (before / self.total_iters)) ** self.power

    def _factor(self) -> float:
        return (1 - min(self.total_iters, self.last_epoch) / self.total_iters) ** self.power
