"""Element types: one small object per type, the same for every array library.

The names are PyTorch's. Each object also answers to NumPy (`np.zeros(3, dtype=adjoint.float32)` works), because
NumPy accepts any object that has a `dtype` attribute. The type `bfloat16` comes from `ml_dtypes`, which is imported
only when an array of that type is first made.
"""

from __future__ import annotations

import builtins
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

__all__ = [
    "ALIASES",
    "as_dtype",
    "bfloat16",
    "bool",
    "bool_",
    "can_cast",
    "complex64",
    "complex128",
    "dtype",
    "finfo",
    "float16",
    "float32",
    "float64",
    "get_default_dtype",
    "iinfo",
    "int8",
    "int16",
    "int32",
    "int64",
    "promote_types",
    "set_default_dtype",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]

# Note [The name bool]: this module ends by binding `bool` to a dtype, as `torch.bool` is one. Inside the module the
# builtin is therefore always written `builtins.bool`.


class dtype:
    """The type of an array's elements. There is exactly one object per type, so compare with `is`.

    Attributes:
        name: the name in NumPy's and the array API's spelling, such as `"float32"`.
        itemsize: bytes per element.
        is_floating_point, is_complex, is_signed: what kind of numbers these are.
        category: 0 for bool, 1 for integers, 2 for real floating point, 3 for complex. Promotion between categories
            goes upwards.
        numpy: the NumPy type.
    """

    __slots__ = ("category", "is_complex", "is_floating_point", "is_signed", "itemsize", "name", "numpy")

    name: str
    itemsize: int
    category: int
    is_floating_point: builtins.bool
    is_complex: builtins.bool
    is_signed: builtins.bool
    numpy: np.dtype[Any]

    def __init__(self, name: str, itemsize: int, category: int):
        self.name = name
        self.itemsize = itemsize
        self.category = category
        self.is_floating_point = category == 2
        self.is_complex = category == 3
        self.is_signed = category > 0 and not name.startswith("uint")
        if name != "bfloat16":
            self.numpy = np.dtype(name)

    if not TYPE_CHECKING:  # to a type checker the slots are all there is

        def __getattr__(self, name: str) -> Any:
            """NumPy's dtype of `bfloat16`, found when it is first used."""
            # Reached only while the slot is empty, that is for the first use of bfloat16.
            if name == "numpy" and self.name == "bfloat16":
                import ml_dtypes

                self.numpy = np.dtype(ml_dtypes.bfloat16)
                return self.numpy
            raise AttributeError(f"{self!r} has no attribute {name!r}")

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy type; by this attribute NumPy accepts the object wherever it wants a dtype."""
        return self.numpy

    def to_real(self) -> dtype:
        """The type of the real part: `float64` for `complex128`, itself for types that are real."""
        return _REAL.get(self, self)

    def to_complex(self) -> dtype:
        """The complex type that holds this floating type; the half precision ones go to `complex64`."""
        if self.is_complex:
            return self
        if not self.is_floating_point:
            raise TypeError(f"{self!r} has no complex counterpart; convert it to a floating type first.")
        return complex128 if self is float64 else complex64

    def __repr__(self) -> str:
        return f"adjoint.{self.name}"

    def __reduce__(self) -> str:
        # Pickle looks the name up in this module, which gives the one object back.
        return self.name

    def __copy__(self) -> dtype:
        """The dtype itself: there is one object of each."""
        return self

    def __deepcopy__(self, memo: object) -> dtype:
        """The dtype itself: there is one object of each."""
        return self

    # By identity, in C: dtypes are keys on the hot path. An equal NumPy type hashes differently.
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> builtins.bool:
        if self is other:
            return True
        if other is None or isinstance(other, dtype):
            return False
        try:
            return as_dtype(other) is self
        except TypeError:
            return False


float16: Final = dtype("float16", 2, 2)
bfloat16: Final = dtype("bfloat16", 2, 2)
float32: Final = dtype("float32", 4, 2)
float64: Final = dtype("float64", 8, 2)
complex64: Final = dtype("complex64", 8, 3)
complex128: Final = dtype("complex128", 16, 3)
int8: Final = dtype("int8", 1, 1)
int16: Final = dtype("int16", 2, 1)
int32: Final = dtype("int32", 4, 1)
int64: Final = dtype("int64", 8, 1)
uint8: Final = dtype("uint8", 1, 1)
uint16: Final = dtype("uint16", 2, 1)
uint32: Final = dtype("uint32", 4, 1)
uint64: Final = dtype("uint64", 8, 1)
bool_: Final = dtype("bool", 1, 0)

ALL: Final = (
    bool_,
    uint8,
    int8,
    int16,
    int32,
    int64,
    uint16,
    uint32,
    uint64,
    float16,
    bfloat16,
    float32,
    float64,
    complex64,
    complex128,
)

ALIASES: Final[dict[str, dtype]] = {
    "half": float16,
    "float": float32,
    "double": float64,
    "short": int16,
    "int": int32,
    "long": int64,
    "cfloat": complex64,
    "cdouble": complex128,
}
"""PyTorch's second names. A Python type or a string is never read by this table; see `as_dtype`."""

