"""A graph as a picture in SVG, with a layout of our own: no scripts, nothing to load."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from secateur.report.graphs.arrows import Arrow, arrows, labels_of
from secateur.report.graphs.colours import css
from secateur.report.graphs.layout import Box, Link, Placed, Point, Route, place
from secateur.report.graphs.palette import BAD, GOOD, LINE, MEANINGS, TONES, border, fill
from secateur.report.graphs.protocol import DrawnGraph, DrawnNode, Mark, Tone, shortened
from secateur.report.graphs.xml import text

LETTER: Final = 6.9
"""The width of a letter of the font, about."""
LINE_HEIGHT: Final = 15.0
MARGIN: Final = 14.0
LONGEST_LINE: Final = 44
LONGEST_LABEL: Final = 30
_LOOP: Final = 26.0
"""How far an edge from a node to itself goes to the right."""

STYLE: Final = (
    "text{font:12px sans-serif;fill:#222}.label{font-size:11px}.node{stroke-width:1.2}"
    ".edge{fill:none;stroke-width:1.2}.trace{stroke-width:2.6}.faint{fill:#555}"
)


def render_svg(graph: DrawnGraph) -> str:
    """Return a picture of a graph; raise TooLarge if nobody could look at it."""
    listed = arrows(graph.edges)
    loops = {a.source: labels_of(a, LONGEST_LABEL) for a in listed if a.source == a.target}
    across = [a for a in listed if a.source != a.target]
    lines = [_lines(node) for node in graph.nodes]
    sizes = [_node_size(each) for each in lines]
    boxes = [
        Box(size.width + 2 * _beside(loops.get(i)), size.height, size.width)
        for i, size in enumerate(sizes)
    ]
    labels = [labels_of(arrow, LONGEST_LABEL) for arrow in across]
    links = [
        Link(a.source, a.target, _text_size(label)) for a, label in zip(across, labels, strict=True)
    ]
    roots = [i for i, node in enumerate(graph.nodes) if Mark.INITIAL in node.marks]
    placed = place(boxes, links, roots)
    parts = [_markers({css(a.look.get("color", "")) or LINE for a in listed})]
    for arrow, label, route in zip(across, labels, placed.routes, strict=True):
        parts += _edge(arrow, label, route)
    for arrow in listed:
        if arrow.source == arrow.target:
            parts += _loop(arrow, placed.nodes[arrow.source], sizes[arrow.source])
    for node, middle, size, shown in zip(graph.nodes, placed.nodes, sizes, lines, strict=True):
        parts += _node(node, middle, size, shown)
    return _picture(graph, placed, parts)


def _lines(node: DrawnNode) -> list[str]:
    shown = [shortened(line, LONGEST_LINE) for line in node.lines]
    if node.states != 1:
        shown.append(f"{node.states:,} states")
    return shown or [" "]


def _text_size(lines: Sequence[str]) -> Box:
    if not lines:
        return Box(4.0, 0.0)
    return Box(_width(lines) * 0.92, 13.0 * len(lines) + 2)


def _node_size(lines: Sequence[str]) -> Box:
    return Box(max(34.0, _width(lines) + 18), LINE_HEIGHT * len(lines) + 10)


def _width(lines: Sequence[str]) -> float:
    return max((LETTER * len(line) for line in lines), default=0.0)


def _beside(labels: Sequence[str] | None) -> float:
    """Return the room that an edge from a node to itself needs beside it."""
    return 0.0 if labels is None else _LOOP + _text_size(labels).width + 4


# -- parts ------------------------------------------------------------------------------------------


def _node(node: DrawnNode, middle: Point, size: Box, lines: Sequence[str]) -> Iterator[str]:
    x, y = middle[0] - size.width / 2, middle[1] - size.height / 2
    dashed = ' stroke-dasharray="5 3"' if Mark.OPEN in node.marks else ""
    wide = ' stroke-width="2.6"' if Mark.ON_TRACE in node.marks else ""
    inside = css(node.look.get("fillcolor", "")) or fill(node)
    line = css(node.look.get("color", "")) or border(node)
    round_ = size.height / 2 if node.look.get("shape") in ("circle", "ellipse", "oval") else 6
    yield (
        f'<g><rect class="node" x="{x:.1f}" y="{y:.1f}" width="{size.width:.1f}" '
        f'height="{size.height:.1f}" rx="{round_:g}" fill="{inside}" '
        f'stroke="{line}"{wide}{dashed}/>'
    )
    said = "\n".join((*node.lines, *node.remarks))
    yield f"<title>{text(said)}</title>"
    for i, line in enumerate(lines):
        down = y + 5 + LINE_HEIGHT * i + 11.5
        faint = ' class="faint"' if node.states != 1 and i == len(lines) - 1 else ""
        yield (
            f'<text{faint} x="{middle[0]:.1f}" y="{down:.1f}" text-anchor="middle"'
            f"{_contrast(inside)}>{text(line)}</text>"
        )
    yield "</g>"


_DARK: Final = frozenset(
    {
        *("black", "blue", "brown", "darkblue", "darkgreen", "darkred", "darkslateblue", "green"),
        *("indigo", "maroon", "midnightblue", "navy", "purple", "teal"),
    }
)


def _contrast(colour: str) -> str:
    """Return white for texts on colours that are dark by name."""
    return ' style="fill:#fff"' if colour in _DARK else ""


def _edge(arrow: Arrow, label: Sequence[str], route: Route) -> Iterator[str]:
    yield f"<g>{_path(arrow, _curve(route.points))}{_title(arrow)}"
    yield from _label(label, route.label)
    yield "</g>"


def _curve(points: Sequence[Point]) -> str:
    """Return a curve that is upright at each of the points."""
    (x, y), *rest = points
    said = [f"M{x:.1f} {y:.1f}"]
    turns = _turns_back(points)
    for i, (to_x, to_y) in enumerate(rest):
        middle = (y + to_y) / 2
        if turns and i == 0:
            said.append(f"C{x:.1f} {to_y:.1f} {x:.1f} {to_y:.1f} {to_x:.1f} {to_y:.1f}")
        elif turns:
            said.append(f"C{to_x:.1f} {y:.1f} {to_x:.1f} {y:.1f} {to_x:.1f} {to_y:.1f}")
        else:
            said.append(f"C{x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {to_y:.1f}")
        x, y = to_x, to_y
    return "".join(said)


def _turns_back(points: Sequence[Point]) -> bool:
    """Whether an edge goes down and up again, between nodes of one layer."""
    return len(points) == 3 and points[1][1] > max(points[0][1], points[2][1])


def _loop(arrow: Arrow, middle: Point, size: Box) -> Iterator[str]:
    x, y = middle[0] + size.width / 2, middle[1]
    curve = (
        f"M{x:.1f} {y - 7:.1f}C{x + _LOOP:.1f} {y - 18:.1f} {x + _LOOP:.1f} {y + 18:.1f} "
        f"{x:.1f} {y + 7:.1f}"
    )
    label = labels_of(arrow, LONGEST_LABEL)
    yield f"<g>{_path(arrow, curve)}{_title(arrow)}"
    yield from _label(label, (x + _LOOP - 2 + _text_size(label).width / 2, y))
    yield "</g>"


def _path(arrow: Arrow, curve: str) -> str:
    own = css(arrow.look.get("color", ""))
    colour = BAD if arrow.on_trace else own or TONES[arrow.tone]
    kind = "edge trace" if arrow.on_trace else "edge"
    styles = {"dashed": "5 3", "dotted": "2 3"}
    style = arrow.look.get("style", "dashed" if arrow.tone is Tone.DISABLES else "")
    dashed = f' stroke-dasharray="{styles[style]}"' if style in styles else ""
    head = "" if arrow.look.get("dir") == "none" else f' marker-end="url(#{_marker(colour)})"'
    return f'<path class="{kind}" d="{curve}" stroke="{colour}"{dashed}{head}/>'


def _title(arrow: Arrow) -> str:
    said = "\n".join(labels_of(arrow, 200))
    return f"<title>{text(said)}</title>" if said else ""


def _label(lines: Sequence[str], middle: Point) -> Iterator[str]:
    size = _text_size(lines)
    for i, line in enumerate(lines):
        y = middle[1] - size.height / 2 + 13 * i + 10.5
        yield (
            f'<text class="label" x="{middle[0]:.1f}" y="{y:.1f}" text-anchor="middle" '
            f'stroke="#fff" stroke-width="3" paint-order="stroke">{text(line)}</text>'
        )


def _marker(colour: str) -> str:
    return "arrow-" + "".join(c if c.isascii() and c.isalnum() else "_" for c in colour)


def _markers(more: set[str]) -> str:
    colours = sorted({LINE, GOOD, BAD, *more})
    return "<defs>{}</defs>".format(
        "".join(
            f'<marker id="{_marker(c)}" markerWidth="9" markerHeight="7" refX="8" refY="3.5" '
            f'orient="auto" markerUnits="userSpaceOnUse">'
            f'<path d="M0 0L9 3.5L0 7z" fill="{c}"/></marker>'
            for c in colours
        )
    )


def _picture(graph: DrawnGraph, placed: Placed, parts: Sequence[str]) -> str:
    legend = [m for m in MEANINGS if any(m[0] in node.marks for node in graph.nodes)]
    notes = [shortened(note, 160) for note in graph.notes]
    below = LINE_HEIGHT * len(notes) + (22.0 if legend else 0.0)
    wide = max(placed.size.width, _width(notes), sum(30 + LETTER * len(m) for _, m in legend))
    width, height = wide + 2 * MARGIN, placed.size.height + below + 3 * MARGIN
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    left = MARGIN + (wide - placed.size.width) / 2
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f"<title>{text(graph.name)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>',
        f'<g transform="translate({left:.1f} {MARGIN:g})">',
        *parts,
        "</g>",
    ]
    y = placed.size.height + 2 * MARGIN
    lines += _legend(legend, y)
    y += 22.0 if legend else 0.0
    for i, note in enumerate(notes):
        down = y + LINE_HEIGHT * i + 12
        lines.append(f'<text class="faint" x="{MARGIN:g}" y="{down:.1f}">{text(note)}</text>')
    return "\n".join([*lines, "</svg>", ""])


def _legend(legend: Sequence[tuple[Mark, str]], y: float) -> Iterator[str]:
    x = MARGIN
    for mark, meaning in legend:
        node = DrawnNode(marks=frozenset({mark}))
        dashed = ' stroke-dasharray="4 2"' if mark is Mark.OPEN else ""
        yield (
            f'<rect x="{x:.1f}" y="{y + 1:.1f}" width="14" height="12" rx="3" fill="{fill(node)}" '
            f'stroke="{border(node)}"{dashed}/>'
        )
        yield f'<text class="faint" x="{x + 19:.1f}" y="{y + 11:.1f}">{text(meaning)}</text>'
        x += 30 + LETTER * len(meaning)
