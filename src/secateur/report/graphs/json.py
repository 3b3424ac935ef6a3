"""A graph as the JSON object of `secateur graph`."""

from __future__ import annotations

import json

from secateur.report.envelope import enveloped
from secateur.report.errors import Json
from secateur.report.graphs.protocol import DrawnEdge, DrawnGraph, DrawnNode, GraphFormat, Mark


def graph_to_json(graph: DrawnGraph) -> Json:
    """Return a graph as JSON; nodes are numbered from 0."""
    return {
        "model": graph.name,
        "complete": not graph.reasons,
        "reasons": list(graph.reasons),
        "remarks": list(graph.remarks),
        "merged_by": None if graph.merged_by is None else list(graph.merged_by),
        "everywhere": dict(graph.everywhere),
        "beginnings": [{"label": label, "target": node} for label, node in graph.beginnings],
        "nodes": [_node(node) for node in graph.nodes],
        "edges": [_edge(edge) for edge in graph.edges],
    }


def _node(node: DrawnNode) -> Json:
    return {
        "heading": node.heading,
        "values": dict(node.values),
        "states": node.states,
        "marks": [mark.value for mark in Mark if mark in node.marks],
        "remarks": list(node.remarks),
    }


def _edge(edge: DrawnEdge) -> Json:
    return {
        "source": edge.source,
        "target": edge.target,
        "event": edge.event,
        "label": edge.label,
        "count": edge.count,
        "tone": edge.tone.value,
        "trace": edge.on_trace,
    }


def to_json(graph: DrawnGraph) -> str:
    """Return the same as text; each node and each edge has a line, for there may be many."""
    lines = []
    for key, value in enveloped("graph", graph_to_json(graph)).items():
        said = json.dumps(value)
        if value and key in ("nodes", "edges"):
            said = "[\n    {}\n  ]".format(",\n    ".join(map(json.dumps, value)))
        lines.append(f"  {json.dumps(key)}: {said}")
    return "{{\n{}\n}}\n".format(",\n".join(lines))


JSON = GraphFormat("json", "one JSON object (docs/json.md)", (".json",), to_json)
