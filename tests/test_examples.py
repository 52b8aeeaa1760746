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


@pytest.fixture(scope="module", autouse=True)
def libraries():
    """What the examples import beside adjoint, before a test begins: some of it draws random numbers when imported."""
    for name in ("matplotlib.pyplot", "tqdm", "sklearn.datasets"):
        pytest.importorskip(name)


def run_small(name, tmp_path, *arguments):
    """The example's module and what its `main` returns; its picture is there."""
    example, picture = load(name), tmp_path / "picture.png"
    result = example.main(["--out", str(picture), *arguments])
    assert picture.read_bytes().startswith(b"\x89PNG")
    return example, result


@pytest.fixture
def oscillator():
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


def test_digits_are_read(tmp_path, capsys):
    _, curves = run_small("digits", tmp_path, "--epochs", "3")
    assert set(curves) == {"plain", "convolutional"}
    for losses, accuracies in curves.values():
        assert losses[-1] < 0.3 * losses[0]
        assert accuracies[-1] > 0.9
    assert "test images right" in capsys.readouterr().out


@pytest.mark.slow
def test_digits_are_read_to_97_percent(tmp_path):
    _, curves = run_small("digits", tmp_path)
    assert all(accuracies[-1] >= 0.97 for _, accuracies in curves.values())


def test_character_transformer_learns(tmp_path):
    _, (losses, test) = run_small("character_transformer", tmp_path, "--steps", "12", "--length", "20")
    assert losses[-1] < 0.85 * losses[0]
    assert test < losses[0]


def test_character_transformer_does_not_see_the_future():
    characters = load("character_transformer")
    model = characters.Transformer()
    codes = characters.CODES[None, : characters.CONTEXT].copy()
    before = model(characters.ad.tensor(codes)).detach().numpy()
    codes[0, 40] = (codes[0, 40] + 1) % len(characters.ALPHABET)
    after = model(characters.ad.tensor(codes)).detach().numpy()
    np.testing.assert_allclose(after[0, :40], before[0, :40], rtol=1e-5, atol=1e-6)
    assert np.abs(after[0, 40:] - before[0, 40:]).min(1).max() > 0


def test_physics_informed_network_approaches_the_solution(tmp_path):
    _, (losses, error) = run_small("physics_informed", tmp_path, "--steps", "4", "--points", "200")
    assert losses[-1] < 0.05 * losses[0]
    assert error < 0.1


def test_physics_informed_network_compares_with_a_solution():
    physics = load("physics_informed")
    t, x, h = np.array([0.3, 0.7]), np.array([0.2, -0.4]), 1e-4
    u = physics.exact
    by_t, by_x = (u(t + h, x) - u(t - h, x)) / (2 * h), (u(t, x + h) - u(t, x - h)) / (2 * h)
    by_xx = (u(t, x + h) - 2 * u(t, x) + u(t, x - h)) / h**2
    np.testing.assert_allclose(by_t + u(t, x) * by_x, physics.VISCOSITY * by_xx, atol=1e-5)


def test_gaussian_process_forecasts(tmp_path, capsys):
    _, (losses, error, deviation) = run_small("gaussian_process", tmp_path, "--steps", "20")
    assert losses[-1] < losses[0]
    assert np.sqrt(np.mean(error**2)) < 5
    assert np.all(deviation > 0)
    assert "trend, years" in capsys.readouterr().out


def test_neural_ode_learns(tmp_path):
    _, (losses, error) = run_small("neural_ode", tmp_path, "--steps", "15")
    assert losses[-1] < 0.5 * losses[0]
    assert np.isfinite(error)


def test_phase_retrieval_reconstructs(tmp_path):
    _, (losses, error) = run_small("phase_retrieval", tmp_path, "--size", "64", "--epochs", "120")
    assert losses[-1] < 0.05 * losses[0]
    assert error < 0.5


def test_hogwild_learns_with_any_number_of_threads(tmp_path):
    hogwild, results = run_small("hogwild", tmp_path, "--steps", "200")
    assert tuple(results) == hogwild.THREADS
    for curve, accuracy in results.values():
        assert len(curve) == 200
        assert accuracy > 0.8


def test_hogwild_shares_memory():
    hogwild = load("hogwild")
    model = hogwild.build()
    other = hogwild.share_weights(model)
    loss = model(hogwild.ad.ones(1, 64)).sum()
    with hogwild.ad.no_grad():
        other[0].weight += 1  # between forward and backward of the first network, which must not mind
    loss.backward()
    assert other[0].weight.grad is None
    np.testing.assert_array_equal(model[0].weight.detach().numpy(), other[0].weight.detach().numpy())


def test_per_sample_gradients_find_wrong_labels(tmp_path):
    _, (found, agree) = run_small("per_sample_gradients", tmp_path, "--epochs", "4")
    assert agree
    assert found > 0.6
