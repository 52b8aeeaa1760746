"""Gradients of convolutions by their input and weight: `conv1d_input`, `conv1d_weight` and so on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from adjoint._core.modes import enable_grad, is_grad_enabled
from adjoint._core.tensor import Tensor
from adjoint._dispatch.table import ops
from adjoint.autograd import grad

__all__ = ["conv1d_input", "conv1d_weight", "conv2d_input", "conv2d_weight", "conv3d_input", "conv3d_weight"]


def __dir__() -> list[str]:
    return __all__


def _make_by_input(convolve: str) -> Callable[..., Tensor]:
    def by_input(
        input_size: Sequence[int],
        weight: Tensor,
        grad_output: Tensor,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> Tensor:
        recorded = _is_recorded(weight, grad_output)
        with enable_grad():
            input = grad_output.new_zeros(input_size).requires_grad_()
            output = getattr(ops, convolve)(input, weight, None, stride, padding, dilation, groups)
            return grad(output, input, grad_output, create_graph=recorded)[0]

    by_input.__name__ = by_input.__qualname__ = f"{convolve}_input"
    by_input.__doc__ = f"""Gradient of `{convolve}` by its input.

    Args:
        input_size: the shape of the input.
        weight: the filters.
        grad_output: the gradient of the output.
        stride, padding, dilation, groups: as of `{convolve}`.

    Example:
        >>> weight = ad.ones({_ones(convolve)})
        >>> ad.nn.grad.{convolve}_input({_ones(convolve)}, weight, ad.ones({_ones(convolve)})).item()
        1.0
    """
    return by_input


def _make_by_weight(convolve: str) -> Callable[..., Tensor]:
    def by_weight(
        input: Tensor,
        weight_size: Sequence[int],
        grad_output: Tensor,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> Tensor:
        recorded = _is_recorded(input, grad_output)
        with enable_grad():
            weight = grad_output.new_zeros(weight_size).requires_grad_()
            output = getattr(ops, convolve)(input, weight, None, stride, padding, dilation, groups)
            return grad(output, weight, grad_output, create_graph=recorded)[0]

    by_weight.__name__ = by_weight.__qualname__ = f"{convolve}_weight"
    by_weight.__doc__ = f"""Gradient of `{convolve}` by its weight.

    Args:
        input: the input.
        weight_size: the shape of the weight.
        grad_output: the gradient of the output.
        stride, padding, dilation, groups: as of `{convolve}`.

    Example:
        >>> input = ad.ones({_ones(convolve)})
        >>> ad.nn.grad.{convolve}_weight(input, {_ones(convolve)}, ad.ones({_ones(convolve)})).item()
        1.0
    """
    return by_weight


def _ones(convolve: str) -> str:
    """The shape of one element, for the examples."""
    return str((1,) * (int(convolve[4]) + 2))


def _is_recorded(*tensors: Tensor) -> bool:
    return is_grad_enabled() and any(tensor.requires_grad for tensor in tensors)


conv1d_input, conv2d_input, conv3d_input = map(_make_by_input, ("conv1d", "conv2d", "conv3d"))
conv1d_weight, conv2d_weight, conv3d_weight = map(_make_by_weight, ("conv1d", "conv2d", "conv3d"))
