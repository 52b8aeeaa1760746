"""Containers: modules in a row, in lists and dictionaries."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from adjoint.nn._module.parameter_containers import ParameterDict as ParameterDict
from adjoint.nn._module.parameter_containers import ParameterList as ParameterList
from adjoint.nn._module.parameter_containers import find_index, find_pairs
from adjoint.nn.modules.module import Module


class _Numbered(Module):
    """What `Sequential` and `ModuleList` share: submodules that are called by numbers."""

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the entries."""
        return iter(self._modules.values())

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]

    def _key(self, idx: Any) -> str:
        return list(self._modules)[find_index(idx, len(self))]

    def __getitem__(self, idx: Any) -> Any:
        """Return an entry, or those of a slice."""
        if isinstance(idx, slice):
            return type(self)(*self._constructor_arguments(list(self._modules.items())[idx]))
        return self._modules[self._key(idx)]

    def _constructor_arguments(self, items: list[tuple[str, Any]]) -> tuple[Any, ...]:
        """Return the arguments that make an object with some of the submodules."""
        return (OrderedDict(items),)

    def __setitem__(self, idx: Any, module: Module) -> None:
        """Replace an entry."""
        setattr(self, self._key(idx), module)

    def __delitem__(self, idx: Any) -> None:
        """Remove an entry."""
        keys = list(self._modules)
        for key in keys[idx] if isinstance(idx, slice) else [self._key(idx)]:
            delattr(self, key)
        self._modules = {str(number): module for number, module in enumerate(self)}

    def append(self, module: Module) -> Any:
        """Add a module at the end.

        Args:
            module: what to add.

        Example:
            >>> nn.Sequential(nn.ReLU()).append(nn.Tanh())[1]
            Tanh()
        """
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index: int, module: Module) -> Any:
        """Insert a module before a position.

        Args:
            index: the position.
            module: what to insert.

        Example:
            >>> model = nn.ModuleList([nn.ReLU()])
            >>> result = model.insert(0, nn.Tanh())
            >>> model[0]
            Tanh()
        """
        if not isinstance(module, Module):
            raise AssertionError(f"insert() inserts a Module, not a {type(module).__name__}")
        count = len(self)
        if not -count <= index <= count:
            raise IndexError(f"position {index} is out of range: there are {count} entries")
        modules = list(self)
        modules.insert(index, module)
        self._modules.update((str(number), one) for number, one in enumerate(modules))
        return self

    def extend(self, modules: Iterable[Module]) -> Any:
        """Add several modules at the end.

        Args:
            modules: what to add.

        Example:
            >>> len(nn.ModuleList([nn.ReLU()]).extend([nn.Tanh(), nn.Tanh()]))
            3
        """
        if not isinstance(modules, Iterable):
            raise TypeError(f"extend() takes several modules, not a {type(modules).__name__}")
        for module in list(modules):
            self.append(module)
        return self

    def pop(self, key: Any) -> Any:
        """Remove a module and return it.

        Args:
            key: its position.

        Example:
            >>> nn.Sequential(nn.ReLU(), nn.Tanh()).pop(0)
            ReLU()
        """
        module = self[key]
        del self[key]
        return module

    def __iadd__(self, other: Any) -> Any:
        """Add entries at the end."""
        return self.extend(other)


