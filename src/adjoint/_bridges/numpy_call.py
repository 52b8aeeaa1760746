"""Calls of wrapped NumPy functions: J t and J^T g from the derivative that was given.

Whatever is known of a derivative J, both J t (jvp) and J^T g (vjp) follow from it. Both are linear, so their
derivatives with respect to t and g are known too: each is the transpose of the other. Their derivatives with respect
to the arguments are known only if the given rule is itself differentiable.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from adjoint._bridges import numeric
from adjoint._bridges.jax import has_tracers, run_by_callback
from adjoint._bridges.step import ForeignCall, ForeignFunction, WrappedFunction, put_at, run
from adjoint._bridges.transfer import convert_result, find_home
from adjoint._core.gradient_fit import axes_to_sum
from adjoint._core.tensor import Tensor
from adjoint._dispatch import trees
from adjoint._dtypes import promote_types
from adjoint.arrays.batched.loop import run_per_sample, stack_results


class Arguments:
    """The arguments of a call, with replaceable tensors."""

    def __init__(self, args: Any, kwargs: Any) -> None:
        self.leaves, self.structure = trees.flatten((args, kwargs))
        self.places = [i for i, leaf in enumerate(self.leaves) if isinstance(leaf, Tensor)]
        self.tensors = [self.leaves[place] for place in self.places]
        self.kinds: list[bool] = []  # for each output whether it is differentiable; known after the first run

    def with_leaves(self, values: Sequence[Any]) -> Any:
        """Return ``(args, kwargs)`` with the tensors replaced by `values`."""
        given = list(self.leaves)
        for place, value in zip(self.places, values):
            given[place] = value
        return trees.unflatten(self.structure, given)


def _as_numpy(arrays: Sequence[Any]) -> list[Any]:
    """Convert to read-only NumPy arrays: writes would bypass the version counters."""
    result: list[Any] = []
    for array in arrays:
        view = np.asarray(find_home([array]).to_numpy(array)).view()
        view.flags.writeable = False
        result.append(view)
    return result


class NumpyFunction(ForeignFunction):
    """Graph node of a NumPy call."""


class NumpyCall(ForeignCall):
    """A call of a flat NumPy function (arrays in, a list of arrays out), with its derivative.

    Args:
        flat: the flat function.
        name: the function's name.
        bound: the arguments; their tensors are the arrays of the flat function.
        rules: the options of `wrap_numpy`.
        run_fake: computes arrays like the outputs from arrays without values.
    """

    step = NumpyFunction

    def __init__(
        self, flat: numeric.Flat, name: str, bound: Arguments, rules: dict[str, Any], run_fake: Callable[..., Any]
    ) -> None:
        self.run_fake = run_fake
        self.flat = flat
        self.name = name
        self.bound = bound
        self.rules = rules

    def value(self, arrays: list[Any]) -> list[Any]:
        if has_tracers(arrays):
            return run_by_callback(self, arrays, self.run_fake(arrays))
        home = find_home(arrays)
        given = _as_numpy(arrays)
        if self.rules.get("is_elementwise") is False:
            self.rules["is_elementwise"] = check_elementwise(self.name, self.flat, given)
        return [convert_result(output, home, arrays) for output in self.flat(*given)]

    @property
    def wants_zeros(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        return isinstance(self.rules["vjp"], WrappedFunction) or isinstance(self.rules["jvp"], WrappedFunction)

    # ---- on tensors ------------------------------------------------------------------------------------------------

    def vjp(self, inputs: Sequence[Tensor], grads: Sequence[Tensor | None], needed: Sequence[bool]) -> list[Any]:
        wanted = [i for i, need in enumerate(needed) if need and inputs[i]._spec.inexact]
        given = [i for i, grad in enumerate(grads) if grad is not None]
        if not wanted or not given:
            return [None] * len(inputs)
        rules = self.rules
        if is_elementwise_rule(rules["derivative"]):
            found: Any = [
                _sum_to_shape(grads[0] * local.conj(), inputs[i]) for i, local in self._derivatives(inputs, wanted)
            ]
        elif rules["jacobian"] is not None:
            rows = self._jacobian(inputs)
            found = [_add_terms([_block_vjp(grads[j], rows[j][i], inputs[i]) for j in given]) for i in wanted]
        elif isinstance(rules["vjp"], WrappedFunction):
            return self._call_rule("vjp", grads, inputs)
        else:
            found = run(Linear(self, True, wanted, given), [*inputs, *[grads[i] for i in given]])  # type: ignore[list-item]
        return put_at(found, wanted, len(inputs))

    def jvp(self, inputs: Sequence[Tensor], tangents: Sequence[Tensor | None]) -> list[Any]:
        moving = [i for i, tangent in enumerate(tangents) if tangent is not None and inputs[i]._spec.inexact]
        rules = self.rules
        if is_elementwise_rule(rules["derivative"]):
            return [_add_terms([local * tangents[i] for i, local in self._derivatives(inputs, moving)])]
        if rules["jacobian"] is not None:
            rows = self._jacobian(inputs)
            return [_add_terms([_block_jvp(row[i], tangents[i], inputs[i]) for i in moving]) for row in rows]
        if isinstance(rules["jvp"], WrappedFunction):
            return self._call_rule("jvp", tangents, inputs)
        outputs = [i for i, is_inexact in enumerate(self.bound.kinds) if is_inexact]
        found = run(Linear(self, False, moving, outputs), [*inputs, *[tangents[i] for i in moving]])  # type: ignore[list-item]
        return put_at(found, outputs, len(self.bound.kinds))

    def vmap(self, size: int, dims: Sequence[int | None], tensors: Sequence[Tensor]) -> list[Tensor]:
        elementwise = is_elementwise_rule(self.rules["derivative"])
        if not elementwise and (not self.rules["vectorized"] or self.rules["jacobian"] is not None):
            reason = "is not known to take batches (if it does, say vectorized=True)"
            return run_loop(self, size, dims, tensors, reason)
        rank = max([_rank(x, d) for x, d in zip(tensors, dims)]) if elementwise else None
        return run(self, [_move_batch_first(x, d, size, rank) for x, d in zip(tensors, dims)])

    def _derivatives(self, inputs: Sequence[Tensor], places: Sequence[int]) -> list[tuple[int, Any]]:
        """Compute the derivatives of an elementwise function with respect to some inputs."""
        rules = self.rules["derivative"]
        if isinstance(rules, UnknownDerivative):
            raise unknown_derivative(rules.name)
        if len(rules) != len(inputs) or len(self.bound.kinds) != 1:
            raise TypeError(
                f"{self.name} has {len(inputs)} tensors among its arguments and {len(self.bound.kinds)} outputs, but "
                f"{len(rules)} derivatives. Elementwise derivatives are given for functions with one output, as a "
                "tuple with one for each tensor."
            )
        args, kwargs = self.bound.with_leaves(inputs)
        found = [(i, rules[i](*args, **kwargs)) for i in places]
        shape = np.broadcast_shapes(*[tuple(x.shape) for x in inputs])
        for i, local in found:
            if local.ndim > len(shape) or axes_to_sum(shape, tuple(local.shape)) is None:
                raise ValueError(
                    f"the derivative of {self.name} with respect to tensor {i} has the shape {tuple(local.shape)}, "
                    f"which does not fit the shape {shape} of its arguments; there has to be a number for each element"
                )
        return found

    def _jacobian(self, inputs: Sequence[Tensor]) -> list[list[Any]]:
        """Compute the blocks of the Jacobian: for each output a list with one block for each input."""
        args, kwargs = self.bound.with_leaves(inputs)
        blocks = self.rules["jacobian"](*args, **kwargs)
        rows = [blocks] if len(self.bound.kinds) == 1 else blocks
        return [[row] if len(inputs) == 1 else list(row) for row in rows]

    def _call_rule(self, which: str, vectors: Sequence[Any], inputs: Sequence[Any]) -> list[Any]:
        """Call the user's vjp or jvp, on tensors if it accepts them, else on arrays; check what it returns."""
        args, kwargs = self.bound.with_leaves(inputs)
        result = self.rules[which](vectors[0] if len(vectors) == 1 else tuple(vectors), *args, **kwargs)
        expected = len(inputs) if which == "vjp" else len(self.bound.kinds)
        results = list(result) if isinstance(result, (tuple, list)) else [result]
        if len(results) != expected:
            what = "tensor among the arguments" if which == "vjp" else "output"
            raise ValueError(
                f"the {which} of {self.name} has to return {expected} results, one for each {what}; got {len(results)}"
            )
        if which == "vjp":
            for i, (one, x) in enumerate(zip(results, inputs)):
                if one is not None and tuple(np.shape(one)) != tuple(x.shape):
                    raise ValueError(
                        f"the vjp of {self.name} has to return a gradient of the shape {tuple(x.shape)} of its "
                        f"argument for tensor {i}; got shape {tuple(np.shape(one))}"
                    )
        return results

    # ---- on arrays: J t and J^T g from either of them ----------------------------------------------------------------

    def jvp_arrays(self, inputs: Sequence[Any], tangents: Sequence[Any]) -> list[Any]:
        rules = self.rules
        if rules["jvp"] is not None:
            return self._call_rule("jvp", _zeros_for_none(tangents, inputs), inputs)
        if rules["vjp"] is not None:
            outputs = self.flat(*inputs)
            places = [i for i, is_inexact in enumerate(self.bound.kinds) if is_inexact]

            def vjp(grads: Sequence[Any]) -> list[Any]:
                return self._call_rule("vjp", _zeros_for_none(grads, outputs), inputs)

            return put_at(numeric.vjp_from_jvp(vjp, outputs, places, tangents), places, len(outputs))
        if rules["derivative"] == "complex-step":
            return numeric.complex_step(self.flat, inputs, tangents, self.name)
        self.check_precision([x for x, tangent in zip(inputs, tangents) if tangent is not None])
        return numeric.finite_difference(self.flat, inputs, tangents, rules["step"], self.name)

    def vjp_arrays(self, inputs: Sequence[Any], grads: Sequence[Any], wanted: Sequence[int]) -> list[Any]:
        if self.rules["vjp"] is not None:
            outputs = grads if all(grad is not None for grad in grads) else self.flat(*inputs)
            found = self._call_rule("vjp", _zeros_for_none(grads, outputs), inputs)
            return [np.zeros_like(inputs[i]) if found[i] is None else found[i] for i in wanted]
        return numeric.vjp_from_jvp(lambda tangents: self.jvp_arrays(inputs, tangents), inputs, wanted, grads)

    def check_precision(self, arrays: Sequence[Any]) -> None:
        """Raise if finite differences would be taken in less than double precision."""
        if not _uses_finite_differences(self.rules):
            return
        for array in arrays:
            if array.dtype.name not in ("float64", "complex128"):
                raise TypeError(
                    f"{self.name} is differentiated by finite differences, which is meaningless in "
                    f"{array.dtype.name}: of its few digits hardly any are left in a difference. Give it float64, by "
                    "x.double(), or give its derivative to wrap_numpy()."
                )


