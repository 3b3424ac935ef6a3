"""Graphs of states and of events as somebody draws or writes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from secateur.app.events import EventsAnalysis
from secateur.app.model import Model
from secateur.app.pictures.graph import counterexample, gather, states_on, transitions_between
from secateur.app.pictures.quotient import Block, Criteria, Quotient, quotient, readable
from secateur.engine.limits import Limits
from secateur.maths.print_value import show_value
from secateur.report.events import EventsOverview
from secateur.report.graphs.layout import TooLarge
from secateur.report.graphs.protocol import DrawnEdge, DrawnGraph, DrawnNode, Mark, Tone
from secateur.report.graphs.svg import render_svg
from secateur.report.text import show_step
from secateur.source.records import dataclass
from secateur.system.graph import StateGraph
from secateur.system.trace import Trace

MOST_NODES: Final = 60
"""A graph with more nodes is not read by anyone."""
_SET_UP: Final = "constants set up"


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a graph of states is shown.

    `by` are criteria for a quotient; without any, one is chosen where there are more than
    `most` states, unless it is to be shown in `full`.
    """

    by: tuple[str, ...] = ()
    full: bool = False
    most: int = MOST_NODES
    loops: bool = True
    """Whether edges from a node to itself are shown."""
    way: tuple[int, ...] | None = None
    """The numbers of the transitions of a counterexample."""


def drawn_states(model: Model, graph: StateGraph, wanted: Wanted) -> DrawnGraph:
    """Return a graph of states, or a quotient of it; raise InputError for a bad criterion."""
    criteria = Criteria(model, graph)
    if wanted.by:
        return _drawn_quotient(graph, quotient(graph, [criteria.of(t) for t in wanted.by]), wanted)
    if wanted.full or len(graph.states) <= wanted.most:
        return _drawn_whole(graph, wanted)
    return _drawn_quotient(graph, readable(criteria, wanted.most), wanted)


def _drawn_whole(graph: StateGraph, wanted: Wanted) -> DrawnGraph:
    columns = [(name, graph.columns.column(name)) for name in graph.columns.names]
    texts = {name: [show_value(value) for value in column.values] for name, column in columns}
    same = [n for n, c in columns if len(c.values) == 1 and len(graph.states) > 1]
    if len(same) == len(columns):
        same = []
    marks = _marks(graph, wanted.way)
    nodes = tuple(
        DrawnNode(
            heading=_SET_UP if i in graph.uninitialised else "",
            values=tuple(
                (n, texts[n][c.codes[i]]) for n, c in columns if c.codes[i] >= 0 and n not in same
            ),
            marks=frozenset(marks.get(i, ())),
            remarks=graph.violations.get(i, ()),
        )
        for i in range(len(graph.states))
    )
    labels = [show_step(step) for step in graph.steps]
    on_way = frozenset(wanted.way or ())
    edges = tuple(
        DrawnEdge(
            source, target, labels[label], graph.steps[label].operation, on_trace=number in on_way
        )
        for number, (source, label, target) in enumerate(
            zip(graph.sources, graph.labels, graph.targets, strict=True)
        )
        if wanted.loops or source != target
    )
    return DrawnGraph(
        graph.name,
        nodes,
        edges,
        tuple((labels[label], state) for label, state in graph.beginnings),
        remarks=_extent(graph),
        reasons=graph.reasons,
        everywhere=tuple((name, texts[name][0]) for name in same),
    )


def _extent(graph: StateGraph) -> tuple[str, ...]:
    return (f"{_many(len(graph.states), 'state')}, {_many(graph.transitions, 'transition')}",)


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _marks(graph: StateGraph, way: Sequence[int] | None) -> dict[int, set[Mark]]:
    found: dict[int, set[Mark]] = {}

    def mark(states: Iterable[int], word: Mark) -> None:
        for state in states:
            found.setdefault(state, set()).add(word)

    mark(graph.initial, Mark.INITIAL)
    mark(graph.violations, Mark.VIOLATING)
    mark(graph.deadlocks(), Mark.DEADLOCK)
    mark(graph.goals, Mark.GOAL)
    mark(graph.unexpanded, Mark.OPEN)
    if way is not None:
        mark(_passed(graph, way), Mark.ON_TRACE)
    return found


def _passed(graph: StateGraph, way: Sequence[int]) -> list[int]:
    if way:
        return [graph.sources[way[0]], *(graph.targets[number] for number in way)]
    # A way without steps ends where it begins, in an initial state that is to blame.
    blamed = {*graph.violations, *graph.deadlocks()}
    return [state for state in graph.initial if state in blamed][:1]


