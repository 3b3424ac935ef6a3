"""Refinement in classical B: a component explored together with those that it refines."""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur.app.refine import refine
from secateur.source import InputError
from secateur.system.refinement import RefinementResult
from secateur.system.system import PropertyKind
from secateur.system.verdict import Incomplete

COUNTER = """
VARIABLES n
INVARIANT n : 0..3
INITIALISATION n := 0
OPERATIONS
  up(d) = PRE d : 1..2 & n + d <= 3 THEN n := n + d END;
  r <-- some = BEGIN r :: 0..n END;
  reset = SELECT n = 3 THEN n := 0 END
"""

DOUBLED = """
VARIABLES m
INVARIANT m = 2 * n
INITIALISATION m := 0
OPERATIONS
  up(d) = m := m + 2 * d;
  r <-- some = r := m / 2;
  reset = SELECT m = 6 THEN m := 0 END
"""


def check(folder: Path, *bodies: str, last: str = "REFINEMENT") -> list[RefinementResult]:
    """Return the result of each step from a machine M0 down to a refinement M1, M2 ..."""
    path = folder / "M0.mch"
    path.write_text(f"MACHINE M0 {bodies[0]} END")
    for number, body in enumerate(bodies[1:], 1):
        path = folder / f"M{number}.ref"
        kind = last if number == len(bodies) - 1 else "REFINEMENT"
        path.write_text(f"{kind} M{number} REFINES M{number - 1} {body} END")
    return refine(path)


def only_violation(folder: Path, abstract: str, concrete: str) -> tuple[str, dict[str, object]]:
    """Return the name and the witness of the one violation."""
    (step,) = check(folder, abstract, concrete)
    (violation,) = step.result.violations
    assert violation.kind is PropertyKind.REFINEMENT
    return violation.name, dict(violation.witness)


def test_what_refines(tmp_path: Path) -> None:
    (step,) = check(tmp_path, COUNTER, DOUBLED)
    assert step
    assert (step.concrete, step.abstract) == ("M1", "M0")
    assert step.levels == (("M0", ("n",)), ("M1", ("m",)))
    assert step.result.statistics.states == 4


@pytest.mark.parametrize(
    ("right", "wrong", "name", "witness"),
    [
        (
            "INITIALISATION m := 0",
            "INITIALISATION m := 2",
            "'m = 2 * n' holds for no outcome of M0",
            {"m'": 2},
        ),
        (
            "m := m + 2 * d",
            "m := m + d",
            "'m = 2 * n' holds for no outcome of M0",
            {"d": 1, "m'": 1},
        ),
        ("r := m / 2", "r := m / 2 + 1", "M0 cannot return that", {"r": 1}),
        (
            "up(d) = m := m + 2 * d",
            "up(d) = PRE d = 1 THEN m := m + 2 * d END",
            "M1 demands 'd = 1' of a caller, M0 does not",
            {"d": 2},
        ),
        ("SELECT m = 6 THEN", "SELECT m > 2 THEN", "M0 cannot do that here", {"m'": 0}),
        (
            "reset =",
            "other = SELECT m = 0 THEN m := 2 END; reset =",
            "'m = 2 * n' holds for no outcome of M0",
            {"m'": 2},
        ),
    ],
    ids=["initialisation", "outcome", "result", "precondition", "guard", "new operation"],
)
def test_what_does_not(
    tmp_path: Path, right: str, wrong: str, name: str, witness: dict[str, object]
) -> None:
    assert right in DOUBLED
    found, shown = only_violation(tmp_path, COUNTER, DOUBLED.replace(right, wrong))
    assert found.split(": ", 1)[1] == name
    assert shown == witness


def test_what_is_demanded_of_a_caller_does_not_depend_on_guards(tmp_path: Path) -> None:
    """Found by random developments."""
    hidden = DOUBLED.replace("m := m + 2 * d", "PRE d = 1 THEN SELECT 1 = 2 THEN skip END END")
    name, _ = only_violation(tmp_path, COUNTER, hidden)
    assert name == "up: M1 demands 'd = 1' of a caller, M0 does not"


def test_operations_must_not_get_lost(tmp_path: Path) -> None:
    without = DOUBLED[: DOUBLED.index(";\n  reset")]
    assert only_violation(tmp_path, COUNTER, without)[0] == "reset: M1 has no such operation"


