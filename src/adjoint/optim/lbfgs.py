"""`LBFGS`: the limited-memory quasi-Newton method, with a strong Wolfe line search if asked for."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from adjoint._core.modes import no_grad
from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops
from adjoint.optim._update_rule import given
from adjoint.optim.optimizer import Closure, Optimizer, ParamsT, run_closure

_SUFFICIENT_DECREASE, _CURVATURE = 1e-4, 0.9  # the constants of the Wolfe conditions
_LEAST_CURVATURE = 1e-10  # of a pair of differences, below which it is left out of the history


class _Point(NamedTuple):
    """A step length, with the loss, the gradient and the slope there."""

    length: float
    loss: float
    gradient: Tensor
    slope: float


def _interpolate(one: _Point, other: _Point, bounds: tuple[float, float] | None = None) -> float:
    """The minimum of the cubic through two points with their slopes, kept within bounds."""
    left, right = sorted((one, other), key=lambda point: point.length)
    low, high = bounds or (left.length, right.length)
    middle = one.slope + other.slope - 3 * (one.loss - other.loss) / (one.length - other.length)
    square = middle**2 - one.slope * other.slope
    if not square >= 0:
        return (low + high) / 2
    root = math.sqrt(square)
    width = right.length - left.length
    found = right.length - width * ((right.slope + root - middle) / (right.slope - left.slope + 2 * root))
    return min(max(found, low), high)


def _strong_wolfe(
    evaluate: Callable[[float], _Point], start: _Point, length: float, largest: float, tolerance: float, limit: int
) -> tuple[_Point, int]:
    """A step length that satisfies the strong Wolfe conditions, and the number of evaluations.

    Args:
        evaluate: the point at a step length.
        start: the point at length 0.
        length: the first one to try.
        largest: the largest magnitude in the direction, by which a change is measured.
        tolerance: the change at which to give up.
        limit: of evaluations, beyond the first.
    """

    def too_high(point: _Point) -> bool:
        return point.loss > start.loss + _SUFFICIENT_DECREASE * point.length * start.slope

    def flat_enough(point: _Point) -> bool:
        return abs(point.slope) <= -_CURVATURE * start.slope

    before, point, tries = start, evaluate(length), 0
    while tries < limit:  # go on until a minimum lies between two points
        if too_high(point) or (tries > 1 and point.loss >= before.loss):
            break
        if flat_enough(point):
            return point, tries + 1
        if point.slope >= 0:
            break
        bounds = (point.length + 0.01 * (point.length - before.length), point.length * 10)
        before, point = point, evaluate(_interpolate(before, point, bounds))
        tries += 1
    else:
        before = start
    low, high = (before, point) if before.loss <= point.loss else (point, before)
    stalled = False
    while tries < limit and abs(high.length - low.length) * largest >= tolerance:
        left, right = sorted((low.length, high.length))
        ordered = (before, point) if (before, point) in ((low, high), (high, low)) else (low, high)
        length, margin = _interpolate(*ordered), 0.1 * (right - left)
        if min(right - length, length - left) < margin:  # close to an end: if that happens twice, keep away from it
            if stalled or length >= right or length <= left:
                length = right - margin if abs(length - right) < abs(length - left) else left + margin
                stalled = False
            else:
                stalled = True
        else:
            stalled = False
        new = evaluate(length)
        tries += 1
        if too_high(new) or new.loss >= low.loss:
            low, high = (low, new) if low.loss <= new.loss else (new, low)
            continue
        if flat_enough(new):
            return new, tries + 1
        low, high = new, (low if new.slope * (high.length - low.length) >= 0 else high)
    return low, tries + 1


class LBFGS(Optimizer):
    """L-BFGS: Newton-like steps, from the last gradients' differences. All parameters are in one group.

    Args:
        params: tensors, all in one group.
        lr: the step length, or the first one that the line search tries.
        max_iter: iterations of one `step`.
        max_eval: evaluations of the closure in one `step`; five quarters of `max_iter` if not given.
        tolerance_grad: stop when the gradient's largest element is at most this.
        tolerance_change: stop when the loss or the parameters change by less.
        history_size: how many differences are kept.
        line_search_fn: ``"strong_wolfe"``, or None for steps of length `lr`.

    Example:
        >>> x = ad.tensor([-1.0, 2.0], requires_grad=True)
        >>> optimizer = ad.optim.LBFGS([x], line_search_fn="strong_wolfe")
        >>> def closure():
        ...     optimizer.zero_grad()
        ...     loss = (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
        ...     loss.backward()
        ...     return loss
        >>> for _ in range(3):
        ...     loss = optimizer.step(closure)
        >>> x.round(decimals=3)
        tensor([1., 1.], grad_fn=<RoundBackward1>)
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        if not lr >= 0:
            raise ValueError(f"LBFGS: lr has to be at least 0, got {lr!r}")
        if max_eval is None:
            max_eval = max_iter * 5 // 4
        super().__init__(params, given(locals()))
        if len(self.param_groups) != 1:
            raise ValueError(f"LBFGS takes one group of parameters, got {len(self.param_groups)}")
        self._params: list[Tensor] = self.param_groups[0]["params"]

    # ---- parameters and gradients as one vector ----------------------------------------------------------------------

    def _gradient(self) -> Tensor:
        parts = [ops.zeros_like(param) if param.grad is None else param.grad for param in self._params]
        return ops.cat([(ops.view_as_real(part) if part.is_complex() else part).reshape(-1) for part in parts])

    def _move(self, length: float, direction: Tensor) -> None:
        start = 0
        for param in self._params:
            real = ops.view_as_real(param) if param.is_complex() else param
            part = direction[start : start + real.numel()]
            real.add_(part.reshape(real.shape), alpha=length)
            start += real.numel()

    def _evaluate_along(self, closure: Closure, direction: Tensor) -> Callable[[float], _Point]:
        """A function of the step length; the parameters are put back where they are now."""
        here = [param.clone() for param in self._params]

        def evaluate(length: float) -> _Point:
            self._move(length, direction)
            loss, gradient = float(run_closure(closure)), self._gradient()
            for param, value in zip(self._params, here):
                param.copy_(value)
            return _Point(length, loss, gradient, gradient.dot(direction).item())

        return evaluate

    # ---- the method --------------------------------------------------------------------------------------------------

    @no_grad()
    def step(self, closure: Closure) -> Any:  # type: ignore[override]
        """Minimise for some iterations.

        Args:
            closure: clears the gradients, computes the loss and its gradients, and returns the loss.
        """
        group, state = self.param_groups[0], self.state[self._params[0]]
        search = group["line_search_fn"]
        if search not in (None, "strong_wolfe"):
            raise RuntimeError(f"LBFGS: line_search_fn is None or 'strong_wolfe', got {search!r}")
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first = run_closure(closure)
        loss, gradient, evaluations = float(first), self._gradient(), 1
        state["func_evals"] += 1
        if gradient.abs().max().item() <= group["tolerance_grad"]:
            return first
        for iteration in range(1, group["max_iter"] + 1):
            state["n_iter"] += 1
            direction = self._direction(gradient, state, group["history_size"])
            lr = group["lr"].item() if isinstance(group["lr"], Tensor) else group["lr"]
            length = min(1.0, 1.0 / gradient.abs().sum().item()) * lr if state["n_iter"] == 1 else lr
            slope, before = gradient.dot(direction).item(), loss
            state.update(prev_flat_grad=gradient.clone(), prev_loss=loss, d=direction, t=length)
            if slope > -group["tolerance_change"]:
                break
            used = 0
            if search is not None:
                start, largest = _Point(0, loss, gradient, slope), direction.abs().max().item()
                evaluate, limit = self._evaluate_along(closure, direction), group["max_eval"] - evaluations
                (length, loss, gradient, _), used = _strong_wolfe(evaluate, start, length, largest, 1e-9, limit)
                self._move(length, direction)
            else:
                self._move(length, direction)
                if iteration != group["max_iter"]:  # otherwise nobody would see it
                    loss, gradient, used = float(run_closure(closure)), self._gradient(), 1
            state["t"] = length
            evaluations += used
            state["func_evals"] += used
            if (
                evaluations >= group["max_eval"]
                or gradient.abs().max().item() <= group["tolerance_grad"]
                or (direction * length).abs().max().item() <= group["tolerance_change"]
                or abs(loss - before) < group["tolerance_change"]
            ):
                break
        return first

    def _direction(self, gradient: Tensor, state: dict[str, Any], history_size: int) -> Tensor:
        """The quasi-Newton direction, by the two-loop recursion over the history in `state`."""
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1)
            return -gradient
        change, step = gradient - state["prev_flat_grad"], state["d"] * state["t"]
        curvature = change.dot(step).item()
        changes, steps, inverses = state["old_dirs"], state["old_stps"], state["ro"]
        if curvature > _LEAST_CURVATURE:
            if len(changes) == history_size:
                for entries in (changes, steps, inverses):
                    entries.pop(0)
            changes.append(change)
            steps.append(step)
            inverses.append(1 / curvature)
            state["H_diag"] = curvature / change.dot(change).item()
        direction, weights = -gradient, [0.0] * len(changes)
        for i in reversed(range(len(changes))):
            weights[i] = steps[i].dot(direction).item() * inverses[i]
            direction.add_(changes[i], alpha=-weights[i])
        direction.mul_(state["H_diag"])
        for i in range(len(changes)):
            direction.add_(steps[i], alpha=weights[i] - changes[i].dot(direction).item() * inverses[i])
        return direction
