"""The examples run and find what they are meant to find."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def load(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def oscillator():
    pytest.importorskip("matplotlib")
    pytest.importorskip("tqdm")
    return load("oscillator")


def test_oscillator_finds_the_truth_and_draws_it(oscillator, tmp_path, capsys):
    picture = tmp_path / "fit.png"
    found, errors = oscillator.main(["--out", str(picture), "--steps", "60"])
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert np.all(errors > 0)
    assert np.all(np.abs(found - oscillator.TRUTH) < 3 * errors)
    assert "frequency" in capsys.readouterr().out


def test_oscillator_integrates_its_equation(oscillator):
    parameters = oscillator.ad.tensor(oscillator.TRUTH)
    positions = oscillator.simulate(*parameters).numpy()
    expected = oscillator.exact(oscillator.TRUTH, oscillator.TIMES)
    np.testing.assert_allclose(positions, expected, atol=1e-3)
