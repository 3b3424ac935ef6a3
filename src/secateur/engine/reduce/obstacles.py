"""Why a reduction saved little: operations whose instances depend on each other."""

from __future__ import annotations

from collections import Counter
from typing import Final

from secateur.engine.reduce.lookup import Lookup
from secateur.source.records import dataclass
from secateur.system.relations import Ground

MOST_PAIRS: Final = 256
"""So many pairs are looked at to say what one does to the other."""
_CERTAIN: Final = frozenset({Ground.ENUMERATED, Ground.SOLVED, Ground.SEEN})


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Two operations, and how many pairs of their instances depend on each other.

    `pairs` of `all_pairs` that were asked about; `example` is one of them.
    """

    first: str
    second: str
    pairs: int
    all_pairs: int
    example: tuple[int, int]


def obstacles(lookup: Lookup) -> list[Obstacle]:
    """Return the operations that keep each other from being reduced, worst first.

    Only what a search has asked for is looked at: nothing new is found out.
    """
    actions = lookup.system.actions
    instances = Counter(action.operation for action in actions)
    asked = Counter(actions[a].operation for a in lookup.asked)
    pairs: Counter[tuple[str, str]] = Counter()
    example: dict[tuple[str, str], tuple[int, int]] = {}
    for a, dependents in sorted(lookup.asked.items()):
        for b in dependents:
            key = actions[a].operation, actions[b].operation
            pairs[key] += 1
            example.setdefault(key, (a, b))
    return [
        Obstacle(
            first,
            second,
            count,
            asked[first] * (instances[second] - (first == second)),
            example[first, second],
        )
        for (first, second), count in pairs.most_common()
    ]


def told(lookup: Lookup) -> str | None:
    """Say what stood in the way most; None if nothing did."""
    found = obstacles(lookup)
    if not found:
        return None
    worst = found[0]
    reverse = [o for o in found[1:] if (o.first, o.second) == (worst.second, worst.first)]
    for obstacle in (worst, *reverse):
        if _disabling(lookup, obstacle) == obstacle.all_pairs:
            return _disables(lookup, obstacle)
    both = worst.first if worst.first == worst.second else f"{worst.first} and {worst.second}"
    text = (
        f"the order of {both} matters for {worst.pairs} of {worst.all_pairs} pairs "
        "of their instances"
    )
    disabling = _disabling(lookup, worst)
    return f"{text}, in {disabling} of which the first disables the second" if disabling else text


def _disabling(lookup: Lookup, obstacle: Obstacle) -> int:
    """Return in how many of the pairs the first may surely keep the second from happening."""
    actions = lookup.system.actions
    pairs = [
        (a, b)
        for a, dependents in sorted(lookup.asked.items())
        if actions[a].operation == obstacle.first
        for b in dependents
        if actions[b].operation == obstacle.second
    ]
    return sum(_surely_disables(lookup, a, b) for a, b in pairs[:MOST_PAIRS])


def _surely_disables(lookup: Lookup, a: int, b: int) -> bool:
    answers = (lookup.relations.disables(a, b, c) for c in range(lookup.conjuncts(b)))
    return any(answer.yes and answer.ground in _CERTAIN for answer in answers)


def _disables(lookup: Lookup, obstacle: Obstacle) -> str:
    instances = Counter(action.operation for action in lookup.system.actions)
    first, second = obstacle.first, obstacle.second
    many = instances[first] > 1
    subject = (
        f"the {instances[first]} instances of {first} disable" if many else f"{first} disables"
    )
    if first == second:
        return f"{subject} each other"
    return f"{subject} every {second}" if instances[second] > 1 else f"{subject} {second}"
