"""The samples on which every operator is tested: each family registers its own, the tests of the table read them all.

    register("mul", lambda t: [call(t(3, 4), t(3, 4)), call(t(3, 1), t(4)), call(t(3), 2.5)], complex=True)

A sample holds no tensors but `Given` values; a test turns them into tensors of the array library, precision or memory
layout that it is about, and into PyTorch's for the oracle. So one sample serves every test.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import math
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import adjoint as ad
from adjoint._dispatch.table import aliases, load_all, table

load_all()

KINDS = ("float64", "complex128")
"""In what precision samples are made: all cases in the first, those with ``complex=True`` in the second as well."""


@dataclasses.dataclass(frozen=True, eq=False)
class Given:
    """A value that becomes a tensor argument.

    Attributes:
        array: the values, read-only.
        requires_grad: whether the operator is differentiated with respect to it.
        symmetric: the argument is a symmetric (Hermitian) matrix and only varied within these.
    """

    array: np.ndarray
    requires_grad: bool = False
    symmetric: bool = False

    def __post_init__(self) -> None:
        array = np.asarray(self.array)
        array.flags.writeable = False
        object.__setattr__(self, "array", array)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    def project(self, direction: np.ndarray) -> np.ndarray:
        """The part of a perturbation, or of a gradient, that is within what the argument may be."""
        if not self.symmetric:
            return direction
        return (direction + np.conj(np.swapaxes(direction, -1, -2))) / 2

    def replace(self, array: np.ndarray) -> Given:
        return dataclasses.replace(self, array=array)


class Sample:
    """The arguments of one call; `Given` values stand for tensors, also inside lists, tuples, dicts and slices."""

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.args = args
        self.kwargs = kwargs
        found: dict[int, Given] = {}
        substitute((args, kwargs), lambda leaf: found.setdefault(id(leaf), leaf) if isinstance(leaf, Given) else leaf)
        self.givens: list[Given] = list(found.values())

    @property
    def variables(self) -> list[int]:
        """Which of the givens the operator is differentiated by, as indices into `givens`."""
        return [i for i, given in enumerate(self.givens) if given.requires_grad]

    def bind(self, make: Callable[[Given], Any]) -> tuple[list[Any], tuple[Any, ...], dict[str, Any]]:
        """Turn the givens into tensors. Returns those, in the order of `givens`, and the call's arguments."""
        made = [make(given) for given in self.givens]
        return made, *self.bind_to(made)

    def bind_to(self, tensors: list[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The call's arguments with these tensors for the givens."""
        places = {id(given): tensor for given, tensor in zip(self.givens, tensors, strict=True)}
        return substitute((self.args, self.kwargs), lambda leaf: places[id(leaf)] if isinstance(leaf, Given) else leaf)

    def map(self, change: Callable[[Given], Given]) -> Sample:
        """The same call with other values."""
        _, args, kwargs = self.bind(change)
        return Sample(args, kwargs)

    def __repr__(self) -> str:
        shown = [_describe(arg) for arg in self.args]
        shown += [f"{key}={_describe(value)}" for key, value in self.kwargs.items()]
        return f"({', '.join(shown)})"


def call(*args: Any, **kwargs: Any) -> Sample:
    """One call of the operator, in a list of samples."""
    return Sample(args, kwargs)


def substitute(value: Any, change: Callable[[Any], Any]) -> Any:
    """An argument with every leaf of it changed; lists, tuples, dicts and slices are looked into."""
    if isinstance(value, dict):
        return {key: substitute(item, change) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        items = [substitute(item, change) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if isinstance(value, slice):
        return slice(*(substitute(part, change) for part in (value.start, value.stop, value.step)))
    return change(value)


def _describe(value: Any) -> str:
    if isinstance(value, Given):
        return f"{value.array.dtype.name}{list(value.shape)}" + ("*" if value.requires_grad else "")
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(_describe, value))}]"
    return getattr(value, "__name__", None) or repr(value)


# ---- making values --------------------------------------------------------------------------------------------------


def _shape(shape: tuple[Any, ...]) -> tuple[int, ...]:
    return tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape


class Factory:
    """Makes the values of samples; the `t` of ``register(name, lambda t: ...)``.

    All that make floating point values give complex ones in the complex run, `real` and what it says of excepted, and
    all but `const` are differentiated. Values keep off the multiples of 1/2, where kinks and jumps usually are.

    Attributes:
        is_complex: whether this is the complex run.
    """

    def __init__(self, seed: int, is_complex: bool) -> None:
        self._rng = np.random.default_rng(seed)
        self.is_complex = is_complex

    def __call__(self, *shape: Any, low: float = -2, high: float = 2) -> Given:
        """Any values between `low` and `high` (the real and imaginary part, if complex)."""
        return Given(self._values(_shape(shape), low, high), True)

    def _values(self, shape: tuple[int, ...], low: float, high: float, is_complex: bool | None = None) -> np.ndarray:
        if self.is_complex if is_complex is None else is_complex:
            return self._real(shape, low, high) + 1j * self._real(shape, low, high)
        return self._real(shape, low, high)

    def _real(self, shape: tuple[int, ...], low: float, high: float) -> np.ndarray:
        values = self._rng.uniform(low, high, shape)
        if high - low < 1:
            return np.asarray(values)
        cell, rest = np.divmod(values, 0.5)  # each cell between two multiples of 1/2 is used but for its margins
        values = 0.5 * cell + 0.075 + 0.7 * rest
        return np.asarray(np.clip(values, low, high))

    def const(self, *shape: Any, low: float = -2, high: float = 2) -> Given:
        """Any values; not differentiated."""
        return Given(self._values(_shape(shape), low, high), False)

    def real(self, *shape: Any, low: float = -2, high: float = 2) -> Given:
        """Any values, real even in the complex run."""
        return Given(self._values(_shape(shape), low, high, False), True)

    def complex(self, *shape: Any, low: float = -2, high: float = 2) -> Given:
        """Any values, complex even in the real run."""
        return Given(self._values(_shape(shape), low, high, True), True)

    def positive(self, *shape: Any, low: float = 0.3, high: float = 2.5) -> Given:
        """Positive values; if complex, ones with a positive real part."""
        array = self._real(_shape(shape), low, high)
        return Given(array + 1j * self._real(array.shape, -1, 1) if self.is_complex else array, True)

    def unit(self, *shape: Any) -> Given:
        """Values between -0.9 and 0.9; if complex, ones of at most that absolute value."""
        bound = 0.6 if self.is_complex else 0.9
        return Given(self._values(_shape(shape), -bound, bound), True)

    def distinct(self, *shape: Any, gap: float = 0.3) -> Given:
        """Values of which no two are close (in the real part, if complex), in random order."""
        array = self._spread(_shape(shape), gap)
        return Given(array + 1j * self._real(array.shape, -2, 2) if self.is_complex else array, True)

    def _spread(self, shape: tuple[int, ...], gap: float) -> np.ndarray:
        count = math.prod(shape)
        ranks = self._rng.permutation(count) - (count - 1) / 2
        return np.asarray((ranks * gap + self._rng.uniform(-0.2, 0.2, count) * gap + 0.11).reshape(shape))

    def matrix(self, *shape: Any) -> Given:
        """Matrices (the last two dimensions) of full rank, whose singular values are well separated."""
        *batch, rows, columns = _shape(shape)
        small = min(rows, columns)
        left = self._orthogonal((*batch, rows, small))
        right = self._orthogonal((*batch, columns, small))
        sizes = np.linspace(1, 2, small) * np.linspace(1, 1.5, small) + 0.1 * self._rng.uniform(size=(*batch, small))
        return Given((left * sizes[..., None, :]) @ np.conj(np.swapaxes(right, -1, -2)), True)

    def _orthogonal(self, shape: tuple[int, ...]) -> np.ndarray:
        return np.linalg.qr(self._values(shape, -2, 2))[0]

    def invertible(self, *shape: Any) -> Given:
        """Well conditioned square matrices: ``t.invertible(2, 3)`` gives two of 3 by 3."""
        *batch, n = _shape(shape)
        return self.matrix(*batch, n, n)

    def symmetric(self, *shape: Any) -> Given:
        """Symmetric (Hermitian, if complex) matrices with well separated eigenvalues of both signs."""
        return Given(self._hermitian(_shape(shape), shift=-1.4), True, symmetric=True)

    def spd(self, *shape: Any) -> Given:
        """Symmetric (Hermitian) positive definite matrices with well separated eigenvalues."""
        return Given(self._hermitian(_shape(shape), shift=0.6), True, symmetric=True)

    def _hermitian(self, shape: tuple[int, ...], shift: float) -> np.ndarray:
        *batch, n = shape
        vectors = self._orthogonal((*batch, n, n))
        sizes = shift + np.arange(n) * 0.9 + 0.2 * self._rng.uniform(size=(*batch, n))
        product = (vectors * sizes[..., None, :]) @ np.conj(np.swapaxes(vectors, -1, -2))
        return (product + np.conj(np.swapaxes(product, -1, -2))) / 2

    def index(self, shape: Any, high: int, low: int = 0) -> Given:
        """Integers (int64) from `low` up to but not including `high`."""
        return Given(np.asarray(self._rng.integers(low, high, shape, dtype=np.int64)))

    def permutation(self, n: int) -> Given:
        """The integers below n in random order."""
        return Given(self._rng.permutation(n).astype(np.int64))

    def mask(self, *shape: Any) -> Given:
        """Booleans, of both kinds if there is room."""
        count = math.prod(_shape(shape))
        return Given((self._rng.permutation(count) % 2 == 0).reshape(_shape(shape)))

    def of(self, values: Any, requires_grad: bool | None = None, dtype: Any = None) -> Given:
        """These values. Floating point ones are float64, or complex128 in the complex run, unless `dtype` is given."""
        array = np.array(values, dtype=dtype)
        if dtype is None and array.dtype.kind == "f":
            array = array.astype(KINDS[self.is_complex])
        return Given(array, array.dtype.kind in "fc" if requires_grad is None else requires_grad)


# ---- the registry ---------------------------------------------------------------------------------------------------


@dataclasses.dataclass(eq=False)
class Case:
    """An operator with its samples; the options are explained in `register`."""

    name: str
    label: str
    make_samples: Callable[[Any], list[Sample]]
    options: dict[str, Any]
    _made: dict[str, list[Sample]] = dataclasses.field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["options"][name]
        except KeyError:
            raise AttributeError(f"a case has no option {name!r}") from None

    @property
    def kinds(self) -> tuple[str, ...]:
        if self.options["complex"] == "only":
            return KINDS[1:]
        return KINDS if self.options["complex"] else KINDS[:1]

    def samples(self, kind: str = "float64") -> list[Sample]:
        """The samples, always the same ones."""
        if kind not in self._made:
            seed = zlib.crc32(f"{self.label}/{kind}".encode())
            self._made[kind] = self.make_samples(Factory(seed, kind == "complex128"))
        return self._made[kind]

    @property
    def operator(self) -> Any:
        """The row of the operator table; None for a composite."""
        return getattr(self.function, "operator", None)

    @property
    def function(self) -> Callable[..., Any]:
        """The public function: ``ad.<name>``, ``ad.linalg.<x>`` for ``linalg_<x>``, or else the Tensor's method."""
        return table[self.name].function if self.name.startswith("_") and self.name in table else find(ad, self.name)

    def __repr__(self) -> str:
        return f"<case {self.label}>"


def find(package: Any, name: str) -> Callable[..., Any]:
    """The function that a case's name means in `adjoint` or in `torch`."""
    section, _, rest = name.partition("_")
    home = getattr(package, section, None) if section in ("linalg", "fft", "special") and rest else None
    if hasattr(home, rest):
        return getattr(home, rest)
    if name.endswith("_") and (not name.startswith("__") or name == "__setitem__"):
        return _on_a_clone(package, name)
    if callable(getattr(package, name, None)):
        return getattr(package, name)
    functional = getattr(getattr(package, "nn", None), "functional", None)
    for place in (functional, getattr(package, "special", None)):
        if hasattr(place, name):
            return getattr(place, name)
    if hasattr(package.Tensor, name):
        return _as_method(name)
    raise AttributeError(f"{package.__name__} has neither a function nor a method {name!r}")


def _as_method(name: str) -> Callable[..., Any]:
    def call_method(self: Any, *args: Any, **kwargs: Any) -> Any:
        found = getattr(self, name)
        return found(*args, **kwargs) if callable(found) else found  # some are properties, like `mT`

    return call_method


def _on_a_clone(package: Any, name: str) -> Callable[..., Any]:
    function = getattr(package, name, None)

    def call_on_clone(self: Any, *args: Any, **kwargs: Any) -> Any:
        clone = self.clone()
        changed = functools.partial(function, clone) if not hasattr(clone, name) and function else getattr(clone, name)
        result = changed(*args, **kwargs)
        return clone if result is None else result

    return call_on_clone


cases: dict[str, Case] = {}
"""All registered cases by label."""


def register(
    name: str,
    samples: Callable[[Any], list[Sample]],
    *,
    complex: bool | str = False,
    oracle: Any = True,
    second: bool = True,
    in_place: bool | None = None,
    strict: bool = True,
    jax: bool = True,
    jit: bool = True,
    project: Callable[[Any], Any] | None = None,
    atol: float | None = None,
    rtol: float | None = None,
    differentiable: bool = True,
) -> None:
    """Have an operator tested.

    Args:
        name: the public name; one that ends in ``_`` is called on a clone of its first argument. An operator may be
            registered several times, with different options.
        samples: makes the calls from a `Factory`.
        complex: whether to run everything with complex values too ("only": instead).
        oracle: what to compare with: True for PyTorch's function of that name, a dotted name in `torch`, a function
            of torch tensors, or None.
        second: whether there are second derivatives to check.
        in_place: whether there is a variant ``name_`` that gives the same (None: if it is a method and fits).
        strict, jax, jit: whether it works on array_api_strict, on JAX, and inside `jax.jit`.
        project: applied to the result before anything else, where the result as such is not unique or not smooth.
        atol, rtol: wider tolerances of everything that is compared.
        differentiable: False for composites that have no derivative; of operators the table knows.
    """
    label, count = name, 1
    while label in cases:
        count += 1
        label = f"{name}.{count}"
    options = {key: value for key, value in locals().items() if key not in ("name", "samples", "label", "count")}
    cases[label] = Case(name, label, samples, options)


families: dict[str, list[str]] = {}
"""The labels that each file of samples has registered, by the module of `_ops` that it is about: "reduction/scans"."""


def register_functional(name: str, samples: Callable[[Any], list[Sample]], **options: Any) -> None:
    """Have a function tested, against the one of `torch.nn.functional`."""
    register(name, samples, **{"oracle": f"nn.functional.{name}"} | options)


def _register_aliases() -> None:
    """Have other names of an operator tested, on its first sample."""
    for new, old in aliases.items():
        if old in cases and new not in cases:
            case = cases[old]
            register(new, lambda t, make=case.make_samples: make(t)[:1], **{**case.options, "complex": False})


broken: dict[str, Exception] = {}
"""What could not be imported or made: a test fails for each, and the others are tested all the same."""


@dataclasses.dataclass(frozen=True)
class Run:
    """One sample of one case."""

    case: Case
    kind: str
    number: int

    @property
    def sample(self) -> Sample:
        return self.case.samples(self.kind)[self.number]

    @property
    def id(self) -> str:
        return f"{self.case.label}-{self.number}" + ("-complex" if self.kind == "complex128" else "")

    @property
    def has_derivative(self) -> bool:
        """Whether the operator is differentiable, and differentiated in this sample."""
        operator = self.case.operator
        return bool(
            self.case.differentiable and self.sample.variables and (operator is None or operator.differentiable)
        )

    def __repr__(self) -> str:
        return f"<{self.case.label}{self.sample}>"


SAMPLES = Path(__file__).parents[1] / "_ops"


@functools.cache
def load() -> dict[str, Case]:
    """Import every file of samples in `tests/_ops`, and look which cases can be run."""
    for path in sorted(SAMPLES.rglob("samples_*.py")):
        family = path.relative_to(SAMPLES).with_name(path.stem.removeprefix("samples_")).as_posix()
        before = set(cases)
        try:
            importlib.import_module(".".join(("tests", "_ops", *path.relative_to(SAMPLES).with_suffix("").parts)))
        except Exception as error:
            broken[family] = error
        families[family] = [label for label in cases if label not in before]
    _register_aliases()
    usable: dict[str, Case] = {}
    for label, case in cases.items():
        try:
            case.function
            for kind in case.kinds:
                case.samples(kind)
            usable[label] = case
        except Exception as error:
            broken[label] = error
    return usable


@functools.cache
def _all_runs() -> dict[str, list[Run]]:
    return {
        c.label: [Run(c, kind, i) for kind in c.kinds for i in range(len(c.samples(kind)))] for c in load().values()
    }


def runs(name: str | None = None, label: str | None = None, **wanted: Any) -> list[Run]:
    """Every sample of every case that has these options; of an operator's cases, or of one case, if that is given."""
    chosen = [case for case in load().values() if name in (None, case.name) and label in (None, case.label)]
    chosen = [case for case in chosen if all(getattr(case, key) == value for key, value in wanted.items())]
    return [run for case in chosen for run in _all_runs()[case.label]]
