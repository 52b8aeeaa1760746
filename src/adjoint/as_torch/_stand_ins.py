"""Modules of PyTorch that adjoint has no counterpart of, as far as they mean the same here: no GPU, no compiler.

`torch.cuda.is_available()` is False, `torch.jit.script` returns the function, and so on. A name that would have to do
something is missing, with an error that says so.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import types
from collections.abc import Callable
from typing import Any

import adjoint as ad
from adjoint import _dtypes
from adjoint.as_torch._names import MissingModule, MissingName


class Version(str):
    """PyTorch's version, as a string that compares by numbers."""

    @staticmethod
    def _numbers(version: Any) -> tuple[int, ...]:
        if isinstance(version, str):
            version = version.partition("+")[0].split(".")
        return tuple([int("".join(filter(str.isdigit, str(part))) or 0) for part in version])

    def __lt__(self, other: Any) -> bool:
        return self._numbers(self) < self._numbers(other)

    def __le__(self, other: Any) -> bool:
        return self._numbers(self) <= self._numbers(other)

    def __gt__(self, other: Any) -> bool:
        return self._numbers(self) > self._numbers(other)

    def __ge__(self, other: Any) -> bool:
        return self._numbers(self) >= self._numbers(other)


VERSION = Version("2.13.0")


class Torch(types.ModuleType):
    """The module ``torch``: adjoint's names, and a few that only PyTorch's programs use."""

    def __init__(self) -> None:
        super().__init__("torch", "adjoint in PyTorch's place.")
        self.__path__ = []
        self.__version__ = VERSION

    def __getattr__(self, name: str) -> Any:
        found = _find_name(name)
        if found is _NOTHING:
            raise MissingName(f"torch.{name}")
        setattr(self, name, found)
        return found

    def __dir__(self) -> list[str]:
        return sorted({*dir(ad), *_TORCH, *(name.partition(".")[2] for name in _MODULES if name.count(".") == 1)})


_NOTHING = object()


def _find_name(name: str) -> Any:
    if name in _TORCH:
        return _TORCH[name]
    if name.startswith("_foreach_"):
        return _for_each(name.removeprefix("_foreach_"))
    if f"torch.{name}" in _MODULES:
        return importlib.import_module(f"torch.{name}")
    if hasattr(ad, name):
        return getattr(ad, name)
    return _NOTHING


def _for_each(name: str) -> Callable[..., Any]:
    """``torch._foreach_add_`` and its like: an operator for each tensor of a list."""
    method = getattr(ad.Tensor, name, None)
    if method is None:
        raise MissingName(f"torch._foreach_{name}")

    def call(tensors: Any, *lists: Any, **options: Any) -> Any:
        columns = [given if isinstance(given, (list, tuple)) else [given] * len(tensors) for given in lists]
        results = [method(tensor, *values, **options) for tensor, *values in zip(tensors, *columns)]
        return None if name.endswith("_") else results

    return call


def _identity(function: Any = None, *args: Any, **kwargs: Any) -> Any:
    """A decorator that changes nothing, with arguments or without."""
    return function if callable(function) else _identity


def _nothing(*args: Any, **kwargs: Any) -> None:
    """Do nothing."""


def _returns(value: Any) -> Callable[..., Any]:
    return lambda *args, **kwargs: value


