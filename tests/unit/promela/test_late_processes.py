"""Processes that nobody thought of when the model was made."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

import secateur
from secateur.app.animate import Animation
from secateur.app.certificates.audited import audit_model
from secateur.app.pictures.graph import gather
from secateur.app.replay import replay
from secateur.app.room import as_asked, with_room
from secateur.audit.audit import Outcome
from secateur.engine.limits import INTERRUPTED_BY_USER, NO_LIMITS, Limits
from secateur.report.envelope import enveloped
from secateur.report.json import trace_to_json
from secateur.system.system import PropertyKind
from secateur.system.temporal import TemporalResult
from tests.unit.promela.explored import Explored, explored

LATE = """
byte n;
proctype A() { end: n == 250 }
proctype P() { accept: do :: _pid == 1 -> n = 1 - n :: _pid != 1 -> break od }
init { run A(); do :: n < 250 -> n++ :: n == 250 -> n = 0; break od; run P() }
"""
"""P has the number 2, unless A is gone by then: that is found out by a search only."""


def _loaded(folder: Path, text: str) -> secateur.Model:
    file = folder / "late.pml"
    file.write_text(text, encoding="utf-8")
    return secateur.load(file)


def test_a_search_makes_room_for_them(tmp_path: Path) -> None:
    model = _loaded(tmp_path, LATE)
    assert "P_1" not in {b.name for b in model.typed.variables}
    result = model.check(por="none")
    assert result.exhaustive
    assert "P_1" in {b.name for b in model.typed.variables}


def test_claims_are_about_them_as_well(tmp_path: Path) -> None:
    (found,) = _loaded(tmp_path, LATE).temporal()
    assert found.name == "ASSERT_LTL_acceptance"
    assert found.holds is False


def test_an_endless_number_of_them_is_no_endless_search(tmp_path: Path) -> None:
    text = "proctype P() { skip } init { do :: run P() od }"
    result = _loaded(tmp_path, text).check(max_seconds=1)
    assert not result.exhaustive
    assert result.reasons


GUESSED = """
byte n;
active proctype S() { n == 200 -> run C() }
proctype B() { n < 200 -> n++; n == 200 }
proctype C() { skip }
active proctype I() { atomic { run B(); run B() } }
"""
"""In the order of the text C would be the first to be created, but nobody sees that it is."""


def test_who_was_not_seen_comes_after_those_who_were(tmp_path: Path) -> None:
    model = _loaded(tmp_path, GUESSED)
    names = {b.name for b in model.typed.variables}
    assert names == {"_nr_pr", "n", "S_0", "I_1", "B_2", "B_3", "C_4"}
    assert model.check(por="none", deadlock=False).exhaustive


RING = """
chan q[3] = [1] of { byte };
byte n;
proctype Node(chan inp, out; byte me) { byte x; out!me; inp?x }
init {
  byte i, first;
  atomic {
    if :: first = 0 :: first = 1 :: first = 2 fi;
    do
    :: i < 3 -> run Node(q[i], q[(i + 1) % 3], (first + i) % 3 + 1); i++
    :: else -> break
    od
  }
}
"""
"""Which channels a node is given is always the same; which number it is given is not."""


def test_what_is_always_passed_is_known_though_other_arguments_are_not(tmp_path: Path) -> None:
    model = _loaded(tmp_path, RING)
    assert {b.name for b in model.typed.variables if b.name.startswith("Node_1.")} == {
        "Node_1.me",
        "Node_1.x",
    }
    assert model.check(por="none").exhaustive
    assert not model.grown()


def test_an_argument_that_a_search_only_finds_out_is_not_the_expected_one(tmp_path: Path) -> None:
    text = """
    byte n;
    chan q[2] = [1] of { byte };
    proctype P(chan c; byte me) { c!me }
    init { do :: n < 250 -> n++ :: n == 250 -> break :: n < 2 -> break od; run P(q[n / 250], n) }
    """
    model = _loaded(tmp_path, text)
    result = model.check(por="none")
    assert result.exhaustive
    reached = {c.name: c.distinct for c in result.statistics.coverage}
    assert reached["P_1.c"] == 3  # none as yet, and either of two


def test_several_may_be_created_in_one_step(tmp_path: Path) -> None:
    both = "atomic { run A(); run P() }"
    model = _loaded(tmp_path, LATE.replace("run P()", both))
    result = model.check(por="none")
    assert result.exhaustive
    assert {"P_2", "P_3"} <= {b.name for b in model.typed.variables}


def test_processes_that_multiply_are_loaded_and_the_limit_is_the_one_that_was_asked_for(
    tmp_path: Path,
) -> None:
    model = _loaded(tmp_path, "active proctype A() { run A(); run A() }")
    assert len(model.typed.variables) < 100
    result = model.check(max_seconds=2, por="none")
    limit = "the limit of 2 seconds was reached"
    assert result.reasons
    assert all(r == limit or r.endswith("there is no room") for r in result.reasons)


def test_walks_see_branches_of_all_kinds(tmp_path: Path) -> None:
    """The first twenty ways through the choice begin alike: a search would find the others."""
    later = "; ".join(f"if :: y = {i} :: y = {i + 1} fi" for i in (1, 3, 5, 7, 9))
    text = f"""
    byte n, y;
    proctype P(byte x) {{ n = x }}
    init {{ byte z; atomic {{ if :: z = 1 :: z = 2 fi; {later}; run P(z) }} }}
    """
    model = _loaded(tmp_path, text)
    first = model.typed
    assert model.check(por="none").exhaustive
    assert model.typed is first


WRONG = (
    LATE.replace("accept: do", "do")
    .replace("od }\ninit", "od; assert(n != 1) }\ninit")
    .replace("n = 1 - n", "n = 1; break")
)
"""The assertion fails for the one that nobody thought of."""


def test_a_graph_has_them(tmp_path: Path) -> None:
    model = _loaded(tmp_path, LATE)
    graph = gather(model)
    assert not graph.reasons
    found = _loaded(tmp_path, LATE).check(por="none", symmetry="none").statistics
    assert len(graph.states) == found.states
    assert len(graph.sources) + len(graph.initial) == found.transitions


def test_a_graph_is_not_begun_anew_when_the_time_is_over(tmp_path: Path) -> None:
    text = "proctype P() { skip } init { do :: run P() od }"
    graph = gather(_loaded(tmp_path, text), Limits(seconds=1))
    assert graph.reasons


def _walk(model: secateur.Model, words: list[str]) -> Animation:
    walk = Animation(model.system, 0, lambda: model.system if model.grown() else None)
    for word in words:
        (wanted,) = (t for t in walk.enabled() if word in t.step.operation)
        walk.take(wanted)
    return walk


def test_a_walk_meets_them(tmp_path: Path) -> None:
    model = _loaded(tmp_path, LATE)
    counting = ["n < 250", "n++"] * 250
    end = ["A_1:3 n == 250", "A_1:3 -end-", "init_0:5 n == 250", "n = 0"]
    over = ["INITIALISATION", "run A()", *counting, *end]
    walk = _walk(model, over)
    assert not walk.trouble()
    (birth,) = walk.enabled()
    assert len(walk.trace.transitions) == len(over)
    walk.take(birth)
    assert walk.state is not None
    values = model.values(walk.state)
    assert (values["P_1"] > 0, values["P_2"]) == (True, 0)


def test_a_trace_of_them_is_executed_again(tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    result = _loaded(tmp_path, WRONG).check(por="none")
    (violation,) = result.violations
    assert violation.trace is not None
    told = {"claim": None, "trace": trace_to_json(violation.trace)}
    file.write_text(json.dumps(enveloped("replay", told)), encoding="utf-8")
    again = replay(_loaded(tmp_path, WRONG), file)
    assert again
    assert again.trouble
    assert len(again.trace.transitions) == len(violation.trace.transitions)


def test_a_certificate_is_about_them(tmp_path: Path) -> None:
    file = tmp_path / "certificate.json"
    result = _loaded(tmp_path, LATE).check(por="stubborn", certificate=file)
    assert result.exhaustive
    assert audit_model(file, tmp_path / "late.pml").found.outcome is Outcome.ACCEPTED


def test_what_was_found_is_about_the_model_that_is_left() -> None:
    def grow(_: Limits) -> bool:
        pytest.fail("grown too late")

    found = with_room(lambda _: "before", grow, limits=Limits(seconds=-1))
    assert found == "before"


def test_a_limit_may_be_reached_while_room_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = _loaded(tmp_path, LATE)

    def lower(*_: object) -> None:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            pass

    monkeypatch.setattr("secateur.app.model.lower", lower)
    result = model.check(por="none", max_seconds=1)
    said = "the limit of 1 seconds was reached while room was made for more processes"
    assert result.reasons[-1] == said
    assert result.outcome is None
    (formula,) = model.temporal(limits=Limits(seconds=1))
    assert formula.holds is None
    assert formula.reasons[-1] == said


def test_a_limit_is_told_as_it_was_asked_for() -> None:
    reasons = ("the limit of 0.25 seconds was reached", "something else")
    assert as_asked(reasons, 0.25, 3) == ("the limit of 3 seconds was reached", "something else")


def test_an_interrupted_formula_is_not_begun_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = _loaded(tmp_path, LATE)
    undecided = TemporalResult("p", "ltl", "p", "p", None, reasons=(INTERRUPTED_BY_USER,))
    monkeypatch.setattr("secateur.app.model.check_claim", lambda *_: undecided)
    monkeypatch.setattr(model, "grown", lambda _: pytest.fail("begun anew"))
    assert model.temporal() == [undecided]


MANY = "byte n; proctype P() { false } init { do :: n < 60 -> run P(); n++ :: else -> break od }"
CHAIN = "proctype P() { if :: _pid < 60 -> run P() :: else -> false fi } init { run P() }"


@pytest.mark.parametrize(
    ("text", "last", "size"), [(MANY, 60, (182, 182)), (CHAIN, 60, (121, 121))]
)
def test_room_for_many_is_made_a_few_times(
    tmp_path: Path, text: str, last: int, size: tuple[int, int]
) -> None:
    model = _loaded(tmp_path, text)
    times = 0

    def larger(limits: Limits = NO_LIMITS) -> bool:
        nonlocal times
        times += 1
        return made(limits)

    made, model.grown = model.grown, larger  # type: ignore[method-assign]
    result = model.check(all=True, por="none")
    assert f"P_{last}" in {b.name for b in model.typed.variables}
    assert (result.statistics.states, result.statistics.transitions) == size
    assert result.exhaustive
    assert times < 10


def test_there_are_never_more_than_spin_allows(tmp_path: Path) -> None:
    model = _loaded(tmp_path, "proctype P() { false } init { do :: run P() od }")
    result = model.check()
    assert any("more than 255 processes" in reason for reason in result.reasons)
    assert result.statistics.states == 255
    assert "P_255" not in {b.name for b in model.typed.variables}


def test_what_is_asked_of_a_process_that_comes_later_is_no_mistake(tmp_path: Path) -> None:
    text = """
    byte n; proctype P() { byte x = 3; false }
    init { do :: n < 40 -> run P(); n++ :: n == 40 -> break od; assert(P[39]:x != 3) }
    """
    model = _loaded(tmp_path, text)
    (violation,) = model.check(deadlock=False).violations
    assert violation.kind is PropertyKind.ASSERTION
    assert not model.typed.notes


def test_a_number_that_no_process_has_is_noted(tmp_path: Path) -> None:
    asked = "x == P[3]:y || P[5]@l || P[_pid]:y == 1"
    text = f"byte x; active [2] proctype P() {{ byte y; l: y = 1; {asked} }}"
    model = _loaded(tmp_path, text)
    result = model.check()
    places = [note.split(": ")[0].rpartition("late.pml:")[2] for note in result.notes]
    assert places == [f"1:{text.index('P[3]') + 1}", f"1:{text.index('P[5]') + 1}"]
    assert result.exhaustive


def test_that_note_is_true_of_a_search_that_ended_early_as_well(tmp_path: Path) -> None:
    text = """
    byte n; proctype P() { byte x = 3; false }
    init { do :: n < 40 -> run P(); n++ :: n == 40 -> break od; assert(P[39]:x == 3) }
    """
    result = _loaded(tmp_path, text).check(max_states=5)
    assert not result.exhaustive
    (note,) = result.notes
    assert note.endswith(": no process P is known to get this number: what is asked of it is 0")


def test_room_is_made_beside_a_claim_as_well(tmp_path: Path) -> None:
    text = (
        "byte n; proctype P(byte k) { n == 9 } init { byte i; "
        "do :: n < 200 -> n++ :: n == 200 -> break od; "
        "do :: i < 20 -> i++; run P(0) :: else -> break od } "
        "never { do :: _nr_pr == 99 -> break :: else od }"
    )
    (result,) = _loaded(tmp_path, text).temporal()
    assert result.holds


@pytest.mark.parametrize(
    "process",
    [
        "byte l; do :: r?l :: l == 5 -> assert(false); break od",
        "byte l = 2; S: do :: d_step { r?l; x++ } :: l != 2 -> assert(x != 1); break od",
        "byte l; byte k = 3; end: do :: atomic { r?l -> k = l } :: k == 5 -> assert(false); break od",
    ],
)
def test_what_a_process_receives_as_it_is_created_is_not_forgotten(
    tmp_path: Path, process: str
) -> None:
    # it is back where it began, with other values than it began with
    text = f"chan r = [0] of {{ byte }}; byte x; proctype P() {{ {process} }}"
    found = explored(tmp_path, f"{text} init {{ atomic {{ run P(); r!5 }} }}")
    assert found == Explored(6, 6, frozenset({"assertion"}))  # as Spin


@pytest.mark.parametrize("rounds", [":: x = (x + 1) % 3", ":: x < 40 -> x++ :: x == 40 -> break"])
def test_a_long_d_step_may_go_before_a_process_is_created(tmp_path: Path, rounds: str) -> None:
    text = f"byte x; proctype L() {{ skip }} active proctype P() {{ d_step {{ do {rounds} od }}; run L() }}"
    assert explored(tmp_path, text).kinds == frozenset()
