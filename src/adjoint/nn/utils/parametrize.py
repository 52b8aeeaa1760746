"""Parametrisations: a parameter of a module that is computed from others by modules."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from adjoint._core.modes import no_grad
from adjoint._tensor.methods import Tensor
from adjoint.nn.modules.container import ModuleDict, ModuleList
from adjoint.nn.parameter import Parameter

_cache: dict[tuple[int, str], Any] = {}
_cache_enabled = 0


@contextmanager
def cached() -> Iterator[None]:
    """Compute each parametrised tensor once inside this block.

    Example:
        >>> layer = nn.utils.parametrizations.weight_norm(nn.Linear(2, 3))
        >>> with nn.utils.parametrize.cached():
        ...     layer.weight is layer.weight
        True
    """
    global _cache_enabled
    _cache_enabled += 1
    try:
        yield
    finally:
        _cache_enabled -= 1
        if not _cache_enabled:
            _cache.clear()


def _register(module: Any, name: str, tensor: Any) -> None:
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


def _set_values(tensor: Any, values: Any) -> None:
    if values is not tensor:
        with no_grad():
            tensor.data = values.detach()


def _check_same(new: Any, old: Any, what: str, shape: bool = True) -> None:
    if not isinstance(new, Tensor):
        raise ValueError(f"{what} has to return a tensor, not a {type(new).__name__}")
    if new.dtype != old.dtype or (shape and new.shape != old.shape):
        raise ValueError(
            f"{what} turned a tensor of {old.dtype} and shape {tuple(old.shape)} into one of {new.dtype} and shape "
            f"{tuple(new.shape)}; unsafe=True allows that"
        )


class ParametrizationList(ModuleList):
    """The parametrisations of one tensor, and the tensors that it is computed from.

    Args:
        modules: the parametrisations; the first one gets the original tensors.
        original: the tensor before.
        unsafe: whether dtype and shape may change.
    """

    def __init__(self, modules: Sequence[Any], original: Any, unsafe: bool = False) -> None:
        if not modules:
            raise ValueError("a ParametrizationList needs at least one module")
        super().__init__(modules)
        self.unsafe = unsafe
        before = original.detach()
        with no_grad():
            new = original
            for module in reversed(self):
                if hasattr(module, "right_inverse"):
                    with suppress(NotImplementedError):
                        new = module.right_inverse(new)
        if not isinstance(new, (Tensor, Sequence)):
            raise ValueError(f"right_inverse() has to return tensors, not a {type(new).__name__}")
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            _check_same(new, original, "right_inverse()", shape=False)
            _set_values(original, new)
            _register(self, "original", original)
        else:
            for number, tensor in enumerate(new):
                if not isinstance(tensor, Tensor):
                    raise ValueError(f"right_inverse() has to return tensors, not a {type(tensor).__name__}")
                if isinstance(original, Parameter):
                    tensor = Parameter(tensor.detach(), original.requires_grad)
                tensor.requires_grad_(original.requires_grad)
                _register(self, f"original{number}", tensor)
        if not unsafe:
            _check_same(self(), before, "the parametrization")

    def right_inverse(self, value: Any) -> None:
        """Set the original tensors so that the parametrised one becomes a value.

        Args:
            value: the value.
        """
        with no_grad():
            for module in reversed(self):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(f"{type(module).__name__} has no right_inverse(), so nothing can be assigned")
                value = module.right_inverse(value)
        values = [value] if self.is_tensor else value
        if not isinstance(values, Sequence) or len(values) != self.ntensors:
            raise ValueError(f"right_inverse() has to return {self.ntensors} tensors")
        for name, new in zip(self._original_names(), values):
            _check_same(new, getattr(self, name), "right_inverse()", shape=False)
            _set_values(getattr(self, name), new)

    def _original_names(self) -> list[str]:
        return ["original"] if self.is_tensor else [f"original{number}" for number in range(self.ntensors)]

    def forward(self) -> Any:
        first, *rest = self
        value = first(*[getattr(self, name) for name in self._original_names()])
        for module in rest:
            value = module(value)
        return value


def _deepcopy(self: Any, memo: dict[int, Any]) -> Any:
    """Copy a module whose class cannot be pickled."""
    if id(self) not in memo:
        memo[id(self)] = replica = self.__new__(type(self))
        replica.__dict__ = copy.deepcopy(self.__dict__, memo)
    return memo[id(self)]


def _getstate(self: Any) -> Any:
    raise RuntimeError("a module with parametrizations cannot be pickled; save its state_dict()")


def _inject_property(module: Any, name: str) -> None:
    """Let an attribute of the module's own class compute the parametrised tensor."""

    def get(self: Any) -> Any:
        parametrization = self.parametrizations[name]
        if not _cache_enabled:
            return parametrization()
        key = (id(self), name)
        if key not in _cache:
            _cache[key] = parametrization()
        return _cache[key]

    def set(self: Any, value: Any) -> None:
        self.parametrizations[name].right_inverse(value)

    setattr(type(module), name, property(get, set))


