"""Progress lines: live on a terminal, now and then in a pipe."""

from __future__ import annotations

import io

from secateur.cli.progress import ProgressPrinter, describe
from secateur.engine.limits import Progress


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def at(seconds: float) -> Progress:
    return Progress(int(seconds * 100), int(seconds * 300), 7, seconds, 50 * 2**20)


def test_a_line_has_states_rate_queue_memory_and_time() -> None:
    line = describe(at(2.0))
    assert line == "200 states, 600 transitions, 100 states/s, 7 waiting, 50 MB, 2.0 s"


def test_a_pipe_gets_a_line_every_few_seconds() -> None:
    stream = io.StringIO()
    printer = ProgressPrinter(stream)
    for tenth in range(121):
        printer(at(tenth / 10))
    printer.close()
    assert [line.split(", ")[-1] for line in stream.getvalue().splitlines()] == ["5.0 s", "10.0 s"]


def test_a_terminal_has_one_line_that_goes_away() -> None:
    stream = Terminal()
    printer = ProgressPrinter(stream)
    printer(at(0.5))
    printer(at(0.6))
    printer(at(0.9))
    printer.close()
    shown = stream.getvalue()
    assert "\n" not in shown
    assert shown.count("states/s") == 2
    assert shown.endswith(" \r")
