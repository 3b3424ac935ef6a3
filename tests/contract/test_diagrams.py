"""Every package of decision diagrams computes with Boolean functions as a table of their values does."""

from __future__ import annotations

from functools import reduce
from itertools import product
from operator import and_, or_
from random import Random

import pytest

from secateur.engine.symbolic.diagrams.protocol import (
    Diagram,
    Diagrams,
    DiagramsRow,
    assignments,
    one_assignment,
)
from secateur.engine.symbolic.diagrams.registry import CUDD, PACKAGES, installed

COUNT = 5
Table = frozenset[tuple[bool, ...]]
"""The values for which a function is true."""

ALL = list(product((False, True), repeat=COUNT))


def test_the_usual_package_is_installed() -> None:
    assert PACKAGES[0] in installed()


class Pair:
    """A function as a diagram and as a table."""

    def __init__(self, diagrams: Diagrams, rng: Random, depth: int = 4) -> None:
        self.diagrams = diagrams
        self.diagram, self.table = self._make(rng, depth)

    def _make(self, rng: Random, depth: int) -> tuple[Diagram, Table]:
        if depth == 0:
            number = rng.randrange(COUNT)
            return self.diagrams.variable(number), frozenset(v for v in ALL if v[number])
        f, x = self._make(rng, depth - 1)
        g, y = self._make(rng, depth - 1)
        match rng.randrange(5):
            case 0:
                return f & g, x & y
            case 1:
                return f | g, x | y
            case 2:
                return self.diagrams.differ(f, g), x ^ y
            case 3:
                return ~f, frozenset(ALL) - x
        h, z = self._make(rng, depth - 1)
        return self.diagrams.choice(f, g, h), (x & y) | (z - x)


def told(diagrams: Diagrams, f: Diagram) -> Table:
    """Return the values for which a diagram is true."""
    return frozenset(
        tuple(values[i] for i in range(COUNT)) for values in assignments(diagrams, f, range(COUNT))
    )


@pytest.mark.parametrize("row", installed(), ids=lambda row: row.name)
@pytest.mark.parametrize("seed", range(20))
def test_functions(row: DiagramsRow, seed: int) -> None:
    rng = Random(seed)
    diagrams = row.make(COUNT, 1 << 16)
    f, g = Pair(diagrams, rng), Pair(diagrams, rng)
    assert told(diagrams, f.diagram) == f.table
    assert (f.diagram == g.diagram) == (f.table == g.table)
    assert diagrams.count(f.diagram) == len(f.table)
    gone = rng.sample(range(COUNT), 2)

    def some(table: Table) -> Table:
        kept = {tuple(b for i, b in enumerate(v) if i not in gone) for v in table}
        return frozenset(
            v for v in ALL if tuple(b for i, b in enumerate(v) if i not in gone) in kept
        )

    cube = diagrams.variables(gone)
    assert told(diagrams, diagrams.some(f.diagram, cube)) == some(f.table)
    both = diagrams.some_of_both(f.diagram, g.diagram, cube)
    assert told(diagrams, both) == some(f.table & g.table)
    composed = diagrams.composed(f.diagram, {gone[0]: g.diagram})
    assert told(diagrams, composed) == frozenset(
        v for v in ALL if (*v[: gone[0]], v in g.table, *v[gone[0] + 1 :]) in f.table
    )
    if f.table:
        found = one_assignment(diagrams, f.diagram)
        assert any(all(v[i] == b for i, b in found.items()) for v in f.table)


@pytest.mark.parametrize("row", installed(), ids=lambda row: row.name)
def test_renaming(row: DiagramsRow) -> None:
    diagrams = row.make(4, 1 << 16)
    a, b, c, d = (diagrams.variable(i) for i in range(4))
    renaming = diagrams.renaming({1: 0, 3: 2})
    assert diagrams.renamed(b & ~d, renaming) == a & ~c


@pytest.mark.parametrize("row", installed(), ids=lambda row: row.name)
def test_shape(row: DiagramsRow) -> None:
    diagrams = row.make(3, 1 << 16)
    a, b, c = (diagrams.variable(i) for i in range(3))
    f = diagrams.choice(b, a, c)
    assert diagrams.branches(diagrams.true) is None
    assert diagrams.branches(f) == (0, b | c, ~b & c)
    assert diagrams.branches(~f) == (0, ~b & ~c, b | ~c)
    assert diagrams.size(f) > 3
    assert diagrams.nodes() > 3


def test_too_many_nodes_are_an_error_that_can_be_caught() -> None:
    diagrams = PACKAGES[0].make(60, 1 << 8)
    pairs = [diagrams.variable(i) & diagrams.variable(30 + i) for i in range(30)]
    with pytest.raises(diagrams.out_of_nodes):
        reduce(or_, pairs)


@pytest.mark.skipif(CUDD not in installed(), reason="dd is not installed")
def test_another_order_of_variables_on_the_way() -> None:
    diagrams = CUDD.make(24, 1 << 20, reorder=True)
    pairs = [~diagrams.differ(diagrams.variable(i), diagrams.variable(12 + i)) for i in range(12)]
    same = reduce(and_, pairs)  # exponential in this order
    assert diagrams.count(same) == 1 << 12
    found = [a for a, _ in zip(assignments(diagrams, same, range(24)), range(50), strict=False)]
    assert all(values[i] == values[12 + i] for values in found for i in range(12))
