"""A model with what searches of ours and Spin's say of it, and a file of such rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

SLOW: Final = "too slow"
UNFINISHED: Final = "unfinished"
INVALID: Final = "error, partial order reduction invalid"
"""What Spin says if a model promises by `xr` or `xs` what is not so: no error of the model."""


@dataclass(frozen=True, slots=True)
class Side:
    """What one search says: states, kinds of errors, and a note if it did not end."""

    states: int
    errors: frozenset[str] = frozenset()
    note: str = ""

    def __str__(self) -> str:
        return self.note or f"{self.states:,}"


NOT_ASKED: Final = Side(-1, note="-")


@dataclass(frozen=True, slots=True)
class Row:
    """A model: full searches, our reductions by their names, and Spin's ways to reduce."""

    model: Path
    full: Side
    reduced: Mapping[str, Side] = field(default_factory=dict)
    spin_full: Side = NOT_ASKED
    spin: Side = NOT_ASKED
    spin_merged: Side = NOT_ASKED

    @property
    def sound(self) -> Mapping[str, Side]:
        """Our reductions but for those without a proviso, which are there to compare with."""
        return {n: s for n, s in self.reduced.items() if not n.endswith("/none")}

    @property
    def best(self) -> Side | None:
        """The smallest of our reduced searches that came to its end."""
        ended = [side for side in self.sound.values() if not side.note]
        return min(ended, key=lambda side: side.states, default=None)

    @property
    def differing(self) -> list[str]:
        """The reductions whose verdict is not that of the full search."""
        if self.full.note:
            return []
        sides = {**self.sound, "Spin": self.spin}
        return [
            n for n, s in sides.items() if not s.note and bool(s.errors - {INVALID}) != self.failing
        ]

    @property
    def failing(self) -> bool:
        """Whether the full search has found an error."""
        return bool(self.full.errors)

    @property
    def comparable(self) -> bool:
        """Whether numbers of states mean the same on both sides."""
        if self.spin.note or self.best is None:
            return False
        if self.full.note or self.spin_full.note:
            return bool(self.full.note and self.spin_full.note)
        return self.full.states == self.spin_full.states

    @property
    def as_small(self) -> bool:
        """Whether we need no more states than Spin."""
        return self.best is not None and self.best.states <= self.spin.states

    @property
    def late(self) -> bool:
        """Whether something might have ended with more time."""
        sides = (self.full, *self.reduced.values(), self.spin_full, self.spin, self.spin_merged)
        return any(side.note.startswith((SLOW, UNFINISHED)) for side in sides)


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a search of ours may take, and one of Spin's, in seconds of the processor."""

    ours: float
    spin: float


@dataclass(frozen=True, slots=True)
class Asked:
    """What a row depends on beside its model."""

    names: tuple[str, ...]
    limits: Limits
    deadlocks: bool = False


class Kept:
    """A file of finished rows, a line each, so that a run that was ended goes on."""

    def __init__(self, file: Path, asked: Asked) -> None:
        self._file = file
        self._asked = asked
        self._rows = dict(self._read()) if file.is_file() else {}

    def get(self, model: Path) -> Row | None:
        """Return the row of a model if the same was asked with no less time, or if that was enough."""
        return self._rows.get(_key(model))

    def put(self, row: Row) -> None:
        """Add a row."""
        record = {
            "key": _key(row.model),
            "names": self._asked.names,
            "deadlocks": self._asked.deadlocks,
            "limits": (self._asked.limits.ours, self._asked.limits.spin),
            "row": _to_json(row),
        }
        with self._file.open("a", encoding="utf-8") as text:
            text.write(f"{json.dumps(record)}\n")

    def _read(self) -> Iterator[tuple[str, Row]]:
        for line in self._file.read_text(encoding="utf-8").splitlines():
            try:
                record = json.loads(line)
            except ValueError:  # the last line of a run that was ended
                continue
            if tuple(record["names"]) != self._asked.names:
                continue
            row = _from_json(record["row"])
            ours, spins = record["limits"]
            enough = ours >= self._asked.limits.ours and spins >= self._asked.limits.spin
            if record["deadlocks"] == self._asked.deadlocks and (enough or not row.late):
                yield record["key"], row


def _key(model: Path) -> str:
    text = hashlib.sha256(model.read_bytes()).hexdigest()[:16]
    return f"{model.name} {text}"


_SPINS: Final = ("full", "spin_full", "spin", "spin_merged")


def _to_json(row: Row) -> dict[str, Any]:
    return {
        "model": str(row.model),
        **{name: _listed(getattr(row, name)) for name in _SPINS},
        "reduced": {name: _listed(side) for name, side in row.reduced.items()},
    }


def _from_json(record: Mapping[str, Any]) -> Row:
    sides = {name: _side(record[name]) for name in _SPINS}
    reduced = {name: _side(side) for name, side in record["reduced"].items()}
    return Row(Path(record["model"]), reduced=reduced, **sides)


def _listed(side: Side) -> list[Any]:
    return [side.states, sorted(side.errors), side.note]


def _side(listed: Sequence[Any]) -> Side:
    states, errors, note = listed
    return Side(states, frozenset(errors), note)
