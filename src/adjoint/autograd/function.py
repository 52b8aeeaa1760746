"""Custom Functions: the public names of `torch.autograd.function`."""

from adjoint._core.function import BackwardCFunction, Function, FunctionCtx, FunctionMeta, once_differentiable
from adjoint.autograd.legacy import InplaceFunction, NestedIOFunction

__all__ = [
    "BackwardCFunction",
    "Function",
    "FunctionCtx",
    "FunctionMeta",
    "InplaceFunction",
    "NestedIOFunction",
    "once_differentiable",
]
