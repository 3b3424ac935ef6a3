"""Where the nodes and edges of a picture are: layers, few crossings, short edges.

K. Sugiyama, S. Tagawa, M. Toda: Methods for visual understanding of hierarchical system
structures, IEEE Transactions on Systems, Man, and Cybernetics 11 (2), 1981.

1. Layers are breadth-first distances, so that an edge leads down one layer, stays in it, or
   goes back up.  Every second layer is for labels: each edge has an item there that is as
   large as its label, so that no label lies on anything.
2. Edges over several layers get an item in each; those that go up are turned round
   meanwhile.  An edge within a layer hangs below both of its ends.
3. Crossings: items are put in the order of the barycentres of their neighbours above, then
   below, and so on; the best order that was met is kept.
4. Coordinates: each layer in turn is brought as close to its neighbours' as its order allows
   (least squares under order constraints, by pooling adjacent violators).
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Final

from secateur.source.records import dataclass

GAP: Final = 24.0
"""Between items of a layer."""
LAYER_GAP: Final = 22.0
"""Between layers."""
_SWEEPS: Final = 12
_MOST_ITEMS: Final = 40_000

Point = tuple[float, float]


class TooLarge(Exception):
    """There is more to be drawn than anyone could look at."""


@dataclass(frozen=True, slots=True)
class Box:
    """A size; edges end at the `core` in the middle, which is all of it if that is not said."""

    width: float
    height: float
    core: float | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """An edge from node to node, not to itself, with the size of its label."""

    source: int
    target: int
    label: Box


@dataclass(frozen=True, slots=True)
class Route:
    """Where an edge passes: the middle of its label, and the points that it goes through."""

    label: Point
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """Where everything is: the middles of the nodes, the routes, and the whole size."""

    nodes: tuple[Point, ...]
    routes: tuple[Route, ...]
    size: Box


@dataclass(slots=True)
class _Item:
    layer: int
    box: Box
    above: list[int] = field(default_factory=list)
    below: list[int] = field(default_factory=list)
    x: float = 0.0


def place(boxes: Sequence[Box], links: Sequence[Link], roots: Sequence[int]) -> Placed:
    """Return where to draw nodes of these sizes; `roots` are at the top."""
    return _Layout(boxes, links, roots).placed()


def ranks(count: int, links: Sequence[Link], roots: Sequence[int]) -> list[int]:
    """Return the distance of each node from the roots; what they do not reach begins anew."""
    following: list[list[int]] = [[] for _ in range(count)]
    for link in links:
        following[link.source].append(link.target)
    found = [-1] * count
    for start in (list(roots), *([node] for node in range(count))):
        level = [node for node in start if found[node] < 0]
        rank = 0
        while level:
            for node in level:
                found[node] = rank
            level = list(dict.fromkeys(t for s in level for t in following[s] if found[t] < 0))
            rank += 1
    return found


class _Layout:
    """One picture in the making."""

    def __init__(self, boxes: Sequence[Box], links: Sequence[Link], roots: Sequence[int]) -> None:
        self.links = links
        self.count = len(boxes)
        rank = ranks(self.count, links, roots)
        self.items = [_Item(2 * rank[i], box) for i, box in enumerate(boxes)]
        self.chains: list[list[int]] = []
        for link in links:
            self.chains.append(self._chain(link))
            if len(self.items) > _MOST_ITEMS:
                raise TooLarge
        layers = 1 + max((item.layer for item in self.items), default=0)
        self.layers: list[list[int]] = [[] for _ in range(layers)]
        self._first_order()

    def _chain(self, link: Link) -> list[int]:
        """Return the items that an edge goes through, from its source to its target."""
        upper, lower = link.source, link.target
        turned = self.items[upper].layer > self.items[lower].layer
        if turned:
            upper, lower = lower, upper
        top, bottom = self.items[upper].layer, self.items[lower].layer
        if top == bottom:
            middle = self._item(top + 1, link.label)
            self._join(upper, middle)
            self._join(lower, middle)
            return [upper, middle, lower]
        # The label is next to the source.
        labelled = bottom - 1 if turned else top + 1
        chain = [upper]
        for layer in range(top + 1, bottom):
            item = self._item(layer, link.label if layer == labelled else Box(2, 0))
            self._join(chain[-1], item)
            chain.append(item)
        self._join(chain[-1], lower)
        chain.append(lower)
        return chain[::-1] if turned else chain

    def _item(self, layer: int, box: Box) -> int:
        self.items.append(_Item(layer, box))
        return len(self.items) - 1

    def _join(self, upper: int, lower: int) -> None:
        self.items[upper].below.append(lower)
        self.items[lower].above.append(upper)

    # -- crossings --------------------------------------------------------------------------------

    def _first_order(self) -> None:
        """Put items in the order in which a walk down from the left meets them."""
        seen: set[int] = set()
        for start in range(len(self.items)):
            todo = [start]
            while todo:
                item = todo.pop()
                if item in seen:
                    continue
                seen.add(item)
                self.layers[self.items[item].layer].append(item)
                todo += reversed(self.items[item].below)

    def order(self) -> None:
        """Reduce crossings."""
        best, fewest = [list(layer) for layer in self.layers], self._crossings()
        for sweep in range(_SWEEPS):
            if fewest == 0:
                break
            down = sweep % 2 == 0
            numbers = range(1, len(self.layers)) if down else range(len(self.layers) - 2, -1, -1)
            for number in numbers:
                self._sort(number, down=down)
            crossings = self._crossings()
            if crossings < fewest:
                best, fewest = [list(layer) for layer in self.layers], crossings
        self.layers = best

    def _sort(self, number: int, *, down: bool) -> None:
        layer = self.layers[number]
        places = self._places(number - 1 if down else number + 1)
        wanted: dict[int, float] = {}
        for i, item in enumerate(layer):
            near = self.items[item].above if down else self.items[item].below
            at = [places[n] for n in near]
            wanted[item] = sum(at) / len(at) if at else float(i)
        layer.sort(key=lambda item: wanted[item])  # stable, and so the same each time

    def _places(self, number: int) -> dict[int, int]:
        return {item: place for place, item in enumerate(self.layers[number])}

    def _crossings(self) -> int:
        return sum(self._crossings_below(number) for number in range(len(self.layers) - 1))

    def _crossings_below(self, number: int) -> int:
        places = self._places(number + 1)
        seen: list[int] = []
        found = 0
        for item in self.layers[number]:
            ends = sorted(places[n] for n in self.items[item].below)
            found += sum(len(seen) - bisect_right(seen, end) for end in ends)
            for end in ends:
                insort(seen, end)
        return found

    # -- coordinates ------------------------------------------------------------------------------

    def _spread(self) -> None:
        for layer in self.layers:
            x = 0.0
            for item in layer:
                width = self.items[item].box.width
                self.items[item].x = x + width / 2
                x += width + GAP
        for sweep in range(_SWEEPS):
            down = sweep % 2 == 0
            for layer in self.layers if down else reversed(self.layers):
                self._align(layer, down=down)
        left = min((i.x - i.box.width / 2 for i in self.items), default=0.0)
        for each in self.items:
            each.x -= left

    def _align(self, layer: Sequence[int], *, down: bool) -> None:
        """Bring a layer near to its neighbours without changing its order."""
        wanted: list[float] = []
        shift = 0.0
        shifts: list[float] = []
        for i, item in enumerate(layer):
            here = self.items[item]
            if i:
                before = self.items[layer[i - 1]]
                shift += (before.box.width + here.box.width) / 2 + GAP
            near = (here.above or here.below) if down else (here.below or here.above)
            middle = sum(self.items[n].x for n in near) / len(near) if near else here.x
            shifts.append(shift)
            wanted.append(middle - shift)
        for item, x, moved in zip(layer, ascending(wanted), shifts, strict=True):
            self.items[item].x = x + moved

    def placed(self) -> Placed:
        """Return where everything is."""
        self.order()
        self._spread()
        middles: list[float] = []
        y = 0.0
        for layer in self.layers:
            height = max((self.items[i].box.height for i in layer), default=0.0)
            middles.append(y + height / 2)
            y += height + LAYER_GAP
        points = [(item.x, middles[item.layer]) for item in self.items]
        width = max((i.x + i.box.width / 2 for i in self.items), default=0.0)
        ports = self._ports()
        routes = tuple(self._route(chain, points, ports) for chain in self.chains)
        return Placed(tuple(points[: self.count]), routes, Box(width, max(0.0, y - LAYER_GAP)))

    def _ports(self) -> dict[tuple[int, int], float]:
        """Return how far from the middle of a node the edge to or from an item ends."""
        found: dict[tuple[int, int], float] = {}
        for node in range(self.count):
            box = self.items[node].box
            room = 0.8 * (box.width if box.core is None else box.core)
            for near in (self.items[node].above, self.items[node].below):
                ordered = sorted(near, key=lambda item: self.items[item].x)
                for place, item in enumerate(ordered, 1):
                    found[node, item] = room * (place / (len(ordered) + 1) - 0.5)
        return found

    def _route(
        self,
        chain: Sequence[int],
        points: Sequence[Point],
        ports: Mapping[tuple[int, int], float],
    ) -> Route:
        """Return the points of an edge, which ends at the borders of its nodes."""
        ends = []
        for node, near in ((chain[0], chain[1]), (chain[-1], chain[-2])):
            x, y = points[node]
            half = self.items[node].box.height / 2
            ends.append((x + ports[node, near], y + half if points[near][1] > y else y - half))
        inner = [points[i] for i in chain[1:-1]]
        return Route(points[chain[1]], (ends[0], *inner, ends[1]))


def ascending(wanted: Sequence[float]) -> list[float]:
    """Return the ascending numbers that are nearest to these (least squares)."""
    pools: list[tuple[float, int]] = []  # sums and sizes
    for value in wanted:
        pools.append((value, 1))
        while len(pools) > 1 and pools[-2][0] / pools[-2][1] > pools[-1][0] / pools[-1][1]:
            total, size = pools.pop()
            pools[-1] = (pools[-1][0] + total, pools[-1][1] + size)
    return [total / size for total, size in pools for _ in range(size)]
