"""A trace as a table: a row for each step, a column for each constant and variable."""

from __future__ import annotations

import csv
import io
from typing import Final

from secateur.maths.print_value import show_value
from secateur.report.formats.protocol import Evidence, FormatRow, Subject
from secateur.report.text import show_bindings


def _write(evidence: Evidence) -> str | None:
    story = evidence.story
    if story is None or not story.trace.transitions:
        return None
    shown = evidence.overview
    names = [each.name for each in (*shown.constants, *shown.variables)]
    lines = io.StringIO()
    table = csv.writer(lines, lineterminator="\n")
    table.writerow(["step", "operation", "arguments", "results", "repeated", *names])
    for number, transition in enumerate(story.trace.transitions, 1):
        step = transition.step
        values = dict(story.trace.system.values(transition.target))
        table.writerow(
            [
                number,
                step.operation,
                show_bindings(step.arguments),
                show_bindings(step.results),
                "yes" if number > story.closes_at else "no",
                *(show_value(values[name]) if name in values else "" for name in names),
            ]
        )
    return lines.getvalue()


CSV: Final = FormatRow(
    "csv", "a trace as a table, a row for each step", (".csv",), Subject.TRACE, _write
)
