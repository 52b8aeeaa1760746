"""What surrounds the engine, as in PyTorch: NumPy beside tensors, dtypes, indices, layouts, modes, classes."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.support.compare import Scenarios

pytestmark = pytest.mark.oracle
scenario = Scenarios()


def ramp(lib: Any, *shape: int, dtype: str = "float32", requires_grad: bool = False) -> Any:
    """Numbers of both signs, in some shape."""
    values = (np.arange(math.prod(shape)) * 7 % 11 - 4.5).reshape(shape)
    if dtype.startswith("complex"):
        values = values + 1j * values[::-1]
    return lib.tensor(values.tolist(), dtype=getattr(lib, dtype)).reshape(shape).requires_grad_(requires_grad)


def facts(x: Any) -> list[Any]:
    return [x, x.dtype, list(x.shape), x.requires_grad, x.is_leaf]


def refused(*calls: Callable[[], Any]) -> list[str]:
    """For each call the kind of error that it stops with; calls that PyTorch has no error for are not for here."""
    kinds: list[str] = []
    for call in calls:
        try:
            call()
        except (TypeError, IndexError, RuntimeError, ValueError, AttributeError) as error:
            names = [cls for cls in (IndexError, RuntimeError, TypeError, ValueError) if isinstance(error, cls)]
            kinds.append(names[0].__name__)
        else:
            kinds.append("accepted")
    return kinds


def gradients(lib: Any, function: Callable[..., Any], *inputs: Any) -> list[Any]:
    leaves = [x.detach().clone().requires_grad_() for x in inputs]
    out = function(*leaves)
    weights = ramp(lib, *out.shape).to(out.dtype)
    return [out, *lib.autograd.grad(out, leaves, weights)]


# ---- numbers and arrays of NumPy -------------------------------------------------------------------------------------


@scenario
def numpy_scalars_are_assigned(lib: Any) -> Any:
    x, z = lib.zeros(2, 3), lib.zeros(3, dtype=lib.int64)
    x[0] = np.float64(1.5)
    x[1, 1:] = np.float64(2.5)
    x[:, 0] = np.int64(7)
    x[lib.tensor([1]), lib.tensor([2])] = np.float64(9)
    x[x > 8] = np.float64(-1)
    z[...] = np.float64(2.9)
    return [x, z, x.dtype, lib.zeros(2).fill_(np.float64(3)), lib.zeros(2).masked_fill_(x[0, :2] > 0, np.float64(4))]


@scenario
def numpy_scalars_do_not_widen(lib: Any) -> Any:
    x, wide = ramp(lib, 3), np.float64(0.5)
    square = ramp(lib, 2, 2)
    return [
        lib.add(x, x, alpha=wide),
        lib.sub(x, x, alpha=np.float32(0.5)),
        lib.addcmul(x, x, x, value=wide),
        lib.addcdiv(x, x, x, value=wide),
        lib.addmm(square, square, square, alpha=wide, beta=wide),
        lib.renorm(square, 2, 0, wide),
        lib.nan_to_num(x, wide),
        lib.logit(x.sigmoid(), np.float64(1e-3)),
        x + wide,
        wide * x,
        x ** wide.item(),
        lib.lerp(x, x * 2, wide),
        x.clamp(np.float64(-1), wide),
    ]


@scenario
def tensors_stand_for_numbers(lib: Any) -> Any:
    x = ramp(lib, 3)
    return [
        lib.add(x, x, alpha=lib.tensor(2)),
        lib.addcmul(x, x, x, value=lib.tensor(2.0)),
        lib.full((2,), lib.tensor(3)),
    ]


# ---- dtypes ----------------------------------------------------------------------------------------------------------


@scenario
def real_parts_are_copies(lib: Any) -> Any:
    z = ramp(lib, 3, dtype="complex64")
    x, y = z.to(lib.float32), z.float()
    x.zero_()
    y += 1
    part = z.real
    before = z.clone()
    part.zero_()
    return [x, y, before, z, x.is_contiguous()]


@scenario
def integers_to_negative_powers(lib: Any) -> Any:
    x = lib.tensor([2, 1, -1, -1, 0, 3])
    e = lib.tensor([-1, -5, -3, -2, 2, 2])
    return [x**e, 2 ** lib.tensor([-1, 3]), 1 ** lib.tensor([-1]), refused(lambda: x**-1)]


@scenario
def booleans_in_arithmetic(lib: Any) -> Any:
    t, f = lib.tensor([True, True]), lib.tensor([True, False])
    n = lib.tensor([3, 4])
    accepted = [t + f, t * f, t / t, n // t, t**2, 2**f, t // 2, n % t, ~t, t & f, t ^ f]
    return [accepted, refused(
        lambda: t - f, lambda: t - 1, lambda: 1 - t, lambda: n - t, lambda: t.sub(n), lambda: -t, lambda: t // f,
        lambda: t % t, lambda: t**f, lambda: t << f, lambda: lib.fmod(t, t), lambda: lib.sub(n, n, alpha=2.5),
    )]  # fmt: skip


@scenario
def sums_in_integers_have_no_gradient(lib: Any) -> Any:
    x = ramp(lib, 3, requires_grad=True)
    with lib.no_grad():
        total = x.sum(dtype=lib.int64)
    recorded = refused(
        lambda: x.sum(dtype=lib.int64), lambda: x.cumsum(0, dtype=lib.int64), lambda: x.prod(dtype=lib.int64)
    )
    return [total, facts(x.sum(dtype=lib.float64)), recorded, facts(x.to(lib.int64))]


@scenario
def nothing_has_its_dtype(lib: Any) -> Any:
    none = [lib.zeros(0, dtype=kind) for kind in (lib.int64, lib.float16, lib.float64)]
    kinds = [x.median().dtype for x in none] + [x.sum().dtype for x in none]
    return [*kinds, lib.zeros(0, dtype=lib.bfloat16).mean().dtype, lib.zeros(2, 0, dtype=lib.bfloat16).mean(1).dtype]


@scenario
def dtypes_without_meaning(lib: Any) -> Any:
    z, n, b = ramp(lib, 2, dtype="complex64"), lib.tensor([1, 2]), lib.tensor([True, False])
    return refused(
        lambda: z < z, lambda: z % z, lambda: z // z, lambda: lib.maximum(z, z), lambda: z.sort(), lambda: z.max(),
        lambda: n.softmax(0), lambda: n.mean(), lambda: b.mean(), lambda: n.norm(), lambda: lib.dist(n, n),
        lambda: lib.where(n, 1, 2), lambda: lib.where(ramp(lib, 2), 1, 2), lambda: n.requires_grad_(),
        lambda: ramp(lib, 2).norm(dtype=lib.int64), lambda: lib.meshgrid(n, n.double(), indexing="ij"),
    )  # fmt: skip


# ---- indices ---------------------------------------------------------------------------------------------------------


@scenario
def bytes_are_masks(lib: Any) -> Any:
    x = ramp(lib, 2, 3)
    one, zero = lib.tensor(1, dtype=lib.uint8), lib.tensor(0, dtype=lib.uint8)
    rows = lib.tensor([0, 1], dtype=lib.uint8)
    return [x[one], list(x[zero].shape), x[rows], lib.where(rows, 1.0, 2.0), x[lib.tensor(1)], x[lib.tensor(True)]]


@scenario
def index_without_dimensions(lib: Any) -> Any:
    x, place, value = ramp(lib, 3), lib.tensor(1), lib.tensor(5.0)
    line = ramp(lib, 3, dtype="float64")
    five = lib.tensor(5.0, dtype=lib.float64)
    return [
        x.gather(0, place), x.scatter(0, place, value), x.scatter(0, place, 2.0), x.scatter_add(0, place, value),
        x.scatter(0, lib.tensor([2]), value), x.scatter_reduce(0, place, value, "amax"), x.index_copy(0, place, value),
        gradients(lib, lambda a: a.gather(0, place), line),
        gradients(lib, lambda a, b: a.scatter(0, place, b), line, five),
        gradients(lib, lambda a, b: a.scatter(0, lib.tensor([2]), b), line, five),
        gradients(lib, lambda a, b: a.scatter_add(0, place, b), line, five),
        gradients(lib, lambda a, b: a.scatter_reduce(0, place, b, "sum"), line, five),
    ]  # fmt: skip


@scenario
def rows_that_do_not_fit(lib: Any) -> Any:
    x, row = ramp(lib, 2, 3), ramp(lib, 3)
    return refused(
        lambda: x.index_copy(0, lib.tensor([1]), row), lambda: x.gather(0, lib.tensor(0)),
        lambda: x.scatter_add(0, lib.tensor([0]), row), lambda: x.index_select(0, lib.tensor([[0]])),
        lambda: x.index_select(0, lib.tensor([2])), lambda: x[lib.tensor([2])], lambda: x[0, 0, 0],
    )  # fmt: skip


@scenario
def selections_can_be_viewed(lib: Any) -> Any:
    x = ramp(lib, 2, 3, 4)
    columns, mask = lib.tensor([2, 0]), x[0] > 0
    parts = [x[:, columns], x[:, :, columns], x[:, mask], x[..., lib.tensor([1, 1, 0])], x[:, columns, columns]]
    expanded = x[:, :1].expand(2, 5, 4)
    return [[p.view(-1), list(p.stride())] for p in parts] + [list(expanded.clone().stride())]


@scenario
def places_of_nan(lib: Any) -> Any:
    row = lib.tensor([1.0, 2.0, 3.0])
    x = lib.tensor([math.nan, 1.5, 3.0])
    rows = lib.stack([row, row + 1])
    return [
        lib.searchsorted(row, x), lib.searchsorted(row, x, right=True), lib.bucketize(x, row),
        lib.searchsorted(rows, lib.stack([x, x])), lib.searchsorted(row, lib.tensor(2), side="right"),
    ]  # fmt: skip


@scenario
def values_become_elements(lib: Any) -> Any:
    n, b, mask = lib.tensor([1, 2, 3]), lib.tensor([True, False, True]), lib.tensor([True, False, True])
    n2 = n.clone()
    n2[0] = 7.9
    return [
        n.masked_fill(mask, 1.5), b.masked_fill(mask, 0.0), n2, n.clone().fill_(2.7),
        refused(
            lambda: n.masked_fill(mask, 1j), lambda: n.float().masked_fill(mask, lib.tensor(1j)),
            lambda: lib.zeros(2, dtype=lib.uint8).fill_(300), lambda: lib.zeros(2).fill_(1j),
        ),
    ]  # fmt: skip


@scenario
def tensors_without_dimensions(lib: Any) -> Any:
    x = lib.tensor(2.0)
    return [
        x[...], x[None], x[True], list(x.reshape(1, 1).shape), x.sum(0), x.max(0).values, x.sort().values, x.cumsum(0),
        x.softmax(0), x.flip(()), x.topk(1).values, x.unsqueeze(0), list(x.T.shape), x.expand(3), x.repeat(2),
        refused(
            lambda: x[0], lambda: x.unbind(), lambda: x.chunk(2), lambda: x.tensor_split(2), lambda: x.split(1),
            lambda: x.sum(1), lambda: x.size(0), lambda: len(x), lambda: list(x), lambda: x.transpose(0, 1),
        ),
    ]  # fmt: skip


# ---- making tensors --------------------------------------------------------------------------------------------------


@scenario
def wrong_things_to_make_tensors_of(lib: Any) -> Any:
    x = ramp(lib, 2, requires_grad=True)
    return refused(
        lambda: lib.zeros(), lambda: lib.zeros(True), lambda: lib.zeros(2.5), lambda: lib.zeros(-1), lambda: lib.rand(),
        lambda: lib.full((2,), x[0]), lambda: lib.full((2,), x), lambda: lib.tensor([[1], [2, 3]]),
        lambda: lib.Size([1.5]), lambda: lib.eye(-1), lambda: lib.arange(0, 5, -1), lambda: lib.linspace(0, 1, -1),
        lambda: lib.tril_indices(-1, 2), lambda: lib.randperm(-1),
        lambda: lib.set_grad_enabled("a"), lambda: lib.tensor([1.0], device="nowhere"),
    )  # fmt: skip


@scenario
def layouts_and_formats(lib: Any) -> Any:
    x = ramp(lib, 2, 3).t()
    kept, rows = x.clone(memory_format=lib.preserve_format), x.clone(memory_format=lib.contiguous_format)
    strided = lib.empty_strided((2, 3), (1, 2), dtype=lib.int32)
    return [
        kept, rows, list(kept.stride()), list(rows.stride()), x.layout == lib.strided, isinstance(x.layout, lib.layout),
        list(lib.zeros_like(x).stride()), list(lib.zeros_like(x, memory_format=lib.contiguous_format).stride()),
        list(strided.stride()), strided.dtype, strided._is_view(), list(x.new_empty_strided((2, 2), (1, 4)).stride()),
        list(x.dim_order()), x.get_device(), x.is_sparse, x.is_quantized, x.is_meta, x.is_neg(), x.is_shared(),
        x.resolve_neg(), x.contiguous(memory_format=lib.contiguous_format),
    ]  # fmt: skip


@scenario
def pickles_and_copies(lib: Any) -> Any:
    x = ramp(lib, 2, 3, requires_grad=True)
    x.grad = ramp(lib, 2, 3)
    both, part = pickle.loads(pickle.dumps((x.detach(), x.detach()[0])))
    both[0] = 0
    twin, other = copy.deepcopy([x, x])
    formats = [pickle.loads(pickle.dumps(one)) is one for one in (lib.contiguous_format, lib.strided, lib.float32)]
    return [
        facts(pickle.loads(pickle.dumps(x))), part, twin is other, twin.grad, twin.grad is x.grad, facts(copy.copy(x)),
        list(pickle.loads(pickle.dumps(x.detach().t())).stride()), list(pickle.loads(pickle.dumps(x.shape))), formats,
        refused(lambda: copy.deepcopy(x * 2)),
    ]  # fmt: skip


# ---- flags, modes, classes -------------------------------------------------------------------------------------------


@scenario
def flags_of_leaves(lib: Any) -> Any:
    x, y = lib.ones(2), lib.ones(2, requires_grad=True) * 2

    def assign(tensor: Any, value: Any) -> Callable[[], None]:
        return lambda: setattr(tensor, "requires_grad", value)

    x.requires_grad = True
    accepted = [x.requires_grad, y.requires_grad_().requires_grad]
    return [
        accepted,
        refused(
            assign(x, 1),
            assign(x, "yes"),
            assign(y, True),
            assign(y, False),
            assign(lib.ones(2, dtype=lib.int64), True),
        ),
    ]


@scenario
def older_names(lib: Any) -> Any:
    x = lib.autograd.Variable(lib.ones(2), requires_grad=True)
    with lib.autograd.grad_mode.no_grad():
        inside = (x * 2).requires_grad
    lib.set_anomaly_enabled(True)
    on = lib.is_anomaly_enabled()
    lib.set_anomaly_enabled(False)
    largest = ramp(lib, 2, 3).max(0)
    kinds = [isinstance(lib.ones(1), lib.autograd.Variable), isinstance(largest, lib.return_types.max)]
    return [facts(x), inside, on, lib.is_anomaly_enabled(), kinds, lib.typename([]), lib.typename(x).rpartition(".")[2]]


@scenario
def subclasses_meet(lib: Any) -> Any:
    class One(lib.Tensor):
        pass

    class Special(One):
        pass

    class Other(lib.Tensor):
        pass

    x, y, z = (lib.ones(2).as_subclass(cls) for cls in (One, Special, Other))
    made = [
        x + 1,
        x + y,
        y + x,
        lib.ones(2) + x,
        x.new_zeros(2),
        lib.zeros_like(x),
        x[0],
        x.sum(),
        lib.cat([x, x]),
        x.double(),
    ]
    return [[type(one).__name__ for one in made], [type(one).__name__ for one in x.sort()], refused(lambda: x + z)]


@scenario
def operations_are_told_by_name(lib: Any) -> Any:
    hook = "__torch_function__" if lib.__name__ == "torch" else "__adjoint_function__"
    seen: list[str] = []

    class Telling(lib.Tensor):
        pass

    def told(cls: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        seen.append(func.__name__)
        return getattr(super(Telling, cls), hook)(func, types, args, kwargs or {})

    setattr(Telling, hook, classmethod(told))
    x = lib.ones(3).as_subclass(Telling)
    seen.clear()
    x[0], x.sum(), lib.exp(x), x.view(3), lib.cat([x, x]), x.add_(1), x.new_zeros(2)
    x[0] = 2.0
    return seen


@scenario
def inference_and_forward_mode(lib: Any) -> Any:
    forward_ad = lib.autograd.forward_ad
    weights = lib.ones(3, requires_grad=True)
    with lib.inference_mode():
        made, shown = lib.ones(3), weights.view(3)
        inside = made * 2
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(ramp(lib, 3), lib.ones(3))
        table = lib.zeros(2, 3)
        table[1] = dual
        parts = [forward_ad.unpack_dual(one) for one in (dual.exp(), table, dual.double(), dual > 0, dual[1:])]
        tangents = [part.tangent for part in parts]
    return [
        made.is_inference(), inside.is_inference(), shown.is_inference(), (made + 1).is_inference(), tangents,
        refused(lambda: made.add_(1), lambda: made * weights, lambda: made.requires_grad_(), lambda: made._version),
    ]  # fmt: skip


@scenario
def dlpack_and_histories(lib: Any) -> Any:
    x = ramp(lib, 3)
    shared = lib.from_dlpack(x)
    shared[0] = 9
    kinds: list[str] = []
    for export in (lib.from_dlpack, np.from_dlpack):
        try:
            export(ramp(lib, 3, requires_grad=True))
        except BufferError as error:
            kinds.append(type(error).__name__)
    return [x, np.from_dlpack(x), kinds]


test_tensors = scenario.test()
