"""Automatic differentiation: the graph, the engine, modes and hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from adjoint.autograd import forward_ad as forward_ad
from adjoint.autograd.anomaly import detect_anomaly as detect_anomaly
from adjoint.autograd.anomaly import is_anomaly_enabled as is_anomaly_enabled
from adjoint.autograd.anomaly import set_detect_anomaly as set_detect_anomaly
from adjoint.autograd.entry import backward as backward
from adjoint.autograd.entry import grad as grad
from adjoint.autograd.gradcheck import dotcheck as dotcheck
from adjoint.autograd.gradcheck import gradcheck as gradcheck
from adjoint.autograd.gradcheck import gradgradcheck as gradgradcheck
from adjoint.autograd.modes import enable_grad as enable_grad
from adjoint.autograd.modes import inference_mode as inference_mode
from adjoint.autograd.modes import is_multithreading_enabled as is_multithreading_enabled
from adjoint.autograd.modes import no_grad as no_grad
from adjoint.autograd.modes import set_grad_enabled as set_grad_enabled
from adjoint.autograd.modes import set_multithreading_enabled as set_multithreading_enabled
from adjoint.autograd.references import calibrate as _calibrate
from adjoint.autograd.saved import SavedTensor as SavedTensor

if _TYPE_CHECKING:
    from adjoint.autograd import function as function
    from adjoint.autograd import functional as functional
    from adjoint.autograd import grad_mode as grad_mode
    from adjoint.autograd import graph as graph
    from adjoint.autograd.function import Function as Function
    from adjoint.autograd.function import NestedIOFunction as NestedIOFunction
    from adjoint.autograd.legacy import Variable as Variable

_calibrate()

_LATE = ("Function", "NestedIOFunction", "Variable", "function", "functional", "grad_mode", "graph")


def __getattr__(name: str) -> _Any:
    """What is imported when it is first asked for."""
    import importlib

    if name in ("functional", "grad_mode", "graph"):
        return importlib.import_module(f"adjoint.autograd.{name}")
    if name == "Variable":
        return importlib.import_module("adjoint.autograd.legacy").Variable
    if name in _LATE:
        module = importlib.import_module("adjoint.autograd.function")
        globals().update(function=module, Function=module.Function, NestedIOFunction=module.NestedIOFunction)
        return globals()[name]
    raise AttributeError(f"module 'adjoint.autograd' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATE})
