"""Sets of trees, and what makes a relation a tree."""

from __future__ import annotations

from collections.abc import Iterator

from secateur.maths.show import brief
from secateur.maths.symbolic.sequences import as_sequence, sequence_table
from secateur.maths.symbolic.space import Space, is_empty
from secateur.maths.values import (
    SetValue,
    SymbolicSet,
    Undecided,
    Value,
    cardinality,
    explicit,
    is_subset,
)

Node = tuple[int, ...]
Labels = dict[Node, Value]


def labels(tree: SetValue) -> Labels | None:
    """Return the labels of a tree by the branches that lead to them; None if it is none.

    There is a root, with each node its father and its elder brothers, and each node
    has one label.
    """
    pairs = explicit(tree)
    result: Labels = {}
    for node, label in pairs:
        table = sequence_table(explicit(node))
        if table is None:
            return None
        result[tuple(table[i] for i in range(1, len(table) + 1))] = label
    if len(result) != len(pairs) or () not in result:
        return None
    return result if all(_is_placed(node, result) for node in result) else None


def _is_placed(node: Node, found: Labels) -> bool:
    if not node:
        return True
    *father, rank = node
    before = tuple(father) if rank == 1 else (*father, rank - 1)
    return rank >= 1 and before in found


def arity(tree: Labels, node: Node) -> int:
    """Return the number of sons of `node`."""
    n = 0
    while (*node, n + 1) in tree:
        n += 1
    return n


def as_tree(found: Labels) -> frozenset[Value]:
    """Return the tree with these labels as a set of pairs."""
    return frozenset([(as_sequence(node), label) for node, label in found.items()])


class TreeSpace(Space):
    """The trees with labels in `base`; binary ones have two sons or none at each node."""

    __slots__ = ("base", "binary")

    def __init__(self, base: SetValue, *, binary: bool) -> None:
        self.base = base
        self.binary = binary

    def __contains__(self, value: object) -> bool:
        assert isinstance(value, frozenset | SymbolicSet)
        if cardinality(value) is None:
            return False
        found = labels(value)
        if found is None or not all(label in self.base for label in found.values()):
            return False
        return not self.binary or all(arity(found, node) in (0, 2) for node in found)

    def size(self) -> int | None:
        """Return None, for infinitely many, unless there are no labels."""
        return 0 if is_empty(self.base) else None

    def is_empty(self) -> bool:
        """Whether there are no labels."""
        return is_empty(self.base)

    def __iter__(self) -> Iterator[Value]:
        if self.is_empty():
            return iter(())
        raise Undecided(f"the elements of {self!r} cannot be listed: it is infinite")

    def structure(self) -> tuple[Value, ...]:
        """Return the labels and the kind."""
        return (self.base, self.binary)

    def within(self, other: SymbolicSet) -> bool | None:
        """Compare the labels and the kinds."""
        if not isinstance(other, TreeSpace) or self.is_empty():
            return self.is_empty() or None
        return self.binary >= other.binary and is_subset(self.base, other.base)

    def __repr__(self) -> str:
        return f"{'btree' if self.binary else 'tree'}({brief(self.base)})"
