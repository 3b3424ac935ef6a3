"""Actions that cannot go on for ever: a ranking found by looking at each slot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Final

from secateur.system.events import EventSystem, Slot

MOST_STATES: Final = 4096
"""An action whose slots have more values than this together is not looked at."""

Edges = frozenset[tuple[int, int]]
"""How a slot changes: its bits before and after; also where they stay the same."""


def sticky_actions(system: EventSystem) -> frozenset[int]:
    """Return actions without which no run goes on for ever.

    The others have a lexicographic ranking.  Round by round, take a slot, and the graph on
    its values that has an edge wherever one of the actions that are left changes it.  Number
    its strongly connected components so that edges never lead upwards: no action that is left
    raises that number, and one all of whose edges lead to another component lowers it each
    time.  It has found its place in the ranking, and is left out from then on.  Where no slot
    helps, one action is given up: it is sticky.
    """
    effects = [_effects(system, a) for a in range(len(system.actions))]
    sticky = {a for a, effect in enumerate(effects) if effect is None}
    left = {a: effect for a, effect in enumerate(effects) if effect is not None}
    while left:
        ranked = _ranked(left, len(system.slots))
        if not ranked:
            ranked = {max(left)}
            sticky |= ranked
        for a in ranked:
            del left[a]
    return frozenset(sticky)


def _ranked(left: Mapping[int, Mapping[int, Edges]], slots: int) -> set[int]:
    """Return the actions that strictly decrease by some slot on which none increases."""
    for slot in range(slots):
        edges = {e for effect in left.values() for e in effect.get(slot, ())}
        component = _components(edges)
        found = {
            a
            for a, effect in left.items()
            if slot in effect and all(component[x] != component[y] for x, y in effect[slot])
        }
        if found:
            return found
    return set()


def _effects(system: EventSystem, action: int) -> dict[int, Edges] | None:
    """Return how an action changes each slot that it may write; None if that is not known."""
    of = system.actions[action]
    touched = of.sees | of.may_write
    written = [i for i, slot in enumerate(system.slots) if slot.bits & of.may_write]
    edges: dict[int, set[tuple[int, int]]] = {i: set() for i in written}
    states = _states(system.slots, touched)
    if states is None:
        return None
    for state in states:
        if not system.guard(action, state).holds:
            continue
        # Where the results cannot be told, a state is expanded in full anyway.
        for result in system.results(action, state) or ():
            for i in written:
                bits = system.slots[i].bits
                edges[i].add((state & bits, result & bits))
    return {i: frozenset(found) for i, found in edges.items()}


def _states(slots: Sequence[Slot], touched: int) -> Iterator[int] | None:
    """Return all states that differ in the slots that have touched bits; None if too many."""
    choices: list[Sequence[int]] = []
    for slot in slots:
        if slot.codes is None:
            if slot.bits & touched:
                return None
            continue
        choices.append(slot.codes if slot.bits & touched else slot.codes[:1])
    if prod(map(len, choices)) > MOST_STATES:
        return None
    return (sum(codes) for codes in product(*choices))


def _components(edges: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Return a number for the strongly connected component of each node (Kosaraju)."""
    ahead: dict[int, list[int]] = {}
    back: dict[int, list[int]] = {}
    for x, y in sorted(edges):
        for node in (x, y):
            ahead.setdefault(node, [])
            back.setdefault(node, [])
        ahead[x].append(y)
        back[y].append(x)
    order: list[int] = []
    seen: set[int] = set()
    for node in ahead:
        _visit(node, ahead, seen, order)
    component: dict[int, int] = {}
    seen.clear()
    for node in reversed(order):
        members: list[int] = []
        _visit(node, back, seen, members)
        component.update(dict.fromkeys(members, node))
    return component


def _visit(node: int, graph: Mapping[int, Sequence[int]], seen: set[int], order: list[int]) -> None:
    """Append what is reachable from `node` and not yet seen, in postorder."""
    if node in seen:
        return
    seen.add(node)
    frames = [(node, iter(graph[node]))]
    while frames:
        current, rest = frames[-1]
        for following in rest:
            if following not in seen:
                seen.add(following)
                frames.append((following, iter(graph[following])))
                break
        else:
            order.append(current)
            frames.pop()
