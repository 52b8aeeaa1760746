"""Tensor contraction: einsum, tensordot, multi_dot; inner, outer and cross products."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from adjoint import _dtypes
from adjoint._core.warn import warn
from adjoint._dispatch.declare import Array, Arrays, composite, describe, general, linear, multilinear
from adjoint._dispatch.dispatch import dispatch
from adjoint._dispatch.errors import OperatorError
from adjoint._dispatch.formulas import conj
from adjoint._dispatch.override import find_interceptors, intercept
from adjoint._dispatch.table import table
from adjoint._ops.linalg._matrices import check_dims
from adjoint._ops.linalg.products import matmul
from adjoint.arrays._einsum import parse_einsum

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"  # importing `string` compiles a pattern

# ---- Einstein's convention -------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _transpose_equation(
    equation: str, shapes: tuple[tuple[int, ...], ...], index: int
) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """The einsum that gives the gradient of one operand from that of the result and the other operands.

    Returns:
        The equation, for the operands (gradient, the others, vectors of ones, identity matrices); how long the
        vectors of ones are, one for each index that only this operand has; how large the identities are, one for
        each repetition of an index in this operand.
    """
    parsed = parse_einsum(equation, *shapes)
    own = parsed.inputs[index]
    lengths = dict(zip(own, shapes[index]))
    elsewhere = _lengths(parsed, index)
    others = [letters for place, letters in enumerate(parsed.inputs) if place != index]
    spare = [letter for letter in _LETTERS if letter not in parsed.subscripts]
    target, ones, eyes = "", "", []
    for letter in own:
        if letter in target:
            eyes.append(letter + spare.pop())
            target += eyes[-1][1]
            continue
        target += letter
        if lengths[letter] not in elsewhere.get(letter, ()):  # absent, or of length one and broadcast
            ones += letter
    terms = [parsed.output, *others, *ones, *eyes]
    return f"{','.join(terms)}->{target}", tuple(lengths[i] for i in ones), tuple(lengths[pair[0]] for pair in eyes)


def _lengths(parsed: Any, index: int) -> dict[str, set[int]]:
    """Which lengths each index has outside of one operand."""
    sizes = dict(parsed.sizes)
    found = {letter: {sizes[letter]} for letter in parsed.output}
    for place, (letters, shape) in enumerate(zip(parsed.inputs, parsed.shapes)):
        for letter, length in zip(letters, shape):
            if place != index:
                found.setdefault(letter, set()).add(length)
    return found


def _einsum_transpose(xp: Any, g: Array, equation: str, operands: list[Any], index: int) -> Array:
    """Gradient of one operand, of which only the shape is needed."""
    shapes = tuple([tuple(x.shape) for x in operands])
    transposed, ones, eyes = _transpose_equation(equation, shapes, index)
    others = [conj(xp, x) for place, x in enumerate(operands) if place != index]
    dtype = xp.dtype_of(g)
    extras = [xp.ones((n,), dtype=dtype) for n in ones] + [xp.eye(n, dtype=dtype) for n in eyes]
    return _contract(xp, transposed, g, *others, *extras)


def _einsum_vjp(xp: Any, g: Array, operands: Any, equation: str) -> list[Array]:
    return [_einsum_transpose(xp, g, equation, operands, index) for index in range(len(operands))]


def _einsum_jvp(xp: Any, t: Any, operands: Any, equation: str) -> Array:
    total = None
    for index, tangent in enumerate(t):
        if tangent is not None:
            part = _contract(xp, equation, *operands[:index], tangent, *operands[index + 1 :])
            total = part if total is None else total + part
    return total


def _contract(xp: Any, equation: str, *operands: Any) -> Any:
    """einsum; of bfloat16 in single precision, because NumPy's einsum lacks bfloat16."""
    kind = operands[0].dtype
    if xp.dtype_of(operands[0]) is not _dtypes.bfloat16:
        return xp.einsum(equation, *operands)
    single = xp.native_dtype("float32")
    return xp.astype(xp.einsum(equation, *[xp.astype(one, single) for one in operands]), kind)


