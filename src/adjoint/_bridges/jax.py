"""Bridge to JAX: `from_jax`, `to_jax`, and callbacks for NumPy functions inside a program that JAX traces."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from adjoint._bridges.step import ForeignCall, ForeignFunction, WrappedFunction, is_plain, leave_levels, put_at, run
from adjoint._bridges.transfer import find_home, from_jax_array, is_inexact, to_jax_array
from adjoint._core.tensor import Tensor, wrap
from adjoint.arrays import is_array, namespace_of


class FromJax(WrappedFunction):
    """See `from_jax`."""

    public = "from_jax"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        tree = import_module("jax.tree_util")
        leaves, structure = tree.tree_flatten((args, kwargs))
        places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, Tensor)]
        result: list[Any] = []  # of the last run's result: the structure, and the leaves that are not arrays

        def flat(*arrays: Any) -> list[Any]:
            given = list(leaves)
            for place, array in zip(places, arrays):
                given[place] = array
            arguments, keywords = tree.tree_unflatten(structure, given)
            found, shape = tree.tree_flatten(self.__wrapped__(*arguments, **keywords))
            result[:] = [shape, [None if _is_jax(leaf) else (leaf,) for leaf in found]]
            return [leaf for leaf in found if _is_jax(leaf)]

        outputs = iter(run(JaxCall(flat, self.__name__), [leaves[place] for place in places]))
        return tree.tree_unflatten(result[0], [next(outputs) if other is None else other[0] for other in result[1]])


class ToJax(WrappedFunction):
    """See `to_jax`."""

    public = "to_jax"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        tree = import_module("jax.tree_util")
        args, kwargs = tree.tree_map(_from_jax_leaf, (args, kwargs))
        return tree.tree_map(_as_jax, self.__wrapped__(*args, **kwargs))


def _is_jax(leaf: Any) -> bool:
    return isinstance(leaf, (import_module("jax").Array, np.ndarray, np.generic))


def _from_jax_leaf(leaf: Any) -> Any:
    return wrap(to_jax_array(leaf)) if is_array(leaf) and not isinstance(leaf, Tensor) else leaf


def _as_jax(leaf: Any) -> Any:
    if not isinstance(leaf, Tensor):
        return leaf
    return to_jax_array(leave_levels(leaf, "a function given to to_jax()")._array)


class JaxFunction(ForeignFunction):
    """Graph node of a JAX call."""


class JaxCall(ForeignCall):
    """A call of a flat JAX function: arrays in, a list of arrays out."""

    step = JaxFunction

    def __init__(self, flat: Callable[..., list[Any]], name: str) -> None:
        self.flat = flat
        self.name = name
        self._last_run: Any = None  # the vjp function of the last run, and what it needs

    def value(self, arrays: list[Any]) -> list[Any]:
        jax = import_module("jax")
        home = find_home(arrays, jax.Array)
        with _enable_x64_for(arrays):
            crossed = [to_jax_array(array) for array in arrays]
            wanted = [i for i, array in enumerate(crossed) if is_inexact(array)]
            if self.recorded and wanted:
                outputs, backward = jax.vjp(_partial_at(self.flat, crossed, wanted), *[crossed[i] for i in wanted])
                self._last_run = (backward, wanted, outputs)
            else:
                outputs = self.flat(*crossed)
            return [from_jax_array(jax.numpy.asarray(output), home, arrays) for output in outputs]

    def vjp(self, inputs: Sequence[Tensor], grads: Sequence[Tensor | None], needed: Sequence[bool]) -> list[Any]:
        if self._last_run is not None and is_plain([*inputs, *grads]):
            return self._vjp_of_run(inputs, grads)
        wanted = [i for i, need in enumerate(needed) if need and inputs[i]._spec.inexact]
        given = [i for i, grad in enumerate(grads) if grad is not None]
        if not wanted or not given:
            return [None] * len(inputs)

        def compute_vjp(*arrays: Any) -> list[Any]:
            jax = import_module("jax")
            primals, cotangents = arrays[: len(inputs)], arrays[len(inputs) :]

            def chosen(*some: Any) -> list[Any]:
                outputs = _partial_at(self.flat, primals, wanted)(*some)
                return [outputs[i] for i in given]

            outputs, backward = jax.vjp(chosen, *[primals[i] for i in wanted])
            return _conjugate(backward(_match_outputs(_conjugate(cotangents), outputs)))

        found = run(JaxCall(compute_vjp, f"the vjp of {self.name}"), [*inputs, *[grads[i] for i in given]])  # type: ignore[list-item]
        return put_at(found, wanted, len(inputs))

    def _vjp_of_run(self, inputs: Sequence[Tensor], grads: Sequence[Tensor | None]) -> list[Any]:
        """Compute gradients by the vjp function kept from the forward pass (nothing is recorded or batched)."""
        backward, wanted, outputs = self._last_run
        arrays = [tensor._array for tensor in inputs]
        home = find_home(arrays, import_module("jax").Array)
        crossing = [None if grad is None else grad._array for grad in grads]
        with _enable_x64_for([*arrays, *[array for array in crossing if array is not None]]):
            cotangents = [None if array is None else to_jax_array(array) for array in crossing]
            found = _conjugate(backward(_match_outputs(_conjugate(cotangents), outputs)))
            known = [*arrays, *[array for array in crossing if array is not None]]
            return put_at([wrap(from_jax_array(one, home, known)) for one in found], wanted, len(inputs))

    def jvp(self, inputs: Sequence[Tensor], tangents: Sequence[Tensor | None]) -> list[Any]:
        moving = [i for i, tangent in enumerate(tangents) if tangent is not None]
        given: list[Any] = [*inputs, *[tangents[i] for i in moving]]

        def by(rule: Callable[..., Any]) -> Callable[..., list[Any]]:
            def compute_jvp(*arrays: Any) -> list[Any]:
                primals, directions = arrays[: len(inputs)], arrays[len(inputs) :]
                function = _partial_at(self.flat, primals, moving)
                return rule(function, [primals[i] for i in moving], list(directions))

            return compute_jvp

        name = f"the jvp of {self.name}"
        try:
            found = run(JaxCall(by(_jvp), name), given)
        except (TypeError, NotImplementedError) as error:
            if "custom_vjp" not in str(error) and "custom_lin" not in str(error):
                raise
            found = run(JaxCall(by(_jvp_by_double_transpose), name), given)
        return [tangent if tangent._spec.inexact else None for tangent in found]

    def vmap(self, size: int, dims: Sequence[int | None], tensors: Sequence[Tensor]) -> list[Tensor]:
        mapped = import_module("jax").vmap(self.flat, in_axes=tuple(dims), axis_size=size)
        return run(JaxCall(mapped, f"{self.name} under vmap"), tensors)


def _partial_at(
    flat: Callable[..., list[Any]], arrays: Sequence[Any], places: Sequence[int]
) -> Callable[..., list[Any]]:
    """Return the function of some arguments, with the others fixed."""

    def partial(*some: Any) -> list[Any]:
        given = list(arrays)
        for place, array in zip(places, some):
            given[place] = array
        return [import_module("jax.numpy").asarray(output) for output in flat(*given)]

    return partial


def _jvp(function: Any, primals: Any, tangents: Any) -> list[Any]:
    """Compute J t by JAX's forward mode."""
    jax = import_module("jax")
    outputs, results = jax.jvp(function, primals, tangents)
    return [result if is_inexact(output) else jax.numpy.zeros_like(output) for output, result in zip(outputs, results)]


