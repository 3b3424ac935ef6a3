"""`-o FILE`: results and traces in files of many formats, beside what is printed."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from secateur.app.deep import run_deep
from secateur.app.model import Model
from secateur.cli.codes import CANNOT_WRITE_FILE, UNKNOWN_FORMAT
from secateur.cli.output import complain
from secateur.cli.places import (
    files_read,
    refuse_clashes,
    refuse_unwritable,
    same_place,
    written_to,
)
from secateur.report.formats.protocol import Evidence, FormatRow, Subject
from secateur.report.formats.registry import FORMATS, format_named, format_of
from secateur.source import fail
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Output:
    """A file to write, and how."""

    path: Path
    row: FormatRow
    suffix: str
    """What the number of a further trace is put before."""

    def numbered(self, number: int) -> Path:
        """Return the file for the trace of this number, counted from 1: `a-2.itf.json`."""
        if number == 1:
            return self.path
        name = self.path.name
        stem = name[: len(name) - len(self.suffix)]
        return self.path.with_name(f"{stem}-{number}{name[len(stem) :]}")

    def may_number(self, path: Path) -> bool:
        """Whether a path is that of a further trace, if there are so many."""
        if self.row.about is not Subject.TRACE:
            return False
        number = re.search(r"-([1-9]\d*)\Z", path.name[: len(path.name) - len(self.suffix)])
        return (
            number is not None
            and int(number[1]) > 1
            and same_place(self.numbered(int(number[1])), path)
        )


def add_options(
    parser: argparse.ArgumentParser, subjects: Sequence[Subject] = tuple(Subject)
) -> None:
    """Declare `-o`; formats about other subjects are refused."""
    group = parser.add_argument_group("files")
    known = [row for row in FORMATS if row.about in subjects]
    group.add_argument(
        "-o",
        "--output",
        action="append",
        default=[],
        metavar="FILE",
        dest="outputs",
        help="write FILE as well, in the format of its suffix, or FORMAT:FILE; may be repeated. "
        "A further trace goes to a file with -2, -3 ... before the suffix. Formats: "
        + ", ".join(f"{row.name} ({' '.join(row.suffixes)}): {row.title}" for row in known),
    )
    if Subject.VERDICT in subjects:
        group.add_argument(
            "--report",
            action="append",
            dest="outputs",
            type=lambda file: f"html:{file}",
            metavar="FILE.html",
            help="write the whole run as one page that needs nothing else; the same as -o html:FILE",
        )
    parser.set_defaults(output_subjects=tuple(subjects))


def outputs_of(args: argparse.Namespace) -> list[Output]:
    """Return the files that are asked for; raise InputError where that cannot be, before any work."""
    found = [_output(text, args.output_subjects) for text in args.outputs]
    certificate: Path | None = getattr(args, "certificate", None)
    others = [certificate]
    others += [args.baseline] if getattr(args, "update_baseline", False) else []
    paths = [*(each.path for each in found), *(path for path in others if path is not None)]
    for path in paths:
        if path is not certificate:  # which has a complaint of its own
            refuse_unwritable(path)
    refuse_clashes(paths, files_read(args))
    for each in found:
        for path in paths:
            if each.may_number(path):
                message = f"'{path}' is where a further trace of '{each.path}' goes"
                raise fail(CANNOT_WRITE_FILE, message, help="choose another name for one of them")
    return found


def refuse_charts(outputs: Sequence[Output], model: Model) -> None:
    """Raise InputError where processes are to be told of a model that has none."""
    for each in outputs:
        if each.row.processes and not model.typed.processes:
            message = f"{each.row.name} tells what processes do, and {model.name} has none"
            raise fail(UNKNOWN_FORMAT, message, None, "charts are for models in Promela")


def _output(text: str, subjects: Sequence[Subject]) -> Output:
    name, colon, file = text.partition(":")
    named = format_named(name) if colon and file else None
    if named is not None:
        suffixes = [s for s in named.suffixes if file.lower().endswith(s)]
        suffix = suffixes[0] if suffixes else Path(file).suffix
        return Output(Path(file), _meant(named, subjects), suffix)
    recognised = format_of(text)
    if recognised is None:
        raise fail(UNKNOWN_FORMAT, f"no format is known for '{text}'", None, _known(subjects))
    return Output(Path(text), _meant(recognised[0], subjects), recognised[1])


def _meant(row: FormatRow, subjects: Sequence[Subject]) -> FormatRow:
    if row.about not in subjects:
        message = f"{row.name} is about {row.about.value}, of which there is none here"
        raise fail(UNKNOWN_FORMAT, message, None, _known(subjects))
    return row


def _known(subjects: Sequence[Subject]) -> str:
    rows = [row for row in FORMATS if row.about in subjects]
    known = ", ".join(f"{' '.join(row.suffixes)} ({row.name})" for row in rows)
    return f"suffixes that are known: {known}; `-o FORMAT:FILE` names a format"


def write_outputs(
    outputs: Sequence[Output], evidence: Callable[[], Evidence], *, quiet: bool
) -> bool:
    """Write all files and say so on stderr; return whether that could be done.

    The result has been printed before: it must not be lost with a full disk.
    """
    if not outputs:
        return True
    told = evidence()
    done = [_write(each, told, quiet=quiet) for each in outputs]
    return all(done)


def _write(output: Output, evidence: Evidence, *, quiet: bool) -> bool:
    several = output.row.about is Subject.TRACE
    written = 0
    for number in range(len(evidence.stories)) if several else (0,):
        about = evidence.about(number) if several else evidence
        text = run_deep(lambda _, about=about: output.row.write(about))  # type: ignore[misc]
        if text is None:
            continue
        path = output.numbered(written + 1)
        why = written_to(path, text)
        if why is not None:
            complain(f"error[{CANNOT_WRITE_FILE}]: '{path}' cannot be written: {why}")
            return False
        written += 1
        if not quiet:
            complain(f"wrote {path} ({output.row.name})")
    if not written:
        complain(
            f"nothing was written to {output.path}: there is no trace that {output.row.name} could tell"
        )
    if several:
        _warn_of_old(output, written)
    return True


def _warn_of_old(output: Output, written: int) -> None:
    """Say which files are there that an earlier run has written: nobody should take them for new."""
    number = written + 1
    while (path := output.numbered(number)).is_file():
        complain(f"warning: {path} was there before and is not of this run")
        number += 1
