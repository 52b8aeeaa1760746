"""Code that cannot be looked into, as one differentiable step: what the bridges and `wrap_numpy` share.

A call of such a function is a `ForeignCall`: it computes the outputs from the arrays inside the tensors, and knows
what pulls gradients back and what pushes tangents forward. These are calls of the same kind again, so derivatives of
any order need nothing more.

Calls over the bridge to PyTorch, in either direction: functions that use parameters beside their inputs.
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


class Bridged:
    """A function of one system that is called with the tensors of another.

    It has the name, the documentation and the signature of what it wraps, can be a method, and is pickled by reference
    where its name leads back to it (when it was used as a decorator), else by what it wraps.
    """

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        if not callable(function):
            raise TypeError(f"{type(self).public}() wraps a function, got {type(function).__name__}: {function!r:.80}")
        self.__name__ = self.__qualname__ = type(function).__name__  # of what has no name of its own, as a module
        copy_signature(self, function)
        self._options = options

    public = "bridge"  # the function by which users make one
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
    """One call of a foreign function, flat: arrays in, arrays out.

    Attributes:
        name: of the function, for messages.
        wants_zeros: whether gradients and tangents that are not there shall be zeros, not None.
        recording: whether the caller records operations.
        recorded: whether this one is, because an input requires grad; then what gradients need is worth keeping.
        constants: which outputs are known not to depend on any input, once it has been computed.
    """

    name: str = ""
    wants_zeros: bool = False
    recording: bool = False
    recorded: bool = False
    constants: Sequence[int] = ()
    step: Any = None  # the Function that it is a call of

    def value(self, arrays: list[Any]) -> list[Any]:
        """The outputs' arrays."""
        raise NotImplementedError

    def pull(self, inputs: Sequence[Tensor], grads: Sequence[Tensor | None], needed: Sequence[bool]) -> list[Any]:
        """The inputs' gradients (None where none is needed) from the outputs' (None stands for zero)."""
        raise NotImplementedError

    def push(self, inputs: Sequence[Tensor], tangents: Sequence[Tensor | None]) -> list[Any]:
        """The outputs' tangents from the inputs' (None stands for zero)."""
        raise NotImplementedError

    def batched(self, size: int, dims: Sequence[int | None], tensors: Sequence[Tensor]) -> list[Tensor]:
        """The outputs for a batch: inputs have it in these dimensions (None: not at all), outputs in their first."""
        raise NotImplementedError


class Foreign(Function):
    """A foreign call as an operation of the graph. A subclass gives the node its name."""

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
        # what a transform outside wants, it asks the call of its own level for
        needed = [need and node is not None for need, (node, _) in zip(ctx.needs_input_grad[1:], ctx.next_functions)]
        return None, *ctx.call.pull(ctx.saved_tensors, grads, needed)

    @staticmethod
    def jvp(ctx: Any, _: Any, *tangents: Any) -> Any:
        return tuple(ctx.call.push(ctx.saved_tensors, tangents))

    @staticmethod
    def vmap(info: Any, in_dims: Any, call: ForeignCall, *tensors: Any) -> Any:
        outputs = call.batched(info.batch_size, in_dims[1:], tensors)
        return tuple(outputs), (0,) * len(outputs)


def run(call: ForeignCall, tensors: Sequence[Tensor]) -> list[Tensor]:
    """The outputs of a foreign call, recorded if that is called for."""
    call.recording = modes.state.grad_enabled
    call.recorded = call.recording and any(requires_grad(tensor) for tensor in tensors)
    return list(call.step.apply(call, *tensors))


def requires_grad(tensor: Any) -> bool:
    """Whether a tensor is recorded, at its own level or at one inside."""
    while isinstance(tensor, Tensor):
        if tensor._edge is not None:
            return True
        tensor = tensor._array
    return False


def is_plain(tensors: Sequence[Tensor | None]) -> bool:
    """Whether what is computed from these tensors is seen by nobody: not recorded, no tangents, no levels."""
    given = [tensor for tensor in tensors if tensor is not None]
    if any(tensor._spec.level for tensor in given) or propagate.is_active():
        return False
    return not modes.state.grad_enabled or all(tensor._edge is None for tensor in given)


def placed(found: Sequence[Any], places: Sequence[int], count: int) -> list[Any]:
    """A list with what was found in its places and None elsewhere."""
    result: list[Any] = [None] * count
    for place, one in zip(places, found):
        result[place] = one
    return result


def leave_levels(tensor: Tensor, name: str) -> Tensor:
    """A result as a plain tensor, out of the levels that it is a constant of.

    Raises:
        RuntimeError: if it belongs to a level, that is, to a transform outside of the foreign system.
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
    """A call of a flat function of tensors, which returns a list of them.

    Attributes:
        found: the parameters that the function was seen to use, by their ids.
        parameters: those that stand among the inputs, at their end; versions: those that they had then.
    """

    def __init__(self, flat: Callable[..., list[Any]], name: str, found: dict[int, Any] | None = None) -> None:
        self.flat = flat
        self.name = name
        self.found: dict[int, Any] = {} if found is None else found
        self.parameters: list[Any] = []
        self.versions: list[int] = []
        self.recorded = False
        self._kept: Any = None  # inputs and outputs of the last run

    def with_parameters(self, parameters: list[Any]) -> Self:
        """The same call with parameters among its inputs; what has been computed is not computed again."""
        call = type(self)(self.flat, self.name, self.found)
        call.parameters = parameters
        call.versions = [parameter._version for parameter in parameters]
        call._kept = self._kept
        return call

    def check_parameters(self) -> None:
        """The function is run again: with the values that it had, or not at all."""
        for parameter, version in zip(self.parameters, self.versions):
            if parameter._version != version:
                raise RuntimeError(
                    f"{self.name} is to be differentiated again, but a parameter of shape {tuple(parameter.shape)} "
                    f"that it used has been written to since: it is at version {parameter._version}; expected version "
                    f"{version}. Write to parameters, by an optimizer's step for instance, after the last pass."
                )


def varies(tensor: Any) -> bool:
    """Whether a tensor of either library can have a gradient."""
    return tensor.is_floating_point() or tensor.is_complex()


def of_some(flat: Any, tensors: Sequence[Any], places: Sequence[int], kept: Any) -> Callable[..., tuple[Any, ...]]:
    """The function of some of its arguments, the others being fixed; `kept` chooses among its outputs."""

    def chosen(*some: Any) -> tuple[Any, ...]:
        given = list(tensors)
        for place, tensor in zip(places, some):
            given[place] = tensor
        return tuple([output for i, output in enumerate(flat(*given)) if kept(i, output)])

    return chosen
