"""`Tensor`: an array, its gradient edge, and rarely used attributes in an `AutogradMeta` made on demand.

This is the part of `Tensor` that the graph and the engine need, with `.grad` and `.grad_dtype`. Operators become
methods in `_tensor/methods.py`.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from numpy import asarray, generic

from adjoint._core import modes
from adjoint._core.graph import Edge, Hooks, Node, RemovableHandle, add_hook, creation_lock, next_order, unpack_edge
from adjoint._core.metadata import InputMetadata, metadata_of
from adjoint._core.views.versions import DataCounter, bump, new_counter, version_of
from adjoint._dtypes import as_dtype, get_default_dtype
from adjoint._dtypes import dtype as Dtype
from adjoint.arrays import Device, namespace_of, numpy_namespace

if TYPE_CHECKING:
    from adjoint._core.accumulate import AccumulateGrad
    from adjoint._core.views.chain import Chain
    from adjoint._core.views.history import View
    from adjoint._core.views.memory import Memory
    from adjoint._typing import Ends, Operand, TensorMethods  # what `_tensor/methods.py` adds from the operator table
else:
    TensorMethods = object
import warnings


class _Lazy(tuple[Any, ...]):
    """The type of `LAZY`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "LAZY"


LAZY: Any = _Lazy()
"""Placeholder for an edge that is made on demand: that of a leaf (at first use, held weakly by the leaf) and that of a
view whose base has been written to (regenerated)."""


class AutogradMeta:
    """Rarely used attributes of a tensor: gradient, hooks, base or views, tangents.

    The defaults are class attributes, so that making one is cheap; every view makes one.
    """

    grad: Tensor | None = None
    grad_spec: InputMetadata | None = None  # set with grad_dtype
    accumulator: Callable[[], AccumulateGrad | None] | None = None  # a weak reference to it
    hooks: Hooks | None = None  # of a leaf; those of other tensors are stored in their node
    post_accumulate_hooks: Hooks | None = None
    retains_grad: bool = False
    view: View | None = None
    fresh: set[Any] | None = None  # weak references to views of this base whose edges are up to date
    forget: Any = None  # what removes one of them when the view dies: `fresh.discard`
    memory: Memory | None = None  # shared with views and aliases; see Note [Memory and history]
    route: Chain = ()
    stale: bool = False  # a view whose edge has to be regenerated
    captured: bool = False  # a constant of a level, made for a higher one; see Note [Writes inside transforms]
    severed: bool = False  # a base that was detached in place while views of it had a history
    detached: int = 0  # when the tensor was detached in place; see Note [Order]
    tangents: dict[Any, Tensor] | None = None  # see Note [Tangents of shared memory]
    shown: dict[int, Any] | None = None
    name: str | None = None
    copied: tuple[bytes, Any, Tensor] | None = None  # cached copy of external memory: bytes, version, copy


