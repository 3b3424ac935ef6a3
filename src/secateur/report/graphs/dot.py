"""The DOT language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from secateur.report.graphs.arrows import Arrow, arrows, labels_of
from secateur.report.graphs.palette import BAD, TONES, border, fill
from secateur.report.graphs.protocol import (
    DrawnGraph,
    DrawnNode,
    GraphFormat,
    Mark,
    Tone,
    shortened,
)

LONGEST: Final = 60
"""So many characters of a value are shown."""


def to_dot(graph: DrawnGraph) -> str:
    """Return a graph in the DOT language; edges between the same nodes are one, with all labels."""
    lines = [f"digraph {quoted(graph.name)} {{", *_head(graph)]
    for number, node in enumerate(graph.nodes):
        lines.append(f"  n{number} [{_attributes(_node(node))}];")
    for number, (label, target) in enumerate(graph.beginnings):
        lines.append(f'  b{number} [shape=point, label=""];')
        attributes = {"label": shortened(label, LONGEST)}
        lines.append(f"  b{number} -> n{target} [{_attributes(attributes)}];")
    for arrow in arrows(graph.edges):
        attributes = _edge(arrow)
        said = f" [{_attributes(attributes)}]" if attributes else ""
        lines.append(f"  n{arrow.source} -> n{arrow.target}{said};")
    return "\n".join([*lines, "}", ""])


def _head(graph: DrawnGraph) -> Iterator[str]:
    if graph.notes:
        text = "".join(f"{escaped(note)}\\l" for note in graph.notes)
        yield f'  label="{text}"; labeljust=l;'
    yield '  node [shape=box, style="rounded,filled", fillcolor="#ffffff", color="#444444",'
    yield '    fontname="sans-serif", fontsize=12];'
    yield '  edge [color="#444444", fontname="sans-serif", fontsize=11];'
    if graph.look:
        yield f"  graph [{_attributes(graph.look)}];"


def _node(node: DrawnNode) -> dict[str, str]:
    lines = [shortened(line, LONGEST) for line in node.lines]
    if node.states != 1:
        lines.append(f"{node.states:,} states")
    found = {"label": "\n".join(lines)}
    if node.marks:
        style = "rounded,filled,dashed" if Mark.OPEN in node.marks else "rounded,filled"
        found |= {"fillcolor": fill(node), "color": border(node), "style": style}
    if Mark.ON_TRACE in node.marks:
        found["penwidth"] = "2.4"
    if node.remarks:
        found["tooltip"] = "\n".join(node.remarks)
    return {**found, **node.look}


def _edge(arrow: Arrow) -> dict[str, str]:
    found = {}
    if labels := labels_of(arrow, LONGEST):
        found["label"] = "\n".join(labels)
    if arrow.tone is not Tone.STEP:
        found |= {"color": TONES[arrow.tone], "fontcolor": TONES[arrow.tone]}
    if arrow.tone is Tone.DISABLES:
        found["style"] = "dashed"
    if arrow.on_trace:
        found |= {"color": BAD, "penwidth": "2.4"}
    return {**found, **arrow.look}


def _attributes(attributes: Mapping[str, str]) -> str:
    return ", ".join(f"{quoted_name(name)}={quoted(text)}" for name, text in attributes.items())


def quoted_name(name: str) -> str:
    """Return the name of an attribute: as it is, if that is allowed."""
    return name if name.isidentifier() and name.isascii() else quoted(name)


def quoted(text: str) -> str:
    """Return a text as a string of DOT."""
    return f'"{escaped(text)}"'


def escaped(text: str) -> str:
    """Return a text as it stands within a string; backslashes mean themselves."""
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "")
    return text.replace("\n", "\\n").replace("\0", "␀")


DOT = GraphFormat("dot", "the language of Graphviz", (".dot", ".gv"), to_dot, picture=True)
