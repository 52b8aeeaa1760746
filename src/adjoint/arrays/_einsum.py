"""Einsum for any namespace, by permutations, elementwise products and matrix products."""

from __future__ import annotations

import math
import string
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from typing import Any, NamedTuple

from adjoint.arrays.namespace import Array


class ParsedEinsum(NamedTuple):
    """Parsed einsum subscripts: every index is a letter, those of an ellipsis included.

    Attributes:
        subscripts: the whole expression.
        inputs: the letters of each operand.
        output: the letters of the result.
        shapes: the shape of each operand.
        sizes: the length of each letter, as pairs.
    """

    subscripts: str
    inputs: tuple[str, ...]
    output: str
    shapes: tuple[tuple[int, ...], ...]
    sizes: tuple[tuple[str, int], ...]

    @property
    def cost(self) -> int:
        """The number of multiplications of a single loop over all indices."""
        return math.prod(n for _, n in self.sizes)

    @property
    def has_matrix_product(self) -> bool:
        """Whether a matrix product pays: the first and last operands share a summed letter, and one has others."""
        a, b = set(self.inputs[0]), set(self.inputs[-1])
        kept = set(self.output)
        return bool((a & b) - kept and (a ^ b) & kept)


@lru_cache(maxsize=1024)
def parse_einsum(subscripts: str, *shapes: tuple[int, ...]) -> ParsedEinsum:
    """Parse `subscripts` for operands of these shapes."""
    left, arrow, output = subscripts.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(shapes):
        raise ValueError(f"einsum: {subscripts!r} has {len(terms)} terms for {len(shapes)} operands.")
    spare = "".join(c for c in string.ascii_letters if c not in subscripts)
    hidden = [len(shape) - len(term.replace("...", "")) for term, shape in zip(terms, shapes, strict=True)]
    width = max((n for n, term in zip(hidden, terms, strict=True) if "..." in term), default=0)
    dots = spare[:width]
    inputs = tuple(
        _expand_ellipsis(subscripts, term, n, dots, shape) for term, n, shape in zip(terms, hidden, shapes, strict=True)
    )
    if arrow:
        output = output.replace("...", dots)
    else:
        counts = "".join(inputs)
        output = dots + "".join(sorted(c for c in set(counts) if counts.count(c) == 1 and c not in dots))
    sizes = _index_lengths(subscripts, inputs, shapes)
    _check_output(subscripts, output, sizes)
    return ParsedEinsum(f"{','.join(inputs)}->{output}", inputs, output, shapes, tuple(sizes.items()))


def _expand_ellipsis(subscripts: str, term: str, hidden: int, dots: str, shape: tuple[int, ...]) -> str:
    """Replace the ellipsis of a term by letters."""
    if hidden < 0 or (hidden and "..." not in term):
        raise ValueError(f"einsum: the term {term!r} of {subscripts!r} does not fit an operand of shape {shape}.")
    letters = term.replace("...", dots[len(dots) - hidden :]) if "..." in term else term
    if not all(c in string.ascii_letters for c in letters):
        raise ValueError(f"einsum: {subscripts!r} contains characters that are not letters.")
    return letters


def _index_lengths(subscripts: str, inputs: tuple[str, ...], shapes: tuple[tuple[int, ...], ...]) -> dict[str, int]:
    """Return the length of every index; a length of one broadcasts."""
    sizes: dict[str, int] = {}
    for letters, shape in zip(inputs, shapes, strict=True):
        for letter, n in zip(letters, shape, strict=True):
            known = sizes.setdefault(letter, n)
            if known == 1:
                sizes[letter] = n
            elif n not in (1, known):
                raise ValueError(
                    f"einsum: index {letter!r} of {subscripts!r} has length {known} in one operand and {n} in another."
                )
    return sizes


def _check_output(subscripts: str, output: str, sizes: dict[str, int]) -> None:
    if len(set(output)) != len(output) or not set(output) <= set(sizes):
        raise ValueError(
            f"einsum: every index of the result of {subscripts!r} must occur in an operand, and once in the result."
        )


# ---- evaluation steps: computed from letters and shapes alone, and cached ---------------------------------------


class _Term(NamedTuple):
    """The letters and lengths of an array's axes."""

    letters: str
    shape: tuple[int, ...]


