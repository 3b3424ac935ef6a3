"""What a format of files is, and what it is written from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from enum import Enum
from typing import Any

from secateur.maths.types import Type
from secateur.report.chart import Chart
from secateur.report.overview import Overview
from secateur.source import Span
from secateur.source.records import dataclass
from secateur.system.explanation import Explanation
from secateur.system.result import Result
from secateur.system.trace import Trace


@dataclass(frozen=True, slots=True)
class Story:
    """A path through a model and what it shows: a violation, or why a formula holds or fails.

    Its last `loop` steps are repeated for ever.  `kind` is the word that JSON uses.
    """

    kind: str
    name: str
    trace: Trace
    loop: int = 0
    message: str | None = None
    span: Span | None = None
    witness: tuple[tuple[str, Any], ...] = ()
    count: int = 1
    violated: bool = True
    formula: str | None = None
    """The temporal formula that it is about."""
    open: bool = False
    """Whether it does not matter how the path goes on."""
    explanation: Explanation | None = None
    """Why it fails."""
    why: tuple[tuple[int, str, bool], ...] = ()
    """Of a formula: after which step, which part of it, whether that holds."""
    remarks: tuple[str, ...] = ()
    """What was done to the trace."""
    title: str | None = None
    """What the language calls it, if that is a word of its own."""

    @property
    def closes_at(self) -> int:
        """The number of steps before those that are repeated; all of them if none is."""
        return len(self.trace) - self.loop


@dataclass(frozen=True, slots=True)
class Asked:
    """A property that was looked at, violated or not; `kind` as in JSON."""

    kind: str
    name: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Signature:
    """The types of an operation's parameters and results, and where it is written."""

    types: Mapping[str, Type]
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing (SVG) with its heading, and what is to be said below it."""

    heading: str
    svg: str
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Gallery:
    """What can be shown besides words; `remarks` say why something is not."""

    pictures: tuple[Picture, ...] = ()
    remarks: tuple[str, ...] = ()
    source: str | None = None
    """The text of the model."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that a format is written from."""

    task: str
    """The command that was run."""
    model: str
    """The component's name."""
    path: str
    """The file as the user gave it."""
    language: str
    digest: str | None
    """The SHA-256 of the file; None for a folder."""
    words: tuple[str, ...]
    """The command line."""
    result: Result
    overview: Overview
    report: Callable[[], Mapping[str, Any]]
    """The object that `--json` prints."""
    text: Callable[[], str]
    """What is printed without `--json`."""
    stories: tuple[Story, ...] = ()
    asked: tuple[Asked, ...] = ()
    types: Mapping[str, Type] = field(default_factory=dict)
    """The types of the constants and variables."""
    signatures: Mapping[str, Signature] = field(default_factory=dict)
    gallery: Callable[[], Gallery] = Gallery
    """Pictures, made when they are asked for."""
    chart: Callable[[Story], Chart | None] = lambda _: None
    """What processes do on a path."""
    chosen: int = 0
    """Which of the stories a format about one trace tells."""

    @property
    def story(self) -> Story | None:
        """The story to tell, if there is one."""
        return self.stories[self.chosen] if self.stories else None

    def about(self, number: int) -> Evidence:
        """Return the same, with another story to tell."""
        return replace(self, chosen=number)


class Subject(Enum):
    """What a format is about."""

    TRACE = "a trace"
    """One file for each trace; none if there is no trace."""
    VERDICT = "the verdict"
    """One file, whatever was found."""
    REPORT = "what the command prints"
    """The same for every command."""


@dataclass(frozen=True, slots=True)
class FormatRow:
    """A format: how its files are called, and how one is written.

    `write` returns None where there is nothing that the format could say.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    about: Subject
    write: Callable[[Evidence], str | None]
    processes: bool = False
    """Whether it has something to say only of models that have processes."""
