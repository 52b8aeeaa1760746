"""Pruning: parameters whose elements are set to zero by a mask, before each call."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from numbers import Integral, Real
from typing import Any

from adjoint._core.modes import no_grad
from adjoint._dispatch.table import ops
from adjoint.nn.utils.convert_parameters import parameters_to_vector


class BasePruningMethod(ABC):
    """Base class of methods of pruning: a hook that multiplies a parameter by a mask before each call.

    A subclass defines `compute_mask`, and `PRUNING_TYPE`: ``'unstructured'``, ``'structured'`` or ``'global'``.
    """

    PRUNING_TYPE: str
    _tensor_name: Any = None

    def __call__(self, module: Any, inputs: Any) -> None:
        """Call `forward`, with the hooks around it."""
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Compute the mask of a tensor from how important its elements are, and the mask so far."""

    def apply_mask(self, module: Any) -> Any:
        """Multiply the original parameter by the mask."""
        if self._tensor_name is None:
            raise AssertionError(f"{type(module).__name__} is not pruned yet")
        original = getattr(module, f"{self._tensor_name}_orig")
        return getattr(module, f"{self._tensor_name}_mask").to(original.dtype) * original

    @classmethod
    def apply(cls, module: Any, name: str, *args: Any, importance_scores: Any = None, **kwargs: Any) -> Any:
        """Prune a parameter of a module; what is pruned already is pruned further.

        Args:
            module: what has the parameter.
            name: what it is called.
            args, kwargs: the arguments of the constructor.
            importance_scores: how important elements are. Default: the parameter itself.
        """
        method = cls(*args, **kwargs)
        method._tensor_name = name
        method = _join_methods(module, name, method)
        parameter = getattr(module, name)
        scores = parameter if importance_scores is None else importance_scores
        if scores.shape != parameter.shape:
            raise AssertionError(f"importance_scores has shape {tuple(scores.shape)}, not {tuple(parameter.shape)}")
        further = isinstance(method, PruningContainer)
        if further:
            before = getattr(module, f"{name}_mask").detach().clone()
        else:
            module.register_parameter(f"{name}_orig", parameter)
            del module._parameters[name]
            before = ops.ones_like(parameter.detach())
        try:
            with no_grad():
                mask = method.compute_mask(scores.detach(), default_mask=before)
            module.register_buffer(f"{name}_mask", mask)
            setattr(module, name, method.apply_mask(module))
            module.register_forward_pre_hook(method)
        except Exception:
            if not further:
                module.register_parameter(name, module._parameters.pop(f"{name}_orig"))
            raise
        return method

    def prune(self, t: Any, default_mask: Any = None, importance_scores: Any = None) -> Any:
        """Compute a pruned tensor, without a module.

        Args:
            t: the tensor.
            default_mask: the mask so far. Default: ones.
            importance_scores: how important elements are. Default: the tensor itself.
        """
        scores = t if importance_scores is None else importance_scores
        if scores.shape != t.shape:
            raise AssertionError(f"importance_scores has shape {tuple(scores.shape)}, not {tuple(t.shape)}")
        mask = ops.ones_like(t.detach()) if default_mask is None else default_mask
        return t * self.compute_mask(scores, default_mask=mask)

    def remove(self, module: Any) -> None:
        """Make the pruned values those of the parameter."""
        name = self._tensor_name
        weight = self.apply_mask(module).detach()
        if hasattr(module, name):
            delattr(module, name)
        original = module._parameters.pop(f"{name}_orig")
        original.data = weight
        del module._buffers[f"{name}_mask"]
        setattr(module, name, original)


def _join_methods(module: Any, name: str, method: Any) -> Any:
    """Remove the hook that prunes a parameter already, and return it together with a new method."""
    hooks = module._forward_pre_hooks
    found = [key for key, one in hooks.items() if isinstance(one, BasePruningMethod) and one._tensor_name == name]
    if not found:
        return method
    older = hooks.pop(found[0])
    container = older if isinstance(older, PruningContainer) else PruningContainer(older)
    container.add_pruning_method(method)
    return container


class PruningContainer(BasePruningMethod):
    """Several methods that prune one parameter, one after the other.

    Args:
        args: the methods.
    """

    def __init__(self, *args: Any) -> None:
        self._pruning_methods: tuple[Any, ...] = ()
        if len(args) == 1:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method: Any) -> None:
        """Add a method of the same parameter.

        Args:
            method: the method.
        """
        if method is not None and not isinstance(method, BasePruningMethod):
            raise TypeError(f"a {type(method).__name__} is no method of pruning")
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError(f"a method for {method._tensor_name!r} cannot be added to those for {self._tensor_name!r}")
        self._pruning_methods += (method,)

    def __len__(self) -> int:
        """Return the number of methods."""
        return len(self._pruning_methods)

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the methods."""
        return iter(self._pruning_methods)

    def __getitem__(self, idx: Any) -> Any:
        """Return a method."""
        return self._pruning_methods[idx]

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Let the last method prune what is not pruned yet."""
        method = self._pruning_methods[-1]
        if method.PRUNING_TYPE == "unstructured":
            part: Any = default_mask == 1
        elif method.PRUNING_TYPE == "structured":
            dim = method.dim % t.ndim
            kept = default_mask.sum([other for other in range(t.ndim) if other != dim]) != 0
            part = tuple(kept if other == dim else slice(None) for other in range(t.ndim))
        elif method.PRUNING_TYPE == "global":
            part = (slice(None),) * t.ndim
        else:
            raise ValueError(f"PRUNING_TYPE is not known: {method.PRUNING_TYPE!r:.80}")
        mask = default_mask.to(t.dtype).clone()
        mask[part] = method.compute_mask(t[part], default_mask=default_mask[part]).to(mask.dtype)
        return mask


