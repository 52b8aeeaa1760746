"""What a tensor is apart from its values: shape, dtype, device, array library, level. Interned.

Note [Interned metadata]
Two tensors alike in everything but their values share one `InputMetadata` object. So one identity test, ``x._spec is
y._spec``, tells an operator that nothing has to be broadcast, promoted, lifted or moved, and the gradient that comes
back for one fits the other. The table is bounded: after it has been cleared, old and new objects are merely unequal
by identity, which sends operators down the general path.

Note [Foreign memory]
The memory of some tensors is known to others, who may write to it without our noticing: it was handed in
(`from_numpy`), or an array that shows it was given away (`numpy()`). A graph copies what it saves of such a tensor.
That it is one is a property of its metadata, so operators need not ask: it is not `plain`, which keeps it off the short
paths of ordinary tensors, and has a twin, `own`, that says whether it would be if its memory was ours. Then a second
short path takes over, which copies what is saved and nothing else. Views inherit the property; results of computation
do not have it.
"""

from __future__ import annotations

import math
from typing import Any

from numpy import ndarray

from adjoint._dtypes import bfloat16
from adjoint._dtypes import dtype as Dtype
from adjoint.arrays import Device, Namespace, namespace_of

_TABLE_SIZE = 8192


class InputMetadata:
    """What a gradient that arrives on an edge has to look like, and what operators need to know of a tensor.

    Attributes:
        shape, dtype, device: as of the tensor.
        namespace: the array library's namespace.
        array_type: the type of the array inside.
        native: the array library's own dtype object.
        subclass: the Tensor subclass that intercepts operations, or None.
        level: how many tensors are nested inside (0 for a tensor that holds a plain array), or which `vmap` the
            batched array inside belongs to.
        inference: whether the tensor was made in inference mode.
        foreign: whether others have the memory too, who may write to it; see Note [Foreign memory].
        own: the same metadata for memory that is ours; of most, itself.
        plain: whether it is a NumPy tensor without anything special, which most short paths need.
        fast: the same, and floating point or complex of NumPy's own.
        folded: whether it has several dimensions, which can lie in memory in several orders.
        inexact: whether it is floating point or complex, so that it can have a gradient.
        grad_dtype: what dtype gradients are cast to; None leaves them alone.
    """

    __slots__ = (
        "_foreign_variant",
        "array_type",
        "device",
        "dtype",
        "fast",
        "folded",
        "foreign",
        "grad_dtype",
        "grad_native",
        "inexact",
        "inference",
        "is_complex",
        "is_scalar",
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
        self.foreign = inside is not None and inside.foreign  # a tensor of a higher level has the memory of a lower one
        self.own: InputMetadata = self
        self._foreign_variant: InputMetadata | None = None
        self.level: int = namespace.level_of(array)
        self.is_scalar = self.shape == ()
        self.folded = len(self.shape) > 1
        self.is_complex: bool = self.dtype.is_complex
        self.inexact: bool = self.dtype.category >= 2
        # NumPy does not take Python numbers for weak beside bfloat16, which is not its own; the general path copes
        native = namespace.name == "numpy" and self.dtype is not bfloat16
        self.plain: bool = native and subclass is None and not inference
        self.fast: bool = self.plain and self.inexact
        self.grad_dtype: Dtype | None = self.dtype
        self.grad_native: Any = self.native
        self.plans: dict[Any, Any] = {}  # what operators found out about this operand beside another one

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
        """A private copy that casts gradients to another dtype (None: to any)."""
        clone = self._clone()
        clone.own = clone
        clone.grad_dtype = grad_dtype
        clone.grad_native = None if grad_dtype is None else self.namespace.native_dtype(grad_dtype)
        return clone

    def as_foreign(self) -> InputMetadata:
        """The same for memory that others may write to: Note [Foreign memory]."""
        if self.foreign:
            return self
        variant = self._foreign_variant
        if variant is None:
            variant = self._clone()
            variant.foreign = True
            self._foreign_variant = variant
        return variant

    def for_same_memory(self, array: Any, subclass: type | None = None) -> InputMetadata:
        """The metadata of another tensor, which holds this array: the same memory, shown in another way."""
        found = metadata_of(array, subclass, self.inference)
        return found.as_foreign() if self.foreign else found

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
    """The interned metadata of a tensor that holds this array."""
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
