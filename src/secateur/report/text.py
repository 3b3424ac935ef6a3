"""Verdicts, traces and statistics for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from secateur.maths.print_value import show_value
from secateur.report.changes import packed, show_changes
from secateur.report.coverage import render_coverage
from secateur.report.diagnostics import render_excerpt
from secateur.report.explanation import render_explanation
from secateur.report.style import PLAIN, Style
from secateur.system.engine import Engine
from secateur.system.reduced import Merged, Reduced
from secateur.system.result import Result
from secateur.system.statistics import VariableCoverage
from secateur.system.system import PropertyKind, Step
from secateur.system.trace import Trace
from secateur.system.verdict import FOUND_WITHOUT_WAY, Holds, Violated, Violation

HEADINGS: Final = {
    PropertyKind.DEADLOCK: "deadlock",
    PropertyKind.INVARIANT: "invariant violated",
    PropertyKind.ASSERTION: "assertion violated",
    PropertyKind.GOAL: "goal reached",
    PropertyKind.WELL_DEFINEDNESS: "not well-defined",
    PropertyKind.REFINEMENT: "not a refinement",
    PropertyKind.VARIANT: "variant violated",
}


def render_count(result: Result) -> str:
    """Return the number of reachable states; if that is not all that is to be said, what else."""
    states = str(result.statistics.states)
    why = [f"  not everything was explored: {reason}" for reason in result.reasons]
    wrong = [f"  {v.kind.value}: {v.name}: {v.message or ''}" for v in result.violations]
    return "\n".join([f"at least {states}" if why else states, *wrong, *why])


def render_result(name: str, result: Result, style: Style = PLAIN) -> str:
    """Return the whole report on a check of the model `name`."""
    parts = [
        *_violations(result, style),
        [_verdict_line(name, result, style), *_remarks(result)],
        [
            *_statistics(result),
            *render_coverage(result),
            *map(show_reduction, result.reductions),
            *([] if result.merged is None else [show_merged(result.merged)]),
            f"engine: {show_engine(result.engine)}",
        ],
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _all_seen(result: Result) -> bool:
    """Whether no state at all was left out."""
    pruned = any(r.reduced for r in result.reductions)
    return result.exhaustive and not pruned and result.merged is None


def _extent(result: Result) -> str:
    return (
        "all states visited"
        if _all_seen(result)
        else "all states visited or shown to be like these"
    )


def show_reduction(reduced: Reduced) -> str:
    """Return what a reduction is and what it has saved."""
    proviso = f", proviso {reduced.proviso}" if reduced.proviso else ""
    head = f"reduction: {reduced.name} ({reduced.reason}{proviso})"
    if not reduced.expanded:  # of sets nobody counts what was left out
        return head
    if not reduced.reduced:
        why = f": {reduced.why_little}" if reduced.why_little else ""
        return f"{head}; nothing could be left out{why}"
    return (
        f"{head}; {reduced.taken} of {reduced.happening} enabled actions executed, "
        f"something left out in {reduced.reduced} of {_plural(reduced.expanded, 'state')}"
    )


def show_merged(merged: Merged) -> str:
    """Return what was taken for the same, and what that has saved."""
    sets = ", ".join(f"{count} of {name}" for name, count in merged.sets)
    head = f"symmetry: {merged.name} ({merged.reason}); elements exchanged: {sets}"
    if merged.factor is None:
        return head
    return f"{head}; each state stands for {merged.factor:.1f} on average"


def _verdict_line(name: str, result: Result, style: Style) -> str:
    counted = result.statistics
    size = (
        f"{_plural(counted.states, 'state')}, {_plural(counted.transitions, 'transition')}"
        f", {result.seconds:.2f} s"
    )
    match result.verdict:
        case Holds(exhaustive=True) | Violated(exhaustive=True):
            size += f", {_extent(result)}"
        case Violated():
            size += ", not all states visited"
    match result.outcome:
        case True:
            return f"{style.good('holds')}: {name} ({size})"
        case False:
            return f"{style.bad('violated')}: {name} ({size})"
        case None:
            found = "no violation so far"
            if FOUND_WITHOUT_WAY in result.reasons:
                found = FOUND_WITHOUT_WAY
            return f"{style.doubt('incomplete')}: {name} ({size}); {found}"


def _remarks(result: Result) -> list[str]:
    return [
        *(f"  not everything was explored: {reason}" for reason in result.reasons),
        *(f"  assumed: {assumption}" for assumption in result.assumptions),
        *(f"  note: {note}" for note in result.notes),
    ]


def _violations(result: Result, style: Style) -> Iterator[list[str]]:
    shown: Trace | None = None
    for violation in result.violations:
        lines = _describe(violation, style)
        if shown is not None and violation.trace.transitions == shown.transitions:
            lines.append("  trace: the same as above")
        else:
            lines += _headed_trace(violation.trace, style)
        lines += [f"  {remark}" for remark in violation.remarks]
        lines += _explained(violation)
        shown = violation.trace
        yield lines


def _describe(violation: Violation, style: Style) -> list[str]:
    heading = style.bad(violation.title or HEADINGS[violation.kind])
    often = f" (in {violation.count} states)" if violation.count > 1 else ""
    lines = [f"{heading}: {style.strong(violation.name)}{often}"]
    if violation.message:
        lines.append(f"  {violation.message}")
    if violation.witness and not violation.explanation:
        lines.append(f"  for {show_bindings(violation.witness)}")
    lines += [f"  {line}" for line in render_excerpt(violation.span, style)]
    return lines


def _explained(violation: Violation) -> list[str]:
    if violation.explanation is None:
        return []
    return [f"  {line}" for line in render_explanation(violation.explanation, violation.trace)]


def _headed_trace(trace: Trace, style: Style) -> list[str]:
    if not trace.transitions:
        return ["  trace: empty, it happens before any state is reached"]
    return [f"  trace of {_plural(len(trace), 'step')}:", *render_trace(trace, style)]


def render_trace(trace: Trace, style: Style = PLAIN, start: int = 0) -> list[str]:
    """Return a line per step from `start` on, each followed by what it changed."""
    width = len(str(len(trace)))
    lines: list[str] = []
    told = list(enumerate(zip(trace.steps, trace.told(), strict=True), 1))
    for number, (step, changed) in told[start:]:
        lines.append(f"  {number:>{width}}  {style.strong(show_step(step))}")
        lines += [f"  {'':{width}}    {line}" for line in show_changes(changed)]
    return lines


def show_step(step: Step) -> str:
    """Return `op(x = 1) -> r = 2`, without what is absent."""
    arguments = f"({show_bindings(step.arguments)})" if step.arguments else ""
    results = f" --> {show_bindings(step.results)}" if step.results else ""
    return f"{step.operation}{arguments}{results}"


def show_values(values: Sequence[tuple[str, Any]]) -> list[str]:
    """Return `name = value` for each, several on a line where they are short."""
    return packed(f"{name} = {show_value(value)}" for name, value in values)


def show_bindings(values: Sequence[tuple[str, Any]]) -> str:
    """Return `a = 1, b = 2`."""
    return ", ".join(f"{name} = {show_value(value)}" for name, value in values)


def _statistics(result: Result) -> Iterator[str]:
    statistics = result.statistics
    if statistics.operations:
        yield "transitions per operation:"
        width = max(map(len, statistics.operations))
        for name, count in statistics.operations.items():
            yield f"  {name:<{width}}  {count}"
    if statistics.never_enabled and not statistics.ways:
        if any(r.reduced for r in result.reductions):
            how = "never executed, perhaps because of the reduction"
        else:
            how = "never enabled" if result.exhaustive else "never enabled so far"
        yield f"{how}: {', '.join(statistics.never_enabled)}"
    if statistics.coverage:
        yield "values per variable:"
        width = max(len(v.name) for v in statistics.coverage)
        for variable in statistics.coverage:
            yield f"  {variable.name:<{width}}  {_coverage(variable)}"


def show_engine(engine: Engine) -> str:
    """Return which engine it was, and how much of the model it compiled or why it did not."""
    if engine.name != "native":
        return engine.name if engine.remark is None else f"{engine.name} ({engine.remark})"
    threads = f", {engine.threads} threads" if engine.threads > 1 else ""
    return f"{engine.name}{threads}, {engine.compiled} of {_plural(engine.operations, 'operation')} compiled"


def _coverage(variable: VariableCoverage) -> str:
    if variable.more:
        return f"more than {variable.distinct}"
    if variable.least is None:
        return str(variable.distinct)
    return f"{variable.distinct}  ({show_value(variable.least)} .. {show_value(variable.greatest)})"


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
