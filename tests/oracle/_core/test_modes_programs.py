"""Random programs of views, writes, modes, hooks and backward passes tell the same in both libraries.

After each statement the state of all tensors is compared: values, `requires_grad`, versions, history, gradients. A
program ends where PyTorch is known to differ: where a view without history says that it requires grad because its base
does, where an inference tensor requires grad, and where a write that is refused has happened all the same. Nor is a
base made to require grad after its views, or a tensor multiplied by itself in place, which works here.
"""

from __future__ import annotations

import contextlib
import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from tests.support.compare import Outcome, name_of

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

MODES: list[tuple[Callable[[Any], Any], ...]] = [
    *[()] * 4,
    (lambda lib: lib.no_grad(),),
    (lambda lib: lib.no_grad(), lambda lib: lib.enable_grad()),
    (lambda lib: lib.inference_mode(),),
    (lambda lib: lib.inference_mode(), lambda lib: lib.inference_mode(False)),
    (lambda lib: lib.inference_mode(), lambda lib: lib.enable_grad()),
]

VIEWS: list[Callable[[Any], Any]] = [
    lambda x: x[0:1],
    lambda x: x.t() if x.dim() == 2 else x[:1],
    lambda x: x.reshape(-1)[0:2],
    lambda x: x[0],
    lambda x: x.unsqueeze(0).squeeze(0),
    lambda x: x.view(-1),
    lambda x: x.unbind(0)[-1],
    lambda x: x.split(1)[0],
    lambda x: x.view_as(x),
]

WRITES: list[Callable[[Any, Any], Any]] = [
    lambda x, y: x.mul_(2.0),
    lambda x, y: x.mul_(y) if x.shape == y.shape and x is not y else x.sin_(),
    lambda x, y: x.zero_(),
    lambda x, y: x.copy_(y) if x.shape == y.shape else x.neg_(),
    lambda x, y: x.__setitem__(0, 7.0),
]

RESULTS: list[Callable[[Any, Any], Any]] = [
    lambda x, y: x * y if x.shape == y.shape else x * 3.0,
    lambda x, y: x * 1.5,
    lambda x, y: x.sin(),
    lambda x, y: x * 1.0 if x.is_inference() else x.detach(),  # PyTorch lets that of an inference tensor be written to
]


class Program:
    """Statements over a growing number of tensors, the same for both libraries."""

    def __init__(self, seed: int) -> None:
        choice = random.Random(seed)
        self.statements: list[tuple[Any, Callable[[Machine], Any]]] = []
        count = choice.choice([1, 2, 3])
        for place in range(count):
            wanted = choice.random() < 0.5
            self._add(choice, lambda m, w=wanted, p=place: m.add(m.leaf(1.0 + p, w)))
        for _ in range(choice.choice([4, 8, 12])):
            a, b = choice.randrange(8), choice.randrange(8)
            view, write, result = choice.choice(VIEWS), choice.choice(WRITES), choice.choice(RESULTS)
            flag, factor = choice.random() < 0.5, choice.choice([None, 2.0])
            kinds: list[Callable[[Machine], Any]] = [
                lambda m, a=a, view=view: m.add(view(m.get(a))),
                lambda m, a=a, b=b, result=result: m.add(result(m.get(a), m.get(b))),
                lambda m, a=a, b=b, write=write: write(m.get(a), m.get(b)),
                lambda m, a=a, flag=flag: m.get(a).requires_grad_(flag and m.get(a).is_inference()),
                lambda m, a=a: m.get(a).retain_grad(),
                lambda m, a=a, factor=factor: m.hook(a, factor),
                lambda m, a=a, flag=flag: m.get(a).sum().backward(retain_graph=True, create_graph=flag),
                lambda m, a=a, b=b: m.get(a).sum().backward(inputs=[m.get(b)], retain_graph=True),
                lambda m, a=a: setattr(m.get(a), "grad", None),
            ]
            self._add(choice, choice.choices(kinds, [4, 3, 4, 1, 1, 1, 2, 1, 1])[0])

    def _add(self, choice: random.Random, statement: Callable[[Machine], Any]) -> None:
        self.statements.append((choice.choice(MODES), statement))