_REAL = {complex64: float32, complex128: float64}


class _KnownTypes(dict[Any, dtype]):
    """Cache from descriptions of types (NumPy's, other libraries') to dtypes; unknown ones are parsed and added."""

    def __missing__(self, key: Any) -> dtype:
        found = _parse(key)
        self[key] = found
        return found


_BY_NAME = {kind.name: kind for kind in ALL}
_KNOWN = _KnownTypes(_BY_NAME)
_KNOWN.update({kind: kind for kind in ALL})
_KNOWN.update({kind.numpy: kind for kind in ALL if kind is not bfloat16})
_KNOWN.update({float: float64, int: int64, builtins.bool: bool_, complex: complex128})

# Apart, because some libraries warn when their types are compared to NumPy's, as a dict may do.
_FOREIGN = _KnownTypes()

FROM_NUMPY: Final[dict[Any, dtype]] = _KNOWN
"""For the hot path: `FROM_NUMPY[array.dtype]` needs no call."""


def as_dtype(obj: Any) -> dtype:
    """The element type that `obj` describes.

    Args:
        obj: one of our dtypes, a NumPy dtype or scalar type, a dtype of another array library, a name such as
            `"float32"` or `"<f4"`, or one of Python's `float` (64 bits), `int` (64 bits), `bool`, `complex`.

    Raises:
        TypeError: for anything else, and for the names `"float"` and `"int"`, which mean one size to PyTorch and
            another to NumPy.
    """
    try:
        return _KNOWN[obj] if isinstance(obj, (dtype, np.dtype, type, str)) else _FOREIGN[obj]
    except TypeError:
        # Either nothing of that name is known or `obj` cannot be hashed: the user sees the same message.
        raise _unknown_error(obj) from None


def _unknown_error(obj: Any) -> TypeError:
    return TypeError(
        f"{_describe(obj)} is not a dtype that adjoint has. Use one of {', '.join(_BY_NAME)}, "
        "given as adjoint.float32, as a NumPy dtype or as a string."
    )


def _describe(obj: Any) -> str:
    """A description of `obj` for an error message; an array is not printed in full."""
    return (
        f"An object of type {type(obj).__name__}"
        if hasattr(obj, "shape") and not isinstance(obj, (type, np.dtype))
        else repr(obj)
    )


def _parse(obj: Any) -> dtype:
    """Parse a description of a dtype (`as_dtype` without the cache)."""
    name = _name_of(obj)
    if name not in _BY_NAME:
        raise _unknown_error(obj)
    return _BY_NAME[name]


def _name_of(obj: Any) -> str:
    """The name of the type that `obj` describes, or an empty string."""
    if isinstance(obj, np.dtype):
        return obj.name
    if isinstance(obj, str):
        return _name_from_text(obj)
    if isinstance(obj, type) and issubclass(obj, np.generic):
        return np.dtype(obj).name
    inner = getattr(obj, "dtype", None)  # jax.numpy.float32 is a class that carries its dtype
    if isinstance(inner, np.dtype):
        return "" if hasattr(obj, "shape") else inner.name
    # Other libraries have types of their own, printed as "torch.float32" or "array_api_strict.float32".
    return "" if obj is None or isinstance(obj, type) or hasattr(obj, "shape") else str(obj).rpartition(".")[2]


def _name_from_text(text: str) -> str:
    if text in ("float", "int"):
        return ""
    try:
        return np.dtype(text).name
    except (TypeError, ValueError):
        return text.rpartition(".")[2]


_LONE = frozenset((uint16, uint32, uint64))
"""PyTorch gives these no common type with any type but the real floating ones."""


