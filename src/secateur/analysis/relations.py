"""The relations between the actions of a system: found out when they are asked for, and kept.

Each answer is sought in three places, one after the other:

1. bits: actions that share none of them that one writes have nothing to do with each other;
2. enumeration: all codes of the slots concerned, by the tables of both sides;
3. a solver, if the system has code for it (`solver.py`).

What none of them finds out has the cautious answer.
"""

from __future__ import annotations

from typing import Final, Protocol, TypeVar

from secateur.analysis.assumptions import ANYTHING, NOTHING, Admitted, Assumptions
from secateur.analysis.compare import NOT_TRUE, PERHAPS, TRUE, Comparison, Place
from secateur.analysis.effort import USUAL, Effort, Purse, TooMuch
from secateur.analysis.protocol import Coded
from secateur.analysis.questions import UNDER_ASSUMPTIONS, Question, Verb
from secateur.analysis.space import space_of
from secateur.analysis.tables import Tables, Truths
from secateur.system.events import Action, EventSystem
from secateur.system.relations import Answer, Ground

_T = TypeVar("_T")

_NO: Final = Answer(False, Ground.APART)


class Solver(Protocol):
    """Whoever answers what enumeration leaves open."""

    def answer(self, question: Question) -> tuple[bool, int | None] | None:
        """Return whether there is a witness, and perhaps one; None if that was not found out."""


