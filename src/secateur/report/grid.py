"""A state as a grid of texts and images, in SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from secateur.report.graphs.protocol import shortened
from secateur.report.graphs.xml import attribute, text
from secateur.source.records import dataclass

LETTER: Final = 6.9
LEAST: Final = 30.0
LONGEST: Final = 28
MARGIN: Final = 12.0
STYLE: Final = (
    "text{font:12px sans-serif;fill:#222}.axis{fill:#777;font-size:10px}.cell{fill:#fff;stroke:#bbb}"
    ".faint{fill:#555}"
)


@dataclass(frozen=True, slots=True)
class Image:
    """An image that can be drawn without looking for its file: `source` is a data URI."""

    source: str
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class GridCell:
    """What is in a cell: an image, or a text if there is none."""

    text: str
    image: Image | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells, with the names of rows and columns; None is a cell with nothing in it."""

    name: str
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    rows: tuple[tuple[GridCell | None, ...], ...]
    justify: str = "middle"
    """`start`, `middle` or `end`: where texts stand in their cells."""
    remarks: tuple[str, ...] = ()


def render_grid(grid: Grid) -> str:
    """Return the picture: self-contained, without scripts."""
    left = MARGIN + max((LETTER * len(name) for name in grid.row_names), default=0.0) + 6
    top = MARGIN + 16
    widths = [
        _largest(_width(row[column]) for row in grid.rows)
        for column in range(len(grid.column_names))
    ]
    heights = [_largest(map(_height, row)) for row in grid.rows]
    parts: list[str] = []
    y = top
    for name, row, height in zip(grid.row_names, grid.rows, heights, strict=True):
        middle = y + height / 2 + 4
        parts.append(_text("axis", left - 6, middle, shortened(name, LONGEST), "end"))
        x = left
        for cell, width in zip(row, widths, strict=True):
            if cell is not None:
                parts += _cell(cell, (x, y), (width, height), grid.justify)
            x += width
        y += height
    x = left
    for name, width in zip(grid.column_names, widths, strict=True):
        parts.append(_text("axis", x + width / 2, top - 5, shortened(name, LONGEST), "middle"))
        x += width
    for remark in grid.remarks:
        y += 16
        parts.append(_text("faint", MARGIN, y, shortened(remark, 120), "start"))
    wide = max([x, *(MARGIN + LETTER * min(120, len(r)) for r in grid.remarks)]) + MARGIN
    return _picture(grid.name, wide, y + MARGIN, parts)


def _largest(sizes: Iterable[float]) -> float:
    return max(LEAST, max(sizes, default=0.0))


def _width(cell: GridCell | None) -> float:
    if cell is None:
        return 0.0
    if cell.image is not None:
        return cell.image.width + 4
    return LETTER * len(shortened(cell.text, LONGEST)) + 12


def _height(cell: GridCell | None) -> float:
    return 0.0 if cell is None or cell.image is None else cell.image.height + 4


def _cell(
    cell: GridCell, corner: tuple[float, float], size: tuple[float, float], justify: str
) -> Iterator[str]:
    (x, y), (width, height) = corner, size
    yield (
        f'<rect class="cell" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}">'
        f"<title>{text(cell.text)}</title></rect>"
    )
    if cell.image is not None:
        yield (
            f'<image x="{x + 2:.1f}" y="{y + 2:.1f}" width="{width - 4:.1f}" '
            f'height="{height - 4:.1f}" href={attribute(cell.image.source)}>'
            f"<title>{text(cell.text)}</title></image>"
        )
        return
    at = {"start": x + 6, "middle": x + width / 2, "end": x + width - 6}[justify]
    yield _text("", at, y + height / 2 + 4, shortened(cell.text, LONGEST), justify)


def _text(kind: str, x: float, y: float, content: str, anchor: str) -> str:
    named = f'class="{kind}" ' if kind else ""
    return f'<text {named}x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text(content)}</text>'


def _picture(name: str, width: float, height: float, parts: Sequence[str]) -> str:
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f"<title>{text(name)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>',
    ]
    return "\n".join([*head, *parts, "</svg>", ""])
