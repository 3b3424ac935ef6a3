"""One random system, all plans that differ on it, one class of properties at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from secateur.analysis.assumptions import REACHABLE
from secateur.analysis.relations import EventRelations
from secateur.engine.heuristics.registry import HEURISTICS
from secateur.engine.plan import Wish, plan
from secateur.engine.provisos.ranking import sticky_actions
from secateur.engine.reduce.lookup import Lookup
from secateur.engine.reduce.reduction import question_about
from secateur.system.relations import Relations
from secateur.system.system import PropertyKind
from tests.agreement.exact_relations import ExactRelations
from tests.agreement.native_searches import judge_natively
from tests.agreement.random_systems import RandomSystem, random_system
from tests.witnesses.judge import (
    BOTH,
    DEADLOCK,
    INVARIANT,
    Case,
    described,
    judge,
    lawful_plans,
    truth,
    with_seed,
)


@dataclass
class Count:
    """What was tried, and what went wrong."""

    systems: int = 0
    runs: int = 0
    wrong_systems: int = 0
    """Systems with something wrong in them."""
    states: Counter[str] = field(default_factory=Counter)
    """States explored by breadth-first search for all errors, per reduction and class."""
    complaints: list[str] = field(default_factory=list)


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
    complaint = wrong_ranking(system) or wrong_heuristic(system)
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
            count.runs += 2
            seeded = with_seed(wish, seed)
            complaint = judge(case, seeded, expected) or judge_natively(case, seeded, expected)
            if complaint is not None:
                count.complaints.append(f"system {seed}, {name}, {described(wish)}: {complaint}")


def different_wishes(case: Case) -> list[Wish]:
    """Return one wish for each combination of what is really used."""
    question = question_about(case.system, Lookup(case.system, case.relations), case.kinds)
    found: dict[tuple[object, ...], Wish] = {}
    for wish, planned in lawful_plans().items():
        pruning = planned.pruning
        row, proviso = pruning.rows_for(question)
        random = pruning.random and row.chooses
        key = (wish.search, row.name, proviso and proviso.name, random)
        found.setdefault(key, wish)
    return list(found.values())


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


def wrong_ranking(system: RandomSystem) -> str | None:
    """Return a complaint if actions that are not sticky can go on for ever."""
    sticky = sticky_actions(system)
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
