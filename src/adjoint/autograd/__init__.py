"""Automatic differentiation: the public names of `torch.autograd`."""

from __future__ import annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from adjoint._core.anomaly import detect_anomaly as detect_anomaly
from adjoint._core.anomaly import is_anomaly_enabled as is_anomaly_enabled
from adjoint._core.anomaly import set_detect_anomaly as set_detect_anomaly
from adjoint._core.backward import backward as backward
from adjoint._core.backward import grad as grad
from adjoint._core.modes import enable_grad as enable_grad
from adjoint._core.modes import inference_mode as inference_mode
from adjoint._core.modes import is_multithreading_enabled as is_multithreading_enabled
from adjoint._core.modes import no_grad as no_grad
from adjoint._core.modes import set_grad_enabled as set_grad_enabled
from adjoint._core.modes import set_multithreading_enabled as set_multithreading_enabled
from adjoint._core.ownership import calibrate as _calibrate
from adjoint._core.saved.saved import SavedTensor as SavedTensor
from adjoint.autograd import forward_ad as forward_ad
from adjoint.autograd.gradcheck import dotcheck as dotcheck
from adjoint.autograd.gradcheck import gradcheck as gradcheck
from adjoint.autograd.gradcheck import gradgradcheck as gradgradcheck

if _TYPE_CHECKING:
    from adjoint.autograd import anomaly_mode as anomaly_mode
    from adjoint.autograd import function as function
    from adjoint.autograd import functional as functional
    from adjoint.autograd import grad_mode as grad_mode
    from adjoint.autograd import graph as graph
    from adjoint.autograd.function import Function as Function
    from adjoint.autograd.function import NestedIOFunction as NestedIOFunction
    from adjoint.autograd.legacy import Variable as Variable

_calibrate()

_MODULES = ("anomaly_mode", "function", "functional", "grad_mode", "graph")
_PUBLIC = [name for name in globals() if name[0] != "_" and name != "annotations"]
_LATE = {"Function": "function", "NestedIOFunction": "function", "Variable": "legacy"}


def __getattr__(name: str) -> _Any:
    """Import submodules and rarely used names on first access."""
    import importlib

    if name in _MODULES:
        return importlib.import_module(f"adjoint.autograd.{name}")
    if name in _LATE:
        found = globals()[name] = getattr(importlib.import_module(f"adjoint.autograd.{_LATE[name]}"), name)
        return found
    raise AttributeError(f"module 'adjoint.autograd' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*_PUBLIC, *_MODULES, *_LATE})
