"""`vmap` as in PyTorch: what goes in and comes out, what is seen inside, what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.compare import Scenarios, compare

pytestmark = pytest.mark.oracle
scenario = Scenarios()


def batch(lib: Any, *shape: int, requires_grad: bool = False) -> Any:
    count = 1
    for length in shape:
        count *= length
    values = lib.sin(lib.arange(count, dtype=lib.float64) * 0.7 + 0.3)
    return values.reshape(shape).clone().requires_grad_(requires_grad)


# ---- functions of one sample, mapped, differentiated outside, inside and in forward mode -----------------------------

FUNCTIONS: dict[str, Any] = {
    "polynomial": lambda lib, a: (a**3 - 2 * a).sum(),
    "norm": lambda lib, a: a.norm(),
    "norm of rows": lambda lib, a: a.reshape(2, 3).norm(dim=1),
    "softmax": lambda lib, a: lib.softmax(a, 0),
    "log_softmax of a matrix": lambda lib, a: lib.log_softmax(a.reshape(2, 3), -1),
    "matrix products": lambda lib, a: a.reshape(2, 3) @ a.reshape(3, 2) @ a[:2],
    "outer": lambda lib, a: lib.outer(a, a).diagonal(),
    "einsum": lambda lib, a: lib.einsum("ij,kj->ik", a.reshape(2, 3), a.reshape(2, 3)),
    "largest": lambda lib, a: a.max() * a.argmax(),
    "largest of rows": lambda lib, a: a.reshape(2, 3).max(1).values,
    "sorted": lambda lib, a: a.sort(descending=True).values * lib.arange(6, dtype=a.dtype),
    "topk": lambda lib, a: a.topk(2).values,
    "cumulative": lambda lib, a: a.cumsum(0) * a.cumprod(0),
    "running maximum": lambda lib, a: a.cummax(0).values,
    "where": lambda lib, a: lib.where(a > 0, a.exp(), a * 2),
    "clamp and abs": lambda lib, a: a.clamp(-0.5, 0.5) + a.abs(),
    "index": lambda lib, a: a[lib.tensor([0, 0, 5])] + a[1::2],
    "gather": lambda lib, a: a.gather(0, a.argsort()[:4]),
    "index by a mapped tensor": lambda lib, a: a.reshape(2, 3)[:, a.argsort()[:2] % 3],
    "scatter": lambda lib, a: lib.zeros_like(a).scatter_add(0, lib.tensor([0, 1, 1, 2, 2, 2]), a * a),
    "stack and cat": lambda lib, a: lib.cat([lib.stack([a, a * 2]), a.reshape(1, 6)]).prod(0),
    "flip and roll": lambda lib, a: a.flip(0) * a.roll(2),
    "permute": lambda lib, a: a.reshape(1, 2, 3).permute(2, 0, 1).sum(-1) * a[0],
    "unfold": lambda lib, a: a.unfold(0, 3, 2).prod(1),
    "determinant": lambda lib, a: lib.linalg.det(a[:4].reshape(2, 2) + 2 * lib.eye(2, dtype=a.dtype)),
    "solve": lambda lib, a: lib.linalg.solve(a[:4].reshape(2, 2) + 3 * lib.eye(2, dtype=a.dtype), a[4:]),
    "inverse": lambda lib, a: lib.linalg.inv(a[:4].reshape(2, 2) + 3 * lib.eye(2, dtype=a.dtype)),
    "cholesky": lambda lib, a: lib.linalg.cholesky(lib.outer(a[:2], a[:2]) + lib.eye(2, dtype=a.dtype)),
    "singular values": lambda lib, a: lib.linalg.svdvals(a.reshape(2, 3)),
    "fourier": lambda lib, a: lib.fft.rfft(a).abs(),
    "variance": lambda lib, a: a.var() + a.reshape(2, 3).std(0).sum(),
    "logsumexp": lambda lib, a: a.reshape(2, 3).logsumexp(0),
    "layer_norm": lambda lib, a: lib.layer_norm(a.reshape(2, 3), (3,)),
    "views and writes": lambda lib, a: written(a),
    "new tensors": lambda lib, a: a.new_zeros(6).copy_(a) * a.new_ones(6) + lib.full_like(a, 2.0),
    "numbers": lambda lib, a: a.dim() * a.size(0) * a / a.numel(),
    "triangles": lambda lib, a: a.reshape(2, 3).tril() @ a.reshape(3, 2).triu(),
    "quantile": lambda lib, a: a.quantile(0.3),
    "median": lambda lib, a: a.median(),
}


def written(a: Any) -> Any:
    out = a.clone()
    view = out[1:4]
    view.mul_(2)
    out[0] = view.sum()
    out.reshape(2, 3)[:, 1].add_(a[:2])
    return out * a


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str) -> None:
    function = FUNCTIONS[name]

    def values(lib: Any) -> Any:
        return lib.func.vmap(lambda a: function(lib, a))(batch(lib, 4, 6))

    def outside(lib: Any) -> Any:
        x = batch(lib, 4, 6, requires_grad=True)
        out = lib.func.vmap(lambda a: function(lib, a))(x)
        return lib.autograd.grad((out * out).sum(), x)

    def inside(lib: Any) -> Any:
        return lib.func.vmap(lib.func.grad(lambda a: (function(lib, a) ** 2).sum()))(batch(lib, 4, 6))

    def forward(lib: Any) -> Any:
        x = batch(lib, 4, 6)
        return lib.func.jvp(lib.func.vmap(lambda a: function(lib, a)), (x,), (x.cos(),))

    def nested(lib: Any) -> Any:
        inner = lib.func.vmap(lambda a, b: function(lib, a + 0.1 * b), in_dims=(None, 0))
        return lib.func.vmap(inner, in_dims=(0, None))(batch(lib, 2, 6), batch(lib, 3, 6))

    for program in (values, outside, inside, forward, nested):
        assert compare(program).error is None


# ---- what goes in and comes out --------------------------------------------------------------------------------------


@scenario
def in_dims_and_out_dims(lib: Any) -> Any:
    x, y = batch(lib, 2, 3), batch(lib, 3, 4)
    vmap = lib.func.vmap
    return [
        vmap(lib.sum, in_dims=1)(x),
        vmap(lib.sum, in_dims=-1)(x),
        vmap(lambda a, b: a @ b, in_dims=(0, None))(x, y),
        vmap(lambda a, b: a @ b, in_dims=(None, 1), out_dims=1)(x, y),
        vmap(lambda a: (a, a.sum()), in_dims=1, out_dims=(1, 0))(x),
        vmap(lambda a: lib.outer(a, a), out_dims=-1)(x),
        vmap(lambda a: lib.outer(a, a), out_dims=-2)(x),
    ]


@scenario
def trees(lib: Any) -> Any:
    x = batch(lib, 2, 3)
    function = lambda tree, n: {"p": tree["x"] * n, "q": [tree["y"][0] + tree["x"], (tree["x"].sum(),)]}
    vmap = lib.func.vmap
    return [
        vmap(function, in_dims=({"x": 0, "y": (None,)}, None))({"x": x, "y": (x[1],)}, 3),
        vmap(function, in_dims=(0, None), out_dims={"p": 1, "q": 0})({"x": x, "y": (x,)}, 2),
    ]


@scenario
def keyword_arguments(lib: Any) -> Any:
    x = batch(lib, 2, 3)
    return lib.func.vmap(lambda a, *, b: a * b)(x, b=x)


@scenario
def constants_as_results(lib: Any) -> Any:
    x = batch(lib, 2, 3)
    vmap = lib.func.vmap
    return [
        vmap(lambda a: lib.ones(3))(x),
        vmap(lambda a: lib.ones(3), out_dims=None)(x),
        vmap(lambda a: (a, x[0]), out_dims=(1, None))(x),
    ]


@scenario
def chunks(lib: Any) -> Any:
    x = batch(lib, 7, 3)
    return [lib.func.vmap(lambda a: (a.sin(), a.sum()), out_dims=(1, 0), chunk_size=n)(x) for n in (1, 2, 3, 7, 9)]


@scenario
def an_empty_batch(lib: Any) -> Any:
    return lib.func.vmap(lambda a: a.sum())(lib.zeros(0, 3))


@scenario
def promotion_sees_the_shapes_inside(lib: Any) -> Any:
    x = lib.arange(3, dtype=lib.float64)
    y = lib.ones(3, 2, dtype=lib.float32)
    integers = lib.arange(3)
    vmap = lib.func.vmap
    return [
        [vmap(lambda a, b: a * b)(x, y), vmap(lambda a, b: a * b)(x, y).dtype],
        [vmap(lambda a, b: a + b)(integers, y).dtype, vmap(lambda a: a / 2)(integers).dtype],
        vmap(lambda a, b: a + b)(x, integers).dtype,
        vmap(lambda a: a * 2.5)(integers).dtype,
    ]


@scenario
def nested_maps(lib: Any) -> Any:
    x, y = batch(lib, 2, 3), batch(lib, 4)
    vmap = lib.func.vmap
    return [
        vmap(lambda a: vmap(lambda b: a * b)(y))(x),
        vmap(lambda a: vmap(lambda b: vmap(lambda c: a.sum() * b - c)(a))(y))(x),
        vmap(vmap(vmap(lib.sin)))(batch(lib, 2, 3, 4)),
        vmap(vmap(lambda a, b: a + b, in_dims=(None, 0)), in_dims=(0, None))(x, x),
    ]


# ---- what is seen inside ---------------------------------------------------------------------------------------------


@scenario
def writes_to_arguments_are_seen_outside(lib: Any) -> Any:
    x, y, z = batch(lib, 2, 3), batch(lib, 2, 3), batch(lib, 2, 3)
    vmap = lib.func.vmap
    results = [vmap(lambda a: a.add_(1))(x), vmap(lambda a: a[1:].mul_(10))(y)]
    vmap(lambda a: a.zero_(), in_dims=1)(z[:, :2])
    return [*results, x, y, z]


@scenario
def detach_ends_all_histories(lib: Any) -> Any:
    func, x = lib.func, batch(lib, 3)
    required = batch(lib, 3, requires_grad=True)
    return [
        func.grad(lambda z: func.vmap(lambda a: a.detach() * a)(z).sum())(x),
        func.grad(lambda z: func.grad(lambda y: (y.detach() * y).sum())(z).sum())(x),
        lib.autograd.grad(func.vmap(lambda a: a.detach() * a)(required).sum(), required),
    ]


@scenario
def closing_over_a_leaf(lib: Any) -> Any:
    x, w = batch(lib, 4, 3), batch(lib, 3, requires_grad=True)
    out = lib.func.vmap(lambda a: (a * w).tanh().sum())(x)
    per_sample = lib.func.vmap(lib.func.grad(lambda a: ((a * w) ** 3).sum()))(x)
    return [out, lib.autograd.grad(out.sum(), w, retain_graph=True), lib.autograd.grad(per_sample.sum(), w)]


@scenario
def gradients_of_each_sample(lib: Any) -> Any:
    weights = {"w": batch(lib, 3, 2), "b": batch(lib, 2)}
    x, y = batch(lib, 5, 3), batch(lib, 5, 2)

    def loss(weights: Any, x: Any, y: Any) -> Any:
        return ((x @ weights["w"] + weights["b"]).tanh() - y).pow(2).mean()

    return lib.func.vmap(lib.func.grad(loss), in_dims=(None, 0, 0))(weights, x, y)


@scenario
def an_ensemble(lib: Any) -> Any:
    weights, x = batch(lib, 4, 3, 2), batch(lib, 5, 3)
    return lib.func.vmap(lambda w, x: lib.relu(x @ w).sum(0), in_dims=(0, None))(weights, x)


@scenario
def a_batch_of_gradients(lib: Any) -> Any:
    x = batch(lib, 2, 3, requires_grad=True)
    out = (x.sin() * x).sum(1)
    basis = lib.eye(2, dtype=lib.float64)
    first = lib.autograd.grad(out, x, basis, is_grads_batched=True, create_graph=True)[0]
    second = lib.autograd.grad(first.sum(), x)[0]
    return [first, second]


@scenario
def no_grad_inside(lib: Any) -> Any:
    x = batch(lib, 2, 3, requires_grad=True)

    def function(a: Any) -> Any:
        with lib.no_grad():
            fixed = a.sum()
        return a * fixed

    return lib.autograd.grad(lib.func.vmap(function)(x).sum(), x)


@scenario
def complex_numbers(lib: Any) -> Any:
    z = lib.complex(batch(lib, 3, 2), batch(lib, 3, 2).flip(0)).requires_grad_()
    out = lib.func.vmap(lambda a: (a * a.conj()).real.sum() + (a**2).abs().sum())(z)
    return [out, lib.autograd.grad(out.sum(), z)]


@scenario
def shapes(lib: Any) -> Any:
    function = lambda a: [
        a.t(), a.flatten(), a.unsqueeze(0), a.expand(2, 3, 4), a.repeat(2, 1), a.chunk(2, 1), a.split([1, 2], 0),
        a.unbind(1), a.select(0, 1), a.narrow(1, 1, 2), a.movedim(0, 1), a.tile(2), a.diag(), lib.diagonal(a),
        a.rot90(), a.reshape(-1, 2), a.view(2, 6), a.ravel(), a.unfold(1, 2, 1), lib.diag_embed(a),
    ]  # fmt: skip
    return lib.func.vmap(function)(batch(lib, 2, 3, 4))


@scenario
def reductions(lib: Any) -> Any:
    function = lambda a: [
        a.sum((0, 1)), a.mean(-1), a.amax((0, 2)), a.prod(1), a.norm(dim=(0, 1)), a.logsumexp((0, 1)), a.std((1, 2)),
        a.argmax(), a.argmax(1), a.min(2)[0], a.cummax(1)[0], a.sum(()), a.max(), a.count_nonzero(1), (a > 0).any(0),
    ]  # fmt: skip
    return lib.func.vmap(function)(batch(lib, 2, 2, 3, 2))


@scenario
def integers_and_booleans(lib: Any) -> Any:
    function = lambda a: [
        (a // 3) * (a % 2), a & 3, a | 1, ~(a > 4), (a > 2) ^ (a < 5), a << 1, a.sum(), (a > 4).any(), a.float().mean(),
    ]  # fmt: skip
    return lib.func.vmap(function)(lib.arange(12).reshape(3, 4))


@scenario
def products_with_what_is_shared(lib: Any) -> Any:
    matrix = batch(lib, 3, 3) + 3 * lib.eye(3, dtype=lib.float64)
    function = lambda b: [
        lib.linalg.solve(matrix, b), matrix @ b, b @ matrix, b @ b, lib.outer(b, matrix[0]), lib.mv(matrix, b),
        lib.einsum("ij,j->i", matrix, b), lib.addmv(b, matrix, b), lib.dot(matrix[0], b), lib.stack([matrix[0], b]),
        lib.linalg.solve(matrix, lib.stack([b, b], 1)), lib.cross(matrix[0], b, dim=0), lib.cat([matrix, b[None]]),
        lib.addmm(lib.stack([b, b, b]), matrix, matrix), lib.kron(b, matrix[0]), lib.tensordot(matrix, b, 1),
    ]  # fmt: skip
    return lib.func.vmap(function)(batch(lib, 4, 3))


@scenario
def steps_of_newton(lib: Any) -> Any:
    func = lib.func
    function = lambda x: (x**4).sum() + (x[0] * x[1]).sin()

    def step(x: Any) -> Any:
        return x - lib.linalg.solve(func.hessian(function)(x) + lib.eye(2, dtype=x.dtype), func.grad(function)(x))

    x = batch(lib, 5, 2) + 1
    return [func.vmap(step)(x), func.vmap(func.jacrev(step))(x)]


@scenario
def a_recurrent_network(lib: Any) -> Any:
    weights, func = batch(lib, 3, 3), lib.func

    def states(x: Any) -> Any:
        state = lib.zeros(3, dtype=lib.float64)
        for row in x:
            state = lib.tanh(state @ weights + row)
        return state

    x = batch(lib, 4, 5, 3)
    return [func.vmap(states)(x), func.vmap(func.jacrev(states))(x), func.vmap(func.jacfwd(states))(x)]


@scenario
def transforms_around_and_inside(lib: Any) -> Any:
    func, x = lib.func, batch(lib, 3, 2)
    inner = lambda a: func.jvp(lambda b: (b**3).sum(), (a,), (a.cos(),))[1]
    return [
        func.grad(lambda z: func.vmap(inner)(z).sum())(x),
        func.jacrev(func.vmap(lambda a: a.sin() * a.sum()))(x),
        func.jacfwd(func.vmap(lambda a: a.sin() * a.sum()))(x),
        func.vmap(func.jacfwd(func.jacrev(func.grad(lambda a: (a**4).sum() * a[0]))))(x),
        func.vmap(lambda t: func.jvp(lambda b: b.sin() * b.sum(), (x[0],), (t,))[1])(x),
        func.vmap(lambda a: func.jvp(lambda b: b.sin() * b.sum(), (a,), (x[0],)))(x),
    ]


@scenario
def second_derivatives(lib: Any) -> Any:
    def function(a: Any) -> Any:
        parts = [
            a.logsumexp(0), a.std(), a.cumprod(0).sum(), a.sort()[0].pow(3)[1:4].prod(), lib.softmax(a, 0).pow(2).sum(),
            a.reshape(2, 3).prod(1).sum(), lib.fft.rfft(a).abs().sum(), a.max() * a.min(), a.norm() ** 3,
            lib.linalg.inv(lib.outer(a, a) + lib.eye(6, dtype=a.dtype)).sum(), a[a.argsort()[:2]].pow(3).sum(),
        ]  # fmt: skip
        return lib.stack(parts)

    x = batch(lib, 2, 6, requires_grad=True)
    (first,) = lib.autograd.grad(lib.func.vmap(function)(x).sum(), x, create_graph=True)
    return [first, lib.autograd.grad(first.pow(2).sum(), x)]


test_as_in_pytorch = scenario.test()

# ---- what is refused -------------------------------------------------------------------------------------------------

ERRORS: dict[str, Any] = {
    "no arguments": lambda lib, x: lib.func.vmap(lambda a: a)(),
    "no in_dims": lambda lib, x: lib.func.vmap(lambda a: a, in_dims=None)(x),
    "nothing to map over": lambda lib, x: lib.func.vmap(lambda a: a, in_dims=(None,))(x),
    "in_dims too large": lambda lib, x: lib.func.vmap(lambda a: a, in_dims=2)(x),
    "in_dims too few": lambda lib, x: lib.func.vmap(lambda a, b: a, in_dims=(0,))(x, x),
    "in_dims too many": lambda lib, x: lib.func.vmap(lambda a: a, in_dims=(0, 1))(x),
    "in_dims of a wrong type": lambda lib, x: lib.func.vmap(lambda a: a, in_dims="x")(x),
    "in_dims for a number": lambda lib, x: lib.func.vmap(lambda a, b: a)(x, 2.0),
    "a tensor without dimensions": lambda lib, x: lib.func.vmap(lambda a: a)(x.sum()),
    "sizes that differ": lambda lib, x: lib.func.vmap(lambda a, b: a, in_dims=(0, 1))(x, x),
    "a number as result": lambda lib, x: lib.func.vmap(lambda a: 3.0)(x),
    "None as result": lambda lib, x: lib.func.vmap(lambda a: None)(x),
    "out_dims too many": lambda lib, x: lib.func.vmap(lambda a: (a, a), out_dims=(0, 0, 0))(x),
    "out_dims of a wrong type": lambda lib, x: lib.func.vmap(lambda a: a, out_dims="x")(x),
    "out_dims too large": lambda lib, x: lib.func.vmap(lambda a: a, out_dims=5)(x),
    "out_dims None for a batch": lambda lib, x: lib.func.vmap(lambda a: a, out_dims=None)(x),
    "randomness": lambda lib, x: lib.func.vmap(lambda a: a, randomness="maybe")(x),
    "chunk_size": lambda lib, x: lib.func.vmap(lambda a: a, chunk_size=0)(x),
    "item": lambda lib, x: lib.func.vmap(lambda a: a.sum().item())(x),
    "if": lambda lib, x: lib.func.vmap(lambda a: a if a.sum() > 0 else -a)(x),
    "mask": lambda lib, x: lib.func.vmap(lambda a: a[a > 0])(x),
    "nonzero": lambda lib, x: lib.func.vmap(lambda a: a.nonzero())(x),
    "a write to what is shared": lambda lib, x: lib.func.vmap(lambda a: lib.zeros(3).add_(a))(x),
    "random numbers": lambda lib, x: lib.func.vmap(lambda a: lib.randn(3))(x),
    "random numbers in place": lambda lib, x: lib.func.vmap(lambda a: a.clone().normal_())(x),
    "dropout": lambda lib, x: lib.func.vmap(lambda a: lib.dropout(a, 0.5, True))(x),
    "random numbers in an inner map": lambda lib, x: lib.func.vmap(
        lib.func.vmap(lambda a: lib.rand(()), randomness="different")
    )(x),
    "the same draws from distributions that differ": lambda lib, x: lib.func.vmap(
        lambda a: lib.bernoulli(a.abs()), randomness="same"
    )(x),
    "different draws into what is shared": lambda lib, x: lib.func.vmap(
        lambda a: lib.ones(3).normal_(), randomness="different"
    )(x),
}


@pytest.mark.parametrize("name", ERRORS)
def test_refused_as_in_pytorch(name: str) -> None:
    assert compare(lambda lib: ERRORS[name](lib, batch(lib, 2, 3))).error is not None


@pytest.mark.parametrize("randomness", ["same", "different"])
def test_randomness(randomness: str) -> None:
    """Whether two samples have the same numbers."""
    draws = {
        "rand": lambda lib, a: lib.rand(4),
        "randn_like": lambda lib, a: lib.randn_like(a),
        "randint": lambda lib, a: lib.randint(0, 10**6, (4,)),
        "normal_": lambda lib, a: a.clone().normal_(),
        "dropout": lambda lib, a: lib.dropout(a.new_ones(64), 0.5, True),
        "bernoulli": lambda lib, a: lib.bernoulli(lib.full((64,), 0.5)),
        "multinomial": lambda lib, a: lib.multinomial(lib.ones(64), 32),
    }
    for name, draw in draws.items():

        def same(lib: Any, draw: Any = draw) -> Any:
            first, second = lib.func.vmap(lambda a: draw(lib, a), randomness=randomness)(batch(lib, 2, 3))
            return [bool((first == second).all()), tuple(first.shape)]

        assert compare(same).error is None, name
