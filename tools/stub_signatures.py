"""All the ways to call a public function or a method: from its signature, the operator table and the special cases."""

from __future__ import annotations

import ast
import dataclasses
import functools
import inspect
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from adjoint._dispatch import return_types
from adjoint._dispatch.operator import ALIASES, MANY, Operator
from adjoint._dispatch.table import composites
from tools.stub_types import BY_FUNCTION, EMPTY, parameter_type, result_type

SPECIAL_CASES = Path(__file__).with_name("special_cases.pyi").read_text()

POSITIONAL, VARIADIC, KEYWORD = (
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.VAR_POSITIONAL,
    inspect.Parameter.KEYWORD_ONLY,
)

CREATION_KEYWORDS = {
    "dtype": ("DtypeLike | None", None),
    "device": ("DeviceLike | None", None),
    "requires_grad": ("bool", False),
    "layout": ("Layout | None", None),
    "pin_memory": ("bool | None", None),
    "memory_format": ("MemoryFormat | None", None),
}
"""What creation functions have in common; a cases written by hand says ``**creation``."""

SPELLINGS = {"dim": "axis", "keepdim": "keepdims", "dims": "axes", "split_size_or_sections": "split_size"}
"""NumPy's names of parameters, which operators understand as well."""


@dataclasses.dataclass
class Signature:
    """One way to call a function; the annotations of the parameters are strings."""

    parameters: list[inspect.Parameter]
    result: str

    def with_parameters(self, parameters: Iterable[inspect.Parameter]) -> Signature:
        """The same with other parameters, in an order that Python allows."""
        return Signature(sorted(parameters, key=lambda parameter: parameter.kind), self.result)


# ---- the cases written by hand ---------------------------------------------------------------------------------------


@functools.cache
def special_cases() -> dict[tuple[str, str], list[Signature]]:
    """By module (or "Tensor") and name."""
    found: dict[tuple[str, str], list[Signature]] = {}
    for section in ast.parse(SPECIAL_CASES).body:
        if isinstance(section, ast.ClassDef):
            for node in section.body:
                if isinstance(node, ast.FunctionDef):
                    found.setdefault((section.name, node.name), []).append(_read_signature(node))
    return found