def test_what_is_not_mentioned_again_is_inherited_if_its_variables_are_kept(tmp_path: Path) -> None:
    kept = "VARIABLES n INITIALISATION n := 0 OPERATIONS up(d) = n := n + d"
    (step,) = check(tmp_path, COUNTER, kept)
    assert step
    assert step.result.statistics.operations["reset"] == 1


def test_variables_of_the_same_name_are_the_same(tmp_path: Path) -> None:
    kept = "VARIABLES n INITIALISATION n := 0 OPERATIONS up(d) = n := n + 1"
    assert only_violation(tmp_path, COUNTER, kept) == (
        "up: M0 cannot change n like that",
        {"d": 2, "n'": 1},
    )


def test_less_may_happen_unless_deadlocks_matter(tmp_path: Path) -> None:
    tired = (
        DOUBLED.replace("m = 6 THEN", "m > 6 THEN")
        .replace("m := m + 2 * d", "SELECT m < 4 THEN m := m + 2 * d END")
        .replace("r := m / 2", "SELECT m < 4 THEN r := m / 2 END")
    )
    assert check(tmp_path, COUNTER, tired)[0]
    (step,) = refine(tmp_path / "M1.ref", deadlock=True)
    (violation,) = step.result.violations
    assert violation.name == "deadlock, though M0 could do up"
    assert refine(tmp_path / "M1.ref", deadlock=True, all=True)[0].result.violations


def test_without_a_deadlock_there_is_none(tmp_path: Path) -> None:
    check(tmp_path, COUNTER, DOUBLED)
    assert all(refine(tmp_path / "M1.ref", deadlock=True))


def test_whether_the_abstraction_could_go_on_may_be_unknown(tmp_path: Path) -> None:
    abstract = "OPERATIONS go = ANY x, y WHERE x ** y = y ** x + 17 THEN skip END"
    check(tmp_path, abstract, "OPERATIONS go = SELECT 1 = 2 THEN skip END")
    (step,) = refine(tmp_path / "M1.ref", deadlock=True)
    assert isinstance(step.result.verdict, Incomplete)


def test_each_step_of_a_chain(tmp_path: Path) -> None:
    third = """
    VARIABLES k
    INVARIANT k = m + 1
    INITIALISATION k := 1
    OPERATIONS
      up(d) = k := k + 2 * d;
      r <-- some = r := 0;
      reset = SELECT k = 7 THEN k := 1 END
    """
    first, second = check(tmp_path, COUNTER, DOUBLED, third)
    assert first
    # The result 0 is right for the machine, and not for what refines it first.
    (violation,) = second.result.violations
    assert violation.name == "some: M1 cannot return that"
    assert [name for name, _ in second.levels] == ["M0", "M1", "M2"]


def test_preconditions_of_all_levels_are_kept_by_callers(tmp_path: Path) -> None:
    """M1 says nothing of `d`; a caller of M2 still keeps to what M0 demands."""
    third = (
        DOUBLED.replace("m = 2 * n", "k = m")
        .replace("m", "k")
        .replace("k = k", "k = m")
        .replace("soke", "some")
    )
    assert "INVARIANT k = m" in third
    assert all(check(tmp_path, COUNTER, DOUBLED, third))


def test_an_invariant_may_speak_of_a_level_further_up(tmp_path: Path) -> None:
    third = """
    VARIABLES k
    INVARIANT k = n
    INITIALISATION k := 0
    OPERATIONS
      up(d) = k := k + d;
      r <-- some = r := k;
      reset = SELECT k = 3 THEN k := 0 END
    """
    assert all(check(tmp_path, COUNTER, DOUBLED, third))
    steps = check(tmp_path, COUNTER, DOUBLED, third.replace("k + d", "k + 1"))
    assert [v.name for v in steps[1].result.violations] == [
        "up: 'k = n' holds for no outcome of M0"
    ]


def test_steps_after_one_that_fails(tmp_path: Path) -> None:
    wrong = DOUBLED.replace("r := m / 2", "r := m")
    same = "VARIABLES m INITIALISATION m := 0 OPERATIONS up(d) = m := m + 2 * d"
    first, second = check(tmp_path, COUNTER, wrong, same)
    assert first.result.violations
    assert second.result.verdict == Incomplete(("not looked at, since M1 does not refine M0",))
    assert len(refine(tmp_path / "M2.ref", component="M2")) == 1
    assert refine(tmp_path / "M2.ref", all=True)[1].result.statistics.states > 0


