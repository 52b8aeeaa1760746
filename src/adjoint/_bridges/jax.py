"""Functions of JAX as functions of tensors, and functions of tensors as functions of JAX.

Foreign calls inside a program that JAX is tracing: it will call back, and can differentiate through that.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from adjoint._bridges.step import Bridged, Foreign, ForeignCall, is_plain, leave_levels, placed, run
from adjoint._bridges.transfer import from_jax_array, home_of, to_jax_array, varies
from adjoint._core.tensor import Tensor, wrap
from adjoint.arrays import is_array, namespace_of


class FromJax(Bridged):
    """See `from_jax`."""

    public = "from_jax"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        tree = import_module("jax.tree_util")
        leaves, structure = tree.tree_flatten((args, kwargs))
        places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, Tensor)]
        result: list[Any] = []  # what the last run has returned: its structure, and its leaves that are no arrays

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


class ToJax(Bridged):
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


class JaxFunction(Foreign):
    """A call of JAX as an operation of the graph."""


class JaxCall(ForeignCall):
    """A call of a flat function of JAX arrays, which returns a list of them."""

    step = JaxFunction

    def __init__(self, flat: Callable[..., list[Any]], name: str) -> None:
        self.flat = flat
        self.name = name
        self._kept: Any = None  # the transposed function of the last run, with what it needs

    def value(self, arrays: list[Any]) -> list[Any]:
        jax = import_module("jax")
        home = home_of(arrays, jax.Array)
        with _precision(arrays):
            crossed = [to_jax_array(array) for array in arrays]
            wanted = [i for i, array in enumerate(crossed) if varies(array)]
            if self.recorded and wanted:
                outputs, transposed = jax.vjp(_varying(self.flat, crossed, wanted), *[crossed[i] for i in wanted])
                self._kept = (transposed, wanted, outputs)
            else:
                outputs = self.flat(*crossed)
            return [from_jax_array(jax.numpy.asarray(output), home, arrays) for output in outputs]

    def pull(self, inputs: Sequence[Tensor], grads: Sequence[Tensor | None], needed: Sequence[bool]) -> list[Any]:
        if self._kept is not None and is_plain([*inputs, *grads]):
            return self._pull_kept(inputs, grads)
        wanted = [i for i, need in enumerate(needed) if need and inputs[i]._spec.inexact]
        given = [i for i, grad in enumerate(grads) if grad is not None]
        if not wanted or not given:
            return [None] * len(inputs)

        def pulled(*arrays: Any) -> list[Any]:
            jax = import_module("jax")
            primals, cotangents = arrays[: len(inputs)], arrays[len(inputs) :]

            def chosen(*some: Any) -> list[Any]:
                outputs = _varying(self.flat, primals, wanted)(*some)
                return [outputs[i] for i in given]

            outputs, transposed = jax.vjp(chosen, *[primals[i] for i in wanted])
            return _conjugated(transposed(_like_outputs(_conjugated(cotangents), outputs)))

        found = run(JaxCall(pulled, f"the vjp of {self.name}"), [*inputs, *[grads[i] for i in given]])  # type: ignore[list-item]
        return placed(found, wanted, len(inputs))

    def _pull_kept(self, inputs: Sequence[Tensor], grads: Sequence[Tensor | None]) -> list[Any]:
        """The plain case: the run of the forward pass has left what is needed."""
        transposed, wanted, outputs = self._kept
        arrays = [tensor._array for tensor in inputs]
        home = home_of(arrays, import_module("jax").Array)
        crossing = [None if grad is None else grad._array for grad in grads]
        with _precision([*arrays, *[array for array in crossing if array is not None]]):
            cotangents = [None if array is None else to_jax_array(array) for array in crossing]
            found = _conjugated(transposed(_like_outputs(_conjugated(cotangents), outputs)))
            known = [*arrays, *[array for array in crossing if array is not None]]
            return placed([wrap(from_jax_array(one, home, known)) for one in found], wanted, len(inputs))

    def push(self, inputs: Sequence[Tensor], tangents: Sequence[Tensor | None]) -> list[Any]:
        moving = [i for i, tangent in enumerate(tangents) if tangent is not None]
        given: list[Any] = [*inputs, *[tangents[i] for i in moving]]

        def by(rule: Callable[..., Any]) -> Callable[..., list[Any]]:
            def pushed(*arrays: Any) -> list[Any]:
                primals, directions = arrays[: len(inputs)], arrays[len(inputs) :]
                function = _varying(self.flat, primals, moving)
                return rule(function, [primals[i] for i in moving], list(directions))

            return pushed

        name = f"the jvp of {self.name}"
        try:
            found = run(JaxCall(by(_push), name), given)
        except (TypeError, NotImplementedError) as error:
            if "custom_vjp" not in str(error) and "custom_lin" not in str(error):
                raise
            found = run(JaxCall(by(_push_by_transposes), name), given)
        return [tangent if tangent._spec.inexact else None for tangent in found]

    def batched(self, size: int, dims: Sequence[int | None], tensors: Sequence[Tensor]) -> list[Tensor]:
        mapped = import_module("jax").vmap(self.flat, in_axes=tuple(dims), axis_size=size)
        return run(JaxCall(mapped, f"{self.name} under vmap"), tensors)


def _varying(flat: Callable[..., list[Any]], arrays: Sequence[Any], places: Sequence[int]) -> Callable[..., list[Any]]:
    """The function of some of its arguments, the others being fixed."""

    def of_some(*some: Any) -> list[Any]:
        given = list(arrays)
        for place, array in zip(places, some):
            given[place] = array
        return [import_module("jax.numpy").asarray(output) for output in flat(*given)]

    return of_some


def _push(function: Any, primals: Any, tangents: Any) -> list[Any]:
    """J t by JAX's forward mode."""
    jax = import_module("jax")
    outputs, results = jax.jvp(function, primals, tangents)
    return [result if varies(output) else jax.numpy.zeros_like(output) for output, result in zip(outputs, results)]


