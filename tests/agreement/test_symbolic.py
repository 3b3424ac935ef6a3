"""The symbolic engine says what the Python engine says, on random machines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from secateur import load
from secateur.engine.native.available import why_not_native
from secateur.engine.symbolic.diagrams.registry import installed
from secateur.engine.symbolic.images.registry import IMAGES
from secateur.system.result import Result
from tests.agreement.machines import machines
from tests.effort import recursion_limit_kept

pytestmark = pytest.mark.skipif(
    why_not_native() is not None, reason=f"no native engine: {why_not_native()}"
)

MOST_STATES = 400


def facts(result: Result) -> dict[str, Any]:
    """Return what both engines must say alike; steps are not told apart by all that explicit ones are."""
    statistics = result.statistics
    return {
        "verdict": type(result.verdict).__name__,
        "exhaustive": result.exhaustive,
        "reasons": sorted(result.reasons),
        "states": statistics.states,
        "never enabled": statistics.never_enabled,
        "coverage": statistics.coverage,
        "violations": sorted(
            (v.kind.value, v.name, str(v.span), v.count) for v in result.violations
        ),
    }


@given(
    text=machines(),
    image=st.sampled_from([row.name for row in IMAGES]),
    diagrams=st.sampled_from([row.name for row in installed()]),
)
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_machines(tmp_path: Path, text: str, image: str, diagrams: str) -> None:
    with recursion_limit_kept():
        _compare(tmp_path / "random.mch", text, image, diagrams)


def _compare(path: Path, text: str, image: str, diagrams: str) -> None:
    path.write_text(text)
    model = load(path)
    python = model.check(native=False, all=True, max_states=MOST_STATES)
    if python.statistics.states >= MOST_STATES:
        return
    sets = model.check(engine="symbolic", image=image, diagrams=diagrams, all=True)
    assert facts(sets) == facts(python), text
    first = model.check(engine="symbolic", image=image, diagrams=diagrams)
    assert bool(first.violations) == bool(python.violations), text
    if image == "bf" and first.violations and not python.reasons:
        shortest = model.check(native=False)
        assert len(first.violations[0].trace) == len(shortest.violations[0].trace), text