class Identity(BasePruningMethod):
    """Prunes nothing, but adds a mask."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Return the mask so far."""
        return default_mask


class _ByAmount(BasePruningMethod):
    """Base class of methods that prune a share, or a number, of elements or channels."""

    def __init__(self, amount: Any) -> None:
        self.amount = amount
        self._is_count = isinstance(amount, Integral)
        if not isinstance(amount, Real):
            raise TypeError(f"amount is a number, not a {type(amount).__name__}")
        if not 0 <= float(amount) <= (float("inf") if self._is_count else 1):
            raise ValueError(f"amount is a share between 0 and 1, or a count, not {amount}")

    def _count(self, size: int) -> int:
        if not self._is_count:
            return round(self.amount * size)
        if self.amount > size:
            raise ValueError(f"amount is {self.amount}, and there are {size} to prune")
        return int(self.amount)


class _Unstructured(_ByAmount):
    PRUNING_TYPE = "unstructured"

    def _scores(self, t: Any) -> Any:
        raise NotImplementedError

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Set the mask of the least important elements to zero."""
        mask = default_mask.clone()
        count = self._count(t.numel())
        if count:
            places = ops.topk(self._scores(t).reshape(-1), count, largest=False)[1]
            mask.view(-1)[places] = 0
        return mask


class RandomUnstructured(_Unstructured):
    """Prunes random elements.

    Args:
        amount: how many, or which share.
    """

    def _scores(self, t: Any) -> Any:
        return ops.rand_like(t)


class L1Unstructured(_Unstructured):
    """Prunes the elements of the smallest absolute values.

    Args:
        amount: how many, or which share.
    """

    def _scores(self, t: Any) -> Any:
        return t.abs()


class _Structured(_ByAmount):
    PRUNING_TYPE = "structured"
    dim: int

    def _channel_scores(self, t: Any) -> Any:
        raise NotImplementedError

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Set the mask of the least important channels to zero."""
        if t.ndim <= 1:
            raise ValueError(f"structured pruning needs several dimensions; the shape is {tuple(t.shape)}")
        if self.dim >= t.ndim:
            raise IndexError(f"dim {self.dim} is out of range: there are {t.ndim} dimensions")
        count = self._count(t.shape[self.dim])
        if not count:
            return default_mask
        kept = ops.topk(self._channel_scores(t), t.shape[self.dim] - count)[1]
        mask = ops.index_fill(ops.zeros_like(t), self.dim, kept, 1)
        return mask * default_mask.to(mask.dtype)


class RandomStructured(_Structured):
    """Prunes random channels.

    Args:
        amount: how many, or which share.
        dim: the dimension of channels.
    """

    def __init__(self, amount: Any, dim: int = -1) -> None:
        super().__init__(amount)
        self.dim = dim

    def _channel_scores(self, t: Any) -> Any:
        return ops.rand(t.shape[self.dim])


class LnStructured(_Structured):
    """Prunes the channels of the smallest norms.

    Args:
        amount: how many, or which share.
        n: the exponent of the norm.
        dim: the dimension of channels.
    """

    def __init__(self, amount: Any, n: Any, dim: int = -1) -> None:
        super().__init__(amount)
        self.n, self.dim = n, dim

    def _channel_scores(self, t: Any) -> Any:
        dims = [other for other in range(t.ndim) if other != self.dim % t.ndim]
        return ops.norm(t, p=self.n, dim=dims)