def test_choices_that_the_refinement_makes(tmp_path: Path) -> None:
    """Of the abstraction's outcomes only those are looked for that the refinement may have."""
    abstract = """
    VARIABLES a, b, c
    INVARIANT a : INTEGER & b : INTEGER & c : INTEGER
    INITIALISATION a, b, c := 0, 0, 0
    OPERATIONS
      one = BEGIN a :: NATURAL END;
      two = ANY x, y WHERE x : INTEGER & y > x THEN a := x || b := y END;
      three = BEGIN b, c :(b = c + b$0) END;
      r <-- four = CHOICE r :: NATURAL OR VAR c IN c := 2 ; r := c END END;
      five = BEGIN a := 1 ; c :: NATURAL END;
      six = BEGIN a, b :: NATURAL * NATURAL END;
      seven = LET k BE k = 3 IN c :: k..k + 900 END;
      eight = ANY x WHERE x : NATURAL THEN a := x || b := 2 * x END;
      nine = BEGIN c := 3 ; WHILE c > 1 DO c := c - 1 INVARIANT c >= 1 VARIANT c END END;
      ten = BEGIN c :: 0..3 ; c := c + 2 END
    """
    concrete = """
    VARIABLES a, b, c
    INITIALISATION a, b, c := 0, 0, 0
    OPERATIONS
      one = a := 40;
      two = BEGIN a, b := -7, 7 END;
      three = BEGIN b, c := 0, 0 - b END;
      r <-- four = r := 1000;
      five = BEGIN a, c := 1, 9 END;
      six = BEGIN a, b := 700, 800 END;
      seven = c := 555;
      eight = BEGIN a, b := 60, 120 END;
      nine = c := 1;
      ten = c := 4
    """
    (step,) = check(tmp_path, abstract, concrete)
    assert step
    for right, wrong in (
        ("-7, 7", "7, -7"),
        ("60, 120", "60, 121"),
        ("555", "2"),
        ("c := 1;", "c := 2;"),
    ):
        assert right in concrete
        (step,) = check(tmp_path, abstract, concrete.replace(right, wrong))
        assert len(step.result.violations) == 1


def test_imported_machines_are_part_of_the_state(tmp_path: Path) -> None:
    (tmp_path / "Cell.mch").write_text(
        """MACHINE Cell CONCRETE_VARIABLES v INVARIANT v : 0..6 INITIALISATION v := 0
        OPERATIONS set(x) = PRE x : 0..6 THEN v := x END; r <-- get = r := v END"""
    )
    body = """
    IMPORTS Cell
    INVARIANT v = 2 * n
    OPERATIONS
      up(d) = VAR x IN x <-- get ; set(x + 2 * d) END;
      r <-- some = VAR x IN x <-- get ; r := x / 2 END;
      reset = set(0)
    """
    reset = "SELECT n = 3 THEN n := 0 END"
    assert reset in COUNTER
    abstract = COUNTER.replace(reset, "n := 0")
    (step,) = check(tmp_path, abstract, body, last="IMPLEMENTATION")
    assert step
    assert step.levels == (("M0", ("n",)), ("M1", ("v",)))
    # Outside the precondition of an imported operation anything may happen.
    (step,) = check(tmp_path, abstract.replace("<= 3", "<= 4"), body, last="IMPLEMENTATION")
    (violation,) = step.result.violations
    assert violation.kind is PropertyKind.WELL_DEFINEDNESS


def test_concrete_variables_are_inherited(tmp_path: Path) -> None:
    abstract = COUNTER.replace("VARIABLES", "CONCRETE_VARIABLES")
    body = """
    INITIALISATION n := 0
    OPERATIONS up(d) = n := n + d; r <-- some = r := n; reset = SELECT n = 3 THEN n := 0 END
    """
    (step,) = check(tmp_path, abstract, body, last="IMPLEMENTATION")
    assert step
    assert step.levels == (("M0", ("n",)), ("M1", ("n",)))


