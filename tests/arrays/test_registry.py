"""How an array finds its namespace, and what happens when arrays of two libraries meet."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import types

import numpy as np
import pytest

from adjoint import arrays
from adjoint.arrays.array_api import GenericNamespace


class Wrapped:
    """A foreign array: it wraps a NumPy array and has no more than the operators that the tests use."""

    def __init__(self, values):
        self.values = np.asarray(values)
        self.shape = self.values.shape
        self.ndim = self.values.ndim
        self.dtype = self.values.dtype

    def __mul__(self, other):
        return Wrapped(self.values * getattr(other, "values", other))


class Derived(Wrapped):
    pass


def toy_module():
    """A module with two functions of the standard, for arrays of the class above."""
    module = types.SimpleNamespace(__name__="toy")
    module.asarray = lambda x, /, *, dtype=None, device=None, copy=None: Wrapped(np.asarray(x, dtype=dtype))
    module.exp = lambda x: Wrapped(np.exp(x.values))
    return module


@pytest.fixture
def registered():
    """Registers, and takes it back after the test."""
    done = []

    def register(array_type, *args, **kwargs):
        arrays.register(array_type, *args, **kwargs)
        done.append(array_type)

    yield register
    for array_type in done:
        arrays.unregister(array_type)


def test_every_library_is_found_by_type(library):
    def check(xp, x):
        assert arrays.namespace_of(x) is xp
        assert arrays.is_array(x)
        return x

    library.run(check, np.ones(3))


def test_lookup_is_cached():
    from adjoint.arrays import registry

    assert registry._by_type[np.ndarray] is arrays.numpy_namespace
    assert arrays.namespace_of(np.ones(3)) is arrays.namespace_of(np.ones((2, 2)))


@pytest.mark.parametrize("kind", [np.recarray, np.memmap])
def test_subclasses_of_numpy_arrays(kind):
    assert arrays.namespace_of(np.ones(3).view(kind)) is arrays.numpy_namespace


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_subclasses_with_other_semantics_are_refused():
    with pytest.raises(TypeError, match=r"matrix is not supported.*matrix product.*numpy\.asarray"):
        arrays.namespace_of(np.ones((2, 2)).view(np.matrix))
    with pytest.raises(TypeError, match=r"MaskedArray is not supported.*mask"):
        arrays.namespace_of(np.ma.ones(3))


def test_scalars_are_not_arrays():
    for scalar in (1, 2.0, True, 1j, np.float32(1), np.bool_(True), "text", None, [1, 2], (1,)):
        assert not arrays.is_array(scalar)
        assert not arrays.is_array(scalar)
    # The results of NumPy's 0-dimensional operations are still computed with by NumPy.
    assert arrays.namespace_of(np.float64(1)) is arrays.numpy_namespace


def test_unknown_types_say_what_is_supported_and_how_to_register():
    with pytest.raises(TypeError) as error:
        arrays.namespace_of(Wrapped([1.0]))
    message = str(error.value)
    assert "Wrapped is not an array type" in message
    assert "adjoint.arrays.register(" in message
    for supported in arrays.supported():
        assert supported in message
    assert any("numpy.ndarray" in s for s in arrays.supported())
    assert any("jax.Array" in s for s in arrays.supported())


def test_register_a_namespace_of_ones_own(registered):
    class Toy(arrays.Namespace):
        name = "toy"
        rank = 12

    toy = Toy(toy_module())
    registered(Wrapped, toy)
    assert arrays.namespace_of(Wrapped([1.0])) is toy
    assert arrays.namespace_of(Derived([1.0])) is toy
    assert arrays.is_array(Wrapped([1.0]))
    assert toy.exp(Wrapped([0.0])).values == 1.0
    assert toy.key(Wrapped([1.0])) == (np.dtype("float64"), (1,))
    assert not toy.mutable


def test_register_a_module(registered):
    registered(Wrapped, toy_module(), rank=15, lazy=True)
    space = arrays.namespace_of(Wrapped([1.0]))
    assert isinstance(space, GenericNamespace)
    assert (space.name, space.rank, space.lazy) == ("Wrapped", 15, True)
    assert space.exp(Wrapped([0.0])).values == 1.0
    with pytest.raises(TypeError, match="'colour' is no option"):
        arrays.register(Derived, toy_module(), colour="red")


def test_unregister_forgets():
    arrays.register(Wrapped, toy_module())
    assert arrays.is_array(Wrapped([1.0]))
    arrays.unregister(Wrapped)
    assert not arrays.is_array(Wrapped([1.0]))
    with pytest.raises(TypeError):
        arrays.namespace_of(Wrapped([1.0]))
    with pytest.raises(KeyError, match="Wrapped"):
        arrays.unregister(Wrapped)


def test_a_later_registration_reaches_types_already_asked_about(registered):
    assert not arrays.is_array(Wrapped([1.0]))
    registered(Wrapped, toy_module())
    assert arrays.is_array(Wrapped([1.0]))


@pytest.mark.parametrize("by", ["where it is defined", "where it is public"])
def test_register_by_name_imports_nothing(registered, monkeypatch, by):
    made = []

    def make():
        made.append(True)
        return GenericNamespace(toy_module(), name="lazy toy")

    name = f"{Wrapped.__module__}.Wrapped" if by == "where it is defined" else "toy_public.Array"
    registered(name, make)
    assert any(name in s for s in arrays.supported())
    assert not made
    monkeypatch.setitem(sys.modules, "toy_public", types.SimpleNamespace(Array=Wrapped))
    assert arrays.namespace_of(Derived([1.0])).name == "lazy toy"
    assert arrays.namespace_of(Wrapped([1.0])).name == "lazy toy"
    assert len(made) == 1


def test_a_name_needs_a_module():
    with pytest.raises(ValueError, match="no dot"):
        arrays.register("Wrapped", toy_module())


def test_the_highest_rank_wins(library):
    constant = np.ones(3)

    def check(xp, x):
        if library.name in ("array_api_strict", "torch", "cupy"):
            with pytest.raises(TypeError, match=f"ndarray.*numpy.*{library.name}"):
                arrays.common_namespace(constant, x)
            with pytest.raises(TypeError, match=f"ndarray.*numpy.*{library.name}"):
                xp.lift(constant)
        else:
            assert arrays.common_namespace(constant, x) is xp
            assert arrays.common_namespace(x, constant, x) is xp
            x = x + xp.lift(constant)
        assert xp.lift(x) is x
        assert arrays.common_namespace(x, x) is xp
        return x

    library.run(check, np.ones(3))
    assert arrays.common_namespace() is arrays.numpy_namespace


def test_ranks_are_in_order():
    jax = pytest.importorskip("jax")
    strict = pytest.importorskip("array_api_strict")
    numpy, generic, concrete = (arrays.namespace_of(x) for x in (np.ones(1), strict.ones(1), jax.numpy.ones(1)))
    assert numpy.rank < generic.rank < concrete.rank

    def traced(x):
        tracer = arrays.namespace_of(x)
        assert tracer.rank > concrete.rank
        assert tracer.lazy and not concrete.lazy
        assert arrays.common_namespace(jax.numpy.ones(1), x, np.ones(1)) is tracer
        assert tracer.lift(jax.numpy.ones(1)).shape == (1,)
        return x

    jax.jit(traced)(jax.numpy.ones(1))
    jax.vmap(traced)(jax.numpy.ones((2, 1)))
    jax.grad(lambda x: traced(x).sum())(jax.numpy.ones(1))
    with pytest.raises(TypeError, match=r"Array.*array_api_strict.*ArrayImpl.*jax"):
        arrays.common_namespace(jax.numpy.ones(1), strict.ones(1))


def test_two_devices_of_one_library_do_not_mix():
    strict = pytest.importorskip("array_api_strict")
    here = strict.ones(2)
    there = strict.asarray(here, device=strict.Device("device1"))
    with pytest.raises(RuntimeError, match=r"device\(type='device1'\).*device\(type='cpu'\).*\.to\(device\)"):
        arrays.common_namespace(here, there)


@pytest.mark.parametrize("values", [np.ones(1), "array_api_strict", "jax.numpy"], ids=["numpy", "strict", "jax"])
def test_namespaces_survive_copying_and_pickling(values):
    if isinstance(values, str):
        values = pytest.importorskip(values).ones(1)
    space = arrays.namespace_of(values)
    assert copy.deepcopy(space) is space
    assert pickle.loads(pickle.dumps(space)) is space
    assert space.name in repr(space)


def test_libraries_are_not_imported_on_speculation():
    code = """
import sys
import numpy as np
from adjoint import arrays
arrays.namespace_of(np.ones(3)), arrays.is_array([1]), arrays.supported()
assert not {"jax", "torch", "array_api_compat", "array_api_strict", "dask"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
