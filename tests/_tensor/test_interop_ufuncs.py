"""Functions of NumPy and SciPy on tensors: the same values, and a history; SciPy's array API functions as well."""

import os
import subprocess
import sys

import numpy as np
import pytest
import scipy.special

import adjoint as ad
from adjoint._dispatch.array_api import ufuncs

ONE, OTHER = np.array([0.3, 0.6, 0.9]), np.array([0.5, 0.2, 0.7])
WHOLE, OTHER_WHOLE = np.array([6, 4, 9]), np.array([2, 3, 1])
# The others are tested in tests/scipy/test_special.py.
FUNCTIONS_OF_PYTORCH = sorted(name for name, ours in ufuncs.SCIPY.items() if ours != f"special_{name}")
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


@pytest.mark.parametrize("name", FUNCTIONS_OF_PYTORCH)
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


@pytest.mark.parametrize("function", [scipy.special.kl_div, scipy.special.huber])
def test_a_function_of_scipys_is_not_taken_for_ours_by_its_name(function):
    """`kl_div` and `huber` are losses here; there, functions of two numbers."""
    np.testing.assert_allclose(np.asarray(function(ad.tensor(ONE), ad.tensor(OTHER))), function(ONE, OTHER))


def test_a_function_without_a_known_derivative_refuses_to_lose_the_history():
    values = ad.tensor(ONE)
    np.testing.assert_allclose(scipy.special.smirnov(5, values), scipy.special.smirnov(5, ONE))
    with pytest.raises(RuntimeError, match=r"smirnov .* would lose its history"):
        scipy.special.smirnov(5, values.requires_grad_())


ARRAY_API = """
import numpy as np
import scipy.integrate
import scipy.linalg
import scipy.optimize
import scipy.signal
import scipy.special
import scipy.stats
from scipy.interpolate import RBFInterpolator
from scipy.spatial.transform import RigidTransform, Rotation

import adjoint as ad

def as_like(array, other):
    return ad.tensor(array) if isinstance(other, ad.Tensor) else array


ad.set_default_dtype(ad.float64)  # SciPy makes arrays of numbers, such as step sizes, in the default dtype
rng = np.random.default_rng(0)
x, y = rng.uniform(0.2, 0.9, (3, 4)), rng.uniform(0.2, 0.9, (3, 4))
points, axes = rng.normal(size=(5, 3)), np.eye(3)
one_array = [getattr(scipy.special, name) for name in (
    "entr erf erfc erfcx erfinv exp2 expit gammaln i0 i0e i1 i1e j0 j1 k0 k0e k1 k1e log_ndtr logit ndtr ndtri psi "
    "sinc y0 y1"
).split()]
for name, function, *arrays in (
    *[(function.__name__, function, x) for function in one_array],
    ("xlogy", scipy.special.xlogy, x, y),
    ("xlog1py", scipy.special.xlog1py, x, y),
    ("rel_entr", scipy.special.rel_entr, x, y),
    ("gammainc", lambda x: scipy.special.gammainc(1.5, x), x),
    ("chdtrc", lambda x: scipy.special.chdtrc(3.0, x), x),
    ("zeta", lambda x: scipy.special.zeta(2.5, x), x),
    ("multigammaln", lambda x: scipy.special.multigammaln(x, 2), x + 2),
    ("polygamma", lambda x: scipy.special.polygamma(2, x), x),
    ("logsumexp", lambda x: scipy.special.logsumexp(x, axis=1), x),
    ("softmax", lambda x: scipy.special.softmax(x, axis=1), x),
    ("zscore", lambda x: scipy.stats.zscore(x, axis=1), x),
    ("skew", lambda x: scipy.stats.skew(x, axis=1), x),
    ("gmean", lambda x: scipy.stats.gmean(x, axis=1), x),
    ("entropy", lambda x: scipy.stats.entropy(x, axis=1), x),
    ("chisquare", lambda x: tuple(scipy.stats.chisquare(x, axis=1)), x),
    ("stouffer", lambda x: scipy.stats.combine_pvalues(x, method="stouffer", axis=1).pvalue, x),
    ("trapezoid", lambda x: scipy.integrate.trapezoid(x, axis=1), x),
    ("cumulative_simpson", lambda x: scipy.integrate.cumulative_simpson(x, axis=1), x),
    ("fftconvolve", scipy.signal.fftconvolve, x, y[:2, :2]),
    ("block_diag", scipy.linalg.block_diag, x, y),
    ("rosen", lambda x: scipy.optimize.rosen(x[0, :]), x),
    ("rotations", lambda x: Rotation.from_rotvec(x).as_matrix(), points),
    ("davenport", lambda x: Rotation.from_davenport(as_like(axes, x), "extrinsic", x).as_matrix(), points),
    ("as_davenport", lambda x: Rotation.from_rotvec(x).as_davenport(as_like(axes, x), "extrinsic"), points),
    ("transforms", lambda x: RigidTransform.from_exp_coords(x).as_dual_quat(), rng.normal(size=(2, 6))),
    ("splines", lambda y: RBFInterpolator(as_like(points, y), y)(as_like(points + 0.1, y)), rng.normal(size=5)),
):
    out, expected = function(*map(ad.tensor, arrays)), function(*arrays)
    for ours, theirs in zip(out, expected) if isinstance(out, tuple) else [(out, expected)]:
        assert ours.numpy().dtype == np.float64, name
        np.testing.assert_allclose(ours.numpy(), theirs, rtol=1e-9, atol=1e-12, err_msg=name)
    assert ad.autograd.gradcheck(function, tuple(ad.tensor(array, requires_grad=True) for array in arrays)), name

ad.set_default_dtype(ad.float32)
# PyTorch would give the wider of the two types of number up, as the sum has no dimensions and the zeros have one.
_, distance = Rotation.align_vectors(ad.tensor(points), ad.tensor(points[:, ::-1].copy()))
assert distance.dtype is ad.float64
orders, values = np.array([0, 1, 2, 3]), ad.tensor(x[0], requires_grad=True)
several = scipy.special.polygamma(ad.tensor(orders), values)
np.testing.assert_allclose(several.detach().numpy(), scipy.special.polygamma(orders, x[0]), rtol=1e-12)
several.sum().backward()
np.testing.assert_allclose(values.grad.numpy(), scipy.special.polygamma(orders + 1, x[0]), rtol=1e-12)
print("differentiated")
"""


def test_scipys_array_api_functions_are_differentiable():
    """SciPy reads the switch when it is imported, hence a process of its own."""
    env = os.environ | {"SCIPY_ARRAY_API": "1"}
    done = subprocess.run([sys.executable, "-c", ARRAY_API], capture_output=True, text=True, env=env, check=False)
    assert done.stdout == "differentiated\n", done.stderr