def test_an_implementation_of_instances_with_parameters(tmp_path: Path) -> None:
    (tmp_path / "Items.mch").write_text("MACHINE Items SETS ITEM = {a, b} END")
    (tmp_path / "Cell.mch").write_text(
        """MACHINE Cell(bound) CONSTRAINTS bound : NATURAL VARIABLES v INVARIANT v : 0..bound
        INITIALISATION v := 0
        OPERATIONS set(n) = PRE n : 0..bound THEN v := n END; n <-- get = n := v END"""
    )
    (tmp_path / "Memory.mch").write_text(
        """MACHINE Memory(bound) CONSTRAINTS bound : NATURAL SEES Items
        VARIABLES m INVARIANT m : 1..bound +-> ITEM INITIALISATION m := {}
        OPERATIONS store(n, x) = PRE n : 1..bound & x : ITEM THEN m(n) := x END;
          x <-- fetch(n) = PRE n : dom(m) THEN x := m(n) END END"""
    )
    abstract = """
    SEES Items VARIABLES s INVARIANT s : seq(ITEM) & size(s) <= 2 INITIALISATION s := []
    OPERATIONS
      push(i) = PRE i : ITEM & size(s) < 2 THEN s := s <- i END;
      i <-- pop = PRE s /= [] THEN i := last(s) || s := front(s) END
    """
    body = """
    SEES Items IMPORTS array.Memory(2), top.Cell(2)
    INVARIANT s = 1..top.v <| array.m
    OPERATIONS
      push(i) = VAR n IN n <-- top.get ; n := n + 1 ; array.store(n, i) ; top.set(n) END;
      i <-- pop = VAR n IN n <-- top.get ; i <-- array.fetch(n) ; top.set(n - 1) END
    """
    (step,) = check(tmp_path, abstract, body, last="IMPLEMENTATION")
    assert step
    assert step.levels == (("M0", ("s",)), ("M1", ("array.m", "top.v")))
    (step,) = check(tmp_path, abstract, body.replace("n - 1", "n"), last="IMPLEMENTATION")
    assert step.result.violations[0].name.startswith("pop: 's = 1..top.v <| array.m' holds for")


def test_a_machine_that_both_levels_include(tmp_path: Path) -> None:
    (tmp_path / "Cell.mch").write_text(
        """MACHINE Cell VARIABLES v INVARIANT v : 0..3 INITIALISATION v := 0
        OPERATIONS set(x) = PRE x : 0..3 THEN v := x END END"""
    )
    abstract = "INCLUDES Cell OPERATIONS up(d) = PRE d : 1..3 THEN set(d) END"
    assert check(tmp_path, abstract, "INCLUDES Cell OPERATIONS up(x) = set(x)")[0]
    assert only_violation(tmp_path, abstract, "INCLUDES Cell OPERATIONS up(x) = set(1)") == (
        "up: M0 cannot change v like that",
        {"x": 2, "v'": 1},
    )


def test_a_machine_that_is_seen_changes_for_both_levels(tmp_path: Path) -> None:
    (tmp_path / "Clock.mch").write_text(
        """MACHINE Clock VARIABLES t INVARIANT t : 0..3 INITIALISATION t :: 0..1
        OPERATIONS tick = SELECT t < 3 THEN t := t + 1 END END"""
    )
    abstract = "SEES Clock OPERATIONS r <-- now = r := t"
    assert check(tmp_path, abstract, "SEES Clock OPERATIONS r <-- now = r := t")[0]
    name, _ = only_violation(tmp_path, abstract, "SEES Clock OPERATIONS r <-- now = r := 1")
    assert name == "now: M0 cannot return that"


def test_constants_are_shared_and_may_be_added(tmp_path: Path) -> None:
    abstract = """
    CONSTANTS c PROPERTIES c : 1..3
    VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0 OPERATIONS go = x := c"""
    concrete = """
    CONSTANTS d PROPERTIES d = c - 1
    VARIABLES y INVARIANT y = x - 1 INITIALISATION y := -1 OPERATIONS go = y := d"""
    (step,) = check(tmp_path, abstract, concrete)
    assert step
    assert step.result.statistics.operations["SETUP_CONSTANTS"] == 3
    assert check(tmp_path, abstract, concrete.replace("d = c - 1", "d : 0..2"))[0].result.violations


def test_loops_may_speak_of_the_abstraction(tmp_path: Path) -> None:
    abstract = "VARIABLES s INVARIANT s : 0..9 INITIALISATION s := 0 OPERATIONS go = s := 6"
    concrete = """
    CONCRETE_VARIABLES y INVARIANT y = s INITIALISATION y := 0
    OPERATIONS go = VAR i IN i := 0 ; y := 0 ;
      WHILE i < 3 DO i := i + 1 ; y := y + i INVARIANT s : {0, 6} & i <= 3 VARIANT 3 - i END END"""
    assert check(tmp_path, abstract, concrete, last="IMPLEMENTATION")[0]


