"""Paths of a product that satisfy its formula: to a deadlock, or round and round for ever."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from secateur.engine.liveness.emptiness import Emptiness
from secateur.engine.liveness.graph import OutOfBounds
from secateur.engine.liveness.product import Edge, Node, Product
from secateur.source.records import dataclass
from secateur.system.system import State, Transition

MOST_ENTRIES: Final = 20
"""So many ways into a component are compared."""


@dataclass(frozen=True, slots=True)
class Lasso:
    """A path from an initialised state; after it, `loop` steps from the end are repeated.

    Without a loop it ends in a deadlock; or, if it is `open`, it does not matter how it goes on.
    """

    start: State
    transitions: tuple[Transition, ...]
    loop: int = 0
    open: bool = False


def find(product: Product) -> Lasso | None:
    """Return a path that satisfies the formula, fairly; None if there is none."""
    search = Emptiness(product)
    good = search.search()
    if good is None and search.end is None:
        return None
    with product.graph.meter.telling():  # what was found is told, whatever the limits
        return _to_an_end(product) if good is None else _around(product, good)


def _to_an_end(product: Product) -> Lasso:
    def over(node: Node) -> bool:
        try:
            return product.done(node) or product.ends(node)
        except OutOfBounds:  # not the one that was found
            return False

    start, edges = next(_ways(product, over))
    end = edges[-1].target if edges else start
    path = tuple(e.transition for e in edges)
    return Lasso(start.state, path, open=product.done(end))


def _around(product: Product, members: frozenset[Node]) -> Lasso:
    """Return a way to a component and round in it, past everything that must come again.

    Of the members that are reached first, the one with the shortest way there and round is taken.
    """
    marks, taken = product.all_marks, 0
    for node in members:
        for edge in product.edges(node):
            if edge.target in members:
                taken |= edge.enabled
    found = [
        (start, stem, _round(product, members, stem[-1].target if stem else start, (marks, taken)))
        for start, stem in islice(_ways(product, members.__contains__), MOST_ENTRIES)
    ]
    start, stem, loop = min(found, key=lambda way: (len(way[1]) + len(way[2]), len(way[2])))
    return Lasso(start.state, tuple(e.transition for e in (*stem, *loop)), len(loop))


def _round(
    product: Product, members: frozenset[Node], entry: Node, due: tuple[int, int]
) -> list[Edge]:
    """Return a way from a member back to it, on to what is nearest of all that is due."""
    marks, taken = due
    loop: list[Edge] = []
    here = entry
    while marks or taken or here != entry or not loop:
        here, more = _onward(product, members, here, (marks, taken, entry))
        for edge in more:
            marks &= ~edge.marks
            taken &= ~edge.taken
        loop += more
    return loop


def _onward(
    product: Product, members: frozenset[Node], here: Node, due: tuple[int, int, Node]
) -> tuple[Node, list[Edge]]:
    """Return the shortest way on to an edge that is due, or back where nothing is."""
    marks, taken, entry = due
    before: dict[Node, tuple[Node, Edge] | None] = {here: None}
    todo = deque([here])
    while todo:
        node = todo.popleft()
        for edge in product.edges(node):
            if edge.target not in members:
                continue
            wanted = (
                edge.marks & marks or edge.taken & taken if marks or taken else edge.target == entry
            )
            if wanted:
                return edge.target, [*_way(before, node), edge]
            if edge.target not in before:
                before[edge.target] = (node, edge)
                todo.append(edge.target)
    raise AssertionError("a component is not connected")


def _ways(product: Product, wanted: Callable[[Node], bool]) -> Iterator[tuple[Node, list[Edge]]]:
    """Yield the nodes where short ways to what is wanted begin, and these ways, shortest first.

    What was expanded suffices to find one; as much again may be, so that they are shorter.
    """
    most = 2 * product.nodes
    before: dict[Node, tuple[Node, Edge] | None] = dict.fromkeys(product.initial())
    todo = deque(before)
    while todo:
        node = todo.popleft()
        if wanted(node):
            first = node
            while (link := before[first]) is not None:
                first = link[0]
            yield first, _way(before, node)
        try:
            edges = product.edges(node) if product.nodes < most else product.known(node)
        except OutOfBounds:
            edges, most = product.known(node), 0
        for edge in edges:
            if edge.target not in before:
                before[edge.target] = (node, edge)
                todo.append(edge.target)


def _way(before: dict[Node, tuple[Node, Edge] | None], node: Node) -> list[Edge]:
    way: list[Edge] = []
    link = before[node]
    while link is not None:
        way.append(link[1])
        link = before[link[0]]
    way.reverse()
    return way
