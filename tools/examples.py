"""Examples for docstrings, from the samples that operators are tested with.

A sample is made once more, with small round numbers, written down as a call, and run. Of all samples of an operator the
one that makes the shortest example is taken.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import inspect
import io
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

import adjoint as ad
from tests.support import cases
from tests.support.cases import Given

WIDTH = 88
NUMBERS = (0.5, -1.0, 2.0, 1.5, -0.5, 1.0, 0.25, -2.0, 0.75, -0.25, 2.5, -1.5)


class RoundNumbers(cases.Factory):
    """Makes the values of samples from round numbers.

    Args:
        is_complex: whether this is a sample of complex numbers.
        length: if given, every shape is cut down to one dimension of at most this length: for elementwise operators.
    """

    def __init__(self, is_complex: bool, length: int | None) -> None:
        super().__init__(0, is_complex)
        self.length = length
        self.calls = -1

    def _shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        return shape if self.length is None else tuple(min(n, self.length) for n in shape[-1:])

    def _real(self, shape: tuple[int, ...], low: float, high: float) -> np.ndarray:
        shape = self._shape(shape)
        count = math.prod(shape)
        if count > 6 and (low, high) == (-2, 2):
            return np.arange(count, dtype=float).reshape(shape)
        self.calls += 1  # operands differ
        fitting = [one for one in NUMBERS if low < one < high] or [(low + high) / 2]
        return np.resize(np.roll(fitting, -self.calls), count).reshape(shape)

    def _spread(self, shape: tuple[int, ...], gap: float) -> np.ndarray:
        count = math.prod(self._shape(shape))
        return (np.random.default_rng(2).permutation(count) + 1.0).reshape(self._shape(shape))

    def matrix(self, *shape: Any) -> Given:
        *batch, rows, columns = shape
        one = 2 * np.eye(rows, columns) + np.tri(rows, columns, -1) + (np.arange(columns) == columns - 1)
        return Given(np.broadcast_to(one, (*batch, rows, columns)).astype(cases.KINDS[self.is_complex]), True)

    def _hermitian(self, shape: tuple[int, ...], shift: float) -> np.ndarray:
        *batch, n = shape
        one = np.ones((n, n)) + np.diag(np.arange(n) + 1.0)
        return np.broadcast_to(one, (*batch, n, n)).astype(cases.KINDS[self.is_complex])

    def mask(self, *shape: Any) -> Given:
        shape = self._shape(cases._shape(shape))
        return Given((np.arange(math.prod(shape)) % 2 == 0).reshape(shape))

    def index(self, shape: Any, high: int, low: int = 0) -> Given:
        shape = self._shape((shape,) if isinstance(shape, int) else tuple(shape))
        low = max(low, 0) if high > 0 else low
        return Given((low + (1 + np.arange(math.prod(shape))) * 2 % max(high - low, 1)).reshape(shape))


def find_example(name: str, called: str | None = None) -> str | None:
    """The shortest example that the samples of an operator make.

    Args:
        called: the function to call if it is not the one that the samples are for.
    """
    found: list[str] = []
    for case in cases.load().values():
        if case.name != name:
            continue
        for kind in case.kinds:
            with contextlib.suppress(Exception):  # samples that need larger values than there are now
                samples = case.make_samples(RoundNumbers(kind == "complex128", 3 if _is_elementwise(case) else None))
                for sample in filter(is_simple, samples):
                    found += _write(called or name, sample)
    if not found and called is None:  # functions without samples
        found += _write(name, cases.call(Given(np.array([[1.5, -0.5], [2.0, 0.5]]))))
    return min(found, key=_cost, default=None)


def _is_elementwise(case: cases.Case) -> bool:
    row = case.operator
    return row is not None and (row.kind == "elementwise" or (row.kind == "constant" and row.in_place is not None))


def _cost(example: str) -> int:
    """Short examples are better; less so those that show no values, special or complex ones, or nothing new."""
    result = run_example(example)
    dull = isinstance(result, ad.Tensor) and result.numel() != 1 and len(set(result.flatten().tolist())) < 2
    call, _, shown = example.rpartition("\n>>> ")[2].partition("\n")
    same = "".join(shown.split()).replace("0", "") in "".join(call.split()).replace("0", "")
    rounded = isinstance(result, ad.Tensor) and result.dtype.is_floating_point and "." not in call.replace("ad.", "")
    special = any(word in example for word in ("nan", "inf", "size=("))
    return (
        len(example)
        + 40 * (".shape" in example)
        + 30 * ("j)" in example)
        + 60 * (dull or same)
        + 30 * rounded
        + 200 * special
    )


def is_simple(sample: cases.Sample) -> bool:
    """Whether a sample can be written down: of the usual dtypes, neither empty nor single numbers."""
    kinds = ("float64", "complex128", "int64", "bool")
    arrays = [given.array for given in sample.givens]
    return all(a.dtype.name in kinds and a.size for a in arrays) and any(a.size > 1 for a in arrays)


def _write(name: str, sample: cases.Sample) -> Iterator[str]:
    """The example, if it runs."""
    arguments = [_write_value(one) for one in sample.args]
    keywords = {key: _write_value(value) for key, value in sample.kwargs.items()}
    for style in ("inline", "variables"):
        lines: list[str] = []
        written = list(arguments)
        if style == "variables":
            names = iter("xyzuvwabcdefgh")
            for place, text in enumerate(written):
                if text.startswith(("ad.", "[ad.")):
                    written[place] = next(names)
                    lines.append(f">>> {written[place]} = {text}")
        call = _write_call(name, written, keywords)
        if call is None or any(len(line) > WIDTH for line in (*lines, call)):
            continue
        with contextlib.suppress(Exception):
            yield _with_output(lines, call)
            return


def _write_call(name: str, arguments: list[str], keywords: dict[str, str]) -> str | None:
    words = [f"{key}={value}" for key, value in keywords.items()]
    section, _, rest = name.partition("_")
    if section in ("linalg", "fft", "special") and hasattr(getattr(ad, section), rest):
        return f">>> ad.{section}.{rest}({', '.join(arguments + words)})"
    if hasattr(ad.Tensor, name) and (name.endswith("_") or not hasattr(ad, name)):
        own = next(text for text in arguments if text[0].isalpha())
        rest = [text for text in arguments if text is not own]
        return f">>> {own}.{name}({', '.join(rest + words)})"
    return f">>> ad.{name}({', '.join(arguments + words)})" if hasattr(ad, name) else None


def _write_value(value: Any) -> str:
    if isinstance(value, Given):
        return _write_array(value.array)
    if isinstance(value, tuple):
        return f"({', '.join(map(_write_value, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, list):
        return f"[{', '.join(map(_write_value, value))}]"
    if isinstance(value, ad.dtype):
        return f"ad.{value.name}"
    return repr(value).replace("'", '"')


def _write_array(array: np.ndarray) -> str:
    if array.ndim > 1 and array.size > 6 and np.array_equal(array.ravel(), np.arange(array.size)):
        return f"ad.arange({array.size}.0).reshape{array.shape}" if array.dtype.kind == "f" else _literal(array)
    return _literal(array)


def _literal(array: np.ndarray) -> str:
    return f"ad.tensor({array.tolist()})"


def _with_output(lines: list[str], call: str) -> str:
    """The example with what it prints; the shape of a result that is too long to print."""
    shown = _display([*lines, call])
    is_random = any(_display([*lines, call], seed) != shown for seed in range(1, 8))
    if shown.count("\n") > 6 or len(shown) > 320 or is_random:
        call += ".shape"
        shown = _display([*lines, call])
    if not shown.strip():
        raise ValueError("nothing is shown")
    return "\n".join([*lines, call, shown.rstrip("\n").replace("\n\n", "\n<BLANKLINE>\n")])


def _display(lines: list[str], seed: int = 0) -> str:
    """What the interpreter prints for these lines, with random numbers from a seed."""
    ad.manual_seed(seed)
    out, scope = io.StringIO(), {"ad": ad, "np": np}
    with contextlib.redirect_stdout(out):
        for line in lines:
            exec(compile(line[4:], "<example>", "single"), scope)
    return out.getvalue()


def run_example(example: str) -> Any:
    """The value of the last expression of an example."""
    scope: dict[str, Any] = {"ad": ad, "np": np}
    value = None
    for one in doctest.DocTestParser().get_examples(inspect.cleandoc(example)):
        try:
            value = eval(one.source, scope)
        except SyntaxError:
            exec(one.source, scope)
        except Exception:
            if not one.exc_msg:
                raise
    return value


def rename_example(example: str, name: str, variant: str) -> str | None:
    """An example of a function as one of a variant of it (``name_``, ``name_copy``), if that runs."""
    lines = [f">>> {one.source.rstrip()}" for one in doctest.DocTestParser().get_examples(example)]
    changed = [f">>> {_rename_call(line[4:], name, variant)}" for line in lines]
    if changed == lines or "..." in example:
        return None
    try:
        return _with_output(changed[:-1], changed[-1])
    except Exception:
        return None


def _rename_call(source: str, name: str, variant: str) -> str:
    """The same call of the variant: as a method if it is one, otherwise as a function."""

    class Rename(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.AST:
            self.generic_visit(node)
            if isinstance(node.func, ast.Attribute) and node.func.attr == name:
                package = ast.Name("ad")
                of_package = isinstance(node.func.value, ast.Name) and node.func.value.id == "ad"
                if hasattr(ad.Tensor, variant) and of_package and node.args:
                    node.func.value = node.args.pop(0)
                elif not hasattr(ad.Tensor, variant) and not of_package:
                    node.args.insert(0, node.func.value)
                    node.func.value = package
                node.func.attr = variant
            return node

    return ast.unparse(Rename().visit(ast.parse(source))).replace("'", '"')
