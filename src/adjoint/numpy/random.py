"""`numpy.random`, unchanged: random numbers are plain NumPy arrays."""

import numpy as _np

from adjoint.numpy._functions import fill_namespace as _fill_namespace

_fill_namespace(globals(), _np.random)
