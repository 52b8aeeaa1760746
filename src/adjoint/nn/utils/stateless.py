"""`functional_call`: a module called with other parameters; the newer one is `func.functional_call`."""

from __future__ import annotations

import warnings
from typing import Any

from adjoint.func import functional_call as _functional_call


def functional_call(
    module: Any,
    parameters_and_buffers: dict[str, Any],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call a module with other tensors instead of its parameters and buffers.

    Args:
        module: the module.
        parameters_and_buffers: tensors by name.
        args: the arguments of the call: a tuple, or one.
        kwargs: its arguments by keyword.
        tie_weights: whether names of one parameter go on naming one.
        strict: whether all parameters and buffers have to be given, and nothing else.
    """
    warnings.warn("use func.functional_call()", FutureWarning, stacklevel=2)
    return _functional_call(module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict)