class Tensor(TensorMethods):
    """An n-dimensional array that records the operations that computed it.

    ``Tensor(array)`` holds the array itself, without a copy: of any registered array library, or another tensor
    (for nested differentiation). ``Tensor([1, 2])`` has the default dtype, and ``Tensor(2, 3)`` is a tensor of that
    shape that is not initialised. To make one from Python numbers, use `adjoint.tensor`.

    Args:
        data: the array to hold; or a sequence of numbers, or lengths of dimensions.
        requires_grad: whether operations on it are recorded.
    """

    __slots__ = ("__dict__", "__weakref__", "_array", "_edge", "_meta", "_spec", "_versions")

    _array: Any
    _edge: Edge | None
    _meta: AutogradMeta | None
    _spec: InputMetadata
    _versions: list[int] | None

    _intercepts: bool = False  # whether operations hand themselves to the class; see _dispatch/override.py

    def __new__(cls, *data: Any, requires_grad: bool = False) -> Tensor:
        if len(data) == 2 and type(data[1]) is bool:
            data, requires_grad = data[:1], data[1]
        if len(data) == 1 and hasattr(data[0], "as_tensor"):  # the memory of another tensor
            return data[0].as_tensor(get_default_dtype())
        self = wrap(_array_for(data), cls)
        if requires_grad:
            self.requires_grad_(requires_grad)
        return self

    # The graph -------------------------------------------------------------------------------------------------------

    @property
    def requires_grad(self) -> bool:
        """Whether operations on this tensor are recorded. Can be set on leaves."""
        return self._edge is not None

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if type(value) is not bool:
            raise RuntimeError(f"requires_grad is True or False, not {value!r:.80}")
        if value and not self.is_leaf:
            raise RuntimeError("requires_grad can be set on leaves only; this tensor was computed, and requires grad")
        set_requires_grad(self, value)

    @requires_grad.deleter
    def requires_grad(self) -> None:
        raise RuntimeError("the flag requires_grad cannot be deleted; set it to False")

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Start (or stop) recording operations on this leaf; returns the tensor itself."""
        if type(requires_grad) is not bool:
            raise TypeError(f"requires_grad_() takes True or False, not {requires_grad!r:.80}")
        set_requires_grad(self, requires_grad)
        return self

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded operation made this tensor: then `backward` accumulates into its `.grad`."""
        return self._edge is None or (self._edge is LAZY and not self._ensure_meta().stale)

    @property
    def grad_fn(self) -> Node | None:
        """Node of the operation that computed this tensor; None for a leaf."""
        return None if self.is_leaf else self._gradient_edge()[0]

    @property
    def output_nr(self) -> int:
        """Number of this tensor among the outputs of its `grad_fn`."""
        return 0 if self.is_leaf else self._gradient_edge()[1]

    def _gradient_edge(self) -> tuple[Node, int]:
        """Gradient edge of the tensor: the node and the number of its output that receive the gradient."""
        edge = self._edge
        if edge is LAZY:
            edge = resolve_edge(self)
        assert edge is not None
        return unpack_edge(edge)

    def _ensure_meta(self) -> AutogradMeta:
        """Return the tensor's `AutogradMeta`, made at the first call; internal."""
        meta = self._meta
        if meta is None:
            with creation_lock:  # two threads may use a tensor for the first time at the same moment
                meta = self._meta
                if meta is None:
                    meta = self._meta = AutogradMeta()
        return meta

    @property
    def _version(self) -> int:
        if self._spec.inference:
            raise RuntimeError("an inference tensor does not count its versions")
        return version_of(self._versions)

    # The gradient ----------------------------------------------------------------------------------------------------

    @property
    def grad(self) -> Tensor | None:
        """Gradient accumulated by backward passes, or None."""
        meta = self._meta
        grad = None if meta is None else meta.grad
        if grad is None and self._edge is not None and not self.is_leaf and not self.retains_grad:
            warn_about_non_leaf_grad(self)
        return grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            check_assigned_grad(self, value)
        self._ensure_meta().grad = value

    @grad.deleter
    def grad(self) -> None:
        self._ensure_meta().grad = None

    @property
    def grad_dtype(self) -> Dtype | None:
        """Dtype of this leaf's gradients: its own unless set; None allows any."""
        if not self.is_leaf:
            raise RuntimeError("grad_dtype is a property of leaves; gradients of computed tensors have their dtype")
        return dtype_of_grad(self)

    @grad_dtype.setter
    def grad_dtype(self, value: Any) -> None:
        set_grad_dtype(self, None if value is None else as_dtype(value))

    def retain_grad(self) -> None:
        """Keep the gradient of this non-leaf tensor in `.grad` when backward passes through it."""
        if not self.requires_grad:
            raise RuntimeError("retain_grad() needs a tensor that requires grad; this one does not")
        meta = self._ensure_meta()
        if self.is_leaf or meta.retains_grad:
            return
        meta.retains_grad = True
        node, number = self._gradient_edge()
        node.ensure_extras().retained[number] = weakref.ref(self)

    @property
    def retains_grad(self) -> bool:
        """Whether this is a non-leaf whose gradient is kept."""
        return self._meta is not None and self._meta.retains_grad

    def register_hook(self, hook: Callable[[Tensor], Any]) -> RemovableHandle:
        """Call ``hook(grad)`` when the gradient of this tensor has been computed; it may return another one.

        Returns:
            A handle whose `remove()` takes the hook out.

        Example:
            >>> x = ad.tensor([1.0], requires_grad=True)
            >>> handle = x.register_hook(lambda grad: grad * 10)
            >>> (x * 2).sum().backward()
            >>> x.grad
            tensor([20.])
        """
        return add_hook(_hooks_of(self), hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Tensor], Any]) -> RemovableHandle:
        """Call ``hook(tensor)`` after a gradient has been accumulated into this leaf's `.grad`.

        Returns:
            A handle whose `remove()` takes the hook out.
        """
        _check_requires_grad(self)
        if not self.is_leaf:
            raise RuntimeError("a post-accumulate-grad hook needs a leaf; only leaves accumulate gradients")
        meta = self._ensure_meta()
        with creation_lock:
            if meta.post_accumulate_hooks is None:
                meta.post_accumulate_hooks = Hooks()
        return add_hook(meta.post_accumulate_hooks, hook)

    def backward(
        self,
        gradient: Operand | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Ends | None = None,
    ) -> None:
        """Accumulate the gradients of this tensor with respect to the graph's leaves into their `.grad`.

        Args:
            gradient: the gradient with respect to this tensor; may be left out for a real tensor of one element.
            retain_graph: keep what was saved, so that the graph can be used again (default: as `create_graph`).
            create_graph: record the pass itself, for higher derivatives.
            inputs: accumulate into these tensors only.

        Example:
            >>> x = ad.tensor([1.0, 2.0], requires_grad=True)
            >>> (x * x).sum().backward()
            >>> x.grad
            tensor([2., 4.])
        """
        if gradient is None and inputs is None and not create_graph:
            entry.backward_from(self, retain_graph)
        else:
            entry.backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    # What it is ------------------------------------------------------------------------------------------------------

    @property
    def dtype(self) -> Dtype:
        """Data type of the elements."""
        return self._spec.dtype

    @property
    def device(self) -> Device:
        """Device of the array."""
        return self._spec.device

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self._spec.shape)

    def is_inference(self) -> bool:
        """Test whether this tensor was made in inference mode."""
        return self._spec.inference


