"""All searches.  Adding one: its file, and a line here."""

from __future__ import annotations

from typing import Final

from secateur.engine.search.astar import ASTAR
from secateur.engine.search.best_first import BEST_FIRST
from secateur.engine.search.breadth_first import BREADTH_FIRST
from secateur.engine.search.depth_first import DEPTH_FIRST
from secateur.engine.search.mixed import MIXED
from secateur.engine.search.protocol import SearchRow
from secateur.engine.search.random_order import RANDOM

SEARCHES: Final[tuple[SearchRow, ...]] = (
    BREADTH_FIRST,
    DEPTH_FIRST,
    MIXED,
    RANDOM,
)

DIRECTED_SEARCHES: Final[tuple[SearchRow, ...]] = (
    BEST_FIRST,
    ASTAR,
)
"""Those that a heuristic guides."""

ALL_SEARCHES: Final = (*SEARCHES, *DIRECTED_SEARCHES)
