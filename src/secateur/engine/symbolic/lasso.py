"""Paths of a symbolic product that satisfy its formula, one state at a time.

E. M. Clarke, O. Grumberg, K. L. McMillan, X. Zhao: *Efficient generation of counterexamples and
witnesses in symbolic model checking*, DAC 1995.
"""

from __future__ import annotations

from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.fair import CyclesRow
from secateur.engine.symbolic.product import SymbolicProduct
from secateur.engine.symbolic.reduce.protocol import Processes, Reached, ReachRow
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class SymbolicLasso:
    """A path of the model: where it starts, and each action with the state that it leads to.

    After it, `loop` steps from the end are repeated; without a loop it ends in a deadlock.
    """

    start: int
    steps: tuple[tuple[int, int], ...]
    loop: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """What a search reached, and where paths end or go on for ever in it."""

    reached: Reached
    ends: Diagram
    hull: Diagram
    leads: bool
    """Whether the nodes of the hull lead to fair cycles; or else they come from some."""
    none: Diagram

    @property
    def empty(self) -> bool:
        """Whether no path satisfies the formula."""
        return self.ends == self.none and self.hull == self.none


def search(
    product: SymbolicProduct, processes: Processes, reach: ReachRow, cycles: CyclesRow
) -> Found:
    """Say whether a product has a path that satisfies its formula: one of six modes.

    For a reduction the processes must be safe for the formula.
    """
    reached = reach.reach(product, processes)
    none = product.diagrams.false
    ends = product.ends(reached.nodes)
    hull = none if ends != none else cycles.hull(product, reached.nodes)
    return Found(reached, ends, hull, cycles.leads, none)


def lasso_of(product: SymbolicProduct, found: Found) -> SymbolicLasso:
    """Return a path that satisfies the formula, given that there is one."""
    assert not found.empty, "no path satisfies the formula"
    walk = Walk(product, found.reached.nodes)
    if found.ends != found.none:
        return walk.lasso(walk.to(product.initial, found.ends), [])
    stem = walk.to(product.initial, found.hull)
    if found.leads:
        return walk.around(stem, found.hull)
    return walk.around_backwards(stem[-1].node, found.hull)


def way_to(product: SymbolicProduct, within: Diagram, goal: Diagram) -> SymbolicLasso:
    """Return a shortest path to one of some nodes that were reached, inside a set of such nodes."""
    walk = Walk(product, within)
    way = walk.to(product.initial, goal)
    assert way, "it was not reached"
    return walk.lasso(way, [])


@dataclass(frozen=True, slots=True)
class Stop:
    """A node as a set of its own, and the action that led there."""

    action: int
    node: Diagram


