"""PyTorch's autograd on its own, over any array library.

The public namespace: what is imported below by name, and every operator of the table, under its own name and under its
further ones. Operators called ``linalg_inv`` and ``fft_rfft`` are `linalg.inv` and `fft.rfft`.
"""

# The names of operators and dtypes include Python's own (`sum`, `bool`); inside the package they are never imported
# from here, and the star import leaves them out.

import builtins as _builtins
import importlib as _importlib
import sys as _sys
from math import e as e
from math import inf as inf
from math import nan as nan
from math import pi as pi
from types import ModuleType as _Module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from adjoint import _dtypes as _dtypes
from adjoint import _tensor as _tensor  # first of the larger ones: it pauses the garbage collector
from adjoint import arrays as arrays
from adjoint import autograd as autograd
from adjoint._core.anomaly import is_anomaly_check_nan_enabled as is_anomaly_check_nan_enabled
from adjoint._core.anomaly import is_anomaly_enabled as is_anomaly_enabled
from adjoint._core.anomaly import set_anomaly_enabled as set_anomaly_enabled
from adjoint._core.modes import enable_grad as enable_grad
from adjoint._core.modes import inference_mode as inference_mode
from adjoint._core.modes import is_grad_enabled as is_grad_enabled
from adjoint._core.modes import is_inference_mode_enabled as is_inference_mode_enabled
from adjoint._core.modes import no_grad as no_grad
from adjoint._core.modes import set_grad_enabled as set_grad_enabled
from adjoint._core.size import Size as Size
from adjoint._core.size import contiguous_format as contiguous_format
from adjoint._core.size import layout as layout
from adjoint._core.size import memory_format as memory_format
from adjoint._core.size import preserve_format as preserve_format
from adjoint._core.size import strided as strided
from adjoint._dispatch import table as _late
from adjoint._dispatch.errors import LinAlgError as LinAlgError
from adjoint._dispatch.errors import OperatorError as OperatorError
from adjoint._dispatch.inplace import FUNCTIONS as _in_place_functions
from adjoint._dispatch.promotion import result_type as result_type
from adjoint._dispatch.table import composites as _composites
from adjoint._dispatch.table import methods as _methods
from adjoint._dispatch.table import table as _table
from adjoint._dtypes import bfloat16 as bfloat16
from adjoint._dtypes import can_cast as can_cast
from adjoint._dtypes import complex64 as complex64
from adjoint._dtypes import complex128 as complex128
from adjoint._dtypes import dtype as dtype
from adjoint._dtypes import finfo as finfo
from adjoint._dtypes import float16 as float16
from adjoint._dtypes import float32 as float32
from adjoint._dtypes import float64 as float64
from adjoint._dtypes import get_default_dtype as get_default_dtype
from adjoint._dtypes import iinfo as iinfo
from adjoint._dtypes import int8 as int8
from adjoint._dtypes import int16 as int16
from adjoint._dtypes import int32 as int32
from adjoint._dtypes import int64 as int64
from adjoint._dtypes import promote_types as promote_types
from adjoint._dtypes import set_default_dtype as set_default_dtype
from adjoint._dtypes import uint8 as uint8
from adjoint._dtypes import uint16 as uint16
from adjoint._dtypes import uint32 as uint32
from adjoint._dtypes import uint64 as uint64
from adjoint._ops.creation.ranges import arange as arange
from adjoint._ops.creation.ranges import eye as eye
from adjoint._ops.creation.ranges import linspace as linspace
from adjoint._ops.creation.ranges import logspace as logspace
from adjoint._ops.creation.tensors import as_tensor as as_tensor
from adjoint._ops.creation.tensors import asarray as asarray
from adjoint._ops.creation.tensors import empty as empty
from adjoint._ops.creation.tensors import empty_like as empty_like
from adjoint._ops.creation.tensors import empty_strided as empty_strided
from adjoint._ops.creation.tensors import from_dlpack as from_dlpack
from adjoint._ops.creation.tensors import from_numpy as from_numpy
from adjoint._ops.creation.tensors import frombuffer as frombuffer
from adjoint._ops.creation.tensors import full as full
from adjoint._ops.creation.tensors import full_like as full_like
from adjoint._ops.creation.tensors import ones as ones
from adjoint._ops.creation.tensors import ones_like as ones_like
from adjoint._ops.creation.tensors import scalar_tensor as scalar_tensor
from adjoint._ops.creation.tensors import tensor as tensor
from adjoint._ops.creation.tensors import zeros as zeros
from adjoint._ops.creation.tensors import zeros_like as zeros_like
from adjoint._ops.shape.views import broadcast_shapes as broadcast_shapes
from adjoint._tensor.interop import is_inference as is_inference
from adjoint._tensor.interop import is_nonzero as is_nonzero
from adjoint._tensor.interop import is_same_size as is_same_size
from adjoint._tensor.interop import is_tensor as is_tensor
from adjoint._tensor.interop import numel as numel
from adjoint._tensor.interop import typename as typename
from adjoint._tensor.methods import Tensor as Tensor
from adjoint._version import __version__ as __version__
from adjoint.arrays import Device as _Device

