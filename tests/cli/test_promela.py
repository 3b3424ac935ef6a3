"""What users see of models in Promela."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Runner

HANDSHAKE = """\
mtype = { req, ack };
chan c = [0] of { mtype, byte };
chan d = [2] of { mtype, byte };
active proctype A() {
  byte x;
  c!req, 3;
  d?ack, x;
  assert(x == 4)
}
active proctype B() {
  byte y;
  c?req, y;
  d!ack, y
}
"""

STUCK = """\
byte x;
chan c = [0] of { byte };
chan d = [1] of { byte };
active proctype A() {
  if
  :: x > 3
  :: c!1
  fi
}
active proctype B() {
  d!1;
  d!2
}
active proctype C() {
  c?0
}
active proctype D() {
end: false
}
"""

UNREACHED = """\
byte x;
active proctype A() {
  if
  :: x == 0 -> x = 1
  :: x == 5 -> x = 2
  fi;
  goto over;
  x = 3;
over: skip
}
active proctype B() {
  do
  :: x = 1 - x
  od
}
"""

COUNTING = """\
#ifndef N
#define N 2
#endif
byte i, n;
active proctype A() {
  for (i : 1 .. N) {
    n++
  }
}
"""


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, secateur: Runner) -> Runner:
    """Return a function that writes a model and runs a command on it."""
    monkeypatch.chdir(tmp_path)

    def run(command: str, text: str, *words: str, stdin: str = "") -> object:
        (tmp_path / "m.pml").write_text(text)
        return secateur(command, "m.pml", *words, stdin=stdin)

    return run  # type: ignore[return-value]


def test_an_invalid_end_state_is_told_process_by_process(written: Runner) -> None:
    run = written("check", STUCK)
    assert run.code == 1
    assert run.out.startswith("invalid end state: no process can go on\n")
    _, _, told = run.out.partition("\n  A_0 is at m.pml:6\n")
    assert told.startswith("    x > 3 needs x > 3, which is false since step 1 (INITIALISATION)\n")
    assert "    c!1: no process is ready to receive\n" in told
    assert "  B_1 is at m.pml:12\n    d!2 needs d.len < 1, which is false" in told
    assert "  C_2 is at m.pml:15\n    c?0: no process is ready to send\n" in told
    assert "  D_3 is at m.pml:18, where it may stay\n" in told
    assert "    false: it can never be executed here\n" in told


def test_the_same_for_programs(written: Runner) -> None:
    (violation,) = written("check", STUCK, "--json").json()["violations"]
    told = violation["explanation"]["processes"]
    assert [each["process"] for each in told] == ["A_0", "B_1", "C_2", "D_3"]
    assert [each["may_stay"] for each in told] == [False, False, False, True]
    assert told[0]["place"]["line"] == 6
    assert [each["operation"] for each in told[0]["blocked"]] == ["x > 3", "c!1"]
    assert violation["kind"] == "deadlock"


def test_an_assertion_that_fails_is_shown_and_explained(written: Runner) -> None:
    run = written("check", HANDSHAKE)
    assert run.code == 1
    assert "--> m.pml:8:3" in run.out
    assert "because A_0.x = 4 is false" in run.out


def test_a_trace_as_a_message_sequence_chart(written: Runner, tmp_path: Path) -> None:
    run = written("check", HANDSHAKE, "-o", "t.msc", "-o", "t.msc.svg")
    assert run.code == 1
    assert (tmp_path / "t.msc").read_text() == (
        "step     A_0      B_1\n"
        "   2      !------->?      c!req, 3   [c: req, 3]\n"
        "   3      |        !      d!ack, y   [d: ack, 3]\n"
        "   4      ?        |      d?ack, x   [d: ack, 3] sent in step 3\n"
    )
    svg = (tmp_path / "t.msc.svg").read_text()
    assert svg.count('class="life"') == 2
    assert svg.count('class="arrow"') == svg.count('class="later"') == 1


def test_a_chart_of_what_is_repeated(written: Runner, tmp_path: Path) -> None:
    run = written("ltl", UNREACHED, "--ltl", "F({x = 9})", "-o", "t.msc")
    assert run.code == 1
    assert "from here on again and again:\n" in (tmp_path / "t.msc").read_text()


def test_a_model_without_processes_has_no_chart(secateur: Runner, tmp_path: Path) -> None:
    run = secateur("check", "Switch.mch", "-o", str(tmp_path / "t.msc"))
    assert run.code == 2
    assert "error[SEC460]: msc tells what processes do, and Switch has none" in run.err
    assert not run.out


def test_statements_that_nobody_reaches(written: Runner) -> None:
    run = written("check", UNREACHED, "--coverage")
    assert run.code == 0
    _, _, told = run.out.partition("unreached in A: ")
    assert told.startswith(
        "2 of 7 statements\n"
        "  m.pml:5: x = 2\n"
        "  m.pml:8: x = 3\n"
        "unreached in B: 1 of 2 statements\n"
        "  m.pml:15: -end-\n"
    )
    units = written("check", UNREACHED, "--coverage", "--json").json()["coverage"]["units"]
    assert [(u["name"], u["statements"], len(u["unreached"])) for u in units] == [
        ("A", 7, 2),
        ("B", 2, 1),
    ]


@pytest.mark.parametrize(
    "body", ["x = 1", "d_step { x = 1; progress: x = 2 }"], ids=["no label", "label in a d_step"]
)
def test_what_a_model_has_not_that_could_be_checked(written: Runner, body: str) -> None:
    run = written("ltl", f"byte x; active proctype P() {{ {body} }}")
    assert run.code == 2
    assert "has no ltl block, never claim, or place with a label accept... or progress" in run.err


def test_parts_of_a_loop_are_told_apart(written: Runner) -> None:
    run = written("check", COUNTING)
    for text in ("A_0:6 i = 1", "A_0:6 i <= N", "A_0:6 i++", "A_0:6 else", "A_0:9 -end-"):
        assert f"  {text} " in run.out


def test_a_macro_is_swept_over(written: Runner) -> None:
    runs = written("check", COUNTING, "--sweep", "N=1..3", "--json").json()["runs"]
    states = [run["states"] for run in runs]
    assert states == sorted(set(states))


def test_a_certificate_knows_the_macros(written: Runner, secateur: Runner) -> None:
    written("check", HANDSHAKE, "-D", "X=1", "--por", "stubborn", "--certificate", "c.json")
    assert "macros X=1" in secateur("audit", "c.json", "m.pml").out


@pytest.mark.parametrize("format_", ["itf.json", "prob2trace"])
def test_a_trace_is_replayed(written: Runner, secateur: Runner, format_: str) -> None:
    written("check", HANDSHAKE, "-o", f"t.{format_}")
    assert secateur("replay", "m.pml", f"t.{format_}").code == 0


def test_nothing_refines(written: Runner) -> None:
    run = written("refine", HANDSHAKE)
    assert run.code == 2
    assert "is in Promela, which has no refinement" in run.err


DECREMENT = """\
byte inside;
active proctype A() { inside++; inside-- }
"""

CUT = """\
byte small, large = 250;
active [2] proctype A() {
  byte own = small;
  small = (small + 1) % 3;
  large = large + own + 4
}
"""


def test_a_value_that_may_be_cut_is_named_once(written: Runner) -> None:
    notes = written("check", CUT, "--json").json()["notes"]
    assert notes == ["large = large + own + 4 at m.pml:5 may be cut to 8 bits"]


def test_a_value_that_is_never_too_large_is_not(written: Runner) -> None:
    for text in (COUNTING, DECREMENT):
        assert written("check", text, "--json").json()["notes"] == []


def test_macros_are_for_languages_that_have_some(secateur: Runner, tmp_path: Path) -> None:
    file = tmp_path / "M.mch"
    file.write_text("MACHINE M VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0 END")
    found = secateur("check", str(file), "-D", "N=3")
    assert found.code == 2
    assert "SEC293" in found.err


def test_what_says_nothing_about_promela_is_noted(secateur: Runner, tmp_path: Path) -> None:
    file = tmp_path / "m.pml"
    file.write_text("init { skip }")
    found = secateur("check", str(file), "--set-size", "S=3")
    assert "S has no meaning for Promela" in found.out


def test_channels_are_shown_as_sequences_of_messages_and_mtype_by_name(
    secateur: Runner, tmp_path: Path
) -> None:
    model = """\
