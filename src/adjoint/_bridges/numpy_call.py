"""A call of a NumPy function with what is known of its derivative.

Whatever is known of a derivative J, J t for a tangent t and J^T g for a gradient g both follow from it, and both are
linear; so the derivatives of these two with respect to t and g are known as well, each being the transpose of the
other. With respect to the arguments they are known only where the user has said more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from adjoint._bridges import numeric
from adjoint._bridges.jax import any_traced, traced
from adjoint._bridges.step import Bridged, Foreign, ForeignCall, placed, run
from adjoint._bridges.transfer import brought_home, home_of
from adjoint._core.gradient_fit import axes_to_sum
from adjoint._core.tensor import Tensor
from adjoint._dispatch import trees
from adjoint._dtypes import promote_types
from adjoint.arrays.batched.loop import run_per_sample, stack_results


class Arguments:
    """The arguments of a call, whose tensors can be replaced."""

    def __init__(self, args: Any, kwargs: Any) -> None:
        self.leaves, self.structure = trees.flatten((args, kwargs))
        self.places = [i for i, leaf in enumerate(self.leaves) if isinstance(leaf, Tensor)]
        self.tensors = [self.leaves[place] for place in self.places]
        self.kinds: list[bool] = []  # for each output whether it has a derivative; known after the first run

    def with_leaves(self, values: Sequence[Any]) -> Any:
        """``(args, kwargs)`` with these values for the tensors."""
        given = list(self.leaves)
        for place, value in zip(self.places, values):
            given[place] = value
        return trees.unflatten(self.structure, given)


def _as_numpy(arrays: Sequence[Any]) -> list[Any]:
    """The values as arrays of NumPy that cannot be written to: the tensors would not know."""
    result: list[Any] = []
    for array in arrays:
        view = np.asarray(home_of([array]).to_numpy(array)).view()
        view.flags.writeable = False
        result.append(view)
    return result


class NumpyFunction(Foreign):
    """A call of NumPy as an operation of the graph."""


class NumpyCall(ForeignCall):
    """A call of a flat function of NumPy arrays, with what is known of its derivative.

    Args:
        flat: takes arrays and returns a list of them.
        name: of the function.
        bound: the arguments, of which the arrays are the tensors.
        rules: what `wrap_numpy` was given.
        imagined: what gives arrays like the outputs, from arrays whose values do not count.
    """

    step = NumpyFunction

    def __init__(
        self, flat: numeric.Flat, name: str, bound: Arguments, rules: dict[str, Any], imagined: Callable[..., Any]
    ) -> None:
        self.imagined = imagined
        self.flat = flat
        self.name = name
        self.bound = bound
        self.rules = rules

    def value(self, arrays: list[Any]) -> list[Any]:
        if any_traced(arrays):
            return traced(self, arrays, self.imagined(arrays))
        home = home_of(arrays)
        given = _as_numpy(arrays)
        if self.rules.get("is_elementwise") is False:
            self.rules["is_elementwise"] = check_elementwise(self.name, self.flat, given)
        return [brought_home(output, home, arrays) for output in self.flat(*given)]

    @property
    def wants_zeros(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        return isinstance(self.rules["vjp"], Bridged) or isinstance(self.rules["jvp"], Bridged)

    # ---- on tensors ------------------------------------------------------------------------------------------------

    def pull(self, inputs: Sequence[Tensor], grads: Sequence[Tensor | None], needed: Sequence[bool]) -> list[Any]:
        wanted = [i for i, need in enumerate(needed) if need and inputs[i]._spec.inexact]
        given = [i for i, grad in enumerate(grads) if grad is not None]
        if not wanted or not given:
            return [None] * len(inputs)
        rules = self.rules
        if is_local(rules["derivative"]):
            found: Any = [_summed(grads[0] * local.conj(), inputs[i]) for i, local in self._locals(inputs, wanted)]
        elif rules["jacobian"] is not None:
            rows = self._jacobian(inputs)
            found = [_sum_of([_pulled(grads[j], rows[j][i], inputs[i]) for j in given]) for i in wanted]
        elif isinstance(rules["vjp"], Bridged):
            return self._by_rule("vjp", grads, inputs)
        else:
            found = run(Linear(self, True, wanted, given), [*inputs, *[grads[i] for i in given]])  # type: ignore[list-item]
        return placed(found, wanted, len(inputs))

    def push(self, inputs: Sequence[Tensor], tangents: Sequence[Tensor | None]) -> list[Any]:
        moving = [i for i, tangent in enumerate(tangents) if tangent is not None and inputs[i]._spec.inexact]
        rules = self.rules
        if is_local(rules["derivative"]):
            return [_sum_of([local * tangents[i] for i, local in self._locals(inputs, moving)])]
        if rules["jacobian"] is not None:
            rows = self._jacobian(inputs)
            return [_sum_of([_pushed(row[i], tangents[i], inputs[i]) for i in moving]) for row in rows]
        if isinstance(rules["jvp"], Bridged):
            return self._by_rule("jvp", tangents, inputs)
        outputs = [i for i, varies in enumerate(self.bound.kinds) if varies]
        found = run(Linear(self, False, moving, outputs), [*inputs, *[tangents[i] for i in moving]])  # type: ignore[list-item]
        return placed(found, outputs, len(self.bound.kinds))

    def batched(self, size: int, dims: Sequence[int | None], tensors: Sequence[Tensor]) -> list[Tensor]:
        elementwise = is_local(self.rules["derivative"])
        if not elementwise and (not self.rules["vectorized"] or self.rules["jacobian"] is not None):
            reason = "is not known to take batches (if it does, say vectorized=True)"
            return run_looped(self, size, dims, tensors, reason)
        rank = max([_rank(x, d) for x, d in zip(tensors, dims)]) if elementwise else None
        return run(self, [_in_front(x, d, size, rank) for x, d in zip(tensors, dims)])

    def _locals(self, inputs: Sequence[Tensor], places: Sequence[int]) -> list[tuple[int, Any]]:
        """The derivatives of an elementwise function with respect to some inputs."""
        rules = self.rules["derivative"]
        if isinstance(rules, Unknown):
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
        """The blocks of the Jacobian: for each output a list with one for each input."""
        args, kwargs = self.bound.with_leaves(inputs)
        blocks = self.rules["jacobian"](*args, **kwargs)
        rows = [blocks] if len(self.bound.kinds) == 1 else blocks
        return [[row] if len(inputs) == 1 else list(row) for row in rows]

    def _by_rule(self, which: str, vectors: Sequence[Any], inputs: Sequence[Any]) -> list[Any]:
        """What the user's vjp or jvp returns, on tensors if it takes them, else on arrays; checked."""
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

    # ---- on arrays: J t and J^T g from whichever is known ------------------------------------------------------------

    def push_arrays(self, inputs: Sequence[Any], tangents: Sequence[Any]) -> list[Any]:
        rules = self.rules
        if rules["jvp"] is not None:
            return self._by_rule("jvp", _zeros_for_none(tangents, inputs), inputs)
        if rules["vjp"] is not None:
            outputs = self.flat(*inputs)
            places = [i for i, varies in enumerate(self.bound.kinds) if varies]

            def pull(grads: Sequence[Any]) -> list[Any]:
                return self._by_rule("vjp", _zeros_for_none(grads, outputs), inputs)

            return placed(numeric.transposed(pull, outputs, places, tangents), places, len(outputs))
        if rules["derivative"] == "complex-step":
            return numeric.complex_step(self.flat, inputs, tangents, self.name)
        self.check_precision([x for x, tangent in zip(inputs, tangents) if tangent is not None])
        return numeric.finite_difference(self.flat, inputs, tangents, rules["step"], self.name)

    def pull_arrays(self, inputs: Sequence[Any], grads: Sequence[Any], wanted: Sequence[int]) -> list[Any]:
        if self.rules["vjp"] is not None:
            outputs = grads if all(grad is not None for grad in grads) else self.flat(*inputs)
            found = self._by_rule("vjp", _zeros_for_none(grads, outputs), inputs)
            return [np.zeros_like(inputs[i]) if found[i] is None else found[i] for i in wanted]
        return numeric.transposed(lambda tangents: self.push_arrays(inputs, tangents), inputs, wanted, grads)

    def check_precision(self, arrays: Sequence[Any]) -> None:
        """Refuse differences of numbers whose last digits are too few."""
        if not _is_tried(self.rules):
            return
        for array in arrays:
            if array.dtype.name not in ("float64", "complex128"):
                raise TypeError(
                    f"{self.name} is differentiated by finite differences, which is meaningless in "
                    f"{array.dtype.name}: of its few digits hardly any are left in a difference. Give it float64, by "
                    "x.double(), or give its derivative to wrap_numpy()."
                )


