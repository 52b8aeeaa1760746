"""Array exchange between libraries: zero-copy by DLPack where possible, else a copy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np

from adjoint._dispatch.factory import on_device
from adjoint._dtypes import FROM_NUMPY
from adjoint.arrays import namespace_of, numpy_namespace

_WIDE_INTEGERS = (np.dtype(np.int64), np.dtype(np.uint64))
_BITS_16 = np.dtype(np.int16)


def is_inexact(array: Any) -> bool:
    """Test whether a NumPy or JAX array is floating point or complex."""
    kind = FROM_NUMPY.get(array.dtype)
    return kind is not None and kind.category >= 2


def find_home(arrays: Sequence[Any], foreign: type | tuple[type, ...] = ()) -> Any:
    """Return the library that results are converted to: that of the inputs, NumPy if there are none.

    Args:
        arrays: the inputs.
        foreign: the array types of the library that computes; an input of one of them takes precedence.
    """
    spaces = [namespace_of(array) for array in arrays]
    for array, space in zip(arrays, spaces):
        if isinstance(array, foreign):
            return space
    return max(spaces, key=lambda space: space.rank, default=numpy_namespace)


def convert_result(array: Any, home: Any, inputs: Sequence[Any]) -> Any:
    """Convert a result to the library `home`, without sharing memory with the inputs.

    Tensors track shared memory; memory shared by a foreign function would go unnoticed.
    """
    if home is numpy_namespace:
        result = array if isinstance(array, np.ndarray) else np.from_dlpack(array)
    elif home.name == "cupy" and not isinstance(array, np.ndarray):
        import cupy  # pyright: ignore[reportMissingImports]

        result = cupy.from_dlpack(array)
    else:
        result = home.asarray(np.asarray(array))
    if home.mutable and any(namespace_of(x) is home and home.shares_memory(result, x) for x in inputs):
        return home.copy(result)
    return result


# ---- JAX -------------------------------------------------------------------------------------------------------------


def to_jax_array(array: Any) -> Any:
    """Convert an array of any library to a JAX array. 64-bit types are kept only while JAX enables them (x64)."""
    import jax
    import jax.numpy as jnp

    space = namespace_of(array)
    if space.name.startswith("jax"):
        return array
    if space is numpy_namespace and array.dtype in _WIDE_INTEGERS:
        _check_fits_int32(array, jax.dtypes.canonicalize_dtype(array.dtype))
    if space is numpy_namespace and (array.dtype == ml_dtypes.bfloat16 or not _is_exportable(array)):
        return jnp.asarray(array)
    if space is numpy_namespace or space.name == "cupy":
        return jnp.from_dlpack(array)
    return jnp.asarray(space.to_numpy(array))


def _check_fits_int32(array: Any, narrow: Any) -> None:
    """Raise for integers that do not fit 32 bits, which JAX would silently truncate while x64 is disabled."""
    if array.dtype.itemsize == narrow.itemsize or not array.size:
        return
    limits = np.iinfo(narrow)
    if array.min() < limits.min or array.max() > limits.max:
        raise OverflowError(
            f"an array of {array.dtype} has numbers that do not fit {narrow}, which is what JAX uses while its 64 bits "
            "are switched off; switch them on with jax.config.update('jax_enable_x64', True)"
        )


def _is_exportable(array: Any) -> bool:
    """Test whether JAX can import the array by DLPack: writeable, and contiguous in some order of its axes."""
    flags = array.flags
    return flags.writeable and (flags.c_contiguous or flags.f_contiguous)


def from_jax_array(array: Any, home: Any, inputs: Sequence[Any]) -> Any:
    """Convert a JAX result to the library `home`."""
    if home.name.startswith("jax"):
        return array
    if home is numpy_namespace:
        return convert_result(np.asarray(array), home, inputs)  # supports bfloat16; read-only shared memory
    result = convert_result(array, home, inputs)
    return home.copy(result) if home.mutable else result  # memory owned by JAX must not be written to


# ---- PyTorch ---------------------------------------------------------------------------------------------------------


def library_for(tensor: Any) -> Any:
    """Return the library for arrays on a PyTorch tensor's device: NumPy, or CuPy."""
    return on_device(numpy_namespace, str(tensor.device))


def to_torch_tensor(array: Any) -> Any:
    """Convert an array of any library to a PyTorch tensor without history."""
    import torch

    space = namespace_of(array)
    if isinstance(array, torch.Tensor):
        return array.detach()
    if space.name == "cupy":
        return torch.from_dlpack(array)
    if space is not numpy_namespace:
        array = np.asarray(space.to_numpy(array))
    if not array.flags.writeable or any(stride < 0 for stride in array.strides):
        array = array.copy()  # PyTorch supports neither
    if array.dtype == ml_dtypes.bfloat16:
        return torch.from_numpy(array.view(_BITS_16)).view(torch.bfloat16)
    return torch.from_dlpack(array) if array.size else torch.from_numpy(array)


def from_torch_tensor(tensor: Any, home: Any, inputs: Sequence[Any]) -> Any:
    """Convert a PyTorch result to the library `home`."""
    import torch

    recorded = tensor.requires_grad
    tensor = tensor.detach().resolve_conj().resolve_neg()
    if home.name == "torch":
        return tensor
    if tensor.layout is not torch.strided:
        raise TypeError(f"a tensor of layout {tensor.layout} has no array; return tensor.to_dense() instead")
    if tensor.device.type == "cpu":
        bits = tensor.contiguous().view(torch.int16) if tensor.dtype is torch.bfloat16 else tensor
        array = bits.numpy().view(ml_dtypes.bfloat16) if tensor.dtype is torch.bfloat16 else bits.numpy()
        array = array.view()
        array.flags.writeable = not recorded  # PyTorch may have saved it for its backward pass, so a write must copy
        return convert_result(array, home, inputs)
    if home is numpy_namespace:
        raise TypeError(
            f"the function returned a tensor on device '{tensor.device}', but was given arrays of NumPy. Return "
            "tensor.cpu(), or give it tensors that are on that device."
        )
    return convert_result(tensor.clone() if recorded else tensor, home, inputs)
