"""Views made in each mode, of normal tensors and of inference tensors, then written to in each mode: as PyTorch."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import adjoint as ad

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.oracle

BASES: dict[str, Any] = {
    "constant": lambda lib: lib.ones(3, 2),
    "leaf": lambda lib: lib.ones(3, 2).requires_grad_(),
    "computed": lambda lib: lib.ones(3, 2).requires_grad_() * 2,
}
VIEWS: dict[str, Any] = {
    "select": lambda t: t[0],
    "view": lambda t: t.view(6),
    "unbind": lambda t: t.unbind()[0],
    "view of view": lambda t: t[0][0:1],
    "product": lambda t: t * 2,
    "clone": lambda t: t.clone(),
}
MODES = ("enable_grad", "no_grad", "inference_mode")


def look(action: Any) -> Any:
    try:
        return action()
    except RuntimeError:
        return "refused"


def describe(lib: Any, base: str, made: str, view: str, mode: str) -> dict[Any, Any]:
    """What a view is, and what writes in each mode do: refused, or the version afterwards."""

    def make() -> tuple[Any, Any]:
        with getattr(lib, made)():
            tensor = BASES[base](lib)
        with getattr(lib, mode)():
            return tensor, VIEWS[view](tensor)

    def write(later: str, to_base: bool) -> Any:
        tensor, shown = make()
        with getattr(lib, later)():
            (tensor if to_base else shown).mul_(2)
        return look(lambda: shown._version)

    _, shown = make()
    found: dict[Any, Any] = {
        "is_leaf": shown.is_leaf,
        "is_inference": shown.is_inference(),
        "has_node": shown.grad_fn is not None,
        "version": look(lambda: shown._version),
        "requires_grad": shown.requires_grad,
    }
    for later, to_base in itertools.product(MODES, (False, True)):
        found[later, to_base] = look(lambda later=later, to_base=to_base: write(later, to_base))
    return found


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("base", BASES)
def test_what_is_made_of_a_normal_tensor(base: str, view: str) -> None:
    for mode in MODES:
        ours, theirs = (describe(lib, base, "enable_grad", view, mode) for lib in (ad, torch))
        if base != "constant" and mode != "enable_grad" and view not in ("product", "clone"):
            # What is computed with such a view would have a gradient that goes to the view, and never to the base: so
            # here it does not require one, as the documentation of `no_grad` has it (docs/differences.md).
            assert theirs.pop("requires_grad") and not ours.pop("requires_grad")
        assert ours == theirs


@pytest.mark.parametrize("view", [name for name in VIEWS if name != "clone"])  # PyTorch counts the copy as a write
@pytest.mark.parametrize("mode", MODES)
def test_what_is_made_of_an_inference_tensor(view: str, mode: str) -> None:
    ours, theirs = (describe(lib, "constant", "inference_mode", view, mode) for lib in (ad, torch))
    assert ours == theirs
