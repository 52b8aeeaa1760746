"""`Module`: parameters, buffers and submodules by name, and a `forward` that uses them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from adjoint._tensor.interop import typename
from adjoint._tensor.methods import Tensor
from adjoint.nn._module.hooks import (
    HookMethods,
    after_registration,
    call_with_hooks,
)
from adjoint.nn._module.hooks import global_backward_hooks as _global_backward_hooks
from adjoint.nn._module.hooks import global_backward_pre_hooks as _global_backward_pre_hooks
from adjoint.nn._module.hooks import global_forward_hooks as _global_forward_hooks
from adjoint.nn._module.hooks import global_forward_pre_hooks as _global_forward_pre_hooks
from adjoint.nn._module.hooks import register_module_backward_hook as register_module_backward_hook
from adjoint.nn._module.hooks import (
    register_module_buffer_registration_hook as register_module_buffer_registration_hook,
)
from adjoint.nn._module.hooks import register_module_forward_hook as register_module_forward_hook
from adjoint.nn._module.hooks import register_module_forward_pre_hook as register_module_forward_pre_hook
from adjoint.nn._module.hooks import register_module_full_backward_hook as register_module_full_backward_hook
from adjoint.nn._module.hooks import register_module_full_backward_pre_hook as register_module_full_backward_pre_hook
from adjoint.nn._module.hooks import (
    register_module_module_registration_hook as register_module_module_registration_hook,
)
from adjoint.nn._module.hooks import (
    register_module_parameter_registration_hook as register_module_parameter_registration_hook,
)
from adjoint.nn._module.members import MemberMethods
from adjoint.nn._module.state_dict import IncompatibleKeys as _IncompatibleKeys  # noqa: F401
from adjoint.nn._module.state_dict import StateDictMethods
from adjoint.nn.parameter import Buffer, Parameter

_HOOKS = (
    "_backward_pre_hooks", "_backward_hooks", "_forward_hooks", "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called", "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs", "_state_dict_hooks",
    "_state_dict_pre_hooks", "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks",
)  # fmt: skip


def _forward_unimplemented(self: Any, *input: Any) -> Any:
    """What the module computes; to be defined by the subclass."""
    raise NotImplementedError(f'{type(self).__name__} defines no "forward"; a module computes what that method returns')


class Registered:
    """A parameter (or buffer) that a layer declares, so that reading it is fast.

    It finds what `Module.__getattr__` would find, which Python calls only after it has made an AttributeError; that
    takes half a microsecond. Whatever else has the name in an object comes first, as without it.
    """

    __slots__ = ("name", "registry")

    def __init__(self, registry: str = "_parameters") -> None:
        self.registry = registry

    def __set_name__(self, owner: Any, name: str) -> None:
        """Learn the name."""
        self.name = name

    def __get__(self, module: Any, owner: Any = None) -> Any:
        """Return the tensor that the object has under this name."""
        try:
            return module.__dict__[self.registry][self.name]
        except (KeyError, TypeError):
            raise AttributeError(f"{owner!r} has no attribute {self.name!r}") from None


class Module(MemberMethods, StateDictMethods, HookMethods):
    """Base class of layers and networks: tensors and submodules that are assigned to it are registered by name.

    A subclass calls ``super().__init__()``, assigns parameters (`Parameter`) and submodules, and defines `forward`.
    Call the module, not `forward`, so that hooks run.

    Example:
        >>> class Scale(nn.Module):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.factor = nn.Parameter(ad.tensor(2.0))
        ...     def forward(self, x):
        ...         return self.factor * x
        >>> Scale()(ad.ones(2))
        tensor([2., 2.], grad_fn=<MulBackward0>)
    """

    dump_patches: bool = False
    call_super_init: bool = False
    training: bool
    forward: Callable[..., Any] = _forward_unimplemented

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not self.call_super_init and (args or kwargs):
            given = next(iter(kwargs)) if kwargs else f"{len(args)} by position"
            raise TypeError(f"Module.__init__() takes no arguments, and {type(self).__name__} gave it some: {given}")
        vars(self).update(
            training=True, _parameters={}, _buffers={}, _modules={}, _non_persistent_buffers_set=set(),
            _is_full_backward_hook=None, **{name: OrderedDict() for name in _HOOKS},
        )  # fmt: skip
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call `forward`, with the hooks around it."""
        own = self.__dict__
        try:
            hooked = (
                own["_forward_hooks"] or own["_forward_pre_hooks"] or own["_backward_hooks"]
                or own["_backward_pre_hooks"] or _global_forward_hooks or _global_forward_pre_hooks
                or _global_backward_hooks or _global_backward_pre_hooks
            )  # fmt: skip
        except KeyError:
            raise AttributeError(f"{type(self).__name__}.__init__() has to call super().__init__()") from None
        if hooked:
            return call_with_hooks(self, args, kwargs)
        return self.forward(*args, **kwargs)

    _call_impl = _wrapped_call_impl = __call__

    # Attributes -------------------------------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        """Return a parameter, submodule or buffer by name."""
        own = self.__dict__
        if "_modules" in own:
            if name in own["_parameters"]:
                return own["_parameters"][name]
            if name in own["_modules"]:
                return own["_modules"][name]
            if name in own["_buffers"]:
                return own["_buffers"][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        kinds = (("_parameters", Parameter, "parameter"), ("_modules", Module, "child module"))
        for registry, cls, what in kinds:
            registered = own.get(registry)
            if isinstance(value, cls):
                if registered is None:
                    raise AttributeError(f"{type(self).__name__}.__init__() has to call super().__init__() first")
                self._forget(name, registry)
                if cls is Parameter:
                    self.register_parameter(name, value)
                else:
                    registered[name] = after_registration("module", self, name, value)
                return
            if registered is not None and name in registered:
                if value is not None:
                    wanted = f"a {cls.__name__} or None"
                    raise TypeError(f"{what} '{name}' can be set to {wanted}, not to a {typename(value)}")
                registered[name] = after_registration("module", self, name, None) if cls is Module else None
                return
        if isinstance(value, Buffer) or name in own.get("_buffers", ()):
            default = name not in own.get("_non_persistent_buffers_set", ())
            self._register_buffer_as_defined(name, value, getattr(value, "persistent", default))
        else:
            object.__setattr__(self, name, value)

    def _register_buffer_as_defined(self, name: str, value: Any, persistent: bool) -> None:
        """Call `register_buffer`; that of a subclass may have been written without the argument `persistent`."""
        if persistent:
            self.register_buffer(name, value)
        else:
            self.register_buffer(name, value, persistent=False)

    def _forget(self, name: str, keep: str) -> None:
        """Remove what a name meant, unless it is registered where it is going to be."""
        own = self.__dict__
        for registry in {"_parameters", "_buffers", "_modules"} - {keep}:
            own[registry].pop(name, None)
        own.pop(name, None)
        own["_non_persistent_buffers_set"].discard(name)

    def __delattr__(self, name: str) -> None:
        for registry in ("_parameters", "_buffers", "_modules"):
            if name in self.__dict__[registry]:
                del self.__dict__[registry][name]
                self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        names = [*dir(type(self)), *self.__dict__, *self._parameters, *self._modules, *self._buffers]
        return sorted(name for name in names if not name[0].isdigit())

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the state that a pickle holds."""
        self.__dict__.update(state)
        for name in _HOOKS:  # pickles of older versions lack some
            self.__dict__.setdefault(name, OrderedDict())
        self.__dict__.setdefault("_non_persistent_buffers_set", set())
        self.__dict__.setdefault("_is_full_backward_hook", None)

    # Registration -----------------------------------------------------------------------------------------------------

    def register_parameter(self, name: str, param: Any) -> None:
        """Add a parameter to the module.

        Args:
            name: what it is called.
            param: the parameter; None for one that is left out.

        Example:
            >>> module = nn.Module()
            >>> module.register_parameter("weight", nn.Parameter(ad.ones(1)))
            >>> list(module.state_dict())
            ['weight']
        """
        self._check_name(name, "_parameters", "parameter")
        if param is not None:
            if not isinstance(param, Parameter):
                raise TypeError(f"parameter '{name}' has to be a Parameter or None, not a {typename(param)}")
            if param.grad_fn is not None:
                raise ValueError(
                    f"parameter '{name}' was computed ({param.grad_fn.name()}), and parameters are leaves; compute it "
                    "in forward() instead"
                )
            param = after_registration("parameter", self, name, param)
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Any, persistent: bool = True) -> None:
        """Add a buffer to the module: a tensor of its state that is no parameter.

        Args:
            name: what it is called.
            tensor: the buffer; None for one that is left out.
            persistent: whether it is part of the `state_dict`.

        Example:
            >>> module = nn.Module()
            >>> module.register_buffer("mean", ad.zeros(1))
            >>> list(module.state_dict())
            ['mean']
        """
        self._check_name(name, "_buffers", "buffer")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"buffer '{name}' has to be a tensor or None, not a {typename(tensor)}")
        self._buffers[name] = after_registration("buffer", self, name, tensor)
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Add a submodule.

        Args:
            name: what it is called.
            module: the submodule; None for one that is left out.

        Example:
            >>> model = nn.Module()
            >>> model.add_module("activation", nn.ReLU())
            >>> model.activation
            ReLU()
        """
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"submodule '{name}' has to be a Module or None, not a {typename(module)}")
        self._check_name(name, "_modules", "module")
        self._modules[name] = after_registration("module", self, name, module)

    def register_module(self, name: str, module: Module | None) -> None:
        """Add a submodule; another name of `add_module`.

        Args:
            name: what it is called.
            module: the submodule; None for one that is left out.
        """
        self.add_module(name, module)

    def _check_name(self, name: Any, registry: str, what: str) -> None:
        if registry not in self.__dict__:
            raise AttributeError(f"{type(self).__name__}.__init__() has to call super().__init__() first")
        if not isinstance(name, str):
            raise TypeError(f"the name of a {what} is a string, not a {typename(name)}")
        if not name or "." in name:
            raise KeyError(f"the name of a {what} must not be empty or contain a dot: {name!r}")
        if name not in self.__dict__[registry] and hasattr(self, name):
            raise KeyError(f"{type(self).__name__} already has an attribute {name!r}")

    # By name ----------------------------------------------------------------------------------------------------------

    def get_submodule(self, target: str) -> Module:
        """Return the submodule of a dotted name.

        Args:
            target: as ``encoder.layers.0``; the empty string is the module itself.

        Example:
            >>> nn.Sequential(nn.ReLU()).get_submodule("0")
            ReLU()
        """
        module: Any = self
        for name in target.split(".") if target else ():
            module = _get_member(module, name)
            if not isinstance(module, Module):
                raise AttributeError(f"{name!r} in {target!r} is no module, but a {typename(module)}")
        return module

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Set the submodule of a dotted name.

        Args:
            target: as ``encoder.layers.0``.
            module: what to put there.
            strict: whether there has to be one that is replaced.

        Example:
            >>> model = nn.Sequential(nn.ReLU())
            >>> model.set_submodule("0", nn.Tanh())
            >>> model[0]
            Tanh()
        """
        if not target:
            raise ValueError("set_submodule() needs the name of the submodule to set")
        if not isinstance(module, Module):
            raise ValueError(f"set_submodule() sets a Module, not a {typename(module)}")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict or hasattr(parent, name):
            present = _get_member(parent, name)
            if not isinstance(present, Module):
                raise AttributeError(f"{name!r} in {target!r} is no module, but a {typename(present)}")
        setattr(parent, name, module)

    def get_parameter(self, target: str) -> Any:
        """Return the parameter of a dotted name.

        Args:
            target: as ``encoder.weight``.

        Example:
            >>> nn.Linear(1, 2).get_parameter("weight").shape
            adjoint.Size([2, 1])
        """
        path, _, name = target.rpartition(".")
        found = _get_member(self.get_submodule(path), name)
        if not isinstance(found, Parameter):
            raise AttributeError(f"{target!r} is no parameter, but a {typename(found)}")
        return found

    def get_buffer(self, target: str) -> Any:
        """Return the buffer of a dotted name.

        Args:
            target: as ``norm.running_mean``.

        Example:
            >>> nn.BatchNorm1d(2).get_buffer("running_mean")
            tensor([0., 0.])
        """
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        found = _get_member(module, name)
        if name not in module._buffers:
            raise AttributeError(f"{target!r} is no buffer, but a {typename(found)}")
        return found

    # Printing ---------------------------------------------------------------------------------------------------------

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """Return what `repr` shows between the parentheses; to be overridden."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        if len(lines) <= 1 and not self._modules:
            return f"{self._get_name()}({extra})"
        lines += [f"({name}): {module!r}".replace("\n", "\n  ") for name, module in self._modules.items()]
        return f"{self._get_name()}(\n  " + "\n  ".join(lines) + "\n)"

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Not available: over arrays of JAX, functions compile with `jax.jit`."""
        raise NotImplementedError("Module.compile() is not there; over arrays of JAX, functions compile with jax.jit")


def _get_member(module: Any, name: str) -> Any:
    if not hasattr(module, name):
        raise AttributeError(f"{module._get_name()} has no attribute {name!r}")
    return getattr(module, name)
