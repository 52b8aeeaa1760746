"""What is measured. Each contender's version is written as that library's users would write it.

adjoint and PyTorch share their versions: where the two spell something differently, `functional` says so.
To add a workload, make a `Timed` or a `Scripted` one here; the table takes it from the registry.
"""

from itertools import pairwise

import numpy as np

from .harness import Metric, Scripted, Timed

SMALL = {"torch": 0.65, "autograd": 0.4, "mygrad": 0.85}


def functional(lib):
    """Where a library of PyTorch's kind keeps `linear`, `relu` and the losses."""
    return lib.nn.functional if lib.__name__ == "torch" else lib


def with_gradient(lib, arrays):
    return [lib.tensor(a, requires_grad=True) for a in arrays]


# --------------------------------------------------------------------------------------------- one multiplication

multiply = Timed("multiply", "one multiplication of one element", {"torch": 0.5, "autograd": 0.4, "mygrad": 0.85})
ONE = np.array([2.0], np.float32), np.array([3.0], np.float32)


@multiply.contender("adjoint", "torch")
def _(lib):
    x, w = lib.tensor(ONE[0], requires_grad=True), lib.tensor(ONE[1])

    def step():
        x.grad = None
        (x * w).backward()
        return [x.grad]

    return step


@multiply.contender("autograd")
def _(autograd):
    x, w = ONE
    gradient = autograd.grad(lambda x: (x * w)[0])
    return lambda: [gradient(x)]


@multiply.contender("mygrad")
def _(mg):
    x, w = mg.tensor(ONE[0]), mg.tensor(ONE[1], constant=True)

    def step():
        (x * w).backward()
        return [x.grad]

    return step


def jax_multiply(jax):
    return jax.grad(lambda x, w: (x * w)[0]), *map(jax.numpy.asarray, ONE)


@multiply.contender("jax")
def _(jax):
    gradient, x, w = jax_multiply(jax)
    return lambda: [gradient(x, w).block_until_ready()]


@multiply.contender("jax.jit")
def _(jax):
    gradient, x, w = jax_multiply(jax)
    gradient = jax.jit(gradient)
    return lambda: [gradient(x, w).block_until_ready()]


# --------------------------------------------------------------------------------------------- 100 multiplications

chain = Timed("chain", "100 multiplications of 10 elements", SMALL)
LENGTH = 100
TEN = np.linspace(0.5, 1.5, 10, dtype=np.float32), np.linspace(0.99, 1.01, 10, dtype=np.float32)


def product_chain(x, w):
    for _ in range(LENGTH):
        x = x * w
    return x.sum()


@chain.contender("adjoint", "torch")
def _(lib):
    x, w = lib.tensor(TEN[0], requires_grad=True), lib.tensor(TEN[1])

    def step():
        x.grad = None
        product_chain(x, w).backward()
        return [x.grad]

    return step


@chain.contender("autograd")
def _(autograd):
    import autograd.numpy as anp

    x, w = TEN

    def loss(x):
        for _ in range(LENGTH):
            x = x * w
        return anp.sum(x)

    gradient = autograd.grad(loss)
    return lambda: [gradient(x)]


@chain.contender("mygrad")
def _(mg):
    x, w = mg.tensor(TEN[0]), mg.tensor(TEN[1], constant=True)

    def step():
        product_chain(x, w).backward()
        return [x.grad]

    return step


@chain.contender("jax")
def _(jax):
    gradient, (x, w) = jax.grad(product_chain), map(jax.numpy.asarray, TEN)
    return lambda: [gradient(x, w).block_until_ready()]


@chain.contender("jax.jit")
def _(jax):
    gradient, (x, w) = jax.jit(jax.grad(product_chain)), map(jax.numpy.asarray, TEN)
    return lambda: [gradient(x, w).block_until_ready()]


# Arrays that somebody else may write to: what a graph saves of them has to be copied.
shared_chain = Timed("chain-from-numpy", "100 multiplications, operands from from_numpy", {"torch": 0.65})


@shared_chain.contender("adjoint", "torch")
def _(lib):
    x, w = (lib.from_numpy(array) for array in TEN)
    x.requires_grad_()

    def step():
        x.grad = None
        product_chain(x, w).backward()
        return [x.grad]

    return step


# --------------------------------------------------------------------------------------------------- small network

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


