"""One run of ours, and one of Spin's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import secateur
from bench.hsf_spin.models import Instance
from secateur.app.model import CheckOptions
from secateur.source import InputError
from tools.promela import spin

REDUCTION: Final = "process-ample"
"""Ample sets of one process, as HSF-SPIN and Spin have them."""
_PROVISOS: Final[Mapping[str, CheckOptions]] = {
    "C2i": {"proviso": "none", "experiment": True},
    "C2v": {"proviso": "visited"},
    "C2s": {"proviso": "static"},
    "C2o": {"proviso": "open"},
}


@dataclass(frozen=True, slots=True)
class Cell:
    """The number of states, or why there is none."""

    states: int | None
    said: str = ""
    violated: bool = False

    def __str__(self) -> str:
        if self.states is None:
            return self.said
        return f"{self.states:,}{'' if not self.said else f' ({self.said})'}"


@dataclass(frozen=True, slots=True)
class Manner:
    """How a model is searched; with `all_`, on after a violation."""

    search: str
    seconds: float
    all_: bool
    por: str = REDUCTION


def ours(instance: Instance, proviso: str, manner: Manner) -> Cell:
    """Check a model with a proviso; without one ("no"), nothing is reduced."""
    options: CheckOptions = {
        "por": "none" if proviso == "no" else manner.por,
        **_PROVISOS.get(proviso, {}),
        "search": manner.search,
        "symmetry": "none",
        "all": manner.all_,
        "max_seconds": manner.seconds,
    }
    if manner.search == "astar":
        options["heuristic"] = instance.heuristic
    try:
        model = secateur.load(instance.file, defines=dict(instance.defines))
        result = model.check(**options)
    except InputError as why:
        first = why.diagnostics[0]
        return Cell(None, f"{first.code}: {first.message}")
    late = any("seconds was reached" in reason for reason in result.reasons)
    return Cell(result.statistics.states, "unfinished" if late else "", bool(result.violations))


def spins(instance: Instance, seconds: float, *, reduced: bool, all_: bool) -> Cell:
    """Let Spin search breadth-first, with its own proviso (C2o) if reduced.

    It misses deadlocks in which somebody waits for a rendezvous: then none is found.
    """
    asked = spin.Search(
        defines=instance.flags(),
        reduced=reduced,
        flags=("-DNOCLAIM",),
        options=() if all_ else ("-c1",),
    )
    try:
        found = spin.run(instance.file, asked, seconds=seconds)
    except spin.Refused as why:
        return Cell(None, f"refused: {str(why).splitlines()[-1]}")
    if found.states < 0:
        return Cell(None, f"not finished in {seconds:g} s")
    if not all_ and found.complete and not found.errors:
        return Cell(found.states, "none found")
    stopped = not all_ and found.errors > 0
    return Cell(found.states, "" if found.complete or stopped else "unfinished", found.errors > 0)
