"""Random event systems, as tables: a few slots, a few actions, everything that can go wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from random import Random

from secateur.system.events import Action, Check, Conjunct, Guard
from secateur.system.system import Outgoing, PropertyKind, State
from tests.witnesses.tables import Tables, Truth, add_feasibility

Key = tuple[int, ...]


@dataclass(frozen=True)
class Flavour:
    """What a system is made of; shares between 0 and 1."""

    several: float = 0.0
    """Bodies with several results, or with none."""
    undefined: float = 0.0
    """Conditions and bodies without value here and there."""
    foreign: float = 0.3
    """Looks at slots other than an action's own."""
    steps: float = 0.0
    """Actions that lead from one value of their own slot to another, as programs do."""


PLAIN = Flavour()
CHOOSING = Flavour(several=0.4)
FAULTY = Flavour(undefined=0.12)
ALL = Flavour(several=0.3, undefined=0.08)
LOOSE = Flavour(foreign=0.12)
PROGRAM = Flavour(steps=0.9)
PROGRAM_ALL = Flavour(several=0.2, undefined=0.05, steps=0.7)
FLAVOURS = (PLAIN, LOOSE, CHOOSING, FAULTY, ALL, PROGRAM, PROGRAM, PROGRAM, PROGRAM_ALL)


@cache
def _projection(sizes: tuple[int, ...], places: tuple[int, ...]) -> tuple[Key, ...]:
    """Return the values at some places in each state, in the order in which tables have them.

    Most systems that are drawn are thrown away, and all are of a few shapes.
    """
    return tuple(tuple(codes[p] for p in places) for codes in product(*map(range, sizes)))


