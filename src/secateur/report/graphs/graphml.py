"""GraphML, an XML format that many programs read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from secateur.report.graphs.protocol import DrawnGraph, GraphFormat, Mark
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
        lines.append(_data("notes", "\n".join(graph.notes), 4))
    for number, node in enumerate(graph.nodes):
        lines.append(f'    <node id="n{number}">')
        lines.append(_data("label", "\n".join(node.lines)))
        lines.append(_data("states", str(node.states)))
        lines += [_data(mark.value, "true") for mark in Mark if mark in node.marks]
        lines += [_data(keys[name], value) for name, value in node.values]
        if node.remarks:
            lines.append(_data("remarks", "\n".join(node.remarks)))
        lines.append("    </node>")
    for edge in graph.edges:
        lines.append(f'    <edge source="n{edge.source}" target="n{edge.target}">')
        lines.append(_data("elabel", edge.label))
        lines.append(_data("event", edge.event))
        lines.append(_data("count", str(edge.count)))
        lines.append(_data("tone", edge.tone.value))
        if edge.on_trace:
            lines.append(_data("etrace", "true"))
        lines.append("    </edge>")
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


def _data(key: str, content: str, indent: int = 6) -> str:
    return f'{" " * indent}<data key="{key}">{text(content)}</data>'


GRAPHML = GraphFormat("graphml", "GraphML (yEd, Gephi, networkx)", (".graphml",), to_graphml)
