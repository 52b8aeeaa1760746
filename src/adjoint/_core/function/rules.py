"""Derivative rules of a custom Function: VJP and JVP, declared or derived from each other.

Note [One rule, all modes]
A derivative is a linear map, J; reverse mode needs its transpose. Where a Function declares only one of the two, the
other one is derived by differentiating the declared rule with respect to the argument it is linear in:

    backward from jvp        J^T g is the gradient of t -> <jvp(t), g>
    jvp from backward        J t is the gradient of v -> <backward(v), t>
    a linear Function        J t is forward(t), so that neither rule has to be written

This needs rules that are linear and written with differentiable operators. One that is not (because it uses NumPy, for
instance) cannot be transposed, and that is an error, never a zero gradient: see Note [Dot product test].
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Generator, Sequence
from typing import Any

from numpy import arange, array_equal, ndarray

from adjoint._core import modes
from adjoint._core.forward.dual_levels import open_levels
from adjoint._core.forward.tangents import keep_tangents_only, separate, shares_tangents, tangent_of
from adjoint._core.levels import create_tensors_at, lower_constant
from adjoint._core.tensor import Tensor
from adjoint._core.transpose import agree, forward_mode_off, make_probe, shows_values, transpose, zeros_of
from adjoint._core.views.history import base_of, replay_raw, view_of
from adjoint._core.views.versions import version_of

# ---- arguments -------------------------------------------------------------------------------------------------------


def map_tensors(function: Callable[..., Any], value: Any, flags: Any = None) -> Any:
    """Apply a function to a tensor, or to the tensors inside lists, tuples and dictionaries.

    Args:
        flags: a second argument for the function: nested like the value, or one for all tensors.
    """
    if isinstance(value, Tensor):
        return function(value) if flags is None else function(value, flags)
    if isinstance(value, dict):
        return {key: map_tensors(function, item, _flags_at(flags, key)) for key, item in value.items()}  # pyright: ignore
    if not isinstance(value, (list, tuple)):
        return value
    items: list[Any] = [map_tensors(function, item, _flags_at(flags, i)) for i, item in enumerate(value)]  # pyright: ignore
    return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)  # pyright: ignore


def _flags_at(flags: Any, key: Any) -> Any:
    return flags[key] if isinstance(flags, (list, tuple, dict)) else flags  # pyright: ignore


def split_named(values: Sequence[Any], names: Sequence[str]) -> tuple[Sequence[Any], dict[str, Any]]:
    """Split arguments, the last of which have names, into positional and keyword arguments."""
    count = len(values) - len(names)
    return values[:count], dict(zip(names, values[count:]))


def tensors_in(values: Any) -> list[Tensor]:
    """List the tensors among arguments, also those inside lists, tuples and dictionaries."""
    found: list[Tensor] = []
    map_tensors(found.append, values)
    return found


def level_of(values: Any) -> Any:
    """Return the highest level of the tensors among arguments."""
    return max([tensor._spec.level for tensor in tensors_in(values)], default=0)


# ---- declared rules --------------------------------------------------------------------------------------------------


def no_backward(ctx: Any, *grad_outputs: Any) -> Any:
    """Vector-Jacobian product: gradients of the arguments from those of the outputs; to be overridden.

    Args:
        ctx: the context that `forward` or `setup_context` has filled.
        grad_outputs: one for each output; None for one that is no tensor.

    Returns:
        One gradient for each argument of `forward`: a tensor or None. A single one need not be in a tuple.
    """
    raise NotImplementedError(
        f"{type(ctx).__name__} has no rule for reverse mode: write backward (or vjp), or a jvp that uses "
        "differentiable operators, from which it follows"
    )


def no_jvp(ctx: Any, *grad_inputs: Any) -> Any:
    """Jacobian-vector product: tangents of the outputs from those of the arguments; to be overridden.

    Args:
        ctx: the context that `forward` or `setup_context` has filled.
        grad_inputs: one for each argument; None for one that is no tensor.

    Returns:
        One tangent for each output: a tensor or None. A single one need not be in a tuple.
    """
    raise NotImplementedError(
        f"{type(ctx).__name__} has no rule for forward mode: write jvp, or a backward that uses differentiable "
        "operators, from which it follows"
    )


def has_vjp(function: Any) -> bool:
    return function.backward is not no_backward or function.vjp is not no_backward


def has_jvp(function: Any) -> bool:
    return function.jvp is not no_jvp


def vjp_of(function: Any) -> Callable[..., Any]:
    """Return the rule for reverse mode: declared, or derived from jvp or forward."""
    backward, vjp = function.backward, function.vjp
    if vjp is no_backward:
        if backward is not no_backward:
            return backward
        if has_jvp(function):
            return functools.partial(_transpose_map, function, _JvpMap(function))
        if function.linear:
            return functools.partial(_transpose_map, function, _ForwardMap(function))
        return backward
    if backward is not no_backward:
        raise RuntimeError(
            f"{function.__name__} defines both backward and vjp, which mean the same; define one of them"
        )
    return vjp


def tensors_to_save(function: Any, ctx: Any, args: Sequence[Any]) -> Sequence[Any]:
    """Return the tensors that a node has to save for the rule that it will use."""
    if not has_vjp(function):
        if has_jvp(function):
            return ctx.saved_for_forward or ()
        if function.linear:  # the arguments that are not replaced by tangents
            return [arg if isinstance(arg, Tensor) and not arg._spec.inexact else None for arg in args]
    return ctx.to_save or ()


def keep_for_derived_rules(function: Any, ctx: Any, args: Sequence[Any]) -> None:
    """Store in ctx the metadata of the arguments that the transpose of a jvp needs."""
    if not has_vjp(function):
        ctx._arguments = [arg._spec if isinstance(arg, Tensor) else arg for arg in args]
        ctx._are_tensors = [isinstance(arg, Tensor) for arg in args]


# ---- reverse mode from forward mode ----------------------------------------------------------------------------------


class _JvpMap:
    """The linear map of a Function's jvp, from tangents to tangents."""

    def __init__(self, function: Any) -> None:
        self.function = function
        self.what = "jvp"

    def __call__(self, ctx: Any, tangents: list[Any]) -> tuple[Any, ...]:
        return as_tuple(self.function.jvp(ctx, *tangents))