class EventRelations:
    """Relations by bits, then by enumeration, then by a solver."""

    def __init__(
        self,
        system: EventSystem,
        effort: Effort = USUAL,
        assumptions: Assumptions = NOTHING,
        solver: Solver | None = None,
    ) -> None:
        self.system = system
        self.assumptions = assumptions
        self.solver = solver
        self.purse = Purse(effort)
        self.space = space_of(system)
        self.coarse = _coarse(system)
        self.tables = Tables(system, self.space, self.purse, self.coarse)
        self.answers: dict[Question, Answer] = {}
        """All answers so far that bits alone did not give: whether there is a state as asked for."""
        self._sees = [a.sees for a in system.actions]
        self._writes = [a.may_write for a in system.actions]
        self._touches = [a.sees | a.may_write for a in system.actions]
        self._looks = [_looks(a) for a in system.actions]
        self._comparison = Comparison(self.purse)
        self._admitted: dict[tuple[int, frozenset[int]], Admitted] = {}

    # -- what is asked ----------------------------------------------------------------------------

    def dependent(self, a: int, b: int) -> Answer:
        """Whether there may be a state where both happen and the order matters.

        An action depends on itself, so that nobody has to think of that case.
        """
        if a == b:
            touched = self._touches[a]
            return Answer(True, Ground.ENUMERATED, touched, remark="the same action")
        shared = (self._writes[a] & self._touches[b]) | (self._writes[b] & self._sees[a])
        if not shared:
            return _NO
        return self._ask(
            Question(Verb.CLASH, a, b) if a < b else Question(Verb.CLASH, b, a), shared
        )

    def enables(self, a: int, b: int, conjunct: int) -> Answer:
        """Whether `a` may make a conjunct of `b` true that was not.

        The one after the last is "it has a result": it is not true where that alone is missing.
        """
        shared = self._writes[a] & self._looks[b][conjunct]
        return self._ask(Question(Verb.ENABLE, a, b, conjunct), shared) if shared else _NO

    def disables(self, a: int, b: int, conjunct: int) -> Answer:
        """Whether `a` may make a conjunct of `b` not true that was."""
        shared = self._writes[a] & self._looks[b][conjunct]
        return self._ask(Question(Verb.DISABLE, a, b, conjunct), shared) if shared else _NO

    def excluded(self, a: int, b: int) -> Answer:
        """Whether there may be no state in which both can happen."""
        shared = self._sees[a] & self._sees[b]
        if not shared:
            return _NO
        found = self._ask(Question(Verb.MEET, a, b) if a < b else Question(Verb.MEET, b, a), shared)
        return Answer(not found.yes, found.ground, found.slots, found.witness, found.remark)

    def violates(self, a: int, check: int) -> Answer:
        """Whether `a` may make a property not hold that did."""
        shared = self._writes[a] & self.system.checks[check].reads
        return self._ask(Question(Verb.VIOLATE, a, check), shared) if shared else _NO

    def repairs(self, a: int, check: int) -> Answer:
        """Whether `a` may make a property hold that did not."""
        shared = self._writes[a] & self.system.checks[check].reads
        return self._ask(Question(Verb.REPAIR, a, check), shared) if shared else _NO

    def faults(self, a: int) -> Answer:
        """Whether there may be a state in which `a` is ill-defined, or leaves its slots' codes."""
        return self._ask(Question(Verb.FAULT, a, a), self._touches[a])

    def provokes(self, a: int, b: int) -> Answer:
        """Whether `a` may lead from a state in which `b` is not at fault to one in which it is."""
        shared = self._writes[a] & self._sees[b]
        if not shared:
            return _NO
        fault = self.faults(b)
        if not fault.yes:
            return Answer(False, fault.ground, shared, remark="it is never at fault")
        return self._ask(Question(Verb.PROVOKE, a, b), shared)

    # -- how answers are found --------------------------------------------------------------------

    def _ask(self, question: Question, shared: int) -> Answer:
        """Return whether there is a witness; `shared` are the bits that it is about."""
        known = self.answers.get(question)
        if known is None:
            with self.purse:
                known = self.answers[question] = self._find(question, shared)
        return known

    def _find(self, question: Question, shared: int) -> Answer:
        if self.purse.empty:
            return Answer(True, Ground.UNDECIDED, shared, remark="no time was left")
        effort = self.purse.effort
        self.tables.most = min(effort.quick, effort.codes)
        if question.verb in (Verb.CLASH, Verb.MEET) and self._exclusive(question):
            return Answer(
                False, Ground.ENUMERATED, shared, remark="their guards exclude each other"
            )
        known = (
            self._tried(question, shared, min(effort.quick, effort.codes))
            or self._solved(question, shared)
            or self._tried(question, shared, effort.codes)
        )
        if known is not None:
            return known
        actions = {question.first}
        if question.verb not in (Verb.VIOLATE, Verb.REPAIR):
            actions.add(question.second)
        ground = Ground.COARSE if actions & self.coarse else Ground.UNDECIDED
        return Answer(True, ground, shared, remark="there are too many values to try")

    def _exclusive(self, question: Question) -> bool:
        """Whether two conjuncts are never true together; that is soon found out, and often so."""
        others = list(self.tables.needs(question.second))
        return any(
            one.mask & another.mask and _apart(one, another)
            for one in self.tables.needs(question.first)
            for another in others
        )

    def _tried(self, question: Question, shared: int, most: int) -> Answer | None:
        """Return the answer by enumeration, if it does not take too much."""
        self.tables.most = most
        try:
            found = self._enumerated(question)
        except TooMuch:
            return None
        if found is None:
            return Answer(False, Ground.ENUMERATED, shared)
        mask, code = found
        return Answer(True, Ground.ENUMERATED, shared, self.space.state(code, mask))

    def _solved(self, question: Question, shared: int) -> Answer | None:
        """Return the answer of the solver, if it has one."""
        if self.solver is None or self.purse.unsolvable:
            return None
        begun = self.purse.clock()
        found = self.solver.answer(question)
        self.purse.solving += self.purse.clock() - begun
        return None if found is None else Answer(found[0], Ground.SOLVED, shared, found[1])

    def _enumerated(self, question: Question) -> Place | None:
        """Return a witness; raise TooMuch if not everything can be tried."""
        verb, a, b, conjunct = question
        tables, compare = self.tables, self._comparison
        table = _listed(tables.action(a))
        match verb:
            case Verb.CLASH:
                other = _listed(tables.action(b))
                touched = self._touched(a), self._touched(b)
                return compare.clash(table, other, touched, self._admits(verb, table, other))
            case Verb.MEET:
                other = _listed(tables.action(b))
                return compare.meeting(table, other, self._admits(verb, table, other))
            case Verb.ENABLE | Verb.DISABLE:
                condition = _listed(tables.conjunct(b, conjunct))
                doubtful = conjunct == len(self.system.actions[b].guard)
                true = PERHAPS if doubtful else TRUE
                values = (NOT_TRUE, true) if verb is Verb.ENABLE else (true, NOT_TRUE)
                admitted = self._admits(verb, table, condition)
                return compare.change(table, condition, values, admitted)
            case Verb.VIOLATE | Verb.REPAIR:
                condition = _listed(tables.check(b))
                values = (PERHAPS, NOT_TRUE) if verb is Verb.VIOLATE else (NOT_TRUE, PERHAPS)
                return compare.change(table, condition, values)
            case Verb.FAULT:
                return next(table.faults, None)
            case Verb.PROVOKE:
                condition = _listed(tables.innocence(b))
                return compare.change(table, condition, (TRUE, NOT_TRUE))

    def _touched(self, action: int) -> int:
        return self.space.whole(self._touches[action])

    def _admits(self, verb: Verb, *sides: _Masked) -> Admitted:
        """Return the states that matter, as far as these slots tell."""
        assert verb in UNDER_ASSUMPTIONS
        if not self.assumptions.checks:
            return ANYTHING
        known = 0
        for side in sides:
            known |= side.mask
        relevant = frozenset(
            n for n in self.assumptions.checks if self.system.checks[n].reads & known
        )
        key = self.tables.most, relevant
        found = self._admitted.get(key)
        if found is None:
            tables = (self.tables.check(n) for n in sorted(relevant))
            found = Admitted(t for t in tables if t is not None)
            self._admitted[key] = found
        return found


class _Masked(Protocol):
    @property
    def mask(self) -> int: ...


def _listed(table: _T | None) -> _T:
    if table is None:
        raise TooMuch
    return table


def _apart(one: Truths, another: Truths) -> bool:
    common = one.mask & another.mask
    codes = {code & common for code, value in one.values.items() if value is not False}
    return not any(
        value is not False and code & common in codes for code, value in another.values.items()
    )


def _looks(action: Action) -> tuple[int, ...]:
    """Return the bits that each conjunct looks at, and at last those that decide on a result."""
    return (*(c.reads for c in action.guard), 0 if action.total else action.sees)


def _coarse(system: EventSystem) -> frozenset[int]:
    """Return the actions that only the evaluator can perform."""
    if not isinstance(system, Coded):
        return frozenset()
    # of those alone it is not known that they have a result
    numbers = (n for n, action in enumerate(system.actions) if not action.total)
    return frozenset(n for n in numbers if system.code(n) is None)
