"""What happened to one model, and how that compares with its record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

from tools.corpus.records import LOADED, Record


class Status(StrEnum):
    """How far a model came."""

    EXPLORED = "explored"
    LOADED = "loaded"  # and no more was asked
    REJECTED = "rejected"  # an InputError
    TIMEOUT = "timeout"
    MEMORY = "memory"
    CRASH = "crash"  # our fault


class Grade(StrEnum):
    """The comparison, best first."""

    EQUAL = "equal"
    UNFINISHED = "equal to an unfinished run of ProB's"
    COUNTS = "counts differ"
    VERDICT = "verdict differs"
    UNREPORTED = "error not reported"
    ACCEPTED = "accepted, ProB does not load it"
    REJECTED = "rejected"
    TIMEOUT = "time-out"
    MEMORY = "out of memory"
    CRASH = "crash"


@dataclass(slots=True)
class Outcome:
    """What was seen of one model."""

    path: str
    tier: str
    status: Status = Status.CRASH
    loaded: bool = False
    states: int = 0
    transitions: int = 0
    deadlock: bool = False
    invariant_violated: bool = False
    faults: list[str] | None = None
    gaps: list[str] | None = None
    error: str = ""
    seconds: float = 0.0
    grade: Grade = Grade.CRASH
    expected: dict[str, Any] | None = None
    operations: dict[str, int] | None = None
    notes: list[str] | None = None
    unfinished: str = ""
    assertion_violated: bool = False
    """The order in which a run that ends at the first state error gives the recorded counts."""


def counts_equal(outcome: Outcome, record: Record) -> bool:
    """Whether states and transitions are both as recorded."""
    return (outcome.states, outcome.transitions) == (record.states, record.transitions)


def verdicts_equal(outcome: Outcome, record: Record) -> bool:
    """Whether deadlock and invariant are as recorded, where something is recorded."""
    return record.deadlock in (None, outcome.deadlock) and record.invariant_violated in (
        None,
        outcome.invariant_violated,
    )


def grade(outcome: Outcome, record: Record) -> Grade:
    """Compare `outcome` with `record` by what its tier promises."""
    match outcome.status:
        case Status.TIMEOUT:
            return Grade.TIMEOUT
        case Status.MEMORY:
            return Grade.MEMORY
        case Status.CRASH:
            return Grade.CRASH
        case Status.REJECTED:
            return Grade.EQUAL if record.tier in ("noload", "error") else Grade.REJECTED
        case Status.LOADED:
            return Grade.ACCEPTED if record.tier == "noload" else Grade.EQUAL
        case Status.EXPLORED:
            return _grade_explored(outcome, record)


def _grade_explored(outcome: Outcome, record: Record) -> Grade:
    if record.tier == "error":
        reported = outcome.faults or outcome.gaps or outcome.assertion_violated
        return Grade.EQUAL if reported else Grade.UNREPORTED
    if not verdicts_equal(outcome, record):
        return Grade.VERDICT
    if record.tier != "convention" and not counts_equal(outcome, record):
        return Grade.COUNTS
    return Grade.EQUAL


def judged(outcome: Outcome, record: Record) -> Outcome:
    """Fill in the grade, and what was expected where it differs."""
    outcome.grade = grade(outcome, record)
    if outcome.grade is not Grade.EQUAL and record.tier not in LOADED:
        outcome.expected = {
            "states": record.states,
            "transitions": record.transitions,
            "deadlock": record.deadlock,
            "invariant_violated": record.invariant_violated,
        }
    return outcome


def may_be_unfinished(outcome: Outcome) -> bool:
    """Whether the record may be that of a run which ended at a state error."""
    wrong = bool(outcome.faults) or outcome.assertion_violated
    differs = outcome.grade in (Grade.COUNTS, Grade.VERDICT) and wrong
    endless = outcome.grade in (Grade.TIMEOUT, Grade.MEMORY) and outcome.loaded
    return outcome.tier in ("core", "tiny", "convention") and (differs or endless)


def to_line(outcome: Outcome) -> str:
    """Return `outcome` as one line of JSON."""
    return json.dumps(asdict(outcome), ensure_ascii=False)


def read_outcomes(path: Path) -> Iterator[Outcome]:
    """Yield the outcomes that an earlier run wrote to `path`."""
    known = {f.name for f in fields(Outcome)}
    with path.open(encoding="utf-8") as file:
        for line in file:
            row = {k: v for k, v in json.loads(line).items() if k in known}
            row["status"] = Status(row["status"])
            row["grade"] = Grade(row["grade"])
            yield Outcome(**row)
