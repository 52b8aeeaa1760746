"""What messages say: the public name of what was called, what was wrong with it, and what to do instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import adjoint as ad
from adjoint._dispatch.errors import public_name
from adjoint._dispatch.table import load_all, table

x: Any = ad.ones(2, 3)
index: Any = ad.zeros(2, 3)
CALLS: dict[str, tuple[str, Callable[[], Any]]] = {
    "a private operator of a reduction": ("max: there is no dimension 3", lambda: ad.max(x, dim=3)),
    "of a reduction of everything": ("max: ", lambda: ad.max(ad.ones(0))),
    "called as a method": ("median: there is no dimension 3", lambda: x.median(3)),
    "one prefix": (r"^einsum: index 'j'", lambda: ad.einsum("ij,jk->ik", x, ad.ones(4, 5))),
    "in a section": (r"^linalg\.", lambda: ad.linalg.inv(ad.ones(2, 3))),
    "of a transform": (r"^fft\.|^rfft", lambda: ad.fft.rfft(x, n=0)),
    "expand, a length": ("dimension 0 has length 2, and only length 1 can become 4", lambda: x.expand(4, 3)),
    "expand, fewer": ("fewer dimensions", lambda: x.expand(3)),
    "expand, new": ("give their lengths", lambda: x.expand(-1, 2, 3)),
    "a gradient of a gradient": ("create_graph=True", lambda: ad.autograd.grad(_gradient().sum(), x)),
    "gather": ("gather: the index has to be a tensor of integers", lambda: x.gather(0, index)),
    "scatter_add": ("scatter_add: the index has to be", lambda: x.scatter_add(0, index, x)),
    "scatter_reduce": ("scatter_reduce: the index has to be", lambda: x.scatter_reduce(0, index, x, "sum")),
    "index_reduce": ("index_reduce: the index has to be", lambda: x.index_reduce(0, index[0], x, "amax")),
    "index_add, a mask": ("turn a mask into indices", lambda: x.index_add(0, ad.tensor([True, False]), x)),
}


def _gradient() -> Any:
    leaf = ad.ones(2, 3, requires_grad=True)
    return ad.autograd.grad((leaf**3).sum(), leaf)[0]


@pytest.mark.parametrize("case", CALLS)
def test_the_message_names_what_was_called(case: str) -> None:
    expected, call = CALLS[case]
    with pytest.raises((RuntimeError, ValueError, IndexError), match=expected) as caught:
        call()
    assert " _" not in str(caught.value)
    assert not str(caught.value).startswith("_")


def test_no_operator_is_called_by_a_private_name() -> None:
    load_all()
    assert not [name for name in table if public_name(name).startswith("_")]


@pytest.mark.parametrize("name", ["optim", "cuda", "jit"])
def test_modules_that_are_missing_say_what_there_is_instead(name: str) -> None:
    if hasattr(ad, name):
        pytest.skip("it is there")
    with pytest.raises(AttributeError, match=f"'{name}' is not part of adjoint; .*"):
        getattr(ad, name)


def test_a_misspelled_name_is_followed_by_a_similar_one() -> None:
    with pytest.raises(AttributeError, match="did you mean 'exp'"):
        ad.epx  # type: ignore[attr-defined]


@pytest.mark.oracle
@pytest.mark.parametrize("convert", [ad.tensor, ad.as_tensor, ad.asarray, ad.Tensor, lambda a: ad.ones(2) + a])
def test_an_array_that_is_recorded_by_its_own_library_is_refused(convert: Callable[[Any], Any]) -> None:
    import torch

    with pytest.raises((RuntimeError, TypeError), match=r"requires grad|cannot be combined"):
        convert(torch.ones(2, requires_grad=True))
