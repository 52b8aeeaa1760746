"""Memory that somebody else has too, and may write to: graphs copy what they save of it, and that costs little else."""

from __future__ import annotations

import copy
import random
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint._dispatch import fast
from adjoint._ops.index import basic

pytestmark = pytest.mark.stress

NUMBERS = [1.0, 2.0, 3.0]


def weight() -> Any:
    return ad.ones(3, dtype=ad.float64).requires_grad_()


class Described(ad.Tensor):
    """A subclass that adds nothing."""


# ---- whose memory is external ----------------------------------------------------------------------------------------

HANDED_IN: dict[str, Callable[[np.ndarray], Any]] = {
    "an array": lambda a: a,
    "from_numpy": ad.from_numpy,
    "from_dlpack": ad.from_dlpack,
    "a view": lambda a: ad.from_numpy(a).view(1, 3)[0],
    "one of several views": lambda a: ad.from_numpy(a).reshape(1, 3).unbind(0)[0],
    "a view of other type": lambda a: ad.from_numpy(a).view(ad.int64).view(ad.float64),
    "detach": lambda a: ad.from_numpy(a).detach(),
    "data": lambda a: ad.from_numpy(a).data,
    "copy": lambda a: copy.copy(ad.from_numpy(a)),
    "a subclass": lambda a: ad.from_numpy(a).as_subclass(Described),
    "_make_subclass": lambda a: Described._make_subclass(Described, ad.from_numpy(a)),
    "set_": lambda a: ad.zeros(3, dtype=ad.float64).set_(ad.from_numpy(a)),
    "resize_": lambda a: ad.from_numpy(a).resize_(3),
    "unsqueeze_": lambda a: ad.from_numpy(a).unsqueeze_(0).squeeze_(0),
}


def data_was_set(array: np.ndarray) -> Any:
    x = ad.zeros(3, dtype=ad.float64)
    x.data = ad.from_numpy(array)
    return x


HANDED_IN["data was set"] = data_was_set

USES: dict[str, tuple[Callable[[Any, Any], Any], list[float]]] = {
    "w * x": (lambda w, x: w * x, [1, 2, 3]),
    "x * w": (lambda w, x: x * w, [1, 2, 3]),
    "w @ x": (lambda w, x: w @ x, [1, 2, 3]),
    "stack": (lambda w, x: ad.stack([w, ad.as_tensor(x)]).prod(0), [1, 2, 3]),
    "addcmul": (lambda w, x: ad.addcmul(w, w, x), [2, 3, 4]),
    "mul_": (lambda w, x: (w * 1).mul_(x), [1, 2, 3]),
    "vmap": (lambda w, x: ad.vmap(lambda a, b: a * b)(w, ad.as_tensor(x)), [1, 2, 3]),
    "vmap of a closure": (lambda w, x: ad.vmap(lambda a: (a * x).sum())(w), [6, 6, 6]),
}


@pytest.mark.parametrize("made", list(HANDED_IN))
@pytest.mark.parametrize("use", list(USES))
def test_memory_that_was_handed_in(made: str, use: str) -> None:
    """Case 6: however a tensor has come to show an array of the user's, the graph has the values it computed with."""
    array, w = np.array(NUMBERS), weight()
    output = USES[use][0](w, HANDED_IN[made](array))
    array[...] = 100.0
    (gradient,) = ad.autograd.grad(output.sum(), w)
    assert gradient.tolist() == USES[use][1]


GIVEN_AWAY: dict[str, Callable[[Any], np.ndarray]] = {
    "numpy": lambda x: x.numpy(),
    "asarray": np.asarray,
    "DLPack": np.from_dlpack,
    "of a view": lambda x: x[:].numpy(),
    "of detach": lambda x: x.detach().numpy(),
    "of data": lambda x: x.data.numpy(),
    "of the data of data": lambda x: x.data.data.numpy(),
    "of the data of a view": lambda x: x.view(-1).view(x.shape).data.numpy(),
    "of a view of data": lambda x: x.data[:].numpy(),
    "of a copy": lambda x: copy.copy(x).numpy(),
}

