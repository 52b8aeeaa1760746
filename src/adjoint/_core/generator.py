"""Random number generators: `Generator`, the default generator, seeds and states."""

from __future__ import annotations

import contextlib
import math
from collections import abc
from typing import Any

import numpy as np

from adjoint import _dtypes
from adjoint._core.locks import Lock
from adjoint._core.tensor import Tensor, wrap
from adjoint.arrays import CPU, Device
from adjoint.arrays.batched import BatchedArray, running

_WORD = (1 << 64) - 1


class Generator:
    """Pseudorandom number generator with its own state. Several threads may draw from one.

    Args:
        device: where numbers are drawn: the CPU, from which they are copied to other devices.

    Example:
        >>> a = ad.Generator().manual_seed(7)
        >>> b = ad.Generator().manual_seed(7)
        >>> bool((ad.rand(3, generator=a) == ad.rand(3, generator=b)).all())
        True
    """

    def __init__(self, device: Any = "cpu") -> None:
        if Device(device) != CPU:
            raise RuntimeError(f"random numbers are drawn on the CPU, so there is no generator on device '{device}'")
        self._lock = Lock()
        self._seed: int | None = None  # chosen at the first use
        self._numpy: Any = None

    @property
    def device(self) -> Device:
        """Device of the generator: always the CPU."""
        return CPU

    @property
    def numpy(self) -> Any:
        """The `numpy.random.Generator` inside."""
        if self._numpy is None:
            self.seed()
        return self._numpy

    def manual_seed(self, seed: int) -> Generator:
        """Set the seed; returns the generator itself."""
        if not hasattr(seed, "__index__"):
            raise RuntimeError(f"a seed is an integer, not {seed!r:.80}")
        with self._lock:
            self._seed = int(seed) & _WORD  # negative seeds are taken modulo 2**64
            self._numpy = np.random.Generator(np.random.PCG64(self._seed))
        return self

    def seed(self) -> int:
        """Set an unpredictable seed, and return it."""
        import secrets

        with self._lock:
            self.manual_seed(secrets.randbits(63))
            return self.initial_seed()

    def initial_seed(self) -> int:
        """Return the seed that the generator started from."""
        with self._lock:
            if self._seed is None:
                self.seed()
            assert self._seed is not None
            return self._seed

    def get_state(self) -> Tensor:
        """Return the state as a tensor of bytes for `set_state`."""
        with self._lock:
            state = self.numpy.bit_generator.state
            numbers = (state["state"]["state"], state["state"]["inc"], state["has_uint32"], state["uinteger"])
            sizes = zip((*numbers, self.initial_seed()), _SIZES)
            return wrap(np.frombuffer(bytearray(b"".join(n.to_bytes(size, "little") for n, size in sizes)), np.uint8))

    def set_state(self, new_state: Any) -> None:
        """Restore a state returned by `get_state`."""
        if not isinstance(new_state, Tensor):
            raise TypeError(f"the state of a generator is a tensor of bytes, not {new_state!r:.80}")
        raw = new_state._spec.namespace.to_numpy(new_state._array).tobytes()
        if len(raw) != sum(_SIZES):
            raise RuntimeError(f"the state of a generator has {sum(_SIZES)} bytes, and this tensor has {len(raw)}")
        numbers: list[int] = []
        for size in _SIZES:
            numbers.append(int.from_bytes(raw[:size], "little"))
            raw = raw[size:]
        with self._lock:
            self.manual_seed(numbers[4])
            self._numpy.bit_generator.state = {
                "bit_generator": "PCG64",
                "state": {"state": numbers[0], "inc": numbers[1]},
                "has_uint32": numbers[2],
                "uinteger": numbers[3],
            }

    def clone_state(self) -> Generator:
        """Return another generator with the same state."""
        copy = Generator()
        copy.set_state(self.get_state())
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.get_state(),)


_SIZES = (16, 16, 4, 4, 8)
"""Sizes in bytes of the parts of a state: PCG64's two numbers, its buffered uint32 (flag and value), the seed."""


def _rebuild(state: Tensor) -> Generator:
    generator = Generator()
    generator.set_state(state)
    return generator


default_generator = Generator()
"""The generator of random functions that are called without `generator=`."""


def manual_seed(seed: int) -> Generator:
    """Seed the default random number generator, so that the same numbers follow; returns it.

    Args:
        seed: an integer.

    Example:
        >>> _ = ad.manual_seed(0)
        >>> first = ad.rand(2)
        >>> _ = ad.manual_seed(0)
        >>> bool((ad.rand(2) == first).all())
        True
    """
    return default_generator.manual_seed(seed)


def seed() -> int:
    """Seed the default random number generator with an unpredictable number, and return it.

    Example:
        >>> ad.seed() == ad.initial_seed()
        True
    """
    return default_generator.seed()


