"""Trees: functions from nodes to labels; a node is the sequence of branches that lead to it."""

from __future__ import annotations

from typing import Final

from secateur.maths.operators.build import A, call, overloaded, partial, signature
from secateur.maths.operators.protocol import Operator
from secateur.maths.operators.sequences import items
from secateur.maths.show import brief
from secateur.maths.symbolic import as_sequence
from secateur.maths.symbolic.trees import Labels, Node, TreeSpace, arity, as_tree, labels
from secateur.maths.types import INTEGER, Power, relation, sequence
from secateur.maths.values import IllDefined, SetValue, Value

_PATH: Final = sequence(INTEGER)
_TREE: Final = relation(_PATH, A)


def _labels(t: SetValue, what: str) -> Labels:
    found = labels(t)
    if found is None:
        raise IllDefined(f"{what} expects a tree, not {brief(t)}")
    return found


def _labels_with(t: SetValue, node: SetValue, what: str) -> tuple[Labels, Node]:
    found, place = _labels(t, what), tuple(items(node, what))
    if place not in found:
        raise IllDefined(f"{what}: {brief(node)} is no node of the tree {brief(t)}")
    return found, place


def _below(found: Labels, place: Node) -> Labels:
    n = len(place)
    return {node[n:]: label for node, label in found.items() if node[:n] == place}


def _sons(found: Labels) -> list[Labels]:
    return [_below(found, (i,)) for i in range(1, arity(found, ()) + 1)]


def _joined(label: Value, sons: list[Labels]) -> Labels:
    result: Labels = {(): label}
    for i, son in enumerate(sons, 1):
        result.update({(i, *node): below for node, below in son.items()})
    return result


def construct(label: Value, sons: SetValue) -> SetValue:
    """Return the tree with this root and these subtrees."""
    return as_tree(_joined(label, [_labels(t, "const") for t in items(sons, "const")]))


def top(t: SetValue) -> Value:
    """Return the label of the root."""
    return _labels(t, "top")[()]


def sons(t: SetValue) -> SetValue:
    """Return the sequence of the subtrees below the root."""
    return as_sequence([as_tree(son) for son in _sons(_labels(t, "sons"))])


def _prefix(found: Labels) -> list[Value]:
    return [label for _, label in sorted(found.items(), key=lambda pair: pair[0])]


def prefix(t: SetValue) -> SetValue:
    """Return the labels, each before those below it."""
    return as_sequence(_prefix(_labels(t, "prefix")))


def _postfix(found: Labels) -> list[Value]:
    return [label for son in _sons(found) for label in _postfix(son)] + [found[()]]


def postfix(t: SetValue) -> SetValue:
    """Return the labels, each after those below it."""
    return as_sequence(_postfix(_labels(t, "postfix")))


def count(t: SetValue) -> int:
    """Return the number of nodes."""
    return len(_labels(t, "sizet"))


def _mirrored(found: Labels) -> Labels:
    return _joined(found[()], [_mirrored(son) for son in reversed(_sons(found))])


def mirror(t: SetValue) -> SetValue:
    """Return the tree with the sons of each node in reverse order."""
    return as_tree(_mirrored(_labels(t, "mirror")))


def rank(t: SetValue, node: SetValue) -> int:
    """Return which son of its father `node` is."""
    return _nonroot(t, node, "rank")[-1]


def father(t: SetValue, node: SetValue) -> SetValue:
    """Return the node above."""
    return as_sequence(_nonroot(t, node, "father")[:-1])


def _nonroot(t: SetValue, node: SetValue, what: str) -> Node:
    _, place = _labels_with(t, node, what)
    if not place:
        raise IllDefined(f"{what} of the root of a tree")
    return place


def son(t: SetValue, node: SetValue, i: int) -> SetValue:
    """Return the `i`-th node below `node`."""
    found, place = _labels_with(t, node, "son")
    if (*place, i) not in found:
        raise IllDefined(f"the node {brief(node)} has no son {i}")
    return as_sequence((*place, i))


def subtree(t: SetValue, node: SetValue) -> SetValue:
    """Return the tree of which `node` is the root."""
    return as_tree(_below(*_labels_with(t, node, "subtree")))


