"""Implementation of `gradcheck`: comparison of analytical with numerical derivatives, and error messages."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable
from typing import Any

import numpy

from adjoint._core.backward import grad, run_pass
from adjoint._core.tensor import Tensor
from adjoint._core.views.layout import overlaps_itself
from adjoint._dtypes import complex128, float64
from adjoint.autograd.gradcheck import GradcheckError, batched
from adjoint.autograd.gradcheck.differences import Estimate, central_difference, refine
from adjoint.autograd.gradcheck.problem import (
    Problem,
    SameKind,
    as_tuple,
    check_are_tensors,
    random_vector,
    tensor_like,
    to_numpy,
)
from adjoint.autograd.gradcheck.rounding import rounding_error, unit_of

np: Any = numpy

USUAL_ATOL, USUAL_RTOL = 1e-5, 1e-3
TIGHT = 2.5e-7
"""Default relative tolerance."""

NEGLIGIBLE, TINY = 1e-9, 1e-11
"""Default tolerances relative to the largest entry of the same Jacobian, and absolute."""


@dataclasses.dataclass
class Options:
    """The arguments of `gradcheck` under shorter names."""

    eps: float = 1e-6
    atol: float | None = None
    rtol: float | None = None
    nondet_tol: float = 0.0
    undefined: bool = True
    dtypes: bool = False
    batched: bool = False
    batched_forward: bool = False
    forward: bool = False
    reverse: bool = True
    fast: bool = False

    @property
    def tight(self) -> bool:
        return self.atol is None and self.rtol is None

    def allowed(self, size: Any, scale: float = 1.0) -> Any:
        """Return the error allowed by `atol` and `rtol` for a derivative of this size."""
        atol = USUAL_ATOL if self.atol is None else self.atol
        return atol * scale + (USUAL_RTOL if self.rtol is None else self.rtol) * size


def check(func: Callable[..., Any], inputs: Any, options: Options) -> None:
    """Raise `GradcheckError` if a derivative is wrong."""
    if not (options.forward or options.reverse):
        raise AssertionError("gradcheck: at least one of check_forward_ad and check_backward_ad has to be True")
    if options.batched and not options.reverse:
        raise AssertionError("gradcheck: check_batched_grad=True needs check_backward_ad=True")
    if options.batched_forward and not options.forward:
        raise AssertionError("gradcheck: check_batched_forward_grad=True needs check_forward_ad=True")
    check_inputs(as_tuple(inputs))
    problem = Problem(func, inputs)
    _check_deterministic(problem, options)
    if not problem.outputs:
        _check_constant(problem, options)
        return
    if options.fast:
        _check_projections(problem, options)
    else:
        _check_entries(problem, options)
    if options.reverse and options.forward:
        _check_dot_product(problem, np.random.default_rng(1), 100.0, options)
    if options.reverse and options.undefined:
        _check_undefined(problem)
    if options.batched_forward:
        batched.check_forward(problem)
    if options.batched:
        batched.check_reverse(problem)


def _check_deterministic(problem: Problem, options: Options) -> None:
    """Check that two calls with the same inputs give the same outputs, up to rounding."""
    one, other = problem.value(), problem.value()
    with np.errstate(all="ignore"):
        off = np.where((one == other) | (np.isnan(one) & np.isnan(other)), 0.0, np.abs(one - other))
        allowed = options.nondet_tol + 1e4 * unit_of(problem) * np.max(np.abs(one[np.isfinite(one)]), initial=0.0)
    if not np.all(off <= allowed):
        raise GradcheckError(
            f"the function is not deterministic: two calls with the same inputs gave outputs that differ by up to "
            f"{np.max(off):.3g}. Seed its random numbers inside, or pass them as inputs."
        )


def check_inputs(inputs: tuple[Any, ...]) -> None:
    """Raise for inputs that cannot be checked, and warn if their precision is too low for finite differences."""
    wanted = [(i, x) for i, x in enumerate(inputs) if isinstance(x, Tensor) and x.requires_grad]
    if not wanted:
        raise ValueError(
            "gradcheck: no input requires grad, so there is nothing to check; call requires_grad_() on one"
        )
    for number, tensor in wanted:
        if tensor.dtype not in (float64, complex128):
            warnings.warn(
                f"gradcheck: input {number} has dtype {tensor.dtype!r}; differences of numbers that are not of double "
                "precision are rough, so the check may fail though the derivative is right",
                UserWarning,
                stacklevel=4,
            )
        if overlaps_itself(tensor):
            raise RuntimeError(
                f"gradcheck: several elements of input {number} share one place in memory (it was expanded?), so they "
                "cannot be moved one by one; call contiguous() on it first"
            )
        tensor.retain_grad()


# ---- tolerances ------------------------------------------------------------------------------------------------------


def judge(
    found: Any, estimate: Estimate, options: Options, unit: float, reach: float, scale: float = 1.0
) -> tuple[Any, Any]:
    """Find the derivatives that are wrong, and those for which the differences are too inaccurate.

    Args:
        unit: the unit of rounding (eps) of the numbers involved.
        reach: the size of the input, at least 1.
        scale: factor for `atol`.
    """
    value, error = estimate.value, estimate.error
    size = np.abs(value)
    off = np.abs(found - value)
    usual = options.allowed(size, scale)
    if not options.tight:
        wrong = ~(off <= usual)
        return wrong, wrong
    largest = float(np.max(size[np.isfinite(size)], initial=0.0))
    relative = max(TIGHT, 32 * unit)
    floor = max(NEGLIGIBLE, 32 * unit) * largest + TINY / reach
    allowed = np.minimum(usual, relative * size + 10 * error + floor)
    matters = np.maximum(size, np.abs(found)) > 1e-5 * largest
    wrong = ~(off <= allowed)
    return wrong, wrong | (matters & (10 * error > relative * size))


# ---- entry by entry --------------------------------------------------------------------------------------------------


def _check_entries(problem: Problem, options: Options) -> None:
    """Compare Jacobians with finite differences, entry by entry."""
    found: dict[str, list[Any]] = {}
    if options.reverse:
        found["reverse"] = _reverse_jacobians(problem, options)
    if options.forward:
        found["forward"] = _forward_jacobians(problem, options)
    unit = unit_of(problem)
    for place, coordinates in enumerate(problem.coordinates):
        reach = problem.reach(place)
        for entry in range(coordinates.count):
            direction = np.zeros(coordinates.count)
            direction[entry] = 1.0
            estimate = central_difference(problem, place, direction, options.eps)
            rows = {mode: jacobians[place][entry] for mode, jacobians in found.items()}
            if any(_find_worst(problem, row, estimate, options, unit, reach)[1] for row in rows.values()):
                estimate = refine(problem, place, direction, options.eps, estimate)
            for mode, row in rows.items():
                wrong, _ = _find_worst(problem, row, estimate, options, unit, reach)
                if wrong is not None:
                    raise GradcheckError(_describe(problem, mode, place, entry, wrong, row, estimate))
    for mode, jacobians in found.items():
        _check_linear(problem, mode, jacobians, options, unit)


def _find_worst(
    problem: Problem, row: Any, estimate: Estimate, options: Options, unit: float, reach: float
) -> tuple[Any, bool]:
    """Find the entry with the largest error, if one is wrong, and whether a more accurate estimate is needed."""
    worst, unsure = None, False
    for start, end in zip(problem.bounds, problem.bounds[1:]):
        part = Estimate(estimate.value[start:end], estimate.error[start:end])
        wrong, undecided = judge(row[start:end], part, options, unit, reach)
        unsure = unsure or bool(np.any(undecided))
        if worst is None and np.any(wrong):
            off = np.where(wrong, np.nan_to_num(np.abs(row[start:end] - part.value), nan=np.inf), -1.0)
            worst = int(start + np.argmax(off))
    return worst, unsure


def _reverse_jacobians(problem: Problem, options: Options) -> list[Any]:
    outputs = problem.results()
    jacobians = [np.zeros((c.count, int(problem.bounds[-1]))) for c in problem.coordinates]
    for column in range(int(problem.bounds[-1])):
        weights = np.zeros(int(problem.bounds[-1]))
        weights[column] = 1.0
        first, second = problem.pull(outputs, weights), problem.pull(outputs, weights)
        _check_kind(problem, first, options)
        for place, (one, other) in enumerate(zip(problem.vectors(first), problem.vectors(second))):
            jacobians[place][:, column] = one
            if np.max(np.abs(one - other), initial=0.0) > options.nondet_tol:
                number, name = _output_entry(problem, column)
                raise GradcheckError(
                    f"backward is not reentrant: two passes from output {number}, {name}, with the same gradient gave "
                    f"gradients of input {problem.numbers[place]} that differ by up to "
                    f"{np.max(np.abs(one - other)):.3g}, more than nondet_tol={options.nondet_tol}"
                )
    return jacobians


def _check_kind(problem: Problem, gradients: list[Any], options: Options) -> None:
    """Check that gradients have the shape (and dtype) of their inputs."""
    for number, tensor, gradient in zip(problem.numbers, problem.wanted(), gradients):
        if gradient is None:
            continue
        if gradient.shape != tensor.shape:
            raise GradcheckError(
                f"the gradient of input {number} has shape {tuple(gradient.shape)}, but the input {tuple(tensor.shape)}"
            )
        if options.dtypes and gradient.dtype is not tensor.dtype:
            raise GradcheckError(
                f"the gradient of input {number} has dtype {gradient.dtype!r}, but the input {tensor.dtype!r}"
            )


def _forward_jacobians(problem: Problem, options: Options) -> list[Any]:
    jacobians: list[Any] = []
    for place, coordinates in enumerate(problem.coordinates):
        rows: list[Any] = []
        for entry in range(coordinates.count):
            direction = np.zeros(coordinates.count)
            direction[entry] = 1.0
            tangents = problem.push({place: direction})
            _check_tangents(problem, tangents, options)
            rows.append(problem.join(tangents))
        jacobians.append(np.array(rows).reshape(coordinates.count, int(problem.bounds[-1])))
    return jacobians


def _check_tangents(problem: Problem, tangents: list[Any], options: Options) -> None:
    for number, output, tangent in zip(problem.output_numbers, problem.outputs, tangents):
        if tangent is not None and options.dtypes and tangent.dtype is not output.dtype:
            raise GradcheckError(
                f"the tangent of output {number} has dtype {tangent.dtype!r}, but the output {output.dtype!r}"
            )


def _check_linear(problem: Problem, mode: str, jacobians: list[Any], options: Options, unit: float) -> None:
    """Check linearity: the product with a random vector equals that of the Jacobian found by unit vectors."""
    whole, input_ends = np.concatenate(jacobians), np.cumsum([len(jacobian) for jacobian in jacobians])
    if mode == "reverse":
        ends, numbers = input_ends, problem.numbers
        what = "backward is not linear in grad_output: the gradient of input {} is not the product of it and what"
    else:
        whole, ends, numbers = whole.T, problem.bounds[1:], problem.output_numbers
        what = (
            "forward mode is not linear in the tangents: the tangent of output {} is not the product of them and what"
        )
    factors = random_vector(np.random.default_rng(2), whole.shape[1])

    def product(change: Callable[[Any], Any]) -> Any:
        if mode == "reverse":
            return np.concatenate(problem.vectors(problem.pull(problem.results(), change(factors))))
        directions: list[Any] = np.split(change(factors), input_ends[:-1])
        return problem.join(problem.push(dict(enumerate(directions))))

    found = product(np.copy)
    off, sizes = np.abs(found - whole @ factors), np.abs(whole) @ np.abs(factors)
    largest = np.concatenate([np.full(len(one), np.max(one, initial=0.0)) for one in np.split(sizes, ends[:-1])])
    allowed = options.nondet_tol * max(1, int(problem.bounds[-1])) + 1e4 * unit * sizes + 1e-12 * largest
    if not options.tight:
        allowed = np.maximum(allowed, options.allowed(sizes))
    if np.any(~(off <= allowed)):
        allowed += rounding_error(problem, product, found, largest)
    wrong = np.flatnonzero(~(off <= allowed))
    if wrong.size:
        place = int(np.searchsorted(ends, wrong[0], side="right"))
        worst = np.max(np.split(off, ends[:-1])[place])
        raise GradcheckError(what.format(numbers[place]) + f" unit vectors give; they differ by up to {worst:.3g}")


def _output_entry(problem: Problem, column: int) -> tuple[int, str]:
    """Return the output that a column belongs to, and a description of the element."""
    place = int(np.searchsorted(problem.bounds, column, side="right")) - 1
    return problem.output_numbers[place], problem.output_coordinates[place].name(column - int(problem.bounds[place]))


def _describe(problem: Problem, mode: str, place: int, entry: int, column: int, row: Any, estimate: Estimate) -> str:
    number, output_name = _output_entry(problem, column)
    found, expected = float(row[column]), float(estimate.value[column])
    off = abs(found - expected)
    return (
        f"Jacobian mismatch in {mode} mode for output {number} with respect to input {problem.numbers[place]}: the "
        f"derivative of {output_name} of the output by {problem.coordinates[place].name(entry)} of the input is\n"
        f"  analytical: {found!r}\n"
        f"  numerical:  {expected!r}  (good to about {float(estimate.error[column]):.1e})\n"
        f"  difference: {off:.3g}" + (f", relative {off / abs(expected):.3g}" if expected else "")
    )


# ---- in random directions --------------------------------------------------------------------------------------------


def _check_projections(problem: Problem, options: Options) -> None:
    """Compare for each Jacobian one product with random vectors from both sides (fast_mode)."""
    rng, unit = np.random.default_rng(0), unit_of(problem)
    for place, coordinates in enumerate(problem.coordinates):
        if not coordinates.count:
            continue
        direction = random_vector(rng, coordinates.count)
        direction /= np.linalg.norm(direction)
        rough = central_difference(problem, place, direction, options.eps)
        fine: Estimate | None = None
        for number, (start, end) in enumerate(zip(problem.bounds, problem.bounds[1:])):
            weights = np.zeros(int(problem.bounds[-1]))
            weights[start:end] = random_vector(rng, int(end - start))
            scale = float(np.sum(np.abs(direction)) * np.sum(np.abs(weights)))
            for mode, found in _projections(problem, place, direction, weights, options):
                if not _compare_projection(found, rough, weights, options, (unit, problem.reach(place), scale))[1]:
                    continue
                fine = refine(problem, place, direction, options.eps, rough) if fine is None else fine
                if _compare_projection(found, fine, weights, options, (unit, problem.reach(place), scale))[0]:
                    _report_projection(problem, mode, number, place, found, float(fine.value @ weights), options)


def _projections(problem: Problem, place: int, direction: Any, weights: Any, options: Options) -> Any:
    """Compute the product of direction, Jacobian and weights in each mode; a generator."""
    if options.reverse:
        outputs = problem.results()  # a new graph: the inputs have been moved since the last one
        first, second = problem.pull(outputs, weights), problem.pull(outputs, weights)
        _check_kind(problem, first, options)
        one, other = problem.vectors(first)[place], problem.vectors(second)[place]
        if np.max(np.abs(one - other), initial=0.0) > options.nondet_tol:
            raise GradcheckError(
                f"backward is not reentrant: two passes with the same gradients gave gradients of input "
                f"{problem.numbers[place]} that differ by up to {np.max(np.abs(one - other)):.3g}, more than "
                f"nondet_tol={options.nondet_tol}"
            )
        yield "reverse", float(one @ direction)
    if options.forward:
        tangents = problem.push({place: direction})
        _check_tangents(problem, tangents, options)
        yield "forward", float(problem.join(tangents) @ weights)


def _compare_projection(
    found: float, estimate: Estimate, weights: Any, options: Options, sizes: tuple[float, float, float]
) -> tuple[bool, bool]:
    used = weights != 0
    value = np.array([np.sum((estimate.value * weights)[used])])
    error = np.array([np.sum((estimate.error * np.abs(weights))[used])])
    wrong, undecided = judge(np.array([found]), Estimate(value, error), options, *sizes)
    return bool(wrong[0]), bool(undecided[0])


def _report_projection(
    problem: Problem, mode: str, number: int, place: int, found: float, expected: float, options: Options
) -> None:
    """Raise a mismatch; the Jacobian is compared entry by entry first, to name the entry."""
    where = ""
    try:
        _check_entries(problem, dataclasses.replace(options, fast=False))
    except GradcheckError as error:
        where = f"\nEntry by entry: {error}"
    raise GradcheckError(
        f"Jacobian mismatch in {mode} mode for output {problem.output_numbers[number]} with respect to input "
        f"{problem.numbers[place]}, in random directions (fast_mode):\n  analytical: {found!r}\n  numerical:  "
        f"{expected!r}{where}"
    )


# ---- constant outputs, undefined gradients ---------------------------------------------------------------------------


def _check_constant(problem: Problem, options: Options) -> None:
    """Check that outputs that do not require grad do not depend on the inputs."""
    for place, coordinates in enumerate(problem.coordinates):
        for entry in range(coordinates.count):
            direction = np.zeros(coordinates.count)
            direction[entry] = 1.0
            estimate = central_difference(problem, place, direction, options.eps)
            if np.any(np.abs(estimate.value) > np.minimum(estimate.error, options.allowed(0.0))):
                raise GradcheckError(
                    f"no output requires grad, but outputs do change with {coordinates.name(entry)} of input "
                    f"{problem.numbers[place]}: by {np.max(np.abs(estimate.value)):.3g}, numerically; zero was expected"
                )


def _check_undefined(problem: Problem) -> None:
    """Check that backward works if outputs have no gradient: inputs have none then, or zero."""
    edges = [tensor._gradient_edge() for tensor in problem.wanted()]
    count = len(problem.outputs)
    for missing in [set(range(count)), *({i} for i in range(count) if count > 1)]:
        seeds: list[Any] = []
        for place, output in enumerate(problem.results()):
            zero = None if place in missing else output._spec.namespace.zeros_like(output._array)
            seeds.append((*output._gradient_edge(), zero))
        names = ", ".join(str(problem.output_numbers[i]) for i in sorted(missing))
        try:
            found = run_pass(seeds, edges, False)
        except Exception as error:
            raise GradcheckError(
                f"backward does not work if outputs ({names}) have no gradient: {type(error).__name__}: {error}"
            ) from error
        for number, array in zip(problem.numbers, found):
            if array is not None and np.any(to_numpy(array) if isinstance(array, Tensor) else np.asarray(array) != 0):
                raise GradcheckError(
                    f"the gradient of input {number} is not zero, though no output has a gradient that is not zero "
                    f"(and outputs {names} have none at all)"
                )


# ---- forward against reverse -----------------------------------------------------------------------------------------


def check_dot_products(func: Callable[..., Any], inputs: Any, tolerance: float, trials: int) -> None:
    """Raise `GradcheckError` if forward and reverse mode are not transposes of each other."""
    if not any(isinstance(x, Tensor) and x.requires_grad for x in as_tuple(inputs)):
        raise ValueError("dotcheck: no input requires grad, so there is nothing to check; call requires_grad_() on one")
    problem = Problem(func, inputs)
    for trial in range(trials):
        if problem.outputs:
            _check_dot_product(problem, np.random.default_rng(trial), tolerance, Options())


def _check_dot_product(problem: Problem, rng: Any, tolerance: float, options: Options) -> None:
    directions = [random_vector(rng, c.count) for c in problem.coordinates]
    weights = random_vector(rng, int(problem.bounds[-1]))

    def dot_products(change: Callable[[Any], Any]) -> Any:
        """<J t, g> and <t, J^T g>, and the sum of the absolute values of the terms of both."""
        tangents, gradients = [change(one) for one in directions], change(weights)
        pushed = problem.join(problem.push(dict(enumerate(tangents))))
        pulled = np.concatenate(problem.vectors(problem.pull(problem.results(), gradients)))
        terms = [pushed * gradients, pulled * np.concatenate(tangents)]
        return np.array([np.sum(terms[0]), np.sum(terms[1]), np.sum(np.abs(np.concatenate(terms)))])

    found = dot_products(np.copy)
    forward, reverse, terms = (float(number) for number in found)
    allowed = tolerance * unit_of(problem) * terms + options.nondet_tol * weights.size
    if not options.tight:
        allowed = max(allowed, float(options.allowed(terms)))
    if not abs(forward - reverse) <= allowed:
        allowed += tolerance / 100 * float(rounding_error(problem, dot_products, found, terms))
    if not abs(forward - reverse) <= allowed:
        raise GradcheckError(
            "forward and reverse mode are not transposes of each other: for random tangents t and gradients g, "
            f"<J t, g> = {forward!r} and <t, J^T g> = {reverse!r}, which differ by {abs(forward - reverse):.3g}, more "
            f"than rounding explains ({allowed:.3g})"
        )


# ---- second derivatives ----------------------------------------------------------------------------------------------


def backward_as_function(
    func: Callable[..., Any], inputs: Any, grad_outputs: Any, non_contiguous: bool
) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the backward pass as a function of inputs and gradients of outputs, and its arguments."""
    arguments, func = as_tuple(inputs), SameKind(func)
    if grad_outputs is None:
        results = func(*arguments)
        check_are_tensors(results)
        outputs = [out for out in results if out.requires_grad]
        rng = np.random.default_rng(3)
        seeds = tuple(_random_like(rng, out, non_contiguous) for out in outputs)
    else:
        seeds = as_tuple(grad_outputs)
    count = len(seeds)

    def backward(*values: Any) -> tuple[Any, ...]:
        own, gradients = values[: len(values) - count], values[len(values) - count :]
        results = [out for out in func(*own) if isinstance(out, Tensor) and out.requires_grad]
        if grad_outputs is None and len(results) != count:
            raise GradcheckError(
                f"which outputs require grad depends on the values of the inputs: {count} for the given ones, "
                f"{len(results)} nearby. There is no derivative where that changes."
            )
        wanted = [value for value in own if isinstance(value, Tensor) and value.requires_grad]
        found = grad(results, wanted, gradients, create_graph=True, allow_unused=True)
        return tuple(one for one in found if one is not None)

    return backward, (*arguments, *seeds)


def _random_like(rng: Any, output: Any, non_contiguous: bool) -> Tensor:
    shape = tuple(output.shape)
    values = random_vector(rng, output._spec.size).reshape(shape)
    if output.dtype.is_complex:
        values = values + 1j * random_vector(rng, output._spec.size).reshape(shape)
    if non_contiguous:
        spread = tensor_like(np.stack([values, values], axis=-1), output._spec)
        return spread[..., 0].requires_grad_()
    return tensor_like(values, output._spec).requires_grad_()
