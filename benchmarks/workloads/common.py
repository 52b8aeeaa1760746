"""What the workloads share: a program written once, and how each library differentiates it."""

from benchmarks.harness import Timed

AT_MOST = {"torch": 1.1}  # what is asked of every workload that has no target of its own


def functional(lib):
    """Where a library of PyTorch's kind keeps `linear`, `relu` and the losses."""
    return lib.nn.functional if lib.__name__ == "torch" else lib


def clear(tensors):
    for t in tensors:
        t.grad = None


def share(workload: Timed, program, inputs, constants=(), contenders=("adjoint", "torch")):
    """Measure the gradient of `program(namespace, *inputs, *constants)`, a sum, by `inputs`.

    Args:
        workload: what the contenders are added to.
        program: uses the names that the namespaces of the contenders have in common.
        inputs: arrays to differentiate by.
        constants: further arrays.
        contenders: those whose namespaces have the names.
    """
    for name in contenders:
        workload.contender(name)(
            lambda lib, differentiate=DIFFERENTIATE[name]: differentiate(lib, program, inputs, constants)
        )


def by_backward(lib, program, inputs, constants):
    tensors = [lib.tensor(a, requires_grad=True) for a in inputs]
    arguments = [*tensors, *(lib.tensor(a) for a in constants)]

    def step():
        clear(tensors)
        program(lib, *arguments).backward()
        return [t.grad for t in tensors]

    return step


def by_mygrad(mg, program, inputs, constants):
    tensors = [mg.tensor(a) for a in inputs]
    arguments = [*tensors, *(mg.tensor(a, constant=True) if a.dtype.kind == "f" else a for a in constants)]

    def step():
        program(mg, *arguments).backward()
        return [t.grad for t in tensors]

    return step


def by_hips_autograd(autograd, program, inputs, constants):
    import autograd.numpy as anp

    gradient = autograd.grad(lambda inputs: program(anp, *inputs, *constants))
    return lambda: gradient(list(inputs))


def by_jax(jax, program, inputs, constants):
    gradient = jax.jit(jax.grad(lambda inputs, constants: program(jax.numpy, *inputs, *constants)))
    inputs, constants = ([jax.numpy.asarray(a) for a in arrays] for arrays in (inputs, constants))
    return lambda: jax.block_until_ready(gradient(inputs, constants))


DIFFERENTIATE = {
    "adjoint": by_backward,
    "torch": by_backward,
    "mygrad": by_mygrad,
    "autograd": by_hips_autograd,
    "jax.jit": by_jax,
}