class Linear(ForeignCall):
    """J t or J^T g of a call: linear maps that are the transpose of each other.

    Args:
        base: the call.
        transpose: whether this is J^T g.
        wanted, given: the inputs and the outputs that take part.
    """

    step = NumpyFunction

    def __init__(self, base: NumpyCall, transpose: bool, wanted: list[int], given: list[int]) -> None:
        self.base, self.transpose, self.wanted, self.given = base, transpose, wanted, given
        self.name = f"the {'vjp' if transpose else 'jvp'} of {base.name}"

    def value(self, arrays: list[Any]) -> list[Any]:
        count = len(self.base.bound.places)
        if has_tracers(arrays):
            likes = arrays[:count] if self.transpose else self.base.run_fake(arrays[:count])
            return run_by_callback(self, arrays, [likes[i] for i in (self.wanted if self.transpose else self.given)])
        home = find_home(arrays)
        own = _as_numpy(arrays)
        inputs, vectors = own[:count], own[count:]
        if self.transpose:
            grads = put_at(vectors, self.given, len(self.base.bound.kinds))
            found = self.base.vjp_arrays(inputs, grads, self.wanted)
            found = [np.asarray(one).astype(inputs[i].dtype, copy=False) for i, one in zip(self.wanted, found)]
        else:
            tangents = self.base.jvp_arrays(inputs, put_at(vectors, self.wanted, count))
            found = [np.asarray(tangents[i]) for i in self.given]
        return [convert_result(one, home, arrays) for one in found]

    def vjp(self, inputs: Sequence[Tensor], grads: Sequence[Tensor | None], needed: Sequence[bool]) -> list[Any]:
        count = len(self.base.bound.places)
        if any(needed[:count]):
            raise unknown_derivative(self.name)
        found = self._apply_to(not self.transpose, inputs[:count], grads, self.wanted if self.transpose else self.given)
        return [None] * count + found

    def jvp(self, inputs: Sequence[Tensor], tangents: Sequence[Tensor | None]) -> list[Any]:
        count = len(self.base.bound.places)
        if any(tangent is not None for tangent in tangents[:count]):
            raise unknown_derivative(self.name)
        places = self.given if self.transpose else self.wanted
        return self._apply_to(self.transpose, inputs[:count], tangents[count:], places)

    def _apply_to(self, transpose: bool, inputs: Any, vectors: Any, places: list[int]) -> list[Any]:
        """Apply the map or its transpose to other vectors, some of which may be None."""
        here = [place for place, vector in zip(places, vectors) if vector is not None]
        wanted, given = (self.wanted, here) if transpose else (here, self.given)
        call = Linear(self.base, transpose, wanted, given)
        return run(call, [*inputs, *[vector for vector in vectors if vector is not None]])

    def vmap(self, size: int, dims: Sequence[int | None], tensors: Sequence[Tensor]) -> list[Tensor]:
        if self.base.rules["vectorized"]:
            return run(self, [_move_batch_first(x, d, size, None) for x, d in zip(tensors, dims)])
        return run_loop(self, size, dims, tensors)


