"""Short programs in the manner of PyTorch's own tests of autograd, run with both libraries and compared.

Each returns a log of what it saw: values with their flags and the name of their node, hooks in the order they ran, and
for what is refused the kind of error.
"""

from __future__ import annotations

import copy
import gc
import pickle
import threading
import warnings
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.compare import Scenarios, name_of

pytestmark = pytest.mark.oracle

scenarios = Scenarios()


def line(lib: Any, *shape: int, dtype: str = "float64") -> Any:
    """A leaf with the values 1/3, 2/3, ..."""
    count = 1
    for length in shape:
        count *= length
    return (lib.arange(1, count + 1, dtype=getattr(lib, dtype)) / 3).reshape(shape).detach().requires_grad_()


def ones(lib: Any, *shape: int) -> Any:
    return lib.ones(shape, dtype=lib.float64)


def facts(tensor: Any) -> Any:
    """A tensor's values, and what it says of itself."""
    if tensor is None:
        return None
    if isinstance(tensor, (tuple, list)):
        return [facts(one) for one in tensor]
    node = None if tensor.grad_fn is None else name_of(tensor.grad_fn).replace("CopyBackwards", "CloneBackward0")
    return [tensor.detach().clone(), tensor.requires_grad, tensor.is_leaf, node]


def attempt(action: Callable[[], Any]) -> Any:
    """What an action returns, or the kind of error it stops with."""
    try:
        result = action()
    except Exception as error:
        for kind in (TypeError, IndexError, RuntimeError, ValueError, AttributeError):
            if isinstance(error, kind):
                return kind.__name__
        raise
    return facts(result) if hasattr(result, "grad_fn") else result


# ---- roots, inputs, edges --------------------------------------------------------------------------------------------


@scenarios
def roots_and_given_gradients(lib: Any) -> Any:
    x, log = line(lib, 2), []
    for given in (None, ones(lib, 2), ones(lib, 3), ones(lib, 1, 2), lib.ones(2), ones(lib, 2).to(lib.int64), 1.0):
        x.grad = None
        log += [attempt(lambda given=given: (x * x).backward(given)), facts(x.grad)]
    backward = lib.autograd.backward
    for roots, grads in (
        ([(x * 2).sum(), (x * 3).sum()], None),
        ([x * 2, x.sum()], [ones(lib, 2), None]),
        ([x * 2, x.sum()], [ones(lib, 2)]),
        ([x, x.sum()], (ones(lib, 2), None)),
        ([x.detach().sum(), x.sum()], None),
        ([], None),
    ):
        x.grad = None
        log += [attempt(lambda roots=roots, grads=grads: backward(roots, grads)), facts(x.grad)]
    root = (x * x).sum()
    backward([root, root])
    return [*log, facts(x.grad), attempt(root.backward), attempt(lambda: backward(root, inputs=[]))]


@scenarios
def what_grad_takes_and_returns(lib: Any) -> Any:
    grad = lib.autograd.grad
    x, y = line(lib, 2), line(lib, 2)
    middle = x * y
    out = (middle * middle).sum()
    keep: dict[str, Any] = {"retain_graph": True}
    log = [facts(grad(out, inputs, **keep)) for inputs in (x, [x], (x, middle), iter([y, x]), [x, x])]
    log.append({name: facts(one) for name, one in grad(out, {"x": x, "m": middle}, **keep).items()})
    z = line(lib, 3, dtype="float32")
    for options in ({}, {"allow_unused": True}, {"materialize_grads": True}):
        for create in (False, True):
            log.append(
                attempt(lambda options=options, create=create: facts(grad(out, [x, z], create_graph=create, **options)))
            )
    log.append(attempt(lambda: grad(out, x, allow_unused=False, materialize_grads=True)))
    log += [attempt(lambda bad=bad: grad(out, bad)) for bad in (None, 3, [], x.detach())]
    return [*log, x.grad]


