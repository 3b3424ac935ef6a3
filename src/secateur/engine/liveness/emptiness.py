"""Whether a product has a path that satisfies its formula, found as soon as it is closed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from secateur.engine.liveness.components import components
from secateur.engine.liveness.product import Edge, Node, Product
from secateur.source.records import dataclass


@dataclass(slots=True)
class _Root:
    """The first node of a component, as far as it is known, and what its edges have."""

    place: int
    incoming: Edge | None
    enabled: int
    marks: int = 0
    taken: int = 0

    def take(self, edge: Edge | None) -> None:
        """Count an edge as one inside."""
        if edge is not None:
            self.marks |= edge.marks
            self.taken |= edge.taken


class Emptiness:
    """A depth-first search for components that can be gone round for ever, fairly.

    J.-M. Couvreur: *On-the-fly verification of linear temporal logic*, FM 1999: the marks of a
    component are put together while it grows, so that it need not be explored to its end.

    Deviations from the paper:

      D1  a node where a path may end, or where it does not matter how it goes on, ends the
          search at once;
      D2  strong fairness: a component is also good if what is enabled in it is taken.  If it is
          completed and is not, the parts of it are looked at.
    """

    def __init__(self, product: Product) -> None:
        self.product = product
        self.end: Node | None = None
        """Where a path may end, if one was found."""
        self._active: list[Node] = []
        self._place: dict[Node, int] = {}
        """Where in `_active` a node is; -1 once its component was completed."""
        self._roots: list[_Root] = []

    def search(self) -> frozenset[Node] | None:
        """Return a component, or a part of one, that is good; None if there is none or an end."""
        for start in self.product.initial():
            if start not in self._place:
                found = self._from(start)
                if found is not None or self.end is not None:
                    return found
        return None

    def _from(self, start: Node) -> frozenset[Node] | None:
        if self._stops(start):
            return None
        frames = [(start, self._enter(start, None))]
        while frames:
            node, rest = frames[-1]
            for edge in rest:
                target = edge.target
                place = self._place.get(target)
                if place is None:
                    if self._stops(target):
                        return None
                    frames.append((target, self._enter(target, edge)))
                    break
                if place >= 0 and self._merged(edge, place):
                    return frozenset(self._active[self._roots[-1].place :])
            else:
                frames.pop()
                if self._roots[-1].place == self._place[node]:
                    good = next(self._completed(), None)
                    if good is not None:
                        return good
        return None

    def _stops(self, node: Node) -> bool:
        if self.product.done(node) or self.product.ends(node):
            self.end = node
            return True
        return False

    def _enter(self, node: Node, edge: Edge | None) -> Iterator[Edge]:
        edges = self.product.edges(node)
        place = self._place[node] = len(self._active)
        self._active.append(node)
        self._roots.append(_Root(place, edge, edges[0].enabled if edges else 0))
        return iter(edges)

    def _merged(self, edge: Edge, place: int) -> bool:
        """Make one component of all that an edge back closes; return whether it is good."""
        closed = [self._roots.pop()]
        while closed[-1].place > place:
            closed.append(self._roots.pop())
        root = closed.pop()
        root.take(edge)
        for other in closed:
            root.take(other.incoming)
            root.marks |= other.marks
            root.taken |= other.taken
            root.enabled |= other.enabled
        self._roots.append(root)
        needed = self.product.all_marks
        return root.marks & needed == needed and not root.enabled & ~root.taken

    def _completed(self) -> Iterator[frozenset[Node]]:
        place = self._roots.pop().place
        component = self._active[place:]
        del self._active[place:]
        for node in component:
            self._place[node] = -1
        if self.product.fairness.strong:
            yield from good_parts(self.product, component)


def good_parts(product: Product, component: Collection[Node]) -> Iterator[frozenset[Node]]:
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

    for smaller in components((n for n in component if n in rest), within):
        yield from good_parts(product, smaller)
