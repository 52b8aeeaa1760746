"""`numpy.linalg` for tensors."""

import numpy as _np

from adjoint.numpy._functions import fill_namespace as _fill_namespace

_fill_namespace(globals(), _np.linalg)
