"""`LRScheduler`: counts epochs and sets the learning rates that a subclass computes."""

from __future__ import annotations

import warnings
import weakref
from functools import wraps
from typing import Any

from adjoint._core.tensor import Tensor
from adjoint.optim.optimizer import Optimizer


def copy_values(optimizer: Optimizer, key: str) -> list[Any]:
    """A hyperparameter of every group; tensors are copied."""
    values = [group[key] for group in optimizer.param_groups]
    return [value.clone() if isinstance(value, Tensor) else value for value in values]


def set_value(group: dict[str, Any], key: str, value: Any) -> None:
    """Give a group a hyperparameter; a tensor is written in place."""
    if isinstance(group[key], Tensor):
        group[key].fill_(value.item() if isinstance(value, Tensor) else value)
    else:
        group[key] = value


def per_group(name: str, optimizer: Optimizer, value: Any) -> list[Any]:
    """A value for every group, from a list of them or from one for all."""
    count = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        value = [value] * count
    if len(value) != count:
        raise ValueError(f"{name}: expected one value, or one for each of {count} groups, got {len(value)} values")
    return [one.clone() if isinstance(one, Tensor) else one for one in value]


def check_optimizer(optimizer: Any) -> None:
    """Refuse what is no optimizer."""
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"a learning rate schedule needs an Optimizer, got {type(optimizer).__name__}")


class LRScheduler:
    """Base class of learning rate schedules. A subclass defines `get_lr`, the learning rates at `self.last_epoch`.

    Args:
        optimizer: whose learning rates are set.
        last_epoch: the last epoch of a run that is resumed; -1 for a new one.

    Example:
        >>> class Halve(ad.optim.lr_scheduler.LRScheduler):
        ...     def get_lr(self):
        ...         return [lr / 2**self.last_epoch for lr in self.base_lrs]
        >>> optimizer = ad.optim.SGD([ad.ones(2, requires_grad=True)], lr=1.0)
        >>> scheduler = Halve(optimizer)
        >>> optimizer.step()
        >>> scheduler.step()
        >>> scheduler.get_last_lr()
        [0.5]
    """

    _get_lr_called_within_step = False
    _is_initial = False

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                lr = group["lr"]
                group.setdefault("initial_lr", lr.clone() if isinstance(lr, Tensor) else lr)
            elif "initial_lr" not in group:
                raise KeyError(
                    f"group {number} has no 'initial_lr', which a schedule resumed at epoch {last_epoch} needs: "
                    "load the optimizer's state dict first, or leave last_epoch at -1"
                )
        self.base_lrs: list[Any] = copy_values(optimizer, "initial_lr")
        self.last_epoch = last_epoch
        _watch_steps(optimizer)
        self._initial_step()

    def _initial_step(self) -> None:
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def state_dict(self) -> dict[str, Any]:
        """The schedule's state as a dictionary: everything but the optimizer."""
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load what `state_dict` returned.

        Args:
            state_dict: it is not changed.
        """
        self.__dict__.update(state_dict)

    def get_last_lr(self) -> list[Any]:
        """The learning rates that were set last, one for each group."""
        return self._last_lr

    def get_lr(self) -> list[Any]:
        """The learning rates at `self.last_epoch`, one for each group."""
        raise NotImplementedError(f"{type(self).__name__} does not define get_lr()")

    def step(self, epoch: int | None = None) -> None:
        """Go to the next epoch.

        Args:
            epoch: go to this one instead; deprecated.
        """
        if self._step_count == 1:
            self._check_order()
        self._step_count += 1
        if epoch is not None:
            warnings.warn("the argument epoch of scheduler.step() is deprecated: call step() without it", stacklevel=2)
        self._update_lr(epoch)

    def _check_order(self) -> None:
        """Warn if the optimizer has not made a step before the schedule's first."""
        if not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
            advice = "optimizer.step was replaced after the schedule was made, so its calls are not seen"
        elif not getattr(self.optimizer, "_opt_called", False):
            advice = "scheduler.step() was called before optimizer.step(), so the first learning rate is skipped"
        else:
            return
        warnings.warn(f"{advice}: call optimizer.step() first, then scheduler.step()", stacklevel=3)

    def _update_lr(self, epoch: int | None = None) -> None:
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        compute = self.get_lr if epoch is None else getattr(self, "_get_closed_form_lr", self.get_lr)
        self._set_lr(compute)

    def _set_lr(self, compute: Any) -> None:
        self._get_lr_called_within_step = True
        try:
            values = compute()
        finally:
            self._get_lr_called_within_step = False
        for group, lr in zip(self.optimizer.param_groups, values, strict=True):
            set_value(group, "lr", lr)
        self._last_lr = copy_values(self.optimizer, "lr")

    def _warn_outside_step(self) -> None:
        """Warn when `get_lr` is called by a user: it computes the next values of schedules that go step by step."""
        if not self._get_lr_called_within_step:
            warnings.warn("get_lr() computes a new learning rate: read the current one by get_last_lr()", stacklevel=3)


def _watch_steps(optimizer: Optimizer) -> None:
    """Let the optimizer note that `step` was called."""
    if hasattr(optimizer.step, "_wrapped_by_lr_sched"):
        return
    step, reference = type(optimizer).step, weakref.ref(optimizer)

    @wraps(step)
    def call(*args: Any, **kwargs: Any) -> Any:
        own: Any = reference()
        own._opt_called = True
        return step(own, *args, **kwargs)

    call._wrapped_by_lr_sched = True  # type: ignore[attr-defined]
    optimizer.step = call  # type: ignore[method-assign]
