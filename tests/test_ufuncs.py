"""Functions of NumPy and SciPy on tensors: the same values, and a history; SciPy's array API functions as well."""

import os
import subprocess
import sys

import numpy as np
import pytest
import scipy.special

import adjoint as ad
from adjoint import ufuncs

ONE, OTHER = np.array([0.3, 0.6, 0.9]), np.array([0.5, 0.2, 0.7])
WHOLE, OTHER_WHOLE = np.array([6, 4, 9]), np.array([2, 3, 1])
NUMPY = sorted(name for name in dir(np) if isinstance(getattr(np, name), np.ufunc))


def results(function, *arrays):
    out = function(*arrays)
    return out if isinstance(out, tuple) else (out,)


def operands(function):
    """Numbers that a function takes, floating point ones if it can."""
    numbers = (ONE, OTHER), (1 + ONE, OTHER), (WHOLE, OTHER_WHOLE), (ONE, WHOLE)
    for pair in (*numbers, (np.eye(3), OTHER), (OTHER, np.eye(3))):
        try:
            function(*pair[: function.nin])
        except (TypeError, ValueError, RuntimeWarning):  # the last for arccosh below 1
            continue
        return pair[: function.nin]
    return None


@pytest.mark.parametrize("name", NUMPY)
def test_numpys_functions_have_numpys_values(name):
    function = getattr(np, name)
    arrays = operands(function)
    if arrays is None:
        pytest.skip("does not compute with numbers")
    got = results(function, *[ad.tensor(array) for array in arrays])
    for ours, theirs in zip(got, results(function, *arrays), strict=True):
        np.testing.assert_allclose(np.asarray(ours), theirs, rtol=1e-12)


@pytest.mark.parametrize("name", sorted(ufuncs._SCIPY))
def test_scipys_functions_have_scipys_values_and_are_recorded(name):
    function = getattr(scipy.special, name)
    arrays = (ONE, OTHER)[: getattr(function, "nin", 1)]
    inputs = [ad.tensor(array) for array in arrays]
    inputs[-1].requires_grad_()  # igamma has a derivative by its second argument only
    out = function(*inputs)
    assert isinstance(out, ad.Tensor) and out.requires_grad
    np.testing.assert_allclose(out.detach().numpy(), function(*arrays), rtol=1e-12)
    out.sum().backward()
    step = 1e-6
    ahead, behind = (function(*arrays[:-1], arrays[-1] + sign * step) for sign in (1, -1))
    np.testing.assert_allclose(inputs[-1].grad.numpy(), (ahead - behind) / (2 * step), rtol=1e-6)


@pytest.mark.parametrize("function", [scipy.special.kl_div, scipy.special.huber, scipy.special.betaln])
def test_a_function_of_scipys_is_not_taken_for_ours_by_its_name(function):
    """`kl_div` and `huber` are losses here; there, functions of two numbers."""
    np.testing.assert_allclose(np.asarray(function(ad.tensor(ONE), ad.tensor(OTHER))), function(ONE, OTHER))
    with pytest.raises(RuntimeError, match="would lose its history"):
        function(ad.tensor(ONE, requires_grad=True), ad.tensor(OTHER))


ARRAY_API = """
import numpy as np
import scipy.integrate
import scipy.optimize
import scipy.special
import scipy.stats
from scipy.spatial.transform import Rotation

import adjoint as ad

x = np.linspace(0.1, 2, 12).reshape(3, 4)
for function in (
    lambda x: scipy.special.logsumexp(x, axis=1),
    lambda x: scipy.special.softmax(x, axis=1),
    lambda x: scipy.stats.zscore(x, axis=1),
    lambda x: scipy.stats.skew(x, axis=1),
    lambda x: scipy.stats.gmean(x, axis=1),
    lambda x: scipy.integrate.trapezoid(x, axis=1),
    lambda x: Rotation.from_rotvec(x[:, :3]).as_matrix(),
    lambda x: scipy.optimize.rosen(x[0, :]),
):
    out = function(ad.tensor(x))
    np.testing.assert_allclose(out.numpy(), function(x), rtol=1e-12)
    assert ad.autograd.gradcheck(function, ad.tensor(x, requires_grad=True))
print("differentiated")
"""


def test_scipys_array_api_functions_are_differentiable():
    """SciPy reads the switch when it is imported, hence a process of its own."""
    env = os.environ | {"SCIPY_ARRAY_API": "1"}
    done = subprocess.run([sys.executable, "-c", ARRAY_API], capture_output=True, text=True, env=env, check=False)
    assert done.stdout == "differentiated\n", done.stderr
