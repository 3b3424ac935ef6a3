"""Formulas, claims and labels: verdicts are Spin's."""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur
from secateur.app.temporal.claims import Claim
from tests.unit.promela.explored import judged, loaded

_WRITTEN = Path(__file__).with_name("claims_of_spin.txt")


def _cases() -> list[object]:
    cases: list[object] = []
    for block in _WRITTEN.read_text(encoding="utf-8").split("\n== ")[1:]:
        title, *text, holds, violated = block.strip().splitlines()
        expected = dict.fromkeys(holds.split()[1:], True)
        expected |= dict.fromkeys(violated.split()[1:], False)
        cases.append(pytest.param("\n".join(text), expected, id=title))
    return cases


@pytest.mark.parametrize(("text", "expected"), _cases())
def test_claim(tmp_path: Path, text: str, expected: dict[str, bool]) -> None:
    found = {
        name.removeprefix("ASSERT_LTL_"): holds for name, holds in judged(tmp_path, text).items()
    }
    assert found == expected


def test_an_assertion_that_fails_does_not_end_a_run(tmp_path: Path) -> None:
    text = (
        "byte x; active proctype P() { do :: assert(x > 3); x = 1 - x od } ltl p { []<>(x == 1) }"
    )
    (found,) = loaded(tmp_path, text).temporal()
    assert found.holds is True


def _holds(model: secateur.Model, formula: str) -> bool | None:
    (found,) = model.temporal([Claim("formula", "ltl", formula)])
    return found.holds


def test_formulas_know_a_parameter_that_never_changes(tmp_path: Path) -> None:
    text = "byte x; proctype W(byte id) { x = id; x = 9 } init { run W(5) }"
    model = loaded(tmp_path, text)
    assert "W_1.id" not in [variable.name for variable in model.typed.variables]
    expected = {
        "G {W_1 = 0 => W_1.id = 0}": True,
        "G {W_1 /= 0 => W_1.id = 5}": True,
        "G {W_1.id = 0}": False,
    }
    assert {f: _holds(model, f) for f in expected} == expected


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("ltl p { [] (len(c) < 3) }", "the channel was never made"),
        ("ltl p { [] !full(c) }", "the channel was never made"),
        ("never { do :: nempty(c) -> break :: else od }", "the channel was never made"),
        ("ltl p { [] !r?[1] }", "a channel without a buffer is asked for its messages"),
        ("ltl p { [] (len(q[x]) == 0) }", "an index is outside of its array"),
        ("ltl p { [] (b[x] < 256) }", "2 is not in the domain"),
        ("ltl p { [] (9 / (x - 2) < 10) }", "division by zero"),
        ("ltl p { !<> !(b[x] == 1 || true) }", "2 is not in the domain"),
        ("ltl p { [] (!(b[x] == 1 || b[x] != 1) || x < 5) }", "2 is not in the domain"),
        ("ltl p { [] (0 * b[x] + x < 3) }", "2 is not in the domain"),
        ("never { do :: !(b[x] == 1 || true) -> break :: true od }", "2 is not in the domain"),
        ("never { do :: (b[x] == 1 && b[x] != 1) -> break :: true od }", "2 is not in the domain"),
    ],
)
def test_what_has_no_value_is_no_reason_to_say_that_a_claim_holds(
    tmp_path: Path, claim: str, said: str
) -> None:
    text = (
        "chan c, d = [3] of {byte}, q[2] = [1] of {byte}, r = [0] of {byte}; byte b[2], x;"
        " active proctype P() { x = 2; c = d }"
    )
    (found,) = loaded(tmp_path, f"{text}\n{claim}").temporal()
    assert found.holds is None
    assert any(said in reason for reason in found.reasons)


def test_a_question_to_a_channel_that_may_not_be_made_yet_can_stand_behind_another(
    tmp_path: Path,
) -> None:
    text = (
        "chan c, d = [3] of {byte}; active proctype P() { c = d; c!1; c!2 }\n"
        "ltl few { [] (c == 0 || len(c) < 2) } ltl not_full { [] (c == 0 || nfull(c)) }"
    )
    assert judged(tmp_path, text) == {"ASSERT_LTL_few": False, "ASSERT_LTL_not_full": True}
