"""adjoint in PyTorch's place: after ``import adjoint.as_torch``, ``import torch`` means adjoint.

For programs and packages that know PyTorch only. It is refused where PyTorch has been imported already. `uninstall`
undoes it, and so does the end of ``with as_torch.installed():``. From the command line::

    python -m adjoint.as_torch program.py arguments

What adjoint lacks raises an error that is a `NotImplementedError` and, so that `hasattr` and guarded imports work, an
`AttributeError` or an `ImportError`.

Example:
    >>> from adjoint import as_torch
    >>> with as_torch.installed():
    ...     import torch.nn.functional as F
    ...     print(F.relu(ad.tensor([-1.0, 2.0])))
    tensor([0., 2.])
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Generator, Sequence
from types import ModuleType
from typing import Any

from adjoint.as_torch import _stand_ins
from adjoint.as_torch._names import ELSEWHERE, MissingModule

__all__ = ["install", "installed", "uninstall"]

_ROOTS = ("torch", "functorch")


def __dir__() -> list[str]:
    return __all__


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds modules of ``torch``: adjoint's module of that name, or a stand-in."""

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target: Any = None) -> Any:
        if fullname.partition(".")[0] not in _ROOTS:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        module = _find_module(spec.name)
        spec.loader_state = module.__spec__  # which the import system is about to replace
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Everything has been run already; give the module its own spec back."""
        state = getattr(module.__spec__, "loader_state", None)
        if state is not None:
            module.__spec__ = state


def _find_module(fullname: str) -> ModuleType:
    """The module that a name of PyTorch's stands for."""
    made = _stand_ins.find(fullname)
    if made is not None:
        return made
    name = ELSEWHERE.get(fullname) or f"adjoint.{fullname.partition('.')[2]}"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name):
            raise  # something that the module itself needs
        raise MissingModule(fullname) from None


_finder = _Finder()


def install() -> None:
    """Let ``import torch`` mean adjoint from now on.

    Raises:
        RuntimeError: if PyTorch has been imported.
    """
    known = sys.modules.get("torch")
    if known is not None and not isinstance(known, _stand_ins.Torch):
        raise RuntimeError(
            "PyTorch has been imported already, and objects of both would meet: import adjoint.as_torch before "
            "everything that imports torch"
        )
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)


def uninstall() -> None:
    """Let ``import torch`` mean PyTorch again. Packages that have been imported meanwhile keep adjoint."""
    if _finder in sys.meta_path:
        sys.meta_path.remove(_finder)
    for name in [name for name in sys.modules if name.partition(".")[0] in _ROOTS]:
        del sys.modules[name]


@contextlib.contextmanager
def installed() -> Generator[ModuleType]:
    """Context manager in which ``import torch`` means adjoint; its value is that module."""
    was_there = _finder in sys.meta_path
    install()
    try:
        yield importlib.import_module("torch")
    finally:
        if not was_there:
            uninstall()


install()