def test_a_variable_that_is_not_initialised(tmp_path: Path) -> None:
    (step,) = check(
        tmp_path, COUNTER, DOUBLED.replace("INITIALISATION m := 0", "INITIALISATION skip")
    )
    assert step.result.violations[0].message == "m is not initialised"


def test_what_cannot_be_decided_leaves_a_gap(tmp_path: Path) -> None:
    abstract = "OPERATIONS go(x) = PRE x : NATURAL THEN skip END"
    (step,) = check(tmp_path, abstract, "OPERATIONS go(x) = skip")
    assert isinstance(step.result.verdict, Incomplete)


def test_every_match_is_gone_on_with(tmp_path: Path) -> None:
    abstract = """
    VARIABLES x, y INVARIANT x : 0..3 & y : 0..3 INITIALISATION x, y := 0, 0
    OPERATIONS go = ANY p WHERE p : 0..3 THEN x := p || y := p END; r <-- get = r := x
    """
    concrete = """
    VARIABLES z INVARIANT z = x - y INITIALISATION z := 0
    OPERATIONS go = z := 0; r <-- get = r := 0
    """
    (step,) = check(tmp_path, abstract.replace("r := x", "r :: 0..x"), concrete)
    assert step
    assert step.result.statistics.states == 4
    # The first match would do; the invariant admits others.
    assert only_violation(tmp_path, abstract, concrete)[0] == "get: M0 cannot return that"


def test_the_invariant_says_what_was_chosen(tmp_path: Path) -> None:
    abstract = """
    VARIABLES y, s
    INVARIANT y : NATURAL & s : POW(NATURAL)
    INITIALISATION y, s := 0, {}
    OPERATIONS
      one = y :: NATURAL;
      both = ANY a, b WHERE a : POW(NATURAL) & b : NATURAL THEN s := a || y := b + 1 END
    """
    concrete = """
    VARIABLES z, t
    INVARIANT z * z = y & s = ran(t)
    INITIALISATION z, t := 0, {}
    OPERATIONS one = z := 100; both = BEGIN z := 3 ; t := {1 |-> 7, 2 |-> 8} END
    """
    (step,) = check(tmp_path, abstract, concrete)
    assert step
    (step,) = check(tmp_path, abstract, concrete.replace("3", "0"))
    assert [v.name for v in step.result.violations] == [
        "both: 'z * z = y' holds for no outcome of M0"
    ]


def test_nothing_is_blamed_where_not_every_outcome_was_tried(tmp_path: Path) -> None:
    abstract = """
    VARIABLES x, y INVARIANT x : NATURAL & y : NATURAL INITIALISATION x, y := 0, 0
    OPERATIONS go = BEGIN x :: NATURAL || y :: NATURAL END
    """
    concrete = "VARIABLES z INVARIANT z = x + y INITIALISATION z := 0 OPERATIONS go = z := 100"
    (step,) = check(tmp_path, abstract, concrete)
    assert isinstance(step.result.verdict, Incomplete)


def test_limits_are_reported(tmp_path: Path) -> None:
    check(tmp_path, COUNTER, DOUBLED)
    (step,) = refine(tmp_path / "M1.ref", max_states=2)
    assert isinstance(step.result.verdict, Incomplete)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (DOUBLED.replace("up(d) = m := m + 2 * d", "up = m := m + 2"), "SEC242"),
        (DOUBLED.replace("r <-- some = r := m / 2", "some = skip"), "SEC242"),
    ],
)
def test_other_signatures(tmp_path: Path, body: str, code: str) -> None:
    with pytest.raises(InputError) as caught:
        check(tmp_path, COUNTER, body)
    assert [str(d.code) for d in caught.value.diagnostics] == [code]


def test_what_refines_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        check(tmp_path, COUNTER)
    (complaint,) = caught.value.diagnostics
    assert str(complaint.code) == "SEC292"
    assert complaint.span is not None
    assert complaint.help is not None


def test_events_may_be_left_out(tmp_path: Path) -> None:
    system = COUNTER.replace("PRE", "SELECT").replace("OPERATIONS", "EVENTS")
    (tmp_path / "S0.sys").write_text(f"SYSTEM S0 {system} END")
    (tmp_path / "S1.ref").write_text(
        "REFINEMENT S1 REFINES S0 VARIABLES m INVARIANT m = n INITIALISATION m := 0 "
        "EVENTS up(d) = SELECT m < 2 & d = 1 THEN m := m + 1 END END"
    )
    assert all(refine(tmp_path / "S1.ref"))
