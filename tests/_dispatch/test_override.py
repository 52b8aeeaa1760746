"""Subclasses of Tensor, objects that stand for tensors, and modes: who computes an operation."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint.overrides import (
    DisableInterception,
    FunctionMode,
    get_overridable_functions,
    handle_adjoint_function,
    has_adjoint_function,
)


class Labelled(ad.Tensor):
    """Overrides nothing: results are of the class."""

    def __init__(self, array: Any, requires_grad: bool = False, label: str = "") -> None:
        self.label = label

    def __new__(cls, array: Any, requires_grad: bool = False, label: str = "") -> Any:
        return super().__new__(cls, array, requires_grad)


class Logging(ad.Tensor):
    """Notes what it is asked for."""

    seen: list[str] = []

    @classmethod
    def __adjoint_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        cls.seen.append(func.__name__)
        return super().__adjoint_function__(func, types, args, kwargs)


class Plain(ad.Tensor):
    """As Parameter will be: a tensor in every way, with a class of its own."""

    __adjoint_function__ = None


class Opaque:
    """No tensor at all, but takes over."""

    def __init__(self, value: float) -> None:
        self.value = value

    @classmethod
    def __adjoint_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func.__name__ not in ("mul", "cat"):
            return NotImplemented
        return func.__name__, cls in types


# ---- subclasses ------------------------------------------------------------------------------------------------------


def test_results_are_of_the_subclass() -> None:
    x = Labelled(np.ones(2), requires_grad=True, label="weights")
    assert isinstance(x, ad.Tensor) and x.requires_grad and x.label == "weights"
    for y in (x * 2, 2 * x, x + ad.ones(2), ad.ones(2) * x, x.exp(), ad.exp(x), x.sum(), x.to(ad.float64), -x):
        assert type(y) is Labelled
    assert all(type(part) is Labelled for part in x.max(dim=0))
    assert repr(Labelled(np.ones(1))) == "Labelled([1.], dtype=adjoint.float64)"


def test_gradients_pass_through_subclasses() -> None:
    x = Labelled(np.array([1.0, 2.0]), requires_grad=True)
    (x * x).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [2.0, 4.0]
    y = x * 3
    assert y.grad_fn is not None and type(y.grad_fn).__name__ == "MulBackward0"
    assert not y.is_leaf
    (grad,) = ad.autograd.grad(y.sum(), x, create_graph=True)
    assert grad.tolist() == [3.0, 3.0]


def test_in_place_operations_keep_the_object() -> None:
    x = Labelled(np.ones(2), label="a")
    y = x.add_(1)
    assert y is x and x.tolist() == [2.0, 2.0] and x.label == "a"
    x *= 2
    assert type(x) is Labelled and x.tolist() == [4.0, 4.0]


def test_the_more_derived_class_decides() -> None:
    class MoreLabelled(Labelled):
        pass

    a, b = Labelled(np.ones(2)), MoreLabelled(np.ones(2))
    assert type(a * b) is type(b * a) is MoreLabelled


def test_handlers_see_functions_methods_and_operators() -> None:
    x = Logging(np.ones(2))
    Logging.seen.clear()
    y = x * 2
    y = ad.exp(y)
    y = y.sum()
    y = x.add_(1)
    y = 1 - x
    x == x
    assert Logging.seen[:4] == ["mul", "exp", "sum", "add_"]
    assert "eq" in Logging.seen
    assert type(y) is Logging


def test_interception_can_be_switched_off() -> None:
    x = Logging(np.ones(2))
    Logging.seen.clear()
    with DisableInterception():
        y = x * 2
    assert Logging.seen == [] and type(y) is ad.Tensor


def test_plain_subclasses_are_plain() -> None:
    x = Plain(np.ones(2, dtype=np.float32), requires_grad=True)
    y = x * 2
    assert type(y) is ad.Tensor
    assert x._spec is ad.ones(2)._spec  # so operators take their fast paths
    y.sum().backward()
    assert x.grad is not None and x.grad.tolist() == [2.0, 2.0]
    assert repr(x) == "tensor([1., 1.], requires_grad=True)"

    class Child(Plain):
        pass

    assert type(Child(np.ones(2)) * 2) is ad.Tensor


def test_as_subclass_keeps_the_history() -> None:
    x = ad.ones(2, requires_grad=True)
    y = (x * 2).as_subclass(Labelled)
    assert type(y) is Labelled
    (y * 3).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [6.0, 6.0]
    assert type(y.as_subclass(ad.Tensor)) is ad.Tensor
    leaf = x.as_subclass(Labelled)
    leaf.sum().backward()
    assert x.grad.tolist() == [7.0, 7.0]
    with pytest.raises(TypeError, match="subclass"):
        x.as_subclass(int)


def test_make_subclass_shares_memory_without_history() -> None:
    data = ad.ones(2)
    x = ad.Tensor._make_subclass(Plain, data, True)
    assert type(x) is Plain and x.is_leaf and x.requires_grad
    assert x.array is data.array
    with ad.no_grad():
        x.add_(1)
    assert data.tolist() == [2.0, 2.0]
    assert data._version == x._version == 1
    with pytest.raises(TypeError, match="Tensor"):
        ad.Tensor._make_subclass(Plain, np.ones(2))


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_of_subclasses_keep_class_and_attributes(again: Any) -> None:
    x = Labelled(np.ones(2), requires_grad=True, label="weights")
    twin = again(x)
    assert type(twin) is Labelled and twin is not x
    assert twin.label == "weights" and twin.requires_grad
    assert twin.tolist() == [1.0, 1.0]


def test_creation_from_a_subclass() -> None:
    x = Labelled(np.ones(2))
    assert type(ad.zeros_like(x)) is Labelled
    assert type(ad.rand_like(x)) is Labelled


# ---- other objects ---------------------------------------------------------------------------------------------------


def test_foreign_objects_take_over() -> None:
    x, other = ad.ones(2), Opaque(2.0)
    assert x * other == ("mul", True)
    assert other.__class__ and ad.mul(other, x) == ("mul", True)
    assert ad.cat([x, other]) == ("cat", True)
    with pytest.raises(TypeError, match="Opaque"):
        x + other


def test_functions_of_your_own_take_part() -> None:
    def half(x: Any) -> Any:
        if has_adjoint_function((x,)):
            return handle_adjoint_function(half, (x,), x)
        return x / 2

    Logging.seen.clear()
    assert type(half(Logging(np.ones(2)))) is Logging
    assert Logging.seen == ["half"]
    assert half(ad.ones(1)).tolist() == [0.5]
    with pytest.raises(TypeError, match="half"):
        handle_adjoint_function(half, (1,), 1)


# ---- modes -----------------------------------------------------------------------------------------------------------


class Log(FunctionMode):
    def __init__(self) -> None:
        self.seen: list[str] = []

    def __adjoint_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        self.seen.append(func.__name__)
        return func(*args, **(kwargs or {}))


def test_modes_see_every_operation_of_their_block() -> None:
    x = ad.ones(2, requires_grad=True)
    with Log() as outer:
        y = x * 2
        with Log() as inner:
            (y + 1).sum()
    x.exp()
    assert outer.seen == ["mul", "add", "sum"]
    assert inner.seen == ["add", "sum"]
    assert y.grad_fn is not None


def test_modes_come_before_subclasses() -> None:
    Logging.seen.clear()
    with Log() as log:
        y = Logging(np.ones(2)) * 2
    assert log.seen == ["mul"] and Logging.seen == ["mul"]
    assert type(y) is Logging


def test_a_mode_that_fails_is_left() -> None:
    class Fails(FunctionMode):
        def __adjoint_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"), Fails():
        ad.ones(2)
    assert ad.ones(1).tolist() == [1.0]


def test_what_can_be_taken_over_is_listed() -> None:
    listed = get_overridable_functions()
    assert ad.mul in listed["adjoint"]
    assert ad.Tensor.add_ in listed["adjoint.Tensor"]
