"""`Layer`: a module that is declared by its fields, like a dataclass.

The annotations of such a class are the arguments of its constructor, in this order, and become attributes. What follows
from them is not written out: the constructor and its signature, `__constants__`, what `repr` shows, and the section on
arguments of the docstring. `_shown` says what `repr` shows if that is not every field: names, or a format with braces.
A class without annotations inherits all this; so subclasses of users are ordinary classes.

Layers that there are for sequences, images and volumes are declared once, and then by ``dims=1``, ``2`` and ``3``.
"""

from __future__ import annotations

from inspect import Parameter, Signature, get_annotations
from typing import Any, dataclass_transform

from adjoint.nn.modules.module import Module

_ARGUMENTS = {
    "affine": "whether the layer has a weight and a bias per channel, which are learned",
    "align_corners": "whether the corner elements of input and output are at the same place",
    "beta": "where the loss goes over from squares to absolute values",
    "bias": "whether a bias is added",
    "blank": "the class that stands for no label",
    "ceil_mode": "whether windows that begin inside the input but end outside are kept",
    "count_include_pad": "whether padding is counted in the mean",
    "delta": "where the loss goes over from squares to absolute values",
    "dilation": "the distance between the elements of a window",
    "dim": "the dimension along which it is computed",
    "divisor_override": "what sums are divided by, instead of the size of the window",
    "downscale_factor": "how many times smaller the image becomes",
    "eps": "a small number that is added, so that nothing is divided by zero",
    "full": "whether terms that do not depend on the input are included",
    "groups": "the number of groups into which channels are divided",
    "ignore_index": "the class of targets that do not count",
    "inplace": "whether the result overwrites the input",
    "kernel_size": "the size of a window",
    "label_smoothing": "the share of a target that is spread over all classes",
    "log_input": "whether the input is the logarithm of the rate",
    "log_target": "whether the target is given by its logarithm",
    "margin": "the distance beyond which there is no loss",
    "max_norm": "the norm to which rows that are longer are scaled",
    "mode": "the kind of interpolation",
    "norm_type": "the exponent of the norm",
    "num_parameters": "one, or the number of channels",
    "output_ratio": "the size of the output as a share of that of the input",
    "output_size": "the size of the output",
    "p": "the probability of an element to become zero",
    "padding": "how much is added at each side",
    "pos_weight": "weights of positive examples, one for each class",
    "recompute_scale_factor": "whether the scale follows from the size of the output",
    "reduce": "deprecated; see `reduction`",
    "reduction": "'mean', 'sum', or 'none' for a loss of each element",
    "return_indices": "whether the places of the maxima are returned too",
    "scale_factor": "how many times larger the output is",
    "size": "the size of the output",
    "size_average": "deprecated; see `reduction`",
    "stride": "the distance between windows; by default the size of one",
    "swap": "whether the smaller of the two distances to the negative example counts",
    "upscale_factor": "how many times larger the image becomes",
    "weight": "a weight of each class",
    "zero_infinity": "whether infinite losses, and their gradients, become zero",
}  # what arguments mean that several layers have; a layer may describe its own


@dataclass_transform()
class Layer(Module):
    """A module whose annotations are the arguments of its constructor."""

    __constants__: Any = []
    _shown: Any = None

    def __init_subclass__(cls, *, kw_only: bool = False, dims: int | None = None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if dims is not None:
            specialize(cls, dims)
        if cls.__module__.startswith("adjoint.nn.") and "__init__" not in cls.__dict__:
            fields = {k: v for k, v in get_annotations(cls).items() if not str(v).startswith("ClassVar")}
            if fields:
                _add_constructor(cls, fields, kw_only)

    def __post_init__(self) -> None:
        """Finish the construction, after the arguments became attributes."""

    def extra_repr(self) -> str:
        """Return what `repr` shows: the fields."""
        shown = self._shown
        if isinstance(shown, str) and "{" in shown:
            return shown.format_map(_Attributes(self))
        names = self.__constants__ if shown is None else shown.split()
        values = [(name, getattr(self, name)) for name in names]
        return ", ".join(f"{k}={v!r}" for k, v in values if k != "inplace" or v or shown)


class _Lengths:
    """A shape in a template of a docstring: ``{shape:5}`` is one image of 5 x 5, ``{shape:2x5}`` has two channels."""

    def __init__(self, dims: int) -> None:
        self.dims = dims

    def __format__(self, spec: str) -> str:
        channels, _, length = spec.rpartition("x")
        return ", ".join(["1", channels or "1", *[length] * self.dims])


def specialize(cls: Any, dims: int) -> None:
    """Make a class that is declared by ``dims=2`` the kind of its base class for images, and so on.

    The docstring of the base class is a template. Its `_function`, if there is one, is the name of a functional.
    """
    cls._dims = dims
    if hasattr(cls, "_function"):
        cls._function = cls._function.format(d=dims)
    things = ("sequences", "images", "volumes")[dims - 1]
    cls.__doc__ = cls.__bases__[0].__doc__.format(d=dims, twice=2 * dims, things=things, shape=_Lengths(dims))


class _Attributes(dict[str, Any]):
    """The attributes of an object as a mapping."""

    def __init__(self, owner: Any) -> None:
        super().__init__()
        self.owner = owner

    def __missing__(self, name: str) -> Any:
        return getattr(self.owner, name)


def _add_constructor(cls: Any, fields: dict[str, Any], kw_only: bool) -> None:
    """Make the constructor of a class of its annotations; defaults must not stay, they would hide parameters."""
    parameters = [Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)]
    kind = Parameter.KEYWORD_ONLY if kw_only else Parameter.POSITIONAL_OR_KEYWORD
    for name, annotation in fields.items():
        default = cls.__dict__.get(name, Parameter.empty)
        parameters.append(Parameter(name, kind, default=default, annotation=annotation))
        if name in cls.__dict__:
            delattr(cls, name)
    signature = Signature(parameters, return_annotation=None)

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        try:
            bound = signature.bind(self, *args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{type(self).__name__}(): {error}") from None
        bound.apply_defaults()
        Module.__init__(self)
        for name, value in list(bound.arguments.items())[1:]:
            setattr(self, name, value)
        self.__post_init__()

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    __init__.__qualname__, __init__.__module__ = f"{cls.__name__}.__init__", cls.__module__
    cls.__init__ = __init__
    if "__constants__" not in cls.__dict__:
        cls.__constants__ = list(fields)
    doc = cls.__doc__ or ""
    if "Args:" not in doc and all(name in _ARGUMENTS for name in fields):
        lines = "".join(f"\n        {name}: {_ARGUMENTS[name]}." for name in fields)
        head, mark, example = doc.partition("\n    Example:")
        cls.__doc__ = f"{head.rstrip()}\n\n    Args:{lines}\n{mark or ''}{example}"
