"""A trace as a message sequence chart: a lifeline for each process, arrows for messages."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Final

from secateur.source.records import dataclass


class Act(Enum):
    """What a process does at a point of its lifeline."""

    LOCAL = "*"
    SENDS = "!"
    RECEIVES = "?"
    HANDS_OVER = "!>"
    """It sends, and another receives in the same step."""


@dataclass(frozen=True, slots=True)
class Event:
    """A statement of a step.

    `origin` is the number (from 0) of the event that sent what is received here.
    """

    step: int
    process: str
    act: Act
    text: str
    """The statement as it is written."""
    message: str = ""
    """The channel and the values."""
    receiver: str | None = None
    origin: int | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """Lifelines in their order, and what happens on them; the steps from `again` on are repeated."""

    processes: tuple[str, ...]
    events: tuple[Event, ...]
    again: int | None = None


_GAP: Final = 3
_LEAST: Final = 9
"""How wide a column is at least."""


def chart_to_text(chart: Chart) -> str:
    """Return a chart that any terminal can show."""
    return "\n".join(_Drawing(chart).lines()) + "\n"


class _Drawing:
    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        self._wide = max([_LEAST, *(len(name) + _GAP for name in chart.processes)])
        self._middle = {p: self._wide * i + self._wide // 2 for i, p in enumerate(chart.processes)}
        last = chart.events[-1].step if chart.events else 1
        self._digits = max(4, len(str(last)))

    def lines(self) -> Iterator[str]:
        heads = "".join(f"{name:^{self._wide}}" for name in self._chart.processes)
        yield f"{'step':>{self._digits}}  {heads}".rstrip()
        before: int | None = None
        for event in self._chart.events:
            if event.step == self._chart.again and event.step != before:
                yield f"{'':{self._digits}}  {self._lifelines()}  from here on again and again:"
            number = "" if event.step == before else str(event.step)
            yield f"{number:>{self._digits}}  {self._drawn(event)}  {self._said(event)}"
            before = event.step

    def _lifelines(self) -> str:
        return "".join(f"{'|':^{self._wide}}" for _ in self._chart.processes)

    def _drawn(self, event: Event) -> str:
        row = [" "] * (self._wide * len(self._chart.processes))
        for place in self._middle.values():
            row[place] = "|"
        here = self._middle[event.process]
        row[here] = event.act.value[0]
        if event.receiver is not None:
            there = self._middle[event.receiver]
            low, high = sorted((here, there))
            for place in range(low + 1, high):
                row[place] = "-" if row[place] == " " else "+"
            row[there - 1 if there > here else there + 1] = ">" if there > here else "<"
            row[there] = Act.RECEIVES.value
        return "".join(row)

    def _said(self, event: Event) -> str:
        if event.act is Act.LOCAL:
            return event.text
        said = f"{event.text}   [{event.message}]"
        if event.origin is None:
            return said
        return f"{said} sent in step {self._chart.events[event.origin].step}"
