"""Short-time Fourier transform (STFT) and its inverse."""

from __future__ import annotations

from typing import Any

from adjoint._dispatch.declare import composite
from adjoint._dispatch.formulas import arange_like
from adjoint._dispatch.table import ops
from adjoint._ops.signal.fft import fft_fft, fft_ifft, fft_irfft, fft_rfft
from adjoint.arrays import numpy_namespace


def _lengths(name: str, n_fft: int, hop_length: int | None, win_length: int | None) -> tuple[int, int]:
    hop = n_fft // 4 if hop_length is None else hop_length
    length = n_fft if win_length is None else win_length
    if hop < 1 or not 0 < length <= n_fft:
        raise RuntimeError(
            f"{name}: the hop has to be positive and the window no longer than the transform; got hop_length={hop}, "
            f"win_length={length} and n_fft={n_fft}"
        )
    return hop, length


def _window_of(name: str, window: Any, length: int, n_fft: int, like: Any) -> Any:
    """Window of length `n_fft`, zero-padded on both sides; None if there is none."""
    if window is None:
        if length == n_fft:
            return None
        window = like.detach().new_ones((length,))
        window = ops.real(window) if window.dtype.is_complex else window
    elif tuple(window.shape) != (length,):
        raise RuntimeError(f"{name}: the window needs the shape ({length},), not {tuple(window.shape)}")
    before = (n_fft - length) // 2
    return window if length == n_fft else ops.pad(window, (before, n_fft - length - before))


