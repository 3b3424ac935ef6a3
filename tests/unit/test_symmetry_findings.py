"""Which elements may be exchanged, and what tells others apart."""

from pathlib import Path

import pytest

import secateur
from secateur.lang.symmetry.findings import Found, find_symmetry
from secateur.maths.operators.external import output
from secateur.maths.operators.registry import EXTERNALS

MACHINE = """
MACHINE Found
SETS PROC; STATE = {idle, busy}; COLOUR = {red, green, blue}
CONSTANTS leader
PROPERTIES card(PROC) = 4 & leader : PROC
VARIABLES at, seen
INVARIANT at : PROC --> STATE & seen <: COLOUR
INITIALISATION at := PROC * {idle} || seen := {}
OPERATIONS
  Work(p) = PRE p : PROC & at(p) = idle THEN at(p) := busy END;
  See(c) = PRE c : COLOUR THEN seen := seen \\/ {c} END
END
"""


def found_in(tmp_path: Path, text: str) -> Found:
    path = tmp_path / "Found.mch"
    path.write_text(text)
    return find_symmetry(secateur.load(path).typed)


def free(found: Found) -> dict[str, int]:
    return {f.name: f.free for f in found.findings}


def test_an_element_that_is_named_is_told_apart(tmp_path: Path) -> None:
    found = found_in(tmp_path, MACHINE)
    assert free(found) == {"PROC": 4, "STATE": 0, "COLOUR": 3}
    assert [each.name for each in found.free] == ["PROC", "COLOUR"]
    state = next(f for f in found.findings if f.name == "STATE")
    assert state.reasons[0].startswith("idle is named in")


def test_the_elements_without_a_name_are_still_alike(tmp_path: Path) -> None:
    text = MACHINE.replace("seen := {}", "seen := {red}")
    found = found_in(tmp_path, text)
    assert free(found)["COLOUR"] == 2
    assert {each.name: len(each.elements) for each in found.free} == {"PROC": 4, "COLOUR": 2}


def test_constants_that_differ_are_names(tmp_path: Path) -> None:
    text = MACHINE.replace("CONSTANTS leader", "CONSTANTS leader, follower").replace(
        "leader : PROC", "leader : PROC & follower : PROC & leader /= follower"
    )
    assert free(found_in(tmp_path, text))["PROC"] == 2


@pytest.mark.parametrize(
    "formula", ["CHOOSE(PROC) = leader", "LESS(leader, leader)", 'TO_STRING(leader) = "PROC1"']
)
def test_some_functions_see_more_than_values(tmp_path: Path, formula: str) -> None:
    text = MACHINE.replace(
        "MACHINE Found",
        'MACHINE Found\nDEFINITIONS "CHOOSE.def"; "LibraryStrings.def"; EXTERNAL_PREDICATE_LESS(T) == T*T; LESS(a,b) == TRUE',
    )
    text = text.replace("seen <: COLOUR", f"seen <: COLOUR & ({formula} => seen <: COLOUR)")
    found = found_in(tmp_path, text)
    assert not found.free
    assert all("tells elements apart" in f.reasons[0] for f in found.findings)


def test_what_is_looked_for_counts(tmp_path: Path) -> None:
    path = tmp_path / "Found.mch"
    path.write_text(MACHINE)
    model = secateur.load(path)
    plain = model.check(symmetry="canonical", deadlock=False)
    assert plain.merged is not None
    assert dict(plain.merged.sets) == {"PROC": 4, "COLOUR": 3}
    named = model.check(
        symmetry="canonical", deadlock=False, goal="seen = {red, green, blue} & red : seen"
    )
    assert named.merged is not None
    assert dict(named.merged.sets) == {"PROC": 4}
    assert [v.kind.value for v in named.violations] == ["goal"]


def test_where_there_is_none_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "None.mch"
    path.write_text(
        "MACHINE None VARIABLES v INVARIANT v : 0..2 INITIALISATION v := 0 OPERATIONS op = SELECT v < 2 THEN v := v + 1 END END"
    )
    result = secateur.load(path).check(symmetry="canonical", deadlock=False)
    assert result.merged is None
    assert result.notes == ("no symmetry: there is no given set of several elements",)


def test_no_more_are_exchanged_than_there_is_room_for(tmp_path: Path) -> None:
    path = tmp_path / "Many.mch"
    path.write_text(
        """MACHINE Many SETS P; Q; R
VARIABLES x INVARIANT x <: P * Q INITIALISATION x := {}
OPERATIONS add(p, q) = PRE p : P & q : Q & x = {} THEN x := {p |-> q} END END
"""
    )
    model = secateur.load(path, set_sizes={"P": 40, "Q": 30, "R": 2})
    found = find_symmetry(model.typed)
    assert free(found) == {"P": 40, "Q": 24, "R": 0}
    assert found.findings[1].reasons == ("no more than 64 elements are exchanged in all",)
    for strategy in ("auto", "canonical", "markers"):
        result = model.check(symmetry=strategy, native=None if strategy == "auto" else True)
        assert {v.kind.value for v in result.violations} == {"deadlock"}
    full = model.check(symmetry="canonical", native=True, deadlock=False)
    assert full.statistics.states == 1 + 1 + 6  # of Q, six are not exchanged


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize(
    "asked", [{"symmetry": "flood"}, {"symmetry": "canonical"}, {"por": "stubborn"}]
)
def test_where_constants_have_no_values_nothing_is_merged(
    tmp_path: Path, native: bool, asked: dict[str, str]
) -> None:
    path = tmp_path / "Found.mch"
    path.write_text(MACHINE.replace("leader : PROC", "leader : COLOUR & COLOUR - {leader} = {}"))
    result = secateur.load(path).check(native=native, **asked)  # type: ignore[arg-type]
    assert result.statistics.states == 0
    assert result.merged is None


@pytest.mark.parametrize("symmetry", ["none", "canonical"])
def test_a_limit_that_leaves_no_room_beside_the_constants(tmp_path: Path, symmetry: str) -> None:
    path = tmp_path / "Found.mch"
    path.write_text(MACHINE.replace("leader : PROC", "leader : COLOUR"))
    result = secateur.load(path).check(symmetry=symmetry, native=True, max_states=1)
    assert result.reasons == ("the limit of 1 states was reached",)


def test_whoever_adds_a_function_of_any_values_says_whether_it_tells_elements_apart() -> None:
    """One that is forgotten here would let different states be taken for the same."""
    generic = {
        name
        for name, operator in EXTERNALS.items()
        if operator.signature is not None and "?" in " ".join(map(str, operator.signature.operands))
    }
    # What prints is true whatever it prints, and what it hands on is what it got.
    printing = {operator.spellings[0] for operator in output.OPERATORS}
    symmetric = {"MU", "SQUASH", "SCCS", "CLOSURE1", "FORCE", "COPY"}
    telling = {name for name, operator in EXTERNALS.items() if operator.tells_apart}
    assert generic - telling - printing == symmetric
