"""Certificates whose last or first line says more, less or other than the run has shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Runner
from tools.audit.tamper import lines_of, text_of

COUNTERS = """MACHINE Counters
VARIABLES a, b
INVARIANT a : 0..3 & b : 0..3 & {more}
INITIALISATION a := 0 || b := 0
OPERATIONS
  ia = SELECT a < 3 THEN a := a + 1 END;
  ib = SELECT b < 3 THEN b := b + 1 END
END
"""

WRONG = "not(a = 3 & b = 3)"
OPEN = "!n.(n : NATURAL => n * n * n + a /= 30 * n + 1000003 + b)"

Change = Callable[[dict[str, Any], dict[str, Any]], None]
"""Makes something else of the first line and the end."""


class Certified:
    """A model with the certificate of a run."""

    def __init__(self, secateur: Runner, folder: Path) -> None:
        self.secateur = secateur
        self.model = folder / "Counters.mch"
        self.file = folder / "run.cert"

    def run(self, more: str, *words: str) -> int:
        """Check the counters with one condition more."""
        self.model.write_text(COUNTERS.format(more=more))
        words = (*words, "--quiet", "--certificate", str(self.file))
        return self.secateur("check", str(self.model), "--no-deadlock", *words).code

    def change(self, change: Change) -> None:
        """Change the lines of the certificate."""
        lines = lines_of(self.file.read_text())
        change(lines[0], lines[-1][1])
        self.file.write_text(text_of(lines))

    def audit(self, *words: str) -> tuple[int, str]:
        """Return exit code and what is said."""
        found = self.secateur("audit", str(self.file), str(self.model), *words)
        return found.code, found.out or found.err


@pytest.fixture
def certified(secateur: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Certified:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Certified(secateur, tmp_path)


def _holds(_: dict[str, Any], end: dict[str, Any]) -> None:
    end.update(verdict="holds", exhaustive=True, reasons=[], violations=[])


def test_what_cannot_be_decided_does_not_hold(certified: Certified) -> None:
    assert certified.run(OPEN, "--por", "stubborn") == 3
    code, said = certified.audit()
    assert code == 3
    assert said.startswith("accepted as far as checked: incomplete\n")
    assert "has no bound" in said
    certified.change(_holds)
    code, said = certified.audit()
    assert code == 1
    assert said.startswith("rejected: the run claims to be complete, and here is open: ")


def test_what_cannot_be_decided_is_said(certified: Certified) -> None:
    """The audit finds it by itself, whatever reason the run gave."""
    certified.run(OPEN, "--por", "stubborn")
    certified.change(lambda _, end: end.update(reasons=["no time"]))
    code, said = certified.audit()
    assert code == 3
    assert "not shown: !n." in said
