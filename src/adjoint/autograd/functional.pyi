# Written by `make generate` from the operator table; do not edit.
"""Products with Jacobians and Hessians, and whole ones, of functions of tensors."""

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
    """The Hessian of a function with one element as its result."""

@overload
def hessian(
    func: Callable[..., Tensor],
    inputs: tuple[Tensor, ...],
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> tuple[tuple[Tensor, ...], ...]:
    """The Hessian of a function with one element as its result."""

@overload
def hvp(
    func: Callable[[Tensor], Tensor],
    inputs: Tensor,
    v: Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Tensor, Tensor]:
    """The product of the Hessian of a function with a vector."""

@overload
def hvp(
    func: Callable[..., Tensor],
    inputs: tuple[Tensor, ...],
    v: Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Tensor, tuple[Tensor, ...]]:
    """The product of the Hessian of a function with a vector."""

@overload
def jacobian(
    func: Callable[[Tensor], Tensor],
    inputs: Tensor,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Tensor:
    """The Jacobian of a function."""

@overload
def jacobian(
    func: Callable[..., Tensor],
    inputs: tuple[Tensor, ...],
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> tuple[Tensor, ...]:
    """The Jacobian of a function."""

@overload
def jacobian(
    func: Callable[..., tuple[Tensor, ...]],
    inputs: Tensor,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> tuple[Tensor, ...]:
    """The Jacobian of a function."""

@overload
def jacobian(
    func: Callable[..., tuple[Tensor, ...]],
    inputs: tuple[Tensor, ...],
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> tuple[tuple[Tensor, ...], ...]:
    """The Jacobian of a function."""

@overload
def jvp(
    func: Callable[[Tensor], Y],
    inputs: Tensor,
    v: Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Y, Y]:
    """The product of a function's Jacobian with a vector."""

@overload
def jvp(
    func: Callable[..., Y],
    inputs: tuple[Tensor, ...],
    v: Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Y, Y]:
    """The product of a function's Jacobian with a vector."""

@overload
def vhp(
    func: Callable[[Tensor], Tensor],
    inputs: Tensor,
    v: Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Tensor, Tensor]:
    """The product of a vector with the Hessian of a function with one element as its result."""

@overload
def vhp(
    func: Callable[..., Tensor],
    inputs: tuple[Tensor, ...],
    v: Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Tensor, tuple[Tensor, ...]]:
    """The product of a vector with the Hessian of a function with one element as its result."""

@overload
def vjp(
    func: Callable[[Tensor], Y],
    inputs: Tensor,
    v: Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Y, Tensor]:
    """The product of a vector with a function's Jacobian, from the left."""

@overload
def vjp(
    func: Callable[..., Y],
    inputs: tuple[Tensor, ...],
    v: Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Y, tuple[Tensor, ...]]:
    """The product of a vector with a function's Jacobian, from the left."""
