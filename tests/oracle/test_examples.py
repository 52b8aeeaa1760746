"""Examples run unchanged with PyTorch in place of adjoint, and both give the same curves."""

import types

import numpy as np
import pytest

from tests.test_examples import EXAMPLES, libraries  # noqa: F401, a fixture

pytestmark = pytest.mark.oracle


def load_with(library, name):
    """The example as a module, its one line `import adjoint as ad` naming `library`."""
    source = (EXAMPLES / f"{name}.py").read_text()
    code = source.split('"""', 2)[2]
    assert code.count("adjoint") == code.count("\nimport adjoint as ad\n") == 1
    module = types.ModuleType(f"{name}_with_{library}")
    exec(source.replace("\nimport adjoint as ad\n", f"\nimport {library} as ad\n"), module.__dict__)
    assert module.ad.__name__ == library
    return module


@pytest.fixture(params=["float32", "float64"])
def precision(request):
    """The default dtype of both libraries, and how far apart losses may be: rounding, grown by the steps between."""
    import torch

    import adjoint

    before = adjoint.get_default_dtype(), torch.get_default_dtype()
    adjoint.set_default_dtype(getattr(adjoint, request.param))
    torch.set_default_dtype(getattr(torch, request.param))
    yield {"float32": 2e-5, "float64": 1e-11}[request.param]
    adjoint.set_default_dtype(before[0])
    torch.set_default_dtype(before[1])


def curves_of(name, run):
    """What `run` gives of the example, with adjoint and with PyTorch."""
    return [np.array(run(load_with(library, name))) for library in ("adjoint", "torch")]


@pytest.mark.parametrize("network", ["plain", "convolutional"])
def test_digits_give_the_same_curve(network, precision):
    def run(digits):
        images, labels = digits.load_data()
        return digits.train(digits.NETWORKS[network](), images, labels, epochs=1)[0]

    ours, theirs = curves_of("digits", run)
    assert ours[-1] < 0.7 * ours[0]
    np.testing.assert_allclose(ours, theirs, rtol=precision)


def test_character_transformer_gives_the_same_curve(precision):
    def run(characters):
        return characters.train(steps=10)[1]

    ours, theirs = curves_of("character_transformer", run)
    assert ours[-1] < 0.8 * ours[0]
    np.testing.assert_allclose(ours, theirs, rtol=precision)


def test_character_transformer_writes_the_same_text():
    def run(characters):
        return list(characters.write(characters.Transformer(), length=20))

    ours, theirs = curves_of("character_transformer", run)
    assert "".join(ours) == "".join(theirs)


def test_physics_informed_network_gives_the_same_curve():
    def run(physics):
        return physics.train(steps=3, points=300)[1]

    ours, theirs = curves_of("physics_informed", run)
    assert ours[-1] < 0.1 * ours[0]
    # Forty iterations of L-BFGS multiply a rounding error of the weights by some 10,000, with either library.
    assert np.all(np.abs(ours / theirs - 1) < [1e-14, 1e-12, 1e-9])