def unknown_derivative(name: str) -> RuntimeError:
    """Make the error for a second derivative that was not given."""
    return RuntimeError(
        f"{name} is to be differentiated itself, for a second derivative, and nothing is known of it but its values. "
        "Give wrap_numpy() a rule that can be differentiated: one that was itself made by "
        "wrap_numpy(rule, ...), with its own derivative. Or write an autograd.Function with differentiable "
        "operators."
    )


# ---- batches ---------------------------------------------------------------------------------------------------------


def run_loop(
    call: ForeignCall, size: int, dims: Sequence[int | None], tensors: Sequence[Any], reason: str = ""
) -> list[Tensor]:
    """Compute the outputs of a batch in a loop over samples."""

    def run_one(number: int) -> list[Any]:
        return run(call, [x if d is None else x.select(d, number) for x, d in zip(tensors, dims)])

    remedy = "Say vectorized=True if it takes batches."
    return stack_results(call.name, run_per_sample(call.name, size, run_one, reason=reason, remedy=remedy))


def _rank(tensor: Any, dim: int | None) -> int:
    return tensor.ndim - (dim is not None)


def _move_batch_first(tensor: Any, dim: int | None, size: int, rank: int | None) -> Any:
    """Move the batch dimension to the front, and insert dimensions of length one after it up to `rank`."""
    if dim is None:
        tensor = tensor.unsqueeze(0).expand(size, *tensor.shape)
    elif dim != 0:
        tensor = tensor.movedim(dim, 0)
    missing = 0 if rank is None else rank + 1 - tensor.ndim
    return tensor.reshape(size, *[1] * missing, *tensor.shape[1:]) if missing else tensor


