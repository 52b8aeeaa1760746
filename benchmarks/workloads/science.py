"""Scientific programs in float64: phase retrieval by Fourier transforms, a Gaussian process by Cholesky."""

import math

import numpy as np

from benchmarks.harness import Timed

from .common import AT_MOST, share

# -------------------------------------------------------------------------------------------------- phase retrieval

phase_retrieval = Timed("phase-retrieval", "phase retrieval by fft2, 256 x 256", AT_MOST, tolerance=1e-9)
SIDE = 256
_random = np.random.default_rng(0)
PHASE, AMPLITUDE = _random.uniform(-1, 1, (SIDE, SIDE)), _random.uniform(0.5, 1.5, (SIDE, SIDE))
MEASURED = np.abs(np.fft.fft2(AMPLITUDE * np.exp(1j * _random.uniform(-1, 1, (SIDE, SIDE)))))


def misfit(xp, phase, amplitude, measured):
    field = amplitude * xp.exp(1j * phase)
    return ((xp.abs(xp.fft.fft2(field)) - measured) ** 2).mean()


share(phase_retrieval, misfit, [PHASE], [AMPLITUDE, MEASURED], ("adjoint", "torch", "jax.jit"))


@phase_retrieval.contender("autograd")
def _(autograd):
    import autograd.numpy as anp

    gradient = autograd.grad(
        lambda phase: anp.mean((anp.abs(anp.fft.fft2(AMPLITUDE * anp.exp(1j * phase))) - MEASURED) ** 2)
    )
    return lambda: [gradient(PHASE)]


@phase_retrieval.contender("numpy")
def _(np):
    def step():
        field = AMPLITUDE * np.exp(1j * PHASE)
        spectrum = np.fft.fft2(field)
        size = np.abs(spectrum)
        difference = size - MEASURED
        (difference**2).mean()
        back = np.fft.ifft2(2 * difference / size * spectrum)  # the transform's transpose, scaled by the mean
        return [(field.conj() * back).imag]

    return step


# ------------------------------------------------------------------------------------------------- Gaussian process

gaussian_process = Timed("gaussian-process", "Gaussian process of 400 points by Cholesky", AT_MOST, tolerance=1e-8)
POINTS = np.sort(_random.uniform(0, 10, 400))
VALUES = np.sin(POINTS) + 0.1 * _random.standard_normal(400)
LOGS = np.log([1.0, 1.0, 0.1])  # length scale, amplitude, noise


def negative_log_likelihood(lib, logs, x, y, identity):
    scale, amplitude, noise = lib.exp(logs)
    kernel = amplitude**2 * lib.exp(-0.5 * ((x[:, None] - x) / scale) ** 2) + noise**2 * identity
    factor = lib.linalg.cholesky(kernel)
    weights = lib.cholesky_solve(y[:, None], factor)
    return 0.5 * y @ weights[:, 0] + lib.log(lib.diagonal(factor)).sum() + 0.5 * len(y) * math.log(2 * math.pi)


share(gaussian_process, negative_log_likelihood, [LOGS], [POINTS, VALUES, np.eye(400)])


@gaussian_process.contender("jax.jit")
def _(jax):
    jnp = jax.numpy

    def loss(logs, x, y):
        scale, amplitude, noise = jnp.exp(logs)
        kernel = amplitude**2 * jnp.exp(-0.5 * ((x[:, None] - x) / scale) ** 2) + noise**2 * jnp.eye(len(x))
        factor = jnp.linalg.cholesky(kernel)
        weights = jax.scipy.linalg.cho_solve((factor, True), y)
        return 0.5 * y @ weights + jnp.log(jnp.diagonal(factor)).sum()

    gradient = jax.jit(jax.grad(loss))
    arrays = [jnp.asarray(a) for a in (LOGS, POINTS, VALUES)]
    return lambda: [gradient(*arrays).block_until_ready()]
