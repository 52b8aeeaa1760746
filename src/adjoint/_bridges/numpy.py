"""Functions of NumPy as functions of tensors, with a derivative that is given or found by trying."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from adjoint._bridges.numpy_call import Arguments, NumpyCall, Unknown, is_local
from adjoint._bridges.step import Bridged, requires_grad, run
from adjoint._bridges.transfer import varies
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
    """A function of NumPy arrays as a function of tensors, with a derivative.

    Tensors among the arguments, which may be trees, arrive as read-only arrays, everything else as it is; arrays and
    floats among the results become tensors. What is known of the derivative is said in one of these ways (`vjp` and
    `jvp` may both be given); both modes follow from each. Below, ``*args`` are the arguments of the function, and where
    there are several tensors, or outputs, the word for one of them stands for a tuple.

    Second derivatives need a rule that can itself be differentiated: give one that was made by this function.

    Args:
        function: the function. Without it, a decorator is returned.
        derivative: for a function that works element by element, its derivative, ``derivative(*args)`` (for several
            tensors, a tuple of functions). Or ``"finite-difference"``, the default, which needs float64 and calls the
            function six times for each number among its arguments (in forward mode, six times); or ``"complex-step"``,
            for analytic functions that take complex arrays, which is exact and calls it once for each number.
        vjp: ``vjp(g, *args)`` gives the gradient of the arguments from that of the output.
        jvp: ``jvp(t, *args)`` gives the tangent of the output from that of the arguments.
        jacobian: ``jacobian(*args)`` gives the Jacobian, of the output's shape followed by the argument's (for several
            outputs a tuple for each, with an entry for each argument).
        vectorized: whether the function, and its rules, take arguments that all have a further dimension in front, and
            treat it as a batch. If not, `vmap` calls the function in a loop.
        step: the first step of finite differences, relative to the larger of 1 and the size of the argument.
        fake: ``fake(*args)`` gives arrays of the shape and dtype of the results, without looking at the values of the
            arguments. It is needed inside `jax.jit` only, where there are no values yet, and not for functions that
            work element by element.

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


class WrappedNumpy(Bridged):
    """See `wrap_numpy`."""

    public = "wrap_numpy"

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        super().__init__(function, **options)
        self._rules = options | {
            "derivative": _local_rules(options["derivative"], self.__name__),
            "jacobian": _on_tensors(options["jacobian"], f"the Jacobian of {self.__name__}", "vjp"),
            "is_elementwise": None if self._is_rule(options["derivative"]) else False,  # False: to be tested yet
        }

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        bound = Arguments(args, kwargs)
        result: list[Any] = []  # what the last run has returned: its structure, and its leaves that are no arrays

        def flattened(function: Any, arrays: Sequence[Any]) -> list[Any]:
            arguments, keywords = bound.with_leaves(arrays)
            found, shape = trees.flatten(function(*arguments, **keywords))
            result[:] = [shape, [None if _is_numeric(leaf) else (leaf,) for leaf in found]]
            outputs = [_as_array(leaf, arrays) for leaf in found if _is_numeric(leaf)]
            bound.kinds = [varies(output) for output in outputs]
            return outputs

        def flat(*arrays: Any) -> list[Any]:
            return flattened(self.__wrapped__, arrays)

        def imagined(arrays: Sequence[Any]) -> list[Any]:
            blanks = [np.broadcast_to(np.ones((), array.dtype), array.shape) for array in arrays]
            return flattened(self._fake(), blanks)

        call = NumpyCall(flat, self.__name__, bound, self._rules, imagined)
        if modes.state.grad_enabled:  # better now than in the backward pass
            call.check_precision([tensor._spec for tensor in bound.tensors if requires_grad(tensor)])
        outputs = iter(run(call, bound.tensors))
        return trees.unflatten(result[0], [next(outputs) if other is None else other[0] for other in result[1]])

    @staticmethod
    def _is_rule(derivative: Any) -> bool:
        """Whether nothing is said of single elements: not by the user, or of a rule, which may give one for many."""
        return not is_local(derivative) or isinstance(derivative, Unknown)

    def _fake(self) -> Callable[..., Any]:
        """What gives arrays like the results, from arguments without values."""
        if self._rules["fake"] is not None:
            return self._rules["fake"]
        if is_local(self._rules["derivative"]):
            return self.__wrapped__
        raise TypeError(
            f"{self.__name__} is called inside jax.jit, before there are values, so it has to be known what its "
            "results look like: give wrap_numpy() a function fake= that makes arrays of their shapes and dtypes"
        )


def _is_numeric(leaf: Any) -> bool:
    if isinstance(leaf, (np.ndarray, np.generic)):
        return leaf.dtype.kind in "biufc" or leaf.dtype in FROM_NUMPY  # not text and other objects
    return isinstance(leaf, (float, complex))


def _as_array(leaf: Any, arrays: Sequence[Any]) -> Any:
    if isinstance(leaf, (np.ndarray, np.generic)):
        return np.asarray(leaf)
    kinds = [array.dtype for array in arrays if varies(array)]
    return np.asarray(leaf, dtype=np.result_type(leaf, *kinds))  # a Python number is weak


def _local_rules(rules: Any, name: str) -> Any:
    """Derivatives of an elementwise function as functions of tensors, one for each of its tensors."""
    if not is_local(rules) or isinstance(rules, Unknown):
        return rules
    rules = rules if isinstance(rules, (tuple, list)) else (rules,)
    return tuple([_on_tensors(rule, f"the derivative of {name}", "derivative") for rule in rules])


def _on_tensors(rule: Any, name: str, unknown: str) -> Any:
    """A rule as a function of tensors, whose own derivative is not known unless it is one already."""
    if rule is None or isinstance(rule, Bridged):
        return rule
    return WrappedNumpy(rule, **_NO_RULES | {unknown: Unknown(name)})
