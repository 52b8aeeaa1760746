"""NumPy's functions on tensors: NumPy's values, and derivatives in every mode."""

import re

import numpy as np

import adjoint as ad
from tests._numpy.samples import SAMPLES, VARIABLES
from tests.support.grouping import on_each

VALUES_DECIDE = frozenset(
    """
    argwhere bincount compress digitize extract flatnonzero histogram histogram2d histogram_bin_edges histogramdd
    intersect1d ix_ min_scalar_type nonzero packbits real_if_close setdiff1d setxor1d trim_zeros union1d unique
    unique_all unique_counts unique_inverse unique_values unpackbits may_share_memory shares_memory array2string
    array_repr array_str allclose array_equal array_equiv frexp spacing bitwise_count
    """.split()
)
"""Functions whose results, or their shapes, depend on values, so that `vmap` cannot know them."""


def names_in(expression):
    code = compile(expression, "sample", "eval")
    inner = [const.co_names for const in code.co_consts if hasattr(const, "co_names")]
    return [name for name in dict.fromkeys([*code.co_names, *sum(inner, ())]) if name in VARIABLES]


def make_function(expression):
    """A function of the variables of an expression, and their names."""
    names = names_in(expression)
    return eval(f"lambda {', '.join(names)}: {expression}", {"np": np}), names


def flatten(result):
    if isinstance(result, (tuple, list)):
        return [leaf for one in result for leaf in flatten(one)]
    return [result]


def compare(ours, theirs):
    for got, expected in zip(flatten(ours), flatten(theirs), strict=True):
        if not isinstance(got, ad.Tensor):
            assert type(got) is type(expected) or isinstance(got, (bool, int, str)), type(got)
            assert np.array_equal(got, expected)
            continue
        expected = np.asarray(expected)
        got = got.detach().numpy()
        assert got.shape == expected.shape
        assert got.dtype.kind == expected.dtype.kind
        np.testing.assert_allclose(got, expected, rtol=1e-6 if expected.dtype.itemsize < 8 else 1e-12, atol=1e-14)


@on_each(SAMPLES)
def test_values_are_numpys(run):
    function, names = make_function(run.expression)
    arrays = [VARIABLES[name] for name in names]
    with np.errstate(all="ignore"):
        theirs = function(*arrays)
        compare(function(*[ad.tensor(array) for array in arrays]), theirs)
        for i in range(len(arrays)):  # one tensor among arrays
            mixed = [ad.tensor(array) if i == j else array for j, array in enumerate(arrays)]
            ours = function(*mixed)
            if any(isinstance(leaf, ad.Tensor) for leaf in flatten(ours)):
                compare(ours, theirs)


def differentiable(names):
    return [name for name in names if VARIABLES[name].dtype.kind in "fc" and not name.isupper()]


def differentiable_part(expression):
    """A function of the variables with derivatives, and those variables; None if it has no results with one."""
    function, names = make_function(expression)
    own = differentiable(names)

    def part(*values):
        given = dict(zip(own, values))
        if "n" in given:  # finite differences cannot be taken at NaN
            given["n"] = np.where(np.isnan(VARIABLES["n"]), np.nan, given["n"])
        return flatten(function(*[given.get(name, VARIABLES[name]) for name in names]))

    leaves = [ad.tensor(np.nan_to_num(VARIABLES[name], nan=0.123), requires_grad=True) for name in own]
    results = part(*leaves) if own else []
    chosen = [i for i, x in enumerate(results) if isinstance(x, ad.Tensor) and x.requires_grad and x.dtype.itemsize > 4]
    if not chosen:
        return None, ()
    return lambda *values: tuple(part(*values)[i] for i in chosen), leaves


@on_each(SAMPLES)
def test_derivatives_in_both_modes(run):
    function, leaves = differentiable_part(run.expression)
    if function is None:
        return
    assert ad.autograd.gradcheck(function, leaves, check_forward_ad=True, check_undefined_grad=False)


@on_each(SAMPLES)
def test_second_derivatives_and_transforms(run):
    function, leaves = differentiable_part(run.expression)
    if function is None:
        return
    values = [leaf.detach() for leaf in leaves]
    if not any(x.is_complex() for x in (*values, *function(*values))):
        reverse = ad.func.jacrev(function, argnums=tuple(range(len(values))))(*values)
        forward = ad.func.jacfwd(function, argnums=tuple(range(len(values))))(*values)
        for one, other in zip(flatten(reverse), flatten(forward), strict=True):
            np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-9, atol=1e-11)

    def total(*args):  # no squares: that of a root would have no second derivative to compare
        parts = [part for x in function(*args) for part in ((x.real, x.imag) if x.is_complex() else (x,))]
        return sum(ad.sin(part + 0.3).sum() for part in parts)

    def gradient(*args):
        return ad.func.grad(total, argnums=tuple(range(len(args))))(*args)

    assert ad.autograd.gradcheck(gradient, leaves, check_forward_ad=True, fast_mode=True, check_undefined_grad=False)


@on_each(SAMPLES)
def test_vmap(run):
    function, names = make_function(run.expression)
    used = set(re.findall(r"np\.(\w+)", run.expression))
    own = differentiable(names)
    if not own or used & VALUES_DECIDE or run.expression == "np.where(a > 0)":
        return
    name, i = own[0], names.index(own[0])
    single = [VARIABLES[one] for one in names]
    batch = np.stack([VARIABLES[name], VARIABLES[name] * 1.01])

    def mapped(x):
        results = flatten(function(*single[:i], x, *single[i + 1 :]))
        return tuple(x for x in results if isinstance(x, ad.Tensor))

    with np.errstate(all="ignore"):
        got = ad.func.vmap(mapped)(ad.tensor(batch))
        for j, one in enumerate(batch):
            compare(tuple(x[j] for x in got), tuple(mapped(ad.tensor(one))))


@on_each(SAMPLES)
def test_vmap_of_gradients(run):
    function, leaves = differentiable_part(run.expression)
    if function is None or set(re.findall(r"np\.(\w+)", run.expression)) & VALUES_DECIDE:
        return
    if run.expression == "np.where(a > 0)" or any(leaf.is_complex() for leaf in leaves):
        return
    rest = [leaf.detach() for leaf in leaves[1:]]

    def total(x):
        return sum(ad.abs(ad.sin(part + 0.3)).sum() for part in function(x, *rest))

    batch = ad.stack([leaves[0].detach(), leaves[0].detach() * 1.01])
    together = ad.func.vmap(ad.func.grad(total))(batch)
    for got, x in zip(together, batch, strict=True):
        np.testing.assert_allclose(got.numpy(), ad.func.grad(total)(x).numpy(), rtol=1e-9, atol=1e-11)
