"""`--sweep NAME=1..4`: the same check for several sizes, as a table."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final

from secateur.app.load import Options, load
from secateur.app.model import Model
from secateur.report.json import verdict_word
from secateur.system.result import Result

_RANGE: Final = re.compile(r"(-?\d+)\.\.(-?\d+)")
KNOWN: Final = ("DEFAULT_SETSIZE", "MAXINT", "MININT")
"""The preferences that make a difference; any other name is one of a deferred set."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """A preference or a deferred set, and the values that it is to have one after the other."""

    name: str
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Swept:
    """What came of one combination of values."""

    values: tuple[int, ...]
    result: Result


def add_sweep(parser: argparse.ArgumentParser) -> None:
    """Declare the option."""
    parser.add_argument(
        "--sweep",
        type=sweep,
        action="append",
        default=[],
        metavar="NAME=A..B",
        help="check again and again, with the preference (DEFAULT_SETSIZE, MAXINT, MININT) or the "
        "size of the deferred set NAME from A to B (or one of A,B,C), and print a table; "
        "may be repeated, for all combinations",
    )


def sweep(text: str) -> Sweep:
    """Read `NAME=1..4` or `NAME=1,2,8`."""
    name, equals, said = (part.strip() for part in text.partition("="))
    found = _RANGE.fullmatch(said)
    if name and equals and found is not None:
        values = tuple(range(int(found[1]), int(found[2]) + 1))
        if values:
            return Sweep(name, values)
    elif name and equals and re.fullmatch(r"-?\d+(\s*,\s*-?\d+)*", said):
        return Sweep(name, tuple(map(int, said.split(","))))
    raise argparse.ArgumentTypeError(f"'{text}' does not look like DEFAULT_SETSIZE=1..4")


def run_sweep(
    file: Path, options: Options, sweeps: Sequence[Sweep], check: Callable[[Model], Result]
) -> list[Swept]:
    """Return what comes of each combination of values."""
    found: list[Swept] = []
    for values in product(*(s.values for s in sweeps)):
        chosen = dict(zip((s.name for s in sweeps), values, strict=True))
        preferences = {**(options.get("preferences") or {})}
        sizes = {**(options.get("set_sizes") or {})}
        for name, value in chosen.items():
            if name in KNOWN:
                preferences[name] = str(value)
            else:
                sizes[name] = value
        changed: Options = {**options, "preferences": preferences, "set_sizes": sizes}
        found.append(Swept(values, check(load(file, **changed))))
    return found


def render_sweep(sweeps: Sequence[Sweep], rows: Sequence[Swept]) -> str:
    """Return a table: values, verdict, states, transitions, seconds, and what fails."""
    heads = [*(s.name for s in sweeps), "verdict", "states", "transitions", "seconds", "violated"]
    lines = [heads, *(_cells(row) for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(heads))]
    shown = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
    return "\n".join(shown)


def _cells(row: Swept) -> list[str]:
    result = row.result
    statistics = result.statistics
    failed = [f"{v.kind.value}: {v.name}" for v in result.violations]
    failed += [f"{t.logic}: {t.name}" for t in result.temporal if t.holds is False]
    if not failed:
        failed = list(result.reasons[:1])
    return [
        *map(str, row.values),
        verdict_word(result),
        str(statistics.states),
        str(statistics.transitions),
        f"{result.seconds:.2f}",
        "; ".join(failed),
    ]
