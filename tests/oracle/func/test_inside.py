"""What functions may do inside transforms, and small rules around them, as in PyTorch."""

from __future__ import annotations

from typing import Any

import pytest

import adjoint as ad
from tests.support.compare import Scenarios, leaf

pytestmark = pytest.mark.oracle
scenario, refused = Scenarios(), Scenarios()


def point(lib: Any) -> Any:
    return leaf(lib, 1.0, 2.0, requires_grad=False)


@scenario
def out_dims_of_one_result(lib: Any) -> Any:
    x = lib.arange(6.0).reshape(2, 3)
    return [
        lib.func.vmap(lambda x: x * 2, out_dims=dims)(x) for dims in (1, (1,), -1, (-1,))
    ] + [lib.func.vmap(lambda x: (x * 2,), out_dims=dims)(x)[0] for dims in (1, (1,))]  # fmt: skip


@scenario
def flags_inside(lib: Any) -> Any:
    def f(x: Any) -> Any:
        made = [lib.ones(2, dtype=x.dtype, requires_grad=True), lib.tensor([1.0, 2.0], requires_grad=True)]
        plain = lib.ones(2, dtype=x.dtype)
        plain.requires_grad = True
        return (x * made[0] * made[1] * plain).sum()

    return lib.func.grad(f)(point(lib))


@scenario
def data_and_detach_are_constants(lib: Any) -> Any:
    return [lib.func.grad(f)(point(lib)) for f in (lambda x: (x * x.data).sum(), lambda x: (x * x.detach()).sum())]


@refused
def out_of_what_is_differentiated(lib: Any) -> Any:
    def f(x: Any) -> Any:
        out = lib.empty_like(x)
        lib.mul(x, 2, out=out)
        return out.sum()

    lib.func.grad(f)(point(lib))


@refused
def flag_switched_off(lib: Any) -> Any:
    lib.func.grad(lambda x: (x.requires_grad_(False) * 2).sum())(point(lib))


def read_grad(x: Any) -> Any:
    """A function that differentiates by `backward`, whose results are constants to a transform."""
    (x**3).sum().backward()
    return x.grad.sum()


@refused
def backward_of_an_argument(lib: Any) -> Any:
    lib.func.grad(read_grad)(point(lib))


@pytest.mark.parametrize("name", ["grad", "grad_and_value", "jacrev", "hessian", "grad of grad"])
def test_backward_of_an_argument_is_refused(name: str) -> None:
    func: Any = ad.func
    transform = (lambda f: func.grad(func.grad(f))) if name == "grad of grad" else getattr(func, name)
    with pytest.raises(RuntimeError, match=r"called backward\(\)"):
        transform(read_grad)(point(ad))


def test_backward_of_something_else_is_allowed() -> None:
    w = leaf(ad, 3.0, 4.0)

    def f(x: Any) -> Any:
        (w**2).sum().backward()
        return (x * w.grad).sum()

    assert ad.func.grad(f)(point(ad)).tolist() == [6.0, 8.0]
    assert ad.func.vmap(lambda x: read_grad(x.requires_grad_()))(point(ad)[:, None]).tolist() == [3.0, 12.0]


@pytest.mark.parametrize("transform", ["grad", "jacrev", "jacfwd", "jvp", "grad of grad", "vmap of grad"])
def test_functional_is_differentiated_again(transform: str) -> None:
    """PyTorch refuses `autograd.functional` inside transforms; here results are differentiable there by default."""
    functional, func = ad.autograd.functional, ad.func
    cubes = lambda x: x**3
    own = [
        lambda x: functional.jacobian(cubes, x).sum(0),
        lambda x: functional.jacobian(cubes, x, vectorize=True).sum(0),
        lambda x: functional.jacobian(cubes, x, strategy="forward-mode").sum(0),
        lambda x: functional.vjp(lambda y: cubes(y).sum(), x)[1],
        lambda x: functional.jvp(cubes, x, ad.ones_like(x))[1],
        lambda x: functional.hvp(lambda y: (y**4).sum() / 4, x, ad.ones_like(x))[1],
        lambda x: functional.hessian(lambda y: (y**4).sum() / 4, x).sum(0),
    ]
    transforms: Any = {
        "grad": lambda f: func.grad(lambda x: f(x).sum()),
        "jacrev": lambda f: lambda x: func.jacrev(f)(x).sum(0),
        "jacfwd": lambda f: lambda x: func.jacfwd(f)(x).sum(0),
        "jvp": lambda f: lambda x: func.jvp(f, (x,), (ad.ones_like(x),))[1],
        "grad of grad": lambda f: func.grad(lambda x: (func.grad(lambda y: f(y).sum())(x) * x).sum() / 2),
        "vmap of grad": lambda f: lambda x: func.vmap(func.grad(lambda y: f(y[None]).sum()))(x),
    }
    for f in own:
        found = transforms[transform](f)(point(ad))
        assert found.tolist() == pytest.approx([6.0, 12.0])


test_as_in_pytorch = scenario.test()
test_refused_as_in_pytorch = refused.test(fails=True)
