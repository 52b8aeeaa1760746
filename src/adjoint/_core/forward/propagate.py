"""Forward-mode AD: dual tensors, and propagation of tangents through operators.

A tensor's tangents are stored by dual level (`_core/forward/tangents.py`). The rules of level n run as ordinary
operations that see only the levels below n. So the tangent of level 2 has itself a tangent of level 1, the mixed second
derivative, and levels nest to any depth.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from adjoint._core import modes
from adjoint._core.forward.dual_levels import close_level as _close
from adjoint._core.forward.dual_levels import is_active as is_active
from adjoint._core.forward.dual_levels import levels_from, open_levels, stamp_of, thread_levels, visible_levels
from adjoint._core.forward.dual_levels import open_level as _open
from adjoint._core.forward.tangents import check_not_separated, cut, see_only_below, tangent_of_base
from adjoint._core.forward.tangents import copy_tangents as copy_tangents
from adjoint._core.forward.tangents import set_tangent as set_tangent
from adjoint._core.forward.tangents import tangent_of as tangent_of
from adjoint._core.forward.tangents import tangents_of as tangents_of
from adjoint._core.graph import unpack_edge
from adjoint._core.levels import raise_level
from adjoint._core.saved.saved import saved_aliases
from adjoint._core.size import contiguous_format
from adjoint._core.tensor import Tensor, wrap
from adjoint._core.views.chain import drop_last, extend


class UnpackedDualTensor(NamedTuple):
    """Primal and tangent of a dual tensor; the tangent is None if there is none."""

    primal: Tensor
    tangent: Tensor | None


# ---- levels ----------------------------------------------------------------------------------------------------------


def enter_dual_level(*, through_detach: bool = False) -> int:
    """Open a dual level of forward mode; `dual_level` does the same as a context manager.

    Args:
        through_detach: see `dual_level`.

    Returns:
        The number of the level: 0 for the outermost.

    Example:
        >>> ad.autograd.forward_ad.enter_dual_level()
        0
        >>> ad.autograd.forward_ad.exit_dual_level()
    """
    return _open(through_detach)


def exit_dual_level(*, level: int | None = None) -> None:
    """Close the innermost dual level of forward mode and delete its tangents.

    Args:
        level: the number of the level, which has to be the innermost one's.

    Example:
        >>> _ = ad.autograd.forward_ad.enter_dual_level()
        >>> ad.autograd.forward_ad.exit_dual_level()
    """
    levels = visible_levels()
    if not levels:
        raise RuntimeError("there is no dual level that could be left")
    if level is not None and level != len(levels) - 1:
        raise RuntimeError(f"dual level {level} cannot be left: the innermost one is {len(levels) - 1}")
    _close(levels[-1])


class dual_level(modes.Mode):
    """Context manager (or decorator) in which tensors can have tangents. Levels nest to any depth.

    Args:
        through_detach: whether `detach()` keeps tangents of this level. By default it drops them, as it drops the
            history of reverse mode: what it returns is a constant in both modes.

    Example:
        >>> with ad.autograd.forward_ad.dual_level():
        ...     x = ad.autograd.forward_ad.make_dual(ad.tensor([2.0]), ad.tensor([1.0]))
        ...     ad.autograd.forward_ad.unpack_dual(x * x).tangent
        tensor([4.])
    """

    def __init__(self, *, through_detach: bool = False) -> None:
        self._through_detach = through_detach
        self._stamps: list[int] = []

    def clone(self) -> dual_level:
        return dual_level(through_detach=self._through_detach)

    def __enter__(self) -> int:
        number = enter_dual_level(through_detach=self._through_detach)
        self._stamps.append(modes.state().dual_levels[-1])
        return number

    def __exit__(self, *exc_info: object) -> None:
        stamp = modes.pop_entry(self, self._stamps)
        missing = stamp not in open_levels
        inner = [other for other in thread_levels() if other > stamp]
        for other in (*reversed(inner), stamp):
            _close(other)
        if exc_info[0] is None and (inner or missing):
            what = "has been left inside" if missing else f"contains {len(inner)} that have not been left"
            raise RuntimeError(f"dual levels have to be left in the order of nesting; the one that ends here {what}")


class set_fwd_grad_enabled(modes.Mode):
    """Switch forward mode on or off: at once when called, or for a block or a decorated function.

    While it is off, operations ignore tangents; existing ones are kept. `no_grad` affects reverse mode only.

    Args:
        mode: whether tangents are propagated.

    Example:
        >>> forward = ad.autograd.forward_ad
        >>> with forward.dual_level():
        ...     x = forward.make_dual(ad.tensor(2.0), ad.tensor(1.0))
        ...     with forward.set_fwd_grad_enabled(False):
        ...         y = x * x
        ...     forward.unpack_dual(y).tangent is None
        True
    """

    def __init__(self, mode: bool) -> None:
        self.mode = bool(mode)
        self._before = modes.state().forward_grad_enabled
        modes.switch(forward_grad_enabled=self.mode)

    def clone(self) -> set_fwd_grad_enabled:
        return set_fwd_grad_enabled(self.mode)

    def __call__(self, function: modes.F) -> modes.F:
        modes.switch(forward_grad_enabled=self._before)  # a decorator changes nothing until the function is called
        return super().__call__(function)

    def __enter__(self) -> None:
        modes.switch(forward_grad_enabled=self.mode)

    def __exit__(self, *exc_info: object) -> None:
        modes.switch(forward_grad_enabled=self._before)


def is_fwd_grad_enabled() -> bool:
    """Test whether operations propagate tangents (forward mode) in this thread.

    Example:
        >>> ad.autograd.forward_ad.is_fwd_grad_enabled()
        True
    """
    return modes.state().forward_grad_enabled


# ---- dual tensors ----------------------------------------------------------------------------------------------------


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """Make a dual tensor: one with a tangent in the given (default: innermost) dual level.

    It shares memory and history with `tensor`, which itself does not become dual. The tangent is copied if its strides
    are not those of `tensor`, so that views of the primal have views of the tangent.

    Args:
        tensor: the primal.
        tangent: its tangent; same shape, dtype and device (a complex tensor's may be real).
        level: the number of the level that the tangent belongs to.

    Example:
        >>> forward = ad.autograd.forward_ad
        >>> with forward.dual_level():
        ...     forward.make_dual(ad.tensor([2.0]), ad.tensor([1.0])) * 3
        tensor([6.], tangent=tensor([3.]))
    """
    stamp = stamp_of(level)
    tangent = _match_layout(tensor, _check_tangent(tensor, tangent))
    inside = modes.thread.factory_level  # in a transform, what depends on it is of the transform's level
    tensor, tangent = raise_level(tensor, inside), raise_level(tangent, inside)
    if tangent_of(tensor, stamp) is not None:
        raise RuntimeError(
            f"this tensor of {tensor._spec.describe()} has a tangent in this dual level already; unpack it first and "
            "make a dual of its primal, or use a further level"
        )
    if tangent_of(tangent, stamp) is not None:
        raise RuntimeError(
            "the tangent itself has a tangent in this dual level; a second derivative needs a second level"
        )
    return _join(tensor, stamp, tangent)


def _check_tangent(tensor: Any, tangent: Any) -> Tensor:
    """Raise unless the tangent fits the tensor; a real one of a complex tensor is cast."""
    for what, value in (("tensor", tensor), ("tangent", tangent)):
        if not isinstance(value, Tensor):
            raise TypeError(f"make_dual: the {what} has to be a Tensor, got {type(value).__name__}")
        if value._spec.dtype.category < 2:
            raise ValueError(
                f"make_dual: the {what} has to be floating point or complex, got dtype {value._spec.dtype!r}"
            )
    own, other = tensor._spec, tangent._spec
    if own.is_complex and own.dtype is other.dtype.to_complex():
        tangent = tangent.to(own.dtype)  # a direction along the real axis
    elif own.dtype is not other.dtype:
        raise _mismatch_error(own, other)
    if own.shape != other.shape or own.device != other.device:
        raise _mismatch_error(own, other)
    return tangent


def _match_layout(tensor: Any, tangent: Any) -> Any:
    """Copy a tangent whose strides are not those of its primal."""
    own, other = tensor._spec.namespace, tangent._spec.namespace
    if not (own.has_views and other.has_views):
        return tangent
    steps, given = own.strides(tensor._array), other.strides(tangent._array)
    if all(a == b or n < 2 for n, a, b in zip(tensor._spec.shape, steps, given)):
        return tangent
    order = sorted(range(len(steps)), key=lambda axis: -abs(steps[axis]))
    copied = tangent.permute(order).clone(memory_format=contiguous_format)
    return copied.permute([order.index(axis) for axis in range(len(order))])


def _mismatch_error(own: Any, other: Any) -> RuntimeError:
    return RuntimeError(
        f"a tangent has to be like its primal: the primal has {own.describe()}, the tangent {other.describe()}"
    )


def _join(tensor: Tensor, stamp: int, tangent: Tensor) -> Tensor:
    """Make a dual tensor. Levels commute: tangents of the tangent in later levels become tangents of theirs in this."""
    crossed: dict[int, Tensor] = {}
    for later in [other for other in tangents_of(tangent) if other > stamp]:
        tangent, part = _split(tangent, later)
        base = tangent_of(tensor, later)
        assert part is not None
        crossed[later] = _join(_zeros_like(tensor) if base is None else base, stamp, part)
    dual = _view_without_tangents(tensor, {stamp, *crossed})
    for later, value in ({stamp: tangent} | crossed).items():
        set_tangent(dual, later, value)
    return dual


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """Primal and tangent (or None) of a tensor in the given (default: innermost) dual level.

    Args:
        tensor: any tensor.
        level: the number of the level.

    Example:
        >>> forward = ad.autograd.forward_ad
        >>> with forward.dual_level():
        ...     x = forward.make_dual(ad.tensor([2.0]), ad.tensor([1.0]))
        ...     forward.unpack_dual(x * x)
        UnpackedDualTensor(primal=tensor([4.]), tangent=tensor([4.]))
    """
    if not visible_levels():  # even if the number of a closed level is given
        return UnpackedDualTensor(tensor, None)
    if not isinstance(tensor, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"unpack_dual needs a Tensor, got {type(tensor).__name__}")
    return UnpackedDualTensor(*_split(tensor, stamp_of(level)))


def _split(tensor: Tensor, stamp: int) -> tuple[Tensor, Tensor | None]:
    """Split a tensor into primal and tangent of one level.

    Levels commute: tangents that tangents of later levels have in this one become tangents of its tangent in those.
    """
    tangent = tangent_of(tensor, stamp)
    later = {other: _split(value, stamp) for other, value in tangents_of(tensor).items() if other > stamp}
    primal = _view_without_tangents(tensor, {stamp, *later})
    for other, (part, _) in later.items():
        set_tangent(primal, other, part)
    crossed = {other: part for other, (_, part) in later.items() if part is not None}
    if crossed:
        tangent = _view_without_tangents(_zeros_like(tensor) if tangent is None else tangent, set(crossed))
        for other, part in crossed.items():
            set_tangent(tangent, other, part)
    return primal, tangent


def dual_base(base: Tensor, view: Tensor) -> Tensor:
    """Make a dual of a base from the tangents of one of its views that is dual itself, or a view of a dual."""
    found = {stamp: tangent_of_base(view, base, stamp) for stamp in tuple(open_levels)}
    own = {stamp: tangent for stamp, tangent in found.items() if tangent is not None}
    if not own:
        return base
    dual = _view_without_tangents(base, set(own))
    for stamp, tangent in own.items():
        set_tangent(dual, stamp, tangent)
    return dual


def _zeros_like(tensor: Tensor) -> Tensor:
    return wrap(tensor._spec.namespace.zeros_like(tensor._array))


def _view_without_tangents(tensor: Any, stamps: set[int]) -> Tensor:
    """Make a view with the tensor's values and history, but without its tangents in the levels with these stamps."""
    view: Any = tensor.view_as(tensor)
    meta = view._meta
    meta.route = extend(drop_last(meta.route), cut(meta.route[-1], frozenset(stamps)))
    return view


# ---- propagation of tangents through operators -----------------------------------------------------------------------


def propagate(operator: Any, values: list[Any], outputs: list[Tensor], find_tangents: Callable[..., Any]) -> None:
    """Compute the tangents of an operator's outputs from those of its inputs, level by level (JVP).

    Args:
        find_tangents: computes the outputs' tangents, ``find_tangents(operator, values, outputs, incoming)``, where
            incoming are those of the inputs, by name.
    """
    if operator.is_view and outputs and outputs[0]._meta is not None and outputs[0]._meta.memory is not None:
        return  # see Note [Tangents of shared memory]
    for stamp in tuple(open_levels):
        if stamp in modes.thread.unseen_levels:
            continue
        for output, tangent in zip(outputs, _output_tangents(operator, values, outputs, stamp, find_tangents)):
            if tangent is not None:
                _set_output_tangent(output, stamp, tangent, output._edge)


def propagate_in_place(
    operator: Any, values: list[Any], tensor: Tensor, node: Any, find_tangents: Callable[..., Any]
) -> None:
    """Compute the tangents of a tensor after an in-place operation, with its node if it was recorded.

    The tangents of all tensors that share its memory change with it.
    """
    for stamp in tuple(open_levels):
        if stamp in modes.thread.unseen_levels:
            continue
        check_not_separated(tensor, stamp)
        (tangent,) = _output_tangents(operator, values, [tensor], stamp, find_tangents) or (None,)
        if tangent is None and tangent_of(tensor, stamp) is not None:
            tangent = _zeros_like(tensor)  # the value written is a constant
        if tangent is not None:
            _set_output_tangent(tensor, stamp, tangent, node)


def overwrite_tangents(tensor: Tensor, source: Tensor) -> None:
    """Overwrite a tensor's tangents by those of another one, whose values were copied into it."""
    for stamp in tuple(open_levels):
        check_not_separated(tensor, stamp)
        tangent = tangent_of(source, stamp)
        if tangent is None and tangent_of(tensor, stamp) is not None:
            tangent = _zeros_like(tensor)
        if tangent is not None:
            with see_only_below(stamp):
                set_tangent(tensor, stamp, _fit_tangent(tangent, tensor))


def _output_tangents(
    operator: Any, values: list[Any], outputs: list[Tensor], stamp: int, find_tangents: Callable[..., Any]
) -> list[Any]:
    """Compute the tangents of the outputs in a level; empty if no input has one."""
    incoming = _input_tangents(operator, values, stamp)
    if not incoming:
        return []
    thread = modes.thread
    before, outer = thread.unseen_levels, thread.rule_level
    thread.unseen_levels, thread.rule_level = before | levels_from(stamp), stamp
    try:
        results = find_tangents(operator, values, outputs, incoming)
        return [
            None
            if tangent is None or not output._spec.inexact
            else _fit_tangent(_copy_if_operand(tangent, incoming), output)
            for output, tangent in zip(outputs, results)
        ]
    finally:
        thread.unseen_levels, thread.rule_level = before, outer


def _set_output_tangent(output: Tensor, stamp: int, tangent: Tensor, edge: Any) -> None:
    """Set an output's tangent, also on the node's saved alias, so that gradients computed from it have tangents too."""
    set_tangent(output, stamp, tangent)
    if edge:
        for alias in saved_aliases(*unpack_edge(edge)):
            if isinstance(alias, Tensor):
                set_tangent(alias, stamp, tangent)
            else:
                alias.keep_tangent(stamp, tangent)


def _input_tangents(operator: Any, values: list[Any], stamp: int) -> dict[str, Any]:
    """Collect the inputs' tangents in a level, by name; for a list argument a list, None where there is no tangent."""
    found: dict[str, Any] = {}
    for name, position in zip(operator.tensors, operator.tensor_positions):
        value = values[position]
        if isinstance(value, list):
            tangents = [tangent_of(item, stamp) for item in value]  # pyright: ignore[reportUnknownVariableType]
            if any(tangent is not None for tangent in tangents):
                found[name] = tangents
        else:
            tangent = tangent_of(value, stamp)
            if tangent is not None:
                found[name] = tangent
    return found


def _copy_if_operand(tangent: Any, incoming: dict[str, Any]) -> Any:
    """Clone a tangent that is an operand's tangent itself: a write to one must not change the other."""
    array = tangent._array
    for given in incoming.values():
        for one in given if isinstance(given, list) else (given,):  # pyright: ignore[reportUnknownVariableType]
            if one is not None and one._array is array:  # pyright: ignore[reportUnknownMemberType]
                return tangent.clone()
    return tangent


def _fit_tangent(tangent: Any, output: Tensor) -> Tensor:
    """Expand and cast a tangent to the shape and dtype of its primal."""
    spec = output._spec
    if tangent._spec is spec:
        return tangent
    if tangent._spec.shape != spec.shape:
        tangent = tangent.expand(spec.shape)
    if tangent._spec.dtype is not spec.dtype:
        tangent = tangent.real if tangent._spec.is_complex and not spec.is_complex else tangent
        tangent = tangent.to(spec.dtype)
    return tangent
