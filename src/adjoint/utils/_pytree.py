"""Pytrees by PyTorch's names: `tree_map`, `tree_flatten` and so on, over optree. Dictionaries keep their order."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from typing import Any

import optree

from adjoint._dispatch.trees import NAMESPACE

PyTree = Any
Context = Any
TreeSpec = PyTreeSpec = optree.PyTreeSpec
IsLeaf = Callable[[Any], bool] | None

is_namedtuple = optree.is_namedtuple
is_namedtuple_class = optree.is_namedtuple_class
is_namedtuple_instance = optree.is_namedtuple_instance
is_structseq = optree.is_structseq
is_structseq_class = optree.is_structseq_class
is_structseq_instance = optree.is_structseq_instance


def LeafSpec() -> TreeSpec:
    """The structure of a single leaf."""
    return optree.treespec_leaf(none_is_leaf=True, namespace=NAMESPACE)


def register_pytree_node(
    cls: type, flatten_fn: Callable[[Any], Any], unflatten_fn: Callable[[Iterable[Any], Any], Any], **names: Any
) -> None:
    """Register a class as a node of trees.

    Args:
        cls: the class.
        flatten_fn: of an instance, its children and whatever else is needed to build it again.
        unflatten_fn: the instance, from ``(children, context)``.
        names: for serialization; ignored.
    """

    def unflatten(context: Any, children: Any) -> Any:
        return unflatten_fn(list(children), context)

    optree.register_pytree_node(cls, flatten_fn, unflatten, namespace=NAMESPACE)


def tree_flatten(tree: PyTree, is_leaf: IsLeaf = None) -> tuple[list[Any], TreeSpec]:
    """Flatten a tree into its leaves and its structure."""
    with optree.dict_insertion_ordered(True, namespace=NAMESPACE):
        leaves, spec = optree.tree_flatten(tree, is_leaf, none_is_leaf=True, namespace=NAMESPACE)
    return list(leaves), spec


def tree_unflatten(leaves: Iterable[Any], treespec: TreeSpec) -> PyTree:
    """Build the tree of a structure from its leaves."""
    return optree.tree_unflatten(treespec, leaves)


def tree_leaves(tree: PyTree, is_leaf: IsLeaf = None) -> list[Any]:
    """The leaves of a tree."""
    return tree_flatten(tree, is_leaf)[0]


def tree_iter(tree: PyTree, is_leaf: IsLeaf = None) -> Iterable[Any]:
    """Iterate over the leaves of a tree."""
    return iter(tree_leaves(tree, is_leaf))


def tree_structure(tree: PyTree, is_leaf: IsLeaf = None) -> TreeSpec:
    """The structure of a tree."""
    return tree_flatten(tree, is_leaf)[1]


def tree_is_leaf(tree: PyTree, is_leaf: IsLeaf = None) -> bool:
    """Whether a tree is a single leaf."""
    return optree.tree_is_leaf(tree, is_leaf, none_is_leaf=True, namespace=NAMESPACE)


def tree_map(func: Callable[..., Any], tree: PyTree, *rests: PyTree, is_leaf: IsLeaf = None) -> PyTree:
    """Apply a function to the leaves of trees of one structure."""
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [spec.flatten_up_to(rest) for rest in rests]
    return tree_unflatten([func(*values) for values in zip(leaves, *others)], spec)


def tree_map_(func: Callable[..., Any], tree: PyTree, *rests: PyTree, is_leaf: IsLeaf = None) -> PyTree:
    """Call a function for the leaves of trees of one structure, and return the first tree."""
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def _only(kinds: Any, func: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function that leaves values of other types as they are."""
    test = (lambda leaf: isinstance(leaf, kinds)) if isinstance(kinds, (type, tuple, types.UnionType)) else kinds
    return lambda leaf: func(leaf) if test(leaf) else leaf


def tree_map_only(kinds: Any, /, func: Callable[[Any], Any], tree: PyTree, is_leaf: IsLeaf = None) -> PyTree:
    """Apply a function to the leaves of some types, or for which a function is true."""
    return tree_map(_only(kinds, func), tree, is_leaf=is_leaf)


def tree_map_only_(kinds: Any, /, func: Callable[[Any], Any], tree: PyTree, is_leaf: IsLeaf = None) -> PyTree:
    """Call a function for the leaves of some types, and return the tree."""
    return tree_map_(_only(kinds, func), tree, is_leaf=is_leaf)


def tree_all(pred: Callable[[Any], bool], tree: PyTree, is_leaf: IsLeaf = None) -> bool:
    """Whether a condition holds for all leaves."""
    return all(map(pred, tree_leaves(tree, is_leaf)))


def tree_any(pred: Callable[[Any], bool], tree: PyTree, is_leaf: IsLeaf = None) -> bool:
    """Whether a condition holds for any leaf."""
    return any(map(pred, tree_leaves(tree, is_leaf)))


def tree_all_only(kinds: Any, /, pred: Callable[[Any], bool], tree: PyTree, is_leaf: IsLeaf = None) -> bool:
    """Whether a condition holds for all leaves of some types."""
    return all(pred(leaf) for leaf in tree_leaves(tree, is_leaf) if isinstance(leaf, kinds))


def tree_any_only(kinds: Any, /, pred: Callable[[Any], bool], tree: PyTree, is_leaf: IsLeaf = None) -> bool:
    """Whether a condition holds for any leaf of some types."""
    return any(pred(leaf) for leaf in tree_leaves(tree, is_leaf) if isinstance(leaf, kinds))
