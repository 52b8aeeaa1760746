"""`numpy.fft` for tensors."""

from typing import Any as _Any

import numpy as _np

from adjoint.numpy._functions import fill_namespace as _fill_namespace


def fftfreq(n: int, d: _Any = 1.0, device: _Any = None) -> _Any:
    """NumPy's `fftfreq`; the sample spacing may be a tensor.

    Args:
        n: length of the window.
        d: sample spacing.
        device: as in NumPy.

    Example:
        >>> import adjoint.numpy as np
        >>> np.fft.fftfreq(4, ad.tensor(0.5))
        tensor([ 0.0000,  0.5000, -1.0000, -0.5000], dtype=adjoint.float64)
    """
    return _np.fft.fftfreq(n, device=device) / d


def rfftfreq(n: int, d: _Any = 1.0, device: _Any = None) -> _Any:
    """NumPy's `rfftfreq`; the sample spacing may be a tensor.

    Args:
        n, d, device: as for `fftfreq`.

    Example:
        >>> import adjoint.numpy as np
        >>> np.fft.rfftfreq(4, 0.5)
        array([0. , 0.5, 1. ])
    """
    return _np.fft.rfftfreq(n, device=device) / d


_fill_namespace(globals(), _np.fft)
