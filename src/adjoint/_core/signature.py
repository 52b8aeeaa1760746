"""Signatures and docstrings of functions, as `help` shows them.

From Python 3.14 on, annotations are evaluated lazily and may name what is not imported. They are then read as forward
references, as if the annotation had been given as a string.

The source of an operator has the first line of its docstring and what is special about the operator. Arguments and an
example are added by ``python -m tools.docs``, which writes complete docstrings to two text files: one for the modules
of operators that `import adjoint` loads, one for the others.
"""

from __future__ import annotations

import functools
import inspect
import os
import sys
from collections.abc import Callable
from typing import Any


def signature_of(function: Callable[..., Any]) -> inspect.Signature:
    """Call `inspect.signature`, with annotations as forward references."""
    if sys.version_info < (3, 14):
        return inspect.signature(function)
    from annotationlib import Format

    return inspect.signature(function, annotation_format=Format.FORWARDREF)


def copy_signature(wrapper: Any, function: Callable[..., Any]) -> None:
    """Copy a function's name, documentation and annotations to an object that is called in place of it."""
    functools.update_wrapper(wrapper, function, updated=())
    if sys.version_info >= (3, 14):  # otherwise the annotations of the object's class would be found
        from annotationlib import Format, get_annotations

        wrapper.__annotations__ = get_annotations(function, format=Format.FORWARDREF)


class instance_signature:
    """A `__signature__` that an instance makes when it is read; its class keeps the signature of its constructor.

    Args:
        make: from the instance to its signature.
    """

    def __init__(self, make: Callable[[Any], inspect.Signature]) -> None:
        self._make = make

    def __get__(self, instance: Any, owner: Any = None) -> inspect.Signature:
        if instance is None:
            raise AttributeError("__signature__")
        return self._make(instance)


class Shown:
    """What `inspect` finds behind a public function: its source, and a signature that is made when it is asked for.

    `inspect.signature` follows `__wrapped__` as far as something that has a `__signature__`; `inspect.getsource`
    follows it to the end. So a function is given this as `__wrapped__`, which costs `import adjoint` next to nothing.

    Args:
        source: the object whose source is shown.
        make: makes the signature.
    """

    __slots__ = ("__wrapped__", "_make")

    def __init__(self, source: Any, make: Callable[[], inspect.Signature]) -> None:
        self.__wrapped__ = source
        self._make = make

    @instance_signature
    def __signature__(self) -> inspect.Signature:
        return self._make()


_FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "_ops")
CORE_DOCS, LATE_DOCS = (os.path.join(_FOLDER, name) for name in ("docs_core.txt", "docs_late.txt"))
MARK = "=== "


@functools.cache
def _read_docs(path: str) -> dict[str, str]:
    try:
        with open(path, encoding="utf-8") as file:
            entries = file.read()[len(MARK) :].split(f"\n{MARK}")
    except OSError:
        return {}
    return {name: text for name, _, text in [entry.partition("\n") for entry in entries]}


def attach_doc(function: Any, name: str) -> Any:
    """Attach the complete docstring to a public function, if there is one."""
    doc = _read_docs(CORE_DOCS).get(name)
    if doc is None and not name.startswith(("_", "Tensor.")):
        doc = _read_docs(LATE_DOCS).get(name)
    if doc is not None:
        function.__doc__ = doc
    return function


def attach_method_docs(cls: type) -> None:
    """Attach the complete docstrings to the methods in the body of a class."""
    for name, doc in _read_docs(CORE_DOCS).items():
        member = vars(cls).get(name[7:]) if name.startswith("Tensor.") else None
        if callable(member):
            member.__doc__ = doc
