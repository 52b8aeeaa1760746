"""Automatic differentiation: the graph, the engine, modes and hooks."""

from adjoint.autograd import forward_ad as forward_ad
from adjoint.autograd import graph as graph
from adjoint.autograd.anomaly import detect_anomaly as detect_anomaly
from adjoint.autograd.anomaly import is_anomaly_enabled as is_anomaly_enabled
from adjoint.autograd.anomaly import set_detect_anomaly as set_detect_anomaly
from adjoint.autograd.entry import backward as backward
from adjoint.autograd.entry import grad as grad
from adjoint.autograd.modes import enable_grad as enable_grad
from adjoint.autograd.modes import inference_mode as inference_mode
from adjoint.autograd.modes import is_multithreading_enabled as is_multithreading_enabled
from adjoint.autograd.modes import no_grad as no_grad
from adjoint.autograd.modes import set_grad_enabled as set_grad_enabled
from adjoint.autograd.modes import set_multithreading_enabled as set_multithreading_enabled
from adjoint.autograd.saved import SavedTensor as SavedTensor
