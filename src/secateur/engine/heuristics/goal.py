"""The distance from the goal."""

from __future__ import annotations

from secateur.engine.heuristics.distance import slot_distance
from secateur.engine.heuristics.protocol import HeuristicRow
from secateur.system.system import PropertyKind

GOAL = HeuristicRow(
    "goal",
    "slots that differ from the nearest state in which the goal is reached",
    lambda system: slot_distance(system, frozenset({PropertyKind.GOAL})),
    "EdelkampLeueLluchLafuente04, formula-based",
    admissible=True,
)
