"""Values and derivatives at NaN, infinities, zeros of both signs, kinks and ends of domains, as PyTorch has them.

Operands are every second element of a tensor: PyTorch then computes one element at a time, and not several at once,
which differs for NaN (its gradient of `elu` depends on where in memory the NaN is).
"""

from __future__ import annotations

import itertools
import math
import warnings
from typing import Any

import numpy as np
import pytest

import adjoint as ad

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.oracle

inf, nan = math.inf, math.nan

_SPECIAL = [nan, inf, -inf, 0.0, -0.0, 1, -1, 0.5, -0.5, 2, -2, 3, -3, 6, 1e-12, 1e30, -1e30, 19.5, -19.5, 0.3, 1.5]
_FEW = [nan, inf, -inf, 0.0, -0.0, 1, -1, 0.5, 2, -2, 1e30]
_ROWS = [
    [1, nan, 2],
    [inf, 1, 0],
    [-inf, inf, 1],
    [0, 0, 1],
    [1, 1, 1],
    [inf, inf, 1],
    [nan, nan, nan],
    [-inf, -inf, -inf],
    [-0.0, 0, 0],
    [-inf, 1, 2],
    [0, 2, 3],
    [nan, 0, 1],
]

# Left out, since PyTorch's answer is worse: the derivatives of `copysign` and of complex `abs` at infinity, `polygamma`
# at infinity and at poles, `i1` of NaN, `log_ndtr` far below zero, `hardsigmoid` in double precision.
_UNARY = """
    T.abs(x) T.acos(x) T.asin(x) T.asinh(x) T.atan(x) T.atanh(x) T.ceil(x) T.cos(x) T.cosh(x) T.erf(x) T.erfc(x)
    T.erfinv(x) T.exp(x) T.exp2(x) T.expm1(x) T.floor(x) T.frac(x) T.lgamma(x) T.log(x) T.log10(x) T.log1p(x) T.log2(x)
    T.logit(x) T.logit(x,0.1) T.neg(x) T.reciprocal(x) T.round(x) T.rsqrt(x) T.sigmoid(x) T.sign(x) T.sgn(x)+x T.sin(x)
    T.sinh(x) T.sqrt(x) T.square(x) T.tan(x) T.tanh(x) T.trunc(x) T.nan_to_num(x) T.nan_to_num(x,1.0,2.0,3.0) T.i0(x)
    T.special.entr(x) T.special.erfcx(x) T.special.ndtr(x) T.special.ndtri(x) T.special.i0e(x) T.rad2deg(x)
    T.angle(x)
    F.relu(x) F.relu6(x) F.elu(x) F.elu(x,0.5) F.elu(x,-0.5) F.celu(x) F.celu(x,0.5) F.selu(x) F.hardtanh(x)
    F.hardtanh(x,0,0) F.hardshrink(x) F.hardshrink(x,0.0) F.softshrink(x) F.softshrink(x,1.0) F.hardswish(x)
    F.leaky_relu(x) F.leaky_relu(x,-1.0) F.silu(x) F.mish(x) F.softplus(x) F.softplus(x,2.0,10.0) F.gelu(x)
    F.gelu(x,approximate='tanh') F.logsigmoid(x) F.softsign(x) F.tanhshrink(x) F.threshold(x,0.5,7.0)
    T.clamp(x,-1,1) T.clamp(x,1,-1) T.clamp(x,min=0) T.clamp(x,max=0) T.clamp(x,nan,1) T.clamp(x,0,nan)
    T.pow(x,0) T.pow(x,0.5) T.pow(x,1) T.pow(x,-1) T.pow(x,2) T.pow(x,3) T.pow(x,2.5) T.pow(x,inf) T.pow(x,-inf)
    T.pow(x,nan) T.pow(0,x) T.pow(1,x) T.pow(-1,x) T.pow(2,x) T.pow(inf,x) T.pow(nan,x) 1/x x/0 0/x x%2 x%0.0
    T.remainder(T.full_like(x,2),x) T.fmod(x,2) T.fmod(x,0.0) T.fmod(x,inf) T.xlogy(x,2) T.xlogy(x,0.0) T.xlogy(0,x)
    T.special.xlog1py(x,-1.0) T.where(x>0,x,nan) T.masked_fill(x,x>0,1.0) T.lerp(x,x+1,0.5) T.add(x,x,alpha=inf)
    T.mul(x,inf) T.diff(x) F.normalize(x,dim=0) T.cumsum(x,0)
"""