def number_of_sons(t: SetValue, node: SetValue) -> int:
    """Return the number of nodes directly below `node`."""
    return arity(*_labels_with(t, node, "arity"))


def leaf(label: Value) -> SetValue:
    """Return the tree that is a root only."""
    return as_tree({(): label})


def binary(left_: SetValue, label: Value, right_: SetValue) -> SetValue:
    """Return the tree with this root and two subtrees."""
    return as_tree(_joined(label, [_labels(left_, "bin"), _labels(right_, "bin")]))


def _halves(found: Labels, what: str) -> tuple[Labels, Labels]:
    below = _sons(found)
    if len(below) != 2:
        raise IllDefined(f"{what} of a node that has {len(below)} sons, not 2")
    return below[0], below[1]


def left(t: SetValue) -> SetValue:
    """Return the first of two subtrees."""
    return as_tree(_halves(_labels(t, "left"), "left")[0])


def right(t: SetValue) -> SetValue:
    """Return the second of two subtrees."""
    return as_tree(_halves(_labels(t, "right"), "right")[1])


def _infix(found: Labels) -> list[Value]:
    if len(found) == 1:
        return [found[()]]
    before, after = _halves(found, "infix")
    return [*_infix(before), found[()], *_infix(after)]


def infix(t: SetValue) -> SetValue:
    """Return the labels of a binary tree, each between those of its two subtrees."""
    return as_sequence(_infix(_labels(t, "infix")))


TREES: Final = call(
    "trees", "tree", signature(Power(A), Power(_TREE)), lambda s: TreeSpace(s, binary=False)
)
BINARY_TREES: Final = call(
    "binary trees", "btree", signature(Power(A), Power(_TREE)), lambda s: TreeSpace(s, binary=True)
)
CONSTRUCT: Final = partial(
    call("tree of", "const", signature(A, sequence(_TREE), _TREE), construct)
)
TOP: Final = partial(call("root label", "top", signature(_TREE, A), top))
SONS: Final = partial(call("subtrees of the root", "sons", signature(_TREE, sequence(_TREE)), sons))
PREFIX: Final = partial(call("prefix order", "prefix", signature(_TREE, sequence(A)), prefix))
POSTFIX: Final = partial(call("postfix order", "postfix", signature(_TREE, sequence(A)), postfix))
SIZE: Final = partial(call("number of nodes", "sizet", signature(_TREE, INTEGER), count))
MIRROR: Final = partial(call("mirrored tree", "mirror", signature(_TREE, _TREE), mirror))
RANK: Final = partial(call("rank of a node", "rank", signature(_TREE, _PATH, INTEGER), rank))
FATHER: Final = partial(call("father of a node", "father", signature(_TREE, _PATH, _PATH), father))
SON: Final = partial(call("son of a node", "son", signature(_TREE, _PATH, INTEGER, _PATH), son))
SUBTREE: Final = partial(
    call("subtree at a node", "subtree", signature(_TREE, _PATH, _TREE), subtree)
)
ARITY: Final = partial(
    call("number of sons", "arity", signature(_TREE, _PATH, INTEGER), number_of_sons)
)
LEAF: Final = call("binary leaf", "bin", signature(A, _TREE), leaf)
NODE: Final = partial(call("binary node", "bin", signature(_TREE, A, _TREE, _TREE), binary))
BINARY: Final = overloaded("binary tree of", LEAF, NODE)
LEFT: Final = partial(call("left subtree", "left", signature(_TREE, _TREE), left))
RIGHT: Final = partial(call("right subtree", "right", signature(_TREE, _TREE), right))
INFIX: Final = partial(call("infix order", "infix", signature(_TREE, sequence(A)), infix))

OPERATORS: Final[tuple[Operator, ...]] = (
    TREES,
    BINARY_TREES,
    CONSTRUCT,
    TOP,
    SONS,
    PREFIX,
    POSTFIX,
    SIZE,
    MIRROR,
    RANK,
    FATHER,
    SON,
    SUBTREE,
    ARITY,
    BINARY,
    LEFT,
    RIGHT,
    INFIX,
)
