"""Jacobians, Hessians and products with them: by `func` and `autograd.functional`, and by `grad` in a loop."""

import numpy as np

from benchmarks.harness import Timed

from .common import AT_MOST

NETWORK = {"torch": 0.7}

# ------------------------------------------------------------------------------------------------------- Jacobians

_random = np.random.default_rng(0)
WEIGHTS = [(_random.standard_normal((64, 64)) / 8).astype(np.float32) for _ in range(2)]
POINT = _random.standard_normal(64).astype(np.float32)
POINTS = _random.standard_normal((32, 64)).astype(np.float32)


def layers(tanh, w1, w2):
    return lambda x: tanh(w2 @ tanh(w1 @ x))


def transforms(lib):
    """`jacrev`, `jacfwd`, `hessian` and `vmap`, a function that gives the library's arrays, and its tanh."""
    if lib.__name__ == "jax":
        return lib, lib.numpy.asarray, lib.numpy.tanh
    return lib.func, lib.tensor, lib.tanh


def compare_jacobians(workload, point, transform):
    """The transform of two layers at a point, for all libraries that have it."""

    @workload.contender("adjoint", "torch", "jax.jit")
    def _(lib):
        func, array, tanh = transforms(lib)
        derivative = transform(func, layers(tanh, *map(array, WEIGHTS)))
        return evaluate(lib, derivative, array(point))


def evaluate(lib, derivative, x):
    if lib.__name__ == "jax":
        compiled = lib.jit(derivative)
        return lambda: [compiled(x).block_until_ready()]
    return lambda: [derivative(x)]


compare_jacobians(
    Timed("jacobian", "64 x 64 Jacobian by func.jacrev", {"torch": 0.7}),
    POINT,
    lambda func, f: func.jacrev(f),
)
compare_jacobians(
    Timed("jacobian-forward", "64 x 64 Jacobian by func.jacfwd", {"torch": 0.7}),
    POINT,
    lambda func, f: func.jacfwd(f),
)
compare_jacobians(
    Timed("jacobians", "32 Jacobians, 64 x 64, by func.vmap of func.jacrev", AT_MOST),
    POINTS,
    lambda func, f: func.vmap(func.jacrev(f)),
)

jacobian_loop = Timed("jacobian-loop", "64 x 64 Jacobian by grad in a loop", AT_MOST)


@jacobian_loop.contender("adjoint", "torch")
def _(lib):
    f = layers(lib.tanh, *map(lib.tensor, WEIGHTS))
    x = lib.tensor(POINT, requires_grad=True)

    def step():
        y = f(x)
        rows = [lib.autograd.grad(y[i], x, retain_graph=True)[0] for i in range(64)]
        return [lib.stack(rows)]

    return step


# -------------------------------------------------------------------------------------------------------- Hessians

hessian = Timed("hessian", "Hessian of a 50-dimensional Rosenbrock function", {"torch": 0.5}, tolerance=1e-9)
hessian_loop = Timed("hessian-loop", "the same Hessian by grad in a loop", AT_MOST, tolerance=1e-9)
VALLEY = np.random.default_rng(0).standard_normal(50)


def rosenbrock(x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


@hessian.contender("adjoint", "torch", "jax.jit")
def _(lib):
    func, array, _ = transforms(lib)
    return evaluate(lib, func.hessian(rosenbrock), array(VALLEY))


@hessian.contender("autograd")
def _(autograd):
    import autograd.numpy as anp

    derivative = autograd.hessian(lambda x: anp.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2))
    return lambda: [derivative(VALLEY)]


@hessian_loop.contender("adjoint", "torch")
def _(lib):
    x = lib.tensor(VALLEY, requires_grad=True)

    def step():
        (gradient,) = lib.autograd.grad(rosenbrock(x), x, create_graph=True)
        rows = [lib.autograd.grad(gradient[i], x, retain_graph=True)[0] for i in range(50)]
        return [lib.stack(rows)]

    return step


# -------------------------------------------------------------------------------------------- products with Hessians


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


double_backward = Timed("double-backward", "Hessian-vector product of a two-layer network by double backward", AT_MOST)


@double_backward.contender("adjoint", "torch")
def _(lib):
    loss, parameters, direction = two_layer_network(lib)
    parameters = [p.requires_grad_() for p in parameters]

    def step():
        grads = lib.autograd.grad(loss(*parameters), parameters, create_graph=True)
        return lib.autograd.grad(sum((g * v).sum() for g, v in zip(grads, direction)), parameters)

    return step


hvp = Timed("hvp", "the same product by autograd.functional.hvp", NETWORK, detail=True)


@hvp.contender("adjoint", "torch")
def _(lib):
    loss, parameters, direction = two_layer_network(lib)
    return lambda: lib.autograd.functional.hvp(loss, parameters, direction)[1]


func_hvp = Timed("func-hvp", "the same product by func.jvp of func.grad", NETWORK, detail=True)


@func_hvp.contender("adjoint", "torch")
def _(lib):
    loss, parameters, direction = two_layer_network(lib)
    gradient = lib.func.grad(lambda p: loss(*p))
    return lambda: lib.func.jvp(gradient, (parameters,), (direction,))[1]
