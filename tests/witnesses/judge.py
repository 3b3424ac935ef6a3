"""What a reduced search must find: what the definitions say, whatever the plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import product

from secateur.engine.heuristics.protocol import Heuristic
from secateur.engine.plan import Plan, Wish, plan
from secateur.engine.provisos.registry import PROVISOS
from secateur.engine.pruning import AUTO, RANDOM, SMALLEST
from secateur.engine.reduce.lookup import Lookup
from secateur.engine.reduce.reduction import Reduction
from secateur.engine.reduce.registry import REDUCTIONS
from secateur.engine.search.protocol import Task
from secateur.engine.search.registry import ALL_SEARCHES
from secateur.source import InputError
from secateur.system.events import EventSystem
from secateur.system.relations import Relations
from secateur.system.result import Result, confirm
from secateur.system.system import Breach, Fault, PropertyKind, Transition
from tests.witnesses.tables import Tables

DEADLOCK = frozenset({PropertyKind.DEADLOCK})
INVARIANT = frozenset({PropertyKind.INVARIANT})
BOTH = DEADLOCK | INVARIANT
NEVER: frozenset[PropertyKind] = frozenset()


@dataclass(frozen=True)
class Truth:
    """All that is wrong with a system, from the definitions."""

    deadlocks: frozenset[int]
    names: frozenset[str]
    """The properties that are violated or ill-defined, and the operations that are."""
    distance: int | None
    """Of the nearest state with something wrong, in transitions from the root."""
    states: int

    @property
    def wrong(self) -> bool:
        """Whether anything is."""
        return self.distance is not None


def truth(system: Tables, kinds: frozenset[PropertyKind]) -> Truth:
    """Return what is wrong with a system where properties of these kinds are asked for."""
    deadlocks: set[int] = set()
    names: set[str] = set()
    nearest: int | None = None
    level = list(dict.fromkeys(system.pack(v) for v in system.start))
    seen = set(level)
    depth = 0
    while level:
        depth += 1
        following: list[int] = []
        for state in level:
            outgoing = list(system.successors(state))
            found = {b.name for b in system.breaches(state, kinds) if isinstance(b, Breach)}
            faults = [*system.breaches(state, kinds), *outgoing]
            found |= {f.where for f in faults if isinstance(f, Fault)}
            names |= found
            if not outgoing and PropertyKind.DEADLOCK in kinds and not system.may_end(state):
                deadlocks.add(state)
                found = {"deadlock"}
            if found and nearest is None:
                nearest = depth
            for item in outgoing:
                if isinstance(item, Transition):
                    assert isinstance(item.target, int)
                    if item.target not in seen:
                        seen.add(item.target)
                        following.append(item.target)
        level = following
    return Truth(frozenset(deadlocks), frozenset(names), nearest, len(seen))


@cache
def lawful_wishes() -> tuple[Wish, ...]:
    """Return every combination that is not refused."""
    return tuple(lawful_plans())


@cache
def lawful_plans() -> Mapping[Wish, Plan]:
    """Return the plan of each of them."""
    return dict(_lawful())


def _lawful() -> Iterator[tuple[Wish, Plan]]:
    reductions = [AUTO, *(r.name for r in REDUCTIONS)]
    provisos = [AUTO, *(p.name for p in PROVISOS)]
    searches = [row.name for row in ALL_SEARCHES]
    for por, proviso, search, choice in product(reductions, provisos, searches, (SMALLEST, RANDOM)):
        wish = Wish(search=search, por=por, proviso=proviso, choice=choice)
        try:
            planned = plan(wish)
        except InputError:
            continue
        yield wish, planned


def described(wish: Wish) -> str:
    """Return a wish in a few words."""
    return f"{wish.search} {wish.por} {wish.proviso} {wish.choice}"


@dataclass(frozen=True)
class Case:
    """A system with its relations, and what is asked."""

    system: Tables
    relations: Relations
    kinds: frozenset[PropertyKind]
    heuristic: Heuristic | None = None

    def run(
        self,
        planned: Plan,
        reduction: Reduction | None,
        ends: frozenset[PropertyKind] = NEVER,
    ) -> Result:
        """Search as planned."""
        system: EventSystem = self.system
        guide = self.heuristic or planned.pruning.guide(system, self.kinds)
        task = Task(
            system,
            self.kinds,
            ends,
            planned.seed,
            planned.ratio,
            reduction=reduction,
            heuristic=guide,
        )
        return planned.search.search(task)

    @cached_property
    def lookup(self) -> Lookup:
        """What all plans look up."""
        return Lookup(self.system, self.relations)

    def apply(self, planned: Plan) -> Reduction | None:
        """Return the reduction as planned."""
        return planned.pruning.applied_with(self.lookup, self.kinds)


def difference(case: Case, result: Result, expected: Truth) -> str | None:
    """Return how the result of a search for all errors differs from the truth."""
    assert not result.reasons, result.reasons
    count = sum(v.count for v in result.violations if v.kind is PropertyKind.DEADLOCK)
    names = {v.name for v in result.violations if v.kind is not PropertyKind.DEADLOCK}
    for violation in result.violations:
        confirm(violation)
    if names != expected.names:
        return f"found {sorted(names)}, but {sorted(expected.names)} are wrong"
    if count != len(expected.deadlocks):
        return f"found {count} deadlocks of {len(expected.deadlocks)}"
    return None


@dataclass(frozen=True)
class Searched:
    """What the searches of one plan have found."""

    everything: Result
    """Of the search for all errors."""
    first: Result
    """Of the search for the first error."""
    reduction: Reduction | None
    """Of the latter."""


def searched(case: Case, planned: Plan, *, again: bool = True) -> Searched:
    """Search for all errors, and for the first, each with a reduction of its own.

    Where there is no error, both do the same, step by step; unless `again`, only one is made.
    """
    reduction = case.apply(planned)
    everything = case.run(planned, reduction)
    if not (again or everything.violations):
        return Searched(everything, everything, reduction)
    reduction = case.apply(planned)
    return Searched(everything, case.run(planned, reduction, frozenset(PropertyKind)), reduction)


def judge(case: Case, wish: Wish, expected: Truth) -> str | None:
    """Return what is wrong with a lawful plan: nothing, it is hoped."""
    planned = plan(wish)
    return complaint_about(case, planned, searched(case, planned), expected)


def complaint_about(case: Case, planned: Plan, found: Searched, expected: Truth) -> str | None:
    """Return what is wrong with what the searches of a lawful plan have found."""
    complaint = difference(case, found.everything, expected)
    if complaint is not None:
        return complaint
    first, reduction = found.first, found.reduction
    if bool(first.violations) != expected.wrong:
        return "a search for the first error finds something else"
    if not (expected.wrong and planned.search.shortest):
        return None
    question = None if reduction is None else reduction.scene.question
    if question is not None and not planned.pruning.keeps_shortest(question):
        return None
    length = min(len(v.trace) for v in first.violations)
    return None if length == expected.distance else f"a trace of {length}, not {expected.distance}"


def seeded(planned: Plan, seed: int) -> Plan:
    """Return the same plan with another seed."""
    return replace(planned, seed=seed, pruning=replace(planned.pruning, seed=seed))


def with_seed(wish: Wish, seed: int) -> Wish:
    """Return the same wish with another seed."""
    return replace(wish, seed=seed)
