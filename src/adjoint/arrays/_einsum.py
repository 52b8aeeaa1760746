"""Einstein sums out of permutations, products and matrix multiplications, for any namespace."""

from __future__ import annotations

import math
import string
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from typing import Any, NamedTuple

from adjoint.arrays.namespace import Array


class Plan(NamedTuple):
    """A parsed sum: every index written out as a letter, those of an ellipsis included.

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
        """The number of multiplications if the sum is taken as it stands."""
        return math.prod(n for _, n in self.sizes)

    @property
    def has_matrix_product(self) -> bool:
        """Whether the first and last operands share a letter that is summed over, and one of them has rows or
        columns of its own: then a matrix product pays."""
        a, b = set(self.inputs[0]), set(self.inputs[-1])
        kept = set(self.output)
        return bool((a & b) - kept and (a ^ b) & kept)


@lru_cache(maxsize=1024)
def plan(subscripts: str, *shapes: tuple[int, ...]) -> Plan:
    """Read `subscripts` for operands of these shapes."""
    left, arrow, output = subscripts.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(shapes):
        raise ValueError(f"einsum: {subscripts!r} has {len(terms)} terms for {len(shapes)} operands.")
    spare = "".join(c for c in string.ascii_letters if c not in subscripts)
    hidden = [len(shape) - len(term.replace("...", "")) for term, shape in zip(terms, shapes, strict=True)]
    width = max((n for n, term in zip(hidden, terms, strict=True) if "..." in term), default=0)
    dots = spare[:width]
    inputs = tuple(
        _written_out(subscripts, term, n, dots, shape) for term, n, shape in zip(terms, hidden, shapes, strict=True)
    )
    if arrow:
        output = output.replace("...", dots)
    else:
        counts = "".join(inputs)
        output = dots + "".join(sorted(c for c in set(counts) if counts.count(c) == 1 and c not in dots))
    sizes = _sizes(subscripts, inputs, shapes)
    _check_output(subscripts, output, sizes)
    return Plan(f"{','.join(inputs)}->{output}", inputs, output, shapes, tuple(sizes.items()))


def _written_out(subscripts: str, term: str, hidden: int, dots: str, shape: tuple[int, ...]) -> str:
    """A term with letters in place of its ellipsis."""
    if hidden < 0 or (hidden and "..." not in term):
        raise ValueError(f"einsum: the term {term!r} of {subscripts!r} does not fit an operand of shape {shape}.")
    letters = term.replace("...", dots[len(dots) - hidden :]) if "..." in term else term
    if not all(c in string.ascii_letters for c in letters):
        raise ValueError(f"einsum: {subscripts!r} contains characters that are not letters.")
    return letters


def _sizes(subscripts: str, inputs: tuple[str, ...], shapes: tuple[tuple[int, ...], ...]) -> dict[str, int]:
    """The length of every index; a length of one broadcasts."""
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


# ---- the program: everything that follows from letters and shapes alone, worked out once -----------------------


class _Term(NamedTuple):
    """The letters of an array's axes, and their lengths."""

    letters: str
    shape: tuple[int, ...]


class _Prepare(NamedTuple):
    """What is done to one array: in this order, and None or nothing where it is not needed.

    Attributes:
        diagonals: axes to bring to the end so that the last two become one; repeated letters are taken this way.
        summed: axes to sum over.
        broadcast: the shape to broadcast to.
        order: the order to bring the axes to.
        shape: the shape to give it.
    """

    diagonals: tuple[tuple[int, ...], ...] = ()
    summed: tuple[int, ...] = ()
    broadcast: tuple[int, ...] | None = None
    order: tuple[int, ...] | None = None
    shape: tuple[int, ...] | None = None


class _Step(NamedTuple):
    """Operands, by position in the list, that are prepared and multiplied. The result goes to the list's end.

    Attributes:
        matrix: as matrices, or element by element.
        shape: the shape to give the result.
    """

    operands: tuple[int, ...]
    prepare: tuple[_Prepare, ...]
    matrix: bool = False
    shape: tuple[int, ...] | None = None


def contract(xp: Any, plan: Plan, operands: tuple[Array, ...]) -> Array:
    """Evaluate a plan, two operands at a time."""
    steps, final = _program(plan)
    arrays = list(operands)
    for positions, prepare, matrix, shape in steps:
        chosen = [arrays[i] for i in positions]
        for i in sorted(positions, reverse=True):
            del arrays[i]
        ready = [_prepared(xp, array, how) for array, how in zip(chosen, prepare)]
        out = ready[0] if len(ready) == 1 else xp.matmul(*ready) if matrix else xp.multiply(*ready)
        arrays.append(out if shape is None else xp.reshape(out, shape))
    return _prepared(xp, arrays[0], final)


def _prepared(xp: Any, array: Array, how: _Prepare) -> Array:
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
def _program(plan: Plan) -> tuple[tuple[_Step, ...], _Prepare]:
    """The steps of an evaluation, and what remains to be done to their result."""
    waiting = [_Term(letters, shape) for letters, shape in zip(plan.inputs, plan.shapes)]
    steps: list[_Step] = []
    for positions in _order(plan):
        chosen = [waiting[i] for i in positions]
        waiting = [term for i, term in enumerate(waiting) if i not in positions]
        keep = set(plan.output).union(*[term.letters for term in waiting])
        step, result = _one_step(positions, chosen, keep)
        steps.append(step)
        waiting.append(result)
    return tuple(steps), _arrangement(waiting[0], plan)


