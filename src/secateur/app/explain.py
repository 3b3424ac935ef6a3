"""Results with the reasons of what fails."""

from __future__ import annotations

from dataclasses import replace

from secateur.engine.search.findings import NO_OPERATION_ENABLED
from secateur.lang.explain.violation import explain
from secateur.lang.lower import MachineSystem
from secateur.system.result import Result
from secateur.system.verdict import Violated, Violation


def explained(result: Result) -> Result:
    """Return a result whose violations say why they are."""
    verdict = result.verdict
    if not isinstance(verdict, Violated):
        return result
    violations = tuple(_explained(v) for v in verdict.violations)
    return replace(result, verdict=replace(verdict, violations=violations))


def _explained(violation: Violation) -> Violation:
    violation = replace(violation, explanation=explain(violation))
    system = violation.trace.system
    if violation.name != NO_OPERATION_ENABLED or not isinstance(system, MachineSystem):
        return violation
    words = system.model.words
    return replace(violation, title=words.deadlock, name=words.nothing)