_BINARY = """
    x+y x-y x*y x/y T.fmod(x,y) x%y x**y T.abs(x)**y T.atan2(x,y) T.hypot(x,y) T.maximum(x,y) T.minimum(x,y) T.fmax(x,y)
    T.fmin(x,y) T.xlogy(x,y) T.special.xlog1py(x,y) T.logaddexp(x,y) T.logaddexp2(x,y) T.nextafter(x,y) T.clamp(x,y)
    T.clamp(x,max=y) T.where(x>y,x,y) T.lerp(x,y,0.5) T.lerp(x,y,0.2) T.lerp(x,y,1.0) T.lerp(x,y,y) T.addcmul(x,x,y)
    T.addcdiv(x,x,y) T.div(x,y,rounding_mode='floor')+x T.div(x,y,rounding_mode='trunc')+x
    F.l1_loss(x,y,reduction='none') F.mse_loss(x,y,reduction='none') F.smooth_l1_loss(x,y,reduction='none')
    F.smooth_l1_loss(x,y,reduction='none',beta=0.0) F.huber_loss(x,y,reduction='none',delta=0.5)
    F.binary_cross_entropy_with_logits(x,y,reduction='none') F.kl_div(x,y,reduction='none')
    F.poisson_nll_loss(x,y.detach(),reduction='none',full=True)
    F.gaussian_nll_loss(x,y,y.abs().detach(),reduction='none')
    F.margin_ranking_loss(x,y,T.ones_like(x),reduction='none')
"""

_REDUCTIONS = """
    T.sum(x,1) T.mean(x,1) T.prod(x,1) T.prod(x[3:5]) T.cumsum(x,1) T.cummax(x,1) T.cummin(x,1) T.logsumexp(x,1)
    T.softmax(x,1) T.log_softmax(x,1) T.amax(x,1) T.amin(x,1) T.aminmax(x,dim=1) T.max(x,1) T.min(x,1) T.max(x)
    T.amax(x[3:5]) T.std(x,1) T.var(x,1) T.std(x,1,correction=0) T.var(x,1,correction=3) T.var_mean(x,dim=1)
    T.norm(x,dim=1) T.norm(x,p=1,dim=1) T.norm(x,p=inf,dim=1) T.norm(x,p=-inf,dim=1) T.norm(x,p=0,dim=1)+x.sum(1)
    T.norm(x,p=3,dim=1) T.norm(x,p=1.5,dim=1) T.norm(x,p=0.5,dim=1) T.norm(x,p=-1,dim=1) T.norm(x,p=-2,dim=1)
    T.median(x,1) T.median(x) T.nansum(x,1) T.sort(x,1) T.topk(x,2,1) T.quantile(x,0.3,1) T.nanquantile(x,0.3,1)
    T.renorm(x,2,0,1.0) F.max_pool1d(x[None],2,1) F.avg_pool1d(x[None],2,1) F.adaptive_avg_pool1d(x[None],2)
    T.cdist(x,x.flip(0),p=1.0) F.pdist(x[3:6]) F.cross_entropy(x,T.tensor([0]*12),reduction='none')
    T.dist(x[4:],x[4:]*0,1) F.group_norm(x,1) F.pairwise_distance(x,x.flip(0),1) T.nan_to_num(x).softmax(1)
"""


def _spread(lib: Any, values: np.ndarray) -> Any:
    wide = np.zeros((*values.shape[:-1], 2 * values.shape[-1]), values.dtype)
    wide[..., ::2] = values
    return lib.tensor(wide)[..., ::2].requires_grad_()


def _evaluate(lib: Any, call: str, operands: dict[str, Any]) -> Any:
    names = {"T": lib, "F": lib.nn.functional if lib is torch else lib, "inf": inf, "nan": nan}
    result = eval(call, names | operands)
    return result[0] if isinstance(result, tuple) else result


def _run(lib: Any, call: str, arrays: dict[str, np.ndarray]) -> tuple[Any, list[Any]]:
    operands = {name: _spread(lib, array) for name, array in arrays.items()}
    result = _evaluate(lib, call, operands)
    grads = lib.autograd.grad(result, list(operands.values()), lib.full_like(result, 1.5), allow_unused=True)
    return result.detach().numpy(), [np.zeros(1) if grad is None else grad.numpy() for grad in grads]


