"""`vmap(f) == stack(map(f))` for every operator of the table: values, gradients in both modes, in place."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint import func
from adjoint.arrays.batched import NoValues
from adjoint.autograd import forward_ad
from adjoint.func._vmap import vmap
from tests.support import checks
from tests.support.cases import Given, Run, load, runs
from tests.support.running import invoke, to_numpy, weights_for

SIZE = 3

MODES: dict[str, Callable[[Sequence[Given]], list[bool]]] = {
    "numbers": lambda givens: [given.array.dtype.kind in "fc" for given in givens],
    "all": lambda givens: [True for _ in givens],
    "first": lambda givens: [place == 0 for place, _ in enumerate(givens)],
    "last": lambda givens: [place == len(givens) - 1 for place, _ in enumerate(givens)],
}
"""Which arguments differ from sample to sample; the others are shared."""

SHAPE_DEPENDS_ON_VALUES = {
    "grouped_mm",
    "__getitem__", "argwhere", "bincount", "ctc_loss", "embedding_bag", "index_put", "masked_select", "nonzero",
    "repeat_interleave", "unique", "unique_consecutive", "where",
}  # fmt: skip
"""No array can hold the results of all samples: masks, counts and indices of these must be the same for all."""

SORTED = {"bucketize", "embedding_bag", "searchsorted"}

every_case = pytest.mark.parametrize("label", list(load()))


def runs_of(label: str, derivatives: bool = False) -> list[Run]:
    return [run for run in runs(label=label) if run.has_derivative or not derivatives]


every_derivative = pytest.mark.parametrize("label", [label for label in load() if runs_of(label, derivatives=True)])


class Batch:
    """The arguments of a run for several samples.

    Attributes:
        flags: which of the givens are batched; dims the same as `in_dims`.
        samples: the arrays of each sample; stacked: those of all together.
    """

    def __init__(self, run: Run, mode: str, convert: Callable[[Any], Any] = np.asarray) -> None:
        self.run = run
        self.convert = convert
        givens = run.sample.givens
        self.flags = MODES[mode](givens)
        self.dims = tuple([0 if flag else None for flag in self.flags])
        self.samples = [
            [variant(run, given, k) if flag else given.array for given, flag in zip(givens, self.flags)]
            for k in range(SIZE)
        ]
        self.stacked = [
            np.stack([sample[i] for sample in self.samples]) if flag else givens[i].array
            for i, flag in enumerate(self.flags)
        ]

    @property
    def variables(self) -> list[int]:
        return self.run.sample.variables

    def tensors(self, arrays: list[Any], leaves: bool = False) -> list[Any]:
        givens = self.run.sample.givens
        return [
            ad.Tensor(self.convert(a), requires_grad=leaves and given.requires_grad) for a, given in zip(arrays, givens)
        ]

    def call(self, tensors: Sequence[Any]) -> list[Any]:
        """What the operator gives for tensors in place of the givens."""
        args, kwargs = self.run.sample.bind_to(list(tensors))
        return checks.flatten(invoke(self.run.case, self.run.case.function, args, kwargs))

    def map(self, function: Callable[..., Any], *args: Any, in_dims: Any = None) -> Any:
        return vmap(function, in_dims=self.dims if in_dims is None else in_dims, randomness="same")(*args)

    def recorded(self, outputs: list[Any]) -> list[Any]:
        return [output for output in checks.differentiable(outputs) if output.requires_grad]

    def gradients(self) -> list[list[np.ndarray]] | None:
        """For each sample, by a loop; None if there are none."""
        found: list[list[np.ndarray]] = []
        for sample in self.samples:
            tensors = self.tensors(sample, leaves=True)
            outputs = self.recorded(self.call(tensors))
            if not outputs:
                return None
            weights = [ad.Tensor(self.convert(weights_for(output, k))) for k, output in enumerate(outputs)]
            found.append(gradients(outputs, [tensors[i] for i in self.variables], weights))
        return found

    def which_are_recorded(self) -> list[bool]:
        outputs = self.call(self.tensors(self.samples[0], leaves=True))
        return [output.requires_grad for output in checks.differentiable(outputs)]


def variant(run: Run, given: Given, k: int) -> np.ndarray:
    """The values of one sample: close to the given ones and of the same kind, or the same in another order."""
    array = given.array
    if array.dtype.kind in "fc":
        with np.errstate(all="ignore"):
            return np.asarray(array * (1 - 0.03 * k)).astype(array.dtype)
    return np.roll(array, k, axis=-1) if array.size and array.ndim and run.case.name not in SORTED else array


def gradients(outputs: Any, inputs: Any, weights: Any, **options: Any) -> list[Any]:
    found = ad.autograd.grad(outputs, inputs, weights, allow_unused=True, materialize_grads=True, **options)
    return [to_numpy(one) for one in found]


def assert_close(found: Any, expected: Any, what: str, run: Run) -> None:
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape, f"{what}: shape {found.shape} instead of {expected.shape}"
    assert found.dtype == expected.dtype, f"{what}: {found.dtype} instead of {expected.dtype}"
    if expected.dtype.kind not in "fc":
        np.testing.assert_array_equal(found, expected, err_msg=what)
        return
    scale = float(np.max(np.abs(expected[np.isfinite(expected)]), initial=0.0))
    tolerance = max(1e-9, run.case.rtol or 0)
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance * (1 + scale), err_msg=what)


def for_every_run(
    label: str, modes: Sequence[str], test: Callable[[Batch], bool], derivatives: bool = True, some: bool = True
) -> None:
    """Apply a test to the samples of a case; where shapes depend on values it has to raise instead.

    Args:
        derivatives: only to samples that have some.
        some: only to the first of them; the slow tests take all.
    """
    mine = runs_of(label, derivatives)
    if some:
        mine = mine[:1]
    tried = 0
    for run in mine:
        for mode in modes:
            batch = Batch(run, mode)
            if not any(batch.flags):
                continue
            try:
                tried += test(batch)
            except RuntimeError as error:
                if not isinstance(error, NoValues):
                    # what all samples share cannot be changed in place by what differs between them
                    assert run.case.name.endswith("_") and not batch.flags[0] and "in place" in str(error), f"{run}"
                    continue
                others = [
                    flag and given.array.dtype.kind in "biu" for flag, given in zip(batch.flags, run.sample.givens)
                ]
                may = run.case.name in SHAPE_DEPENDS_ON_VALUES and (any(others) or "unique" in run.case.name)
                assert may and "where()" in str(error), f"{run} with {mode} batched"
                tried += 1
    if not tried:
        pytest.skip("no sample has an argument to map over and a result")


# ---- values ----------------------------------------------------------------------------------------------------------


def check_values(batch: Batch) -> bool:
    expected = [batch.call(batch.tensors(sample)) for sample in batch.samples]
    found = batch.map(lambda *tensors: tuple(batch.call(tensors)), *batch.tensors(batch.stacked))
    assert len(found) == len(expected[0])
    for k, output in enumerate(found):
        wanted = np.stack([to_numpy(outputs[k]) for outputs in expected])
        assert_close(to_numpy(output), wanted, f"output {k} of {batch.run}", batch.run)
    return bool(found)


LOOPS = {"bincount"}
"""Called for each sample, if the shapes of the results agree: the length is that of the largest number."""


@pytest.fixture(autouse=True)
def no_warning_where_a_loop_is_known(request: pytest.FixtureRequest) -> Iterator[None]:
    label = getattr(request.node, "callspec", None) and request.node.callspec.params.get("label")
    func.set_vmap_fallback_warning_enabled(label is None or load()[label].name not in LOOPS)
    yield
    func.set_vmap_fallback_warning_enabled(True)


@every_case
def test_values(label: str) -> None:
    compare_values(label, some=True)


@pytest.mark.slow
@every_case
def test_all_values(label: str) -> None:
    compare_values(label, some=False)


def compare_values(label: str, some: bool) -> None:
    for_every_run(label, list(MODES), check_values, derivatives=False, some=some)


@pytest.mark.parametrize("name", sorted({c.name for c in load().values() if hasattr(ad.Tensor, c.name + "_")}))
def test_in_place(name: str) -> None:
    """``x.op_()`` on a mapped tensor."""
    method: Any = getattr(ad.Tensor, name + "_")

    def in_place(tensors: Sequence[Any], batch: Batch) -> Any:
        args, kwargs = batch.run.sample.bind_to(list(tensors))
        clone = args[0].clone()
        assert invoke(batch.run.case, method, (clone, *args[1:]), kwargs) is not None
        return clone

    compared = 0
    mine = [run for label, case in load().items() if case.name == name for run in runs_of(label)]
    for run in [run for run in mine if run.case.in_place is not False]:
        batch = Batch(run, "numbers")
        if not batch.flags or not batch.flags[0]:
            continue
        try:
            expected = [to_numpy(in_place(batch.tensors(sample), batch)) for sample in batch.samples]
        except (RuntimeError, TypeError, AttributeError):
            continue  # the result does not fit in place
        found = batch.map(lambda *tensors, batch=batch: in_place(tensors, batch), *batch.tensors(batch.stacked))
        assert_close(to_numpy(found), np.stack(expected), f"in place on {run}", run)
        compared += 1
    if not compared:
        pytest.skip("no sample fits in place")


# ---- gradients -------------------------------------------------------------------------------------------------------


def check_gradients_of_the_map(batch: Batch) -> bool:
    """Reverse mode outside of vmap: the operator's own rules count, at kinks as well."""
    expected = batch.gradients()
    if expected is None:
        return False
    tensors = batch.tensors(batch.stacked, leaves=True)
    outputs = batch.recorded(list(batch.map(lambda *inner: tuple(batch.call(inner)), *tensors)))
    weights = [repeated(weights_for(output[0], k), batch) for k, output in enumerate(outputs)]
    found = gradients(outputs, [tensors[i] for i in batch.variables], weights)
    for k, (place, gradient) in enumerate(zip(batch.variables, found)):
        wanted = np.stack([one[k] for one in expected])
        if not batch.flags[place]:
            wanted = wanted.sum(0)
        assert_close(gradient, wanted, f"gradient {k} of {batch.run}", batch.run)
    return True


