"""Where modules of PyTorch are found in adjoint, and the errors for what is not there."""

from __future__ import annotations

ELSEWHERE = {
    **{f"torch.optim.{name}": f"adjoint.optim.{file}" for file, names in {
        "adam": "adamw adamax nadam radam sparse_adam",
        "adagrad": "adadelta rmsprop",
        "sgd": "asgd rprop",
        "adafactor": "_adafactor",
        "muon": "_muon",
    }.items() for name in names.split()},
    "torch._functorch": "adjoint.func",
    "functorch": "adjoint.nn._functorch",
    "torch.cuda.amp": "adjoint.as_torch.cuda_amp",
    "torch.cuda.amp.autocast_mode": "adjoint.as_torch.cuda_amp",
    "torch.cuda.amp.grad_scaler": "adjoint.as_torch.cuda_amp",
    "torch.autograd.variable": "adjoint.autograd.legacy",
    "torch.multiprocessing": "multiprocessing",
}  # fmt: skip


class MissingName(NotImplementedError, AttributeError):
    """A name of PyTorch's that adjoint does not have."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is not implemented in adjoint, which stands in PyTorch's place")


class MissingModule(NotImplementedError, ModuleNotFoundError):
    """A module of PyTorch's that adjoint does not have."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is not implemented in adjoint, which stands in PyTorch's place")
