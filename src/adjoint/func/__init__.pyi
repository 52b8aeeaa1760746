# Written by `make generate` from the operator table; do not edit.
"""Function transforms: derivatives and batching of functions, which nest in any order."""

from collections.abc import Callable, Sequence
from typing import Any, Concatenate, Literal, overload

from adjoint._typing import Aux, Params, Tensor, X, Y

@overload
def grad(
    func: Callable[[Tensor], Tensor], argnums: Literal[0] = 0, has_aux: Literal[False] = False
) -> Callable[[Tensor], Tensor]:
    """A function that computes the gradient of a function with a scalar result."""

@overload
def grad(
    func: Callable[Concatenate[X, Params], Tensor], argnums: Literal[0] = 0, has_aux: Literal[False] = False
) -> Callable[Concatenate[X, Params], X]:
    """A function that computes the gradient of a function with a scalar result."""

@overload
def grad(func: Callable[Params, Tensor], argnums: int, has_aux: Literal[False] = False) -> Callable[Params, Tensor]:
    """A function that computes the gradient of a function with a scalar result."""

@overload
def grad(
    func: Callable[Params, Tensor], argnums: tuple[int, ...], has_aux: Literal[False] = False
) -> Callable[Params, tuple[Tensor, ...]]:
    """A function that computes the gradient of a function with a scalar result."""

@overload
def grad(
    func: Callable[Concatenate[X, Params], tuple[Tensor, Aux]], argnums: Literal[0] = 0, *, has_aux: Literal[True]
) -> Callable[Concatenate[X, Params], tuple[X, Aux]]:
    """A function that computes the gradient of a function with a scalar result."""

@overload
def grad(
    func: Callable[Params, tuple[Tensor, Aux]], argnums: int, has_aux: Literal[True]
) -> Callable[Params, tuple[Tensor, Aux]]:
    """A function that computes the gradient of a function with a scalar result."""

@overload
def grad(
    func: Callable[Params, tuple[Tensor, Aux]], argnums: tuple[int, ...], has_aux: Literal[True]
) -> Callable[Params, tuple[tuple[Tensor, ...], Aux]]:
    """A function that computes the gradient of a function with a scalar result."""

@overload
def grad_and_value(
    func: Callable[[Tensor], Tensor], argnums: Literal[0] = 0, has_aux: Literal[False] = False
) -> Callable[[Tensor], tuple[Tensor, Tensor]]:
    """A function that computes the gradient of a function with a scalar result, and the result."""

@overload
def grad_and_value(
    func: Callable[Concatenate[X, Params], Tensor], argnums: Literal[0] = 0, has_aux: Literal[False] = False
) -> Callable[Concatenate[X, Params], tuple[X, Tensor]]:
    """A function that computes the gradient of a function with a scalar result, and the result."""

@overload
def grad_and_value(
    func: Callable[Params, Tensor], argnums: int, has_aux: Literal[False] = False
) -> Callable[Params, tuple[Tensor, Tensor]]:
    """A function that computes the gradient of a function with a scalar result, and the result."""

@overload
def grad_and_value(
    func: Callable[Params, Tensor], argnums: tuple[int, ...], has_aux: Literal[False] = False
) -> Callable[Params, tuple[tuple[Tensor, ...], Tensor]]:
    """A function that computes the gradient of a function with a scalar result, and the result."""

@overload
def grad_and_value(
    func: Callable[Concatenate[X, Params], tuple[Tensor, Aux]], argnums: Literal[0] = 0, *, has_aux: Literal[True]
) -> Callable[Concatenate[X, Params], tuple[X, tuple[Tensor, Aux]]]:
    """A function that computes the gradient of a function with a scalar result, and the result."""

@overload
def grad_and_value(
    func: Callable[Params, tuple[Tensor, Aux]], argnums: int, has_aux: Literal[True]
) -> Callable[Params, tuple[Tensor, tuple[Tensor, Aux]]]:
    """A function that computes the gradient of a function with a scalar result, and the result."""

@overload
def grad_and_value(
    func: Callable[Params, tuple[Tensor, Aux]], argnums: tuple[int, ...], has_aux: Literal[True]
) -> Callable[Params, tuple[tuple[Tensor, ...], tuple[Tensor, Aux]]]:
    """A function that computes the gradient of a function with a scalar result, and the result."""

@overload
def hessian(func: Callable[[Tensor], Tensor], argnums: int = 0) -> Callable[[Tensor], Tensor]:
    """A function that computes the Hessian of a function: the Jacobian of its Jacobian."""

@overload
def hessian(func: Callable[Params, Tensor], argnums: int = 0) -> Callable[Params, Tensor]:
    """A function that computes the Hessian of a function: the Jacobian of its Jacobian."""

@overload
def hessian(
    func: Callable[Params, Tensor], argnums: tuple[int, ...]
) -> Callable[Params, tuple[tuple[Tensor, ...], ...]]:
    """A function that computes the Hessian of a function: the Jacobian of its Jacobian."""

@overload
def hessian(func: Callable[Params, object], argnums: int | tuple[int, ...] = 0) -> Callable[Params, Any]:
    """A function that computes the Hessian of a function: the Jacobian of its Jacobian."""

@overload
def jacfwd(
    func: Callable[[Tensor], Tensor], argnums: int = 0, has_aux: Literal[False] = False, *, randomness: str = "error"
) -> Callable[[Tensor], Tensor]:
    """A function that computes the Jacobian of a function column by column, in forward mode."""

