"""NumPy's namespace for tensors: ``import adjoint.numpy as np``.

All public names of NumPy are here and mean the same. Functions of tensors are recorded; so is what NumPy's own
functions cannot see: ``np.array([x, y])``, ``np.r_[x, y]``, ``np.mean([x, y])`` for tensors x and y. Functions that
create arrays give plain NumPy arrays, which tensors take as operands.
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING

import numpy as _np
from numpy import __version__ as __version__

if _TYPE_CHECKING:  # so that editors know the names
    from numpy import *  # noqa: F403  # pyright: ignore

from adjoint.numpy import fft as fft
from adjoint.numpy import linalg as linalg
from adjoint.numpy import random as random
from adjoint.numpy._array_box import ArrayBox as ArrayBox
from adjoint.numpy._array_box import box as box
from adjoint.numpy._creation import array as array
from adjoint.numpy._creation import asarray as asarray
from adjoint.numpy._creation import c_ as c_  # pyright: ignore
from adjoint.numpy._creation import full as full
from adjoint.numpy._creation import make_diagonal as make_diagonal
from adjoint.numpy._creation import r_ as r_  # pyright: ignore
from adjoint.numpy._functions import fill_namespace as _fill_namespace
from adjoint.numpy._functions import takes_boxes as takes_boxes

asanyarray = ascontiguousarray = asfortranarray = asarray

_fill_namespace(globals(), _np)
