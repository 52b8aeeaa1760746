"""Calls as text with choices, run in both libraries: ``T.sum({x|i}, dim={0|1})`` stands for four of them.

In an expression, `T` is the library, `F` its `nn.functional`, and the other names are the operands of
`OPERANDS`. Values, dtypes, first and second derivatives have to be the same, or both libraries have to refuse the call,
ours with an error that whoever expects PyTorch's class of errors catches.
"""

from __future__ import annotations

import itertools
import math
import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from tests.support.compare import plain

torch = pytest.importorskip("torch")

_draw = np.random.default_rng(20)
_square = _draw.normal(size=(2, 3, 3))

OPERANDS: dict[str, Any] = {
    "x": _draw.normal(size=(3, 4)),
    "y": _draw.normal(size=(3, 4)),
    "p": _draw.uniform(0.2, 0.9, size=(3, 4)),
    "w": _draw.normal(size=4),
    "k": _draw.normal(size=(2, 3, 4)),
    "m": _draw.normal(size=(3, 3)),
    "bm": _draw.normal(size=(2, 3, 3)),
    "spd": _square @ _square.transpose(0, 2, 1) + np.eye(3),
    "img": _draw.normal(size=(2, 4, 5, 6)),
    "ker": _draw.normal(size=(4, 4, 3, 3)),
    "s": np.array(0.7),
    "e": np.zeros((0, 3)),
    "ties": np.array([[1.0, 1, 2, 2], [3, 3, 3, 0], [0, 0, 0, 0]]),
    "holes": np.array([[1.0, math.nan, math.inf, -math.inf], [math.nan, math.nan, 2, 0], [3, 3, 3, -1]]),
    "xf": _draw.normal(size=(3, 4)).astype("f4"),
    "z": _draw.normal(size=(3, 4)) + 1j * _draw.normal(size=(3, 4)),
    "i": np.array([[0, 1, 5, -2], [3, -3, -2, 2], [1, -3, 2, 1]]),
    "n": np.array([[1, 2, 5, -2], [3, -3, -2, 2], [1, -3, 2, 1]]),
    "u8": np.array([[1, 7, 2, 5], [0, 3, 1, 8], [2, 2, 6, 4]], "u1"),
    "b": np.array([[True, False, False, True], [False, True, True, True], [False, False, True, False]]),
    "ix": np.array([0, 2, 1]),
    "ix2": np.array([[0, 1, 2, 1], [2, 2, 0, 0]]),
    "back": np.array([-1, 0, 1]),
}
_CONSTANT = {"holes"}  # derivatives there are another matter


def calls(template: str) -> Iterator[str]:
    """The calls that a template stands for."""
    pieces = re.split(r"\{(.*?)\}", template)
    yield from map("".join, itertools.product(*[[p] if n % 2 == 0 else p.split("|") for n, p in enumerate(pieces)]))


def _operands(lib: Any, call: str) -> dict[str, Any]:
    used = {name: value for name, value in OPERANDS.items() if re.search(rf"\b{name}\b", call)}
    tensors = {name: lib.tensor(value) for name, value in used.items()}
    for name, tensor in tensors.items():
        if used[name].dtype.kind in "fc" and name not in _CONSTANT:
            tensor.requires_grad_()
    return tensors


def _tensors(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [tensor for item in value for tensor in _tensors(item)]
    return [value] if isinstance(value, (torch.Tensor, ad.Tensor)) else []


def _weighed(lib: Any, tensors: list[Any], phase: float) -> Any:
    """One real number that depends on every element."""
    total = 0
    for place, tensor in enumerate(tensors):
        if tensor is None or not tensor.requires_grad:
            continue
        weight = np.cos(np.arange(math.prod(tensor.shape)) * 1.3 + place + phase).reshape(tuple(tensor.shape))
        if tensor.dtype.is_complex:
            weight = weight + 1j * np.sin(3 * weight)
        product = tensor * lib.tensor(weight).to(tensor.dtype)
        total = total + (product.real if tensor.dtype.is_complex else product).sum().double()
    return total


def _derivatives(lib: Any, value: Any, leaves: list[Any], second: bool) -> list[Any]:
    """The gradients of a result, and those of the gradients, None for zeros."""
    results: list[Any] = []
    for order in range(1 + second):
        total = _weighed(lib, _tensors(value), 0.3 + order)
        if not isinstance(total, int) and leaves:
            value = lib.autograd.grad(total, leaves, create_graph=second and not order, allow_unused=True)
        elif order:
            value = [None] * len(leaves)
        else:
            break
        results.append([None if one is None or (order and _is_zero(one)) else one.detach() for one in value])
    return results


def _is_zero(tensor: Any) -> bool:
    return bool((tensor.abs() < 1e-12).all())


def run(lib: Any, call: str, second: bool) -> Any:
    """What a call gives in a library, with derivatives; or the error that it raises."""
    tensors = _operands(lib, call)
    names = {"T": lib, "F": lib.nn.functional, "np": np, "inf": math.inf, "nan": math.nan}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = eval(call, names | tensors)
        except Exception as error:
            return error
        leaves = [tensor for tensor in tensors.values() if tensor.requires_grad]
        try:
            return plain(value), plain(_derivatives(lib, value, leaves, second))
        except (RuntimeError, NotImplementedError):
            if lib is not torch:
                raise
            return plain(value), None  # PyTorch cannot differentiate this


def _assert_alike(found: Any, wanted: Any, rtol: float, where: str) -> None:
    if isinstance(wanted, list):
        assert isinstance(found, list) and len(found) == len(wanted), f"{where}: {found!r} instead of {wanted!r}"
        for place, (one, other) in enumerate(zip(found, wanted)):
            _assert_alike(one, other, rtol, f"{where}[{place}]")
    elif isinstance(wanted, np.ndarray):
        assert isinstance(found, np.ndarray), f"{where}: {found!r} instead of {wanted!r}"
        assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype), f"{where}: {found!r} instead of {wanted!r}"
        rtol = max(rtol, 1e-5 if wanted.dtype in ("f4", "c8") else 0)
        np.testing.assert_allclose(found, wanted, rtol=rtol, atol=rtol / 10, err_msg=where)
    else:
        assert type(found) is type(wanted), f"{where}: {found!r} instead of {wanted!r}"
        assert found == wanted or wanted != wanted, f"{where}: {found!r} instead of {wanted!r}"


def check(template: str, second: bool = True) -> None:
    """Run the calls that a template stands for in both libraries."""
    for call in calls(template):
        wanted, found = run(torch, call, second), run(ad, call, second)
        if isinstance(wanted, Exception):
            kind = next(kind for kind in type(wanted).__mro__ if kind.__module__ == "builtins")
            kind = RuntimeError if kind is NotImplementedError else kind
            assert isinstance(found, kind), f"{call}: {found!r} instead of {wanted!r}"
        else:
            assert not isinstance(found, Exception), f"{call}: {found!r}"
            rtol = 1e-4 if re.search(r"xf|float32|complex64", call) else 1e-9
            _assert_alike(found[0], wanted[0], rtol, call)
            if wanted[1] is not None:
                _assert_alike(found[1], wanted[1], rtol, f"derivatives of {call}")


def grids(templates: str) -> Callable[[Any], Any]:
    """Parametrize a test with templates, one in each line."""
    lines = [line.strip() for line in templates.strip().splitlines() if line.strip()]
    return pytest.mark.parametrize("template", lines)
