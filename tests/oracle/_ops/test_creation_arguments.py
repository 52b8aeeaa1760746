"""Making tensors from every kind of data and argument, transforms and factorizations with theirs, as in PyTorch."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.oracle._ops.expressions import check, grids
from tests.support.compare import compare

pytestmark = pytest.mark.oracle


@grids("""
T.{tensor|as_tensor|asarray}({1|1.5|True|1j|[]|[[]]|[1,2]|[1,2.0]|[True,1]|[1,1j]|[[1],[2,3]]|'a'|(1,2)|range(3)|2**70})
T.{tensor|as_tensor}({np.float32(1)|np.float64(2.0)|np.array(3)|np.int8(4)|np.complex64(1j)|[np.float32(1.0),2]})
T.tensor({[1,2]|1.7|True|1j|300|[2**40]}, dtype={T.float32|T.int8|T.bool|T.complex64|T.uint8|T.int32})
T.full({(2,3)|()|(2,)}, {1|1.5|True|1j|300|2**40|nan|None}{|,dtype=T.float32|,dtype=T.int64|,dtype=T.uint8})
T.full_like({x|i|u8}, {2|300|nan|1j}).{dtype|shape}
T.arange({5|1,5|1,5,2|5,1,-1|0.5,2|0,1,0.1|5.0|1,0|0,5,0|3,dtype=T.float64|0,1,0.25,dtype=T.int64|0,inf|nan})
T.linspace({0,1,5|0,1,1|0,1,0|1,0,3|0,10,3,dtype=T.int64|0,1|0,1,-1|1j,2,3})
T.{zeros|ones}({2|2,3|(2,3)|()|0|-1|2.5|'a'}{|,dtype=T.int64|,requires_grad=True|,dtype=T.int32,requires_grad=True})
T.eye({3|2,3|0|-1|n=2,m=3|2,dtype=T.bool})
""")
def test_creation(template: str) -> None:
    check(template)


@grids("""
T.fft.{fft|ifft|rfft|irfft|hfft|ihfft}({x|z|i}{|,3|,6|,dim=0|,3,0|,norm='ortho'|,norm='forward'|,norm="foo"|,0|,-1})
T.fft.{fft2|rfft2|irfft2|fftn|irfftn}({x|z|k}{|,(2,3)|,s=(-1,3)|,dim=(0,1)|,norm='ortho'|,dim=(0,0)|,s=(2,),dim=(0,1)})
""")
def test_transforms(template: str) -> None:
    check(template, second=False)


@grids("""
T.linalg.{inv|det|slogdet|svdvals|pinv|matrix_exp}({m|bm|spd|x[:2]|w|i})
T.linalg.solve({m|bm|spd}, {m|w[:3]|bm|x|w}{|,left=False})
T.linalg.solve_triangular({m.triu()|bm.triu()}, {x|bm|w[:3]}, upper={True|False}{|,left=False|,unitriangular=True})
T.linalg.cholesky({spd|spd[0]|m}, upper={True|False})
T.linalg.qr({m|x.T|bm}, {mode='reduced'|'foo'})
T.linalg.eigvalsh({spd|m}, {UPLO='L'|'U'|'X'})
T.einsum({'ij,jk',x,x.T|'ii',m|'ii->i',m|'...ij,...jk->...ik',bm,m|'ij,j',x,w|'iij->j',bm|'ij',x,y|'ij,jk->iz',m,m})
T.einsum(x, [0,1], {w,[1]|w,[1],[0]|y,[0,1],[]})
T.tensordot({x|k}, y, {dims=([1],[1])|dims=0|([0,1],[0,1])|dims=3})
""")
def test_linear_algebra(template: str) -> None:
    check(template)


def test_deep_copies_share_memory_where_the_originals_do() -> None:
    def scenario(lib: Any) -> Any:
        x = lib.arange(6.0).reshape(2, 3)
        leaf = lib.ones(3, requires_grad=True)
        originals = [x, x[0], x.T[1:], x.clone(), leaf, leaf.detach(), lib.ones(4)[::2], lib.zeros(0, 3)]
        copies = copy.deepcopy(originals)
        copies[0].zero_()
        copies[5].mul_(5)
        copies[6].add_(1)
        return [originals, copies]

    compare(scenario)
