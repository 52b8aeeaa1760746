"""Wrapper subclasses: tensors without values of their own, whose operators are their class's `__torch_dispatch__`.

Note [Wrapper subclasses]
`Tensor._make_wrapper_subclass` makes a tensor that holds a `WrapperArray`: shape, dtype and device. Autograd treats it
as any other; where an operator would compute, the class's handler is called with the tensors themselves and with grad
mode off, and what it returns is recorded as the result. A graph keeps the `WrapperArray`, which knows the class and
the attributes, so that what was saved comes back as an object of the class. While one is alive, backward passes work on
tensors, so that their operators are handed over as well.

A view of a wrapper is a result like any other for the graph. So writes in place that are to be recorded are refused
where there are views; the class may share the memory behind them, and the graph would not notice.
"""

from __future__ import annotations

from typing import Any

from adjoint import _dtypes
from adjoint._core import modes
from adjoint._core.tensor import Tensor, bump_version, versions_of, wrap, wrap_as
from adjoint._core.views.history import check_in_place, rebase_history
from adjoint._dispatch import dispatch as general
from adjoint._dispatch.interception.mode import arguments_of, call_innermost, map_tensors, tensors_in, with_modes
from adjoint._dispatch.interception.overloads import OpOverload, find_overload, find_packet
from adjoint._dispatch.operands import as_operand
from adjoint.arrays import CPU, Device, Namespace, register


class WrapperArray:
    """What a wrapper tensor holds: shape, dtype and device, its class and the attributes of its object."""

    def __init__(self, shape: tuple[int, ...], dtype: Any, device: Device, cls: Any) -> None:
        self.shape = shape
        self.dtype = dtype
        self.device = device
        self.cls = cls
        self.attributes: dict[str, Any] = {}
        self.has_views = self.is_view = False
        self.token = object()
        modes.WRAPPERS.add(self.token)
        modes.SPECIAL.add(self.token)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __del__(self, tokens: Any = (modes.WRAPPERS, modes.SPECIAL)) -> None:
        for one in tokens:
            one.discard(self.token)


class _WrapperNamespace(Namespace):
    """The namespace of wrappers: what autograd itself computes is handed to their class, too."""

    name, rank, lazy = "wrapper", 1000, True

    def key(self, array: Any) -> Any:
        return array.dtype, array.shape, array.device

    def device_of(self, array: Any) -> Device:
        return array.device

    def native_device(self, device: Any) -> Any:
        return Device(device)

    def copy(self, array: Any) -> Any:
        return _call_named("clone", array)

    def ones_like(self, array: Any) -> Any:
        return _call_named("ones_like", array)

    def zeros_like(self, array: Any) -> Any:
        return _call_named("zeros_like", array)

    def to_numpy(self, array: Any) -> Any:
        raise RuntimeError(
            f"a {array.cls.__name__} has no values of its own: it is a wrapper. Read them from what it holds."
        )


register(WrapperArray, _WrapperNamespace())


def make_wrapper(
    cls: Any,
    size: Any,
    strides: Any = None,
    storage_offset: Any = None,
    memory_format: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    dispatch_sizes_strides_policy: Any = None,
    dispatch_device: bool = False,
    dispatch_layout: bool = False,
) -> Any:
    """Make a wrapper subclass's object: a tensor with shape and dtype but without values; see `__torch_dispatch__`.

    Args:
        cls: a subclass of Tensor that defines `__torch_dispatch__`.
        size: the shape.
        dtype: by default the default dtype.
        device: by default the CPU.
        requires_grad: whether operations on it are recorded.
        strides, storage_offset, memory_format, layout, pin_memory, dispatch_sizes_strides_policy, dispatch_device,
            dispatch_layout: accepted for compatibility.
    """
    if not hasattr(cls, "__torch_dispatch__"):
        raise TypeError(f"_make_wrapper_subclass() needs a class with __torch_dispatch__, and {cls.__name__} has none")
    native = _dtypes.as_dtype(_dtypes.get_default_dtype() if dtype is None else dtype).numpy
    array = WrapperArray(tuple(size), native, CPU if device is None else Device(device), cls)
    self = wrap(array, cls)
    array.attributes = self.__dict__
    return self.requires_grad_(requires_grad) if requires_grad else self


def has_wrapper(values: Any) -> bool:
    """Test whether there is a wrapper among bound arguments."""
    return any(type(tensor._array) is WrapperArray for tensor in tensors_in(values))


def as_instance(tensor: Tensor) -> Any:
    """Return a wrapper as an object of its class; others are returned unchanged."""
    array = tensor._array
    if type(array) is not WrapperArray or isinstance(tensor, array.cls):
        return tensor
    self = object.__new__(array.cls)
    self.__dict__ = array.attributes
    self._array, self._spec, self._edge = array, tensor._spec, tensor._edge
    self._meta, self._versions = tensor._meta, tensor._versions
    return self


