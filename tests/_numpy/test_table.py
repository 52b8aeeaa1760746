"""The table of NumPy's functions: nothing is left out, calls are bound by NumPy's signature, the rest is refused."""

import inspect
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

import adjoint as ad
from adjoint._dispatch.array_api.ufuncs import operator_for
from adjoint._numpy.table import refused, table
from tests._numpy.samples import SAMPLES

NO_NUMBERS = "busday_count busday_offset datetime_as_string is_busday isnat".split()
TAKES_NO_TENSORS = {
    # A class, a module, or a function that NumPy does not dispatch by the types of its arguments.
    "arange", "array", "asanyarray", "asarray", "asarray_chkfinite", "ascontiguousarray", "asfortranarray", "asmatrix",
    "bartlett", "base_repr", "binary_repr", "blackman", "bmat", "broadcast_shapes", "datetime_data", "diag_indices",
    "empty", "eye", "format_float_positional", "format_float_scientific", "from_dlpack", "frombuffer", "fromfile",
    "fromfunction", "fromiter", "frompyfunc", "fromregex", "fromstring", "full", "genfromtxt", "get_include",
    "get_printoptions", "getbufsize", "geterr", "geterrcall", "hamming", "hanning", "identity", "indices", "info",
    "isdtype", "isfortran", "isscalar", "issubdtype", "iterable", "kaiser", "load", "loadtxt", "mask_indices",
    "mintypecode", "nested_iters", "ones", "printoptions", "promote_types", "require", "row_stack", "set_printoptions",
    "setbufsize", "seterr", "seterrcall", "show_config", "show_runtime", "test", "tri", "tril_indices", "triu_indices",
    "typename", "zeros",
}  # fmt: skip
POLYNOMIALS = "poly polyadd polyder polydiv polyfit polyint polymul polysub polyval roots vander".split()
FUNCTIONS = {
    name: getattr(np, name)
    for name in dir(np)
    if name[0] != "_" and callable(getattr(np, name)) and not isinstance(getattr(np, name), type)
}


def find_places(name, function):
    """In which of the lists a function is: in exactly one."""
    known = {
        "implemented": function in table or (isinstance(function, np.ufunc) and operator_for(function) is not None),
        "refused": function in refused,
        "not of numbers": name in NO_NUMBERS,
        "polynomial": name in POLYNOMIALS and function not in table,
        "takes no tensors": name in TAKES_NO_TENSORS,
    }
    return [place for place, is_there in known.items() if is_there]


def test_every_function_of_numpy_is_accounted_for():
    places = {name: find_places(name, function) for name, function in FUNCTIONS.items()}
    assert not {name: found for name, found in places.items() if len(found) != 1}


def find_differences(entry):
    """Parameters of a body that NumPy's function does not have, or that have another default.

    An argument that is NumPy's default is not passed on. A body may have fewer parameters.
    """
    theirs, ours = inspect.signature(entry.function).parameters, inspect.signature(entry.body).parameters
    newer = {"device", "correction", "mean", "axis"}  # parameters that older versions of NumPy do not have
    takes_any = any(p.kind is p.VAR_KEYWORD for p in theirs.values())
    unknown = {name for name, p in ours.items() if p.kind is not p.VAR_KEYWORD} - {*theirs} - newer
    defaults = {name: theirs[name].default for name in {*ours} & {*theirs}}
    open_ = (inspect.Parameter.empty, np._NoValue)
    return (unknown if not takes_any else set()) | {
        name for name, default in defaults.items() if default not in open_ and default != ours[name].default
    }


def test_bodies_have_numpys_parameters():
    differences = {entry.name: find_differences(entry) for entry in table.values()}
    assert not {name: found for name, found in differences.items() if found}


def test_every_function_has_a_sample():
    have = {name for sample in SAMPLES for name in re.findall(r"np\.(\w+)", sample.expression)}
    in_place = {"copyto", "put", "place", "putmask", "put_along_axis", "fill_diagonal"}
    named = {entry.name.removeprefix("np.") for entry in table.values()}
    assert not {name for name in named if "." not in name} - have - in_place - {*POLYNOMIALS}


# ---- binding ---------------------------------------------------------------------------------------------------------

X = ad.tensor([[3.0, 1.0], [2.0, 5.0]], requires_grad=True)


def test_arguments_are_bound_by_position_and_by_name():
    assert np.sum(X, 0, None, None, True).shape == (1, 2)
    assert np.sum(a=X, axis=1).tolist() == [4.0, 7.0]
    assert np.concatenate((X, X), axis=1).shape == (2, 4)
    with pytest.raises(TypeError, match="unexpected keyword argument 'dim'"):
        np.sum(X, dim=0)


def test_an_argument_that_is_not_supported_is_refused_by_name():
    with pytest.raises(TypeError, match=r"np\.sort of tensors does not take order="):
        np.sort(X, order="field")
    with pytest.raises(TypeError, match=r"np\.matmul of tensors does not take axes="):
        np.matmul(X, X, axes=[(0, 1), (0, 1), (0, 1)])


