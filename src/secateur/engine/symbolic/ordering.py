"""In which order variables are tested: what actions look at together should be close together.

F. A. Aloul, I. L. Markov, K. A. Sakallah: *FORCE: a fast and easy-to-implement variable-ordering
heuristic*, GLSVLSI 2003: each action pulls the slots that it touches to their centre, until the slots
come to rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from secateur.engine.symbolic.variables import places
from secateur.system.events import EventSystem

_ROUNDS: Final = 200


def bits_in_order(system: EventSystem) -> list[int]:
    """Return the bits of a state in the order in which they are to be tested, each slot's together."""
    masks = [slot.bits for slot in system.slots]
    slot_of = {bit: number for number, mask in enumerate(masks) for bit in places(mask)}
    edges: dict[frozenset[int], int] = {}
    touched = [a.sees | a.may_write for a in system.actions] + [c.reads for c in system.checks]
    for mask in touched:
        edge = frozenset(slot_of[bit] for bit in places(mask) if bit in slot_of)
        if len(edge) > 1:
            edges[edge] = edges.get(edge, 0) + 1
    order = forced(len(masks), list(edges))
    return [bit for number in order for bit in sorted(places(masks[number]), reverse=True)]


def forced(count: int, edges: Sequence[frozenset[int]]) -> list[int]:
    """Return the numbers below `count` in an order in which each edge spans little."""
    order = list(range(count))
    best, least = order, spans(order, edges)
    of: list[list[int]] = [[] for _ in range(count)]
    for number, edge in enumerate(edges):
        for vertex in edge:
            of[vertex].append(number)
    for _ in range(_ROUNDS):
        place = {vertex: i for i, vertex in enumerate(order)}
        centres = [sum(place[v] for v in edge) / len(edge) for edge in edges]
        weights = [1 / (len(edge) - 1) for edge in edges]  # who holds many pulls weakly
        goal: list[float] = []
        for vertex in range(count):
            total = sum(weights[e] for e in of[vertex])
            pulled = sum(weights[e] * centres[e] for e in of[vertex])
            goal.append(pulled / total if total else place[vertex])
        following = sorted(range(count), key=lambda v: (goal[v], place[v]))
        if following == order:
            break
        order = following
        span = spans(order, edges)
        if span < least:
            best, least = order, span
    return best


def spans(order: Sequence[int], edges: Sequence[frozenset[int]]) -> float:
    """Return how far the edges reach in all; those that hold much count less."""
    place = {vertex: i for i, vertex in enumerate(order)}
    return sum((max(place[v] for v in e) - min(place[v] for v in e)) / (len(e) - 1) for e in edges)
