"""`Distribution`: a family of distributions with SciPy's methods, made from a few formulas.

A formula is about the standard distribution (location 0, scale 1) and gets a point inside of its support and the shape
parameters, all of them tensors.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from importlib import import_module
from typing import Any

from adjoint._dispatch.table import ops
from adjoint._dispatch.trees import tensors_in
from adjoint.scipy._shim import as_tensors, guard

Formula = Callable[..., Any]

_METHODS = ("cdf", "entropy", "logcdf", "logpdf", "logpmf", "logsf", "pdf", "pmf", "ppf", "sf")


class Distribution:
    """A family of distributions, such as `norm`.

    Args:
        name: SciPy's name.
        shapes: the names of the shape parameters, which are positive unless `valid` says otherwise.
        log_density: formula of the logarithm of the density (or of the probability, for integers).
        cdf, sf, log_cdf, log_sf, ppf, entropy: further formulas. Those of the logarithms and `sf` follow from `cdf` if
            they are left out; the others are then SciPy's, without derivatives.
        support: the bounds of the support, numbers or a function of the shape parameters.
        inside: a point inside of the support.
        discrete: whether it is a distribution of integers, which has no scale.
        valid: formula that says which shape parameters are allowed.
    """

    def __init__(
        self,
        name: str,
        shapes: str = "",
        *,
        log_density: Formula,
        cdf: Formula | None = None,
        sf: Formula | None = None,
        log_cdf: Formula | None = None,
        log_sf: Formula | None = None,
        ppf: Formula | None = None,
        entropy: Formula | None = None,
        support: Any = (-math.inf, math.inf),
        inside: float = 0.5,
        discrete: bool = False,
        valid: Formula | None = None,
    ) -> None:
        self.__name__ = self.name = name
        self.shapes = shapes.split()
        self._formulas = {"density": log_density, "cdf": cdf, "sf": sf, "log_cdf": log_cdf, "log_sf": log_sf}
        self._ppf, self._entropy, self._support, self._inside = ppf, entropy, support, inside
        self.discrete = discrete
        self._valid = valid or (lambda *shapes: functools.reduce(operator.and_, [shape > 0 for shape in shapes]))
        self.__doc__ = f"{name}: SciPy's distribution, with derivatives of its functions by every real argument."

    def __repr__(self) -> str:
        return f"<distribution {self.name}>"

    def __call__(self, *args: Any, **kwargs: Any) -> Frozen:
        """Fix the parameters: ``norm(1.0, 2.0).logpdf(x)``."""
        return Frozen(self, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        """A method that has no derivative here, such as `rvs`: SciPy's."""
        if name.startswith("__"):
            raise AttributeError(name)
        return self._of_scipy(name)

    # ---- functions -----------------------------------------------------------------------------------------------

    def logpdf(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Logarithm of the density."""
        return self._evaluate("logpdf", "density", x, args, kwargs, outside=(-math.inf, -math.inf), per_scale=True)

    def pdf(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Density."""
        return self._exponential("pdf", self.logpdf, x, args, kwargs)

    def logpmf(self, k: Any, *args: Any, **kwargs: Any) -> Any:
        """Logarithm of the probability of an integer; minus infinity for other numbers."""
        return self._evaluate("logpmf", "density", k, args, kwargs, outside=(-math.inf, -math.inf))

    def pmf(self, k: Any, *args: Any, **kwargs: Any) -> Any:
        """Probability of an integer; zero for other numbers."""
        return self._exponential("pmf", self.logpmf, k, args, kwargs)

    def cdf(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Cumulative distribution function."""
        return self._evaluate("cdf", "cdf", x, args, kwargs, outside=(0.0, 1.0))

    def sf(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Survival function, ``1 - cdf``."""
        return self._evaluate("sf", "sf", x, args, kwargs, outside=(1.0, 0.0))

    def logcdf(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Logarithm of the cumulative distribution function."""
        return self._evaluate("logcdf", "log_cdf", x, args, kwargs, outside=(-math.inf, 0.0))

    def logsf(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Logarithm of the survival function."""
        return self._evaluate("logsf", "log_sf", x, args, kwargs, outside=(0.0, -math.inf))

    def ppf(self, q: Any, *args: Any, **kwargs: Any) -> Any:
        """Quantile function, the inverse of `cdf`."""
        if self._ppf is None or not tensors_in((q, args, kwargs)):
            return self._of_scipy("ppf")(q, *args, **kwargs)
        (q, *shapes), loc, scale = self._bind(q, args, kwargs)
        inside = (q > 0) & (q < 1)
        low, high = self._bounds(shapes)
        edge = ops.where(q == 0, low + q * 0, ops.where(q == 1, high + q * 0, math.nan))
        out = ops.where(inside, self._ppf(ops.where(inside, q, 0.5), *shapes), edge) * scale + loc
        return ops.where(self._allowed(shapes, scale), out, math.nan)

    def entropy(self, *args: Any, **kwargs: Any) -> Any:
        """Differential entropy, in nats."""
        if self._entropy is None or not tensors_in((args, kwargs)):
            return self._of_scipy("entropy")(*args, **kwargs)
        (_, *shapes), loc, scale = self._bind(0.0, args, kwargs)
        out = self._entropy(*shapes) + ops.log(scale) + 0 * loc
        return ops.where(self._allowed(shapes, scale), out, math.nan)

    # ---- how -----------------------------------------------------------------------------------------------------

    def _of_scipy(self, method: str) -> Any:
        found = getattr(getattr(import_module("scipy.stats"), self.name), method)
        return guard(found, f"adjoint.scipy.stats.{self.name}.{method}", lambda: _METHODS) if callable(found) else found

    def _bind(self, x: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Any], Any, Any]:
        """The argument and the shape parameters, the location and the scale, as tensors."""
        names = [*self.shapes, "loc"] + ([] if self.discrete else ["scale"])
        if len(args) > len(names):
            raise TypeError(f"{self.name} takes the parameters {', '.join(names)}; {len(args)} were given")
        values = {"loc": 0.0, "scale": 1.0} | dict(zip(names, args))
        for key, value in kwargs.items():
            if key not in names or key in names[: len(args)]:
                what = "twice" if key in names else f"which it does not have; it has {', '.join(names)}"
                raise TypeError(f"{self.name} got the parameter {key!r}, {what}")
            values[key] = value
        missing = [name for name in self.shapes if name not in values]
        if missing:
            raise TypeError(f"{self.name} needs the shape parameter {missing[0]!r}")
        made = as_tensors(x, *[values[name] for name in self.shapes], values["loc"], values["scale"])
        return made[:-2], made[-2], made[-1]

    def _bounds(self, shapes: list[Any]) -> tuple[Any, Any]:
        if callable(self._support):
            return self._support(*shapes)  # pyright: ignore[reportReturnType]
        return self._support

    def _allowed(self, shapes: list[Any], scale: Any) -> Any:
        return (scale > 0) & self._valid(*shapes) if shapes else scale > 0

    def _formula(self, name: str) -> Formula | None:
        """The formula of that name, or one that follows from others."""
        found, cdf = self._formulas[name], self._formulas["cdf"]
        if found is not None or cdf is None:
            return found
        if name == "sf":
            return lambda *point: 1 - cdf(*point)
        inner: Any = self._formula(name.removeprefix("log_"))
        return lambda *point: ops.log(inner(*point))

    def _evaluate(
        self,
        method: str,
        which: str,
        x: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        outside: tuple[float, float],
        per_scale: bool = False,
    ) -> Any:
        """Compute a formula inside of the support; `outside` has the values below and above it."""
        formula = self._formula(which)
        if formula is None or not tensors_in((x, args, kwargs)):
            return self._of_scipy(method)(x, *args, **kwargs)
        (x, *shapes), loc, scale = self._bind(x, args, kwargs)
        allowed = self._allowed(shapes, scale)
        y = (x - loc) / ops.where(scale > 0, scale, 1.0)
        low, high = self._bounds(shapes)
        inside = (y >= low) & (y <= high) & (ops.abs(y) < math.inf)
        if self.discrete and which == "density":
            inside = inside & (y == ops.floor(y))
        point = ops.where(inside & allowed, y, self._inside)
        values = formula(point, *[ops.where(allowed, shape, 1.0) for shape in shapes])
        if per_scale:
            values = values - ops.log(ops.where(scale > 0, scale, 1.0))
        below, above = outside
        out = ops.where(inside, values, ops.where(y < low, below, ops.where(y > 0, above, below)))
        return ops.where(allowed & (y == y), out, math.nan)

    def _exponential(self, method: str, log: Any, x: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if not tensors_in((x, args, kwargs)):
            return self._of_scipy(method)(x, *args, **kwargs)
        return ops.exp(log(x, *args, **kwargs))


class Frozen:
    """A distribution with its parameters: the methods of the family without these."""

    def __init__(self, dist: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.dist, self.args, self.kwds = dist, args, kwargs

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        method = getattr(self.dist, name)
        leading = 0 if name in ("entropy", "mean", "median", "std", "var", "stats", "support") else 1

        def call(*args: Any, **kwargs: Any) -> Any:
            return method(*args[:leading], *self.args, *args[leading:], **self.kwds, **kwargs)

        return call
