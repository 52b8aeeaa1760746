"""Every operator of the table, on every sample: derivatives in both modes and to second order, forms and layouts."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint._core.views.layout import overlaps_itself
from adjoint._dtypes import as_dtype, can_cast
from tests.support import checks
from tests.support.cases import Given, Run, load, runs
from tests.support.grouping import on_each
from tests.support.running import Observed, assert_same, invoke, observe, problem_of, seed, to_numpy, weights_for

every_run = on_each(runs())
every_derivative = on_each(run for run in runs() if run.has_derivative)
every_case = pytest.mark.parametrize("label", list(load()))
every_name = pytest.mark.parametrize("name", sorted({case.name for case in load().values()}))


# ---- derivatives ----------------------------------------------------------------------------------------------------


def problem(run: Run) -> checks.Problem:
    found = problem_of(run)
    if not found.outputs(found.leaves()):
        pytest.skip("this sample has no output, like the parts of an empty tensor")
    return found


@every_derivative
def test_reverse(run: Run) -> None:
    assert checks.check_reverse(problem(run)) > 0


@every_derivative
def test_forward(run: Run) -> None:
    assert checks.check_forward(problem(run)) > 0


@every_derivative
def test_dot_product(run: Run) -> None:
    assert checks.check_dot_product(problem(run)) > 0


@on_each(run for run in runs(second=True) if run.has_derivative)
def test_second(run: Run) -> None:
    assert checks.check_second(problem(run)) > 0


@every_name
def test_some_derivative_is_compared(name: str) -> None:
    """A differentiable operator has a sample that gives at least one number a gradient."""
    mine = runs(name)
    tried = [run for run in mine if run.has_derivative]
    operator = mine[0].case.operator
    if operator is None or operator.differentiable:
        assert tried or not mine[0].case.differentiable, "no sample has an argument that requires grad"
    assert not tried or any(g is not None and g.size for run in tried for g in observe(run).gradients)


# ---- values ---------------------------------------------------------------------------------------------------------


@every_run
def test_value_is_finite_and_inputs_are_left_alone(run: Run) -> None:
    """On memory that could be written to; all other tests run on memory that is read-only."""
    copies: list[np.ndarray] = []

    def convert(array: np.ndarray) -> np.ndarray:
        copies.append(array.copy())
        return copies[-1]

    observed = observe(run, convert)
    if all(given.array.size and np.all(np.isfinite(given.array)) for given in run.sample.givens):
        assert all(np.all(np.isfinite(value)) for value in observed.values), f"{run}: not finite"
    for copy, given in zip(copies, run.sample.givens):
        np.testing.assert_array_equal(copy, given.array, err_msg="the operator has changed its input")


def _single(axes: int) -> Callable[[Given], Given]:
    """Makes the first axes (or, if negative, the last ones) of a given one element long."""

    def change(given: Given) -> Given:
        places = range(given.array.ndim)[:axes] if axes > 0 else range(given.array.ndim)[axes:]
        key = tuple(slice(0, 1) if axis in places else slice(None) for axis in range(given.array.ndim))
        return given.replace(given.array[key])

    return change


@every_run
def test_results_own_their_memory(run: Run) -> None:
    """What is no view shares no memory with an operand, also where there was nothing to compute."""
    if run.case.name == "detach":
        return
    for sample in (run.sample, *[run.sample.map(_single(axes)) for axes in (1, 2, -1, -2)]):
        inputs, args, kwargs = sample.bind(lambda given: ad.Tensor(given.array.copy()))
        try:
            with np.errstate(all="ignore"):
                outputs = checks.flatten(invoke(run.case, run.case.function, args, kwargs))
        except Exception:
            assert sample is not run.sample  # not every operator takes these shapes
            continue
        for output in outputs:
            if not output._is_view() and not any(output is one for one in inputs):
                array = np.asarray(output.array)
                others = [np.asarray(other.array) for other in (*inputs, *outputs) if other is not output]
                assert not any(np.shares_memory(array, other) for other in others), sample
                assert array.flags.writeable and not overlaps_itself(output), sample


def _as_lists(value: Any, made: list[list[Any]]) -> Any:
    """An argument with lists for all tuples in it; notes the lists."""
    if isinstance(value, (tuple, list)):
        made.append([_as_lists(item, made) for item in value])
        return made[-1]
    return value


@every_derivative
def test_lists_can_be_changed_after_the_call(run: Run) -> None:
    def gradients(clear: bool) -> Any:
        lists: list[list[Any]] = []
        tensors, args, kwargs = run.sample.bind(lambda g: ad.Tensor(g.array.copy(), requires_grad=g.requires_grad))
        args = [_as_lists(arg, lists) for arg in args]
        kwargs = {key: _as_lists(arg, lists) for key, arg in kwargs.items()}
        outputs = checks.differentiable(invoke(run.case, run.case.function, args, kwargs))
        for one in lists if clear else ():
            one.clear()
        weights = [ad.Tensor(weights_for(output, k)) for k, output in enumerate(outputs)]
        wanted = [tensor for tensor in tensors if tensor.requires_grad]
        found = ad.autograd.grad(outputs, wanted, weights, allow_unused=True) if lists and outputs else ()
        return [None if g is None else to_numpy(g).tolist() for g in found]

    try:
        wanted = gradients(False)
    except (RuntimeError, TypeError, IndexError, UserWarning):
        return  # not everything that can be a tuple can be a list
    assert gradients(True) == wanted


@every_derivative
def test_gradients_own_their_memory(run: Run) -> None:
    """What `backward` leaves in `.grad` can be written to, and is shared with nothing."""
    made, args, kwargs = run.sample.bind(lambda g: ad.Tensor(g.array.copy(), requires_grad=g.requires_grad))
    outputs = [o for o in checks.differentiable(invoke(run.case, run.case.function, args, kwargs)) if o.requires_grad]
    weights = [ad.Tensor(weights_for(output, k)) for k, output in enumerate(outputs)]
    if outputs:
        ad.autograd.backward(outputs, weights)
    found = [tensor.grad for tensor in made if tensor.is_leaf and tensor.grad is not None]
    others = [tensor._array for tensor in (*made, *outputs, *weights)]
    for k, gradient in enumerate(found):
        assert not any(np.shares_memory(gradient._array, other) for other in others), f"gradient {k} is shared"
        others.append(gradient._array)
        before = gradient._array.copy()
        gradient.add_(1)
        np.testing.assert_array_equal(gradient._array, before + 1)


@every_run
def test_modes_change_nothing(run: Run) -> None:
    """No value or gradient depends on which of the ways through the dispatcher is taken."""
    expected = observe(run)
    same = lambda tensor: tensor
    with ad.autograd.graph.saved_tensors_hooks(same, same):
        assert_same(observe(run), expected, "with hooks for saved tensors", rtol=0, atol=0)
    with ad.autograd.set_detect_anomaly(True, check_nan=False):
        assert_same(observe(run), expected, "in anomaly mode", rtol=0, atol=0)
    with ad.autograd.forward_ad.dual_level():
        # not to the last bit: passes run on tensors there, whose powers and products take quicker ways than NumPy's
        assert_same(observe(run), expected, "in a dual level", rtol=1e-13, atol=1e-14)
    for mode in (ad.no_grad, ad.inference_mode):
        with mode():
            _, args, kwargs = run.sample.bind(lambda g: ad.Tensor(g.array, requires_grad=g.requires_grad))
            outputs = checks.flatten(invoke(run.case, run.case.function, args, kwargs))
        assert not any(output.requires_grad for output in outputs if output.grad_fn is not None), mode.__name__
        for output, value in zip(outputs, expected.values, strict=True):
            # not to the last bit: without a gradient in view, LAPACK has quicker ways
            np.testing.assert_allclose(to_numpy(output), value, rtol=1e-13, atol=1e-14, err_msg=mode.__name__)


@every_run
def test_arguments_by_name(run: Run) -> None:
    """Every argument can be given by its name."""
    parameters = inspect.signature(run.case.function).parameters.values()
    names = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    if len(names) < len(run.sample.args) or run.case.name == "einsum":
        pytest.skip("takes several values in place of one argument")

    def by_name(*args: Any, **kwargs: Any) -> Any:
        return run.case.function(**dict(zip(names, args)), **kwargs)

    assert_same(observe(run, function=by_name), observe(run), "by name", rtol=0, atol=0)


def _as_single(given: Given) -> Given:
    kinds = {"float64": np.float32, "complex128": np.complex64}
    return given.replace(given.array.astype(kinds.get(given.array.dtype.name, given.array.dtype)))


ALWAYS_DOUBLE = ("float_power",)
"""Operators whose result is in double precision whatever they are given."""

DRAWN = ("gumbel_softmax", "rrelu.2")
"""Cases that draw other numbers in single precision than in double."""


@every_run
def test_single_precision_stays_single(run: Run) -> None:
    """float32 in, float32 out, in values and gradients, unless a dtype was asked for."""
    double, single = observe(run), observe(run, change=_as_single)
    narrower = {ad.float64: ad.float32, ad.complex128: ad.complex64}
    floating = any(given.array.dtype.kind in "fc" for given in run.sample.givens)
    if run.case.label in DRAWN:
        pytest.skip("draws other numbers")
    if floating and run.case.name not in ALWAYS_DOUBLE and not _names_dtype(run):
        assert single.dtypes == [narrower.get(dtype, dtype) for dtype in double.dtypes]
    assert single.gradient_dtypes == [narrower.get(dtype, dtype) for dtype in double.gradient_dtypes]
    rtol = 1e-3 * max(1.0, (run.case.rtol or 0) / checks.RTOL)
    assert_same(single, double, "in single precision", rtol=rtol, atol=1e-4, dtypes=False)


def _names_dtype(run: Run) -> bool:
    arguments = [*run.sample.args, *run.sample.kwargs.values()]
    return any(isinstance(arg, ad.dtype) for arg in arguments)


LAYOUTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "column-major": lambda x: np.array(x, order="F"),
    "strided": lambda x: np.repeat(x, 2, axis=-1)[..., ::2] if x.ndim else x,
    "reversed": lambda x: np.flip(np.flip(x).copy()),
}


ABOUT_MEMORY = (
    "as_strided", "as_strided_copy", "view", "view_as", "view_as_complex", "view_as_complex_copy", "view_copy"
)  # fmt: skip
"""Operators whose result depends on how the input lies in memory."""


@on_each(run for run in runs() if run.case.name not in ABOUT_MEMORY)
def test_layout_of_memory_does_not_matter(run: Run) -> None:
    expected = observe(run)
    for name, arrange in LAYOUTS.items():
        found = observe(run, lambda array, arrange=arrange: checks.read_only(arrange(array)))
        assert_same(found, expected, name, rtol=1e-11, atol=1e-13)


# ---- forms -----------------------------------------------------------------------------------------------------------

METHODS_APART = {
    "where": "the method's tensor is the function's second argument",
    "polygamma": "the method's tensor is the function's second argument",
}
"""Methods that take their arguments in another order than the function of the same name."""


@every_name
def test_method_is_the_function(name: str) -> None:
    if not callable(getattr(ad.Tensor, name, None)) or not callable(getattr(ad, name, None)):
        pytest.skip("is not both a function and a method")
    if name in METHODS_APART:
        pytest.skip(METHODS_APART[name])
    if name.endswith("_"):
        pytest.skip("writes to its operand")
    method = lambda self, *args, **kwargs: getattr(self, name)(*args, **kwargs)
    mine = runs(name)
    tried = [run for run in mine if run.sample.args and isinstance(run.sample.args[0], Given)]
    for run in tried:
        assert_same(observe(run, function=method), observe(run), f"method on {run}", rtol=0, atol=0)
    assert tried, "no sample for the method"


@every_name
def test_in_place(name: str) -> None:
    """``x.clone().op_(...)`` gives the values and gradients of ``op(x, ...)`` and is ``x.clone()`` itself."""
    mine = [run for run in runs(name) if run.case.in_place is not False]
    asked = any(run.case.in_place for run in mine)
    if not mine or not (asked or callable(getattr(ad.Tensor, name + "_", None))):
        pytest.skip("has no in-place variant")

    def in_place(self: Any, *args: Any, **kwargs: Any) -> Any:
        clone = self.clone()
        result = getattr(clone, name + "_")(*args, **kwargs)
        assert result is clone
        return result

    compared = 0
    for run in mine:
        expected = observe(run)
        if _fits_in_place(run, expected):
            compared += assert_same(observe(run, function=in_place), expected, f"in place on {run}", rtol=1e-14)
    assert compared > 0, "no sample fits in place"


def _fits_in_place(run: Run, expected: Observed) -> bool:
    """Whether the result can be written over the first argument; if so, it is expected in that argument's dtype."""
    first = run.sample.args[0] if run.sample.args else None
    if not isinstance(first, Given) or len(expected.values) != 1 or first.shape != expected.values[0].shape:
        return False
    dtype = as_dtype(first.array.dtype)
    if not can_cast(expected.dtypes[0], dtype) or (dtype is not expected.dtypes[0] and any(expected.gradient_dtypes)):
        return False
    expected.dtypes[0] = dtype
    expected.values[0] = expected.values[0].astype(first.array.dtype)
    return True


