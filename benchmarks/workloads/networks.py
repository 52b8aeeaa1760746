"""Multi-layer perceptrons: a step of gradient descent, as PyTorch's tutorials write it."""

from itertools import pairwise

import numpy as np

from benchmarks.harness import Timed

from .common import AT_MOST, clear, functional
from .small import SMALL

RATE = 1e-3


def network(sizes, seed=0):
    """Weights of shape (in, out) and biases, alternating, as float32."""
    rng = np.random.default_rng(seed)
    parameters = []
    for n, m in pairwise(sizes):
        parameters += [rng.normal(0, n**-0.5, (n, m)).astype(np.float32), np.zeros(m, np.float32)]
    return parameters


def transposed(parameters):
    """The same with weights of shape (out, in), as `linear` has them."""
    return [np.ascontiguousarray(p.T) for p in parameters]


def untransposed(grads):
    return [g.T if g.ndim == 2 else g for g in grads]


def descend(lib, loss, arrays):
    """A step of gradient descent of `loss(*parameters)`, for libraries of PyTorch's kind."""
    parameters = [lib.tensor(a, requires_grad=True) for a in arrays]

    def step():
        clear(parameters)
        loss(*parameters).backward()
        with lib.no_grad():
            for p in parameters:
                p -= RATE * p.grad
        return lambda: untransposed(p.grad for p in parameters)  # not part of what is timed

    return step


# --------------------------------------------------------------------------------------------------- small network

tanh_network = Timed("tanh-network", "SGD step, 2-16-16-1 tanh network, batch 32", SMALL)
SMALL_NETWORK = network((2, 16, 16, 1))
SMALL_X = np.random.default_rng(1).normal(size=(32, 2)).astype(np.float32)
SMALL_Y = (SMALL_X[:, :1] * SMALL_X[:, 1:]).astype(np.float32)


@tanh_network.contender("adjoint", "torch")
def _(lib):
    F = functional(lib)
    x, y = lib.tensor(SMALL_X), lib.tensor(SMALL_Y)

    def loss(w1, b1, w2, b2, w3, b3):
        h = lib.tanh(F.linear(x, w1, b1))
        h = lib.tanh(F.linear(h, w2, b2))
        return F.mse_loss(F.linear(h, w3, b3), y)

    return descend(lib, loss, transposed(SMALL_NETWORK))


def tanh_loss(np_like):
    def loss(parameters, x, y):
        w1, b1, w2, b2, w3, b3 = parameters
        h = np_like.tanh(x @ w1 + b1)
        h = np_like.tanh(h @ w2 + b2)
        return np_like.mean((h @ w3 + b3 - y) ** 2)

    return loss


@tanh_network.contender("autograd")
def _(autograd):
    import autograd.numpy as anp

    return autograd_sgd(autograd, tanh_loss(anp), SMALL_NETWORK, SMALL_X, SMALL_Y)


@tanh_network.contender("mygrad")
def _(mg):
    return mygrad_sgd(mg, tanh_loss(mg), SMALL_NETWORK, SMALL_X, SMALL_Y)


@tanh_network.contender("jax.jit")
def _(jax):
    return jax_sgd(jax, tanh_loss(jax.numpy), SMALL_NETWORK, SMALL_X, SMALL_Y)


# SGD as each of the functional libraries' users write it; in place where arrays can be written to.


def autograd_sgd(autograd, loss, parameters, x, y):
    parameters = [p.copy() for p in parameters]
    gradient = autograd.grad(loss)

    def step():
        grads = gradient(parameters, x, y)
        for p, g in zip(parameters, grads):
            p -= RATE * g
        return grads

    return step


def mygrad_sgd(mg, loss, parameters, x, y):
    parameters = [mg.tensor(p) for p in parameters]

    def step():
        loss(parameters, x, y).backward()
        grads = [p.grad for p in parameters]
        for p, g in zip(parameters, grads):
            p.data -= RATE * g
        return grads

    return step


