"""All strategies of symmetry reduction.  Adding one: its file, and a line here."""

from __future__ import annotations

from typing import Final

from secateur.engine.symmetry.canonical import CANONICAL
from secateur.engine.symmetry.flood import FLOOD
from secateur.engine.symmetry.markers import MARKERS
from secateur.engine.symmetry.protocol import StrategyRow

STRATEGIES: Final[tuple[StrategyRow, ...]] = (FLOOD, CANONICAL, MARKERS)
