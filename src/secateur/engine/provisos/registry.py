"""All provisos.  Adding one: its file, and a line here."""

from __future__ import annotations

from typing import Final

from secateur.engine.provisos.none import NONE
from secateur.engine.provisos.open_liveness import OPEN_LIVENESS
from secateur.engine.provisos.open_set import OPEN
from secateur.engine.provisos.protocol import ProvisoRow
from secateur.engine.provisos.reliance import RELIANCE
from secateur.engine.provisos.stack import STACK
from secateur.engine.provisos.static import STATIC
from secateur.engine.provisos.visited import VISITED

PROVISOS: Final[tuple[ProvisoRow, ...]] = (
    RELIANCE,
    OPEN,
    OPEN_LIVENESS,
    VISITED,
    STATIC,
    STACK,
    NONE,
)