class Linear(ForeignCall):
    """J t or J^T g of a call: linear in the vector, with each other as transposes.

    Args:
        base: the call.
        transpose: whether this is J^T g.
        wanted, given: which of the inputs and which of the outputs take part.
    """

    step = NumpyFunction

    def __init__(self, base: NumpyCall, transpose: bool, wanted: list[int], given: list[int]) -> None:
        self.base, self.transpose, self.wanted, self.given = base, transpose, wanted, given
        self.name = f"the {'vjp' if transpose else 'jvp'} of {base.name}"

    def value(self, arrays: list[Any]) -> list[Any]:
        count = len(self.base.bound.places)
        if any_traced(arrays):
            likes = arrays[:count] if self.transpose else self.base.imagined(arrays[:count])
            return traced(self, arrays, [likes[i] for i in (self.wanted if self.transpose else self.given)])
        home = home_of(arrays)
        own = _as_numpy(arrays)
        inputs, vectors = own[:count], own[count:]
        if self.transpose:
            grads = placed(vectors, self.given, len(self.base.bound.kinds))
            found = self.base.pull_arrays(inputs, grads, self.wanted)
            found = [np.asarray(one).astype(inputs[i].dtype, copy=False) for i, one in zip(self.wanted, found)]
        else:
            tangents = self.base.push_arrays(inputs, placed(vectors, self.wanted, count))
            found = [np.asarray(tangents[i]) for i in self.given]
        return [brought_home(one, home, arrays) for one in found]

    def pull(self, inputs: Sequence[Tensor], grads: Sequence[Tensor | None], needed: Sequence[bool]) -> list[Any]:
        count = len(self.base.bound.places)
        if any(needed[:count]):
            raise unknown_derivative(self.name)
        found = self._again(not self.transpose, inputs[:count], grads, self.wanted if self.transpose else self.given)
        return [None] * count + found

    def push(self, inputs: Sequence[Tensor], tangents: Sequence[Tensor | None]) -> list[Any]:
        count = len(self.base.bound.places)
        if any(tangent is not None for tangent in tangents[:count]):
            raise unknown_derivative(self.name)
        places = self.given if self.transpose else self.wanted
        return self._again(self.transpose, inputs[:count], tangents[count:], places)

    def _again(self, transpose: bool, inputs: Any, vectors: Any, places: list[int]) -> list[Any]:
        """The map or its transpose on other vectors, some of which may not be there."""
        here = [place for place, vector in zip(places, vectors) if vector is not None]
        wanted, given = (self.wanted, here) if transpose else (here, self.given)
        call = Linear(self.base, transpose, wanted, given)
        return run(call, [*inputs, *[vector for vector in vectors if vector is not None]])

    def batched(self, size: int, dims: Sequence[int | None], tensors: Sequence[Tensor]) -> list[Tensor]:
        if self.base.rules["vectorized"]:
            return run(self, [_in_front(x, d, size, None) for x, d in zip(tensors, dims)])
        return run_looped(self, size, dims, tensors)