def jax_sgd(jax, loss, parameters, x, y):
    @jax.jit
    def update(parameters, x, y):
        grads = jax.grad(loss)(parameters, x, y)
        return [p - RATE * g for p, g in zip(parameters, grads)], grads

    parameters = [jax.numpy.asarray(p) for p in parameters]
    x, y = jax.numpy.asarray(x), jax.numpy.asarray(y)

    def step():
        parameters[:], grads = jax.block_until_ready(update(parameters, x, y))
        return grads

    return step


# ---------------------------------------------------------------------------------------------------- large network

relu_network = Timed("relu-network", "SGD step, 784-256-128-10 relu network, batch 64", AT_MOST)
LARGE_NETWORK = network((784, 256, 128, 10))
LARGE_X = np.random.default_rng(2).uniform(size=(64, 784)).astype(np.float32)
LARGE_Y = np.random.default_rng(3).integers(0, 10, 64)


@relu_network.contender("adjoint", "torch")
def _(lib):
    F = functional(lib)
    x, y = lib.tensor(LARGE_X), lib.tensor(LARGE_Y)

    def loss(w1, b1, w2, b2, w3, b3):
        h = lib.relu(F.linear(x, w1, b1))
        h = lib.relu(F.linear(h, w2, b2))
        return F.cross_entropy(F.linear(h, w3, b3), y)

    return descend(lib, loss, transposed(LARGE_NETWORK))


def logits(relu, parameters, x):
    w1, b1, w2, b2, w3, b3 = parameters
    h = relu(x @ w1 + b1)
    h = relu(h @ w2 + b2)
    return h @ w3 + b3


@relu_network.contender("autograd")
def _(autograd):
    import autograd.numpy as anp
    from autograd.scipy.special import logsumexp

    def loss(parameters, x, y):
        z = logits(lambda h: anp.maximum(h, 0), parameters, x)
        return anp.mean(logsumexp(z, axis=1) - z[anp.arange(len(y)), y])

    return autograd_sgd(autograd, loss, LARGE_NETWORK, LARGE_X, LARGE_Y)


@relu_network.contender("mygrad")
def _(mg):
    from mygrad.nnet import activations, losses

    def loss(parameters, x, y):
        return losses.softmax_crossentropy(logits(activations.relu, parameters, x), y)

    return mygrad_sgd(mg, loss, LARGE_NETWORK, LARGE_X, LARGE_Y)


@relu_network.contender("numpy")
def _(np):
    """Written by hand in PyTorch's layout: what a library that computes with NumPy cannot undercut."""
    parameters = [p.copy() for p in transposed(LARGE_NETWORK)]
    x, y, rows = LARGE_X, LARGE_Y, np.arange(len(LARGE_Y))

    def step():
        w1, b1, w2, b2, w3, b3 = parameters
        h1 = np.maximum(x @ w1.T + b1, 0)
        h2 = np.maximum(h1 @ w2.T + b2, 0)
        z = h2 @ w3.T + b3
        p = np.exp(z - z.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        np.log(p[rows, y]).mean()
        p[rows, y] -= 1
        g3 = p / len(y)
        g2 = (g3 @ w3) * (h2 > 0)
        g1 = (g2 @ w2) * (h1 > 0)
        grads = [g1.T @ x, g1.sum(axis=0), g2.T @ h1, g2.sum(axis=0), g3.T @ h2, g3.sum(axis=0)]
        for parameter, grad in zip(parameters, grads):
            parameter -= RATE * grad
        return lambda: untransposed(grads)

    return step


@relu_network.contender("jax.jit")
def _(jax):
    def loss(parameters, x, y):
        log_p = jax.nn.log_softmax(logits(jax.nn.relu, parameters, x))
        return -log_p[jax.numpy.arange(len(y)), y].mean()

    return jax_sgd(jax, loss, LARGE_NETWORK, LARGE_X, LARGE_Y)
