"""Function transforms: products with Hessians, Jacobians and Hessians, as users of `func` and `autograd.functional`
write them."""

import numpy as np

from .harness import Timed

NETWORK = {"torch": 0.7}


def two_layer_network(lib):
    """The loss of a small network as a function of its parameters, these, and a direction."""
    random = np.random.default_rng(0)

    def tensor(*shape, scale=1.0):
        return lib.tensor((scale * random.standard_normal(shape)).astype(np.float32))

    inputs, targets = tensor(32, 16), tensor(32, 4)
    parameters = tensor(16, 32, scale=0.25), tensor(32), tensor(32, 4, scale=0.2), tensor(4)
    direction = tuple(tensor(*p.shape) for p in parameters)

    def loss(w1, b1, w2, b2):
        hidden = lib.tanh(inputs @ w1 + b1)
        return ((hidden @ w2 + b2 - targets) ** 2).mean()

    return loss, parameters, direction


hvp = Timed("hvp", "Hessian-vector product of a two-layer network, autograd.functional", NETWORK)


@hvp.contender("adjoint", "torch")
def _(lib):
    loss, parameters, direction = two_layer_network(lib)
    return lambda: lib.autograd.functional.hvp(loss, parameters, direction)[1]


func_hvp = Timed("func-hvp", "Hessian-vector product of a two-layer network, func.jvp of func.grad", NETWORK)


@func_hvp.contender("adjoint", "torch")
def _(lib):
    loss, parameters, direction = two_layer_network(lib)
    gradient = lib.func.grad(lambda p: loss(*p))
    return lambda: lib.func.jvp(gradient, (parameters,), (direction,))[1]


jacobian = Timed("jacobian", "64 x 64 Jacobian by func.jacrev", {"torch": 0.7})


@jacobian.contender("adjoint", "torch")
def _(lib):
    random = np.random.default_rng(0)
    w1, w2 = (lib.tensor((random.standard_normal((64, 64)) / 8).astype(np.float32)) for _ in range(2))
    x = lib.tensor(random.standard_normal(64).astype(np.float32))
    derivative = lib.func.jacrev(lambda x: lib.tanh(w2 @ lib.tanh(w1 @ x)))
    return lambda: [derivative(x)]


hessian = Timed("hessian", "Hessian of a 50-dimensional Rosenbrock function", {"torch": 0.5})


def rosenbrock(x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


@hessian.contender("adjoint", "torch")
def _(lib):
    x = lib.tensor(np.random.default_rng(0).standard_normal(50))
    second = lib.func.hessian(rosenbrock)
    return lambda: [second(x)]


def jax_hessian(jax):
    return jax.hessian(rosenbrock), jax.numpy.asarray(np.random.default_rng(0).standard_normal(50))


@hessian.contender("jax")
def _(jax):
    second, x = jax_hessian(jax)
    return lambda: [second(x).block_until_ready()]


@hessian.contender("jax.jit")
def _(jax):
    second, x = jax_hessian(jax)
    second = jax.jit(second)
    return lambda: [second(x).block_until_ready()]
