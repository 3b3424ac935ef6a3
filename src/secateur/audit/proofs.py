"""Facts by their definitions: tried in all values of the slots concerned, or in given states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from secateur.audit.facts import Fact, Verb
from secateur.audit.states import States
from secateur.audit.within import Within
from secateur.system.events import EventSystem, disabled

Happening = tuple[int, ...] | None
"""The results of an action; none if it does not happen, None if nobody knows."""


class Known:
    """What is known of a state: enough to say what some actions and checks do in it."""

    def __init__(
        self,
        system: EventSystem,
        happens: Callable[[int, int], Happening],
        true: Callable[[int, int, int], bool],
        holds: Callable[[int, int], bool | None],
    ) -> None:
        self.system = system
        self.happens = happens
        self.true = true
        """Whether a conjunct of an action is true in a state.

        The one after the last is not true where everything else is, and there is no result.
        """
        self.holds = holds

    def shows(self, fact: Fact, state: int) -> bool | None:
        """Whether a state shows that a fact is wrong; None if that cannot be told there."""
        results = self.happens(fact.first, state)
        if fact.verb is Verb.NO_FAULT:
            return results is None
        if not results:
            return None if results is None else False
        match fact.verb:
            case Verb.INDEPENDENT:
                return self._clash(fact.first, fact.second, state)
            case Verb.NO_ENABLE:
                return not self.true(fact.second, fact.conjunct, state) and any(
                    self.true(fact.second, fact.conjunct, r) for r in results
                )
            case Verb.NO_DISABLE:
                return self._was_true(fact.second, fact.conjunct, state) and any(
                    not self.true(fact.second, fact.conjunct, r) for r in results
                )
            case Verb.NO_VIOLATE | Verb.NO_REPAIR:
                before = fact.verb is Verb.NO_VIOLATE
                return (self.holds(fact.second, state) is True) is before and any(
                    (self.holds(fact.second, r) is True) is not before for r in results
                )
            case Verb.NO_PROVOKE:
                blamed = fact.second
                return self.happens(blamed, state) is not None and any(
                    self.happens(blamed, r) is None for r in results
                )
            case Verb.NO_HEAL:
                healed = fact.second
                return self.happens(healed, state) is None and any(
                    self.happens(healed, r) is not None for r in results
                )
            case _:
                return any(self._stuck(r) for r in results)

    def _was_true(self, action: int, conjunct: int, state: int) -> bool:
        """Whether a conjunct is true where an action happens: the last one says no more than that."""
        if conjunct == len(self.system.actions[action].guard):
            return self.happens(action, state) != ()
        return self.true(action, conjunct, state)

    def _clash(self, a: int, b: int, state: int) -> bool | None:
        of_a, of_b = self.happens(a, state), self.happens(b, state)
        if not of_a or not of_b:
            return None if of_a is None or of_b is None else False
        first = [self.happens(b, r) for r in of_a]
        second = [self.happens(a, r) for r in of_b]
        if not all(first) or not all(second):
            return True
        return {t for ts in first for t in ts or ()} != {t for ts in second for t in ts or ()}

    def _stuck(self, state: int) -> bool:
        return all(self.happens(a, state) == () for a in range(len(self.system.actions)))


class Reached:
    """Tries facts in given states."""

    def __init__(self, states: States) -> None:
        self.states = states
        self._known = Known(states.system, self._happens, self._true, states.holds)

    def refuted(self, facts: Iterable[Fact], among: Sequence[int]) -> tuple[Fact, int] | None:
        """Return a fact and a state in which it is wrong; None if there is none."""
        by_first: dict[int, list[Fact]] = {}
        for fact in facts:
            by_first.setdefault(fact.first, []).append(fact)
        for state in among:
            look = self.states.look(state)
            for a in (*look.results, *look.faulty):
                for fact in by_first.get(a, ()):
                    if self._known.shows(fact, state):
                        return fact, state
        return None

    def _happens(self, action: int, state: int) -> Happening:
        look = self.states.look(state)
        return None if action in look.faulty else look.results.get(action, ())

    def _true(self, action: int, conjunct: int, state: int) -> bool:
        return not self.states.look(state).untrue[action] >> conjunct & 1


class Everywhere:
    """Tries facts in all values of the slots that they are about, within a set of states.

    `strict`: where it is not known what an action does, it may do anything.  That matters if
    some state was passed in which an action could not be told.
    """

    def __init__(self, within: Within, base: int, most: int, *, strict: bool) -> None:
        self.within = within
        """The states that are tried."""
        system = self.system = within.system
        self.base = base
        """A state whose bits are taken where a fact does not look."""
        self.most = most
        """So many combinations are tried for one fact."""
        self.left = 100 * most
        """So many are tried for all of them."""
        self.strict = strict
        self._touches = [a.sees | a.may_write for a in system.actions]
        self._happened: list[dict[int, Happening]] = [{} for _ in system.actions]
        self._rows: dict[int, list[int] | None] = {}
        self._known = Known(system, self._happens, self._true, system.holds)

    def proves(self, fact: Fact) -> bool:
        """Whether a fact holds in every state of the set."""
        states = self._states(fact)
        if states is None:
            return False
        for state in states:
            self.left -= 1
            shown = self._known.shows(fact, state)
            if shown or (shown is None and self.strict) or self.left < 0:
                return False
        return True

    def _states(self, fact: Fact) -> Iterator[int] | None:
        """Return all states to look at; None if they are too many."""
        within = self.within
        rows = self._happening(fact.first)
        if rows is None or self.left < 0:
            return None
        own = within.whole(self._touches[fact.first])
        more = within.whole(self._looked_at(fact)) & ~own
        count = within.count(more)
        if count is None or count * len(rows) > self.most:
            return None
        rest = list(within.values(more))
        tests = [c for c in within.inside(own | more) if c.mask & more]
        states = (row & ~more | pattern for row in rows for pattern in rest)
        return (s for s in states if all(within.satisfies(c, s) for c in tests))

    def _looked_at(self, fact: Fact) -> int:
        actions = self.system.actions
        match fact.verb:
            case Verb.INDEPENDENT:
                return self._touches[fact.second]
            case Verb.NO_ENABLE | Verb.NO_DISABLE:
                guard = actions[fact.second].guard
                last = fact.conjunct == len(guard)
                return actions[fact.second].sees if last else guard[fact.conjunct].reads
            case Verb.NO_VIOLATE | Verb.NO_REPAIR:
                return self.system.checks[fact.second].reads
            case Verb.NO_PROVOKE | Verb.NO_HEAL:
                return actions[fact.second].sees
            case Verb.NO_STRAND:
                return sum(slot.bits for slot in self.system.slots)
            case Verb.NO_FAULT:
                return 0

    def _happening(self, action: int) -> list[int] | None:
        """Return the states, other slots aside, in which an action does or may happen."""
        if action not in self._rows:
            own = self.within.whole(self._touches[action])
            count = self.within.count(own)
            found: list[int] | None = None
            if count is not None and count <= self.most:
                self.left -= count
                states = (self.base & ~own | pattern for pattern in self.within.values(own))
                found = [
                    s
                    for s in states
                    if self.within.admits(s, own) and self._happens(action, s) != ()
                ]
            self._rows[action] = found
        return self._rows[action]

    def _happens(self, action: int, state: int) -> Happening:
        """Return what an action does; where it looks at the same, it does the same."""
        touched = self._touches[action]
        known, here = self._happened[action], state & touched
        if here not in known:
            found = self._asked(action, state)
            known[here] = found and tuple(r & touched for r in found)
        found = known[here]
        return found and tuple(state & ~touched | r for r in found)

    def _asked(self, action: int, state: int) -> Happening:
        guard = self.system.guard(action, state)
        if guard.holds:
            return self.system.results(action, state)
        return () if disabled(self.system.actions[action], guard) else None

    def _true(self, action: int, conjunct: int, state: int) -> bool:
        guard = self.system.guard(action, state)
        return not (guard.false | guard.undefined) >> conjunct & 1