def register_parametrization(module: Any, tensor_name: str, parametrization: Any, *, unsafe: bool = False) -> Any:
    """Compute a parameter or buffer of a module by another module from now on.

    The module becomes an object of a class of its own. What is computed from is
    ``module.parametrizations.<name>.original``.

    Args:
        module: what has the tensor.
        tensor_name: what it is called.
        parametrization: computes the tensor; its `right_inverse`, if there is one, computes what it is computed from.
        unsafe: whether dtype and shape may change.

    Example:
        >>> class Symmetric(nn.Module):
        ...     def forward(self, x):
        ...         return x.triu() + x.triu(1).mT
        >>> layer = nn.utils.parametrize.register_parametrization(nn.Linear(2, 2), "weight", Symmetric())
        >>> bool((layer.weight == layer.weight.mT).all())
        True
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            before = getattr(module, tensor_name)
            after = parametrization(before)
            _check_same(after, before, "the parametrization")
            if hasattr(parametrization, "right_inverse"):
                try:
                    back = parametrization.right_inverse(after)
                except NotImplementedError:
                    pass
                else:
                    _check_same(back, before, "right_inverse()")
        module.parametrizations[tensor_name].append(parametrization)
        module.parametrizations[tensor_name].unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        found = ParametrizationList([parametrization], getattr(module, tensor_name), unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            cls = type(module)
            members = {"__getstate__": _getstate} | (
                {} if hasattr(cls, "__deepcopy__") else {"__deepcopy__": _deepcopy}
            )
            module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), members)
            module.parametrizations = ModuleDict()
        _inject_property(module, tensor_name)
        module.parametrizations[tensor_name] = found
    else:
        raise ValueError(f"{type(module).__name__} has no parameter or buffer {tensor_name!r}")
    return module


def is_parametrized(module: Any, tensor_name: str | None = None) -> bool:
    """Test whether a module, or one of its tensors, has parametrisations.

    Args:
        module: the module.
        tensor_name: the name of the tensor; None for any.

    Example:
        >>> nn.utils.parametrize.is_parametrized(nn.Linear(2, 2))
        False
    """
    found = getattr(module, "parametrizations", None)
    if not isinstance(found, ModuleDict):
        return False
    return len(found) > 0 if tensor_name is None else tensor_name in found


def remove_parametrizations(module: Any, tensor_name: str, leave_parametrized: bool = True) -> Any:
    """Take the parametrisations of a tensor away.

    Args:
        module: what has the tensor.
        tensor_name: what it is called.
        leave_parametrized: whether the tensor keeps its value, and does not get that of the original one.

    Example:
        >>> layer = nn.utils.parametrizations.weight_norm(nn.Linear(2, 3))
        >>> nn.utils.parametrize.remove_parametrizations(layer, "weight")
        Linear(in_features=2, out_features=3, bias=True)
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"{tensor_name!r} of {type(module).__name__} has no parametrizations")
    found = module.parametrizations[tensor_name]
    if not found.is_tensor and not leave_parametrized:
        raise ValueError(f"{tensor_name!r} is computed from several tensors; leave_parametrized has to be True")
    value: Any = getattr(module, tensor_name) if leave_parametrized else None
    if found.is_tensor:
        original = found.original
        if value is not None:
            _set_values(original, value)
    else:
        original = Parameter(value.detach()) if value.requires_grad else value
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _register(module, tensor_name, original)
    if not is_parametrized(module):
        del module.parametrizations
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module: Any) -> type:
    """The class of a module without its parametrisations.

    Args:
        module: the module.

    Example:
        >>> nn.utils.parametrize.type_before_parametrizations(nn.ReLU()).__name__
        'ReLU'
    """
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(from_module: Any, to_module: Any, tensor_name: str | None = None) -> Any:
    """Give a module the parametrisations of another one, and the tensors that they compute from.

    Args:
        from_module: what has them.
        to_module: what gets them.
        tensor_name: the name of the tensor; None for all.

    Example:
        >>> source, target = nn.utils.parametrizations.weight_norm(nn.Linear(2, 3)), nn.Linear(2, 3)
        >>> nn.utils.parametrize.transfer_parametrizations_and_params(source, target).weight.shape
        adjoint.Size([3, 2])
    """
    if not is_parametrized(from_module):
        return to_module
    for name in list(from_module.parametrizations) if tensor_name is None else [tensor_name]:
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name).detach()))
        source = from_module.parametrizations[name]
        for parametrization in source:
            register_parametrization(to_module, name, parametrization)
        for original in source._original_names():
            setattr(to_module.parametrizations[name], original, getattr(source, original))
    return to_module
