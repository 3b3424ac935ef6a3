"""Relations between events as pictures: a matrix of dependency, and the enable graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import cos, hypot, pi, sin
from typing import Final

from secateur.report.events import Cell, EventsOverview

SQUARE: Final = 22
LETTER: Final = 7.2
"""The width of a letter of the font, about."""
STYLE: Final = (
    "text{font:12px sans-serif}.axis{fill:#222}.cell{stroke:#fff}.edge{fill:none;stroke-width:1.2}"
    ".on{stroke:#1b7837}.off{stroke:#b2182b;stroke-dasharray:4 3}.node{fill:#fff;stroke:#444}"
)


def dependency_to_svg(events: EventsOverview) -> str:
    """Return the dependency matrix: the darker, the more pairs of instances depend on each other."""
    names = [side.name for side in events.sides]
    margin = _width(names) + 12
    size = margin + SQUARE * len(names) + 12
    shares = {(c.first, c.second): c for c in events.cells}
    parts: list[str] = []
    for row, first in enumerate(names):
        middle = margin + SQUARE * row + SQUARE / 2
        parts.append(_text(margin - 6, middle + 4, first, "end"))
        parts.append(_text(6 - margin, middle + 4, first, "start", turned=True))
        for column, second in enumerate(names):
            cell = shares[first, second]
            x, y = margin + SQUARE * column, margin + SQUARE * row
            parts.append(
                f'<rect class="cell" x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" '
                f'fill="{_shade(cell)}"><title>{escape(_said(cell))}</title></rect>'
            )
    return _picture(size, size, f"{events.model}: dependent pairs of instances", parts)


def enabling_to_svg(events: EventsOverview) -> str:
    """Return the enable graph: an arrow to what may be enabled, a dashed one to what may be disabled."""
    names = [side.name for side in events.sides]
    reach = _width(names) / 2 + 16
    radius = max(90.0, len(names) * 34 / pi)
    middle = radius + reach + 20
    places = {
        name: (
            middle + radius * sin(2 * pi * i / len(names)),
            middle - radius * cos(2 * pi * i / len(names)),
        )
        for i, name in enumerate(names)
    }
    parts = [_markers()]
    for cell in events.cells:
        if cell.first != cell.second:
            parts += _arrows(cell, places[cell.first], places[cell.second])
    for name, (x, y) in places.items():
        width = LETTER * len(name) + 14
        parts.append(
            f'<rect class="node" x="{x - width / 2:.1f}" y="{y - 11:.1f}" width="{width:.1f}" '
            f'height="22" rx="6"/>'
        )
        parts.append(_text(x, y + 4, name, "middle"))
    return _picture(2 * middle, 2 * middle, f"{events.model}: who enables whom", parts)


def _arrows(cell: Cell, start: tuple[float, float], end: tuple[float, float]) -> Iterator[str]:
    """Yield an arrow for each thing that the first does to the second, bent to different sides."""
    for word, kind, bend in (("enable", "on", 14.0), ("disable", "off", 26.0)):
        if word not in cell.influence.replace("disable", "" if word == "enable" else "disable"):
            continue
        dx, dy = end[0] - start[0], end[1] - start[1]
        length = hypot(dx, dy) or 1.0
        x1, y1 = start[0] + 16 * dx / length, start[1] + 16 * dy / length
        x2, y2 = end[0] - 20 * dx / length, end[1] - 20 * dy / length
        cx, cy = (x1 + x2) / 2 - bend * dy / length, (y1 + y2) / 2 + bend * dx / length
        yield (
            f'<path class="edge {kind}" marker-end="url(#{kind})" '
            f'd="M{x1:.1f} {y1:.1f}Q{cx:.1f} {cy:.1f} {x2:.1f} {y2:.1f}">'
            f"<title>{escape(f'{cell.first} {cell.influence} {cell.second}')}</title></path>"
        )


def _markers() -> str:
    colours = (("on", "#1b7837"), ("off", "#b2182b"))
    return "<defs>{}</defs>".format(
        "".join(
            f'<marker id="{name}" markerWidth="9" markerHeight="7" refX="8" refY="3.5" '
            f'orient="auto"><path d="M0 0L9 3.5L0 7z" fill="{colour}"/></marker>'
            for name, colour in colours
        )
    )


def _width(names: Sequence[str]) -> float:
    return LETTER * max((len(n) for n in names), default=0)


def _shade(cell: Cell) -> str:
    """Return white where nothing is dependent, and dark blue where everything is."""
    share = cell.dependent / cell.pairs if cell.pairs else 0.0
    light = [round(239 - share * (239 - dark)) for dark in (8, 48, 107)]
    return "#{:02x}{:02x}{:02x}".format(*light)


def _said(cell: Cell) -> str:
    why = f" ({', '.join(cell.kinds)})" if cell.kinds else ""
    return f"{cell.first} and {cell.second}: {cell.dependent} of {cell.pairs} pairs{why}"


def _text(x: float, y: float, text: str, anchor: str, *, turned: bool = False) -> str:
    turn = ' transform="rotate(-90)"' if turned else ""
    return (
        f'<text class="axis" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{turn}>'
        f"{escape(text)}</text>"
    )


def _picture(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
    named = f"<title>{escape(title)}</title>"
    return "\n".join([head, named, f"<style>{STYLE}</style>", *parts, "</svg>"])
