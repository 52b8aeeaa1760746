"""`functional_call` and `stack_module_state`: modules as functions of their parameters.

A module is known here by its dictionaries `_parameters`, `_buffers` and `_modules`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from adjoint._core.modes import no_grad
from adjoint._dispatch.table import ops

_ABSENT = object()


def functional_call(
    module: Any,
    parameter_and_buffer_dicts: Any,
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call a module with other tensors instead of its parameters and buffers.

    Args:
        module: the module.
        parameter_and_buffer_dicts: tensors by name, as in its state dict; or several such dictionaries.
        args: the arguments of the call: a tuple, or one.
        kwargs: its arguments by keyword.
        tie_weights: whether names of one parameter go on naming one.
        strict: whether all parameters and buffers have to be given, and nothing else.

    Example:
        >>> layer = ad.nn.Linear(1, 1)
        >>> weights = {"weight": ad.tensor([[2.0]]), "bias": ad.tensor([1.0])}
        >>> ad.func.functional_call(layer, weights, ad.tensor([3.0]))
        tensor([7.])
    """
    given = _join(parameter_and_buffer_dicts)
    owner = parameter_and_buffer_dicts if isinstance(parameter_and_buffer_dicts, dict) else None
    if strict:
        _check_names(module, given)
    names = _untie(module, given) if tie_weights else given
    arguments = () if args is None else args if isinstance(args, tuple) else (args,)
    with _exchanged(module, names, given if owner is None else owner):
        return module(*arguments, **(kwargs or {}))


def _join(given: Any) -> dict[str, Any]:
    """Join dictionaries to one; a name may be in one of them only."""
    if isinstance(given, Mapping):
        return dict(given)
    if not (isinstance(given, Sequence) and all(isinstance(one, Mapping) for one in given)):
        raise ValueError(f"functional_call() takes a dictionary of tensors, or several, not a {type(given).__name__}")
    joined: dict[str, Any] = {}
    for one in given:
        twice = sorted(joined.keys() & one.keys())
        if twice:
            raise ValueError(f"several dictionaries have {', '.join(map(repr, twice))}")
        joined.update(one)
    return joined


def _named_tensors(module: Any) -> dict[str, Any]:
    return {
        **dict(module.named_parameters(remove_duplicate=False)),
        **dict(module.named_buffers(remove_duplicate=False)),
    }


def _check_names(module: Any, given: dict[str, Any]) -> None:
    known = _named_tensors(module)
    texts = [
        f"{what}: {', '.join(map(repr, names))}"
        for what, names in (("missing", [*known.keys() - given.keys()]), ("unexpected", [*given.keys() - known.keys()]))
        if names
    ]
    if texts:
        raise RuntimeError(f"the parameters and buffers do not fit {type(module).__name__}; " + "; ".join(texts))


def _untie(module: Any, given: dict[str, Any]) -> dict[str, Any]:
    """Add the further names of tensors that are given by one of their names."""
    groups: dict[int, list[str]] = {}
    for name, tensor in _named_tensors(module).items():
        groups.setdefault(id(tensor), []).append(name)
    result = dict(given)
    for names in groups.values():
        values = {id(given[name]): given[name] for name in names if name in given}
        if len(values) > 1:
            raise ValueError(f"{', '.join(map(repr, sorted(names)))} are one tensor, and are given different values")
        for value in values.values():
            result.update(dict.fromkeys(names, value))
    return result


@contextmanager
def _exchanged(module: Any, tensors: dict[str, Any], given: dict[str, Any]) -> Iterator[None]:
    """Put tensors into the place of others for a while; those that the call replaced are put into `given`."""
    places: list[tuple[dict[str, Any], str, str, Any]] = []
    try:
        for full, tensor in tensors.items():
            path, _, name = full.rpartition(".")
            owner = module.get_submodule(path)
            home = next((one for one in (owner._parameters, owner._buffers) if name in one), owner.__dict__)
            places.append((home, name, full, home.get(name, _ABSENT)))
            home[name] = tensor
        yield
    finally:
        for home, name, full, before in reversed(places):
            if full in given and name in home:
                given[full] = home[name]
            if before is _ABSENT:
                home.pop(name, None)
            else:
                home[name] = before


def stack_module_state(models: Sequence[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Stack the parameters, and the buffers, of modules of one class, for `vmap` over an ensemble.

    Args:
        models: the modules.

    Returns:
        The stacked parameters, which are leaves, and the stacked buffers, by name.

    Example:
        >>> parameters, buffers = ad.func.stack_module_state([ad.nn.Linear(2, 3) for _ in range(4)])
        >>> parameters["weight"].shape
        adjoint.Size([4, 3, 2])
    """
    models = list(models)
    if not models:
        raise RuntimeError("stack_module_state() needs at least one module")
    if len({model.training for model in models}) > 1:
        raise RuntimeError("some of the modules are in training mode, and some in evaluation mode")
    if len({type(model) for model in models}) > 1:
        raise RuntimeError(f"the modules are of different classes: {sorted({type(m).__name__ for m in models})}")
    parameters = {name: _stack([dict(m.named_parameters())[name] for m in models])
                  for name in dict(models[0].named_parameters())}  # fmt: skip
    buffers = {name: _stack([dict(m.named_buffers())[name] for m in models])
               for name in dict(models[0].named_buffers())}  # fmt: skip
    return parameters, buffers


def _stack(tensors: list[Any]) -> Any:
    """Stack leaves; the result is a leaf."""
    flags = {tensor.requires_grad for tensor in tensors}
    if len(flags) > 1:
        raise RuntimeError("a parameter requires grad in some of the modules, and not in others")
    with no_grad():
        stacked = ops.stack([tensor.detach() for tensor in tensors])
    return stacked.requires_grad_(flags.pop())
