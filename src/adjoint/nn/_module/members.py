"""The members of a module: iterating over parameters, buffers and submodules, and converting them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from adjoint import _dtypes
from adjoint._core.modes import no_grad
from adjoint._dispatch.table import ops
from adjoint._tensor.methods import Tensor
from adjoint.arrays import Device

Self = TypeVar("Self", bound="MemberMethods")


class MemberMethods:
    """The part of `Module` that walks over its tensors and submodules."""

    training: bool
    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _modules: dict[str, Any]

    # Iteration --------------------------------------------------------------------------------------------------------

    def parameters(self, recurse: bool = True) -> Iterator[Any]:
        """Iterate over the parameters of the module and its submodules.

        Args:
            recurse: whether submodules are included.

        Example:
            >>> [tuple(parameter.shape) for parameter in nn.Linear(2, 3).parameters()]
            [(3, 2), (3,)]
        """
        return (parameter for _, parameter in self.named_parameters(recurse=recurse))

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """Iterate over pairs of names and parameters.

        Args:
            prefix: put before every name.
            recurse: whether submodules are included.
            remove_duplicate: whether a parameter that has several names is given once.

        Example:
            >>> [name for name, _ in nn.Sequential(nn.Linear(2, 3)).named_parameters()]
            ['0.weight', '0.bias']
        """
        return self._named_members(lambda module: module._parameters.items(), prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Any]:
        """Iterate over the buffers of the module and its submodules.

        Args:
            recurse: whether submodules are included.

        Example:
            >>> [tuple(buffer.shape) for buffer in nn.BatchNorm1d(2).buffers()]
            [(2,), (2,), ()]
        """
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """Iterate over pairs of names and buffers.

        Args:
            prefix: put before every name.
            recurse: whether submodules are included.
            remove_duplicate: whether a buffer that has several names is given once.

        Example:
            >>> [name for name, _ in nn.BatchNorm1d(2).named_buffers()]
            ['running_mean', 'running_var', 'num_batches_tracked']
        """
        return self._named_members(lambda module: module._buffers.items(), prefix, recurse, remove_duplicate)

    def _named_members(
        self,
        get_members_fn: Callable[[Any], Any],
        prefix: str = "",
        recurse: bool = True,
        remove_duplicate: bool = True,
    ) -> Iterator[tuple[str, Any]]:
        seen: set[Any] = set()
        for start, module in self.named_modules(None, prefix, remove_duplicate) if recurse else [(prefix, self)]:
            for name, member in get_members_fn(module):
                if member is None or member in seen:
                    continue
                if remove_duplicate:
                    seen.add(member)
                yield f"{start}.{name}" if start else name, member

    def children(self) -> Iterator[Any]:
        """Iterate over the submodules of the module, without theirs.

        Example:
            >>> list(nn.Sequential(nn.ReLU(), nn.Tanh()).children())
            [ReLU(), Tanh()]
        """
        return (module for _, module in self.named_children())

    def named_children(self) -> Iterator[tuple[str, Any]]:
        """Iterate over pairs of names and submodules of the module, without theirs.

        Example:
            >>> list(nn.Sequential(nn.ReLU()).named_children())
            [('0', ReLU())]
        """
        seen: set[Any] = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def modules(self, remove_duplicate: bool = True) -> Iterator[Any]:
        """Iterate over the module and all modules inside it.

        Args:
            remove_duplicate: whether a module that has several names is given once.

        Example:
            >>> [type(module).__name__ for module in nn.Sequential(nn.ReLU()).modules()]
            ['Sequential', 'ReLU']
        """
        return (module for _, module in self.named_modules(remove_duplicate=remove_duplicate))

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """Iterate over pairs of names and modules: the module and all modules inside it.

        Args:
            memo: modules that are left out.
            prefix: put before every name.
            remove_duplicate: whether a module that has several names is given once.

        Example:
            >>> [name for name, _ in nn.Sequential(nn.ReLU()).named_modules()]
            ['', '0']
        """
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, f"{prefix}.{name}" if prefix else name, remove_duplicate)

    # Modes and gradients ----------------------------------------------------------------------------------------------

    def train(self: Self, mode: bool = True) -> Self:
        """Set training mode, in which dropout drops and normalisations use the batch.

        Args:
            mode: False for evaluation mode.

        Example:
            >>> nn.Dropout().train().training
            True
        """
        if not isinstance(mode, bool):
            raise ValueError(f"train() takes True or False, not {mode!r:.80}")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self: Self) -> Self:
        """Set evaluation mode; the same as ``train(False)``.

        Example:
            >>> nn.Dropout().eval()(ad.ones(2))
            tensor([1., 1.])
        """
        return self.train(False)

    def requires_grad_(self: Self, requires_grad: bool = True) -> Self:
        """Start (or stop) recording operations on the parameters.

        Args:
            requires_grad: whether they are recorded.

        Example:
            >>> nn.Linear(1, 1).requires_grad_(False).weight.requires_grad
            False
        """
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Reset the gradients of all parameters.

        Args:
            set_to_none: whether they become None, and not zero.

        Example:
            >>> layer = nn.Linear(1, 1)
            >>> layer(ad.ones(1)).backward()
            >>> layer.zero_grad()
            >>> layer.weight.grad is None
            True
        """
        for parameter in self.parameters():
            grad = parameter.grad
            if grad is None:
                continue
            if set_to_none:
                parameter.grad = None
                continue
            if grad.grad_fn is not None:
                grad.detach_()
            else:
                grad.requires_grad_(False)
            grad.zero_()

    # Conversion -------------------------------------------------------------------------------------------------------

    def apply(self: Self, fn: Callable[[Any], Any]) -> Self:
        """Call a function with every submodule and the module itself, innermost first.

        Args:
            fn: the function; its result is ignored.

        Example:
            >>> model = nn.Sequential(nn.ReLU()).apply(lambda module: print(type(module).__name__))
            ReLU
            Sequential
        """
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def _apply(self: Self, fn: Callable[[Any], Any], recurse: bool = True) -> Self:
        """Replace the values of all parameters, gradients and buffers by a function of them."""
        for module in self.children() if recurse else ():
            module._apply(fn)
        for parameter in self._parameters.values():
            if parameter is None:
                continue
            with no_grad():
                new = fn(parameter)
                grad = parameter.grad
                new_grad = None if grad is None else fn(grad)
            if new is not parameter:
                parameter.grad = None  # one of another dtype or device would not fit
                parameter.data = new
            if grad is not None and new_grad is not None and new_grad is not grad:
                grad.data = new_grad
                parameter.grad = grad
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def _cast(self: Self, dtype: Any) -> Self:
        return self._apply(lambda tensor: tensor.to(dtype) if tensor.is_floating_point() else tensor)

    def to(self: Self, *args: Any, **kwargs: Any) -> Self:
        """Move or cast all parameters and buffers, in place; a dtype is that of floating point and complex ones.

        Args:
            args, kwargs: a device, a dtype, both, or a tensor that has them, as for `Tensor.to`.

        Example:
            >>> nn.Linear(1, 1).to(ad.float64).weight.dtype
            adjoint.float64
        """
        device, dtype, options = _read_target(args, kwargs)
        if dtype is not None and dtype.category < 2:
            raise TypeError(f"a module can be cast to floating point and complex dtypes, not to {dtype!r}")

        def convert(tensor: Any) -> Any:
            cast = dtype is not None and (tensor.is_floating_point() or tensor.is_complex())
            given = {"device": device} if device is not None else {}
            if cast:
                given["dtype"] = dtype
            if options.get("memory_format") is not None and len(tensor.shape) in (4, 5):
                given["memory_format"] = options["memory_format"]
            return tensor.to(**given) if given else tensor

        return self._apply(convert)

    def to_empty(self: Self, *, device: Any, recurse: bool = True) -> Self:
        """Move all parameters and buffers to a device without copying their values.

        Args:
            device: where to.
            recurse: whether submodules are included.

        Example:
            >>> nn.Linear(2, 3).to_empty(device="cpu").weight.shape
            adjoint.Size([3, 2])
        """
        return self._apply(lambda tensor: ops.empty_like(tensor, device=device), recurse=recurse)

    def type(self: Self, dst_type: Any) -> Self:
        """Cast all parameters and buffers to a dtype.

        Args:
            dst_type: the dtype.

        Example:
            >>> nn.Linear(1, 1).type(ad.float64).weight.dtype
            adjoint.float64
        """
        return self._apply(lambda tensor: tensor.type(dst_type))

    def float(self: Self) -> Self:
        """Cast floating point parameters and buffers to float32.

        Example:
            >>> nn.Linear(1, 1).float().weight.dtype
            adjoint.float32
        """
        return self._cast(_dtypes.float32)

    def double(self: Self) -> Self:
        """Cast floating point parameters and buffers to float64.

        Example:
            >>> nn.Linear(1, 1).double().weight.dtype
            adjoint.float64
        """
        return self._cast(_dtypes.float64)

    def half(self: Self) -> Self:
        """Cast floating point parameters and buffers to float16.

        Example:
            >>> nn.Linear(1, 1).half().weight.dtype
            adjoint.float16
        """
        return self._cast(_dtypes.float16)

    def bfloat16(self: Self) -> Self:
        """Cast floating point parameters and buffers to bfloat16.

        Example:
            >>> nn.Linear(1, 1).bfloat16().weight.dtype
            adjoint.bfloat16
        """
        return self._cast(_dtypes.bfloat16)

    def cpu(self: Self) -> Self:
        """Move all parameters and buffers to the CPU.

        Example:
            >>> nn.Linear(1, 1).cpu().weight.device
            device(type='cpu')
        """
        return self._apply(lambda tensor: tensor.cpu())

    def cuda(self: Self, device: Any = None) -> Self:
        """Move all parameters and buffers to a GPU.

        Args:
            device: the number of the GPU. Default: the current one.
        """
        return self.to("cuda" if device is None else f"cuda:{device}" if isinstance(device, int) else device)

    def share_memory(self: Self) -> Self:
        """Return the module itself; accepted for compatibility."""
        return self


def _read_target(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
    """Read the arguments of `to`: device, dtype, and the others by name."""
    options = dict(kwargs)
    other = options.pop("tensor", options.pop("other", None))
    device, dtype = options.pop("device", None), options.pop("dtype", None)
    for arg in args:
        if isinstance(arg, Tensor):
            other = arg
        elif isinstance(arg, (str, int, Device)) and not isinstance(arg, bool):
            device = arg
        elif arg is not None and not isinstance(arg, bool):
            dtype = arg
    if other is not None:
        device, dtype = other.device, other.dtype
    return device, None if dtype is None else _dtypes.as_dtype(dtype), options
