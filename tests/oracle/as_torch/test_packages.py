"""Packages that know PyTorch only compute the same with adjoint in its place.

Each program of `tests/as_torch/programs` prints numbers. What PyTorch prints is in `expected.json`, written by
``python -m tests.oracle.as_torch.test_packages``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import util
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "as_torch" / "programs"
PROGRAMS = {path.stem.removesuffix("_program"): path for path in sorted(FOLDER.rglob("*_program.py"))}
EXPECTED = Path(__file__).parent / "expected.json"
IMPORTED = {
    "attention": "axial_attention hyper_connections lambda_networks linformer nystrom_attention pytorch_tcn einops",
    "ema": "ema_pytorch",
    "learning": "adan_pytorch prodigyopt pytorch_metric_learning schedulefree torchjd",
    "metrics": "torchmetrics lightning_utilities",
    "optimizers": "torch_optimizer pytorch_ranger lion_pytorch",
    "perceiver": "perceiver_pytorch",
    "performer": "performer_pytorch axial_positional_embedding local_attention invariant_point_attention",
    "positions": "local_attention rotary_embedding_torch hyper_connections",
    "signals": "nnAudio pytorch_msssim pytorch_wavelets torch_dct torchkbnufft",
    "tensors": "assoc_scan einx interpol tensorly tntorch unfoldNd",
    "transport": "geomloss ot",
}
"""What a program imports, where that is not the package of its name. Programs share a process, which takes seconds."""
pytestmark = pytest.mark.oracle


def run(name: str, *options: str) -> list[float]:
    command = [sys.executable, *options, str(PROGRAMS[name])]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONWARNINGS": "ignore"})
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


# The programs are in single and double precision and round to a few digits; some solvers stop at a tolerance.
def assert_close(ours: list[float], theirs: list[float]) -> None:
    assert len(ours) == len(theirs)
    worst = max(abs(a - b) / (1 + abs(b)) for a, b in zip(ours, theirs))
    assert worst < 1e-3, worst


@pytest.mark.parametrize("name", PROGRAMS)
def test_package(name: str) -> None:
    missing = [package for package in IMPORTED.get(name, name).split() if util.find_spec(package) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} not installed; `make oracle` does so")
    assert_close(run(name, "-m", "adjoint.as_torch"), json.loads(EXPECTED.read_text())[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_expectation(name: str) -> None:
    assert_close(run(name), json.loads(EXPECTED.read_text())[name])


if __name__ == "__main__":
    lines = [f"{json.dumps(name)}: {json.dumps(run(name))}" for name in sorted(PROGRAMS)]
    EXPECTED.write_text("{\n" + ",\n".join(lines) + "\n}\n")