@general(name="einsum", vjp={"operands": _einsum_vjp}, jvp={"operands": _einsum_jvp}, promotes="same", method=False)
def _einsum(xp, operands: Arrays, equation):
    """Sums of products in Einstein notation.

    ``einsum(equation, *operands)``: the equation names the dimensions of each operand by letters, ``...`` standing
    for any number of them, and those of the result after ``->``. Without that the result has, in alphabetical order,
    the letters that occur once. ``einsum(a, [0, 1], b, [1, 2], [0, 2])`` names them by numbers.

    Example:
        >>> a = ad.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> ad.einsum("ii", a)
        tensor(5.)
        >>> ad.einsum("ij,kj->ik", a, a)
        tensor([[ 5., 11.],
                [11., 25.]])
    """
    return _contract(xp, equation, *operands)


@linear(
    lambda xp, g, input_spec, equation: _einsum_transpose(xp, g, equation, [input_spec], 0),
    name="_einsum_of_one",
    node_name="EinsumBackward0",
    method=False,
)
def _einsum_of_one(xp, input, equation):
    """`einsum` of one operand, which need not be saved."""
    return _contract(xp, equation, input)


@multilinear(
    input=lambda xp, g, input_spec, other, equation: _einsum_transpose(xp, g, equation, [input_spec, other], 0),
    other=lambda xp, g, input, other_spec, equation: _einsum_transpose(xp, g, equation, [input, other_spec], 1),
    name="_einsum_of_two",
    node_name="EinsumBackward0",
    method=False,
)
def _einsum_of_two(xp, input, other, equation):
    """`einsum` of two operands; each is saved only if the other requires grad."""
    return _contract(xp, equation, input, other)


def einsum(*args: Any, **kwargs: Any) -> Any:
    interceptors = find_interceptors(args, kwargs)
    if interceptors:
        return intercept(einsum, interceptors, args, kwargs)
    if not args:
        raise TypeError("einsum() needs an equation and operands")
    if isinstance(args[0], str):
        equation, operands = args[0], list(args[1:])
        if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
            operands = list(operands[0])
    else:
        equation, operands = _from_sublists(args)
    if not operands:
        raise OperatorError("einsum() needs at least one operand")
    if len(operands) < 3:
        return dispatch(table[("_einsum_of_one", "_einsum_of_two")[len(operands) - 1]], (*operands, equation), kwargs)
    return dispatch(table["einsum"], (operands, equation), kwargs)


