"""What temporal formulas are made of: atoms about a state, and about the step that leaves it."""

from __future__ import annotations

from enum import Enum
from typing import Any

from secateur.source import Span
from secateur.source.records import dataclass


class Kind(Enum):
    """What an atom is about; the value is how it is written."""

    PREDICATE = "{}"
    EVENT = "[]"
    ENABLED = "e"
    AVAILABLE = "available"
    DEADLOCK = "deadlock"
    SINK = "sink"
    DETERMINISTIC = "deterministic"
    CONTROLLER = "controller"
    GOAL = "goal"
    CURRENT = "current"
    DET_OUTPUT = "det_output"
    ERROR = "error"
    UNCHANGED = "unchanged"
    CHANGED = "changed"
    INCREASING = "increasing"
    DECREASING = "decreasing"
    BEFORE_AFTER = "before_after"
    WEAK_FAIR = "WF"
    STRONG_FAIR = "SF"
    ALL_WEAK_FAIR = "WEF"
    ALL_STRONG_FAIR = "SEF"


ABOUT_STEPS = frozenset(
    {
        Kind.EVENT,
        Kind.UNCHANGED,
        Kind.CHANGED,
        Kind.INCREASING,
        Kind.DECREASING,
        Kind.BEFORE_AFTER,
        Kind.DET_OUTPUT,
    }
)
"""The kinds that look at the step out of a state, and not at the state alone."""

FAIRNESS = frozenset({Kind.WEAK_FAIR, Kind.STRONG_FAIR, Kind.ALL_WEAK_FAIR, Kind.ALL_STRONG_FAIR})
"""Assumptions about whole paths; they stand before the formula and nowhere else."""

ABOUT_ENABLEDNESS = frozenset(
    {
        Kind.ENABLED,
        Kind.AVAILABLE,
        Kind.DEADLOCK,
        Kind.SINK,
        Kind.DETERMINISTIC,
        Kind.CONTROLLER,
    }
)
"""The kinds that look at which steps there are."""


@dataclass(frozen=True, slots=True)
class Event:
    """An operation, perhaps with patterns for its arguments; `_` is any value."""

    name: str
    arguments: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({','.join(self.arguments)})" if self.arguments else self.name


@dataclass(frozen=True, slots=True)
class Atom:
    """An atom; `text` is the B in it, `bound` are quantified names with values and types.

    Where it stands does not matter for what it means.
    """

    kind: Kind
    text: str = ""
    events: tuple[Event, ...] = ()
    bound: tuple[tuple[str, Any, Any], ...] = ()
    span: Span | None = None

    def __hash__(self) -> int:
        return hash((self.kind, self.text.strip(), self.events, self.bound))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Atom) and self._key() == other._key()

    def _key(self) -> tuple[object, ...]:
        return self.kind, self.text.strip(), self.events, self.bound

    def __str__(self) -> str:
        listed = ",".join(map(str, self.events))
        match self.kind:
            case Kind.PREDICATE:
                return f"{{{self.text.strip()}}}"
            case Kind.EVENT:
                return f"[{listed}]"
        inner = f"{{{self.text.strip()}}}" if self.text else listed
        return f"{self.kind.value}({inner})" if inner else self.kind.value


@dataclass(frozen=True, slots=True)
class Fair:
    """An assumption: an event that could happen for ever does happen again and again.

    Weak: what is enabled from some time on.  Strong: what is enabled again and again.
    """

    event: Event | None
    strong: bool
    """`event` None stands for each operation of the model."""

    def __str__(self) -> str:
        if self.event is None:
            return "SEF" if self.strong else "WEF"
        return f"{'SF' if self.strong else 'WF'}({self.event})"