def wrap(array: Any, cls: type[Tensor] = Tensor) -> Tensor:
    """Wrap an array in a tensor without history, without a copy."""
    self = object.__new__(cls)
    self._array = array
    self._spec = metadata_of(array, cls if cls._intercepts else None)
    self._edge = None
    self._meta = None
    self._versions = None
    return self


def wrap_as(array: Any, spec: InputMetadata, edge: Edge | None = None) -> Tensor:
    """Wrap an array whose metadata is known."""
    self = object.__new__(Tensor)
    self._array = array
    self._spec = spec
    self._edge = edge
    self._meta = None
    self._versions = None
    return self


def ensure_tensor(value: Any) -> Tensor:
    """Wrap an array; a tensor is returned unchanged."""
    return value if isinstance(value, Tensor) else wrap(value)


def versions_of(tensor: Tensor) -> Any:
    """Return the version counter of a tensor, to be shared with another one that has the same memory."""
    if tensor._versions is None:
        tensor._versions = new_counter()
    return tensor._versions


def without_history(tensor: Tensor) -> Tensor:
    """Make a tensor with the same array and version counter, but no history and no tangents."""
    alias = wrap_as(tensor._array, tensor._spec)
    alias._versions = versions_of(tensor)
    return alias


def bump_version(tensor: Tensor) -> None:
    """Count a write to a tensor's memory in its version counter."""
    if tensor._versions is None:
        tensor._versions = [0, next_order()]
        return
    if type(tensor._versions) is DataCounter:
        tensor._versions.written = tensor._array
    bump(tensor._versions)


def _array_for(data: tuple[Any, ...]) -> Any:
    """Return the array for the arguments of `Tensor`: an array, a sequence of numbers, or lengths of dimensions."""
    given = data[0] if len(data) == 1 else data
    if type(given) is list or (type(given) is tuple and given is not data):
        return numpy_namespace.asarray(given, dtype=get_default_dtype())
    if isinstance(given, generic):
        return asarray(given)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if not isinstance(given, (tuple, bool, int, float, complex, str)):
        return given
    shape: Any = given if isinstance(given, tuple) else data  # pyright: ignore[reportUnknownVariableType]
    if not all(type(length) is int for length in shape):
        raise TypeError(
            f"Tensor() takes an array, a sequence of numbers, or lengths of dimensions, not {shape}; use tensor() to "
            "make one from a number"
        )
    if min(shape, default=0) < 0:
        raise RuntimeError(f"a tensor cannot have a negative length along a dimension, as in the shape {shape}")
    return numpy_namespace.empty(shape or (0,), dtype=get_default_dtype().numpy)


def resolve_edge(tensor: Tensor) -> Edge:
    """Return the edge behind LAZY: the accumulator of a leaf, or the regenerated edge of a view."""
    meta = tensor._meta
    if meta is not None and meta.accumulator is not None:
        node = meta.accumulator()
        if node is not None:
            return node
    return _make_edge(tensor)


def _make_edge(tensor: Tensor) -> Edge:
    meta = tensor._ensure_meta()
    with creation_lock:
        edge = tensor._edge
        if edge is not None and edge is not LAZY:
            return edge  # already regenerated, for another operand of the same operation
        if meta.stale:
            return history.regenerate_edge(tensor)
        node = None if meta.accumulator is None else meta.accumulator()
        if node is None:
            node = accumulate.AccumulateGrad(tensor)
            meta.accumulator = weakref.ref(node)
    return node


