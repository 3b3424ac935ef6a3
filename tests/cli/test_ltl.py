"""`secateur ltl`: formulas of the model, of files and of the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Runner

MODEL = """MACHINE Lamp
DEFINITIONS
  ASSERT_LTL_safe == "G ({light = on} => {power = TRUE})";
  ASSERT_LTL_live == "G F {light = on}";
  ASSERT_CTL_reset == "AG EF {light = off}"
SETS LIGHT = {on, off}
VARIABLES light, power, used
INVARIANT light : LIGHT & power : BOOL & used : 0..3
INITIALISATION light, power, used := off, TRUE, 0
OPERATIONS
  turn(to) = PRE to : LIGHT & to /= light & power = TRUE THEN light := to || used := (used + 1) mod 4 END;
  rest = SELECT light = off THEN skip END
END
"""


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "Lamp.mch"
    path.write_text(MODEL)
    return str(path)


def test_the_formulas_of_a_model(secateur: Runner, model: str) -> None:
    run = secateur("ltl", model)
    assert (run.code, run.err) == (1, "")
    heads = [line for line in run.out.splitlines() if not line.startswith(" ")]
    assert [head.split(":")[0] for head in heads] == ["holds", "violated", "holds"]
    assert "from here on for ever:" in run.out
    assert "rest" in run.out


def test_json(secateur: Runner, model: str) -> None:
    run = secateur("ltl", "--json", "--ltl", "F {light = on}", "--ctl", "EF {used = 3}", model)
    assert run.code == 1
    found = json.loads(run.out)
    lasting, reached = found["formulas"]
    assert (lasting["verdict"], reached["verdict"]) == ("violated", "holds")
    assert lasting["evidence"]["loop"] == 1
    assert lasting["evidence"]["atoms"][0] == {"{light = on}": False}
    assert len(reached["evidence"]["trace"]) == 4


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        ("SF(turn(on)) => G F {light = on}", 0),
        ("WF(turn(on)) => G F {light = on}", 0),
        ("WF(turn(off)) => G F {light = on}", 1),
        ("G ([turn(on)] => X {light = on})", 0),
        ("G ([turn(_)] => X {light = on})", 1),
        ("G ({light = on} => O [turn(on)])", 0),
        ("!x.({x : LIGHT} => G ([turn(x)] => X {light = x}))", 0),
        ("#x.({x : LIGHT} & F G {light = x})", 1),
        ("G (changed({light}) <=> changed({used}))", 0),
        ("G deterministic(turn, rest)", 1),
        ("G ([turn] <=> BA({light /= light$0}))", 0),
        ("G before_after({used >= used$0})", 1),
        (
            "!x.({x : 0..3} => G ([turn] & {used = x} => BA({used$0 = x & used = (x + 1) mod 4})))",
            0,
        ),
        ("G {#n.(n : 0..3 & n = used)}", 0),
        ("!x.({x : 1..2} => G {x > 0}) & !x.({x : BOOL} => F {x = TRUE or power = TRUE})", 0),
        ("!x.({x : LIGHT} => #x.({x : 0..3} & F {used = x}))", 0),
        ("!x.({x : 1..2} => #y.({y : {x}} & !x.({x = y + 2} => G {x > 2})))", 0),
        ("{light = on} => {light = off} => {light = on}", 1),
        ("G not deadlock & G not sink", 0),
    ],
)
def test_formulas(secateur: Runner, model: str, formula: str, code: int) -> None:
    run = secateur("ltl", "--ltl", formula, model)
    assert (run.code, run.err) == (code, ""), run.out


def test_a_file_of_formulas(secateur: Runner, model: str, tmp_path: Path) -> None:
    file = tmp_path / "some formulas.ltl"
    file.write_text("// safety\nG {used < 4}\r\n\n% liveness\nG F [rest]\n")
    run = secateur("ltl", "--file", str(file), "--parse", model)
    assert run.code == 1
    assert "some formulas.ltl:2" in run.out
    assert "read as G (F [rest])" in run.out


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        ("G {lihgt = on}", "SEC323"),
        ("G e(trun)", "SEC322"),
        ("G [turn(on, off)]", "SEC323"),
        ("G {light}", "SEC131"),
        ("G [turn(1)]", "SEC323"),
        ("WF(turn(light)) => F {light = on}", "SEC323"),
        ("!x.({x : 1..(1/0)} => G {x > 0})", "SEC323"),
        ("G increasing({light})", "SEC323"),
        ("G (", "SEC320"),
        ("G goal", "SEC323"),
        ("!x.({x = used} => F {x = 1})", "SEC323"),
        ("!used.({used : 0..1} => F {used = 1})", "SEC323"),
        ("G current", "SEC323"),
        ("G not error", "SEC323"),
    ],
)
def test_what_is_wrong_is_shown_in_the_formula(
    secateur: Runner, model: str, formula: str, code: str
) -> None:
    run = secateur("ltl", "--ltl", formula, model)
    assert run.code == 2
    assert f"error[{code}]" in run.err
    assert "Traceback" not in run.err


def test_of_many_faults_that_are_alike_a_few_are_told(secateur: Runner, tmp_path: Path) -> None:
    path = tmp_path / "Faulty.mch"
    path.write_text(
        "MACHINE Faulty VARIABLES x, y INVARIANT x : 0..20 & y : 0..1 INITIALISATION x, y := 0, 0\n"
        "OPERATIONS up = SELECT x < 20 THEN x := x + 1 END; bad = y := x / y END"
    )
    run = secateur("ltl", "--json", "--ltl", "G {y = 0}", str(path))
    (found,) = json.loads(run.out)["formulas"]
    assert found["verdict"] == "incomplete"
    assert found["reasons"] == [
        *(f"bad is ill-defined: division by zero: {x} / 0" for x in range(3)),
        "bad is ill-defined: and 18 more like this",
    ]


def test_nothing_to_check(secateur: Runner, tmp_path: Path) -> None:
    path = tmp_path / "Plain.mch"
    path.write_text("MACHINE Plain END")
    run = secateur("ltl", str(path))
    assert run.code == 2
    assert "SEC453" in run.err


def test_a_limit_makes_it_incomplete(secateur: Runner, model: str) -> None:
    run = secateur("ltl", "--ltl", "G {used < 4}", "--max-states", "2", model)
    assert run.code == 3
    assert "the limit of 2 states was reached" in run.out
    violated = secateur("ltl", "--ltl", "G {light = on}", "--max-states", "2", model)
    assert violated.code == 1  # a path that is there is there


SEVERAL = """MACHINE Several
CONSTANTS c PROPERTIES c : 1..2
VARIABLES x INVARIANT x : 0..5 INITIALISATION x := 0
OPERATIONS
  op(k) = PRE k = 1 THEN x := k END;
  stay = skip;
  broken = SELECT x = 1 & 10 / (x - 1) = 2 THEN x := 2 END
