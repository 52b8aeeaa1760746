"""Typed constructors and conversions by type, as in PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support.compare import Scenarios, leaf

pytestmark = pytest.mark.oracle
scenario, refused = Scenarios(), Scenarios()
NAMES = "Float Double Half Long Int Short Char Byte Bool".split()


def describe(*tensors: Any) -> Any:
    return [[list(one.shape), one.dtype, one.requires_grad] for one in tensors]


def all_types(lib: Any) -> Any:
    return [getattr(lib, f"{name}Tensor") for name in NAMES]


@scenario
def from_sizes(lib: Any) -> Any:
    return [
        describe(kind(2, 3), kind(), kind(3), kind(0, 2), kind(lib.Size([2, 2])))
        for kind in (lib.Tensor, lib.BFloat16Tensor, *all_types(lib))
    ]


@scenario
def from_numbers(lib: Any) -> Any:
    return [[kind([1, 0, 2]), kind((1, 0)), kind([[1], [0]])] for kind in (lib.Tensor, *all_types(lib))]


@scenario
def instances(lib: Any) -> Any:
    kinds = [lib.Tensor, *all_types(lib)]
    values = [kind(2) for kind in kinds] + [lib.ones(2, dtype=lib.complex64), 3, None]
    return [[isinstance(value, kind) for kind in kinds] for value in values]


@scenario
def names(lib: Any) -> Any:
    return [[kind.__name__, kind.dtype, kind(1).type().rpartition(".")[2]] for kind in all_types(lib)]


@scenario
def memory_of_tensors_is_shared(lib: Any) -> Any:
    x = lib.arange(4.0)
    others = [lib.FloatTensor(x), x.new(x), lib.FloatTensor(x.untyped_storage()), lib.Tensor(x[2:].untyped_storage())]
    x.mul_(2)
    return [others, lib.DoubleTensor(x.untyped_storage()), lib.FloatTensor(leaf(lib, 1.0).float()).requires_grad]


@scenario
def arrays_are_converted(lib: Any) -> Any:
    return [lib.FloatTensor(np.ones(2)), lib.LongTensor(np.array([1.5, 2.5])), lib.LongTensor([1.5, 2])]


@scenario
def new(lib: Any) -> Any:
    x, n = leaf(lib, 1.0), lib.tensor([1])
    return [describe(x.new(2, 3), x.new(), n.new(2)), x.new([1, 2]), n.new([3]), x.new([1.0]).requires_grad]


@scenario
def types_as_dtypes(lib: Any) -> Any:
    x = lib.ones(2)
    kinds = [lib.DoubleTensor, f"{lib.__name__}.LongTensor", lib.float64, "torch.HalfTensor"]
    y = leaf(lib, 1.0, 2.0)
    y.type(lib.FloatTensor).sum().backward()
    return [[x.type(kind) for kind in kinds], x.type(lib.FloatTensor) is x, y.grad]


@scenario
def dense(lib: Any) -> Any:
    x = lib.ones(2)
    return [x.to_dense() is x, x.to_dense(lib.float64)]


@scenario
def default_tensor_type(lib: Any) -> Any:
    before = lib.get_default_dtype()
    found: list[Any] = []
    try:
        for kind in (lib.DoubleTensor, f"{lib.__name__}.HalfTensor"):
            lib.set_default_tensor_type(kind)
            found.append([lib.ones(2), lib.Tensor([1])])
    finally:
        lib.set_default_dtype(before)
    return found


REFUSED: dict[str, Any] = {
    "tensor_of_a_float": lambda lib: lib.Tensor(3.0),
    "tensor_of_a_bool": lambda lib: lib.Tensor(True),
    "tensor_of_mixed_lengths": lambda lib: lib.Tensor(2, 3.0),
    "tensor_of_two_lists": lambda lib: lib.Tensor([1], [2]),
    "tensor_of_negative_length": lambda lib: lib.Tensor(-1),
    "float_tensor_of_a_float": lambda lib: lib.FloatTensor(3.0),
    "float_tensor_of_negative_length": lambda lib: lib.FloatTensor(2, -1),
    "float_tensor_of_doubles": lambda lib: lib.FloatTensor(lib.ones(2, dtype=lib.float64)),
    "new_of_a_float": lambda lib: lib.ones(2).new(2.5),
    "new_of_another_dtype": lambda lib: lib.ones(2).new(lib.zeros(3, dtype=lib.int64)),
    "type_without_meaning": lambda lib: lib.ones(2).type("Foo"),
    "type_without_dtype": lambda lib: lib.ones(2).type("torch.FooTensor"),
    "integers_by_default": lambda lib: lib.set_default_tensor_type(lib.LongTensor),
}
for name, program in REFUSED.items():
    program.__name__ = name
    refused(program)

test_as_in_pytorch = scenario.test()
test_refused_as_in_pytorch = refused.test(fails=True)
