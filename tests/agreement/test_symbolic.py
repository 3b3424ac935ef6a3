"""The symbolic engine says what the Python engine says, on random machines."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from secateur import load
from secateur.app.checking.symbolic import SymbolicMachine
from secateur.app.temporal.claims import Claim
from secateur.app.temporal.claims import Manner as TemporalManner
from secateur.engine.limits import seconds_reached
from secateur.engine.native.available import why_not_native
from secateur.engine.search.protocol import Task
from secateur.engine.symbolic.diagrams.protocol import DiagramsRow
from secateur.engine.symbolic.diagrams.registry import CUDD, OXIDD, installed
from secateur.engine.symbolic.explore import Manner, explore
from secateur.engine.symbolic.images.protocol import ImageRow
from secateur.engine.symbolic.images.registry import IMAGES
from tests.agreement.machines import machines
from tests.effort import recursion_limit_kept
from tests.examples.test_readme import ROOT
from tools.symbolic.compare import facts

pytestmark = pytest.mark.skipif(
    why_not_native() is not None, reason=f"no native engine: {why_not_native()}"
)

MOST_STATES = 400
MOST_SECONDS = 30
"""A random step can be hard to say as diagrams (`card(g >< g)` for any g): others will do."""


@given(
    text=machines(),
    image=st.sampled_from([row.name for row in IMAGES]),
)
@settings(
    deadline=None, max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_random_machines(tmp_path: Path, text: str, image: str) -> None:
    with recursion_limit_kept():
        _compare(tmp_path / "random.mch", text, image)


def _compare(path: Path, text: str, image: str) -> None:
    path.write_text(text)
    model = load(path)
    python = model.check(native=False, all=True, max_states=MOST_STATES)
    if python.statistics.states >= MOST_STATES:
        return
    sets = model.check(engine="symbolic", image=image, all=True, max_seconds=MOST_SECONDS)
    if seconds_reached(MOST_SECONDS) in sets.reasons:
        return
    assert facts(sets) == facts(python), text
    first = model.check(engine="symbolic", image=image)
    assert bool(first.violations) == bool(python.violations), text
    if image == "bf" and first.violations and not python.reasons:
        shortest = model.check(native=False)
        assert len(first.violations[0].trace) == len(shortest.violations[0].trace), text


@pytest.mark.parametrize("row", installed(), ids=lambda row: row.name)
@pytest.mark.parametrize("image", IMAGES, ids=lambda image: image.name)
def test_examples(row: DiagramsRow, image: ImageRow) -> None:
    for name, states in (("ProducerConsumer", 23_328), ("Turntable", 1_470)):
        model = load(ROOT / "examples" / "symbolic" / f"{name}.mch")
        found = model.check(engine="symbolic", image=image.name, diagrams=row.name)
        explicit = model.check(engine="explicit", por="none", symmetry="none")
        assert found
        assert found.statistics.states == states
        assert facts(found) == facts(explicit)
        assert found.statistics.operations == explicit.statistics.operations


@pytest.mark.skipif(CUDD not in installed(), reason="dd is not installed")
def test_variables_may_be_reordered() -> None:
    model = load(ROOT / "examples" / "symbolic" / "Turntable.mch")
    assert model.check(engine="symbolic", diagrams="cudd", reorder=True)


def test_sets_far_beyond_lists() -> None:
    model = load(ROOT / "examples" / "symbolic" / "Turntable.mch", set_sizes={"DRILL": 40})
    found = model.check(engine="symbolic")
    assert found
    assert found.statistics.states == 30 * 7**40


LIMITED = """MACHINE Limited
VARIABLES x, y
INVARIANT x : 0..200 & y : 0..200 & x + y < 390
INITIALISATION x, y := 0, 0
OPERATIONS
  east = SELECT x < 200 THEN x := x + 1 END;
  north = SELECT y < 200 THEN y := y + 1 END
END
"""


def test_limits_make_the_verdict_incomplete(tmp_path: Path) -> None:
    path = tmp_path / "Limited.mch"
    path.write_text(LIMITED)
    model = load(path)
    found = model.check(engine="symbolic", image="bf", max_states=50, invariant=False)
    assert found.reasons == ("the limit of 50 states was reached",)
    assert found.statistics.waiting > 0
    assert not found.exhaustive
    found = model.check(engine="symbolic", max_seconds=1e-9)
    assert found.reasons == ("the limit of 1e-09 seconds was reached",)
    found = model.check(engine="symbolic", image="bf")
    assert [(v.kind.value, len(v.trace)) for v in found.violations] == [("invariant", 391)]


def test_no_room_for_nodes_is_told(tmp_path: Path) -> None:
    path = tmp_path / "Limited.mch"
    path.write_text(LIMITED)
    model = load(path)
    task = Task(model.system)
    machine = SymbolicMachine(model.system, task.kinds)
    found = explore(task, machine, Manner(IMAGES[0], OXIDD, rooms=(1 << 9,)))
    assert found.reasons == ("there is no room for more than 512 nodes of diagrams",)


POWERS = """MACHINE Powers
VARIABLES x, y
INVARIANT x : 0..50 & y : 0..1 & {invariant}
INITIALISATION x := 50 || y := 0
OPERATIONS
  dec = PRE x > 0 THEN x := x - 1 END;
  big = PRE x ** 30 >= 0 THEN y := 1 - y END
END
"""


@pytest.mark.parametrize("invariant", ["x ** 30 /= 2 ** 30", "x ** 30 /= 45 ** 30", "10 / x /= 5"])
@pytest.mark.parametrize("collect", [False, True])
def test_where_code_traps_the_evaluator_is_asked(
    tmp_path: Path, invariant: str, collect: bool
) -> None:
    """Overflows and undefined expressions, beside violations with and without a trap."""
    path = tmp_path / "Powers.mch"
    path.write_text(POWERS.replace("{invariant}", invariant))
    model = load(path)
    sets = model.check(engine="symbolic", all=collect)
    explicit = model.check(native=False, all=collect)
    assert sets.violations
    if collect:
        assert facts(sets) == facts(explicit)


@pytest.mark.parametrize("formula", ["G e(big)", "G F {y = 0}", "WEF => F {x = 49}"])
def test_formulas_where_code_traps(tmp_path: Path, formula: str) -> None:
    path = tmp_path / "Powers.mch"
    path.write_text(POWERS.replace("{invariant}", "TRUE = TRUE"))
    claim = Claim(formula, "ltl", formula)
    (sets,) = load(path).temporal([claim], manner=TemporalManner(engine="symbolic"))
    (explicit,) = load(path).temporal([claim])
    assert sets.holds is explicit.holds