END
"""


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        # what depends on constants with several values is not decided by the first of them
        ("!k.({k : {c}} => G {k = 1})", 2),
        ("WF(op(c)) => F {x > 0}", 2),
        ("WF(op(1)) => F {x > 0}", 3),
        # nobody knows what is enabled where a guard has no value
        ("G not deadlock", 3),
        ("G e(stay)", 3),
        ("G {1 / x = 1}", 3),
        ("!k.({k : INTEGER} => G {k < 1000})", 3),
    ],
)
def test_what_is_not_known_is_not_said(
    secateur: Runner, tmp_path: Path, formula: str, code: int
) -> None:
    path = tmp_path / "Several.mch"
    path.write_text(SEVERAL)
    run = secateur("ltl", "--ltl", formula, str(path))
    assert run.code == code, run.out + run.err


def test_one_bad_formula_does_not_keep_others_from_being_judged(
    secateur: Runner, model: str
) -> None:
    formulas = ("G {used < 4}", "G {lihgt = on}", "F {light = on}")
    run = secateur("ltl", *(word for f in formulas for word in ("--ltl", f)), model)
    assert run.code == 2
    heads = [line for line in run.out.splitlines() if not line.startswith(" ")]
    assert [head.split(":")[0] for head in heads] == ["holds", "error", "violated"]
    assert "SEC323" in heads[1]
    assert "error[SEC323]" in run.err
    found = json.loads(secateur("ltl", "--json", "--ltl", formulas[1], model).out)
    assert found["formulas"][0]["verdict"] == "error"
    assert found["formulas"][0]["errors"][0]["code"] == "SEC323"


APART = """MACHINE Apart
VARIABLES a, b, done
INVARIANT a : 0..3 & b : 0..3 & done : BOOL
INITIALISATION a, b, done := 0, 0, FALSE
OPERATIONS
  one = SELECT a < 3 THEN a := a + 1 END;
  two = SELECT b < 3 THEN b := b + 1 END;
  finish = SELECT a = 3 & b = 3 & done = FALSE THEN done := TRUE END
