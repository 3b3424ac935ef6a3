"""Actions that cannot go on for ever: a ranking found by looking at each slot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Final

from secateur.system.events import EventSystem, Slot

MOST_STATES: Final = 4096
"""Where the slots of an action have more values than this together, it is not tried out."""

Edges = frozenset[tuple[int, int]]
"""How a slot changes: its bits before and after; also where they stay the same."""
Effect = Mapping[int, Edges | None]
"""How an action changes each slot that it may write; None where it may change it in any way."""


def sticky_actions(system: EventSystem, most: int = MOST_STATES) -> frozenset[int]:
    """Return actions without which no run goes on for ever.

    The others have a lexicographic ranking.  Round by round, take a slot, and the graph on
    its values that has an edge wherever one of the actions that are left changes it.  Number
    its strongly connected components so that edges never lead upwards: no action that is left
    raises that number, and one all of whose edges lead to another component lowers it each
    time.  It has found its place in the ranking, and is left out from then on.  Where no slot
    helps, one action is given up: it is sticky.  One that changes some slot in an unknown way is
    given up first: without it, that slot may help.
    """
    left = {a: _effect(system, a, most) for a in range(len(system.actions))}
    sticky = {a for a, effect in left.items() if all(e is None for e in effect.values())}
    for a in sticky:
        del left[a]
    while left:
        ranked = _ranked(left, len(system.slots))
        if not ranked:
            ranked = {max(left, key=lambda a: (None in left[a].values(), a))}
            sticky |= ranked
        for a in ranked:
            del left[a]
    return frozenset(sticky)


def _ranked(left: Mapping[int, Effect], slots: int) -> set[int]:
    """Return the actions that strictly decrease by some slot on which none increases."""
    for slot in range(slots):
        changes = {a: effect[slot] for a, effect in left.items() if slot in effect}
        if None in changes.values():
            continue
        component = _components(e for edges in changes.values() for e in edges or ())
        found = {
            a
            for a, edges in changes.items()
            if all(component[x] != component[y] for x, y in edges or ())
        }
        if found:
            return found
    return set()


def _effect(system: EventSystem, action: int, most: int) -> Effect:
    """Return how an action changes what it may write, by trying it out where that can be done."""
    of = system.actions[action]
    written = [i for i, slot in enumerate(system.slots) if slot.bits & of.may_write]
    states = _states(system.slots, of.sees | of.may_write, most)
    if states is None:
        return {i: _fixed_edges(system, action, system.slots[i]) for i in written}
    edges: dict[int, set[tuple[int, int]]] = {i: set() for i in written}
    for state in states:
        if not system.guard(action, state).holds:
            continue
        # Where the results cannot be told, a state is expanded in full anyway.
        for result in system.results(action, state) or ():
            for i in written:
                bits = system.slots[i].bits
                edges[i].add((state & bits, result & bits))
    return {i: frozenset(found) for i, found in edges.items()}


def _fixed_edges(system: EventSystem, action: int, slot: Slot) -> Edges | None:
    """Return how an action changes a slot that has one value after it: a place in a program, say.

    Before it, the slot has a value that the conjuncts allow which look at nothing else.
    """
    of = system.actions[action]
    states = _states(system.slots, slot.bits, MOST_STATES)
    if slot.bits & ~of.fixed or states is None:
        return None
    own = sum(1 << j for j, c in enumerate(of.guard) if c.reads and not c.reads & ~slot.bits)
    after = of.fixed_to & slot.bits
    return frozenset(
        (state & slot.bits, after)
        for state in states
        if not system.guard(action, state).false & own
    )


def _states(slots: Sequence[Slot], touched: int, most: int) -> Iterator[int] | None:
    """Return all states that differ in the slots that have touched bits; None if too many."""
    choices: list[Sequence[int]] = []
    for slot in slots:
        if slot.codes is None:
            if slot.bits & touched:
                return None
            continue
        choices.append(slot.codes if slot.bits & touched else slot.codes[:1])
    if prod(map(len, choices)) > most:
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