@scenarios
def inputs_of_backward(lib: Any) -> Any:
    log = []
    for pick in (
        lambda x, a, y: [x],
        lambda x, a, y: x,
        lambda x, a, y: (x, a),
        lambda x, a, y: iter([a]),
        lambda x, a, y: [x, x],
        lambda x, a, y: [y],
        lambda x, a, y: lib.autograd.graph.get_gradient_edge(x),
        lambda x, a, y: [x.detach()],
    ):
        x, y = line(lib, 2), line(lib, 2)
        a = x.exp()
        log.append(attempt(lambda pick=pick, x=x, a=a, y=y: (a * a).sum().backward(inputs=pick(x, a, y))))
        log += [facts(x.grad), a.retains_grad, facts(a.grad) if a.retains_grad else None, y.grad]
    return log


@scenarios
def edges_stand_for_tensors(lib: Any) -> Any:
    edge_of, grad = lib.autograd.graph.get_gradient_edge, lib.autograd.grad
    x = line(lib, 2)
    y = x * 2
    edge = edge_of(y)
    y.mul_(3)
    first, second = x.unbind()
    return [
        [edge.node is y.grad_fn, edge.output_nr, edge_of(second).output_nr],
        facts(grad(y.sum(), [edge, edge_of(y), edge_of(x)], retain_graph=True)),
        facts(grad(edge, x, ones(lib, 2))),
        facts(grad(first * second, [edge_of(second), edge_of(first)])),
        attempt(lambda: edge_of(x.detach())),
        attempt(lambda: grad(edge_of(x * 2), x)),
        attempt(lambda: grad(x.sum(), edge_of(line(lib, 2)), materialize_grads=True)),
    ]


@scenarios
def nodes_can_be_called(lib: Any) -> Any:
    x = line(lib, 2)
    product, pair, total = x * x.detach(), x * x, x.sum()
    accumulator = product.grad_fn.next_functions[0][0]
    return [
        attempt(lambda: facts(pair.grad_fn(ones(lib, 2)))),
        attempt(lambda: facts(product.grad_fn(ones(lib, 2)))),
        attempt(lambda: total.grad_fn(lib.tensor(2.0, dtype=lib.float64))),
        attempt(lambda: x.exp().grad_fn(None)),
        attempt(lambda: x.unbind()[0].grad_fn(lib.tensor(1.0, dtype=lib.float64), None)),
        attempt(lambda: pair.grad_fn()),
        attempt(lambda: pair.grad_fn(ones(lib, 2), ones(lib, 2))),
        [list(accumulator(ones(lib, 2))), facts(x.grad)],
    ]


# ---- hooks -----------------------------------------------------------------------------------------------------------


@scenarios
def the_order_of_hooks_around_a_leaf(lib: Any) -> Any:
    x, log = line(lib, 2), []
    accumulator = x.view_as(x).grad_fn.next_functions[0][0]
    x.register_post_accumulate_grad_hook(lambda t: log.append(["accumulated", t is x, facts(t.grad)]))
    x.register_hook(lambda g: log.append(["tensor", facts(g), x.grad]))
    accumulator.register_hook(lambda gi, go: log.append(["post", list(gi), facts(go)]))
    accumulator.register_prehook(lambda go: log.append(["pre", facts(go)]))
    (x * 2).sum().backward()
    lib.autograd.grad((x * 3).sum(), x)
    (x * 4).sum().backward(inputs=[x])
    return log


@scenarios
def hooks_of_outputs_that_are_not_used(lib: Any) -> Any:
    log: list[Any] = []
    for operation in (lambda x: x.unbind(), lambda x: lib.var_mean(x, dim=0), lambda x: x.split(1), lambda x: x.max(0)):
        for used in range(2):
            x = line(lib, 2, 2)
            parts = [part for part in operation(x * 1) if part.requires_grad]
            if used >= len(parts):
                continue
            for number, part in enumerate(parts):
                part.register_hook(lambda g, number=number: log.append([number, facts(g)]))
            parts[used].sum().backward()
            log.append(facts(x.grad))
    return log