class _Preparation(NamedTuple):
    """Preparation of one operand, in this order; None or empty where not needed.

    Attributes:
        diagonals: orders of axes that move two axes of a repeated letter to the end, to take their diagonal.
        summed: axes to sum over.
        broadcast: the shape to broadcast to.
        order: the permutation of the axes.
        shape: the final shape.
    """

    diagonals: tuple[tuple[int, ...], ...] = ()
    summed: tuple[int, ...] = ()
    broadcast: tuple[int, ...] | None = None
    order: tuple[int, ...] | None = None
    shape: tuple[int, ...] | None = None


class _Step(NamedTuple):
    """One step: operands (positions in the list) are prepared and multiplied; the result is appended to the list.

    Attributes:
        matrix: whether it is a matrix product or an elementwise one.
        shape: the shape of the result.
    """

    operands: tuple[int, ...]
    prepare: tuple[_Preparation, ...]
    matrix: bool = False
    shape: tuple[int, ...] | None = None


def contract(xp: Any, parsed: ParsedEinsum, operands: tuple[Array, ...]) -> Array:
    """Evaluate an einsum, two operands at a time."""
    steps, final = _compile_steps(parsed)
    arrays = list(operands)
    for positions, prepare, matrix, shape in steps:
        chosen = [arrays[i] for i in positions]
        for i in sorted(positions, reverse=True):
            del arrays[i]
        ready = [_prepare(xp, array, how) for array, how in zip(chosen, prepare)]
        out = ready[0] if len(ready) == 1 else xp.matmul(*ready) if matrix else xp.multiply(*ready)
        arrays.append(out if shape is None else xp.reshape(out, shape))
    return _prepare(xp, arrays[0], final)


def _prepare(xp: Any, array: Array, how: _Preparation) -> Array:
    diagonals, summed, broadcast, order, shape = how
    for axes in diagonals:
        array = xp.linalg.diagonal(xp.permute_dims(array, axes))
    if summed:
        array = xp.sum(array, axis=summed, dtype=array.dtype)
    if broadcast is not None:
        array = xp.broadcast_to(array, broadcast)
    if order is not None:
        array = xp.permute_dims(array, order)
    return array if shape is None else xp.reshape(array, shape)


@lru_cache(maxsize=1024)
def _compile_steps(parsed: ParsedEinsum) -> tuple[tuple[_Step, ...], _Preparation]:
    """Compute the steps of the evaluation, and the preparation of the final result."""
    waiting = [_Term(letters, shape) for letters, shape in zip(parsed.inputs, parsed.shapes)]
    steps: list[_Step] = []
    for positions in _contraction_order(parsed):
        chosen = [waiting[i] for i in positions]
        waiting = [term for i, term in enumerate(waiting) if i not in positions]
        keep = set(parsed.output).union(*[term.letters for term in waiting])
        step, result = _plan_step(positions, chosen, keep)
        steps.append(step)
        waiting.append(result)
    return tuple(steps), _plan_output(waiting[0], parsed)


def _contraction_order(parsed: ParsedEinsum) -> list[tuple[int, ...]]:
    """Return the contraction path: the operands to combine in each step."""
    if len(parsed.inputs) <= 2:
        return [tuple(range(len(parsed.inputs)))]
    sizes = dict(parsed.sizes)
    shapes = [tuple(sizes[letter] for letter in letters) for letters in parsed.inputs]
    path, _ = import_module("opt_einsum").contract_path(parsed.subscripts, *shapes, shapes=True)
    return list(_split_into_pairs(path, len(parsed.inputs)))


def _split_into_pairs(path: Any, count: int) -> Iterator[tuple[int, ...]]:
    """Split the steps of a path so that each has at most two operands."""
    for step in path:
        remaining = sorted(step)
        while len(remaining) > 2:
            yield remaining.pop(), remaining.pop()
            count -= 1
            remaining.append(count - 1)
        yield tuple(remaining)
        count -= len(remaining) - 1


def _plan_step(positions: tuple[int, ...], chosen: list[_Term], keep: set[str]) -> tuple[_Step, _Term]:
    """Plan the combination of one or two operands; the letters in `keep` are needed later."""
    if len(chosen) == 1:
        how, term = _plan_reduction(chosen[0], keep)
        return _Step(positions, (how,)), term
    a_how, a = _plan_reduction(chosen[0], keep | set(chosen[1].letters))
    b_how, b = _plan_reduction(chosen[1], keep | set(chosen[0].letters))
    shared = [letter for letter in a.letters if letter in b.letters]
    if all(letter in keep for letter in shared):
        return _plan_elementwise(positions, (a_how, a), (b_how, b))
    return _plan_matmul(positions, (a_how, a), (b_how, b), shared, keep)


