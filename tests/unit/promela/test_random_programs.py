"""The generator of random programs: always the same ones, and Spin takes them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from secateur.lang.promela.frontend import read_program
from tools.promela import spin
from tools.promela_fuzz.generate import KINDS, Program, generate
from tools.promela_fuzz.judges import Asked, Judgement, by_spin, judged
from tools.promela_fuzz.undone import by_spin_kept, kept

SOME = range(60)
WORDS = (
    "if",
    "do",
    "else",
    "break",
    "goto",
    "atomic",
    "d_step",
    "unless",
    "assert",
    "timeout",
    "run",
    "printf",
    "provided",
    "select",
    "for",
    "eval",
    "!!",
    "??",
    "xr ",
    "typedef",
    "end_",
    "accept_",
    "progress_",
    "ltl",
)


def test_a_number_has_one_program() -> None:
    assert [generate(n) for n in SOME] == [generate(n) for n in SOME]
    assert len({generate(n).text for n in SOME}) == len(SOME)
    assert {generate(n).kind for n in SOME} == set(KINDS)


def test_everything_occurs() -> None:
    text = "\n".join(generate(n).text for n in range(300))
    assert [word for word in WORDS if word not in text] == []


def test_our_front_end_takes_them(tmp_path: Path) -> None:
    for seed in SOME:
        file = tmp_path / f"program{seed}.pml"
        file.write_text(generate(seed).text, encoding="utf-8")
        assert read_program(file, {}).proctypes


@pytest.mark.skipif(spin.missing() is not None, reason="Spin is not installed")
def test_spin_takes_them(tmp_path: Path) -> None:
    for seed in SOME:
        (tmp_path / "program.pml").write_text(generate(seed).text, encoding="utf-8")
        command = ["spin", "-a", "program.pml"]
        done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, f"{seed}: {done.stdout}{done.stderr}"
        assert "Error" not in done.stdout, f"{seed}: {done.stdout}"


def test_received_messages_are_kept_without_another_step() -> None:
    text = """chan c0 = [1] of { byte };
chan c1 = [0] of { byte };
  c0?i;
  :: c0?? <1> ->
  c1?i;
  od;
  c0?i;
  :: c0?[1] -> skip
  :: c0??[a[0]] ->
  :: c0?i, a[0] ->
"""
    assert kept(text).splitlines()[2:] == [
        "  d_step { c0?i };",
        "  :: d_step { c0?? <1> } ->",
        "  c1?i;",
        "  od;",
        "  c0?i;",
        "  :: c0?[1] -> skip",
        "  :: c0??[a[0]] ->",
        "  :: d_step { c0?i, a[0] } ->",
    ]


@pytest.mark.skipif(spin.missing() is not None, reason="Spin is not installed")
def test_a_verdict_that_comes_of_a_step_taken_back_wrongly(tmp_path: Path) -> None:
    program = generate(40918)
    asked = Asked(program, tmp_path / "program.pml")
    asked.file.write_text(program.text, encoding="utf-8")
    ours = judged("full", asked)
    assert ours == Judgement(assertion=False, end=False, states=82, transitions=144)
    assert by_spin(asked).end
    again = by_spin_kept(asked, "gcc")
    assert again is not None
    assert again.agrees(ours)


@pytest.mark.skipif(spin.missing() is not None, reason="Spin is not installed")
def test_sizes_that_come_of_a_message_received_into_an_element(tmp_path: Path) -> None:
    """A byte is received into a `bool` and an element of an array at once."""
    text = (
        "chan c = [1] of { byte, byte };\n"
        "bool b;\n"
        "byte a[2], x;\n"
        "active proctype P() {\n  c!2,1;\n}\n"
        "active proctype R() {\n  c?2,_;\n  x = 1;\n}\n"
        "active proctype Q() {\n  c?b,a[0];\n}\n"
    )
    asked = Asked(Program(0, text, "accept"), tmp_path / "program.pml")
    asked.file.write_text(text, encoding="utf-8")
    ours = judged("full", asked)
    theirs = by_spin(asked, spin.quick_compiler())
    assert not ours.same_size(theirs)
    again = by_spin_kept(asked, spin.quick_compiler())
    assert again is not None
    assert again.same_size(ours)
