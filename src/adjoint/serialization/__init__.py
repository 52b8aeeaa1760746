"""Saving and loading: `save` and `load`, files that hold data and nothing that could be run."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy

from adjoint._core.tensor import Tensor
from adjoint.nn.parameter import Parameter
from adjoint.serialization import _safetensors, _torch_zip
from adjoint.serialization._storage import Place, Source
from adjoint.serialization._storage import SerializationError as SerializationError

__all__ = ["SerializationError", "load", "save"]

np: Any = numpy
_WRITERS = {"safetensors": _safetensors.write, "pt": _torch_zip.write}


def save(
    obj: Any,
    f: str | os.PathLike[str] | BinaryIO,
    pickle_module: Any = None,
    pickle_protocol: int = 2,
    _use_new_zipfile_serialization: bool = True,
    *,
    format: str | None = None,
) -> None:
    """Save tensors, state dicts and containers of them to a file.

    Tensors that share memory share it again when they are loaded. A file is written beside its place first and moved
    there when it is complete: after a crash the old one is still there.

    Args:
        obj: tensors, arrays, numbers, strings, and nested dictionaries, lists, tuples and sets of them.
        f: a path, or a binary file.
        pickle_module, pickle_protocol, _use_new_zipfile_serialization: PyTorch's, accepted and ignored.
        format: ``"safetensors"``, or ``"pt"`` for a file that `torch.load` reads. By default, a path that ends in
            ``.pt``, ``.pth`` or ``.ckpt`` is for PyTorch, and everything else is safetensors.

    Example:
        >>> import tempfile, os
        >>> path = os.path.join(tempfile.mkdtemp(), "weights.safetensors")
        >>> ad.save({"weight": ad.ones(2), "epoch": 3}, path)
        >>> ad.load(path)
        {'weight': tensor([1., 1.]), 'epoch': 3}
    """
    is_path = isinstance(f, (str, os.PathLike))
    if format is None:
        suffix = Path(os.fspath(f)).suffix if is_path else ""  # type: ignore[arg-type]
        format = "pt" if suffix in (".pt", ".pth", ".ckpt") else "safetensors"
    if format not in _WRITERS:
        raise ValueError(f"format: expected one of {', '.join(_WRITERS)}, got {format!r}")
    if is_path:
        _write_atomically(lambda file: _WRITERS[format](obj, file), Path(os.fspath(f)))  # type: ignore[arg-type]
        return
    buffer = io.BytesIO()  # so that an object that cannot be saved leaves nothing behind
    _WRITERS[format](obj, buffer)
    f.write(buffer.getbuffer())  # type: ignore[union-attr]


def _write_atomically(write: Callable[[BinaryIO], None], path: Path) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def load(
    f: str | os.PathLike[str] | BinaryIO,
    map_location: Any = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any:
    """Load a file that `save` has written, or one of PyTorch, safetensors or NumPy.

    Nothing in the file is run. A file that is damaged, cut off or malicious is a `SerializationError`, and does not
    make the process use more memory than the file has.

    Args:
        f: a path, or a binary file.
        map_location: the device of the tensors: a device or its name.
        pickle_module, pickle_load_args: accepted for compatibility, and ignored.
        weights_only: accepted; files are always read so.
        mmap: map the file into memory instead of reading it; it has to be a path. Writes do not change the file.

    Example:
        >>> import io
        >>> file = io.BytesIO()
        >>> ad.save([ad.zeros(2), "text"], file)
        >>> _ = file.seek(0)
        >>> ad.load(file)
        [tensor([0., 0.]), 'text']
    """
    finish = _finish_on(map_location)
    if isinstance(f, (str, os.PathLike)):
        with open(f, "rb") as file:
            return _read(Source(file, f if mmap else None), finish)
    if mmap:
        raise ValueError("mmap: needs a path, got a file object")
    return _read(Source(io.BytesIO(f.read())), finish)


def _read(source: Source, finish: Callable[[Tensor, Place], Tensor]) -> Any:
    """Read a file of any of the formats, known by how it begins."""
    start = source.read(0, min(6, source.size)).tobytes()
    try:
        if start[:2] == b"PK":
            return _torch_zip.read(source, finish)
        if start == b"\x93NUMPY":
            source.file.seek(0)
            array = np.lib.format.read_array(source.file, allow_pickle=False)
            return finish(Tensor(array), Place(array.shape, array.strides, Tensor(array).dtype))
        return _safetensors.read(source, finish)
    except SerializationError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, OverflowError, RecursionError, EOFError, MemoryError) as error:
        raise SerializationError(f"the file cannot be read: {error}") from error


def _finish_on(map_location: Any) -> Callable[[Tensor, Place], Tensor]:
    """What becomes of a tensor that has been read: its device, and whether it is a leaf that requires grad."""
    if callable(map_location) or isinstance(map_location, dict):
        raise ValueError("map_location: expected a device or its name; storages cannot be mapped one by one")

    def finish(tensor: Tensor, place: Place) -> Tensor:
        if map_location is not None:
            tensor = tensor.to(map_location)
        if place.is_parameter:
            return Parameter(tensor, requires_grad=place.requires_grad)
        return tensor.requires_grad_() if place.requires_grad else tensor

    return finish
