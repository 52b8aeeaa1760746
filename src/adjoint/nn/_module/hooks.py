"""Hooks of modules: registering them, on a module or for all modules, and a call that runs them."""

from __future__ import annotations

import warnings
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from adjoint._core.graph import RemovableHandle
from adjoint._tensor.methods import Tensor
from adjoint.nn._module.backward_hooks import BackwardHook

Hook = Callable[..., Any]

global_forward_pre_hooks: OrderedDict[int, Hook] = OrderedDict()
global_forward_hooks: OrderedDict[int, Hook] = OrderedDict()
global_forward_hooks_with_kwargs: OrderedDict[int, bool] = OrderedDict()
global_forward_hooks_always_called: OrderedDict[int, bool] = OrderedDict()
global_backward_pre_hooks: OrderedDict[int, Hook] = OrderedDict()
global_backward_hooks: OrderedDict[int, Hook] = OrderedDict()
registration_hooks: dict[str, OrderedDict[int, Hook]] = {
    kind: OrderedDict() for kind in ("parameter", "buffer", "module")
}
_full_backward: list[bool | None] = [None]  # whether the global backward hooks are full ones; None if there are none


class HookHandle(RemovableHandle):
    """Handle of a module's hook; `remove()` removes it and its options."""

    __slots__ = ("_options",)

    def __init__(self, hooks: Any, *options: Any) -> None:
        super().__init__(hooks)
        self._options = [weakref.ref(option) for option in options]

    def remove(self) -> None:
        """Remove the hook; a second call does nothing."""
        super().remove()
        for reference in self._options:
            option = reference()
            if option is not None:
                option.pop(self.id, None)

    def __getstate__(self) -> Any:
        """Return what a pickle holds."""
        return self._hooks(), self.id, [reference() for reference in self._options]

    def __setstate__(self, state: Any) -> None:
        """Take the state that a pickle holds."""
        hooks, self.id, options = state
        self._hooks = weakref.ref(OrderedDict() if hooks is None else hooks)
        self._options = [weakref.ref(option) for option in options if option is not None]

    def __reduce__(self) -> Any:
        return object.__new__, (HookHandle,), self.__getstate__()


def add_hook(hooks: Any, hook: Any, prepend: bool = False, options: Any = ()) -> HookHandle:
    """Append a hook and return the handle that removes it.

    Args:
        hooks: the dictionary of hooks.
        hook: the function to add.
        prepend: whether it runs before the others.
        options: pairs of a dictionary and whether the hook is entered in it.
    """
    handle = HookHandle(hooks, *[option for option, _ in options])
    hooks[handle.id] = hook
    for option, wanted in options:
        if wanted:
            option[handle.id] = True
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


# ---- for all modules -------------------------------------------------------------------------------------------------


def register_module_forward_pre_hook(hook: Hook) -> HookHandle:
    """Call ``hook(module, args)`` before every module's `forward`; it may return other arguments.

    Args:
        hook: the function to call.

    Example:
        >>> with nn.modules.module.register_module_forward_pre_hook(lambda module, args: print(module)):
        ...     y = nn.ReLU()(ad.ones(1))
        ReLU()
    """
    return add_hook(global_forward_pre_hooks, hook)


def register_module_forward_hook(hook: Hook, *, with_kwargs: bool = False, always_call: bool = False) -> HookHandle:
    """Call ``hook(module, args, output)`` after every module's `forward`; it may return another output.

    Args:
        hook: the function to call.
        with_kwargs: whether it is called with the keyword arguments, before the output.
        always_call: whether it is called even if `forward` raises.

    Example:
        >>> with nn.modules.module.register_module_forward_hook(lambda module, args, output: output + 1):
        ...     nn.ReLU()(ad.ones(1))
        tensor([2.])
    """
    options = (
        (global_forward_hooks_with_kwargs, with_kwargs),
        (global_forward_hooks_always_called, always_call),
    )
    return add_hook(global_forward_hooks, hook, options=options)


