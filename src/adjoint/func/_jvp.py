"""Forward-mode function transform: `jvp`.

It opens no level, because tangents are separated by their dual level. But its arguments are raised to the current
level: then every tensor that depends on them is of that level too, and has its tangent there, not inside it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjoint._core import modes
from adjoint._core.forward.dual_levels import open_levels, stamp_of
from adjoint._core.forward.propagate import dual_level, make_dual, set_fwd_grad_enabled, unpack_dual
from adjoint._core.forward.tangents import cut, has_visible_tangents, set_tangent
from adjoint._core.levels import current_level, forward_mode_at, leave_closed_levels, raise_level
from adjoint._core.tensor import LAZY, Tensor, without_history, wrap_as
from adjoint._core.views.history import Creation, make_view
from adjoint._dispatch import trees
from adjoint._dispatch.table import table
from adjoint._ops.creation.tensors import zeros_like


def jvp(
    func: Callable[..., Any], primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False
) -> tuple[Any, ...]:
    """Result of a function, and its Jacobian-vector product.

    Args:
        func: returns a tree of tensors, or ``(that, aux)`` if `has_aux`.
        primals: the tuple of its arguments; trees of tensors.
        tangents: the vector: a tuple built like `primals`.
        strict: raise if a result does not depend on the arguments, instead of giving a zero.
        has_aux: whether `func` returns something beside what is differentiated; it comes third in the result.

    Returns:
        ``(output, jvp_out)`` or ``(output, jvp_out, aux)``.

    Example:
        >>> ad.func.jvp(ad.sin, (ad.tensor(0.0),), (ad.tensor(2.0),))
        (tensor(0.), tensor(2.))
    """
    output, tangent, aux = jvp_of(func, primals, tangents, None, has_aux, "jvp", strict)
    return (output, tangent, aux) if has_aux else (output, tangent)


def jvp_of(
    func: Callable[..., Any],
    primals: Any,
    tangents: Any,
    argnums: Any,
    has_aux: bool,
    api: str,
    strict: bool = False,
    hidden: bool = False,
) -> tuple[Any, Any, Any]:
    """Compute `jvp` with respect to some of the arguments; argnums None means all.

    Args:
        hidden: tangents are of a level that is hidden from the function; then primals need not be raised to it, and
            values are computed once for all tangents of a batch.
    """
    if not isinstance(primals, tuple):
        raise RuntimeError(
            f"{api}: the primals have to be a tuple, one entry for each argument of the function, got "
            f"{type(primals).__name__}"
        )
    primals, tangents = trees.with_tensors(primals), trees.with_tensors(tangents)
    leaves, structure = trees.flatten(primals if argnums is None else trees.select_arguments(primals, argnums))
    directions, other = trees.flatten(tangents)
    trees.check_same_structure(api, "tangents", other, "primals", structure)
    _check_tensors(leaves, "primals", api)
    _check_tensors(directions, "tangents", api)
    level = max([current_level(), *[leaf._spec.level for leaf in leaves]])
    if not hidden:
        level = max([level, *[direction._spec.level for direction in directions]])
    with forward_mode_at(level), set_fwd_grad_enabled(True), dual_level():
        open_levels[stamp_of(None)].of_transform = True
        duals = [_make_dual(leaf, tangent, level, i, api) for i, (leaf, tangent) in enumerate(zip(leaves, directions))]
        arguments = trees.unflatten(structure, duals)
        if argnums is not None:
            arguments = trees.replace_arguments(primals, argnums, arguments)
        result, aux = trees.split_aux(func(*arguments), has_aux, api)
        outputs, output_structure = trees.flatten(result)
        trees.check_outputs(outputs, api)
        parts = [_unpack(raise_level(leave_closed_levels(output, level), level), strict, api) for output in outputs]
        aux = trees.tree_map(_strip_tangent, aux)
    return (
        trees.unflatten(output_structure, [primal for primal, _ in parts]),
        trees.unflatten(output_structure, [tangent for _, tangent in parts]),
        aux,
    )


def _check_tensors(leaves: list[Any], what: str, api: str) -> None:
    if not leaves:
        raise RuntimeError(f"{api}: the {what} have to contain at least one tensor")
    for index, leaf in enumerate(leaves):
        if not isinstance(leaf, Tensor):
            raise RuntimeError(
                f"{api}: the {what} have to be tensors or arrays; leaf {index} is a {type(leaf).__name__}"
            )


def _make_dual(leaf: Tensor, tangent: Any, level: int, index: int, api: str) -> Tensor:
    own, other = leaf._spec, tangent._spec
    if not own.inexact:
        raise ValueError(
            f"{api}: only floating point and complex tensors have tangents; leaf {index} of the primals has dtype "
            f"{own.dtype!r}"
        )
    if own.shape != other.shape or own.device != other.device:
        raise RuntimeError(
            f"{api}: leaf {index} of the primals has {own.describe()}, but its tangent has {other.describe()}"
        )
    if own.dtype is not other.dtype:
        if other.is_complex and not own.is_complex:
            raise RuntimeError(
                f"{api}: leaf {index} of the primals is real ({own.dtype!r}), but its tangent is complex "
                f"({other.dtype!r})"
            )
        tangent = tangent.to(own.dtype)
    dual = raise_level(leaf, level)
    if dual is leaf:
        if type(leaf) is not Tensor or own.inference or leaf._edge is not None or has_visible_tangents(leaf):
            return make_dual(leaf, raise_level(tangent, level))
        dual = _view_itself(leaf, modes.state().dual_levels[-1])
    else:
        dual._ensure_meta().captured = True  # by a transform around this one
    set_tangent(dual, modes.state().dual_levels[-1], raise_level(tangent, level))
    return dual


def _view_itself(leaf: Tensor, stamp: int) -> Tensor:
    """Do what `make_dual` does with a tensor that has neither history nor tangents, in less time."""
    view = wrap_as(leaf._array, leaf._spec)
    creation = Creation.DEFAULT if modes.records(leaf._spec.level) else Creation.NO_GRAD_MODE
    make_view(leaf, view, cut((table["_getitem"], {"key": (...,)}), frozenset((stamp,))), creation)
    return view


def _unpack(output: Any, strict: bool, api: str) -> tuple[Any, Any]:
    """Split an output into primal and tangent; a missing tangent is zero, or an error if strict."""
    primal, tangent = _unpack_dual(output)
    if tangent is not None:
        return primal, tangent
    if strict:
        raise RuntimeError(
            f"{api}: with strict=True every output has to depend on the arguments, but one of "
            f"{output._spec.describe()} does not"
        )
    return primal, zeros_like(primal)


def _unpack_dual(output: Any) -> tuple[Any, Any]:
    """Call `unpack_dual`; faster for an output with memory of its own and no other tangents."""
    meta, stamp = output._meta, modes.state().dual_levels[-1]
    if output._edge is LAZY or meta is None or meta.memory is not None or not meta.tangents:
        return unpack_dual(output)
    if list(meta.tangents) != [(None, stamp)]:
        return unpack_dual(output)
    primal = without_history(output)
    primal._edge = output._edge
    return primal, meta.tangents[None, stamp]


def _strip_tangent(leaf: Any) -> Any:
    return unpack_dual(leaf).primal if isinstance(leaf, Tensor) else leaf
