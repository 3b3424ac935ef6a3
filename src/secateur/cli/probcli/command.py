"""`secateur probcli`: do what the flags ask for, in probcli's order."""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Sequence
from typing import Final

from secateur.app.deep import run_deep
from secateur.app.load import Options, load
from secateur.app.model import Model
from secateur.cli.codes import BAD_FLAG_ARGUMENT
from secateur.cli.exit import ExitCode
from secateur.cli.output import complain, emit
from secateur.cli.probcli.asking import check_assertions, check_goal, check_properties, evaluate
from secateur.cli.probcli.drawing import draw, refuse_unknown_graphs, replay_traces
from secateur.cli.probcli.formulas import check_formulas
from secateur.cli.probcli.groups import preferences_of
from secateur.cli.probcli.help import help_text
from secateur.cli.probcli.ledger import Ledger
from secateur.cli.probcli.outputs import (
    compare_counts,
    describe_model,
    refuse_unknown_kinds,
    show_coverage,
    show_statistics,
    write_path,
)
from secateur.cli.probcli.request import Request, understand
from secateur.cli.probcli.searching import model_check, refuse_unknown_mode
from secateur.cli.probcli.session import Session
from secateur.cli.probcli.walking import animate, execute, initialise
from secateur.report.diagnostics import render_diagnostics
from secateur.source import InputError, fail
from secateur.version import __version__

_READING: Final = range(100)
_TYPING: Final = range(130, 160)
"""The error codes that are about files, and about types."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare that all words are ours: probcli's flags are no options as argparse knows them."""
    parser.prefix_chars = "\0"  # so that it takes none of them for one of its own
    parser.add_argument("given", nargs=argparse.REMAINDER)


def run(args: argparse.Namespace) -> ExitCode:
    """Do all that is asked for with each file; the worst exit code counts."""
    words = [word.removeprefix(" ") for word in args.given]  # see _shielded in cli/parser.py
    request = understand(words)
    if request.has("help") or not words:
        emit(help_text())
        return ExitCode.HOLDS
    if request.has("version", "svers"):
        python = "" if request.has("svers") else f" (Python {platform.python_version()})"
        emit(f"VERSION secateur {__version__}{python}")
        return ExitCode.HOLDS
    if not request.files:
        raise fail(
            BAD_FLAG_ARGUMENT, "there is no file to read", help="secateur probcli M.mch -mc 100"
        )
    refuse_unknown_mode(request)
    codes: list[ExitCode] = []
    for number, file in enumerate(request.files, 1):
        if len(request.files) > 1:
            emit(f"\n\n% Processing file {number}/{len(request.files)}: {file}")
        codes.append(_process(file, request))
    return _worst(codes)


def _worst(codes: Sequence[ExitCode]) -> ExitCode:
    order = (ExitCode.BAD_INPUT, ExitCode.VIOLATED, ExitCode.INCOMPLETE)
    return next((code for code in order if code in codes), ExitCode.HOLDS)


def _process(file: str, request: Request) -> ExitCode:
    ledger = Ledger([kind for (kind,) in request.all("expcterr")])
    model = _loaded(file, request, ledger)
    if model is not None:
        session = Session.of(file, model, request, ledger)
        _tell_notes(model, request)
        run_deep(lambda _: _act(session))  # values may be nested deeply
    code, said = ledger.close()
    if said:
        emit("\n".join(said))
    return code


def _loaded(file: str, request: Request, ledger: Ledger) -> Model | None:
    """Return the model; None if there is none, which may be what was expected."""
    options: Options = {
        "preferences": preferences_of(request),
        "set_sizes": {name: int(number) for name, number in request.all("card")},
    }
    try:
        return load(file, **options)
    except InputError as error:
        complain(render_diagnostics(error.diagnostics))
        ledger.error(_kind(error, ledger), code=ExitCode.BAD_INPUT)
        return None


def _kind(error: InputError, ledger: Ledger) -> str:
    """Return probcli's word for what is wrong with a file: of two that it has, the expected one."""
    numbers = [d.code.number for d in error.diagnostics]
    kind = "type_error" if any(n in _TYPING for n in numbers) else "parse_error"
    missing = all(n in _READING for n in numbers)
    expected = ledger.expects("load_main_file") and not ledger.expects(kind)
    return "load_main_file" if missing or expected else kind


def _tell_notes(model: Model, request: Request) -> None:
    """Say on stderr what was assumed; that formulas are for -ltlassertions need not be said."""
    if not request.has("silent"):
        for note in (*model.typed.assumptions, *model.typed.notes):
            if request.has("v") or not note.startswith("definition ASSERT_"):
                complain(f"% {note}")


def _act(session: Session) -> None:
    request = session.request
    started = time.monotonic()
    refuse_unknown_kinds(session)
    refuse_unknown_graphs(session)
    describe_model(session)
    if request.has("init", "eval", "eval_file"):
        initialise(session)
    if request.has("trace_replay"):
        replay_traces(session)
    if request.has("properties"):
        check_properties(session)
    if request.has("assertions", "main_assertions"):
        check_assertions(session)
    if request.has("mc", "model_check"):
        model_check(session)
    if request.has("animate", "animate_all"):
        animate(session)
    if request.has("execute", "execute_all"):
        execute(session)
    if request.has("check_goal"):
        check_goal(session)
    evaluate(session)
    check_formulas(session)
    compare_counts(session)
    show_coverage(session)
    write_path(session)
    draw(session)
    show_statistics(session, time.monotonic() - started)
