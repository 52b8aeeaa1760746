"""Every sample of a NumPy function, with `adjoint.numpy` and boxes in place of arrays."""

import re

import numpy as np
import pytest

import adjoint as ad
import adjoint.numpy as anp
from adjoint.hips import grad
from tests._numpy.samples import SAMPLES, VARIABLES
from tests._numpy.test_functions import differentiable, flatten, make_function, names_in
from tests.support.grouping import on_each

WRITE_OR_SHARE = frozenset(["may_share_memory", "shares_memory", "array2string", "array_repr", "array_str"])


def make_box_function(expression):
    return eval(f"lambda {', '.join(names_in(expression))}: {expression}", {"np": anp})


def get_value(result):
    return result.tensor.detach().numpy() if isinstance(result, anp.ArrayBox) else np.asarray(result)


def is_skipped(run):
    return bool(set(re.findall(r"np\.(\w+)", run.expression)) & WRITE_OR_SHARE)


@on_each(SAMPLES)
def test_values_are_numpys(run):
    function, names = make_function(run.expression)
    if is_skipped(run):
        pytest.skip("of memory, or of text")
    given = dict(VARIABLES)
    for name in differentiable(names):
        given[name] = anp.ArrayBox(ad.tensor(VARIABLES[name], requires_grad=True))
    with np.errstate(all="ignore"):
        theirs = flatten(function(*[VARIABLES[name] for name in names]))
        ours = flatten(make_box_function(run.expression)(*[given[name] for name in names]))
    for got, expected in zip(ours, theirs, strict=True):
        assert not isinstance(got, ad.Tensor), "tensors have PyTorch's methods"
        assert np.array_equal(np.shape(got), np.shape(expected))
        if not isinstance(expected, (str, type, np.dtype)):
            expected = np.asarray(expected)
            np.testing.assert_allclose(get_value(got), expected, rtol=1e-5 if expected.dtype.itemsize < 8 else 1e-10)


@on_each(SAMPLES)
def test_gradients_are_those_of_tensors(run):
    function, names = make_function(run.expression)
    own = differentiable(names)
    if is_skipped(run) or not own:
        pytest.skip("without derivatives")

    def total(np, call, **values):
        given = [values.get(name, VARIABLES[name]) for name in names]
        parts = [x for x in flatten(call(*given)) if isinstance(x, (anp.ArrayBox, ad.Tensor))]
        parts = [x for x in parts if np.result_type(x).kind in "fc"]
        return sum([np.sum(np.sin(np.real(x)) + np.imag(x)) for x in parts], np.sum(values[own[0]]) * 0.0).real

    start = {name: np.nan_to_num(VARIABLES[name], nan=0.123) for name in own}
    with np.errstate(all="ignore"):
        ours = grad(lambda values: total(anp, make_box_function(run.expression), **values))(start)
        theirs = ad.func.grad(lambda values: total(np, function, **values))(start)
    for name in own:
        assert type(ours[name]) in (np.ndarray, np.float64)
        np.testing.assert_allclose(ours[name], theirs[name].numpy().conj(), rtol=1e-10, atol=1e-12)
