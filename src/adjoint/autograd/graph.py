"""Graph inspection, multi-tensor hooks and saved-tensor hooks: the public names of `torch.autograd.graph`."""

from __future__ import annotations

import contextlib
import os
import weakref
from collections.abc import Callable, Sequence
from typing import Any, Self

from adjoint._core import modes
from adjoint._core.graph import GradientEdge, JoinedHandle, Node, get_gradient_edge
from adjoint._core.locks import Lock
from adjoint._core.tensor import Tensor, wrap
from adjoint._core.views.history import increment_version
from adjoint._core.views.versions import version_of
from adjoint.autograd._current_pass import (
    current_graph_task_id,
    current_node,
    execution_order,
    queue_callback,
    will_execute_node,
)

__all__ = [
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",
    "current_graph_task_id",
    "current_node",
    "disable_saved_tensors_hooks",
    "execution_order",
    "get_gradient_edge",
    "increment_version",
    "queue_callback",
    "register_multi_grad_hook",
    "save_on_cpu",
    "save_on_disk",
    "saved_tensors_hooks",
    "will_execute_node",
]


def __dir__() -> list[str]:
    return __all__


def register_multi_grad_hook(tensors: Sequence[Tensor], fn: Callable[..., Any], *, mode: str = "all") -> JoinedHandle:
    """Call a hook once per backward pass for several tensors together.

    Args:
        tensors: tensors that require grad; in mode "any" others are ignored.
        fn: in mode "all" called with the list of their gradients (None for one that the pass does not reach) when the
            last of them has been computed; in mode "any" with the first gradient.
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
    nodes = [tensor._gradient_edge()[0] for tensor in tensors]
    passes: dict[Any, list[Any]] = {}
    lock = Lock()

    def hook_for(index: int) -> Callable[[Tensor], None]:
        def hook(grad: Tensor) -> None:
            current = modes.thread.current_pass
            with lock:
                found = passes.get(current)
                if found is None:
                    expected = sum(map(current.will_reach, nodes))
                    found = passes[current] = [expected, [None] * len(tensors)]
                    own = [current]  # emptied at the end, so that the pass does not hold itself
                    current.call_at_end(lambda: passes.pop(own.pop(), None))
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
        current = modes.thread.current_pass
        with lock:
            if current in called:
                return
            called.add(current)
            own = [current]  # emptied at the end, so that the pass does not hold itself
            current.call_at_end(lambda: called.discard(own.pop()))
        fn(grad)

    return JoinedHandle([tensor.register_hook(hook) for tensor in tensors if tensor.requires_grad])


class saved_tensors_hooks(modes.ContextManager):
    """Context manager with hooks that pack tensors saved for backward, and unpack them when they are used.

    The innermost pair applies. A saved tensor is packed once and may be unpacked many times.

    Args:
        pack_hook: called with the tensor (without its history, if it is the node's own output); its result is saved
            instead.
        unpack_hook: called with that result; returns a tensor with the same values.

    Example:
        >>> x = ad.tensor([3.0], requires_grad=True)
        >>> with ad.autograd.graph.saved_tensors_hooks(lambda t: t.detach().numpy().copy(), ad.tensor):
        ...     y = x * x
        >>> y.backward()
        >>> x.grad
        tensor([6.])
    """

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook
        self._entries: list[tuple[Callable[[Any], Any], Callable[[Any], Any]]] = []

    def __enter__(self) -> Self:
        """Use the hooks for what is saved from now on."""
        refusal = modes.state().saved_hooks_refusal
        if refusal is not None:
            raise RuntimeError(refusal)
        pair = (self.pack_hook, self.unpack_hook)
        modes.switch(saved_hooks=(*modes.state().saved_hooks, pair))
        self._entries.append(pair)
        return self

    def __exit__(self, *exc_info: object) -> None:
        """Use the hooks that were used before, if any."""
        pair = modes.pop_entry(self, self._entries)
        modes.switch(saved_hooks=modes.remove_entry(self, modes.state().saved_hooks, pair))


class disable_saved_tensors_hooks(modes.Mode):
    """Disable `saved_tensors_hooks`: entering one raises an error with this message. Also a decorator.

    Args:
        error_message: the message of the error.
    """

    def __init__(self, error_message: str) -> None:
        self._message = error_message
        self._before: list[str | None] = []

    def __enter__(self) -> None:
        """Refuse hooks from now on; an error if some are active."""
        here = modes.state()
        if here.saved_hooks:
            raise RuntimeError(self._message)
        self._before.append(here.saved_hooks_refusal)
        modes.switch(saved_hooks_refusal=self._message)

    def __exit__(self, *exc_info: object) -> None:
        """Allow hooks again, unless an outer block refuses them."""
        modes.switch(saved_hooks_refusal=modes.pop_entry(self, self._before))

    def clone(self) -> disable_saved_tensors_hooks:
        return disable_saved_tensors_hooks(self._message)


class save_on_cpu(saved_tensors_hooks):
    """Keep saved tensors in host memory, as NumPy arrays, and copy them back to their device when used.

    Args:
        pin_memory: accepted for compatibility; host memory is not pinned.
        device_type: accepted for compatibility.

    Example:
        >>> x = ad.tensor([3.0], requires_grad=True)
        >>> with ad.autograd.graph.save_on_cpu():
        ...     y = x * x
        >>> y.backward()
    """

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(self._pack, self._unpack)

    @staticmethod
    def _pack(tensor: Tensor) -> Any:
        namespace = tensor._spec.namespace
        if namespace.lazy or tensor._spec.level:
            return (None, tensor)  # lazy arrays, and tensors with a history inside, are kept unchanged
        return (tensor._spec, namespace.copy(namespace.to_numpy(tensor._array)))

    @staticmethod
    def _unpack(packed: Any) -> Tensor:
        spec, array = packed
        if spec is None:
            return array
        return wrap(spec.namespace.asarray(array, device=spec.device))


class save_on_disk(saved_tensors_hooks):
    """Keep saved tensors in temporary files, which are deleted when they are no longer needed.

    Args:
        directory: where to put the files (default: the system's directory for temporary files).

    Example:
        >>> x = ad.tensor([3.0], requires_grad=True)
        >>> with ad.autograd.graph.save_on_disk():
        ...     y = x * x
        >>> y.backward()
        >>> x.grad
        tensor([6.])
    """

    def __init__(self, directory: str | os.PathLike[str] | None = None) -> None:
        self._directory = directory
        super().__init__(self._pack, self._unpack)

    def _pack(self, tensor: Tensor) -> Any:
        namespace = tensor._spec.namespace
        if namespace.lazy or tensor._spec.level:
            return tensor
        return _File(namespace.to_numpy(tensor._array), tensor._spec, self._directory)

    @staticmethod
    def _unpack(packed: Any) -> Tensor:
        return packed.load() if isinstance(packed, _File) else packed


class _File:
    """An array in a file that is deleted with this object."""

    def __init__(self, array: Any, spec: Any, directory: Any) -> None:
        import tempfile  # too slow to import for `import adjoint`

        import numpy

        handle, self.path = tempfile.mkstemp(prefix="adjoint-saved-", suffix=".npy", dir=directory)
        self._cleanup = weakref.finalize(self, _delete_file, self.path)
        self.spec = spec
        plain: Any = array.view(f"V{array.itemsize}") if array.dtype.kind == "V" else array
        with os.fdopen(handle, "wb") as file:
            numpy.save(file, numpy.ascontiguousarray(plain), allow_pickle=False)

    def load(self) -> Tensor:
        import numpy

        array: Any = numpy.load(self.path, allow_pickle=False)
        spec = self.spec
        if array.dtype != spec.dtype.numpy:
            array = array.view(spec.dtype.numpy)
        return wrap(spec.namespace.asarray(array.reshape(spec.shape), device=spec.device))


def _delete_file(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


class allow_mutation_on_saved_tensors(modes.ContextManager):
    """Allow in-place writes to saved tensors inside: the graph uses the values it saved.

    Copy-on-write: the old values are copied when a saved tensor is first written to. ``cloned`` of the context has the
    copies that graphs hold.

    Example:
        >>> x = ad.tensor([3.0], requires_grad=True)
        >>> with ad.autograd.graph.allow_mutation_on_saved_tensors() as context:
        ...     y = x.clone()
        ...     z = y * y
        ...     _ = y.zero_()
        ...     print(context.cloned)
        ...     z.backward()
        (tensor([3.]),)
        >>> x.grad
        tensor([6.])
    """

    def __init__(self) -> None:
        self._hooks = saved_tensors_hooks(self._pack, self._unpack)
        self._kept: weakref.WeakValueDictionary[tuple[int, Any], _CopyOnWrite] = weakref.WeakValueDictionary()

    def _pack(self, tensor: Tensor) -> Any:
        key = id(tensor._array), version_of(tensor._versions)  # what is kept holds the array
        kept = self._kept.get(key)
        if kept is None or kept.is_copied:
            kept = self._kept[key] = _CopyOnWrite(tensor)
        return kept

    @property
    def cloned(self) -> tuple[Tensor, ...]:
        """Copies of saved tensors that have been written to, as long as a graph holds them."""
        return tuple([kept.current() for kept in list(self._kept.values()) if kept.is_copied])

    @staticmethod
    def _unpack(kept: Any) -> Tensor:
        return kept.current()

    def before_write(self, tensor: Tensor) -> None:
        """Copy saved tensors that share the memory of a tensor that is about to be written to."""
        for kept in list(self._kept.values()):
            kept.guard(tensor)

    def __enter__(self) -> Self:
        """Keep copies of saved tensors that are written to from now on."""
        if modes.state().mutation_guard is not None:
            raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
        self._hooks.__enter__()
        modes.switch(mutation_guard=self)
        return self

    def __exit__(self, *exc_info: object) -> None:
        """Stop making copies."""
        modes.switch(mutation_guard=None)
        self._hooks.__exit__(*exc_info)
        self._kept.clear()


class _CopyOnWrite:
    """A saved tensor that is copied before its memory is first written to."""

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor
        self._version = version_of(tensor._versions)
        self.is_copied = False

    def guard(self, written: Tensor) -> None:
        tensor = self._tensor
        if not self.is_copied and tensor._versions is written._versions:
            self._tensor = wrap(tensor._spec.namespace.copy(tensor._array))
            self.is_copied = True

    def current(self) -> Tensor:
        if not self.is_copied and version_of(self._tensor._versions) != self._version:
            raise RuntimeError(
                "a saved tensor was written to outside allow_mutation_on_saved_tensors; keep the context open until "
                "backward is done"
            )
        return self._tensor
