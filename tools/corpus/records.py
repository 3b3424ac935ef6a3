"""The corpus and what was recorded about it."""

from __future__ import annotations

import csv
import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

EXPLORED = ("core", "tiny", "convention", "ext", "error")
"""Tiers whose models are explored; those of the others are only loaded."""

LOADED = ("stress", "infinite", "noload")

UNKNOWN = ":unknown"


@dataclass(frozen=True, slots=True)
class Record:
    """A model and what is recorded of it; None where nothing is."""

    path: str
    formalism: str
    tier: str
    states: int
    transitions: int
    deadlock: bool | None
    invariant_violated: bool | None
    flags: frozenset[str]
    milliseconds: int

    @property
    def effort(self) -> tuple[int, int]:
        """A key that sorts quick models first."""
        return self.transitions, self.milliseconds


def corpus_folder() -> Path:
    """Return where the corpus lies: $SECATEUR_CORPUS, or beside the repository."""
    named = os.environ.get("SECATEUR_CORPUS")
    return Path(named) if named else ROOT.parent / "shared" / "corpus"


def records(folder: Path) -> Iterator[Record]:
    """Yield every record of the corpus in `folder`."""
    with (folder / "expected.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield Record(
                path=row["path"],
                formalism=row["formalism"],
                tier=row["tier"],
                states=_number(row["states"]),
                transitions=_number(row["transitions"]),
                deadlock=_flag(row["deadlock"]),
                invariant_violated=_flag(row["invariant_violated"]),
                flags=frozenset(filter(None, row["flags"].split("|"))),
                milliseconds=_number(row["prob_time_ms"]),
            )


_SMALL = (2000, 500)
_SAMPLED = ("core", "tiny", "convention", "error")


def sample(chosen: Iterable[Record], size: int) -> list[Record]:
    """Return `size` small models, the same ones each time, that nobody picked by hand."""
    small = [
        r
        for r in chosen
        if r.tier in _SAMPLED and r.transitions <= _SMALL[0] and r.milliseconds <= _SMALL[1]
    ]
    return sorted(small, key=lambda r: hashlib.sha256(r.path.encode()).digest())[:size]


def _number(text: str) -> int:
    return int(text) if text.lstrip("-").isdigit() else 0


def _flag(text: str) -> bool | None:
    return None if text == UNKNOWN or not text else text == "True"
