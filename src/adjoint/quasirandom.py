"""Quasi-random sequences: `SobolEngine`, points that fill the unit cube more evenly than random ones."""

from __future__ import annotations

import warnings
from typing import Any

from adjoint._core.tensor import Tensor
from adjoint._dtypes import get_default_dtype
from adjoint._ops.creation.tensors import tensor

__all__ = ["SobolEngine"]


def __dir__() -> list[str]:
    return __all__


class SobolEngine:
    """Points of a Sobol sequence in the unit cube (SciPy's `qmc.Sobol`).

    Args:
        dimension: of the cube, at most 21201.
        scramble: whether to scramble the sequence at random. Then the points are not those of PyTorch.
        seed: for scrambling.

    Example:
        >>> engine = ad.quasirandom.SobolEngine(2)
        >>> engine.draw(3)
        tensor([[0.0000, 0.0000],
                [0.5000, 0.5000],
                [0.7500, 0.2500]])
    """

    MAXBIT = 30
    MAXDIM = 21201

    def __init__(self, dimension: int, scramble: bool = False, seed: int | None = None) -> None:
        from scipy.stats import qmc  # takes a second

        if not 1 <= dimension <= self.MAXDIM:
            raise ValueError(f"dimension has to be between 1 and {self.MAXDIM}, not {dimension}")
        self.dimension, self.scramble, self.seed = dimension, scramble, seed
        self.num_generated = 0
        self._sequence: Any = qmc.Sobol(dimension, scramble=scramble, seed=seed, bits=self.MAXBIT)  # pyright: ignore[reportCallIssue]

    def draw(self, n: int = 1, out: Tensor | None = None, dtype: Any = None) -> Tensor:
        """Return the next points.

        Args:
            n: how many.
            out: the tensor to write them to, of shape ``(n, dimension)``.
            dtype: of the result; the default dtype if left out.

        Example:
            >>> ad.quasirandom.SobolEngine(1).draw(2)
            tensor([[0.0000],
                    [0.5000]])
        """
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The balance properties", UserWarning)  # PyTorch does not mind
            points = tensor(self._sequence.random(n), dtype=dtype or get_default_dtype())
        self.num_generated += n
        return points if out is None else out.resize_(n, self.dimension).copy_(points)

    def draw_base2(self, m: int, out: Tensor | None = None, dtype: Any = None) -> Tensor:
        """Return the next ``2**m`` points; together with those before it has to be a power of two.

        Args:
            m: the logarithm of their number.
            out, dtype: as of `draw`.

        Example:
            >>> ad.quasirandom.SobolEngine(1).draw_base2(2).shape
            adjoint.Size([4, 1])
        """
        n = 2**m
        total = self.num_generated + n
        if total & (total - 1):
            raise ValueError(
                f"after {self.num_generated} points, {n} more make {total}, which is no power of two; the points are "
                "balanced only then: use draw(), or reset() first"
            )
        return self.draw(n, out, dtype)

    def reset(self) -> SobolEngine:
        """Start again from the first point.

        Example:
            >>> ad.quasirandom.SobolEngine(1).reset().num_generated
            0
        """
        self._sequence.reset()
        self.num_generated = 0
        return self

    def fast_forward(self, n: int) -> SobolEngine:
        """Skip points.

        Args:
            n: how many.

        Example:
            >>> ad.quasirandom.SobolEngine(1).fast_forward(3).draw()
            tensor([[0.2500]])
        """
        self._sequence.fast_forward(n)
        self.num_generated += n
        return self

    def __repr__(self) -> str:
        options = [f"dimension={self.dimension}"]
        options += ["scramble=True"] if self.scramble else []
        options += [f"seed={self.seed}"] if self.seed is not None else []
        return f"SobolEngine({', '.join(options)})"
