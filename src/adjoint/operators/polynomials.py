"""The orthogonal polynomials of `adjoint.special`, each family by its recurrence; PyTorch's have no derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjoint.operators.declare import composite
from adjoint.operators.standard_names import ops

Step = Callable[[int], tuple[float, float, float]]


def _polynomial(name: str, who: str, linear: tuple[float, float], step: Step) -> Any:
    """Declare a family.

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
    evaluate.__doc__ = f"""{who}, of each element.

        Args:
            input: the argument, a tensor or a number.
            n: the degree, a number or a tensor of integers. Where it is negative the result is zero.

        Example:
            >>> x = ad.tensor(2.0, requires_grad=True)
            >>> ad.special.{name}(x, 1) == {linear[0]} * x + {linear[1]}
            tensor(True)
        """
    return composite(evaluate, method=False)


def _chebyshev(letter: str, kind: str, slope: int, constant: int) -> tuple[Any, Any]:
    """The Chebyshev polynomials of one kind, and those of ``2 * x - 1``."""
    who = f"Chebyshev's polynomial of the {kind} kind"
    return (
        _polynomial(f"chebyshev_polynomial_{letter}", who, (slope, constant), lambda k: (2, 0, 1)),
        _polynomial(
            f"shifted_chebyshev_polynomial_{letter}",
            f"{who} of ``2 * x - 1``",
            (2 * slope, constant - slope),
            lambda k: (4, -2, 1),
        ),
    )


special_chebyshev_polynomial_t, special_shifted_chebyshev_polynomial_t = _chebyshev("t", "first", 1, 0)
special_chebyshev_polynomial_u, special_shifted_chebyshev_polynomial_u = _chebyshev("u", "second", 2, 0)
special_chebyshev_polynomial_v, special_shifted_chebyshev_polynomial_v = _chebyshev("v", "third", 2, -1)
special_chebyshev_polynomial_w, special_shifted_chebyshev_polynomial_w = _chebyshev("w", "fourth", 2, 1)

special_hermite_polynomial_h = _polynomial(
    "hermite_polynomial_h", "Hermite's polynomial as physicists know it", (2, 0), lambda k: (2, 0, 2 * k)
)
special_hermite_polynomial_he = _polynomial(
    "hermite_polynomial_he", "Hermite's polynomial as statisticians know it", (1, 0), lambda k: (1, 0, k)
)
special_laguerre_polynomial_l = _polynomial(
    "laguerre_polynomial_l",
    "Laguerre's polynomial",
    (-1, 1),
    lambda k: (-1 / (k + 1), (2 * k + 1) / (k + 1), k / (k + 1)),
)
special_legendre_polynomial_p = _polynomial(
    "legendre_polynomial_p", "Legendre's polynomial", (1, 0), lambda k: ((2 * k + 1) / (k + 1), 0, k / (k + 1))
)
