"""What the operators on trees demand of their operands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from secateur.maths import ast
from secateur.maths.ast import Apply, Expr, Number
from secateur.maths.operators import comparison, relations, sequences, trees
from secateur.maths.operators.protocol import Operator
from secateur.maths.solve.lies_in import Spaces

ON_TREES: Final = frozenset(op for op in trees.OPERATORS if op.partial) - {trees.BINARY} | {
    trees.NODE
}


def tree_demands(operator: Operator, args: Sequence[Expr], spaces: Spaces) -> Iterator[Expr | None]:
    """Yield what must hold, in this order; None for what no formula says."""
    if operator is trees.CONSTRUCT:
        yield from _construct(args[1], spaces)
        return
    of = (args[0], args[2]) if operator is trees.NODE else args[:1]
    for tree in of:
        if not spaces.is_tree(tree):
            yield _is_in(tree, trees.TREES)
    tree = args[0]
    if operator in _WITH_NODE:
        node = args[1]
        domain = Apply(relations.DOMAIN, (tree,), tree.span)
        if not spaces.has(node, domain):
            yield Apply(comparison.MEMBER, (node, domain), node.span)
        if operator is trees.SON:
            below = Apply(sequences.APPEND, (node, args[2]), node.span)
            yield Apply(comparison.MEMBER, (below, domain), node.span)
        elif operator in _OF_SONS:
            empty = ast.SetDisplay((), node.span)
            yield Apply(comparison.NOT_EQUAL, (node, empty), node.span)
    elif operator in _HALVES:
        root = ast.SequenceDisplay((), tree.span)
        arity = Apply(trees.ARITY, (tree, root), tree.span)
        yield Apply(comparison.EQUAL, (arity, Number(2)), tree.span)
    elif operator is trees.INFIX and not spaces.is_binary_tree(tree):
        yield _is_in(tree, trees.BINARY_TREES)


def _construct(sons: Expr, spaces: Spaces) -> Iterator[Expr | None]:
    if not isinstance(sons, ast.SequenceDisplay):
        yield None
        return
    for son in sons.items:
        if not spaces.is_tree(son):
            yield _is_in(son, trees.TREES)


def _is_in(tree: Expr, space: Operator) -> Expr:
    labels = Apply(relations.RANGE, (tree,), tree.span)
    return Apply(comparison.MEMBER, (tree, Apply(space, (labels,), tree.span)), tree.span)


_WITH_NODE: Final = frozenset({trees.RANK, trees.FATHER, trees.SON, trees.SUBTREE, trees.ARITY})
_OF_SONS: Final = frozenset({trees.RANK, trees.FATHER})
_HALVES: Final = frozenset({trees.LEFT, trees.RIGHT})
