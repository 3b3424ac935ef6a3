"""All built-in operators.  Adding one: its value in a topic file, its name in that file's tuple."""

from __future__ import annotations

from typing import Final

from secateur.maths.operators import (
    arithmetic,
    channels,
    comparison,
    constants,
    eventb,
    function_spaces,
    machine_integers,
    reals,
    relations,
    sequences,
    sets,
    trees,
)
from secateur.maths.operators.external.registry import EXTERNALS, LIBRARIES
from secateur.maths.operators.protocol import Operator

__all__ = ["CHANNELS", "EVENT_B", "EXTERNALS", "LIBRARIES", "MACHINE_INTEGERS", "OPERATORS"]

OPERATORS: Final[tuple[Operator, ...]] = (
    *arithmetic.OPERATORS,
    *comparison.OPERATORS,
    *sets.OPERATORS,
    *relations.OPERATORS,
    *function_spaces.OPERATORS,
    *sequences.OPERATORS,
    *trees.OPERATORS,
    *constants.OPERATORS,
    *reals.OPERATORS,
)
"""Those of classical B, most of which Event-B shares."""

EVENT_B: Final = eventb.OPERATORS
"""Those that only Event-B has; its `id` and `prj1` are written like others of classical B."""

MACHINE_INTEGERS: Final = machine_integers.OPERATORS
"""Those of C, for languages that compute as it does; none is written in B."""

CHANNELS: Final = channels.OPERATORS
"""Those of languages with channels; none is written in B, either."""
