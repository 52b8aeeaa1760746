"""Large arrays, where the time goes into memory and arithmetic; hand-written NumPy shows what they allow."""

import numpy as np

from benchmarks.harness import Timed

from .common import AT_MOST, functional, share

ELSEWHERE = ("autograd", "mygrad", "jax.jit")

# ------------------------------------------------------------------------------------------------------ elementwise

elementwise = Timed("elementwise", "tanh(x) * y + exp(-x * x) of 4M elements", AT_MOST)
MILLIONS = [np.random.default_rng(i).standard_normal(4_000_000, dtype=np.float32) for i in range(2)]


def curve(xp, x, y):
    return xp.sum(xp.tanh(x) * y + xp.exp(-x * x))


share(elementwise, curve, MILLIONS, contenders=("adjoint", "torch", *ELSEWHERE))


@elementwise.contender("numpy")
def _(np):
    x, y = MILLIONS

    def step():
        t, bell = np.tanh(x), np.exp(-x * x)
        (t * y + bell).sum()
        return [(1 - t * t) * y - 2 * x * bell, t]

    return step


# ------------------------------------------------------------------------------------------ rows of probabilities

logsumexp = Timed("logsumexp", "logsumexp of rows, 4096 x 1000", AT_MOST)
cross_entropy = Timed("cross-entropy", "cross-entropy, 4096 x 1000", AT_MOST)
ROWS, COLUMNS = 4096, 1000
SCORES = np.random.default_rng(0).standard_normal((ROWS, COLUMNS), dtype=np.float32)
LABELS = np.random.default_rng(1).integers(0, COLUMNS, ROWS)


def shifted_logsumexp(xp, x):
    most = x.max(axis=1, keepdims=True)
    return xp.sum(xp.log(xp.sum(xp.exp(x - most), axis=1, keepdims=True)) + most)


share(logsumexp, lambda lib, x: lib.logsumexp(x, 1).sum(), [SCORES])
share(logsumexp, shifted_logsumexp, [SCORES], contenders=ELSEWHERE)
share(cross_entropy, lambda lib, x, y: functional(lib).cross_entropy(x, y), [SCORES], [LABELS])


@cross_entropy.contender("mygrad")
def _(mg):
    from mygrad.nnet import losses

    scores = mg.tensor(SCORES)

    def step():
        losses.softmax_crossentropy(scores, LABELS).backward()
        return [scores.grad]

    return step


@cross_entropy.contender("jax.jit")
def _(jax):
    rows = np.arange(ROWS)
    gradient = jax.jit(jax.grad(lambda x, y: -jax.nn.log_softmax(x)[rows, y].mean()))
    scores, labels = jax.numpy.asarray(SCORES), jax.numpy.asarray(LABELS)
    return lambda: [gradient(scores, labels).block_until_ready()]


def softmax_by_hand(np, x):
    p = np.exp(x - x.max(axis=1, keepdims=True))
    total = p.sum(axis=1, keepdims=True)
    p /= total
    return p, np.log(total)


@logsumexp.contender("numpy")
def _(np):
    def step():
        p, logs = softmax_by_hand(np, SCORES)
        (logs + SCORES.max(axis=1, keepdims=True)).sum()
        return [p]

    return step


@cross_entropy.contender("numpy")
def _(np):
    rows = np.arange(ROWS)

    def step():
        p, _ = softmax_by_hand(np, SCORES)
        np.log(p[rows, LABELS]).mean()
        p[rows, LABELS] -= 1
        p /= ROWS
        return [p]

    return step
