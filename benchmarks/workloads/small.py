"""Small arrays, where the time goes into recording and the engine: one multiplication, a chain, an integrator."""

import numpy as np

from benchmarks.harness import Timed

from .common import clear, share

SMALL = {"torch": 0.65, "autograd": 0.4, "mygrad": 0.85}

# --------------------------------------------------------------------------------------------- one multiplication

multiply = Timed("multiply", "one multiplication of one element", {"torch": 0.5, "autograd": 0.4, "mygrad": 0.85})
ONE = [np.array([2.0], np.float32)], [np.array([3.0], np.float32)]

share(multiply, lambda xp, x, w: x * w, *ONE, ("adjoint", "torch", "autograd", "mygrad"))
share(multiply, lambda xp, x, w: (x * w)[0], *ONE, ["jax.jit"])

# --------------------------------------------------------------------------------------------- 100 multiplications

chain = Timed("chain", "100 multiplications of 10 elements", SMALL)
TEN = np.linspace(0.5, 1.5, 10, dtype=np.float32), np.linspace(0.99, 1.01, 10, dtype=np.float32)


def product_chain(xp, x, w):
    for _ in range(100):
        x = x * w
    return xp.sum(x)


share(chain, product_chain, TEN[:1], TEN[1:], ("adjoint", "torch", "autograd", "mygrad", "jax.jit"))


@chain.contender("numpy")
def _(np):
    x, w = TEN

    def step():
        y = x
        for _ in range(100):
            y = y * w
        y.sum()
        gradient = np.ones_like(y)
        for _ in range(100):
            gradient = gradient * w
        return [gradient]

    return step


# Arrays that somebody else may write to: what a graph saves of them has to be copied.
shared_chain = Timed("chain-from-numpy", "100 multiplications, operands from from_numpy", {"torch": 0.65}, detail=True)


@shared_chain.contender("adjoint", "torch")
def _(lib):
    x, w = (lib.from_numpy(array) for array in TEN)
    x.requires_grad_()

    def step():
        clear([x])
        product_chain(lib, x, w).backward()
        return [x.grad]

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


def growth(stack, rates):
    a, b, c, d = rates

    def f(u):
        x, y = u
        xy = x * y
        return stack([a * x - b * xy, c * xy - d * y])

    return f


def populations(stack, rates, u):
    f = growth(stack, rates)
    for _ in range(STEPS):
        u = runge_kutta(f, u)
    return u


def total(xp, rates, u):
    return xp.sum(populations(xp.stack, rates, u))


share(lotka_volterra, total, [RATES], [START], ("adjoint", "torch", "mygrad"))
share(lotka_volterra, lambda xp, rates, u: xp.sum(populations(xp.array, rates, u)), [RATES], [START], ["autograd"])


@lotka_volterra.contender("jax.jit")
def _(jax):
    jnp = jax.numpy

    def total(rates, u):
        f = growth(jnp.stack, rates)
        return jax.lax.scan(lambda u, _: (runge_kutta(f, u), None), u, length=STEPS)[0].sum()

    gradient = jax.jit(jax.grad(total))
    rates, start = jnp.asarray(RATES), jnp.asarray(START)
    return lambda: [gradient(rates, start).block_until_ready()]
