"""Answers of the solver that took long, kept from one run to the next.

A file for each answer, named after all that the question depends on.  It is written under
another name first, so that nobody reads half of one, and what cannot be read, or does not
match its own digest, is not there.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any, Final

from secateur.source.records import dataclass

_WORTH_KEEPING: Final = 0.05
"""What took less time, in seconds, is found out again."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer: whether there is a witness, one, and what could be spent on it.

    `yes` is None if it was not enough.
    """

    yes: bool | None
    witness: int | None
    ticks: int


class Cache:
    """A folder of answers."""

    def __init__(self, folder: Path, worth: float = _WORTH_KEEPING) -> None:
        self._folder = folder
        self._worth = worth

    @staticmethod
    def key(*parts: object) -> str:
        """Return a name for all that a question depends on."""
        digest = hashlib.sha256()
        for part in parts:
            digest.update(repr(part).encode())
            digest.update(b"\0")
        return digest.hexdigest()

    def get(self, key: str, ticks: int) -> Kept | None:
        """Return the answer to a question, if it was asked before and no more can be spent now."""
        try:
            text = self._path(key).read_text(encoding="ascii")
            record = json.loads(text)
            kept = _from_json(record, key)
        except (OSError, ValueError):
            return None
        if kept is None or (kept.yes is None and ticks > kept.ticks):
            return None
        return kept

    def put(self, key: str, kept: Kept, seconds: float) -> None:
        """Keep an answer that took so long; where that cannot be done, it is not."""
        if seconds < self._worth:
            return
        path = self._path(key)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent)
            try:
                with os.fdopen(handle, "w", encoding="ascii") as file:
                    file.write(json.dumps(_to_json(kept, key)))
                Path(name).replace(path)
            except OSError:
                Path(name).unlink(missing_ok=True)
                raise

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key[2:]}.json"

    @staticmethod
    @contextmanager
    def clock() -> Iterator[Callable[[], float]]:
        """Give a way to ask how long something took."""
        begun = monotonic()
        yield lambda: monotonic() - begun


def usual_folder() -> Path:
    """Return the folder for answers in the user's cache."""
    base = os.environ.get("XDG_CACHE_HOME")
    home = Path(base) if base and Path(base).is_absolute() else Path.home() / ".cache"
    return home / "secateur" / "relations"


def _to_json(kept: Kept, key: str) -> dict[str, Any]:
    witness = None if kept.witness is None else hex(kept.witness)
    content = [kept.yes, witness, kept.ticks]
    return {"answer": content, "digest": Cache.key(key, *content)}


def _from_json(record: Any, key: str) -> Kept | None:
    match record:
        case {"answer": [yes, witness, int(ticks)], "digest": str(digest)}:
            if digest != Cache.key(key, yes, witness, ticks):
                return None
            return Kept(yes, None if witness is None else int(witness, 16), ticks)
    return None
