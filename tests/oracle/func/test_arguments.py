"""Arguments of transforms, accepted and refused as in PyTorch: in_dims, out_dims, chunks, randomness, argnums, aux."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.compare import compare

pytestmark = pytest.mark.oracle


def matrix(lib: Any) -> Any:
    return lib.arange(6.0, dtype=lib.float64).reshape(2, 3)


ARGUMENTS: dict[str, Any] = {
    "x": matrix,
    "n": lambda lib: 3,
    "d": lambda lib: {"a": matrix(lib)},
    "t": lambda lib: (matrix(lib), matrix(lib)),
    "s": lambda lib: lib.tensor(1.0),
}
IN_DIMS: Any = [
    (0, "x"), (None, "x"), ((0,), "x"), ((0, 0), "x"), ((0, None), "xx"), ([0], "x"), ("a", "x"), (1.0, "x"),
    ((None, None), "xx"), (0, "n"), ((0, 0), "xn"), (5, "x"), (-3, "x"), (-2, "x"), (({"a": 0},), "d"),
    (({"b": 0},), "d"), (((0, 0),), "t"), ((0,), "t"), ((None,), "t"), (((0, None),), "t"), ((0, 1), "xx"), (0, ""),
    (0, "s"),
]  # fmt: skip


@pytest.mark.parametrize(("in_dims", "kinds"), IN_DIMS)
def test_in_dims(in_dims: Any, kinds: str) -> None:
    def total(value: Any, lib: Any) -> Any:
        if isinstance(value, dict):
            value = tuple(value.values())
        return sum(total(one, lib) for one in value) if isinstance(value, tuple) else lib.as_tensor(value).sum()

    compare(
        lambda lib: lib.func.vmap(lambda *args: total(args, lib), in_dims=in_dims)(*[ARGUMENTS[k](lib) for k in kinds])
    )


RESULTS: dict[str, Any] = {
    "one": lambda lib, x: x,
    "two": lambda lib, x: (x, x * 2),
    "dictionary": lambda lib, x: {"a": x},
    "constant": lambda lib, x: (x, lib.ones(2)),
    "number": lambda lib, x: 3,
    "none": lambda lib, x: None,
    "list": lambda lib, x: [x, x],
    "nothing": lambda lib, x: (),
}


@pytest.mark.parametrize(
    "out_dims", [0, 1, None, (0,), (1,), (0, 1), (0, 0, 0), (0, None), {"a": 1}, "x", -1, 7], ids=str
)
@pytest.mark.parametrize("name", RESULTS)
def test_out_dims(name: str, out_dims: Any) -> None:
    if (name, out_dims) == ("constant", -1):
        pytest.skip("PyTorch cannot repeat a constant along the last dimension")
    compare(lambda lib: [lib.func.vmap(lambda x: RESULTS[name](lib, x), out_dims=out_dims)(matrix(lib)), "end"])


@pytest.mark.parametrize("chunk_size", [1, 2, 3, 5, 7, 0, -1, None])
def test_chunks(chunk_size: Any) -> None:
    numbers = lambda lib: lib.arange(10.0).reshape(2, 5)
    compare(lambda lib: lib.func.vmap(lambda x: x * 2, 1, 1, chunk_size=chunk_size)(numbers(lib)))
    compare(lambda lib: lib.func.jacrev(lambda x: x**2, chunk_size=chunk_size)(lib.arange(5.0)))


@pytest.mark.parametrize("randomness", ["error", "same", "different", "other"])
def test_randomness(randomness: str) -> None:
    def outcome(draw: Any) -> Any:
        def run(lib: Any) -> Any:
            y = lib.func.vmap(lambda x: draw(lib, x), randomness=randomness)(matrix(lib))
            return [list(y.shape), bool((y[0] == y[1]).all())]

        return run

    for draw in (
        lambda lib, x: lib.rand(50),
        lambda lib, x: lib.randn_like(x.expand(50, 3)),
        lambda lib, x: lib.bernoulli(x.expand(50, 3) * 0 + 0.5),
        lambda lib, x: x.expand(50, 3).clone().normal_(),
    ):
        compare(outcome(draw))


@pytest.mark.parametrize("argnums", [0, 1, -1, (0, 1), (1,), 2, -3, "a", (), [0], (0, 0)], ids=str)
@pytest.mark.parametrize("name", ["grad", "jacrev", "grad_and_value"])
def test_argnums(name: str, argnums: Any) -> None:
    def run(lib: Any) -> Any:
        x, y = lib.tensor([1.0, 2.0]), lib.tensor([3.0, 4.0])
        return getattr(lib.func, name)(lambda x, y: (x * y * y).sum(), argnums=argnums)(x, y)

    compare(run)


@pytest.mark.parametrize("name", ["grad", "grad_and_value", "jacrev", "jacfwd"])
@pytest.mark.parametrize("result", ["one", "two", "three", "number", "integers", "vector", "constant"])
@pytest.mark.parametrize("has_aux", [False, True])
def test_results(name: str, result: str, has_aux: bool) -> None:
    if (name, result) == ("jacrev", "integers"):
        pytest.skip("PyTorch fails an internal assertion")
    results: dict[str, Any] = {
        "one": lambda lib, x: x.sum(),
        "two": lambda lib, x: (x.sum(), x),
        "three": lambda lib, x: (x.sum(), x, x),
        "number": lambda lib, x: 3.0,
        "integers": lambda lib, x: x.sum().long(),
        "vector": lambda lib, x: x * 2,
        "constant": lambda lib, x: lib.ones(()),
    }
    compare(
        lambda lib: getattr(lib.func, name)(lambda x: results[result](lib, x), has_aux=has_aux)(lib.tensor([1.0, 2.0]))
    )
