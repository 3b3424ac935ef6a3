"""The whole run as one page."""

from __future__ import annotations

from secateur.report.formats.protocol import FormatRow, Subject
from secateur.report.html.page import render_page

HTML = FormatRow(
    "html",
    "a page with verdict, traces to step through, coverage, reductions and pictures",
    (".html", ".htm"),
    Subject.VERDICT,
    render_page,
)
