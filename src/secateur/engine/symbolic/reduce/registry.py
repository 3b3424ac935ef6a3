"""All symbolic reachabilities.  Adding one: its file, and a line here."""

from __future__ import annotations

from typing import Final

from secateur.engine.symbolic.reduce.alur import ALUR
from secateur.engine.symbolic.reduce.none import NONE
from secateur.engine.symbolic.reduce.protocol import ReachRow
from secateur.engine.symbolic.reduce.static import STATIC
from secateur.engine.symbolic.reduce.two_phase import TWO_PHASE

REACHES: Final[tuple[ReachRow, ...]] = (STATIC, TWO_PHASE, ALUR, NONE)
