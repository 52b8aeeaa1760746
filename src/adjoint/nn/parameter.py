"""`Parameter` and `Buffer`: tensors that a module registers when they are assigned to it; also their lazy kinds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjoint._core.tensor import wrap
from adjoint._dispatch.override import default_handler
from adjoint._dispatch.table import ops
from adjoint._tensor.methods import Tensor

__all__ = [
    "Buffer",
    "Parameter",
    "UninitializedBuffer",
    "UninitializedParameter",
    "UninitializedTensorMixin",
    "is_lazy",
]


class _FlaggedMeta(type):
    """Metaclass: a tensor of another class that carries the class's flag is an instance of it too."""

    def __instancecheck__(cls, instance: Any) -> bool:
        if type.__instancecheck__(cls, instance):
            return True
        flag = cls.__dict__.get("_flag")
        return flag is not None and isinstance(instance, Tensor) and instance.__dict__.get(flag, False)


class Parameter(Tensor, metaclass=_FlaggedMeta):
    """A tensor that is a parameter of the module it is assigned to; operations treat it as a plain tensor.

    Args:
        data: the values; memory is shared with them. Default: an empty tensor.
        requires_grad: whether operations on it are recorded, also under `no_grad`.

    Example:
        >>> nn.Parameter(ad.ones(2))
        Parameter containing:
        tensor([1., 1.], requires_grad=True)
    """

    _flag = "_is_param"
    __adjoint_function__: Any = None  # pyright: ignore[reportIncompatibleVariableOverride]

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Any:
        if data is None:
            data = ops.empty(0)
        if type(data) is Tensor or type(data) is Parameter:
            return Tensor._make_subclass(cls, data, requires_grad)
        if not isinstance(data, Tensor):
            raise TypeError(f"a Parameter is made from a tensor, not from {type(data).__name__}; use tensor() first")
        copy = data.detach().requires_grad_(requires_grad)
        if type(copy) is not type(data):
            raise RuntimeError(
                f"a Parameter cannot be made from a {type(data).__name__}: its detach() returns a "
                f"{type(copy).__name__}, and would have to return its own class"
            )
        copy.__dict__["_is_param"] = True
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """Return a copy of its own memory, without the gradient."""
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.data.clone(), self.requires_grad)
        return memo[id(self)]

    def __repr__(self) -> str:
        return "Parameter containing:\n" + Tensor.__repr__(self)


class Buffer(Tensor, metaclass=_FlaggedMeta):
    """A tensor that is a buffer of the module it is assigned to: part of its state, but no parameter.

    Args:
        data: the values; memory is shared with them. Default: an empty tensor.
        persistent: whether the buffer is part of the module's `state_dict`.

    Example:
        >>> module = nn.Module()
        >>> module.mean = nn.Buffer(ad.zeros(2))
        >>> list(module.state_dict())
        ['mean']
    """

    _flag = "_is_buffer"
    __adjoint_function__: Any = None  # pyright: ignore[reportIncompatibleVariableOverride]

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Any:
        if data is None:
            data = ops.empty(0)
        alias = data.detach().requires_grad_(data.requires_grad)
        alias.persistent, alias._is_buffer = persistent, True
        return alias


class UninitializedTensorMixin:
    """What `UninitializedParameter` and `UninitializedBuffer` share: no shape, and few operations."""

    cls_to_become: Any
    data: Any
    dtype: Any
    device: Any
    requires_grad: Any
    _ALLOWED = frozenset(
        "__hash__ size copy_ is_complex is_floating_point half float double bfloat16 char short int long cpu to "
        "detach requires_grad_ type".split()
    )

    def materialize(self, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Become a parameter or tensor of a shape, not initialised.

        Args:
            shape: the shape to have.
            device, dtype: those to have. Default: those given at construction.
        """
        values = ops.empty(shape, device=device or self.device, dtype=dtype or self.dtype)
        self.data = values
        self.__class__ = self.cls_to_become
        self._spec = values._spec  # without the class that refused operations
        self.__dict__.pop("persistent", None)

    @property
    def shape(self) -> Any:
        """Not known yet: raises."""
        raise RuntimeError(
            f"the shape of an {type(self).__name__} is not known before the lazy module has been called with an input. "
            "If this comes from load_state_dict(), the state is that of a lazy module that was never called."
        )

    def share_memory_(self) -> Any:
        """Not possible yet: raises."""
        raise RuntimeError(f"an {type(self).__name__} has no memory to share; call the lazy module with an input first")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __reduce_ex__(self, protocol: Any) -> Any:
        return type(self), (self.requires_grad, self.device, self.dtype)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """Return another one, as uninitialised."""
        cls: Any = type(self)
        return memo.setdefault(id(self), cls(self.requires_grad, self.device, self.dtype))

    @classmethod
    def __adjoint_function__(cls, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Refuse operations, as there are no values yet; conversions are possible."""
        if func.__name__ not in cls._ALLOWED:
            raise ValueError(
                f"{func.__name__}() was called on an {cls.__name__}, which has no values yet; call the lazy module "
                "with an input first, so that it knows its shapes"
            )
        return default_handler(cls, func, types, args, kwargs)  # what other subclasses of Tensor do


class UninitializedParameter(UninitializedTensorMixin, Parameter):
    """A parameter whose shape is not known yet; `materialize` makes it a `Parameter`.

    Args:
        requires_grad: whether operations on it will be recorded.
        device, dtype: those of the parameter that it becomes.

    Example:
        >>> weight = nn.UninitializedParameter()
        >>> weight.materialize((2, 3))
        >>> weight.shape
        adjoint.Size([2, 3])
    """

    cls_to_become = Parameter

    def __new__(cls, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> Any:
        return Tensor._make_subclass(cls, ops.empty(0, device=device, dtype=dtype), requires_grad)


class UninitializedBuffer(UninitializedTensorMixin, Tensor):
    """A buffer whose shape is not known yet; `materialize` makes it a tensor.

    Args:
        requires_grad: whether operations on it will be recorded.
        device, dtype: those of the buffer that it becomes.
        persistent: whether the buffer is part of the module's `state_dict`.

    Example:
        >>> mean = nn.UninitializedBuffer()
        >>> mean.materialize((2,))
        >>> mean.shape
        adjoint.Size([2])
    """

    cls_to_become = Tensor

    def __new__(
        cls, requires_grad: bool = False, device: Any = None, dtype: Any = None, persistent: bool = True
    ) -> Any:
        self: Any = Tensor._make_subclass(cls, ops.empty(0, device=device, dtype=dtype), requires_grad)
        self.persistent, self._is_buffer = persistent, True
        return self


def new_parameter(shape: Any, device: Any = None, dtype: Any = None) -> Any:
    """Make a parameter that is not initialised, with memory of its own."""
    parameter = wrap(ops.empty(shape, device=device, dtype=dtype)._array, Parameter)
    return parameter.requires_grad_()


def is_lazy(param: Any) -> bool:
    """Test whether something is an uninitialised parameter or buffer.

    Args:
        param: anything.

    Example:
        >>> nn.parameter.is_lazy(nn.UninitializedParameter())
        True
    """
    return isinstance(param, UninitializedTensorMixin)
