"""Trees: functions from nodes to labels; a node is the sequence of branches that lead to it."""

from __future__ import annotations

from typing import Final

from secateur.maths.operators.build import A, call, overloaded, partial, signature
from secateur.maths.operators.protocol import Operator
from secateur.maths.types import INTEGER, Power, relation, sequence
from secateur.maths.values import SetValue, Value

_NODE: Final = sequence(INTEGER)
_TREE: Final = relation(_NODE, A)


def _todo(*_: Value) -> SetValue:
    raise NotImplementedError


TREES: Final = call("trees", "tree", signature(Power(A), Power(_TREE)), _todo)
BINARY_TREES: Final = call("binary trees", "btree", signature(Power(A), Power(_TREE)), _todo)
CONSTRUCT: Final = partial(call("tree of", "const", signature(A, sequence(_TREE), _TREE), _todo))
TOP: Final = partial(call("root label", "top", signature(_TREE, A), _todo))
SONS: Final = partial(
    call("subtrees of the root", "sons", signature(_TREE, sequence(_TREE)), _todo)
)
PREFIX: Final = partial(call("prefix order", "prefix", signature(_TREE, sequence(A)), _todo))
POSTFIX: Final = partial(call("postfix order", "postfix", signature(_TREE, sequence(A)), _todo))
SIZE: Final = partial(call("number of nodes", "sizet", signature(_TREE, INTEGER), _todo))
MIRROR: Final = partial(call("mirrored tree", "mirror", signature(_TREE, _TREE), _todo))
RANK: Final = partial(call("rank of a node", "rank", signature(_TREE, _NODE, INTEGER), _todo))
FATHER: Final = partial(call("father of a node", "father", signature(_TREE, _NODE, _NODE), _todo))
SON: Final = partial(call("son of a node", "son", signature(_TREE, _NODE, INTEGER, _NODE), _todo))
SUBTREE: Final = partial(
    call("subtree at a node", "subtree", signature(_TREE, _NODE, _TREE), _todo)
)
ARITY: Final = partial(call("number of sons", "arity", signature(_TREE, _NODE, INTEGER), _todo))
LEAF: Final = call("binary leaf", "bin", signature(A, _TREE), _todo)
NODE: Final = partial(call("binary node", "bin", signature(_TREE, A, _TREE, _TREE), _todo))
BINARY: Final = overloaded("binary tree of", LEAF, NODE)
LEFT: Final = partial(call("left subtree", "left", signature(_TREE, _TREE), _todo))
RIGHT: Final = partial(call("right subtree", "right", signature(_TREE, _TREE), _todo))
INFIX: Final = partial(call("infix order", "infix", signature(_TREE, sequence(A)), _todo))

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
