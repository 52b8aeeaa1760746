"""`ParameterList` and `ParameterDict`: parameters in a list and in a dictionary."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from adjoint._tensor.methods import Tensor
from adjoint.nn.modules.module import Module
from adjoint.nn.parameter import Parameter


def find_index(position: Any, length: int) -> int:
    """Return a position counted from the front."""
    position = operator.index(position)
    if not -length <= position < length:
        raise IndexError(f"position {position} is out of range: there are {length} entries")
    return position % length


def find_pairs(given: Any, what: str, mappings: tuple[type, ...]) -> Iterable[tuple[str, Any]]:
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
        """Refuse: there is nothing to compute."""
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
        """Return an entry, or those of a slice."""
        if isinstance(idx, slice):
            return type(self)(self[number] for number in range(len(self))[idx])
        return getattr(self, str(find_index(idx, len(self))))

    def __setitem__(self, idx: Any, param: Any) -> None:
        """Replace an entry."""
        self._set_entry(str(find_index(idx, len(self))), param)

    def __len__(self) -> int:
        """Return the number of entries."""
        return self._size

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the entries."""
        return (self[number] for number in range(len(self)))

    def __iadd__(self, parameters: Iterable[Any]) -> Any:
        """Add entries at the end."""
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
        """Return the entry of a name."""
        return getattr(self, _check_key(key))

    def __setitem__(self, key: str, value: Any) -> None:
        """Add or replace an entry."""
        self._keys[_check_key(key)] = None
        self._set_entry(key, value)

    def __delitem__(self, key: str) -> None:
        """Remove an entry."""
        del self._keys[key]
        delattr(self, key)

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._keys)

    def __reversed__(self) -> Iterator[str]:
        """Iterate over the names, the last one first."""
        return reversed(self._keys)

    def __contains__(self, key: object) -> bool:
        """Test whether there is an entry of a name."""
        return key in self._keys

    def __or__(self, other: Any) -> Any:
        """Join two of them; the second one counts."""
        return _merge(self, other)

    def __ror__(self, other: Any) -> Any:
        """Join two of them; the second one counts."""
        return _merge(other, self)

    def __ior__(self, other: Any) -> Any:
        """Add or replace entries."""
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
        return getattr(self, key) if key in self._keys else default

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
        pairs = find_pairs(parameters, "ParameterDict", (ParameterDict, Mapping))
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
