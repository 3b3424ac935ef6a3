"""Complaints and places as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from secateur.source import NOWHERE, Diagnostic, Span

Json = dict[str, Any]


def errors_to_json(diagnostics: Iterable[Diagnostic]) -> Json:
    """Return the report on bad input."""
    return {"verdict": "error", "errors": [_diagnostic(d) for d in diagnostics]}


def _diagnostic(diagnostic: Diagnostic) -> Json:
    return {
        "code": str(diagnostic.code),
        "message": diagnostic.message,
        "place": place_to_json(diagnostic.span),
        "help": diagnostic.help,
    }


def place_to_json(span: Span | None) -> Json | None:
    """Return a place in a file, counted from 1; the end is the first character after it."""
    if span is None or span.source is NOWHERE.source:
        return None
    line, column = span.source.line_and_column(span.start)
    end_line, end_column = span.source.line_and_column(span.end)
    part: Json = {"part": span.source.part} if span.source.part else {}
    return {
        "file": span.source.name,
        **part,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
    }
