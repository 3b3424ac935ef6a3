"""Refinement and variants, checked while an event and its abstractions are executed."""

from __future__ import annotations

import pytest

from secateur.app.model import Model
from secateur.lang.eventb.ast import Context, Convergence, Event, Machine
from secateur.maths.ast import Name
from secateur.source import InputError, Source, Span
from secateur.system.system import PropertyKind
from tests.unit.eventb_builders import (
    actions,
    guards,
    model,
    names,
    predicates,
    start,
    variant,
    witness,
)

ABSTRACT = Machine(
    "M0",
    variables=names("x"),
    invariants=predicates("inv", "x : 0..5"),
    events=(
        start("x := 0"),
        Event(
            "inc",
            parameters=names("d"),
            guards=guards("d : 1..2", "x + d < 6"),
            actions=actions("x := x + d"),
        ),
    ),
)


def refinement(*events: Event, variables: str = "y", begin: str = "y := 0") -> Machine:
    """Return a refinement of ABSTRACT."""
    return Machine(
        "M1",
        refines=Name("M0"),
        variables=names(variables),
        events=(start(*begin.split(";")), *events),
    )


def violations(found: Model) -> list[tuple[PropertyKind, str]]:
    """Return what a check of everything but deadlocks finds."""
    return [(v.kind, v.name) for v in found.check(all=True, deadlock=False).violations]


def test_witnesses_settle_abstract_parameters_and_variables() -> None:
    inc = Event(
        "inc",
        refines=("inc",),
        guards=guards("y < 10"),
        witnesses=(witness("d", "d = 1"),),
        actions=actions("y := y + 2"),
    )
    found = model(ABSTRACT, refinement(inc)).check(deadlock=False)
    assert found
    assert found.statistics.states == 6


def test_without_a_witness_values_are_found() -> None:
    inc = Event("inc", refines=("inc",), guards=guards("y < 1"), actions=actions("y := y + 2"))
    found = model(ABSTRACT, refinement(inc)).check(deadlock=False)
    assert found.statistics.transitions == 3
    assert found.statistics.operations["inc"] == 2


def test_an_abstract_guard_that_fails_is_named() -> None:
    inc = Event(
        "inc",
        refines=("inc",),
        guards=guards("y < 11"),
        witnesses=(witness("d", "d = 1"),),
        actions=actions("y := y + 2"),
    )
    found = model(ABSTRACT, refinement(inc))
    assert violations(found) == [(PropertyKind.REFINEMENT, "M0.inc.grd2")]
    (violation,) = found.check(all=True, deadlock=False).violations
    assert len(violation.trace) == 6


def test_a_witness_for_a_variable() -> None:
    abstract = Machine(
        "M0",
        variables=names("x"),
        events=(start("x := 0"), Event("set", actions=actions("x :: 0..9"))),
    )
    concrete = Event(
        "set",
        refines=("set",),
        witnesses=(witness("x'", "x__new = y__new + 1"),),
        actions=actions("y :: 2..3"),
    )
    found = model(abstract, refinement(concrete))
    seen = {tuple(found.values(s).items()) for s in found.states()}
    assert seen == {
        (("x", 0), ("y", 0)),
        (("x", 3), ("y", 2)),
        (("x", 4), ("y", 3)),
    }


def test_actions_must_agree_on_what_is_kept() -> None:
    inc = Event("inc", refines=("inc",), guards=guards("x < 3"), actions=actions("x := x + 3"))
    found = model(ABSTRACT, refinement(inc, variables="x", begin="x := 0"))
    assert violations(found) == [(PropertyKind.REFINEMENT, "M0.inc.act1")]


def test_new_events_leave_the_abstraction_alone() -> None:
    place = Span(Source("M1.bum", "new", "new"), 0, 3)
    new = Event("new", guards=guards("x < 2"), actions=actions("x := x + 1"), span=place)
    found = model(ABSTRACT, refinement(new, variables="x", begin="x := 0"))
    assert violations(found) == [(PropertyKind.REFINEMENT, "M0.skip leaves x unchanged")]
    (violation,) = found.check(all=True, deadlock=False).violations
    assert violation.span == place


def test_an_initialisation_that_is_no_refinement() -> None:
    found = model(ABSTRACT, refinement(variables="x", begin="x := 1"))
    assert violations(found) == [(PropertyKind.REFINEMENT, "M0.INITIALISATION.act1")]


def test_extended_events_inherit() -> None:
    inc = Event(
        "inc",
        extended=True,
        refines=("inc",),
        guards=guards("y < 2"),
        actions=actions("y := y + 1"),
    )
    found = model(ABSTRACT, refinement(inc, variables="x y", begin="x := 0;y := 0"))
    operation = found.typed.operations[0]
    assert [b.name for b in operation.parameters] == ["d"]
    assert operation.refines == ()
    assert found.check(deadlock=False).statistics.states == 6


