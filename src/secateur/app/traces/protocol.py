"""What a recorded trace says, whatever the format of its file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Protocol

from secateur.app.traces.understanding import Understanding
from secateur.maths.types import Type
from secateur.maths.values import Value
from secateur.source import Source
from secateur.source.records import dataclass
from secateur.system.replay import Claim


class Wanted(Protocol):
    """A value that a trace has somewhere."""

    @property
    def shown(self) -> str:
        """The value as messages show it."""

    def fits(self, value: Value, type_: Type) -> bool:
        """Whether `value`, of this type, is the one that is meant."""

    def value(self, type_: Type) -> Value:
        """Return the value; raise NoValue if there is none of this type."""


@dataclass(frozen=True, slots=True)
class PostCondition:
    """What must be so after a step: a predicate, or that an operation is enabled or not."""

    predicate: str
    operation: str | None = None
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class WantedStep:
    """A step as far as the trace tells; what it leaves out may be anything."""

    number: int
    """Its place in the file, from 1."""
    operation: str | None = None
    arguments: Mapping[str, Wanted] = field(default_factory=dict)
    results: Mapping[str, Wanted] = field(default_factory=dict)
    state: Mapping[str, Wanted] = field(default_factory=dict)
    """Values after the step."""
    same: frozenset[str] = frozenset()
    """What the step does not change."""
    others_same: bool = False
    """Whether it changes nothing but what is in `state`."""
    predicates: tuple[str, ...] = ()
    """What must hold before the step, of its arguments, too."""
    afterwards: tuple[PostCondition, ...] = ()


@dataclass(frozen=True, slots=True)
class WantedTrace:
    """A trace to be executed; after it, its last `loop` steps are repeated for ever."""

    format: str
    steps: tuple[WantedStep, ...]
    loop: int = 0
    claim: Claim | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TraceRow:
    """A format of traces that can be read.

    `recognise` looks at the JSON object of a file; `read` makes a trace of it, or of the
    violation with the number given.
    """

    name: str
    recognise: Callable[[Mapping[str, Any]], bool]
    read: Callable[[Reading], WantedTrace]


@dataclass(frozen=True, slots=True)
class Reading:
    """A file that is being read."""

    source: Source
    content: Mapping[str, Any]
    understanding: Understanding
    violation: int | None = None
    """Which of several traces is meant, from 1."""
