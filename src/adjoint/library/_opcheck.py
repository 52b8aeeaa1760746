"""`opcheck`: tests of a custom operator against its schema and registrations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from adjoint._core import modes
from adjoint._core.tensor import Tensor, wrap
from adjoint.arrays import namespace_of
from adjoint.autograd.gradcheck import gradcheck
from adjoint.library._autograd import not_implemented
from adjoint.library._call import bind, split, tensors_of
from adjoint.library._errors import OpCheckError
from adjoint.library._fake import FakeContext, run_fake
from adjoint.library._kernels import shares_memory
from adjoint.library._library import as_operator

Tolerance = dict[str, Any]


def opcheck(
    op: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None = None,
    *,
    test_utils: str | Sequence[str] = ("test_schema", "test_autograd_registration", "test_faketensor", "test_gradient"),
    raise_exception: bool = True,
    atol: float | None = None,
    rtol: float | None = None,
) -> dict[str, Any]:
    """Test an operator against its schema and registrations, for given arguments.

    Call it with several sets of them.

    - test_schema: only arguments declared as mutated are written to; results are new, or aliases as declared.
    - test_autograd_registration: there is a formula if an argument requires grad and a result is differentiable.
    - test_faketensor: the fake function returns the shape, dtype and device that the operator returns.
    - test_gradient: the formula agrees with finite differences (`autograd.gradcheck`), in double precision; results
      are the same with and without recording.

    Args:
        op: the operator, or its name.
        args, kwargs: the arguments; set `requires_grad` on tensors for which there is a formula.
        test_utils: the tests to run, by name.
        raise_exception: whether to raise the first failure; otherwise failures are returned.
        atol, rtol: tolerances of test_gradient.

    Returns:
        For each test "SUCCESS", or the exception.

    Example:
        >>> @ad.library.custom_op("doc::thrice", mutates_args=())
        ... def thrice(x: ad.Tensor) -> ad.Tensor:
        ...     return x * 3
        >>> thrice.register_fake(lambda x: x.new_empty(x.shape)) and None
        >>> ad.library.opcheck(thrice, (ad.ones(2),), test_utils="test_faketensor")
        {'test_faketensor': 'SUCCESS'}
    """
    operator = as_operator(op, "opcheck")
    names = (test_utils,) if isinstance(test_utils, str) else tuple(test_utils)
    unknown = [name for name in names if name not in _TESTS]
    if unknown:
        raise ValueError(f"opcheck knows the tests {', '.join(_TESTS)}, not {', '.join(map(repr, unknown))}")
    if (atol is None) != (rtol is None):
        raise ValueError("opcheck needs both atol and rtol, or neither")
    values = bind(operator.schema, args, kwargs or {})
    tolerance: Tolerance = {} if atol is None or rtol is None else {"atol": atol, "rtol": rtol}
    found: dict[str, Any] = {}
    for name in names:
        try:
            _TESTS[name](operator, values, tolerance)
            found[name] = "SUCCESS"
        except Exception as error:
            if raise_exception:
                what = f"{name} failed with {type(error).__name__}: {error}"
                raise OpCheckError(f"opcheck of {operator.qualname}: {what}") from error
            found[name] = error
    return found


# ---- the schema ------------------------------------------------------------------------------------------------------


def _test_schema(op: Any, values: list[Any], tolerance: Tolerance) -> None:
    """Run the kernel on copies; compare writes and shared memory with the schema."""
    schema = op.schema
    given = [_copy_as_leaves(value, requires_grad=False) for value in values]
    before = [_copy_values(value) for value in given]
    with modes.no_grad():
        result = _call(op, given)
    for argument, old, value in zip(schema.arguments, before, given):
        changed = any(not _is_identical(a, b) for a, b in zip(old, _copy_values(value)))
        if changed and not argument.is_mutated:
            raise OpCheckError(
                f"the argument {argument.name!r} was written to, but {schema} does not declare it as mutated; see "
                "mutates_args"
            )
    results = _list_results(op, result)
    for place, (declared, one) in enumerate(zip(schema.returns, results)):
        for argument, value in zip(schema.arguments, given):
            _check_alias(op, place, declared, one, argument, value)


def _check_alias(op: Any, place: int, declared: Any, result: Any, argument: Any, value: Any) -> None:
    shared = any(shares_memory(a, b) for a in tensors_of((result,)) for b in tensors_of((value,)))
    letters = frozenset() if declared.alias_info is None else declared.alias_info.before_set
    own = frozenset() if argument.alias_info is None else argument.alias_info.before_set | argument.alias_info.after_set
    if shared and not letters & own:
        raise OpCheckError(f"result {place} is an alias of the argument {argument.name!r}; {op.schema} does not say so")


# ---- the formula -----------------------------------------------------------------------------------------------------


def _test_registration(op: Any, values: list[Any], tolerance: Tolerance) -> None:
    """Raise if an argument requires grad and there is no way to compute gradients."""
    if not any(one.requires_grad for one in tensors_of(values)):
        return
    if op.autograd_kernel is not None or op.decomposes(values):
        return
    if op.formula is not None:
        check = getattr(op.formula, "check_complete", None)
        if check is not None:
            check(op)
        return
    with modes.no_grad():
        results = _list_results(op, _call(op, [_copy_as_leaves(value, requires_grad=False) for value in values]))
    if op.schema.is_mutable or any(one._spec.inexact for one in tensors_of(results)):
        raise not_implemented(op, "an argument requires grad")


def _test_gradient(op: Any, values: list[Any], tolerance: Tolerance) -> None:
    """Compare results with and without recording, and the formula with finite differences."""
    tensors = tensors_of(values)
    if not any(one.requires_grad for one in tensors):
        return
    _test_registration(op, values, tolerance)
    recorded = _list_results(op, _call(op, [_copy_as_leaves(value) for value in values]))
    with modes.no_grad():
        plain = _list_results(op, _call(op, [_copy_as_leaves(value) for value in values]))
    for place, (a, b) in enumerate(zip(recorded, plain)):
        if not all(_is_identical(x, y) for x, y in zip(_copy_values(a), _copy_values(b))):
            raise OpCheckError(f"result {place} is another one when it is recorded than when it is not")
    if any(one.requires_grad for one in tensors_of(recorded)):
        _check_gradient(op, [_copy_as_leaves(value, double=True) for value in values], tolerance)


def _check_gradient(op: Any, values: list[Any], tolerance: Tolerance) -> None:
    leaves = [one for one in tensors_of(values) if one.requires_grad]

    def of_leaves(*varied: Tensor) -> Any:
        given = [_replace_tensors(value, leaves, varied) for value in values]
        return tuple(one for one in tensors_of(_list_results(op, _call(op, given))) if one.requires_grad)

    gradcheck(of_leaves, tuple(leaves), **tolerance)


def _replace_tensors(value: Any, old: Sequence[Tensor], new: Sequence[Tensor]) -> Any:
    if isinstance(value, Tensor):
        return next((b for a, b in zip(old, new) if a is value), value)
    return [_replace_tensors(item, old, new) for item in value] if type(value) is list else value


# ---- the fake function -----------------------------------------------------------------------------------------------


def _test_fake(op: Any, values: list[Any], tolerance: Tolerance) -> None:
    """Compare the metadata that the fake function returns with the results."""
    fakes, context = run_fake(op, values)
    with modes.no_grad():
        results = _list_results(op, _call(op, [_copy_as_leaves(value, requires_grad=False) for value in values]))
    for place, (expected, one) in enumerate(zip(fakes, results)):
        told, real = tensors_of((expected,)), tensors_of((one,))
        if len(told) != len(real):
            raise OpCheckError(f"result {place} has {len(real)} tensors, but the fake function says {len(told)}")
        for a, b in zip(told, real):
            _compare_metadata(place, a, b, context)


def _compare_metadata(place: int, told: Tensor, real: Tensor, context: FakeContext) -> None:
    if len(told.shape) != len(real.shape) or not all(map(context.admits, told.shape, real.shape)):
        shapes = tuple(real.shape), tuple(told.shape)
        raise OpCheckError(f"result {place} has shape {shapes[0]}, but the fake function says {shapes[1]}")
    if told.dtype is not real.dtype:
        raise OpCheckError(f"result {place} has dtype {real.dtype!r}, but the fake function says {told.dtype!r}")
    if told.device != real.device:
        raise OpCheckError(f"result {place} is on device '{real.device}', but the fake function says '{told.device}'")


# ---- calls with copies -----------------------------------------------------------------------------------------------


def _call(op: Any, values: list[Any]) -> Any:
    positional, named = split(op.schema, values)
    return op(*positional, **named)


def _list_results(op: Any, result: Any) -> list[Any]:
    if not op.schema.returns:
        return []
    return [result] if len(op.schema.returns) == 1 and not op.schema.returns_tuple else list(result)


def _copy_as_leaves(value: Any, requires_grad: bool = True, double: bool = False) -> Any:
    """Copy tensors to new leaves, so that a kernel cannot change the caller's."""
    if isinstance(value, Tensor):
        copy = wrap(namespace_of(value._array).copy(value._array))
        if double and copy._spec.inexact:
            copy = copy.to(_DOUBLE[copy._spec.is_complex])
        return copy.requires_grad_(requires_grad and value.requires_grad)
    return [_copy_as_leaves(item, requires_grad, double) for item in value] if type(value) is list else value


_DOUBLE = {False: "float64", True: "complex128"}


def _copy_values(value: Any) -> list[Any]:
    return [np.array(namespace_of(one._array).to_numpy(one._array)) for one in tensors_of((value,))]


def _is_identical(a: Any, b: Any) -> bool:
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


_TESTS: dict[str, Callable[[Any, list[Any], Tolerance], None]] = {
    "test_schema": _test_schema,
    "test_autograd_registration": _test_registration,
    "test_faketensor": _test_fake,
    "test_gradient": _test_gradient,
    "test_aot_dispatch_dynamic": _test_gradient,
    "test_aot_dispatch_static": _test_gradient,
}
"""The tests by name; programs written for PyTorch name the last two."""