class _ForwardMap:
    """The linear map of a linear Function's forward."""

    def __init__(self, function: Any) -> None:
        self.function = function
        self.what = "forward"

    def __call__(self, ctx: Any, tangents: list[Any]) -> tuple[Any, ...]:
        constants = ctx.saved_tensors
        given = [
            constant if constant is not None else argument if not is_tensor else tangent
            for constant, argument, is_tensor, tangent in zip(constants, ctx._arguments, ctx._are_tensors, tangents)
        ]
        return _rerun_forward(self.function, ctx, given)


def _rerun_forward(function: Any, ctx: Any, values: Sequence[Any]) -> tuple[Any, ...]:
    """Run forward on other values, with a scratch ctx."""
    positional, named = split_named(values, ctx._names)
    if function.has_setup_context():
        return as_tuple(function.forward(*positional, **named))
    scratch = object.__new__(function._classes()[0])
    scratch.needs_input_grad = ctx.needs_input_grad
    return as_tuple(function.forward(scratch, *positional, **named))


def check_linear(function: Any, ctx: Any, args: Sequence[Any], outputs: Sequence[Any]) -> None:
    """Raise if a Function declared linear, without another rule, is not; tested at its first call."""
    if has_vjp(function) or has_jvp(function) or function.__dict__.get("_was_linear"):
        return
    tensors: list[Any] = [one for one in outputs if isinstance(one, Tensor) and one._spec.inexact]
    if not all(shows_values(one) for one in tensors):
        return
    with modes.no_grad(), forward_mode_off():
        given: list[Any] = [arg * -2 if isinstance(arg, Tensor) and arg._spec.inexact else arg for arg in args]
        returned = _rerun_forward(function, ctx, given)
        again = [one for one in returned if isinstance(one, Tensor) and one._spec.inexact]
        weights = [make_probe(one._spec, ()) for one in tensors]
        is_linear = agree(zip(again, weights), [(one * -2, weight) for one, weight in zip(tensors, weights)])
    if not is_linear:
        raise RuntimeError(
            f"{function.__name__} says that it is linear, but forward(-2 * x) is not -2 * forward(x). It has to be "
            "linear in all its floating point arguments together (a product of two of them is not) and without an "
            "offset. Write backward or jvp, and do not set linear."
        )
    function._was_linear = True


