"""How a case is run: givens become tensors, the operator is called, its values and gradients are read."""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import adjoint as ad
from adjoint._dtypes import as_dtype
from adjoint.arrays import namespace_of
from tests.support import checks
from tests.support.cases import Case, Given, Run


def seed() -> None:
    """Start adjoint's random numbers anew."""
    if hasattr(ad, "manual_seed"):
        ad.manual_seed(0)


def invoke(case: Case, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Call an operator; random ones draw the same numbers every time."""
    seed()
    result = function(*args, **kwargs)
    return result if case.project is None else case.project(result)


def problem_of(run: Run) -> checks.Problem:
    """A run as a problem for the checks: a function of the givens that require grad alone."""
    case, sample = run.case, run.sample
    chosen = sample.variables

    def function(*tensors: Any) -> Any:
        places = dict(zip(chosen, tensors, strict=True))
        made = [places[i] if i in places else ad.Tensor(checks.read_only(g.array)) for i, g in enumerate(sample.givens)]
        args, kwargs = sample.bind_to(made)
        return invoke(case, case.function, args, kwargs)

    return checks.Problem(
        function,
        [sample.givens[i].array for i in chosen],
        [sample.givens[i].project for i in chosen],
        rtol=case.rtol or checks.RTOL,
        atol=case.atol or checks.ATOL,
        seed=zlib.crc32(run.id.encode()),
    )


@dataclasses.dataclass
class Observed:
    """What came out of a run, as NumPy arrays.

    Attributes:
        values: all outputs that are tensors.
        gradients: the gradient of a random weighted sum of the floating point outputs by each given that requires
            grad, None where there is none.
        dtypes: the outputs' dtypes.
        gradient_dtypes: the gradients' dtypes.
    """

    values: list[np.ndarray]
    gradients: list[np.ndarray | None]
    dtypes: list[Any]
    gradient_dtypes: list[Any]


def observe(
    run: Run,
    convert: Callable[[np.ndarray], Any] = checks.read_only,
    function: Callable[..., Any] | None = None,
    change: Callable[[Given], Given] = lambda given: given,
) -> Observed:
    """Call the operator and go backward once.

    Args:
        run: what to call.
        convert: makes the array that a tensor holds from a NumPy array.
        function: what to call instead of the operator.
        change: changes the givens first.
    """
    sample = run.sample.map(change)
    made, args, kwargs = sample.bind(lambda g: ad.Tensor(convert(g.array), requires_grad=g.requires_grad))
    result = invoke(run.case, function or run.case.function, args, kwargs)
    outputs = checks.flatten(result)
    variables = [made[i] for i in sample.variables]
    found = _pull_back(checks.differentiable(outputs), variables, convert)
    return Observed(
        [to_numpy(output) for output in outputs],
        [None if g is None else given.project(to_numpy(g)) for g, given in _pairs(found, sample)],
        [output.dtype for output in outputs],
        [None if g is None else g.dtype for g in found],
    )


def _pairs(found: Sequence[Any], sample: Any) -> list[tuple[Any, Given]]:
    return list(zip(found, (sample.givens[i] for i in sample.variables)))


def _pull_back(outputs: list[Any], variables: list[Any], convert: Callable[[np.ndarray], Any]) -> Sequence[Any]:
    recorded = [output for output in outputs if output.requires_grad]
    if not recorded or not variables:
        return [None] * len(variables)
    weights = [ad.Tensor(convert(weights_for(output, k))) for k, output in enumerate(recorded)]
    return ad.autograd.grad(recorded, variables, weights, allow_unused=True)


def weights_for(output: Any, number: int) -> np.ndarray:
    """The random gradient of an output: the same for the same shape, whatever the array library."""
    rng = np.random.default_rng(number)
    shape = tuple(output.shape)
    values = rng.uniform(0.5, 1.5, shape) * np.where(rng.uniform(size=shape) < 0.5, -1, 1)
    if output.dtype.is_complex:
        values = values + 1j * rng.uniform(-1.5, 1.5, shape)
    name = str(output.dtype).rpartition(".")[2]
    return np.asarray(values).astype(as_dtype(name).numpy)


def to_numpy(tensor: Any) -> np.ndarray:
    """The values of a tensor of any array library, or of a tensor that holds a tensor."""
    array = tensor
    while isinstance(array, ad.Tensor):
        array = array._array
    return namespace_of(array).to_numpy(array)


def assert_same(
    found: Observed, expected: Observed, what: str, *, rtol: float = 1e-12, atol: float = 1e-14, dtypes: bool = True
) -> int:
    """Two observations agree. Returns how many numbers were compared."""
    assert len(found.values) == len(expected.values), f"{what}: {len(found.values)} outputs"
    compared = 0
    for k, (value, wanted) in enumerate(zip(found.values, expected.values)):
        compared += _assert_equal(value, wanted, f"{what}: output {k}", rtol, atol)
    if dtypes:
        assert found.dtypes == expected.dtypes, f"{what}: dtypes {found.dtypes} instead of {expected.dtypes}"
        assert found.gradient_dtypes == expected.gradient_dtypes, f"{what}: gradients' {found.gradient_dtypes}"
    for k, (value, wanted) in enumerate(zip(found.gradients, expected.gradients, strict=True)):
        assert (value is None) == (wanted is None), f"{what}: only one of the gradients of input {k} is None"
        if value is not None:
            compared += _assert_equal(value, wanted, f"{what}: gradient {k}", rtol, atol)
    return compared


def _assert_equal(value: Any, wanted: Any, what: str, rtol: float, atol: float) -> int:
    assert value.shape == wanted.shape, f"{what}: shape {value.shape} instead of {wanted.shape}"
    if wanted.dtype.kind in "fc":
        finite = np.abs(wanted[np.isfinite(wanted)])
        scale = float(np.max(finite, initial=0.0))
        np.testing.assert_allclose(value, wanted, rtol=rtol, atol=atol + rtol * scale, err_msg=what)
    else:
        np.testing.assert_array_equal(value, wanted, err_msg=what)
    return max(1, value.size)
