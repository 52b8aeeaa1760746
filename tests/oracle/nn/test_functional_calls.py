"""Functions of `nn.functional` with all their arguments: values, derivatives and errors as in PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from tests.oracle._ops.expressions import check, grids, torch

pytestmark = pytest.mark.oracle


@grids("""
F.{relu|relu6|selu|silu|mish|hardsigmoid|hardswish}(x*1{|,True|,inplace=True})
F.{silu|mish|gelu|softplus|elu|leaky_relu|hardtanh|hardswish|softshrink|logsigmoid|celu|rrelu}({holes|xf|s|e|z})
F.{elu|leaky_relu}(x*1, {0.5|-0.3|0.2,True|0.0})
F.{elu_|leaky_relu_}(x*1{|,0.3})
F.{relu_|selu_|celu_}({x|x*1})
F.celu(x, alpha=0)
F.hardtanh(x*1{|,-0.5,0.2|,-0.5,0.2,True|,0.5,-0.5|,min_val=-0.1,inplace=True})
F.{threshold|threshold_}({x*1|i}, 1, 20{|,True})
F.rrelu(x*1{|,0.1,0.3|,0.1,0.3,False,True|,0.5,0.3})
F.glu({x|k|w|m}{|,0|dim=1|,5})
F.gelu({x|xf}, approximate={'none'|'tanh'|'foo'})
F.{softmax|log_softmax|softmin}({x|k|w|s|e|img}{|,0|,-1|,5|,0,dtype=T.float32|,dim=0,_stacklevel=5})
F.softplus({x|x*30|xf}{|,2,1|,beta=0.5,threshold=0})
F.prelu({x|k|w|s}, {T.tensor([0.25],dtype=T.float64)|w|w[:3]|s})
F.normalize({x|k|z|e|w}{|,1|,3.0|,inf|,2,0|,2.0,-1|,eps=10.})
F.one_hot({ix|ix2|x|back|T.tensor([],dtype=T.int64)|ix.int()}{|,5|,2|,num_classes=0})
F.cosine_similarity({x|k|w}, {y|w|k}{|,0|,-1,10.0})
F.pairwise_distance({x|k}, {y|w}{|,1|,3.0|,keepdim=True|,inf})
F.pdist({x|k|x[:1]}{|,1|,0|,3.0|,inf|,-1})
F.{pixel_shuffle|pixel_unshuffle|channel_shuffle}({img|img[0]}, {1|2|3})
F.bilinear(x, y, {k[:,:,:3]|img[0,:,:4,:4]}{|,w})
F.linear({x|k|w}, {y|y[:,:3]}{|,None|,bias=w[:3]})
""")
def test_activations_and_distances(template: str) -> None:
    check(template)


@grids("""
F.{mse_loss|l1_loss|smooth_l1_loss}(x, y{|,False|,True,False|,None,True|,reduce=False|,None,None,'sum'})
F.smooth_l1_loss(x, y, None, None, 'sum', 0.5)
F.mse_loss(x, y, None, None, 'sum', p)
F.huber_loss(x, y{|,'sum'|,'none',0.5|,'mean',1.0,p|,delta=0})
F.kl_div(x, p{|,False|,reduction='batchmean'|,log_target=True|,None,None,'sum',True|,reduction='foo'})
F.poisson_nll_loss(x, p{|,False|,True,True|,False,False,None,1e-2|,True,False,False|,reduction='foo'})
F.gaussian_nll_loss(x, y, {p|p[:,:1]|p[:,0]|0.5|-p|p[0]}{|,True|,eps=0.5|,True,1e-3,'sum'|,reduction='foo'})
F.hinge_embedding_loss(x, {x.detach().sign()|i}{|,0.5|,1.0,False|,reduce=False})
F.cosine_embedding_loss({x|k|w}, {y|w}, {T.tensor([1,-1,1])|T.tensor(1)|T.tensor([[1,-1,1]])}{|,0.3|,0.1,False})
F.margin_ranking_loss(x, {y|w}, {x.detach().sign()|T.tensor(1.0)|T.tensor([[1.],[-1],[1]])}{|,0.5|,reduce=False})
F.triplet_margin_loss(x, y, {p|w}{|,2.0|,1.0,1|,1.0,inf|,swap=True|,1.0,2,1e-6,False,False|,margin=0})
F.triplet_margin_with_distance_loss(x, y, p{|,margin=2.0|,swap=True|,distance_function=lambda a,b:(a-b).abs().sum(1)})
F.multi_margin_loss({x|w|k}, {ix|T.tensor(1)}{|,2|,1,0.5|,1,1.0,w.detach().abs()|,3|,1,1.0,None,False})
F.multilabel_margin_loss({x|w}, {T.tensor([[0,2,-1,1],[-1,0,1,1],[3,2,1,0]])|T.tensor([0,2,-1,1])|ix}{|,False})
F.multilabel_soft_margin_loss({x|w|k}, {p|w|k}{|,w|,w.detach(),False|,reduction='none'|,weight=p})
F.soft_margin_loss({x|k}, x.detach().sign(){|,False|,reduction='none'})
F.binary_cross_entropy({p|p[0]}, {p.detach()|b.double()|p}{|,p.detach()[0]|,None,False|,None,None,False})
F.binary_cross_entropy_with_logits({x|x[0]}, {p.detach()|p}{|,p.detach()|,None,False|,None,None,None,'sum',w.detach()})
F.cross_entropy({x|k}, {ix|ix2}{|,None,False|,None,None,1|,None,None,-100,False|,label_smoothing=1.0})
F.nll_loss({x|w|k}, {ix|T.tensor(1)|ix2}{|,None,False|,None,None,1|,None,None,-100,False|,reduction='none'})
F.linear_cross_entropy(x, {y|k|m}, {ix|T.tensor(1)|ix2}{|,linear_bias=w[:3]|,linear_bias=w|,ignore_index=1})
F.ctc_loss(k.log_softmax(-1), {T.tensor([[1,2],[2,3],[1,1]])|T.tensor([1,2,2,3,1,1])}, (2,2,2), {(2,2,2)|(2,1,3)}{|,3})
""")
def test_losses(template: str) -> None:
    check(template)


@grids("""
F.{avg_pool1d|max_pool1d|lp_pool1d}({k|w|img}, {2|(2,)|5|0|-1})
F.lp_pool1d({k|x}, {2|1|3.0|inf}, {2|3}{|,1|,2,True})
F.lp_pool2d({img|img[0]}, {2|3.0|inf}, {2|(2,3)}{|,1|,2,True|,(1,2)})
F.lp_pool3d(img, {2|3|inf}, {2|(1,2,2)}{|,1|,2,True})
F.avg_pool1d(k, 3{|,1|,2,1|,1,1,True|,2,1,False,False|,1,2})
F.avg_pool2d({img|img[0]}, {2|(2,3)|7}{|,1|,2,1|,(1,2),1,True|,2,1,False,False|,1,2})
F.avg_pool2d(img, 2, divisor_override={3|0})
F.avg_pool3d(img, {2|(1,2,3)}{|,2,1|,1,1,True|,2,1,False,False|,divisor_override=3})
F.max_pool1d({k|x}, 2{|,1|,2,1|,1,0,2|,2,1,1,True|,2,1,1,False,True|,return_indices=True|,stride=0})
F.max_pool3d({img|img[None]}, {2|(1,2,3)}{|,2,1|,1,0,2|,2,1,1,True,True})
F.max_pool2d({holes|ties}[None], 2, 1{|,1})
F.adaptive_{avg|max}_pool1d({k|x|w|img}, {1|2|5|(3,)|0|(2,2)})
F.adaptive_{avg|max}_pool2d({img|img[0]}, {1|(2,3)|(None,2)|0})
F.adaptive_{avg|max}_pool3d({img|img[None]}, {1|(2,3,1)|(None,2,None)})
F.max_unpool1d(*F.max_pool1d(k, 2, return_indices=True), 2{|,2|,output_size=(4,)|,output_size=(9,)|,1})
F.max_unpool2d(*F.max_pool2d(img, 2, return_indices=True), 2{|,2|,None,0|,output_size=(5,6)|,output_size=(9,9)})
F.max_unpool3d(*F.max_pool3d(img, 2, return_indices=True), 2{|,2|,output_size=(4,5,6)})
F.unfold({img|img[0]|k}, {2|(2,3)|9|0}{|,2|,1,1|,1,0,2|,dilation=2,padding=1,stride=2})
F.fold(T.ones({2,4,20|4,20|2,3,20|2,4,9},dtype=T.float64)*s, {(5,6)|5}, {2|(2,2)}{|,1,0,1|,padding=1})
F.fold(F.unfold(img,2), (5,6), 2)
F.conv_tbc(k, T.ones(2,4,3,dtype=T.float64), {w[:3]|w}{|,1})
F.conv_transpose1d({k|k[0]}, m[:,:2,None]{|,w[:2]|,None,2|,None,2,0,1|,None,2,0,2|,None,1,0,0,3})
F.pad(k, {(1,2)|(-1,1)|(0,0)|(1,)}{|,'constant',3|,mode='reflect'|,mode='replicate'|,mode='circular'|,mode='foo'})
F.pad(img, (1,2,0,3), {'reflect'|'replicate'|'circular'}{|,1.0})
F.interpolate({img|k|x}, {4|(4,3)|None|scale_factor=(2,1.5)|4,2.0}{|,mode='bilinear'|,mode='area'|,mode='foo'})
F.interpolate({img|k}, 4, align_corners=True)
F.{upsample|upsample_nearest|upsample_bilinear}(img, {4|(4,3)|scale_factor=2|None})
F.grid_sample({img|k}, T.zeros(2,3,3,{2|3},dtype=T.float64){|,'nearest'|,'bilinear','border',True|,'foo'})
F.affine_grid({k[:,:2,:3]|k[:,:3,:4]|x}, {(2,1,3,4)|(2,1,2,3,4)|(2,1,0,2)|(3,1,2,2)}{|,True|,align_corners=False})
""")
def test_images(template: str) -> None:
    check(template)


@grids("""
F.batch_norm({x|img}, w.detach().clone(), w.detach().abs(){|,training=True|,w,w,True|,w,None,True,0.5|,w,w,False})
F.instance_norm({k|img}{|,eps=0.5|,None,None,w[:3],w[:3]|,use_input_stats=False})
F.group_norm({x|k|img|w}, {1|2|3|4}{|,w|,w,w|,weight=w[:3],bias=w[:3]|,eps=0.5})
F.local_response_norm({x|k|img|w}, {1|2|3|0}{|,0.5|,0.5,0.3,2.0})
F.rms_norm({x|img|z}, {(4,)|(6,)|(5,6)}{|,eps=1e-3|,w})
F.embedding({ix|ix2|T.tensor(1)|ix[:0]|back|x}, {m|x}{|,0|,padding_idx=-1|,padding_idx=5|,None,None,2.0,True})
F.embedding({ix|ix2}, m.detach().clone(), max_norm={0.5|1.0|0.0}{|,norm_type=1|,norm_type=inf|,padding_idx=1})
F.embedding(ix, w)
F.embedding_bag(ix2, m{|,mode='sum'|,mode='max'|,mode='foo'|,padding_idx=1|,mode='sum',per_sample_weights=k[:,0]*1})
F.embedding_bag(ix2.ravel(), m, {T.tensor([0,3])|T.tensor([0,3,3,8])|T.tensor([1,3])|None}, mode={'mean'|'sum'|'max'})
F.embedding_bag(ix2.ravel(), m, T.tensor([0,3,3,8]), include_last_offset=True)
F.{dropout|alpha_dropout|feature_alpha_dropout|dropout1d}(k*1, {0.5,False|0.0,True|1.5|1.0,True|1.0,True,True})
F.dropout2d({img|k|x|img[None]}, {0.0|1.0|0.5,False})
F.dropout3d({img|img[None]|k}, {0.0|1.0|0.5,False})
F.scaled_dot_product_attention({k|x}, {k|x}, {k|x}{|,is_causal=True|,scale=0.3})
F.scaled_dot_product_attention(k, k, k, {m|bm|b[:,:3]|i[:,:3]|m,0.0,True}{|,scale=0.5})
F.scaled_dot_product_attention(k, k, k, T.tensor([[0.,-inf,-inf],[-inf]*3,[0,0,0]],dtype=T.float64))
F.scaled_dot_product_attention(k, k, k, T.tensor([[True,False,True],[False]*3,[True]*3]))
F.scaled_dot_product_attention(k[:,:2], k, k[...,:2]{|,is_causal=True|,T.ones(2,3,dtype=T.bool).tril()})
F.scaled_dot_product_attention({k[:,:0]|k}, k[:,:0], k[:,:0])
F.scaled_dot_product_attention(img, {img[:,:2]|img[:,:3]|img}, img[:,:2]{|,enable_gqa=True})
F.grouped_mm(xf, {xf.T|k.float()[:,0]}, offs={T.tensor([2,4],dtype=T.int32)|None})
""")
def test_layers(template: str) -> None:
    check(template)


_WEIGHTS = "T.ones(12,4,dtype=T.float64)*w, None, None, None, False, 0.0, y[:1]*w[:,None], w"


@grids("""
F.multi_head_attention_forward({k|x}, x, x, {4|5}, {2|3}, WEIGHTS{|,need_weights=False|,attn_mask=b[:,:3]})
F.multi_head_attention_forward(x, x, x, 4, 2, WEIGHTS, key_padding_mask=T.tensor([True,False,False]))
F.multi_head_attention_forward(k, k, k, 4, 2, WEIGHTS, True, b[:,:2], {True|False}, {b[:2,:2]|bm[:,:2,:2].tile(3,1,1)})
F.multi_head_attention_forward(k, k, k, 4, 2, WEIGHTS, is_causal=True{|,attn_mask=b[:2,:2]})
""")
def test_multi_head_attention(template: str) -> None:
    check(template.replace("WEIGHTS", _WEIGHTS))


def test_a_row_of_a_mask_that_hides_everything_gives_zeros_as_in_pytorch() -> None:
    """And gradients without NaN, whether the mask is of booleans or of numbers."""
    for mask in ("T.zeros(3,3,dtype=T.bool)", "T.full((3,3),-inf,dtype=T.float64)"):
        check(f"F.scaled_dot_product_attention(k, k, k, {mask})")
        check(f"F.scaled_dot_product_attention(k, k, k, {mask}[:1])")


def run_in_both(scenario: Any) -> None:
    """Compare arrays that a scenario gives in both libraries."""
    for ours, theirs in zip(scenario(ad), scenario(torch), strict=True):
        np.testing.assert_allclose(ours.detach().numpy(), theirs.detach().numpy(), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", ["batch_norm", "instance_norm"])
@pytest.mark.parametrize("momentum", [0.1, 0.0, 1.0])
def test_running_statistics_are_updated_in_place(name: str, momentum: float) -> None:
    def scenario(lib: Any) -> list[Any]:
        mean, variance = lib.tensor([0.1, 0.2, 0.3]), lib.tensor([1.0, 2.0, 3.0])
        function, seen = getattr(lib.nn.functional, name), []
        for seed in range(2):
            x = lib.tensor(np.random.default_rng(seed).normal(size=(4, 3, 5)).astype("f4"))
            seen += [function(x, mean, variance, None, None, True, momentum), mean.clone(), variance.clone()]
        return [*seen, function(x, mean, variance, None, None, False)]

    run_in_both(scenario)


@pytest.mark.parametrize("name", ["embedding", "embedding_bag"])
def test_rows_that_are_too_long_are_rescaled_in_place(name: str) -> None:
    def scenario(lib: Any) -> list[Any]:
        weight = lib.tensor(np.arange(12.0).reshape(4, 3), requires_grad=True)
        index = lib.tensor([[0, 2], [2, 1]])
        result = getattr(lib.nn.functional, name)(index, weight, max_norm=2.0, norm_type=1.0)
        result.sum().backward()
        return [result, weight, weight.grad]

    run_in_both(scenario)
