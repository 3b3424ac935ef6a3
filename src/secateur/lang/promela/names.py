"""What steps are called: by whom, and the statements as they are written."""

from __future__ import annotations

from dataclasses import field
from typing import Final

from secateur.lang.promela.automaton import Jump
from secateur.lang.promela.courses import Leap, Taken
from secateur.lang.promela.told import span_of, text_of
from secateur.source.records import dataclass

_MOST: Final = 60
"""A longer text is shortened."""


@dataclass()
class Namer:
    """Gives each step a name of its own."""

    _taken: dict[str, int] = field(default_factory=dict)

    def name(self, leap: Leap) -> str:
        """Return the name of a step."""
        told = [_told(t) for t in leap.course.taken if not isinstance(t.edge.step, Jump)]
        text = "; ".join(told or ["goto"])
        if len(text) > _MOST:
            text = f"{text[: _MOST - 3]}..."
        span = span_of(leap.course.taken[0].edge)
        line, _ = span.source.line_and_column(span.start)
        name = f"{leap.instance.name}:{line} {text}"
        number = self._taken[name] = self._taken.get(name, 0) + 1
        return name if number == 1 else f"{name} ({number})"


def _told(taken: Taken) -> str:
    text = text_of(taken.edge)
    if taken.partner is not None:
        text += f" -> {taken.partner.instance.name}"
    return text
