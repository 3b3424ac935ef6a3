"""What the solver says, against enumeration; and that it can be done without."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import ArgumentError
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from secateur.analysis.assumptions import NOTHING, REACHABLE, Assumptions
from secateur.analysis.cache import Cache, Kept, usual_folder
from secateur.analysis.effort import USUAL, Effort
from secateur.analysis.questions import Question, Verb
from secateur.analysis.relations import EventRelations
from secateur.analysis.solving import relations_of
from secateur.system.relations import Ground
from tests.effort import fewer
from tests.unit.analysis.coded import CodedToy, coded_toys
from tests.unit.analysis.systems import Oracle
from tests.unit.analysis.test_reachable import over, reached, satisfies
from tests.unit.analysis.test_relations import answers

pytest.importorskip("z3")

from secateur.analysis.smt.solver import SmtSolver

seeds = st.integers(0, 2**32)


def questions(toy: CodedToy) -> Iterator[Question]:
    numbers = range(len(toy.actions))
    for a in numbers:
        yield Question(Verb.FAULT, a, a)
        for check in range(len(toy.checks)):
            yield Question(Verb.VIOLATE, a, check)
            yield Question(Verb.REPAIR, a, check)
        for b in numbers:
            if a < b:
                yield Question(Verb.CLASH, a, b)
            yield Question(Verb.MEET, a, b)
            yield Question(Verb.PROVOKE, a, b)
            yield Question(Verb.HEAL, a, b)
            for j in range(len(toy.actions[b].guard) + 1):
                yield Question(Verb.ENABLE, a, b, j)
                yield Question(Verb.DISABLE, a, b, j)


@fewer(3)
@given(seeds, st.booleans())
def test_the_solver_agrees_with_enumeration(seed: int, assuming: bool) -> None:
    toy = coded_toys(Random(seed))
    assumed = Assumptions(frozenset({0})) if assuming else NOTHING
    relations = EventRelations(toy, assumptions=assumed)
    solver = SmtSolver(toy, relations.space, USUAL, assumed)
    lawful = set(toy.states())
    oracle = Oracle(toy, assumed.checks)
    relations.tables.most = USUAL.codes
    for question in questions(toy):
        found = solver.answer(question)
        if found is None:
            continue
        place = relations._enumerated(question)
        assert found[0] == (place is not None), question
        if found[0] and found[1] is not None:
            assert found[1] in lawful
            if question.verb is Verb.CLASH:
                assert oracle.clashes(question.first, question.second, found[1])


@fewer(3)
@given(seeds)
def test_the_solver_knows_what_is_not_reachable(seed: int) -> None:
    toy = coded_toys(Random(seed))
    relations = EventRelations(toy, assumptions=REACHABLE)
    relations.faults(0)
    assert relations.reachable is not None
    solver = SmtSolver(toy, relations.space, USUAL, REACHABLE)
    solver.rely_on(relations.inductive)
    relations.tables.most = USUAL.codes
    everything = relations.space.bits(range(len(toy.slots)))
    for question in questions(toy):
        found = solver.answer(question)
        if found is not None:
            place = relations._enumerated(question)
            # that a check holds says more than that it is not violated
            assert found[0] == (place is not None) or (relations.inductive and place), question
            assert found[1] is None or relations.space.lawful(found[1], everything)


@fewer(3)
@given(seeds, st.booleans())
def test_sketches_leave_nothing_out(seed: int, all_slots: bool) -> None:
    rng = Random(seed)
    toy = coded_toys(rng)
    numbers = range(len(toy.slots))
    slots = frozenset(numbers if all_slots else rng.sample(numbers, max(1, len(toy.slots) // 2)))
    solver = SmtSolver(toy, EventRelations(toy).space, USUAL, NOTHING)
    for action in range(len(toy.actions)):
        sketch = solver.sketch(action, slots)
        if sketch is None:
            continue
        rows = dict(sketch.rows)
        for state in toy.states():
            results = toy.results(action, state) if toy.guard(action, state).holds else None
            outcomes = rows.get(tuple(state & toy.slots[n].bits for n in sketch.known), ())
            for result in results or ():
                new = [result & toy.slots[w].bits for w in sketch.written]
                assert any(
                    all(c in (None, code) for c, code in zip(outcome, new, strict=True))
                    for outcome in outcomes
                ), (action, state)


@fewer(3)
@given(seeds)
def test_what_sketches_prove_of_reachable_states_is_so(seed: int) -> None:
    toy = coded_toys(Random(seed))
    relations = relations_of(toy, Effort(codes=4), REACHABLE)
    relations.faults(0)
    found = relations.reachable
    states = sorted(reached(toy))
    assert found is None or all(satisfies(toy, found, s) for s in states)
    for what, answer, truth, useful in answers(relations, over(toy, states)):
        if answer.ground is Ground.SOLVED and not what.startswith(("violates", "repairs")):
            assert answer.yes == truth or answer.yes != useful, what


@fewer(4)
@given(seeds)
def test_relations_by_the_solver_alone_are_never_wrong(seed: int) -> None:
    toy = coded_toys(Random(seed))
    relations = relations_of(toy, Effort(codes=0))
    for what, answer, truth, useful in answers(relations, Oracle(toy)):
        if answer.ground is Ground.SOLVED and not what.startswith(("violates", "repairs")):
            assert answer.yes == truth or answer.yes != useful, what
        if answer.ground is Ground.UNDECIDED:
            assert answer.yes != useful, what


@fewer(10)
@given(seeds)
def test_without_ticks_nothing_is_solved(seed: int) -> None:
    toy = coded_toys(Random(seed))
    relations = relations_of(toy, Effort(codes=0, ticks=0))
    for what, answer, _, useful in answers(relations, Oracle(toy)):
        assert answer.ground in (Ground.APART, Ground.UNDECIDED), what
        assert answer.yes != useful or answer.ground is Ground.APART, what


# -- the cache ------------------------------------------------------------------------------------


def test_answers_are_found_again(tmp_path: Path) -> None:
    toy = coded_toys(Random(3))
    cache = Cache(tmp_path, worth=0.0)
    fresh = relations_of(toy, Effort(codes=0), cache=cache)
    first = [answer for _, answer, _, _ in answers(fresh, Oracle(toy))]
    kept = sorted(tmp_path.rglob("*.json"))
    assert kept
    times = [p.stat().st_mtime_ns for p in kept]
    again = relations_of(toy, Effort(codes=0), cache=cache)
    assert [answer for _, answer, _, _ in answers(again, Oracle(toy))] == first
    assert [p.stat().st_mtime_ns for p in kept] == times


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"answer": [false, null, 1], "digest": "x"}'])
def test_what_is_damaged_is_not_there(tmp_path: Path, damage: str) -> None:
    cache = Cache(tmp_path, worth=0.0)
    cache.put("abcd", Kept(True, 5, 10), 1.0)
    assert cache.get("abcd", 10) == Kept(True, 5, 10)
    assert cache.get("abce", 10) is None
    (path,) = tmp_path.rglob("*.json")
    path.write_text(damage)
    assert cache.get("abcd", 10) is None
    cache.put("abcd", Kept(False, None, 10), 1.0)
    assert cache.get("abcd", 10) == Kept(False, None, 10)


def test_an_answer_belongs_to_its_question(tmp_path: Path) -> None:
    cache = Cache(tmp_path, worth=0.0)
    cache.put("abcd", Kept(False, None, 10), 1.0)
    (path,) = tmp_path.rglob("*.json")
    path.rename(path.parent / "ce.json")
    assert cache.get("abce", 10) is None


def test_giving_up_is_kept_as_long_as_no_more_can_be_spent(tmp_path: Path) -> None:
    cache = Cache(tmp_path, worth=0.0)
    cache.put("abcd", Kept(None, None, 10), 1.0)
    assert cache.get("abcd", 10) == Kept(None, None, 10)
    assert cache.get("abcd", 11) is None


def test_quick_answers_and_folders_that_cannot_be_written_do_not_matter(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("abcd", Kept(True, None, 1), 0.001)
    assert not list(tmp_path.iterdir())
    (tmp_path / "file").write_text("")
    Cache(tmp_path / "file", worth=0.0).put("abcd", Kept(True, None, 1), 1.0)


def test_the_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert usual_folder() == tmp_path / "secateur" / "relations"
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    assert usual_folder().is_relative_to(Path.home())


@pytest.mark.parametrize("text", ["argument 1: Interrupted: ", "argument 1: TypeError: wrong type"])
def test_a_request_to_end_that_arrives_as_another_exception(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    def fails(*_: object) -> None:
        raise ArgumentError(text)

    for name in ("answer", "sketch", "violated"):
        monkeypatch.setattr(SmtSolver, name, fails)
    solver = relations_of(coded_toys(Random(1))).solver
    assert solver is not None
    checks = frozenset({0})
    if "Interrupted" in text:
        assert solver.answer(Question(Verb.FAULT, 0, 0)) is None
        assert solver.sketch(0, frozenset()) is None
        assert solver.violated(0, checks, checks) == (checks, frozenset())
    else:
        with pytest.raises(ArgumentError):
            solver.answer(Question(Verb.FAULT, 0, 0))
