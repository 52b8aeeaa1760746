"""The checkers: what they accept, what they find, how exactly, and what they say."""

from __future__ import annotations

import contextlib
import math
import re
import subprocess
import sys
import zlib
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.arrays.numpy import numpy_namespace
from adjoint.autograd import dotcheck, gradcheck, gradgradcheck
from adjoint.autograd.gradcheck import GradcheckError
from tests.support.leaves import const, leaf

pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # PyTorch's own rules are scripted

TORCHS = {"atol": 1e-5, "rtol": 1e-3}


def errors_of(lib: Any) -> Any:
    """The library's `GradcheckError`."""
    return sys.modules[f"{lib.__name__}.autograd.gradcheck"].GradcheckError


def x(lib: Any = ad) -> Any:
    return leaf(lib, [[0.5, 1.5, 2.5], [3.0, 0.7, 1.1]])


def z(lib: Any = ad) -> Any:
    return leaf(lib, [0.5 + 1j, 1.5 - 0.5j], "complex128")


def scaled(lib: Any, factor: Any, function: Any = None) -> Any:
    """A function whose gradient is wrong by a factor."""

    def wrong(*inputs: Any) -> Any:
        y = (function or (lambda a: a.sin() * a))(*inputs)
        if y.requires_grad:
            y.register_hook(lambda grad: grad * factor)
        return y

    return wrong


RIGHT: dict[str, tuple[Any, Any]] = {
    "one input": (lambda lib: lambda a: a.sin() * a, lambda lib: x(lib)),
    "a tuple of one": (lambda lib: lambda a: a.exp(), lambda lib: (x(lib),)),
    "two inputs": (lambda lib: lambda a, b: a @ b, lambda lib: (x(lib), leaf(lib, [[1.0], [2.0], [3.0]]))),
    "a constant between": (lambda lib: lambda a, k, b: a * k - b, lambda lib: (x(lib), 3.0, x(lib))),
    "a constant tensor": (lambda lib: lambda a, b: a * b, lambda lib: (x(lib), const(lib, [1.0, 2.0, 3.0]))),
    "several outputs": (lambda lib: lambda a: (a.sum(), a.log(), 2 * a[0]), lambda lib: x(lib)),
    "an output of integers": (lambda lib: lambda a: tuple(a.sort()), lambda lib: x(lib)),
    "an output without gradient": (lambda lib: lambda a: (a * 2, a.detach() * 0), lambda lib: x(lib)),
    "complex to complex": (lambda lib: lambda a: a * a.conj() + a.sin(), lambda lib: z(lib)),
    "complex to real": (lambda lib: lambda a: (a.abs(), a.angle()), lambda lib: z(lib)),
    "real to complex": (lambda lib: lambda a: lib.complex(a, a * a) ** 2, lambda lib: leaf(lib, [1.0, 2.0])),
    "no dimensions": (lambda lib: lambda a: a**3, lambda lib: leaf(lib, 2.0)),
    "no elements": (lambda lib: lambda a: a * 2, lambda lib: leaf(lib, [])),
    "a view of a view": (lambda lib: lambda a: a.t()[1:].reshape(-1), lambda lib: x(lib)),
    "in place": (lambda lib: lambda a: a.clone().mul_(a), lambda lib: x(lib)),
    "an input as it is": (lambda lib: lambda a: a, lambda lib: x(lib)),
    "an input that is not contiguous": (
        lambda lib: lambda a: a.exp(),
        lambda lib: x(lib).detach().t().requires_grad_(),
    ),
    "an input that was computed": (lambda lib: lambda a: a.exp(), lambda lib: x(lib) * 2),
}


