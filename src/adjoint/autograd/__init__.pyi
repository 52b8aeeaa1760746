# Written by `make generate` from the operator table; do not edit.
"""Automatic differentiation: the public names of `torch.autograd`."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

from adjoint._core.anomaly import detect_anomaly as detect_anomaly
from adjoint._core.anomaly import set_detect_anomaly as set_detect_anomaly
from adjoint._core.function import Function as Function
from adjoint._core.modes import enable_grad as enable_grad
from adjoint._core.modes import inference_mode as inference_mode
from adjoint._core.modes import no_grad as no_grad
from adjoint._core.modes import set_grad_enabled as set_grad_enabled
from adjoint._core.modes import set_multithreading_enabled as set_multithreading_enabled
from adjoint._core.saved.saved import SavedTensor as SavedTensor
from adjoint._typing import Ends, Key, Tensor
from adjoint.autograd import anomaly_mode as anomaly_mode
from adjoint.autograd import forward_ad as forward_ad
from adjoint.autograd import function as function
from adjoint.autograd import functional as functional
from adjoint.autograd import grad_mode as grad_mode
from adjoint.autograd import graph as graph
from adjoint.autograd.legacy import NestedIOFunction as NestedIOFunction
from adjoint.autograd.legacy import Variable as Variable

def backward(
    tensors: Ends,
    grad_tensors: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Tensor | Sequence[Tensor | None] | None = None,
    inputs: Ends | None = None,
) -> None:
    """Accumulate the gradients of the given tensors into the `.grad` of the graph's leaves."""

def dotcheck(
    func: Callable[..., Any],
    inputs: Tensor | Sequence[Any],
    *,
    tolerance: float = 100.0,
    trials: int = 3,
    raise_exception: bool = True,
) -> bool:
    """Compare forward and reverse mode by the dot product test: <J t, g> = <t, J^T g> up to rounding."""

@overload
def grad(
    outputs: Ends,
    inputs: Ends,
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: Literal[False] | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor, ...]:
    """The gradients of the outputs with respect to the inputs, as a tuple; no `.grad` is touched."""

@overload
def grad(
    outputs: Ends,
    inputs: Ends,
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    *,
    materialize_grads: Literal[True],
) -> tuple[Tensor, ...]:
    """The gradients of the outputs with respect to the inputs, as a tuple; no `.grad` is touched."""

@overload
def grad(
    outputs: Ends,
    inputs: Ends,
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor | None, ...]:
    """The gradients of the outputs with respect to the inputs, as a tuple; no `.grad` is touched."""

@overload
def grad(
    outputs: Ends,
    inputs: dict[Key, Tensor],
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: Literal[False] | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> dict[Key, Tensor]:
    """The gradients of the outputs with respect to the inputs, as a tuple; no `.grad` is touched."""

@overload
def grad(
    outputs: Ends,
    inputs: dict[Key, Tensor],
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    *,
    allow_unused: Literal[True],
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> dict[Key, Tensor | None]:
    """The gradients of the outputs with respect to the inputs, as a tuple; no `.grad` is touched."""

def gradcheck(
    func: Callable[..., Any],
    inputs: Tensor | Sequence[Any],
    *,
    eps: float = 1e-06,
    atol: float | None = None,
    rtol: float | None = None,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Compare the derivatives of a function with finite differences."""

def gradgradcheck(
    func: Callable[..., Any],
    inputs: Tensor | Sequence[Any],
    grad_outputs: Tensor | Sequence[Any] | None = None,
    *,
    eps: float = 1e-06,
    atol: float | None = None,
    rtol: float | None = None,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Check second derivatives by finite differences: `gradcheck` of the backward pass."""

def is_anomaly_enabled() -> bool:
    """Test whether anomaly mode is on."""

def is_multithreading_enabled() -> bool:
    """Test whether the engine may use other threads than the caller's."""
