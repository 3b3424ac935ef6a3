"""Findings as commands to GitHub's runner, which shows them beside the lines they are about."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from secateur.report.errors import place_to_json
from secateur.report.text import HEADINGS, render_trace
from secateur.source import Diagnostic, Span
from secateur.system.temporal import TemporalResult
from secateur.system.verdict import Violation


def annotation(level: str, title: str, message: str, place: dict[str, object]) -> str:
    """Return `::error file=M.mch,line=3,title=...::message`; `level` may be warning or notice."""
    properties = {**place, "title": title}
    inside = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{level} {inside}::{_data(message)}"


def of_violation(violation: Violation, model: str) -> str:
    """Return the annotation of a violation, with its trace."""
    title = f"{violation.title or HEADINGS[violation.kind]}: {violation.name}"
    lines = [violation.message] if violation.message else []
    lines += [f"trace of {len(violation.trace)} steps:", *render_trace(violation.trace)]
    return annotation("error", title, "\n".join(lines), _place(violation.span, model))


def of_formula(result: TemporalResult, model: str) -> str:
    """Return the annotation of a formula that does not hold, or of which that is not known."""
    if result.holds is None:
        said = "; ".join(result.reasons) or "it is not known whether it holds"
        return annotation("warning", f"incomplete: {result.name}", said, _place(None, model))
    lines = [result.formula]
    if result.evidence is not None:
        lines += render_trace(result.evidence.trace)
        if result.evidence.loop:
            first = len(result.evidence.trace) - result.evidence.loop + 1
            lines.append(f"and again from step {first}")
    title = f"formula violated: {result.name}"
    return annotation("error", title, "\n".join(lines), _place(None, model))


def of_reasons(reasons: Iterable[str], model: str) -> str:
    """Return the annotation of a run that is incomplete."""
    return annotation("warning", "incomplete", "\n".join(reasons), _place(None, model))


def of_gate(why: Iterable[str], model: str) -> str:
    """Return the annotation of an outcome that is not the one expected."""
    return annotation("error", "not as expected", "\n".join(why), _place(None, model))


def of_diagnostic(diagnostic: Diagnostic) -> str:
    """Return the annotation of a complaint about the input."""
    said = (
        diagnostic.message
        if diagnostic.help is None
        else f"{diagnostic.message}\n{diagnostic.help}"
    )
    place = _place(diagnostic.span, None)
    return annotation("error", str(diagnostic.code), said, place)


def _place(span: Span | None, otherwise: str | None) -> dict[str, object]:
    """Return a place as the runner wants it; the file as a whole if it is not known where."""
    place = place_to_json(span)
    if place is None:
        return {} if otherwise is None else {"file": _relative(otherwise)}
    where: dict[str, object] = {"file": _relative(place["file"]), "line": place["line"]}
    where["endLine"] = place["end_line"]
    if place["line"] == place["end_line"]:  # columns are for what stands on one line
        where |= {"col": place["column"], "endColumn": place["end_column"]}
    return where


def _relative(file: str) -> str:
    """Return a file as seen from here, where GitHub's runner is at the top of the repository."""
    path = Path(file)
    here = Path.cwd()
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else path.as_posix()


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
