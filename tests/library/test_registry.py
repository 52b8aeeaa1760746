"""Names: defining, finding, copying, pickling, redefining; libraries and what they take along."""

from __future__ import annotations

import copy
import gc
import inspect
import pickle
import threading
from typing import Any

import numpy as np
import pytest

import adjoint as ad
from adjoint import Tensor, library, ops
from tests.library.helpers import fresh, from_schema, leaf, numpy_sine


@library.custom_op("tests_names::scale", mutates_args=())
def scale(x: Tensor, by: float = 2.0) -> Tensor:
    """Multiply."""
    return x * by


def test_an_operator_looks_like_its_function() -> None:
    assert (scale.__name__, scale.__doc__, scale.__module__) == ("scale", "Multiply.", __name__)
    assert callable(scale.__wrapped__) and repr(scale) == "<CustomOpDef(tests_names::scale)>"
    assert (
        str(scale.schema) == "tests_names::scale(Tensor x, float by=2.0) -> Tensor" and scale.name() == scale.qualname
    )
    assert "test_registry.py:" in scale.location
    assert str(inspect.signature(scale)) == "(x: 'Tensor', by: 'float' = 2.0) -> 'Tensor'"
    library.define("tests_names::defined", "(Tensor x, int n=2, *, bool b) -> Tensor")
    assert str(inspect.signature(ops.tests_names.defined.default)) == "(x: 'Tensor', n: 'int' = 2, *, b: 'bool')"


def test_copies_and_pickles_are_the_operator() -> None:
    for one in (scale, ops.tests_names.scale, ops.tests_names.scale.default, ops.tests_names):
        assert pickle.loads(pickle.dumps(one)) is one
    assert copy.copy(scale) is scale and copy.deepcopy({"op": scale})["op"] is scale
    assert pickle.loads(pickle.dumps(ops.aten.mul))(2 * ad.ones(1), 3).item() == 6