def _promote_integers(a: dtype, b: dtype) -> dtype:
    if bool_ in (a, b):
        return b if a is bool_ else a
    if a.itemsize == b.itemsize:
        return int16  # uint8 with int8: the only pair of equal size
    return a if a.itemsize > b.itemsize else b


def _promote_inexact(low: dtype, high: dtype) -> dtype:
    """The common type when `high`, floating or complex, has at least the category of `low`."""
    if low.category < 2:
        return high
    if high.is_complex:
        return complex128 if low.to_complex() is complex128 else high
    if low.itemsize == high.itemsize:
        return float32
    return low if low.itemsize > high.itemsize else high


@cache
def promote_types(type1: Any, type2: Any) -> dtype:
    """Smallest dtype that both dtypes can be cast to, by PyTorch's rules of type promotion.

    Args:
        type1, type2: the dtypes.

    Example:
        >>> ad.promote_types(ad.int64, ad.float32)
        adjoint.float32
    """
    a, b = as_dtype(type1), as_dtype(type2)
    if a is b:
        return a
    low, high = (a, b) if a.category <= b.category else (b, a)
    if high.category != 2 and (a in _LONE or b in _LONE):
        raise RuntimeError(
            f"{a!r} and {b!r} have no common type: uint16, uint32 and uint64 promote only with real floating types. "
            "Convert one of the two first."
        )
    return _promote_inexact(low, high) if high.category >= 2 else _promote_integers(a, b)


def can_cast(from_: Any, to: Any) -> builtins.bool:
    """Test whether casting from one dtype to another is allowed: not to a lower category.

    Args:
        from_, to: the dtypes.

    Example:
        >>> ad.can_cast(ad.int64, ad.float32), ad.can_cast(ad.float32, ad.int64)
        (True, False)
    """
    source, target = as_dtype(from_), as_dtype(to)
    return source.category <= target.category


class finfo:
    """Limits of a floating type; of a complex type, those of its parts.

    Attributes: `bits`, `eps`, `max`, `min`, `tiny`, `smallest_normal`, `resolution`, `dtype` (a string, as in torch).
    """

    __slots__ = ("bits", "dtype", "eps", "max", "min", "resolution", "smallest_normal", "tiny")

    def __init__(self, type: Any = None):
        kind = (_default if type is None else as_dtype(type)).to_real()
        if not kind.is_floating_point:
            raise TypeError(f"finfo describes floating types, and {kind!r} is not one; use iinfo for integers.")
        if kind is bfloat16:
            import ml_dtypes

            limits: Any = ml_dtypes.finfo(kind.numpy)
        else:
            limits = np.finfo(kind.numpy)
        self.bits: int = kind.itemsize * 8
        self.dtype: str = kind.name
        self.eps = float(limits.eps)
        self.max = float(limits.max)
        self.min = float(limits.min)
        self.tiny = self.smallest_normal = float(limits.smallest_normal)
        # Not `limits.resolution`, which is 1e-06 rounded to float32, for example.
        self.resolution = float(f"1e-{limits.precision}")

    def __repr__(self) -> str:
        fields = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        return f"finfo({', '.join(f'{f}={getattr(self, f):g}' for f in fields)}, dtype={self.dtype})"


class iinfo:
    """Limits of an integer type. Attributes: `bits`, `max`, `min`, `dtype` (a string, as in torch)."""

    __slots__ = ("bits", "dtype", "max", "min")

    def __init__(self, type: Any):
        kind = as_dtype(type)
        if kind.category != 1:
            raise TypeError(f"iinfo describes integer types, and {kind!r} is not one.")
        limits = np.iinfo(kind.numpy)
        self.bits: int = kind.itemsize * 8
        self.dtype: str = kind.name
        self.max: int = limits.max
        self.min: int = limits.min

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


_default: dtype = float32


def get_default_dtype() -> dtype:
    """Default floating point dtype: that of tensors made from Python floats.

    Example:
        >>> ad.get_default_dtype()
        adjoint.float32
    """
    return _default


def set_default_dtype(d: Any) -> None:
    """Set the default floating point dtype for the whole process.

    Args:
        d: a floating type.

    Example:
        >>> ad.set_default_dtype(ad.float32)
    """
    global _default
    kind = as_dtype(d)
    if not kind.is_floating_point:
        raise TypeError(f"The default dtype must be a floating type, and {kind!r} is not one.")
    _default = kind


bool: Final = bool_  # See Note [The name bool].
