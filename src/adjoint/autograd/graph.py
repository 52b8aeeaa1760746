"""Looking at the graph and steering what it keeps: the public names of `adjoint.autograd.graph`."""

from adjoint.autograd.multi_hooks import register_multi_grad_hook
from adjoint.autograd.nodes import GradientEdge, Node, get_gradient_edge
from adjoint.autograd.saved_hooks import (
    allow_mutation_on_saved_tensors,
    disable_saved_tensors_hooks,
    save_on_cpu,
    save_on_disk,
    saved_tensors_hooks,
)
from adjoint.autograd.views import increment_version

__all__ = [
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "save_on_disk",
    "saved_tensors_hooks",
]
