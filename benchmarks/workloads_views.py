"""What in-place writes cost: a preallocated tensor filled row by row, with its backward pass."""

import numpy as np

from .harness import Timed

ROWS, WIDTH = 200, 64
_random = np.random.default_rng(0)
START = _random.standard_normal(WIDTH).astype(np.float32)
DECAY = _random.uniform(0.8, 0.99, WIDTH).astype(np.float32)

# --------------------------------------------------------------------------------- the state is kept beside the tensor

rows = Timed("rows", "fill (200, 64) row by row from a recurrence", {"torch": 0.7}, tolerance=1e-3)


@rows.contender("adjoint", "torch")
def _(lib):
    start, decay = lib.tensor(START, requires_grad=True), lib.tensor(DECAY, requires_grad=True)

    def step():
        start.grad = decay.grad = None
        table = lib.zeros(ROWS, WIDTH)
        state = start
        for i in range(ROWS):
            state = lib.tanh(state * decay)
            table[i] = state
        (table * table).sum().backward()
        return [start.grad, decay.grad]

    return step


@rows.contender("jax.jit")
def _(jax):
    def loss(start, decay):
        table = jax.numpy.zeros((ROWS, WIDTH), dtype=np.float32)

        def fill(i, carry):
            state, table = carry
            state = jax.numpy.tanh(state * decay)
            return state, table.at[i].set(state)

        _, table = jax.lax.fori_loop(0, ROWS, fill, (start, table))
        return (table * table).sum()

    gradient = jax.jit(jax.grad(loss, argnums=(0, 1)))
    arrays = [jax.numpy.asarray(a) for a in (START, DECAY)]
    return lambda: [g.block_until_ready() for g in gradient(*arrays)]


# --------------------------------------------------------------------------------- the state is the row written last

reread = Timed("rows_reread", "the same, each row read back for the next", {"torch": 0.7}, tolerance=1e-3)


@reread.contender("adjoint", "torch")
def _(lib):
    start, drive = lib.tensor(START, requires_grad=True), lib.tensor(DECAY, requires_grad=True)

    def step():
        start.grad = drive.grad = None
        table = lib.zeros(ROWS, WIDTH)
        table[0] = start
        for i in range(1, ROWS):
            table[i] = table[i - 1] * 0.9 + drive
        (table * table).sum().backward()
        return [start.grad, drive.grad]

    return step
