"""Orthogonal polynomials: Chebyshev, Hermite, Laguerre, Legendre.

They are evaluated by their recurrences, which makes them differentiable (PyTorch's are not).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjoint._dispatch.declare import composite
from adjoint._dispatch.table import ops

Step = Callable[[int], tuple[float, float, float]]


def _declare_polynomial(name: str, who: str, linear: tuple[float, float], step: Step) -> Any:
    """Declare a family of orthogonal polynomials.

    Args:
        name: what it is called in `adjoint.special`.
        who: whose polynomials they are.
        linear: the polynomial of degree one, ``linear[0] * x + linear[1]``.
        step: gives for k the factors a, b and c of ``p[k + 1] = (a * x + b) * p[k] - c * p[k - 1]``.
    """

    def evaluate(input: Any, n: Any) -> Any:
        several: Any = n if hasattr(n, "shape") else None
        x = input * 1.0 if hasattr(input, "shape") else several * 0.0 + input
        highest = int(n if several is None else several.max() if several.numel() else -1)
        before, now = x * 0, x * 0 + 1
        chosen = before
        for k in range(highest + 1):
            chosen = now if several is None else ops.where(several == k, now, chosen)
            a, b, c = step(k) if k else (*linear, 0)
            before, now = now, (a * x + b) * now - c * before
        return chosen if several is None else chosen + (several * 0.0).to(x.dtype)

    evaluate.__name__ = evaluate.__qualname__ = f"special_{name}"
    evaluate.__doc__ = f"""{who} of degree `n`, elementwise.

        Args:
            input: the argument, a tensor or a number.
            n: the degree, a number or a tensor of integers. Where it is negative the result is zero.
        """
    return composite(evaluate, method=False)


def _declare_chebyshev(letter: str, kind: str, slope: int, constant: int) -> tuple[Any, Any]:
    """Declare the Chebyshev polynomials of one kind, and the shifted ones, of ``2 * x - 1``."""
    who = f"Chebyshev polynomial of the {kind} kind"
    return (
        _declare_polynomial(f"chebyshev_polynomial_{letter}", who, (slope, constant), lambda k: (2, 0, 1)),
        _declare_polynomial(
            f"shifted_chebyshev_polynomial_{letter}",
            f"Shifted {who} (of ``2 * x - 1``)",
            (2 * slope, constant - slope),
            lambda k: (4, -2, 1),
        ),
    )


special_chebyshev_polynomial_t, special_shifted_chebyshev_polynomial_t = _declare_chebyshev("t", "first", 1, 0)
special_chebyshev_polynomial_u, special_shifted_chebyshev_polynomial_u = _declare_chebyshev("u", "second", 2, 0)
special_chebyshev_polynomial_v, special_shifted_chebyshev_polynomial_v = _declare_chebyshev("v", "third", 2, -1)
special_chebyshev_polynomial_w, special_shifted_chebyshev_polynomial_w = _declare_chebyshev("w", "fourth", 2, 1)
special_hermite_polynomial_h = _declare_polynomial(
    "hermite_polynomial_h", "Physicists' Hermite polynomial", (2, 0), lambda k: (2, 0, 2 * k)
)
special_hermite_polynomial_he = _declare_polynomial(
    "hermite_polynomial_he", "Probabilists' Hermite polynomial", (1, 0), lambda k: (1, 0, k)
)
special_laguerre_polynomial_l = _declare_polynomial(
    "laguerre_polynomial_l",
    "Laguerre polynomial",
    (-1, 1),
    lambda k: (-1 / (k + 1), (2 * k + 1) / (k + 1), k / (k + 1)),
)
special_legendre_polynomial_p = _declare_polynomial(
    "legendre_polynomial_p", "Legendre polynomial", (1, 0), lambda k: ((2 * k + 1) / (k + 1), 0, k / (k + 1))
)
