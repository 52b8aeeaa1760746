"""`scipy.integrate` on tensors: initial value problems, differentiated by initial state, parameters and times.

See Note [Derivatives of initial value problems] in `scipy/_initial_value.py`.
"""

from __future__ import annotations

import functools
from importlib import import_module
from typing import Any

from adjoint._dispatch.table import ops
from adjoint._dispatch.trees import tensors_in
from adjoint.scipy import _shim
from adjoint.scipy._initial_value import (
    as_state,
    check_times,
    find_steps,
    on_distinct_times,
    refuse_differentiated,
    solve_problem,
)
from adjoint.scipy._shim import differentiable


def _guard(function: Any) -> Any:
    """Let SciPy call a function, unless it returns a tensor that is differentiated."""

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        return refuse_differentiated(function(*args))

    return call


def odeint(
    func: Any, y0: Any, t: Any, args: Any = (), *, tfirst: bool = False, rtol: Any = None,
    atol: Any = None, **options: Any,
) -> Any:  # fmt: skip
    """Solve an initial value problem, by SciPy's `odeint`.

    The result is differentiable by `y0`, `t` and the tensors in `args`.

    Args:
        func: ``func(y, t, ...)`` gives the derivative of y, a vector.
        y0: the initial state.
        t: the times of the result; the first is that of the initial state.
        args: further arguments of `func`. Tensors that are differentiated must be among them.
        tfirst: whether the first two arguments of `func` are t and y.
        rtol: the relative tolerance.
        atol: the absolute tolerance.
        options: further options of SciPy's `odeint`, without `full_output`, `Dfun` and `col_deriv`.

    Example:
        >>> rate = ad.tensor(-1.0, dtype=ad.float64, requires_grad=True)
        >>> y = ad.scipy.integrate.odeint(lambda y, t, rate: rate * y, [1.0], [0.0, 1.0], (rate,))
        >>> y[1].sum().backward()
        >>> rate.grad
        tensor(0.3679, dtype=adjoint.float64)
    """
    integrate: Any = import_module("scipy.integrate")
    if not tensors_in((y0, t, args)):
        guarded = _guard(func)
        return integrate.odeint(guarded, y0, t, args, tfirst=tfirst, rtol=rtol, atol=atol, **options)
    refused = {"full_output", "Dfun", "col_deriv", "ml", "mu"} & {key for key, value in options.items() if value}
    if refused:
        raise ValueError(f"odeint: {', '.join(sorted(refused))} cannot be used with tensors; use detach() first")
    args = args if isinstance(args, tuple) else (args,)
    options = {
        key: value for key, value in options.items() if key not in ("full_output", "Dfun", "col_deriv", "ml", "mu")
    }

    def solver(compute: Any, start: Any, times: Any) -> Any:
        return integrate.odeint(compute, start, times, rtol=rtol, atol=atol, **options)

    def call(y: Any, t: Any, args: Any) -> Any:
        return func(t, y, *args) if tfirst else func(y, t, *args)

    return solve_problem(solver, call, y0, t, args)


def solve_ivp(
    fun: Any, t_span: Any, y0: Any, method: Any = "RK45", t_eval: Any = None,
    dense_output: bool = False, events: Any = None, vectorized: bool = False, args: Any = None, **options: Any,
) -> Any:  # fmt: skip
    """Solve an initial value problem, by SciPy's `solve_ivp`.

    The states are differentiable by `y0`, `t_span`, `t_eval` and the tensors in `args`.

    Args:
        fun: ``fun(t, y, ...)`` gives the derivative of y, a vector.
        t_span: the first and the last time.
        y0: the initial state.
        method: the solver's name or class.
        t_eval: the times of the result; those of the solver's steps if left out. In that case all but the first and the
            last of them are constants.
        dense_output: must be False for tensors.
        events: must be None for tensors.
        vectorized: must be False for tensors.
        args: further arguments of `fun`. Tensors that are differentiated must be among them.
        options: the solver's, such as `rtol` and `atol`.

    Returns:
        SciPy's result, with tensors for `t` and `y` (one state in each column).

    Example:
        >>> rate = ad.tensor(-1.0, dtype=ad.float64, requires_grad=True)
        >>> out = ad.scipy.integrate.solve_ivp(lambda t, y, rate: rate * y, (0, 1), [1.0], args=(rate,), rtol=1e-8)
        >>> out.y[0, -1].backward()
        >>> rate.grad
        tensor(0.3679, dtype=adjoint.float64)
    """
    integrate: Any = import_module("scipy.integrate")
    if not tensors_in((t_span, y0, t_eval, args)):
        given = (t_span, y0, method, t_eval, dense_output, events, vectorized, args)
        return integrate.solve_ivp(_guard(fun), *given, **options)
    if dense_output or events is not None or vectorized or "jac" in options:
        raise ValueError(
            "solve_ivp: dense_output, events, vectorized and jac cannot be used with tensors; use detach() first"
        )
    found: list[Any] = []

    def solver(compute: Any, start: Any, times: Any) -> Any:
        out = _run(compute, start, times[[0, -1]], times)
        return out.y.T

    def _run(compute: Any, start: Any, span: Any, times: Any) -> Any:
        out = integrate.solve_ivp(lambda t, y: compute(y, t), span, start, method, t_eval=times, **options)
        found.append(out)
        if not out.success:
            raise RuntimeError(f"solve_ivp: {out.message}")
        return out

    def call(y: Any, t: Any, args: Any) -> Any:
        return fun(t, y, *(args or ()))

    first, last = t_span
    ends = as_state([first, last])
    if t_eval is None:
        steps = find_steps(_run, call, y0, ends, args)
        times = ops.cat([ends[:1], steps, ends[1:]], 0)
        states = solve_problem(solver, call, y0, times, args)
    else:
        times = as_state(t_eval)
        chain = ops.cat([ends[:1], times, ends[1:]], 0)
        check_times(chain.detach().numpy())
        states = solve_problem(on_distinct_times(solver), call, y0, chain, args)[1:-1]
    out = found[0] if t_eval is None else found[-1]
    out.t, out.y = times, ops.transpose(states, 0, 1)
    return out


@differentiable("integrate")
def trapezoid(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> Any:
    """Integral by the trapezoidal rule.

    Args:
        y: the values.
        x: where they are; with distances `dx` if left out.
        dx: the distance.
        axis: the axis to integrate along.

    Example:
        >>> ad.scipy.integrate.trapezoid(ad.tensor([1.0, 2.0, 3.0]))
        tensor(4.)
    """
    return ops.trapezoid(y, dx=dx, dim=axis) if x is None else ops.trapezoid(y, ops.as_tensor(x), dim=axis)


__all__ = ["odeint", "solve_ivp", "trapezoid"]

__getattr__ = _shim.pass_on("integrate", lambda: __all__)
