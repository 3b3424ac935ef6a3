"""The colours of graphs, the same in every picture."""

from __future__ import annotations

from typing import Final

from secateur.report.graphs.protocol import DrawnNode, Mark, Tone

LINE: Final = "#444444"
TEXT: Final = "#222222"
BAD: Final = "#b2182b"
"""What is wrong, and the way there; what disables."""
GOOD: Final = "#1b7837"
"""Where it begins; what enables."""
PLAIN: Final = "#ffffff"

_FILLS: Final = (
    (Mark.VIOLATING, "#f4a582"),
    (Mark.DEADLOCK, "#d1c4de"),
    (Mark.GOAL, "#92c5de"),
    (Mark.INITIAL, "#d9f0d3"),
)
"""Of several marks, the first one counts."""

TONES: Final = {Tone.STEP: LINE, Tone.ENABLES: GOOD, Tone.DISABLES: BAD}

MEANINGS: Final = (
    (Mark.INITIAL, "initial"),
    (Mark.VIOLATING, "something is violated"),
    (Mark.DEADLOCK, "deadlock"),
    (Mark.GOAL, "goal"),
    (Mark.OPEN, "not explored further"),
    (Mark.ON_TRACE, "on the way to the error"),
)


def fill(node: DrawnNode) -> str:
    """Return the colour that a node is filled with."""
    return next((colour for mark, colour in _FILLS if mark in node.marks), PLAIN)


def border(node: DrawnNode) -> str:
    """Return the colour of a node's border."""
    if Mark.ON_TRACE in node.marks:
        return BAD
    return GOOD if Mark.INITIAL in node.marks else LINE
