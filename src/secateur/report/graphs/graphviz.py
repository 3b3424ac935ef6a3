"""Pictures by Graphviz, where it is installed."""

from __future__ import annotations

import subprocess
from shutil import which
from typing import Final

from secateur.report.graphs.dot import to_dot
from secateur.report.graphs.protocol import DrawnGraph, GraphFormat
from secateur.report.graphs.svg import render_svg

PATIENCE: Final = 30.0
"""After so many seconds, the layout is our own."""
LAYOUTS: Final = ("dot", "neato", "circo", "fdp", "sfdp", "twopi")


def drawn_by_graphviz(graph: DrawnGraph) -> str | None:
    """Return an SVG picture by Graphviz; None if it is not installed or does not manage."""
    wanted = graph.look.get("layout", "dot")
    program = which(wanted if wanted in LAYOUTS else "dot")
    if program is None:
        return None
    try:
        done = subprocess.run(
            [program, "-Tsvg"],
            input=to_dot(graph),
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    begin = done.stdout.find("<svg")
    # The lines before name a document type on the network, and the version of Graphviz.
    return done.stdout[begin:] if done.returncode == 0 and begin >= 0 else None


def to_svg(graph: DrawnGraph) -> str:
    """Return a picture: by Graphviz where it is installed, else with a layout of our own."""
    return drawn_by_graphviz(graph) or render_svg(graph)


SVG = GraphFormat("svg", "a picture", (".svg",), to_svg, picture=True)