def test_one_of_several_merged_events_must_follow() -> None:
    abstract = Machine(
        "M0",
        variables=names("x"),
        events=(
            start("x := 0"),
            Event("even", guards=guards("x mod 2 = 0"), actions=actions("x := x + 1")),
            Event("odd", guards=guards("x mod 2 = 1", "x < 3"), actions=actions("x := x + 1")),
        ),
    )
    merged = Event(
        "step", refines=("even", "odd"), guards=guards("x < 4"), actions=actions("x := x + 1")
    )
    found = model(abstract, refinement(merged, variables="x", begin="x := 0"))
    assert violations(found) == [(PropertyKind.REFINEMENT, "M0.even.grd1 and M0.odd.grd2")]
    assert found.check(all=True).statistics.states == 4


@pytest.mark.parametrize(
    ("convergence", "guard", "action", "broken"),
    [
        (Convergence.CONVERGENT, "z > 0", "z := z - 1", False),
        (Convergence.CONVERGENT, "z > -1", "z := z - 1", False),
        (Convergence.CONVERGENT, "z > -2", "z := z - 1", True),
        (Convergence.CONVERGENT, "z = 1", "z := z", True),
        (Convergence.ANTICIPATED, "z = 1", "z := z", False),
        (Convergence.ANTICIPATED, "z = 1", "z := z + 1", True),
        (Convergence.ORDINARY, "z = 1", "z := z + 1", False),
    ],
)
def test_variants(convergence: Convergence, guard: str, action: str, broken: bool) -> None:
    event = Event("e", convergence=convergence, guards=guards(guard), actions=actions(action))
    machine = Machine(
        "M", variables=names("z"), variants=variant("z"), events=(start("z := 1"), event)
    )
    found = violations(model(machine))
    assert [kind for kind, _ in found] == ([PropertyKind.VARIANT] if broken else [])


def test_a_set_as_variant() -> None:
    event = Event(
        "e",
        convergence=Convergence.CONVERGENT,
        parameters=names("i"),
        guards=guards("i : 1..3", "s /= {}"),
        actions=actions("s := s - {i}"),
    )
    machine = Machine(
        "M", variables=names("s"), variants=variant("s"), events=(start("s := 1..2"), event)
    )
    assert violations(model(machine)) == [(PropertyKind.VARIANT, "M.e decreases the variant")]


def test_a_theorem_is_no_guard() -> None:
    event = Event("e", guards=predicates("thm", "z > 1", theorem=True), actions=actions("z := 2"))
    machine = Machine("M", variables=names("z"), events=(start("z := 1"), event))
    found = model(machine)
    assert violations(found) == [(PropertyKind.ASSERTION, "M.e.thm1")]
    assert found.check(assertions=False)


def test_levels_are_named_in_invariants() -> None:
    upper = Machine(
        "M1",
        refines=Name("M0"),
        variables=names("x"),
        invariants=predicates("inv", "x < 1"),
        events=(start("x := 0"), Event("inc", extended=True, refines=("inc",))),
    )
    assert violations(model(ABSTRACT, upper)) == [(PropertyKind.INVARIANT, "M1.inv1")]


def test_an_event_must_exist_to_be_refined() -> None:
    with pytest.raises(InputError, match="refines incc, which the abstraction does not have"):
        model(ABSTRACT, refinement(Event("inc", refines=("incc",))))


def test_an_ill_defined_variant_is_a_fault_and_the_event_happens() -> None:
    event = Event(
        "e",
        convergence=Convergence.CONVERGENT,
        guards=guards("z > 0"),
        actions=actions("z := z - 1"),
    )
    machine = Machine(
        "M", variables=names("z"), variants=variant("9 / z"), events=(start("z := 1"), event)
    )
    found = model(machine)
    assert [kind for kind, _ in violations(found)] == [PropertyKind.WELL_DEFINEDNESS]
    assert found.check(all=True).statistics.transitions == 2


def test_an_action_without_outcome_is_a_fault() -> None:
    event = Event("e", guards=guards("z = 1"), actions=actions("z :: {}"))
    machine = Machine("M", variables=names("z"), events=(start("z := 1"), event))
    assert [kind for kind, _ in violations(model(machine))] == [PropertyKind.WELL_DEFINEDNESS]


def test_what_rules_every_constant_out_is_called_an_axiom() -> None:
    context = Context(
        "C", constants=names("c"), axioms=predicates("axm", "c : 1..9", "c > 3", "c < 2")
    )
    machine = Machine("M", sees=names("C"), variables=names("x"), events=(start("x := c"),))
    found = model(context, machine).check()
    (violation,) = found.violations
    assert violation.message is not None
    assert "the axioms cannot be satisfied" in violation.message
    assert "the first axiom that cannot be met" in violation.message
    assert "C.axm3" in violation.message
