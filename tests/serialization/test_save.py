"""Saving and loading: round trips, shared memory, damaged files, crashes while writing."""

from __future__ import annotations

import io
import json
import math
import pickle
import struct
import tracemalloc
import zipfile
from collections import Counter, OrderedDict

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import adjoint as ad
from adjoint import nn
from adjoint.serialization import SerializationError

FORMATS = ["safetensors", "pt"]


def through(obj, format, **options):
    file = io.BytesIO()
    ad.save(obj, file, format=format)
    file.seek(0)
    return ad.load(file, **options)


def same(a, b):
    """Equality of types, containers and values; tensors by dtype, shape and values."""
    if type(a) is not type(b):
        return False
    if isinstance(a, ad.Tensor):
        equal = a.dtype is b.dtype and a.shape == b.shape and np.array_equal(a.detach().numpy(), b.detach().numpy())
        return equal and a.requires_grad == b.requires_grad
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b)
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b or (a != a and b != b)


OBJECTS = {
    "tensor": lambda: ad.arange(6.0).reshape(2, 3),
    "numbers": lambda: [0, -1, 2**80, 1.5, -0.0, math.inf, -math.inf, True, None, 1 + 2j, "text \u2603", b"\x00\xff"],
    "containers": lambda: {"a": (1, [2, {3: "x"}]), 4: OrderedDict(z=1, a=2), "s": {1, 2}, "c": Counter({5: 2})},
    "leaf": lambda: ad.ones(2, requires_grad=True),
    "parameters": lambda: {"p": nn.Parameter(ad.ones(2)), "q": nn.Parameter(ad.ones(1), requires_grad=False)},
    "empty": lambda: [ad.zeros(0), ad.zeros(2, 0, 3, dtype=ad.int64), {}, [], ()],
    "scalar": lambda: ad.tensor(3.5),
    "dtypes and devices": lambda: [ad.float32, ad.bool, ad.device("cpu"), ad.Size([1, 2])],
    "strided": lambda: [ad.arange(24.0).reshape(4, 6)[::2, 1::3], ad.arange(6.0).reshape(2, 3).T],
    "expanded": lambda: ad.tensor([1.0, 2.0]).reshape(2, 1).expand(2, 5),
    "state dict": lambda: nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1)).state_dict(),
}


@pytest.mark.parametrize("name", sorted(OBJECTS))
@pytest.mark.parametrize("format", FORMATS)
def test_round_trips(name, format):
    obj = OBJECTS[name]()
    if name == "state dict":
        obj = dict(obj)
    found = through(obj, format)
    assert same(found, obj) or same(dict(found), obj)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    "dtype", "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128".split()
)
def test_dtypes(format, dtype):
    tensor = ad.tensor([0, 1, 2, 3]).to(getattr(ad, dtype)).reshape(2, 2)
    assert same(through(tensor, format), tensor)


@pytest.mark.parametrize("format", FORMATS)
def test_memory_is_shared_again(format):
    base = ad.arange(12.0)
    found = through(
        {"all": base, "row": base[3:6], "again": base, "turned": base.view(3, 4).T, "other": ad.ones(2)}, format
    )
    found["row"].fill_(-1)
    assert found["all"][3:6].tolist() == [-1, -1, -1] and found["turned"][3, 0] == -1
    assert found["again"] is found["all"] or format == "pt"
    assert found["other"].tolist() == [1, 1]
    with pytest.raises(RuntimeError, match="modified by an in-place"):
        w = ad.ones(12, requires_grad=True)
        y = (w * found["all"]).sum()
        found["row"].mul_(2)
        y.backward()


@pytest.mark.parametrize("format", FORMATS)
def test_a_view_takes_no_more_than_it_needs(format):
    large = ad.zeros(100_000)
    file = io.BytesIO()
    ad.save({"a": large[10:20], "b": large[15:30], "c": large[50_000:50_010]}, file, format=format)
    assert len(file.getvalue()) < 3000
    file.seek(0)
    found = ad.load(file)
    found["a"].fill_(1)
    assert found["b"].tolist() == [1] * 5 + [0] * 10 and not found["c"].any()


def test_several_dtypes_in_one_memory():
    numbers = ad.arange(4, dtype=ad.float32)
    found = through([numbers, numbers.view(ad.int32), numbers.flip(0), ad.Tensor(numbers.numpy()[::-1])], "safetensors")
    assert found[1].tolist() == numbers.view(ad.int32).tolist() and found[3].tolist() == [3, 2, 1, 0]


