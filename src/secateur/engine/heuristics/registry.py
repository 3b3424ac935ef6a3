"""All heuristics.  Adding one: its file, and a line here."""

from __future__ import annotations

from typing import Final

from secateur.engine.heuristics.active import ACTIVE
from secateur.engine.heuristics.enabled import DEADLOCK
from secateur.engine.heuristics.goal import GOAL
from secateur.engine.heuristics.invariant import INVARIANT
from secateur.engine.heuristics.local import LOCAL
from secateur.engine.heuristics.own import OWN
from secateur.engine.heuristics.protocol import HeuristicRow

HEURISTICS: Final[tuple[HeuristicRow, ...]] = (
    GOAL,
    INVARIANT,
    DEADLOCK,
    ACTIVE,
    LOCAL,
    OWN,
)