class Machine:
    """The tensors of one library while a program runs."""

    def __init__(self, lib: Any) -> None:
        self.lib = lib
        self.tensors: list[Any] = []
        self.calls: list[int] = []

    def leaf(self, value: float, requires_grad: bool) -> Any:
        return self.lib.tensor([[value, 2.0], [3.0, value]], dtype=self.lib.float64, requires_grad=requires_grad)

    def add(self, tensor: Any) -> None:
        self.tensors.append(tensor)

    def get(self, number: int) -> Any:
        return self.tensors[number % len(self.tensors)]

    def hook(self, number: int, factor: float | None) -> None:
        def hook(grad: Any) -> Any:
            self.calls.append(number)
            return None if factor is None else grad * factor

        self.get(number).register_hook(hook)

    def step(self, modes: Any, statement: Callable[[Machine], Any]) -> str | None:
        """Run a statement; returns the kind of error, if any."""

        def scenario(lib: Any) -> None:
            with contextlib.ExitStack() as stack:
                for mode in modes:
                    stack.enter_context(mode(lib))
                statement(self)

        return Outcome(scenario, self.lib).kind

    def state(self) -> list[dict[str, Any]]:
        return [{name: _ask(fact, tensor) for name, fact in FACTS.items()} for tensor in self.tensors]


def _ask(fact: Callable[[Any], Any], tensor: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return fact(tensor)
        except RuntimeError:
            return "RuntimeError"


FACTS: dict[str, Callable[[Any], Any]] = {
    "values": lambda t: t.detach().numpy().tolist(),
    "requires_grad": lambda t: t.requires_grad,
    "is_inference": lambda t: t.is_inference(),
    "_version": lambda t: None if t.is_inference() else t._version,
    "_is_view": lambda t: t._is_view(),
    "_base": lambda t: t._base is not None,
    "retains_grad": lambda t: t.retains_grad,
    "grad_fn": lambda t: None if t.grad_fn is None else name_of(t.grad_fn).replace("AsStrided", "View"),
    "grad": lambda t: None if t.grad is None else (t.grad.tolist(), t.grad.is_inference()),
}


def differs_on_purpose(tensor: Any) -> bool:
    """Whether one of PyTorch's tensors is in a state that is another one here, as `docs/differences.md` says."""
    if tensor.is_inference():
        return tensor.requires_grad
    try:
        borrowed = tensor._is_view() and tensor.grad_fn is None and tensor._base.requires_grad
    except RuntimeError:
        return True  # a view whose base was written to, which may say so at other questions here
    return borrowed or (tensor.grad_fn is not None and (None, 0) in tensor.grad_fn.next_functions)


def compare(seed: int) -> int:
    """Run a program in both libraries; returns how many statements were compared."""
    program, theirs, ours = Program(seed), Machine(torch), Machine(ad)
    for number, (modes, statement) in enumerate(program.statements):
        wanted, found = theirs.step(modes, statement), ours.step(modes, statement)
        if any(differs_on_purpose(tensor) for tensor in theirs.tensors):
            return number
        wanted_state, found_state = theirs.state(), ours.state()
        if wanted is not None and [s["values"] for s in wanted_state] != [s["values"] for s in found_state]:
            return number
        assert found == wanted, f"statement {number} of program {seed}"
        assert ours.calls == theirs.calls
        for tensor, (one, other) in enumerate(zip(found_state, wanted_state, strict=True)):
            for fact, value in other.items():
                where = f"{fact} of tensor {tensor} after statement {number} of program {seed}"
                if fact in ("values", "grad") and value is not None and value != "RuntimeError":
                    _assert_close(one[fact], value, where)
                else:
                    assert one[fact] == value, where
    return len(program.statements)


def _assert_close(found: Any, wanted: Any, where: str) -> None:
    if isinstance(wanted, tuple):
        assert found is not None and found[1:] == wanted[1:], where
        found, wanted = found[0], wanted[0]
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12, err_msg=where)


@pytest.mark.parametrize("group", range(20))
def test_random_programs(group: int) -> None:
    assert sum(compare(seed) for seed in range(100 * group, 100 * group + 40)) > 100