class CustomFromMask(BasePruningMethod):
    """Prunes by a mask.

    Args:
        mask: the mask.
    """

    PRUNING_TYPE = "global"

    def __init__(self, mask: Any) -> None:
        self.mask = mask

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Combine the mask with that so far."""
        if default_mask.shape != self.mask.shape:
            raise AssertionError(f"the mask has shape {tuple(self.mask.shape)}, not {tuple(default_mask.shape)}")
        return default_mask * self.mask.to(default_mask.dtype)


def identity(module: Any, name: str) -> Any:
    """Add a mask of ones to a parameter.

    Args:
        module: what has the parameter.
        name: what it is called.

    Example:
        >>> list(nn.utils.prune.identity(nn.Linear(2, 3), "weight").state_dict())
        ['bias', 'weight_orig', 'weight_mask']
    """
    Identity.apply(module, name)
    return module


def random_unstructured(module: Any, name: str, amount: Any) -> Any:
    """Prune random elements of a parameter.

    Args:
        module: what has the parameter.
        name: what it is called.
        amount: how many, or which share.

    Example:
        >>> int((nn.utils.prune.random_unstructured(nn.Linear(2, 3), "weight", 4).weight == 0).sum())
        4
    """
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module: Any, name: str, amount: Any, importance_scores: Any = None) -> Any:
    """Prune the elements of a parameter that have the smallest absolute values.

    Args:
        module: what has the parameter.
        name: what it is called.
        amount: how many, or which share.
        importance_scores: what is compared instead of the parameter.

    Example:
        >>> int((nn.utils.prune.l1_unstructured(nn.Linear(2, 3), "weight", 0.5).weight == 0).sum())
        3
    """
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module: Any, name: str, amount: Any, dim: int) -> Any:
    """Prune random channels of a parameter.

    Args:
        module: what has the parameter.
        name: what it is called.
        amount: how many, or which share.
        dim: the dimension of channels.

    Example:
        >>> int((nn.utils.prune.random_structured(nn.Linear(2, 3), "weight", 1, 0).weight == 0).sum())
        2
    """
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module: Any, name: str, amount: Any, n: Any, dim: int, importance_scores: Any = None) -> Any:
    """Prune the channels of a parameter that have the smallest norms.

    Args:
        module: what has the parameter.
        name: what it is called.
        amount: how many, or which share.
        n: the exponent of the norm.
        dim: the dimension of channels.
        importance_scores: what is compared instead of the parameter.

    Example:
        >>> int((nn.utils.prune.ln_structured(nn.Linear(2, 3), "weight", 1, 2, 1).weight == 0).sum())
        3
    """
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def global_unstructured(
    parameters: Iterable[Any], pruning_method: Any, importance_scores: Any = None, **kwargs: Any
) -> None:
    """Prune elements of several parameters, compared with each other.

    Args:
        parameters: pairs of a module and a name.
        pruning_method: the class of the method, which is unstructured.
        importance_scores: what is compared instead of parameters, by such pairs.
        kwargs: the arguments of the method.

    Example:
        >>> layer = nn.Linear(2, 3)
        >>> places = [(layer, "weight"), (layer, "bias")]
        >>> nn.utils.prune.global_unstructured(places, nn.utils.prune.L1Unstructured, amount=4)
        >>> int((layer.weight == 0).sum() + (layer.bias == 0).sum())
        4
    """
    places, scores = list(parameters), {} if importance_scores is None else importance_scores
    if not isinstance(scores, dict):
        raise TypeError(f"importance_scores is a dictionary, not a {type(scores).__name__}")
    method = pruning_method(**kwargs)
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(f"{pruning_method.__name__} is {method.PRUNING_TYPE}; global_unstructured() needs another one")
    tensors = [getattr(module, name) for module, name in places]
    compared = [scores.get(place, tensor).detach() for place, tensor in zip(places, tensors)]
    before = [
        getattr(module, f"{name}_mask", ops.ones_like(tensor.detach()))
        for (module, name), tensor in zip(places, tensors)
    ]
    container = PruningContainer(method)
    mask = container.compute_mask(parameters_to_vector(compared), parameters_to_vector(before))
    begin = 0
    for (module, name), tensor in zip(places, tensors):
        custom_from_mask(module, name, mask[begin : begin + tensor.numel()].reshape(tensor.shape))
        begin += tensor.numel()


def custom_from_mask(module: Any, name: str, mask: Any) -> Any:
    """Prune a parameter by a mask.

    Args:
        module: what has the parameter.
        name: what it is called.
        mask: zeros for what is pruned.

    Example:
        >>> nn.utils.prune.custom_from_mask(nn.Linear(1, 2), "bias", ad.tensor([0, 0])).bias.detach().abs()
        tensor([0., 0.])
    """
    CustomFromMask.apply(module, name, mask)
    return module


def remove(module: Any, name: str) -> Any:
    """Make pruned values those of the parameter.

    Args:
        module: what has the parameter.
        name: what it is called.

    Example:
        >>> layer = nn.utils.prune.random_unstructured(nn.Linear(2, 3), "weight", 4)
        >>> list(nn.utils.prune.remove(layer, "weight").state_dict())
        ['bias', 'weight']
    """
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"{name!r} of {type(module).__name__} is not pruned")


def is_pruned(module: Any) -> bool:
    """Test whether a parameter of a module, or of one inside it, is pruned.

    Args:
        module: the module.

    Example:
        >>> nn.utils.prune.is_pruned(nn.Linear(2, 3))
        False
    """
    hooks = (hook for one in module.modules() for hook in one._forward_pre_hooks.values())
    return any(isinstance(hook, BasePruningMethod) for hook in hooks)
