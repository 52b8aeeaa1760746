"""Losses and layers with all their arguments, as in PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from tests.oracle._ops.expressions import check, grids
from tests.oracle._ops.test_reduction import functional
from tests.support.compare import compare

pytestmark = pytest.mark.oracle


@grids("""
F.{mse_loss|l1_loss}({x|s}, {y|w|s}{|,reduction='sum'|,reduction='none'|,reduction='foo'})
F.{mse_loss|l1_loss|huber_loss}(x, y, {weight=p|weight=p,reduction='sum'|weight=p,reduction='none'|weight=w})
F.{smooth_l1_loss|huber_loss}(x, {y|w}{|,reduction='sum'|,reduction='none'})
F.{smooth_l1_loss|huber_loss|mse_loss}(z, z*2)
F.smooth_l1_loss(x, y, beta={0.5|0.0|-1})
F.huber_loss(x, y, delta={0.5|2.0|-1.0})
F.cross_entropy({x|x[0]}, {ix|T.tensor(1)|T.tensor([0,9,1])}{|,ignore_index=2|,reduction='sum'|,label_smoothing=0.2})
F.cross_entropy(x, ix, weight=w.detach().abs(){|,label_smoothing=0.1|,reduction='sum'|,ignore_index=2})
F.cross_entropy(x, ix, {weight=w.abs()|label_smoothing=2.0|reduction='foo'})
F.cross_entropy(x, p, {reduction='mean'|reduction='none'|label_smoothing=0.1|weight=w|ignore_index=1})
F.cross_entropy({x|x[0]*1}, {T.full((3,),-100)|T.tensor(-100)}, reduction={'mean'|'sum'})
F.cross_entropy(k, {ix2|ix2*0-100}{|,reduction='none'|,label_smoothing=0.3|,ignore_index=0})
F.nll_loss(x.log_softmax(1), {ix|T.tensor([0,-100,1])}{|,weight=w.detach().abs()|,weight=w|,ignore_index=1})
F.binary_cross_entropy({p|x|p*2}, {p.detach()|b.double()|y.detach()}{|,reduction='none'|,reduction='sum'})
F.binary_cross_entropy_with_logits(x, {p|w}{|,pos_weight=y.detach()|,weight=y.detach(),reduction='none'})
""")
def test_losses(template: str) -> None:
    check(template)


@grids("""
F.layer_norm({x|k}, {(4,)|[4]|(3,4)|(3,)}{|,eps=0.1|,w|,w,w|,weight=w,bias=None,eps=0.5})
F.layer_norm(k, (3,4), x, y)
F.rms_norm(x, (4,){|,w|,eps=0.1|,w,0.1})
F.embedding({ix|ix2|x|ix+9}, m{|,padding_idx=1|,padding_idx=-1|,scale_grad_by_freq=True})
F.conv2d({img|img[0]}, ker{|,w|,w[:1]|,w[:3]|,stride=2|,padding=1|,padding='same'|,dilation=2|,None,2,1|,padding='foo'})
F.conv2d(img, ker[:,:2], {groups=2|w,2,1,1,2|groups=1|groups=2,padding='same'})
F.max_pool2d(img, {2|3|(2,3)|2,1|3,2,1|2,dilation=2|3,ceil_mode=True|3,2,1,1,True|2,return_indices=True|2,padding=3})
F.linear({x|k}, y{|,bias=w[:3]|,None|,w})
F.linear({x|k|w}, {w|k})
F.dropout({x|e}, {0.0|0.5,False|1.0|p=0.0|2.0|-1.0})
""")
def test_layers(template: str) -> None:
    check(template)


def test_a_padding_row_has_to_exist() -> None:
    with pytest.raises(AssertionError, match="rows"):
        ad.embedding(ad.tensor([0]), ad.ones(3, 2), padding_idx=3)


@pytest.mark.parametrize("name", ["relu", "relu6", "leaky_relu", "hardtanh", "hardshrink", "softshrink"])
def test_second_derivatives_of_straight_lines_are_zero(name: str) -> None:
    """And not refused, because a gradient that is constant in pieces does not require grad."""

    def scenario(lib: Any) -> Any:
        x = lib.tensor([-2.0, 0.5, 3.0], requires_grad=True)
        (gradient,) = lib.autograd.grad(getattr(functional(lib), name)(x).sum(), x, create_graph=True)
        return [gradient, gradient.requires_grad, *lib.autograd.grad(gradient.sum(), x)]

    compare(scenario)


def test_losses_know_the_derivative_by_their_weights() -> None:
    """PyTorch refuses those of the binary cross entropies."""
    x, target = ad.tensor([0.3, 0.6], dtype=ad.float64), ad.tensor([1.0, 0.0], dtype=ad.float64)
    for loss in (ad.binary_cross_entropy, ad.binary_cross_entropy_with_logits, ad.huber_loss, ad.mse_loss):
        weight = ad.tensor([2.0, 3.0], dtype=ad.float64, requires_grad=True)
        loss(x, target, weight=weight, reduction="sum").backward()
        np.testing.assert_allclose(weight.grad, loss(x, target, reduction="none"), rtol=1e-12)
    weight = ad.tensor([2.0, 3.0], dtype=ad.float64, requires_grad=True)
    ad.binary_cross_entropy_with_logits(x, target, pos_weight=weight, reduction="sum").backward()
    np.testing.assert_allclose(weight.grad, [np.log1p(np.exp(-0.3)), 0.0], rtol=1e-12)
