"""Which components belong together."""

from __future__ import annotations

import pytest

from secateur.lang.eventb.ast import Context, Machine
from secateur.lang.eventb.resolve import resolve
from secateur.maths.ast import Name
from secateur.source import InputError
from tests.unit.eventb_builders import model, names, predicates, project


def complaint(error: pytest.ExceptionInfo[InputError]) -> str:
    """Return the code and message of the first complaint."""
    found = error.value.diagnostics[0]
    return f"{found.code} {found.message}"


def test_the_most_refined_machine_is_the_default() -> None:
    chain = resolve(
        project(
            Machine("M2", refines=Name("M1"), sees=names("D")),
            Machine("M0"),
            Machine("M1", refines=Name("M0"), sees=names("C")),
            Context("D", extends=names("C")),
            Context("C"),
        )
    )
    assert chain.name == "M2"
    assert [m.name for m in chain.machines] == ["M0", "M1", "M2"]
    assert [c.name for c in chain.contexts] == ["C", "D"]


def test_a_component_can_be_chosen() -> None:
    whole = project(Machine("M1", refines=Name("M0")), Machine("M0"), Context("C"))
    assert [m.name for m in resolve(whole, "M0").machines] == ["M0"]
    assert resolve(whole, "C").machines == ()
    with pytest.raises(InputError) as error:
        resolve(whole, "M2")
    assert complaint(error) == "SEC283 project test has no component M2"


def test_the_longest_chain_is_taken_and_equals_are_listed() -> None:
    longer = project(Machine("A"), Machine("B"), Machine("C", refines=Name("B")))
    assert resolve(longer).name == "C"
    (note,) = resolve(longer).notes
    assert "C was taken" in note
    assert "not checked with it: A (choose with -m)" in note
    assert not resolve(longer, "B").notes
    with pytest.raises(InputError) as error:
        resolve(project(Machine("A"), Machine("B")))
    assert complaint(error).endswith("several most refined machines: A, B")
    assert error.value.diagnostics[0].help == "choose one with -m, such as -m A"


def test_missing_and_circular_references_are_told() -> None:
    with pytest.raises(InputError) as error:
        resolve(project(Machine("M", sees=names("Cc")), Context("C")))
    assert complaint(error).startswith("SEC280 machine M sees Cc")
    with pytest.raises(InputError) as error:
        resolve(project(Machine("M", refines=Name("M"))))
    assert complaint(error).startswith("SEC281")
    with pytest.raises(InputError) as error:
        resolve(project(Context("C", extends=names("D")), Context("D", extends=names("C"))))
    assert complaint(error).startswith("SEC281")
    with pytest.raises(InputError) as error:
        resolve(project())
    assert complaint(error).startswith("SEC287")


def test_a_context_alone_is_a_model() -> None:
    context = Context("C", constants=names("n"), axioms=predicates("axm", "n : 1..3"))
    found = model(context).check(deadlock=False)
    assert found
    assert (found.statistics.states, found.statistics.transitions) == (6, 6)


def test_a_partition_names_the_elements() -> None:
    context = Context(
        "C",
        sets=names("S"),
        constants=names("a b c"),
        axioms=predicates("axm", "partition(S, {a}, {b}, {c})"),
    )
    (carrier,) = model(context).typed.sets
    assert carrier.elements == ("a", "b", "c")
    assert not model(context).typed.constants


def sizes(context: Context) -> dict[str, int]:
    """Return how large the carrier sets of a context are."""
    return {s.name: len(s.elements) for s in model(context).typed.sets}


def test_parts_of_parts_name_the_elements() -> None:
    context = Context(
        "C",
        sets=names("S"),
        constants=names("p q a b c"),
        axioms=predicates(
            "axm", "partition(S, p, q)", "partition(p, {a}, {b})", "partition(q, {c})"
        ),
    )
    (carrier,) = model(context).typed.sets
    assert carrier.elements == ("a", "b", "c")


def test_members_of_disjoint_sets_differ() -> None:
    context = Context(
        "C",
        sets=names("S"),
        constants=names("p q a b c"),
        axioms=predicates("axm", "partition(S, p, q)", "partition(p, {a}, {b})", "c : q"),
    )
    assert sizes(context) == {"S": 3}


def test_a_bijection_gives_the_size() -> None:
    context = Context(
        "C",
        sets=names("S T U"),
        constants=names("f g"),
        axioms=predicates("axm", "f : S >->> POW(BOOL)", "g : T * BOOL >->> U"),
    )
    assert sizes(context) == {"S": 4, "T": 2, "U": 4}


@pytest.mark.parametrize("axiom", ["f : S >->> 1..3", "f : 1..3 >->> S"])
def test_a_numbering_is_one_of_many(axiom: str) -> None:
    context = Context("C", sets=names("S"), constants=names("f"), axioms=predicates("axm", axiom))
    assert sizes(context) == {"S": 3}
    assert model(context).check(deadlock=False).statistics.states == 2


def test_a_numbering_that_does_not_fit_is_no_solution() -> None:
    context = Context(
        "C",
        sets=names("S"),
        constants=names("f"),
        axioms=predicates("axm", "f : S >->> 1..3", "card(S) = 4"),
    )
    assert model(context).check(deadlock=False).statistics.states == 0


def test_named_intervals_bound_what_is_in_them() -> None:
    context = Context(
        "C",
        constants=names("n s x"),
        axioms=predicates("axm", "n : 0..3", "s = -n..n", "x : s"),
    )
    assert model(context).check(deadlock=False).statistics.states == 2 * (1 + 3 + 5 + 7)