def as_tuple(value: Any) -> tuple[Any, ...]:
    """Convert a single result to a tuple of one."""
    return value if isinstance(value, tuple) else (value,)  # pyright: ignore


def _transpose_map(function: Any, linear_map: Any, ctx: Any, *grads: Any) -> tuple[Any, ...]:
    """Compute J^T g by transposing J."""
    create_graph = modes.state().grad_enabled
    if function.boxed_grads_call:
        (grads,) = grads
    needs = ctx.needs_input_grad
    with modes.record_all_levels():
        wanted: list[Any] = [make_probe(spec, grads) for spec, needed in zip(ctx._arguments, needs) if needed]
        clones = iter([probe.clone() for probe in wanted])  # which the rule may change in place
        tangents = [
            next(clones) if needed else _constant_tangent(ctx, spec, is_tensor)
            for needed, spec, is_tensor in zip(needs, ctx._arguments, ctx._are_tensors)
        ]
        level = level_of(wanted)
        pushed = [lower_constant(one, level) for one in linear_map(ctx, tangents)]
        _check_count(function, linear_map.what, pushed, len(grads))
        error = functools.partial(_transpose_error, function, "reverse", linear_map.what, "backward")
        found = transpose(pushed, grads, wanted, create_graph=create_graph, error=error)
    return tuple(found.pop(0) if needed else None for needed in needs)


def _transpose_error(function: Any, mode: str, rule: str, missing: str) -> NotImplementedError:
    return NotImplementedError(
        f"{function.__name__} has no rule for {mode} mode, and none follows from its {rule}: either that does not "
        "compute with differentiable operators alone (NumPy, detach() or once_differentiable cuts the graph), or it is "
        f"not linear in what it is given; write {missing}"
    )


def _constant_tangent(ctx: Any, spec: Any, is_tensor: bool) -> Any:
    return zeros_of(spec) if is_tensor and spec.inexact and ctx.materialize_grads else None


@contextlib.contextmanager
def explain_unsaved(ctx: Any) -> Generator[None]:
    """Add a hint to an error of a jvp that looks for what was saved for backward only."""
    try:
        yield
    except Exception as error:
        if ctx.to_save and ctx.saved_for_forward is None:
            error.add_note(
                f"ctx.saved_tensors of {type(ctx).__name__} is empty in jvp: it holds what was saved by "
                "save_for_forward. What save_for_backward saves is for backward only."
            )
        raise


def _check_count(function: Any, what: str, values: Sequence[Any], count: int) -> None:
    if len(values) != count:
        raise RuntimeError(
            f"{function.__name__}.{what} returned {len(values)} value(s), but forward returned {count} output(s); "
            "there has to be one for each, None for what has no tangent"
        )
    for index, value in enumerate(values):
        if value is not None and not isinstance(value, Tensor) and what == "jvp":
            raise RuntimeError(
                f"{function.__name__}.{what} returned a {type(value).__name__} at index {index}; a tangent has to be a "
                "Tensor or None"
            )


# ---- forward mode ----------------------------------------------------------------------------------------------------


