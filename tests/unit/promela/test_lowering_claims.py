"""Formulas, claims and labels: verdicts are Spin's."""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur
from secateur.app.temporal.claims import Claim
from secateur.lang.promela import terms
from secateur.maths.ast import Name
from secateur.maths.operators.registry import CHANNELS, MACHINE_INTEGERS
from secateur.maths.print import show
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


def test_an_array_has_no_name_that_a_question_without_an_answer_has(tmp_path: Path) -> None:
    text = "byte {}[4], y; chan d; init {{ y = 1; y = 2 }} ltl q {{ [] (len(d) == 0) }}"
    for name in ("a", "unanswered"):
        (found,) = loaded(tmp_path, text.format(name)).temporal()
        assert found.holds is None
        (reason,) = found.reasons
        assert reason.startswith("the formula is ill-defined: the channel was never made")


ARITHMETIC = {
    "c_remainder": "x % 4 == 3",
    "bit_and": "(x & 3) == 3",
    "bit_or": "(x | 8) == 15",
    "bit_xor": "(x ^ 1) == 6",
    "bit_not": "~x == -8",
    "shift_left": "(x << 1) == 14",
    "shift_right": "(x >> 1) == 3",
    "wrap_signed": "x * 1000000 * 1000000 == -796692480",
    "wrap_unsigned": "(x << y) == 224",
}


@pytest.mark.parametrize("name", ARITHMETIC)
def test_arrays_with_names_of_functions_change_no_formula(tmp_path: Path, name: str) -> None:
    text = (
        f"byte {name}[9], x, y; init {{ {name}[3] = 1; d_step {{ x = 7; y = 5 }} }}"
        f" ltl p {{ <> ({ARITHMETIC[name]}) }} ltl q {{ [] ({name}[x] < 2) }}"
    )
    assert judged(tmp_path, text) == {"ASSERT_LTL_p": True, "ASSERT_LTL_q": True}


def test_only_functions_of_two_operands_stand_in_formulas() -> None:
    """Otherwise an array of that name would be meant, which has one index."""
    one = [str(o) for o in MACHINE_INTEGERS if o.signature and len(o.signature.operands) == 1]
    assert one == ["bit_not"]
    assert show(terms.invert(terms.Term(Name("x"), 0, 7)).expr) == "-1 - x"
    assert [str(o) for o in CHANNELS] == ["`no-answer`"]


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("G {wrap_unsigned(y,-1) = 0}", "-1 is no number of bits from 1 to 32"),
        ("G {wrap_signed(y,0) = 0}", "0 is no number of bits from 1 to 32"),
        ("G {wrap_unsigned(y,100000000) = 0}", "100000000 is no number of bits from 1 to 32"),
        ("G {wrap_signed(5,y) >= 0}", "0 is no number of bits from 1 to 32"),
        ("G {c_remainder(y,y - y) = 0}", "division by zero: 0 % 0"),
        ("G {`no-answer`(9) = 0}", "there is no answer"),
    ],
)
def test_operands_that_do_not_fit_have_no_result(tmp_path: Path, formula: str, said: str) -> None:
    model = loaded(tmp_path, "byte y; init { y = 1; y = 2 }")
    (found,) = model.temporal([Claim("formula", "ltl", formula)])
    assert found.holds is None
    assert found.reasons == (f"the formula is ill-defined: {said}",)


def test_formulas_may_use_what_c_has(tmp_path: Path) -> None:
    model = loaded(tmp_path, "byte y; chan c = [2] of {byte}; init { c!3; y = 1; y = 2 }")
    expected = {
        "G {wrap_unsigned(y,y + 1) = y}": True,
        "G {shift_left(1,1000000000) = 1}": True,
        "F {bit_not(y) = -3}": True,
        "G {c.len <= 2 & `c.1`(1) = 0}": True,
        "F {c.len = 1 & `c.1`(0) = 3}": True,
    }
    assert {f: _holds(model, f) for f in expected} == expected


@pytest.mark.parametrize("operand", ["0", "9", "-1"])
def test_nobody_asks_what_has_no_answer(tmp_path: Path, operand: str) -> None:
    model = loaded(tmp_path, "byte y; init { y = 1; y = 2 }")
    (found,) = model.temporal([Claim("formula", "ltl", f"G {{unanswered({operand}) = 0}}")])
    assert [d.message for d in found.errors] == ["unanswered is unknown in m"]
