# Written by `make stubs` from the operator table; do not edit.
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
    """The discrete Fourier transform along one dimension."""

def fft2(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] = (-2, -1),
) -> Tensor:
    """`fftn` along two dimensions, by default the last ones."""

def fftfreq(
    n: int,
    d: float = 1.0,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The frequencies that the elements of `fft` belong to."""

def fftn(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] | None = None,
) -> Tensor:
    """The discrete Fourier transform along several dimensions."""

def fftshift(
    input: Tensor,
    dim: int | Sequence[int] | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] | None = None,
) -> Tensor:
    """The elements of a spectrum rearranged so that frequency zero is in the middle."""

def hfft(
    input: Tensor,
    n: int | None = None,
    dim: int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int = -1,
) -> Tensor:
    """`fft` of a signal of which the second half is the conjugate of the first, which is given; the result is real."""

def hfft2(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] = (-2, -1),
) -> Tensor:
    """`hfftn` along two dimensions, by default the last ones."""

def hfftn(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] | None = None,
) -> Tensor:
    """`hfft` along the last of several dimensions and `fft` along the others."""

def ifft(
    input: Tensor,
    n: int | None = None,
    dim: int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int = -1,
) -> Tensor:
    """The inverse of `fft`."""

def ifft2(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] = (-2, -1),
) -> Tensor:
    """The inverse of `fft2`."""

def ifftn(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] | None = None,
) -> Tensor:
    """The inverse of `fftn`."""

def ifftshift(
    input: Tensor,
    dim: int | Sequence[int] | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] | None = None,
) -> Tensor:
    """The inverse of `fftshift`."""

def ihfft(
    input: Tensor,
    n: int | None = None,
    dim: int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int = -1,
) -> Tensor:
    """The inverse of `hfft`."""

def ihfft2(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] = (-2, -1),
) -> Tensor:
    """The inverse of `hfft2`."""

def ihfftn(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] | None = None,
) -> Tensor:
    """The inverse of `hfftn`."""

def irfft(
    input: Tensor,
    n: int | None = None,
    dim: int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int = -1,
) -> Tensor:
    """The inverse of `rfft`."""

def irfft2(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] = (-2, -1),
) -> Tensor:
    """The inverse of `rfft2`."""

def irfftn(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] | None = None,
) -> Tensor:
    """The inverse of `rfftn`."""

def rfft(
    input: Tensor,
    n: int | None = None,
    dim: int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int = -1,
) -> Tensor:
    """`fft` of real numbers: the first ``n // 2 + 1`` elements of the result, of which the others are conjugates."""

def rfft2(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] = (-2, -1),
) -> Tensor:
    """`rfftn` along two dimensions, by default the last ones."""

def rfftfreq(
    n: int,
    d: float = 1.0,
    *,
    dtype: DtypeLike | None = None,
    device: DeviceLike | None = None,
    requires_grad: bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The frequencies that the elements of `rfft` belong to."""

def rfftn(
    input: Tensor,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
    axis: int | Sequence[int] | None = None,
) -> Tensor:
    """`fftn` of real numbers: the half along the last dimension that determines the rest."""
