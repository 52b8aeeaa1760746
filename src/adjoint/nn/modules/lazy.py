"""`LazyModuleMixin`: layers that learn the shapes of their parameters from the first input."""

from __future__ import annotations

from typing import Any

from adjoint._core.modes import no_grad
from adjoint.nn.parameter import is_lazy


class LazyModuleMixin:
    """Mixin of layers whose parameters are uninitialised until the first call.

    A lazy layer makes `UninitializedParameter` objects, and gives them shapes in `initialize_parameters`, which is
    called with the first input. Then it becomes an object of `cls_to_become`.
    """

    cls_to_become: Any = None
    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _non_persistent_buffers_set: set[str]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        module: Any = self
        self._load_hook = module._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = module.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        for name, tensor in self._local_state().items():  # type: ignore[attr-defined]
            destination[prefix + name] = tensor if keep_vars or is_lazy(tensor) else tensor.detach()

    def _lazy_load_hook(self, state_dict: Any, prefix: str, *rest: Any) -> None:
        """Give uninitialised parameters the shapes that they have in a state dict."""
        for name, tensor in (*self._parameters.items(), *self._buffers.items()):
            value = state_dict.get(prefix + name)
            if value is not None and is_lazy(tensor) and not is_lazy(value):
                with no_grad():
                    tensor.materialize(value.shape)

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> None:
        """Give the parameters their shapes, from the first input; to be defined by the layer."""
        raise NotImplementedError(f"{type(self).__name__} has to define initialize_parameters()")

    def has_uninitialized_params(self) -> bool:
        """Test whether a parameter or buffer has no shape yet."""
        return any(is_lazy(tensor) for tensor in (*self._parameters.values(), *self._buffers.values()))

    def _infer_parameters(self, module: Any, args: Any, kwargs: Any = None) -> None:
        """Before the first call: initialise the parameters, and become an ordinary layer."""
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"{type(module).__name__}.initialize_parameters() left parameters without a shape")
        module._initialize_hook.remove()
        module._load_hook.remove()
        del module._initialize_hook, module._load_hook
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become