@overload
def jacfwd(
    func: Callable[Params, Tensor], argnums: int = 0, has_aux: Literal[False] = False, *, randomness: str = "error"
) -> Callable[Params, Tensor]:
    """A function that computes the Jacobian of a function column by column, in forward mode."""

@overload
def jacfwd(
    func: Callable[Params, Tensor],
    argnums: tuple[int, ...] | None,
    has_aux: Literal[False] = False,
    *,
    randomness: str = "error",
) -> Callable[Params, tuple[Tensor, ...]]:
    """A function that computes the Jacobian of a function column by column, in forward mode."""

@overload
def jacfwd(
    func: Callable[Params, tuple[Tensor, Aux]], argnums: int = 0, *, has_aux: Literal[True], randomness: str = "error"
) -> Callable[Params, tuple[Tensor, Aux]]:
    """A function that computes the Jacobian of a function column by column, in forward mode."""

@overload
def jacfwd(
    func: Callable[Params, object],
    argnums: int | tuple[int, ...] | None = 0,
    has_aux: bool = False,
    *,
    randomness: str = "error",
) -> Callable[Params, Any]:
    """A function that computes the Jacobian of a function column by column, in forward mode."""

@overload
def jacrev(
    func: Callable[[Tensor], Tensor],
    argnums: int = 0,
    *,
    has_aux: Literal[False] = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[[Tensor], Tensor]:
    """A function that computes the Jacobian of a function row by row, in reverse mode."""

@overload
def jacrev(
    func: Callable[Params, Tensor],
    argnums: int = 0,
    *,
    has_aux: Literal[False] = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[Params, Tensor]:
    """A function that computes the Jacobian of a function row by row, in reverse mode."""

@overload
def jacrev(
    func: Callable[Params, Tensor],
    argnums: tuple[int, ...],
    *,
    has_aux: Literal[False] = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[Params, tuple[Tensor, ...]]:
    """A function that computes the Jacobian of a function row by row, in reverse mode."""

@overload
def jacrev(
    func: Callable[Params, tuple[Tensor, Aux]],
    argnums: int = 0,
    *,
    has_aux: Literal[True],
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[Params, tuple[Tensor, Aux]]:
    """A function that computes the Jacobian of a function row by row, in reverse mode."""

@overload
def jacrev(
    func: Callable[Params, object],
    argnums: int | tuple[int, ...] = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[Params, Any]:
    """A function that computes the Jacobian of a function row by row, in reverse mode."""

@overload
def jvp(
    func: Callable[[Tensor], Y],
    primals: tuple[Tensor],
    tangents: tuple[Tensor],
    *,
    strict: bool = False,
    has_aux: Literal[False] = False,
) -> tuple[Y, Y]:
    """A function's result, and the product of its Jacobian with a vector."""

@overload
def jvp(
    func: Callable[..., Y],
    primals: Sequence[Any],
    tangents: Sequence[Any],
    *,
    strict: bool = False,
    has_aux: Literal[False] = False,
) -> tuple[Y, Y]:
    """A function's result, and the product of its Jacobian with a vector."""

@overload
def jvp(
    func: Callable[..., tuple[Y, Aux]],
    primals: Sequence[Any],
    tangents: Sequence[Any],
    *,
    strict: bool = False,
    has_aux: Literal[True],
) -> tuple[Y, Y, Aux]:
    """A function's result, and the product of its Jacobian with a vector."""

def linear_operator(
    func: Callable[..., object], *primals: Any, kind: str = "jacobian", loss: Callable[..., Tensor] | None = None
) -> Any:
    """A derivative of a function at a point as a `scipy.sparse.linalg.LinearOperator`."""

@overload
def linearize(func: Callable[[Tensor], Y], primals: Tensor, /) -> tuple[Y, Callable[[Tensor], Y]]:
    """A function's result at a point, and its derivative there as a linear function."""

@overload
def linearize(func: Callable[..., Y], *primals: Any) -> tuple[Y, Callable[..., Y]]:
    """A function's result at a point, and its derivative there as a linear function."""

def set_vmap_fallback_warning_enabled(enabled: bool) -> None:
    """Say whether `vmap` warns where it has to call something in a loop, once for each sample."""

@overload
def vjp(
    func: Callable[[Tensor], Y], primals: Tensor, /, *, has_aux: Literal[False] = False
) -> tuple[Y, Callable[..., tuple[Tensor, ...]]]:
    """A function's result, and the function that multiplies a vector by its Jacobian from the left."""

@overload
def vjp(
    func: Callable[..., Y], *primals: Any, has_aux: Literal[False] = False
) -> tuple[Y, Callable[..., tuple[Tensor, ...]]]:
    """A function's result, and the function that multiplies a vector by its Jacobian from the left."""

@overload
def vjp(
    func: Callable[..., tuple[Y, Aux]], *primals: Any, has_aux: Literal[True]
) -> tuple[Y, Callable[..., tuple[Tensor, ...]], Aux]:
    """A function's result, and the function that multiplies a vector by its Jacobian from the left."""

@overload
def vmap(
    func: Callable[[Tensor], Y],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[[Tensor], Y]:
    """A function that applies `func` to every sample of a batch at once, without a Python loop."""

@overload
def vmap(
    func: Callable[Params, Y],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[Params, Y]:
    """A function that applies `func` to every sample of a batch at once, without a Python loop."""
