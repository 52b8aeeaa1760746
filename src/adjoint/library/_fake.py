"""Abstract evaluation of custom operators: shapes, dtypes and devices of the results, without data."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from adjoint._core import modes
from adjoint._core.tensor import Tensor, wrap
from adjoint.library._call import COMPOSITE, call, check_results, split, tensors_of
from adjoint.library._fake_arrays import fake_of
from adjoint.library._schema import Schema


class FakeContext:
    """Context of a fake function; see `get_ctx`."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self._taken = set(sizes)
        self.dynamic: dict[int, tuple[int, int | None]] = {}

    def new_dynamic_size(self, *, min: int = 0, max: int | None = None) -> int:
        """Return a placeholder for a size that depends on values: a number that occurs nowhere else.

        Args:
            min, max: bounds of the real size.
        """
        size = 7919  # a prime, so that sizes computed from it are unlikely to equal other sizes of the call
        while size in self._taken:
            size += 2
        self._taken.add(size)
        self.dynamic[size] = (min, max)
        return size

    def admits(self, told: int, real: int) -> bool:
        """Test whether a real size agrees with the one that the fake function returned."""
        if told not in self.dynamic:
            return told == real
        least, most = self.dynamic[told]
        return least <= real and (most is None or real <= most)


class _Current(threading.local):
    context: FakeContext | None = None


_current = _Current()


def get_ctx() -> FakeContext:
    """Context of a running fake function, with `new_dynamic_size()` for sizes that depend on values.

    Example:
        >>> @ad.library.custom_op("doc::positive", mutates_args=())
        ... def positive(x: ad.Tensor) -> ad.Tensor:
        ...     return x[x > 0]
        >>> @positive.register_fake
        ... def _(x):
        ...     return x.new_empty(ad.library.get_ctx().new_dynamic_size())
    """
    if _current.context is None:
        raise RuntimeError("get_ctx() means something only inside a function that was registered with register_fake")
    return _current.context


def run_fake(op: Any, values: Sequence[Any]) -> tuple[list[Any], FakeContext]:
    """Return the fake results, one for each of the schema, and the context of the fake function."""
    given = [_make_fake(value) for value in values]
    context = FakeContext([size for tensor in tensors_of(given) for size in tensor.shape])
    rule = _find_fake_rule(op)
    if rule is None:
        return _find_returned_arguments(op.schema, given), context
    positional, named = split(op.schema, given)
    before, _current.context = _current.context, context
    try:
        with modes.no_grad():
            result = call(rule, positional, named, "the fake function", op.schema)
    finally:
        _current.context = before
    return check_results(op.schema, result, "the fake function", rule), context


def _find_fake_rule(op: Any) -> Any:
    """Return the fake function or composite kernel; None if only arguments are returned, so that none is needed."""
    if op.fake_rule is not None:
        return op.fake_rule.function
    if COMPOSITE in op.kernels:
        return op.kernels[COMPOSITE].function
    if all(one.alias_info is not None and one.alias_info.is_write for one in op.schema.returns):
        return None
    raise RuntimeError(
        f"no fake function was registered for {op.qualname} (defined at {op.location}), so the shapes of its results "
        "are unknown without running it; register one with register_fake"
    )


def _find_returned_arguments(schema: Schema, values: Sequence[Any]) -> list[Any]:
    """Return the results of an operator that returns the arguments it writes to."""
    letters = {frozenset(a.alias_info.before_set): v for a, v in zip(schema.arguments, values) if a.alias_info}
    return [letters[one.alias_info.before_set] for one in schema.returns if one.alias_info is not None]


def _make_fake(value: Any) -> Any:
    if isinstance(value, Tensor):
        while value._spec.level:
            value = value._array
        return wrap(fake_of(value._array))
    return [_make_fake(item) for item in value] if type(value) is list else value
