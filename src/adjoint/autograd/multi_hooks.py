"""One hook for the gradients of several tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from adjoint.autograd import modes
from adjoint.autograd.hooks import JoinedHandle
from adjoint.autograd.locks import Lock
from adjoint.autograd.variable import Tensor


def register_multi_grad_hook(tensors: Sequence[Tensor], fn: Callable[..., Any], *, mode: str = "all") -> JoinedHandle:
    """Call a hook once per backward pass for several tensors together.

    Args:
        tensors: tensors that require grad; in mode "any" others are left out.
        fn: in mode "all" called with the list of their gradients (None for one that the pass does not reach) when the
            last of them has arrived; in mode "any" with the first gradient that arrives.
        mode: "all" or "any".

    Returns:
        A handle whose `remove()` takes the hook out.

    Example:
        >>> a, b = (ad.tensor([float(i)], requires_grad=True) for i in (1, 2))
        >>> handle = ad.autograd.graph.register_multi_grad_hook([a, b], lambda grads: print(len(grads)))
        >>> (a * b).backward()
        2
    """
    if mode not in ("all", "any"):
        raise ValueError(f"mode has to be 'all' or 'any', got {mode!r}")
    tensors = tuple(tensors)
    return _all_hook(tensors, fn) if mode == "all" else _any_hook(tensors, fn)


def _all_hook(tensors: tuple[Tensor, ...], fn: Callable[..., Any]) -> JoinedHandle:
    assert all(tensor.requires_grad for tensor in tensors), "a hook for all gradients needs tensors that require grad"
    nodes = [tensor.gradient_edge()[0] for tensor in tensors]
    passes: dict[Any, list[Any]] = {}
    lock = Lock()

    def hook_for(index: int) -> Callable[[Tensor], None]:
        def hook(grad: Tensor) -> None:
            current = modes.state.current_pass
            with lock:
                found = passes.get(current)
                if found is None:
                    expected = sum(map(current.will_reach, nodes))
                    found = passes[current] = [expected, [None] * len(tensors)]
                    own = [current]  # emptied at the end, so that the pass does not hold itself
                    current.at_end(lambda: passes.pop(own.pop(), None))
                found[0] -= 1
                found[1][index] = grad
                complete = found[0] == 0
            if complete:
                fn(found[1])

        return hook

    return JoinedHandle([tensor.register_hook(hook_for(index)) for index, tensor in enumerate(tensors)])


def _any_hook(tensors: tuple[Tensor, ...], fn: Callable[..., Any]) -> JoinedHandle:
    called: set[Any] = set()
    lock = Lock()

    def hook(grad: Tensor) -> None:
        current = modes.state.current_pass
        with lock:
            if current in called:
                return
            called.add(current)
            own = [current]  # emptied at the end, so that the pass does not hold itself
            current.at_end(lambda: called.discard(own.pop()))
        fn(grad)

    return JoinedHandle([tensor.register_hook(hook) for tensor in tensors if tensor.requires_grad])
