# Written by `make generate` from the operator table; do not edit.
"""Discrete Fourier transforms: PyTorch's `torch.fft`."""

from collections.abc import Sequence

from adjoint._typing import DeviceLike, DtypeLike, Tensor

def fft(
    input: Tensor,
    n: int | None = None,
    dim: int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int = -1,
) -> Tensor:
    """Discrete Fourier transform (DFT) along a dimension."""

def fft2(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] = (-2, -1),
) -> Tensor:
    """Discrete Fourier transform along two dimensions."""

def fftfreq(
    n: int,
    d: float = 1.0,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Sample frequencies of the discrete Fourier transform."""

def fftn(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] | None = None,
) -> Tensor:
    """Discrete Fourier transform along several dimensions."""

def fftshift(
    input: Tensor,
    dim: int | Sequence[int] | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] | None = None,
) -> Tensor:
    """Shift the zero frequency to the center of the spectrum."""

def hfft(
    input: Tensor,
    n: int | None = None,
    dim: int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int = -1,
) -> Tensor:
    """Discrete Fourier transform of a Hermitian signal, given by its first half; the result is real."""

def hfft2(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] = (-2, -1),
) -> Tensor:
    """Discrete Fourier transform of a Hermitian signal along two dimensions; the result is real."""

def hfftn(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] | None = None,
) -> Tensor:
    """Discrete Fourier transform of a Hermitian signal along several dimensions; the result is real."""

def ifft(
    input: Tensor,
    n: int | None = None,
    dim: int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int = -1,
) -> Tensor:
    """Inverse discrete Fourier transform along a dimension."""

def ifft2(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] = (-2, -1),
) -> Tensor:
    """Inverse discrete Fourier transform along two dimensions."""

def ifftn(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] | None = None,
) -> Tensor:
    """Inverse discrete Fourier transform along several dimensions."""

def ifftshift(
    input: Tensor,
    dim: int | Sequence[int] | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] | None = None,
) -> Tensor:
    """Inverse of `fft.fftshift`."""

def ihfft(
    input: Tensor,
    n: int | None = None,
    dim: int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int = -1,
) -> Tensor:
    """Inverse of `fft.hfft`."""

def ihfft2(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] = (-2, -1),
) -> Tensor:
    """Inverse of `fft.hfft2`."""

def ihfftn(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] | None = None,
) -> Tensor:
    """Inverse of `fft.hfftn`."""

def irfft(
    input: Tensor,
    n: int | None = None,
    dim: int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int = -1,
) -> Tensor:
    """Inverse of `fft.rfft`: real output from the non-negative frequencies."""

def irfft2(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] = (-2, -1),
) -> Tensor:
    """Inverse of `fft.rfft2`: real output."""

def irfftn(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] | None = None,
) -> Tensor:
    """Inverse of `fft.rfftn`: real output."""

def rfft(
    input: Tensor,
    n: int | None = None,
    dim: int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int = -1,
) -> Tensor:
    """Discrete Fourier transform of real input along a dimension: the non-negative frequencies."""

def rfft2(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] = (-2, -1),
) -> Tensor:
    """Discrete Fourier transform of real input along two dimensions."""

def rfftfreq(
    n: int,
    d: float = 1.0,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Sample frequencies of the discrete Fourier transform of real input."""

def rfftn(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] | None = None,
) -> Tensor:
    """Discrete Fourier transform of real input along several dimensions."""
