"""Initial value problems, differentiated by initial state, parameters and times.

Note [Derivatives of initial value problems]
SciPy integrates; what it is given is differentiated. In reverse mode, the adjoint state is integrated backwards from
each time to the one before, together with the state and the gradient of the parameters. In forward mode, the tangent of
the state is integrated beside the state. Both are initial value problems of the same kind, solved by the same function:
so there are derivatives of every order, and all of them are as accurate as the solver's tolerances.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from adjoint import _dtypes
from adjoint._core.forward.tangents import has_visible_tangents
from adjoint._core.modes import enable_grad, no_grad
from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops
from adjoint._dispatch.trees import flatten, tensors_in, unflatten
from adjoint.arrays import namespace_of
from adjoint.arrays.batched import BatchedArray
from adjoint.autograd.function import Function
from adjoint.func import vjp

np: Any = numpy

Solver = Callable[[Callable[..., Any], Any, Any], Any]
"""From ``f(y, t)``, the initial state and the times, all of NumPy, to the states, one in each row."""

Dynamics = Callable[..., Any]
"""``(y, t, *parameters)``, tensors, gives the derivative of y by t."""


class _Trajectory(Function):
    """The states at the given times. See Note [Derivatives of initial value problems]."""

    @staticmethod
    def forward(solver: Solver, dynamics: Dynamics, y0: Any, times: Any, *parameters: Any) -> Any:
        start, ticks = y0.numpy(), times.numpy()
        constants = [ops.tensor(np.array(parameter.numpy())) for parameter in parameters]

        def compute(y: Any, t: Any) -> Any:
            with no_grad():
                state, time = ops.tensor(np.array(y)), ops.tensor(float(t), dtype=_dtypes.float64)
                return dynamics(state, time, *constants).numpy()

        return ops.tensor(np.ascontiguousarray(solver(compute, start, ticks)))

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.solver, ctx.dynamics, _, times, *parameters = inputs
        ctx.save_for_backward(output, times, *parameters)
        ctx.save_for_forward(output, times, *parameters)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        states, times, *parameters = ctx.saved_tensors
        dynamics, n = ctx.dynamics, states.shape[1]
        sizes = [parameter.numel() for parameter in parameters]
        shapes = [tuple(parameter.shape) for parameter in parameters]

        def augmented(joint: Any, t: Any, *parameters: Any) -> Any:
            slope, pull = vjp(lambda y, *values: dynamics(y, t, *values), joint[:n], *parameters)
            by_state, *by_parameters = pull(joint[n : 2 * n])
            return ops.cat([slope, -by_state, *[-ops.reshape(one, (-1,)) for one in by_parameters]], 0)

        costate, by_flat = g[-1], ops.zeros(sum(sizes), dtype=_dtypes.float64)
        by_times: list[Any] = []
        for i in range(len(times) - 1, 0, -1):
            by_times.append(ops.sum(g[i] * dynamics(states[i], times[i], *parameters)))
            start = ops.cat([states[i], costate, by_flat], 0)
            end = _integrate(ctx.solver, augmented, start, ops.stack([times[i], times[i - 1]], 0), parameters)[1]
            costate, by_flat = end[n : 2 * n], end[2 * n :]
            if i > 1:
                costate = costate + g[i - 1]
        by_times.append(-ops.sum(costate * dynamics(states[0], times[0], *parameters)) if by_times else g.sum() * 0)
        by_state = costate + g[0] if len(times) > 1 else g[0]
        parts = ops.split(by_flat, sizes) if sizes else []
        by_parameters = [ops.reshape(part, shape) for part, shape in zip(parts, shapes)]
        return None, None, by_state, ops.stack(by_times[::-1], 0), *by_parameters

    @staticmethod
    def jvp(ctx: Any, _solver: Any, _dynamics: Any, dy0: Any, dtimes: Any, *dparameters: Any) -> Any:
        states, times, *parameters = ctx.saved_tensors
        dynamics, n = ctx.dynamics, states.shape[1]
        dparameters = tuple(
            ops.zeros_like(value) if tangent is None else tangent for value, tangent in zip(parameters, dparameters)
        )
        dy0 = ops.zeros_like(states[0]) if dy0 is None else dy0
        dtimes = ops.zeros_like(times) if dtimes is None else dtimes

        def augmented(joint: Any, t: Any, *values: Any) -> Any:
            parameters, tangents = values[: len(values) // 2], values[len(values) // 2 :]
            slope, change = _push(
                lambda y, *inner: dynamics(y, t, *inner), (joint[:n], *parameters), (joint[n:], *tangents)
            )
            return ops.cat([slope, change], 0)

        slopes = [dynamics(state, time, *parameters) for state, time in zip(states, times)]
        start = ops.cat([states[0], dy0 - slopes[0] * dtimes[0]], 0)
        moved = _integrate(ctx.solver, augmented, start, times, [*parameters, *dparameters])[:, n:]
        return ops.stack([dy0, *[moved[i] + slopes[i] * dtimes[i] for i in range(1, len(slopes))]], 0)


def _push(function: Callable[..., Any], primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any]:
    """The value and the Jacobian-vector product of a function, by two pullbacks.

    A forward-mode level that is opened inside of a jvp rule would not be seen there.
    """
    value, pull = vjp(function, *primals)
    _, pull_back = vjp(pull, ops.zeros_like(value))
    return value, pull_back(tangents)[0]


def _integrate(solver: Solver, dynamics: Dynamics, y0: Any, times: Any, parameters: Any) -> Any:
    return _Trajectory.apply(solver, dynamics, y0, times, *parameters)


def as_state(value: Any) -> Any:
    """What a user's function returns, as a vector of double precision: a tensor, an array, or a list of either."""
    if isinstance(value, (list, tuple)):
        parts = [ops.reshape(_as_double(part), (-1,)) for part in value]
        return ops.cat(parts, 0) if parts else ops.zeros(0, dtype=_dtypes.float64)
    return ops.reshape(_as_double(value), (-1,))


