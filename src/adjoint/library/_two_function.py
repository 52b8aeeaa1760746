"""Two-function style of registration: one function returns what to save, the other computes gradients, by name.

    @op.impl_save_for_backward
    def save(inputs, output):           # inputs by name: inputs.x
        return {"x": inputs.x}          # any nested containers of anything

    @op.impl_backward(output_differentiability=[True])
    def backward(ctx, saved, grad):
        return {"x": grad * saved["x"].cos()}

Each function is registered once; errors name the operator and the line of the registration.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from adjoint._core.signature import signature_of
from adjoint._core.tensor import Tensor
from adjoint.library._call import OperatorCall, describe, pack, tensors_of
from adjoint.library._errors import ArgumentError, RegistrationError, caller_location, location_of
from adjoint.library._schema import Schema


class TwoFunctionStyle:
    """Mixin of `CustomOpDef`: registration in the two-function style."""

    schema: Schema
    qualname: str
    formula: Any
    kernels: dict[str | None, Any]
    fake_rule: Any
    register_kernel: Callable[..., Any]
    register_fake: Callable[..., Any]
    _refuse_formula: Callable[[str], None]

    def _init_two_function(self) -> None:
        self._places: dict[str, str] = {}  # where the functions of this style were registered
        self._halves: dict[str, Callable[..., Any]] = {}
        self._differentiability: list[bool] | None = None

    def impl(self, device_types: str | Iterable[str] = ("cpu", "cuda")) -> Any:
        """Register a kernel for device types or array libraries, once for each; a decorator.

        Args:
            device_types: as for `register_kernel`.
        """
        if callable(device_types):
            return self.impl()(device_types)
        names = (device_types,) if isinstance(device_types, str) else tuple(device_types)

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            for name in names:
                self._refuse_second(f"kernel for {name!r}")
            return self.register_kernel(names, function)

        return register

    def impl_factory(self, func: Callable[..., Any] | None = None) -> Any:
        """Register the kernel of an operator that takes no tensors; a decorator."""

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            self._refuse_second("factory kernel")
            return self.register_kernel(None, function)

        return register if func is None else register(func)

    def impl_abstract(self, func: Callable[..., Any] | None = None) -> Any:
        """Register the fake function, as `register_fake` does, but only once."""

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            self._refuse_second("abstract function")
            return self.register_fake(function)

        return register if func is None else register(func)

    def impl_save_for_backward(self, func: Callable[..., Any] | None = None) -> Any:
        """Register the function that returns what to save for backward; a decorator.

        Args:
            func: ``func(inputs, output)``, where the inputs are a named tuple, returns anything: tensors, other
                objects, or containers of them.
        """

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            return self._add_half("save_for_backward", function)

        return register if func is None else register(func)

    def impl_backward(self, output_differentiability: Any = None, func: Callable[..., Any] | None = None) -> Any:
        """Register the backward function; a decorator.

        Args:
            output_differentiability: for each result whether it is differentiable; by default all tensors are.
            func: ``func(ctx, saved, *grads)`` gets what was saved and a gradient for each result, and returns a
                dictionary with a gradient for each argument that is a tensor, by name: a Tensor, None, or for a list of
                tensors a list of those.
        """
        if callable(output_differentiability):
            return self.impl_backward(None, output_differentiability)
        self._check_differentiability(output_differentiability)

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            self._differentiability = output_differentiability
            return self._add_half("backward", function)

        return register if func is None else register(func)

    def _check_differentiability(self, given: Any) -> None:
        if given is None:
            return
        returns = self.schema.returns
        right = isinstance(given, (list, tuple)) and all(isinstance(one, bool) for one in given)
        if not right or len(given) != len(returns):
            raise RegistrationError(
                f"impl_backward of {self.qualname} at {caller_location()}: output_differentiability has to be a list "
                f"of {len(returns)} bools, one for each result of {self.schema}, got {given!r}"
            )
        for number, (one, result) in enumerate(zip(given, returns)):
            if one and not result.type.is_tensor_like:
                raise RegistrationError(
                    f"impl_backward of {self.qualname} at {caller_location()}: result {number} is a {result.type}, not "
                    "a Tensor, so it cannot be marked as differentiable in output_differentiability"
                )

    def _refuse_second(self, what: str) -> None:
        """Record a registration; raise if it was made before."""
        earlier = self._places.get(what)
        if earlier is not None:
            raise RegistrationError(
                f"{self.qualname} has a {what} already, registered at {earlier}; now again at {caller_location()}"
            )
        self._places[what] = caller_location()

    def _check_parameters(self, which: str, function: Callable[..., Any]) -> None:
        results = len(self.schema.returns)
        wanted = "(inputs, output)" if which == "save_for_backward" else f"(ctx, saved, and {results} gradients)"
        try:
            parameters = signature_of(function)
        except ValueError:  # some builtin functions have no signature
            return
        try:
            parameters.bind(*[None] * (2 if which == "save_for_backward" else 2 + results))
        except TypeError as error:
            raise RegistrationError(
                f"impl_{which} of {self.qualname} at {caller_location()}: the function is called with {wanted}, but "
                f"{location_of(function)} takes {parameters} ({error})"
            ) from None

    def _add_half(self, which: str, function: Callable[..., Any]) -> Callable[..., Any]:
        if not callable(function):
            raise TypeError(f"impl_{which} of {self.qualname} needs a function, got {type(function).__name__}")
        self._refuse_formula(f"impl_{which}")
        if not self.schema.returns:
            raise RegistrationError(f"impl_{which}: {self.qualname} ({self.schema}) returns nothing to differentiate")
        self._check_parameters(which, function)
        if self.formula is not None and not isinstance(self.formula, NamedGradients):
            raise RegistrationError(
                f"impl_{which}: {self.qualname} has a formula by register_autograd already, registered at "
                f"{self.formula.location}"
            )
        self._refuse_second(which)
        self._halves[which] = function
        self.formula = NamedGradients(self._halves, self._places, self._differentiability)
        return function


class NamedGradients:
    """The formula of an operator in this style; complete once both functions are registered."""

    def __init__(
        self, halves: dict[str, Callable[..., Any]], places: dict[str, str], differentiability: Sequence[bool] | None
    ) -> None:
        self.halves = dict(halves)
        self.places = dict(places)
        self.differentiability = differentiability

    @property
    def location(self) -> str:
        return self.places.get("backward", self.places.get("save_for_backward", "<unknown>"))

    def check_complete(self, op: Any) -> None:
        """Raise if only one of the two functions is registered."""
        if len(self.halves) < 2:
            found = next(iter(self.halves))
            missing = "backward" if found == "save_for_backward" else "save_for_backward"
            raise RegistrationError(
                f"{op.qualname} has a {found!r} function, registered at {self.places[found]}, but no {missing!r} "
                f"function, and a gradient needs both; register it with impl_{missing}"
            )

    def set_up(self, ctx: Any, call: OperatorCall, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        self.check_complete(call.op)
        output = pack(call.op.schema, outputs)
        saved = self.halves["save_for_backward"](_make_named_inputs(call.op.schema, inputs), output)
        ctx._saved_tree = _save(ctx, saved)
        if self.differentiability is not None:
            constant = [value for yes, value in zip(self.differentiability, outputs) if not yes]
            ctx.mark_non_differentiable(*tensors_of(constant))

    def gradients(self, ctx: Any, call: OperatorCall, grads: Sequence[Any]) -> list[Any]:
        """Compute a gradient (or None) for each tensor among the arguments."""
        returned = self.halves["backward"](_EmptyContext(), _restore(ctx, ctx._saved_tree), *grads)
        arguments = call.op.schema.arguments
        self._check_keys(call.op, returned)
        found: list[Any] = []
        for place, argument in enumerate(arguments):
            if argument.type.is_tensor_like:
                value = returned[argument.name]
                found += call.gradients_of(place, value, argument, lambda what: self.error(call.op, what))
        return found

    def _check_keys(self, op: Any, returned: Any) -> None:
        if not isinstance(returned, dict):
            raise self.error(op, f"it has to return a dict of argument names to gradients, got {describe(returned)}")
        wanted = [argument.name for argument in op.schema.arguments if argument.type.is_tensor_like]
        if set(wanted) != set(returned):
            raise self.error(
                op,
                f"the returned dict has to have exactly the keys {wanted}, the arguments that are tensors or lists of "
                f"them (None is allowed as a gradient), but it has {list(returned)}",
            )

    def error(self, op: Any, what: str) -> ArgumentError:
        function = self.halves["backward"]
        return ArgumentError(
            f"the backward function of {op.qualname}, {location_of(function)}, registered at "
            f"{self.places['backward']}: {what}"
        )


class _EmptyContext:
    """The `ctx` of a backward function; it has no attributes yet."""


_TENSOR = object()


def _save(ctx: Any, saved: Any) -> Any:
    """Save nested containers; their tensors by `save_for_backward`, so that version checks apply."""
    import optree

    leaves, structure = optree.tree_flatten(saved, none_is_leaf=True)
    ctx.save_for_backward(*[leaf for leaf in leaves if isinstance(leaf, Tensor)])
    return structure, [_TENSOR if isinstance(leaf, Tensor) else leaf for leaf in leaves]


def _restore(ctx: Any, tree: Any) -> Any:
    import optree

    structure, leaves = tree
    tensors = iter(ctx.saved_tensors)
    return optree.tree_unflatten(structure, [next(tensors) if leaf is _TENSOR else leaf for leaf in leaves])


_classes: dict[str, Any] = {}


def _make_named_inputs(schema: Schema, inputs: Sequence[Any]) -> Any:
    """Make a named tuple of the arguments."""
    key = str(schema)
    kind = _classes.get(key)
    if kind is None:
        title = schema.name.partition("::")[2] + "_args"
        kind = collections.namedtuple(title, [one.name for one in schema.arguments], rename=True)
        _classes[key] = kind
    return kind(*inputs)
