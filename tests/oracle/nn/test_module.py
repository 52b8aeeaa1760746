"""`Module` itself: names, hooks, state dicts, conversion, as in PyTorch. Each program runs with both libraries."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections import OrderedDict
from typing import Any

import pytest

import adjoint as ad

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle
PROGRAMS: list[Any] = []


def program(function: Any) -> Any:
    PROGRAMS.append(function)
    return function


def text(value: Any) -> str:
    return str(value).replace("adjoint", "torch")


def shape(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [shape(one) for one in value]
    return None if value is None else (tuple(value.shape), [round(float(x), 5) for x in value.detach().reshape(-1)])


def make_net(lib: Any) -> Any:
    """A network with nested, shared and missing parts, filled with known numbers."""
    nn = lib.nn

    class Block(nn.Module):
        _version = 3

        def __init__(self) -> None:
            super().__init__()
            self.linear = nn.Linear(2, 3)
            self.again = self.linear
            self.scale = nn.Parameter(lib.ones(3))
            self.none = None
            self.register_parameter("absent", None)
            self.register_buffer("count", lib.zeros(1))
            self.register_buffer("hidden", lib.ones(2), persistent=False)
            self.register_buffer("no", None)

        def forward(self, x: Any, extra: Any = 0) -> Any:
            return self.linear(x) * self.scale + extra

    net = nn.Sequential(OrderedDict(first=Block(), act=nn.ReLU(), last=nn.Linear(3, 1, bias=False)))
    with lib.no_grad():
        for number, parameter in enumerate(net.parameters()):
            parameter.copy_(lib.linspace(-1 + number / 4, 1, parameter.numel()).reshape(parameter.shape))
    return net


@program
def names(lib, log):
    net = make_net(lib)
    for method in ("named_parameters", "named_buffers", "named_modules"):
        for option in (True, False):
            log([name for name, _ in getattr(net, method)(remove_duplicate=option)])
    log([name for name, _ in net.named_parameters(prefix="p", recurse=False)])
    log([name for name, _ in net.first.named_parameters("p", recurse=False)])
    log([name for name, _ in net.named_children()], len(list(net.modules())), len(list(net.parameters())))
    log(list(net.state_dict()), net.state_dict()._metadata, list(net.state_dict(prefix="x.")))
    log(repr(net), sorted(set(dir(net)) & {"first", "act", "last", "training", "0"}))
    log([type(m).__name__ for m in net.modules()], net.training, net.eval().first.training)
    log(
        text(net.get_submodule("first.linear")),
        shape(net.get_parameter("first.scale")),
        shape(net.get_buffer("first.count")),
    )
    net.set_submodule("first.linear", lib.nn.Identity())
    log(text(net.first))


@program
def attributes(lib, log):
    nn = lib.nn
    net = make_net(lib).first
    net.scale = None
    log(list(net._parameters), net.scale)
    net.scale = nn.Parameter(lib.zeros(2))
    net.count = lib.ones(4)
    log(shape(net.count), list(net._buffers))
    net.hidden = nn.Parameter(lib.zeros(1))
    log(list(net._buffers), list(net._parameters), sorted(net._non_persistent_buffers_set))
    net.linear = nn.ReLU()
    del net.again
    log(list(net._modules))
    net.new = nn.Buffer(lib.zeros(2), persistent=False)
    net.kept = nn.Buffer(lib.zeros(2))
    log(list(net._buffers), list(net.state_dict()), isinstance(net.new, nn.Buffer), isinstance(net.count, nn.Buffer))
    net.linear = nn.Parameter(lib.zeros(1))
    log(list(net._modules), list(net._parameters))
    log(isinstance(net.linear, nn.Parameter), isinstance(net.linear, lib.Tensor), isinstance(lib.ones(1), nn.Parameter))
    log(
        type(net.linear + 1) is lib.Tensor,
        type(net.linear.data) is lib.Tensor,
        nn.Parameter(lib.ones(1), False).requires_grad,
    )
    for action in (
        lambda: setattr(net, "linear", lib.ones(1)),
        lambda: setattr(net, "count", 3),
        lambda: net.register_parameter("a.b", None),
        lambda: net.register_parameter("", None),
        lambda: net.register_parameter("forward", None),
        lambda: net.register_parameter(3, None),
        lambda: net.register_parameter("w", lib.ones(1)),
        lambda: net.register_buffer("linear", None),
        lambda: net.register_buffer("v", 3),
        lambda: net.add_module("m", 3),
        lambda: net.add_module("count", nn.ReLU()),
        lambda: net.nothing,
        lambda: net.get_submodule("x.y"),
        lambda: net.get_parameter("count"),
        lambda: net.get_buffer("linear"),
        lambda: net.set_submodule("", nn.ReLU()),
        lambda: net.set_submodule("q", nn.ReLU(), strict=True),
        lambda: nn.Module(3),
        lambda: nn.Module()(3),
        lambda: net.train(1),
        lambda: net.to(lib.int64),
    ):
        try:
            action()
            log("fine")
        except Exception as error:
            log(type(error).__name__)

    class Bare(nn.Module):
        def __init__(self) -> None:
            self.weight = nn.Parameter(lib.ones(1))

    try:
        Bare()
    except AttributeError:
        log("AttributeError")


@program
def state(lib, log):
    net, other = make_net(lib), make_net(lib)
    with lib.no_grad():
        other[2].weight.fill_(7.0)
    log(text(net.load_state_dict(other.state_dict())), shape(net[2].weight))
    log(net.state_dict(keep_vars=True)["last.weight"] is net[2].weight, net.state_dict()["last.weight"].requires_grad)
    states = other.state_dict()
    states["last.weight"] = lib.ones(2, 2)
    states["extra"] = states.pop("first.count")
    states["first.linear.deep"] = lib.ones(1)
    for strict in (True, False):
        try:
            log(net.load_state_dict(states, strict=strict))
        except RuntimeError as error:
            wanted = ["first.count", "extra", "first.linear.deep", "last.weight", "[1, 3]", "[2, 2]", "first.scale"]
            log([word in str(error) for word in wanted])
    states = other.state_dict()
    del states["first.scale"]
    states["more"] = lib.ones(1)
    keys = net.load_state_dict(states, strict=False)
    log(keys.missing_keys, keys.unexpected_keys, text(keys))
    kept = net[2].weight
    net.load_state_dict(OrderedDict(other.state_dict()), assign=True)
    log(net[2].weight is kept, type(net[2].weight) is lib.nn.Parameter, net[2].weight.requires_grad)
    net.double().load_state_dict(make_net(lib).state_dict(), assign=True)
    log(text(net[2].weight.dtype), text(net.first.count.dtype))
    for wrong in ([1], {"last.weight": 3}):
        try:
            net.load_state_dict(wrong, strict=False)
        except (TypeError, RuntimeError) as error:
            log(type(error).__name__)


@program
def state_hooks(lib, log):
    net = make_net(lib)

    class Extra(lib.nn.Linear):
        def get_extra_state(self) -> Any:
            return {"a": 1}

        def set_extra_state(self, state: Any) -> None:
            log("set", state)

    net.add_module("extra", Extra(1, 1))
    handles = [
        net.first.register_state_dict_pre_hook(lambda m, prefix, keep: log("pre", type(m).__name__, prefix, keep)),
        net.first.register_state_dict_post_hook(lambda m, s, prefix, meta: log("post", list(s), prefix, meta)),
        net._register_state_dict_hook(lambda m, s, prefix, meta: log("old", len(s)) or s),
        net.first.register_load_state_dict_pre_hook(
            lambda m, s, prefix, *rest: log("load", type(m).__name__, prefix, rest)
        ),
        net.first._register_load_state_dict_pre_hook(lambda s, prefix, *rest: log("load old", list(s))),
        net.register_load_state_dict_post_hook(
            lambda m, keys: log("loaded", keys.missing_keys) or keys.missing_keys.clear()
        ),
    ]
    states = net.state_dict()
    log(list(states))
    net.load_state_dict(states)
    del states["last.weight"]
    net.load_state_dict(states)
    for handle in handles:
        handle.remove()
    log(
        [
            len(getattr(net.first, name))
            for name in ("_state_dict_hooks", "_state_dict_pre_hooks", "_load_state_dict_pre_hooks")
        ]
    )
    del states["extra._extra_state"]
    log(net.load_state_dict(states, strict=False))
    log(lib.nn.Linear(1, 1).load_state_dict({"_extra_state": 3}, strict=False))


@program
def forward_hooks(lib, log):
    net = make_net(lib)
    block, x = net.first, lib.ones(1, 2)
    seen = lambda name: (
        lambda m, *args: log(name, type(m).__name__, [shape(a) if not isinstance(a, dict) else a for a in args])
    )
    block.register_forward_pre_hook(seen("pre"))
    block.register_forward_pre_hook(lambda m, args: log("change") or args[0] * 2)
    block.register_forward_pre_hook(
        lambda m, args, kwargs: log("kw", kwargs) or ((args[0],), {"extra": 1}), with_kwargs=True, prepend=True
    )
    block.register_forward_hook(seen("post"))
    block.register_forward_hook(lambda m, args, out: out + 1)
    block.register_forward_hook(lambda m, args, kwargs, out: log("kw", kwargs, shape(out)), with_kwargs=True)
    first = block.register_forward_hook(seen("first"), prepend=True)
    log(shape(block(x)))
    first.remove()
    block(x)
    always = block.register_forward_hook(lambda m, args, out: log("always", out), always_call=True)
    block.forward = lambda *args, **kwargs: 1 / 0
    try:
        block(x)
    except ZeroDivisionError:
        log("ZeroDivisionError")
    always.remove()
    log(len(block._forward_hooks_always_called), len(block._forward_hooks), len(block._forward_pre_hooks_with_kwargs))
    bad = lib.nn.ReLU()
    bad.register_forward_pre_hook(lambda m, args, kwargs: 3, with_kwargs=True)
    try:
        bad(x)
    except RuntimeError:
        log("RuntimeError")


@program
def backward_hooks(lib, log):
    net = make_net(lib)
    x = lib.tensor([[1.0, 2.0]], requires_grad=True)
    seen = lambda name: lambda m, *grads: log(name, type(m).__name__, shape(list(grads)))
    net.first.register_full_backward_hook(seen("full"))
    net.first.register_full_backward_hook(lambda m, gi, go: None if gi[0] is None else (gi[0] * 10,), prepend=True)
    net.first.register_full_backward_pre_hook(seen("pre"))
    net[2].register_full_backward_hook(seen("last"))
    net[2].register_full_backward_pre_hook(lambda m, go: (go[0] * 3,))
    net(x).sum().backward()
    log(shape(x.grad), shape(net.first.scale.grad))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        net(x.detach()).sum().backward()
    with lib.no_grad():
        log(net(x).requires_grad)
    two = lib.nn.Bilinear(2, 2, 1)
    with lib.no_grad():
        for parameter in two.parameters():
            parameter.fill_(0.5)
    two.register_full_backward_hook(seen("two"))
    two(x, x.detach()).sum().backward()
    relu = lib.nn.ReLU()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        relu.register_backward_hook(seen("old"))
        relu(x * 2).sum().backward()
    for action in (lambda: relu.register_full_backward_hook(seen("x")), lambda: two.register_backward_hook(seen("x"))):
        try:
            action()
        except RuntimeError:
            log("RuntimeError")
    wrong = lib.nn.ReLU()
    wrong.register_full_backward_hook(lambda m, gi, go: (1, 2))
    try:
        wrong(x).sum().backward()
    except RuntimeError:
        log("RuntimeError")


@program
def global_hooks(lib, log):
    module = lib.nn.modules.module
    net, x = make_net(lib), lib.tensor([[1.0, 2.0]], requires_grad=True)
    name = lambda m: type(m).__name__
    handles = [
        module.register_module_forward_pre_hook(lambda m, args: log("pre", name(m))),
        module.register_module_forward_hook(lambda m, args, out: log("post", name(m))),
        module.register_module_forward_hook(lambda m, args, kwargs, out: log("kw", kwargs), with_kwargs=True),
        module.register_module_full_backward_pre_hook(lambda m, go: log("backward pre", name(m), shape(go))),
        module.register_module_full_backward_hook(lambda m, gi, go: log("backward", name(m), shape(gi))),
        module.register_module_parameter_registration_hook(lambda m, n, p: log("parameter", n)),
        module.register_module_buffer_registration_hook(lambda m, n, p: log("buffer", n)),
        module.register_module_module_registration_hook(lambda m, n, p: log("module", n)),
    ]
    net[2].register_forward_hook(lambda m, args, out: log("own"))
    try:
        net(x).sum().backward()
        make_net(lib)
    finally:
        for handle in handles:
            handle.remove()
    log(len(module._global_forward_hooks), len(module._global_backward_hooks))
    net(x)


@program
def conversion(lib, log):
    net = make_net(lib)
    kept, scale = list(net.parameters()), net.first.scale
    x = lib.ones(1, 2)
    net(x).sum().backward()
    for change in (
        net.double, net.half, net.bfloat16, net.float, net.cpu,
        lambda: net.to(lib.float64), lambda: net.to("cpu"), lambda: net.to(device="cpu", dtype=lib.float32),
        lambda: net.to(lib.ones(1, dtype=lib.float64)), lambda: net.type(lib.float32),
        lambda: net.to_empty(device="cpu"),
    ):  # fmt: skip
        log(change() is net, text([p.dtype for p in net.state_dict().values()]), text(scale.grad.dtype))
    log([a is b for a, b in zip(kept, net.parameters())], scale.is_leaf, scale.requires_grad)
    net.requires_grad_(False)
    log([p.requires_grad for p in net.parameters()])
    net.requires_grad_()
    log(scale.grad is None, net.zero_grad(set_to_none=False), shape(scale.grad))
    net.zero_grad()
    log(scale.grad is None)
    order = []
    net.apply(lambda m: order.append(type(m).__name__))
    log(order, net.share_memory() is net)


@program
def copies(lib, log):
    net = lib.nn.Sequential(lib.nn.Linear(2, 3), lib.nn.BatchNorm1d(3), lib.nn.ReLU())
    net.register_forward_hook(print_nothing)
    net(lib.ones(2, 2)).sum().backward()
    net[0].weight.mark = 3
    for other in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        log(all(lib.equal(a, b) for a, b in zip(net.state_dict().values(), other.state_dict().values())))
        log(other[0].weight is net[0].weight, type(other[0].weight) is lib.nn.Parameter, other[0].weight.grad is None)
        log(len(other._forward_hooks), hasattr(other[0].weight, "mark"), list(other.state_dict()._metadata))
    shallow = copy.copy(net)
    log(shallow[0] is net[0], shallow._modules is net._modules)
    tied = lib.nn.ModuleList([net[0], net[0]])
    other = copy.deepcopy(tied)
    log(other[0] is other[1], other[0] is tied[0])
    log(list(pickle.loads(pickle.dumps(net.state_dict()))), list(copy.deepcopy(net.state_dict())))


def print_nothing(*args: Any) -> None:
    """A hook that can be pickled."""


@program
def containers(lib, log):
    nn = lib.nn
    net = nn.Sequential(nn.ReLU(), nn.Tanh(), nn.Sigmoid())
    log(len(net), text(net[-1]), text(net[:2]), text(net[1:]), text(net + nn.Sequential(nn.ELU())))
    net.append(nn.ELU()).insert(1, nn.GELU())
    log(text(net), text(net.pop(0)), text(net * 2), text(nn.Sequential(nn.ReLU()) * 3))
    net.extend(nn.Sequential(nn.SiLU()))
    net[0] = nn.Mish()
    del net[1]
    del net[1:3]
    log(text(net), list(net._modules))
    net += nn.Sequential(nn.ReLU())
    net *= 2
    log(text(net), [type(m).__name__ for m in net], text(2 * nn.Sequential(nn.ReLU())))
    named = nn.Sequential(OrderedDict(a=nn.ReLU(), b=nn.Tanh()))
    log(text(named), text(named[0:1]), text(named.b))
    many = nn.ModuleList([nn.Linear(1, 2), nn.Linear(1, 2), nn.ReLU(), nn.Linear(1, 2)])
    log(text(many), text(many[0:2]), text(many[-1]), len(many + many), text(nn.ModuleList()))
    many.insert(0, nn.Tanh())
    many.append(nn.ReLU())
    many.extend([nn.ReLU()])
    many += [nn.ELU()]
    del many[1]
    many[0] = nn.Sigmoid()
    log(text(many), text(many.pop(-1)), many[0] in many)
    table = nn.ModuleDict({"b": nn.ReLU(), "a": nn.Tanh()})
    table["c"] = nn.ELU()
    table.update([("d", nn.GELU())])
    table.update(OrderedDict(e=nn.GELU()))
    log(
        text(table),
        list(table),
        list(table.keys()),
        text(list(table.values())),
        text(table.pop("a")),
        "b" in table,
        len(table),
    )
    del table["b"]
    table.clear()
    log(text(table))
    values = nn.ParameterList([lib.ones(2), nn.Parameter(lib.zeros(1)), 3])
    values.append(lib.ones(1, 2)).extend([lib.ones(1)])
    values += [lib.zeros(3)]
    log(text(values), len(values), [type(v).__name__ for v in values], list(values.state_dict()), len(values[1:3]))
    values[0] = lib.zeros(4)
    log(shape(values[0]), shape(values[-1]), len(list(values.parameters())))
    pairs = nn.ParameterDict({"b": lib.ones(1), "a": nn.Parameter(lib.zeros(2))})
    pairs["c"] = 3
    log(
        list(pairs),
        list(pairs.state_dict()),
        "a" in pairs,
        len(pairs),
        pairs.get("x", 5),
        [k for k, _ in pairs.items()],
    )
    log(shape(pairs.pop("a")), pairs.popitem()[0], shape(pairs.setdefault("z", lib.ones(1))), list(reversed(pairs)))
    more = pairs | nn.ParameterDict({"q": lib.ones(1)})
    more |= {"r": lib.ones(1)}
    log(list(more), list(more.copy()), list(more.fromkeys(["x", "y"], 1)), len(list(more.values())))
    more.clear()
    log(len(more))
    for action in (
        lambda: net[9], lambda: many[9], lambda: values[9], lambda: table["x"], lambda: pairs["x"], lambda: pairs[3],
        lambda: nn.Sequential(3), lambda: nn.ModuleList([3]), lambda: net + 3, lambda: net * 0, lambda: net * 1.5,
        lambda: values.extend(3), lambda: many.extend(3), lambda: table.update(3), lambda: table.update([3]),
        lambda: table.update([(1, 2, 3)]), lambda: values(3), lambda: net.insert(99, nn.ReLU()), lambda: many(3),
    ):  # fmt: skip
        try:
            log(text(action()))
        except Exception as error:
            log(type(error).__name__)


@program
def wrapped(lib, log):
    net = lib.nn.DataParallel(lib.nn.Linear(2, 3))
    log(text(net), list(net.state_dict()), shape(net(lib.ones(1, 2)))[0], net.device_ids)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        log(text(lib.nn.Container(a=lib.nn.ReLU())))


@program
def lazies(lib, log):
    nn = lib.nn
    layer = nn.LazyLinear(3)
    log(text(layer), layer.has_uninitialized_params(), text(layer.weight), text(list(layer.state_dict())))
    log(nn.parameter.is_lazy(layer.weight), isinstance(layer.weight, nn.Parameter), layer.weight.requires_grad)
    for action in (
        lambda: layer.weight.shape, lambda: layer.weight + 1, lambda: layer.weight.exp(), lambda: lib.sum(layer.weight),
        lambda: layer.weight.share_memory_(),
    ):  # fmt: skip
        try:
            action()
        except Exception as error:
            log(type(error).__name__)
    layer.double()
    log(text(layer.weight.dtype))
    twin = copy.deepcopy(layer)
    filled = nn.LazyLinear(3)
    filled.load_state_dict(nn.Linear(2, 3).state_dict())
    log(text(filled), filled.has_uninitialized_params(), shape(filled(lib.ones(1, 2)))[0], text(filled))
    log(
        shape(layer(lib.ones(1, 2, dtype=lib.float64)))[0],
        text(layer),
        type(layer) is nn.Linear,
        text(layer.weight.dtype),
    )
    log(text(twin), text(nn.UninitializedBuffer()), text(pickle.loads(pickle.dumps(twin)).weight))
    empty = nn.LazyLinear(3)
    empty.load_state_dict(nn.LazyLinear(3).state_dict())
    log(text(empty.weight))
    try:
        nn.Linear(2, 3).load_state_dict(nn.LazyLinear(3).state_dict())
    except RuntimeError:
        log("RuntimeError")
    norm = nn.LazyBatchNorm1d()
    log(text(norm), list(norm.state_dict()), text(norm.running_mean))
    norm(lib.ones(2, 3))
    log(text(norm), type(norm) is nn.BatchNorm1d, shape(norm.running_mean), isinstance(norm.weight, nn.Parameter))
    (norm.weight * 2).sum().backward()
    log(shape(norm.weight.grad))


@pytest.mark.parametrize("function", PROGRAMS, ids=[function.__name__ for function in PROGRAMS])
def test_same_in_both(function):
    logs: list[list[str]] = []
    for lib in (ad, torch):
        lines: list[str] = []
        log = lambda *values, lines=lines: lines.append(text(" ".join(map(str, values))))
        function(lib, log)
        logs.append(lines)
    for number, (ours, theirs) in enumerate(zip(*logs)):
        assert ours == theirs, f"line {number}"
    assert len(logs[0]) == len(logs[1])