def _as_double(value: Any) -> Any:
    tensor = value if isinstance(value, Tensor) else ops.as_tensor(np.asarray(value, dtype=np.float64))
    if tensor.is_complex():
        raise TypeError(
            "initial value problems of complex numbers are not differentiated here; split them into real parts"
        )
    return tensor if tensor.dtype is _dtypes.float64 else ops.to(tensor, _dtypes.float64)


def solve_problem(solver: Solver, call: Callable[..., Any], y0: Any, times: Any, args: Any) -> Any:
    """Solve an initial value problem. The result has the dtype of the initial state.

    Args:
        call: ``(y, t, args)``, the user's function.
        args: what it gets besides; the tensors in it are differentiated.
    """
    leaves, structure = flatten(args)
    places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, Tensor) and leaf.dtype.is_floating_point]
    dtype = y0.dtype if isinstance(y0, Tensor) and y0.dtype.is_floating_point else _dtypes.float64

    def dynamics(y: Any, t: Any, *parameters: Any) -> Any:
        filled = list(leaves)
        for place, parameter in zip(places, parameters):
            filled[place] = ops.to(parameter, leaves[place].dtype)
        return as_state(call(y, t, unflatten(structure, filled)))

    start, times = as_state(y0), as_state(times)
    parameters = [_as_double(leaves[place]) for place in places]
    _check_slope(dynamics, start, times, parameters)
    out = _integrate(solver, dynamics, start, times, parameters)
    return out if dtype is _dtypes.float64 else ops.to(out, dtype)


def _check_slope(dynamics: Dynamics, start: Any, times: Any, parameters: list[Any]) -> None:
    """Check the derivative at the start, computed from constants, before it is used in a place that hides histories."""
    constants = [_as_constant(value) for value in (start, times, *parameters)]
    if any(value is None or not value.numel() for value in constants):
        return
    y, t, *others = constants
    with enable_grad():
        slope = refuse_differentiated(dynamics(y, t[0], *others))
    if slope.shape != y.shape:
        raise ValueError(
            f"the function returns {slope.shape[0]} derivatives for a state of {y.shape[0]} numbers; it must return "
            "one for each"
        )


def _as_constant(value: Any) -> Any:
    """The values of a tensor of any level as a plain tensor; of a batch, those of the first sample."""
    while isinstance(value, (Tensor, BatchedArray)):
        if isinstance(value, Tensor):
            value = value._array
        elif value.batched and not len(value.value):
            return None
        else:
            value = value.value[0] if value.batched else value.value
    return ops.tensor(np.array(namespace_of(value).to_numpy(value)))


def refuse_differentiated(slope: Any) -> Any:
    """Refuse what a function of constants returns if it is differentiated all the same, else return it."""
    for tensor in tensors_in(slope):
        if tensor.requires_grad or has_visible_tangents(tensor):
            raise ValueError(
                "the function uses a tensor that is differentiated and is not among its arguments, so it would get no "
                "gradient; pass it in args, or detach() it"
            )
    return slope


def check_times(chain: Any) -> None:
    """Times must go from the first end to the last one, in that direction."""
    steps = np.diff(chain) * (1 if chain[-1] >= chain[0] else -1)
    if np.any(steps < 0):
        raise ValueError("solve_ivp: t_eval must be sorted, and between the ends of t_span")


def find_steps(run: Any, call: Any, y0: Any, ends: Any, args: Any) -> Any:
    """The times of the solver's steps, without the ends."""

    def compute(y: Any, t: Any) -> Any:
        return (
            as_state(call(ops.tensor(np.array(y)), ops.tensor(float(t), dtype=_dtypes.float64), args)).detach().numpy()
        )

    with no_grad():
        out = run(compute, as_state(y0).detach().numpy(), ends.detach().numpy(), None)
    return ops.tensor(np.array(out.t[1:-1]))


def on_distinct_times(solver: Solver) -> Solver:
    """Let a solver that wants increasing times see those that are given twice (the ends may be) only once."""

    def solve(compute: Any, start: Any, times: Any) -> Any:
        direction = 1 if times[-1] >= times[0] else -1
        distinct, where = np.unique(direction * times, return_inverse=True)
        if len(distinct) == 1:
            return np.repeat(start[None], len(times), axis=0)
        return solver(compute, start, direction * distinct)[where]

    return solve
