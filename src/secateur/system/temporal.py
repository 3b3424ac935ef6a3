"""What is found out about a temporal formula."""

from __future__ import annotations

from secateur.source import Diagnostic
from secateur.source.records import dataclass
from secateur.system.engine import PYTHON, Engine
from secateur.system.reduced import Merged, Reduced
from secateur.system.trace import Trace


@dataclass(frozen=True, slots=True)
class Evidence:
    """A path that violates a formula (or, for CTL, that shows why).

    After the trace, its last `loop` steps are repeated for ever; with none, it ends in a deadlock
    or says all there is to say.  `atoms` has for each state of the trace, from the first
    initialised one on, which atoms hold there.
    """

    trace: Trace
    loop: int = 0
    atoms: tuple[tuple[tuple[str, bool], ...], ...] = ()
    open: bool = False
    """Whether it does not matter how the path goes on."""
    remarks: tuple[str, ...] = ()
    """What was done to the path."""
    why: tuple[tuple[int, str, bool], ...] = ()
    """What decides that the formula fails: after which step, which part of it, whether that holds."""


@dataclass(frozen=True, slots=True)
class TemporalResult:
    """Whether a formula holds; None if that is not known, for the `reasons` given."""

    name: str
    logic: str
    formula: str
    """As the user wrote it."""
    understood: str
    """With all parentheses."""
    holds: bool | None
    evidence: Evidence | None = None
    states: int = 0
    transitions: int = 0
    nodes: int = 0
    """The size of the product that was searched."""
    seconds: float = 0.0
    reasons: tuple[str, ...] = ()
    reduced: Reduced | None = None
    """What a partial order reduction left out."""
    merged: Merged | None = None
    """What symmetry made one of."""
    remark: str | None = None
    """Why nothing was left out or made one, where that was asked for."""
    errors: tuple[Diagnostic, ...] = ()
    """What is wrong with the formula, if it is none."""
    engine: Engine = PYTHON

    def __bool__(self) -> bool:
        return self.holds is True
