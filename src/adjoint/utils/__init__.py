"""Utilities by PyTorch's names: checkpointing, data loading, hooks, DLPack, pytrees; imported when used."""

import importlib as _importlib
import pkgutil as _pkgutil
from typing import Any as _Any


def __getattr__(name: str) -> _Any:
    if name in __dir__():
        return _importlib.import_module(f"adjoint.utils.{name}")
    raise AttributeError(f"module 'adjoint.utils' has no attribute {name!r}; it has {', '.join(__dir__())}")


def __dir__() -> list[str]:
    return sorted(module.name for module in _pkgutil.iter_modules(__path__))