def initial_seed() -> int:
    """Seed that the default random number generator was started with.

    Example:
        >>> _ = ad.manual_seed(3)
        >>> ad.initial_seed()
        3
    """
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """State of the default random number generator.

    Example:
        >>> state = ad.get_rng_state()
        >>> first = ad.rand(2)
        >>> ad.set_rng_state(state)
        >>> ad.equal(ad.rand(2), first)
        True
    """
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Restore the default random number generator to a state of `get_rng_state`.

    Args:
        new_state: the state.

    Example:
        >>> ad.set_rng_state(ad.get_rng_state())
    """
    default_generator.set_state(new_state)


@contextlib.contextmanager
def fork_rng(devices: Any = None, enabled: bool = True) -> abc.Generator[None]:
    """Context that restores the default random number generator at its end.

    Args:
        devices: understood and ignored: there is one generator for all devices.
        enabled: False does nothing, so that code need not be indented twice.

    Example:
        >>> with ad.random.fork_rng():
        ...     _ = ad.manual_seed(0)
    """
    state = get_rng_state() if enabled else None
    try:
        yield
    finally:
        if state is not None:
            set_rng_state(state)


# ---- numbers as NumPy arrays -----------------------------------------------------------------------------------------


def numpy_source(generator: Any) -> Any:
    """Return the `numpy.random.Generator` of a generator, or of the default one for None."""
    if generator is not None and not isinstance(generator, Generator):
        raise TypeError(f"generator= takes a Generator, not {generator!r:.80}")
    return (default_generator if generator is None else generator).numpy


def draw(generator: Generator | None, shape: Any, how: abc.Callable[[Any, tuple[int, ...]], Any]) -> Any:
    """Draw ``how(source, shape)``, a NumPy array; inside `vmap` with randomness "different", a batch of them.

    Raises:
        RuntimeError: inside a `vmap` that does not allow random numbers.
    """
    if not running():
        return how(numpy_source(generator), tuple(shape))
    maps = {one.level: one for one in running()}
    if any(one.randomness == "error" for one in maps.values()):
        raise RuntimeError(
            "vmap: random numbers were asked for inside a mapped function. Say by vmap(..., randomness='different') "
            "that each sample is to have its own, by randomness='same' that all share them, or draw them outside."
        )
    wanted = [one for one in maps.values() if one.randomness == "different"]
    drawn = how(numpy_source(generator), (*[one.size for one in wanted], *shape))
    for one in wanted:
        drawn = BatchedArray(drawn, one.level)
    return drawn


def refuse_batched_parameters(name: str, *arrays: Any) -> None:
    """Raise if `vmap(..., randomness="same")` would draw from distributions that differ between samples."""
    for one in running():
        if one.randomness == "same" and any(type(x) is BatchedArray and x.batched for x in arrays):
            raise RuntimeError(
                f"{name}: vmap(..., randomness='same') cannot draw the same numbers for all samples when the "
                "distribution's parameters differ between them; use randomness='different'"
            )


def draw_uniform(source: Any, shape: Any, dtype: _dtypes.dtype) -> Any:
    """Draw from the uniform distribution on [0, 1); rounding to a narrow dtype never gives 1."""
    if dtype.is_complex:
        part = dtype.to_real()
        return (draw_uniform(source, shape, part) + 1j * draw_uniform(source, shape, part)).astype(dtype.numpy)
    if dtype in (_dtypes.float32, _dtypes.float64):
        return np.asarray(source.random(shape, dtype=dtype.numpy))
    require_floating(dtype, "rand")
    steps = 1 << DIGITS[dtype]
    return (np.asarray(source.integers(steps, size=shape)) / steps).astype(dtype.numpy)


def draw_normal(source: Any, shape: Any, dtype: _dtypes.dtype) -> Any:
    if dtype.is_complex:
        part = dtype.to_real()
        drawn = draw_normal(source, shape, part) + 1j * draw_normal(source, shape, part)
        return (drawn * math.sqrt(0.5)).astype(dtype.numpy)
    require_floating(dtype, "randn")
    exact = _dtypes.float64 if dtype is _dtypes.float64 else _dtypes.float32
    return np.asarray(source.standard_normal(shape, dtype=exact.numpy)).astype(dtype.numpy, copy=False)


def draw_integers(source: Any, low: int, high: int, shape: Any) -> Any:
    """Draw integers uniformly from [low, high)."""
    if low >= high:
        raise RuntimeError(f"there is no integer from {low} up to and without {high} to draw")
    return np.asarray(source.integers(low, high, size=shape))


def require_floating(dtype: _dtypes.dtype, name: str) -> None:
    if not dtype.is_floating_point:
        raise NotImplementedError(f"{name} draws floating point numbers, not {dtype!r}")


DIGITS = {_dtypes.float16: 11, _dtypes.bfloat16: 8, _dtypes.float32: 24, _dtypes.float64: 53}
"""Significand bits: a dtype represents every integer up to 2**bits."""
