"""Aldebaran: labelled transition systems, as CADP, mCRL2 and LTSmin read them."""

from __future__ import annotations

from secateur.report.graphs.protocol import DrawnEdge, DrawnGraph, GraphFormat, Mark


def to_aut(graph: DrawnGraph) -> str:
    """Return the labelled transition system; there is one initial state, which is number 0.

    If there are several, a state that leads to them comes first; it has the labels of
    what sets up or initialises.
    """
    initial = [i for i, node in enumerate(graph.nodes) if Mark.INITIAL in node.marks]
    numbers = list(range(len(graph.nodes)))
    edges: list[tuple[int, str, int]] = []
    count = len(graph.nodes)
    if len(initial) == 1:
        only = initial[0]  # it changes places with the first one
        numbers[0], numbers[only] = numbers[only], numbers[0]
    else:
        numbers = [i + 1 for i in numbers]
        count += 1
        edges += [(0, label, numbers[target]) for label, target in graph.beginnings]
    edges += [(numbers[e.source], label_of(e), numbers[e.target]) for e in graph.edges]
    lines = [f"des (0, {len(edges)}, {count})"]
    lines += [f"({source}, {_quoted(label)}, {target})" for source, label, target in edges]
    return "\n".join([*lines, ""])


def label_of(edge: DrawnEdge) -> str:
    """Return what happens on an edge."""
    return edge.label or edge.event or edge.tone.value


def _quoted(text: str) -> str:
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + text.replace("\r", "\\r").replace("\n", "\\n") + '"'


AUT = GraphFormat("aut", "Aldebaran (CADP, mCRL2)", (".aut",), to_aut)
