"""What turns a run into a gate: expectations, a baseline, annotations."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from secateur.cli.annotate import GITHUB, NONE, VARIABLE, is_annotated
from secateur.cli.codes import BAD_BASELINE, NO_BASELINE, USAGE
from secateur.cli.exit import ExitCode
from secateur.cli.output import complain
from secateur.cli.places import save
from secateur.report.annotations import (
    of_formula,
    of_gate,
    of_reasons,
    of_violation,
)
from secateur.report.baseline import differences, outdated, summary
from secateur.report.envelope import to_text
from secateur.report.errors import Json
from secateur.report.expectation import (
    Expectation,
    Outcome,
    outcome_of_check,
    outcome_of_formulas,
    parse_expectation,
    why_unexpected,
)
from secateur.source import fail
from secateur.source.read import read_source
from secateur.source.records import dataclass
from secateur.system.result import Result
from secateur.system.temporal import TemporalResult


def add_expectation(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Declare what `check` and `ltl` share; return where more can be said."""
    group = parser.add_argument_group("gates (see docs/ci.md)")
    group.add_argument(
        "--expect",
        type=_expectation,
        action="append",
        default=[],
        metavar="OUTCOME",
        help="exit with 0 if, and only if, the outcome is this one, else with 1: holds, incomplete, "
        "violated, violated:NAME, violated:KIND (invariant, deadlock, ..., ltl); may be repeated "
        "for several violations, then all of them and no others",
    )
    group.add_argument(
        "--annotations",
        choices=[GITHUB, NONE],
        help="print findings on stderr as GitHub's runner shows them beside the lines; "
        f"the default is github where {VARIABLE}=true",
    )
    return group


def add_baseline(group: argparse._ArgumentGroup) -> None:
    """Declare what only `check` has."""
    group.add_argument(
        "--baseline",
        type=Path,
        metavar="FILE",
        help="compare verdict, properties, states, transitions and coverage with FILE, which --update-baseline "
        "or --json has written; exit with 1 if anything differs",
    )
    group.add_argument(
        "--update-baseline", action="store_true", help="write the file of --baseline"
    )


def _expectation(text: str) -> Expectation:
    try:
        return parse_expectation(text)
    except ValueError:
        message = f"'{text}' is none of holds, violated, violated:NAME, incomplete"
        raise argparse.ArgumentTypeError(message) from None


@dataclass(frozen=True, slots=True)
class _Findings:
    """What annotations are about."""

    model: str
    outcome: Outcome
    told: tuple[str, ...]
    """What is wrong with the model, as annotations."""


def gate_check(
    args: argparse.Namespace,
    result: Result,
    report: Callable[[], Json],
    code: ExitCode,
    baseline: Json | None,
) -> ExitCode:
    """Return the exit code of a check, after what it is to be compared with; say why on stderr."""
    model = str(args.model)
    told = [of_violation(v, model) for v in result.violations]
    told += [of_formula(t, model) for t in result.temporal if not t.errors and not t.holds]
    told += [of_reasons(result.reasons, model)] if result.reasons and not told else []
    findings = _Findings(model, outcome_of_check(result), tuple(told))
    return _gate(args, findings, code, _compared(args, report, baseline))


def gate_formulas(
    args: argparse.Namespace, results: Sequence[TemporalResult], code: ExitCode
) -> ExitCode:
    """Return the exit code of a check of formulas, after what was expected of it."""
    model = str(args.model)
    told = tuple(of_formula(t, model) for t in results if not t.errors and not t.holds)
    return _gate(args, _Findings(model, outcome_of_formulas(results), told), code, ())


def _gate(
    args: argparse.Namespace, found: _Findings, code: ExitCode, changed: Sequence[str]
) -> ExitCode:
    if code in (ExitCode.BAD_INPUT, ExitCode.OUR_FAULT):
        return code
    why: list[str] = []
    if args.expect:
        why += why_unexpected(args.expect, found.outcome)
        code = ExitCode.VIOLATED if why else ExitCode.HOLDS
    if changed:
        code = ExitCode.VIOLATED
        why += [f"differs from the baseline: {line}" for line in changed]
    if why and not args.quiet:
        complain("\n".join(why))
    if code is not ExitCode.HOLDS and is_annotated(args.annotations, quiet=args.quiet):
        met = bool(args.expect) and not why
        complain(
            "\n".join([*(() if met else found.told), *([of_gate(why, found.model)] if why else [])])
        )
    return code


def read_baseline(args: argparse.Namespace) -> Json | None:
    """Return what a check is to be compared with; raise InputError before it begins, not after."""
    file: Path | None = args.baseline
    if args.update_baseline and file is None:
        raise fail(USAGE, "--update-baseline has no file", help="write --baseline FILE, too")
    if file is None or args.update_baseline:
        return None
    before = _read(file)
    if Path(before["model"]).name != args.model.name:
        message = f"the baseline {file} is about {before['model']}, not about {args.model}"
        raise fail(BAD_BASELINE, message, help="each model has a baseline of its own")
    return before


def _compared(
    args: argparse.Namespace, report: Callable[[], Json], baseline: Json | None
) -> list[str]:
    """Return what differs from the baseline; write it instead if that is asked for."""
    if args.baseline is None:
        return []
    now = summary(report())
    if baseline is not None:
        return differences(baseline, now)
    save(args.baseline, to_text("check", now) + "\n")
    return []


def _read(file: Path) -> Json:
    if not file.exists():
        hint = "--update-baseline writes it"
        raise fail(NO_BASELINE, f"there is no baseline {file}", help=hint)
    text = read_source(file).text
    try:
        content: Any = json.loads(text)
        lacking = outdated(content)
        if lacking:
            message = f"the baseline {file} is of an earlier version: it says nothing of {', '.join(lacking)}"
            raise fail(BAD_BASELINE, message, help="--update-baseline writes it anew")
        found = summary(content)
        differences(found, found)  # whether it has all that is compared
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        message = f"{file} is no report of `secateur check --json`: {error!r}"
        raise fail(BAD_BASELINE, message, help="--update-baseline writes it anew") from None
    return found