def _compare(call: str, arrays: dict[str, np.ndarray]) -> None:
    rtol, atol = (2e-5, 2e-6) if arrays["x"].dtype == np.float32 else (1e-9, 1e-12)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        (value, grads), (wanted, wanted_grads) = _run(ad, call, arrays), _run(torch, call, arrays)
        np.testing.assert_allclose(value, wanted, rtol, atol, err_msg=call)
        for name, grad, wanted_grad in zip(arrays, grads, wanted_grads):
            np.testing.assert_allclose(grad, wanted_grad, rtol, atol, err_msg=f"gradient of {call} by {name}")


def _pairs(dtype: str) -> dict[str, np.ndarray]:
    first, second = np.array(list(itertools.product(_FEW, _FEW)), dtype).T
    return {"x": first.copy(), "y": second.copy()}


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("call", _UNARY.split())
def test_of_one_variable(call: str, dtype: str) -> None:
    _compare(call, {"x": np.array(_SPECIAL, dtype)})


def test_of_spherical_bessel_functions() -> None:
    """PyTorch's has no derivative."""
    wanted, found = (lib.special.spherical_bessel_j0(lib.tensor(_SPECIAL)).numpy() for lib in (torch, ad))
    np.testing.assert_allclose(found, wanted, 1e-5, 1e-6)


@pytest.mark.parametrize("call", _BINARY.split())
def test_of_two_variables(call: str) -> None:
    _compare(call, _pairs("float64"))


@pytest.mark.parametrize("call", _REDUCTIONS.split())
def test_of_reductions(call: str) -> None:
    _compare(call, {"x": np.array(_ROWS, "float64")})


@pytest.mark.parametrize(
    ("call", "places"),
    [
        ("F.elu(x)", [0.0, -0.0, 1, -1]),
        ("F.celu(x,0.5)", [0.0, -0.0, 1, -1]),
        ("F.selu(x)", [0.0, -0.0, 1, -1]),
        ("F.huber_loss(x,T.zeros_like(x),reduction='none')", [1, -1, 0, 0.5, 2]),
        ("F.smooth_l1_loss(x,T.zeros_like(x),reduction='none')", [1, -1, 0, 0.5, 2]),
        ("F.hardswish(x)", [3, -3, 0, inf, -inf]),
        ("F.softplus(x)", [0, 30, -30, inf, -inf]),
        ("T.abs(x)*x", [0, 1, -1]),
    ],
)
def test_of_second_order(call: str, places: list[float]) -> None:
    """By the operand and by the gradient that came in."""
    found = []
    for lib in (ad, torch):
        x = _spread(lib, np.array(places, "float64"))
        with np.errstate(all="ignore"):
            value = _evaluate(lib, call, {"x": x})
        g = lib.full_like(value, 1.5).requires_grad_()
        (grad,) = lib.autograd.grad(value, x, g, create_graph=True)
        found.append([one.numpy() for one in lib.autograd.grad(grad.sum(), (x, g))])
    np.testing.assert_allclose(found[0], found[1], 1e-9, 1e-12)


@pytest.mark.parametrize("call", [*_UNARY.split(), *_BINARY.split()])
def test_both_modes_agree(call: str) -> None:
    """What PyTorch's forward mode gives at kinks and beside NaN is not always what its reverse mode gives."""
    if any(word in call for word in ("diff", "normalize", "cumsum", "detach")):
        return  # not element by element; and detach() means something else to forward mode
    forward_ad = ad.autograd.forward_ad
    arrays = _pairs("float64") if call in _BINARY.split() else {"x": np.array(_SPECIAL, "float64")}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for wanted, name in zip(_run(ad, call, arrays)[1], arrays):
            with forward_ad.dual_level():
                operands = {key: _spread(ad, array).detach() for key, array in arrays.items()}
                operands[name] = forward_ad.make_dual(operands[name], ad.full_like(operands[name], 1.5))
                tangent = forward_ad.unpack_dual(_evaluate(ad, call, operands)).tangent
            found = np.zeros(1) if tangent is None else tangent.numpy()
            np.testing.assert_allclose(found, wanted, 1e-9, 1e-12, err_msg=f"{call} by {name}")
