"""Questions about actions and checks as formulas: a model is a state that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import z3

from secateur.analysis.protocol import Coded
from secateur.analysis.questions import Question, Verb
from secateur.analysis.smt.execute import Emitted
from secateur.analysis.smt.lawful import Symbols
from secateur.analysis.smt.memory import Memory, as_term, runs
from secateur.analysis.smt.steps import Condition, Performed, Steps
from secateur.analysis.smt.values import Term, Truth, Untranslatable, both, either, negated
from secateur.system.events import EventSystem

MOST_RESULTS: Final = 8
"""Of each action, where the results of both orders are compared."""


class _Move:
    """The way from a state to a result of an action: formulas about the one, put about the other."""

    def __init__(self, result: Memory, variables: Iterable[tuple[int, Term]]) -> None:
        self.state = result
        self._changed: list[tuple[Term, Term]] = []
        for at, variable in variables:
            width = variable.size()
            new = as_term(result.load(at, width), width)
            if not new.eq(variable):
                self._changed.append((variable, new))

    def term(self, term: Term) -> Term:
        """Return what a formula about the state says of the result."""
        if isinstance(term, bool | int) or not self._changed:
            return term
        return z3.substitute(term, *self._changed)

    def condition(self, condition: Condition) -> Condition:
        """Return when a condition holds after the move."""
        return Condition(self.term(condition.true), self.term(condition.undefined))

    def emitted(self, emitted: Emitted, written: int) -> Emitted:
        """Return a result of another action, some bits of which it writes, after the move."""
        state = self.state.copy()
        for at, width in runs(written):
            state.store(at, width, self.term(emitted.state.load(at, width)))
        return Emitted(self.term(emitted.when), state)


class Formulas:
    """Makes formulas over the slots of a state of variables.

    Code is translated once, for that state.
    """

    def __init__(self, system: EventSystem, coded: Coded, symbols: Symbols) -> None:
        self._actions = system.actions
        self._coded = coded
        self._symbols = symbols
        self._steps = Steps(coded.words)
        self._performed: dict[int, Performed | Untranslatable] = {}
        self._moves: dict[int, list[tuple[Truth, _Move]]] = {}
        self._checks: dict[int, Condition] = {}

    @property
    def facts(self) -> dict[str, Truth]:
        """What is known of variables in every lawful state, as far as code has told so far."""
        return self._steps.facts

    def holds(self, check: int) -> Truth:
        """Return when a check is not known to be violated."""
        return self._check(check).perhaps

    def true(self, check: int) -> Truth:
        """Return when a check is known to hold."""
        return self._check(check).true

    def violated(self, action: int, check: int) -> Truth:
        """Return when an action happens, is not at fault, and leads from where a check holds."""
        condition = self._check(check)
        after = [
            both(when, move.condition(condition).not_true) for when, move in self._results(action)
        ]
        return both(self._now(action).happens, condition.true, either(*after))

    def of(self, question: Question) -> Truth:
        """Return when a state is one that is asked for."""
        verb, a, b, conjunct = question
        match verb:
            case Verb.CLASH:
                return self._clash(a, b)
            case Verb.MEET:
                return both(self._now(a).possible, self._now(b).possible)
            case Verb.FAULT:
                return self._now(a).at_fault
            case Verb.ENABLE | Verb.DISABLE:
                condition, true = self._conjunct(b, conjunct)
                values = (_not_true, true) if verb is Verb.ENABLE else (true, _not_true)
                return self._change(a, condition, values)
            case Verb.VIOLATE | Verb.REPAIR:
                sides = (_perhaps, _not_true) if verb is Verb.VIOLATE else (_not_true, _perhaps)
                return self._change(a, self._check(b), sides)
            case Verb.PROVOKE | Verb.HEAL:
                innocent = Condition(negated(self._now(b).at_fault), False)
                ways = (_true, _not_true) if verb is Verb.PROVOKE else (_not_true, _true)
                return self._change(a, innocent, ways)

    def performed(self, action: int) -> Performed:
        """Return an action in the state of variables."""
        return self._now(action)

    # -- parts ------------------------------------------------------------------------------------

    def _now(self, action: int) -> Performed:
        found = self._performed.get(action)
        if found is None:
            code = self._coded.code(action)
            assert code is not None
            try:
                found = self._steps.perform(self._actions[action], code, self._symbols.memory)
            except Untranslatable as error:
                found = error
            self._performed[action] = found
        if isinstance(found, Untranslatable):
            raise found
        return found

    def _results(self, action: int) -> list[tuple[Truth, _Move]]:
        """Return the results of an action, and when it has them."""
        found = self._moves.get(action)
        if found is None:
            variables = list(self._symbols.variables(self._actions[action].may_write))
            found = self._moves[action] = [
                (when, _Move(state, variables)) for when, state in self._now(action).results
            ]
        return found

    def _conjunct(self, action: int, conjunct: int) -> tuple[Condition, _Side]:
        """Return a conjunct, and what it means that it is true after something."""
        performed = self._now(action)
        if conjunct < len(performed.guard):
            return performed.guard[conjunct], _true
        return performed.has_result, _perhaps

    def _check(self, check: int) -> Condition:
        found = self._checks.get(check)
        if found is None:
            code = self._coded.check_code(check)
            assert code is not None
            found = self._checks[check] = self._steps.condition(code, self._symbols.memory)
        return found

    def _change(self, action: int, condition: Condition, values: tuple[_Side, _Side]) -> Truth:
        """Return when an action takes a condition from one value to another; at fault it might."""
        before, after = values
        now = self._now(action)
        changed = [
            both(when, after(move.condition(condition))) for when, move in self._results(action)
        ]
        return both(now.possible, before(condition), either(negated(now.happens), *changed))

    def _clash(self, a: int, b: int) -> Truth:
        x, y = self._now(a), self._now(b)
        if len(x.results) > MOST_RESULTS or len(y.results) > MOST_RESULTS:
            raise Untranslatable("there are too many results")
        wrong = [negated(x.happens), negated(y.happens)]
        forth, back = self._then(a, b, wrong), self._then(b, a, wrong)
        first, second = self._actions[a], self._actions[b]
        written = first.may_write | second.may_write
        wrong += _missing(forth, back, written)
        if not (first.deterministic and second.deterministic):
            wrong += _missing(back, forth, written)
        return both(x.possible, y.possible, either(*wrong))

    def _then(self, first: int, second: int, wrong: list[Truth]) -> list[Emitted]:
        """Return the results of one action after another, and note where there are none."""
        found: list[Emitted] = []
        after = self._now(second)
        written = self._actions[second].may_write
        for when, move in self._results(first):
            wrong.append(both(when, negated(move.term(after.happens))))
            for emitted in after.results:
                moved = move.emitted(emitted, written)
                found.append(Emitted(both(when, moved.when), moved.state))
        return found


def _missing(results: Sequence[Emitted], others: Sequence[Emitted], mask: int) -> list[Truth]:
    """Return when one of the results is not among the others."""
    return [
        both(
            when,
            *(negated(both(o.when, negated(state.differs(o.state, mask)))) for o in others),
        )
        for when, state in results
    ]


_Side = Callable[[Condition], Truth]


def _true(condition: Condition) -> Truth:
    return condition.true


def _not_true(condition: Condition) -> Truth:
    return condition.not_true


def _perhaps(condition: Condition) -> Truth:
    return condition.perhaps
