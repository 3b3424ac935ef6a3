"""Where results and complaints go, and how they look there."""

from __future__ import annotations

import io
import os
import sys
from typing import IO

from secateur.cli.codes import CANNOT_WRITE
from secateur.report.style import Style
from secateur.source import fail


def emit(text: str) -> None:
    """Write a result to stdout; a reader that has gone away (`| head`) is no error."""
    _write(sys.stdout, text)


def complain(text: str) -> None:
    """Write something that is not a result to stderr."""
    _write(sys.stderr, text)


def style_for(stream: IO[str]) -> Style:
    """Return colours for a terminal, unless the user does not want any (no-color.org)."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Style(colour=wanted and stream.isatty())


def prepare_streams() -> None:
    """Make sure that no character of a model, and no closed stream, can break the output."""
    # `>&-` in a shell leaves no stream at all, whatever the types promise.
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, io.TextIOWrapper(io.FileIO(os.devnull, "w"), encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _write(stream: IO[str], text: str) -> None:
    try:
        stream.write(text + "\n")
        stream.flush()
    except BrokenPipeError:
        silence(stream)
    except OSError as error:
        silence(stream)
        raise fail(CANNOT_WRITE, f"the output cannot be written: {error.strerror}") from None


def silence(stream: IO[str]) -> None:
    """Send the rest of `stream` nowhere, so that flushing it at exit cannot fail either."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
