"""Averages of weights: `AveragedModel` (stochastic weight averaging, moving averages), `SWALR`, `update_bn`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from itertools import chain
from typing import Any

from adjoint._core.modes import no_grad
from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops
from adjoint._dtypes import int64
from adjoint.nn.modules.batchnorm import _BatchNorm
from adjoint.nn.modules.module import Module
from adjoint.optim.lr_scheduler import LRScheduler
from adjoint.optim.lr_scheduler._base import per_group
from adjoint.optim.optimizer import Optimizer

__all__ = [
    "SWALR",
    "AveragedModel",
    "get_ema_avg_fn",
    "get_ema_multi_avg_fn",
    "get_swa_avg_fn",
    "get_swa_multi_avg_fn",
    "update_bn",
]


def __dir__() -> list[str]:
    return __all__


Average = Callable[[Tensor, Tensor, Any], Tensor]
Averages = Callable[[Sequence[Tensor], Sequence[Tensor], Any], None]


def get_ema_avg_fn(decay: float = 0.999) -> Average:
    """Return the function of an exponential moving average, for one parameter.

    Args:
        decay: weight of the average so far, between 0 and 1.

    Example:
        >>> ad.optim.swa_utils.get_ema_avg_fn(0.75)(ad.tensor(1.0), ad.tensor(5.0), 1)
        tensor(2.)
    """
    _check_decay(decay)

    @no_grad()
    def average(ema_param: Tensor, current_param: Tensor, num_averaged: Any) -> Tensor:
        return ema_param * decay + current_param * (1 - decay)

    return average


def get_swa_avg_fn() -> Average:
    """Return the function of an equal average of all, for one parameter.

    Example:
        >>> ad.optim.swa_utils.get_swa_avg_fn()(ad.tensor(1.0), ad.tensor(5.0), 3)
        tensor(2.)
    """

    @no_grad()
    def average(averaged_param: Tensor, current_param: Tensor, num_averaged: Any) -> Tensor:
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return average


def get_ema_multi_avg_fn(decay: float = 0.999) -> Averages:
    """Return the function of an exponential moving average, for lists of parameters, which it changes.

    Args:
        decay: weight of the average so far, between 0 and 1.

    Example:
        >>> average = [ad.tensor(1.0)]
        >>> ad.optim.swa_utils.get_ema_multi_avg_fn(0.75)(average, [ad.tensor(5.0)], 1)
        >>> average
        [tensor(2.)]
    """
    _check_decay(decay)

    @no_grad()
    def average_all(ema_param_list: Sequence[Tensor], current_param_list: Sequence[Tensor], _: Any) -> None:
        for average, current in zip(ema_param_list, current_param_list):
            if average.is_floating_point() or average.is_complex():
                average.lerp_(current, 1 - decay)
            else:
                average.copy_(average * decay + current * (1 - decay))

    return average_all


def get_swa_multi_avg_fn() -> Averages:
    """Return the function of an equal average of all, for lists of parameters, which it changes.

    Example:
        >>> average = [ad.tensor(1.0)]
        >>> ad.optim.swa_utils.get_swa_multi_avg_fn()(average, [ad.tensor(5.0)], 3)
        >>> average
        [tensor(2.)]
    """

    @no_grad()
    def average_all(averaged_param_list: Sequence[Tensor], current_param_list: Sequence[Tensor], count: Any) -> None:
        for average, current in zip(averaged_param_list, current_param_list):
            change = (current - average) / (count + 1)
            if average.is_floating_point() or average.is_complex():
                average.add_(change)
            else:
                average.copy_(average + change)

    return average_all


def _check_decay(decay: float) -> None:
    if not 0 <= decay <= 1:
        raise ValueError(f"decay is between 0 and 1, not {decay}")


class AveragedModel(Module):
    """A copy of a model whose parameters are averages of the model's over several updates.

    Args:
        model: to be copied.
        device: where the averages are kept.
        avg_fn: ``avg_fn(average, current, number)`` returns the new average of a parameter; by default all count alike.
        multi_avg_fn: the same for lists, in place.
        use_buffers: whether buffers are averaged as well; otherwise they are copied.

    Example:
        >>> model = ad.nn.Linear(1, 1, bias=False)
        >>> averaged = ad.optim.swa_utils.AveragedModel(model)
        >>> for value in (1.0, 2.0, 6.0):
        ...     _ = ad.nn.init.constant_(model.weight, value)
        ...     averaged.update_parameters(model)
        >>> averaged(ad.ones(1)).item()
        3.0
    """

    n_averaged: Tensor

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: Average | None = None,
        multi_avg_fn: Averages | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("AveragedModel takes avg_fn or multi_avg_fn, not both")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", ops.tensor(0, dtype=int64, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the averaged model."""
        return self.module(*args, **kwargs)

    @no_grad()
    def update_parameters(self, model: Module) -> None:
        """Include the current parameters of a model in the averages.

        Args:
            model: of the structure of the copied one.
        """
        averages = self._list_averaged(self.module)
        current = [new.to(old.device) for old, new in zip(averages, self._list_averaged(model))]
        if self.n_averaged == 0:
            for old, new in zip(averages, current):
                old.copy_(new)
        elif self.avg_fn is not None:
            for old, new in zip(averages, current):
                old.copy_(self.avg_fn(old, new, self.n_averaged.to(old.device)))
        else:
            (self.multi_avg_fn or get_swa_multi_avg_fn())(averages, current, self.n_averaged)
        if not self.use_buffers:
            for old, new in zip(self.module.buffers(), model.buffers(), strict=True):
                old.copy_(new)
        self.n_averaged += 1

    def _list_averaged(self, model: Module) -> list[Tensor]:
        found = chain(model.parameters(), model.buffers()) if self.use_buffers else model.parameters()
        return [tensor.detach() for tensor in found]