def sgd(lib, parameters):
    """The update of PyTorch's tutorials."""
    with lib.no_grad():
        for p in parameters:
            p -= RATE * p.grad


def clear(parameters):
    for p in parameters:
        p.grad = None


tanh_network = Timed("tanh-network", "SGD step, 2-16-16-1 tanh network, batch 32", SMALL)
SMALL_NETWORK = network((2, 16, 16, 1))
SMALL_X = np.random.default_rng(1).normal(size=(32, 2)).astype(np.float32)
SMALL_Y = (SMALL_X[:, :1] * SMALL_X[:, 1:]).astype(np.float32)


@tanh_network.contender("adjoint", "torch")
def _(lib):
    F = functional(lib)
    parameters = with_gradient(lib, transposed(SMALL_NETWORK))
    w1, b1, w2, b2, w3, b3 = parameters
    x, y = lib.tensor(SMALL_X), lib.tensor(SMALL_Y)

    def step():
        clear(parameters)
        h = lib.tanh(F.linear(x, w1, b1))
        h = lib.tanh(F.linear(h, w2, b2))
        F.mse_loss(F.linear(h, w3, b3), y).backward()
        sgd(lib, parameters)
        return lambda: untransposed(p.grad for p in parameters)  # not part of what is timed

    return step


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


@tanh_network.contender("jax")
def _(jax):
    return jax_sgd(jax, jax.grad(tanh_loss(jax.numpy)), SMALL_NETWORK, SMALL_X, SMALL_Y)


@tanh_network.contender("jax.jit")
def _(jax):
    return jax_jit_sgd(jax, jax.grad(tanh_loss(jax.numpy)), SMALL_NETWORK, SMALL_X, SMALL_Y)


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


def jax_sgd(jax, gradient, parameters, x, y):
    parameters = [jax.numpy.asarray(p) for p in parameters]
    x, y = jax.numpy.asarray(x), jax.numpy.asarray(y)

    def step():
        grads = gradient(parameters, x, y)
        parameters[:] = [p - RATE * g for p, g in zip(parameters, grads)]
        return jax.block_until_ready((grads, parameters))[0]

    return step


def jax_jit_sgd(jax, gradient, parameters, x, y):
    @jax.jit
    def update(parameters, x, y):
        grads = gradient(parameters, x, y)
        return [p - RATE * g for p, g in zip(parameters, grads)], grads

    parameters = [jax.numpy.asarray(p) for p in parameters]
    x, y = jax.numpy.asarray(x), jax.numpy.asarray(y)

    def step():
        parameters[:], grads = jax.block_until_ready(update(parameters, x, y))
        return grads

    return step


# ------------------------------------------------------------------------------------------------- Lotka-Volterra

lotka_volterra = Timed("lotka-volterra", "200 RK4 steps of Lotka-Volterra", SMALL, tolerance=1e-9)
RATES = np.array([1.5, 1.0, 1.0, 3.0])  # prey's birth, predation, predators' birth, predators' death
START = np.array([1.0, 1.0])
STEPS, H = 200, 0.01


def runge_kutta(f, u):
    k1 = f(u)
    k2 = f(u + H / 2 * k1)
    k3 = f(u + H / 2 * k2)
    k4 = f(u + H * k3)
    return u + H / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def populations(stack, rates, u):
    a, b, c, d = rates

    def f(u):
        x, y = u
        xy = x * y
        return stack([a * x - b * xy, c * xy - d * y])

    for _ in range(STEPS):
        u = runge_kutta(f, u)
    return u


@lotka_volterra.contender("adjoint", "torch")
def _(lib):
    rates, start = lib.tensor(RATES, requires_grad=True), lib.tensor(START)

    def step():
        rates.grad = None
        populations(lib.stack, rates, start).sum().backward()
        return [rates.grad]

    return step


@lotka_volterra.contender("autograd")
def _(autograd):
    import autograd.numpy as anp

    gradient = autograd.grad(lambda rates: anp.sum(populations(anp.array, rates, START)))
    return lambda: [gradient(RATES)]


@lotka_volterra.contender("mygrad")
def _(mg):
    rates, start = mg.tensor(RATES), mg.tensor(START, constant=True)

    def step():
        populations(mg.stack, rates, start).sum().backward()
        return [rates.grad]

    return step


