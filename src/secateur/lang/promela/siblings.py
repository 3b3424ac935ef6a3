"""Processes of which there is at most one at a time: a `run` that is executed once makes one of them.

Which number it gets depends on who is alive then, so that there is room for it under several.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from secateur.lang.promela.automaton import Automaton, Edge

Named = tuple[int, str]
"""A process: its number and its proctype."""


def siblings(
    created: Mapping[tuple[int, str, int], tuple[Edge, frozenset[Named]]],
    first: Iterable[Named],
    automata: Mapping[str, Automaton],
) -> dict[Named, frozenset[Named]]:
    """Return for processes the others that are never there if they are, or ever were.

    `created` has for each creator and the number of a statement that statement and the processes
    that it may create, and `first` are those that there are to begin with.
    """
    begun = set(first)
    found: dict[Named, frozenset[Named]] = {}
    for site, (edge, some) in created.items():
        creator = site[:2]
        elsewhere = set(begun)
        for other, (_, more) in created.items():
            if other != site:
                elsewhere |= more
        alone = some - elsewhere
        lives_once = creator in begun and not any(creator in made for _, made in created.values())
        if lives_once and len(alone) > 1 and _taken_once(edge, automata[creator[1]]):
            for process in alone:
                found[process] = alone - {process}
    return found


def _taken_once(edge: Edge, automaton: Automaton) -> bool:
    """Whether a process that has taken an edge can never take it again."""
    if not any(each is edge for each in automaton.edges):  # it is inside of a d_step
        return False
    seen: set[int] = set()
    todo = [edge.target]
    while todo:
        place = todo.pop()
        if place in seen or place < 0:
            continue
        seen.add(place)
        todo += [each.target for each in automaton.tried(place)]
    return not any(each is edge for place in seen for each in automaton.tried(place))
