"""Parts of arrays: rows written in place, and selections by slices and by indices."""

import numpy as np

from benchmarks.harness import Timed

from .common import AT_MOST, functional, share

ROWS, WIDTH = 200, 64
_random = np.random.default_rng(0)
START = _random.standard_normal(WIDTH).astype(np.float32)
DECAY = _random.uniform(0.8, 0.99, WIDTH).astype(np.float32)

# ------------------------------------------------------------------------------------------------ views of one table

row_views = Timed("row-views", "in-place operations on 200 row views", AT_MOST, tolerance=1e-3)


def sweep(lib, table, decay):
    table = table * 1
    for i in range(1, ROWS):
        row = table[i]
        row.mul_(decay)
        row.add_(table[i - 1])
    return (table * table).mean()


share(row_views, sweep, [_random.standard_normal((ROWS, WIDTH)).astype(np.float32), DECAY])

# ------------------------------------------------------------------------------------------ embedding, gather, slices

indexing = Timed("indexing", "embedding, slices, gather and index_add", AT_MOST)
TABLE = _random.standard_normal((1000, 64)).astype(np.float32)
WORDS = _random.integers(0, 1000, (32, 20))
PICKS = _random.integers(0, 64, (32, 19, 16))
GROUPS = _random.integers(0, 50, 32 * 19)


def look_up(lib, table, words, picks, groups):
    words = functional(lib).embedding(words, table)
    differences = words[:, 1:] - words[:, :-1]
    picked = lib.gather(differences, 2, picks) * differences[:, :, :16]
    grouped = lib.zeros(50, 16).index_add(0, groups, picked.reshape(-1, 16))
    return (grouped * grouped).mean()


share(indexing, look_up, [TABLE], [WORDS, PICKS, GROUPS])


@indexing.contender("jax.jit")
def _(jax):
    jnp = jax.numpy

    def loss(table, words, picks, groups):
        words = table[words]
        differences = words[:, 1:] - words[:, :-1]
        picked = jnp.take_along_axis(differences, picks, 2) * differences[:, :, :16]
        grouped = jnp.zeros((50, 16), np.float32).at[groups].add(picked.reshape(-1, 16))
        return (grouped * grouped).mean()

    gradient = jax.jit(jax.grad(loss))
    arrays = [jnp.asarray(a) for a in (TABLE, WORDS, PICKS, GROUPS)]
    return lambda: [gradient(*arrays).block_until_ready()]


# ------------------------------------------------------------------------------------------- a table filled by rows

rows = Timed("rows", "fill (200, 64) row by row from a recurrence", {"torch": 0.7}, tolerance=1e-3, detail=True)


def fill(lib, start, decay):
    table = lib.zeros(ROWS, WIDTH)
    state = start
    for i in range(ROWS):
        state = lib.tanh(state * decay)
        table[i] = state
    return (table * table).sum()


share(rows, fill, [START, DECAY])


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


reread = Timed("rows-reread", "the same, each row read back for the next", {"torch": 0.7}, tolerance=1e-3, detail=True)


def fill_from_last(lib, start, drive):
    table = lib.zeros(ROWS, WIDTH)
    table[0] = start
    for i in range(1, ROWS):
        table[i] = table[i - 1] * 0.9 + drive
    return (table * table).sum()


share(reread, fill_from_last, [START, DECAY])
