"""`VmapPlan`: how a call of a custom Function runs under a map; see Note [Functions and batches] in `vmap.py`."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from adjoint._core.forward.dual_levels import open_levels
from adjoint._core.function.rules import map_tensors, tensors_in
from adjoint._core.levels import raise_into_map, unwrap_constant
from adjoint._core.tensor import Tensor, ensure_tensor, wrap
from adjoint.arrays.batched import BatchedArray, mapping, running
from adjoint.arrays.batched.loop import run_per_sample


class VmapInfo(NamedTuple):
    """The `info` argument of a Function's `vmap`: number of samples, and behaviour of random functions."""

    batch_size: int
    randomness: str


class VmapPlan:
    """How a call of a Function runs under a map.

    Attributes:
        function: the Function.
        flags: for each argument whether it is batched.
        level: the level of the map; size: the number of samples; randomness: see `vmap`.
        per_sample: whether the Function is run for one sample at a time.
        names: names of the last arguments, passed by keyword.
    """

    def __init__(self, function: Any, values: Sequence[Any], names: tuple[str, ...], level: int) -> None:
        self.function = function
        self.level = level
        self.names = names
        self.flags: list[Any] = [self.flag_of(value) for value in values]
        known = next((one for one in running() if one.level == level), None)
        sizes = [one._array.value.shape[0] for one in tensors_in(values) if self.flag_of(one)]
        self.size = sizes[0] if sizes else known.size if known is not None else 1
        self.randomness = "error" if known is None else known.randomness
        self.per_sample = False

    def flag_of(self, value: Any) -> Any:
        """Test whether a tensor is batched; for a container the same for each tensor inside."""
        if isinstance(value, (list, tuple)):
            return [self.flag_of(item) for item in value]  # pyright: ignore
        if isinstance(value, dict):
            return {key: self.flag_of(item) for key, item in value.items()}  # pyright: ignore
        return self.is_batch(value) and value._array.batched

    def dim_of(self, value: Any) -> Any:
        """Return the dimension of a tensor's batch outside the map, None without one; for a container those inside."""
        if isinstance(value, (list, tuple)):
            dims = [self.dim_of(item) for item in value]  # pyright: ignore
            return dims if isinstance(value, list) else tuple(dims)
        if isinstance(value, dict):
            return {key: self.dim_of(item) for key, item in value.items()}  # pyright: ignore
        return getattr(value._array, "given_dim", 0) if self.flag_of(value) else None

    def is_batch(self, value: Any) -> bool:
        return isinstance(value, Tensor) and value._spec.level == self.level and type(value._array) is BatchedArray

    def outside(self, value: Any) -> Any:
        """Unwrap tensors of the map; batched ones hold all samples along axis 0."""
        return map_tensors(self._outside, value)

    def _outside(self, tensor: Tensor) -> Tensor:
        if tensor._spec.level < self.level:
            return tensor
        return ensure_tensor(tensor._array.value if type(tensor._array) is BatchedArray else tensor._array)

    def inside(self, value: Any, batched: Any) -> Any:
        """Wrap tensors from outside as tensors of the map."""
        return map_tensors(self._inside, value, batched)

    def _inside(self, tensor: Tensor, batched: bool) -> Tensor:
        if not batched:
            return raise_into_map(tensor, self.level)
        return wrap(BatchedArray(unwrap_constant(tensor), self.level))

    def raise_constant(self, tensor: Tensor) -> Tensor:
        """Make a constant of the map from a tensor of another level; tensors of the map are returned unchanged."""
        return tensor if self.is_batch(tensor) else raise_into_map(tensor, self.level)

    def move_above(self, values: Sequence[Any]) -> VmapPlan:
        """Copy the plan for a level above those of the values, which may be of a map opened after this one closed."""
        levels = [value._spec.level for value in values if isinstance(value, Tensor)]
        result = copy.copy(self)
        result.level = max([self.level, *[level + 1 for level in levels]])
        return result

    def run_all(self, run: Callable[[Any], Any], reason: str = "") -> list[Any]:
        """Call `run` with the number of each sample, for the given reason; or once, with None, for all samples."""
        if not self.per_sample:
            return [run(None)]
        return run_per_sample(self.function.__name__, self.size, run, reason=reason)

    def show(self, value: Any, batched: Any, number: int | None) -> Any:
        """Convert tensors from outside for a run: batched, or the given sample."""
        if number is None:
            return self.inside(value, batched)

        def choose(tensor: Any, flag: bool) -> Any:
            return tensor[number] if flag else tensor

        return map_tensors(choose, value, batched)

    def run(self, work: Any, values: Sequence[Any], *args: Any) -> Any:
        """Call `work` inside the map, which is opened again if it is closed; `values` have its batches."""
        if self.per_sample:
            return work(*args)
        tensors = [value for value in values if isinstance(value, Tensor)]
        with mapping(self.level, self.size, self.randomness, tensors, open_levels):
            return work(*args)