def test_a_pickle_of_an_operator_that_is_gone() -> None:
    lib = library.Library("tests_gone", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    data = pickle.dumps(ops.tests_gone.f.default)
    lib._destroy()
    with pytest.raises(library.RegistrationError, match="no operator 'tests_gone::f'"):
        pickle.loads(data)


# ---- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["nameless", "a::b::c", "::f", "ns::", "n s::f", "ns::f-g", "1::f"])
def test_wrong_names(name: str) -> None:
    with pytest.raises(ValueError, match="does not name an operator"):
        library.custom_op(name, lambda x: x, mutates_args=(), schema="(Tensor x) -> Tensor")


def test_reserved_namespaces() -> None:
    for call in (
        lambda: library.custom_op("aten::mine", lambda x: x, mutates_args=(), schema="(Tensor x) -> Tensor"),
        lambda: library.define("aten::mine", "(Tensor x) -> Tensor"),
        lambda: library.Library("prim", "DEF"),
    ):
        with pytest.raises(ValueError, match="reserved"):
            call()
    with pytest.raises(RuntimeError, match="built-in operator"):
        library.register_autograd("aten::mul", lambda ctx, grad: grad)
    with pytest.raises(RuntimeError, match="built-in operator"):
        library.Library("aten", "IMPL").impl("mul", lambda x, y: x)


def test_a_name_is_defined_once() -> None:
    name = fresh("once")
    library.custom_op(name, lambda x: x, mutates_args=(), schema="(Tensor x) -> Tensor")
    for again in (
        lambda: library.custom_op(name, lambda x: x, mutates_args=(), schema="(Tensor x) -> Tensor"),
        lambda: library.define(name, "(Tensor x, int n) -> Tensor"),
    ):
        with pytest.raises(RuntimeError, match=f"{name} is defined already, as .*test_registry.py:"):
            again()


def test_the_same_line_may_run_again() -> None:
    name = fresh("cell")

    def cell(factor: int) -> Any:
        return library.custom_op(name, lambda x: x * factor, mutates_args=(), schema="(Tensor x) -> Tensor")

    cell(2)
    cell(3)
    assert getattr(ops.tests, name.partition("::")[2])(ad.ones(1)).item() == 3


@pytest.mark.parametrize(
    "register",
    [
        lambda name: library.register_fake(name, lambda x: x),
        lambda name: library.register_autograd(name, lambda ctx, grad: grad),
        lambda name: library.register_kernel(name, "cpu", lambda x: x),
        lambda name: library.register_vmap(name, lambda info, dims, x: (x, 0)),
        lambda name: library.register_dispatch(name, Tensor, lambda *args: None),
        lambda name: library.impl(name, "cpu", lambda x: x),
        lambda name: library.impl_abstract(name, lambda x: x),
        lambda name: library.impl_save_for_backward(name, lambda inputs, output: None),
        lambda name: library.impl_backward(name)(lambda ctx, saved, grad: {}),
        lambda name: library.opcheck(name, ()),
    ],
)
def test_unknown_names(register: Any) -> None:
    with pytest.raises(
        RuntimeError, match=r"no operator 'tests_names::scal'; did you mean tests_names::scale .*:[0-9]+"
    ):
        register("tests_names::scal")
    with pytest.raises(ValueError, match="needs an operator made by custom_op"):
        register(3)


def test_registering_needs_functions() -> None:
    op = from_schema("(Tensor x) -> Tensor", lambda x: x * 1)
    for call in (
        lambda: op.register_fake(3),
        lambda: op.register_autograd(3),
        lambda: op.register_autograd(lambda ctx: None, setup_context=3),
        lambda: op.register_kernel("cpu", 3),
        lambda: op.register_vmap(3),
        lambda: op.register_dispatch(Tensor, 3),
        lambda: library.custom_op(fresh(), 3, mutates_args=(), schema="(Tensor x) -> Tensor"),
    ):
        with pytest.raises(TypeError, match="needs a function"):
            call()


def test_schema_and_mutates_args_have_to_agree() -> None:
    for schema, mutated in (
        ("(Tensor x) -> ()", ("x",)),
        ("(Tensor(a!) x) -> ()", ()),
        ("(Tensor x) -> ()", "unknown"),
    ):
        with pytest.raises(ValueError, match="have to say the same"):
            from_schema(schema, lambda x: None, mutates_args=mutated)


def test_many_threads_define_at_once() -> None:
    errors: list[BaseException] = []
    name = fresh("raced")

    def work() -> None:
        try:
            library.define(name, "(Tensor x) -> Tensor")
        except RuntimeError as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(errors) == 7


# ---- libraries -------------------------------------------------------------------------------------------------------


def test_a_library_from_definition_to_end() -> None:
    lib = library.Library("tests_lib", "DEF")
    assert lib.define("f(Tensor x) -> Tensor") == "f"
    assert lib.define("tests_lib::g.over(Tensor x) -> Tensor") == "g.over"
    lib.impl("f", lambda x: x.sin(), "CPU")
    lib.impl("g.over", lambda x: x.cos())
    x = leaf(0.5)
    np.testing.assert_allclose(ops.tests_lib.f(x.detach()).numpy(), np.sin([0.5]))
    ops.tests_lib.g(x).backward()
    np.testing.assert_allclose(x.grad.numpy(), -np.sin([0.5]))
    with pytest.raises(RuntimeError, match=r"'DEF' already, made at .*test_registry.py"):
        library.Library("tests_lib", "DEF")
    with pytest.raises(RuntimeError, match="defined already"):
        library.Library("tests_lib", "FRAGMENT").define("f(Tensor x) -> Tensor")
    del lib
    gc.collect()
    assert not hasattr(ops.tests_lib, "f")
    library.Library("tests_lib", "DEF")._destroy()


def test_registrations_of_a_library_end_with_it() -> None:
    op = from_schema("(Tensor x) -> Tensor", lambda x: x * 1)
    lib = library.Library("tests", "IMPL")
    lib.impl(op, lambda x: x * 2, "CPU")
    lib.impl(op, lambda x: x.new_empty(3), "Meta")
    assert op(ad.ones(1)).item() == 2 and library.fake(op, ad.ones(1)).shape == (3,)
    lib._destroy()
    assert op(ad.ones(1)).item() == 1 and op.fake_rule is None


def test_kernels_may_refuse_to_be_replaced() -> None:
    op = from_schema("(Tensor x) -> Tensor", lambda x: x * 1)
    lib = library.Library("tests", "IMPL")
    lib.impl(op, lambda x: x * 2, "cpu")
    lib.impl(op, lambda x: x * 3, "cpu")
    with pytest.raises(RuntimeError, match=r"kernel for 'CPU' already, registered at .*test_registry.py"):
        lib.impl(op, lambda x: x * 4, "CPU", allow_override=False)
    assert op(ad.ones(1)).item() == 3


def test_an_autograd_kernel_of_ones_own() -> None:
    class Triple(ad.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return op(x)

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return op(grad)

    op = from_schema("(Tensor x) -> Tensor", lambda x: ad.from_numpy(x.numpy() * 3))
    lib = library.Library("tests", "IMPL")
    lib.impl(op, Triple.apply, "Autograd")
    x = leaf(1.0)
    y = op(x)
    y.backward()
    assert y.item() == 3 and x.grad.item() == 3


def test_older_forms_of_define_and_impl() -> None:
    lib = library.Library("tests_old", "FRAGMENT")

    @library.define(lib, "double(Tensor x) -> Tensor")
    def double(x: Any) -> Any:
        return x * 2

    lib.define("half(Tensor x) -> Tensor")

    @library.impl(lib, "half", "CPU")
    def half(x: Any) -> Any:
        return x / 2

    assert ops.tests_old.double(ad.ones(1)).item() == 2 and ops.tests_old.half(ad.ones(1)).item() == 0.5


def test_what_libraries_refuse() -> None:
    with pytest.raises(ValueError, match="'DEF', 'IMPL' or 'FRAGMENT'"):
        library.Library("tests", "OTHER")
    with pytest.raises(ValueError, match="identifier"):
        library.Library("a b", "DEF")
    with pytest.raises(RuntimeError, match="not define operators"):
        library.Library("tests", "IMPL").define("f(Tensor x) -> Tensor")
    lib = library.Library("tests", "FRAGMENT")
    with pytest.raises(ValueError, match="namespace 'other'"):
        lib.define("other::f(Tensor x) -> Tensor")
    with pytest.raises(RuntimeError, match="not in the namespace"):
        lib.impl("other::f", lambda x: x)
    with pytest.raises(RuntimeError, match="no operator"):
        lib.impl("never_defined", lambda x: x)
    with pytest.raises(TypeError, match="needs a function"):
        lib.impl("never_defined", 3)
    with pytest.raises(NotImplementedError, match="FunctionMode"):
        lib.fallback(lambda *args: None)
    with pytest.raises(ValueError, match="schema without a name"):
        library.define(fresh(), "f(Tensor x) -> Tensor")
    with pytest.raises(RuntimeError, match="not in the namespace"):
        library.define("other::f", "(Tensor x) -> Tensor", lib=lib)
    with pytest.raises(RuntimeError, match="alias_analysis"):
        lib.define("f(Tensor x) -> Tensor", "PURE")


# ---- adjoint.ops -----------------------------------------------------------------------------------------------------


def test_built_in_operators() -> None:
    x = ad.ones(2)
    assert ops.aten.mul(x, 3).tolist() == ops.aten.mul.Tensor(x, 3 * x).tolist() == ops.aten.mul.default(x, 3).tolist()
    assert ops.aten.mul_(x, 3) is x and x.tolist() == [3.0, 3.0]
    assert ops.aten.sum.dim_IntList(x, [0]).item() == 6
    assert ops.aten.linalg_inv(ad.eye(2)).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert {"mul", "mul_", "exp", "linalg_inv"} <= set(dir(ops.aten))
    y = leaf(2.0)
    ops.aten.pow.Tensor_Scalar(y, 3).backward()
    assert y.grad.item() == 12
    with pytest.raises(AttributeError, match="no operator aten::nothing_like_it"):
        ops.aten.nothing_like_it
    with pytest.raises(AttributeError, match="no overload 'Wrong'"):
        ops.aten.mul.Wrong


def test_custom_operators_are_found() -> None:
    assert ops.tests_names.scale.default is scale and ad.ops is ops
    assert ops.tests_names.scale(ad.ones(1)).item() == 2 and ops.tests_names.scale.overloads() == ["default"]
    assert "scale" in dir(ops.tests_names) and set(ops.tests_names) >= {"scale"}
    assert {"aten", "tests_names"} <= set(dir(ops))
    with pytest.raises(AttributeError, match="tests_names::scales; did you mean tests_names::scale"):
        ops.tests_names.scales
    with pytest.raises(AttributeError, match="no overload 'Tensor'; it has default"):
        ops.tests_names.scale.Tensor
    assert not hasattr(ops.a_namespace_without_operators, "f")


def test_overloads_are_chosen_by_their_arguments() -> None:
    lib = library.Library("tests_over", "FRAGMENT")
    lib.define("f.Tensor(Tensor x, Tensor y) -> Tensor")
    lib.define("f.Scalar(Tensor x, Scalar y) -> Tensor")
    lib.define("f.str(Tensor x, str y) -> Tensor")
    for name, kernel in (
        ("f.Tensor", lambda x, y: x + y), ("f.Scalar", lambda x, y: x * y), ("f.str", lambda x, y: x * len(y)),
    ):  # fmt: skip
        lib.impl(name, kernel, "default")
    x = ad.ones(1) * 2
    assert [ops.tests_over.f(x, other).item() for other in (x, 5, "abc")] == [4.0, 10.0, 6.0]
    assert ops.tests_over.f.str(x, "ab").item() == 4 and ops.tests_over.f.overloads() == ["Tensor", "Scalar", "str"]
    with pytest.raises(RuntimeError, match=r"no overload of tests_over::f takes these(.|\n)*Scalar y(.|\n)*str y"):
        ops.tests_over.f(x, None)
    lib._destroy()
    with pytest.raises(AttributeError):
        ops.tests_over.f(x, x)


# ---- taking over -----------------------------------------------------------------------------------------------------


class Logged(Tensor):
    """A subclass that notes the operators it took part in."""

    seen: list[Any] = []

    @classmethod
    def __adjoint_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        cls.seen.append(func)
        return super().__adjoint_function__(func, types, args, kwargs)


def test_subclasses_take_over() -> None:
    op = numpy_sine()
    x = ad.ones(2).as_subclass(Logged) if hasattr(Tensor, "as_subclass") else Logged(np.ones(2))
    Logged.seen.clear()
    y = op(x)
    assert Logged.seen == [op] and type(y) is Logged
    np.testing.assert_allclose(np.asarray(y), np.sin(1.0) * np.ones(2), rtol=1e-6)
    nested = from_schema("(Tensor[] xs) -> Tensor", lambda xs: xs[0] * 1)
    assert type(nested([x])) is Logged and Logged.seen[-1] is nested


def test_modes_see_custom_operators() -> None:
    op = numpy_sine()
    seen: list[Any] = []

    class Watch(ad.overrides.FunctionMode):
        def __adjoint_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
            seen.append(func.__name__)
            return func(*args, **kwargs)

    x = ad.ones(1)
    with Watch():
        op(x)
    assert seen == [op.__name__]


def test_rules_for_classes_and_modes() -> None:
    op = from_schema("(Tensor x) -> Tensor", lambda x: x * 1)
    x = Logged(np.ones(2))
    Logged.seen.clear()

    @op.register_dispatch(Logged)
    def for_class(cls: Any, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return cls, func, types, len(args)

    assert op(x) == (Logged, op, (Logged,), 1) and Logged.seen == []

    class Derived(Logged):
        pass

    assert op(Derived(np.ones(2)))[0] is Derived

    class Watch(ad.overrides.FunctionMode):
        pass

    library.register_torch_dispatch(op, Watch, lambda mode, func, types, args, kwargs: func(*args, **kwargs) * 5)
    with Watch():
        assert op(ad.ones(1)).item() == 5
    library.register_dispatch(op, Logged, lambda *args: NotImplemented)
    with pytest.raises(TypeError, match="all returned NotImplemented"):
        op(x)
    with pytest.raises(RuntimeError, match="needs a class"):
        op.register_dispatch(3, lambda *args: None)


def test_objects_that_are_no_tensors_take_over() -> None:
    class Foreign:
        @classmethod
        def __adjoint_function__(cls, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
            return func.qualname

    op = numpy_sine()
    assert op(Foreign()) == op.qualname


def test_single_registrations_may_end_with_a_library() -> None:
    op = from_schema("(Tensor x) -> Tensor", lambda x: x * 1)
    with library._scoped_library("tests", "FRAGMENT") as lib:
        library.register_kernel(op, "cpu", lambda x: x * 2, lib=lib)
        library.register_fake(op, lib=lib)(lambda x: x.new_empty(3))
        library.register_autograd(op, lambda ctx, grad: grad * 2, lib=lib)
        library.register_vmap(op, lambda info, in_dims, x: (op(x), in_dims[0]), lib=lib)
        library.register_dispatch(op, Logged, lambda *args: None, lib=lib)
        x = leaf(1.0)
        op(x).backward()
        assert x.grad.item() == 2 and library.fake(op, x).shape == (3,)
    assert op(ad.ones(1)).item() == 1 and list(op.kernels) == [None] and not op.dispatch_rules
    assert op.fake_rule is None and op.formula is None and op.vmap_rule is None


def test_a_library_takes_back_only_what_is_still_its_own() -> None:
    op = from_schema("(Tensor x) -> Tensor", lambda x: x * 1)
    with library._scoped_library("tests", "FRAGMENT") as lib:
        library.register_fake(op, lambda x: x.new_empty(3), lib=lib)
        library.register_fake(op, lambda x: x.new_empty(4))
    assert library.fake(op, ad.ones(1)).shape == (4,)


def test_kernels_are_for_something_that_exists() -> None:
    op = from_schema("(Tensor x) -> Tensor", lambda x: x * 1)
    with pytest.raises(ValueError, match="'FuncTorchBatched' is nothing that a kernel can be for"):
        library.Library("tests", "IMPL").impl(op, lambda x: x, "FuncTorchBatched")
