# Written by `make generate` from the operator table; do not edit.
"""Composable function transforms (`grad`, `vjp`, `jvp`, `vmap`, `jacrev`, ...): the public names of `torch.func`."""

from collections.abc import Callable, Sequence
from typing import Any, Concatenate, Literal, overload

from adjoint._typing import Aux, Params, Primals, Tensor, X, Y

def functional_call(
    module: object,
    parameter_and_buffer_dicts: object,
    args: object = None,
    kwargs: object = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Tensor:
    """Call a module with other tensors instead of its parameters and buffers."""

@overload
def grad(
    func: Callable[[Tensor], Tensor], argnums: Literal[0] = 0, has_aux: Literal[False] = False
) -> Callable[[Tensor], Tensor]:
    """Transform a function with a scalar result into one that computes its gradient."""

@overload
def grad(
    func: Callable[Concatenate[X, Params], Tensor], argnums: Literal[0] = 0, has_aux: Literal[False] = False
) -> Callable[Concatenate[X, Params], X]:
    """Transform a function with a scalar result into one that computes its gradient."""

@overload
def grad(func: Callable[Params, Tensor], argnums: int, has_aux: Literal[False] = False) -> Callable[Params, Tensor]:
    """Transform a function with a scalar result into one that computes its gradient."""

@overload
def grad(
    func: Callable[Params, Tensor], argnums: tuple[int, ...], has_aux: Literal[False] = False
) -> Callable[Params, tuple[Tensor, ...]]:
    """Transform a function with a scalar result into one that computes its gradient."""

@overload
def grad(
    func: Callable[Concatenate[X, Params], tuple[Tensor, Aux]], argnums: Literal[0] = 0, *, has_aux: Literal[True]
) -> Callable[Concatenate[X, Params], tuple[X, Aux]]:
    """Transform a function with a scalar result into one that computes its gradient."""

@overload
def grad(
    func: Callable[Params, tuple[Tensor, Aux]], argnums: int, has_aux: Literal[True]
) -> Callable[Params, tuple[Tensor, Aux]]:
    """Transform a function with a scalar result into one that computes its gradient."""

@overload
def grad(
    func: Callable[Params, tuple[Tensor, Aux]], argnums: tuple[int, ...], has_aux: Literal[True]
) -> Callable[Params, tuple[tuple[Tensor, ...], Aux]]:
    """Transform a function with a scalar result into one that computes its gradient."""

@overload
def grad_and_value(
    func: Callable[[Tensor], Tensor], argnums: Literal[0] = 0, has_aux: Literal[False] = False
) -> Callable[[Tensor], tuple[Tensor, Tensor]]:
    """Transform a function with a scalar result into one that computes its gradient and its value."""

@overload
def grad_and_value(
    func: Callable[Concatenate[X, Params], Tensor], argnums: Literal[0] = 0, has_aux: Literal[False] = False
) -> Callable[Concatenate[X, Params], tuple[X, Tensor]]:
    """Transform a function with a scalar result into one that computes its gradient and its value."""

@overload
def grad_and_value(
    func: Callable[Params, Tensor], argnums: int, has_aux: Literal[False] = False
) -> Callable[Params, tuple[Tensor, Tensor]]:
    """Transform a function with a scalar result into one that computes its gradient and its value."""

@overload
def grad_and_value(
    func: Callable[Params, Tensor], argnums: tuple[int, ...], has_aux: Literal[False] = False
) -> Callable[Params, tuple[tuple[Tensor, ...], Tensor]]:
    """Transform a function with a scalar result into one that computes its gradient and its value."""

@overload
def grad_and_value(
    func: Callable[Concatenate[X, Params], tuple[Tensor, Aux]], argnums: Literal[0] = 0, *, has_aux: Literal[True]
) -> Callable[Concatenate[X, Params], tuple[X, tuple[Tensor, Aux]]]:
    """Transform a function with a scalar result into one that computes its gradient and its value."""

@overload
def grad_and_value(
    func: Callable[Params, tuple[Tensor, Aux]], argnums: int, has_aux: Literal[True]
) -> Callable[Params, tuple[Tensor, tuple[Tensor, Aux]]]:
    """Transform a function with a scalar result into one that computes its gradient and its value."""

@overload
def grad_and_value(
    func: Callable[Params, tuple[Tensor, Aux]], argnums: tuple[int, ...], has_aux: Literal[True]
) -> Callable[Params, tuple[tuple[Tensor, ...], tuple[Tensor, Aux]]]:
    """Transform a function with a scalar result into one that computes its gradient and its value."""

@overload
def hessian(func: Callable[[Tensor], Tensor], argnums: int = 0) -> Callable[[Tensor], Tensor]:
    """Transform a function into one that computes its Hessian, the Jacobian of the Jacobian."""

@overload
def hessian(func: Callable[Params, Tensor], argnums: int = 0) -> Callable[Params, Tensor]:
    """Transform a function into one that computes its Hessian, the Jacobian of the Jacobian."""

@overload
def hessian(
    func: Callable[Params, Tensor], argnums: tuple[int, ...]
) -> Callable[Params, tuple[tuple[Tensor, ...], ...]]:
    """Transform a function into one that computes its Hessian, the Jacobian of the Jacobian."""

@overload
def hessian(func: Callable[Params, object], argnums: int | tuple[int, ...] = 0) -> Callable[Params, Any]:
    """Transform a function into one that computes its Hessian, the Jacobian of the Jacobian."""

@overload
def jacfwd(
    func: Callable[[Tensor], Tensor], argnums: int = 0, has_aux: Literal[False] = False, *, randomness: str = "error"
) -> Callable[[Tensor], Tensor]:
    """Transform a function into one that computes its Jacobian by forward mode, column by column."""

@overload
def jacfwd(
    func: Callable[Params, Tensor], argnums: int = 0, has_aux: Literal[False] = False, *, randomness: str = "error"
) -> Callable[Params, Tensor]:
    """Transform a function into one that computes its Jacobian by forward mode, column by column."""

@overload
def jacfwd(
    func: Callable[Params, Tensor],
    argnums: tuple[int, ...] | None,
    has_aux: Literal[False] = False,
    *,
    randomness: str = "error",
) -> Callable[Params, tuple[Tensor, ...]]:
    """Transform a function into one that computes its Jacobian by forward mode, column by column."""

@overload
def jacfwd(
    func: Callable[Params, tuple[Tensor, Aux]], argnums: int = 0, *, has_aux: Literal[True], randomness: str = "error"
) -> Callable[Params, tuple[Tensor, Aux]]:
    """Transform a function into one that computes its Jacobian by forward mode, column by column."""

@overload
def jacfwd(
    func: Callable[Params, object],
    argnums: int | tuple[int, ...] | None = 0,
    has_aux: bool = False,
    *,
    randomness: str = "error",
) -> Callable[Params, Any]:
    """Transform a function into one that computes its Jacobian by forward mode, column by column."""

@overload
def jacrev(
    func: Callable[[Tensor], Tensor],
    argnums: int = 0,
    *,
    has_aux: Literal[False] = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[[Tensor], Tensor]:
    """Transform a function into one that computes its Jacobian by reverse mode, row by row."""

@overload
def jacrev(
    func: Callable[Params, Tensor],
    argnums: int = 0,
    *,
    has_aux: Literal[False] = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[Params, Tensor]:
    """Transform a function into one that computes its Jacobian by reverse mode, row by row."""

@overload
def jacrev(
    func: Callable[Params, Tensor],
    argnums: tuple[int, ...],
    *,
    has_aux: Literal[False] = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[Params, tuple[Tensor, ...]]:
    """Transform a function into one that computes its Jacobian by reverse mode, row by row."""

@overload
def jacrev(
    func: Callable[Params, tuple[Tensor, Aux]],
    argnums: int = 0,
    *,
    has_aux: Literal[True],
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[Params, tuple[Tensor, Aux]]:
    """Transform a function into one that computes its Jacobian by reverse mode, row by row."""

@overload
def jacrev(
    func: Callable[Params, object],
    argnums: int | tuple[int, ...] = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[Params, Any]:
    """Transform a function into one that computes its Jacobian by reverse mode, row by row."""

@overload
def jvp(
    func: Callable[[*Primals], Y],
    primals: tuple[*Primals,],
    tangents: Sequence[Any],
    *,
    strict: bool = False,
    has_aux: Literal[False] = False,
) -> tuple[Y, Y]:
    """Result of a function, and its Jacobian-vector product."""

@overload
def jvp(
    func: Callable[..., Y],
    primals: list[Any],
    tangents: Sequence[Any],
    *,
    strict: bool = False,
    has_aux: Literal[False] = False,
) -> tuple[Y, Y]:
    """Result of a function, and its Jacobian-vector product."""

@overload
def jvp(
    func: Callable[..., tuple[Y, Aux]],
    primals: Sequence[Any],
    tangents: Sequence[Any],
    *,
    strict: bool = False,
    has_aux: Literal[True],
) -> tuple[Y, Y, Aux]:
    """Result of a function, and its Jacobian-vector product."""

def linear_operator(
    func: Callable[..., object], *primals: Any, kind: str = "jacobian", loss: Callable[..., Tensor] | None = None
) -> Any:
    """Derivative of a function at a point as a `scipy.sparse.linalg.LinearOperator`."""

@overload
def linearize(func: Callable[[Tensor], Y], primals: Tensor, /) -> tuple[Y, Callable[[Tensor], Y]]:
    """Result of a function at a point, and its derivative there as a linear function (JVP)."""

@overload
def linearize(func: Callable[..., Y], *primals: Any) -> tuple[Y, Callable[..., Y]]:
    """Result of a function at a point, and its derivative there as a linear function (JVP)."""

def set_vmap_fallback_warning_enabled(enabled: bool) -> None:
    """Set whether `vmap` warns where it falls back to a loop over samples."""

def stack_module_state(models: object) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Stack the parameters, and the buffers, of modules of one class, for `vmap` over an ensemble."""

@overload
def vjp(
    func: Callable[[Tensor], Y], primals: Tensor, /, *, has_aux: Literal[False] = False
) -> tuple[Y, Callable[..., tuple[Tensor, ...]]]:
    """Result of a function, and a function that computes vector-Jacobian products."""

@overload
def vjp(
    func: Callable[..., Y], *primals: Any, has_aux: Literal[False] = False
) -> tuple[Y, Callable[..., tuple[Tensor, ...]]]:
    """Result of a function, and a function that computes vector-Jacobian products."""

@overload
def vjp(
    func: Callable[..., tuple[Y, Aux]], *primals: Any, has_aux: Literal[True]
) -> tuple[Y, Callable[..., tuple[Tensor, ...]], Aux]:
    """Result of a function, and a function that computes vector-Jacobian products."""

@overload
def vmap(
    func: Callable[[Tensor], Y],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[[Tensor], Y]:
    """Vectorize a function: apply it to every sample of a batch at once, without a Python loop."""

@overload
def vmap(
    func: Callable[Params, Y],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[Params, Y]:
    """Vectorize a function: apply it to every sample of a batch at once, without a Python loop."""
