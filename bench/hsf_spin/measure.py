"""One run of ours, and one of Spin's."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

import secateur
from bench.hsf_spin.models import Instance
from secateur.analysis.effort import USUAL
from secateur.app.model import CheckOptions, Model
from secateur.source import InputError
from secateur.system.result import Result
from tools.promela import spin

REDUCTION: Final = "process-ample"
"""Ample sets of one process, as HSF-SPIN and Spin have them."""
_PROVISOS: Final[Mapping[str, CheckOptions]] = {
    "C2i": {"proviso": "none", "experiment": True},
    "C2v": {"proviso": "visited"},
    "C2s": {"proviso": "static"},
    "C2o": {"proviso": "open"},
}

_ATTEMPTS: Final = 12
"""So often the time for an analysis is granted before provisos are compared."""
_PREPARING: Final = 600.0
"""How long, in seconds, each of these may take."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The number of states, or why there is none."""

    states: int | None
    said: str = ""
    violated: bool = False
    seconds: float = 0.0
    """Of the processor, the analysis of actions included."""
    learning: bool = False
    """Whether the time for the analysis was not enough, so that the next run will know more."""

    def __str__(self) -> str:
        if self.states is None:
            return self.said
        remarks = [self.said] if self.said else []
        if self.learning:
            remarks.append("not all relations were found out")
        told = f" ({', '.join(remarks)})" if remarks else ""
        return f"{self.states:,}{told}"


@dataclass(frozen=True, slots=True)
class Manner:
    """How a model is searched; with `all_`, on after a violation."""

    search: str
    seconds: float
    """For a cell; it says so if that was not enough."""
    all_: bool
    por: str = REDUCTION


class Subject:
    """An instance that was loaded; what is found out about its actions serves all provisos."""

    def __init__(self, instance: Instance, folder: Path) -> None:
        self.instance = instance
        self.file = instance.file
        if instance.made is not None:
            self.file = folder / instance.file.name
            text = instance.file.read_text(encoding="utf-8")
            self.file.write_text(instance.made(text), encoding="utf-8")

    @cached_property
    def _model(self) -> Model:
        return secateur.load(self.file, defines=dict(self.instance.defines))

    def get_ready(self, manner: Manner) -> None:
        """Find out how the actions are related, so that all provisos know the same."""
        for _ in range(_ATTEMPTS):
            result = self._checked("C2i", replace(manner, search="bf", seconds=_PREPARING))
            if not isinstance(result, Result) or not _learning(result):
                return

    def cell(self, proviso: str, manner: Manner) -> Cell:
        """Check it with a proviso; without one ("no"), nothing is reduced."""
        begun = time.process_time()
        result = self._checked(proviso, manner)
        if isinstance(result, Cell):
            return result
        counted = result.statistics
        # A sequence that is cut has states that are none to Spin.
        states = counted.states - sum(counted.fresh.get(n, 0) for n in self._model.typed.inner)
        said = f"not finished in {manner.seconds:g} s" if _late(result) else ""
        spent = time.process_time() - begun
        return Cell(states, said, bool(result.violations), spent, _learning(result))

    def _checked(self, proviso: str, manner: Manner) -> Result | Cell:
        options: CheckOptions = {
            "por": "none" if proviso == "no" else manner.por,
            "search": manner.search,
            "symmetry": "none",
            "engine": "explicit",
            "all": manner.all_,
            "max_seconds": manner.seconds,
        }
        options |= _PROVISOS.get(proviso, {})
        if manner.search == "astar":
            options["heuristic"] = self.instance.heuristic
        try:
            return self._model.check(**options)
        except InputError as why:
            first = why.diagnostics[0]
            return Cell(None, f"{first.code}: {first.message}")

    def spins(self, seconds: float, *, reduced: bool, all_: bool) -> Cell:
        """Let Spin search breadth-first, with its own proviso (C2o) if reduced.

        It misses deadlocks in which somebody waits for a rendezvous: then none is found.
        """
        asked = spin.Search(
            defines=self.instance.flags(),
            reduced=reduced,
            flags=("-DNOCLAIM",),
            options=() if all_ else ("-c1",),
        )
        try:
            found = spin.run(self.file, asked, seconds=seconds)
        except spin.Refused as why:
            return Cell(None, f"refused: {str(why).splitlines()[-1]}")
        if found.states < 0:
            return Cell(None, f"not finished in {seconds:g} s")
        if not all_ and found.complete and not found.errors:
            return Cell(found.states, "none found")
        ended = found.complete or (not all_ and found.errors > 0)
        # breadth-first it stores what is inside of `atomic` as well; these are without
        states = found.nominal if all_ and found.nominal >= 0 else found.states
        return Cell(states, "" if ended else f"not finished in {seconds:g} s", found.errors > 0)


def _learning(result: Result) -> bool:
    """Whether the time for the analysis may have been over, or that for the solver alone."""
    enough = min(USUAL.seconds, USUAL.solving)
    return any(each.seconds >= enough for each in result.reductions)


def _late(result: Result) -> bool:
    return any("seconds was reached" in reason for reason in result.reasons)
