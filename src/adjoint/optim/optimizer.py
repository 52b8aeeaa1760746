"""`Optimizer`: parameter groups, state, hooks and state dicts; the base class of every optimizer."""

from __future__ import annotations

import functools
import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from itertools import chain
from typing import Any

from adjoint._core.graph import RemovableHandle
from adjoint._core.modes import enable_grad
from adjoint._core.tensor import Tensor

ParamsT = Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]]
StateDict = dict[str, Any]
Closure = Callable[[], Any]
Hooks = OrderedDict[int, Callable[..., Any]]

_global_step_pre_hooks: OrderedDict[int, Callable[..., Any]] = OrderedDict()
_global_step_post_hooks: OrderedDict[int, Callable[..., Any]] = OrderedDict()


class _Required:
    """The default of a hyperparameter that every group has to give."""

    def __repr__(self) -> str:
        return "<required parameter>"


required = _Required()


def _add(hooks: Hooks, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
    handle = RemovableHandle(hooks)  # type: ignore[arg-type]  # any dictionary that can be referred to weakly
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def register_optimizer_step_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Register a hook that is called before every step of every optimizer.

    Args:
        hook: ``hook(optimizer, args, kwargs)``; may return new ``(args, kwargs)``.
    """
    return _add(_global_step_pre_hooks, hook)


def register_optimizer_step_post_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Register a hook that is called after every step of every optimizer.

    Args:
        hook: ``hook(optimizer, args, kwargs)``.
    """
    return _add(_global_step_post_hooks, hook)


def _with_hooks(step: Callable[..., Any]) -> Callable[..., Any]:
    """The method `step` with the hooks around it."""

    @functools.wraps(step)
    def call(*args: Any, **kwargs: Any) -> Any:
        self: Optimizer = args[0]
        for hook in chain(_global_step_pre_hooks.values(), self._optimizer_step_pre_hooks.values()):
            changed = hook(self, args, kwargs)
            if changed is not None:
                if not (isinstance(changed, tuple) and len(changed) == 2):
                    raise RuntimeError(f"a step pre-hook returns None or (args, kwargs), this one returned {changed!r}")
                args, kwargs = changed
        result = step(*args, **kwargs)
        for hook in chain(self._optimizer_step_post_hooks.values(), _global_step_post_hooks.values()):
            hook(self, args, kwargs)
        return result

    call.hooked = True  # type: ignore[attr-defined]
    return call


class Optimizer:
    """Base class of optimizers: holds parameters in groups with their own hyperparameters, and state by parameter.

    A subclass passes its hyperparameters to `__init__` and defines `step`.

    Args:
        params: tensors, or pairs of a name and a tensor, or dictionaries: groups with ``"params"`` and hyperparameters.
        defaults: hyperparameters of groups that do not give them.

    Example:
        >>> class Descent(ad.optim.Optimizer):
        ...     def __init__(self, params, lr=0.1):
        ...         super().__init__(params, {"lr": lr})
        ...     @ad.no_grad()
        ...     def step(self, closure=None):
        ...         for group in self.param_groups:
        ...             for p in group["params"]:
        ...                 p -= group["lr"] * p.grad
        >>> x = ad.tensor([1.0], requires_grad=True)
        >>> (x * x).backward()
        >>> Descent([x]).step()
        >>> x
        tensor([0.8000], requires_grad=True)
    """

    _optimizer_step_pre_hooks: Hooks
    _optimizer_step_post_hooks: Hooks
    _optimizer_state_dict_pre_hooks: Hooks
    _optimizer_state_dict_post_hooks: Hooks
    _optimizer_load_state_dict_pre_hooks: Hooks
    _optimizer_load_state_dict_post_hooks: Hooks

    def __init__(self, params: ParamsT, defaults: dict[str, Any]) -> None:
        self.defaults = defaults
        self._prepare_hooks()
        if isinstance(params, Tensor):
            raise TypeError(
                "an optimizer takes an iterable of tensors or of groups, not one tensor: put it into a list, [tensor]"
            )
        self.state: defaultdict[Any, Any] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups: list[Any] = list(params)
        if not groups:
            raise ValueError("the optimizer has been given no parameters: the iterable is empty")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def _prepare_hooks(self) -> None:
        """Make what is missing of the hooks' dictionaries, and let the class's `step` call them."""
        for name in (name for name in Optimizer.__annotations__ if name.endswith("_hooks")):
            self.__dict__.setdefault(name, OrderedDict())
        kind = type(self)
        if not getattr(kind.step, "hooked", False):
            kind.step = _with_hooks(kind.step)  # type: ignore[method-assign]

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: hyperparameters, state and groups, without hooks."""
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take over a state that was pickled or loaded; what an older version lacks gets its default."""
        self.__dict__.update(state)
        self._prepare_hooks()
        self.defaults.setdefault("differentiable", False)

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for number, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {number}")
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return "\n".join([*lines, ")"])

    # ---- hooks -------------------------------------------------------------------------------------------------------

    def register_step_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Register ``hook(optimizer, args, kwargs)``, called before `step`; it may return new ``(args, kwargs)``."""
        return _add(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Register ``hook(optimizer, args, kwargs)``, called after `step`."""
        return _add(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Register ``hook(optimizer)``, called before `state_dict`."""
        return _add(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Register ``hook(optimizer, state_dict)``, called after `state_dict`; it may return another dictionary."""
        return _add(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Register ``hook(optimizer, state_dict)``, called before loading; it may return another dictionary."""
        return _add(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Register ``hook(optimizer)``, called after `load_state_dict`."""
        return _add(self._optimizer_load_state_dict_post_hooks, hook, prepend)

    @staticmethod
    def profile_hook_step(func: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a `step` method so that it calls the hooks."""
        return _with_hooks(func)

    # ---- state dicts -------------------------------------------------------------------------------------------------

    def state_dict(self) -> StateDict:
        """The optimizer's state and groups as a dictionary, in which parameters are numbered.

        Example:
            >>> sorted(ad.optim.SGD([ad.ones(2, requires_grad=True)]).state_dict())
            ['param_groups', 'state']
        """
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        numbers: dict[int, int] = {}
        groups: list[dict[str, Any]] = []
        for group in self.param_groups:
            start = sum(len(known["params"]) for known in groups)
            for number, param in enumerate(group["params"], start):
                numbers.setdefault(id(param), number)
            packed = {key: value for key, value in group.items() if key != "params"}
            groups.append(packed | {"params": [numbers[id(param)] for param in group["params"]]})
        state = {numbers[id(key)] if isinstance(key, Tensor) else key: value for key, value in self.state.items()}
        found: StateDict = {"state": state, "param_groups": groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            changed = hook(self, found)
            found = found if changed is None else changed
        return found

    def load_state_dict(self, state_dict: StateDict) -> None:
        """Load what `state_dict` returned, of an optimizer with groups of the same sizes.

        Args:
            state_dict: it is not changed, and its tensors are converted to the parameters' dtypes.
        """
        given = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            changed = hook(self, given)
            given = given if changed is None else changed
        saved = deepcopy(given["param_groups"])
        sizes = [[len(group["params"]) for group in groups] for groups in (self.param_groups, saved)]
        if len(saved) != len(self.param_groups):
            raise ValueError(f"the state dict has {len(saved)} groups, the optimizer has {len(self.param_groups)}")
        if sizes[0] != sizes[1]:
            raise ValueError(f"the state dict has groups of {sizes[1]} parameters, the optimizer of {sizes[0]}")
        params = [param for group in self.param_groups for param in group["params"]]
        by_number = dict(zip(chain.from_iterable(group["params"] for group in saved), params))
        state: defaultdict[Any, Any] = defaultdict(dict)
        for key, value in given["state"].items():
            if key in by_number:
                state[by_number[key]] = _fit(value, by_number[key])
            else:
                state[key] = value
        for group, new in zip(self.param_groups, saved):
            new["params"] = group["params"]
            if "param_names" in group:
                new.setdefault("param_names", group["param_names"])
        self.__setstate__({"state": state, "param_groups": saved})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    # ---- gradients, groups, steps ------------------------------------------------------------------------------------

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradients of all parameters.

        Args:
            set_to_none: forget them; otherwise they are filled with zeros.
        """
        for group in self.param_groups:
            for param in group["params"]:
                if set_to_none:
                    param.grad = None
                elif param.grad is not None:
                    if param.grad.grad_fn is not None:
                        param.grad.detach_()
                    else:
                        param.grad.requires_grad_(False)
                    param.grad.zero_()

    def step(self, closure: Closure | None = None) -> Any:
        """Update the parameters once, by their gradients.

        Args:
            closure: computes the loss and its gradients anew, and returns the loss.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define step()")

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group of parameters with their own hyperparameters.

        Args:
            param_group: ``"params"`` and hyperparameters; the optimizer's defaults stand for those that are missing.
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"a parameter group is a dictionary, got {type(param_group).__name__}")
        given = param_group["params"]
        if isinstance(given, set):
            raise TypeError("parameters in a set have no order, so their state could not be saved: use a list")
        entries = [given] if isinstance(given, Tensor) else list(given)
        names = [entry[0] for entry in entries if isinstance(entry, tuple)]
        params = [entry[1] if isinstance(entry, tuple) else entry for entry in entries]
        if names and len(names) != len(params):
            raise ValueError(f"{len(names)} of {len(params)} parameters are given with a name: give one to all or none")
        for param in params:
            self._check_param(param)
        param_group["params"] = params
        if names:
            param_group["param_names"] = names
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(f"the parameter group has to give a value of {name!r}")
            param_group.setdefault(name, default)
        if len({id(param) for param in params}) != len(params):
            warnings.warn("a parameter group contains the same parameter twice", stacklevel=3)
        known = {id(param) for group in self.param_groups for param in group["params"]}
        if any(("param_names" in group) != bool(names) for group in self.param_groups):
            raise ValueError("the parameters of all groups have names, or none has")
        if not known.isdisjoint(map(id, params)):
            raise ValueError("a parameter is in more than one group")
        self.param_groups.append(param_group)

    def _check_param(self, param: Any) -> None:
        if not isinstance(param, Tensor):
            raise TypeError(f"an optimizer updates tensors, got {type(param).__name__}")
        if not self.defaults.get("differentiable") and not (param.is_leaf or param.retains_grad):
            raise ValueError(
                f"the parameter of shape {tuple(param.shape)} was computed, so its gradient is not kept. "
                "Give the tensor it was computed from, or call retain_grad() first"
            )


def run_closure(closure: Closure | None) -> Any:
    """The loss that a closure computes, with gradients recorded."""
    if closure is None:
        return None
    with enable_grad():
        return closure()


def _fit(value: Any, param: Tensor, key: Any = None) -> Any:
    """A value of the state with the dtype and device of its parameter; a number of steps stays as it is."""
    if isinstance(value, Tensor):
        if key == "step":
            return value
        return value.to(dtype=param.dtype, device=param.device) if param.is_floating_point() else value.to(param.device)
    if isinstance(value, dict):
        return {name: _fit(entry, param, name) for name, entry in value.items()}
    if isinstance(value, (list, tuple, set)):
        return type(value)(_fit(entry, param) for entry in value)
    return value