def _drawn_quotient(graph: StateGraph, found: Quotient, wanted: Wanted) -> DrawnGraph:
    passed: frozenset[int] = frozenset()
    between: set[tuple[int, int, str]] = set()
    if wanted.way is not None:
        passed = frozenset(found.block_of[state] for state in _passed(graph, wanted.way))
        between = {
            (
                found.block_of[graph.sources[number]],
                found.block_of[graph.targets[number]],
                graph.steps[graph.labels[number]].operation,
            )
            for number in wanted.way
        }
    nodes = tuple(
        DrawnNode(
            heading=_SET_UP if block.uninitialised and not block.values else "",
            values=block.values,
            states=block.states,
            marks=frozenset(_block_marks(block, on_trace=i in passed)),
            remarks=tuple(_block_remarks(block)),
        )
        for i, block in enumerate(found.blocks)
    )
    edges = tuple(
        DrawnEdge(
            b.source,
            b.target,
            b.operation,
            b.operation,
            b.transitions,
            on_trace=(b.source, b.target, b.operation) in between,
        )
        for b in found.bundles
        if wanted.loops or b.source != b.target
    )
    begun = dict.fromkeys(
        (graph.steps[label].operation, found.block_of[state]) for label, state in graph.beginnings
    )
    return DrawnGraph(
        graph.name,
        nodes,
        edges,
        tuple(begun),
        merged_by=found.by,
        remarks=(_merged(found), *_extent(graph)),
        reasons=graph.reasons,
    )


def _merged(found: Quotient) -> str:
    blocks = _many(len(found.blocks), "block")
    return f"merged by {', '.join(found.by)}: {_many(found.states, 'state')} in {blocks}"


def _block_marks(block: Block, *, on_trace: bool) -> list[Mark]:
    marked = (
        (block.initial, Mark.INITIAL),
        (block.violating, Mark.VIOLATING),
        (block.deadlocks, Mark.DEADLOCK),
        (block.goals, Mark.GOAL),
        (block.unexpanded, Mark.OPEN),
        (on_trace, Mark.ON_TRACE),
    )
    return [mark for count, mark in marked if count]


def _block_remarks(block: Block) -> list[str]:
    counted = (
        (block.violating, "violating"),
        (block.deadlocks, "deadlocked"),
        (block.unexpanded, "not explored further"),
    )
    return [f"{_many(count, 'state')} {word}" for count, word in counted if count]


# -- events -----------------------------------------------------------------------------------------


def drawn_events(model: Model, seconds: float, *, instances: bool = False) -> DrawnGraph:
    """Return the enable graph: who may enable whom, and who may disable whom."""
    analysis = EventsAnalysis(model.system, seconds, use_cache=True)
    return enable_graph(analysis.overview(instances=instances))


def enable_graph(events: EventsOverview) -> DrawnGraph:
    """Return the enable graph of relations that are known."""
    numbers = {side.name: i for i, side in enumerate(events.sides)}
    edges: list[DrawnEdge] = []
    for cell in events.cells:
        source, target = numbers[cell.first], numbers[cell.second]
        words = {
            Tone.ENABLES: ("may enable", "may enable or disable", "always enables"),
            Tone.DISABLES: ("may disable", "may enable or disable", "always disables"),
        }
        for tone, influences in words.items():
            if cell.influence in influences and (source != target or tone is Tone.ENABLES):
                label = "always" if cell.influence.startswith("always") else ""
                edges.append(DrawnEdge(source, target, label, tone.value, tone=tone))
    nodes = tuple(DrawnNode(side.name) for side in events.sides)
    remarks = ("solid, green: may enable; dashed, red: may disable",)
    return DrawnGraph(events.model, nodes, tuple(edges), remarks=remarks)


# -- pictures for reports ---------------------------------------------------------------------------


def overview_picture(model: Model, limits: Limits, trace: Trace | None = None) -> str | None:
    """Return a readable picture (SVG) of the states of any model; None if there are none.

    It is a quotient where there are many; what `trace` passes through is highlighted.  It looks
    the same whether Graphviz is installed or not.
    """
    graph = gather(model, limits)
    if not graph.states:
        return None
    if trace is None:
        way = counterexample(graph)
    else:
        way = transitions_between(graph, states_on(graph, trace))
    wanted = Wanted(way=None if way is None else tuple(way))
    try:
        return render_svg(drawn_states(model, graph, wanted))
    except TooLarge:
        return None
