"""HIPS autograd's transforms of functions (`grad`, `jacobian`, `make_vjp`, ...), built on `adjoint.func`."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import adjoint.numpy as anp
from adjoint import func
from adjoint._core.tensor import Tensor
from adjoint._dispatch import trees
from adjoint._dispatch.table import ops
from adjoint._numpy.convert import as_tensor
from adjoint.arrays.batched import NoValues
from adjoint.func._jacobian import pull_rows
from adjoint.func._recording import record
from adjoint.hips._values import box_tree, conjugate, to_tensors, to_user, unbox_tree

Function = Callable[..., Any]


def unary_to_nary(operator: Function) -> Function:
    """Make ``operator(fun, x)``, for functions of one argument, ``operator(fun, argnum)(*args)``.

    Args:
        operator: takes a function of one argument, the argument, and options.

    Returns:
        A function of `fun`, `argnum` (a number, or a tuple or list of numbers) and the options, whose result takes the
        arguments of `fun`.

    Example:
        >>> from adjoint.hips import grad
        >>> from adjoint.hips.extend import unary_to_nary
        >>> @unary_to_nary
        ... def double_grad(fun, x):
        ...     return 2 * grad(fun)(x)
        >>> double_grad(lambda x, y: x * y, 1)(3.0, 4.0)
        np.float64(6.0)
    """

    @functools.wraps(operator)
    def transform(fun: Function, argnum: Any = 0, *options: Any, **named: Any) -> Function:
        if type(argnum) not in (int, tuple, list):
            raise TypeError(f"{operator.__name__}: argnum is an int, or a tuple or list of ints; got {argnum!r}")
        numbers = (argnum,) if isinstance(argnum, int) else tuple(argnum)

        def transformed(*args: Any, **kwargs: Any) -> Any:
            def unary(x: Any) -> Any:
                replaced = list(args)
                for number, value in zip(numbers, (x,) if isinstance(argnum, int) else x):
                    replaced[number] = value
                return fun(*replaced, **kwargs)

            unary.__name__ = get_name(fun)
            chosen = tuple([args[number] for number in numbers])
            return operator(unary, chosen[0] if isinstance(argnum, int) else chosen, *options, **named)

        transformed.__name__ = f"{operator.__name__}_of_{get_name(fun)}_wrt_argnum_{argnum}"
        transformed.__doc__ = f"`{operator.__name__}` of `{get_name(fun)}`, by argument {argnum}; same arguments."
        return transformed

    signature = inspect.signature(operator)
    options = list(signature.parameters.values())[2:]
    first = [inspect.Parameter("fun", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    first += [inspect.Parameter("argnum", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=0)]
    transform.__signature__ = signature.replace(parameters=first + options)  # type: ignore[attr-defined]
    return transform


def get_name(fun: Function) -> str:
    """Name of a function, if it has one; a partial function has none."""
    return getattr(fun, "__name__", "function")


# ---- gradients -------------------------------------------------------------------------------------------------------


def _differentiate(fun: Function, x: Any, api: str, reduce: Function, has_aux: bool = False) -> tuple[Any, Any, Any]:
    """Compute gradient, value and auxiliary value; `reduce` makes the value one number."""

    def compute(tensors: Any) -> Any:
        result = fun(box_tree(tensors))
        value, aux = unbox_tree(tuple(result) if has_aux else (result, None))
        loss = reduce(_check_real(value, api))
        return loss, (value, aux, loss._edge is None)

    tensors = to_tensors(x, f"{api}: the argument")
    gradient, (value, aux, is_constant) = func.grad(compute, has_aux=True)(tensors)
    if is_constant and trees.tensors_in(tensors):
        warnings.warn(f"{api}: the result does not depend on the argument; the gradient is zero", stacklevel=4)
    return to_user(conjugate(gradient)), to_user(value), to_user(aux)


def _check_real(value: Any, api: str) -> Any:
    """Refuse results that have no gradient; returns a tensor."""
    if not isinstance(value, (Tensor, float, complex, np.ndarray, np.floating)):
        raise TypeError(
            f"{api}: the function has to return a floating point number or array, not {type(value).__name__}"
        )
    tensor = as_tensor(value)
    if not tensor._spec.inexact or tensor._spec.is_complex:
        raise TypeError(
            f"{api}: the function has to return real floating point numbers, got {tensor._spec.dtype!r}; of a complex "
            "result take the real part or the absolute value, or use holomorphic_grad"
        )
    return tensor


def _as_scalar(tensor: Any) -> Any:
    if tensor._spec.size != 1:
        raise TypeError(
            f"the gradient is that of a function with one number as its result; this one returned shape "
            f"{tensor._spec.shape}. Sum it up, or use jacobian or elementwise_grad."
        )
    return ops.reshape(tensor, ())


@unary_to_nary
def grad(fun: Function, x: Any) -> Any:
    """Transform a function with a scalar result into one that computes its gradient.

    Args:
        fun: returns one real number; an array of one element will do.
        argnum: by which positional argument; several numbers give a tuple of gradients. The argument may be a tree
            (nested tuples, lists, dictionaries) of numbers and arrays; the gradient is built like it.

    Example:
        >>> from adjoint.hips import grad
        >>> grad(lambda x: 3.0 * x**2)(2.0)
        np.float64(12.0)
    """
    return _differentiate(fun, x, "grad", _as_scalar)[0]


@unary_to_nary
def value_and_grad(fun: Function, x: Any) -> tuple[Any, Any]:
    """Transform a function with a scalar result into one that computes its value and gradient.

    Args:
        fun, argnum: as for `grad`. The pair is what `scipy.optimize.minimize` takes with ``jac=True``.

    Example:
        >>> from adjoint.hips import value_and_grad
        >>> value_and_grad(lambda x: x**2)(3.0)
        (np.float64(9.0), np.float64(6.0))
    """
    gradient, value, _ = _differentiate(fun, x, "value_and_grad", _as_scalar)
    return value, gradient


@unary_to_nary
def grad_and_aux(fun: Function, x: Any) -> tuple[Any, Any]:
    """Transform a function that returns ``(number, aux)`` into one that returns ``(gradient, aux)``.

    Args:
        fun: the function; `aux` may be anything.
        argnum: as for `grad`.

    Example:
        >>> from adjoint.hips import grad_and_aux
        >>> grad_and_aux(lambda x: (x**2, "seen"))(3.0)
        (np.float64(6.0), 'seen')
    """
    gradient, _, aux = _differentiate(fun, x, "grad_and_aux", _as_scalar, has_aux=True)
    return gradient, aux


@unary_to_nary
def elementwise_grad(fun: Function, x: Any) -> Any:
    """Transform a function of each element into one that computes the derivative of each element.

    In general it is the sum over the rows of the Jacobian.

    Args:
        fun: returns real numbers.
        argnum: as for `grad`.

    Example:
        >>> from adjoint.hips import elementwise_grad
        >>> import adjoint.numpy as np
        >>> elementwise_grad(np.square)(np.array([1.0, 2.0]))
        array([2., 4.])
    """
    return _differentiate(fun, x, "elementwise_grad", ops.sum)[0]


@unary_to_nary
def holomorphic_grad(fun: Function, x: Any) -> Any:
    """Transform a holomorphic function into one that computes its complex derivative.

    Args:
        fun: a complex function of a complex number.
        argnum: as for `grad`.

    Example:
        >>> from adjoint.hips import holomorphic_grad
        >>> holomorphic_grad(lambda z: z**2)(1.0 + 2.0j)
        np.complex128(2+4j)
    """
    if not all(leaf._spec.is_complex for leaf in trees.tensors_in(to_tensors(x, "holomorphic_grad: the argument"))):
        warnings.warn("holomorphic_grad: the argument is not complex", stacklevel=3)
    return grad(lambda x: anp.real(fun(x)))(x)


def grad_named(fun: Function, argname: str) -> Function:
    """Like `grad`, by an argument that is given by its name.

    Args:
        fun: as for `grad`.
        argname: the name of one of its parameters.

    Example:
        >>> from adjoint.hips import grad_named
        >>> grad_named(lambda x, y: x * y, "y")(2.0, 3.0)
        np.float64(2.0)
    """
    return grad(fun, list(inspect.signature(fun).parameters).index(argname))


def multigrad_dict(fun: Function) -> Function:
    """Transform a function with a scalar result into one that returns all gradients by name.

    Args:
        fun: as for `grad`.

    Example:
        >>> from adjoint.hips import multigrad_dict
        >>> multigrad_dict(lambda x, y=2.0: x * y)(3.0)
        {'x': np.float64(2.0), 'y': np.float64(3.0)}
    """
    signature = inspect.signature(fun)

    def gradients(*args: Any, **kwargs: Any) -> dict[str, Any]:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()

        def call(arguments: Any) -> Any:
            chosen = inspect.BoundArguments(signature, arguments)  # type: ignore[arg-type]
            return fun(*chosen.args, **chosen.kwargs)

        return grad(call)(dict(bound.arguments))

    return gradients


# ---- products with the Jacobian --------------------------------------------------------------------------------------


class _Outputs:
    """The result of a function: its structure, and which leaves have a derivative."""

    def __init__(self, result: Any) -> None:
        self.leaves, self.structure = trees.flatten(unbox_tree(result))
        self.chosen = [i for i, leaf in enumerate(self.leaves) if isinstance(leaf, Tensor) and leaf._spec.inexact]

    def select(self, leaves: list[Any]) -> list[Any]:
        """The leaves that have a derivative; a constant if there are none."""
        return [leaves[i] for i in self.chosen] or [as_tensor(0.0)]


def _compute_outputs(fun: Function) -> Function:
    """Make a function of tensors whose results are those with a derivative, and as `aux` all of them."""

    def compute(tensors: Any) -> Any:
        outputs = _Outputs(fun(box_tree(tensors)))
        return outputs.select(outputs.leaves), (outputs, outputs.leaves)

    return compute


@unary_to_nary
def make_vjp(fun: Function, x: Any) -> tuple[Function, Any]:
    """Transform a function into one that returns ``(vjp, value)``.

    ``vjp(g)`` is the vector-Jacobian product.

    Args:
        fun: returns a tree of numbers and arrays.
        argnum: as for `grad`.

    Example:
        >>> from adjoint.hips import make_vjp
        >>> import adjoint.numpy as np
        >>> vjp, value = make_vjp(np.sin)(np.array([0.0, 1.0]))
        >>> vjp(np.array([1.0, 0.0]))
        array([1., 0.])
    """
    tensors = to_tensors(x, "make_vjp: the argument")
    _, pull, (outputs, values) = func.vjp(_compute_outputs(fun), tensors, has_aux=True)

    def vjp(g: Any) -> Any:
        given, structure = trees.flatten(g)
        trees.check_same_structure("vjp", "gradients", structure, "function's result", outputs.structure)
        chosen = to_tensors(outputs.select(given), "vjp: the gradient")
        return to_user(conjugate(pull(conjugate(chosen))[0]))

    return vjp, to_user(trees.unflatten(outputs.structure, values))


@unary_to_nary
def make_jvp(fun: Function, x: Any) -> Function:
    """Transform a function into one that returns a function for Jacobian-vector products.

    ``make_jvp(fun)(x)(v)`` is ``(value, product)``.

    Args:
        fun: returns a tree of numbers and arrays.
        argnum: as for `grad`.

    Example:
        >>> from adjoint.hips import make_jvp
        >>> import adjoint.numpy as np
        >>> make_jvp(np.square)(3.0)(1.0)
        (np.float64(9.0), np.float64(6.0))
    """
    tensors = to_tensors(x, "make_jvp: the argument")

    def jvp(v: Any) -> tuple[Any, Any]:
        tangents = to_tensors(v, "jvp: the vector")
        if not trees.tensors_in(tensors):
            outputs, values, pushed = *(_compute_outputs(fun)(tensors)[1]), []
        else:
            compute = _compute_outputs(fun)
            _, pushed, (outputs, values) = func.jvp(compute, (tensors,), (tangents,), has_aux=True)
        found = dict(zip(outputs.chosen, pushed))
        products = [found[i] if i in found else _zeros_like(one) for i, one in enumerate(values)]
        structure = outputs.structure
        return to_user(trees.unflatten(structure, values)), to_user(trees.unflatten(structure, products))

    return jvp


def _zeros_like(value: Any) -> Any:
    return np.zeros_like(value)[()] if isinstance(value, (bool, int, float, complex, np.ndarray, np.generic)) else value


@unary_to_nary
def deriv(fun: Function, x: Any) -> Any:
    """Transform a function into one that computes its derivative in the direction of ones.

    Args:
        fun, argnum: as for `make_jvp`.

    Example:
        >>> from adjoint.hips import deriv
        >>> deriv(lambda x: x**3)(2.0)
        np.float64(12.0)
    """
    return make_jvp(fun)(x)(trees.tree_map(ops.ones_like, to_tensors(x, "deriv: the argument")))[1]


# ---- Jacobians and Hessians ------------------------------------------------------------------------------------------


@unary_to_nary
def jacobian(fun: Function, x: Any) -> Any:
    """Transform a function into one that computes its Jacobian, of shape ``output.shape + input.shape``.

    Args:
        fun: returns real numbers.
        argnum: as for `grad`.

    Example:
        >>> from adjoint.hips import jacobian
        >>> import adjoint.numpy as np
        >>> jacobian(np.square)(np.array([1.0, 2.0]))
        array([[2., 0.],
               [0., 4.]])
    """

    leaves, structure = trees.flatten(to_tensors(x, "jacobian: the argument"))
    are_complex = [leaf._spec.is_complex for leaf in leaves]

    def compute(*parts: Any) -> Any:
        joined = [ops.view_as_complex(part) if both else part for part, both in zip(parts, are_complex)]
        return _check_real(unbox_tree(fun(box_tree(trees.unflatten(structure, joined)))), "jacobian")

    parts = [ops.view_as_real(leaf) if both else leaf for leaf, both in zip(leaves, are_complex)]
    with record(compute, tuple(parts), {}, tuple(range(len(parts))), False, "jacobian") as recording:
        try:
            (rows,) = pull_rows(recording, None)
        except (NoValues, TypeError):  # from a rule of a primitive that cannot take all rows at once
            (rows,) = pull_rows(recording, 1)
    joined = [ops.conj(ops.view_as_complex(part)) if both else part for part, both in zip(rows, are_complex)]
    return to_user(trees.unflatten(structure, joined))


@unary_to_nary
def hessian(fun: Function, x: Any) -> Any:
    """Transform a function with a scalar result into one that computes its Hessian.

    Args:
        fun: returns real numbers; of an array, the Hessian of each element is computed.
        argnum: as for `grad`; the argument has to be one array.

    Example:
        >>> from adjoint.hips import hessian
        >>> import adjoint.numpy as np
        >>> hessian(lambda x: np.prod(x))(np.array([2.0, 3.0]))
        array([[0., 1.],
               [1., 0.]])
    """
    return jacobian(jacobian(fun))(x)


@unary_to_nary
def make_hvp(fun: Function, x: Any) -> tuple[Function, Any]:
    """Transform a function with a scalar result into one that returns ``(hvp, gradient)``.

    ``hvp(v)`` is the Hessian-vector product.

    Args:
        fun, argnum: as for `grad`.

    Example:
        >>> from adjoint.hips import make_hvp
        >>> hvp, gradient = make_hvp(lambda x: x**3)(2.0)
        >>> hvp(1.0)
        np.float64(12.0)
    """
    return make_vjp(grad(fun))(x)


def hessian_tensor_product(fun: Function, argnum: Any = 0) -> Function:
    """Transform a function with a scalar result into one that computes Hessian-tensor products.

    Args:
        fun, argnum: as for `grad`. The new function takes the arguments of `fun`, and last the tensor, which has the
            shape of the argument.

    Example:
        >>> from adjoint.hips import hessian_tensor_product
        >>> hessian_tensor_product(lambda x, y: x**3 * y)(2.0, 5.0, 1.0)
        np.float64(60.0)
    """
    gradient = grad(fun, argnum)

    def contract(*args: Any, **kwargs: Any) -> Any:
        *others, tensor = args
        return anp.tensordot(gradient(*others, **kwargs), tensor, anp.ndim(tensor))

    return grad(contract, argnum)


def tensor_jacobian_product(fun: Function, argnum: Any = 0) -> Function:
    """Transform a function into one that computes the product of a tensor with its Jacobian.

    Args:
        fun, argnum: as for `jacobian`. The new function takes the arguments of `fun`, and last the tensor, which is
            contracted with the first axes of the result of `fun`.

    Example:
        >>> from adjoint.hips import tensor_jacobian_product
        >>> import adjoint.numpy as np
        >>> tensor_jacobian_product(np.square)(np.array([1.0, 2.0]), np.array([1.0, 1.0]))
        array([2., 4.])
    """

    def contract(*args: Any, **kwargs: Any) -> Any:
        *others, tensor = args
        return anp.tensordot(tensor, fun(*others, **kwargs), anp.ndim(tensor))

    return jacobian(contract, argnum)


def _sum_half_squares(x: Any) -> Any:
    return 0.5 * anp.sum(x**2, axis=-1)


def make_ggnvp(f: Function, g: Function = _sum_half_squares, f_argnum: Any = 0) -> Function:
    """Transform two functions into one that returns a function for generalized Gauss-Newton products.

    The matrix is the Jacobian of f, transposed, times the Hessian of g at f(x), times the Jacobian of f.

    Args:
        f: the inner function, a model.
        g: the outer function, a loss with a scalar result; by default half the sum of squares.
        f_argnum: by which argument of f; see `grad`.

    Example:
        >>> from adjoint.hips import make_ggnvp
        >>> import adjoint.numpy as np
        >>> make_ggnvp(lambda x: 3.0 * x)(np.array([1.0, 2.0]))(np.array([1.0, 0.0]))
        array([9., 0.])
    """

    def prepare(f: Function, x: Any) -> Function:
        vjp_f, value = make_vjp(f)(x)
        jvp_f, jvp_of_gradient = make_jvp(f)(x), make_jvp(grad(g))(value)
        return lambda v: vjp_f(jvp_of_gradient(jvp_f(v)[1])[1])

    return unary_to_nary(prepare)(f, f_argnum)
