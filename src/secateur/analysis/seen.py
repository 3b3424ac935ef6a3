"""Answers that a few runs show, so that nobody has to look for a witness.

States on the way of some runs are kept with what guards say there.  What such a state shows is
so: it is the cautious answer, found without a search.  That nothing is seen says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from secateur.analysis.effort import Purse, TooMuch
from secateur.analysis.questions import Question, Verb
from secateur.analysis.space import initial_states
from secateur.system.events import EventSystem, Guard, disabled
from secateur.system.packing import Misfit

MOST_STATES: Final = 400
MOST_LOOKS: Final = 60_000
"""How many guards are looked at for all states."""
_LONGEST: Final = 80
"""A run that has become so long begins anew."""
_EXAMPLES: Final = 24
"""In so many states of each action something is looked for."""
SHARE: Final = 0.05
"""Of all the time for an analysis, to execute runs."""


class Seen:
    """States of some runs, each without a fault on the way, and what happens there."""

    def __init__(self, system: EventSystem, coarse: frozenset[int], purse: Purse) -> None:
        self._system = system
        self._purse = purse
        self._guards: dict[int, tuple[Guard, ...]] = {}
        self._later: dict[tuple[int, int], Guard] = {}
        self._where: list[list[int]] = [[] for _ in system.actions]
        """For each action, states in which it happens."""
        if not coarse:
            self._run()

    def witness(self, question: Question) -> int | None:
        """Return a state that shows what is asked for, if one was seen."""
        verb, a, b, conjunct = question
        if verb in (Verb.ENABLE, Verb.DISABLE):
            doubtful = conjunct == len(self._system.actions[b].guard)
            if doubtful:
                return None
            return next(self._changes(a, b, conjunct, enabled=verb is Verb.ENABLE), None)
        if verb is Verb.CLASH:
            return next((s for s in self._both(a, b) if self._differs(a, b, s)), None)
        if verb is Verb.MEET:
            return next(self._both(a, b), None)
        return None

    def _changes(self, a: int, b: int, conjunct: int, *, enabled: bool) -> Iterator[int]:
        for state in self._where[a][:_EXAMPLES]:
            if _true(self._guards[state][b], conjunct) == enabled:
                continue
            for after in self._results(a, state):
                if _true(self._guard(b, after), conjunct) == enabled:
                    yield state

    def _both(self, a: int, b: int) -> Iterator[int]:
        for state in self._where[a]:
            if self._guards[state][b].holds:
                yield state

    def _differs(self, a: int, b: int, state: int) -> bool:
        """Whether it is seen that the order of two actions matters; at fault it may not be."""
        ends: list[set[int]] = []
        for first, second in ((a, b), (b, a)):
            found: set[int] = set()
            for between in self._results(first, state):
                guard = self._guard(second, between)
                if not guard.holds:
                    return disabled(self._system.actions[second], guard)
                results = self._system.results(second, between)
                if results is None:
                    return False
                found.update(results)
            ends.append(found)
        return ends[0] != ends[1]

    def _results(self, action: int, state: int) -> tuple[int, ...]:
        return self._system.results(action, state) or ()

    def _guard(self, action: int, state: int) -> Guard:
        known = self._guards.get(state)
        if known is not None:
            return known[action]
        found = self._later.get((action, state))
        if found is None:
            found = self._later[action, state] = self._system.guard(action, state)
        return found

    # -- runs -------------------------------------------------------------------------------------

    def _run(self) -> None:
        most = min(MOST_STATES, MOST_LOOKS // max(1, len(self._system.actions)))
        try:
            beginnings = list(initial_states(self._system, MOST_STATES))
            if beginnings:
                self._walk(beginnings, most)
        except (Misfit, TooMuch):
            pass  # what was seen is so

    def _walk(self, beginnings: list[int], most: int) -> None:
        """Go on at random, sooner by what has seldom happened."""
        chance = Random(0)
        begun = self._purse.clock()
        steps = 0
        state = beginnings[0]
        while len(self._guards) < most and steps < 4 * most:
            if self._purse.clock() - begun > SHARE * self._purse.effort.seconds:
                return
            steps += 1
            happening = self._look(state)
            if not happening or steps % _LONGEST == 0:
                state = chance.choice(beginnings)
                continue
            rarest = min(len(self._where[a]) for a in happening)
            chosen = chance.choice([a for a in happening if len(self._where[a]) == rarest])
            results = self._system.results(chosen, state)
            state = chance.choice(results or beginnings)

    def _look(self, state: int) -> list[int]:
        """Keep a state; return what happens there, which is nothing if there is a fault."""
        actions = self._system.actions
        guards = self._guards.get(state)
        if guards is None:
            guards = tuple(self._system.guard(a, state) for a in range(len(actions)))
            self._guards[state] = guards
            for a, guard in enumerate(guards):
                if guard.holds:
                    self._where[a].append(state)
        doubtful = any(not g.holds and not disabled(actions[a], g) for a, g in enumerate(guards))
        return [] if doubtful else [a for a, g in enumerate(guards) if g.holds]


def _true(guard: Guard, conjunct: int) -> bool:
    return not (guard.false | guard.undefined) >> conjunct & 1
