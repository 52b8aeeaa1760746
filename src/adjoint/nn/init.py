"""Initial values of parameters: PyTorch's `torch.nn.init`. Each function fills a tensor in place, unrecorded."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any

from adjoint._core.modes import no_grad
from adjoint._dispatch.table import ops

_LINEAR = "linear conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d sigmoid".split()


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The gain by which weights before a nonlinearity are scaled.

    Args:
        nonlinearity: its name in `nn.functional`.
        param: the negative slope of ``leaky_relu``. Default: 0.01.

    Example:
        >>> nn.init.calculate_gain("tanh")
        1.6666666666666667
    """
    if nonlinearity in _LINEAR:
        return 1.0
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ValueError(f"the negative slope of leaky_relu is a number, not {slope!r:.80}")
        return math.sqrt(2.0 / (1 + slope**2))
    gains = {"tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}
    if nonlinearity not in gains:
        raise ValueError(
            f"there is no gain for {nonlinearity!r}; use one of {', '.join([*_LINEAR, *gains])}, leaky_relu"
        )
    return gains[nonlinearity]


def _fills(function: Callable[..., Any]) -> Any:
    """Make a function that fills a tensor run unrecorded, and return the tensor."""

    @wraps(function)
    def fill(tensor: Any, *args: Any, **kwargs: Any) -> Any:
        with no_grad():
            function(tensor, *args, **kwargs)
        return tensor

    return fill


@_fills
def uniform_(tensor: Any, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Any:
    """Fill with values of the uniform distribution between two bounds.

    Args:
        tensor: what to fill.
        a, b: the bounds.
        generator: the random numbers to use.

    Example:
        >>> bool((nn.init.uniform_(ad.empty(9), 1, 2) >= 1).all())
        True
    """
    tensor.uniform_(a, b, generator=generator)


@_fills
def normal_(tensor: Any, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Any:
    """Fill with values of a normal distribution.

    Args:
        tensor: what to fill.
        mean, std: mean and standard deviation.
        generator: the random numbers to use.

    Example:
        >>> nn.init.normal_(ad.empty(2), 5.0, 0.0)
        tensor([5., 5.])
    """
    tensor.normal_(mean, std, generator=generator)


@_fills
def trunc_normal_(
    tensor: Any, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, generator: Any = None
) -> Any:
    """Fill with values of a normal distribution that lie between two bounds.

    Args:
        tensor: what to fill.
        mean, std: mean and standard deviation of the normal distribution.
        a, b: the bounds.
        generator: the random numbers to use.

    Example:
        >>> bool((nn.init.trunc_normal_(ad.empty(99)).abs() <= 2).all())
        True
    """
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(f"the mean {mean} is far outside of the bounds {a}, {b}; values may be wrong", stacklevel=4)
    low, high = (math.erf((bound - mean) / (std * math.sqrt(2.0))) for bound in (a, b))
    tensor.uniform_(low, high, generator=generator)
    tensor.erfinv_().mul_(std * math.sqrt(2.0)).add_(mean).clamp_(min=a, max=b)


@_fills
def constant_(tensor: Any, val: float) -> Any:
    """Fill with one value.

    Args:
        tensor: what to fill.
        val: the value.

    Example:
        >>> nn.init.constant_(ad.empty(2), 0.5)
        tensor([0.5000, 0.5000])
    """
    tensor.fill_(val)


@_fills
def ones_(tensor: Any) -> Any:
    """Fill with ones.

    Args:
        tensor: what to fill.

    Example:
        >>> nn.init.ones_(ad.empty(2))
        tensor([1., 1.])
    """
    tensor.fill_(1.0)


@_fills
def zeros_(tensor: Any) -> Any:
    """Fill with zeros.

    Args:
        tensor: what to fill.

    Example:
        >>> nn.init.zeros_(ad.empty(2))
        tensor([0., 0.])
    """
    tensor.zero_()


@_fills
def eye_(tensor: Any) -> Any:
    """Fill with the identity matrix.

    Args:
        tensor: what to fill; it has two dimensions.

    Example:
        >>> nn.init.eye_(ad.empty(2, 2))
        tensor([[1., 0.],
                [0., 1.]])
    """
    if tensor.ndim != 2:
        raise ValueError(f"eye_() fills a matrix, not a tensor of shape {tuple(tensor.shape)}")
    tensor.copy_(ops.eye(*tensor.shape, dtype=tensor.dtype, device=tensor.device))


@_fills
def dirac_(tensor: Any, groups: int = 1) -> Any:
    """Fill the weight of a convolution so that it keeps its input, as far as there are channels.

    Args:
        tensor: what to fill; it has three to five dimensions.
        groups: the number of groups of the convolution.

    Example:
        >>> nn.init.dirac_(ad.empty(1, 1, 3))
        tensor([[[0., 1., 0.]]])
    """
    if tensor.ndim not in (3, 4, 5):
        raise ValueError(f"dirac_() fills three to five dimensions, not a tensor of shape {tuple(tensor.shape)}")
    if tensor.shape[0] % groups:
        raise ValueError(f"the first dimension, {tensor.shape[0]}, has to be divisible by the {groups} groups")
    per_group = tensor.shape[0] // groups
    centre = tuple(length // 2 for length in tensor.shape[2:])
    tensor.zero_()
    for group in range(groups):
        for channel in range(min(per_group, tensor.shape[1])):
            tensor[(group * per_group + channel, channel, *centre)] = 1


def _calculate_fan_in_and_fan_out(tensor: Any) -> tuple[int, int]:
    """How many inputs an output of a weight has, and how many outputs an input has."""
    if tensor.ndim < 2:
        raise ValueError(f"fan in and fan out need at least two dimensions; the shape is {tuple(tensor.shape)}")
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


def _calculate_correct_fan(tensor: Any, mode: str) -> int:
    modes = ("fan_in", "fan_out")
    if mode.lower() not in modes:
        raise ValueError(f"mode is 'fan_in' or 'fan_out', not {mode!r:.80}")
    return _calculate_fan_in_and_fan_out(tensor)[modes.index(mode.lower())]


@_fills
def xavier_uniform_(tensor: Any, gain: float = 1.0, generator: Any = None) -> Any:
    """Fill with uniform values that keep variances the same both ways (Glorot and Bengio, 2010).

    Args:
        tensor: what to fill.
        gain: a factor; see `calculate_gain`.
        generator: the random numbers to use.

    Example:
        >>> bool((nn.init.xavier_uniform_(ad.empty(3, 3)).abs() <= 1).all())
        True
    """
    bound = gain * math.sqrt(6.0 / sum(_calculate_fan_in_and_fan_out(tensor)))
    tensor.uniform_(-bound, bound, generator=generator)


@_fills
def xavier_normal_(tensor: Any, gain: float = 1.0, generator: Any = None) -> Any:
    """Fill with normal values that keep variances the same both ways (Glorot and Bengio, 2010).

    Args:
        tensor: what to fill.
        gain: a factor; see `calculate_gain`.
        generator: the random numbers to use.

    Example:
        >>> nn.init.xavier_normal_(ad.empty(3, 3)).shape
        adjoint.Size([3, 3])
    """
    tensor.normal_(0.0, gain * math.sqrt(2.0 / sum(_calculate_fan_in_and_fan_out(tensor))), generator=generator)


@_fills
def kaiming_uniform_(
    tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Any:
    """Fill with uniform values so that variances stay the same through rectifiers (He and others, 2015).

    Args:
        tensor: what to fill.
        a: the negative slope of the rectifier.
        mode: ``'fan_in'`` for the same variances forwards, ``'fan_out'`` backwards.
        nonlinearity: see `calculate_gain`.
        generator: the random numbers to use.

    Example:
        >>> bool((nn.init.kaiming_uniform_(ad.empty(3, 6)).abs() <= 1).all())
        True
    """
    if 0 in tensor.shape:
        warnings.warn("a tensor without elements is not initialised", stacklevel=4)
        return
    bound = calculate_gain(nonlinearity, a) * math.sqrt(3.0 / _calculate_correct_fan(tensor, mode))
    tensor.uniform_(-bound, bound, generator=generator)


@_fills
def kaiming_normal_(
    tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Any:
    """Fill with normal values so that variances stay the same through rectifiers (He and others, 2015).

    Args:
        tensor: what to fill.
        a: the negative slope of the rectifier.
        mode: ``'fan_in'`` for the same variances forwards, ``'fan_out'`` backwards.
        nonlinearity: see `calculate_gain`.
        generator: the random numbers to use.

    Example:
        >>> nn.init.kaiming_normal_(ad.empty(3, 6)).shape
        adjoint.Size([3, 6])
    """
    if 0 in tensor.shape:
        warnings.warn("a tensor without elements is not initialised", stacklevel=4)
        return
    std = calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode))
    tensor.normal_(0.0, std, generator=generator)


@_fills
def orthogonal_(tensor: Any, gain: float = 1, generator: Any = None) -> Any:
    """Fill with an orthogonal matrix; the dimensions after the first count as one.

    Args:
        tensor: what to fill.
        gain: a factor.
        generator: the random numbers to use.

    Example:
        >>> q = nn.init.orthogonal_(ad.empty(2, 3))
        >>> bool(ad.allclose(q @ q.mT, ad.eye(2), atol=1e-6))
        True
    """
    if tensor.ndim < 2:
        raise ValueError(f"orthogonal_() needs at least two dimensions; the shape is {tuple(tensor.shape)}")
    if not tensor.numel():
        return
    rows = tensor.shape[0]
    columns = tensor.numel() // rows
    flat = ops.empty((rows, columns), dtype=tensor.dtype, device=tensor.device).normal_(0, 1, generator=generator)
    q, r = ops.linalg_qr(flat.mT if rows < columns else flat)
    q = q * ops.sign(ops.diagonal(r))
    tensor.copy_((q.mT if rows < columns else q).reshape(tensor.shape)).mul_(gain)


@_fills
def sparse_(tensor: Any, sparsity: float, std: float = 0.01, generator: Any = None) -> Any:
    """Fill with normal values, and a share of zeros in each column.

    Args:
        tensor: what to fill; it has two dimensions.
        sparsity: the share of zeros.
        std: the standard deviation of the others.
        generator: the random numbers to use.

    Example:
        >>> (nn.init.sparse_(ad.empty(4, 2), 0.5) == 0).sum(0)
        tensor([2, 2])
    """
    if tensor.ndim != 2:
        raise ValueError(f"sparse_() fills a matrix, not a tensor of shape {tuple(tensor.shape)}")
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    tensor.normal_(0, std, generator=generator)
    for column in range(columns):
        tensor[ops.randperm(rows, generator=generator)[:zeros], column] = 0


def _deprecate(fill: Callable[..., Any]) -> Callable[..., Any]:
    """Make the older name of a function, which warns."""
    name = fill.__name__

    @wraps(fill)
    def older(*args: Any, **kwargs: Any) -> Any:
        warnings.warn(f"nn.init.{name[:-1]} is now called nn.init.{name}", FutureWarning, stacklevel=2)
        return fill(*args, **kwargs)

    older.__name__ = name[:-1]
    return older


uniform, normal, constant, eye, dirac = map(_deprecate, (uniform_, normal_, constant_, eye_, dirac_))
xavier_uniform, xavier_normal = _deprecate(xavier_uniform_), _deprecate(xavier_normal_)
kaiming_uniform, kaiming_normal = _deprecate(kaiming_uniform_), _deprecate(kaiming_normal_)
orthogonal, sparse = _deprecate(orthogonal_), _deprecate(sparse_)
