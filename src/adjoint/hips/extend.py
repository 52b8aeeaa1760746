"""Functions with derivatives of your own, as in `autograd.extend`: `primitive`, `defvjp`, `defjvp`.

A primitive gets plain NumPy values, whatever its arguments are. Its derivative rules get NumPy values too, or boxes
where they are differentiated again.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np

from adjoint._core.function import Function
from adjoint._core.levels import unwrap_constant
from adjoint._core.modes import enable_grad
from adjoint._core.tensor import Tensor
from adjoint._dispatch import trees
from adjoint._numpy.convert import as_tensor
from adjoint.hips._transforms import get_name, make_vjp, unary_to_nary
from adjoint.hips._values import box_tree, conjugate, to_tensors, unbox_tree
from adjoint.hips._vspace import VSpace, vspace
from adjoint.numpy import ArrayBox

__all__ = [
    "ArrayBox", "VSpace", "checkpoint", "def_linear", "defjvp", "defjvp_argnum", "defjvp_argnums", "defvjp",
    "defvjp_argnum", "defvjp_argnums", "getval", "isbox", "notrace_primitive", "primitive", "primitive_jvps",
    "primitive_vjps", "unary_to_nary", "vspace",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__


Rule = Callable[..., Any]

primitive_vjps: dict[Rule, Rule] = {}
"""Reverse-mode rules by primitive: ``rule(argnums, ans, args, kwargs)(g)`` gives one gradient for each of argnums."""

primitive_jvps: dict[Rule, Rule] = {}
"""Forward-mode rules by primitive: ``rule(argnums, gs, ans, args, kwargs)`` gives the tangent of ans."""


def primitive(fun: Rule) -> Rule:
    """Make a function of NumPy arrays one whose derivatives are given, by `defvjp` and its like.

    Args:
        fun: computes with plain NumPy values. It may not use values that are being differentiated except its arguments.

    Example:
        >>> from adjoint.hips import grad
        >>> from adjoint.hips.extend import defvjp, primitive
        >>> import numpy
        >>> @primitive
        ... def cube(x):
        ...     return numpy.power(x, 3)
        >>> defvjp(cube, lambda ans, x: lambda g: g * 3 * x**2)
        >>> grad(cube)(2.0), grad(grad(cube))(2.0)
        (np.float64(12.0), np.float64(12.0))
    """

    @functools.wraps(fun)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        leaves, structure = trees.flatten(unbox_tree(args))
        leaves = [_strip(leaf) for leaf in leaves]
        if not any(isinstance(leaf, Tensor) for leaf in leaves):
            return fun(*trees.unflatten(structure, leaves), **kwargs)
        call = _Call(wrapped, fun, structure, kwargs)
        outputs = _find_function(wrapped).apply(call, *leaves)
        return box_tree(trees.unflatten(call.output_structure, outputs))

    return wrapped


def _strip(leaf: Any) -> Any:
    """Replace a tensor without history or tangents by its NumPy array."""
    array = unwrap_constant(leaf)
    return array[()] if isinstance(array, np.ndarray) and isinstance(leaf, Tensor) else leaf


def isbox(value: Any) -> bool:
    """Whether a value is a box, that is, being differentiated.

    Args:
        value: anything.

    Example:
        >>> from adjoint.hips.extend import isbox
        >>> isbox(1.0)
        False
    """
    return isinstance(value, ArrayBox)


def getval(value: Any) -> Any:
    """The NumPy array that a box stands for, which has no derivative; other values as they are.

    Args:
        value: anything.

    Example:
        >>> from adjoint.hips import grad
        >>> from adjoint.hips.extend import getval
        >>> grad(lambda x: x * getval(x))(3.0)
        np.float64(3.0)
    """
    tensor = value.tensor if isinstance(value, ArrayBox) else value
    return tensor.numpy(force=True)[()] if isinstance(tensor, Tensor) else value  # type: ignore[attr-defined]


def notrace_primitive(fun: Rule) -> Rule:
    """Make a function one that gets plain NumPy values, and whose result has no derivative.

    Args:
        fun: computes with plain NumPy values.

    Example:
        >>> from adjoint.hips import grad
        >>> from adjoint.hips.extend import notrace_primitive
        >>> grad(lambda x: x * notrace_primitive(float)(x))(3.0)
        np.float64(3.0)
    """

    @functools.wraps(fun)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return fun(*trees.tree_map(getval, args), **kwargs)

    return wrapped


# ---- declaring derivatives -------------------------------------------------------------------------------------------


def defvjp(fun: Rule, *vjpmakers: Rule | None, argnums: Any = None) -> None:
    """Declare the reverse-mode derivatives of a primitive.

    Args:
        fun: the primitive.
        vjpmakers: one for each argument: ``vjpmaker(ans, *args, **kwargs)`` returns a function from the gradient of
            the result to that of the argument. None declares it to be zero.
        argnums: the arguments meant, if not the first ones.

    Example:
        >>> from adjoint.hips import grad
        >>> from adjoint.hips.extend import defvjp, primitive
        >>> import numpy
        >>> product = primitive(numpy.multiply)
        >>> defvjp(product, lambda ans, x, y: lambda g: g * y, lambda ans, x, y: lambda g: g * x)
        >>> grad(product, (0, 1))(2.0, 3.0)
        (np.float64(3.0), np.float64(2.0))
    """
    makers = dict(zip(count() if argnums is None else argnums, vjpmakers))

    def rule(numbers: Any, ans: Any, args: Any, kwargs: Any) -> Rule:
        _check_declared(fun, makers, numbers, "defvjp")
        found = [None if makers[n] is None else makers[n](ans, *args, **kwargs) for n in numbers]  # type: ignore[misc]
        return lambda g: [vspace(args[n]).zeros() if vjp is None else vjp(g) for n, vjp in zip(numbers, found)]

    primitive_vjps[fun] = rule


def defvjp_argnum(fun: Rule, vjpmaker: Rule) -> None:
    """Declare the reverse-mode derivatives of a primitive by one rule for all arguments.

    Args:
        fun: the primitive.
        vjpmaker: ``vjpmaker(argnum, ans, args, kwargs)`` returns a function from gradient to gradient.

    Example:
        >>> from adjoint.hips import grad
        >>> from adjoint.hips.extend import defvjp_argnum, primitive
        >>> import numpy
        >>> product = primitive(numpy.multiply)
        >>> defvjp_argnum(product, lambda argnum, ans, args, kwargs: lambda g: g * args[1 - argnum])
        >>> grad(product, (0, 1))(2.0, 3.0)
        (np.float64(3.0), np.float64(2.0))
    """

    def rule(numbers: Any, ans: Any, args: Any, kwargs: Any) -> Rule:
        vjps = [vjpmaker(number, ans, args, kwargs) for number in numbers]
        return lambda g: [vjp(g) for vjp in vjps]

    primitive_vjps[fun] = rule


def defvjp_argnums(fun: Rule, vjpmaker: Rule) -> None:
    """Declare the reverse-mode derivatives of a primitive by one rule for several arguments at once.

    Args:
        fun: the primitive.
        vjpmaker: ``vjpmaker(argnums, ans, args, kwargs)`` returns a function from gradient to a list of gradients.

    Example:
        >>> from adjoint.hips import grad
        >>> from adjoint.hips.extend import defvjp_argnums, primitive
        >>> import numpy
        >>> product = primitive(numpy.multiply)
        >>> defvjp_argnums(product, lambda argnums, ans, args, kwargs: lambda g: [g * args[1 - n] for n in argnums])
        >>> grad(product, (0, 1))(2.0, 3.0)
        (np.float64(3.0), np.float64(2.0))
    """
    primitive_vjps[fun] = vjpmaker


def defjvp(fun: Rule, *jvpfuns: Any, argnums: Any = None) -> None:
    """Declare the forward-mode derivatives of a primitive.

    Args:
        fun: the primitive.
        jvpfuns: one for each argument: ``jvpfun(g, ans, *args, **kwargs)`` returns the tangent of the result for the
            tangent g of the argument. None declares it to be zero; "same" says that `fun` is linear in the argument.
        argnums: the arguments meant, if not the first ones.

    Example:
        >>> from adjoint.hips import deriv
        >>> from adjoint.hips.extend import defjvp, primitive
        >>> import numpy
        >>> product = primitive(numpy.multiply)
        >>> defjvp(product, lambda g, ans, x, y: g * y, lambda g, ans, x, y: x * g)
        >>> deriv(product)(2.0, 3.0)
        np.float64(3.0)
    """
    rules = dict(zip(count() if argnums is None else argnums, jvpfuns))

    def rule(numbers: Any, gs: Any, ans: Any, args: Any, kwargs: Any) -> Any:
        _check_declared(fun, rules, numbers, "defjvp")
        space = vspace(ans)
        total = space.zeros()
        for number, g in zip(numbers, gs):
            if rules[number] == "same":
                total = space.add(total, fun(*_replace(args, number, g), **kwargs))
            elif rules[number] is not None:
                total = space.add(total, rules[number](g, ans, *args, **kwargs))
        return total

    primitive_jvps[fun] = rule


def defjvp_argnum(fun: Rule, jvpmaker: Rule) -> None:
    """Declare the forward-mode derivatives of a primitive by one rule for all arguments.

    Args:
        fun: the primitive.
        jvpmaker: ``jvpmaker(argnum, g, ans, args, kwargs)`` returns the tangent of the result.

    Example:
        >>> from adjoint.hips import deriv
        >>> from adjoint.hips.extend import defjvp_argnum, primitive
        >>> import numpy
        >>> product = primitive(numpy.multiply)
        >>> defjvp_argnum(product, lambda argnum, g, ans, args, kwargs: g * args[1 - argnum])
        >>> deriv(product)(2.0, 3.0)
        np.float64(3.0)
    """

    def rule(numbers: Any, gs: Any, ans: Any, args: Any, kwargs: Any) -> Any:
        tangents = [jvpmaker(number, g, ans, args, kwargs) for number, g in zip(numbers, gs)]
        return functools.reduce(vspace(ans).add, tangents)

    primitive_jvps[fun] = rule


def defjvp_argnums(fun: Rule, jvpmaker: Rule) -> None:
    """Declare the forward-mode derivatives of a primitive by one rule for several arguments at once.

    Args:
        fun: the primitive.
        jvpmaker: ``jvpmaker(argnums, gs, ans, args, kwargs)`` returns the tangent of the result.

    Example:
        >>> from adjoint.hips import deriv
        >>> from adjoint.hips.extend import defjvp_argnums, primitive
        >>> import numpy
        >>> square = primitive(numpy.square)
        >>> defjvp_argnums(square, lambda argnums, gs, ans, args, kwargs: 2 * args[0] * gs[0])
        >>> deriv(square)(3.0)
        np.float64(6.0)
    """
    primitive_jvps[fun] = jvpmaker


def def_linear(fun: Rule) -> None:
    """Declare a primitive linear in each of its arguments, which gives its forward-mode derivatives.

    Args:
        fun: the primitive.

    Example:
        >>> from adjoint.hips import deriv
        >>> from adjoint.hips.extend import def_linear, primitive
        >>> import numpy
        >>> product = primitive(numpy.multiply)
        >>> def_linear(product)
        >>> deriv(product)(2.0, 3.0)
        np.float64(3.0)
    """
    defjvp_argnum(fun, lambda argnum, g, ans, args, kwargs: fun(*_replace(args, argnum, g), **kwargs))


def _replace(args: Any, number: int, value: Any) -> list[Any]:
    return [value if i == number else arg for i, arg in enumerate(args)]


def _check_declared(fun: Rule, rules: dict[int, Any], numbers: Any, how: str) -> None:
    missing = [number for number in numbers if number not in rules]
    if missing:
        raise NotImplementedError(f"{fun.__name__} has no derivative by argument {missing[0]}; declare it with {how}")


def checkpoint(fun: Rule) -> Rule:
    """Make a function one that is computed again in the backward pass, to save memory.

    Args:
        fun: the function. It may not use values that are being differentiated except its arguments.

    Example:
        >>> from adjoint.hips import checkpoint, grad
        >>> import adjoint.numpy as np
        >>> grad(checkpoint(lambda x: np.exp(x) ** 2))(0.0)
        np.float64(2.0)
    """
    wrapped = primitive(fun)
    defvjp_argnum(wrapped, lambda argnum, ans, args, kwargs: make_vjp(fun, argnum)(*args, **kwargs)[0])
    return wrapped


# ---- calls -----------------------------------------------------------------------------------------------------------

_TENSOR: Any = object()  # stands for a saved tensor among the leaves of the arguments


class _Call:
    """A call of a primitive: the function, the arguments' structure, and that of the outputs once they are computed."""

    def __init__(self, wrapped: Rule, fun: Rule, structure: Any, kwargs: dict[str, Any]) -> None:
        self.wrapped, self.fun, self.structure, self.kwargs = wrapped, fun, structure, kwargs
        self.output_structure: Any = None

    def compute(self, leaves: Any) -> list[Any]:
        """Compute the outputs as tensors. What `fun` uses besides its arguments has to be constant."""
        values = [leaf.numpy()[()] if isinstance(leaf, Tensor) else leaf for leaf in leaves]  # type: ignore[attr-defined]
        with enable_grad():
            result = self.fun(*trees.unflatten(self.structure, values), **self.kwargs)
        outputs, self.output_structure = trees.flatten(unbox_tree(result))
        outputs = [_strip(output) for output in outputs]
        if any(isinstance(output, Tensor) for output in outputs):
            raise RuntimeError(
                f"the primitive {get_name(self.fun)} uses a value that is being differentiated and is none of its "
                "arguments, so its derivative would be lost; make it an argument"
            )
        if not all(isinstance(output, (bool, int, float, complex, np.ndarray, np.generic)) for output in outputs):
            kinds = ", ".join(sorted({type(output).__name__ for output in outputs}))
            raise TypeError(f"the primitive {get_name(self.fun)} has to return numbers and NumPy arrays, got {kinds}")
        return [as_tensor(output) for output in outputs]

    def group(self, leaves: Any) -> list[Any]:
        """Group the leaves by argument."""
        rest = iter(leaves)
        return [[next(rest) for _ in range(child.num_leaves)] for child in self.structure.children()]


