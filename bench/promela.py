"""`python -m bench --promela`: the models of the corpus in Promela, beside Spin on the same files.

Spin explores all of a model breadth-first, without reduction, merging of statements or resetting
of variables.  What is compared are states per second of a processor (`ratio`): the states that both
have, which Spin calls nominal.  Breadth-first it stores those inside of atomic sequences as well,
which neither we nor its own depth-first search do; `stored` is the ratio where it gets these, too.
What we take to read the model's steps and to compile them is counted for searches of more than two
seconds: before that, code that is soon ready runs.  Not counted is what we tell beyond the search,
the values of variables.  Both are measured in turn, and the best of several rounds counts.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from bench import ours
from tools.promela import ours as our_side
from tools.promela import spin

LONG: Final = 2.0
"""Seconds of search from which on the compiling counts."""


@dataclass(frozen=True, slots=True)
class Row:
    """A model, and both speeds."""

    model: Path
    states: int
    we: float
    they: float
    they_store: float
    """Their speed with the states inside of atomic sequences."""

    @property
    def ratio(self) -> float:
        """How many times as many states per second we visit."""
        return self.we / self.they

    @property
    def ratio_stored(self) -> float:
        """How many times as many states per second we visit as they store."""
        return self.we / self.they_store


def measure_promela(only: str, rounds: int, seconds: float = 60.0) -> int:
    """Measure every model that Spin explores completely in the time given."""
    absent = spin.missing()
    if absent is not None or not our_side.folder().is_dir():
        print(f"NOT MEASURED: {absent or our_side.folder()} is missing")
        return 0
    models = [m for m in our_side.corpus() if only.lower() in _name(m).lower()]
    if not models:
        print(f"no model's name contains {only}", file=sys.stderr)
        return 2
    print(f"{'model':36}{'states':>10}{'ours/s':>11}{'Spin/s':>11}{'ratio':>7}{'stored':>8}")
    rows = []
    for model in models:
        row = _measured(model, rounds, seconds)
        if row is not None:
            rows.append(row)
            print(_line(row), flush=True)
    larger = sorted(rows, key=lambda row: row.states)[len(rows) // 2 :]
    if larger:
        fast = sum(row.ratio >= 4 for row in larger)
        middle = median(row.ratio for row in larger)
        print(f"{fast} of the {len(larger)} larger models at least 4 times; median {middle:.1f}")
        fast = sum(row.ratio_stored >= 4 for row in larger)
        middle = median(row.ratio_stored for row in larger)
        print(f"{fast} of them by the states that Spin stores; median {middle:.1f}")
    return 0


def _measured(model: Path, rounds: int, seconds: float) -> Row | None:
    found: list[tuple[spin.Figures, ours.Measured]] = []
    for _ in range(rounds):
        both = _round(model, seconds)
        if both is None:
            return None
        found.append(both)
    they = min((they for they, _ in found), key=lambda figures: figures.seconds)
    we = min((we for _, we in found), key=_spent)
    # We may have a few more: where a sequence had to be cut, states inside of it.
    common = min(we.states, they.nominal if they.nominal > 0 else they.states)
    spent = _spent(we)
    return Row(model, common, common / spent, common / they.seconds, they.states / they.seconds)


def _round(model: Path, seconds: float) -> tuple[spin.Figures, ours.Measured] | None:
    try:
        they = spin.run(model, spin.Search(flags=("-DNOCLAIM",)), seconds=seconds)
    except spin.Refused:
        return None
    if not they.complete or they.states <= 0 or they.seconds <= 0:
        return None
    options = f"--por none --engine explicit --max-seconds {seconds:.0f}"
    try:
        we = ours.measure(model, options)
    except SystemExit as refused:
        print(f"{_name(model):36}{str(refused).strip().splitlines()[-1]}")
        return None
    if we.engine != "native" or we.verdict == "Incomplete" or _spent(we) <= 0:
        print(f"{_name(model):36}{we.states:10}  {we.verdict.lower()} after {we.cpu:.1f} s")
        return None
    return they, we


def _spent(we: ours.Measured) -> float:
    """Return the seconds that count."""
    return we.search if we.search <= LONG else we.cpu - we.statistics


def _name(model: Path) -> str:
    return f"{model.parent.name}/{model.name}"


def _line(row: Row) -> str:
    return (
        f"{_name(row.model):36}{row.states:10}{row.we:11.0f}{row.they:11.0f}"
        f"{row.ratio:7.1f}{row.ratio_stored:8.1f}"
    )
