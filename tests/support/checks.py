"""Checks of derivatives: pure functions that raise AssertionError and return how many numbers they have compared.

Everything is measured against finite differences, which know nothing of our rules. They are central differences in
float64, extrapolated to step zero (Richardson, Ridders), good to about 1e-10: a rule that is wrong by 1e-6 is caught.

Complex functions are taken as functions of real and imaginary parts: inner products are real parts, perturbations go
in real and imaginary directions, and the gradient g of a real L is what makes dL = Re<g, dx> (PyTorch's convention).
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import adjoint as ad
from adjoint.autograd import forward_ad

RTOL = 1e-7
"""How far a derivative may be off, relative to the largest of those compared with it."""

ATOL = 2e-10
"""The same in absolute terms, for derivatives that are zero: rounding of outputs of size one, over the step."""

FIRST_STEP = 0.01
STEPS = 4
MOST_ENTRIES = 16
"""Inputs of at most this many elements are perturbed element by element, beside random directions."""


@dataclasses.dataclass
class Problem:
    """A function to differentiate and where.

    Attributes:
        function: takes the tensors, one for each point, and returns a tensor or a sequence of them.
        points: the values of the inputs.
        projections: for each input, what keeps a perturbation within what the input may be.
        rtol, atol: tolerances.
    """

    function: Callable[..., Any]
    points: Sequence[np.ndarray]
    projections: Sequence[Callable[[np.ndarray], np.ndarray]] | None = None
    rtol: float = RTOL
    atol: float = ATOL
    seed: int = 0

    def leaves(self, points: Sequence[np.ndarray] | None = None) -> list[ad.Tensor]:
        """The inputs as tensors that require grad, of read-only memory, so that nothing can write to them."""
        return [ad.Tensor(read_only(p), requires_grad=True) for p in (self.points if points is None else points)]

    def outputs(self, tensors: Sequence[Any]) -> list[Any]:
        """The outputs that could have a derivative."""
        return differentiable(self.function(*tensors))

    def values(self, points: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The outputs as arrays."""
        with ad.no_grad():
            return [output._array for output in self.outputs([ad.Tensor(read_only(p)) for p in points])]

    def gradients(self, points: Sequence[np.ndarray], weights: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The gradients of the weighted sum of outputs, by a plain backward pass."""
        leaves = self.leaves(points)
        found = gradients(self.outputs(leaves), leaves, weights)
        return [np.zeros_like(p) if g is None else g._array for g, p in zip(found, points)]

    def project(self, index: int, direction: np.ndarray) -> np.ndarray:
        return direction if self.projections is None else self.projections[index](direction)

    def direction(self, rng: np.random.Generator, index: int) -> np.ndarray:
        """A random perturbation of an input, at most one in each element."""
        direction = self.project(index, random_like(rng, self.points[index]))
        largest = np.max(np.abs(direction), initial=0.0)
        return np.asarray(direction / largest if largest else direction)

    def basis(self, index: int) -> list[np.ndarray]:
        """Perturbations of one element each, if there are few."""
        point = self.points[index]
        if point.size > MOST_ENTRIES:
            return []
        units = np.eye(point.size, dtype=point.dtype).reshape(point.size, *point.shape)
        units = [*units, *(1j * units)] if point.dtype.kind == "c" else list(units)
        return [self.project(index, unit) for unit in units]

    def rng(self) -> np.random.Generator:
        return np.random.default_rng(self.seed)


def read_only(array: np.ndarray) -> np.ndarray:
    view = np.asarray(array)[...]
    view.flags.writeable = False
    return view


def flatten(result: Any) -> list[Any]:
    """All tensors in what an operator returned."""
    if isinstance(result, ad.Tensor):
        return [result]
    if isinstance(result, (tuple, list)):
        return [tensor for item in result for tensor in flatten(item)]
    return []


def differentiable(result: Any) -> list[Any]:
    """Those of floating point or complex type."""
    return [tensor for tensor in flatten(result) if tensor.dtype.category >= 2]


def random_like(rng: np.random.Generator, array: Any) -> np.ndarray:
    """Random numbers of an array's shape and kind, of either sign and none of them small."""
    shape = tuple(array.shape)
    values = _away_from_zero(rng, shape)
    return np.asarray(values + 1j * _away_from_zero(rng, shape) if array.dtype.kind == "c" else values)


def _away_from_zero(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    return rng.uniform(0.5, 1.5, shape) * np.where(rng.uniform(size=shape) < 0.5, -1.0, 1.0)


def inner(a: Sequence[np.ndarray], b: Sequence[np.ndarray]) -> float:
    """The real inner product of two lists of arrays."""
    return float(sum(np.sum(np.real(np.conj(x) * y)) for x, y in zip(a, b, strict=True)))


def gradients(outputs: Sequence[Any], inputs: Sequence[Any], weights: Sequence[Any], **options: Any) -> Sequence[Any]:
    """`autograd.grad` of those outputs that are part of a graph; there has to be one."""
    recorded = [(o, w) for o, w in zip(outputs, weights, strict=True) if o.requires_grad]
    assert recorded, "no output requires grad, so there is nothing to differentiate"
    kept, seeds = zip(*((o, w if isinstance(w, ad.Tensor) else ad.Tensor(w)) for o, w in recorded))
    return ad.autograd.grad(kept, inputs, seeds, allow_unused=True, **options)


# ---- finite differences ---------------------------------------------------------------------------------------------


def numerical(
    function: Callable[[Sequence[np.ndarray]], list[np.ndarray]],
    points: Sequence[np.ndarray],
    directions: Sequence[np.ndarray | None],
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """The derivative of a function of arrays in a direction, and an estimate of its error, element by element.

    Ridders' method: central differences with steps h, h/2, h/4, ... have errors in even powers of h, which are
    eliminated one by one; of the table that results, the entry is taken that agrees best with those it came from.
    """

    def moved(step: float) -> list[np.ndarray]:
        return function([p if d is None else p + step * d for p, d in zip(points, directions, strict=True)])

    columns: list[list[np.ndarray]] = []
    best: list[np.ndarray] = []
    error: list[np.ndarray] = []
    step = FIRST_STEP
    for row in range(STEPS):
        there, here = moved(step), moved(-step)
        entries = [[(a.astype(_wide(a)) - b) / (2 * step) for a, b in zip(there, here, strict=True)]]
        if row == 0:
            best, error = entries[0], [np.full(e.shape, np.inf) for e in entries[0]]
        for order in range(1, row + 1):
            factor = 4.0**order
            fine, coarse = entries[order - 1], columns[order - 1]
            finer = [(factor * a - b) / (factor - 1) for a, b in zip(fine, coarse)]
            entries.append(finer)
            for k, entry in enumerate(finer):
                estimate = np.maximum(np.abs(entry - fine[k]), np.abs(entry - coarse[k]))
                better = estimate < error[k]
                best[k] = np.where(better, entry, best[k])
                error[k] = np.where(better, estimate, error[k])
        columns = entries
        step /= 2
    return best, error


def _wide(array: np.ndarray) -> Any:
    return np.complex128 if array.dtype.kind == "c" else np.float64


def assert_close(
    actual: Any, expected: Any, what: str, *, rtol: float = RTOL, atol: float = ATOL, error: Any = 0.0
) -> int:
    """Compare, relative to the largest magnitude. `error` is how uncertain the expected values are themselves."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape, f"{what}: shape {actual.shape} instead of {expected.shape}"
    scale = float(np.max(np.abs(expected), initial=0.0))
    tolerance = atol + rtol * np.maximum(np.abs(expected), 1e-3 * scale)
    assert np.all(np.isfinite(expected)), f"{what}: the finite differences are not finite, choose other samples"
    unsure = np.max(np.asarray(error) - tolerance, initial=0.0)
    assert unsure <= 0, f"{what}: the finite differences are good to {np.max(error):.1e} only, choose smoother samples"
    wrong = ~(np.abs(actual - expected) <= tolerance)
    if np.any(wrong):
        where = np.unravel_index(np.argmax(wrong), wrong.shape)
        ratio = np.max(np.abs(actual - expected)[wrong] / np.maximum(np.abs(expected)[wrong], 1e-300))
        raise AssertionError(
            f"{what}: {np.count_nonzero(wrong)} of {wrong.size} wrong, by up to {ratio:.1e} relative; "
            f"first at {tuple(map(int, where))}: {actual[where]} instead of {expected[where]}\n"
            f"got\n{actual}\nexpected\n{expected}"
        )
    return actual.size


# ---- first order ----------------------------------------------------------------------------------------------------


def check_reverse(problem: Problem) -> int:
    """Reverse mode against finite differences, by random directions and, where inputs are small, by every element."""
    rng = problem.rng()
    leaves = problem.leaves()
    outputs = problem.outputs(leaves)
    weights = [random_like(rng, output._array) for output in outputs]
    found = gradients(outputs, leaves, weights)
    compared = 0
    for index, gradient in enumerate(found):
        gradient = _gradient_array(gradient, leaves[index], f"gradient of input {index}")
        directions = [problem.direction(rng, index), problem.direction(rng, index), *problem.basis(index)]
        if not leaves[index]._array.size:
            compared += 1  # the shape of the empty gradient
            continue
        expected, error, actual = [], [], []
        for direction in directions:
            derivative, uncertain = numerical(problem.values, problem.points, _only(index, direction, len(leaves)))
            expected.append(inner(weights, derivative))
            error.append(_size(weights, uncertain))
            actual.append(inner([gradient], [direction]))
        label = f"gradient of input {index}, in two random directions and then by element"
        compared += assert_close(actual, expected, label, rtol=problem.rtol, atol=problem.atol, error=error)
    return compared


def _gradient_array(gradient: Any, leaf: Any, what: str) -> np.ndarray:
    """A gradient as an array, after a look at its shape and dtype; an absent one is zero."""
    if gradient is None:
        return np.zeros_like(leaf._array)
    assert gradient.shape == leaf.shape, f"{what}: shape {gradient.shape} instead of {leaf.shape}"
    assert gradient.dtype is leaf.dtype, f"{what}: {gradient.dtype} instead of {leaf.dtype}"
    return gradient._array


def _only(index: int, direction: np.ndarray, count: int) -> list[np.ndarray | None]:
    return [direction if i == index else None for i in range(count)]


def _size(weights: Sequence[np.ndarray], errors: Sequence[np.ndarray]) -> float:
    return float(np.sqrt(sum(np.sum((np.abs(w) * e) ** 2) for w, e in zip(weights, errors))))


@contextlib.contextmanager
def dual(leaves: Sequence[Any], directions: Sequence[np.ndarray | None]) -> Any:
    """A dual level in which the leaves have these tangents."""
    with forward_ad.dual_level():
        yield [x if d is None else forward_ad.make_dual(x, ad.Tensor(d)) for x, d in zip(leaves, directions)]


def tangent(output: Any) -> Any:
    """The tangent of a tensor in the innermost level, zero if it has none."""
    found = forward_ad.unpack_dual(output).tangent
    if found is None:
        return ad.Tensor(np.zeros_like(output._array))
    assert found.shape == output.shape, f"tangent of shape {found.shape} for an output of shape {output.shape}"
    assert found.dtype is output.dtype, f"tangent of dtype {found.dtype} for an output of dtype {output.dtype}"
    return found


def tangents(problem: Problem, directions: Sequence[np.ndarray | None]) -> list[np.ndarray]:
    """The tangents of all outputs for these tangents of the inputs."""
    leaves = [ad.Tensor(read_only(p)) for p in problem.points]
    with dual(leaves, directions) as duals:
        return [tangent(output)._array for output in problem.outputs(duals)]


def check_forward(problem: Problem) -> int:
    """Forward mode against finite differences: each input by itself, then all at once."""
    rng = problem.rng()
    count = len(problem.points)
    each: list[np.ndarray | None] = [problem.direction(rng, index) for index in range(count)]
    trials = [_only(index, each[index], count) for index in range(count)] + ([each] if count > 1 else [])  # type: ignore
    compared = 0
    for number, directions in enumerate(trials):
        found = tangents(problem, directions)
        expected, error = numerical(problem.values, problem.points, directions)
        which = f"along input {number}" if number < count else "along all inputs"
        for k, (actual, wanted, uncertain) in enumerate(zip(found, expected, error, strict=True)):
            options: Any = {"rtol": problem.rtol, "atol": problem.atol, "error": uncertain}
            compared += assert_close(actual, wanted, f"tangent of output {k} {which}", **options)
            compared += not actual.size
    return compared


def check_dot_product(problem: Problem) -> int:
    """<J t, g> against <t, J^T g>: both modes have to be transposes of each other to rounding."""
    rng = problem.rng()
    directions = [problem.direction(rng, index) for index in range(len(problem.points))]
    pushed = tangents(problem, directions)
    weights = [random_like(rng, array) for array in pushed]
    pulled = problem.gradients(problem.points, weights)
    forward, reverse = inner(weights, pushed), inner(pulled, directions)
    terms = sum(float(np.sum(np.abs(a * b))) for a, b in (*zip(weights, pushed), *zip(pulled, directions)))
    allowed = 100 * _eps(*pushed, *pulled) * max(1.0, problem.rtol / RTOL) * terms
    assert abs(forward - reverse) <= allowed, (
        f"forward and reverse mode are not transposes: <J t, g> = {forward!r}, <t, J^T g> = {reverse!r}, "
        f"which differ by {abs(forward - reverse):.1e}, more than {allowed:.1e}"
    )
    return 1


def _eps(*arrays: np.ndarray) -> float:
    """The rounding of the least precise of the arrays."""
    return max(float(np.finfo(array.dtype).eps) for array in arrays)


# ---- second order ---------------------------------------------------------------------------------------------------


def check_second(problem: Problem) -> int:
    """Second derivatives of a random weighted sum of the outputs in two random directions t and d.

    Finite differences of the gradient along d give H d. With it are compared: the gradient of <gradient, t> (reverse
    over reverse), also with respect to the weights, which is J t; the tangent of the gradient (forward over reverse);
    the gradient of <J t, weights> (reverse over forward); and the tangent of the tangent (forward over forward).
    """
    rng = problem.rng()
    indices = range(len(problem.points))
    t = [problem.direction(rng, index) for index in indices]
    d = [problem.direction(rng, index) for index in indices]
    weights = [random_like(rng, array) for array in problem.values(problem.points)]
    hessian, error = numerical(lambda points: problem.gradients(points, weights), problem.points, d)
    first, first_error = numerical(problem.values, problem.points, t)
    expected, uncertain = inner(t, hessian), _size(t, error)
    options: Any = {"rtol": problem.rtol, "atol": problem.atol}

    by_reverse, by_weight, recorded = reverse_over_reverse(problem, weights, t)
    compared = assert_close(inner(by_reverse, d), expected, "reverse over reverse", **options, error=uncertain)
    for index, plain in enumerate(problem.gradients(problem.points, weights)):
        label = f"gradient of input {index}, recorded instead of plain"
        compared += assert_close(recorded[index], plain, label, rtol=1e-11, atol=1e-13)
    for k, (actual, wanted, unsure) in enumerate(zip(by_weight, first, first_error)):
        label = f"derivative of the gradient by the gradient of output {k}"
        compared += 0 if actual is None else assert_close(actual, wanted, label, **options, error=unsure)
    by_forward = forward_over_reverse(problem, weights, d)
    for index in indices:
        actual, wanted = (problem.project(index, one[index]) for one in (by_forward, hessian))
        label = f"forward over reverse, input {index}"
        compared += assert_close(actual, wanted, label, **options, error=error[index])
    found = inner(reverse_over_forward(problem, weights, t), d)
    compared += assert_close(found, expected, "reverse over forward", **options, error=uncertain)
    found = inner(weights, forward_over_forward(problem, t, d))
    return compared + assert_close(found, expected, "forward over forward", **options, error=uncertain)


def reverse_over_reverse(problem: Problem, weights: Sequence[np.ndarray], t: Sequence[np.ndarray]) -> Any:
    """The gradient of <gradient, t> by the inputs and by the weights (None for outputs without derivative).

    The first gradient itself is returned as well.
    """
    leaves = problem.leaves()
    seeds = [ad.Tensor(w, requires_grad=True) for w in weights]
    outputs = problem.outputs(leaves)
    recorded = [o.requires_grad for o in outputs]
    first = gradients(outputs, leaves, seeds, create_graph=True)
    kept = [(g, one) for g, one in zip(first, t) if g is not None and g.requires_grad]
    constant = [g for g in first if g is not None and not g.requires_grad]
    assert not any(np.any(g._array) for g in constant), "a gradient is no part of the graph, despite create_graph=True"
    wanted = [*leaves, *seeds]
    if not kept:
        zeros = [np.zeros_like(p) for p in problem.points]
        return zeros, [None] * len(weights), zeros
    found = ad.autograd.grad(
        [g for g, _ in kept], wanted, [ad.Tensor(one) for _, one in kept], allow_unused=True, materialize_grads=True
    )
    arrays = [f._array for f in found]
    by_weight = [array if is_kept else None for array, is_kept in zip(arrays[len(leaves) :], recorded)]
    values = [np.zeros_like(p) if g is None else g._array for g, p in zip(first, problem.points)]
    return arrays[: len(leaves)], by_weight, values


def forward_over_reverse(problem: Problem, weights: Sequence[np.ndarray], d: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The tangents of the gradients."""
    leaves = problem.leaves()
    with dual(leaves, d) as duals:
        found = gradients(problem.outputs(duals), leaves, weights, create_graph=True)
        zeros = [np.zeros_like(p) for p in problem.points]
        return [zero if g is None else tangent(g)._array for g, zero in zip(found, zeros)]


def reverse_over_forward(problem: Problem, weights: Sequence[np.ndarray], t: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The gradients of <J t, weights>; zero where the tangent does not depend on the inputs."""
    leaves = problem.leaves()
    with dual(leaves, t) as duals:
        pushed = [tangent(output) for output in problem.outputs(duals)]
    if not any(p.requires_grad for p in pushed):
        return [np.zeros_like(p) for p in problem.points]
    found = gradients(pushed, leaves, weights)
    return [np.zeros_like(p) if g is None else g._array for g, p in zip(found, problem.points)]


def forward_over_forward(problem: Problem, t: Sequence[np.ndarray], d: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The tangents of the tangents, in two nested levels."""
    leaves = [ad.Tensor(read_only(p)) for p in problem.points]
    with dual(leaves, d) as outer:
        with dual(outer, t) as both:
            pushed = [tangent(output) for output in problem.outputs(both)]
        return [tangent(p)._array for p in pushed]