mtype = { req, ack };
mtype last[2];
chan c = [2] of { mtype, byte };
active proctype A() { c!req(1); c!ack(2); last[1] = ack; assert(false) }
"""
    file = tmp_path / "m.pml"
    file.write_text(model, encoding="utf-8")
    shown = secateur("check", str(file), "--por", "none").out
    assert "c = {}" in shown
    assert "c: [(req|->1)] -> [(req|->1),(ack|->2)]" in shown
    assert "last(1): 0 -> ack" in shown
    assert "c.len" not in shown.partition("because")[0]
    stepped = secateur("step", str(file), "--json", stdin="1\n1\n").out.splitlines()[-1]
    assert json.loads(stepped)["state"]["c.len"] == "1"


def test_notes_on_long_steps_are_short(written: Runner) -> None:
    steps = "x = x + 100; " * 30
    run = written("check", f"byte x; active proctype P() {{ d_step {{ {steps} }} }}\n")
    (note,) = [line for line in run.out.splitlines() if "may be cut" in line]
    assert note.startswith("  note: x = x + 100; x = x + 100; ")
    assert note.endswith("... at m.pml:1 may be cut to 8 bits")
    assert len(note) < 120


TWO_NUMBERS = "proctype P() { skip } init { run P(); run P() }\n"


def test_a_statement_that_is_executed_is_not_told_as_never_enabled(written: Runner) -> None:
    """The second P has the number 1 or 2: never 3, for which nothing but JSON has a step."""
    for options in ((), ("--coverage",)):
        assert "never enabled" not in written("check", TWO_NUMBERS, *options).out
    counted = written("check", TWO_NUMBERS, "--json").json()["statistics"]
    assert any("run P()" in name for name in counted["never_enabled"])