def _jvp_by_double_transpose(function: Any, primals: Any, tangents: Any) -> list[Any]:
    """Compute J t as the transpose of v -> J^T v: a `jax.custom_vjp` function has no forward mode in JAX."""
    jax = import_module("jax")
    outputs, backward = jax.vjp(function, *primals)
    places = [i for i, output in enumerate(outputs) if is_inexact(output)]

    def vjp(*some: Any) -> Any:
        return backward(_match_outputs(put_at(some, places, len(outputs)), outputs))

    _, jvp = jax.vjp(vjp, *[jax.numpy.zeros_like(outputs[i]) for i in places])
    results = put_at(jvp(tuple(tangents)), places, len(outputs))
    return [jax.numpy.zeros_like(o) if result is None else result for o, result in zip(outputs, results)]


def _conjugate(arrays: Sequence[Any]) -> list[Any]:
    """Convert complex gradients between our convention and JAX's, which is the conjugate."""
    jnp = import_module("jax.numpy")
    return [a if a is None or not np.issubdtype(a.dtype, np.complexfloating) else jnp.conj(a) for a in arrays]


def _match_outputs(cotangents: Sequence[Any], outputs: Sequence[Any]) -> list[Any]:
    """Match cotangents to outputs as JAX requires: zeros for None, the output's dtype, float0 for integers."""
    jax = import_module("jax")
    result: list[Any] = []
    for cotangent, output in zip(cotangents, outputs):
        if not is_inexact(output):
            result.append(np.zeros(output.shape, jax.dtypes.float0))
        elif cotangent is None:
            result.append(jax.numpy.zeros_like(output))
        else:
            result.append(cotangent.astype(output.dtype))
    return result