@pytest.mark.parametrize("fast_mode", [False, True], ids=["slow", "fast"])
@pytest.mark.parametrize("name", list(RIGHT))
def test_right_derivatives_pass(lib: Any, name: str, fast_mode: bool) -> None:
    function, inputs = (make(lib) for make in RIGHT[name])
    if lib is not ad and fast_mode and name == "no elements":
        pytest.skip("PyTorch divides by zero there")
    assert lib.autograd.gradcheck(function, inputs, fast_mode=fast_mode) is True
    assert lib.autograd.gradcheck(function, inputs, fast_mode=fast_mode, check_forward_ad=True)
    assert lib.autograd.gradcheck(function, inputs, check_forward_ad=True, check_backward_ad=False)
    if lib is ad:
        assert gradcheck(function, inputs, fast_mode=fast_mode, check_forward_ad=True, atol=1e-9, rtol=1e-7)
        assert dotcheck(function, inputs)


@pytest.mark.parametrize("fast_mode", [False, True], ids=["slow", "fast"])
@pytest.mark.parametrize(
    "name", ["one input", "two inputs", "several outputs", "complex to complex", "complex to real"]
)
def test_right_second_derivatives_pass(lib: Any, name: str, fast_mode: bool) -> None:
    function, inputs = (make(lib) for make in RIGHT[name])
    assert lib.autograd.gradgradcheck(function, inputs, fast_mode=fast_mode) is True
    assert lib.autograd.gradgradcheck(function, inputs, check_fwd_over_rev=True, fast_mode=fast_mode)
    assert lib.autograd.gradgradcheck(function, inputs, gen_non_contig_grad_outputs=True)


@pytest.mark.parametrize("fast_mode", [False, True], ids=["slow", "fast"])
def test_a_wrong_derivative_is_found(lib: Any, fast_mode: bool) -> None:
    wrong = scaled(lib, 1.01)
    with pytest.raises(errors_of(lib), match="Jacobian mismatch"):
        lib.autograd.gradcheck(wrong, x(lib), fast_mode=fast_mode)
    assert lib.autograd.gradcheck(wrong, x(lib), fast_mode=fast_mode, raise_exception=False) is False
    assert issubclass(errors_of(lib), RuntimeError)


# ---- errors of 1e-6 --------------------------------------------------------------------------------------------------


class Cube(ad.autograd.Function):
    """x**3, whose derivatives are wrong by these factors."""

    reverse = forward_factor = second = 1.0

    @staticmethod
    def forward(ctx: Any, a: Any) -> Any:
        ctx.save_for_backward(a)
        ctx.save_for_forward(a)
        return a**3

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (a,) = ctx.saved_tensors
        squared = Square.apply(a, Cube.second)
        return grad * 3 * squared * Cube.reverse

    @staticmethod
    def jvp(ctx: Any, tangent: Any) -> Any:
        (a,) = ctx.saved_tensors
        return tangent * 3 * a * a * Cube.forward_factor


class Square(ad.autograd.Function):
    @staticmethod
    def forward(ctx: Any, a: Any, factor: float) -> Any:
        ctx.save_for_backward(a)
        ctx.factor = factor
        return a * a

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * 2 * ctx.saved_tensors[0] * ctx.factor, None


SLIGHTLY = 1 + 1e-6


@pytest.fixture
def cube(monkeypatch: pytest.MonkeyPatch) -> Any:
    def make(**factors: float) -> Any:
        for name, factor in ({"reverse": 1.0, "forward_factor": 1.0, "second": 1.0} | factors).items():
            monkeypatch.setattr(Cube, name, factor)
        return Cube.apply

    return make