def call_handlers(func: OpOverload, args: Any, kwargs: Any) -> Any:
    """Offer an operator to the innermost mode, else to the classes of the operands until one does not decline."""
    types: list[Any] = []
    for tensor in tensors_in([*args, *kwargs.values()]):
        cls = type(tensor)
        if cls is not Tensor and hasattr(cls, "__torch_dispatch__") and cls not in types:
            later = [place for place, other in enumerate(types) if issubclass(cls, other)]
            types.insert(later[0] if later else len(types), cls)
    if modes.state().dispatch_modes:
        return call_innermost(func, tuple(types), args, kwargs)
    with with_modes((), recording=False):
        for cls in types:
            result = cls.__torch_dispatch__(func, tuple(types), args, kwargs)
            if result is not NotImplemented:
                return result
    names = ", ".join(cls.__name__ for cls in types)
    raise TypeError(f"{func} is not supported for these types: {names} all returned NotImplemented")


def _call_named(name: str, array: WrapperArray) -> Any:
    """Hand an operator of one tensor over, by name; returns what the result holds."""
    packet: Any = find_packet(name)
    return call_handlers(packet.default, (as_instance(wrap(array)),), {})._array


def create(name: str, args: Any, kwargs: dict[str, Any]) -> Any:
    """Hand over a function that creates a tensor like a wrapper, its first argument."""
    packet: Any = find_packet(name)
    kwargs = dict(kwargs)
    requires_grad = kwargs.pop("requires_grad", False)
    made = call_handlers(packet.default, (as_instance(args[0]), *args[1:]), kwargs)
    return made.requires_grad_() if requires_grad else made


def detach(tensor: Tensor) -> Any:
    """Detach a wrapper: a result of its class, which has no history."""
    packet: Any = find_packet("detach")
    return _without_graph(call_handlers(packet.default, (as_instance(tensor),), {}), [tensor])


def apply(operator: Any, values: list[Any]) -> Any:
    """Let the classes of wrappers compute an operator with bound arguments, and record it if required."""
    for position in operator.tensor_positions:
        value = values[position]
        if isinstance(value, (list, tuple)):
            values[position] = [as_operand(operator, one) for one in value]
        elif value is not None and type(value) not in _NUMBERS:
            values[position] = as_operand(operator, value)
    given = map_tensors(values, as_instance)
    result = call_handlers(find_overload(operator, values), *arguments_of(operator, given))
    outputs: list[Tensor] = []
    for one in (result,) if operator.outputs == 1 else result:
        if not isinstance(one, Tensor):
            raise TypeError(
                f"__torch_dispatch__ returned {type(one).__name__} as a result of {operator.title}(), which is a Tensor"
            )
        outputs.append(_without_graph(one, tensors_in(given)))
    if operator.is_view:
        _note_views(values[0], outputs)
    return general.finish(operator, values, outputs, tensors_in(values)[0]._spec, False)


_NUMBERS = (bool, int, float, complex)


def _without_graph(result: Any, operands: list[Tensor]) -> Any:
    """Return a result that a node can be attached to: itself if it is new, else another object of the same values."""
    if result._edge is None and not any(result is one for one in operands):
        return result
    shared = as_instance(wrap_as(result._array, result._spec))
    if not result._spec.inference:
        shared._versions = versions_of(result)
    return shared


def _note_views(parent: Any, outputs: list[Any]) -> None:
    """Note that results may share memory with their parent, which then counts writes for all of them."""
    if type(parent._array) is WrapperArray:
        parent._array.has_views = True
    for output in outputs:
        if type(output._array) is WrapperArray:
            output._array.is_view = True
            output._versions = versions_of(parent)


def apply_in_place(operator: Any, values: list[Any], recorded: bool) -> Tensor:
    """Let the classes of wrappers compute an operator that writes to its first operand, and record it if required."""
    self, name = values[0], operator.name.removeprefix("_") + "_"
    check_in_place(self, name, recorded)
    array = self._array
    if type(array) is not WrapperArray:
        raise TypeError(f"{name}: a plain tensor cannot be changed in place with a {type(values[1]).__name__}")
    if recorded and (array.has_views or array.is_view):
        raise RuntimeError(
            f"{name}: writes to a {array.cls.__name__} that is a view, or has views, cannot be recorded; use the "
            "variant that is not in place, or clone() it before"
        )
    before = self
    if recorded:
        before = wrap_as(self._spec.namespace.copy(array), self._spec)
        before._edge = None if self._edge is None else self._gradient_edge()
    kept = [before if value is self else value for value in values]
    given = map_tensors([as_instance(wrap_as(array, self._spec)), *values[1:]], as_instance)
    args, kwargs = arguments_of(operator, given)
    call_handlers(find_overload(operator, values, in_place=True), args, kwargs)
    bump_version(self)
    if recorded:
        edges: Any = general.edges_of(operator, kept)
        node = operator.node_class if operator.choose_node is None else operator.choose_node(kept)
        node = node(edges, self._spec)
        node.saved = general.saved_entries(operator, kept, [self], edges)
        rebase_history(self, node)
    return self
