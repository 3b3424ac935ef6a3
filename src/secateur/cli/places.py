"""Files that are to be written: whether that can be, found out before any work, and doing it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from pathlib import Path

from secateur.cli.codes import CANNOT_WRITE_FILE
from secateur.source import InputError, fail
from secateur.source.text import readable


def refuse_unwritable(path: Path) -> None:
    """Raise InputError if a file cannot be written, as far as that can be known."""
    folder = path.parent
    there = True
    try:
        if not folder.is_dir():
            raise _refused(path, f"there is no folder {str(folder)!r}")
        path.stat()
    except FileNotFoundError:
        there = False
    except (OSError, ValueError) as error:  # a name that is too long, or has a NUL in it
        raise _refused(path, str(error)) from None
    if path.is_dir():
        raise _refused(path, "it is a directory")
    if not os.access(path if there else folder, os.W_OK):
        raise _refused(path, "there is no permission")


def refuse_clashes(written: Iterable[Path], read: Iterable[Path]) -> None:
    """Raise InputError if a file is to be written twice, or is one that is read."""
    sources = {_real(path): path for path in read}
    known: set[str] = set()
    for path in written:
        real = _real(path)
        if real in sources:
            why = f"it is the file that is read, '{sources[real]}'"
            raise _refused(path, why, "write to another file")
        if real in known:
            raise fail(CANNOT_WRITE_FILE, f"'{path}' is to be written twice")
        known.add(real)


def files_read(args: argparse.Namespace) -> list[Path]:
    """Return the files that a command reads: nothing may be written there."""
    found = [args.model, getattr(args, "trace", None), *getattr(args, "file", ())]
    if not getattr(args, "update_baseline", False):
        found.append(getattr(args, "baseline", None))
    return [path for path in found if isinstance(path, Path)]


def same_place(one: Path, other: Path) -> bool:
    """Whether two paths are of one file."""
    return _real(one) == _real(other)


def written_to(path: Path, text: str) -> str | None:
    """Write a file; return why that could not be done, or None."""
    try:
        path.write_text(readable(text), encoding="utf-8", newline="\n")
    except OSError as error:
        return error.strerror or str(error)
    return None


def save(path: Path, text: str) -> None:
    """Write a file; raise InputError if that cannot be done."""
    why = written_to(path, text)
    if why is not None:
        raise _refused(path, why)


def _refused(path: Path, why: str, hint: str | None = None) -> InputError:
    return fail(CANNOT_WRITE_FILE, f"{str(path)!r} cannot be written: {why}", help=hint)


def _real(path: Path) -> str:
    try:
        return os.path.normcase(os.path.realpath(path))
    except (OSError, ValueError):  # not a path at all, which others complain of
        return str(path)
