"""Gradients meet the metadata of their edge: they are reduced, cast or refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint._core.gradient_fit import axes_to_sum
from adjoint._core.metadata import InputMetadata, metadata_of
from adjoint.autograd.graph import Node
from tests.support.leaves import leaf

# ---- reduced and cast ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "shapes", [((), (3,)), ((1,), (3,)), ((3,), (2, 3)), ((2, 1), (3,)), ((1, 1), (2, 3)), ((0,), (1,))]
)
def test_gradients_are_reduced_to_the_shape_they_came_from(lib: Any, shapes: tuple[Any, Any]) -> None:
    a, b = (leaf(lib, np.full(shape, 2.0)) for shape in shapes)
    for create_graph in (False, True):
        out = a * b
        ga, gb = lib.autograd.grad(out.sum(), (a, b), create_graph=create_graph)
        assert (tuple(ga.shape), tuple(gb.shape)) == shapes
        count = int(np.prod(tuple(out.shape)))
        assert ga.sum().item() == gb.sum().item() == 2.0 * count


def test_gradients_have_the_dtype_of_what_they_are_for(lib: Any) -> None:
    a, b = leaf(lib, [1.0, 2.0], "float32"), leaf(lib, [3.0, 4.0], "float64")
    for create_graph in (False, True):
        ga, gb = lib.autograd.grad((a * b).sum(), (a, b), create_graph=create_graph)
        assert (ga.dtype, gb.dtype) == (lib.float32, lib.float64)


def test_real_inputs_of_complex_functions_get_real_gradients(lib: Any) -> None:
    a, z = leaf(lib, [1.0, 2.0]), leaf(lib, [1j, 2.0], "complex128")
    for create_graph in (False, True):
        ga, gz = lib.autograd.grad((a * z).sum().abs(), (a, z), create_graph=create_graph)
        assert (ga.dtype, gz.dtype) == (lib.float64, lib.complex128)


# ---- refused ---------------------------------------------------------------------------------------------------------


class Returns(Node):
    """A node whose formula returns what it was told to."""

    __slots__ = ("results",)

    def backward_raw(self, grad: Any, needed: Any = None) -> Any:
        return self.results

    def backward_graph(self, grad: Any, needed: Any = None) -> Any:
        wrapped = [ad.Tensor(r) if isinstance(r, np.ndarray) else r for r in self.results]
        return wrapped if isinstance(self.results, tuple) else self.results


def returning(results: Any, *leaves: Any) -> Any:
    out = ad.tensor(1.0, dtype=ad.float64)
    node = Returns(tuple(x._gradient_edge() for x in leaves), out._spec)
    node.results = results
    out._edge = (node, 0)
    return out


REFUSED = {
    "shape": (np.ones(3), r"Returns.*index 1: got shape \(3,\).*expected shape \(2,\), dtype adjoint.float64"),
    "rank": (np.ones(()), r"index 1: got shape \(\)"),
    "integers": (np.ones(2, int), r"index 1: got dtype adjoint.int64"),
    "booleans": (np.ones(2, bool), r"index 1: got dtype adjoint.bool"),
    "no array": ("nonsense", r"index 1: got a str"),
    "a number": (1.0, r"index 1: got a float"),
}


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("case", REFUSED)
def test_a_gradient_that_does_not_fit_is_refused(case: str, create_graph: bool) -> None:
    wrong, words = REFUSED[case]
    a, b = leaf(ad, [1.0, 2.0]), leaf(ad, [1.0, 2.0])
    out = returning((np.ones(2), wrong), a, b)
    with pytest.raises(RuntimeError, match=words):
        ad.autograd.grad(out, [a, b], create_graph=create_graph)
    assert a.grad is None


@pytest.mark.parametrize("results", [(), (np.ones(2),), (np.ones(2),) * 3, 5])
def test_the_number_of_gradients_is_checked(results: Any) -> None:
    a, b = leaf(ad, [1.0, 2.0]), leaf(ad, [1.0, 2.0])
    with pytest.raises(RuntimeError, match="Returns returned the wrong number of gradients"):
        returning(results, a, b).backward()
    assert a.grad is None and b.grad is None


def test_a_gradient_that_broadcasts_from_the_shape_is_summed() -> None:
    x = leaf(ad, [[1.0], [2.0]])
    returning((np.arange(12.0).reshape(2, 2, 3),), x).backward()
    assert x.grad.tolist() == [[0 + 1 + 2 + 6 + 7 + 8], [3 + 4 + 5 + 9 + 10 + 11]]


def test_a_complex_gradient_of_a_real_tensor_loses_its_imaginary_part() -> None:
    x = leaf(ad, [1.0, 2.0], "float32")
    returning((np.array([1 + 5j, 2 - 5j]),), x).backward()
    assert x.grad.dtype is ad.float32 and x.grad.tolist() == [1.0, 2.0]


def test_none_is_no_gradient() -> None:
    a, b = leaf(ad, [1.0, 2.0]), leaf(ad, [1.0, 2.0])
    returning((None, np.ones(2)), a, b).backward()
    assert a.grad is None and b.grad.tolist() == [1.0, 1.0]


def test_numpy_scalars_are_arrays_without_dimensions() -> None:
    x = leaf(ad, 1.0)
    returning((np.float64(3.0),), x).backward()
    assert x.grad.item() == 3.0 and x.grad.mul_(2).item() == 6.0


@pytest.mark.parametrize(
    "shape, wanted, axes",
    [
        ((2, 3), (2, 3), ()),
        ((2, 3), (3,), (0,)),
        ((2, 3), (2, 1), (1,)),
        ((2, 3), (), (0, 1)),
        ((4, 2, 3), (1, 3), (0, 1)),
    ],
)
def test_the_axes_to_sum_over(shape: Any, wanted: Any, axes: Any) -> None:
    assert axes_to_sum(shape, wanted) == axes
    summed = np.ones(shape).sum(axis=axes).reshape(wanted)
    assert np.broadcast_to(summed, shape).shape == shape


@pytest.mark.parametrize("shape, wanted", [((3,), (2,)), ((3,), (2, 3)), ((2, 3), (3, 2)), ((1,), (2,))])
def test_shapes_that_cannot_be_reduced(shape: Any, wanted: Any) -> None:
    assert axes_to_sum(shape, wanted) is None


# ---- interned --------------------------------------------------------------------------------------------------------


def test_alike_tensors_share_their_metadata() -> None:
    a, b = ad.ones(2, 3), ad.zeros(2, 3)
    assert a._spec is b._spec
    assert len({id(t._spec) for t in (a, ad.ones(3, 2), ad.ones(2, 3, dtype=ad.float64), ad.ones(6))}) == 4


def test_metadata_tells_what_a_tensor_is() -> None:
    spec = metadata_of(np.ones((2, 3), np.float32))
    assert (spec.shape, spec.dtype, str(spec.device), spec.ndim, spec.size) == ((2, 3), ad.float32, "cpu", 2, 6)
    assert (spec.is_tensor_subclass, spec.level, spec.inference) == (False, 0, False)
    assert repr(spec) == "InputMetadata(shape (2, 3), dtype adjoint.float32, device 'cpu', numpy)"


def test_subclasses_have_metadata_of_their_own() -> None:
    class Mine(ad.Tensor):
        pass

    mine = Mine(np.ones(2))
    assert mine._spec is not ad.Tensor(np.ones(2))._spec
    assert mine._spec.is_tensor_subclass and mine._spec.subclass is Mine


def test_a_changed_grad_dtype_is_private() -> None:
    x, y = leaf(ad, [1.0]), leaf(ad, [1.0])
    x.grad_dtype = ad.float32
    assert y.grad_dtype is ad.float64 and x._spec is y._spec
    assert isinstance(x._gradient_edge()[0].spec, InputMetadata)
    assert x._gradient_edge()[0].spec is not x._spec


def test_a_full_table_changes_nothing() -> None:
    x = leaf(ad, [1.0, 2.0])
    y = x * x
    for length in range(9000):
        metadata_of(np.empty((length, 0)))
    ((x * 2) + y).sum().backward()
    assert x.grad.tolist() == [4.0, 6.0]


@pytest.mark.parametrize("name", ["deg2rad", "rad2deg", "neg", "exp", "sigmoid", "relu", "square"])
@pytest.mark.parametrize("dtype", [ad.bfloat16, ad.float16, ad.float32])
def test_gradients_on_the_way_have_the_dtype_of_their_tensor(name: str, dtype: Any) -> None:
    """Also where the engine does not look, because a rule cannot but keep it."""
    x = ad.ones(3, dtype=dtype).requires_grad_()
    middle, seen = x.clone(), []
    middle.register_hook(lambda grad: seen.append(grad.dtype))
    getattr(ad, name)(middle).sum().backward()
    assert seen == [dtype] and x.grad.dtype is dtype
    assert ad.autograd.grad((getattr(ad, name)(x) * 2.5 - x / 3 + (2 - x)).sum(), x)[0].dtype is dtype
