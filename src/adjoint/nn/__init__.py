"""Neural networks: PyTorch's `torch.nn`."""

from adjoint.nn import functional as functional
