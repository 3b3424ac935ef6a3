"""All formats of graphs.  Adding one: its file, and a line here."""

from __future__ import annotations

from typing import Final

from secateur.report.graphs.aut import AUT
from secateur.report.graphs.csv import CSV
from secateur.report.graphs.dot import DOT
from secateur.report.graphs.graphml import GRAPHML
from secateur.report.graphs.graphviz import SVG
from secateur.report.graphs.json import JSON
from secateur.report.graphs.protocol import GraphFormat

FORMATS: Final[tuple[GraphFormat, ...]] = (DOT, SVG, GRAPHML, AUT, JSON, CSV)


def by_suffix(name: str) -> GraphFormat | None:
    """Return the format that the name of a file asks for, if any."""
    return next((f for f in FORMATS if name.lower().endswith(f.suffixes)), None)
