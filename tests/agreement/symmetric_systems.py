"""Random event systems in which processes may be exchanged, merged against full."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import permutations
from random import Random
from typing import Any

from secateur.engine.plan import Plan, Wish, plan
from secateur.engine.reduce.reduction import Reduction
from secateur.engine.search.protocol import Task
from secateur.engine.symmetry.canonical import CANONICAL
from secateur.engine.symmetry.protocol import StrategyRow
from secateur.engine.symmetry.quotient import QuotientEvents
from secateur.engine.symmetry.registry import STRATEGIES
from secateur.system.events import Action, Check, Conjunct, Guard
from secateur.system.relations import Relations
from secateur.system.result import Result, confirm, seen_at_end
from secateur.system.symmetry import Interchangeable
from secateur.system.system import PropertyKind, State
from secateur.system.verdict import Violated
from tests.agreement.exact_relations import ExactRelations
from tests.agreement.reduced import CLASSES, Count, different_wishes
from tests.witnesses.judge import NEVER, Case, Truth, described, truth, with_seed
from tests.witnesses.tables import Tables, Values

NOBODY = -1

Condition = tuple[tuple[str, ...], Callable[[Values], bool]]
"""What is looked at, and what is asked of it."""


class SymmetricSystem(Tables):
    """Processes with a place each, a shared number, and what is known of processes.

    `own` is one process or nobody; `pick` as well, and is never written; `r` relates two.
    """

    name = "Symmetric"

    def __init__(self, random: Random) -> None:
        self.random = random
        self.count = random.choice((2, 3, 3, 3))
        self.places = random.choice((2, 3) if self.count == 2 else (2, 2, 2, 3))
        self.numbers = random.choice((1, 2, 2) if self.places == 2 else (1, 1, 2))
        processes = range(self.count)
        domains = {f"at{p}": self.places for p in processes} | {"g": self.numbers}
        self.has_owner = random.random() < 0.6
        self.has_pick = random.random() < 0.3
        self.has_pairs = random.random() < (0.5 if self.count == 2 else 0.15)
        if self.has_pairs and self.count == 3:  # or else there are too many states
            self.places, self.numbers, self.has_pick = 2, 1, False
        if self.has_owner:
            domains["own"] = self.count + 1
        if self.has_pick:
            domains["pick"] = self.count
        if self.has_pairs:
            domains |= {f"r{p}{q}": 2 for p in processes for q in processes if p != q}
        super().__init__(domains, ())
        place, number = random.randrange(self.places), random.randrange(self.numbers)
        start = {f"at{p}": place for p in processes} | {"g": number}
        if self.has_owner:
            start["own"] = self.count
        picked = processes if self.has_pick else (0,)
        self.start = [{**start, "pick": p} if self.has_pick else start for p in picked]
        for event in range(random.randint(1, 4)):
            self._add_event(event)
        for check in range(random.choice((0, 1, 1, 2))):
            self._add_check(check)

    # -- drawing ----------------------------------------------------------------------------------

    def _conditions(self, two: bool) -> Callable[[int, int], Condition]:
        """Return a condition on a process, or on two of them."""
        random = self.random
        place, number = random.randrange(self.places), random.randrange(self.numbers)
        wanted = random.random() < 0.6
        kinds = ["at", "at", "g"]
        kinds += ["own", "free"] * self.has_owner + ["pick"] * self.has_pick
        kinds += ["other at"] * two + ["pair", "back"] * (two and self.has_pairs)
        kind = random.choice(kinds)

        def condition(p: int, q: int) -> Condition:
            match kind:
                case "at":
                    return (f"at{p}",), lambda v: v[f"at{p}"] == place
                case "other at":
                    return (f"at{q}",), lambda v: (v[f"at{q}"] == place) == wanted
                case "own":
                    return ("own",), lambda v: (v["own"] == p) == wanted
                case "free":
                    return ("own",), lambda v: (v["own"] == self.count) == wanted
                case "pick":
                    return ("pick",), lambda v: (v["pick"] == p) == wanted
                case "pair":
                    return (f"r{p}{q}",), lambda v: (v[f"r{p}{q}"] == 1) == wanted
                case "back":
                    return (f"r{q}{p}",), lambda v: (v[f"r{q}{p}"] == 1) == wanted
            return ("g",), lambda v: v["g"] == number

        return condition

    def _assignments(self, two: bool) -> Callable[[int, int], dict[str, int]]:
        random = self.random
        place, other = random.randrange(self.places), random.randrange(self.places)
        number, bit = random.randrange(self.numbers), random.randrange(2)
        kinds = ["at", "at", "g"] + ["own", "free"] * self.has_owner
        kinds += ["other at"] * two + ["hand over"] * (two and self.has_owner)
        kinds += ["pair"] * (two and self.has_pairs)
        chosen = set(random.sample(kinds, k=random.choice((1, 1, 2))))

        def assignment(p: int, q: int) -> dict[str, int]:
            found: dict[str, int] = {}
            if "at" in chosen:
                found[f"at{p}"] = place
            if "other at" in chosen:
                found[f"at{q}"] = other
            if "g" in chosen:
                found["g"] = number
            if "own" in chosen:
                found["own"] = p
            elif "free" in chosen:
                found["own"] = self.count
            elif "hand over" in chosen:
                found["own"] = q
            if "pair" in chosen:
                found[f"r{p}{q}"] = bit
            return found

        return assignment

    def _add_event(self, number: int) -> None:
        random = self.random
        two = random.random() < 0.4
        conditions = [self._conditions(two) for _ in range(random.choice((1, 1, 2, 2, 3)))]
        bodies = [self._assignments(two) for _ in range(random.choice((1, 1, 1, 2)))]
        processes = range(self.count)
        pairs = [(p, q) for p in processes for q in processes if (p != q if two else p == q)]
        for p, q in pairs:
            self._add_action(f"e{number}", (p, q), [c(p, q) for c in conditions], bodies)

    def _add_action(
        self,
        name: str,
        who: tuple[int, int],
        conditions: Sequence[Condition],
        bodies: Sequence[Callable[[int, int], dict[str, int]]],
    ) -> None:
        guards: dict[int, Guard] = {}
        outcomes: dict[int, tuple[int, ...] | None] = {}
        changes = [body(*who) for body in bodies]
        bits = [(~self.mask(change), self.pack(change)) for change in changes]
        numbered = [(1 << i, holds) for i, (_, holds) in enumerate(conditions)]
        for state, values in self.valuation.items():
            false = 0
            for bit, holds in numbered:
                if not holds(values):
                    false |= bit
            guards[state] = Guard(false, 0)
            outcomes[state] = (
                () if false else tuple(dict.fromkeys([state & rest | new for rest, new in bits]))
            )
        written = self.mask(n for change in changes for n in change)
        guard = tuple(Conjunct(f"{i}", self.mask(names)) for i, (names, _) in enumerate(conditions))
        several = len(changes) > 1
        arguments = (("p", who[0]), ("q", who[1]))
        self.guards.append(guards)
        self.outcomes.append(outcomes)
        self.actions.append(
            Action(name, arguments, guard, written, written, 0, not several, total=True)
        )

    def _add_check(self, number: int) -> None:
        two = self.random.random() < 0.4
        conditions = [self._conditions(two) for _ in range(self.random.choice((1, 2, 2)))]
        processes = range(self.count)
        instances = [
            [c(p, q) for c in conditions]
            for p in processes
            for q in processes
            if (p != q if two else p == q)
        ]
        names = {n for each in instances for seen, _ in each for n in seen}
        self.checks.append(Check(PropertyKind.INVARIANT, f"I{number}", self.mask(names)))
        self.truths.append(
            {
                state: not any(all(holds(v) for _, holds in each) for each in instances)
                for state, v in self.valuation.items()
            }
        )

    # -- the symmetry -----------------------------------------------------------------------------

    @property
    def sets(self) -> list[Interchangeable]:
        """The processes."""
        return [Interchangeable("P", tuple(range(self.count)))]

    @property
    def elements(self) -> int:
        """How many these are."""
        return self.count

    def described(self, state: State, colour: Sequence[int]) -> Any:
        """Return what a state looks like."""
        assert isinstance(state, int)
        v = self.valuation[state]
        processes = range(self.count)
        one = {"own": v.get("own"), "pick": v.get("pick")}
        return (
            v["g"],
            tuple(sorted((colour[p], v[f"at{p}"]) for p in processes)),
            tuple(colour[e] if e is not None and e < self.count else NOBODY for e in one.values()),
            tuple(
                sorted(
                    (colour[p], colour[q], v[f"r{p}{q}"])
                    for p in processes
                    for q in processes
                    if p != q and self.has_pairs
                )
            ),
        )

    def orbit(self, state: int) -> frozenset[Any]:
        """Return all that a state may look like, by definition."""
        return frozenset(self.described(state, p) for p in permutations(range(self.count)))


class MergedCase:
    """A case in which symmetric states are merged."""

    def __init__(
        self,
        system: SymmetricSystem,
        relations: Relations | None,
        kinds: frozenset[PropertyKind],
        strategy: StrategyRow,
    ) -> None:
        self.system = system
        self.relations = relations
        self.kinds = kinds
        self.strategy = strategy
        self.quotient = self._quotient()

    def _quotient(self) -> QuotientEvents:
        return QuotientEvents(self.system, self.strategy.build(self.system))

    def apply(self, planned: Plan) -> Reduction | None:
        """Return the reduction of a new quotient."""
        self.quotient = self._quotient()
        if self.relations is None:  # then none is asked for
            return None
        return planned.pruning.applied(self.quotient, self.relations, self.kinds)

    def run(
        self,
        planned: Plan,
        reduction: Reduction | None,
        ends: frozenset[PropertyKind] = NEVER,
    ) -> Result:
        """Search as planned; traces are real."""
        guide = planned.pruning.guide(self.quotient, self.kinds)
        task = Task(
            self.quotient,
            self.kinds,
            ends,
            planned.seed,
            planned.ratio,
            reduction=reduction,
            heuristic=guide,
        )
        result = planned.search.search(task)
        if not isinstance(result.verdict, Violated):
            return result
        traces = [(v, self.quotient.unfolded(v.trace.states)) for v in result.violations]
        assert not self.strategy.exact or all(trace is not None for _, trace in traces)
        violations = tuple(seen_at_end(v, trace) for v, trace in traces if trace is not None)
        return replace(result, verdict=replace(result.verdict, violations=violations))


def symmetric_system(seed: int) -> SymmetricSystem:
    """Return a system with several states, if one is found soon."""
    random = Random(seed)
    for _ in range(3):
        system = SymmetricSystem(random)
        if truth(system, frozenset()).states >= random.choice((3, 4, 8)):
            break
    return system


def try_symmetric(seed: int, plans: int, count: Count) -> None:
    """Judge a random system: all of it under each strategy, and some plans."""
    system = symmetric_system(seed)
    random = Random(seed)
    count.systems += 1
    # Relations take the longest to find: every third system is reduced as well as merged.
    relations = ExactRelations(system) if seed % 3 == 0 else None
    asked = [("both", strategy, Wish(por="none")) for strategy in STRATEGIES]
    asked.append(
        ("both", CANONICAL, Wish(por="none", search=random.choice(("df", "random", "mixed"))))
    )
    for _ in range(0 if relations is None else plans):
        assert relations is not None
        name, strategy = random.choice(list(CLASSES)), random.choice(STRATEGIES)
        wish = random.choice(different_wishes(Case(system, relations, CLASSES[name])))
        if wish.search != "astar" or strategy.exact:
            asked.append((name, strategy, wish))
    truths = {name: truth(system, CLASSES[name]) for name in {name for name, _, _ in asked}}
    for name, strategy, wish in asked:
        count.runs += 1
        expected = truths[name]
        count.wrong_systems += expected.wrong and wish.por == "none"
        case = MergedCase(system, relations, CLASSES[name], strategy)
        complaint = judge_merged(case, with_seed(wish, seed), expected, count)
        if complaint is not None:
            which = f"{strategy.name}, {described(wish)}"
            count.complaints.append(f"system {seed}, {name}, {which}: {complaint}")


def judge_merged(case: MergedCase, wish: Wish, expected: Truth, count: Count) -> str | None:
    """Return what is wrong with a plan: nothing, it is hoped."""
    system = case.system
    planned = plan(wish)
    reduction = case.apply(planned)
    result = case.run(planned, reduction)
    assert not result.reasons, result.reasons
    for violation in result.violations:
        confirm(violation)
    names = {v.name for v in result.violations if v.kind is not PropertyKind.DEADLOCK}
    deadlocks = sum(v.count for v in result.violations if v.kind is PropertyKind.DEADLOCK)
    stuck = {system.orbit(s) for s in expected.deadlocks}
    if not names <= expected.names or bool(deadlocks) > bool(stuck):
        return f"found {sorted(names)}, but only {sorted(expected.names)} are wrong"
    if not case.strategy.exact:
        return None
    if names != expected.names:
        return f"found {sorted(names)}, but {sorted(expected.names)} are wrong"
    if deadlocks != len(stuck):
        return f"found {deadlocks} deadlocks of {len(stuck)}"
    if reduction is None and planned.search.name == "bf":
        orbits = _orbits(system)
        count.states[case.strategy.name] += result.statistics.states
        count.states["all"] += expected.states
        if result.statistics.states != orbits:
            return f"explored {result.statistics.states} states of {orbits} orbits"
    first = case.run(planned, case.apply(planned), frozenset(PropertyKind))
    if bool(first.violations) != expected.wrong:
        return "a search for the first error finds something else"
    if expected.wrong and planned.search.shortest and reduction is None:
        length = min(len(v.trace) for v in first.violations)
        if length != expected.distance:
            return f"a trace of {length}, not {expected.distance}"
    return None


def _orbits(system: SymmetricSystem) -> int:
    """Return how many orbits there are among the reachable states."""
    todo = [system.pack(v) for v in system.start]
    seen = set(todo)
    while todo:
        state = todo.pop()
        for outcomes in system.outcomes:
            for result in outcomes[state] or ():
                if result not in seen:
                    seen.add(result)
                    todo.append(result)
    return len({system.orbit(s) for s in seen})
