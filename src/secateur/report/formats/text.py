"""What a command prints for people, in a file."""

from __future__ import annotations

from typing import Final

from secateur.report.formats.protocol import Evidence, FormatRow, Subject


def _write(evidence: Evidence) -> str:
    return evidence.text() + "\n"


TEXT: Final = FormatRow("text", "what is printed without --json", (".txt",), Subject.REPORT, _write)