class _Never(type):
    """The metaclass of types of which nothing is an instance."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return False


def _type(name: str) -> type:
    return _Never(name, (), {})


def _refuse(what: str) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"{what} is not implemented in adjoint, which stands in PyTorch's place")

    return call


def _assert(condition: Any, message: str) -> None:
    assert condition, message


_TORCH: dict[str, Any] = {
    "compile": _identity,
    "use_deterministic_algorithms": _nothing,  # results never depend on chance here
    "are_deterministic_algorithms_enabled": _returns(True),
    "is_deterministic_algorithms_warn_only_enabled": _returns(False),
    "set_deterministic_debug_mode": _nothing,
    "get_deterministic_debug_mode": _returns(2),
    "set_float32_matmul_precision": _nothing,
    "get_float32_matmul_precision": _returns("highest"),
    "set_warn_always": _nothing,
    "is_warn_always_enabled": _returns(False),
    "set_flush_denormal": _returns(False),
    "is_storage": _returns(False),
    "is_distributed": _returns(False),
    "_assert": _assert,
    "_is_functional_tensor": _returns(False),
    "complex32": _type("complex32"),
    "preserve_format": ad.preserve_format,
    "sparse_coo": "sparse_coo",
    "sparse_csr": "sparse_csr",
    "git_version": "",
}  # fmt: skip

_CUDA_TYPES = "Float Double Half BFloat16 Long Int Short Char Byte Bool".split()

# By module: its names, and what they are.
_MODULES: dict[str, dict[str, Any]] = {
    "torch.version": {"__version__": VERSION, "cuda": None, "hip": None, "debug": False, "git_version": ""},
    "torch.torch_version": {"TorchVersion": Version, "__version__": VERSION},
    "torch.cuda": {
        "is_available": _returns(False), "device_count": _returns(0), "is_initialized": _returns(False),
        "_initialized": False, "manual_seed": _nothing, "manual_seed_all": _nothing, "empty_cache": _nothing,
        "synchronize": _nothing, "is_bf16_supported": _returns(False), "memory_allocated": _returns(0),
        "max_memory_allocated": _returns(0), "memory_reserved": _returns(0), "max_memory_reserved": _returns(0),
        "reset_peak_memory_stats": _nothing, "get_rng_state_all": _returns([]), "set_rng_state_all": _nothing,
        "get_arch_list": _returns([]), "is_current_stream_capturing": _returns(False),
        "current_device": _refuse("torch.cuda.current_device"),
        "get_device_name": _refuse("torch.cuda.get_device_name"),
        "get_device_capability": _returns((0, 0)), "Stream": _type("Stream"), "Event": _type("Event"),
        "device": contextlib.nullcontext, "stream": contextlib.nullcontext,
        "OutOfMemoryError": type("OutOfMemoryError", (RuntimeError,), {}),
        **{f"{name}Tensor": _type(f"{name}Tensor") for name in _CUDA_TYPES},
    },
    "torch.cuda.random": {"manual_seed_all": _nothing, "get_rng_state_all": _returns([])},
    "torch.cuda.nvtx": {"range_push": _nothing, "range_pop": _nothing, "range": contextlib.nullcontext},
    "torch.mps": {"is_available": _returns(False), "empty_cache": _nothing, "manual_seed": _nothing},
    "torch.xpu": {"is_available": _returns(False), "device_count": _returns(0)},
    "torch.mtia": {"is_available": _returns(False)},
    "torch.cpu": {"is_available": _returns(True), "synchronize": _nothing, "current_device": _returns("cpu")},
    "torch.accelerator": {"is_available": _returns(False), "current_accelerator": _nothing,
        "device_count": _returns(0)},
    "torch.backends": {},
    "torch.backends.cudnn": {
        "is_available": _returns(False), "version": _returns(None), "enabled": False, "benchmark": False,
        "deterministic": True, "allow_tf32": False, "flags": lambda *a, **k: contextlib.nullcontext(),
    },
    "torch.backends.cuda": {
        "is_built": _returns(False), "matmul": types.SimpleNamespace(allow_tf32=False),
        "sdp_kernel": lambda *a, **k: contextlib.nullcontext(), "enable_flash_sdp": _nothing,
        "enable_math_sdp": _nothing,
        "enable_mem_efficient_sdp": _nothing, "flash_sdp_enabled": _returns(False), "math_sdp_enabled": _returns(True),
        "mem_efficient_sdp_enabled": _returns(False), "enable_cudnn_sdp": _nothing,
    },
    "torch.backends.mps": {"is_available": _returns(False), "is_built": _returns(False)},
    "torch.backends.mkl": {"is_available": _returns(False)},
    "torch.backends.mkldnn": {"is_available": _returns(False), "enabled": False, "flags": lambda *a,
        **k: contextlib.nullcontext()},
    "torch.backends.openmp": {"is_available": _returns(False)},
    "torch.backends.opt_einsum": {"is_available": _returns(True), "enabled": True, "strategy": "auto"},
    "torch.distributed": {
        "is_available": _returns(False), "is_initialized": _returns(False), "get_rank": _returns(0),
        "get_world_size": _returns(1), "is_nccl_available": _returns(False), "is_gloo_available": _returns(False),
        "is_torchelastic_launched": _returns(False), "ProcessGroup": _type("ProcessGroup"),
    },
    "torch.jit": {
        "script": _identity, "trace": lambda function, *a, **k: function, "ignore": _identity, "unused": _identity,
        "export": _identity, "script_method": _identity, "script_if_tracing": _identity,
        "is_scripting": _returns(False),
        "is_tracing": _returns(False), "freeze": _identity, "optimize_for_inference": _identity, "Final": Any,
        "interface": _identity, "annotate": lambda kind, value: value, "isinstance": isinstance,
        "ScriptModule": _type("ScriptModule"), "ScriptFunction": _type("ScriptFunction"), "fork": lambda f, *a,
        **k: f(*a, **k),
        "wait": lambda value: value, "_overload_method": _identity, "_overload": _identity,
        "_script_if_tracing": _identity,
        "TracerWarning": type("TracerWarning", (Warning,), {}), "Attribute": lambda value, kind: value,
        "is_traceable": _returns(False), "RecursiveScriptModule": _type("RecursiveScriptModule"),
    },
    "torch.jit.annotations": {},
    "torch._jit_internal": {"_overload": _identity,
        "boolean_dispatch": _refuse("torch._jit_internal.boolean_dispatch"),
                            "Final": Any, "ignore": _identity, "export": _identity, "unused": _identity},
    "torch.compiler": {
        "is_compiling": _returns(False), "is_dynamo_compiling": _returns(False), "disable": _identity,
        "reset": _nothing,
        "allow_in_graph": _identity, "assume_constant_result": _identity, "cudagraph_mark_step_begin": _nothing,
        "compile": _identity, "is_exporting": _returns(False), "substitute_in_graph": lambda *a, **k: _identity,
    },
    "torch._dynamo": {
        "is_compiling": _returns(False), "disable": _identity, "allow_in_graph": _identity, "reset": _nothing,
        "config": types.SimpleNamespace(verbose=False), "optimize": lambda *a, **k: _identity, "graph_break": _nothing,
        "mark_dynamic": _nothing, "mark_static": _nothing,
    },
    "torch._utils": {"_flatten_dense_tensors": lambda tensors: ad.cat([t.reshape(-1) for t in tensors])},
    "torch._vmap_internals": {"_vmap": ad.vmap, "vmap": ad.vmap},
    "torch._six": {"inf": ad.inf, "nan": ad.nan, "string_classes": (str, bytes), "int_classes": int},
    "torch._C": {
        "_log_api_usage_once": _nothing, "_get_tracing_state": _nothing, "Generator": ad.Generator,
        "device": ad.device,
        "dtype": ad.dtype, "Size": ad.Size, "_has_torch_function": _returns(False), "TensorType": _type("TensorType"),
        "_functions": types.SimpleNamespace(), "_jit_set_profiling_mode": _nothing, "_LinAlgError": ad.LinAlgError,
        "_set_grad_enabled": ad.set_grad_enabled, "_cuda_getDeviceCount": _returns(0),
        "memory_format": ad.memory_format,
        "_jit_set_profiling_executor": _nothing, "_debug_only_display_vmap_fallback_warnings": _nothing,
    },
    "torch._C._functions": {},
    "torch._tensor": {"Tensor": ad.Tensor},
    "torch.hub": {"load_state_dict_from_url": _refuse("torch.hub.load_state_dict_from_url"),
        "load": _refuse("torch.hub.load"),
                  "get_dir": lambda: "~/.cache/torch/hub", "_get_torch_home": lambda: "~/.cache/torch"},
    "torch.return_types": {},
    "torch.storage": {"TypedStorage": _type("TypedStorage"), "UntypedStorage": _type("UntypedStorage")},
    "torch.functional": {name: getattr(ad, name) for name in
                         "einsum norm meshgrid broadcast_tensors split cdist tensordot unique block_diag stft".split()},
    "torch.nn.parallel": {"DataParallel": _type("DataParallel"),
        "DistributedDataParallel": _type("DistributedDataParallel")},
    "torch.utils.tensorboard": {},
}  # fmt: skip
_UNAVAILABLE = ("torch.utils.tensorboard", "torch.fx", "torch.onnx", "torch.export", "torch.ao", "torch.quantization")


@functools.cache
def find(fullname: str) -> types.ModuleType | None:
    """The module for a name of PyTorch's, if it is one of those above."""
    if fullname == "torch":
        return Torch()
    if fullname in _UNAVAILABLE:
        raise MissingModule(fullname)
    if fullname not in _MODULES:
        return None
    return _StandIn(fullname)


class _StandIn(types.ModuleType):
    """A module with the names above, and errors for all others."""

    def __init__(self, name: str) -> None:
        super().__init__(name, f"{name}, as far as it means the same in adjoint.")
        self.__path__ = []
        self.__dict__.update(_MODULES[name])

    def __getattr__(self, name: str) -> Any:
        fullname = f"{self.__name__}.{name}"
        if fullname in _MODULES:
            return importlib.import_module(fullname)
        if name.startswith("__"):
            raise AttributeError(name)
        raise MissingName(fullname)


for _name, _dtype in vars(_dtypes).items():
    if isinstance(_dtype, _dtypes.dtype):
        _MODULES["torch._C"].setdefault(_name, _dtype)
