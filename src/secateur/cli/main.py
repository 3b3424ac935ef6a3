"""The entry point: find the command, run it, and turn whatever happens into an exit code."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from typing import Final

from secateur.cli.annotate import annotate_errors
from secateur.cli.codes import INTERNAL, USAGE
from secateur.cli.commands import COMMANDS, Command, CommandRow
from secateur.cli.exit import ExitCode
from secateur.cli.output import complain, emit, prepare_streams, style_for
from secateur.cli.parser import Parser, misspelt, parse
from secateur.engine.limits import INTERRUPTED_BY_USER, Unfinished
from secateur.report.diagnostics import render_diagnostics
from secateur.report.envelope import to_text
from secateur.report.errors import errors_to_json
from secateur.source import Diagnostic, InputError, fail
from secateur.version import __version__

_REPORT: Final = (
    "This is a mistake in secateur, not in your model.\n"
    "Please report it, with the lines above and the model if you can share it."
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that `argv` asks for and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    prepare_streams()
    try:
        return _run(words)
    except InputError as error:
        _show_errors(words, error.diagnostics)
        return ExitCode.BAD_INPUT
    except KeyboardInterrupt:
        if not _show_no_result(words, INTERRUPTED_BY_USER):
            complain("interrupted before there was a result")
        os._exit(ExitCode.INCOMPLETE)  # a computation that cannot be interrupted may still run
    except Unfinished as late:
        if not _show_no_result(words, late.reason):
            emit(f"incomplete: {late.reason} before there was anything to tell")
        return ExitCode.INCOMPLETE
    except Exception:  # noqa: BLE001 - the last resort: ours, and reported as such
        complain(traceback.format_exc() + _REPORT)
        if "--json" in words:
            _show_errors(words, [Diagnostic(INTERNAL, "an internal error; see stderr")])
        return ExitCode.OUR_FAULT


def _run(words: list[str]) -> ExitCode:
    if not words:
        complain(_parser(None)[0].format_help())
        return ExitCode.BAD_INPUT
    row = next((r for r in COMMANDS if r.name == words[0]), None)
    if row is None and not words[0].startswith("-"):
        names = [r.name for r in COMMANDS]
        hint = misspelt(words[0], names, "try `secateur --help`")
        raise fail(USAGE, f"there is no command {words[0]}", help=hint)
    parser, chosen, command = _parser(row)
    args = parse(parser, chosen, words)
    args.words = ("secateur", *words)
    if command is None:
        raise fail(USAGE, "no command was given", help="try `secateur --help`")
    return command.run(args)


def _parser(row: CommandRow | None) -> tuple[Parser, Parser, Command | None]:
    """Return a parser that knows every command by name, and that of `row`, which is known in full."""
    parser = Parser(prog="secateur", description="Check B models, and prune while checking.")
    parser.add_argument("--version", action="version", version=f"secateur {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)
    chosen, command = parser, None
    for each in COMMANDS:
        subparser = commands.add_parser(each.name, help=each.help, description=each.help)
        if each is row:
            chosen, command = subparser, each.load()
            command.configure(subparser)
    return parser, chosen, command


def _show_no_result(words: Sequence[str], reason: str) -> bool:
    """Show the result of a run that came to nothing, if that is to be JSON; say whether it is."""
    if "--json" in words:
        found = {"verdict": "incomplete", "exhaustive": False, "reasons": [reason]}
        emit(to_text(words[0], found))
    return "--json" in words


def _show_errors(words: Sequence[str], diagnostics: Sequence[Diagnostic]) -> None:
    if "--json" in words:
        emit(to_text(words[0], errors_to_json(diagnostics)))
    else:
        complain(render_diagnostics(diagnostics, style_for(sys.stderr)))
    annotate_errors(words, diagnostics)