# ---- helpers ---------------------------------------------------------------------------------------------------------


class UnknownDerivative:
    """Placeholder for the derivative of a rule that is a plain NumPy function; calling it raises."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise unknown_derivative(self.name)


def is_elementwise_rule(rule: Any) -> bool:
    """Test whether `derivative` is an elementwise derivative, not the name of a method."""
    return rule is not None and not isinstance(rule, str)


def _uses_finite_differences(rules: dict[str, Any]) -> bool:
    """Test whether derivatives are computed by finite differences."""
    if rules["derivative"] is not None:
        return rules["derivative"] == "finite-difference"
    return all(rules[name] is None for name in ("vjp", "jvp", "jacobian"))


def _zeros_for_none(vectors: Sequence[Any], likes: Sequence[Any]) -> list[Any]:
    return [np.zeros_like(like) if vector is None else vector for vector, like in zip(vectors, likes)]


def _add_terms(parts: Sequence[Any]) -> Any:
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def _sum_to_shape(grad: Any, like: Any) -> Any:
    """Sum a gradient over broadcast dimensions to the shape of its input; real if the input is real."""
    grad = grad.real if grad._spec.is_complex and not like._spec.is_complex else grad
    return grad if grad.shape == like.shape else grad.sum(axes_to_sum(grad.shape, like.shape)).reshape(like.shape)


def _block_vjp(grad: Any, block: Any, like: Any) -> Any:
    """Compute J^T g for one block of the Jacobian."""
    dtype = promote_types(grad.dtype, block.dtype)
    matrix = _as_matrix(block, grad.shape, like).conj().to(dtype)
    return _sum_to_shape((grad.to(dtype).reshape(1, -1) @ matrix).reshape(like.shape), like)


def _block_jvp(block: Any, tangent: Any, like: Any) -> Any:
    """Compute J t for one block of the Jacobian."""
    shape = block.shape[: block.ndim - like.ndim]
    dtype = promote_types(tangent.dtype, block.dtype)
    return (_as_matrix(block, shape, like).to(dtype) @ tangent.to(dtype).reshape(-1, 1)).reshape(shape)


def _as_matrix(block: Any, shape: Any, like: Any) -> Any:
    if tuple(block.shape) != (*shape, *like.shape):
        raise ValueError(
            f"a Jacobian has the output's shape followed by the argument's, here {(*shape, *like.shape)}; got "
            f"{tuple(block.shape)}"
        )
    return block.reshape(math.prod(shape), math.prod(like.shape))


# ---- test whether a function is elementwise ----
#
# An elementwise derivative, or a batch under `vmap`, silently gives wrong results for any other function. So a function
# is tested at its first call with several different numbers: if one element of its arguments changes, no other element
# of the result may. The new value is that of another element, which is in the function's domain.


_RTOL = 1e-5


def check_elementwise(name: str, function: Callable[..., Sequence[Any]], arrays: Sequence[Any]) -> bool:
    """Raise if a function is not elementwise; return False if these arrays cannot decide it.

    Args:
        function: takes the arrays and returns a list of one array.
    """
    shape = np.broadcast_shapes(*[array.shape for array in arrays])
    whole = [i for i, array in enumerate(arrays) if array.shape == shape]
    changes = [_swap_element(arrays, whole, index) for index in (0, -1)] if whole and np.prod(shape) > 1 else [None]
    if any(change is None for change in changes):
        return False
    before = function(*arrays)
    if len(before) != 1:
        return False  # refused elsewhere
    _check_shape(name, shape, before[0].shape)
    for index, change in zip((0, -1), changes):
        fixed = np.ones(shape, dtype=bool)
        fixed.flat[index] = False
        fixed = np.broadcast_to(fixed, before[0].shape)
        after = function(*change)[0]  # type: ignore[misc]
        if not np.allclose(after[fixed], before[0][fixed], rtol=_RTOL, atol=0, equal_nan=True):
            raise _not_elementwise_error(
                name, "when one element of its arguments changes, other elements of its result do, too"
            )
    return True


def _swap_element(arrays: Sequence[Any], whole: Sequence[int], index: int) -> list[Any] | None:
    """Copy the arrays with the first or last element replaced by a different one; None if all are equal."""
    differs = np.zeros(arrays[whole[0]].shape, dtype=bool)
    for i in whole:
        differs |= arrays[i] != arrays[i].flat[index]
    if not differs.any():
        return None
    other = np.flatnonzero(differs)[0]
    changed = list(arrays)
    for i in whole:
        changed[i] = arrays[i].copy()
        changed[i].flat[index] = arrays[i].flat[other]
        changed[i].flags.writeable = False
    return changed


def _check_shape(name: str, given: tuple[int, ...], found: tuple[int, ...]) -> None:
    try:
        fits = np.broadcast_shapes(given, found) == found
    except ValueError:
        fits = False
    if not fits:
        raise _not_elementwise_error(
            name, f"its result has the shape {found}, and its arguments together the shape {given}"
        )


def _not_elementwise_error(name: str, why: str) -> TypeError:
    return TypeError(
        f"{name} does not work element by element: {why}. So there is no derivative for each element; give "
        "wrap_numpy() a vjp=, jvp= or jacobian= instead of derivative=."
    )
