"""`wrap_numpy`: NumPy functions as differentiable functions of tensors, with a given or numerical derivative."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from adjoint._bridges.numpy_call import Arguments, NumpyCall, UnknownDerivative, is_elementwise_rule
from adjoint._bridges.step import WrappedFunction, requires_grad, run
from adjoint._bridges.transfer import is_inexact
from adjoint._core import modes
from adjoint._dispatch import trees
from adjoint._dtypes import FROM_NUMPY

_NO_RULES = {
    "derivative": None,
    "vjp": None,
    "jvp": None,
    "jacobian": None,
    "vectorized": False,
    "step": 0.0,
    "fake": None,
}
_TRIED = ("finite-difference", "complex-step")


def wrap_numpy(
    function: Callable[..., Any] | None = None,
    *,
    derivative: Any = None,
    vjp: Callable[..., Any] | None = None,
    jvp: Callable[..., Any] | None = None,
    jacobian: Callable[..., Any] | None = None,
    vectorized: bool = False,
    step: float = 1e-3,
    fake: Callable[..., Any] | None = None,
) -> Any:
    """Wrap a NumPy function as a differentiable function of tensors.

    Tensors among the arguments, which may be pytrees, are passed as read-only arrays, everything else unchanged; arrays
    and floats among the results become tensors. The derivative is given in one of these ways (`vjp` and `jvp` may both
    be given); forward and reverse mode follow from each. Below, ``*args`` are the arguments of the function; gradients,
    tangents and results of several tensors are tuples.

    Second derivatives need a rule that is itself differentiable: one made by this function.

    Args:
        function: the function. Without it, a decorator is returned.
        derivative: for an elementwise function, its derivative, ``derivative(*args)`` (for several
            tensors, a tuple of functions). Or ``"finite-difference"``, the default, which needs float64 and calls the
            function six times for each number among its arguments (in forward mode, six times); or ``"complex-step"``,
            for analytic functions that take complex arrays, which is exact and calls it once for each number.
        vjp: ``vjp(g, *args)`` returns the gradient of the arguments from that of the output.
        jvp: ``jvp(t, *args)`` returns the tangent of the output from that of the arguments.
        jacobian: ``jacobian(*args)`` returns the Jacobian: the output's shape followed by the argument's (for several
            outputs a tuple for each, with an entry for each argument).
        vectorized: whether the function and its rules accept an additional leading batch dimension in all arguments.
            If not, `vmap` calls the function in a loop.
        step: the first step of finite differences, relative to max(1, |argument|).
        fake: ``fake(*args)`` returns arrays of the shape and dtype of the results, without reading the values of the
            arguments. Only needed inside `jax.jit`, where there are no values yet, and not for elementwise functions.

    Example:
        >>> sinc = ad.library.wrap_numpy(np.sinc)
        >>> x = ad.tensor([0.5], dtype=ad.float64, requires_grad=True)
        >>> sinc(x).backward()
        >>> x.grad
        tensor([-1.2732], dtype=adjoint.float64)
        >>> cube = ad.library.wrap_numpy(lambda x: x**3, derivative=lambda x: 3 * x**2)
        >>> ad.func.grad(cube)(ad.tensor(2.0))
        tensor(12.)
    """
    given = {"derivative": derivative, "vjp": vjp, "jvp": jvp, "jacobian": jacobian}
    _check_rules({name: rule for name, rule in given.items() if rule is not None})
    options = {**given, "vectorized": vectorized, "step": step, "fake": fake}
    if function is None:
        return lambda function: WrappedNumpy(function, **options)
    return WrappedNumpy(function, **options)


def _check_rules(rules: dict[str, Any]) -> None:
    if len(rules) > 1 and set(rules) != {"vjp", "jvp"}:
        raise TypeError(
            f"wrap_numpy() got {' and '.join(rules)}; each says all there is to say, so give one (vjp and jvp "
            "go together)"
        )
    for name, rule in rules.items():
        several = name == "derivative" and isinstance(rule, (tuple, list)) and all(map(callable, rule))
        if not callable(rule) and not several and not (name == "derivative" and rule in _TRIED):
            how = f"a function, a tuple of functions, or one of {_TRIED}" if name == "derivative" else "a function"
            raise TypeError(f"wrap_numpy({name}=...) has to be {how}, got {rule!r:.80}")


class WrappedNumpy(WrappedFunction):
    """See `wrap_numpy`."""

    public = "wrap_numpy"

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        super().__init__(function, **options)
        self._rules = options | {
            "derivative": _wrap_elementwise_rules(options["derivative"], self.__name__),
            "jacobian": _wrap_rule(options["jacobian"], f"the Jacobian of {self.__name__}", "vjp"),
            "is_elementwise": None if self._is_rule(options["derivative"]) else False,  # False: not tested yet
        }

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        bound = Arguments(args, kwargs)
        result: list[Any] = []  # of the last run's result: the structure, and the leaves that are not arrays

        def run_flat(function: Any, arrays: Sequence[Any]) -> list[Any]:
            arguments, keywords = bound.with_leaves(arrays)
            found, shape = trees.flatten(function(*arguments, **keywords))
            result[:] = [shape, [None if _is_numeric(leaf) else (leaf,) for leaf in found]]
            outputs = [_as_array(leaf, arrays) for leaf in found if _is_numeric(leaf)]
            bound.kinds = [is_inexact(output) for output in outputs]
            return outputs

        def flat(*arrays: Any) -> list[Any]:
            return run_flat(self.__wrapped__, arrays)

        def run_fake(arrays: Sequence[Any]) -> list[Any]:
            blanks = [np.broadcast_to(np.ones((), array.dtype), array.shape) for array in arrays]
            return run_flat(self._find_fake(), blanks)

        call = NumpyCall(flat, self.__name__, bound, self._rules, run_fake)
        if modes.state().grad_enabled:  # fail here rather than in the backward pass
            call.check_precision([tensor._spec for tensor in bound.tensors if requires_grad(tensor)])
        outputs = iter(run(call, bound.tensors))
        return trees.unflatten(result[0], [next(outputs) if other is None else other[0] for other in result[1]])

    @staticmethod
    def _is_rule(derivative: Any) -> bool:
        """Test whether the function is not declared elementwise, or is a rule, which may reduce its arguments."""
        return not is_elementwise_rule(derivative) or isinstance(derivative, UnknownDerivative)

    def _find_fake(self) -> Callable[..., Any]:
        """Return the function that computes arrays like the results from arguments without values."""
        if self._rules["fake"] is not None:
            return self._rules["fake"]
        if is_elementwise_rule(self._rules["derivative"]):
            return self.__wrapped__
        raise TypeError(
            f"{self.__name__} is called inside jax.jit, before there are values, so it has to be known what its "
            "results look like: give wrap_numpy() a function fake= that makes arrays of their shapes and dtypes"
        )


def _is_numeric(leaf: Any) -> bool:
    if isinstance(leaf, (np.ndarray, np.generic)):
        return leaf.dtype.kind in "biufc" or leaf.dtype in FROM_NUMPY  # neither text nor objects
    return isinstance(leaf, (float, complex))


def _as_array(leaf: Any, arrays: Sequence[Any]) -> Any:
    if isinstance(leaf, (np.ndarray, np.generic)):
        return np.asarray(leaf)
    kinds = [array.dtype for array in arrays if is_inexact(array)]
    return np.asarray(leaf, dtype=np.result_type(leaf, *kinds))  # Python numbers are weakly typed


def _wrap_elementwise_rules(rules: Any, name: str) -> Any:
    """Wrap the derivatives of an elementwise function, one for each of its tensors."""
    if not is_elementwise_rule(rules) or isinstance(rules, UnknownDerivative):
        return rules
    rules = rules if isinstance(rules, (tuple, list)) else (rules,)
    return tuple([_wrap_rule(rule, f"the derivative of {name}", "derivative") for rule in rules])


def _wrap_rule(rule: Any, name: str, unknown: str) -> Any:
    """Wrap a rule as a function of tensors, without a derivative of its own unless it is wrapped already."""
    if rule is None or isinstance(rule, WrappedFunction):
        return rule
    return WrappedNumpy(rule, **_NO_RULES | {unknown: UnknownDerivative(name)})
