"""Where a project's files are: a directory or an archive, seen the same way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from secateur.source import fail
from secateur.source.codes import UNREADABLE
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Folder:
    """Names of files, without their folder, and how to read one."""

    label: str
    """How messages call it: a path, or `model.zip!/project`."""
    names: Sequence[str]
    read: Callable[[str], bytes]
    modified: Callable[[str], float]
    """When a file was last written, in seconds; what matters is which of two is newer."""

    def shown(self, name: str) -> str:
        """Return how messages call a file in it."""
        return f"{self.label}/{name}" if self.label else name


def directory(path: Path) -> Folder:
    """Return a directory of the file system."""
    names = sorted(p.name for p in path.iterdir() if p.is_file())

    def read(name: str) -> bytes:
        try:
            return (path / name).read_bytes()
        except OSError as error:
            raise fail(UNREADABLE, f"'{path / name}' cannot be read: {error.strerror}") from error

    def modified(name: str) -> float:
        return (path / name).stat().st_mtime

    return Folder(str(path) if str(path) != "." else "", names, read, modified)