OTHERS: dict[str, Callable[[Any], Any]] = {
    "itself": lambda x: x,
    "a view": lambda x: x.view(3),
    "data": lambda x: x.data,
    "a copy": copy.copy,
    "detach": lambda x: x.detach(),
}


@pytest.mark.parametrize("given", list(GIVEN_AWAY))
@pytest.mark.parametrize("other", list(OTHERS))
def test_memory_that_was_given_away_before(given: str, other: str) -> None:
    """Case 6: a graph that is made afterwards has a copy, whichever of the memory's tensors it saves."""
    x, w = ad.tensor(NUMBERS, dtype=ad.float64), weight()
    older = OTHERS[other](x)
    array = GIVEN_AWAY[given](x)
    outputs = [w * older, w * OTHERS[other](x)]
    array[...] = 100.0
    for output in outputs:
        assert ad.autograd.grad(output.sum(), w)[0].tolist() == NUMBERS


def test_saved_output_that_was_given_away_before_it_is_saved_again() -> None:
    """Case 6: a pass that is recorded saves what the first graph had saved; by then the memory is external."""
    x, v = ad.tensor(NUMBERS, dtype=ad.float64, requires_grad=True), weight()
    y = ad.exp(x)
    array = y.detach().numpy()
    (gradient,) = ad.autograd.grad(y, x, v, create_graph=True)
    expected = y.tolist()
    array[...] = 100.0
    assert ad.autograd.grad(gradient.sum(), v)[0].tolist() == expected


@pytest.mark.parametrize("wrapped", [np.asarray, ad.from_numpy])
def test_indices_and_masks(wrapped: Callable[[Any], Any]) -> None:
    """Case 6: what decides where gradients go is kept as well."""
    w = weight()
    index, mask = np.array([0, 1, 1]), np.array([True, False, True])
    outputs = [w[wrapped(index)], ad.gather(w, 0, wrapped(index)), ad.where(wrapped(mask), w, 2 * w), w[wrapped(mask)]]
    written = w * 1
    written[wrapped(index[:2])] = 3 * w[:2]
    index[...], mask[...] = 2, False
    found = [ad.autograd.grad(output.sum(), w)[0].tolist() for output in (*outputs, written)]
    assert found == [[1, 2, 0], [1, 2, 0], [1, 2, 1], [1, 0, 1], [3, 3, 1]]


@pytest.mark.parametrize("made", [np.asarray, ad.from_numpy])
def test_what_transforms_keep(made: Callable[[Any], Any]) -> None:
    """Case 6: a function that `vjp` or `linearize` returns knows the values it was made with."""
    array, ones = np.array(NUMBERS), ad.ones(3, dtype=ad.float64)
    x = made(array)
    _, of_argument = ad.func.vjp(lambda x: x * x, x)
    _, of_constant = ad.func.vjp(lambda y: y * x, ones)
    _, forward = ad.func.linearize(lambda x: x * x, x)
    array[...] = 100.0
    assert of_argument(ones)[0].tolist() == [2, 4, 6]
    assert of_constant(ones)[0].tolist() == NUMBERS
    assert forward(ones).tolist() == [2, 4, 6]


def test_constants_of_a_map_that_are_written_to() -> None:
    """Case 6: arrays in batches have no version counter, so a graph outside of the map has to have its own."""
    x, w = ad.tensor(NUMBERS, dtype=ad.float64), weight()
    mapped, closed_over = ad.vmap(lambda a, b: a * b)(w, x), ad.vmap(lambda a: (a * x).sum())(w)
    x.mul_(5)
    assert ad.autograd.grad(mapped.sum(), w)[0].tolist() == NUMBERS
    assert ad.autograd.grad(closed_over.sum(), w)[0].tolist() == [6, 6, 6]


