"""The relations between the actions of a system: found out when they are asked for, and kept.

Bits, guards, tables, runs and a solver are asked (`_find`).  What is left open is answered with care.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from typing import Final, TypeVar

from secateur.analysis.alike import Alike
from secateur.analysis.assumptions import ANYTHING, NOTHING, Admitted, Assumptions
from secateur.analysis.closing import Sketch
from secateur.analysis.compare import NOT_TRUE, PERHAPS, TRUE, Comparison, Place
from secateur.analysis.effort import USUAL, Effort, Purse, TooMuch
from secateur.analysis.exclusion import Exclusion, Neighbours
from secateur.analysis.groups import grouped
from secateur.analysis.inductive import Induction, related
from secateur.analysis.outlines import Outlines
from secateur.analysis.protocol import Solver, uncompiled
from secateur.analysis.questions import ABOUT_CONDITIONS, JOINT, UNDER_ASSUMPTIONS, Question, Verb
from secateur.analysis.reachable import Reachable, few_codes, informed, reachable, together
from secateur.analysis.seen import Seen
from secateur.analysis.space import space_of
from secateur.analysis.stranding import Stranding
from secateur.analysis.tables import Table, Tables, Truths
from secateur.system.events import Action, EventSystem
from secateur.system.relations import Answer, Ground

_T = TypeVar("_T")

_NO: Final = Answer(False, Ground.APART)
_OPEN: Final = Ground.UNDECIDED
_EXCLUSIVE: Final = "their guards exclude each other"


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
        self.coarse = uncompiled(system)
        self.tables = Tables(system, self.space, self.purse, self.coarse)
        self.answers: dict[Question, Answer] = {}
        """All answers so far that bits alone did not give: whether there is a state as asked for."""
        self._sees = [a.sees for a in system.actions]
        self._writes = [a.may_write for a in system.actions]
        self._touches = [a.sees | a.may_write for a in system.actions]
        self._looks = [_looks(a) for a in system.actions]
        self.reachable: Reachable | None = None
        """What is proven of the reachable states, once that was looked for."""
        self.inductive: frozenset[int] = frozenset()
        """The checks that are proven to hold in them, as far as that was looked for."""
        self._looked = not assumptions.reachable
        self._comparison = Comparison(self.purse)
        self._outlines = Outlines(lambda a: self._sketched(a, few_codes(self.space)))
        self._alike = Alike(system)
        self._exclusion = Exclusion()
        self._neighbours: Neighbours | None = None
        self._seen: Seen | None = None
        self._stranded: Stranding | None = None
        self._strands: dict[int, Answer] = {}
        self._admitted: dict[tuple[int, frozenset[int]], Admitted] = {}

    # -- what is asked ----------------------------------------------------------------------------

    def dependent(self, a: int, b: int) -> Answer:
        """Whether there may be a state where both happen and the order matters.

        An action depends on itself, so that nobody has to think of that case.
        """
        if a == b:
            return Answer(True, Ground.ENUMERATED, self._touches[a], remark="the same action")
        shared = (self._writes[a] & self._touches[b]) | (self._writes[b] & self._sees[a])
        if not shared:
            return _NO
        return self._ask(Question(Verb.CLASH, min(a, b), max(a, b)), shared)

    def enables(self, a: int, b: int, conjunct: int) -> Answer:
        """Whether `a` may make a conjunct of `b` true that was not.

        The one after the last is "it has a result": it is not true where that alone is missing.
        """
        shared = self._writes[a] & self._looks[b][conjunct]
        return self._asked_alike(Verb.ENABLE, a, (b, conjunct), shared) if shared else _NO

    def disables(self, a: int, b: int, conjunct: int) -> Answer:
        """Whether `a` may make a conjunct of `b` not true that was."""
        shared = self._writes[a] & self._looks[b][conjunct]
        return self._asked_alike(Verb.DISABLE, a, (b, conjunct), shared) if shared else _NO

    def first_alike(self, action: int, conjunct: int) -> tuple[int, int]:
        """Return the first conjunct, as action and number, of which all answers are the same."""
        return self._alike.first(action, conjunct)

    def _asked_alike(self, verb: Verb, a: int, conjunct: tuple[int, int], shared: int) -> Answer:
        return self._ask(Question(verb, a, *self._alike.first(*conjunct)), shared)

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
        return self._unless_innocent(b, shared) or self._ask(Question(Verb.PROVOKE, a, b), shared)

    def heals(self, a: int, b: int) -> Answer:
        """Whether `a` may lead from a state in which `b` is at fault to one in which it is not."""
        shared = self._writes[a] & self._sees[b]
        if not shared:
            return _NO
        return self._unless_innocent(b, shared) or self._ask(Question(Verb.HEAL, a, b), shared)

    def _unless_innocent(self, action: int, shared: int) -> Answer | None:
        """Return the answer to whatever is asked about faults of an action that has none."""
        fault = self.faults(action)
        if fault.yes:
            return None
        return Answer(False, fault.ground, shared, remark="it is never at fault")

    def strands(self, a: int) -> Answer:
        """Whether `a` may lead to a state in which nothing happens."""
        known = self._strands.get(a)
        if known is None:
            with self.purse:
                known = self._strands[a] = self._stranding(a)
        return known

    def _stranding(self, a: int) -> Answer:
        shared = self._writes[a]
        if self.purse.empty:
            return Answer(True, Ground.UNDECIDED, shared, remark="no time was left")
        self._begin()
        if self._stranded is None:
            self._stranded = Stranding(self.tables, self.purse)
        if not self._stranded.possible:
            return Answer(False, Ground.ENUMERATED, shared, remark="something happens everywhere")
        table = self.tables.action(a)
        if table is not None:
            try:
                found = self._stranded.after(table)
            except TooMuch:
                table = None
        if table is None:
            return Answer(True, Ground.UNDECIDED, shared, remark="there are too many values to try")
        if found is None:
            return Answer(False, Ground.ENUMERATED, shared, remark="something happens after it")
        return Answer(True, Ground.ENUMERATED, shared, self.space.state(found[1], found[0]))

    def resume(self) -> None:
        """Go on for another run, with all of the time: what there was none for is asked again."""
        if self.purse.unsolvable:
            self.answers = {q: a for q, a in self.answers.items() if a.ground is not _OPEN}
            self._strands = {a: s for a, s in self._strands.items() if s.ground is not _OPEN}
        self.purse.refill()

    # -- how answers are found --------------------------------------------------------------------

    def _ask(self, question: Question, shared: int) -> Answer:
        """Return whether there is a witness; `shared` are the bits that it is about."""
        known = self.answers.get(question)
        if known is not None:
            return known
        # where no time is left, no clock need be looked at
        with nullcontext() if self.purse.empty else self.purse:
            known = self.answers[question] = self._find(question, shared)
        return known

    def _find(self, question: Question, shared: int) -> Answer:
        if self.purse.empty:
            return Answer(True, Ground.UNDECIDED, shared, remark="no time was left")
        effort = self.purse.effort
        self._begin()
        if self._exclusive(question):
            return Answer(False, Ground.ENUMERATED, shared, remark=_EXCLUSIVE)
        known = (
            self._tried(question, shared, min(effort.quick, effort.codes))
            or self._outlined(question, shared)
            or self._shown(question, shared)
            or self._solved(question, shared)
            or self._tried(question, shared, effort.codes)
        )
        if known is not None and known.yes and self.inductive and known.ground is not Ground.SOLVED:
            # more is proven than tables tell
            known = self._solved(question, shared) or known
        return known or self._given_up(question, shared)

    def _given_up(self, question: Question, shared: int) -> Answer:
        """Return the cautious answer."""
        second = () if question.verb in (Verb.VIOLATE, Verb.REPAIR) else (question.second,)
        ground = Ground.COARSE if self.coarse & {question.first, *second} else _OPEN
        return Answer(True, ground, shared, remark="there are too many values to try")

    def _begin(self) -> None:
        """Get ready to look at small tables, and at reachable states only."""
        if not self._looked:
            self._looked = True
            self._begin()
            self._restrict()
        self.tables.most = min(self.purse.effort.quick, self.purse.effort.codes)

    def _restrict(self) -> None:
        """Look at reachable states only, as far as something is known of them."""
        known = informed(self.system, self.space)
        if known is not None:
            self._rely_on(known)
            self._begin()
        found = together(known, reachable(self.tables, self.purse, self._sketched))
        if found is None:
            return
        self._rely_on(found)
        suspects = self._suspects(range(len(self.system.actions)))
        if not suspects:
            return
        self._begin()
        more = grouped(self.tables, found, suspects, self.purse, self._sketched)
        if more is not found:
            self._rely_on(more)
            suspects = self._suspects(suspects)
        if suspects and self._induce(suspects):
            self._suspects(suspects)

    def _rely_on(self, found: Reachable) -> None:
        self.reachable = found
        self.space = found.restricted(self.space)
        self.tables = self.tables.restricted(self.space, found.within)
        self._admitted.clear()
        self._exclusion = Exclusion(self.space.together)
        self._neighbours = None
        if self.solver is not None:
            self.solver.restrict(self.space)

    def _suspects(self, actions: Iterable[int]) -> list[int]:
        """Return the actions that may be at fault, as far as is known now."""
        suspects: list[int] = []
        for a in actions:
            question = Question(Verb.FAULT, a, a)
            self.answers[question] = self._find(question, self._touches[a])
            if self.answers[question].yes:
                suspects.append(a)
        return suspects

    def _induce(self, suspects: Iterable[int]) -> bool:
        """Find out which checks hold in all states that matter; whether there are any.

        Only those are looked at that may have to do with why some actions are not at fault.
        """
        assert self.reachable is not None
        self._begin()
        mask = 0
        for action in suspects:
            mask |= self._sees[action]
        induction = Induction(self.tables, self.reachable, self.purse, self.solver)
        self.inductive = induction.of(related(self.system, mask, range(len(self.system.checks))))
        if self.inductive and self.solver is not None:
            self.solver.rely_on(self.inductive)
        return bool(self.inductive)

    def _sketched(self, action: int, slots: frozenset[int]) -> Sketch | None:
        """Return what the solver knows of an action that has no table."""
        if self.solver is None or self.purse.unsolvable:
            return None
        begun = self.purse.clock()
        found = self.solver.sketch(action, slots)
        self.purse.solving += self.purse.clock() - begun
        self._outlines.keep(action, found)
        return found

    def _outlined(self, question: Question, shared: int) -> Answer | None:
        """Return that there is no witness, if the sketch of an action is enough to know that."""
        if question.verb not in ABOUT_CONDITIONS:
            return None
        condition = self._other(question)
        if not isinstance(condition, Truths) or self.faults(question.first).yes:
            return None
        action, values = question.first, self._values(question)
        writes = self._writes[action]
        if self._outlines.never(action, writes, condition, values, self.space):
            return Answer(False, Ground.SOLVED, shared)
        return None

    def _exclusive(self, question: Question) -> bool:
        """Whether there is no witness, for two guards are never both true: that is soon found out.

        No fault is provoked if that is so of conjuncts that stay as they are.
        """
        a, b = question.first, question.second
        kept = ~self._writes[a] if question.verb is Verb.PROVOKE else -1
        if question.verb not in JOINT and (kept == -1 or self.faults(a).yes):
            return False
        if kept == -1:
            if self._neighbours is None:
                needs = [list(self.tables.needs(n)) for n in range(len(self.system.actions))]
                self._neighbours = Neighbours(self._exclusion, needs)
            if self._neighbours.apart(a) >> b & 1:
                return True
        second = [c for c in self.tables.needs(b) if not c.mask & ~kept]
        return self._exclusion.holds(list(self.tables.needs(a)), second)

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

    def _shown(self, question: Question, shared: int) -> Answer | None:
        """Return that there is a witness, if a few runs show one."""
        if self.assumptions.checks:  # states in which they do not hold do not count
            return None
        if self._seen is None:
            self._seen = Seen(self.system, self.coarse, self.purse)
        found = self._seen.witness(question)
        return None if found is None else Answer(True, Ground.SEEN, shared, found)

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
        table = _listed(self.tables.action(question.first))
        if question.verb is Verb.FAULT:
            proven = self._admits(self.inductive, table.mask)
            return next((place for place in table.faults if proven(place[1], place[0])), None)
        other = self._other(question)
        if other is None:
            raise TooMuch
        mask = table.mask | other.mask
        assumed = self.assumptions.checks if question.verb in UNDER_ASSUMPTIONS else frozenset()
        admitted = self._admits(assumed, mask)
        found = self._compared(question, table, other, admitted)
        if found is None or self.reachable is None:
            return found
        # Each row of a table is known to occur.  Only where that is not enough it is asked
        # what is known of both sides together, which takes longer.
        apart = (table.mask, other.mask) if isinstance(other, Table) else (table.mask,)
        occurs = self.reachable.beyond(mask, *apart).also(self._admits(self.inductive, mask))
        if occurs(found[1], found[0]):
            return found
        return self._compared(question, table, other, admitted.also(occurs))

    def _other(self, question: Question) -> Table | Truths | None:
        """Return the other side of a question: an action, or a condition."""
        verb, _, b, conjunct = question
        match verb:
            case Verb.ENABLE | Verb.DISABLE:
                return self.tables.conjunct(b, conjunct)
            case Verb.VIOLATE | Verb.REPAIR:
                return self.tables.check(b)
            case Verb.PROVOKE | Verb.HEAL:
                return self.tables.innocence(b)
            case _:
                return self.tables.action(b)

    def _compared(
        self, question: Question, table: Table, other: Table | Truths, admitted: Admitted
    ) -> Place | None:
        compare = self._comparison
        if isinstance(other, Truths):
            return compare.change(table, other, self._values(question), admitted)
        if question.verb is Verb.CLASH:
            touched = self._touched(question.first), self._touched(question.second)
            return compare.clash(table, other, touched, admitted)
        return compare.meeting(table, other, admitted)

    def _values(self, question: Question) -> tuple[frozenset[bool | None], frozenset[bool | None]]:
        """Return from which values to which a condition is to be taken."""
        match question.verb:
            case Verb.VIOLATE:
                return PERHAPS, NOT_TRUE
            case Verb.REPAIR:
                return NOT_TRUE, PERHAPS
            case Verb.PROVOKE:
                return TRUE, NOT_TRUE
            case Verb.HEAL:
                return NOT_TRUE, TRUE
        doubtful = question.conjunct == len(self.system.actions[question.second].guard)
        true = PERHAPS if doubtful else TRUE
        return (NOT_TRUE, true) if question.verb is Verb.ENABLE else (true, NOT_TRUE)

    def _touched(self, action: int) -> int:
        return self.space.whole(self._touches[action])

    def _admits(self, checks: frozenset[int], known: int) -> Admitted:
        """Return the states in which some checks hold, as far as slots tell."""
        if not checks:
            return ANYTHING
        relevant = frozenset(n for n in checks if self.system.checks[n].reads & known)
        key = self.tables.most, relevant
        found = self._admitted.get(key)
        if found is None:
            tables = (self.tables.check(n) for n in sorted(relevant))
            found = Admitted(t for t in tables if t is not None)
            self._admitted[key] = found
        return found


def _listed(table: _T | None) -> _T:
    if table is None:
        raise TooMuch
    return table


def _looks(action: Action) -> tuple[int, ...]:
    """Return the bits that each conjunct looks at, and at last those that decide on a result."""
    return (*(c.reads for c in action.guard), 0 if action.total else action.sees)
