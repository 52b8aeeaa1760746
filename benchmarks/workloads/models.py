"""Networks of other kinds: a recurrent one, a convolutional one, a transformer's block."""

import math

import numpy as np

from benchmarks.harness import Timed

from .common import AT_MOST, functional, share
from .networks import descend


def normal(*shape, scale=1.0, seed=0):
    return (scale * np.random.default_rng(seed).standard_normal(shape)).astype(np.float32)


# ------------------------------------------------------------------------------------------------------------ LSTM

lstm = Timed("lstm", "LSTM, 50 steps, 64 hidden, batch 32", AT_MOST, tolerance=1e-3)
STEPS, BATCH, HIDDEN = 50, 32, 64


def run_lstm(lib, w, u, b, x):
    h = c = lib.zeros(BATCH, HIDDEN)
    for t in range(STEPS):
        i, f, g, o = (x[t] @ w + h @ u + b).chunk(4, 1)
        c = lib.sigmoid(f) * c + lib.sigmoid(i) * lib.tanh(g)
        h = lib.sigmoid(o) * lib.tanh(c)
    return (h * h).mean()


share(
    lstm,
    run_lstm,
    [normal(HIDDEN, 4 * HIDDEN, scale=0.1), normal(HIDDEN, 4 * HIDDEN, scale=0.1, seed=1), normal(4 * HIDDEN, seed=2)],
    [normal(STEPS, BATCH, HIDDEN, seed=3)],
)

# ----------------------------------------------------------------------------------------------------------- LeNet

lenet = Timed("lenet", "SGD step, LeNet-5, batch 64", {"torch": 1.5})
IMAGES, LABELS = normal(64, 1, 28, 28), np.random.default_rng(1).integers(0, 10, 64)


@lenet.contender("adjoint", "torch")
def _(lib):
    F = functional(lib)
    images, labels = lib.tensor(IMAGES), lib.tensor(LABELS)

    def loss(k1, c1, k2, c2, w1, b1, w2, b2, w3, b3):
        x = F.max_pool2d(lib.relu(F.conv2d(images, k1, c1, padding=2)), 2)
        x = F.max_pool2d(lib.relu(F.conv2d(x, k2, c2)), 2)
        x = lib.relu(F.linear(x.flatten(1), w1, b1))
        x = lib.relu(F.linear(x, w2, b2))
        return F.cross_entropy(F.linear(x, w3, b3), labels)

    parameters = []
    for shape in ((6, 1, 5, 5), (16, 6, 5, 5), (120, 400), (84, 120), (10, 84)):
        parameters += [normal(*shape, scale=math.prod(shape[1:]) ** -0.5), np.zeros(shape[0], np.float32)]
    return descend(lib, loss, parameters)


# ----------------------------------------------------------------------------------------------- transformer block

transformer = Timed("transformer", "transformer block, 128 wide, 4 heads, 64 tokens, batch 8", AT_MOST, tolerance=1e-3)
WIDTH, HEADS, TOKENS, SAMPLES = 128, 4, 64, 8


def attend(lib, x, w, b, w_out, b_out):
    F = functional(lib)
    heads = F.linear(x, w, b).reshape(SAMPLES, TOKENS, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
    query, key, value = heads.unbind(0)
    weights = lib.softmax(query @ key.transpose(-2, -1) / math.sqrt(WIDTH // HEADS), -1)
    mixed = (weights @ value).transpose(1, 2).reshape(SAMPLES, TOKENS, WIDTH)
    return F.linear(mixed, w_out, b_out)


def run_block(lib, scale1, shift1, w, b, w_out, b_out, scale2, shift2, w1, b1, w2, b2, x):
    F = functional(lib)
    x = x + attend(lib, F.layer_norm(x, (WIDTH,), scale1, shift1), w, b, w_out, b_out)
    h = F.gelu(F.linear(F.layer_norm(x, (WIDTH,), scale2, shift2), w1, b1))
    x = x + F.linear(h, w2, b2)
    return (x * x).mean()


def linear_parameters(wide, narrow):
    return [normal(wide, narrow, scale=narrow**-0.5), np.zeros(wide, np.float32)]


NORM = [np.ones(WIDTH, np.float32), np.zeros(WIDTH, np.float32)]
share(
    transformer,
    run_block,
    [
        *(*NORM, *linear_parameters(3 * WIDTH, WIDTH), *linear_parameters(WIDTH, WIDTH)),
        *(*NORM, *linear_parameters(4 * WIDTH, WIDTH), *linear_parameters(WIDTH, 4 * WIDTH)),
    ],
    [normal(SAMPLES, TOKENS, WIDTH)],
)
