"""Run a program written for PyTorch: ``python -m adjoint.as_torch PROGRAM``, or ``-m MODULE``."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from adjoint import as_torch


def main() -> None:
    arguments = sys.argv[1:]
    if not arguments or arguments == ["-m"]:
        sys.exit("usage: python -m adjoint.as_torch program.py [arguments], or python -m adjoint.as_torch -m module")
    as_torch.install()
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return
    sys.argv = arguments
    sys.path[0] = str(Path(arguments[0]).resolve().parent)
    runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main()
