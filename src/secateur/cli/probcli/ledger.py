"""The errors and warnings of a run, told on stderr as probcli tells them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Final

from secateur.cli.exit import ExitCode
from secateur.cli.output import complain
from secateur.source.records import dataclass

MODEL_CHECKING: Final = frozenset(
    {
        "deadlock",
        "invariant_violation",
        "assertion_violation",
        "goal_found",
        "well_definedness_error",
        "refinement_violation",
        "variant_violation",
    }
)
"""The errors that -mc finds; `-expcterr mc` is any of them."""

_GENERAL: Final = {
    "mc": MODEL_CHECKING,
    "ltl": frozenset({"ltl", "ltl_counterexample"}),
    "cbc": frozenset[str](),
}

_WORST: Final = (ExitCode.BAD_INPUT, ExitCode.VIOLATED, ExitCode.INCOMPLETE)


@dataclass(slots=True)
class Ledger:
    """What went wrong, by probcli's words for it, and what was expected to."""

    expected: Sequence[str] = ()
    _seen: dict[str, ExitCode] = field(default_factory=dict)
    _warnings: dict[str, None] = field(default_factory=dict)

    def error(self, kind: str, *lines: str, code: ExitCode = ExitCode.VIOLATED) -> None:
        """Note an error, and tell it."""
        self._seen.setdefault(kind, code)
        if lines:
            _told(f"An error occurred (source: {kind}) !", *lines)

    def warning(self, kind: str, *lines: str) -> None:
        """Note why something is not known, and tell it."""
        self._warnings[kind] = None
        self._seen.setdefault(kind, ExitCode.INCOMPLETE)
        _told(f"A warning occurred (source: {kind}) !", *lines)

    def has(self, kind: str) -> bool:
        """Whether an error of this kind (or of one that it comprises) was seen."""
        return not self._meant(kind).isdisjoint(self._seen)

    def expects(self, kind: str) -> bool:
        """Whether an error of this kind is expected."""
        return any(kind in self._meant(expected) for expected in self.expected)

    def _meant(self, kind: str) -> frozenset[str]:
        return _GENERAL.get(kind, frozenset({kind}))

    def close(self) -> tuple[ExitCode, list[str]]:
        """Tell the sum; return the exit code, and what is to be said of expectations on stdout."""
        meant: frozenset[str] = frozenset().union(*map(self._meant, self.expected))
        unexpected = {k: code for k, code in self._seen.items() if k not in meant}
        self._sum_up(unexpected)
        missing = [kind for kind in self.expected if not self.has(kind)]
        said = [f"*** Expected Error of following type to occur: {kind}" for kind in missing]
        if missing:
            said.append("*** Some expected errors did NOT occur !")
        elif self.expected:
            said.append("All expected errors occurred.")
        codes = {*unexpected.values(), *(ExitCode.VIOLATED for _ in missing)}
        return next((code for code in _WORST if code in codes), ExitCode.HOLDS), said

    def _sum_up(self, unexpected: Iterable[str]) -> None:
        kinds = list(unexpected)
        if not kinds:
            return
        lines: list[str] = []
        for kind in kinds:
            word = "warning" if kind in self._warnings else "error"
            lines += [f"*** {word} occurred ***", kind]
        warnings = sum(kind in self._warnings for kind in kinds)
        _told(*lines, f"Total Errors: {len(kinds) - warnings}, Warnings:{warnings}")


def _told(*lines: str) -> None:
    complain("\n".join(f"! {part}" for line in lines for part in line.splitlines() or [""]))
