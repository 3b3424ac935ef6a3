"""All formats of traces that can be read.  Adding one: its file, and a row here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from secateur.app.codes import NOT_A_TRACE
from secateur.app.traces.itf import ITF
from secateur.app.traces.json import JSON
from secateur.app.traces.prob2trace import PROB2TRACE
from secateur.app.traces.protocol import Reading, TraceRow, WantedTrace
from secateur.app.traces.understanding import Understanding
from secateur.source import Source, Span, fail
from secateur.source.read import read_source

TRACES: Final[tuple[TraceRow, ...]] = (ITF, PROB2TRACE, JSON)


def read_trace(path: Path, understanding: Understanding, violation: int | None) -> WantedTrace:
    """Return the trace in a file; raise InputError if there is none."""
    source = read_source(path)
    content = _content(source)
    for row in TRACES:
        if row.recognise(content):
            return row.read(Reading(source, content, understanding, violation))
    known = ", ".join(row.name for row in TRACES)
    message = f"'{path}' is no trace in a format that is known here"
    raise fail(NOT_A_TRACE, message, Span(source, 0, 0), f"known are {known}")


def _content(source: Source) -> dict[str, Any]:
    try:
        found = json.loads(source.text)
    except json.JSONDecodeError as error:
        place = Span(source, error.pos, min(error.pos + 1, len(source.text)))
        raise fail(NOT_A_TRACE, f"this is not JSON: {error.msg}", place) from None
    except (RecursionError, ValueError) as error:
        raise fail(NOT_A_TRACE, f"this cannot be read: {error}", Span(source, 0, 0)) from None
    if not isinstance(found, dict):
        raise fail(NOT_A_TRACE, "a trace is a JSON object", Span(source, 0, 0))
    return found
