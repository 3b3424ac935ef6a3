"""Questions about actions and checks, asked of Z3.

A formula without a model says no: it is about all lawful states, and perhaps some others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache as kept_once
from typing import Any, Final

import z3

from secateur.analysis.assumptions import Assumptions
from secateur.analysis.cache import Cache, Kept
from secateur.analysis.closing import Sketch
from secateur.analysis.effort import Effort
from secateur.analysis.inductive import related
from secateur.analysis.protocol import Coded
from secateur.analysis.questions import UNDER_ASSUMPTIONS, Question, Verb
from secateur.analysis.smt.formulas import Formulas
from secateur.analysis.smt.induction import Induction
from secateur.analysis.smt.lawful import Symbols
from secateur.analysis.smt.sketches import Sketching
from secateur.analysis.smt.values import Truth, Untranslatable, both
from secateur.analysis.space import Space
from secateur.system.events import EventSystem

_MILLISECONDS: Final = 5_000
"""No question takes longer, whatever it may spend in ticks."""
_QUESTIONS: Final = 200
"""After so many, a solver begins anew."""
_WAY_OF_ASKING: Final = 4
"""To be changed with the meaning of formulas, so that nothing old is found in a cache."""

_ABOUT_CHECKS: Final = frozenset({Verb.VIOLATE, Verb.REPAIR})


class SmtSolver:
    """Answers questions about a system whose code is known."""

    def __init__(
        self,
        system: EventSystem,
        space: Space,
        effort: Effort,
        assumptions: Assumptions,
        cache: Cache | None = None,
    ) -> None:
        assert isinstance(system, Coded)
        self._system: EventSystem = system
        self._coded: Coded = system
        self._symbols = Symbols(space)
        self._effort = effort
        self._cache = cache
        self._code = kept_once(self._coded.code)
        self._check_code = kept_once(self._coded.check_code)
        self._assumed = [n for n in sorted(assumptions.checks) if self._check_code(n)]
        self._formulas = Formulas(system, self._coded, self._symbols)
        self._space = space
        self._sketching: Sketching | None = None
        self._proven: frozenset[int] = frozenset()
        self._solver: Any = None
        self._asked = 0
        self._known: dict[int, Any] = {}
        """What the solver knows already, by its identity."""
        self._induction = Induction(system, self._formulas, self._symbols, self._prepared)

    def answer(self, question: Question) -> tuple[bool, int | None] | None:
        """Return whether there is such a state, and one; None if that was not found out."""
        if self._effort.ticks <= 0 or any(code is None for code in self._codes(question)):
            return None
        if self._cache is None:
            return self._find(question)
        key = self._cache.key(*self._text(question))
        kept = self._cache.get(key, self._effort.ticks)
        if kept is None:
            with self._cache.clock() as spent:
                found = self._find(question)
            yes, witness = found if found is not None else (None, None)
            kept = Kept(yes, witness, self._effort.ticks)
            self._cache.put(key, kept, spent())
        return None if kept.yes is None else (kept.yes, kept.witness)

    def sketch(self, action: int, slots: frozenset[int]) -> Sketch | None:
        """Return what some slots tell of an action; None if there is no formula for its code."""
        if self._code(action) is None:
            return None
        if self._sketching is None:
            self._sketching = Sketching(self._symbols, self._system.actions)
        written = self._space.touching(self._system.actions[action].may_write)
        try:
            performed = self._formulas.performed(action)
        except Untranslatable:
            return None
        return self._sketching.of(performed, tuple(n for n in written if n in slots), slots)

    def restrict(self, space: Space) -> None:
        """Ask about the states of a smaller space from now on."""
        self._space = space
        self._sketching = None
        self._symbols.restrict(space)
        self._solver = None

    def rely_on(self, checks: frozenset[int]) -> None:
        """Ask about states in which some checks hold from now on."""
        self._proven = checks

    def violated(
        self, action: int, checks: frozenset[int], assumed: frozenset[int]
    ) -> tuple[frozenset[int], frozenset[int]]:
        """Return the checks that an action may violate, and what the others are proven with."""
        known = dict(self._translated(assumed))
        if self._effort.ticks <= 0 or self._code(action) is None:
            return checks, frozenset()
        try:
            asked = checks & known.keys()
            violated, needed = self._induction.violated(action, asked, known)
        except Untranslatable:
            return checks, frozenset()
        return violated | (checks - asked), needed

    def _translated(self, checks: Iterable[int]) -> Iterator[tuple[int, Truth]]:
        """Yield those of the checks that there are formulas for, with when they hold."""
        for number in sorted(checks):
            if self._check_code(number):
                with suppress(Untranslatable):
                    yield number, self._formulas.true(number)

    def _find(self, question: Question) -> tuple[bool, int | None] | None:
        try:
            formula = self._formulas.of(question)
            assumed = [self._formulas.holds(n) for n in self._assumptions(question)]
        except Untranslatable:
            return None
        slots = self._slots(question)
        found = self._solve(both(formula, *assumed), slots)
        if not self._proven or (found is not None and not found[0]):
            return found
        # not the first thing to ask, for it takes longer
        terms, mask = [formula, *assumed], 0
        for number, holds in self._translated(self._relevant(question)):
            terms.append(holds)
            mask |= self._system.checks[number].reads
        return self._solve(both(*terms), self._space.touching(self._space.bits(slots) | mask))

    def _prepared(self) -> Any:
        # Variables are small, so that bits are what matters: there is little else to find out.
        solver = z3.SolverFor("QF_FD")
        solver.set("rlimit", self._effort.ticks)
        solver.set("timeout", _MILLISECONDS)
        return solver

    def _solve(self, formula: Truth, slots: Sequence[int]) -> tuple[bool, int | None] | None:
        lawful = [t for t in self._symbols.lawful(slots, self._formulas.facts) if t is not True]
        if formula is False or any(t is False for t in lawful):
            return False, None
        if formula is True and not lawful:
            return True, None
        solver = self._told(lawful)
        solver.push()
        if formula is not True:
            solver.add(formula)
        found = solver.check()
        try:
            if found == z3.unsat:
                return False, None
            if found == z3.sat:
                return True, self._symbols.state(solver.model(), slots)
            return None
        finally:
            solver.pop()

    def _told(self, lawful: Iterable[Any]) -> Any:
        """Return a solver that knows what is lawful.

        Questions are about the same slots again and again, so that much is known from those
        before.  With everything it has ever been told it would become slow; and an answer that
        is kept must not depend on what was asked before.
        """
        if self._solver is None or self._asked >= _QUESTIONS or self._cache is not None:
            self._solver, self._asked = self._prepared(), 0
            self._known = {}
        self._asked += 1
        for term in lawful:
            if term.get_id() not in self._known:
                self._known[term.get_id()] = term  # whose identity must not be another's
                self._solver.add(term)
        return self._solver

    # -- what a question is about -----------------------------------------------------------------

    def _slots(self, question: Question) -> tuple[int, ...]:
        actions, checks = self._system.actions, self._system.checks
        mask = actions[question.first].sees | actions[question.first].may_write
        guard = () if question.verb in _ABOUT_CHECKS else actions[question.second].guard
        if question.verb in _ABOUT_CHECKS:
            mask |= checks[question.second].reads
        elif 0 <= question.conjunct < len(guard):  # the rest of the guard does not matter
            mask |= guard[question.conjunct].reads
        else:
            mask |= actions[question.second].sees | actions[question.second].may_write
        for number in self._assumptions(question):
            mask |= checks[number].reads
        return self._space.touching(mask)

    def _assumptions(self, question: Question) -> list[int]:
        """Return the checks that may be assumed, and that have to do with the question."""
        if question.verb not in UNDER_ASSUMPTIONS:
            return []
        actions = self._system.actions
        seen = actions[question.first].sees | actions[question.second].sees
        return [n for n in self._assumed if self._system.checks[n].reads & seen]

    def _relevant(self, question: Question) -> frozenset[int]:
        """Return the checks that are proven and have to do with the question."""
        if not self._proven:
            return self._proven
        return related(self._system, self._space.bits(self._slots(question)), self._proven)

    def _codes(self, question: Question) -> Iterator[Any]:
        yield self._code(question.first)
        if question.verb in _ABOUT_CHECKS:
            yield self._check_code(question.second)
        else:
            yield self._code(question.second)

    def _text(self, question: Question) -> Iterator[object]:
        """Yield all that the answer depends on."""
        yield _WAY_OF_ASKING
        yield z3.get_version_string()
        yield question.verb.name, question.conjunct, self._coded.words
        yield from self._codes(question)
        actions = self._system.actions
        numbers = question[1:2] if question.verb in _ABOUT_CHECKS else question[1:3]
        for number in numbers:
            a = actions[number]
            yield a.ordered, a.total, a.deterministic, a.sees, a.may_write
        for number in self._assumptions(question):
            yield self._check_code(number)
        mask = self._space.bits(self._slots(question))
        for number in sorted(self._relevant(question)):
            yield self._check_code(number)
            mask |= self._system.checks[number].reads
        slots = self._space.touching(mask)
        for number in slots:
            slot = self._space.slots[number]
            yield slot.bits, None if slot.codes is None else tuple(slot.codes)
        among = self._space.bits(slots)
        for mask, codes in sorted(self._space.together.items()):
            if not mask & ~among:
                yield mask, sorted(codes)
