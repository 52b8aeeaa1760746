"""Views and in-place writes without a single alias: the slow reference for `tests/support/view_programs.py`.

A memory is a flat list of real numbers, its cells; a complex number takes two that are neighbours. A tensor is a memory
and a table of cell numbers. Beside each cell stands the row of its derivatives with respect to everything that is
asked about: the leaves, and the values that a tensor had at some time. So a gradient is read off, and no graph is
needed; that a write reaches all views, and which gradient a hook is to be given, holds by construction.

Derivatives belong to a history, not to the memory: `detach` gives the same cells with another history, and a write
without recording changes the cells alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from tests.support.view_programs import Machine


class Memory:
    """The cells that several tensors show."""

    def __init__(self, cells: np.ndarray) -> None:
        self.cells = cells
        self.numbers = np.arange(cells.size)


class History:
    """The derivatives of all cells, as those tensors know them that have their history in common.

    Attributes:
        rows: for each cell its derivatives by column; missing columns are zero.
        columns: which columns belong to the base's values since the last recorded write.
    """

    def __init__(self, count: int) -> None:
        self.rows = np.zeros((count, 0))
        self.columns = np.zeros(0, int)

    def read(self, where: np.ndarray, width: int) -> np.ndarray:
        found = np.zeros((*where.shape, width))
        found[..., : self.rows.shape[1]] = self.rows[where]
        return found

    def write(self, where: np.ndarray, rows: np.ndarray) -> None:
        grown = np.zeros((len(self.rows), rows.shape[-1]))
        grown[:, : self.rows.shape[1]] = self.rows
        grown[where] = rows
        self.rows = grown


class World:
    """What all tensors of one run have in common: how many columns there are, and whether writes are recorded."""

    def __init__(self) -> None:
        self.width = 0
        self.recording = True
        self.hooks: list[tuple[Callable[[Any], Any], Callable[[np.ndarray], np.ndarray]]] = []
        self.bases: list[ModelTensor] = []

    @contextmanager
    def no_grad(self) -> Iterator[None]:
        self.recording = False
        yield
        self.recording = True

    def new_columns(self, base: ModelTensor) -> None:
        """Ask from now on for the derivatives with respect to the values that a base has now."""
        cells = base.cell_numbers().reshape(-1)
        base.history.columns = np.arange(self.width, self.width + cells.size)
        self.width += cells.size
        rows = base.history.read(cells, self.width)
        rows[np.arange(cells.size), base.history.columns] = 1.0
        base.history.write(cells, rows)


class Dual:
    """A value and its derivatives; complex ones for a complex value."""

    def __init__(self, value: Any, rows: Any) -> None:
        self.value, self.rows = np.asarray(value), np.asarray(rows)

    def __add__(self, other: Dual) -> Dual:
        return Dual(self.value + other.value, self._wide(other) + other._wide(self))

    def __mul__(self, other: Dual) -> Dual:
        return Dual(
            self.value * other.value,
            self._wide(other) * other.value[..., None] + other._wide(self) * self.value[..., None],
        )

    def scaled(self, factor: Any) -> Dual:
        return Dual(self.value * factor, self.rows * factor)

    def mapped(self, function: Any, slope: Any) -> Dual:
        return Dual(function(self.value), self.rows * slope(self.value)[..., None])

    def _wide(self, other: Dual) -> Any:
        shape = np.broadcast_shapes(self.value.shape, other.value.shape)
        rows = self.rows.reshape((1,) * (len(shape) - self.value.ndim) + self.rows.shape)
        return np.broadcast_to(rows, (*shape, self.rows.shape[-1]))


class ModelTensor:
    """A tensor of the model, with the methods that programs use."""

    def __init__(self, world: World, memory: Memory, history: History, positions: np.ndarray, is_complex: bool) -> None:
        self.world, self.memory, self.history = world, memory, history
        self.positions = positions  # of the cells; of the first of two for a complex number
        self.complex = is_complex
        self._base: ModelTensor | None = None
        self.retained: np.ndarray | None = None

    @classmethod
    def holding(cls, world: World, dual: Dual) -> ModelTensor:
        """A tensor with memory of its own."""
        value = dual.value
        is_complex = np.iscomplexobj(value)
        step = 1 + is_complex
        memory = Memory(np.zeros(value.size * step))
        positions = memory.numbers[::step].reshape(value.shape)
        self = cls(world, memory, History(value.size * step), positions, is_complex)
        self._store(dual, recorded=True)
        world.new_columns(self)
        world.bases.append(self)
        return self

    @property
    def shape(self) -> tuple[int, ...]:
        return self.positions.shape

    def is_complex(self) -> bool:
        return self.complex

    def cell_numbers(self) -> np.ndarray:
        return np.stack([self.positions, self.positions + 1], -1) if self.complex else self.positions

    def read(self) -> Dual:
        cells, width = self.memory.cells, self.world.width
        value, rows = cells[self.positions], self.history.read(self.positions, width)
        if self.complex:
            value = value + 1j * cells[self.positions + 1]
            rows = rows + 1j * self.history.read(self.positions + 1, width)
        return Dual(value, rows)

    def _store(self, dual: Dual, recorded: bool) -> None:
        value = np.broadcast_to(dual.value, self.shape)
        rows = Dual._wide(dual, Dual(np.zeros(self.shape), np.zeros((*self.shape, 1))))
        parts = [(self.positions, value.real, rows.real)]
        if self.complex:
            parts.append((self.positions + 1, value.imag, rows.imag))
        for where, numbers, derivatives in parts:
            self.memory.cells[where] = numbers
            if recorded:
                self.history.write(where, derivatives)

    def write(self, dual: Dual) -> ModelTensor:
        """An in-place write."""
        self._store(dual, self.world.recording)
        if self.world.recording:
            self.world.new_columns(self._base or self)
        return self

    # ---- views -------------------------------------------------------------------------------------------------------

    def _show(self, positions: np.ndarray, is_complex: bool | None = None) -> ModelTensor:
        shown = ModelTensor(
            self.world, self.memory, self.history, positions, self.complex if is_complex is None else is_complex
        )
        shown._base = self._base or self
        return shown

    def __getitem__(self, key: Any) -> ModelTensor:
        key = key if type(key) is tuple else (key,)
        return self._show(self.positions[key if ... in key else (*key, ...)])  # an array, and not a number, in any case

    def select(self, dim: int, index: int) -> ModelTensor:
        return self._show(self.positions[(*(slice(None),) * dim, index, ...)])

    def narrow(self, dim: int, start: int, length: int) -> ModelTensor:
        return self._show(self.positions[(*(slice(None),) * dim, slice(start, start + length))])

    def transpose(self, a: int, b: int) -> ModelTensor:
        return self._show(self.positions.swapaxes(a, b))

    def permute(self, *dims: int) -> ModelTensor:
        return self._show(self.positions.transpose(dims))

    def reshape(self, *shape: int) -> ModelTensor:
        positions = self.positions.reshape(shape)
        if positions.size > 1 and not np.shares_memory(positions, self.memory.numbers):  # one element needs no copy
            return ModelTensor.holding(self.world, Dual(*self._reshaped(shape)))
        return self._show(positions)

    def _reshaped(self, shape: tuple[int, ...]) -> tuple[Any, Any]:
        dual = self.read()
        return dual.value.reshape(shape), dual.rows.reshape(*shape, -1)

    view = reshape

    def flatten(self, first: int, last: int) -> ModelTensor:
        if first == last:
            return self
        shape = self.shape
        return self.reshape(*shape[:first], int(np.prod(shape[first : last + 1])), *shape[last + 1 :])

    def unflatten(self, dim: int, sizes: tuple[int, ...]) -> ModelTensor:
        return self.reshape(*self.shape[:dim], *sizes, *self.shape[dim + 1 :])

    def squeeze(self, dim: int | None = None) -> ModelTensor:
        if dim is not None and self.shape[dim] != 1:
            return self._show(self.positions[...])
        return self._show(self.positions.squeeze(dim))

    def unsqueeze(self, dim: int) -> ModelTensor:
        return self._show(np.expand_dims(self.positions, dim))

    def expand(self, *shape: int) -> ModelTensor:
        own = (1,) * (len(shape) - len(self.shape)) + self.shape
        return self._show(np.broadcast_to(self.positions, [m if n == -1 else n for n, m in zip(shape, own)]))

    def diagonal(self, offset: int, dim1: int, dim2: int) -> ModelTensor:
        return self._show(self.positions.diagonal(offset, dim1, dim2))

    def unfold(self, dim: int, size: int, step: int) -> ModelTensor:
        windows = np.lib.stride_tricks.sliding_window_view(self.positions, size, dim)
        return self._show(windows[(*(slice(None),) * dim, slice(None, None, step))])

    @property
    def real(self) -> ModelTensor:
        return self._show(self.positions[...], False)

    @property
    def imag(self) -> ModelTensor:
        return self._show(self._neighbours()[..., 1], False)

    def _neighbours(self) -> np.ndarray:
        """The cells of the real and imaginary parts, as what NumPy takes for a view of the memory's cell numbers."""
        positions, item = self.positions, self.memory.numbers.itemsize
        return np.lib.stride_tricks.as_strided(positions, (*positions.shape, 2), (*positions.strides, item))

    @staticmethod
    def view_as_real(x: ModelTensor) -> ModelTensor:
        return x._show(x._neighbours(), False)

    @staticmethod
    def view_as_complex(x: ModelTensor) -> ModelTensor:
        return x._show(x.positions[..., 0], True)

    def unbind(self, dim: int) -> list[ModelTensor]:
        return [self.select(dim, index) for index in range(self.shape[dim])]

    def split(self, size: int, dim: int) -> list[ModelTensor]:
        length = self.shape[dim]
        return [self.narrow(dim, start, min(size, length - start)) for start in range(0, length, size)]

    def chunk(self, count: int, dim: int) -> list[ModelTensor]:
        return self.split(-(-self.shape[dim] // count), dim)

    def tensor_split(self, count: int, dim: int) -> list[ModelTensor]:
        return [self._show(part) for part in np.array_split(self.positions, count, dim)]

    def detach(self) -> ModelTensor:
        return ModelTensor(self.world, self.memory, History(self.memory.cells.size), self.positions, self.complex)

    # ---- writes ------------------------------------------------------------------------------------------------------

    def mul_(self, other: Any) -> ModelTensor:
        return self.write(self.read() * other.read() if isinstance(other, ModelTensor) else self.read().scaled(other))

    def add_(self, other: ModelTensor) -> ModelTensor:
        return self.write(self.read() + other.read())

    def sub_(self, other: ModelTensor, alpha: float) -> ModelTensor:
        return self.write(self.read() + other.read().scaled(-alpha))

    def copy_(self, other: ModelTensor) -> ModelTensor:
        return self.write(other.read())

    def fill_(self, number: float) -> ModelTensor:
        return self.write(Dual(number, np.zeros(self.world.width)))

    def zero_(self) -> ModelTensor:
        return self.fill_(0.0)

    def sin_(self) -> ModelTensor:
        return self.write(self.read().mapped(np.sin, np.cos))

    def __setitem__(self, key: Any, value: Any) -> None:
        part = self[key]
        part._base = self._base or self
        part.copy_(value) if isinstance(value, ModelTensor) else part.fill_(value)

    def _turn(self, positions: np.ndarray) -> ModelTensor:
        self.positions = positions
        if self._base is None and self in self.world.bases:
            self.world.new_columns(self)
        return self

    def transpose_(self, a: int, b: int) -> ModelTensor:
        return self._turn(self.positions.swapaxes(a, b))

    def unsqueeze_(self, dim: int) -> ModelTensor:
        return self._turn(np.expand_dims(self.positions, dim))

    def squeeze_(self) -> ModelTensor:
        return self._turn(self.positions.squeeze())

    # ---- new values --------------------------------------------------------------------------------------------------

    def _new(self, dual: Dual) -> ModelTensor:
        return ModelTensor.holding(self.world, dual)

    def __mul__(self, other: Any) -> ModelTensor:
        return self._new(self.read() * other.read() if isinstance(other, ModelTensor) else self.read().scaled(other))

    def __add__(self, other: Any) -> ModelTensor:
        if isinstance(other, ModelTensor):
            return self._new(self.read() + other.read())
        return self._new(self.read() + Dual(other, np.zeros(self.world.width)))

    def __sub__(self, number: float) -> ModelTensor:
        return self + -number

    def exp(self) -> ModelTensor:
        return self._new(self.read().mapped(np.exp, np.exp))

    def clone(self) -> ModelTensor:
        return self._new(self.read())

    def contiguous(self) -> ModelTensor:
        return self

    def sum(self) -> ModelTensor:
        dual = self.read()
        axes = tuple(range(dual.value.ndim))
        return self._new(Dual(dual.value.sum(), dual.rows.sum(axes)))

    # ---- gradients ---------------------------------------------------------------------------------------------------

    def register_hook(self, hook: Callable[[Any], Any]) -> None:
        if self in self.world.bases:
            columns, shape = self.history.columns, self.shape
            self.world.hooks.append((hook, lambda derivatives: self._gradient(derivatives, columns).reshape(shape)))

    def retain_grad(self) -> None:
        if self in self.world.bases and self.retained is None:
            self.retained = np.zeros(self.shape, complex if self.complex else float)

    def backward(self, retain_graph: bool) -> None:
        derivatives = self.read().rows.real
        for hook, gradient in self.world.hooks:
            hook(Gradient(gradient(derivatives)))
        for base in self.world.bases:
            if base.retained is not None:
                base.retained = base.retained + base._gradient(derivatives, base.history.columns).reshape(base.shape)

    def _gradient(self, derivatives: np.ndarray, columns: np.ndarray) -> np.ndarray:
        found = derivatives[columns]
        return found[::2] + 1j * found[1::2] if self.complex else found


class Gradient(np.ndarray):
    """What the model gives to hooks."""

    def __new__(cls, array: np.ndarray) -> Any:
        return np.array(array).view(cls)

    def detach(self) -> Any:
        return self

    def clone(self) -> Any:
        return self


class ModelMachine(Machine):
    """The machine on the model; its leaves keep all that is asked about them."""

    def __init__(self) -> None:
        self.world = World()
        super().__init__(
            lambda array: ModelTensor.holding(self.world, Dual(array, np.zeros((*array.shape, 0)))), self.world.no_grad
        )
        for leaf in self.leaves:
            leaf.retain_grad()

    def gradients(self) -> list[Any]:
        """The leaves' gradients, and those that other tensors have retained; None where the model does not know."""
        return [tensor.retained if tensor in self.world.bases else None for tensor in self.registers]

    def values(self) -> list[np.ndarray]:
        return [tensor.read().value for tensor in self.registers]