def _plan_reduction(term: _Term, keep: set[str]) -> tuple[_Preparation, _Term]:
    """Plan diagonals for repeated letters, and sums over letters that are not needed."""
    letters, lengths = term.letters, dict(zip(term.letters, term.shape))
    diagonals: list[tuple[int, ...]] = []
    for letter in term.letters:
        if letters.count(letter) > 1:
            first, second = letters.index(letter), letters.index(letter, letters.index(letter) + 1)
            others = [i for i in range(len(letters)) if i not in (first, second)]
            diagonals.append((*others, first, second))
            letters = "".join(letters[i] for i in others) + letter
    summed = tuple(i for i, letter in enumerate(letters) if letter not in keep)
    left = "".join(letter for letter in letters if letter in keep)
    return _Preparation(tuple(diagonals), summed), _Term(left, tuple(lengths[letter] for letter in left))


def _plan_elementwise(
    positions: tuple[int, ...], a: tuple[_Preparation, _Term], b: tuple[_Preparation, _Term]
) -> tuple[_Step, _Term]:
    """Plan an elementwise product with broadcasting: there is nothing to sum over."""
    letters = "".join(dict.fromkeys(a[1].letters + b[1].letters))
    prepare = tuple(_align_axes(how, term, letters) for how, term in (a, b))
    shapes = [how.shape or () for how in prepare]
    lengths = tuple(_broadcast_length(n, m) for n, m in zip(*shapes))
    return _Step(positions, prepare), _Term(letters, lengths)


def _align_axes(how: _Preparation, term: _Term, wanted: str) -> _Preparation:
    """Order the axes like `wanted`, with length one for missing ones."""
    order = tuple(term.letters.index(letter) for letter in wanted if letter in term.letters)
    lengths = dict(zip(term.letters, term.shape))
    return how._replace(order=_none_if_identity(order), shape=tuple(lengths.get(letter, 1) for letter in wanted))


def _plan_matmul(
    positions: tuple[int, ...],
    a: tuple[_Preparation, _Term],
    b: tuple[_Preparation, _Term],
    shared: list[str],
    keep: set[str],
) -> tuple[_Step, _Term]:
    """Plan a batched matrix product of axes (batch, rows, summed) and (batch, summed, columns)."""
    batch = [letter for letter in shared if letter in keep]
    inner = [letter for letter in shared if letter not in keep]
    rows = [letter for letter in a[1].letters if letter not in shared]
    columns = [letter for letter in b[1].letters if letter not in shared]
    lengths = dict(zip(a[1].letters, a[1].shape))
    for letter, n in zip(*b[1]):
        lengths[letter] = _broadcast_length(lengths.get(letter, 1), n)
    full = {letter: lengths[letter] for letter in inner}
    left, right = _plan_matrix(*a, batch, rows, inner, full), _plan_matrix(*b, batch, inner, columns, full)
    result = _Term("".join(batch + rows + columns), tuple(lengths[letter] for letter in batch + rows + columns))
    return _Step(positions, (left, right), True, result.shape), result


def _plan_matrix(
    how: _Preparation, term: _Term, batch: list[str], first: list[str], second: list[str], full: dict[str, int]
) -> _Preparation:
    """Plan a matrix: batch axes, `first` merged into one axis, `second` into one; broadcast to `full` lengths."""
    lengths = {letter: full.get(letter, n) for letter, n in zip(term.letters, term.shape)}
    order = tuple(term.letters.index(letter) for letter in (*batch, *first, *second))
    groups = [[letter] for letter in batch] + [first, second]
    grown = tuple(lengths.values())
    return how._replace(
        broadcast=None if grown == term.shape else grown,
        order=_none_if_identity(order),
        shape=None
        if all(len(group) == 1 for group in groups)
        else tuple(math.prod(lengths[letter] for letter in group) for group in groups),
    )


def _plan_output(term: _Term, parsed: ParsedEinsum) -> _Preparation:
    """Plan the order of the result's axes, and their broadcast to full length."""
    sizes = dict(parsed.sizes)
    grown = tuple(sizes[letter] for letter in term.letters)
    order = tuple(term.letters.index(letter) for letter in parsed.output)
    return _Preparation((), (), None if grown == term.shape else grown, _none_if_identity(order))


def _none_if_identity(order: tuple[int, ...]) -> tuple[int, ...] | None:
    return None if order == tuple(range(len(order))) else order


def _broadcast_length(n: int, m: int) -> int:
    """Return the length after broadcasting; one broadcasts to any other, zero included."""
    return m if n == 1 else n
