"""From a file to a model: set sizes, preferences, special definitions, complaints."""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur.lang.model import Model
from secateur.lang.options import LoadOptions
from secateur.lang.registry import front_end, load
from secateur.source import Diagnostic, InputError


def machine(folder: Path, clauses: str, options: LoadOptions | None = None) -> Model:
    """Load a machine with these clauses."""
    path = folder / "M.mch"
    path.write_text(f"MACHINE M\n{clauses}\nEND\n")
    return load(path, options)


def complaints(folder: Path, clauses: str) -> list[Diagnostic]:
    """Return the complaints about a machine with these clauses."""
    with pytest.raises(InputError) as caught:
        machine(folder, clauses)
    return list(caught.value.diagnostics)


@pytest.mark.parametrize(
    ("clauses", "elements"),
    [
        ("SETS S", "S1 S2"),
        ("SETS S DEFINITIONS scope_S == 3", "S1 S2 S3"),
        ("SETS S DEFINITIONS scope_S == 2..4", "S1 S2 S3"),
        ("SETS S DEFINITIONS SET_PREF_DEFAULT_SETSIZE == 1", "S1"),
        ("SETS S PROPERTIES card(S) = 3", "S1 S2 S3"),
        ("SETS S PROPERTIES 2 + 1 = card(S)", "S1 S2 S3"),
        ("SETS S PROPERTIES card(S) = MAXINT", "S1 S2 S3"),
        ("SETS S PROPERTIES card(S) > 2", "S1 S2 S3"),
        ("SETS S CONSTANTS c PROPERTIES c : S", "c S2"),
        ("SETS S CONSTANTS S1 PROPERTIES S1 = 1", "S1_ S2"),
        (
            "SETS S CONSTANTS a, b, c PROPERTIES a : S & b : S & c : S & a /= b & a /= c & b /= c",
            "a b c",
        ),
        ("SETS S CONSTANTS a, b PROPERTIES S = {a, b} & a /= b", "a b"),
        ("SETS S CONSTANTS a, b PROPERTIES S = {a} \\/ {b} & {a} /\\ {b} = {}", "a b"),
        ("SETS S CONSTANTS a, b, c PROPERTIES S = {a, b, c} & card({a, b, c}) = 3", "a b c"),
        ("SETS S CONSTANTS a PROPERTIES S = {a}", "a"),
        ("SETS S CONSTANTS f, n PROPERTIES n = 3 & f : S >->> 1..n", "S1 S2 S3"),
        (
            "SETS S CONSTANTS a, b, p PROPERTIES p <: S & partition(S, {a}, {b}, p) & p /= {}",
            "a b S3",
        ),
        ("SETS S CONSTANTS a, b, p PROPERTIES p <: S & partition(S, {a}, {b}, p)", "a b"),
        ("SETS S CONSTANTS a, b PROPERTIES partition(S, {a}, {b}, {})", "a b"),
        ("SETS S CONSTANTS f PROPERTIES f : S -->> BOOL * BOOL", "S1 S2 S3 S4"),
        ("SETS S CONSTANTS f PROPERTIES f : 1..3 >-> S", "S1 S2 S3"),
        ("SETS S CONSTANTS f PROPERTIES f : S >-> 1..3", "S1 S2"),
        (
            "SETS S CONSTANTS a, b, c, d PROPERTIES partition(S, {a}, {b, c, d}) & not(b = d)",
            "a b d",
        ),
    ],
)
def test_deferred_sets_get_a_size(tmp_path: Path, clauses: str, elements: str) -> None:
    assert machine(tmp_path, clauses).sets[0].elements == tuple(elements.split())


def test_the_user_has_the_last_word_on_sizes(tmp_path: Path) -> None:
    options = LoadOptions(set_sizes={"S": 4})
    model = machine(tmp_path, "SETS S DEFINITIONS scope_S == 3", options)
    assert len(model.sets[0].elements) == 4
    assert not model.assumptions


def test_a_chosen_size_is_an_assumption(tmp_path: Path) -> None:
    assert machine(tmp_path, "SETS S").assumptions == ("deferred set S has 2 element(s)",)
    assert not machine(tmp_path, "SETS S PROPERTIES card(S) = 2").assumptions


