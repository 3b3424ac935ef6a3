"""`--count`: all states are gone through, and nothing is checked."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, Final

from secateur.cli.codes import USAGE
from secateur.cli.files import Output
from secateur.engine.pruning import AUTO
from secateur.report.errors import Json
from secateur.report.formats.protocol import Subject
from secateur.source import fail

COUNTING: Final[dict[str, Any]] = {
    **dict.fromkeys(("deadlock", "invariant", "assertions", "goal"), False),
    **dict.fromkeys(("refinement", "variant"), False),
    "scope": False,
    "all": True,
    "stop_at": None,
    "por": "none",
    "symmetry": "none",
    "ltl": (),
    "ctl": (),
}
"""What makes a check go through all states, each for itself."""

_COUNTED: Final = "counted"

_NOT_WHEN_COUNTING: Final = (
    *("ltl", "ctl", "goal", "scope", "stop_at", "all", "coverage", "shorten", "untangle"),
    *("certificate", "audit", "expect", "baseline", "update_baseline"),
)


def refuse_beside_counting(args: argparse.Namespace, outputs: Sequence[Output]) -> None:
    """Raise InputError for options that make no sense where all states are counted.

    Among them are gates and files about a verdict: there is none.
    """
    given = [f"--{name.replace('_', '-')}" for name in _NOT_WHEN_COUNTING if getattr(args, name)]
    given += [
        f"--{name}" for name in ("por", "symmetry") if getattr(args, name) not in (AUTO, "none")
    ]
    given += [f"-o {o.row.name}:{o.path}" for o in outputs if o.row.about is not Subject.REPORT]
    if given:
        message = (
            f"--count goes through all states and checks nothing: {given[0]} has no place there"
        )
        raise fail(USAGE, message, help=f"leave out --count or {given[0]}")


def counted(report: Json) -> Json:
    """Return a report that does not say `holds`, since nobody asked whether anything does."""
    verdict = report["verdict"]
    return {**report, "verdict": _COUNTED if verdict == "holds" else verdict}