def test_networks_and_optimizers(tmp_path):
    def make():
        ad.manual_seed(0)
        net = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 4), nn.Linear(4, 1))
        optimizer = ad.optim.Adam(net.parameters(), lr=0.1)
        return net, optimizer, ad.optim.lr_scheduler.MultiStepLR(optimizer, [2, 3])

    def train(net, optimizer, scheduler, steps):
        for _ in range(steps):
            optimizer.zero_grad()
            net(ad.ones(2, 3)).sum().backward()
            optimizer.step()
            scheduler.step()

    one, other = make(), make()
    train(*one, 4)
    train(*other, 2)
    for path in (tmp_path / "state.safetensors", tmp_path / "state.pt"):
        ad.save([part.state_dict() for part in other], path)
        again = make()
        for part, state in zip(again, ad.load(path)):
            part.load_state_dict(state)
        train(*again, 2)
        assert all(map(ad.equal, again[0].parameters(), one[0].parameters()))


def test_other_programs_can_read_the_names():
    file = io.BytesIO()
    ad.save({"layer": {"weight": ad.ones(2, 3), "bias": ad.zeros(3)}}, file)
    (length,) = struct.unpack("<Q", file.getvalue()[:8])
    header = json.loads(file.getvalue()[8 : 8 + length])
    assert header["layer.weight"]["shape"] == [2, 3] and header["layer.bias"]["dtype"] == "F32"


def test_the_safetensors_package_reads_and_writes_the_same(tmp_path):
    package = pytest.importorskip("safetensors.numpy")
    ad.save({"a": ad.arange(6.0).reshape(2, 3), "b": ad.ones(2, dtype=ad.int64)}, tmp_path / "ours")
    theirs = package.load_file(tmp_path / "ours")
    assert theirs["a"].tolist() == [[0, 1, 2], [3, 4, 5]] and theirs["b"].dtype == np.int64
    package.save_file({"x": np.eye(3)}, tmp_path / "theirs")
    assert ad.equal(ad.load(tmp_path / "theirs")["x"], ad.eye(3, dtype=ad.float64))


def test_files_of_numpy(tmp_path):
    np.savez(tmp_path / "a.npz", x=np.arange(3), y=np.eye(2))
    np.savez_compressed(tmp_path / "c.npz", x=np.arange(3))
    np.save(tmp_path / "n.npy", np.arange(4.0))
    assert ad.load(tmp_path / "a.npz")["y"].tolist() == [[1, 0], [0, 1]]
    assert ad.load(tmp_path / "c.npz")["x"].tolist() == [0, 1, 2]
    assert ad.load(tmp_path / "n.npy").tolist() == [0, 1, 2, 3]
    np.savez(tmp_path / "bad.npz", x=np.array([print], dtype=object))
    with pytest.raises(SerializationError):
        ad.load(tmp_path / "bad.npz")


def test_mapped_files_are_not_changed(tmp_path):
    path = tmp_path / "file"
    ad.save({"x": ad.arange(1000.0)}, path)
    before = path.read_bytes()
    found = ad.load(path, mmap=True)
    found["x"].fill_(7)
    assert path.read_bytes() == before and ad.load(path, map_location="cpu")["x"][5] == 5


# ---- what goes wrong -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", FORMATS)
def test_objects_that_cannot_be_saved(format, tmp_path):
    path = tmp_path / "file"
    ad.save({"old": ad.ones(1)}, path, format=format)
    circle: list = []
    circle.append(circle)
    for obj in (nn.Linear(1, 1), object(), lambda: 0, {"a": [print]}, circle):
        with pytest.raises(SerializationError):
            ad.save(obj, path, format=format)
    with pytest.raises(SerializationError, match=r"'a\.0'.*state_dict"):
        ad.save({"a": [object()]}, path, format=format)
    assert ad.load(path)["old"].tolist() == [1] and [p.name for p in tmp_path.iterdir()] == ["file"]
    with pytest.raises(ValueError, match="format"):
        ad.save(1, path, format="pickle")


def test_a_crash_while_writing_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "file"
    ad.save({"x": ad.ones(1)}, path)
    monkeypatch.setattr("os.fsync", lambda handle: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        ad.save({"x": ad.zeros(1)}, path)
    assert ad.load(path)["x"].tolist() == [1] and [p.name for p in tmp_path.iterdir()] == ["file"]


def small_file(format):
    file = io.BytesIO()
    ad.save({"a": ad.arange(3.0), "b": [ad.ones(2, dtype=ad.int64), 5]}, file, format=format)
    return file.getvalue()


def load_or_refuse(data):
    try:
        return ad.load(io.BytesIO(data))
    except SerializationError as error:
        return error


@pytest.mark.parametrize("format", FORMATS)
def test_files_that_are_cut_off(format):
    data = small_file(format)
    for length in range(len(data)):
        assert isinstance(load_or_refuse(data[:length]), SerializationError), length


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("change", [1, 0x80])
def test_every_byte_damaged(format, change):
    data = small_file(format)
    for position in range(len(data)):
        load_or_refuse(data[:position] + bytes([data[position] ^ change]) + data[position + 1 :])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.binary(max_size=200), st.sampled_from([b"", b"PK\x03\x04", b"\x93NUMPY", b"\x10\0\0\0\0\0\0\0{"]))
