"""Batches from samples: `default_collate` stacks them, `default_convert` makes their arrays tensors."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import numpy as np

from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops
from adjoint._dtypes import float64

__all__ = ["collate", "default_collate", "default_collate_fn_map", "default_convert"]


def __dir__() -> list[str]:
    return __all__


Rules = dict[Any, Callable[..., Any]]


def default_convert(data: Any) -> Any:
    """Make NumPy arrays and numbers inside containers tensors, and leave everything else as it is.

    Args:
        data: a sample.

    Example:
        >>> ad.utils.data.default_convert({"x": np.ones(2), "name": "a"})
        {'x': tensor([1., 1.], dtype=adjoint.float64), 'name': 'a'}
    """
    if isinstance(data, (Tensor, str, bytes)):
        return data
    if isinstance(data, (np.ndarray, np.generic)):
        return data if data.dtype.kind in "SUO" else ops.as_tensor(data)
    if isinstance(data, Mapping):
        return _like_mapping(data, {key: default_convert(value) for key, value in data.items()})
    if _is_namedtuple(data):
        return type(data)(*map(default_convert, data))
    if isinstance(data, tuple):
        return [default_convert(item) for item in data]
    if isinstance(data, Sequence):
        return _like_sequence(data, [default_convert(item) for item in data])
    return data


def default_collate(batch: Sequence[Any]) -> Any:
    """Make a batch of samples: stack tensors, arrays and numbers, inside dictionaries, tuples and lists.

    Strings stay in a list. Samples that are tuples or lists give a list of batches, one for each place.

    Args:
        batch: the samples.

    Example:
        >>> ad.utils.data.default_collate([(0, "a"), (1, "b")])
        [tensor([0, 1]), ('a', 'b')]
        >>> ad.utils.data.default_collate([{"x": ad.ones(2)}, {"x": ad.zeros(2)}])
        {'x': tensor([[1., 1.],
                [0., 0.]])}
    """
    return collate(batch, collate_fn_map=default_collate_fn_map)


def collate(batch: Sequence[Any], *, collate_fn_map: Rules | None = None) -> Any:
    """Make a batch of samples by functions for the types inside.

    Args:
        batch: the samples.
        collate_fn_map: for a type or a tuple of types, a function ``f(batch, *, collate_fn_map)``; containers are
            descended into.

    Example:
        >>> rules = {int: lambda batch, *, collate_fn_map: max(batch)}
        >>> ad.utils.data.collate.collate([(1, 5), (3, 4)], collate_fn_map=rules)
        [3, 5]
    """
    sample = batch[0]
    rule = _find_rule(type(sample), collate_fn_map or {})
    if rule is not None:
        return rule(batch, collate_fn_map=collate_fn_map)

    def descend(items: Any) -> Any:
        return collate(items, collate_fn_map=collate_fn_map)

    if isinstance(sample, Mapping):
        return _like_mapping(sample, {key: descend([one[key] for one in batch]) for key in sample})
    if not isinstance(sample, Sequence):
        raise TypeError(
            "default_collate makes batches of tensors, arrays, numbers, strings, dictionaries, tuples and lists; got a "
            f"sample of {type(sample)}. Give DataLoader a collate_fn that knows it."
        )
    lengths = {len(one) for one in batch}
    if len(lengths) > 1:
        raise RuntimeError(
            f"samples of a batch have different lengths: {', '.join(map(str, sorted(lengths)))}. They can be stacked "
            "if all have one; otherwise give DataLoader a collate_fn."
        )
    columns = [descend(items) for items in zip(*batch)]
    if _is_namedtuple(sample):
        return type(sample)(*columns)
    return columns if isinstance(sample, tuple) else _like_sequence(sample, columns)


def _find_rule(kind: type, rules: Rules) -> Callable[..., Any] | None:
    if kind in rules:
        return rules[kind]
    return next((rule for kinds, rule in rules.items() if issubclass(kind, kinds)), None)


def _is_namedtuple(value: Any) -> bool:
    return isinstance(value, tuple) and hasattr(value, "_fields")


def _like_mapping(example: Any, items: dict[Any, Any]) -> Any:
    """A mapping of the example's type, with its attributes; a plain dictionary if that cannot be made."""
    try:
        if isinstance(example, MutableMapping):
            result = copy.copy(example)
            result.update(items)
            return result
        return type(example)(items)  # type: ignore[call-arg]
    except TypeError:
        return items


def _like_sequence(example: Any, items: list[Any]) -> Any:
    """A sequence of the example's type, with its attributes; a plain list if that cannot be made."""
    try:
        if isinstance(example, MutableSequence):
            result = copy.copy(example)
            for place, item in enumerate(items):
                result[place] = item
            return result
        return type(example)(items)  # type: ignore[call-arg]
    except TypeError:
        return items


def _stack_tensors(batch: Any, *, collate_fn_map: Rules | None = None) -> Tensor:
    shapes = {tuple(tensor.shape) for tensor in batch}
    if len(shapes) > 1:
        raise RuntimeError(
            f"samples of a batch have different shapes: {', '.join(map(str, sorted(shapes)))}. Stacking needs one; "
            "give DataLoader a collate_fn that pads or groups them."
        )
    return ops.stack(list(batch), 0)


def _stack_arrays(batch: Any, *, collate_fn_map: Rules | None = None) -> Tensor:
    if batch[0].dtype.kind in "SUO":
        raise TypeError(f"default_collate: arrays of dtype {batch[0].dtype} do not become tensors; give a collate_fn")
    return _stack_tensors([ops.as_tensor(array) for array in batch])


def _stack_numpy_numbers(batch: Any, *, collate_fn_map: Rules | None = None) -> Tensor:
    return ops.as_tensor(np.asarray(batch))


def _stack_floats(batch: Any, *, collate_fn_map: Rules | None = None) -> Tensor:
    return ops.tensor(batch, dtype=float64)


def _stack_integers(batch: Any, *, collate_fn_map: Rules | None = None) -> Tensor:
    return ops.tensor(batch)


def _keep(batch: Any, *, collate_fn_map: Rules | None = None) -> Any:
    return batch


default_collate_fn_map: Rules = {
    Tensor: _stack_tensors,
    np.ndarray: _stack_arrays,
    (np.bool_, np.number, np.object_): _stack_numpy_numbers,
    float: _stack_floats,
    int: _stack_integers,
    str: _keep,
    bytes: _keep,
}
"""How `default_collate` treats a type; more may be added."""
