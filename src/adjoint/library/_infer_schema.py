"""Schema inference from the type annotations of a function."""

from __future__ import annotations

import collections.abc
import functools
import inspect
import numbers
import operator
import types
import typing
from collections.abc import Callable, Iterable
from typing import Any, Optional, Union

from adjoint._core.signature import signature_of
from adjoint._core.tensor import Tensor
from adjoint._dtypes import dtype as Dtype
from adjoint.arrays import Device
from adjoint.library._errors import DefinitionError, Tag, as_tags, caller, location_of
from adjoint.library._schema import Type, write_default

_BASES: dict[Any, str] = {
    Tensor: "Tensor",
    int: "SymInt",
    float: "float",
    bool: "bool",
    complex: "complex",
    str: "str",
    numbers.Number: "Scalar",
    numbers.Complex: "Scalar",
    numbers.Real: "Scalar",
    Dtype: "ScalarType",
    Device: "Device",
}

_NUMBERS = (frozenset((int, float, bool)), frozenset((int, float)), frozenset((int, float, bool, complex)))
"""What unions of Python's numbers may look like; they stand for any number."""

_RETURNABLE = ("Tensor", "SymInt", "float", "bool", "complex", "Scalar")

_NAMES = {
    "Tensor": Tensor, "device": Device, "dtype": Dtype, "Device": Device, "Optional": Optional, "Union": Union,
    "List": list, "Tuple": tuple, "Sequence": collections.abc.Sequence,
}  # fmt: skip
"""What annotations given as strings may use without importing it."""

_SPEAKING = "Tensor, int, float, bool, complex, str, adjoint.dtype, adjoint.device, a union of numbers"


def infer_schema(
    prototype_function: Callable[..., Any],
    /,
    *,
    mutates_args: str | Iterable[str],
    op_name: str | None = None,
    tags: Any = (),
) -> str:
    """Infer the schema of an operator from a function's type annotations.

    Args:
        prototype_function: a function all of whose parameters, and whose return, are annotated with Tensor, int, float,
            bool, complex, str, `adjoint.dtype`, `adjoint.device` or a union of numbers, or with Optional, list or
            Sequence of those. Several results are annotated as a tuple.
        mutates_args: the names of the arguments that are written to, or "unknown" for all tensors.
        op_name: the name of the operator in the schema; omitted if None.
        tags: see `custom_op`.

    Example:
        >>> def scale(x: ad.Tensor, by: float = 2.0) -> ad.Tensor: ...
        >>> ad.library.infer_schema(scale, op_name="scale", mutates_args=())
        'scale(Tensor x, float by=2.0) -> Tensor'
    """
    return f"{op_name or ''}{_Inference(prototype_function, mutates_args, as_tags(tags)).schema()}"


