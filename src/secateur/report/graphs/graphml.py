"""GraphML, an XML format that many programs read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from secateur.report.graphs.protocol import DrawnEdge, DrawnGraph, GraphFormat, Mark, Tone
from secateur.report.graphs.xml import attribute, text

_HEAD: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
)


def to_graphml(graph: DrawnGraph) -> str:
    """Return a graph in GraphML: every value has an attribute of its own."""
    names = list(dict.fromkeys(name for node in graph.nodes for name, _ in node.values))
    keys = {name: f"v{i}" for i, name in enumerate(names)}
    lines = [*_HEAD, *_keys(names, keys)]
    lines.append(f'  <graph id={attribute(graph.name)} edgedefault="directed">')
    if graph.notes:
        lines.append("    " + _data("notes", "\n".join(graph.notes)))
    for number, node in enumerate(graph.nodes):
        data = [_data("label", "\n".join(node.lines)), _data("states", str(node.states))]
        data += [_data(mark.value, "true") for mark in Mark if mark in node.marks]
        data += [_data(keys[name], value) for name, value in node.values]
        if node.remarks:
            data.append(_data("remarks", "\n".join(node.remarks)))
        lines.append(f'    <node id="n{number}">{"".join(data)}</node>')
    lines += map(_edge, graph.edges)
    return "\n".join([*lines, "  </graph>", "</graphml>", ""])


def _keys(names: list[str], keys: dict[str, str]) -> Iterator[str]:
    yield _key("notes", "graph", "notes", "string")
    yield _key("label", "node", "label", "string")
    yield _key("states", "node", "states", "int")
    for mark in Mark:
        yield _key(mark.value, "node", mark.value, "boolean")
    yield _key("remarks", "node", "remarks", "string")
    for name in names:
        yield _key(keys[name], "node", f"value of {name}", "string")
    yield _key("elabel", "edge", "label", "string")
    yield _key("event", "edge", "event", "string")
    yield _key("count", "edge", "count", "int")
    yield _key("tone", "edge", "tone", "string")
    yield _key("etrace", "edge", "trace", "boolean")


def _key(identity: str, home: str, name: str, kind: str) -> str:
    return f'  <key id="{identity}" for="{home}" attr.name={attribute(name)} attr.type="{kind}"/>'


def _edge(edge: DrawnEdge) -> str:
    data = [_data("elabel", edge.label), _data("event", edge.event)]
    data.append(_data("count", str(edge.count)))
    if edge.tone is not Tone.STEP:
        data.append(_data("tone", edge.tone.value))
    if edge.on_trace:
        data.append(_data("etrace", "true"))
    ends = f'source="n{edge.source}" target="n{edge.target}"'
    return f"    <edge {ends}>{''.join(data)}</edge>"


def _data(key: str, content: str) -> str:
    return f'<data key="{key}">{text(content)}</data>'


GRAPHML = GraphFormat("graphml", "GraphML (yEd, Gephi, networkx)", (".graphml",), to_graphml)
