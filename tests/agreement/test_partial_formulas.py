"""The native engine tells what is ill-defined where the Python engine does, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings

from secateur import InputError, load
from secateur.engine.native.available import why_not_native
from tests.agreement.partial_formulas import partial_machines
from tests.agreement.test_engines import MOST_STATES, facts
from tests.effort import recursion_limit_kept

pytestmark = pytest.mark.skipif(
    why_not_native() is not None, reason=f"no native engine: {why_not_native()}"
)


@given(partial_machines())
@settings(deadline=None, suppress_health_check=list(HealthCheck))
def test_random_machines(tmp_path: Path, text: str) -> None:
    path = tmp_path / "Partial.mch"
    path.write_text(text)
    with recursion_limit_kept():
        try:
            model = load(path)
        except InputError:
            assume(False)  # `{} = {}`: nobody knows of what type
        python = model.check(native=False, all=True, max_states=MOST_STATES)
        assume(python.statistics.states < MOST_STATES)
        native = load(path).check(native=True, all=True)
    assert facts(native) == facts(python), text
