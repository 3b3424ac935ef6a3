"""Relations against their definitions, state by state, on random systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from secateur.analysis.assumptions import Assumptions
from secateur.analysis.effort import Effort
from secateur.analysis.relations import EventRelations
from secateur.system.relations import Answer, Ground
from tests.unit.analysis.systems import Oracle, Toy, cautious, toys

seeds = st.integers(0, 2**32)


def answers(relations: EventRelations, oracle: Oracle) -> Iterator[tuple[str, Answer, bool, bool]]:
    """Yield each answer with the truth, and with the answer that is not the cautious one."""
    toy = oracle.toy
    numbers = range(len(toy.actions))
    for a in numbers:
        yield f"faults {a}", relations.faults(a), oracle.faults(a), False
        yield f"strands {a}", relations.strands(a), oracle.strands(a), False
        for k in range(len(toy.checks)):
            yield f"violates {a} {k}", relations.violates(a, k), oracle.checked(a, k, False), False
            yield f"repairs {a} {k}", relations.repairs(a, k), oracle.checked(a, k, True), False
        for b in numbers:
            if a != b:
                truth = oracle.dependent(a, b)
                yield f"dependent {a} {b}", relations.dependent(a, b), truth, False
            yield f"excluded {a} {b}", relations.excluded(a, b), oracle.excluded(a, b), True
            yield f"provokes {a} {b}", relations.provokes(a, b), oracle.provokes(a, b), False
            yield f"heals {a} {b}", relations.heals(a, b), oracle.heals(a, b), False
            action = toy.actions[b]
            for j in range(len(action.guard) + (not action.total)):
                truth = oracle.change(a, b, j, True)
                yield f"enables {a} {b} {j}", relations.enables(a, b, j), truth, False
                truth = oracle.change(a, b, j, False)
                yield f"disables {a} {b} {j}", relations.disables(a, b, j), truth, False


def _with_faults(toy: Toy) -> bool:
    tables: list[Mapping[int, object]] = [
        *toy.outcomes,
        *toy.truths,
        *(v for each in toy.conjuncts for v in each),
    ]
    return any(None in table.values() for table in tables)


@given(seeds)
def test_what_is_enumerated_is_exact(seed: int) -> None:
    toy = toys(Random(seed))
    oracle = Oracle(toy)
    for what, answer, truth, useful in answers(EventRelations(toy), oracle):
        if answer.ground is Ground.APART:
            # what never happens, or is at fault, is not looked at if nothing is shared
            assert cautious(answer, truth, useful=useful) or _with_faults(toy), what
        elif what.startswith(("violates", "repairs", "strands")) or _pseudo(what, toy):
            # what has no value counts as either
            assert cautious(answer, truth, useful=useful), what
            assert answer.yes == truth or _with_faults(toy), what
        else:
            assert answer.yes == truth, what


def _pseudo(what: str, toy: Toy) -> bool:
    verb, *numbers = what.split()
    return verb in ("enables", "disables") and int(numbers[2]) == len(
        toy.actions[int(numbers[1])].guard
    )


@given(seeds)
def test_witnesses_show_it(seed: int) -> None:
    toy = toys(Random(seed))
    oracle, relations = Oracle(toy), EventRelations(toy)
    lawful = set(oracle.everywhere)
    for what, answer, _, _ in answers(relations, oracle):
        verb, *numbers = what.split()
        s = answer.witness
        if s is None:
            continue
        assert s in lawful, what
        n = [int(x) for x in numbers]
        match verb:
            case "dependent":
                assert oracle.clashes(n[0], n[1], s), what
            case "excluded":
                assert oracle.possible(n[0], s), what
                assert oracle.possible(n[1], s), what
            case "faults":
                assert oracle.at_fault(n[0], s), what
            case "enables" | "disables" if not _pseudo(what, toy):
                assert oracle.changes(n[0], n[1], n[2], s, verb == "enables"), what


@given(seeds, st.integers(0, 12))
def test_what_is_given_up_is_cautious(seed: int, most: int) -> None:
    rng = Random(seed)
    toy = toys(rng)
    effort = rng.choice((Effort(codes=most), Effort(steps=most), Effort(seconds=0.0)))
    oracle = Oracle(toy)
    for what, answer, truth, useful in answers(EventRelations(toy, effort), oracle):
        if answer.ground is Ground.UNDECIDED:
            assert answer.yes != useful, what
        if answer.ground is not Ground.APART or not _with_faults(toy):
            assert cautious(answer, truth, useful=useful), what


@given(seeds)
def test_checks_may_be_assumed(seed: int) -> None:
    toy = toys(Random(seed))
    assumed = frozenset(range(len(toy.checks)))
    relations = EventRelations(toy, assumptions=Assumptions(assumed))
    oracle, without = Oracle(toy, assumed), EventRelations(toy)
    plain = answers(without, oracle)
    for (what, answer, truth, useful), (_, other, _, _) in zip(
        answers(relations, oracle), plain, strict=True
    ):
        if answer.ground is not Ground.APART or not _with_faults(toy):
            assert cautious(answer, truth, useful=useful), what
        # an assumption only helps, and is of no use where it must not be made
        assert answer.yes in (other.yes, useful), what
        if what.startswith(("violates", "repairs", "faults", "provokes")):
            assert answer == other, what


def test_an_action_depends_on_itself() -> None:
    toy = toys(Random(1))
    assert EventRelations(toy).dependent(0, 0).yes


@given(seeds)
def test_answers_are_kept_once(seed: int) -> None:
    toy = toys(Random(seed))
    relations = EventRelations(toy)
    for a in range(3):
        for b in range(3):
            assert relations.dependent(a, b) == relations.dependent(b, a)
            assert relations.excluded(a, b) is not None
    kept = dict(relations.answers)
    relations.dependent(1, 0)
    relations.excluded(2, 1)
    assert relations.answers == kept
