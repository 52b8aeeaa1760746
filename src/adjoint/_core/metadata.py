"""Interned tensor metadata: shape, dtype, device, array library, level.

Note [Interned metadata]
Two tensors that differ in their values only share one `InputMetadata` object. So one identity test, ``x._spec is
y._spec``, tells an operator that nothing has to be broadcast, promoted, lifted or moved, and that a gradient of one
fits the other. The table is bounded: after it has been cleared, old and new objects compare unequal by identity, which
only means that operators take the general path.

Note [External memory]
The memory of some tensors can be written to by code outside the package, unseen: it came from outside (`from_numpy`),
or an array that shares it was exported (`numpy()`). A graph copies what it saves of such a tensor. This is a property
of the metadata, so operators need not test it: it is not `plain`, which keeps it off the fast paths of ordinary
tensors. Its variant `own` is the metadata for memory of our own; if that is `plain`, a second fast path applies, which
copies what is saved. Views inherit the property; results of computation do not have it.
"""

from __future__ import annotations

import math
from typing import Any

from numpy import ndarray

from adjoint._dtypes import bfloat16
from adjoint._dtypes import dtype as Dtype
from adjoint.arrays import Device, Namespace, blocked, namespace_of

_TABLE_SIZE = 8192


class InputMetadata:
    """Metadata of a tensor: what operators need to know of it, and what a gradient on its edge has to match.

    Attributes:
        shape, dtype, device: those of the tensor.
        namespace: the array library's namespace.
        array_type: the type of the array inside.
        native: the array library's own dtype object.
        subclass: the Tensor subclass that intercepts operations, or None.
        level: how many tensors are nested inside (0 for a tensor that holds a plain array), or which `vmap` the
            batched array inside belongs to.
        inference: whether the tensor was made in inference mode.
        external: whether code outside the package can write to the memory; see Note [External memory].
        own: the same metadata for memory that is not external; usually itself.
        plain: whether it is an ordinary NumPy tensor, which most fast paths need.
        fast: whether it is plain, and of a floating point or complex dtype of NumPy's own.
        large: whether it is plain, and has so many elements that elementwise work is done in blocks.
        folded: whether it has several dimensions, and so several possible memory orders.
        inexact: whether it is floating point or complex, so that it can have a gradient.
        grad_dtype: the dtype that gradients are cast to; None leaves them unchanged.
    """

    __slots__ = (
        "_external_variant",
        "array_type",
        "device",
        "dtype",
        "external",
        "fast",
        "folded",
        "grad_dtype",
        "grad_native",
        "inexact",
        "inference",
        "is_complex",
        "is_scalar",
        "large",
        "level",
        "namespace",
        "native",
        "own",
        "plain",
        "plans",
        "shape",
        "subclass",
    )

    def __init__(self, array: Any, subclass: type | None, inference: bool) -> None:
        namespace = namespace_of(array)
        self.namespace: Namespace = namespace
        self.array_type: Any = type(array)
        self.shape: tuple[int, ...] = tuple(array.shape)
        self.dtype: Dtype = namespace.dtype_of(array)
        self.native: Any = array.dtype
        self.device: Device = namespace.device_of(array)
        self.subclass = subclass
        self.inference = inference
        inside = getattr(array, "_spec", None)
        self.external = inside is not None and inside.external  # the memory is that of the tensor inside
        self.own: InputMetadata = self
        self._external_variant: InputMetadata | None = None
        self.level: int = namespace.level_of(array)
        self.is_scalar = self.shape == ()
        self.folded = len(self.shape) > 1
        self.is_complex: bool = self.dtype.is_complex
        self.inexact: bool = self.dtype.category >= 2
        # NumPy promotes bfloat16, which is not its own, with Python numbers; the general path handles that
        native = namespace.name == "numpy" and self.dtype is not bfloat16
        self.plain: bool = native and subclass is None and not inference
        self.fast: bool = self.plain and self.inexact
        self.large: bool = self.plain and blocked.is_large(math.prod(self.shape), self.is_complex)
        self.grad_dtype: Dtype | None = self.dtype
        self.grad_native: Any = self.native
        self.plans: dict[Any, Any] = {}  # cache of operators: how to handle this operand together with another one

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def is_tensor_subclass(self) -> bool:
        return self.subclass is not None

    def with_grad_dtype(self, grad_dtype: Dtype | None) -> InputMetadata:
        """Copy, not interned, with another dtype for gradients (None: any)."""
        clone = self._clone()
        clone.own = clone
        clone.grad_dtype = grad_dtype
        clone.grad_native = None if grad_dtype is None else self.namespace.native_dtype(grad_dtype)
        return clone

    def as_external(self) -> InputMetadata:
        """Return the variant for external memory: Note [External memory]."""
        if self.external:
            return self
        variant = self._external_variant
        if variant is None:
            variant = self._clone()
            variant.external = True
            self._external_variant = variant
        return variant

    def for_same_memory(self, array: Any, subclass: type | None = None) -> InputMetadata:
        """Return the metadata of another tensor around this array, which shares the memory (a view)."""
        found = metadata_of(array, subclass, self.inference)
        return found.as_external() if self.external else found

    def _clone(self) -> InputMetadata:
        clone = object.__new__(InputMetadata)
        for name in InputMetadata.__slots__:
            setattr(clone, name, getattr(self, name))
        clone.plain = clone.fast = False
        clone.plans = {}
        return clone

    def describe(self) -> str:
        """Shape, dtype and device in words, for error messages."""
        return f"shape {self.shape}, dtype {self.dtype!r}, device '{self.device}'"

    def __repr__(self) -> str:
        return f"InputMetadata({self.describe()}, {self.namespace.name})"


_table: dict[Any, InputMetadata] = {}


def metadata_of(array: Any, subclass: type | None = None, inference: bool = False) -> InputMetadata:
    """Return the interned metadata of a tensor that holds this array."""
    array_type: Any = type(array)  # pyright: ignore[reportUnknownVariableType]
    if array_type is ndarray:
        key: Any = (array.dtype, array.shape, subclass, inference)
    else:
        key = (array_type, namespace_of(array).key(array), subclass, inference)
    found = _table.get(key)
    if found is None:
        if len(_table) >= _TABLE_SIZE:
            _table.clear()
        found = _table[key] = InputMetadata(array, subclass, inference)
    return found
