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


@pytest.fixture
def predators():
    pytest.importorskip("matplotlib")
    pytest.importorskip("tqdm")
    return load("predators")


def test_predators_has_the_gradient_of_its_loss(predators):
    _, gradient = predators.loss_and_gradient(predators.START)
    for index, step in enumerate(1e-4 * np.eye(6)):
        with predators.ad.no_grad():
            there, back = (predators.loss_of(predators.ad.tensor(predators.START + sign * step)) for sign in (1, -1))
        np.testing.assert_allclose(gradient[index], (there - back).item() / 2e-4, rtol=1e-3, atol=1e-2)


@pytest.mark.slow
def test_predators_fits_the_record_and_draws_it(predators, tmp_path, capsys):
    picture = tmp_path / "fit.png"
    found, history = predators.main(["--out", str(picture)])
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert history[-1] < 0.4 * history[0]
    # what others have found for the same record
    np.testing.assert_allclose(np.exp(found), [0.545, 0.028, 0.80, 0.024, 34.0, 5.9], rtol=0.05)
    assert "hares born" in capsys.readouterr().out
