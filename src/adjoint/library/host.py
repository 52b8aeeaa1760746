"""Kernels that compute with NumPy, for arrays of other libraries: brought to the host and back.

While JAX traces a program there are no values to bring. Then the kernel becomes a step of the compiled program that
calls back into Python, which needs the shapes of its results beforehand: those that the fake function tells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from adjoint.arrays import namespace_of, numpy_namespace
from adjoint.autograd.memory import write_values
from adjoint.autograd.variable import Tensor, wrap
from adjoint.library.calls import Call, tensors_of
from adjoint.library.errors import location_of

TRACER = "jax tracer"
"""The name of the namespace of arrays that JAX traces."""

Kernel = Callable[[list[Any]], Any]


def run_on_host(op: Any, kernel: Kernel, values: Sequence[Any]) -> list[Any]:
    """Run a kernel on NumPy tensors with the values of others; results become what the arguments are."""
    call, tensors = Call(op, values), tensors_of(values)
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
    arranged = Call(op, ())
    outputs = [originals.get(id(one), one) for one in arranged.set_results(results)]
    return brought_back(op, arranged.outputs(outputs), tensors)


def _write_back(tensors: Sequence[Tensor], copies: Sequence[Tensor]) -> None:
    """Give tensors the values that a kernel wrote to their copies."""
    for tensor, copy in zip(tensors, copies):
        spec = tensor._spec
        write_values(tensor, spec.namespace.asarray(copy._array, device=spec.device, copy=True))


def brought_back(op: Any, results: Sequence[Any], tensors: Sequence[Tensor]) -> list[Any]:
    """Results with their NumPy arrays turned into what the arguments are, none of which is NumPy's."""
    like = max((one._spec for one in tensors), key=lambda spec: spec.namespace.rank)
    call = Call(op, ())
    outputs = [
        wrap(like.namespace.asarray(numpy_namespace.copy(one._array), device=like.device))
        if one._spec.namespace is numpy_namespace
        else one
        for one in call.set_results(results)
    ]
    return call.outputs(outputs)


def _run_by_callback(op: Any, kernel: Kernel, values: Sequence[Any]) -> list[Any]:
    """Make a kernel a step of the program that JAX is tracing."""
    import jax

    if op.schema.is_mutable:
        raise RuntimeError(
            f"{op.qualname} writes to {', '.join(op.schema.mutated)} by a NumPy kernel, which cannot be part of a "
            "program that JAX compiles; register a kernel for 'jax' that is made of operators"
        )
    from adjoint.library.faking import run_fake

    call, tensors = Call(op, values), tensors_of(values)
    fakes, _ = run_fake(op, values)
    told = call.set_results(fakes)
    shapes = tuple(jax.ShapeDtypeStruct(one.shape, jax.dtypes.canonicalize_dtype(one.dtype.numpy)) for one in told)

    def step(*arrays: Any) -> tuple[Any, ...]:
        inner = Call(op, values)
        results = kernel(inner.arguments([wrap(numpy_namespace.asarray(array)) for array in arrays]))
        found = inner.set_results(results)
        return tuple(_as_told(op, one, shape) for one, shape in zip(found, shapes))

    arrays = jax.pure_callback(step, shapes, *[one._array for one in tensors], vmap_method="sequential")
    return call.outputs([wrap(array) for array in arrays])


def _as_told(op: Any, tensor: Tensor, told: Any) -> Any:
    array = namespace_of(tensor._array).to_numpy(tensor._array)
    if tuple(array.shape) != tuple(told.shape):
        raise RuntimeError(f"{op.qualname} returned shape {array.shape}, but its fake function told JAX {told.shape}")
    return array.astype(told.dtype)


def explain_tracing(op: Any, kernel: Any, error: TypeError) -> None:
    """Say what to do when a kernel wanted values that JAX does not have yet."""
    error.add_note(
        f"The kernel of {op.qualname} ({location_of(kernel)}) needs values, and JAX is tracing a program. Register a "
        "fake function with register_fake, so that the kernel can be called from the compiled program, or a kernel for "
        "'jax'."
    )