END
"""


@pytest.fixture
def apart(tmp_path: Path) -> str:
    path = tmp_path / "Apart.mch"
    path.write_text(APART)
    return str(path)


@pytest.mark.parametrize("approach", ["static", "dynamic"])
@pytest.mark.parametrize("por", ["stubborn", "ample", "process-ample"])
def test_what_a_formula_cannot_see_is_left_out(
    secateur: Runner, apart: str, por: str, approach: str
) -> None:
    run = secateur("ltl", "--por", por, "--approach", approach, "--ltl", "F {done = TRUE}", apart)
    assert (run.code, run.err) == (0, "")
    assert "(8 states, 7 transitions" in run.out
    assert "the formula sees 1 of 3 actions" in run.out
    full = secateur("ltl", "--por", "none", "--ltl", "F {done = TRUE}", apart)
    assert "(17 states, 25 transitions" in full.out


@pytest.mark.parametrize(
    ("formula", "code", "why"),
    [
        ("G X {done = FALSE}", 1, "X counts steps"),
        ("{a = 0} U [one]", 0, "may change with silent steps"),
        ("G ([finish] => O [two])", 0, "may hold at a step and not at a silent one"),
        ("G not sink", 1, "may change with any step"),
    ],
)
def test_why_nothing_is_left_out(
    secateur: Runner, apart: str, formula: str, code: int, why: str
) -> None:
    run = secateur("ltl", "--por", "stubborn", "--ltl", formula, apart)
    assert (run.code, run.err) == (code, "")
    line = next(line for line in run.out.splitlines() if "not reduced: " in line)
    assert why in line


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        ("G ({done = TRUE} => {a = 3})", 0),
        ("G ({a = 3} => {b = 3})", 1),
        ("G ([two] => {a = 0})", 1),
        ("G (e(two) => {a = 0})", 1),
        ("F deadlock & G (deadlock => {done = TRUE})", 0),
        ("G ({a = 3} => F [finish])", 1),
        ("G ({done = TRUE} => O {a = 1})", 0),
        ("G ({b = 3} => deadlock)", 1),
        ("WF(one) => F {a = 3}", 0),
        ("!k.({k : 1..3} => F {a = k})", 0),
        ("G (changed({a}) => {b = 0})", 1),
        ("G deterministic(one, two)", 1),
    ],
)
def test_verdicts_on_a_reduced_graph(secateur: Runner, apart: str, formula: str, code: int) -> None:
    run = secateur("ltl", "--por", "stubborn", "--ltl", formula, apart)
    assert (run.code, run.err) == (code, ""), run.out
    assert "reduction: stubborn" in run.out
    assert secateur("ltl", "--por", "none", "--ltl", formula, apart).code == code


def test_a_name_with_many_values(secateur: Runner, apart: str) -> None:
    formula = "!k.({k : 0..400} => G ({a = k} => F {b >= k or k > 3}))"
    run = secateur("ltl", "--ltl", formula, apart)
    assert (run.code, run.err) == (0, "")


def test_a_violation_is_found_before_everything_is_explored(secateur: Runner, apart: str) -> None:
    run = secateur("ltl", "--json", "--por", "none", "--ltl", "G {b < 1}", apart)
    dynamic = json.loads(run.out)["formulas"][0]
    run = secateur(
        "ltl", "--json", "--por", "none", "--approach", "static", "--ltl", "G {b < 1}", apart
    )
    static = json.loads(run.out)["formulas"][0]
    assert (dynamic["verdict"], static["verdict"]) == ("violated", "violated")
    assert dynamic["states"] < static["states"] == 17
    assert len(dynamic["evidence"]["trace"]) == 3


def test_formulas_beside_a_check(secateur: Runner, model: str) -> None:
    formula = "F {light = on}"
    run = secateur("check", "--ltl", formula, "--ctl", "EF {used = 3}", model)
    assert run.code == 1
    assert f"violated: {formula}" in run.out
    assert "violated: Lamp" in run.out
    found = json.loads(secateur("check", "--json", "--ltl", formula, model).out)
    assert found["verdict"] == "violated"
    assert [v["kind"] for v in found["violations"]] == ["ltl"]
    assert found["formulas"][0]["evidence"]["loop"] == 1
    assert secateur("check", "--ltl", "G {used < 4}", model).code == 0
    assert secateur("check", "--ltl", "G {usde < 4}", model).code == 2
    assert secateur("check", "--ltl", "G {used < 4}", "--max-states", "2", model).code == 3
