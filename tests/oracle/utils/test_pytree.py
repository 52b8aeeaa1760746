"""`utils._pytree` flattens and maps as PyTorch does."""

from __future__ import annotations

from collections import OrderedDict, namedtuple

import pytest

from adjoint.utils import _pytree as ours

torch = pytest.importorskip("torch")
theirs = pytest.importorskip("torch.utils._pytree")
pytestmark = pytest.mark.oracle

Pair = namedtuple("Pair", "a b")
TREES = [
    1, None, [], {}, [1, (2, None)], {"b": 1, "a": [2, {"z": 3, "c": 4}]}, OrderedDict(b=1, a=2), Pair(1, [2, 3]),
    ({"x": (1,)}, [{"y": None}]),
]  # fmt: skip


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_leaves_and_maps(tree):
    found, spec = ours.tree_flatten(tree)
    expected, reference = theirs.tree_flatten(tree)
    assert found == expected and spec.num_leaves == reference.num_leaves
    assert ours.tree_unflatten(found, spec) == tree
    double = lambda leaf: (leaf or 0) * 2
    assert ours.tree_map(double, tree) == theirs.tree_map(double, tree)
    assert ours.tree_map(lambda a, b: (a, b), tree, tree) == theirs.tree_map(lambda a, b: (a, b), tree, tree)
    assert ours.tree_map_only(int, double, tree) == theirs.tree_map_only(int, double, tree)
    assert ours.tree_all(bool, tree) == theirs.tree_all(bool, tree)
    assert ours.tree_any_only(int, bool, tree) == theirs.tree_any_only(int, bool, tree)
    assert list(ours.tree_map(double, {"b": 1, "a": 2})) == ["b", "a"]


def test_classes_can_be_registered():
    for library in (ours, theirs):

        class Box:
            def __init__(self, value):
                self.value = value

        library.register_pytree_node(Box, lambda box: ([box.value], None), lambda values, _: Box(*values))
        assert library.tree_leaves([Box([1, 2]), 3]) == [1, 2, 3]
        assert library.tree_map(lambda leaf: leaf + 1, Box(1)).value == 2
