"""What a namespace says and does about memory, devices and floating point warnings."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from adjoint import _dtypes, arrays
from adjoint.arrays import Device


def test_assign(library, rng):
    x = rng.normal(size=(3, 4))

    def f(xp, x):
        target = xp.copy(x)
        out = xp.assign(target, (slice(None), 1), 5.0)
        assert (out is target) == xp.mutable
        return out, x

    out, kept = library.run(f, x)
    expected = x.copy()
    expected[:, 1] = 5
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(kept, x)


@pytest.mark.parametrize("shape", [(), (4,), (3, 1), (3, 4)])
def test_assign_all(library, shape, rng):
    x, v = rng.normal(size=(3, 4)).astype(np.float32), rng.normal(size=shape)

    def f(xp, x, v):
        target = xp.copy(x)
        out = xp.assign_all(target, v)
        assert (out is target) == xp.mutable
        return out, xp.assign_all(xp.copy(x), 2)

    out, twos = library.run(f, x, v)
    assert out.dtype == twos.dtype == np.float32
    np.testing.assert_array_equal(out, np.broadcast_to(v.astype(np.float32), (3, 4)))
    np.testing.assert_array_equal(twos, np.full((3, 4), 2))


def test_a_copy_is_independent(library):
    def f(xp, x):
        other = xp.copy(x)
        assert not xp.shares_memory(other, x)
        assert xp.shares_memory(x, x)
        assert xp.owns_memory(other)
        return other

    library.run(f, np.ones((2, 3)))


def test_layout_of_contiguous_arrays(library):
    def f(xp, x):
        x = xp.copy(x)
        assert xp.strides(x) == (12, 4, 1)
        assert xp.strides(xp.reshape(x, (24,))[0]) == ()
        assert xp.storage_offset(x) == 0
        assert xp.is_contiguous(x)
        assert xp.writeable(x) == xp.mutable
        assert isinstance(xp.data_ptr(x), int)
        return x

    library.run(f, np.ones((2, 3, 4)))


def test_views_in_numpy():
    xp = arrays.numpy_namespace
    x = np.arange(24.0).reshape(4, 6)
    view = x[1:, ::2]
    assert xp.shares_memory(x, view)
    assert not xp.shares_memory(x[:, ::2], x[:, 1::2])
    assert xp.strides(view) == (6, 2)
    assert xp.storage_offset(view) == 6
    assert xp.data_ptr(view) == xp.data_ptr(x) + 6 * 8
    assert not xp.is_contiguous(view)
    assert not xp.owns_memory(view)
    assert not xp.owns_memory(np.broadcast_to(np.ones(1), (3,)))
    frozen = np.ones(3)
    frozen.flags.writeable = False
    assert not xp.owns_memory(frozen)
    assert not xp.writeable(frozen)
    assert xp.strides(np.broadcast_to(np.ones(1), (3,))) == (0,)
    assert xp.strides(x[::-1]) == (-6, 1)
    assert xp.copy(x.T).strides == x.T.strides


def test_results_of_zero_dimensions_become_arrays(library):
    def f(xp, x):
        out = xp.ensure_array(xp.sum(x))
        assert arrays.is_array(out)
        assert out.shape == ()
        assert xp.ensure_array(x) is x
        return out

    assert library.run(f, np.ones(3)) == 3.0


def test_keys_tell_descriptions_apart(library):
    def f(xp, x):
        def key(shape, dtype):
            return xp.key(xp.zeros(shape, dtype=dtype))

        assert key((2, 3), _dtypes.float32) == key((2, 3), _dtypes.float32)
        different = {key((2, 3), _dtypes.float32), key((2, 3), _dtypes.float64), key((3, 2), _dtypes.float32)}
        assert len(different) == 3
        return x

    library.run(f, np.ones(1))


def test_keys_tell_devices_apart():
    strict = pytest.importorskip("array_api_strict")
    here = strict.ones(2)
    there = strict.asarray(here, device=strict.Device("device1"))
    xp = arrays.namespace_of(here)
    assert xp.key(here) != xp.key(there)


# ---- devices ----------------------------------------------------------------------------------------------------


def test_devices_compare_with_their_names():
    cpu, gpu = Device("cpu"), Device("cuda", 1)
    assert cpu == "cpu" and "cpu" == cpu and cpu != "cuda"  # noqa: SIM300
    assert gpu == "cuda:1" and gpu != Device("cuda")
    assert (gpu.type, gpu.index, cpu.index) == ("cuda", 1, None)
    assert repr(cpu) == "device(type='cpu')"
    assert repr(gpu) == "device(type='cuda', index=1)"
    assert str(gpu) == f"{gpu}" == "cuda:1"
    assert {gpu: 1}["cuda:1"] == 1
    assert Device(gpu) is gpu is Device("cuda:1")
    assert copy.deepcopy(gpu) is gpu
    assert pickle.loads(pickle.dumps(gpu)) is gpu


@pytest.mark.parametrize("name", ["", "cuda:", "cuda:x", "my gpu", ":0", "cuda:0:1"])
def test_what_names_no_device(name):
    with pytest.raises(RuntimeError, match="does not name a device"):
        Device(name)


def test_arrays_of_every_library_are_somewhere(library):
    here = Device(library.device)

    def f(xp, x):
        assert xp.device_of(x) == here
        moved = xp.to_device(x, here)
        assert (moved is x) or xp.lazy
        assert here.type in xp.device_kinds
        with pytest.raises(RuntimeError, match="device"):
            xp.to_device(x, "quantum:0")
        with pytest.raises(RuntimeError, match="device"):
            xp.asarray([1.0], device="quantum:0")
        return xp.asarray(x, device=here)

    library.run(f, np.ones(2))


def test_moving_between_devices():
    strict = pytest.importorskip("array_api_strict")
    x = strict.ones(3)
    xp = arrays.namespace_of(x)
    there = xp.to_device(x, "device1")
    assert xp.device_of(there) == Device("device1")
    assert xp.device_of(xp.zeros(2, device=Device("device1"))) == "device1"
    assert xp.device_of(xp.asarray(x, device="device1")) == "device1"
    np.testing.assert_array_equal(xp.to_numpy(there), np.ones(3))
    for out in (
        xp.index_put(there, xp.asarray([0, 0], device="device1"), 1.0, accumulate=True),
        xp.getitem(there, [0, 1]),
        xp.getitem(there, xp.asarray([True, False, True], device="device1")),
        xp.pad(there, [(1, 1)]),
        xp.einsum("i,i->i", there, there),
        xp.as_strided(there, (2,), (1,), 1),
        xp.scatter(there, xp.asarray([1], device="device1"), 2.0, 0, reduce="amax"),
    ):
        assert xp.device_of(out) == "device1"


def test_tracers_have_no_values():
    jax = pytest.importorskip("jax")

    def f(x):
        with pytest.raises(TypeError, match=r"float32\[2,3\].*no values.*jax\.debug\.print"):
            arrays.namespace_of(x).to_numpy(x)
        return x

    jax.jit(f)(np.ones((2, 3), dtype=np.float32))


# ---- warnings ---------------------------------------------------------------------------------------------------


def test_errstate_silences_floating_point_warnings(library):
    def f(xp, x):
        with xp.errstate():
            return xp.log(x), x / x

    log, nan = library.run(f, np.zeros(2))
    assert np.all(np.isneginf(log)) and np.all(np.isnan(nan))
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        np.log(np.zeros(1))