def register_module_full_backward_pre_hook(hook: Hook) -> HookHandle:
    """Call ``hook(module, grad_output)`` before every module's gradients; it may return others.

    Args:
        hook: the function to call.

    Example:
        >>> x = ad.ones(1, requires_grad=True)
        >>> hook = lambda module, grad_output: (grad_output[0] * 3,)
        >>> with nn.modules.module.register_module_full_backward_pre_hook(hook):
        ...     nn.ReLU()(x).backward()
        >>> x.grad
        tensor([3.])
    """
    return add_hook(global_backward_pre_hooks, hook)


def register_module_full_backward_hook(hook: Hook) -> HookHandle:
    """Call ``hook(module, grad_input, grad_output)`` after every module's gradients.

    Args:
        hook: the function to call; it may return another grad_input.

    Example:
        >>> x = ad.ones(1, requires_grad=True)
        >>> hook = lambda module, grad_input, grad_output: (grad_input[0] * 3,)
        >>> with nn.modules.module.register_module_full_backward_hook(hook):
        ...     nn.ReLU()(x).backward()
        >>> x.grad
        tensor([3.])
    """
    _refuse_mixed(_full_backward[0] if global_backward_hooks else None, True)
    _full_backward[0] = True
    return add_hook(global_backward_hooks, hook)


def register_module_backward_hook(hook: Hook) -> HookHandle:
    """Call ``hook(module, grad_input, grad_output)`` at the node of every output: the old kind of hook.

    Args:
        hook: the function to call; `grad_input` is that of the last operation of the module.

    Example:
        >>> hook = lambda module, grad_input, grad_output: print(grad_output[0])
        >>> with nn.modules.module.register_module_backward_hook(hook):
        ...     nn.ReLU()(ad.ones(1, requires_grad=True) * 1).backward()
        tensor([1.])
    """
    _refuse_mixed(_full_backward[0] if global_backward_hooks else None, False)
    _full_backward[0] = False
    return add_hook(global_backward_hooks, hook)


def register_module_parameter_registration_hook(hook: Hook) -> HookHandle:
    """Call ``hook(module, name, parameter)`` when a parameter is registered; it may return another one.

    Args:
        hook: the function to call.

    Example:
        >>> hook = lambda module, name, parameter: print(name)
        >>> with nn.modules.module.register_module_parameter_registration_hook(hook):
        ...     layer = nn.Linear(1, 1)
        weight
        bias
    """
    return add_hook(registration_hooks["parameter"], hook)


def register_module_buffer_registration_hook(hook: Hook) -> HookHandle:
    """Call ``hook(module, name, buffer)`` when a buffer is registered; it may return another one.

    Args:
        hook: the function to call.

    Example:
        >>> hook = lambda module, name, buffer: print(name)
        >>> with nn.modules.module.register_module_buffer_registration_hook(hook):
        ...     nn.Module().register_buffer("mean", ad.zeros(2))
        mean
    """
    return add_hook(registration_hooks["buffer"], hook)


def register_module_module_registration_hook(hook: Hook) -> HookHandle:
    """Call ``hook(module, name, submodule)`` when a submodule is registered; it may return another one.

    Args:
        hook: the function to call.

    Example:
        >>> hook = lambda module, name, submodule: print(name, submodule)
        >>> with nn.modules.module.register_module_module_registration_hook(hook):
        ...     model = nn.Sequential(nn.ReLU())
        0 ReLU()
    """
    return add_hook(registration_hooks["module"], hook)


def after_registration(kind: str, module: Any, name: str, value: Any) -> Any:
    """Run the hooks of a registration, and return what is to be registered."""
    for hook in registration_hooks[kind].values():
        new = hook(module, name, value)
        value = value if new is None else new
    return value


def _refuse_mixed(present: bool | None, wanted: bool) -> None:
    if present is not None and present is not wanted:
        kinds = ("old backward hooks", "full backward hooks")
        raise RuntimeError(f"there are {kinds[present]} here, and they cannot be combined with {kinds[wanted]}")


# ---- of one module ---------------------------------------------------------------------------------------------------


