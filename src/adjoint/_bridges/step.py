"""Foreign calls: a call of another system as one node of the graph, shared by the bridges and `wrap_numpy`.

A `ForeignCall` computes the outputs from the arrays inside the tensors and has a vjp and a jvp, which are foreign calls
again, so derivatives of any order work. `ParametrizedCall` adds parameters that a function uses beside its inputs, for
the bridge to PyTorch in both directions.
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any, Self

from adjoint._core import modes
from adjoint._core.forward import propagate
from adjoint._core.function import Function
from adjoint._core.signature import copy_signature
from adjoint._core.tensor import Tensor
from adjoint._dispatch.factory import new_leaf


class WrappedFunction:
    """A function of one system, callable with the tensors of another.

    It has the name, docstring and signature of the wrapped function, can be a method, and is pickled by reference if
    its name resolves to it (when used as a decorator), else with the wrapped function.
    """

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        if not callable(function):
            raise TypeError(f"{type(self).public}() wraps a function, got {type(function).__name__}: {function!r:.80}")
        self.__name__ = self.__qualname__ = type(function).__name__  # objects without a name, such as modules
        copy_signature(self, function)
        self._options = options

    public = "bridge"  # the public function that makes one
    __wrapped__: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<{self.public} of {self.__module__}.{self.__qualname__}>"

    def __reduce__(self) -> Any:
        found: Any = sys.modules.get(self.__module__)
        for part in self.__qualname__.split("."):
            found = getattr(found, part, None)
        if found is self:
            return self.__qualname__
        return functools.partial(type(self), **self._options), (self.__wrapped__,)


class ForeignCall:
    """One flat call of a foreign function: arrays in, arrays out.

    Attributes:
        name: the function's name, for messages.
        wants_zeros: whether missing gradients and tangents are passed as zeros instead of None.
        recording: whether grad mode is enabled in the caller.
        recorded: whether this call is recorded because an input requires grad; then its intermediates are kept.
        constants: after the call, the outputs that depend on no input.
    """

    name: str = ""
    wants_zeros: bool = False
    recording: bool = False
    recorded: bool = False
    constants: Sequence[int] = ()
    step: Any = None  # the Function of this kind of call

    def value(self, arrays: list[Any]) -> list[Any]:
        """Compute the arrays of the outputs."""
        raise NotImplementedError

    def vjp(self, inputs: Sequence[Tensor], grads: Sequence[Tensor | None], needed: Sequence[bool]) -> list[Any]:
        """Compute the inputs' gradients (None where not needed) from the outputs' (None for zero)."""
        raise NotImplementedError

    def jvp(self, inputs: Sequence[Tensor], tangents: Sequence[Tensor | None]) -> list[Any]:
        """Compute the outputs' tangents from the inputs' (None for zero)."""
        raise NotImplementedError

    def vmap(self, size: int, dims: Sequence[int | None], tensors: Sequence[Tensor]) -> list[Tensor]:
        """Compute the outputs of a batch: `dims` are the batch dimensions of the inputs (or None); outputs have 0."""
        raise NotImplementedError


class ForeignFunction(Function):
    """Graph node of a foreign call. Subclasses give the node its name."""

    @staticmethod
    def forward(call: ForeignCall, *tensors: Tensor) -> Any:
        return tuple([new_leaf(array) for array in call.value([tensor._array for tensor in tensors])])

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.call = inputs[0]
        ctx.save_for_backward(*inputs[1:])
        ctx.save_for_forward(*inputs[1:])
        constants = inputs[0].constants
        ctx.mark_non_differentiable(*[o for i, o in enumerate(output) if i in constants or not o._spec.inexact])
        ctx.set_materialize_grads(inputs[0].wants_zeros)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        # an outer transform calls the vjp of its own level
        needed = [need and node is not None for need, (node, _) in zip(ctx.needs_input_grad[1:], ctx.next_functions)]
        return None, *ctx.call.vjp(ctx.saved_tensors, grads, needed)

    @staticmethod
    def jvp(ctx: Any, _: Any, *tangents: Any) -> Any:
        return tuple(ctx.call.jvp(ctx.saved_tensors, tangents))

    @staticmethod
    def vmap(info: Any, in_dims: Any, call: ForeignCall, *tensors: Any) -> Any:
        outputs = call.vmap(info.batch_size, in_dims[1:], tensors)
        return tuple(outputs), (0,) * len(outputs)


def run(call: ForeignCall, tensors: Sequence[Tensor]) -> list[Tensor]:
    """Run a foreign call, recorded if necessary."""
    call.recording = modes.state().grad_enabled
    call.recorded = call.recording and any(requires_grad(tensor) for tensor in tensors)
    return list(call.step.apply(call, *tensors))


def requires_grad(tensor: Any) -> bool:
    """Test whether a tensor requires grad, at its own level or at one inside."""
    while isinstance(tensor, Tensor):
        if tensor._edge is not None:
            return True
        tensor = tensor._array
    return False


def is_plain(tensors: Sequence[Tensor | None]) -> bool:
    """Test whether computing with these tensors needs no recording, tangents or transform levels."""
    given = [tensor for tensor in tensors if tensor is not None]
    if any(tensor._spec.level for tensor in given) or propagate.is_active():
        return False
    return not modes.state().grad_enabled or all(tensor._edge is None for tensor in given)


def put_at(found: Sequence[Any], places: Sequence[int], count: int) -> list[Any]:
    """Make a list of length `count` with the values at `places` and None elsewhere."""
    result: list[Any] = [None] * count
    for place, one in zip(places, found):
        result[place] = one
    return result


def leave_levels(tensor: Tensor, name: str) -> Tensor:
    """Unwrap a result to a plain tensor, out of the levels in which it is constant.

    Raises:
        RuntimeError: if it belongs to a level, that is, to a transform outside the foreign system.
    """
    while True:
        inner = tensor._array
        if propagate.tangents_of(tensor) or (
            tensor._spec.level and (tensor._edge is not None or not isinstance(inner, Tensor))
        ):
            raise RuntimeError(
                f"{name} has returned a tensor that a transform (of adjoint.func) outside of this call is working on, "
                "and the system that called it cannot know of that. Let it take that tensor as an argument, and use "
                "from_jax() or from_torch() around what calls that system."
            )
        if not tensor._spec.level:
            return tensor
        tensor = inner


class ParametrizedCall:
    """A call of a flat function (tensors in, a list of tensors out) that may use parameters.

    Attributes:
        found: the parameters that the function used, by id.
        parameters: those that are passed as the last inputs; versions: their version counters at that time.
    """

    def __init__(self, flat: Callable[..., list[Any]], name: str, found: dict[int, Any] | None = None) -> None:
        self.flat = flat
        self.name = name
        self.found: dict[int, Any] = {} if found is None else found
        self.parameters: list[Any] = []
        self.versions: list[int] = []
        self.recorded = False
        self._last_run: Any = None  # inputs and outputs of the last run

    def with_parameters(self, parameters: list[Any]) -> Self:
        """Return the same call with parameters among its inputs, without computing it again."""
        call = type(self)(self.flat, self.name, self.found)
        call.parameters = parameters
        call.versions = [parameter._version for parameter in parameters]
        call._last_run = self._last_run
        return call

    def check_parameters(self) -> None:
        """Raise if a parameter was written to since the forward pass: the function has to be run again."""
        for parameter, version in zip(self.parameters, self.versions):
            if parameter._version != version:
                raise RuntimeError(
                    f"{self.name} is to be differentiated again, but a parameter of shape {tuple(parameter.shape)} "
                    f"that it used has been written to since: it is at version {parameter._version}; expected version "
                    f"{version}. Write to parameters, by an optimizer's step for instance, after the last pass."
                )


def is_inexact(tensor: Any) -> bool:
    """Test whether a tensor of either library is floating point or complex."""
    return tensor.is_floating_point() or tensor.is_complex()


def partial_at(
    flat: Any, tensors: Sequence[Any], places: Sequence[int], keep_output: Any
) -> Callable[..., tuple[Any, ...]]:
    """Return the function of some arguments, with the others fixed; `keep_output` selects outputs."""

    def partial(*some: Any) -> tuple[Any, ...]:
        given = list(tensors)
        for place, tensor in zip(places, some):
            given[place] = tensor
        return tuple([output for i, output in enumerate(flat(*given)) if keep_output(i, output)])

    return partial
