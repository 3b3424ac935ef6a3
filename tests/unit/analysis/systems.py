"""Random event systems that are small enough to look at every lawful state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any

from secateur.system.events import Action, Check, Conjunct, Guard, Slot, disabled
from secateur.system.relations import Answer
from secateur.system.system import Breach, Outgoing, PropertyKind, State, Step, Transition

Values = dict[int, bool | None]


@dataclass
class Toy:
    """An event system in tables; a code over the bits that something reads is the key."""

    slots: list[Slot]
    actions: list[Action] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    conjuncts: list[list[Values]] = field(default_factory=list)
    outcomes: list[dict[int, tuple[int, ...] | None]] = field(default_factory=list)
    truths: list[Values] = field(default_factory=list)
    first: tuple[int, ...] = ()
    name: str = "toy"
    operations: Sequence[str] = ()

    def guard(self, action: int, state: int) -> Guard:
        known = self.actions[action]
        false = undefined = 0
        for j, (conjunct, values) in enumerate(
            zip(known.guard, self.conjuncts[action], strict=True)
        ):
            value = values[state & conjunct.reads]
            false |= (value is False) << j
            undefined |= (value is None) << j
        if not false and not undefined and not known.total:
            results = self.results(action, state)
            last = 1 << len(known.guard)
            if results is None:
                return Guard(0, last)
            return Guard(0 if results else last, 0)
        return Guard(false, undefined)

    def results(self, action: int, state: int) -> tuple[int, ...] | None:
        known = self.actions[action]
        found = self.outcomes[action][state & known.reads]
        if found is None:
            return None
        return tuple(dict.fromkeys((state & ~known.may_write) | r for r in found))

    def holds(self, check: int, state: int) -> bool | None:
        return self.truths[check][state & self.checks[check].reads]

    def states(self) -> Iterator[int]:
        """Yield all lawful states."""
        return map(sum, product(*(s.codes or () for s in self.slots)))

    # -- the rest of a system ---------------------------------------------------------------------

    def initial(self) -> Iterable[Outgoing]:
        return [Transition(Step("INITIALISATION"), s) for s in self.first]

    def successors(self, state: State) -> Iterable[Outgoing]:
        assert isinstance(state, int)
        for number, action in enumerate(self.actions):
            if self.guard(number, state).holds:
                for target in self.results(number, state) or ():
                    yield Transition(Step(action.operation), target)

    def is_initialised(self, _: State) -> bool:
        return True

    def may_end(self, state: State) -> bool:  # noqa: ARG002
        return False

    def breaches(self, _: State, __: frozenset[PropertyKind]) -> Iterable[Breach]:
        return ()

    def values(self, state: State) -> Sequence[tuple[str, Any]]:
        assert isinstance(state, int)
        return [(s.name, state & s.bits) for s in self.slots]

    def shown(self, state: State) -> Sequence[tuple[str, Any]]:
        return self.values(state)

    def why_no_initial_state(self) -> str:
        return ""


def toys(rng: Random, actions: int = 3, checks: int = 2) -> Toy:
    """Return a random system."""
    toy = Toy(_slots(rng))
    troubled = rng.choice((0.0, 0.0, 0.1))
    for number in range(actions):
        _add_action(rng, toy, f"a{number}", troubled)
    for number in range(checks):
        chosen = rng.sample(toy.slots, rng.randint(1, 2))
        reads, values = _values(rng, chosen, troubled, likely=0.7)
        toy.checks.append(Check(PropertyKind.INVARIANT, f"c{number}", reads))
        toy.truths.append(values)
    everything = list(toy.states())
    toy.first = tuple(rng.sample(everything, rng.randint(1, 2)))
    return toy


def _slots(rng: Random) -> list[Slot]:
    """Return slots whose bits are anywhere, and whose codes need not be all patterns."""
    free = list(range(12))
    if rng.random() < 0.5:
        rng.shuffle(free)
    slots: list[Slot] = []
    for number in range(rng.randint(2, 4)):
        bits = [free.pop() for _ in range(rng.randint(1, 2))]
        patterns = [sum(1 << b for b in chosen) for chosen in _subsets(bits)]
        codes = rng.sample(patterns, rng.randint(min(2, len(patterns)), len(patterns)))
        slots.append(Slot(f"x{number}", sum(1 << b for b in bits), tuple(codes)))
    return slots


def _subsets(bits: Sequence[int]) -> Iterator[list[int]]:
    for chosen in product((False, True), repeat=len(bits)):
        yield [b for b, c in zip(bits, chosen, strict=True) if c]


def _codes(slots: Sequence[Slot]) -> Iterator[int]:
    return map(sum, product(*(s.codes or () for s in slots))) if slots else iter((0,))


def _bits(slots: Sequence[Slot]) -> int:
    return sum(s.bits for s in slots)


def _values(
    rng: Random, slots: Sequence[Slot], troubled: float, likely: float
) -> tuple[int, Values]:
    return _bits(slots), {
        code: None if rng.random() < troubled else rng.random() < likely for code in _codes(slots)
    }


def _add_action(rng: Random, toy: Toy, name: str, troubled: float) -> None:
    guard: list[Conjunct] = []
    conjuncts: list[Values] = []
    for number in range(rng.randint(0, 3)):
        chosen = rng.sample(toy.slots, rng.randint(1, min(2, len(toy.slots))))
        reads, values = _values(rng, chosen, troubled, likely=0.6)
        guard.append(Conjunct(f"{name}.{number}", reads))
        conjuncts.append(values)
    surely = rng.sample(toy.slots, rng.randint(0, 2))
    perhaps = [s for s in toy.slots if s not in surely and rng.random() < 0.2]
    seen = [s for s in toy.slots if s in perhaps or rng.random() < 0.4]
    deterministic = rng.random() < 0.7
    total = rng.random() < 0.7
    outcomes: dict[int, tuple[int, ...] | None] = {}
    for code in _codes(seen):
        if rng.random() < troubled:
            outcomes[code] = None
            continue
        count = 1 if deterministic else rng.randint(1, 2)
        if not total and rng.random() < 0.3:
            count = 0
        outcomes[code] = tuple(
            sum(rng.choice(s.codes or ()) for s in surely)
            | sum(
                rng.choice(s.codes or ()) if rng.random() < 0.5 else code & s.bits for s in perhaps
            )
            for _ in range(count)
        )
    toy.actions.append(
        Action(
            name,
            (),
            tuple(guard),
            _bits(seen),
            _bits(surely) | _bits(perhaps),
            _bits(surely),
            deterministic,
            total,
            rng.randint(0, len(guard)),
        )
    )
    toy.conjuncts.append(conjuncts)
    toy.outcomes.append(outcomes)


# -- the definitions, state by state --------------------------------------------------------------


@dataclass
class Oracle:
    """Every relation by its definition, over all lawful states (in which some checks hold)."""

    toy: Toy
    assumed: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        self.everywhere = list(self.toy.states())
        self.states = [
            s
            for s in self.everywhere
            if all(self.toy.holds(n, s) is not False for n in self.assumed)
        ]

    def possible(self, a: int, s: int) -> bool:
        return not disabled(self.toy.actions[a], self.toy.guard(a, s))

    def results(self, a: int, s: int) -> tuple[int, ...] | None:
        """Return the results of an action that is possible; None if it is at fault."""
        guard = self.toy.guard(a, s)
        return self.toy.results(a, s) if guard.holds else None

    def at_fault(self, a: int, s: int) -> bool:
        return self.possible(a, s) and self.results(a, s) is None

    def dependent(self, a: int, b: int) -> bool:
        return any(self.clashes(a, b, s) for s in self.states)

    def clashes(self, a: int, b: int, s: int) -> bool:
        if not (self.possible(a, s) and self.possible(b, s)):
            return False
        first, second = self._both(a, b, s), self._both(b, a, s)
        return first is None or first != second

    def _both(self, a: int, b: int, s: int) -> set[int] | None:
        if self.at_fault(b, s):
            return None
        found: set[int] = set()
        results = self.results(a, s)
        for t in results or ():
            if not self.possible(b, t) or self.at_fault(b, t):
                return None
            found.update(self.results(b, t) or ())
        return None if results is None else found

    def _conjunct(self, b: int, j: int, s: int) -> bool:
        found = self.toy.guard(b, s)
        return not (found.false | found.undefined) >> j & 1

    def changes(self, a: int, b: int, j: int, s: int, to: bool) -> bool:
        if not self.possible(a, s) or self._conjunct(b, j, s) == to:
            return False
        results = self.results(a, s)
        return results is None or any(self._conjunct(b, j, t) == to for t in results)

    def change(self, a: int, b: int, j: int, to: bool) -> bool:
        return any(self.changes(a, b, j, s, to) for s in self.states)

    def excluded(self, a: int, b: int) -> bool:
        return not any(self.possible(a, s) and self.possible(b, s) for s in self.states)

    def checked(self, a: int, check: int, to: bool) -> bool:
        holds = self.toy.holds
        for s in self.everywhere:
            if self.possible(a, s) and holds(check, s) is not to:
                results = self.results(a, s)
                if results is None or any(holds(check, t) is not (not to) for t in results):
                    return True
        return False

    def faults(self, a: int) -> bool:
        return any(self.at_fault(a, s) for s in self.everywhere)

    def strands(self, a: int) -> bool:
        def stuck(s: int) -> bool:  # where something is at fault, that is what is reported
            return not any(
                self.possible(b, s) and self.results(b, s) != ()
                for b in range(len(self.toy.actions))
            )

        return any(
            stuck(t)
            for s in self.everywhere
            if self.possible(a, s)
            for t in self.results(a, s) or ()
        )

    def provokes(self, a: int, b: int) -> bool:
        if not self.faults(b):
            return False
        for s in self.everywhere:
            if self.possible(a, s) and not self.at_fault(b, s):
                results = self.results(a, s)
                if results is None or any(self.at_fault(b, t) for t in results):
                    return True
        return False

    def heals(self, a: int, b: int) -> bool:
        for s in self.everywhere:
            if self.possible(a, s) and self.at_fault(b, s):
                results = self.results(a, s)
                if results is None or any(not self.at_fault(b, t) for t in results):
                    return True
        return False


def cautious(answer: Answer, truth: bool, *, useful: bool = False) -> bool:
    """Whether an answer is right, or errs on the safe side."""
    return answer.yes == truth or answer.yes != useful
