"""Wrapper subclasses: `__torch_dispatch__` of a class sees operators on its objects below autograd."""

import gc

import pytest

import adjoint as ad
from adjoint._core import modes
from adjoint.utils._python_dispatch import (
    TorchDispatchMode,
    is_traceable_wrapper_subclass,
    return_and_correct_aliasing,
)
from adjoint.utils._pytree import tree_map
from adjoint.utils.checkpoint import checkpoint

aten = ad.ops.aten


class Logging(ad.Tensor):
    lines = []

    @staticmethod
    def __new__(cls, elem, requires_grad=False):
        self = ad.Tensor._make_wrapper_subclass(
            cls, elem.size(), dtype=elem.dtype, device=elem.device, requires_grad=requires_grad
        )
        self.elem = elem
        return self

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        cls.lines.append(str(func))
        unwrap = lambda one: one.elem if isinstance(one, Logging) else one
        wrap = lambda one: cls(one) if isinstance(one, ad.Tensor) else one
        return tree_map(wrap, func(*tree_map(unwrap, args), **tree_map(unwrap, kwargs or {})))


@pytest.fixture(autouse=True)
def clear():
    yield
    del Logging.lines[:]


def values(*numbers):
    return ad.tensor(numbers or (0.1, 0.2, 0.3), dtype=ad.float64)


def function(x):
    y = (x.exp() * x).view(3, 1)
    return (y @ y.transpose(0, 1)).sum() + x.softmax(0)[1] + ad.stack([x, x * 2]).max()


def test_results_and_gradients_are_of_the_class():
    x, plain = Logging(values(), requires_grad=True), values().requires_grad_()
    y = function(x)
    assert type(y) is Logging and y.requires_grad and y.shape == () and y.grad_fn is not None
    assert {"aten.exp.default", "aten.mul.Tensor", "aten.mm.default", "aten.view.default"} <= set(Logging.lines)
    del Logging.lines[:]
    y.backward()
    function(plain).backward()
    assert type(x.grad) is Logging and ad.allclose(x.grad.elem, plain.grad)
    assert "aten.mul.Tensor" in Logging.lines
    x.grad.elem.zero_()


def test_handlers_get_objects_of_the_class_without_recording():
    seen = []

    class Look(Logging):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            seen.append((type(args[0]), types, ad.is_grad_enabled(), args[0].tag))
            result = super().__torch_dispatch__(func, types, args, kwargs)
            result.tag = args[0].tag
            return result

    x = Look(values(), requires_grad=True)
    x.tag = "x"
    y = x.exp()
    assert y.tag == "x"
    y.sum().backward()  # what was saved comes back with its attributes
    assert set(seen) == {(Look, (Look,), False, "x")} and x.grad.tag == "x"


def test_plain_tensors_beside_wrappers_get_gradients():
    x, w = Logging(values()), values(1.0, 2.0, 3.0).requires_grad_()
    y = (w * x * 2 + w).sum()
    y.backward()
    assert ad.allclose(w.grad.elem, 2 * values() + 1)
    x = Logging(values(), requires_grad=True)
    (x * w.detach()).sum().backward()
    assert ad.allclose(x.grad.elem, w.detach())


def test_second_derivatives_transforms_and_checkpoints():
    x, plain = Logging(values(), requires_grad=True), values().requires_grad_()
    f = lambda t: (t.exp() * t).sum()

    def second(t):
        (first,) = ad.autograd.grad(f(t), t, create_graph=True)
        return ad.autograd.grad(first.square().sum(), t)[0]

    assert ad.allclose(second(x).elem, second(plain))
    checkpoint(f, x, use_reentrant=False).backward()
    expected = ad.func.grad(f)(values())
    assert ad.allclose(x.grad.elem, expected)
    result = ad.func.grad(f)(Logging(values()))
    assert type(result) is Logging and ad.allclose(result.elem, expected)
    with ad.no_grad():
        assert not f(x).requires_grad


def test_detach_and_clone():
    x = Logging(values(), requires_grad=True)
    y = x.exp()
    z = y.detach()
    assert type(z) is Logging and not z.requires_grad and z.is_leaf and y.requires_grad
    assert type(y.clone()) is Logging and x.detach().requires_grad_().requires_grad


def test_writes_in_place():
    def run(x):
        y = x * 2
        y.mul_(x)
        y.exp_()
        return y

    x, plain = Logging(values(), requires_grad=True), values().requires_grad_()
    y = run(x)
    assert "aten.mul_.Tensor" in Logging.lines and y._version == 2 and ad.allclose(y.elem, run(plain))
    y.sum().backward()
    run(plain).sum().backward()
    assert ad.allclose(x.grad.elem, plain.grad)
    y = x.exp()
    y.add_(1)
    with pytest.raises(RuntimeError):
        y.sum().backward()
    y = x * 1
    view = y.view(3, 1)
    for one in (y, view):
        with pytest.raises(RuntimeError, match="cannot be recorded"):
            one.add_(1)
    with pytest.raises(TypeError, match="plain tensor"):
        values().add_(Logging(values()))


def test_a_mode_comes_first():
    lines = []

    class Mode(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            lines.append((str(func), types))
            return func(*args, **(kwargs or {}))

    x = Logging(values(), requires_grad=True)
    with Mode():
        y = x.exp()
    assert lines == [("aten.exp.default", (Logging,))] and Logging.lines == ["aten.exp.default"] and type(y) is Logging


def test_classes_that_decline():
    class Declines(Logging):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            return NotImplemented

    with pytest.raises(TypeError, match="Declines all returned NotImplemented"):
        Declines(values()).exp()
    assert type(Declines(values()) + Logging(values())) is Logging
    with pytest.raises(TypeError, match="__torch_dispatch__"):
        ad.Tensor._make_wrapper_subclass(ad.Tensor, (2,))


def test_errors_leave_modes_and_nothing_stays_alive():
    class Fails(Logging):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            raise LookupError("inside")

    x = Fails(values(), requires_grad=True)
    with pytest.raises(LookupError):
        x.exp()
    assert ad.is_grad_enabled()
    with pytest.raises(RuntimeError, match="no values of its own"):
        Logging(values()).numpy()
    del x
    gc.collect()
    assert not modes.WRAPPERS


def test_subclasses_that_hold_values():
    class Named(ad.Tensor):
        pass

    x = ad.ones(2)
    y = ad.Tensor._make_subclass(Named, x, True)
    assert type(y) is Named and y.requires_grad and y.tolist() == [1.0, 1.0]
    with pytest.raises(NotImplementedError):
        ad.Tensor._make_subclass(Logging, x)


def test_helpers_of_handlers():
    class Parts(Logging):
        def __tensor_flatten__(self):
            return ["elem"], None

        @staticmethod
        def __tensor_unflatten__(inner, meta, size, stride):
            return Parts(inner["elem"])

    x = Parts(values())
    assert is_traceable_wrapper_subclass(x) and not is_traceable_wrapper_subclass(Logging(values()))
    assert return_and_correct_aliasing(aten.add_.Tensor, (x, 1), {}, None) is x
    assert return_and_correct_aliasing(aten.add.Tensor, (x, 1), {}, 5) == 5
    assert type(ad.zeros_like(x)) is Parts and ad.ones_like(x, requires_grad=True).requires_grad
