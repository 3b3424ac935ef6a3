"""Complaints about the user's input."""

from __future__ import annotations

from collections.abc import Sequence

from secateur.source.records import dataclass
from secateur.source.text import Span


@dataclass(frozen=True, slots=True)
class Code:
    """A stable error code, `SEC101` for example, with a page in docs/errors/."""

    number: int
    title: str

    def __str__(self) -> str:
        return f"SEC{self.number:03d}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One complaint about the user's input."""

    code: Code
    message: str
    span: Span | None = None
    help: str | None = None


class InputError(Exception):
    """The user's input is at fault: shown without a traceback, exit code 2."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("; ".join(d.message for d in diagnostics))
        self.diagnostics: Sequence[Diagnostic] = diagnostics


def fail(code: Code, message: str, span: Span | None = None, help: str | None = None) -> InputError:
    """Return the error to raise for a single complaint."""
    return InputError(Diagnostic(code, message, span, help))