@no_grad()
def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Compute the running statistics of a model's batch normalizations anew, by one pass over data.

    Args:
        loader: yields inputs of the model, or lists and tuples of which the first is the input.
        model: whose statistics they are.
        device: where inputs are moved to.

    Example:
        >>> model = ad.nn.BatchNorm1d(1)
        >>> ad.optim.swa_utils.update_bn([ad.tensor([[1.0], [3.0]])], model)
        >>> model.running_mean
        tensor([2.])
    """
    momenta = {module: module.momentum for module in model.modules() if isinstance(module, _BatchNorm)}
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.reset_running_stats()
        module.momentum = None  # an equal average of all batches
    for batch in loader:
        data = batch[0] if isinstance(batch, (list, tuple)) else batch
        model(data if device is None else data.to(device))
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """Anneal the learning rates to fixed ones, at which weights are averaged.

    Args:
        optimizer: whose learning rates are set.
        swa_lr: the final learning rate, or a list with one for each group.
        anneal_epochs: number of epochs until then.
        anneal_strategy: "cos" or "linear".
        last_epoch: the last epoch of a run that is resumed.

    Example:
        >>> optimizer = ad.optim.SGD([ad.ones(1, requires_grad=True)], lr=1.0)
        >>> schedule = ad.optim.swa_utils.SWALR(optimizer, swa_lr=0.5, anneal_epochs=2, anneal_strategy="linear")
        >>> for _ in range(3):
        ...     optimizer.step()
        ...     schedule.step()
        ...     print(schedule.get_last_lr())
        [0.75]
        [0.5]
        [0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: Any,
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ) -> None:
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"SWALR: anneal_strategy is 'cos' or 'linear', not {anneal_strategy!r}")
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"SWALR: anneal_epochs is a number of epochs, not {anneal_epochs!r}")
        for group, rate in zip(optimizer.param_groups, per_group("swa_lr", optimizer, swa_lr)):
            group["swa_lr"] = rate
        self._anneal_strategy = anneal_strategy
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def anneal_func(self, t: float) -> float:
        """Return the share of the final learning rate after a part of the annealing.

        Args:
            t: between 0 and 1.
        """
        return (1 - math.cos(math.pi * t)) / 2 if self._anneal_strategy == "cos" else t

    def get_lr(self) -> list[Any]:
        """The learning rates of the next epoch, from the current ones, which another schedule may have changed."""
        self._warn_outside_step()
        step = max(self._step_count - 1, self.anneal_epochs == 0)
        before, now = (self.anneal_func(max(0, min(1, k / max(1, self.anneal_epochs)))) for k in (step - 1, step))

        def anneal(lr: Any, final: Any) -> Any:
            start = final if before == 1 else (lr - before * final) / (1 - before)
            return final * now + start * (1 - now)

        return [anneal(group["lr"], group["swa_lr"]) for group in self.optimizer.param_groups]
