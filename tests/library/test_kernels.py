"""Operators on arrays of other libraries: their own kernels, and NumPy's on the host or inside a jitted program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint import Tensor, library
from tests.library.helpers import fresh, from_schema, numpy_sine

jax = pytest.importorskip("jax")
jnp = jax.numpy


def numpy_only() -> Any:
    """The sine, for NumPy alone."""
    op = from_schema("(Tensor x) -> Tensor", lambda x: ad.from_numpy(np.sin(x.numpy())), device_types="numpy")

    def keep(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(inputs[0])

    op.register_autograd(lambda ctx, grad: grad * ctx.saved_tensors[0].cos(), setup_context=keep)
    return op


def test_a_kernel_for_jax() -> None:
    op = from_schema("(Tensor x) -> Tensor", lambda x: ad.zeros(1))
    op.register_kernel("jax")(lambda x: Tensor(jnp.sin(x.array)))
    x = jnp.asarray([0.5, 1.0])
    assert isinstance(op(Tensor(x)).array, jax.Array)
    np.testing.assert_allclose(jax.jit(lambda x: op(Tensor(x)).array)(x), np.sin(x), rtol=1e-6)
    assert op(ad.ones(2)).item() == 0


def test_a_numpy_kernel_serves_other_libraries() -> None:
    op = numpy_only()
    x = Tensor(jnp.asarray([0.5, 1.0])).requires_grad_()
    y = op(x)
    y.sum().backward()
    assert isinstance(y.array, jax.Array) and isinstance(x.grad.array, jax.Array)
    np.testing.assert_allclose(np.asarray(x.grad.array), np.cos([0.5, 1.0]), rtol=1e-6)


@pytest.mark.parametrize("make", [numpy_only, numpy_sine])
def test_inside_a_jitted_program_by_a_call_back(make: Any) -> None:
    op = make()
    op.register_fake(lambda x: x.new_empty(x.shape))

    def gradient(a: Any) -> Any:
        x = Tensor(a).requires_grad_()
        op(x).sum().backward()
        return x.grad.array

    x = jnp.asarray([0.5, 1.0])
    np.testing.assert_allclose(jax.jit(lambda a: op(Tensor(a)).array)(x), np.sin(x), rtol=1e-6)
    np.testing.assert_allclose(jax.jit(gradient)(x), np.cos(x), rtol=1e-6)
    batch = jnp.asarray([[0.5, 1.0], [2.0, 3.0]])
    np.testing.assert_allclose(jax.jit(jax.vmap(lambda a: op(Tensor(a)).array))(batch), np.sin(batch), rtol=1e-6)


def test_several_results_by_a_call_back() -> None:
    @library.custom_op(fresh(), mutates_args=(), device_types="numpy")
    def op(xs: list[Tensor], k: int) -> tuple[Tensor, list[Tensor], int]:
        return xs[0] * k, [x + 1 for x in xs], k

    op.register_fake(lambda xs, k: (xs[0].new_empty(xs[0].shape), [x.new_empty(x.shape) for x in xs], k))

    def program(a: Any, b: Any) -> Any:
        first, rest, k = op([Tensor(a), Tensor(b)], 3)
        assert k == 3
        return first.array, [one.array for one in rest]

    first, rest = jax.jit(program)(jnp.ones(2), jnp.zeros(3))
    assert first.tolist() == [3.0, 3.0] and rest[0].tolist() == [2.0, 2.0] and rest[1].tolist() == [1.0, 1.0, 1.0]


def test_without_fake_function_tracing_is_explained() -> None:
    op = from_schema("(Tensor x) -> Tensor", lambda x: ad.from_numpy(np.sin(x.numpy())))
    with pytest.raises(TypeError) as caught:
        jax.jit(lambda a: op(Tensor(a)).array)(jnp.ones(2))
    assert any("register_fake" in note and op.qualname in note for note in caught.value.__notes__)
    with pytest.raises(RuntimeError, match="register_fake"):
        jax.jit(lambda a: numpy_only()(Tensor(a)).array)(jnp.ones(2))


def test_a_fake_function_that_lies_to_jax_is_found_out() -> None:
    op = numpy_only()
    op.register_fake(lambda x: x.new_empty(3))
    with pytest.raises(Exception, match=r"its fake function told JAX|told"):
        jax.jit(lambda a: op(Tensor(a)).array)(jnp.ones(2)).block_until_ready()


def test_a_kernel_made_of_operators_is_traced() -> None:
    traced: list[Any] = []

    def kernel(x: Any) -> Any:
        traced.append(type(x.array).__name__)
        return x.sin()

    op = from_schema("(Tensor x) -> Tensor", kernel)
    op.register_fake(lambda x: x.new_empty(x.shape))
    jax.jit(lambda a: op(Tensor(a)).array)(jnp.ones(2))
    assert len(traced) == 1 and "Tracer" in traced[0]


def test_writes_by_operators_reach_immutable_arrays() -> None:
    def kernel(x: Any) -> None:
        x.mul_(2)

    op = from_schema("(Tensor(a!) x) -> ()", kernel, mutates_args=("x",))
    x = Tensor(jnp.ones(3))
    part = x[1:]
    op(part)
    assert x.array.tolist() == [1.0, 2.0, 2.0] and part.array.tolist() == [2.0, 2.0]


def test_results_may_not_be_aliases_of_immutable_arrays_either() -> None:
    for kernel in (lambda x: x, lambda x: x[:1], lambda x: Tensor(x.array)):
        with pytest.raises(RuntimeError, match="alias"):
            from_schema("(Tensor x) -> Tensor", kernel)(Tensor(jnp.ones(3)))


def test_a_strict_library() -> None:
    strict = pytest.importorskip("array_api_strict")
    op = numpy_only()
    x = Tensor(strict.asarray([0.5, 1.0]))
    assert type(op(x).array) is type(x.array)


def test_numpy_results_become_what_the_arguments_are() -> None:
    op = numpy_sine()
    x = Tensor(jnp.asarray([0.5, 1.0])).requires_grad_()
    y = op(x)
    y.sum().backward()
    assert isinstance(y.array, jax.Array) and isinstance(x.grad.array, jax.Array)
    np.testing.assert_allclose(np.asarray(x.grad.array), np.cos([0.5, 1.0]), rtol=1e-6)
    many = from_schema("(Tensor x) -> (Tensor[], int)", lambda x: ([ad.ones(2), x * 2], 3))
    (one, two), number = many(Tensor(jnp.ones(2)))
    assert isinstance(one.array, jax.Array) and isinstance(two.array, jax.Array) and number == 3
    mixed = from_schema("(Tensor x, Tensor y) -> Tensor", lambda x, y: ad.ones(1))
    assert isinstance(mixed(Tensor(jnp.ones(2)), ad.ones(2)).array, np.ndarray)


def test_a_library_is_known_by_its_first_name() -> None:
    dask = pytest.importorskip("dask.array")
    op = from_schema("(Tensor x) -> Tensor", lambda x: x * 2)
    op.register_kernel("dask", lambda x: x * 3)
    assert op(Tensor(dask.ones(2))).tolist() == [3.0, 3.0]


def test_a_numpy_kernel_writes_to_other_libraries() -> None:
    def kernel(x: Any, y: Any) -> Any:
        array = x.numpy()
        array += y.numpy()
        return x

    op = from_schema("(Tensor(a!) x, Tensor y) -> Tensor(a!)", kernel, mutates_args=("x",), device_types="numpy")
    x, y = Tensor(jnp.ones(3)), Tensor(jnp.arange(3.0))
    part = x[1:]
    assert op(part, y[1:]) is part
    assert x.array.tolist() == [1.0, 2.0, 3.0] and part.array.tolist() == [2.0, 3.0] and x._version == 1
    with pytest.raises(RuntimeError, match="writes to x by a NumPy kernel"):
        jax.jit(lambda a: op(Tensor(a), Tensor(a)).array)(jnp.ones(2))


def test_a_kernel_that_writes_to_a_read_only_copy_fails_loudly() -> None:
    def kernel(x: Any) -> None:
        array = x.numpy()
        array += 1

    op = from_schema("(Tensor(a!) x) -> ()", kernel, mutates_args=("x",), device_types="cpu")
    with pytest.raises(ValueError, match="read-only"):
        op(Tensor(jnp.ones(3)))