class _Inference:
    """Inference of one schema."""

    def __init__(self, function: Callable[..., Any], mutates: str | Iterable[str], tags: tuple[Tag, ...]) -> None:
        self.function = function
        self.signature = signature_of(function)
        if isinstance(mutates, str) and mutates != "unknown":
            raise DefinitionError(
                f"mutates_args is a collection of argument names, ('{mutates}',) for instance, or the word 'unknown'; "
                f"got the string {mutates!r}"
            )
        self.unknown = isinstance(mutates, str)
        self.mutated = () if self.unknown else tuple(mutates)
        self.tags = tags

    def error(self, what: str) -> DefinitionError:
        name = getattr(self.function, "__name__", repr(self.function))
        return DefinitionError(
            f"no schema can be made for {name}{self.signature} ({location_of(self.function)}): {what}. Annotate it, or "
            "pass schema= to say what is meant."
        )

    def schema(self) -> str:
        missing = [name for name in self.mutated if name not in self.signature.parameters]
        if missing:
            raise self.error(f"mutates_args names {missing}, which are not among its parameters")
        parts: list[str] = []
        after_star = False
        self.aliases: dict[str, str] = {}
        for place, parameter in enumerate(self.signature.parameters.values()):
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not after_star:
                after_star = True
                parts.append("*")
            parts.append(self.argument(place, parameter))
        return f"({', '.join(parts)}) -> {self.returns()}"

    def argument(self, place: int, parameter: inspect.Parameter) -> str:
        name = parameter.name
        if parameter.kind not in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY):
            raise self.error(f"{parameter} is positional-only or collects arguments, which operators cannot have")
        if parameter.annotation is inspect.Parameter.empty:
            raise self.error(f"the parameter {name!r} has no type annotation")
        kind = self.type_of(self.evaluate(parameter.annotation))
        if kind is None:
            raise self.error(
                f"the parameter {name!r} has the type {parameter.annotation!r}, which is none of {_SPEAKING}, or "
                "Optional, list or Sequence of those (a list in place of a tuple)"
            )
        text = str(kind)
        if name in self.mutated and not kind.is_tensor_like:
            raise self.error(f"mutates_args names {name!r}, but only tensors and lists of them can be written to")
        if kind.is_tensor_like and (self.unknown or name in self.mutated):
            self.aliases[name] = f"(a{place}!)"
            text = kind.format(self.aliases[name])
        return f"{text} {name}{self.default(parameter)}"

    def default(self, parameter: inspect.Parameter) -> str:
        value = parameter.default
        if value is inspect.Parameter.empty:
            return ""
        items = value if isinstance(value, (list, tuple)) else (value,)
        if not all(one is None or isinstance(one, (bool, int, float, complex, str, Dtype)) for one in items):
            raise self.error(f"the default of {parameter.name!r} is a {type(value).__name__}, which schemas cannot say")
        return f"={write_default(value)}"

    def evaluate(self, annotation: Any) -> Any:
        """Evaluate the strings in an annotation, at any depth."""
        if isinstance(annotation, typing.ForwardRef):
            annotation = annotation.__forward_arg__
        if isinstance(annotation, str):
            function: Any = inspect.unwrap(self.function)
            frame = caller()  # names known where the operator is made are accepted, too
            around = {} if frame is None else frame.f_locals
            names = {**_NAMES, **around, **getattr(function, "__globals__", {}), **_closure_variables(function)}
            try:
                return self.evaluate(eval(annotation, names))
            except Exception as error:
                raise self.error(
                    f"the annotation {annotation!r} means nothing there ({type(error).__name__}: {error}); names that "
                    "annotations use have to be known in the module of the function"
                ) from None
        arguments = typing.get_args(annotation)
        if not arguments or typing.get_origin(annotation) is typing.Literal:
            return annotation
        inner = tuple(self.evaluate(one) for one in arguments)
        origin = typing.get_origin(annotation)
        return _make_union(inner) if origin in (Union, types.UnionType) else types.GenericAlias(origin, inner)

    def type_of(self, annotation: Any) -> Type | None:
        """Return the schema type of an annotation, or None if there is none."""
        if annotation in _BASES:
            return Type(_BASES[annotation])
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        if origin in (Union, types.UnionType):
            rest = tuple(one for one in arguments if one is not type(None))
            if len(rest) == len(arguments):
                return Type("Scalar") if frozenset(rest) in _NUMBERS else None
            inner = self.type_of(_make_union(rest))
            return None if inner is None or inner.optional else _copy_type(inner, optional=True)
        if origin in (list, collections.abc.Sequence) and len(arguments) == 1:
            inner = self.type_of(arguments[0])
            if inner is None or inner.is_list:
                return None
            return Type(inner.base, is_list=True, optional_items=inner.optional)
        return None

    def returns(self) -> str:
        annotation = self.signature.return_annotation
        if annotation is inspect.Signature.empty:
            raise self.error("its return has no type annotation")
        annotation = self.evaluate(annotation)
        if annotation is None or annotation is type(None):
            return "()" if not self.tags else self.alias_results(())
        if typing.get_origin(annotation) is not tuple:
            found = (self.result(annotation),)
            return self.alias_results(found) if self.tags else found[0]
        items = typing.get_args(annotation)
        if Ellipsis in items:
            raise self.error("a tuple of any length cannot be returned; annotate it as list[Tensor] and return a list")
        parts = tuple(self.result(one) for one in items)
        if self.tags:
            return self.alias_results(parts)
        return f"(({parts[0]}))" if len(parts) == 1 else f"({', '.join(parts)})"

    def result(self, annotation: Any) -> str:
        kind = self.type_of(annotation)
        wrong = kind is None or kind.base not in _RETURNABLE or kind.optional or kind.optional_items
        if kind is None or wrong or (kind.is_list and kind.base != "Tensor"):
            raise self.error(
                f"it returns {annotation!r}; operators return Tensor, list[Tensor], int, float, bool, complex, or a "
                "tuple of those"
            )
        return str(kind)

    def alias_results(self, results: tuple[str, ...]) -> str:
        """Return the result types of an operator that returns the arguments it writes to."""
        if Tag.inplace not in self.tags and Tag.out not in self.tags:
            return results[0] if len(results) == 1 else f"({', '.join(results)})"
        parameters = list(self.signature.parameters.values())
        if Tag.inplace in self.tags:
            first = parameters[0].name if parameters else None
            if first is None or self.unknown or self.mutated != (first,) or results != ("Tensor",):
                raise self.error("with Tag.inplace it has to write to its first argument alone, and to return it")
            return f"Tensor{self.aliases[first]}"
        places = [p.name for p in parameters if p.name in self.aliases]
        keyword = all(self.signature.parameters[n].kind is inspect.Parameter.KEYWORD_ONLY for n in places)
        if not places or not keyword or results != ("Tensor",) * len(places):
            raise self.error("with Tag.out it has to write to keyword-only tensors, and to return them in order")
        written = [f"Tensor{self.aliases[name]}" for name in places]
        return written[0] if len(written) == 1 else f"({', '.join(written)})"


def _copy_type(kind: Type, **changes: Any) -> Type:
    return Type(**{"base": kind.base, "is_list": kind.is_list, "optional_items": kind.optional_items, **changes})


def _make_union(parts: tuple[Any, ...]) -> Any:
    return functools.reduce(operator.or_, parts)


def _closure_variables(function: Any) -> dict[str, Any]:
    """Return the nonlocal variables of a function."""
    try:
        return dict(inspect.getclosurevars(function).nonlocals)
    except TypeError:
        return {}
