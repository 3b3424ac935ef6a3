"""`secateur audit`: re-validate the certificate of a reduced search."""

from __future__ import annotations

import argparse
from typing import Final

from secateur.app.certificates.audit_report import audit_to_json, render_audit
from secateur.app.certificates.audited import audit_model
from secateur.audit.audit import BOUND, Outcome
from secateur.cli.arguments import add_output, count, path
from secateur.cli.exit import ExitCode
from secateur.cli.output import emit
from secateur.report.envelope import to_text

_CODES: Final = {
    Outcome.ACCEPTED: ExitCode.HOLDS,
    Outcome.BOUNDED: ExitCode.INCOMPLETE,
    Outcome.REJECTED: ExitCode.VIOLATED,
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "certificate",
        type=path,
        metavar="FILE",
        help="what `secateur check MODEL --certificate FILE` has written",
    )
    parser.add_argument("model", type=path, metavar="MODEL", help="the model that was checked")
    parser.add_argument(
        "--bound",
        type=count,
        default=BOUND,
        metavar="N",
        help="visit at most N states around the recorded ones, and try at most N combinations of "
        f"values for a fact ({BOUND}); what is not shown within it is said, exit code 3",
    )
    add_output(parser)


def run(args: argparse.Namespace) -> ExitCode:
    """Audit, and say what was shown; the exit code says it again."""
    audited = audit_model(args.certificate, args.model, args.bound)
    emit(to_text("audit", audit_to_json(audited)) if args.json else render_audit(audited))
    return _CODES[audited.found.outcome]
