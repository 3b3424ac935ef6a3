"""CUSTOM_GRAPH: a state as a graph, as the author of a model wants it shown.

Nodes and edges are sets; an element of them is a value, a value with a colour or a label, or a
record with attributes of Graphviz.  A record around such a set has attributes for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from secateur.app.codes import BAD_PICTURE
from secateur.app.deep import run_deep
from secateur.app.model import Model
from secateur.app.pictures.special_values import listed, require, value_of
from secateur.maths.print_value import show_value
from secateur.maths.values import Element, RecordValue, Value, ordered
from secateur.report.graphs.colours import NUMBERED, is_colour
from secateur.report.graphs.protocol import DrawnEdge, DrawnGraph, DrawnNode
from secateur.source import fail
from secateur.system.system import State

GRAPH: Final = "CUSTOM_GRAPH"
_WHOLE: Final = re.compile(rf"{GRAPH}\d*")
_NODES: Final = re.compile(rf"{GRAPH}_NODES\d*")
_EDGES: Final = re.compile(rf"{GRAPH}_EDGES\d*")
_NODE_FIELD: Final = re.compile(r"nodes\d*")
_EDGE_FIELD: Final = re.compile(r"edges\d*")
_MOST: Final = 10_000

_IDENTITY: Final = ("value", "node", "id", "nodes")
_FROM: Final = ("from", "source")
_TO: Final = ("to", "target")

Look = dict[str, str]


class _Graph:
    """A graph that is put together."""

    def __init__(self) -> None:
        self.look: Look = {}
        self.nodes: dict[str, Look] = {}
        self.values: dict[str, Value] = {}
        self.edges: list[tuple[str, str, Look]] = []

    def node(self, value: Value, look: Mapping[str, str] | None = None) -> str:
        """Return the key of a node, which may be new."""
        key = show_value(value)
        self.values.setdefault(key, value)
        self.nodes.setdefault(key, {}).update(look or {})
        return key


def custom_graph(model: Model, state: State, remarks: tuple[str, ...] = ()) -> DrawnGraph:
    """Return the graph of a state; raise InputError if the model defines none."""
    definitions = model.typed.definitions
    names = [n for n in definitions if any(p.fullmatch(n) for p in (_WHOLE, _NODES, _EDGES))]
    require(model, names, GRAPH)

    def work(_: object) -> DrawnGraph:
        graph = _Graph()
        values = {name: value_of(model, name, state) for name in names}
        wholes = {n: v for n, v in values.items() if _WHOLE.fullmatch(n)}
        for name, value in wholes.items():
            _whole(graph, name, value)
        # Edges come last: which pairs are nodes is known then.
        for pattern, add in ((_NODES, _nodes), (_EDGES, _edges)):
            for name, value in values.items():
                if pattern.fullmatch(name):
                    add(graph, name, value, {})
        return _drawn(model, graph, remarks)

    return run_deep(work)


def _whole(graph: _Graph, name: str, value: Value) -> None:
    if not isinstance(value, RecordValue):
        raise fail(BAD_PICTURE, f"{name} is no record with the fields nodes and edges")
    fields = dict(zip(value.names, value, strict=True))
    for key, each in fields.items():
        if not _NODE_FIELD.fullmatch(key) and not _EDGE_FIELD.fullmatch(key):
            graph.look[key] = _text(each)
    for pattern, add in ((_NODE_FIELD, _nodes), (_EDGE_FIELD, _edges)):
        for key, each in fields.items():
            if pattern.fullmatch(key):
                add(graph, f"{name}'{key}", listed(name, each), {})


def _elements(name: str, value: Value) -> list[Value]:
    value = listed(name, value)
    if not isinstance(value, frozenset):
        raise fail(BAD_PICTURE, f"{name} is no set")
    if len(value) > _MOST:
        raise fail(BAD_PICTURE, f"{name} has more than {_MOST} elements")
    return ordered(value)


def _nodes(graph: _Graph, name: str, value: Value, look: Mapping[str, str]) -> None:
    if isinstance(value, RecordValue):
        for key, inner, rest in _inner(value, _NODE_FIELD):
            _nodes(graph, f"{name}'{key}", inner, {**look, **rest})
        return
    for item in _elements(name, value):
        if isinstance(item, RecordValue):
            key = _field(name, item, _IDENTITY)
            graph.node(item.field(key), {**look, **_attributes(item, (key,))})
        elif type(item) is tuple:
            graph.node(item[0], {**look, **_node_look(item[1])})
        else:
            graph.node(item, look)


def _edges(graph: _Graph, name: str, value: Value, look: Mapping[str, str]) -> None:
    if isinstance(value, RecordValue):
        for key, inner, rest in _inner(value, _EDGE_FIELD):
            _edges(graph, f"{name}'{key}", inner, {**look, **rest})
        return
    for item in _elements(name, value):
        if isinstance(item, RecordValue):
            begin, end = _field(name, item, _FROM), _field(name, item, _TO)
            said = {**look, **_attributes(item, (begin, end))}
            source, target = graph.node(item.field(begin)), graph.node(item.field(end))
        elif type(item) is not tuple:
            raise fail(BAD_PICTURE, f"{name} is no relation between nodes")
        else:
            first, middle, last = _ends(graph, *item)
            said = {**look, **({} if middle is None else _edge_look(middle[0]))}
            source, target = graph.node(first), graph.node(last)
        graph.edges.append((source, target, said))


def _ends(graph: _Graph, left: Value, right: Value) -> tuple[Value, tuple[Value] | None, Value]:
    """Return where an edge begins, what is said of it if anything is, and where it ends.

    `a|->b` is an edge and `a|->x|->b` is one with a colour or label x, unless `a|->x` is a node.
    """
    node = show_value(left) in graph.nodes
    if node or type(left) is not tuple or _shape(left) == _shape(right):
        return left, None, right
    first, second = left
    if _shape(first) == _shape(right):
        return first, (second,), right
    if _shape(first) == _shape(second):  # (a|->b)|->label
        return first, (right,), second
    return left, None, right


def _shape(value: Value) -> object:
    if type(value) is tuple:
        return tuple(map(_shape, value))
    return value.set_name if isinstance(value, Element) else type(value)


def _inner(value: RecordValue, pattern: re.Pattern[str]) -> Iterator[tuple[str, Value, Look]]:
    """Yield the sets in a record, each with the attributes beside them."""
    fields = [name for name in value.names if pattern.fullmatch(name)]
    for name in fields:
        yield name, value.field(name), _attributes(value, fields)


def _field(name: str, item: RecordValue, possible: tuple[str, ...]) -> str:
    found = next((field for field in possible if field in item.names), None)
    if found is None:
        raise fail(BAD_PICTURE, f"a record in {name} has no field {possible[0]}")
    return found


def _attributes(item: RecordValue, but: tuple[str, ...] | list[str]) -> Look:
    pairs = zip(item.names, item, strict=True)
    return {_spelt(n): _text(value) for n, value in pairs if n not in but}


def _spelt(name: str) -> str:
    return "color" if name == "colour" else name


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else show_value(value)


def _colour(value: Value) -> str | None:
    """Return the colour that is meant: by name, or the one with a number."""
    if isinstance(value, Element):
        return value.name if is_colour(value.name) else NUMBERED[1 + value % (len(NUMBERED) - 1)]
    if isinstance(value, str):
        return value if is_colour(value) else None
    if type(value) is int:
        return NUMBERED[value if 0 <= value < len(NUMBERED) else value % len(NUMBERED)]
    if type(value) is bool:
        return "green" if value else "red"
    return None


def _node_look(value: Value) -> Look:
    return {"fillcolor": _colour(value) or "lightgray"}


def _edge_look(value: Value) -> Look:
    colour = _colour(value)
    return {"color": colour} if colour is not None else {"label": _text(value)}


def _drawn(model: Model, graph: _Graph, remarks: tuple[str, ...]) -> DrawnGraph:
    numbers = {key: i for i, key in enumerate(graph.nodes)}
    nodes = []
    for key, look in graph.nodes.items():
        value = graph.values[key]
        label = look.get("label", value if isinstance(value, str) else key)
        nodes.append(DrawnNode(label, look=_filled(_without(look, "label"))))
    edges = tuple(
        DrawnEdge(
            numbers[source], numbers[target], look.get("label", ""), look=_without(look, "label")
        )
        for source, target, look in graph.edges
    )
    return DrawnGraph(model.name, tuple(nodes), edges, remarks=remarks, look=graph.look)


def _without(look: Look, name: str) -> Look:
    return {n: text for n, text in look.items() if n != name}


def _filled(look: Look) -> Look:
    """Return how a node is drawn: as in Graphviz, what is filled has its own colour in it."""
    if "filled" in look.get("style", "") and "color" in look and "fillcolor" not in look:
        return {**look, "fillcolor": look["color"]}
    return look