def _order(plan: Plan) -> list[tuple[int, ...]]:
    """Which operands to combine, step by step."""
    if len(plan.inputs) <= 2:
        return [tuple(range(len(plan.inputs)))]
    sizes = dict(plan.sizes)
    shapes = [tuple(sizes[letter] for letter in letters) for letters in plan.inputs]
    path, _ = import_module("opt_einsum").contract_path(plan.subscripts, *shapes, shapes=True)
    return list(_in_pairs(path, len(plan.inputs)))


def _in_pairs(path: Any, count: int) -> Iterator[tuple[int, ...]]:
    """The steps of a path with no more than two operands in each."""
    for step in path:
        remaining = sorted(step)
        while len(remaining) > 2:
            yield remaining.pop(), remaining.pop()
            count -= 1
            remaining.append(count - 1)
        yield tuple(remaining)
        count -= len(remaining) - 1


def _one_step(positions: tuple[int, ...], chosen: list[_Term], keep: set[str]) -> tuple[_Step, _Term]:
    """How to combine one or two operands while the letters in `keep` are still needed."""
    if len(chosen) == 1:
        how, term = _reduction(chosen[0], keep)
        return _Step(positions, (how,)), term
    a_how, a = _reduction(chosen[0], keep | set(chosen[1].letters))
    b_how, b = _reduction(chosen[1], keep | set(chosen[0].letters))
    shared = [letter for letter in a.letters if letter in b.letters]
    if all(letter in keep for letter in shared):
        return _elementwise(positions, (a_how, a), (b_how, b))
    return _matrix_product(positions, (a_how, a), (b_how, b), shared, keep)


def _reduction(term: _Term, keep: set[str]) -> tuple[_Prepare, _Term]:
    """Diagonals for repeated letters, and sums over the letters that nobody needs."""
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
    return _Prepare(tuple(diagonals), summed), _Term(left, tuple(lengths[letter] for letter in left))


def _elementwise(
    positions: tuple[int, ...], a: tuple[_Prepare, _Term], b: tuple[_Prepare, _Term]
) -> tuple[_Step, _Term]:
    """Nothing to sum over: a product with broadcasting."""
    letters = "".join(dict.fromkeys(a[1].letters + b[1].letters))
    prepare = tuple(_aligned(how, term, letters) for how, term in (a, b))
    shapes = [how.shape or () for how in prepare]
    lengths = tuple(_longer(n, m) for n, m in zip(*shapes))
    return _Step(positions, prepare), _Term(letters, lengths)


def _aligned(how: _Prepare, term: _Term, wanted: str) -> _Prepare:
    """The axes in the order of `wanted`, with length one for those that the array does not have."""
    order = tuple(term.letters.index(letter) for letter in wanted if letter in term.letters)
    lengths = dict(zip(term.letters, term.shape))
    return how._replace(order=_unless_trivial(order), shape=tuple(lengths.get(letter, 1) for letter in wanted))


def _matrix_product(
    positions: tuple[int, ...],
    a: tuple[_Prepare, _Term],
    b: tuple[_Prepare, _Term],
    shared: list[str],
    keep: set[str],
) -> tuple[_Step, _Term]:
    """A batched matrix product: axes are (kept by both, rows, summed) and (kept by both, summed, columns)."""
    batch = [letter for letter in shared if letter in keep]
    inner = [letter for letter in shared if letter not in keep]
    rows = [letter for letter in a[1].letters if letter not in shared]
    columns = [letter for letter in b[1].letters if letter not in shared]
    lengths = dict(zip(a[1].letters, a[1].shape))
    for letter, n in zip(*b[1]):
        lengths[letter] = _longer(lengths.get(letter, 1), n)
    full = {letter: lengths[letter] for letter in inner}
    left, right = _as_matrix(*a, batch, rows, inner, full), _as_matrix(*b, batch, inner, columns, full)
    result = _Term("".join(batch + rows + columns), tuple(lengths[letter] for letter in batch + rows + columns))
    return _Step(positions, (left, right), True, result.shape), result


def _as_matrix(
    how: _Prepare, term: _Term, batch: list[str], first: list[str], second: list[str], full: dict[str, int]
) -> _Prepare:
    """Batch axes, then all of `first` as one axis and all of `second` as one; `full` lengths are broadcast to."""
    lengths = {letter: full.get(letter, n) for letter, n in zip(term.letters, term.shape)}
    order = tuple(term.letters.index(letter) for letter in (*batch, *first, *second))
    groups = [[letter] for letter in batch] + [first, second]
    grown = tuple(lengths.values())
    return how._replace(
        broadcast=None if grown == term.shape else grown,
        order=_unless_trivial(order),
        shape=None
        if all(len(group) == 1 for group in groups)
        else tuple(math.prod(lengths[letter] for letter in group) for group in groups),
    )


def _arrangement(term: _Term, plan: Plan) -> _Prepare:
    """The axes of the result in the order asked for, at their full lengths."""
    sizes = dict(plan.sizes)
    grown = tuple(sizes[letter] for letter in term.letters)
    order = tuple(term.letters.index(letter) for letter in plan.output)
    return _Prepare((), (), None if grown == term.shape else grown, _unless_trivial(order))


def _unless_trivial(order: tuple[int, ...]) -> tuple[int, ...] | None:
    return None if order == tuple(range(len(order))) else order


def _longer(n: int, m: int) -> int:
    """The length after broadcasting; a length of one gives way to any other, zero included."""
    return m if n == 1 else n
