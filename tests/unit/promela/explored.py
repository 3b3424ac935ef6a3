"""Programs that are written down in tests, run through the real front end and engine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import secateur


@dataclass(frozen=True)
class Explored:
    """What a full search finds."""

    states: int
    transitions: int
    kinds: frozenset[str]


def loaded(folder: Path, text: str) -> secateur.Model:
    """Return the model of a program."""
    file = folder / "m.pml"
    file.write_text(text, encoding="utf-8")
    return secateur.load(file)


def explored(folder: Path, text: str) -> Explored:
    """Visit all states of a program."""
    result = loaded(folder, text).check(all=True, por="none", symmetry="none")
    assert not result.reasons
    kinds = frozenset(violation.kind.value for violation in result.violations)
    return Explored(result.statistics.states, result.statistics.transitions, kinds)


def judged(folder: Path, text: str) -> dict[str, bool | None]:
    """Say which temporal properties of a program hold, by their names."""
    return {result.name: result.holds for result in loaded(folder, text).temporal()}
