"""Containers: modules in a row, in lists and dictionaries; parameters in lists and dictionaries."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from adjoint._tensor.methods import Tensor
from adjoint.nn.modules.module import Module
from adjoint.nn.parameter import Parameter


def _index(position: Any, length: int) -> int:
    """Return a position counted from the front."""
    position = operator.index(position)
    if not -length <= position < length:
        raise IndexError(f"position {position} is out of range: there are {length} entries")
    return position % length


class _Numbered(Module):
    """What `Sequential` and `ModuleList` share: submodules that are called by numbers."""

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]

    def _key(self, idx: Any) -> str:
        return list(self._modules)[_index(idx, len(self))]

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return type(self)(*self._constructor_arguments(list(self._modules.items())[idx]))
        return self._modules[self._key(idx)]

    def _constructor_arguments(self, items: list[tuple[str, Any]]) -> tuple[Any, ...]:
        """Return the arguments that make an object with some of the submodules."""
        return (OrderedDict(items),)

    def __setitem__(self, idx: Any, module: Module) -> None:
        setattr(self, self._key(idx), module)

    def __delitem__(self, idx: Any) -> None:
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
        if not isinstance(other, Sequential):
            raise ValueError(f"a Sequential can be added to another one, not to a {type(other).__name__}")
        return Sequential(*self, *other)

    def __iadd__(self, other: Any) -> Any:
        if not isinstance(other, Sequential):
            raise ValueError(f"a Sequential can be added to another one, not to a {type(other).__name__}")
        return self.extend(other)

    def __mul__(self, other: int) -> Any:
        _check_count(other)
        return Sequential(*(list(self) * other))

    __rmul__ = __mul__

    def __imul__(self, other: int) -> Any:
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
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: object) -> bool:
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
        for name, module in _pairs(modules, "ModuleDict", (ModuleDict, Mapping)):
            self[name] = module


def _pairs(given: Any, what: str, mappings: tuple[type, ...]) -> Iterable[tuple[str, Any]]:
    """Return the pairs of names and values of a mapping, or of an iterable of such pairs."""
    if not isinstance(given, Iterable):
        raise TypeError(f"{what}.update() takes a mapping or pairs of names and values, not a {type(given).__name__}")
    if isinstance(given, mappings):
        return given.items()  # type: ignore[attr-defined]
    pairs = list(given)
    for number, pair in enumerate(pairs):
        if not isinstance(pair, Iterable):
            raise TypeError(f"{what}.update() takes pairs; number {number} is a {type(pair).__name__}")
        if len(tuple(pair)) != 2:
            raise ValueError(f"{what}.update() takes pairs; number {number} has length {len(tuple(pair))}")
    return pairs


class _ParameterContainer(Module):
    """What `ParameterList` and `ParameterDict` share: entries that are attributes; tensors become parameters."""

    def _entries(self) -> Iterable[tuple[Any, Any]]:
        raise NotImplementedError

    def _set_entry(self, name: str, value: Any) -> None:
        if isinstance(value, Tensor) and not isinstance(value, Parameter):
            value = Parameter(value)
        setattr(self, name, value)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(f"a {type(self).__name__} holds parameters and cannot be called")

    def extra_repr(self) -> str:
        """Return a line for each entry."""
        return "\n".join(f"  ({name}): {self._describe(value)}" for name, value in self._entries())

    def _describe(self, value: Any) -> str:
        if not isinstance(value, Tensor):
            return f"Object of type: {type(value).__name__}"
        kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
        device = f" ({value.device})" if value.device.type == "cuda" else ""
        return f"{kind} containing: [{self._kind_of(value)} of size {'x'.join(map(str, value.shape))}{device}]"

    def _kind_of(self, value: Any) -> Any:
        return value.dtype


class ParameterList(_ParameterContainer):
    """A list of parameters, which are registered; tensors become parameters, other objects stay what they are.

    Args:
        values: the entries.

    Example:
        >>> nn.ParameterList([ad.ones(2)])
        ParameterList(  (0): Parameter containing: [adjoint.float32 of size 2])
    """

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def _entries(self) -> Iterable[tuple[Any, Any]]:
        return enumerate(self)

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return type(self)(self[number] for number in range(len(self))[idx])
        return getattr(self, str(_index(idx, len(self))))

    def __setitem__(self, idx: Any, param: Any) -> None:
        self._set_entry(str(_index(idx, len(self))), param)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return (self[number] for number in range(len(self)))

    def __iadd__(self, parameters: Iterable[Any]) -> Any:
        return self.extend(parameters)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]

    def append(self, value: Any) -> Any:
        """Add an entry at the end.

        Args:
            value: what to add.

        Example:
            >>> len(nn.ParameterList().append(ad.ones(2)))
            1
        """
        self._size += 1
        self[self._size - 1] = value
        return self

    def extend(self, values: Iterable[Any]) -> Any:
        """Add several entries at the end.

        Args:
            values: what to add.

        Example:
            >>> len(nn.ParameterList().extend([ad.ones(2), ad.ones(3)]))
            2
        """
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise TypeError(f"extend() takes several entries, not a {type(values).__name__}")
        for value in values:
            self.append(value)
        return self


class ParameterDict(_ParameterContainer):
    """A dictionary of parameters, which are registered; tensors become parameters, other objects stay what they are.

    Args:
        parameters: entries by name, or pairs of names and entries.

    Example:
        >>> list(nn.ParameterDict({"scale": ad.ones(2)}).state_dict())
        ['scale']
    """

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        if parameters is not None:
            self.update(parameters)

    def _entries(self) -> Iterable[tuple[Any, Any]]:
        return self.items()

    def _kind_of(self, value: Any) -> Any:
        cls = type(value)
        return f"{cls.__module__}.{cls.__qualname__}" if isinstance(value, Parameter) else value.type()

    def __getitem__(self, key: str) -> Any:
        return getattr(self, _check_key(key))

    def __setitem__(self, key: str, value: Any) -> None:
        self._keys[_check_key(key)] = None
        self._set_entry(key, value)

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, key)

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __or__(self, other: Any) -> Any:
        return _merge(self, other)

    def __ror__(self, other: Any) -> Any:
        return _merge(other, self)

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def copy(self) -> Any:
        """Return another one with the same entries."""
        return ParameterDict(OrderedDict(self.items()))

    def setdefault(self, key: str, default: Any = None) -> Any:
        """Return an entry, after adding a default if it is not there."""
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self) -> None:
        """Remove all entries."""
        for key in list(self._keys):
            del self[key]

    def pop(self, key: str) -> Any:
        """Remove an entry and return it."""
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[str, Any]:
        """Remove the last entry, and return its name and itself."""
        key = next(reversed(self))
        return key, self.pop(key)

    def get(self, key: str, default: Any = None) -> Any:
        """Return an entry, or a default if it is not there."""
        return self[key] if key in self else default

    def fromkeys(self, keys: Iterable[str], default: Any = None) -> Any:
        """Make another one that has the same entry under each name."""
        return ParameterDict((key, default) for key in keys)

    def keys(self) -> Any:
        """Return the names."""
        return self._keys.keys()

    def items(self) -> Any:
        """Return pairs of names and entries."""
        return ((key, self[key]) for key in self._keys)

    def values(self) -> Any:
        """Return the entries."""
        return (self[key] for key in self._keys)

    def update(self, parameters: Any) -> None:
        """Add or replace entries; those of an unordered mapping in the order of their names.

        Args:
            parameters: entries by name, or pairs of names and entries.
        """
        pairs = _pairs(parameters, "ParameterDict", (ParameterDict, Mapping))
        ordered = isinstance(parameters, (OrderedDict, ParameterDict)) or not isinstance(parameters, Mapping)
        for key, value in pairs if ordered else sorted(pairs):
            self[key] = value


def _check_key(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(f"the keys of a ParameterDict are strings, not {type(key).__name__}")
    return key


def _merge(first: Any, second: Any) -> Any:
    merged = first.copy()
    merged.update(second)
    return merged
