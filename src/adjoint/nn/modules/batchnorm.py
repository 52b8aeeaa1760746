"""Batch and instance normalisation, with running statistics, and their lazy kinds."""

from __future__ import annotations

import warnings
from typing import Any

from adjoint import _dtypes
from adjoint._dispatch.table import ops
from adjoint.nn import functional as F
from adjoint.nn import init
from adjoint.nn._module.layer import specialize
from adjoint.nn.modules.lazy import LazyModuleMixin
from adjoint.nn.modules.module import Module, Registered
from adjoint.nn.parameter import UninitializedBuffer, UninitializedParameter, new_parameter


class _NormBase(Module):
    """Base class of batch and instance normalisation."""

    _version = 2
    __constants__ = ["track_running_stats", "momentum", "eps", "num_features", "affine"]
    _dims: int
    _ndims: tuple[int, ...]  # numbers of dimensions that inputs may have
    weight = Registered()
    bias = Registered()
    running_mean = Registered("_buffers")
    running_var = Registered("_buffers")
    num_batches_tracked = Registered("_buffers")

    def __init_subclass__(cls, *, dims: int | None = None, **kwargs: Any) -> None:
        """Declare a normalisation by the number of its dimensions; see `specialize`."""
        super().__init_subclass__(**kwargs)
        if dims is not None:
            specialize(cls, dims)
            cls._ndims = cls._find_ndims(dims)

    @staticmethod
    def _find_ndims(dims: int) -> tuple[int, ...]:
        return (dims + 1, dims + 2)

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        for name, wanted in (("weight", affine), ("bias", affine and bias)):
            self.register_parameter(name, new_parameter(num_features, device, dtype) if wanted else None)
        for name in ("running_mean", "running_var"):
            empty = ops.empty(num_features, device=device, dtype=dtype) if track_running_stats else None
            self.register_buffer(name, empty)
        self.register_buffer("num_batches_tracked", _zero_count(device) if track_running_stats else None)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Set the running statistics to those of standardised data."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Set parameters and running statistics to their initial values."""
        self.reset_running_stats()
        if self.affine:
            init.ones_(self.weight)
            if self.bias is not None:
                init.zeros_(self.bias)

    def _check_input_dim(self, input: Any) -> None:
        if input.dim() not in self._ndims:
            allowed = " or ".join(map(str, self._ndims))
            raise ValueError(f"{type(self).__name__} takes {allowed} dimensions; the shape is {tuple(input.shape)}")

    def extra_repr(self) -> str:
        """Return what `repr` shows."""
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )

    def _load_from_state_dict(self, state_dict: Any, prefix: str, local_metadata: dict[str, Any], *rest: Any) -> None:
        version = local_metadata.get("version")
        if (version is None or version < 2) and self.track_running_stats:  # saved before batches were counted
            count = self.num_batches_tracked
            state_dict.setdefault(prefix + "num_batches_tracked", _zero_count(None) if count is None else count)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *rest)


def _zero_count(device: Any) -> Any:
    return ops.tensor(0, dtype=_dtypes.int64, device=device)


class _BatchNorm(_NormBase):
    """Standardises each channel of {things} over a batch.

    Args:
        num_features: the number of channels.
        eps: added to variances, so that nothing is divided by zero.
        momentum: the share of a batch in the running statistics; None for the mean of all batches.
        affine: whether each channel has a weight and a bias, which are learned.
        track_running_stats: whether running statistics are kept, and used in evaluation mode.
        device, dtype: those of parameters and buffers.
        bias: whether there is a bias, if `affine`.

    Example:
        >>> nn.BatchNorm{d}d(3)(ad.ones({shape:3x4})).abs().sum()
        tensor(0., grad_fn=<SumBackward0>)
    """

    @staticmethod
    def _find_ndims(dims: int) -> tuple[int, ...]:
        return (2, 3) if dims == 1 else (dims + 2,)

    def forward(self, input: Any) -> Any:
        self._check_input_dim(input)
        factor = 0.0 if self.momentum is None else self.momentum
        training = self.training
        tracked = self.track_running_stats
        if training and tracked and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                factor = 1.0 / float(self.num_batches_tracked)
        mean, variance = (self.running_mean, self.running_var) if tracked or not training else (None, None)
        by_batch = training or (mean is None and variance is None)
        return F.batch_norm(input, mean, variance, self.weight, self.bias, by_batch, factor, self.eps)


