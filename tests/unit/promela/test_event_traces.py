"""`trace` and `notrace`: figures and verdicts are those of Spin 6.5.2, depth-first, in full."""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur
from secateur.app.model import Model
from secateur.source import InputError

MESSAGES = "mtype = {a, b}; chan c = [2] of {mtype, byte};"
BYTES = "chan c = [1] of {byte};"
CASES = {
    "sent twice": (
        (
            f"{MESSAGES} trace {{ end: do :: c!a,_ ; c?a,1 od }}"
            "active proctype P() { c!a,1; c!a,1; c?_,_; c?_,_ }"
        ),
        {"assertion"},
        (6, 6),
    ),
    "must not happen": (
        (
            f"{MESSAGES} notrace {{ c!a,_ ; c!b,_ ; c?a,1 }}"
            "active proctype P() { c!a,1; if :: c!b,1 :: c!a,2 fi; c?_,_; c?_,_ }"
        ),
        {"assertion"},
        (8, 9),
    ),
    "does not happen": (
        (
            f"{MESSAGES} notrace {{ c!b,_ ; c!b,_ }}"
            "active proctype P() { c!a,1; if :: c!b,1 :: c!a,2 fi; c?_,_; c?_,_ }"
        ),
        set(),
        (8, 9),
    ),
    "jumps, and receives that do not matter": (
        (
            "chan c[2] = [1] of {byte}; byte n;"
            "trace { S0: if :: c[0]!0; goto S0 :: c[1]!1 fi }"
            "active proctype P() { do :: n < 3 -> n++; c[0]!0 :: c[1]!1; break od }"
            "active proctype Q() { byte x; end: do :: c[0]?x :: c[1]?x od }"
        ),
        set(),
        (34, 41),
    ),
    "inside of atomic": (
        (
            f"{BYTES} trace {{ c!0; c?0; c!1 }}"
            "active proctype P() { c!0; c?_; atomic { c!1; c?_ } }"
        ),
        {"assertion"},
        (5, 5),
    ),
    "inside of d_step, and nobody is left": (
        (
            f"{BYTES} trace {{ end: do :: c!0 :: c!1 -> c!0 od }}"
            "active [2] proctype P() { byte x; do :: c!1; c?x :: d_step { c!0; c?x } :: break od }"
        ),
        {"assertion"},
        (52, 131),
    ),
}


def _loaded(folder: Path, text: str) -> Model:
    file = folder / "m.pml"
    file.write_text(text, encoding="utf-8")
    return secateur.load(file)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("por", ["none", "best", "process-ample"])
def test_as_spin_has_it(tmp_path: Path, name: str, por: str) -> None:
    text, kinds, sizes = CASES[name]
    result = _loaded(tmp_path, text).check(all=True, por=por, symmetry="none")
    assert {v.kind.value for v in result.violations} == kinds
    assert {v.name for v in result.violations} <= {"trace", "notrace"}
    if por == "none":
        assert (result.statistics.states, result.statistics.transitions) == sizes


def test_a_trace_that_is_not_over_is_no_end(tmp_path: Path) -> None:
    text = (
        f"{BYTES} trace {{ c!0; c!1 }}"
        "active proctype P() { c!0; end: c!0 } active proctype Q() { end: false }"
    )
    result = _loaded(tmp_path, text).check(all=True)
    assert {v.kind.value for v in result.violations} == {"deadlock"}


@pytest.mark.parametrize(
    "text",
    [
        "chan c = [0] of {byte}; trace { c!1 } active proctype P() { c!1 }",
        "init { skip } trace { do :: skip od }",
        f"{BYTES} byte x; trace {{ c!1; x = 1 }} active proctype P() {{ c!1 }}",
        f"{BYTES} byte x; trace {{ c?x }} active proctype P() {{ c!1 }}",
        f"{BYTES} trace {{ if :: c!1 :: c!_ fi }} active proctype P() {{ c!1 }}",
        f"{BYTES} trace {{ c!1 }} active proctype P() {{ c!!1 }}",
        f"{BYTES} trace {{ c?1 }} active proctype P() {{ c!1; c??1 }}",
        f"{BYTES} chan d; trace {{ d!1 }} active proctype P() {{ d = c; d!1 }}",
    ],
)
def test_other_forms_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError) as caught:
        _loaded(tmp_path, text)
    (found,) = caught.value.diagnostics
    assert str(found.code) == "SEC343"
    assert found.span is not None


def test_there_is_one_at_most(tmp_path: Path) -> None:
    text = f"{BYTES} trace {{ c!1 }} notrace {{ c!0 }} active proctype P() {{ c!1 }}"
    with pytest.raises(InputError) as caught:
        _loaded(tmp_path, text)
    assert "more than one" in str(caught.value)