class _Primitive(Function):
    """What all primitives have in common. Their rules are added by `_find_function`."""

    @staticmethod
    def forward(ctx: Any, call: _Call, *leaves: Any) -> tuple[Any, ...]:
        outputs = call.compute(leaves)
        ctx.call, ctx.leaves = call, [_TENSOR if isinstance(leaf, Tensor) else leaf for leaf in leaves]
        ctx.mark_non_differentiable(*[output for output in outputs if not output._spec.inexact])
        tensors = [leaf for leaf in leaves if isinstance(leaf, Tensor)]
        ctx.save_for_backward(*tensors, *outputs)
        ctx.save_for_forward(*tensors, *outputs)
        return tuple(outputs)


def _restore(ctx: Any) -> tuple[Any, Any]:
    """The result and the arguments, as rules take them."""
    saved = iter(ctx.saved_tensors)
    leaves = [next(saved) if leaf is _TENSOR else leaf for leaf in ctx.leaves]
    ans = box_tree(trees.unflatten(ctx.call.output_structure, list(saved)))
    return ans, box_tree(trees.unflatten(ctx.call.structure, leaves))


def _backward(ctx: Any, *grads: Any) -> tuple[Any, ...]:
    call, (ans, args) = ctx.call, _restore(ctx)
    places = call.group(range(len(ctx.leaves)))
    numbers = [n for n, group in enumerate(places) if any(ctx.needs_input_grad[1 + place] for place in group)]
    g = box_tree(conjugate(trees.unflatten(call.output_structure, grads)))
    results = primitive_vjps[call.wrapped](tuple(numbers), ans, args, call.kwargs)(g)
    gradients: list[Any] = [None] * len(ctx.leaves)
    for number, result in zip(numbers, results):
        what = f"the gradient of {get_name(call.fun)} by argument {number}"
        for place, gradient in zip(places[number], trees.flatten(conjugate(to_tensors(result, what)))[0]):
            gradients[place] = gradient if ctx.leaves[place] is _TENSOR else None
    return None, *gradients


