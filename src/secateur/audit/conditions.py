"""Whether the actions chosen in a state suffice, by definition, if certain facts hold.

The actions chosen must be those that happen of a *closed* set T:

  D  a member that happens is independent of all that are no members;
  N  of a member that does not happen, some conjunct is not true that no outsider makes true.

So a path of outsiders keeps every member that happens, and lets no other one happen; the first
member on any path can be done at once instead.  The largest closed set with given actions that happen
exists (such sets are closed under union), and is found by taking away what cannot be in one.
How a search came to its choice need not be known: ample sets, sets of a process, stubborn sets and
up-sets are all of this kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from typing import Final, NamedTuple

from secateur.audit.facts import Fact, Verb, independent
from secateur.audit.states import Look, States, mask_of, members
from secateur.maths.print_value import show_value
from secateur.system.events import Action, EventSystem
from secateur.system.system import PropertyKind


class Lacking(Exception):
    """A condition that is not satisfied; the message says which."""


class Way(Enum):
    """Why a choice suffices."""

    TOWARDS = "everything that is asked for needs a member"
    """Each step shortens the way to an error: nothing is put off."""
    AROUND = "what is left out can be done later"
    """Only if it is not put off for ever: a proviso is needed."""


ALWAYS: Final = -1


class Needed(NamedTuple):
    """Actions that must be members, bit by bit, and facts that are needed.

    Each fact is about somebody, and is needed if that is no member, or ALWAYS.
    """

    members: int
    facts: frozenset[tuple[int, Fact]]

    def also(self, other: Needed) -> Needed:
        """Return what both need."""
        return Needed(self.members | other.members, self.facts | other.facts)


NOTHING: Final = Needed(0, frozenset())


class Claims:
    """The facts of a certificate as sets of actions, bit by bit; what is not claimed may be so."""

    def __init__(self, system: EventSystem, facts: Mapping[Fact, str]) -> None:
        self.system = system
        self.facts = facts
        self.count = len(system.actions)
        self.sees = [a.sees for a in system.actions]
        self.writes = [a.may_write for a in system.actions]
        self.faulty = tuple(a for a in range(self.count) if Fact(Verb.NO_FAULT, a) not in facts)
        self.dependents = cache(self._dependents)
        self.enablers = cache(self._enablers)
        self.violators = cache(self._violators)
        self.provokers = cache(self._provokers)
        self.disablers = cache(self._disablers)
        self.stranders = cache(self._stranders)

    def apart(self, fact: Fact) -> bool:
        """Whether a fact is plain to see: nothing is written that the other side looks at."""
        verb, a, b, conjunct = fact
        match verb:
            case Verb.INDEPENDENT:
                other = self.writes[b] & self.sees[a]
                return not (self.writes[a] & (self.sees[b] | self.writes[b]) or other)
            case Verb.NO_ENABLE | Verb.NO_DISABLE:
                return not self.writes[a] & looks(self.system.actions[b])[conjunct]
            case Verb.NO_VIOLATE | Verb.NO_REPAIR:
                return not self.writes[a] & self.system.checks[b].reads
            case Verb.NO_PROVOKE | Verb.NO_HEAL:
                return not self.writes[a] & self.sees[b]
            case _:
                return False

    def known(self, fact: Fact) -> bool:
        """Whether a fact is plain to see, or claimed."""
        return fact in self.facts or self.apart(fact)

    def _others(self, b: int, verb: Verb, second: int, conjunct: int = -1) -> int:
        return mask_of(
            a
            for a in range(self.count)
            if a != b and not self.known(Fact(verb, a, second, conjunct))
        )

    def _dependents(self, a: int) -> int:
        return mask_of(
            b for b in range(self.count) if b != a and not self._independent(independent(a, b))
        )

    def _independent(self, fact: Fact) -> bool:
        return self.known(fact)

    def _enablers(self, a: int, conjunct: int) -> int:
        return self._others(a, Verb.NO_ENABLE, a, conjunct)

    def _violators(self, check: int) -> int:
        return self._others(-1, Verb.NO_VIOLATE, check)

    def _provokers(self, action: int) -> int:
        return self._others(-1, Verb.NO_PROVOKE, action)

    def _disablers(self, b: int) -> int:
        """Return what may keep `b` from happening where it does: itself, or what depends on it."""
        conjuncts = range(len(looks(self.system.actions[b])))
        return mask_of(
            a
            for a in members(self.dependents(b) | 1 << b)
            if not all(self.known(Fact(Verb.NO_DISABLE, a, b, c)) for c in conjuncts)
        )

    def _stranders(self) -> int:
        return self._others(-1, Verb.NO_STRAND, -1)


def looks(action: Action) -> tuple[int, ...]:
    """Return the bits that each conjunct looks at, "it has a result" included."""
    guards = tuple(c.reads for c in action.guard)
    return guards if action.total else (*guards, action.sees)


class Conditions:
    """Judges choices, and collects the facts that they need."""

    def __init__(self, states: States, claims: Claims) -> None:
        self.states = states
        self.claims = claims
        self.everything = (1 << claims.count) - 1
        self.deadlocks = PropertyKind.DEADLOCK in states.kinds
        self.reach = bool(states.checks or claims.faulty)
        self.used: set[Fact] = {
            Fact(Verb.NO_FAULT, a) for a in range(claims.count) if a not in claims.faulty
        }
        self._settled: set[object] = set()
        self._ends = cache(self._end)
        self._wanted = cache(self._want)

    def judge(self, look: Look, chosen: int) -> Way:
        """Return why some of the actions that happen suffice; raise Lacking if they do not."""
        closed = self.closed(look, chosen)
        self._check_dependents(look, chosen, closed)
        ends = self._towards_deadlocks(look, chosen, closed)
        if not self.reach:
            self._use(look, chosen, closed, ends)
            return Way.TOWARDS
        wanted = self.wanted(look)
        if wanted is not None and not wanted.members & ~closed:
            self._use(look, chosen, closed, ends.also(wanted))
            return Way.TOWARDS
        self._use(look, chosen, closed, ends.also(self._invisible(chosen, wanted)))
        return Way.AROUND

    # -- closed sets ------------------------------------------------------------------------------

    def closed(self, look: Look, chosen: int) -> int:
        """Return the largest set that satisfies N and of which just `chosen` happens."""
        inside = self.everything & ~look.enabled | chosen
        waiting = members(inside & ~look.enabled)
        while True:
            left = [a for a in waiting if any(not e & ~inside for e in self.waits(look, a))]
            if len(left) == len(waiting):
                return inside
            waiting = left
            inside = chosen | mask_of(left)

    def waits(self, look: Look, a: int) -> Iterator[int]:
        """Yield for each conjunct that is not true who may make it so."""
        for conjunct in members(look.untrue[a]):
            yield self.claims.enablers(a, conjunct)

    def _check_dependents(self, look: Look, chosen: int, closed: int) -> None:
        for a in members(chosen):
            outside = self.claims.dependents(a) & ~closed
            if not outside:
                continue
            names = self.claims.system.actions
            b = members(outside)[0]
            what = "happens and is left out" if look.enabled >> b & 1 else "may come to happen"
            raise Lacking(
                f"{called(names[b])} {what}, and the certificate has no fact that it is independent "
                f"of {called(names[a])}, which is chosen"
            )

    def _towards_deadlocks(self, look: Look, chosen: int, closed: int) -> Needed:
        """Return actions of which each path to a deadlock contains one; they are in the set.

        If something is chosen it goes on happening until it is done: that is enough.
        """
        if not self.deadlocks or chosen or not look.enabled:
            return NOTHING
        for b in members(look.enabled):
            if not self.claims.disablers(b) & ~closed:
                return self._ends(b)
        stranders = self.claims.stranders()
        if not stranders & ~closed:
            outsiders = members(self.everything & ~stranders)
            return Needed(stranders, frozenset((a, Fact(Verb.NO_STRAND, a)) for a in outsiders))
        raise Lacking("nothing is chosen, and what is left out may lead to a deadlock")

    def _end(self, b: int) -> Needed:
        """Return what may keep `b` from happening, and the facts that nothing else does."""
        disablers = self.claims.disablers(b)
        conjuncts = range(len(looks(self.claims.system.actions[b])))
        facts: set[tuple[int, Fact]] = set()
        for a in members(self.everything & ~disablers):
            if a != b and self.claims.known(independent(a, b)):
                facts.add((a, independent(a, b)))
            else:
                facts |= {(a, Fact(Verb.NO_DISABLE, a, b, c)) for c in conjuncts}
        return Needed(disablers, frozenset(facts))

    def wanted(self, look: Look) -> Needed | None:
        """Return what can lead to something wrong, and the facts that others cannot.

        None if a property has no value: then anything may make it fail.
        """
        holding: list[int] = []
        for check in self.states.checks:
            holds = self.states.holds(check, look.state)
            if holds is None:
                return None
            if holds:
                holding.append(check)
        return self._wanted(tuple(holding))

    def _want(self, holding: tuple[int, ...]) -> Needed:
        claims = self.claims
        rows = [(claims.violators(k), Verb.NO_VIOLATE, k) for k in holding]
        rows += [(claims.provokers(b), Verb.NO_PROVOKE, b) for b in claims.faulty]
        found = 0
        facts: set[tuple[int, Fact]] = set()
        for causes, verb, second in rows:
            found |= causes
            facts |= {(a, Fact(verb, a, second)) for a in members(self.everything & ~causes)}
        return Needed(found, frozenset(facts))

    def _invisible(self, chosen: int, wanted: Needed | None) -> Needed:
        """Return the facts that what is chosen never ends something wrong: it may be done first."""
        claims, actions = self.claims, self.claims.system.actions
        if not chosen:
            missing = 0 if wanted is None else wanted.members
            named = ", ".join(called(actions[a]) for a in members(missing)[:3])
            raise Lacking(
                "nothing is chosen, and what is left out may lead to an error"
                + (f": {named} may cause one" if named else "")
            )
        needed: set[tuple[int, Fact]] = set()
        for a in members(chosen):
            for check in self.states.checks:
                fact = Fact(Verb.NO_REPAIR, a, check)
                if not claims.known(fact):
                    name = claims.system.checks[check].name
                    raise Lacking(
                        f"{called(actions[a])} is chosen alone and may make '{name}' hold again; "
                        "where it does not hold would not be seen"
                    )
                needed.add((ALWAYS, fact))
            for b in claims.faulty:
                if chosen >> b & 1:
                    continue
                fact = Fact(Verb.NO_HEAL, a, b)
                if not claims.known(fact):
                    raise Lacking(
                        f"{called(actions[a])} is chosen and may end a fault of "
                        f"{called(actions[b])}, which would not be seen"
                    )
                needed.add((ALWAYS, fact))
        return Needed(0, frozenset(needed))

    # -- facts ------------------------------------------------------------------------------------

    def _use(self, look: Look, chosen: int, closed: int, needed: Needed) -> None:
        """Remember the facts that a small closed set needs."""
        inside = chosen | needed.members
        waits: dict[int, int] = {}
        todo = members(inside)
        while todo:
            a = todo.pop()
            if chosen >> a & 1:
                added = self.claims.dependents(a) & ~inside
            else:
                waits[a], added = self._cheapest(look, a, inside, closed)
            inside |= added
            todo += members(added)
        key = chosen, inside, tuple(sorted(waits.items())), needed
        if key in self._settled:
            return
        self._settled.add(key)
        outside = members(self.everything & ~inside)
        for a in members(chosen):
            self._using(independent(a, b) for b in outside)
        for a, conjunct in waits.items():
            self._using(Fact(Verb.NO_ENABLE, b, a, conjunct) for b in outside)
        self._using(f for who, f in needed.facts if who == ALWAYS or not inside >> who & 1)

    def _cheapest(self, look: Look, a: int, inside: int, closed: int) -> tuple[int, int]:
        """Return a conjunct that is not true, and who is to be added because of it."""
        found = [
            (conjunct, enablers & ~inside)
            for conjunct in members(look.untrue[a])
            if not (enablers := self.claims.enablers(a, conjunct)) & ~closed
        ]
        return min(found, key=lambda each: (each[1].bit_count(), each[0]))

    def _using(self, facts: Iterable[Fact]) -> None:
        self.used.update(fact for fact in facts if not self.claims.apart(fact))


def called(action: Action) -> str:
    """Return an action as users write it."""
    values = ", ".join(show_value(value) for _, value in action.arguments)
    return f"{action.operation}({values})" if values else action.operation