class TangentRule:
    """The forward-mode rule of one call of a Function, with an operator's attributes; see `propagate.propagate`.

    Attributes:
        outputs: the outputs; dirty and fixed: for each, whether it was marked dirty or non-differentiable.
        tensors, tensor_positions: names and positions of the arguments that are tensors.
    """

    is_view = False

    def __init__(
        self, function: Any, ctx: Any, args: Sequence[Any], outputs: Sequence[Any], dirty: Any, fixed: Any
    ) -> None:
        self.function = function
        self.dirty = dirty
        self.fixed = fixed
        self.ctx = ctx
        self.args = args
        self.outputs = outputs
        self.tensor_positions = tuple(place for place, arg in enumerate(args) if isinstance(arg, Tensor))
        self.tensors = tuple(str(place) for place in self.tensor_positions)

    def tangents(self, values: Any, outputs: list[Tensor], incoming: dict[str, Any]) -> list[Any]:
        """Compute the tangents of the outputs that are tensors from those of the arguments, by name."""
        function, ctx = self.function, self.ctx
        given = [incoming.get(str(place)) for place in range(len(self.args))]
        if has_jvp(function):
            found = self._call_jvp(given)
        elif has_vjp(function):
            found = self._transpose_vjp(given)
        elif function.linear:
            positional, named = split_named(self._tangents_as_arguments(given), ctx._names)
            found = as_tuple(function.apply(*positional, **named))
        else:
            return no_jvp(ctx)
        results: list[Any] = []
        for tangent, output, dirty, fixed in zip(found, self.outputs, self.dirty, self.fixed):
            if isinstance(output, Tensor):
                # an argument modified in place may have had a tangent, which is overwritten by zeros
                gone = dirty and output._spec.inexact and (fixed or tangent is None)
                tangent = zeros_of(output._spec) if gone else None if fixed else tangent
                results.append(tangent if dirty else _share_or_separate(output, tangent))
        return results

    def _call_jvp(self, incoming: list[Any]) -> tuple[Any, ...]:
        function, ctx = self.function, self.ctx
        given = incoming
        if ctx.materialize_grads:
            given = [
                zeros_of(arg._spec) if t is None and isinstance(arg, Tensor) and arg._spec.inexact else t
                for t, arg in zip(incoming, self.args)
            ]
        versions = [None if t is None else version_of(t._versions) for t in incoming]
        with self._rule_context(ctx.saved_for_forward), explain_unsaved(ctx):
            level = level_of((given, self.args))
            found = tuple([lower_constant(one, level) for one in as_tuple(function.jvp(ctx, *given))])
        _check_count(function, "jvp", found, len(self.outputs))
        for index, (tangent, output) in enumerate(zip(found, self.outputs)):
            if tangent is not None:
                self._check_tangent(index, tangent, output)
            if isinstance(output, Tensor) and not function.is_version:
                self._check_sharing(index, tangent, incoming, versions)
        return found

    def _check_tangent(self, index: int, tangent: Any, output: Any) -> None:
        """Raise if an output has no tangent, or one of another shape."""
        name = self.function.__name__
        if not isinstance(output, Tensor) or not output._spec.inexact or self.fixed[index]:
            kind = "no Tensor" if not isinstance(output, Tensor) else "a Tensor that is not differentiable"
            raise RuntimeError(
                f"{name}.jvp returned a tangent at index {index}, where forward returned {kind}; return None there"
            )
        if output._spec.shape != tangent._spec.shape:
            raise RuntimeError(
                f"{name}.jvp returned a tangent of shape {tangent._spec.shape} at index {index}, where the output has "
                f"shape {output._spec.shape}"
            )

    def _check_sharing(self, index: int, tangent: Any, incoming: list[Any], versions: list[Any]) -> None:
        """Raise unless a tangent shares memory with an argument's tangent as the output does with the argument.

        An argument that forward changed in place needs its tangent changed in place, a view of an argument a view of
        its tangent: later writes to one of the two tensors then change the tangents of both. Arguments without a
        tangent have none to share; inside transforms views are copies anyway.
        """
        output, name = self.outputs[index], self.function.__name__
        for arg, given, version in zip(self.args, incoming, versions):
            if given is None:
                continue
            if self.dirty[index] and arg is output:
                if tangent is not given or version_of(given._versions) == version:
                    raise RuntimeError(
                        f"{name}.forward changes an argument in place (output {index}), so its jvp has to change the "
                        "tangent of that argument in place, too, and return it"
                    )
            elif (
                tangent is not None
                and view_of(output) is not None
                and base_of(output) is base_of(arg)
                and (view_of(tangent) is None or base_of(tangent) is not base_of(given))
                and not open_levels[modes.thread.rule_level].of_transform
            ):
                raise RuntimeError(
                    f"{name}.forward returns an argument or a view of it (output {index}), so its jvp has to return a "
                    "view of the tangent of that argument; return tangent.view_as(tangent), or let forward return a "
                    "clone()"
                )

    def _tangents_as_arguments(self, given: list[Any]) -> list[Any]:
        return [
            arg if not isinstance(arg, Tensor) or not arg._spec.inexact else zeros_of(arg._spec) if t is None else t
            for arg, t in zip(self.args, given)
        ]

    @contextlib.contextmanager
    def _rule_context(self, saved: tuple[Any, ...] | None) -> Generator[None]:
        """Run a rule with these saved tensors, and not at the level of an enclosing transform."""
        before, self.ctx._live = self.ctx._live, saved or ()
        try:
            with create_tensors_at(0):
                yield
        finally:
            self.ctx._live = before

    def _transpose_vjp(self, given: list[Any]) -> list[Any]:
        """Compute J t as the gradient of v -> <backward(v), t>."""
        ctx = self.ctx
        error = functools.partial(_transpose_error, self.function, "forward", "backward", "jvp")
        if getattr(vjp_of(self.function), "is_once_only", False):
            raise error()
        needs, ctx.needs_input_grad = ctx.needs_input_grad, tuple(t is not None for t in given)
        try:
            with self._rule_context(ctx.to_save), modes.record_all_levels():
                probes: list[Any] = [
                    make_probe(output._spec, given) if isinstance(output, Tensor) and output._spec.inexact else None
                    for output in self.outputs
                ]
                pulled = self._call_vjp([None if probe is None else probe.clone() for probe in probes], given)
                found = transpose(pulled, given, probes, create_graph=True, error=error)
        finally:
            ctx.needs_input_grad = needs
        if self._is_recorded(given):
            return found
        return [None if one is None else keep_tangents_only(one) for one in found]

    def _call_vjp(self, grads: list[Any], given: list[Any]) -> list[Any]:
        """Call backward with some gradients."""
        vjp = vjp_of(self.function)
        pulled = as_tuple(vjp(self.ctx, list(grads)) if self.function.boxed_grads_call else vjp(self.ctx, *grads))
        if len(pulled) < len(given):
            raise RuntimeError(
                f"{self.function.__name__}.backward returned {len(pulled)} gradient(s) for {len(given)} argument(s)"
            )
        level = level_of((grads, given))
        return [lower_constant(one, level) for one in pulled]

    def _is_recorded(self, given: list[Any]) -> bool:
        level = max(value._spec.level for value in self.args if isinstance(value, Tensor))
        return modes.records(int(level)) and any(
            isinstance(value, Tensor) and value._edge is not None for value in (*self.args, *given)
        )


def _share_or_separate(output: Tensor, tangent: Any) -> Any:
    """Let a view share its base's tangent, if its own is the same view of that; else separate the two.

    Writes to a view or its base change the tangents of both if they are shared.
    """
    if shares_tangents(output):
        stamp = modes.thread.rule_level
        shared = tangent_of(output, stamp)
        if shared is None or tangent is None or not _is_same_view(shared, tangent):
            separate(output, stamp)
    return tangent


def _is_same_view(a: Any, b: Any) -> bool:
    """Test whether two tensors show the same elements of the same memory."""
    if type(a._array) is ndarray and type(b._array) is ndarray:
        return a._array.__array_interface__ == b._array.__array_interface__
    one, other = view_of(a), view_of(b)
    if one is None or other is None or one.base is not other.base:
        return a is b
    spec = one.base._spec
    is_equal = tuple(one.chain) == tuple(other.chain)
    if is_equal or spec.is_complex:  # views of complex numbers may be real, which positions are not
        return is_equal
    positions = arange(spec.size).reshape(spec.shape)
    return array_equal(replay_raw(one.chain, positions), replay_raw(other.chain, positions))
