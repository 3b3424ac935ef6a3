"""All commands.  Adding one: its file, and a line here.

A command's module is imported when the command is used: `secateur version` should not
wait for the parser of a language.
"""

from __future__ import annotations

import argparse
import importlib
from typing import Final, Protocol, cast

from secateur.cli.exit import ExitCode
from secateur.source.records import dataclass


class Command(Protocol):
    """What a command's module offers."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Declare the arguments."""

    def run(self, args: argparse.Namespace) -> ExitCode:
        """Do it, print what there is to say, and return what it means."""


@dataclass(frozen=True, slots=True)
class CommandRow:
    """A command by name, with the sentence that `--help` shows."""

    name: str
    help: str
    module: str

    def load(self) -> Command:
        """Import the command."""
        return cast(Command, importlib.import_module(self.module))


COMMANDS: Final[tuple[CommandRow, ...]] = (
    CommandRow("audit", "re-validate the certificate of a reduced search", "secateur.cli.audit"),
    CommandRow("check", "look for errors in every reachable state", "secateur.cli.check"),
    CommandRow("eval", "evaluate an expression or a predicate", "secateur.cli.eval"),
    CommandRow("events", "show how events are related", "secateur.cli.events"),
    CommandRow("graph", "draw or export states, events or a state", "secateur.cli.graph"),
    CommandRow("info", "show what a model consists of", "secateur.cli.info"),
    CommandRow("ltl", "check temporal formulas (LTL, CTL)", "secateur.cli.ltl"),
    CommandRow("probcli", "take the flags of ProB's command line", "secateur.cli.probcli.command"),
    CommandRow("refine", "check that a component refines another one", "secateur.cli.refine"),
    CommandRow("replay", "execute a recorded trace on a model again", "secateur.cli.replay"),
    CommandRow("step", "walk through a model by hand", "secateur.cli.step"),
    CommandRow("version", "show the version", "secateur.cli.version"),
)