def repeated(array: np.ndarray, batch: Batch) -> Any:
    return ad.Tensor(batch.convert(np.stack([array] * SIZE)))


def check_map_of_the_gradients(batch: Batch) -> bool:
    """Reverse mode inside of vmap."""
    expected = batch.gradients()
    if expected is None:
        return False
    flags = batch.which_are_recorded()

    def pulled(*tensors: Any) -> Any:
        def function(*variables: Any) -> Any:
            values = list(tensors)
            for place, value in zip(batch.variables, variables):
                values[place] = value
            return tuple([o for o, flag in zip(checks.differentiable(batch.call(values)), flags) if flag])

        outputs, pull = func.vjp(function, *[tensors[i] for i in batch.variables])
        return pull(tuple([ad.Tensor(batch.convert(weights_for(o, k))) for k, o in enumerate(outputs)]))

    found = batch.map(pulled, *batch.tensors(batch.stacked))
    for k, gradient in enumerate(found):
        wanted = np.stack([one[k] for one in expected])
        assert_close(to_numpy(gradient), wanted, f"gradient {k} of {batch.run}", batch.run)
    return True


def check_graphs_inside(batch: Batch) -> bool:
    """A graph of mapped tensors, differentiated where they are."""
    expected = batch.gradients()
    if expected is None:
        return False

    def pulled(*tensors: Any) -> Any:
        values = list(tensors)
        for i in batch.variables:
            values[i] = values[i].detach().requires_grad_()
        outputs = batch.recorded(batch.call(values))
        weights = [ad.Tensor(batch.convert(weights_for(output, k))) for k, output in enumerate(outputs)]
        inputs = [values[i] for i in batch.variables]
        return ad.autograd.grad(outputs, inputs, weights, allow_unused=True, materialize_grads=True)

    for k, gradient in enumerate(batch.map(pulled, *batch.tensors(batch.stacked))):
        wanted = np.stack([one[k] for one in expected])
        assert_close(to_numpy(gradient), wanted, f"gradient {k} of {batch.run}", batch.run)
    return True