@composite
def stft(
    input,
    n_fft,
    hop_length=None,
    win_length=None,
    window=None,
    center=True,
    pad_mode="reflect",
    normalized=False,
    onesided=None,
    return_complex=None,
    align_to_window=None,
):
    """Short-time Fourier transform (STFT) of a signal.

    Args:
        input: a signal, or a batch of them.
        n_fft: the length of a frame.
        hop_length: the distance between frames; by default a quarter of `n_fft`.
        win_length: the length of the window, centered in the frame; by default `n_fft`.
        window: the window function, a vector; optional.
        center: whether to pad the signal so that frames are centered at multiples of `hop_length`.
        pad_mode: the mode of that padding; see `pad`.
        normalized: whether to divide by the square root of `n_fft`.
        onesided: whether to return non-negative frequencies only; by default for real signals.
        return_complex: whether the result is complex; otherwise real and imaginary parts are along a last dimension.
        align_to_window: None or False; other values are not supported.

    Returns:
        Of shape (batch, frequencies, pieces).

    Example:
        >>> ad.stft(ad.ones(8), 4, center=False, return_complex=True).abs().shape
        adjoint.Size([3, 5])
    """
    is_complex = input.dtype.is_complex or (window is not None and window.dtype.is_complex)
    if input.dtype.category < 2 or input.ndim not in (1, 2):
        raise RuntimeError(
            f"stft needs a signal, or a batch of them, of floating point or complex numbers; got {input.dtype!r} of "
            f"shape {tuple(input.shape)}"
        )
    if return_complex is None:
        if not is_complex:
            raise RuntimeError("stft: say by return_complex what the transform of a real signal is to be")
        return_complex = True
    onesided = not is_complex if onesided is None else onesided
    if onesided and is_complex:
        raise RuntimeError("stft: negative frequencies of complex signals cannot be left out (onesided=True)")
    if center and align_to_window is not None:
        raise RuntimeError("stft: align_to_window has a meaning without center only")
    hop, length = _lengths("stft", n_fft, hop_length, win_length)
    window = _window_of("stft", window, length, n_fft, input)
    signals = input if input.ndim == 2 else input.unsqueeze(0)
    if center:
        signals = ops.pad(signals.unsqueeze(0), (n_fft // 2, n_fft // 2), pad_mode).squeeze(0)
    elif align_to_window and length < n_fft:
        raise NotImplementedError("stft: windows that are shorter than a piece are in its middle (align_to_window)")
    if signals.shape[-1] < n_fft:
        raise RuntimeError(f"stft: pieces of {n_fft} do not fit into a signal of {signals.shape[-1]} elements")
    pieces = signals.unfold(-1, n_fft, hop)
    pieces = pieces if window is None else pieces * window
    found = (fft_rfft if onesided else fft_fft)(pieces, norm="ortho" if normalized else None).mT
    found = found if input.ndim == 2 else found.squeeze(0)
    return found if return_complex else ops.view_as_real(found)


def _overlap_add(pieces, hop):
    """Overlap-add of frames (..., frames, elements) at distance `hop`."""
    *batch, count, length = pieces.shape
    places = arange_like(None, pieces, count).unsqueeze(1) * hop + arange_like(None, pieces, length)
    whole = pieces.detach().new_zeros((*batch, (count - 1) * hop + length))
    return whole.index_add(-1, places.reshape(-1), pieces.reshape(*batch, count * length))


def _pieces_of(input, n_fft, normalized, onesided, return_complex):
    """Frames (batch, frames, elements) from their transforms."""
    norm = "ortho" if normalized else None
    turned = input.mT
    if return_complex:
        if onesided:
            raise RuntimeError("istft: a complex signal needs all frequencies, not onesided=True")
        return fft_ifft(turned, norm=norm)
    return fft_irfft(turned if onesided else turned[..., : n_fft // 2 + 1], n_fft, norm=norm)


@composite
def istft(
    input,
    n_fft,
    hop_length=None,
    win_length=None,
    window=None,
    center=True,
    normalized=False,
    onesided=None,
    length=None,
    return_complex=False,
):
    """Inverse short-time Fourier transform (least squares); see `stft`.

    Args:
        input: the STFT, complex, of shape (frequencies, frames), or a batch of them.
        length: the length of the signal; what the frames do not cover is zero.
        return_complex: whether the signal is complex.

    Example:
        >>> x, window = ad.tensor([1.0, 2.0, 3.0, 4.0]), ad.hann_window(4)
        >>> ad.istft(ad.stft(x, 4, window=window, return_complex=True), 4, window=window)
        tensor([1., 2., 3., 4.])
    """
    hop, width = _lengths("istft", n_fft, hop_length, win_length)
    if not input.dtype.is_complex or input.ndim not in (2, 3) or not input.numel():
        raise RuntimeError(
            f"istft needs complex numbers of shape (frequencies, pieces), or a batch of them; got {input.dtype!r} of "
            f"shape {tuple(input.shape)}"
        )
    onesided = input.shape[-2] != n_fft if onesided is None else onesided
    expected = n_fft // 2 + 1 if onesided else n_fft
    if input.shape[-2] != expected or hop > width:
        raise RuntimeError(
            f"istft: with n_fft={n_fft} and onesided={onesided} there are {expected} frequencies, not "
            f"{input.shape[-2]}, and the hop, {hop}, is at most the window's length, {width}"
        )
    pieces = _pieces_of(input, n_fft, normalized, onesided, return_complex)
    window = _window_of("istft", window, width, n_fft, pieces)
    window = pieces.detach().new_ones((n_fft,)) if window is None else window
    if window.dtype.is_complex and not return_complex:
        raise RuntimeError("istft: a complex window needs return_complex=True")
    signals = _overlap_add(pieces * window, hop)
    weights = _overlap_add((window * window).expand(input.shape[-1], n_fft), hop)
    begin = n_fft // 2 if center else 0
    known = signals.shape[-1]
    end = begin + length if length is not None else known - (n_fft // 2 if center else 0)
    signals, weights = signals[..., begin:end], weights[begin:end]
    smallest = weights.detach().abs()
    if smallest._spec.namespace is numpy_namespace and smallest.numel() and float(smallest.min()) < 1e-11:
        raise RuntimeError("istft: there are places that no window covers, so the signal is not known there")
    found = signals / weights
    return found if end <= known else ops.pad(found, (0, end - max(known, begin)))