def _enable_x64_for(arrays: Sequence[Any]) -> Any:
    """Context manager that enables x64 if an input has 64-bit floats, which JAX would silently narrow."""
    jax = import_module("jax")
    if jax.config.jax_enable_x64 or any(isinstance(array, jax.core.Tracer) for array in arrays):
        return contextlib.nullcontext()
    wide = any(namespace_of(array).dtype_of(array).name in ("float64", "complex128") for array in arrays)
    return jax.enable_x64(True) if wide else contextlib.nullcontext()


def has_tracers(arrays: Sequence[Any]) -> bool:
    """Test whether an array is a JAX tracer, which has no values yet."""
    return any(namespace_of(array).name == "jax tracer" for array in arrays)


def run_by_callback(call: ForeignCall, arrays: Sequence[Any], likes: Sequence[Any]) -> list[Any]:
    """Run a call as a differentiable callback of the program that JAX is tracing; return tracers.

    Args:
        call: a call that computes with NumPy arrays.
        arrays: its inputs, some of them tracers.
        likes: objects with the shapes and dtypes of its outputs.
    """
    import jax

    kinds = [jax.dtypes.canonicalize_dtype(like.dtype) for like in likes]
    shapes = tuple([jax.ShapeDtypeStruct(like.shape, kind) for like, kind in zip(likes, kinds)])

    def compute(*values: Any) -> Any:
        outputs = call.value([np.asarray(value) for value in values])
        return tuple([output.astype(kind, copy=False) for output, kind in zip(outputs, kinds)])

    @jax.custom_vjp
    def step(*inputs: Any) -> Any:
        return jax.pure_callback(compute, shapes, *inputs, vmap_method="sequential")

    def compute_vjp(inputs: Any, cotangents: Any) -> Any:
        tensors = [wrap(array) for array in inputs]
        grads = [None if g.dtype == jax.dtypes.float0 else wrap(jax.numpy.conj(g)) for g in cotangents]
        found = call.vjp(tensors, grads, [tensor._spec.inexact for tensor in tensors])
        return tuple([_cotangent(grad, x) for grad, x in zip(found, inputs)])

    def _cotangent(grad: Any, x: Any) -> Any:
        if not wrap(x)._spec.inexact:
            return np.zeros(x.shape, jax.dtypes.float0)
        return jax.numpy.zeros_like(x) if grad is None else jax.numpy.conj(grad._array).astype(x.dtype)

    step.defvjp(lambda *inputs: (step(*inputs), inputs), compute_vjp)
    return list(step(*[jax.numpy.asarray(array) for array in arrays]))
