"""How symmetric models grow with their sets: `python -m bench --symmetry`.

Each model of the corpus is explored in full with sets of growing size, with every strategy, until
one takes too long.  Times are of the processors, compiling included.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import secateur
from bench.cases import CORPUS
from secateur.app.model import CheckOptions
from secateur.source import InputError

STRATEGIES: Final = ("none", "flood", "canonical", "markers")
FOLDER: Final = CORPUS / "SymmetryReduction"
SECONDS: Final = 20.0
NOTHING: Final[CheckOptions] = {
    "all": True,
    "deadlock": False,
    "invariant": False,
    "assertions": False,
    "goal": False,
    "native": True,
    "por": "none",
    "max_seconds": SECONDS,
}


@dataclass(frozen=True, slots=True)
class Growing:
    """A model, and the sets whose size is changed."""

    model: Path
    sets: tuple[str, ...]
    sizes: Sequence[int] = range(2, 9)


@dataclass(frozen=True, slots=True)
class Point:
    """What a run took; `states` is None if it was not finished, or refused."""

    size: int
    states: int | None
    seconds: float = 0.0
    transitions: int = 0


@dataclass(slots=True)
class Curve:
    """The runs of one strategy."""

    strategy: str
    points: list[Point] = field(default_factory=list)


CASES: Final = (
    Growing(FOLDER / "scheduler0.mch", ("PROC",)),
    Growing(FOLDER / "Dining_With_Protocol_in_B.mch", ("Phil", "Forks"), range(2, 7)),
    Growing(FOLDER / "Peterson.mch", ("PID",)),
    Growing(FOLDER / "USB_4Endpoints.mch", ("TRANSFERS",), range(2, 6)),
    Growing(FOLDER / "Fraikin/LibraryLoanOnly.mch", ("MEMBERID", "BOOKID"), range(2, 6)),
)


def measure_symmetry(only: str, plot: Path | None) -> int:
    """Print the table, and draw the curves."""
    if not CORPUS.is_dir():
        print(f"NOT MEASURED: the models of the corpus, for there is no {CORPUS}")
        return 1
    print(f"{'model':32}{'size':>5}" + "".join(f"{s:>12}{'CPU s':>8}" for s in STRATEGIES))
    drawn: list[tuple[str, list[Curve]]] = []
    for case in CASES:
        if only.lower() not in case.model.stem.lower():
            continue
        curves = [Curve(s) for s in STRATEGIES]
        for size in case.sizes:
            for curve in curves:
                given_up = curve.points and curve.points[-1].states is None
                curve.points.append(Point(size, None) if given_up else _run(case, size, curve))
            cells = "".join(_cell(curve.points[-1]) for curve in curves)
            print(f"{case.model.stem:32}{size:>5}{cells}", flush=True)
        print(f"{'':32} per transition: {_cost(curves)}", flush=True)
        drawn.append((case.model.stem, curves))
    if plot is not None:
        plot.write_text(_drawing(drawn), encoding="utf-8")
    return 0


def _run(case: Growing, size: int, curve: Curve) -> Point:
    model = secateur.load(case.model, set_sizes=dict.fromkeys(case.sets, size))
    options: CheckOptions = {**NOTHING, "symmetry": curve.strategy}
    started = time.process_time()
    try:
        result = model.check(**options)
    except InputError:  # too many permutations
        return Point(size, None)
    seconds = time.process_time() - started
    unfinished = any("seconds was reached" in reason for reason in result.reasons)
    counted = result.statistics
    return Point(size, None if unfinished else counted.states, seconds, counted.transitions)


def _cost(curves: Sequence[Curve]) -> str:
    """Return what a transition takes in the largest run of each strategy."""
    costs = []
    for curve in curves:
        largest = next((p for p in reversed(curve.points) if p.states), None)
        if largest is not None and largest.transitions:
            each = largest.seconds / largest.transitions * 1e9
            costs.append(f"{curve.strategy} {each:,.0f} ns (size {largest.size})")
    return ", ".join(costs)


def _cell(point: Point) -> str:
    if point.states is None:
        return f"{'-':>12}{'':>8}"
    return f"{point.states:>12,}{point.seconds:>8.2f}"


# -- a drawing ------------------------------------------------------------------------------------

WIDTH, HEIGHT, MARGIN = 300, 220, 46
COLOURS: Final = {"none": "#888888", "canonical": "#0b6e4f"}


def _drawing(drawn: Sequence[tuple[str, list[Curve]]]) -> str:
    """Return the number of states by the size of the sets: in full, and one of each orbit."""
    columns = 3
    rows = -(-len(drawn) // columns)
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{columns * WIDTH}" '
            f'height="{rows * HEIGHT}" font-family="sans-serif" font-size="10">'
        ),
        f'<rect width="{columns * WIDTH}" height="{rows * HEIGHT}" fill="white"/>',
    ]
    for number, (name, curves) in enumerate(drawn):
        x, y = number % columns * WIDTH, number // columns * HEIGHT
        parts.append(f'<g transform="translate({x},{y})">{_panel(name, curves)}</g>')
    return "\n".join([*parts, "</svg>", ""])


def _panel(name: str, curves: Sequence[Curve]) -> str:
    shown = [c for c in curves if c.strategy in COLOURS]
    points = [p for c in shown for p in c.points if p.states]
    if not points:
        return ""
    sizes = [p.size for p in points]
    low, high = min(sizes), max(*sizes, min(sizes) + 1)
    most = max(math.ceil(math.log10(p.states or 1)) for p in points) or 1

    def at(point: Point) -> tuple[float, float]:
        across = (point.size - low) / (high - low) * (WIDTH - 2 * MARGIN)
        up = math.log10(point.states or 1) / most * (HEIGHT - 2 * MARGIN)
        return MARGIN + across, HEIGHT - MARGIN - up

    bottom = HEIGHT - MARGIN
    parts = [
        f'<text x="{WIDTH / 2}" y="20" text-anchor="middle" font-weight="bold">{name}</text>',
        f'<path d="M{MARGIN} {MARGIN} V{bottom} H{WIDTH - MARGIN}" fill="none" stroke="black"/>',
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 12}" text-anchor="middle">size of the sets</text>',
    ]
    for size in sorted(set(sizes)):
        x = at(Point(size, 1))[0]
        parts.append(f'<text x="{x}" y="{bottom + 14}" text-anchor="middle">{size}</text>')
    for power in range(most + 1):
        y = at(Point(low, 10**power))[1]
        parts.append(f'<text x="{MARGIN - 6}" y="{y + 3}" text-anchor="end">1e{power}</text>')
    for curve in shown:
        places = [at(p) for p in curve.points if p.states]
        if not places:
            continue
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        colour = COLOURS[curve.strategy]
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        x, y = places[-1]
        parts.append(
            f'<text x="{x - 4}" y="{y - 6}" text-anchor="end" fill="{colour}">{curve.strategy}</text>'
        )
    return "".join(parts)