@lotka_volterra.contender("jax")
def _(jax):
    jnp = jax.numpy
    gradient = jax.grad(lambda rates, u: populations(jnp.stack, rates, u).sum())
    rates, start = jnp.asarray(RATES), jnp.asarray(START)
    return lambda: [gradient(rates, start).block_until_ready()]


@lotka_volterra.contender("jax.jit")
def _(jax):
    jnp = jax.numpy

    def total(rates, u):
        a, b, c, d = rates

        def f(u):
            x, y = u
            return jnp.stack([a * x - b * x * y, c * x * y - d * y])

        return jax.lax.scan(lambda u, _: (runge_kutta(f, u), None), u, length=STEPS)[0].sum()

    gradient = jax.jit(jax.grad(total))
    rates, start = jnp.asarray(RATES), jnp.asarray(START)
    return lambda: [gradient(rates, start).block_until_ready()]


# ---------------------------------------------------------------------------------------------------- large network

relu_network = Timed(
    "relu-network",
    "SGD step, 784-256-128-10 relu network, batch 64",
    {"torch": 1.0, "autograd": 0.4, "mygrad": 0.85},
)
LARGE_NETWORK = network((784, 256, 128, 10))
LARGE_X = np.random.default_rng(2).uniform(size=(64, 784)).astype(np.float32)
LARGE_Y = np.random.default_rng(3).integers(0, 10, 64)


@relu_network.contender("adjoint", "torch")
def _(lib):
    F = functional(lib)
    parameters = with_gradient(lib, transposed(LARGE_NETWORK))
    w1, b1, w2, b2, w3, b3 = parameters
    x, y = lib.tensor(LARGE_X), lib.tensor(LARGE_Y)

    def step():
        clear(parameters)
        h = lib.relu(F.linear(x, w1, b1))
        h = lib.relu(F.linear(h, w2, b2))
        F.cross_entropy(F.linear(h, w3, b3), y).backward()
        sgd(lib, parameters)
        return lambda: untransposed(p.grad for p in parameters)  # not part of what is timed

    return step


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


def jax_relu_gradient(jax):
    def loss(parameters, x, y):
        log_p = jax.nn.log_softmax(logits(jax.nn.relu, parameters, x))
        return -log_p[jax.numpy.arange(len(y)), y].mean()

    return jax.grad(loss)


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


@relu_network.contender("jax")
def _(jax):
    return jax_sgd(jax, jax_relu_gradient(jax), LARGE_NETWORK, LARGE_X, LARGE_Y)


@relu_network.contender("jax.jit")
def _(jax):
    return jax_jit_sgd(jax, jax_relu_gradient(jax), LARGE_NETWORK, LARGE_X, LARGE_Y)


# ---------------------------------------------------------------------------------------------------- a deep graph

NODES = 1_000_000
# No intermediate array is kept, since a product with a constant saves only the constant: what the process grows by
# at its peak is the graph alone. The peak is the kernel's (Linux), reset before; `getrusage` would inherit the
# parent's.
DEEP = """
import gc, json, re, time
import {module} as lib

def peak():
    return 1024 * int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])

x, w = lib.tensor([1.0], requires_grad=True), lib.tensor([1.0])
(x * w).backward()
x.grad = None
gc.collect()
open("/proc/self/clear_refs", "w").write("5")
before = peak()
start = time.perf_counter()
y = x
for _ in range({nodes}):
    y = y * w
y.backward()
del y
seconds = time.perf_counter() - start
assert x.grad.item() == 1.0
print(json.dumps([seconds, (peak() - before) / {nodes}]))
"""

Scripted(
    "deep",
    {name: DEEP.format(module=name, nodes=NODES) for name in ("adjoint", "torch")},
    [
        Metric("1,000,000 nodes, built, run and deleted", {"torch": 1.0}),
        Metric("1,000,000 nodes, memory per node", limit=1024, unit="B"),
    ],
    repeats=3,
)

# ------------------------------------------------------------------------------------------------------------ import

IMPORT = """
import json, time
start = time.perf_counter()
import {module}
print(json.dumps([time.perf_counter() - start]))
"""

Scripted(
    "import",
    {
        name: IMPORT.format(module=module)
        for name, module in {
            "adjoint": "adjoint",
            "numpy": "numpy",
            "torch": "torch",
            "autograd": "autograd.numpy",
            "mygrad": "mygrad",
            "jax": "jax",
        }.items()
    },
    [Metric("import", {"numpy": 1.5})],
    repeats=10,
)
