"""A trace as a message sequence chart, as text and as a picture."""

from __future__ import annotations

from typing import Final

from secateur.report.chart import Chart, chart_to_text
from secateur.report.chart_svg import chart_to_svg
from secateur.report.formats.protocol import Evidence, FormatRow, Subject


def _chart(evidence: Evidence) -> Chart | None:
    story = evidence.story
    if story is None or not story.trace.transitions:
        return None
    return evidence.chart(story)


def _text(evidence: Evidence) -> str | None:
    chart = _chart(evidence)
    return None if chart is None else chart_to_text(chart)


def _svg(evidence: Evidence) -> str | None:
    chart = _chart(evidence)
    return None if chart is None else chart_to_svg(chart, evidence.model)


MSC: Final = FormatRow(
    "msc", "a trace as a message sequence chart", (".msc",), Subject.TRACE, _text, processes=True
)
MSC_SVG: Final = FormatRow(
    "msc-svg", "the same as a picture", (".msc.svg",), Subject.TRACE, _svg, processes=True
)
