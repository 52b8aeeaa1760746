"""Activation checkpointing: `checkpoint` saves nothing of a function's inside, and runs it again in the backward pass.

Note [Checkpointing without reentry]
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
The function runs as usual, under saved-tensor hooks that keep a number instead of each tensor. When a number is
unpacked, the function runs once more, with the random numbers and modes of the first run; what it saves then, in the
same order, is what the numbers stand for. It stops when it has saved as many tensors as the first time. The tensors are
let go one by one as the backward pass uses them, and at its end.

The function's arguments are saved by a node of their own. Inside another checkpoint that node's tensors become numbers
of the outer one, so the outer function runs again first: nesting needs nothing else.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager
from typing import Any

from adjoint._core import modes
from adjoint._core.function import Function
from adjoint._core.generator import fork_rng, get_rng_state, set_rng_state
from adjoint._core.modes import enable_grad, is_grad_enabled, no_grad
from adjoint._core.tensor import Tensor
from adjoint._dispatch.autocast import get_settings, use_settings
from adjoint._dispatch.override import FunctionMode
from adjoint._dispatch.table import ops
from adjoint._dispatch.trees import flatten, unflatten
from adjoint.autograd import backward
from adjoint.autograd.graph import saved_tensors_hooks

__all__ = [
    "CheckpointError",
    "CheckpointFunction",
    "checkpoint",
    "checkpoint_sequential",
    "noop_context_fn",
    "set_checkpoint_debug_enabled",
    "set_checkpoint_early_stop",
]

Contexts = tuple[AbstractContextManager[Any], AbstractContextManager[Any]]


def __dir__() -> list[str]:
    return __all__


class CheckpointError(RuntimeError):
    """The function did not do the same when it ran again."""

    def __init__(self, message: str) -> None:
        super().__init__(message)


class _StopRecomputation(Exception):
    """All that the backward pass needs has been computed again."""


def noop_context_fn() -> Contexts:
    """Return two contexts that do nothing, for the first run and the second."""
    return contextlib.nullcontext(), contextlib.nullcontext()


# ---- settings --------------------------------------------------------------------------------------------------------

_settings: dict[str, bool | None] = {"early_stop": None, "debug": None}


@contextlib.contextmanager
def _set(name: str, value: bool | None) -> Generator[None]:
    before, _settings[name] = _settings[name], value
    try:
        yield
    finally:
        _settings[name] = before


def set_checkpoint_early_stop(enable: bool) -> AbstractContextManager[None]:
    """Context manager that decides whether recomputation stops as soon as everything needed is there.

    Args:
        enable: for all calls of `checkpoint` inside, whatever they say themselves.

    Example:
        >>> x = ad.tensor([1.0], requires_grad=True)
        >>> with ad.utils.checkpoint.set_checkpoint_early_stop(False):
        ...     y = ad.utils.checkpoint.checkpoint(ad.sin, x, use_reentrant=False)
    """
    return _set("early_stop", enable)


def set_checkpoint_debug_enabled(enabled: bool | None) -> AbstractContextManager[None]:
    """Context manager that decides whether checkpoints note their operators, for the error messages.

    Args:
        enabled: for all calls of `checkpoint` inside; None leaves it to them.
    """
    return _set("debug", enabled)


# ---- without reentry -------------------------------------------------------------------------------------------------


class _KeepArguments(Function):
    """A node that saves tensors, under the hooks that are in force."""

    @staticmethod
    def forward(ctx: Any, anchor: Tensor, *tensors: Tensor) -> Tensor:
        ctx.count = len(tensors)
        ctx.save_for_backward(*tensors)
        return anchor.clone()

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return (None,) * (1 + ctx.count)


class _Log(FunctionMode):
    """Notes the operators that are called."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def __adjoint_function__(self, func: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        result = func(*args, **(kwargs or {}))
        shapes = [str(tuple(one.shape)) for one in args if isinstance(one, Tensor)]
        self.lines.append(f"{getattr(func, '__name__', func)}({', '.join(shapes)})")
        return result