def unknown_derivative(name: str) -> RuntimeError:
    """The error for a derivative of a derivative that nobody has given."""
    return RuntimeError(
        f"{name} is to be differentiated itself, for a second derivative, and nothing is known of it but its values. "
        "Give wrap_numpy() a rule that can be differentiated: one that was itself made by "
        "wrap_numpy(rule, ...), with its own derivative. Or write an autograd.Function with differentiable "
        "operators."
    )


# ---- batches ---------------------------------------------------------------------------------------------------------


def run_looped(
    call: ForeignCall, size: int, dims: Sequence[int | None], tensors: Sequence[Any], reason: str = ""
) -> list[Tensor]:
    """The outputs for a batch, one sample after the other."""

    def run_one(number: int) -> list[Any]:
        return run(call, [x if d is None else x.select(d, number) for x, d in zip(tensors, dims)])

    remedy = "Say vectorized=True if it takes batches."
    return stack_results(call.name, run_per_sample(call.name, size, run_one, reason=reason, remedy=remedy))


def _rank(tensor: Any, dim: int | None) -> int:
    return tensor.ndim - (dim is not None)


def _in_front(tensor: Any, dim: int | None, size: int, rank: int | None) -> Any:
    """A tensor with the batch as its first dimension, and the others filled up to `rank` if that is given."""
    if dim is None:
        tensor = tensor.unsqueeze(0).expand(size, *tensor.shape)
    elif dim != 0:
        tensor = tensor.movedim(dim, 0)
    missing = 0 if rank is None else rank + 1 - tensor.ndim
    return tensor.reshape(size, *[1] * missing, *tensor.shape[1:]) if missing else tensor


