"""What rules are run on in order to derive other rules from them, and the test that this was right.

Note [Dot product test]
A rule J and the J^T that was derived from it have to agree: <J v, g> = <v, J^T g> for all v and g. To derive one, the
other is run on some v in any case, so the test costs two inner products. It finds rules that are not linear (backward
clips the gradient, a Function that is called linear is not) and rules of which a part is not recorded (NumPy, detach):
what follows from these would be wrong, and nobody would notice.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterable, Sequence
from typing import Any

from adjoint._core import modes
from adjoint._core.gradient_fit import axes_to_sum
from adjoint._core.tensor import LAZY, Tensor, wrap
from adjoint.arrays import namespace_of
from adjoint.arrays.batched import BatchedArray

TOLERANCE = 0.01  # of a rule that solves equations iteratively, or in single precision, no more can be asked

Pairs = Iterable[tuple[Any, Any]]


def zeros_of(spec: Any) -> Tensor:
    """Zeros of the same level, so that they can require grad there."""
    namespace = spec.namespace
    array = namespace.zeros(spec.shape, dtype=spec.native, device=namespace.native_device(spec.device))
    zeros = array if isinstance(array, Tensor) else wrap(array)
    if zeros._spec.level < spec.level and namespace.name == "batched":
        return wrap(BatchedArray(zeros._array, spec.level, False))
    while zeros._spec.level < spec.level:
        zeros = wrap(zeros)
    return zeros


def seed_of(spec: Any, others: Sequence[Any]) -> Tensor:
    """Some v of Note [Dot product test], which requires grad.

    Args:
        others: tensors that it will meet; its level is not below theirs.
    """
    with modes.no_grad():
        ones: Any = zeros_of(spec) + 1
        seed: Any = (ones.reshape(-1).cumsum(0).cos() + 1.25).reshape(ones.shape)  # positive: nothing cancels by chance
        seed = seed * (1 + 0.5j) if ones.dtype.is_complex else seed
    top = max([t for t in others if isinstance(t, Tensor)], key=lambda t: t._spec.level, default=seed)
    if seed._spec.level < top._spec.level and type(top._array) is BatchedArray:
        seed = wrap(BatchedArray(seed if seed._spec.level else seed._array, top._spec.level, False))
    while seed._spec.level < top._spec.level:
        seed = wrap(seed)
    seed._edge = LAZY
    return seed


def settled(result: Any, level: float) -> Any:
    """What a rule has returned, at the level of what it was given.

    A transform that the rule itself uses gives results of the innermost level that there is at the time, where they are
    constants: what was recorded is inside.
    """
    while isinstance(result, Tensor) and result._spec.level > level and result._edge is None:
        array: Any = result._array
        if type(array) is BatchedArray:
            if array.batched:
                break
            array = array.value
        result = array if isinstance(array, Tensor) else wrap(array)
    return result


def inner(a: Any, b: Any) -> Any:
    """The real inner product of a gradient, summed as its edge would, and a tangent."""
    return _terms(a, b).sum()


def _terms(a: Any, b: Any) -> Any:
    if a.shape != b.shape:
        a = a.sum(axes_to_sum(a.shape, b.shape)).reshape(b.shape)
    product = a * b.conj() if b.dtype.is_complex else a * b
    return product.real if product.dtype.is_complex else product


def agree(one: Pairs, other: Pairs) -> bool:
    """Whether two sums of inner products are equal, as far as can be seen: lazy arrays show no values."""
    with modes.no_grad(), forward_mode_off():
        left, left_size = _sums(one)
        right, right_size = _sums(other)
        differ: Any = (left - right).__abs__() > TOLERANCE * (left_size + right_size)
    while isinstance(differ, (Tensor, BatchedArray)):
        differ = differ._array if isinstance(differ, Tensor) else differ.value
    if isinstance(differ, bool):
        return not differ
    namespace = namespace_of(differ)
    return namespace.lazy or not bool(namespace.any(differ))


def _sums(pairs: Pairs) -> tuple[Any, Any]:
    total: Any = 0.0
    size: Any = 0.0
    for a, b in pairs:
        if a is not None and b is not None:
            terms = _terms(a, b)
            total = total + terms.sum()
            size = size + terms.abs().sum()
    return total, size


def shows_values(tensor: Any) -> bool:
    """Whether the values of a tensor of whatever level are known already."""
    while isinstance(tensor, (Tensor, BatchedArray)):
        tensor = tensor._array if isinstance(tensor, Tensor) else tensor.value
    return not namespace_of(tensor).lazy


@contextlib.contextmanager
def forward_mode_off() -> Generator[None]:
    """Operators do not look for tangents inside."""
    state = modes.state
    before, state.forward_grad_enabled = state.forward_grad_enabled, False
    try:
        yield
    finally:
        state.forward_grad_enabled = before
