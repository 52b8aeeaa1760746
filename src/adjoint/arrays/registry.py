"""Registry of namespaces by array type, filled as new types are seen."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy

if TYPE_CHECKING:
    from adjoint.arrays.namespace import Array, Namespace

_by_type: dict[type, Namespace] = {}
"""The answer for every type that was seen. Lookups on the hot path end here."""

_registered: dict[type, Namespace] = {}
"""What was registered, for a type and its subclasses."""

_promised: dict[str, tuple[Any, dict[str, Any]]] = {}
"""What was registered for a type by name, with the arguments, until an array of that type is seen."""

_kept: dict[str, type] = {}
"""For those of them that were seen, which class the name stood for."""

_not_arrays: set[type] = set()
"""Types that were asked about and are no arrays, so that asking again is cheap."""

# Libraries with their own module here, which has `namespace_for(type)`. It is imported when an array of the library is
# first seen, so that no library is imported speculatively.
_MODULES = {
    "jax": "adjoint.arrays.jax",
    "jaxlib": "adjoint.arrays.jax",
    "cupy": "adjoint.arrays.cupy",
}
_GENERIC = "adjoint.arrays.array_api"

_MASKED = "its mask would be lost; call filled(value), and keep the mask as a boolean tensor if you need it"
_MATRIX = "its * is a matrix product and it is always two-dimensional; convert it with numpy.asarray"
_REFUSED = {
    "numpy.ma.MaskedArray": _MASKED,
    "numpy.ma.core.MaskedArray": _MASKED,
    "numpy.matrix": _MATRIX,
    "numpy.matrixlib.defmatrix.matrix": _MATRIX,
}


def namespace_of(array: Array) -> Namespace:
    """Return the namespace of the library that `array` belongs to.

    Args:
        array: an array of any supported library.

    Raises:
        TypeError: when no library is known for that type.

    Example:
        >>> ad.arrays.namespace_of(np.zeros(2)).name
        'numpy'
    """
    try:
        return _by_type[type(array)]
    except KeyError:
        return _resolve(array)


def is_array(obj: object) -> bool:
    """Test whether `obj` is an array of a known library. Python and NumPy scalars are not.

    Args:
        obj: any object.

    Example:
        >>> ad.arrays.is_array(np.zeros(2)), ad.arrays.is_array([1.0])
        (True, False)
    """
    kind = type(obj)
    if kind not in _by_type:
        if kind in _not_arrays:
            return False
        try:
            _resolve(obj)
        except TypeError:
            _not_arrays.add(kind)
            return False
    return not issubclass(kind, numpy.generic)


def refuse_masked(obj: object) -> None:
    """Raise for a masked array, which would lose its mask."""
    masked = getattr(sys.modules.get("numpy.ma"), "MaskedArray", ())  # asking for numpy.ma itself would import it
    if isinstance(obj, masked):
        _resolve(obj)


def common_namespace(*arrays: Array) -> Namespace:
    """Return the namespace that computes with all these arrays: the one of highest rank.

    Args:
        arrays: arrays of any supported libraries.

    Raises:
        TypeError: when two of the libraries cannot be combined.
        RuntimeError: when arrays of one library are on different devices.

    Example:
        >>> ad.arrays.common_namespace(np.zeros(2), np.ones(3)).name
        'numpy'
    """
    if not arrays:
        return _registered[numpy.ndarray]
    spaces = [namespace_of(array) for array in arrays]
    best, chosen = spaces[0], arrays[0]
    for space, array in zip(spaces, arrays, strict=True):
        if space.rank > best.rank:
            best, chosen = space, array
    for space, array in zip(spaces, arrays, strict=True):
        if space is not best:
            if not best.can_lift(array):
                raise cannot_combine_error(type(array).__name__, space, type(chosen).__name__, best)
        elif array is not chosen and len(best.device_kinds) > 1 and not best.lazy:
            _check_same_device(best, array, chosen)
    return best


def _check_same_device(space: Namespace, a: Array, b: Array) -> None:
    here, there = space.device_of(a), space.device_of(b)
    if here != there:
        raise RuntimeError(
            f"Arrays of {space.name} on two devices were combined: {here!r} and {there!r}. "
            "Move one of them with .to(device) first."
        )


def cannot_combine_error(kind: str, space: Namespace, other_kind: str, other: Namespace) -> TypeError:
    """Make the error for two arrays whose libraries cannot be combined."""
    return TypeError(
        f"An array of type {kind} ({space.name}) cannot be combined with one of type {other_kind} ({other.name}). "
        "Convert one of them explicitly first."
    )


def register(array_type: type | str, namespace: Any, **options: Any) -> None:
    """Register the namespace of another array library.

    Args:
        array_type: the class of its arrays, or the class's name as `"module.Class"`, which imports nothing until such
            an array is seen. Subclasses are included.
        namespace: a `Namespace`; or a module (or its name) with the functions of the array API standard, which is
            adapted; or a function without arguments that makes a `Namespace`.
        options: attributes of the `Namespace` made for a module: `name`, `rank`, `lazy`, `device_kinds`, `accepts`.
            Its arrays are treated as immutable; a library with views or in-place writes needs its own `Namespace`.

    Example:
        >>> ad.arrays.register("some_library.Array", "some_library", name="some")
        >>> ad.arrays.unregister("some_library.Array")
    """
    if isinstance(array_type, str):
        if "." not in array_type:
            raise ValueError(f"A type is named with its module, as 'module.Class'; {array_type!r} has no dot.")
        _promised[array_type] = (namespace, options)
    else:
        _registered[array_type] = _as_namespace(array_type.__name__, namespace, options)
    _forget()


def unregister(array_type: type | str) -> None:
    """Undo `register`; a KeyError if the type is not registered.

    Args:
        array_type: the class, or its name, as given to `register`.

    Example:
        >>> ad.arrays.register("some_library.Array", "some_library", name="some")
        >>> ad.arrays.unregister("some_library.Array")
    """
    if isinstance(array_type, str):
        found = _promised.pop(array_type, None)
        if array_type in _kept:
            found = _registered.pop(_kept.pop(array_type), None)
    else:
        found = _registered.pop(array_type, None)
    _forget()
    if found is None:
        raise KeyError(f"{array_type!r} is not registered as an array type.")


def supported() -> list[str]:
    """List the supported array libraries, for messages.

    Example:
        >>> ad.arrays.supported()[0]
        'numpy.ndarray'
    """
    known = [f"{kind.__module__}.{kind.__qualname__}" for kind in _registered if kind is not numpy.generic]
    known = [name for name in known if not name.startswith("adjoint.")]
    known += [f"{name} (once imported)" for name in _promised]
    return [
        *known,
        "adjoint.Tensor",
        "jax.Array and JAX's tracers",
        "cupy.ndarray",
        "arrays of any library with __array_namespace__, or known to array-api-compat",
    ]


def namespace_named(name: str) -> Namespace:
    """Return the namespace with a name; for unpickling."""
    for space in (*_registered.values(), *_by_type.values()):
        if space.name == name:
            return space
    raise LookupError(f"No array namespace named {name!r} is in use here; import its library and use an array of it.")


def _forget() -> None:
    """Clear the caches after the registrations have changed."""
    _by_type.clear()
    _not_arrays.clear()
    for kind in (numpy.ndarray, numpy.generic):
        if kind in _registered:
            _by_type[kind] = _registered[kind]


def _resolve(array: object) -> Namespace:
    """Find the namespace for a type that is seen for the first time."""
    kind = type(array)
    for base in kind.__mro__:
        name = f"{base.__module__}.{base.__qualname__}"
        if name in _REFUSED and base not in _registered:
            raise TypeError(f"{name} is not supported: {_REFUSED[name]}")
        found = _namespace_of_class(base, name)
        if found is not None:
            _by_type[kind] = found
            return found
    found = import_module(_GENERIC).namespace_for(array) if _looks_like_array(kind) else None
    if found is None:
        raise TypeError(_unknown_type_error(kind))
    _by_type[kind] = found
    return found


def _namespace_of_class(kind: type, name: str) -> Namespace | None:
    """Find the namespace registered for a class itself, without its bases."""
    if kind in _registered:
        return _registered[kind]
    for promise in list(_promised):
        if promise == name or _find_imported_class(promise) is kind:
            namespace, options = _promised.pop(promise)
            _registered[kind] = _as_namespace(promise, namespace, options)
            _kept[promise] = kind
            return _registered[kind]
    module = _MODULES.get(kind.__module__.partition(".")[0])
    return None if module is None else import_module(module).namespace_for(kind)


def _find_imported_class(name: str) -> type | None:
    """Return the class of a dotted name, if its module is already imported."""
    module, _, attribute = name.rpartition(".")
    found: Any = getattr(sys.modules.get(module), attribute, None)
    return found if isinstance(found, type) else None


def _as_namespace(name: str, namespace: Any, options: dict[str, Any]) -> Namespace:
    """Convert the argument of `register` to a `Namespace`."""
    if hasattr(namespace, "native_dtype"):
        return namespace  # it is one
    if isinstance(namespace, str):
        namespace = import_module(namespace)
    if not hasattr(namespace, "asarray"):
        make: Callable[[], Namespace] = namespace
        return make()
    return import_module(_GENERIC).GenericNamespace(namespace, **{"name": name, **options})


def _looks_like_array(kind: type) -> bool:
    """Test whether the type has the attributes of an array, before importing array-api-compat."""
    library = kind.__module__.partition(".")[0]
    return hasattr(kind, "__array_namespace__") or library in ("torch", "dask", "sparse", "ndonnx")


def _unknown_type_error(kind: type) -> str:
    listing = "\n  ".join(supported())
    return (
        f"{kind.__module__}.{kind.__qualname__} is not an array type that adjoint knows. Supported are:\n  {listing}\n"
        "Another library is made known with adjoint.arrays.register(array_type, namespace)."
    )


_forget()