def set_requires_grad(tensor: Tensor, value: bool) -> None:
    """Set `requires_grad`: on leaves of floating point or complex dtype only."""
    if value and tensor._spec.inference and not modes.state().inference:
        raise RuntimeError(
            "an inference tensor cannot require grad outside inference mode; clone() it here to get a normal one"
        )
    if value is tensor.requires_grad:
        return
    if not tensor.is_leaf:
        raise RuntimeError(
            "requires_grad can be changed on leaves only, and this tensor was computed from others. "
            "Use detach() to get the same values without the history."
        )
    if not value:
        if modes.is_transformed():
            raise RuntimeError(
                "requires_grad_(False) inside a transform (grad, vmap, jvp), which differentiates by this flag itself; "
                "use detach() to get the same values as a constant"
            )
        tensor._edge = None
        return
    if tensor._spec.dtype.category < 2:
        raise RuntimeError(f"only floating point and complex tensors can require grad, not {tensor._spec.dtype!r}")
    tensor._edge = LAZY


def _check_requires_grad(tensor: Tensor) -> None:
    if tensor._edge is None:
        raise RuntimeError("cannot register a hook on a tensor that does not require grad: it gets no gradient")


def _hooks_of(tensor: Tensor) -> Hooks:
    _check_requires_grad(tensor)
    if not tensor.is_leaf:
        node, number = tensor._gradient_edge()
        return node.ensure_extras().tensor_hooks.setdefault(number, Hooks())
    meta = tensor._ensure_meta()
    with creation_lock:  # another thread may be making the accumulator
        if meta.hooks is None:
            meta.hooks = Hooks()
        node = None if meta.accumulator is None else meta.accumulator()
        if node is not None:
            node.ensure_extras().tensor_hooks[0] = meta.hooks
    return meta.hooks


def array_namespace(tensor: Tensor) -> Any:
    """Return the namespace of the tensor's array."""
    return namespace_of(tensor._array)


# At the end, because these modules import `Tensor`; function-level imports would slow down backward.
from adjoint._core import accumulate  # noqa: E402
from adjoint._core import backward as entry  # noqa: E402
from adjoint._core.views import history  # noqa: E402


def dtype_of_grad(tensor: Tensor) -> Dtype | None:
    """Return the dtype of a tensor's gradients; None if any is allowed."""
    meta = tensor._meta
    return tensor._spec.dtype if meta is None or meta.grad_spec is None else meta.grad_spec.grad_dtype


def set_grad_dtype(tensor: Tensor, value: Dtype | None) -> None:
    """Set the dtype that a leaf's gradients are cast to."""
    if not tensor.is_leaf:
        raise RuntimeError("grad_dtype can be set on leaves only")
    meta = tensor._ensure_meta()
    if meta.grad is not None and value is not None and meta.grad.dtype is not value:
        raise RuntimeError(
            f"cannot set grad_dtype to {value!r}: the tensor has a gradient of dtype {meta.grad.dtype!r}; "
            "set .grad to None first"
        )
    meta.grad_spec = tensor._spec.with_grad_dtype(value)
    node = None if meta.accumulator is None else meta.accumulator()
    if node is not None:
        node.spec = meta.grad_spec


def check_assigned_grad(tensor: Tensor, value: Any) -> None:
    """Raise if a value cannot be assigned to a tensor's `.grad`."""
    if not isinstance(value, Tensor):
        raise TypeError(f".grad can be set to a Tensor or None, not to {type(value).__name__}")
    if value is tensor:
        raise RuntimeError("a tensor cannot be its own gradient")
    spec, other, wanted = tensor._spec, value._spec, dtype_of_grad(tensor)
    if wanted is not None and other.dtype is not wanted:
        raise RuntimeError(f".grad of this tensor has to have dtype {wanted!r}, got {other.dtype!r}")
    if other.device != spec.device:
        raise RuntimeError(f".grad of this tensor has to be on device '{spec.device}', got '{other.device}'")
    if other.shape != spec.shape:
        raise RuntimeError(f".grad of this tensor has to have shape {spec.shape}, got {other.shape}")


def grad_fn_name(tensor: Tensor) -> str:
    """Return the name of a tensor's `grad_fn` for messages; never raises."""
    try:
        return tensor._gradient_edge()[0].name()
    except RuntimeError:  # a view that cannot follow a write to its base
        return "Invalid"


def warn_about_non_leaf_grad(tensor: Tensor) -> None:
    """Warn that `.grad` of a non-leaf tensor is not filled."""
    warnings.warn(
        f"reading .grad of a tensor that is not a leaf (grad_fn={grad_fn_name(tensor)}): backward does not "
        "fill it unless retain_grad() was called on the tensor before",
        UserWarning,
        stacklevel=3,
    )
