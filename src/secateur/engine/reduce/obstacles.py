"""Why a reduction saved little: operations whose instances depend on each other."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from secateur.engine.reduce.lookup import Lookup


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
