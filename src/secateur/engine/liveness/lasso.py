"""Paths of a product that satisfy its formula: to a deadlock, or round and round for ever."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from secateur.engine.liveness.components import components
from secateur.engine.liveness.product import Edge, Node, Product
from secateur.system.system import State, Transition


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
    """Return a path that satisfies the formula, fairly; None if there is none.

    Components are looked at as they are completed, so that not everything need be explored.
    """
    ends: list[Node] = []

    def following(node: Node) -> Iterable[Node]:
        if ends:  # it is over
            return ()
        if product.done(node) or product.ends(node):
            ends.append(node)
            return ()
        return product.successors(node)

    for component in components(product.initial(), following):
        if ends:
            return _to_an_end(product, ends[0])
        good = next(_good(product, component), None)
        if good is not None:
            return _around(product, good)
    return None


def _good(product: Product, component: Collection[Node]) -> Iterator[frozenset[Node]]:
    """Yield the parts of a component that can be gone round for ever, fairly.

    Strong fairness as in E. A. Emerson, C.-L. Lei: *Modalities for model checking*, 1987: if an
    event could happen somewhere and does nowhere, the nodes where it could are left out, and
    the rest is looked at again.
    """
    members = frozenset(component)
    inside = [e for n in members for e in product.edges(n) if e.target in members]
    marks = taken = enabled = 0
    for edge in inside:
        marks |= edge.marks
        taken |= edge.taken
        enabled |= edge.enabled
    if not inside or marks & product.all_marks != product.all_marks:
        return
    missing = enabled & ~taken
    if not missing:
        yield members
        return
    rest = {n for n in members if not any(e.enabled & missing for e in product.edges(n))}

    def within(node: Node) -> Iterable[Node]:
        return (e.target for e in product.edges(node) if e.target in rest)

    for smaller in components(sorted(rest, key=hash), within):
        yield from _good(product, smaller)


def _to_an_end(product: Product, end: Node) -> Lasso:
    start, edges = _shortest(product, product.initial(), lambda node: node == end)
    path = tuple(e.transition for e in edges)
    return Lasso(start.state, path, open=product.done(end))


def _around(product: Product, members: frozenset[Node]) -> Lasso:
    """Return a way to a component and round in it, past everything that must come again."""
    start, stem = _shortest(product, product.initial(), members.__contains__)
    entry = stem[-1].target if stem else start
    marks, taken = product.all_marks, 0
    for node in members:
        for edge in product.edges(node):
            if edge.target in members:
                taken |= edge.enabled
    loop: list[Edge] = []
    here = entry
    while marks or taken or here != entry or not loop:
        here, more = _onward(product, members, here, (marks, taken, entry))
        for edge in more:
            marks &= ~edge.marks
            taken &= ~edge.taken
        loop += more
    path = tuple(e.transition for e in (*stem, *loop))
    return Lasso(start.state, path, len(loop))


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


def _shortest(
    product: Product, starts: Iterable[Node], wanted: Callable[[Node], bool]
) -> tuple[Node, list[Edge]]:
    # What was expanded suffices: the search came there.
    before: dict[Node, tuple[Node, Edge] | None] = dict.fromkeys(starts)
    todo = deque(before)
    while todo:
        node = todo.popleft()
        if wanted(node):
            way = _way(before, node)
            first = node
            while (link := before[first]) is not None:
                first = link[0]
            return first, way
        for edge in product.known(node):
            if edge.target not in before:
                before[edge.target] = (node, edge)
                todo.append(edge.target)
    raise AssertionError("a node that was found cannot be reached")


def _way(before: dict[Node, tuple[Node, Edge] | None], node: Node) -> list[Edge]:
    way: list[Edge] = []
    link = before[node]
    while link is not None:
        way.append(link[1])
        link = before[link[0]]
    way.reverse()
    return way