def test_what_a_function_saves() -> None:
    """Case 6: arguments, intermediate values and the output of a custom Function, in a buffer that is used again."""
    buffer = np.zeros(3)

    class Exp(ad.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, direct: bool) -> Any:
            np.exp(x.numpy(), out=buffer)
            result = ad.from_numpy(buffer)
            ctx.save_for_backward(x, result)
            return result if direct else result.clone()

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            x, result = ctx.saved_tensors
            return gradient * result * x, None

    for direct in (True, False):
        array = np.array(NUMBERS)
        x = ad.from_numpy(array).requires_grad_()
        output = Exp.apply(x, direct)
        array[...] = 100.0
        Exp.apply(ad.zeros(3, dtype=ad.float64), direct)
        np.testing.assert_allclose(ad.autograd.grad(output.sum(), x)[0].tolist(), np.exp(NUMBERS) * NUMBERS)


# ---- what it costs ---------------------------------------------------------------------------------------------------


def test_external_operands_take_short_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small operators on external memory do not go the general way."""

    def refuse(*args: Any) -> Any:
        raise AssertionError(f"the general path was taken: {args[0]}")

    arrays = [np.ones((3, 3), np.float32), np.ones(3, np.float32), np.ones(3, np.float32), np.array([0, 2])]
    matrix, x, w, index = map(ad.from_numpy, arrays)
    own = ad.ones(3).requires_grad_()
    x.requires_grad_()
    programs: list[Callable[[], Any]] = [
        lambda: x * w,
        lambda: w * own + own * w,
        lambda: own * np.ones(3, np.float32),
        lambda: x * x - x / 2.0,
        lambda: matrix * x,
        lambda: ad.tanh(x) + ad.exp(w),
        lambda: matrix @ x + x @ w,
        lambda: x.sum() + matrix.mean(),
        lambda: matrix.t()[0].reshape(3, 1) * x[1:],
        lambda: ad.stack([x, w]) + ad.cat([x, w]).view(2, 3),
        lambda: ad.where(w > 0.5, x, w),
        lambda: x[index],
        lambda: w.zero_(),
        lambda: w.__setitem__(0, 1.0),
    ]
    for program in programs:
        program()
    for module, name in (
        (fast, "dispatch"),
        (basic, "find_interceptors"),
        (basic, "_setitem_in_general"),
    ):
        monkeypatch.setattr(module, name, refuse)
    for program in programs[:-2]:
        result = program()
        assert not result._spec.external
        result.sum().backward()
    for program in programs[-2:]:
        program()


def test_nothing_is_copied_unless_it_is_saved() -> None:
    """An operand that no rule needs, or that is used without recording, is taken as it is."""
    arrays = [np.ones(3), np.ones(3)]
    x, y = map(ad.from_numpy, arrays)
    y.requires_grad_()
    w = weight()
    (x + w) * 1.0
    (x * 2.0, ad.exp(x), x @ x)
    with ad.no_grad():
        (x * w, x * y, ad.exp(y))
    assert x._meta is None and x._versions is None
    node = (y * x).grad_fn
    assert node.saved[0] is None or node.saved[1] is None  # the gradient of x is not asked for, so y is not needed
    assert x._meta is not None


def saved_constants(x: Any, times: int = 1) -> list[Any]:
    w = weight()
    return [entry for _ in range(times) for entry in (w * x).grad_fn.saved if entry is not None]


def test_small_constants_are_copied_again_when_they_have_changed() -> None:
    """A copy serves several nodes as long as the values are the same, and nobody can have touched it."""
    array = np.array(NUMBERS)
    x = ad.from_numpy(array)
    first, second = saved_constants(x, 2)
    assert first is second and first._array is not array
    array[0] = 5.0
    (third,) = saved_constants(x)
    assert third is not first and third.tolist() == [5.0, 2.0, 3.0] and first.tolist() == NUMBERS
    touches: list[Callable[[Any], Any]] = [
        lambda kept: kept.zero_(),
        lambda kept: kept.data.zero_(),
        lambda kept: kept.numpy().fill(0.0),
        lambda kept: kept.data.numpy().fill(0.0),
    ]
    for touch in touches:
        (kept,) = saved_constants(x)
        touch(kept)
        (after,) = saved_constants(x)
        assert after is not kept and after.tolist() == [5.0, 2.0, 3.0]
    x.unsqueeze_(0)
    assert saved_constants(x)[0].shape == (1, 3)
    x.data = ad.from_numpy(array.view(np.int64)).to(ad.float64)
    assert saved_constants(x)[0].tolist() == array.view(np.int64).tolist()


def test_writes_through_us_are_noticed_beside_a_copy() -> None:
    """The copy has the counter of what it was made of, for each of the nodes that share it."""
    x, w = ad.from_numpy(np.array(NUMBERS)), weight()
    before = [w * x, w * x]
    x.add_(1.0)
    after = w * x
    for output in before:
        with pytest.raises(RuntimeError, match=r"version 1.*version 0"):
            ad.autograd.grad(output.sum(), w)
    assert ad.autograd.grad(after.sum(), w)[0].tolist() == [2.0, 3.0, 4.0]


def test_threads_that_use_and_change_one_array() -> None:
    """Each thread writes to its own row between forward and backward; all show rows of one array."""
    array, failures = np.ones((8, 3)), []
    whole = ad.from_numpy(array)

    def work(row: int) -> None:
        w, x = weight(), whole[row]
        for step in range(200):
            array[row] = step
            output = (w * x).sum() + (x * w * x).sum()
            array[row] = -1.0
            (gradient,) = ad.autograd.grad(output, w)
            if gradient.tolist() != [step + step * step] * 3:
                failures.append((row, step))

    threads = [threading.Thread(target=work, args=(row,)) for row in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


# ---- random programs -------------------------------------------------------------------------------------------------


class Square(ad.autograd.Function):
    """A custom Function that saves its argument."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        return 2 * ctx.saved_tensors[0] * gradient