class Walk:
    """Finds ways from node to node inside a set."""

    def __init__(self, product: SymbolicProduct, within: Diagram) -> None:
        self.product = product
        self.within = within

    def to(self, start: Diagram, goal: Diagram, within: Diagram | None = None) -> list[Stop]:
        """Return a shortest way from one of some nodes to one of the goals; it may have no step.

        The first stop is where it starts; the actions lead to the stops after it.
        """
        inside = self.within if within is None else within
        none = self.product.diagrams.false
        rings = [start & inside]
        seen = rings[0]
        while rings[-1] & goal == none:
            ring = self.product.image(rings[-1]) & inside & ~seen
            if ring == none:
                return []
            rings.append(ring)
            seen = seen | ring
        return self._back(rings, self.product.one(rings[-1] & goal))

    def _back(self, rings: list[Diagram], node: Diagram) -> list[Stop]:
        way: list[Stop] = []
        for ring in reversed(rings[:-1]):
            action, before = self._link(ring, node)
            way.append(Stop(action, node))
            node = before
        way.append(Stop(-1, node))
        way.reverse()
        return way

    def _link(self, ring: Diagram, node: Diagram) -> tuple[int, Diagram]:
        for action in self.product.actions:
            before = self.product.before(ring, node, (action,))
            if before != self.product.diagrams.false:
                return action, self.product.one(before)
        raise AssertionError("a ring does not lead to the next one")

    def around(self, stem: list[Stop], hull: Diagram) -> SymbolicLasso:
        """Return a way past everything that must come again, and back.

        From a node of the hull one gets to each fair set.  If there is no way back from the last
        one, the component of the node has been left for ever, and the round begins anew there.
        """
        while True:
            entry = stem[-1].node
            loop = self._round(entry, hull)
            back = self._back_to(loop[-1].node if loop else entry, entry, hull)
            if back:
                return self.lasso(stem, [*loop, *back])
            stem = [*stem, *(loop or self._step(entry, hull))]

    def _round(self, entry: Diagram, hull: Diagram) -> list[Stop]:
        """Return a way from a node past all fair sets."""
        way: list[Stop] = []
        for fair in self.product.fair:
            here = way[-1].node if way else entry
            if not any(stop.node & fair != self.product.diagrams.false for stop in way):
                way += self.to(here, fair, hull)[1:]
        return way

    def _step(self, here: Diagram, hull: Diagram) -> list[Stop]:
        """Return any step inside the hull."""
        target = self.product.one(self.product.image(here) & hull)
        return [Stop(self._link(here, target)[0], target)]

    def _back_to(self, here: Diagram, entry: Diagram, hull: Diagram) -> list[Stop]:
        """Return a way of one step or more; empty if there is none."""
        ring = self.product.image(here) & hull
        way = self.to(ring, entry, hull)
        if not way:
            return []
        first = way[0].node
        return [Stop(self._link(here, first)[0], first), *way[1:]]

    # -- backwards --------------------------------------------------------------------------------

    def from_one(self, end: Diagram, sources: Diagram, within: Diagram) -> list[Stop]:
        """Return a shortest way to a node from one of the sources; it may have no step."""
        none = self.product.diagrams.false
        rings = [end]
        seen = end
        while rings[-1] & sources == none:
            ring = self.product.preimage(rings[-1]) & within & ~seen
            if ring == none:
                return []
            rings.append(ring)
            seen = seen | ring
        way = [Stop(-1, self.product.one(rings[-1] & sources))]
        for ring in reversed(rings[:-1]):
            way.append(self._onward(way[-1].node, ring))
        return way

    def _onward(self, node: Diagram, ring: Diagram) -> Stop:
        for action in self.product.actions:
            after = self.product.image(node, (action,)) & ring
            if after != self.product.diagrams.false:
                return Stop(action, self.product.one(after))
        raise AssertionError("a ring was not led to")

    def around_backwards(self, last: Diagram, hull: Diagram) -> SymbolicLasso:
        """Return a way round as `around` does, where the nodes of the hull come from fair cycles.

        From where the round was begun, one goes back past each fair set; if that is not reached
        from the beginning, an earlier component has been come to, and the round begins anew there.
        """
        while True:
            way = [Stop(-1, last)]
            for fair in self.product.fair:
                if not any(stop.node & fair != self.product.diagrams.false for stop in way):
                    way = [*self.from_one(way[0].node, fair, hull), *way[1:]]
            first = way[0].node
            before = self.product.preimage(first) & hull
            closing = self.to(last, before, hull)
            if closing:
                stem = self.to(self.product.initial, last)
                back = self._onward(closing[-1].node, first)
                return self.lasso(stem, [*closing[1:], back, *way[1:]])
            last = first if len(way) > 1 else self.product.one(before)

    def lasso(self, stem: list[Stop], loop: list[Stop]) -> SymbolicLasso:
        """Return a path as states of the model."""
        states = [self.product.variables.pick(stop.node) for stop in stem]
        after = [(s.action, self.product.variables.pick(s.node)) for s in loop]
        steps = [(s.action, state) for s, state in zip(stem[1:], states[1:], strict=True)]
        return SymbolicLasso(states[0], (*steps, *after), len(loop))
