"""Parts of messages, and processes that ask whether they are enabled: the mistakes are Spin's."""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur.source import InputError
from tests.naive.promela import stable
from tests.unit.promela.explored import Explored, explored, judged, loaded
from tests.unit.promela.models import program_of

_WRITTEN = Path(__file__).with_name("mistakes_of_spin.txt")
_CALLED = {"invalid end state": "deadlock", "assertion violated": "assertion"}


def _cases() -> list[object]:
    cases: list[object] = []
    for block in _WRITTEN.read_text(encoding="utf-8").split("\n== ")[1:]:
        title, *text, found = block.strip().splitlines()
        _, states, transitions, *rest = found.split(" ", 3)
        wrong = frozenset(rest[0].split("; ") if rest else ())
        case = "\n".join(text), int(states), int(transitions), wrong
        cases.append(pytest.param(*case, id=title))
    return cases


@pytest.mark.parametrize(("text", "states", "transitions", "wrong"), _cases())
def test_what_the_engine_finds_is_what_spin_finds(
    tmp_path: Path, text: str, states: int, transitions: int, wrong: frozenset[str]
) -> None:
    kinds = frozenset(_CALLED.get(each, "welldefinedness") for each in wrong)
    assert explored(tmp_path, text) == Explored(states, transitions, kinds)


@pytest.mark.parametrize(("text", "states", "transitions", "wrong"), _cases())
def test_what_the_interpreter_finds_is_what_spin_finds(
    text: str, states: int, transitions: int, wrong: frozenset[str]
) -> None:
    found = stable(program_of(text))
    assert (found.stored, found.transitions) == (states, transitions)
    # where nothing can be done but a mistake, Spin stops
    assert wrong <= found.errors.keys() <= {*wrong, "invalid end state"}


@pytest.mark.parametrize(
    ("text", "said", "where"),
    [
        ("c!1,2; c?x", "a message of c has 2 fields, not 1", "c?x"),
        ("c!1,2; c?1", "a message of c has 2 fields, not 1", "c?1"),
        ("c!1,2; c?eval(x + 1)", "a message of c has 2 fields, not 1", "c?eval(x + 1)"),
        ("x = 1; c!!1", "a message of c has 2 fields, not 1", "c!!1"),
        ("d_step { c!1,2; c??x }", "a message of c has 2 fields, not 1", "c??x"),
        ("d = e; d!1,2", "a message of e has 1 field, not 2", "d!1,2"),
        ("x = 2; enabled(_pid)", "a process asks whether it can go on itself", "enabled(_pid)"),
        ("x = enabled(0)", "a process asks whether it can go on itself", "enabled(0)"),
    ],
)
@pytest.mark.parametrize("native", [False, True])
def test_a_mistake_is_told_with_its_place(
    tmp_path: Path, text: str, said: str, where: str, native: bool
) -> None:
    declared = "chan c = [1] of { byte, byte }; chan d; chan e = [1] of { byte }; byte x;"
    model = loaded(tmp_path, f"{declared} active proctype P() {{ {text} }}")
    result = model.check(native=native, engine="explicit", por="none", symmetry="none")
    (violation,) = result.violations
    assert violation.kind.value == "welldefinedness"
    assert violation.message == said
    assert violation.span is not None
    assert violation.span.text == where


def test_a_circle_of_questions_has_no_answer(tmp_path: Path) -> None:
    # Spin's verifier asks and asks until it has no room.
    text = "active proctype P() { enabled(1) } active proctype Q() { end: enabled(0) }"
    violations = loaded(tmp_path, text).check(all=True).violations
    assert violations
    for violation in violations:
        assert violation.message == "processes ask in circles whether they can go on"
        assert violation.span is not None
        assert violation.span.text.startswith("enabled(")


def test_processes_may_not_ask_for_one_another_in_all_ways(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="ask for one another in too many ways") as caught:
        loaded(tmp_path, "byte k; active [6] proctype P() { enabled(k); k++ }")
    (complaint,) = caught.value.diagnostics
    assert complaint.span is not None
    assert complaint.span.text == "enabled(k)"


def test_a_d_step_is_told_where_it_does_not_go_on(tmp_path: Path) -> None:
    text = "byte x; active proctype P() { d_step { x = 1; x = 2; x == 3; x = 4 } }"
    (violation,) = loaded(tmp_path, text).check().violations
    assert violation.message == "a d_step cannot go on"
    assert violation.span is not None
    assert violation.span.text == "x == 3"


def test_mistakes_beside_a_claim_are_told_as_elsewhere(tmp_path: Path) -> None:
    text = "byte x; chan c = [1] of { byte, byte }; active proctype P() { c!1; x = 3 }"
    (result,) = loaded(tmp_path, f"{text} never {{ do :: x == 4 -> break :: else od }}").temporal()
    assert result.holds is None
    assert any("a message of c has 2 fields, not 1" in reason for reason in result.reasons)


def test_the_place_in_a_rendezvous_is_where_it_is_received(tmp_path: Path) -> None:
    text = "chan c = [0] of { byte, byte }; active proctype P() { c!1,2 }"
    (violation,) = (
        loaded(tmp_path, f"{text} active proctype Q() {{ byte x; c?x }}").check().violations
    )
    assert violation.span is not None
    assert violation.span.text == "c?x"


def test_nobody_is_itself_to_a_claim(tmp_path: Path) -> None:
    text = "byte x; active proctype P() { x = 1; x = 2 }"
    assert judged(tmp_path, f"{text} ltl p {{ [] (enabled(0) || x == 2) }}") == {
        "ASSERT_LTL_p": True
    }
    claim = "never { do :: enabled(0) :: !enabled(0) -> break od }"
    assert judged(tmp_path, f"{text} {claim}") == {"never_0": False}
