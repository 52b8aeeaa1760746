"""`numpy.linalg` for tensors."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

import numpy as _np

from adjoint.numpy._functions import fill_namespace as _fill_namespace

if _TYPE_CHECKING:  # so that editors know the names
    from numpy.linalg import *  # noqa: F403  # pyright: ignore

_fill_namespace(globals(), _np.linalg)