# ---- small parts -----------------------------------------------------------------------------------------------------


class Unknown:
    """Stands for the derivative of a rule that was given as a function of NumPy arrays."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise unknown_derivative(self.name)


def is_local(rule: Any) -> bool:
    """Whether a rule for `derivative` is one for single elements."""
    return rule is not None and not isinstance(rule, str)


def _is_tried(rules: dict[str, Any]) -> bool:
    """Whether derivatives are found by finite differences."""
    if rules["derivative"] is not None:
        return rules["derivative"] == "finite-difference"
    return all(rules[name] is None for name in ("vjp", "jvp", "jacobian"))


def _zeros_for_none(vectors: Sequence[Any], likes: Sequence[Any]) -> list[Any]:
    return [np.zeros_like(like) if vector is None else vector for vector, like in zip(vectors, likes)]


def _sum_of(parts: Sequence[Any]) -> Any:
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def _summed(grad: Any, like: Any) -> Any:
    """A gradient in the shape and kind of its input."""
    grad = grad.real if grad._spec.is_complex and not like._spec.is_complex else grad
    return grad if grad.shape == like.shape else grad.sum(axes_to_sum(grad.shape, like.shape)).reshape(like.shape)


def _pulled(grad: Any, block: Any, like: Any) -> Any:
    """J^T g for one block of the Jacobian."""
    dtype = promote_types(grad.dtype, block.dtype)
    matrix = _as_matrix(block, grad.shape, like).conj().to(dtype)
    return _summed((grad.to(dtype).reshape(1, -1) @ matrix).reshape(like.shape), like)


def _pushed(block: Any, tangent: Any, like: Any) -> Any:
    """J t for one block of the Jacobian."""
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


# ---- does a function work element by element? ----
#
# A derivative for single elements is wrong of any other function, and so is a batch under `vmap`, and nothing would
# show it. So a function is tried at its first call with several different numbers: if one element of its arguments
# changes, no other element of the result may. The new value is that of another element, which the function can take.


_RTOL = 1e-5


def check_elementwise(name: str, function: Callable[..., Sequence[Any]], arrays: Sequence[Any]) -> bool:
    """Raise if a function does not work element by element; False if these arrays do not tell.

    Args:
        function: takes the arrays and returns a list of one.
    """
    shape = np.broadcast_shapes(*[array.shape for array in arrays])
    whole = [i for i, array in enumerate(arrays) if array.shape == shape]
    changes = [_changed(arrays, whole, index) for index in (0, -1)] if whole and np.prod(shape) > 1 else [None]
    if any(change is None for change in changes):
        return False
    before = function(*arrays)
    if len(before) != 1:
        return False  # which is refused elsewhere
    _check_shape(name, shape, before[0].shape)
    for index, change in zip((0, -1), changes):
        fixed = np.ones(shape, dtype=bool)
        fixed.flat[index] = False
        fixed = np.broadcast_to(fixed, before[0].shape)
        after = function(*change)[0]  # type: ignore[misc]
        if not np.allclose(after[fixed], before[0][fixed], rtol=_RTOL, atol=0, equal_nan=True):
            raise _refused(name, "when one element of its arguments changes, other elements of its result do, too")
    return True


def _changed(arrays: Sequence[Any], whole: Sequence[int], index: int) -> list[Any] | None:
    """The arrays with another element in place of the first or the last; None if all are the same."""
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
        raise _refused(name, f"its result has the shape {found}, and its arguments together the shape {given}")


def _refused(name: str, why: str) -> TypeError:
    return TypeError(
        f"{name} does not work element by element: {why}. So there is no derivative for each element; give "
        "wrap_numpy() a vjp=, jvp= or jacobian= instead of derivative=."
    )
