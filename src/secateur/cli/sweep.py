"""`--sweep NAME=1..4`: the same check for several sizes, as a table."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Final

from secateur.app.load import Options, load
from secateur.app.model import Model
from secateur.cli.codes import USAGE
from secateur.engine.limits import INTERRUPTED_BY_USER, Unfinished
from secateur.lang.registry import front_end
from secateur.report.sweep import Swept
from secateur.source import fail
from secateur.source.records import dataclass
from secateur.system.result import Result, nothing_found

_RANGE: Final = re.compile(r"(-?\d+)\.\.(-?\d+)")
KNOWN: Final = ("DEFAULT_SETSIZE", "MAXINT", "MININT")
"""The preferences that make a difference; any other name is one of a deferred set (in Promela, of a macro)."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """A preference, a deferred set or a macro, and the values that it is to have one after the other."""

    name: str
    values: tuple[int, ...]


def add_sweep(parser: argparse.ArgumentParser) -> None:
    """Declare the option."""
    parser.add_argument(
        "--sweep",
        type=sweep,
        action="append",
        default=[],
        metavar="NAME=A..B",
        help="check again and again, with the preference (DEFAULT_SETSIZE, MAXINT, MININT) or the "
        "size of the deferred set NAME, or the macro NAME of Promela, from A to B (or one of A,B,C), and print a table; "
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
        defines = {**(options.get("defines") or {})}
        for name, value in chosen.items():
            if front_end(file).macros:
                defines[name] = str(value)
            elif name in KNOWN:
                preferences[name] = str(value)
            else:
                sizes[name] = value
        changed: Options = {
            **options,
            "preferences": preferences,
            "set_sizes": sizes,
            "defines": defines,
        }
        found.append(Swept(values, _checked(file, changed, check)))
        if INTERRUPTED_BY_USER in found[-1].result.reasons:
            break
    return found


_ALONE: Final = (
    "outputs",
    "baseline",
    "update_baseline",
    "expect",
    "certificate",
    "audit",
    "count",
    "coverage",
    "annotations",
)


def refuse_beside_sweep(args: argparse.Namespace) -> None:
    """Raise InputError for options that are about one run."""
    names = [s.name for s in args.sweep]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise fail(USAGE, f"--sweep names {twice} twice", help=f"use --sweep {twice}=1,2,3 once")
    given = [name for name in _ALONE if getattr(args, name, None)]
    if given:
        option = "-o" if given[0] == "outputs" else f"--{given[0].replace('_', '-')}"
        message = f"--sweep makes several runs, and {option} is about one"
        raise fail(USAGE, message, help=f"leave out --sweep or {option}")


def _checked(file: Path, options: Options, check: Callable[[Model], Result]) -> Result:
    try:
        return check(load(file, **options))
    except Unfinished as late:
        return nothing_found(late.reason)