def _from_sublists(args: tuple[Any, ...]) -> tuple[str, list[Any]]:
    """The equation and operands of ``einsum(a, [0, 1], b, [1, 2], [0, 2])``."""
    operands = list(args[: len(args) // 2 * 2 : 2])
    terms = [_letters(sublist) for sublist in args[1::2]]
    equation = ",".join(terms)
    return (f"{equation}->{_letters(args[-1])}" if len(args) % 2 else equation), operands


def _letters(sublist: Any) -> str:
    names = _LETTERS[26:] + _LETTERS[:26]
    for number in sublist:
        if number is not Ellipsis and not 0 <= number < len(names):
            raise OperatorError(f"einsum() numbers dimensions from 0 to {len(names) - 1}; got {number}")
    return "".join("..." if number is Ellipsis else names[number] for number in sublist)


# The public function of the operator, which takes an equation before its operands, or numbers beside each of them.
table["einsum"].function = describe(einsum, table["einsum"], "einsum")


@composite(method=False)
def tensordot(a, b, dims=2):
    """Tensor contraction: sum of products over dimensions of two tensors.

    Args:
        dims: the number of dimensions to contract (last of `a`, first of `b`), or two lists of dimensions.
    """
    left, right = _pair_dims(dims, a.ndim, b.ndim)
    names = iter(_LETTERS)
    of_a = [next(names) for _ in range(a.ndim)]
    of_b = [next(names) for _ in range(b.ndim)]
    for i, j in zip(left, right):
        of_b[j] = of_a[i]
    kept = [n for i, n in enumerate(of_a) if i not in left] + [n for j, n in enumerate(of_b) if j not in right]
    return einsum(f"{''.join(of_a)},{''.join(of_b)}->{''.join(kept)}", a, b)


def _pair_dims(dims: Any, rank_a: int, rank_b: int) -> tuple[list[int], list[int]]:
    """The dimensions to sum over, counted from the front."""
    if isinstance(dims, int):
        if not 0 <= dims <= min(rank_a, rank_b):
            raise OperatorError(f"tensordot cannot sum over {dims} dimensions of tensors of rank {rank_a} and {rank_b}")
        return list(range(rank_a - dims, rank_a)), list(range(dims))
    pairs = [[int(d) for d in (part if hasattr(part, "__iter__") else [part])] for part in dims]
    if len(pairs) != 2 or len(pairs[0]) != len(pairs[1]):
        raise OperatorError(f"tensordot needs two lists of equally many dimensions; got {dims}")
    for part, rank in zip(pairs, (rank_a, rank_b)):
        for d in part:
            if not -rank <= d < rank:
                raise IndexError(f"tensordot: there is no dimension {d} in a tensor of rank {rank}")
    return [d % rank_a for d in pairs[0]], [d % rank_b for d in pairs[1]]


# ---- inner products --------------------------------------------------------------------------------------------------


@composite
def inner(input, other):
    """Inner product over the last dimension of two tensors.

    Example:
        >>> ad.inner(ad.tensor([1.0, 2.0]), ad.tensor([3.0, 4.0]))
        tensor(11.)
    """
    if input.ndim == 0 or other.ndim == 0:
        return input * other
    if input.ndim == 1 and other.ndim == 1:
        return matmul(input, other)
    return tensordot(input, other, ([-1], [-1]))


@composite(method=False)
def linalg_vecdot(x, y, *, dim=-1):
    """Vector dot products along a dimension; the first operand is conjugated.

    Args:
        dim: the dimension of the vectors, after broadcasting.

    Example:
        >>> ad.linalg.vecdot(ad.tensor([[1.0, 2.0], [3.0, 4.0]]), ad.tensor([1.0, 1.0]))
        tensor([3., 7.])
    """
    return (x.conj() * y).sum(dim)


@composite(method=False)
def bilinear(input1, input2, weight, bias=None):
    """Bilinear layer: ``input1 @ weight[k] @ input2 + bias[k]`` for each output k.

    Args:
        input1, input2: shapes (..., m) and (..., n).
        weight: shape (outputs, m, n).
        bias: shape (outputs,).

    Example:
        >>> ad.bilinear(ad.ones(5, 2), ad.ones(5, 3), ad.ones(4, 2, 3)).shape
        adjoint.Size([5, 4])
    """
    check_dims("bilinear", weight=(weight, 3))
    out = einsum("...m,kmn,...n->...k", input1, weight, input2)
    return out if bias is None else out + bias


# ---- chains ----------------------------------------------------------------------------------------------------------


@composite(method=False)
def linalg_multi_dot(tensors):
    """Matrix product of several matrices, in the order that needs the fewest multiplications.

    Args:
        tensors: the matrices; the first and the last may be vectors.

    Example:
        >>> ad.linalg.multi_dot([ad.ones(2, 3), ad.ones(3, 4), ad.ones(4)])
        tensor([12., 12.])
    """
    tensors = list(tensors)
    if len(tensors) < 2:
        raise OperatorError(f"multi_dot needs at least two tensors; got {len(tensors)}")
    for place, x in enumerate(tensors):
        if x.ndim != 2 and not (x.ndim == 1 and place in (0, len(tensors) - 1)):
            raise OperatorError(f"multi_dot multiplies matrices; operand {place} has shape {tuple(x.shape)}")
    lengths = [1 if tensors[0].ndim == 1 else tensors[0].shape[0]]
    lengths += [x.shape[0 if x.ndim == 1 and place else -1] for place, x in enumerate(tensors)]
    if tensors[-1].ndim == 1:
        lengths[-1] = 1
    return _chain(tensors, _best_splits(lengths), 0, len(tensors) - 1)


def _best_splits(lengths: list[int]) -> dict[tuple[int, int], int]:
    """Where to split each part of a chain of matrices; matrix i has lengths[i] rows and lengths[i + 1] columns."""
    count = len(lengths) - 1
    cost = {(i, i): 0 for i in range(count)}
    splits: dict[tuple[int, int], int] = {}
    for width in range(1, count):
        for i in range(count - width):
            j = i + width
            prices = {
                k: cost[i, k] + cost[k + 1, j] + lengths[i] * lengths[k + 1] * lengths[j + 1] for k in range(i, j)
            }
            splits[i, j] = min(prices, key=lambda k: prices[k])
            cost[i, j] = prices[splits[i, j]]
    return splits


def _chain(tensors: list[Any], splits: dict[tuple[int, int], int], i: int, j: int) -> Any:
    if i == j:
        return tensors[i]
    k = splits[i, j]
    return matmul(_chain(tensors, splits, i, k), _chain(tensors, splits, k + 1, j))


@composite(method=False)
def chain_matmul(*matrices):
    """Matrix product of several matrices; older name of `linalg.multi_dot`.

    Example:
        >>> ad.chain_matmul(ad.ones(2, 3), ad.ones(3, 4), ad.ones(4, 1))
        tensor([[12.],
                [12.]])
    """
    if len(matrices) == 1:
        return matrices[0]
    return linalg_multi_dot(matrices)


# ---- outer and cross products ----------------------------------------------------------------------------------------


@composite
def outer(input, vec2):
    """Outer product of two vectors.

    Example:
        >>> ad.outer(ad.tensor([1.0, 2.0]), ad.tensor([3.0, 4.0]))
        tensor([[3., 4.],
                [6., 8.]])
    """
    check_dims("outer", input=(input, 1), vec2=(vec2, 1))
    return input.reshape((-1, 1)) * vec2


@composite
def ger(input, vec2):
    """Outer product of two vectors; alias of `outer`."""
    return outer(input, vec2)


@multilinear(
    input=lambda xp, g, other, dim: _cross(xp, conj(xp, other), g, dim),
    other=lambda xp, g, input, dim: _cross(xp, g, conj(xp, input), dim),
    method=False,
)
def linalg_cross(xp, input, other, *, dim=-1):
    """Cross product of three-dimensional vectors along a dimension.

    Args:
        dim: the dimension of the vectors, of length 3.

    Example:
        >>> ad.linalg.cross(ad.tensor([1.0, 0.0, 0.0]), ad.tensor([0.0, 1.0, 0.0]))
        tensor([0., 0., 1.])
    """
    if input.ndim != other.ndim:
        raise OperatorError(
            f"cross needs operands of equal rank; got shapes {tuple(input.shape)}, {tuple(other.shape)}"
        )
    if not -input.ndim <= dim < input.ndim:
        raise IndexError(f"cross: there is no dimension {dim} in shape {tuple(input.shape)}")
    if input.shape[dim] != 3 or other.shape[dim] != 3:
        raise OperatorError(f"cross needs length 3 along dim {dim}; got {input.shape[dim]} and {other.shape[dim]}")
    return _cross(xp, input, other, dim)


def _cross(xp: Any, a: Array, b: Array, dim: int) -> Array:
    places = [(*(slice(None),) * (dim % a.ndim), i, ...) for i in range(3)]
    a0, a1, a2 = [a[place] for place in places]
    b0, b1, b2 = [b[place] for place in places]
    return xp.stack([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0], axis=dim % a.ndim)


@composite
def cross(input, other, dim=None):
    """Cross product of three-dimensional vectors along a dimension.

    Args:
        dim: the dimension of the vectors; by default the first of length 3, with a warning.

    Example:
        >>> ad.cross(ad.tensor([1.0, 0.0, 0.0]), ad.tensor([0.0, 1.0, 0.0]), dim=-1)
        tensor([0., 0., 1.])
    """
    if dim is None:
        dim = next((i for i, n in enumerate(input.shape) if n == 3), None)
        if dim is None:
            raise OperatorError(f"cross needs a dimension of length 3; got shape {tuple(input.shape)}")
        warn(
            f"cross without dim= takes the first dimension of length 3, which is {dim} here; give one (linalg.cross "
            "takes the last by default)"
        )
    return linalg_cross(input, other, dim=dim)
