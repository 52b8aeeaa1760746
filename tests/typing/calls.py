"""The calls of the operators' samples as a program for a type checker: what runs in the tests has to be accepted."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np

import adjoint as ad
from tests.support import cases
from tests.support.cases import Case, Given, Sample

HEADER = """
import adjoint as ad
from adjoint import Tensor

inf, nan = ad.inf, ad.nan


def calls(t: Tensor) -> None:
"""


def write_program() -> str:
    """One statement for each call, with the type that its result has at run time."""
    lines: dict[str, None] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for case in cases.load().values():
            for kind in case.kinds if not case.name.startswith("_") else ():
                for sample in case.samples(kind):
                    lines.setdefault(_statement(case, sample))
    return HEADER + "".join(f"    {line}\n" for line in lines if line)


def _statement(case: Case, sample: Sample) -> str:
    try:
        arguments = [_show(value) for value in sample.args]
        arguments += [f"{key}={_show(value)}" for key, value in sample.kwargs.items()]
    except NotImplementedError:
        return ""
    _, args, kwargs = sample.bind(lambda given: ad.tensor(np.array(given.array)))
    kind = _type_of(case.function(*args, **kwargs))
    target = f"_{re.sub('[^a-zA-Z]', '', kind)}: {kind}"
    place = _place(case.name)
    if place is None:  # a method or a property
        call = "" if isinstance(getattr(ad.Tensor, case.name), property) else f"({', '.join(arguments[1:])})"
        return f"{target} = t.{case.name}{call}"
    return f"{target} = {place}({', '.join(arguments)})"


def _place(name: str) -> str | None:
    section, _, rest = name.partition("_")
    if section in ("linalg", "fft", "special") and hasattr(getattr(ad, section), rest):
        return f"ad.{section}.{rest}"
    if hasattr(ad, name) and not name.endswith("_"):
        return f"ad.{name}"
    return None if hasattr(ad.Tensor, name) else f"ad.{name}" if hasattr(ad, name) else f"ad.special.{name}"


def _show(value: Any) -> str:
    if isinstance(value, Given):
        return "t"
    if isinstance(value, ad.dtype):
        return f"ad.{value.name}"
    if isinstance(value, (tuple, list)):
        inside = ", ".join(_show(item) for item in value)
        return f"[{inside}]" if isinstance(value, list) else f"({inside},)" if len(value) == 1 else f"({inside})"
    if value is None or value is ... or isinstance(value, (bool, int, float, complex, str)):
        return "..." if value is ... else repr(value)
    raise NotImplementedError  # a function, for instance


def _type_of(result: Any) -> str:
    if isinstance(result, (tuple, list)):
        if hasattr(result, "_fields"):
            return f"ad.return_types.{type(result).__name__}"
        return "tuple[Tensor, ...]"
    return "Tensor" if isinstance(result, ad.Tensor) else type(result).__name__
