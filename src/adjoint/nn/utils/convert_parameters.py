"""Parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from adjoint._core.modes import no_grad
from adjoint._dispatch.table import ops
from adjoint._tensor.methods import Tensor


def parameters_to_vector(parameters: Iterable[Any]) -> Any:
    """Join parameters to one vector; recorded.

    Args:
        parameters: the parameters.

    Example:
        >>> nn.utils.parameters_to_vector(nn.Linear(2, 3).parameters()).shape
        adjoint.Size([9])
    """
    given = list(parameters)
    _check_devices(given)
    return ops.cat([parameter.reshape(-1) for parameter in given])


def vector_to_parameters(vec: Any, parameters: Iterable[Any]) -> None:
    """Give parameters the values of a vector.

    Args:
        vec: the vector.
        parameters: the parameters, whose values are replaced.

    Example:
        >>> layer = nn.Linear(1, 1)
        >>> nn.utils.vector_to_parameters(ad.tensor([3.0, 4.0]), layer.parameters())
        >>> layer.bias
        Parameter containing:
        tensor([4.], requires_grad=True)
    """
    if not isinstance(vec, Tensor):
        raise TypeError(f"vector_to_parameters() takes a tensor, not a {type(vec).__name__}")
    given = list(parameters)
    _check_devices(given)
    begin = 0
    with no_grad():
        for parameter in given:
            end = begin + parameter.numel()
            parameter.data = vec[begin:end].reshape(parameter.shape).clone()
            begin = end


def _check_devices(parameters: list[Any]) -> None:
    devices = {str(parameter.device) for parameter in parameters}
    if len(devices) > 1:
        raise TypeError(f"the parameters are on different devices: {', '.join(sorted(devices))}")