def test_arguments_that_concern_speed_only_are_accepted():
    np.sort(X, kind="mergesort")
    np.einsum("ij,jk", X, X, optimize=True)
    np.median(X, overwrite_input=False)


# ---- out= ------------------------------------------------------------------------------------------------------------


def test_out_is_written_and_recorded():
    x = ad.tensor([1.0, 2.0], requires_grad=True)
    out = ad.zeros(2)
    assert np.cumsum(x * x, out=out) is out
    out.sum().backward()
    assert x.grad.tolist() == [4.0, 4.0]
    scalar = ad.zeros(())
    assert np.sum(x, out=scalar) is scalar and scalar.item() == 3.0
    assert np.add(x, 1.0, out=out) is out and out.tolist() == [2.0, 3.0]
    both = ad.zeros(2), ad.zeros(2)
    assert np.modf(ad.tensor([1.5, -2.25]), out=both)[0] is both[0] and both[1].tolist() == [1.0, -2.0]


def test_out_has_to_fit():
    with pytest.raises(ValueError, match=r"result has shape \(2,\), the output \(3,\)"):
        np.sum(X, 0, out=ad.zeros(3))
    with pytest.raises(TypeError, match="float32 cannot be stored as int64"):
        np.sum(X, 0, out=ad.zeros(2, dtype=ad.int64))


def test_an_array_as_out_takes_values_without_derivatives_only():
    out = np.zeros(2, np.float32)
    assert np.sum(X.detach(), 0, out=out) is out and out.tolist() == [5.0, 6.0]
    with pytest.raises(RuntimeError, match=r"np\.sum\(out=\.\.\.\).*cannot record it; give a tensor"):
        np.sum(X, 0, out=out)
    with pytest.raises(RuntimeError, match="cannot record it"):
        out += X[0]


def test_where_of_ufuncs_needs_out():
    x = ad.tensor([1.0, 4.0], requires_grad=True)
    out = ad.tensor([7.0, 7.0])
    np.sqrt(x, where=[False, True], out=out)
    assert out.tolist() == [7.0, 2.0]
    out.sum().backward()
    assert x.grad.tolist() == [0.0, 0.25]
    with pytest.raises(TypeError, match=r"use np\.where"):
        np.sqrt(x, where=[False, True])


# ---- functions that are not in the table -----------------------------------------------------------------------------


def test_a_function_without_derivative_gets_values_and_returns_what_it_returns():
    assert isinstance(np.spacing(ad.ones(2)), np.ndarray)
    assert np.spacing(ad.ones(2)).dtype == np.float32
    twice = np.frompyfunc(lambda x: 2 * x, 1, 1)
    assert twice(ad.ones(2)).tolist() == [2.0, 2.0]


@pytest.mark.parametrize(
    "use",
    [
        lambda f: f(ad.ones(2, requires_grad=True)),
        lambda f: ad.func.jvp(f, (ad.ones(2),), (ad.ones(2),)),
        lambda f: ad.func.grad(lambda x: ad.as_tensor(f(x)).sum())(ad.ones(2)),
        lambda f: ad.func.vmap(f)(ad.ones(2, 3)),
    ],
    ids=["reverse", "forward", "grad", "vmap"],
)
def test_it_is_refused_where_a_derivative_would_be_lost(use):
    with pytest.raises(RuntimeError, match=r"np\.spacing has no derivative here.*np\.finfo"):
        use(np.spacing)
    twice = np.frompyfunc(lambda x: 2 * x, 1, 1)
    with pytest.raises(RuntimeError, match="wrap_numpy"):
        use(twice)


def test_values_inside_of_a_transform_that_have_no_derivative():
    def function(x):
        unit = np.spacing(ad.ones(2))  # a tensor of the transform's level
        return np.sum(x * ad.as_tensor(unit))

    expected = np.spacing(np.ones(2, np.float32))
    assert np.array_equal(ad.func.grad(function)(ad.ones(2)).numpy(), expected)
    assert np.array_equal(ad.func.jacfwd(function)(ad.ones(2)).numpy(), expected)


def test_files(tmp_path):
    np.save(tmp_path / "x.npy", ad.ones(2))
    assert np.load(tmp_path / "x.npy").tolist() == [1.0, 1.0]
    with pytest.raises(RuntimeError, match="pickle"):
        np.save(tmp_path / "x.npy", X)
    assert pickle.loads(pickle.dumps(X)).tolist() == X.tolist()


def test_other_types_may_take_over():
    class Other:
        def __array_function__(self, func, types, args, kwargs):
            return "theirs"

    assert np.concatenate([X, Other()]) == "theirs"


def test_the_table_is_not_imported_with_the_package():
    code = "import sys, adjoint as ad; ad.ones(2) * 2; sys.exit('adjoint._numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_reductions_of_no_elements_in_forward_mode():
    """The slices of an axis of length 0 are no tensors at all, and have no tangents."""
    nothing = ad.ones(0, dtype=ad.float64)
    value, tangent = ad.func.jvp(np.logaddexp.reduce, (nothing,), (nothing,))
    assert value.item() == -np.inf and tangent.item() == 0.0
    assert ad.func.jvp(np.subtract.accumulate, (nothing,), (nothing,))[1].shape == (0,)