class RandomSystem(Tables):
    """A system drawn with a seed."""

    name = "Random"

    def __init__(self, random: Random, flavours: Sequence[Flavour] = FLAVOURS) -> None:
        self.random = random
        self.flavour = random.choice(flavours)
        sizes = random.choice(
            [(3, 3), (2, 2, 2), (3, 2, 2), (3, 3, 2), (3, 3, 3), (4, 3, 2), (2, 2, 2, 2)]
        )
        domains = {f"v{i}": size for i, size in enumerate(sizes)}
        super().__init__(domains, ())
        self._names = list(domains)
        self._known: dict[State, tuple[Outgoing, ...]] = {}
        """What leads out of the states that were asked for, which is the same for every plan."""
        self.start = [
            {n: random.randrange(size) for n, size in domains.items()}
            for _ in range(random.choice((1, 1, 1, 2)))
        ]
        for number in range(random.randint(2, 7)):
            self._add_action(number)
        for number in range(random.choice((0, 1, 1, 1, 2))):
            self._add_check(number)

    # -- drawing --------------------------------------------------------------------------------

    def _slots(self, home: str | None, most: int) -> list[str]:
        """Return some slots to look at, the own one likely among them."""
        random = self.random
        found = set() if home is None or random.random() < 0.2 else {home}
        for name in random.sample(self._names, k=min(most, len(self._names))):
            if random.random() < self.flavour.foreign or not found:
                found.add(name)
        return [n for n in self._names if n in found]

    def _keys(self, names: Sequence[str]) -> list[Key]:
        return list(product(*(range(self.domains[n]) for n in names)))

    def _projected(self, names: Sequence[str]) -> tuple[Key, ...]:
        """Return the values of some slots in each state."""
        sizes = tuple(self.domains.values())
        return _projection(sizes, tuple(self._names.index(n) for n in names))

    def _condition(self, names: Sequence[str], true: float) -> dict[Key, Truth]:
        random = self.random

        def draw() -> Truth:
            if random.random() < self.flavour.undefined:
                return None
            return random.random() < true

        return {key: draw() for key in self._keys(names)}

    def _add_action(self, number: int) -> None:
        random = self.random
        home = random.choice(self._names)
        step = random.random() < self.flavour.steps
        conjuncts: list[tuple[list[str], dict[Key, Truth]]] = []
        if step:
            place = random.randrange(self.domains[home])
            conjuncts.append(([home], {key: key == (place,) for key in self._keys([home])}))
        for _ in range(random.choice((0, 0, 1) if step else (0, 1, 1, 1, 2, 2, 3))):
            names = self._slots(None if step else home, 2)
            conjuncts.append((names, self._condition(names, 0.5 if step else 0.7)))
        guards = self._guards(conjuncts)
        self.guards.append(guards)
        written = [home] if step else self._slots(home, 1)
        read = sorted({*written, *(self._slots(None, 1) if random.random() < 0.3 else ())})
        several = random.random() < self.flavour.several
        body = self._body(read, written, several=several)
        self.outcomes.append(self._outcomes(guards, read, written, body))
        guard = tuple(
            Conjunct(f"conjunct {i}", self.mask(names)) for i, (names, _) in enumerate(conjuncts)
        )
        arguments = (("p", number % 3),) if random.random() < 0.7 else ()
        self.actions.append(
            Action(
                f"e{number}",
                arguments,
                guard,
                self.mask(read),
                self.mask(written),
                0,
                deterministic=not several,
                total=not several,
                ordered=random.randint(0, len(guard)),
            )
        )
        if several:
            add_feasibility(self, number)

    def _guards(
        self, conjuncts: Sequence[tuple[Sequence[str], Mapping[Key, Truth]]]
    ) -> dict[int, Guard]:
        """Return what is false and what is undefined in each state."""
        false = dict.fromkeys(self.states, 0)
        undefined = dict.fromkeys(self.states, 0)
        for i, (names, table) in enumerate(conjuncts):
            for state, key in zip(self.states, self._projected(names), strict=True):
                truth = table[key]
                if truth is False:
                    false[state] |= 1 << i
                elif truth is None:
                    undefined[state] |= 1 << i
        return {s: Guard(false[s], undefined[s]) for s in self.states}

    def _body(
        self, read: Sequence[str], written: Sequence[str], *, several: bool
    ) -> dict[Key, list[dict[str, int]] | None]:
        random = self.random
        one_for_all = random.random() < 0.5

        def assignment() -> dict[str, int]:
            return {n: random.randrange(self.domains[n]) for n in written}

        def draw() -> list[dict[str, int]] | None:
            if random.random() < self.flavour.undefined / 2:
                return None
            return [assignment() for _ in range(random.choice((0, 1, 2, 2)) if several else 1)]

        constant = [assignment()]
        return {
            key: constant if one_for_all and not several else draw() for key in self._keys(read)
        }

    def _outcomes(
        self,
        guards: Mapping[int, Guard],
        read: Sequence[str],
        written: Sequence[str],
        body: Mapping[Key, list[dict[str, int]] | None],
    ) -> dict[int, tuple[int, ...] | None]:
        """Return the results in each state."""
        others = ~self.mask(written)
        codes = {
            key: None if found is None else [self.pack(a) for a in found]
            for key, found in body.items()
        }
        outcomes: dict[int, tuple[int, ...] | None] = {}
        for state, key in zip(self.states, self._projected(read), strict=True):
            found = codes[key]
            if not guards[state].holds:
                outcomes[state] = ()
            elif found is None:
                outcomes[state] = None
            else:
                outcomes[state] = tuple(dict.fromkeys(state & others | code for code in found))
        return outcomes

    def _add_check(self, number: int) -> None:
        names = sorted(self.random.sample(self._names, k=self.random.randint(1, 2)))
        self.add_property(f"I{number}", names)

    def add_property(self, name: str, names: Sequence[str]) -> None:
        """Draw a property that depends on some slots."""
        table = self._condition(names, 0.75)
        self.checks.append(Check(PropertyKind.INVARIANT, name, self.mask(names)))
        keys = zip(self.states, self._projected(names), strict=True)
        self.truths.append({s: table[key] for s, key in keys})

    def successors(self, state: State) -> Iterable[Outgoing]:
        """Yield what every action does, or that it is at fault."""
        if state not in self._known:
            self._known[state] = tuple(super().successors(state))
        return self._known[state]

    # -- looking --------------------------------------------------------------------------------

    def reachable(self) -> int:
        """Return the number of reachable states."""
        todo = [self.pack(v) for v in self.start]
        seen = set(todo)
        while todo:
            state = todo.pop()
            for outcomes in self.outcomes:
                for result in outcomes[state] or ():
                    if result not in seen:
                        seen.add(result)
                        todo.append(result)
        return len(seen)


def random_system(seed: int) -> RandomSystem:
    """Return a system that has more than a few states, if one is found soon."""
    random = Random(seed)
    least = random.choice((2, 6, 9, 12))
    for _ in range(20):
        system = RandomSystem(random)
        if system.reachable() >= least:
            break
    return system