if _TYPE_CHECKING:
    from adjoint._ops.creation.random import Generator as Generator
    from adjoint._ops.creation.random import bernoulli as bernoulli
    from adjoint._ops.creation.random import default_generator as default_generator
    from adjoint._ops.creation.random import get_rng_state as get_rng_state
    from adjoint._ops.creation.random import initial_seed as initial_seed
    from adjoint._ops.creation.random import manual_seed as manual_seed
    from adjoint._ops.creation.random import multinomial as multinomial
    from adjoint._ops.creation.random import normal as normal
    from adjoint._ops.creation.random import poisson as poisson
    from adjoint._ops.creation.random import rand as rand
    from adjoint._ops.creation.random import rand_like as rand_like
    from adjoint._ops.creation.random import randint as randint
    from adjoint._ops.creation.random import randint_like as randint_like
    from adjoint._ops.creation.random import randn as randn
    from adjoint._ops.creation.random import randn_like as randn_like
    from adjoint._ops.creation.random import randperm as randperm
    from adjoint._ops.creation.random import seed as seed
    from adjoint._ops.creation.random import set_rng_state as set_rng_state
    from adjoint._ops.creation.signal_windows import bartlett_window as bartlett_window
    from adjoint._ops.creation.signal_windows import blackman_window as blackman_window
    from adjoint._ops.creation.signal_windows import hamming_window as hamming_window
    from adjoint._ops.creation.signal_windows import hann_window as hann_window
    from adjoint._ops.creation.signal_windows import kaiser_window as kaiser_window
    from adjoint._tensor.printing import set_printoptions as set_printoptions
    from adjoint.func import vmap as vmap
    from adjoint.library import Tag as Tag

device = _Device
newaxis = None

_SUBMODULES = ("arrays", "autograd", "fft", "func", "library", "linalg", "ops", "overrides", "random", "special")
_ELSEWHERE = {
    "adjoint.random": """
        Generator bernoulli default_generator get_rng_state initial_seed manual_seed multinomial normal poisson rand
        rand_like randint randint_like randn randn_like randperm seed set_rng_state
    """,
    "adjoint._tensor.printing": "set_printoptions",
    "adjoint._ops.creation.signal_windows": "bartlett_window blackman_window hamming_window hann_window kaiser_window",
    "adjoint.func": "vmap",
    "adjoint.library": "Tag",
}
_LATE = {name: module for module, names in _ELSEWHERE.items() for name in names.split()}
_SECTIONS = ("_", "fft_", "linalg_", "special_")
_listed = [name for name, value in globals().items() if name[0] != "_" and not isinstance(value, _Module)]


def _operators() -> dict[str, _Any]:
    """Every operator of the table that has its place here."""
    functions = {name: row.function for name, row in _table.items()} | _composites
    for name in _in_place_functions:
        row = _table.get(name[:-1])
        found = _methods.get(name) or functions.get(name) or (row and row.in_place)
        functions |= {} if found is None else {name: found}
    return {name: function for name, function in functions.items() if not name.startswith(_SECTIONS)}


def __getattr__(name: str) -> _Any:
    """What is imported when it is first asked for: submodules, and the operators of `_dispatch/table.py`."""
    if name in _SUBMODULES:
        return _importlib.import_module(f"adjoint.{name}")
    if name in _LATE:
        found = globals()[name] = getattr(_importlib.import_module(_LATE[name]), name)
        return found
    if name == "return_types":
        return _importlib.import_module("adjoint._dispatch.return_types")
    if name == "__all__":
        _late.load_late()
        return [n for n in dict.fromkeys([*_listed, *_LATE, *_operators(), *_SUBMODULES]) if n not in vars(_builtins)]
    if not name.startswith("_") and _late.load_late():
        return getattr(_sys.modules["adjoint"], name)
    raise AttributeError(f"module 'adjoint' has no attribute {name!r}")


def __dir__() -> list[str]:
    _late.load_late()
    return sorted({*globals(), *_LATE, *_SUBMODULES})


_late.after.append(lambda: globals().update(_operators() | globals()))  # what is there already stays

# Last, because from here on `sum`, `bool` and other names no longer mean what they mean in Python.
globals().update(_operators() | _dtypes.ALIASES | {"bool": _dtypes.bool_})
