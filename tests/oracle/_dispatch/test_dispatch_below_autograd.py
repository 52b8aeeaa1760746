"""Modes and wrapper subclasses with `__torch_dispatch__` give what PyTorch gives."""

import importlib

import numpy as np
import pytest

torch = pytest.importorskip("torch")
import adjoint as ad  # noqa: E402

pytestmark = pytest.mark.oracle


def tools(t):
    name = t.__name__
    return importlib.import_module(f"{name}.utils._python_dispatch"), importlib.import_module(f"{name}.utils._pytree")


def leaf(t):
    return t.tensor([[0.1, 0.7], [1.3, -0.4]], dtype=t.float64, requires_grad=True)


def model(x):
    y = (x @ x).sin() * x
    y.mul_(2)
    return (y.exp() / (1 + x**2)).sum(0).max()


def doubled(t):
    """Every product is doubled, forward and backward."""
    dispatch, _ = tools(t)

    class Double(dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            result = func(*args, **(kwargs or {}))
            return result * 2 if func is t.ops.aten.mul.Tensor else result

    x = leaf(t)
    with Double(), Double():
        y = ((x * 3).sin() * x).sum()
    y.backward()
    return y.detach(), x.grad


def logged(t):
    """A wrapper that logs: which forward operators, the result and the gradient."""
    _, pytree = tools(t)
    lines = []

    class Logging(t.Tensor):
        @staticmethod
        def __new__(cls, elem, requires_grad=False):
            self = t.Tensor._make_wrapper_subclass(cls, elem.size(), dtype=elem.dtype, requires_grad=requires_grad)
            self.elem = elem
            return self

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            lines.append(str(func))
            unwrap = lambda one: one.elem if isinstance(one, Logging) else one
            result = func(*pytree.tree_map(unwrap, args), **pytree.tree_map(unwrap, kwargs or {}))
            return pytree.tree_map(lambda one: Logging(one) if isinstance(one, t.Tensor) else one, result)

    x = Logging(leaf(t).detach(), requires_grad=True)
    y = model(x)
    seen = sorted(
        set(lines)
        & {
            f"aten.{name}"
            for name in "mm.default sin.default mul.Tensor mul_.Tensor exp.default "
            "pow.Tensor_Scalar div.Tensor sum.dim_IntList max.default add.Tensor".split()
        }
    )
    y.backward()
    assert type(x.grad) is Logging
    return y.elem.detach(), x.grad.elem, seen


def beside_plain(t):
    """A plain leaf meets a wrapper; the gradient is a wrapper."""
    w, x = leaf(t), leaf(t).detach()

    class Scaled(t.Tensor):
        @staticmethod
        def __new__(cls, elem):
            self = t.Tensor._make_wrapper_subclass(cls, elem.size(), dtype=elem.dtype)
            self.elem = elem
            return self

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            args = [one.elem if isinstance(one, Scaled) else one for one in args]
            return Scaled(func(*args, **(kwargs or {})))

    y = (w * Scaled(x)).sum()
    y.backward()
    return y.elem.detach(), w.grad.elem


@pytest.mark.parametrize("program", [doubled, logged, beside_plain])
def test_same_as_pytorch(program):
    ours, theirs = program(ad), program(torch)
    for mine, other in zip(ours, theirs):
        if isinstance(mine, list):
            assert mine == other
        else:
            np.testing.assert_allclose(np.asarray(mine), other.numpy(), rtol=1e-12)


def checkpointed(t, keep):
    """A gradient through a selective checkpoint."""
    module = importlib.import_module(f"{t.__name__}.utils.checkpoint")
    chosen = getattr(t.ops.aten, keep).default if keep in ("mm", "sin") else None
    policy = lambda ctx, op, *args, **kwargs: op == chosen or keep == "everything"
    contexts = lambda: module.create_selective_checkpoint_contexts(policy)
    x = leaf(t)
    f = lambda x: ((x @ x).sin() * x).exp().sum(0).max()
    module.checkpoint(f, x, use_reentrant=False, context_fn=contexts).backward()
    return np.asarray(x.grad)


@pytest.mark.parametrize("keep", ["mm", "sin", "nothing", "everything"])
def test_selective_checkpoints(keep):
    np.testing.assert_allclose(checkpointed(ad, keep), checkpointed(torch, keep), rtol=1e-12)
