"""Custom Functions that return views of their arguments: values and tangents follow writes, in every transform."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.autograd import Function
from adjoint.func import jacfwd, jvp, vmap

X = ad.tensor([1.0, 2.0, 3.0], dtype=ad.float64)
T = ad.tensor([0.1, 0.2, 0.3], dtype=ad.float64)


class Same(Function):
    forward = staticmethod(lambda ctx, x: x)
    backward = staticmethod(lambda ctx, g: g)
    jvp = staticmethod(lambda ctx, t: t.view_as(t))


class Reversed(Function):
    """Two views, written in different ways by the two rules."""

    forward = staticmethod(lambda ctx, x: (x[..., 1:], x.unsqueeze(0)))
    jvp = staticmethod(lambda ctx, t: (t.narrow(-1, 1, t.shape[-1] - 1), t[None]))


class PerSample(Function):
    """A forward that looks at values, and so is called for one sample after the other by vmap."""

    forward = staticmethod(lambda ctx, x: x[:2] if float(x[0]) < 1e6 else x[1:])
    jvp = staticmethod(lambda ctx, t: t[:2])


class Derived(Function):
    forward = staticmethod(lambda ctx, x: x[:2])
    backward = staticmethod(lambda ctx, g: ad.cat([g, g[:1] * 0]))


def first(result: Any) -> Any:
    return result[0] if isinstance(result, tuple) else result


def write_to_base(function: Any) -> Any:
    def f(x: Any) -> Any:
        y = x.sin() + 2
        view = first(function(y))
        y.mul_(x)
        return view.sin() + y.sum()

    return f


def write_to_view(function: Any) -> Any:
    def f(x: Any) -> Any:
        y = x.sin() + 2
        view = first(function(y))
        with ad.no_grad():
            view.mul_(x[: view.shape[-1]])
        return view.sin() + y.sum()

    return f


PLAIN: dict[Any, Any] = {Same: lambda y: y.view_as(y), Reversed: lambda y: y[..., 1:], PerSample: lambda y: y[:2]}
TRANSFORMS: dict[str, Any] = {
    "none": lambda f: f(X),
    "jvp": lambda f: jvp(f, (X,), (T,))[1],
    "jvp of jvp": lambda f: jvp(lambda x: jvp(f, (x,), (T,))[1], (X,), (T,))[1],
    "jacfwd": lambda f: jacfwd(f)(X),
    "vmap": lambda f: vmap(f)(ad.stack([X, X + 1])),
    "vmap of jvp": lambda f: vmap(lambda x: jvp(f, (x,), (T,))[1])(ad.stack([X, X + 1])),
    "jvp of vmap": lambda f: jvp(vmap(f), (ad.stack([X, X + 1]),), (ad.stack([T, T]),))[1],
}


@pytest.mark.filterwarnings("ignore:.*for one sample after the other.*")
@pytest.mark.filterwarnings("ignore:vmap")
@pytest.mark.parametrize("name", TRANSFORMS)
@pytest.mark.parametrize("function", PLAIN)
@pytest.mark.parametrize("write", [write_to_base, write_to_view])
def test_views_follow_writes(function: Any, write: Any, name: str) -> None:
    found, wanted = TRANSFORMS[name](write(function.apply)), TRANSFORMS[name](write(PLAIN[function]))
    np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-12)


@pytest.mark.parametrize("name", ["jvp", "jvp of jvp", "jacfwd", "vmap of jvp"])
def test_a_tangent_that_cannot_follow_is_refused(name: str) -> None:
    """The tangent that follows from a backward is no view, so after a write it would not fit the values."""
    with pytest.raises(RuntimeError, match="would not follow the write"):
        TRANSFORMS[name](write_to_base(Derived.apply))
    kept = TRANSFORMS[name](lambda x: Derived.apply(x.sin() + 2).clone().mul_(x[:2]))
    wanted = TRANSFORMS[name](lambda x: (x.sin() + 2)[:2] * x[:2])
    np.testing.assert_allclose(kept.numpy(), wanted.numpy(), rtol=1e-12)
