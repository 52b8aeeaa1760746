"""Forward-mode automatic differentiation with dual levels: the public names of `torch.autograd.forward_ad`."""

from adjoint._core.forward.propagate import (
    UnpackedDualTensor,
    dual_level,
    enter_dual_level,
    exit_dual_level,
    is_fwd_grad_enabled,
    make_dual,
    set_fwd_grad_enabled,
    unpack_dual,
)

_is_fwd_grad_enabled = is_fwd_grad_enabled  # PyTorch's names
_set_fwd_grad_enabled = set_fwd_grad_enabled

__all__ = [
    "UnpackedDualTensor",
    "dual_level",
    "enter_dual_level",
    "exit_dual_level",
    "is_fwd_grad_enabled",
    "make_dual",
    "set_fwd_grad_enabled",
    "unpack_dual",
]
