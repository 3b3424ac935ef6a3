"""`eval`, `info` and `step`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Runner


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("1 + 2 * 3",), "7\n"),
        (("{x | x : 1..5 & x mod 2 = 0}",), "{2,4}\n"),
        (("2 > 3",), "FALSE\n"),
        (("-(1 + 2)",), "-3\n"),
        (("-1",), "-1\n"),
        (("x : 1..3 & x * x = 4",), "TRUE\nSolution:\n  x = 2\n"),
        (("x : 1..3 & x * x = 5",), "FALSE\n"),
        (("#x.(x : 1..3 & x * x = 4)",), "TRUE\nSolution:\n  x = 2\n"),
        (("LET a BE a = 2 IN b = a + 1 END",), "TRUE\nSolution:\n  b = 3\n  a = 2\n"),
        (('STRING_LENGTH("abc") + MU({4})',), "7\n"),
        (("MAXINT",), "3\n"),
        (("MAXINT", "-p", "MAXINT", "10"), "10\n"),
        (("floor + card(PERSON)", "Lift.mch"), "2\n"),
        (("door = closed", "Lift.mch"), "TRUE\n"),
        (("p : PERSON & p /: inside", "Lift.mch"), "TRUE\nSolution:\n  p = PERSON1\n"),
    ],
)
def test_eval(secateur: Runner, words: tuple[str, ...], shown: str) -> None:
    run = secateur("eval", *words)
    assert (run.code, run.out, run.err) == (0, shown, "")


def test_eval_knows_the_definitions_of_a_model(secateur: Runner, tmp_path: Path) -> None:
    path = tmp_path / "d.mch"
    path.write_text(
        """MACHINE d SETS S = {a, b} CONSTANTS k PROPERTIES k = 5
        DEFINITIONS "LibraryStrings.def"; square(x) == x * x; more(x) == square(x) + k
        END"""
    )
    asked = {
        "more(2)": "9\n",
        "S": "{a,b}\n",
        "k": "5\n",
        "{square | square : 1..2}": "{1,2}\n",
        'STRING_LENGTH("ab")': "2\n",
    }
    for expression, shown in asked.items():
        assert secateur("eval", expression, str(path)).out == shown
    assert "takes 1 argument(s), 2 given" in secateur("eval", "more(1, 2)", str(path)).err


def test_eval_of_what_has_no_value(secateur: Runner) -> None:
    run = secateur("eval", "1 / 0")
    assert run.code == 1
    assert run.out.startswith("not well-defined: division by zero")
    assert secateur("eval", "1 / 0", "--json").json()["outcome"] == "undefined"


def test_eval_as_json(secateur: Runner) -> None:
    found = secateur("eval", "x : 1..3 & x * x = 4", "--json").json()
    assert found["outcome"] == "predicate"
    assert found["result"] == "TRUE"
    assert found["solution"] == {"x": "2"}


def test_info(secateur: Runner) -> None:
    run = secateur("info", "Lift.mch")
    assert run.code == 0
    assert "  PERSON = {PERSON1, PERSON2}  (deferred)\n" in run.out
    assert "  inside : POW(PERSON)  (mentioned in 2 invariants)\n" in run.out
    assert "  enter(p : PERSON)\n      reads door, inside; writes inside\n" in run.out
    assert "  n <-- count\n      reads inside; writes nothing\n" in run.out


def test_info_as_json(secateur: Runner) -> None:
    found = secateur("info", "Lift.mch", "--json").json()
    up = next(o for o in found["operations"] if o["name"] == "up")
    assert (up["reads"], up["writes"]) == (["roof", "floor", "door"], ["floor"])
    assert found["variables"][0]["type"] == "INTEGER"


def test_a_walk_from_a_pipe(secateur: Runner) -> None:
    words = ["2", "1", "1", "eval floor * 10", "back", "s", "t", "nonsense", "77", "eval (", ""]
    run = secateur("step", "Lift.mch", stdin="\n".join(words))
    assert run.code == 0
    assert run.out.startswith(
        "  1) SETUP_CONSTANTS  [roof = 2]\n"
        "  2) SETUP_CONSTANTS  [roof = 3]\n"
        "  1  SETUP_CONSTANTS\n"
        "       roof = 3\n"
        "  1) INITIALISATION\n"
        "  2  INITIALISATION\n"
        "       floor = 0, door = closed, inside = {}\n"
        "  1) up\n"
        "  2) open_door\n"
        "  3) count --> n = 0\n"
        "  3  up\n"
        "       floor: 0 -> 1\n"
        "  1) up\n"
        "  2) down\n"
        "  3) open_door\n"
        "  4) count --> n = 0\n"
        "10\n"
        "back one step\n"
    )
    assert "'nonsense' is not understood" in run.out
    assert "there is no transition 77; there are 3" in run.out
    assert "error[SEC" in run.out


def test_a_random_walk_is_the_same_under_the_same_seed(secateur: Runner) -> None:
    first, second = (
        secateur("step", "Lift.mch", "--seed", "3", stdin="random 20\nquit\n") for _ in range(2)
    )
    assert first == second
    assert first.code == 0


def test_trouble_is_shown_while_walking(secateur: Runner) -> None:
    run = secateur("step", "Stuck.mch", stdin="1\n1\n1\n1\nrandom 5\n")
    assert "not well-defined: divide: division by zero" in run.out
    assert "assertion violated: n /= 2" in run.out
    assert "no operation is enabled" in run.out
    assert "stuck after 0 steps" in run.out


def test_a_walk_as_json_lines(secateur: Runner) -> None:
    run = secateur("step", "Switch.mch", "--json", stdin="1\n1\neval on\n")
    start, initialised, toggled, evaluated = map(json.loads, run.out.splitlines())
    assert [e["operation"] for e in start["enabled"]] == ["INITIALISATION"]
    assert initialised["state"] == {"on": "FALSE"}
    assert toggled["trace"][0]["changed"] == {"on": "TRUE"}
    assert evaluated["answer"]["result"] == "TRUE"
