"""All approaches.  Adding one: its file, and a line here."""

from __future__ import annotations

from typing import Final

from secateur.engine.liveness.approach.dynamic import DYNAMIC
from secateur.engine.liveness.approach.protocol import ApproachRow
from secateur.engine.liveness.approach.static import STATIC

APPROACHES: Final[tuple[ApproachRow, ...]] = (DYNAMIC, STATIC)
DEFAULT_APPROACH: Final = DYNAMIC.name
