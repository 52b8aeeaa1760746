"""What happens inside `vmap`: writes, errors, random numbers, operators that look at values."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint._dispatch.declare import general
from adjoint._dispatch.table import table
from adjoint.arrays.batched import BatchedArray, batched_namespace, running
from adjoint.func import grad, set_vmap_fallback_warning_enabled, vmap


def rows() -> ad.Tensor:
    return ad.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], dtype=ad.float64)


def assert_equal(found: Any, expected: Any) -> None:
    expected = expected.detach().numpy() if isinstance(expected, ad.Tensor) else np.asarray(expected)
    assert tuple(found.shape) == expected.shape
    np.testing.assert_allclose(found.detach().numpy(), expected, rtol=1e-12, atol=1e-12)


# ---- writes ----------------------------------------------------------------------------------------------------------


def test_writes_inside() -> None:
    x = rows()

    def function(a: Any) -> Any:
        out = a.new_zeros(4)
        out[1:] = a
        view = out[:2]
        view.add_(1)
        out[a.new_full((1,), 3, dtype=ad.int64)] *= 2
        return out, view

    out, view = vmap(function)(x)
    assert_equal(out, [[1, 2, 2, 6], [1, 5, 5, 12]])
    assert_equal(view, [[1, 2], [1, 5]])


def test_a_write_to_an_argument_is_seen_outside() -> None:
    x = rows()
    vmap(lambda a: a[1:].mul_(10))(x)
    assert_equal(x, [[1, 20, 30], [4, 50, 60]])
    y = rows()
    vmap(lambda a: a.zero_(), in_dims=1)(y[:, :2])
    assert_equal(y, [[0, 0, 3], [0, 0, 6]])
    z = rows().requires_grad_()
    middle = z * 1
    vmap(lambda a: a[1:].mul_(3))(middle)
    (found,) = ad.autograd.grad(middle.sum(), z)
    assert_equal(found, [[1, 3, 3], [1, 3, 3]])
    middle = z * 1
    vmap(lambda a: a[1:].mul_(a[1:].sin()))(middle)
    with pytest.raises(RuntimeError, match="in-place"):
        middle.sum().backward()


def test_a_write_to_what_a_view_inside_has_saved_is_noticed() -> None:
    x = rows().requires_grad_()
    out = vmap(lambda a: a[1:].exp() * a.reshape(3, 1)[1:, 0])(x)
    with ad.no_grad():
        x.mul_(2)
    with pytest.raises(RuntimeError, match="in-place"):
        out.sum().backward()


def test_a_write_through_a_mask_that_differs() -> None:
    def function(a: Any) -> Any:
        a = a.clone()
        a[a > 2] = 0.0
        return a

    assert_equal(vmap(function)(rows()), [[1, 2, 0], [0, 0, 0]])

    def filled(a: Any, c: Any) -> Any:
        a = a.clone()
        a[a > 2] = c
        return (a * a).sum()

    x, c = rows(), ad.tensor(7.0, dtype=ad.float64)
    for found in (
        vmap(grad(filled, argnums=(0, 1)), in_dims=(0, None))(x, c),
        vmap(grad(filled, argnums=(0, 1)))(x, c.expand(2)),
        grad(lambda x, c: vmap(filled)(x, c).sum(), argnums=(0, 1))(x, c.expand(2)),
    ):
        assert_equal(found[0], [[2, 4, 0], [0, 0, 0]])
        assert_equal(found[1], [14, 42])


@pytest.mark.parametrize(
    "write",
    [
        lambda target, a: target.add_(a),
        lambda target, a: target.copy_(a),
        lambda target, a: target.__setitem__(0, a[0]),
        lambda target, a: target.__setitem__(ad.tensor([0, 1]), a[0]),
        lambda target, a: target.fill_(a[0]),
        lambda target, a: target[:2].mul_(a[:2]),
        lambda target, a: ad.add(a, a, out=target),
    ],
)
def test_a_shared_tensor_cannot_be_written_to(write: Any) -> None:
    target = ad.zeros(3, dtype=ad.float64)
    with pytest.raises(RuntimeError, match="same for all samples"):
        vmap(lambda a: (write(target, a), a)[1])(rows())
    assert_equal(target, np.zeros(3))

    def nested(a: Any) -> Any:
        mine = a.clone()
        return vmap(lambda b: (write(mine, b), b)[1])(rows())

    with pytest.raises(RuntimeError, match="same for all samples"):
        vmap(nested)(rows())


VIEWS: dict[str, Any] = {
    "itself": lambda a: a,
    "a part": lambda a: a[1:],
    "another shape": lambda a: a.reshape(3, 1),
    "a view of a view": lambda a: a.view(3, 1).t()[0, ::2],
    "detached": lambda a: a[:2].detach(),
}


@pytest.mark.parametrize("library", ["numpy", "jax"])
@pytest.mark.parametrize("in_dim", [0, 1])
@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_results_that_show_an_argument_are_views_of_it(view: Any, in_dim: int, library: str) -> None:
    xp = np if library == "numpy" else pytest.importorskip("jax.numpy")
    given = ad.Tensor(xp.asarray(rows().numpy().astype(np.float32)))
    x = given if in_dim == 0 else given.t()
    out = vmap(view, in_dims=in_dim)(x)
    expected = np.stack([view(row.clone()).numpy() for row in given])
    assert_equal(out, expected)
    out.mul_(10)
    assert_equal(out, 10 * expected)
    assert_equal(vmap(view, in_dims=in_dim)(x), 10 * expected)
    assert x._version == out._version == 1
    x.zero_()
    assert_equal(out, 0 * expected)


def test_an_argument_is_returned_itself() -> None:
    x = rows()
    assert vmap(lambda a: a)(x) is x
    assert vmap(vmap(lambda a: a))(x) is x
    assert vmap(lambda a: a.add_(1))(x) is x
    assert_equal(x, rows() + 1)


def test_a_write_to_a_result_that_is_a_view_is_recorded() -> None:
    w = rows().requires_grad_()
    x = w * 1
    vmap(lambda a: a[0])(x).mul_(3)
    x.sum().backward()
    assert_equal(w.grad, [[3, 1, 1], [3, 1, 1]])


def test_a_constant_is_returned_as_a_view() -> None:
    x, constant = rows(), ad.ones(2)
    out = vmap(lambda a: constant)(x)
    constant.zero_()
    assert_equal(out, np.zeros((2, 2)))


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda x: vmap(lambda a: a)(), ValueError, "without positional arguments"),
        (lambda x: vmap(lambda a: a, in_dims=None)(x), ValueError, "in_dims"),
        (lambda x: vmap(lambda a: a, in_dims=(None,))(x), ValueError, "at least one"),
        (lambda x: vmap(lambda a: a, in_dims="x")(x), ValueError, "in_dims"),
        (lambda x: vmap(lambda a: a, in_dims=(0.5,))(x), ValueError, "ints and None"),
        (lambda x: vmap(lambda a: a, in_dims=2)(x), ValueError, "2 dimensions"),
        (lambda x: vmap(lambda a: a, in_dims=-3)(x), ValueError, "2 dimensions"),
        (lambda x: vmap(lambda a: a)(x.sum()), ValueError, "0 dimensions"),
        (lambda x: vmap(lambda a, b: a, in_dims=(0,))(x, x), ValueError, "in_dims"),
        (lambda x: vmap(lambda a, b: a)(x, 2.0), ValueError, "only tensors can be mapped"),
        (lambda x: vmap(lambda a, b: a, in_dims=(0, 1))(x, x), ValueError, r"different lengths: \[2, 3\]"),
        (lambda x: vmap(lambda a: 3.0)(x), ValueError, "returned a float"),
        (lambda x: vmap(lambda a: None)(x), ValueError, "returned a NoneType"),
        (lambda x: vmap(lambda a: (a, a), out_dims=(0, 0, 0))(x), ValueError, "out_dims"),
        (lambda x: vmap(lambda a: a, out_dims="x")(x), ValueError, "out_dims"),
        (lambda x: vmap(lambda a: a, out_dims=None)(x), ValueError, "differs from sample to sample"),
        (lambda x: vmap(lambda a: a, out_dims=5)(x), IndexError, None),
        (lambda x: vmap(lambda a: a, randomness="maybe"), RuntimeError, "randomness"),
        (lambda x: vmap(lambda a: a, chunk_size=0), ValueError, "chunk_size"),
        (lambda x: vmap(lambda a: a.sum().item())(x), RuntimeError, r"where\(\)"),
        (lambda x: vmap(lambda a: float(a.sum()))(x), RuntimeError, r"where\(\)"),
        (lambda x: vmap(lambda a: a if a.sum() > 0 else -a)(x), RuntimeError, r"where\(\)"),
        (lambda x: vmap(lambda a: a.tolist())(x), RuntimeError, r"where\(\)"),
        (lambda x: vmap(lambda a: a.numpy())(x), RuntimeError, r"where\(\)"),
        (lambda x: vmap(lambda a: np.asarray(a))(x), RuntimeError, r"where\(\)"),
        (lambda x: vmap(lambda a: a[a > 0])(x), RuntimeError, "mask"),
        (lambda x: vmap(lambda a: a.nonzero())(x), RuntimeError, "nonzero"),
        (lambda x: vmap(lambda a: ad.unique(a))(x), RuntimeError, "depends on values"),
        (lambda x: vmap(lambda a: ad.masked_select(a, a > 0))(x), RuntimeError, "mask"),
        (lambda x: vmap(lambda a: range(a.sum()))(x), (RuntimeError, TypeError), None),
        (lambda x: vmap(lambda a: ad.randn(2))(x), RuntimeError, "randomness='different'"),
    ],
)
def test_errors(call: Any, kind: Any, message: str | None) -> None:
    with pytest.raises(kind, match=message):
        call(rows())
    assert running() == ()


def test_an_error_inside_leaves_nothing_behind() -> None:
    with pytest.raises(ZeroDivisionError):
        vmap(lambda a: vmap(lambda b: 1 / 0)(a))(rows())
    assert running() == ()
    assert_equal(vmap(ad.sum)(rows()), [6, 15])


def test_threads_have_maps_of_their_own() -> None:
    results: list[Any] = [None] * 8

    def work(number: int) -> None:
        x = rows() * number
        results[number] = vmap(lambda a: vmap(lambda b: (a * b).sum())(x))(x)

    workers = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for number, result in enumerate(results):
        assert_equal(result, (rows() @ rows().T) * number**2)


# ---- randomness ------------------------------------------------------------------------------------------------------

DRAWS: dict[str, Any] = {
    "rand": lambda a: ad.rand(4),
    "randn": lambda a: ad.randn(4),
    "randint": lambda a: ad.randint(0, 1000, (4,)),
    "randperm": lambda a: ad.randperm(9),
    "rand_like": lambda a: ad.rand_like(a),
    "randn_like": lambda a: ad.randn_like(a),
    "normal": lambda a: ad.normal(0.0, 1.0, (4,)),
    "uniform_": lambda a: a.clone().uniform_(),
    "normal_": lambda a: a.clone().normal_(),
    "exponential_": lambda a: a.clone().exponential_(),
    "cauchy_": lambda a: a.clone().cauchy_(),
    "log_normal_": lambda a: a.clone().log_normal_(),
    "random_": lambda a: a.clone().random_(0, 1000),
    "dropout": lambda a: ad.dropout(ad.ones_like(a).repeat(9), 0.5),
    "bernoulli": lambda a: ad.bernoulli(ad.full((30,), 0.5)),
    "multinomial": lambda a: ad.multinomial(ad.ones(30), 9),
    "poisson": lambda a: ad.poisson(ad.full((9,), 30.0)),
}


@pytest.mark.parametrize("name", DRAWS)
def test_randomness(name: str) -> None:
    draw, x = DRAWS[name], rows().to(ad.float32)
    with pytest.raises(RuntimeError, match="randomness"):
        vmap(draw)(x)
    first, second = vmap(draw, randomness="different")(x)
    assert not bool((first == second).all())
    first, second = vmap(draw, randomness="same")(x)
    assert bool((first == second).all())
    first, second = vmap(draw, randomness="same", chunk_size=1)(x)
    assert bool((first == second).all())
    ad.manual_seed(5)
    drawn = vmap(draw, randomness="different")(x)
    ad.manual_seed(5)
    assert bool((vmap(draw, randomness="different")(x) == drawn).all())


def test_randomness_of_nested_maps() -> None:
    x = ad.zeros(2, 3)
    inner = lambda kind: vmap(lambda b: ad.rand(()), randomness=kind)
    drawn = vmap(lambda a: inner("different")(a), randomness="different")(x)
    assert len(set(drawn.reshape(-1).tolist())) == 6
    drawn = vmap(lambda a: inner("different")(a), randomness="same")(x)
    assert len(set(drawn.reshape(-1).tolist())) == 3 and bool((drawn[0] == drawn[1]).all())
    drawn = vmap(lambda a: inner("same")(a), randomness="different")(x)
    assert len(set(drawn.reshape(-1).tolist())) == 2 and bool((drawn[:, 0] == drawn[:, 1]).all())
    with pytest.raises(RuntimeError, match="randomness"):
        vmap(lambda a: inner("different")(a))(x)


def test_parameters_of_distributions_that_differ() -> None:
    p = ad.tensor([[0.0, 1.0], [1.0, 0.0]])
    assert_equal(vmap(ad.bernoulli, randomness="different")(p), p)
    assert_equal(vmap(lambda a: a.clone().bernoulli_(a), randomness="different")(p), p)
    assert_equal(vmap(lambda a: ad.normal(a, ad.zeros(2)), randomness="different")(p), p)
    assert_equal(vmap(lambda a: ad.multinomial(a, 1), randomness="different")(p), [[1], [0]])
    assert_equal(vmap(lambda a: ad.multinomial(a, 2, replacement=True), randomness="different")(p), [[1, 1], [0, 0]])
    assert_equal(vmap(lambda a: ad.poisson(a * 0), randomness="different")(p), p * 0)
    for draw in (ad.bernoulli, lambda a: ad.normal(a, 1.0), lambda a: ad.multinomial(a, 1), ad.poisson):
        with pytest.raises(RuntimeError, match="'same'"):
            vmap(draw, randomness="same")(p)
    with pytest.raises(RuntimeError, match="same for all samples"):
        vmap(lambda a: ad.ones(2).normal_(), randomness="different")(p)


def test_different_masks_have_the_gradients_of_their_samples() -> None:
    x = ad.ones(3, 50, dtype=ad.float64, requires_grad=True)
    out = vmap(lambda a: ad.dropout(a, 0.5), randomness="different")(x)
    (found,) = ad.autograd.grad(out.sum(), x)
    assert_equal(found, out)


# ---- operators that look at values -----------------------------------------------------------------------------------


@pytest.fixture
def by_numpy() -> Any:
    """An operator from outside, whose forward asks for NumPy arrays."""

    @general(vjp={"input": lambda xp, g, out: g * out}, name="_by_numpy", method=False)
    def by_numpy(xp: Any, input: Any) -> Any:
        return xp.asarray(np.exp(xp.to_numpy(input)))

    yield by_numpy
    del table["_by_numpy"]


def test_a_loop_where_values_are_needed(by_numpy: Any) -> None:
    x = rows().requires_grad_()
    with pytest.warns(UserWarning, match="_by_numpy .* 2 samples"):
        out = vmap(by_numpy)(x)
    assert_equal(out, rows().exp())
    set_vmap_fallback_warning_enabled(False)
    try:
        (found,) = ad.autograd.grad(vmap(by_numpy)(x).sum(), x)
        assert_equal(found, rows().exp())
        assert_equal(vmap(grad(lambda a: by_numpy(a).sum()))(rows()), rows().exp())
    finally:
        set_vmap_fallback_warning_enabled(True)


@pytest.mark.parametrize("name, arguments", [("moveaxis", (0, 1)), ("tile", ((2, 1),)), ("permute_dims", ((1, 0),))])
def test_functions_of_what_all_samples_share(name: str, arguments: Any) -> None:
    shared = np.arange(6).reshape(2, 3)
    found = getattr(batched_namespace, name)(BatchedArray(shared, 1, False), *arguments)
    assert type(found) is BatchedArray and not found.batched
    np.testing.assert_array_equal(found.value, getattr(ad.arrays.numpy_namespace, name)(shared, *arguments))


class LooksAtValues(ad.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * 2 if bool(x.sum() > 8) else x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return g * 2 if bool(x.sum() > 8) else g


def test_custom_functions_and_operators_that_loop_say_so() -> None:
    with ad.library._scoped_library("loops", "FRAGMENT"):

        @ad.library.custom_op("loops::double", mutates_args=())
        def double(x: ad.Tensor) -> ad.Tensor:
            return x * 2

        for name, function in (("LooksAtValues", LooksAtValues.apply), ("loops::double", double)):
            with pytest.warns(UserWarning, match=f"{name}.*each of the 2 samples in a loop"):
                found = vmap(function)(rows())
            assert_equal(found[1], [8, 10, 12])
            set_vmap_fallback_warning_enabled(False)
            try:
                vmap(function)(rows())
            finally:
                set_vmap_fallback_warning_enabled(True)