def _jvp(ctx: Any, _: Any, *tangents: Any) -> tuple[Any, ...]:
    call, (ans, args) = ctx.call, _restore(ctx)
    groups = call.group(tangents)
    numbers = [n for n, group in enumerate(groups) if any(tangent is not None for tangent in group)]
    gs = [_fill(args[n], groups[n]) for n in numbers]
    result = primitive_jvps[call.wrapped](tuple(numbers), gs, ans, args, call.kwargs)
    outputs = ctx.saved_tensors[-call.output_structure.num_leaves :]
    what = f"the tangent of {get_name(call.fun)}"
    pairs = zip(trees.flatten(result)[0], outputs)
    return tuple([to_tensors(tangent, what) if output._spec.inexact else None for tangent, output in pairs])


def _fill(argument: Any, tangents: list[Any]) -> Any:
    """The tangent of an argument as the rule takes it; zero where there is none."""
    leaves, structure = trees.flatten(argument)
    filled = [vspace(leaf).zeros() if tangent is None else tangent for leaf, tangent in zip(leaves, tangents)]
    return box_tree(trees.unflatten(structure, filled))


def _refuse_backward(ctx: Any, *grads: Any) -> Any:
    raise NotImplementedError(f"{get_name(ctx.call.fun)} has no derivative for reverse mode; declare it with defvjp")


def _find_function(wrapped: Rule) -> Any:
    """The Function with the rules that a primitive has now. From that for reverse mode, forward mode can be derived."""
    known = vars(wrapped).setdefault("_functions", {})
    key = (wrapped in primitive_vjps, wrapped in primitive_jvps)
    if not any(key):
        raise NotImplementedError(f"{get_name(wrapped)} has no derivative; declare it with defvjp or defjvp")
    if key not in known:
        rules = {"backward": staticmethod(_backward if key[0] else _refuse_backward)}
        if key[1]:
            rules["jvp"] = staticmethod(_jvp)
        known[key] = type(get_name(wrapped), (_Primitive,), rules)
    return known[key]
