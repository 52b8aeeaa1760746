"""Dispatch modes: operators below autograd are seen, changed, nested; whatever happens, modes are restored."""

import pickle
import threading

import pytest

import adjoint as ad
from adjoint.utils._python_dispatch import (
    TorchDispatchMode,
    _disable_current_modes,
    _get_current_dispatch_mode,
    _get_current_dispatch_mode_stack,
)

aten = ad.ops.aten


class Log(TorchDispatchMode):
    def __init__(self, name="", lines=None):
        self.name = name
        self.lines = [] if lines is None else lines

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.lines.append(f"{self.name}{func}")
        return func(*args, **(kwargs or {}))


class Double(TorchDispatchMode):
    """Doubles every product."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        return result * 2 if func is aten.mul.Tensor else result


class Flops(TorchDispatchMode):
    total = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func is aten.mm.default:
            self.total += 2 * args[0].shape[0] * args[0].shape[1] * args[1].shape[1]
        return func(*args, **(kwargs or {}))


def leaf(*values):
    return ad.tensor(values or [1.0, 2.0, 3.0], dtype=ad.float64, requires_grad=True)


def test_operators_are_seen_by_pytorchs_names():
    x = ad.ones(2, 3)
    with Log() as log:
        x.exp()
        x * 2
        x**2
        x.sum()
        x.sum(0)
        x.mean(dim=1)
        x.max()
        x.max(0)
        x @ x.transpose(0, 1)
        x.softmax(0)
        ad.where(x > 0, x, 1.0)
        ad.cat([x, x])
        x.clamp(0, 1)
        x.squeeze(0)
        x.view(6).split(2)
        x.add_(1)
        x.fill_(2)
    names = """exp.default mul.Tensor pow.Tensor_Scalar sum.default sum.dim_IntList mean.dim max.default max.dim
        transpose.int mm.default _softmax.default gt.Scalar where.self cat.default clamp.default squeeze.dim
        view.default split.Tensor add_.Tensor fill_.Scalar"""
    assert log.lines == ["aten." + name for name in names.split()]


def test_what_an_overload_looks_like():
    func = aten.mul.Tensor
    assert str(func) == "aten.mul.Tensor" and func.__name__ == "mul.Tensor" and func.name() == "aten::mul.Tensor"
    assert func is aten.mul.Tensor and func != aten.mul.default and func.overloadpacket is aten.mul
    assert func.namespace == "aten" and func._schema.name == "aten::mul" and func._overloadname == "Tensor"
    assert not func._schema.is_mutable and aten.mul_.Tensor._schema.is_mutable
    assert pickle.loads(pickle.dumps(func)) is func
    assert aten.view.default.is_view and not func.is_view
    assert func(ad.ones(2), 3).tolist() == [3.0, 3.0]
    assert aten._softmax.default(ad.ones(2), 0).tolist() == [0.5, 0.5]


def test_backward_is_seen_and_right():
    x = leaf()
    with Log() as log:
        y = x.exp().sum()
        del log.lines[:]
        y.backward()
    assert log.lines and x.grad.tolist() == x.detach().exp().tolist()
    x.grad = None
    y = x.exp().sum()
    with Log() as log:
        (grad,) = ad.autograd.grad(y, x)
    assert "aten.mul.Tensor" in log.lines and grad.tolist() == x.detach().exp().tolist() and not grad.requires_grad


def test_results_can_be_changed_below_autograd():
    x = leaf()
    with Double():
        y = x * x
        assert y.requires_grad and type(y.grad_fn).__name__ == "MulBackward0"
    assert y.tolist() == [2.0, 8.0, 18.0]
    y.sum().backward()  # autograd knows nothing of the change
    assert x.grad.tolist() == [2.0, 4.0, 6.0]


def test_flops_of_forward_and_backward():
    a, b = ad.ones(2, 3, requires_grad=True), ad.ones(3, 4, requires_grad=True)
    with Flops() as flops:
        y = (a @ b).sum()
        assert flops.total == 48
        y.backward()
    assert flops.total == 3 * 48


def test_modes_nest_innermost_first():
    lines = []
    with Log("outer ", lines) as outer, Log("inner ", lines) as inner:
        assert _get_current_dispatch_mode() is inner and _get_current_dispatch_mode_stack() == [outer, inner]
        ad.ones(2).exp()
        with _disable_current_modes() as active:
            ad.ones(2).exp()
            assert active == [outer, inner] and _get_current_dispatch_mode() is None
    assert lines == ["inner aten.exp.default", "outer aten.exp.default"]
    with Double(), Double():
        assert (ad.ones(1) * 1).item() == 8  # the inner one's own product is seen by the outer one


def test_nothing_is_recorded_inside_and_modes_are_restored():
    class Look(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            assert _get_current_dispatch_mode() is None
            result = func(*args, **(kwargs or {}))
            assert not result.requires_grad
            return result

    class Fail(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            raise LookupError("inside")

    x = leaf()
    with Look():
        y = x.exp()
        assert ad.is_grad_enabled() and y.requires_grad
        with pytest.raises(LookupError), Fail():
            x.exp()
        assert len(_get_current_dispatch_mode_stack()) == 1
        with ad.no_grad():
            assert not x.exp().requires_grad
    assert not _get_current_dispatch_mode_stack() and x.exp().requires_grad
    with pytest.raises(LookupError), Fail():
        y.sum().backward()
    assert not _get_current_dispatch_mode_stack() and ad.is_grad_enabled() and x.grad is None


def test_what_a_handler_must_not_return():
    class Return(TorchDispatchMode):
        def __init__(self, value):
            self.value = value

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return self.value

    for value, message in ((NotImplemented, "NotImplemented"), (3, "int"), (None, "NoneType")):
        with pytest.raises(TypeError, match=message), Return(value):
            ad.ones(2).exp()


def test_a_handler_that_returns_its_argument():
    class Same(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return args[0]

    x = leaf()
    with Same():
        y = x.exp()
    assert y is not x and x.is_leaf and y.grad_fn is not None and y.tolist() == [1.0, 2.0, 3.0]


def test_tensors_are_recognised():
    seen = []

    class Keep(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            result = func(*args, **(kwargs or {}))
            seen.append((args[0], result))
            return result

    x = leaf()
    with Keep():
        y = x.exp()
        z = y.sin()
    assert seen[0][0] is x and seen[0][1] is y and seen[1] == (y, z)


def test_views_share_memory_and_history():
    x = leaf()
    with Log() as log:
        y = x * 1
        view = y[1:]
        view.mul_(10)
        assert view._base is y and y.tolist() == [1.0, 20.0, 30.0] and y._version == 1
        y.sum().backward()
    assert "aten.mul_.Tensor" in log.lines and x.grad.tolist() == [1.0, 10.0, 10.0]


def test_writes_keep_what_was_saved():
    def function(x):
        y = x * 2
        y.mul_(y)
        y.exp_()
        return (y + x).sum()

    x, other = leaf(0.1, 0.2), leaf(0.1, 0.2)
    with Log():
        function(x).backward()
    function(other).backward()
    assert ad.equal(x.grad, other.grad)
    saved = leaf()
    with Log():
        y = saved.exp()
        y.add_(1)
    with pytest.raises(RuntimeError):
        y.sum().backward()


def test_a_view_that_a_handler_copies_is_no_view():
    class Copy(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return func(*args, **(kwargs or {})).clone()

    x = ad.zeros(4)
    with Copy():
        y = x.view(2, 2)
    assert y._base is None
    y += 1
    assert x.tolist() == [0.0] * 4


def test_higher_derivatives_and_transforms():
    f = lambda x: (x.exp() * x.sin()).sum()
    x = leaf()
    (expected,) = ad.autograd.grad(ad.autograd.grad(f(x), x, create_graph=True)[0].sum(), x)
    with Log() as log:
        (first,) = ad.autograd.grad(f(x), x, create_graph=True)
        (second,) = ad.autograd.grad(first.sum(), x)
    assert ad.allclose(second, expected)
    plain = x.detach()
    transforms = {
        "grad": lambda: ad.func.grad(f)(plain),
        "hessian": lambda: ad.func.hessian(f)(plain),
        "jvp": lambda: ad.func.jvp(f, (plain,), (plain,))[1],
        "vmap": lambda: ad.vmap(ad.func.grad(f))(plain),
        "vmap outside": lambda: ad.func.grad(lambda t: ad.vmap(f)(t).sum())(plain),
    }
    for name, run in transforms.items():
        del log.lines[:]
        with log:
            result = run()
        assert ad.allclose(result, run()), name
        assert "aten.exp.default" in log.lines, name


def test_a_mode_holds_in_its_thread_only():
    with Log() as log:
        thread = threading.Thread(target=lambda: ad.ones(2).exp())
        thread.start()
        thread.join()
    assert log.lines == []


def test_several_results_lists_and_custom_functions():
    class Square(ad.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad):
            return grad * 2 * ctx.saved_tensors[0]

    x = leaf()
    with Log() as log:
        values, _ = x.sort()
        first, *_ = ad.stack([values, x]).unbind(0)
        Square.apply(first).sum().backward()
    assert {"aten.sort.default", "aten.stack.default", "aten.unbind.int", "aten.mul.Tensor"} <= set(log.lines)
    assert x.grad.tolist() == [2.0, 4.0, 6.0]


def test_inference_mode_and_out():
    x, out = ad.ones(2), ad.zeros(2)
    with Log() as log, ad.inference_mode():
        assert x.exp().is_inference() and x.view(2, 1).exp().is_inference()
    with log:
        ad.exp(x, out=out)
    assert out.tolist() == x.exp().tolist() and log.lines.count("aten.exp.default") == 3
