"""The edges as a table."""

from __future__ import annotations

import csv
import io

from secateur.report.graphs.protocol import DrawnGraph, GraphFormat


def to_csv(graph: DrawnGraph) -> str:
    """Return a line for each edge: numbers of nodes, event, label, count."""
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow(("source", "target", "event", "label", "count", "tone"))
    for e in graph.edges:
        table.writerow((e.source, e.target, e.event, e.label, e.count, e.tone.value))
    return written.getvalue()


CSV = GraphFormat("csv", "the edges as a table", (".csv",), to_csv)
