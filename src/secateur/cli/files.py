"""`-o FILE`: results and traces in files of many formats, beside what is printed."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from secateur.app.deep import run_deep
from secateur.cli.codes import CANNOT_WRITE_FILE, UNKNOWN_FORMAT
from secateur.cli.output import complain
from secateur.report.formats.protocol import Evidence, FormatRow, Subject
from secateur.report.formats.registry import FORMATS, format_named, format_of
from secateur.source import InputError, fail


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
    for number, each in enumerate(found):
        _refuse_unwritable(each.path)
        if any(each.path == other.path for other in found[:number]):
            raise fail(CANNOT_WRITE_FILE, f"'{each.path}' is to be written twice")
    return found


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


def _refuse_unwritable(path: Path) -> None:
    def refused(why: str) -> InputError:
        return fail(CANNOT_WRITE_FILE, f"{str(path)!r} cannot be written: {why}")

    folder = path.parent
    there = True
    try:
        if not folder.is_dir():
            raise refused(f"there is no folder {str(folder)!r}")
        path.stat()
    except FileNotFoundError:
        there = False
    except (OSError, ValueError) as error:  # a name that is too long, or has a NUL in it
        raise refused(str(error)) from None
    if path.is_dir():
        raise refused("it is a directory")
    if not os.access(path if there else folder, os.W_OK):
        raise refused("there is no permission")


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
        try:
            path.write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            complain(f"error[{CANNOT_WRITE_FILE}]: '{path}' cannot be written: {error.strerror}")
            return False
        written += 1
        if not quiet:
            complain(f"wrote {path} ({output.row.name})")
    if not written:
        complain(
            f"nothing was written to {output.path}: there is no trace that {output.row.name} could tell"
        )
    return True
