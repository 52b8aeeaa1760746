"""`repr` of tensors: numbers in columns of equal width, large tensors summarised, attributes at the end."""

from __future__ import annotations

import math
from inspect import cleandoc
from textwrap import fill
from typing import Any

import numpy as np

from adjoint import _dtypes
from adjoint._core.forward import propagate
from adjoint._core.tensor import Tensor, grad_fn_name
from adjoint._index import FAMILIES
from adjoint.arrays import CPU


class PrintOptions:
    """The settings that `set_printoptions` changes."""

    def __init__(self) -> None:
        self.precision = 4
        self.threshold: float = 1000
        self.edgeitems = 3
        self.linewidth = 80
        self.sci_mode: bool | None = None


options = PrintOptions()

_PROFILES: dict[str, dict[str, Any]] = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": math.inf, "edgeitems": 3, "linewidth": 80},
}


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Choose how tensors print. What is left out stays as it is, except `sci_mode`.

    Args:
        precision: digits after the decimal point.
        threshold: how many elements a tensor may have to be printed in full.
        edgeitems: how many elements are shown at each end of a summarised dimension.
        linewidth: characters per line.
        profile: "default", "short" or "full", settings under one name.
        sci_mode: whether numbers are in scientific notation; None decides by their size.

    Example:
        >>> ad.set_printoptions(precision=2)
        >>> ad.tensor([1.2345])
        tensor([1.23])
        >>> ad.set_printoptions(profile="default")
    """
    if profile is not None:
        vars(options).update(_PROFILES[profile])
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    vars(options).update({name: value for name, value in given.items() if value is not None})
    options.sci_mode = sci_mode


def describe(tensor: Tensor) -> str:
    """Format a tensor for `repr`."""
    prefix = "tensor(" if _is_plain(type(tensor)) else f"{type(tensor).__name__}("
    spec = tensor._spec
    suffixes = [f"device='{spec.device}'"] if spec.device != CPU else []
    if isinstance(tensor._array, Tensor):
        body = repr(tensor._array).replace("\n", "\n" + " " * len(prefix))
        suffixes.append(f"level={spec.level}")
    elif spec.namespace.lazy:
        body = repr(tensor._array)
    else:
        body = _format_array(spec.namespace.to_numpy(tensor._array), len(prefix))
        suffixes += _describe_type(spec)
    return _join_suffixes(prefix + body, suffixes + _describe_history(tensor), len(prefix))


def _is_plain(cls: type) -> bool:
    """Whether a class prints as a tensor: Tensor, or a subclass that behaves identically."""
    return cls is Tensor or not getattr(cls, "_intercepts", True)


def _describe_type(spec: Any) -> list[str]:
    """Describe the shape, if the numbers do not show it, and the dtype, if it is not the default."""
    real = _dtypes.get_default_dtype()
    usual = [real]
    suffixes: list[str] = []
    if spec.size == 0:
        if len(spec.shape) != 1:
            suffixes.append(f"size={tuple(spec.shape)}")
    else:
        usual += [real.to_complex(), _dtypes.int64, _dtypes.bool_]
    if spec.dtype not in usual:
        suffixes.append(f"dtype={spec.dtype!r}")
    return suffixes


def _describe_history(tensor: Tensor) -> list[str]:
    suffixes: list[str] = []
    if not tensor.is_leaf:
        suffixes.append(f"grad_fn=<{grad_fn_name(tensor)}>")
    elif tensor.requires_grad:
        suffixes.append("requires_grad=True")
    tangent = _get_tangent(tensor)
    if tangent is not None:
        suffixes.append(f"tangent={tangent}")
    return suffixes


def _get_tangent(tensor: Tensor) -> Any:
    return next(reversed(propagate.tangents_of(tensor).values()), None)


def _join_suffixes(text: str, suffixes: list[str], indent: int) -> str:
    """Append suffixes to the numbers, with line breaks at the line width."""
    length = len(text) - text.rfind("\n") - 1
    for suffix in suffixes:
        if length + len(suffix) + 3 > options.linewidth:
            text += ",\n" + " " * indent + suffix
            length = indent + len(suffix)
        else:
            text += ", " + suffix
            length += len(suffix) + 2
    return text + ")"


# ---- numbers ---------------------------------------------------------------------------------------------------------


def _format_array(array: Any, indent: int) -> str:
    if array.size == 0:
        return "[]"
    if array.dtype.kind == "V" or array.dtype == np.float16:
        array = array.astype(np.float32)  # bfloat16 has no formatting of its own
    summarise = array.size > options.threshold
    shown = _summarize(array) if summarise else array
    if array.dtype.kind == "c":
        write: Any = _ComplexColumn(shown)
    else:
        write = _Column(shown)
    return _format_nested(array, indent, summarise, write)


def _summarize(array: Any) -> Any:
    """Select the elements that a summary shows."""
    edge = options.edgeitems
    for axis, length in enumerate(array.shape):
        if length > 2 * edge:
            array = np.take(array, [*range(edge), *range(length - edge, length)], axis=axis)
    return array


class _Column:
    """The common format of some real numbers.

    Args:
        values: all the numbers that will be written.
    """

    def __init__(self, values: Any) -> None:
        self.values = values
        self.whole = True
        self.scientific = False
        self.is_float = values.dtype.kind == "f"
        self.width = 1
        if not self.is_float:
            self.width = max([len(str(value)) for value in values.reshape(-1).tolist()])
            return
        finite = values[np.isfinite(values) & (values != 0)].astype(np.float64)
        if finite.size == 0:
            return
        sizes = np.abs(finite)
        largest, smallest = sizes.max(), sizes.min()
        self.whole = bool((finite == np.ceil(finite)).all())
        with np.errstate(over="ignore"):
            varied = bool(largest / smallest > 1000 or largest > 1e8 or smallest < 1e-4)
        self.scientific = varied if options.sci_mode is None else options.sci_mode
        self.width = max([len(self._format_number(value)) for value in finite.tolist()])

    def _format_number(self, value: Any) -> str:
        if not self.is_float:
            return str(value)
        if self.scientific:
            return f"{value:.{options.precision}e}"
        if not self.whole:
            return f"{value:.{options.precision}f}"
        return f"{value:.0f}" + ("." if math.isfinite(value) else "")

    def __call__(self, value: Any) -> str:
        return self._format_number(value).rjust(self.width)


class _ComplexColumn:
    """The common format of some complex numbers: a column for each part."""

    def __init__(self, values: Any) -> None:
        self.real, self.imag = _Column(values.real), _Column(values.imag)
        self.width = self.real.width + self.imag.width + 1

    def __call__(self, value: complex) -> str:
        imag = self.imag(value.imag).lstrip()
        return f"{self.real(value.real)}{imag if imag[0] in '+-' else '+' + imag}j"


def _format_nested(array: Any, indent: int, summarise: bool, write: Any) -> str:
    if array.ndim == 0:
        return write(array.item())
    edge = options.edgeitems
    shorten = summarise and len(array) > 2 * edge
    parts = [*array[:edge], None, *array[-edge:]] if shorten else list(array)
    if array.ndim == 1:
        return _wrap_row([" ..." if part is None else write(part.item()) for part in parts], indent, write.width)
    texts = ["..." if part is None else _format_nested(part, indent + 1, summarise, write) for part in parts]
    return "[" + ("," + "\n" * (array.ndim - 1) + " " * (indent + 1)).join(texts) + "]"


def _wrap_row(words: list[str], indent: int, width: int) -> str:
    per_line = max(1, (options.linewidth - indent) // (width + 2))
    lines = [", ".join(words[start : start + per_line]) for start in range(0, len(words), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


# ---- the class ------------------------------------------------------------------------------------------------------


def overview(start: str) -> str:
    """Build the docstring of Tensor: the introduction, and its methods by topic."""
    topics = {family.replace(".", " "): names.split() for family, (_, _, names) in FAMILIES.items()}
    known = {name for names in topics.values() for name in names}
    topics = {"the tensor itself": [name for name in dir(Tensor) if name not in known], **topics}
    parts = [cleandoc(start), "Methods by topic. Those that end with an underscore write to the tensor itself."]
    for topic, names in topics.items():
        public = " ".join(name for name in names if name[0] != "_")
        parts += [f"{topic}:\n{fill(public, 100, initial_indent='    ', subsequent_indent='    ')}"] if public else []
    return "\n\n".join(parts)
