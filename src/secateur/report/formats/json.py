"""The object that `--json` prints, in a file."""

from __future__ import annotations

import json
from typing import Final

from secateur.report.formats.protocol import Evidence, FormatRow, Subject


def _write(evidence: Evidence) -> str:
    return json.dumps(evidence.report(), indent=2) + "\n"


JSON: Final = FormatRow("json", "the object that --json prints", (".json",), Subject.REPORT, _write)
