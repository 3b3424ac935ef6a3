"""What was found out about temporal formulas, as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from secateur.report.changes import show_changes
from secateur.report.errors import Json, errors_to_json
from secateur.report.json import engine_to_json, trace_to_json
from secateur.report.style import PLAIN, Style
from secateur.report.text import show_engine, show_merged, show_reduction, show_step
from secateur.system.engine import PYTHON
from secateur.system.temporal import Evidence, TemporalResult

WORDS = {True: "holds", False: "violated", None: "incomplete"}


def verdict_of(result: TemporalResult) -> str:
    """Return `holds`, `violated`, `incomplete`, or `error` for what is no formula."""
    return "error" if result.errors else WORDS[result.holds]


def render_temporal(
    results: Sequence[TemporalResult], style: Style = PLAIN, *, understood: bool = False
) -> str:
    """Return a line for each formula, and below it what shows it."""
    return "\n".join("\n".join(_lines(r, style, understood=understood)) for r in results)


def _lines(result: TemporalResult, style: Style, *, understood: bool) -> list[str]:
    paint = {True: style.good, False: style.bad, None: style.doubt}[result.holds]
    name = "" if result.name == result.formula else f"{result.name}: "
    if result.errors:
        said = "; ".join(f"{d.code}: {d.message}" for d in result.errors)
        return [f"{style.bad('error')}: {name}{style.strong(result.formula)} ({said})"]
    size = f"{result.states} states, {result.transitions} transitions, {result.seconds:.2f} s"
    lines = [f"{paint(WORDS[result.holds])}: {name}{style.strong(result.formula)} ({size})"]
    if result.engine != PYTHON:
        lines.append(f"  engine: {show_engine(result.engine)}")
    if understood:
        lines.append(f"  read as {result.understood}")
    lines += [f"  not everything was explored: {reason}" for reason in result.reasons]
    if result.reduced is not None:
        lines.append(f"  {show_reduction(result.reduced)}")
    if result.merged is not None:
        lines.append(f"  {show_merged(result.merged)}")
    if result.remark is not None:
        lines.append(f"  {result.remark}")
    if result.evidence is not None:
        lines += _evidence(result, result.evidence, style)
    return lines


def _evidence(result: TemporalResult, evidence: Evidence, style: Style) -> list[str]:
    trace = evidence.trace
    what = "a path that violates it" if result.holds is False else "a path that shows it"
    lines = [f"  {what}:"]
    first = len(trace) - evidence.loop
    width = len(str(len(trace)))
    steps = list(zip(trace.steps, trace.told(), strict=True))
    letters = [()] * (len(steps) - len(evidence.atoms)) + list(evidence.atoms)
    for number, ((step, changed), atoms) in enumerate(zip(steps, letters, strict=True), 1):
        if evidence.loop and number == first + 1:
            lines.append(f"  {'':{width}}  from here on for ever:")
        lines.append(f"  {number:>{width}}  {style.strong(show_step(step))}")
        lines += [f"  {'':{width}}    {line}" for line in show_changes(changed)]
        if atoms:
            said = ", ".join(name if holds else f"not {name}" for name, holds in atoms)
            lines.append(f"  {'':{width}}    {style.faint(said)}")
    if evidence.loop:
        lines.append(f"  {'':{width}}  and again from step {first + 1}")
    elif evidence.open:
        lines.append(f"  {'':{width}}  and however it goes on")
    elif result.logic == "ltl":
        lines.append(f"  {'':{width}}  and nothing is enabled any more")
    lines += [f"  {remark}" for remark in evidence.remarks]
    lines += [f"  {line}" for line in show_why(evidence.why)]
    return lines


def show_why(why: Sequence[tuple[int, str, bool]]) -> list[str]:
    """Return what decides that a formula fails, and after which steps."""
    return [
        f"{'because' if number == 0 else 'and'} after step {step} {text} {'holds' if holds else 'is false'}"
        for number, (step, text, holds) in enumerate(why)
    ]


def temporal_to_json(model: str, results: Sequence[TemporalResult]) -> Json:
    """Return all results as JSON."""
    return {"model": model, "formulas": [formula_to_json(result) for result in results]}


def with_formulas(report: Json, results: Sequence[TemporalResult]) -> Json:
    """Return the report on a check with what was found of formulas; violated ones are violations."""
    violations: list[Json] = [
        {
            "kind": result.logic,
            "name": result.name,
            "message": None,
            "place": None,
            "witness": {},
            "count": 1,
            "trace": trace_to_json(result.evidence.trace),
        }
        for result in results
        if result.holds is False and result.evidence is not None
    ]
    formulas = [formula_to_json(result) for result in results]
    return {**report, "violations": report["violations"] + violations, "formulas": formulas}


def formula_to_json(result: TemporalResult) -> Json:
    """Return what was found out about one formula."""
    evidence = result.evidence
    return {
        "name": result.name,
        "logic": result.logic,
        "formula": result.formula,
        "understood": result.understood,
        "verdict": verdict_of(result),
        "states": result.states,
        "transitions": result.transitions,
        "product": result.nodes,
        "seconds": round(result.seconds, 3),
        **engine_to_json(result.engine),
        "reasons": list(result.reasons),
        "reduction": None if result.reduced is None else asdict(result.reduced),
        "symmetry": None if result.merged is None else asdict(result.merged),
        "remark": result.remark,
        "errors": errors_to_json(result.errors)["errors"],
        "evidence": None
        if evidence is None
        else {
            "trace": trace_to_json(evidence.trace),
            "loop": evidence.loop,
            "open": evidence.open,
            "remarks": list(evidence.remarks),
            "why": [{"step": s, "text": t, "holds": h} for s, t, h in evidence.why],
            "atoms": [dict(letter) for letter in evidence.atoms],
        },
    }
