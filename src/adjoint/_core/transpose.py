"""Transpose of a linear map: J t from J^T, or J^T g from J, with the dot product test.

A linear map M that was recorded on some v, its probe, has the transpose M^T w = gradient of v -> <M v, w>.

Note [Dot product test]
A rule J and the J^T derived from it have to agree: <J v, g> = <v, J^T g> for all v and g. Deriving one runs the other
on some v anyway, so the test costs two inner products. It finds rules that are not linear (backward clips the gradient,
a Function declared linear is not) and rules that are partly not recorded (NumPy, detach), whose transpose would be
silently wrong.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any

from adjoint._core import modes
from adjoint._core.backward import grad
from adjoint._core.gradient_fit import axes_to_sum
from adjoint._core.levels import innermost_array, raise_into_map, raise_level
from adjoint._core.tensor import LAZY, Tensor, ensure_tensor
from adjoint.arrays import namespace_of
from adjoint.arrays.batched import BatchedArray

TOLERANCE = 0.01  # loose enough for iterative solvers and single precision

Pairs = Iterable[tuple[Any, Any]]


def zeros_of(spec: Any) -> Tensor:
    """Make zeros with this metadata, of the same level, so that they can require grad there."""
    namespace = spec.namespace
    array = namespace.zeros(spec.shape, dtype=spec.native, device=namespace.native_device(spec.device))
    return _raise(ensure_tensor(array), spec.level, namespace.name == "batched")


def _raise(tensor: Tensor, level: Any, is_map: bool) -> Tensor:
    """Raise a new tensor to a level, as a constant."""
    if is_map and tensor._spec.level < level:
        return raise_into_map(tensor, level)
    return raise_level(tensor, level)


def make_probe(spec: Any, others: Sequence[Any]) -> Tensor:
    """Make a vector v for Note [Dot product test], which requires grad.

    Args:
        others: tensors that it will be combined with; its level is not below theirs.
    """
    with modes.no_grad():
        ones: Any = zeros_of(spec) + 1
        probe: Any = (ones.reshape(-1).cumsum(0).cos() + 1.25).reshape(ones.shape)  # positive: no cancellation
        probe = probe * (1 + 0.5j) if ones.dtype.is_complex else probe
    top = max([t for t in others if isinstance(t, Tensor)], key=lambda t: t._spec.level, default=probe)
    probe = _raise(probe, top._spec.level, type(top._array) is BatchedArray)
    probe._edge = LAZY
    return probe


def transpose(
    results: Sequence[Any],
    vectors: Sequence[Any],
    probes: Sequence[Any],
    *,
    create_graph: bool,
    error: Callable[[], Exception] | None = None,
) -> list[Any]:
    """Compute M^T w for a linear map M that was recorded on probes; None where it is zero.

    Args:
        results: the results of M, tensors and others.
        vectors: the w, one for each result; None for zero.
        probes: the arguments of M; the result is None for one that is None or does not require grad.
        create_graph: whether to record this, too.
        error: makes the error to raise if the test of Note [Dot product test] fails; without it, nothing is tested.
    """
    pairs = [_match_shapes(one, w) for one, w in zip(results, vectors) if isinstance(one, Tensor) and w is not None]
    recorded = [(one, w) for one, w in pairs if one.requires_grad]
    wanted = [probe for probe in probes if probe is not None and probe.requires_grad]
    found: Any = [None] * len(wanted)
    if recorded and wanted:
        outputs, given = zip(*recorded)
        found = grad(outputs, wanted, given, create_graph=create_graph, allow_unused=True)
    if error is not None:
        visible = all(one.requires_grad or shows_values(one) for one, _ in pairs)  # else zeros cannot be seen as such
        if not visible or not agree(pairs, zip(found, wanted)):
            raise error()
    left = iter(found)
    return [next(left) if probe is not None and probe.requires_grad else None for probe in probes]


def _match_shapes(result: Any, vector: Any) -> tuple[Any, Any]:
    """Broadcast or reduce a result to the shape of its vector; for a real result take the vector's real part."""
    own, shape = result._spec, vector._spec.shape
    if own.shape != shape:
        axes = axes_to_sum(own.shape, shape)
        result = result.expand(shape) if axes is None else result.sum(axes).reshape(shape)
    if vector._spec.is_complex and not own.is_complex:
        vector = vector.real
    return result, vector


def _inner_product_terms(a: Any, b: Any) -> Any:
    """Return the terms of the real inner product."""
    product = a * b.conj() if b.dtype.is_complex else a * b
    return product.real if product.dtype.is_complex else product


def agree(one: Pairs, other: Pairs) -> bool:
    """Test whether two sums of inner products agree; True for lazy arrays, whose values are not known."""
    with modes.no_grad(), forward_mode_off():
        left, left_size = _sums(one)
        right, right_size = _sums(other)
        differ: Any = (left - right).__abs__() > TOLERANCE * (left_size + right_size)
    differ = innermost_array(differ)
    if isinstance(differ, bool):
        return not differ
    namespace = namespace_of(differ)
    return namespace.lazy or not bool(namespace.any(differ))


def _sums(pairs: Pairs) -> tuple[Any, Any]:
    total: Any = 0.0
    size: Any = 0.0
    for a, b in pairs:
        if a is not None and b is not None:
            terms = _inner_product_terms(*_match_shapes(a, b))
            total = total + terms.sum()
            size = size + terms.abs().sum()
    return total, size


def shows_values(tensor: Any) -> bool:
    """Test whether the values of a tensor of any level are known (its array is not lazy)."""
    return not namespace_of(innermost_array(tensor)).lazy


@contextlib.contextmanager
def forward_mode_off() -> Generator[None]:
    """Switch forward mode off: operators do not look for tangents."""
    state = modes.state()
    before, state.forward_grad_enabled = state.forward_grad_enabled, False
    try:
        yield
    finally:
        modes.reinstate(state)
        state.forward_grad_enabled = before