def _read_signature(node: ast.FunctionDef) -> Signature:
    arguments = node.args
    given = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(given) - len(arguments.defaults)) + arguments.defaults
    kinds = [inspect.Parameter.POSITIONAL_ONLY] * len(arguments.posonlyargs) + [POSITIONAL] * len(arguments.args)
    rows: list[Any] = list(zip(given, kinds, defaults))
    rows += [(arguments.vararg, VARIADIC, None)] if arguments.vararg else []
    rows += [(argument, KEYWORD, default) for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    if arguments.kwarg and arguments.kwarg.arg != "creation":
        rows.append((arguments.kwarg, inspect.Parameter.VAR_KEYWORD, None))
    parameters = [
        inspect.Parameter(
            argument.arg,
            kind,
            default=EMPTY if default is None else ast.literal_eval(default),
            annotation=EMPTY if argument.annotation is None else ast.unparse(argument.annotation),
        )
        for argument, kind, default in rows
    ]
    if arguments.kwarg and arguments.kwarg.arg == "creation":
        _add_creation_keywords(parameters)
    assert node.returns is not None, node.name
    return Signature(parameters, ast.unparse(node.returns))


# ---- what functions look like ----------------------------------------------------------------------------------------


def signatures_of(module: str, name: str, function: Any, method: bool = False) -> list[Signature]:
    """All the ways to call a public function, or a method of Tensor."""
    cases = special_cases()
    if method and ("Tensor", name) in cases:
        return cases["Tensor", name]
    if (module, name) in cases:
        found = cases[module, name]
        return [_as_method(case) for case in found] if method else [_with_out(case, function) for case in found]
    operator = getattr(function, "operator", None)
    if isinstance(operator, Operator):
        found = _operator_signatures(name, function, operator)
    else:
        found = _function_signatures(name, function)
    if not method:
        return found
    result = "Self" if name.endswith("_") else None
    return [_as_method(signature, result) for signature in found]


def _with_out(signature: Signature, function: Any) -> Signature:
    """A case written by hand, with ``out=`` if the function takes it."""
    if "out" not in inspect.signature(function).parameters:
        return signature
    out = inspect.Parameter("out", KEYWORD, default=None, annotation=_out_type(signature.result))
    return signature.with_parameters([*signature.parameters, out])


def _as_method(signature: Signature, result: str | None = None) -> Signature:
    first, *others = [parameter for parameter in signature.parameters if parameter.name != "out"]
    this = first.replace(name="self", annotation=EMPTY, default=EMPTY, kind=POSITIONAL)
    return Signature([this, *others], result or signature.result)


def _operator_signatures(name: str, function: Any, operator: Operator) -> list[Signature]:
    """Of a row of the table: of its function, or of its in-place variant."""
    notes = dict(zip(operator.parameters, operator.signature.annotations))
    parameters: list[inspect.Parameter] = []
    in_place = function is operator.in_place
    result = "Tensor" if in_place else _operator_result(operator)
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name == "out":
            note = _out_type(result)
        elif parameter.name == operator.listed:
            note = "Sequence[Tensor]"
        elif parameter.name in operator.tensors:
            usual = "Operand | None" if parameter.default is None else "Operand"
            note = BY_FUNCTION.get(f"{name}.{parameter.name}", usual)
        elif parameter.name == operator.collects:
            note = "Sequence[int]"
        else:
            parameter = parameter.replace(annotation=notes.get(parameter.name) or EMPTY)
            note = parameter_type(name, parameter)
        parameters.append(parameter.replace(annotation=note))
    return _with_spellings(Signature(parameters, result), operator.collects)


def _out_type(result: str) -> str:
    """The type of ``out=`` of a function with such a result."""
    several = any(kind in result for kind in ("return_types", "tuple", "list"))
    return "tuple[Tensor, ...] | None" if several else "Tensor | None"


def _operator_result(operator: Operator) -> str:
    if operator.outputs == 1:
        return "Tensor"
    if operator.outputs >= MANY:
        return "tuple[Tensor, ...]"
    if issubclass(operator.returns, return_types.Result):
        return f"return_types.{operator.returns.__name__}"
    return f"tuple[{', '.join(['Tensor'] * operator.outputs)}]"


def _function_signatures(name: str, function: Any) -> list[Signature]:
    """Of a composite operator or another function."""
    own_name = function.__name__
    signature = inspect.signature(function)
    result = result_type(signature.return_annotation) or _class_named(function, signature.return_annotation)
    if own_name in return_types.FIELDS:
        result = f"return_types.{own_name}"
    found = Signature([], result or "Tensor")
    parameters = found.parameters
    for parameter in signature.parameters.values():
        if parameter.name == "out":
            note = _out_type(found.result)
        elif parameter.kind is VARIADIC and parameter.name == "tensors":
            note = "Tensor"
        else:
            note = parameter_type(name, parameter)
        parameters.append(parameter.replace(annotation=note))
    is_operator = composites.get(own_name) is function or function in composites.values()
    sizes = [p for p in parameters if p.kind is VARIADIC and p.name in ("size", "sizes")]
    if sizes:
        return _by_shape(found, sizes[0])
    return _with_spellings(found, None) if is_operator else [found]


named_classes: dict[str, str] = {}
"""Classes that results have, and how a stub imports them."""


def _class_named(function: Any, annotation: Any) -> str | None:
    """A class of the package that a result's annotation names; it is noted in `named_classes`."""
    found = inspect.unwrap(function).__globals__.get(annotation) if isinstance(annotation, str) else None
    if not isinstance(found, type) or not found.__module__.startswith("adjoint."):
        return None
    named_classes[annotation] = f"from {found.__module__} import {found.__name__}"
    return annotation


def _add_keyword(parameters: list[inspect.Parameter], name: str, note: str, default: Any) -> None:
    if all(parameter.name != name for parameter in parameters):
        parameters.append(inspect.Parameter(name, KEYWORD, default=default, annotation=note))


def _add_creation_keywords(parameters: list[inspect.Parameter]) -> None:
    for name, (note, default) in CREATION_KEYWORDS.items():
        _add_keyword(parameters, name, note, default)


def _by_shape(signature: Signature, variadic: inspect.Parameter) -> list[Signature]:
    """``zeros(2, 3)`` and ``zeros((2, 3))``."""
    as_tuple = inspect.Parameter(variadic.name, POSITIONAL, annotation="Sequence[int]")
    return [
        signature.with_parameters(p.replace(annotation="int") if p is variadic else p for p in signature.parameters),
        signature.with_parameters(as_tuple if p is variadic else p for p in signature.parameters),
    ]


def _with_spellings(signature: Signature, collects: str | None) -> list[Signature]:
    """With NumPy's names: those of optional parameters are further keywords, a required one makes an overload."""
    parameters = list(signature.parameters)
    names = {parameter.name for parameter in parameters}
    required: inspect.Parameter | None = None
    for parameter in signature.parameters:
        spelling = SPELLINGS.get(parameter.name)
        if spelling is None or spelling in names or ALIASES.get(spelling) != parameter.name:
            continue
        if parameter.default is EMPTY:
            required = parameter
        else:
            _add_keyword(parameters, spelling, str(parameter.annotation), parameter.default)
    whole = signature.with_parameters(parameters)
    found = [whole]
    if collects is not None:
        found.append(whole.with_parameters(_one_by_one(whole.parameters, collects)))
    if required is not None:
        place = whole.parameters.index(required)
        keyworded = [p.replace(kind=KEYWORD) for p in whole.parameters[place:]]
        keyworded[0] = keyworded[0].replace(name=SPELLINGS[required.name])
        found.append(whole.with_parameters([*whole.parameters[:place], *keyworded]))
    return found


def _one_by_one(parameters: list[inspect.Parameter], name: str) -> list[inspect.Parameter]:
    """``permute(1, 0)`` for ``permute((1, 0))``."""
    place = next(place for place, parameter in enumerate(parameters) if parameter.name == name)
    integers = inspect.Parameter(name, VARIADIC, annotation="int")
    return [*parameters[:place], integers, *(p.replace(kind=KEYWORD) for p in parameters[place + 1 :])]
