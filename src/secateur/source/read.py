"""Files as they come: any line ends, with or without a byte order mark, UTF-8 or Latin-1."""

from __future__ import annotations

import codecs
from pathlib import Path

from secateur.source.codes import BINARY, IS_A_DIRECTORY, NO_SUCH_FILE, UNREADABLE
from secateur.source.diagnostic import InputError, fail
from secateur.source.text import Source


def read_source(path: str | Path) -> Source:
    """Return the text of a file; raise InputError where there is none."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from error
    except ValueError as error:  # a path with a NUL in it
        raise fail(NO_SUCH_FILE, f"there is no file {str(path)!r}") from error
    return Source(str(path), decode(data, str(path)))


def decode(data: bytes, name: str) -> str:
    """Return the text that `data` encodes, with one newline character as every line end."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", errors="replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.removeprefix(codecs.BOM_UTF8).decode("latin-1")
    if "\0" in text:
        raise fail(
            BINARY, f"'{name}' is not a text file", None, "is it a compiled file or an archive?"
        )
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _unreadable(path: str | Path, error: OSError) -> InputError:
    match error:
        case FileNotFoundError() | NotADirectoryError():
            return fail(NO_SUCH_FILE, f"there is no file '{path}'")
        case IsADirectoryError():
            return fail(IS_A_DIRECTORY, f"'{path}' is a directory", None, "name a file in it")
        case _:
            return fail(UNREADABLE, f"'{path}' cannot be read: {error.strerror}")