@pytest.mark.parametrize("options", [{}, {"fast_mode": True}, {"atol": 1e-9, "rtol": 1e-7}], ids=str)
def test_relative_errors_of_1e_6_are_found(cube: Any, options: Any) -> None:
    """In either mode, and in both at once, which leaves nothing for the dot-product check."""
    assert gradcheck(cube(), x(), check_forward_ad=True, **options)
    with pytest.raises(GradcheckError, match="in reverse mode"):
        gradcheck(cube(reverse=SLIGHTLY), x(), **options)
    with pytest.raises(GradcheckError, match="in forward mode"):
        gradcheck(cube(forward_factor=SLIGHTLY), x(), check_forward_ad=True, check_backward_ad=False, **options)
    with pytest.raises(GradcheckError, match="in reverse mode"):
        gradcheck(cube(reverse=SLIGHTLY, forward_factor=SLIGHTLY), x(), check_forward_ad=True, **options)
    with pytest.raises(GradcheckError, match="in reverse mode"):
        gradgradcheck(cube(second=SLIGHTLY), x(), **options)


def test_the_tolerances_of_pytorch_are_obeyed(cube: Any) -> None:
    assert gradcheck(cube(reverse=SLIGHTLY), x(), **TORCHS)
    assert gradcheck(cube(reverse=SLIGHTLY), x(), rtol=1e-3)
    assert gradcheck(cube(reverse=1.01), x(), atol=10.0)
    assert not gradcheck(cube(reverse=1.01), x(), raise_exception=False, **TORCHS)
    assert not gradcheck(cube(reverse=1.01), x(), raise_exception=False, rtol=1e-3)


@pytest.mark.parametrize("scale", [1e-6, 1e-3, 1.0, 1e3, 1e6])
def test_exactness_does_not_depend_on_the_scale(scale: float) -> None:
    for function in (lambda a: (a / scale) ** 2 * 3, lambda a: a.log(), lambda a: scale / a, lambda a: a * 1e-4):
        points = leaf(ad, [0.7 * scale, 1.3 * scale])
        assert gradcheck(function, points, check_forward_ad=True)
        with pytest.raises(GradcheckError):
            gradcheck(scaled(ad, SLIGHTLY, function), points)


HARD: dict[str, tuple[Any, Any]] = {
    "a kink next to the point": (lambda a: a.relu() + a.abs(), [1e-5, -1e-4, 1e-3, -5e-3, 0.1]),
    "a jump next to the point": (lambda a: a + a.floor(), [1e-4, 1 - 1e-4, 2.002, 3.5]),
    "an end of the domain next to the point": (lambda a: a.log() + a.sqrt(), [1e-4, 1e-3, 1.0]),
    "fast oscillations": (lambda a: (300 * a).sin(), [0.1, 0.2, 0.3]),
    "steep": (lambda a: (20 * a).exp(), [0.1, 1.0]),
    "cancellation": (lambda a: (a + 1e6) - 1e6 + a, [0.1, 1.0]),
    "large and small outputs": (lambda a: (30 * a).exp(), [-1.0, 0.0, 1.0]),
    "a spectrum": (lambda a: ad.linalg.svdvals(a.reshape(2, 2)), [1.0, 2.0, 3.0, 4.5]),
    "an inverse": (lambda a: ad.linalg.inv(a.reshape(2, 2)), [1.0, 2.0, 3.0, 4.5]),
    "undefined at some distance": (
        lambda a: ad.linalg.cholesky(ad.stack([a, a.flip(0)]) @ ad.stack([a, a.flip(0)]).t()),
        [1.0, 1.0001],
    ),
    "a maximum": (lambda a: a.max(), [1.0, 1.0001, 0.9]),
}


@pytest.mark.parametrize("fast_mode", [False, True], ids=["slow", "fast"])
@pytest.mark.parametrize("name", list(HARD))
def test_no_false_alarm(name: str, fast_mode: bool) -> None:
    function, point = HARD[name]
    assert gradcheck(function, leaf(ad, point), fast_mode=fast_mode, check_forward_ad=True)


def singular_to(power: int) -> Any:
    """The elements of a matrix of condition 10**power."""
    rng = np.random.default_rng(power)
    left, right = (np.linalg.qr(rng.normal(size=(3, 3)))[0] for _ in range(2))
    return ((left * np.logspace(0, -power, 3)) @ right).reshape(-1)