class _Checkpoint:
    """One call of a function whose inside is not saved; see Note [Checkpointing without reentry]."""

    def __init__(self, function: Callable[..., Any], args: Any, kwargs: Any, options: dict[str, Any]) -> None:
        self.function = function
        self.options = options
        self.shapes: list[tuple[Any, ...]] = []  # of what the first run saved: shape, dtype, device
        self.values: dict[int, dict[int, Tensor]] = {}  # by backward pass: what has been computed again
        self.rng_state = get_rng_state() if options["preserve_rng_state"] else None
        self.autocast = get_settings()._replace(kept=None)
        leaves, self.structure = flatten((args, kwargs))
        self.is_tensor = [isinstance(leaf, Tensor) for leaf in leaves]
        self.others = [None if flag else leaf for leaf, flag in zip(leaves, self.is_tensor)]
        tensors = [leaf for leaf, flag in zip(leaves, self.is_tensor) if flag]
        self.arguments: Any = _KeepArguments.apply(ops.empty(0, requires_grad=True), *tensors).grad_fn
        self.logs = [_Log(), _Log()]

    def first_run(self, context: AbstractContextManager[Any], args: Any, kwargs: Any) -> Any:
        with context, self._logged(0), saved_tensors_hooks(self._pack, self._unpack):
            return self.function(*args, **kwargs)

    def _logged(self, run: int) -> AbstractContextManager[Any]:
        return self.logs[run] if self.options["debug"] else contextlib.nullcontext()

    def _pack(self, tensor: Tensor) -> int:
        self.shapes.append(_describe(tensor))
        return len(self.shapes) - 1

    def _unpack(self, number: int) -> Tensor:
        running = modes.thread.current_pass
        values = None if running is None else self.values.get(running.number)
        if values is None or number not in values:  # also if it is asked for a second time
            values = self._run_again()
            if running is not None:
                self.values[running.number] = values
                running.call_at_end(lambda key=running.number: self.values.pop(key, None))
        return values.pop(number)

    def _run_again(self) -> dict[int, Tensor]:
        """What the function saves now, by number."""
        found: dict[int, Tensor] = {}
        expected, early_stop = len(self.shapes), self.options["early_stop"]

        def pack(tensor: Tensor) -> Tensor:
            kept = tensor.detach()
            found[len(found)] = kept
            if len(found) == expected and early_stop:
                raise _StopRecomputation
            return kept

        kept = iter(self.arguments.saved_tensors)
        leaves = [next(kept) if flag else other for flag, other in zip(self.is_tensor, self.others)]
        args, kwargs = unflatten(self.structure, leaves)
        with contextlib.ExitStack() as stack:
            stack.enter_context(enable_grad())
            stack.enter_context(use_settings(self.autocast))
            if self.rng_state is not None:
                stack.enter_context(fork_rng())
                set_rng_state(self.rng_state)
            self.logs[1].lines.clear()
            stack.enter_context(contextlib.suppress(_StopRecomputation))
            stack.enter_context(self.options["context"])
            stack.enter_context(self._logged(1))
            stack.enter_context(saved_tensors_hooks(pack, lambda tensor: tensor))
            self.function(*args, **kwargs)
        self._check(found)
        return found

    def _check(self, found: dict[int, Tensor]) -> None:
        if len(found) != len(self.shapes):
            raise CheckpointError(
                f"the checkpointed function saved {len(self.shapes)} tensors, and {len(found)} when it ran again: it "
                f"has to do the same each time{self._describe_runs()}"
            )
        if self.options["determinism_check"] == "none":
            return
        for number, before in enumerate(self.shapes):
            now = _describe(found[number])
            if now != before:
                raise CheckpointError(
                    f"the checkpointed function did not compute the same when it ran again: saved tensor {number} was "
                    f"{_in_words(before)}, and is {_in_words(now)} now{self._describe_runs()}"
                )

    def _describe_runs(self) -> str:
        if not self.options["debug"]:
            return "; debug=True shows its operators"
        return "".join(
            f"\noperators of the {name} run:\n" + "\n".join(f"  {line}" for line in log.lines)
            for name, log in zip(("first", "second"), self.logs)
        )


def _describe(tensor: Tensor) -> tuple[Any, ...]:
    return tuple(tensor.shape), tensor.dtype, tensor.device


def _in_words(described: tuple[Any, ...]) -> str:
    shape, dtype, device = described
    return f"of shape {shape} and dtype {dtype} on {device}"


# ---- reentrant -------------------------------------------------------------------------------------------------------


class CheckpointFunction(Function):
    """The reentrant checkpoint: runs without recording, and calls `backward` inside the backward pass."""

    @staticmethod
    def forward(ctx: Any, run_function: Callable[..., Any], preserve_rng_state: bool, *args: Any) -> Any:
        ctx.run_function = run_function
        ctx.rng_state = get_rng_state() if preserve_rng_state else None
        ctx.autocast = get_settings()._replace(kept=None)
        ctx.is_tensor = [isinstance(arg, Tensor) for arg in args]
        ctx.others = [None if isinstance(arg, Tensor) else arg for arg in args]
        ctx.save_for_backward(*[arg for arg in args if isinstance(arg, Tensor)])
        with no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        running = modes.thread.current_pass
        if running is not None and running.targets is not None:
            raise RuntimeError(
                "a reentrant checkpoint calls backward() itself, so it cannot be used with grad() or with inputs=: use "
                "checkpoint(..., use_reentrant=False)"
            )
        kept = iter(ctx.saved_tensors)
        args = [_restart(next(kept)) if flag else other for flag, other in zip(ctx.is_tensor, ctx.others)]
        with enable_grad(), use_settings(ctx.autocast), fork_rng(enabled=ctx.rng_state is not None):
            if ctx.rng_state is not None:
                set_rng_state(ctx.rng_state)
            outputs = ctx.run_function(*args)
        if isinstance(outputs, Tensor):
            outputs = (outputs,)
        pairs = [(out, grad) for out, grad in zip(outputs, grads) if isinstance(out, Tensor) and out.requires_grad]
        if not pairs:
            raise RuntimeError(
                "no output of the checkpointed function requires grad, so there is nothing to differentiate: this "
                "checkpoint() is not necessary"
            )
        backward([out for out, _ in pairs], [grad for _, grad in pairs])
        return (None, None, *(arg.grad if isinstance(arg, Tensor) else None for arg in args))