@pytest.mark.parametrize(
    ("sizes", "message"),
    [({"T": 3}, "no deferred set T"), ({"S": 0}, "cannot have 0 elements")],
)
def test_a_bad_size_is_refused(tmp_path: Path, sizes: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        machine(tmp_path, "SETS S", LoadOptions(set_sizes=sizes))


def test_constants_over_interchangeable_elements_are_taken_in_order(tmp_path: Path) -> None:
    model = machine(tmp_path, "SETS S CONSTANTS a, b PROPERTIES a : S & b : S & card(S) = 5")
    assert [c.name for c in model.constants] == ["b"]
    assert len(model.properties) == 3  # b : S, card(S) = 5, and b is a or the next


def test_preferences_come_from_the_file_and_from_the_user(tmp_path: Path) -> None:
    clauses = "DEFINITIONS SET_PREF_MAXINT == 2**4; SET_PREF_MININT == -7; SET_PREF_CLPFD == TRUE"
    model = machine(tmp_path, clauses, LoadOptions(preferences={"MAXINT": "9"}))
    assert (model.settings.maxint, model.settings.minint) == (9, -7)
    assert "preferences ignored, not needed here: CLPFD" in model.notes


def test_preferences_and_sizes_without_effect_are_named(tmp_path: Path) -> None:
    model = machine(
        tmp_path,
        "SETS S; E = {a, b} DEFINITIONS SET_PREF_MAXIN == 5; scope_E == 1..2; scope_F == 3; scope_S == 4",
    )
    assert set(model.notes) == {
        "there is no preference MAXIN, it has no effect: did you mean MAXINT?",
        "definition scope_E has no effect: E is no deferred set",
        "definition scope_F has no effect: F is no deferred set",
    }
    assert [len(s.elements) for s in model.sets] == [4, 2]


def test_special_definitions_are_typed(tmp_path: Path) -> None:
    model = machine(
        tmp_path,
        'DEFINITIONS GOAL == x > 1; ASSERT_LTL == "G {x < 2}" '
        "VARIABLES x INVARIANT x : NAT INITIALISATION x := 0",
    )
    assert set(model.definitions) == {"GOAL", "ASSERT_LTL"}


def test_properties_are_named_by_label_or_text(tmp_path: Path) -> None:
    model = machine(
        tmp_path,
        "VARIABLES x INVARIANT /*@label small */ x < 3 &\n  x :\n  NAT INITIALISATION x := 0",
    )
    assert [p.name for p in model.invariants] == ["small", "x : NAT"]


@pytest.mark.parametrize(
    ("clauses", "message"),
    [
        ("PROPERTIES 1 = TRUE", "'=' expects INTEGER, but TRUE is BOOL"),
        ("CONSTANTS c PROPERTIES c = c", "cannot infer the type of c"),
        ("CONSTANTS c PROPERTIES c = {}", "all that is known is POW(?)"),
        ("OPERATIONS o(p) = skip", "cannot infer the type of p"),
        ("VARIABLES x INVARIANT x : NAT INITIALISATION x := 0 || x := 1", "x is changed by two"),
        ("OPERATIONS o = p; p = o", "operation o calls itself: o -> p -> o"),
        ("OPERATIONS o = nix", "unknown operation nix"),
        ("OPERATIONS r <-- o = r := 1; p = o", "o with results needs 1, not 0"),
        ("CONSTANTS c PROPERTIES c = 1 OPERATIONS o = c := 2", "c cannot be assigned here"),
        ("OPERATIONS o = CASE 1 OF EITHER 1 THEN skip OR 1 THEN skip END END", "listed twice"),
        ("DEFINITIONS scope_S == 0 SETS S", "scope_S must be a positive number"),
        ("DEFINITIONS SET_PREF_MAXINT == TRUE", "MAXINT must be a number, not TRUE"),
    ],
)
def test_a_mistake_is_reported(tmp_path: Path, clauses: str, message: str) -> None:
    assert message in complaints(tmp_path, clauses)[0].message


def test_a_near_miss_is_suggested_with_its_place(tmp_path: Path) -> None:
    (found,) = complaints(
        tmp_path, "VARIABLES speed INVARIANT speeed : NAT INITIALISATION speed := 0"
    )
    assert found.message == "unknown identifier speeed"
    assert found.help == "did you mean speed?"
    assert str(found.span).endswith("M.mch:2:27")


def test_a_type_error_says_where_the_type_comes_from(tmp_path: Path) -> None:
    (found,) = complaints(
        tmp_path, "VARIABLES x INVARIANT x <: NAT INITIALISATION x := {} OPERATIONS o = x := 1"
    )
    assert "'x :=' expects POW(INTEGER), but 1 is INTEGER" in found.message


def test_mistakes_in_several_places_are_reported_together(tmp_path: Path) -> None:
    found = complaints(tmp_path, "PROPERTIES 1 = TRUE & nix = 2 OPERATIONS o = nox")
    assert [d.message.split()[0] for d in found] == ["'='", "unknown", "unknown"]


def test_a_file_of_another_suffix_is_recognised_by_its_text(tmp_path: Path) -> None:
    path = tmp_path / "model.txt"
    path.write_text("/* a comment */ MACHINE model END")
    assert front_end(path).name == "classical B"
    path.write_text("once upon a time")
    with pytest.raises(InputError, match="in no language"):
        front_end(path)


def test_another_component_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "A.mch").write_text("MACHINE A END")
    (tmp_path / "B.mch").write_text("MACHINE B END")
    assert load(tmp_path / "A.mch", LoadOptions(component="B")).name == "B"
    with pytest.raises(InputError, match="no component C"):
        load(tmp_path / "A.mch", LoadOptions(component="C"))


def test_free_types_have_constructors(tmp_path: Path) -> None:
    model = machine(
        tmp_path,
        "FREETYPES T = leaf, node(T * T) CONSTANTS t, l PROPERTIES t = node(leaf, leaf) & l = node~(t)",
    )
    assert [str(c.type) for c in model.constants] == ["T", "T*T"]