class _InstanceNorm(_NormBase):
    """Standardises each channel of each of several {things}; by default without parameters and statistics.

    Args:
        num_features: the number of channels.
        eps: added to variances, so that nothing is divided by zero.
        momentum: the share of a batch in the running statistics; None for the mean of all batches.
        affine: whether each channel has a weight and a bias, which are learned.
        track_running_stats: whether running statistics are kept, and used in evaluation mode.
        device, dtype: those of parameters and buffers.
        bias: whether there is a bias, if `affine`.

    Example:
        >>> nn.InstanceNorm{d}d(3)(ad.ones({shape:3x4})).abs().sum()
        tensor(0.)
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def forward(self, input: Any) -> Any:
        self._check_input_dim(input)
        alone = input.dim() == self._ndims[0]
        channels = input.shape[0 if alone else 1]
        if channels != self.num_features:
            text = f"the input has {channels} channels, and num_features is {self.num_features}"
            if self.affine:
                raise ValueError(text)
            warnings.warn(f"{text}, which is not used because affine=False", stacklevel=3)
        result = F.instance_norm(
            input.unsqueeze(0) if alone else input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            0.0 if self.momentum is None else self.momentum,
            self.eps,
        )
        return result.squeeze(0) if alone else result

    def _load_from_state_dict(self, state_dict: Any, prefix: str, local_metadata: dict[str, Any], *rest: Any) -> None:
        errors = rest[3]
        if local_metadata.get("version") is None and not self.track_running_stats:
            found = [prefix + n for n in ("running_mean", "running_var") if prefix + n in state_dict]
            if found:
                names = ", ".join(f'"{name}"' for name in found)
                errors.append(f"{names} are running statistics, and this layer has track_running_stats=False")
            for name in found:
                del state_dict[name]
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *rest)


class _LazyNormBase(LazyModuleMixin, _NormBase):
    """Base class of normalisations that learn the number of channels from the first input."""

    def __init__(
        self,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(0, eps, momentum, False, False, device, dtype, bias=False)
        self.affine, self.track_running_stats = affine, track_running_stats
        for name, wanted in (("weight", affine), ("bias", affine and bias)):
            if wanted:
                setattr(self, name, UninitializedParameter(device=device, dtype=dtype))
        if track_running_stats:
            self.running_mean = UninitializedBuffer(device=device, dtype=dtype)
            self.running_var = UninitializedBuffer(device=device, dtype=dtype)
            self.num_batches_tracked = _zero_count(device)

    def reset_parameters(self) -> None:
        """Set parameters and running statistics to their initial values, once they have a shape."""
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Any) -> None:
        """Give the parameters the shapes that an input calls for."""
        if self.has_uninitialized_params():
            self.num_features = input.shape[1]
            for tensor in (self.weight, self.bias, self.running_mean, self.running_var):
                if tensor is not None:
                    tensor.materialize((self.num_features,))
            self.reset_parameters()


class BatchNorm1d(_BatchNorm, dims=1): ...


class BatchNorm2d(_BatchNorm, dims=2): ...


class BatchNorm3d(_BatchNorm, dims=3): ...


class _LazyBatchNorm(_LazyNormBase, _BatchNorm):
    """A `BatchNorm{d}d` that learns the number of channels from the first input.

    Args:
        eps: added to variances, so that nothing is divided by zero.
        momentum: the share of a batch in the running statistics; None for the mean of all batches.
        affine: whether each channel has a weight and a bias, which are learned.
        track_running_stats: whether running statistics are kept, and used in evaluation mode.
        device, dtype: those of parameters and buffers.
        bias: whether there is a bias, if `affine`.

    Example:
        >>> layer = nn.LazyBatchNorm{d}d()
        >>> layer(ad.ones({shape:3x4})).shape
        adjoint.Size([{shape:3x4}])
        >>> layer.num_features
        3
    """


class LazyBatchNorm1d(_LazyBatchNorm, dims=1):
    cls_to_become = BatchNorm1d


class LazyBatchNorm2d(_LazyBatchNorm, dims=2):
    cls_to_become = BatchNorm2d


class LazyBatchNorm3d(_LazyBatchNorm, dims=3):
    cls_to_become = BatchNorm3d


class InstanceNorm1d(_InstanceNorm, dims=1): ...


class InstanceNorm2d(_InstanceNorm, dims=2): ...


class InstanceNorm3d(_InstanceNorm, dims=3): ...


class _LazyInstanceNorm(_LazyNormBase, _InstanceNorm):
    """A `InstanceNorm{d}d` that learns the number of channels from the first input.

    Args:
        eps: added to variances, so that nothing is divided by zero.
        momentum: the share of a batch in the running statistics; None for the mean of all batches.
        affine: whether each channel has a weight and a bias, which are learned.
        track_running_stats: whether running statistics are kept, and used in evaluation mode.
        device, dtype: those of parameters and buffers.
        bias: whether there is a bias, if `affine`.

    Example:
        >>> layer = nn.LazyInstanceNorm{d}d()
        >>> layer(ad.ones({shape:3x4})).shape
        adjoint.Size([{shape:3x4}])
        >>> layer.num_features
        3
    """


class LazyInstanceNorm1d(_LazyInstanceNorm, dims=1):
    cls_to_become = InstanceNorm1d


class LazyInstanceNorm2d(_LazyInstanceNorm, dims=2):
    cls_to_become = InstanceNorm2d


class LazyInstanceNorm3d(_LazyInstanceNorm, dims=3):
    cls_to_become = InstanceNorm3d


class SyncBatchNorm(_BatchNorm):
    """Batch normalisation over several processes; here there is one, so that it cannot be made.

    Args:
        args, kwargs: ignored.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError("SyncBatchNorm needs several processes; use BatchNorm1d, BatchNorm2d or BatchNorm3d")

    @classmethod
    def convert_sync_batchnorm(cls, module: Any, process_group: Any = None) -> Any:
        """Not available: there is one process."""
        raise NotImplementedError("SyncBatchNorm needs several processes; there is nothing to convert")
