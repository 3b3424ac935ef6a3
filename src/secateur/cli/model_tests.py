"""Models as tests: what a model is expected to do, from its comments or from the project."""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, Final

from secateur.cli import ltl
from secateur.cli.exit import ExitCode
from secateur.cli.main import main
from secateur.cli.parser import Parser, by_option
from secateur.source import InputError
from secateur.source.read import read_source
from secateur.source.records import dataclass

_DIRECTIVE: Final = re.compile(
    r"\bsecateur:[ \t]*(?:(?P<command>check|ltl)\b[ \t]*)?(?P<word>expect|options|skip)?\b[ \t]*"
    r"(?P<rest>[^\n]*?)[ \t]*(?=\*/|-->|\"[ \t]*/?[>\w]|\n|\Z)"
)
"""`secateur: expect violated:inv3` in a comment, `secateur: ltl options --por none`, ..."""

_FORMULAS: Final = ("--ltl", "--ctl")
_KEYS: Final = frozenset({"expect", "options", "skip"})


@dataclass(frozen=True, slots=True)
class Plan:
    """A command, the model, and what is said of it; `skip` is a reason not to run it."""

    command: str
    path: Path
    expect: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    skip: str | None = None

    @property
    def words(self) -> list[str]:
        """The command line."""
        expected = [word for each in self.expect for word in ("--expect", each)]
        return [self.command, str(self.path), *self.options, *expected]


def plans_of(path: Path, settings: Mapping[str, Any], told: Mapping[str, Any]) -> list[Plan]:
    """Return what is to be run for a model: `check`, and `ltl` if anything is said of that.

    What [tool.secateur.models] tells goes before comments.  Raise ValueError for what is not
    understood.
    """
    comments = _comments(path)
    common = _words(settings.get("options", ()))
    unknown = told.keys() - _KEYS - {"ltl"}
    if unknown:
        raise ValueError(
            f"pyproject.toml says {', '.join(sorted(unknown))} of it; known are "
            f"{', '.join(sorted(_KEYS))} and ltl"
        )
    plans = [_plan("check", path, comments.get("check", {}), told, common)]
    formulas = told.get("ltl", {})
    if formulas or "ltl" in comments:
        said = formulas if isinstance(formulas, Mapping) else {}
        plans.append(_plan("ltl", path, comments.get("ltl", {}), said, _for_formulas(common)))
    return plans


def _for_formulas(common: Sequence[str]) -> tuple[str, ...]:
    """Return the options that `ltl` has as well; those that give formulas are no common ones."""
    parser = Parser(prog="secateur ltl")
    ltl.configure(parser)
    return tuple(
        word
        for group in by_option(common)
        if group[0].partition("=")[0] not in _FORMULAS and parser.understands(group)
        for word in group
    )


def _plan(
    command: str,
    path: Path,
    comments: Mapping[str, list[str]],
    told: Mapping[str, Any],
    common: tuple[str, ...],
) -> Plan:
    expect = told.get("expect", comments.get("expect", ()))
    given = told.get("options")
    options = _words(given) if given is not None else _words(" ".join(comments.get("options", ())))
    skip = told.get("skip", comments["skip"][0] if "skip" in comments else None)
    skip = ("" if skip else None) if isinstance(skip, bool) else skip
    expected = (expect,) if isinstance(expect, str) else tuple(expect)
    return Plan(command, path, expected, (*common, *options), skip)


def _words(options: Any) -> tuple[str, ...]:
    return tuple(shlex.split(options)) if isinstance(options, str) else tuple(map(str, options))


def _comments(path: Path) -> dict[str, dict[str, list[str]]]:
    """Return what the text of a model says of each command; an archive has no text."""
    try:
        text = read_source(path).text
    except InputError:
        return {}
    found: dict[str, dict[str, list[str]]] = {}
    for match in _DIRECTIVE.finditer(text):
        said = found.setdefault(match["command"] or "check", {})
        if match["word"] is not None:
            said.setdefault(match["word"], []).append(match["rest"])
        elif match["rest"] or match["command"] is None:
            line = text.count("\n", 0, match.start()) + 1
            raise ValueError(
                f"line {line}: 'secateur: {match['rest']}' is not understood; write "
                "secateur: [check|ltl] expect|options|skip ..."
            )
    return found


def failure_of(plan: Plan) -> str | None:
    """Run the command; return what it printed if it did not end as expected, else None."""
    printed, complaints = io.StringIO(), io.StringIO()
    with redirect_stdout(printed), redirect_stderr(complaints):
        code = main(plan.words)
    if code == ExitCode.HOLDS:
        return None
    said = [complaints.getvalue().strip(), printed.getvalue().strip()]
    shown = "\n\n".join(part for part in said if part)
    head = f"{ExitCode(code).name.lower().replace('_', ' ')} (exit code {int(code)})"
    return f"{head}: secateur {shlex.join(plan.words)}\n\n{shown}"