class Program:
    """A random program on tensors whose memory is known outside. The same seed gives the same program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.size = self.random.choice([3, 10, 300])
        self.aliases: list[np.ndarray] = []
        self.indices: list[np.ndarray] = []
        self.registers = [self.make(np.linspace(0.5, 1.5, self.size) + 0.1 * k) for k in range(4)]
        self.matrix = self.make(np.linspace(0.1, 1, self.size**2).reshape(self.size, -1) / self.size)
        self.leaves = [x for x in self.registers if self.random.random() < 0.5] or self.registers[:1]
        for leaf in self.leaves:
            leaf.requires_grad_()

    def make(self, array: np.ndarray) -> Any:
        kind = self.random.choice(["own", *list(GIVEN_AWAY), "from_numpy", "from_numpy", "from_numpy"])
        if kind == "from_numpy":
            self.aliases.append(array)
            return ad.from_numpy(array)
        x = ad.tensor(array)
        if kind in GIVEN_AWAY:
            self.aliases.append(GIVEN_AWAY[kind](x))
        return x

    def step(self) -> None:
        make = self.random.choice(list(STEPS.values()))
        x, y = self.random.choice(self.registers), self.random.choice(self.registers)
        result = make(self, x, y)
        if result is not None:
            self.registers.append(result)

    def by_index(self, x: Any, _: Any) -> Any:
        index = np.arange(self.size)[::-1].copy()
        self.indices.append(index)
        return x[index] if self.random.random() < 0.5 else x[ad.from_numpy(index)]

    def give_away(self, x: Any, _: Any) -> None:
        self.aliases.append(x.detach().numpy())

    def change_between(self, x: Any, _: Any) -> None:
        """Later operations see this; what was computed before does not change."""
        if self.aliases:
            self.random.choice(self.aliases)[...] *= 1.03

    def change_here(self, x: Any, _: Any) -> None:
        with ad.no_grad():
            x.mul_(1.01)

    def set_one(self, x: Any, y: Any) -> Any:
        result = x * 1.0
        result[self.random.randrange(self.size)] = y[0]
        return result

    def packed(self, x: Any, y: Any) -> Any:
        with ad.autograd.graph.saved_tensors_hooks(lambda kept: kept.clone(), lambda kept: kept):
            return x * y

    def unrecorded(self, x: Any, y: Any) -> Any:
        with ad.no_grad():
            return x * y

    def differentiated(self, x: Any, _: Any) -> Any:
        return ad.autograd.grad((x * x * x).sum(), x, create_graph=True)[0] * 0.3 if x.requires_grad else None

    def scribble(self) -> None:
        for array in self.aliases:
            array[...] = 77.0
        for index in self.indices:
            index[...] = 0

    def run(self, disturbed: bool) -> list[Any] | None:
        """Gradients, twice; None if a pass has noticed a write."""
        for _ in range(self.random.randrange(3, 20)):
            self.step()
        output = sum(x.sum() for x in self.registers[-4:])
        found: list[Any] = []
        options = {"allow_unused": True, "create_graph": self.random.random() < 0.5, "retain_graph": True}
        try:
            for _ in range(2):
                if disturbed:
                    self.scribble()
                if not getattr(output, "requires_grad", False):  # a number, if nothing depends on a leaf
                    break
                gradients = [g for g in ad.autograd.grad(output, self.leaves, **options) if g is not None]
                found += [g.tolist() for g in gradients]
                output = sum((g * g.detach()).sum() for g in gradients) if options["create_graph"] else output
        except RuntimeError as error:
            assert "modified" in str(error), error
            return None
        return found


STEPS: dict[str, Callable[[Program, Any, Any], Any]] = {
    "mul": lambda _, x, y: x * y,
    "mul again": lambda _, x, y: y * x,
    "add": lambda _, x, y: x + y,
    "div": lambda _, x, y: x / (y * y + 1.0),
    "number": lambda _, x, y: 2.0 / (x * 1.5 + 3.0) ** 2,
    "tanh": lambda _, x, y: ad.tanh(x),
    "matmul": lambda p, x, y: (p.matrix @ x) * (x @ p.matrix.t()),
    "views": lambda _, x, y: ad.cat([x[1:], y[:1]]).reshape(1, -1).squeeze(0),
    "one element": lambda _, x, y: x * y[0],
    "reduced": lambda _, x, y: x * y.mean() + x.max(),
    "stack": lambda _, x, y: ad.stack([x, y]).prod(0),
    "where": lambda _, x, y: ad.where(x > 0.9, x, y * y),
    "index": Program.by_index,
    "detach": lambda _, x, y: x.detach(),
    "data": lambda _, x, y: x.data,
    "copy": lambda _, x, y: copy.copy(x),
    "numpy": Program.give_away,
    "between": Program.change_between,
    "no_grad write": Program.change_here,
    "in place": lambda _, x, y: (x * 1.0).mul_(y).add_(0.5),
    "set": Program.set_one,
    "hooks": Program.packed,
    "no_grad": Program.unrecorded,
    "grad": Program.differentiated,
    "Function": lambda _, x, y: Square.apply(x),
    "vmap": lambda _, x, y: ad.vmap(lambda a, b: a * b + a * a)(x, y),
}


def run_disturbed(seeds: range) -> tuple[int, int]:
    right = noticed = 0
    for seed in seeds:
        expected = Program(seed).run(disturbed=False)
        found = Program(seed).run(disturbed=True)
        if found is None:
            noticed += 1
        else:
            assert expected is not None, seed
            assert len(found) == len(expected), seed
            for one, other in zip(found, expected, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-9, err_msg=f"program {seed}")
            right += 1
    return right, noticed


@pytest.mark.filterwarnings("ignore:a shallow copy of a tensor keeps its values only:UserWarning")
def test_random_programs() -> None:
    """Case 6: aliases that are written to before a pass and between passes: the gradients are right, or it raises."""
    right, noticed = run_disturbed(range(400))
    assert right > 300 and noticed > 0


@pytest.mark.filterwarnings("ignore:a shallow copy of a tensor keeps its values only:UserWarning")
@pytest.mark.slow
def test_many_random_programs() -> None:
    run_disturbed(range(1_000, 9_000))
