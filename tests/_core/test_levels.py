"""What leaves a tensor: no value is read silently where its derivative is being computed, in whatever transform."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint as ad
import adjoint.autograd.forward_ad as fwd
from adjoint.func import grad, jacfwd, jacrev, jvp, linearize, vjp, vmap

unknown = np.frompyfunc(lambda x: x, 1, 1)  # a ufunc that is no operator

ARRAYS: dict[str, Callable[[Any], Any]] = {
    "numpy": lambda t: t.numpy(),
    "__array__": np.asarray,
    "np.array": np.array,
    "another array": lambda t: np.ones(3).searchsorted(t),
    "NumPy's DLPack": np.from_dlpack,
    "our DLPack": ad.from_dlpack,
    "an unknown ufunc": unknown,
    "an unknown ufunc beside an array": lambda t: np.frompyfunc(lambda x, y: x, 2, 1)(np.ones(3), t),
}
NUMBERS: dict[str, Callable[[Any], Any]] = {
    "alpha": lambda t: ad.add(ad.ones(3), 1, alpha=t.sum()),
    "alpha in place": lambda t: ad.ones(3).add_(1, alpha=t.sum()),
    "eps": lambda t: ad.layer_norm(ad.ones(3), (3,), eps=t.sum()),
    "p": lambda t: ad.norm(ad.ones(3), t.sum()),
    "rtol": lambda t: ad.isclose(ad.ones(3), ad.ones(3), rtol=t.sum()),
    "correction": lambda t: ad.std(ad.ones(3), correction=t.sum()),
    "full": lambda t: ad.full((3,), t.sum()),
    "full_like": lambda t: ad.full_like(ad.ones(3), t.sum()),
    "arange": lambda t: ad.arange(t.sum()),
    "uniform_": lambda t: ad.ones(3).uniform_(0.0, t.sum()),
}
REFUSED = ARRAYS | NUMBERS
ALLOWED: dict[str, Callable[[Any], Any]] = {
    "item": lambda t: t.sum().item(),
    "tolist": lambda t: t.tolist(),
    "bool": lambda t: bool(t.sum() > 0),
    "int": lambda t: int(t.sum()),
    "index": lambda t: range(100)[t.sum().long()],
    "contains": lambda t: 1.0 in t,
    "format": lambda t: f"{t.sum():.2f} {t}",
    "force": lambda t: t.numpy(force=True),
    "detach": lambda t: t.detach().numpy(),
    "data": lambda t: np.asarray(t.data),
    "dlpack": lambda t: np.from_dlpack(t.detach()),
    "ufunc": lambda t: unknown(t.detach()),
    "number": lambda t: ad.full((3,), t.sum().detach()),
}


def _in_dual_level(function: Any, x: Any) -> Any:
    with fwd.dual_level():
        return function(fwd.make_dual(x, ad.ones_like(x)))


TRANSFORMS: dict[str, Callable[[Any, Any], Any]] = {
    "dual_level": _in_dual_level,
    "jvp": lambda f, x: jvp(f, (x,), (ad.ones_like(x),))[0],
    "jacfwd": lambda f, x: jacfwd(f)(x),
    "grad": lambda f, x: grad(f)(x),
    "vjp": lambda f, x: vjp(f, x)[0],
    "jacrev": lambda f, x: jacrev(f)(x),
    "linearize": lambda f, x: linearize(f, x)[0],
    "backward": lambda f, x: f((x * 1).detach().requires_grad_()),
}
PAIRS = [(outer, inner) for outer in TRANSFORMS for inner in TRANSFORMS]


def x() -> ad.Tensor:
    return ad.tensor([1.0, 2.0, 3.0])


def written(t: Any) -> Any:
    """The values of a tensor in another one, made by writing."""
    made = ad.zeros_like(t)
    made[:2].copy_(t[:2])
    return made.mul_(t)


FORMS: dict[str, Callable[[Any], Any]] = {
    "itself": lambda t: t,
    "a result": lambda t: t * 2,
    "a view": lambda t: t.view(3),
    "written": written,
}


def assert_refused(leave: Any, t: Any) -> None:
    with pytest.raises((RuntimeError, TypeError, BufferError), match=r"lose its|no derivative"):
        leave(t)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("transform", TRANSFORMS.values(), ids=TRANSFORMS)
@pytest.mark.parametrize("leave", REFUSED.values(), ids=REFUSED)
def test_refused(leave: Any, transform: Any, form: Any) -> None:
    def function(t: Any) -> Any:
        assert_refused(leave, form(t))
        return (t * t).sum()

    transform(function, x())


@pytest.mark.parametrize(("outer", "inner"), PAIRS)
def test_refused_in_nested_transforms(outer: str, inner: str) -> None:
    """The argument of either, in the inner one: its derivative in the outer one counts as well."""

    def outer_function(a: Any) -> Any:
        def inner_function(b: Any) -> Any:
            for t in (a, a * 2, written(a)) if inner == "backward" else (a, a * 2):
                for leave in REFUSED.values():
                    assert_refused(leave, t)
            for t in (b, a * b):
                for leave in REFUSED.values():
                    assert_refused(leave, t)
            constant = (b.detach() * 2).detach()
            assert constant.numpy().tolist() == [2.0, 4.0, 6.0]
            return (a * b * constant).sum()

        return TRANSFORMS[inner](inner_function, a * 1).sum()

    TRANSFORMS[outer](outer_function, x())


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("outer", "inner"), [*PAIRS, *[(name, None) for name in TRANSFORMS]])
def test_allowed(outer: str, inner: str | None) -> None:
    """Numbers for control flow, as in PyTorch, and everything that says that the derivative is to end there."""

    def function(t: Any) -> Any:
        for leave in ALLOWED.values():
            leave(t * 2)
        return (t * t).sum()

    within = function if inner is None else lambda t: TRANSFORMS[inner](function, t).sum()
    TRANSFORMS[outer](within, x())


@pytest.mark.parametrize("outer", [*TRANSFORMS, "vmap"])
@pytest.mark.parametrize("leave", (ARRAYS | ALLOWED).values(), ids=ARRAYS | ALLOWED)
def test_a_batch_has_no_values(leave: Any, outer: str) -> None:
    if leave in (ALLOWED["format"], ALLOWED["number"]):
        return

    def function(t: Any) -> Any:
        with pytest.raises((RuntimeError, BufferError), match=r"lose its|was asked for"):
            leave(t)
        return (t * t).sum()

    def mapped(t: Any) -> Any:
        return vmap(function)(ad.stack([t, t])).sum()

    if outer == "vmap":
        vmap(mapped)(ad.stack([x(), x()]))
    else:
        TRANSFORMS[outer](mapped, x())


def test_no_grad_excuses_the_history_but_not_a_tangent() -> None:
    w = x().requires_grad_()
    with ad.no_grad():
        assert w.numpy().tolist() == [1.0, 2.0, 3.0]
        assert ad.full((1,), w[0]).tolist() == [1.0]
    with fwd.dual_level():
        dual = fwd.make_dual(w, x())
        with ad.no_grad():
            assert_refused(ad.Tensor.numpy, dual)
        with fwd.set_fwd_grad_enabled(False):
            assert_refused(ad.Tensor.numpy, dual)
            with ad.no_grad():
                assert dual.numpy().tolist() == [1.0, 2.0, 3.0]
        with ad.inference_mode():
            assert dual.numpy().tolist() == [1.0, 2.0, 3.0]
    assert_refused(ad.Tensor.numpy, dual)
    assert dual.detach().numpy().tolist() == [1.0, 2.0, 3.0]


def test_where_grad_mode_is_off_around_a_transform_its_own_level_still_counts() -> None:
    w = x().requires_grad_()

    def function(t: Any) -> Any:
        assert_refused(ad.Tensor.numpy, t)
        assert w.numpy().tolist() == [1.0, 2.0, 3.0]
        return t.sum()

    with ad.no_grad():
        vjp(function, x())


def test_forward_of_a_function_sees_plain_tensors() -> None:
    class Double(ad.autograd.Function):
        @staticmethod
        def forward(ctx: Any, t: Any) -> Any:
            return ad.from_numpy(t.numpy() * 2)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

    assert grad(lambda t: Double.apply(t).sum())(x()).tolist() == [2.0] * 3
    assert jacfwd(lambda t: Double.apply(t).sum())(x()).tolist() == [2.0] * 3


def test_a_tangent_in_a_backward_pass_is_not_lost() -> None:
    class Square(ad.autograd.Function):
        @staticmethod
        def forward(ctx: Any, t: Any) -> Any:
            ctx.save_for_backward(t)
            return t * t

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (t,) = ctx.saved_tensors
            return g * 2 * ad.from_numpy(t.numpy())

    with pytest.raises(RuntimeError, match="lose its"):
        jacfwd(grad(lambda t: Square.apply(t).sum()))(x())


def test_numbers_warn_where_they_are_made_by_python() -> None:
    for transform in TRANSFORMS.values():

        def function(t: Any) -> Any:
            for convert in (float, complex):
                with pytest.warns(UserWarning, match="becomes a number"):
                    convert(t.sum())
            return t.sum()

        transform(function, x())


def test_copies() -> None:
    with fwd.dual_level():
        dual = fwd.make_dual(x(), ad.ones(3)) * 2
        assert fwd.unpack_dual(copy.copy(dual)).tangent.tolist() == [2.0] * 3
        for leave in (copy.deepcopy, pickle.dumps):
            with pytest.raises(RuntimeError, match="has a tangent would lose it"):
                leave(dual)
            assert leave(dual.detach()) is not None
    assert copy.deepcopy(dual).tolist() == [2.0, 4.0, 6.0]
    with pytest.raises(RuntimeError, match="pickle"):
        vmap(pickle.dumps)(ad.ones(2, 2))
    assert vmap(lambda t: copy.deepcopy(t) * 2)(ad.ones(2, 2)).tolist() == [[2.0, 2.0]] * 2


def test_a_wrong_jacobian_becomes_an_error() -> None:
    with pytest.raises(RuntimeError, match="lose its tangent"):
        jacfwd(lambda t: t * np.asarray(t).sum())(x())
    with pytest.raises(RuntimeError, match=r"shape \(3,\).* has a tangent"):
        jvp(lambda t: t * unknown(t), (x(),), (x(),))