def test_garbage(data, start):
    assert isinstance(load_or_refuse(start + data), SerializationError)


def header_file(header, body=b""):
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body


def described(tensors, structure={"tensor": 0}):  # noqa: B006
    about = {"adjoint": "1", "object": json.dumps({"structure": structure, "tensors": tensors})}
    return header_file({"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}, "__metadata__": about}, b"\0" * 8)


ENTRY = {"in": "x", "dtype": "float32", "shape": [2], "kind": "tensor"}
HOSTILE = {
    "huge header": struct.pack("<Q", 2**63) + b"{}",
    "huge shape": header_file({"x": {"dtype": "F32", "shape": [2**40], "data_offsets": [0, 8]}}, b"\0" * 8),
    "negative shape": header_file({"x": {"dtype": "F32", "shape": [-2], "data_offsets": [0, 8]}}, b"\0" * 8),
    "overflow": header_file({"x": {"dtype": "U8", "shape": [2**33, 2**31], "data_offsets": [0, 0]}}),
    "beyond the end": header_file({"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 2**50]}}, b"\0" * 8),
    "backwards": header_file({"x": {"dtype": "F32", "shape": [2], "data_offsets": [8, 0]}}, b"\0" * 8),
    "unknown dtype": header_file({"x": {"dtype": "F13", "shape": [2], "data_offsets": [0, 8]}}, b"\0" * 8),
    "no dictionary": header_file([1]),
    "deep": struct.pack("<Q", 200_000) + b"[" * 200_000,
    "newer version": header_file({"__metadata__": {"adjoint": "99", "object": "{}"}}),
    "strides beyond": described([{**ENTRY, "strides": [2**40], "start": 0}]),
    "negative start": described([{**ENTRY, "strides": [4], "start": -4}]),
    "text as start": described([{**ENTRY, "strides": [4], "start": "0"}]),
    "no storage": described([{**ENTRY, "in": "y"}]),
    "no tensor": described([ENTRY], {"tensor": 7}),
    "unknown kind": described([ENTRY], {"code": "print()"}),
    "odd pairs": described([ENTRY], {"dict": [[1]]}),
    "unhashable": described([ENTRY], {"dict": [[[1], 2]]}),
    "dtype by name": described([{**ENTRY, "dtype": "ALIASES"}]),
}


@pytest.mark.parametrize("case", sorted(HOSTILE))
def test_hostile_files(case):
    tracemalloc.start()
    result = load_or_refuse(HOSTILE[case])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(result, SerializationError) and peak < 4_000_000


class Evil:
    def __reduce__(self):
        return (print, ("this must not be run",))


def archive(pickled, **members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as zipped:
        zipped.writestr("archive/data.pkl", pickled)
        for name, data in members.items():
            zipped.writestr(f"archive/{name}", data)
    return file.getvalue()


PICKLES = {
    "code": pickle.dumps(Evil(), 2),
    "newer code": pickle.dumps(Evil(), 4),
    "class": pickle.dumps({"a": Evil}, 2),
    "getattr": b"\x80\x02c__builtin__\ngetattr\n(c__builtin__\nint\nX\x03\x00\x00\x00addtR.",
    "huge bytes": b"\x80\x05\x96" + struct.pack("<Q", 2**60) + b"x.",
    "huge bytearray": b"\x80\x02c__builtin__\nbytearray\n" + b"J\xff\xff\xff\x7f\x85R.",
    "call of a dtype": b"\x80\x02ctorch\nfloat32\n)R.",
    "state": b"\x80\x02]}b.",
    "empty stack": b"\x80\x02R.",
    "persistent": b"\x80\x02X\x01\x00\x00\x00aQ.",
}


@pytest.mark.parametrize("case", sorted(PICKLES))
def test_hostile_pickles(case, capsys):
    tracemalloc.start()
    result = load_or_refuse(archive(PICKLES[case]))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(result, SerializationError) and peak < 4_000_000
    assert capsys.readouterr().out == ""


def test_compressed_storages_are_refused():
    data = small_file("pt")
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    assert "compressed" in str(load_or_refuse(file.getvalue()))
