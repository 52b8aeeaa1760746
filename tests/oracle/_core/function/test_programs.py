"""Random custom Functions in random programs: outputs of every kind, marks, saved tensors, writes before and after.

Each seed is one program. It is run in both libraries, and what it tells (flags, names of nodes, values, the gradients
that backward was given, first and second derivatives, the kind of error) has to be the same.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.support.compare import Outcome, ad, assert_alike, name_of, plain, torch

pytestmark = pytest.mark.oracle

ARGUMENTS = ("leaf", "computed", "constant", "view", "number")
OUTPUTS = ("fresh", "fresh", "fresh", "argument", "view", "dirty", "fixed", "index", "text", "view of fresh")
FACTORS = {"fresh": 2.0, "argument": 11.0, "view": 5.0, "dirty": 3.0, "view of fresh": 2.0}
"""What backward multiplies by; for arguments and views something else than the derivative, so that mistakes show."""


class Program:
    """A custom Function and what is done around it, drawn from a seed."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.arguments = [self.draw.choice(ARGUMENTS) for _ in range(self.draw.randint(1, 3))]
        if set(self.arguments) == {"number"}:
            self.arguments[0] = "computed"
        self.tensors = [place for place, kind in enumerate(self.arguments) if kind != "number"]
        self.outputs: list[tuple[str, int]] = []
        for _ in range(self.draw.randint(1, 3)):
            self.outputs.append(self._possible(self.draw.choice(OUTPUTS), self.draw.choice(self.tensors)))
        self.dirty = [place for kind, place in self.outputs if kind == "dirty"]
        self.saved = [self.draw.choice(self.tensors) for _ in range(self.draw.randint(0, 2))]
        self.saves_outputs = self.draw.random() < 0.4
        self.zeros = self.draw.random() < 0.7
        as_is = any(kind == "argument" and place in self.saved for kind, place in self.outputs)
        self.separate = self.draw.random() < 0.3 and not as_is  # PyTorch refuses this combination

    def _possible(self, kind: str, place: int) -> tuple[str, int]:
        """Not the same argument changed in place and shown: which of the two is returned would depend on the order."""
        others = {other for other, at in self.outputs if at == place}
        clash = others & {"dirty", "argument", "view"} if kind == "dirty" else others & {"dirty"}
        return ("fresh" if kind in ("dirty", "argument", "view") and clash else kind, place)

    # ---- the Function -----------------------------------------------------------------------------------------------

    def compute(self, args: Any) -> Any:
        makes = {
            "fresh": lambda x: x * 2.0 + 1,
            "argument": lambda x: x,
            "view": lambda x: x[1:3],
            "dirty": lambda x: x.mul_(3.0),
            "fixed": lambda x: x * 7,
            "index": lambda x: x.argmax(),
            "text": lambda x: "text",
            "view of fresh": lambda x: (x * 2)[:2],
        }
        outputs = [makes[kind](args[place]) for kind, place in self.outputs]
        return tuple(outputs) if len(outputs) > 1 else outputs[0]

    def fill(self, ctx: Any, args: Any, returned: Any) -> None:
        outputs = returned if isinstance(returned, tuple) else (returned,)
        kinds = [kind for kind, _ in self.outputs]
        ctx.mark_dirty(*[args[place] for place in self.dirty])
        ctx.mark_non_differentiable(*[one for one, kind in zip(outputs, kinds) if kind in ("fixed", "index")])
        keep = [args[place] for place in self.saved if place not in self.dirty]
        if self.saves_outputs:
            keep += [one for one, kind in zip(outputs, kinds) if kind == "fresh"]
        ctx.save_for_backward(*keep)
        ctx.set_materialize_grads(self.zeros)

    def backward(self, lib: Any, ctx: Any, *grads: Any) -> Any:
        self.log.append([[grad is None for grad in grads], list(ctx.needs_input_grad)])
        found: list[Any] = [None] * len(self.arguments)
        for grad, (kind, place) in zip(grads, self.outputs):
            if grad is None or kind not in FACTORS:
                continue
            part = grad * FACTORS[kind]
            if kind == "view":
                part = lib.cat([part * 0, part])
            elif kind == "view of fresh":
                part = lib.cat([part, part * 0])
            for saved in ctx.saved_tensors:
                part = part * (1 + saved * 0.1)
            found[place] = part if found[place] is None else found[place] + part
        return tuple(found)

    def function(self, lib: Any) -> Any:
        def combined(ctx: Any, *args: Any) -> Any:
            returned = self.compute(args)
            self.fill(ctx, args, returned)
            return returned

        methods: dict[str, Any] = {"backward": lambda ctx, *grads: self.backward(lib, ctx, *grads)}
        if self.separate:
            methods |= {"forward": lambda *args: self.compute(args), "setup_context": self.fill}
        else:
            methods["forward"] = combined
        return type("Drawn", (lib.autograd.Function,), {key: staticmethod(value) for key, value in methods.items()})

    # ---- around it --------------------------------------------------------------------------------------------------

    def run(self, lib: Any) -> Any:
        self.log: list[Any] = []
        draw = random.Random(self.draw.random())
        leaves, bases, args = self.make_arguments(lib)
        returned = self.function(lib).apply(*args)
        outputs = [one for one in (returned if isinstance(returned, tuple) else (returned,)) if one != "text"]
        told = [self.describe(one, args) for one in outputs]
        tensors = [args[place] for place in self.tensors]
        reals = [one for one in outputs if one.dtype == lib.float64]
        targets = {"output": reals, "argument": tensors, "base": bases, "nothing": []}
        where = draw.choice(list(targets))
        if targets[where]:
            draw.choice(targets[where]).mul_(2.0)
        used = [one for one in (*reals, *bases, *tensors) if one.requires_grad and draw.random() < 0.7]
        if not used:
            return [told]
        total = sum((one * one).sum() for one in used)
        if draw.random() < 0.6:
            total.backward()
            return [told, self.log, [leaf.grad for leaf in leaves]]
        first = [g for g in lib.autograd.grad(total, leaves, create_graph=True, allow_unused=True) if g is not None]
        squares = [(g * g).sum() for g in first if g.requires_grad]
        second = lib.autograd.grad(sum(squares), leaves, allow_unused=True) if squares else []
        return [told, self.log, [g.detach() for g in first], list(second)]

    def make_arguments(self, lib: Any) -> tuple[list[Any], list[Any], list[Any]]:
        leaves: list[Any] = []
        bases: list[Any] = []
        args: list[Any] = []
        for place, kind in enumerate(self.arguments):
            values = [place + 1 + 0.5 * step for step in range(4)]
            leaf = lib.tensor(values, dtype=lib.float64, requires_grad=kind in ("leaf", "computed", "view"))
            if kind == "number":
                args.append(2.5)
                continue
            if leaf.requires_grad:
                leaves.append(leaf)
            if kind == "view":
                bases.append(leaf * 1.25)
            args.append({"computed": leaf * 1.5, "view": bases[-1][:] if kind == "view" else None}.get(kind, leaf))
        return leaves, bases, args

    @staticmethod
    def describe(output: Any, args: Any) -> Any:
        node = None if output.grad_fn is None else name_of(output.grad_fn)
        flags = [output.requires_grad, output.is_leaf, output._is_view()]
        return [flags, [output is one for one in args], node, plain(output.detach())]


@pytest.mark.parametrize("start", range(0, 400, 40))
def test_drawn_programs(start: int) -> None:
    refused = compared = 0
    for seed in range(start, start + 40):
        wanted, found = Outcome(Program(seed).run, torch), Outcome(Program(seed).run, ad)
        message = f"program {seed} stopped with {found.error!r} instead of {wanted.error!r}"
        assert found.kind == wanted.kind, message
        if wanted.error is None:
            compared += assert_alike(found.result, wanted.result, f"program {seed}")
        refused += wanted.error is not None
    assert compared > 300
    assert refused < 30
