"""What comes of executing a recorded trace on a model again."""

from __future__ import annotations

from enum import Enum

from secateur.source import Span
from secateur.source.records import dataclass
from secateur.system.system import Breach, Fault, Gap
from secateur.system.trace import Trace


class Cause(Enum):
    """Why a step cannot be taken; the value is the word used in JSON."""

    NO_OPERATION = "no operation"
    PARAMETERS = "parameters"
    GUARD = "guard"
    ACTION = "action"
    RESULT = "result"
    STATE = "state"
    VALUE = "value"
    NO_INITIAL_STATE = "no initial state"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that is in the way: a sentence, and where in the model it stands."""

    text: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Obstacle:
    """The step at which a trace stops working: its number in the file, and why."""

    number: int
    wanted: str
    cause: Cause
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """What the trace is said to show."""

    kind: str
    name: str
    formula: str | None = None
    open: bool = False
    """Whether the path shows it however it goes on."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A trace that was executed, or as much of it as could be."""

    format: str
    trace: Trace
    wanted: int
    """How many steps there are in the file."""
    obstacle: Obstacle | None = None
    claim: Claim | None = None
    trouble: tuple[Breach | Fault | Gap, ...] = ()
    """What is wrong with the last state, or on the way out of it."""
    loop: int = 0
    closes: bool | None = None
    """Whether the steps that are to be repeated can be; None if none are."""
    notes: tuple[str, ...] = ()
    gave_up: str | None = None
    """Why not every way to take the steps was tried."""

    still: bool | None = None
    """Whether what the trace is said to show is there at its end; None if nobody can tell."""

    def __bool__(self) -> bool:
        return self.obstacle is None and self.gave_up is None and self.closes is not False
