"""What was found out about steps of refinement, as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from secateur.report.errors import Json
from secateur.report.json import result_to_json
from secateur.report.style import PLAIN, Style
from secateur.report.text import render_result
from secateur.system.refinement import RefinementResult, outcome_of


def render_refinements(steps: Sequence[RefinementResult], style: Style = PLAIN) -> str:
    """Return the reports on all steps, one after the other."""
    return "\n\n".join(_render(step, style) for step in steps)


def _render(step: RefinementResult, style: Style) -> str:
    claim = f"{step.concrete} refines {step.abstract}"
    report = render_result(claim, step.result, style)
    if not step.result.violations:
        return report
    # Both levels are in the trace: who knows one of them wonders where the other begins.
    levels = [f"  {name}: {', '.join(own) or 'none'}" for name, own in step.levels]
    return "\n".join([report, "variables per level:", *levels])


def refinements_to_json(model: str, steps: Sequence[RefinementResult]) -> Json:
    """Return the report on all steps; each of them is like one on a check."""
    words = {True: "holds", False: "violated", None: "incomplete"}
    return {
        "model": model,
        "verdict": words[outcome_of(steps)],
        "exhaustive": all(step.result.exhaustive for step in steps),
        "steps": [_to_json(step) for step in steps],
    }


def _to_json(step: RefinementResult) -> Json:
    report = result_to_json(step.concrete, step.result)
    levels = [{"name": name, "variables": list(own)} for name, own in step.levels]
    return {**report, "refines": step.abstract, "levels": levels}
