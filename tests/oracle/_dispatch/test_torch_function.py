"""`__torch_function__`, modes and `overrides`: who is asked, and what comes out, as in PyTorch."""

from __future__ import annotations

from typing import Any

import pytest

import adjoint as ad
from adjoint._dispatch.override import call_without_classes

torch = pytest.importorskip("torch")
BaseTorchFunctionMode = pytest.importorskip("torch.overrides").BaseTorchFunctionMode

pytestmark = pytest.mark.oracle

DISABLED = {ad: call_without_classes, torch: torch._C._disabled_torch_function_impl}
NO_SUBCLASSES = {ad: ad.overrides.DisableTorchFunctionSubclass, torch: torch._C.DisableTorchFunctionSubclass}
NOTHING = {ad: ad.overrides.DisableInterception, torch: torch._C.DisableTorchFunction}


class World:
    """Classes and modes on top of one of the two libraries; they note in `log` what they are asked."""

    def __init__(self, lib: Any) -> None:
        log: list[Any] = []

        class Sub(lib.Tensor):
            @classmethod
            def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                log.append((cls.__name__, func.__name__, [t.__name__ for t in types]))
                return super().__torch_function__(func, types, args, kwargs or {})

        class SubSub(Sub):
            pass

        class Plain(lib.Tensor):
            __torch_function__ = DISABLED[lib]

        class Foreign:
            handlers: dict[Any, Any] = {
                lib.mean: lambda x, dim=None: ("mean", dim),
                lib.add: lambda x, y: ("add", type(x).__name__, type(y).__name__),
                lib.cat: lambda tensors, dim=0: ("cat", len(tensors), dim),
                lib.nn.functional.linear: lambda x, weight, bias=None: ("linear", type(weight).__name__),
            }

            @classmethod
            def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                log.append((cls.__name__, func.__name__, [t.__name__ for t in types]))
                if func not in cls.handlers:
                    return NotImplemented
                return cls.handlers[func](*args, **(kwargs or {}))

        class Mode(lib.overrides.TorchFunctionMode):
            def __init__(self, name: str) -> None:
                self.name = name

            def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                log.append((self.name, func.__name__, [t.__name__ for t in types]))
                return func(*args, **(kwargs or {}))

        self.lib, self.log, self.Mode, self.foreign, self.Sub = lib, log, Mode, Foreign(), Sub
        self.x = lib.tensor([1.0, 2.0])
        self.sub, self.subsub = self.x.as_subclass(Sub), self.x.as_subclass(SubSub)
        self.plain = self.x.as_subclass(Plain)
        log.clear()


def call_subclasses(w: World) -> Any:
    lib = w.lib
    results = [
        lib.exp(w.sub), lib.add(w.x, w.sub), lib.add(w.sub, w.subsub), w.x * w.subsub, lib.cat([w.x, w.sub]),
        lib.max(w.sub, 0)[1], w.sub.clone().add_(1), w.sub.detach(), w.sub[0], lib.nn.Linear(2, 1)(w.sub),
    ]  # fmt: skip
    return [type(result).__name__ for result in results]


def call_plain_subclass(w: World) -> Any:
    return type(w.lib.exp(w.plain)).__name__, w.lib.overrides.has_torch_function((w.plain,))


def read_data(w: World) -> Any:
    data = w.sub.data
    kind = type(data).__name__
    data[0] = 5.0
    w.log.clear()
    return kind, type(w.plain.data).__name__, w.x.tolist()


def call_foreign_objects(w: World) -> Any:
    lib, f = w.lib, w.foreign
    results = [lib.mean(f), lib.mean(f, dim=1), lib.add(w.x, f), lib.cat([w.x, f]), lib.cat((f, f), dim=1)]
    results.append(lib.nn.functional.linear(f, w.x))
    for call in (lambda: lib.exp(f), lambda: lib.mul(w.x, f)):
        try:
            call()
        except TypeError:
            results.append("TypeError")
    return results