def check_batched_gradients(batch: Batch) -> bool:
    """`is_grads_batched`, with a plain pass and with a recorded one."""
    tensors = batch.tensors(batch.samples[0], leaves=True)
    outputs = batch.recorded(batch.call(tensors))
    if not outputs:
        return False
    inputs = [tensors[i] for i in batch.variables]
    weights = [np.stack([weights_for(o, k + 7 * row) for row in range(SIZE)]) for k, o in enumerate(outputs)]
    rows = [[ad.Tensor(one[row]) for one in weights] for row in range(SIZE)]
    expected = [gradients(outputs, inputs, row, retain_graph=True) for row in rows]
    for create_graph in (False, True):
        options = {"retain_graph": True, "create_graph": create_graph, "is_grads_batched": True}
        for k, found in enumerate(gradients(outputs, inputs, [ad.Tensor(one) for one in weights], **options)):
            assert_close(found, np.stack([one[k] for one in expected]), f"gradient {k} of {batch.run}", batch.run)
    return True


@every_derivative
def test_gradients(label: str) -> None:
    for_every_run(label, ("numbers", "first"), check_gradients_of_the_map)
    for_every_run(label, ("numbers", "all"), check_map_of_the_gradients)
    for_every_run(label, ("numbers",), check_graphs_inside)
    for_every_run(label, ("numbers",), check_batched_gradients)


@pytest.mark.slow
@every_derivative
def test_all_gradients(label: str) -> None:
    for_every_run(label, list(MODES), check_gradients_of_the_map, some=False)
    for_every_run(label, list(MODES), check_map_of_the_gradients, some=False)
    for_every_run(label, ("numbers", "all"), check_graphs_inside, some=False)
    for_every_run(label, ("numbers",), check_batched_gradients, some=False)


# ---- tangents --------------------------------------------------------------------------------------------------------


