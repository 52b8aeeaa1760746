"""`autocast`: which operators are cast, gradients, nesting, and how it meets other modes and transforms."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref

import numpy as np
import pytest

import adjoint as ad
from adjoint import nn
from adjoint.amp import autocast, custom_bwd, custom_fwd
from adjoint.utils.checkpoint import checkpoint

SINGLE, NARROW, DOUBLE = ad.float32, ad.bfloat16, ad.float64


def matrix(*shape, dtype=SINGLE, requires_grad=False):
    numbers = np.random.default_rng(0).normal(size=shape or (3, 3))
    return ad.tensor(numbers, dtype=dtype, requires_grad=requires_grad)


def rounded(x):
    return x.to(NARROW)


# ---- casts -----------------------------------------------------------------------------------------------------------


def test_products_run_in_the_narrow_dtype():
    a, b = matrix(), matrix(3, 2)
    with autocast("cpu"):
        results = [a @ b, ad.mm(a, b), nn.functional.linear(a, b.mT), a.matmul(b), ad.einsum("ij,jk->ik", a, b)]
    for result in results:
        assert result.dtype is NARROW
        assert ad.equal(result, rounded(a) @ rounded(b))
    assert (a @ b).dtype is SINGLE
    with autocast("cpu", dtype=ad.float16):
        assert (a @ b).dtype is ad.float16


def test_what_needs_it_runs_in_float32_and_the_rest_as_it_is():
    narrow = matrix(dtype=NARROW)
    with autocast("cpu"):
        assert nn.functional.mse_loss(narrow, narrow + 1).dtype is SINGLE
        assert ad.linalg.inv(narrow).dtype is SINGLE
        assert ad.cat([narrow, matrix()]).dtype is SINGLE
        assert ad.index_copy(matrix(), 0, ad.tensor([0]), narrow[:1]).dtype is SINGLE
        assert narrow.exp().dtype is NARROW and matrix().exp().dtype is SINGLE
        assert (narrow + matrix()).dtype is SINGLE


def test_other_dtypes_are_left_alone():
    a, i = matrix(dtype=DOUBLE), ad.eye(3, dtype=ad.int64)
    with autocast("cpu"):
        assert (a @ a).dtype is DOUBLE
        assert (i @ i).dtype is ad.int64
        assert (a.to(ad.complex64) @ a.to(ad.complex64)).dtype is ad.complex64


def test_results_that_have_a_dtype_keep_it():
    a, out = matrix(), ad.empty(3, 3)
    with autocast("cpu"):
        assert ad.mm(a, a, out=out) is out
        inside = matrix().addmm_(a, a)
    assert out.dtype is inside.dtype is SINGLE
    assert ad.equal(out, a @ a) and ad.equal(inside, ad.addmm(matrix(), a, a))


# ---- gradients -------------------------------------------------------------------------------------------------------


def test_gradients_have_the_dtype_of_the_parameters():
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    with autocast("cpu"):
        out = model(matrix(5, 3))
        loss = nn.functional.cross_entropy(out, ad.tensor([0, 1, 0, 1, 1]))
    assert out.dtype is NARROW and loss.dtype is SINGLE
    loss.backward()
    assert {p.grad.dtype for p in model.parameters()} == {SINGLE}
    found = [p.grad.clone() for p in model.parameters()]
    model.zero_grad()
    nn.functional.cross_entropy(model(matrix(5, 3)), ad.tensor([0, 1, 0, 1, 1])).backward()
    for p, gradient in zip(model.parameters(), found):
        assert (p.grad - gradient).abs().max() < 0.03 and p.grad.abs().max() > 0.03


def test_a_parameter_is_cast_once():
    def count(**options):
        seen = []
        w, x = matrix(requires_grad=True), matrix()
        with autocast("cpu", **options):
            y = x @ w @ w
        nodes = [y.grad_fn]
        while nodes:
            node = nodes.pop()
            seen += [node] if node.name().startswith("ToCopy") else []
            nodes += [next_node for next_node, _ in node.next_functions if next_node is not None]
        y.sum().backward()
        assert w.grad.dtype is SINGLE
        return len(set(map(id, seen))), w.grad

    (once, one), (twice, other) = count(), count(cache_enabled=False)
    assert (once, twice) == (1, 2)
    assert (one - other).abs().max() < 0.05


def test_a_cast_is_not_used_where_it_would_be_wrong():
    w, x = matrix(requires_grad=True), matrix()
    with autocast("cpu"):
        with ad.no_grad():
            before = x @ w
        assert (x @ w).requires_grad  # the cast made without recording is not found
        with ad.no_grad():
            w.mul_(2)
            assert ad.equal(x @ w, before * 2)  # nor is one of old values
        assert len(ad._core.modes.state().autocast.kept) == 2  # it has been replaced: no growth in a training loop


def test_casts_are_let_go_with_the_outermost_region():
    w = matrix(requires_grad=True)
    with autocast("cpu"):
        with autocast("cpu"):
            (matrix() @ w).sum().backward()
        settings = ad._core.modes.state().autocast
        assert len(settings.kept) == 1
        ad.clear_autocast_cache()
        assert not settings.kept
        w @ w
    reference = weakref.ref(w)
    del settings, w
    gc.collect()
    assert reference() is None


# ---- the mode --------------------------------------------------------------------------------------------------------


def dtype_of_product():
    return (matrix() @ matrix()).dtype


def test_nested_regions():
    with autocast("cpu"):
        with autocast("cpu", enabled=False):
            assert dtype_of_product() is SINGLE
            with autocast("cpu", ad.float16):
                assert dtype_of_product() is ad.float16
            assert dtype_of_product() is SINGLE and not ad.is_autocast_enabled("cpu")
        assert dtype_of_product() is NARROW and ad.is_autocast_enabled("cpu")
        with autocast("cuda"):
            assert dtype_of_product() is NARROW and ad.is_autocast_enabled()
        with pytest.raises(ZeroDivisionError), autocast("cpu", enabled=False):
            1 / 0
        assert dtype_of_product() is NARROW
    assert dtype_of_product() is SINGLE


def test_as_a_decorator():
    @autocast("cpu")
    def product():
        return dtype_of_product()

    @autocast("cpu")
    def products():
        yield dtype_of_product()

    assert product() is NARROW and product.__name__ == "product"
    assert list(products()) == [NARROW]
    with pytest.raises(TypeError, match=r"was `with autocast"):
        autocast("cpu")(3)


def test_settings():
    assert ad.get_autocast_dtype("cpu") is NARROW and ad.get_autocast_dtype("cuda") is ad.float16
    ad.set_autocast_enabled("cpu", True)
    ad.set_autocast_dtype("cpu", ad.float16)
    ad.set_autocast_cache_enabled(False)
    try:
        assert dtype_of_product() is ad.float16 and not ad.is_autocast_cache_enabled()
    finally:
        ad.set_autocast_enabled("cpu", False)
        ad.set_autocast_dtype("cpu", NARROW)
        ad.set_autocast_cache_enabled(True)
    assert dtype_of_product() is SINGLE
    with pytest.warns(UserWarning, match="it stays off, because dtype is"), autocast("cpu", SINGLE):
        assert dtype_of_product() is SINGLE
    with pytest.raises(ValueError, match="device_type is a string"):
        autocast(3)
    assert ad.amp.is_autocast_available("cpu") and not ad.amp.is_autocast_available("meta")


def test_other_threads_and_tasks_are_not_affected():
    found = []
    with autocast("cpu"):
        thread = threading.Thread(target=lambda: found.append(dtype_of_product()))
        thread.start()
        thread.join()

    async def enter(other):
        with autocast("cpu"):
            other.set()
            await asyncio.sleep(0)
            found.append(dtype_of_product())

    async def main():
        entered = asyncio.Event()
        task = asyncio.create_task(enter(entered))
        await entered.wait()
        found.append(dtype_of_product())
        await task

    asyncio.run(main())
    assert found == [SINGLE, SINGLE, NARROW]


# ---- with other parts ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reentrant", [True, False])
def test_checkpoint_computes_again_in_the_same_precision(reentrant):
    w, x = matrix(requires_grad=True), matrix(requires_grad=True)
    dtypes = []

    def layer(x):
        y = (x @ w).tanh()
        dtypes.append(y.dtype)
        return y @ w

    def gradients(call):
        w.grad = x.grad = None
        with autocast("cpu"):
            y = call(layer, x)
        y.sum().backward()
        return w.grad, x.grad

    expected = gradients(lambda f, x: f(x))
    found = gradients(lambda f, x: checkpoint(f, x, use_reentrant=reentrant))
    assert dtypes == [NARROW] * 3
    # Without the kept cast both products' gradients are added in float32.
    assert all((a - b).abs().max() < 0.05 and a.dtype is b.dtype for a, b in zip(found, expected))


def test_transforms():
    w, x = matrix(), matrix(4, 3)

    def loss(w, x):
        with autocast("cpu"):
            return (x @ w).float().pow(2).sum()

    leaf = w.clone().requires_grad_()
    loss(leaf, x).backward()
    for gradient in (ad.func.grad(loss)(w, x), ad.func.jacrev(loss)(w, x)):
        assert gradient.dtype is SINGLE and ad.equal(gradient, leaf.grad)
    with autocast("cpu"):
        outside = ad.func.grad(lambda w: (x @ w).float().pow(2).sum())(w)
    assert outside.dtype is SINGLE and (outside - leaf.grad).abs().max() < 0.2
    each = ad.vmap(lambda row: loss(w, row))(x)
    assert each.dtype is SINGLE and ad.equal(each, ad.stack([loss(w, row) for row in x]))
    value, tangent = ad.func.jvp(lambda w: loss(w, x), (w,), (ad.ones_like(w),))
    assert value.dtype is tangent.dtype is SINGLE
    assert abs(tangent - leaf.grad.sum()) < 0.02 * abs(leaf.grad).sum()


def test_transforms_inside_a_region():
    w, x = matrix(), matrix(4, 3)
    loss = lambda w, row: (w @ row).float().pow(2).sum()
    programs = [
        lambda: ad.vmap(ad.func.grad(loss), (None, 0))(w, x),
        lambda: ad.func.hessian(loss)(w, x[0]),
        lambda: ad.func.jacfwd(loss)(w, x[0]),
    ]
    for program in programs:
        with autocast("cpu"):
            found = program()
        assert found.dtype is SINGLE
        np.testing.assert_allclose(found.numpy(), program().numpy(), rtol=0.02, atol=0.02)


def test_rules_inside_an_operator_are_not_cast():
    a = matrix() + 4 * ad.eye(3)
    with autocast("cpu"):
        _, tangent = ad.func.jvp(ad.linalg.inv, (a,), (ad.ones_like(a),))
    _, expected = ad.func.jvp(ad.linalg.inv, (a,), (ad.ones_like(a),))
    assert tangent.dtype is SINGLE and ad.equal(tangent, expected)


def test_modes_see_operators_before_the_casts():
    class Log(ad.overrides.FunctionMode):
        def __adjoint_function__(self, func, types, args, kwargs):
            seen.append((func.__name__, args[0].dtype))
            return func(*args, **kwargs)

    for outer, inner in [(Log(), autocast("cpu")), (autocast("cpu"), Log())]:
        seen = []
        with outer, inner:
            assert ad.mm(matrix(), matrix()).dtype is NARROW
        assert ("mm", SINGLE) in seen and ("mm", NARROW) not in seen

    class Sub(ad.Tensor):
        pass

    with autocast("cpu"):
        product = matrix().as_subclass(Sub) @ matrix()
    assert type(product) is Sub and product.dtype is NARROW


class Product(ad.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        Product.seen = (a.dtype, (g.float() @ b.float()).dtype)
        return g @ b.mT.to(g.dtype), a.mT.to(g.dtype) @ g


@pytest.mark.parametrize(("target", "saved", "computed"), [(None, SINGLE, NARROW), (SINGLE, SINGLE, SINGLE)])
def test_custom_functions(target, saved, computed):
    class Decorated(Product):
        forward = staticmethod(custom_fwd(Product.forward, device_type="cpu", cast_inputs=target))
        backward = staticmethod(custom_bwd(device_type="cpu")(Product.backward))

    a, b = matrix(requires_grad=True), matrix(requires_grad=True)
    with autocast("cpu"):
        out = Decorated.apply(a, b)
    assert out.dtype is computed
    out.sum().backward()
    assert Product.seen == (saved, computed) and a.grad.dtype is SINGLE
    Decorated.apply(a, b).sum().backward()
    assert Product.seen == (SINGLE, SINGLE)


def test_other_array_libraries():
    jnp = pytest.importorskip("jax.numpy")
    x = ad.Tensor(jnp.ones((2, 3), dtype=jnp.float32)).requires_grad_()
    with autocast("cpu"):
        y = x @ x.mT
    y.sum().backward()
    assert y.dtype is NARROW and x.grad.dtype is SINGLE and isinstance(x.grad._array, jnp.ndarray)


def test_inference_mode():
    w = matrix(requires_grad=True)
    with autocast("cpu"), ad.inference_mode():
        inside = w @ w
    assert inside.dtype is NARROW and inside.is_inference()
    with autocast("cpu"):
        with ad.inference_mode():
            w @ w
        (w @ w).sum().backward()
    assert w.grad.dtype is SINGLE
