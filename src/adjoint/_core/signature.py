"""The signatures of users' functions, also where an annotation names what is not there.

Annotations may do so from Python 3.14 on, where they are computed when somebody asks. They then are forward references,
which read as if the annotation had been given as a string.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from typing import Any


def signature_of(function: Callable[..., Any]) -> inspect.Signature:
    """What `inspect.signature` says."""
    if sys.version_info < (3, 14):
        return inspect.signature(function)
    from annotationlib import Format

    return inspect.signature(function, annotation_format=Format.FORWARDREF)


def look_like(wrapper: Any, function: Callable[..., Any]) -> None:
    """Give an object that is called in place of a function the function's name, documentation and annotations."""
    functools.update_wrapper(wrapper, function, updated=())
    if sys.version_info >= (3, 14):  # otherwise the annotations of the object's class would be found
        from annotationlib import Format, get_annotations

        wrapper.__annotations__ = get_annotations(function, format=Format.FORWARDREF)
