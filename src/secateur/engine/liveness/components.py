"""Strongly connected components, in the order in which Tarjan's algorithm completes them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

Node = TypeVar("Node", bound=Hashable)


def components(
    roots: Iterable[Node], successors: Callable[[Node], Iterable[Node]]
) -> Iterator[list[Node]]:
    """Yield the components that can be reached, each after all that it leads to.

    R. Tarjan: *Depth-first search and linear graph algorithms*, SIAM J. Comput. 1, 1972; without
    recursion.  Nodes are expanded when the search comes to them.
    """
    search = _Search(successors)
    for root in roots:
        if root not in search.order:
            yield from search.run(root)


class _Search(Generic[Node]):
    def __init__(self, successors: Callable[[Node], Iterable[Node]]) -> None:
        self._successors = successors
        self.order: dict[Node, int] = {}
        self._low: dict[Node, int] = {}
        self._waiting: list[Node] = []
        self._on_stack: set[Node] = set()

    def run(self, root: Node) -> Iterator[list[Node]]:
        order, low = self.order, self._low
        frames = [(root, self._enter(root))]
        while frames:
            node, rest = frames[-1]
            for following in rest:
                if following not in order:
                    frames.append((following, self._enter(following)))
                    break
                if following in self._on_stack:
                    low[node] = min(low[node], order[following])
            else:
                frames.pop()
                if frames:
                    above = frames[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == order[node]:
                    yield self._completed(node)

    def _enter(self, node: Node) -> Iterator[Node]:
        self.order[node] = self._low[node] = len(self.order)
        self._waiting.append(node)
        self._on_stack.add(node)
        return iter(self._successors(node))

    def _completed(self, node: Node) -> list[Node]:
        found: list[Node] = []
        while True:
            member = self._waiting.pop()
            self._on_stack.discard(member)
            found.append(member)
            if member == node:
                return found
