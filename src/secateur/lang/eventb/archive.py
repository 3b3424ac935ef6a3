"""Zipped projects.  Nothing is written to disk, and nothing is unpacked beyond its bounds."""

from __future__ import annotations

import zlib
from calendar import timegm
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Final
from zipfile import BadZipFile, ZipFile, ZipInfo

from secateur.lang.eventb.codes import ARCHIVE_TOO_LARGE, BAD_ARCHIVE
from secateur.lang.eventb.folder import Folder
from secateur.source import InputError, fail

MAX_FILES: Final = 100_000
MAX_FILE: Final = 64 * 2**20
MAX_TOTAL: Final = 256 * 2**20
MAX_RATIO: Final = 500
"""No file of text packs better than this; below 1 MiB nobody cares."""


def folders(path: Path, suffixes: Sequence[str]) -> list[Folder]:
    """Return the folders of an archive that have files of interest, with those files only."""
    try:
        with ZipFile(path) as archive:
            return _folders(archive, path, suffixes)
    except (BadZipFile, EOFError, zlib.error, NotImplementedError, RuntimeError) as error:
        raise fail(BAD_ARCHIVE, f"'{path}' is no archive that can be read: {error}") from error
    except OSError as error:
        raise fail(BAD_ARCHIVE, f"'{path}' cannot be read: {error.strerror or error}") from error


def _folders(archive: ZipFile, path: Path, suffixes: Sequence[str]) -> list[Folder]:
    members = archive.infolist()
    if len(members) > MAX_FILES:
        raise _too_large(path, f"it has {len(members)} files")
    wanted = [m for m in members if _is_wanted(PurePosixPath(m.filename), suffixes)]
    if sum(m.file_size for m in wanted) > MAX_TOTAL:
        raise _too_large(path, f"it unpacks to more than {MAX_TOTAL >> 20} MiB")
    contents: dict[str, dict[str, tuple[bytes, float]]] = {}
    for member in wanted:
        place = PurePosixPath(member.filename)
        found = _content(archive, member, path), _modified(member)
        contents.setdefault(str(place.parent), {})[place.name] = found
    return [_folder(path, place, files) for place, files in sorted(contents.items())]


def _folder(path: Path, place: str, files: Mapping[str, tuple[bytes, float]]) -> Folder:
    label = f"{path}!/{place}" if place != "." else f"{path}!"
    return Folder(label, sorted(files), lambda n: files[n][0], lambda n: files[n][1])


def _modified(member: ZipInfo) -> float:
    return float(timegm((*member.date_time, 0, 0, 0)))


def _is_wanted(place: PurePosixPath, suffixes: Sequence[str]) -> bool:
    """Whether a file is of interest; `._M.bum` is what macOS packs beside `M.bum`."""
    return place.suffix.lower() in suffixes and not place.name.startswith("._")


def _content(archive: ZipFile, member: ZipInfo, path: Path) -> bytes:
    if member.file_size > MAX_FILE:
        raise _too_large(path, f"'{member.filename}' has {member.file_size} bytes")
    if member.file_size > 2**20 and member.file_size > MAX_RATIO * max(1, member.compress_size):
        raise _too_large(path, f"'{member.filename}' is packed suspiciously well")
    with archive.open(member) as stream:
        data = stream.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:  # the directory of the archive may say anything
        raise _too_large(path, f"'{member.filename}' is larger than the archive says")
    return data


def _too_large(path: Path, reason: str) -> InputError:
    help_ = "unpack it yourself and name the directory"
    return fail(ARCHIVE_TOO_LARGE, f"'{path}' is refused: {reason}", None, help_)