class Sequential(_Numbered):
    """Modules in a row: the output of each is the input of the next.

    Args:
        args: the modules; or one ordered dictionary of modules by name.

    Example:
        >>> nn.Sequential(nn.Linear(2, 3), nn.ReLU())
        Sequential(
          (0): Linear(in_features=2, out_features=3, bias=True)
          (1): ReLU()
        )
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        named = len(args) == 1 and isinstance(args[0], OrderedDict)
        for name, module in args[0].items() if named else enumerate(args):
            self.add_module(str(name), module)

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input

    def extend(self, sequential: Iterable[Module]) -> Any:
        """Add the modules of another one at the end.

        Args:
            sequential: what to add.

        Example:
            >>> len(nn.Sequential(nn.ReLU()).extend(nn.Sequential(nn.Tanh())))
            2
        """
        return super().extend(sequential)

    def __add__(self, other: Any) -> Any:
        """Join two of them."""
        if not isinstance(other, Sequential):
            raise ValueError(f"a Sequential can be added to another one, not to a {type(other).__name__}")
        return Sequential(*self, *other)

    def __iadd__(self, other: Any) -> Any:
        """Add entries at the end."""
        if not isinstance(other, Sequential):
            raise ValueError(f"a Sequential can be added to another one, not to a {type(other).__name__}")
        return self.extend(other)

    def __mul__(self, other: int) -> Any:
        """Repeat the entries, in another one."""
        _check_count(other)
        return Sequential(*(list(self) * other))

    __rmul__ = __mul__

    def __imul__(self, other: int) -> Any:
        """Repeat the entries."""
        _check_count(other)
        return self.extend(list(self) * (other - 1))


def _check_count(count: Any) -> None:
    if not isinstance(count, int):
        raise TypeError(f"a Sequential can be multiplied by an integer, not by a {type(count).__name__}")
    if count <= 0:
        raise ValueError(f"a Sequential can be repeated a positive number of times, not {count}")


class ModuleList(_Numbered):
    """A list of modules, which are registered.

    Args:
        modules: the modules.

    Example:
        >>> nn.ModuleList(nn.ReLU() for _ in range(3))
        ModuleList(
          (0-2): 3 x ReLU()
        )
    """

    def __init__(self, modules: Iterable[Any] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def _constructor_arguments(self, items: list[tuple[str, Any]]) -> tuple[Any, ...]:
        return ([module for _, module in items],)

    def __add__(self, other: Iterable[Any]) -> Any:
        """Join two of them."""
        return ModuleList(chain(self, other))

    def pop(self, key: Any) -> Any:
        """Remove a module, or those of a slice, and return them.

        Args:
            key: its position.

        Example:
            >>> nn.ModuleList([nn.ReLU(), nn.Tanh()]).pop(0)
            ReLU()
        """
        return super().pop(key)

    def __repr__(self) -> str:
        texts = [repr(module) for module in self]
        lines: list[str] = []
        start = 0
        for stop in range(1, len(texts) + 1):
            if stop < len(texts) and texts[stop] == texts[start]:
                continue
            alone = stop - start == 1
            head = f"({start}): " if alone else f"({start}-{stop - 1}): {stop - start} x "
            lines.append(head + texts[start].replace("\n", "\n  "))
            start = stop
        return f"{self._get_name()}(" + ("\n  " + "\n  ".join(lines) + "\n)" if lines else ")")


class ModuleDict(Module):
    """A dictionary of modules, which are registered.

    Args:
        modules: modules by name, or pairs of names and modules.

    Example:
        >>> nn.ModuleDict({"relu": nn.ReLU()})["relu"]
        ReLU()
    """

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Any:
        """Return the module of a name."""
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        """Add or replace a module."""
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        """Remove an entry."""
        del self._modules[key]

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._modules)

    def __contains__(self, key: object) -> bool:
        """Test whether there is an entry of a name."""
        return key in self._modules

    def clear(self) -> None:
        """Remove all modules."""
        self._modules.clear()

    def pop(self, key: str) -> Any:
        """Remove a module and return it.

        Args:
            key: its name.

        Example:
            >>> nn.ModuleDict({"relu": nn.ReLU()}).pop("relu")
            ReLU()
        """
        return self._modules.pop(key)

    def keys(self) -> Any:
        """Return the names."""
        return self._modules.keys()

    def values(self) -> Any:
        """Return the modules."""
        return self._modules.values()

    def items(self) -> Any:
        """Return pairs of names and modules."""
        return self._modules.items()

    def update(self, modules: Any) -> None:
        """Add or replace modules.

        Args:
            modules: modules by name, or pairs of names and modules.

        Example:
            >>> modules = nn.ModuleDict()
            >>> modules.update([("relu", nn.ReLU())])
            >>> list(modules)
            ['relu']
        """
        for name, module in find_pairs(modules, "ModuleDict", (ModuleDict, Mapping)):
            self[name] = module


class Container(Module):
    """The older name of a `Module` with submodules.

    Args:
        kwargs: modules by name.

    Example:
        >>> nn.Container(a=nn.ReLU()).a
        ReLU()
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__()
        warnings.warn("Container is deprecated; subclass Module", FutureWarning, stacklevel=2)
        for name, module in kwargs.items():
            self.add_module(name, module)


class DataParallel(Module):
    """A module that PyTorch runs on several GPUs at once; here it is called as it is, as there without GPUs.

    Args:
        module: the module.
        device_ids, output_device, dim: accepted for compatibility.

    Example:
        >>> list(nn.DataParallel(nn.Linear(2, 3)).state_dict())
        ['module.weight', 'module.bias']
    """

    def __init__(self, module: Any, device_ids: Any = None, output_device: Any = None, dim: int = 0) -> None:
        super().__init__()
        self.module, self.device_ids = module, []

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        return self.module(*inputs, **kwargs)
