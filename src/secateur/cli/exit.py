"""Exit codes: a contract with scripts."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What the process says when it ends."""

    HOLDS = 0
    VIOLATED = 1
    BAD_INPUT = 2
    INCOMPLETE = 3
    OUR_FAULT = 4
