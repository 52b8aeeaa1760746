"""Jacobians, Hessians and their products with vectors: the public names of `torch.autograd.functional`.

Inputs and outputs are a tensor or a tuple of tensors. With ``create_graph=True`` results can be differentiated again;
inside a transform of `adjoint.func` they always can.
With ``strict=True`` an output that does not depend on an input is an error; otherwise its derivative is zero. For
functions of trees of tensors, and for transforms that nest, see `adjoint.func`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjoint._core import backward, modes
from adjoint._core.forward.tangents import keep_tangents_only
from adjoint._core.levels import raise_level
from adjoint._core.tensor import Tensor
from adjoint._core.transpose import transpose
from adjoint.func._jacobian import blocks_of_columns, jacobian_by_rows, single_unit_vectors, stack_parts, unit_vectors
from adjoint.func._jvp import jvp as push_forward
from adjoint.func._vmap import vmap

Tensors = tuple[Any, ...]
__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]


def __dir__() -> list[str]:
    return __all__


Function = Callable[..., Any]


def vjp(func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """Vector-Jacobian product: v^T J, by reverse mode.

    Args:
        func: takes and returns a tensor or several.
        inputs: a tensor or a tuple of tensors: the point.
        v: a tensor or a tuple like the outputs; may be left out for one output of one element.
        create_graph: whether the results can be differentiated again.
        strict: whether an output that does not depend on an input is an error.

    Returns:
        The function's outputs, and the product, built like the inputs.

    Example:
        >>> ad.autograd.functional.vjp(ad.sin, ad.tensor([0.0, 1.0]), ad.tensor([1.0, 0.0]))
        (tensor([0.0000, 0.8415]), tensor([1., 0.]))
    """
    keep = create_graph or modes.is_transformed()
    with modes.enable_grad():
        several, leaves = _as_leaves(inputs, "vjp", keep)
        many, outputs = _call(func, leaves, "vjp", strict)
        vector = _check_vector(v, outputs, many, "vjp", "output", keep)
    with modes.set_grad_enabled(keep or modes.state().grad_enabled):
        grads = _grad(outputs, leaves, vector, keep)
        product = _fill_missing(grads, leaves, strict, create_graph, "the function", "its Jacobian")
    return _unpack(_drop_history(outputs, keep), many), _unpack(_drop_history(product, keep), several)


def jvp(func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """Jacobian-vector product: J v.

    It is computed by reverse mode twice, and so works wherever reverse mode does; `func.jvp` uses forward mode.

    Args:
        func, inputs, create_graph, strict: as for `vjp`.
        v: a tensor or a tuple like the inputs; may be left out for one input of one element.

    Returns:
        The function's outputs, and the product, built like the outputs.

    Example:
        >>> ad.autograd.functional.jvp(ad.sin, ad.tensor([0.0, 1.0]), ad.tensor([1.0, 0.0]))
        (tensor([0.0000, 0.8415]), tensor([1., 0.]))
    """
    keep = create_graph or modes.is_transformed()
    with modes.enable_grad():
        several, leaves = _as_leaves(inputs, "jvp", keep)
        vector = _check_vector(v, leaves, several, "jvp", "input", keep)
        many, outputs = _call(func, leaves, "jvp", strict)
        # A gradient is linear in the outputs' gradients, so their values do not matter in its own derivative.
        zeros = tuple([_zeros_like(out).requires_grad_() if out._spec.inexact else _zeros_like(out) for out in outputs])
        grads = _grad(outputs, leaves, zeros, True)
        if strict:
            _check_depends(grads, "the gradient for input {}")
    with modes.set_grad_enabled(keep or modes.state().grad_enabled):
        vector = vector or (leaves[0].new_ones(leaves[0]._spec.shape),)
        found = tuple(transpose(grads, vector, zeros, create_graph=keep))
        product = _fill_missing(found, outputs, strict, create_graph, "the gradient", "the Jacobian", "output")
    return _unpack(_drop_history(outputs, keep), many), _unpack(_drop_history(product, keep), many)


def vhp(func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """Vector-Hessian product: v^T H, for a function whose result has one element.

    Args:
        func: returns one tensor of one element.
        inputs, create_graph, strict: as for `vjp`.
        v: a tensor or a tuple like the inputs; may be left out for one input of one element.

    Returns:
        The function's output, and the product, built like the inputs.

    Example:
        >>> ad.autograd.functional.vhp(lambda x: (x**3).sum(), ad.tensor([1.0, 2.0]), ad.tensor([1.0, 1.0]))
        (tensor(9.), tensor([ 6., 12.]))
    """
    return _hessian_product(func, inputs, v, create_graph, strict, "vhp")


def hvp(func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """Hessian-vector product: H v.

    A Hessian is symmetric, so this is `vhp`, which takes two backward passes.

    Args:
        func, inputs, v, create_graph, strict: as for `vhp`.

    Returns:
        The function's output, and the product, built like the inputs.

    Example:
        >>> ad.autograd.functional.hvp(lambda x: (x**3).sum(), ad.tensor([1.0, 2.0]), ad.tensor([1.0, 1.0]))
        (tensor(9.), tensor([ 6., 12.]))
    """
    return _hessian_product(func, inputs, v, create_graph, strict, "hvp")


def _hessian_product(func: Function, inputs: Any, v: Any, create_graph: bool, strict: bool, api: str) -> Any:
    keep = create_graph or modes.is_transformed()
    with modes.enable_grad():
        several, leaves = _as_leaves(inputs, api, keep)
        vector = _check_vector(v, leaves, several, api, "input", keep)
        many, outputs = _call(func, leaves, api, strict)
        _check_single(many, outputs, api)
        grads = _grad(outputs, leaves, None, True)
        if strict:
            _check_depends(grads, "the gradient for input {}")
    with modes.set_grad_enabled(keep or modes.state().grad_enabled):
        found = _grad(grads, leaves, vector, keep)
        product = _fill_missing(found, leaves, strict, create_graph, "the gradient", "the Hessian")
    return _unpack(_drop_history(outputs, keep), many), _unpack(_drop_history(product, keep), several)


def jacobian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """Jacobian of a function.

    Args:
        func, inputs, create_graph: as for `vjp`.
        strict: as for `vjp`; not together with `vectorize` or the forward mode.
        vectorize: compute all rows (in forward mode: columns) at once, by `vmap`.
        strategy: "reverse-mode", or "forward-mode" for functions with more outputs than inputs.

    Returns:
        For one input and one output a tensor of shape ``output.shape + input.shape``; for several inputs a tuple of
        such tensors; for several outputs a tuple of these results.

    Example:
        >>> ad.autograd.functional.jacobian(lambda x: x**2, ad.tensor([1.0, 2.0]))
        tensor([[2., 0.],
                [0., 4.]])
    """
    _check_strategy(strategy, "strategy")
    if strict and (vectorize or strategy == "forward-mode"):
        other = "vectorize=True" if vectorize else 'strategy="forward-mode"'
        raise RuntimeError(f"jacobian: strict=True cannot be checked together with {other}; leave one of them out")
    keep = create_graph or modes.is_transformed()
    with modes.enable_grad():
        several, leaves = _as_leaves(inputs, "jacobian", keep)
        if strategy == "forward-mode":
            many, blocks = _jacobian_by_columns(func, leaves, vectorize)
        else:
            many, outputs = _call(func, leaves, "jacobian", strict)
            if vectorize:
                blocks = _jacobian_by_rows(outputs, leaves, keep, False, None, "the function")
            else:
                blocks: list[list[Any]] = []
                for number, output in enumerate(outputs):  # each has a graph of its own to walk through
                    source = f"output {number} of the function"
                    blocks += _jacobian_by_rows((output,), leaves, keep, strict, 1, source)
    return _unpack(tuple([_unpack(_drop_history(tuple(row), keep), several) for row in blocks]), many)


def hessian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """Hessian of a function whose result has one element.

    Args:
        func: returns one tensor of one element.
        inputs, create_graph, strict, vectorize: as for `jacobian`.
        outer_jacobian_strategy: how the gradient is differentiated: "reverse-mode" or "forward-mode".

    Returns:
        For one input a tensor of shape ``input.shape + input.shape``; for a tuple of inputs a tuple of tuples.

    Example:
        >>> ad.autograd.functional.hessian(lambda x: (x**3).sum(), ad.tensor([1.0, 2.0]))
        tensor([[ 6.,  0.],
                [ 0., 12.]])
    """
    several, inputs = _as_tuple(inputs, "inputs", "hessian")
    _check_strategy(outer_jacobian_strategy, "outer_jacobian_strategy")

    def gradient(*leaves: Any) -> Tensors:
        _, own = _as_leaves(leaves, "hessian", True)
        many, outputs = _call(func, own, "hessian", strict)
        _check_single(many, outputs, "hessian")
        grads = _fill_missing(_grad(outputs, own, None, True), own, strict, False, "the function", "its Jacobian")
        if strict:
            _check_depends(grads, "the gradient for input {}")
        return grads

    result = jacobian(gradient, inputs, create_graph, strict, vectorize, outer_jacobian_strategy)
    return _unpack(tuple([_unpack(row, several) for row in result]), several)


# ---- Jacobians -------------------------------------------------------------------------------------------------------


def _jacobian_by_rows(
    outputs: Tensors, leaves: Tensors, create_graph: bool, strict: bool, chunk_size: int | None, source: str
) -> list[list[Any]]:
    """Compute for each output its Jacobians with respect to each input, by reverse mode."""

    def pull(unit: list[Any]) -> Tensors:
        grads = _grad(outputs, leaves, unit, create_graph, keep=True)
        return _fill_missing(grads, leaves, strict, create_graph, source, "the Jacobian")

    def pull_batch(units: list[Any]) -> Tensors:
        count = units[0]._spec.shape[0]
        grads = _grad(outputs if count else (), leaves, units, create_graph, keep=True, batched=True)
        return tuple(
            [leaf.new_zeros((count, *leaf._spec.shape)) if one is None else one for one, leaf in zip(grads, leaves)]
        )

    return jacobian_by_rows(outputs, leaves, pull, pull_batch, chunk_size)


def _jacobian_by_columns(func: Function, inputs: Tensors, vectorize: bool) -> tuple[bool, list[list[Any]]]:
    """Compute for each output its Jacobians with respect to each input, by forward mode; also whether it is a tuple."""
    many = False

    def push(*tangents: Any) -> Tensors:
        nonlocal many
        result, tangent = push_forward(func, inputs, tangents)
        many, _ = _as_tuple(result, "outputs of the function", "jacobian")
        return tangent if many else (tangent,)

    if vectorize:
        columns = vmap(push)(*next(unit_vectors(inputs, None)))
    else:
        columns = stack_parts([push(*unit) for unit in single_unit_vectors(inputs)])
    return many, blocks_of_columns(columns, inputs)


# ---- arguments and results -------------------------------------------------------------------------------------------


def _as_tuple(value: Any, what: str, api: str) -> tuple[bool, Tensors]:
    """Return whether the value is a tuple, and the tuple (of one tensor if it is not)."""
    several = isinstance(value, tuple)
    items: Tensors = value if several else (value,)  # pyright: ignore[reportUnknownVariableType]
    for index, item in enumerate(items):
        if not isinstance(item, Tensor):
            where = f"entry {index} is a" if several else "it is a"
            raise TypeError(
                f"{api}: the {what} have to be a Tensor or a tuple of Tensors; {where} {type(item).__name__}"
            )
    return several, items


def _as_leaves(inputs: Any, api: str, create_graph: bool) -> tuple[bool, Tensors]:
    """Make new leaves from the inputs, so that inputs captured by the function are constants."""
    several, items = _as_tuple(inputs, "inputs", api)
    level = modes.thread.transform_level
    leaves: list[Any] = []
    for item in items:
        if item._spec.level < level:  # in a transform, what depends on it is of the transform's level
            leaves.append(raise_level(item, level).requires_grad_())
        elif create_graph and item.requires_grad:
            leaves.append(item.view_as(item))
        else:
            leaves.append(keep_tangents_only(item).requires_grad_())
    return several, tuple(leaves)


def _call(func: Function, leaves: Tensors, api: str, strict: bool) -> tuple[bool, Tensors]:
    many, outputs = _as_tuple(func(*leaves), "outputs of the function", api)
    if strict:
        for index, output in enumerate(outputs):
            if not output.requires_grad:
                raise RuntimeError(
                    f"{api}: output {index} of the function does not require grad: it is not computed from the inputs "
                    "by differentiable operations, which strict=True demands"
                )
    return many, outputs


def _check_single(many: bool, outputs: Tensors, api: str) -> None:
    if many:
        raise RuntimeError(f"{api}: the function has to return one tensor, got a tuple of {len(outputs)}")
    if outputs[0]._spec.size != 1:
        raise RuntimeError(
            f"{api}: the function has to return a tensor of one element, got one of shape {outputs[0]._spec.shape}"
        )


def _check_strategy(strategy: Any, name: str) -> None:
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            f'{name} has to be "forward-mode" (for more outputs than inputs) or "reverse-mode", got {strategy!r}'
        )


def _check_vector(v: Any, like: Tensors, several: bool, api: str, what: str, create_graph: bool) -> Tensors | None:
    """Check the vector of a product against the inputs or outputs."""
    if v is None:
        if len(like) != 1 or like[0]._spec.size != 1:
            raise RuntimeError(f"{api}: v can be left out only for one {what} of one element")
        return None
    _, items = _as_tuple(v, "vectors v", api)
    if len(items) != len(like):
        wanted = f"a tuple of {len(like)} tensors" if several else "one tensor"
        raise RuntimeError(f"{api}: v has to be {wanted}, like the {what}s, got {len(items)}")
    for index, (item, other) in enumerate(zip(items, like)):
        if item._spec.shape != other._spec.shape:
            raise RuntimeError(
                f"{api}: entry {index} of v has shape {item._spec.shape}, but {what} {index} has shape "
                f"{other._spec.shape}"
            )
    operations: Any = items
    return tuple([item if create_graph and item.requires_grad else keep_tangents_only(item) for item in operations])


def _grad(
    outputs: Any, inputs: Tensors, given: Any, create_graph: bool, keep: bool | None = None, batched: bool = False
) -> Tensors:
    """Call `grad`, with None for independent inputs; outputs may be None or not require grad."""
    used = [place for place, output in enumerate(outputs) if output is not None and output._edge is not None]
    wanted = [place for place, tensor in enumerate(inputs) if tensor._edge is not None]
    results: list[Any] = [None] * len(inputs)
    if used and wanted:
        found = backward.grad(
            [outputs[place] for place in used],
            [inputs[place] for place in wanted],
            None if given is None else [given[place] for place in used],
            retain_graph=keep,
            create_graph=create_graph,
            allow_unused=True,
            is_grads_batched=batched,
        )
        for place, value in zip(wanted, found):
            results[place] = value
    return tuple(results)


def _check_depends(grads: Tensors, what: str) -> None:
    """Raise, for strict=True, unless all gradients exist and depend on the inputs."""
    for index, grad in enumerate(grads):
        if grad is None:
            raise RuntimeError(f"the function does not depend on input {index}, which strict=True demands")
        if not grad.requires_grad:
            raise RuntimeError(
                f"{what.format(index)} does not depend on the inputs, which strict=True demands: the function is linear"
            )


def _fill_missing(
    grads: Tensors, like: Tensors, strict: bool, create_graph: bool, source: str, result: str, what: str = "input"
) -> Tensors:
    """Replace missing gradients by zeros; with strict=True, raise."""
    filled: list[Any] = []
    for index, (grad, tensor) in enumerate(zip(grads, like)):
        if grad is None:
            if strict:
                raise RuntimeError(f"{source} does not depend on {what} {index}, which strict=True demands")
            grad = _zeros_like(tensor)
        elif strict and create_graph and not grad.requires_grad:
            raise RuntimeError(
                f"{result} does not depend on {what} {index}, which strict=True demands together with create_graph=True"
            )
        filled.append(grad)
    return tuple(filled)


def _drop_history(tensors: Tensors, create_graph: bool) -> Tensors:
    """Detach results unless `create_graph`."""
    return tensors if create_graph else tuple([keep_tangents_only(t) if t._edge is not None else t for t in tensors])


def _unpack(items: Tensors, several: bool) -> Any:
    return items if several else items[0]


def _namespace(tensor: Any) -> Any:
    """Return the array API namespace of a tensor."""
    return tensor.__array_namespace__()


def _zeros_like(tensor: Any) -> Any:
    return _namespace(tensor).zeros_like(tensor)
