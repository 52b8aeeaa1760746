"""The modes under PyTorch's name for the module that has them."""

from adjoint._core.modes import enable_grad, inference_mode, no_grad, set_grad_enabled, set_multithreading_enabled

__all__ = ["enable_grad", "inference_mode", "no_grad", "set_grad_enabled", "set_multithreading_enabled"]
