"""Discrete Fourier transforms: PyTorch's `torch.fft`."""

from adjoint._dispatch.table import fill_section as _fill_section

_fill_section(globals(), "fft_")
