"""Samples of `_ops/nn/embedding.py`."""

from __future__ import annotations

from tests.support.cases import call, register, register_functional

offsets = lambda t: t.of([0, 2, 2])
bags = lambda t: [
    call(t.of([[0, 2], [2, 1]]), t(4, 3)),
    call(t.of([[0, 2], [2, 1]]), t(4, 3), mode="sum", per_sample_weights=t(2, 2)),
    call(t.of([1, 1, 0]), t(4, 3), offsets(t), mode="sum"),
    call(t.of([1, 3, 0]), t(4, 3), offsets(t), padding_idx=-1),
    call(t.of([1, 3, 0, 2]), t(4, 3), t.of([0, 2, 2, 4]), include_last_offset=True),
    call(t.of([1, 3, 0]), t(4, 3), offsets(t), mode="sum", per_sample_weights=t(3)),
]
largest = lambda t: [call(t.of([[0, 2, 2], [2, 1, 3]]), t.distinct(4, 3), mode="max")]
register_functional("embedding_bag", lambda t: [*bags(t), *largest(t)], second=False)
register_functional("embedding_bag", lambda t: bags(t)[1::4], oracle=None)  # PyTorch has no second derivative
register_functional(
    "embedding_bag",
    lambda t: [
        call(t.of([1, 3, 0, 2]), t.distinct(4, 3), t.of([0, 2, 2]), mode="max"),
        call(t.of([1, 3, 0, 2]), t.distinct(4, 3), t.of([0, 2, 2]), mode="max", padding_idx=3),
    ],
    second=False,
    jit=False,
)


register_functional(
    "embedding",
    lambda t: [
        call(t.of([[0, 2], [2, 1]]), t(4, 3)),
        call(t.of([1, 1, 0]), t(4, 3), padding_idx=3),
        call(t.of([1, 1, 0]), t(4, 3), -1),
        call(t.of(2), t(4, 3)),
    ],
)


# A row that gets no gradient, and gradients that are scaled: what finite differences know nothing of.
register_functional(
    "embedding",
    lambda t: [
        call(t.of([[0, 2], [2, 1]]), t(4, 3), 2),
        call(t.of([0, 2, 2]), t(4, 3), scale_grad_by_freq=True),
    ],
    differentiable=False,
)
register("one_hot", lambda t: [call(t.index((2, 3), 4), 5)], oracle="nn.functional.one_hot", differentiable=False)
