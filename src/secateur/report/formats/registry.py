"""All formats of files.  Adding one: its file, and a row here."""

from __future__ import annotations

from typing import Final

from secateur.report.formats.csv import CSV
from secateur.report.formats.html import HTML
from secateur.report.formats.itf import ITF
from secateur.report.formats.json import JSON
from secateur.report.formats.junit import JUNIT
from secateur.report.formats.msc import MSC, MSC_SVG
from secateur.report.formats.prob2trace import PROB2TRACE
from secateur.report.formats.protocol import FormatRow
from secateur.report.formats.sarif import SARIF
from secateur.report.formats.text import TEXT

FORMATS: Final[tuple[FormatRow, ...]] = (
    ITF,
    PROB2TRACE,
    MSC,
    MSC_SVG,
    SARIF,
    JUNIT,
    CSV,
    JSON,
    TEXT,
    HTML,
)


def format_named(name: str) -> FormatRow | None:
    """Return the format of that name."""
    return next((row for row in FORMATS if row.name == name), None)


def format_of(file: str) -> tuple[FormatRow, str] | None:
    """Return the format of a file by its suffix, and the suffix: the longest that fits."""
    found = [
        (row, suffix) for row in FORMATS for suffix in row.suffixes if file.lower().endswith(suffix)
    ]
    return max(found, key=lambda each: len(each[1]), default=None)
