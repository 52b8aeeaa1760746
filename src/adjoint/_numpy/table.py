"""The table of NumPy's functions on tensors: what computes each of them, and how a call is bound to it.

A function is added by `implements`. Its body has NumPy's parameter names, those that it supports; calls are bound by
NumPy's own signature, so that arguments may be given by position or by name. The body gets tensors where it says so
(`arrays`, `sequences`), and only the arguments that the caller gave and that are not NumPy's defaults.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from adjoint._core.tensor import Tensor
from adjoint._numpy.convert import as_tensor, as_tensors, carries_derivatives, find_tensor
from adjoint._numpy.write import keep_operand, write_result

table: dict[Any, Implementation] = {}
"""Implementations by NumPy function."""

refused: dict[Any, str] = {}
"""What to call instead, by NumPy functions that have no derivative here."""

_WITHOUT_EFFECT = frozenset("casting device kind like optimize overwrite_input sorted stable subok".split())
"""Arguments that change the algorithm or the kind of array, and never the values."""

_NO_VALUE, _MISSING = getattr(np, "_NoValue", None), object()


class Implementation:
    """What computes a NumPy function on tensors.

    Args:
        name: of the function, with its module: ``np.linalg.norm``.
        function: NumPy's.
        body: ours.
        arrays: the parameters of the body that become tensors.
        sequences: the parameters that become lists of tensors.
    """

    def __init__(self, name: str, function: Any, body: Any, arrays: list[str], sequences: list[str]) -> None:
        self.name, self.function, self.body = name, function, body
        self.arrays, self.sequences = arrays, sequences
        self.defaults: dict[str, Any] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        positional, given = self.bind(args, kwargs)
        out = given.pop("out", None)
        for name in self.arrays:
            value = given.get(name)
            if value is not None:
                value = value if isinstance(value, Tensor) else as_tensor(value, find_tensor(given.values()))
                given[name] = keep_operand(value, out)
        for name in self.sequences:
            if name in given:
                given[name] = as_tensors(given[name])
        result = self.body(*positional, **given)
        return result if out is None else write_result(self.name, out, result)

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Bind a call by NumPy's signature: what the body gets by position (``*args``) and by name."""
        if not self.defaults:
            self._read_signatures()
        bound = dict(zip(self.order, args)) | kwargs
        if self.has_variable or len(bound) != len(args) + len(kwargs) or not self.required <= bound.keys():
            bound = dict(self.signature.bind(*args, **kwargs).arguments)  # which explains what is wrong with a call
        positional: tuple[Any, ...] = ()
        if self.leading:
            *before, rest = self.leading
            positional = (*[bound.pop(name) for name in before], *bound.pop(rest, ()))
        for name in self.collecting:
            bound.update(bound.pop(name, {}))
        given = {
            name: value
            for name, value in bound.items()
            if value is not self.defaults.get(name, _MISSING) and value is not _NO_VALUE and name not in self.ignored
        }
        if not given.keys() <= self.names and not self.takes_any:
            unknown = next(name for name in given if name not in self.names)
            raise TypeError(f"{self.name} of tensors does not take {unknown}=; it takes {', '.join(self.names)}")
        return positional, given

    def _read_signatures(self) -> None:
        own = inspect.signature(self.body)
        try:
            self.signature = inspect.signature(self.function)
        except ValueError:  # older versions of NumPy have none for functions written in C
            self.signature = own
        theirs = list(self.signature.parameters.values())
        names = [p.name for p in theirs]
        variable = [i for i, p in enumerate(theirs) if p.kind is p.VAR_POSITIONAL]
        self.leading = names[: variable[0] + 1] if variable else []  # up to ``*args``, which go by position
        self.collecting = [p.name for p in theirs if p.kind is p.VAR_KEYWORD]
        self.has_variable = bool(variable or self.collecting)
        self.order = [p.name for p in theirs if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        self.required = {p.name for p in theirs if p.default is p.empty} if not self.has_variable else set[str]()
        self.names = dict.fromkeys([*own.parameters, "out"]).keys()
        self.takes_any = any(p.kind is p.VAR_KEYWORD for p in own.parameters.values())
        self.ignored = _WITHOUT_EFFECT.difference(own.parameters)
        self.defaults = {p.name: p.default for p in theirs}


def implements(names: str, arrays: str | None = None, sequences: str = "") -> Callable[[Any], Any]:
    """Add a function to the table, under one or several names in NumPy: ``"max amax"``, ``"linalg.norm"``.

    A name that the installed version of NumPy does not have is left out.

    Args:
        names: of NumPy's functions, separated by spaces.
        arrays: parameters that become tensors, whatever the caller gave; by default the first one.
        sequences: parameters that become lists of tensors.
    """

    def add(body: Any) -> Any:
        first = next(iter(inspect.signature(body).parameters)) if arrays is None and not sequences else ""
        converted = (arrays or first).split()
        for name in names.split():
            function: Any = np
            for part in name.split("."):
                function = getattr(function, part, None)
            if function is not None:
                table[function] = Implementation(f"np.{name}", function, body, converted, sequences.split())
        return body

    return add


def refuse(names: str, instead: str) -> None:
    """List functions that have no derivative here, with what to call instead."""
    refused.update({getattr(np, name): instead for name in names.split() if hasattr(np, name)})


# ---- calls -----------------------------------------------------------------------------------------------------------


def call(function: Any, types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a NumPy function on tensors: what ``Tensor.__array_function__`` does.

    A function of the table is computed by operators. Another one gets the values as NumPy arrays and returns what it
    returns, if no tensor carries derivatives; else it is refused.
    """
    if not all(issubclass(one, (Tensor, np.ndarray)) for one in types):
        return NotImplemented
    found = table.get(function)
    if found is not None:
        return found(*args, **kwargs)
    name = f"{getattr(function, '__module__', None) or 'numpy'}.{getattr(function, '__name__', function)}"
    return call_on_values(name, function, args, kwargs, refused.get(function))


def call_on_values(name: str, function: Any, args: Any, kwargs: Any, instead: str | None = None) -> Any:
    """Call a function that is none of ours on the values; refuse if a tensor carries derivatives."""
    advice = instead or "make it an operator with adjoint.library.wrap_numpy, which takes or computes a derivative"
    return function(*_get_values(args, name, advice), **_get_values(kwargs, name, advice))


def _get_values(tree: Any, name: str, advice: str) -> Any:
    if isinstance(tree, Tensor):
        if carries_derivatives(tree):
            raise RuntimeError(
                f"{name} has no derivative here, so a tensor of {tree._spec.describe()} that requires grad, has a "
                f"tangent or is mapped by vmap would lose its history; {advice}"
            )
        return tree.numpy()  # type: ignore[attr-defined]
    if type(tree) in (list, tuple):
        return type(tree)([_get_values(one, name, advice) for one in tree])
    if type(tree) is dict:
        return {key: _get_values(value, name, advice) for key, value in tree.items()}
    return tree
