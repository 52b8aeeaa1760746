"""`RuleOptimizer`: an optimizer declared by its update rule, a pure function of arrays.

Note [Update rules]
~~~~~~~~~~~~~~~~~~~
A rule computes new values of a parameter and of its state from the old ones and the gradient. It is written once, with
operators and functions of an array namespace `xp`, and used in three ways:

* NumPy: on blocks that fit into a core's cache, so that a step is one pass over memory and makes no array of the
  parameter's size; the results are written in place.
* Other arrays, and tensors inside transforms: on whole arrays; the results are written by `copy_`.
* ``differentiable=True``: on tensors, so that the step is recorded.

Complex parameters are updated as pairs of real numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from adjoint._core.modes import no_grad, set_grad_enabled
from adjoint._core.tensor import Tensor
from adjoint._core.views.memory import note_write
from adjoint._dispatch.table import ops
from adjoint._dtypes import float32, float64, get_default_dtype
from adjoint.arrays import namespace_of
from adjoint.arrays.threads import spread
from adjoint.optim.optimizer import Closure, Optimizer, ParamsT, run_closure

Group = dict[str, Any]
State = dict[str, Any]
Rule = Callable[..., Any]  # (xp, param, grad, *buffers) -> new param, or a tuple of it and the new buffers

# Elements of a block. Adam on 4 million float32 numbers, one thread: 2^12 54 ms, 2^14 38, 2^16 36, unblocked 86.
_BLOCK = 1 << 14
_LARGE = 1 << 18  # elements from which a step is divided among threads

RANGES: dict[str, tuple[Callable[[Any], bool], str]] = {
    **dict.fromkeys("lr eps weight_decay momentum lr_decay initial_accumulator_value momentum_decay".split(),
                    (lambda value: value >= 0, "at least 0")),
    "rho": (lambda value: 0 <= value <= 1, "between 0 and 1"),
    "betas": (lambda pair: all(0 <= beta < 1 for beta in pair), "two numbers, at least 0 and below 1"),
    "etas": (lambda pair: 0 < pair[0] < 1 < pair[1], "two numbers, the first between 0 and 1, the second above 1"),
}  # fmt: skip


def given(names: dict[str, Any]) -> dict[str, Any]:
    """The hyperparameters among the local variables of an `__init__`."""
    return {name: value for name, value in names.items() if name not in ("self", "params", "__class__")}


class RuleOptimizer(Optimizer):
    """An optimizer that is declared by its state and its update rule; see Note [Update rules]."""

    ranges = RANGES
    elementwise = True  # whether the rule may be applied to any part of the elements
    counts_steps = True  # whether the state has the number of steps

    def __init__(self, params: ParamsT, defaults: dict[str, Any]) -> None:
        for name, value in defaults.items():
            if name in self.ranges and not self.ranges[name][0](value):
                raise ValueError(f"{type(self).__name__}: {name} has to be {self.ranges[name][1]}, got {value!r}")
        lr = defaults["lr"]
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError(f"{type(self).__name__}: lr is one number, got a tensor of shape {tuple(lr.shape)}")
        if defaults.get("fused") and defaults.get("differentiable"):
            raise RuntimeError(f"{type(self).__name__}: a fused step cannot be differentiated")
        if defaults.get("fused") and defaults.get("foreach"):
            raise RuntimeError(f"{type(self).__name__}: choose one of fused and foreach")
        super().__init__(params, defaults)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            for name, value in self.defaults.items():  # those of an older version may be missing
                group.setdefault(name, value)

    # ---- what an optimizer declares ----------------------------------------------------------------------------------

    def start(self, param: Tensor, group: Group) -> State:
        """The state of a parameter before its first step, beside the number of steps."""
        return {name: ops.zeros_like(param) for name in self.buffers(param, group)}

    def buffers(self, param: Tensor, group: Group) -> tuple[str, ...]:
        """The names of the state that the rule takes and renews; zeros at first, unless `start` says otherwise."""
        return ()

    def rule(self, group: Group, state: State, step: Any) -> Rule:
        """The update rule.

        Args:
            group: the hyperparameters.
            state: of the parameter; a rule may renew numbers in it.
            step: which step it is, from 1; an array where the group is `capturable`. Where steps are not counted, 1 for
                the first and 2 for all others.
        """
        raise NotImplementedError

    # ---- steps -------------------------------------------------------------------------------------------------------

    def step(self, closure: Closure | None = None) -> Any:
        """Update the parameters once, by their gradients.

        Args:
            closure: computes the loss and its gradients anew, and returns the loss.
        """
        loss = run_closure(closure)
        with set_grad_enabled(bool(self.defaults.get("differentiable"))):
            for group in self.param_groups:
                for param in group["params"]:
                    if param.grad is not None:
                        self._step_one(param, param.grad, group)
        return loss

    def _step_one(self, param: Tensor, grad: Tensor, group: Group) -> None:
        names = self.buffers(param, group)
        state = self.state[param] if names or self.counts_steps else {}
        is_first = not state if self.counts_steps else bool(names) and state.get(names[0]) is None
        if is_first:
            self.start_state(state, param, group)
        step = self._advance(state, group) if self.counts_steps else 1 if is_first else 2
        rule = self.rule(group, state, step)
        if group.get("maximize"):
            rule = _ascend(rule)
        if group.get("differentiable"):
            _step_tensors(rule, param, grad, state, names)
        else:
            _step_arrays(rule, [param, grad, *(state[name] for name in names)], self.elementwise)

    def start_state(self, state: State, param: Tensor, group: Group) -> None:
        """Put into a parameter's state what its first step needs."""
        if self.counts_steps:
            state["step"] = ops.zeros((), dtype=_step_dtype())
        with no_grad():
            state.update(self.start(param, group))

    def _advance(self, state: State, group: Group) -> Any:
        """Count a step. Its number, or the array of it where values may not be read."""
        count = state["step"]
        if not isinstance(count, Tensor):  # as some load it
            count = state["step"] = ops.tensor(float(count), dtype=_step_dtype())
        if group.get("capturable"):
            with no_grad():
                count += 1
            return count._array
        step = count.item() + 1
        with no_grad():
            count.fill_(step)
        return step


