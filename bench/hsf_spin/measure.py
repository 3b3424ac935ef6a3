"""One run of ours, and one of Spin's."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import secateur
from bench.hsf_spin.models import Instance
from secateur.app.model import CheckOptions, Model
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
    seconds: float = 0.0
    """Of the processor, the analysis of actions included."""

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


class Subject:
    """An instance that was loaded; what is found out about its actions serves all provisos."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance

    @cached_property
    def _model(self) -> Model:
        return secateur.load(self.instance.file, defines=dict(self.instance.defines))

    def cell(self, proviso: str, manner: Manner) -> Cell:
        """Check it with a proviso; without one ("no"), nothing is reduced."""
        options: CheckOptions = {
            "por": "none" if proviso == "no" else manner.por,
            **_PROVISOS.get(proviso, {}),
            "search": manner.search,
            "symmetry": "none",
            "engine": "explicit",
            "all": manner.all_,
            "max_seconds": manner.seconds,
        }
        if manner.search == "astar":
            options["heuristic"] = self.instance.heuristic
        begun = time.process_time()
        try:
            result = self._model.check(**options)
        except InputError as why:
            first = why.diagnostics[0]
            return Cell(None, f"{first.code}: {first.message}")
        late = any("seconds was reached" in reason for reason in result.reasons)
        said = f"not finished in {manner.seconds:g} s" if late else ""
        spent = time.process_time() - begun
        return Cell(result.statistics.states, said, bool(result.violations), spent)


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
