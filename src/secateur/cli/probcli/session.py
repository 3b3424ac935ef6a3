"""What the actions of one call share: the model, the path so far, the counts, the errors."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from secateur.app.animate import Animation
from secateur.app.model import Model
from secateur.cli.codes import CANNOT_WRITE
from secateur.cli.exit import ExitCode
from secateur.cli.output import complain, emit
from secateur.cli.probcli.census import Census, Footprint
from secateur.cli.probcli.ledger import Ledger
from secateur.cli.probcli.request import Request
from secateur.report.diagnostics import render_diagnostics
from secateur.source import InputError, fail
from secateur.source.records import dataclass
from secateur.system.system import State
from secateur.system.trace import Trace


@dataclass(slots=True)
class Session:
    """One file, and what is done with it."""

    file: str
    model: Model
    request: Request
    ledger: Ledger
    walk: Animation
    footprint: Footprint
    violated: set[State] = field(default_factory=set)
    """The states in which an animation saw an invariant fail."""
    searched: Census | None = None
    """The counts of a search, if there was one."""

    @classmethod
    def of(cls, file: str, model: Model, request: Request, ledger: Ledger) -> Session:
        """Return a session at the root of a model."""
        system = model.system
        footprint = Footprint(system, tuple(system.operations))
        return cls(file, model, request, ledger, Animation(system), footprint)

    @property
    def trace(self) -> Trace:
        """The path so far."""
        return self.walk.trace

    def census(self) -> Census:
        """Return the counts of the search, or else those of the animation."""
        return self.searched or self.footprint.census(len(self.violated))

    def say(self, *lines: str) -> None:
        """Print what was asked for."""
        emit("\n".join(lines))

    def chat(self, *lines: str) -> None:
        """Print what is good to know."""
        if not self.request.has("silent"):
            self.say(*lines)

    def follow(self, trace: Trace) -> None:
        """Go where a trace leads, from the root."""
        while self.walk.undo():
            pass
        for transition in trace.transitions:
            self.walk.take(transition)

    def refuse(self, kind: str, error: InputError) -> None:
        """Tell that some input is no good, and go on with the rest."""
        self.ledger.error(kind, code=ExitCode.BAD_INPUT)
        complain(render_diagnostics(error.diagnostics))

    def write(self, file: str, text: str) -> None:
        """Write a file that was asked for; raise InputError if that cannot be."""
        try:
            Path(file).write_text(text, encoding="utf-8")
        except OSError as error:
            message = f"{file} cannot be written: {error.strerror}"
            raise fail(CANNOT_WRITE, message, help="choose another file") from None