def _push_by_transposes(function: Any, primals: Any, tangents: Any) -> list[Any]:
    """J t as the transpose of v -> J^T v, for functions with a `jax.custom_vjp`, which have no forward mode in JAX."""
    jax = import_module("jax")
    outputs, transposed = jax.vjp(function, *primals)
    places = [i for i, output in enumerate(outputs) if varies(output)]

    def pull(*some: Any) -> Any:
        return transposed(_like_outputs(placed(some, places, len(outputs)), outputs))

    _, push = jax.vjp(pull, *[jax.numpy.zeros_like(outputs[i]) for i in places])
    results = placed(push(tuple(tangents)), places, len(outputs))
    return [jax.numpy.zeros_like(o) if result is None else result for o, result in zip(outputs, results)]


def _conjugated(arrays: Sequence[Any]) -> list[Any]:
    """JAX's cotangents of complex numbers are the conjugates of our gradients."""
    jnp = import_module("jax.numpy")
    return [a if a is None or not np.issubdtype(a.dtype, np.complexfloating) else jnp.conj(a) for a in arrays]


def _like_outputs(cotangents: Sequence[Any], outputs: Sequence[Any]) -> list[Any]:
    """Cotangents as JAX wants them: none missing, each of its output's dtype, and of its own kind for integers."""
    jax = import_module("jax")
    result: list[Any] = []
    for cotangent, output in zip(cotangents, outputs):
        if not varies(output):
            result.append(np.zeros(output.shape, jax.dtypes.float0))
        elif cotangent is None:
            result.append(jax.numpy.zeros_like(output))
        else:
            result.append(cotangent.astype(output.dtype))
    return result


def _precision(arrays: Sequence[Any]) -> Any:
    """Switch JAX to sixty-four bits where a tensor has as many, for this call; else it would silently drop half."""
    jax = import_module("jax")
    if jax.config.jax_enable_x64 or any(isinstance(array, jax.core.Tracer) for array in arrays):
        return contextlib.nullcontext()
    wide = any(namespace_of(array).dtype_of(array).name in ("float64", "complex128") for array in arrays)
    return jax.enable_x64(True) if wide else contextlib.nullcontext()


def any_traced(arrays: Sequence[Any]) -> bool:
    """Whether one of these is a tracer of JAX, which has no values yet."""
    return any(namespace_of(array).name == "jax tracer" for array in arrays)


def traced(call: ForeignCall, arrays: Sequence[Any], likes: Sequence[Any]) -> list[Any]:
    """The outputs of a call as tracers.

    Args:
        call: a call that computes with NumPy arrays.
        arrays: its inputs, tracers among them.
        likes: things with the shapes and dtypes of its outputs.
    """
    import jax

    kinds = [jax.dtypes.canonicalize_dtype(like.dtype) for like in likes]
    shapes = tuple([jax.ShapeDtypeStruct(like.shape, kind) for like, kind in zip(likes, kinds)])

    def computed(*values: Any) -> Any:
        outputs = call.value([np.asarray(value) for value in values])
        return tuple([output.astype(kind, copy=False) for output, kind in zip(outputs, kinds)])

    @jax.custom_vjp
    def step(*inputs: Any) -> Any:
        return jax.pure_callback(computed, shapes, *inputs, vmap_method="sequential")

    def pulled(inputs: Any, cotangents: Any) -> Any:
        tensors = [wrap(array) for array in inputs]
        grads = [None if g.dtype == jax.dtypes.float0 else wrap(jax.numpy.conj(g)) for g in cotangents]
        found = call.pull(tensors, grads, [tensor._spec.inexact for tensor in tensors])
        return tuple([_cotangent(grad, x) for grad, x in zip(found, inputs)])

    def _cotangent(grad: Any, x: Any) -> Any:
        if not wrap(x)._spec.inexact:
            return np.zeros(x.shape, jax.dtypes.float0)
        return jax.numpy.zeros_like(x) if grad is None else jax.numpy.conj(grad._array).astype(x.dtype)

    step.defvjp(lambda *inputs: (step(*inputs), inputs), pulled)
    return list(step(*[jax.numpy.asarray(array) for array in arrays]))
