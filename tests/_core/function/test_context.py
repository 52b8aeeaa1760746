"""Tensors that a custom Function keeps as attributes of its ctx, in all nestings of transforms."""

import itertools

import numpy as np
import pytest

import adjoint as ad
from adjoint.autograd import Function
from adjoint.autograd.function import once_differentiable
from adjoint.func import grad, jvp, vmap

KEPT = {  # how x is kept, and how it is found again
    "saved": (lambda ctx, x, y: ctx.save_for_backward(x), lambda ctx: ctx.saved_tensors[0]),
    "attribute": (lambda ctx, x, y: setattr(ctx, "kept", x), lambda ctx: ctx.kept),
    "containers": (lambda ctx, x, y: setattr(ctx, "kept", [1, {"of": (y, x)}]), lambda ctx: ctx.kept[1]["of"][1]),
    "output": (lambda ctx, x, y: setattr(ctx, "kept", y), lambda ctx: ctx.kept ** (1 / 3)),
    "both": (lambda ctx, x, y: (setattr(ctx, "kept", x), ctx.save_for_backward(y, None)), lambda ctx: _of_both(ctx)),
}


def _of_both(ctx):
    y, nothing = ctx.saved_tensors
    assert nothing is None
    return y / ctx.kept**2


def cube(kept, by_sample, setup):
    """x**3 whose rule finds x again in one of the ways; by_sample: its forward asks for values."""
    keep, find = KEPT[kept]

    def value(x):
        return float(x) and x**3 if by_sample else x**3

    class Cube(Function):
        @staticmethod
        def backward(ctx, g):
            return 3 * find(ctx) ** 2 * g

    if setup:
        Cube.forward = staticmethod(value)
        Cube.setup_context = staticmethod(lambda ctx, inputs, output: keep(ctx, *inputs, output))
    else:

        def forward(ctx, x):
            y = value(x)
            keep(ctx, x, y)
            return y

        Cube.forward = staticmethod(forward)
    return Cube.apply


def summed(f):
    return lambda x: f(x).sum()


def pushed(f):
    return lambda x: jvp(f, (x,), (ad.ones_like(x),))[1]


NESTINGS = {  # what is computed, and the order of the derivative it is
    "vg": (lambda f: vmap(grad(f)), 1),
    "vgg": (lambda f: vmap(grad(grad(f))), 2),
    "vggg": (lambda f: vmap(grad(grad(grad(f)))), 3),
    "gv": (lambda f: grad(summed(vmap(f))), 1),
    "ggv": (lambda f: grad(summed(grad(summed(vmap(f))))), 2),
    "gggv": (lambda f: grad(summed(grad(summed(grad(summed(vmap(f))))))), 3),
    "gvg": (lambda f: grad(summed(vmap(grad(f)))), 2),
    "gvgg": (lambda f: grad(summed(vmap(grad(grad(f))))), 3),
    "ggvg": (lambda f: grad(summed(grad(summed(vmap(grad(f)))))), 3),
    "vgvg": (lambda f: vmap(lambda a: grad(lambda b: vmap(grad(f))(b[None])[0])(a)), 2),
    "jv": (lambda f: pushed(vmap(f)), 1),
    "vj": (lambda f: vmap(pushed(f)), 1),
    "vjg": (lambda f: vmap(pushed(grad(f))), 2),
    "jvg": (lambda f: pushed(vmap(grad(f))), 2),
    "vgj": (lambda f: vmap(grad(pushed(f))), 2),
    "gjv": (lambda f: grad(summed(pushed(vmap(f)))), 2),
}


@pytest.mark.parametrize("kept", KEPT)
@pytest.mark.parametrize("by_sample", [False, True])
@pytest.mark.parametrize("setup", [False, True])
def test_attributes_have_the_history_of_each_level(kept, by_sample, setup):
    f = cube(kept, by_sample, setup)
    x = ad.tensor([1.5, 2.5], dtype=ad.float64)
    for name, (transformed, order) in NESTINGS.items():
        wanted = {1: 3 * x**2, 2: 6 * x, 3: 6 + 0 * x}[order]
        found = transformed(f)(x)
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), err_msg=name)


def test_third_derivatives_without_a_map():
    for kept in KEPT:
        third = grad(grad(grad(cube(kept, False, False))))(ad.tensor(2.0, dtype=ad.float64))
        np.testing.assert_allclose(third.numpy(), 6.0)


def test_attributes_that_are_alike_for_all_samples_stay():
    class Double(Function):
        @staticmethod
        def forward(ctx, x, pair):
            float(x)
            ctx.shape, ctx.sizes, ctx.options, ctx.pair = x.shape, [1, 2], {"a": (None, 2.0)}, (1, x)
            return 2 * x

        @staticmethod
        def backward(ctx, g):
            assert ctx.shape == () and ctx.sizes == [1, 2] and ctx.options == {"a": (None, 2.0)} and ctx.pair[0] == 1
            return 2 * g + 0 * ctx.pair[1], None

    found = vmap(grad(lambda x: Double.apply(x, (1, 2))))(ad.tensor([1.0, 2.0]))
    assert found.tolist() == [2.0, 2.0]


def test_attributes_that_differ_from_sample_to_sample_are_refused():
    class Scale(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.value = [float(x)]
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return g * ctx.value[0]

    with pytest.raises(AttributeError, match=r"ctx\.value of ScaleBackward is not the same for all samples"):
        vmap(grad(Scale.apply))(ad.tensor([1.0, 2.0]))


def numpy_cube(setup, inside):
    class Cube(Function):
        @staticmethod
        @once_differentiable
        def backward(ctx, g):
            x = ctx.x[0] if inside else ctx.x
            return ad.tensor(3 * g.numpy() * x.detach().numpy() ** 2)

    if setup:
        Cube.forward = staticmethod(lambda x: x**3)
        Cube.setup_context = staticmethod(lambda ctx, i, output: setattr(ctx, "x", list(i) if inside else i[0]))
    else:

        def forward(ctx, x):
            ctx.x = [x] if inside else x
            return x**3

        Cube.forward = staticmethod(forward)
    return Cube.apply


@pytest.mark.parametrize(("setup", "inside"), [*itertools.product([False, True], repeat=2)])
def test_rules_on_values_get_plain_attributes(setup, inside):
    f = numpy_cube(setup, inside)
    x = ad.tensor([1.5, 2.5], dtype=ad.float64)
    wanted = (3 * x**2).numpy()
    for transformed in (
        grad(summed(f)),
        vmap(grad(f)),
        grad(summed(vmap(f))),
        lambda x: vmap(vmap(grad(f)))(x[None])[0],
    ):
        np.testing.assert_allclose(transformed(x).numpy(), wanted)
    for transformed in (grad(summed(grad(summed(f)))), vmap(grad(grad(f))), grad(summed(vmap(grad(f))))):
        with pytest.raises(RuntimeError, match="once_differentiable"):
            transformed(x)
