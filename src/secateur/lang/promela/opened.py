"""A `d_step` as statements of an atomic sequence.

One whose end is not known from its text cannot be told as one step.  Its statements become
edges of the process, which stay together; of several that could be taken the first is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from secateur.lang.promela.automaton import Automaton, Deterministic, Edge, Escape, Location


def opened(automaton: Automaton, apart: frozenset[int]) -> Automaton:
    """Return the graph with the statements of some `d_step`s (by identity of their graphs) as edges."""
    locations = list(automaton.locations)
    edges: list[Edge] = []
    instead: dict[int, list[Edge]] = {}
    for edge in automaton.edges:
        step = edge.step
        if not isinstance(step, Deterministic) or id(step.graph) not in apart:
            edges.append(edge)
            continue
        first = max(place.number for place in locations) + 1
        inside = {place.number: first + i for i, place in enumerate(step.graph.locations)}
        locations += [
            Location(inside[place.number], inside=True, span=place.span)
            for place in step.graph.locations
        ]
        instead[id(edge)] = _inlined(step.graph, step.graph.start, edge.source, inside, edge)
        edges += instead[id(edge)]
        for place in step.graph.locations:
            if place.number != step.graph.end:
                edges += _inlined(step.graph, place.number, inside[place.number], inside, edge)
    shown = tuple(
        replace(place, escapes=tuple(_shown(escape, instead) for escape in place.escapes))
        for place in locations
    )
    return replace(automaton, locations=shown, edges=tuple(edges))


def _shown(escape: Escape, instead: Mapping[int, list[Edge]]) -> Escape:
    """Return an escape with the statements of `d_step`s instead of these."""

    def of(edges: tuple[Edge, ...]) -> tuple[Edge, ...]:
        return tuple(e for edge in edges for e in instead.get(id(edge), [edge]))

    edges = (replace(e, rivals=of(e.rivals)) if e.escaping else e for e in of(escape.edges))
    return replace(escape, edges=tuple(edges))


def _inlined(
    graph: Automaton, place: int, source: int, inside: dict[int, int], whole: Edge
) -> list[Edge]:
    """Return the edges that leave a place of a `d_step`, from where that is now."""
    found: list[Edge] = []
    for edge in graph.leaving[place]:
        over = edge.target == graph.end
        target = whole.target if over else inside[edge.target]
        keeps = whole.keeps if over else True
        rivals = tuple(found)
        found.append(
            replace(edge, source=source, target=target, keeps=keeps, rivals=rivals, inside=True)
        )
    return found
