"""PyTorch's autograd on its own, over any array library.

The public namespace: what is imported below by name, and every operator of the table, under its own name and under its
further ones. Operators called ``linalg_inv`` and ``fft_rfft`` are `linalg.inv` and `fft.rfft`.
"""

# The names of operators and dtypes include Python's own (`sum`, `bool`); inside the package they are never imported
# from here, and the star import leaves them out.

import builtins as _builtins
import importlib as _importlib
import pkgutil as _pkgutil
from math import e as e
from math import inf as inf
from math import nan as nan
from math import pi as pi
from types import ModuleType as _Module
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
from adjoint._dispatch.errors import LinAlgError as LinAlgError
from adjoint._dispatch.errors import OperatorError as OperatorError
from adjoint._dispatch.promotion import result_type as result_type
from adjoint._dispatch.table import find_function as _find_function
from adjoint._dispatch.table import function_names as _function_names
from adjoint._dispatch.table import load_all as _load_all
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
from adjoint.arrays.device import get_default_device as get_default_device
from adjoint.arrays.device import set_default_device as set_default_device

device = _Device
newaxis = None

_ELSEWHERE = {
    "_core.generator": "Generator default_generator get_rng_state initial_seed manual_seed seed set_rng_state",
    "_tensor.printing": "set_printoptions",
    "_tensor.types": "FloatTensor DoubleTensor HalfTensor BFloat16Tensor LongTensor IntTensor ShortTensor CharTensor "
    "ByteTensor BoolTensor set_default_tensor_type",
    "amp.autocast_mode": "autocast clear_autocast_cache get_autocast_cpu_dtype get_autocast_dtype "
    "get_autocast_gpu_dtype is_autocast_cache_enabled is_autocast_cpu_enabled is_autocast_enabled "
    "set_autocast_cache_enabled set_autocast_dtype set_autocast_enabled",
    "arrays.threads": "get_num_threads set_num_threads",
    "func": "vmap",
    "library": "Tag",
    "serialization": "load save",
}  # what is no operator and imported when first asked for
_SECTIONS = ("_", "fft_", "linalg_", "special_")
_INSTEAD = {
    "cuda": "arrays on a GPU are CuPy's or JAX's: adjoint.ones(3, device='cuda') with CuPy, or adjoint.Tensor(array)",
    "jit": "over arrays of JAX, functions compile with jax.jit",
    "compile": "over arrays of JAX, functions compile with jax.jit",
    "distributions": "densities follow from adjoint.special and adjoint.lgamma",
    "sparse": "tensors are dense; sparse Jacobians are applied by adjoint.func.linearize and vjp",
}  # submodules of PyTorch that this package lacks, and what there is
_listed = [name for name, value in globals().items() if name[0] != "_" and not isinstance(value, _Module)]


def _find(name: str) -> _Any:
    """Something that is imported when it is first asked for: an operator, or what is listed above, or a submodule."""
    function = None if name.startswith(_SECTIONS) else _find_function(name)
    if function is not None:
        return function
    for module, names in _ELSEWHERE.items():
        if name in names.split():
            return getattr(_importlib.import_module(f"adjoint.{module}"), name)
    if name == "return_types":
        return _importlib.import_module("adjoint._dispatch.return_types")
    if name in _submodules():
        return _importlib.import_module(f"adjoint.{name}")
    return _find(name) if _load_all() else None


def _submodules() -> list[str]:
    """Public modules. `as_torch` is not among them: it takes effect by its import, which has to be asked for."""
    found = [module.name for module in _pkgutil.iter_modules(__path__)]
    return [name for name in found if name[0] != "_" and name != "as_torch"]


class _MissingName(AttributeError):
    """A name that is not in `adjoint`. A similar one is looked for when the message is read, not by `hasattr`."""

    def __str__(self) -> str:
        name = self.args[0]
        if name in _INSTEAD:
            return f"{name!r} is not part of adjoint; {_INSTEAD[name]}"
        similar = _importlib.import_module("difflib").get_close_matches(name, __dir__(), n=1)
        return f"module 'adjoint' has no attribute {name!r}" + (f"; did you mean {similar[0]!r}?" if similar else "")


def __getattr__(name: str) -> _Any:
    if name == "__all__":
        return [name for name in __dir__() if name not in vars(_builtins)]
    found = None if name[0] == "_" else _find(name)
    if found is None:
        raise _MissingName(name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    operators = [name for name in _function_names() if not name.startswith(_SECTIONS)]
    elsewhere = " ".join(_ELSEWHERE.values()).split()
    return sorted({*_listed, *elsewhere, *operators, *_dtypes.ALIASES, "bool", *_submodules(), "return_types"})


# Last, because from here on `bool` and other names no longer mean what they mean in Python.
globals().update(_dtypes.ALIASES | {"bool": _dtypes.bool_})
