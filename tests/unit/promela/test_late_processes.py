"""Processes that nobody thought of when the model was made."""

from __future__ import annotations

from pathlib import Path

import secateur

LATE = """
byte n;
proctype A() { skip }
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
