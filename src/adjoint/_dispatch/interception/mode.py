"""Dispatch modes: `__torch_dispatch__` of a mode sees every operator below autograd, and may change its result.

Note [Dispatch modes]
An operator that has bound and unified its arguments asks here before it computes. The innermost mode's handler is then
called instead of the forward, with grad mode and the mode itself off, so that it can call the operator; what it
returns is recorded by autograd as the operator's result. Where tensors are nested (levels), only the innermost ones,
which hold arrays, are seen. A backward pass under a mode works on tensors, so that its operators are seen as well.
Handlers get the tensors themselves, and the object they return is the result: a mode can recognise tensors it has seen.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from adjoint._core import modes
from adjoint._core.forward import propagate
from adjoint._core.tensor import Tensor, versions_of, without_history, wrap, wrap_as
from adjoint._dispatch.interception.overloads import OpOverload, find_overload
from adjoint._dispatch.override import omit_defaults


class TorchDispatchMode(modes.ContextManager):
    """Sees every operator of this thread below autograd while it is entered. Override `__torch_dispatch__`.

    It gets the operator (``adjoint.ops.aten.mul.Tensor`` for instance), the classes of operands that take over
    themselves, and the arguments; it returns the result. Inside, the mode is off, and nothing is recorded.

    Example:
        >>> class Log(ad.utils._python_dispatch.TorchDispatchMode):
        ...     def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        ...         print(func)
        ...         return func(*args, **(kwargs or {}))
        >>> x = ad.ones(2, requires_grad=True)
        >>> with Log():
        ...     y = x.exp() * 2
        aten.exp.default
        aten.mul.Tensor
    """

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """What an operator does while the mode is active; to be defined by the subclass."""
        return func(*args, **(kwargs or {}))

    def __enter__(self) -> Any:
        """Make this the innermost active mode."""
        modes.switch(dispatch_modes=(*modes.state().dispatch_modes, self))
        return self

    def __exit__(self, *exc_info: object) -> None:
        """Leave the mode, also after an error."""
        modes.switch(dispatch_modes=modes.remove_entry(self, modes.state().dispatch_modes, self))


@contextmanager
def with_modes(stack: tuple[Any, ...], recording: bool) -> Generator[None]:
    """Run with these dispatch modes only, and with grad mode off unless `recording`."""
    state = modes.state()
    before = {"dispatch_modes": state.dispatch_modes, "grad_enabled": state.grad_enabled}
    state.update({"dispatch_modes": stack, "grad_enabled": state.grad_enabled and recording})
    try:
        yield
    finally:
        modes.reinstate(state)
        state.update(before)


def is_seen(values: list[Any]) -> bool:
    """Test whether an active mode sees the call of an operator: only if the operands hold no tensors."""
    for tensor in tensors_in(values):
        array = tensor._array
        if isinstance(array, Tensor) or isinstance(getattr(array, "value", None), Tensor):
            return False
    return True


def tensors_in(values: list[Any]) -> list[Tensor]:
    """Collect the tensors among bound arguments, also those in lists."""
    found: list[Tensor] = []
    for value in values:
        found += [one for one in (value if isinstance(value, (list, tuple)) else (value,)) if isinstance(one, Tensor)]
    return found


def call_mode(operator: Any, values: list[Any]) -> list[Tensor]:
    """Let the innermost mode compute an operator; returns its results, without history."""
    dual = propagate.is_active()
    given = map_tensors(values, wrap_plainly) if dual else values
    result = call_innermost(find_overload(operator, values), (), *arguments_of(operator, given))
    results: Any = (result,) if operator.outputs == 1 else result
    operands = tensors_in(given)
    outputs: list[Tensor] = []
    for one in results:
        if not isinstance(one, Tensor):
            raise TypeError(
                f"__torch_dispatch__ returned {type(one).__name__} as a result of {operator.title}(), which is a Tensor"
            )
        if dual or operator.is_view or one._edge is not None or any(one is operand for operand in operands):
            one = _share(one)
        outputs.append(one)
    return outputs


def call_mode_in_place(operator: Any, self: Tensor, before: Tensor, values: list[Any]) -> Any:
    """Let the innermost mode compute an operator in place; returns the array with what it has written.

    Args:
        self: the tensor to be changed.
        before: what stands for it among the bound arguments.
        values: the bound arguments.
    """
    alias = wrap(self._array)
    shared = before._array
    given = map_tensors(values, lambda one: alias if one is before or one._array is shared else wrap_plainly(one))
    call_innermost(find_overload(operator, values, in_place=True), (), *arguments_of(operator, [alias, *given[1:]]))
    return alias._array


def shows_memory(operator: Any, parent: Any, outputs: list[Tensor]) -> bool:
    """Test whether a view operator's results, which a mode returned, do show the memory of their parent."""
    if not operator.is_view or not outputs:
        return False
    namespace = parent._spec.namespace
    return not namespace.has_views or namespace.shares_memory(parent._array, outputs[0]._array)


def arguments_of(operator: Any, values: list[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return bound arguments as those of a call, without those that are defaults."""
    count = operator.positional
    return omit_defaults(operator, tuple(values[:count]), dict(zip(operator.keyword_only, values[count:])))


def call_innermost(func: OpOverload, types: tuple[Any, ...], args: Any, kwargs: Any) -> Any:
    """Call the handler of the innermost mode, with that mode and grad mode off."""
    stack = modes.state().dispatch_modes
    with with_modes(stack[:-1], recording=False):
        result = stack[-1].__torch_dispatch__(func, types, args, kwargs)
    if result is NotImplemented:
        raise TypeError(f"{func}: __torch_dispatch__ of the mode {type(stack[-1]).__name__} returned NotImplemented")
    return result


def map_tensors(values: list[Any], function: Callable[[Tensor], Any]) -> list[Any]:
    """Apply a function to the tensors among bound arguments, also those in lists."""
    mapped: list[Any] = []
    for value in values:
        if isinstance(value, Tensor):
            value = function(value)
        elif isinstance(value, (list, tuple)) and any(isinstance(one, Tensor) for one in value):
            value = [function(one) if isinstance(one, Tensor) else one for one in value]
        mapped.append(value)
    return mapped


def wrap_plainly(tensor: Tensor) -> Tensor:
    """Make a tensor of the same memory without history and tangents."""
    return wrap_as(tensor._array, tensor._spec) if tensor._spec.inference else without_history(tensor)


def _share(result: Tensor) -> Tensor:
    """Make another tensor of a result's memory, which a graph can be attached to."""
    shared = wrap_as(result._array, result._spec)
    if not result._spec.inference:
        shared._versions = versions_of(result)
    return shared


@contextmanager
def disable_modes() -> Generator[None]:
    """Switch all dispatch modes off."""
    before = modes.state().dispatch_modes
    modes.switch(dispatch_modes=())
    try:
        yield
    finally:
        modes.switch(dispatch_modes=before)
