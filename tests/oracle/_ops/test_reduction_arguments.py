"""Reductions, sorting and norms with all their arguments, as in PyTorch."""

from __future__ import annotations

import pytest

from tests.oracle._ops.expressions import check, grids

pytestmark = pytest.mark.oracle


@grids("""
T.sum({x|i|b|z|u8|e|s}, {dim=None|dim=0|dim=-1|dim=(0,1)|dim=()|dim=2|dim=(0,0)}, keepdim={True|False})
T.sum({i|b|u8}, {dim=0|dim=None}, dtype={T.bool|T.float64|T.int32|T.uint8})
{i|u8|b}.{cumsum|cumprod|prod}(0, dtype={T.int32|T.int8|T.float64})
{i|u8}.{prod|nansum}(dtype={T.int32|T.int64})
T.{mean|sum}({x|z|xf}, {dim=None|dim=0|dim=(0,1)}, dtype={None|T.float32})
T.mean({i|b|e}, {dim=None|dim=0})
{x|i|b|z|e|s|u8}.prod({|0|1,True|-1})
{x|z}.prod({|0,}dtype=T.float64)
{x}.cumprod(0, dtype=T.float64)
T.trace({x|u8|i|z})
T.{cumsum|cumprod}({x|i|b|z|s|u8}, {0|-1|dim=1})
T.logsumexp({x|s|e|holes|z}, {0|(0,1)|-1,True})
T.{softmax|log_softmax}({x|s|xf|holes}, {0|-1|dim=1|dim=0,dtype=T.float32})
T.{any|all}({x|i|b|u8|e|z|s}{|,0|,1,True|,dim=-1|,dim=(0,1)|,dim=()|,dim=5|,None})
T.{nansum|nanmean}({x|holes}{|,0|,1,True|,dim=(0,1)})
T.count_nonzero({x|b}{|,0|,dim=(0,1)})
""")
def test_sums(template: str) -> None:
    check(template)


@grids("""
T.{std|var}({x|z|xf|k}, {0|dim=1|(0,1)|True|False|0,True|0,False,True|dim=0,unbiased=False|dim=(0,1),correction=2})
T.{std|var}({x|z}, {correction=1|unbiased=False|dim=0,correction=0.5,keepdim=True|dim=0,unbiased=True,correction=0})
T.{std_mean|var_mean}({x|e|i}, {|0|dim=0,unbiased=False|dim=0,unbiased=True,correction=0|True})
{x|z}.{std|var}({|0|dim=1|True|False|0,False,True|dim=0,correction=0,keepdim=True})
""")
def test_deviations(template: str) -> None:
    check(template)


@grids("""
T.{amax|amin}({x|i|b|s|ties|holes|z}, {dim=()|0|(0,1)|-1,True})
T.aminmax({x|i|z}{|,dim=0|,dim=1,keepdim=True})
T.{max|min}({x|i|b|s|ties|holes|z}{|,0|,1,True|,dim=-1,keepdim=True})
T.{argmax|argmin}({x|i|s|ties|holes}{|,0|,1,True|,None|,keepdim=True})
T.sort({x|i|b|ties|holes|s}{|,0|,0,True|,descending=True|,stable=True|,dim=0,stable=True,descending=True})
{x|ties|holes}.argsort({|0|-1,True|descending=True|stable=True,dim=0})
T.topk({x|s}, {1|3,0|k=1,largest=False|9})
T.{median|nanmedian}({x|i|holes|s|w}{|,0|,1,True|,dim=-1})
T.kthvalue({x|i|s}, {1|2,0|k=1,dim=1,keepdim=True|9})
T.{cummax|cummin}({x|i|holes|ties|s}, {0|-1})
T.quantile({x|holes}, {0.5|0.3,0|0.4,interpolation='lower'|0.4,dim=1,interpolation='midpoint'|1.5})
""")
def test_order(template: str) -> None:
    check(template)


@grids("""
T.norm({x|z|s}{|,p='fro'|,inf|,-inf|,p=1|,2,0|,3,(0,1)|,'fro',0|,1,(0,1)|,2.5,1,True|,dim=0|,p=None|,'foo'})
T.norm({x|z}, {'nuc'|'nuc',(0,1)})
T.linalg.vector_norm({x|z|i|k}{|,1|,inf|,-inf|,ord=3,dim=0|,2,(0,1)|,dim=(0,),keepdim=True|,0.5})
T.linalg.matrix_norm({x|k|w}{|,'fro'|,'nuc'|,inf|,-inf|,1|,2|,-2|,1,(-1,-2)|,keepdim=True|,3|,dim=(0,0)})
""")
def test_norms(template: str) -> None:
    check(template)
