"""Questions about actions and checks as formulas: a model is a state that shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from secateur.analysis.protocol import Coded
from secateur.analysis.questions import Question, Verb
from secateur.analysis.smt.execute import Emitted
from secateur.analysis.smt.memory import Memory
from secateur.analysis.smt.steps import Condition, Performed, Steps
from secateur.analysis.smt.values import Truth, Untranslatable, both, either, negated
from secateur.system.events import EventSystem

MOST_RESULTS: Final = 8
"""Of each action, where the results of both orders are compared."""


class Formulas:
    """Makes formulas over the slots of a state of variables."""

    def __init__(self, system: EventSystem, coded: Coded, state: Memory) -> None:
        self._actions = system.actions
        self._coded = coded
        self._state = state
        self._steps = Steps(coded.words)
        self._performed: dict[int, Performed] = {}

    @property
    def facts(self) -> dict[str, Truth]:
        """What is known of variables in every lawful state, as far as code has told so far."""
        return self._steps.facts

    def holds(self, check: int) -> Truth:
        """Return when a check is not known to be violated."""
        return self._check(check, self._state).perhaps

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
                doubtful = conjunct == len(self._actions[b].guard)
                true = _perhaps if doubtful else _true
                values = (_not_true, true) if verb is Verb.ENABLE else (true, _not_true)
                return self._change(a, lambda state: self._conjunct(b, conjunct, state), values)
            case Verb.VIOLATE | Verb.REPAIR:
                sides = (_perhaps, _not_true) if verb is Verb.VIOLATE else (_not_true, _perhaps)
                return self._change(a, lambda state: self._check(b, state), sides)
            case Verb.PROVOKE:
                return self._change(a, lambda state: self._innocent(b, state), (_true, _not_true))

    # -- parts ------------------------------------------------------------------------------------

    def _perform(self, action: int, state: Memory) -> Performed:
        code = self._coded.code(action)
        assert code is not None
        return self._steps.perform(self._actions[action], code, state)

    def _now(self, action: int) -> Performed:
        found = self._performed.get(action)
        if found is None:
            found = self._performed[action] = self._perform(action, self._state)
        return found

    def _conjunct(self, action: int, conjunct: int, state: Memory) -> Condition:
        code = self._coded.code(action)
        assert code is not None
        if conjunct < len(code.guard):
            return self._steps.condition(code.guard[conjunct], state)
        return self._perform(action, state).has_result

    def _check(self, check: int, state: Memory) -> Condition:
        code = self._coded.check_code(check)
        assert code is not None
        return self._steps.condition(code, state)

    def _innocent(self, action: int, state: Memory) -> Condition:
        return Condition(negated(self._perform(action, state).at_fault), False)

    def _change(
        self,
        action: int,
        condition: Callable[[Memory], Condition],
        values: tuple[_Side, _Side],
    ) -> Truth:
        """Return when an action takes a condition from one value to another; at fault it might."""
        before, after = values
        performed = self._now(action)
        old = before(condition(self._state))
        changed = [both(when, after(condition(state))) for when, state in performed.results]
        return both(performed.possible, old, either(negated(performed.happens), *changed))

    def _clash(self, a: int, b: int) -> Truth:
        x, y = self._now(a), self._now(b)
        if len(x.results) > MOST_RESULTS or len(y.results) > MOST_RESULTS:
            raise Untranslatable("there are too many results")
        wrong = [negated(x.happens), negated(y.happens)]
        forth, back = self._then(x, b, wrong), self._then(y, a, wrong)
        first, second = self._actions[a], self._actions[b]
        written = first.may_write | second.may_write
        wrong += _missing(forth, back, written)
        if not (first.deterministic and second.deterministic):
            wrong += _missing(back, forth, written)
        return both(x.possible, y.possible, either(*wrong))

    def _then(self, first: Performed, second: int, wrong: list[Truth]) -> list[Emitted]:
        """Return the results of one action after another, and note where there are none."""
        found: list[Emitted] = []
        for when, state in first.results:
            after = self._perform(second, state)
            wrong.append(both(when, negated(after.happens)))
            found += [Emitted(both(when, e.when), e.state) for e in after.results]
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
