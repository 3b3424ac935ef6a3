"""All reductions.  Adding one: its file, and a line here."""

from __future__ import annotations

from typing import Final

from secateur.engine.reduce.ample import AMPLE
from secateur.engine.reduce.best import BEST
from secateur.engine.reduce.none import NONE
from secateur.engine.reduce.process_ample import PROCESS_AMPLE
from secateur.engine.reduce.protocol import ReductionRow
from secateur.engine.reduce.stubborn import STUBBORN
from secateur.engine.reduce.upset import UPSET

REDUCTIONS: Final[tuple[ReductionRow, ...]] = (
    NONE,
    AMPLE,
    PROCESS_AMPLE,
    STUBBORN,
    UPSET,
    BEST,
)
