"""Results with the reasons of what fails."""

from __future__ import annotations

from dataclasses import replace

from secateur.lang.explain.violation import explain
from secateur.system.result import Result
from secateur.system.verdict import Violated


def explained(result: Result) -> Result:
    """Return a result whose violations say why they are."""
    verdict = result.verdict
    if not isinstance(verdict, Violated):
        return result
    violations = tuple(replace(v, explanation=explain(v)) for v in verdict.violations)
    return replace(result, verdict=replace(verdict, violations=violations))
