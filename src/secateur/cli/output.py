"""Where results and complaints go, and how they look there."""

from __future__ import annotations

import os
import sys
from typing import IO

from secateur.report.style import Style


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
    """Make sure that no character of a model can break the output."""
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


def silence(stream: IO[str]) -> None:
    """Send the rest of `stream` nowhere, so that flushing it at exit cannot fail either."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