def enter_modes(w: World) -> Any:
    lib, kinds = w.lib, []
    with w.Mode("outer"):
        with w.Mode("inner"):
            lib.exp(w.x)
        kinds.append(type(lib.add(w.sub, w.x)).__name__)
        lib.zeros(2)
        lib.add(w.foreign, 1)
        with NO_SUBCLASSES[lib]():
            kinds.append(type(lib.add(w.sub, w.x)).__name__)
            kinds.append(lib.overrides.has_torch_function((w.sub,)))
        with NOTHING[lib]():
            kinds.append(type(lib.add(w.sub, w.x)).__name__)
    return kinds


def switch_subclasses_off(w: World) -> Any:
    kinds = []
    for switch in (NO_SUBCLASSES, NOTHING):
        with switch[w.lib]():
            kinds += [type(w.lib.exp(w.sub)).__name__, w.lib.overrides.has_torch_function((w.sub,))]
    handler = w.Sub.__torch_function__
    with NO_SUBCLASSES[w.lib]():  # its caller may have done so already
        kinds.append(type(handler(w.lib.exp, (w.Sub,), (w.sub,), {})).__name__)
    return kinds


def ask_questions(w: World) -> Any:
    o, parameter = w.lib.overrides, w.lib.nn.Parameter(w.x)
    objects = w.x, w.sub, w.plain, w.foreign, parameter, 3, None, [w.sub]
    return (
        [o.is_tensor_like(one) for one in objects],
        [o.has_torch_function((one,)) for one in objects[:-1]],
        o.has_torch_function_unary(w.sub),
        o.has_torch_function_variadic(w.x, w.foreign),
        o.has_torch_function_variadic(w.x, w.x),
        o.is_tensor_method_or_property(w.lib.Tensor.add_),
        o.is_tensor_method_or_property(w.lib.nn.functional.linear),
    )


def override_own_functions(w: World) -> Any:
    o = w.lib.overrides

    @o.wrap_torch_function(lambda x: (x,))
    def wrapped(x: Any) -> Any:
        return x + 1

    def asks(x: Any) -> Any:
        if o.has_torch_function((x,)):
            return o.handle_torch_function(asks, (x,), x)
        return x + 1

    w.foreign.handlers |= {wrapped: lambda x: "wrapped", asks: lambda x: "asks"}
    results = [wrapped(w.foreign), asks(w.foreign), type(wrapped(w.sub)).__name__, type(asks(w.sub)).__name__]
    return [*results, wrapped(w.x).tolist(), asks(w.x).tolist()]


def enter_base_classes(w: World) -> Any:
    base = BaseTorchFunctionMode if w.lib is torch else w.lib.overrides.BaseTorchFunctionMode
    with base():
        value = w.lib.exp(w.x).shape[0]
    with pytest.raises(NotImplementedError), w.lib.overrides.TorchFunctionMode():
        w.lib.exp(w.x)
    return value, w.lib.exp(w.x).shape[0]


SCENES = (
    call_subclasses, call_plain_subclass, read_data, call_foreign_objects, enter_modes, switch_subclasses_off,
    ask_questions, override_own_functions, enter_base_classes,
)  # fmt: skip


@pytest.mark.parametrize("scene", SCENES)
def test_as_in_pytorch(scene: Any) -> None:
    ours, theirs = World(ad), World(torch)
    assert scene(ours) == scene(theirs)
    assert ours.log == theirs.log


def test_tensors_of_both_libraries() -> None:
    """Each has a `__torch_function__`; neither asks the other's without end."""
    with pytest.raises(TypeError):
        torch.exp(ad.ones(2))
    with pytest.raises(TypeError):
        torch.cat([torch.ones(2), ad.ones(2)])
    assert not ad.overrides.is_tensor_like(torch.ones(2))
    assert type(ad.exp(ad.ones(2))) is ad.Tensor
