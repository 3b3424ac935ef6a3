"""The native product does what the Python one does, on random machines and formulas.

Reduced, it says the same.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from secateur import load
from secateur.app.temporal.claims import Claim, Manner
from secateur.engine.native.available import why_not_native
from secateur.system.temporal import TemporalResult
from tests.agreement.temporal import ALL_ROWS
from tests.agreement.temporal_machines import random_formula, random_machine
from tests.effort import recursion_limit_kept

pytestmark = pytest.mark.skipif(
    why_not_native() is not None, reason=f"no native engine: {why_not_native()}"
)

NATIVE = Manner(por="none", native=True)
PYTHON = Manner(por="none", native=False)


def agree(native: TemporalResult, python: TemporalResult) -> None:
    """Both say the same; where Python's first path is in doubt, another one may be found."""
    assert native.engine.name == "native", native.engine
    if python.holds is None:
        assert native.holds is not True
    else:
        assert native.holds is python.holds
    if native.holds is None:
        assert native.reasons
    if native.holds:  # everything was looked at, so it must be the same
        assert native.states == python.states
        assert native.transitions == python.transitions
        assert native.nodes == python.nodes


def agree_reduced(reduced: TemporalResult, full: TemporalResult) -> None:
    """What is left of the paths says what all say; in doubt, another one may be found."""
    assert reduced.engine.name == "native", reduced.engine
    assert (reduced.reduced is None) is (reduced.remark is not None)
    if full.holds is None:
        assert reduced.holds is not True
    else:
        assert reduced.holds is full.holds
    if reduced.holds:
        assert reduced.states <= full.states


def compare(folder: Path, seed: int, formulas: int, count: Counter[str]) -> None:
    """Compare the engines on one machine."""
    random = Random(seed)
    text = random_machine(random)
    path = folder / "Random.mch"
    path.write_text(text)
    model = load(path)
    for _ in range(formulas):
        formula = random_formula(random, text)
        claim = [Claim(formula, "ltl", formula)]
        (python,) = model.temporal(claim, manner=PYTHON)
        (native,) = model.temporal(claim, manner=NATIVE)
        rows = random.choice(ALL_ROWS)
        manner = Manner(rows.reduction.name, rows.proviso.name, native=True)
        (reduced,) = model.temporal(claim, manner=manner)
        try:
            agree(native, python)
            agree_reduced(reduced, native)
        except AssertionError as error:
            raise AssertionError(
                f"{seed}: {formula}\n{text}\n{python}\n{native}\n{reduced}"
            ) from error
        count[f"{python.holds} {native.holds}"] += 1
        if reduced.reduced is not None:
            count["left out" if reduced.reduced.reduced else "nothing left out"] += 1
        if native.evidence is not None:
            kind = "open" if native.evidence.open else "loop" if native.evidence.loop else "ends"
            count[kind] += 1


@given(st.integers(0, 2**32))
@settings(
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_random_machines_and_formulas(tmp_path: Path, seed: int) -> None:
    with recursion_limit_kept():
        compare(tmp_path, seed, 3, Counter())
