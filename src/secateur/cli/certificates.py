"""Options of `secateur check` that let others look over its shoulder: certificates and audits."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any, Final

from secateur.app.model import Model
from secateur.cli.arguments import path
from secateur.cli.codes import CONTRADICTED, USAGE
from secateur.cli.exit import ExitCode
from secateur.cli.output import complain
from secateur.engine.pruning import AUTO
from secateur.report.diagnostics import render_diagnostics
from secateur.report.style import Style
from secateur.report.text import render_result
from secateur.source import Diagnostic, fail
from secateur.system.result import Result
from secateur.system.verdict import Violation

AUDITED_STATES: Final = 100_000
"""So many states are visited in full if nobody says how many."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    group = parser.add_argument_group("evidence for what a reduction leaves out")
    group.add_argument(
        "--certificate",
        type=path,
        metavar="FILE",
        help="write what a reduced search chose in each state, and the facts it relied on, to a FILE "
        "that `secateur audit FILE MODEL` re-validates; compressed if it ends in .gz",
    )
    group.add_argument(
        "--audit",
        type=_states,
        nargs="?",
        const=AUDITED_STATES,
        metavar="N",
        help="visit up to N states in full as well, and compare what both searches say "
        f"({AUDITED_STATES} if N is left out); exit code 4 if they contradict each other",
    )


def _states(text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        message = (
            f"'{text}' is not a number of states (write --audit=N, or --audit behind the model)"
        )
        raise argparse.ArgumentTypeError(message)
    return int(text)


class Contradiction(Exception):
    """A full search says what a reduced one excludes, or the other way round."""

    def __init__(self, message: str, full: Result) -> None:
        super().__init__(message)
        self.full = full


def audited(model: Model, result: Result, options: dict[str, Any], states: int) -> Result:
    """Return a result with a note on what a full search says; raise Contradiction if it differs."""
    full = model.check(**{**options, **_FULL, "max_states": states})
    wrong = contradiction(result, full)
    if wrong is not None:
        raise Contradiction(wrong, full)
    visited = f"{full.statistics.states} states visited in full"
    if full.exhaustive:
        note = f"audit: {visited}, which are all; the verdicts agree"
    else:
        note = f"audit: {visited}, nothing that contradicts the verdict"
    return replace(result, notes=(*result.notes, note))


_FULL: Final[dict[str, Any]] = {
    "por": "none",
    "proviso": AUTO,
    "choice": "smallest",
    "symmetry": "none",
    "engine": "explicit",
    "image": AUTO,
    "diagrams": AUTO,
    "reorder": False,
    "search": "bf",
    "ratio": None,
    "heuristic": AUTO,
    "experiment": False,
    "compress": False,
    "fingerprint": False,
    "certificate": None,
    "ltl": (),
    "ctl": (),
}
"""What makes a check a full one."""


def contradiction(reduced: Result, full: Result) -> str | None:
    """Return what two searches cannot both be right about; None if there is no such thing."""
    said, seen = _names(reduced), _names(full)
    if reduced.exhaustive:
        for kind, name in sorted(seen - said):
            return f"a full search finds a violation that the reduced one excludes: {kind}: {name}"
    if full.exhaustive:
        for kind, name in sorted(said - seen):
            return f"the reduced search finds a violation that is not there: {kind}: {name}"
    return None


def _names(result: Result) -> set[tuple[str, str]]:
    return {_name(violation) for violation in result.violations}


def _name(violation: Violation) -> tuple[str, str]:
    return violation.kind.value, violation.name


def refuse_without_reduction(args: argparse.Namespace) -> None:
    """Raise InputError if an audit has nothing to be compared with."""
    if args.audit is not None and (args.por == "none" or args.count):
        message = "without a reduction a full search beside it would be the same once more"
        raise fail(USAGE, message, help="leave out --audit, or name a reduction")


def show_contradiction(name: str, found: Contradiction) -> ExitCode:
    """Say that something is wrong with us, with the trace that shows it."""
    help_ = "this is a mistake in secateur, not in your model: please report it with the model"
    complain(render_diagnostics([Diagnostic(CONTRADICTED, str(found), help=help_)], Style()))
    complain(render_result(name, found.full, Style()))
    return ExitCode.OUR_FAULT
