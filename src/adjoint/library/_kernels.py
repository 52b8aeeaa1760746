"""Kernels of custom operators: selection by array library and device, execution, checks of the schema.

A NumPy kernel on arrays of another library copies them to host memory and the results back. While JAX traces a program
there are no values to copy: the kernel becomes a callback (`jax.pure_callback`) of the compiled program, which needs
the shapes of its results beforehand, from the fake function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from adjoint._core import modes
from adjoint._core.forward.tangents import has_visible_tangents
from adjoint._core.tensor import Tensor, without_history, wrap, wrap_as
from adjoint._core.views.memory import memory_of, note_write, write_values
from adjoint._core.views.versions import version_of
from adjoint.arrays import CPU, Device, namespace_of, numpy_namespace
from adjoint.library._call import COMPOSITE, OperatorCall, call, check_results, split, tensors_of
from adjoint.library._errors import location_of
from adjoint.library._fake import run_fake
from adjoint.library._schema import Schema


def choose(op: Any, values: Sequence[Any]) -> tuple[str | None, Callable[..., Any]]:
    """Choose the kernel for these arguments: for their array library, else their device, else any, else NumPy's.

    Returns the key it is registered for, too.
    """
    kernels = op.kernels
    if len(kernels) == 1 and None in kernels and not op.disabled:
        return None, kernels[None].function  # most operators have one kernel, for everything
    names = _names_for(op.schema, values)
    for name in (*names, None, COMPOSITE, "numpy"):
        found = kernels.get(name)
        if found is not None and name not in op.disabled:
            return name, found.function
    if op.disabled and op.prototype is not None:
        return None, op.prototype
    known = ", ".join(f"{name!r} ({one.location})" for name, one in kernels.items())
    raise NotImplementedError(
        f"{op.qualname} has no kernel for {' on '.join(map(repr, names)) or 'a call without tensors'}: "
        f"{f'there are kernels for {known}' if known else f'it was defined at {op.location} without any'}. Register "
        "one with register_kernel, for a device, an array library, or None for all."
    )


def _names_for(schema: Schema, values: Sequence[Any]) -> tuple[str, ...]:
    """Return the array library and device type of a call; the higher rank, or an accelerator, wins."""
    specs = [tensor._spec for tensor in tensors_of(values)]
    if specs:
        best = max(specs, key=lambda spec: (spec.device != CPU, spec.namespace.rank))
        return (re.split("[ .]", best.namespace.name)[0], best.device.type)
    devices = [value for value in values if isinstance(value, Device)]
    return (devices[0].type,) if devices else ()


def run(op: Any, values: Sequence[Any]) -> list[Any]:
    """Run the kernel of an operator; return one value for each result, tensors without history."""
    libraries = {one._spec.namespace.name for one in tensors_of(values)}
    if "fake" in libraries:
        return run_fake(op, values)[0]
    name, kernel = choose(op, values)

    def compute(given: Sequence[Any]) -> list[Any]:
        return _run_kernel(op, kernel, given)

    if name == "numpy" and libraries - {"numpy"}:
        return run_on_host(op, compute, values)
    if name == "jax" or TRACER not in libraries:
        results = compute(values)
        foreign = libraries and "numpy" not in libraries
        return move_to_library_of(op, results, tensors_of(values)) if foreign else results
    try:
        return compute(values)  # a kernel made of our operators is traced like any other function
    except TypeError as error:
        if op.fake_rule is None:
            explain_tracing(op, kernel, error)
            raise
    return run_on_host(op, compute, values)


def _run_kernel(op: Any, kernel: Callable[..., Any], values: Sequence[Any]) -> list[Any]:
    schema = op.schema
    plain = schema.is_functional
    given = [_prepare_for_kernel(value, plain) for value in values]
    guarded = tensors_of(given if plain else [v for a, v in zip(schema.arguments, given) if not a.is_mutated])
    before = [version_of(tensor._versions) for tensor in guarded]
    positional, named = split(schema, given)
    with modes.no_grad():
        result = call(kernel, positional, named, "the kernel", schema)
    if any(version_of(tensor._versions) != version for tensor, version in zip(guarded, before)):
        raise _undeclared_write_error(op, kernel, given, guarded, before)
    results = check_results(schema, result, "the kernel", kernel)
    return [
        _check_and_wrap_result(op, kernel, place, value, values, given, results) for place, value in enumerate(results)
    ]


def _prepare_for_kernel(value: Any, plain: bool) -> Any:
    """Prepare an argument for a kernel: tensors without history that share the memory.

    Args:
        plain: whether the operator neither writes to arguments nor returns views, so an alias need not be tracked.
    """
    if isinstance(value, Tensor):
        if value._spec.subclass is not None:
            return value.detach()
        if value._edge is None and not has_visible_tangents(value):
            return value
        return without_history(value) if plain else value.detach()
    if type(value) is list:
        return [_prepare_for_kernel(item, plain) for item in value]
    return value


def _undeclared_write_error(op: Any, kernel: Any, given: Any, guarded: Any, before: Any) -> RuntimeError:
    changed = {id(t) for t, version in zip(guarded, before) if version_of(t._versions) != version}
    names = [a.name for a, v in zip(op.schema.arguments, given) if any(id(t) in changed for t in tensors_of((v,)))]
    return RuntimeError(
        f"the kernel of {op.qualname} ({location_of(kernel)}) has changed {', '.join(map(repr, names))} in place, but "
        f"{op.schema} does not say so. Name what is written to in mutates_args, or write to a clone()."
    )


def _check_and_wrap_result(op: Any, kernel: Any, place: int, value: Any, values: Any, given: Any, results: Any) -> Any:
    """Check one result and wrap it: an argument declared to be returned is returned itself, others as new tensors."""
    if type(value) is list:
        return [_check_and_wrap_result(op, kernel, place, item, values, given, results) for item in value]
    if not isinstance(value, Tensor):
        return value
    alias = op.schema.returns[place].alias_info
    if alias is None:
        refuse_aliases(op, kernel, place, value, given, results)
        # A new object: it gets a history, and the kernel may have kept a reference to what it returned.
        unshared = type(value) is Tensor and value._meta is None and value._versions is None
        return wrap_as(value._array, value._spec) if unshared else value.detach()
    if alias.is_write:
        for argument, old, new in zip(op.schema.arguments, values, given):
            if argument.is_mutated and new is value and argument.alias_info.before_set & alias.before_set:
                return old
        raise RuntimeError(
            f"the kernel of {op.qualname} ({location_of(kernel)}) has to return the argument that it writes to, as "
            f"{op.schema} says, but returned another tensor"
        )
    return value


def refuse_aliases(op: Any, kernel: Any, place: int, value: Tensor, given: Any, results: Any) -> None:
    """Raise if a result shares memory with an argument or another result: the graph would not see writes to it."""
    for argument, one in zip(op.schema.arguments, given):
        if any(shares_memory(value, other) for other in tensors_of((one,))):
            raise _alias_error(op, kernel, place, f"the argument {argument.name!r}")
    for number in range(place):
        if any(shares_memory(value, other) for other in tensors_of((results[number],))):
            raise _alias_error(op, kernel, place, f"result {number}")
    if type(results[place]) is list:
        same = [other for other in results[place] if isinstance(other, Tensor) and shares_memory(value, other)]
        if len(same) > 1:
            raise _alias_error(op, kernel, place, "another tensor of the same list")


def _alias_error(op: Any, kernel: Any, place: int, what: str) -> RuntimeError:
    which = f"result {place}" if len(op.schema.returns) > 1 else "the result"
    return RuntimeError(
        f"the kernel of {op.qualname} ({location_of(kernel)}): {which} is an alias of {what} (the same tensor, or a "
        "view of its memory), but the schema promises new memory. Return a clone()."
    )


def shares_memory(a: Tensor, b: Tensor) -> bool:
    """Test whether two tensors share memory."""
    if a is b or a._array is b._array:
        return True
    memory = memory_of(a)
    if memory is not None and memory is memory_of(b) and not a._spec.namespace.has_views:
        return True
    namespace = a._spec.namespace
    return namespace is b._spec.namespace and namespace.has_views and namespace.shares_memory(a._array, b._array)


def run_and_write(op: Any, values: Sequence[Any], written: Sequence[Tensor]) -> list[Any]:
    """Run the kernel of an operator that writes to arguments, and increment their version counters."""
    before = [version_of(tensor._versions) for tensor in written]
    results = run(op, values)
    for tensor, version in zip(written, before):
        if not tensor._spec.inference and version_of(tensor._versions) == version:
            note_write(tensor)
    return results


TRACER = "jax tracer"
"""The name of the namespace of arrays that JAX traces."""

Kernel = Callable[[list[Any]], Any]


def run_on_host(op: Any, kernel: Kernel, values: Sequence[Any]) -> list[Any]:
    """Run a NumPy kernel on tensors of another library; results are converted to that library."""
    call, tensors = OperatorCall(op, values), tensors_of(values)
    if any(one._spec.namespace.name == TRACER for one in tensors):
        return _run_by_callback(op, kernel, values)
    # copies, because a kernel may write to them
    there = [wrap(np.array(one._spec.namespace.to_numpy(one._array))) for one in tensors]
    given = call.arguments(there)
    results = kernel(given)
    written = [argument.is_mutated for argument in op.schema.arguments]
    _write_back(
        tensors_of([value for value, yes in zip(values, written) if yes]),
        tensors_of([value for value, yes in zip(given, written) if yes]),
    )
    originals = {id(copy): tensor for copy, tensor in zip(there, tensors)}
    arranged = OperatorCall(op, ())
    outputs = [originals.get(id(one), one) for one in arranged.set_results(results)]
    return move_to_library_of(op, arranged.outputs(outputs), tensors)


def _write_back(tensors: Sequence[Tensor], copies: Sequence[Tensor]) -> None:
    """Copy the values that a kernel wrote to copies back to the tensors."""
    for tensor, copy in zip(tensors, copies):
        spec = tensor._spec
        write_values(tensor, spec.namespace.asarray(copy._array, device=spec.device, copy=True))


def move_to_library_of(op: Any, results: Sequence[Any], tensors: Sequence[Tensor]) -> list[Any]:
    """Convert NumPy arrays among the results to the library and device of the tensors."""
    like = max((one._spec for one in tensors), key=lambda spec: spec.namespace.rank)
    call = OperatorCall(op, ())
    outputs = [
        wrap(like.namespace.asarray(numpy_namespace.copy(one._array), device=like.device))
        if one._spec.namespace is numpy_namespace
        else one
        for one in call.set_results(results)
    ]
    return call.outputs(outputs)


def _run_by_callback(op: Any, kernel: Kernel, values: Sequence[Any]) -> list[Any]:
    """Make a kernel a callback of the program that JAX is tracing."""
    import jax

    if op.schema.is_mutable:
        raise RuntimeError(
            f"{op.qualname} writes to {', '.join(op.schema.mutated)} by a NumPy kernel, which cannot be part of a "
            "program that JAX compiles; register a kernel for 'jax' that is made of operators"
        )
    call, tensors = OperatorCall(op, values), tensors_of(values)
    fakes, _ = run_fake(op, values)
    told = call.set_results(fakes)
    shapes = tuple(jax.ShapeDtypeStruct(one.shape, jax.dtypes.canonicalize_dtype(one.dtype.numpy)) for one in told)

    def step(*arrays: Any) -> tuple[Any, ...]:
        inner = OperatorCall(op, values)
        results = kernel(inner.arguments([wrap(numpy_namespace.asarray(array)) for array in arrays]))
        found = inner.set_results(results)
        return tuple(_check_callback_result(op, one, shape) for one, shape in zip(found, shapes))

    arrays = jax.pure_callback(step, shapes, *[one._array for one in tensors], vmap_method="sequential")
    return call.outputs([wrap(array) for array in arrays])


def _check_callback_result(op: Any, tensor: Tensor, told: Any) -> Any:
    array = namespace_of(tensor._array).to_numpy(tensor._array)
    if tuple(array.shape) != tuple(told.shape):
        raise RuntimeError(f"{op.qualname} returned shape {array.shape}, but its fake function told JAX {told.shape}")
    return array.astype(told.dtype)


def explain_tracing(op: Any, kernel: Any, error: TypeError) -> None:
    """Add a note to the error of a kernel that needs values while JAX is tracing."""
    error.add_note(
        f"The kernel of {op.qualname} ({location_of(kernel)}) needs values, and JAX is tracing a program. Register a "
        "fake function with register_fake, so that the kernel can be called from the compiled program, or a kernel for "
        "'jax'."
    )