def _restart(tensor: Tensor) -> Tensor:
    """A leaf with the same values."""
    return tensor.detach().requires_grad_(tensor.requires_grad)


# ---- the functions ---------------------------------------------------------------------------------------------------


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], Contexts] = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    **kwargs: Any,
) -> Any:
    """Checkpoint a function: its intermediate values are computed again in the backward pass instead of being saved.

    Args:
        function: called with the arguments, now and once more in the backward pass.
        args, kwargs: its arguments; ``preserve_rng_state=False`` lets random numbers differ.
        use_reentrant: False, which is recommended, works with everything; True calls `backward` inside the pass.
        context_fn: returns two context managers, for the first run and the second.
        determinism_check: ``"default"`` compares shapes, dtypes and devices; ``"none"`` does not.
        debug: show the operators of both runs if they differ.
        early_stop: stop the second run when everything needed is there.

    Example:
        >>> x = ad.tensor([1.0, 2.0], requires_grad=True)
        >>> y = ad.utils.checkpoint.checkpoint(lambda t: t.sin().exp().cos(), x, use_reentrant=False)
        >>> y.sum().backward()
    """
    if use_reentrant is None:
        warnings.warn(
            "checkpoint: say use_reentrant=False (recommended) or True; True is assumed, as PyTorch does", stacklevel=2
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if use_reentrant:
        if kwargs:
            raise ValueError(f"a reentrant checkpoint takes no keyword arguments, got {', '.join(kwargs)}")
        if context_fn is not noop_context_fn or debug:
            raise ValueError("context_fn and debug need use_reentrant=False")
        return CheckpointFunction.apply(function, preserve, *_warn_without_grad(args))
    if determinism_check not in ("default", "none"):
        raise ValueError(f"determinism_check: expected 'default' or 'none', got {determinism_check!r}")
    context, second = context_fn()
    if not is_grad_enabled():
        with context:
            return function(*args, **kwargs)
    options = {
        "preserve_rng_state": preserve,
        "determinism_check": determinism_check,
        "debug": debug if _settings["debug"] is None else _settings["debug"],
        "early_stop": early_stop if _settings["early_stop"] is None else _settings["early_stop"],
        "context": second,
    }
    return _Checkpoint(function, args, kwargs, options).first_run(context, args, kwargs)


def _warn_without_grad(args: tuple[Any, ...]) -> tuple[Any, ...]:
    if not any(isinstance(arg, Tensor) and arg.requires_grad for arg in args):
        warnings.warn("checkpoint: no argument requires grad, so no gradient will pass", stacklevel=3)
    return args


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """Checkpoint a sequence of functions in segments, of which all but the last are computed again.

    Args:
        functions: modules or functions, called one after the other; an `nn.Sequential` is one, too.
        segments: number of segments.
        input: of the first function.
        use_reentrant: as for `checkpoint`.
        kwargs: ``preserve_rng_state``.

    Example:
        >>> x = ad.tensor([1.0], requires_grad=True)
        >>> steps = [ad.sin, ad.exp, ad.cos, ad.tanh]
        >>> y = ad.utils.checkpoint.checkpoint_sequential(steps, 2, x, use_reentrant=False)
    """
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError(f"checkpoint_sequential takes preserve_rng_state, got {', '.join(kwargs)}")
    if use_reentrant is None:
        warnings.warn("checkpoint_sequential: say use_reentrant=False (recommended) or True", stacklevel=2)
        use_reentrant = True
    steps: Sequence[Callable[..., Any]] = list(functions.children() if hasattr(functions, "children") else functions)

    def run(start: int, stop: int) -> Callable[[Any], Any]:
        def segment(value: Any) -> Any:
            for step in steps[start:stop]:
                value = step(value)
            return value

        return segment

    length = len(steps) // segments
    for start in range(0, length * (segments - 1), max(length, 1)):
        part = run(start, start + length)
        input = checkpoint(part, input, use_reentrant=use_reentrant, preserve_rng_state=preserve)
    return run(length * (segments - 1), len(steps))(input)
