"""A message sequence chart as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from secateur.report.chart import Act, Chart, Event

ROW: Final = 34
HEAD: Final = 64
LETTER: Final = 7.0
"""The width of a letter of the font, about."""
STYLE: Final = (
    "text{font:12px sans-serif;fill:#222}.step{fill:#777}.life{stroke:#999;stroke-dasharray:3 3}"
    ".name{fill:#eef2f7;stroke:#456}.tick{fill:#456}.arrow{stroke:#1b5e9e;stroke-width:1.4}"
    ".later{stroke:#1b7837;stroke-width:1.2}.again{stroke:#b2182b}"
)


def chart_to_svg(chart: Chart, title: str) -> str:
    """Return a drawing: time goes down, an arrow goes from who sends to who receives."""
    drawing = _Drawing(chart)
    width, height = drawing.size
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
    named = f"<title>{escape(title)}</title>"
    style = f"<style>{STYLE}</style>"
    return "\n".join([head, named, style, _marker(), *drawing.parts(), "</svg>"]) + "\n"


def _marker() -> str:
    return (
        '<defs><marker id="tip" markerWidth="9" markerHeight="7" refX="8" refY="3.5" '
        'orient="auto"><path d="M0 0L9 3.5L0 7z" fill="#1b5e9e"/></marker></defs>'
    )


class _Drawing:
    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        longest = max((len(p) for p in chart.processes), default=0)
        self._wide = max(120.0, LETTER * longest + 40)
        self._aside = 60 + self._wide * len(chart.processes)
        self._bottom = HEAD + ROW * len(chart.events) + 10

    @property
    def size(self) -> tuple[float, float]:
        """How wide and how high the picture is."""
        longest = max((len(e.text) for e in self._chart.events), default=0)
        return self._aside + LETTER * longest + 20, self._bottom + 10

    def parts(self) -> Iterator[str]:
        """Yield lifelines, then what happens on them."""
        for name in self._chart.processes:
            x, width = self._x(name), LETTER * len(name) + 16
            yield _line("life", (x, 40), (x, self._bottom))
            yield (
                f'<rect class="name" x="{x - width / 2:.1f}" y="16" width="{width:.1f}" '
                f'height="24" rx="4"/>'
            )
            yield _text(x, 32, name, "middle")
        before = 0
        for number, event in enumerate(self._chart.events):
            yield from self._event(number, event, first=event.step != before)
            before = event.step

    def _x(self, process: str) -> float:
        return 50 + self._wide * (self._chart.processes.index(process) + 0.5)

    def _y(self, number: int) -> float:
        return HEAD + ROW * number + ROW / 2

    def _event(self, number: int, event: Event, *, first: bool) -> Iterator[str]:
        x, y = self._x(event.process), self._y(number)
        if first:
            yield _text(36, y + 4, str(event.step), "end", "step")
            if event.step == self._chart.again:
                yield _line("again", (10, y - ROW / 2), (self._aside, y - ROW / 2))
                yield _text(self._aside, y - ROW / 2 + 4, "again and again:")
        yield _text(self._aside, y + 4, event.text)
        yield f'<circle class="tick" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>'
        if event.receiver is not None:
            there = self._x(event.receiver)
            yield _line("arrow", (x, y), (there, y), tip=True)
            yield _text((x + there) / 2, y - 6, event.message, "middle")
        elif event.act is Act.RECEIVES and event.origin is not None:
            start = self._x(self._chart.events[event.origin].process), self._y(event.origin)
            yield _line("later", start, (x, y), tip=True)
            yield _text(x + 8, y - 6, event.message)
        elif event.act is not Act.LOCAL:
            yield _text(x + 8, y - 6, f"{event.act.value} {event.message}")


def _line(
    kind: str, start: tuple[float, float], end: tuple[float, float], *, tip: bool = False
) -> str:
    (x1, y1), (x2, y2) = start, end
    pointed = ' marker-end="url(#tip)"' if tip else ""
    return (
        f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"{pointed}/>'
    )


def _text(x: float, y: float, text: str, anchor: str = "start", kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
