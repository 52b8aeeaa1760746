"""Older names of PyTorch: `Variable`, `NestedIOFunction` (a Function of nested containers) and `InplaceFunction`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from adjoint._core.function import Function
from adjoint._core.function.context import BackwardCFunction
from adjoint._core.tensor import Tensor
from adjoint.autograd._current_pass import queue_callback


class _TensorInstances(type):
    """Metaclass for which every tensor is an instance."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Tensor)


class _Engine:
    """PyTorch's name for the engine, by which users queue callbacks."""

    queue_callback = staticmethod(queue_callback)


class Variable(metaclass=_TensorInstances):
    """Old constructor of tensors that require grad; it returns a tensor.

    Args:
        data: a tensor, whose values are shared.
        requires_grad: whether operations on the result are recorded.
    """

    _execution_engine = _Engine()

    def __new__(cls, data: Tensor, requires_grad: bool = False) -> Any:
        return data.detach().requires_grad_(requires_grad)


class _Nested:
    """Nested containers with their tensors replaced by numbers."""

    def __init__(self, value: Any) -> None:
        self.tensors: list[Tensor] = []
        self.shape = _map(self._number, value)

    def _number(self, leaf: Any) -> Any:
        if not isinstance(leaf, Tensor):
            return leaf
        self.tensors.append(leaf)
        return _Number(len(self.tensors) - 1)

    def fill(self, values: Any) -> Any:
        """Fill the containers with the given values in place of the tensors."""
        return _map(lambda leaf: values[leaf.value] if type(leaf) is _Number else leaf, self.shape)

    def forget(self) -> _Nested:
        """Drop the tensors, and keep the containers."""
        self.tensors = []
        return self


class _Number:
    def __init__(self, value: int) -> None:
        self.value = value


def _map(function: Callable[[Any], Any], value: Any) -> Any:
    """Apply a function to everything inside nested lists, tuples and dictionaries."""
    if isinstance(value, (list, tuple)):
        items: list[Any] = [_map(function, item) for item in value]  # pyright: ignore
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)  # pyright: ignore
    if isinstance(value, dict):
        return {key: _map(function, item) for key, item in value.items()}  # pyright: ignore
    return function(value)


def _align(shape: Any, value: Any, name: str) -> Iterator[Any]:
    """Yield the entries of a nested value at the positions of the tensors; None inside a part that is None."""
    if type(shape) is _Number:
        yield value
    elif isinstance(shape, (list, tuple, dict)):
        keys: Any = list(shape) if isinstance(shape, dict) else range(len(shape))  # pyright: ignore
        if value is None:
            value = dict.fromkeys(keys)
        if len(value) != len(shape):  # pyright: ignore
            raise RuntimeError(
                f"{name} returned gradients that are not built like its arguments: {len(value)} entries where there "
                f"are {len(shape)}"  # pyright: ignore
            )
        for key in keys:
            yield from _align(shape[key], value[key], name)


class _NestedContext(BackwardCFunction):
    """A context whose methods take nested tensors."""

    _saved_nested: Any = None

    def save_for_backward(self, *tensors: Any) -> None:
        self._saved_nested = _Nested(tensors)
        super().save_for_backward(*self._saved_nested.tensors)
        self._saved_nested.forget()

    @property
    def saved_tensors(self) -> Any:
        flat = BackwardCFunction.saved_tensors.fget(self)  # type: ignore[misc]
        return flat if self._saved_nested is None else self._saved_nested.fill(flat)

    def mark_dirty(self, *args: Any) -> None:
        super().mark_dirty(*_Nested(args).tensors)

    def mark_non_differentiable(self, *args: Any) -> None:
        super().mark_non_differentiable(*_Nested(args).tensors)


class NestedIOFunction(Function):
    """A Function whose arguments and outputs may be nested lists, tuples and dictionaries of tensors.

    Define ``forward_extended(ctx, *args)`` and ``backward_extended(ctx, *grad_outputs)``. Gradients come nested like
    the outputs, and have to be returned nested like the arguments; None stands for a part without gradients.

    Example:
        >>> class Dot(ad.autograd.function.NestedIOFunction):
        ...     @staticmethod
        ...     def forward_extended(ctx, pair):
        ...         ctx.save_for_backward(pair)
        ...         return pair[0] @ pair[1]
        ...
        ...     @staticmethod
        ...     def backward_extended(ctx, grad):
        ...         ((a, b),) = ctx.saved_tensors
        ...         return [grad * b, grad * a]
        >>> a = ad.tensor([1.0, 2.0], requires_grad=True)
        >>> Dot.apply([a, ad.ones(2)]).backward()
        >>> a.grad
        tensor([1., 1.])
    """

    context_base = _NestedContext

    @staticmethod
    def forward_extended(ctx: Any, *args: Any) -> Any:
        """Compute the outputs; to be overridden."""
        raise NotImplementedError("a NestedIOFunction has to define forward_extended")

    @staticmethod
    def backward_extended(ctx: Any, *grad_outputs: Any) -> Any:
        """Compute the gradients of the arguments, nested like these; to be overridden."""
        raise NotImplementedError("this NestedIOFunction does not define backward_extended")

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:  # type: ignore[override]
        """Call the Function.

        Args:
            args: the arguments of forward_extended.
        """
        if kwargs:
            raise TypeError(f"{cls.__name__}.apply() takes positional arguments only, got {', '.join(kwargs)}")
        nested = _Nested(args)
        tensors = nested.tensors
        *outputs, made = super().apply(nested.forget(), *tensors)
        return made.fill(outputs)

    @staticmethod
    def forward(ctx: Any, nested: _Nested, *tensors: Tensor) -> Any:
        """Call forward_extended with the flat list of tensors."""
        returned = _Nested(ctx._forward_cls.forward_extended(ctx, *nested.fill(tensors)))
        outputs = returned.tensors
        ctx._nested = (nested, returned.forget())
        return (*outputs, returned)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """Call backward_extended with the flat list of gradients."""
        arguments, outputs = ctx._nested
        given = outputs.fill(grads)
        several = isinstance(outputs.shape, tuple)
        function = ctx._forward_cls
        found = function.backward_extended(ctx, *given) if several else function.backward_extended(ctx, given)
        found = found if isinstance(found, tuple) else (found,)  # pyright: ignore
        return (None, *_align(arguments.shape, found, f"{function.__name__}.backward_extended"))


class InplaceFunction(Function):
    """A Function with an attribute `inplace`, for compatibility with PyTorch."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace
