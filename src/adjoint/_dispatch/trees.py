"""Pytrees of arguments and results: nested tuples, lists and dictionaries of tensors, by optree. None is a leaf."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import optree

from adjoint._core.tensor import Tensor
from adjoint._core.views.memory import make_external
from adjoint._dispatch import return_types
from adjoint._dispatch.factory import new_leaf
from adjoint.arrays import is_array

Argnums = int | tuple[int, ...]

NAMESPACE = "adjoint"
"""Where optree knows the named tuples that operators return."""


def _register(kind: Any) -> None:
    optree.register_pytree_node(
        kind, lambda results: (tuple(results), None), lambda _, parts: kind(*parts), namespace=NAMESPACE
    )


for _name in return_types.FIELDS:
    _register(getattr(return_types, _name))


def flatten(tree: Any) -> tuple[list[Any], Any]:
    """Flatten a tree into its leaves and structure."""
    return optree.tree_flatten(tree, none_is_leaf=True, namespace=NAMESPACE)  # pyright: ignore[reportReturnType]


def unflatten(structure: Any, leaves: Any) -> Any:
    """Build the tree of a structure with these leaves."""
    return optree.tree_unflatten(structure, leaves)


def tree_map(function: Callable[..., Any], tree: Any) -> Any:
    """Apply a function to every leaf of a tree."""
    return optree.tree_map(function, tree, none_is_leaf=True, namespace=NAMESPACE)


def tensors_in(tree: Any) -> list[Any]:
    """List the leaves of a tree that are tensors."""
    return [leaf for leaf in flatten(tree)[0] if isinstance(leaf, Tensor)]


def with_tensors(tree: Any) -> Any:
    """Wrap every array in the tree in a tensor."""
    return tree_map(_to_tensor, tree)


def _to_tensor(leaf: Any) -> Any:
    if isinstance(leaf, numpy.generic):
        leaf = numpy.asarray(leaf)
    if isinstance(leaf, Tensor) or not is_array(leaf):
        return leaf
    return make_external(new_leaf(leaf)) if isinstance(leaf, numpy.ndarray) else new_leaf(leaf)


def check_argnums(argnums: Any, count: int) -> Argnums:
    """Validate argnums for `count` positional arguments; negative numbers count from the end."""
    if isinstance(argnums, bool) or not isinstance(argnums, (int, tuple)):
        raise RuntimeError(f"argnums has to be an int or a tuple of ints, got {type(argnums).__name__}: {argnums!r}")
    if isinstance(argnums, int):
        return _check_argnum(argnums, count)
    if not argnums:
        raise RuntimeError("argnums is empty: name at least one argument to differentiate with respect to")
    checked = tuple([_check_argnum(number, count) for number in argnums])
    if len(set(checked)) < len(checked):
        raise RuntimeError(f"argnums names an argument twice: {argnums}")
    return checked


def _check_argnum(number: Any, count: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int):
        raise RuntimeError(f"argnums has to be an int or a tuple of ints, got one with a {type(number).__name__}")
    if not -count <= number < count:
        raise RuntimeError(f"argnums names argument {number}, but there are {count} positional arguments")
    return number % count


def select_arguments(args: tuple[Any, ...], argnums: Argnums) -> Any:
    """Return the argument, or the tuple of arguments, at argnums."""
    return args[argnums] if isinstance(argnums, int) else tuple([args[number] for number in argnums])


def replace_arguments(args: tuple[Any, ...], argnums: Argnums, values: Any) -> tuple[Any, ...]:
    """Replace the arguments at argnums."""
    result = list(args)
    if isinstance(argnums, int):
        result[argnums] = values
    else:
        for number, value in zip(argnums, values):
            result[number] = value
    return tuple(result)


def split_aux(result: Any, has_aux: bool, api: str) -> tuple[Any, Any]:
    """Split a function's result into output and auxiliary output."""
    if not has_aux:
        return result, None
    if not isinstance(result, tuple) or len(result) != 2:
        got = f"a tuple of {len(result)}" if isinstance(result, tuple) else type(result).__name__
        raise RuntimeError(f"{api}: with has_aux=True the function has to return a pair (output, aux), got {got}")
    return result


def check_outputs(leaves: list[Any], api: str) -> None:
    """Refuse results that are no tensors, and none at all."""
    if not leaves or (len(leaves) == 1 and leaves[0] is None):
        raise RuntimeError(f"{api}: the function returned no tensor ({leaves}), so there is nothing to differentiate")
    for index, leaf in enumerate(leaves):
        if not isinstance(leaf, Tensor):
            raise RuntimeError(
                f"{api}: the function has to return tensors only; leaf {index} of its result is a "
                f"{type(leaf).__name__}. Return other things beside it, with has_aux=True."
            )


def check_same_structure(api: str, what: str, structure: Any, like: str, expected: Any) -> None:
    """Refuse a tree whose structure differs from the expected one."""
    if structure != expected:
        raise RuntimeError(
            f"{api}: the {what} have to be built like the {like}: expected {_show(expected)}, got {_show(structure)}"
        )


def _show(structure: Any) -> str:
    return str(unflatten(structure, ["*"] * structure.num_leaves)).replace("'*'", "*")


def check_real(api: str, leaves: list[Any], what: str) -> None:
    """Refuse complex tensors where a Jacobian is asked for."""
    for index, leaf in enumerate(leaves):
        if isinstance(leaf, Tensor) and leaf._spec.is_complex:
            raise RuntimeError(
                f"{api} is for real tensors: leaf {index} of the {what} is complex ({leaf.dtype!r}). Take its real and "
                "imaginary parts (view_as_real), or use vjp or jvp."
            )
