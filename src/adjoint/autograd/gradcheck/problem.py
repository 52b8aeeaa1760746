"""The function under test and its inputs, as a function of real vectors.

A complex tensor of n elements is a vector of 2n: all real parts, then all imaginary parts. So derivatives are plain
matrices: a row for an entry of an input, a column for an entry of an output.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy

from adjoint._core.backward import grad
from adjoint._core.forward import propagate
from adjoint._core.tensor import Tensor, wrap
from adjoint._core.views.memory import memory_of, replace_values
from adjoint.autograd.gradcheck import GradcheckError

np: Any = numpy


class Coordinates:
    """Conversion between the elements of a tensor and a real vector."""

    def __init__(self, tensor: Tensor) -> None:
        self.shape: tuple[int, ...] = tuple(tensor._spec.shape)
        self.is_complex = tensor._spec.is_complex
        self.elements: int = tensor._spec.size
        self.count: int = self.elements * (2 if self.is_complex else 1)

    def vector(self, array: Any) -> Any:
        """Convert an array of this shape to a real vector."""
        flat = np.asarray(array).reshape(-1)
        if not self.is_complex:
            return np.array(flat.real, dtype=np.float64)
        return np.concatenate([flat.real, flat.imag]).astype(np.float64)

    def array(self, vector: Any) -> Any:
        """Convert a real vector to a NumPy array."""
        if not self.is_complex:
            return vector.reshape(self.shape)
        return (vector[: self.elements] + 1j * vector[self.elements :]).reshape(self.shape)

    def name(self, entry: int) -> str:
        """Describe the element of an entry, for messages."""
        place = tuple(int(i) for i in np.unravel_index(entry % self.elements, self.shape))
        part = ("real part of ", "imaginary part of ")[entry // self.elements] if self.is_complex else ""
        return f"{part}element {place}" if self.shape else f"{part}the only element"


class SameKind:
    """A function whose results have to be of the same number, shapes and dtypes at every call.

    A function that does not is discontinuous: differences of its values are not derivatives.
    """

    def __init__(self, func: Callable[..., Any]) -> None:
        self.func = func
        self.kinds: list[str] | None = None

    def __call__(self, *inputs: Any) -> tuple[Any, ...]:
        results = as_tuple(self.func(*inputs))
        kinds = [_describe_kind(result) for result in results]
        if self.kinds is None:
            self.kinds = kinds
        elif kinds != self.kinds:
            raise GradcheckError(
                f"the number, shapes or dtypes of the outputs depend on the values of the inputs: {_list(self.kinds)} "
                f"for the given ones, but {_list(kinds)} nearby. There is no derivative where they change."
            )
        return results


def _describe_kind(result: Any) -> str:
    return f"{list(result.shape)} {result.dtype!r}" if isinstance(result, Tensor) else type(result).__name__


def _list(kinds: list[str]) -> str:
    return ", ".join(kinds) or "none"


class Problem:
    """A function, its inputs, and its differentiable outputs.

    Attributes:
        inputs: all arguments; `numbers` are the indices of those that require grad.
        outputs: the differentiable outputs of a first call.
    """

    def __init__(self, func: Callable[..., Any], inputs: Any) -> None:
        self.func = SameKind(func)
        self.inputs = as_tuple(inputs)
        self.numbers = [i for i, x in enumerate(self.inputs) if isinstance(x, Tensor) and x.requires_grad]
        self.coordinates = [Coordinates(self.inputs[i]) for i in self.numbers]
        results = self.func(*self.inputs)
        check_are_tensors(results)
        self.output_numbers = [i for i, out in enumerate(results) if out.requires_grad]
        self.outputs = [results[i] for i in self.output_numbers]
        self.output_coordinates = [Coordinates(out) for out in self.outputs]
        self.bounds = np.cumsum([0, *(c.count for c in self.output_coordinates)])

    def results(self, inputs: Sequence[Any] | None = None) -> list[Tensor]:
        """Compute the differentiable outputs for the current inputs, or for the given ones."""
        found = self.func(*(self.inputs if inputs is None else inputs))
        return [found[i] for i in self.output_numbers]

    def value(self) -> Any:
        """Compute the differentiable outputs (all floating point ones, if there are none) as one real vector."""
        with np.errstate(all="ignore"):  # differences may leave the domain
            found = self.func(*self.inputs)
        if [i for i, out in enumerate(found) if out.requires_grad] != self.output_numbers:
            raise GradcheckError(
                f"which outputs require grad depends on the values of the inputs: {self.output_numbers} for the given "
                "ones, others nearby. There is no derivative where that changes."
            )
        kept = [found[i] for i in self.output_numbers] or [x for x in found if x._spec.inexact]
        return np.concatenate([np.zeros(0), *(Coordinates(out).vector(to_numpy(out)) for out in kept)])

    def join(self, tangents: Sequence[Any]) -> Any:
        """Join the tangents of the differentiable outputs (None is zero) to one real vector."""
        parts = [
            np.zeros(c.count) if tangent is None else c.vector(to_numpy(tangent))
            for c, tangent in zip(self.output_coordinates, tangents)
        ]
        return np.concatenate([np.zeros(0), *parts])

    def vectors(self, gradients: Sequence[Any]) -> list[Any]:
        """Convert the gradients of the inputs that require grad (None is zero) to real vectors."""
        return [
            np.zeros(c.count) if gradient is None else c.vector(to_numpy(gradient))
            for c, gradient in zip(self.coordinates, gradients)
        ]

    def wanted(self) -> list[Tensor]:
        """Return the inputs that require grad."""
        return [self.inputs[i] for i in self.numbers]

    def reach(self, place: int) -> float:
        """Return the largest magnitude in an input; at least 1."""
        return max(1.0, float(np.max(np.abs(to_numpy(self.inputs[self.numbers[place]])), initial=0.0)))

    # ---- analytical derivatives -------------------------------------------------------------------------------------

    def pull(self, outputs: Sequence[Tensor], weights: Any) -> list[Any]:
        """Compute gradients (VJP) for weights of the outputs' entries by reverse mode; None where there is none."""
        vectors = [self.like(weights[a:b], out) for a, b, out in zip(self.bounds, self.bounds[1:], outputs)]
        return list(grad(outputs, self.wanted(), vectors, retain_graph=True, allow_unused=True))

    def push(self, directions: dict[int, Any]) -> list[Any]:
        """Compute tangents of the outputs (JVP) by forward mode, for directions of some inputs by index."""
        with propagate.dual_level():
            inputs = list(self.inputs)
            for place, direction in directions.items():
                number = self.numbers[place]
                inputs[number] = propagate.make_dual(inputs[number], self.like(direction, inputs[number]))
            return [propagate.unpack_dual(out).tangent for out in self.results(inputs)]

    def like(self, vector: Any, tensor: Tensor) -> Tensor:
        """Make a tensor like the given one with these entries."""
        spec = tensor._spec
        array = Coordinates(tensor).array(vector)
        return tensor_like(array, spec)

    # ---- differences ------------------------------------------------------------------------------------------------

    @contextmanager
    def move(self, place: int, direction: Any, step: float) -> Generator[Any]:
        """Move an input temporarily; yields by how much its entries have really moved, after rounding.

        It is modified in place, because the function may also use it as a captured variable.
        """
        tensor = self.inputs[self.numbers[place]]
        coordinates = self.coordinates[place]
        before = np.array(to_numpy(tensor))
        after = (before + step * coordinates.array(direction)).astype(before.dtype)
        with _set_values(tensor, after, before):
            yield coordinates.vector(after.astype(np.result_type(after, np.float64)) - before)


