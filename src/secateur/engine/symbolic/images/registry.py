"""The orders in which actions are applied to sets of states; the first is the usual one."""

from __future__ import annotations

from typing import Final

from secateur.engine.symbolic.images.breadth_first import BREADTH_FIRST
from secateur.engine.symbolic.images.chaining import CHAINING
from secateur.engine.symbolic.images.protocol import ImageRow
from secateur.engine.symbolic.images.saturation import SATURATION

IMAGES: Final[tuple[ImageRow, ...]] = (CHAINING, SATURATION, BREADTH_FIRST)