@scenarios
def a_gradient_that_vanishes_on_the_way(lib: Any) -> Any:
    class Stop(lib.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.clone()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return None

    x, log = line(lib, 2), []
    middle = x * 2
    middle.register_hook(lambda g: log.append(["middle", g]))
    middle.retain_grad()
    x.register_hook(lambda g: log.append(["leaf", g]))
    x.register_post_accumulate_grad_hook(lambda t: log.append(["accumulated", t.grad]))
    Stop.apply(middle).sum().backward()
    Stop.apply(x).sum().backward()
    return [*log, x.grad, middle.grad, list(lib.autograd.grad(Stop.apply(x).sum(), x, allow_unused=True))]


@scenarios
def what_hooks_may_return(lib: Any) -> Any:
    log: list[Any] = []
    wrong = [
        lambda g: "a",
        lambda g: ones(lib, 3),
        lambda g: ones(lib, 1, 2),
        lambda g: lib.ones(2),
        lambda g: (g, g),
        lambda g: [g],
    ]
    for hook in (lambda g: None, lambda g: g * 5, lambda g: g.mul_(5), *wrong):
        for register in (
            lambda y, hook: y.register_hook(hook),
            lambda y, hook: y.grad_fn.register_prehook(lambda gs: hook(gs[0])),
            lambda y, hook: y.grad_fn.register_prehook(lambda gs: (hook(gs[0]),)),
            lambda y, hook: y.grad_fn.register_hook(lambda gi, go: hook(gi[0])),
            lambda y, hook: y.grad_fn.register_hook(lambda gi, go: (hook(gi[0]),)),
        ):
            x = line(lib, 2)
            y = x.exp()
            register(y, hook)
            log += [attempt(lambda y=y: (y * 2).sum().backward()), facts(x.grad)]
    return log


@scenarios
def hooks_belong_to_the_value_at_their_time(lib: Any) -> Any:
    told: list[Any] = []
    for operation in (lambda x: (x.sum(0), x.mean(0)), lambda x: lib.var_mean(x, dim=0), lambda x: lib.std_mean(x)):
        x, log = line(lib, 3, 3), {}
        one, other = operation(x)
        one.register_hook(lambda g, log=log: log.update(before=facts(g)))
        other.register_hook(lambda g, log=log: log.update(other=facts(g)))
        if one.grad_fn.name() != "StdMeanBackward0":  # which needs the deviation again
            one.mul_(2)
        other.mul_(3)
        one.retain_grad()
        one.register_hook(lambda g, log=log: log.update(after=facts(g)))
        (one + other * 3).sum().backward()
        told += [log, facts(one.grad), facts(x.grad)]
    return told


@scenarios
def several_tensors_share_a_hook(lib: Any) -> Any:
    register = lib.autograd.graph.register_multi_grad_hook
    leaves = [line(lib, 2) for _ in range(3)]
    a, b, c = middles = [leaf * 2 for leaf in leaves]
    log: list[Any] = []
    handle = register(middles, lambda grads: log.append(["all", facts(grads)]))
    register(middles[:2], lambda grad: log.append(["any", facts(grad)]), mode="any")
    keep: dict[str, Any] = {"retain_graph": True}
    (a * b).sum().backward(**keep)
    (a * b * c).sum().backward(**keep)
    lib.autograd.grad((b * c).sum(), [a, b], allow_unused=True, **keep)
    lib.autograd.grad(c.sum(), middles, allow_unused=True, **keep)
    handle.remove()
    (a * b * c).sum().backward()
    return [*log, attempt(lambda: register(middles, print, mode="some"))]


# ---- what is saved ---------------------------------------------------------------------------------------------------


@scenarios
def what_pack_hooks_see(lib: Any) -> Any:
    hooks, log = lib.autograd.graph.saved_tensors_hooks, []
    x = line(lib, 2)
    middle = x * 1
    index = lib.tensor([0, 0])

    def pack(tensor: Any) -> Any:
        log.append([tensor is x, tensor is middle, facts(tensor)])
        return tensor.detach().clone()

    with hooks(pack, lambda packed: packed * 1):
        y = (x * x.detach().clone()).sum() + (middle * x).sum() + x.index_select(0, index).sum()
        node = (x * x).grad_fn
    log.append(facts(node._saved_self))
    (slope,) = lib.autograd.grad(y, x, create_graph=True)
    return [*log, facts(slope), facts(lib.autograd.grad(slope.sum(), x))]


@scenarios
def unpack_hooks_may_lose_precision_only(lib: Any) -> Any:
    log = []
    for unpack in (lambda t: t.to(lib.float32), lambda t: "a", lambda t: t):
        x = line(lib, 2)
        with lib.autograd.graph.saved_tensors_hooks(lambda t: t, unpack):
            y = (x * x).sum()
        log += [attempt(y.backward), facts(x.grad)]
    return log


@scenarios
def outputs_that_no_rule_needs_may_be_written_to(lib: Any) -> Any:
    functional = lib.nn.functional if lib.__name__ == "torch" else lib
    log = []
    for operation in (
        lambda x: x.max(0)[0],
        lambda x: x.min(1)[0],
        lambda x: x.sort()[0],
        lambda x: x.topk(2)[0],
        lambda x: x.kthvalue(2)[0],
        lambda x: x.median(0)[0],
        lambda x: lib.cummax(x, 0)[0],
        lambda x: lib.linalg.slogdet(x)[1],
        lambda x: lib.var_mean(x)[0],
        lambda x: lib.std_mean(x)[1],
        lambda x: functional.max_pool2d(x.reshape(1, 1, 4, 4), 2),
        lambda x: x.std(),
        lambda x: x.exp(),
        lambda x: x.softmax(0),
        lambda x: lib.std_mean(x)[0],
    ):
        x = (line(lib, 4, 4) * 7).sin().detach().requires_grad_()
        y = operation(x * 1)
        y.relu_().mul_(3)
        log += [attempt(y.sum().backward), facts(x.grad)]
    return log


# ---- gradients that accumulate ---------------------------------------------------------------------------------------


@scenarios
def gradients_lie_in_memory_as_their_leaves(lib: Any) -> Any:
    log = []
    inputs = ones(lib, 4, 3)
    for shape, operation in (
        ((5, 3), lambda w: inputs @ w.t()),
        ((5, 3), lambda w: w.t() * 2),
        ((5, 3), lambda w: w.sum(0)),
        ((2, 3, 4), lambda w: w.permute(2, 0, 1).exp()),
        ((3, 3), lambda w: w + w.t()),
    ):
        w = line(lib, *shape)
        operation(w).sum().backward()
        log += [list(w.grad.stride()), w.grad.view(-1)]
        turned = line(lib, *shape).detach().transpose(0, 1).requires_grad_()
        operation(turned.transpose(0, 1)).sum().backward()
        log += [list(turned.grad.stride()), facts(turned.grad)]
    return log


@scenarios
def gradients_are_added_to_in_place(lib: Any) -> Any:
    x = line(lib, 2)
    (x * 2).sum().backward()
    first = x.grad
    (x * 3).sum().backward()
    log = [first is x.grad, facts(first)]
    x.grad = ones(lib, 2).requires_grad_()
    first = x.grad
    (x * 3).sum().backward()
    log += [first is x.grad, facts(x.grad)]
    x.grad = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (x * x * x).sum().backward(create_graph=True)
    first = x.grad
    (x * 2).sum().backward()
    log += [first is x.grad, facts(x.grad), facts(lib.autograd.grad(x.grad.sum(), x))]
    x.grad = None
    return log


@scenarios
def powers_are_differentiated_until_they_vanish(lib: Any) -> Any:
    log = []
    for exponent in (2, 3, 2.0, 0.5, 1, 0):
        x = line(lib, 2)
        value: Any = (x**exponent).sum()
        for _ in range(5):
            found = attempt(lambda value=value, x=x: facts(lib.autograd.grad(value, x, create_graph=True)[0]))
            log.append(found if isinstance(found, str) else found[:2])
            if isinstance(found, str) or not found[1]:
                break
            value = lib.autograd.grad(value, x, create_graph=True)[0].sum()
    return log


# ---- tensors ---------------------------------------------------------------------------------------------------------


@scenarios
def flags_of_leaves_and_others(lib: Any) -> Any:
    x = line(lib, 2)
    y, whole = x * 2, lib.ones(2, dtype=lib.int64)

    def put(tensor: Any, name: str, value: Any) -> Any:
        return attempt(lambda: setattr(tensor, name, value))

    values = (True, False, 1, "a", None)
    return [
        [put(t, "requires_grad", value) for t in (x, y, whole) for value in values],
        [attempt(lambda t=t: t.requires_grad_().requires_grad) for t in (x, y, whole)],
        [attempt(lambda t=t: t.grad_dtype) for t in (x, y, whole)],
        [put(x, name, 3) for name in ("grad", "grad_fn", "is_leaf", "data")],
        [put(x, "note", "kept"), x.note, copy.deepcopy(x).note, pickle.loads(pickle.dumps(x)).note, hasattr(y, "note")],
        [attempt(lambda: lib.set_grad_enabled("a")), lib.is_grad_enabled(), type(lib.no_grad().clone()).__name__],
        [isinstance(x, lib.autograd.Variable), facts(lib.autograd.Variable(ones(lib, 2), requires_grad=True))],
    ]


@scenarios
def sums_in_an_integer_dtype(lib: Any) -> Any:
    x = line(lib, 3)
    calls = (
        lambda t: t.sum(dtype=lib.int64),
        lambda t: lib.sum(t, 0, dtype=lib.int64),
        lambda t: t.prod(dtype=lib.int64),
        lambda t: t.nansum(dtype=lib.int64),
        lambda t: t.cumsum(0, dtype=lib.int64),
        lambda t: lib.cumprod(t, 0, dtype=lib.int64),
        lambda t: t.sum(dtype=lib.float32),
        lambda t: t.to(lib.int64),
    )
    with lib.no_grad():
        log = [attempt(lambda call=call: call(x)) for call in calls]
    return [*log, [attempt(lambda call=call, t=t: call(t)) for call in calls for t in (x, x.detach(), x * 1)]]


@scenarios
def inference_tensors(lib: Any) -> Any:
    with lib.inference_mode():
        made = ones(lib, 2) * 2

    class Keep(lib.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(made)
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad

    x = line(lib, 2)
    return [
        [made.is_inference(), copy.deepcopy(made).is_inference(), made.clone().is_inference()],
        [attempt(lambda: Keep.apply(x)), attempt(lambda: made * x), attempt(lambda: made + x)],
        [attempt(made.requires_grad_), attempt(lambda: made.add_(0).is_inference()), attempt(lambda: made._version)],
    ]


@scenarios
def passes_in_threads_and_inside_passes(lib: Any) -> Any:
    x, inner = line(lib, 2), line(lib, 2)
    threads = [threading.Thread(target=lambda: (x * x).sum().backward()) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    middle = x * 3
    middle.register_hook(lib.enable_grad()(lambda g: (inner * g.sum()).sum().backward()))
    (middle * 2).sum().backward()
    return [facts(x.grad), facts(inner.grad)]


@scenarios
def what_keeps_what_alive(lib: Any) -> Any:
    x, log = line(lib, 2), []
    for operation in (lambda t: t * 2, lambda t: t.exp(), lambda t: t.unbind()[0], lambda t: t.sort()[0]):
        y = operation(x)
        y.register_hook(lambda g: None)
        y.retain_grad()
        root, reference = y * 2, weakref.ref(y)
        del y
        log.append(reference() is None)
        root.sum().backward()
    gc.collect()
    return [log, facts(x.grad)]


test_as_in_pytorch = scenarios.test()