@every_case
def test_out(label: str) -> None:
    """``out=`` receives the result, also if it has to be resized; not while something requires grad.

    A function that does not show it in its signature does not take it.
    """
    case = load()[label]
    if isinstance(inspect.getattr_static(ad.Tensor, case.name, None), property) and not hasattr(ad, case.name):
        pytest.skip("is an attribute")
    if "out" not in inspect.signature(case.function).parameters:
        _, args, kwargs = runs(label=label)[0].sample.bind(lambda given: ad.Tensor(given.array.copy()))
        with pytest.raises(TypeError):
            invoke(case, case.function, args, {**kwargs, "out": ad.empty(0)})
        return
    compared = 0
    for run in runs(label=label):
        plain = lambda given: ad.Tensor(checks.read_only(given.array))
        _, args, kwargs = run.sample.bind(plain)
        seed()
        expected = case.function(*args, **kwargs)
        several = isinstance(expected, tuple)
        for resize in (False, True):
            outs = [_empty_like(tensor, resize) for tensor in checks.flatten(expected)]
            seed()
            result = case.function(*args, **kwargs, out=tuple(outs) if several else outs[0])
            for out, got, wanted in zip(outs, checks.flatten(result), checks.flatten(expected), strict=True):
                assert got is out
                assert out.shape == wanted.shape
                np.testing.assert_array_equal(to_numpy(out), to_numpy(wanted))
                compared += max(1, to_numpy(out).size)
        if run.has_derivative and checks.differentiable(expected):
            _, args, kwargs = run.sample.bind(lambda g: ad.Tensor(g.array.copy(), requires_grad=g.requires_grad))
            with pytest.raises(RuntimeError, match="out="):
                invoke(case, case.function, args, {**kwargs, "out": tuple(outs) if several else outs[0]})
    assert compared > 0


def _empty_like(tensor: Any, resize: bool) -> Any:
    array = to_numpy(tensor)
    return ad.Tensor(np.zeros((0,) if resize else array.shape, dtype=array.dtype))  # a warning if it is not empty