def check_are_tensors(results: tuple[Any, ...]) -> None:
    """Raise unless all results are tensors, so that a function without `return` does not pass."""
    for index, result in enumerate(results):
        if not isinstance(result, Tensor):
            raise TypeError(
                f"gradcheck: the function has to return a tensor or a tuple of tensors; output {index} is a "
                f"{type(result).__name__}. Leave out, in a lambda for instance, what has no derivative."
            )


def as_tuple(value: Any) -> tuple[Any, ...]:
    """Convert arguments or results of a function to a tuple."""
    return value if isinstance(value, tuple) else tuple(value) if isinstance(value, list) else (value,)  # pyright: ignore


def random_vector(rng: Any, count: int) -> Any:
    """Draw a random vector with entries of magnitude 0.5 to 1.5."""
    return rng.uniform(0.5, 1.5, count) * np.where(rng.uniform(size=count) < 0.5, -1.0, 1.0)


def to_numpy(tensor: Any) -> Any:
    """Convert a tensor to a NumPy array."""
    array = tensor._array
    while isinstance(array, Tensor):
        array = array._array
    namespace = tensor._spec.namespace
    return np.asarray(namespace.to_numpy(tensor._array) if array is tensor._array else array)


def tensor_like(array: Any, spec: Any) -> Tensor:
    """Make a tensor with these values, of the array library, dtype and device of the metadata."""
    namespace = spec.namespace
    return wrap(namespace.asarray(array.astype(spec.dtype.numpy), device=spec.device))


@contextmanager
def _set_values(tensor: Any, values: Any, before: Any) -> Generator[None]:
    """Set the values of a tensor, and of all that share its memory, temporarily and unnoticed by graphs."""
    spec = tensor._spec
    namespace = spec.namespace
    if namespace.mutable and namespace.writeable(tensor._array):
        try:
            namespace.assign_all(tensor._array, namespace.asarray(values, device=spec.device))
            yield
        finally:
            namespace.assign_all(tensor._array, namespace.asarray(before, device=spec.device))
        return
    memory = memory_of(tensor)
    whole = None if memory is None else memory.array
    arrays = [(one, one._array) for one in ([tensor] if memory is None else memory.alive())]
    try:
        replace_values(tensor, namespace.asarray(values, device=spec.device))
        yield
    finally:
        if memory is not None:
            memory.array = whole
        for one, array in arrays:
            one._array = array
