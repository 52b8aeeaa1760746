"""Making custom Functions of either library from their static methods."""

from __future__ import annotations

from typing import Any


def function(lib: Any, forward: Any, backward: Any = lambda ctx, *g: g[0], name: str = "F", **others: Any) -> Any:
    """A Function made of its static methods."""
    methods = {"forward": forward, "backward": backward, **others}
    made = {key: staticmethod(value) if callable(value) else value for key, value in methods.items() if value}
    return type(name, (lib.autograd.Function,), made)


def saving(*keep: Any) -> Any:
    """What `setup_context` does that saves these: numbers of inputs, or "out"."""

    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*[output if one == "out" else inputs[one] for one in keep])

    return setup_context
