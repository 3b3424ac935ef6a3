"""The distance from a violation of an invariant or assertion."""

from __future__ import annotations

from secateur.engine.heuristics.distance import slot_distance
from secateur.engine.heuristics.protocol import HeuristicRow
from secateur.system.system import PropertyKind

INVARIANT = HeuristicRow(
    "invariant",
    "slots that differ from the nearest state that violates an invariant or assertion",
    lambda system: slot_distance(
        system, frozenset({PropertyKind.INVARIANT, PropertyKind.ASSERTION})
    ),
    "EdelkampLeueLluchLafuente04, formula-based",
    admissible=True,
)
