# Written by `make generate` from the operator table; do not edit.
"""Jacobians, Hessians and their products with vectors: the public names of `torch.autograd.functional`."""

from collections.abc import Callable
from typing import overload

from adjoint._typing import Tensor, Tensors, Y

@overload
def hessian(
    func: Callable[[Tensor], Tensor],
    inputs: Tensor,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Tensor:
    """Hessian of a function whose result has one element."""

@overload
def hessian(
    func: Callable[..., Tensor],
    inputs: tuple[Tensor, ...],
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> tuple[tuple[Tensor, ...], ...]:
    """Hessian of a function whose result has one element."""

@overload
def hvp(
    func: Callable[[Tensor], Tensor],
    inputs: Tensor,
    v: Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Tensor, Tensor]:
    """Hessian-vector product: H v."""

@overload
def hvp(
    func: Callable[..., Tensor],
    inputs: tuple[Tensor, ...],
    v: Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Tensor, tuple[Tensor, ...]]:
    """Hessian-vector product: H v."""

@overload
def jacobian(
    func: Callable[[Tensor], Tensor],
    inputs: Tensor,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Tensor:
    """Jacobian of a function."""

@overload
def jacobian(
    func: Callable[..., Tensor],
    inputs: tuple[Tensor, ...],
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> tuple[Tensor, ...]:
    """Jacobian of a function."""

@overload
def jacobian(
    func: Callable[..., tuple[Tensor, ...]],
    inputs: Tensor,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> tuple[Tensor, ...]:
    """Jacobian of a function."""

@overload
def jacobian(
    func: Callable[..., tuple[Tensor, ...]],
    inputs: tuple[Tensor, ...],
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> tuple[tuple[Tensor, ...], ...]:
    """Jacobian of a function."""

@overload
def jvp(
    func: Callable[[Tensor], Y],
    inputs: Tensor,
    v: Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Y, Y]:
    """Jacobian-vector product: J v."""

@overload
def jvp(
    func: Callable[..., Y],
    inputs: tuple[Tensor, ...],
    v: Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Y, Y]:
    """Jacobian-vector product: J v."""

@overload
def vhp(
    func: Callable[[Tensor], Tensor],
    inputs: Tensor,
    v: Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Tensor, Tensor]:
    """Vector-Hessian product: v^T H, for a function whose result has one element."""

@overload
def vhp(
    func: Callable[..., Tensor],
    inputs: tuple[Tensor, ...],
    v: Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Tensor, tuple[Tensor, ...]]:
    """Vector-Hessian product: v^T H, for a function whose result has one element."""

@overload
def vjp(
    func: Callable[[Tensor], Y],
    inputs: Tensor,
    v: Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Y, Tensor]:
    """Vector-Jacobian product: v^T J, by reverse mode."""

@overload
def vjp(
    func: Callable[..., Y],
    inputs: tuple[Tensor, ...],
    v: Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Y, tuple[Tensor, ...]]:
    """Vector-Jacobian product: v^T J, by reverse mode."""