def tangents(batch: Batch, tensors: Sequence[Any], directions: Sequence[Any]) -> list[Any]:
    with forward_ad.dual_level():
        values = list(tensors)
        for i, direction in zip(batch.variables, directions):
            values[i] = forward_ad.make_dual(values[i], direction)
        return [forward_ad.unpack_dual(output).tangent for output in batch.call(values)]


def directions_of(batch: Batch) -> list[list[np.ndarray]]:
    """For each sample; the same for all where the argument is."""
    found: list[list[np.ndarray]] = [[] for _ in range(SIZE)]
    for i in batch.variables:
        given = batch.run.sample.givens[i]
        rng = np.random.default_rng(100 + i)
        values = rng.uniform(-1, 1, given.shape)
        if given.array.dtype.kind == "c":
            values = values + 1j * rng.uniform(-1, 1, given.shape)
        values = np.asarray(given.project(np.asarray(values))).astype(given.array.dtype)
        for k in range(SIZE):
            found[k].append(np.asarray(values * (1 + k) if batch.flags[i] else values))
    return found


def check_tangents(batch: Batch) -> bool:
    """Forward mode inside and outside of vmap."""
    directions = directions_of(batch)
    expected = [
        tangents(batch, batch.tensors(sample), [ad.Tensor(one) for one in row])
        for sample, row in zip(batch.samples, directions)
    ]
    places = [k for k, tangent in enumerate(expected[0]) if tangent is not None]
    wanted = [np.stack([to_numpy(row[k]) for row in expected]) for k in places]
    stacked = [
        ad.Tensor(np.stack([row[j] for row in directions]) if batch.flags[i] else directions[0][j])
        for j, i in enumerate(batch.variables)
    ]
    dims = tuple([batch.dims[i] for i in batch.variables])
    inside = batch.map(
        lambda tensors, rows: tuple([t for t in tangents(batch, tensors, rows) if t is not None]),
        tuple(batch.tensors(batch.stacked)),
        tuple(stacked),
        in_dims=(batch.dims, dims),
    )
    with forward_ad.dual_level():
        tensors = batch.tensors(batch.stacked)
        for i, direction in zip(batch.variables, stacked):
            tensors[i] = forward_ad.make_dual(tensors[i], direction)
        outputs = batch.map(lambda *inner: tuple(batch.call(inner)), *tensors)
        outside = [forward_ad.unpack_dual(output).tangent for output in outputs]
    assert [k for k, tangent in enumerate(outside) if tangent is not None] == places
    for found in (inside, [outside[k] for k in places]):
        for k, (tangent, one) in enumerate(zip(found, wanted, strict=True)):
            assert_close(to_numpy(tangent), one, f"tangent {k} of {batch.run}", batch.run)
    return True


@every_derivative
def test_tangents(label: str) -> None:
    for_every_run(label, ("numbers",), check_tangents)


@pytest.mark.slow
@every_derivative
def test_all_tangents(label: str) -> None:
    for_every_run(label, ("numbers", "first", "last"), check_tangents, some=False)


# ---- another library -------------------------------------------------------------------------------------------------


def check_library(label: str, convert: Callable[[Any], Any], option: str) -> None:
    """The first sample on another library's arrays, and graphs outside and inside of the map."""
    run = next((run for run in runs_of(label) if getattr(run.case, option)), None)
    batch = None if run is None else Batch(run, "numbers", convert)
    if run is None or batch is None or not any(batch.flags):
        pytest.skip("does not work on the library, or has nothing to map over")
    check_values(batch)
    if run.has_derivative:
        check_gradients_of_the_map(batch)
        check_graphs_inside(batch)


def check_jax(label: str) -> None:
    jnp = pytest.importorskip("jax.numpy")
    import jax

    with jax.enable_x64(True):
        check_library(label, lambda array: jnp.asarray(array), "jax")


@pytest.mark.parametrize("label", ["mul", "linalg_vector_norm", "matmul", "gather", "index_put", "cumsum", "sort"])
def test_jax(label: str) -> None:
    check_jax(label)


@pytest.mark.slow
@every_case
def test_all_of_jax(label: str) -> None:
    check_jax(label)


@pytest.mark.parametrize(
    "label",
    [pytest.param(label, marks=[] if zlib.crc32(label.encode()) % 4 == 0 else [pytest.mark.slow]) for label in load()],
)
def test_array_api_strict(label: str) -> None:
    """Its arrays refuse operands that they do not know, instead of leaving the operator to them."""
    library = pytest.importorskip("array_api_strict")
    try:
        check_library(label, lambda array: library.asarray(np.asarray(array).copy()), "strict")
    except NoValues:
        assert load()[label].name in SHAPE_DEPENDS_ON_VALUES
