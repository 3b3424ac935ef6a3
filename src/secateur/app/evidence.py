"""All that a file about a run is written from, gathered."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from secateur.app.deep import run_deep
from secateur.app.model import Model
from secateur.app.pictures.chart import chart_of
from secateur.engine.limits import INTERRUPTED_BY_USER
from secateur.lang.model import Model as TypedModel
from secateur.lang.registry import front_end
from secateur.report.formats.protocol import Asked, Evidence, Gallery, Signature, Story
from secateur.source.records import dataclass
from secateur.source.text import readable
from secateur.system.result import Result
from secateur.system.statistics import Statistics
from secateur.system.system import PropertyKind
from secateur.system.temporal import TemporalResult
from secateur.system.trace import Trace
from secateur.system.verdict import Holds


@dataclass(frozen=True, slots=True)
class Run:
    """What was asked of a model, and how it is told on the terminal."""

    task: str
    path: Path
    words: tuple[str, ...]
    report: Callable[[], Mapping[str, Any]]
    text: Callable[[], str]
    kinds: frozenset[PropertyKind] = frozenset()
    """The kinds of properties of states that were looked at."""
    goal: bool = False
    """Whether a goal was given, other than that of the model."""


def gather(
    model: Model, run: Run, result: Result, stories: tuple[Story, ...] | None = None
) -> Evidence:
    """Return what files are written from; the stories are those of `result` if none are given."""
    typed = model.typed
    told = stories_of(result) if stories is None else stories
    first = told[0].trace if told else None
    return run_deep(
        lambda _: Evidence(
            task=run.task,
            model=model.name,
            path=readable(str(run.path)),
            language=front_end(run.path).name,
            digest=file_digest(run.path),
            words=tuple(map(readable, run.words)),
            result=result,
            overview=model.info(),
            report=run.report,
            text=run.text,
            stories=told,
            asked=tuple(asked_of(model, run)),
            types={b.name: b.type for b in (*typed.constants, *typed.variables) if b.type},
            signatures=_signatures(typed),
            chart=chart_of,
            gallery=lambda: _gallery(model, run.path, first, result),
        )
    )


def _gallery(model: Model, path: Path, trace: Trace | None, result: Result) -> Gallery:
    if INTERRUPTED_BY_USER in result.reasons:  # who is in a hurry does not wait for pictures
        return Gallery(remarks=("no pictures: the run was interrupted",))
    # Only a report needs the compiler and the analysis that pictures take.
    made: Callable[..., Gallery] = import_module("secateur.app.pictures.gallery").gallery_of
    return made(model, path, trace)


def file_digest(path: Path) -> str | None:
    """Return the SHA-256 of a file; None for what is no file, or is one no more."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def stories_of(result: Result) -> tuple[Story, ...]:
    """Return the paths that a result has: to violations first, then those of formulas."""
    violations = (
        Story(
            v.kind.value,
            v.name,
            v.trace,
            0,
            v.message,
            v.span,
            v.witness,
            v.count,
            explanation=v.explanation,
            remarks=v.remarks,
            title=v.title,
        )
        for v in result.violations
    )
    shown = [story for f in result.temporal for story in _of_formula(f)]
    return (
        *violations,
        *(story for story in shown if story.violated),
        *(story for story in shown if not story.violated),
    )


def of_formulas(formulas: Sequence[TemporalResult]) -> Result:
    """Return a result that is about formulas alone: nothing else was looked at."""
    largest = max(formulas, key=lambda formula: formula.states, default=None)
    counted = (
        Statistics(0, 0) if largest is None else Statistics(largest.states, largest.transitions)
    )
    return Result(Holds(exhaustive=False), counted, 0.0, temporal=tuple(formulas))


def _of_formula(formula: TemporalResult) -> Iterator[Story]:
    evidence = formula.evidence
    if evidence is not None:
        fails = formula.holds is False
        yield Story(
            formula.logic,
            formula.name,
            evidence.trace,
            evidence.loop,
            violated=fails,
            formula=formula.formula,
            open=evidence.open,
            why=evidence.why,
            remarks=evidence.remarks,
        )


def _signatures(typed: TypedModel) -> dict[str, Signature]:
    return {
        op.name: Signature(
            {b.name: b.type for b in (*op.parameters, *op.results) if b.type}, op.span
        )
        for op in typed.operations
    }


def asked_of(model: Model, run: Run) -> Iterator[Asked]:
    """Yield what is looked at in each state, then what is looked at on each step."""
    kinds = run.kinds
    for each in model.system.properties:
        if each.kind in kinds and not (run.goal and each.kind is PropertyKind.GOAL):
            yield Asked(each.kind.value, each.name, each.predicate.span)
    if run.goal and PropertyKind.GOAL in kinds:
        yield Asked(PropertyKind.GOAL.value, "GOAL")
    if not kinds:
        return
    if PropertyKind.DEADLOCK in kinds:
        yield Asked(PropertyKind.DEADLOCK.value, "")
    yield Asked(PropertyKind.WELL_DEFINEDNESS.value, "")
    if PropertyKind.REFINEMENT in kinds and _refines(model.typed):
        yield Asked(PropertyKind.REFINEMENT.value, "")
    if PropertyKind.VARIANT in kinds and _varies(model.typed):
        yield Asked(PropertyKind.VARIANT.value, "")


def _refines(typed: TypedModel) -> bool:
    return bool(typed.initial_levels) or any(op.refines for op in typed.operations)


def _varies(typed: TypedModel) -> bool:
    promised = (each.kind for op in typed.operations for each in op.obligations)
    return PropertyKind.VARIANT in promised