ILL_CONDITIONED: dict[str, tuple[Any, Any]] = {
    "a nearly singular Cholesky factor": HARD["undefined at some distance"],
    "a solution of condition 1e4": (lambda a: ad.linalg.solve(a.reshape(3, 3), a[:3]), singular_to(4)),
    "a solution of condition 1e7": (lambda a: ad.linalg.solve(a.reshape(3, 3), a[:3]), singular_to(7)),
    "an inverse of condition 1e5": (lambda a: ad.linalg.inv(a.reshape(3, 3)) @ a[:3], singular_to(5)),
    "large terms that cancel": (lambda a: (1e6 * a).cumsum(0) - (999999 * a).cumsum(0), [0.3, 0.7, 1.1]),
}


@pytest.mark.parametrize("name", list(ILL_CONDITIONED))
def test_no_false_alarm_with_another_linear_algebra_library(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Libraries and processors sum in different orders, so the last digits of their results differ.

    Ill-conditioned problems make much of that. The dot product of the two modes must allow for it, and for no more: a
    rule that is wrong by 1e-6 is found all the same.
    """
    function, point = ILL_CONDITIONED[name]
    for seed in range(10):
        with monkeypatch.context() as patch:
            round_differently(patch, seed)
            assert dotcheck(function, leaf(ad, point), trials=5)
            with pytest.raises(GradcheckError, match="not transposes"):
                dotcheck(scaled(ad, SLIGHTLY, function), leaf(ad, point))


@pytest.mark.parametrize(  # the others are too steep for differences
    "name", ["a nearly singular Cholesky factor", "a solution of condition 1e4", "large terms that cancel"]
)
def test_no_false_alarm_of_gradcheck_with_another_linear_algebra_library(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    function, point = ILL_CONDITIONED[name]
    for seed in range(3):
        with monkeypatch.context() as patch:
            round_differently(patch, seed)
            assert gradcheck(function, leaf(ad, point), check_forward_ad=True, check_batched_grad=True)


def round_differently(patch: pytest.MonkeyPatch, seed: int) -> None:
    """Change the results of NumPy's linear algebra by up to two units in the last place; equal ones equally."""

    def changed(kernel: Any) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            result = kernel(*args, **kwargs)
            rng = np.random.default_rng([seed, zlib.crc32(result.tobytes())])
            return result * (1 + np.finfo(result.dtype).eps * rng.integers(-2, 3, result.shape))

        return call

    for name in ("cholesky", "inv", "solve"):
        patch.setattr(np.linalg, name, changed(getattr(np.linalg, name)))
    for name in ("matmul", "solve_triangular"):
        patch.setattr(numpy_namespace, name, changed(getattr(numpy_namespace, name)))


# ---- what is said ----------------------------------------------------------------------------------------------------


def test_the_message_locates_the_entry() -> None:
    mask = const(ad, [[1.0, 1.0, 1.0], [1.0, 1.0, 2.0]])

    def wrong(k: Any, a: Any) -> Any:
        y = a * a
        y.register_hook(lambda grad: grad * mask)
        return k * 2, y

    with pytest.raises(GradcheckError) as caught:
        gradcheck(wrong, (leaf(ad, [1.0]), x()))
    message = str(caught.value)
    assert "in reverse mode for output 1 with respect to input 1" in message
    assert "element (1, 2) of the output by element (1, 2) of the input" in message
    numbers = [float(n) for n in re.findall(r"(?:analytical|numerical): +(\S+)", message)]
    assert numbers == pytest.approx([4.4, 2.2], rel=1e-9)
    with pytest.raises(GradcheckError, match=r"(?s)fast_mode.*Entry by entry.*element \(1, 2\)"):
        gradcheck(wrong, (leaf(ad, [1.0]), x()), fast_mode=True)


def test_the_message_tells_parts_of_complex_numbers_apart() -> None:
    def conjugated(a: Any) -> Any:
        y = a * (2 + 1j)
        y.register_hook(lambda grad: grad.conj())
        return y

    with pytest.raises(GradcheckError, match="imaginary part of element"):
        gradcheck(conjugated, z())


def test_a_gradient_that_is_not_conjugated_is_found(lib: Any) -> None:
    for turn in (lambda grad: grad.conj(), lambda grad: grad * 1j, lambda grad: grad.real + 0j):

        def wrong(a: Any, turn: Any = turn) -> Any:
            y = a.exp()
            y.register_hook(turn)
            return y

        assert lib.autograd.gradcheck(wrong, z(lib), raise_exception=False) is False


# ---- other mistakes --------------------------------------------------------------------------------------------------


def test_a_backward_that_varies_is_found(lib: Any) -> None:
    count = [0]

    def restless(grad: Any) -> Any:
        count[0] += 1
        return grad * (1 + 1e-9 * count[0])

    def function(a: Any) -> Any:
        y = a * 2
        y.register_hook(restless)
        return y

    with pytest.raises(errors_of(lib), match="not reentrant"):
        lib.autograd.gradcheck(function, leaf(lib, [1.0, 2.0]), **TORCHS)
    with pytest.raises(errors_of(lib), match="not reentrant"):
        lib.autograd.gradcheck(function, leaf(lib, [1.0, 2.0]), fast_mode=True, **TORCHS)
    assert lib.autograd.gradcheck(
        function, leaf(lib, [1.0, 2.0]), nondet_tol=1e-6, check_undefined_grad=False, **TORCHS
    )


def make_function(lib: Any, backward: Any, materialize: bool = True) -> Any:
    class Doubled(lib.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any) -> Any:
            ctx.set_materialize_grads(materialize)
            return a * 2

    Doubled.backward = staticmethod(backward)
    return Doubled.apply


def test_a_backward_that_forgets_grad_output_is_found(lib: Any) -> None:
    function = make_function(lib, lambda ctx, grad: lib.full_like(grad, 2.0))
    with pytest.raises(errors_of(lib)):
        lib.autograd.gradcheck(function, leaf(lib, 1.5))
    assert lib.autograd.gradcheck(make_function(lib, lambda ctx, grad: 2 * grad), leaf(lib, 1.5))


def test_a_backward_that_is_not_linear_is_found() -> None:
    """Unit vectors do not show it."""
    function = make_function(ad, lambda ctx, grad: 2 * grad**3)
    with pytest.raises(GradcheckError, match="not linear"):
        gradcheck(function, leaf(ad, [1.5, 2.5]), check_undefined_grad=False)


def test_a_backward_that_cannot_do_without_a_gradient_is_found(lib: Any) -> None:
    function = make_function(lib, lambda ctx, grad: grad * 2, materialize=False)
    with pytest.raises(GradcheckError if lib is ad else TypeError):
        lib.autograd.gradcheck(function, leaf(lib, [1.0, 2.0]))
    assert lib.autograd.gradcheck(function, leaf(lib, [1.0, 2.0]), check_undefined_grad=False)
    function = make_function(lib, lambda ctx, grad: None if grad is None else grad * 2, materialize=False)
    assert lib.autograd.gradcheck(function, leaf(lib, [1.0, 2.0]))


def test_a_gradient_out_of_nothing_is_found(lib: Any) -> None:
    def backward(ctx: Any, grad: Any) -> Any:
        return lib.ones(2, dtype=lib.float64) if grad is None else grad * 2

    function = make_function(lib, backward, materialize=False)
    with pytest.warns(UserWarning) if lib is not ad else _nothing(), pytest.raises(errors_of(lib)):
        lib.autograd.gradcheck(function, leaf(lib, [1.0, 2.0]))


def test_outputs_without_gradient_must_not_depend_on_inputs(lib: Any) -> None:
    assert lib.autograd.gradcheck(lambda a: lib.ones(2, dtype=lib.float64), x(lib))
    assert lib.autograd.gradcheck(lambda a: (a * 0).detach(), x(lib))
    assert lib.autograd.gradcheck(lambda a: a.argsort(), x(lib))
    with pytest.raises(errors_of(lib), match="zero"):
        lib.autograd.gradcheck(lambda a: a.detach() * 2, x(lib))


def test_a_gradient_that_is_missing_is_found(lib: Any) -> None:
    with pytest.raises(errors_of(lib)):
        lib.autograd.gradcheck(lambda a: a * a.detach(), x(lib))
    with pytest.raises(errors_of(lib)):
        lib.autograd.gradcheck(lambda a, b: a + b.detach(), (x(lib), x(lib)))


def test_modes_that_disagree_are_found_by_the_dot_product_to_rounding(cube: Any) -> None:
    assert dotcheck(cube(), x())
    for factors in ({"reverse": 1 + 1e-12}, {"forward_factor": 1 + 1e-12}):
        with pytest.raises(GradcheckError, match="not transposes"):
            dotcheck(cube(**factors), x())
        assert dotcheck(cube(**factors), x(), raise_exception=False) is False
        with pytest.raises(GradcheckError, match="not transposes"):
            gradcheck(cube(**factors), x(), check_forward_ad=True)
    assert dotcheck(cube(reverse=1 + 1e-12), x(), tolerance=1e7)


def test_dtypes_of_gradients(lib: Any) -> None:
    assert lib.autograd.gradcheck(lambda a: a * 2, x(lib), check_grad_dtypes=True, check_forward_ad=True)


def test_batches(lib: Any) -> None:
    function = lambda a, b: ((a @ b).sin(), a.exp())
    inputs = (x(lib), leaf(lib, [[1.0], [2.0], [3.0]]))
    assert lib.autograd.gradcheck(function, inputs, check_batched_grad=True)
    assert lib.autograd.gradcheck(function, inputs, check_forward_ad=True, check_batched_forward_grad=True)
    assert lib.autograd.gradgradcheck(function, inputs, check_batched_grad=True)


def test_a_backward_that_is_wrong_for_batches_is_found() -> None:
    function = make_function(ad, lambda ctx, grad: 2 * grad if grad.shape == (2,) else 3 * grad)

    def peeks(grad: Any) -> Any:
        return None if grad is None else grad * 2 if float(grad.sum()) < 1e9 else grad

    def hooked(a: Any) -> Any:
        y = a * 1
        y.register_hook(peeks)
        return y

    assert gradcheck(function, leaf(ad, [1.0, 2.0]), check_batched_grad=True)
    with pytest.raises(GradcheckError, match="batch"):
        gradcheck(hooked, leaf(ad, [1.0, 2.0]), check_batched_grad=True, atol=10.0)


# ---- names -----------------------------------------------------------------------------------------------------------


def test_the_name_is_a_module_and_a_function() -> None:
    code = (
        "import sys, adjoint as ad\n"
        "assert 'adjoint.autograd.gradcheck.compare' not in sys.modules, 'imported too early'\n"
        "from adjoint.autograd.gradcheck import GradcheckError, gradcheck\n"
        "import adjoint.autograd.gradcheck\n"
        "assert ad.autograd.gradcheck is gradcheck and callable(ad.autograd.gradgradcheck)\n"
        "x = ad.ones(1, dtype=ad.float64, requires_grad=True)\n"
        "assert ad.autograd.gradcheck(lambda x: x * 2, x)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_input_at_which_differences_are_not_finite_is_refused() -> None:
    with pytest.raises(GradcheckError, match="nan"), np.errstate(invalid="ignore"):
        gradcheck(lambda a: a * math.inf, leaf(ad, [0.0]))


def _nothing() -> Any:
    return contextlib.nullcontext()
