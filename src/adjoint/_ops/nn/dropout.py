"""Random layers: dropout and its variants, Gumbel-softmax.

Random numbers are constants for derivatives. Under `vmap`, `randomness` decides whether samples differ.
"""

from __future__ import annotations

import math
from typing import Any

from adjoint import _dtypes
from adjoint._core.tensor import wrap
from adjoint._core.warn import warn
from adjoint._dispatch.declare import composite
from adjoint._ops.creation.random import bernoulli_array, uniform_array

# ---- dropout ---------------------------------------------------------------------------------------------------------


def _draw_mask(input: Any, p: float, shape: tuple[int, ...]) -> Any:
    """Random mask: zero with probability `p`, otherwise one."""
    return wrap(bernoulli_array(1 - p, shape, input))


def _is_active(p: float, training: bool) -> bool:
    if not 0 <= p <= 1:
        raise ValueError(f"the probability of dropout has to be between 0 and 1, not {p}")
    return training and p > 0


def _drop(input: Any, p: float, shape: tuple[int, ...], inplace: bool) -> Any:
    """Apply dropout: zero with probability `p`, and rescale to keep the mean."""
    kept = _draw_mask(input, p, shape)
    factor = kept / (1 - p) if p < 1 else kept
    return input.mul_(factor) if inplace else input * factor


def _saturate(input: Any, p: float, shape: tuple[int, ...], inplace: bool) -> Any:
    """Apply alpha dropout: the saturation value of `selu` with probability `p`; mean and variance are kept."""
    kept = _draw_mask(input, p, shape)
    scale = 1 / math.sqrt((_SATURATED**2 * p + 1) * (1 - p)) if p < 1 else 0.0
    shift = ((kept - 1) + p) * (_SATURATED * scale)
    factor = kept * scale
    return input.mul_(factor).add_(shift) if inplace else input * factor + shift


_SATURATED = 1.7580993408473766  # the scale of selu times its alpha


def _channels(input: Any) -> tuple[int, ...]:
    """The shape of one number for each channel of each sample."""
    if input.ndim < 2:
        raise RuntimeError(f"channels are dimension 1 of a tensor; this one has shape {tuple(input.shape)}")
    return (*input.shape[:2], *(1,) * (input.ndim - 2))


@composite(method=False)
def dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Dropout: set elements to zero at random and rescale the others.

    Args:
        p: the probability that an element is dropped.

    Example:
        >>> ad.dropout(ad.ones(2), p=0.9, training=False)
        tensor([1., 1.])
    """
    return _drop(input, p, tuple(input.shape), inplace) if _is_active(p, training) else input


@composite(method=False)
def feature_dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Dropout of whole channels: the slices along dimensions 0 and 1.

    Args:
        input: the tensor, as (samples, channels, ...).
        p: the probability that a channel is dropped.
    """
    return _drop(input, p, _channels(input), inplace) if _is_active(p, training) else input


@composite(method=False)
def alpha_dropout(input: Any, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    """Alpha dropout, which keeps mean and variance; for networks with `selu`.

    Args:
        p: the probability that an element is dropped.
    """
    return _saturate(input, p, tuple(input.shape), inplace) if _is_active(p, training) else input


@composite(method=False)
def feature_alpha_dropout(input: Any, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    """Alpha dropout of whole channels: the slices along dimensions 0 and 1.

    Args:
        input: the tensor, as (samples, channels, ...).
        p: the probability that a channel is dropped.
    """
    return _saturate(input, p, _channels(input), inplace) if _is_active(p, training) else input


def _check_channels(input: Any, count: int) -> None:
    """Refuse shapes that dropout of channels does not take; as in PyTorch, two and three dimensions only warn."""
    if input.ndim not in (count + 1, count + 2):
        message = (
            f"dropout{count}d takes (samples, channels, ...) or (channels, ...) with {count} further dimensions, "
            f"not shape {tuple(input.shape)}"
        )
        if count == 1:
            raise RuntimeError(message)
        warn(f"{message}; channels are dimension 1 of it")
    elif count == 2 and input.ndim == 3:
        warn(
            "dropout2d takes three dimensions for (samples, channels, length), as PyTorch does; use dropout1d if "
            "that is meant, or unsqueeze(0) for (channels, height, width)"
        )


def _for_dimensions(count: int) -> Any:
    def drop_channels(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
        _check_channels(input, count)
        alone = input.ndim == count + 1 and count != 2
        shown = input.unsqueeze(0) if alone else input
        result = feature_dropout(shown, p, training, inplace)
        return input if inplace else result.squeeze(0) if alone else result

    drop_channels.__name__ = drop_channels.__qualname__ = f"dropout{count}d"
    drop_channels.__doc__ = f"""Dropout of whole channels ({count}D feature maps).

        Args:
            input: the tensor, as (samples, channels, ...), or as (channels, ...) where unambiguous.
            p: the probability that a channel is dropped.
        """
    return composite(drop_channels, method=False)


dropout1d, dropout2d, dropout3d = (_for_dimensions(count) for count in (1, 2, 3))


def _in_place(function: Any) -> None:
    def change_in_place(input: Any, p: float = 0.5, training: bool = True) -> Any:
        return function(input, p, training, True)

    change_in_place.__name__ = change_in_place.__qualname__ = f"{function.__name__}_"
    change_in_place.__doc__ = f"In-place version of `{function.__name__}`."
    composite(change_in_place, method=False)


for _function in (dropout, feature_dropout, alpha_dropout, feature_alpha_dropout):
    _in_place(_function)


# ---- other layers ----------------------------------------------------------------------------------------------------


@composite(method=False)
def gumbel_softmax(logits: Any, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Any:
    """Gumbel-softmax: differentiable samples from a categorical distribution given by logits.

    Args:
        logits: the unnormalized log-probabilities.
        tau: the temperature; low ones give almost one-hot samples.
        hard: whether samples are one-hot, with the gradient of the soft ones.
        eps: accepted for compatibility.
        dim: the dimension of the categories.
    """
    chance = wrap(uniform_array(tuple(logits.shape), logits))
    tiny = _dtypes.finfo(logits.dtype).tiny
    noise = -(-(1 - chance).clamp(min=tiny).log()).clamp(min=tiny).log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    best = soft.detach().argmax(dim, True)
    return soft.new_zeros(soft.shape).scatter(dim, best, 1.0) - soft.detach() + soft
