"""One random system, all plans that differ on it, one class of properties at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random

from secateur.analysis.assumptions import REACHABLE
from secateur.analysis.relations import EventRelations
from secateur.engine.heuristics.registry import HEURISTICS
from secateur.engine.plan import Plan, Wish, plan
from secateur.engine.provisos.static import STATIC, Static
from secateur.engine.reduce.protocol import Question
from secateur.engine.reduce.reduction import Reduction, question_about
from secateur.system.relations import Relations
from secateur.system.system import PropertyKind
from tests.agreement.exact_relations import ExactRelations
from tests.agreement.native_searches import complaint_about_twin, has_twin
from tests.agreement.random_systems import RandomSystem, random_system
from tests.witnesses.judge import (
    BOTH,
    DEADLOCK,
    INVARIANT,
    Case,
    Truth,
    complaint_about,
    described,
    lawful_plans,
    searched,
    seeded,
    truth,
)


@dataclass
class Count:
    """What was tried, and what went wrong."""

    systems: int = 0
    runs: int = 0
    """Searches in Python."""
    native_runs: int = 0
    """Searches by the native engine."""
    wrong_systems: int = 0
    """Systems with something wrong in them."""
    states: Counter[str] = field(default_factory=Counter)
    """States explored by breadth-first search for all errors, per reduction and class."""
    plans: Counter[str] = field(default_factory=Counter)
    """How often each plan was tried in Python, and then natively."""
    twins: Counter[str] = field(default_factory=Counter)
    complaints: list[str] = field(default_factory=list)


ALWAYS_TWICE = 8
"""One system in so many is searched for the first error even if a search for all found none."""


CLASSES = {"deadlock": DEADLOCK, "invariant": INVARIANT, "both": BOTH}


Related = Callable[[RandomSystem], Relations]
"""What finds out how the actions of a system are related."""


def reachable_only(system: RandomSystem) -> EventRelations:
    """Return relations that rely on what is proven of the reachable states."""
    return EventRelations(system, assumptions=REACHABLE)


def try_system(
    seed: int, plans: int | None, count: Count, related: Related = ExactRelations
) -> None:
    """Judge a random system under some plans, or under all that differ."""
    system = random_system(seed)
    relations = related(system)
    random = Random(seed)
    count.systems += 1
    static = Static(system)
    complaint = wrong_ranking(system, static.sticky) or wrong_heuristic(system)
    if complaint:
        count.complaints.append(f"system {seed}: {complaint}")
    for name, kinds in CLASSES.items():
        case = Case(system, relations, kinds)
        expected = truth(system, kinds)
        count.wrong_systems += expected.wrong
        wishes = different_wishes(case)
        if plans is not None and plans < len(wishes):
            wishes = random.sample(wishes, plans)
        for wish in wishes:
            planned = ranked(seeded(lawful_plans()[wish], seed), static)
            complaint = try_plan(case, planned, expected, count)
            if complaint is not None:
                count.complaints.append(f"system {seed}, {name}, {described(wish)}: {complaint}")


def ranked(planned: Plan, static: Static) -> Plan:
    """Return the same plan; the ranking, which is the same each time, is not found once more."""
    proviso = planned.pruning.proviso
    if proviso is not STATIC:
        return planned
    row = replace(proviso, build=lambda _: static)
    return replace(planned, pruning=replace(planned.pruning, proviso=row))


def try_plan(case: Case, planned: Plan, expected: Truth, count: Count) -> str | None:
    """Return what is wrong with a plan or, if it has one, its native twin."""
    found = searched(case, planned, again=planned.seed % ALWAYS_TWICE == 0)
    searches = 1 if found.first is found.everything else 2
    count.runs += searches
    name = named(planned, found.reduction)
    count.plans[name] += 1
    complaint = complaint_about(case, planned, found, expected)
    if complaint is not None or not has_twin(planned, found.reduction):
        return complaint
    count.native_runs += searches
    count.twins[name] += 1
    return complaint_about_twin(case, planned, found, expected)


def named(planned: Plan, reduction: Reduction | None) -> str:
    """Return what a plan comes to."""
    method, proviso = ("none", None) if reduction is None else reduction.names
    chosen = " at random" if planned.pruning.random else ""
    return f"{planned.search.name} {method}{chosen} {proviso or 'without proviso'}"


def different_wishes(case: Case) -> list[Wish]:
    """Return one wish for each combination of what is really used."""
    return list(_wishes_for(question_about(case.system, case.lookup, case.kinds)))


@cache
def _wishes_for(question: Question) -> tuple[Wish, ...]:
    """Return the same; many systems are asked the same."""
    found: dict[tuple[object, ...], Wish] = {}
    for wish, planned in lawful_plans().items():
        pruning = planned.pruning
        row, proviso = pruning.rows_for(question)
        random = pruning.random and row.chooses
        key = (wish.search, row.name, proviso and proviso.name, random)
        found.setdefault(key, wish)
    return tuple(found.values())


def measure(seed: int, count: Count) -> None:
    """Count the states that each reduction explores."""
    system = random_system(seed)
    relations = ExactRelations(system)
    for name, kinds in CLASSES.items():
        case = Case(system, relations, kinds)
        for por in ("none", "ample", "process-ample", "stubborn", "upset", "best"):
            planned = plan(Wish(por=por))
            result = case.run(planned, case.apply(planned))
            count.states[f"{name} {por}"] += result.statistics.states


def wrong_ranking(system: RandomSystem, sticky: frozenset[int]) -> str | None:
    """Return a complaint if actions that are not sticky can go on for ever."""
    calm = [a for a in range(len(system.actions)) if a not in sticky]
    after = {s: {r for a in calm for r in system.outcomes[a][s] or ()} for s in system.states}
    while True:
        ends = [s for s, results in after.items() if not results & after.keys()]
        if not ends:
            break
        for s in ends:
            del after[s]
    return f"actions {calm} go round through {sorted(after)}" if after else None


def wrong_heuristic(system: RandomSystem) -> str | None:
    """Return a complaint if a heuristic says more than the distance of a violation."""
    for row in HEURISTICS:
        if not row.admissible:
            continue
        estimate = row.build(system)
        for state, distance in distances(system).items():
            if row.name == PropertyKind.INVARIANT.value and estimate(state) > distance:
                return f"heuristic {row.name} says {estimate(state)} in {state}, not {distance}"
    return None


def distances(system: RandomSystem) -> dict[int, int]:
    """Return the number of steps from each state to a violation, where there is one."""
    level = {s for s in system.states if any(t[s] is not True for t in system.truths)}
    found = dict.fromkeys(level, 0)
    steps = 0
    while level:
        steps += 1
        level = {
            s
            for s in system.states
            if s not in found and any(r in level for o in system.outcomes for r in o[s] or ())
        }
        found.update(dict.fromkeys(level, steps))
    return found
