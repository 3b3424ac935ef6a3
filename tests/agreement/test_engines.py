"""The native engine does what the Python engine does, on random machines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from secateur import load
from secateur.engine.native.available import why_not_native
from secateur.system.result import Result
from tests.agreement.machines import machines
from tests.effort import recursion_limit_kept

pytestmark = pytest.mark.skipif(
    why_not_native() is not None, reason=f"no native engine: {why_not_native()}"
)

MOST_STATES = 400


def facts(result: Result) -> dict[str, Any]:
    """Return what both engines must say alike."""
    statistics = result.statistics
    return {
        "verdict": type(result.verdict).__name__,
        "exhaustive": result.exhaustive,
        "reasons": sorted(result.reasons),
        "states": statistics.states,
        "transitions": statistics.transitions,
        "operations": dict(statistics.operations),
        "coverage": statistics.coverage,
        "violations": sorted(
            (v.kind.value, v.name, str(v.span), v.count, len(v.trace)) for v in result.violations
        ),
    }


@given(machines())
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_machines(tmp_path: Path, text: str) -> None:
    with recursion_limit_kept():
        _compare(tmp_path / "random.mch", text)


def _compare(path: Path, text: str) -> None:
    path.write_text(text)
    model = load(path)
    for collect, invariant in ((True, True), (False, True), (False, False)):
        python = model.check(native=False, all=collect, invariant=invariant, max_states=MOST_STATES)
        if python.statistics.states >= MOST_STATES:
            return  # where a limit is hit within a level, the order decides what was seen
        native = model.check(native=True, all=collect, invariant=invariant)
        assert facts(native) == facts(python), text
