"""What a run says about a model."""

from __future__ import annotations

from typing import Any, Final

from secateur.source import Span
from secateur.source.records import dataclass
from secateur.system.explanation import Explanation
from secateur.system.system import PropertyKind
from secateur.system.trace import Trace


@dataclass(frozen=True, slots=True)
class Violation:
    """A property that fails, where, and how to get there.

    `name` is the property's label or text, or the operation that is ill-defined;
    `message` says what happened; `witness` binds the quantified variables for which a
    predicate fails.  `count` is the number of states in which it was seen.
    """

    kind: PropertyKind
    name: str
    trace: Trace
    message: str | None = None
    span: Span | None = None
    witness: tuple[tuple[str, Any], ...] = ()
    count: int = 1
    explanation: Explanation | None = None
    """Why it fails, where that could be found out."""
    remarks: tuple[str, ...] = ()
    """What was done to the trace."""
    title: str | None = None
    """What the language calls it, if that is a word of its own."""


@dataclass(frozen=True, slots=True)
class Holds:
    """Nothing asked for was violated; `exhaustive` if no reachable state was left out."""

    exhaustive: bool = True


@dataclass(frozen=True, slots=True)
class Violated:
    """Something was violated.  `exhaustive` if, even so, every reachable state was visited."""

    violations: tuple[Violation, ...]
    exhaustive: bool = False
    reasons: tuple[str, ...] = ()


FOUND_WITHOUT_WAY: Final = "something was found, but not the way to it"
"""Why a run is incomplete that has seen a violation, and has no trace to show for it."""


@dataclass(frozen=True, slots=True)
class Incomplete:
    """No violation is shown, but not everything was looked at; `reasons` say why."""

    reasons: tuple[str, ...]


Verdict = Holds | Violated | Incomplete
