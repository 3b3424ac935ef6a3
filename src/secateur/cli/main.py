"""The entry point: find the command, run it, and turn whatever happens into an exit code."""

from __future__ import annotations

import argparse
import os
import re
import sys
import traceback
from collections.abc import Sequence
from typing import Final, NoReturn

from secateur.cli.codes import INTERNAL, USAGE
from secateur.cli.commands import COMMANDS, Command, CommandRow
from secateur.cli.exit import ExitCode
from secateur.cli.output import complain, emit, prepare_streams, style_for
from secateur.report.diagnostics import render_diagnostics
from secateur.report.envelope import to_text
from secateur.report.errors import errors_to_json
from secateur.source import Diagnostic, InputError, fail
from secateur.version import __version__

_OPTION: Final = re.compile(r"--?[A-Za-z][\w-]*(=.*)?|--", re.DOTALL)
_REPORT: Final = (
    "This is a mistake in secateur, not in your model.\n"
    "Please report it, with the lines above and the model if you can share it."
)


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints look like all others."""

    def error(self, message: str) -> NoReturn:
        """Refuse the command line."""
        raise fail(USAGE, message, help=f"try `{self.prog} --help`")


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
        _show_interruption(words)
        os._exit(ExitCode.INCOMPLETE)  # a computation that cannot be interrupted may still run
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
    parser, command = _parser(row)
    args = parser.parse_args(list(map(_shielded, words)))
    if command is None:
        raise fail(USAGE, "no command was given", help="try `secateur --help`")
    return command.run(args)


def _shielded(word: str) -> str:
    """Return a word such as `-(1 + 2)` so that argparse does not take it for an option."""
    return f" {word}" if word.startswith("-") and not _OPTION.fullmatch(word) else word


def _parser(chosen: CommandRow | None) -> tuple[argparse.ArgumentParser, Command | None]:
    """Return a parser that knows every command by name and the chosen one in full."""
    parser = _Parser(prog="secateur", description="Check B models, and prune while checking.")
    parser.add_argument("--version", action="version", version=f"secateur {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser)
    command: Command | None = None
    for row in COMMANDS:
        subparser = commands.add_parser(row.name, help=row.help, description=row.help)
        if row is chosen:
            command = row.load()
            command.configure(subparser)
    return parser, command


def _show_interruption(words: Sequence[str]) -> None:
    if "--json" in words:
        reasons = ["interrupted by the user"]
        emit(to_text(words[0], {"verdict": "incomplete", "exhaustive": False, "reasons": reasons}))
    else:
        complain("interrupted before there was a result")


def _show_errors(words: Sequence[str], diagnostics: Sequence[Diagnostic]) -> None:
    if "--json" in words:
        emit(to_text(words[0], errors_to_json(diagnostics)))
    else:
        complain(render_diagnostics(diagnostics, style_for(sys.stderr)))
