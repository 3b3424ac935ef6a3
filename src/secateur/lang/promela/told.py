"""What reports tell of processes, statements and messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from secateur.lang.processes import Execution, Message, Place, Process, Statement
from secateur.lang.promela import ast
from secateur.lang.promela.automaton import Automaton, Deterministic, Edge, Jump, Terminate
from secateur.lang.promela.courses import Taken
from secateur.lang.promela.world import Instance, World
from secateur.source import Span


def processes(world: World) -> tuple[Process, ...]:
    """Return all processes that there may be."""
    return tuple(Process(i.name, i.place, _places(i)) for i in world.instances)


def written(automata: Mapping[str, Automaton]) -> tuple[Statement, ...]:
    """Return all statements of all proctypes once, in the order in which they are written."""
    found: dict[Statement, None] = {}
    for graph in automata.values():
        edges = [edge for e in (*graph.edges, *graph.unreachable) for edge in _within(e)]
        edges.sort(key=lambda edge: (isinstance(edge.step, Terminate), edge.span.start))
        found |= dict.fromkeys(_statement(graph.name, edge) for edge in edges)
    return tuple(found)


def executions(taken: tuple[Taken, ...], world: World) -> tuple[Execution, ...]:
    """Return what a step executes."""
    return tuple(_execution(each, world) for each in taken)


def _places(instance: Instance) -> dict[int, Place]:
    graph = instance.automaton
    found = {}
    for location in graph.locations:
        edges = graph.tried(location.number)
        statements = dict.fromkeys(
            _statement(graph.name, first) for edge in edges for first in _first(edge)
        )
        span = span_of(edges[0]) if edges else location.span
        found[location.number] = Place(tuple(statements), location.end, span)
    return found


def _first(edge: Edge) -> Iterator[Edge]:
    """Yield the statements that an edge may begin with."""
    if isinstance(edge.step, Deterministic):
        graph = edge.step.graph
        for inner in graph.leaving[graph.start]:
            yield from _first(inner)
    else:
        yield edge


def _within(edge: Edge) -> Iterator[Edge]:
    """Yield the statements that an edge is made of."""
    if isinstance(edge.step, Deterministic):
        for inner in (*edge.step.graph.edges, *edge.step.graph.unreachable):
            yield from _within(inner)
    elif not isinstance(edge.step, Jump):
        yield edge


def _statement(unit: str, edge: Edge) -> Statement:
    return Statement(
        unit,
        edge.source,
        text_of(edge),
        span_of(edge),
        _awaited(edge),
        edge.target,
        isinstance(edge.step, Jump),
        edge.number,
    )


def text_of(edge: Edge) -> str:
    """Return a statement as it is written, on one line."""
    return _implied(edge) or _line(edge.span)


def span_of(edge: Edge) -> Span:
    """Return where a statement is written; a process ends where its text does."""
    span = edge.span
    if isinstance(edge.step, Terminate) and span.end > span.start:
        return Span(span.source, span.end - 1, span.end)
    return span


def _implied(edge: Edge) -> str | None:
    """Return the text of a statement that nobody has written: a part of `for`, `select`, a process."""
    whole = edge.span
    match edge.step:
        case Terminate():
            return "-end-"
        case ast.Else(span=span) if not span.text.startswith("else"):
            return "else"
        case ast.Assign(target, value) if target.span.start != whole.start:
            name = _line(target.span)
            counts = isinstance(value, ast.Binary) and value.span == whole
            return f"{name}++" if counts else f"{name} = {_part(value, whole)}"
        case ast.Condition(ast.Binary(operator, left, right)) if left.span.start > whole.start:
            written = whole.text.startswith("(")
            return None if written else f"{_line(left.span)} {operator} {_part(right, whole)}"
        case _:
            return None


def _part(value: ast.Expr, whole: Span) -> str:
    """Return a part of a statement; a number may have no text of its own."""
    if isinstance(value, ast.Number) and value.span == whole:
        return str(value.value)
    return _line(value.span)


def _line(span: Span) -> str:
    return " ".join(span.text.split())


def _awaited(edge: Edge) -> str | None:
    match edge.step:
        case ast.Send():
            return "no process is ready to receive"
        case ast.Receive():
            return "no process is ready to send"
        case Terminate():
            return "processes that began later have not ended"
        case _:
            return None


def _execution(taken: Taken, world: World) -> Execution:
    unit = taken.instance.automaton.name
    statement = _statement(unit, taken.edge)
    if taken.message is None:
        return Execution(taken.instance.name, statement)
    queue, values = taken.message
    name = taken.instance.name
    sends = isinstance(taken.edge.step, ast.Send)
    partner = None if taken.partner is None else taken.partner.instance.name
    message = Message(
        queue.name,
        tuple(value.expr for value in values),
        name if sends else None,
        partner if sends else name,
        tuple(_names(queue.channel.fields[i], world) for i in range(len(values))),
        isinstance(taken.edge.step, ast.Receive) and taken.edge.step.copy,
    )
    answer = None
    if taken.partner is not None:
        answer = _statement(taken.partner.instance.automaton.name, taken.partner.edge)
    return Execution(name, statement, message, answer)


def _names(field: ast.ChannelField, world: World) -> Mapping[int, str]:
    """Return what the values of a field of messages are called."""
    if field.type is ast.Basic.CHAN:
        return {queue.number: queue.name for queue in world.queues}
    if field.type is ast.Basic.MTYPE:
        return dict(enumerate(dict(world.program.mtypes).get(field.subtype, ()), 1))
    return {}
