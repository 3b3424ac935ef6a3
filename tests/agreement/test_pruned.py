"""Reduced searches say what full ones say, on random machines: one class of properties at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings

from secateur import load
from secateur.app.model import CheckOptions, Model
from secateur.engine.native.available import why_not_native
from secateur.system.result import Result
from tests.agreement.machines import machines
from tests.effort import recursion_limit_kept

pytestmark = pytest.mark.skipif(
    why_not_native() is not None, reason=f"no native engine: {why_not_native()}"
)

MOST_STATES: Final = 400
_NOTHING: Final[CheckOptions] = {
    "deadlock": False,
    "invariant": False,
    "assertions": False,
    "goal": False,
}
CLASSES: Final[dict[str, CheckOptions]] = {
    "deadlock": {**_NOTHING, "deadlock": True, "all": True},
    "invariant": {**_NOTHING, "invariant": True},
    "both": {"all": True},
}
PLANS: Final[list[CheckOptions]] = [
    {"por": "stubborn"},
    {"por": "upset"},
    {"por": "best", "search": "df"},
    {"por": "ample", "search": "random"},
    {"por": "best", "proviso": "visited", "search": "mixed"},
    {"por": "process-ample"},
    {"por": "stubborn", "proviso": "static"},
    {"por": "best", "proviso": "stack", "search": "df"},
]


def said(result: Result) -> dict[str, object]:
    """Return what must be the same: kinds of violations, and the number of deadlocks."""
    kinds = sorted({v.kind.value for v in result.violations})
    deadlocks = sum(v.count for v in result.violations if v.kind.value == "deadlock")
    return {"verdict": type(result.verdict).__name__, "kinds": kinds, "deadlocks": deadlocks}


@given(machines())
@settings(
    deadline=None,
    max_examples=max(5, settings().max_examples // 10),  # each is checked two dozen times
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_random_machines(tmp_path: Path, text: str) -> None:
    path = tmp_path / "random.mch"
    path.write_text(text)
    with recursion_limit_kept():
        model = load(path)
        for name, options in CLASSES.items():
            _compare(model, name, options, text)


def _compare(model: Model, name: str, options: CheckOptions, text: str) -> None:
    natively: CheckOptions = {**options, "native": True}
    bounded: CheckOptions = {**natively, "max_states": MOST_STATES}
    full = model.check(**bounded)
    if full.statistics.states >= MOST_STATES:
        return
    for plan in PLANS:
        planned: CheckOptions = {**natively, **plan}
        reduced = model.check(**planned)
        assert said(reduced) == said(full), f"{name} {plan}\n{text}"
        assert reduced.statistics.states <= full.statistics.states
    in_python: CheckOptions = {**options, "por": "best", "native": False}
    assert said(model.check(**in_python)) == said(full), f"{name} in Python\n{text}"
