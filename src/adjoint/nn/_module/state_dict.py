"""State dicts: saving the parameters and buffers of a module by name, and loading them."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from adjoint._core.modes import no_grad
from adjoint._tensor.methods import Tensor
from adjoint.nn._module.hooks import Hook, HookHandle, add_hook
from adjoint.nn.parameter import Parameter, is_lazy

EXTRA_STATE = "_extra_state"


class IncompatibleKeys(NamedTuple):
    """What `load_state_dict` returns: the names that a state dict lacked, and those that were not needed."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"

    __str__ = __repr__


class StateDictMethods:
    """The part of `Module` that saves and loads state."""

    _version: int = 1
    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _modules: dict[str, Any]
    _non_persistent_buffers_set: set[str]
    _state_dict_hooks: OrderedDict[int, Hook]
    _state_dict_pre_hooks: OrderedDict[int, Hook]
    _load_state_dict_pre_hooks: OrderedDict[int, Hook]
    _load_state_dict_post_hooks: OrderedDict[int, Hook]

    # Saving -----------------------------------------------------------------------------------------------------------

    def state_dict(self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False) -> Any:
        """Return the parameters and persistent buffers of the module and its submodules, by name.

        The tensors share memory with those of the module.

        Args:
            args: the others by position, in an old style.
            destination: the dictionary to fill. Default: a new one.
            prefix: put before every name.
            keep_vars: whether the tensors are those of the module, and not detached from the graph.

        Example:
            >>> list(nn.Linear(2, 3).state_dict())
            ['weight', 'bias']
        """
        if args:
            warnings.warn("state_dict() takes its arguments by keyword", FutureWarning, stacklevel=2)
            given = dict(zip(("destination", "prefix", "keep_vars"), args))
            destination = given["destination"] if destination is None else destination
            prefix, keep_vars = prefix or given.get("prefix", ""), keep_vars or given.get("keep_vars", False)
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata: dict[str, Any] = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            result = hook(self, destination, prefix, metadata)
            if result is None:
                continue
            if getattr(hook, "_from_public_api", False):
                raise RuntimeError("a hook of register_state_dict_post_hook() changes the dict in place; return None")
            destination = result
        return destination

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        """Save the state of this module, without its submodules, for `state_dict`; may be overridden."""
        for name, tensor in self._local_state().items():
            destination[prefix + name] = tensor if keep_vars else tensor.detach()
        if type(self).get_extra_state is not StateDictMethods.get_extra_state:
            destination[prefix + EXTRA_STATE] = self.get_extra_state()

    def _local_state(self) -> dict[str, Any]:
        """Return the parameters and persistent buffers of this module, without its submodules."""
        buffers = {k: v for k, v in self._buffers.items() if k not in self._non_persistent_buffers_set}
        return {name: tensor for name, tensor in (self._parameters | buffers).items() if tensor is not None}

    def get_extra_state(self) -> Any:
        """Return further state for `state_dict`; to be overridden together with `set_extra_state`."""
        raise RuntimeError(f"{type(self).__name__} has no extra state; define get_extra_state() to add some")

    def set_extra_state(self, state: Any) -> None:
        """Take the further state that `get_extra_state` returned; to be overridden.

        Args:
            state: what the state dict has.
        """
        raise RuntimeError(f"{type(self).__name__} has no extra state; define set_extra_state() to take it")

    # Loading ----------------------------------------------------------------------------------------------------------

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False) -> Any:
        """Copy parameters and buffers from a state dict into this module and its submodules.

        Args:
            state_dict: tensors by name, as `state_dict` returns them.
            strict: whether the names have to be exactly those of the module.
            assign: whether tensors are taken as they are, with their dtype and memory, and not copied from.

        Returns:
            A named tuple with `missing_keys` and `unexpected_keys`.

        Example:
            >>> nn.Linear(2, 3).load_state_dict(nn.Linear(2, 3).state_dict())
            <All keys matched successfully>
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"load_state_dict() takes a dictionary of tensors, not a {type(state_dict).__name__}")
        metadata = getattr(state_dict, "_metadata", None)
        copy: Any = OrderedDict(state_dict)
        if metadata is not None:
            copy._metadata = metadata
        loading = _Loading(metadata or {}, assign)
        loading.load(self, copy, "")
        errors = loading.errors
        if strict:
            for keys, what in ((loading.unexpected, "Unexpected"), (loading.missing, "Missing")):
                if keys:
                    errors.insert(0, f"{what} key(s) in the state dict: " + ", ".join(f'"{key}"' for key in keys))
        if errors:
            raise RuntimeError(f"the state dict does not fit {type(self).__name__}:\n\t" + "\n\t".join(errors))
        return IncompatibleKeys(loading.missing, loading.unexpected)

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: dict[str, Any],
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        """Load the state of this module, without its submodules, for `load_state_dict`; may be overridden."""
        for hook in self._load_state_dict_pre_hooks.values():
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        local = self._local_state()
        assign = local_metadata.get("assign_to_params_buffers", False)
        for name, tensor in local.items():
            key = prefix + name
            if key in state_dict:
                error = _load_tensor(self, name, key, tensor, state_dict[key], assign)
                error_msgs.extend([error] if error else [])
            elif strict:
                missing_keys.append(key)
        extra = prefix + EXTRA_STATE
        if type(self).set_extra_state is not StateDictMethods.set_extra_state:
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if strict:
            for key in state_dict:
                if key.startswith(prefix) and key != extra:
                    first, dot, _ = key[len(prefix) :].partition(".")
                    if first not in (self._modules if dot else local):
                        unexpected_keys.append(key)

    # Hooks ------------------------------------------------------------------------------------------------------------

    def register_state_dict_pre_hook(self, hook: Hook) -> HookHandle:
        """Call ``hook(module, prefix, keep_vars)`` before `state_dict` collects the state of the module.

        Args:
            hook: the function to call.

        Example:
            >>> layer = nn.ReLU()
            >>> handle = layer.register_state_dict_pre_hook(lambda module, prefix, keep_vars: print("saving"))
            >>> state = layer.state_dict()
            saving
        """
        return add_hook(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook: Any) -> HookHandle:
        """Call ``hook(module, state_dict, prefix, local_metadata)`` after the state was collected; it may change it.

        Args:
            hook: the function to call; it returns None.

        Example:
            >>> layer = nn.Linear(1, 1)
            >>> handle = layer.register_state_dict_post_hook(lambda module, state, prefix, metadata: state.clear())
            >>> len(layer.state_dict())
            0
        """
        hook._from_public_api = True
        return add_hook(self._state_dict_hooks, hook)

    def _register_state_dict_hook(self, hook: Any) -> HookHandle:
        """Call a hook that may also return another state dict."""
        if getattr(hook, "_from_public_api", False):
            raise RuntimeError("this hook is already one of register_state_dict_post_hook(); it cannot be both")
        return add_hook(self._state_dict_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook: Hook) -> HookHandle:
        """Call a hook before the state of the module is loaded.

        Args:
            hook: called with the module, the state dict, the prefix, the metadata, `strict`, and three lists to
                append to: missing keys, unexpected keys, errors.

        Example:
            >>> layer = nn.ReLU()
            >>> handle = layer.register_load_state_dict_pre_hook(lambda module, state_dict, *rest: state_dict.clear())
            >>> layer.load_state_dict({"weight": ad.ones(1)})
            <All keys matched successfully>
        """
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def _register_load_state_dict_pre_hook(self, hook: Hook, with_module: bool = False) -> HookHandle:
        return add_hook(self._load_state_dict_pre_hooks, _BoundHook(hook, self) if with_module else hook)

    def register_load_state_dict_post_hook(self, hook: Hook) -> HookHandle:
        """Call ``hook(module, incompatible_keys)`` after the state was loaded; it may change the two lists of keys.

        Args:
            hook: the function to call.

        Example:
            >>> layer = nn.Linear(1, 1)
            >>> handle = layer.register_load_state_dict_post_hook(lambda module, keys: keys.missing_keys.clear())
            >>> layer.load_state_dict({})
            <All keys matched successfully>
        """
        return add_hook(self._load_state_dict_post_hooks, hook)


class _BoundHook:
    """A hook whose first argument is a module; can be pickled."""

    def __init__(self, hook: Callable[..., Any], module: Any) -> None:
        self.hook, self.module = hook, module

    def __call__(self, *args: Any) -> Any:
        """Call `forward`, with the hooks around it."""
        return self.hook(self.module, *args)


class _Loading:
    """One call of `load_state_dict`: what was missing, unexpected, or wrong."""

    def __init__(self, metadata: Mapping[str, Any], assign: bool) -> None:
        self.metadata, self.assign = metadata, assign
        self.missing: list[str] = []
        self.unexpected: list[str] = []
        self.errors: list[str] = []

    def load(self, module: Any, state: Any, prefix: str) -> None:
        local = self.metadata.get(prefix[:-1], {})
        if self.assign:
            local["assign_to_params_buffers"] = True
        module._load_from_state_dict(state, prefix, local, True, self.missing, self.unexpected, self.errors)
        for name, child in module._modules.items():
            if child is not None:
                start = f"{prefix}{name}."
                self.load(child, {k: v for k, v in state.items() if k.startswith(start)}, start)
        keys = IncompatibleKeys(self.missing, self.unexpected)
        for hook in module._load_state_dict_post_hooks.values():
            if hook(module, keys) is not None:
                raise AssertionError(
                    "a hook of register_load_state_dict_post_hook() returned something; it changes the lists of keys "
                    "in place and returns None"
                )


def _load_tensor(module: Any, name: str, key: str, tensor: Any, value: Any, assign: bool) -> str | None:
    """Copy or assign one tensor of a state dict. Returns what is wrong, if anything."""
    if not isinstance(value, Tensor):
        return f'"{key}" should be a tensor, and is a {type(value).__name__}'
    if not is_lazy(tensor):
        if tensor.shape == () and value.shape == (1,):
            value = value[0]
        if is_lazy(value):
            return f'"{key}" of the state dict has no shape yet (it comes from a lazy module that was never called)'
        if value.shape != tensor.shape:
            return f'size mismatch for "{key}": {value.shape} in the state dict, {tensor.shape} in the module'
    try:
        with no_grad():
            if not assign:
                tensor.copy_(value)
                return None
            if isinstance(tensor, Parameter):
                if not isinstance(value, Parameter):
                    value = Parameter(value, requires_grad=tensor.requires_grad)
                else:
                    value.requires_grad_(tensor.requires_grad)
            setattr(module, name, value)
    except Exception as error:
        return f'"{key}" of shape {tensor.shape} could not be loaded from one of shape {value.shape}: {error}'
    return None
