"""Indexing by keys of every kind, and operators that take indices and masks, as in PyTorch."""

from __future__ import annotations

import warnings

import pytest

import adjoint as ad
from tests.oracle._ops.expressions import check, grids

pytestmark = pytest.mark.oracle

_PLAIN = "0|-1|1,2|:|...|None|...,0|None,0|:,None|1:|::2|()|5|0,0,0,0|1.5|'a'|T.int64|np.int64(1)|T.tensor(1)"
_ARRAYS = "[0,2]|[0,1],[1,2]|ix|ix2|ix,:|:,ix|:,ix[:2]|back|ix[:,None],ix|0,ix|ix,None|...,ix|np.array([0,2])|[]|[5]|x"
_MASKS = "b|b[:,0]|b[:,0],1|:,b[0]|T.tensor(True)|True|False|None,b|[True,False,True]|np.array([True,False,True])|b[0]"
_LISTS = "[[0,1]]|[[0],[1]]|[[0,1],[1,2]]|[slice(0,1)]|[0,None]|[T.tensor(0),T.tensor(2)]|[[0,1],slice(0,2)]|[ix,ix]"
_BYTES = "ix.byte()|T.tensor([1,0,1],dtype=T.uint8)|T.tensor([1,0],dtype=T.uint8)|(b*1).byte()|:,u8[0]"


@pytest.mark.parametrize("keys", [_PLAIN, _ARRAYS, _MASKS, _LISTS, _BYTES])
@pytest.mark.parametrize("operand", ["x", "i", "k"])
def test_keys(operand: str, keys: str) -> None:
    check(f"{operand}[{{{keys}}}]")


def test_bytes_and_nested_lists_are_warned_about() -> None:
    x = ad.arange(6).reshape(3, 2)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        x[ad.tensor([1, 0, 1], dtype=ad.uint8)]
        x[[[0, 1]]]
        x[[0, 1]]
    assert ["mask" in str(one.message) for one in seen] == [True, False]


@grids("""
T.gather({x|i|z}, {0,ix2|1,ix2|dim=0,index=ix2|-1,ix2[:,:2]|0,ix|0,ix2+5|0,ix2-1|0,x|0,ix2.int()})
T.scatter({x|i}, {0|1|-1}, ix2[:,:3], {1.5|2|i}{|,reduce='add'|,reduce='multiply'|,reduce='foo'})
T.scatter(x, 0, {ix2|ix2-1|ix2+5}, y[:2])
T.scatter_add(x, {0|1}, ix2[:,:3], {y[:2,:3]|i|xf|1.0})
T.scatter_reduce(x, 0, ix2[:,:3], y[:2,:3], {'sum'|'prod'|'mean'|'amax'|'amin'|'foo'}{|,include_self=False})
T.index_select({x|k|i}, {0,ix[:2]%2|1,ix|dim=-1,index=ix|0,ix2|0,ix+9|0,ix.int()%2|0,back|0,T.tensor(1)})
T.index_select(s, 0, T.tensor({0|[0]}))
T.{index_add|index_copy}({x|z}, 0, {ix|back|ix+9}, {y|i|xf})
T.index_fill({x|i}, {0,ix,2.0|1,ix[:2],2|0,back,1|0,ix,w})
T.index_put({x|i}, {(ix,),y|(ix,),w|(b,),w[0]|(ix,ix),y[0,:3]|(ix,),y,True})
T.masked_fill({x|z}, {b|b[0]|b[:,:1]|i}, {2.0|1|s|w|nan})
T.masked_select({x|i|z}, {b|b[0]|b[:,:1]})
T.take({x|i}, {ix|ix2|back|T.tensor(3)})
T.take_along_dim({x|k}, {ix2[:,:1],1|ix2,0|ix2[:1],0|ix|ix2,2|ix2|back[:,None],0})
T.tile({x|w|s}, {(2,)|(2,3)|(1,2,3)|dims=(2,)})
""")
def test_operators_that_take_indices(template: str) -> None:
    check(template)
