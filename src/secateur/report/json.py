"""The same for programs; docs/json.md describes every key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from secateur.maths.print_value import show_value
from secateur.report.changes import differences_of
from secateur.report.coverage import coverage_to_json
from secateur.report.errors import Json, place_to_json
from secateur.report.explanation import explanation_to_json
from secateur.system.engine import Engine
from secateur.system.result import Result
from secateur.system.statistics import Statistics
from secateur.system.system import Step
from secateur.system.trace import Trace
from secateur.system.verdict import Violation


def result_to_json(model: str, result: Result) -> Json:
    """Return the report on a check."""
    return {
        "model": model,
        "verdict": verdict_word(result),
        "exhaustive": result.exhaustive,
        "reasons": list(result.reasons),
        "states": result.statistics.states,
        "transitions": result.statistics.transitions,
        "violations": [_violation(v) for v in result.violations],
        "reductions": [asdict(r) for r in result.reductions],
        "symmetry": None if result.merged is None else asdict(result.merged),
        "seconds": round(result.seconds, 3),
        "assumptions": list(result.assumptions),
        "notes": list(result.notes),
        "coverage": coverage_to_json(result),
        "statistics": {**_statistics(result.statistics), **engine_to_json(result.engine)},
    }


def verdict_word(result: Result) -> str:
    """Return `holds`, `violated` or `incomplete`."""
    return {True: "holds", False: "violated", None: "incomplete"}[result.outcome]


def trace_to_json(trace: Trace) -> list[Json]:
    """Return a trace as a list of steps, each with what it changed."""
    return [
        {
            **step_to_json(step),
            "changed": values_to_json([(c.name, c.value) for c in changed]),
            "differences": [text for c in changed for text in differences_of(c)],
        }
        for step, changed in zip(trace.steps, trace.differences(), strict=True)
    ]


def step_to_json(step: Step) -> Json:
    """Return an operation with its arguments and results."""
    return {
        "operation": step.operation,
        "arguments": values_to_json(step.arguments),
        "results": values_to_json(step.results),
    }


def values_to_json(values: Sequence[tuple[str, Any]]) -> dict[str, str]:
    """Return values by name, each as B text: JSON has neither sets nor exact integers."""
    return {name: show_value(value) for name, value in values}


def _violation(violation: Violation) -> Json:
    return {
        "kind": violation.kind.value,
        "name": violation.name,
        "message": violation.message,
        "place": place_to_json(violation.span),
        "witness": values_to_json(violation.witness),
        "count": violation.count,
        "explanation": None
        if violation.explanation is None
        else explanation_to_json(violation.explanation),
        "remarks": list(violation.remarks),
        "trace": trace_to_json(violation.trace),
    }


def engine_to_json(engine: Engine) -> Json:
    """Return which engine it was, and what it took."""
    native = engine.name == "native"
    return {
        "engine": engine.name,
        "threads": engine.threads,
        "compiled": {"operations": engine.compiled, "of": engine.operations} if native else None,
        "compile_seconds": engine.compile_seconds,
        "memory": engine.memory,
    }


def _statistics(statistics: Statistics) -> Json:
    return {
        "operations": dict(statistics.operations),
        "never_enabled": list(statistics.never_enabled),
        "waiting": statistics.waiting,
        "coverage": {
            v.name: {"distinct": v.distinct, "min": v.least, "max": v.greatest, "more": v.more}
            for v in statistics.coverage
        },
    }