def number(value: Any, group: Group) -> Any:
    """A hyperparameter that may be a tensor: recorded or traced as one, or else as a number."""
    if not isinstance(value, Tensor):
        return value
    if group.get("differentiable"):
        return value
    return value._array if group.get("capturable") else value.item()


def decay(group: Group, lr: Any = None) -> Callable[[Any, Any], tuple[Any, Any]]:
    """Weight decay: a function of parameter and gradient, which adds to the gradient or shrinks the parameter."""
    rate = number(group["weight_decay"], group)
    if isinstance(rate, (int, float)) and not rate:
        return lambda param, grad: (param, grad)
    if group.get("decoupled_weight_decay"):
        return lambda param, grad: (param * (1 - lr * rate), grad)
    return lambda param, grad: (param, grad + rate * param)


def _ascend(rule: Rule) -> Rule:
    return lambda xp, param, grad, *buffers: rule(xp, param, -grad, *buffers)


def _step_dtype() -> Any:
    """The dtype of the number of steps: float64 where that is the default, as PyTorch counts."""
    return float64 if get_default_dtype() is float64 else float32


def _step_tensors(rule: Rule, param: Tensor, grad: Tensor, state: State, names: tuple[str, ...]) -> None:
    """A recorded step: the parameter is written in place, and new tensors are put into the state."""
    values = [param.clone(), grad, *(state[name] for name in names)]
    is_complex = param.is_complex()
    if is_complex:
        values = [ops.view_as_real(value) for value in values]
    results = _as_tuple(rule(param.__array_namespace__(), *values))
    if is_complex:
        results = tuple([ops.view_as_complex(result) for result in results])
    param.copy_(results[0])
    state.update(zip(names, results[1:]))


def _step_arrays(rule: Rule, tensors: list[Tensor], elementwise: bool) -> None:
    """A step that is not recorded. `tensors` are the parameter, its gradient and the buffers of its state."""
    if tensors[0].is_complex():
        tensors = [ops.view_as_real(tensor.detach()) for tensor in tensors]
    arrays = [tensor._array for tensor in tensors]
    first = arrays[0]
    if not all(type(array) is numpy.ndarray and array.dtype == first.dtype for array in arrays):
        results = _as_tuple(rule(namespace_of(first), *arrays))
        for tensor, result in zip((tensors[0], *tensors[2:]), results):
            tensor.copy_(Tensor(result))
        return
    written = [arrays[0], *arrays[2:]]
    if not (elementwise and all(array.flags.c_contiguous for array in arrays)):
        for array, result in zip(written, _as_tuple(rule(namespace_of(first), *arrays))):
            array[...] = result
    elif first.size <= _BLOCK:
        for array, result in zip(written, _as_tuple(rule(numpy, *arrays))):
            array[...] = result
    else:
        _step_blocks(rule, [array.reshape(-1) for array in arrays])
    for tensor in (tensors[0], *tensors[2:]):
        note_write(tensor)


def _step_blocks(rule: Rule, arrays: list[Any]) -> None:
    """Apply an elementwise rule to one block after the other, in threads if there are many."""

    def work(start: int, stop: int) -> None:
        parts = [array[start:stop] for array in arrays]
        for part, result in zip((parts[0], *parts[2:]), _as_tuple(rule(numpy, *parts))):
            part[...] = result

    count = arrays[0].size
    if count >= _LARGE:
        spread(work, count, _BLOCK)
    else:
        for start in range(0, count, _BLOCK):
            work(start, min(count, start + _BLOCK))


def _as_tuple(results: Any) -> tuple[Any, ...]:
    return results if type(results) is tuple else (results,)