class HookMethods:
    """The part of `Module` that registers hooks of its calls."""

    _forward_pre_hooks: OrderedDict[int, Hook]
    _forward_pre_hooks_with_kwargs: OrderedDict[int, bool]
    _forward_hooks: OrderedDict[int, Hook]
    _forward_hooks_with_kwargs: OrderedDict[int, bool]
    _forward_hooks_always_called: OrderedDict[int, bool]
    _backward_pre_hooks: OrderedDict[int, Hook]
    _backward_hooks: OrderedDict[int, Hook]
    _is_full_backward_hook: bool | None

    def register_forward_pre_hook(self, hook: Hook, *, prepend: bool = False, with_kwargs: bool = False) -> HookHandle:
        """Call ``hook(module, args)`` before `forward`; it may return other arguments.

        Args:
            hook: the function to call.
            prepend: whether it runs before the hooks that are there.
            with_kwargs: whether it is called with the keyword arguments too, and returns both.

        Example:
            >>> layer = nn.ReLU()
            >>> handle = layer.register_forward_pre_hook(lambda module, args: (args[0] * 2,))
            >>> layer(ad.ones(1))
            tensor([2.])
        """
        options = ((self._forward_pre_hooks_with_kwargs, with_kwargs),)
        return add_hook(self._forward_pre_hooks, hook, prepend, options)

    def register_forward_hook(
        self, hook: Hook, *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> HookHandle:
        """Call ``hook(module, args, output)`` after `forward`; it may return another output.

        Args:
            hook: the function to call.
            prepend: whether it runs before the hooks that are there.
            with_kwargs: whether it is called with the keyword arguments, before the output.
            always_call: whether it is called even if `forward` raises.

        Example:
            >>> layer = nn.ReLU()
            >>> handle = layer.register_forward_hook(lambda module, args, output: output * 2)
            >>> layer(ad.ones(1))
            tensor([2.])
        """
        options = (
            (self._forward_hooks_with_kwargs, with_kwargs),
            (self._forward_hooks_always_called, always_call),
        )
        return add_hook(self._forward_hooks, hook, prepend, options)

    def register_full_backward_pre_hook(self, hook: Hook, prepend: bool = False) -> HookHandle:
        """Call ``hook(module, grad_output)`` before the module's gradients are computed; it may return others.

        Args:
            hook: the function to call.
            prepend: whether it runs before the hooks that are there.

        Example:
            >>> layer, x = nn.ReLU(), ad.ones(1, requires_grad=True)
            >>> handle = layer.register_full_backward_pre_hook(lambda module, grad_output: (grad_output[0] * 3,))
            >>> layer(x).backward()
            >>> x.grad
            tensor([3.])
        """
        return add_hook(self._backward_pre_hooks, hook, prepend)

    def register_full_backward_hook(self, hook: Hook, prepend: bool = False) -> HookHandle:
        """Call ``hook(module, grad_input, grad_output)`` after the module's gradients; it may change them.

        Args:
            hook: the function to call; it must not change its arguments in place.
            prepend: whether it runs before the hooks that are there.

        Example:
            >>> layer, x = nn.ReLU(), ad.ones(1, requires_grad=True)
            >>> handle = layer.register_full_backward_hook(lambda module, grad_input, grad_output: (grad_input[0] * 3,))
            >>> layer(x).backward()
            >>> x.grad
            tensor([3.])
        """
        _refuse_mixed(self._is_full_backward_hook, True)
        self._is_full_backward_hook = True
        return add_hook(self._backward_hooks, hook, prepend)

    def register_backward_hook(self, hook: Hook) -> HookHandle:
        """Call ``hook(module, grad_input, grad_output)`` at the node of the output: the old kind of hook.

        Args:
            hook: the function to call; `grad_input` is that of the last operation of the module.

        Example:
            >>> layer = nn.ReLU()
            >>> handle = layer.register_backward_hook(lambda module, grad_input, grad_output: print(grad_output[0]))
            >>> layer(ad.ones(1, requires_grad=True) * 1).backward()
            tensor([1.])
        """
        _refuse_mixed(self._is_full_backward_hook, False)
        self._is_full_backward_hook = False
        return add_hook(self._backward_hooks, hook)


# ---- a call ----------------------------------------------------------------------------------------------------------


class _Call:
    """One call of a module that has hooks."""

    def __init__(self, module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.module, self.args, self.kwargs = module, args, kwargs
        self.result: Any = None
        self.called: set[int] = set()  # forward hooks that ran, or began to

    def run(self) -> Any:
        module = self.module
        full, old = _backward_hooks_of(module)
        pre = [*global_backward_pre_hooks.values(), *module._backward_pre_hooks.values()]
        self._run_forward_pre_hooks()
        around = BackwardHook(module, full, pre) if full or pre else None
        if around is not None:
            self.args = around.wrap_inputs(self.args)
        self.result = module.forward(*self.args, **self.kwargs)
        for key, hook in _forward_hooks_of(module):
            self._run_forward_hook(key, hook)
        if around is not None:
            if not isinstance(self.result, (Tensor, tuple)):
                warnings.warn(
                    f"backward hooks need a module whose output is a tensor or a tuple of tensors; that of "
                    f"{type(module).__name__} is a {type(self.result).__name__}",
                    stacklevel=4,
                )
            self.result = around.wrap_outputs(self.result)
        if old:
            _register_old_hooks(module, self.args, self.result, old)
        return self.result

    def _run_forward_pre_hooks(self) -> None:
        module = self.module
        for key, hook in (*global_forward_pre_hooks.items(), *module._forward_pre_hooks.items()):
            if key not in module._forward_pre_hooks_with_kwargs:
                result = hook(module, self.args)
                if result is not None:
                    self.args = result if isinstance(result, tuple) else (result,)
                continue
            result = hook(module, self.args, self.kwargs)
            if result is None:
                continue
            if not (isinstance(result, tuple) and len(result) == 2):
                raise RuntimeError(
                    "a forward pre-hook with_kwargs has to return None or a pair of args and kwargs, not "
                    f"{result!r:.80}"
                )
            self.args, self.kwargs = result

    def _run_forward_hook(self, key: int, hook: Hook) -> None:
        self.called.add(key)
        if key in self.module._forward_hooks_with_kwargs or key in global_forward_hooks_with_kwargs:
            result = hook(self.module, self.args, self.kwargs, self.result)
        else:
            result = hook(self.module, self.args, self.result)
        if result is not None:
            self.result = result

    def run_after_error(self) -> None:
        """Run the forward hooks that are always called and have not been."""
        for key, hook in _forward_hooks_of(self.module):
            always = key in self.module._forward_hooks_always_called or key in global_forward_hooks_always_called
            if always and key not in self.called:
                try:
                    self._run_forward_hook(key, hook)
                except Exception as error:
                    warnings.warn(
                        f"a forward hook with always_call=True raised after another error, and is passed over: {error}",
                        stacklevel=4,
                    )


def call_with_hooks(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call `forward` with all hooks around it."""
    call = _Call(module, args, kwargs)
    try:
        return call.run()
    except Exception:
        call.run_after_error()
        raise


def _forward_hooks_of(module: Any) -> tuple[tuple[int, Hook], ...]:
    return (*global_forward_hooks.items(), *module._forward_hooks.items())


def _backward_hooks_of(module: Any) -> tuple[list[Hook], list[Hook]]:
    """Return the full and the old backward hooks of a module, the global ones first."""
    full: list[Hook] = []
    old: list[Hook] = []
    (full if _full_backward[0] else old).extend(global_backward_hooks.values())
    (full if module._is_full_backward_hook else old).extend(module._backward_hooks.values())
    return full, old


def _register_old_hooks(module: Any, args: Any, result: Any, hooks: list[Hook]) -> None:
    """Put old backward hooks onto the node of the first tensor of the output."""
    first = result
    while not isinstance(first, Tensor):
        first = next(v for v in first.values() if isinstance(v, Tensor)) if isinstance(first, dict) else first[0]
    node: Any = first.grad_fn
    if node is None:
        return
    for hook in hooks:
        node.register_hook(lambda grad_input, grad_output, hook=hook: hook(module, grad_input, grad_output))
    results, inputs = (value if isinstance(value, tuple) else (value,) for value in (result, args))
    all_tensors = all(isinstance(value, Tensor) for value in (*results, *inputs))
    if all_tensors and {one.grad_fn for one in results} - {None} == {node}:
        sources = {one.grad_fn for one in inputs} - {None}
        if sources == {edge[0] for edge in node.next_functions}:
            return
    warnings.warn(
        f"the old backward hook of {type(module).__name__} sees the gradients of its last operation only, and that "
        "does not take all inputs and give all outputs; use register_full_backward_hook()",
        FutureWarning,
        stacklevel=6,
    )
