"""The list of flags that -help prints, and docs/probcli.md has."""

from __future__ import annotations

from collections.abc import Iterable

from secateur.cli.probcli.flags import ACCEPTED, REFUSED, Flag

HEAD = """\
usage: secateur probcli FILE ... [FLAG ...]

The flags, phrases and counts of ProB's command line. The order of flags does not matter; one dash
or two, `_` or `-` within a name are alike; a word that is no flag is a file. Several actions in one
call are done in this order: -properties, -assertions, -mc, -animate, -execute, -check_goal, -eval,
formulas, -cc, coverage, files.

A red result is red: the exit code is 1 if there is a counterexample, a false formula, assertion or
count, or an unexpected error, with or without -strict; 2 if the model or the command line is not
understood; 3 if not everything was looked at; else 0. With -expcterr KIND (deadlock,
invariant_violation, assertion_violation, goal_found, well_definedness_error, mc for any of these,
ltl, ctl, coverage, check_assertions, parse_error, type_error, load_main_file, ...) an error of that
kind is what makes it 0, and none makes it 1.

Nothing is cut short unless a limit is given: MAX_OPERATIONS and MAX_INITIALISATIONS have no effect.
"""


def help_text() -> str:
    """Return all that -help says."""
    accepted = "\n".join(_lines(ACCEPTED))
    refused = "\n".join(_lines(REFUSED))
    return f"{HEAD}\nflags:\n{accepted}\n\nrefused, with what does the job:\n{refused}"


def _lines(flags: Iterable[Flag]) -> list[str]:
    rows = [(usage(flag), flag.instead or flag.does) for flag in flags]
    width = max(len(shown) for shown, _ in rows)
    return [f"  {shown:<{width}}  {said}" for shown, said in rows]


def usage(flag: Flag) -> str:
    """Return `-mc N`, with other names of the flag: `-c, -coverage`."""
    names = ", ".join(f"-{name}" for name in (flag.name, *flag.aliases))
    return " ".join((names, *flag.arguments))
